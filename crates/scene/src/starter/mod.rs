//! A scene for a program that comes without one: a teapot, and guesses at what the program's inputs and constants are.
//!
//! Inputs are what the machine's habit says, or what the program does with them: the position is what its position depends
//! on, what its texture coordinates depend on are texture coordinates, and what is multiplied by a matrix is a normal.
//! Constants are what their names say, in dialects that have names. Without names, four constants in a row that the position
//! is multiplied by are the matrix of model, view and projection (of two such matrices the first is the model's); three or
//! four that another input is multiplied by are the model-view or the normal matrix; another one in a dot product is the
//! direction to the light; and the rest are greys.

mod flow;
mod guess;

use crate::toml::quoted;
use flow::Flow;
use gpuzoo_diag::File;
use gpuzoo_isa::{Program, Stage};
use gpuzoo_machine::{Profile, RunState, ShaderUnit, TextOptions};
use guess::{Constants, Line};
use std::fmt::Write;

/// The scene of a program, as text.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Starter {
    /// The whole file.
    pub text: String,
    /// The part of it that is guessed.
    pub assumed: String,
}

/// The place of the camera.
const EYE: &str = "[0.4, 1.7, 4.6]";

const MESH: &str = r#"
[mesh.pot]                              # or `file = "model.glb"`, or another shape
shape = "teapot"
divisions = 12
"#;

const TEXTURE: &str = r##"
[texture.pattern]                       # or `file = "picture.png"`
pattern = "checker"
size = [64, 64]
cells = 8
color = "#d8c8a8"
color2 = "#8a6a4a"
"##;

const CAMERA: &str = "
[camera]
eye = EYE                   # +y is up, +x to the right, and +z toward the viewer
target = [0.12, -0.05, 0]
fov = 36                                # degrees from bottom to top
near = 1
far = 30

";

/// Makes the scene of a program that is in a file of this name and was read with these options, and perhaps of one for the other
/// stage in another file, for a picture of a size, in a numeric profile of this name, or the machine's first.
pub fn starter(
    gpu: &'static dyn ShaderUnit,
    (program, file, options): (&Program, &str, &TextOptions),
    other: Option<(&Program, &str)>,
    size: (u32, u32),
    profile: Option<&str>,
) -> Starter {
    let assumed = Assumed::of(gpu, program, other.map(|(other, _)| other), size);
    let Assumed { texts, textures, .. } = &assumed;
    let (id, (width, height)) = (gpu.about().id, size);
    let profile = profile.map_or(String::new(), |profile| format!("profile = {}\n", quoted(profile)));
    let depth = assumed.clear_depth.map_or(String::new(), |depth| format!(", depth = {depth}"));
    let mut text = format!(
        "# A scene for {}, made by gpuzoo. `gpuzoo explain scene` has a page on each setting.\n\n\
         gpu = \"{id}\"\n{profile}\
         size = [{width}, {height}]                       # of the picture, in pixels\n\
         clear = {{ color = \"#20242c\"{depth} }}\n\n\
         [program.main]\n\
         file = {}\n",
        file.escape_debug(),
        quoted(file)
    );
    if let Some(entry) = options.entry {
        let _ = writeln!(text, "entry = {}", quoted(entry));
    }
    if options.host_constants {
        text += "host_constants = true\n";
    }
    if let Some((_, file)) = other {
        let _ = write!(text, "\n[program.other]\nfile = {}\n", quoted(file));
    } else if let Some(partner) = &assumed.partner {
        let _ = write!(text, "\n# The draw needs a program for the other stage, too.\n[program.other]\n");
        let _ = writeln!(text, "source = '''\n{partner}'''");
    }
    text += MESH;
    if *textures > 0 {
        text += TEXTURE;
    }
    text += &CAMERA.replace("EYE", EYE);
    text += texts;
    Starter { text, assumed: texts.clone() }
}

/// The draw.
struct Assumed {
    texts: String,
    textures: usize,
    partner: Option<String>,
    clear_depth: Option<u32>,
}

