//! What tools rest on that make programs, vertices and vectors: spec sections 1, 2 and 5.

use gpuzoo_diag::{File, Span};
use gpuzoo_dreambox::{GPU, ISA, PROFILE, fetch};
use gpuzoo_isa::{Interface, Program, Reg, Stage};
use gpuzoo_machine::target::conventions::Port;
use gpuzoo_machine::vectors::stimulus::{EDGES, Stimulus, Temporaries};
use gpuzoo_machine::{ShaderUnit, TextOptions};

fn program(text: &str) -> Program {
    let assembled = GPU.assemble(&File::new("t", text), &TextOptions::default());
    assert!(assembled.ok(), "{:?}", assembled.diagnostics);
    assembled.program
}

/// Eight inputs, sixteen constants; locations are col, ocol and tex, in this order.
#[test]
fn compiled_programs_find_their_registers() {
    let ports = GPU.conventions().unwrap();
    assert_eq!((ports.stages(), ports.constants(Stage::Vertex)), (&[Stage::Vertex][..], 0..16));
    let index = |reg: Option<Reg>| reg.map(|reg| reg.index);
    let input = |stage, number| index(ports.input(stage, Port::Location(number)));
    assert_eq!([0, 7, 8].map(|number| input(Stage::Vertex, number)), [Some(0), Some(7), None]);
    assert_eq!(input(Stage::Fragment, 0), None);
    let output = |port| ports.output(Stage::Vertex, port).map(|reg| ISA.reg_name(reg));
    let names = [Port::Position, Port::Location(0), Port::Location(1), Port::Location(2)].map(output);
    assert_eq!(names.each_ref().map(Option::as_deref), ["pos", "col", "ocol", "tex"].map(Some));
    assert_eq!([output(Port::Location(3)), output(Port::PointSize)], [None, None]);
    let temporaries = GPU.sequence().unwrap().temporaries(Stage::Vertex);
    assert_eq!((temporaries.len(), temporaries[0].index, temporaries[15].index), (16, 0, 15));
}

/// `end` is 0x3f; the 64th word leaves no room for it.
#[test]
fn compiled_programs_end() {
    let whole = |count: usize| {
        let body = program(&format!(".exact {}", "st pos r0 ".repeat(count))).slots;
        let (program, first) = GPU.sequence().unwrap().program(Interface::default(), body);
        assert_eq!(first, 0);
        let words = program.words(&ISA);
        (words.len(), words.last() == Some(&0x3f))
    };
    assert_eq!([1, 63, 64].map(whole), [(2, true), (64, true), (64, false)]);
    let (empty, _) = GPU.sequence().unwrap().program(Interface::default(), Vec::new());
    assert_eq!((empty.words(&ISA), empty.slots[0].span), (vec![0x3f], Span::default()));
}

/// After power-on: stride 32, four inputs, and a float at the vertex's beginning for what nothing sets.
#[test]
fn the_layout_after_power_on() {
    let layout = GPU.default_layout();
    let attributes: Vec<_> = layout
        .attributes
        .iter()
        .map(|attribute| (attribute.input, attribute.offset, attribute.format.name))
        .collect();
    let expected = [
        (0, 0, "Float4"),
        (1, 16, "Float2"),
        (2, 24, "UNorm4"),
        (3, 28, "UNorm4"),
        (4, 0, "Float1"),
        (5, 0, "Float1"),
        (6, 0, "Float1"),
        (7, 0, "Float1"),
    ];
    assert_eq!((layout.stride, &attributes[..]), (32, &expected[..]));
}

/// The nearest byte: 127.5 and 63.5 go away from zero, what is beyond stops at 0, 255, -127 and 127.
#[test]
fn colours_become_bytes() {
    let encoded = |name: &str, components| fetch::format(name).map(|format| (format.encode)(components));
    let four = |bytes: [u8; 4]| Some(std::array::from_fn(|at| bytes.get(at).copied().unwrap_or(0)));
    assert_eq!(encoded("UNorm4", [0.5, 1.0, -1.0, 2.0]), four([128, 255, 0, 255]));
    assert_eq!(encoded("UNorm4", [0.1, 0.9, f32::NAN, 0.0]), four([26, 230, 0, 0]));
    assert_eq!(encoded("SNorm4", [0.5, -0.5, 1.0, -2.0]), four([64, 192, 127, 129]));
    assert_eq!(encoded("SNorm4", [2.0, -1.0, 0.25, f32::NAN]), four([127, 129, 32, 0]));
    assert_eq!(encoded("UNorm", [0.0; 4]), None);
}

