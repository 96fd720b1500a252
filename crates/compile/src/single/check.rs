//! The last test of every program: its instructions, run, against the function that they were made from.

use super::finish::Body;
use super::machine::Machine;
use crate::lanes::Lane;
use crate::shader::MOST_TEXTURES;
use gpuzoo_ir::eval::{Run, Textures};
use gpuzoo_ir::{Function, Pick, Vec4};
use gpuzoo_isa::{FileKind, Lowered, Mask, Profile, Program, numbers};
use gpuzoo_machine::conventions::{Conventions, Sampling};

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

/// True if the instructions give the function's outputs, in the components that count.
pub fn is_right(machine: &Machine, function: &Function, wanted: &[[Option<Lane>; 4]], body: &Body) -> bool {
    let profiles = machine.unit.about().profiles.len();
    (0..profiles).all(|profile| in_profile(machine, function, wanted, body, Profile(profile as u8)))
}

fn in_profile(
    machine: &Machine,
    function: &Function,
    wanted: &[[Option<Lane>; 4]],
    body: &Body,
    profile: Profile,
) -> bool {
    let Lowered { function: own, .. } = lowered(machine, body, profile);
    let inputs = function.input_count().max(own.input_count());
    let uniforms = function.uniform_count().max(own.uniform_count());
    let (mut one, mut other) = (Run::default(), Run::default());
    let textures = Patterned(machine.conventions);
    (0..RUNS).all(|seed| {
        let mut number = numbers(seed);
        let special = seed % 4 == 3;
        let mut component = || match number(6) {
            0 if special => EDGES[number(EDGES.len() as u32) as usize].to_bits(),
            _ => (number(4_000) as f32 / 500.0 - 4.0).to_bits(),
        };
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
        other.run(&own, &inputs, &uniforms, &textures);
        if one.killed().is_some() || other.killed().is_some() {
            return one.killed().is_some() == other.killed().is_some();
        }
        function.outputs.iter().zip(&own.outputs).zip(wanted).all(
            |(((_, one_value), (_, other_value)), wanted)| {
                let (one, other) = (one.value(*one_value), other.value(*other_value));
                (0..4).all(|place| wanted[place].is_none() || one[place] == other[place])
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
