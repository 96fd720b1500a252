//! What stands for VERA in a build without the feature `vera`: nothing has its name.

use crate::Registry;
use gpuzoo_diag::{Code, Diagnostic};

/// What `--gpu` calls it.
pub(crate) const IDS: &[&str] = &[];

/// Its codes.
pub(crate) const CODES: &[&[&Code]] = &[];

/// The page of a topic that is VERA's.
pub(crate) fn topic(_: &Registry, _: &str) -> Option<Result<String, Diagnostic>> {
    None
}

/// True if something of VERA has this name.
pub(crate) fn has(_: &str) -> bool {
    false
}
