//! What is installed, and what can be.

use std::process::{Command, Stdio};

/// Whether a program can be run.
pub fn is_there(tool: &str) -> bool {
    let asked = Command::new(tool).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    asked.is_ok_and(|status| status.success())
}

/// The first of some programs that is not there.
pub fn missing<'a>(tools: &[&'a str]) -> Option<&'a str> {
    tools.iter().copied().find(|tool| !is_there(tool))
}

/// Installs packages of Debian where that can be done, which a user who is not root cannot; what came of it, the caller sees.
pub fn install(packages: &[&str]) {
    if !is_there("apt-get") {
        return;
    }
    println!("apt-get install {}", packages.join(" "));
    let get = |arguments: &[&str]| {
        let mut apt = Command::new("apt-get");
        apt.args(["--quiet", "--yes"]).args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
        apt.stdout(Stdio::null()).status().is_ok_and(|status| status.success())
    };
    let wanted = [&["install", "--no-install-recommends"], packages].concat();
    // A fresh system has no lists of packages yet.
    if !get(&wanted) && get(&["update"]) {
        get(&wanted);
    }
}

/// Runs a command to its end.
///
/// # Errors
/// It cannot be run, or fails.
pub fn done(command: &mut Command) -> Result<(), String> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{command:?}: {status}")),
        Err(error) => Err(format!("{command:?}: {error}")),
    }
}
