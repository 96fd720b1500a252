//! Pictures: what the beam has drawn, or a look into the memory.

use super::{Program, deviations, files, limits, state, unfit};
use crate::{Ending, Input, Limits, UNHEARD, UNSEEN, Unread, X16};
use gpuzoo_diag::{Diagnostic, Severity, has_errors};
use gpuzoo_machine::computer::disk::Change;
use gpuzoo_machine::computer::sound::Sound;
use gpuzoo_machine::computer::timeline::Timeline;
use gpuzoo_machine::computer::{Files, Screen, ScreenOptions, Wanted};
use gpuzoo_machine::options::arguments::Arguments;
use gpuzoo_raster::Image;
use gpuzoo_vera::inspect::{self, View};
use gpuzoo_vera::trace::Trace;
use gpuzoo_vera::{Drawing, HEIGHT, SAMPLES_PER_SECOND, STATE, Vera, WIDTH};

/// Frames a second of a VGA signal, 59.5 exactly.
const FPS: u32 = 60;
/// The most frames of an animation, and of sound.
pub const MAX_FRAMES: u32 = 10_000;
/// CPU cycles of a frame.
const FRAME_CYCLES: u64 = 134_400;

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
    wanted: Wanted,
    /// What was heard.
    heard: Vec<[i16; 2]>,
    /// How the program ended, if it did.
    ending: Option<Ending>,
    /// The program, for places.
    program: Option<Program>,
    /// The state at the end is wanted.
    saves: bool,
    /// The machine as it was when its run ended, if time has passed for VERA since.
    ended: Option<Box<X16>>,
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
    let is_heard = options.wanted != Wanted::Pictures;
    // From power-on, so that a ROM's sounds leave the voices as they do in the machine.
    let mut machine = program.machine_from(arguments, |machine| {
        if is_heard {
            machine.vera_mut().listen();
        }
    })?;
    machine.vera_mut().take_samples();
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
    if options.wanted != Wanted::Pictures {
        pictures.vera_mut().listen();
    }
    trace.replay(pictures.vera_mut(), |_, _| {});
    Ok(Box::new(pictures))
}

