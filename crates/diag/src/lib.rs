//! Places in sources, and diagnostics about them.
//!
//! A [`Sources`] owns every file that was read. A [`Span`] is a byte range in one of them, so a diagnostic may
//! point into several files at once (a scene and the shader that it names). A [`Diagnostic`] is plain data: a
//! severity, a stable [`Code`], a message, labelled spans, notes, help and machine-applicable fixes. It is rendered
//! once, here, as text with carets ([`render`]) or as JSON ([`json`]); nothing else in gpuzoo formats an error.
//!
//! ```
//! use gpuzoo_diag::{Code, Diagnostic, Sources, render};
//!
//! static REGISTER: Code = Code::new("A0104", "no such register", "Registers are r0 to r15.");
//!
//! let mut sources = Sources::default();
//! let file = sources.add("demo.vu", "ld r16 0\n");
//! let problem = Diagnostic::error(&REGISTER, "there is no register `r16`")
//!     .label(sources.get(file).span(3..6), "not a register")
//!     .help("registers are r0 to r15");
//! let text = render::human(&sources, &[problem], &render::Style::plain());
//! assert!(text.contains("error[A0104]: there is no register `r16`"));
//! assert!(text.contains("demo.vu:1:4"));
//! ```
#![forbid(unsafe_code)]

pub mod choice;
mod diagnostic;
mod diagnostics;
mod excerpt;
pub mod json;
mod lexeme;
pub mod render;
mod source;
pub mod suggest;
mod symbol;
mod words;
pub mod work;

pub use choice::Choice;
pub use diagnostic::{Applicability, Code, Diagnostic, Edit, Fix, Label, Severity, has_errors, noted};
pub use diagnostics::{Diagnostics, MAX_OF_CODE, capped};
pub use lexeme::{Lexeme, Role};
pub use source::{File, FileId, MAX_SOURCE_BYTES, Place, Sources, Span};
pub use symbol::{Symbol, SymbolKind};
pub use words::{counted, printable, printable_json};

#[doc(hidden)]
pub use serde;

/// The example of the package's page.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
