//! Whole programs: what surrounds them, how they are written down, and what two of them say of each other.

use gpuzoo_diag::{File, Severity, Span};
use gpuzoo_ir::eval::{NoTextures, Run as Evaluator};
use gpuzoo_isa::{Bits, Inst, MAX_ERRORS, Profile, Program};
use gpuzoo_machine::{Gpu, ShaderUnit, TextOptions};
use gpuzoo_picogpu::*;

fn assembled(text: &str) -> Program {
    let assembled = assemble(&File::new("t", text), DOCUMENT);
    assert!(assembled.ok(), "{text}\n{:#?}", assembled.diagnostics);
    assembled.program
}

fn errors(text: &str, profile: Profile) -> Vec<&'static str> {
    let problems = assemble(&File::new("t", text), profile).diagnostics;
    problems.iter().map(|problem| problem.code.id).collect()
}

const VERTEX: &str = "#vertexShader #input r0.xyz #output r8.xyzw #output r9.xy  mov r8 r0 mov r9.xy r0";
const FRAGMENT: &str = "#fragmentShader #input r0.xyzw #input r1.xy #output r8.xyzw  mov r8 r1";

/// Sizes from spec section 5: code dwords and executed instructions of a one-instruction body.
#[test]
fn frames_have_the_sizes_of_the_reference() {
    for (inputs, dwords, instructions) in
        [("", 30, 26), ("#input r1.xyzw", 36, 31), ("#input r1.xyzw #input r2.x", 42, 36)]
    {
        let program =
            assembled(&format!("#fragmentShader #input r0.xyzw {inputs} #output r15.xyzw mov r15 r0"));
        assert_eq!((program.words(&ISA).len(), program.slots.len()), (dwords, instructions));
        assert_eq!(body(&program), Some(instructions - 2..instructions - 1));
        assert_eq!(costs(&program)[0].per_run, instructions as u64);
    }
}

#[test]
fn the_disassembler_shows_what_the_assembler_added_as_comments() {
    let text = disassemble(&assembled(FRAGMENT), true);
    let own: Vec<&str> = text.lines().filter(|line| !line.is_empty() && !line.starts_with("//")).collect();
    assert_eq!(own, ["#fragmentShader", "#input r0.xyzw", "#input r1.xy", "#output r8.xyzw", "mov r8 r1"]);
    for comment in [
        "// interpolation, added by the assembler:",
        "//     fsub r1.xy r4 r2\n//     fsub r8.xy r6 r2\n//     fsub r9.xy r0 r2\n",
        "//     finit r1 0.0\n//     fmad r1.xy r12 r3 r1\n",
        "// uniforms and registers, added by the assembler:\n//     lduni\n//     initregs\n\nmov r8 r1\n",
        "// depth, added by the assembler:\n//     swizzle r0 r0.zzzz\n",
    ] {
        assert!(text.contains(comment), "{comment}\n{text}");
    }
}

/// A store command that no directives give, junk in ignored bits, opcodes that do not exist, values that are missing.
#[test]
fn any_program_has_a_text() {
    for words in [
        vec![0x0c30_0002],
        vec![0x0c30_000e, 0x7f9b_1dce, 0xffff_ff30, 32, 33, 0x0003_fb1e],
        vec![0xfc30_000c, 0x6180_c31c, 0x30, 0xffff_ffff, 0x0000_0022, 0xfff7_c05e],
        vec![0x0c30_0008, 0x6180_c31c, 0x30, 0x0003_ce1c, 0x3f80_0000],
        vec![0x0c30_0800, 0x6180_c31c, 0x30],
    ] {
        let mut words = words;
        words.resize(words.len().max(3), 0);
        words[0] = words[0] & !0x7fc | ((words.len() - 3) as u32) << 2;
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let loaded = load(&bytes, Span::default());
        assert!(loaded.ok(), "{:?}", loaded.diagnostics);
        let text = disassemble(&loaded.program, true);
        assert!(text.starts_with(".header 0x"), "{text}");
        assert_eq!(program_dwords(&assembled(&text)), words, "{text}");
    }
}

/// What only the assembler adds has a name in a text to which it adds nothing.
#[test]
fn added_instructions_have_names_behind_a_header() {
    let mut words = program_dwords(&assembled(VERTEX));
    words.swap(3, 4);
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let text = disassemble(&load(&bytes, Span::default()).program, true);
    let lines: Vec<&str> = text.lines().skip(1).collect();
    assert_eq!(lines, ["initregs", "lduni", "mov r8 r0", "mov r9.xy r0"]);
}

