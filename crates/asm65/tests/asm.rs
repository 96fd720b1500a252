//! The assembler and the disassembler: against ca65's bytes, each other, and what is wrong.
#![allow(clippy::disallowed_methods, reason = "programs and their bytes are files")]

use gpuzoo_65c02::OPCODES;
use gpuzoo_asm65::{
    Disassembly, Instruction, Names, Options, Predefined, Program, assemble, assemble_all, disassemble,
    instruction,
};
use gpuzoo_diag::{Diagnostic, Sources, has_errors};
use proptest::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/asm").join(name)
}

fn files(name: &str, extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder(name)).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|other| other == extension)).collect();
    files.sort();
    files
}

fn with(text: &str, options: &Options) -> (Sources, Program, Vec<Diagnostic>) {
    let mut sources = Sources::default();
    let file = sources.add("test.s", text);
    let (program, problems) = assemble(&mut sources, file, options, &mut |name| match name {
        "part.inc" => Ok(b"PART = 7\n .byte PART\n".to_vec()),
        "self.inc" => Ok(b" .include \"self.inc\"\n".to_vec()),
        "data.bin" => Ok(vec![1, 2, 3, 4, 5]),
        "odd.inc" => Ok(vec![0xff, 0xfe]),
        "lib/outer.inc" => Ok(b" .include \"inner.inc\"\n .include \"deep/own.inc\"\n".to_vec()),
        "lib/inner.inc" => Ok(b" .byte 2\n .incbin \"data.bin\", 0, 1\n .incbin \"lib.bin\"\n".to_vec()),
        "inner.inc" => Ok(b" .byte 1\n".to_vec()),
        "lib/deep/own.inc" => Ok(b" .include \"inner.inc\"\n".to_vec()),
        "lib/data.bin" | "lib/lib.bin" => Ok(vec![9]),
        "long.inc" => Ok([vec![b';'; 32 << 20], b"\n".to_vec()].concat()),
        _ => Err("there is no such file".to_owned()),
    });
    (sources, program, problems)
}

fn bytes(text: &str) -> Vec<u8> {
    let (_, program, problems) = with(text, &Options::default());
    assert!(!has_errors(&problems), "{text}\n{problems:?}");
    program.binary()
}

fn codes(text: &str) -> Vec<&'static str> {
    with(text, &Options::default()).2.iter().map(|problem| problem.code.id).collect()
}

#[test]
fn programs_assemble_to_the_bytes_of_cl65() {
    let files = files("cc65", "s");
    assert!(files.len() >= 10);
    for path in files {
        let text = fs::read_to_string(&path).unwrap();
        let (_, program, problems) = with(&text, &Options::default());
        assert!(!has_errors(&problems), "{}: {problems:?}", path.display());
        let expected = fs::read(path.with_extension("prg")).unwrap();
        assert_eq!(program.prg().unwrap(), expected, "{}", path.display());
    }
}

/// A program of several texts.
fn several(texts: &[&str]) -> (Program, Vec<Diagnostic>) {
    let mut sources = Sources::default();
    let files: Vec<_> = texts.iter().map(|text| sources.add("test.s", text)).collect();
    let none = &mut |_: &str| Err("there is no such file".to_owned());
    assemble_all(&mut sources, &files, &Options::default(), none)
}

#[test]
fn programs_of_several_sources_assemble_to_the_bytes_of_cl65() {
    let programs = files("cc65/several", "prg");
    assert_eq!(programs.len(), 2);
    for path in programs {
        let name = path.file_stem().unwrap().to_str().unwrap();
        let texts = files(&format!("cc65/several/{name}"), "s");
        let texts: Vec<String> = texts.iter().map(|path| fs::read_to_string(path).unwrap()).collect();
        let (program, problems) = several(&texts.iter().map(String::as_str).collect::<Vec<_>>());
        assert!(!has_errors(&problems), "{name}: {problems:?}");
        assert_eq!(program.prg().unwrap(), fs::read(&path).unwrap(), "{name}");
    }
}

