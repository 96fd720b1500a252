//! One toolchain for the shader units of small graphics processors.
//!
//! This is the facade: the registry of machines ([`GPUS`]) and the verbs, one module each. The command line, and every
//! other surface, is a thin shell over it. Nothing here reads files or prints: bytes and texts come in, bytes, texts
//! and [`Diagnostic`](diag::Diagnostic)s go out.
//!
//! ```
//! use gpuzoo::diag::Sources;
//! use gpuzoo::run::{Kernel, Vertices};
//! use gpuzoo::{program, registry, run};
//!
//! let mut sources = Sources::default();
//! let gpu = registry::choose(None, "double.vu").unwrap();
//!
//! let text = b"ld r0 0  add r0 r0  st pos r0";
//! let assembled = program::read(gpu, &mut sources, "double.vu", text, None);
//! assert!(assembled.ok());
//!
//! let kernel = Kernel::new(gpu, &assembled.program, gpu.about().profiles[0]);
//! let table = sources.add("vertices.csv", "in0.x,in0.y,in0.z,in0.w\n1,2,3,4\n");
//! let (vertices, problems) = run::csv::vertices(gpu.about().isa, sources.get(table));
//! assert!(problems.is_empty());
//! let outputs = kernel.outputs(&vertices, &[]);
//! assert_eq!(outputs[0][0].map(f32::from_bits), [2.0, 4.0, 6.0, 8.0]);
//! ```
#![forbid(unsafe_code)]

pub mod bench;
pub mod c_kernel;
pub mod check;
pub mod codes;
pub mod conform;
pub mod emit;
pub mod explain;
pub mod level;
pub mod list;
pub mod operands;
pub mod pick;
pub mod program;
pub mod registry;
pub mod render;
pub mod run;
pub mod trace;
pub mod value;
pub mod vera;

pub use codes::codes;
pub use gpuzoo_diag as diag;
pub use gpuzoo_ir as ir;
pub use gpuzoo_isa as isa;
pub use gpuzoo_machine as machine;
pub use gpuzoo_machine::Gpu;
pub use gpuzoo_raster as raster;
pub use gpuzoo_scene as scene;
pub use registry::GPUS;
