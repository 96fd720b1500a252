//! What a golden file says, against what the machine does.

use crate::file::{Edits, Golden, Kind, Line, Mark};
use crate::run::{self, Runs};
use gpuzoo_diag::{Diagnostic, File, Sources};
use gpuzoo_isa::{Op, Program};
use gpuzoo_machine::ShaderUnit;
use gpuzoo_machine::TextOptions;
use std::path::Path;

/// What a file in a folder must show beside what it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject<'a> {
    /// Nothing: a program of `programs/`.
    None,
    /// A mnemonic: its program has a row of it, whose absence a `run:` line would notice.
    Mnemonic(&'a str),
    /// The code of a diagnostic: it is among the messages.
    Code(&'a str),
}

impl<'a> Subject<'a> {
    /// What a file of this name is about: `ops/add_operands.vu`, `err/A0101_unknown.vu`.
    pub fn of(path: &'a Path) -> Subject<'a> {
        let name = |part: Option<&'a std::ffi::OsStr>| part.and_then(|part| part.to_str()).unwrap_or("");
        let stem = name(path.file_stem()).split('_').next().unwrap_or("");
        match name(path.parent().and_then(Path::file_name)) {
            "ops" => Subject::Mnemonic(stem),
            "err" => Subject::Code(stem),
            _ => Subject::None,
        }
    }
}

/// What came of a text.
#[derive(Default)]
struct Outcome {
    /// What differs from the expectations.
    wrong: Vec<String>,
    /// What would make them right.
    edits: Edits,
    /// The rows of the file's mnemonic that its `run:` lines hold.
    rows: Vec<&'static Op>,
}

/// Checks a file. With `bless`, expectations of a file `from: self` are rewritten where they differ, all or none, and only
/// if the file passes then.
///
/// Gives the rows that the file's `run:` lines hold: those of the mnemonic that it is named after.
///
/// # Errors
/// What is wrong.
pub fn file(gpu: &dyn ShaderUnit, path: &Path, bless: bool) -> Result<Vec<&'static Op>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let subject = Subject::of(path);
    let outcome = outcome(gpu, &text, subject)?;
    if outcome.wrong.is_empty() {
        return Ok(outcome.rows);
    }
    let wrong = outcome.wrong.join("\n");
    if !bless {
        return Err(wrong);
    }
    if Golden::parse(&text)?.from != "self" {
        return Err(format!("{wrong}\nnot blessed: the file has another authority than this program itself"));
    }
    let blessed = outcome.edits.apply(&text);
    let again = self::outcome(gpu, &blessed, subject)?;
    if !again.wrong.is_empty() {
        return Err(format!("not blessed: afterwards {}", again.wrong.join("\n")));
    }
    std::fs::write(path, blessed).map_err(|error| error.to_string())?;
    Ok(again.rows)
}

fn outcome(gpu: &dyn ShaderUnit, text: &str, subject: Subject) -> Result<Outcome, String> {
    let golden = Golden::parse(text)?;
    let mut outcome = Outcome::default();
    // Codes of the messages, for a file that is named after one.
    let mut codes = Vec::new();
    for kind in &golden.kinds {
        match kind {
            Kind::Encode => encode(gpu, text, &golden, &mut outcome)?,
            Kind::Roundtrip => roundtrip(gpu, text)?,
            Kind::Run | Kind::Nop => runs(gpu, text, &golden, subject, &mut outcome)?,
            Kind::Messages => codes.extend(messages(gpu, text, &golden, &mut outcome)?),
            Kind::Clean => clean(gpu, text)?,
            Kind::Load => codes.extend(load(gpu, &golden, &mut outcome)?),
        }
    }
    match subject {
        Subject::Code(code) if !codes.contains(&code) => Err(format!(
            "{code}, after which the file is named, is not among the messages: {}",
            codes.join(" ")
        )),
        Subject::Mnemonic(name) if run::rows(&assemble(gpu, text)?, name).is_empty() => {
            Err(format!("the program has no `{name}`, after which the file is named"))
        }
        _ => Ok(outcome),
    }
}

fn assemble(gpu: &dyn ShaderUnit, text: &str) -> Result<Program, String> {
    let file = File::new("golden", text);
    let assembled = gpu.assemble(&file, &TextOptions::default());
    if assembled.ok() {
        return Ok(assembled.program);
    }
    let mut sources = Sources::default();
    sources.add("golden", text);
    Err(gpuzoo_diag::render::short(&sources, &assembled.diagnostics))
}

/// The words of a program, and those of an empty one: what every program gets need not be written into every file.
fn words(gpu: &dyn ShaderUnit, text: &str) -> Result<(Vec<u32>, Vec<u32>), String> {
    let isa = gpu.isa();
    Ok((
        assemble(gpu, text)?.words(isa),
        gpu.assemble(&File::new("golden", ""), &TextOptions::default()).program.words(isa),
    ))
}

fn encode(gpu: &dyn ShaderUnit, text: &str, golden: &Golden, outcome: &mut Outcome) -> Result<(), String> {
    let (words, appended) = words(gpu, text)?;
    let written = words.strip_suffix(appended.as_slice()).unwrap_or(&words);
    let expected = golden.hexadecimal("enc")?;
    if !expected.is_empty() && (expected == written || expected == words) {
        return Ok(());
    }
    if written.is_empty() {
        return Err("the program is empty".into());
    }
    let show = |words: &[u32]| words.iter().map(|word| format!("{word:08x}")).collect::<Vec<_>>().join(" ");
    outcome.wrong.push(match expected[..] {
        [] => format!("no line `enc:`; the words are {}", show(written)),
        _ => format!("words\n  expected {}\n  got      {}", show(&expected), show(written)),
    });
    let mut below = golden.lines.len() - 1;
    for (line, ..) in golden.keys("enc") {
        outcome.edits.remove(line);
        below = line;
    }
    for words in written.chunks(6) {
        outcome.edits.insert(below, format!("{} enc: {}", golden.leader, show(words)));
    }
    Ok(())
}

fn roundtrip(gpu: &dyn ShaderUnit, source: &str) -> Result<(), String> {
    let isa = gpu.isa();
    let (words, appended) = words(gpu, source)?;
    if words == appended {
        return Err("the program is empty".into());
    }
    let program = assemble(gpu, source)?;
    let text = gpu.disassemble(&program, &TextOptions { exact: true, ..TextOptions::default() }).0;
    let again = assemble(gpu, &text).map_err(|error| format!("{text}\n{error}"))?;
    if again.words(isa) != words {
        return Err(format!("disassembles to a text of other words:\n{text}"));
    }
    let file = File::new("binary", "");
    let loaded = gpu.load(&gpu.save(&program), file.whole());
    if loaded.program.words(isa) != words {
        return Err("the binary loads as other words".into());
    }
    Ok(())
}

fn runs(
    gpu: &dyn ShaderUnit,
    text: &str,
    golden: &Golden,
    subject: Subject,
    outcome: &mut Outcome,
) -> Result<(), String> {
    let program = assemble(gpu, text)?;
    let runs = Runs::new(gpu, &program, golden)?;
    let before = outcome.wrong.len();
    runs.check(&mut outcome.wrong, &mut outcome.edits, golden.leader)?;
    // Results that are not as expected cannot show what a row does.
    let Subject::Mnemonic(name) = subject else { return Ok(()) };
    if outcome.wrong.len() > before {
        return Ok(());
    }
    outcome.rows = run::rows(&program, name);
    for row in &outcome.rows {
        match (runs.notice(row), golden.tests(Kind::Nop)) {
            (false, false) => return Err(format!("no line `run:` would notice if {row:?} did nothing")),
            (true, true) => return Err(format!("`nop` says that {row:?} does nothing, and it does")),
            _ => {}
        }
    }
    Ok(())
}

/// Errors of a text or, if there are none, errors and warnings of the program.
fn problems(gpu: &dyn ShaderUnit, file: &File) -> Vec<Diagnostic> {
    let assembled = gpu.assemble(file, &TextOptions::default());
    let mut problems = assembled.diagnostics.clone();
    if assembled.ok() {
        problems.extend(gpu.check(&assembled.program));
    }
    problems
}

fn clean(gpu: &dyn ShaderUnit, text: &str) -> Result<(), String> {
    let (words, appended) = words(gpu, text)?;
    match problems(gpu, &File::new("golden", text)).first() {
        Some(problem) => {
            Err(format!("a message where none is expected: {} {}", problem.code.id, problem.message))
        }
        None if words == appended => Err("the program is empty".into()),
        None => Ok(()),
    }
}

/// Every error and warning must be marked, and every mark must be one. Gives their codes.
fn messages(
    gpu: &dyn ShaderUnit,
    text: &str,
    golden: &Golden,
    outcome: &mut Outcome,
) -> Result<Vec<&'static str>, String> {
    // The text without its marks, and the lines of the file that its lines are.
    let (mut code, mut places) = (String::new(), Vec::new());
    for (index, (line, parsed)) in text.lines().zip(&golden.lines).enumerate() {
        if !matches!(parsed, Line::Mark(_)) {
            code += line;
            code.push('\n');
            places.push(index);
        }
    }
    let file = File::new("golden", &code);
    let problems = problems(gpu, &file);
    let mut got: Vec<Mark> =
        problems.iter().map(|problem| mark(&file, problem, golden.leader.len())).collect();
    got.sort();
    if got.is_empty() {
        return Err("there are no messages; a file without has the test `clean`".into());
    }
    let mut expected: Vec<Mark> = golden.marks().cloned().collect();
    expected.sort();
    if got != expected {
        let shown = got
            .iter()
            .map(|mark| format!("{}\n{}", code.lines().nth(mark.line).unwrap_or(""), golden.mark_line(mark)));
        outcome.wrong.push(format!("the messages are\n{}", shown.collect::<Vec<_>>().join("\n")));
        let marks = golden.lines.iter().enumerate().filter(|(_, line)| matches!(line, Line::Mark(_)));
        marks.for_each(|(index, _)| outcome.edits.remove(index));
        for mark in &got {
            outcome.edits.insert(places.get(mark.line).copied().unwrap_or(0), golden.mark_line(mark));
        }
    }
    Ok(problems.iter().map(|problem| problem.code.id).collect())
}

