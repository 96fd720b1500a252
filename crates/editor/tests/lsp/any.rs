//! Any messages in any order are answered: each request once, and nothing panics.

use gpuzoo::Registry;
use gpuzoo::isa::numbers;
use gpuzoo_editor::lsp::{NoFiles, Server};
use serde_json::{Value as Json, json};

const METHODS: [&str; 20] = [
    "initialize",
    "initialized",
    "shutdown",
    "textDocument/didOpen",
    "textDocument/didOpen",
    "textDocument/didChange",
    "textDocument/didChange",
    "textDocument/didClose",
    "textDocument/didSave",
    "textDocument/hover",
    "textDocument/completion",
    "textDocument/definition",
    "textDocument/references",
    "textDocument/rename",
    "textDocument/documentSymbol",
    "textDocument/formatting",
    "textDocument/semanticTokens/full",
    "textDocument/inlayHint",
    "textDocument/foldingRange",
    "textDocument/codeAction",
];

const NAMES: [&str; 9] = ["a.vu", "a.vsh", "a.vp", "a.pico", "a.svs", "a.s", "a.toml", "a.txt", "\u{e4}.vsh"];

const WORDS: [&str; 44] = [
    "mov",
    "add",
    "ld",
    "st",
    "r0",
    "r1.x",
    "v0",
    "oPos",
    "c[A0+5]",
    ",",
    ";",
    "+",
    "#light",
    " vector ",
    "5",
    "!!VP1.0\n",
    "vs.1.1\n",
    "/*",
    "*/",
    "// no",
    "\n",
    "\n",
    " ",
    "\t",
    "\r\n",
    "\r",
    " = ",
    ":",
    "loop",
    "@a",
    "\"",
    "'",
    "\\\n",
    "$2a",
    "lda #",
    ".proc ",
    ".endproc",
    "#define A ",
    "#include \"b\"",
    "\u{e4}\u{1f600}",
    "[draw.state]\n",
    "[mesh.a]\n",
    "gpu = \"nv2a\"\n",
    "{ cull = ",
];

fn value(pick: &mut dyn FnMut(u32) -> u32) -> Json {
    match pick(8) {
        0 => Json::Null,
        1 => json!(-1),
        2 => json!(u64::MAX),
        3 => json!("\u{1f600}"),
        4 => json!([]),
        5 => json!({}),
        6 => json!(1.5),
        _ => json!([{ "text": 1 }, { "range": {} }, null]),
    }
}

fn position(pick: &mut dyn FnMut(u32) -> u32) -> Json {
    match pick(12) {
        0 => value(pick),
        1 => json!({ "line": u64::MAX, "character": u64::MAX }),
        _ => json!({ "line": pick(6), "character": pick(14) }),
    }
}

fn text(pick: &mut dyn FnMut(u32) -> u32) -> String {
    (0..pick(20)).map(|_| WORDS[pick(WORDS.len() as u32) as usize]).collect()
}

fn params(pick: &mut dyn FnMut(u32) -> u32) -> Json {
    if pick(20) == 0 {
        return value(pick);
    }
    let range = json!({ "start": position(pick), "end": position(pick) });
    let uri = format!("file:///w/{}", NAMES[pick(NAMES.len() as u32) as usize]);
    let change = match pick(3) {
        0 => json!({ "text": text(pick) }),
        _ => json!({ "range": range, "text": text(pick) }),
    };
    let new_name = ["other", "@b", "mov", "", "\u{e4}"][pick(5) as usize];
    let mut params = json!({
        "textDocument": { "uri": uri, "languageId": "", "version": pick(9), "text": text(pick) },
        "contentChanges": [change],
        "position": position(pick),
        "range": range,
        "newName": new_name,
        "context": { "includeDeclaration": pick(2) == 0, "diagnostics": [] },
    });
    if pick(10) == 0 {
        let members: Vec<String> = params.as_object().unwrap().keys().cloned().collect();
        params[&members[pick(members.len() as u32) as usize]] = value(pick);
    }
    params
}

