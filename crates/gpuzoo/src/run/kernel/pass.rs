//! A run of a kernel, from its first vertices to its last.

use super::Kernel;
use crate::run::Ran;
use crate::run::buffers::{Sink, Target, Watching};
use gpuzoo_engine::{self as engine, Call};
use gpuzoo_ir::Vec4;
use gpuzoo_ir::eval::{NoTextures, Run};
use gpuzoo_machine::unit::draw::{leaves_constants, write_constants};
use gpuzoo_machine::unit::reach::ReachWatch;
use std::ops::Range;

/// Vertices that are run at a time: a run that is streamed is handed on, and a run is cancelled, after so many.
pub const TOGETHER: usize = 4096;

/// A run of a kernel over vertices that come in order, some at a time.
pub struct Pass<'k> {
    kernel: &'k Kernel,
    /// Vertices of earlier pieces.
    pub before: usize,
    /// As the next vertex finds them.
    pub constants: Vec<Vec4>,
    watch: ReachWatch,
    killed: usize,
    run: Run,
}

impl Pass<'_> {
    pub fn new<'k>(kernel: &'k Kernel, constants: &[Vec4]) -> Pass<'k> {
        let constants = constants.to_vec();
        let (watch, run) = (kernel.watch.clone(), Run::default());
        Pass { kernel, before: 0, constants, watch, killed: 0, run }
    }

    /// Runs all vertices, some at a time. Before the first ones, and after each piece, `go_on` hears how many are done and
    /// which of the piece were killed, and says whether to go on.
    pub fn run_pieces<O: engine::Outputs>(
        &mut self,
        count: usize,
        vertices: &impl engine::Inputs,
        mut outputs: O,
        mut go_on: impl FnMut(usize, &[u32]) -> bool,
    ) {
        if !go_on(0, &[]) {
            return;
        }
        for start in (0..count).step_by(TOGETHER) {
            let range = start..count.min(start + TOGETHER);
            let (own, rest) = outputs.split(range.len());
            outputs = rest;
            let dead = self.run(vertices, range.clone(), own);
            if !go_on(range.end, &dead) {
                return;
            }
        }
    }

    /// Runs the vertices of a range. Returns for each whether it was killed (not 0); nothing if none can be.
    pub fn run(
        &mut self,
        vertices: &impl engine::Inputs,
        range: Range<usize>,
        own: impl engine::Outputs,
    ) -> Vec<u32> {
        let Some(engine) = &self.kernel.engine else { return self.in_order(vertices, range, own) };
        let names = &self.kernel.places[..];
        let (first, lanes) = (range.start, range.len());
        let watched = &engine.outputs()[names.len()..];
        let mut indices = vec![vec![0; lanes]; watched.len()];
        let mut killed = vec![0; if self.kernel.kills { lanes } else { 0 }];
        let watches = Sink(indices.iter_mut().map(|column| Target::new(column, 1, 1)).collect());
        let to = Watching { own, names, watches, killed: &mut killed };
        let call = Call { uniforms: &self.constants, ..Call::default() };
        engine.run_parallel(range, vertices, &call, to);
        for lane in 0..lanes {
            for (number, column) in watched.iter().zip(&indices) {
                self.watch.see(self.before + first + lane, *number, column[lane]);
            }
        }
        self.killed += killed.iter().filter(|killed| **killed != 0).count();
        killed
    }

    /// True if vertices write constants, which those after them read.
    pub fn leaves_constants(&self) -> bool {
        leaves_constants(&self.kernel.function)
    }

    /// As [`run`](Pass::run), one vertex after the other: constants that one writes count for the next.
    fn in_order(
        &mut self,
        vertices: &impl engine::Inputs,
        range: Range<usize>,
        mut own: impl engine::Outputs,
    ) -> Vec<u32> {
        let Kernel { function, places, .. } = self.kernel;
        let mut inputs = vec![[0; 4]; function.input_count()];
        let mut killed = Vec::new();
        for (lane, vertex) in range.enumerate() {
            for input in &self.kernel.inputs {
                let [x, y, z, w] = &mut inputs[usize::from(*input)];
                vertices.load(*input, vertex, [x, y, z, w].map(std::slice::from_mut));
            }
            self.run.run(function, &inputs, &self.constants, &NoTextures);
            for (at, (output, value)) in function.outputs.iter().enumerate() {
                let value = self.run.value(*value);
                match places.get(at) {
                    Some(name) => own.store(*name, lane, value.each_ref().map(std::slice::from_ref)),
                    None => self.watch.see(self.before + vertex, *output, value[0]),
                }
            }
            write_constants(function, &self.run, &mut self.constants);
            let dead = self.run.killed().is_some();
            self.killed += usize::from(dead);
            if self.kernel.kills {
                killed.push(u32::from(dead));
                own.killed(lane, &[if dead { u32::MAX } else { 0 }]);
            }
        }
        killed
    }

    /// What it did besides its outputs, of a run that began with these constants.
    pub fn ran(self, given: &[Vec4]) -> Ran {
        let old = |index: usize| given.get(index).copied().unwrap_or_default();
        let changed = self.constants.iter().enumerate().filter(|(index, value)| **value != old(*index));
        let changed = changed.map(|(index, value)| (index as u16, *value)).collect();
        Ran { program: self.kernel.program.clone(), changed, killed: self.killed, watch: self.watch }
    }
}
