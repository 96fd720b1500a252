//! The display composer: which columns and lines of the window are shown, and what lies over what.

use crate::Vera;
use crate::layers::COLUMNS_RENDERED;
use crate::profile::Deviation;
use crate::video::{COLUMNS, Drawing, Video, WIDTH};
use gpuzoo_stored::stored;

/// Bits of DC_VIDEO.
const SPRITES: u8 = 0x40;
const LAYERS: [u8; 2] = [0x10, 0x20];

/// Where the column counter stops: 640 in 10.7 fixed point.
const END: u32 = (WIDTH as u32) << 7;

/// DCSEL banks 0 and 1.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Composer {
    /// DC_VIDEO without bit 7.
    pub video: u8,
    pub hscale: u8,
    pub vscale: u8,
    pub border: u8,
    /// In pixels, multiples of 4.
    pub hstart: u16,
    pub hstop: u16,
    /// In lines, multiples of 2.
    pub vstart: u16,
    pub vstop: u16,
}

stored! { Composer { video, hscale, vscale, border, hstart, hstop, vstart, vstop } }

impl Composer {
    pub(crate) fn new(video: u8) -> Composer {
        Composer { video, hscale: 128, vscale: 128, border: 0, hstart: 0, hstop: 640, vstart: 0, vstop: 480 }
    }

    pub(crate) fn read(&self, dcsel: u8, index: u8) -> u8 {
        match (dcsel, index & 3) {
            (0, 0) => self.video,
            (0, 1) => self.hscale,
            (0, 2) => self.vscale,
            (0, _) => self.border,
            (_, 0) => (self.hstart >> 2) as u8,
            (_, 1) => (self.hstop >> 2) as u8,
            (_, 2) => (self.vstart >> 1) as u8,
            (_, _) => (self.vstop >> 1) as u8,
        }
    }

    pub(crate) fn write(&mut self, dcsel: u8, index: u8, value: u8) {
        match (dcsel, index & 3) {
            (0, 0) => self.video = value & 0x7f,
            (0, 1) => self.hscale = value,
            (0, 2) => self.vscale = value,
            (0, _) => self.border = value,
            (_, 0) => self.hstart = u16::from(value) << 2,
            (_, 1) => self.hstop = u16::from(value) << 2,
            (_, 2) => self.vstart = u16::from(value) << 1,
            (_, _) => self.vstop = u16::from(value) << 1,
        }
    }

    /// True for the lines of the active window.
    pub(crate) fn shows_line(&self, line: u16) -> bool {
        (self.vstart..self.vstop).contains(&line)
    }

    pub(crate) fn shows_layer(&self, layer: usize) -> bool {
        self.video & LAYERS[layer & 1] != 0
    }

    pub(crate) fn shows_sprites(&self) -> bool {
        self.video & SPRITES != 0
    }

    /// The column counter after the clocks of `from..to` of a line. It adds HSCALE with each, and stops when it has
    /// reached 640, which with HSCALE above 128 may be 641 (co:177-181).
    pub(crate) fn run_columns(&self, counter: u32, from: u16, to: u16) -> u32 {
        let clocks = u32::from(to.min(self.hstop)).saturating_sub(u32::from(from.max(self.hstart)));
        let scale = u32::from(self.hscale);
        let left = END.saturating_sub(counter);
        counter + scale * if scale == 0 { 0 } else { clocks.min(left.div_ceil(scale)) }
    }
}

impl Vera {
    /// Bit 7 of DC_VIDEO: a sample of the composite field, taken once a frame (co:88).
    pub(crate) fn field_bit(&self, dcsel: u8, index: u8) -> u8 {
        u8::from(dcsel == 0 && index == 0 && self.video.field) << 7
    }

    /// Composes the visible part of the current line up to where the beam is. To be called before anything changes that
    /// acts at once: scale, border, window, layer switches, palette.
    #[inline]
    pub(crate) fn show_to_beam(&mut self) {
        let x = self.video.beam_x();
        self.show_to(x.min(WIDTH as u16));
    }

