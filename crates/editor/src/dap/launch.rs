//! What is debugged, and where it comes from.

use gpuzoo::debugger::Console;
use serde_json::Value as Json;
use std::path::PathBuf;

/// Makes the runs that a session debugs.
pub trait Launch {
    /// The runs that the arguments of a `launch` request ask for. The debugger's own (`stopOnEntry`, `noDebug`) are not meant for it.
    ///
    /// # Errors
    /// What is wrong, as text with codes and what to do.
    fn launch(&mut self, arguments: &Json) -> Result<Launched, String>;
}

/// What is debugged.
pub struct Launched {
    /// Its name: the program's.
    pub name: String,
    /// The runs.
    pub console: Console,
    /// For each of its sources where it is on the disk, as an absolute path; none for what no file holds.
    pub paths: Vec<Option<PathBuf>>,
    /// What else there is to say: warnings.
    pub said: String,
}
