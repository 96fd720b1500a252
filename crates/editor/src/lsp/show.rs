//! What is shown of all of a document: layout, colours, hints, folds.

use crate::lsp::document::What;
use crate::lsp::message::{ErrorCode, Failed};
use crate::lsp::request::{Answer, Request};
use crate::lsp::{scene, source};
use gpuzoo::diag::{FileId, Role, Severity};
use gpuzoo::isa::Mask;
use gpuzoo::machine::RunState;
use gpuzoo::{check, format};
use serde_json::json;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Range;

/// The types of semantic tokens, by their numbers.
pub(crate) const TOKEN_TYPES: [&str; 9] =
    ["comment", "keyword", "macro", "function", "variable", "parameter", "property", "number", "string"];

/// The number of a word's type; none for signs.
fn token_type(role: Role) -> Option<u32> {
    Some(match role {
        Role::Comment => 0,
        Role::Mnemonic => 1,
        Role::Directive => 2,
        Role::Label => 3,
        Role::Name => 4,
        Role::Register => 5,
        Role::Components => 6,
        Role::Number => 7,
        Role::Text => 8,
        Role::Mark => return None,
    })
}

/// All words with their types: five numbers for each, as the protocol packs them.
pub(crate) fn tokens(request: &Request) -> Answer {
    let text = &request.document.text;
    let mut data: Vec<usize> = Vec::new();
    let mut before = (0, 0);
    for lexeme in &request.analysis.lexemes {
        let Some(of_type) = token_type(lexeme.role) else { continue };
        // A token does not go on to another line.
        let [first, last] = [lexeme.start, lexeme.end].map(|at| text.place(at).0);
        for line in first..=last {
            let own = text.line(line);
            let Range { start, end } = own.start.max(lexeme.start)..own.end.min(lexeme.end);
            if start >= end {
                continue;
            }
            let (line, unit) = text.place(start);
            let length = text.place(end).1 - unit;
            let after = if line == before.0 { unit - before.1 } else { unit };
            data.extend([line - before.0, after, length, of_type as usize, 0]);
            before = (line, unit);
        }
    }
    Ok(json!({ "data": data }))
}

/// The text laid out, as one edit.
pub(crate) fn formatting(request: &Request) -> Answer {
    let Request { document, analysis, around, .. } = request;
    let Some(gpu) = analysis.what.gpu() else { return Ok(json!([])) };
    let (name, text) = (document.path.to_string_lossy(), document.text.all());
    let done = around.with_options(document, analysis.what, &RefCell::default(), |options| {
        format::checked(gpu, &name, text, options)
    });
    let done = done.map_err(|problems| {
        let first = problems.list.iter().find(|problem| problem.severity == Severity::Error);
        let why = first.map_or(String::new(), |problem| format!(": {}", problem.message));
        Failed::new(ErrorCode::RequestFailed, format!("a text with errors is not laid out{why}"))
    })?;
    if done == text {
        return Ok(json!([]));
    }
    // Lines that stay at the start and the end are left alone.
    let same = |(old, new): &(&str, &str)| old == new;
    let lines = |text: &str| text.split_inclusive('\n').map(str::len).collect::<Vec<_>>();
    let first = text.split_inclusive('\n').zip(done.split_inclusive('\n')).take_while(same);
    let start: usize = first.map(|(line, _)| line.len()).sum();
    let (old, new) = (lines(&text[start..]).len(), lines(&done[start..]).len());
    let behind = text[start..].split_inclusive('\n').rev().zip(done[start..].split_inclusive('\n').rev());
    let behind: usize = behind.take(old.min(new)).take_while(same).map(|(line, _)| line.len()).sum();
    let range = document.text.range(start..text.len() - behind);
    Ok(json!([{ "range": range, "newText": &done[start..done.len() - behind] }]))
}

