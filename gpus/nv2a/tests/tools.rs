//! What tools rest on that make programs, scenes and pictures of the host, and that show texts: spec sections 1, 2, 5 and 8.

use gpuzoo_diag::{File, Role};
use gpuzoo_isa::{Bits, Inst, Mask, Operand, Program, Reg, Slot, Stage};
use gpuzoo_machine::target::conventions::{Port, Positions, Sampling};
use gpuzoo_machine::target::slots::Slots;
use gpuzoo_machine::{ShaderUnit, TextOptions};
use gpuzoo_nv2a::{GPU, ISA};

fn program(text: &str) -> Program {
    let assembled = GPU.assemble(&File::new("t", text), &TextOptions::default());
    assert!(assembled.ok(), "{text}: {:?}", assembled.diagnostics);
    assembled.program
}

fn reg(name: &str) -> Reg {
    ISA.reg(name).unwrap()
}

/// Every port of both stages. There are no fragment programs.
#[test]
fn compiled_programs_find_their_registers() {
    let ports = GPU.conventions().unwrap();
    assert_eq!(ports.stages(), [Stage::Vertex]);
    let outputs = ["oD0", "oD1", "oT0", "oT1", "oT2", "oT3", "oFog", "oB0", "oB1"];
    for number in 0..=u16::MAX {
        let port = Port::Location(number);
        let input = (number < 16).then(|| reg(&format!("v{number}")));
        assert_eq!(ports.input(Stage::Vertex, port), input, "{number}");
        let output = outputs.get(usize::from(number)).map(|name| reg(name));
        assert_eq!(ports.output(Stage::Vertex, port), output, "{number}");
        assert_eq!([ports.input(Stage::Fragment, port), ports.output(Stage::Fragment, port)], [None; 2]);
    }
    let others = [Port::Position, Port::PointSize, Port::Depth];
    assert_eq!(
        others.map(|port| ports.output(Stage::Vertex, port)),
        [Some(reg("oPos")), Some(reg("oPts")), None]
    );
    for port in others {
        assert_eq!(ports.output(Stage::Fragment, port), None);
        assert_eq!([Stage::Vertex, Stage::Fragment].map(|stage| ports.input(stage, port)), [None; 2]);
    }
    // And back, by the outputs' numbers (spec section 1).
    let port = |number| ports.port(Stage::Vertex, number);
    let location = |number| Some(Port::Location(number));
    let expected = [
        Some(Port::Position),
        None,
        None,
        location(0),
        location(1),
        location(6),
        Some(Port::PointSize),
        location(7),
        location(8),
        location(2),
        location(3),
        location(4),
        location(5),
        None,
    ];
    assert_eq!((0..14).map(port).collect::<Vec<_>>(), expected);
}

/// c96 to c191 are the application's; c58 and c59 lead to pixels. Vertices read no textures.
#[test]
fn compiled_programs_find_their_constants() {
    let ports = GPU.conventions().unwrap();
    assert_eq!(ports.constants(Stage::Vertex), 96..192);
    assert_eq!((ports.positions(), ports.viewport()), (Positions::Pixels, Some([reg("c58"), reg("c59")])));
    assert_eq!(ports.sample(Sampling::Filtered, 0), None);
    assert_eq!([0, 1, 2].map(|unit| GPU.coordinates(unit)), [Some(9), None, None]);
}

fn pairs() -> &'static dyn Slots {
    GPU.slots().unwrap()
}

/// Instructions as the dialect has them, with a semicolon between; a mask of all components is left out.
fn shown<'a>(insts: impl IntoIterator<Item = &'a Inst>) -> String {
    let texts = insts.into_iter().map(|inst| {
        let mut text = String::new();
        ISA.print_insts(&ISA.slot(ISA.encode(inst), Default::default()), &mut text);
        text.replace(".xyzw", "")
    });
    texts.collect::<Vec<_>>().join("; ")
}

fn words(words: [u32; 4]) -> Slot {
    ISA.slot(Bits { words: [words[0], words[1], words[2], words[3], 0] }, Default::default())
}

/// A program runs to its first slot with FINAL, and never beyond the 136 slots that the machine has.
#[test]
fn slots_that_run() {
    let slots = |count: usize, last: Option<usize>| {
        let slot =
            |at: usize| words([0, 0x0020_001b, 0x0836_106c, 0x2070_f800 | u32::from(Some(at) == last)]);
        Program { slots: (0..count).map(slot).collect(), ..Program::default() }
    };
    for (count, last, expected) in [
        (0, None, 0),
        (1, None, 1),
        (1, Some(0), 1),
        (5, Some(0), 1),
        (5, Some(3), 4),
        (135, None, 135),
        (136, None, 136),
        (137, None, 136),
        (200, Some(134), 135),
        (200, Some(135), 136),
        (200, Some(136), 136),
    ] {
        let program = slots(count, last);
        // They are the first ones.
        let running = pairs().running(&program).as_ptr_range();
        assert_eq!(running, program.slots[..expected].as_ptr_range(), "{count} {last:?}");
    }
}

