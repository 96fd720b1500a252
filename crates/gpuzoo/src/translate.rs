//! The verb `translate`: a program as a shader of the host.
//!
//! ```
//! use gpuzoo::translate::{Fidelity, Options, Shape, Target};
//! let program = gpuzoo::nv2a().assemble("double.vsh", "add oPos, v0, v0")?;
//! let options = Options { target: Target::Glsl330, shape: Shape::Vertex, fidelity: Fidelity::Fast, ..Options::default() };
//! let shader = program.translate("hw", &options)?;
//! assert!(shader.text().unwrap().contains("vec4 oPos_0_xyzw = (v0_in"));
//! assert_eq!(shader.reflection().inputs[0].register, "v0");
//! # Ok::<(), gpuzoo::Diagnostics>(())
//! ```
//!
//! A translation depends on the program, the state and the options, and on nothing else: the same gives the same bytes, which a
//! host may keep.

pub use gpuzoo_translate::{
    At, Binding, Fidelity, HostConstants, Options, Place, Resource, Shape, Target, Translation, WORKGROUP,
};

use crate::codes::BAD_ARGUMENT;
use crate::computer::no_extension;
use crate::host_constants;
use crate::{Program, State};
use gpuzoo_diag::{Diagnostic, Diagnostics, suggest};
use gpuzoo_isa::{COMPONENTS, Mask, Stage};
use gpuzoo_machine::RunState;
use gpuzoo_machine::text::extension;
use std::fmt::Write;

impl Program {
    /// The program, as it runs in a state of the machine, as a shader of the host. Of a source that was compiled with
    /// [`host_constants`](gpuzoo_machine::TextOptions::host_constants) the shader reads those constants, and the reflection has a C
    /// function that computes them.
    ///
    /// # Errors
    /// As [`kernel`](Program::kernel) for the state; `T0101` to `T0108` for what the language, the shape or the fidelity cannot
    /// express.
    pub fn translate<'a>(
        &self,
        state: impl Into<State<'a>>,
        options: &Options,
    ) -> Result<Translation, Diagnostics> {
        let resolved = self.resolved(state.into())?;
        self.translate_in(&resolved.state(), options)
            .map_err(|problems| Diagnostics::new(problems, self.sources().clone()))
    }

    /// As [`translate`](Program::translate), for a state that has been looked up.
    ///
    /// # Errors
    /// As there.
    pub fn translate_in(&self, state: &RunState, options: &Options) -> Result<Translation, Vec<Diagnostic>> {
        if cfg!(not(feature = "translate")) {
            let message = "programs are not translated by this build";
            return Err(vec![Diagnostic::error(&crate::codes::LEFT_OUT, message)]);
        }
        let Some(host) = &self.code().host else {
            let program = gpuzoo_translate::Program::of(self.gpu(), self.code(), state)?;
            return gpuzoo_translate::translate(&program, options).map_err(|problem| vec![problem]);
        };
        // The shader reads what the host has computed.
        let code = gpuzoo_isa::Program { host: None, ..self.code().clone() };
        let mut program = gpuzoo_translate::Program::of(self.gpu(), &code, state)?;
        program.host = Some(HostConstants {
            numbers: host.outputs.iter().map(|(number, _)| *number).collect(),
            code: host_constants::c(host, &format!("{}host_constants", options.prefix)),
        });
        gpuzoo_translate::translate(&program, options).map_err(|problem| vec![problem])
    }

    /// The shape that a program has in a pipeline.
    pub fn shape(&self, state: &RunState) -> Shape {
        match self.gpu().lower(self.code(), state).0.stage {
            Stage::Vertex => Shape::Vertex,
            Stage::Fragment => Shape::Fragment,
        }
    }
}

/// The language of a name.
///
/// # Errors
/// `G0108`, with the names.
pub fn target(name: &str) -> Result<Target, Diagnostic> {
    let all = Target::ALL.map(|(known, _, target, _)| (known, target));
    if name == "glsl450" {
        // Every other version has its number in its name.
        let problem = Diagnostic::error(&BAD_ARGUMENT, "there is no language `glsl450`");
        return Err(problem.help("GLSL 4.50 is `glsl`"));
    }
    choice("language", name, all)
}

