//! VERA's verbs.
//!
//! VERA is not a shader unit: a 65C02 drives it, and it has no vertices, no slots and no IR. So it is not one of
//! [`GPUS`](crate::GPUS), and what the verbs do for it is here, under the same names.

#[cfg(feature = "render")]
pub mod conform;
#[cfg(feature = "render")]
pub mod diff;
pub mod pages;
#[cfg(feature = "render")]
pub mod picture;
pub mod program;
pub mod run;
pub mod session;
pub mod steps;

pub use gpuzoo_vera as device;

use crate::Registry;
use crate::codes::NO_SUCH_PROFILE;
use crate::registry::extension;
use gpuzoo_diag::{Code, Diagnostic, suggest};
use gpuzoo_isa::list;
use gpuzoo_vera::{DEVIATIONS, Deviations, Profile};

/// The name for `--gpu`.
pub const ID: &str = "vera";
/// What `--gpu` calls it, for lists.
pub(crate) const IDS: &[&str] = &[ID];
/// Its codes.
pub(crate) const CODES: &[&[&Code]] = &gpuzoo_vera::CODES;
/// The full name.
pub const NAME: &str = "VERA FX";
/// One sentence.
pub const SUMMARY: &str = "video adapter of the Commander X16, with helpers for lines, polygons, affine maps, a cache and a multiplier";
/// File name extensions: 65C02 assembly texts, programs with their load address, bus traces.
pub const EXTENSIONS: &[&str] = &["s", "asm", "prg", "trace"];

/// True if a user means VERA: by name or, without any name, by the extension of a file.
///
/// ```
/// use gpuzoo::vera::meant;
/// assert!(meant(Some("vera"), "t.txt") && meant(None, "DEMO.PRG"));
/// assert!(!meant(Some("nv2a"), "demo.prg") && !meant(None, "demo.vsh"));
/// ```
pub fn meant(gpu: Option<&str>, name: &str) -> bool {
    match gpu {
        Some(id) => id == ID,
        None => EXTENSIONS.iter().any(|own| own.eq_ignore_ascii_case(extension(name))),
    }
}

/// The page of a topic that is VERA's: `vera`, or `vera.` and a name.
pub(crate) fn topic(registry: &Registry, topic: &str) -> Option<Result<String, Diagnostic>> {
    match topic.strip_prefix(ID)? {
        "" => Some(Ok(pages::machine())),
        rest => rest.strip_prefix('.').map(|name| pages::explain(registry, name)),
    }
}

/// True if something of VERA has this name.
pub(crate) fn has(name: &str) -> bool {
    pages::named(name).is_some()
}

/// What a profile and single deviations (`E9`) come to.
///
/// # Errors
/// `G0103`, with the choices.
pub fn deviations(profile: Option<&str>, single: &[String]) -> Result<Deviations, Diagnostic> {
    let profile = match profile {
        None => Profile::default(),
        Some(name) => Profile::find(name).ok_or_else(|| {
            let message = format!("{ID} has no profile `{name}`");
            let problem = Diagnostic::error(&NO_SUCH_PROFILE, message);
            problem.help(format!("it has {}", list(Profile::ALL.iter().map(|profile| profile.name()))))
        })?,
    };
    single.iter().try_fold(profile.deviations(), |set, name| {
        let found = DEVIATIONS.iter().find(|(_, own, _)| own.eq_ignore_ascii_case(name));
        found.map(|(deviation, ..)| set.with(*deviation)).ok_or_else(|| {
            let message = format!("{ID} has no deviation `{name}`");
            let problem = Diagnostic::error(&NO_SUCH_PROFILE, message);
            let problem = match suggest::nearest(name, DEVIATIONS.iter().map(|(_, own, _)| *own)) {
                Some(near) => problem.help(format!("did you mean `{near}`?")),
                None => problem,
            };
            problem.help("`gpuzoo list deviations` shows them")
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GPUS;
    use gpuzoo_vera::Deviation;

    #[test]
    fn extensions_belong_to_no_other_machine() {
        let others = GPUS.iter().flat_map(|gpu| gpu.about().extensions);
        assert_eq!(others.filter(|other| EXTENSIONS.contains(other)).count(), 0);
    }

    #[test]
    fn deviations_add_to_the_profile() {
        let set = deviations(Some("documented"), &["e2".to_owned()]).unwrap();
        assert!(set.has(Deviation::LatePositionWrap) && set.has(Deviation::ScanlineIsLine));
        assert_eq!(deviations(Some("hardware"), &[]).err().map(|problem| problem.code.id), Some("G0103"));
        assert_eq!(deviations(None, &["E99".to_owned()]).err().map(|problem| problem.code.id), Some("G0103"));
    }
}
