//! What a run is given, by name.

use super::Kernel;
use super::constants::Constants;
use super::registers::{register, register_names};
use super::vertices::{Column, Value, Vertices};
use crate::codes::{RAGGED, UNKNOWN_REGISTER};
use gpuzoo_diag::{Diagnostic, Diagnostics, counted};
use gpuzoo_ir::Vec4;
use gpuzoo_isa::FileKind;
use std::borrow::Cow;
use std::sync::atomic::AtomicBool;

/// The values of inputs, for any number of vertices, and of constants, for all of them.
#[derive(Clone, Debug, Default)]
pub struct Inputs<'a> {
    columns: Vec<(String, Column<'a>, usize)>,
    /// By name, and how many registers behind it.
    constants: Vec<(String, u16, Vec4)>,
    zeros: bool,
    cancel: Option<&'a AtomicBool>,
}

impl<'a> Inputs<'a> {
    /// Nothing yet. Without inputs a program runs for one vertex.
    pub fn new() -> Inputs<'a> {
        Inputs::default()
    }

    /// Gives an input its values, one for each vertex; they replace earlier ones.
    ///
    /// ```
    /// use gpuzoo::Inputs;
    /// let inputs = Inputs::new().set("v0", &[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])?;
    /// let error = inputs.set("v1", &[[0x3f800000u32]]).unwrap_err();
    /// assert_eq!(error.list[0].code.id, "G0221");
    /// # Ok::<(), gpuzoo::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    /// `G0221` if there are not as many values as of the inputs before.
    pub fn set<V: Value>(self, name: &str, values: &[V]) -> Result<Inputs<'a>, Diagnostics> {
        let values: Vec<u32> = values.iter().flat_map(|value| value.bits()).collect();
        let count = values.len() / 4;
        self.column(name, Column { input: 0, values: values.into(), stride: 4, components: 4 }, count)
    }

    /// Gives an input values that lie in memory, which is not copied: `count` vertices, `stride` words from one to the
    /// next, each with one to four `components`.
    ///
    /// # Errors
    /// `G0221` if `count` is not that of the inputs before, or reaches beyond `words`, or a vertex beyond the stride.
    pub fn borrow(
        self,
        name: &str,
        words: &'a [u32],
        stride: usize,
        components: usize,
        count: usize,
    ) -> Result<Inputs<'a>, Diagnostics> {
        let end =
            count.checked_sub(1).map_or(Some(0), |last| last.checked_mul(stride)?.checked_add(components));
        if !(1..=4).contains(&components) || components > stride || end.is_none_or(|end| end > words.len()) {
            let message = format!(
                "there are no {} of {}, {} apart, in {}",
                counted(count, "vertex"),
                counted(components, "component"),
                counted(stride, "word"),
                counted(words.len(), "word")
            );
            return Err(Diagnostic::error(&RAGGED, message).into());
        }
        self.column(name, Column { input: 0, values: Cow::Borrowed(words), stride, components }, count)
    }

    fn column(mut self, name: &str, column: Column<'a>, count: usize) -> Result<Inputs<'a>, Diagnostics> {
        self.columns.retain(|(known, ..)| known != name);
        if let Some((other, _, before)) = self.columns.iter().find(|(.., before)| *before != count) {
            let message = format!("`{name}` has {}, and `{other}` {before}", counted(count, "value"));
            let problem = Diagnostic::error(&RAGGED, message);
            return Err(problem.help("every input has a value for each vertex").into());
        }
        self.columns.push((name.to_owned(), column, count));
        Ok(self)
    }

    /// Gives a constant its value; by the machine's name, or by one that the program defines.
    pub fn constant(mut self, name: &str, value: impl Value) -> Inputs<'a> {
        self.constants.push((name.to_owned(), 0, value.bits()));
        self
    }

    /// Gives several constants their values, from one on: the rows of a matrix, or an array.
    ///
    /// ```
    /// use gpuzoo::Inputs;
    /// let kernel = gpuzoo::nv2a().assemble("p.vsh", "mov r0, c8\nadd oPos, r0, c9")?.kernel("hw")?;
    /// let inputs = Inputs::new().constants("c8", &[[1.0, 2.0, 3.0, 4.0], [10.0, 20.0, 30.0, 40.0]]);
    /// assert_eq!(kernel.run(&inputs)?["oPos"], [[11.0, 22.0, 33.0, 44.0]]);
    /// assert!(kernel.run(&Inputs::new().constants("c191", &[[1.0]; 2])).unwrap_err().to_string().contains("c191"));
    /// # Ok::<(), gpuzoo::Diagnostics>(())
    /// ```
    pub fn constants(mut self, name: &str, values: &[impl Value]) -> Inputs<'a> {
        let at = |row: usize| u16::try_from(row).unwrap_or(u16::MAX);
        let rows = values.iter().enumerate();
        self.constants.extend(rows.map(|(row, value)| (name.to_owned(), at(row), value.bits())));
        self
    }

    /// What the program reads and is not given reads as zeros, which is not an error.
    pub fn zeros(mut self) -> Inputs<'a> {
        self.zeros = true;
        self
    }

    /// Ends the run early, with `G0223`, when the flag is set.
    pub fn cancel(mut self, flag: &'a AtomicBool) -> Inputs<'a> {
        self.cancel = Some(flag);
        self
    }

    pub(super) fn cancelled(&self) -> Option<&'a AtomicBool> {
        self.cancel
    }

    /// With names looked up.
    pub(crate) fn resolve(&self, kernel: &Kernel) -> Result<(Vertices<'_>, Constants), Diagnostics> {
        let program = kernel.program();
        let file = program.file(|kind| kind == FileKind::Input);
        let mut problems = kernel.forbidden().to_vec();
        let mut columns: Vec<Column> = Vec::new();
        for (name, column, _) in &self.columns {
            match file.and_then(|file| register(file, name)) {
                Some(input) if columns.iter().any(|column| column.input == input) => {
                    let message = format!("`{name}` is given twice, by two of its names");
                    problems.push(Diagnostic::error(&RAGGED, message));
                }
                Some(input) => {
                    let values = Cow::Borrowed(&column.values[..]);
                    columns.push(Column { input, values, ..*column });
                }
                None => {
                    let problem = Diagnostic::error(&UNKNOWN_REGISTER, format!("there is no input `{name}`"));
                    problems.push(match file {
                        Some(file) => problem.help(register_names(file)),
                        None => problem.note("this machine has no inputs"),
                    });
                }
            }
        }
        let mut constants = Constants::of_program(program.code());
        let mut wrong: Option<&str> = None;
        for (name, row, value) in &self.constants {
            // The rows of a constant follow each other, and what is wrong with it is said once.
            if wrong == Some(name) {
                continue;
            }
            let registers = match super::constants::registers(program, name) {
                Ok(registers) => registers,
                Err(problem) => {
                    wrong = Some(name);
                    problems.push(problem);
                    continue;
                }
            };
            match registers.get(usize::from(*row)) {
                Some((index, mask)) => constants.set_part(*index, *mask, *value),
                None => {
                    wrong = Some(name);
                    let message = format!("there is no constant {row} behind `{name}`");
                    problems.push(Diagnostic::error(&UNKNOWN_REGISTER, message));
                }
            }
        }
        let vertices = match self.columns.first() {
            Some((.., count)) => Vertices::Columns { count: *count, columns },
            None => Vertices::nothing(),
        };
        if !self.zeros {
            problems.extend(kernel.missing(&vertices, &constants.given));
        }
        if gpuzoo_diag::has_errors(&problems) {
            return Err(Diagnostics::new(problems, program.sources().clone()));
        }
        Ok((vertices, constants))
    }
}
