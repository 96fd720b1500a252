//! Fragments in quads: four runs of one program in step, as Servaru's fragment shader groups do it.
//!
//! They must run together because a texture read depends on how its coordinates change from pixel to pixel: the
//! difference between two lanes at that instruction (spec section B, items 20 and 29). A lane that was killed has
//! stopped; a difference with it is 0. Lanes outside the triangle run like the others, and what they give is dropped.

use crate::lower::Read;
use crate::units::Units;
use gpuzoo_ir::eval::{NoTextures, kills, result};
use gpuzoo_ir::{Function, Inst, Origin, Value, Vec4, passes};

/// A program made ready to run in quads.
pub struct QuadProgram {
    function: Function,
    /// The slot whose kill is a failure.
    fault: Option<u32>,
    /// The values that are the same for all fragments of a draw, and which those are.
    shared: Vec<Vec4>,
    is_shared: Vec<bool>,
}

/// The registers of a quad; reused for the next one.
#[derive(Default)]
pub struct Quad {
    values: Vec<[Vec4; 4]>,
    /// The lanes that were neither killed nor failed.
    pub alive: [bool; 4],
    /// The lanes that ran into the fault.
    pub failed: [bool; 4],
    /// Where killed lanes stopped: the slot.
    pub stopped: [Option<u32>; 4],
    /// One more than the level of the last texture read of each lane; 0 for none.
    pub levels: [u8; 4],
}

impl QuadProgram {
    /// Prepares a function; `fault` is the slot whose kill is a failure, if there is one.
    pub fn new(function: &Function, fault: Option<usize>, constants: &[Vec4]) -> QuadProgram {
        // No common subexpressions: of two equal reads the second may see fewer lanes alive.
        let mut short = function.clone();
        for _ in 0..2 {
            short = passes::dead(&passes::shuffles(&passes::fold(&short)));
        }
        QuadProgram::whole(short, fault, constants)
    }

    /// As [`new`](QuadProgram::new), with every value of the function, for traces.
    pub fn whole(short: Function, fault: Option<usize>, constants: &[Vec4]) -> QuadProgram {
        let mut shared: Vec<Vec4> = Vec::with_capacity(short.insts.len());
        let mut is_shared = Vec::with_capacity(short.insts.len());
        for inst in &short.insts {
            let own = matches!(inst, Inst::Input(_) | Inst::Sample(..) | Inst::Kill(_));
            let same = !own && inst.operands().all(|operand| is_shared[operand.index()]);
            let value = if same {
                result(inst, |value| shared[value.index()], &[], constants, &NoTextures)
            } else {
                [0; 4]
            };
            shared.push(value);
            is_shared.push(same);
        }
        QuadProgram { function: short, fault: fault.map(|slot| slot as u32), shared, is_shared }
    }
}

impl Quad {
    /// Runs four lanes. `inputs` are, for each input, the values of the lanes.
    pub fn run(&mut self, program: &QuadProgram, inputs: &[[Vec4; 4]], units: &Units) {
        self.values.clear();
        self.alive = [true; 4];
        self.failed = [false; 4];
        self.stopped = [None; 4];
        self.levels = [0; 4];
        let QuadProgram { function, fault, shared, is_shared } = program;
        for (index, (inst, origin)) in function.insts.iter().zip(&function.origins).enumerate() {
            if is_shared[index] {
                self.values.push([shared[index]; 4]);
                continue;
            }
            let value = match *inst {
                Inst::Input(input) => inputs.get(usize::from(input)).copied().unwrap_or_default(),
                Inst::Sample(number, at) => self.sample(number, self.values[at.index()], units),
                Inst::Kill(value) => {
                    let value = self.values[value.index()];
                    self.kill(value, *origin, origin.is_some() && origin == fault);
                    value
                }
                _ => std::array::from_fn(|lane| {
                    result(inst, |value| self.values[value.index()][lane], &[], &[], &NoTextures)
                }),
            };
            self.values.push(value);
        }
    }

    /// A value of a lane.
    pub fn value(&self, value: Value, lane: usize) -> Vec4 {
        self.values.get(value.index()).map_or([0; 4], |lanes| lanes[lane])
    }

    /// An output of a lane, by its place.
    pub fn output(&self, program: &QuadProgram, place: usize, lane: usize) -> Vec4 {
        let value = program.function.outputs.get(place).map(|(_, value)| *value);
        value.map_or([0; 4], |value| self.value(value, lane))
    }

    fn kill(&mut self, value: [Vec4; 4], origin: Origin, is_fault: bool) {
        for (lane, value) in value.into_iter().enumerate() {
            if self.alive[lane] && kills(value) {
                self.alive[lane] = false;
                self.failed[lane] = is_fault;
                self.stopped[lane] = origin;
            }
        }
    }

