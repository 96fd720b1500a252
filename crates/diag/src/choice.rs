//! Values that users select by name.

use crate::{Diagnostic, suggest};

crate::codes! {
    NO_SUCH_CHOICE = "G0140", "value that an option does not take",
        "An option takes one of some names, a number in a range, or a value of another type. The message says which. On the command line `gpuzoo VERB --help` \
         shows the values of each option.";
}

/// Values that users select by name. [`choices!`](crate::choices) implements it.
///
/// ```
/// use gpuzoo_diag::{Choice, choices};
///
/// #[derive(Clone, Copy, Debug, PartialEq)]
/// pub enum Level { Quick, Longest }
/// choices! { Level, "level";
///     "quick" | "1" => Quick, "one order is tried";
///     "longest" | "3" => Longest, "as many orders as a fixed limit allows";
/// }
///
/// assert_eq!((Level::named("longest"), Level::named("1")), (Ok(Level::Longest), Ok(Level::Quick)));
/// assert_eq!(Level::Quick.name(), "quick");
/// assert_eq!("qick".parse::<Level>().unwrap_err().help[0], "did you mean `quick`?");
/// ```
pub trait Choice: Copy + PartialEq + 'static {
    /// Noun for messages: `level`.
    const NOUN: &'static str;
    /// Name, value and description of each.
    const ALL: &'static [(&'static str, Self, &'static str)];
    /// Other names that are accepted.
    const ALIASES: &'static [(&'static str, Self)];

    /// Its name.
    fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, value, _)| *value == self).map_or("", |(name, ..)| name)
    }

    /// The value of a name.
    ///
    /// # Errors
    /// `G0140`, with the nearest name or all names.
    fn named(name: &str) -> Result<Self, Diagnostic> {
        let mut known =
            Self::ALL.iter().map(|(name, value, _)| (*name, *value)).chain(Self::ALIASES.iter().copied());
        if let Some((_, value)) = known.find(|(known, _)| *known == name) {
            return Ok(value);
        }
        let problem = Diagnostic::error(&NO_SUCH_CHOICE, format!("there is no {} `{name}`", Self::NOUN));
        let names = || Self::ALL.iter().map(|(name, ..)| *name);
        Err(match suggest::nearest(name, names()) {
            Some(nearest) => problem.help(format!("did you mean `{nearest}`?")),
            None => problem.help(format!("there are {}", names().collect::<Vec<_>>().join(", "))),
        })
    }
}

/// Implements [`Choice`](crate::Choice), [`FromStr`](std::str::FromStr) and serde's traits for an enum whose values have names.
#[macro_export]
macro_rules! choices {
    ($type:ident, $noun:literal; $($name:literal $(| $alias:literal)* => $variant:ident, $about:literal;)+) => {
        impl $crate::Choice for $type {
            const NOUN: &'static str = $noun;
            const ALL: &'static [(&'static str, $type, &'static str)] = &[$(($name, $type::$variant, $about)),+];
            const ALIASES: &'static [(&'static str, $type)] = &[$($(($alias, $type::$variant),)*)+];
        }

        impl $type {
            /// Its name.
            pub fn name(self) -> &'static str {
                $crate::Choice::name(self)
            }

            /// All values.
            pub fn all() -> impl ExactSizeIterator<Item = $type> {
                <$type as $crate::Choice>::ALL.iter().map(|(_, value, _)| *value)
            }
        }

        impl ::std::str::FromStr for $type {
            type Err = $crate::Diagnostic;

            fn from_str(name: &str) -> Result<$type, $crate::Diagnostic> {
                <$type as $crate::Choice>::named(name)
            }
        }

        impl $crate::serde::Serialize for $type {
            fn serialize<S: $crate::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str($crate::Choice::name(*self))
            }
        }

        impl<'de> $crate::serde::Deserialize<'de> for $type {
            fn deserialize<D: $crate::serde::Deserializer<'de>>(deserializer: D) -> Result<$type, D::Error> {
                let name = <::std::string::String as $crate::serde::Deserialize>::deserialize(deserializer)?;
                <$type as $crate::Choice>::named(&name).map_err($crate::choice::in_serde)
            }
        }
    };
}

/// A diagnostic as an error of serde.
pub fn in_serde<E: serde::de::Error>(problem: Diagnostic) -> E {
    let help = problem.help.iter().fold(String::new(), |text, help| text + "; " + help);
    E::custom(problem.message + &help)
}
