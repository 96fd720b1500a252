//! A machine that says no more than it must, and what is said and done for it.

use crate::tiny::ISA;
use gpuzoo_diag::{Diagnostic, File, Sources, Span};
use gpuzoo_isa::{Lowered, Program};
use gpuzoo_machine::limits::budget::Refusal;
use gpuzoo_machine::options::settings::Table;
use gpuzoo_machine::unit::draw::{Draw, DrawReport};
use gpuzoo_machine::unit::layout::{Attribute, Layout, VertexFormat, words};
use gpuzoo_machine::unit::run_state::Mode;
use gpuzoo_machine::{About, Cost, FileForm, Gpu, Profile, RunState, ShaderUnit, TextOptions};
use gpuzoo_raster::Target;

struct Tiny;

static ABOUT: About = About::new("tiny", "Tiny", "for tests");
static PAIR: VertexFormat =
    gpuzoo_machine::vertex_format!("PAIR", 8, |bytes| words(bytes, [0; 4]), |_| [0; 16], "two words");

impl Gpu for Tiny {
    fn about(&self) -> &'static About {
        &ABOUT
    }
}

impl ShaderUnit for Tiny {
    fn isa(&self) -> &'static gpuzoo_isa::Isa {
        &ISA
    }

    fn check(&self, _: &Program) -> Vec<Diagnostic> {
        Vec::new()
    }

    fn lower(&self, program: &Program, state: &RunState) -> (Lowered, Vec<Diagnostic>) {
        (ISA.lower(program, state.profile, state.start), Vec::new())
    }

    fn costs(&self, _: &Program) -> Vec<Cost> {
        Vec::new()
    }

    fn default_layout(&self) -> Layout {
        let attribute = |(input, offset)| Attribute { input, offset, format: &PAIR };
        Layout { stride: 16, attributes: [(0, 0), (2, 8)].map(attribute).to_vec() }
    }

    fn draw(&self, _: &mut Target, _: &Draw, _: &mut Vec<Diagnostic>) -> Result<DrawReport, Refusal> {
        Ok(DrawReport::default())
    }
}

#[test]
fn nothing_is_there_that_a_machine_does_not_name() {
    let tiny: &'static Tiny = &Tiny;
    assert!(tiny.shader_unit().is_none() && tiny.computer().is_none() && tiny.jobs().is_none());
    assert!(tiny.reference().is_none() && tiny.vector_files().is_none() && tiny.dump("", &[]).is_none());
    assert!(tiny.slots().is_none() && tiny.sequence().is_none() && tiny.conventions().is_none());
    assert!(tiny.program_vectors().is_none() && tiny.fragment_programs().is_none());
    let program = Program::default();
    let (table, log) = (Table::of(&[]), File::new("log", ""));
    assert_eq!(
        (tiny.added(&program), tiny.coordinates(0), tiny.logged(&log, &TextOptions::default()).is_none()),
        (0, None, true)
    );
    // Texture units are read, positions are in clip space.
    assert!(tiny.reads_texture(0, &table) && !tiny.positions_are_pixels(&table));
    let mut sources = Sources::default();
    let file = sources.add("t", "mov r0 in0");
    assert!(tiny.symbols(&mut sources, file, &TextOptions::default()).is_empty());
    assert_eq!(tiny.complete_layout(tiny.default_layout()).attributes.len(), 2);
    // Attributes of a mesh go to its inputs in their order.
    let starter = tiny.starter(&program, (4, 4));
    assert_eq!(starter.inputs, [(0, "position", "PAIR"), (2, "normal", "PAIR")]);
    assert_eq!((starter.position, starter.rows), (0, 4));
}

