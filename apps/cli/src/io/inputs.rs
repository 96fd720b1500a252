//! The inputs of a verb: what was read by name, and what may be read.

use gpuzoo::machine::limits::budget::Budget;
#[cfg(feature = "lsp")]
use gpuzoo::machine::limits::budget::Resource;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

/// A mark that tells a file from an earlier state of it: when it was written, and how long it is. None for one that is not
/// there.
pub type Stamp = Option<(SystemTime, u64)>;

/// The stamp that a file has now.
pub fn stamp(path: &Path) -> Stamp {
    let about = std::fs::metadata(path).ok()?;
    Some((about.modified().ok()?, about.len()))
}

/// A file or folder that was read.
#[derive(Clone, Copy)]
pub(super) struct Noted {
    /// Its stamp before it was read, so that no change after that is missed.
    stamp: Stamp,
    /// Only the program has read it, from its disk.
    pub(super) is_of_program: bool,
}

/// The inputs of a verb so far.
pub(super) struct Inputs {
    /// Files and folders.
    pub(super) read: BTreeMap<PathBuf, Noted>,
    /// Standard input, if it is read again. It can be read once only.
    pub(super) standard: Option<Vec<u8>>,
    /// Files that are read are looked at for changes.
    pub(super) is_watched: bool,
    /// Limits of reading, once a verb has begun.
    budget: Option<Budget>,
    /// Folders whose files texts may name.
    pub(super) allowed: Vec<PathBuf>,
}

static INPUTS: Mutex<Inputs> = Mutex::new(Inputs {
    read: BTreeMap::new(),
    standard: None,
    is_watched: false,
    budget: None,
    allowed: Vec::new(),
});

/// The inputs so far, locked.
pub(super) fn inputs() -> MutexGuard<'static, Inputs> {
    INPUTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Forgets what was read. `is_watched` if what is read from now on is looked at for changes. It counts on the budget, and
/// what texts name lies in their folders or in `allowed`.
pub fn begin(is_watched: bool, budget: &Budget, allowed: &[PathBuf]) {
    let (budget, allowed) = (Some(budget.clone()), allowed.to_vec());
    *inputs() = Inputs { read: BTreeMap::new(), standard: None, is_watched, budget, allowed };
}

/// Forgets what was read, and begins the budget anew: for a verb that goes on for days.
#[cfg(feature = "lsp")]
pub fn renew() {
    let mut inputs = inputs();
    inputs.read.clear();
    let budget = inputs.budget.take().unwrap_or_default();
    inputs.budget = Some(budget.with(Resource::Read, budget.limit(Resource::Read)));
}

/// Folders whose files texts may name.
#[cfg(feature = "dap")]
pub fn allowed() -> Vec<PathBuf> {
    inputs().allowed.clone()
}

/// The budget of reading.
pub(super) fn budget() -> Budget {
    inputs().budget.clone().unwrap_or_default()
}

/// The files and folders that were read, and those that are not there, each with its stamp before that.
pub fn noted() -> BTreeMap<PathBuf, Stamp> {
    inputs().read.iter().map(|(path, noted)| (path.clone(), noted.stamp)).collect()
}

/// Notes that something is read.
pub fn note(path: &Path) {
    note_by(path, false);
}

/// Notes that something is read; `is_of_program` if the program reads it from its disk.
pub fn note_by(path: &Path, is_of_program: bool) {
    let mut inputs = inputs();
    let new = || Noted { stamp: stamp(path), is_of_program };
    inputs.read.entry(path.to_owned()).or_insert_with(new).is_of_program &= is_of_program;
}