/// The language that a file's extension says; WGSL for a file without one.
///
/// # Errors
/// `G0118` for an extension that says none.
pub fn target_of_file(name: &str) -> Result<Target, Diagnostic> {
    let extension = extension(name).to_ascii_lowercase();
    match Target::of_extension(&extension) {
        Some(target) => Ok(target),
        None if extension.is_empty() => Ok(Target::default()),
        None => {
            let all = Target::ALL.into_iter().map(|(_, extension, ..)| extension);
            let problem = no_extension(&extension, all.filter(|extension| !extension.is_empty()));
            Err(problem.help("`--to` says the language, whatever the file is called"))
        }
    }
}

/// The shape of a name.
///
/// # Errors
/// `G0108`, with the names.
pub fn shape(name: &str) -> Result<Shape, Diagnostic> {
    choice("shape", name, Shape::ALL)
}

/// The fidelity of a name.
///
/// # Errors
/// `G0108`, with the names.
pub fn fidelity(name: &str) -> Result<Fidelity, Diagnostic> {
    choice("fidelity", name, Fidelity::ALL)
}

/// A resource and its binding, as `c=4` says them.
///
/// # Errors
/// `G0108` for another text.
pub fn binding(text: &str) -> Result<(String, u32), Diagnostic> {
    let pair =
        text.split_once('=').and_then(|(name, number)| Some((name.to_owned(), number.trim().parse().ok()?)));
    pair.ok_or_else(|| {
        let problem = Diagnostic::error(&BAD_ARGUMENT, format!("`{text}` binds nothing"));
        problem.help("a resource and a number are expected: `c=4`")
    })
}

fn choice<T: Copy, const N: usize>(
    what: &str,
    name: &str,
    all: [(&'static str, T); N],
) -> Result<T, Diagnostic> {
    let found = all.iter().find(|(known, _)| *known == name).map(|(_, value)| *value);
    found.ok_or_else(|| {
        let problem = Diagnostic::error(&BAD_ARGUMENT, format!("there is no {what} `{name}`"));
        let names = all.map(|(known, _)| known);
        match suggest::nearest(name, names) {
            Some(nearest) => problem.help(format!("did you mean `{nearest}`?")),
            None => problem.help(format!("there are {}", names.join(", "))),
        }
    })
}

/// What a host must provide, and where its results may differ from the machine's, for people.
pub fn explain(translation: &Translation) -> String {
    let mut text = String::new();
    let places = |title: &str, places: &[Place], text: &mut String| {
        for place in places {
            let _ = writeln!(text, "{title} {:<6} {}, {}", place.register, place.at, place.type_name);
        }
    };
    places("input ", translation.inputs(), &mut text);
    places("output", translation.outputs(), &mut text);
    for binding in translation.bindings() {
        let (kind, about) = (binding.resource.name(), binding.about);
        let about = if about.is_empty() { String::new() } else { format!(": {about}") };
        let group = if binding.group == 0 { String::new() } else { format!("{}.", binding.group) };
        let place = format!("{group}{}", binding.binding);
        let _ = writeln!(text, "binding {place:<2} {}: {kind} {}{about}", binding.name, binding.type_name);
    }
    for own in translation.given() {
        let first = own.reg.index;
        let _ = match own.count {
            0 | 1 => write!(text, "constant {first}"),
            count => write!(text, "constants {first} to {}", u32::from(first) + u32::from(count) - 1),
        };
        if own.mask != Mask::ALL {
            text.push('.');
            text.extend((0..4u8).filter(|at| own.mask.has(*at)).map(|at| COMPONENTS[usize::from(at)]));
        }
        let _ = own.name.as_ref().map(|name| write!(text, ": {name}"));
        if translation.is_computed(own) {
            text += ", which the host computes: `host` in the reflection is C for it";
        }
        let values: Vec<String> =
            own.values.iter().map(|value| format!("{:?}", value.map(f32::from_bits))).collect();
        if !values.is_empty() {
            let _ = write!(text, ", must be {}", values.join(", "));
        }
        text.push('\n');
    }
    let mut doubts = false;
    for (name, count, doubt) in translation.operations() {
        let Some(doubt) = doubt else { continue };
        doubts = true;
        let _ = writeln!(text, "{count:>5} {name:<18} {doubt}");
    }
    for (name, count) in translation.kept() {
        let _ = writeln!(
            text,
            "{count:>5} {name:<18} in integers: what it adds is taken back, and hosts leave both out"
        );
    }
    if !doubts && translation.bindings().iter().any(|binding| binding.name.ends_with("viewport")) {
        text += "the way of positions back to clip space is the host's; no other result depends on it\n";
    } else if !doubts {
        text += "no result depends on the host\n";
    }
    text
}
