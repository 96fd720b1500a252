//! The runs of a kernel: over what a caller gives by name, into a caller's memory, piece by piece.

use super::{Kernel, Pass};
use crate::codes::CANCELLED;
use crate::run::buffers::{Buffer, Sink, Target, targets};
use crate::run::inputs::Inputs;
use crate::run::outputs::Outputs;
use crate::run::{Ran, Stream, Vertices};
use gpuzoo_diag::{Diagnostic, Diagnostics};
use gpuzoo_engine as engine;
use gpuzoo_ir::Vec4;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

impl Kernel {
    /// Runs it for all vertices of `inputs`.
    ///
    /// # Errors
    /// `G0206` for an input or constant that the machine does not have, `G0207` and `G0208` for one that the program
    /// reads and `inputs` does not give, unless [`Inputs::zeros`] says that it need not, `G0223` if it was cancelled.
    pub fn run(&self, inputs: &Inputs) -> Result<Outputs, Diagnostics> {
        let (vertices, constants) = inputs.resolve(self)?;
        let mut columns = vec![vec![[0; 4]; vertices.count()]; self.names.len()];
        let targets = columns.iter_mut().map(|column| Target::new(column.as_flattened_mut(), 4, 4));
        let (count, sink) = (vertices.count(), Sink(targets.collect()));
        let (killed, ran) = self.run_to(count, &vertices, &constants.values, inputs.cancelled(), sink)?;
        Ok(Outputs::new(self, columns, killed, &ran))
    }

    /// Writes the results of [`run`](Kernel::run) to buffers of the caller: those outputs that it names. Returns for each vertex whether
    /// it was killed, nothing for a program that does not kill; killed vertices' results are what the program had.
    ///
    /// ```
    /// use gpuzoo::{Buffer, Inputs};
    /// let kernel = gpuzoo::dreambox().assemble("copy.vu", "ld r0 0  st pos r0  st col r0")?.kernel("document")?;
    /// // x, y, z of each vertex, and one word for something else.
    /// let mut positions = [0.0; 8];
    /// let inputs = Inputs::new().set("in0", &[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]])?;
    /// kernel.run_into(&inputs, vec![Buffer::floats("pos", &mut positions, 4, 3)])?;
    /// assert_eq!(positions, [1.0, 2.0, 3.0, 0.0, 5.0, 6.0, 7.0, 0.0]);
    /// # Ok::<(), gpuzoo::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`run`](Kernel::run), `G0206` for an output that the program does not have, `G0222` for a buffer that is
    /// too small, or that is not the only one for its output.
    pub fn run_into(&self, inputs: &Inputs, buffers: Vec<Buffer>) -> Result<Vec<bool>, Diagnostics> {
        Ok(self.run_noting(inputs, buffers)?.0)
    }

    /// Does what [`run_into`](Kernel::run_into) does, and returns what else the run did.
    ///
    /// ```
    /// use gpuzoo::{Buffer, Inputs};
    /// let kernel = gpuzoo::nv2a().assemble("p.vsh", "vs.1.1\nmov oPos, v0")?.kernel("hw")?;
    /// let mut positions = [0.0; 4];
    /// let inputs = Inputs::new().set("v0", &[[1.0, 2.0, 3.0, 1.0]])?.zeros();
    /// let (killed, ran) = kernel.run_noting(&inputs, vec![Buffer::floats("oPos", &mut positions, 4, 4)])?;
    /// assert!(killed.is_empty() && ran.constants().is_empty());
    /// # Ok::<(), gpuzoo::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`run_into`](Kernel::run_into).
    pub fn run_noting(&self, inputs: &Inputs, buffers: Vec<Buffer>) -> Result<(Vec<bool>, Ran), Diagnostics> {
        let (vertices, constants) = inputs.resolve(self)?;
        let count = vertices.count();
        let sink = Sink(targets(&self.names, count, buffers)?);
        self.run_to(count, &vertices, &constants.values, inputs.cancelled(), sink)
    }

