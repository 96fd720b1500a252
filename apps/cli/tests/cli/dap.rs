//! `dap`: recorded sessions of an editor with each machine's programs.
//!
//! A record in `tests/data/dap` has the files of a session, the requests (`>`), and what comes back: responses (`<`), errors (`!`)
//! and events (`*`). `GPUZOO_BLESS=1` writes what comes back.

use crate::common::{command, data, gpuzoo, raw, receive_frame, scratch, send_frame, text};
use serde_json::{Value as Json, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

/// An editor, over any two streams.
pub struct Editor<R: Read, W: Write> {
    from: BufReader<R>,
    to: W,
    /// Requests so far.
    asked: u64,
}

impl<R: Read, W: Write> Editor<R, W> {
    fn new(from: R, to: W) -> Editor<R, W> {
        Editor { from: BufReader::new(from), to, asked: 0 }
    }

    fn send(&mut self, command: &str, arguments: &Json) -> u64 {
        self.asked += 1;
        let message =
            json!({ "seq": self.asked, "type": "request", "command": command, "arguments": arguments });
        send_frame(&mut self.to, &message);
        self.asked
    }

    fn receive(&mut self) -> Json {
        receive_frame(&mut self.from)
    }

    /// All that comes back for a request: when it moves the run, up to the stop.
    pub fn exchange(&mut self, command: &str, arguments: &Json) -> Vec<Json> {
        const MOVES: [&str; 11] = [
            "configurationDone",
            "restart",
            "terminate",
            "continue",
            "reverseContinue",
            "next",
            "stepIn",
            "stepOut",
            "stepBack",
            "goto",
            "pause",
        ];
        let own = self.send(command, arguments);
        let (mut all, mut is_answered, mut is_stopped) = (Vec::new(), false, !MOVES.contains(&command));
        while !is_answered || !is_stopped {
            let message = self.receive();
            if message["type"] == "response" {
                assert_eq!(message["request_seq"], own, "{message}");
                is_answered = true;
                // What is refused moves nothing.
                is_stopped |= message["success"] == false;
            }
            is_stopped |= message["event"] == "stopped" || message["event"] == "terminated";
            all.push(message);
        }
        if command == "disconnect" {
            return all;
        }
        // What comes before the answer to another request was said because of this one.
        let sync = self.send("threads", &json!({}));
        loop {
            let message = self.receive();
            if message["type"] == "response" && message["request_seq"] == sync {
                return all;
            }
            all.push(message);
        }
    }
}

pub fn start(args: &[&str], folder: &Path) -> (Child, Editor<ChildStdout, ChildStdin>) {
    let mut adapter = command(args).current_dir(folder).stdin(Stdio::piped()).spawn().unwrap();
    let (to, from) = (adapter.stdin.take().unwrap(), adapter.stdout.take().unwrap());
    (adapter, Editor::new(from, to))
}

/// A message as a line of a record.
fn line(message: &Json) -> String {
    let body = match &message["body"] {
        Json::Null => String::new(),
        // What the adapter can do is not for each record.
        _ if message["command"] == "initialize" => " …".to_owned(),
        body => format!(" {body}"),
    };
    match (message["type"].as_str(), message["success"].as_bool()) {
        (Some("event"), _) => format!("* {}{body}\n", message["event"].as_str().unwrap()),
        (_, Some(false)) => format!("! {}\n", message["message"].as_str().unwrap().replace('\n', " / ")),
        _ => format!("<{body}\n"),
    }
}

/// Plays a record again: everything comes back as it says.
fn replay(name: &str) {
    let path = data().join("dap").join(format!("{name}.txt"));
    let record = std::fs::read_to_string(&path).unwrap();
    let folder = scratch(&format!("dap-{name}"));
    let place = text(&folder).to_owned();
    let (mut adapter, mut editor) = start(&["dap"], &folder);
    let (mut written, mut file, mut requests) = (String::new(), None, 0);
    let (mut numbers, mut last) = (Vec::new(), 0);
    for own in record.lines() {
        if let Some(name) = own.strip_prefix("file ") {
            file = Some(folder.join(name));
            std::fs::write(folder.join(name), "").unwrap();
        } else if let Some(content) = own.strip_prefix("    ") {
            let path = file.as_ref().expect("lines belong to a file");
            let before = std::fs::read_to_string(path).unwrap();
            std::fs::write(path, format!("{before}{content}\n")).unwrap();
        } else if let Some(request) = own.strip_prefix("> ") {
            requests += 1;
            let (command, arguments) = request.split_once(' ').unwrap_or((request, "{}"));
            let arguments = serde_json::from_str(&arguments.replace("DIR", &place)).unwrap();
            written += &format!("{own}\n");
            for message in editor.exchange(command, &arguments) {
                numbers.push(message["seq"].as_u64().unwrap());
                written += &line(&message).replace(&place, "DIR");
            }
            continue;
        } else if own.starts_with(['<', '!', '*']) {
            continue;
        }
        written += &format!("{own}\n");
    }
    for number in numbers {
        assert!(number > last, "messages are numbered upward");
        last = number;
    }
    assert!(requests > 10, "{requests}");
    assert!(adapter.wait().unwrap().success());
    if std::env::var_os("GPUZOO_BLESS").is_some() {
        std::fs::write(&path, &written).unwrap();
        return;
    }
    for (number, (expected, found)) in record.lines().zip(written.lines()).enumerate() {
        assert_eq!(expected, found, "{name}.txt:{}", number + 1);
    }
    assert_eq!(record, written, "{name}.txt");
}

#[test]
fn a_session_on_dreambox() {
    replay("dreambox");
}

#[test]
fn a_session_on_nv2a() {
    replay("nv2a");
}

#[test]
fn a_session_on_picogpu() {
    replay("picogpu");
}

#[test]
fn a_session_on_servaru() {
    replay("servaru");
}

#[test]
fn a_session_on_vera() {
    replay("vera");
}

#[test]
fn a_session_on_a_source_in_wgsl() {
    replay("wgsl");
}

/// All that the adapter says it can do is a request that it has.
#[test]
fn what_it_says_it_can() {
    let folder = scratch("dap-can");
    std::fs::write(folder.join("one.s"), "start: rts\n").unwrap();
    let (_adapter, mut editor) = start(&["dap"], &folder);
    let can = editor.exchange("initialize", &json!({}))[0]["body"].clone();
    for (about, command) in [
        ("supportsConfigurationDoneRequest", "configurationDone"),
        ("supportsFunctionBreakpoints", "setFunctionBreakpoints"),
        ("supportsExceptionInfoRequest", "exceptionInfo"),
        ("supportsStepBack", "stepBack"),
        ("supportsStepBack", "reverseContinue"),
        ("supportsSetVariable", "setVariable"),
        ("supportsSetExpression", "setExpression"),
        ("supportsGotoTargetsRequest", "gotoTargets"),
        ("supportsCompletionsRequest", "completions"),
        ("supportsLoadedSourcesRequest", "loadedSources"),
        ("supportsDataBreakpoints", "dataBreakpointInfo"),
        ("supportsDataBreakpoints", "setDataBreakpoints"),
        ("supportsReadMemoryRequest", "readMemory"),
        ("supportsWriteMemoryRequest", "writeMemory"),
        ("supportsDisassembleRequest", "disassemble"),
        ("supportsInstructionBreakpoints", "setInstructionBreakpoints"),
        ("supportsBreakpointLocationsRequest", "breakpointLocations"),
    ] {
        assert_eq!(can[about], true, "{about}");
        if command == "configurationDone" {
            editor.exchange("launch", &json!({ "program": "one.s" }));
        }
        let answer = editor.exchange(command, &json!({}));
        let why = answer[0]["message"].as_str().unwrap_or_default();
        assert!(!why.contains("there is no request"), "{command}: {why}");
        assert!(answer[0]["success"] == true || why.starts_with("error[G03"), "{command}: {why}");
    }
    let answer = editor.exchange("stackTrace", &json!({ "threadId": 7 }));
    assert!(answer[0]["message"].as_str().unwrap().starts_with("error[G0342]: there is no thread"));
    // Addresses that no number holds.
    let most = i64::MAX;
    let asked =
        json!({ "memoryReference": "0", "offset": most, "instructionOffset": most, "instructionCount": 1 });
    assert_eq!(editor.exchange("disassemble", &asked)[0]["success"], false);
    let answer = editor.exchange("stepInTargets", &json!({}));
    assert!(answer[0]["message"].as_str().unwrap().starts_with("error[G0340]: there is no request"));
    // Not JSON, and no request.
    write!(editor.to, "Content-Length: 1\r\n\r\n{{").unwrap();
    editor.to.flush().unwrap();
    assert!(editor.receive()["message"].as_str().unwrap().contains("error[G0340]: this is no JSON"));
    editor.exchange("disconnect", &json!({}));
}

/// It reads what it names, and neither its options nor what is typed in the editor's console write.
#[test]
fn a_launch_writes_nothing() {
    let folder = scratch("dap-writes");
    let place = folder.join("in");
    std::fs::create_dir(&place).unwrap();
    std::fs::write(folder.join("one.s"), "start: rts\n").unwrap();
    let (_adapter, mut editor) = start(&["dap"], &place);
    editor.exchange("initialize", &json!({}));
    for args in [
        &["--output", "new"][..],
        &["--vram", "new"],
        &["--save-state", "new"],
        &["--script", "new"],
        &["--allow-write", "."],
        &["--emit-inputs", "new"],
    ] {
        let answer = editor.exchange("launch", &json!({ "program": "../one.s", "args": args }));
        assert_eq!(answer[0]["success"], false, "{args:?}: {answer:?}");
    }
    let answer = editor.exchange("launch", &json!({ "program": "../one.s", "args": ["--files", "."] }));
    assert_eq!(answer.iter().find(|one| one["command"] == "launch").unwrap()["success"], true, "{answer:?}");
    editor.exchange("configurationDone", &json!({}));
    let answer = editor.exchange("evaluate", &json!({ "expression": "save new", "context": "repl" }));
    assert_eq!(answer[0]["success"], false, "{answer:?}");
    editor.exchange("disconnect", &json!({}));
    assert_eq!(std::fs::read_dir(&place).unwrap().count(), 0);
}

/// On a port: who speaks no protocol is sent away, the next is served; a run without an end can be paused, and goes back.
#[test]
fn a_port_serves_one_after_the_other() {
    let folder = scratch("dap-port");
    std::fs::write(folder.join("endless.s"), "loop: inc $22\n bra loop\n").unwrap();
    let mut adapter = command(&["dap", "--port", "0"]).current_dir(&folder).spawn().unwrap();
    let mut said = String::new();
    BufReader::new(adapter.stderr.as_mut().unwrap()).read_line(&mut said).unwrap();
    let address = said.trim().strip_prefix("listening on ").unwrap();
    assert!(address.starts_with("127.0.0.1:"), "{address}");
    let mut browser = TcpStream::connect(address).unwrap();
    write!(browser, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{{}}").unwrap();
    let mut answer = Vec::new();
    let _ = browser.read_to_end(&mut answer);
    assert_eq!(answer, b"");
    for _ in 0..2 {
        let stream = TcpStream::connect(address).unwrap();
        let mut editor = Editor::new(stream.try_clone().unwrap(), stream);
        editor.exchange("initialize", &json!({}));
        editor.exchange("launch", &json!({ "program": "endless.s" }));
        editor.exchange("configurationDone", &json!({}));
        let own = editor.send("continue", &json!({ "threadId": 1 }));
        assert_eq!(editor.receive()["request_seq"], own);
        editor.send("evaluate", &json!({ "expression": "A" }));
        let refused = editor.receive();
        assert!(refused["message"].as_str().unwrap().starts_with("error[G0341]: a run goes on"), "{refused}");
        let paused = editor.exchange("pause", &json!({ "threadId": 1 }));
        assert_eq!(paused[1]["body"]["reason"], "pause", "{paused:?}");
        let back = editor.exchange("reverseContinue", &json!({ "threadId": 1 }));
        assert_eq!(back[1]["body"]["reason"], "entry", "{back:?}");
        let counted = editor.exchange("evaluate", &json!({ "expression": "ram[$22]" }));
        assert_eq!(counted[0]["body"]["result"], "00");
        editor.exchange("disconnect", &json!({}));
    }
    // Nobody else can have the port.
    let port = address.rsplit(':').next().unwrap();
    let taken = gpuzoo(&["dap", "--port", port]);
    assert!(taken.code == 2 && taken.err.contains("error[G0134]"), "{}", taken.err);
    adapter.kill().unwrap();
    adapter.wait().unwrap();
}

#[test]
fn streams_that_are_no_protocol_end_the_adapter() {
    for stream in ["hello\n\n", "Content-Length: 5\r\n\r\n{}", "Content-Length: x\r\n\r\n"] {
        let done = crate::common::done(&raw(&["dap"], stream.as_bytes()));
        assert_eq!((done.code, &done.out[..]), (2, ""), "{stream}");
        assert!(done.err.contains("error[G0133]"), "{}", done.err);
    }
    // An editor that goes without a word.
    assert_eq!(gpuzoo(&["dap"]).code, 0);
}

/// The attributes that VS Code's extension describes are those that a launch has: another one is refused with the nearest of them.
#[test]
fn the_extension_has_the_attributes_of_a_launch() {
    let package = std::fs::read(data().join("../../../../editors/vscode/package.json")).unwrap();
    let package: Json = serde_json::from_slice(&package).unwrap();
    let described =
        &package["contributes"]["debuggers"][0]["configurationAttributes"]["launch"]["properties"];
    let described: Vec<&String> = described.as_object().unwrap().keys().collect();
    assert!(described.len() > 10, "{described:?}");
    let folder = scratch("dap-attributes");
    std::fs::write(folder.join("one.s"), "start: rts\n").unwrap();
    for name in described {
        let (_adapter, mut editor) = start(&["dap"], &folder);
        editor.exchange("initialize", &json!({}));
        let mut arguments = json!({ "program": "one.s" });
        arguments[format!("{name}z")] = json!(0);
        let said = editor.exchange("launch", &arguments);
        let text = said[0]["message"].as_str().unwrap();
        assert!(text.starts_with("error[G0141]") && text.contains("did you mean"), "{name}: {text}");
        editor.exchange("disconnect", &json!({}));
    }
}

/// Whole sessions by Microsoft's client, where it is installed: `npm install` in `editors/vscode/test`.
#[test]
fn sessions_of_another_client() {
    let folder = data().join("../../../../editors/vscode/test");
    let node = std::process::Command::new("node").arg("--version").output();
    let missing = match node.is_ok_and(|node| node.status.success()) {
        false => "Node",
        true if !folder.join("node_modules/@vscode/debugadapter-testsupport").exists() => {
            "`npm install` in editors/vscode/test"
        }
        true => {
            let mut tests = std::process::Command::new("node");
            tests.args(["--test", "sessions.test.js"]).current_dir(&folder);
            tests.env("GPUZOO", env!("CARGO_BIN_EXE_gpuzoo"));
            let done = tests.output().unwrap();
            assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stdout));
            return;
        }
    };
    gpuzoo_skipped::say(&format!("{missing} is missing: sessions of Microsoft's debug client"));
}
