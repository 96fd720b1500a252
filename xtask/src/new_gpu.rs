//! `cargo xtask new-gpu`: the folder of a new machine, with three instructions that work.

use std::path::Path;
use std::process::ExitCode;

/// Template files: where they go, and what is in them.
const FILES: [(&str, &str); 17] = [
    ("Cargo.toml", include_str!("../templates/gpu/Cargo.toml")),
    ("src/lib.rs", include_str!("../templates/gpu/src/lib.rs")),
    ("src/encoding.rs", include_str!("../templates/gpu/src/encoding.rs")),
    ("src/lower.rs", include_str!("../templates/gpu/src/lower.rs")),
    ("src/ops.rs", include_str!("../templates/gpu/src/ops.rs")),
    ("src/pipeline.rs", include_str!("../templates/gpu/src/pipeline.rs")),
    ("src/regs.rs", include_str!("../templates/gpu/src/regs.rs")),
    ("src/rules.rs", include_str!("../templates/gpu/src/rules.rs")),
    ("src/syntax.rs", include_str!("../templates/gpu/src/syntax.rs")),
    ("tests/golden.rs", include_str!("../templates/gpu/tests/golden.rs")),
    ("tests/ops/mov.{{id}}", include_str!("../templates/gpu/tests/ops/mov.txt")),
    ("tests/ops/add.{{id}}", include_str!("../templates/gpu/tests/ops/add.txt")),
    ("tests/ops/end.{{id}}", include_str!("../templates/gpu/tests/ops/end.txt")),
    (
        "tests/err/{{letter}}0101_undefined_read.{{id}}",
        include_str!("../templates/gpu/tests/err/undefined_read.txt"),
    ),
    ("docs/index.md", include_str!("../templates/gpu/docs/index.md")),
    ("docs/spec.md", include_str!("../templates/gpu/docs/spec.md")),
    ("docs/disputes.md", include_str!("../templates/gpu/docs/disputes.md")),
];

/// `new-gpu ID LETTER NAME…`
pub fn run(args: &[String]) -> ExitCode {
    let [id, letter, name @ ..] = args else {
        eprintln!(
            "usage: cargo xtask new-gpu ID LETTER NAME\n\n  ID      folder and --gpu value, lower case: toygpu"
        );
        eprintln!(
            "  LETTER  first letter of its diagnostic codes, not taken yet: T\n  NAME    its full name"
        );
        return ExitCode::from(2);
    };
    if let Err(problem) = valid(id, letter).and_then(|()| unused(id)) {
        eprintln!("{problem}");
        return ExitCode::from(2);
    }
    let folder = crate::root().join("gpus").join(id);
    if folder.exists() {
        eprintln!("{} exists already", folder.display());
        return ExitCode::from(2);
    }
    // The name goes into Rust and TOML texts.
    let name = name.iter().map(|word| word.replace(['"', '\\'], "")).collect::<Vec<_>>();
    let name = if name.is_empty() { id.clone() } else { name.join(" ") };
    if let Err(error) = write(&folder, id, letter, &name) {
        eprintln!("{}: {error}", folder.display());
        return ExitCode::from(2);
    }
    println!("wrote {}", folder.display());
    println!("its tests run with `cargo test -p gpuzoo-{id}`");
    println!("to give it the verbs, add a line to the root Cargo.toml's dependencies:");
    println!("  gpuzoo-{id} = {{ path = \"gpus/{id}\", version = \"0.1.0\" }}");
    println!("one to those of crates/gpuzoo/Cargo.toml:");
    println!("  gpuzoo-{id}.workspace = true");
    println!("and one to GPUS in crates/gpuzoo/src/registry.rs:");
    println!("  &gpuzoo_{id}::GPU,");
    ExitCode::SUCCESS
}

fn valid(id: &str, letter: &str) -> Result<(), String> {
    let plain = |text: &str| {
        text.starts_with(|first: char| first.is_ascii_lowercase())
            && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    if !plain(id) {
        return Err(format!(
            "`{id}` cannot be an id: it needs lower case letters and digits, a letter first"
        ));
    }
    if letter.len() != 1 || !letter.bytes().all(|byte| byte.is_ascii_uppercase()) {
        return Err(format!("`{letter}` is not one capital letter"));
    }
    match gpuzoo::codes::codes().find(|code| code.id.starts_with(letter)) {
        Some(code) => Err(format!("`{letter}` is taken: {} is {}", code.id, code.title)),
        None => Ok(()),
    }
}

/// The crates of all folders are called `gpuzoo-` and the folder's name.
fn unused(id: &str) -> Result<(), String> {
    let taken = ["crates", "apps"].into_iter().find(|folder| crate::root().join(folder).join(id).exists());
    match taken {
        Some(folder) => Err(format!("`{id}` is taken: gpuzoo-{id} is the crate in {folder}/{id}")),
        None => Ok(()),
    }
}

/// Writes the folder.
fn write(folder: &Path, id: &str, letter: &str, name: &str) -> std::io::Result<()> {
    let fill =
        |text: &str| text.replace("{{id}}", id).replace("{{letter}}", letter).replace("{{name}}", name);
    for (path, text) in FILES {
        let path = folder.join(fill(path));
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::write(path, fill(text))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn ids_and_letters_are_checked() {
        assert!(valid("toygpu", "Y").is_ok());
        for (id, letter) in
            [("Toy", "Y"), ("", "Y"), ("2d", "Y"), ("a-b", "Y"), ("toy", "y"), ("toy", "YY"), ("toy", "A")]
        {
            assert!(valid(id, letter).is_err(), "{id} {letter}");
        }
        assert!(unused("toygpu").is_ok());
        for id in ["cli", "engine", "ir"] {
            assert!(unused(id).is_err(), "{id}");
        }
    }

    /// The folder as written builds, and its golden tests pass.
    #[test]
    fn a_new_gpu_passes_its_tests() {
        let root = crate::root();
        // A workspace of its own below `target`, so that a failure leaves nothing in the tree.
        let home = root.join("target/new-gpu-test");
        let _ = std::fs::remove_dir_all(&home);
        write(&home.join("gpus/toygpu"), "toygpu", "Y", "Toy GPU").unwrap();
        let manifest = std::fs::read_to_string(root.join("Cargo.toml")).unwrap();
        let manifest = manifest.replace("\"crates/", &format!("\"{}/crates/", root.display()));
        let members = manifest.lines().map(|line| match line.starts_with("members") {
            true => "members = [\"gpus/toygpu\"]".to_owned(),
            false if line.starts_with("default-members") => String::new(),
            false => line.to_owned(),
        });
        std::fs::write(home.join("Cargo.toml"), members.collect::<Vec<_>>().join("\n")).unwrap();
        std::fs::copy(root.join("Cargo.lock"), home.join("Cargo.lock")).unwrap();
        std::fs::copy(root.join("rustfmt.toml"), home.join("rustfmt.toml")).unwrap();
        let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
        let formatted = |args: &[&str]| {
            let output = Command::new(&cargo).arg("fmt").args(args).current_dir(&home).output().unwrap();
            (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned())
        };
        if formatted(&["--version"]).0 {
            let (clean, diff) = formatted(&["--check"]);
            assert!(clean, "{diff}");
        }
        let output = Command::new(cargo).args(["test", "--quiet"]).current_dir(&home).output().unwrap();
        let text =
            format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{text}");
        assert!(text.contains("6 passed"), "{text}");
        let _ = std::fs::remove_dir_all(&home);
    }
}
