//! Fragments a second in whole draws: vertices, set-up, fragment programs, textures, depth, and what a machine counts.

use super::programs::{SCENES, Standing, is_wanted};
use super::{Options, Stopwatch, Threads, median, timed};
use crate::codes::NO_BENCH;
use crate::{Registry, render};
use gpuzoo_diag::{Diagnostic, Sources};
use gpuzoo_machine::limits::budget::Budget;
use gpuzoo_machine::unit::draw::DrawReport;
use gpuzoo_machine::unit::job::JobOptions;
use gpuzoo_scene::Texts;
use std::io::{Error, ErrorKind};
use std::path::Path;

/// What was measured of a scene. Speeds are fragments a second.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SceneRow {
    /// The machine.
    pub gpu: &'static str,
    /// The scene.
    pub scene: &'static str,
    /// Primitives of a frame.
    pub primitives: u64,
    /// Fragments of a frame.
    pub fragments: u64,
    /// On one thread.
    pub single: f64,
    /// On all threads, if there are several.
    pub threaded: Option<f64>,
}

/// Measures the standard scenes of a machine and of a name, or all.
///
/// # Errors
/// `G0232` if the threads cannot be had.
pub fn scenes(gpu: Option<&str>, name: Option<&str>, options: &Options) -> Result<Vec<SceneRow>, Diagnostic> {
    let wanted = SCENES.iter().filter(|scene| is_wanted((scene.gpu, scene.name), gpu, name));
    wanted.map(|scene| measure(scene, options)).collect()
}

/// Draws once, and returns what was drawn.
type Draw<'a> = dyn Fn() -> Vec<DrawReport> + Sync + 'a;

fn measure(standing: &Standing, options: &Options) -> Result<SceneRow, Diagnostic> {
    let (registry, mut sources) = (Registry::default(), Sources::default());
    let (name, bytes) = standing.files[0];
    let broken = || Diagnostic::error(&NO_BENCH, format!("the scene {} cannot be drawn", standing.name));
    let Some(size) = standing.size else {
        let gpu = registry.choose(Some(standing.gpu), "")?;
        let file = crate::read::text(&mut sources, name, bytes)?;
        let file = sources.get(file);
        let job = JobOptions { budget: Budget::unlimited(), ..JobOptions::default() };
        let draw = || match gpu.jobs().map(|jobs| jobs.run(file, &job)) {
            Some((Some(done), _)) => done.reports,
            _ => Vec::new(),
        };
        return row(standing, &draw, options);
    };
    let read = |path: &Path| {
        let file = standing.files.iter().find(|(name, _)| Path::new(name) == path);
        file.map(|(_, bytes)| bytes.to_vec()).ok_or_else(|| Error::from(ErrorKind::NotFound))
    };
    let (scene, problems) =
        render::load(&registry, &mut sources, Path::new(name), &read, Texts::default(), Budget::unlimited());
    let mut scene = scene.ok_or_else(|| problems.into_iter().next().unwrap_or_else(broken))?;
    scene.resize(size.0, size.1)?;
    let draw = || scene.frame_as(0, None).map(|frame| frame.reports).unwrap_or_default();
    row(standing, &draw, options)
}

fn row(standing: &Standing, draw: &Draw, options: &Options) -> Result<SceneRow, Diagnostic> {
    let reports = draw();
    let sum = |of: fn(&DrawReport) -> u64| reports.iter().map(of).sum::<u64>();
    let (primitives, fragments) =
        (sum(|report| report.stats.primitives), sum(|report| report.stats.fragments));
    let one = Threads::new(1)?;
    let all = if options.threads > 1 { vec![one, Threads::new(options.threads)?] } else { vec![one] };
    let watch = |threads| {
        let threads: &Threads = threads;
        let run = |runs| threads.run(|| timed(runs, || drop(draw())));
        Stopwatch::new(options.part, Box::new(run))
    };
    let mut watches: Vec<Stopwatch> = all.iter().map(watch).collect();
    for _ in 0..options.rounds.max(1) {
        watches.iter_mut().for_each(Stopwatch::round);
    }
    let speed = |watch: &Stopwatch| median(watch.found.clone()).map(|took| fragments as f64 / took * 1e9);
    Ok(SceneRow {
        gpu: standing.gpu,
        scene: standing.name,
        primitives,
        fragments,
        single: watches.first().and_then(speed).unwrap_or(0.0),
        threaded: watches.get(1).and_then(speed),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn standard_scenes_have_fragments() {
        let options = Options { rounds: 1, part: Duration::from_micros(1), threads: 2, ..Options::default() };
        let rows = scenes(None, Some("scene1"), &options).unwrap();
        assert!(rows.len() == 1 && rows[0].fragments > 0 && rows[0].single > 0.0, "{rows:?}");
        assert!(rows[0].threaded.is_some_and(|speed| speed > 0.0));
        for standing in &SCENES {
            assert!(measure(standing, &options).unwrap().fragments > 0, "{}", standing.name);
        }
    }
}
