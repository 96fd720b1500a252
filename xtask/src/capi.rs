//! `cargo xtask capi`: the C library, built, installed into a folder, and tried from there as its users do.

use crate::system::{self, done, missing};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

const USAGE: &str = "usage: cargo xtask capi [--prefix DIR] [--no-tests]

  --prefix DIR  where it is installed; else target/capi/usr
  --no-tests    only build and install";

/// Makes a shared library, so that the version of its interface is known where it is loaded.
const SONAME: &str = "libgpuzoo.so.0";

/// What a static library needs beside itself.
#[cfg(target_os = "macos")]
const LIBRARIES: [&str; 3] = ["-liconv", "-lSystem", "-lm"];
#[cfg(not(target_os = "macos"))]
const LIBRARIES: [&str; 5] = ["-lgcc_s", "-lpthread", "-lm", "-ldl", "-lc"];

/// What it is tried with.
const TOOLS: [&str; 4] = ["cc", "c++", "pkg-config", "cmake"];

/// The examples, with the compiler that each wants.
const EXAMPLES: [(&str, &str); 4] =
    [("vertices.c", "cc"), ("vera.c", "cc"), ("debugger.c", "cc"), ("shaders.cpp", "c++")];

/// Builds, installs, and tests.
pub fn run(args: &[String]) -> ExitCode {
    let (mut prefix, mut tests) = (None, true);
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--prefix" => prefix = args.next().map(PathBuf::from),
            "--no-tests" => tests = false,
            _ => {
                eprintln!("{USAGE}");
                return ExitCode::from(2);
            }
        }
    }
    match all(prefix, tests) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

fn all(prefix: Option<PathBuf>, tests: bool) -> Result<(), String> {
    let target = target()?;
    let prefix = prefix.unwrap_or_else(|| target.join("capi/usr"));
    let prefix = std::path::absolute(prefix).map_err(|error| error.to_string())?;
    install(&target, &prefix)?;
    println!("installed in {}", prefix.display());
    if !tests {
        return Ok(());
    }
    if missing(&TOOLS).is_some() {
        system::install(&["gcc", "g++", "pkg-config", "cmake", "make"]);
    }
    done(crate::cargo().args(["test", "--package", "gpuzoo-capi"]))?;
    let mut skipped = 0;
    let scratch = target.join("capi/tests");
    std::fs::create_dir_all(&scratch).map_err(|error| error.to_string())?;
    for (kind, flags) in [("shared", &["--libs"][..]), ("static", &["--libs", "--static"])] {
        for (name, compiler) in EXAMPLES {
            if let Some(missing) = missing(&[compiler, "pkg-config"]) {
                println!("{name}, {kind}: skipped, since {missing} is not installed");
                skipped += 1;
                continue;
            }
            let program = scratch.join(format!("{name}.{kind}"));
            with_pkg_config(&prefix, name, compiler, flags, &program)?;
            compare(&program, name)?;
            println!("{name}, {kind}: passed");
        }
    }
    match missing(&["cmake", "cc", "c++"]) {
        Some(missing) => {
            println!("CMake: skipped, since {missing} is not installed");
            skipped += 1;
        }
        None => {
            with_cmake(&prefix, &scratch.join("cmake"))?;
            println!("CMake: passed");
        }
    }
    match skipped {
        0 => println!("all passed"),
        _ => println!("{skipped} skipped"),
    }
    Ok(())
}

/// The folder that cargo builds into.
fn target() -> Result<PathBuf, String> {
    let output = crate::cargo().args(["metadata", "--no-deps", "--format-version", "1"]).output();
    let text = output.map_err(|error| format!("cargo cannot be run: {error}"))?.stdout;
    let metadata: serde_json::Value = serde_json::from_slice(&text).map_err(|error| error.to_string())?;
    let folder = metadata["target_directory"].as_str().ok_or("cargo does not say where it builds")?;
    Ok(folder.into())
}