/// A statement for each destination: the MAC's before the ILU's, the output port's before the temporary's.
#[test]
fn statements_of_slots() {
    for (text, expected) in [
        ("mov oPos, v0", "MOV oPos, v0"),
        ("arl a0, v1.z", "ARL A0, v1.z"),
        ("rcp r3.y, v1.w", "RCP R3.y, v1.w"),
        ("mul oD0, v3, c100 + rcp r1.x, v3.w", "MUL oD0, v3, c[100]; RCP R1.x, v3.w"),
        ("mul r2, v3, c100 + rcp oPos.w, v3.w", "MUL R2, v3, c[100]; RCP oPos.w, v3.w"),
        ("mul r2.x, v3, c100 + mul oD0.yz, v3, c100", "MUL oD0.yz, v3, c[100]; MUL R2.x, v3, c[100]"),
        // The swizzle of C is both halves'; of a scalar its first component counts.
        ("add r2, v3, r4 + rcp r1, r4.x + rcp oT0.y, r4.x", "ADD R2, v3, R4; RCP oT0.y, R4; RCP R1, R4"),
    ] {
        let program = program(text);
        let [slot] = &program.slots[..] else { panic!("{text}") };
        let statements = pairs().statements(slot).unwrap();
        assert_eq!(shown(&statements), expected, "{text}");
        // Each is of one destination, which is the one that it shows.
        for statement in &statements {
            let to = pairs().destination(statement);
            let name = shown([statement]).split([' ', '.', ',']).nth(1).unwrap().to_owned();
            assert_eq!((ISA.reg_name(to.reg), to.mask.is_empty()), (name, false), "{text}");
        }
    }
    // Without an operation there is nothing; MAC operation 14 does not exist, and a source of mux 0 names nothing.
    assert_eq!(pairs().statements(&words([0; 4])).map(|all| all.len()), Some(0));
    assert!(pairs().statements(&words([0, 14 << 21, 0x0836_106c, 0x2070_f800])).is_none());
    assert!(pairs().statements(&words([0, 0x0020_001b, 0x0036_106c, 0x2070_f800])).is_none());
}

/// Each row with a destination in each file; numbers of sources that it does not have are refused.
#[test]
fn statements_by_name() {
    let source = |name: &str| Operand { reg: reg(name), ..Operand::default() };
    let sources = [source("v1"), source("c100"), source("R3"), source("R4")];
    for op in ISA.ops() {
        let count = match op.name {
            "mad" => 3,
            "mul" | "add" | "dp3" | "dp4" | "dph" | "dst" | "min" | "max" | "slt" | "sge" => 2,
            _ => 1,
        };
        for to in if op.name == "arl" { &["A0"][..] } else { &["R5", "oD1", "c7"] } {
            let to = Operand { mask: if op.name == "arl" { Mask::ALL } else { Mask(0b0101) }, ..source(to) };
            for given in 0..=4 {
                let statement = pairs().statement(op.name, to, &sources[..given]);
                assert_eq!(statement.is_some(), given == count, "{} {given}", op.name);
                let Some(statement) = statement else { continue };
                assert_eq!(statement.op.name, op.name);
                let made = pairs().destination(&statement);
                assert_eq!((made.reg, made.mask), (to.reg, to.mask), "{}", op.name);
                let reads: Vec<Reg> = statement.reads().map(|(_, operand)| operand.reg).collect();
                assert_eq!(reads, sources[..given].iter().map(|source| source.reg).collect::<Vec<_>>());
                // It is one that a slot can have.
                let joined = pairs().join(&[statement]).unwrap();
                let slot = ISA.slot(ISA.encode_all(joined.iter()), Default::default());
                assert_eq!(pairs().statements(&slot).unwrap().len(), 1, "{}", op.name);
            }
        }
    }
    for name in ["", "foo", "MOV", "frc", "m4x4"] {
        assert!(pairs().statement(name, source("R5"), &sources[..1]).is_none(), "{name}");
    }
}

