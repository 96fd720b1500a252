//! What users call a program's constants, and what they are called in messages.

use crate::one_word::{self, C, OP, R, UNARY, copy, with};
use gpuzoo_diag::Span;
use gpuzoo_isa::{Constant, FileKind, Half, Isa, Mask, Numbering, Op, Program, Reg, RegFile};

fn named(name: &str, index: u16, count: u16, mask: u8) -> Constant {
    Constant {
        name: Some(name.to_owned()),
        reg: Reg { file: C, index },
        count,
        mask: Mask(mask),
        values: Vec::new(),
        matrix: None,
        span: Span::default(),
    }
}

/// A matrix, a vector of three components, an array of two elements with a member, and one whose elements are not alike.
fn program() -> Program {
    Program {
        constants: vec![
            named("mvp", 4, 4, 15),
            named("light", 8, 1, 7),
            named("spots[0].color", 10, 1, 15),
            named("spots[1].color", 11, 1, 15),
            named("odd[0].a", 12, 1, 15),
            named("odd[1].a", 13, 1, 3),
            named("far[0].a", 20, 1, 15),
            named("far[1].a", 22, 1, 15),
            // A value in the text: nobody else gives one.
            Constant { values: vec![[0; 4]], ..named("fixed", 30, 1, 15) },
            Constant { name: None, ..named("", 31, 1, 15) },
        ],
        ..Program::default()
    }
}

#[test]
fn constants_are_found_by_name_and_by_number() {
    let (isa, program) = (&one_word::ISA, program());
    for (name, found) in [
        ("mvp", Some(4)),
        ("mvp[0]", Some(4)),
        ("mvp[3]", Some(7)),
        ("mvp[4]", None),
        ("mvp[03]", None),
        ("light", Some(8)),
        ("spots", Some(10)),
        ("spots[1]", Some(11)),
        ("spots[1].color", Some(11)),
        ("spot", None),
        // Their elements have other components, or are not one behind the other.
        ("odd", None),
        ("odd[1]", Some(13)),
        ("far", None),
        ("far[1].a", Some(22)),
        ("fixed", None),
        ("c12", Some(12)),
        ("12", Some(12)),
        ("c[12]", Some(12)),
        ("c39", Some(39)),
        ("c0", Some(0)),
        ("c40", None),
        ("c012", None),
        ("c-1", None),
        ("r1", None),
        ("", None),
    ] {
        assert_eq!(program.constant(isa, name), found, "{name}");
    }
}

#[test]
fn a_name_has_registers_and_components() {
    let (isa, program) = (&one_word::ISA, program());
    let registers = |name: &str| -> Option<Vec<(u16, u8)>> {
        program.uniform_registers(name).map(|all| all.iter().map(|(index, mask)| (*index, mask.0)).collect())
    };
    assert_eq!(registers("mvp"), Some(vec![(4, 15), (5, 15), (6, 15), (7, 15)]));
    assert_eq!(registers("mvp[2]"), Some(vec![(6, 15), (7, 15)]));
    assert_eq!(registers("light"), Some(vec![(8, 7)]));
    assert_eq!(registers("odd"), Some(vec![(12, 15), (13, 3)]));
    assert_eq!([registers("mvp[4]"), registers("c4"), registers("fixed")], [None, None, None]);
    // How many there are from a place on: of the name, or to the machine's last, c39.
    let from = |name: &str, index: u16| program.constants_from(isa, name, index);
    assert_eq!([from("mvp", 4), from("mvp[1]", 5), from("spots", 10), from("light", 8)], [4, 3, 2, 1]);
    assert_eq!(
        [from("c30", 30), from("0", 0), from("c39", 39), from("c40", 40), from("c41", 41)],
        [10, 40, 1, 0, 0]
    );
    let mask = |name: &str| program.constant_mask(name).0;
    assert_eq!([mask("light"), mask("mvp[1]"), mask("c8"), mask("odd[1].a")], [7, 15, 15, 3]);
    let names: Vec<&str> = program.uniforms().map(|(name, _)| name).collect();
    assert_eq!((names.len(), names[0], names[7]), (8, "mvp", "far[1].a"));
}

#[test]
fn constants_are_called_by_their_names_where_they_have_one() {
    let (isa, program) = (&one_word::ISA, program());
    let names = |indices: &[u16]| program.constant_names(isa, indices).join(" ");
    assert_eq!(names(&[4, 5, 6, 7]), "mvp");
    assert_eq!(names(&[4, 5, 6]), "mvp[0] mvp[1] mvp[2]");
    assert_eq!(names(&[5, 6, 7, 8]), "mvp[1] mvp[2] mvp[3] light");
    assert_eq!(names(&[3, 4, 5, 6, 7, 8, 9]), "c3 mvp light c9");
    assert_eq!(names(&[30, 31]), "c30 c31");
    assert_eq!(names(&[]), "");
}

#[test]
fn a_text_may_count_from_another_number() {
    let isa = &one_word::ISA;
    let numbering = Numbering { file: C, name: "signed", offset: 8, least: -8, greatest: 31 };
    let program = Program { numbering: Some(numbering), ..program() };
    let number = |index: i64| program.number(C, index);
    assert_eq!([number(8), number(0), number(39)], [0, -8, 31]);
    assert_eq!(program.number(R, 3), 3, "other files count as the machine does");
    let name = |file, index| program.reg_name(isa, Reg { file, index });
    assert_eq!([name(C, 8), name(C, 3), name(C, 10), name(R, 3)], ["c0", "c-5", "c2", "r3"]);
    let found = |name: &str| program.constant(isa, name);
    assert_eq!([found("c0"), found("c-8"), found("-8"), found("c31")], [Some(8), Some(0), Some(0), Some(39)]);
    assert_eq!([found("c32"), found("c-9"), found("c--8"), found("mvp")], [None, None, None, Some(4)]);
    assert_eq!([numbering.to_machine(-8), numbering.to_machine(31)], [Some(0), Some(39)]);
    assert_eq!([numbering.to_machine(-9), numbering.to_machine(32)], [None, None]);
    assert_eq!([numbering.from_machine(0), numbering.from_machine(39)], [Some(-8), Some(31)]);
    assert_eq!(numbering.from_machine(40), None);
    assert!(
        program.constants_help(isa).starts_with("constants are `c-8` to `c31`; the program names `mvp`, ")
    );
}

#[test]
fn a_machine_may_have_no_constants() {
    static FILES: &[RegFile] = &[RegFile::new("register", "r", 16, FileKind::Temporary([0; 4]))];
    static ROWS: &[Op] = &[Op::new(1, "mov", UNARY, copy)];
    static ISA: Isa = Isa {
        files: FILES,
        address: None,
        ..with(&[Half { ops: ROWS, opcode: OP, undefined: "nothing happens" }])
    };
    let program = Program::default();
    assert_eq!(program.constant(&ISA, "c0"), None);
    assert_eq!(program.constants_from(&ISA, "c0", 0), 0);
    assert_eq!(program.constant_names(&ISA, &[0, 1]), [""; 0]);
    assert_eq!(program.constants_help(&ISA), "this machine has no constants");
}
