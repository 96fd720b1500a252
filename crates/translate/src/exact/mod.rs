//! Operations as functions on bit patterns, with integer arithmetic alone: the same bits on every GPU.
//!
//! A shading language leaves to the GPU how floats are rounded, whether products and sums are fused, what becomes of
//! subnormal numbers and NaNs. So a value here is a `u32`, and every operation of the IR a function of the operation's
//! name on such patterns. Functions come from two places:
//!
//! - The library has, in WGSL, the primitives (binary32, and binary64 on pairs of words) and those operations that are
//!   shorter or faster when they are written for integers from the start.
//! - Any other operation is made of the primitives, from the evaluator's own [record](gpuzoo_ir::record) of it.
//!
//! Tests hold both against the evaluator, bit for bit.
//!
//! ```
//! use gpuzoo_ir::{Dot, record::Operation};
//! use gpuzoo_translate::exact;
//!
//! let text = exact::functions([Operation::Dot(Dot::Dot4Trunc)]);
//! assert!(text.contains("fn dot4_trunc(ax: u32, bx: u32, ay: u32,"));
//! // Only what it calls comes with it.
//! assert!(!text.contains("fn double_add("));
//! ```

mod record;
mod tables;

use crate::library::Library;
use gpuzoo_ir::record::Operation;
use record::{Recorded, recorded};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{LazyLock, OnceLock};

/// The texts, what is called first.
static LIBRARY: LazyLock<Library> = LazyLock::new(|| {
    static TABLES: LazyLock<String> = LazyLock::new(tables::texts);
    Library::new(&[
        &TABLES,
        include_str!("bits.wgsl"),
        include_str!("single.wgsl"),
        include_str!("double.wgsl"),
        include_str!("integer.wgsl"),
        include_str!("truncating.wgsl"),
        include_str!("seeded.wgsl"),
        include_str!("piecewise.wgsl"),
    ])
});

/// The function that tells if a number is below zero, as a kill does.
pub(crate) const BELOW_ZERO: &str = "below_zero";

/// The text of functions for operations, named like them, and of all that they call. The arguments of a dot product are its
/// factors, pair by pair: eight of them, also where it reads only six.
pub fn functions(operations: impl IntoIterator<Item = Operation>) -> String {
    closure(operations, &BTreeSet::new())
}

/// The same, with functions of the library beside them.
pub(crate) fn closure(
    operations: impl IntoIterator<Item = Operation>,
    others: &BTreeSet<&'static str>,
) -> String {
    let mut wanted: Vec<&str> = others.iter().copied().collect();
    let mut made = Vec::new();
    for operation in operations {
        match is_written(operation) {
            true => wanted.push(operation.name()),
            false => made.push(definition(operation)),
        }
    }
    together(wanted, &made)
}

/// Functions of the library and of records, with what they call before them.
fn together<'a>(mut wanted: Vec<&'a str>, made: &[&'a Recorded]) -> String {
    let mut tables: BTreeMap<&str, &str> = BTreeMap::new();
    for recorded in made {
        wanted.extend(&recorded.calls);
        tables.extend(recorded.tables.iter().map(|(name, text)| (name.as_str(), text.as_str())));
    }
    let mut text = LIBRARY.closure(wanted);
    let functions = tables.into_values().chain(made.iter().map(|recorded| recorded.text.as_str()));
    for function in functions {
        text.push('\n');
        text.push_str(function);
    }
    text
}

/// An operation's function as its record has it; made once in a process.
fn definition(operation: Operation) -> &'static Recorded {
    static DEFINITIONS: [OnceLock<Recorded>; Operation::COUNT] =
        [const { OnceLock::new() }; Operation::COUNT];
    DEFINITIONS[operation.number()].get_or_init(|| recorded(operation, operation.name()))
}

/// The text of an operation's function as its [record](gpuzoo_ir::record) has it, also where the library has another, and of
/// all that it calls; its name is the operation's with `recorded_` before it. It is what tests compare the library with.
pub fn of_record(operation: Operation) -> String {
    together(Vec::new(), &[&recorded(operation, &format!("recorded_{}", operation.name()))])
}

/// True if the library has a function for the operation.
pub fn is_written(operation: Operation) -> bool {
    LIBRARY.has(operation.name())
}
