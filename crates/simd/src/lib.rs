//! Plain loops compiled for several instruction sets, and the choice of one.
//!
//! [`Work`] is something to do; [`Level::run`] does it with the instructions of that level. The compiler makes vector code
//! of loops over slices and arrays, once for each level. It never fuses or reorders, so every level gives the same bits.
//! [`lanes`] has what such loops are written with.
#![warn(missing_docs)]

mod gather;
pub mod lanes;
mod level;
mod work;

pub use gather::Element;
pub use level::{Level, NoSuchLevel, Supported};
pub use work::Work;

/// The example of the package's page.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
