//! The fragment stage of a draw: a program over batches of quads, on the engine.
//!
//! What a program means is what [`Quad`] does with one quad after the other; the engine gives the same bits for a whole
//! batch. A texture read finds the lanes of a quad next to each other, and which of them were killed.

use crate::lower::Read;
use crate::meaning::{Fault, fault, lowered};
use crate::quad::{Quad, QuadProgram};
use crate::regs::{DEPTH, TESTED};
use crate::units::Units;
use gpuzoo_diag::{Diagnostic, counted};
use gpuzoo_engine::{BLOCK, Call, Inputs, Kernel, Options, Outputs, bits};
use gpuzoo_ir::{Function, Inst, Vec4, vec4};
use gpuzoo_isa::{Lowered, Program, Stage};
use gpuzoo_machine::unit::cache::same_program;
use gpuzoo_raster::{BATCH, FragmentBatch, FragmentStage, Shaded};
use gpuzoo_simd::lanes::GROUP;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

/// Varyings from vertex to fragment: P10 to P15, which arrive in P0 to P5.
pub const VARYINGS: usize = 6;

/// A batch is one block of the engine, so that the halves of a block are those of the batch: upper and lower rows of quads.
const _: () = assert!(BLOCK + GROUP >= BATCH);

/// The place of the colour among the outputs of a program: P9 leaves every fragment, and comes first.
const COLOR_OUTPUT: usize = 0;

/// The input with a fragment's place: x, y, depth, 1/w.
const PLACE: usize = 8;

/// A fragment program made ready for draws, whatever their constants are.
pub struct Prepared {
    program: Program,
    /// True if [`Shaded::level`] is used.
    noted: bool,
    lowered: Lowered,
    fault: Option<Fault>,
    /// What runs it, unless it is too large for the engine. A fault is not in it: all lanes that are left run into it.
    kernel: Option<Kernel>,
}

/// A fragment program with what a draw gives it.
pub struct Shader<'a> {
    prepared: &'a Prepared,
    how: How<'a>,
    constants: &'a [Vec4],
    units: Units,
    /// The output whose component x is the depth, if the program gives one.
    depth: Option<usize>,
    /// Covered fragments that ran into the fault.
    failures: AtomicU64,
}

/// What runs a program.
enum How<'a> {
    /// The engine, a batch at a time.
    Batches(&'a Kernel),
    /// The evaluator.
    Quads(QuadProgram),
}

impl Prepared {
    /// Of a fragment program. `noted` asks for the levels of texture reads.
    pub fn new(program: &Program, noted: bool) -> Prepared {
        let fault = fault(program, Stage::Fragment);
        let lowered = lowered(program, Stage::Fragment);
        // A read has a level even if its result only gives a coordinate that is not looked at.
        let coordinates = (!noted).then_some(looked_at as fn(u8) -> u8);
        let options = Options { coordinates, ..Options::default() };
        let function = without_fault(&lowered.function, fault.as_ref().map(|fault| fault.slot));
        let kernel = Kernel::compile_with(&function, &options).ok();
        Prepared { program: program.clone(), noted, lowered, fault, kernel }
    }

    /// True if it is what [`new`](Prepared::new) makes of these.
    pub fn is_of(&self, program: &Program, noted: bool) -> bool {
        self.noted == noted && same_program(&self.program, program)
    }

    /// True if it reads a texture.
    pub fn reads_textures(&self) -> bool {
        reads_textures(&self.lowered.function)
    }

    fn in_quads(&self, constants: &[Vec4]) -> QuadProgram {
        QuadProgram::new(&self.lowered.function, self.fault.as_ref().map(|fault| fault.slot), constants)
    }
}