/// Names, macros, texts and settings of one source are not seen in the next.
#[test]
fn each_source_begins_anew() {
    let first = " .feature labels_without_colons\n .define TWO 2\n .charmap 65, 1\nfirst: .byte \"A\", TWO\n@x: rts\n: rts\n";
    let codes = |second: &str| {
        let (_, problems) = several(&[first, second]);
        problems.iter().map(|problem| problem.code.id).collect::<Vec<_>>()
    };
    assert_eq!(codes(" lda first\n"), ["V0204"]);
    assert_eq!(codes(" .import first\n lda first\n"), ["V0204"], "it is not exported");
    assert_eq!(codes(" .byte TWO\n"), ["V0204"]);
    assert_eq!(codes(" bra :-\n"), ["V0204"]);
    assert_eq!(codes("label rts\n"), ["V0202"]);
    assert_eq!(codes("@x: rts\nfirst: rts\n: bra :-\n"), [""; 0]);
    let (program, _) = several(&[first, " .byte \"A\"\n"]);
    assert_eq!(program.binary(), [1, 2, 0x60, 0x60, 0xc1]);
    // A use of a label below does not reach the next source.
    assert_eq!(several(&[" bra :+\n", ": rts\n"]).1[0].code.id, "V0204");
}

#[test]
fn names_are_exported_once_and_imported_by_whom_they_concern() {
    let of = |texts: &[&str]| {
        let (program, problems) = several(texts);
        (
            program.binary(),
            problems.iter().map(|problem| (problem.code.id, problem.message.clone())).collect::<Vec<_>>(),
        )
    };
    let twice = of(&[" .export a1\na1: rts\n", " .export a1\na1: rts\n"]).1;
    assert_eq!(twice, [("V0205", "`a1` is exported already".to_owned())]);
    // In either direction, through scopes, and by a source that imports all.
    assert_eq!(of(&[" .global f1\n jmp f1\n", " .global f1\nf1: rts\n"]), (vec![0x4c, 4, 8, 0x60], vec![]));
    assert_eq!(
        of(&[".scope s\n .import f1\n jmp f1\n.endscope\n", " .export f1\nf1: rts\n"]).0,
        [0x4c, 4, 8, 0x60]
    );
    assert_eq!(of(&[" .autoimport +\n jmp f1\n", " .export f1 = $1234\n"]).0, [0x4c, 0x34, 0x12]);
    assert_eq!(of(&[" jmp f1\n", " .export f1 = $1234\n"]).1[0].0, "V0204");
    // Zero page if it is imported so; else an address of 16 bits, and a warning.
    assert_eq!(of(&[" .importzp z1\n lda z1\n", " .exportzp z1 = 4\n"]), (vec![0xa5, 4], vec![]));
    let long = of(&[" .import z1\n lda z1\n", " .exportzp z1 = 4\n"]);
    assert_eq!((long.0, long.1[0].0), (vec![0xad, 4, 0], "V0226"));
    // A circle through both.
    let circle = of(&[" .import b1\n .export a1 = b1\n lda a1\n", " .import a1\n .export b1 = a1\n"]).1;
    assert_eq!(circle[0].0, "V0225");
}

#[test]
fn literal_text_stays_as_it_is() {
    assert_eq!(bytes(" .literal \"Ab\", 13, \"c\"\n .byte \"A\"\n"), [0x41, 0x62, 13, 0x63, 0xc1]);
}

#[test]
fn what_is_for_the_65816_says_so() {
    for text in [".a8", ".a16", ".i8", ".i16", ".p816", ".setcpu \"65816\""] {
        let (_, _, problems) = with(&format!(" {text}\n"), &Options::default());
        assert!(problems[0].code.id == "V0222" && problems[0].message.contains("65816"), "{text}");
    }
    assert_eq!(codes(" .pushcpu\n .setcpu \"6502\"\n .popcpu\n rts\n"), [""; 0]);
}

