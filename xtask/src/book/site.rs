//! The website's own links, after mdBook made it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What a page has: its anchors, and what it refers to.
#[derive(Default)]
struct Page {
    anchors: BTreeSet<String>,
    targets: BTreeSet<String>,
}

/// Links that lead nowhere.
pub fn problems(html: &Path) -> Vec<String> {
    let pages: BTreeMap<PathBuf, Page> = pages(html)
        .into_iter()
        .filter_map(|path| Some((path.clone(), read(&std::fs::read_to_string(path).ok()?))))
        .collect();
    let mut problems = Vec::new();
    for (path, page) in &pages {
        for target in &page.targets {
            if let Some(problem) = problem(path, target, &pages) {
                problems.push(format!("{}: {target}: {problem}", path.display()));
            }
        }
    }
    if pages.len() < 2 {
        problems.push(format!("{}: has no pages", html.display()));
    }
    problems
}

fn problem(page: &Path, target: &str, pages: &BTreeMap<PathBuf, Page>) -> Option<&'static str> {
    if target.contains(':') {
        return None;
    }
    let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
    let path = path.split('?').next().unwrap_or("");
    let mut file = page.to_path_buf();
    for part in path.split('/').filter(|part| !part.is_empty()) {
        if file.is_file() {
            file.pop();
        }
        if part == ".." {
            file.pop();
        } else if part != "." {
            file.push(part);
        }
    }
    match pages.get(&file) {
        None if !file.is_file() => Some("there is no such file"),
        Some(page) if !anchor.is_empty() && !page.anchors.contains(anchor) => Some("there is no such place"),
        _ => None,
    }
}

fn read(text: &str) -> Page {
    let values = |attribute: &str| -> Vec<String> {
        let start = format!(" {attribute}=\"");
        let values = text.split(&start).skip(1).filter_map(|rest| Some(rest.split_once('"')?.0.to_owned()));
        values.collect()
    };
    Page {
        anchors: values("id").into_iter().collect(),
        targets: values("href").into_iter().chain(values("src")).collect(),
    }
}

/// The pages in a folder and below, in order.
pub fn pages(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut pages: Vec<PathBuf> = entries
        .flat_map(|entry| if entry.path().is_dir() { pages(&entry.path()) } else { vec![entry.path()] })
        .filter(|path| path.extension().is_some_and(|extension| extension == "html"))
        .collect();
    pages.sort();
    pages
}
