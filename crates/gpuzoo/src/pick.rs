//! The verb `trace` for a pixel of a scene: the fragments that met it, their programs, and the vertices behind them.

use crate::render::no_jobs;
use crate::run::output_name;
use crate::trace::{Subject, Trace};
use crate::value;
use gpuzoo_diag::{Diagnostic, File, Sources};
use gpuzoo_machine::job::{FragmentRuns, JobOptions, PixelRuns, VertexRun};
use gpuzoo_machine::session::ShaderSession;
use gpuzoo_machine::{Gpu, ShaderUnit};
use gpuzoo_raster::Fate;
use gpuzoo_scene::{Picked, Scene};
use serde_json::{Value as Json, json};
use std::fmt::Write;

use crate::codes::BAD_ARGUMENT;

/// The fragments of a pixel.
#[non_exhaustive]
pub struct Pick {
    at: (u32, u32),
    /// Every fragment, in the order of drawing.
    pub fragments: Vec<FragmentRuns>,
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
    let runs = |picked: Picked| {
        let Picked { draw, touch, fragment, vertices, .. } = picked;
        FragmentRuns { draw, touch, fragment, vertices }
    };
    Ok(Pick { at: (x, y), fragments: scene.pick(frame, x, y)?.into_iter().map(runs).collect() })
}

/// What is found in a job, with warnings; or what is wrong with it.
pub type OfJob<T> = Result<(T, Vec<Diagnostic>), Vec<Diagnostic>>;

/// Runs a job and looks at a pixel of its picture.
///
/// # Errors
/// What the job says, `G0112` for a machine without jobs, or `R0322` if there is no such pixel.
pub fn of_job(gpu: &dyn Gpu, file: &File, options: &JobOptions, (x, y): (u32, u32)) -> OfJob<Pick> {
    let jobs = gpu.jobs().ok_or_else(|| vec![no_jobs(gpu)])?;
    match jobs.pick(file, options, (x, y)) {
        (Some(PixelRuns { size: (width, height), .. }), _) if x >= width || y >= height => {
            Err(vec![gpuzoo_scene::no_such_pixel((x, y), (width, height))])
        }
        (Some(PixelRuns { fragments, .. }), problems) => Ok((Pick { at: (x, y), fragments }, problems)),
        (None, problems) => Err(problems),
    }
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
    let jobs = gpu.jobs().ok_or_else(|| vec![no_jobs(gpu)])?;
    let isa = gpu.shader_unit().map(ShaderUnit::isa);
    match jobs.vertex(file, options, vertex) {
        (None, problems) => Err(problems),
        (Some(run), problems) => {
            let trace = run.map(|VertexRun { session, outputs }| {
                let name = |number| isa.map_or(String::new(), |isa| output_name(isa, number));
                let outputs = outputs.into_iter().map(|(number, value)| (name(number), value)).collect();
                Trace {
                    subject: Subject::Vertex(vertex),
                    killed: false,
                    shown: 0..usize::MAX,
                    session,
                    outputs,
                }
            });
            Ok((trace, problems))
        }
    }
}

impl Pick {
    /// The fragments to show, with their numbers: the one that made the pixel, or all.
    fn shown(&self, all: bool) -> impl Iterator<Item = (usize, &FragmentRuns)> {
        let made = self.fragments.iter().rposition(|picked| picked.touch.fate == Fate::Written);
        let numbered = self.fragments.iter().enumerate();
        numbered.filter(move |(number, _)| all || Some(*number) == made)
    }

    /// The programs' traces for a fragment: its own, then those of its vertices.
    fn traces(&self, picked: &FragmentRuns) -> Vec<Trace> {
        let trace = |subject, session: &ShaderSession, killed| Trace {
            subject,
            session: session.clone(),
            killed,
            outputs: Vec::new(),
            shown: 0..usize::MAX,
        };
        let (x, y) = self.at;
        let killed = picked.touch.fate == Fate::Killed;
        let fragment = picked.fragment.as_ref();
        let fragment = fragment.map(|session| trace(Subject::Pixel(x, y), session, killed));
        let mut corners: Vec<usize> = Vec::new();
        let vertices = picked.touch.corners.iter().zip(&picked.vertices).filter_map(|(&vertex, session)| {
            let new = !corners.contains(&vertex);
            corners.push(vertex);
            new.then(|| trace(Subject::Vertex(vertex), session, false))
        });
        fragment.into_iter().chain(vertices).collect()
    }

    /// For people.
    pub fn text(&self, all: bool, bits: bool) -> String {
        let (x, y) = self.at;
        let component = |component: f32| {
            if bits { value::pattern(component.to_bits()) } else { value::show(component.to_bits()) }
        };
        let four = |components: &[f32; 4]| format!("({})", components.map(component).join(", "));
        let count = match self.fragments.len() {
            0 => "no fragment met it".to_owned(),
            1 => "one fragment met it".to_owned(),
            count => format!("{count} fragments met it"),
        };
        let mut text = format!("pixel ({x}, {y}): {count}");
        if !all && self.shown(false).next().is_none() && !self.fragments.is_empty() {
            text += ", and none was written";
        }
        text.push('\n');
        for (number, FragmentRuns { draw, touch, .. }) in self.shown(all) {
            let fate = match touch.fate {
                Fate::Written => "written".to_owned(),
                Fate::Hidden(stored) => format!("hidden: {} is stored", component(stored)),
                Fate::Killed => "killed".to_owned(),
            };
            let _ = writeln!(text, "\nfragment {number}: draw {draw}, triangle {}, {fate}", touch.primitive);
            let _ = writeln!(text, "  depth {}", component(touch.depth));
            if let Some(color) = &touch.color {
                let _ = writeln!(text, "  color {}", four(color));
            }
            let own = touch.invocations.get(touch.lane);
            for (number, varying) in own.iter().flat_map(|own| own.varyings.iter().enumerate()) {
                let _ = writeln!(text, "  varying {number} {}", four(varying));
            }
            for trace in self.traces(&self.fragments[number]) {
                text.push('\n');
                text += &trace.text(bits);
            }
        }
        text
    }

    /// For scripts: a line of JSON for each fragment, each followed by the lines of its traces.
    pub fn json_lines(&self, sources: &Sources, all: bool, bits: bool) -> String {
        let four = |components: &[f32; 4]| value::json_components(components.map(f32::to_bits), bits);
        let mut text = String::new();
        for (number, picked) in self.shown(all) {
            let touch = &picked.touch;
            let (fate, stored) = match touch.fate {
                Fate::Written => ("written", None),
                Fate::Hidden(stored) => ("hidden", Some(stored)),
                Fate::Killed => ("killed", None),
            };
            let own = touch.invocations.get(touch.lane);
            let varyings: Vec<Json> = own.iter().flat_map(|own| own.varyings.iter().map(four)).collect();
            let record = json!({
                "pixel": [self.at.0, self.at.1],
                "number": number,
                "draw": picked.draw,
                "triangle": touch.primitive,
                "vertices": touch.corners,
                "fate": fate,
                "stored": stored.map(|stored| value::json_component(stored.to_bits(), bits)),
                "depth": value::json_component(touch.depth.to_bits(), bits),
                "color": touch.color.as_ref().map(four),
                "varyings": varyings,
            });
            let _ = writeln!(text, "{record}");
            for trace in self.traces(picked) {
                text += &trace.json_lines(sources, bits);
            }
        }
        text
    }
}
