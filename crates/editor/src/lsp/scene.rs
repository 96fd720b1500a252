//! Scenes: the tables of their settings, by the headers and keys that stand on lines. A scene that is being written is rarely
//! TOML, so its lines are looked at, not its meaning.

use crate::lsp::analysis::beside;
use crate::lsp::answer::{Icon, Item, Shown, block};
use crate::lsp::request::Request;
use crate::lsp::text::word_start;
use crate::wire::uri::uri_of;
use gpuzoo::Gpu;
use gpuzoo::explain::{Page, explain};
use gpuzoo::machine::options::keys::Key;
use gpuzoo::scene::keys::{Place, SECTIONS, Section, section};
use serde_json::{Value as Json, json};
use std::ops::Range;

/// A header: `[mesh.pot]`, `[[draw]]`.
struct Header<'t> {
    /// Its line.
    line: usize,
    /// Its bytes.
    bytes: Range<usize>,
    /// The names between its brackets.
    parts: Vec<&'t str>,
}

/// The header of a line, if it is one.
fn header(line: &str) -> Option<Vec<&str>> {
    let inner = line.trim().strip_prefix('[')?;
    let inner = inner.strip_prefix('[').unwrap_or(inner);
    let inner = &inner[..inner.find(']').unwrap_or(inner.len())];
    Some(inner.split('.').map(|part| part.trim().trim_matches(['"', '\''])).collect())
}

/// All headers. A list that goes on over lines has none of them: its lines begin with blanks, or with two brackets and numbers.
fn headers<'t>(request: &Request<'t>) -> Vec<Header<'t>> {
    let text: &'t _ = &request.document.text;
    let of_line = |line: usize| {
        let bytes = text.line(line);
        let own = text.all().get(bytes.clone())?;
        let is_header = own.starts_with('[') && !own.contains(',') && !own.contains('=');
        let parts = header(own).filter(|parts| is_header && parts.iter().all(|part| is_name(part)))?;
        Some(Header { line, bytes: bytes.start..bytes.start + own.trim_end().len(), parts })
    };
    (0..text.lines()).filter_map(of_line).collect()
}

fn is_name(part: &str) -> bool {
    part.starts_with(|first: char| first.is_alphabetic() || first == '_')
}

/// The table that a line of the text stands in.
enum Table {
    /// One whose settings are the same for all machines.
    Known(&'static Section),
    /// The settings of the machine's fixed function.
    State,
}

/// The path of the settings of a draw that are the machine's.
const STATE: &str = "scene.draw.state";

/// The table of a header's names; the top of the file has none.
fn table(parts: &[&str]) -> Option<Table> {
    let path =
        |parts: &[&str]| std::iter::once("scene").chain(parts.iter().copied()).collect::<Vec<_>>().join(".");
    if path(parts) == STATE {
        return Some(Table::State);
    }
    // The last part of `mesh.pot` is a name of the scene's own, and a draw's camera is as the scene's.
    let found = section(&path(parts)).or_else(|| match parts {
        ["draw", own] => section(&path(&[own])),
        [before @ .., _] => section(&path(before)),
        [] => None,
    });
    found.map(Table::Known)
}

/// What stands at a byte.
struct At<'t> {
    /// The table of the line.
    table: Option<Table>,
    /// The table in braces around the byte, if it is one that is known.
    inner: Option<Table>,
    /// What is before the byte on its line.
    before: &'t str,
    /// The key before the `=` whose value the byte is in.
    key: Option<&'t str>,
}

fn at<'t>(request: &Request<'t>, at: usize) -> At<'t> {
    let text: &'t _ = &request.document.text;
    let line = text.place(at).0;
    let headers = headers(request);
    let above = headers.iter().rev().find(|header| header.line < line);
    let parts: Vec<&str> = above.map_or(Vec::new(), |header| header.parts.clone());
    let before: &'t str = text.all().get(text.line(line).start..at).unwrap_or("");
    let before_key = |text: &'t str| {
        let key = text.trim_end();
        let key = &key[word_start(key, key.len())..];
        (!key.is_empty()).then_some(key)
    };
    let open = before.rfind('{').filter(|open| before.rfind('}').is_none_or(|close| close < *open));
    let key_of = |text: &'t str| text.rsplit_once('=').and_then(|(key, _)| before_key(key));
    let inner = open.and_then(|open| {
        let key = key_of(&before[..open])?;
        let within: Vec<&str> = parts.iter().copied().chain([key]).collect();
        table(&within).or_else(|| table(&[key]))
    });
    let own = &before[open.map_or(0, |open| open + 1)..];
    let own = if open.is_some() { own.rsplit(',').next().unwrap_or("") } else { own };
    At { table: table(&parts), inner, before, key: key_of(own) }
}

