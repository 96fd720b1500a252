//! The verb `trace` for a pixel of a scene or a job: the fragments that met it, their programs, and the vertices behind them.

use crate::job::no_jobs;
use crate::paint::{Ink, Paint};
use crate::trace::{Subject, Trace};
use crate::value::{self, Component};
use crate::why::{Answer, Question, answer, no_such_register};
use gpuzoo_diag::{Diagnostic, File, Sources, json};
use gpuzoo_ir::Vec4;
use gpuzoo_isa::{FileKind, Isa, Mask, Program, Stage};
use gpuzoo_machine::session::{Dataflow, ShaderSession};
use gpuzoo_machine::unit::draw::VertexConstants;
use gpuzoo_machine::unit::job::{FragmentRuns, JobOptions, PixelRuns};
use gpuzoo_machine::{Gpu, Jobs, ShaderUnit};
use gpuzoo_raster::{Fate, Image, Touch};
use gpuzoo_scene::{Picked, Scene};
use serde::Serialize;
use std::fmt::Write;

use crate::codes::BAD_ARGUMENT;

/// The fragments of a pixel.
#[non_exhaustive]
pub struct Pick {
    /// The pixel.
    pub at: (u32, u32),
    /// The picture that it belongs to.
    pub image: Image,
    /// Every fragment, in the order of drawing.
    pub fragments: Vec<Fragment>,
}

/// A fragment as a line for scripts.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FragmentLine {
    /// The column and the row of the pixel.
    pub pixel: [u32; 2],
    /// Its number among the fragments that met the pixel, from 0.
    pub number: usize,
    /// The number of its draw, from 0.
    pub draw: usize,
    /// The number of its triangle in the draw, from 0.
    pub triangle: u32,
    /// The numbers of the triangle's vertices.
    pub vertices: [usize; 3],
    /// `written`, `hidden` or `killed`.
    pub fate: &'static str,
    /// The depth that hides it.
    pub stored: Option<Component>,
    /// Its depth.
    pub depth: Component,
    /// Its colour, unless it was killed: red, green, blue, alpha.
    pub color: Option<[Component; 4]>,
    /// The interpolated inputs of its program.
    pub varyings: Vec<[Component; 4]>,
}

/// Reads `X,Y`.
///
/// # Errors
/// `G0108` for anything else.
pub fn place(text: &File) -> Result<(u32, u32), Diagnostic> {
    let place = text.text().split_once(',');
    let place = place.and_then(|(x, y)| Some((x.trim().parse().ok()?, y.trim().parse().ok()?)));
    place.ok_or_else(|| {
        let problem = Diagnostic::error(&BAD_ARGUMENT, format!("`{}` is not X,Y", text.text()));
        problem.label(text.whole(), "").help("for example `320,240`, counted from 0 at the top left")
    })
}

/// Draws a frame of a scene and looks at a pixel.
///
/// # Errors
/// What the scene says, or `R0322` if there is no such pixel.
pub fn pick(scene: &Scene, frame: u32, (x, y): (u32, u32)) -> Result<Pick, Vec<Diagnostic>> {
    let (isa, programs) = (scene.gpu.isa(), scene.gpu.fragment_programs());
    let fragment = |picked: Picked| {
        let Picked { draw, call, touch, fragment, vertices, .. } = picked;
        let is_given = |stage, kind, index| match (kind, stage) {
            (FileKind::Input, Stage::Vertex) => call.gives_input(index),
            (FileKind::Input, Stage::Fragment) => true,
            (_, Stage::Fragment) if programs.is_some_and(|programs| programs.sets(index)) => true,
            _ => call.gives_constant(stage, index),
        };
        Fragment::new((x, y), isa, FragmentRuns { draw, touch, fragment, vertices }, is_given)
    };
    let (image, picked) = scene.pick(frame, x, y)?;
    Ok(Pick { at: (x, y), image, fragments: picked.into_iter().map(fragment).collect() })
}

/// What is found in a job, with warnings; or what is wrong with it.
pub type OfJob<T> = Result<(T, Vec<Diagnostic>), Vec<Diagnostic>>;