    fn sample(&mut self, number: u8, at: [Vec4; 4], units: &Units) -> [Vec4; 4] {
        let (read, unit) = Read::of_sample(number);
        let at = at.map(|coordinates| coordinates.map(f32::from_bits));
        let difference = |from: usize, to: usize| match self.alive[from] && self.alive[to] {
            true => [at[to][0] - at[from][0], at[to][1] - at[from][1]],
            false => [0.0; 2],
        };
        // Lanes are 0 1 above 2 3; each has the differences of its own row and column.
        let across = [difference(0, 1), difference(2, 3)];
        let down = [difference(0, 2), difference(1, 3)];
        let alive = self.alive;
        std::array::from_fn(|lane| {
            if !alive[lane] {
                return [0; 4];
            }
            let steps = [across[lane / 2], down[lane % 2]];
            let bias = if read == Read::Biased { at[lane][3] } else { 0.0 };
            let texel = match read {
                Read::Texel => units.texel(unit, at[lane]),
                Read::Filtered | Read::Biased => {
                    let level = units.level(unit, steps, bias);
                    self.levels[lane] = level.map_or(0, |level| level as u8 + 1);
                    units.filtered(unit, at[lane], steps, bias)
                }
            };
            texel.map(f32::to_bits)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meaning::{fault, lowered};
    use crate::program::assemble;
    use crate::units::Unit;
    use gpuzoo_diag::File;
    use gpuzoo_ir::vec4;
    use gpuzoo_isa::Stage;
    use gpuzoo_raster::{Filter, Level, MipFilter, Sampler, Texels, Texture, Wrap};
    use std::sync::Arc;

    fn prepared(text: &str) -> QuadProgram {
        let program = assemble(&File::new("t", text)).program;
        let fault = fault(&program, Stage::Fragment).map(|fault| fault.slot);
        QuadProgram::new(&lowered(&program, Stage::Fragment).function, fault, &[])
    }

    /// A texture of 8 × 8 whose level l is l everywhere.
    fn numbered() -> Units {
        let level = |index: u32| {
            let side = 8 >> index;
            Level::new(side, side, Texels::Float(vec![[index as f32; 4]; (side * side) as usize])).unwrap()
        };
        let texture = Texture::new((0..4).map(level).collect()).unwrap();
        let sampler = Sampler { filter: Filter::Nearest, wrap: [Wrap::Repeat; 2] };
        let unit = Unit { texture: Some(Arc::new(texture)), sampler, mips: MipFilter::Linear };
        Units([unit, Unit::NONE, Unit::NONE, Unit::NONE])
    }

    fn lanes(quad: &Quad, program: &QuadProgram) -> [f32; 4] {
        [0, 1, 2, 3].map(|lane| f32::from_bits(quad.output(program, 0, lane)[0]))
    }

    #[test]
    fn differences_are_those_of_the_row_and_the_column() {
        let program = prepared("TEX P9, P0, T0");
        // Steps in texels: the upper row 2 across, the lower 4, both columns less. log2: 1, 1, 2, 2.
        let at = |x: f32, y: f32| vec4([x / 8.0, y / 8.0, 0.0, 0.0]);
        let inputs = [[at(0.0, 0.0), at(2.0, 0.0), at(0.0, 1.0), at(4.0, 1.0)]];
        let mut quad = Quad::default();
        quad.run(&program, &inputs, &numbered());
        // Lane 1 has its column's difference (2, 1), of length √5, and 2 across.
        #[allow(clippy::disallowed_methods, reason = "an oracle")]
        let root = 5f32.sqrt().log2();
        let got = lanes(&quad, &program);
        assert_eq!([got[0], got[2], got[3]], [1.0, 2.0, 2.0]);
        assert!((got[1] - root).abs() < 1e-6, "{got:?}");
    }

    #[test]
    fn killed_lanes_stop_and_give_no_differences() {
        let program = prepared("TEX R0, P0, T0\nKIL P1\nTEX R1, P0, T0\nADD P9, R0, R1");
        let at = |x: f32, y: f32| vec4([x / 8.0, y / 8.0, 0.0, 0.0]);
        let inputs = [
            [at(0.0, 0.0), at(4.0, 0.0), at(0.0, 1.0), at(4.0, 1.0)],
            [vec4([0.0; 4]), vec4([-1.0; 4]), vec4([-0.0; 4]), vec4([f32::NAN; 4])],
        ];
        let mut quad = Quad::default();
        quad.run(&program, &inputs, &numbered());
        assert_eq!((quad.alive, quad.failed), ([true, false, true, true], [false; 4]));
        let got = lanes(&quad, &program);
        // Before the kill all have level 2. After it the upper left lane has only its column: 1 texel, level 0.
        assert_eq!([got[0], got[2], got[3]], [2.0, 4.0, 4.0]);
    }

    #[test]
    fn lanes_that_were_killed_before_do_not_fail() {
        let program = prepared("MOV P9, 1\nKIL P0\nEXC\nMOV P9, 0.5");
        let inputs = [[vec4([-1.0; 4]), vec4([0.0; 4]), vec4([1.0; 4]), vec4([-1.0; 4])]];
        let mut quad = Quad::default();
        quad.run(&program, &inputs, &numbered());
        assert_eq!((quad.alive, quad.failed), ([false; 4], [false, true, true, false]));
    }

    #[test]
    fn empty_units_give_zeros() {
        let program = prepared("TEX P9, P0, T1");
        let mut quad = Quad::default();
        quad.run(&program, &[[vec4([f32::NAN; 4]); 4]], &numbered());
        assert_eq!(lanes(&quad, &program), [0.0; 4]);
    }
}
