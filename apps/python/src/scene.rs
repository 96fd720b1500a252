//! Scenes, and pictures of them.

use crate::arrays::picture;
use crate::errors::{list, refused};
use crate::program::named;
use gpuzoo::Registry;
use gpuzoo::diag::{Diagnostics, Sources, has_errors};
use gpuzoo::machine::limits::budget::Budget;
use gpuzoo::raster::{Image, View};
use gpuzoo::render::{self, Failure, Format, Samples, Shown};
use gpuzoo::scene::Texts;
use numpy::{PyArray3, PyArrayMethods, PyReadonlyArray3, PyUntypedArrayMethods};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde_json::json;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// A scene that was read.
#[pyclass(frozen, module = "gpuzoo._native")]
pub struct Scene {
    scene: gpuzoo::scene::Scene,
    sources: Arc<Sources>,
    remarks: String,
}

/// Reads a scene. `read` gives the bytes of files, the scene's own among them; `size` is another one for the picture. With
/// `trusted` it may draw without an end.
#[pyfunction]
pub fn load(
    py: Python<'_>,
    name: &str,
    read: Py<PyAny>,
    defines: Vec<String>,
    size: Option<(u32, u32)>,
    trusted: bool,
) -> PyResult<Scene> {
    let mut sources = Sources::default();
    let loaded = py.detach(|| {
        let read = |path: &Path| named(&read, &path.to_string_lossy()).map_err(io::Error::other);
        let defines: Vec<&str> = defines.iter().map(String::as_str).collect();
        let texts = Texts { defines: &defines, ..Texts::default() };
        let budget = if trusted { Budget::unlimited() } else { Budget::default() };
        render::load(&Registry::default(), &mut sources, Path::new(name), &read, texts, budget)
    });
    let (scene, mut problems) = loaded;
    let sources = Arc::new(sources);
    let refuse = |problems| refused(Diagnostics::new(problems, sources.clone()));
    let Some(mut scene) = scene.filter(|_| !has_errors(&problems)) else { return Err(refuse(problems)) };
    if let Some((width, height)) = size {
        scene.resize(width, height).map_err(|problem| refuse(vec![problem]))?;
    }
    problems.extend(render::check(&scene));
    let remarks = list(&sources, &problems).to_string();
    Ok(Scene { scene, sources, remarks })
}

fn shown(view: Option<&str>, samples: u32) -> PyResult<Shown> {
    let Some(name) = view else {
        return Ok(Shown::Colors(match samples {
            1 => Samples::One,
            4 => Samples::Four,
            16 => Samples::Sixteen,
            _ => {
                return Err(PyValueError::new_err(format!(
                    "a pixel cannot have {samples} samples; it has 1, 4 or 16"
                )));
            }
        }));
    };
    let known = View::ALL.into_iter().find(|(own, ..)| *own == name);
    known.map(|(_, view, _)| Shown::View(view)).ok_or_else(|| {
        let names = View::ALL.map(|(name, ..)| name).join(", ");
        PyValueError::new_err(format!("there is no view {name:?}; views are {names}"))
    })
}

#[pymethods]
impl Scene {
    /// Its machine's id, and how many frames of which width and height there are, how many of them a second.
    #[getter]
    fn facts(&self) -> (&'static str, u32, u32, u32, u32) {
        let (width, height) = self.scene.size();
        (self.scene.gpu.about().id, self.scene.frame_count(), width, height, self.scene.fps())
    }

    /// Warnings of reading it, as JSON.
    #[getter]
    fn remarks(&self) -> &str {
        &self.remarks
    }

    /// A frame, or a view of it, and JSON of what there is to say.
    fn frame<'py>(
        &self,
        py: Python<'py>,
        index: u32,
        view: Option<&str>,
        samples: u32,
    ) -> PyResult<(Bound<'py, PyArray3<u8>>, String)> {
        let shown = shown(view, samples)?;
        let frame = py.detach(|| {
            render::frames(&self.scene, Some(index)).map_err(|problem| vec![problem])?;
            match shown {
                Shown::Colors(samples) => self.scene.frame_sampled(index, samples),
                Shown::View(view) => self.scene.frame_as(index, Some(view)),
            }
        });
        let frame = frame.map_err(|problems| refused(Diagnostics::new(problems, self.sources.clone())))?;
        Ok((picture(py, frame.image)?, list(&self.sources, &frame.problems).to_string()))
    }

    /// Frames as a file, the bytes that `gpuzoo render` writes, and JSON of what there is to say and of what the draws did.
    fn encode<'py>(
        &self,
        py: Python<'py>,
        format: &str,
        only: Option<u32>,
        view: Option<&str>,
        samples: u32,
    ) -> PyResult<(Bound<'py, PyBytes>, String)> {
        let (format, shown) = (format_of(format)?, shown(view, samples)?);
        let mut bytes = Vec::new();
        let rendered = py.detach(|| {
            let frames = render::frames(&self.scene, only)?;
            render::render(&self.scene, frames, format, shown, &mut bytes, |_| {})
        });
        let rendered = rendered.map_err(|failure| failed(failure, &self.sources))?;
        let facts = json!({ "draws": rendered.json(), "remarks": list(&self.sources, &rendered.warnings) });
        Ok((PyBytes::new(py, &bytes), facts.to_string()))
    }
}

fn format_of(name: &str) -> PyResult<Format> {
    Format::of_file(&format!("picture.{name}")).map_err(refused)
}

fn failed(failure: Failure, sources: &Arc<Sources>) -> PyErr {
    match failure {
        Failure::Problems(problems) => refused(Diagnostics::new(problems, sources.clone())),
        Failure::Unwritten(error) => PyOSError::new_err(error.to_string()),
    }
}

/// A picture as a file: rows, columns, and four bytes each.
#[pyfunction]
pub fn encode<'py>(
    py: Python<'py>,
    picture: PyReadonlyArray3<'py, u8>,
    format: &str,
) -> PyResult<Bound<'py, PyBytes>> {
    let wrong = || PyValueError::new_err("rows and columns of four bytes are expected");
    let &[height, width, 4] = picture.shape() else { return Err(wrong()) };
    let pixels = picture.to_vec().map_err(|_| wrong())?;
    let (pixels, _) = pixels.as_chunks::<4>();
    let format = format_of(format)?;
    let size = (u32::try_from(width).map_err(|_| wrong())?, u32::try_from(height).map_err(|_| wrong())?);
    let image = Image::from_pixels(size.0, size.1, pixels.to_vec())
        .map_err(|error| PyValueError::new_err(error.to_string()))?;
    let mut bytes = Vec::new();
    let written = py.detach(|| render::picture(image, format, &Budget::unlimited(), &mut bytes));
    written.map_err(|failure| failed(failure, &Arc::default()))?;
    Ok(PyBytes::new(py, &bytes))
}
