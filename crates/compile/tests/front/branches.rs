//! Control flow of SPIR-V: what is compiled does what the module's own words say, and what naga would read as something
//! else is refused.
//!
//! `GPUZOO_FLOWS` runs more random modules than the suite does, `GPUZOO_FLOWS_FROM` those from another seed on.

use super::evaluator::{Module, Run, Stop, Value};
use super::flows;
use super::modules::{Outcome, compare_random};
use super::numbers::Random;
use gpuzoo_compile::build;
use gpuzoo_compile::front::{Language, Reading, read};
use gpuzoo_compile::options::{CompileOptions, Level, Options};
use gpuzoo_compile::shader::Shader;
use gpuzoo_diag::{Diagnostic, Severity, Sources, Span};
use gpuzoo_ir::{Vec4, eval, vec4};
use gpuzoo_isa::Profile;
use gpuzoo_machine::ShaderUnit;
use gpuzoo_machine::target::conventions::Port;
use gpuzoo_machine::unit::PositionSpace;
use std::collections::{BTreeMap, HashMap};

/// Small integers, so that every number on the way is one that all machines compute exactly.
const INPUTS: [[f32; 4]; 7] = [
    [0.0, 1.0, 2.0, 3.0],
    [1.0, 0.0, 3.0, 2.0],
    [2.0, 2.0, 0.0, 1.0],
    [3.0, 1.0, 1.0, 0.0],
    [1.0, 3.0, 5.0, 4.0],
    [0.0, 0.0, 0.0, 0.0],
    [4.0, 2.0, 1.0, 5.0],
];

fn compiled(bytes: &[u8]) -> Result<Shader, Diagnostic> {
    let mut sources = Sources::default();
    let file = sources.add_binary("flow.spv");
    let read = read(&mut sources, file, bytes, &Reading::of(Language::SpirV));
    read.map(|(shader, _)| shader)
        .map_err(|problems| problems.into_iter().find(|problem| problem.severity == Severity::Error).unwrap())
}

/// The position that a module's words give for an input.
fn expected(module: &Module, input: [f32; 4]) -> Result<[f32; 4], Stop> {
    let entry = &module.entries[0];
    let by_class = |class: u32| module.variables.iter().find(|own| own.2 == class).unwrap().1;
    let value = Value::Parts(input.map(Value::float).to_vec());
    let mut run = Run::new(module, &HashMap::from([(by_class(1), value)]))?;
    run.call(entry.function, &[])?;
    let parts = run.holds(by_class(3)).unwrap().parts()?.to_vec();
    let parts = parts.iter().map(Value::to_float).collect::<Result<Vec<_>, _>>()?;
    Ok(parts.try_into().unwrap())
}

/// The positions that a machine's program gives for all inputs, in each of its profiles; nothing if the program does
/// not fit.
fn on_machine(unit: &dyn ShaderUnit, shader: &Shader, level: Level) -> Option<Vec<[Vec4; INPUTS.len()]>> {
    let options = Options {
        compile: CompileOptions { level, ..CompileOptions::default() },
        position: PositionSpace::Clip,
        ..Options::default()
    };
    let built = build(unit, shader, &options).map_err(|problems| {
        let code = problems[0].code.id;
        assert!(["K0304", "K0305", "K0306"].contains(&code), "{problems:#?}");
    });
    let built = built.ok()?;
    // Its words, read again as if they came from a file.
    let loaded = unit.load(&unit.save(&built.program), Span::default());
    assert!(loaded.ok());
    let conventions = unit.conventions().unwrap();
    let mut constants = vec![[0; 4]; 256];
    for (number, value) in built.program.defined() {
        constants[usize::from(number)] = value;
    }
    let reg = conventions.input(shader.stage, Port::Location(0)).unwrap();
    let place = conventions.output(shader.stage, Port::Position).unwrap().index;
    let profile = |profile: usize| {
        let (lowered, _) = unit.lower(&loaded.program, &Profile(profile as u8).into());
        let at = lowered.function.outputs.iter().position(|(number, _)| *number == place).unwrap();
        INPUTS.map(|input| {
            let mut attributes = vec![[0; 4]; 16];
            attributes[usize::from(reg.index)] = vec4(input);
            eval::outputs(&lowered.function, &attributes, &constants)[at]
        })
    };
    Some((0..unit.about().profiles.len()).map(profile).collect())
}

/// What became of random modules.
#[derive(Debug, Default)]
struct Counts {
    /// By the code of a refusal.
    refused: BTreeMap<&'static str, usize>,
    /// Compared as what they are walked into.
    compared: usize,
    /// Programs of machines that were compared.
    on_machines: usize,
}

