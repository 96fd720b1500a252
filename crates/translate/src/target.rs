//! Options of translations: languages, shapes, fidelities, bindings.

use crate::codes::{BINDING, NO_FORM, PREFIX};
use gpuzoo_diag::Diagnostic;
use gpuzoo_isa::Stage;
use gpuzoo_machine::options::assignment::{self, Assignment};
#[cfg(feature = "clap")]
use gpuzoo_machine::options::command_line::choice;
use serde::Deserialize;

/// The largest group.
const MOST_GROUP: u32 = 31;

/// The largest binding, which leaves Metal one more.
const MOST_BINDING: u32 = 254;

/// The most letters of a prefix.
const LONGEST_PREFIX: usize = 40;

/// Options of `translate`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct TranslateOptions {
    /// Target language; by default the one of the output's extension, or WGSL
    #[cfg_attr(feature = "clap", arg(long, value_name = "LANGUAGE", value_parser = choice::<Target>()))]
    pub to: Option<Target>,
    /// Kind of shader; by default the stage that the program has in a pipeline
    #[cfg_attr(feature = "clap", arg(long = "as", value_name = "SHAPE", value_parser = choice::<Shape>()))]
    pub shape: Option<Shape>,
    /// Arithmetic: `fast` uses the host's floats, `exact` gives the machine's bits
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME", value_parser = choice::<Fidelity>(), default_value = "fast"))]
    pub fidelity: Fidelity,
    /// Group of all resources, 0 to 31: the set of Vulkan, the register space of Direct3D
    #[cfg_attr(feature = "clap", arg(long, value_name = "NUMBER", default_value_t))]
    pub group: u32,
    /// Binding of a resource, 0 to 254; `--explain` shows the resources and their default bindings
    #[serde(with = "assignment")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME=BINDING"))]
    pub bind: Vec<Assignment<u32>>,
    /// Also return the outputs that the program does not write
    #[cfg_attr(feature = "clap", arg(long))]
    pub all_outputs: bool,
    /// Write the size of points to the pipeline's built-in variable, not to a varying
    #[cfg_attr(feature = "clap", arg(long))]
    pub point_size: bool,
    /// Prefix of the names of functions, types and resources
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)
    )]
    pub prefix: String,
    /// Write SPIR-V without names and lines
    #[cfg_attr(feature = "clap", arg(long))]
    pub strip: bool,
}

impl TranslateOptions {
    /// Target language.
    pub fn target(&self) -> Target {
        self.to.unwrap_or_default()
    }

    /// Kind of shader, of options that are [for a stage](TranslateOptions::for_stage).
    pub(crate) fn shape(&self) -> Shape {
        self.shape.unwrap_or_default()
    }

    /// The same with the kind of shader that programs of a stage become by default.
    pub(crate) fn for_stage(&self, stage: Stage) -> TranslateOptions {
        let default = match stage {
            Stage::Vertex => Shape::Vertex,
            Stage::Fragment => Shape::Fragment,
        };
        TranslateOptions { shape: self.shape.or(Some(default)), ..self.clone() }
    }
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

gpuzoo_diag::choices! { Target, "language";
    "wgsl" => Wgsl, "WebGPU";
    "spirv" => SpirV, "the words of Vulkan 1.1, SPIR-V 1.3";
    "spirv10" => SpirV10, "those of Vulkan 1.0, SPIR-V 1.0";
    "spvasm" => SpirVText, "SPIR-V 1.3 as assembly text";
    "glsl" => Glsl450, "OpenGL, version 4.50";
    "glsl330" => Glsl330, "OpenGL, version 3.30; no compute shaders";
    "essl300" => GlslEs300, "OpenGL ES and WebGL 2, version 3.00; no compute shaders";
    "essl310" => GlslEs310, "OpenGL ES, version 3.10";
    "hlsl" => Hlsl, "Direct3D, shader model 5.1";
    "msl" => Msl, "Metal, version 2.1";
}

impl Target {
    /// The extension of its files, without dot; empty for languages whose files have the extension of another one.
    pub const fn extension(self) -> &'static str {
        match self {
            Target::Wgsl => "wgsl",
            Target::SpirV => "spv",
            Target::SpirVText => "spvasm",
            Target::Glsl450 => "glsl",
            Target::Hlsl => "hlsl",
            Target::Msl => "metal",
            Target::SpirV10 | Target::Glsl330 | Target::GlslEs300 | Target::GlslEs310 => "",
        }
    }

    /// The language that a file's extension says; GLSL's stages have extensions of their own.
    pub fn of_extension(extension: &str) -> Option<Target> {
        if ["vert", "frag", "comp"].contains(&extension) {
            return Some(Target::Glsl450);
        }
        Target::all().find(|target| !extension.is_empty() && target.extension() == extension)
    }

    /// True for the words of SPIR-V, and for their text.
    pub fn is_spirv(self) -> bool {
        matches!(self, Target::SpirV | Target::SpirV10 | Target::SpirVText)
    }

    /// True for the versions of GLSL.
    pub fn is_glsl(self) -> bool {
        matches!(self, Target::Glsl450 | Target::Glsl330 | Target::GlslEs300 | Target::GlslEs310)
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

gpuzoo_diag::choices! { Shape, "shape";
    "vertex" => Vertex, "a vertex shader: attributes by location, a position, varyings";
    "fragment" => Fragment, "a fragment shader";
    "compute" => Compute, "a compute shader that runs the program for the rows of a buffer";
    "function" => Function, "a function for other shaders to call";
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

gpuzoo_diag::choices! { Fidelity, "fidelity";
    "fast" => Fast, "the host's floats";
    "exact" => Exact, "the machine's bits, computed in integers";
}

impl Fidelity {
    /// What it is, for the first line of a shader.
    pub fn about(self) -> &'static str {
        match self {
            Fidelity::Fast => "with the host's floats",
            Fidelity::Exact => "bit for bit: every number is its bits, and all arithmetic is of integers",
        }
    }
}

/// Refuses what a language does not have.
pub fn check(options: &TranslateOptions) -> Result<(), Diagnostic> {
    let (target, shape) = (options.target(), options.shape());
    let refused = |message: String, help: &str| Err(Diagnostic::error(&NO_FORM, message).help(help));
    let most = |what: &str, number: u32, most: u32| {
        let message = format!("{what} {number} is more than {most}");
        (number > most).then(|| Diagnostic::error(&BINDING, message))
    };
    let bindings = options.bind.iter().map(|bind| most("binding", bind.value, MOST_BINDING));
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
    if options.point_size && matches!(target, Target::Wgsl | Target::Hlsl) {
        return refused(
            format!("`{}` has no sizes of points", target.name()),
            "without this option the size is one more varying",
        );
    }
    match (target, shape) {
        (Target::Glsl330 | Target::GlslEs300, Shape::Compute) => refused(
            format!("`{}` has no compute shaders", target.name()),
            "`glsl` (4.50) and `essl310` have them",
        ),
        (Target::SpirV | Target::SpirV10 | Target::SpirVText, Shape::Function) => refused(
            "a module of SPIR-V for Vulkan has no functions that others could call".to_owned(),
            "ask for `compute`, or for the function in another language",
        ),
        _ => Ok(()),
    }
}
