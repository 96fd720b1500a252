//! Linker configurations: against ld65's files, and what is wrong with them.
#![allow(clippy::disallowed_methods, reason = "programs and their bytes are files")]

use gpuzoo_asm65::{Options, Program, assemble_all};
use gpuzoo_diag::{Diagnostic, Sources, has_errors};
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

/// A program of several texts with a linker configuration.
fn configured(config: &str, texts: &[&str], stub: Option<bool>) -> (Sources, Program, Vec<Diagnostic>) {
    let mut sources = Sources::default();
    let config = Some(sources.add("test.cfg", config));
    let files: Vec<_> = texts.iter().map(|text| sources.add("test.s", text)).collect();
    let none = &mut |_: &str| Err("there is no such file".to_owned());
    let options = Options { config, stub, ..Options::default() };
    let (program, problems) = assemble_all(&mut sources, &files, &options, none);
    (sources, program, problems)
}

#[test]
fn configurations_make_the_files_of_ld65() {
    for (name, own) in [("banks", "banks.prg"), ("areas", "areas.bin")] {
        let of = |extension| files(&format!("cc65/config/{name}"), extension);
        let text = |path: &PathBuf| fs::read_to_string(path).unwrap();
        let texts: Vec<String> = of("s").iter().map(text).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let (_, program, problems) = configured(&text(&of("cfg")[0]), &texts, None);
        assert!(problems.is_empty(), "{name}: {problems:?}");
        let made: Vec<String> = program.files.iter().map(|file| file.name.replace("%O", own)).collect();
        let expected =
            if name == "banks" { &["banks.prg", "banks.prg.1", "banks.prg.2"][..] } else { &["areas.bin"] };
        assert_eq!(made, expected);
        for (made, file) in made.iter().zip(&program.files) {
            let path = folder("cc65/config").join(name).join(made);
            assert_eq!(file.bytes, fs::read(path).unwrap(), "{made}");
        }
    }
}

const TINY: &str = "MEMORY { A: start = $1000, size = 4; }\nSEGMENTS { CODE: load = A; }\n";

#[test]
fn what_a_configuration_makes_is_a_program() {
    let banks = fs::read_to_string(folder("cc65/config/banks/banks.cfg")).unwrap();
    let (_, program, problems) =
        configured(&banks, &[" .code\nown: rts\n .segment \"BANK1\"\nfar: nop\n nop\n"], None);
    assert!(!has_errors(&problems), "{problems:?}");
    // The address in front of the program is that of its file, and the names of banks have their places.
    assert_eq!((program.start, program.prg().unwrap().len(), program.binary().len()), (2061, 17, 15));
    assert_eq!((program.symbol("own").unwrap().value, program.symbol("far").unwrap().value), (0x80d, 0xa000));
    assert_eq!((program.byte(0x80d), program.byte(0xa000)), (Some(0x60), None));
    // Without the BASIC line, and without an address in front.
    let (_, program, _) = configured(&banks, &[" rts\n"], Some(false));
    assert_eq!(program.prg().unwrap()[..3], [1, 8, 0x60]);
    let (_, program, _) = configured(TINY, &[" .org $2000\nl: jmp l\n"], None);
    assert_eq!((program.prg().unwrap(), program.start), (vec![0, 0x10, 0x4c, 0, 0x20], 0x1000));
}

