//! What editors ask for: texts laid out, and answers of the language server at any place of any text.

use crate::bytes::choice;
use crate::sound::sound;
use gpuzoo::Registry;
use gpuzoo::codes::FORMAT_CHANGES;
use gpuzoo::format::{checked, format};
use gpuzoo::machine::TextOptions;
use gpuzoo_editor::lsp::{NoFiles, Server};
use serde_json::{Value as Json, json};

/// A file of each machine, of each extension that has a language of its own, and a scene.
const NAMES: [&str; 8] = ["a.vu", "a.vsh", "a.vp", "a.xvs", "a.pico", "a.svs", "a.s", "a.toml"];

/// A text that assembles can be laid out; that is done once, and changes no meaning.
pub(crate) fn layout(bytes: &[u8]) {
    let (bytes, choice) = choice(bytes);
    let texts = &NAMES[..NAMES.len() - 1];
    let name = texts[choice % texts.len()];
    let [gpu] = Registry::default().by_extension(name)[..] else { return };
    let text = String::from_utf8_lossy(bytes);
    let options = TextOptions::default();
    match checked(gpu, name, &text, &options) {
        Ok(done) => assert_eq!(format(gpu, &done, &options), done, "{text:?}"),
        Err(problems) => {
            assert!(!problems.has(&FORMAT_CHANGES), "{text:?}: {problems}");
            sound(&problems.sources, &problems.list);
        }
    }
}

/// All that a document can be asked at a place, before and after something is typed there.
pub(crate) fn server(bytes: &[u8]) {
    let (bytes, choice) = choice(bytes);
    let text = String::from_utf8_lossy(bytes);
    let uri = format!("file:///{}", NAMES[choice % NAMES.len()]);
    let mut server = Server::new(Registry::default(), &NoFiles);
    server.handle(&json!({ "id": 0, "method": "initialize", "params": {} }));
    let document = json!({ "uri": uri, "languageId": "", "version": 0, "text": text });
    server.handle(&json!({ "method": "textDocument/didOpen", "params": { "textDocument": document } }));
    // The same place for the same input, any of the text.
    let place = bytes.iter().fold(choice, |sum, byte| sum.wrapping_mul(31) + usize::from(*byte));
    let line = place % (text.lines().count() + 1);
    let units = text.lines().nth(line).map_or(0, |line| line.encode_utf16().count());
    let position = json!({ "line": line, "character": place / 7 % (units + 1) });
    asked(&mut server, &uri, &position);
    let range = json!({ "start": position, "end": position });
    let typed = ["\n", "\"", "r0", ".", "\u{1f600}", "["][place % 6];
    let change = json!({ "range": range, "text": typed });
    let document = json!({ "uri": uri, "version": 1 });
    let params = json!({ "textDocument": document, "contentChanges": [change] });
    server.handle(&json!({ "method": "textDocument/didChange", "params": params }));
    assert_eq!(server.settle().len(), 1);
    asked(&mut server, &uri, &position);
}

/// Each request has a result, or says why there is none.
fn asked(server: &mut Server, uri: &str, position: &Json) {
    let end = json!({ "line": u32::MAX, "character": 0 });
    let range = json!({ "start": { "line": 0, "character": 0 }, "end": end });
    let context = json!({ "includeDeclaration": true, "diagnostics": [] });
    let params = json!({
        "textDocument": { "uri": uri }, "position": position, "newName": "other", "range": range, "context": context,
    });
    for method in [
        "hover",
        "completion",
        "definition",
        "references",
        "prepareRename",
        "rename",
        "documentSymbol",
        "formatting",
        "semanticTokens/full",
        "inlayHint",
        "foldingRange",
        "codeAction",
    ] {
        let method = format!("textDocument/{method}");
        let reply = server.handle(&json!({ "id": 1, "method": method, "params": params }));
        let code = reply[0].pointer("/error/code").and_then(Json::as_i64);
        // What cannot be done fails with this code.
        assert!(code.is_none_or(|code| code == -32803), "{method}: {}", reply[0]);
    }
}
