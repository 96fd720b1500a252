//! The verb `compile`: from a source in a shading language to a program.
//!
//! ```
//! use gpuzoo::compile::Options;
//! let source = "@group(0) @binding(0) var<uniform> m: mat4x4f;\n\
//!     @vertex fn vs(@location(0) p: vec4f) -> @builtin(position) vec4f { return m * p; }";
//! let compiled = gpuzoo::dreambox().compile("move.wgsl", source.as_bytes(), &Options::default())?;
//! assert!(compiled.program().code().slots.len() <= 13);
//! assert_eq!((compiled.uniforms()[0].name.as_str(), compiled.uniforms()[0].count), ("m", 4));
//! # Ok::<(), gpuzoo::Diagnostics>(())
//! ```

mod explain;
mod text;

pub use gpuzoo_compile::front::Language;
pub use gpuzoo_compile::options::{Level, Line};
pub use gpuzoo_compile::shader::{Shader, Uniform, Variable};
pub use gpuzoo_machine::target::conventions::Port;
pub use text::{
    CompiledContents, CompiledSlot, CompiledTexture, CompiledUniform, CompiledVariable, ComputedConstant,
    ComputedConstants, VariableHome,
};

use crate::codes::BAD_ARGUMENT;
use crate::read::text;
use crate::{Machine, Program};
use gpuzoo_compile::build;
use gpuzoo_compile::front::{self, Reading};
use gpuzoo_compile::options::Built;
use gpuzoo_diag::{Diagnostic, Diagnostics, FileId, Sources, Span, suggest};
use gpuzoo_isa::{Assembled, Reg};
use gpuzoo_machine::{ShaderUnit, TextOptions};
use std::sync::Arc;

/// How a source is compiled.
#[derive(Clone, Debug, Default)]
pub struct Options<'a> {
    /// The language; else the one that the file's name says.
    pub language: Option<Language>,
    /// The entry point, the stage, macros and included files, and whether what is computed from uniforms alone becomes constants of its own.
    pub text: TextOptions<'a>,
    /// How hard the compiler tries.
    pub level: Level,
    /// Sums may be taken in another order, and choices and floors in ways that are only right for finite numbers of usual sizes.
    pub fast_math: bool,
    /// Positions stay in clip space, on machines that want them in pixels.
    pub raw_position: bool,
    /// The first constant for uniforms and literals; else the machine's usual one.
    pub constants_at: Option<u16>,
    /// Outputs that go elsewhere than usual: `position`, `size`, the number of a location or the name of a variable, and a register.
    pub outputs: &'a [(&'a str, &'a str)],
}

/// A source that was compiled.
#[derive(Clone, Debug)]
pub struct Compiled {
    program: Program,
    own: Arc<(Shader, Built)>,
    options: Arc<gpuzoo_compile::options::Options>,
    warnings: Vec<Diagnostic>,
}

impl Machine {
    /// Compiles a source in a shading language. `name` is shown in messages, and says the language if `options` do not.
    ///
    /// # Errors
    /// What is wrong with the source, or beyond the machine; `G0239` if the language is not known.
    pub fn compile(self, name: &str, source: &[u8], options: &Options) -> Result<Compiled, Diagnostics> {
        let mut sources = Sources::default();
        let compiled = compile(self.gpu(), &mut sources, name, source, options);
        let sources = Arc::new(sources);
        match compiled {
            Ok(compiled) => Ok(Compiled { program: compiled.program.in_sources(sources), ..compiled }),
            Err(problems) => Err(Diagnostics::new(problems, sources)),
        }
    }
}

impl Compiled {
    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The straight line that the source was made into.
    pub fn shader(&self) -> &Shader {
        &self.own.0
    }

    /// The uniforms, in the order of their registers; [`Program::constants`] says which those are.
    pub fn uniforms(&self) -> &[Uniform] {
        &self.own.0.uniforms
    }

    /// What each instruction comes from.
    pub fn lines(&self) -> &[Line] {
        &self.own.1.lines
    }

    /// The least number of slots for the chosen operations, and what needs them.
    pub fn bound(&self) -> Option<(usize, &'static str)> {
        self.own.1.bound
    }

    /// What is suspicious about the source.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }
}

/// As [`Machine::compile`], with a file that is added to `sources`.
///
/// # Errors
/// As there.
pub fn compile(
    gpu: &'static dyn ShaderUnit,
    sources: &mut Sources,
    name: &str,
    source: &[u8],
    options: &Options,
) -> Result<Compiled, Vec<Diagnostic>> {
    let named = Language::of(name);
    let language = options.language.or(named.map(|(language, _)| language));
    let Some(language) = language else {
        let problem =
            Diagnostic::error(&crate::codes::UNKNOWN_LANGUAGE, format!("`{name}` does not say its language"));
        let names: Vec<&str> = Language::ALL.iter().map(|(name, ..)| *name).collect();
        return Err(vec![problem.help(format!("there are {}", names.join(", ")))]);
    };
    let file = match language {
        Language::SpirV => sources.add_binary(name),
        _ => text(sources, name, source).map_err(|problem| vec![problem])?,
    };
    if cfg!(not(feature = "languages")) {
        return Err(vec![left_out(name, file)]);
    }
    let stage = options.text.stage.or(named.and_then(|(_, stage)| stage));
    compile_file(
        gpu,
        sources,
        file,
        source,
        language,
        &Options { text: TextOptions { stage, ..options.text }, ..options.clone() },
    )
}

