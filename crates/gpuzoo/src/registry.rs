//! The machines, and which of them is meant.

use crate::codes::{NO_SUCH_GPU, NO_SUCH_PROFILE, NO_SUCH_TEXT_OPTION, NOT_FOR_VERA, WHICH_GPU};
use crate::vera;
use gpuzoo_diag::{Diagnostic, suggest};
use gpuzoo_isa::list;
use gpuzoo_machine::{Gpu, TextOptions};

/// Every machine. This is the only place that names them.
pub static GPUS: &[&dyn Gpu] =
    &[&gpuzoo_dreambox::GPU, &gpuzoo_nv2a::GPU, &gpuzoo_picogpu::GPU, &gpuzoo_servaru::GPU];

/// The machine of a name: `dreambox`.
pub fn by_id(id: &str) -> Option<&'static dyn Gpu> {
    GPUS.iter().copied().find(|gpu| gpu.about().id == id)
}

/// The machines whose texts have the extension of this file name.
pub fn by_extension(name: &str) -> Vec<&'static dyn Gpu> {
    let extension = extension(name);
    let uses = |gpu: &&dyn Gpu| gpu.about().extensions.iter().any(|own| own.eq_ignore_ascii_case(extension));
    GPUS.iter().copied().filter(uses).collect()
}

/// What follows the last dot of a file name; empty where there is none.
pub fn extension(name: &str) -> &str {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    file.rsplit_once('.').map_or("", |(_, extension)| extension)
}

/// The machine that `id` names or, without one, that has the file name's extension.
///
/// ```
/// use gpuzoo::registry::choose;
/// assert_eq!(choose(None, "teapot.vu").unwrap().about().id, "dreambox");
/// assert_eq!(choose(None, "teapot").err().unwrap().code.id, "G0101");
/// assert_eq!(choose(Some("dremabox"), "").err().unwrap().help[0], "did you mean `dreambox`?");
/// ```
///
/// # Errors
/// `G0101` or `G0102`, with the choices.
pub fn choose(id: Option<&str>, name: &str) -> Result<&'static dyn Gpu, Diagnostic> {
    let ids = || GPUS.iter().map(|gpu| gpu.about().id);
    if let Some(id) = id {
        return by_id(id).ok_or_else(|| {
            if id == vera::ID {
                let message = "VERA is not a shader unit, and this is for shader units";
                return Diagnostic::error(&NOT_FOR_VERA, message);
            }
            let problem = Diagnostic::error(&NO_SUCH_GPU, format!("there is no GPU `{id}`"));
            let problem = match suggest::nearest(id, ids()) {
                Some(near) => problem.help(format!("did you mean `{near}`?")),
                None => problem,
            };
            problem.help(format!("GPUs are {}", list(ids().chain([vera::ID]))))
        });
    }
    match by_extension(name)[..] {
        [gpu] => Ok(gpu),
        [] => {
            let message = match extension(name) {
                "" => "which GPU is meant?".to_owned(),
                extension => format!("which GPU is meant? The extension `.{extension}` does not say"),
            };
            let problem = Diagnostic::error(&WHICH_GPU, message);
            Err(problem.help(format!("say it with `--gpu`: {}", list(ids().chain([vera::ID])))))
        }
        ref several => {
            let message = format!("which GPU is meant? `.{}` belongs to several", extension(name));
            let ids = several.iter().map(|gpu| gpu.about().id);
            let problem = Diagnostic::error(&WHICH_GPU, message);
            Err(problem.help(format!("say it with `--gpu`: {}", list(ids))))
        }
    }
}

/// The profile of a name, or the machine's default.
///
/// # Errors
/// `G0103`, with the choices.
pub fn profile(gpu: &dyn Gpu, name: Option<&str>) -> Result<&'static str, Diagnostic> {
    let about = gpu.about();
    let Some(name) = name else { return Ok(about.profiles.first().copied().unwrap_or("")) };
    about.profiles.iter().copied().find(|profile| *profile == name).ok_or_else(|| {
        let problem = Diagnostic::error(&NO_SUCH_PROFILE, format!("{} has no profile `{name}`", about.id));
        problem.help(format!("it has {}", list(about.profiles.iter().copied())))
    })
}

/// How a program's text is written: the options, checked against the names that the machine has.
///
/// # Errors
/// `G0111` for a name that the machine does not have.
pub fn text_options<'a>(
    gpu: &dyn Gpu,
    dialect: Option<&'a str>,
    numbering: Option<&'a str>,
    style: Option<&'a str>,
) -> Result<TextOptions<'a>, Diagnostic> {
    let about = gpu.about();
    let names = &about.text_options;
    for (what, name, known) in [
        ("dialect", dialect, names.dialects),
        ("numbering of constants", numbering, names.numberings),
        ("style", style, names.styles),
    ] {
        let Some(name) = name.filter(|name| !known.contains(name)) else { continue };
        let problem = Diagnostic::error(&NO_SUCH_TEXT_OPTION, format!("{} has no {what} `{name}`", about.id));
        return Err(match known {
            [] => problem.help("its programs are written in one way"),
            known => problem.help(format!("it has {}", list(known.iter().copied()))),
        });
    }
    Ok(TextOptions { dialect, numbering, style })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_unique_and_every_machine_has_a_profile() {
        for (index, gpu) in GPUS.iter().enumerate() {
            assert!(GPUS[..index].iter().all(|other| other.about().id != gpu.about().id));
            assert!(!gpu.about().profiles.is_empty());
        }
    }

    #[test]
    fn what_names_no_shader_unit_has_a_code() {
        let code = |id, name| choose(id, name).err().map(|problem| problem.code.id);
        assert_eq!(code(Some("nv2b"), "teapot.vu"), Some("G0102"));
        assert_eq!(code(Some(vera::ID), "teapot.vu"), Some("G0113"));
        assert_eq!(code(None, "teapot"), Some("G0101"));
        assert_eq!(code(None, "teapot.vu"), None);
    }

    #[test]
    fn extensions_are_those_of_the_file_and_not_of_its_folder() {
        assert_eq!(extension("a.d/b"), "");
        assert_eq!(extension("a.d/b.VU"), "VU");
        assert_eq!(by_extension("x.VU").len(), 1);
        assert!(by_extension("").is_empty());
    }

    #[test]
    fn profiles_are_checked() {
        let gpu = GPUS[0];
        assert_eq!(profile(gpu, None).ok(), Some(gpu.about().profiles[0]));
        assert_eq!(profile(gpu, Some("x")).err().map(|problem| problem.code.id), Some("G0103"));
    }
}
