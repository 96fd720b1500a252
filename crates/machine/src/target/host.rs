//! A draw as a pipeline of the host's GPU carries it out: what is fixed on the machine, as state and as texts in WGSL.
//!
//! The programs themselves are translated; here is what stands around them.

use crate::unit::layout::Layout;
use crate::unit::run_state::Modes;
use gpuzoo_diag::{Diagnostic, Span};
use gpuzoo_ir::Vec4;
use gpuzoo_isa::Reg;
use gpuzoo_raster::{MipFilter, Rules, Sampler, State};

gpuzoo_diag::codes! {
    NOT_ON_HOST = "R0801", "what the host's GPU does not do as the machine does",
        "What is named here has no equivalent on the host's GPU, or gpuzoo does not make it there: it is refused rather than done in another \
         way. Without `--backend wgpu` gpuzoo's own engine and rasterizer do it.";
}

/// An expression in WGSL.
pub type Text = String;

/// A draw without its programs.
#[derive(Clone, Debug)]
pub struct HostDraw {
    /// The state of the machine in which the vertex program runs, beside the profile.
    pub modes: Modes,
    /// What its outputs hold before.
    pub start: Vec<(Reg, Vec4)>,
    /// Its constants, those that the machine sets included.
    pub constants: Vec<Vec4>,
    /// How the vertex buffer is read.
    pub layout: Layout,
    /// The machine's rules.
    pub rules: Rules,
    /// The draw's state. Colours that [`rop`](State::rop) does not change are blended as `blend` says.
    pub state: State,
    /// The position.
    pub position: Passed,
    /// What is interpolated, from `v0` on.
    pub varyings: Vec<Passed>,
    /// How depths are kept.
    pub depth: DepthBits,
    /// What fragments do.
    pub fragments: Fragments,
    /// How texture units read, from 0 on.
    pub units: Vec<Unit>,
    /// What comes out otherwise than on the machine by the host's rules, a sentence each.
    pub unlike: Vec<&'static str>,
}

/// An output of the vertex program on its way to fragments.
#[derive(Clone, Debug)]
pub struct Passed {
    /// Its number.
    pub output: u16,
    /// What becomes of it, a `vec4f`, from `value`, which is one, too.
    pub text: Text,
}

impl Passed {
    /// An output as it is.
    pub fn whole(output: u16) -> Passed {
        Passed { output, text: "value".to_owned() }
    }
}

/// How a depth is kept in a buffer of floats from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DepthBits {
    /// As it is.
    Whole,
    /// Depths that are not limited to 1, in the same order: the float's bits, shifted right by one.
    Shifted,
}

/// What fragments do.
#[derive(Clone, Debug)]
pub enum Fragments {
    /// What is fixed: declarations, and the body of a function from `v0` and so on to a `vec4f`. `texelN(at)` reads unit N's
    /// largest level at a `vec2f`; without a texture it gives what [`Unit::nothing`] says.
    Fixed {
        /// Before the function.
        declarations: Text,
        /// Its body.
        body: Text,
    },
    /// The draw's fragment program.
    Program {
        /// Its inputs by number, each a `vec4f` from `v0` and so on, and `place`: the pixel's number in x and y, then depth and 1/w.
        /// Others are 0.
        inputs: Vec<(u16, Text)>,
        /// The output that is the colour.
        color: u16,
        /// The output whose component x is the depth.
        depth: Option<u16>,
        /// The machine sets constants for each triangle: the first, and how many vectors there are for each corner. They are the
        /// outputs of the vertex program from 0 on, of which the first is x/w, y/w, z/w.
        corners: Option<(u16, u16)>,
    },
}

/// How a texture unit reads.
#[derive(Clone, Copy, Debug)]
pub struct Unit {
    /// Within a level.
    pub sampler: Sampler,
    /// Between levels.
    pub mips: MipFilter,
    /// What it gives without a texture, in all components, in 255ths.
    pub nothing: u8,
}

/// The error of a draw that needs what the host does not have.
pub fn refused(what: &str, span: Span) -> Diagnostic {
    Diagnostic::error(&NOT_ON_HOST, format!("the host's GPU has no {what}"))
        .at(span)
        .help("without `--backend wgpu` gpuzoo draws it")
}
