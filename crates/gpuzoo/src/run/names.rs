//! What the tables of other tools call inputs and constants: a mesh and a buffer of constants as RenderDoc exports them.

use super::constants;
use super::registers::{register, register_names};
use crate::Program;
use crate::codes::{BAD_ARGUMENT, UNKNOWN_REGISTER};
use gpuzoo_diag::{Diagnostic, File, suggest};
use gpuzoo_isa::FileKind;

/// Names in tables, and the inputs and constants of a program that they stand for.
///
/// ```
/// use gpuzoo::diag::File;
/// use gpuzoo::run::Names;
/// let program = gpuzoo::nv2a().assemble("p.vsh", "MUL oPos, v0, c[96]\n")?;
/// let mut names = Names::default();
/// names.add(&program, &File::new("--rename", "POSITION=v0"))?;
/// names.add(&program, &File::new("--rename", "scale=c[96]"))?;
/// let unknown = names.add(&program, &File::new("--rename", "NORMAL=v16")).unwrap_err();
/// assert_eq!(unknown.code.id, "G0206");
/// # Ok::<(), gpuzoo::Diagnostics>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// The names of attributes, and the numbers of the inputs.
    inputs: Vec<(String, u16)>,
    /// The names of variables, and the numbers of their first constants.
    constants: Vec<(String, u16)>,
}

impl Names {
    /// Reads `NAME=REGISTER`: an input of the machine or a constant, which is called as in the program's text.
    ///
    /// # Errors
    /// `G0108` for another text, `G0206` for a register that is neither.
    pub fn add(&mut self, program: &Program, text: &File) -> Result<(), Diagnostic> {
        let whole = text.text();
        // A type of C++ may have a `=` in it, a register not.
        let Some((name, own)) = whole.rsplit_once('=').filter(|(name, _)| !name.trim().is_empty()) else {
            let problem = Diagnostic::error(&BAD_ARGUMENT, format!("`{whole}` is not NAME=REGISTER"));
            return Err(problem.label(text.whole(), "").help("for example `POSITION=v0`, or `mvp=c96`"));
        };
        let (name, own) = (name.trim().to_owned(), own.trim());
        let inputs = program.file(|kind| kind == FileKind::Input);
        match inputs.and_then(|inputs| register(inputs, own)) {
            Some(input) => self.inputs.push((name, input)),
            None => match constants::find(program, own) {
                Ok(constant) => self.constants.push((name, constant)),
                Err(_) => {
                    let problem = Diagnostic::error(
                        &UNKNOWN_REGISTER,
                        format!("there is no input or constant `{own}`"),
                    );
                    let problem = problem.label(text.span(whole.len() - own.len()..whole.len()), "");
                    return Err(match inputs {
                        Some(inputs) => problem.help(register_names(inputs)),
                        None => problem,
                    });
                }
            },
        }
        Ok(())
    }

    /// True if it has names of attributes, which only a table of vertices has.
    pub fn has_inputs(&self) -> bool {
        !self.inputs.is_empty()
    }

    /// The input that a name stands for.
    pub(super) fn input(&self, name: &str) -> Option<u16> {
        self.inputs.iter().find(|(known, _)| known == name).map(|(_, input)| *input)
    }

    /// The constant that a name stands for.
    pub(super) fn constant(&self, name: &str) -> Option<u16> {
        self.constants.iter().find(|(known, _)| known == name).map(|(_, constant)| *constant)
    }

    /// What is wrong if a table of vertices does not have an attribute that a name is given for.
    pub(super) fn without_attribute(&self, attributes: &[&str]) -> Option<Diagnostic> {
        let missing = self.inputs.iter().find(|(name, _)| !attributes.contains(&name.as_str()))?;
        Some(no_name(&missing.0, "attribute", attributes))
    }

    /// What is wrong if no table of constants has a variable that a name is given for; `found` are those of all tables.
    pub fn without_variable(&self, found: &[(String, std::ops::Range<u16>)]) -> Option<Diagnostic> {
        let found: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
        let missing = self.constants.iter().find(|(name, _)| !found.contains(&name.as_str()))?;
        Some(no_name(&missing.0, "variable", &found))
    }
}

fn no_name(name: &str, what: &str, known: &[&str]) -> Diagnostic {
    let problem = Diagnostic::error(&UNKNOWN_REGISTER, format!("no {what} is called `{name}`"));
    let problem = match suggest::nearest(name, known.iter().copied()) {
        Some(near) => problem.help(format!("did you mean `{near}`?")),
        None => problem,
    };
    match known {
        [] => problem,
        _ => problem.help(format!("the table has {}", gpuzoo_isa::list(known.iter().copied()))),
    }
}
