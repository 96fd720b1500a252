//! `lsp`: a session of an editor with each machine's texts, over standard input and output.

use crate::common::{command, done, gpuzoo, raw, receive_frame, scratch, send_frame};
use serde_json::{Value as Json, json};
use std::io::{BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

/// An editor.
pub struct Editor {
    server: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    /// Requests so far.
    asked: u64,
    /// The open document: its URI and its text.
    pub uri: String,
    text: String,
}

impl Editor {
    /// One that has said hello.
    pub fn new() -> Editor {
        let mut editor = Editor::silent();
        let hello =
            editor.ask("initialize", json!({ "processId": null, "rootUri": null, "capabilities": {} }));
        assert_eq!(hello["capabilities"]["positionEncoding"], "utf-16");
        editor.say("initialized", json!({}));
        editor
    }

    fn silent() -> Editor {
        let mut server = command(&["lsp"]).stdin(Stdio::piped()).spawn().unwrap();
        let (to, from) = (server.stdin.take().unwrap(), BufReader::new(server.stdout.take().unwrap()));
        Editor { server, to, from, asked: 0, uri: String::new(), text: String::new() }
    }

    fn send(&mut self, message: &Json) {
        send_frame(&mut self.to, message);
    }

    fn receive(&mut self) -> Json {
        receive_frame(&mut self.from)
    }

    fn say(&mut self, method: &str, params: Json) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// The reply to a request.
    fn reply(&mut self, method: &str, params: Json) -> Json {
        self.asked += 1;
        let id = self.asked;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        loop {
            let message = self.receive();
            if message["id"] == id {
                return message;
            }
        }
    }

    /// The result of a request.
    fn ask(&mut self, method: &str, params: Json) -> Json {
        let mut reply = self.reply(method, params);
        assert!(reply.get("error").is_none(), "{reply}");
        reply["result"].take()
    }

    /// Opens a document; returns what is wrong with it.
    pub fn open(&mut self, name: &str, text: &str) -> Vec<Json> {
        let uri = if name.starts_with('/') {
            format!("file://{name}")
        } else {
            format!("file:///work space/{name}")
        };
        (self.uri, self.text) = (uri.replace(' ', "%20"), text.to_owned());
        let document = json!({ "uri": self.uri, "languageId": "", "version": 1, "text": text });
        self.say("textDocument/didOpen", json!({ "textDocument": document }));
        self.problems()
    }

    /// What is wrong with the document, which the server says by itself.
    pub fn problems(&mut self) -> Vec<Json> {
        loop {
            let mut message = self.receive();
            if message["method"] == "textDocument/publishDiagnostics" && message["params"]["uri"] == self.uri
            {
                let Json::Array(list) = message["params"]["diagnostics"].take() else { panic!("{message}") };
                return list;
            }
        }
    }

    /// The position of a byte, counted here in another way than the server does.
    fn position(&self, at: usize) -> Json {
        let before = &self.text[..at];
        let line = before.matches('\n').count();
        let own = before.rsplit('\n').next().unwrap();
        json!({ "line": line, "character": own.encode_utf16().count() })
    }

    /// The range of the first text of this kind.
    fn range(&self, of: &str) -> Json {
        let at = self.text.find(of).unwrap_or_else(|| panic!("no `{of}`"));
        json!({ "start": self.position(at), "end": self.position(at + of.len()) })
    }

    /// What is asked about the first letter of the first text of this kind.
    pub fn at(&mut self, method: &str, of: &str) -> Json {
        let position = self.range(of)["start"].clone();
        self.ask(method, json!({ "textDocument": { "uri": self.uri }, "position": position }))
    }

    /// What is asked about the document.
    fn of_document(&mut self, method: &str) -> Json {
        self.ask(method, json!({ "textDocument": { "uri": self.uri } }))
    }

    /// The page that is shown of the first text of this kind.
    fn hover(&mut self, of: &str) -> String {
        self.at("textDocument/hover", of)["contents"]["value"].as_str().unwrap_or_default().to_owned()
    }

    /// The words that may stand behind the first text of this kind.
    fn words(&mut self, behind: &str) -> Vec<String> {
        let position = self.range(behind)["end"].clone();
        let found = self.ask(
            "textDocument/completion",
            json!({ "textDocument": { "uri": self.uri }, "position": position }),
        );
        let items = found["items"].as_array().unwrap();
        items.iter().map(|item| item["label"].as_str().unwrap().to_owned()).collect()
    }

    /// The places of the name that the first text of this kind begins with.
    fn places(&mut self, of: &str) -> Vec<Json> {
        let Json::Array(all) = self.at("textDocument/references", of) else { panic!("no places") };
        all.into_iter().map(|mut place| place["range"].take()).collect()
    }

    /// The document with another name in place of that which the first text of this kind begins with.
    fn renamed(&mut self, of: &str, new: &str) -> String {
        let position = self.range(of)["start"].clone();
        let params = json!({ "textDocument": { "uri": self.uri }, "position": position, "newName": new });
        let edits = self.ask("textDocument/rename", params)["changes"][&self.uri].take();
        self.edited(edits.as_array().unwrap())
    }

    /// The document with edits, which do not overlap.
    fn edited(&self, edits: &[Json]) -> String {
        let starts: Vec<usize> =
            std::iter::once(0).chain(self.text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        let byte = |position: &Json| {
            let start = starts[position["line"].as_u64().unwrap() as usize];
            let mut left = position["character"].as_u64().unwrap() as usize;
            let letters = self.text[start..].chars().take_while(|letter| {
                let goes_on = left > 0;
                left = left.saturating_sub(letter.len_utf16());
                goes_on
            });
            start + letters.map(char::len_utf8).sum::<usize>()
        };
        let range = |edit: &Json| byte(&edit["range"]["start"])..byte(&edit["range"]["end"]);
        let mut edits: Vec<&Json> = edits.iter().collect();
        edits.sort_by_key(|edit| std::cmp::Reverse(range(edit).start));
        edits.into_iter().fold(self.text.clone(), |mut text, edit| {
            text.replace_range(range(edit), edit["newText"].as_str().unwrap());
            text
        })
    }

    /// The document laid out.
    fn formatted(&mut self) -> String {
        let options = json!({ "tabSize": 8, "insertSpaces": true });
        let edits = self.ask(
            "textDocument/formatting",
            json!({ "textDocument": { "uri": self.uri }, "options": options }),
        );
        self.edited(edits.as_array().unwrap())
    }

    /// The fixes at the first text of this kind: title, and the document with it.
    fn fixes(&mut self, of: &str) -> Vec<(String, String)> {
        let params = json!({ "textDocument": { "uri": self.uri }, "range": self.range(of), "context": { "diagnostics": [] } });
        let found = self.ask("textDocument/codeAction", params);
        let fix = |action: &Json| {
            let edits = action["edit"]["changes"][&self.uri].as_array().unwrap();
            (action["title"].as_str().unwrap().to_owned(), self.edited(edits))
        };
        found.as_array().unwrap().iter().map(fix).collect()
    }

    /// Line and text of each hint.
    fn hints(&mut self) -> Vec<(u64, String)> {
        let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 999, "character": 0 } });
        let found = self
            .ask("textDocument/inlayHint", json!({ "textDocument": { "uri": self.uri }, "range": range }));
        let hint = |hint: &Json| {
            (hint["position"]["line"].as_u64().unwrap(), hint["label"].as_str().unwrap().to_owned())
        };
        found.as_array().unwrap().iter().map(hint).collect()
    }

    /// First and last line of each fold.
    fn folds(&mut self) -> Vec<(u64, u64)> {
        let found = self.of_document("textDocument/foldingRange");
        let fold = |fold: &Json| (fold["startLine"].as_u64().unwrap(), fold["endLine"].as_u64().unwrap());
        found.as_array().unwrap().iter().map(fold).collect()
    }

    /// The words of the document with the names of their types.
    fn tokens(&mut self) -> Vec<(String, &'static str)> {
        const TYPES: [&str; 9] = [
            "comment",
            "keyword",
            "macro",
            "function",
            "variable",
            "parameter",
            "property",
            "number",
            "string",
        ];
        let found = self.of_document("textDocument/semanticTokens/full");
        let numbers: Vec<usize> =
            found["data"].as_array().unwrap().iter().map(|own| own.as_u64().unwrap() as usize).collect();
        let lines: Vec<Vec<u16>> = self.text.split('\n').map(|line| line.encode_utf16().collect()).collect();
        let (mut line, mut unit) = (0, 0);
        let word = |own: &[usize]| {
            unit = if own[0] > 0 { own[1] } else { unit + own[1] };
            line += own[0];
            (String::from_utf16(&lines[line][unit..unit + own[2]]).unwrap(), TYPES[own[3]])
        };
        numbers.chunks(5).map(word).collect()
    }

    /// Ends as editors do; returns the exit code.
    pub fn end(mut self) -> i32 {
        self.ask("shutdown", Json::Null);
        self.say("exit", Json::Null);
        self.server.wait().unwrap().code().unwrap()
    }
}

