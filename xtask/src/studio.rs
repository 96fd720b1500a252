//! `cargo xtask studio`: the module, the page of `apps/web/studio` around it, and the tests of both in node and in a browser.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// A target without a system: the standard library is built from its sources, which Debian's compiler has.
const TARGET: &str = "wasm32-unknown-unknown";
const RUSTC: &str = "/usr/bin/rustc";
const LINKERS: [&str; 4] = ["wasm-ld", "wasm-ld-22", "wasm-ld-21", "wasm-ld-19"];
const CHROMIUM: &str = "/usr/bin/chromium";

/// Builds and tests; what the platform lacks is left out with a message, and counted.
pub fn run(_: &[String]) -> ExitCode {
    match all() {
        Ok(0) => ExitCode::SUCCESS,
        Ok(skipped) => {
            println!("{skipped} skipped");
            ExitCode::SUCCESS
        }
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

fn all() -> Result<usize, String> {
    let folder = crate::root().join("apps/web/studio");
    let mut skipped = 0;
    let mut skip = |what: &str| {
        println!("{what}: skipped");
        skipped += 1;
    };
    if !is_there("npm") {
        skip("npm is not installed, which builds and tests the studio");
        return Ok(skipped);
    }
    let Some(module) = module()? else {
        skip(
            "there is no compiler for WebAssembly (Debian: rustc-web, rust-web-src, libstd-rust-web-dev, lld-22)",
        );
        return Ok(skipped);
    };
    npm(&folder, &["install", "--no-package-lock", "--no-audit", "--no-fund"], &[])?;
    npm(&folder, &["run", "build"], &[("GPUZOO_WASM", module.into())])?;
    npm(&folder, &["run", "unit"], &[])?;
    if !Path::new(CHROMIUM).exists() {
        install(&["chromium"]);
    }
    if !Path::new(CHROMIUM).exists() {
        skip("Chromium is not installed, in which the studio is tried");
        return Ok(skipped);
    }
    npm(&folder, &["run", "browser"], &[("GPUZOO", command_line()?.into())])?;
    Ok(skipped)
}

/// The module that `GPUZOO_WASM` names, or a new one; none without its compiler.
fn module() -> Result<Option<PathBuf>, String> {
    if let Some(given) = std::env::var_os("GPUZOO_WASM") {
        return Ok(Some(given.into()));
    }
    let linker = || LINKERS.iter().find(|name| is_there(name)).copied();
    if linker().is_none() || !Path::new(RUSTC).exists() {
        install(&["rustc-web", "rust-web-src", "libstd-rust-web-dev", "lld-22"]);
    }
    let Some(linker) = linker().filter(|_| Path::new(RUSTC).exists()) else { return Ok(None) };
    // A folder of its own: another compiler, other flags.
    let target = target().join("web");
    let mut build = crate::cargo();
    build.env("RUSTC", RUSTC).env("RUSTC_BOOTSTRAP", "1").env("CARGO_TARGET_DIR", &target);
    build.env("RUSTFLAGS", "-C target-feature=+simd128");
    build.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker);
    build.args([
        "build",
        "--profile",
        "web",
        "--target",
        TARGET,
        "-Zbuild-std=std,panic_abort",
        "-p",
        "gpuzoo-wasm",
    ]);
    done(&mut build)?;
    Ok(Some(target.join(TARGET).join("web/gpuzoo_wasm.wasm")))
}

/// The command line, whose pictures those of the page are compared with.
fn command_line() -> Result<PathBuf, String> {
    done(crate::cargo().args(["build", "--quiet", "--package", "gpuzoo-cli"]))?;
    Ok(target().join("debug/gpuzoo"))
}

fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| crate::root().join("target"), PathBuf::from)
}

fn npm(folder: &Path, args: &[&str], variables: &[(&str, OsString)]) -> Result<(), String> {
    let variables = variables.iter().map(|(name, value)| (name, value));
    done(Command::new("npm").current_dir(folder).args(args).envs(variables))
}

/// Installs packages of Debian where that can be done; what comes of it, the caller sees.
fn install(packages: &[&str]) {
    if is_there("apt-get") {
        let mut apt = Command::new("apt-get");
        let _ = apt.args(["install", "--yes", "--quiet", "--no-install-recommends"]).args(packages).status();
    }
}

fn is_there(tool: &str) -> bool {
    Command::new(tool).arg("--version").output().is_ok_and(|output| output.status.success())
}

fn done(command: &mut Command) -> Result<(), String> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{command:?}: {status}")),
        Err(error) => Err(format!("{command:?}: {error}")),
    }
}
