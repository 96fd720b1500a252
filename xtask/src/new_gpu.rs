//! `cargo xtask new-gpu`: the folder of a new machine, with three instructions that work.
//!
//! It is a copy of `xtask/templates/gpu`, which is a crate of this workspace: what is written here builds and passes its
//! tests because that one does.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The template's own id, name and letter, wherever they occur in file names and texts.
const ID: &str = "template";
const NAME: &str = "Template GPU";
const CODE: &str = "Z0101";

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
    let written = files(id, letter, &name).and_then(|files| {
        files.into_iter().try_for_each(|(path, text)| {
            let path = folder.join(path);
            path.parent().map_or(Ok(()), std::fs::create_dir_all)?;
            std::fs::write(path, text)
        })
    });
    if let Err(error) = written {
        eprintln!("{}: {error}", folder.display());
        return ExitCode::from(2);
    }
    println!("wrote {}", folder.display());
    println!("its tests run with `cargo test -p gpuzoo-{id}`");
    println!("to give it the verbs, add a line to the root Cargo.toml's dependencies:");
    println!("  gpuzoo-{id} = {{ path = \"gpus/{id}\", version = \"0.1.0\" }}");
    println!("to crates/gpuzoo/Cargo.toml a dependency, and a feature that `machines` includes:");
    println!("  gpuzoo-{id} = {{ workspace = true, optional = true }}");
    println!("  {id} = [\"dep:gpuzoo-{id}\"]");
    println!("and to the list in crates/gpuzoo/src/machines.rs:");
    println!("  {id}: Machine = gpuzoo_{id}::GPU, \"{id}\" {{ gpuzoo_{id} as {id} }}");
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
    // The page has a heading for every code; a test of `apps/dev` keeps it so.
    let page = crate::root().join("docs/reference/diagnostics.md");
    let page = std::fs::read_to_string(&page).map_err(|error| format!("{}: {error}", page.display()))?;
    match page.lines().find(|line| line.strip_prefix("## ").is_some_and(|code| code.starts_with(letter))) {
        Some(heading) => Err(format!("`{letter}` is taken: there is {}", &heading[3..])),
        None => Ok(()),
    }
}

/// The crates of all folders are called `gpuzoo-` and the folder's name.
fn unused(id: &str) -> Result<(), String> {
    let taken = ["crates", "apps"].into_iter().find(|folder| crate::root().join(folder).join(id).exists());
    match taken {
        Some(folder) => Err(format!("`{id}` is taken: gpuzoo-{id} is the crate in {folder}/{id}")),
        None if id == ID => Err(format!("`{id}` is taken: gpuzoo-{id} is what new machines are copied from")),
        None => Ok(()),
    }
}

/// The files of a new machine: where they go in its folder, and what is in them.
fn files(id: &str, letter: &str, name: &str) -> std::io::Result<Vec<(PathBuf, String)>> {
    let template = crate::root().join("xtask/templates/gpu");
    let code = format!("{letter}{}", &CODE[1..]);
    let fill = |text: &str| text.replace(NAME, name).replace(ID, id).replace(CODE, &code);
    let mut files = Vec::new();
    walk(&template, &mut |path| {
        let inside = path.strip_prefix(&template).unwrap_or(path).to_string_lossy();
        files.push((PathBuf::from(fill(&inside)), fill(&std::fs::read_to_string(path)?)));
        Ok(())
    })?;
    Ok(files)
}

fn walk(folder: &Path, file: &mut impl FnMut(&Path) -> std::io::Result<()>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() { walk(&path, file)? } else { file(&path)? }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_and_letters_are_checked() {
        assert!(valid("toygpu", "Y").is_ok());
        for (id, letter) in
            [("Toy", "Y"), ("", "Y"), ("2d", "Y"), ("a-b", "Y"), ("toy", "y"), ("toy", "YY"), ("toy", "A")]
        {
            assert!(valid(id, letter).is_err(), "{id} {letter}");
        }
        assert!(unused("toygpu").is_ok());
        for id in ["cli", "engine", "ir", "template"] {
            assert!(unused(id).is_err(), "{id}");
        }
    }

    /// Nothing of the template's own names is left, and every file has a place.
    #[test]
    fn a_new_gpu_is_the_template_under_its_own_name() {
        let files = files("toygpu", "Y", "Toy GPU").unwrap();
        for (path, text) in &files {
            let all = format!("{}\n{text}", path.display());
            assert!(!all.to_lowercase().contains(ID) && !all.contains("Z0"), "{all}");
        }
        let of = |name: &str| &files.iter().find(|file| file.0 == Path::new(name)).unwrap().1;
        assert!(of("Cargo.toml").contains("name = \"gpuzoo-toygpu\"\ndescription = \"Toy GPU\""));
        assert!(of("src/rules.rs").contains("\"Y0101\""));
        assert!(of("tests/err/Y0101_undefined_read.toygpu").contains("Y0101"));
        assert!(of("tests/ops/mov.toygpu").contains("mov"));
    }
}
