//! `dap`: recorded sessions of an editor with each machine's programs.
//!
//! A record in `tests/data/dap` has the files of a session, the requests (`>`), and what comes back: responses (`<`), errors (`!`)
//! and events (`*`). `GPUZOO_BLESS=1` writes what comes back.

use crate::common::{command, data, gpuzoo, raw, scratch, text};
use serde_json::{Value as Json, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

/// An editor, over any two streams.
struct Editor<R: Read, W: Write> {
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
        let message = message.to_string();
        write!(self.to, "Content-Length: {}\r\n\r\n{message}", message.len()).unwrap();
        self.to.flush().unwrap();
        self.asked
    }

    fn receive(&mut self) -> Json {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert!(self.from.read_line(&mut line).unwrap() > 0, "the adapter has ended");
            match line.trim_end().split_once(": ") {
                Some(("Content-Length", value)) => length = value.parse().unwrap(),
                _ => break,
            }
        }
        let mut bytes = vec![0; length];
        self.from.read_exact(&mut bytes).unwrap();
        serde_json::from_slice(&bytes).unwrap()
    }

    /// All that comes back for a request: when it moves the run, up to the stop.
    fn exchange(&mut self, command: &str, arguments: &Json) -> Vec<Json> {
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

fn start(args: &[&str], folder: &Path) -> (Child, Editor<ChildStdout, ChildStdin>) {
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