/// What a build without the compiler says of a source.
fn left_out(name: &str, file: FileId) -> Diagnostic {
    let message = format!("`{name}` is a source in a shading language, and this build has no compiler");
    Diagnostic::error(&crate::codes::LEFT_OUT, message).label(Span { file, start: 0, end: 0 }, "")
}

fn compile_file(
    gpu: &'static dyn ShaderUnit,
    sources: &mut Sources,
    file: FileId,
    source: &[u8],
    language: Language,
    options: &Options,
) -> Result<Compiled, Vec<Diagnostic>> {
    let TextOptions { entry, stage, defines, include, .. } = options.text;
    let reading = Reading { language, entry, stage, defines, include };
    let (shader, mut warnings) = front::read(sources, file, source, &reading)?;
    let mut outputs: Vec<(Port, Reg)> = Vec::new();
    for (name, register) in options.outputs {
        let (port, reg) = mapped(gpu, &shader, name, register).map_err(|problem| vec![problem])?;
        if outputs.iter().any(|(own, _)| *own == port) {
            let problem = Diagnostic::error(&BAD_ARGUMENT, format!("`--map` has `{name}` twice"));
            return Err(vec![problem.help("an output goes to one register")]);
        }
        outputs.push((port, reg));
    }
    let own = gpuzoo_compile::options::Options {
        level: options.level,
        fast_math: options.fast_math,
        constants_at: options.constants_at,
        raw_position: options.raw_position,
        host_constants: options.text.host_constants,
        outputs,
    };
    let built = build(gpu, &shader, &own).map_err(|problems| {
        warnings.extend(problems);
        std::mem::take(&mut warnings)
    })?;
    let read = Assembled { program: built.program.clone(), diagnostics: warnings.clone() };
    Ok(Compiled {
        program: Program::of(gpu, read)?.of_compiler(),
        own: Arc::new((shader, built)),
        options: Arc::new(own),
        warnings,
    })
}

/// The place of positions that is the source's own.
const CLIP: &str = "clip";

/// A program of a source, as other verbs read it.
pub(crate) fn read(
    gpu: &'static dyn ShaderUnit,
    sources: &mut Sources,
    name: &str,
    source: &[u8],
    language: Language,
    options: &TextOptions,
) -> Result<Program, Vec<Diagnostic>> {
    let raw_position = options.positions == Some(CLIP);
    let options = Options { language: Some(language), text: *options, raw_position, ..Options::default() };
    compile(gpu, sources, name, source, &options).map(|compiled| compiled.program)
}

/// What makes programs of a scene's sources.
#[cfg(feature = "render")]
pub(crate) fn of_scene(
    gpu: &'static dyn ShaderUnit,
    sources: &mut Sources,
    name: &str,
    source: &[u8],
    options: &TextOptions,
) -> Option<Assembled> {
    Language::of(name)?;
    let compiled = compile(gpu, sources, name, source, &Options { text: *options, ..Options::default() });
    Some(match compiled {
        Ok(compiled) => {
            Assembled { program: compiled.program.code().clone(), diagnostics: compiled.warnings }
        }
        Err(diagnostics) => Assembled { diagnostics, ..Assembled::default() },
    })
}

/// No machine has outputs at so many locations.
const MOST_LOCATIONS: u16 = 32;

/// An output that goes to a certain register.
fn mapped(
    gpu: &dyn ShaderUnit,
    shader: &Shader,
    name: &str,
    register: &str,
) -> Result<(Port, Reg), Diagnostic> {
    let isa = gpu.isa();
    let of_name = shader.outputs.iter().find(|own| own.name == name).map(|own| own.port);
    let port = match name {
        "position" => Some(Port::Position),
        "size" => Some(Port::PointSize),
        _ => name.parse().ok().map(Port::Location),
    };
    let Some(port) = of_name.or(port).filter(|port| shader.outputs.iter().any(|own| own.port == *port))
    else {
        let names: Vec<String> = shader.outputs.iter().map(|own| format!("`{}`", own.name)).collect();
        let problem = Diagnostic::error(&BAD_ARGUMENT, format!("the program has no output `{name}`"));
        return Err(problem.help(format!(
            "it has {}; `position`, `size` and numbers of locations are names, too",
            names.join(", ")
        )));
    };
    let ports = [Port::Position, Port::PointSize, Port::Depth].into_iter();
    let ports = ports.chain((0..MOST_LOCATIONS).map(Port::Location));
    let outputs: Vec<Reg> = match gpu.conventions() {
        Some(conventions) => ports.filter_map(|port| conventions.output(shader.stage, port)).collect(),
        None => Vec::new(),
    };
    if let Some(reg) =
        outputs.iter().find(|reg| isa.reg_name(**reg) == register || isa.reg(register) == Some(**reg))
    {
        return Ok((port, *reg));
    }
    let names: Vec<String> = outputs.iter().map(|reg| isa.reg_name(*reg)).collect();
    let problem = Diagnostic::error(&BAD_ARGUMENT, format!("`{register}` is no output of the machine"));
    Err(match suggest::nearest(register, names.iter().map(String::as_str)) {
        Some(nearest) => problem.help(format!("did you mean `{nearest}`?")),
        None => problem.help(format!("outputs are {}", names.join(", "))),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The npm package's tests have such a build.
    #[test]
    fn a_small_build_says_what_it_lacks() {
        let mut sources = Sources::default();
        let file = sources.add("lit.wgsl", "");
        let problem = left_out("lit.wgsl", file);
        assert_eq!((problem.code.id, problem.labels[0].span.file), ("G0138", file));
    }
}
