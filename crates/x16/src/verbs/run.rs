//! Runs of programs and traces, and what there is to say of them.

use super::files::FileChange;
use super::hot::{HOT, Hot};
use super::{Program, files, input, limits, state, unfit};
use crate::asm::registers;
use crate::lints::UNWRITTEN;
use crate::rules::{BASIC_PROGRAM, LIMIT};
use crate::{CYCLES_PER_SECOND, Cpu, Ending, Limits, Spent, X16};
use gpuzoo_diag::json::object;
use gpuzoo_diag::{Diagnostic, Severity, Sources, counted};
use gpuzoo_machine::computer::disk::Change;
use gpuzoo_machine::computer::{Files, Report};
use gpuzoo_machine::options::arguments::Arguments;
use gpuzoo_machine::text::grouped;
use gpuzoo_vera::trace::Trace;
use gpuzoo_vera::{BASE, Deviations, Drawing, Register, STATE, VRAM_BYTES, Vera};
use serde::Serialize;
use std::fmt::Write;

/// A program that ran.
struct Ran {
    /// Why it ended.
    ending: Ending,
    /// The machine as it was then.
    machine: X16,
    /// CPU cycles that it took.
    cycles: u64,
    /// Pictures that were completed.
    frames: u64,
}

/// Size of a program and, if it was run, its run, for scripts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct CheckFigures {
    /// The length of the program.
    pub bytes: usize,
    /// The CPU cycles that it took.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cycles: Option<u64>,
    /// The reason why it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ending: Option<String>,
}

/// A run of a program, for scripts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct RunFigures {
    /// The reason why it ended.
    pub ending: String,
    /// True if it came to its end, and not to a limit.
    pub ended: bool,
    /// The CPU cycles that it took.
    pub cycles: u64,
    /// The pictures that were completed.
    pub frames: u64,
    /// The text that it printed.
    pub output: String,
    /// Files and folders that it changed.
    pub files: Vec<FileChange>,
    /// The CPU at the end.
    pub registers: Registers,
    /// VERA at the end: names of [`STATE`] and their bits, hidden and write-only parts included.
    #[serde(serialize_with = "object")]
    pub state: Vec<(&'static str, u32)>,
    /// The places that the cycles went to, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hot: Option<Hot>,
}

/// The registers of the CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Registers {
    /// The accumulator.
    pub a: u8,
    /// The index register X.
    pub x: u8,
    /// The index register Y.
    pub y: u8,
    /// The stack pointer, an offset from $0100.
    pub s: u8,
    /// The flags: negative in bit 7, overflow, 1, break, decimal, no interrupts, zero, carry in bit 0.
    pub p: u8,
    /// The program counter.
    pub pc: u16,
}

impl From<&Cpu> for Registers {
    fn from(cpu: &Cpu) -> Registers {
        Registers { a: cpu.a, x: cpu.x, y: cpu.y, s: cpu.s, p: cpu.p, pc: cpu.pc }
    }
}

/// A trace that was replayed, for scripts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ReplayFigures {
    /// The number of accesses.
    pub accesses: usize,
    /// The number of reads among them.
    pub reads: usize,
    /// The reads that returned something else than the trace says.
    pub differing: Vec<DifferentRead>,
    /// VERA at the end: names of [`STATE`] and their bits, hidden and write-only parts included.
    #[serde(serialize_with = "object")]
    pub state: Vec<(&'static str, u32)>,
}

/// A read that returned something else than the trace says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct DifferentRead {
    /// The line of the trace, from 1.
    pub line: u32,
    /// The register, an offset from $9F20.
    pub register: u8,
    /// The value in the trace.
    pub expected: u8,
    /// The value that was read.
    pub got: u8,
}

/// A result where results of all verbs are kept.
pub(super) fn value(result: &impl Serialize) -> serde_json::Value {
    serde_json::to_value(result).unwrap_or_default()
}

