//! The verb `render`: frames of a scene as a picture, an animation, or raw bytes.

use crate::Program;
use crate::codes::{BAD_ARGUMENT, NO_SUCH_FRAME, NOTHING_SHOWN, STARTER_SCENE, SUPERSAMPLED};
use crate::film::{Film, cannot};
use crate::registry::Registry;
use gpuzoo_diag::{Diagnostic, File, Severity, Sources, json};
use gpuzoo_machine::TextOptions;
use gpuzoo_machine::computer::Screen;
use gpuzoo_machine::limits::budget::{Budget, Resource};
use gpuzoo_machine::text::grouped;
use gpuzoo_machine::unit::draw::DrawReport;
use gpuzoo_raster::{Image, Stats, View};
use gpuzoo_scene::output::OutputError;
use gpuzoo_scene::{Frame, Kept, Loader, Scene, Texts};
use serde::Serialize;
use std::collections::HashSet;
use std::fmt::Write;
use std::io;
use std::ops::Range;
use std::path::Path;

pub use crate::film::{Compression, Failure, Format};
pub use gpuzoo_scene::Samples;

/// Reads a scene for any machine of the registry; `read` gives the bytes of files, `texts` says how programs are read. Sources in
/// shading languages are compiled.
/// Reading it and drawing it counts on the budget.
pub fn load(
    registry: &Registry,
    sources: &mut Sources,
    path: &Path,
    read: &dyn Fn(&Path) -> io::Result<Vec<u8>>,
    texts: Texts,
    budget: Budget,
) -> (Option<Scene>, Vec<Diagnostic>) {
    reload(registry, sources, path, read, texts, budget, None)
}

/// The same for a scene that is read again while somebody edits it and its programs: meshes and textures that have stayed as they were
/// are taken from `kept`, where there is one, and not made again.
pub fn reload(
    registry: &Registry,
    sources: &mut Sources,
    path: &Path,
    read: &dyn Fn(&Path) -> io::Result<Vec<u8>>,
    texts: Texts,
    budget: Budget,
    kept: Option<&mut Kept>,
) -> (Option<Scene>, Vec<Diagnostic>) {
    let gpus: Vec<_> = registry.shader_units().collect();
    #[cfg(feature = "language-names")]
    let texts = Texts { compiler: Some(&crate::compile::of_scene), ..texts };
    Loader { read, gpus: &gpus, sources, texts, budget, kept }.load(path)
}

/// What drawing a scene would report before it draws: constants of its frames that are not finite, of each place the first. It
/// counts on the scene's budget.
pub fn check(scene: &Scene) -> Vec<Diagnostic> {
    let (mut problems, mut known) = (Vec::new(), HashSet::new());
    for frame in 0..scene.frame_count() {
        for draw in scene.draws() {
            if let Err(refusal) = scene.spend_draw(draw) {
                problems.push(refusal);
                return problems;
            }
            let mut of_frame = Vec::new();
            scene.constants(draw, frame, &mut of_frame);
            if draw.fragment.is_some() {
                scene.fragment_constants(draw, frame, &mut of_frame);
            }
            // A value differs from frame to frame, and the mistake is the same.
            of_frame.retain(|problem| known.insert((problem.code.id, problem.span())));
            problems.extend(of_frame);
        }
    }
    problems
}

/// The frames that are wanted: one, or all.
///
/// # Errors
/// `G0214` for a frame that the scene does not have.
pub fn frames(scene: &Scene, only: Option<u32>) -> Result<Range<u32>, Diagnostic> {
    let count = scene.frame_count();
    match only {
        None => Ok(0..count),
        Some(frame) if frame < count => Ok(frame..frame + 1),
        Some(frame) => {
            let problem = Diagnostic::error(&NO_SUCH_FRAME, format!("the scene has no frame {frame}"));
            Err(problem.help(match count {
                0 | 1 => "it has one frame, 0".to_owned(),
                _ => format!("frames are 0 to {}", count - 1),
            }))
        }
    }
}

