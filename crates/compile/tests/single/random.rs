//! Random functions: what is compiled gives what the function does.

use super::{reassembles, shader, text};
use gpuzoo_compile::options::{Built, CompileOptions, Level, Options};
use gpuzoo_compile::select::single::build;
use gpuzoo_compile::shader::Shader;
use gpuzoo_diag::{Diagnostic, Severity};
use gpuzoo_ir::{Vec4, eval};
use gpuzoo_isa::{Stage, numbers};
use gpuzoo_machine::{Profile, ShaderUnit};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Operations that every machine does as the IR does, for numbers of usual sizes.
const EXACT: [(&str, usize); 8] =
    [("fadd", 2), ("fsub", 2), ("fmul", 2), ("fmad", 3), ("fneg", 1), ("fabs", 1), ("fmax", 2), ("fmin", 2)];

/// Operations that are computed within a bound, or exactly where numbers are finite.
const OTHERS: [(&str, usize); 16] = [
    ("fdiv", 2),
    ("fsqrt", 1),
    ("fsign", 1),
    ("fslt", 2),
    ("fsge", 2),
    ("ffloor", 1),
    ("fexp2", 1),
    ("flog2", 1),
    ("fexp", 1),
    ("flog", 1),
    ("fsin", 1),
    ("fcos", 1),
    ("fpow", 2),
    ("dot3", 2),
    ("dot4", 2),
    ("choice", 3),
];

/// A random function of two inputs and three uniforms, with two outputs.
fn random(number: &mut dyn FnMut(u32) -> u32, ops: &[(&str, usize)], length: u32) -> String {
    let mut text =
        String::from("v0 = input 0\nv1 = input 1\nv2 = uniform 0\nv3 = uniform 1\nv4 = uniform 2\n");
    let mut next = 5;
    for _ in 0..length {
        let letters = |number: &mut dyn FnMut(u32) -> u32| -> String {
            (0..4).map(|_| ['x', 'y', 'z', 'w', 'x', 'y', 'z', 'w', '0', '1'][number(10) as usize]).collect()
        };
        let mut operand = |text: &mut String, next: &mut u32| {
            let value = if number(3) == 0 { number(5) } else { *next - 1 - number((*next).min(6)) };
            match number(8) {
                0 => {
                    let _ = writeln!(text, "v{next} = const ({}.5, 0.1, -{}.0, 3.0)", number(4), number(3));
                }
                1 => {
                    let component = ['x', 'y', 'z', 'w'][number(4) as usize];
                    let _ = writeln!(text, "v{next} = v{value}.{component}{component}{component}{component}");
                }
                2 => {
                    let letters = letters(number);
                    let _ = writeln!(text, "v{next} = v{value}.{letters}");
                }
                3 => {
                    let other = number(*next);
                    let _ = writeln!(text, "v{next} = v{value}.xy__ | v{other}.__wx");
                }
                _ => return value,
            }
            *next += 1;
            *next - 1
        };
        let all: Vec<u32> = (0..3).map(|_| operand(&mut text, &mut next)).collect();
        let (name, count) = ops[number(ops.len() as u32) as usize];
        if name == "choice" {
            let _ = writeln!(text, "v{next} = fslt v{}, v{}", all[0], all[1]);
            let _ = writeln!(text, "v{} = iselect v{next}, v{}, v{}", next + 1, all[1], all[2]);
            next += 2;
            continue;
        }
        let operands: Vec<String> = all[..count].iter().map(|value| format!("v{value}")).collect();
        let _ = writeln!(text, "v{next} = {name} {}", operands.join(", "));
        next += 1;
    }
    let other = next - 1 - number(4);
    let _ = writeln!(text, "output 0 = v{}\noutput 1 = v{other}", next - 1);
    text
}

/// The outputs of a whole program, in the order of the shader's.
pub fn run(
    unit: &dyn ShaderUnit,
    shader: &Shader,
    built: &Built,
    inputs: &[Vec4],
    uniforms: &[Vec4],
    profile: u8,
) -> Vec<Vec4> {
    let conventions = unit.conventions().unwrap();
    let (lowered, problems) = unit.lower(&built.program, &Profile(profile).into());
    assert!(problems.is_empty(), "{problems:#?}");
    let mut given = vec![[0; 4]; 16];
    for (variable, value) in shader.inputs.iter().zip(inputs) {
        given[usize::from(conventions.input(shader.stage, variable.port).unwrap().index)] = *value;
    }
    let mut constants = vec![[0; 4]; 256];
    let first = usize::from(conventions.constants(shader.stage).start);
    uniforms.iter().enumerate().for_each(|(number, value)| constants[first + number] = *value);
    built.program.defined().for_each(|(number, value)| constants[usize::from(number)] = value);
    let outputs = eval::outputs(&lowered.function, &given, &constants);
    let place = |port| conventions.output(shader.stage, port).unwrap().index;
    let of = |port| lowered.function.outputs.iter().position(|(number, _)| *number == place(port)).unwrap();
    shader.outputs.iter().map(|variable| outputs[of(variable.port)]).collect()
}

