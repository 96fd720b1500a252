//! Names: where they are defined and used, and other ones in their place.

use crate::lsp::document::What;
use crate::lsp::message::{ErrorCode, Failed};
use crate::lsp::request::{Answer, Request};
use crate::lsp::{scene, scene_names};
use crate::wire::uri::uri_of;
use gpuzoo::diag::{Role, Span, Symbol, SymbolKind};
use gpuzoo::format;
use serde_json::{Map, Value as Json, json};
use std::cell::RefCell;
use std::ops::Range;

/// Where the name at the request's position is defined: another file for one that is included.
pub(crate) fn definition(request: &Request) -> Answer {
    let at = request.position()?;
    if let What::Scene = request.analysis.what {
        return Ok(scene::definition(request, at).unwrap_or_default());
    }
    let found = request.analysis.symbol(at, request.document, &request.around);
    Ok(found.and_then(|(symbol, _)| location(request, symbol.definition?)).unwrap_or_default())
}

/// All places of the name at the request's position.
pub(crate) fn references(request: &Request) -> Answer {
    let at = request.position()?;
    let with_definition =
        request.params.pointer("/context/includeDeclaration").and_then(Json::as_bool).unwrap_or(true);
    if let What::Scene = request.analysis.what {
        return Ok(scene_names::references(request, at, with_definition));
    }
    let Some((symbol, _)) = request.analysis.symbol(at, request.document, &request.around) else {
        return Ok(json!([]));
    };
    let defined = symbol.definition.filter(|_| with_definition && symbol.kind != SymbolKind::File);
    Ok(defined.iter().chain(&symbol.uses).filter_map(|span| location(request, *span)).collect())
}

/// A place as the protocol writes it.
fn location(request: &Request, span: Span) -> Option<Json> {
    let Request { document, analysis, around, .. } = request;
    let (path, bytes) = analysis.place(span, document, around)?;
    if path == document.path {
        return Some(json!({ "uri": document.uri, "range": document.text.range(bytes) }));
    }
    let (sources, _) = analysis.names(document, around);
    let file = sources.find(span.file)?;
    let place = |offset: usize| {
        let place = file.place(u32::try_from(offset).unwrap_or(u32::MAX));
        json!({ "line": place.line - 1, "character": place.column_utf16 - 1 })
    };
    Some(json!({ "uri": uri_of(&path), "range": { "start": place(bytes.start), "end": place(bytes.end) } }))
}

/// The name at a byte, if it can have another one.
fn renamed<'a>(request: &'a Request, at: usize) -> Option<(&'a Symbol, Range<usize>)> {
    let (symbol, bytes) = request.analysis.symbol(at, request.document, &request.around)?;
    (symbol.definition.is_some() && symbol.kind != SymbolKind::File).then_some((symbol, bytes))
}

/// Whether the name at the request's position can have another one, and which place of it is meant.
pub(crate) fn prepare_rename(request: &Request) -> Answer {
    let at = request.position()?;
    if let What::Scene = request.analysis.what {
        return Ok(scene_names::prepare_rename(request, at));
    }
    Ok(renamed(request, at).map_or(
        Json::Null,
        |(symbol, bytes)| json!({ "range": request.document.text.range(bytes), "placeholder": symbol.name }),
    ))
}

