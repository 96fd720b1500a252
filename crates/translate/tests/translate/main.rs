//! Translations, checked by tools that are not ours.

mod golden;
mod refused;
mod tools;
