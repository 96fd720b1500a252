//! The fast way to run the IR: many lanes at once, with exactly the evaluator's bits.
//!
//! A [`Kernel`] is compiled from a function and run over any number of lanes (vertices, fragments, threads):
//!
//! ```
//! use gpuzoo_engine::{Call, Columns, ColumnsMut, Kernel};
//! use gpuzoo_ir::{Builder, Op2, vec4};
//!
//! // output 0 = input 0 × uniform 0
//! let mut b = Builder::default();
//! let (x, scale) = (b.input(0), b.uniform(0));
//! let product = b.map2(Op2::FMul, x, scale);
//! b.output(0, product);
//! let kernel = Kernel::compile(&b.finish())?;
//!
//! // Five lanes, in columns; a column that is missing reads as zeros, one for which there is no room is dropped.
//! let bits = |numbers: [f32; 5]| numbers.map(f32::to_bits);
//! let (x, y) = (bits([1.0, 2.0, 3.0, 4.0, 5.0]), bits([0.5; 5]));
//! let mut out = [[0; 5]; 2];
//! let [out_x, out_y] = &mut out;
//! let mut outputs = ColumnsMut { outputs: vec![[out_x, out_y, &mut [], &mut []]], killed: &mut [] };
//! let call = Call { uniforms: &[vec4([2.0, 4.0, 0.0, 0.0])], ..Call::default() };
//! kernel.run(0..5, &Columns(&[[&x, &y, &[], &[]]]), &call, &mut outputs);
//! assert_eq!(out, [bits([2.0, 4.0, 6.0, 8.0, 10.0]), bits([2.0; 5])]);
//! # Ok::<(), gpuzoo_engine::Error>(())
//! ```
//!
//! - [`Rows`] and [`RowsMut`] take vec4s that lie vertex after vertex. For anything else implement [`Inputs`] and
//!   [`Outputs`]: they fill and take columns of at most [`BLOCK`] lanes, so that nothing has to lie in memory before.
//! - [`Options::invariant`] names inputs that are the same in all lanes of a run (a triangle's attributes). They
//!   come from [`Call::invariant`], and what depends on them and on uniforms alone is computed once per run.
//! - [`Kernel::run`] stays on the calling thread and allocates next to nothing: runs of 32 lanes are fine.
//!   [`Kernel::run_parallel`] uses the threads of the current rayon pool (with the feature `threads`); results are the
//!   same.
//! - Texels come from a [`Sampler`], a block at a time; [`PerLane`] makes one of the evaluator's textures.
//! - Kills do not end anything: all outputs are stored, and [`Outputs::killed`] says which lanes were killed.
//! - A function whose outputs change the uniforms of the next lane must run lane by lane, by the evaluator.
//!
//! # How it works
//!
//! The vec4 function is taken apart into a [graph](gpuzoo_ir::scalar) of single components, and a product in a sum
//! becomes one `fmad`. What is the same in all lanes is computed once. The
//! rest is a list of steps over a structure of arrays: columns of [`BLOCK`] lanes, few enough of them to stay in the
//! first-level cache. Each step is a loop over the very function of [`gpuzoo_ir::arith`] that the evaluator calls; the
//! compiler vectorizes it, once for each [`Level`]. With AVX-512, steps of one or a few instructions become machine
//! code that is generated for the program. Nothing is fused or reordered, so every level gives the same bits.
#![warn(missing_docs)]

pub mod bits;
mod block;
mod body;
mod compiled;
mod execute;
#[cfg(feature = "jit")]
mod jit;
mod kernel;
mod lanes;
mod program;
mod sampler;
mod scalars;
mod simd;
mod step;
mod threads;

pub use block::BLOCK;
pub use gpuzoo_simd::{Level, NoSuchLevel};
pub use kernel::{Call, Error, Kernel, Options};
pub use lanes::{Columns, ColumnsMut, Inputs, Outputs, Rows, RowsMut};
pub use sampler::{PerLane, Read, Sampler};

/// The example of the package's page.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
