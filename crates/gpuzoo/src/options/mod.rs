//! Options of the verbs, each declared once.
//!
//! An options struct is read by [serde](https://docs.rs/serde) from what a binding, an editor or a debugger passes by name
//! ([`OptionMap`]), and with the feature `clap` it is a group of arguments of the command line; the tables of other languages
//! ([`table`]) are made of these arguments.

mod by_name;
mod read;
#[cfg(feature = "clap")]
pub mod table;

pub use by_name::{BAD_OPTION, CODES, OptionMap};
#[cfg(feature = "language-names")]
pub use gpuzoo_compile::options::{CompileOptions, Level};
pub use gpuzoo_machine::options::assignment::Assignment;
pub use gpuzoo_machine::unit::PositionSpace;
#[cfg(feature = "target-names")]
pub use gpuzoo_translate::TranslateOptions;
pub use read::{DisassembleOptions, ReadOptions, StateOptions};
