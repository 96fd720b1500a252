//! The facade, with every machine behind it.
#![allow(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the C compiler works on files"
)]

mod ancestry;
mod api;
mod c_kernel;
mod format;
mod outputs;
mod readers;
mod session;
mod stops;
mod topics;
mod variations;
mod vertex_formats;
mod without;
