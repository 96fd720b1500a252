//! Operations as functions on bit patterns, with integer arithmetic alone: the same bits on every GPU.
//!
//! A shading language leaves to the GPU how floats are rounded, whether products and sums are fused, what becomes of
//! subnormal numbers and NaNs. So a value here is a `u32`, and every operation of the IR a function of the operation's
//! name on such patterns. Functions come from two places:
//!
//! - [`library`] has, in WGSL, the primitives (binary32, and binary64 on pairs of words) and those operations that are
//!   shorter or faster when they are written for integers from the start.
//! - [`recorded`] makes any operation of the primitives, from the evaluator's own [record](gpuzoo_ir::record) of it.
//!
//! [`function`] takes the first where there is one, else the second. Tests hold both against the evaluator, bit for bit.
//!
//! ```
//! use gpuzoo_ir::{Dot, record::Operation};
//! use gpuzoo_translate::exact;
//!
//! let mut module = naga::Module::default();
//! let dot = exact::function(&mut module, Operation::Dot(Dot::Dot4Trunc));
//! assert_eq!(module.functions[dot].name.as_deref(), Some("dot4_trunc"));
//! assert_eq!(module.functions[dot].arguments.len(), 8);
//! // Only what it calls came with it.
//! assert!(module.functions.iter().all(|(_, f)| f.name.as_deref() != Some("double_add")));
//! ```

mod library;
mod record;
mod tables;

use gpuzoo_ir::record::Operation;
use naga::{Function, Handle, Module};

pub use library::library;

/// The operation's function in `module`: `u32` patterns to a `u32` pattern, of the operation's name. Where the module
/// lacks it, it is added, behind those that it calls. The arguments of a dot product are its factors, pair by pair: eight
/// of them, also where it reads only six.
///
/// The module must not have functions of its own with names of the library's functions or of operations.
pub fn function(module: &mut Module, operation: Operation) -> Handle<Function> {
    let name = operation.name();
    library::known(module, name)
        .or_else(|| library::import(module, name))
        .unwrap_or_else(|| record::build(module, operation, name))
}

/// The operation's function as its [record](gpuzoo_ir::record) has it, also where the library has another; its name is
/// the operation's with `recorded_` before it. It is what tests compare the library with.
pub fn recorded(module: &mut Module, operation: Operation) -> Handle<Function> {
    let name = format!("recorded_{}", operation.name());
    library::known(module, &name).unwrap_or_else(|| record::build(module, operation, &name))
}

/// True if the library has a function for the operation.
pub fn is_written(operation: Operation) -> bool {
    library::has(operation.name())
}
