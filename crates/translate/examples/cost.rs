//! What operations cost on the host's GPU in integers, against the host's floats: nanoseconds for each.
//!
//! `cargo run --release -p gpuzoo-translate --example cost`

#![allow(clippy::disallowed_macros, reason = "figures are for people to see")]

use gpuzoo_host::{Buffer, Host, Shader};
use gpuzoo_ir::record::Operation;
use gpuzoo_translate::exact;
use naga::Module;
use std::time::Instant;

const LANES: usize = 1 << 16;
const ROUNDS: u32 = 256;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let host = Host::open()?;
    println!("{}", host.name());
    println!("{:20} {:>9} {:>9} {:>6}", "operation", "exact ns", "float ns", "ratio");
    for operation in Operation::all() {
        let exact = cost(&host, operation, None)?;
        match float(operation.name()) {
            Some(float) => {
                let float = cost(&host, operation, Some(float))?;
                println!("{:20} {exact:9.3} {float:9.3} {:6.1}", operation.name(), exact / float);
            }
            None => println!("{:20} {exact:9.3}", operation.name()),
        }
    }
    Ok(())
}

/// What one operation costs of many that depend on one another, in all lanes.
fn cost(host: &Host, operation: Operation, float: Option<&str>) -> Result<f64, Box<dyn std::error::Error>> {
    let module = module(operation, float)?;
    let input: Vec<u32> =
        (0..LANES as u32 * 8).map(|n| 0x3f00_0000 + n.wrapping_mul(0x9e37_79b9) % 0x0100_0000).collect();
    let kinds = [Buffer::Read(&input), Buffer::Write(LANES), Buffer::Uniform(&[0; 4])];
    let kernel = host.kernel(&Shader::Module(&module), "main", &kinds)?;
    let time = |rounds: u32| -> Result<f64, gpuzoo_host::Error> {
        let rounds = [rounds, 0, 0, 0];
        let buffers = [Buffer::Read(&input), Buffer::Write(LANES), Buffer::Uniform(&rounds)];
        let mut best = f64::INFINITY;
        for _ in 0..4 {
            let start = Instant::now();
            kernel.run([LANES as u32 / 64, 1, 1], &buffers)?;
            best = best.min(start.elapsed().as_secs_f64());
        }
        Ok(best)
    };
    let (none, all) = (time(0)?, time(ROUNDS)?);
    Ok((all - none) * 1e9 / (LANES as f64 * f64::from(ROUNDS)))
}

/// `a`, an f32 or a u32, becomes the operation's result again and again.
fn module(operation: Operation, float: Option<&str>) -> Result<Module, Box<dyn std::error::Error>> {
    let count = match operation {
        Operation::One(_) => 1,
        Operation::Two(_) => 2,
        Operation::Three(_) => 3,
        Operation::Dot(_) => 8,
    };
    let names = &["a", "b", "c", "d", "e", "f", "g", "h"][..count];
    let (cast, body) = float.map_or(("", ""), |body| ("bitcast<f32>", body));
    let parameters: Vec<String> = names.iter().map(|name| format!("{name}: f32")).collect();
    let reads: String =
        (0..count).map(|n| format!("let {} = {cast}(input[id.x * 8u + {n}u]);", &names[n])).collect();
    let (functions, called) = match float {
        Some(_) => (format!("fn place({}) -> f32 {{ return {body}; }}", parameters.join(", ")), "place"),
        None => (exact::functions([operation]), operation.name()),
    };
    let others: String = names[1..].iter().map(|name| format!(", {name}")).collect();
    Ok(naga::front::wgsl::parse_str(&format!(
        "{functions}
        @group(0) @binding(0) var<storage, read> input: array<u32>;
        @group(0) @binding(1) var<storage, read_write> output: array<u32>;
        @group(0) @binding(2) var<uniform> rounds: vec4<u32>;
        @compute @workgroup_size(64)
        fn main(@builtin(global_invocation_id) id: vec3<u32>) {{
            {reads}
            var x = a;
            for (var n = 0u; n < rounds.x; n++) {{ x = {called}(x{others}); }}
            output[id.x] = bitcast<u32>(x);
        }}"
    ))?)
}

/// The same with the host's floats, more or less.
fn float(name: &str) -> Option<&'static str> {
    Some(match name {
        "fadd" | "fadd_trunc" => "a + b",
        "fsub" => "a - b",
        "fmul" | "fmul_trunc" | "fmul_finite" => "a * b",
        "fdiv" => "a / b",
        "fmad" => "a * b + c",
        "fsqrt" => "sqrt(a)",
        "fmin" => "min(a, b)",
        "fmax" => "max(a, b)",
        "fslt" => "select(0.0, 1.0, a < b)",
        "fsge" => "select(0.0, 1.0, a >= b)",
        "dot3" | "dot3_trunc" => "(a * b + c * d) + e * f",
        "dot4" | "dot4_trunc" => "((a * b + c * d) + e * f) + g * h",
        "frcp_trunc" | "frcc_trunc" => "1.0 / a",
        "frsq_trunc" => "inverseSqrt(a)",
        "fexp2" | "fexp2_trunc" => "exp2(a)",
        "flog2" | "flog2_trunc" => "log2(a)",
        "fsin" => "sin(a)",
        "fcos" => "cos(a)",
        "ftan" => "tan(a)",
        "fatan" => "atan(a)",
        "fasin" => "asin(a)",
        "facos" => "acos(a)",
        "fexp" => "exp(a)",
        "flog" => "log(a)",
        "fpow" => "pow(a, b)",
        "ffloor" | "ffloor_trunc" => "floor(a)",
        "ffract_trunc" => "fract(a)",
        _ => return None,
    })
}