/// The machine that the scene names.
fn gpu(request: &Request) -> Option<&'static dyn Gpu> {
    let line = request
        .document
        .text
        .all()
        .lines()
        .find(|line| key_value(line).is_some_and(|(key, _)| key == "gpu"))?;
    let (_, value) = key_value(line)?;
    request.around.registry.by_id(value.trim_matches(['"', '\'']))
}

/// Key and value of a line, without a comment.
fn key_value(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once('=')?;
    Some((key.trim(), value.split('#').next().unwrap_or("").trim()))
}

/// The page of the key or the header at a byte.
pub(crate) fn hover(request: &Request, offset: usize) -> Option<Shown> {
    let text = request.document.text.all();
    let start = word_start(text, offset);
    let length = text[start..].find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    let bytes = start..length.map_or(text.len(), |length| start + length);
    let word = text.get(bytes.clone()).filter(|word| !word.is_empty())?;
    let found = at(request, bytes.start);
    let page = |topic: &str| match explain(request.around.registry, gpu(request), &[topic]).ok()? {
        page @ (Page::Topic(_) | Page::Several(_)) => Some(block(&page.text())),
        _ => None,
    };
    let is_header = headers(request).iter().any(|header| header.bytes.contains(&bytes.start));
    if is_header {
        return Some((page(&format!("scene.{word}"))?, bytes));
    }
    // Values are the scene's own.
    let is_key = text[bytes.end..].trim_start_matches([' ', '\t']).starts_with('=');
    if !is_key {
        return None;
    }
    let topic = match found.inner.or(found.table)? {
        Table::Known(section) => format!("{}.{word}", section.path),
        Table::State => format!("{STATE}.{word}"),
    };
    Some((page(&topic)?, bytes))
}

/// What may stand at a byte: headers, keys, or values.
pub(crate) fn complete(request: &Request, offset: usize) -> (Vec<Item>, Range<usize>) {
    let text = request.document.text.all();
    let found = at(request, offset);
    let line = offset - found.before.len();
    if found.before.trim_start().starts_with('[') && found.key.is_none() {
        let headers = SECTIONS.iter().filter_map(|own| match own.place {
            Place::Below(header) => Some(Item::new(header, Icon::Module, own.about)),
            _ => None,
        });
        let state = Item::new("[draw.state]", Icon::Module, "the settings of the machine's fixed function");
        // Editors close brackets themselves.
        let behind = text[offset..].bytes().take_while(|byte| *byte == b']').count();
        return (headers.chain([state]).collect(), line..offset + behind);
    }
    let start = word_start(text, offset);
    let Some(key) = found.key else {
        let keys: Vec<Item> = match found.inner.as_ref().or(found.table.as_ref()) {
            Some(Table::Known(section)) => section.keys.iter().map(|own| key_item(&own.key)).collect(),
            Some(Table::State) => gpu(request)
                .map_or(Vec::new(), |gpu| gpu.about().settings.iter().map(|own| key_item(*own)).collect()),
            None => Vec::new(),
        };
        return (keys, start..offset);
    };
    let quote = usize::from(start > line && text[..start].ends_with('"'));
    let behind = usize::from(quote == 1 && text[offset..].starts_with('"'));
    (values(request, &found, key), start - quote..offset + behind)
}

fn key_item(key: &dyn Key) -> Item {
    let takes = key.takes();
    let about = if takes.is_empty() { key.about().to_owned() } else { format!("{} ({takes})", key.about()) };
    Item::new(key.name(), Icon::Property, about)
}

