//! What drawing and running programs cost: `cargo bench -p gpuzoo-bench --bench picogpu`.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use gpuzoo_diag::File;
use gpuzoo_picogpu::{
    DOCUMENT, Device, Job, Options, Pins, UNIT, Unit, assemble, descriptors, execute, program_dwords,
};
use std::fmt::Write;

fn main() {
    divan::main();
}

const SCENES: [&str; 2] = ["scene_public_1", "scene_public_2"];

fn job(name: &str) -> Job {
    let path = format!("{}/../../gpus/picogpu/tests/vectors/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("the vectors are in the repository");
    Job::parse(&File::new(name, &text)).0.expect("a job")
}

/// Fragments of a whole job: fills, blits, lowering of the programs, draws.
#[divan::bench(args = SCENES)]
fn jobs(bencher: Bencher, name: &str) {
    let job = job(name);
    let done = job.run(None).expect("it runs");
    let fragments: u64 =
        done.draws.iter().flat_map(|draw| &draw.triangles).map(|triangle| triangle.fragments).sum();
    bencher.counter(ItemsCount::new(fragments)).bench_local(|| black_box(&job).run(None));
}

/// Fragments of a draw on a machine that knows its programs.
#[divan::bench(args = SCENES)]
fn draws(bencher: Bencher, name: &str) {
    let job = job(name);
    let draw = &job.draws[0];
    let mut device = Device::new(&Options { profile: UNIT, ..Options::default() }).expect("there is memory");
    let pixels = job.width * job.height;
    let (depth_buffer, programs) = (4 * pixels, 8 * pixels);
    let fragment_shader = programs + 4 * draw.vertex.len() as u32;
    let vertices_address = fragment_shader + 4 * draw.fragment.len() as u32;
    for (address, dwords) in
        [(programs, &draw.vertex), (fragment_shader, &draw.fragment), (vertices_address, &draw.vertices)]
    {
        device.write(address, dwords).expect("it fits");
    }
    let [vertex_inputs, attributes, vertex_uniforms, fragment_uniforms] = draw.descriptors();
    device.pins = Pins {
        vertex_inputs,
        attributes,
        width: job.width,
        height: job.height,
        vertices_address,
        vertices_count: draw.vertex_count,
        vertex_shader: programs,
        fragment_shader,
        vertex_uniforms,
        fragment_uniforms,
        vertex_uniforms_data: draw.vertex_uniforms,
        fragment_uniforms_data: draw.fragment_uniforms,
        framebuffer: 0,
        depth_enable: job.clear_depth.is_some(),
        depth_buffer,
    };
    let clear = job.clear_depth.unwrap_or(0);
    let fragments: u64 =
        device.draw(None).expect("it draws").triangles.iter().map(|triangle| triangle.fragments).sum();
    bencher.counter(ItemsCount::new(fragments)).bench_local(|| {
        device.fill(depth_buffer, pixels as usize, clear).expect("it fits");
        device.draw(None)
    });
}

/// A vertex program of 506 instructions, its own two included: all float operations in turn, each of which reads what the
/// one before it wrote, so that none is in vain.
fn mix() -> String {
    let mut text =
        "#vertexShader #input r0.xyzw #input r1.xyzw #output r2.xyzw #uniform r3.xyzw\n".to_owned();
    let operations = [
        "fadd", "fmul", "fsub", "fmad", "fdot", "fmax", "fmin", "fneg", "fcross2", "fcross", "frcp", "fdiv",
        "fnorm", "mov",
    ];
    for index in 0..503 {
        let (dst, before) = (4 + index % 12, 4 + (index + 11) % 12);
        let operation = operations[index % operations.len()];
        let _ = match operation {
            "fmad" => writeln!(text, "fmad r{dst} r{before} r1 r{dst}"),
            "fneg" | "frcp" | "fnorm" | "mov" => writeln!(text, "{operation} r{dst} r{before}"),
            "fadd" => writeln!(text, "fadd r{dst} r{before} r{}", [0, 1, 3][index % 3]),
            _ => writeln!(text, "{operation} r{dst} r{before} r{dst}"),
        };
    }
    text + "mov r2 r14\n"
}

/// Instructions × threads of the unit, which gets requests of 32 threads.
#[divan::bench]
fn mix_on_32_threads(bencher: Bencher) {
    let program = assemble(&File::new("mix", &mix()), DOCUMENT).program;
    assert_eq!(program.slots.len(), 506);
    assert_eq!(program.interface.as_ref().map(descriptors).map(|pins| pins[0]), Some(0xfe));
    let mut unit = Unit::new(DOCUMENT);
    program_dwords(&program).into_iter().for_each(|dword| unit.push(dword).expect("a program"));
    let inputs = (0..32 * 8).map(|index| (index as f32 / 16.0 - 7.0).to_bits());
    let request: Vec<u32> = execute(32).into_iter().chain(inputs).chain([0x3f80_0000; 4]).collect();
    bencher.counter(ItemsCount::new(506usize * 32)).bench_local(|| {
        for dword in black_box(&request) {
            unit.push(*dword).expect("a request");
        }
        while let Some(dword) = unit.take() {
            black_box(dword);
        }
    });
}

/// Dwords of texts with 509 instructions.
#[divan::bench]
fn assemble_mix(bencher: Bencher) {
    let file = File::new("mix", &mix());
    bencher.counter(ItemsCount::new(506usize)).bench_local(|| assemble(black_box(&file), DOCUMENT));
}
