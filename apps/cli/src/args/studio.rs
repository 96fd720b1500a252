//! Arguments of `studio`.

use clap::Args;
use std::path::PathBuf;

/// The start of its help.
pub const EXAMPLES: &str = "\
Examples:
  gpuzoo studio
  gpuzoo studio teapot.toml teapot.vu --port 8023

Serves the page of the studio on this machine alone, until it is interrupted. The page is
what `cargo xtask studio` builds; files are opened in it as copies and never written.";

/// `studio`
#[derive(Args, Clone)]
pub struct Studio {
    /// Files to open: what is shown first, then what it names
    pub files: Vec<PathBuf>,
    /// The port of 127.0.0.1; 0 for any that is free
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub port: u16,
    /// The folder of the built page
    #[arg(long, value_name = "FOLDER", default_value = "apps/web/studio/dist")]
    pub pages: PathBuf,
}