/// The scene that a program is drawn with which has none, for a file of this name that is in the same folder and is read with these
/// options, and a note that shows what is assumed. The picture has the size, or that of the machine's screen; the numeric profile is the one of this
/// name, or the machine's first.
pub fn starter(
    program: &Program,
    (file, options): (&str, &TextOptions),
    size: Option<(u32, u32)>,
    profile: Option<&str>,
) -> (String, Diagnostic) {
    let gpu = program.gpu();
    let size = size.unwrap_or(gpu.about().screen);
    let starter = gpuzoo_scene::starter::starter(gpu, (program.code(), file, options), None, size, profile);
    let message = format!("`{file}` comes without a scene, and this is assumed:");
    // A message is a line; each line of the scene is a note.
    let lines = starter.assumed.lines().filter(|line| !line.is_empty());
    let note = lines.fold(Diagnostic::new(Severity::Note, &STARTER_SCENE, message), Diagnostic::note);
    let note = note.help("`--save-scene FILE.toml` writes the whole scene, to be changed and rendered");
    (starter.text, note)
}

/// Gives the picture another size, `640x480`.
///
/// # Errors
/// `G0108` for what is not a size, `R0314` for one that is not possible.
pub fn resize(scene: &mut Scene, text: &File) -> Result<(), Diagnostic> {
    let (width, height) = size(text)?;
    scene.resize(width, height)
}

/// The size that a text says, `640x480`.
///
/// # Errors
/// `G0108` for what is not a size, `R0314` for one that is not possible.
pub fn size(text: &File) -> Result<(u32, u32), Diagnostic> {
    let sides = text.text().split_once(['x', 'X', '×']);
    let size =
        sides.and_then(|(width, height)| Some((width.trim().parse().ok()?, height.trim().parse().ok()?)));
    let size = size.ok_or_else(|| {
        let problem = Diagnostic::error(&BAD_ARGUMENT, format!("`{}` is not WIDTHxHEIGHT", text.text()));
        problem.label(text.whole(), "").help("for example `640x480`")
    })?;
    gpuzoo_scene::check_size(size).map_err(|problem| problem.label(text.whole(), ""))?;
    Ok(size)
}

/// What was rendered.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Rendered {
    /// What the draws of each frame did.
    pub reports: Vec<Vec<DrawReport>>,
    /// Warnings, each once however many frames have it.
    pub warnings: Vec<Diagnostic>,
}

/// What of a scene's frames is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// The colours, each pixel the mean of so many samples.
    Colors(Samples),
    /// Something else, as the machine draws it.
    View(View),
}

impl Default for Shown {
    /// The colours as the machine draws them.
    fn default() -> Shown {
        Shown::Colors(Samples::One)
    }
}

impl Shown {
    /// What a file of it says about itself, if it is not what the machine draws.
    pub const fn comment(self) -> Option<&'static str> {
        match self {
            Shown::Colors(Samples::Four) => {
                Some("gpuzoo: each pixel is the mean of 4 samples; the machine takes one")
            }
            Shown::Colors(Samples::Sixteen) => {
                Some("gpuzoo: each pixel is the mean of 16 samples; the machine takes one")
            }
            Shown::Colors(Samples::One) | Shown::View(_) => None,
        }
    }

    /// A frame of a scene so.
    pub(crate) fn frame(self, scene: &Scene, index: u32) -> Result<Frame, Vec<Diagnostic>> {
        match self {
            Shown::Colors(samples) => scene.frame_sampled(index, samples),
            Shown::View(view) => scene.frame_as(index, Some(view)),
        }
    }

    /// That it is not what the machine draws.
    fn note(self) -> Option<Diagnostic> {
        let comment = self.comment()?.strip_prefix("gpuzoo: ")?;
        let note = Diagnostic::new(Severity::Note, &SUPERSAMPLED, comment);
        Some(note.help("`--samples 1` draws what the machine does"))
    }
}

