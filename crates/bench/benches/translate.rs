//! Speed on the host's GPU: translated programs against a shader that interprets them, `exact` against `fast`; and how long
//! translating takes. `cargo bench -p gpuzoo-bench --bench translate`.
#![allow(clippy::disallowed_macros, reason = "the table is what it is for")]

use gpuzoo_diag::File;
use gpuzoo_host::{Buffer, Host, Shader};
use gpuzoo_isa::Program as Code;
use gpuzoo_machine::{RunState, ShaderUnit, TextOptions};
use gpuzoo_translate::{Fidelity, Program, Shape, Target, TranslateOptions, WORKGROUP, translate};
use std::time::{Duration, Instant};

/// Lanes of a dispatch.
const LANES: usize = 1 << 17;

/// Measurements, of which the median counts.
const TIMES: usize = 9;

fn assembled(gpu: &dyn ShaderUnit, name: &str, text: &str) -> Code {
    let read = gpu.assemble(&File::new(name, text), &TextOptions::default());
    assert!(read.ok(), "{:?}", read.diagnostics);
    read.program
}

fn program(gpu: &dyn ShaderUnit, code: &Code, profile: &str) -> Program {
    let profile = gpu.about().profile(profile).unwrap();
    Program::of(gpu, code, &RunState::from(profile)).unwrap()
}

fn main() {
    let light = include_str!("../../gpuzoo/src/bench/programs/light.vsh");
    let dp4 = include_str!("../../gpuzoo/src/bench/programs/dp4.vsh");
    let light40 = include_str!("../../gpuzoo/src/bench/programs/light40.vu");
    let (nv2a, dreambox) = (&gpuzoo_nv2a::GPU, &gpuzoo_dreambox::GPU);
    let hex = include_str!("../../gpuzoo/src/bench/programs/p023.hex");
    let words = hex.lines().filter(|line| !line.starts_with("//")).flat_map(str::split_whitespace);
    let words = words.filter_map(|word| u32::from_str_radix(word, 16).ok());
    let bytes: Vec<u8> = words.flat_map(u32::to_le_bytes).collect();
    let p023 = ShaderUnit::load(nv2a, &bytes, gpuzoo_diag::Span::default()).program;
    let long: String =
        light.lines().filter(|line| !line.trim().is_empty()).map(|line| format!("{line}\n")).collect();
    times(&long);
    let host = match Host::open() {
        Ok(host) => host,
        Err(none) => return println!("skipped: {none}"),
    };
    println!("\non {}, {LANES} lanes of {EACH} runs, million runs a second", host.name());
    let code = assembled(dreambox, "light40.vu", light40);
    let of_program = program(dreambox, &code, "document");
    let translated = rate(&host, &of_program, Fidelity::Fast);
    let interpreted = interpreted(&host, dreambox, &code);
    println!(
        "light40     fast {translated:8.1}   interpreted {interpreted:8.2}   {:6.1} times",
        translated / interpreted
    );
    for (name, code) in [
        ("dp4", assembled(nv2a, "dp4.vsh", dp4)),
        ("light", assembled(nv2a, "light.vsh", light)),
        ("p023", p023),
    ] {
        let program = program(nv2a, &code, "hw");
        let (fast, exact) = (rate(&host, &program, Fidelity::Fast), rate(&host, &program, Fidelity::Exact));
        println!(
            "{name:<8}    fast {fast:8.1}   exact       {exact:8.2}   {:6.1} times slower",
            fast / exact
        );
    }
}

/// How long programs take to be translated.
fn times(light: &str) {
    // As long as the machine takes, of the instructions of a program that lights.
    let gpu = &gpuzoo_nv2a::GPU;
    let mut code = assembled(gpu, "light.vsh", light);
    let slots = code.slots.clone();
    let last = slots.len() - 1;
    code.slots = slots[..last].iter().cycle().take(135).chain(&slots[last..]).copied().collect();
    let program = program(gpu, &code, "hw");
    println!("translation of {} slots, median of 200, ms", code.slots.len());
    for target in Target::all() {
        let name = target.name();
        let of = |fidelity| {
            let options = TranslateOptions {
                to: Some(target),
                shape: Some(Shape::Vertex),
                fidelity,
                ..TranslateOptions::default()
            };
            let mut all: Vec<Duration> = (0..200)
                .map(|_| {
                    let start = Instant::now();
                    std::hint::black_box(translate(&program, &options).unwrap());
                    start.elapsed()
                })
                .collect();
            all.sort_unstable();
            all[100].as_secs_f64() * 1e3
        };
        println!("{name:<8} fast {:6.2}   exact {:6.2}", of(Fidelity::Fast), of(Fidelity::Exact));
    }
}

