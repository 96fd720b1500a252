//! Every machine: the traits that the verbs call, and the types that machines and verbs exchange.
//!
//! A machine describes itself as data ([`About`]) and answers the verbs through [`Gpu`], which leads to one of two traits.
//!
//! | module | contents |
//! |---|---|
//! | [`unit`](mod@unit) | machines with shader units ([`ShaderUnit`]): vertex layouts, draws, jobs, logs, the state of a run, caches |
//! | [`computer`] | machines that a CPU drives: software, its disk, sound, timelines |
//! | [`target`] | conventions, slots and sequences for compilers; the fixed functions as host shaders for translators |
//! | [`options`] | arguments of verbs and settings of scenes |
//! | [`session`] | runs that are stepped in both directions, and traces |
//! | [`vectors`] | conformance vectors: rules of comparison, shapes of records, generated stimulus |
//! | [`limits`] | the budget of an invocation, allocations that may fail |
//! | [`reference`](mod@reference) | the machine's own tables for `list` and `explain` |
//! | [`text`], [`json`] | reading of sources and of JSON with places |
#![forbid(unsafe_code)]

pub mod computer;
mod gpu;
pub mod json;
pub mod limits;
pub mod options;
pub mod reference;
pub mod session;
pub mod target;
pub mod text;
pub mod unit;
pub mod vectors;

pub use gpu::{About, Dump, FileForm, Gpu, Jobs};
pub use gpuzoo_isa::Profile;
pub use options::arguments::Arguments;
pub use unit::run_state::{Mode, Modes, RunState};
pub use unit::{
    Cost, Dialect, FragmentPrograms, Include, Lowering, ShaderUnit, TextOptionNames, TextOptions, TextureRead,
};

/// The example of the package's page.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
