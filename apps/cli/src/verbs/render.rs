//! `render`.

use crate::args;
use crate::io::{self, Input, Output};
use crate::session::{Session, Stop};
use gpuzoo::registry;
use gpuzoo::render::{self as facade_render, Format};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::path::Path;

/// A scene to a picture.
pub fn render(args: &args::Render, session: &mut Session) -> Result<(), Stop> {
    let format = match &args.output {
        Some(path) if !io::is_standard(path) => Format::of_file(&path.to_string_lossy())?,
        _ => Format::Png,
    };
    let Input { name, bytes } = io::read(args.scene.as_deref(), args.stdin_name.as_deref())?;
    let path = Path::new(&name);
    // The scene itself was read: it may have come through a pipe.
    let read = |wanted: &Path| if wanted == path { Ok(bytes.clone()) } else { std::fs::read(wanted) };
    let (scene, problems) = facade_render::load(&mut session.sources, path, &read);
    session.require(problems)?;
    let Some(mut scene) = scene else { return Err(Stop::Reported) };
    if args.profile.is_some() {
        scene.profile = registry::profile(scene.gpu, args.profile.as_deref())?;
    }
    let frames = facade_render::frames(&scene, args.frame)?;
    // A terminal is told before an hour of rendering, not after; a file is made only when there is something for it.
    if args.output.is_none() {
        Output::open(None, true)?;
    }
    let bar = progress(frames.len());
    let rendered = facade_render::render(&scene, frames, format, |done| bar.set_position(done.into()));
    bar.finish_and_clear();
    let rendered = match rendered {
        Ok(rendered) => rendered,
        Err(problems) => {
            session.report(problems);
            return Err(Stop::Reported);
        }
    };
    session.require(rendered.warnings.clone())?;
    if args.stats {
        session.tell(&rendered.statistics());
    }
    io::write(args.output.as_deref(), true, &rendered.bytes)
}

/// A bar on a terminal, nothing elsewhere, nor for a single frame.
fn progress(frames: usize) -> ProgressBar {
    if frames < 2 || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(frames as u64);
    match ProgressStyle::with_template("frame {pos} of {len} [{bar:30}] {eta}") {
        Ok(style) => bar.with_style(style.progress_chars("=> ")),
        Err(_) => bar,
    }
}
