//! What machines do unless they say otherwise.

use gpuzoo_isa::{Interface, Op, Program, Reg, Slot, Stage};
use gpuzoo_machine::target::sequence::Sequence;
use gpuzoo_machine::unit::PositionSpace;
use gpuzoo_machine::unit::logged::Call;
use gpuzoo_machine::unit::starter::Starter;
use gpuzoo_machine::{Profile, TextOptions};

struct Plain;

impl Sequence for Plain {
    fn temporaries(&self, _: Stage) -> Vec<Reg> {
        Vec::new()
    }

    fn constant_file(&self) -> u8 {
        2
    }

    fn number(&self, _: &Op, _: u32) -> Option<u32> {
        None
    }

    fn program(&self, _: Interface, _: Vec<Slot>) -> (Program, usize) {
        (Program::default(), 0)
    }
}

#[test]
fn a_compiler_may_rely_on_nothing_that_a_machine_does_not_say() {
    assert!(Plain.stands_for().is_empty());
    assert_eq!((Plain.declared(), Plain.starts_with_zeros()), (None, false));
    for stage in [Stage::Vertex, Stage::Fragment] {
        assert_eq!([0, 1, 7].map(|input| Plain.kept(stage, input)), [0; 3]);
    }
}

#[test]
fn a_starter_has_what_the_machine_gives_it() {
    let plain = Starter::new(3);
    assert_eq!((plain.position, plain.rows), (3, 4), "a matrix has four rows");
    assert_eq!((plain.to_screen, plain.clear_depth, plain.partner), (None, None, None));
    assert!(plain.inputs.is_empty() && plain.state.is_empty() && plain.formats.is_empty());
    assert!(plain.texcoords.is_empty() && plain.own_constants.is_empty());

    let columns = [[2.0; 4], [3.0; 4], [4.0; 4], [5.0; 4]];
    let all = Starter::new(0)
        .input(1, "position", "Float3")
        .input(2, "normal", "Byte4")
        .formats(&[("color", "Byte4")])
        .texcoords(&[5, 6])
        .own_constants(&[7])
        .to_screen(columns, 3)
        .clear_depth(9)
        .state("cull", "true")
        .state("blend", "false")
        .partner("nop".to_owned());
    assert_eq!(all.inputs, [(1, "position", "Float3"), (2, "normal", "Byte4")]);
    assert_eq!(all.formats, [("color", "Byte4")]);
    assert_eq!((all.texcoords, all.own_constants), (&[5, 6][..], &[7][..]));
    assert_eq!((all.to_screen, all.rows, all.clear_depth), (Some(columns), 3, Some(9)));
    assert_eq!(all.state, [("cull", "true"), ("blend", "false")]);
    assert_eq!(all.partner.as_deref(), Some("nop"));
}

#[test]
fn all_options_of_a_text_are_shown() {
    let include = |_: &str| Err(String::new());
    let options = TextOptions {
        dialect: Some("arb"),
        numbering: Some("gl"),
        position: Some(PositionSpace::Clip),
        exact: true,
        include: Some(&include),
        defines: &["A=1"],
        entry: Some("main"),
        stage: Some(Stage::Fragment),
        host_constants: true,
        call: Some(Call::Launch(7)),
        profile: Profile(1),
        budget: None,
    };
    assert_eq!(
        format!("{options:?}"),
        "TextOptions { dialect: Some(\"arb\"), numbering: Some(\"gl\"), position: Some(Clip), exact: true, \
         include: true, defines: [\"A=1\"], entry: Some(\"main\"), stage: Some(Fragment), host_constants: true, \
         call: Some(Launch(7)), profile: Profile(1) }"
    );
}
