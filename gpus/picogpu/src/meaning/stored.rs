//! A program in a unit's memory: what it takes, what it means, and its runs.

use crate::ISA;
use crate::encoding::OP;
use crate::header::{self, COMMAND_DWORDS};
use crate::meaning::lowered;
use crate::regs::{MAX_PORTS, U, triangle, uniform};
use gpuzoo_engine::{Call, Kernel, Rows, RowsMut};
use gpuzoo_ir::eval::{NoTextures, Run};
use gpuzoo_ir::{Function, Vec4, passes};
use gpuzoo_isa::{Interface, Lowered, Port, Profile, Program, Stage};
use gpuzoo_machine::unit::cache::Cache;
use std::collections::VecDeque;
use std::sync::{Arc, OnceLock};

/// A program in the unit's memory.
#[derive(Debug)]
pub struct Stored {
    /// The store command and the code behind it.
    pub words: Vec<u32>,
    profile: Profile,
    /// What it takes and gives.
    pub interface: Interface,
    /// Its meaning, optimized.
    pub function: Function,
    /// Instructions that it executes.
    pub instructions: u64,
    /// An opcode in it that does not exist.
    pub unknown: Option<u8>,
    kernel: OnceLock<Option<Kernel>>,
}

impl Stored {
    /// The program of a store command, which says `interface`, with the code behind it.
    pub fn new(interface: Interface, words: &[u32], profile: Profile) -> Stored {
        let program = program(interface.clone(), words);
        let mut opcodes = program.slots.iter().map(|slot| OP.get(&slot.bits));
        Stored {
            words: words.to_vec(),
            profile,
            interface,
            function: passes::optimize(&lowered(&program, profile).function),
            instructions: program.slots.len() as u64,
            unknown: opcodes.find(|code| ISA.halves[0].op(*code).is_none()).map(|code| code as u8),
            kernel: OnceLock::new(),
        }
    }

    /// The program of a store command, which says `interface`, with the code behind it; made once, if the cache still has
    /// it.
    pub fn kept(cache: &Cache, interface: Interface, words: &[u32], profile: Profile) -> Arc<Stored> {
        let fits = |stored: &Stored| stored.words == words && stored.profile == profile;
        cache.get(fits, || Stored::new(interface, words, profile))
    }

    /// What a unit holds before the first store command: one component in and out through r0.
    pub fn empty(profile: Profile) -> Stored {
        let words = [0; COMMAND_DWORDS];
        let interface = header::decode(&words).map(|(interface, _)| interface);
        Stored::new(interface.unwrap_or_default(), &words, profile)
    }

    /// Its meaning, ready to run for many threads; none if it is too large for the engine, as no program of 511 dwords
    /// is.
    pub fn kernel(&self) -> Option<&Kernel> {
        self.kernel.get_or_init(|| Kernel::compile(&self.function).ok()).as_ref()
    }

    /// Its meaning, instruction by instruction.
    pub fn lowered(&self) -> Lowered {
        lowered(&program(self.interface.clone(), &self.words), self.profile)
    }

    /// Dwords of an input of a thread. Fragments get x and y of their pixel; the rest comes with the triangle.
    pub fn thread_dwords(&self) -> usize {
        match self.interface.stage {
            Stage::Vertex => dwords(&self.interface.inputs),
            Stage::Fragment => 2,
        }
    }

    /// Dwords of one of the triangle's vertices: x, y and z of the position, all of the rest.
    pub fn vertex_components(&self) -> impl Iterator<Item = usize> {
        let rest = self.interface.inputs.iter().skip(1).map(|port| port.components as usize);
        std::iter::once(3).chain(rest)
    }

    /// Dwords behind an execute command.
    pub fn data_dwords(&self, threads: usize) -> usize {
        let triangle = match self.interface.stage {
            Stage::Vertex => 0,
            Stage::Fragment => 3 * self.vertex_components().sum::<usize>(),
        };
        threads * self.thread_dwords() + dwords(&self.interface.uniforms) + triangle
    }

