//! Options of all verbs that read programs and run them.

use crate::State;
#[cfg(feature = "language-names")]
use crate::codes::NO_SUCH_FORM;
use crate::read::Form;
#[cfg(feature = "language-names")]
use gpuzoo_compile::front::Language;
use gpuzoo_diag::{Diagnostic, serde};
use gpuzoo_isa::Stage;
use gpuzoo_machine::limits::budget::Budget;
use gpuzoo_machine::options::arguments::BAD_ARGUMENT;
use gpuzoo_machine::options::assignment::{self, Assignment};
#[cfg(feature = "clap")]
use gpuzoo_machine::options::command_line::choice;
use gpuzoo_machine::unit::PositionSpace;
use gpuzoo_machine::unit::logged::Call;
use gpuzoo_machine::{About, Gpu, Include, Profile, TextOptions};
use serde::Deserialize;

/// Options of reading a program.
///
/// ```
/// use gpuzoo::options::{OptionMap, ReadOptions};
/// let mut options = OptionMap::from_pairs([("dialect", "vp"), ("define", "FOG=1"), ("define", "LIGHTS=2")]);
/// let read: ReadOptions = options.take()?;
/// options.finish()?;
/// assert_eq!((read.dialect.as_deref(), read.define.len()), (Some("vp"), 2));
/// # Ok::<(), gpuzoo::diag::Diagnostic>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(crate = "serde", default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct ReadOptions {
    /// Form of the program; by default the one of its extension or content
    #[cfg_attr(feature = "clap", arg(long, value_name = "FORM", hide_short_help = true))]
    pub from: Option<String>,
    /// Assembly dialect, on machines that have several; by default the one of the source's header
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME"))]
    pub dialect: Option<String>,
    /// Numbering of constants (and of inputs in NV2A's dialect vp), on machines that have several
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME", hide_short_help = true))]
    pub numbering: Option<String>,
    /// Entry point of a source in a shading language that has several
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME", hide_short_help = true))]
    pub entry: Option<String>,
    /// Stage of such a source, if it has both or does not name it; by default vertex
    #[cfg_attr(feature = "clap", arg(long, value_name = "STAGE", value_parser = choice::<Stage>(), hide_short_help = true))]
    pub stage: Option<Stage>,
    /// Move what such a source computes from uniforms alone out of the program: the host computes it, as further constants
    #[cfg_attr(feature = "clap", arg(long, hide_short_help = true))]
    pub host_constants: bool,
    /// Space in which the program leaves positions: pixels, on machines that expect them, or clip space; by default screen
    #[cfg_attr(feature = "clap", arg(long, value_name = "SPACE", value_parser = choice::<PositionSpace>(), hide_short_help = true))]
    pub position: Option<PositionSpace>,
    /// Define a macro of GLSL, Cg or NV2A's Direct3D dialect (NAME is 1), or a symbol of 65C02 sources (NAME is 0)
    #[cfg_attr(
        feature = "clap",
        arg(short = 'D', long, value_name = "NAME[=VALUE]", hide_short_help = true)
    )]
    pub define: Vec<String>,
    /// Draw of a command log, from 0; by default the first one with a program, else the first launch
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", hide_short_help = true))]
    pub draw: Option<u64>,
    /// Launch of a state program in a command log, from 0
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "N", hide_short_help = true, conflicts_with = "draw")
    )]
    pub launch: Option<u64>,
}

/// Options of `disassemble`: the text that it writes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(crate = "serde", default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct DisassembleOptions {
    /// Assembly dialect, on machines that have several; by default the machine's first
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME"))]
    pub dialect: Option<String>,
    /// Numbering of constants, on machines that have several
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME"))]
    pub numbering: Option<String>,
    /// Preserve every bit: words that no text assembles to become `.word`
    #[cfg_attr(feature = "clap", arg(long))]
    pub exact: bool,
}

