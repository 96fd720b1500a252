//! `fmt`.

use crate::common::{gpuzoo, scratch, text, with_input};
use std::fs::{read, write};

const PLAIN: &str = "ld r0 0     // position\nst pos r0\n";
const ROUGH: &str = "  ld   r0 0 // position\n\tst  pos r0   \n\n";

#[test]
fn texts_are_laid_out_in_place() {
    let folder = scratch("format");
    let (rough, plain) = (folder.join("rough.vu"), folder.join("plain.vu"));
    write(&rough, ROUGH).unwrap();
    write(&plain, PLAIN).unwrap();

    let done = gpuzoo(&["fmt", text(&rough), "--check", "--message-format", "short"]);
    assert_eq!((done.code, &done.out[..]), (1, ""));
    assert!(done.err.contains("rough.vu:1:1: error[G0250]"), "{}", done.err);
    assert_eq!(read(&rough).unwrap(), ROUGH.as_bytes());
    assert_eq!(gpuzoo(&["fmt", text(&plain), "--check"]).code, 0);
    // One of a folder is enough.
    let done = gpuzoo(&["fmt", text(&folder), "--check"]);
    assert_eq!(done.code, 1);
    assert!(!done.err.contains("plain.vu"), "{}", done.err);

    let done = gpuzoo(&["fmt", text(&folder)]);
    assert_eq!((done.code, &done.out[..], &done.err[..]), (0, "", ""));
    assert_eq!(read(&rough).unwrap(), PLAIN.as_bytes());
    assert_eq!(read(&plain).unwrap(), PLAIN.as_bytes());
    assert_eq!(gpuzoo(&["fmt", text(&folder), "--check"]).code, 0);
    let names: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len(), 2, "{names:?}");
}

#[test]
fn standard_input_goes_to_standard_output() {
    let done = with_input(&["fmt", "--gpu", "dreambox"], ROUGH);
    assert_eq!((done.code, &done.out[..], &done.err[..]), (0, PLAIN, ""));
    let done = with_input(&["fmt", "--stdin-name", "a.vsh", "-"], "mov oPos,v0\n");
    assert_eq!((done.code, &done.out[..]), (0, "mov oPos, v0\n"));
    let done =
        with_input(&["fmt", "--gpu", "nv2a", "--dialect", "d3d"], "vs.1.1\n#define A v0\n mov  oPos,A\n");
    assert_eq!((done.code, &done.out[..]), (0, "vs.1.1\n#define A v0\nmov oPos, A\n"));
    let done = with_input(&["fmt", "--gpu", "dreambox"], "\u{feff}st  pos r0");
    assert_eq!((done.code, &done.out[..]), (0, "\u{feff}st pos r0\n"));
}

/// With a mistake in one, none is replaced.
#[test]
fn mistakes_keep_all_texts_as_they_are() {
    let folder = scratch("format_mistakes");
    let (rough, wrong) = (folder.join("a.vu"), folder.join("b.vu"));
    write(&rough, ROUGH).unwrap();
    write(&wrong, "ld  r99 0\n").unwrap();
    let done = gpuzoo(&["fmt", text(&rough), text(&wrong)]);
    assert_eq!(done.code, 1);
    assert!(done.err.contains("b.vu:1:5"), "{}", done.err);
    assert_eq!(read(&rough).unwrap(), ROUGH.as_bytes());
    assert_eq!(read(&wrong).unwrap(), b"ld  r99 0\n");
}

#[test]
fn what_is_no_text_is_left_alone() {
    let folder = scratch("format_no_text");
    let files: [(&str, &[u8]); 4] = [
        ("a.toml", b"gpu  =  \"nv2a\"\n"),
        ("a.prg", &[1, 8, 0x60]),
        ("a.hex", b"0000003f"),
        ("a.bin", &[0x3f, 0, 0, 0]),
    ];
    for (name, bytes) in files {
        let path = folder.join(name);
        write(&path, bytes).unwrap();
        let mut arguments = vec!["fmt", text(&path)];
        if ["a.hex", "a.bin"].contains(&name) {
            arguments.extend(["--gpu", "dreambox"]);
        }
        let done = gpuzoo(&arguments);
        assert_eq!(done.code, 1, "{name}: {}", done.err);
        assert!(done.err.contains("error[G0252]"), "{name}: {}", done.err);
        assert_eq!(read(&path).unwrap(), bytes);
    }
    // Those that say what they are by their names are passed over in a folder.
    assert!(gpuzoo(&["fmt", text(&folder)]).err.contains("error[G0122]"));
    // Old encodings would be lost.
    let path = folder.join("a.vu");
    write(&path, b"ld  r0 0 // caf\xe9\n").unwrap();
    let done = gpuzoo(&["fmt", text(&path)]);
    assert_eq!(done.code, 1);
    assert!(done.err.contains("error[A0115]"), "{}", done.err);
}

/// A program that includes files is laid out, they are not.
#[test]
fn included_files_stay() {
    let folder = scratch("format_include");
    let (main, other) = (folder.join("main.s"), folder.join("other.inc"));
    write(&main, ".include  \"other.inc\"\n lda   #TWO\n rts\n").unwrap();
    write(&other, "TWO   = 2\n").unwrap();
    let done = gpuzoo(&["fmt", text(&main)]);
    assert_eq!((done.code, &done.err[..]), (0, ""));
    assert_eq!(read(&main).unwrap(), b".include \"other.inc\"\n        lda #TWO\n        rts\n");
    assert_eq!(read(&other).unwrap(), b"TWO   = 2\n");
    // From elsewhere, with the option that says where.
    let done =
        with_input(&["fmt", "--gpu", "vera", "-I", text(&folder)], ".include  \"other.inc\"\n lda #TWO\n");
    assert_eq!((done.code, &done.out[..]), (0, ".include \"other.inc\"\n        lda #TWO\n"));
}

/// Examples, samples and the programs that are measured are laid out as `fmt` does it.
#[test]
fn our_own_texts_are_laid_out() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let own = |folder: &str| text(&root.join(folder)).to_owned();
    let mut folders = vec![own("examples")];
    folders
        .extend(["dreambox", "nv2a", "picogpu", "servaru"].map(|id| own(&format!("gpus/{id}/src/sample"))));
    folders.push(own("crates/x16/src/sample"));
    let checked = |folders: &[String]| {
        let names: Vec<&str> = folders.iter().map(String::as_str).collect();
        gpuzoo(&[&["fmt", "--check"], &names[..]].concat())
    };
    for folders in [&folders[..], &[own("crates/gpuzoo/src/bench/programs")]] {
        let done = checked(folders);
        assert_eq!((done.code, done.err.as_str()), (0, ""), "{}", done.out);
    }
}