/// The codes of errors and warnings.
pub fn codes(problems: &[Json]) -> Vec<&str> {
    let shown = problems.iter().filter(|problem| problem["severity"] != 3);
    shown.map(|problem| problem["code"].as_str().unwrap()).collect()
}

#[test]
fn dreambox_texts_are_served() {
    let mut editor = Editor::new();
    // The emoji is four bytes, and two units.
    let problems = editor.open("a.vu", "ld r0 0\n/* \u{1f600}\u{e4} */ addd r0 r0 // twice\nst pos r0\n");
    assert_eq!(codes(&problems), ["A0101"]);
    assert_eq!(problems[0]["range"], editor.range("addd"));
    assert_eq!(problems[0]["range"]["start"], json!({ "line": 1, "character": 10 }));
    assert_eq!((&problems[0]["severity"], &problems[0]["source"]), (&json!(1), &json!("gpuzoo")));
    let fixes = editor.fixes("addd ");
    assert_eq!(fixes[0].1, "ld r0 0\n/* \u{1f600}\u{e4} */ add r0 r0 // twice\nst pos r0\n");
    // A text with errors is not laid out, and has no words.
    let params = json!({ "textDocument": { "uri": editor.uri }, "options": {} });
    assert_eq!(editor.reply("textDocument/formatting", params)["error"]["code"], -32803);
    assert_eq!(editor.hints(), []);

    // The editor takes away the letter behind the emoji.
    let change = json!({ "range": { "start": { "line": 1, "character": 12 }, "end": { "line": 1, "character": 13 } }, "text": "" });
    let document = json!({ "uri": editor.uri, "version": 2 });
    editor.say("textDocument/didChange", json!({ "textDocument": document, "contentChanges": [change] }));
    editor.text = editor.text.replace("addd", "add");
    // What a draw needs is not stored: texture coordinates and colours.
    assert_eq!(codes(&editor.problems()), ["D0103"; 3]);
    // ld is 0 and add r0 r0 is 2, with registers in bits 6 to 9 and 10 to 13 (dreambox spec section 4); an `end` is added.
    let hints = editor.hints();
    assert_eq!(hints.len(), 4);
    assert!(hints[0].1.starts_with("4 of "), "{hints:?}");
    // `add` reads r0 and writes it; behind `st` nothing reads it.
    assert_eq!(hints[1], (0, "00000000  1 live".into()));
    assert!(hints[2].1.ends_with("  1 live") && hints[3].1.ends_with("  0 live"), "{hints:?}");
    assert!(editor.hover("add").contains("dreambox.add"));
    assert!(editor.hover("pos").contains("dreambox.pos"));
    assert_eq!(editor.hover("// twice"), "");
    assert!(editor.words("st ").contains(&"pos".to_owned()));
    let tokens = editor.tokens();
    let expected = [
        ("ld", "keyword"),
        ("r0", "parameter"),
        ("0", "number"),
        ("/* \u{1f600}\u{e4} */", "comment"),
        ("add", "keyword"),
    ];
    assert_eq!(tokens[..5], expected.map(|(word, of_type)| (word.to_owned(), of_type)));
    assert_eq!(editor.end(), 0);
}

