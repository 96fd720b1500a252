//! Pictures: what the beam has drawn, or a look into the memory.

use super::{Program, deviations, limits, unfit};
use crate::inspect::{self, View};
use crate::trace::Trace;
use crate::x16::{Ending, Limits, UNSEEN, X16};
use crate::{HEIGHT, STATE, Vera, WIDTH};
use gpuzoo_diag::{Diagnostic, Severity};
use gpuzoo_machine::arguments::Arguments;
use gpuzoo_machine::computer::{Screen, ScreenOptions};
use gpuzoo_machine::timeline::Timeline;
use gpuzoo_raster::Image;

/// Frames a second of a VGA signal, 59.5 exactly.
const FPS: u32 = 60;
/// The most frames of an animation.
pub const MAX_FRAMES: u32 = 10_000;

/// Which frames are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Frames {
    /// The one after the program has ended or met its limits.
    Last,
    /// The one with this number, from 0.
    One(u32),
    /// So many from the start, as an animation.
    All(u32),
}

impl Frames {
    fn of(arguments: &Arguments, frame: Option<u32>) -> Result<Frames, Diagnostic> {
        let frames = arguments.number("frames");
        if arguments.number("cycles").is_some() && (frame.is_some() || frames.is_some()) {
            return Err(unfit(
                "`--cycles` says where the one picture is taken, so it does not go with frames",
            ));
        }
        match (frame, frames) {
            (Some(frame), Some(frames)) if u64::from(frame) >= frames => {
                Err(unfit(format!("there is no frame {frame} among {frames}")))
            }
            (Some(frame), _) if frame >= MAX_FRAMES => {
                Err(unfit(format!("there is no frame {frame}: frames are 0 to {}", MAX_FRAMES - 1)))
            }
            (Some(frame), _) => Ok(Frames::One(frame)),
            (None, Some(count)) => {
                let count = u32::try_from(count).ok().filter(|count| (1..=MAX_FRAMES).contains(count));
                count
                    .map(Frames::All)
                    .ok_or_else(|| unfit(format!("an animation has 1 to {MAX_FRAMES} frames")))
            }
            (None, None) => Ok(Frames::Last),
        }
    }
}

/// A machine that goes on, or a device on which only time passes.
enum Source {
    Machine(Box<X16>),
    Device(Box<Vera>),
}

/// Pictures of a program or of what a trace has set up.
struct Pictures {
    source: Source,
    frames: Frames,
    /// How far the last picture is, for a program.
    limits: Limits,
    view: Option<View>,
    /// How the program ended, if it did.
    ending: Option<Ending>,
    /// The program, for places.
    program: Option<Program>,
    has_rom: bool,
}

fn view(arguments: &Arguments, name: Option<&str>) -> Result<Option<View>, Diagnostic> {
    if arguments.number("layer").is_some() && name != Some("tiles") {
        return Err(unfit("`--layer` is for the view `tiles`"));
    }
    Ok(match name {
        None => None,
        Some("vram") => Some(View::Vram),
        Some("tiles") => Some(View::Tiles(arguments.number("layer").unwrap_or(0) as usize)),
        Some("sprites") => Some(View::Sprites),
        Some("palette") => Some(View::Palette),
        Some(name) => return Err(unfit(format!("there is no view `{name}`"))),
    })
}

/// Of a program.
pub fn of_program(
    program: &Program,
    arguments: &Arguments,
    options: &ScreenOptions,
) -> Result<Box<dyn Screen>, Diagnostic> {
    let pictures = Pictures::new(arguments, options)?;
    let mut machine = program.machine(arguments)?;
    if options.timelines {
        machine.note_activity();
    }
    let source = Source::Machine(Box::new(machine));
    Ok(Box::new(Pictures { source, program: Some(program.clone()), ..pictures }))
}

/// Of what a trace has set up.
pub fn of_trace(
    trace: &Trace,
    arguments: &Arguments,
    options: &ScreenOptions,
) -> Result<Box<dyn Screen>, Diagnostic> {
    let mut pictures = Pictures::new(arguments, options)?;
    trace.replay(pictures.vera_mut(), |_, _| {});
    Ok(Box::new(pictures))
}

impl Pictures {
    /// Of a device just powered on.
    fn new(arguments: &Arguments, options: &ScreenOptions) -> Result<Pictures, Diagnostic> {
        Ok(Pictures {
            source: Source::Device(Box::new(Vera::with(deviations(arguments)?))),
            frames: Frames::of(arguments, options.frame)?,
            limits: limits(arguments),
            view: view(arguments, options.view)?,
            ending: None,
            program: None,
            has_rom: arguments.file("rom").is_some(),
        })
    }

    fn vera(&self) -> &Vera {
        match &self.source {
            Source::Machine(machine) => machine.vera(),
            Source::Device(vera) => vera,
        }
    }

    fn vera_mut(&mut self) -> &mut Vera {
        match &mut self.source {
            Source::Machine(machine) => machine.vera_mut(),
            Source::Device(vera) => vera,
        }
    }

    /// To the end of the next picture.
    fn frame(&mut self) {
        match &mut self.source {
            Source::Machine(machine) => {
                let frames = machine.vera().frames();
                self.ending = Some(machine.run(&Limits::frames(1)));
                // A program that has ended leaves VERA on: its picture goes on.
                if machine.vera().frames() == frames {
                    machine.vera_mut().advance_frame();
                }
            }
            Source::Device(vera) => vera.advance_frame(),
        }
    }

    /// To the end of the run, and of a picture.
    fn finish(&mut self) {
        if let Source::Machine(machine) = &mut self.source {
            self.ending = Some(machine.run(&self.limits));
        }
        // The beam may be in the middle of a picture, so the next but one is the first that is whole; a program that goes
        // on gets to its limit and no further.
        if !matches!(self.ending, Some(Ending::Frames { .. })) {
            self.vera_mut().advance_frame();
            self.vera_mut().advance_frame();
        }
    }
}