#[test]
fn the_guess_of_init_is_right_for_usual_numbers() {
    for (text, shown) in [
        ("finit r8 1.0 -0.5", "finit r8 1.0 -0.5"),
        ("finit r8 0.0", "finit r8 0.0"),
        ("iinit r8 0", "finit r8 0.0"),
        ("iinit r8 -1 200000", "iinit r8 -1 200000"),
        (
            "finit r8 340282346638528859811704183484516925440.0",
            "finit r8 340282350000000000000000000000000000000.0",
        ),
        ("iinit r8 2139095040", "iinit r8 2139095040"),
    ] {
        let program = assembled(&format!("#vertexShader #input r0.x #output r8.xyzw {text}"));
        assert!(
            disassemble(&program, true).contains(&format!("\n{shown}\n")),
            "{}",
            disassemble(&program, true)
        );
    }
}

/// Blanks may be missing where tokens cannot run together (spec section 3), as behind `trap`, which has no operands.
#[test]
fn an_instruction_may_follow_trap_at_once() {
    let words =
        |body: &str| program_dwords(&assembled(&format!("#vertexShader #input r0.x #output r8.xyzw {body}")));
    assert_eq!(words("trapmov r8 r0"), words("trap mov r8 r0"));
    assert_eq!(words("traptrap"), words("trap trap"));
}

/// The unit gets x, y and z of a corner's position, whatever the program declares of it, and all of its other inputs
/// (spec section 6).
#[test]
fn corners_have_three_components_of_their_position() {
    let text = "#fragmentShader #undefinedRegs #input r0.xyzw #input r1.xy #output r8.xyzw";
    // Corner B has r4 for its position and r5 for the other input.
    for (body, corner) in [("mov r8 r4", [1, 2, 3, 0]), ("mov r8 r5", [5, 6, 0, 0])] {
        let function = lowered(&assembled(&format!("{text} {body}")), DOCUMENT).function;
        let mut uniforms = vec![[0; 4]; 15];
        (uniforms[9], uniforms[10]) = ([1, 2, 3, 4], [5, 6, 7, 8]);
        let mut run = Evaluator::default();
        run.run(&function, &[[0; 4]], &uniforms, &NoTextures);
        assert_eq!(run.value(function.outputs[0].1), corner, "{body}");
    }
}

#[test]
fn lines_may_end_in_cr_lf() {
    let text = FRAGMENT.replace("  ", "\n").replace(" #", "\n#");
    let windows = text.replace('\n', "\r\n");
    assert_eq!(program_dwords(&assembled(&windows)), program_dwords(&assembled(&text)));
    assert!(!errors(&windows, UNIT).is_empty());
}

#[test]
fn too_long_programs_are_refused_and_full_ones_are_not() {
    let vertex =
        |count: usize| format!("#vertexShader #input r0.x #output r8.xyzw {}", "mov r8 r0\n".repeat(count));
    // lduni and initregs take two of the 511 dwords.
    assert_eq!(errors(&vertex(509), DOCUMENT), [""; 0]);
    assert_eq!(errors(&vertex(510), DOCUMENT), ["A0110"]);
    let wide = "finit r8 1.0 2.0 3.0 4.0\n".repeat(102);
    assert_eq!(errors(&format!("#vertexShader #input r0.x #output r8.xyzw {wide}"), DOCUMENT), ["A0110"]);
    let bytes = vec![0; 4 * (3 + 512)];
    assert!(!load(&bytes, Span::default()).ok());
}

#[test]
fn the_reference_refuses_what_only_the_document_allows() {
    let with = |body: &str| format!("#vertexShader #input r0.x #output r8.xyzw {body}");
    for body in ["fadd r8 r0 1.0 2.0", "fmax r8 r0", "fcross r8.xyz r0 r0"] {
        assert_eq!(errors(&with(body), UNIT), ["P0119"], "{body}");
        assert_eq!(errors(&with(body), DOCUMENT), [""; 0], "{body}");
    }
    let same = "#fragmentShader #input r0.xyzw #output r0.xyzw trap";
    assert_eq!((errors(same, UNIT), errors(same, DOCUMENT)), (vec!["P0119"], vec![]));
    // fmad r8 r0 r1 r2 is opcode 12; the reference writes 11.
    let words = |profile| assemble(&File::new("t", &with("fmad r8 r0 r1 r2")), profile).program.words(&ISA);
    assert_eq!((words(DOCUMENT)[2], words(UNIT)[2]), (0x03c8_420c, 0x03c8_420b));
}