#[test]
fn nv2a_texts_are_served() {
    let mut editor = Editor::new();
    let text =
        "; one\n; two\n#light vector 5 ; \u{1f600}\nmov r0, #light\nmax oD0.xyz, r0,#light.w\nmov oPos, v0\n";
    assert_eq!(codes(&editor.open("a.vsh", text)), [""; 0]);
    let uses = vec![
        editor.range("light vector"),
        json!({ "start": { "line": 3, "character": 9 }, "end": { "line": 3, "character": 14 } }),
        json!({ "start": { "line": 4, "character": 17 }, "end": { "line": 4, "character": 22 } }),
    ];
    let mut first = uses.clone();
    first[0]["end"] = json!({ "line": 2, "character": 6 });
    assert_eq!(editor.places("light\nmax"), first);
    assert_eq!(editor.at("textDocument/definition", "light.w")["range"], first[0]);
    assert_eq!(editor.renamed("light.w", "lamp"), text.replace("#light", "#lamp"));
    assert_eq!(editor.formatted(), text.replace("r0,#", "r0, #").replace("5 ;", "5     ;"));
    assert_eq!(editor.places("#light\nmax"), first);
    assert!(editor.hover("light\nmax").contains("#light vector 5 ; \u{1f600}"));
    assert!(editor.hover("oD0").contains("nv2a.oD0"));
    assert!(editor.words("mov r0, ").contains(&"iPos".to_owned()));
    assert!(editor.words("mov r0, #").contains(&"#light".to_owned()));
    assert_eq!(editor.words("oD0.")[..5], ["x", "y", "z", "w", "xy"]);
    assert_eq!(editor.folds(), [(0, 1)]);
    let symbols = editor.of_document("textDocument/documentSymbol");
    assert_eq!((&symbols[0]["name"], &symbols[0]["detail"]), (&json!("light"), &json!("vector 5")));
    // A word of the language cannot be a name.
    let position = editor.range("light.w")["start"].clone();
    for (new, code) in [("mov", -32803), ("2", -32803), ("\u{e4}", -32803), ("", -32803)] {
        let params = json!({ "textDocument": { "uri": editor.uri }, "position": position, "newName": new });
        assert_eq!(editor.reply("textDocument/rename", params)["error"]["code"], code, "{new}");
    }

    // OpenGL counts constants from the machine's 96th (nv2a spec section 10).
    let text = "!!VP1.0\nMOV o[HPOS], v[OPOS];\nMUL o[COL0], c[2], v[COL0];\nEND\n";
    assert_eq!(codes(&editor.open("a.vp", text)), [""; 0]);
    assert!(editor.hover("c[2]").contains("c[2] of this text is the machine's c98."));
    assert!(editor.hover("v[COL0]").contains("nv2a.v3"));
    assert!(editor.hover("MUL").contains("nv2a.mul"));
    assert!(editor.words("o[HPOS], ").contains(&"v[OPOS]".to_owned()));
    assert_eq!(editor.end(), 0);
}

