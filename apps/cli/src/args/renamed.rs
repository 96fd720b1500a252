//! Options that had another name: the old one answers with the new one.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use gpuzoo::codes::RENAMED_OPTION;
use gpuzoo::diag::Diagnostic;

/// Old names and new ones.
const RENAMED: [(&str, &str); 4] = [
    ("--constant", "--set"),
    ("--const", "--constant-file"),
    ("--constants", "--numbering"),
    ("--const-order", "--component-order"),
];

/// What to say about an option that clap does not know because it has a new name.
pub fn renamed(error: &clap::Error) -> Option<Diagnostic> {
    let (ErrorKind::UnknownArgument, Some(ContextValue::String(given))) =
        (error.kind(), error.get(ContextKind::InvalidArg))
    else {
        return None;
    };
    let (old, new) = RENAMED.iter().find(|(old, _)| old == given)?;
    let problem = Diagnostic::error(&RENAMED_OPTION, format!("there is no option `{old}` any more"));
    Some(problem.help(format!("write `{new}`")))
}
