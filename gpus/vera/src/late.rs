//! A layer that is not done when its line is over: 8 bpp tiles of 8 columns on layer 1, over most kinds of layer 0.
//!
//! Starting a line resets the state of both machines, but not a fetch on its way, nor the word that is about to be
//! drawn (lr:300-325). So the next line may begin four columns to the right, or with the tiles of a wrong map word, and
//! its end falls where the one before left it. Nothing short of the machines themselves gives this, so here they are, a
//! clock at a time.

use crate::contention::{Contention, LAST, LINE_CLOCKS};
use crate::layers::{COLUMNS_RENDERED, Layer};
use crate::{VRAM_BYTES, VRAM_MASK};
use gpuzoo_stored::stored;

/// Pixels of a word, words of a tile.
const PIXELS: u32 = 4;
const WORDS: u32 = 2;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Idle,
    Map,
    WaitMap,
    Tile,
    WaitTile,
    Render,
}

stored! { enum State { Idle, Map, WaitMap, Tile, WaitTile, Render } }

/// The two machines with their data. Words are 32 bits, little-endian.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct LateLayer {
    state: State,
    /// Asks for the word at `address`; `granted` a clock later, with `word`.
    strobe: bool,
    granted: bool,
    address: u32,
    word: u32,
    tile: u32,
    word_of_tile: u32,
    map_data: u32,
    tile_data: u32,
    /// A map entry's high byte: of the word fetched, and of the one that is drawn.
    next_attributes: u8,
    attributes: u8,
    render_data: u32,
    begin: bool,
    busy: bool,
    pixel: u32,
    column: u32,
    /// Pixels of the last two clocks, which land in the other buffer.
    strays: [Option<(u16, u8)>; 2],
}

stored! {
    LateLayer {
        state, strobe, granted, address, word, tile, word_of_tile, map_data, tile_data, next_attributes, attributes, render_data, begin,
        busy, pixel, column, strays,
    } if |own: &LateLayer| own.tile < 256 && own.word_of_tile < WORDS && own.pixel < PIXELS && own.column < 1024
}

/// What a line is rendered from.
pub(crate) struct Source<'a> {
    pub layer: &'a Layer,
    pub vram: &'a [u8; VRAM_BYTES],
    pub line: u16,
}

impl LateLayer {
    /// True if it is in the middle of a line.
    pub(crate) fn is_running(&self) -> bool {
        self.state != State::Idle
    }

    /// Forgets the line.
    pub(crate) fn stop(&mut self) {
        *self = LateLayer::default();
    }

    /// The columns that it leaves to the buffer that is rendered next.
    pub(crate) fn draw_strays(&mut self, out: &mut [u8; COLUMNS_RENDERED]) {
        for (column, color) in self.strays.iter_mut().filter_map(Option::take) {
            if let Some(pixel) = out.get_mut(usize::from(column)) {
                *pixel = color;
            }
        }
    }

    /// The clocks of a line. `contention` has the accesses of layer 0 and gets those of this layer.
    pub(crate) fn run(
        &mut self,
        source: &Source,
        restart: bool,
        contention: &mut Contention,
        out: &mut [u8; COLUMNS_RENDERED],
    ) {
        for clock in 0..LINE_CLOCKS {
            let asks = self.strobe && !self.granted;
            let granted = asks && contention.take(clock);
            let drawn = self.step(source, granted, clock == 0 && restart);
            let Some((column, color)) = drawn else { continue };
            if clock <= LAST {
                if let Some(pixel) = out.get_mut(usize::from(column)) {
                    *pixel = color;
                }
            } else {
                self.strays[(clock & 1) as usize] = drawn;
            }
        }
    }

    fn step(&mut self, source: &Source, granted: bool, restart: bool) -> Option<(u16, u8)> {
        let is_done = self.column >> 7 == 5;
        let begin = std::mem::take(&mut self.begin);
        // What comes with the next clock is at the address of this one.
        let arrives = self.asked(source.vram);
        let mut drawn = None;
        if !is_done && (self.busy || begin) {
            drawn = Some((self.column as u16, self.color(source.layer.t256c())));
            self.busy = begin || self.pixel != PIXELS - 1;
            self.pixel = if begin { 1 } else { (self.pixel + 1) % PIXELS };
            self.column = (self.column + 1) & 1023;
        }
        if restart {
            self.pixel = 0;
            self.busy = false;
            self.column = (1024 - (source.layer.hscroll() & 7)) & 1023;
        }
        self.fetch(source, is_done);
        if restart {
            (self.state, self.tile, self.word_of_tile) = (State::Map, 0, 0);
        }
        self.granted = granted;
        self.word = arrives;
        drawn
    }

    fn asked(&self, vram: &[u8; VRAM_BYTES]) -> u32 {
        let words = vram.as_chunks::<4>().0;
        words.get((self.address & VRAM_MASK >> 2) as usize).map_or(0, |word| u32::from_le_bytes(*word))
    }

