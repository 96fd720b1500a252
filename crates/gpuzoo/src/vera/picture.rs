//! `render` for VERA: the picture that the beam has drawn, or a look into its memory.

use crate::codes::CANNOT_ENCODE;
use crate::render::Format;
use crate::vera::program::{Input, Setup};
use gpuzoo_diag::{Diagnostic, Severity};
use gpuzoo_raster::Image;
use gpuzoo_scene::output::{self, Movie, OutputError};
use gpuzoo_vera::inspect::{self, View};
use gpuzoo_vera::x16::{Ending, Limits, UNSEEN, X16};
use gpuzoo_vera::{HEIGHT, STATE, Vera, WIDTH};

/// Frames a second of a VGA signal, 59.5 exactly.
const FPS: u32 = 60;

/// Which frames are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frames {
    /// The one after the program has ended or met its limits.
    Last,
    /// The one with this number, from 0.
    One(u64),
    /// So many from the start, as an animation.
    All(u32),
}

/// What was rendered.
#[non_exhaustive]
pub struct Rendered {
    /// The file.
    pub bytes: Vec<u8>,
    /// How the program ended, if it did; none for a trace.
    pub ending: Option<Ending>,
    /// Why a program's screen is black, where that may surprise.
    pub remark: Option<Diagnostic>,
}

/// The source of pictures: a machine that goes on, or a device on which only time passes.
enum Show {
    Machine(Box<X16>),
    Device(Box<Vera>),
}

impl Show {
    /// Runs to the end of the next picture.
    fn frame(&mut self) -> Option<Ending> {
        match self {
            Show::Machine(machine) => {
                let frames = machine.vera().frames();
                let ending = machine.run(&Limits::frames(1));
                // A program that has ended leaves VERA on: its picture goes on.
                if machine.vera().frames() == frames {
                    machine.vera_mut().advance_frame();
                }
                Some(ending)
            }
            Show::Device(vera) => {
                vera.advance_frame();
                None
            }
        }
    }

    fn vera(&self) -> &Vera {
        match self {
            Show::Machine(machine) => machine.vera(),
            Show::Device(vera) => vera,
        }
    }

    fn image(&self, view: Option<View>) -> Result<Image, Diagnostic> {
        let vera = self.vera();
        let inspect::Image { width, height, pixels } = match view {
            None => inspect::Image { width: WIDTH, height: HEIGHT, pixels: vera.picture().to_vec() },
            Some(view) => view.image(vera),
        };
        Image::from_pixels(width as u32, height as u32, pixels).map_err(|error| cannot(error.to_string()))
    }
}

fn cannot(reason: String) -> Diagnostic {
    Diagnostic::error(&CANNOT_ENCODE, format!("the picture cannot be written: {reason}"))
}

/// Renders a program, or what a trace has set up; without a view, what is on the screen. `progress` gets the number of
/// frames that are done.
///
/// # Errors
/// What is wrong with the program or the machine, or `G0215` if the format cannot hold the picture.
pub fn render(
    input: &Input,
    setup: &Setup,
    frames: Frames,
    view: Option<View>,
    format: Format,
    mut progress: impl FnMut(u64),
) -> Result<Rendered, Diagnostic> {
    let mut show = match input {
        Input::Program(program) => Show::Machine(Box::new(program.machine(setup)?)),
        Input::Trace(trace) => {
            let mut vera = Vera::with(setup.config.deviations);
            trace.replay(&mut vera, |_, _| {});
            Show::Device(Box::new(vera))
        }
    };
    let mut ending = None;
    let (skip, count) = match frames {
        Frames::Last => {
            if let Show::Machine(machine) = &mut show {
                ending = Some(machine.run(&setup.limits));
            }
            // The beam may be in the middle of a picture, so the next but one is the first that is whole; a program
            // that goes on gets to its limit and no further.
            if !matches!(ending, Some(Ending::Frames { .. })) {
                match &mut show {
                    Show::Machine(machine) => (0..2).for_each(|_| machine.vera_mut().advance_frame()),
                    Show::Device(vera) => (0..2).for_each(|_| vera.advance_frame()),
                }
            }
            (0, 0)
        }
        Frames::One(index) => (index + 1, 0),
        Frames::All(count) => (0, count),
    };
    for index in 0..skip {
        ending = show.frame();
        progress(index + 1);
    }
    let encoding = |error: OutputError| cannot(error.to_string());
    let mut bytes = Vec::new();
    let mut movie: Option<Movie> = None;
    for index in 0..count.max(1) {
        if count > 0 {
            ending = show.frame();
        }
        let image = show.image(view)?;
        let form = match format {
            Format::Png => output::Format::Png { alpha: false },
            Format::Gif => output::Format::Gif,
            Format::Raw => {
                bytes.extend_from_slice(image.bytes());
                continue;
            }
        };
        let movie = match &mut movie {
            Some(movie) => movie,
            None => movie.insert(
                Movie::new(form, image.width(), image.height(), count.max(1), FPS).map_err(encoding)?,
            ),
        };
        movie.frame(&image).map_err(encoding)?;
        progress(u64::from(index) + 1);
    }
    if let Some(movie) = movie {
        bytes = movie.finish().map_err(encoding)?;
    }
    let remark = match &show {
        Show::Machine(machine) if view.is_none() => unseen(machine, setup),
        _ => None,
    };
    Ok(Rendered { bytes, ending, remark })
}

/// What a program has done that its picture cannot show.
fn unseen(machine: &X16, setup: &Setup) -> Option<Diagnostic> {
    let output =
        STATE.iter().find(|item| item.name == "DC_VIDEO").map_or(0, |item| (item.get)(machine.vera()) & 3);
    if !machine.output().is_empty() && setup.config.rom.is_none() {
        let message = "the program has printed text, which the picture does not show";
        let problem = Diagnostic::new(Severity::Note, &UNSEEN, message);
        return Some(problem.help(
            "the characters are in the Commander's ROM: give an image with `--rom`; `run` prints the text",
        ));
    }
    (output == 0).then(|| {
        let problem = Diagnostic::new(Severity::Note, &UNSEEN, "VERA's output is off, so the picture is black");
        problem.help("write 1 (VGA) into bits 1:0 of DC_VIDEO, and the layers into bits 6:4; as after power-on, all are 0")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vera::program::read;
    use gpuzoo_diag::Sources;
    use gpuzoo_vera::Deviations;

    fn remark(text: &str, view: Option<View>) -> Option<String> {
        let mut sources = Sources::default();
        let (input, _) = read(&mut sources, "t.s", text.as_bytes(), None, None, &mut |_| Err(String::new()));
        let rendered = render(
            &input.unwrap(),
            &Setup::new(Deviations::default()),
            Frames::Last,
            view,
            Format::Raw,
            |_| {},
        )
        .unwrap();
        rendered.remark.map(|remark| format!("{} {}", remark.code.id, remark.message))
    }

    #[test]
    fn a_black_screen_is_explained() {
        let black = " lda #$1f\n sta VERA_ADDRx_H\n rts\n";
        assert!(remark(black, None).is_some_and(|text| text.starts_with("V0308 VERA's output is off")));
        assert_eq!(remark(black, Some(View::Vram)), None);
        assert_eq!(remark(" lda #1\n sta VERA_DC_VIDEO\n rts\n", None), None);
        let text = " lda #1\n sta VERA_DC_VIDEO\n lda #'A'\n jmp CHROUT\n";
        assert!(remark(text, None).is_some_and(|text| text.starts_with("V0308 the program has printed")));
    }
}