/// Beneath a line of source, `;` and carets mark where a diagnostic points to, with its code and message.
fn marked(text: &str) -> String {
    let source: String = text.lines().filter(|line| !is_mark(line)).map(|line| format!("{line}\n")).collect();
    let (sources, _, problems) = with(&source, &Options::default());
    let mut marks: Vec<(usize, usize, String)> = Vec::new();
    for problem in &problems {
        let span = problem.span().unwrap();
        let place = sources.get(span.file).place(span.start);
        let carets = "^".repeat(((span.end - span.start) as usize).max(1));
        let blanks = " ".repeat(place.column.saturating_sub(2));
        let mark = format!(";{blanks}{carets} {} {}", problem.code.id, problem.message);
        marks.push((place.line, marks.len(), mark));
    }
    marks.sort();
    let mut out = String::new();
    for (index, line) in source.lines().enumerate() {
        out += &format!("{line}\n");
        // Of a thousand equal ones the first is enough.
        let mut own: Vec<&String> =
            marks.iter().filter(|(at, ..)| *at == index + 1).map(|(_, _, mark)| mark).collect();
        own.dedup();
        out.extend(own.iter().map(|mark| format!("{mark}\n")));
    }
    out
}

fn is_mark(line: &str) -> bool {
    line.starts_with(';') && line.contains('^')
}

#[test]
fn files_show_the_codes_that_they_are_named_after() {
    let files = files("err", "s");
    assert!(files.len() >= 29);
    for path in &files {
        let text = fs::read_to_string(path).unwrap();
        let code = path.file_stem().unwrap().to_str().unwrap().split('_').next().unwrap().to_owned();
        let marked = marked(&text);
        // Nothing blesses this away.
        assert!(marked.contains(&format!("^ {code} ")), "{}", path.display());
        if gpuzoo_golden::blesses() {
            fs::write(path, &marked).unwrap();
        } else {
            assert_eq!(marked, text, "{}", path.display());
        }
    }
}

#[test]
fn a_program_without_bytes_is_no_prg() {
    let (_, program, problems) = with("WIDTH = 5\n", &Options::default());
    assert!(problems.is_empty());
    assert_eq!(program.prg().unwrap_err().code.id, "V0228");
}

#[test]
fn gaps_are_zeros_and_reloc_stays_in_place() {
    assert_eq!(bytes(" .org $1000\n nop\n .org $1004\n nop\n"), [0xea, 0, 0, 0, 0xea]);
    // Code for $2000 that lies behind the rest.
    let (_, program, _) = with(" nop\n .org $2000\nfar: jmp far\n .reloc\n rts\n", &Options::default());
    assert_eq!(program.binary(), [0xea, 0x4c, 0x00, 0x20, 0x60]);
    assert_eq!(program.chunks.len(), 1);
    assert_eq!(program.line_at(0x2001).map(|line| line.address), Some(0x2000));
}

#[test]
fn starts_are_where_basic_says() {
    let start = |text: &str| with(text, &Options::default()).1.start;
    assert_eq!(start(" nop\n"), 0x0801);
    assert_eq!(start(" .org $c000\n nop\n"), 0xc000);
    assert_eq!(start(".segment \"STARTUP\"\n.code\n nop\n"), 0x080d);
    assert_eq!(
        start(" .word next\n .word 10\n .byte $9e, \" 2064\", 0\nnext: .word 0\n nop\n nop\n rts\n"),
        2064
    );
}

/// A port with names for its registers, of which two are at one place.
const PORT: &[Predefined] = &[
    Predefined { prefix: "IO_", names: &[("DATA", 0xd000), ("CTRL", 0xd001)] },
    Predefined { prefix: "", names: &[("PRINT", 0xffd2)] },
];

#[test]
fn predefined_names_yield_to_the_programs_own() {
    let options = Options { names: PORT, ..Options::default() };
    let bytes = |text: &str| with(text, &options).1.binary();
    assert_eq!(
        bytes(" lda io_data\n lda Ctrl\n jsr print\n"),
        [0xad, 0, 0xd0, 0xad, 1, 0xd0, 0x20, 0xd2, 0xff]
    );
    assert_eq!(bytes(" lda IO_CTRL\nIO_CTRL = $1234\n"), [0xad, 0x34, 0x12]);
    assert_eq!(bytes("IO_CTRL = 5\n lda IO_CTRL\n lda io_ctrl\n"), [0xa5, 5, 0xad, 1, 0xd0]);
    assert_eq!(bytes(".if IO_CTRL = $d001\n .byte 1\n.endif\n.ifdef IO_CTRL\n .byte 2\n.endif\n"), [1]);
    assert_eq!(bytes("n .set IO_CTRL + 1\n .word n\n"), [0x02, 0xd0]);
    // Only the name has a prefix, and it is one name.
    for wrong in ["IO_PRINT", "IO_IO_CTRL", "IO_", "é"] {
        let problems = with(&format!(" lda {wrong}\n"), &options).2;
        assert!(has_errors(&problems), "{wrong}");
    }
    let (_, _, problems) = with(" lda IO_CTRK\n", &options);
    assert_eq!((problems[0].code.id, &*problems[0].help[0]), ("V0204", "did you mean `IO_CTRL`?"));
    assert_eq!(codes(" lda IO_CTRL\n"), ["V0204"]);
}

