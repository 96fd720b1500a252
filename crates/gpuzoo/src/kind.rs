//! What a file is: a program, a scene or a job.

use crate::{Computer, Registry};
use gpuzoo_diag::File;
use gpuzoo_machine::text::extension;
use gpuzoo_machine::{FileForm, Gpu};
use gpuzoo_scene::toml;

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// A program of a machine.
    Program,
    /// A scene.
    Scene,
    /// Raw commands for a machine.
    Job,
}

impl Kind {
    /// The kind that a file's name says: an extension of one of the machines, or that of scenes. Nothing for one that does
    /// not say.
    ///
    /// ```
    /// use gpuzoo::Registry;
    /// use gpuzoo::kind::Kind;
    /// let registry = Registry::default();
    /// assert_eq!(Kind::of_name(&registry, "teapot.vu"), Some(Kind::Program));
    /// assert_eq!(Kind::of_name(&registry, "teapot.toml"), Some(Kind::Scene));
    /// assert_eq!(Kind::of_name(&registry, "teapot.bin"), None);
    /// ```
    pub fn of_name(registry: &Registry, name: &str) -> Option<Kind> {
        if extension(name).eq_ignore_ascii_case("toml") {
            return Some(Kind::Scene);
        }
        (!registry.by_extension(name).is_empty()).then_some(Kind::Program)
    }

    /// The kind of a file that was found in a folder, where TOML and JSON are many other things, too: a scene names its
    /// machine, and a job has keys of one. `read` gives the file's text, if it is one.
    pub fn of_found(registry: &Registry, name: &str, read: impl FnOnce() -> Option<String>) -> Option<Kind> {
        match Kind::of_name(registry, name) {
            Some(Kind::Scene) => {
                let file = File::new(name, &read()?);
                toml::parse(&file).0.get("gpu").map(|_| Kind::Scene)
            }
            None if extension(name).eq_ignore_ascii_case("json") => {
                job_gpu(registry, &read()?).map(|_| Kind::Job)
            }
            Some(Kind::Program) => is_program(registry, name).then_some(Kind::Program),
            kind => kind,
        }
    }
}

/// Whether a file with an extension of a machine is a program. What a CPU's programs leave, such as recordings, has an
/// extension of the machine, too, but is neither assembled nor made by assembling.
fn is_program(registry: &Registry, name: &str) -> bool {
    let extension = extension(name);
    registry.by_extension(name).iter().any(|gpu| {
        let Some(computer) = gpu.computer() else { return true };
        let text = Computer::new(computer).text_form();
        let says = |form: &&FileForm| form.extensions.iter().any(|own| own.eq_ignore_ascii_case(extension));
        let mut forms = gpu.about().forms.iter().filter(says);
        forms.any(|form| form.is_written || Some(form.name) == text)
    })
}

/// The machine whose job a JSON text is.
pub fn job_gpu(registry: &Registry, text: &str) -> Option<&'static dyn Gpu> {
    if !text.trim_ascii_start().starts_with('{') {
        return None;
    }
    let file = File::new("", text);
    registry.gpus().iter().copied().find(|gpu| gpu.jobs().is_some_and(|jobs| jobs.is_job(&file)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_in_a_folder_is_recognized_by_what_is_in_it() {
        let registry = Registry::default();
        let kind = |name: &str, text: &str| Kind::of_found(&registry, name, || Some(text.to_owned()));
        assert_eq!(kind("s.toml", "gpu = \"nv2a\"\n"), Some(Kind::Scene));
        // What can be read of a broken one says it, too.
        assert_eq!(kind("s.toml", "gpu = \"nv2a\"\nsize = [\n"), Some(Kind::Scene));
        assert_eq!(kind("Cargo.toml", "[package]\nname = \"gpu\"\n"), None);
        assert_eq!(kind("j.json", r#"{"width": 1, "height": 1, "draws": []}"#), Some(Kind::Job));
        for job in [r#"{"width": 1, "height": 1}"#, r#"{"draws": []}"#, r#"{"clear_color": "0"}"#] {
            assert_eq!(kind("j.json", job), Some(Kind::Job), "{job}");
        }
        for other in ["[1, 2]", r#"{"words": [1]}"#, r#"{"title": "", "width": 1}"#, "{", ""] {
            assert_eq!(kind("j.json", other), None, "{other}");
        }
        assert_eq!(kind("p.vu", ""), Some(Kind::Program));
        assert_eq!(kind("p.txt", ""), None);
        for gpu in registry.gpus().iter().filter(|gpu| gpu.computer().is_some()) {
            let kinds = gpu.about().extensions.iter().map(|own| kind(&format!("x.{own}"), ""));
            let kinds: Vec<_> = kinds.collect();
            assert!(kinds.contains(&Some(Kind::Program)) && kinds.contains(&None), "{kinds:?}");
        }
        assert_eq!(Kind::of_found(&registry, "s.toml", || None), None);
    }
}
