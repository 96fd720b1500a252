//! What the tests share: functions from text, random functions, and troublesome bits.
#![allow(dead_code)] // Each test file uses a part of it.

use gpuzoo_diag::{File, Sources, render};
use gpuzoo_ir::{Dot, Function, Inst, Op1, Op2, Op3, Pick, Value, Vec4, eval, text};
use proptest::prelude::*;

/// The function of a text that has no errors.
pub fn ir(source: &str) -> Function {
    let mut sources = Sources::default();
    let id = sources.add("test.ir", source);
    let (function, diagnostics) = text::parse(sources.get(id));
    assert!(diagnostics.is_empty(), "{}", render::human(&sources, &diagnostics, &render::Style::plain()));
    function
}

/// The diagnostics of a text, one `line:column code message` each.
pub fn errors(source: &str) -> Vec<String> {
    let file = File::new("test.ir", source);
    let (_, diagnostics) = text::parse(&file);
    let tell = |diagnostic: &gpuzoo_diag::Diagnostic| {
        let place = file.place(diagnostic.span().expect("every error has a place").start);
        format!("{}:{} {} {}", place.line, place.column, diagnostic.code.id, diagnostic.message)
    };
    diagnostics.iter().map(tell).collect()
}

/// Zeros, ones, limits, infinities, NaNs of all kinds, and small integers.
#[rustfmt::skip]
pub const EDGES: [u32; 26] = [
    0x0000_0000, 0x8000_0000, 0x3f80_0000, 0xbf80_0000, 0x3f00_0000, 0x4000_0000, 0x3f80_0001, 0x7f7f_ffff,
    0xff7f_ffff, 0x7f80_0000, 0xff80_0000, 0x7fc0_0000, 0xffc0_0000, 0x7f80_0001, 0x7fc1_2345, 0xffff_ffff,
    0x0000_0001, 0x8000_0001, 0x007f_ffff, 0x0080_0000, 2, 3, 5, 0xffff_fffe, 0x7fff_ffff, 0x4049_0fdb,
];

/// A component: an edge half of the time, else any bits.
pub fn component() -> impl Strategy<Value = u32> {
    prop_oneof![prop::sample::select(&EDGES[..]), any::<u32>()]
}

/// So many vec4s.
pub fn vectors(count: usize) -> impl Strategy<Value = Vec<Vec4>> {
    prop::collection::vec([component(), component(), component(), component()], count)
}

/// A verified function over all kinds of instructions, with up to `length` of them, few inputs and uniforms (so that
/// instructions repeat) and an origin of its own for each instruction (so that kills can be distinguished).
pub fn function(length: usize) -> impl Strategy<Value = Function> {
    let inst = (0..22u32, any::<[u32; 6]>(), [component(), component(), component(), component()]);
    let outputs = prop::collection::btree_map(0..6u16, any::<u32>(), 1..4);
    (prop::collection::vec(inst, 1..=length), outputs).prop_map(|(seeds, outputs)| {
        let insts: Vec<Inst> =
            seeds.iter().enumerate().map(|(index, seed)| inst_of(index as u32, *seed)).collect();
        let last = insts.len() as u32;
        Function {
            origins: (0..last).map(|index| (index % 7 != 3).then_some(index)).collect(),
            outputs: outputs.into_iter().map(|(index, seed)| (index, Value(seed % last))).collect(),
            insts,
        }
    })
}

fn inst_of(index: u32, (kind, seed, bits): (u32, [u32; 6], Vec4)) -> Inst {
    if index == 0 {
        return if kind % 2 == 0 { Inst::Const(bits) } else { Inst::Input((seed[0] % 3) as u16) };
    }
    // Mostly recent values, so that instructions build on each other.
    let value = |seed: u32| {
        let far = if seed.is_multiple_of(3) { index } else { index.min(5) };
        Value(index - 1 - seed / 3 % far)
    };
    let pick = |seed: u32| match seed % 9 {
        component @ 0..4 => Pick::A(component as u8),
        component @ 4..8 => Pick::B(component as u8 - 4),
        _ if seed.is_multiple_of(2) => Pick::Zero,
        _ => Pick::One,
    };
    let [a, b, c] = [value(seed[0]), value(seed[1]), value(seed[2])];
    match kind {
        0 | 1 => Inst::Const(bits),
        2 => Inst::Input((seed[0] % 3) as u16),
        3 => Inst::Uniform((seed[0] % 5) as u16),
        4 | 5 => Inst::UniformAt {
            index: a,
            base: [0, -1, 2, i32::MIN, i32::MAX][seed[1] as usize % 5],
            count: (seed[2] % 8) as u16,
        },
        6 | 7 => Inst::Map1(Op1::ALL[seed[3] as usize % Op1::ALL.len()], a),
        8..=10 => Inst::Map2(Op2::ALL[seed[3] as usize % Op2::ALL.len()], [a, b]),
        11 => Inst::Map3(Op3::ALL[seed[3] as usize % Op3::ALL.len()], [a, b, c]),
        12 => Inst::Dot(Dot::ALL[seed[3] as usize % Dot::ALL.len()], [a, b]),
        13 => Inst::Sample((seed[1] % 2) as u8, a),
        14 => Inst::Kill(a),
        _ => Inst::Shuffle([a, b], [pick(seed[2]), pick(seed[3]), pick(seed[4]), pick(seed[5])]),
    }
}

/// Texels that depend on the unit and on every bit of the coordinates.
pub struct Noise;

impl eval::Textures for Noise {
    fn sample(&self, unit: u8, at: Vec4) -> Vec4 {
        let hash = at.iter().fold(u32::from(unit), |hash, component| {
            (hash ^ component).wrapping_mul(0x9e37_79b1).rotate_left(13)
        });
        [hash, EDGES[hash as usize % EDGES.len()], hash.rotate_left(7), at[3]]
    }
}

/// What a run can be seen to do: its outputs, and the origin of the kill that ended it.
pub fn behaviour(
    function: &Function,
    inputs: &[Vec4],
    uniforms: &[Vec4],
) -> (Vec<(u16, Vec4)>, Option<Option<u32>>) {
    let mut run = eval::Run::default();
    run.run(function, inputs, uniforms, &Noise);
    let outputs = function.outputs.iter().map(|&(index, value)| (index, run.value(value))).collect();
    (outputs, run.killed().map(|kill| function.origins[kill.index()]))
}
