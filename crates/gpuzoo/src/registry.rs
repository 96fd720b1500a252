//! The machines, and which of them is meant.

use crate::codes::{self, NO_SHADER_UNIT, NO_SUCH_GPU, NO_SUCH_PROFILE, NO_SUCH_TEXT_OPTION, WHICH_GPU};
use crate::machines::GPUS;
use gpuzoo_diag::{Code, Diagnostic, suggest};
use gpuzoo_isa::list;
use gpuzoo_machine::text::extension;
use gpuzoo_machine::{Gpu, Profile, ShaderUnit, TextOptions};

/// The machines of [`GPUS`] that have shader units.
pub fn shader_units() -> impl Iterator<Item = &'static dyn ShaderUnit> {
    GPUS.iter().filter_map(|gpu| gpu.shader_unit())
}

/// The machines that the verbs know: those of gpuzoo, and those that are added.
///
/// ```
/// use gpuzoo::Registry;
/// let registry = Registry::default();
/// assert_eq!(registry.choose(None, "teapot.vu").unwrap().about().id, "dreambox");
/// assert_eq!(registry.choose(None, "teapot").err().unwrap().code.id, "G0101");
/// assert_eq!(registry.choose(Some("dremabox"), "").err().unwrap().help[0], "did you mean `dreambox`?");
/// ```
#[derive(Clone)]
pub struct Registry {
    gpus: Vec<&'static dyn Gpu>,
}

impl Default for Registry {
    fn default() -> Registry {
        Registry { gpus: GPUS.to_vec() }
    }
}

impl Registry {
    /// With one more machine, which takes the place of one of the same name.
    #[must_use]
    pub fn with(mut self, gpu: &'static dyn Gpu) -> Registry {
        self.gpus.retain(|known| known.about().id != gpu.about().id);
        self.gpus.push(gpu);
        self
    }

    /// All machines.
    pub fn gpus(&self) -> &[&'static dyn Gpu] {
        &self.gpus
    }

    /// The names of all machines.
    pub fn ids(&self) -> impl Iterator<Item = &'static str> + Clone {
        self.gpus.iter().map(|gpu| gpu.about().id)
    }

    /// The machine of a name: `dreambox`; or of an alias: `x16`.
    pub fn by_id(&self, id: &str) -> Option<&'static dyn Gpu> {
        self.gpus.iter().copied().find(|gpu| gpu.about().is_named(id))
    }

    /// The machines whose texts have the extension of this file name.
    pub fn by_extension(&self, name: &str) -> Vec<&'static dyn Gpu> {
        let extension = extension(name);
        let uses = |gpu: &&'static dyn Gpu| {
            gpu.about().extensions.iter().any(|own| own.eq_ignore_ascii_case(extension))
        };
        self.gpus.iter().copied().filter(uses).collect()
    }

    /// The machine that `id` names or, without one, that has the file name's extension.
    ///
    /// # Errors
    /// `G0101` or `G0102`, with the choices.
    pub fn choose(&self, id: Option<&str>, name: &str) -> Result<&'static dyn Gpu, Diagnostic> {
        if let Some(id) = id {
            return self.by_id(id).ok_or_else(|| self.no_such(id));
        }
        match self.by_extension(name)[..] {
            [gpu] => Ok(gpu),
            [] => {
                let message = match extension(name) {
                    "" => "which GPU is meant?".to_owned(),
                    extension => format!("which GPU is meant? The extension `.{extension}` does not say"),
                };
                Err(Diagnostic::error(&WHICH_GPU, message)
                    .help(format!("say it with `--gpu`: {}", list(self.ids()))))
            }
            ref several => {
                let message = format!("which GPU is meant? `.{}` belongs to several", extension(name));
                let ids = several.iter().map(|gpu| gpu.about().id);
                let problem = Diagnostic::error(&WHICH_GPU, message);
                Err(problem.help(format!("say it with `--gpu`: {}", list(ids))))
            }
        }
    }

    /// As [`choose`](Registry::choose), for what only shader units can do.
    ///
    /// # Errors
    /// `G0113` for a machine without shader units, too.
    pub fn shader_unit(&self, id: Option<&str>, name: &str) -> Result<&'static dyn ShaderUnit, Diagnostic> {
        let gpu = self.choose(id, name)?;
        gpu.shader_unit().ok_or_else(|| {
            let message = format!("{} has no shader units; this needs them", gpu.about().id);
            let units: Vec<&str> = self.shader_units().map(|unit| unit.about().id).collect();
            let help = format!("machines with shader units are {}", list(units.into_iter()));
            Diagnostic::error(&NO_SHADER_UNIT, message).help(help)
        })
    }

    /// The machines that have shader units.
    pub fn shader_units(&self) -> impl Iterator<Item = &'static dyn ShaderUnit> {
        self.gpus.iter().filter_map(|gpu| gpu.shader_unit())
    }

    fn no_such(&self, id: &str) -> Diagnostic {
        let problem = Diagnostic::error(&NO_SUCH_GPU, format!("there is no GPU `{id}`"));
        let problem = match suggest::nearest(id, self.ids()) {
            Some(near) => problem.help(format!("did you mean `{near}`?")),
            None => problem,
        };
        problem.help(format!("GPUs are {}", list(self.ids())))
    }

    /// Every diagnostic code of gpuzoo and of these machines, sorted by name.
    pub fn codes(&self) -> Vec<&'static Code> {
        let own = self.gpus.iter().flat_map(|gpu| gpu.about().codes.iter().copied().flatten());
        let mut all: Vec<_> = codes::shared().chain(own.copied()).collect();
        all.sort_by_key(|code| code.id);
        all
    }

    /// The code of a name, in either case: `D0102`.
    pub fn code(&self, id: &str) -> Option<&'static Code> {
        self.codes().into_iter().find(|code| code.id.eq_ignore_ascii_case(id))
    }
}

