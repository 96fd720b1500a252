//! The Commander X16: its machine, its assembler and its examples.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "programs, examples and pictures are files"
)]

mod asm;
mod board;
mod channels;
mod commands;
mod compare;
mod editor;
mod examples;
mod files;
mod frame_buffer;
mod graphics;
mod interrupts;
mod kernal;
mod lints;
mod lzsa;
mod machine;
mod memory;
mod session;
mod spent;
mod state;
mod x16;
