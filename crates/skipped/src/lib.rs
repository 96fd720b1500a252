//! What tests did not check because this machine lacks something. It is said past the test harness, which keeps to itself what passing
//! tests print, and gathered for `cargo xtask test`, which counts it at the end.
#![forbid(unsafe_code)]
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "tests say what they skip")]

use std::collections::BTreeSet;
use std::fs::OpenOptions;
use std::io::Write;
use std::sync::{Mutex, PoisonError};

/// The variable that names the file in which `cargo xtask test` gathers it.
pub const FILE: &str = "GPUZOO_SKIPPED";

/// Says, once a test program, what is skipped and why: `spirv-val is not installed: translations are not validated`.
///
/// # Examples
/// ```
/// gpuzoo_skipped::say("there is no C compiler: kernels in C are not compiled");
/// ```
pub fn say(what: &str) {
    static SAID: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    // A test that failed elsewhere does not change what was said.
    if !SAID.lock().unwrap_or_else(PoisonError::into_inner).insert(what.to_owned()) {
        return;
    }
    let line = format!("skipped: {what}\n");
    // Where neither can be written, there is nobody to tell.
    let _ = std::io::stderr().write_all(line.as_bytes());
    if let Some(file) = std::env::var_os(FILE) {
        // One short write at the end of the file: lines of test programs that run at the same time stay whole.
        let _ = OpenOptions::new()
            .append(true)
            .create(true)
            .open(file)
            .and_then(|mut file| file.write_all(format!("{what}\n").as_bytes()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In a process of its own, whose environment has the file.
    #[test]
    fn it_is_gathered_once() {
        let file = std::env::temp_dir().join(format!("gpuzoo-skipped-{}", std::process::id()));
        if std::env::var_os("GPUZOO_SKIPPED_TEST").is_some() {
            say("one");
            say("two");
            say("one");
            return;
        }
        let done = std::process::Command::new(std::env::current_exe().unwrap())
            .arg("it_is_gathered_once")
            .env("GPUZOO_SKIPPED_TEST", "")
            .env(FILE, &file)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        let gathered = std::fs::read_to_string(&file).unwrap();
        std::fs::remove_file(&file).unwrap();
        assert!(done.status.success() && said.contains("skipped: one\nskipped: two\n"), "{said}");
        assert_eq!(gathered, "one\ntwo\n");
    }
}
