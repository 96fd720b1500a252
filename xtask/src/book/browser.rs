//! The website in a headless Chromium: no message on its console, no picture missing, no page wider than a phone, and a
//! search that finds.

use std::path::Path;
use std::process::Command;

/// What Chromium is called.
const NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// A page that opens all pages in a frame as wide as a phone, and writes down what is wrong with them.
const LOOK: &str = include_str!("look.html");

/// What is wrong; none where there is no Chromium.
pub fn problems(html: &Path, folder: &Path) -> Option<Vec<String>> {
    let chromium = NAMES.into_iter().find(|name| super::is_installed(name))?;
    Some(look(chromium, html, folder).unwrap_or_else(|error| vec![format!("{chromium}: {error}")]))
}

fn look(chromium: &str, html: &Path, folder: &Path) -> std::io::Result<Vec<String>> {
    let names: Vec<String> = super::site::pages(html)
        .iter()
        .filter_map(|path| path.strip_prefix(html).ok())
        .map(|path| path.to_string_lossy().replace('\\', "/"))
        .filter(|name| name != "toc.html")
        .collect();
    let page = html.join("look.html");
    std::fs::write(&page, LOOK.replace("PAGES", &serde_json::json!(names).to_string()))?;
    let mut command = Command::new(chromium);
    command.args(["--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files"]);
    command.args([
        "--enable-logging=stderr",
        "--virtual-time-budget=600000",
        "--timeout=300000",
        "--dump-dom",
    ]);
    command.arg(format!("--user-data-dir={}", folder.join("chromium").display()));
    let done = command.arg(format!("file://{}", page.display())).output();
    std::fs::remove_file(&page)?;
    let done = done?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ok(found(&text(&done.stdout), &text(&done.stderr), names.len()))
}

/// What the page wrote down, and what Chromium's console had.
fn found(document: &str, console: &str, pages: usize) -> Vec<String> {
    let console = console.lines().filter(|line| line.contains(":CONSOLE")).map(str::to_owned);
    let mut problems: Vec<String> = console.collect();
    let report = document.split_once("<pre id=\"report\">").and_then(|(_, rest)| rest.split_once("</pre>"));
    let Some((report, _)) = report else {
        problems.push("the browser did not open the page that looks at the others".to_owned());
        return problems;
    };
    let (wrong, looked): (Vec<&str>, Vec<&str>) =
        report.lines().partition(|line| !line.starts_with("looked at "));
    problems.extend(wrong.into_iter().filter(|line| !line.is_empty()).map(str::to_owned));
    if looked != [format!("looked at {pages} pages")] {
        problems.push(format!("the browser did not look at all of {pages} pages: {looked:?}"));
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_browser_says_is_read() {
        let report = |text: &str| format!("<html><pre id=\"report\">{text}</pre></html>");
        assert_eq!(found(&report("looked at 2 pages\n"), "", 2), [""; 0]);
        let console = "[1:INFO:CONSOLE:3] \"no\", source: x (3)\n[2:ERROR:gpu] none\n";
        assert_eq!(found(&report("looked at 2 pages\n"), console, 2).len(), 1);
        assert_eq!(found(&report("a.html: is 400 pixels wide\nlooked at 2 pages\n"), "", 2).len(), 1);
        assert_eq!(found(&report("looked at 1 pages\n"), "", 2).len(), 1);
        assert_eq!(found("", "", 2).len(), 1);
    }
}
