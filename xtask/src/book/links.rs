//! The book's pages, and whether what they link to is there. No tool is needed for it, so a test does it.

use super::markdown::{Link, anchors, links, resolved};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The list of pages.
pub const SUMMARY: &str = "docs/SUMMARY.md";

/// Folders whose pages are all in the book, and whose pictures are all on a page.
const WHOLE: [&str; 1] = ["docs"];

/// The pages by their paths from the root, in the book's order.
fn pages(root: &Path) -> Vec<String> {
    let summary = read(root, SUMMARY);
    links(&summary).iter().filter_map(|link| resolved("docs", link.target)).collect()
}

fn read(root: &Path, path: &str) -> String {
    std::fs::read_to_string(root.join(path)).unwrap_or_default()
}

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn is_outside(target: &str) -> bool {
    ["https://", "http://", "mailto:"].iter().any(|scheme| target.starts_with(scheme))
}

/// All pages and the files that they link to, from the root.
pub fn files(root: &Path) -> BTreeSet<String> {
    let mut files = BTreeSet::new();
    for page in pages(root) {
        let text = read(root, &page);
        let targets = links(&text).into_iter().filter(|link| !is_outside(link.target));
        let linked = targets.filter_map(|link| {
            let path = link.target.split('#').next().unwrap_or("");
            (!path.is_empty() && !path.ends_with(".md")).then(|| resolved(folder(&page), path)).flatten()
        });
        files.extend(linked);
        files.insert(page);
    }
    files
}

/// What is wrong with the pages' links.
pub fn problems(root: &Path) -> Vec<String> {
    let pages = pages(root);
    let texts: BTreeMap<&str, String> = pages.iter().map(|page| (page.as_str(), read(root, page))).collect();
    let mut problems = Vec::new();
    for (index, page) in pages.iter().enumerate() {
        if pages[..index].contains(page) {
            problems.push(format!("{SUMMARY}: {page} is in the book twice"));
        }
        if texts[page.as_str()].is_empty() {
            problems.push(format!("{SUMMARY}: {page} is empty, or is not there"));
        }
    }
    for (page, text) in &texts {
        for Link { line, target } in links(text) {
            if let Some(problem) = problem(root, page, target, &texts) {
                problems.push(format!("{page}:{line}: {target}: {problem}"));
            }
        }
    }
    let files = files(root);
    for whole in WHOLE {
        let mut found = Vec::new();
        walk(root, whole, &mut found);
        for path in found {
            let is_meant = path.ends_with(".md") || path.ends_with(".png");
            if is_meant && path != SUMMARY && !files.contains(&path) {
                problems.push(format!("{path}: is on no page of {SUMMARY}"));
            }
        }
    }
    problems
}

/// What is wrong with a link of a page.
fn problem(root: &Path, page: &str, target: &str, texts: &BTreeMap<&str, String>) -> Option<String> {
    if is_outside(target) {
        return None;
    }
    let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
    let path = match path {
        "" => page.to_owned(),
        _ => match resolved(folder(page), path) {
            Some(path) => path,
            None => return Some("leads out of the repository".to_owned()),
        },
    };
    if !root.join(&path).is_file() {
        return Some("there is no such file".to_owned());
    }
    match texts.get(path.as_str()) {
        None if path.ends_with(".md") => Some(format!("{SUMMARY} does not have the page")),
        Some(text) if !anchor.is_empty() && !anchors(text).iter().any(|known| known == anchor) => {
            Some("the page has no such heading".to_owned())
        }
        _ => None,
    }
}

fn walk(root: &Path, folder: &str, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(root.join(folder)).into_iter().flatten().flatten() {
        let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() { walk(root, &path, found) } else { found.push(path) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_link_of_the_book_is_broken() {
        let problems = problems(&crate::root());
        assert!(problems.is_empty(), "{}", problems.join("\n"));
    }

    #[test]
    fn broken_links_are_found() {
        let root = crate::root();
        let page = "# A\n[a](architecture.md#the-folders) [b](#a) [c](#b) [d](none.md) [e](../../x)\n[f](SUMMARY.md)";
        let architecture = read(&root, "docs/architecture.md");
        let texts =
            BTreeMap::from([("docs/page.md", page.to_owned()), ("docs/architecture.md", architecture)]);
        let wrong = |target| problem(&root, "docs/page.md", target, &texts).is_some();
        let found: Vec<bool> = links(page).iter().map(|link| wrong(link.target)).collect();
        // The page itself is not a file, so its own anchors are broken, too.
        assert_eq!(found, [false, true, true, true, true, true]);
    }

    /// What a page says to type is a task.
    #[test]
    fn tasks_on_pages_exist() {
        let root = crate::root();
        for page in pages(&root) {
            for (_, rest) in
                read(&root, &page).match_indices("cargo xtask ").map(|(at, text)| (at, at + text.len()))
            {
                let text = &read(&root, &page)[rest..];
                let name: String =
                    text.chars().take_while(|letter| letter.is_ascii_lowercase() || *letter == '-').collect();
                assert!(name.is_empty() || crate::is_task(&name), "{page}: there is no task {name}");
            }
        }
    }
}