fn compile(unit: &dyn ShaderUnit, shader: &Shader, level: Level) -> Result<Built, Vec<Diagnostic>> {
    build(
        unit,
        shader,
        &Options { compile: CompileOptions { level, ..CompileOptions::default() }, ..Options::default() },
    )
}

/// Compiles random functions; counts what came of them by code.
fn check(
    unit: &dyn ShaderUnit,
    stage: Stage,
    ops: &[(&str, usize)],
    exact: bool,
    count: u64,
) -> BTreeMap<&'static str, usize> {
    let mut codes = BTreeMap::new();
    let profiles = unit.about().profiles.len() as u8;
    for seed in 0..count {
        let mut number = numbers(seed);
        let length = 1 + number(14);
        let mut function = random(&mut number, ops, length);
        if stage == Stage::Fragment {
            function.truncate(function.find("output 1").unwrap());
        }
        let outputs: &[u8] = if stage == Stage::Vertex { &[4, 3] } else { &[4] };
        let shader = shader(stage, &function, &[4, 3], outputs, &[4, 3, 4]);
        let level = [Level::Source, Level::Quick, Level::Usual][(seed % 3) as usize];
        let built = match compile(unit, &shader, level) {
            Ok(built) => built,
            Err(problems) => {
                assert_ne!(problems[0].code.id, "K0307", "{seed}: {function}");
                *codes.entry(problems[0].code.id).or_default() += 1;
                continue;
            }
        };
        *codes.entry("built").or_default() += 1;
        reassembles(unit, &built);
        for problem in
            unit.check(&built.program).iter().filter(|problem| problem.severity >= Severity::Warning)
        {
            *codes.entry(problem.code.id).or_default() += 1;
        }
        let again = compile(unit, &shader, level).unwrap();
        assert_eq!(unit.save(&built.program), unit.save(&again.program));
        assert_eq!((built.lines.clone(), built.program.homes.clone()), (again.lines, again.program.homes));
        if !exact {
            continue;
        }
        for run_seed in 0..8 {
            let mut number = numbers(run_seed);
            let mut vectors = |masks: &[u8]| -> Vec<Vec4> {
                masks
                    .iter()
                    .map(|mask| {
                        [0, 1, 2, 3].map(|place| {
                            let value = (number(4_000) as f32 / 500.0 - 4.0).to_bits();
                            if mask >> place & 1 == 1 { value } else { 0 }
                        })
                    })
                    .collect()
            };
            let (inputs, uniforms) = (vectors(&[15, 7]), vectors(&[15, 7, 15]));
            let expected = eval::outputs(&shader.function, &inputs, &uniforms);
            for profile in 0..profiles {
                let found = run(unit, &shader, &built, &inputs, &uniforms, profile);
                let place = |bits: Vec4| bits.map(|bits| f32::from_bits(bits) + 0.0).map(f32::to_bits);
                assert_eq!(place(expected[0]), place(found[0]), "{seed}: {function}\n{}", text(unit, &built));
                for (expected, found) in expected.iter().zip(&found).skip(1) {
                    let [expected, found] = [*expected, *found].map(place);
                    assert_eq!(expected[..3], found[..3], "{seed}: {function}\n{}", text(unit, &built));
                }
            }
        }
    }
    codes
}

fn machines() -> [&'static dyn ShaderUnit; 3] {
    [&gpuzoo_servaru::GPU, &gpuzoo_dreambox::GPU, &gpuzoo_picogpu::GPU]
}

/// Nothing is read before it is written, no matrix goes beyond the last register, and nothing is ignored.
fn is_clean(codes: &BTreeMap<&'static str, usize>) {
    for code in ["D0101", "D0102", "P0202", "P0206", "P0207", "P0208"] {
        assert!(!codes.contains_key(code), "{codes:?}");
    }
}

#[test]
fn exact_operations_keep_every_bit() {
    for unit in machines() {
        let codes = check(unit, Stage::Vertex, &EXACT, true, 150);
        assert!(codes["built"] > 110, "{}: {codes:?}", unit.about().name);
        is_clean(&codes);
    }
    let codes = check(&gpuzoo_servaru::GPU, Stage::Fragment, &EXACT, true, 60);
    assert_eq!(codes["built"], 60);
}

#[test]
fn whatever_is_built_is_right() {
    let all: Vec<(&str, usize)> = EXACT.into_iter().chain(OTHERS).collect();
    for unit in machines() {
        let codes = check(unit, Stage::Vertex, &all, false, 150);
        assert!(codes["built"] > 60, "{}: {codes:?}", unit.about().name);
        is_clean(&codes);
    }
    let codes = check(&gpuzoo_picogpu::GPU, Stage::Fragment, &all, false, 60);
    assert!(codes["built"] > 25, "{codes:?}");
    is_clean(&codes);
    let textured: Vec<(&str, usize)> = all.into_iter().chain([("sample 1,", 1), ("kill", 1)]).collect();
    let codes = check(&gpuzoo_servaru::GPU, Stage::Fragment, &textured, false, 100);
    assert_eq!(codes["built"], 100, "{codes:?}");
}
