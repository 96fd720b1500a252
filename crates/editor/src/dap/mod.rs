//! The debug adapter: gpuzoo's debugger for editors that speak the Debug Adapter Protocol.
//!
//! A [`Server`] gets messages and gives messages; [`crate::wire::serve`] is one on a pair of streams. What is run comes from a
//! [`Launch`]: nothing here reads the disk. A run that goes on for long is made in pieces, between which messages are read, so that
//! it can be paused.
//!
//! | file | what is in it |
//! |---|---|
//! | `message` | requests, responses, events; what is wrong with a request |
//! | `launch` | the arguments of a launch, and the runs that come of it |
//! | `points` | breakpoints as the client wants them |
//! | `debuggee` | runs, their sources, lines and variables, and the state that the client knows |
//! | `motion` | steps and runs in both directions, and where they stop |
//! | `breaks` | where breakpoints are set, when they stop a run, when they only say something |
//! | `place` | threads, sources, stack frames, targets of `goto` |
//! | `values` | scopes and variables, what sets them, and expressions |
//! | `evaluate` | watches, hovers, what is typed, completion, ancestry |
//! | `memory` | memory, and programs as bytes and instructions |
//! | `server` | the life of a session, who answers what |
//!
//! What an editor calls a *thread* is a run: a pixel's fragment, and each vertex behind it. Each goes forward and backward by itself.
//!
//! ```
//! use gpuzoo_editor::dap::{Launch, LaunchArguments, Launched, Server};
//! use serde_json::json;
//!
//! struct Nothing;
//! impl Launch for Nothing {
//!     fn launch(&mut self, _: &LaunchArguments) -> Result<Launched, String> {
//!         Err("there is nothing to run".to_owned())
//!     }
//! }
//!
//! let mut server = Server::new(Box::new(Nothing));
//! let said = server.handle(&json!({ "seq": 1, "type": "request", "command": "initialize", "arguments": {} }));
//! assert_eq!(said[0]["body"]["supportsStepBack"], true);
//! let said = server.handle(&json!({ "seq": 2, "type": "request", "command": "launch", "arguments": {} }));
//! assert_eq!(said[0]["body"]["error"]["format"], "there is nothing to run");
//! ```

mod breaks;
mod debuggee;
mod evaluate;
mod launch;
mod memory;
mod message;
mod motion;
mod place;
mod points;
mod server;
mod values;

pub use launch::{Launch, LaunchArguments, LaunchOptions, Launched, Pixel};
pub use server::Server;
