//! Batches of runs as a compute shader.

use super::{Device, failed};
use crate::run::{Block, Vertices};
use crate::{Program, State};
use gpuzoo_diag::{Diagnostic, Diagnostics};
use gpuzoo_host::{Buffer, Kernel, Shader};
use gpuzoo_ir::Vec4;
use gpuzoo_machine::RunState;
use gpuzoo_machine::target::host::NOT_ON_HOST;
use gpuzoo_translate::{Fidelity, Shape, Target, TranslateOptions, WORKGROUP, translate};
use std::ops::ControlFlow;

/// Runs of one dispatch, unless the device has room for less: a dispatch's data stays below 100 MB.
const MOST_RUNS: usize = 1 << 18;

/// A program that is ready to run on the device.
#[derive(Debug)]
pub struct DeviceKernel<'d> {
    kernel: Kernel<'d>,
    /// The numbers of the inputs that it reads.
    inputs: Vec<u16>,
    /// The names of its outputs, and their places among the vectors of a run.
    names: Vec<String>,
    places: Vec<usize>,
    /// Vectors that a run leaves.
    results: usize,
    constants: usize,
    kills: bool,
    /// Runs of a dispatch.
    together: usize,
}

impl Device {
    /// Makes a program ready to run, for the machine in a state.
    ///
    /// # Errors
    /// As [`Program::kernel`] for the state, `T0102` for a program that leaves constants to the next run, `T0101` for one that
    /// is too large, `R0801` for one that reads textures, `G0352` if the device does not take it.
    pub fn kernel<'a>(
        &self,
        program: &Program,
        state: impl Into<State<'a>>,
        fidelity: Fidelity,
    ) -> Result<DeviceKernel<'_>, Diagnostics> {
        let resolved = program.resolved(state.into())?;
        self.kernel_in(program, &resolved.state(), fidelity)
            .map_err(|problems| Diagnostics::new(problems, program.sources().clone()))
    }

    /// As [`kernel`](Device::kernel), for a state that has been looked up.
    ///
    /// # Errors
    /// As there.
    pub fn kernel_in(
        &self,
        program: &Program,
        state: &RunState,
        fidelity: Fidelity,
    ) -> Result<DeviceKernel<'_>, Vec<Diagnostic>> {
        let translated = gpuzoo_translate::Program::of(program.gpu(), program.code(), state)?;
        translated.refuse_state("a batch on the host's GPU").map_err(|problem| vec![problem])?;
        if !translated.samples.is_empty() {
            let problem = Diagnostic::error(&NOT_ON_HOST, "the program reads textures, and a run has none");
            return Err(vec![problem.help("`gpuzoo render` of a scene gives it some")]);
        }
        let options = TranslateOptions {
            to: Some(Target::Wgsl),
            shape: Some(Shape::Compute),
            fidelity,
            ..TranslateOptions::default()
        };
        let translation = translate(&translated, &options).map_err(|problem| vec![problem])?;
        let text = translation.text().unwrap_or_default();
        // Whatever the shader does not have is bound all the same: a binding is its place in the list.
        let kinds = [Buffer::Uniform(&[]), Buffer::Read(&[]), Buffer::Write(0)];
        let entry = translation.entry().unwrap_or_default();
        let kernel = self.host.kernel(&Shader::Wgsl(text), entry, &kinds);
        let kernel = kernel.map_err(|error| vec![failed(&error)])?;
        let names: Vec<String> = translated.outputs.iter().map(|output| output.name.clone()).collect();
        let results = translation.outputs().len().max(1);
        let inputs: Vec<u16> = translated.inputs.iter().map(|input| input.number).collect();
        let widest = inputs.len().max(results) * 4;
        Ok(DeviceKernel {
            kernel,
            places: (0..names.len()).collect(),
            kills: results > names.len().max(1) || (names.is_empty() && !translation.outputs().is_empty()),
            results,
            constants: translated.constants.max(1),
            together: MOST_RUNS.min(self.host.most_words() / widest).max(1),
            inputs,
            names,
        })
    }
}

impl DeviceKernel<'_> {
    /// The names of its outputs, in the order in which they come.
    pub fn output_names(&self) -> &[String] {
        &self.names
    }

    /// True if it may kill what it runs for.
    pub fn kills(&self) -> bool {
        self.kills
    }

    /// The same with these outputs alone, in this order; what it does not have is left out.
    #[must_use]
    pub fn only(mut self, names: &[String]) -> Self {
        let place = |name: &String| self.names.iter().position(|known| known == name);
        let chosen: Vec<usize> = names.iter().filter_map(place).collect();
        self.places = chosen.iter().map(|at| self.places[*at]).collect();
        self.names = chosen.iter().map(|at| self.names[*at].clone()).collect();
        self
    }

    /// Runs it for all vertices; so many were run before. `each` gets their outputs, a dispatch at a time, and says whether to
    /// go on.
    ///
    /// # Errors
    /// `G0352` if the device fails.
    pub fn run(
        &self,
        vertices: &Vertices,
        before: usize,
        constants: &[Vec4],
        mut each: impl FnMut(Block) -> ControlFlow<()>,
    ) -> Result<(), Diagnostic> {
        let mut uniforms = constants.to_vec();
        uniforms.resize(self.constants, [0; 4]);
        let mut fetched = vec![[0; 4]; self.inputs.iter().max().map_or(0, |most| usize::from(*most) + 1)];
        let count = vertices.count();
        for first in (0..count).step_by(self.together) {
            let range = first..count.min(first + self.together);
            let runs = range.len();
            let mut rows: Vec<u32> = Vec::with_capacity(runs * self.inputs.len() * 4);
            for vertex in range {
                vertices.fetch(vertex, &mut fetched);
                rows.extend(self.inputs.iter().flat_map(|input| fetched[usize::from(*input)]));
            }
            // A buffer has at least one element.
            rows.resize(rows.len().max(4), 0);
            let buffers = [
                Buffer::Uniform(uniforms.as_flattened()),
                Buffer::Read(&rows),
                Buffer::Write(runs * self.results * 4),
            ];
            let groups = (runs as u32).div_ceil(WORKGROUP);
            let results = self.kernel.run([groups, 1, 1], &buffers).map_err(|error| failed(&error))?;
            let words = results.into_iter().next().unwrap_or_default();
            let (vectors, _) = words.as_chunks::<4>();
            let column = |place: usize| -> Vec<Vec4> {
                vectors.iter().skip(place).step_by(self.results).copied().collect()
            };
            let columns: Vec<Vec<Vec4>> = self.places.iter().map(|place| column(*place)).collect();
            let killed = if self.kills { column(self.results - 1) } else { Vec::new() };
            let killed: Vec<u32> = killed.into_iter().map(|killed| killed[0]).collect();
            if each(Block::new(before + first, runs, &columns, &killed)).is_break() {
                break;
            }
        }
        Ok(())
    }
}