#[test]
fn shaders_of_a_draw_must_fit_together() {
    let codes = |vertex: &str, fragment: &str| -> Vec<String> {
        let problems = check_pair(&assembled(vertex), &assembled(fragment));
        problems.iter().map(|problem| format!("{} {}", problem.code.id, problem.message)).collect()
    };
    assert_eq!(codes(VERTEX, FRAGMENT), [""; 0]);
    assert_eq!(
        codes(FRAGMENT, VERTEX),
        ["P0212 a draw needs a vertex shader and a fragment shader, in this order"]
    );
    assert_eq!(
        codes(VERTEX, &FRAGMENT.replace("r1.xy ", "r1.xyz ")),
        ["P0212 attribute 1 has 2 components in the vertex shader and 3 in the fragment shader"]
    );
    assert_eq!(
        codes(&VERTEX.replace("#output r9.xy", ""), FRAGMENT),
        ["P0212 the vertex shader has 1 output, the fragment shader 2 inputs"]
    );
}

/// The last ports of both are shown, each as what it is.
#[test]
fn ports_that_do_not_fit_are_shown() {
    let vertex = VERTEX.replace("#output r9.xy", "");
    let problems = check_pair(&assembled(&vertex), &assembled(FRAGMENT));
    let shown: Vec<_> = [FRAGMENT, &vertex]
        .into_iter()
        .zip(&problems[0].labels)
        .map(|(text, label)| (&text[label.span.range()], &*label.text))
        .collect();
    assert_eq!(shown, [("#input r1.xy", "taken here"), ("#output r8.xyzw", "given here")]);
}

/// Components of a port that are not the first ones, or not in their order.
#[test]
fn what_is_wrong_with_a_ports_components_is_said() {
    for (components, what) in [("xz", "has a gap"), ("yx", "not in order")] {
        let text = format!("#vertexShader #input r0.{components} #output r8.xyzw mov r8 r0");
        let problems = assemble(&File::new("t", &text), DOCUMENT).diagnostics;
        assert_eq!((problems[0].code.id, &*problems[0].labels[0].text), ("P0102", what));
    }
}

/// A little more than half way from 1 to 1 + 2^-23: to single it is the latter, to double just half way, and from there 1.
#[test]
fn decimals_are_rounded_to_double_and_then_to_single() {
    let text = "#vertexShader #input r0.x #output r8.xyzw fadd r8.x r1 1.0000000596046447753906250001";
    let words = assembled(text).words(&ISA);
    assert!(words.contains(&0x3f80_0000) && !words.contains(&0x3f80_0001), "{words:x?}");
}

#[test]
fn explain_shows_the_fields_of_a_rows_own_layout() {
    let program = assembled("#vertexShader #input r0.x #output r8.xyzw fadd r8.xw r1 1.0 -2.0");
    let fields = ISA.explain(&program.slots[2].bits);
    let shown: Vec<String> =
        fields.iter().rev().map(|value| format!("{} {}", value.field.name, value.meaning)).collect();
    let expected = [
        "op fadd",
        "dst r8",
        "src1 r1",
        "mask writes xw",
        "count 2 values",
        "unused ignored",
        "value0 1.0",
        "value1 -2.0",
    ];
    assert_eq!(shown, expected);
    assert_eq!(
        ISA.slots(&program.words(&ISA), |_| Span::default())[2].bits,
        Bits { words: [program.slots[2].bits.words[0], 0x3f80_0000, 0xc000_0000, 0, 0] }
    );
}

/// The reference's assembler writes opcode 11 for `fmad`, whose own is 12 (spec section 3, row 1).
/// A disassembly in the reference's dialect says so where only the document's reader gives the program back.
#[test]
fn disassemblies_for_the_reference_are_checked() {
    let notes = |body: &str, dialect| {
        let program = assembled(&format!("#vertexShader #input r0.xyzw #output r8.xyzw {body}"));
        let options = TextOptions { dialect, exact: true, ..TextOptions::default() };
        let (_, notes) = GPU.disassemble(&program, &options);
        notes.iter().map(|note| note.code.id).collect::<Vec<_>>()
    };
    assert_eq!(notes("fadd r8 r0 r0", Some("unit")), [""; 0]);
    // A mask of `fcross` is the document's alone (spec section 3).
    assert_eq!(notes("fcross r8.xy r0 r0", Some("unit")), ["P0119"]);
    assert_eq!(notes("fcross r8.xy r0 r0", Some("document")), [""; 0]);
}

