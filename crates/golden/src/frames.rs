//! Example scenes and their pictures.

use gpuzoo_diag::{Sources, render};
use gpuzoo_machine::Gpu;
use gpuzoo_scene::{Loader, output};
use std::path::Path;

/// Draws the first frame of a scene and compares it, pixel for pixel, with a PNG file. With `GPUZOO_BLESS=1` a picture
/// that is missing or differs is written.
pub fn check(gpu: &'static dyn Gpu, scene: &Path, picture: &Path) -> Result<(), String> {
    let mut sources = Sources::default();
    let read = |path: &Path| std::fs::read(path);
    let (loaded, problems) = Loader { read: &read, gpus: &[gpu], sources: &mut sources }.load(scene);
    let shown = |problems: &[_]| render::short(&sources, problems);
    let loaded = loaded.ok_or_else(|| shown(&problems))?;
    let frame = loaded.frame(0).map_err(|problems| shown(&problems))?;
    let expected = image::open(picture).map(|image| image.into_rgba8());
    let image = &frame.image;
    let same = expected.as_ref().is_ok_and(|expected| {
        expected.dimensions() == (image.width(), image.height()) && expected.as_raw() == image.bytes()
    });
    if same {
        return Ok(());
    }
    if std::env::var_os("GPUZOO_BLESS").is_some() {
        let png = output::png(image, true).map_err(|error| error.to_string())?;
        return std::fs::write(picture, png).map_err(|error| error.to_string());
    }
    let expected = expected.map_err(|error| format!("{}: {error}", picture.display()))?;
    let pixels = image.pixels().iter().zip(expected.pixels());
    let differing = pixels.filter(|(got, expected)| **got != expected.0).count();
    Err(format!("{differing} of {} pixels differ from {}", image.pixels().len(), picture.display()))
}
