//! Many vertices of a program: one of them is debugged, and any other can take its place at the same point.

use crate::Program;
use crate::run::expected::{Difference, Expected, same};
use crate::run::{Kernel, Vertices};
use crate::trace::{Output, Trace, trace};
use crate::value::typed;
use gpuzoo_diag::{Diagnostic, Span, counted};
use gpuzoo_ir::Vec4;
use gpuzoo_isa::{COMPONENTS, Reg};
use gpuzoo_machine::{Modes, Profile, RunState};
use std::fmt::Write;
use std::ops::ControlFlow;

/// The most vertices of a batch.
pub const MOST_LANES: usize = 1 << 16;

/// Vertices, or fragments, of a program, each a lane. The session of one is made when it is asked for.
pub struct Batch {
    program: Program,
    profile: Profile,
    modes: Modes,
    start: Vec<(Reg, Vec4)>,
    given: Vec<u16>,
    pieces: Vec<Piece>,
    count: usize,
    /// There are more vertices.
    is_cut: bool,
    expected: usize,
    differences: Vec<(usize, Difference)>,
}

struct Piece {
    first: usize,
    /// The constants that its first vertex finds.
    constants: Vec<Vec4>,
    vertices: Vertices<'static>,
}

impl Batch {
    /// Without vertices yet. `given` are the numbers of the constants that have a value.
    ///
    /// ```
    /// use gpuzoo::debugger::Batch;
    /// use gpuzoo::machine::RunState;
    /// use gpuzoo::run::{Column, Vertices};
    ///
    /// let program = gpuzoo::dreambox().assemble("copy.vu", "ld r0 0  st pos r0")?;
    /// let mut batch = Batch::new(&program, &RunState::default(), &[]);
    /// let column = Column { input: 0, values: vec![1.0f32.to_bits(), 2.0f32.to_bits()].into(), stride: 1, components: 1 };
    /// assert!(batch.push(Vertices::Columns { count: 2, columns: vec![column] }, &[]));
    /// assert_eq!(batch.count(), 2);
    /// assert_eq!(batch.trace(1).map(|trace| trace.outputs[0].value[0]), Some(2.0f32.to_bits()));
    /// # Ok::<(), gpuzoo::Diagnostics>(())
    /// ```
    pub fn new(program: &Program, state: &RunState, given: &[u16]) -> Batch {
        let RunState { profile, modes, start } = *state;
        let (program, start, given) = (program.clone(), start.to_vec(), given.to_vec());
        let (pieces, differences) = (Vec::new(), Vec::new());
        let (count, is_cut, expected) = (0, false, 0);
        Batch { program, profile, modes, start, given, pieces, count, is_cut, expected, differences }
    }

    /// Adds vertices, of which the first finds these constants. False if some are left out, because there are [`MOST_LANES`].
    pub fn push(&mut self, vertices: Vertices<'static>, constants: &[Vec4]) -> bool {
        let first = self.count;
        let all = first.saturating_add(vertices.count());
        self.count = MOST_LANES.min(all);
        self.is_cut = all > MOST_LANES;
        if self.count > first {
            self.pieces.push(Piece { first, constants: constants.to_vec(), vertices });
        }
        !self.is_cut
    }

    /// The program as the engine runs it.
    pub fn kernel(&self) -> Kernel {
        self.program.kernel_in(&self.state())
    }

    /// How many vertices there are.
    pub fn count(&self) -> usize {
        self.count
    }