impl<'a> Shader<'a> {
    /// Of a program, its constants and the texture units.
    pub fn new(prepared: &'a Prepared, constants: &'a [Vec4], units: Units) -> Shader<'a> {
        let lowered = &prepared.lowered;
        let output = |index: u16| lowered.function.outputs.iter().position(|(number, _)| *number == index);
        let writes_x = |reg| !lowered.unwritten_outputs.iter().any(|(own, mask)| *own == reg && mask.has(0));
        // What `ZTS` tested is what is stored, even if something else is written to P10.
        let written = output(DEPTH.index).filter(|_| writes_x(DEPTH));
        let depth = output(TESTED.index).or(written);
        let how = match &prepared.kernel {
            Some(kernel) => How::Batches(kernel),
            None => How::Quads(prepared.in_quads(constants)),
        };
        Shader { prepared, how, constants, units, depth, failures: AtomicU64::new(0) }
    }

    /// How many varyings, from the first on, the program needs.
    pub fn varyings(&self) -> usize {
        let How::Batches(kernel) = &self.how else { return VARYINGS };
        let counts = kernel.inputs().iter().map(|(input, _)| usize::from(*input) + 1);
        counts.filter(|count| *count <= VARYINGS).max().unwrap_or(0)
    }

    /// The error if fragments failed.
    pub fn failure(&self) -> Option<Diagnostic> {
        let count = self.failures.load(Ordering::Relaxed);
        let fault = self.prepared.fault.as_ref().filter(|_| count > 0)?;
        Some(fault.error(&self.prepared.program).note(format!("{} ended there", counted(count, "fragment"))))
    }

    fn in_batches(&self, kernel: &Kernel, batch: &FragmentBatch<'_>, out: &mut Shaded) {
        let levels = self.prepared.noted.then_some([const { AtomicU8::new(0) }; BATCH]);
        let sampler = Reads { units: &self.units, level: batch.level(), levels: levels.as_ref() };
        let call = Call { uniforms: self.constants, sampler: &sampler, ..Call::default() };
        let [red, green, blue, alpha] = out.color.each_mut().map(|column| &mut column[..]);
        let color = |component: usize, column| Some((COLOR_OUTPUT, component, column));
        let depth = self.depth.map(|output| (output, 0, &mut out.depth[..]));
        let columns = [color(0, red), color(1, green), color(2, blue), color(3, alpha), depth];
        let mut results = Results { columns, killed: &mut out.killed };
        kernel.run(0..batch.len(), &Fragments(batch), &call, &mut results);
        if let Some(levels) = levels {
            out.level.iter_mut().zip(levels).for_each(|(to, level)| *to = level.into_inner());
        }
        if self.prepared.fault.is_some() {
            let left = (0..batch.len()).filter(|fragment| batch.covered(*fragment) && !out.killed[*fragment]);
            self.failures.fetch_add(left.count() as u64, Ordering::Relaxed);
            out.killed.fill(true);
        }
    }

    fn in_quads(&self, program: &QuadProgram, batch: &FragmentBatch<'_>, out: &mut Shaded) {
        let mut quad = Quad::default();
        let mut failures = 0;
        for first in (0..batch.len() / 2).step_by(2) {
            let fragments = batch.quad_of(first);
            let inputs = inputs(
                |input, lane| batch.varying(input, fragments[lane]),
                |lane| place(batch, fragments[lane]),
            );
            quad.run(program, &inputs, &self.units);
            for (lane, fragment) in fragments.into_iter().enumerate() {
                let value = |place: usize| quad.output(program, place, lane).map(f32::from_bits);
                out.killed[fragment] = !quad.alive[lane];
                out.level[fragment] = if self.prepared.noted { quad.levels[lane] } else { 0 };
                out.set_color(fragment, value(COLOR_OUTPUT));
                if let Some(depth) = self.depth.map(value) {
                    out.depth[fragment] = depth[0];
                }
                failures += u64::from(quad.failed[lane] && batch.covered(fragment));
            }
        }
        self.failures.fetch_add(failures, Ordering::Relaxed);
    }
}

/// What a fragment finds in P8: x, y, depth and 1/w.
fn place(batch: &FragmentBatch<'_>, fragment: usize) -> [f32; 4] {
    let [x, y] = batch.pixel(fragment).map(|at| at as f32);
    [x, y, batch.depth()[fragment], batch.inverse_w(fragment)]
}