#[test]
fn the_layout_is_the_callers() {
    let options =
        Options { origin: 0x1000, zero_page: (0x02, 0x03), memory_end: 0x2000, ..Options::default() };
    let (_, program, problems) =
        with(".zeropage\na1: .res 2\n.code\n lda a1\n.bss\nb1: .res $ffe\n", &options);
    assert!(problems.is_empty(), "{problems:?}");
    assert_eq!(program.prg().unwrap(), [0x00, 0x10, 0xa5, 0x02]);
    let (_, _, problems) = with(".zeropage\n .res 3\n.code\n nop\n nop\n.bss\n .res $fff\n", &options);
    let messages: Vec<&str> = problems.iter().map(|problem| problem.message.as_str()).collect();
    assert_eq!(
        messages,
        ["the zero page from $02 to $03 is too small by 1", "the memory reserved in BSS ends at $2000"]
    );
}

#[test]
fn options_define_and_files_are_included() {
    let defines = [("DEBUG".to_owned(), 3)];
    let options = Options { defines: &defines, petscii: false, ..Options::default() };
    let (_, program, problems) = with(
        ".ifdef DEBUG\n .byte DEBUG, \"a\"\n.endif\n .include \"part.inc\"\n .incbin \"data.bin\", 1, 3\n .byte PART\n",
        &options,
    );
    assert!(problems.is_empty(), "{problems:?}");
    assert_eq!(program.binary(), [3, b'a', 7, 2, 3, 4, 7]);
    assert!(codes(" .include \"self.inc\"\n").contains(&"V0214"));
    assert_eq!(codes(" .include \"odd.inc\"\n"), ["V0217"]);
    assert_eq!(codes(" .incbin \"data.bin\", 9\n"), ["V0230"]);
    // What is not defined may be in the file that is missing; bytes define nothing.
    assert_eq!(codes(" jsr draw\n .include \"missing.inc\"\n"), ["V0217"]);
    assert_eq!(codes(" jsr draw\n .incbin \"missing.bin\"\n"), ["V0204", "V0217"]);
}

#[test]
fn limits_are_reported() {
    assert_eq!(codes(" .res 65536\n nop\n"), ["V0215"]);
    assert_eq!(codes(&format!(" .byte {}1{}\n", "(".repeat(200), ")".repeat(200))), ["V0214"]);
    assert_eq!(codes(&format!(" .byte 1{}\n", "+1".repeat(300))), ["V0214"]);
    assert!(codes(&".if 1\n".repeat(300)).contains(&"V0214"));
    assert!(codes(&".scope\n".repeat(300)).contains(&"V0214"));
    let rounds = ".repeat 65536\n.repeat 65536\n\n.endrepeat\n.endrepeat\n";
    assert_eq!(codes(rounds), ["V0216"]);
    let doubling: String = (0..40).map(|at| format!(".define D{at} D{} D{}\n", at + 1, at + 1)).collect();
    assert!(codes(&format!("{doubling} .byte D0\n")).contains(&"V0214"));
    // Arguments that double from call to call.
    let doubling = ".macro m p\n m {p p}\n.endmacro\n m {1 1}\n";
    assert_eq!(codes(doubling), ["V0216"]);
    let stored = ".macro m p\n.repeat 2\n p p p p p p p p\n.endrepeat\n m {p p}\n.endmacro\n m {1}\n";
    assert!(codes(stored).contains(&"V0216"));
}