impl Assumed {
    fn of(
        gpu: &'static dyn ShaderUnit,
        program: &Program,
        other: Option<&Program>,
        size: (u32, u32),
    ) -> Assumed {
        let state = RunState::from(Profile::default());
        let own = gpu.starter(program, size);
        let given = gpu.lower(program, &state).0;
        let alone = given.stage == Stage::Fragment;
        let assembled =
            |text: &String| gpu.assemble(&File::new("other", text), &TextOptions::default()).program;
        let partner = own.partner.as_ref().filter(|_| other.is_none()).map(assembled);
        let other = other.or(partner.as_ref());
        let given = Flow::of(&given.function);
        let other_flow = other.map(|other| Flow::of(&gpu.lower(other, &state).0.function));
        let empty = (Program::default(), Flow::default());
        let has_other = other.is_some();
        let other = other.zip(other_flow.as_ref()).unwrap_or((&empty.0, &empty.1));
        let (vertex, fragment) = if alone { (other, (program, &given)) } else { ((program, &given), other) };

        let fallback = gpu.about().vertex_formats.iter().max_by_key(|format| format.bytes);
        let inputs = guess::inputs(gpu.isa(), vertex, &own, fallback.map_or("", |format| format.name));
        let mut space = "model";
        let mut constants = |(program, flow): (&Program, &Flow), has_matrices, set: &dyn Fn(u16) -> bool| {
            let (isa, starter) = (gpu.isa(), &own);
            Constants { isa, program, starter, flow, has_matrices, own: set, eye: EYE }.lines(&mut space)
        };
        let vertex_lines = constants(vertex, true, &|index| own.own_constants.contains(&index));
        let sets = |index| gpu.fragment_programs().is_some_and(|programs| programs.sets(index));
        let fragment_lines = constants(fragment, false, &sets);

        let units = gpu.fragment_programs().map(|own| fragment.1.textures.iter().map(|read| own.unit(*read)));
        let sampled = units.into_iter().flatten().max().map_or(0, |last| last + 1);
        let coordinates = inputs.iter().any(|line| line.value.contains("texcoord"));
        let fixed = gpu.fragment_programs().is_none() && coordinates;
        let textures = sampled.max(usize::from(fixed)).min(gpu.about().texture_units);

        let mut text = "[[draw]]\n".to_owned();
        let names = match (alone, has_other) {
            (true, _) => "program = \"other\"\nfragment = \"main\"\n",
            (_, true) => "program = \"main\"\nfragment = \"other\"\n",
            _ => "program = \"main\"\n",
        };
        let _ = write!(
            text,
            "{names}mesh = \"pot\"\nmodel = [{{ rotate = -25 }}]              # steps from the model to the world\n"
        );
        if textures > 0 {
            let _ = writeln!(text, "textures = [{}]", vec!["\"pattern\""; textures].join(", "));
        }
        table(
            "[draw.input]",
            "what the program's inputs hold: attributes of the mesh, or fixed values",
            &inputs,
            &mut text,
        );
        table(
            "[draw.constants]",
            "a matrix is stored as columns; `transpose` makes rows of it",
            &vertex_lines,
            &mut text,
        );
        table("[draw.fragment_constants]", "those of the fragment program", &fragment_lines, &mut text);
        if vertex.1.any_constant || fragment.1.any_constant {
            text += "\n# The program reads constants at computed numbers, too. They are not guessed: what is not given is 0.\n";
        }
        if !own.state.is_empty() {
            text += "\n[draw.state]                            # settings of this machine\n";
            for (key, value) in &own.state {
                let _ = writeln!(text, "{key} = {value}");
            }
        }
        Assumed { texts: text, textures, partner: own.partner, clear_depth: own.clear_depth }
    }
}

/// Appends a table of the scene, if it has lines.
fn table(header: &str, about: &str, lines: &[Line], text: &mut String) {
    if lines.is_empty() {
        return;
    }
    let _ = write!(text, "\n{header:<40}# {about}\n");
    for Line { key, value, why } in lines {
        let bare = key.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
        let key = if bare { key.clone() } else { quoted(key) };
        let _ = writeln!(text, "{:<39} # {why}", format!("{key} = {value}"));
    }
}
