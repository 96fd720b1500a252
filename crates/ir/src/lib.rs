//! What shader instructions mean: a vec4 SSA without branches.
//!
//! Every machine instruction is defined by the IR it turns into, and by nothing else. The evaluator, the engine, the C
//! back end, the tracer and the lints all read this one form; so there is one place where an instruction's meaning can
//! be wrong, and one place to fix it.
//!
//! # A function in one look
//!
//! This normalizes input 0 (its xyz), scales it by uniform 0 and stops for what lies behind a plane:
//!
//! ```
//! # use gpuzoo_diag::File;
//! # use gpuzoo_ir::{eval, text, vec4};
//! # let file = File::new("normalize.ir", "
//! v0 = input 0
//! v1 = dot3 v0, v0                     ; x·x + y·y + z·z in all four components
//! v2 = fsqrt v1
//! v3 = fdiv v0, v2
//! v4 = v3.xyz1                         ; a swizzle: w becomes 1
//! v5 = uniform 0
//! v6 = fmul v4, v5
//! v7 = v6.z111
//! v8 = kill v7                         ; ends the run if a component is below zero
//! output 0 = v6
//! # ");
//! # let (f, diagnostics) = text::parse(&file);
//! # assert!(diagnostics.is_empty());
//! # let out = eval::outputs(&f, &[vec4([3.0, 0.0, 4.0, 9.0])], &[vec4([5.0; 4])]);
//! # assert_eq!(out, [vec4([3.0, 0.0, 4.0, 5.0])]);
//! ```
//!
//! A [`Function`] is a list of instructions ([`Inst`]) and a list of outputs. Each instruction computes one value, and
//! the value's name ([`Value`]) is the instruction's place in the list. An instruction reads only values above it and
//! no value ever changes: this is SSA.
//!
//! **Why a straight line?** The machines have no branches, or none in the code that this IR carries; a choice is
//! arithmetic or a masked write. Without branches SSA needs no phi nodes, "before" is "above", and one pass over the
//! list in either direction answers what dominance and data-flow analysis answer elsewhere.
//!
//! **Why vec4?** Because the machines' registers are. Code that was translated reads like the code it came from, and
//! a compiler finds the shapes it must emit. [`passes::demand`] says which single components are read.
//!
//! **Components have no type.** They are 32 bits, as in a register; the operation says what they are. A move of a
//! component that holds an integer or a strange NaN is exact.
//!
//! # What an instruction can be
//!
//! | kind | example | value |
//! |---|---|---|
//! | [`Const`](Inst::Const) | `const (1.0, -0.0, nan, 0x7)` | always these bits |
//! | [`Input`](Inst::Input) | `input 3` | of this run: a vertex attribute, a varying, a register's start |
//! | [`Uniform`](Inst::Uniform) | `uniform 7` | the same for all runs of a draw |
//! | [`UniformAt`](Inst::UniformAt) | `uniform[v2.x + 5 < 192]` | at an index, component x as a signed integer; zeros if the sum is not in 0 to 191 |
//! | [`Map1`](Inst::Map1), [`Map2`](Inst::Map2), [`Map3`](Inst::Map3) | `fmad v0, v1, v2` | an [`Op1`], [`Op2`] or [`Op3`] on each component |
//! | [`Dot`](Inst::Dot) | `dot4 v1, v2` | one sum in all four components |
//! | [`Shuffle`](Inst::Shuffle) | `v1.zzx1`, `v1.xy__ \| v2.__zw` | each component from one of two values, or 0, or 1 |
//! | [`Sample`](Inst::Sample) | `sample 0, v3` | a texel; the [`Textures`](eval::Textures) know from where |
//! | [`Kill`](Inst::Kill) | `kill v6` | its operand; the run ends without outputs if a component is below zero (-0 and NaN are not) |
//!
//! One shuffle is swizzle, write mask and merge at once. Variants that differ in rounding or special cases are
//! operations with names of their own, never flags on one: what `fmin` does with NaN is in its documentation
//! and in its one function in [`arith`].
//!
//! A *uniform* is what is the same for all runs of a draw: a machine's constant registers are the uniforms of its
//! function. A *constant* of the IR is a literal.
//!
//! # When things are evaluated
//!
//! In order, all of them, once for each vertex or fragment; runs do not see each other. Inputs, uniforms
//! and textures do not change during a run, so it does not matter where a function reads them. The only effect is a
//! kill, and even it does not stop the evaluator: values below it are computed, for debuggers, and
//! [`Run::killed`](eval::Run::killed) names the first kill that took effect.
//!
//! # Bits
//!
//! Results are defined to the last bit, on every host:
//!
//! - `+ - × ÷ √` are IEEE 754 binary32, to nearest even, subnormal numbers kept. Nothing is fused: `fmad`
//!   rounds twice.
//! - **The NaN rule.** An operation that *computes* and whose result is NaN gives [`NAN`], 0x7fc00000. An operation
//!   that *moves* bits (`fabs`, `fneg`, `fmin`, `fmax`, shuffles, inputs …) keeps a NaN's sign and payload.
//! - **Families.** Machines that do not compute as IEEE 754 has it have operations of their own, distinguished by the
//!   end of the name: `_trunc` truncates instead of rounding, flushes subnormal numbers and has another NaN
//!   ([`arith::NAN_TRUNC`], 0x7fffffff); `_finite` turns overflows into the largest finite number; `_total` compares
//!   bits in IEEE 754's total order. Of each family there is what plain operations do not express already.
//! - **The order of a dot product.** In `dot3` and `dot4` products first, then sums from x to w, each rounded:
//!   ((x + y) + z) + w. With 2²⁴ + 1 - 2²⁴ + 1 that is 1, from the other end it would be 2. A machine that adds in
//!   another order is lowered to `fmul` and `fmad` in its own order.
//! - Transcendental functions are this crate's own; [`arith`] says how, and how exact they are.
//!
//! # From a machine instruction to IR
//!
//! While a program is lowered, a register file is a map from registers to the values they hold at this point. Reading
//! a register is a look-up, and writing it replaces the entry: moves vanish, and the map after instruction *k* is what
//! a debugger shows there. Take `mul r1 r0` (r1 = r1 × r0), then `dot r1 r0`, which on this machine writes the dot
//! product to component x and zeros to the others:
//!
//! ```
//! use gpuzoo_ir::{Builder, Dot, Op2, Pick, eval, vec4};
//!
//! let mut b = Builder::default();
//! let mut r = [b.input(0), b.input(1)];
//!
//! b.set_origin(Some(0)); // mul r1 r0
//! r[1] = b.map2(Op2::FMul, r[1], r[0]);
//!
//! b.set_origin(Some(1)); // dot r1 r0
//! let sum = b.dot(Dot::Dot4, r[1], r[0]);
//! r[1] = b.shuffle(sum, sum, [Pick::A(0), Pick::Zero, Pick::Zero, Pick::Zero]);
//!
//! b.output(0, r[1]);
//! let f = b.finish();
//! assert_eq!(f.to_string(), "\
//! v0 = input 0
//! v1 = input 1
//! v2 = fmul v1, v0                     @0
//! v3 = dot4 v2, v0                     @1
//! v4 = v3.x000                         @1
//! output 0 = v4
//! ");
//! // 1·1·1 + 2·2·1 + 3·3·1 + 4·4·1 = 30
//! let out = eval::outputs(&f, &[vec4([1.0, 2.0, 3.0, 4.0]), vec4([1.0; 4])], &[]);
//! assert_eq!(out, [vec4([30.0, 0.0, 0.0, 0.0])]);
//! ```
//!
//! The `@1` is the [`Origin`]: which machine instruction an IR instruction belongs to. It survives text and passes.
//!
//! # Around the core
//!
//! - [`text`] prints functions and reads them back without loss. Tests and bug reports are written in it.
//! - [`verify`] has the rules that the Rust types do not express. Use it on functions that are built by hand.
//! - [`passes`] make functions shorter and keep every bit of every output. The tracer runs what was lowered; engines
//!   run what [`passes::optimize`] made of it.
//! - [`scalar`] takes a function apart into single components: what the engine, machine code and C are made from.
//! - [`record`] executes an operation symbolically and so writes down what it computes, for the back ends that make C
//!   or machine code of it.
//! - [`eval`] is the definition: one run at a time, no cleverness. An engine may split vec4s into components, drop
//!   those that are never read, and run hundreds of vertices at once in the lanes of SIMD vectors, but it calls the
//!   functions of [`arith`] in the same order, and tests hold its results against the evaluator's, bit for bit.
#![forbid(unsafe_code)]

pub mod arith;
mod builder;
pub mod codes;
pub mod eval;
mod function;
mod op;
pub mod passes;
pub mod record;
pub mod scalar;
pub mod text;
mod vec4;
pub mod verify;

pub use builder::Builder;
pub use function::{Function, Inst, NAN, ONE, Origin, Pick, Value};
pub use op::{Dot, Op1, Op2, Op3, Visitor1, Visitor2, Visitor3};
pub use vec4::{Vec4, vec4};

/// The example of the package's page.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
