//! gpuzoo's compiler: programs of small machines from sources in shading languages, and shorter forms of existing programs.
//!
//! | module | task |
//! |---|---|
//! | [`front`] | reads WGSL, GLSL and SPIR-V with naga and Cg with [`front::cg`], all into naga's modules (feature `sources`) |
//! | [`walk`] | evaluates a module as far as its values are known; the rest is a straight line of operations |
//! | [`shader`] | that straight line, with its inputs and outputs |
//! | [`select`] | instructions for a shader: [`select::paired`] for machines with two halves in a slot, [`select::single`] for the others; operations that a machine lacks are [expanded](select::expand) |
//! | [`graph`] | an existing program as operations on components; removal of dead, repeated and copied ones; [proofs](graph::proof) of equal bits |
//! | [`schedule`] | the shortest order: list scheduling, registers, branch and bound |
//! | [`host`] | values that depend on uniforms alone, which the host can compute |
//!
//! [`build`](fn@build) turns a shader into a program. [`pack`](fn@pack) shortens an existing program: the search tries forms of its graph
//! and orders of urgency until no schedule can be shorter, and the result is proven to compute the same bits in every profile. On
//! machines with one instruction a slot it removes what is dead or computed twice.
//!
//! The meaning of an instruction is never repeated here: lowering it alone tells which components it reads
//! ([`graph::shape`]), and the machine tells what fits into a slot ([`Slots`](gpuzoo_machine::target::slots::Slots)).
#![forbid(unsafe_code)]

pub mod codes;
#[cfg(feature = "sources")]
pub mod front;
pub mod graph;
pub mod host;
pub mod options;
mod pack;
#[cfg(feature = "random")]
pub mod random;
pub mod schedule;
pub mod select;
pub mod shader;
#[cfg(feature = "sources")]
pub mod walk;

/// Every code of the compiler, list by list.
#[cfg(feature = "sources")]
pub const CODES: &[&[&gpuzoo_diag::Code]] =
    &[front::CODES, walk::codes::CODES, front::cg::codes::CODES, codes::CODES];

pub use graph::Odd;
pub use pack::{Packed, Refused, pack};
pub use select::build;

/// The example of the package's page.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
