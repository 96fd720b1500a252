//! `initializationOptions`: the options of reading documents.

use gpuzoo::Registry;
use gpuzoo_editor::lsp::{NoFiles, Server};
use serde_json::{Value as Json, json};

/// A server with some settings, and the messages that it shows.
fn server(options: Json) -> (Server<'static>, Vec<String>) {
    let mut server = Server::new(Registry::default(), &NoFiles);
    let said = server
        .handle(&json!({ "id": 0, "method": "initialize", "params": { "initializationOptions": options } }));
    assert_eq!(said[0]["result"]["serverInfo"]["name"], "gpuzoo");
    let texts = said[1..].iter().map(|own| {
        assert_eq!((&own["method"], &own["params"]["type"]), (&json!("window/showMessage"), &json!(1)));
        own["params"]["message"].as_str().unwrap().to_owned()
    });
    let texts = texts.collect();
    (server, texts)
}

/// The codes of the problems of a text.
fn codes(server: &mut Server, name: &str, text: &str) -> Vec<String> {
    let document = json!({ "uri": format!("file:///{name}"), "languageId": "", "version": 0, "text": text });
    server.handle(&json!({ "method": "textDocument/didOpen", "params": { "textDocument": document } }));
    let shown = server.settle();
    let problems = shown[0]["params"]["diagnostics"].as_array().unwrap();
    problems.iter().map(|own| own["code"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn documents_are_read_with_the_options() {
    let (mut own, said) = server(
        json!({ "gpu": "nv2a", "dialect": "d3d", "define": ["P=v0"], "position": "clip", "stage": null }),
    );
    assert_eq!(said, [""; 0]);
    assert_eq!(codes(&mut own, "a.txt", "xvs.1.1\nmov oPos, P\n"), [""; 0]);
    // A machine without dialects, macros and places of positions.
    let text = "ld r0 0\nst pos r0\nst col r0\n";
    assert_eq!(codes(&mut own, "a.vu", text), codes(&mut server(json!({})).0, "a.vu", text));
    let two = "@vertex fn a(@location(0) p: vec4f) -> @builtin(position) vec4f { return p; }\n\
               @vertex fn b(@location(0) p: vec4f) -> @builtin(position) vec4f { return p; }\n";
    assert_eq!(codes(&mut server(json!({ "gpu": "nv2a" })).0, "a.wgsl", two).len(), 1);
    assert_eq!(
        codes(&mut server(json!({ "gpu": "nv2a", "entry": "b", "position": "clip" })).0, "a.wgsl", two),
        [""; 0]
    );
}

#[test]
fn problems_with_the_options_are_shown() {
    for (options, code, help) in [
        (json!({ "dialekt": "vp" }), "(G0141)", "did you mean `dialect`?"),
        (json!({ "defines": ["P=v0"] }), "(G0141)", "did you mean `define`?"),
        (json!({ "draw": 1 }), "(G0141)", "one program"),
        (json!({ "position": "clop" }), "(G0140)", "did you mean `clip`?"),
        (json!({ "gpu": 1 }), "(G0140)", "`gpu`"),
        (json!("nv2a"), "(G0140)", "object"),
    ] {
        let (_, said) = server(options.clone());
        assert!(said.len() == 1 && said[0].contains(code) && said[0].contains(help), "{options}: {said:?}");
    }
    let (_, said) = server(json!({ "gpu": "nv2b" }));
    assert!(said.len() == 1 && said[0].contains("nv2a"), "{said:?}");
    assert_eq!(server(Json::Null).1, [""; 0]);
}
