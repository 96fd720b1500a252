//! The language server in the hands of clients that others wrote: pytest-lsp and Neovim, where they are installed.

use crate::common::scratch;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The folder of the clients' sessions.
fn sessions() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../editors/tests")
}

/// What a program says, or nothing if it is not there or knows nothing of this.
fn tried(command: &mut Command) -> Option<Output> {
    command.output().ok().filter(|output| output.status.success())
}

fn passes(output: &Output) {
    let [out, err] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
    assert!(output.status.success(), "{out}\n{err}");
}

#[test]
fn pytest_lsp_is_served() {
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".to_owned());
    if tried(Command::new(&python).args(["-c", "import pytest_lsp"])).is_none() {
        gpuzoo_skipped::say(&format!(
            "`{python}` has no pytest-lsp, which `pip install pytest-lsp` gets: its sessions with the language server"
        ));
        return;
    }
    let mut command = Command::new(python);
    command.args(["-m", "pytest", "-q", "-p", "no:cacheprovider", "-o", "asyncio_mode=auto"]).arg(sessions());
    let command = command.env("GPUZOO", env!("CARGO_BIN_EXE_gpuzoo")).env("PYTHONDONTWRITEBYTECODE", "1");
    passes(&command.output().expect("it was there"));
}

#[test]
fn neovim_is_served() {
    if tried(Command::new("nvim").arg("--version")).is_none() {
        gpuzoo_skipped::say("there is no Neovim (`nvim`): its session with the language server");
        return;
    }
    let folder = scratch("neovim");
    let script = format!("luafile {}", sessions().join("session.lua").display());
    let mut command = Command::new("nvim");
    // Its own state, apart from the user's.
    for name in ["XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"] {
        command.env(name, &folder);
    }
    let command = command.args(["--headless", "-u", "NONE", "-i", "NONE", "-n", "-c", &script]);
    let command = command.env("GPUZOO", env!("CARGO_BIN_EXE_gpuzoo")).env("GPUZOO_WORK", &folder);
    passes(&command.output().expect("it was there"));
}
