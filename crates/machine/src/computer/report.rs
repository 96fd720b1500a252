//! Results of verbs, for people and for scripts.

use crate::computer::disk::Change;
use gpuzoo_diag::Diagnostic;
use gpuzoo_raster::Image;
use serde_json::Value as Json;

/// Bytes by the names of parameters for [files to write](crate::options::arguments::Kind::Output): of those that the arguments want, and of others.
pub type Files = Vec<(&'static str, Vec<u8>)>;

/// The result of a verb, for people and for scripts.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// For people.
    pub text: String,
    /// For scripts.
    pub json: Json,
    /// Remarks.
    pub remarks: Vec<Diagnostic>,
    /// Files to write.
    pub files: Files,
    /// Changes of the program to its [disk](crate::options::arguments::Kind::Disk), folders before what is in them.
    pub changes: Vec<Change>,
}

/// Comparison of two runs.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// A user, or the program, could tell one from the other.
    pub differs: bool,
    /// For people.
    pub text: String,
    /// For scripts.
    pub json: Json,
    /// The last pictures.
    pub pictures: [Image; 2],
}