impl Screen for Pictures {
    fn count(&self) -> u32 {
        match self.frames {
            Frames::All(count) => count,
            Frames::Last | Frames::One(_) => 1,
        }
    }

    fn rate(&self) -> u32 {
        FPS
    }

    fn advance(&mut self) {
        match self.frames {
            Frames::Last => self.finish(),
            Frames::One(index) => (0..=index).for_each(|_| self.frame()),
            Frames::All(_) => self.frame(),
        }
    }

    fn image(&self) -> Result<Image, String> {
        let vera = self.vera();
        let inspect::Image { width, height, pixels } = match self.view {
            None => inspect::Image { width: WIDTH, height: HEIGHT, pixels: vera.picture().to_vec() },
            Some(view) => view.image(vera),
        };
        Image::from_pixels(width as u32, height as u32, pixels).map_err(|error| error.to_string())
    }

    fn timelines(&self) -> Vec<Timeline> {
        match &self.source {
            Source::Machine(machine) => machine.timelines(),
            Source::Device(_) => Vec::new(),
        }
    }

    /// A program that shows something may go on running, so that it met its limit is not reported.
    fn remarks(&self) -> Vec<Diagnostic> {
        let program = self.program.as_ref();
        let place = |address| program.and_then(|program| program.place(address));
        let ending = self.ending.as_ref().filter(|ending| ending.is_final());
        let ending = ending.and_then(|ending| ending.diagnostic(&place));
        let unseen = match &self.source {
            Source::Machine(machine) if self.view.is_none() => unseen(machine, self.has_rom),
            _ => None,
        };
        let written = match &self.source {
            Source::Machine(machine) => machine.sd_card_remark(),
            Source::Device(_) => None,
        };
        ending.into_iter().chain(unseen).chain(written).collect()
    }
}

/// What a program has done that its picture cannot show.
fn unseen(machine: &X16, has_rom: bool) -> Option<Diagnostic> {
    let output =
        STATE.iter().find(|item| item.name == "DC_VIDEO").map_or(0, |item| (item.get)(machine.vera()) & 3);
    if !machine.output().is_empty() && !has_rom {
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
    use crate::verbs::GPU;
    use gpuzoo_diag::Sources;
    use gpuzoo_machine::computer::{Computer, Input};

    fn remark(text: &str, view: Option<&str>) -> Option<String> {
        let mut include = |_: &str| Err(String::new());
        let input = Input { name: "t.s", bytes: text.as_bytes(), form: None, include: &mut include };
        let none = Arguments::default();
        let (program, _) = GPU.read(&mut Sources::default(), input, &none);
        let mut screen =
            program.unwrap().screen(&none, &ScreenOptions { view, ..ScreenOptions::default() }).unwrap();
        screen.advance();
        let remarks = screen.remarks();
        remarks.first().map(|remark| format!("{} {}", remark.code.id, remark.message))
    }

    #[test]
    fn a_black_screen_is_explained() {
        let black = " lda #$1f\n sta VERA_ADDRx_H\n rts\n";
        assert!(remark(black, None).is_some_and(|text| text.starts_with("V0308 VERA's output is off")));
        assert_eq!(remark(black, Some("vram")), None);
        assert_eq!(remark(" lda #1\n sta VERA_DC_VIDEO\n rts\n", None), None);
        let text = " lda #1\n sta VERA_DC_VIDEO\n lda #'A'\n jmp CHROUT\n";
        assert!(remark(text, None).is_some_and(|text| text.starts_with("V0308 the program has printed")));
    }

    /// The picture with a number is the same as in the animation.
    #[test]
    fn one_picture_is_that_of_the_animation() {
        // Border everywhere, whose colour changes while the beam goes on.
        let text = " lda #1\n sta VERA_DC_VIDEO\n lda #2\n sta VERA_CTRL\n stz VERA_DC_HSTOP\n stz VERA_CTRL\n\
                    @next:\n inc VERA_DC_BORDER\n bra @next\n";
        let mut sources = Sources::default();
        let file = sources.add("t.s", text);
        let program = Program::assemble(&mut sources, file, &mut |_| Err(String::new())).0.unwrap();
        let pictures = |arguments: &Arguments, frame| {
            let options = ScreenOptions { frame, ..ScreenOptions::default() };
            let mut screen = of_program(&program, arguments, &options).unwrap();
            let count = screen.count();
            let next = |_| {
                screen.advance();
                screen.image().unwrap().into_bytes()
            };
            (0..count).map(next).collect::<Vec<_>>()
        };
        let all = pictures(&Arguments::default().set("frames", 4), None);
        assert!(all.len() == 4 && all[2] != all[3]);
        assert_eq!(pictures(&Arguments::default(), Some(2)), all[2..3]);
    }

    #[test]
    fn frames_have_limits() {
        let of = |frames: Option<u64>, frame| {
            let arguments =
                frames.map_or(Arguments::default(), |count| Arguments::default().set("frames", count));
            Frames::of(&arguments, frame).ok()
        };
        assert_eq!(of(None, None), Some(Frames::Last));
        assert_eq!((of(Some(3), None), of(Some(3), Some(1))), (Some(Frames::All(3)), Some(Frames::One(1))));
        assert_eq!(of(Some(3), Some(3)), None);
        assert_eq!((of(Some(10_000), None), of(Some(10_001), None)), (Some(Frames::All(10_000)), None));
        assert_eq!((of(None, Some(9_999)), of(None, Some(10_000))), (Some(Frames::One(9_999)), None));
        assert_eq!(of(Some(0), None), None);
    }
}