    /// The uniforms of the function: the program's own, in the order of its declarations, in their places.
    pub fn place_uniforms(&self, data: &mut &[u32]) -> Vec<Vec4> {
        let mut uniforms = vec![[0; 4]; ISA.files[U as usize].count as usize];
        for (index, port) in self.interface.uniforms.iter().enumerate() {
            let place = uniform(self.interface.stage, index).index as usize;
            uniforms[place] = take_vector(data, port.components as usize);
        }
        uniforms
    }

    /// Puts a fragment program's triangle among the uniforms.
    pub fn place_triangle(&self, data: &mut &[u32], uniforms: &mut [Vec4]) {
        for vertex in 0..3 {
            for (input, components) in self.vertex_components().enumerate() {
                uniforms[triangle(vertex, input).index as usize] = take_vector(data, components);
            }
        }
    }

    /// Runs all threads and appends their outputs. `data` has just the dwords that are needed.
    pub fn run(&self, threads: usize, data: &[u32], out: &mut VecDeque<u32>) {
        let (mut per_thread, mut rest) = data.split_at(threads * self.thread_dwords());
        let mut uniforms = self.place_uniforms(&mut rest);
        if self.interface.stage == Stage::Fragment {
            self.place_triangle(&mut rest, &mut uniforms);
        }
        let width = self.function.outputs.len();
        let inputs: Vec<Vec4> = (0..threads).flat_map(|_| self.place_inputs(&mut per_thread)).collect();
        let mut values = vec![[0; 4]; threads * width];
        match self.kernel() {
            Some(kernel) => {
                let inputs = Rows { values: &inputs, width: MAX_PORTS };
                let call = Call { uniforms: &uniforms, ..Call::default() };
                let mut outputs = RowsMut { values: &mut values, width, killed: &mut [] };
                kernel.run(0..threads, &inputs, &call, &mut outputs);
            }
            None => self.evaluate(&inputs, &uniforms, &mut values),
        }
        for thread in values.chunks_exact(width.max(1)) {
            for (port, value) in self.interface.outputs.iter().zip(thread) {
                out.extend(&value[..port.components as usize]);
            }
        }
    }

    /// All threads, one by one, by the definition.
    fn evaluate(&self, inputs: &[Vec4], uniforms: &[Vec4], values: &mut [Vec4]) {
        let mut run = Run::default();
        let width = self.function.outputs.len().max(1);
        for (inputs, values) in inputs.chunks_exact(MAX_PORTS).zip(values.chunks_exact_mut(width)) {
            run.run(&self.function, inputs, uniforms, &NoTextures);
            for (value, (_, output)) in values.iter_mut().zip(&self.function.outputs) {
                *value = run.value(*output);
            }
        }
    }

    /// The inputs of a thread from the stream.
    pub fn place_inputs(&self, data: &mut &[u32]) -> [Vec4; MAX_PORTS] {
        let mut inputs = [[0; 4]; MAX_PORTS];
        match self.interface.stage {
            Stage::Vertex => {
                for (input, port) in inputs.iter_mut().zip(&self.interface.inputs) {
                    *input = take_vector(data, port.components as usize);
                }
            }
            Stage::Fragment => inputs[0] = take_vector(data, 2),
        }
        inputs
    }
}

/// The program of a store command and its code.
fn program(interface: Interface, words: &[u32]) -> Program {
    let slots = ISA.slots(words.get(COMMAND_DWORDS..).unwrap_or_default(), |_| Default::default());
    Program { slots, interface: Some(interface), ..Program::default() }
}

/// Dwords of ports in a stream.
pub fn dwords(ports: &[Port]) -> usize {
    ports.iter().map(|port| port.components as usize).sum()
}

