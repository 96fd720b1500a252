//! What a scene names is not read anew with each letter.

use gpuzoo::Registry;
use gpuzoo_editor::lsp::{Files, Server};
use serde_json::json;
use std::cell::RefCell;
use std::path::{Path, PathBuf};

/// A large mesh and a small program, and what of them was asked for.
#[derive(Default)]
struct Noted(RefCell<Vec<String>>);

impl Files for Noted {
    fn included(&self, _: &Path, _: &[PathBuf], _: &str) -> Result<Vec<u8>, String> {
        Err("there is none".to_owned())
    }

    fn named(&self, _: &Path, path: &Path) -> std::io::Result<Vec<u8>> {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        self.0.borrow_mut().push(name.clone());
        Ok(match name.as_str() {
            "m.obj" => {
                "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n".to_owned() + &"# a long comment\n".repeat(5_000)
            }
            _ => "ld r0 0\nst pos r0\n".to_owned(),
        }
        .into_bytes())
    }
}

#[test]
fn a_mesh_is_read_once_until_something_is_saved() {
    let files = Noted::default();
    let mut server = Server::new(Registry::default(), &files);
    server.handle(&json!({ "id": 0, "method": "initialize", "params": {} }));
    let text =
        "gpu = \"dreambox\"\nsize = [8, 8]\n[program.p]\nfile = \"p.vu\"\n[mesh.m]\nfile = \"m.obj\"\n";
    let document = json!({ "uri": "file:///s.toml", "languageId": "", "version": 0, "text": text });
    server.handle(&json!({ "method": "textDocument/didOpen", "params": { "textDocument": document } }));
    server.settle();
    let position = json!({ "line": 1, "character": 0 });
    let type_blank = |server: &mut Server| {
        let change = json!({ "range": { "start": position, "end": position }, "text": " " });
        let params =
            json!({ "textDocument": { "uri": "file:///s.toml", "version": 1 }, "contentChanges": [change] });
        server.handle(&json!({ "method": "textDocument/didChange", "params": params }));
        server.settle();
    };
    let count = |name: &str| files.0.borrow().iter().filter(|read| *read == name).count();
    (0..5).for_each(|_| type_blank(&mut server));
    assert_eq!((count("m.obj"), count("p.vu")), (1, 6));
    let params = json!({ "textDocument": { "uri": "file:///s.toml" } });
    server.handle(&json!({ "method": "textDocument/didSave", "params": params }));
    server.settle();
    assert_eq!(count("m.obj"), 2);
}