/// Names that are made of names below: each is worked out once, so that neither a long chain nor one that doubles at each step is
/// more work than its text is long.
#[test]
fn chains_of_names_are_followed_to_their_end() {
    let chain = |length: usize, last: &str| -> String {
        let lines = (0..length).map(|at| format!("n{at} = n{} + n{}\n", at + 1, at + 1));
        lines.chain([format!("n{length} = {last}\n")]).collect()
    };
    // 2^10 and 2^20; from 2^64 on nothing is left, since values have 64 bits and wrap.
    assert_eq!(bytes(&format!(" .word n0\n{}", chain(10, "1"))), [0, 4]);
    assert_eq!(bytes(&format!(" .dword n0\n{}", chain(20, "1"))), [0, 0, 16, 0]);
    assert_eq!(
        bytes(&format!("{} .dword n499, n480, n0\n", chain(500, "1"))),
        [2, 0, 0, 0, 0, 0, 16, 0, 0, 0, 0, 0]
    );
    assert_eq!(bytes(&format!(" .byte n0, n19999\n{}", chain(20_000, "3"))), [0, 6]);
    let plain: String = (0..20_000).map(|at| format!("n{at} = n{}\n", at + 1)).collect();
    assert_eq!(bytes(&format!("{plain} .word n0\nn20000 = 5\n")), [5, 0]);
    // While reading, a value is worked out in at most 10,000 steps.
    assert_eq!(bytes(&format!("{}.if n0 = 0\n .byte 1\n.endif\n", chain(500, "1"))), [1]);
    assert_eq!(codes(&format!("{}.if n0 = 0\n .byte 1\n.endif\n", chain(5000, "1"))), ["V0208"]);
    // Names without a value are looked through again wherever they are used, and not without an end.
    let names: String = (0..2_000).map(|at| format!("n{at} = n{} + 1\n", at + 1)).collect();
    let used = |rounds: usize| {
        format!("{names}.repeat {rounds}\n.if .const(n0)\n.endif\n.endrepeat\nn2000 = 1\n .byte 1\n")
    };
    assert_eq!(bytes(&used(100)), [1]);
    assert_eq!(codes(&used(10_000)), ["V0216"]);
    // A circle is one however long it is.
    for length in [1, 2, 20_000] {
        assert_eq!(codes(&format!("{} .byte n{}\n", chain(length, "n0"), length / 2)), ["V0225"], "{length}");
    }
}

/// As ca65 2.19 does it: an included file lies in the folder of the one that includes it, or of one that includes that;
/// the bytes of `.incbin` first under their name as it is.
#[test]
fn files_are_looked_for_beside_those_that_include_them() {
    assert_eq!(bytes(" .include \"lib/outer.inc\"\n"), [2, 1, 9, 2, 1, 9]);
    let both = " .include \"inner.inc\"\n .include \"lib/outer.inc\"\n .include \"inner.inc\"\n";
    assert_eq!(bytes(both), [1, 2, 1, 9, 2, 1, 9, 1]);
}

/// Values are 64 bits wide and wrap; a place or a distance made from them is reported, not a panic.
#[test]
fn huge_values_are_reported() {
    assert_eq!(bytes("foo: .byte <(foo + ~(1 << 63))\n"), [0x00]);
    assert_eq!(codes("foo: bra foo + (1 << 63)\n"), ["V0207"]);
    assert_eq!(codes(" bra 1 << 63\n"), ["V0207"]);
    let doubling: String = (1..50)
        .map(|at| format!(".struct S{at}\n .tag S{}\n .tag S{}\n.endstruct\n", at - 1, at - 1))
        .collect();
    let text = format!(".struct S0\n .res $ffffff\n.endstruct\n{doubling} .bss\n .tag S49\n");
    assert_eq!(codes(&text), ["V0215"]);
}