#[test]
fn the_dialect_says_whose_assembler_reads() {
    let text = "#vertexShader #input r0.xyzw #output r1.xyzw fmad r1 r0 r0 r0";
    let opcode = |dialect| {
        let assembled =
            GPU.assemble(&File::new("t", text), &TextOptions { dialect, ..TextOptions::default() });
        assert!(assembled.ok(), "{:?}", assembled.diagnostics);
        assembled.program.slots[body(&assembled.program).unwrap().start].bits.words[0] & 0x3f
    };
    assert_eq!([None, Some("document"), Some("unit")].map(opcode), [12, 12, 11]);
    // Dialects are called as the profiles are.
    let names = [DOCUMENT, UNIT].map(|profile| GPU.about().profile_name(profile));
    let dialects: Vec<&str> = GPU.about().text_options.dialects.iter().map(|own| own.name).collect();
    assert_eq!((dialects, names), (names.to_vec(), ["document", "unit"]));
}

/// Words that belong to no stored program have a text, too: one that says what is missing, and nothing else.
#[test]
fn words_without_a_store_command_come_back() {
    // `initregs` has a name only where nothing is added.
    let op = ISA.ops().find(|op| op.name == "initregs").unwrap();
    let initregs = ISA.encode(&Inst { op, operands: Default::default() }).words[0];
    let words = [0x0000_001f_u32, initregs, 0xffff_ffff, 0x1234_5678];
    let slots = words.map(|word| ISA.slot(Bits::word(word), Span::default())).to_vec();
    let given = Program { slots, ..Program::default() };
    let again = assemble(&File::new("t", &disassemble(&given, true)), DOCUMENT);
    assert_eq!(again.program.words(&ISA), given.words(&ISA));
    let messages: Vec<&str> = again.diagnostics.iter().map(|problem| problem.message.as_str()).collect();
    assert_eq!(messages, ["a store command has three dwords, not 0"]);
}

#[test]
fn numbers_that_do_not_fit_are_reported_up_to_a_thousand_times() {
    let told = |count: usize| {
        let values = "iadd r0 r0 4294967296\n".repeat(count);
        let text = format!("#vertexShader #input r0.xyzw #output r0.xyzw\n{values}");
        let problems = assemble(&File::new("t", &text), DOCUMENT).diagnostics;
        problems.into_iter().filter(|problem| problem.code.id == "P0211").collect::<Vec<_>>()
    };
    assert_eq!(told(999).len(), 999);
    let many = told(1100);
    assert_eq!((many.len(), MAX_ERRORS), (1000, 1000));
    assert_eq!(many[998].notes, ["its low 32 bits are 0"]);
    assert_eq!(many[999].notes, ["its low 32 bits are 0", "further warnings are not reported"]);
}

/// The document promises zeros, so only `#undefinedRegs` makes a read of them suspicious.
#[test]
fn registers_that_start_as_zeros_may_be_read() {
    let severity = |directive: &str| {
        let text = format!("#vertexShader\n{directive}\n#input r0.xyzw\n#output r8.xyzw\nfadd r8 r0 r1\n");
        let assembled = assemble(&File::new("t", &text), DOCUMENT);
        let problems = check(&assembled.program);
        problems.iter().map(|problem| (problem.severity, problem.code.id)).collect::<Vec<_>>()
    };
    assert_eq!(severity(""), [(Severity::Note, "P0202")]);
    assert_eq!(severity("#undefinedRegs"), [(Severity::Warning, "P0202")]);
}

