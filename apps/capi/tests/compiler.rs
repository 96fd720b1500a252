//! Programs in C and C++ that use the library, built with the compilers that are there.

use std::path::{Path, PathBuf};
use std::process::Command;

/// C or C++.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Language {
    C,
    Cpp,
}

impl Language {
    fn compiler(self) -> &'static str {
        match self {
            Language::C => "cc",
            Language::Cpp => "c++",
        }
    }

    fn standard(self) -> &'static str {
        match self {
            Language::C => "-std=c11",
            Language::Cpp => "-std=c++17",
        }
    }
}

/// The folder of this package.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

/// The folder with the shared library, where this test was built, too.
fn library() -> PathBuf {
    let name = format!("{}gpuzoo_c{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let folder = std::env::current_exe().unwrap().parent().unwrap().to_owned();
    assert!(folder.join(&name).is_file(), "{name} does not lie beside the test");
    folder
}

/// What sanitizes.
const SANITIZERS: [&str; 2] = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"];

/// True if there is the compiler with its sanitizers; says what is skipped if not.
pub fn is_there(language: Language, skipped: &str) -> bool {
    let works = || {
        let scratch = tempfile::tempdir().unwrap();
        let source = scratch.path().join(if language == Language::C { "empty.c" } else { "empty.cpp" });
        std::fs::write(&source, "int main(void) { return 0; }\n").unwrap();
        let mut command = Command::new(language.compiler());
        command.args(SANITIZERS).arg(&source).arg("-o").arg(scratch.path().join("empty"));
        command.output().is_ok_and(|output| output.status.success())
    };
    let is_there = cfg!(target_os = "linux") && works();
    if !is_there {
        gpuzoo_skipped::say(&format!("there is no {} with sanitizers: {skipped}", language.compiler()));
    }
    is_there
}

/// Builds a program of some sources under the strictest warnings, with AddressSanitizer and UndefinedBehaviorSanitizer if they are
/// wanted.
pub fn build(language: Language, sources: &[PathBuf], sanitize: bool, to: &Path) {
    let mut command = Command::new(language.compiler());
    command.args([language.standard(), "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-g", "-O1", "-pthread"]);
    if sanitize {
        command.args(SANITIZERS);
    }
    command.arg("-I").arg(folder().join("include")).args(sources).arg("-o").arg(to);
    command.arg("-L").arg(library()).arg("-lgpuzoo_c").arg(format!("-Wl,-rpath,{}", library().display()));
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}\n{}", String::from_utf8_lossy(&output.stderr));
}

/// Builds a program with sanitizers and runs it in a folder: what it printed. It must succeed, and print nothing to standard error.
pub fn run(language: Language, sources: &[PathBuf], arguments: &[&str], folder: &Path) -> String {
    let program = folder.join("program");
    build(language, sources, true, &program);
    let mut command = Command::new(&program);
    command.args(arguments).current_dir(folder).env("ASAN_OPTIONS", "detect_leaks=1:abort_on_error=0");
    // Cargo's path would lead to libraries of other builds.
    let output = command.env_remove("LD_LIBRARY_PATH").output().unwrap();
    let (text, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && errors.is_empty(), "{sources:?}: {}\n{text}\n{errors}", output.status);
    text.into_owned()
}
