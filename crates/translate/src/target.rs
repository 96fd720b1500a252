//! What can be asked for: languages, shapes, fidelities.

use crate::codes::{BINDING, NO_FORM, PREFIX};
use gpuzoo_diag::Diagnostic;

/// The largest group.
const MOST_GROUP: u32 = 31;

/// The largest binding, which leaves Metal one more.
const MOST_BINDING: u32 = 254;

/// The most letters of a prefix.
const LONGEST_PREFIX: usize = 40;

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
    /// The group of all resources, 0 to 31: the set of Vulkan, the register space of Direct3D.
    pub group: u32,
    /// Bindings of resources by name, 0 to 254, for those that are not to have the [usual ones](crate::Binding).
    pub bindings: Vec<(String, u32)>,
    /// A shader of a pipeline has all outputs of the machine's program, those that are not written with what they start with.
    pub all_outputs: bool,
    /// The size of points is the pipeline's own, not one more varying.
    pub point_size: bool,
    /// What the names of functions, types and resources begin with, so that several shaders can stand in one file.
    pub prefix: String,
    /// SPIR-V has no names and no lines.
    pub strip: bool,
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
    /// The same for Vulkan 1.0.
    SpirV10,
    /// SPIR-V as text.
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
    pub const ALL: [(&'static str, &'static str, Target, &'static str); 10] = [
        ("wgsl", "wgsl", Target::Wgsl, "WebGPU"),
        ("spirv", "spv", Target::SpirV, "the words of Vulkan 1.1, SPIR-V 1.3"),
        ("spirv10", "", Target::SpirV10, "those of Vulkan 1.0, SPIR-V 1.0"),
        ("spvasm", "spvasm", Target::SpirVText, "SPIR-V 1.3 as assembly text"),
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

    /// The language that a file's extension says; GLSL's stages have extensions of their own.
    pub fn of_extension(extension: &str) -> Option<Target> {
        if ["vert", "frag", "comp"].contains(&extension) {
            return Some(Target::Glsl450);
        }
        let known = Target::ALL.into_iter().find(|(_, known, ..)| !known.is_empty() && *known == extension);
        known.map(|(_, _, target, _)| target)
    }

    /// True for the words of SPIR-V, and for their text.
    pub fn is_spirv(self) -> bool {
        matches!(self, Target::SpirV | Target::SpirV10 | Target::SpirVText)
    }

    /// True for the versions of GLSL.
    pub fn is_glsl(self) -> bool {
        matches!(self, Target::Glsl450 | Target::Glsl330 | Target::GlslEs300 | Target::GlslEs310)
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
    let most = |what: &str, number: u32, most: u32| {
        let message = format!("{what} {number} is more than {most}");
        (number > most).then(|| Diagnostic::error(&BINDING, message))
    };
    let bindings = options.bindings.iter().map(|(_, binding)| most("binding", *binding, MOST_BINDING));
    if let Some(problem) =
        most("group", options.group, MOST_GROUP).into_iter().chain(bindings.flatten()).next()
    {
        return Err(problem);
    }
    let prefix = &options.prefix;
    let is_name = prefix.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && prefix.bytes().all(|letter| letter.is_ascii_alphanumeric() || letter == b'_')
        && !prefix.contains("__")
        // Names of GLSL's own.
        && !prefix.starts_with("gl_")
        && prefix.len() <= LONGEST_PREFIX;
    if !prefix.is_empty() && !is_name {
        let problem = Diagnostic::error(&PREFIX, "names cannot begin with the prefix");
        return Err(problem
            .help("letters, digits and single underscores, a letter first, and not GLSL's `gl_`: `sky_`"));
    }
    if options.point_size && matches!(options.target, Target::Wgsl | Target::Hlsl) {
        return refused(
            format!("`{}` has no sizes of points", options.target.name()),
            "without this option the size is one more varying",
        );
    }
    match (options.target, options.shape) {
        (Target::Glsl330 | Target::GlslEs300, Shape::Compute) => refused(
            format!("`{}` has no compute shaders", options.target.name()),
            "`glsl` (4.50) and `essl310` have them",
        ),
        (Target::SpirV | Target::SpirV10 | Target::SpirVText, Shape::Function) => refused(
            "a module of SPIR-V for Vulkan has no functions that others could call".to_owned(),
            "ask for `compute`, or for the function in another language",
        ),
        _ => Ok(()),
    }
}