/// Bits of an instruction that the unit does not use are not shown, but for exactness.
#[test]
fn bits_without_effect_are_not_shown() {
    let exact = TextOptions { exact: true, ..TextOptions::default() };
    let shown = |slot: &gpuzoo_isa::Slot| {
        let mut text = String::new();
        ISA.print_insts(slot, &mut text);
        text
    };
    let mut changed = 0;
    for text in [VERTEX, FRAGMENT] {
        let plain = assembled(text);
        let own = body(&plain).unwrap().start;
        for bit in 0..32 {
            let mut program = plain.clone();
            let mut bits = program.slots[own].bits;
            bits.words[0] ^= 1 << bit;
            program.slots[own] = ISA.slot(bits, Span::default());
            if shown(&program.slots[own]) != shown(&plain.slots[own]) {
                continue;
            }
            changed += 1;
            let (readable, notes) = GPU.disassemble(&program, &TextOptions::default());
            assert_eq!(readable, GPU.disassemble(&plain, &TextOptions::default()).0);
            assert_eq!(notes.iter().map(|note| note.code.id).collect::<Vec<_>>(), ["B0103"]);
            let (text, notes) = GPU.disassemble(&program, &exact);
            assert!(notes.is_empty() && text.contains(".word"), "{text}");
            assert_eq!(program_dwords(&assembled(&text)), program_dwords(&program));
        }
    }
    assert!(changed > 4, "{changed}");
}

/// What the lints say of a body, message and notes, by code.
fn said(head: &str, body: &str, code: &str) -> Vec<(String, Vec<String>)> {
    let all = check(&assembled(&format!("{head} {body}")));
    let own = all.into_iter().filter(|problem| problem.code.id == code);
    own.map(|problem| (problem.message, problem.notes)).collect()
}

/// Zero is +0 and -0 for floats and 0 for integers, whose least number has the bits of -0. Only values that are used count, and only
/// in a division.
#[test]
fn divisions_by_zero_are_told_apart() {
    let said = |body: &str| said("#vertexShader #input r0.xyzw #output r1.xyzw", body, "P0204");
    let float = |name: &str| vec![(format!("`{name}` divides by zero"), vec!["infinity or NaN".to_owned()])];
    let integer = vec![(
        "`idiv` divides by zero".to_owned(),
        vec!["the reference dies; gpuzoo gives the dividend".to_owned()],
    )];
    for divisor in ["0.0", "-0.0", "1.0 0.0", "1.0 2.0 3.0 -0.0"] {
        assert_eq!(said(&format!("fdiv r1 r0 {divisor}")), float("fdiv"), "{divisor}");
    }
    for divisor in ["0", "-0", "7 0"] {
        assert_eq!(said(&format!("idiv r1 r0 {divisor}")), integer, "{divisor}");
    }
    for body in [
        "fdiv r1 r0 1.0",
        "idiv r1 r0 1",
        "idiv r1 r0 -2147483648",
        "fdiv r1.xy r0 1.0 2.0 0.0",
        "fadd r1 r0 0.0",
        "fmul r1 r0 0.0",
        "imul r1 r0 0",
        "finit r1 0.0",
        "fdiv r1 r0 r0",
    ] {
        assert_eq!(said(body), [], "{body}");
    }
}

/// z of a fragment's position is its depth; other components, inputs and stages have no such meaning.
#[test]
fn an_input_that_is_overwritten_may_be_the_depth() {
    let depth = "z of the position is the depth that is tested and stored";
    let fragment = "#fragmentShader #input r0.xyzw #input r1.xyzw #output r2.xyzw mov r2 r1";
    let vertex = "#vertexShader #input r0.xyzw #input r1.xyzw #output r2.xyzw mov r2 r1";
    for (head, body, register, notes) in [
        (fragment, "finit r0.z 1.0", "r0", &[depth][..]),
        (fragment, "finit r0 1.0", "r0", &[depth]),
        (fragment, "finit r0.xyw 1.0", "r0", &[]),
        (fragment, "finit r1.z 1.0", "r1", &[]),
        (vertex, "finit r0.z 1.0", "r0", &[]),
    ] {
        let notes: Vec<String> = notes.iter().map(|note| (*note).to_owned()).collect();
        assert_eq!(
            said(head, body, "P0201"),
            [(format!("input {register} is overwritten"), notes)],
            "{body}"
        );
    }
}

/// `swizzle` reads the components that it names, and no other.
#[test]
fn a_swizzle_reads_what_it_names() {
    let head = "#vertexShader #undefinedRegs #input r0.xyzw #output r1.xyzw mov r1 r0";
    let letters = ['x', 'y', 'z', 'w'];
    for order in 0..256usize {
        let picked = [0, 2, 4, 6].map(|at| order >> at & 3);
        let order: String = picked.iter().map(|at| letters[*at]).collect();
        // Written is all but one component.
        for (missing, letter) in letters.into_iter().enumerate() {
            let mask: String = letters.into_iter().filter(|own| *own != letter).collect();
            let found = said(head, &format!("mov r5.{mask} r0 swizzle r1 r5.{order}"), "P0202");
            let messages: Vec<String> = found.into_iter().map(|(message, _)| message).collect();
            let expected =
                picked.contains(&missing).then(|| format!("r5.{letter} is read before it is written"));
            assert_eq!(messages, Vec::from_iter(expected), "{order} {mask}");
        }
    }
}