/// As ld65 2.19 writes them: `ca65 a.s; ld65 -C a.cfg a.o`.
#[test]
fn a_file_of_any_name_is_the_program() {
    let source = ".org $07FF\n.byte 1, 8\n lda #5\n rts\n";
    for file in ["%O", "\"%O\"", "\"tennis.prg\""] {
        let config = format!(
            "MEMORY {{ CODE: start = $07FF, size = $8000, file = {file}; }}\nSEGMENTS {{ CODE: load = CODE; }}\n"
        );
        let (sources, program, problems) = configured(&config, &[source], None);
        assert_eq!(
            (problems, program.files[0].bytes.as_slice()),
            (vec![], &[1, 8, 0xa9, 5, 0x60][..]),
            "{file}"
        );
        let span = program.files[0].span;
        assert_eq!(sources.get(span.file).slice(span), file);
        // What is run is without the load address in front, which the source has.
        assert_eq!((program.start, program.prg().unwrap()), (0x801, vec![1, 8, 0xa9, 5, 0x60]), "{file}");
        assert_eq!((program.byte(0x801), program.byte(0x7ff)), (Some(0xa9), None));
    }
    // Elsewhere two bytes are two bytes.
    let (_, program, _) = configured(TINY, &[" .word $1002\n"], None);
    assert_eq!((program.start, program.binary()), (0x1000, vec![2, 0x10]));
    // The program's own file comes first, wherever its area stands.
    let both = "MEMORY { B: start = $2000, size = 4, file = \"b\"; A: start = $1000, size = 4; }\n\
                SEGMENTS { CODE: load = A; RODATA: load = B; }\n";
    let (_, program, _) = configured(both, &[" rts\n .rodata\n nop\n"], None);
    assert_eq!(
        (program.start, program.binary(), program.files[1].bytes.clone()),
        (0x1000, vec![0x60], vec![0xea])
    );
}

/// Names that each need the next one twice: each is worked out once. One that needs itself has no value.
#[test]
fn names_are_worked_out_once() {
    let chain: String = (0..60).map(|at| format!("s{at}: value = s{} + s{};\n", at + 1, at + 1)).collect();
    let config = |last: &str| {
        format!(
            "MEMORY {{ A: start = s59, size = 8; }}\nSEGMENTS {{ CODE: load = A; }}\nSYMBOLS {{ {chain} s60: {last}; }}\n"
        )
    };
    let (_, program, problems) = configured(&config("value = 1"), &[" rts\n"], None);
    assert_eq!((problems, program.start), (vec![], 2));
    let (_, _, problems) = configured(&config("value = s0"), &[" rts\n"], None);
    assert!(problems.iter().any(|problem| problem.message.contains("has no value here")), "{problems:?}");
}

/// As in cx16.cfg, where both an area and a segment are called BSS.
#[test]
fn a_segment_comes_before_an_area_of_its_name() {
    let config = "MEMORY { A: start = $1000, size = 9; BSS: file = \"\", start = $2000, size = 99; }
        SEGMENTS { CODE: load = A; BSS: load = BSS, type = bss, define = yes; }";
    let (_, program, problems) =
        configured(config, &[" .import __BSS_SIZE__\n .word __BSS_SIZE__\n .bss\n .res 5\n"], None);
    assert_eq!((problems, program.binary()), (vec![], vec![5, 0]));
}

