//! Object files of ca65: programs that are linked with them, against ld65's, and what is wrong with them.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "programs and their bytes are files, and cc65 is compared with where it is installed"
)]

use gpuzoo_asm65::{Options, Program, assemble_all};
use gpuzoo_diag::{Diagnostic, Sources};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/asm/objects").join(name)
}

fn bytes(name: &str) -> Vec<u8> {
    fs::read(path(name)).unwrap()
}

/// A text and an object behind it.
fn linked(main: &str, object: &[u8], config: Option<&str>, stub: Option<bool>) -> (Program, Vec<Diagnostic>) {
    let mut sources = Sources::default();
    let config = config.map(|text| sources.add("test.cfg", text));
    let [main, file] = [sources.add("main.s", main), sources.add("lib.o", "")];
    let objects = [(file, object)];
    let options = Options { config, stub, objects: &objects, ..Options::default() };
    assemble_all(&mut sources, &[main, file], &options, &mut |_| Err("there are no other files".to_owned()))
}

fn main_of(name: &str) -> String {
    fs::read_to_string(path(&format!("{name}/main.s"))).unwrap()
}

/// `ca65 -t cx16` made the objects, and the programs with its `main.o`: `ld65 -C cx16-asm.cfg -u __EXEHDR__`, `ld65 -t cx16`, `ld65 -C banked.cfg`.
#[test]
fn programs_are_those_of_ld65() {
    for (name, stub) in [("plain", Some(true)), ("whole", None)] {
        let (program, problems) = linked(&main_of(name), &bytes(&format!("{name}/lib.o")), None, stub);
        assert_eq!(problems, [], "{name}");
        assert_eq!(program.prg().unwrap(), bytes(&format!("{name}/{name}.prg")), "{name}");
    }
    let config = fs::read_to_string(path("banked/banked.cfg")).unwrap();
    let (program, problems) = linked(&main_of("banked"), &bytes("banked/lib.o"), Some(&config), None);
    assert_eq!(problems, []);
    let files: Vec<&[u8]> = program.files.iter().map(|file| file.bytes.as_slice()).collect();
    assert_eq!(files, [bytes("banked/banked.bin"), bytes("banked/banked.1")]);
}

/// A text of the same words makes the same program as its object.
#[test]
fn an_object_is_its_text() {
    for (name, stub) in [("plain", Some(true)), ("whole", None)] {
        let lib = fs::read_to_string(path(&format!("{name}/lib.s"))).unwrap();
        let mut sources = Sources::default();
        let files = [sources.add("main.s", &main_of(name)), sources.add("lib.s", &lib)];
        let options = Options { stub, ..Options::default() };
        let (program, problems) = assemble_all(&mut sources, &files, &options, &mut |_| Err(String::new()));
        assert_eq!(problems, []);
        assert_eq!(program.prg().unwrap(), bytes(&format!("{name}/{name}.prg")), "{name}");
        // Names that the object exports have their places.
        let (object, _) = linked(&main_of(name), &bytes(&format!("{name}/lib.o")), None, stub);
        let exported = if name == "plain" { "clear" } else { "shift" };
        assert_eq!(
            object.symbol(exported).map(|own| own.value),
            program.symbol(exported).map(|own| own.value)
        );
    }
}

