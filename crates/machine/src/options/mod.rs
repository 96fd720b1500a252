//! Options of verbs and settings of scenes that belong to one machine, declared as data.

pub mod arguments;
pub mod keys;
pub mod settings;
pub mod words;
