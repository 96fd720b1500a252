//! One toolchain for the shader units of small graphics processors.
//!
//! This is the facade: the [`Registry`] of machines and the verbs, one module each. The command line, and every
//! other surface, is a thin shell over it. Nothing here reads files or prints: bytes and texts come in, bytes, texts
//! and [`Diagnostic`](diag::Diagnostic)s go out.
//!
//! ```
//! use gpuzoo::Inputs;
//!
//! let kernel = gpuzoo::dreambox().assemble("double.vu", "ld r0 0  add r0 r0  st pos r0")?.kernel("document")?;
//! let outputs = kernel.run(&Inputs::new().set("in0", &[[1.0, 2.0, 3.0, 4.0]])?)?;
//! assert_eq!(outputs["pos"], [[2.0, 4.0, 6.0, 8.0]]);
//! # Ok::<(), gpuzoo::Diagnostics>(())
//! ```
//!
//! A [`Machine`] gives [`Program`]s, which have no errors and know their machine; a program gives [`Kernel`]s, which are
//! compiled for one profile and state, and run over any number of vertices. What is wrong is a [`Diagnostics`]: an error
//! that shows itself.
#![forbid(unsafe_code)]

#[cfg(feature = "render")]
mod ahead;
#[cfg(feature = "bench")]
pub mod bench;
pub mod c_kernel;
pub mod check;
pub mod codes;
#[cfg(feature = "language-names")]
pub mod compile;
pub mod computer;
pub mod conform;
pub mod debugger;
#[cfg(feature = "render")]
pub mod diff;
pub mod emit;
pub mod excerpt;
pub mod explain;
pub mod file_name;
#[cfg(feature = "render")]
mod film;
pub mod format;
#[cfg(feature = "wgpu")]
pub mod host;
mod host_constants;
#[cfg(feature = "render")]
pub mod job;
#[cfg(feature = "render")]
pub mod kind;
pub mod level;
pub mod list;
pub mod machines;
pub mod operands;
pub mod options;
#[cfg(feature = "compile")]
pub mod pack;
mod pages;
pub mod paint;
#[cfg(feature = "render")]
pub mod pick;
pub mod profiles;
mod program;
#[cfg(feature = "render")]
pub mod project;
#[cfg(feature = "render")]
pub mod project_file;
pub mod read;
pub mod registry;
#[cfg(feature = "render")]
pub mod render;
#[cfg(feature = "report")]
pub mod report;
pub mod run;
pub mod session;
mod state;
pub mod threads;
pub mod topics;
pub mod trace;
#[cfg(feature = "target-names")]
pub mod translate;
pub mod value;
pub mod vectors;
pub mod why;

pub use computer::Computer;
pub use gpuzoo_debug as debug;
pub use gpuzoo_diag as diag;
pub use gpuzoo_diag::Diagnostics;
pub use gpuzoo_engine as engine;
pub use gpuzoo_ir as ir;
pub use gpuzoo_isa as isa;
pub use gpuzoo_machine as machine;
pub use gpuzoo_machine::{Arguments, Gpu, ShaderUnit};
pub use gpuzoo_raster as raster;
#[cfg(feature = "render")]
pub use gpuzoo_scene as scene;
pub use host_constants::HostConstant;
pub use machines::GPUS;
#[allow(unused_imports, reason = "a build may have none of them")]
pub use machines::named::*;
pub use program::{Machine, Program};
pub use registry::{Registry, shader_units};
pub use run::{Buffer, Inputs, Kernel, Outputs};
pub use state::State;

/// The example of the package's page.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