/// Renders frames, or views of them, into a file, whose bytes go to `to` frame by frame: the first at once, others while the
/// next are drawn. `progress` gets the number that are drawn.
///
/// # Errors
/// What the scene says, `G0215` if the format cannot hold the picture, and what `to` says. Some frames may be written then.
pub fn render(
    scene: &Scene,
    frames: Range<u32>,
    format: Format,
    shown: Shown,
    to: &mut dyn io::Write,
    mut progress: impl FnMut(u32),
) -> Result<Rendered, Failure> {
    let (count, fps) = (frames.len() as u32, scene.fps());
    scene.ask(count)?;
    let (size, budget) = (scene.size(), scene.budget());
    let mut film = Film::with_comment(shown.comment(), format, size, count, fps, budget, to)?;
    let (mut rendered, first) = (Rendered::default(), frames.start);
    rendered.warnings.extend(shown.note());
    for (done, index) in frames.enumerate() {
        let frame = shown.frame(scene, index)?;
        progress(done as u32 + 1);
        film.frame(frame.image)?;
        rendered.reports.push(frame.reports);
        for problem in frame.problems {
            if !rendered.warnings.contains(&problem) {
                rendered.warnings.push(problem);
            }
        }
    }
    film.finish()?;
    rendered.warnings.extend(rendered.nothing_shown(scene, first));
    Ok(rendered)
}

/// What each draw of a frame did, a line each, for a pixel that none of them wrote; and warnings about those that wrote no
/// pixel at all.
///
/// # Errors
/// What the scene says.
pub fn missed(scene: &Scene, frame: u32) -> Result<(String, Vec<Diagnostic>), Vec<Diagnostic>> {
    let drawn = scene.frame(frame)?;
    let rendered = Rendered { reports: vec![drawn.reports], warnings: Vec::new() };
    let mut text = String::new();
    for (number, DrawReport { stats, .. }) in rendered.reports.iter().flatten().enumerate().take(MOST_MISSED)
    {
        let what = match stats.written {
            0 => why_nothing(stats),
            written => format!("{} fragments, all at other pixels", grouped(written)),
        };
        let _ = writeln!(text, "draw {number}: {what}");
    }
    Ok((text, rendered.nothing_shown(scene, frame)))
}

/// The most draws of which [`missed`] tells.
const MOST_MISSED: usize = 10;

/// The pictures of a computer's program as a file, as [`render`] writes it. `progress` gets the number of pictures that are
/// drawn.
///
/// # Errors
/// `G0215` if the format cannot hold the pictures, or there are none, and what `to` says.
pub fn screen(
    screen: &mut dyn Screen,
    format: Format,
    budget: &Budget,
    to: &mut dyn io::Write,
    mut progress: impl FnMut(u32),
) -> Result<(), Failure> {
    let (mut film, mut to) = (None, Some(to));
    for index in 0..screen.count() {
        screen.advance();
        progress(index + 1);
        let image = screen.image().map_err(cannot)?;
        let pixels = u64::from(image.width()) * u64::from(image.height());
        budget.spend(Resource::Pixels, pixels).map_err(OutputError::from)?;
        // The first picture says the size.
        if let Some(to) = to.take() {
            let size = (image.width(), image.height());
            film = Some(Film::new(format, size, screen.count(), screen.rate(), budget, to)?);
        }
        if let Some(film) = &mut film {
            film.frame(image)?;
        }
    }
    film.ok_or_else(|| cannot("there is none".to_owned()))?.finish()
}

/// The sound of a computer's program as a WAV file. `progress` gets the number of pictures' times that are over.
///
/// # Errors
/// `G0108` if the machine plays nothing that could be written.
pub fn sound(screen: &mut dyn Screen, mut progress: impl FnMut(u32)) -> Result<Vec<u8>, Diagnostic> {
    for index in 0..screen.count() {
        screen.advance();
        progress(index + 1);
    }
    heard(screen)
}

/// What was heard up to here as a WAV file.
///
/// # Errors
/// As for [`sound`].
pub fn heard(screen: &dyn Screen) -> Result<Vec<u8>, Diagnostic> {
    let none = || Diagnostic::error(&BAD_ARGUMENT, "the machine makes no sound that could be written");
    screen.sound().map(|sound| sound.wav()).ok_or_else(none)
}

/// Writes one picture as a file.
///
/// # Errors
/// `G0215` if the format cannot hold it, and what `to` says.
pub fn picture(image: Image, format: Format, budget: &Budget, to: &mut dyn io::Write) -> Result<(), Failure> {
    let mut film = Film::new(format, (image.width(), image.height()), 1, 1, budget, to)?;
    film.frame(image)?;
    film.finish()
}

