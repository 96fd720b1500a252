//! Projects in editors: the language server reads their texts together, and the debugger launches them.

use crate::common::{scratch, text};
use crate::lsp::{Editor, codes};
use serde_json::{Value as Json, json};
use std::path::PathBuf;

const PROJECT: &str = "sources = [\"main.s\", \"lib/wait.s\"]\ndefine = \"SPEED=3\"\n";
const MAIN: &str = "        .import wait\nstart:  ldx #SPEED\n        jsr wait\n        rts\n";
const WAIT: &str = "        .export wait\n        .include \"one.inc\"\nwait:   ldy #ONE\n        rts\n";

fn project(name: &str) -> PathBuf {
    let folder = scratch(name);
    std::fs::create_dir_all(folder.join("lib")).unwrap();
    let files =
        [("gpuzoo.toml", PROJECT), ("main.s", MAIN), ("lib/wait.s", WAIT), ("lib/one.inc", "ONE = 1\n")];
    for (name, text) in files {
        std::fs::write(folder.join(name), text).unwrap();
    }
    folder
}

/// The file and the line of each place.
fn places(found: &Json) -> Vec<(String, u64)> {
    let all = found.as_array().cloned().unwrap_or_else(|| vec![found.clone()]);
    let place = |place: &Json| {
        let name = place["uri"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
        (name, place["range"]["start"]["line"].as_u64().unwrap() + 1)
    };
    let mut places: Vec<_> = all.iter().map(place).collect();
    places.sort();
    places
}

#[test]
fn names_lead_from_source_to_source() {
    let folder = project("editors-lsp");
    let path = |name: &str| text(&folder.join(name)).to_owned();
    let mut editor = Editor::new();
    // The import is known, and so is the project's constant.
    assert_eq!(codes(&editor.open(&path("main.s"), MAIN)), [""; 0]);
    assert_eq!(places(&editor.at("textDocument/definition", "wait")), [("wait.s".to_owned(), 3)]);
    let all = [("main.s", 1), ("main.s", 3), ("wait.s", 1), ("wait.s", 3)];
    let all: Vec<_> = all.map(|(name, line)| (name.to_owned(), line)).to_vec();
    assert_eq!(places(&editor.at("textDocument/references", "wait")), all);
    // From the other one, with what is typed in it and not saved yet.
    let main = editor.uri.clone();
    assert_eq!(codes(&editor.open(&path("lib/wait.s"), WAIT)), [""; 0]);
    assert_eq!(places(&editor.at("textDocument/references", "wait")), all);
    let typed = WAIT.replace(".export wait", ".export hold");
    assert_eq!(codes(&editor.open(&path("lib/wait.s"), &typed)), ["V0204"]);
    // What is wrong is shown where it is: the import in the first source.
    editor.uri = main;
    assert_eq!(codes(&editor.problems()), ["V0204"]);
    assert_eq!(editor.end(), 0);
}

/// What a project names leads out of its folder as little as what a text names.
#[test]
fn a_project_stays_in_its_folder() {
    let folder = project("editors-within");
    let other = scratch("editors-within-other");
    std::fs::write(other.join("two.inc"), "TWO = 2\n").unwrap();
    let main = MAIN.replace("start:", " .include \"two.inc\"\nstart:");
    std::fs::write(folder.join("main.s"), &main).unwrap();
    let codes_with = |folders: &str| {
        std::fs::write(folder.join("gpuzoo.toml"), format!("{PROJECT}include = \"{folders}\"\n")).unwrap();
        let mut editor = Editor::new();
        let problems = editor.open(text(&folder.join("main.s")), &main);
        assert_eq!(editor.end(), 0);
        codes(&problems).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_ne!(codes_with(text(&other)), [""; 0]);
    std::fs::create_dir_all(folder.join("more")).unwrap();
    std::fs::write(folder.join("more/two.inc"), "TWO = 2\n").unwrap();
    assert_eq!(codes_with("more"), [""; 0]);
}

#[test]
fn a_source_of_no_project_is_alone_and_a_wrong_project_says_so() {
    let folder = project("editors-alone");
    let path = |name: &str| text(&folder.join(name)).to_owned();
    let mut editor = Editor::new();
    assert_eq!(codes(&editor.open(&path("other.s"), MAIN)), ["V0204", "V0204"]);
    assert_eq!(codes(&editor.open(&path("gpuzoo.toml"), PROJECT)), [""; 0]);
    let wrong = PROJECT.replace("define", "defines");
    assert_eq!(codes(&editor.open(&path("gpuzoo.toml"), &wrong)), ["G0136"]);
    let wrong = PROJECT.replace("lib/wait.s", "lib/none.s");
    let problems = editor.open(&path("gpuzoo.toml"), &wrong);
    assert!(problems[0]["message"].as_str().unwrap().contains("lib/none.s"), "{problems:?}");
    assert_eq!(editor.end(), 0);
}

#[test]
fn a_project_is_launched() {
    let folder = project("editors-dap");
    let (_adapter, mut editor) = crate::dap::start(&["dap"], &folder);
    editor.exchange("initialize", &json!({ "adapterID": "gpuzoo" }));
    let answers = editor.exchange("launch", &json!({ "program": "gpuzoo.toml" }));
    assert!(
        answers.iter().any(|answer| answer["command"] == "launch" && answer["success"] == true),
        "{answers:?}"
    );
    let source = json!({ "path": folder.join("lib/wait.s") });
    let set = editor.exchange("setBreakpoints", &json!({ "source": source, "breakpoints": [{ "line": 3 }] }));
    assert!(set.iter().any(|answer| answer["body"]["breakpoints"][0]["verified"] == true), "{set:?}");
    editor.exchange("configurationDone", &json!({}));
    let stopped = editor.exchange("continue", &json!({ "threadId": 1 }));
    assert!(stopped.iter().any(|event| event["event"] == "stopped"), "{stopped:?}");
    let frames = editor.exchange("stackTrace", &json!({ "threadId": 1 }));
    let frame = frames.iter().find_map(|answer| answer["body"]["stackFrames"].get(0)).unwrap();
    assert_eq!((frame["line"].as_u64(), frame["source"]["name"].as_str()), (Some(3), Some("wait.s")));
}