impl DisassembleOptions {
    /// The options as machines take them.
    pub fn text(&self) -> TextOptions<'_> {
        let (dialect, numbering) = (self.dialect.as_deref(), self.numbering.as_deref());
        TextOptions { dialect, numbering, exact: self.exact, ..TextOptions::default() }
    }
}

/// Options of the state in which a machine runs a program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(crate = "serde", default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct StateOptions {
    /// Numeric profile; by default the machine's first
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME"))]
    pub profile: Option<String>,
    /// Switch of the machine; `gpuzoo list modes` shows them
    #[serde(with = "assignment")]
    #[cfg_attr(feature = "clap", arg(long = "mode", value_name = "NAME=CHOICE", hide_short_help = true))]
    pub modes: Vec<Assignment>,
}

impl From<Form> for ReadOptions {
    fn from(form: Form) -> ReadOptions {
        ReadOptions { from: Some(form.name().to_owned()), ..ReadOptions::default() }
    }
}

impl ReadOptions {
    /// The form that they name, for programs of a machine.
    ///
    /// # Errors
    /// `G0118`, with the forms of the machine; `G0108` if they name both a draw and a launch of a log.
    pub fn form(&self, gpu: &dyn Gpu) -> Result<Option<Form>, Diagnostic> {
        if self.draw.is_some() && self.launch.is_some() {
            let problem = Diagnostic::error(&BAD_ARGUMENT, "`launch` and `draw` name one run");
            return Err(problem.help("use one of them"));
        }
        self.from.as_deref().map(|name| Form::named(gpu, name)).transpose()
    }

    /// The shading language that they name.
    ///
    /// # Errors
    /// `G0118` for a form that is no shading language.
    #[cfg(feature = "language-names")]
    pub fn language(&self, gpu: &dyn Gpu) -> Result<Option<Language>, Diagnostic> {
        match self.form(gpu)? {
            None => Ok(None),
            Some(Form::Source(language)) => Ok(Some(language)),
            Some(_) => {
                let name = self.from.as_deref().unwrap_or_default();
                let names: Vec<&str> = Language::ALL.iter().map(|(name, ..)| *name).collect();
                let problem = Diagnostic::error(&NO_SUCH_FORM, format!("`{name}` is not a shading language"));
                Err(problem.help(format!("there are {}", names.join(", "))))
            }
        }
    }

    /// The same without what only other machines have: a dialect, a numbering, macros, a space of positions. For options that are set
    /// for programs of several machines.
    pub fn for_machine(&self, about: &About) -> ReadOptions {
        let names = &about.text_options;
        ReadOptions {
            dialect: self.dialect.clone().filter(|_| !names.dialects.is_empty()),
            numbering: self.numbering.clone().filter(|_| !names.numberings.is_empty()),
            define: self.define.iter().filter(|_| names.macros).cloned().collect(),
            position: self.position.filter(|_| names.positions),
            ..self.clone()
        }
    }

    /// Calls `then` with these options as machines take them. `include` supplies included files; programs of a log run in `profile`,
    /// on the account of `budget`.
    pub fn with_text<T>(
        &self,
        include: Option<&Include>,
        profile: Profile,
        budget: Option<&Budget>,
        then: impl FnOnce(&TextOptions) -> T,
    ) -> T {
        let defines: Vec<&str> = self.define.iter().map(String::as_str).collect();
        then(&TextOptions {
            dialect: self.dialect.as_deref(),
            numbering: self.numbering.as_deref(),
            position: self.position,
            include,
            defines: &defines,
            entry: self.entry.as_deref(),
            stage: self.stage,
            host_constants: self.host_constants,
            call: self.draw.map(Call::Draw).or(self.launch.map(Call::Launch)),
            profile,
            budget,
            ..TextOptions::default()
        })
    }
}

impl StateOptions {
    /// The state that they name.
    pub fn state(&self) -> State<'_> {
        let state = self.profile.as_deref().map_or_else(State::new, State::from);
        self.modes.iter().fold(state, |state, mode| state.mode(&mode.name, &mode.value))
    }
}