#[test]
fn files_that_direct3d_texts_include_are_served() {
    let folder = scratch("lsp_include");
    std::fs::write(folder.join("names.h"), "// names\n#define POS v0\n").unwrap();
    let path = folder.join("a.vsh");
    let path = path.to_str().unwrap();
    let mut editor = Editor::new();
    let text = "#include \"names.h\"\nxvs.1.1\n#define COLOR(a) a, v3\n#if 0\nmov oD1, POS\n#endif\nm4x4 oPos, POS, c0\nmov COLOR(oD0)\n";
    assert_eq!(codes(&editor.open(path, text)), [""; 0]);
    let defined = editor.at("textDocument/definition", "POS, c0");
    assert!(defined["uri"].as_str().unwrap().ends_with("/lsp_include/names.h"), "{defined}");
    assert_eq!(
        defined["range"],
        json!({ "start": { "line": 1, "character": 8 }, "end": { "line": 1, "character": 11 } })
    );
    let file = editor.at("textDocument/definition", "names.h");
    assert_eq!((&file["uri"], &file["range"]["start"]["line"]), (&defined["uri"], &json!(0)));
    // What a condition leaves out has the name, too.
    assert_eq!(editor.places("POS, c0").len(), 3);
    assert_eq!(editor.places("COLOR(oD0)").len(), 2);
    assert_eq!(editor.renamed("COLOR(oD0)", "TINT"), text.replace("COLOR", "TINT"));
    assert_eq!(editor.folds(), [(3, 4)]);
    assert!(editor.hover("m4x4").contains("nv2a.m4x4"));

    // The file is opened and changed, and the text that includes it is read again.
    let uri = editor.uri.clone();
    let names = defined["uri"].as_str().unwrap().to_owned();
    let document = json!({ "uri": names, "languageId": "c", "version": 1, "text": "#define POSITION v0\n" });
    editor.say("textDocument/didOpen", json!({ "textDocument": document }));
    assert_eq!(editor.uri, uri);
    let problems = editor.problems();
    assert!(!problems.is_empty());
    assert_eq!(problems[0]["range"]["start"], editor.range("POS, c0")["start"], "{problems:?}");
    assert_eq!(editor.end(), 0);
}

