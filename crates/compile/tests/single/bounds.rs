//! Every operation of sources on every machine: what the program gives, and what the operation does.

use super::random::run;
use super::{built, shader};
use gpuzoo_ir::{Vec4, eval};
use gpuzoo_isa::Stage::Vertex;
use gpuzoo_isa::numbers;
use gpuzoo_machine::ShaderUnit;

/// An operation, how many operands it has, from where to where they are, and the error, absolute and relative.
type Row = (&'static str, usize, [f32; 2], [f64; 2]);

const ROWS: [Row; 28] = [
    ("fadd", 2, [-100.0, 100.0], [0.0, 0.0]),
    ("fsub", 2, [-100.0, 100.0], [0.0, 0.0]),
    ("fmul", 2, [-100.0, 100.0], [0.0, 0.0]),
    ("fmad", 3, [-100.0, 100.0], [0.0, 0.0]),
    ("fneg", 1, [-100.0, 100.0], [0.0, 0.0]),
    ("fabs", 1, [-100.0, 100.0], [0.0, 0.0]),
    ("fmax", 2, [-100.0, 100.0], [0.0, 0.0]),
    ("fmin", 2, [-100.0, 100.0], [0.0, 0.0]),
    ("fslt", 2, [-2.0, 2.0], [0.0, 0.0]),
    ("fsge", 2, [-2.0, 2.0], [0.0, 0.0]),
    ("fsign", 1, [-2.0, 2.0], [0.0, 0.0]),
    ("ffloor", 1, [-1e5, 1e5], [0.0, 0.0]),
    ("dot3", 2, [-100.0, 100.0], [0.0, 0.0]),
    ("dot4", 2, [-100.0, 100.0], [0.0, 0.0]),
    ("fdiv", 2, [0.01, 100.0], [0.0, 2.5e-7]),
    ("fsqrt", 1, [0.0, 1000.0], [0.0, 5e-7]),
    ("fexp2", 1, [-20.0, 20.0], [0.0, 1.5e-5]),
    ("flog2", 1, [0.001, 1000.0], [5e-6, 0.0]),
    ("fexp", 1, [-20.0, 20.0], [0.0, 1.5e-5]),
    ("flog", 1, [0.001, 1000.0], [5e-6, 0.0]),
    ("fpow", 2, [0.1, 6.0], [0.0, 2e-5]),
    ("fsin", 1, [-50.0, 50.0], [1.5e-5, 0.0]),
    ("fcos", 1, [-50.0, 50.0], [1.5e-5, 0.0]),
    ("ftan", 1, [-1.4, 1.4], [2e-5, 1e-4]),
    ("fasin", 1, [-1.0, 1.0], [4e-6, 0.0]),
    ("facos", 1, [-1.0, 1.0], [4e-6, 0.0]),
    ("fatan", 1, [-20.0, 20.0], [1.5e-5, 0.0]),
    ("fatan2", 2, [-20.0, 20.0], [1.5e-5, 0.0]),
];

#[test]
fn operations_stay_within_their_bounds() {
    let machines: [&dyn ShaderUnit; 3] = [&gpuzoo_servaru::GPU, &gpuzoo_dreambox::GPU, &gpuzoo_picogpu::GPU];
    let mut wrong = Vec::new();
    for (name, count, [low, high], [absolute, relative]) in ROWS {
        let operands = ["v0", "v1", "v2"][..count].join(", ");
        let text =
            format!("v0 = input 0\nv1 = input 1\nv2 = input 2\nv3 = {name} {operands}\noutput 0 = v3\n");
        let shader = shader(Vertex, &text, &[4; 3], &[4], &[]);
        for unit in machines {
            let built = built(unit, &shader);
            for seed in 0..200 {
                let mut number = numbers(seed);
                let mut component = || low + (high - low) * (number(1 << 20) as f32 / (1 << 20) as f32);
                let inputs: Vec<Vec4> = (0..3).map(|_| [0; 4].map(|_: u32| component().to_bits())).collect();
                let expected = eval::outputs(&shader.function, &inputs, &[])[0];
                let found = run(unit, &shader, &built, &inputs, &[], 0)[0];
                for (expected, found) in expected.into_iter().zip(found) {
                    let [expected, found] = [expected, found].map(|bits| f64::from(f32::from_bits(bits)));
                    let error = (expected - found).abs();
                    if error.is_nan() || error > absolute + relative * expected.abs() {
                        wrong.push(format!(
                            "{} {name} {inputs:x?}: {found}, not {expected}",
                            unit.about().name
                        ));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} {:#?}", wrong.len(), &wrong[..wrong.len().min(20)]);
}

/// A choice takes one of its sides, bit for bit where the machine can.
#[test]
fn choices_take_one_side() {
    let text = "v0 = input 0\nv1 = input 1\nv2 = input 2\nv3 = fslt v0, v1\nv4 = iselect v3, v2, v1\noutput 0 = v4\n";
    let shader = shader(Vertex, text, &[4; 3], &[4], &[]);
    for unit in [&gpuzoo_servaru::GPU as &dyn ShaderUnit, &gpuzoo_dreambox::GPU, &gpuzoo_picogpu::GPU] {
        let built = built(unit, &shader);
        let inputs =
            [[1.0, 2.0, -0.0, 3.0], [2.0, 1.0, 0.0, 3.0], [7.5, -0.25, 4.0, 1e-3]].map(gpuzoo_ir::vec4);
        let found = run(unit, &shader, &built, &inputs, &[], 0)[0].map(f32::from_bits);
        assert_eq!(found, [2.0, -0.25, 4.0, 1e-3], "{}", unit.about().name);
    }
}
