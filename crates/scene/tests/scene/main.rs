//! Scenes from text to pictures.
#![allow(clippy::disallowed_methods, reason = "examples are files")]

mod common;
mod constants;
mod errors;
mod examples;
mod files;
mod frames;
mod given;
mod indexed;
mod keys;
mod limits;
mod lost;
mod plan;
mod programs;
mod properties;
mod starter;
