//! Translations, checked by tools that are not ours.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "files of the repository, and tools that read files"
)]
#![allow(clippy::disallowed_macros, reason = "what was checked by whom, or was not, is for people to see")]

mod golden;
mod metal;
mod options;
mod refused;
mod tools;
