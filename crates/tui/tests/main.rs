//! The face without a terminal: what it draws, and that nothing that is typed or clicked upsets it.
#![allow(clippy::disallowed_methods, reason = "screens are files")]

mod any;
mod common;
mod screens;
