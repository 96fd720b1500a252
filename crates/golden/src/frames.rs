//! Example scenes and their pictures.

use crate::file::AUTHORITIES;
use gpuzoo_diag::{Sources, render};
use gpuzoo_machine::ShaderUnit;
use gpuzoo_machine::limits::budget::Budget;
use gpuzoo_scene::{Loader, Texts, output};
use std::path::Path;

/// The file of a folder of pictures that says of each who says that it is right: lines `NAME from: AUTHORITY`.
pub const AUTHORITY: &str = "authority.txt";

/// Draws the first frame of a scene and compares it with the picture of its name in a folder; see [`compare`].
///
/// # Errors
/// What is wrong.
pub fn check(gpu: &'static dyn ShaderUnit, scene: &Path, folder: &Path, bless: bool) -> Result<(), String> {
    let mut sources = Sources::default();
    let read = |path: &Path| std::fs::read(path);
    let (loaded, problems) = Loader {
        read: &read,
        gpus: &[gpu],
        sources: &mut sources,
        texts: Texts::default(),
        budget: Budget::default(),
        kept: None,
    }
    .load(scene);
    let shown = |problems: &[_]| render::short(&sources, problems);
    let loaded = loaded.ok_or_else(|| shown(&problems))?;
    let frame = loaded.frame(0).map_err(|problems| shown(&problems))?;
    let image = &frame.image;
    let png = || output::png(image, true).map_err(|error| error.to_string());
    compare(folder, &crate::stem(scene), (image.width(), image.height()), image.bytes(), png, bless)
}

/// Compares a picture (RGBA, 8 bits each) pixel for pixel with `NAME.png` of a folder. With `bless`, a picture that is
/// missing or differs is written as `png` makes it, if the folder's [`AUTHORITY`] says `self` of it.
///
/// # Errors
/// How many pixels differ, or why nothing can be compared.
pub fn compare(
    folder: &Path,
    name: &str,
    size: (u32, u32),
    pixels: &[u8],
    png: impl FnOnce() -> Result<Vec<u8>, String>,
    bless: bool,
) -> Result<(), String> {
    let from = authority(folder, name)?;
    let path = folder.join(format!("{name}.png"));
    let wrong = match image::open(&path).map(|image| image.into_rgba8()) {
        Err(error) => format!("{}: {error}", path.display()),
        Ok(expected) if expected.dimensions() != size => format!("{} has another size", path.display()),
        Ok(expected) => {
            let all = expected.chunks_exact(4).zip(pixels.chunks_exact(4));
            let count = all.filter(|(expected, got)| expected != got).count();
            if count == 0 && expected.len() == pixels.len() {
                return Ok(());
            }
            format!("{count} of {} pixels differ from {}", pixels.len() / 4, path.display())
        }
    };
    match (bless, from.as_str()) {
        (false, _) => Err(wrong),
        (true, "self") => std::fs::write(path, png()?).map_err(|error| error.to_string()),
        (true, _) => Err(format!("{wrong}\nnot blessed: {AUTHORITY} says from: {from}")),
    }
}

/// Pictures and authorities of a folder that belong to no scene.
///
/// # Errors
/// Which.
pub fn strays(folder: &Path, scenes: &[String]) -> Result<(), String> {
    let pictures =
        crate::entries(folder).into_iter().filter(|path| path.file_name() != Some(AUTHORITY.as_ref()));
    let pictures = pictures.map(|path| crate::stem(&path)).collect::<Vec<_>>();
    let said = authorities(folder)?.into_iter().map(|(name, _)| name);
    let stray: Vec<String> = pictures.into_iter().chain(said).filter(|name| !scenes.contains(name)).collect();
    if stray.is_empty() { Ok(()) } else { Err(format!("no example is called {}", stray.join(" "))) }
}

/// Names and authorities, as [`AUTHORITY`] lists them; `#` begins a comment.
fn authorities(folder: &Path) -> Result<Vec<(String, String)>, String> {
    let text = std::fs::read_to_string(folder.join(AUTHORITY)).unwrap_or_default();
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            let (name, from) =
                line.split_once("from:").ok_or(format!("{AUTHORITY}: `{line}` says no `from:`"))?;
            let (name, from) = (name.trim().to_owned(), from.trim().to_owned());
            match AUTHORITIES.contains(&from.as_str()) {
                true => Ok((name, from)),
                false => Err(format!("{AUTHORITY}: `{from}` is not an authority")),
            }
        })
        .collect()
}

fn authority(folder: &Path, name: &str) -> Result<String, String> {
    let found = authorities(folder)?.into_iter().find(|(own, _)| own == name).map(|(_, from)| from);
    found.ok_or_else(|| format!("{} says nothing about `{name}`", folder.join(AUTHORITY).display()))
}
