//! Programs and scenes on the host's GPU against gpuzoo's own engine and rasterizer.
#![allow(clippy::disallowed_macros, reason = "what was run where, or was not, is for people to see")]
#![allow(clippy::disallowed_methods, reason = "scenes are files")]

mod pictures;
mod runs;

use gpuzoo::host::Device;
use std::sync::LazyLock;

static DEVICE: LazyLock<Option<Device>> = LazyLock::new(|| match Device::open() {
    Ok(device) => {
        eprintln!("on {}", device.name());
        Some(device)
    }
    Err(none) => {
        assert_eq!(none.code.id, "G0351");
        gpuzoo_skipped::say(&format!("{}: programs and scenes on the host's GPU", none.message));
        None
    }
});
