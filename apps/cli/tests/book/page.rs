//! What a page has that can be tried.

/// A part of a page, in its order.
pub enum Part {
    /// A text that the reader saves under a name: "Save this as `NAME`:", then a block.
    File { name: String, text: String },
    /// A command, and the lines that the page shows as its output.
    Command(Command),
    /// A picture in `docs/pictures`, which a command on the page has written.
    Picture { name: String },
    /// A text in Rust.
    Rust { text: String },
}

pub struct Command {
    /// Its line, counted from 0.
    pub line: usize,
    pub command: String,
    pub output: Vec<String>,
}

/// A line that stands for any lines.
pub const ANY: &str = "…";

/// The parts of a page; a message for one that cannot be tried.
pub fn parts(page: &str) -> Result<Vec<Part>, String> {
    let lines: Vec<&str> = page.lines().collect();
    let mut parts = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let line = lines[at];
        if let Some(language) = line.trim_start().strip_prefix("```") {
            let end = (at + 1..lines.len()).find(|end| lines[*end].trim_start().starts_with("```"));
            let end = end.ok_or(format!("line {}: the block has no end", at + 1))?;
            block(language, at + 1, &lines[at + 1..end], saved(&lines[..at]), &mut parts)?;
            at = end;
        } else {
            let text = line.trim_start();
            if text != line && ["gpuzoo ", "$ "].iter().any(|start| text.starts_with(start)) {
                return Err(format!("line {}: a command outside of `sh` and `console`", at + 1));
            }
            parts.extend(line.split("](").skip(1).filter_map(picture));
        }
        at += 1;
    }
    Ok(parts)
}

/// The name under which a block is to be saved, by the paragraph in front of it.
fn saved(before: &[&str]) -> Option<String> {
    let written = before.iter().rev().skip_while(|line| line.is_empty());
    let mut paragraph: Vec<&str> = written.take_while(|line| !line.is_empty()).copied().collect();
    paragraph.reverse();
    let text = paragraph.join(" ");
    let (_, name) = text.strip_suffix("`:")?.rsplit_once(" as `")?;
    Some(name.to_owned())
}

fn picture(target: &str) -> Option<Part> {
    let path = target.split_once(')')?.0;
    let name = path.rsplit_once("pictures/")?.1;
    Some(Part::Picture { name: name.to_owned() })
}

fn block(
    language: &str,
    first: usize,
    lines: &[&str],
    saved: Option<String>,
    parts: &mut Vec<Part>,
) -> Result<(), String> {
    if let Some(name) = saved {
        parts.push(Part::File { name, text: lines.iter().map(|line| format!("{line}\n")).collect() });
        return Ok(());
    }
    match language {
        "rust" => parts.push(Part::Rust { text: lines.join("\n") }),
        "sh" => {
            let commands =
                lines.iter().enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
            parts.extend(commands.map(|(index, line)| {
                Part::Command(Command {
                    line: first + index,
                    command: (*line).to_owned(),
                    output: Vec::new(),
                })
            }));
        }
        "console" => {
            for (index, line) in lines.iter().enumerate() {
                match (line.strip_prefix("$ "), parts.last_mut()) {
                    (Some(command), _) => parts.push(Part::Command(Command {
                        line: first + index,
                        command: command.to_owned(),
                        output: Vec::new(),
                    })),
                    (None, Some(Part::Command(last))) if index > 0 => last.output.push((*line).to_owned()),
                    _ => return Err(format!("line {}: output without a command", first + index + 1)),
                }
            }
        }
        "" | "text" => {
            if let Some(line) =
                lines.iter().position(|line| line.starts_with("$ ") || line.starts_with("gpuzoo "))
            {
                return Err(format!("line {}: a command outside of `sh` and `console`", first + line + 1));
            }
        }
        _ => {}
    }
    Ok(())
}

/// Whether a command printed what a page shows: these lines in this order, [`ANY`] in place of any others.
pub fn shows(printed: &[&str], shown: &[String]) -> bool {
    let mut rest = printed;
    let mut pieces = shown.split(|line| line == ANY);
    // The first piece may begin anywhere, and so may one behind `…`.
    pieces.all(|piece| {
        let found = (0..=rest.len()).find(|at| {
            rest.len() - at >= piece.len() && rest[*at..].iter().zip(piece).all(|(one, other)| one == other)
        });
        if let Some(at) = found {
            rest = &rest[at + piece.len()..];
        }
        found.is_some()
    })
}