/// A matrix at r12 is the last one within the registers; `end` is around a body and not in it.
#[test]
fn vectors_are_made_of_single_instructions() {
    let vectors = GPU.program_vectors().unwrap();
    assert_eq!(vectors.counts(), [8, 16]);
    for (text, takes) in [("mulm r0 r12", true), ("mulm r0 r13", false), ("end", false), ("add r0 r1", true)]
    {
        let program = program(&format!(".exact {text}"));
        assert_eq!(vectors.takes(&[], program.slots[0].inst.as_ref().unwrap()), takes, "{text}");
    }
    // A byte four times, and bytes that count up by 0x25.
    let pieces = vectors.pieces();
    let has = |format: &str, bytes: &str, first: f32| {
        let mut own = pieces.iter().filter(|piece| piece["format"] == format && piece["bytes"] == bytes);
        let bits = format!("{:08x}", first.to_bits());
        own.next().is_some_and(|piece| piece["out"][0] == bits.as_str())
    };
    for (byte, value) in
        [("00", 0.0), ("01", 1.0), ("7f", 127.0), ("80", 128.0), ("81", 129.0), ("ff", 255.0)]
    {
        assert!(has("UNorm4", &byte.repeat(4), value / 255.0), "{byte}");
        let float = f32::from_bits(value as u32 * 0x0101_0101);
        assert!(has("Float4", &byte.repeat(16), float), "{byte}");
    }
    assert!(has("UNorm4", "00254a6f", 0.0) && has("SNorm4", "ffffffff", -1.0 / 127.0));
    let counting: String = (0..16).map(|at| format!("{:02x}", at * 0x25 % 256)).collect();
    assert!(has("Float4", &counting, f32::from_bits(0x6f4a_2500)));
    // Six bytes alone, those that count up, and the 44 edges, four in each.
    let floats: Vec<_> = pieces.iter().filter(|piece| piece["format"] == "Float4").collect();
    assert_eq!(floats.len(), 6 + 1 + 11);
    for (four, piece) in EDGES.chunks(4).zip(&floats[7..]) {
        let expected: Vec<_> = four.iter().map(|bits| format!("{bits:08x}")).collect();
        assert_eq!(piece["out"], serde_json::Value::from(expected));
    }
}