impl FragmentStage for Shader<'_> {
    fn shade(&self, batch: &FragmentBatch<'_>, out: &mut Shaded) {
        match &self.how {
            How::Batches(kernel) => self.in_batches(kernel, batch, out),
            How::Quads(program) => self.in_quads(program, batch, out),
        }
    }

    fn needs_quads(&self) -> bool {
        true
    }

    fn kills(&self) -> bool {
        match &self.how {
            How::Batches(kernel) => kernel.kills() || self.prepared.fault.is_some(),
            How::Quads(_) => true,
        }
    }

    fn writes_depth(&self) -> bool {
        self.depth.is_some()
    }
}

/// The function without the kill of slot `fault`.
fn without_fault(function: &Function, fault: Option<usize>) -> Function {
    let mut function = function.clone();
    let Some(fault) = fault else { return function };
    for (inst, origin) in function.insts.iter_mut().zip(&function.origins) {
        if matches!(inst, Inst::Kill(_)) && *origin == Some(fault as u32) {
            *inst = Inst::Const([0; 4]);
        }
    }
    function
}

/// True if a program reads a texture.
pub fn reads_textures(function: &Function) -> bool {
    function.insts.iter().any(|inst| matches!(inst, Inst::Sample(..)))
}

/// The coordinates that a read looks at.
fn looked_at(number: u8) -> u8 {
    match Read::of_sample(number).0 {
        Read::Filtered => 0b0011,
        Read::Biased | Read::Texel => 0b1011,
    }
}

/// What four fragments find in P0 to P8.
pub fn inputs(
    varying: impl Fn(usize, usize) -> [f32; 4],
    place: impl Fn(usize) -> [f32; 4],
) -> [[Vec4; 4]; PLACE + 1] {
    std::array::from_fn(|input| match input {
        0..VARYINGS => std::array::from_fn(|lane| vec4(varying(input, lane))),
        PLACE => std::array::from_fn(|lane| vec4(place(lane))),
        _ => [[0; 4]; 4],
    })
}

/// What the fragments of a batch find in P0 to P8.
struct Fragments<'a>(&'a FragmentBatch<'a>);

impl Inputs for Fragments<'_> {
    fn load(&self, input: u16, first: usize, columns: [&mut [u32]; 4]) {
        let Fragments(batch) = self;
        let columns = columns.map(bits::floats_mut);
        match usize::from(input) {
            varying @ 0..VARYINGS => batch.interpolate(varying, first, columns),
            PLACE => {
                for (component, column) in columns.into_iter().enumerate() {
                    let fragments = (first..).zip(column);
                    fragments.for_each(|(fragment, to)| *to = place(batch, fragment)[component]);
                }
            }
            _ => columns.into_iter().for_each(|column| column.fill(0.0)),
        }
    }
}

/// Where colours and depths go: columns as long as a batch, each with the output and the component that it takes.
struct Results<'a> {
    columns: [Option<(usize, usize, &'a mut [f32])>; 5],
    killed: &'a mut [bool],
}

impl Outputs for Results<'_> {
    fn store(&mut self, output: usize, first: usize, columns: [&[u32]; 4]) {
        for (own, component, to) in self.columns.iter_mut().flatten() {
            if *own == output {
                let to = to.get_mut(first..).unwrap_or_default();
                to.iter_mut().zip(columns[*component]).for_each(|(to, bits)| *to = f32::from_bits(*bits));
            }
        }
    }

    fn lends(&self, first: usize) -> bool {
        self.killed.len() >= first + BLOCK
    }

    fn lend<'a>(&'a mut self, first: usize, mut to: impl FnMut(usize, usize, &'a mut [u32; BLOCK])) {
        for (output, component, column) in self.columns.iter_mut().flatten() {
            if let Some(lanes) = bits::of_mut(column).get_mut(first..).and_then(<[u32]>::first_chunk_mut) {
                to(*output, *component, lanes);
            }
        }
    }

    fn killed(&mut self, first: usize, lanes: &[u32]) {
        let to = self.killed.get_mut(first..).unwrap_or_default();
        to.iter_mut().zip(lanes).for_each(|(to, killed)| *to = *killed != 0);
    }

    fn split(self, lanes: usize) -> (Self, Self) {
        let (killed, others) = self.killed.split_at_mut(lanes.min(self.killed.len()));
        let mut left = Results { columns: [const { None }; 5], killed };
        let mut right = Results { columns: [const { None }; 5], killed: others };
        for (index, column) in self.columns.into_iter().enumerate() {
            if let Some((output, component, column)) = column {
                let (first, rest) = column.split_at_mut(lanes.min(column.len()));
                left.columns[index] = Some((output, component, first));
                right.columns[index] = Some((output, component, rest));
            }
        }
        (left, right)
    }
}

