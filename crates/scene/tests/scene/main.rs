//! Scenes from text to pictures, on one machine.

mod common;
mod constants;
mod errors;
mod examples;
mod files;
mod frames;
mod properties;
