//! Translations on the host's GPU, against the evaluator. Without a Vulkan driver all of it is skipped, which is said.
#![allow(clippy::disallowed_macros, reason = "what was run where, or was not, is for people to see")]
#![allow(clippy::disallowed_methods, reason = "the environment asks for more lanes")]

mod exact;
mod fast;
mod lanes;
mod near;
mod programs;
mod random;
mod records;
mod runs;

use gpuzoo_host::Host;
use gpuzoo_machine::ShaderUnit;
use std::sync::LazyLock;

/// Every machine with shader units.
const MACHINES: [(&str, &dyn ShaderUnit); 4] = [
    ("dreambox", &gpuzoo_dreambox::GPU),
    ("nv2a", &gpuzoo_nv2a::GPU),
    ("picogpu", &gpuzoo_picogpu::GPU),
    ("servaru", &gpuzoo_servaru::GPU),
];

/// The host's GPU, or a driver that stands for one.
static HOST: LazyLock<Option<Host>> = LazyLock::new(|| match Host::open() {
    Ok(host) => {
        eprintln!("on {}", host.name());
        Some(host)
    }
    Err(none) => {
        gpuzoo_skipped::say(&format!("{none}: translations on the host's GPU"));
        None
    }
});

/// A number that the environment asks for, or the suite's.
fn asked_for(name: &str, usual: usize) -> usize {
    std::env::var(name).ok().and_then(|count| count.parse().ok()).unwrap_or(usual)
}
