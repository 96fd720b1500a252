//! What the npm package's types know by name: machines, their profiles and registers, views, languages; written by `cargo xtask gen`.

use gpuzoo::isa::FileKind;
use gpuzoo::machine::Gpu;
use gpuzoo::raster::View;
use gpuzoo::run;
use gpuzoo::translate::Target;
use std::fmt::Write;
use std::path::PathBuf;

const PATH: &str = "apps/web/npm/src/names.ts";

/// The file, and where it belongs.
pub fn names() -> (PathBuf, String) {
    let mut text =
        "// Written by `cargo xtask gen` from the tables in the sources; edit those.\n\n".to_owned();
    text +=
        "/** What each machine's profiles, inputs and outputs are called. */\nexport interface Machines {\n";
    for gpu in gpuzoo::GPUS {
        let profiles = union(gpu.about().profiles.iter().map(|(name, _)| (*name).to_owned()));
        let _ = writeln!(text, "  {}: {{\n    profile: {profiles};", gpu.about().id);
        for (member, is_input) in [("input", true), ("output", false)] {
            let _ = writeln!(text, "    {member}: {};", registers(*gpu, is_input));
        }
        text += "  };\n";
    }
    text += "}\n\n";
    let ids = |wanted: fn(&'static dyn Gpu) -> bool| {
        union(gpuzoo::GPUS.iter().filter(|gpu| wanted(**gpu)).map(|gpu| gpu.about().id.to_owned()))
    };
    let _ = writeln!(text, "export type MachineId = {};", ids(|_| true));
    let _ = writeln!(text, "/** Machines whose programs run over vertices. */");
    let _ = writeln!(text, "export type ShaderUnitId = {};", ids(|gpu| gpu.shader_unit().is_some()));
    let views = View::ALL.iter().map(|(name, ..)| (*name).to_owned());
    let screens = gpuzoo::GPUS.iter().flat_map(|gpu| gpu.about().views).map(|(name, _)| (*name).to_owned());
    let _ = writeln!(text, "/** What a picture can show in place of the colours. */");
    let _ = writeln!(text, "export type View = {};", union(views.chain(screens)));
    let targets = Target::all().map(|target| target.name().to_owned());
    let _ = writeln!(text, "/** Languages that programs are translated to. */");
    let _ = writeln!(text, "export type Target = {};", union(targets));
    (PATH.into(), text)
}

/// The names of registers that are given to a program, or that leave it.
fn registers(gpu: &'static dyn Gpu, is_input: bool) -> String {
    let Some(unit) = gpu.shader_unit() else { return "never".to_owned() };
    let wanted = |kind| match kind {
        FileKind::Input => is_input,
        FileKind::Output(_) => !is_input,
        _ => false,
    };
    match run::file(unit.isa(), wanted) {
        Some((_, file)) => {
            union((0..file.count).filter(|index| file.has(*index)).map(|index| file.reg_name(index)))
        }
        // Its programs choose the registers that leave them.
        None if !is_input => "`out${number}`".to_owned(),
        None => "never".to_owned(),
    }
}

fn union(names: impl Iterator<Item = String>) -> String {
    names.map(|name| format!("{name:?}")).collect::<Vec<_>>().join(" | ")
}