    /// The machine that fetches. A grant is that of the clock before, as is the word.
    fn fetch(&mut self, source: &Source, is_done: bool) {
        match self.state {
            State::Map => {
                self.address = self.map_address(source);
                (self.strobe, self.state) = (true, State::WaitMap);
            }
            State::WaitMap if self.granted => {
                self.map_data = self.word;
                (self.strobe, self.state) = (false, State::Tile);
            }
            State::Tile => {
                self.address = self.tile_address(source);
                (self.strobe, self.state) = (true, State::WaitTile);
            }
            State::WaitTile if self.granted => {
                self.tile_data = self.word;
                self.next_attributes = (self.entry(source) >> 8) as u8;
                (self.strobe, self.state) = (false, State::Render);
            }
            State::Render => {
                if !self.busy {
                    self.render_data = self.tile_data;
                    self.attributes = self.next_attributes;
                    self.begin = true;
                    self.next_word(source);
                }
                if is_done {
                    self.state = State::Idle;
                }
            }
            _ => {}
        }
    }

    fn next_word(&mut self, source: &Source) {
        self.state = State::Tile;
        self.word_of_tile += 1;
        if self.word_of_tile == WORDS {
            self.word_of_tile = 0;
            if self.map_column(source) & 1 != 0 {
                self.state = State::Map;
            }
            self.tile = (self.tile + 1) & 255;
        }
    }

    fn map_column(&self, source: &Source) -> u32 {
        (self.tile + (source.layer.hscroll() >> 3)) & 255
    }

    fn row(source: &Source) -> u32 {
        (u32::from(source.line) + source.layer.vscroll()) & 0xfff
    }

    fn map_address(&self, source: &Source) -> u32 {
        let (width, height) = source.layer.map();
        let (_, tile_height) = source.layer.tile();
        let row = Self::row(source) >> tile_height & ((1 << height) - 1);
        let index = row << width | self.map_column(source) & ((1 << width) - 1);
        (source.layer.map_base() >> 2) + (index >> 1)
    }

    /// The map entry of the tile, out of the two in the word.
    fn entry(&self, source: &Source) -> u32 {
        if self.map_column(source) & 1 != 0 { self.map_data >> 16 } else { self.map_data & 0xffff }
    }

    fn tile_address(&self, source: &Source) -> u32 {
        let entry = self.entry(source);
        let (_, tile_height) = source.layer.tile();
        let flip = |value: u32, bit: u32| if entry & bit != 0 { !value } else { value };
        let line = flip(Self::row(source), 0x800) & ((1 << tile_height) - 1);
        let word = flip(self.word_of_tile, 0x400) & 1;
        (source.layer.tile_base() >> 2) + ((((entry & 0x3ff) << tile_height) + line) << 1) + word
    }

    fn color(&self, t256c: bool) -> u8 {
        let pixel = if self.attributes & 4 != 0 { !self.pixel } else { self.pixel } & 3;
        let color = (self.render_data >> (8 * pixel)) as u8;
        let offset = self.attributes & 0xf0 | u8::from(t256c) << 7;
        if color != 0 && color < 16 { color | offset } else { color }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contention::Shape;
    use crate::profile::Deviations;

    const OFF: Shape = Shape { enabled: false, bitmap: false, depth: 0, wide: false, odd: false, fine: 0 };

    /// Numbers that look random, for memory and registers.
    fn noise(seed: u32) -> impl FnMut() -> u8 {
        let mut state = seed;
        move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        }
    }

    #[test]
    fn with_the_memory_to_itself_it_draws_what_the_quick_renderer_draws() {
        for seed in 0..50 {
            let mut byte = noise(seed);
            let mut vram = Box::new([0; VRAM_BYTES]);
            vram.iter_mut().for_each(|place| *place = byte());
            let mut layer = Layer { registers: [0; 7].map(|_: u8| byte()) };
            // 8 bpp tiles of 8 columns; all else at random.
            layer.registers[0] = (layer.registers[0] & 0xf8) | 3;
            layer.registers[2] &= 0xfe;
            let line = u16::from(byte()) * 15 / 8;
            let (mut quick, mut slow) = ([0; COLUMNS_RENDERED], [0; COLUMNS_RENDERED]);
            layer.render(&vram, line, &mut quick, Deviations::default());
            let source = Source { layer: &layer, vram: &vram, line };
            LateLayer::default().run(&source, true, &mut Contention::new([OFF, OFF]), &mut slow);
            assert!(quick == slow, "seed {seed}");
        }
    }

    #[test]
    fn over_a_bitmap_it_is_cut_off_by_the_next_line() {
        let vram = Box::new([1; VRAM_BYTES]);
        let layer = Layer { registers: [3, 0, 0, 0, 0, 0, 0] };
        let source = Source { layer: &layer, vram: &vram, line: 0 };
        let bitmap = Shape { enabled: true, bitmap: true, depth: 2, ..OFF };
        let mut late = LateLayer::default();
        let mut out = [0xff; COLUMNS_RENDERED];
        late.run(&source, true, &mut Contention::new([bitmap, OFF]), &mut out);
        // As many columns as the timing alone says; what is left are strays, and the machine is still at it.
        let in_time = Contention::new([bitmap, layer.shape(true)]).in_time[1];
        assert!(out[in_time - 1] != 0xff && out[in_time] == 0xff);
        assert!(late.is_running());
        late.draw_strays(&mut out);
        assert!(out[in_time] != 0xff);
        // Without another line it finishes.
        late.run(&source, false, &mut Contention::new([OFF, OFF]), &mut out);
        assert!(!late.is_running() && out.iter().all(|color| *color != 0xff));
    }
}