#[test]
fn picogpu_texts_are_served() {
    let mut editor = Editor::new();
    let text = "#vertexShader\n#input r0.xyz // \u{1f600}\n#output r1.xyzw\nmov r1.xyz  r0\nfinit r1.w 1.0\n";
    assert_eq!(codes(&editor.open("a.pico", text)), [""; 0]);
    assert_eq!(
        editor.formatted(),
        text.replace("xyz // \u{1f600}", "xyz   // \u{1f600}").replace("  r0", " r0")
    );
    assert!(editor.hover("finit").contains("picogpu.finit"));
    assert!(editor.hover("#input").contains("#input"));
    assert!(editor.words("#output r1.xyzw\nm").contains(&"mov".to_owned()));
    assert!(editor.words("#vertexShader\n#i").contains(&"#input".to_owned()));
    let problems = editor.open("b.pico", "#vertexShader\n#input r0.xyz\n#output r1.xyzw\nmov r1.xyz r16\n");
    assert_eq!(problems[0]["range"]["start"], json!({ "line": 3, "character": 11 }));
    assert_eq!(editor.end(), 0);
}

#[test]
fn servaru_texts_are_served() {
    let mut editor = Editor::new();
    let text = ".vertex\nDP4 P9.x,P0, U0; # place\nMOV P9.yzw, P0;\n";
    assert_eq!(codes(&editor.open("a.svs", text)), [""; 0]);
    assert_eq!(editor.formatted(), text.replace("x,P0", "x, P0").replace("; #", ";   #"));
    assert!(editor.hover("DP4").contains("servaru.DP4"));
    assert!(editor.hover("U0").contains("servaru.U0"));
    assert!(editor.words("MOV P9.yzw, ").contains(&"P0".to_owned()));
    let hints = editor.hints();
    assert!(
        hints.iter().any(|(line, words)| *line == 1 && words.len() == 17 + "  0 live".len()),
        "{hints:?}"
    );
    let problems = editor.open("b.svs", ".vertex\nMOV P9 P0;\n");
    assert_eq!(problems[0]["range"]["start"]["line"], 1);
    assert_eq!(editor.end(), 0);
}

#[test]
fn programs_of_the_65c02_are_served() {
    let mut editor = Editor::new();
    let text = "row = $22 ; \u{1f600}\n.proc main\n@loop:  inc row\n        bne @loop\n        sta VERA_CTRL\n        rts\n.endproc\n        jmp main\n";
    assert_eq!(codes(&editor.open("a.s", text)), [""; 0]);
    // $0801: inc $22 is e6 22, bne -4 is d0 fc (W65C02S datasheet); what follows is absolute.
    let hints = editor.hints();
    let bytes = [
        (2, "0801  e6 22"),
        (3, "0803  d0 fc"),
        (4, "0805  8d 25 9f"),
        (5, "0808  60"),
        (7, "0809  4c 01 08"),
    ];
    assert_eq!(hints, bytes.map(|(line, bytes)| (line, bytes.to_owned())));
    assert!(editor.hover("main\n@").contains("main: label, $0801"));
    assert!(editor.hover("row\n").contains("row: constant, $22, 34"));
    assert!(editor.hover("VERA_CTRL").contains("CTRL: $9F25"), "{}", editor.hover("VERA_CTRL"));
    assert!(editor.hover("inc row").to_lowercase().contains("inc"));
    assert_eq!(editor.places("@loop\n").len(), 2);
    assert_eq!(editor.at("textDocument/definition", "main\n@")["range"], editor.range("main"));
    assert_eq!(editor.renamed("@loop\n", "@again"), text.replace("@loop", "@again"));
    assert_eq!(editor.renamed("main\n@", "start"), text.replace("main", "start"));
    // The name of a register is not a label's.
    let position = editor.range("main")["start"].clone();
    let params = json!({ "textDocument": { "uri": editor.uri }, "position": position, "newName": "x" });
    assert_eq!(editor.reply("textDocument/rename", params)["error"]["code"], -32803);
    assert_eq!(editor.folds(), [(1, 5)]);
    assert_eq!(editor.formatted(), text.replace("$22 ;", "$22                       ;"));
    assert!(editor.words("        bne ").contains(&"@loop".to_owned()));
    assert!(editor.words("        sta ").contains(&"CTRL".to_owned()));
    assert!(editor.words(".endproc\n        j").contains(&"jsr".to_owned()));
    let tokens = editor.tokens();
    assert!(
        tokens.contains(&("@loop".to_owned(), "function")) && tokens.contains(&(".proc".to_owned(), "macro"))
    );

    let problems = editor.open("b.s", "        lda #\u{1f600}\n");
    assert_eq!(problems[0]["range"]["start"], json!({ "line": 0, "character": 13 }));
    assert_eq!(editor.end(), 0);
}

