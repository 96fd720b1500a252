//! Running one golden file.

use crate::literal;
use crate::text::{self, Mark, RunLine, Setting};
use gpuzoo_diag::{Diagnostic, File, Sources};
use gpuzoo_ir::Vec4;
use gpuzoo_ir::eval::{NoTextures, Run};
use gpuzoo_isa::{FileKind, Program, Reg};
use gpuzoo_machine::Gpu;
use std::path::Path;

/// Checks a file; the error says what is not as expected.
pub fn file(gpu: &dyn Gpu, path: &Path) -> Result<(), String> {
    let source = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let usual = gpu.about().isa.syntax.line_comments.first().copied().unwrap_or("//");
    let leader = text::leader(&source).unwrap_or(usual);
    let header = text::header(&source, leader)?;
    let bless = header.from == "self" && std::env::var_os("GPUZOO_BLESS").is_some();
    let mut blessed = source.clone();
    for kind in &header.kinds {
        match kind.as_str() {
            "encode" => encode(gpu, &source, leader, bless.then_some(&mut blessed))?,
            "roundtrip" => roundtrip(gpu, &source)?,
            "run" => run(gpu, &source, leader, bless.then_some(&mut blessed))?,
            "messages" => messages(gpu, &source, leader, bless.then_some(&mut blessed))?,
            "load" => load(gpu, &source, leader, bless.then_some(&mut blessed))?,
            _ => return Err(format!("there is no test `{kind}`")),
        }
    }
    if blessed != source {
        std::fs::write(path, blessed).map_err(|error| error.to_string())?;
    }
    Ok(())
}

fn assemble(gpu: &dyn Gpu, text: &str) -> Result<Program, String> {
    let file = File::new("golden", text);
    let assembled = gpu.assemble(&file);
    if assembled.ok() {
        return Ok(assembled.program);
    }
    let mut sources = Sources::default();
    sources.add("golden", text);
    Err(gpuzoo_diag::render::short(&sources, &assembled.diagnostics))
}

fn encode(gpu: &dyn Gpu, source: &str, leader: &str, bless: Option<&mut String>) -> Result<(), String> {
    let isa = gpu.about().isa;
    let words = assemble(gpu, source)?.words(isa);
    // What an empty program gets, too, need not be written into every file.
    let appended = gpu.assemble(&File::new("golden", "")).program.words(isa);
    let written = words.strip_suffix(appended.as_slice()).unwrap_or(&words);
    let expected = text::hex_words(source, leader, "enc:")?;
    if expected == written || expected == words {
        return Ok(());
    }
    let show = |words: &[u32]| words.iter().map(|word| format!("{word:08x}")).collect::<Vec<_>>().join(" ");
    match bless {
        Some(blessed) => {
            let kept = blessed.lines().filter(|line| text::comment(line, leader, "enc:").is_none());
            *blessed = kept.map(|line| format!("{line}\n")).collect::<String>();
            *blessed += &format!("{leader} enc: {}\n", show(written));
            Ok(())
        }
        None => Err(format!("words\n  expected {}\n  got      {}", show(&expected), show(written))),
    }
}

fn roundtrip(gpu: &dyn Gpu, source: &str) -> Result<(), String> {
    let isa = gpu.about().isa;
    let program = assemble(gpu, source)?;
    let text = gpu.disassemble(&program);
    let again = assemble(gpu, &text).map_err(|error| format!("{text}\n{error}"))?;
    if again.words(isa) != program.words(isa) {
        return Err(format!("disassembles to a text of other words:\n{text}"));
    }
    let file = File::new("binary", "");
    let loaded = gpu.load(&gpu.save(&program), file.whole());
    if loaded.program.words(isa) != program.words(isa) {
        return Err("the binary loads as other words".into());
    }
    Ok(())
}

fn run(gpu: &dyn Gpu, source: &str, leader: &str, mut bless: Option<&mut String>) -> Result<(), String> {
    let isa = gpu.about().isa;
    let program = assemble(gpu, source)?;
    for line in text::runs(source, leader, isa)? {
        let got = run_line(gpu, &program, &line);
        let wrong = line.expected.iter().zip(&got).any(|((_, expected), got)| {
            expected.iter().zip(got).any(|(expected, &got)| !expected.accepts(got))
        });
        if !wrong {
            continue;
        }
        let regs = line.expected.iter().map(|(reg, _)| *reg).zip(got);
        let shown: Vec<String> = regs.map(|(reg, lanes)| show(&isa.reg_name(reg), lanes)).collect();
        match &mut bless {
            Some(blessed) => {
                let mut lines: Vec<String> = blessed.lines().map(str::to_owned).collect();
                if let Some((given, _)) = lines[line.line].clone().split_once("->") {
                    lines[line.line] = format!("{given}-> {}", shown.join(" "));
                }
                **blessed = lines.join("\n") + "\n";
            }
            None => return Err(format!("line {}: got {}", line.line + 1, shown.join(" "))),
        }
    }
    Ok(())
}