/// `ld65 -t cx16 main.o routines.lib` made the program: of the library's objects it has those that are needed, in the library's order, and of the
/// tables those that something reads. No configuration is given.
#[test]
fn libraries_are_those_of_ld65() {
    let library = bytes("library/routines.lib");
    let (program, problems) = linked(&main_of("library"), &library, None, None);
    assert_eq!(problems, []);
    assert_eq!(program.prg().unwrap(), bytes("library/library.prg"));
    let address = |name: &str| program.symbol(name).map(|own| own.value);
    assert_eq!((address("double"), address("__CONSTRUCTOR_TABLE__")), (Some(0x0855), Some(0x086e)));
    assert_eq!((address("unused"), address("lonely")), (None, None));
    // With a configuration whose tables go downwards and elsewhere.
    let config = "FEATURES { CONDES: type = constructor, label = __CONSTRUCTOR_TABLE__, segment = CODE, order = decreasing; }
        MEMORY { ZP: file = \"\", start = $22, size = $40; MAIN: start = $1000, size = $1000; }
        SEGMENTS { ZEROPAGE: load = ZP, type = zp; CODE: load = MAIN, type = ro; ONCE: load = MAIN, type = ro; }";
    let main = " .import double, __CONSTRUCTOR_TABLE__\n .constructor begin, 20\n jsr double\nbegin: .addr __CONSTRUCTOR_TABLE__\n";
    let (program, problems) = linked(main, &library, Some(config), None);
    assert_eq!(problems, []);
    // `begin` is in front of `start`.
    let table = usize::try_from(program.symbol("__CONSTRUCTOR_TABLE__").unwrap().value).unwrap();
    assert_eq!(program.binary()[table - 0x1000..][..4], [0x03, 0x10, 0x13, 0x10]);
}

#[test]
fn what_is_wrong_with_a_library_is_reported() {
    let shown = |object: &[u8]| {
        let problems = linked(&main_of("library"), object, None, None).1;
        problems.first().map(|problem| (problem.code.id, problem.message.clone()))
    };
    let wrong = |message: &str| Some(("V0236", format!("the object file cannot be linked: {message}")));
    let library = bytes("library/routines.lib");
    assert_eq!(shown(&library[..5]), wrong("it ends too soon"));
    assert_eq!(
        shown(&[&library[..4], &[12, 0], &library[6..]].concat()),
        wrong("its format is version 12, and not 13")
    );
    let mut other = library.clone();
    // The first object, whose version it is.
    other[16] = 1;
    assert_eq!(shown(&other), wrong("of its object unused.o: its format is version 1, and not 17"));
    assert_eq!(shown(b"\x01\0o65\0\0"), wrong("it is in the format o65"));
    // An index that has its entries again and again, each with the whole file.
    let mut again = vec![b'n', b'a', b'U', b'z', 13, 0, 0, 0, 14, 0, 0, 0, 0, 0, 2];
    let entry =
        |size: u32| [&[1, b'o', 0, 0, 0, 0, 0, 0][..], &0u32.to_le_bytes(), &size.to_le_bytes()].concat();
    let size = again.len() as u32 + 2 * entry(0).len() as u32;
    (0..2).for_each(|_| again.extend(entry(size)));
    let (code, message) = shown(&again).expect("a problem");
    assert_eq!(code, "V0236", "{message}");
    // Nobody has what the program needs.
    let (code, message) = shown(&bytes("plain/lib.o")).expect("a problem");
    assert_eq!((code, message.starts_with('`')), ("V0204", true), "{message}");
}

#[test]
fn what_is_wrong_with_an_object_is_reported() {
    let shown = |main: &str, object: &[u8]| {
        let problems = linked(main, object, None, None).1;
        problems.first().map(|problem| (problem.code.id, problem.message.clone()))
    };
    let (main, lib) = (main_of("plain"), bytes("plain/lib.o"));
    let wrong = |message: &str| Some(("V0236", format!("the object file cannot be linked: {message}")));
    assert_eq!(shown(" rts\n", b"Uzna"), wrong("it ends too soon"));
    let other = [&lib[..4], &[16, 0], &lib[6..]].concat();
    assert_eq!(shown(&main, &other), wrong("its format is version 16, and not 17"));
    assert_eq!(shown(&main, &lib[..lib.len() / 2]).map(|(code, _)| code), Some("V0236"));
    // A name that the object needs and nobody has, and one that is exported twice.
    let (code, message) = shown(" rts\n", &lib).expect("a problem");
    assert!(code == "V0204" && message.contains("colour"), "{code} {message}");
    let (_, message) = shown(&format!("{main}\n .export clear\nclear: rts\n"), &lib).expect("a problem");
    assert!(message.contains("clear"), "{message}");
    // An assertion of the object's.
    let (code, message) = shown(&main.replace("$61", "$161"), &lib).expect("a problem");
    assert_eq!((code, &*message), ("V0218", "colours are bytes"));
}

/// An object of these parts: strings, imports (numbers of strings), and so many empty sections of the first string.
fn object(strings: &[&[u8]], imports: &[usize], sections: usize) -> Vec<u8> {
    fn number(mut number: usize, to: &mut Vec<u8>) {
        while number >= 0x80 {
            to.push(number as u8 | 0x80);
            number >>= 7;
        }
        to.push(number as u8);
    }
    let mut parts: [Vec<u8>; 11] = std::array::from_fn(|_| vec![0]);
    let begin = |count: usize| {
        let mut part = Vec::new();
        number(count, &mut part);
        part
    };
    (parts[7], parts[3], parts[2]) = (begin(strings.len()), begin(imports.len()), begin(sections));
    for string in strings {
        number(string.len(), &mut parts[7]);
        parts[7].extend_from_slice(string);
    }
    for name in imports {
        // Not of the zero page; its name; no lines where it is declared and used.
        parts[3].push(2);
        number(*name, &mut parts[3]);
        parts[3].extend([0, 0]);
    }
    // Four bytes of a length, the segment, flags, a size of 0, an alignment of 1, addresses, no fragments.
    parts[2].extend([0, 0, 0, 0, 0, 0, 0, 1, 2, 0].repeat(sections));
    let mut bytes = [&b"Uzna"[..], &17u16.to_le_bytes(), &[0; 2]].concat();
    let mut at = bytes.len() + 8 * parts.len();
    for part in &parts {
        bytes.extend((at as u32).to_le_bytes());
        bytes.extend((part.len() as u32).to_le_bytes());
        at += part.len();
    }
    [bytes, parts.concat()].concat()
}

/// A small file can name a long string many times, and have many sections: neither takes more memory or time than it has bytes.
#[test]
fn an_object_is_not_more_than_its_bytes() {
    let first =
        |object: &[u8]| linked(" rts\n", object, None, None).1.first().map(|problem| problem.message.clone());
    let name = [b'a'; 1024];
    assert_eq!(first(&object(&[b"CODE"], &[], 1)), None);
    let many = linked(" rts\n", &object(&[b"CODE", &name], &[1; 50_000], 5_000), None, None).1;
    assert_eq!(many.first().map(|problem| problem.code.id), Some("V0204"));
    let long = object(&[b"CODE", &[b'a'; 1025]], &[], 0);
    assert_eq!(
        first(&long).as_deref(),
        Some("the object file cannot be linked: a name in it has 1025 bytes, more than 1024")
    );
}

/// Bytes that are changed anywhere make a program or a report, and never a panic.
#[test]
fn any_bytes_are_read_or_refused() {
    for (main, lib) in [("plain", "plain/lib.o"), ("library", "library/routines.lib")] {
        let (main, lib) = (main_of(main), bytes(lib));
        for at in 6..lib.len() {
            for byte in [0x80, 0xff, lib[at] ^ 1] {
                let mut changed = lib.clone();
                changed[at] = byte;
                let (program, problems) = linked(&main, &changed, None, None);
                assert!(!problems.is_empty() || program.prg().is_ok(), "{at}");
            }
        }
    }
}

/// A program in C: what cc65 makes of it is assembled here, linked with cc65's library, and is what `cl65 -t cx16` makes.
#[test]
fn programs_in_c_are_those_of_cl65() {
    let done = |command: &mut Command| command.output().ok().filter(|output| output.status.success());
    let Some(target) = done(Command::new("cl65").args(["-t", "cx16", "--print-target-path"])) else {
        gpuzoo_skipped::say("cc65 is not installed: programs in C are not linked with its library");
        return;
    };
    let target = String::from_utf8(target.stdout).unwrap();
    let library = fs::read(Path::new(target.trim()).with_file_name("lib").join("cx16.lib")).unwrap();
    let folder = std::env::temp_dir().join(format!("gpuzoo-c-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    for name in ["hello", "files"] {
        let [source, text, prg] =
            ["c", "s", "prg"].map(|extension| folder.join(format!("{name}.{extension}")));
        fs::copy(path(&format!("c/{name}.c")), &source).unwrap();
        // This one makes a text, too, and removes it.
        done(Command::new("cl65").args(["-t", "cx16", "-O", "-o"]).arg(&prg).arg(&source))
            .expect("cl65 links");
        done(Command::new("cc65").args(["-t", "cx16", "-O", "-o"]).arg(&text).arg(&source))
            .expect("cc65 compiles");
        let (program, problems) = linked(&fs::read_to_string(&text).unwrap(), &library, None, None);
        assert_eq!(problems, [], "{name}");
        assert!(program.prg().unwrap() == fs::read(&prg).unwrap(), "{name}");
        assert_eq!(program.symbol("__EXEHDR__").map(|own| own.value), Some(1), "{name}");
    }
    fs::remove_dir_all(&folder).unwrap();
}