fn check(seed: u64, is_ordinary: bool, counts: &mut Counts) {
    let bytes = flows::module(seed, is_ordinary);
    let module = Module::parse(&bytes).unwrap();
    let expected =
        INPUTS.map(|input| expected(&module, input).unwrap_or_else(|stop| panic!("{seed}: {stop:?}")));
    let shader = match compiled(&bytes) {
        Ok(shader) => shader,
        Err(problem) => {
            *counts.refused.entry(problem.code.id).or_default() += 1;
            assert!(!problem.labels.is_empty(), "{seed}: {problem:#?}");
            return;
        }
    };
    for (input, expected) in INPUTS.iter().zip(&expected) {
        // One that reads no input is known.
        let got = match shader.inputs.is_empty() {
            true => eval::outputs(&shader.function, &[], &[])[0],
            false => eval::outputs(&shader.function, &[vec4(*input)], &[])[0],
        };
        assert_eq!(got.map(f32::from_bits), *expected, "seed {seed}, input {input:?}");
    }
    counts.compared += 1;
    // Long ones fit nowhere, and take long to be refused. Of very many some are enough: machines know nothing of
    // branches.
    if shader.function.insts.len() > 120 || seed >= 1_000 && !seed.is_multiple_of(50) {
        return;
    }
    let machines: [&dyn ShaderUnit; 2] = [&gpuzoo_servaru::GPU, &gpuzoo_nv2a::GPU];
    for unit in machines {
        for level in [Level::Source, Level::Usual] {
            let Some(all) = on_machine(unit, &shader, level) else { continue };
            for got in all {
                let id = unit.about().id;
                assert_eq!(got.map(|own| own.map(f32::from_bits)), expected, "seed {seed}, {id}, {level:?}");
            }
            counts.on_machines += 1;
        }
    }
}

fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|count| count.parse().ok()).unwrap_or(usual)
}

#[test]
fn random_control_flow_is_right_or_refused() {
    let (count, from) = (number("GPUZOO_FLOWS", 100), number("GPUZOO_FLOWS_FROM", 0));
    let mut counts = Counts::default();
    (from..from + count).for_each(|seed| check(seed, false, &mut counts));
    println!("of {count}: {counts:?}");
    // The generator's modules are such that both happen.
    assert!(counts.compared as u64 > count / 10, "{counts:?}");
    assert!(counts.refused["K0011"] as u64 > count / 20, "{counts:?}");
}

/// Switches as careful sources have them are no others than those that are read.
#[test]
fn ordinary_control_flow_is_not_refused() {
    let count = number("GPUZOO_FLOWS", 50);
    let mut counts = Counts::default();
    (0..count).for_each(|seed| check(seed, true, &mut counts));
    println!("of {count}: {counts:?}");
    assert!(!counts.refused.contains_key("K0011"), "{counts:?}");
    assert!(counts.compared as u64 > count / 2, "{counts:?}");
}

/// Modules that glslangValidator and spirv-opt have written of the sources beside them, and one by hand, with what the
/// sources say. Those that are refused have control flow that naga reads as another one.
#[test]
fn modules_of_other_compilers_are_right_or_refused() {
    let hand = [1.0, 2.0, 3.0, 4.0];
    type Module<'a> = (&'a [u8], &'a str, [f32; 4], [f32; 4]);
    let modules: [Module; 7] = [
        (include_bytes!("modules/ordinary.spv"), "ordinary", hand, [2212.0, 2.0, 2.0, 1.0]),
        (include_bytes!("modules/loops.spv"), "loops", hand, [147.0, 3.0, -147.0, 1.0]),
        (include_bytes!("modules/loops.opt.spv"), "loops, optimised", hand, [147.0, 3.0, -147.0, 1.0]),
        (include_bytes!("modules/return-in-loop.spv"), "return", hand, [20.0; 4]),
        (include_bytes!("modules/return-in-loop.spv"), "return", [-5.0; 4], [0.5; 4]),
        (include_bytes!("modules/ordinary.opt.spv"), "ordinary, optimised", hand, [2212.0, 2.0, 2.0, 1.0]),
        (
            include_bytes!("modules/ordinary.opt.spv"),
            "ordinary, optimised",
            [0.0; 4],
            [2203.0, 1.0, 1.0, 1.0],
        ),
    ];
    for (bytes, name, input, expected) in modules {
        let shader = compiled(bytes).unwrap_or_else(|problem| panic!("{name}: {problem:#?}"));
        let at = shader.outputs.iter().position(|own| own.name == "c").unwrap();
        let got = eval::outputs(&shader.function, &[vec4(input)], &[])[at];
        assert_eq!(got.map(f32::from_bits), expected, "{name}");
        for seed in 0..32 {
            assert!(matches!(compare_random(bytes, None, seed), Outcome::Compared(4..)), "{name}");
        }
    }
    let refused: [(&[u8], &str); 4] = [
        (include_bytes!("modules/default-falls.spv"), "switch"),
        (include_bytes!("modules/default-between.spv"), "switch"),
        (include_bytes!("modules/break-from-switch.spv"), "leaves a loop"),
        (include_bytes!("modules/return-in-loop.opt.spv"), "leaves a loop"),
    ];
    for (bytes, message) in refused {
        let problem = compiled(bytes).unwrap_err();
        assert_eq!(problem.code.id, "K0011", "{problem:#?}");
        assert!(problem.message.contains(message) && !problem.help.is_empty(), "{problem:#?}");
        // The place is an instruction: a switch or a branch.
        let span = problem.labels[0].span.range();
        let first = u32::from_le_bytes(bytes[span.start..span.start + 4].try_into().unwrap());
        assert!((249..=251).contains(&(first & 0xffff)) && first >> 16 == span.len() as u32 / 4, "{span:?}");
    }
}

/// Any word of a module may be any other: there is a program or a problem.
#[test]
fn damaged_control_flow_is_no_panic() {
    let mut random = Random::new(1);
    for seed in 0..50 {
        let mut bytes = flows::module(seed, false);
        let [one, other] = [0, 0].map(|_| (20 + random.below(bytes.len() as u32 - 24) as usize) & !3);
        let copied = bytes[other..other + 4].to_vec();
        bytes[one..one + 4].copy_from_slice(&copied);
        let _ = compiled(&bytes);
        bytes.truncate(other);
        let _ = compiled(&bytes);
    }
}
