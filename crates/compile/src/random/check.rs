//! One program, through everything: every way to write it, every machine.

use super::{Program, V, Way};
use crate::build::on;
use crate::codes::UNPROVEN;
use crate::front::{Reading, read};
use crate::options::{Level, Options};
use crate::shader::Shader;
use gpuzoo_diag::{Diagnostic, Severity, Sources, Span};
use gpuzoo_ir::eval::{self, NoTextures, Run};
use gpuzoo_ir::{Function, Inst, Vec4, vec4};
use gpuzoo_isa::{Profile, Stage};
use gpuzoo_machine::ShaderUnit;

/// The uniforms of all runs.
pub const UNIFORMS: [V; 8] = [
    [1.0, 2.0, 3.0, 4.0],
    [5.0, 6.0, 7.0, 8.0],
    [-1.0, -2.0, -3.0, -4.0],
    [0.5, 0.25, 0.125, 0.0625],
    [10.0, 20.0, 30.0, 40.0],
    [2.0, 0.0, 1.0, 3.0],
    [0.0, 1.0, 0.0, 1.0],
    [9.0, 8.0, 7.0, 6.0],
];

/// The inputs of the runs.
pub const VECTORS: [[V; 2]; 4] = [
    [[1.5, -2.0, 3.25, 0.5], [4.0, 0.25, -1.0, 2.0]],
    [[4.0, 0.25, -1.0, 2.0], [1.5, -2.0, 3.25, 0.5]],
    [[0.0, 1.0, -1.0, 0.5], [1.5, -2.0, 3.25, 0.5]],
    [[7.25, -3.5, 2.0, -0.25], [1.0; 4]],
];

/// Machines' results are compared where no number on the way is larger: up to here sums and products of the numbers above have
/// room for their last bits, and every operation is exact on every machine.
const LARGEST: f32 = 1024.0;

/// Bits behind the point that such a number has at most.
const FINEST: f32 = 8192.0;

/// What became of a program on a machine: its slots, or the code of why it was refused.
pub type Fit = Result<usize, &'static str>;

/// Compares what the program of a seed gives: by itself, as what it is walked into in every [way](Way), and as each machine's program in each
/// profile.
///
/// # Errors
/// What is different, with the text; and if a compiler found itself at fault. Programs that are too large for a machine are none.
pub fn check(seed: u64, machines: &[&dyn ShaderUnit]) -> Result<Vec<Fit>, String> {
    let program = Program::random(seed);
    let (shader, text) = walked(&program, Way::Plain)?;
    let results = |shader: &Shader| {
        VECTORS.map(|inputs| eval::outputs(&shader.function, &inputs.map(vec4), &UNIFORMS.map(vec4)))
    };
    let own = results(&shader);
    for ([a, b], got) in VECTORS.into_iter().zip(&own) {
        let expected = program.run(a, b, &UNIFORMS);
        let got = got.first().map_or([f32::NAN; 4], |bits| bits.map(f32::from_bits));
        // Rules of real numbers for zeros and ones change signs of zeros, and make numbers of what would be none.
        if !(0..4).all(|at| expected[at] == got[at] || !expected[at].is_finite()) {
            return Err(format!(
                "{expected:?} is expected, and {got:?} is given by\n{}\nof\n{text}",
                shader.function
            ));
        }
    }
    for way in Way::OTHERS {
        let (other, other_text) = walked(&program, way)?;
        if !results(&other).iter().zip(&own).all(|(one, other)| same(one, other)) {
            return Err(format!(
                "{way:?} gives something else:\n{}\nof\n{text}\n{}\nof\n{other_text}",
                shader.function, other.function
            ));
        }
    }
    let level = [Level::Source, Level::Quick, Level::Usual][(seed % 3) as usize];
    machines
        .iter()
        .map(|unit| on_machine(*unit, &shader, level).map_err(|why| format!("{why}\nof\n{text}")))
        .collect()
}

/// The straight line of a program that is written in some way, and the text.
fn walked(program: &Program, way: Way) -> Result<(Shader, String), String> {
    let (language, text) = program.source(way);
    let mut sources = Sources::default();
    let file = sources.add("random", text.as_str());
    let reading = Reading { stage: Some(Stage::Vertex), ..Reading::of(language) };
    match read(&mut sources, file, text.as_bytes(), &reading) {
        Ok((shader, _)) => Ok((shader, text)),
        Err(problems) => Err(format!("{way:?} is refused: {}\nin\n{text}", told(&problems))),
    }
}

fn told(problems: &[Diagnostic]) -> String {
    let error = problems.iter().find(|problem| problem.severity == Severity::Error);
    error.map_or(String::new(), |problem| format!("{}: {}", problem.code.id, problem.message))
}

