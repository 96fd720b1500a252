//! What front ends make of sources, and back ends make programs of: a straight line of operations, and what goes in and out.

use gpuzoo_diag::Span;
use gpuzoo_ir::{Function, Vec4};
use gpuzoo_isa::{Constant, Mask, MatrixOrder, Reg, Stage};
use gpuzoo_machine::target::conventions::{Port, Sampling};

/// One entry point of a source, without calls, branches, loops or memory.
///
/// The [function](Shader::function) computes as the source says: IEEE 754 operations in the source's order, `fslt`, `fsge` and their
/// products for conditions, which are 1 or +0, and `iselect` for choices. Integers that are not known before a run are floats. An index of a uniform is an
/// `itrunc`; texture reads are numbered by [`sample`]. No operation is a machine's own, and none ends in `_trunc`, `_finite`, `_zeros`, `_strict` or `_total`.
#[derive(Clone, Debug, Default)]
pub struct Shader {
    /// Which part of the pipeline it is for.
    pub stage: Stage,
    /// What it computes. Its inputs and outputs are numbered as [`inputs`](Shader::inputs) and [`outputs`](Shader::outputs) are; uniform
    /// *n* is the *n*th register of [`uniforms`](Shader::uniforms), counted over all of them. An origin is a place among
    /// [`origins`](Shader::origins).
    pub function: Function,
    /// Where operations come from.
    pub origins: Vec<Origin>,
    /// What it takes.
    pub inputs: Vec<Variable>,
    /// What it gives.
    pub outputs: Vec<Variable>,
    /// What is the same for a whole draw, in the order of its registers.
    pub uniforms: Vec<Uniform>,
    /// The names of the textures that it reads, by their units.
    pub textures: Vec<String>,
    /// True if the position is in clip space, where every machine but one wants it.
    pub clip_space: bool,
    /// The whole source, for messages about all of it.
    pub span: Span,
}

/// The number of a texture read in a shader's function; each machine has its own ([`Conventions::sample`]).
///
/// [`Conventions::sample`]: gpuzoo_machine::target::conventions::Conventions::sample
pub fn sample(sampling: Sampling, unit: u8) -> u8 {
    let way = SAMPLINGS.iter().position(|own| *own == sampling).unwrap_or(0) as u8;
    way * MOST_TEXTURES + unit
}

/// What the number of a texture read in a shader's function says.
pub fn sampled(number: u8) -> Option<(Sampling, u8)> {
    Some((*SAMPLINGS.get(usize::from(number / MOST_TEXTURES))?, number % MOST_TEXTURES))
}

const SAMPLINGS: [Sampling; 3] = [Sampling::Filtered, Sampling::Biased, Sampling::Texel];

/// A shader has at most so many textures; no machine has as many.
pub const MOST_TEXTURES: u8 = 64;

/// Where an operation comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// The text.
    pub span: Span,
    /// The variable that the result is for, if it has a name.
    pub variable: Option<String>,
}

/// An input or an output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// What it is in the pipeline.
    pub port: Port,
    /// Its name in the source.
    pub name: String,
    /// The components that it has, from x on.
    pub mask: Mask,
    /// Where it is declared.
    pub span: Span,
}

/// A uniform: consecutive registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Uniform {
    /// Its name in the source; members of blocks are uniforms of their own.
    pub name: String,
    /// Its first register, counted over all uniforms.
    pub first: u16,
    /// How many registers it has.
    pub count: u16,
    /// Its type, as it is written in the source's language: `mat4x4<f32>`.
    pub ty: String,
    /// The components that each register has of it.
    pub mask: Mask,
    /// The part of a matrix that each register holds; none if it is no matrix.
    pub matrix: Option<MatrixOrder>,
    /// What its registers hold if nobody says otherwise; nothing if the source gives no value.
    pub values: Vec<Vec4>,
    /// Where it is declared.
    pub span: Span,
}

impl Uniform {
    /// What a program says of it, if its first register is this one: where it is, and what is there at first.
    pub fn constants(&self, reg: Reg) -> impl Iterator<Item = Constant> {
        let constant = |name: Option<String>, mask, values| {
            let Uniform { count, matrix, span, .. } = *self;
            Constant { name, reg, count, mask, values, matrix, span }
        };
        let first = (!self.values.is_empty()).then(|| constant(None, Mask::ALL, self.values.clone()));
        std::iter::once(constant(Some(self.name.clone()), self.mask, Vec::new())).chain(first)
    }
}

impl Shader {
    /// How many registers the uniforms have.
    pub fn uniform_registers(&self) -> u16 {
        self.uniforms.iter().map(|uniform| uniform.first + uniform.count).max().unwrap_or(0)
    }

    /// The components of a register of the uniforms that some of them have; all where none has any.
    pub fn uniform_mask(&self, register: u16) -> Mask {
        let own = self.uniforms.iter().filter(|own| (own.first..own.first + own.count).contains(&register));
        let mask = own.fold(0, |mask, own| mask | own.mask.0);
        if mask == 0 { Mask::ALL } else { Mask(mask) }
    }

    /// The place of an operation in the source.
    pub fn origin(&self, origin: gpuzoo_ir::Origin) -> Option<&Origin> {
        self.origins.get(origin? as usize)
    }
}
