//! `--emit c-kernel`: compiled by the C compiler of this machine, kernels give the evaluator's bits.

use gpuzoo::bench;
use gpuzoo::c_kernel::kernel;
use gpuzoo::diag::Span;
use gpuzoo::emit::{Emit, Options, emit};
use gpuzoo::ir::eval::outputs;
use gpuzoo::ir::{Builder, Dot, Function, Inst, Op1, Op2, Op3, Vec4, passes};
use gpuzoo::machine::{Profile, RunState};
use gpuzoo::machines::nv2a::HW;
use gpuzoo::{Machine, Registry};
use std::io::Write;
use std::process::{Command, Stdio};

/// Not a multiple of any vector's length, so that the rest of the loop runs, too.
const LANES: usize = 1003;

const UNIFORMS: usize = 256;

/// Reads columns and constants, runs, and writes columns, all as they lie in memory.
const MAIN: &str = "
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    static float in[INPUTS + 1][LANES], out[OUTPUTS + 1][LANES], uniforms[UNIFORMS];
    const float *inputs[INPUTS + 1];
    float *outputs[OUTPUTS + 1];
    for (size_t i = 0; i < INPUTS; i++) {
        inputs[i] = in[i];
        if (fread(in[i], sizeof *in, 1, stdin) != 1)
            return 1;
    }
    for (size_t i = 0; i < OUTPUTS; i++)
        outputs[i] = out[i];
    if (fread(uniforms, sizeof uniforms, 1, stdin) != 1)
        return 1;
    kernel(inputs, uniforms, outputs, LANES);
    return OUTPUTS && fwrite(out, sizeof *out, OUTPUTS, stdout) != OUTPUTS;
}
";

/// Zeros, ones, limits, infinities, NaNs of all kinds, small integers, and numbers that functions care about.
#[rustfmt::skip]
const EDGES: [u32; 32] = [
    0x0000_0000, 0x8000_0000, 0x3f80_0000, 0xbf80_0000, 0x3f00_0000, 0x4000_0000, 0x3f80_0001, 0x7f7f_ffff,
    0xff7f_ffff, 0x7f80_0000, 0xff80_0000, 0x7fc0_0000, 0xffc0_0000, 0x7f80_0001, 0x7fc1_2345, 0xffff_ffff,
    0x0000_0001, 0x8000_0001, 0x007f_ffff, 0x0080_0000, 2, 3, 5, 0xffff_fffe, 0x7fff_ffff, 0x4049_0fdb,
    0x4b00_0000, 0xcf00_0000, 0x4f00_0000, 0x42c8_0000, 0xc316_0000, 0x3eaa_aaab,
];

/// A third edges, a third numbers of ordinary size, a third any bits.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32) as u32
    }

    fn component(&mut self) -> u32 {
        let bits = self.next();
        match self.next() % 3 {
            0 => EDGES[bits as usize % EDGES.len()],
            1 => ((bits as i32 as f32) / 500_000_000.0).to_bits(),
            _ => bits,
        }
    }

    fn vectors(&mut self, count: usize) -> Vec<Vec4> {
        (0..count).map(|_| [self.component(), self.component(), self.component(), self.component()]).collect()
    }
}

/// The C compiler, unless there is none.
fn compiler() -> Option<String> {
    let name = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let works = Command::new(&name).arg("--version").output().is_ok_and(|output| output.status.success());
    if !works {
        gpuzoo_skipped::say(&format!("there is no C compiler `{name}`: kernels in C"));
    }
    works.then_some(name)
}

