//! Pages that are one file: HTML with styles, drawings and a little script inside, and nothing from elsewhere.
//!
//! [`Html`] writes elements and escapes texts, [`Page`] is the frame of a report, [`draw`] has its drawings. The same calls
//! give the same bytes. What comes out is HTML and XML at once, so that any strict parser can check it.
//!
//! ```
//! use gpuzoo_report::{Page, draw};
//!
//! let mut page = Page::new("teapot.toml");
//! page.fact("machine", "Dreambox");
//! page.section("Cost", |html| {
//!     html.leaf("p", &[], "rows < columns");
//!     draw::bars(html, &[draw::Bar::new("vertices", 12, "12 cycles")]);
//! });
//! let text = page.finish();
//! assert!(text.starts_with("<!DOCTYPE html>") && text.contains("<p>rows &lt; columns</p>"));
//! ```
#![forbid(unsafe_code)]

pub mod draw;
mod graph;
mod html;
mod page;

pub use graph::{Row, RowKind, graph, svg};
pub use html::{Html, escape};
pub use page::Page;
