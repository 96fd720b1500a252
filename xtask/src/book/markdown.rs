//! What of Markdown the checks need: links and headings, outside of code.

/// A link as it is written, and its line.
#[derive(Debug, PartialEq)]
pub struct Link<'a> {
    pub line: usize,
    pub target: &'a str,
}

/// The lines outside of code blocks, with their numbers.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut in_code = false;
    text.lines().enumerate().filter_map(move |(index, line)| {
        let is_fence = line.trim_start().starts_with("```");
        in_code ^= is_fence;
        (!in_code && !is_fence).then_some((index + 1, line))
    })
}

/// The targets of `[text](target)` and `![text](target)`.
pub fn links(text: &str) -> Vec<Link<'_>> {
    let mut links = Vec::new();
    for (line, text) in prose(text) {
        let mut rest = text;
        let mut in_code = false;
        while let Some(at) = rest.find(['`', ']']) {
            let is_link = !in_code && rest[at..].starts_with("](");
            in_code ^= rest[at..].starts_with('`');
            rest = &rest[at + 1..];
            if is_link && let Some(end) = rest.find(')') {
                links.push(Link { line, target: &rest[1..end] });
                rest = &rest[end..];
            }
        }
    }
    links
}

/// The anchors of the headings, as mdBook and GitHub make them; the second of a name is `name-1`.
pub fn anchors(text: &str) -> Vec<String> {
    let mut anchors: Vec<String> = Vec::new();
    let headings = prose(text).filter_map(|(_, line)| {
        let title = line.trim_start_matches('#');
        (title.len() < line.len() && title.starts_with(' ')).then(|| title.trim())
    });
    for heading in headings {
        let anchor: String = heading
            .chars()
            .filter(|letter| letter.is_alphanumeric() || "-_ ".contains(*letter))
            .flat_map(|letter| if letter == ' ' { vec!['-'] } else { letter.to_lowercase().collect() })
            .collect();
        let same = |number: usize| if number == 0 { anchor.clone() } else { format!("{anchor}-{number}") };
        let number = (0..).find(|number| !anchors.contains(&same(*number))).unwrap_or(0);
        anchors.push(same(number));
    }
    anchors
}

/// A path that a page in a folder links to, from the root; none if it leads out of it.
pub fn resolved(folder: &str, target: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            _ => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// A text of which the links count from a folder, with links that count from the root.
pub fn rebased(text: &str, folder: &str) -> String {
    let mut rebased = String::new();
    let mut rest = text;
    for Link { target, .. } in links(text) {
        let (before, after) = rest.split_once(&format!("]({target})")).unwrap_or((rest, ""));
        let target = resolved(folder, target).unwrap_or_default();
        rebased += &format!("{before}]({target})");
        rest = after;
    }
    rebased + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_and_anchors_are_found_outside_of_code() {
        let page =
            "# One `two`, three\n[a](b.md#c) `[no](x)` ![p](q.png)\n```\n[no](y)\n# no\n```\n## A\n## A\n";
        let found: Vec<_> = links(page).iter().map(|link| (link.line, link.target)).collect();
        assert_eq!(found, [(2, "b.md#c"), (2, "q.png")]);
        assert_eq!(anchors(page), ["one-two-three", "a", "a-1"]);
    }

    #[test]
    fn paths_are_resolved_below_the_root() {
        assert_eq!(resolved("docs/x", "../../gpus/./a.md").as_deref(), Some("gpus/a.md"));
        assert_eq!(resolved("docs", "../../a.md"), None);
        assert_eq!(rebased("- [A](a.md)\n- [B](../b.md)\n", "docs"), "- [A](docs/a.md)\n- [B](b.md)\n");
    }
}