/// The same bits; NaN is NaN, and zeros of either sign are one, of which a choice between known ones may be either.
fn same(one: &[Vec4], other: &[Vec4]) -> bool {
    let is_nan = |bits: u32| f32::from_bits(bits).is_nan();
    let all = |vectors: &[Vec4]| vectors.iter().flatten().copied().collect::<Vec<u32>>();
    let (one, other) = (all(one), all(other));
    one.len() == other.len()
        && one.iter().zip(&other).all(|(a, b)| {
            let is_zero = |bits: u32| bits << 1 == 0;
            a == b || is_nan(*a) && is_nan(*b) || is_zero(*a) && is_zero(*b)
        })
}

/// Builds and runs a program on a machine.
fn on_machine(unit: &dyn ShaderUnit, shader: &Shader, level: Level) -> Result<Fit, String> {
    let id = unit.about().id;
    // In clip space, since a screen has its own numbers.
    let options = Options { level, raw_position: true, ..Options::default() };
    let built = match on(unit, shader, &options) {
        Ok(built) => built,
        Err(problems) => {
            return match problems.first() {
                Some(problem) if problem.code == &UNPROVEN => Err(format!("{id}: {}", told(&problems))),
                Some(problem) => Ok(Err(problem.code.id)),
                None => Err(format!("{id}: refused without a reason")),
            };
        }
    };
    // Its words, read again as if they came from a file.
    let words = unit.save(&built.program);
    let loaded = unit.load(&words, Span::default());
    if !loaded.ok() {
        return Err(format!("{id}: {}", told(&loaded.diagnostics)));
    }
    let (Some(conventions), Some(output)) = (unit.conventions(), shader.outputs.first()) else {
        return Err(format!("{id}: nothing comes out"));
    };
    let mut constants = vec![[0; 4]; 256];
    let first = usize::from(conventions.constants(shader.stage).start);
    let given = UNIFORMS.map(vec4).into_iter().enumerate().map(|(at, value)| (first + at, value));
    let literals = built.program.defined().map(|(number, value)| (usize::from(number), value));
    for (number, value) in given.chain(literals) {
        if let Some(constant) = constants.get_mut(number) {
            *constant = value;
        }
    }
    for profile in 0..unit.about().profiles.len() {
        let (lowered, _) = unit.lower(&loaded.program, &Profile(profile as u8).into());
        let place = conventions.output(shader.stage, output.port).map(|reg| reg.index);
        let Some(at) = lowered.function.outputs.iter().position(|(number, _)| Some(*number) == place) else {
            return Err(format!("{id}: the position is not written"));
        };
        for inputs in VECTORS {
            let mut run = Run::default();
            run.run(&shader.function, &inputs.map(vec4), &UNIFORMS.map(vec4), &NoTextures);
            if !is_exact(shader, &run) {
                continue;
            }
            let Some((_, value)) = shader.function.outputs.first() else { continue };
            let expected = run.value(*value).map(f32::from_bits);
            let mut attributes = vec![[0; 4]; 16];
            for (variable, value) in shader.inputs.iter().zip(inputs.map(vec4)) {
                let reg = conventions.input(shader.stage, variable.port);
                if let Some(own) = reg.and_then(|reg| attributes.get_mut(usize::from(reg.index))) {
                    *own = value;
                }
            }
            let mut own = Run::default();
            own.run(&lowered.function, &attributes, &constants, &NoTextures);
            let got = own.value(lowered.function.outputs[at].1).map(f32::from_bits);
            if expected != got && !orders_zeros(&lowered.function, &own) {
                return Err(format!(
                    "{id}, {level:?}, profile {profile}: {expected:?} is expected, and {got:?} given for {inputs:?} by\n{}\nof\n{}",
                    unit.disassemble(&built.program, &gpuzoo_machine::TextOptions::default()).0,
                    shader.function
                ));
            }
        }
    }
    Ok(Ok(built.program.slots.len()))
}

/// True if a program asked the machine which of two zeros is less. Products with conditions make such zeros, and some machines have an order
/// of them.
fn orders_zeros(function: &Function, run: &Run) -> bool {
    const ZEROS: [u32; 2] = [0, 1 << 31];
    function.insts.iter().any(|inst| match inst {
        Inst::Map2(op, operands) if ["fslt", "fsge"].iter().any(|name| op.name().starts_with(name)) => {
            let [a, b] = operands.map(|operand| run.value(operand));
            a.iter().zip(&b).any(|(a, b)| a != b && ZEROS.contains(a) && ZEROS.contains(b))
        }
        _ => false,
    })
}

/// True if all numbers on the way are such that every machine computes with them exactly. Zeros with a sign are not among them: some machines
/// say that they are less than the other one.
fn is_exact(shader: &Shader, run: &Run) -> bool {
    let mut values = (0..shader.function.insts.len() as u32).map(|at| run.value(gpuzoo_ir::Value(at)));
    values.all(|value| {
        value
            .map(f32::from_bits)
            .iter()
            .all(|x| x.abs() <= LARGEST && (x * FINEST).fract() == 0.0 && x.to_bits() != 1 << 31)
    })
}