/// Another name in all places of the one at the request's position. What is assembled stays the same: that is tried, if all
/// places are in this document, and it is the program.
pub(crate) fn rename(request: &Request) -> Answer {
    let at = request.position()?;
    let Request { document, analysis, around, params } = request;
    let failed = |message: String| Err(Failed::new(ErrorCode::RequestFailed, message));
    let new = params.get("newName").and_then(Json::as_str);
    let new = new.ok_or_else(|| Failed::new(ErrorCode::InvalidParams, "a new name is needed"))?;
    if let What::Scene = analysis.what {
        return scene_names::rename(request, at, new);
    }
    let Some((symbol, _)) = renamed(request, at) else {
        return failed("this text defines no name that stands here".to_owned());
    };
    if !fits(request, symbol, new) {
        return failed(format!("`{}` cannot be a {}'s name", new.escape_debug(), symbol.kind.name()));
    }
    let (_, symbols) = analysis.names(document, around);
    if symbols.iter().any(|other| other.name == new && other.definition.is_some()) {
        return failed(format!("`{new}` is defined already"));
    }
    let mut own: Vec<Range<usize>> = Vec::new();
    let mut changes = Map::new();
    for span in symbol.places() {
        let Some((path, bytes)) = analysis.place(span, document, around) else { continue };
        let Some(mut edit) = location(request, span) else { continue };
        let uri = edit["uri"].as_str().unwrap_or_default().to_owned();
        let edit = json!({ "range": edit["range"].take(), "newText": new });
        if let Json::Array(edits) = changes.entry(uri).or_insert_with(|| json!([])) {
            edits.push(edit);
        }
        if path == document.path {
            own.push(bytes);
        }
    }
    if changes.len() == 1 && !analysis.is_part && !same_program(request, &mut own, new) {
        return failed(format!("with `{new}` the text would not assemble to what it does"));
    }
    Ok(json!({ "changes": changes }))
}

/// Whether a word can be a name of the kind that another one is.
fn fits(request: &Request, symbol: &Symbol, new: &str) -> bool {
    let Some(gpu) = request.analysis.what.gpu() else { return false };
    let bare = match symbol.name.strip_prefix('@') {
        Some(_) => new.strip_prefix('@').unwrap_or(""),
        None => new,
    };
    let is_name = !bare.is_empty()
        && bare.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && !bare.starts_with(|first: char| first.is_ascii_digit());
    // A word that the language has is none of the text's.
    let Request { document, analysis, around, .. } = request;
    let words = around.with_options(document, analysis.what, &RefCell::default(), |options| {
        format::lexemes(gpu, bare, options)
    });
    is_name && (symbol.name.starts_with('@') || words.iter().all(|word| word.role == Role::Name))
}

/// Whether the text assembles to the same with another name in some places.
fn same_program(request: &Request, places: &mut Vec<Range<usize>>, new: &str) -> bool {
    let Request { document, analysis, around, .. } = request;
    let Some(gpu) = analysis.what.gpu() else { return false };
    let (name, text) = (document.path.to_string_lossy(), document.text.all());
    places.sort_by_key(|place| place.start);
    let (mut changed, mut at) = (String::new(), 0);
    for place in places {
        changed += text.get(at..place.start).unwrap_or("");
        changed += new;
        at = place.end;
    }
    changed += text.get(at..).unwrap_or("");
    around.with_options(document, analysis.what, &RefCell::default(), |options| {
        let bytes = |text: &str| format::bytes(gpu, &name, text, options).ok();
        let before = bytes(text);
        before.is_some() && before == bytes(&changed)
    })
}

/// What a document defines.
pub(crate) fn symbols(request: &Request) -> Answer {
    let Request { document, analysis, around, .. } = request;
    if let What::Scene = analysis.what {
        return Ok(scene::symbols(request));
    }
    let (_, symbols) = analysis.names(document, around);
    let own = symbols.iter().filter(|symbol| symbol.kind != SymbolKind::File).filter_map(|symbol| {
        let (path, bytes) = analysis.place(symbol.definition?, document, around)?;
        (path == document.path).then_some((symbol, bytes))
    });
    let mut own: Vec<_> = own.collect();
    own.sort_by_key(|(_, bytes)| bytes.start);
    let shown = own.into_iter().map(|(symbol, bytes)| {
        let kind = match symbol.kind {
            SymbolKind::Label | SymbolKind::Macro => 12,
            SymbolKind::Constant => 14,
            SymbolKind::Uniform => 13,
            SymbolKind::Scope => 3,
            SymbolKind::File => 1,
        };
        let range = document.text.range(bytes);
        json!({ "name": symbol.name, "detail": symbol.about, "kind": kind, "range": range, "selectionRange": range })
    });
    Ok(shown.collect())
}
