//! A contact sheet: one picture of each machine's examples, for the README.

use gpuzoo::computer::{Input, ScreenOptions};
use gpuzoo::machine::limits::budget::Budget;
use gpuzoo::raster::Image;
use gpuzoo::render::{self, Samples};
use gpuzoo::scene::{Texts, output};
use gpuzoo::{Arguments, Registry};
use gpuzoo_diag::Sources;
use std::path::Path;

/// Where it is kept.
pub const PATH: &str = "docs/pictures/machines.png";

/// What is on it, row by row.
const TILES: [(&str, Tile); 6] = [
    ("examples/dreambox/teapot.toml", Tile::Sampled),
    ("examples/nv2a/light.toml", Tile::Sampled),
    ("examples/picogpu/knot.toml", Tile::Middle),
    ("examples/servaru/rivets.toml", Tile::Sampled),
    ("examples/vera/blit.s", Tile::Screen(60)),
    ("examples/vera/lines.s", Tile::Screen(60)),
];

/// How an example becomes a tile.
#[derive(Clone, Copy)]
enum Tile {
    /// A scene's first frame, with four samples for each pixel.
    Sampled,
    /// The middle of a scene's first frame, as it is.
    Middle,
    /// A frame of what a program shows, at half its size.
    Screen(u32),
}

const COLUMNS: u32 = 3;
const TILE: (u32, u32) = (320, 240);

/// The PNG file.
pub fn file() -> Result<Vec<u8>, String> {
    let rows = (TILES.len() as u32).div_ceil(COLUMNS);
    let mut sheet = Image::new(TILE.0 * COLUMNS, TILE.1 * rows, [0, 0, 0, 255]).map_err(said)?;
    for (number, (path, tile)) in (0..).zip(TILES) {
        let tile = match tile {
            Tile::Sampled => scene(path, true),
            Tile::Middle => scene(path, false).and_then(|image| middle(&image)),
            Tile::Screen(frame) => screen(path, frame),
        };
        let tile = tile.map_err(|problem| format!("{path}: {problem}"))?;
        let (left, top) = (number % COLUMNS * TILE.0, number / COLUMNS * TILE.1);
        for (y, row) in tile.pixels().chunks(TILE.0 as usize).enumerate() {
            let start = (top as usize + y) * (TILE.0 * COLUMNS) as usize + left as usize;
            sheet.pixels_mut()[start..start + row.len()].copy_from_slice(row);
        }
    }
    output::png(&sheet, false).map_err(said)
}

fn said(problem: impl std::fmt::Display) -> String {
    problem.to_string()
}

fn middle(image: &Image) -> Result<Image, String> {
    let (left, top) = (image.width().saturating_sub(TILE.0) / 2, image.height().saturating_sub(TILE.1) / 2);
    let pixels = (0..TILE.1).flat_map(|y| (0..TILE.0).filter_map(move |x| image.get(left + x, top + y)));
    Image::from_pixels(TILE.0, TILE.1, pixels.collect()).map_err(said)
}

/// A scene's first frame.
fn scene(path: &str, is_sampled: bool) -> Result<Image, String> {
    let (mut sources, path) = (Sources::default(), crate::root().join(path));
    let read = |file: &Path| std::fs::read(file);
    let (scene, problems) =
        render::load(&Registry::default(), &mut sources, &path, &read, Texts::default(), Budget::default());
    let mut scene = scene.ok_or_else(|| format!("{problems:?}"))?;
    if is_sampled {
        scene.resize(TILE.0, TILE.1).map_err(|problem| problem.message)?;
    }
    let frame = scene.frame_sampled(0, if is_sampled { Samples::Four } else { Samples::One });
    frame.map(|frame| frame.image).map_err(|problems| format!("{problems:?}"))
}

/// What a program shows, at half its size.
fn screen(path: &str, frame: u32) -> Result<Image, String> {
    let path = crate::root().join(path);
    let bytes = std::fs::read(&path).map_err(said)?;
    let name = path.to_string_lossy();
    let computer = Registry::default().computer(None, &name).map_err(|problem| problem.message)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut include = |wanted: &str| std::fs::read(folder.join(wanted)).map_err(said);
    let input = Input { name: &name, bytes: &bytes, form: None, include: &mut include };
    let program = computer.read(input, &Arguments::default()).map_err(said)?;
    let options = ScreenOptions { frame: Some(frame), ..ScreenOptions::default() };
    let screen = program.screen(&Arguments::default(), &options);
    let mut screen = screen.map_err(|problem| problem.message)?;
    screen.advance();
    screen.image()?.mean(2).map_err(said)
}