    fn state(&self) -> RunState<'_> {
        RunState { profile: self.profile, modes: self.modes, start: &self.start }
    }

    fn piece(&self, lane: usize) -> Option<&Piece> {
        let piece = self.pieces.partition_point(|piece| piece.first <= lane).checked_sub(1);
        piece.map(|piece| &self.pieces[piece]).filter(|_| lane < self.count)
    }

    /// What a vertex did; none if there is no such.
    pub fn trace(&self, lane: usize) -> Option<Trace> {
        let Piece { first, constants, vertices } = self.piece(lane)?;
        let trace = trace(&self.program, &self.state(), vertices, lane - first, constants, &self.given);
        Some(trace.behind(*first))
    }

    /// The outputs that the engine gives all vertices, in the order of the kernel's names; nothing for those that are killed.
    fn outputs(&self) -> Vec<Option<Vec<Vec4>>> {
        let kernel = self.kernel();
        let mut all = Vec::new();
        for Piece { constants, vertices, .. } in &self.pieces {
            kernel.stream(vertices, 0, constants, |_, row| {
                all.push(row.map(<[Vec4]>::to_vec));
                if all.len() < self.count { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
        }
        all
    }

    /// The outputs that the engine gives a vertex, with their names.
    fn engine(&self, lane: usize) -> Vec<(String, Vec4)> {
        let Some(Piece { first, constants, vertices }) = self.piece(lane) else { return Vec::new() };
        let kernel = self.kernel();
        let mut found = Vec::new();
        // Vertices before it may leave it constants.
        kernel.stream(vertices, 0, constants, |vertex, row| match row {
            _ if vertex < lane - first => ControlFlow::Continue(()),
            row => {
                let names = kernel.output_names().iter().cloned();
                found = names.zip(row.into_iter().flatten().copied()).collect();
                ControlFlow::Break(())
            }
        });
        found
    }

    /// Compares the engine's outputs with others; `span` is about these.
    ///
    /// # Errors
    /// `G0212` where something is expected of a vertex that there is not, `G0213` where nothing is expected.
    pub fn expect(&mut self, expected: &Expected, span: Span) -> Result<(), Diagnostic> {
        let kernel = self.kernel();
        self.differences = expected.differences(&kernel, &self.outputs(), span)?;
        self.expected = expected.count();
        Ok(())
    }

    /// The vertices that differ from what is expected, each with its first difference.
    pub fn differences(&self) -> &[(usize, Difference)] {
        &self.differences
    }

    /// How many vertices are as expected, and that there are more than are here; else nothing.
    pub(super) fn compared(&self) -> String {
        let compared = match (self.expected, self.differences.len()) {
            (0, _) => String::new(),
            (all, 0) => format!("all is as expected of {}\n", counted(all, "vertex")),
            (all, some) => format!(
                "{some} of {} differ from what is expected: `use differing`\n",
                counted(all, "vertex")
            ),
        };
        match self.is_cut {
            true => {
                format!("{compared}{} are here; `--vertex N` has any other\n", counted(MOST_LANES, "vertex"))
            }
            false => compared,
        }
    }

    /// What of a lane is not as it should be: other than expected, or, if gpuzoo is wrong, other on the engine than here.
    pub(super) fn unlike(&self, lane: usize, trace: &Trace, bits: bool) -> String {
        let mut text = String::new();
        let known = self.differences.binary_search_by_key(&lane, |(vertex, _)| *vertex);
        match known.ok().map(|at| &self.differences[at].1) {
            Some(Difference::Component { name, found, expected }) => {
                let of = |output: &Output, at: usize| {
                    *name == format!("{}.{}", output.name, COMPONENTS[at]) && output.integers.has(at as u8)
                };
                let is_integer = trace.outputs.iter().any(|output| (0..4).any(|at| of(output, at)));
                let [found, expected] = [found, expected].map(|own| typed(*own, is_integer, bits));
                let _ = writeln!(text, "{name} is {found} at the end, expected {expected}");
            }
            Some(Difference::Killed { found }) => {
                let (is, should) = if *found { ("is", "not") } else { ("is not", "so") };
                let _ = writeln!(text, "it {is} killed, expected {should}");
            }
            None => {}
        }
        text + &against(&trace.outputs, &self.engine(lane), bits)
    }
}

/// The outputs that the engine has otherwise.
fn against(outputs: &[Output], engine: &[(String, Vec4)], bits: bool) -> String {
    let mut text = String::new();
    for (name, value) in engine {
        let Some(own) = outputs.iter().find(|output| output.name == *name) else { continue };
        let differs = |at: &usize| !same(own.value[*at], value[*at]);
        if let Some(at) = (0..4).find(differs) {
            let is_integer = own.integers.has(at as u8);
            let [here, there] = [own.value[at], value[at]].map(|own| typed(own, is_integer, bits));
            let letter = COMPONENTS[at];
            let _ =
                writeln!(text, "gpuzoo is wrong: {name}.{letter} is {here} here, and {there} on the engine");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpuzoo_isa::Mask;

    #[test]
    fn an_engine_that_differs_is_told() {
        let (written, integers) = (Mask::ALL, Mask(0));
        let own = |value| Output { name: "pos".to_owned(), reg: None, written, value, integers };
        let nan = [0x7fc0_0000, 0x7fc0_0001];
        let there = [("pos".to_owned(), [0, nan[0], 1, 2]), ("col".to_owned(), [0; 4])];
        assert_eq!(against(&[own([0, nan[1], 1, 2])], &there, true), "");
        let text = against(&[own([0, nan[1], 1, 3])], &there, true);
        assert_eq!(text, "gpuzoo is wrong: pos.w is 0x00000003 here, and 0x00000002 on the engine\n");
    }
}