/// Section 4.1: three dwords, the lowest bit 0, and counts up to three. What they count is checked, too.
#[test]
fn a_store_command_of_a_text_is_checked() {
    let said = |header: &str| {
        let problems =
            assemble(&File::new("t", &format!(".header {header}\nmov r0 r0\n")), DOCUMENT).diagnostics;
        problems.into_iter().map(|problem| (problem.code.id, problem.message)).collect::<Vec<_>>()
    };
    let wrong = |message: &str| vec![("P0118", message.to_owned())];
    assert_eq!(said("0x0c300004 0x6180c31c 0x00000030"), []);
    assert_eq!(
        said("0x0c300005 0x6180c31c 0x00000030"),
        wrong("this is an execute command, not a store command")
    );
    let many = wrong("the store command counts more than three inputs, outputs or uniforms");
    // Inputs in bits 13 to 12, outputs in bits 1 to 0 of the next, uniforms in bits 22 to 20.
    assert_eq!(said("0x0c303004 0x6180c31c 0x00000030"), many);
    assert_eq!(said("0x0c300004 0x6180c31f 0x00000030"), many);
    assert_eq!(said("0x0c300004 0x61c0c31c 0x00000030"), many);
    assert_eq!(
        said("0x0c300008 0x6180c31c 0x00000030"),
        wrong("the store command says 2 dwords, the program has 1")
    );
    // Where something else is wrong, that is said first.
    let both = assemble(&File::new("t", ".header 0x0c300005 0x6180c31c 0x00000030\nmov r0\n"), DOCUMENT);
    assert!(both.diagnostics.iter().all(|problem| problem.code.id != "P0118") && !both.ok());
}

/// A binary of 511 dwords is whole; what follows it is reported, and left out.
#[test]
fn the_longest_binary_is_read_whole() {
    let program = assembled(&format!("#vertexShader #input r0.x #output r8.xyzw {}", "trap ".repeat(509)));
    let dwords = program_dwords(&program);
    assert_eq!(dwords.len(), 3 + 511);
    for more in [0, 1, 2, 1000] {
        let all = [dwords.clone(), vec![31; more]].concat();
        let bytes: Vec<u8> = all.iter().flat_map(|dword| dword.to_le_bytes()).collect();
        let loaded = load(&bytes, Span::default());
        assert_eq!(program_dwords(&loaded.program), dwords);
        let messages: Vec<String> = loaded.diagnostics.into_iter().map(|problem| problem.message).collect();
        let expected = (more > 0).then(|| format!("the store command says 511 dwords, found {}", 511 + more));
        assert_eq!(messages, Vec::from_iter(expected));
    }
}

/// Section 3: the reference's `fmad` is opcode 11 with a mask, in bits 25 to 22, where `fcross2` has nothing. Bits above them mean
/// nothing in either.
#[test]
fn an_fmad_shows_in_the_bits_of_its_mask() {
    let found = |body: &str, profile| {
        let text = format!("#vertexShader #input r0.xyzw #output r8.xyzw {body}");
        let assembled = assemble(&File::new("t", &text), profile);
        assert!(assembled.ok(), "{text}\n{:#?}", assembled.diagnostics);
        check(&assembled.program).iter().filter(|problem| problem.code.id == "P0210").count()
    };
    // fcross2 r8 r0 r0, whose own mask is in bits 21 to 18
    let word: u32 = 11 | 8 << 6 | 0b1111 << 18;
    assert_eq!((found("fcross2 r8 r0 r0", DOCUMENT), found(&format!(".word {word:#x}"), DOCUMENT)), (0, 0));
    for bit in 22..32 {
        let expected = usize::from(bit <= 25);
        assert_eq!(found(&format!(".word {:#x}", word | 1 << bit), DOCUMENT), expected, "{bit}");
    }
    for bits in 1..16 {
        let mask: String = (0..4).filter(|at| bits >> at & 1 == 1).map(|at| &"xyzw"[at..=at]).collect();
        let body = format!("fmad r8.{mask} r0 r0 r0");
        assert_eq!((found(&body, UNIT), found(&body, DOCUMENT)), (1, 0), "{mask}");
    }
}