/// The mark of a problem: its main span, cut at the end of its first line and at least one caret wide. Columns before
/// `first`, where the leader is, cannot be marked.
fn mark(file: &File, problem: &Diagnostic, first: usize) -> Mark {
    let span = problem.span().unwrap_or(file.span(0..0));
    let place = file.place(span.start);
    let line_end = file.line(place.line).len();
    let start = place.column - 1;
    let end = (start + (span.end - span.start) as usize).min(line_end.max(start));
    let start = start.max(first);
    let end = end.max(start + 1);
    Mark {
        line: place.line - 1,
        columns: (start, end),
        text: format!("{} {}", problem.code.id, problem.message),
    }
}

/// `bytes:` lines as a binary, `at: START..END CODE message` lines as its problems. Gives their codes.
fn load(gpu: &dyn ShaderUnit, golden: &Golden, outcome: &mut Outcome) -> Result<Vec<&'static str>, String> {
    let bytes = golden.hexadecimal("bytes")?.into_iter().map(u8::try_from).collect::<Result<Vec<u8>, _>>();
    let bytes = bytes.map_err(|_| "a byte has two digits")?;
    if bytes.is_empty() {
        return Err("no line `bytes:`".into());
    }
    let file = File::new("binary", "");
    let loaded = gpu.load(&bytes, file.span(0..bytes.len()));
    let mut problems = loaded.diagnostics.clone();
    if loaded.ok() {
        problems.extend(gpu.check(&loaded.program));
    }
    let line = |problem: &Diagnostic| {
        let span = problem.span().unwrap_or_default();
        format!("{}..{} {} {}", span.start, span.end, problem.code.id, problem.message)
    };
    let got: Vec<String> = problems.iter().map(line).collect();
    if got.is_empty() {
        return Err("the bytes have no messages".into());
    }
    let expected: Vec<&str> = golden.keys("at").map(|(.., value)| value).collect();
    if got != expected {
        outcome.wrong.push(format!("the messages are\n{}", got.join("\n")));
        let mut below = golden.lines.len() - 1;
        for (line, ..) in golden.keys("at") {
            outcome.edits.remove(line);
            below = line;
        }
        got.iter().for_each(|line| outcome.edits.insert(below, format!("{} at: {line}", golden.leader)));
    }
    Ok(problems.iter().map(|problem| problem.code.id).collect())
}
