//! What machines share, with one that exists for these tests alone.

mod back;
mod defaults;
mod fragments;
mod made;
mod problems;
mod settings;
mod tiny;
mod told;
mod unit;