    /// Composes the pixels of this line that are left before `to`.
    pub(crate) fn show_to(&mut self, to: u16) {
        let from = self.video.shown;
        if from >= to {
            return;
        }
        self.video.shown = to;
        let line = usize::from(self.video.line);
        let composer = &self.composer;
        let counter = self.video.column;
        self.video.column = composer.run_columns(counter, from, to);
        if self.video.drawing != Drawing::Picture {
            return;
        }
        let palette = &self.palette;
        let start = line * WIDTH;
        let (a, b) = (usize::from(from), usize::from(to));
        let buffer = self.video.shown_buffer();
        let Some(pixels) = self.video.frame.get_mut(start..start + WIDTH).and_then(|line| line.get_mut(a..b))
        else {
            return;
        };
        let output = composer.video & 3;
        if output == 0 {
            let blue = self.deviations.has(Deviation::BlueWithoutOutput);
            pixels.fill([0, 0, if blue { 255 } else { 0 }, 255]);
            return;
        }
        let border = palette.rgba(composer.border);
        let left = composer.hstart.clamp(from, to);
        let right = composer.hstop.clamp(left, to);
        if !composer.shows_line(self.video.shown_line) || left == right {
            pixels.fill(border);
            return;
        }
        let (left, right) = (usize::from(left - from), usize::from(right - from));
        pixels[..left].fill(border);
        pixels[right..].fill(border);
        let smears = !self.deviations.has(Deviation::NoSmear);
        let merged =
            merge(&self.video.layer_lines, &self.video.sprite_lines[buffer], buffer, composer, smears);
        let inside = &mut pixels[left..right];
        let first = (counter >> 7) as usize;
        if composer.hscale == 128 && counter & 127 == 0 && first + inside.len() <= WIDTH {
            for (pixel, color) in inside.iter_mut().zip(&merged[first..]) {
                *pixel = palette.rgba(*color);
            }
            return;
        }
        // Until the counter stops, every pixel adds HSCALE; after that, all show the same column.
        let scale = u32::from(composer.hscale);
        let moving = if scale == 0 { 0 } else { END.saturating_sub(counter).div_ceil(scale) as usize };
        let (moving, still) = inside.split_at_mut(moving.min(inside.len()));
        let color = |counter: u32| palette.rgba(merged[((counter >> 7) as usize).min(COLUMNS - 1)]);
        for (index, pixel) in moving.iter_mut().enumerate() {
            *pixel = color(counter + index as u32 * scale);
        }
        still.fill(color(counter + moving.len() as u32 * scale));
    }
}

type LayerLines = [[[u8; COLUMNS_RENDERED]; 2]; 2];

/// Lays sprites of Z 1, layer 0, Z 2, layer 1 and Z 3 over each other (co:190-201). Columns 640 and 641 are never
/// written by layers, and never erased by anyone.
fn merge(
    layers: &LayerLines,
    sprites: &crate::sprites::Line,
    buffer: usize,
    composer: &Composer,
    smears: bool,
) -> [u8; COLUMNS] {
    let mut merged = [0; COLUMNS];
    let inner = &mut merged[..COLUMNS_RENDERED];
    let lines = [0, 1].map(|layer| composer.shows_layer(layer).then_some(&layers[layer][buffer]));
    let has_sprites = composer.shows_sprites() && sprites.is_dirty();
    match lines {
        [Some(only), None] | [None, Some(only)] if !has_sprites => inner.copy_from_slice(only),
        [None, None] if !has_sprites => {}
        [Some(below), Some(above)] if !has_sprites => {
            for ((out, below), above) in inner.iter_mut().zip(below).zip(above) {
                *out = if *above != 0 { *above } else { *below };
            }
        }
        _ => {
            const EMPTY: [u8; COLUMNS_RENDERED] = [0; COLUMNS_RENDERED];
            let [below, above] = lines.map(|line| line.unwrap_or(&EMPTY));
            for (((out, below), above), sprite) in
                inner.iter_mut().zip(below).zip(above).zip(sprites.pixels())
            {
                let (color, z) = (*sprite as u8, *sprite >> 8 & 3);
                let layer = if *above != 0 { *above } else { *below };
                let wins = z == 3 || (z == 2 && *above == 0) || (z == 1 && layer == 0);
                *out = if color != 0 && wins { color } else { layer };
            }
        }
    }
    if composer.shows_sprites() && smears {
        for (out, sprite) in merged[COLUMNS_RENDERED..].iter_mut().zip(&sprites.pixels()[COLUMNS_RENDERED..])
        {
            *out = if *sprite >> 8 & 3 == 0 { 0 } else { *sprite as u8 };
        }
    }
    merged
}

impl Video {
    /// The column counter at the end of a line, for the clocks that were not shown.
    pub(crate) fn last_column(&self, composer: &Composer) -> usize {
        (composer.run_columns(self.column, self.shown, 799) >> 7) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_column_counter_stops_past_the_edge() {
        let mut composer = Composer::new(1);
        assert_eq!(composer.run_columns(0, 0, 799), 640 << 7);
        composer.hscale = 200;
        composer.hstop = 1020;
        // 410 steps of 200/128 reach 640.6.
        assert_eq!(composer.run_columns(0, 0, 799) >> 7, 640);
        composer.hscale = 255;
        // 321 × 255 = 81855 = 639.49, one more: 641.48.
        assert_eq!(composer.run_columns(0, 0, 799) >> 7, 641);
        composer.hstart = 4;
        assert_eq!(composer.run_columns(0, 0, 8), 4 * 255);
    }

    #[test]
    fn registers_are_multiples_of_four_and_two() {
        let mut composer = Composer::new(8);
        for index in 0..4 {
            composer.write(1, index, 0xa7);
            assert_eq!(composer.read(1, index), 0xa7);
        }
        assert_eq!((composer.hstart, composer.vstop), (0xa7 * 4, 0xa7 * 2));
    }
}
