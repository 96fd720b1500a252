//! How editors and gpuzoo speak: JSON in frames on a stream, as the Language Server Protocol and the Debug Adapter Protocol both
//! have it ([`frame`]), the loop that serves one stream ([`serve`]), limits of time for it ([`timed`]), and the URIs of files ([`uri`]).

pub mod frame;
mod serve;
pub mod timed;
pub mod uri;

pub use serve::{Serve, serve, serve_timed};
