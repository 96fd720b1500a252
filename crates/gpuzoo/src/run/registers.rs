//! Registers of a run by name, and the errors for unknown names.

use crate::codes::{NO_OUTPUTS_KEPT, UNKNOWN_REGISTER};
use gpuzoo_diag::{Diagnostic, suggest};
use gpuzoo_isa::{COMPONENTS, FileKind, Isa, Reg, RegFile, list};
use gpuzoo_machine::ShaderUnit;

/// The first register file of a kind, with its index.
pub fn file(isa: &Isa, wanted: impl Fn(FileKind) -> bool) -> Option<(u8, &RegFile)> {
    let mut files = isa.files.iter().enumerate();
    files.find(|(_, file)| wanted(file.kind)).map(|(index, file)| (index as u8, file))
}

/// The problem of an output that a program does not have.
pub(super) fn no_output(name: &str, names: &[String]) -> Diagnostic {
    let problem = Diagnostic::error(&UNKNOWN_REGISTER, format!("there is no output `{name}`"));
    let known = || names.iter().map(String::as_str);
    let problem = match suggest::nearest(name, known()) {
        Some(near) => problem.help(format!("did you mean `{near}`?")),
        None => problem,
    };
    match names {
        [] => problem.help("the program has no outputs"),
        _ => problem.help(format!("outputs are {}", list(known()))),
    }
}

/// The name of an output: its register's, or `out0` on machines whose programs choose the registers.
pub fn output_name(isa: &Isa, index: u16) -> String {
    let outputs = file(isa, |kind| matches!(kind, FileKind::Output(_)));
    outputs.map_or(format!("out{index}"), |(_, file)| file.reg_name(index))
}

/// The number of an input that users name: as the machine does (`in3`), `v3` as most other machines do, or by the number
/// alone.
pub fn register(file: &RegFile, name: &str) -> Option<u16> {
    let aliased = || {
        let digits = name.strip_prefix('v').unwrap_or(name);
        let plain =
            !digits.is_empty() && digits.len() <= 5 && digits.bytes().all(|digit| digit.is_ascii_digit());
        plain.then(|| digits.parse().ok()).flatten().filter(|index| file.has(*index))
    };
    file.find(name).or_else(aliased)
}

/// The registers of a file in words: `in0 to in7`.
pub(super) fn register_names(file: &RegFile) -> String {
    match file.names {
        [] => {
            format!("{}s are `{}` to `{}`", file.name, file.reg_name(0), file.reg_name(file.count.max(1) - 1))
        }
        _ => format!("{}s are {}", file.name, list(file.real_names())),
    }
}

/// A register with a component, `in0.x`; without one it is component x.
pub(super) fn component_of(file: &RegFile, name: &str) -> Option<(u16, usize)> {
    let (register_name, component) = parts(name);
    Some((register(file, register_name)?, component))
}

/// The name and the component of `in0.x`; without one it is component x.
pub(super) fn parts(name: &str) -> (&str, usize) {
    let component = |letter: &str| COMPONENTS.iter().position(|known| letter == known.to_string());
    let named = name.rsplit_once('.').and_then(|(name, letter)| Some((name, component(letter)?)));
    named.unwrap_or((name, 0))
}

/// The output of a name, on a machine whose outputs keep what an earlier run left.
///
/// # Errors
/// `G0218` for another machine, `G0206` for an output that it does not have.
pub(crate) fn kept_output(gpu: &dyn ShaderUnit, name: &str) -> Result<Reg, Diagnostic> {
    let about = gpu.about();
    if !about.outputs_persist {
        let message = format!("the outputs of {} do not persist from vertex to vertex", about.name);
        return Err(Diagnostic::error(&NO_OUTPUTS_KEPT, message).help("give no start values for outputs"));
    }
    let outputs = file(gpu.isa(), |kind| matches!(kind, FileKind::Output(_)));
    let find = |(number, file): (_, &RegFile)| Some(Reg { file: number, index: file.find(name)? });
    outputs.and_then(find).ok_or_else(|| {
        let problem = Diagnostic::error(&UNKNOWN_REGISTER, format!("there is no output `{name}`"));
        outputs.map_or(problem.clone(), |(_, file)| problem.help(register_names(file)))
    })
}
