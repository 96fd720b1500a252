//! What tools rest on that make programs, vertices and vectors: spec sections 1, 2 and 5.

use gpuzoo_diag::{File, Span};
use gpuzoo_dreambox::{GPU, ISA, fetch};
use gpuzoo_isa::{Interface, Program, Reg, Stage};
use gpuzoo_machine::conventions::Port;
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
    }
    assert!(has("UNorm4", "00254a6f", 0.0) && has("SNorm4", "ffffffff", -1.0 / 127.0));
    let counting: String = (0..16).map(|at| format!("{:02x}", at * 0x25 % 256)).collect();
    assert!(has("Float4", &counting, f32::from_bits(0x6f4a_2500)));
}
