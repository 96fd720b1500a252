//! The common floor of all machines: what they can do ([`Gpu`]), what a scene may tell them ([`settings`], [`words`]), how
//! vertices reach them ([`layout`]), in what state they run a program ([`conditions`]), what a draw is ([`draw`]), what a run
//! did ([`trace`], [`reach`]), and how they are compared with the originals ([`vectors`]).
#![forbid(unsafe_code)]

pub mod conditions;
pub mod draw;
mod gpu;
pub mod job;
pub mod json;
pub mod layout;
pub mod reach;
pub mod settings;
pub mod trace;
pub mod vectors;
pub mod words;

pub use conditions::{Conditions, Mode};
pub use gpu::{About, Cost, Gpu, Writing, WritingNames};
