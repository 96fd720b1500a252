//! What can be asked for: languages, shapes, fidelities.

use crate::codes::NO_FORM;
use gpuzoo_diag::Diagnostic;

/// What is translated to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The language.
    pub target: Target,
    /// What becomes of the program.
    pub shape: Shape,
    /// Whose numbers it computes with.
    pub fidelity: Fidelity,
    /// The program leaves positions in clip space, on machines whose programs usually leave them in pixels.
    pub raw_position: bool,
}

/// A language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Target {
    /// WebGPU's.
    #[default]
    Wgsl,
    /// Vulkan's words.
    SpirV,
    /// The same as text.
    SpirVText,
    /// GLSL 4.50 for OpenGL.
    Glsl450,
    /// GLSL 3.30 for OpenGL.
    Glsl330,
    /// GLSL ES 3.00.
    GlslEs300,
    /// GLSL ES 3.10.
    GlslEs310,
    /// Direct3D's, shader model 5.1.
    Hlsl,
    /// Metal's, version 2.1.
    Msl,
}

impl Target {
    /// All languages: name, extension of files, language, what it is.
    pub const ALL: [(&'static str, &'static str, Target, &'static str); 9] = [
        ("wgsl", "wgsl", Target::Wgsl, "WebGPU"),
        ("spirv", "spv", Target::SpirV, "the words of Vulkan"),
        ("spvasm", "spvasm", Target::SpirVText, "the same as assembly text"),
        ("glsl", "glsl", Target::Glsl450, "OpenGL, version 4.50"),
        ("glsl330", "", Target::Glsl330, "OpenGL, version 3.30; no compute shaders"),
        ("essl300", "", Target::GlslEs300, "OpenGL ES and WebGL 2, version 3.00; no compute shaders"),
        ("essl310", "", Target::GlslEs310, "OpenGL ES, version 3.10"),
        ("hlsl", "hlsl", Target::Hlsl, "Direct3D, shader model 5.1"),
        ("msl", "metal", Target::Msl, "Metal, version 2.1"),
    ];

    /// The language of a name.
    pub fn named(name: &str) -> Option<Target> {
        Target::ALL.into_iter().find(|(known, ..)| *known == name).map(|(_, _, target, _)| target)
    }

    /// The language that a file's extension says.
    pub fn of_extension(extension: &str) -> Option<Target> {
        let known = Target::ALL.into_iter().find(|(_, known, ..)| !known.is_empty() && *known == extension);
        known.map(|(_, _, target, _)| target)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        Target::ALL.into_iter().find(|(_, _, target, _)| *target == self).map_or("", |(name, ..)| name)
    }
}

/// What becomes of a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Shape {
    /// A vertex shader: attributes by location, a position, varyings.
    #[default]
    Vertex,
    /// A fragment shader.
    Fragment,
    /// A compute shader that runs it for the rows of a buffer.
    Compute,
    /// A function for other shaders to call.
    Function,
}

impl Shape {
    /// All shapes, with their names.
    pub const ALL: [(&'static str, Shape); 4] = [
        ("vertex", Shape::Vertex),
        ("fragment", Shape::Fragment),
        ("compute", Shape::Compute),
        ("function", Shape::Function),
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        Shape::ALL.into_iter().find(|(_, shape)| *shape == self).map_or("", |(name, _)| name)
    }
}

/// Whose numbers a translation computes with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Fidelity {
    /// The host's floats.
    #[default]
    Fast,
    /// The machine's, in integers: the same bits on any host.
    Exact,
}

impl Fidelity {
    /// Both, with their names.
    pub const ALL: [(&'static str, Fidelity); 2] = [("fast", Fidelity::Fast), ("exact", Fidelity::Exact)];

    /// Its name.
    pub fn name(self) -> &'static str {
        if self == Fidelity::Fast { "fast" } else { "exact" }
    }

    /// What it is, for the first line of a shader.
    pub fn about(self) -> &'static str {
        match self {
            Fidelity::Fast => "with the host's floats",
            Fidelity::Exact => "bit for bit: every number is its bits, and all arithmetic is of integers",
        }
    }
}

/// Refuses what a language does not have.
pub fn check(options: &Options) -> Result<(), Diagnostic> {
    let refused = |message: String, help: &str| Err(Diagnostic::error(&NO_FORM, message).help(help));
    match (options.target, options.shape) {
        (Target::Glsl330 | Target::GlslEs300, Shape::Compute) => refused(
            format!("`{}` has no compute shaders", options.target.name()),
            "`glsl` (4.50) and `essl310` have them",
        ),
        (Target::SpirV | Target::SpirVText, Shape::Function) => refused(
            "a module of SPIR-V for Vulkan has no functions that others could call".to_owned(),
            "ask for `compute`, or for the function in another language",
        ),
        _ => Ok(()),
    }
}
