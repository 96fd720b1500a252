//! gpuzoo's compiler: from sources in shading languages to programs of small machines; and programs that exist already, made shorter.
//!
//! # From a source to a program
//!
//! With the feature `sources`, [`front`] reads WGSL, GLSL and SPIR-V with naga, and [`cg`] reads Cg, into the same modules. [`walk`] evaluates a module as far as
//! it is known, and what is left is a straight line of operations, a [`Shader`](shader::Shader). [`build`](fn@build) makes a program of it: on
//! machines with two halves in a slot [`paired`] selects instructions and lets the search below schedule them, on the others [`single`] does both.
//! Operations that a machine lacks are [expanded](expand) into those that it has.
//!
//! # Shorter programs
//!
//! [`pack`](fn@pack) takes a program apart into operations on components ([`code`]), leaves out what is dead, computed twice or only copied
//! ([`simplify`]), and builds slots again: a list schedule that pairs what fits into a slot ([`schedule`]) and registers for what is
//! left ([`allocate`]), tried again and again in other orders until no schedule can be shorter. What comes out is proven to
//! compute the same bits in every profile ([`proof`]). On machines with one instruction a slot, it leaves out what is dead or
//! computed twice ([`tidy`]).
//!
//! A source becomes a straight line of operations ([`shader`]); those that a machine lacks are [expanded](expand). For slots with
//! two halves, [`paired`] selects instructions and shares the search with [`pack`].
//!
//! What an instruction means is never written down here: which components it reads is found by lowering it alone ([`shape`]), and
//! what fits into a slot is asked of the machine ([`Slots`](gpuzoo_machine::target::slots::Slots)).
#![forbid(unsafe_code)]

pub mod allocate;
pub mod bounds;
#[cfg(feature = "sources")]
mod branches;
mod build;
#[cfg(feature = "sources")]
pub mod cg;
pub mod code;
pub mod codes;
#[cfg(feature = "sources")]
mod combined;
mod derived;
#[cfg(feature = "sources")]
mod dimensions;
pub mod draft;
#[cfg(feature = "sources")]
mod effects;
pub mod exact;
pub mod expand;
#[cfg(feature = "sources")]
mod expanded;
#[cfg(feature = "sources")]
pub mod front;
#[cfg(feature = "sources")]
mod glsl;
pub mod host;
#[cfg(feature = "sources")]
mod initial;
#[cfg(feature = "sources")]
mod invalid;
#[cfg(feature = "sources")]
mod lacking;
pub mod lanes;
#[cfg(feature = "sources")]
mod moved;
#[cfg(feature = "sources")]
mod nesting;
#[cfg(feature = "sources")]
mod offsets;
pub mod options;
#[cfg(feature = "sources")]
mod outputs;
mod pack;
pub mod paired;
mod pressure;
pub mod problem;
pub mod proof;
#[cfg(feature = "random")]
pub mod random;
pub mod reference;
pub mod schedule;
pub mod search;
pub mod shader;
pub mod shape;
pub mod simplify;
pub mod single;
#[cfg(feature = "sources")]
mod spirv;
#[cfg(feature = "sources")]
mod spirv_limits;
pub mod tidy;
#[cfg(feature = "sources")]
mod told;
#[cfg(feature = "sources")]
mod unbroken;
#[cfg(feature = "sources")]
mod varyings;
#[cfg(feature = "sources")]
pub mod walk;
#[cfg(feature = "sources")]
mod words;

/// Every code of the compiler, list by list.
#[cfg(feature = "sources")]
pub const CODES: &[&[&gpuzoo_diag::Code]] =
    &[front::CODES, walk::codes::CODES, cg::codes::CODES, codes::CODES];

pub use build::build;
pub use code::Odd;
pub use pack::{Packed, Refused, pack};

/// The example of the package's page.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
