//! The WebAssembly module, the npm package around it (`cargo xtask npm`), and the studio, a page around that (`cargo xtask studio`).

use crate::system::{done, install, is_there};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// A target without a system: the standard library is built from its sources, which Debian's compiler has.
const TARGET: &str = "wasm32-unknown-unknown";
const RUSTC: &str = "/usr/bin/rustc";
const SOURCES: &str = "/usr/lib/rustlib/src/rust";
const LINKERS: [&str; 4] = ["wasm-ld", "wasm-ld-22", "wasm-ld-21", "wasm-ld-19"];
/// The package's modules, and the features of `gpuzoo-wasm` in each.
const MODULES: [(&str, &str); 3] =
    [("gpuzoo.wasm", "whole"), ("shaders.wasm", "shaders"), ("vera.wasm", "vera")];
const CHROMIUM: &str = "/usr/bin/chromium";

/// What was left out, which has been said.
#[derive(Default)]
struct Skipped(usize);

impl Skipped {
    fn note(&mut self, what: &str) {
        println!("{what}: skipped");
        self.0 += 1;
    }
}

/// Builds the package and tests it in node, and in Chromium.
pub fn npm(args: &[String]) -> ExitCode {
    let bench = args.iter().any(|arg| arg == "--bench");
    ended(|skipped| {
        let Some(package) = package(skipped)? else { return Ok(()) };
        if bench {
            return run(&package, &["run", "bench"], &[("YARDSTICK", yardstick()?.into())]);
        }
        browser(skipped);
        run(&package, &["test"], &[("GPUZOO", command_line()?.into())])
    })
}

/// Builds the page around the package, and tests it in node and in Chromium.
pub fn studio(_: &[String]) -> ExitCode {
    ended(|skipped| {
        if package(skipped)?.is_none() {
            return Ok(());
        }
        let folder = crate::root().join("apps/web/studio");
        run(&folder, &INSTALL, &[])?;
        run(&folder, &["run", "build"], &[])?;
        run(&folder, &["run", "unit"], &[])?;
        match browser(skipped) {
            true => run(&folder, &["run", "browser"], &[("GPUZOO", command_line()?.into())]),
            false => Ok(()),
        }
    })
}

