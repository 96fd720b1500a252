//! The two layers: tile maps, text and bitmaps, a line at a time (spec section 5).

use crate::profile::{Deviation, Deviations};
use crate::{VRAM_BYTES, VRAM_MASK};
use gpuzoo_stored::stored;

/// Columns that a layer writes.
pub(crate) const COLUMNS_RENDERED: usize = 640;

/// A tile line may start up to 15 columns early and end as late.
const SCRATCH: usize = COLUMNS_RENDERED + 32;

/// CONFIG, MAPBASE, TILEBASE, HSCROLL and VSCROLL, as written.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Layer {
    pub registers: [u8; 7],
}

stored! { Layer { registers } }

type Vram = [u8; VRAM_BYTES];

impl Layer {
    /// log2 of the bits per pixel.
    pub(crate) fn depth(&self) -> u32 {
        u32::from(self.registers[0] & 3)
    }

    pub(crate) fn is_bitmap(&self) -> bool {
        self.registers[0] & 4 != 0
    }

    pub(crate) fn t256c(&self) -> bool {
        self.registers[0] & 8 != 0
    }

    /// log2 of the map's width and height in tiles.
    pub(crate) fn map(&self) -> (u32, u32) {
        (5 + u32::from(self.registers[0] >> 4 & 3), 5 + u32::from(self.registers[0] >> 6))
    }

    pub(crate) fn map_base(&self) -> u32 {
        u32::from(self.registers[1]) << 9
    }

    pub(crate) fn tile_base(&self) -> u32 {
        u32::from(self.registers[2] & 0xfc) << 9
    }

    /// log2 of a tile's width and height in pixels.
    pub(crate) fn tile(&self) -> (u32, u32) {
        (3 + u32::from(self.registers[2] & 1), 3 + u32::from(self.registers[2] >> 1 & 1))
    }

    pub(crate) fn hscroll(&self) -> u32 {
        u32::from(self.registers[3]) | u32::from(self.registers[4] & 15) << 8
    }

    pub(crate) fn vscroll(&self) -> u32 {
        u32::from(self.registers[5]) | u32::from(self.registers[6] & 15) << 8
    }

    pub(crate) fn render(&self, vram: &Vram, line: u16, out: &mut [u8; COLUMNS_RENDERED], set: Deviations) {
        if self.is_bitmap() {
            self.bitmap(vram, u32::from(line), out, set);
        } else {
            self.tiles(vram, u32::from(line), out, set);
        }
    }

    fn bitmap(&self, vram: &Vram, line: u32, out: &mut [u8; COLUMNS_RENDERED], set: Deviations) {
        let depth = self.depth();
        let width = if self.registers[2] & 1 == 0 { 320 } else { 640 };
        let start = self.tile_base() + ((line * width) << depth >> 3);
        let start = (start & VRAM_MASK) as usize;
        // The renderer does not stop at 320: it shows the bytes that follow.
        let length = COLUMNS_RENDERED << depth >> 3;
        let mut bytes = [0; COLUMNS_RENDERED];
        let bytes = &mut bytes[..length];
        let tail = length.min(VRAM_BYTES - start);
        bytes[..tail].copy_from_slice(&vram[start..start + tail]);
        bytes[tail..].copy_from_slice(&vram[..length - tail]);
        if width == 320 && set.has(Deviation::BitmapWraps) {
            bytes.copy_within(..length / 2, length / 2);
        }
        let offset = self.registers[4] << 4 | u8::from(self.t256c()) << 7;
        let offset = if depth == 0 && !set.has(Deviation::OneBitOffset) { 0 } else { offset };
        unpack(bytes, depth, offset, out);
    }

