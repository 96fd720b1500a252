//! Every verb takes the machine that is not gpuzoo's.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "the verbs work on files")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Runs the tool in a folder of its own for a test.
fn tool(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_own-machine")).current_dir(folder).args(arguments).output().unwrap()
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// The tool's output where it must succeed.
fn works(folder: &Path, arguments: &[&str]) -> String {
    let output = tool(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", text(&output));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

const PROGRAM: &str = "mov r0 in0\nadd r0 r0\nmov pos in0\nmov col r0\nend\n";

const SCENE: &str = r#"
gpu = "template"
size = [8, 8]

[program.p]
file = "p.template"

[mesh.ball]
shape = "sphere"

[[draw]]
program = "p"
mesh = "ball"

[draw.input]
in0 = { attribute = "position", format = "Float3" }
"#;

fn folder() -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("own-machine");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("p.template"), PROGRAM).unwrap();
    std::fs::write(folder.join("v.jsonl"), "{}\n").unwrap();
    std::fs::write(folder.join("s.toml"), SCENE).unwrap();
    folder
}

#[test]
fn every_verb_knows_it() {
    let folder = &folder();
    for what in ["gpus", "ops", "profiles", "formats", "codes"] {
        assert!(
            works(folder, &["list", what]).contains(if what == "codes" { "Z0101" } else { "template" }),
            "{what}"
        );
    }
    assert!(works(folder, &["explain", "template"]).contains("Template GPU"));
    assert!(works(folder, &["explain", "template.add"]).contains("template.add"));
    assert!(works(folder, &["explain", "Z0101"]).starts_with("Z0101"));
    let hex = works(folder, &["assemble", "p.template", "--emit", "hex"]);
    std::fs::write(folder.join("p.hex"), &hex).unwrap();
    let again = works(folder, &["disassemble", "--gpu", "template", "p.hex"]);
    assert_eq!(again.split_whitespace().collect::<Vec<_>>(), PROGRAM.split_whitespace().collect::<Vec<_>>());
    assert!(works(folder, &["check", "p.template"]).contains("slots"));
    std::fs::write(folder.join("v.csv"), "in0.x,in0.y\n1,2\n").unwrap();
    assert!(
        works(folder, &["run", "p.template", "v.csv", "--format", "csv"]).contains("\n0,1,2,0,1,2,4,0,2\n")
    );
    assert!(works(folder, &["trace", "p.template", "v.csv"]).contains("add r0 r0"));
    let stats = tool(folder, &["render", "s.toml", "--stats=json", "-o", "s.raw"]);
    assert!(stats.status.success() && text(&stats).contains("\"written\":"), "{}", text(&stats));
    let picture = std::fs::read(folder.join("s.raw")).unwrap();
    assert!(picture.chunks(4).any(|pixel| pixel[..3] != [0; 3]), "a black picture");
    assert!(works(folder, &["bench", "p.template", "--rounds", "1", "--lanes", "64"]).contains("template"));
    // It knows no kind of record.
    let conform = tool(folder, &["conform", "--gpu", "template", "v.jsonl"]);
    assert!(!conform.status.success() && text(&conform).contains("C0103"), "{}", text(&conform));
}

#[test]
fn its_warnings_have_levels() {
    let folder = &folder();
    std::fs::write(folder.join("w.template"), "mov pos r1\nend\n").unwrap();
    let check = |level: &[&str]| tool(folder, &[&["check", "w.template"], level].concat());
    assert!(text(&check(&[])).contains("warning[Z0101]"));
    assert!(!text(&check(&["-A", "Z0101"])).contains("Z0101"));
    assert!(!check(&["-D", "Z0101"]).status.success());
    assert!(text(&tool(folder, &["run", "--gpu", "templat", "w.template"])).contains("template"));
}