/// Builds both libraries, and puts them into a folder with all that belongs to them.
fn install(target: &Path, prefix: &Path) -> Result<(), String> {
    let mut build = crate::cargo();
    build.args([
        "rustc",
        "--package",
        "gpuzoo-capi",
        "--lib",
        "--release",
        "--crate-type",
        "cdylib,staticlib",
    ]);
    if cfg!(target_os = "linux") {
        build.arg("--").arg(format!("-Clink-arg=-Wl,-soname,{SONAME}"));
    }
    done(&mut build)?;
    let own = |name: &str| crate::root().join("apps/capi").join(name);
    let text = |name: &str| std::fs::read_to_string(own(name)).map_err(|error| format!("{name}: {error}"));
    let manifest: toml::Table =
        text("../../Cargo.toml")?.parse().map_err(|error: toml::de::Error| error.to_string())?;
    let version = manifest["workspace"]["package"]["version"].as_str().unwrap_or_default().to_owned();
    let shared = format!("{}gpuzoo{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let archive = if cfg!(windows) { "gpuzoo.lib" } else { "libgpuzoo.a" };
    let soname = if cfg!(target_os = "linux") { SONAME } else { &shared };
    let fill = |text: &str| {
        text.replace("@VERSION@", &version)
            .replace("@SHARED@", soname)
            .replace("@SONAME@", soname)
            .replace("@STATIC@", archive)
    };
    let built = target.join("release");
    let lib = prefix.join("lib");
    let put = |to: PathBuf, bytes: Vec<u8>| {
        let folder = to.parent().unwrap_or(prefix);
        std::fs::create_dir_all(folder)
            .and_then(|()| std::fs::write(&to, bytes))
            .map_err(|error| format!("{}: {error}", to.display()))
    };
    let read = |from: PathBuf| std::fs::read(&from).map_err(|error| format!("{}: {error}", from.display()));
    put(lib.join(soname), read(built.join(shared.replace("gpuzoo", "gpuzoo_c")))?)?;
    put(lib.join(archive), read(built.join(archive.replace("gpuzoo", "gpuzoo_c")))?)?;
    #[cfg(target_os = "linux")]
    {
        // What linkers look for.
        let link = lib.join(&shared);
        let _ = std::fs::remove_file(&link);
        std::os::unix::fs::symlink(SONAME, &link).map_err(|error| format!("{}: {error}", link.display()))?;
    }
    put(prefix.join("include/gpuzoo.h"), text("include/gpuzoo.h")?.into_bytes())?;
    let pc = fill(&text("install/gpuzoo.pc")?).replace("@LIBRARIES@", &LIBRARIES.join(" "));
    put(lib.join("pkgconfig/gpuzoo.pc"), pc.into_bytes())?;
    for name in ["gpuzoo-config.cmake", "gpuzoo-config-version.cmake"] {
        let config = fill(&text(&format!("install/{name}"))?).replace("@LIBRARIES@", &LIBRARIES.join(";"));
        put(lib.join("cmake/gpuzoo").join(name), config.into_bytes())?;
    }
    Ok(())
}

fn with_pkg_config(
    prefix: &Path,
    name: &str,
    compiler: &str,
    flags: &[&str],
    program: &Path,
) -> Result<(), String> {
    let mut ask = Command::new("pkg-config");
    ask.arg("--cflags").args(flags).arg("gpuzoo").env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig"));
    let output = ask.output().map_err(|error| format!("pkg-config: {error}"))?;
    if !output.status.success() {
        return Err(format!("pkg-config: {}", String::from_utf8_lossy(&output.stderr)));
    }
    let flags = String::from_utf8_lossy(&output.stdout).into_owned();
    let is_static = program.extension().is_some_and(|kind| kind == "static");
    let mut build = Command::new(compiler);
    build.args(["-Wall", "-Wextra", "-Werror", "-O2"]);
    build.arg(if compiler == "cc" { "-std=c11" } else { "-std=c++17" });
    build.arg(crate::root().join("apps/capi/examples").join(name)).arg("-o").arg(program);
    for flag in flags.split_whitespace() {
        match flag {
            // The linker takes the shared library where both are.
            "-lgpuzoo" if is_static => build.arg(prefix.join("lib/libgpuzoo.a")),
            flag => build.arg(flag),
        };
    }
    build.arg(format!("-Wl,-rpath,{}", prefix.join("lib").display()));
    done(&mut build)
}

/// Runs an example: it prints what is said beside it.
fn compare(program: &Path, name: &str) -> Result<(), String> {
    // Cargo's path would lead to libraries of its own builds.
    let output = Command::new(program).env_remove("LD_LIBRARY_PATH").output();
    let output = output.map_err(|error| format!("{}: {error}", program.display()))?;
    let stem = name.split('.').next().unwrap_or(name);
    let path = crate::root().join(format!("apps/capi/examples/{stem}.txt"));
    let expected = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    match output.status.success() && output.stdout == expected {
        true => Ok(()),
        false => Err(format!(
            "{}: {}\n{}{}",
            program.display(),
            output.status,
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        )),
    }
}

fn with_cmake(prefix: &Path, folder: &Path) -> Result<(), String> {
    let mut configure = Command::new("cmake");
    configure.arg("-S").arg(crate::root().join("apps/capi/examples")).arg("-B").arg(folder);
    configure.arg(format!("-DCMAKE_PREFIX_PATH={}", prefix.display()));
    done(&mut configure)?;
    done(Command::new("cmake").arg("--build").arg(folder))?;
    compare(&folder.join("vertices"), "vertices.c")?;
    compare(&folder.join("vertices_static"), "vertices.c")?;
    compare(&folder.join("shaders"), "shaders.cpp")
}