#[test]
fn memory_and_time_are_bounded() {
    // Reserved bytes count in any place, and gaps beyond $FFFF are not filled.
    let pieces = " .bss\n .repeat 65536\n .org 0\n .res $ffff\n .endrepeat\n";
    assert!(codes(pieces).contains(&"V0215"));
    assert_eq!(codes(" .repeat 60000\n .byte 1\n .align 32768\n .endrepeat\n"), ["V0215"]);
    assert_eq!(codes(" .byte 1\n .align 32768\n .byte 2\n .align 32768\n .byte 3\n"), ["V0215"]);
    // Each call makes its local names anew.
    let names: Vec<String> = (0..20_000).map(|at| format!("n{at}")).collect();
    let calls = format!(".macro m\n .local {}\n.endmacro\n.repeat 2000\n m\n.endrepeat\n", names.join(", "));
    assert!(codes(&calls).contains(&"V0216"));
    // What a line is in between counts, even if nothing is left of it.
    let text = format!(".macro m\n many\n.endmacro\n.define many {}\n.define none\n", "none ".repeat(60_000));
    assert_eq!(codes(&format!("{text}.repeat 65536\n m\n.endrepeat\n")), ["V0216"]);
    // Words that double and come to nothing.
    let nothing = ".define D40\n";
    let doubling: String = (0..40).map(|at| format!(".define D{at} D{} D{}\n", at + 1, at + 1)).collect();
    assert!(codes(&format!("{doubling}{nothing} .byte 1 D0\n")).contains(&"V0214"));
    let text = format!(".repeat 65536\n.if {} 0\n.endif\n.endrepeat\n", ".left(0, 1)".repeat(8_000));
    assert_eq!(codes(&text), ["V0216"]);
    // A scope's name is part of each name in it.
    let names: String = (0..1000).map(|at| format!("n{at} = 1\n")).collect();
    assert_eq!(codes(&format!(".scope {}\n{names}.endscope\n", "s".repeat(100_000))), ["V0216"]);
    // Text counts each time it is read.
    assert!(codes(".repeat 40\n .include \"long.inc\"\n.endrepeat\n").contains(&"V0216"));
    let warnings = codes(".repeat 5000\n .warning \"w\"\n.endrepeat\n");
    assert_eq!((warnings.len(), warnings.contains(&"V0227")), (1001, true));
}

#[test]
fn an_unnamed_label_that_never_comes_is_reported_in_any_expression() {
    for text in [" bra :+\n", " lda #<:+\n", "far = :+\n .word far\n", ":\n .word :+ + 1\n"] {
        assert_eq!(codes(text), ["V0204"], "{text}");
    }
    assert_eq!(bytes(" .org $1000\n .word :+ + 1\n:\n"), [0x03, 0x10]);
}

#[test]
fn defined_words_count_in_structures_and_enumerations() {
    let text = ".define SIZE 4\n.struct S\n left .res SIZE\n right .byte\n.endstruct\n\
                .enum E\n one = SIZE\n two\n.endenum\n .byte .sizeof(S), S::right, E::two\n";
    assert_eq!(bytes(text), [5, 4, 5]);
}

#[test]
fn reserved_memory_ends_before_the_io() {
    // One byte of code at $0801; $9F00 is the first address of the I/O.
    assert_eq!(codes(" nop\n .bss\n .res $9f00 - $0802\n"), [""; 0]);
    assert_eq!(codes(" nop\n .bss\n .res $9f01 - $0802\n"), ["V0220"]);
}

#[test]
fn a_problem_in_a_macro_shows_the_macro_and_its_use() {
    let (sources, _, problems) =
        with(".macro put p\n  lda #p\n.endmacro\n nop\n put 300\n", &Options::default());
    let labels: Vec<(&str, &str)> = problems[0]
        .labels
        .iter()
        .map(|label| (sources.get(label.span.file).slice(label.span), label.text.as_str()))
        .collect();
    assert_eq!(labels, [("300", ""), ("put", "expanded here"), ("put", "in this macro")]);
}

#[test]
fn listing_symbols_and_places() {
    let text = "main: lda #1\n@loop: bra @loop ; wait\nWIDTH = 320\n.proc draw\nend: rts\n.endproc\n";
    let (sources, program, _) = with(text, &Options::default());
    assert_eq!(
        program.listing(&sources),
        "; test.s\n\
         0801  a9 01                     main: lda #1\n\
         0803  80 fe                     @loop: bra @loop ; wait\n\
         \u{20}                               WIDTH = 320\n\
         \u{20}                               .proc draw\n\
         0805  60                        end: rts\n\
         \u{20}                               .endproc\n"
    );
    assert_eq!(
        program.symbol_text(),
        "al 000801 .main\nal 000803 .main@loop\nal 000805 .draw\nal 000805 .draw::end\n"
    );
    assert_eq!(program.labels().at(0x0805), Some("draw"));
    let line = program.line_at(0x0804).unwrap();
    assert_eq!(sources.get(line.span.file).slice(line.span), "@loop: bra @loop");
    assert_eq!(program.line_at(0x0806), None);
}