/// The texture reads of a batch.
struct Reads<'a> {
    units: &'a Units,
    /// The instructions of the draw.
    level: gpuzoo_simd::Level,
    /// As [`Shaded::level`], if it is used.
    levels: Option<&'a [AtomicU8; BATCH]>,
}

impl gpuzoo_engine::Sampler for Reads<'_> {
    fn sample(&self, read: gpuzoo_engine::Read, at: [&[u32]; 4], mut texels: [&mut [u32]; 4]) {
        let (how, unit) = Read::of_sample(read.unit);
        let wanted = texels.each_mut().map(|column| &mut **column);
        match how {
            Read::Texel => self.units.texels(unit, at, wanted),
            Read::Filtered => self.filtered(unit, &read, [at[0], at[1]], None, wanted),
            Read::Biased => self.filtered(unit, &read, [at[0], at[1]], Some(at[3]), wanted),
        }
        // Lanes that have stopped get zeros. All are looked at, side by side.
        if read.killed.iter().fold(0, |any, killed| any | killed) != 0 {
            for column in texels {
                column.iter_mut().zip(read.killed).for_each(|(texel, killed)| *texel &= !killed);
            }
        }
    }
}

impl Reads<'_> {
    fn filtered(
        &self,
        unit: usize,
        read: &gpuzoo_engine::Read,
        at: [&[u32]; 2],
        bias: Option<&[u32]>,
        texels: [&mut [u32]; 4],
    ) {
        let mut details = [0.0; BATCH];
        let details = &mut details[..at[0].len().min(BATCH)];
        self.units.details(unit, self.level, at, read.killed, bias, details);
        if let Some(levels) = self.levels {
            let levels = levels.get(read.first..).unwrap_or_default();
            for ((level, detail), killed) in levels.iter().zip(&*details).zip(read.killed) {
                if *killed == 0 {
                    let name = self.units.level_of(unit, *detail).map_or(0, |level| level as u8 + 1);
                    level.store(name, Ordering::Relaxed);
                }
            }
        }
        self.units.filtered_all(unit, self.level, at, details, texels);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::{MIPS, rules};
    use crate::program::assemble;
    use crate::units::Unit;
    use gpuzoo_diag::File;
    use gpuzoo_raster::{
        Compare, Cull, DepthTest, Filter, Level, Primitives, Sample, Sampler, State, Target, Texels, Texture,
        Topology, Vertices, Wrap, draw,
    };
    use proptest::prelude::*;
    use std::sync::Arc;

    /// Colours come from output 0 and the depth from x of output 1; columns end where a batch ends, and lanes are lent where there is
    /// room for a whole block.
    #[test]
    fn results_go_to_their_columns() {
        let mut color = [[0.0; BATCH]; 4];
        let (mut depth, mut killed) = ([0.0; BATCH], [false; BATCH]);
        let [red, green, blue, alpha] = color.each_mut().map(|column| Some(&mut column[..]));
        let taken = [(0, 0, red), (0, 1, green), (0, 2, blue), (0, 3, alpha), (1, 0, Some(&mut depth[..]))];
        let columns = taken.map(|(output, component, column)| Some((output, component, column?)));
        let mut results = Results { columns, killed: &mut killed };
        let bits = |values: [f32; 2]| values.map(f32::to_bits);
        let [one, two, three, four] = [[1.0, 1.5], [2.0, 2.5], [3.0, 3.5], [4.0, 4.5]].map(bits);
        results.store(0, 5, [&one, &two, &three, &four]);
        results.store(1, BATCH - 1, [&two, &one, &one, &one]);
        results.store(2, 0, [&one; 4]);
        results.killed(6, &[0, u32::MAX]);
        assert!(results.lends(0) && results.lends(BATCH - BLOCK) && !results.lends(BATCH - BLOCK + 1));
        let mut lent = Vec::new();
        results.lend(BATCH - BLOCK, |output, component, lanes| {
            lanes[BLOCK - 2] = (10.0 * output as f32 + component as f32).to_bits();
            lent.push((output, component));
        });
        assert_eq!(lent, [(0, 0), (0, 1), (0, 2), (0, 3), (1, 0)]);
        // The lanes from 6 on are numbered from 0.
        let (mut left, mut right) = results.split(6);
        left.store(0, 4, [&four; 4]);
        right.store(1, 0, [&four, &one, &one, &one]);
        right.killed(0, &[0, 0, 1]);
        for (component, column) in (0..4u8).map(f32::from).zip(&color) {
            // Lanes 4 and 5 are the last of the left part.
            assert_eq!(column[3..8], [0.0, 4.0, 4.5, component + 1.5, 0.0]);
            assert_eq!(column[BATCH - 2..], [component, 0.0]);
        }
        assert_eq!((depth[5], depth[6], depth[7]), (0.0, 4.0, 4.5));
        assert_eq!((depth[BATCH - 2], depth[BATCH - 1]), (10.0, 2.0));
        assert_eq!((0..BATCH).filter(|lane| killed[*lane]).collect::<Vec<_>>(), [8]);
    }

    /// Lines of a program: numbers choose the instruction, its registers and its swizzles.
    fn line(seeds: [u8; 6]) -> String {
        let [op, to, mask, a, b, c] = seeds.map(usize::from);
        let source = |seed: usize| {
            let register = match seed % 8 {
                0..3 => format!("R{}", seed % 3),
                3..5 => format!("P{}", seed / 8 % 6),
                5 => "P8".to_string(),
                6 => format!("U{}", seed / 8 % 4),
                _ => ["0", "1", "-1", "0.5", "2"][seed / 8 % 5].to_string(),
            };
            let swizzle = ["", ".x", ".w", ".yzxw", ".zwxy"][if seed % 8 == 7 { 0 } else { seed / 16 % 5 }];
            format!("{}{register}{swizzle}", if seed > 200 && seed % 8 != 7 { "-" } else { "" })
        };
        let masks = ["", ".x", ".yz", ".w", ".xyz", ".xyw"];
        let to = format!("{}{}", ["R0", "R1", "R2", "P9", "P10", "P3"][to % 6], masks[mask % 6]);
        let (a, b, c) = (source(a), source(b), source(c));
        let scalar = format!("R{}.x", mask % 3);
        match op % 24 {
            0..4 => format!("TEX {to}, {a}, T{}", mask % 4),
            4..6 => format!("TXB {to}, {a}, T{}", mask % 4),
            6 => format!("TXF {to}, {a}, T{}", mask % 4),
            7 | 8 => format!("KIL {a}"),
            9 => format!("MAD {to}, {a}, {b}, {c}"),
            10 => format!("CMP {to}, {a}, {b}, {c}"),
            11 => format!("LRP {to}, {a}, {b}, {c}"),
            12 => format!("RSQ {to}, {scalar}"),
            13 => format!("RCP {to}, {scalar}"),
            14 => format!("DP4 {to}, {a}, {b}"),
            15 => format!("LIT {to}, {a}"),
            16 => format!("FRC {to}, {a}"),
            17 => format!("MIN {to}, {a}, {b}"),
            18 => format!("SLT {to}, {a}, {b}"),
            19 => format!("LG2 {to}, {scalar}"),
            20 if mask == 7 => "EXC".to_string(),
            21 if mask < 40 => format!("ZTS {scalar}"),
            22 => format!("MOV {to}, {a}"),
            _ => format!("MUL {to}, {a}, {b}"),
        }
    }

    /// Numbers of the size of coordinates, and odd ones.
    fn number() -> impl Strategy<Value = f32> {
        const ODD: [f32; 9] = [0.0, -0.0, 1.0, -1.0, f32::NAN, f32::INFINITY, f32::MAX, 1e-40, -1e30];
        prop_oneof![8 => -3.0..3.0f32, 1 => prop::sample::select(&ODD[..])]
    }

    fn units(choice: [u8; 4]) -> Units {
        let texture = |side: u32, float: bool| {
            let noise = |index: u32| index.wrapping_mul(2_654_435_761).to_le_bytes();
            let texels = (0..side * side).map(noise);
            let texels = match float {
                true => Texels::Float(
                    texels.map(|bytes| bytes.map(|byte| f32::from(byte) / 31.0 - 2.0)).collect(),
                ),
                false => Texels::Rgba8(texels.collect()),
            };
            Texture::from(Level::new(side, side, texels).unwrap()).with_mipmaps().unwrap()
        };
        let textures = [Some(texture(16, false)), Some(texture(5, true)), Some(texture(1, false)), None];
        let mut index = 0;
        Units(textures.map(|texture| {
            let choice = usize::from(choice[index]);
            index += 1;
            let filter = [Filter::Nearest, Filter::Linear][choice % 2];
            let wraps = [Wrap::Repeat, Wrap::Clamp, Wrap::Mirror];
            let sampler = Sampler { filter, wrap: [wraps[choice / 2 % 3], wraps[choice / 6 % 3]] };
            Unit { texture: texture.map(Arc::new), sampler, mips: MIPS[choice / 18 % 4].1 }
        }))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1500))]

        /// The engine's pictures, depths, notes and failures are the evaluator's.
        #[test]
        fn batches_are_quads(
            lines in prop::collection::vec(any::<[u8; 6]>(), 1..24),
            corners in prop::collection::vec(((-1.2..1.2f32, -1.2..1.2f32), prop::array::uniform24(number())), 9),
            choice in any::<[u8; 4]>(),
            constants in prop::collection::vec(prop::array::uniform4(number()), 3),
            noted in any::<bool>(),
        ) {
            let text: String = lines.into_iter().map(|seeds| line(seeds) + "\n").collect();
            let assembled = assemble(&File::new("t", &format!(".fragment\n{text}")));
            prop_assert!(assembled.ok(), "{text}\n{:?}", assembled.diagnostics);
            let constants: Vec<Vec4> = constants.into_iter().map(vec4).collect();
            let positions: Vec<[f32; 4]> = corners.iter().map(|((x, y), _)| [*x, *y, 0.5 + x / 4.0, 1.5 + y]).collect();
            let varyings: Vec<[f32; 4]> = corners.iter().flat_map(|(_, lanes)| *lanes.as_chunks::<4>().0.first_chunk::<6>().unwrap()).collect();
            let picture = |shader: &Shader| {
                let mut target = Target::new(23, 19).unwrap();
                target.clear([9; 4], 1.0);
                if noted {
                    target.take_notes().unwrap();
                }
                let state = State {
                    depth: Some(DepthTest { compare: Compare::Less, write: true }),
                    cull: Cull::None,
                    ..State::sized(23, 19)
                };
                let vertices = Vertices::new(&positions, &varyings, VARYINGS).unwrap();
                let triangles = Primitives::all(Topology::TriangleList);
                let stats = draw(&mut target, &rules(Sample::Corner), &state, vertices, triangles, shader);
                let depths: Vec<u32> = target.depth().values().iter().map(|depth| depth.to_bits()).collect();
                let notes = target.notes().map(|notes| notes.pixels.clone());
                (stats, target.color().pixels().to_vec(), depths, notes, shader.failures.load(Ordering::Relaxed))
            };
            let prepared = Prepared::new(&assembled.program, noted);
            let engine = Shader::new(&prepared, &constants, units(choice));
            prop_assert!(matches!(engine.how, How::Batches(_)));
            let how = How::Quads(prepared.in_quads(&constants));
            let evaluator = Shader { how, ..Shader::new(&prepared, &constants, units(choice)) };
            prop_assert_eq!(picture(&engine), picture(&evaluator), "{}", text);
        }
    }
}
