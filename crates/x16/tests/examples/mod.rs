//! The examples of `examples/vera`: what they show, and what they cost.

mod costs;
mod frames;
mod run;
mod sound;
