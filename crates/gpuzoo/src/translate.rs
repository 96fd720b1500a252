//! The verb `translate`: a program as a shader of the host.
//!
//! ```
//! use gpuzoo::translate::{Shape, Target, TranslateOptions};
//! let program = gpuzoo::nv2a().assemble("double.vsh", "add oPos, v0, v0")?;
//! let options = TranslateOptions { to: Some(Target::Glsl330), shape: Some(Shape::Vertex), ..TranslateOptions::default() };
//! let shader = program.translate("hw", &options)?;
//! assert!(shader.text().unwrap().contains("vec4 oPos_0_xyzw = (v0_in"));
//! assert_eq!(shader.reflection().inputs[0].register, "v0");
//! # Ok::<(), gpuzoo::Diagnostics>(())
//! ```
//!
//! A translation depends on the program, the state and the options, and on nothing else: the same gives the same bytes, which a
//! host may keep.

pub use gpuzoo_translate::{
    At, Binding, Fidelity, HostConstants, Place, Resource, Shape, Target, TranslateOptions, Translation,
    WORKGROUP,
};

use crate::host_constants;
use crate::read::form::no_extension;
use crate::{Program, State};
use gpuzoo_diag::{Diagnostic, Diagnostics};
use gpuzoo_isa::{COMPONENTS, Mask};
use gpuzoo_machine::RunState;
use gpuzoo_machine::target::conventions::Positions;
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
        options: &TranslateOptions,
    ) -> Result<Translation, Diagnostics> {
        let resolved = self.resolved(state.into())?;
        self.translate_in(&resolved.state(), options)
            .map_err(|problems| Diagnostics::new(problems, self.sources().clone()))
    }

    /// As [`translate`](Program::translate), for a state that has been looked up.
    ///
    /// # Errors
    /// As there.
    pub fn translate_in(
        &self,
        state: &RunState,
        options: &TranslateOptions,
    ) -> Result<Translation, Vec<Diagnostic>> {
        if cfg!(not(feature = "translate")) {
            let message = "programs are not translated by this build";
            return Err(vec![Diagnostic::error(&crate::codes::LEFT_OUT, message)]);
        }
        let Some(host) = &self.code().host else {
            let program = self.to_translate(self.code(), state)?;
            return gpuzoo_translate::translate(&program, options).map_err(|problem| vec![problem]);
        };
        // The shader reads what the host has computed.
        let code = gpuzoo_isa::Program { host: None, ..self.code().clone() };
        let mut program = self.to_translate(&code, state)?;
        program.host = Some(HostConstants {
            numbers: host.outputs.iter().map(|(number, _)| *number).collect(),
            code: host_constants::c(host, &format!("{}host_constants", options.prefix)),
        });
        gpuzoo_translate::translate(&program, options).map_err(|problem| vec![problem])
    }

    /// Its code for the translator.
    fn to_translate(
        &self,
        code: &gpuzoo_isa::Program,
        state: &RunState,
    ) -> Result<gpuzoo_translate::Program, Vec<Diagnostic>> {
        let mut program = gpuzoo_translate::Program::of(self.gpu(), code, state)?;
        if self.is_in_clip_space() {
            program.positions = Positions::Clip;
        }
        Ok(program)
    }
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
            let all = Target::all().map(Target::extension);
            let problem = no_extension(&extension, all.filter(|extension| !extension.is_empty()));
            Err(problem.help("`--to` says the language, whatever the file is called"))
        }
    }
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
