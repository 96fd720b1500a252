//! The standard programs and scenes, which come with gpuzoo.

use super::Case;
use crate::codes::NO_SUCH_BENCH;
use crate::read::Form;
use crate::{Machine, Program, Registry, registry};
use gpuzoo_diag::{Diagnostic, Diagnostics, suggest};
use gpuzoo_isa::list;
use gpuzoo_machine::TextOptions;

/// A program that is measured: where it runs, under which profiles, and its text.
struct Standard {
    gpu: &'static str,
    name: &'static str,
    /// Empty for all of the machine.
    profiles: &'static [&'static str],
    form: Form,
    text: Text,
}

enum Text {
    File(&'static str),
    Made(fn() -> String),
}

const fn standard(gpu: &'static str, name: &'static str, form: Form, text: Text) -> Standard {
    Standard { gpu, name, profiles: &[], form, text }
}

#[rustfmt::skip]
const STANDARD: [Standard; 8] = [
    standard("nv2a", "dp4", Form::Asm, Text::File(include_str!("programs/dp4.vsh"))),
    standard("nv2a", "light", Form::Asm, Text::File(include_str!("programs/light.vsh"))),
    standard("nv2a", "p023", Form::Hex, Text::File(include_str!("programs/p023.hex"))),
    standard("dreambox", "default", Form::Asm, Text::File(include_str!("programs/default.vu"))),
    standard("dreambox", "transform", Form::Asm, Text::File(include_str!("programs/transform.vu"))),
    standard("dreambox", "light40", Form::Asm, Text::File(include_str!("programs/light40.vu"))),
    standard("dreambox", "alu64", Form::Asm, Text::File(include_str!("programs/alu64.vu"))),
    Standard { gpu: "picogpu", name: "mix", profiles: &["unit"], form: Form::Asm, text: Text::Made(mix) },
];

/// 506 instructions, the two that the assembler adds included: the operations on numbers in turn, each of which reads
/// what came before.
fn mix() -> String {
    let mut text = "#vertexShader\n#input r0.xyzw\n#input r1.xyzw\n#output r8.xyzw\nmov r8 r0\n".to_owned();
    let turn = [
        "fadd r8 r8 r1",
        "fmul r8 r8 r1",
        "fsub r8 r8 r0",
        "fmad r8 r8 r1 r0",
        "fmax r8 r8 r1",
        "fdot r9.x r8 r1",
        "fneg r9 r8",
        "fdiv r8 r0 r9",
        "fmin r8 r8 r0",
        "fnorm r8 r8",
    ];
    turn.iter().cycle().take(503).for_each(|line| text.extend([line, "\n"]));
    text
}

/// A scene whose fragments are measured: the scene file and the files that it names.
pub(super) struct Standing {
    pub gpu: &'static str,
    pub name: &'static str,
    /// The size at which fragments, not vertices, take the time; none for a job, which has its own.
    pub size: Option<(u32, u32)>,
    pub files: &'static [(&'static str, &'static [u8])],
}

#[rustfmt::skip]
pub(super) const SCENES: [Standing; 3] = [
    Standing { gpu: "picogpu", name: "scene1", size: None, files: &[
        ("scene.json", include_bytes!("programs/scene_public_1.json")),
    ] },
    Standing { gpu: "picogpu", name: "scene2", size: None, files: &[
        ("scene.json", include_bytes!("programs/scene_public_2.json")),
    ] },
    Standing { gpu: "servaru", name: "rivets", size: Some((800, 640)), files: &[
        ("rivets.toml", include_bytes!("programs/rivets.toml")),
        ("rivets.svs", include_bytes!("programs/rivets.svs")),
        ("bumped.svs", include_bytes!("programs/bumped.svs")),
        ("rivets.png", include_bytes!("programs/rivets.png")),
    ] },
];

/// The names of all standard programs and scenes, as `machine name`.
pub fn names() -> impl Iterator<Item = (&'static str, &'static str)> {
    let scenes = SCENES.iter().map(|scene| (scene.gpu, scene.name));
    STANDARD.iter().map(|standard| (standard.gpu, standard.name)).chain(scenes)
}

/// True if this is what the user asked for.
pub(super) fn is_wanted(own: (&str, &str), gpu: Option<&str>, name: Option<&str>) -> bool {
    gpu.is_none_or(|gpu| gpu == own.0) && name.is_none_or(|name| name == own.1)
}

/// One of the standard programs.
pub fn standard_program(gpu: &str, name: &str) -> Option<Program> {
    let standard = STANDARD.iter().find(|own| (own.gpu, own.name) == (gpu, name))?;
    standard.read(Machine::new(Registry::default().by_id(gpu)?.shader_unit()?)).ok()
}

impl Standard {
    fn read(&self, machine: Machine) -> Result<Program, Diagnostics> {
        let text = match self.text {
            Text::File(text) => text.to_owned(),
            Text::Made(make) => make(),
        };
        machine.read_with(self.name, text.as_bytes(), Some(self.form), &TextOptions::default())
    }
}

/// The standard programs of a machine and of a name, or all; under one profile, or all that each is measured with.
///
/// # Errors
/// `G0115` if there is none, those of [`Registry::shader_unit`] for a machine that has no programs, `G0103` for a profile
/// that a machine does not have.
pub fn standard_cases(
    registry: &Registry,
    gpu: Option<&str>,
    name: Option<&str>,
    profile: Option<&str>,
) -> Result<Vec<Case>, Diagnostic> {
    if let Some(gpu) = gpu {
        registry.shader_unit(Some(gpu), "")?;
    }
    if !names().any(|own| is_wanted(own, gpu, name)) {
        return Err(no_such(gpu, name));
    }
    let mut cases = Vec::new();
    for standard in STANDARD.iter().filter(|own| is_wanted((own.gpu, own.name), gpu, name)) {
        let machine = registry.shader_unit(Some(standard.gpu), "")?;
        let Ok(program) = standard.read(Machine::new(machine)) else { continue };
        let is_own = |name: &str| standard.profiles.is_empty() || standard.profiles.contains(&name);
        let profiles = match profile {
            Some(_) => vec![registry::profile(machine, profile)?],
            None => {
                let own = machine.about().named_profiles().filter(|(name, _)| is_own(name));
                own.map(|(_, profile)| profile).collect()
            }
        };
        cases.extend(profiles.into_iter().map(|profile| Case::new(standard.name, &program, profile)));
    }
    Ok(cases)
}

fn no_such(gpu: Option<&str>, name: Option<&str>) -> Diagnostic {
    let of_gpu = |own: &(&str, &str)| gpu.is_none_or(|gpu| gpu == own.0);
    let known = || names().filter(of_gpu).map(|own| own.1);
    let message = match (name, gpu) {
        (Some(name), _) => format!("there is no standard program `{name}`"),
        (None, gpu) => format!("{} has no standard programs", gpu.unwrap_or("gpuzoo")),
    };
    let problem = Diagnostic::error(&NO_SUCH_BENCH, message);
    let problem = match name.and_then(|name| suggest::nearest(name, known())) {
        Some(near) => problem.help(format!("did you mean `{near}`?")),
        None => problem,
    };
    match known().next() {
        None => problem.help("give a program of your own: `gpuzoo bench FILE`"),
        Some(_) => problem.help(format!("there are {}; or give a file", list(known()))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standard_programs_are_programs() {
        let cases = standard_cases(&Registry::default(), None, None, None).unwrap();
        let of = |gpu: &str, name: &str| {
            let case = cases.iter().find(|case| case.gpu.about().id == gpu && case.name == name);
            case.map(|case| case.instructions)
        };
        assert_eq!(of("nv2a", "p023"), Some(136));
        assert_eq!(of("dreambox", "light40"), Some(40));
        assert_eq!(of("dreambox", "alu64"), Some(64));
        assert_eq!(of("picogpu", "mix"), Some(506));
        assert!(cases.iter().all(|case| !case.function.outputs.is_empty()));
    }

    #[test]
    fn unknown_names_are_reported() {
        let problem = standard_cases(&Registry::default(), None, Some("lihgt"), None).err().unwrap();
        assert_eq!((problem.code.id, problem.help[0].as_str()), ("G0115", "did you mean `light`?"));
        assert_eq!(
            standard_cases(&Registry::default(), Some("nv2a"), Some("light40"), None).err().unwrap().code.id,
            "G0115"
        );
        assert_eq!(
            standard_cases(&Registry::default(), Some("nv2a"), Some("dp4"), Some("x")).err().unwrap().code.id,
            "G0103"
        );
        let of = |gpu: &str| standard_cases(&Registry::default(), Some(gpu), None, None).err().unwrap();
        let registry = Registry::default();
        let driven = registry.gpus().iter().find(|gpu| gpu.shader_unit().is_none()).unwrap();
        assert_eq!(of(driven.about().id).code.id, "G0113");
        assert_eq!(of("nv2b").help[0], "did you mean `nv2a`?");
    }
}