    fn tiles(&self, vram: &Vram, line: u32, out: &mut [u8; COLUMNS_RENDERED], set: Deviations) {
        let depth = self.depth();
        let (tile_width, tile_height) = self.tile();
        let (map_width, map_height) = self.map();
        let y = (line + self.vscroll()) & 0xfff;
        let row = y >> tile_height & ((1 << map_height) - 1);
        let map = self.map_base() + (row << map_width << 1);
        let in_tile = y & ((1 << tile_height) - 1);
        let width = 1usize << tile_width;
        let row_bytes = (width << depth) >> 3;
        let row_shift = tile_width + depth - 3;
        let mut scratch = [0; SCRATCH];
        let fine = self.hscroll() as usize & (width - 1);
        let first = self.hscroll() >> tile_width;
        let count = (COLUMNS_RENDERED + fine).div_ceil(width);
        let t256c = self.t256c();
        for (tile, out) in scratch.chunks_exact_mut(width).take(count).enumerate() {
            let column = (first + tile as u32) & ((1 << map_width) - 1);
            // A map entry is two bytes at an even address, so it never crosses the end of VRAM.
            let entry = ((map + (column << 1)) & VRAM_MASK & !1) as usize;
            let [low, high] = [vram[entry], vram[entry | 1]];
            let is_text = depth == 0;
            let flips_y = !is_text && high & 8 != 0;
            let line = if flips_y { in_tile ^ ((1 << tile_height) - 1) } else { in_tile };
            let index = if is_text { u32::from(low) } else { u32::from(high & 3) << 8 | u32::from(low) };
            let data = self.tile_base() + (((index << tile_height) + line) << row_shift);
            // Rows are aligned to their size, so neither do they cross it.
            let data = (data & VRAM_MASK) as usize & !(row_bytes - 1);
            let bytes = &vram[data..data + row_bytes];
            if is_text {
                let (front, back) = if t256c { (high, 0) } else { (high & 15, high >> 4) };
                text(bytes, front, back, out);
                continue;
            }
            unpack(bytes, depth, high & 0xf0 | u8::from(t256c) << 7, out);
            if high & 4 != 0 {
                out.reverse();
            }
        }
        let mut shown = fine;
        if set.has(Deviation::PartialByte) && depth > 0 {
            // The first byte is shown from its first pixel, until the byte would have ended.
            let pixels = 8usize >> depth;
            let part = fine & (pixels - 1);
            if part != 0 {
                scratch.copy_within(fine - part..fine - part + (pixels - part), fine);
            }
        }
        shown = shown.min(SCRATCH - COLUMNS_RENDERED);
        out.copy_from_slice(&scratch[shown..shown + COLUMNS_RENDERED]);
    }
}

/// One bit per pixel in two colours: eight pixels at once, as the bytes of a word.
fn text(bytes: &[u8], front: u8, back: u8, out: &mut [u8]) {
    const EACH: u64 = 0x0101_0101_0101_0101;
    // Bit 7 is for the first byte, bit 0 for the last.
    const BITS: u64 = 0x0102_0408_1020_4080;
    let (back, other) = (u64::from(back) * EACH, u64::from(front ^ back) * EACH);
    for (byte, pixels) in bytes.iter().zip(out.as_chunks_mut::<8>().0) {
        // A byte with its bit becomes $FF: with $7F added, bit 7 is set.
        let set = ((u64::from(*byte) * EACH) & BITS) + 0x7f * EACH;
        let mask = (set >> 7 & EACH) * 0xff;
        *pixels = (back ^ mask & other).to_le_bytes();
    }
}

