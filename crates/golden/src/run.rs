//! `run:` lines: registers before and after a run, under every profile, on the evaluator and on every engine.

use crate::file::{Edits, Golden};
use crate::literal::{self, Lane};
use gpuzoo_engine::{BLOCK, Call, Kernel, Level, Options, Rows, RowsMut};
use gpuzoo_ir::eval::{NoTextures, Run};
use gpuzoo_ir::{Function, Value, Vec4};
use gpuzoo_isa::{FileKind, Isa, Lowered, Op, Output, Program, Reg};
use gpuzoo_machine::{Profile, RunState, ShaderUnit};

/// A register's name and its four lanes.
type Setting<'a> = (&'a str, [Lane; 4]);

/// A `run:` line.
struct RunLine<'a> {
    /// Its index in the file's lines.
    at: usize,
    /// The profile that it names.
    profile: Option<&'a str>,
    /// The profiles that it is about, with their names.
    profiles: Vec<(&'static str, Profile)>,
    /// What stands before the arrow.
    given: &'a str,
    inputs: Vec<Vec4>,
    uniforms: Vec<Vec4>,
    start: Vec<(Reg, Vec4)>,
    expected: Vec<Setting<'a>>,
    /// True if the run must end with a kill; otherwise it must not.
    killed: bool,
}

/// What a run left.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Outcome {
    values: Vec<Vec4>,
    killed: bool,
}

/// The `run:` lines of a file, with the machine and the program that they are about.
pub struct Runs<'a> {
    gpu: &'a dyn ShaderUnit,
    program: &'a Program,
    lines: Vec<RunLine<'a>>,
}

impl<'a> Runs<'a> {
    /// Reads the lines.
    ///
    /// # Errors
    /// A line that cannot be read, or a profile that no line is about.
    pub fn new(
        gpu: &'a dyn ShaderUnit,
        program: &'a Program,
        golden: &Golden<'a>,
    ) -> Result<Runs<'a>, String> {
        let mut lines = Vec::new();
        for (at, profile, text) in golden.keys("run") {
            let line = RunLine::parse(gpu, at, profile, text);
            lines.push(line.map_err(|problem| format!("line {}: {problem}", at + 1))?);
        }
        let mut profiles = gpu.about().named_profiles();
        let missing = profiles.find(|profile| !lines.iter().any(|line| line.profiles.contains(profile)));
        match missing {
            Some((name, _)) => Err(format!("no line `run:` is about the profile `{name}`")),
            None => Ok(Runs { gpu, program, lines }),
        }
    }

    /// Runs everything everywhere; what differs from the expectations, with the lines as they would be right.
    ///
    /// # Errors
    /// What no new expectation could make right: engines that differ, registers without a value.
    pub fn check(&self, wrong: &mut Vec<String>, edits: &mut Edits, leader: &str) -> Result<(), String> {
        for line in &self.lines {
            let place = |problem: String| format!("line {}: {problem}", line.at + 1);
            let outcomes = line.profiles.iter().map(|(_, profile)| self.everywhere(line, *profile));
            let outcomes = outcomes.collect::<Result<Vec<Outcome>, String>>().map_err(place)?;
            if outcomes.iter().all(|outcome| line.accepts(outcome)) {
                continue;
            }
            let got = line.profiles.iter().zip(&outcomes);
            let got = got.map(|((name, _), outcome)| format!("`{name}` gives {}", line.shown(outcome)));
            let got = place(got.collect::<Vec<_>>().join(", "));
            if outcomes.iter().any(|outcome| outcome != &outcomes[0]) {
                let names = line.profiles.iter().map(|(name, _)| format!("`run[{name}]:`"));
                return Err(format!("{got}; write {}", names.collect::<Vec<_>>().join(" and ")));
            }
            wrong.push(got);
            let profile = line.profile.map_or(String::new(), |profile| format!("[{profile}]"));
            edits.replace(
                line.at,
                format!("{leader} run{profile}: {}-> {}", line.given, line.shown(&outcomes[0])),
            );
        }
        Ok(())
    }

    /// True if a line would notice that a row of the program did nothing.
    pub fn notice(&self, row: &'static Op) -> bool {
        let program = without(self.program, row);
        self.lines.iter().any(|line| {
            let accepts = |(_, profile): &(&str, Profile)| {
                let job = Job::new(self.gpu, &program, line, *profile);
                job.is_ok_and(|job| line.accepts(&job.evaluate(line)))
            };
            !line.profiles.iter().all(accepts)
        })
    }

    /// What a line's run leaves, the same on the evaluator and on every engine that this processor has.
    fn everywhere(&self, line: &RunLine, profile: Profile) -> Result<Outcome, String> {
        let job = Job::new(self.gpu, self.program, line, profile)?;
        let expected = job.evaluate(line);
        for level in Level::ALL.into_iter().filter(|level| level.is_supported()) {
            let got = job.on_engine(line, level)?;
            if got != expected {
                let [got, expected] = [&got, &expected].map(|outcome| line.shown(outcome));
                return Err(format!("the engine `{}` gives {got}, the evaluator {expected}", level.name()));
            }
        }
        Ok(expected)
    }
}