/// The words behind each line with the number of temporaries that are in use there, and how much room the program takes, behind the first.
pub(crate) fn hints(request: &Request) -> Answer {
    let Request { document, analysis, params, .. } = request;
    if let What::Source(_) = analysis.what {
        return source::hints(request);
    }
    let wanted = params.get("range").and_then(|range| document.text.bytes(range));
    let wanted = wanted.unwrap_or(0..document.text.all().len());
    let mut of_lines: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    // The registers in use behind each line, which the last of its slots leaves.
    let mut live: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    let mut add = |span, words: String| {
        if let Some(bytes) = analysis.bytes(span, document) {
            of_lines.entry(document.text.place(bytes.end).0).or_default().push(words);
        }
    };
    let mut figures = None;
    if let Some(program) = &analysis.program {
        let (isa, code) = (program.isa(), program.code());
        let of_slots = program.gpu().lower(code, &RunState::default()).0.live(isa, code.slots.len());
        for (slot, own) in code.slots.iter().zip(of_slots) {
            let Some(bytes) = analysis.bytes(slot.span, document) else { continue };
            let named = own.iter().map(|(reg, mask)| match *mask {
                Mask::ALL => isa.reg_name(*reg),
                mask => format!("{}.{mask}", isa.reg_name(*reg)),
            });
            live.insert(document.text.place(bytes.end).0, named.collect());
        }
        for slot in code.slots.iter().filter(|slot| slot.span.file == FileId(0)) {
            let words = slot.words(isa).iter().map(|word| format!("{word:08x}"));
            add(slot.span, words.collect::<Vec<_>>().join(" "));
        }
        figures = Some(check::figures(program).text());
    }
    for placed in &analysis.placed {
        const SHOWN: usize = 8;
        let bytes: Vec<String> = placed.bytes.iter().take(SHOWN).map(|byte| format!("{byte:02x}")).collect();
        let more = if placed.bytes.len() > SHOWN { " …" } else { "" };
        add(placed.span, format!("{:04x}  {}{more}", placed.address, bytes.join(" ")));
    }
    let mut hints = Vec::new();
    if let Some(figures) =
        figures.as_deref().and_then(|text| Some((text.lines().next()?, text))).filter(|_| wanted.start == 0)
    {
        let (line, all) = figures;
        let position = json!({ "line": 0, "character": document.text.place(document.text.line(0).end).1 });
        hints.push(
            json!({ "position": position, "label": line, "tooltip": all.trim_end(), "paddingLeft": true }),
        );
    }
    for (line, words) in of_lines {
        let end = document.text.line(line).end;
        if !(wanted.start..=wanted.end).contains(&end) {
            continue;
        }
        let position = json!({ "line": line, "character": document.text.place(end).1 });
        let mut label = match &words[..] {
            [one] => one.clone(),
            [first, rest @ ..] => format!("{first}  and {} more", rest.len()),
            [] => continue,
        };
        let mut more = if words.len() > 1 { words } else { Vec::new() };
        if let Some(live) = live.remove(&line) {
            label += &format!("  {} live", live.len());
            more.extend((!live.is_empty()).then(|| format!("read from here on: {}", live.join(" "))));
        }
        let mut hint = json!({ "position": position, "label": label, "paddingLeft": true });
        if !more.is_empty() {
            hint["tooltip"] = more.join("\n").into();
        }
        hints.push(hint);
    }
    Ok(hints.into())
}

/// Comments of several lines, what has a beginning and an end, and a scene's tables.
pub(crate) fn folds(request: &Request) -> Answer {
    let Request { document, analysis, .. } = request;
    if let What::Scene = analysis.what {
        return Ok(scene::folds(request));
    }
    let text = &document.text;
    let mut folds: Vec<(usize, usize, &str)> = Vec::new();
    // The lines of the last comment, if nothing else stands on them.
    let mut comment: Option<(usize, usize)> = None;
    let mut open: Vec<(usize, &str)> = Vec::new();
    for lexeme in &analysis.lexemes {
        let [first, last] = [lexeme.start, lexeme.end].map(|at| text.place(at).0);
        let is_alone =
            text.all().get(text.line(first).start..lexeme.start).is_some_and(|own| own.trim().is_empty());
        match comment {
            Some((start, end)) if lexeme.role == Role::Comment && is_alone && first == end + 1 => {
                comment = Some((start, last));
            }
            _ => {
                folds.extend(comment.take().map(|(start, end)| (start, end, "comment")));
                comment = (lexeme.role == Role::Comment && is_alone).then_some((first, last));
            }
        }
        if lexeme.role == Role::Directive {
            block(lexeme.text(text.all()), first, &mut open, &mut folds);
        }
    }
    folds.extend(comment.map(|(start, end)| (start, end, "comment")));
    folds.sort_unstable();
    let folds = folds.into_iter().filter(|(start, end, _)| end > start);
    Ok(folds.map(|(start, end, kind)| json!({ "startLine": start, "endLine": end, "kind": kind })).collect())
}

/// What begins and ends with words: `.proc` and `.endproc`, `#ifdef` and `#endif`.
fn block<'t>(
    word: &'t str,
    line: usize,
    open: &mut Vec<(usize, &'t str)>,
    folds: &mut Vec<(usize, usize, &str)>,
) {
    const BLOCKS: [&str; 9] = ["if", "macro", "mac", "proc", "scope", "repeat", "rep", "struct", "enum"];
    let word = word.split_whitespace().next().unwrap_or("").trim_start_matches(['.', '#']);
    let starts = |word: &str, of: &str| word.get(..of.len()).is_some_and(|own| own.eq_ignore_ascii_case(of));
    if starts(word, "end") {
        // `.endmac` ends a `.macro`.
        let of = word[3..].to_ascii_lowercase();
        let found =
            open.iter().rposition(|(_, begun)| !of.is_empty() && (starts(begun, &of) || starts(&of, begun)));
        if let Some(at) = found {
            let (start, _) = open[at];
            open.truncate(at);
            folds.push((start, line.saturating_sub(1), "region"));
        }
    } else if BLOCKS.iter().any(|own| word.eq_ignore_ascii_case(own)) || starts(word, "if") {
        open.push((line, if starts(word, "if") { &word[..2] } else { word }));
    }
}