/// Size; with the flag `run` also what the program does wrong.
pub fn check(program: &Program, arguments: &Arguments, sources: &Sources) -> Result<Report, Diagnostic> {
    let bytes = program.bytes()?.1.len();
    let text = format!("{}\n", counted(grouped(bytes as u64), "byte"));
    let mut figures = CheckFigures { bytes, cycles: None, ending: None };
    let mut report = Report { text, ..Report::default() };
    let runs = arguments.flag("run");
    if !runs && let Some((name, _)) = arguments.given().next() {
        return Err(unfit(format!("`--{name}` is for `check --run`")));
    }
    if !runs && !arguments.profile.is_empty() {
        return Err(unfit("`--profile` is for `check --run`"));
    }
    if runs {
        let named = program.source.as_ref().map(|source| registers(source, sources));
        let mut machine = program.machine_from(arguments, X16::expect_lints)?;
        machine.lint(named.unwrap_or_default());
        if state::given(arguments)?.is_some() {
            machine.know_memory();
        }
        let ran = go(machine, arguments);
        report.files = ran.files(arguments)?;
        report.remarks = ran.remarks(program);
        report.remarks.extend(ran.findings(program));
        report.remarks.extend(files::unkept(&ran.machine, "`gpuzoo run` keeps what a program writes"));
        report.text += &format!("{}, {}\n", ran.ending.text(), counted(grouped(ran.cycles), "cycle"));
        (figures.cycles, figures.ending) = (Some(ran.cycles), Some(ran.ending.text()));
    }
    report.json = value(&figures);
    Ok(report)
}

/// To the end, or to the limits.
pub fn run(program: &Program, arguments: &Arguments) -> Result<Report, Diagnostic> {
    let machine = program.machine(arguments)?;
    let mut spent = arguments.flag(HOT.name).then(|| Spent::new(&machine));
    let ran = go_with(machine, arguments, |machine, limits| match &mut spent {
        Some(spent) => machine.run_counted(limits, spent),
        None => machine.run(limits),
    });
    let hot = spent.map(|spent| Hot::new(&spent, program, &ran.machine));
    let mut remarks = ran.remarks(program);
    let changes = files::kept(&ran.machine, &mut remarks);
    remarks.extend(ran.machine.sd_card_remark());
    let mut files = ran.files(arguments)?;
    files.push(("vram", ran.machine.vera().vram().to_vec()));
    files.push(("write-input", input::input(arguments)?.text().into_bytes()));
    if arguments.flag("sdcard-out") {
        files.extend(ran.machine.sd_card()?.map(|image| ("sdcard-out", image)));
    }
    let mut text = ran.text(arguments.flag("state"), &changes);
    text += &hot.as_ref().map_or(String::new(), Hot::text);
    let json = value(&ran.figures(&changes, hot));
    Ok(Report { text, json, remarks, files, changes })
}

/// Runs a program and records the bus from power-on, so that the trace has what a ROM sets up before.
pub fn record(program: &Program, arguments: &Arguments) -> Result<Report, Diagnostic> {
    let mut ran = go(program.machine_from(arguments, X16::record)?, arguments);
    let (text, remark) = ran.machine.recorded().unwrap_or_default();
    let mut remarks = ran.remarks(program);
    remarks.extend(remark);
    let changes = files::kept(&ran.machine, &mut remarks);
    Ok(Report { text, remarks, changes, ..Report::default() })
}

fn go(machine: X16, arguments: &Arguments) -> Ran {
    go_with(machine, arguments, X16::run)
}

/// The same, with a way to run.
fn go_with(mut machine: X16, arguments: &Arguments, run: impl FnOnce(&mut X16, &Limits) -> Ending) -> Ran {
    // Nobody gets to see a picture of this run, but perhaps of one that goes on from its end.
    if !state::is_wanted(arguments) {
        machine.vera_mut().draw(Drawing::Nothing);
    }
    let (cycles, frames) = (machine.cycles(), machine.vera().frames());
    let ending = run(&mut machine, &limits(arguments));
    let (cycles, frames) = (machine.cycles() - cycles, machine.vera().frames() - frames);
    Ran { ending, machine, cycles, frames }
}

