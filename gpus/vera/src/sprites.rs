//! Sprites: 128 of them, a line at a time, within the time that a line has (spec section 6).

use crate::contention::Contention;
use crate::profile::{Deviation, Deviations};
use crate::{VRAM_BYTES, VRAM_MASK};
use gpuzoo_stored::stored;

/// Columns of a sprite line buffer. X wraps there.
const COLUMNS: usize = 1024;
/// Columns that are erased after a line is shown.
const ERASED: usize = 640;

/// The clock in which the renderer is stopped, counted from the line's start pulse. What it draws in this very clock
/// goes to the other buffer, since the buffers have just changed places (sr:43).
const LAST: u32 = 799;
/// From the clock in which a sprite is picked up to that in which its first word is asked for.
const ASK: u32 = 3;
/// From the clock in which a word is granted to its first pixel.
const FETCH: u32 = 2;

/// A line buffer: collision mask in bits 15:12, Z in 9:8, colour in 7:0.
#[derive(Clone, PartialEq)]
pub(crate) struct Line {
    pixels: [u16; COLUMNS],
    /// Something was drawn since the last erasing.
    dirty: bool,
}

stored! { Line { pixels, dirty } }

impl Line {
    pub(crate) fn new() -> Line {
        Line { pixels: [0; COLUMNS], dirty: false }
    }

    pub(crate) fn is_dirty(&self) -> bool {
        self.dirty
    }

    pub(crate) fn pixels(&self) -> &[u16; COLUMNS] {
        &self.pixels
    }

    pub(crate) fn at(&self, column: usize) -> u16 {
        self.pixels[column & (COLUMNS - 1)]
    }

    /// Columns from 640 on keep what they hold.
    pub(crate) fn erase(&mut self) {
        if self.dirty {
            self.pixels[..ERASED].fill(0);
            self.dirty = false;
        }
    }
}

/// What a pixel of a sprite is drawn with.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Brush {
    mask: u16,
    z: u16,
}

stored! { Brush { mask, z } }

impl Brush {
    /// Draws a pixel that is not transparent where `seen` is what the buffer holds; returns the collision (sr:319-367).
    #[inline]
    fn draw(self, line: &mut Line, x: usize, color: u8, seen: u16, hidden_masks: bool) -> u16 {
        let collision = if x < ERASED { seen >> 12 & self.mask } else { 0 };
        let old = line.pixels[x & (COLUMNS - 1)];
        if seen as u8 == 0 || self.z > (seen >> 8 & 3) {
            line.pixels[x & (COLUMNS - 1)] =
                (seen & 0xf000) | self.mask << 12 | self.z << 8 | u16::from(color);
            line.dirty = true;
        } else if hidden_masks {
            line.pixels[x & (COLUMNS - 1)] = old | self.mask << 12;
        }
        collision
    }
}

/// A pixel that comes one clock late.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stray {
    brush: Brush,
    x: usize,
    color: u8,
}

stored! { Stray { brush, x, color } }

impl Stray {
    /// Draws it into the buffer of the next line. The renderer still sees the column that the composer looked at last.
    pub(crate) fn draw(self, line: &mut Line, seen: u16) -> u8 {
        self.brush.draw(line, self.x, self.color, seen, false) as u8
    }
}

/// What became of a line.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Drawn {
    pub collisions: u8,
    pub stray: Option<Stray>,
}

/// The attribute memory.
#[derive(Clone, PartialEq)]
pub(crate) struct Sprites {
    bytes: [[u8; 8]; 128],
    /// A bit for each sprite that is on: in most programs most lines have none to look at.
    on: u128,
}

stored! { Sprites { bytes } without { on: on_of(&bytes) } }

fn on_of(all: &[[u8; 8]; 128]) -> u128 {
    (0..).zip(all).fold(0, |on, (number, bytes)| on | u128::from(is_on(bytes)) << number)
}

/// A sprite's attributes, decoded.
pub(crate) struct Sprite {
    address: u32,
    eight_bit: bool,
    x: usize,
    y: u32,
    brush: Brush,
    hflip: bool,
    vflip: bool,
    offset: u8,
    /// log2.
    width: u32,
    height: u32,
}