fn show(name: &str, lanes: Vec4) -> String {
    format!("{name}=({})", lanes.map(literal::show).join(","))
}

/// The values of the expected registers after a run.
fn run_line(gpu: &dyn Gpu, program: &Program, line: &RunLine) -> Vec<Vec4> {
    let isa = gpu.about().isa;
    let profile = gpu.about().profiles[0];
    let kind = |reg: Reg| isa.file(reg).kind;
    let (mut inputs, mut uniforms, mut preset) = (Vec::new(), Vec::new(), Vec::new());
    for (reg, lanes) in &line.given {
        let bits = lanes.map(|lane| lane.bits());
        match kind(*reg) {
            FileKind::Input => put(&mut inputs, reg.index, bits),
            FileKind::Uniform => put(&mut uniforms, reg.index, bits),
            FileKind::Temporary(_) | FileKind::Output(_) => preset.push((*reg, bits)),
        }
    }
    // A preset changes the meaning of the program as lowered, so it is lowered for each line.
    let lowered = isa.lower(program, profile, &preset);
    let mut run = Run::default();
    run.run(&lowered.function, &inputs, &uniforms, &NoTextures);
    let value = |(reg, _): &Setting| lowered.last(*reg).map_or([0; 4], |value| run.value(value));
    line.expected.iter().map(value).collect()
}

fn put(list: &mut Vec<Vec4>, index: u16, bits: Vec4) {
    let index = index as usize;
    if list.len() <= index {
        list.resize(index + 1, [0; 4]);
    }
    list[index] = bits;
}

/// Every error and warning must be marked, and every mark must be one.
fn messages(gpu: &dyn Gpu, source: &str, leader: &str, bless: Option<&mut String>) -> Result<(), String> {
    let (code, mut expected) = text::split_marks(source, leader);
    let file = File::new("golden", &code);
    let assembled = gpu.assemble(&file);
    let mut problems = assembled.diagnostics.clone();
    if assembled.ok() {
        problems.extend(gpu.check(&assembled.program));
    }
    let mut got: Vec<Mark> = problems.iter().map(|problem| mark(&file, problem)).collect();
    got.sort();
    expected.sort();
    if got == expected {
        return Ok(());
    }
    let marked = text::insert_marks(&code, &got, leader);
    match bless {
        Some(blessed) => *blessed = marked,
        None => return Err(format!("the messages are\n{marked}")),
    }
    Ok(())
}

/// The mark of a problem: its main span, cut at the end of its first line and at least one caret wide.
fn mark(file: &File, problem: &Diagnostic) -> Mark {
    let span = problem.span().unwrap_or(file.span(0..0));
    let place = file.place(span.start);
    let line_end = file.line(place.line).len();
    let start = place.column - 1;
    let end = (start + (span.end - span.start) as usize).min(line_end.max(start)).max(start + 1);
    Mark {
        line: place.line - 1,
        columns: (start, end),
        text: format!("{} {}", problem.code.id, problem.message),
    }
}

/// `bytes:` lines as a binary, `at START..END CODE message` lines as its problems.
fn load(gpu: &dyn Gpu, source: &str, leader: &str, bless: Option<&mut String>) -> Result<(), String> {
    let bytes: Vec<u8> = text::hex_words(source, leader, "bytes:")?.iter().map(|&byte| byte as u8).collect();
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
    let expected: Vec<&str> = source.lines().filter_map(|line| text::comment(line, leader, "at ")).collect();
    if got == expected {
        return Ok(());
    }
    match bless {
        Some(blessed) => {
            let kept = blessed.lines().filter(|line| text::comment(line, leader, "at ").is_none());
            *blessed = kept.map(|line| format!("{line}\n")).collect::<String>();
            *blessed += &got.iter().map(|line| format!("{leader} at {line}\n")).collect::<String>();
            Ok(())
        }
        None => Err(format!("the messages are\n{}", got.join("\n"))),
    }
}