/// What one slot can do at once (spec sections 2 and 4), and what it cannot: two inputs, two constants, one with A0 and one without,
/// two outputs, two operations of a half, two sources C, two temporaries beside r1.
#[test]
fn statements_that_share_a_slot() {
    let statements = |text: &str| {
        let program = program(&text.replace(" + ", "\n"));
        program.slots.iter().flat_map(|slot| pairs().statements(slot).unwrap()).collect::<Vec<_>>()
    };
    for (text, expected) in [
        ("mul oD0, v3, c100 + rcp r1.x, v3.w", Some("MUL oD0, v3, c[100]; RCP R1.x, v3.w")),
        // The MAC's comes first, whatever the order.
        ("rcp r1.x, v3.w + mul oD0, v3, c100", Some("MUL oD0, v3, c[100]; RCP R1.x, v3.w")),
        ("mul r2, v3, v3 + lit oD0, v3", Some("MUL R2, v3, v3; LIT oD0, v3")),
        ("mul r2, v3, v3 + lit oD0, v4", None),
        ("mul r2, c5, c5 + lit oD0, c5", Some("MUL R2, c[5], c[5]; LIT oD0, c[5]")),
        ("mul r2, c5, c5 + lit oD0, c6", None),
        ("mul r2, c[a0+5], v0 + lit oD0, c[a0+5]", Some("MUL R2, c[A0+5], v0; LIT oD0, c[A0+5]")),
        ("mul r2, c[a0+5], v0 + lit oD0, c5", None),
        ("mul oT0, r2, r3 + lit oD0, r4", None),
        ("mul r2, r2, r3 + add r4, r2, r3", None),
        ("rcp r1.x, r2.x + rsq oT0.x, r2.x", None),
        // `add` and `mad` have the same C; of a scalar only the first component counts.
        ("add r2, r3, r4 + lit oD0, r4", Some("ADD R2, R3, R4; LIT oD0, R4")),
        ("add r2, r3, r4 + lit oD0, r5", None),
        ("add r2, r3, r4 + lit oD0, -r4", None),
        ("mad r2, r3, r3, r4.yxzw + rcp oD0, r4.y", Some("MAD R2, R3, R3, R4.yxzw; RCP oD0, R4.yxzw")),
        ("mad r2, r3, r3, r4.yxzw + rcp oD0, r4.x", None),
        // Beside the MAC the ILU writes r1 alone, and not where the MAC does.
        ("mul r2, r3, r4 + rcp r1, r5.x", Some("MUL R2, R3, R4; RCP R1, R5.x")),
        ("mul r2, r3, r4 + rcp r5, r5.x", None),
        ("mul r1, r3, r4 + rcp r1, r5.x", None),
        ("mul r2, r3, r4 + mov r1, r5", Some("MUL R2, R3, R4; MOV R1, R5")),
        ("mul r2, r3, r4 + mov r3, r5", None),
        ("mov r1, r3 + mov oD0, r5", Some("MOV oD0, R5; MOV R1, R3")),
        ("mov r2, r3 + mov r4, r5", None),
        // One value for two destinations is computed once.
        (
            "mul r2, r3, r4 + mul oD0, r3, r4 + rcp r1, r5.x",
            Some("MUL oD0, R3, R4; MUL R2, R3, R4; RCP R1, R5.x"),
        ),
        ("mul r2, r3, r4 + mul r5, r3, r4", None),
        ("arl a0, v0.x + rcp oD0, v0.x", Some("ARL A0, v0.x; RCP oD0, v0.x")),
        ("arl a0, v0.x + mul oD0, v0, v0", None),
        ("mul r2, r3, r4 + rcp r1, r5.x + mov oD0, r6", None),
    ] {
        let text = format!("arl a0, v0.x\n{text}");
        let statements = statements(&text);
        let joined = pairs().join(&statements[1..]);
        let back = joined.map(|insts| {
            let slot = ISA.slot(ISA.encode_all(insts.iter()), Default::default());
            // The instructions are those of the slot, source C and r1 included.
            assert_eq!(shown(&insts), shown(slot.insts()), "{text}");
            shown(&pairs().statements(&slot).unwrap())
        });
        assert_eq!(back.as_deref(), expected, "{text}");
    }
    assert_eq!(pairs().join(&[]).map(|insts| insts.len()), Some(0));
    assert_eq!(pairs().paired_temporary(), reg("R1"));
    // Of the fog it counts which components were written last.
    let ordered: Vec<Reg> = ISA.regs(|_| true).filter(|reg| pairs().keeps_order(*reg)).collect();
    assert_eq!(ordered, [reg("oFog")]);
}