/// What it is asked for, and a name for every address that may have one.
#[derive(Default)]
struct Asked(Vec<(u16, u16, bool)>);

impl Names for Asked {
    fn name(&mut self, instruction: &Instruction) -> Option<String> {
        self.0.push((instruction.address, instruction.operand, instruction.has_label));
        Some(format!("n{:x}", instruction.target.unwrap_or(instruction.operand)))
    }
}

#[test]
fn names_are_asked_for_in_order_and_written_where_an_address_is() {
    // lda #$12, sta $3000, sta $0030 (long), lda $30, jsr $4000; $1003: a label of the branch behind.
    let bytes = [0xa9, 0x12, 0x02, 0x8d, 0, 0x30, 0x8d, 0x30, 0, 0xa5, 0x30, 0x20, 0, 0x40, 0x80, 0xf2];
    let mut asked = Asked::default();
    let text = disassemble(&bytes, 0x1000, &Disassembly::default(), &mut asked);
    let expected = "    .org $1000\n    lda #$12\nL1002:\n    .byte $02\n    sta n3000\n    sta a:n30\n    lda n30\n    \
                    jsr n4000\n    bra L1002\n";
    assert_eq!(text, expected);
    // A label before bytes that are not an instruction is the next instruction's.
    let labels: Vec<u16> = asked.0.iter().filter(|(.., has_label)| *has_label).map(|(at, ..)| *at).collect();
    assert_eq!((asked.0.len(), labels), (6, vec![0x1003]));
    assert_eq!(instruction([0x9d, 0x01, 0xd0], 0, &mut Asked::default()), "sta nd001,x");
}

#[test]
fn disassembly_shows_the_basic_line() {
    let program = with(".segment \"STARTUP\"\n.code\n nop\n", &Options::default()).1;
    let text = disassemble(&program.binary(), 0x0801, &Disassembly::default(), &mut ());
    assert!(text.contains("800 SYS 2061") && text.ends_with("L080d:\n    nop\n"), "{text}");
    let back = with(&text, &Options { petscii: false, ..Options::default() }).1;
    assert_eq!(back.binary(), program.binary());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, ..ProptestConfig::default() })]

    #[test]
    fn bytes_survive_disassembling_and_assembling(
        data in prop::collection::vec(any::<u8>(), 1..400),
        origin in prop_oneof![Just(0u16), Just(0x0801), Just(0x9f00), Just(0xfe00), any::<u16>()],
        addresses in any::<bool>(),
    ) {
        let room = (0x1_0000 - usize::from(origin)).min(data.len());
        let text = disassemble(&data, origin, &Disassembly { addresses }, &mut ());
        let (_, program, problems) = with(&text, &Options { petscii: false, ..Options::default() });
        prop_assert!(!has_errors(&problems), "{}\n{:?}", text, problems);
        prop_assert_eq!(program.binary(), &data[..room], "{}", text);
    }
}

#[test]
fn every_instruction_survives_disassembling_and_assembling() {
    for op in OPCODES.iter().filter(|op| op.documented) {
        let data = [op.code, 0x10, 0x20].map(|byte| byte);
        let data = &data[..usize::from(op.length())];
        let text = disassemble(data, 0x3000, &Disassembly::default(), &mut ());
        assert!(text.contains(op.mnemonic), "{text}");
        assert_eq!(bytes(&text), data, "{text}");
    }
}

/// A list that begins with what is defined behind it: the last of 20,000 names has its value, and each is one sum.
#[test]
fn a_long_list_of_names_may_begin_later() {
    let names: String = (0..20_000).map(|at| format!("n{at}\n")).collect();
    let text = format!(".org $1000\n.enum\nfirst = later\n{names}.endenum\n.word n19999\nlater = 3\n");
    // `first` is 3.
    assert_eq!(bytes(&text), 20_003u16.to_le_bytes());
}

/// 3,000 names of 60,000 letters.
#[test]
fn names_that_are_made_have_a_limit() {
    let long = "x".repeat(60_000);
    let text =
        format!(".repeat 3000, i\n.ident(.concat(\"z\", .string(i), \"{long}\")) = i\n.endrepeat\n nop\n");
    assert_eq!(codes(&text), ["V0216"]);
}