/// The next components from the stream, zeros behind them.
fn take_vector(from: &mut &[u32], components: usize) -> Vec4 {
    let (taken, rest) = from.split_at(components.min(from.len()));
    *from = rest;
    let mut vector = [0; 4];
    vector.iter_mut().zip(taken).for_each(|(component, word)| *component = *word);
    vector
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DOCUMENT, UNIT, assemble, job, program_dwords};
    use gpuzoo_diag::File;
    use gpuzoo_machine::unit::job::JobOptions;

    /// A vertex program of so many `trap`s, from r0 to r0.
    fn traps(count: u32) -> Vec<u32> {
        [vec![count << 2, 0, 0], vec![31; count as usize]].concat()
    }

    fn get(cache: &Cache, words: &[u32], profile: Profile) -> Arc<Stored> {
        let (interface, length) = header::decode(words).unwrap();
        assert_eq!(length, words.len() - COMMAND_DWORDS);
        Stored::kept(cache, interface, words, profile)
    }

    #[test]
    fn a_program_is_compiled_once() {
        let cache = Cache::default();
        let [one, two] = [1, 2].map(|count| get(&cache, &traps(count), DOCUMENT));
        assert_eq!([one.instructions, two.instructions], [1, 2]);
        assert!(Arc::ptr_eq(&one, &get(&cache.clone(), &traps(1), DOCUMENT)));
        assert!(Arc::ptr_eq(&two, &get(&cache, &traps(2), DOCUMENT)));
        // The same words mean something else in another profile, and with another store command.
        assert!(!Arc::ptr_eq(&one, &get(&cache, &traps(1), UNIT)));
        let fragment = [traps(1)[0] | 1 << 11, 0, 0, 31];
        assert_eq!(get(&cache, &fragment, DOCUMENT).interface.stage, Stage::Fragment);
        assert_eq!(one.interface.stage, Stage::Vertex);
    }

    /// No program is too large for the engine, so only here its values are computed one by one: each thread has its own inputs, and all
    /// the same uniforms.
    #[test]
    fn threads_can_be_evaluated_one_by_one() {
        let text = "#vertexShader #input r0.xy #input r3.x #output r1.xyzw #output r4.x #uniform r2.xy \
            fsub r1.xy r0 r2 mov r4.x r3";
        let dwords = program_dwords(&assemble(&File::new("t", text), DOCUMENT).program);
        let (interface, _) = header::decode(&dwords).unwrap();
        let stored = Stored::new(interface, &dwords, DOCUMENT);
        // (5, 7) and 3; (9, 20) and 4; less (1, 2)
        let data = [5.0, 7.0, 3.0, 9.0, 20.0, 4.0, 1.0, 2.0f32].map(f32::to_bits);
        let expected =
            [[4.0, 5.0, 0.0, 0.0], [3.0, 0.0, 0.0, 0.0], [8.0, 18.0, 0.0, 0.0], [4.0, 0.0, 0.0, 0.0f32]];
        let expected = expected.map(|value| value.map(f32::to_bits));
        let mut rest = &data[..];
        let inputs: Vec<Vec4> = (0..2).flat_map(|_| stored.place_inputs(&mut rest)).collect();
        let uniforms = stored.place_uniforms(&mut rest);
        let mut values = [[7; 4]; 4];
        stored.evaluate(&inputs, &uniforms, &mut values);
        // Of r4 only x is an output.
        let outputs = |values: &[Vec4]| {
            values
                .chunks(2)
                .flat_map(|thread| [&thread[0][..], &thread[1][..1]].concat())
                .collect::<Vec<u32>>()
        };
        assert_eq!(outputs(&values), outputs(&expected));
        let mut out = VecDeque::new();
        stored.run(2, &data, &mut out);
        assert_eq!(Vec::from(out), outputs(&expected));
    }

    /// Machine code comes only with the fragments of several frames, and changes nothing either.
    #[test]
    fn frames_share_programs() {
        let file = File::new("job", include_str!("../../tests/vectors/scene_public_1.json"));
        let cache = Cache::default();
        let frame = || job::run(&file, &JobOptions::default(), &cache).0.unwrap();
        let (first, frames) = (frame(), [(); 5].map(|()| frame()));
        assert_eq!(format!("{cache:?}"), "Cache of 2");
        for frame in frames {
            assert_eq!(frame.target.color().pixels(), first.target.color().pixels());
            assert_eq!(frame.cost, first.cost);
        }
    }
}
