//! A golden file, taken apart.

use crate::literal::{self, Lane};
use gpuzoo_isa::{Isa, Reg};

/// A register with four expected lanes.
pub type Setting = (Reg, [Lane; 4]);

/// A `run:` line.
pub struct RunLine {
    /// Its index in the file's lines.
    pub line: usize,
    /// What stands before the arrow.
    pub given: Vec<Setting>,
    /// What stands behind it.
    pub expected: Vec<Setting>,
}

/// A line of carets beneath a line of code.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mark {
    /// The line of code, from 0.
    pub line: usize,
    /// The columns, in bytes from 0.
    pub columns: (usize, usize),
    /// Code and message.
    pub text: String,
}

/// The header's words.
pub struct Header {
    /// What is tested.
    pub kinds: Vec<String>,
    /// Who says so.
    pub from: String,
}

/// What follows `leader` and `key` in a comment line.
pub fn comment<'a>(line: &'a str, leader: &str, key: &str) -> Option<&'a str> {
    Some(line.trim().strip_prefix(leader)?.trim().strip_prefix(key)?.trim())
}

/// What comments begin with: what stands before `test:` in the first line. A machine's dialects may differ in it.
pub fn leader(text: &str) -> Option<&str> {
    let (leader, _) = text.lines().next()?.split_once("test:")?;
    Some(leader.trim()).filter(|leader| !leader.is_empty())
}

/// The first line.
pub fn header(text: &str, leader: &str) -> Result<Header, String> {
    let first = text.lines().next().unwrap_or("");
    let wrong = || format!("the first line must be `{leader} test: KINDS from: AUTHORITY`");
    let (kinds, from) =
        comment(first, leader, "test:").and_then(|rest| rest.split_once("from:")).ok_or_else(wrong)?;
    let from = from.trim().to_owned();
    if !["self", "spec", "vectors", "hardware"].contains(&from.as_str()) {
        return Err(format!("`{from}` is no authority; known are self, spec, vectors and hardware"));
    }
    Ok(Header { kinds: kinds.split_whitespace().map(str::to_owned).collect(), from })
}

/// All words of the lines with `key`, as hexadecimal numbers.
pub fn hex_words(text: &str, leader: &str, key: &str) -> Result<Vec<u32>, String> {
    let lines = text.lines().filter_map(|line| comment(line, leader, key));
    let words = lines.flat_map(str::split_whitespace);
    words
        .map(|word| u32::from_str_radix(word, 16).map_err(|_| format!("`{word}` is not hexadecimal")))
        .collect()
}

/// The `run:` lines.
pub fn runs(text: &str, leader: &str, isa: &Isa) -> Result<Vec<RunLine>, String> {
    let mut runs = Vec::new();
    for (line, content) in text.lines().enumerate() {
        let Some(run) = comment(content, leader, "run:") else { continue };
        let (given, expected) = run.split_once("->").ok_or(format!("`{run}` has no `->`"))?;
        runs.push(RunLine { line, given: settings(given, isa)?, expected: settings(expected, isa)? });
    }
    Ok(runs)
}

/// `r0=(1,2,3,4) pos=(0,0,0,1)`
fn settings(text: &str, isa: &Isa) -> Result<Vec<Setting>, String> {
    let parts = text.split(')').map(str::trim).filter(|part| !part.is_empty());
    parts
        .map(|part| {
            let (name, lanes) =
                part.split_once("=(").ok_or(format!("`{part}` is not `register=(x,y,z,w)`"))?;
            let reg = isa.reg(name.trim()).ok_or(format!("there is no register `{name}`"))?;
            let lanes: Vec<Lane> =
                lanes.split(',').map(|lane| literal::lane(lane.trim())).collect::<Result<_, _>>()?;
            let lanes = lanes.try_into().map_err(|_| format!("`{part}` needs four lanes"))?;
            Ok((reg, lanes))
        })
        .collect()
}

/// The caret columns and the text of a mark line.
fn mark(line: &str, leader: &str) -> Option<((usize, usize), String)> {
    let body = line.strip_prefix(leader)?;
    let carets = body.trim_start();
    let count = carets.bytes().take_while(|&byte| byte == b'^').count();
    let start = line.len() - carets.len();
    (count > 0).then(|| ((start, start + count), carets[count..].trim().to_owned()))
}

/// The text without its mark lines, and the marks; their lines are counted in the text that is returned.
pub fn split_marks(text: &str, leader: &str) -> (String, Vec<Mark>) {
    let (mut code, mut marks) = (String::new(), Vec::new());
    let mut lines = 0usize;
    for line in text.lines() {
        match mark(line, leader) {
            Some((columns, text)) => marks.push(Mark { line: lines.saturating_sub(1), columns, text }),
            None => {
                code += line;
                code.push('\n');
                lines += 1;
            }
        }
    }
    (code, marks)
}

/// Puts mark lines beneath the lines of code that they belong to.
pub fn insert_marks(code: &str, marks: &[Mark], leader: &str) -> String {
    let mut text = String::new();
    for (index, line) in code.lines().enumerate() {
        text += line;
        text.push('\n');
        for mark in marks.iter().filter(|mark| mark.line == index) {
            let indent = mark.columns.0.saturating_sub(leader.len());
            let carets = "^".repeat(mark.columns.1 - mark.columns.0);
            text += &format!("{leader}{}{carets} {}\n", " ".repeat(indent), mark.text);
        }
    }
    text
}