/// The numbers of a draw, for scripts.
///
/// `primitives = invalid + outside + culled + drawn`, and `fragments = depth_failed + killed + written`.
///
/// ```
/// let report = gpuzoo::machine::unit::draw::DrawReport { vertices: 3, cost: 84, ..Default::default() };
/// assert_eq!(gpuzoo::render::DrawFigures::from(&report).cost, 84);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct DrawFigures {
    /// Vertices that go through the vertex program on the machine: one for each use.
    pub vertices: u64,
    /// Runs of the vertex program in gpuzoo: one for a vertex that is used several times.
    pub runs: u64,
    /// The cost, in the unit of the machine's frame budget; 0 where it has none.
    pub cost: u64,
    /// The parts of the cost, if the machine knows them.
    #[serde(serialize_with = "json::object")]
    pub breakdown: Vec<(&'static str, u64)>,
    /// Primitives that the vertices made.
    pub primitives: u64,
    /// Primitives without a place on the screen.
    pub invalid: u64,
    /// Primitives outside of the view volume.
    pub outside: u64,
    /// Primitives that were dropped for the side that they show, or for want of area.
    pub culled: u64,
    /// Primitives that were rasterized.
    pub drawn: u64,
    /// Those of them that a plane cut.
    pub cut: u64,
    /// Samples that primitives cover.
    pub fragments: u64,
    /// Fragments that failed the depth test.
    pub depth_failed: u64,
    /// Fragments that their program killed.
    pub killed: u64,
    /// Fragments that reached the target.
    pub written: u64,
}

impl From<&DrawReport> for DrawFigures {
    fn from(report: &DrawReport) -> DrawFigures {
        let DrawReport { vertices, runs, cost, breakdown, stats, .. } = report;
        DrawFigures {
            vertices: *vertices,
            runs: *runs,
            cost: *cost,
            breakdown: breakdown.clone(),
            primitives: stats.primitives,
            invalid: stats.invalid,
            outside: stats.outside,
            culled: stats.culled,
            drawn: stats.drawn,
            cut: stats.cut,
            fragments: stats.fragments,
            depth_failed: stats.depth_failed,
            killed: stats.killed,
            written: stats.written,
        }
    }
}

/// Where all primitives or fragments of a draw were lost.
fn why_nothing(stats: &Stats) -> String {
    let Stats { primitives, invalid, outside, culled, fragments, depth_failed, killed, .. } = *stats;
    if primitives == 0 {
        return "it has no primitives".to_owned();
    }
    let lost: &[(u64, &str)] = if fragments == 0 {
        &[
            (invalid, "had a corner that is not finite or has no place on the screen (w is 0, for example)"),
            (outside, "lay outside the view volume"),
            (culled, "showed the side that is culled, or had no area"),
        ]
    } else {
        &[(depth_failed, "failed the depth test"), (killed, "ended in a kill")]
    };
    let (all, what) = if fragments == 0 { (primitives, "primitives") } else { (fragments, "fragments") };
    let parts: Vec<String> = lost
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, why)| format!("{} of {} {what} {why}", grouped(*count), grouped(all)))
        .collect();
    match parts[..] {
        [] => format!("of its {} {what} none covers a pixel", grouped(all)),
        _ => parts.join(", "),
    }
}

/// Lines for the parts of a cost.
pub(crate) fn parts(breakdown: &[(&str, u64)], text: &mut String) {
    let all: u64 = breakdown.iter().map(|(_, cost)| cost).sum();
    for (name, cost) in breakdown {
        let percent = 100.0 * *cost as f64 / all.max(1) as f64;
        let _ = writeln!(text, "  {name:<28}{:>14}{percent:>7.1} %", grouped(*cost));
    }
}

impl Rendered {
    /// Warnings about draws that wrote no pixel in any frame: why, by the figures of the first frame, whose number is given.
    fn nothing_shown(&self, scene: &Scene, frame: u32) -> Vec<Diagnostic> {
        let draws = scene.draws().iter().enumerate();
        let lost = draws.filter_map(|(number, draw)| {
            let mut frames = self.reports.iter().filter_map(|reports| reports.get(number));
            let first = frames.clone().next()?;
            if frames.any(|report| report.stats.written > 0) {
                return None;
            }
            let message = format!("the draw wrote no pixel: {}", why_nothing(&first.stats));
            Some((number, Diagnostic::warning(&NOTHING_SHOWN, message).label(draw.span(), "")))
        });
        let reports = self.reports.first().map(Vec::as_slice).unwrap_or_default();
        scene.first_lost(frame, reports, lost.collect())
    }

