//! Forms of programs, and the error for an unknown one.

use super::words::{hex_tokens, is_hex};
use crate::codes::NO_SUCH_FORM;
use crate::registry::check_text_options;
#[cfg(feature = "language-names")]
use gpuzoo_compile::front::Language;
use gpuzoo_diag::Diagnostic;
use gpuzoo_isa::list;
use gpuzoo_machine::limits::budget::{Budget, Refusal, Resource};
use gpuzoo_machine::text::extension;
use gpuzoo_machine::{Gpu, ShaderUnit, TextOptions};

/// Form of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Form {
    /// Assembly text.
    Asm,
    /// The machine's binary: what it has in memory.
    Bin,
    /// The binary's words in hexadecimal, with or without `0x`.
    Hex,
    /// The words as JSON: a list of texts or numbers, or an object that has one as `words`, and perhaps names and values of constants.
    Json,
    /// A log of the commands that the machine was sent, of which a draw or launch is taken: its program, constants and
    /// inputs.
    Log,
    /// A source in a shading language, which is compiled.
    #[cfg(feature = "language-names")]
    Source(Language),
}

impl Form {
    /// All forms, by name, and what each is.
    pub const ALL: &[(&str, Form, &str)] = &[
        ("asm", Form::Asm, "assembly text"),
        ("bin", Form::Bin, "the machine's binary"),
        ("hex", Form::Hex, "words in hexadecimal"),
        ("json", Form::Json, "words as JSON"),
        ("log", Form::Log, "a draw or launch of a log"),
        #[cfg(feature = "language-names")]
        ("wgsl", Form::Source(Language::Wgsl), "WGSL, which is compiled"),
        #[cfg(feature = "language-names")]
        ("glsl", Form::Source(Language::Glsl), "GLSL, which is compiled"),
        #[cfg(feature = "language-names")]
        ("spv", Form::Source(Language::SpirV), "SPIR-V, which is compiled"),
        #[cfg(feature = "language-names")]
        ("cg", Form::Source(Language::Cg), "Cg, which is compiled"),
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        Form::ALL.iter().find(|(_, form, _)| *form == self).map_or("", |(name, ..)| name)
    }

    /// Checks the ways to write a program of this form. A source is compiled for any place of positions; of texts only some machines
    /// have a choice.
    ///
    /// # Errors
    /// `G0111` for a name that the machine does not have.
    pub fn check(self, gpu: &dyn Gpu, options: &TextOptions) -> Result<(), Diagnostic> {
        let is_compiled = !matches!(self, Form::Asm | Form::Bin | Form::Hex | Form::Json | Form::Log);
        let position = options.position.filter(|_| !is_compiled);
        check_text_options(gpu, &TextOptions { position, ..*options })
    }

    /// The form of a name, for programs of a machine.
    ///
    /// # Errors
    /// `G0118`, with the names.
    pub fn named(gpu: &dyn Gpu, name: &str) -> Result<Form, Diagnostic> {
        let found = Form::of(gpu).find(|(known, ..)| *known == name).map(|(_, form, _)| form);
        found.ok_or_else(|| no_form(gpu, name, "read", Form::of(gpu).map(|(name, ..)| name)))
    }

    /// The memory that reading a program of so many bytes takes, as far as its size alone tells.
    ///
    /// # Errors
    /// [`Refusal`] if the budget has less.
    pub fn ask(self, budget: &Budget, bytes: usize) -> Result<(), Refusal> {
        match self {
            // A log is read line by line: its bytes and its text are kept. The vertices of a draw ask for themselves.
            Form::Log => budget.ask(Resource::Memory, (bytes as u64).saturating_mul(2)),
            _ => budget.ask_text(bytes),
        }
    }

    /// The forms of a machine's programs, as [`ALL`](Form::ALL): a log only where one of its draws can be chosen.
    pub(super) fn of(gpu: &dyn Gpu) -> impl Iterator<Item = (&'static str, Form, &'static str)> + Clone {
        let has_logs = gpu.about().text_options.logs;
        Form::ALL.iter().copied().filter(move |(_, form, _)| *form != Form::Log || has_logs)
    }

    /// The form that a file name's extension implies: the machine's own ones mean assembly text.
    pub fn of_name(gpu: &dyn ShaderUnit, name: &str) -> Option<Form> {
        let extension = extension(name);
        if gpu.about().extensions.iter().any(|own| own.eq_ignore_ascii_case(extension)) {
            return Some(Form::Asm);
        }
        #[cfg(feature = "language-names")]
        if let Some((language, _)) = Language::of(name) {
            return Some(Form::Source(language));
        }
        Form::of(gpu).find(|(name, ..)| name.eq_ignore_ascii_case(extension)).map(|(_, form, _)| form)
    }

    /// The form of some bytes: text that begins like JSON, text of which every word is a hexadecimal number of eight
    /// digits (or has `0x` before it), other text, or no text at all.
    ///
    /// ```
    /// use gpuzoo::read::Form;
    /// assert_eq!(Form::of_bytes(b"0000003f 00000440"), Form::Hex);
    /// assert_eq!(Form::of_bytes(b"add"), Form::Asm);
    /// assert_eq!(Form::of_bytes(b"{\"words\": []}"), Form::Json);
    /// assert_eq!(Form::of_bytes(&[0x3f, 0, 0, 0]), Form::Bin);
    /// ```
    pub fn of_bytes(bytes: &[u8]) -> Form {
        let Ok(text) = std::str::from_utf8(bytes) else { return Form::Bin };
        // No editor writes control characters; small numbers in a binary are such.
        if text.contains(|letter: char| letter.is_control() && !letter.is_whitespace()) {
            return Form::Bin;
        }
        if text.trim_start().starts_with(['{', '[']) {
            return Form::Json;
        }
        let mut words = hex_tokens(text).map(|(_, word)| word).peekable();
        let sure = |word: &str| {
            let digits = word.strip_prefix("0x").unwrap_or(word);
            (word.starts_with("0x") || digits.len() == 8) && is_hex(digits)
        };
        if words.peek().is_some() && words.all(sure) { Form::Hex } else { Form::Asm }
    }
}

/// The problem of a file whose extension says no form.
pub fn no_extension(extension: &str, known: impl Iterator<Item = &'static str>) -> Diagnostic {
    let message = format!("the extension `.{extension}` says no form of a program");
    let known: Vec<String> = known.map(|known| format!(".{known}")).collect();
    let problem = Diagnostic::error(&NO_SUCH_FORM, message);
    problem.help(format!("those that do are {}", list(known.iter().map(String::as_str))))
}

/// The help of a message where `--emit` chooses a form.
pub const EMIT_FORM: &str = "`--emit FORM` writes a form into any file";

/// The problem of a form in which a machine's programs are not read, or not written.
pub fn no_form(
    gpu: &dyn Gpu,
    name: &str,
    used: &str,
    known: impl Iterator<Item = &'static str> + Clone,
) -> Diagnostic {
    let message = format!("programs of {} are not {used} in the form `{name}`", gpu.about().id);
    Diagnostic::error(&NO_SUCH_FORM, message).help(format!("forms are {}", list(known)))
}
