//! What the pages and messages say of operands and constants.

use crate::{assemble, one_word, two_halves};
use gpuzoo_diag::Span;
use gpuzoo_isa::{Constant, Isa, Mask, Program, Reg};

/// `name: text` of each operand of an instruction.
fn described(isa: &'static Isa, name: &str) -> Vec<String> {
    let op = isa.ops().find(|op| op.name == name).unwrap();
    isa.describe(op).iter().map(|own| format!("{}: {}", own.name, own.text)).collect()
}

#[test]
fn operands_are_described_with_all_that_they_can_have() {
    let isa = &one_word::ISA;
    assert_eq!(described(isa, "nop"), [""; 0]);
    assert_eq!(
        described(isa, "mov"),
        ["dst: `r0` to `r15`; a mask may follow: `.xz`; written", "a: `r0` to `r15`; read"]
    );
    assert_eq!(
        described(isa, "sgn")[1],
        "a: `r0` to `r15`, `in0` to `in7`, `k0`, `k1` or `k2`; `-` flips the sign; `|…|` clears it; read"
    );
    assert_eq!(described(isa, "ld")[1], "slot: 0 to 7, the number of an input; read");
    assert_eq!(
        described(isa, "ldc")[1],
        "constant: `c0` to `c39`; the address register can be added: `c[a0 + 5]`; read"
    );
    assert_eq!(described(isa, "st")[0], "output: `pos` or `fog`; written");
    assert_eq!(
        described(isa, "shf")[2..],
        [
            "swizzle: four letters: the components of `a` to read for x, y, z and w",
            "mask: `0b0000` to `0b1111`: the components of `dst` to write, bit 0 is x",
        ]
    );
    assert_eq!(
        described(isa, "ord")[2],
        "order: `xyzw`, `wzyx` or `zzzz`: the components of `a` to read for x, y, z and w"
    );
    assert_eq!(
        described(isa, "swz")[1],
        "a: `r0` to `r15`; components in any order must be named: `.wzyx`; read"
    );
    assert_eq!(
        described(isa, "mat"),
        ["dst: `r0` to `r15`; read, then written", "a: `r0` to `r15`; with the 3 registers behind it; read"]
    );
    assert_eq!(described(isa, "finit")[1], "values: 1 to 4 values, each a float; read");
    assert_eq!(described(isa, "byte")[1], "byte: a byte; read");

    let isa = &two_halves::ISA;
    assert_eq!(
        described(isa, "MOV"),
        [
            "dst: `R0` to `R11`, `oPos` or `oFog`; a mask may follow: `.xz`, `._` writes none; written",
            "a: `R0` to `R11`, `V0` to `V15`, `C[0]` to `C[23]` or a byte; components in any order: `.wzyx`; `-` flips the sign; \
             `|…|` clears it; the address register can be added: `C[A0+5]`; read",
        ]
    );
    assert_eq!(
        described(isa, "SUB")[2],
        "b: `R0` to `R11`, `V0` to `V15` or `C[0]` to `C[23]`; components in the order `.xyzw`, `.yzxw`, `.x` or `.w`; read"
    );
    assert_eq!(described(isa, "ARL")[0], "dst: `A0`; written");
    assert_eq!(
        described(isa, "RCP"),
        [
            "dst: `R0` to `R11` or `_` for none; written",
            "s: `R0` to `R11`, `V0` to `V15`, `C[0]` to `C[23]` or a byte; one component must be named: `.x`; `-` flips the sign; \
             `|…|` clears it; the address register can be added: `C[A0+5]`; read",
        ]
    );
}

#[test]
fn fields_that_a_missing_register_leaves_are_ignored() {
    let isa = &two_halves::ISA;
    let bits = assemble(isa, "RCP _, 200").slots[0].bits;
    let fields = isa.explain(&bits);
    let meaning =
        |name: &str| fields.iter().find(|own| own.field.name == name).map(|own| own.meaning.as_str());
    assert_eq!(meaning("side_temp"), Some("ignored"));
    assert_eq!(meaning("side_kind"), Some("no register"));
    assert_eq!(meaning("side"), Some("RCP"));
}

fn named(name: &str, index: u16) -> Constant {
    Constant {
        name: Some(name.to_owned()),
        reg: Reg { file: one_word::C, index },
        count: 1,
        mask: Mask::ALL,
        values: Vec::new(),
        matrix: None,
        span: Span::default(),
    }
}

#[test]
fn the_help_about_constants_has_the_names_that_the_program_gives() {
    let isa = &one_word::ISA;
    let mut program = Program::default();
    assert_eq!(program.constants_help(isa), "constants are `c0` to `c39`");
    program.constants = vec![named("light", 3), named("color", 7)];
    assert_eq!(
        program.constants_help(isa),
        "constants are `c0` to `c39`; the program names `light` and `color`"
    );
    // One that has its values in the text is not for the user.
    program.constants[0].values = vec![[0; 4]];
    assert_eq!(program.constants_help(isa), "constants are `c0` to `c39`; the program names `color`");
}