impl Sprite {
    #[inline]
    fn decode(bytes: &[u8; 8]) -> Sprite {
        let [a, b, x, x_high, y, y_high, c, d] = *bytes;
        Sprite {
            address: (u32::from(b & 15) << 8 | u32::from(a)) << 5,
            eight_bit: b & 0x80 != 0,
            x: usize::from(x_high & 3) << 8 | usize::from(x),
            y: u32::from(y_high & 3) << 8 | u32::from(y),
            brush: Brush { mask: u16::from(c >> 4), z: u16::from(c >> 2 & 3) },
            hflip: c & 1 != 0,
            vflip: c & 2 != 0,
            offset: d << 4,
            width: 3 + u32::from(d >> 4 & 3),
            height: 3 + u32::from(d >> 6),
        }
    }

    /// The colour of a pixel of a row that starts at `row`.
    #[inline]
    fn color(&self, vram: &[u8; VRAM_BYTES], row: u32, pixel: u32) -> u8 {
        let pixel = if self.hflip { pixel ^ ((1 << self.width) - 1) } else { pixel };
        let byte = |offset: u32| vram[((row + offset) & VRAM_MASK) as usize];
        let color = match (self.eight_bit, pixel & 1) {
            (true, _) => byte(pixel),
            (false, 0) => byte(pixel >> 1) >> 4,
            (false, _) => byte(pixel >> 1) & 15,
        };
        if color != 0 && color < 16 { color | self.offset } else { color }
    }
}

impl Sprite {
    /// The colour at a place within it; none outside.
    pub(crate) fn pixel(&self, vram: &[u8; VRAM_BYTES], x: usize, y: usize) -> Option<u8> {
        if x >> self.width != 0 || y >> self.height != 0 {
            return None;
        }
        let row = if self.vflip { y ^ ((1 << self.height) - 1) } else { y };
        let depth = if self.eight_bit { 3 } else { 2 };
        let start = self.address + ((row as u32) << self.width << depth >> 3);
        Some(self.color(vram, start, x as u32))
    }
}

/// A sprite of Z 0 is off.
fn is_on(bytes: &[u8; 8]) -> bool {
    bytes[6] & 0x0c != 0
}

impl Sprites {
    /// All sprites, and whether they are on.
    pub(crate) fn decoded(&self) -> impl Iterator<Item = (Sprite, bool)> {
        self.bytes.iter().map(|bytes| (Sprite::decode(bytes), is_on(bytes)))
    }

    pub(crate) fn new() -> Sprites {
        Sprites { bytes: [[0; 8]; 128], on: 0 }
    }

    pub(crate) fn write(&mut self, at: usize, value: u8) {
        let number = at >> 3 & 127;
        let bytes = &mut self.bytes[number];
        bytes[at & 7] = value;
        self.on = self.on & !(1 << number) | u128::from(is_on(bytes)) << number;
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        self.bytes.as_flattened()
    }

    /// Draws the sprites of a line, as far as its time goes. `layers` says when the memory is not free.
    pub(crate) fn render(
        &self,
        vram: &[u8; VRAM_BYTES],
        line: u16,
        out: &mut Line,
        layers: Option<&Contention>,
        set: Deviations,
    ) -> Drawn {
        if self.on == 0 {
            return Drawn::default();
        }
        let mut time = Time::new(layers, set.has(Deviation::SpriteBudget801));
        let hidden_masks = set.has(Deviation::HiddenMasks);
        let mut drawn = Drawn::default();
        let mut collisions = 0;
        for bytes in &self.bytes {
            if !time.look() {
                break;
            }
            if !is_on(bytes) {
                continue;
            }
            let sprite = Sprite::decode(bytes);
            let row = u32::from(line).wrapping_sub(sprite.y) & 0x3ff;
            if row >> sprite.height != 0 {
                continue;
            }
            let row = if sprite.vflip { row ^ ((1 << sprite.height) - 1) } else { row };
            let depth = if sprite.eight_bit { 3 } else { 2 };
            let address = sprite.address + (row << sprite.width << depth >> 3);
            let word = 32 >> depth;
            let width = 1 << sprite.width;
            let pixels = time.pixels(width, word, sprite.x);
            let mut x = sprite.x;
            for pixel in 0..pixels {
                let color = sprite.color(vram, address, pixel);
                if color != 0 {
                    let seen = out.at(x);
                    collisions |= sprite.brush.draw(out, x, color, seen, hidden_masks);
                }
                x = (x + 1) & (COLUMNS - 1);
            }
            if time.has_stray(pixels, width) {
                let color = sprite.color(vram, address, pixels);
                if color != 0 {
                    drawn.stray = Some(Stray { brush: sprite.brush, x, color });
                }
            }
        }
        drawn.collisions = collisions as u8;
        drawn
    }
}

