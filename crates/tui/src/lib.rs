//! The debugger of gpuzoo on a whole terminal, for runs of any machine.
//!
//! An [`App`] gets keys, clicks and sizes, gives each to the same [`Console`](gpuzoo::debugger::Console) that typed commands go
//! to, and draws what there is to see into a [`Buffer`](ratatui::buffer::Buffer). It opens no terminal, reads no environment and
//! waits for nothing: who has a terminal hands on what happens there, and shows the buffer.
//!
//! ```
//! use gpuzoo::debugger::{Console, Run};
//! use gpuzoo::diag::Sources;
//! use gpuzoo::paint::Paint;
//! use gpuzoo::{machine::RunState, run::Vertices, trace::trace};
//! use gpuzoo_tui::{App, Colors};
//! use ratatui::crossterm::event::{KeyCode, KeyModifiers};
//! use ratatui::{buffer::Buffer, layout::Rect};
//!
//! let program = gpuzoo::dreambox().assemble("double.vu", "ld r0 0  add r0 r0  st pos r0")?;
//! let run = trace(&program, &RunState::default(), &Vertices::nothing(), 0, &[], &[]);
//! let sources = Sources::default();
//! let console = Console::new(vec![Run::of_trace(run)], sources, false, Paint::PLAIN);
//! let mut app = App::new(console, Colors::None, Rect::new(0, 0, 80, 24));
//! app.key(KeyCode::Right, KeyModifiers::NONE);
//! let mut buffer = Buffer::empty(app.area());
//! app.draw(&mut buffer);
//! let first: String = (0..80).map(|x| buffer[(x, 0)].symbol()).collect();
//! assert!(first.contains("step 1 of 4"), "{first}");
//! app.key(KeyCode::Char('q'), KeyModifiers::NONE);
//! assert!(app.is_done());
//! # Ok::<(), gpuzoo::Diagnostics>(())
//! ```
#![forbid(unsafe_code)]

mod act;
mod app;
mod asked;
mod colors;
mod draw;
mod graphics;
mod input;
mod keys;
mod layout;
mod memory;
mod mouse;
mod overlay;
mod picture;
mod program;
mod registers;
mod seen;

pub use app::{App, Save};
pub use colors::Colors;
pub use graphics::Graphics;
pub use keys::KEYS;
pub use layout::Pane;
