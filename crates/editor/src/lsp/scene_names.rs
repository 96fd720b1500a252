//! The names that a scene gives: of programs, meshes, textures and targets.

use crate::lsp::document::{Analysis, Document};
use crate::lsp::message::{ErrorCode, Failed};
use crate::lsp::request::{Answer, Request};
use crate::lsp::scene::names_table;
use crate::lsp::text::Text;
use crate::lsp::toml::{Of, Word, words};
use gpuzoo::diag::Role;
use serde_json::{Value as Json, json};
use std::ops::Range;

/// Tables whose second part is a name of the scene's. Draws name textures and targets alike.
const NAMED: [&str; 4] = ["program", "mesh", "texture", "target"];

/// A name, and everywhere that it stands.
struct Name<'t> {
    text: &'t str,
    /// The place that was asked about.
    here: Range<usize>,
    /// Headers of its table.
    headers: Vec<Range<usize>>,
    uses: Vec<Range<usize>>,
}

/// The kinds of things whose name a word is.
fn kinds(text: &str, word: &Word) -> Vec<&'static str> {
    let of = |range: &Range<usize>| text.get(range.clone()).unwrap_or("");
    match &word.of {
        Of::Header(1, first) => NAMED.into_iter().filter(|kind| *kind == of(first)).collect(),
        Of::Value(key) if word.role == Role::Text => {
            NAMED.into_iter().filter(|kind| names_table(of(key), kind)).collect()
        }
        _ => Vec::new(),
    }
}

/// The name at a byte.
fn name<'t>(request: &Request<'t>, at: usize) -> Option<Name<'t>> {
    let text = request.document.text.all();
    let words = words(text);
    let here = words.iter().find(|word| (word.whole.start..=word.whole.end).contains(&at))?;
    let own = kinds(text, here);
    let name = text.get(here.bytes.clone()).filter(|name| !own.is_empty() && !name.is_empty())?;
    let mut found = Name { text: name, here: here.bytes.clone(), headers: Vec::new(), uses: Vec::new() };
    let alike = |kind: &&str| {
        own.contains(kind)
            || matches!(*kind, "texture" | "target")
                && own.iter().any(|own| matches!(*own, "texture" | "target"))
    };
    for word in &words {
        if text.get(word.bytes.clone()) == Some(name) && kinds(text, word).iter().any(alike) {
            let places = if let Of::Header(..) = word.of { &mut found.headers } else { &mut found.uses };
            places.push(word.bytes.clone());
        }
    }
    Some(found)
}

/// All places of the name at a byte.
pub(crate) fn references(request: &Request, at: usize, with_definition: bool) -> Json {
    let Some(Name { headers, uses, .. }) = name(request, at) else { return json!([]) };
    let document = request.document;
    let all = headers.into_iter().filter(|_| with_definition).chain(uses);
    all.map(|bytes| json!({ "uri": document.uri, "range": document.text.range(bytes) })).collect()
}

/// The name at a byte, if it can have another one.
pub(crate) fn prepare_rename(request: &Request, at: usize) -> Json {
    let name = name(request, at).filter(|name| !name.headers.is_empty());
    name.map_or(
        Json::Null,
        |name| json!({ "range": request.document.text.range(name.here), "placeholder": name.text }),
    )
}

/// Another name in all places of the one at a byte. What is wrong with the scene stays the same: that is tried.
pub(crate) fn rename(request: &Request, at: usize, new: &str) -> Answer {
    let failed = |message: String| Err(Failed::new(ErrorCode::RequestFailed, message));
    let Request { document, analysis, around, .. } = request;
    let Some(name) = name(request, at).filter(|name| !name.headers.is_empty()) else {
        return failed("this scene defines no name that stands here".to_owned());
    };
    let is_bare = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    if new.is_empty() || !new.bytes().all(is_bare) {
        return failed(format!("`{}` is not a name of letters, digits, `_` and `-`", new.escape_debug()));
    }
    let mut places: Vec<Range<usize>> = name.headers.into_iter().chain(name.uses).collect();
    places.sort_by_key(|place| place.start);
    let (text, mut changed, mut end) = (document.text.all(), String::new(), 0);
    for place in &places {
        changed += text.get(end..place.start).unwrap_or("");
        changed += new;
        end = place.end;
    }
    changed += text.get(end..).unwrap_or("");
    let changed = Document {
        uri: document.uri.clone(),
        path: document.path.clone(),
        language: document.language.clone(),
        text: Text::new(changed),
        ..Document::default()
    };
    let codes =
        |analysis: &Analysis| analysis.problems.iter().map(|problem| problem.code.id).collect::<Vec<_>>();
    if codes(&Analysis::of(&changed, around)) != codes(analysis) {
        return failed(format!("with `{new}` the scene would not be what it is: the name may be taken"));
    }
    let edits =
        places.into_iter().map(|place| json!({ "range": document.text.range(place), "newText": new }));
    Ok(json!({ "changes": { document.uri.as_str(): edits.collect::<Json>() } }))
}
