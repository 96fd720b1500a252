//! Jobs: raw commands for a machine, as JSON. Running, checking and writing them.

use crate::GPUS;
use crate::codes::NO_JOBS;
use crate::registry::Registry;
use crate::render::{DrawFigures, Rendered, parts};
use gpuzoo_diag::{Diagnostic, File, json};
use gpuzoo_isa::list;
use gpuzoo_machine::Gpu;
use gpuzoo_machine::limits::budget::Refusal;
use gpuzoo_machine::text::grouped;
use gpuzoo_machine::unit::job::{JobDone, JobHead, JobOptions, NOT_A_JOB};
use gpuzoo_raster::{Image, View};
use gpuzoo_scene::Scene;
use serde::Serialize;
use std::fmt::Write;

/// The machine of a job: the one that is named, or the first that has jobs.
///
/// # Errors
/// `G0102` for a machine that is not known, `G0112` if it has no jobs.
pub fn machine(registry: &Registry, id: Option<&str>) -> Result<&'static dyn Gpu, Diagnostic> {
    let has_jobs = |gpu: &&'static dyn Gpu| gpu.jobs().is_some();
    let gpu = match id {
        Some(id) => registry.choose(Some(id), "")?,
        None => {
            let none = || Diagnostic::error(&NO_JOBS, "no machine has jobs");
            return registry.gpus().iter().copied().find(has_jobs).ok_or_else(none);
        }
    };
    if has_jobs(&gpu) {
        return Ok(gpu);
    }
    Err(no_jobs(gpu))
}

/// What a job gave, if it could run, and what was found.
pub type Job = (Option<JobDone>, Vec<Diagnostic>);

/// Runs a job.
///
/// # Errors
/// `G0112` for a machine without jobs.
pub fn run(gpu: &dyn Gpu, file: &File, options: &JobOptions) -> Result<Job, Diagnostic> {
    Ok(gpu.jobs().ok_or_else(|| no_jobs(gpu))?.run(file, options))
}

/// The problem of a machine without jobs.
pub(crate) fn no_jobs(gpu: &dyn Gpu) -> Diagnostic {
    let problem = Diagnostic::error(&NO_JOBS, format!("{} has no jobs", gpu.about().name));
    let with = GPUS.iter().filter(|gpu| gpu.jobs().is_some()).map(|gpu| gpu.about().id);
    let with: Vec<&str> = with.collect();
    match with.len() {
        0 => problem,
        _ => problem.help(format!("machines with jobs: {}", list(with.into_iter()))),
    }
}

/// A frame of a scene as a job for its machine. `image` is the name of the file with the frame's picture, if there is one: then
/// the job is also a vector.
///
/// # Errors
/// What the scene says, `G0112` for a machine without jobs, and `R0706` for a scene that is not one job.
pub fn of_scene(scene: &Scene, frame: u32, image: Option<String>) -> Result<String, Vec<Diagnostic>> {
    let jobs = scene.gpu.jobs().ok_or_else(|| vec![no_jobs(scene.gpu)])?;
    if let Some(elsewhere) = scene.draws().iter().find(|draw| draw.surface != 0) {
        let problem = Diagnostic::error(&NOT_A_JOB, "the draw is not on the screen");
        return Err(vec![problem.at(elsewhere.span())]);
    }
    let (mut draws, mut problems) = (Vec::new(), Vec::new());
    scene.visit(frame, |_, _, draw, _| match jobs.of_draw(draw) {
        Ok(draw) => draws.push(draw),
        Err(more) => problems.extend(more),
    })?;
    if !problems.is_empty() {
        return Err(problems);
    }
    let cleared = scene.cleared().map_err(|problem| vec![problem])?;
    let color = cleared.color().pixels().first().copied().unwrap_or_default();
    let depth = cleared.depth().values().first().copied().unwrap_or(f32::INFINITY);
    let head =
        JobHead { title: format!("frame {frame} of a scene"), size: scene.size(), color, depth, image };
    jobs.document(&head, draws).map_err(|problem| vec![problem])
}

/// What is wrong with a job, and suspicious about its programs, without running it.
///
/// # Errors
/// `G0112` for a machine without jobs.
pub fn check(gpu: &dyn Gpu, file: &File, options: &JobOptions) -> Result<Vec<Diagnostic>, Diagnostic> {
    Ok(gpu.jobs().ok_or_else(|| no_jobs(gpu))?.check(file, options))
}

/// A job's picture, or a view of it.
///
/// # Errors
/// `R0320` for a view that the machine does not have.
pub fn picture(gpu: &dyn Gpu, done: &JobDone, view: Option<View>) -> Result<Image, Diagnostic> {
    let target = &done.target;
    let shown = match view {
        Some(view) => view.picture(target),
        None => target.color().copy().map(Some),
    };
    let shown = shown.map_err(|error| Refusal::from(error).problem())?;
    shown.ok_or_else(|| gpuzoo_scene::no_such_view(gpu))
}

/// A line for each draw of a job, then where its cost went.
pub fn statistics(done: &JobDone) -> String {
    let reports = vec![done.reports.clone()];
    let mut text = Rendered { reports, ..Rendered::default() }.statistics();
    let _ = writeln!(text, "all of it: {}", grouped(done.cost));
    parts(&done.breakdown, &mut text);
    text
}

/// The numbers of a job, for scripts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct JobFigures {
    /// The draws, in order.
    pub draws: Vec<DrawFigures>,
    /// The cost of the whole job, in the unit of the draws.
    pub cost: u64,
    /// The parts of the cost.
    #[serde(serialize_with = "json::object")]
    pub breakdown: Vec<(&'static str, u64)>,
}

impl From<&JobDone> for JobFigures {
    fn from(done: &JobDone) -> JobFigures {
        JobFigures {
            draws: done.reports.iter().map(DrawFigures::from).collect(),
            cost: done.cost,
            breakdown: done.breakdown.clone(),
        }
    }
}
