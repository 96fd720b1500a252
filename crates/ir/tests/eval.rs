//! Every kind of instruction, against results found by hand.

use crate::common::ir;
use gpuzoo_ir::{Function, Value, Vec4, eval, vec4};

fn out(f: &Function, inputs: &[Vec4], uniforms: &[Vec4]) -> Vec4 {
    eval::outputs(f, inputs, uniforms)[0]
}

#[test]
fn constants_inputs_and_uniforms_keep_their_bits() {
    let f = ir("
        v0 = const (1.0, -0.0, 0x7f800001, nan)
        v1 = input 1
        v2 = uniform 2
        output 0 = v0
        output 3 = v1
        output 7 = v2");
    let payload = [0x7fc1_2345, 0xff80_0001, 1, 0x8000_0000];
    let uniforms = [[0; 4], [0; 4], payload];
    let outputs = eval::outputs(&f, &[[9; 4], payload], &uniforms);
    assert_eq!(outputs, [[0x3f80_0000, 0x8000_0000, 0x7f80_0001, 0x7fc0_0000], payload, payload]);
    // What is not supplied reads as zeros.
    assert_eq!(eval::outputs(&f, &[], &uniforms[..2])[1..], [[0; 4], [0; 4]]);
    assert_eq!((f.input_count(), f.uniform_count()), (2, 3));
}

#[test]
fn uniforms_at_an_index_are_zeros_outside() {
    let f = ir("v0 = input 0\nv1 = uniform[v0.x + 2 < 4]\noutput 0 = v1");
    let uniforms: Vec<Vec4> = (0..6).map(|n| vec4([n as f32; 4])).collect();
    // Only component x counts; it is an integer, not a float.
    let at = |x: i32| out(&f, &[[x as u32, 77, 77, 77]], &uniforms);
    assert_eq!(at(0), vec4([2.0; 4]));
    assert_eq!(at(1), vec4([3.0; 4]));
    assert_eq!(at(-2), vec4([0.0; 4]), "uniform 0 holds zeros, too");
    assert_eq!(at(-1), vec4([1.0; 4]));
    // 4 and 5 are supplied, but not below the count.
    for outside in [2, 3, -3, i32::MIN, i32::MAX, i32::MAX - 1, 1.0f32.to_bits() as i32] {
        assert_eq!(at(outside), [0; 4], "{outside}");
    }
    // Below the count, but not supplied.
    assert_eq!(out(&f, &[[1, 0, 0, 0]], &uniforms[..3]), [0; 4]);
    assert_eq!(f.uniform_count(), 4);
}

#[test]
fn what_is_added_to_an_index_does_not_wrap() {
    let uniforms: Vec<Vec4> = (1..=4).map(|n| [n; 4]).collect();
    let low = ir("v0 = input 0\nv1 = uniform[v0.x - 2147483648 < 4]\noutput 0 = v1");
    // i32::MAX + i32::MIN = -1; the other sum would be 0 if it wrapped.
    assert_eq!(out(&low, &[[i32::MAX as u32, 0, 0, 0]], &uniforms), [0; 4]);
    assert_eq!(out(&low, &[[i32::MIN as u32, 0, 0, 0]], &uniforms), [0; 4]);
    let high = ir("v0 = input 0\nv1 = uniform[v0.x + 2147483647 < 4]\noutput 0 = v1");
    // i32::MIN + i32::MAX = -1; -i32::MAX + i32::MAX = 0; 1 + i32::MAX = 2^31.
    assert_eq!(out(&high, &[[i32::MIN as u32, 0, 0, 0]], &uniforms), [0; 4]);
    assert_eq!(out(&high, &[[-i32::MAX as u32, 0, 0, 0]], &uniforms), [1; 4]);
    assert_eq!(out(&high, &[[-i32::MAX as u32 + 3, 0, 0, 0]], &uniforms), [4; 4]);
    assert_eq!(out(&high, &[[1, 0, 0, 0]], &uniforms), [0; 4]);
    let none = ir("v0 = const (0x0, 0.0, 0.0, 0.0)\nv1 = uniform[v0.x < 0]\noutput 0 = v1");
    assert_eq!(out(&none, &[], &uniforms), [0; 4]);
}

#[test]
fn maps_work_component_by_component() {
    let f = ir("
        v0 = input 0
        v1 = input 1
        v2 = fsub v0, v1
        v3 = fneg v0
        v4 = fmad v0, v1, v3
        output 0 = v2
        output 1 = v3
        output 2 = v4");
    let nan = f32::from_bits(0x7f80_1234);
    let outputs = eval::outputs(&f, &[vec4([1.0, 2.0, nan, 0.0]), vec4([4.0, -0.5, 1.0, 0.0])], &[]);
    // The difference is computed: its NaN is 0x7fc00000. The negation moves bits: the payload stays.
    assert_eq!(outputs[0], [(-3.0f32).to_bits(), 2.5f32.to_bits(), 0x7fc0_0000, 0]);
    assert_eq!(outputs[1], [(-1.0f32).to_bits(), (-2.0f32).to_bits(), 0xff80_1234, 0x8000_0000]);
    // 0 × 0 + -0 = +0.
    assert_eq!(outputs[2], [3.0f32.to_bits(), (-3.0f32).to_bits(), 0x7fc0_0000, 0]);
}

#[test]
fn minimum_of_two_zeros_is_the_second() {
    let f = ir("v0 = input 0\nv1 = input 1\nv2 = fmin v0, v1\noutput 0 = v2");
    let (a, b) = ([0, 0x8000_0000, 0x7f80_0001, 5], [0x8000_0000, 0, 0x3f80_0000, 0x7f80_0001]);
    // -0, +0; b where a is NaN; a where b is NaN.
    assert_eq!(out(&f, &[a, b], &[]), [0x8000_0000, 0, 0x3f80_0000, 5]);
}

#[test]
fn mad_rounds_twice() {
    let f = ir("v0 = input 0\nv1 = input 1\nv2 = input 2\nv3 = fmad v0, v1, v2\noutput 0 = v3");
    // (1 + 2^-12)² = 1 + 2^-11 + 2^-24: a tie, which rounds to 1 + 2^-11. Fused, 2^-24 would be left.
    let a = vec4([1.0 + 1.0 / 4096.0; 4]);
    assert_eq!(out(&f, &[a, a, vec4([-1.0 - 1.0 / 2048.0; 4])], &[]), [0; 4]);
}

#[test]
fn dots_add_from_x_to_w() {
    let f = ir("
        v0 = input 0
        v1 = const (1.0, 1.0, 1.0, 1.0)
        v2 = dot4 v0, v1
        v3 = dot3 v0, v1
        output 0 = v2
        output 1 = v3");
    let dots = |components| {
        let outputs = eval::outputs(&f, &[vec4(components)], &[]);
        assert!(
            outputs.iter().all(|components| components.iter().all(|component| *component == components[0])),
            "one sum in all components"
        );
        [outputs[0][0], outputs[1][0]].map(f32::from_bits)
    };
    // 2^24 + 1 rounds to 2^24, so ((2^24 + 1) - 2^24) + 1 = 1. From w to x it would be ((1 - 2^24) + 1) + 2^24 = 2;
    // in pairs (2^24 + 1) + (-2^24 + 1) = 1.
    assert_eq!(dots([16777216.0, 1.0, -16777216.0, 1.0]), [1.0, 0.0]);
    // ((1 + 2^24) + 1) - 2^24 = 0. In pairs it would be 2^24 + (1 - 2^24) = 1.
    assert_eq!(dots([1.0, 16777216.0, 1.0, -16777216.0]), [0.0, 16777216.0]);
    // The order decides about overflow, too: (max + max) - max = infinity, and with -infinity NaN.
    assert_eq!(dots([f32::MAX, f32::MAX, -f32::MAX, 0.0])[0], f32::INFINITY);
    assert_eq!(dots([f32::MAX, f32::MAX, 0.0, f32::NEG_INFINITY])[0].to_bits(), 0x7fc0_0000);
    // Dot3 does not look at w at all.
    assert_eq!(dots([1.0, 2.0, 3.0, f32::NAN])[1], 6.0);
    // Sums of negative zeros: the first product is not added to +0.
    assert_eq!(dots([-0.0; 4])[0].to_bits(), 0x8000_0000);
}

#[test]
fn shuffles_pick_from_two_values_zero_and_one() {
    let f = ir("
        v0 = input 0
        v1 = input 1
        v2 = v0.zz1x
        v3 = v0.x_0_ | v1._w_y
        v4 = v0.____ | v1.wzyx
        v5 = v0.1010
        output 0 = v2
        output 1 = v3
        output 2 = v4
        output 3 = v5");
    let (a, b) = ([10, 11, 12, 13], [20, 21, 22, 0x7f80_0001]);
    let one = 0x3f80_0000;
    let expected = [[12, 12, one, 10], [10, 0x7f80_0001, 0, 21], [0x7f80_0001, 22, 21, 20], [one, 0, one, 0]];
    assert_eq!(eval::outputs(&f, &[a, b], &[]), expected);
}

#[test]
fn samples_ask_the_texture_for_the_unit_and_the_coordinates() {
    struct Echo;
    impl eval::Textures for Echo {
        fn sample(&self, unit: u8, at: Vec4) -> Vec4 {
            [u32::from(unit), at[0], at[1], at[3]]
        }
    }
    let f = ir("v0 = input 0\nv1 = sample 200, v0\noutput 0 = v1");
    let mut run = eval::Run::default();
    run.run(&f, &[[5, 6, 7, 8]], &[], &Echo);
    assert_eq!(run.value(Value(1)), [200, 5, 6, 8]);
    assert_eq!(out(&f, &[[5, 6, 7, 8]], &[]), [0; 4], "no textures");
}

#[test]
fn any_component_below_zero_kills() {
    let f = ir("v0 = input 0\nv1 = kill v0\noutput 0 = v1");
    let mut run = eval::Run::default();
    let mut killed = |components: Vec4| {
        run.run(&f, &[components], &[], &eval::NoTextures);
        assert_eq!(run.value(Value(1)), components, "the value of a kill is its operand");
        run.killed().is_some()
    };
    for component in 0..4 {
        let mut with = |bits| {
            let mut components = vec4([1.0; 4]);
            components[component] = bits;
            killed(components)
        };
        // Below zero: -1, the smallest subnormal, -infinity. Not: -0, +0, NaNs of either sign.
        assert!([0xbf80_0000, 0x8000_0001, 0xff80_0000].into_iter().all(&mut with));
        assert!(![0x8000_0000, 0, 0x7fc0_0000, 0xffc0_0000, 0xff80_0001, 1].into_iter().any(&mut with));
    }
}

#[test]
fn the_first_kill_counts_and_values_after_it_exist() {
    let f = ir("
        v0 = input 0
        v1 = kill v0
        v2 = input 1
        v3 = kill v2
        v4 = fadd v2, v2
        output 0 = v4");
    let mut run = eval::Run::default();
    let (minus, plus) = (vec4([-1.0; 4]), vec4([1.0; 4]));
    let mut killed = |inputs: [Vec4; 2]| {
        run.run(&f, &inputs, &[], &eval::NoTextures);
        (run.killed(), run.value(Value(4))[0])
    };
    assert_eq!(killed([minus, minus]), (Some(Value(1)), (-2.0f32).to_bits()));
    assert_eq!(killed([plus, minus]), (Some(Value(3)), (-2.0f32).to_bits()));
    assert_eq!(killed([plus, plus]), (None, 2.0f32.to_bits()), "an earlier run's kill is forgotten");
    assert_eq!(run.value(Value(99)), [0; 4]);
}