/// The clocks of a line, as the two state machines spend them: one looks for sprites, the other draws.
struct Time<'a> {
    /// The clock in which the next sprite is looked at.
    look: u32,
    /// The first clock in which the renderer is idle.
    idle: u32,
    /// The clock of the pixel after those that were in time; [`LAST`] if that one is the stray.
    stopped: u32,
    /// The layers' accesses, which come first.
    layers: Option<&'a Contention>,
    /// x16-emulator's account, in place of the clocks.
    budget: Option<u32>,
}

impl<'a> Time<'a> {
    fn new(layers: Option<&'a Contention>, budget: bool) -> Time<'a> {
        Time { look: 0, idle: 0, stopped: 0, layers, budget: budget.then_some(801) }
    }

    /// Looks at the next sprite: one clock. False when time is up.
    #[inline]
    fn look(&mut self) -> bool {
        if let Some(budget) = &mut self.budget {
            *budget = budget.saturating_sub(1);
            return *budget > 0;
        }
        self.look += 1;
        self.look < LAST
    }

    /// How many pixels of a sprite that is on the line are drawn in time.
    fn pixels(&mut self, width: u32, word: u32, x: usize) -> u32 {
        if let Some(budget) = &mut self.budget {
            return spend(budget, width, word, x);
        }
        // The sprite is picked up when the renderer is idle; the search goes on one clock after.
        let picked = self.look.max(self.idle);
        self.look = picked + 1;
        let mut ask = picked + ASK;
        for start in (0..width).step_by(word as usize) {
            let granted = self.layers.map_or(ask, |layers| layers.free(ask));
            let first = granted + FETCH;
            ask = first + word;
            self.idle = ask;
            if ask > LAST {
                let left = LAST.saturating_sub(first);
                self.stopped = first + left;
                return start + left;
            }
        }
        width
    }

    /// True if the pixel after the last one in time is drawn in the very last clock.
    fn has_stray(&self, pixels: u32, width: u32) -> bool {
        self.budget.is_none() && pixels < width && self.stopped == LAST
    }
}

/// x16-emulator's account: one for each word and each pixel that is on the screen.
fn spend(budget: &mut u32, width: u32, word: u32, x: usize) -> u32 {
    for pixel in 0..width {
        if (x + pixel as usize) & (COLUMNS - 1) >= ERASED {
            continue;
        }
        let cost = 1 + u32::from(pixel % word == 0);
        *budget = budget.saturating_sub(cost);
        if *budget == 0 {
            return pixel;
        }
    }
    width
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layers::Layer;

    /// Sprites that are picked up on a line if all 128 are on it.
    fn picked(width: u32, word: u32, layers: Option<&Contention>) -> usize {
        let mut time = Time::new(layers, false);
        let mut count = 0;
        while time.look() && time.look.max(time.idle) < LAST {
            time.pixels(width, word, 0);
            count += 1;
        }
        count
    }

    #[test]
    fn sprites_on_a_line_as_measured() {
        // 8 and 64 pixels wide, at 4 and 8 bpp.
        let counts =
            |layers| [(8, 8), (8, 4), (64, 8), (64, 4)].map(|(width, word)| picked(width, word, layers));
        assert_eq!(counts(None), [62, 54, 10, 9]);
        // With two layers of 8 bpp tiles.
        let layer = Layer { registers: [3, 0, 0, 0, 0, 0, 0] };
        let shape = layer.shape(true);
        assert_eq!(counts(Some(&Contention::new([shape, shape]))), [57, 43, 9, 7]);
    }

    #[test]
    fn the_pixel_of_the_last_clock_is_a_stray() {
        // 13 clocks a sprite: the 62nd is picked up in clock 794, its first pixel would come in clock 799.
        let mut time = Time::new(None, false);
        let mut last = (0, false);
        for _ in 0..62 {
            time.look();
            let pixels = time.pixels(8, 8, 0);
            last = (pixels, time.has_stray(pixels, 8));
        }
        assert_eq!(last, (0, true));
    }

    #[test]
    fn three_masks_1_2_2_report_nothing() {
        // Measured: a mask joins the buffer's only where its pixel is drawn.
        let mut sprites = Sprites::new();
        for (index, mask) in [1, 2, 2].into_iter().enumerate() {
            for (at, value) in [(0, 1), (6, mask << 4 | 0x0c), (7, 0)] {
                sprites.write(index * 8 + at, value);
            }
        }
        let mut vram = Box::new([0; VRAM_BYTES]);
        vram[0x20..0x40].fill(0x11);
        let collisions = |set: Deviations| sprites.render(&vram, 0, &mut Line::new(), None, set).collisions;
        assert_eq!(collisions(Deviations::default()), 0);
        assert_eq!(collisions([Deviation::HiddenMasks].into_iter().collect()), 2);
    }

    /// Spec section 6: a collision counts "for any non-transparent pixel with x < 640".
    #[test]
    fn collisions_count_up_to_column_639() {
        let mut vram = Box::new([0; VRAM_BYTES]);
        vram[0x20..0x40].fill(0x11);
        for (x, expected) in [(632u16, 1), (639, 1), (640, 0)] {
            let mut sprites = Sprites::new();
            for index in 0..2 {
                for (at, value) in [(0, 1), (2, x as u8), (3, (x >> 8) as u8), (6, 1 << 4 | 0x0c)] {
                    sprites.write(index * 8 + at, value);
                }
            }
            let drawn = sprites.render(&vram, 0, &mut Line::new(), None, Deviations::default());
            assert_eq!(drawn.collisions, expected, "{x}");
        }
    }

    #[test]
    fn positions_wrap_at_1024() {
        let mut sprites = Sprites::new();
        // X = -4, Y = -7, 8×8, palette offset 2: its last line shows on line 0.
        for (at, value) in [0x01, 0, 0xfc, 3, 0xf9, 3, 0x04, 0x02].into_iter().enumerate() {
            sprites.write(at, value);
        }
        let mut vram = Box::new([0; VRAM_BYTES]);
        vram[0x20 + 7 * 4..0x20 + 8 * 4].copy_from_slice(&[0x12, 0x34, 0x56, 0x78]);
        let mut line = Line::new();
        sprites.render(&vram, 0, &mut line, None, Deviations::default());
        let colors: Vec<u8> = (0..4).map(|x| line.at(x) as u8).collect();
        assert_eq!(colors, [0x25, 0x26, 0x27, 0x28]);
        assert_eq!(line.at(1023) as u8, 0x24);
    }

    /// Spec section 9: x16-emulator counts sprite time as 801 - (1 + words + pixels).
    #[test]
    fn the_emulators_budget_by_hand() {
        let drawn = |width: u32, word: u32, x: usize| {
            let mut time = Time::new(None, true);
            let mut pixels = Vec::new();
            while time.look() {
                pixels.push(time.pixels(width, word, x));
            }
            pixels
        };
        // 1 + 1 + 8 for each: 80 take 800.
        assert_eq!(drawn(8, 8, 0), [8; 80]);
        // 1 + 8 + 64: 10 take 730, and the 70 that are left after a look end with pixel 61 of the next.
        assert_eq!(drawn(64, 8, 0), [&[64; 10][..], &[61]].concat());
    }

    /// Sprites that are nowhere on the screen cost the look only, which all 128 can have.
    #[test]
    fn columns_off_the_screen_are_free_in_the_emulators_budget() {
        let mut time = Time::new(None, true);
        assert!((0..128).all(|_| time.look() && time.pixels(64, 8, 640) == 64));
        assert_eq!(time.budget, Some(801 - 128));
    }
}
