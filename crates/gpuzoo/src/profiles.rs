//! The verb `diff` of a shader program: the same vertices under two profiles, and the first instruction that makes a difference.
//!
//! ```
//! use gpuzoo::machine::{Modes, unit::run_state::RunState};
//! use gpuzoo::{profiles::Compared, registry, run::Vertices};
//!
//! let program = gpuzoo::nv2a().assemble("third.vp", "!!VP1.0\nRCP o[HPOS], c[0].x;\nEND\n")?;
//! let states = ["hw", "cpu"].map(|name| {
//!     let profile = registry::profile(program.gpu(), Some(name)).expect("the machine has it");
//!     RunState { profile, modes: Modes::default(), start: &[] }
//! });
//! let constants = [[3.0f32.to_bits(); 4]];
//! let mut compared = Compared::new(&program, &states, [&constants, &constants]);
//! compared.push(&Vertices::nothing());
//! assert_eq!(compared.count(), 1);
//! # Ok::<(), gpuzoo::Diagnostics>(())
//! ```

use crate::Program;
use crate::run::{Kernel, Vertices};
use crate::trace::{Subject, Trace};
use crate::value::{self, Component};
use gpuzoo_diag::{Sources, counted, json};
use gpuzoo_ir::Vec4;
use gpuzoo_isa::Mask;
use gpuzoo_machine::RunState;
use gpuzoo_machine::session::Place;
use gpuzoo_machine::session::trace::Change;
use serde::Serialize;
use std::fmt::Write;
use std::ops::ControlFlow;

/// Two runs over vertices that come piece by piece.
pub struct Compared<'a> {
    program: &'a Program,
    states: &'a [RunState<'a>; 2],
    kernels: [Kernel; 2],
    /// The constants that the next vertex finds.
    constants: [Vec<Vec4>; 2],
    /// Vertices, those that differ, and for each output how many.
    count: usize,
    differing: usize,
    outputs: Vec<usize>,
    /// The runs of the first vertex that differs.
    first: Option<[Trace; 2]>,
}

/// Two profiles of a program compared, for scripts.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Comparison<'a> {
    /// The names of the profiles.
    pub profiles: [&'static str; 2],
    /// True if a vertex, or a constant at the end, is not the same.
    pub differs: bool,
    /// The number of vertices that were run.
    pub vertices: usize,
    /// The number of vertices that are not the same.
    pub differing: usize,
    /// The first instruction whose results differ.
    pub parting: Option<FirstDifference<'a>>,
    /// The outputs that differ, and for each the number of vertices.
    #[serde(serialize_with = "json::object")]
    pub outputs: Vec<(&'a str, usize)>,
}

/// The first instruction whose results differ.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FirstDifference<'a> {
    /// The vertex or fragment that executes it.
    #[serde(flatten)]
    pub subject: Subject,
    /// The slot, from 0.
    pub slot: u64,
    /// The line of its text, from 1, if it has one.
    pub line: Option<usize>,
    /// The instruction.
    pub text: &'a str,
    /// The registers with other results.
    pub changes: Vec<DifferentRegister>,
}

/// A register that an instruction writes otherwise under each profile.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct DifferentRegister {
    /// Its name.
    pub register: Option<String>,
    /// The letters of the components that were written.
    pub components: String,
    /// The values of these components under the one profile and the other.
    pub after: [Vec<Component>; 2],
    /// The letters of those that are integers, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub integers: Option<String>,
}

/// Outputs of a vertex; nothing if it was killed.
type Row = Option<Vec<Vec4>>;

/// An instruction whose results differ.
struct Parting<'a> {
    place: &'a Place,
    changes: Vec<(&'a Change, &'a Change)>,
}

