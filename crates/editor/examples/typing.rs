//! How long the server takes while somebody types: `cargo run --release -p gpuzoo-editor --example typing [FILE…]`.
//!
//! Without files it is an NV2A program that fills the machine's 136 slots.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    reason = "a program that reads files and prints"
)]

use gpuzoo::Registry;
use gpuzoo_editor::lsp::{NoFiles, Server};
use serde_json::json;
use std::time::{Duration, Instant};

/// A program of 136 slots: a matrix, and 33 lights of which each has a pair.
fn full() -> String {
    let mut text = "#mvp matrix4 96\n#light vector 100\n%matmul4x4 oPos iPos #mvp\n".to_owned();
    for at in 0..33 {
        let r = 2 + at % 9;
        text += &format!("dp3 r{r}.x, iNormal, #light ; light {at}\nmul r{r}.xyz, r{r}.x, c[{}]", 110 + at);
        text += &format!(
            " + rsq r1.x, r{r}.x\nmad r{r}.xyz, r{r}, r1.x, iDiffuse\nadd oD0.xyz, r{r}, -v4.xyzz\n"
        );
    }
    text
}

/// What is asked after each letter.
const METHODS: [&str; 6] =
    ["semanticTokens/full", "inlayHint", "documentSymbol", "foldingRange", "hover", "completion"];

/// The middle of some times, and the longest.
fn show(what: &str, times: &mut [Duration]) {
    times.sort_unstable();
    let milliseconds = |time: Option<&Duration>| time.map_or(0.0, |time| time.as_secs_f64() * 1e3);
    let (middle, last) = (milliseconds(times.get(times.len() / 2)), milliseconds(times.last()));
    println!("  {what:<20} {middle:8.3} ms, at most {last:.3} ms");
}

fn main() {
    let named: Vec<String> = std::env::args().skip(1).collect();
    let read = |name: String| (std::fs::read_to_string(&name).unwrap_or_default(), name);
    let texts: Vec<(String, String)> = match named.is_empty() {
        true => vec![(full(), "full.vsh".to_owned())],
        false => named.into_iter().map(read).collect(),
    };
    for (text, name) in texts {
        let uri = format!("file:///{name}");
        let mut server = Server::new(Registry::default(), &NoFiles);
        server.handle(&json!({ "id": 0, "method": "initialize", "params": {} }));
        let document = json!({ "uri": uri, "languageId": "", "version": 0, "text": text });
        server.handle(&json!({ "method": "textDocument/didOpen", "params": { "textDocument": document } }));
        let found = server.settle();
        let found = found[0]["params"]["diagnostics"].as_array().map_or(0, Vec::len);
        println!("{name}, {} lines, {found} diagnostics", text.lines().count());
        let (mut typed, mut asked) = (Vec::new(), vec![Vec::new(); METHODS.len()]);
        for round in 0..400 {
            // A blank is typed at the start of a line, and taken away.
            let line = round / 2 * 7 % text.lines().count().max(1);
            let place = |character: usize| json!({ "line": line, "character": character });
            let end = round % 2;
            let typed_text = [" ", ""][end];
            let range = json!({ "start": place(0), "end": place(end) });
            let change = json!({ "range": range, "text": typed_text });
            let document = json!({ "uri": uri, "version": round });
            let params = json!({ "textDocument": document, "contentChanges": [change] });
            let begun = Instant::now();
            server.handle(&json!({ "method": "textDocument/didChange", "params": params }));
            let shown = server.settle();
            typed.push(begun.elapsed());
            assert_eq!(shown.len(), 1);
            for (method, times) in METHODS.iter().zip(&mut asked) {
                let params = json!({ "textDocument": { "uri": uri }, "position": place(5) });
                let request =
                    json!({ "id": 1, "method": format!("textDocument/{method}"), "params": params });
                let begun = Instant::now();
                let reply = server.handle(&request);
                times.push(begun.elapsed());
                assert!(reply[0].get("error").is_none(), "{}", reply[0]);
            }
        }
        show("diagnostics", &mut typed);
        METHODS.iter().zip(&mut asked).for_each(|(method, times)| show(method, times));
    }
}