/// The profile of a name, or the machine's default.
///
/// # Errors
/// `G0103`, with the choices.
pub fn profile(gpu: &dyn Gpu, name: Option<&str>) -> Result<Profile, Diagnostic> {
    let about = gpu.about();
    let Some(name) = name else { return Ok(Profile::default()) };
    about.profile(name).ok_or_else(|| {
        let problem = Diagnostic::error(&NO_SUCH_PROFILE, format!("{} has no profile `{name}`", about.id));
        problem.help(format!("it has {}", list(about.named_profiles().map(|(name, _)| name))))
    })
}

/// Checks the ways to write a program's text against the names that the machine has.
///
/// # Errors
/// `G0111` for a name that the machine does not have.
pub fn check_text_options(gpu: &dyn Gpu, options: &TextOptions) -> Result<(), Diagnostic> {
    let about = gpu.about();
    let names = &about.text_options;
    for (what, name, known) in [
        ("dialect", options.dialect, names.dialects.iter().map(|own| own.name).collect::<Vec<_>>()),
        (
            "numbering of constants",
            options.numbering,
            names.numberings.iter().map(|(name, _)| *name).collect(),
        ),
    ] {
        let Some(name) = name.filter(|name| !known.contains(name)) else { continue };
        let problem = Diagnostic::error(&NO_SUCH_TEXT_OPTION, format!("{} has no {what} `{name}`", about.id));
        return Err(match &known[..] {
            [] => problem.help("its programs are written in one way"),
            known => problem.help(format!("it has {}", list(known.iter().copied()))),
        });
    }
    if let Some(position) = options.position.filter(|_| !names.positions) {
        let message = format!("{} has no choice of positions `{}`", about.id, position.name());
        return Err(
            Diagnostic::error(&NO_SUCH_TEXT_OPTION, message).help("its programs are written in one way")
        );
    }
    match options.defines {
        [] => Ok(()),
        _ if names.macros => Ok(()),
        [first, ..] => {
            let message = format!("`{first}` cannot be defined: programs of {} have no macros", about.id);
            Err(Diagnostic::error(&NO_SUCH_TEXT_OPTION, message))
        }
    }
}

/// A machine with shader units, for tests.
#[cfg(test)]
pub(crate) fn unit() -> &'static dyn ShaderUnit {
    shader_units().next().expect("the feature of one")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_unique_and_every_machine_has_a_profile() {
        for (index, gpu) in GPUS.iter().enumerate() {
            let names = || std::iter::once(&gpu.about().id).chain(gpu.about().aliases);
            assert!(GPUS[..index].iter().all(|other| names().all(|name| !other.about().is_named(name))));
            assert!(!gpu.about().profiles.is_empty());
            // A machine is for some verbs: something runs its programs.
            assert!(gpu.shader_unit().is_some() || gpu.computer().is_some());
        }
    }

    #[test]
    fn what_names_no_shader_unit_has_a_code() {
        let code = |id: Option<&str>, name: &str| {
            Registry::default().shader_unit(id, name).err().map(|problem| problem.code.id)
        };
        assert_eq!(code(Some("nv2b"), "teapot.vu"), Some("G0102"));
        let driven = GPUS.iter().find(|gpu| gpu.shader_unit().is_none()).map(|gpu| gpu.about()).unwrap();
        assert_eq!(code(Some(driven.id), "teapot.vu"), Some("G0113"));
        let demo = format!("demo.{}", driven.extensions[0]);
        assert_eq!(code(None, &demo), Some("G0113"));
        assert_eq!(code(None, "teapot"), Some("G0101"));
        assert_eq!(code(None, "teapot.vu"), None);
    }

    #[test]
    fn extensions_say_the_machine() {
        for gpu in GPUS {
            for extension in gpu.about().extensions {
                let found = Registry::default().by_extension(&format!("x.{extension}"));
                assert_eq!(found.len(), 1, "{extension}");
            }
        }
        assert_eq!(Registry::default().by_extension("x.VU").len(), 1);
        assert!(Registry::default().by_extension("").is_empty());
    }

    #[test]
    fn profiles_are_checked() {
        let gpu = GPUS[0];
        assert_eq!(profile(gpu, None).ok(), Some(Profile::default()));
        for (name, own) in gpu.about().named_profiles() {
            assert_eq!(profile(gpu, Some(name)).ok(), Some(own));
            assert_eq!(gpu.about().profile_name(own), name);
        }
        assert_eq!(profile(gpu, Some("x")).err().map(|problem| problem.code.id), Some("G0103"));
    }
}
