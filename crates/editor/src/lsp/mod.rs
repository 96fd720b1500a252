//! The language server: what editors ask about assembly texts and scenes, answered from gpuzoo's tables.
//!
//! A [`Server`] gets messages and gives messages; [`serve`] is one on a pair of streams. It answers them in their order, and
//! nothing else happens meanwhile, so an answer is about the text that the editor had when it asked. What is wrong with a text
//! is found out when no message waits: while somebody types faster than a text is read, only the last one is.
//!
//! | file | what is in it |
//! |---|---|
//! | `message` | JSON-RPC; frames and streams are those of [`wire`](crate::wire) |
//! | `text` | lines, UTF-16 units, edits |
//! | `document` | open documents, and what was found in them |
//! | `around`, `project` | what documents are read with: settings, files, the project |
//! | `analysis` | how gpuzoo reads a document: its words, what is wrong, its program and its names |
//! | `request`, `answer` | requests about documents, parts of answers |
//! | `problems` | diagnostics and their fixes |
//! | `hover`, `complete`, `navigate`, `show` | answers about a place, a name, or all of a document |
//! | `scene`, `scene_names`, `source` | the same for scenes, from the tables of their settings, and for sources in shading languages |
//! | `server` | the life of a server, its documents, who answers what |
//!
//! The files that texts name come from a [`Files`]: nothing here reads the disk.
//!
//! ```
//! use gpuzoo_editor::lsp::{NoFiles, Server};
//! use serde_json::json;
//!
//! let registry = gpuzoo::Registry::default();
//! let mut server = Server::new(registry, &NoFiles);
//! let hello = server.handle(&json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {} }));
//! assert_eq!(hello[0]["result"]["serverInfo"]["name"], "gpuzoo");
//! let document = json!({ "uri": "file:///a.vu", "languageId": "dreambox", "version": 1, "text": "ld r0 0\nst pos r16\n" });
//! server.handle(&json!({ "jsonrpc": "2.0", "method": "textDocument/didOpen", "params": { "textDocument": document } }));
//! let shown = server.settle();
//! assert_eq!(shown[0]["method"], "textDocument/publishDiagnostics");
//! assert_eq!(shown[0]["params"]["diagnostics"][0]["range"]["start"], json!({ "line": 1, "character": 7 }));
//! ```

mod analysis;
mod answer;
mod around;
mod complete;
mod document;
mod hover;
pub mod message;
mod navigate;
mod problems;
mod project;
mod request;
mod scene;
mod scene_names;
mod server;
mod show;
mod source;
mod text;
mod toml;

pub use document::{Files, NoFiles};
pub use server::{Server, serve};
pub use text::Text;