    /// The numbers of [`statistics`](Rendered::statistics) and more, for scripts: a list of frames, each a list of draws.
    pub fn json(&self) -> Vec<Vec<DrawFigures>> {
        self.reports.iter().map(|reports| reports.iter().map(DrawFigures::from).collect()).collect()
    }

    /// A line for each draw of each frame: vertices, cost, primitives and fragments; beneath it where the cost went, if
    /// the machine knows.
    pub fn statistics(&self) -> String {
        let mut text = format!("{:>6}{:>6}", "frame", "draw");
        for column in ["vertices", "cost", "primitives", "culled", "drawn", "fragments", "written"] {
            let _ = write!(text, "{column:>14}");
        }
        text.push('\n');
        for (frame, reports) in self.reports.iter().enumerate() {
            for (draw, DrawReport { vertices, cost, stats, breakdown, .. }) in reports.iter().enumerate() {
                let _ = write!(text, "{frame:>6}{draw:>6}");
                // A machine whose costs are not known says 0.
                let cost = Some(*cost).filter(|cost| *cost > 0);
                let figures = [
                    Some(*vertices),
                    cost,
                    Some(stats.primitives),
                    Some(stats.culled),
                    Some(stats.drawn),
                    Some(stats.fragments),
                    Some(stats.written),
                ];
                for figure in figures {
                    let _ = write!(text, "{:>14}", figure.map_or("-".to_owned(), grouped));
                }
                text.push('\n');
                parts(breakdown, &mut text);
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draw_that_shows_nothing_says_why() {
        let scene = |positions: &str, state: &str| {
            format!(
                "gpu = \"dreambox\"\nsize = [8, 8]\n[program.p]\nsource = \"ld r0 0 st pos r0\"\n[mesh.m]\n\
                 position = {positions}\n[[draw]]\nprogram = \"p\"\nmesh = \"m\"\ninput = {{ in0 = \"position\" }}\n{state}"
            )
        };
        let why = |text: String| {
            let read = |_: &Path| Ok(text.clone().into_bytes());
            let (scene, problems) = load(
                &Registry::default(),
                &mut Sources::default(),
                Path::new("s.toml"),
                &read,
                Texts::default(),
                Budget::default(),
            );
            let scene = scene.unwrap_or_else(|| panic!("{problems:#?}"));
            let rendered =
                render(&scene, 0..1, Format::Raw, Shown::default(), &mut io::sink(), |_| {}).unwrap();
            let shown =
                |one: &Diagnostic| format!("{} {} / {}", one.code.id, one.message, one.notes.join(" / "));
            rendered.warnings.iter().map(shown).collect::<Vec<_>>()
        };
        let corners = "[[-1, -1, 0.5], [1, -1, 0.5], [0, 1, 0.5]]";
        assert_eq!(why(scene(corners, "")), [""; 0]);
        let far = why(scene("[[5, 5, 0.5], [6, 5, 0.5], [5, 6, 0.5]]", ""));
        let first = "in `pos` the first primitive has (5, 5, 0.5, 1), (6, 5, 0.5, 1), (5, 6, 0.5, 1)";
        let why_far = "G0224 the draw wrote no pixel: 1 of 1 primitives lay outside the view volume";
        assert_eq!(far, [format!("{why_far} / {first}")]);
        let culled = why(scene("[[-1, -1, 0.5], [0, 1, 0.5], [1, -1, 0.5]]", "state = { cull = true }"));
        let other = why(scene(corners, "state = { cull = true }"));
        let both: Vec<_> = culled.iter().chain(&other).collect();
        assert_eq!(both.len(), 1, "{both:?}");
        assert!(both[0].contains("showed the side that is culled, or had no area / in `pos`"), "{both:?}");
        let flat = why(scene("[[0, 0, 0.5], [0, 0, 0.5], [0, 0, 0.5]]", ""));
        assert!(flat[0].ends_with("in `pos` the first primitive has (0, 0, 0.5, 1) each"), "{flat:?}");
        let no_w = why(scene("[[0, 0, 0, 0], [1, 0, 0, 0], [0, 1, 0, 0]]", "")
            .replace("\"position\"", "{ attribute = \"position\", format = \"Float4\" }"));
        assert!(no_w[0].ends_with("(0, 0, 0, 0), (1, 0, 0, 0), (0, 1, 0, 0)"), "{no_w:?}");
        let nan = why(scene("[[nan, 0, 0], [1, 0, 0], [0, 1, 0]]", ""));
        assert!(
            nan[0].contains("1 of 1 primitives had a corner that is not finite or has no place"),
            "{nan:?}"
        );
        assert!(nan[0].ends_with("(NaN, 0, 0, 1), (1, 0, 0, 1), (0, 1, 0, 1)"), "{nan:?}");
        // The clear depth is 1, and nothing is greater.
        let hidden = why(scene(corners, "state = { depth_compare = \"greater\" }"));
        assert!(hidden[0].contains("fragments failed the depth test / at pixel "), "{hidden:?}");
        assert!(hidden[0].ends_with(" its depth is 0.5, and 1 was there before"), "{hidden:?}");
    }

    /// Of several draws each has its own first primitive or fragment, with what the draws before it left.
    #[test]
    fn each_of_several_lost_draws_says_why() {
        let draw = |mesh: &str, compare: &str| {
            format!(
                "[[draw]]\nprogram = \"p\"\nmesh = \"{mesh}\"\ninput = {{ in0 = \"position\" }}\n\
                 state = {{ depth_compare = \"{compare}\", depth_write = true }}\n"
            )
        };
        let text = format!(
            "gpu = \"dreambox\"\nsize = [8, 8]\n[program.p]\nsource = \"ld r0 0 st pos r0\"\n\
             [mesh.left]\nposition = [[-1, -1, 0.5], [0, -1, 0.5], [-1, 1, 0.5]]\n\
             [mesh.all]\nposition = [[-1, -1, 0.25], [3, -1, 0.25], [-1, 3, 0.25]]\n\
             [mesh.far]\nposition = [[5, 5, 0.5], [6, 5, 0.5], [5, 6, 0.5]]\n{}",
            [("left", "greater"), ("far", "less"), ("all", "less"), ("left", "less"), ("far", "less")]
                .map(|(mesh, compare)| draw(mesh, compare))
                .concat()
        );
        let read = |_: &Path| Ok(text.clone().into_bytes());
        let (registry, mut sources) = (Registry::default(), Sources::default());
        let (scene, _) =
            load(&registry, &mut sources, Path::new("s.toml"), &read, Texts::default(), Budget::default());
        let rendered =
            render(&scene.expect("a scene"), 0..1, Format::Raw, Shown::default(), &mut io::sink(), |_| {})
                .unwrap();
        let notes: Vec<&str> = rendered.warnings.iter().map(|problem| problem.notes[0].as_str()).collect();
        let far = "in `pos` the first primitive has (5, 5, 0.5, 1), (6, 5, 0.5, 1), (5, 6, 0.5, 1)";
        let depths =
            ["its depth is 0.5, and 1 was there before", "its depth is 0.5, and 0.25 was there before"];
        assert_eq!((notes.len(), notes[1], notes[3]), (4, far, far));
        assert!(
            [notes[0], notes[2]].iter().zip(depths).all(|(note, depth)| note.ends_with(depth)),
            "{notes:?}"
        );
    }

    #[test]
    fn a_picture_that_no_format_can_hold_is_an_error() {
        let text = b"gpu = \"dreambox\"\nsize = [4, 4]\nclear = { color = [0, 0, 0] }\n".to_vec();
        let (scene, _) = load(
            &Registry::default(),
            &mut Sources::default(),
            Path::new("s.toml"),
            &|_| Ok(text.clone()),
            Texts::default(),
            Budget::default(),
        );
        let scene = scene.expect("a scene");
        // An animation of no frames.
        for format in [Format::Png { compression: None }, Format::Gif, Format::Raw] {
            let failure = render(&scene, 0..0, format, Shown::default(), &mut io::sink(), |_| {}).err();
            let codes = match failure {
                Some(Failure::Problems(problems)) => problems.iter().map(|problem| problem.code.id).collect(),
                _ => Vec::new(),
            };
            assert_eq!(codes, ["G0215"], "{format:?}");
        }
    }
}
