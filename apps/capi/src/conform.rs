//! Vectors: records of what a machine does, against what gpuzoo does.

use crate::library::unit;
use crate::memory::{elements, fill, place, store};
use crate::problems::{call_noting, gpuzoo_problems};
use crate::status::gpuzoo_status;
use crate::text::gpuzoo_text;
use gpuzoo::conform::{self, Companions, Files, Options};
use gpuzoo::diag::Sources;
use gpuzoo::machine::limits::budget::Budget;
use gpuzoo::paint::Paint;
use gpuzoo::{Arguments, Diagnostics};
use std::ffi::{c_char, c_void};

/// Checks the records of a vector file in JSON Lines, as `gpuzoo conform` does; `passed` and `failed` get how many there were, those that
/// cannot be used among the failed. A report in a few lines goes to `buffer`: `length` gets its bytes, and without a buffer only that is
/// given. Why records cannot be used comes as problems, even with GPUZOO_OK. `profile` may be empty, and `problems` NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_conform(
    machine: gpuzoo_text,
    profile: gpuzoo_text,
    name: gpuzoo_text,
    data: *const c_void,
    size: usize,
    passed: *mut usize,
    failed: *mut usize,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
    problems: *mut *mut gpuzoo_problems,
) -> gpuzoo_status {
    // SAFETY: the caller's pointers.
    unsafe {
        call_noting(problems, || {
            place(passed)?;
            place(failed)?;
            place(length)?;
            unit(machine)?;
            let gpu = gpuzoo::Registry::default().shader_unit(Some(machine.text()?), "")?;
            let mut sources = Sources::default();
            let file = conform::read(&mut sources, name.text()?, elements(data.cast(), size)?)?;
            let file = sources.get(file);
            let mut companions = Companions::default();
            if Companions::needed(gpu) {
                companions.note(gpu, file);
            }
            let report = conform::check(
                gpu,
                file,
                &Options {
                    arguments: &Arguments::new(profile.name()?.unwrap_or("")),
                    companions: &companions,
                    files: &Files::default(),
                    failures: 3,
                    every: false,
                    budget: &Budget::default(),
                },
                |_| {},
            );
            store(passed, report.passed)?;
            store(failed, report.failed + report.malformed)?;
            fill(report.text(Paint::PLAIN).as_bytes(), buffer.cast(), capacity, length)?;
            let unusable = Diagnostics::new(report.diagnostics, sources);
            Ok((!unusable.list.is_empty()).then(|| gpuzoo_problems::new(&unusable)))
        })
    }
}
