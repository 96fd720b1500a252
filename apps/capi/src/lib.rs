//! gpuzoo as a C library: what the header `include/gpuzoo.h` declares, a thin layer over the crate `gpuzoo`.
//!
//! Every exported function is a few lines: it looks at its arguments, calls the facade inside `status::call`, which turns what is
//! wrong into a status and diagnostics and lets no panic out, and gives the results away. Objects stay on this side, in the
//! table of `handles`: what C holds are numbers.
#![allow(non_camel_case_types, reason = "types have the names that they have in C")]
#![allow(
    clippy::missing_safety_doc,
    reason = "what pointers must be is the same for all functions: the header's head says it"
)]
#![warn(missing_docs)]

pub mod conform;
mod handles;
pub mod kernel;
mod kinds;
pub mod library;
mod memory;
pub mod options;
pub mod problems;
pub mod program;
pub mod session;
pub mod status;
mod strided;
pub mod text;
pub mod translation;
pub mod vera;
pub mod x16;