/// Inputs come first, then constants; what is read and written leaves in the order of the outputs, and the program ends.
#[test]
fn what_stands_around_a_body() {
    let vectors = GPU.program_vectors().unwrap();
    let around = |body: &str| {
        let slots = program(&format!(".exact {body}")).slots;
        let whole = vectors.around(&slots, &Temporaries::of(&ISA, &slots));
        assert_eq!(whole.words(&ISA).last(), Some(&0x3f), "`end` is the last instruction");
        let (text, _) = GPU.disassemble(&whole, &TextOptions::default());
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(around("add r1 r2"), "ld r1 0 ld r2 1 add r1 r2 st pos r1");
    assert_eq!(around("add r1 r2 st pos r4"), "ld r1 0 ld r2 1 ld r4 2 add r1 r2 st pos r4 st tex r1");
    // The destination is read, too. The ninth register that is read is filled from the first constant.
    let nine: String = (0..9).map(|at| format!("add r15 r{at} ")).collect();
    let text = around(&nine);
    assert!(text.starts_with("ld r15 0 ld r0 1 ") || text.starts_with("ld r0 0 ld r15 1 "), "{text}");
    assert!(text.contains(" ld r6 7 ldc r7 0 ldc r8 1 add "), "{text}");
}

/// A record has what the outputs hold that the program stores, one for each run.
#[test]
fn records_say_what_a_program_gives() {
    let vectors = GPU.program_vectors().unwrap();
    let stimulus = |x: f32| Stimulus {
        inputs: vec![[x, 2.0, 0.5, -1.0].map(f32::to_bits)],
        constants: vec![[1.0f32, 1.0, 1.0, 1.0].map(f32::to_bits)],
    };
    let text = program("ld r0 0 ldc r1 0 add r0 r1 st pos r0 st col r1");
    let records = vectors.records("sum", &text, &[stimulus(3.0), stimulus(-1.0)], PROFILE).unwrap();
    let hex = |values: [f32; 4]| {
        serde_json::Value::from(values.map(|one| format!("{:08x}", one.to_bits())).to_vec())
    };
    assert_eq!((&records[0]["name"], &records[1]["name"]), (&"sum, run 0".into(), &"sum, run 1".into()));
    assert_eq!(records[0]["out"]["pos"], hex([4.0, 3.0, 1.5, 0.0]));
    assert_eq!(records[1]["out"]["pos"], hex([0.0, 3.0, 1.5, 0.0]));
    assert_eq!(records[1]["out"]["col"], hex([1.0; 4]));
    assert_eq!((records[0]["out"].get("tex"), records[0]["out"].get("ocol")), (None, None));
    assert_eq!(records[0]["in"], serde_json::Value::from(vec![hex([3.0, 2.0, 0.5, -1.0])]));
    assert_eq!(records[0]["const"], serde_json::Value::from(vec![hex([1.0; 4])]));
}

/// What the linter says of a text, shortly.
fn lints(text: &str) -> Vec<(String, Vec<String>)> {
    let problems = GPU.check(&program(text));
    problems
        .into_iter()
        .map(|problem| (format!("{}: {}", problem.code.id, problem.message), problem.notes))
        .collect()
}

/// Columns beyond r15 are r15 (spec section 2).
#[test]
fn columns_of_a_matrix_beyond_r15_are_named() {
    for (matrix, columns) in [
        ("r12", None),
        ("r13", Some("r13, r14, r15, r15")),
        ("r14", Some("r14, r15, r15, r15")),
        ("r15", Some("r15, r15, r15, r15")),
    ] {
        let found =
            lints(&format!("ld r0 0 ldc r12 0 ldc r13 1 ldc r14 2 ldc r15 3 mulm r0 {matrix} st pos r0"));
        let note =
            found.iter().find(|(message, _)| message.starts_with("D0101")).map(|(_, notes)| notes.join(" "));
        assert_eq!(note, columns.map(|columns| format!("the columns read are {columns}")), "{matrix}");
    }
}

/// What a new scene says besides what every machine's says.
#[test]
fn a_starter_tests_depths() {
    let starter = GPU.starter(&program("st pos r0"), (4, 2));
    assert_eq!(starter.state, [("depth_compare", "\"less\""), ("depth_write", "true")]);
}

/// The zeros of a dot product go where a shuffle takes them; a texture coordinate may have them.
#[test]
fn zeros_of_a_dot_product_are_followed() {
    let zeros = |between: &str, output: &str| {
        let text = format!("ld r1 0 ld r2 1 ld r3 2 dot r1 r2 {between} mul r3 r1 st {output} r3 st pos r2");
        let found: Vec<_> =
            lints(&text).into_iter().filter(|(message, _)| message.starts_with("D0106")).collect();
        found.into_iter().map(|(message, _)| message).next()
    };
    let said =
        |components: &str| Some(format!("D0106: r3.{components} is a product with zeros that `dot` left"));
    assert_eq!(zeros("", "col"), said("yzw"));
    assert_eq!(zeros("shf r1 r1 wzyx 0b1111", "col"), said("xyz"));
    assert_eq!(zeros("shf r1 r1 yxzw 0b1111", "col"), said("xzw"));
    assert_eq!(zeros("shf r1 r1 xxxx 0b1111", "col"), None);
    assert_eq!(zeros("", "tex"), None, "x beside zeros is a coordinate");
}

/// A dot product whose zeros are in two products is reported once, at the first of them.
#[test]
fn zeros_of_a_dot_product_are_reported_once() {
    let text = "ld r1 0 ld r2 1 ld r3 2 ld r4 3 dot r1 r2 mul r3 r1 mul r4 r1 st col r3 st ocol r4 st pos r2";
    let found: Vec<_> = lints(text).into_iter().filter(|(message, _)| message.starts_with("D0106")).collect();
    let messages: Vec<&str> = found.iter().map(|(message, _)| message.as_str()).collect();
    assert_eq!(messages, ["D0106: r3.yzw is a product with zeros that `dot` left"]);
}

/// Of zeros of several dot products in one product those of its first component are told.
#[test]
fn zeros_of_several_dot_products_are_those_of_the_first_component() {
    let text = "ld r1 0 ld r2 1 ld r3 2 ld r4 3 dot r1 r2 dot r4 r2 shf r1 r4 xyzw 0b1000 mul r3 r1 st col r3 st pos r2";
    let problems = GPU.check(&program(text));
    let found: Vec<_> = problems.iter().filter(|problem| problem.code.id == "D0106").collect();
    assert_eq!((found.len(), found[0].message.starts_with("r3.yzw is")), (1, true), "{found:?}");
    assert_eq!(found[0].help, ["spread x before it is used: `shf r1 r1 xxxx 0b1111`"]);
    let dot = text.find("dot r1").unwrap() as u32;
    assert!(found[0].labels.iter().any(|label| label.span.start == dot), "{found:?}");
}

/// The `end` that a text does not have lies behind its last instruction, and in an empty one at its beginning.
#[test]
fn the_end_that_is_added_has_a_place() {
    let span = |text: &str| program(text).slots.last().map(|slot| (slot.span.start, slot.span.end));
    assert_eq!(span(""), Some((0, 0)));
    let text = "ld r0 0 st pos r0";
    assert_eq!(span(text), Some((17, 17)));
}