#[test]
fn texts_and_binaries_are_read_and_written() {
    let options = TextOptions { exact: true, ..TextOptions::default() };
    let text = "mov r0 in0\nadd r1.x r0 r0\nmov out0 r1\n";
    let assembled = Tiny.assemble(&File::new("t", text), &options);
    assert!(assembled.ok(), "{:?}", assembled.diagnostics);
    let program = assembled.program;
    let shown: Vec<&str> = program.slots.iter().map(|slot| &text[slot.span.range()]).collect();
    assert_eq!(shown, ["mov r0 in0", "add r1.x r0 r0", "mov out0 r1"]);
    assert_eq!(program.span.range(), 0..text.len());
    // Words with the lowest byte first.
    let bytes = Tiny.save(&program);
    assert_eq!(bytes.len(), 12);
    assert_eq!(u32::from_le_bytes(bytes[4..8].try_into().unwrap()), program.slots[1].bits.words[0]);
    let loaded = Tiny.load(&bytes, Span::default());
    assert!(loaded.ok());
    let (disassembled, notes) = Tiny.disassemble(&loaded.program, &options);
    assert_eq!((disassembled.as_str(), notes.len()), (text, 0));
    assert_eq!(Tiny.lexemes("mov r0 in0", &options).len(), 3);
    let mut sources = Sources::default();
    let file = sources.add("t", text);
    assert_eq!(Tiny.assemble_in(&mut sources, file, &options).program.slots.len(), 3);
}

#[test]
fn a_program_has_as_many_slots_as_the_machine() {
    let text = |count: usize| "kil in0\n".repeat(count);
    let found = |count: usize| {
        let assembled = Tiny.assemble(&File::new("t", &text(count)), &TextOptions::default());
        assembled.diagnostics.first().map(|problem| (problem.code.id, problem.span().unwrap().range()))
    };
    assert_eq!(found(64), None);
    // The 65th is shown: 64 lines of 8 bytes are before it.
    assert_eq!(found(65), Some(("A0110", 512..519)));
}

#[test]
fn a_machine_without_dialects_has_its_own_language() {
    // This machine has none, so what is asked for is not there.
    for dialect in [None, Some("other")] {
        let options = TextOptions { dialect, ..TextOptions::default() };
        assert!(std::ptr::eq(Tiny.syntax("", &options), ISA.syntax));
    }
}

#[test]
fn a_machine_is_about_what_it_says() {
    assert_eq!((ABOUT.id, ABOUT.name, ABOUT.summary), ("tiny", "Tiny", "for tests"));
    assert_eq!((ABOUT.screen, ABOUT.texture_units, ABOUT.outputs_persist), ((640, 480), 0, false));
    // One profile, which is the default.
    assert_eq!((ABOUT.profile("document"), ABOUT.profile("exact")), (Some(Profile(0)), None));
    static MODES: [Mode; 1] = [Mode { name: "m", about: "", choices: &[("a", "")] }];
    let all = About::new("a", "A", "")
        .extensions(&["x"])
        .profiles(&[("one", ""), ("two", "")])
        .modes(&MODES)
        .outputs_persist()
        .textures(3, &[])
        .screen((320, 200));
    assert_eq!((all.extensions, all.modes.len(), all.texture_units), (&["x"][..], 1, 3));
    assert!(all.outputs_persist && all.screen == (320, 200));
    assert_eq!(
        [all.profile("one"), all.profile("two"), all.profile("document")],
        [Some(Profile(0)), Some(Profile(1)), None]
    );
    assert_eq!([0, 1, 2].map(|number| all.profile_name(Profile(number))), ["one", "two", ""]);
    let plain = FileForm::new("p", &["p"], "a program");
    assert_eq!([plain.is_binary, plain.is_read, plain.is_written], [false; 3]);
    let [binary, read, written] = [plain.binary(), plain.read(), plain.written()];
    assert_eq!([binary.is_binary, binary.is_read, binary.is_written], [true, false, false]);
    assert_eq!([read.is_binary, read.is_read, read.is_written], [false, true, false]);
    assert_eq!([written.is_binary, written.is_read, written.is_written], [false, false, true]);
}