#[test]
fn what_a_configuration_cannot_place_is_reported() {
    let wrong = |config: &str, text: &str| {
        let (sources, _, problems) = configured(config, &[text], None);
        let shown = problems.iter().map(|problem| {
            let at = problem.span().map_or("", |span| sources.get(span.file).slice(span));
            format!("{} {} [{at}]", problem.code.id, problem.message)
        });
        shown.collect::<Vec<_>>().join("\n")
    };
    let code = "SEGMENTS { CODE: load = A; }\n";
    let area = |text: &str| wrong(&format!("MEMORY {{ {text} }}\n{code}"), " rts\n");
    assert_eq!(wrong(TINY, " rts\n"), "");
    assert_eq!(
        wrong(TINY, " jmp *\n jmp *\n"),
        "V0220 the segment CODE is too large for the area A, by 2 bytes [CODE]"
    );
    assert_eq!(
        wrong(TINY, " .segment \"CODES\"\n rts\n"),
        "V0220 the configuration has no segment CODES [\"CODES\"]"
    );
    assert_eq!(area("A: start = 0;"), "V0235 the area `A` has no `size` [A]");
    assert_eq!(area("A: start = 0, size = 1, fil = yes;"), "V0235 there is no attribute `fil` here [fil]");
    assert_eq!(area("A: start = NO, size = 1;"), "V0235 `NO` has no value here [NO]");
    assert_eq!(area("A: start = 1/0, size = 1;"), "V0235 the divisor is 0 []");
    assert_eq!(
        area("A: start = 0, size = -1;"),
        "V0235 the area A has -1 bytes [A]\nV0220 the segment CODE is too large for the area A, by 1 byte [CODE]"
    );
    assert_eq!(
        area("A: start = 0, size = 1, file = \"x;"),
        "V0235 the string is not closed in its line [\"x; }]"
    );
    assert_eq!(area("A: start = $, size = 1;"), "V0235 this is not a number of up to 32 bits [$]");
    assert_eq!(area("A: start = \u{e4};"), "V0235 this character means nothing here [\u{e4}]");
    assert_eq!(area("A: start = 0, size = 1"), "V0235 expected an attribute, or `;` [}]");
    let deep = format!("A: start = {}0, size = 1;", "(".repeat(100));
    assert!(area(&deep).starts_with("V0235 the value is nested too deeply"));
    for sign in ["+", "/"] {
        let chain =
            |count: usize| area(&format!("A: start = 1{}, size = 1;", format!("{sign}1").repeat(count)));
        assert!(!chain(1000).contains("operations"), "{sign}");
        assert!(chain(500_000).starts_with("V0235 the value has more than 1,000 operations"), "{sign}");
    }
    let segment = |text: &str| {
        wrong(
            &format!("MEMORY {{ A: start = 0, size = 8; }}\nSEGMENTS {{ {text} }}"),
            " rts\n .rodata\n rts\n",
        )
    };
    assert_eq!(segment("CODE: load = B;"), "V0235 there is no area of memory `B` above [B]");
    assert_eq!(
        segment("CODE: load = A, align = 2, start = 4;"),
        "V0235 only one of `align`, `start` and `offset` can be given [CODE]"
    );
    assert_eq!(
        segment("CODE: load = A, type = rom;"),
        "V0235 `type` is one of ro, rw, bss, zp, overwrite, not `rom` [rom]"
    );
    assert_eq!(
        segment("CODE: load = A; RODATA: load = A, start = 0;"),
        "V0220 the segment RODATA begins at $0000, where others lie up to $0000 [RODATA]"
    );
    assert_eq!(
        segment("CODE: load = A; CODE: load = A; RODATA: load = A;"),
        "V0235 there is a segment `CODE` already [CODE]"
    );
    let symbols = |text: &str| wrong(&format!("{TINY}SYMBOLS {{ {text} }}"), " .export own = 1\n");
    assert_eq!(symbols("a: value = b; b: value = a;"), "V0235 `b` has no value here [b]");
    assert_eq!(
        symbols("own: value = 2;"),
        "V0205 `own` is defined by the configuration and exported by the program [own]"
    );
    assert_eq!(
        symbols("own: value = 2, type = weak; own2: type = import;"),
        "V0204 `own2` is imported by the configuration and not exported [own2]"
    );
    assert_eq!(symbols("__EXEHDR__: type = import;"), "V0220 the configuration has no segment EXEHDR [CODE]");
    assert_eq!(
        wrong("FILES { %O: format = o65; }", ""),
        "V0235 files of the format `o65` are not written, only bin [%O]"
    );
    assert_eq!(wrong("MEMORIES { }", ""), "V0235 there is no block `MEMORIES` [MEMORIES]");
    let many: String = (0..1025).map(|at| format!("A{at}: start = 0, size = 1;")).collect();
    assert_eq!(wrong(&format!("MEMORY {{ {many} }}"), ""), "V0235 a block has up to 1,024 entries [A1024]");
    // Files are 16 MiB at most, all together.
    let large = |count: usize| -> String {
        let areas =
            (0..count).map(|at| format!("A{at}: start = 0, size = $200000, file = \"%O\", fill = yes;"));
        areas.collect()
    };
    let code = "SEGMENTS { CODE: load = A0; }";
    assert_eq!(wrong(&format!("MEMORY {{ {} }} {code}", large(8)), " rts\n"), "");
    assert_eq!(
        wrong(&format!("MEMORY {{ {} }} {code}", large(9)), " rts\n"),
        "V0235 the areas have more than 16 MiB in files [A8]"
    );
}
