//! Options of verbs: those that belong to one machine, declared as data, and the types of values; and settings of scenes.

pub mod arguments;
pub mod assignment;
#[cfg(feature = "clap")]
pub mod command_line;
pub mod keys;
pub mod settings;
pub mod words;
