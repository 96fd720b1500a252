//! Every source of these tests as a module of SPIR-V: what is compiled from the module computes what the module's own
//! words say.

use super::evaluator::{Module, Run, Stop, Type, Value};
use gpuzoo_compile::front::{Language, Reading, read};
use gpuzoo_compile::shader::{Shader, Uniform};
use gpuzoo_diag::Sources;
use gpuzoo_ir::{eval, vec4};
use gpuzoo_isa::Stage;
use gpuzoo_machine::target::conventions::Port;
use naga::back::spv::{Options, WriterFlags, write_vec};
use naga::valid::{Capabilities, ValidationFlags, Validator};
use std::collections::HashMap;

/// Storage classes and decorations (SPIR-V specification, sections 3.7 and 3.20).
const UNIFORM_CONSTANT: u32 = 0;
const INPUT: u32 = 1;
const UNIFORM: u32 = 2;
const OUTPUT: u32 = 3;
const BUILT_IN: u32 = 11;
const LOCATION: u32 = 30;

/// Results may differ by so much, relative to numbers above 1: the compiler computes sums, roots and powers in its own
/// order.
const TOLERANCE: f32 = 1e-4;

/// The module that naga writes of a source, or None for one that has none.
pub fn written(name: &str, text: &str) -> Option<Vec<u8>> {
    let module = match name.rsplit_once('.')?.1 {
        "wgsl" => naga::front::wgsl::parse_str(text).ok()?,
        stage @ ("vert" | "frag") => {
            let stage = if stage == "vert" { naga::ShaderStage::Vertex } else { naga::ShaderStage::Fragment };
            let options = naga::front::glsl::Options::from(stage);
            naga::front::glsl::Frontend::default().parse(&options, text).ok()?
        }
        _ => return None,
    };
    let info = Validator::new(ValidationFlags::all(), Capabilities::all()).validate(&module).ok()?;
    let options = Options { flags: WriterFlags::DEBUG | WriterFlags::LABEL_VARYINGS, ..Options::default() };
    let words = write_vec(&module, &info, &options, None).ok()?;
    Some(words.into_iter().flat_map(u32::to_le_bytes).collect())
}

/// What became of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// So many numbers were compared.
    Compared(usize),
    /// The compiler refuses the module, with this code.
    Refused(&'static str),
    /// The module reads textures.
    Textures,
}

/// Compares what is compiled from a module with its words, for inputs and uniforms as [`eval`] has them.
///
/// # Panics
/// If a number is another one, or the evaluator does not know an instruction.
pub fn compare(bytes: &[u8], stage: Option<Stage>, inputs: &[[f32; 4]], uniforms: &[[f32; 4]]) -> Outcome {
    let mut sources = Sources::default();
    let file = sources.add_binary("module.spv");
    let reading = Reading { stage, ..Reading::of(Language::SpirV) };
    let shader = match read(&mut sources, file, bytes, &reading) {
        Ok((shader, _)) => shader,
        Err(problems) => return Outcome::Refused(problems[0].code.id),
    };
    let module = Module::parse(bytes).unwrap();
    let model = if shader.stage == Stage::Vertex { 0 } else { 4 };
    let entry = module.entries.iter().find(|entry| entry.model == model).unwrap();
    let mut initial = HashMap::new();
    for (pointer, id, class, _) in &module.variables {
        let Type::Pointer { to, .. } = *module.ty(*pointer) else { continue };
        let value = match *class {
            INPUT if entry.interface.contains(id) => {
                let port = port(&module, *id);
                let at = shader.inputs.iter().position(|own| Some(own.port) == port);
                let input = at.and_then(|at| inputs.get(at)).copied().unwrap_or_default();
                lanes(&module, to, &input)
            }
            UNIFORM => {
                let name = module.names.get(id).cloned().unwrap_or_default();
                uniform(&module, to, &[name], &shader, uniforms)
            }
            _ => continue,
        };
        initial.insert(*id, value);
    }
    let result = Run::new(&module, &initial).and_then(|mut run| {
        run.call(entry.function, &[])?;
        Ok(run)
    });
    let run = match result {
        Ok(run) => run,
        // Everything is then as the compiler likes.
        Err(Stop::Undefined(_) | Stop::Killed) => return Outcome::Compared(0),
        Err(Stop::Unsupported(what)) => {
            let has_textures = module.variables.iter().any(|own| own.2 == UNIFORM_CONSTANT);
            assert!(has_textures, "the evaluator does not know {what}");
            return Outcome::Textures;
        }
    };
    let [inputs, uniforms] = [inputs, uniforms].map(|all| all.iter().copied().map(vec4).collect::<Vec<_>>());
    let got = eval::outputs(&shader.function, &inputs, &uniforms);
    let mut count = 0;
    for (_, id, class, _) in &module.variables {
        let port = port(&module, *id);
        let Some(at) = shader.outputs.iter().position(|own| Some(own.port) == port) else { continue };
        if *class != OUTPUT || !entry.interface.contains(id) {
            continue;
        }
        let expected = numbers(&module, pointee(&module, *id), run.holds(*id).unwrap());
        for (expected, got) in expected.into_iter().zip(got[at]) {
            let got = f32::from_bits(got);
            let Some(expected) = expected.filter(|own| own.is_finite()) else { continue };
            let is_near = (expected - got).abs() <= TOLERANCE * expected.abs().max(1.0);
            assert!(is_near, "{expected} by its words, {got} compiled:\n{}", shader.function);
            count += 1;
        }
    }
    Outcome::Compared(count)
}

fn pointee(module: &Module, variable: u32) -> u32 {
    let found = module.variables.iter().find(|own| own.1 == variable);
    match found.map(|own| module.ty(own.0)) {
        Some(Type::Pointer { to, .. }) => *to,
        _ => 0,
    }
}