impl Ran {
    /// The state at the end, if it is wanted.
    fn files(&self, arguments: &Arguments) -> Result<Files, Diagnostic> {
        if state::is_wanted(arguments) { state::files(&self.machine) } else { Ok(Files::new()) }
    }

    /// What there is to say of the way it ended, and of files that it did not get.
    fn remarks(&self, program: &Program) -> Vec<Diagnostic> {
        let ending = match &self.ending {
            // It has no end that it could miss.
            ending if program.is_rom() && !ending.is_final() => {
                let problem = Diagnostic::new(Severity::Note, &LIMIT, ending.text());
                Some(problem.help("a ROM goes on until the power is off; `--frames N` and `--cycles N` say for how long it runs"))
            }
            ending if self.machine.has_rom() && self.machine.has_basic() && !ending.is_final() => {
                let problem = Diagnostic::new(Severity::Note, &LIMIT, ending.text());
                Some(problem.help("BASIC goes on at its prompt; `--frames N` and `--cycles N` say for how long the run goes on"))
            }
            Ending::Returned if self.machine.has_basic() => {
                let message = "BASIC statements behind SYS are left out: there is no ROM that runs them";
                let problem = Diagnostic::warning(&BASIC_PROGRAM, message);
                Some(problem.help("`--rom FILE` gives an image of the Commander's ROM"))
            }
            ending => ending.diagnostic(&|address| program.place(address)),
        };
        ending.into_iter().chain(files::missed(&self.machine, Some(program))).collect()
    }

    /// What the lints found.
    fn findings(&self, program: &Program) -> Vec<Diagnostic> {
        let findings = self.machine.findings().iter();
        let findings =
            findings.map(|finding| finding.diagnostic(&|address| program.place(address), &program.labels));
        let (mut problems, more): (Vec<_>, _) = (findings.collect(), self.machine.findings_left_out());
        if let Some(last) = problems.last_mut().filter(|_| more > 0) {
            last.notes.push(format!("{} at other instructions not shown", counted(grouped(more), "finding")));
        }
        problems.extend(self.machine.shows_unwritten().map(|(pixels, [x, y])| {
            let message = format!(
                "the picture shows video memory that nothing has written: {}, the first at {x},{y}",
                counted(grouped(pixels as u64), "pixel")
            );
            let problem = Diagnostic::warning(&UNWRITTEN, message);
            problem.help("`gpuzoo render --random-memory 1` shows what it may look like")
        }));
        problems
    }

    /// What it printed, how it ended, what the registers hold, what it wrote; with `state` also what VERA holds.
    fn text(&self, state: bool, changes: &[Change]) -> String {
        let mut text = self.machine.output().to_owned();
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        let milliseconds = self.cycles as f64 * 1e3 / CYCLES_PER_SECOND as f64;
        let cpu = self.machine.cpu();
        let _ = writeln!(text, "{}", self.ending.text());
        let _ = writeln!(
            text,
            "{} ({milliseconds:.3} ms), {}",
            counted(grouped(self.cycles), "cycle"),
            counted(grouped(self.frames), "frame")
        );
        let _ = writeln!(
            text,
            "A ${:02X}  X ${:02X}  Y ${:02X}  S ${:02X}  P {}  PC ${:04X}",
            cpu.a,
            cpu.x,
            cpu.y,
            cpu.s,
            flags(cpu.p),
            cpu.pc
        );
        text += &memory(self.machine.vera());
        text += &files::text(changes);
        if state {
            text += &state_text(self.machine.vera());
        }
        text
    }

    /// The same for scripts, state included.
    fn figures(&self, changes: &[Change], hot: Option<Hot>) -> RunFigures {
        RunFigures {
            ending: self.ending.text(),
            ended: self.ending.is_final(),
            cycles: self.cycles,
            frames: self.frames,
            output: self.machine.output().to_owned(),
            files: files::changed(changes),
            registers: Registers::from(self.machine.cpu()),
            state: state_values(self.machine.vera()),
            hot,
        }
    }
}

