//! The verb `new`: the files of a first project for a machine.

use crate::codes::BAD_ARGUMENT;
use crate::{Machine, Program, State};
use gpuzoo_diag::{Diagnostic, Diagnostics};
use gpuzoo_machine::{Gpu, ShaderUnit, TextOptions};
use std::fmt::Write;

/// A file of a project: its name and its text.
pub type Named = (String, String);

/// The vertices of the table: the corners of a triangle, in front of the viewer.
const CORNERS: [[&str; 3]; 3] = [["-1", "-1", "1"], ["1", "-1", "1"], ["0", "1", "1"]];

const VERTICES: &str = "\
# A line for each vertex, a column for each component of an input.
# What has no column is that of (0, 0, 0, 1).
";

const CONSTANTS: &str = "\
# Constants for `run` and `trace`: a matrix that changes nothing, and some grey. The scene has its own.
name,x,y,z,w
";

/// The files of a first project: programs that teach the machine's language, and a page with the commands; for shader units
/// a scene, vertices and constants as well.
///
/// # Errors
/// `G0108` for a machine without a sample; what is wrong with a sample.
pub fn files(gpu: &'static dyn Gpu) -> Result<Vec<Named>, Diagnostics> {
    let about = gpu.about();
    let Some(((first, _), others)) = about.sample.split_first() else {
        let problem = Diagnostic::error(&BAD_ARGUMENT, format!("{} has no sample to begin with", about.id));
        return Err(problem.into());
    };
    let mut files: Vec<Named> =
        about.sample.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
    let mut more = Vec::new();
    if let Some(unit) = gpu.shader_unit() {
        let machine = Machine::new(unit);
        let read = |(name, text): &(&str, &str)| machine.assemble(name, text);
        let program = read(&about.sample[0])?;
        let other = others.first().map(|other| Ok::<_, Diagnostics>((read(other)?, other.0))).transpose()?;
        let other = other.as_ref().map(|(other, name)| (other.code(), *name));
        let scene = gpuzoo_scene::starter::starter(
            unit,
            (program.code(), first, &TextOptions::default()),
            other,
            about.screen,
            None,
        );
        more.push(("scene.toml".to_owned(), scene.text));
        more.extend(data(unit, &program)?);
    }
    files.push(("README.md".to_owned(), page(gpu, first)));
    files.extend(more);
    Ok(files)
}

/// Vertices and constants for `run` and `trace`.
fn data(unit: &dyn ShaderUnit, program: &Program) -> Result<Vec<Named>, Diagnostics> {
    let kernel = program.kernel(State::new())?;
    let inputs = kernel.input_names();
    let mut vertices = VERTICES.to_owned();
    let header: Vec<String> = inputs.iter().map(|name| format!("{name}.x,{name}.y,{name}.z")).collect();
    let _ = writeln!(vertices, "{}", header.join(","));
    for corner in CORNERS {
        // Behind the place, whatever they are: what points to the viewer.
        let cells: Vec<&str> =
            corner.into_iter().chain(["0", "0", "1"].into_iter().cycle()).take(inputs.len() * 3).collect();
        let _ = writeln!(vertices, "{}", cells.join(","));
    }
    let mut constants = CONSTANTS.to_owned();
    let (code, isa) = (program.code(), program.isa());
    let starter = unit.starter(code, unit.about().screen);
    let mut rows = ["1,0,0,0", "0,1,0,0", "0,0,1,0", "0,0,0,1"].into_iter().take(starter.rows.into());
    for name in kernel.constant_names() {
        let uniform =
            code.uniforms().find(|(known, _)| *known == name).map_or(1, |(_, uniform)| uniform.count);
        for row in 0..uniform {
            let Some(index) = code.constant(isa, &name).map(|first| first + row) else { continue };
            let own = starter.own_constants.contains(&index);
            let value = (!own).then(|| rows.next()).flatten().unwrap_or("0.5,0.5,0.5,0");
            let _ = writeln!(constants, "{},{value}", code.constant_names(isa, &[index]).concat());
        }
    }
    Ok(vec![("vertices.csv".to_owned(), vertices), ("constants.csv".to_owned(), constants)])
}

/// The page: what there is, and what to type.
fn page(gpu: &'static dyn Gpu, program: &str) -> String {
    let about = gpu.about();
    let id = about.id;
    let extension = gpuzoo_machine::text::extension(program);
    let mut text = format!("# A first project for {}\n\n{}: {}.\n\n", about.id, about.name, about.summary);
    let mut commands = |rows: &[(&str, String)]| {
        for (what, command) in rows {
            let _ = writeln!(text, "{what}:\n\n    {command}\n");
        }
    };
    commands(&[(
        "What is wrong or odd about the program, and what it costs",
        format!("gpuzoo check {program}"),
    )]);
    match gpu.shader_unit() {
        Some(_) => {
            commands(&[
                (
                    "What comes out for each vertex of `vertices.csv`",
                    format!("gpuzoo run {program} vertices.csv --constant-file constants.csv"),
                ),
                (
                    "What each instruction does, for the second vertex",
                    format!("gpuzoo trace {program} vertices.csv --constant-file constants.csv --vertex 1"),
                ),
                (
                    "A picture of the scene, which names the mesh, the camera and the values of constants",
                    "gpuzoo render scene.toml -o picture.png".to_owned(),
                ),
                (
                    "Why a pixel is as it is",
                    format!("gpuzoo trace scene.toml --pixel {},{}", about.screen.0 / 2, about.screen.1 / 2),
                ),
            ]);
        }
        None => commands(&[
            ("What the program leaves in the machine", format!("gpuzoo run {program}")),
            ("What it shows", format!("gpuzoo render {program} -o picture.png")),
            ("What each instruction does", format!("gpuzoo trace {program} --steps 20")),
        ]),
    }
    commands(&[
        ("What the machine can do", format!("gpuzoo explain {id}")),
        ("Its instructions", format!("gpuzoo list ops --gpu {id}")),
        ("Its registers", format!("gpuzoo list registers --gpu {id}")),
    ]);
    let _ = writeln!(
        text,
        "The extension `.{extension}` tells gpuzoo the machine; `--gpu {id}` does it for other files."
    );
    text
}
