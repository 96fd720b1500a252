//! Running the program.

use serde_json::Value as Json;
use std::io::{BufRead, Write};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// What came out.
pub struct Done {
    pub code: i32,
    pub out: String,
    pub err: String,
}

/// The folder of the test data, in which the program runs.
pub fn data() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data")
}

/// The program with some arguments, independent of the surroundings.
pub fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gpuzoo"));
    command.args(args).current_dir(data()).env_remove("NO_COLOR").env_remove("FORCE_COLOR");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs it with bytes on standard input.
pub fn raw(args: &[&str], stdin: &[u8]) -> Output {
    let mut child = command(args).stdin(Stdio::piped()).spawn().expect("the program starts");
    let mut pipe = child.stdin.take().expect("standard input is a pipe");
    let bytes = stdin.to_vec();
    // A program that stops early closes the pipe, which is its right. A thread, because both pipes may fill up.
    let writer = std::thread::spawn(move || drop(pipe.write_all(&bytes)));
    let output = child.wait_with_output().expect("the program ends");
    writer.join().expect("the writer ends");
    output
}

/// Runs it with a text on standard input.
pub fn with_input(args: &[&str], stdin: &str) -> Done {
    done(&raw(args, stdin.as_bytes()))
}

/// Runs it with nothing on standard input.
pub fn gpuzoo(args: &[&str]) -> Done {
    with_input(args, "")
}

pub fn done(output: &Output) -> Done {
    Done {
        code: output.status.code().expect("no signal ended the program"),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// A folder for the files of one test.
pub fn scratch(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    folder
}

pub fn text(path: &std::path::Path) -> &str {
    path.to_str().expect("the path is text")
}

/// Sends a message as editors frame it.
pub fn send_frame(to: &mut impl Write, message: &Json) {
    let text = message.to_string();
    write!(to, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
    to.flush().unwrap();
}

/// The next message that a server sends.
pub fn receive_frame(from: &mut impl BufRead) -> Json {
    let mut length = 0;
    loop {
        let mut line = String::new();
        assert!(from.read_line(&mut line).unwrap() > 0, "the server has ended");
        match line.trim_end().split_once(": ") {
            Some(("Content-Length", value)) => length = value.parse().unwrap(),
            _ => break,
        }
    }
    let mut bytes = vec![0; length];
    from.read_exact(&mut bytes).unwrap();
    serde_json::from_slice(&bytes).unwrap()
}
