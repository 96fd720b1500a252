//! The common floor of all machines: what they can do ([`Gpu`]), what a scene may tell them ([`settings`]), how
//! vertices reach them ([`layout`]), what a draw is ([`draw`]), what a run did ([`trace`]), and how they are compared with the originals
//! ([`vectors`]).
#![forbid(unsafe_code)]

pub mod draw;
mod gpu;
pub mod layout;
pub mod settings;
pub mod trace;
pub mod vectors;

pub use gpu::{About, Cost, Gpu, Writing, WritingNames};