    /// Does what [`run`](Kernel::run) does, for `count` vertices in memory that only the caller knows: `inputs` are read by their
    /// [numbers](Kernel::input_numbers), `outputs` get results by their places among the [names](Kernel::output_names), and
    /// `constants` are those from number 0 on. What is not given reads as the caller's `inputs` have it, and as zeros;
    /// [`missing`](Kernel::missing) says what that is.
    ///
    /// ```
    /// use gpuzoo::engine::{Inputs, Outputs};
    /// /// Vertex 7 has x = 7.
    /// struct Numbers;
    /// impl Inputs for Numbers {
    ///     fn load(&self, _: u16, first: usize, [x, ..]: [&mut [u32]; 4]) {
    ///         x.iter_mut().zip(first..).for_each(|(x, vertex)| *x = (vertex as f32).to_bits());
    ///     }
    /// }
    /// /// The greatest result.
    /// struct Greatest<'a>(&'a std::sync::atomic::AtomicU32);
    /// impl Outputs for Greatest<'_> {
    ///     fn store(&mut self, _: usize, _: usize, [x, ..]: [&[u32]; 4]) {
    ///         x.iter().for_each(|x| drop(self.0.fetch_max(*x, std::sync::atomic::Ordering::Relaxed)));
    ///     }
    ///     fn split(self, _: usize) -> (Self, Self) {
    ///         (Greatest(self.0), self)
    ///     }
    /// }
    /// let kernel = gpuzoo::nv2a().assemble("p.vsh", "add oPos.x, v0, v0")?.kernel("hw")?;
    /// let greatest = Default::default();
    /// kernel.run_over(10_000, &Numbers, &[], Greatest(&greatest));
    /// assert_eq!(f32::from_bits(greatest.into_inner()), 2.0 * 9_999.0);
    /// # Ok::<(), gpuzoo::Diagnostics>(())
    /// ```
    pub fn run_over(
        &self,
        count: usize,
        inputs: &impl engine::Inputs,
        constants: &[Vec4],
        outputs: impl engine::Outputs,
    ) -> Ran {
        let mut pass = Pass::new(self, constants);
        pass.run_pieces(count, inputs, outputs, |_, _| true);
        pass.ran(constants)
    }

    fn run_to(
        &self,
        count: usize,
        vertices: &Vertices,
        constants: &[Vec4],
        cancelled: Option<&AtomicBool>,
        sink: Sink,
    ) -> Result<(Vec<bool>, Ran), Diagnostics> {
        let mut killed = Vec::new();
        let mut pass = Pass::new(self, constants);
        let mut stopped = None;
        pass.run_pieces(count, vertices, sink, |start, dead| {
            if self.kills {
                killed.extend(dead.iter().map(|dead| *dead != 0));
            }
            let cancelled = start < count && cancelled.is_some_and(|flag| flag.load(Ordering::Relaxed));
            stopped = cancelled.then_some(start);
            !cancelled
        });
        if let Some(start) = stopped {
            let message = format!("the run was cancelled after {start} of {count} vertices");
            return Err(Diagnostic::error(&CANCELLED, message).into());
        }
        Ok((killed, pass.ran(constants)))
    }

    /// Runs it for the vertices from `first` on, one after the other, without keeping their outputs. `each` gets the
    /// vertex's number and the outputs, in the order of [`output_names`](Kernel::output_names), or nothing for one that
    /// was killed, and says whether to go on.
    pub fn stream(
        &self,
        vertices: &Vertices,
        first: usize,
        constants: &[Vec4],
        each: impl FnMut(usize, Option<&[Vec4]>) -> ControlFlow<()>,
    ) -> Ran {
        let mut stream = self.begin(constants);
        stream.vertices(vertices, first, each);
        stream.end()
    }

    /// Begins a run over vertices that come piece by piece: a piece finds the constants that the one before left, and its
    /// vertices are counted on.
    ///
    /// ```
    /// use gpuzoo::run::{Column, Vertices};
    /// use std::ops::ControlFlow;
    /// let kernel = gpuzoo::nv2a().assemble("p.vsh", "mov oPos, v0")?.kernel("hw")?;
    /// let column = Column { input: 0, values: vec![0; 8].into(), stride: 4, components: 4 };
    /// let piece = Vertices::Columns { count: 2, columns: vec![column] };
    /// let mut numbers = Vec::new();
    /// let mut stream = kernel.begin(&[]);
    /// for _ in 0..2 {
    ///     stream.vertices(&piece, 0, |vertex, _| {
    ///         numbers.push(vertex);
    ///         ControlFlow::Continue(())
    ///     });
    /// }
    /// assert!(stream.end().remarks().is_empty());
    /// assert_eq!(numbers, [0, 1, 2, 3]);
    /// # Ok::<(), gpuzoo::Diagnostics>(())
    /// ```
    pub fn begin(&self, constants: &[Vec4]) -> Stream<'_> {
        Stream::new(Pass::new(self, constants), constants, self.names.len())
    }
}