/// The last slot, and only that, ends a program; one without slots gets one that does nothing.
#[test]
fn programs_of_other_slots() {
    let before = program("vs.1.1\ndef c5, 1, 2, 3, 4\nmov oPos, c5\n");
    let made = |slots: Vec<Slot>| {
        let made = pairs().with_slots(&before, slots);
        assert_eq!((&made.constants, made.interface.is_some()), (&before.constants, true));
        made.words(&ISA)
    };
    assert_eq!(made(Vec::new()), [0, 0, 0, 1]);
    let mov = words([0, 0x0020_001b, 0x0836_106c, 0x2070_f800]);
    let ends = words([0, 0x0020_001b, 0x0836_106c, 0x2070_f801]);
    let [one, last] = [0x2070_f800, 0x2070_f801].map(|word| [0, 0x0020_001b, 0x0836_106c, word]);
    assert_eq!(made(vec![mov]), last);
    assert_eq!(made(vec![ends]), last);
    assert_eq!(made(vec![mov, mov]), [one, last].concat());
}

/// Inputs as the console's vertex formats number them, and the four texture coordinates; the matrix has no -0 to be written out.
#[test]
fn a_program_without_a_scene() {
    let starter = GPU.starter(&program("rcc r0.x, v0.w\nmul oPos, v0, r0.x"), (4, 2));
    let expected = [
        (0, "position", "FLOAT3"),
        (2, "normal", "FLOAT3"),
        (3, "color", "FLOAT4"),
        (4, "color", "FLOAT4"),
        (9, "texcoord", "FLOAT2"),
        (10, "texcoord", "FLOAT2"),
        (11, "texcoord", "FLOAT2"),
        (12, "texcoord", "FLOAT2"),
    ];
    assert_eq!(starter.inputs, expected);
    assert_eq!((starter.position, starter.rows), (0, 4));
    assert_eq!((starter.texcoords, starter.own_constants), (&[9, 10, 11, 12][..], &[58, 59][..]));
    assert_eq!((starter.clear_depth, starter.partner), (None, None));
    let columns =
        [[2.0, 0.0, 0.0, 0.0], [0.0, -1.0, 0.0, 0.0], [0.0, 0.0, 16_777_215.0, 0.0], [2.0, 1.0, 0.0, 1.0]];
    let bits = |columns: [[f64; 4]; 4]| columns.map(|column| column.map(f64::to_bits));
    assert_eq!(starter.to_screen.map(bits), Some(bits(columns)));
    // For each attribute there is a format of that name, as large as the layout without a scene has it.
    let layout = GPU.default_layout();
    let attributes: Vec<_> = layout
        .attributes
        .iter()
        .map(|attribute| (attribute.input, attribute.offset, attribute.format.name, attribute.format.bytes))
        .collect();
    let expected = [(0, 0, "FLOAT3", 12), (2, 12, "FLOAT3", 12), (9, 24, "FLOAT2", 8)];
    assert_eq!((layout.stride, attributes), (32, expected.to_vec()));
}

/// A preprocessor line is one lexeme, with the comment that begins in it and whatever that goes on to; a comment behind it is another.
#[test]
fn preprocessor_lines_are_shown_whole() {
    let directives = |text: &str| {
        let all = GPU.lexemes(text, &TextOptions::default());
        assert!(all.windows(2).all(|two| two[0].end <= two[1].start), "{text}: {all:?}");
        let own = all.iter().filter(|lexeme| lexeme.role == Role::Directive);
        assert!(own.clone().all(|lexeme| lexeme.begins), "{text}");
        own.map(|lexeme| lexeme.text(text).to_owned()).collect::<Vec<_>>()
    };
    for (text, expected) in [
        ("vs.1.1\n#define A v0\nmov oPos, A\n", &["#define A v0"][..]),
        ("# define A v0\r\n#undef A\nvs.1.1\n", &["# define A v0", "#undef A"]),
        ("#define A \\\n  v0\nvs.1.1\n", &["#define A \\\n  v0"]),
        ("#define A v0 /* one\n two */ /* three */\nvs.1.1\n", &["#define A v0 /* one\n two */"]),
        (
            "#define A /* one\n two */\nvs.1.1\nmov oPos, v0\n#undef A",
            &["#define A /* one\n two */", "#undef A"],
        ),
        ("#include \"a.h\"\n\t#\nvs.1.1\nmov oPos, v0\n", &["#include \"a.h\"", "#"]),
        ("/* # */ vs.1.1 ; #define\nmov oPos, v0\n", &[]),
    ] {
        assert_eq!(directives(text), expected, "{text}");
    }
    // A uniform is none, nor is a comment of another dialect.
    assert!(directives("#light vector 5\nmov oPos, #light\n").is_empty());
    let vp = directives("!!VP1.0\n# define A\nMOV o[HPOS], v[OPOS];\nEND\n");
    assert!(vp.iter().all(|directive| !directive.contains("define")), "{vp:?}");
}
