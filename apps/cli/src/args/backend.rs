//! What runs programs and draws: gpuzoo, or the host's GPU.

use clap::{Args, ValueEnum};
use gpuzoo::machine::options::command_line::choice;
use gpuzoo::translate::Fidelity;

/// The arguments of verbs that can use the host's GPU.
#[derive(Args, Clone, Debug)]
pub struct Backend {
    /// What computes it: gpuzoo, or the host's GPU by translated shaders (in builds with the feature `wgpu`)
    #[arg(
        long,
        value_enum,
        value_name = "WHAT",
        default_value_t,
        hide_default_value = true,
        hide_short_help = true
    )]
    pub backend: Which,
    /// Whose numbers the host's GPU computes with: fast for its own, exact for the machine's
    #[arg(long, value_name = "NAME", value_parser = choice::<Fidelity>(), hide_short_help = true)]
    pub fidelity: Option<Fidelity>,
}

/// What computes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Which {
    /// gpuzoo's engine and rasterizer: the machine's bits
    #[default]
    Gpuzoo,
    /// The host's GPU through Vulkan
    Wgpu,
}