/// The rows of a mnemonic that a program has, each once.
pub fn rows(program: &Program, mnemonic: &str) -> Vec<&'static Op> {
    let mut rows: Vec<&'static Op> = Vec::new();
    for inst in program.slots.iter().flat_map(|slot| slot.insts()) {
        if inst.op.name == mnemonic && !rows.contains(&inst.op) {
            rows.push(inst.op);
        }
    }
    rows
}

/// A program without the instructions of a row.
fn without(program: &Program, row: &'static Op) -> Program {
    let mut program = program.clone();
    program.slots.retain_mut(|slot| {
        let had = slot.insts().next().is_some();
        slot.inst = slot.inst.filter(|inst| *inst.op != *row);
        slot.paired = slot.paired.filter(|inst| *inst.op != *row);
        !had || slot.insts().next().is_some()
    });
    program
}

/// A program made ready for a line: the machine's own meaning of it, and the values that the line asks for.
struct Job {
    function: Function,
    values: Vec<Value>,
}

impl Job {
    fn new(gpu: &dyn ShaderUnit, program: &Program, line: &RunLine, profile: Profile) -> Result<Job, String> {
        let run_state = RunState { start: &line.start, ..RunState::from(profile) };
        let (lowered, _) = gpu.lower(program, &run_state);
        let isa = gpu.isa();
        let value = |(name, _): &Setting| {
            left(isa, &lowered, name).ok_or_else(|| format!("`{name}` has no value after the program"))
        };
        let values = line.expected.iter().map(value).collect::<Result<_, _>>()?;
        Ok(Job { function: lowered.function, values })
    }

    fn evaluate(&self, line: &RunLine) -> Outcome {
        let mut run = Run::default();
        run.run(&self.function, &line.inputs, &line.uniforms, &NoTextures);
        let values = self.values.iter().map(|value| run.value(*value)).collect();
        Outcome { values, killed: run.killed().is_some() }
    }

    /// A whole block and one lane more, all of them the same.
    fn on_engine(&self, line: &RunLine, level: Level) -> Result<Outcome, String> {
        const LANES: usize = BLOCK + 1;
        let outputs = (0..).zip(self.values.iter().copied()).collect();
        let function = Function { outputs, ..self.function.clone() };
        let options = Options { level: Some(level), ..Options::default() };
        let kernel = Kernel::compile_with(&function, &options).map_err(|error| error.to_string())?;
        let width = self.values.len();
        let (mut values, mut killed) = (vec![[0; 4]; LANES * width], vec![0; LANES]);
        let inputs = Rows { values: &line.inputs.repeat(LANES), width: line.inputs.len() };
        let call = Call { uniforms: &line.uniforms, ..Call::default() };
        let mut results = RowsMut { values: &mut values, width, killed: &mut killed };
        kernel.run(0..LANES, &inputs, &call, &mut results);
        let mut lanes = values.chunks(width.max(1)).zip(&killed);
        let first =
            lanes.next().map(|(values, killed)| Outcome { values: values.to_vec(), killed: *killed != 0 });
        let first = first.ok_or("no lanes")?;
        match lanes.all(|(values, killed)| values == first.values && (*killed != 0) == first.killed) {
            true => Ok(first),
            false => Err(format!("the engine `{}` gives equal lanes different results", level.name())),
        }
    }
}

/// The registers that have a name, in all files.
fn named<'i>(isa: &'i Isa, name: &str) -> impl Iterator<Item = (Reg, FileKind)> + use<'i> {
    let name = name.to_owned();
    isa.files.iter().enumerate().filter_map(move |(file, description)| {
        let index = description.find(&name)?;
        Some((Reg { file: file as u8, index }, description.kind))
    })
}

