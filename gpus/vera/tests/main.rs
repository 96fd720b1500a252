//! VERA: its vectors, and what they do not reach.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "vectors and pictures are files")]

mod common;
mod deviations;
mod display;
mod inspect;
mod picture;
mod properties;
mod vectors;
