//! Which warnings count: `-W`, `-A` and `-D`.

use crate::Registry;
use crate::codes::NO_SUCH_CODE;
use gpuzoo_diag::{Code, Diagnostic, Severity, suggest};

/// What the user wants of each code.
///
/// What is said about a code counts more than what is said about `warnings`; of several things said about the same
/// code the strictest counts. Errors stay errors: there is no usable result to go on with.
#[derive(Clone, Debug, Default)]
pub struct Levels {
    all: Option<Level>,
    codes: Vec<(&'static Code, Level)>,
}

/// How a warning or a note is treated; the strictest last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Level {
    /// It is not shown.
    Allow,
    /// It is a warning.
    Warn,
    /// It is an error.
    Deny,
}

impl Levels {
    /// Sets the level of a code, or of all `warnings`.
    ///
    /// # Errors
    /// `G0109` if there is no such code.
    pub fn set(&mut self, registry: &Registry, what: &str, level: Level) -> Result<(), Diagnostic> {
        if what == "warnings" {
            self.all = self.all.max(Some(level));
            return Ok(());
        }
        let code = registry.code(what).ok_or_else(|| {
            let problem = Diagnostic::error(&NO_SUCH_CODE, format!("there is no diagnostic code `{what}`"));
            let names = registry.codes().into_iter().map(|code| code.id).chain(["warnings"]);
            match suggest::nearest(what, names) {
                Some(near) => problem.help(format!("did you mean `{near}`?")),
                None => problem.help("`gpuzoo list codes` shows them; `warnings` means all of them"),
            }
        })?;
        self.codes.push((code, level));
        Ok(())
    }

    /// Drops what is allowed and raises what is denied.
    ///
    /// ```
    /// use gpuzoo::level::{Level, Levels};
    /// use gpuzoo::diag::{Diagnostic, Severity};
    /// use gpuzoo::codes::{MISSING_INPUT, MISSING_CONSTANT};
    ///
    /// let (registry, mut levels) = (gpuzoo::Registry::default(), Levels::default());
    /// levels.set(&registry, "warnings", Level::Deny).unwrap();
    /// levels.set(&registry, "G0208", Level::Allow).unwrap();
    /// let mut found = vec![Diagnostic::warning(&MISSING_INPUT, ""), Diagnostic::warning(&MISSING_CONSTANT, "")];
    /// levels.apply(&mut found);
    /// assert_eq!(found.len(), 1);
    /// assert_eq!(found[0].severity, Severity::Error);
    /// ```
    pub fn apply(&self, diagnostics: &mut Vec<Diagnostic>) {
        diagnostics.retain_mut(|diagnostic| {
            let own = self.codes.iter().filter(|(code, _)| code.id == diagnostic.code.id);
            let own = own.map(|(_, level)| *level).max();
            match (diagnostic.severity, own, self.all) {
                (Severity::Error, ..) => {}
                (_, Some(Level::Allow), _) | (Severity::Warning, None, Some(Level::Allow)) => return false,
                (_, Some(Level::Warn), _) => diagnostic.severity = Severity::Warning,
                (_, Some(Level::Deny), _) | (Severity::Warning, None, Some(Level::Deny)) => {
                    diagnostic.severity = Severity::Error;
                }
                _ => {}
            }
            true
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codes::{MISSING_INPUT, UNDEFINED_COMPONENTS, UNREADABLE};

    fn severities(levels: &Levels) -> Vec<Severity> {
        let mut found = vec![
            Diagnostic::error(&UNREADABLE, ""),
            Diagnostic::warning(&MISSING_INPUT, ""),
            Diagnostic::new(Severity::Note, &UNDEFINED_COMPONENTS, ""),
        ];
        levels.apply(&mut found);
        found.iter().map(|diagnostic| diagnostic.severity).collect()
    }

    #[test]
    fn errors_stay_and_notes_obey_only_their_own_code() {
        use Severity::{Error, Note, Warning};
        let with = |settings: &[(&str, Level)]| {
            let mut levels = Levels::default();
            settings.iter().for_each(|(what, level)| levels.set(&Registry::default(), what, *level).unwrap());
            severities(&levels)
        };
        assert_eq!(with(&[]), [Error, Warning, Note]);
        assert_eq!(with(&[("warnings", Level::Allow), ("G0104", Level::Allow)]), [Error, Note]);
        assert_eq!(with(&[("warnings", Level::Deny)]), [Error, Error, Note]);
        assert_eq!(with(&[("warnings", Level::Deny), ("g0207", Level::Warn)]), [Error, Warning, Note]);
        assert_eq!(with(&[("G0209", Level::Deny)]), [Error, Warning, Error]);
        assert_eq!(with(&[("G0207", Level::Deny), ("G0207", Level::Allow)]), [Error, Error, Note]);
    }

    #[test]
    fn unknown_codes_are_reported() {
        let problem = Levels::default().set(&Registry::default(), "G0999", Level::Warn).unwrap_err();
        assert_eq!(problem.code.id, "G0109");
        assert!(
            Levels::default().set(&Registry::default(), "warning", Level::Deny).unwrap_err().help[0]
                .contains("warnings")
        );
    }
}