/// Unpacks pixels, most significant first. Colours 1 to 15 get `offset` as their high nibble (lr:476-485).
fn unpack(bytes: &[u8], depth: u32, offset: u8, out: &mut [u8]) {
    let color = |value: u8| if value != 0 && value < 16 { value | offset } else { value };
    match depth {
        0 => text(bytes, color(1), 0, out),
        1 => {
            let colors = [0, color(1), color(2), color(3)];
            for (byte, pixels) in bytes.iter().zip(out.as_chunks_mut::<4>().0) {
                *pixels = [6, 4, 2, 0].map(|shift| colors[usize::from(byte >> shift & 3)]);
            }
        }
        2 => {
            for (byte, pixels) in bytes.iter().zip(out.as_chunks_mut::<2>().0) {
                *pixels = [color(byte >> 4), color(byte & 15)];
            }
        }
        _ if offset == 0 => {
            for (pixel, byte) in out.iter_mut().zip(bytes) {
                *pixel = *byte;
            }
        }
        _ => {
            for (pixel, byte) in out.iter_mut().zip(bytes) {
                *pixel = color(*byte);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vram() -> Box<Vram> {
        Box::new([0; VRAM_BYTES])
    }

    fn line(layer: Layer, vram: &Vram, line: u16) -> [u8; COLUMNS_RENDERED] {
        let mut out = [0xee; COLUMNS_RENDERED];
        layer.render(vram, line, &mut out, Deviations::default());
        out
    }

    #[test]
    fn palette_offsets_by_hand() {
        let mut out = [0; 2];
        unpack(&[0x0f], 2, 0x30, &mut out);
        assert_eq!(out, [0, 0x3f]);
        unpack(&[0x0f, 0x10], 3, 0xb0, &mut out);
        assert_eq!(out, [0xbf, 0x10]);
    }

    #[test]
    fn text_of_sixteen_colours() {
        let mut vram = vram();
        // Map at $1000, tiles at $2000; entry 1 of row 0: character 3, background 6, foreground 1.
        (vram[0x1002], vram[0x1003]) = (3, 0x61);
        vram[0x2000 + 3 * 8 + 2] = 0b1010_0001;
        let layer = Layer { registers: [0, 0x1000u32.wrapping_shr(9) as u8, 0x10, 0, 0, 0, 0] };
        assert_eq!(line(layer.clone(), &vram, 2)[8..16], [1, 6, 1, 6, 6, 6, 6, 1]);
        let t256c = Layer { registers: [8, 8, 0x10, 0, 0, 0, 0] };
        assert_eq!(line(t256c, &vram, 2)[8..16], [0x61, 0, 0x61, 0, 0, 0, 0, 0x61]);
        // Scrolled by 10 to the left, and up by 1.
        let scrolled = Layer { registers: [0, 8, 0x10, 10, 0, 1, 0] };
        assert_eq!(line(scrolled, &vram, 1)[..6], [1, 6, 6, 6, 6, 1]);
    }

    #[test]
    fn flips_of_4_bpp_tiles_of_16_by_16() {
        let mut vram = vram();
        // Tile 1 at $80: its last line begins with pixels 1 2. H and V flip: line 0 ends with 2 1.
        vram[0x80 + 15 * 8] = 0x12;
        (vram[0x4000], vram[0x4001]) = (1, 0x5c);
        let layer = Layer { registers: [2, 0x20, 3, 0, 0, 0, 0] };
        assert_eq!(line(layer, &vram, 0)[13..16], [0, 0x52, 0x51]);
    }

    #[test]
    fn narrow_bitmaps_run_on_and_wrap_at_the_end_of_memory() {
        let mut vram = vram();
        // 8 bpp, 320 wide, from $1f800: line 6 starts at $1ff80, column 128 is address 0.
        vram[0x1ff80] = 7;
        vram[0] = 9;
        let layer = Layer { registers: [7, 0, 0xfc, 0, 0, 0, 0] };
        let out = line(layer, &vram, 6);
        assert_eq!((out[0], out[128], out[127]), (7, 9, 0));
        vram[320] = 5;
        let layer = Layer { registers: [7, 0, 0, 0, 0, 0, 0] };
        assert_eq!(line(layer.clone(), &vram, 0)[320], 5);
        let mut out = [0; COLUMNS_RENDERED];
        layer.render(&vram, 0, &mut out, [Deviation::BitmapWraps].into_iter().collect());
        assert_eq!(out[320], 9);
    }

    #[test]
    fn one_bit_bitmaps_have_no_offset() {
        let mut vram = vram();
        vram[0] = 0x80;
        let layer = Layer { registers: [0x0c, 0, 0, 0, 5, 0, 0] };
        assert_eq!(line(layer.clone(), &vram, 0)[0], 1);
        let mut out = [0; COLUMNS_RENDERED];
        layer.render(&vram, 0, &mut out, [Deviation::OneBitOffset].into_iter().collect());
        assert_eq!(out[0], 0xd1);
    }

    /// A map at 0, whose entries have a colour each for tile 0, which is at $10000.
    fn colored(color: impl Fn(usize) -> u8, tile: &[u8]) -> Box<Vram> {
        let mut vram = vram();
        (0..0x4000 / 2).for_each(|at| vram[2 * at + 1] = color(at));
        vram[0x1_0000..0x1_0000 + tile.len()].copy_from_slice(tile);
        vram
    }

    /// 256 rows of 16 lines: each bit of VSCROLL alone tells the row, as the colour, or the line in it, as a pattern.
    #[test]
    fn vscroll_has_twelve_bits() {
        let lines: Vec<u8> = (0..16).map(|line| 0x80 | line).collect();
        let vram = colored(|at| !(at / 32) as u8, &lines);
        for bit in 0..12 {
            let [low, high] = (1u16 << bit).to_le_bytes();
            let layer = Layer { registers: [0xc8, 0, 0x82, 0, 0, low, 0xf0 | high] };
            let (row, in_tile) = ((1u16 << bit) / 16, (1 << bit) % 16);
            let expected =
                [7, 3, 2, 1, 0].map(|pixel| if (0x80 | in_tile) >> pixel & 1 != 0 { !row as u8 } else { 0 });
            let out = line(layer, &vram, 0);
            assert_eq!([0, 4, 5, 6, 7].map(|x| out[x]), expected, "bit {bit}");
        }
    }

    /// 256 columns of 16 pixels, of which the first one is empty.
    #[test]
    fn hscroll_has_twelve_bits() {
        let vram = colored(|at| !(at % 256) as u8, &[0x7f, 0xff].repeat(8));
        for bit in 0..12 {
            let [low, high] = (1u16 << bit).to_le_bytes();
            let layer = Layer { registers: [0x38, 0, 0x81, low, 0xf0 | high, 0, 0] };
            let expected: Vec<u8> = (0..17u16)
                .map(|x| x + (1 << bit))
                .map(|x| if x % 16 == 0 { 0 } else { !(x / 16) as u8 })
                .collect();
            assert_eq!(line(layer, &vram, 0)[..17], expected, "bit {bit}");
        }
    }
}
