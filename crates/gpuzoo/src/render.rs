//! The verb `render`: frames of a scene as a picture, an animation, or raw bytes.

use crate::codes::{BAD_ARGUMENT, CANNOT_ENCODE, NO_SUCH_FRAME};
use crate::registry::{self, GPUS};
use crate::value::grouped;
use gpuzoo_diag::{Diagnostic, Sources};
use gpuzoo_machine::draw::DrawReport;
use gpuzoo_scene::output::{self, Movie, OutputError};
use gpuzoo_scene::{Loader, Scene};
use std::fmt::Write;
use std::io;
use std::ops::Range;
use std::path::Path;

/// A file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// PNG, opaque; with several frames an animated PNG.
    Png,
    /// GIF, at most 256 colours a frame.
    Gif,
    /// Bytes red, green, blue, alpha, row by row from the top, frame by frame.
    Raw,
}

impl Format {
    /// The format that a file's extension tells.
    ///
    /// # Errors
    /// `G0108`, with the extensions.
    pub fn of_file(name: &str) -> Result<Format, Diagnostic> {
        match registry::extension(name).to_ascii_lowercase().as_str() {
            "png" | "apng" => Ok(Format::Png),
            "gif" => Ok(Format::Gif),
            "raw" | "rgba" => Ok(Format::Raw),
            other => {
                let problem = Diagnostic::error(
                    &BAD_ARGUMENT,
                    format!("no picture format has the extension `.{other}`"),
                );
                Err(problem.help("formats are .png (or .apng), .gif, and .raw (or .rgba)"))
            }
        }
    }
}

/// Reads a scene for any machine of the registry; `read` gives the bytes of files.
pub fn load(
    sources: &mut Sources,
    path: &Path,
    read: &dyn Fn(&Path) -> io::Result<Vec<u8>>,
) -> (Option<Scene>, Vec<Diagnostic>) {
    Loader { read, gpus: GPUS, sources }.load(path)
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
            Err(problem.help(format!("frames are 0 to {}", count.saturating_sub(1))))
        }
    }
}

/// What was rendered.
#[derive(Clone, Debug, Default)]
pub struct Rendered {
    /// The file.
    pub bytes: Vec<u8>,
    /// What the draws of each frame did.
    pub reports: Vec<Vec<DrawReport>>,
    /// Warnings, each once however many frames have it.
    pub warnings: Vec<Diagnostic>,
}

/// Renders frames into a file. `progress` is told how many are done.
///
/// # Errors
/// What the scene says, or `G0215` if the format cannot hold the picture.
pub fn render(
    scene: &Scene,
    frames: Range<u32>,
    format: Format,
    mut progress: impl FnMut(u32),
) -> Result<Rendered, Vec<Diagnostic>> {
    let encoding = |error: OutputError| {
        vec![Diagnostic::error(&CANNOT_ENCODE, format!("the picture cannot be written: {error}"))]
    };
    let (width, height) = scene.size();
    let movie =
        |format| Movie::new(format, width, height, frames.len() as u32, scene.fps()).map_err(encoding);
    let mut movie = match format {
        Format::Png => Some(movie(output::Format::Png { alpha: false })?),
        Format::Gif => Some(movie(output::Format::Gif)?),
        Format::Raw => None,
    };
    let mut rendered = Rendered::default();
    for (done, index) in frames.enumerate() {
        let frame = scene.frame(index)?;
        match &mut movie {
            Some(movie) => movie.frame(&frame.image).map_err(encoding)?,
            None => rendered.bytes.extend_from_slice(frame.image.bytes()),
        }
        rendered.reports.push(frame.reports);
        for problem in frame.problems {
            if !rendered.warnings.contains(&problem) {
                rendered.warnings.push(problem);
            }
        }
        progress(done as u32 + 1);
    }
    if let Some(movie) = movie {
        rendered.bytes = movie.finish().map_err(encoding)?;
    }
    Ok(rendered)
}

impl Rendered {
    /// A line for each draw of each frame: vertices, cost, primitives and fragments.
    pub fn statistics(&self) -> String {
        let mut text = format!("{:>6}{:>6}", "frame", "draw");
        for column in ["vertices", "cost", "primitives", "culled", "drawn", "fragments", "written"] {
            let _ = write!(text, "{column:>14}");
        }
        text.push('\n');
        for (frame, reports) in self.reports.iter().enumerate() {
            for (draw, DrawReport { vertices, cost, stats }) in reports.iter().enumerate() {
                let _ = write!(text, "{frame:>6}{draw:>6}");
                let figures = [
                    *vertices,
                    *cost,
                    stats.primitives,
                    stats.culled,
                    stats.drawn,
                    stats.fragments,
                    stats.written,
                ];
                for figure in figures {
                    let _ = write!(text, "{:>14}", grouped(figure));
                }
                text.push('\n');
            }
        }
        text
    }
}
