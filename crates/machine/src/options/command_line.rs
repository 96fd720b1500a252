//! Values of options on a command line, for clap.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use gpuzoo_diag::Choice;

/// Parses the name of a choice; help and completions list the names.
pub fn choice<T: Choice + Send + Sync>() -> impl TypedValueParser<Value = T> {
    let listed = T::ALL.iter().map(|(name, value, about)| {
        let aliases = T::ALIASES.iter().filter(move |(_, aliased)| aliased == value).map(|(alias, _)| *alias);
        PossibleValue::new(*name).help(*about).aliases(aliases)
    });
    PossibleValuesParser::new(listed).try_map(|name| T::named(&name).map_err(|problem| problem.message))
}