/// Usual numbers.
fn numbers(count: usize) -> Vec<u32> {
    let mut state = 1u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        ((state >> 8) as f32 / 16_777_216.0 * 2.0 - 1.0).to_bits()
    };
    (0..count).map(|_| next()).collect()
}

/// How often each lane runs the program: so that computing is measured, and not the way of vertices to the GPU and back.
const EACH: usize = 16;

/// Million runs a second of a program: its function in a loop, over inputs that change, the outputs added up.
fn rate(host: &Host, program: &Program, fidelity: Fidelity) -> f64 {
    let options = TranslateOptions {
        to: Some(Target::Wgsl),
        shape: Some(Shape::Function),
        fidelity,
        ..TranslateOptions::default()
    };
    let translation = translate(program, &options).unwrap();
    let text = translation.text().unwrap();
    let (vector, add) = if fidelity == Fidelity::Fast { ("vec4f", "+") } else { ("vec4u", "^") };
    let inputs = program.inputs.len().max(1);
    let arguments: Vec<String> = (0..program.inputs.len())
        .map(|at| format!("bitcast<{vector}>(inputs[(id.x + round * 64u) % {LANES}u * {inputs}u + {at}u])"))
        .collect();
    let members = text.split("struct Results {").nth(1).unwrap().split('}').next().unwrap();
    let members = members.split(',').filter_map(|member| Some(member.split_once(':')?.0.trim()));
    let sum: String = members.map(|member| format!("sum = sum {add} results.{member};")).collect();
    let whole = format!(
        "{text}
        @group(0) @binding(1) var<storage, read> inputs: array<vec4u>;
        @group(0) @binding(2) var<storage, read_write> outputs: array<vec4u>;
        @compute @workgroup_size({WORKGROUP}) fn main(@builtin(global_invocation_id) id: vec3u) {{
            var sum: {vector};
            for (var round = 0u; round < {EACH}u; round++) {{
                let results = program({});
                {sum}
            }}
            outputs[id.x] = bitcast<vec4u>(sum);
        }}",
        arguments.join(", "),
    );
    let (uniform, rows) = (numbers(program.constants.max(1) * 4), numbers(LANES * inputs * 4));
    let buffers = [Buffer::Uniform(&uniform), Buffer::Read(&rows), Buffer::Write(LANES * 4)];
    let kernel = host.kernel(&Shader::Wgsl(&whole), "main", &buffers).unwrap();
    let time = median(TIMES, &kernel, &buffers);
    (LANES * EACH) as f64 / time / 1e6
}

/// The rate of the shader that interprets the program's words.
fn interpreted(host: &Host, gpu: &dyn ShaderUnit, code: &Code) -> f64 {
    let text = include_str!("interpreter.wgsl");
    let kinds = [Buffer::Uniform(&[]), Buffer::Read(&[]), Buffer::Write(0)];
    let kernel = host.kernel(&Shader::Wgsl(text), "main", &kinds).unwrap();
    let mut words = code.words(gpu.isa());
    words.resize(64, 63);
    words.extend(numbers(64));
    let rows = numbers(LANES * 12);
    let buffers = [Buffer::Uniform(&words), Buffer::Read(&rows), Buffer::Write(LANES * 16)];
    let time = median(3, &kernel, &buffers);
    LANES as f64 / time / 1e6
}

/// The median of the seconds that a kernel takes for all lanes.
fn median(times: usize, kernel: &gpuzoo_host::Kernel, buffers: &[Buffer]) -> f64 {
    let groups = [(LANES / WORKGROUP as usize) as u32, 1, 1];
    let mut all: Vec<f64> = (0..times)
        .map(|_| {
            let start = Instant::now();
            kernel.run(groups, buffers).unwrap();
            start.elapsed().as_secs_f64()
        })
        .collect();
    all.sort_by(f64::total_cmp);
    all[times / 2]
}
