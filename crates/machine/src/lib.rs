//! What all machines share: what each is and can do ([`Gpu`]), as a machine with shader units ([`ShaderUnit`]) or one that
//! a CPU drives ([`computer`]), what its verbs can be given ([`arguments`]), the settings of scenes ([`settings`], [`words`]), how vertices are
//! fetched ([`layout`]), what a program without a scene is drawn with ([`starter`]), in what state a program runs ([`run_state`]), how instructions share slots ([`slots`]), where compiled programs find their inputs ([`conventions`]), what a draw is ([`draw`], [`host`]), what is kept from draw
//! to draw ([`cache`]), what an invocation may use ([`budget`]), files that programs read and write ([`disk`]), lists that the system may have no memory for ([`memory`]), what a run did ([`trace`], [`reach`]), how one is walked through ([`session`]), how
//! results are compared with the originals ([`vectors`]), and how such are made ([`stimulus`]).
#![forbid(unsafe_code)]

pub mod arguments;
pub mod budget;
pub mod cache;
pub mod computer;
pub mod conventions;
pub mod disk;
pub mod draw;
mod gpu;
pub mod host;
pub mod job;
pub mod json;
pub mod keys;
pub mod layout;
pub mod logged;
pub mod memory;
pub mod reach;
pub mod reference;
pub mod run_state;
pub mod sequence;
pub mod session;
pub mod settings;
mod shader_unit;
pub mod shape;
pub mod slots;
pub mod sound;
pub mod starter;
pub mod stimulus;
pub mod text;
pub mod timeline;
pub mod trace;
pub mod vectors;
mod vertices;
pub mod words;

pub use arguments::Arguments;
pub use gpu::{About, Dump, FileForm, Gpu, Jobs};
pub use gpuzoo_isa::Profile;
pub use run_state::{Mode, Modes, RunState};
pub use shader_unit::{
    Cost, Dialect, FragmentPrograms, Include, Lowering, ShaderUnit, TextOptionNames, TextOptions, TextureRead,
};

/// The example of the package's page.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