/// Runs a job and looks at a pixel of its picture.
///
/// # Errors
/// What the job says, `G0112` for a machine without jobs, or `R0322` if there is no such pixel.
pub fn of_job(gpu: &'static dyn Gpu, file: &File, options: &JobOptions, (x, y): (u32, u32)) -> OfJob<Pick> {
    let (jobs, isa) = jobs(gpu)?;
    let (runs, problems) = jobs.pick(file, options, (x, y));
    let Some(PixelRuns { image, fragments }) = runs else { return Err(problems) };
    let size = (image.width(), image.height());
    if x >= size.0 || y >= size.1 {
        return Err(vec![gpuzoo_scene::no_such_pixel((x, y), size)]);
    }
    let fragments = fragments.into_iter().map(|runs| Fragment::new((x, y), isa, runs, all_given));
    Ok((Pick { at: (x, y), image, fragments: fragments.collect() }, problems))
}

/// The run of a vertex of a job, counted through its draws, or how many there are.
///
/// # Errors
/// What the job says, and `G0112` for a machine without jobs.
pub fn vertex_of_job(
    gpu: &'static dyn Gpu,
    file: &File,
    options: &JobOptions,
    vertex: usize,
) -> OfJob<Result<Trace, usize>> {
    let (jobs, isa) = jobs(gpu)?;
    let (run, problems) = jobs.vertex(file, options, vertex);
    let Some(run) = run else { return Err(problems) };
    let is_given = |kind, index| all_given(Stage::Vertex, kind, index);
    Ok((run.map(|session| Trace::of(Subject::Vertex(vertex), isa, session, is_given)), problems))
}

/// The run of a vertex of a scene's frame, counted through its draws, or how many there are.
///
/// # Errors
/// What the scene says.
pub fn vertex_of_scene(
    scene: &Scene,
    frame: u32,
    vertex: usize,
) -> Result<Result<Trace, usize>, Vec<Diagnostic>> {
    let (mut found, mut before) = (None, 0);
    scene.visit(frame, |_, draw, call, target| {
        let count = call.vertex_count();
        let own = vertex.checked_sub(before).filter(|own| *own < count);
        before += count;
        let Some(own) = own else { return };
        let (lowering, constants) = scene.gpu.vertex_stage(target, call);
        let lowered = lowering(call.vertex);
        let layout = scene.gpu.complete_layout(draw.layout.clone());
        let fetch = |vertex, inputs: &mut [Vec4]| {
            let Some(index) = draw.indices.get(vertex) else { return };
            layout.fetch(&draw.vertices, *index as usize, inputs);
        };
        let mut inputs = vec![[0; 4]; lowered.function.input_count()];
        fetch(own, &mut inputs);
        let constants = VertexConstants::new(&lowered.function, &constants).before(own, fetch).to_vec();
        let run = move |program: &Program| Dataflow::run(lowering(program), &inputs, &constants);
        let session = ShaderSession::new(scene.gpu.isa(), call.vertex, run);
        found =
            Some(Trace::of(Subject::Vertex(vertex), scene.gpu.isa(), session, |kind, index| match kind {
                FileKind::Input => draw.gives_input(index),
                _ => draw.gives_constant(Stage::Vertex, index),
            }));
    })?;
    Ok(found.ok_or(before))
}

/// A machine's jobs, and the instruction set of their programs.
fn jobs(gpu: &'static dyn Gpu) -> Result<(&'static dyn Jobs, &'static Isa), Vec<Diagnostic>> {
    let found = gpu.jobs().zip(gpu.shader_unit().map(ShaderUnit::isa));
    found.ok_or_else(|| vec![no_jobs(gpu)])
}

/// A job has what its programs declare, or is an error.
fn all_given(_: Stage, _: FileKind, _: u16) -> bool {
    true
}

/// A fragment that met the pixel.
#[derive(Clone)]
#[non_exhaustive]
pub struct Fragment {
    /// The number of its draw.
    pub draw: usize,
    /// The fragment.
    pub touch: Touch,
    /// The runs behind it: its own, if the machine has fragment programs, then those of its vertices, each once.
    pub traces: Vec<Trace>,
}