/// What leaves a program under a name; where nothing does, what the temporary of that name holds at the end.
fn left(isa: &Isa, lowered: &Lowered, name: &str) -> Option<Value> {
    let output = |number: u16| {
        lowered.function.outputs.iter().find(|(own, _)| *own == number).map(|(_, value)| *value)
    };
    let outputs = named(isa, name).filter_map(|(reg, kind)| match kind {
        FileKind::Output(_) => output(reg.index),
        FileKind::Constant => output(Output::Constant(reg.index).number()),
        _ => None,
    });
    let temporaries = named(isa, name).filter(|(_, kind)| matches!(kind, FileKind::Temporary(_)));
    outputs.chain(temporaries.filter_map(|(reg, _)| lowered.last(reg))).next()
}

impl<'a> RunLine<'a> {
    fn parse(
        gpu: &dyn ShaderUnit,
        at: usize,
        profile: Option<&'a str>,
        text: &'a str,
    ) -> Result<RunLine<'a>, String> {
        let is_meant = |(name, _): &(&str, Profile)| profile.is_none_or(|profile| profile == *name);
        let profiles: Vec<_> = gpu.about().named_profiles().filter(is_meant).collect();
        if profiles.is_empty() {
            return Err(format!("no profile is called `{}`", profile.unwrap_or_default()));
        }
        let (given, expected) = text.split_once("->").ok_or("there is no `->`")?;
        let expected = expected.trim();
        let (expected, killed) = match expected.strip_suffix("killed") {
            Some(before) => (before, true),
            None => (expected, false),
        };
        let expected = settings(expected)?;
        if expected.is_empty() && !killed {
            return Err("nothing is expected behind `->`".into());
        }
        let mut line = RunLine {
            at,
            profile,
            profiles,
            given,
            inputs: Vec::new(),
            uniforms: Vec::new(),
            start: Vec::new(),
            expected,
            killed,
        };
        for (name, lanes) in settings(given)? {
            let bits = lanes.map(|lane| lane.bits());
            // An input may share its name with the temporary that it is put into.
            let order = |kind: &FileKind| match kind {
                FileKind::Input => 0,
                FileKind::Constant => 1,
                FileKind::Temporary(_) | FileKind::Output(_) => 2,
            };
            let found = named(gpu.isa(), name).min_by_key(|(_, kind)| order(kind));
            match found.ok_or_else(|| format!("there is no register `{name}`"))? {
                (reg, FileKind::Input) => put(&mut line.inputs, reg.index, bits),
                (reg, FileKind::Constant) => put(&mut line.uniforms, reg.index, bits),
                (reg, FileKind::Temporary(_) | FileKind::Output(_)) => line.start.push((reg, bits)),
            }
        }
        let known = |name: &str| named(gpu.isa(), name).next().is_some();
        match line.expected.iter().find(|(name, _)| !known(name)) {
            Some((name, _)) => Err(format!("there is no register `{name}`")),
            None => Ok(line),
        }
    }

    fn accepts(&self, outcome: &Outcome) -> bool {
        let mut lanes =
            self.expected.iter().flat_map(|(_, lanes)| lanes).zip(outcome.values.iter().flatten());
        outcome.killed == self.killed && lanes.all(|(expected, got)| expected.accepts(*got))
    }

    /// An outcome as it is written behind the arrow.
    fn shown(&self, outcome: &Outcome) -> String {
        let names = self.expected.iter().map(|(name, _)| name);
        let values = names
            .zip(&outcome.values)
            .map(|(name, lanes)| format!("{name}=({})", lanes.map(literal::show).join(",")));
        values.chain(outcome.killed.then(|| "killed".to_owned())).collect::<Vec<_>>().join(" ")
    }
}

/// `r0=(1,2,3,4) pos=(0,0,0,1)`
fn settings(text: &str) -> Result<Vec<Setting<'_>>, String> {
    let mut settings = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let wrong = || format!("`{rest}` does not begin with `register=(x,y,z,w)`");
        let (name, tail) = rest.split_once("=(").ok_or_else(wrong)?;
        let (lanes, tail) = tail.split_once(')').ok_or_else(wrong)?;
        let lanes =
            lanes.split(',').map(|lane| literal::lane(lane.trim())).collect::<Result<Vec<Lane>, _>>()?;
        settings.push((name.trim(), lanes.try_into().map_err(|_| wrong())?));
        rest = tail.trim_start();
    }
    Ok(settings)
}

fn put(list: &mut Vec<Vec4>, index: u16, bits: Vec4) {
    let index = usize::from(index);
    if list.len() <= index {
        list.resize(index + 1, [0; 4]);
    }
    list[index] = bits;
}
