//! The last test of every program: its instructions, run, against the function that they were made from, and against the same
//! function with choices that move bits.

use super::finish::Body;
use super::machine::Machine;
use crate::graph::lanes::Lane;
use crate::shader::MOST_TEXTURES;
use gpuzoo_ir::eval::{Run, Textures};
use gpuzoo_ir::{Function, Pick, Vec4};
use gpuzoo_isa::{FileKind, Lowered, Mask, Profile, Program, numbers};
use gpuzoo_machine::target::conventions::{Conventions, Sampling};

/// How many runs are compared.
const RUNS: u64 = 16;

/// Textures that give some number for every unit, way and place.
pub struct Patterned<'a>(&'a dyn Conventions);

impl Textures for Patterned<'_> {
    fn sample(&self, number: u8, [x, y, _, w]: Vec4) -> Vec4 {
        let is_plain = (0..MOST_TEXTURES).any(|unit| self.0.sample(Sampling::Filtered, unit) == Some(number));
        let at = [x, y, if is_plain { 0 } else { w }];
        let mixed = at.iter().fold(u32::from(number).wrapping_mul(0x9e37_79b9), |mixed, component| {
            (mixed ^ component).wrapping_mul(0x85eb_ca6b).rotate_left(13)
        });
        [0, 8, 16, 24].map(|shift| ((mixed >> shift & 255) as f32 / 255.0).to_bits())
    }
}

/// Numbers at which operations change their ways.
const EDGES: [f32; 8] = [0.0, -0.0, 1.0, -1.0, 0.5, f32::INFINITY, f32::NAN, 1e-40];

/// Numbers at which guards of sources are false: divisors, roots, logarithms and powers of 2 have no result there, or an infinite
/// one. Products of many of them are finite.
const GUARDED: [f32; 6] = [0.0, -1.0, 1.0, -0.0, -2.5, 200.0];

/// The functions that a program is compared with.
pub struct References<'a> {
    /// The function that instructions were found for: they give the same bits.
    pub function: &'a Function,
    /// The function with choices that move bits: what is finite there is finite.
    pub exact_choices: &'a Function,
}

/// The result of comparing a program with its function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It gives the function's outputs.
    Right,
    /// It gives others.
    Wrong,
    /// It gives NaN or infinity where a choice that moves bits gives a finite number.
    Infinite,
}

/// Whether the instructions give the function's outputs, in the components that count.
pub fn verdict(
    machine: &Machine,
    references: &References,
    wanted: &[[Option<Lane>; 4]],
    body: &Body,
) -> Verdict {
    let profiles = machine.unit.about().profiles.len();
    let of = |profile: Profile| {
        let Lowered { function: program, .. } = lowered(machine, body, profile);
        let usual = |number: &mut dyn FnMut(u32) -> u32, seed: u64| match number(6) {
            0 if seed % 4 == 3 => EDGES[number(EDGES.len() as u32) as usize],
            _ => number(4_000) as f32 / 500.0 - 4.0,
        };
        let guarded = |number: &mut dyn FnMut(u32) -> u32, _| match number(3) {
            0 => number(4_000) as f32 / 500.0 - 4.0,
            _ => GUARDED[number(GUARDED.len() as u32) as usize],
        };
        let same = |one: u32, other: u32| one == other;
        let stays_finite = |one: u32, other: u32| !is_finite(one) || is_finite(other);
        if !agree(machine, references.function, &program, wanted, body, &usual, &same) {
            return Verdict::Wrong;
        }
        match agree(machine, references.exact_choices, &program, wanted, body, &guarded, &stays_finite) {
            true => Verdict::Right,
            false => Verdict::Infinite,
        }
    };
    let mut all = (0..profiles).map(|profile| of(Profile(profile as u8)));
    all.find(|verdict| *verdict != Verdict::Right).unwrap_or(Verdict::Right)
}

fn is_finite(bits: u32) -> bool {
    f32::from_bits(bits).is_finite()
}

/// A component of an input or uniform, from a source of numbers and the number of the run.
type Component<'a> = &'a dyn Fn(&mut dyn FnMut(u32) -> u32, u64) -> f32;

/// Runs a function and a program on the same numbers, and compares the components of the outputs that count.
fn agree(
    machine: &Machine,
    function: &Function,
    program: &Function,
    wanted: &[[Option<Lane>; 4]],
    body: &Body,
    component: Component,
    is_right: &dyn Fn(u32, u32) -> bool,
) -> bool {
    let inputs = function.input_count().max(program.input_count());
    let uniforms = function.uniform_count().max(program.uniform_count());
    let (mut one, mut other) = (Run::default(), Run::default());
    let textures = Patterned(machine.conventions);
    (0..RUNS).all(|seed| {
        let mut number = numbers(seed);
        let mut component = || component(&mut number, seed).to_bits();
        let mut vectors =
            |count: usize| (0..count).map(|_| [0; 4].map(|_: u32| component())).collect::<Vec<Vec4>>();
        let (mut inputs, mut uniforms) = (vectors(inputs), vectors(uniforms));
        // What is declared to be zero is.
        for (list, masks) in [(&mut inputs, &body.inputs), (&mut uniforms, &body.uniforms)] {
            for (number, _, mask) in masks {
                if let Some(own) = list.get_mut(usize::from(*number)) {
                    (0..4).filter(|place| !mask.has(*place)).for_each(|place| own[usize::from(place)] = 0);
                }
            }
        }
        one.run(function, &inputs, &uniforms, &textures);
        other.run(program, &inputs, &uniforms, &textures);
        if one.killed().is_some() || other.killed().is_some() {
            return one.killed().is_some() == other.killed().is_some();
        }
        function.outputs.iter().zip(&program.outputs).zip(wanted).all(
            |(((_, one_value), (_, other_value)), wanted)| {
                let (one, other) = (one.value(*one_value), other.value(*other_value));
                (0..4).all(|place| wanted[place].is_none() || is_right(one[place], other[place]))
            },
        )
    })
}

/// What the body alone means. Its inputs and uniforms have the numbers of the function's.
fn lowered(machine: &Machine, body: &Body, profile: Profile) -> Lowered {
    let slots = body.slots.iter().map(|(_, slot)| *slot).collect();
    let program = Program { slots, ..Program::default() };
    let mut lowered = machine.isa.lower_from(&program, profile, |lower| {
        let zeros = lower.b.constant([0; 4]);
        let masked = |lower: &mut gpuzoo_isa::Lower, value, mask: Mask| {
            let picks = [0, 1, 2, 3].map(|place| if mask.has(place) { Pick::A(place) } else { Pick::Zero });
            lower.b.shuffle(value, zeros, picks)
        };
        for (number, reg, mask) in &body.inputs {
            let value = lower.b.input(*number);
            let value = masked(lower, value, *mask);
            lower.start(*reg, value, Mask::ALL);
        }
        for (number, reg, mask) in &body.uniforms {
            let value = lower.b.uniform(*number);
            let value = masked(lower, value, *mask);
            lower.start(*reg, value, Mask::ALL);
        }
        for (reg, values) in &body.literals {
            let value = lower.b.constant(*values);
            lower.start(*reg, value, Mask::ALL);
        }
    });
    let outputs = body.outputs.iter().enumerate().filter_map(|(number, reg)| {
        let is_output = matches!(machine.isa.file(*reg).kind, FileKind::Output(_));
        let stored = lowered.function.outputs.iter().find(|(own, _)| is_output && *own == reg.index);
        Some((number as u16, stored.map(|(_, value)| *value).or_else(|| lowered.last(*reg))?))
    });
    lowered.function.outputs = outputs.collect();
    lowered
}