impl Fragment {
    fn new(
        (x, y): (u32, u32),
        isa: &'static Isa,
        FragmentRuns { draw, touch, fragment, vertices }: FragmentRuns,
        is_given: impl Fn(Stage, FileKind, u16) -> bool,
    ) -> Fragment {
        let trace = |subject, stage, session: ShaderSession| {
            Trace::of(subject, isa, session, |kind, index| is_given(stage, kind, index))
        };
        let own = fragment.map(|session| Trace {
            killed: touch.fate == Fate::Killed,
            ..trace(Subject::Pixel(x, y), Stage::Fragment, session)
        });
        let mut corners: Vec<usize> = Vec::new();
        let vertices = touch.corners.into_iter().zip(vertices).filter_map(|(vertex, session)| {
            let new = !corners.contains(&vertex);
            corners.push(vertex);
            new.then(|| trace(Subject::Vertex(vertex), Stage::Vertex, session))
        });
        let traces = own.into_iter().chain(vertices).collect();
        Fragment { draw, touch, traces }
    }
}

impl Pick {
    /// The fragments to show, with their numbers: the one that made the pixel, or all.
    fn shown(&self, all: bool) -> impl Iterator<Item = (usize, &Fragment)> {
        let made = self.fragments.iter().rposition(|picked| picked.touch.fate == Fate::Written);
        let numbered = self.fragments.iter().enumerate();
        numbered.filter(move |(number, _)| all || Some(*number) == made)
    }

    /// The fragment that made the pixel.
    pub fn made(&self) -> Option<&Fragment> {
        self.shown(false).next().map(|(_, fragment)| fragment)
    }

    /// `pixel (3, 1): one fragment met it`
    pub fn head(&self) -> String {
        let (x, y) = self.at;
        let count = match self.fragments.len() {
            0 => "no fragment met it".to_owned(),
            1 => "one fragment met it".to_owned(),
            count => format!("{count} fragments met it"),
        };
        let mut text = format!("pixel ({x}, {y}): {count}");
        if self.shown(false).next().is_none() && !self.fragments.is_empty() {
            text += ", and none was written";
        }
        text
    }

    /// For people: which fragment made the pixel, or all that met it, what came out of its program and its vertices', and
    /// what is odd; `full` has what every instruction changed.
    pub fn text(&self, all: bool, full: bool, bits: bool, paint: Paint) -> String {
        let component = |component: f32| {
            if bits { value::pattern(component.to_bits()) } else { value::show(component.to_bits()) }
        };
        let four = |components: &[f32; 4]| format!("({})", components.map(component).join(", "));
        let mut text = paint.ink(Ink::Head, self.head()) + "\n";
        let mut said = false;
        for (number, Fragment { draw, touch, traces, .. }) in self.shown(all) {
            let fate = match touch.fate {
                Fate::Written => "written".to_owned(),
                Fate::Hidden(stored) => format!("hidden: {} is stored", component(stored)),
                Fate::Killed => "killed".to_owned(),
            };
            let head = format!("fragment {number}: draw {draw}, triangle {}, {fate}", touch.primitive);
            let _ = writeln!(text, "\n{}", paint.ink(Ink::Head, head));
            let _ = writeln!(text, "  depth {}", component(touch.depth));
            if let Some(color) = &touch.color {
                let _ = writeln!(text, "  color {}", four(color));
            }
            if !full {
                text += &summary(traces, bits, paint);
                said |= !traces.is_empty();
                continue;
            }
            let own = touch.invocations.get(touch.lane);
            for (number, varying) in own.iter().flat_map(|own| own.varyings.iter().enumerate()) {
                let _ = writeln!(text, "  varying {number} {}", four(varying));
            }
            for trace in traces {
                text.push('\n');
                // A pixel's traces end with their last instruction: what came out is the fragment's above.
                text += &Trace { outputs: Vec::new(), ..trace.clone() }.text(bits, paint);
            }
        }
        if said {
            let hint = "`gpuzoo why` says where a number comes from, `--full` shows every instruction";
            let _ = writeln!(text, "{}", paint.ink(Ink::Dim, hint));
        }
        text
    }

    /// The ancestry of components in the first trace that has the register: of the fragment's program, or of a vertex's.
    ///
    /// # Errors
    /// `G0241` if none has it, `G0108` if no fragment was written.
    pub fn why(
        &self,
        question: &Question,
        text: &File,
        show: impl FnOnce(&Answer) -> String,
    ) -> Result<String, Diagnostic> {
        let Some(Fragment { traces, .. }) = self.made() else {
            let problem = Diagnostic::error(&BAD_ARGUMENT, self.head());
            return Err(problem.help(match self.fragments.len() {
                0 => "it has the colour that the picture was cleared with: choose another one",
                _ => "`--all` shows the fragments that were hidden or killed",
            }));
        };
        let found = traces.iter().find_map(|trace| answer(trace, question));
        found.map(|found| show(&found)).ok_or_else(|| no_such_register(traces, question, text))
    }

