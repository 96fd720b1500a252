//! The extension module `gpuzoo._native`: the facade crate for Python.
//!
//! It is as thin as it can be. Numbers go in and out as arrays, everything else as texts and as JSON; the package's Python
//! files make classes of that, and say what was wrong with an argument. `_native.pyi` describes it.
//!
//! What takes long lets other threads of Python run. Nothing here looks at a Python object meanwhile but the arrays that
//! a run reads and writes, which nobody may change until it is over.
#![warn(clippy::undocumented_unsafe_blocks)]

mod arrays;
mod arrow;
mod device;
mod errors;
mod program;
mod scene;
mod session;
mod software;
mod vectors;

use pyo3::prelude::*;

/// What the package's Python files call.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::arrow::{stream, table};
    #[pymodule_export]
    use super::device::{Vera, X16};
    #[pymodule_export]
    use super::machines;
    #[pymodule_export]
    use super::program::{Kernel, Program, compile, read};
    #[pymodule_export]
    use super::scene::{Scene, encode, load};
    #[pymodule_export]
    use super::session::{Session, Trace};
    #[pymodule_export]
    use super::software::{Screen, Software};
    #[pymodule_export]
    use super::vectors::conform;
}

/// The machines, as a JSON list of objects.
#[pyfunction]
fn machines() -> String {
    let of = |gpu: &&'static dyn gpuzoo::Gpu| {
        let about = gpu.about();
        let names =
            |all: &[(&'static str, &'static str)]| all.iter().map(|(name, _)| *name).collect::<Vec<_>>();
        serde_json::json!({
            "id": about.id,
            "name": about.name,
            "summary": about.summary,
            "is_computer": gpu.computer().is_some(),
            "extensions": about.extensions,
            "profiles": names(about.profiles),
            "modes": about.modes.iter().map(|mode| mode.name).collect::<Vec<_>>(),
            "views": names(about.views),
        })
    };
    gpuzoo::GPUS.iter().map(of).collect::<serde_json::Value>().to_string()
}
