//! The instructions of one vertex unit, in two arithmetics, against vectors: what the operations were made for.
//!
//! `truncating.jsonl` comes from a bit-level model of the hardware, `finite.jsonl` from a widely used emulator; each is
//! every eighth line of a larger file. `observed.jsonl` is what the machines themselves displayed, `tables.json` what
//! the model's functions look up.

use crate::common::ir;
use gpuzoo_ir::{Function, Vec4, eval, passes};
use serde_json::Value as Json;
use std::collections::BTreeMap;

/// Instructions that are the same in both arithmetics. Their operands are inputs 0 to 2, their result is output 0.
const MOV: (&str, &str) = ("mov", "v0 = input 0\noutput 0 = v0");

/// The arithmetic of the hardware.
#[rustfmt::skip]
const TRUNCATING: &[(&str, &str)] = &[
    MOV,
    ("mul", "v0 = input 0\nv1 = input 1\nv2 = fmul_trunc v0, v1\noutput 0 = v2"),
    ("add", "v0 = input 0\nv1 = input 1\nv2 = fadd_trunc v0, v1\noutput 0 = v2"),
    ("mad", "v0 = input 0\nv1 = input 1\nv2 = input 2\nv3 = fmul_trunc v0, v1\nv4 = fadd_trunc v3, v2\noutput 0 = v4"),
    ("dp3", "v0 = input 0\nv1 = input 1\nv2 = dot3_trunc v0, v1\noutput 0 = v2"),
    ("dph", "v0 = input 0\nv1 = input 1\nv2 = v0.xyz1\nv3 = dot4_trunc v2, v1\noutput 0 = v3"),
    ("dp4", "v0 = input 0\nv1 = input 1\nv2 = dot4_trunc v0, v1\noutput 0 = v2"),
    ("dst", "v0 = input 0\nv1 = input 1\nv2 = fmul_trunc v0, v1\nv3 = v2.1y_1 | v0.__z_\nv4 = v3.xyz_ | v1.___w\noutput 0 = v4"),
    ("min", "v0 = input 0\nv1 = input 1\nv2 = fmin_total v0, v1\noutput 0 = v2"),
    ("max", "v0 = input 0\nv1 = input 1\nv2 = fmax_total v0, v1\noutput 0 = v2"),
    ("slt", "v0 = input 0\nv1 = input 1\nv2 = fslt_total v0, v1\noutput 0 = v2"),
    ("sge", "v0 = input 0\nv1 = input 1\nv2 = fslt_total v0, v1\nv3 = const (1, 1, 1, 1)\nv4 = fsub v3, v2\noutput 0 = v4"),
    ("rcp", "v0 = input 0\nv1 = v0.xxxx\nv2 = frcp_trunc v1\noutput 0 = v2"),
    ("rcc", "v0 = input 0\nv1 = v0.xxxx\nv2 = frcc_trunc v1\noutput 0 = v2"),
    ("rsq", "v0 = input 0\nv1 = v0.xxxx\nv2 = frsq_trunc v1\noutput 0 = v2"),
    ("exp", "v0 = input 0\nv1 = v0.xxxx\nv2 = ffloor_trunc v1\nv3 = fexp2_trunc v2\nv4 = ffract_trunc v1\nv5 = fexp2_trunc v1
             v6 = v3.x_11 | v4._y__\nv7 = v6.xy_1 | v5.__z_\noutput 0 = v7"),
    ("log", "v0 = input 0\nv1 = v0.xxxx\nv2 = fexponent_trunc v1\nv3 = fmantissa_trunc v1\nv4 = flog2_trunc v1
             v5 = v2.x_11 | v3._y__\nv6 = v5.xy_1 | v4.__z_\noutput 0 = v6"),
    ("lit", "v0 = input 0\nv1 = v0.xxxx\nv2 = v0.yyyy\nv3 = v0.wwww\nv4 = const (0, 0, 0, 0)\nv5 = fmax_total v1, v4
             v6 = flit_trunc v1, v2, v3\nv7 = v5.1y_1 | v6.__z_\noutput 0 = v7"),
];

/// The arithmetic of the emulator: IEEE, with edges.
#[rustfmt::skip]
const FINITE: &[(&str, &str)] = &[
    MOV,
    ("mul", "v0 = input 0\nv1 = input 1\nv2 = fmul_finite v0, v1\noutput 0 = v2"),
    ("add", "v0 = input 0\nv1 = input 1\nv2 = fadd v0, v1\noutput 0 = v2"),
    ("mad", "v0 = input 0\nv1 = input 1\nv2 = input 2\nv3 = fmul_finite v0, v1\nv4 = fadd v3, v2\noutput 0 = v4"),
    ("dp3", "v0 = input 0\nv1 = input 1\nv2 = dot3_finite v0, v1\noutput 0 = v2"),
    ("dph", "v0 = input 0\nv1 = input 1\nv2 = v0.xyz1\nv3 = dot4_finite v2, v1\noutput 0 = v3"),
    ("dp4", "v0 = input 0\nv1 = input 1\nv2 = dot4_finite v0, v1\noutput 0 = v2"),
    ("dst", "v0 = input 0\nv1 = input 1\nv2 = fmul_finite v0, v1\nv3 = v2.1y_1 | v0.__z_\nv4 = v3.xyz_ | v1.___w\noutput 0 = v4"),
    ("min", "v0 = input 0\nv1 = input 1\nv2 = fmin_strict v0, v1\noutput 0 = v2"),
    ("max", "v0 = input 0\nv1 = input 1\nv2 = fmax_strict v0, v1\noutput 0 = v2"),
    ("slt", "v0 = input 0\nv1 = input 1\nv2 = fslt_zeros v0, v1\noutput 0 = v2"),
    ("sge", "v0 = input 0\nv1 = input 1\nv2 = fslt_zeros v0, v1\nv3 = const (1, 1, 1, 1)\nv4 = fsub v3, v2\noutput 0 = v4"),
    ("arl", "v0 = input 0\nv1 = v0.xxxx\nv2 = const (0.001, 0.001, 0.001, 0.001)\nv3 = fadd v1, v2\nv4 = ffloor v3\noutput 0 = v4"),
    ("rcp", "v0 = input 0\nv1 = v0.xxxx\nv2 = const (1, 1, 1, 1)\nv3 = fdiv v2, v1\noutput 0 = v3"),
    ("rcc", "v0 = input 0\nv1 = v0.xxxx\nv2 = frcc_loose v1\noutput 0 = v2"),
    ("rsq", "v0 = input 0\nv1 = v0.xxxx\nv2 = fabs v1\nv3 = fsqrt v2\nv4 = const (1, 1, 1, 1)\nv5 = fdiv v4, v3\noutput 0 = v5"),
    ("exp", "v0 = input 0\nv1 = v0.xxxx\nv2 = ffloor v1\nv3 = fexp2 v2\nv4 = fsub v1, v2\nv5 = fexp2 v1
             v6 = v3.x_11 | v4._y__\nv7 = v6.xy_1 | v5.__z_\noutput 0 = v7"),
    ("log", "v0 = input 0\nv1 = v0.xxxx\nv2 = fabs v1\nv3 = fexponent_unsigned v2\nv4 = fmantissa v2\nv5 = flog2 v2
             v6 = v3.x_11 | v4._y__\nv7 = v6.xy_1 | v5.__z_\noutput 0 = v7"),
    ("lit", "v0 = input 0\nv1 = v0.xxxx\nv2 = v0.yyyy\nv3 = v0.wwww\nv4 = const (0, 0, 0, 0)\nv5 = fmax_strict v1, v4
             v6 = const (127.9961, 127.9961, 127.9961, 127.9961)\nv7 = fmin_strict v6, v3
             v8 = const (-127.9961, -127.9961, -127.9961, -127.9961)\nv9 = fmax_strict v8, v7
             v10 = flit v1, v2, v9\nv11 = v5.1y_1 | v10.__z_\noutput 0 = v11"),
];

/// Functions by mnemonic, as written and optimized.
struct Unit(BTreeMap<&'static str, [Function; 2]>);

impl Unit {
    fn new(instructions: &[(&'static str, &str)]) -> Unit {
        let function = |source| {
            let written = ir(source);
            [passes::optimize(&written), written]
        };
        Unit(instructions.iter().map(|&(name, source)| (name, function(source))).collect())
    }

    fn run(&self, op: &str, operands: &[Vec4]) -> Vec4 {
        let results = self.0[op].each_ref().map(|function| eval::outputs(function, operands, &[])[0]);
        assert_eq!(results[0], results[1], "{op} optimized: {operands:08x?}");
        results[0]
    }

    /// Bits that a function of the given constants has when they are folded.
    fn folded(&self, op: &str, operands: &[Vec4]) -> Vec4 {
        let mut function = self.0[op][1].clone();
        for inst in &mut function.insts {
            if let gpuzoo_ir::Inst::Input(index) = *inst {
                *inst = gpuzoo_ir::Inst::Const(operands[index as usize]);
            }
        }
        let function = passes::fold(&function);
        match function.insts[function.outputs[0].1.index()] {
            gpuzoo_ir::Inst::Const(bits) => bits,
            ref inst => panic!("{op} of constants is not folded: {inst}"),
        }
    }
}

fn bits(json: &Json) -> u32 {
    u32::from_str_radix(json.as_str().unwrap(), 16).unwrap()
}

/// Four components; those that the line does not have are zeros.
fn vector(json: &Json) -> Vec4 {
    let components = json.as_array().unwrap();
    std::array::from_fn(|component| components.get(component).map_or(0, bits))
}

fn lines(text: &str) -> impl Iterator<Item = (String, Vec<Vec4>, Json)> {
    text.lines().map(|line| {
        let json: Json = serde_json::from_str(line).unwrap();
        let operands = json["in"].as_array().unwrap().iter().map(vector).collect();
        (json["op"].as_str().unwrap().to_owned(), operands, json)
    })
}

/// NaN of any kind becomes the one that the emulator's vectors have.
fn one_nan(component: u32) -> u32 {
    if f32::from_bits(component).is_nan() { gpuzoo_ir::NAN } else { component }
}

/// The number of lines, all of which agree bit for bit.
fn check_truncating(text: &str) -> usize {
    let unit = Unit::new(TRUNCATING);
    let check = |(op, operands, json): (String, Vec<Vec4>, Json)| {
        let expected = vector(&json["out"]);
        let got = unit.run(&op, &operands);
        assert_eq!(got, expected, "{op} {operands:08x?}: got {got:08x?}, not {expected:08x?}");
        assert_eq!(unit.folded(&op, &operands), expected, "{op} {operands:08x?} folded");
    };
    lines(text).map(check).count()
}

/// The number of lines that agree, and of those among them that differ by an ulp in a component for which the emulator
/// calls its C library.
fn check_finite(text: &str) -> (usize, usize) {
    let unit = Unit::new(FINITE);
    let mut misrounded = 0;
    let check = |(op, operands, json): (String, Vec<Vec4>, Json)| {
        let expected = vector(&json["out"]).map(one_nan);
        // Operands pass the emulator's fetch step, which quietens signalling NaN, before they are moved.
        let got = unit.run(&op, &operands).map(one_nan);
        let library = matches!(op.as_str(), "exp" | "log" | "lit");
        let near =
            |component: usize| library && component == 2 && got[component].abs_diff(expected[component]) == 1;
        let good = (0..4).all(|component| got[component] == expected[component] || near(component));
        assert!(good, "{op} {operands:08x?}: got {got:08x?}, not {expected:08x?}");
        assert_eq!(unit.folded(&op, &operands).map(one_nan), got, "{op} {operands:08x?} folded");
        misrounded += usize::from(got != expected);
    };
    let count = lines(text).map(check).count();
    (count, misrounded)
}

#[test]
fn truncating_instructions_are_those_of_the_hardware() {
    assert_eq!(check_truncating(include_str!("data/truncating.jsonl")), 1037);
}

#[test]
fn finite_instructions_are_those_of_the_emulator() {
    let (count, misrounded) = check_finite(include_str!("data/finite.jsonl"));
    assert_eq!(count, 1066);
    // The C library that the emulator was built with is not correctly rounded in one result of 2000.
    assert!(misrounded <= 3, "{misrounded}");
}

/// Numbers that the machines displayed: the last digit may be off by one.
#[test]
fn truncating_instructions_give_what_was_observed() {
    let unit = Unit::new(TRUNCATING);
    let mut count = 0;
    for (op, operands, json) in lines(include_str!("data/observed.jsonl")) {
        let got = unit.run(&op, &operands).map(f32::from_bits);
        for (component, shown) in json["display"].as_array().unwrap().iter().enumerate() {
            let shown = shown.as_str().unwrap().to_lowercase();
            let value: f64 = shown.parse().unwrap();
            let (mantissa, exponent) = shown.split_once('e').unwrap_or((&shown, "0"));
            let decimals = mantissa.split_once('.').map_or(0, |(_, decimals)| decimals.len()) as i32;
            let digit = 10f64.powi(exponent.parse::<i32>().unwrap() - decimals);
            let got = f64::from(got[component]);
            let same = got == value || (got.is_nan() && value.is_nan()) || (got - value).abs() <= digit;
            assert!(same, "{op} {operands:08x?}: got {got}, not {shown}");
        }
        count += 1;
    }
    assert_eq!(count, 26);
}

/// Newton's method hides small mistakes in a seed, so that the tables are compared entry by entry.
#[test]
fn tables_are_those_of_the_hardware() {
    use gpuzoo_ir::arith::tables::{EXP_BASE, EXP_SLOPE, LOG_BASE, LOG_SLOPE, RCP_SEED, RSQ_SEED};
    let json: Json = serde_json::from_str(include_str!("data/tables.json")).unwrap();
    let tables: [(&str, &[u32]); 6] = [
        ("rcp_seed", &RCP_SEED),
        ("rsq_seed", &RSQ_SEED),
        ("exp_base", &EXP_BASE),
        ("exp_slope", &EXP_SLOPE),
        ("log_base", &LOG_BASE),
        ("log_slope", &LOG_SLOPE),
    ];
    for (name, table) in tables {
        let entries = json[name].as_array().unwrap().iter();
        assert_eq!(entries.map(|entry| entry.as_u64().unwrap() as u32).collect::<Vec<_>>(), table, "{name}");
    }
}
