//! The diagnostic as plain data.

use crate::Span;
use crate::work::spend;

/// A stable name for a kind of problem, with its page in `gpuzoo explain`.
///
/// The letter says whose it is: `A` assembly text, `B` words and binaries, `G` the command line and files, `R`
/// rendering and scenes, `C` conformance files, `I` the IR's text, and one letter for each machine (`D` Dreambox, `N`
/// NV2A, `P` PicoGpu, `S` Servaru, `V` VERA). A code's meaning never changes.
#[derive(Debug, PartialEq, Eq)]
pub struct Code {
    /// `A0104`.
    pub id: &'static str,
    /// A few words: what is wrong.
    pub title: &'static str,
    /// What it means, why it is a problem and how to fix it, in Markdown.
    pub page: &'static str,
}

impl Code {
    /// A code; put it in a `static`.
    pub const fn new(id: &'static str, title: &'static str, page: &'static str) -> Code {
        Code { id, title, page }
    }
}

/// Declares the codes of a file, each as a `static`, and `CODES`, the list of them.
///
/// ```
/// gpuzoo_diag::codes! {
///     ODD = "X0101", "odd number", "Only even numbers work here.";
/// }
/// assert_eq!(CODES[0].id, ODD.id);
/// ```
#[macro_export]
macro_rules! codes {
    ($($name:ident = $id:literal, $title:literal, $page:literal;)*) => {
        $(#[doc = $title] pub static $name: $crate::Code = $crate::Code::new($id, $title, $page);)*

        /// Every code of this file.
        pub static CODES: &[&$crate::Code] = &[$(&$name),*];
    };
}

/// How bad it is. An error means that there is no usable result; a warning, that there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing; never changes an exit code.
    Note,
    /// Probably a mistake.
    Warning,
    /// The input is wrong.
    Error,
}

impl Severity {
    /// `note`, `warning` or `error`.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// A span with a few words about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// What is shown there; may be empty.
    pub text: String,
}

/// Replace the text of `span` by `text`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What to replace; empty to insert.
    pub span: Span,
    /// The new text.
    pub text: String,
}

/// How sure a fix is; the names are rustc's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Applicability {
    /// It is what was meant, or does what happens anyway: a program may apply it.
    MachineApplicable,
    /// It is a guess: somebody has to look at it.
    MaybeIncorrect,
}

impl Applicability {
    /// `machine-applicable` or `maybe-incorrect`.
    pub fn name(self) -> &'static str {
        match self {
            Applicability::MachineApplicable => "machine-applicable",
            Applicability::MaybeIncorrect => "maybe-incorrect",
        }
    }
}

/// Edits that together fix the problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What the edits do.
    pub title: String,
    /// The edits; they do not overlap.
    pub edits: Vec<Edit>,
    /// How sure it is.
    pub applicability: Applicability,
}

/// One problem, as reported to the user.
///
/// The first label is the main one: its place is the diagnostic's place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// Which kind of problem.
    pub code: &'static Code,
    /// What is wrong here, in one line.
    pub message: String,
    /// Where; the main place first.
    pub labels: Vec<Label>,
    /// Background.
    pub notes: Vec<String>,
    /// What to do.
    pub help: Vec<String>,
    /// Edits that do it.
    pub fixes: Vec<Fix>,
}

impl Diagnostic {
    /// An error without labels yet.
    pub fn error(code: &'static Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Error, code, message)
    }

    /// A warning without labels yet.
    pub fn warning(code: &'static Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Warning, code, message)
    }

    /// A diagnostic of the given severity without labels yet.
    pub fn new(severity: Severity, code: &'static Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity,
            code,
            message: message.into(),
            labels: Vec::new(),
            notes: Vec::new(),
            help: Vec::new(),
            fixes: Vec::new(),
        }
    }

    /// Adds a labelled span; the first one added is the main place.
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    /// Adds a span without words.
    pub fn at(self, span: Span) -> Diagnostic {
        self.label(span, "")
    }

    /// Adds background.
    pub fn note(mut self, text: impl Into<String>) -> Diagnostic {
        self.notes.push(text.into());
        self
    }

    /// Adds advice.
    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.help.push(text.into());
        self
    }

    /// Adds a fix of one edit that is what was meant.
    pub fn fix(self, title: impl Into<String>, span: Span, text: impl Into<String>) -> Diagnostic {
        self.edit(title.into(), span, text.into(), Applicability::MachineApplicable)
    }

    /// Adds a fix of one edit that is a guess.
    pub fn guess(self, title: impl Into<String>, span: Span, text: impl Into<String>) -> Diagnostic {
        self.edit(title.into(), span, text.into(), Applicability::MaybeIncorrect)
    }

    /// Adds the guess that another name was meant, which is written as `text`.
    pub fn did_you_mean(self, name: &str, span: Span, text: impl Into<String>) -> Diagnostic {
        self.guess(format!("did you mean `{name}`?"), span, text)
    }

    fn edit(mut self, title: String, span: Span, text: String, applicability: Applicability) -> Diagnostic {
        self.fixes.push(Fix { title, edits: vec![Edit { span, text }], applicability });
        self
    }

    /// The main place, if there is one.
    pub fn span(&self) -> Option<Span> {
        self.labels.first().map(|label| label.span)
    }
}

/// What there is; what is wrong goes to the problems.
pub fn noted<T>(result: Result<T, Diagnostic>, problems: &mut Vec<Diagnostic>) -> Option<T> {
    result.map_err(|problem| problems.push(problem)).ok()
}

/// True if any of them is an error.
pub fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    spend(diagnostics.len());
    diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
}