/// Where an input or output is in the pipeline.
fn port(module: &Module, id: u32) -> Option<Port> {
    match (module.decorations.get(&(id, LOCATION)), module.decorations.get(&(id, BUILT_IN))) {
        (Some(location), _) => Some(Port::Location(location[0] as u16)),
        // Position, and FragCoord.
        (None, Some(own)) if matches!(own[0], 0 | 15) => Some(Port::Position),
        _ => None,
    }
}

/// A number of a register as the type has it: integers are floats there.
fn number(module: &Module, ty: u32, x: f32) -> Value {
    match module.ty(ty) {
        Type::Int { is_signed: true } => Value::Word(x as i32 as u32),
        Type::Int { is_signed: false } => Value::Word(x as u32),
        _ => Value::float(x),
    }
}

/// A scalar or vector from the first numbers of some.
fn lanes(module: &Module, ty: u32, numbers: &[f32]) -> Value {
    let at = |at: usize| numbers.get(at).copied().unwrap_or(0.0);
    match *module.ty(ty) {
        Type::Vector { of, count } => {
            Value::Parts((0..count as usize).map(|own| number(module, of, at(own))).collect())
        }
        _ => number(module, ty, at(0)),
    }
}

/// The value of a uniform, or of a part of one, that may have one of some names.
fn uniform(module: &Module, ty: u32, names: &[String], shader: &Shader, registers: &[[f32; 4]]) -> Value {
    let found = |names: &[String]| shader.uniforms.iter().find(|own| names.contains(&own.name));
    let register = |own: &Uniform, at: u32| {
        let all = registers.get(usize::from(own.first) + at as usize).copied().unwrap_or_default();
        let mask = own.mask.0;
        (0..4).filter(|lane| mask >> lane & 1 == 1).map(|lane| all[lane as usize]).collect::<Vec<_>>()
    };
    let element = |at: u32| names.iter().map(|name| format!("{name}[{at}]")).collect::<Vec<_>>();
    match module.ty(ty) {
        Type::Struct(members) => {
            let member = |(at, member): (usize, &u32)| {
                let name = module.member_names.get(&(ty, at as u32)).cloned().unwrap_or_default();
                let mut inner: Vec<String> = names.iter().map(|own| format!("{own}.{name}")).collect();
                inner.push(name);
                // What compilers wrap into a struct has the variable's name.
                if members.len() == 1 {
                    inner.extend_from_slice(names);
                }
                uniform(module, *member, &inner, shader, registers)
            };
            Value::Parts(members.iter().enumerate().map(member).collect())
        }
        Type::Array { of: part, count } | Type::Matrix { column: part, count } => {
            let is_leaf = matches!(module.ty(*part), Type::Vector { .. } | Type::Float | Type::Int { .. });
            let whole = found(names).filter(|own| is_leaf && own.count as u32 >= *count);
            let part = |at: u32| match whole {
                Some(whole) => lanes(module, *part, &register(whole, at)),
                None => uniform(module, *part, &element(at), shader, registers),
            };
            Value::Parts((0..*count).map(part).collect())
        }
        _ => lanes(module, ty, &found(names).map_or(Vec::new(), |own| register(own, 0))),
    }
}

/// The numbers of a scalar or vector; None for what is not defined.
fn numbers(module: &Module, ty: u32, value: &Value) -> Vec<Option<f32>> {
    let scalar = |value: &Value, ty: u32| {
        let word = value.word().ok()?;
        Some(match module.ty(ty) {
            Type::Int { is_signed: true } => word as i32 as f32,
            Type::Int { is_signed: false } => word as f32,
            _ => f32::from_bits(word),
        })
    };
    match (value, module.ty(ty)) {
        (Value::Parts(parts), Type::Vector { of, .. }) => parts.iter().map(|own| scalar(own, *of)).collect(),
        _ => vec![scalar(value, ty)],
    }
}

/// A generator of numbers between -4 and 4.
fn random(seed: u64) -> impl FnMut() -> f32 {
    let mut random = super::numbers::Random::new(seed);
    move || random.below(65) as f32 / 8.0 - 4.0
}

/// Inputs and uniforms by chance.
pub fn compare_random(bytes: &[u8], stage: Option<Stage>, seed: u64) -> Outcome {
    let mut next = random(seed);
    let mut vectors = |count: usize| (0..count).map(|_| [next(), next(), next(), next()]).collect::<Vec<_>>();
    let (inputs, uniforms) = (vectors(16), vectors(128));
    compare(bytes, stage, &inputs, &uniforms)
}

/// The programs of the examples and the seeds of the fuzzer.
#[test]
fn programs_of_the_repository_do_what_their_words_say() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let (mut compared, mut textures) = (0, Vec::new());
    for folder in ["examples/compile", "fuzz/seeds/spirv_source", "fuzz/seeds/wgsl_source"] {
        let Ok(files) = std::fs::read_dir(format!("{root}/{folder}")) else { continue };
        for file in files {
            let path = file.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            let bytes = std::fs::read(&path).unwrap();
            let module = match name.ends_with(".spv") {
                true => Some(bytes),
                false => std::str::from_utf8(&bytes).ok().and_then(|text| written(&name, text)),
            };
            let Some(module) = module else { continue };
            for stage in [Stage::Vertex, Stage::Fragment] {
                for seed in 0..8 {
                    match compare_random(&module, Some(stage), seed) {
                        Outcome::Compared(count) => compared += count,
                        Outcome::Textures => textures.push(name.clone()),
                        Outcome::Refused(code) => assert_ne!(code, "K0011", "{name}"),
                    }
                }
            }
        }
    }
    assert!(compared > 50, "{compared} numbers, {textures:?}");
}