/// Compiles a function, runs it, and compares all bits with the evaluator's.
fn compare(name: &str, function: &Function, uniforms: &[Vec4], random: &mut Random) {
    let Some(compiler) = compiler() else { return };
    let slots = function.input_count();
    let folder = std::env::temp_dir().join(format!("gpuzoo-c-kernel-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let text = kernel(function, "kernel").expect("C can say it");
    let sizes = format!(
        "enum {{ LANES = {LANES}, INPUTS = {}, OUTPUTS = {}, UNIFORMS = {} }};\n",
        slots * 4,
        function.outputs.len() * 4,
        uniforms.len() * 4
    );
    std::fs::write(folder.join("kernel.c"), text + &sizes + MAIN).expect("a file");
    // As yardsticks are compiled, loops over lanes become vectors. Without -fno-gcse GCC takes minutes for the longest
    // kernels.
    let compiled = Command::new(compiler)
        .args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-O3"])
        .args(["-march=native", "-ffp-contract=off", "-fno-gcse"])
        .args(["-o", "kernel", "kernel.c", "-lm"])
        .current_dir(&folder)
        .output()
        .expect("it runs");
    assert!(compiled.status.success(), "{name}: {}", String::from_utf8_lossy(&compiled.stderr));

    let lanes: Vec<Vec<Vec4>> = (0..LANES).map(|_| random.vectors(slots)).collect();
    let columns =
        (0..slots * 4).flat_map(|column| lanes.iter().map(move |lane| lane[column / 4][column % 4]));
    let words = columns.chain(uniforms.iter().flatten().copied());
    let bytes: Vec<u8> = words.flat_map(u32::to_ne_bytes).collect();
    let mut child = Command::new(folder.join("kernel"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut to = child.stdin.take().expect("a pipe");
    let writer = std::thread::spawn(move || to.write_all(&bytes));
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("no panic").expect("it reads all");
    assert!(output.status.success(), "{name}");
    let (words, rest) = output.stdout.as_chunks::<4>();
    assert_eq!((words.len(), rest.len()), (function.outputs.len() * 4 * LANES, 0), "{name}");
    for (lane, inputs) in lanes.iter().enumerate() {
        for (output, expected) in outputs(function, inputs, uniforms).into_iter().enumerate() {
            let word = |component: usize| u32::from_ne_bytes(words[(output * 4 + component) * LANES + lane]);
            let got = [0, 1, 2, 3].map(word);
            assert_eq!(got, expected, "{name}: output {output} of lane {lane}, inputs {inputs:08x?}");
        }
    }
    std::fs::remove_dir_all(&folder).expect("our folder");
}

/// Every operation, each on four columns per lane, and on results of its own kind.
fn operations(name: &str, build: impl FnOnce(&mut Builder)) {
    let mut b = Builder::default();
    build(&mut b);
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let uniforms = random.vectors(4);
    compare(name, &b.finish(), &uniforms, &mut random);
}

#[test]
fn operations_on_one_value() {
    operations("one", |b| {
        let a = b.input(0);
        for (number, op) in (0..).zip(Op1::ALL) {
            let value = b.map1(*op, a);
            b.output(number, value);
        }
    });
}

#[test]
fn operations_on_two_values() {
    operations("two", |b| {
        let (a, c) = (b.input(0), b.input(1));
        for (number, op) in (0..).zip(Op2::ALL) {
            let value = b.map2(*op, a, c);
            b.output(number, value);
        }
    });
}

#[test]
fn operations_on_three_values_and_dots() {
    operations("three", |b| {
        let (a, c, d) = (b.input(0), b.input(1), b.input(2));
        for (number, op) in (0..).zip(Op3::ALL) {
            let value = b.map3(*op, a, c, d);
            b.output(number, value);
        }
        for (number, dot) in (100..).zip(Dot::ALL) {
            let value = b.dot(*dot, a, c);
            b.output(number, value);
        }
    });
}

/// NaNs that cannot be observed, and those that can: what is computed goes into what moves bits.
#[test]
fn nans_on_their_way() {
    operations("nan", |b| {
        let (a, c, u) = (b.input(0), b.input(1), b.uniform(1));
        let sum = b.map2(Op2::FAdd, a, c);
        let negative = b.map1(Op1::FNeg, sum);
        let root = b.map1(Op1::FSqrt, negative);
        let least = b.map2(Op2::FMin, root, c);
        let strict = b.map2(Op2::FMinStrict, negative, a);
        let scaled = b.map2(Op2::FMul, strict, u);
        let bits = b.map2(Op2::IXor, scaled, sum);
        let order = b.map2(Op2::FMaxTotal, root, least);
        let hidden = b.map1(Op1::FAbs, root);
        let compared = b.map2(Op2::FSlt, hidden, scaled);
        for (number, value) in (0..).zip([negative, least, strict, bits, order, compared]) {
            b.output(number, value);
        }
    });
}

/// Uniforms at computed places, inside and outside, from every base.
#[test]
fn uniforms_at_computed_places() {
    operations("places", |b| {
        let at = b.input(0);
        let at = b.map1(Op1::ITrunc, at);
        for (number, (base, count)) in
            (0..).zip([(0, 4), (1, 3), (-2, 4), (i32::MIN, 4), (i32::MAX, 4), (0, 0), (-1, 1)])
        {
            let value = b.push(Inst::UniformAt { index: at, base, count });
            b.output(number, value);
        }
    });
}

/// The standard programs, under every profile they are measured with.
#[test]
fn standard_programs() {
    for case in bench::standard_cases(&Registry::default(), None, None, None).expect("there are some") {
        let mut random = Random(0x0123_4567_89ab_cdef);
        let uniforms = random.vectors(UNIFORMS);
        let about = case.gpu.about();
        let name = format!("{}-{}-{}", about.id, about.profile_name(case.profile), case.name);
        compare(&name, &case.function, &uniforms, &mut random);
    }
}

/// Vertex programs of machines that have no standard program.
#[test]
fn example_programs() {
    for (gpu, path) in
        [("servaru", "servaru/lit.svs"), ("servaru", "servaru/rivets.svs"), ("nv2a", "nv2a/skin.vsh")]
    {
        let text = std::fs::read(format!("{}/tests/shipped/{path}", env!("CARGO_MANIFEST_DIR")))
            .expect("an example");
        let gpu = Registry::default().shader_unit(Some(gpu), "").expect("a machine");
        let program = Machine::new(gpu).read(path, &text, &Default::default(), None).expect(path);
        let mut random = Random(77);
        let uniforms = random.vectors(UNIFORMS);
        let function = passes::optimize(&gpu.lower(program.code(), &RunState::default()).0.function);
        compare(&path.replace('/', "-"), &function, &uniforms, &mut random);
    }
}

#[test]
fn what_c_cannot_say_is_reported() {
    let text =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/shipped/servaru/texture.svs"));
    let program = gpuzoo::servaru().assemble("texture.svs", &text.expect("an example")).expect("a program");
    let options = Options { name: "texture.svs", profile: Profile::default() };
    let problem = emit(&program, Emit::CKernel, &options).expect_err("it reads a texture");
    assert_eq!(problem.code.id, "G0235");
    assert!(
        problem.message.contains("texture") && problem.span().is_some_and(|span| span != Span::default())
    );

    let mut b = Builder::default();
    let value = b.input(0);
    b.push(Inst::Kill(value));
    assert!(kernel(&b.finish(), "k").is_err_and(|obstacle| obstacle.what.contains("kill")));

    // A constant may be written, or read, but not both: then a lane waits for the one before.
    for (read, written, fine) in [(3, 4, true), (3, 3, false)] {
        let mut b = Builder::default();
        let (x, u) = (b.input(0), b.uniform(read));
        let sum = b.map2(Op2::FAdd, x, u);
        b.output(gpuzoo::isa::Output::Constant(written).number(), sum);
        assert_eq!(kernel(&b.finish(), "k").is_ok(), fine);
    }
}

/// The text names what goes in and comes out, and the same program gives the same text.
#[test]
fn the_text_tells_how_to_call_it() {
    let program = gpuzoo::nv2a().assemble("p.vsh", "dp4 oPos.x, v0, c0\nmov oD0, v3\n").expect("a program");
    let options = Options { name: "while.vsh", profile: HW };
    let text =
        String::from_utf8(emit(&program, Emit::CKernel, &options).expect("C can say it")).expect("text");
    assert!(text.starts_with("// while_kernel: a program for NV2A vertex shader, profile hw.\n"), "{text}");
    assert!(
        text.contains(" oPos oD0 ") && text.contains("void while_kernel(const float *const *inputs"),
        "{text}"
    );
    let again = emit(&program, Emit::CKernel, &options).expect("C can say it");
    assert_eq!(again, text.as_bytes());
}