impl Pictures {
    /// Of a device just powered on.
    fn new(arguments: &Arguments, options: &ScreenOptions) -> Result<Pictures, Diagnostic> {
        let most = FRAME_CYCLES * u64::from(MAX_FRAMES);
        if options.wanted != Wanted::Pictures
            && arguments.number("cycles").is_some_and(|cycles| cycles > most)
        {
            return Err(unfit(format!(
                "sound is that of {most} cycles at most, which are {MAX_FRAMES} frames"
            )));
        }
        Ok(Pictures {
            source: Source::Device(Box::new(Vera::with(deviations(arguments)?))),
            frames: Frames::of(arguments, options.frame)?,
            limits: limits(arguments),
            view: view(arguments, options.view)?,
            wanted: options.wanted,
            heard: Vec::new(),
            ending: None,
            program: None,
            saves: state::is_wanted(arguments),
            ended: None,
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

    /// Draws only what later pictures need; a state needs this one, too.
    fn draw_lines(&mut self) {
        if !self.saves {
            self.vera_mut().draw(Drawing::Lines);
        }
    }

    /// To the end of the run, and of a picture, which is the only one that is drawn.
    fn finish(&mut self) {
        self.draw_lines();
        let before_last =
            Limits { frames: self.limits.frames.map(|frames| frames.saturating_sub(1)), ..self.limits };
        self.run(&before_last);
        self.vera_mut().draw(Drawing::Picture);
        if self.goes_on() {
            self.run(&Limits::frames(1));
        }
        // The beam may be in the middle of a picture, so the next but one is the first that is whole; a program that goes
        // on gets to its limit and no further.
        if !self.goes_on() {
            if let Source::Machine(machine) = &self.source {
                self.ended = self.saves.then(|| machine.clone());
            }
            self.vera_mut().advance_frame();
            self.vera_mut().advance_frame();
        }
    }

    fn run(&mut self, limits: &Limits) {
        if let Source::Machine(machine) = &mut self.source {
            self.ending = Some(machine.run(limits));
        }
    }

    /// The program has met its limit of frames.
    fn goes_on(&self) -> bool {
        matches!(self.ending, Some(Ending::Frames { .. }))
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
            Frames::One(index) => {
                self.draw_lines();
                (0..index).for_each(|_| self.frame());
                self.vera_mut().draw(Drawing::Picture);
                self.frame();
            }
            Frames::All(_) => self.frame(),
        }
        // The DAC's numbers have 17 bits.
        let heard = self.vera_mut().take_samples();
        self.heard.extend(heard.into_iter().map(|sides| sides.map(|side| (side >> 1) as i16)));
    }

    fn image(&self) -> Result<Image, String> {
        let vera = self.vera();
        let inspect::Image { width, height, pixels } = match self.view {
            None => inspect::Image { width: WIDTH, height: HEIGHT, pixels: vera.picture().to_vec() },
            Some(view) => view.image(vera),
        };
        Image::from_pixels(width as u32, height as u32, pixels).map_err(|error| error.to_string())
    }

    fn give(&mut self, input: &str) -> Result<(), String> {
        let input = Input::read(input)
            .map_err(|problems| problems.iter().map(Unread::to_string).collect::<Vec<_>>().join("\n"))?;
        match &mut self.source {
            Source::Machine(machine) => {
                machine.give(&input);
                Ok(())
            }
            Source::Device(_) => Err("a trace's device has no keyboard".to_owned()),
        }
    }

    fn timelines(&self) -> Vec<Timeline> {
        match &self.source {
            Source::Machine(machine) => machine.timelines(),
            Source::Device(_) => Vec::new(),
        }
    }

    fn sound(&self) -> Option<Sound> {
        let rate = SAMPLES_PER_SECOND as u32;
        (self.wanted != Wanted::Pictures).then(|| Sound { rate, samples: self.heard.clone() })
    }

    fn files(&self) -> Result<Files, Diagnostic> {
        match (&self.ended, &self.source) {
            (Some(machine), _) | (None, Source::Machine(machine)) => state::files(machine),
            (None, Source::Device(_)) => Ok(Files::new()),
        }
    }

    /// A program that shows something may go on running, so that it met its limit is not reported.
    fn remarks(&self) -> Vec<Diagnostic> {
        let program = self.program.as_ref();
        let place = |address| program.and_then(|program| program.place(address));
        let ending = self.ending.as_ref().filter(|ending| ending.is_final());
        let ending = ending.and_then(|ending| ending.diagnostic(&place));
        let unseen = match &self.source {
            Source::Machine(machine) if self.view.is_none() && self.wanted != Wanted::Sound => {
                unseen(machine)
            }
            _ => None,
        };
        let is_silent = self.wanted != Wanted::Pictures && self.heard.iter().all(|sample| *sample == [0; 2]);
        let unheard = is_silent.then(|| {
            let problem = Diagnostic::new(Severity::Note, &UNHEARD, "VERA plays nothing in all this time");
            problem.help(
                "a voice needs a frequency, a volume and a side; PCM a volume, a rate and bytes in the FIFO",
            )
        });
        let missed = match &self.source {
            Source::Machine(machine) => files::missed(machine, program),
            Source::Device(_) => Vec::new(),
        };
        let mut remarks: Vec<_> = ending.into_iter().chain(missed).chain(unseen).chain(unheard).collect();
        if let Source::Machine(machine) = &self.source {
            files::kept(machine, &mut remarks);
            remarks.extend(machine.sd_card_remark());
        }
        remarks
    }

    fn changes(&self) -> Vec<Change> {
        match &self.source {
            Source::Machine(machine) if !has_errors(&self.remarks()) => machine.changes(),
            _ => Vec::new(),
        }
    }
}

/// What a program has done that its picture cannot show.
fn unseen(machine: &X16) -> Option<Diagnostic> {
    let output =
        STATE.iter().find(|item| item.name == "DC_VIDEO").map_or(0, |item| (item.get)(machine.vera()) & 3);
    (output == 0).then(|| {
        let problem =
            Diagnostic::new(Severity::Note, &UNSEEN, "VERA's output is off, so the picture is black");
        problem.help("write 1 (VGA) into bits 1:0 of DC_VIDEO, and the layers into bits 6:4")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verbs::GPU;
    use gpuzoo_diag::Sources;
    use gpuzoo_machine::computer::{self, Computer};

    fn remark(text: &str, view: Option<&str>) -> Option<String> {
        let mut include = |_: &str| Err(String::new());
        let input =
            computer::Input { name: "t.s", bytes: text.as_bytes(), form: None, include: &mut include };
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
        let black = " stz VERA_DC_VIDEO\n rts\n";
        assert!(remark(black, None).is_some_and(|text| text.starts_with("V0308 VERA's output is off")));
        assert_eq!(remark(black, Some("vram")), None);
        assert_eq!(remark(" lda #1\n sta VERA_DC_VIDEO\n rts\n", None), None);
        assert_eq!(remark(" rts\n", None), None);
    }

    #[test]
    fn a_user_can_press_keys_while_it_runs() {
        let text = "loop: jsr $ffe4\n beq loop\n stz VERA_ADDRx_L\n stz VERA_ADDRx_M\n stz VERA_ADDRx_H\n sta VERA_DATA0\n bra loop\n";
        let mut sources = Sources::default();
        let file = sources.add("t.s", text);
        let program = Program::assemble(&mut sources, file, &mut |_| Err(String::new())).0.unwrap();
        let arguments = Arguments::default().set("frames", 100u64);
        let pictures = |arguments: &Arguments| {
            let mut pictures = Pictures::new(arguments, &ScreenOptions::default()).unwrap();
            pictures.source = Source::Machine(Box::new(program.machine_from(arguments, |_| {}).unwrap()));
            pictures
        };
        let mut screen = pictures(&arguments);
        let press = |screen: &mut Pictures, input: &str| {
            screen.give(input).unwrap();
            (0..4).for_each(|_| screen.advance());
            screen.vera().vram()[0]
        };
        assert_eq!(press(&mut screen, "@0 press A\n@1 release A\n"), b'A');
        assert_eq!(press(&mut screen, "0 keys B\n"), b'B');
        let problem = screen.give("0 press NOKEY\n").unwrap_err();
        assert!(problem.starts_with("line 1: "), "{problem}");
        let mut device = Pictures::new(&arguments, &ScreenOptions::default()).unwrap();
        assert!(device.give("0 keys B\n").is_err());
    }

    /// A program's sound, in so many frames, and what there is to say of it.
    fn sound(text: &str, frames: u64) -> (Sound, Vec<Diagnostic>) {
        let mut sources = Sources::default();
        let file = sources.add("t.s", text);
        let program = Program::assemble(&mut sources, file, &mut |_| Err(String::new())).0.unwrap();
        let options = ScreenOptions { wanted: Wanted::Sound, ..ScreenOptions::default() };
        let arguments = Arguments::default().set("frames", frames);
        let mut screen = of_program(&program, &arguments, &options).unwrap();
        (0..screen.count()).for_each(|_| screen.advance());
        (screen.sound().unwrap(), screen.remarks())
    }

    /// A square wave of 440 Hz on the right: 440 / 48,828.125 × 2^17 is 1,181.
    #[test]
    fn a_tone_has_its_frequency() {
        let text = " lda #$c0\n sta VERA_ADDRx_L\n lda #$f9\n sta VERA_ADDRx_M\n lda #$11\n sta VERA_ADDRx_H\n\
                    lda #<1181\n sta VERA_DATA0\n lda #>1181\n sta VERA_DATA0\n\
                    lda #$bf\n sta VERA_DATA0\n lda #$3f\n sta VERA_DATA0\n rts\n";
        let (sound, remarks) = sound(text, 60);
        assert!(remarks.is_empty());
        // A frame is 420,000 clocks; the first one ends at its line 480.
        assert_eq!((sound.rate, sound.samples.len()), (48_828, (59 * 420_000 + 384_000) / 512));
        let second = &sound.samples[..48_128];
        assert!(second.iter().all(|[left, _]| *left == 0));
        let rises = second.windows(2).filter(|pair| pair[0][1] < 0 && pair[1][1] >= 0).count();
        let seconds = second.len() as f64 / SAMPLES_PER_SECOND;
        assert!((rises as f64 / seconds - 440.0).abs() < 2.0, "{rises}");
        assert!(second[100..].iter().all(|[_, right]| matches!(*right, 990 | -1022)));
    }

    #[test]
    fn silence_is_explained() {
        let (sound, remarks) = sound(" rts\n", 2);
        assert!(sound.samples.iter().all(|sample| *sample == [0; 2]));
        assert_eq!(remarks.iter().map(|remark| remark.code.id).collect::<Vec<_>>(), ["V0319"]);
        // What is too long to be kept is refused.
        let arguments = Arguments::default().set("cycles", FRAME_CYCLES * u64::from(MAX_FRAMES) + 1);
        let options = ScreenOptions { wanted: Wanted::Both, ..ScreenOptions::default() };
        assert!(Pictures::new(&arguments, &options).is_err());
        assert!(Pictures::new(&arguments, &ScreenOptions::default()).is_ok());
    }

    /// Of a trace there is sound where it is wanted, and the picture in any case.
    #[test]
    fn a_trace_is_heard_where_that_is_wanted() {
        // Voice 0: some 440 Hz, loud, on both sides, a pulse; output on.
        let text = "W 20 C0\nW 21 F9\nW 22 11\nW 23 9D\nW 23 04\nW 23 FF\nW 23 3F\nW 29 01\n";
        let (trace, problems) = Trace::parse(&gpuzoo_diag::File::new("t", text));
        assert!(problems.is_empty());
        let screen = |wanted: Wanted| {
            let options = ScreenOptions { wanted, ..ScreenOptions::default() };
            let mut screen = of_trace(&trace, &Arguments::default().set("frames", 2), &options).unwrap();
            (0..screen.count()).for_each(|_| screen.advance());
            screen
        };
        for wanted in [Wanted::Sound, Wanted::Both] {
            let sound = screen(wanted).sound().unwrap();
            assert!(sound.samples.len() > 1500 && sound.samples.iter().any(|[left, _]| *left > 900));
            assert!(screen(wanted).remarks().is_empty());
        }
        let silent = screen(Wanted::Pictures);
        assert!(silent.sound().is_none() && silent.image().is_ok());
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

    /// Which registers a program uses is noted for those who want to know.
    #[test]
    fn accesses_are_noted_where_that_is_wanted() {
        let mut sources = Sources::default();
        let file = sources.add("t.s", " sta VERA_DATA1\n stp\n");
        let program = Program::assemble(&mut sources, file, &mut |_| Err(String::new())).0.unwrap();
        let used = |timelines| {
            let options = ScreenOptions { timelines, ..ScreenOptions::default() };
            let mut screen = of_program(&program, &Arguments::default(), &options).unwrap();
            screen.advance();
            let tracks = screen.timelines().into_iter().flat_map(|timeline| timeline.tracks);
            tracks.filter(|track| !track.spans.is_empty()).map(|track| track.name).collect::<Vec<_>>()
        };
        assert_eq!((used(true), used(false)), (vec!["DATA1"], vec![]));
    }
}