impl<'a> Compared<'a> {
    /// A program in two states of its machine, in each of which the first vertex finds these constants.
    pub fn new(program: &'a Program, states: &'a [RunState<'a>; 2], constants: [&[Vec4]; 2]) -> Compared<'a> {
        let kernels = states.each_ref().map(|state| program.kernel_in(state));
        let outputs = vec![0; kernels[0].output_names().len()];
        let constants = constants.map(<[Vec4]>::to_vec);
        Compared { program, states, kernels, constants, count: 0, differing: 0, outputs, first: None }
    }

    /// How many vertices were run.
    pub fn count(&self) -> usize {
        self.count
    }

    /// True if a vertex, or what the program leaves in constants, is not the same.
    pub fn differs(&self) -> bool {
        self.differing > 0 || self.constants[0] != self.constants[1]
    }

    /// Runs the vertices of a piece.
    pub fn push(&mut self, vertices: &Vertices) {
        let found = self.constants.clone();
        let mut rows: [Vec<Row>; 2] = Default::default();
        for (side, rows) in rows.iter_mut().enumerate() {
            let mut stream = self.kernels[side].begin(&found[side]);
            stream.vertices(vertices, 0, |_, row| {
                rows.push(row.map(<[Vec4]>::to_vec));
                ControlFlow::Continue(())
            });
            self.constants[side] = stream.constants().to_vec();
        }
        let [one, other] = rows;
        for (vertex, (one, other)) in one.iter().zip(&other).enumerate() {
            if one == other {
                continue;
            }
            self.differing += 1;
            if let (Some(one), Some(other)) = (one, other) {
                let differ = one.iter().zip(other).map(|(one, other)| one != other);
                self.outputs
                    .iter_mut()
                    .zip(differ)
                    .for_each(|(count, differs)| *count += usize::from(differs));
            }
            if self.first.is_none() {
                self.first = Some([0, 1].map(|side| self.trace(side, vertices, vertex, &found[side])));
            }
        }
        if self.first.is_none() && self.constants[0] != self.constants[1] && vertices.count() > 0 {
            self.first = Some([0, 1].map(|side| self.trace(side, vertices, 0, &found[side])));
        }
        self.count += vertices.count();
    }

    fn trace(&self, side: usize, vertices: &Vertices, vertex: usize, constants: &[Vec4]) -> Trace {
        let trace = crate::trace::trace(self.program, &self.states[side], vertices, vertex, constants, &[]);
        trace.behind(self.count)
    }

    fn profiles(&self) -> [&'static str; 2] {
        let about = self.program.gpu().about();
        self.states.each_ref().map(|state| about.profile_name(state.profile))
    }

    /// The first instruction whose results differ.
    fn parting(&self) -> Option<(Subject, Parting<'_>)> {
        let [one, other] = self.first.as_ref()?;
        let steps = one.session.places().zip(one.session.steps()).zip(other.session.steps());
        let parting = steps.map(|((place, one), other)| {
            let both = one.changes.iter().zip(&other.changes);
            Parting { place, changes: both.filter(|(one, other)| one.after != other.after).collect() }
        });
        let parting = parting.into_iter().find(|parting| !parting.changes.is_empty())?;
        Some((one.subject, parting))
    }

    fn outputs(&self) -> impl Iterator<Item = (&str, usize)> {
        let names = self.kernels[0].output_names().iter().map(String::as_str);
        names.zip(self.outputs.iter().copied()).filter(|(_, count)| *count > 0)
    }

    /// For people: where they part, and how many outputs differ. `bits` shows patterns.
    pub fn text(&self, bits: bool) -> String {
        let [one, other] = self.profiles();
        let mut text = String::new();
        if let Some((subject, parting)) = self.parting() {
            let _ = writeln!(text, "{one} and {other} part at {}", subject.text());
            let place =
                self.line(parting.place).map_or(String::new(), |(file, line)| format!("{file}:{line}: "));
            let _ = writeln!(text, "  {place}{} (slot {})", parting.place.text, parting.place.at);
            for (first, second) in &parting.changes {
                for component in differing(first, second) {
                    let shown = [first, second].map(|change| {
                        let is_integer = change.integers[1].has(component as u8);
                        value::typed(change.after[component], is_integer, bits)
                    });
                    let name =
                        self.first.as_ref().map(|[trace, _]| trace.session.name(first.reg).to_string());
                    let _ = writeln!(
                        text,
                        "  {}.{}: {} in {one}, {} in {other}",
                        name.unwrap_or_default(),
                        ["x", "y", "z", "w"][component],
                        shown[0],
                        shown[1]
                    );
                }
            }
            for (name, about) in self.program.gpu().about().profiles {
                if [one, other].contains(name) {
                    let _ = writeln!(text, "  {name}: {about}");
                }
            }
        }
        match self.differs() {
            false => {
                let _ = writeln!(text, "{one} and {other} give the same");
            }
            true => self.outputs().for_each(|(name, count)| {
                let _ = writeln!(text, "{name} of {count} of {} differs", counted(self.count, "vertex"));
            }),
        }
        text
    }

    fn line(&self, place: &Place) -> Option<(&str, usize)> {
        let sources: &Sources = self.program.sources();
        let file = place.span.and_then(|span| sources.find(span.file)).filter(|file| !file.is_binary())?;
        Some((file.name(), file.place(place.span?.start).line))
    }

    /// For scripts.
    pub fn json(&self, bits: bool) -> Comparison<'_> {
        let parting = self.parting().map(|(subject, parting)| {
            let changes = parting.changes.iter().map(|(one, other)| {
                let integers = Mask(one.components.0 & one.integers[1].0);
                DifferentRegister {
                    register: self.first.as_ref().map(|[trace, _]| trace.session.name(one.reg).to_string()),
                    components: one.components.to_string(),
                    after: [one, other].map(|change| crate::trace::after(change, bits)),
                    integers: (!integers.is_empty()).then(|| integers.to_string()),
                }
            });
            FirstDifference {
                subject,
                slot: parting.place.at,
                line: self.line(parting.place).map(|(_, line)| line),
                text: &parting.place.text,
                changes: changes.collect(),
            }
        });
        Comparison {
            profiles: self.profiles(),
            differs: self.differs(),
            vertices: self.count,
            differing: self.differing,
            parting,
            outputs: self.outputs().collect(),
        }
    }
}

/// The components that were written and differ.
fn differing(one: &Change, other: &Change) -> impl Iterator<Item = usize> {
    (0..4).filter(|at| one.components.has(*at as u8) && one.after[*at] != other.after[*at])
}