/// Values of a key that are words.
fn values(request: &Request, found: &At, key: &str) -> Vec<Item> {
    let quoted = |name: &str, about: &str| Item::new(format!("\"{name}\""), Icon::EnumMember, about);
    match key {
        "gpu" => {
            let units = request.around.registry.shader_units();
            return units.map(|unit| quoted(unit.about().id, unit.about().summary)).collect();
        }
        "profile" => {
            let profiles = gpu(request).map_or(&[][..], |gpu| gpu.about().profiles);
            return profiles.iter().map(|(name, about)| quoted(name, about)).collect();
        }
        _ => {}
    }
    // `program = "light"` names a `[program.light]`.
    let of_kind = headers(request);
    let of_kind = of_kind.iter().filter_map(|header| match header.parts[..] {
        [kind, name] if names_table(key, kind) => Some(quoted(name, "")),
        _ => None,
    });
    let names: Vec<Item> = of_kind.collect();
    if !names.is_empty() {
        return names;
    }
    let takes = match found.inner.as_ref().or(found.table.as_ref()) {
        Some(Table::Known(section)) => {
            section.keys.iter().find(|own| own.key.name() == key).map(|own| own.key.takes())
        }
        Some(Table::State) => gpu(request)
            .and_then(|gpu| gpu.about().settings.iter().find(|own| own.name() == key).map(|own| own.takes())),
        None => None,
    };
    // Words stand between backticks in what a key takes.
    let takes = takes.unwrap_or_default();
    let words = takes.split('`').skip(1).step_by(2);
    let is_word = |word: &&str| {
        *word == "true" || *word == "false" || word.len() > 2 && word.starts_with('"') && word.ends_with('"')
    };
    words.filter(is_word).map(|word| Item::new(word, Icon::EnumMember, "")).collect()
}

/// Whether a key's value names a table of a kind.
pub(crate) fn names_table(key: &str, kind: &str) -> bool {
    match kind {
        "program" => matches!(key, "program" | "fragment"),
        "mesh" => key == "mesh",
        "texture" => matches!(key, "texture" | "textures"),
        "target" => matches!(key, "target" | "texture" | "textures"),
        _ => false,
    }
}

/// Where the table or the file is that the value at a byte names.
pub(crate) fn definition(request: &Request, offset: usize) -> Option<Json> {
    let text = request.document.text.all();
    let line = request.document.text.line(request.document.text.place(offset).0);
    let own = &text[line.clone()];
    // The text in quotes around the byte.
    let place = offset - line.start;
    let start = own[..place].rfind('"')? + 1;
    let end = place + own[place..].find('"')?;
    let name = own.get(start..end)?;
    let found = at(request, line.start + start);
    let key = found.key?;
    if key == "file" {
        let path = beside(&request.document.path, name);
        let zero = json!({ "line": 0, "character": 0 });
        return Some(json!({ "uri": uri_of(&path), "range": { "start": zero, "end": zero } }));
    }
    let headers = headers(request);
    let header = headers
        .iter()
        .find(|header| matches!(header.parts[..], [kind, own] if own == name && names_table(key, kind)))?;
    Some(json!({ "uri": request.document.uri, "range": request.document.text.range(header.bytes.clone()) }))
}

/// The lines of each header's table, with the header.
fn tables<'t>(request: &Request<'t>) -> Vec<(Header<'t>, usize)> {
    let text = &request.document.text;
    let headers = headers(request);
    let ends: Vec<usize> = headers.iter().skip(1).map(|header| header.line).chain([text.lines()]).collect();
    let is_empty = |line: usize| text.all()[text.line(line)].trim().is_empty();
    let last = |start: usize, end: usize| (start..end).rev().find(|line| !is_empty(*line)).unwrap_or(start);
    headers
        .into_iter()
        .zip(ends)
        .map(|(header, end)| {
            let last = last(header.line, end);
            (header, last)
        })
        .collect()
}

/// The tables of a scene.
pub(crate) fn symbols(request: &Request) -> Json {
    let text = &request.document.text;
    let shown = tables(request).into_iter().map(|(header, last)| {
        let all = text.range(header.bytes.start..text.line(last).end);
        let name = header.parts.join(".");
        json!({ "name": name, "kind": 3, "range": all, "selectionRange": text.range(header.bytes) })
    });
    shown.collect()
}

/// The tables of a scene that have lines.
pub(crate) fn folds(request: &Request) -> Json {
    let tables = tables(request).into_iter().filter(|(header, last)| *last > header.line);
    tables
        .map(|(header, last)| json!({ "startLine": header.line, "endLine": last, "kind": "region" }))
        .collect()
}
