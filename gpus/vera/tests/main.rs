//! VERA, its machine, its assembler and its examples.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "vectors, examples and pictures are files"
)]

mod asm;
mod board;
mod common;
mod compare;
mod deviations;
mod examples;
mod files;
mod graphics;
mod inspect;
mod kernal;
mod lints;
mod lzsa;
mod machine;
mod picture;
mod properties;
mod session;
mod state;
mod vectors;
mod x16;