/// A trace that was replayed.
pub struct Replayed {
    /// VERA as it was then.
    vera: Vera,
    /// Accesses.
    accesses: usize,
    /// Reads among them.
    reads: usize,
    /// Reads that returned something else than the trace says: line, register, said, returned.
    differing: Vec<(u32, u8, u8, u8)>,
}

/// Replays a trace.
pub fn replay(trace: &Trace, deviations: Deviations) -> Replayed {
    let mut vera = Vera::with(deviations);
    let (mut reads, mut differing) = (0, Vec::new());
    trace.replay(&mut vera, |operation, got| {
        reads += 1;
        if got != operation.value {
            differing.push((operation.line, operation.register, operation.value, got));
        }
    });
    Replayed { vera, accesses: trace.operations.len(), reads, differing }
}

/// At most this many differing reads are shown.
const MAX_SHOWN: usize = 20;

impl Replayed {
    /// What there is to say of it; with `state` what VERA holds.
    pub fn report(&self, state: bool) -> Report {
        let files = vec![("vram", self.vera.vram().to_vec())];
        Report { text: self.text(state), json: value(&self.figures()), files, ..Report::default() }
    }

    /// How many accesses there were, the reads that differ, and with `state` what VERA holds.
    fn text(&self, state: bool) -> String {
        let mut text = format!(
            "{} accesses, {} of them reads; {} returned something else than the trace says\n",
            grouped(self.accesses as u64),
            grouped(self.reads as u64),
            grouped(self.differing.len() as u64)
        );
        for (line, register, said, got) in self.differing.iter().take(MAX_SHOWN) {
            let address = BASE + u16::from(*register);
            // The bank is not known here, so only registers that every bank has are named.
            let name = Register::at(*register, 0xff).map_or(String::new(), |own| format!(" {}", own.name));
            let _ = writeln!(
                text,
                "  line {line}: ${address:04X}{name}: ${said:02X} in the trace, ${got:02X} here"
            );
        }
        if self.differing.len() > MAX_SHOWN {
            let _ = writeln!(text, "  and {} more", self.differing.len() - MAX_SHOWN);
        }
        text += &memory(&self.vera);
        if state {
            text += &state_text(&self.vera);
        }
        text
    }

    /// The same for scripts, state included.
    fn figures(&self) -> ReplayFigures {
        let differing = self.differing.iter();
        let differing =
            differing.map(|&(line, register, expected, got)| DifferentRead { line, register, expected, got });
        ReplayFigures {
            accesses: self.accesses,
            reads: self.reads,
            differing: differing.collect(),
            state: state_values(&self.vera),
        }
    }
}

/// A line about video memory.
fn memory(vera: &Vera) -> String {
    let used = |byte: &u8| *byte != 0;
    let count = vera.vram().iter().filter(|byte| used(byte)).count();
    let first = vera.vram().iter().position(used);
    let last = vera.vram().iter().rposition(used);
    match (first, last) {
        (Some(first), Some(last)) => {
            format!(
                "video memory: {count} of {VRAM_BYTES} bytes are not 0, from ${first:05X} to ${last:05X}\n"
            )
        }
        _ => "video memory: all 0\n".to_owned(),
    }
}

/// Flags as monitors show them: capitals are set.
pub fn flags(p: u8) -> String {
    let flag = |(bit, letter): (usize, char)| {
        let set = p >> (7 - bit) & 1 == 1;
        if bit == 2 {
            '-'
        } else if set {
            letter.to_ascii_uppercase()
        } else {
            letter
        }
    };
    "nv-bdizc".chars().enumerate().map(flag).collect()
}

/// VERA's state, hidden and write-only parts included, an item a line.
fn state_text(vera: &Vera) -> String {
    let lines = STATE.iter().map(|item| {
        let digits = usize::from(item.bits).div_ceil(4);
        format!("{:<18} ${:<8}  {}\n", item.name, format!("{:0digits$X}", (item.get)(vera)), item.about)
    });
    lines.collect()
}

