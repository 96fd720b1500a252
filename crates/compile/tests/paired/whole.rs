//! Whole numbers: what is left without a fraction is the same bits on every machine, whatever `expp` rounds.

use super::{raw, shader};
use gpuzoo_compile::options::Level;
use gpuzoo_ir::eval;
use gpuzoo_isa::{Profile, numbers};
use gpuzoo_machine::ShaderUnit;
use gpuzoo_nv2a::GPU;

/// Numbers beside whole ones, near 0 and far from it.
const BESIDE: [f32; 20] = [
    0.0,
    f32::MIN_POSITIVE,
    1e-30,
    1e-7,
    0.3,
    0.447_213_6,
    0.499_999_97,
    0.5,
    0.999_999_8,
    0.999_999_9,
    0.999_999_94,
    1.0,
    1.000_000_1,
    1.5,
    2.5,
    2.999_999_8,
    4_194_303.5,
    8_388_607.5,
    8_388_608.0,
    1e30,
];

#[test]
fn whole_numbers_are_exact() {
    let mut number = numbers(1);
    let mut random = |most: f32| (number(1 << 24) as f32 / (1 << 23) as f32 - 1.0) * most;
    let mut operands: Vec<f32> = BESIDE.into_iter().flat_map(|x| [x, -x]).collect();
    operands.extend((0..2_000).map(|at| random(if at % 2 == 0 { 1.0 } else { 300.0 })));
    type Function = fn(f32) -> f32;
    let functions: [(&str, Function); 5] = [
        ("floor(a.x)", f32::floor),
        ("ceil(a.x)", f32::ceil),
        ("trunc(a.x)", f32::trunc),
        ("f32(i32(a.x))", f32::trunc),
        ("f32(u32(a.x))", |x| x.trunc().max(0.0)),
    ];
    for (expression, right) in functions {
        let text = format!(
            "@vertex fn f(@location(0) a: vec4f) -> @builtin(position) vec4f {{ return vec4f({expression}); }}"
        );
        let built = raw(&shader(&text), Level::Usual);
        for profile in [Profile(0), Profile(1)] {
            let lowered = GPU.lower(&built.program, &profile.into()).0.function;
            let mut constants = vec![[0; 4]; 192];
            for (index, bits) in built.program.defined() {
                constants[usize::from(index)] = bits;
            }
            for &operand in &operands {
                let inputs = vec![[operand.to_bits(); 4]; 16];
                let result = f32::from_bits(eval::outputs(&lowered, &inputs, &constants)[0][0]);
                assert_eq!(result, right(operand), "{expression} of {operand:e} in {profile:?}");
            }
        }
    }
}
