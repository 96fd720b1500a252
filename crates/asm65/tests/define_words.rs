//! Words that a `.define` stands for, in and out of what conditions skip, against ca65's bytes.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "programs and their bytes are files, and cl65 makes some"
)]

use gpuzoo_asm65::{Options, assemble};
use gpuzoo_diag::{Sources, has_errors};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Programs, and their bytes as hexadecimal digits or `refused`.
fn programs() -> Vec<(String, String)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/asm/cc65/define_words.txt");
    let table = fs::read_to_string(path).unwrap();
    let lines = table.lines().filter(|line| !line.starts_with('#'));
    let lines = lines.filter_map(|line| line.split_once(' '));
    lines.map(|(bytes, text)| (text.replace('|', "\n") + "\n", bytes.to_owned())).collect()
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn programs_assemble_to_the_bytes_of_ca65() {
    let programs = programs();
    assert!(programs.len() >= 140);
    for (text, expected) in programs {
        let mut sources = Sources::default();
        let file = sources.add("test.s", &text);
        let none = &mut |_: &str| Err("there is no such file".to_owned());
        let (program, problems) = assemble(&mut sources, file, &Options::default(), none);
        let is_refused = has_errors(&problems);
        let bytes = if is_refused { "refused".to_owned() } else { hexadecimal(&program.prg().unwrap()) };
        assert_eq!(bytes, expected, "{text}{problems:?}");
    }
}

/// The table is what the tool on this machine makes of the programs.
#[test]
fn ca65_makes_these_bytes() {
    if Command::new("cl65").arg("--version").output().is_err() {
        gpuzoo_skipped::say(
            "cc65 is not installed: the table of words that are defined is not compared with it",
        );
        return;
    }
    let folder: PathBuf = std::env::temp_dir().join(format!("gpuzoo-define-words-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let [source, prg] = ["s", "prg"].map(|extension| folder.join("test").with_extension(extension));
    for (text, expected) in programs() {
        fs::write(&source, &text).unwrap();
        let mut cl65 = Command::new("cl65");
        let made =
            cl65.args(["-t", "cx16", "-C", "cx16-asm.cfg", "-o"]).arg(&prg).arg(&source).output().unwrap();
        let bytes =
            if made.status.success() { hexadecimal(&fs::read(&prg).unwrap()) } else { "refused".to_owned() };
        assert_eq!(bytes, expected, "{text}");
    }
    fs::remove_dir_all(&folder).unwrap();
}
