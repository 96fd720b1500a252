//! VERA, its machine, its assembler and its examples.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "vectors, examples and pictures are files"
)]

mod asm;
mod board;
mod channels;
mod commands;
mod common;
mod compare;
mod deviations;
mod display;
mod editor;
mod examples;
mod files;
mod frame_buffer;
mod graphics;
mod inspect;
mod interrupts;
mod kernal;
mod lints;
mod lzsa;
mod machine;
mod memory;
mod picture;
mod properties;
mod session;
mod spent;
mod state;
mod vectors;
mod x16;
