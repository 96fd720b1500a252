//! The verb `compile`: from a source in a shading language to a program.
//!
//! ```
//! use gpuzoo::options::{CompileOptions, ReadOptions};
//! let source = "@group(0) @binding(0) var<uniform> m: mat4x4f;\n\
//!     @vertex fn vs(@location(0) p: vec4f) -> @builtin(position) vec4f { return m * p; }";
//! let compiled = gpuzoo::dreambox().compile("move.wgsl", source.as_bytes(), &ReadOptions::default(), &CompileOptions::default(), None)?;
//! assert!(compiled.program().code().slots.len() <= 13);
//! assert_eq!((compiled.uniforms()[0].name.as_str(), compiled.uniforms()[0].count), ("m", 4));
//! # Ok::<(), gpuzoo::Diagnostics>(())
//! ```

mod explain;
mod text;

pub use gpuzoo_compile::front::Language;
pub use gpuzoo_compile::options::Line;
pub use gpuzoo_compile::shader::{Shader, Uniform, Variable};
pub use gpuzoo_machine::target::conventions::Port;
pub use text::{
    CompiledContents, CompiledSlot, CompiledTexture, CompiledUniform, CompiledVariable, ComputedConstant,
    ComputedConstants, VariableHome,
};

use crate::codes::BAD_ARGUMENT;
use crate::options::{CompileOptions, ReadOptions};
use crate::read::text;
use crate::{Machine, Program};
use gpuzoo_compile::build;
use gpuzoo_compile::front::{self, Reading};
use gpuzoo_compile::options::Built;
use gpuzoo_diag::{Diagnostic, Diagnostics, FileId, Sources, Span, suggest};
use gpuzoo_isa::{Assembled, Reg};
use gpuzoo_machine::options::assignment::Assignment;
use gpuzoo_machine::unit::PositionSpace;
use gpuzoo_machine::{Include, Profile, ShaderUnit, TextOptions};
use std::sync::Arc;

/// A source that was compiled.
#[derive(Clone, Debug)]
pub struct Compiled {
    program: Program,
    own: Arc<(Shader, Built)>,
    options: Arc<gpuzoo_compile::options::Options>,
    warnings: Vec<Diagnostic>,
}

impl Machine {
    /// Compiles a source in a shading language. `name` is shown in messages, and its extension is the language if `read` names none.
    /// `include` supplies included files.
    ///
    /// # Errors
    /// What is wrong with the source, or beyond the machine; `G0239` if the language is not known.
    pub fn compile(
        self,
        name: &str,
        source: &[u8],
        read: &ReadOptions,
        options: &CompileOptions,
        include: Option<&Include>,
    ) -> Result<Compiled, Diagnostics> {
        let mut sources = Sources::default();
        let compiled = compile(self.gpu(), &mut sources, name, source, read, options, include);
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
    read: &ReadOptions,
    options: &CompileOptions,
    include: Option<&Include>,
) -> Result<Compiled, Vec<Diagnostic>> {
    let language = read.language(gpu).map_err(|problem| vec![problem])?;
    read.with_text(include, Profile::default(), None, |text| {
        compile_text(gpu, sources, name, source, language, text, options)
    })
}

/// Compiles with options as machines take them.
fn compile_text(
    gpu: &'static dyn ShaderUnit,
    sources: &mut Sources,
    name: &str,
    source: &[u8],
    language: Option<Language>,
    text_options: &TextOptions,
    options: &CompileOptions,
) -> Result<Compiled, Vec<Diagnostic>> {
    let named = Language::of(name);
    let language = language.or(named.map(|(language, _)| language));
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
    let stage = text_options.stage.or(named.and_then(|(_, stage)| stage));
    let TextOptions { entry, defines, include, host_constants, position, .. } = *text_options;
    let reading = Reading { language, entry, stage, defines, include };
    let position = position.unwrap_or_default();
    compile_file(gpu, sources, (file, source), &reading, (position, host_constants), options)
}

/// What a build without the compiler says of a source.
fn left_out(name: &str, file: FileId) -> Diagnostic {
    let message = format!("`{name}` is a source in a shading language, and this build has no compiler");
    Diagnostic::error(&crate::codes::LEFT_OUT, message).label(Span { file, start: 0, end: 0 }, "")
}

fn compile_file(
    gpu: &'static dyn ShaderUnit,
    sources: &mut Sources,
    (file, source): (FileId, &[u8]),
    reading: &Reading,
    (position, host_constants): (PositionSpace, bool),
    options: &CompileOptions,
) -> Result<Compiled, Vec<Diagnostic>> {
    let (shader, mut warnings) = front::read(sources, file, source, reading)?;
    let mut outputs: Vec<(Port, Reg)> = Vec::new();
    for Assignment { name, value } in &options.bind_output {
        let (port, reg) = mapped(gpu, &shader, name, value).map_err(|problem| vec![problem])?;
        if outputs.iter().any(|(bound, _)| *bound == port) {
            let problem = Diagnostic::error(&BAD_ARGUMENT, format!("`--bind-output` has `{name}` twice"));
            return Err(vec![problem.help("an output goes to one register")]);
        }
        outputs.push((port, reg));
    }
    let options =
        gpuzoo_compile::options::Options { compile: options.clone(), position, host_constants, outputs };
    let built = build(gpu, &shader, &options).map_err(|problems| {
        warnings.extend(problems);
        std::mem::take(&mut warnings)
    })?;
    let read = Assembled { program: built.program.clone(), diagnostics: warnings.clone() };
    Ok(Compiled {
        program: Program::of(gpu, read)?.of_compiler().leaving(Some(position)),
        own: Arc::new((shader, built)),
        options: Arc::new(options),
        warnings,
    })
}

/// A program of a source, as other verbs read it.
pub(crate) fn read(
    gpu: &'static dyn ShaderUnit,
    sources: &mut Sources,
    name: &str,
    source: &[u8],
    language: Language,
    options: &TextOptions,
) -> Result<Program, Vec<Diagnostic>> {
    let compile = CompileOptions::default();
    let compiled = compile_text(gpu, sources, name, source, Some(language), options, &compile);
    compiled.map(|compiled| compiled.program)
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
    let compiled = compile_text(gpu, sources, name, source, None, options, &CompileOptions::default());
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

    /// A translation takes positions back to clip space only where the program leaves them in pixels.
    #[test]
    #[cfg(all(feature = "nv2a", feature = "translate", feature = "languages"))]
    fn translations_follow_the_space_of_positions() {
        let source = b"@vertex fn vs(@location(0) p: vec4f) -> @builtin(position) vec4f { return p; }";
        let viewport = |position| {
            let read = ReadOptions { position, ..ReadOptions::default() };
            let compiled = crate::nv2a().compile("p.wgsl", source, &read, &CompileOptions::default(), None);
            let shader = compiled.unwrap().program().translate("hw", &Default::default()).unwrap();
            shader.bindings().iter().any(|binding| binding.name == "viewport")
        };
        assert!(viewport(None) && viewport(Some(PositionSpace::Screen)));
        assert!(!viewport(Some(PositionSpace::Clip)));
    }

    /// The npm package's tests have such a build.
    #[test]
    fn a_small_build_says_what_it_lacks() {
        let mut sources = Sources::default();
        let file = sources.add("lit.wgsl", "");
        let problem = left_out("lit.wgsl", file);
        assert_eq!((problem.code.id, problem.labels[0].span.file), ("G0138", file));
    }
}