    /// The fragments that met it, a line each, of many the last.
    pub fn fates(&self, bits: bool) -> String {
        let component = |component: f32| Trace::component(bits, component.to_bits(), false, Paint::PLAIN);
        let mut text = String::new();
        let first = self.fragments.len().saturating_sub(MOST_FATES);
        if first > 0 {
            let _ = writeln!(text, "and {} before these:", gpuzoo_diag::counted(first, "fragment"));
        }
        for (number, Fragment { draw, touch, .. }) in self.fragments.iter().enumerate().skip(first) {
            let depth = component(touch.depth);
            let fate = match touch.fate {
                Fate::Written => "written".to_owned(),
                Fate::Hidden(stored) => format!("hidden: depth {depth}, and {} is stored", component(stored)),
                Fate::Killed => "killed".to_owned(),
            };
            let _ = writeln!(text, "fragment {number}: draw {draw}, triangle {}, {fate}", touch.primitive);
        }
        text
    }

    /// What is suspicious about the fragment that made the pixel: the first run behind it with such an output, from the fragment
    /// program back to the vertices.
    pub fn suspicion(&self) -> Option<Answer<'_>> {
        self.made()?.traces.iter().find_map(crate::why::suspicion)
    }

    /// For scripts: a line of JSON for each fragment, each followed by the lines of its traces.
    pub fn json_lines(&self, sources: &Sources, all: bool, bits: bool) -> String {
        let four =
            |components: &[f32; 4]| value::json_components(components.map(f32::to_bits), Mask(0), bits);
        let mut text = String::new();
        for (number, picked) in self.shown(all) {
            let touch = &picked.touch;
            let (fate, stored) = match touch.fate {
                Fate::Written => ("written", None),
                Fate::Hidden(stored) => ("hidden", Some(stored)),
                Fate::Killed => ("killed", None),
            };
            let own = touch.invocations.get(touch.lane);
            let varyings = own.iter().flat_map(|own| own.varyings.iter().map(four)).collect();
            let record = FragmentLine {
                pixel: [self.at.0, self.at.1],
                number,
                draw: picked.draw,
                triangle: touch.primitive,
                vertices: touch.corners,
                fate,
                stored: stored.map(|stored| value::json_component(stored.to_bits(), bits)),
                depth: value::json_component(touch.depth.to_bits(), bits),
                color: touch.color.as_ref().map(four),
                varyings,
            };
            let _ = writeln!(text, "{}", json::text(&record));
            for trace in &picked.traces {
                text += &Trace { outputs: Vec::new(), ..trace.clone() }.json_lines(sources, bits);
            }
        }
        text
    }
}

/// The most outputs of a fragment's traces that a summary shows.
const MOST_OUTPUTS: usize = 12;
/// The most fragments that are listed.
const MOST_FATES: usize = 20;
/// The most findings that it shows.
const MOST_FINDINGS: usize = 5;

/// What came out of some runs, and what is odd in them, each thing once.
fn summary(traces: &[Trace], bits: bool, paint: Paint) -> String {
    let (mut text, mut outputs, mut findings) = (String::new(), 0, Vec::new());
    for trace in traces {
        let steps = gpuzoo_diag::counted(trace.session.steps().len(), "instruction");
        let _ = writeln!(text, "  {}: {steps}{}", trace.subject.text(), trace.fate());
        for output in trace.outputs.iter().filter(|output| output.reg.is_some()) {
            outputs += 1;
            if outputs <= MOST_OUTPUTS {
                let _ = writeln!(text, "    {}", trace.output(output, bits, paint));
            }
        }
        for finding in trace.findings(bits) {
            if !findings.contains(&finding) {
                findings.push(finding);
            }
        }
    }
    if outputs > MOST_OUTPUTS {
        let _ = writeln!(text, "    and {}", gpuzoo_diag::counted(outputs - MOST_OUTPUTS, "output"));
    }
    for finding in findings.iter().take(MOST_FINDINGS) {
        let _ = writeln!(text, "  {}", paint.ink(Ink::Odd, finding));
    }
    if findings.len() > MOST_FINDINGS {
        let _ = writeln!(text, "  and {} like these", findings.len() - MOST_FINDINGS);
    }
    text
}
