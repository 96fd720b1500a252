//! `cargo xtask python`: builds the Python package, and tests it as users have it, installed from its wheel.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

const USAGE: &str = "usage: cargo xtask python [--bench] [ARGUMENT…]

  --bench   measures it instead, in alternation with Rust
  ARGUMENT  for pytest";

/// What the tests cannot do without.
const NEEDED: [&str; 5] = ["maturin>=1.16,<2", "numpy", "pytest>=8", "mypy>=2.1", "ruff>=0.14"];
/// What some of them are about. Where it cannot be had those are skipped.
const WANTED: [(&str, &[&str]); 4] = [
    ("Arrow", &["pyarrow"]),
    ("Dask", &["dask[distributed]"]),
    ("Ray", &["ray"]),
    ("notebooks", &["nbclient", "nbformat", "ipykernel"]),
];

/// What `--bench` compares with, here and in node.
pub const YARDSTICK: &str = "gpuzoo-python-yardstick";

/// Why it ends early.
enum Stop {
    /// Something is not there: it is said, and the rest is skipped.
    Missing(String),
    /// A command failed, and has said why.
    Failed,
}

/// An environment under `target`, the wheel in it, the command line to compare with, and all checks.
pub fn run(args: &[String]) -> ExitCode {
    if args.iter().any(|arg| arg == "--help") {
        println!("{USAGE}");
        return ExitCode::SUCCESS;
    }
    match checked(args) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(skipped) => {
            println!("{skipped} of {} kinds of tests were skipped", WANTED.len());
            ExitCode::SUCCESS
        }
        Err(Stop::Missing(what)) => {
            println!("{what}; all of it was skipped");
            ExitCode::SUCCESS
        }
        Err(Stop::Failed) => ExitCode::FAILURE,
    }
}

/// Returns how many kinds of tests were skipped.
fn checked(args: &[String]) -> Result<usize, Stop> {
    let folder = crate::target().join("python");
    let python = environment(&folder.join("venv"))?;
    let package = crate::root().join("apps").join("python");
    let mut skipped = 0;
    for (what, packages) in WANTED {
        if !installed(&python, packages) {
            println!("{} cannot be installed: the tests of {what} are skipped", packages.join(", "));
            skipped += 1;
        }
    }
    wheel(&python, &package, &folder.join("wheels"))?;
    let cli = crate::cargo().args(["build", "--release", "--package", "gpuzoo-cli"]).status();
    finished(cli)?;
    let program = crate::target().join("release").join(format!("gpuzoo{}", std::env::consts::EXE_SUFFIX));
    let tool = |arguments: &[&str], more: &[String]| {
        println!("python -m {}", arguments.join(" "));
        let mut command = Command::new(&python);
        command.arg("-m").args(arguments).args(more).current_dir(&package).env("GPUZOO", &program);
        finished(command.status())
    };
    if args.first().is_some_and(|arg| arg == "--bench") {
        let example = ["build", "--release", "--package", "gpuzoo-python", "--example", YARDSTICK];
        finished(crate::cargo().args(example).status())?;
        let yardstick = crate::target().join("release").join("examples").join(YARDSTICK);
        let status = Command::new(&python).arg("bench/run.py").arg(yardstick).current_dir(&package).status();
        return finished(status).map(|()| 0);
    }
    tool(&["ruff", "check", "."], &[])?;
    tool(&["ruff", "format", "--check", "."], &[])?;
    tool(&["mypy"], &[])?;
    tool(&["pytest", "-ra"], args)?;
    Ok(skipped)
}

/// The interpreter of an environment, which is made if it is not there, and has what the tests need.
fn environment(folder: &Path) -> Result<PathBuf, Stop> {
    let python = match cfg!(windows) {
        true => folder.join("Scripts").join("python.exe"),
        false => folder.join("bin").join("python"),
    };
    if !python.exists() {
        let system = std::env::var_os("PYTHON").unwrap_or_else(|| "python3".into());
        let made = || {
            let newer = "import sys; sys.exit(sys.version_info < (3, 10))";
            if !quietly(&system, ["-c".as_ref(), newer.as_ref()]) {
                return Err("Python 3.10 or newer is not installed");
            }
            match quietly(&system, ["-m".as_ref(), "venv".as_ref(), folder.as_os_str()]) {
                true => Ok(()),
                false => Err("Python's module venv is not installed"),
            }
        };
        if made().is_err() {
            crate::system::install(&["python3", "python3-venv"]);
            made().map_err(|what| Stop::Missing(what.to_owned()))?;
        }
    }
    match installed(&python, &NEEDED) {
        true => Ok(python),
        false => Err(Stop::Missing(format!("{} cannot be installed", NEEDED.join(", ")))),
    }
}

/// Whether a command can be run and succeeds, whatever it prints.
fn quietly<'a>(program: &OsStr, args: impl IntoIterator<Item = &'a OsStr>) -> bool {
    let quiet = Command::new(program).args(args).stdout(Stdio::null()).stderr(Stdio::null()).status();
    quiet.is_ok_and(|status| status.success())
}

/// Installs packages, if they are not there already.
fn installed(python: &Path, packages: &[&str]) -> bool {
    let command = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    quietly(python.as_os_str(), command.iter().chain(packages).map(OsStr::new))
}

/// Builds the wheel, and puts it into the environment.
fn wheel(python: &Path, package: &Path, folder: &Path) -> Result<(), Stop> {
    // What an older version left there is not to be installed.
    if folder.exists() && std::fs::remove_dir_all(folder).is_err() {
        return Err(Stop::Failed);
    }
    println!("python -m maturin build --release");
    let mut maturin = Command::new(python);
    maturin
        .args(["-m", "maturin", "build", "--release", "--locked", "--out"])
        .arg(folder)
        .current_dir(package);
    finished(maturin.status())?;
    let wheels = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let wheel = wheels.into_iter().find(|path| path.extension().is_some_and(|end| end == "whl"));
    let mut install = Command::new(python);
    install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
    install.args(["--force-reinstall", "--no-deps"]).args(wheel);
    finished(install.status())
}

fn finished(status: std::io::Result<std::process::ExitStatus>) -> Result<(), Stop> {
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(Stop::Failed),
        Err(error) => Err(Stop::Missing(error.to_string())),
    }
}
