//! `cargo xtask book`: the pages below `docs`, and those that they lead to, as a website with search.
//!
//! The pages are read where they lie: their links work on the website as they do in the repository, because the
//! website has the repository's folders.

mod browser;
mod links;
mod markdown;
mod site;

use std::path::Path;
use std::process::{Command, ExitCode};

/// The program that makes the website.
const TOOL: &str = "mdbook";

/// Checks the pages' links, builds the website, and checks that too, in a browser if there is one.
pub fn run(_: &[String]) -> ExitCode {
    let root = crate::root();
    let problems = links::problems(&root);
    if !problems.is_empty() {
        return failed(&problems);
    }
    if !is_installed(TOOL) {
        println!("{TOOL} is not installed: the links are right, and the website is not built");
        return ExitCode::SUCCESS;
    }
    let folder = crate::target().join("book");
    let html = folder.join("html");
    if let Err(error) = stage(&root, &folder) {
        return failed(&[format!("{}: {error}", folder.display())]);
    }
    match Command::new(TOOL).arg("build").arg(&folder).status() {
        Ok(status) if status.success() => {}
        Ok(_) => return ExitCode::FAILURE,
        Err(error) => return failed(&[format!("{TOOL}: {error}")]),
    }
    let problems = site::problems(&html);
    if !problems.is_empty() {
        return failed(&problems);
    }
    match browser::problems(&html, &folder) {
        None => println!("Chromium is not installed: the website was not looked at in a browser"),
        Some(problems) if problems.is_empty() => {}
        Some(problems) => return failed(&problems),
    }
    println!("{}", html.join("index.html").display());
    ExitCode::SUCCESS
}

fn failed(problems: &[String]) -> ExitCode {
    problems.iter().for_each(|problem| eprintln!("{problem}"));
    ExitCode::FAILURE
}

fn is_installed(tool: &str) -> bool {
    Command::new(tool).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// Copies the pages, and the files that they link to, into a folder that is laid out as the repository is.
fn stage(root: &Path, folder: &Path) -> std::io::Result<()> {
    let source = folder.join("src");
    if source.exists() {
        std::fs::remove_dir_all(&source)?;
    }
    let summary = std::fs::read_to_string(root.join(links::SUMMARY))?;
    write(&source.join("SUMMARY.md"), markdown::rebased(&summary, "docs").as_bytes())?;
    for path in links::files(root) {
        write(&source.join(&path), &std::fs::read(root.join(&path))?)?;
    }
    for name in ["book.toml", "book.css"] {
        write(&folder.join(name), &std::fs::read(root.join("docs").join(name))?)?;
    }
    Ok(())
}

fn write(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(path, bytes)
}
