//! Programs of small graphics processors as shaders of the host.
#![forbid(unsafe_code)]

pub mod exact;