#[test]
fn scenes_are_served() {
    let folder = scratch("lsp_scene");
    std::fs::write(folder.join("p.vu"), "ld r0 0\nst pos r0\nst col r0\n").unwrap();
    let path = folder.join("s.toml");
    let path = path.to_str().unwrap();
    let mut editor = Editor::new();
    let text = "# \u{1f600}\ngpu = \"dreambox\"\nsize = [8, 8]\n\n[program.p]\nfile = \"p.vu\"\n\n[mesh.m]\nshape = \"cube\"\n\n\
                [[draw]]\nprogram = \"p\"\nmesh = \"m\"\nculll = 1\ninput = { in0 = \"position\" }\nstate = { cull = \"back\" }\n";
    let problems = editor.open(path, text);
    let own = problems.iter().find(|problem| problem["range"] == editor.range("culll"));
    assert!(own.is_some(), "{problems:?}");
    assert!(editor.hover("size").contains("scene.size"));
    assert!(editor.hover("shape").contains("scene.mesh.shape"));
    assert_eq!(editor.hover("cube"), "");
    assert!(editor.words("[mesh.m]\n").contains(&"shape".to_owned()));
    assert!(editor.words("gpu = ").contains(&"\"picogpu\"".to_owned()));
    assert_eq!(editor.words("\nprogram = "), ["\"p\""]);
    assert!(editor.words("state = { ").contains(&"cull".to_owned()));
    assert!(editor.words("\n[").contains(&"[camera]".to_owned()));
    assert_eq!(editor.at("textDocument/definition", "p\"\nmesh")["range"], editor.range("[program.p]"));
    let file = editor.at("textDocument/definition", "p.vu");
    assert!(file["uri"].as_str().unwrap().ends_with("/lsp_scene/p.vu"));
    assert_eq!(editor.folds(), [(4, 5), (7, 8), (10, 15)]);
    let symbols = editor.of_document("textDocument/documentSymbol");
    let names: Vec<_> = symbols.as_array().unwrap().iter().map(|own| own["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["program.p", "mesh.m", "draw"]);
    let tokens = editor.tokens();
    let expected = [
        ("# \u{1f600}", "comment"),
        ("gpu", "property"),
        ("\"dreambox\"", "string"),
        ("8", "number"),
        ("program", "macro"),
        ("p", "variable"),
    ];
    for (word, of_type) in expected {
        assert!(tokens.contains(&(word.to_owned(), of_type)), "{word}: {tokens:?}");
    }
    assert_eq!(editor.places("p]\n").len(), 2);
    assert_eq!(
        editor.renamed("p]\n", "lit"),
        text.replace("program.p", "program.lit").replace("program = \"p\"", "program = \"lit\"")
    );
    assert_eq!(
        editor.renamed("m\"\nculll", "cube"),
        text.replace("mesh.m", "mesh.cube").replace("\"m\"", "\"cube\"")
    );
    for (of, new) in [("p]\n", "a b"), ("p]\n", ""), ("cube", "x"), ("\"back\"", "x")] {
        let position = editor.range(of)["start"].clone();
        let params = json!({ "textDocument": { "uri": editor.uri }, "position": position, "newName": new });
        assert_eq!(editor.reply("textDocument/rename", params)["error"]["code"], -32803, "{of} {new}");
    }
    // A target and a texture cannot share a name, nor can two meshes.
    let two = "gpu = \"nv2a\"\nsize = [8, 8]\n[target.a]\nsize = [4, 4]\n[texture.b]\npattern = \"bricks\"\n[mesh.c]\nshape = \"cube\"\n\
               [mesh.d]\nshape = \"cube\"\n[[draw]]\ntextures = [\"b\", 'a']\n";
    editor.open(path, two);
    assert_eq!(editor.renamed("a]\n", "e"), two.replace("target.a", "target.e").replace("'a'", "'e'"));
    for (of, new) in [("a]\n", "b"), ("b\", 'a", "a"), ("c]\n", "d")] {
        let position = editor.range(of)["start"].clone();
        let params = json!({ "textDocument": { "uri": editor.uri }, "position": position, "newName": new });
        assert_eq!(editor.reply("textDocument/rename", params)["error"]["code"], -32803, "{of} {new}");
    }
    // TOML of others is theirs.
    assert_eq!(codes(&editor.open("Cargo.toml", "[package]\nname = \n")), [""; 0]);
    assert_eq!(editor.end(), 0);
}

#[test]
fn what_is_out_of_order_is_an_error() {
    let mut editor = Editor::silent();
    assert_eq!(editor.reply("textDocument/hover", json!({}))["error"]["code"], -32002);
    editor.ask(
        "initialize",
        json!({ "initializationOptions": { "gpu": "nv2a", "dialect": "d3d", "define": ["P=v0"] } }),
    );
    assert_eq!(editor.reply("initialize", json!({}))["error"]["code"], -32600);
    assert_eq!(editor.reply("textDocument/unknown", json!({}))["error"]["code"], -32601);
    assert_eq!(editor.reply("textDocument/hover", json!({}))["error"]["code"], -32602);
    let params =
        json!({ "textDocument": { "uri": "file:///none.vu" }, "position": { "line": 0, "character": 0 } });
    assert_eq!(editor.reply("textDocument/hover", params)["error"]["code"], -32602);
    // Not JSON, and no message.
    write!(editor.to, "Content-Length: 1\r\n\r\n{{").unwrap();
    editor.to.flush().unwrap();
    assert_eq!(editor.receive()["error"]["code"], -32700);
    editor.send(&json!([1]));
    assert_eq!(editor.receive()["error"]["code"], -32600);
    // What was said at the start counts: the machine, its dialect, macros.
    assert_eq!(codes(&editor.open("a.txt", "xvs.1.1\nmov oPos, P\n")), [""; 0]);
    editor.say("textDocument/didClose", json!({ "textDocument": { "uri": editor.uri } }));
    assert_eq!(editor.problems(), [json!(null); 0]);
    editor.ask("shutdown", Json::Null);
    assert_eq!(editor.reply("textDocument/hover", json!({}))["error"]["code"], -32600);
    editor.say("exit", Json::Null);
    assert_eq!(editor.server.wait().unwrap().code(), Some(0));

    // `exit` without `shutdown`, and an editor that is gone.
    let mut editor = Editor::new();
    editor.say("exit", Json::Null);
    assert_eq!(editor.server.wait().unwrap().code(), Some(1));
    assert_eq!(gpuzoo(&["lsp"]).code, 1);
}

#[test]
fn streams_that_are_no_protocol_end_it() {
    for stream in ["hello\n\n", "Content-Length: 5\r\n\r\n{}", "Content-Length: x\r\n\r\n"] {
        let done = done(&raw(&["lsp"], stream.as_bytes()));
        assert_eq!((done.code, &done.out[..]), (2, ""), "{stream}");
        assert!(done.err.contains("error[G0133]"), "{}", done.err);
    }
    let done = gpuzoo(&["lsp", "--gpu", "none"]);
    assert_eq!(done.code, 2);
}