fn state_values(vera: &Vera) -> Vec<(&'static str, u32)> {
    STATE.iter().map(|item| (item.name, (item.get)(vera))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpuzoo_diag::File;
    use serde_json::json;

    /// Accesses, the reads among them, and those that returned something else.
    #[test]
    fn a_replay_counts_its_reads() {
        let reported = |text: &str| {
            let (trace, problems) = Trace::parse(&File::new("t", text));
            assert!(problems.is_empty());
            let report = replay(&trace, Deviations::default()).report(false);
            let differing = report.json["differing"].as_array().map(Vec::len);
            (
                report.text.lines().next().unwrap_or_default().to_owned(),
                report.json["accesses"].clone(),
                report.json["reads"].clone(),
                differing,
            )
        };
        let line = |accesses: u64, reads: u64, differing: u64| {
            let text = format!(
                "{accesses} accesses, {reads} of them reads; {differing} returned something else than the trace says"
            );
            (text, json!(accesses), json!(reads), Some(differing as usize))
        };
        assert_eq!(reported("W 25 02"), line(1, 0, 0));
        assert_eq!(reported("W 25 02\nR 25 02\nW 25 00\nR 25 00"), line(4, 2, 0));
        assert_eq!(reported("R 25 01\nR 25 00\nR 25 02"), line(3, 3, 2));
    }

    /// A trace of a machine with a ROM replays to the same memory: what the ROM wrote before is in it.
    #[test]
    fn recordings_begin_at_power_on() {
        // At $C000: lda #$2A, sta DATA0, jmp to itself; $FFFC leads there.
        let mut rom = vec![0; 0x4000];
        rom[..8].copy_from_slice(&[0xa9, 0x2a, 0x8d, 0x23, 0x9f, 0x4c, 0x05, 0xc0]);
        rom[0x3ffd] = 0xc0;
        let arguments = Arguments::default().set("rom", rom);
        // At $0801: lda #$10, sta ADDRx_H, sta DATA0, rts.
        let prg = [0x01, 0x08, 0xa9, 0x10, 0x8d, 0x22, 0x9f, 0x8d, 0x23, 0x9f, 0x60];
        let program = Program::prg(&prg);
        let ran = run(&program, &arguments).unwrap();
        assert_eq!(ran.json["ending"], "the program returned");
        let recorded = record(&program, &arguments).unwrap();
        assert!(recorded.remarks.is_empty());
        let accesses: Vec<&str> = recorded.text.lines().filter(|line| line.starts_with('W')).collect();
        assert_eq!(accesses, ["W 23 2A", "W 22 10", "W 23 10"]);
        let before = recorded.text.split("# The program starts here").next().unwrap();
        assert_eq!(
            before.lines().skip(1).collect::<Vec<_>>(),
            ["W 23 2A"],
            "what the ROM wrote is told apart"
        );
        let (trace, problems) = Trace::parse(&File::new("t", &recorded.text));
        assert!(problems.is_empty());
        assert!(
            replay(&trace, Deviations::default())
                .report(false)
                .files
                .iter()
                .all(|file| ran.files.contains(file))
        );
    }

    /// Of misuse at very many instructions the first ones are shown, and the last of them says how much more there is.
    #[test]
    fn findings_that_are_left_out_are_counted() {
        let most = crate::lints::MAX_FINDINGS;
        let said = |instructions: usize| {
            // lda AUDIO_DATA, which cannot be read, again and again; stp.
            let mut prg = vec![0x01, 0x08];
            prg.extend([0xad, 0x3d, 0x9f].repeat(instructions));
            prg.push(0xdb);
            let remarks = check(&Program::prg(&prg), &Arguments::default().with("run"), &Sources::default())
                .unwrap()
                .remarks;
            let mut found = remarks.into_iter().filter(|problem| problem.code.id == "V0401");
            (found.clone().count(), found.next_back().unwrap().notes.split_off(1))
        };
        assert_eq!(said(most), (most, Vec::new()));
        assert_eq!(said(most + 1), (most, vec!["1 finding at other instructions not shown".to_owned()]));
    }
}
