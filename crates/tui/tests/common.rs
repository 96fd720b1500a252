//! A run of each machine, and a face for it.

use gpuzoo::Program;
use gpuzoo::debugger::{Console, Run};
use gpuzoo::diag::Sources;
use gpuzoo::machine::session::Picture;
use gpuzoo::machine::{Arguments, RunState};
use gpuzoo::paint::Paint;
use gpuzoo::raster::Image;
use gpuzoo::run::{Column, Vertices};
use gpuzoo::trace::trace;
use gpuzoo_tui::{App, Colors};
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyModifiers};
use ratatui::layout::Rect;
use std::sync::Arc;

/// The machines, each with something that is wrong: a `dot` that leaves zeros, a root of zero, a NaN, a kill, an endless loop.
pub const MACHINES: [&str; 5] = ["dreambox", "nv2a", "picogpu", "servaru", "vera"];

const DREAMBOX: &str = "ld r1 1\nld r2 2\nld r3 3\ndot r2 r1\nmul r3 r2\nst col r3\nld r0 0\nst pos r0\n";
const NV2A: &str = "#light vector 100\ndp3 r0.w, iNormal, iNormal\nrsq r1.x, r0.w\nmul r0.xyz, iNormal, r1.x\n\
                    dp3 r0.x, r0, #light\nmul r2, r0, r0 + rcp r1.y, r0.x\nmov oD0, r0.x\n";
const PICOGPU: &str = "#vertexShader\n#input r0.xyzw\n#output r5.xyzw\nfmul r1.x r0 r0\nfsub r2.x r1 r1\n\
                       mov r5 r2\ntrap\n";
const SERVARU: &str =
    ".fragment\nMOV R1, P0;\t# a tab\nRSQ R2.x, R1.y;\nMUL P9, R1, R2.x;\nKIL R1.x;\nMOV P10, R1;\n";
const VERA: &str = "start:\n  lda #$2a\n  sta $9f23\nloop:\n  inc $22\n  inx\n  stx $9f23\n  bra loop\n";

/// Not one of [`MACHINES`]: a source, whose uniform and variables are seen.
const SOURCE: &str = "\
struct U { tint: vec4f }
@group(0) @binding(0) var<uniform> u: U;
struct V { @builtin(position) at: vec4f, @location(0) color: vec4f }
@vertex fn vs(@location(0) place: vec4f) -> V {
    let bright = place.x * place.x;
    return V(place, u.tint * sqrt(bright));
}
";

fn of_unit(program: &Program, inputs: [f32; 4]) -> Run {
    let values: Vec<u32> = inputs.map(f32::to_bits).into();
    let column = |input| Column { input, values: values.clone().into(), stride: 4, components: 4 };
    let vertices = Vertices::Columns { count: 1, columns: (0..4).map(column).collect() };
    Run::of_trace(trace(program, &RunState::default(), &vertices, 0, &[[0; 4]; 256], &[]))
}

/// The runs of a machine's program, and its texts. One has a second run, and a picture.
pub fn runs(machine: &str) -> (Vec<Run>, Sources) {
    let both = |program: Program, inputs| {
        let run = of_unit(&program, inputs);
        (vec![run], (**program.sources()).clone())
    };
    let assemble = |machine: gpuzoo::Machine, name: &str, text: &str| machine.assemble(name, text).unwrap();
    match machine {
        "dreambox" => both(assemble(gpuzoo::dreambox(), "dot.vu", DREAMBOX), [1.0, 1.0, 0.5, 1.0]),
        "nv2a" => both(assemble(gpuzoo::nv2a(), "lit.vsh", NV2A), [0.0; 4]),
        "source" => {
            let compiled = gpuzoo::nv2a().compile(
                "tint.wgsl",
                SOURCE.as_bytes(),
                &Default::default(),
                &Default::default(),
                None,
            );
            both(compiled.unwrap().program().clone(), [0.5, 0.25, 0.0, 1.0])
        }
        "picogpu" => both(assemble(gpuzoo::picogpu(), "nan.pico", PICOGPU), [1.0e38, 0.0, 0.0, 1.0]),
        "servaru" => {
            let program = assemble(gpuzoo::servaru(), "kill.svs", SERVARU);
            let pixel = |at: u32| [(at % 32 * 8) as u8, (at / 32 * 10) as u8, 64, 255];
            let image = Image::from_pixels(32, 24, (0..32 * 24).map(pixel).collect()).unwrap();
            let picture = Arc::new(Picture { image, mark: Some((20, 6)) });
            let run = |inputs| of_unit(&program, inputs).in_picture(picture.clone());
            (vec![run([-1.0, 0.0, 2.0, 1.0]), run([1.0; 4])], (**program.sources()).clone())
        }
        _ => {
            let program = gpuzoo::vera().assemble("loop.s", VERA).unwrap();
            let session = program.session(&Arguments::default()).unwrap();
            (vec![Run::of_session("loop", session)], (**program.sources()).clone())
        }
    }
}

/// Does something with a face of a machine's run.
pub fn with<T>(
    machine: &str,
    colors: Colors,
    (width, height): (u16, u16),
    work: impl FnOnce(&mut App) -> T,
) -> T {
    let (runs, sources) = runs(machine);
    let console = Console::new(runs, sources, false, Paint::PLAIN);
    work(&mut App::new(console, colors, Rect::new(0, 0, width, height)))
}

/// Presses keys: letters as they are, others by name.
pub fn press(app: &mut App, keys: &[&str]) {
    for key in keys {
        let code = match *key {
            "Right" => KeyCode::Right,
            "Left" => KeyCode::Left,
            "Up" => KeyCode::Up,
            "Down" => KeyCode::Down,
            "PageUp" => KeyCode::PageUp,
            "PageDown" => KeyCode::PageDown,
            "Home" => KeyCode::Home,
            "End" => KeyCode::End,
            "Enter" => KeyCode::Enter,
            "Esc" => KeyCode::Esc,
            "Tab" => KeyCode::Tab,
            "BackTab" => KeyCode::BackTab,
            "Backspace" => KeyCode::Backspace,
            letters => {
                for letter in letters.chars() {
                    app.key(KeyCode::Char(letter), KeyModifiers::NONE);
                }
                continue;
            }
        };
        app.key(code, KeyModifiers::NONE);
    }
}

/// What is drawn.
pub fn drawn(app: &App) -> Buffer {
    let mut buffer = Buffer::empty(app.area());
    app.draw(&mut buffer);
    buffer
}

/// The letters of it, without blanks at the ends of lines.
pub fn letters(buffer: &Buffer) -> String {
    let area = buffer.area;
    let row = |y| (0..area.width).map(|x| buffer[(x, y)].symbol()).collect::<String>();
    (0..area.height).map(|y| row(y).trim_end().to_owned() + "\n").collect()
}