fn ended(work: impl FnOnce(&mut Skipped) -> Result<(), String>) -> ExitCode {
    let mut skipped = Skipped::default();
    match work(&mut skipped) {
        Ok(()) if skipped.0 == 0 => println!("nothing was skipped"),
        Ok(()) => println!("{} skipped", skipped.0),
        Err(problem) => {
            eprintln!("{problem}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

const INSTALL: [&str; 4] = ["install", "--no-package-lock", "--no-audit", "--no-fund"];

/// Builds the package; its folder, or nothing where that cannot be done.
fn package(skipped: &mut Skipped) -> Result<Option<PathBuf>, String> {
    let folder = crate::root().join("apps/web/npm");
    if !is_there("npm") {
        install(&["nodejs", "npm"]);
    }
    if !is_there("npm") {
        skipped.note("npm is not installed, which builds and tests the package");
        return Ok(None);
    }
    let Some(linker) = linker() else {
        skipped.note(
            "there is no compiler for WebAssembly (Debian: rustc-web, rust-web-src, libstd-rust-web-dev, lld-22)",
        );
        return Ok(None);
    };
    run(&folder, &INSTALL, &[])?;
    run(&folder, &["run", "build"], &[])?;
    for (name, features) in MODULES {
        smaller(&module(linker, features)?, &folder.join("dist").join(name))?;
    }
    Ok(Some(folder))
}

/// The linker for WebAssembly, where its compiler is, too.
fn linker() -> Option<&'static str> {
    let find = || LINKERS.iter().find(|name| is_there(name)).copied();
    if find().is_none() || !Path::new(RUSTC).exists() {
        install(&["rustc-web", "rust-web-src", "libstd-rust-web-dev", "lld-22"]);
    }
    find().filter(|_| Path::new(RUSTC).exists())
}

/// Builds the module with some features of `gpuzoo-wasm`: where it is until the next one is built.
fn module(linker: &str, features: &str) -> Result<PathBuf, String> {
    // A folder of its own: another compiler, other flags.
    let target = crate::target().join("web");
    let mut build = crate::cargo();
    build.env("RUSTC", RUSTC).env("RUSTC_BOOTSTRAP", "1").env("CARGO_TARGET_DIR", &target);
    build.env("CARGO_ENCODED_RUSTFLAGS", flags().join("\x1f"));
    build.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker);
    build.args(["build", "--profile", "web", "--target", TARGET, "-Zbuild-std=std,panic_abort"]);
    build.arg("-Zbuild-std-features=optimize_for_size");
    build.args(["--package", "gpuzoo-wasm", "--no-default-features", "--features", features]);
    done(&mut build)?;
    let module = target.join(TARGET).join("web/gpuzoo_wasm.wasm");
    let bytes = std::fs::read(&module).map_err(|error| format!("{}: {error}", module.display()))?;
    match paths().iter().find(|(path, _)| has(&bytes, path)) {
        None => Ok(module),
        Some((path, _)) => {
            Err(format!("{} has the path {path}, which is of this machine alone", module.display()))
        }
    }
}

/// Vectors; and no paths of this machine in the messages of panics.
fn flags() -> Vec<String> {
    let renamed = paths().into_iter().map(|(path, name)| format!("--remap-path-prefix={path}={name}"));
    ["-Ctarget-feature=+simd128".to_owned()].into_iter().chain(renamed).collect()
}

/// Folders that sources come from, and what modules call them.
fn paths() -> Vec<(String, &'static str)> {
    let root = crate::root().canonicalize().unwrap_or_else(|_| crate::root());
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| std::env::home_dir().map(|home| home.join(".cargo")));
    let folders = [(Some(root), "/gpuzoo"), (home, "/cargo"), (Some(SOURCES.into()), "/rust")];
    folders.into_iter().filter_map(|(path, name)| Some((path?.to_str()?.to_owned(), name))).collect()
}

fn has(bytes: &[u8], path: &str) -> bool {
    bytes.windows(path.len()).any(|part| part == path.as_bytes())
}

/// Writes a module that was built as the package has it: smaller, by what binaryen finds.
fn smaller(module: &Path, wanted: &Path) -> Result<(), String> {
    let written = |path: &Path| path.metadata().and_then(|about| about.modified()).ok();
    if written(wanted).is_some_and(|made| written(module).is_some_and(|built| built < made)) {
        return Ok(());
    }
    let mut optimize = Command::new("npm");
    optimize.current_dir(crate::root().join("apps/web/npm"));
    optimize.args(["run", "optimize", "--"]).arg(module).arg("-o").arg(wanted);
    done(&mut optimize)
}

/// Whether there is a browser to try things in.
fn browser(skipped: &mut Skipped) -> bool {
    if !Path::new(CHROMIUM).exists() {
        install(&["chromium"]);
    }
    let is_there = Path::new(CHROMIUM).exists();
    if !is_there {
        skipped.note("Chromium is not installed, in which pages are tried");
    }
    is_there
}

/// The command line, whose bytes are compared.
fn command_line() -> Result<PathBuf, String> {
    done(crate::cargo().args(["build", "--quiet", "--package", "gpuzoo-cli"]))?;
    Ok(crate::target().join("debug/gpuzoo"))
}

/// Rust's engine, whose speed is compared: the program that Python's is compared with.
fn yardstick() -> Result<PathBuf, String> {
    let name = crate::python::YARDSTICK;
    done(crate::cargo().args(["build", "--release", "--package", "gpuzoo-python", "--example", name]))?;
    Ok(crate::target().join("release/examples").join(name))
}

fn run(folder: &Path, args: &[&str], variables: &[(&str, OsString)]) -> Result<(), String> {
    let variables = variables.iter().map(|(name, value)| (name, value));
    done(Command::new("npm").current_dir(folder).args(args).envs(variables))
}