#[test]
fn every_request_has_one_reply() {
    for seed in 0..60 {
        let mut pick = numbers(seed);
        let mut server = Server::new(Registry::default(), &NoFiles);
        if seed % 4 != 0 {
            server.handle(&json!({ "id": 0, "method": "initialize", "params": {} }));
        }
        for id in 1..150 {
            let method = METHODS[pick(METHODS.len() as u32) as usize];
            let is_request = pick(6) > 0 && !method.contains("/did");
            let mut message = json!({ "jsonrpc": "2.0", "method": method, "params": params(&mut pick) });
            if is_request && method != "shutdown" || pick(200) == 0 {
                message["id"] = json!(id);
            }
            if pick(60) == 0 {
                message = value(&mut pick);
            }
            let replies = server.handle(&message);
            match message.get("id") {
                Some(id) => {
                    assert_eq!(replies.len(), 1, "{message}");
                    assert_eq!(replies[0]["id"], *id, "{message}");
                    assert!(
                        replies[0].get("result").is_some() != replies[0].get("error").is_some(),
                        "{message}"
                    );
                }
                None if message.get("method").is_some() => assert!(replies.is_empty(), "{message}"),
                None => assert_eq!(replies[0]["error"]["code"], -32600, "{message}"),
            }
            if pick(3) == 0 {
                let shown = server.settle();
                assert!(shown.iter().all(|shown| shown["method"] == "textDocument/publishDiagnostics"));
            }
        }
    }
}

/// All that a document can be asked, at every place of texts that are cut off anywhere.
#[test]
fn every_place_of_a_text_can_be_asked_about() {
    let texts = [
        ("a.vu", "ld r0 0 // \u{e4}\nshf r0 r1 xyzw 0b1111\nst pos r0\n"),
        ("a.vsh", "#mvp matrix4 96\n%matmul4x4 oPos iPos #mvp\nmov oD0, v3.xyz + rcc r1.x, r12.w\n"),
        ("d.vsh", "xvs.1.1\n#define POS v0\n#if 1\nm4x4 oPos, POS, c0\n#endif\n"),
        ("a.vp", "!!VP1.0\nMOV o[HPOS], v[OPOS]; # \u{1f600}\nEND\n"),
        ("a.pico", "#vertexShader\n#input r0.xyz\n#output r1.xyzw\nmov r1.xyz r0\n"),
        ("a.svs", ".vertex\nDP4 P9.x, P0, U0; # place\n"),
        ("a.s", "row = $22\n.proc main\n@a: lda #row ; \u{e4}\n bne @a\n rts\n.endproc\n"),
        (
            "a.toml",
            "gpu = \"nv2a\"\n[program.p]\nfile = \"a.vsh\"\n[[draw]]\nprogram = \"p\"\nstate = { cull = \"back\" }\n",
        ),
    ];
    for (name, text) in texts {
        let mut pages = 0;
        let uri = format!("file:///{name}");
        let mut server = Server::new(Registry::default(), &NoFiles);
        server.handle(&json!({ "id": 0, "method": "initialize", "params": {} }));
        for (end, _) in text.char_indices().chain([(text.len(), ' ')]) {
            let document = json!({ "uri": uri, "languageId": "", "version": 1, "text": &text[..end] });
            server
                .handle(&json!({ "method": "textDocument/didOpen", "params": { "textDocument": document } }));
            assert_eq!(server.settle().len(), 1);
            let whole = end == text.len();
            let lines = text[..end].split('\n').enumerate();
            for (line, own) in lines.filter(|(line, _)| whole || *line + 1 == text[..end].split('\n').count())
            {
                let units = own.encode_utf16().count();
                for character in if whole { 0..units + 1 } else { units..units + 1 } {
                    let position = json!({ "line": line, "character": character });
                    for method in
                        ["hover", "completion", "definition", "references", "prepareRename", "rename"]
                    {
                        let params = json!({ "textDocument": { "uri": uri }, "position": position, "newName": "other" });
                        let method = format!("textDocument/{method}");
                        let reply = server.handle(&json!({ "id": 1, "method": method, "params": params }));
                        pages += usize::from(method.ends_with("hover") && !reply[0]["result"].is_null());
                        let code = reply[0].pointer("/error/code").and_then(Json::as_i64);
                        assert!(
                            code.is_none() || code == Some(-32803),
                            "{method} at {position}: {}",
                            reply[0]
                        );
                    }
                }
            }
        }
        assert!(pages > 10, "{name}: {pages}");
    }
}

/// A text that would take gigabytes is not read.
#[test]
fn long_documents_are_refused() {
    let mut server = Server::new(Registry::default(), &NoFiles);
    server.handle(&json!({ "id": 0, "method": "initialize", "params": {} }));
    let document =
        json!({ "uri": "file:///a.vu", "languageId": "", "version": 1, "text": " ".repeat((8 << 20) + 1) });
    server.handle(&json!({ "method": "textDocument/didOpen", "params": { "textDocument": document } }));
    let shown = server.settle();
    assert_eq!(shown[0]["params"]["diagnostics"][0]["code"], "R0703");
    let params = json!({ "textDocument": { "uri": "file:///a.vu" } });
    let reply =
        server.handle(&json!({ "id": 1, "method": "textDocument/semanticTokens/full", "params": params }));
    assert_eq!(reply[0]["result"]["data"], json!([]));
}
