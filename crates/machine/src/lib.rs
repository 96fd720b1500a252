//! What all machines share: the trait ([`Gpu`]), the settings of scenes ([`settings`], [`words`]), how vertices are
//! fetched ([`layout`]), in what state a program runs ([`run_state`]), what a draw is ([`draw`]), what is kept from draw
//! to draw ([`cache`]), what a run did ([`trace`], [`reach`]), how one is walked through ([`session`]), and how
//! results are compared with the originals ([`vectors`]).
#![forbid(unsafe_code)]

pub mod cache;
pub mod draw;
mod gpu;
pub mod job;
pub mod json;
pub mod layout;
pub mod reach;
pub mod run_state;
pub mod session;
pub mod settings;
pub mod trace;
pub mod vectors;
mod vertices;
pub mod words;

pub use gpu::{About, Cost, FragmentPrograms, Gpu, Jobs, TextOptionNames, TextOptions};
pub use run_state::{Mode, RunState};

/// The example of the package's page.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
