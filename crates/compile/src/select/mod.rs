//! From a straight line to a program.

pub mod bounds;
pub mod expand;
pub mod paired;
pub mod single;
mod tables;

use crate::codes::{CONSTANTS, NO_PORT, TEMPORARIES, TOO_LONG, UNPROVEN};
use crate::host;
use crate::options::{Built, Level, Options};
use crate::shader::{Shader, Variable};
use gpuzoo_diag::{Diagnostic, counted};
use gpuzoo_isa::Reg;
use gpuzoo_machine::ShaderUnit;
use gpuzoo_machine::target::conventions::Port;
use std::sync::Arc;

/// The program of a straight line.
///
/// ```
/// use gpuzoo_compile::build;
/// use gpuzoo_compile::options::Options;
/// use gpuzoo_compile::shader::{Shader, Variable};
/// use gpuzoo_diag::Span;
/// use gpuzoo_ir::Builder;
/// use gpuzoo_isa::Mask;
/// use gpuzoo_machine::target::conventions::Port;
///
/// let mut b = Builder::default();
/// let p = b.input(0);
/// b.output(0, p);
/// let variable = |port, name: &str| Variable { port, name: name.to_owned(), mask: Mask(15), span: Span::default() };
/// let shader = Shader {
///     function: b.finish(),
///     inputs: vec![variable(Port::Location(0), "p")],
///     outputs: vec![variable(Port::Position, "position")],
///     ..Shader::default()
/// };
/// let built = build(&gpuzoo_dreambox::GPU, &shader, &Options::default()).unwrap();
/// // ld, st, end
/// assert_eq!(built.program.slots.len(), 3);
/// ```
///
/// # Errors
/// Diagnostics, if the machine cannot do something, or not in the room that it has.
pub fn build(unit: &dyn ShaderUnit, shader: &Shader, options: &Options) -> Result<Built, Vec<Diagnostic>> {
    if gpuzoo_ir::verify::verify(&shader.function).is_err() {
        let message = "the straight line is not well formed";
        return Err(vec![
            Diagnostic::error(&UNPROVEN, message).at(shader.span).help("see `gpuzoo_ir::verify`"),
        ]);
    }
    let misplaced = misplaced(unit, shader, options);
    if !misplaced.is_empty() {
        return Err(misplaced);
    }
    if options.host_constants
        && let Some((rest, host)) = host::split(shader)
    {
        let mut built = on(unit, &rest, options)?;
        let first =
            options.compile.constants_at.or_else(|| Some(unit.conventions()?.constants(shader.stage).start));
        built.program.host = Some(Arc::new(host::placed(&host, first.unwrap_or(0))));
        return Ok(built);
    }
    on(unit, shader, options).map_err(|problems| with_way_out(unit, shader, options, problems))
}

/// Outputs that are to go to the register of another one, and a position that is to go where the machine looks for none.
fn misplaced(unit: &dyn ShaderUnit, shader: &Shader, options: &Options) -> Vec<Diagnostic> {
    let Some(conventions) = unit.conventions() else { return Vec::new() };
    let register = |own: &Variable| options.output(conventions, shader.stage, own.port);
    let outputs: Vec<Option<Reg>> = shader.outputs.iter().map(register).collect();
    let problem = |(at, own): (usize, &Variable)| {
        let reg = outputs[at]?;
        let other = outputs[..at].iter().position(|earlier| *earlier == Some(reg))?;
        let message = format!("`{}` has the register of another output", own.name);
        let problem = Diagnostic::error(&NO_PORT, message).label(own.span, "declared here");
        let (name, other) = (unit.isa().reg_name(reg), &shader.outputs[other].name);
        Some(problem.help(format!(
            "both it and `{other}` would be {name}; `--bind-output` gives an output another register"
        )))
    };
    let mut problems: Vec<Diagnostic> = shader.outputs.iter().enumerate().filter_map(problem).collect();
    let position = conventions.output(shader.stage, Port::Position);
    let own = shader.outputs.iter().find(|own| own.port == Port::Position);
    if let (Some(own), Some(position)) = (own, position)
        && !outputs.contains(&Some(position))
    {
        let name = unit.isa().reg_name(position);
        let message = format!("nothing is written to {name}, where the machine looks for the position");
        let problem = Diagnostic::error(&NO_PORT, message).label(own.span, "declared here");
        problems.push(problem.help(format!("give it {name}, or {name} to another output")));
    }
    problems
}

/// Says whether what is too large fits when the host computes constants.
fn with_way_out(
    unit: &dyn ShaderUnit,
    shader: &Shader,
    options: &Options,
    mut problems: Vec<Diagnostic>,
) -> Vec<Diagnostic> {
    let is_large = |problem: &&mut Diagnostic| [&TOO_LONG, &TEMPORARIES, &CONSTANTS].contains(&problem.code);
    let Some(problem) = problems.iter_mut().find(is_large) else { return problems };
    let fits = host::split(shader).and_then(|(rest, _)| on(unit, &rest, options).ok());
    if let Some(fits) = fits {
        let slots = counted(fits.program.slots.len(), "slot");
        let help = format!(
            "with `--host-constants` it fits, in {slots}: the host computes what is the same for a whole draw"
        );
        problem.help.insert(0, help);
    }
    problems
}

/// The program of a straight line that is well formed, without a look at what else would fit.
pub(crate) fn on(
    unit: &dyn ShaderUnit,
    shader: &Shader,
    options: &Options,
) -> Result<Built, Vec<Diagnostic>> {
    let build = |options: &Options| match unit.slots() {
        Some(_) => paired::build(unit, shader, options),
        None => single::build(unit, shader, options),
    };
    build(options).or_else(|problems| {
        let is_full = problems.iter().any(|problem| problem.code == &TEMPORARIES);
        if !is_full || options.compile.level == Level::Source {
            return Err(problems);
        }
        // Other orders compute one output after the other; the source's may drop sooner what several are computed from.
        build(&options.at(Level::Source)).map_err(|_| problems)
    })
}
