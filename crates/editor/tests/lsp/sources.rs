//! Sources in shading languages are compiled for the machine that the editor says.

use gpuzoo::Registry;
use gpuzoo_editor::lsp::{NoFiles, Server};
use serde_json::{Value, json};

/// What the server says about a text: its diagnostics, and replies to requests with a position.
fn opened(gpu: &str, name: &str, text: &str, asked: &[(&str, usize)]) -> (Vec<Value>, Vec<Value>) {
    let mut server = Server::new(Registry::default(), &NoFiles);
    let options = json!({ "gpu": gpu });
    server
        .handle(&json!({ "id": 0, "method": "initialize", "params": { "initializationOptions": options } }));
    let uri = format!("file:///{name}");
    let document = json!({ "uri": uri, "languageId": "", "version": 0, "text": text });
    let mut messages =
        server.handle(&json!({ "method": "textDocument/didOpen", "params": { "textDocument": document } }));
    messages.extend(server.settle());
    let shown = messages.iter().find(|message| message["method"] == "textDocument/publishDiagnostics");
    let problems = shown.map(|message| message["params"]["diagnostics"].as_array().cloned());
    let mut replies = Vec::new();
    for (method, line) in asked {
        let position = json!({ "line": line, "character": 4 });
        let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
        let params = json!({ "textDocument": { "uri": uri }, "position": position, "range": range });
        let reply = server.handle(&json!({ "id": 1, "method": method, "params": params }));
        replies
            .extend(reply.into_iter().filter(|reply| reply["id"] == 1).map(|reply| reply["result"].clone()));
    }
    (problems.flatten().unwrap_or_default(), replies)
}

const LIT: &str = "@group(0) @binding(0) var<uniform> m: mat4x4f;\n\
    @vertex fn vs(@location(0) p: vec4f) -> @builtin(position) vec4f {\n    return m * p;\n}\n";

#[test]
fn problems_are_those_of_the_machine() {
    let (problems, _) = opened("dreambox", "a.wgsl", LIT, &[]);
    assert!(problems.is_empty(), "{problems:?}");
    let loops = LIT.replace("m * p", "m * p * q");
    let (problems, _) = opened("nv2a", "a.wgsl", &loops, &[]);
    assert_eq!(
        (problems[0]["code"].as_str(), &problems[0]["range"]["start"]["line"]),
        (Some("K0001"), &json!(2))
    );
    // What one machine has another has not.
    let root = LIT.replace("m * p", "sqrt(m * p)");
    assert!(opened("nv2a", "a.wgsl", &root, &[]).0.is_empty());
    let fragment = "@fragment fn fs(@location(0) c: vec4f) -> @location(0) vec4f { return c; }\n";
    assert!(opened("servaru", "a.wgsl", fragment, &[]).0.is_empty());
    assert_eq!(opened("nv2a", "a.wgsl", fragment, &[]).0[0]["severity"], 1);
    let (problems, _) = opened("nv2a", "a.vert", "#version 450\nvoid main() { gl_Position = x; }\n", &[]);
    assert_eq!(problems[0]["range"]["start"]["line"], 1);
    let (problems, _) = opened(
        "nv2a",
        "a.vs.cg",
        "void main(float4 p : POSITION,\n out float4 o : POSITION) { o = q; }\n",
        &[],
    );
    assert_eq!(
        (problems[0]["code"].as_str(), &problems[0]["range"]["start"]["line"]),
        (Some("K0207"), &json!(1))
    );
    // Without a machine there is nothing to say.
    assert!(opened("", "a.wgsl", &loops, &[]).0.is_empty());
}

#[test]
fn lines_say_what_they_became() {
    let (_, replies) = opened(
        "nv2a",
        "a.wgsl",
        LIT,
        &[("textDocument/hover", 2), ("textDocument/hover", 0), ("textDocument/inlayHint", 0)],
    );
    let [hover, nothing, hints] = &replies[..] else { panic!("{replies:?}") };
    let text = hover["contents"]["value"].as_str().unwrap();
    assert!(
        text.contains("slots of") && text.contains("MAD") && hover["range"]["start"]["line"] == 2,
        "{text}"
    );
    assert!(nothing.is_null(), "{nothing}");
    let labels: Vec<&str> =
        hints.as_array().unwrap().iter().filter_map(|hint| hint["label"].as_str()).collect();
    assert!(labels.len() > 1 && labels.iter().any(|label| label.ends_with("slots")), "{labels:?}");
}
