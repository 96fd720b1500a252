//! One memory, three renderers: in which clocks the layers have it, and how far a layer gets before its line is over.
//!
//! Layer 0 comes before layer 1 and both before the sprites (vi:142-157). Each layer is two state machines: one fetches
//! a map entry and a word of pixels, the other writes a pixel a clock (lr:230-330, 560-620). When they fetch depends on
//! the registers alone, not on the line, so the outcome is kept until a register changes it. Accesses of the CPU, which
//! come before all, are not counted.

use crate::layers::{COLUMNS_RENDERED, Layer};
use gpuzoo_stored::{stored, stored_as};

/// Clocks of a line, from its start pulse.
pub(crate) const LINE_CLOCKS: u32 = 800;
/// Pixels of later clocks go to the other buffer: the buffers change places, and writing takes a clock more.
pub(crate) const LAST: u32 = 797;

/// What the timing of a layer depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    pub enabled: bool,
    pub bitmap: bool,
    /// log2 of the bits per pixel.
    pub depth: u8,
    pub wide: bool,
    /// The first tile is the second of a word of the map.
    pub odd: bool,
    /// Columns of the first tile that are scrolled out.
    pub fine: u16,
}

stored! { Shape { enabled, bitmap, depth, wide, odd, fine } if |own: &Shape| own.depth < 4 && own.fine < 16 }

/// The outcome for two layers.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Contention {
    shapes: [Shape; 2],
    /// A bit for each clock in which a layer has the memory.
    busy: [u64; LINE_CLOCKS.div_ceil(64) as usize],
    /// Columns that each layer has drawn in time.
    pub in_time: [usize; 2],
    /// Layer 1 is still busy when the next line begins, if only with a word that it will not draw.
    is_busy: bool,
}

stored_as! { Contention: [Shape; 2], |own: &Contention| own.shapes, |shapes| Some(Contention::new(shapes)); }

impl Contention {
    pub(crate) fn new(shapes: [Shape; 2]) -> Contention {
        let mut contention = Contention { shapes, busy: [0; _], in_time: [0; 2], is_busy: false };
        let mut layers = shapes.map(Fetcher::new);
        for clock in 1..LINE_CLOCKS {
            let [first, second] = &mut layers;
            let (first_asks, second_asks) = (first.asks(), second.asks());
            if first_asks || second_asks {
                contention.busy[(clock / 64) as usize] |= 1 << (clock % 64);
            }
            first.step(first_asks);
            second.step(second_asks && !first_asks);
            if clock == LAST {
                contention.in_time = [0, 1].map(|layer: usize| layers[layer].columns());
            }
        }
        contention.is_busy = layers[1].shape.enabled && layers[1].state != State::Done;
        contention
    }

    /// True if layer 1 is not done when the next line begins, which changes that line.
    pub(crate) fn is_late(&self) -> bool {
        self.is_busy || (self.shapes[1].enabled && self.in_time[1] < COLUMNS_RENDERED)
    }

    /// Gives the memory to a unit that asks in this clock, if no unit before it has it.
    pub(crate) fn take(&mut self, clock: u32) -> bool {
        let free = self.free(clock) == clock;
        if let Some(word) = self.busy.get_mut((clock / 64) as usize) {
            *word |= 1 << (clock % 64);
        }
        free
    }

    /// True if it is that of these layers.
    pub(crate) fn is_of(&self, shapes: &[Shape; 2]) -> bool {
        self.shapes == *shapes
    }

    /// The first clock from `clock` on in which no layer has the memory.
    #[inline]
    pub(crate) fn free(&self, mut clock: u32) -> u32 {
        while self.busy.get((clock / 64) as usize).is_some_and(|word| word >> (clock % 64) & 1 != 0) {
            clock += 1;
        }
        clock
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Map,
    WaitMap,
    Tile,
    WaitTile,
    Render,
    Done,
}

/// A layer's state machines, without the data.
struct Fetcher {
    shape: Shape,
    pixels_per_word: u32,
    words_per_tile: u32,
    state: State,
    strobe: bool,
    granted: bool,
    /// The pixel writer: begins, is busy, pixel of the word, and the next column (modulo 1024).
    begin: bool,
    busy: bool,
    pixel: u32,
    column: u32,
    word: u32,
    odd: bool,
}

impl Fetcher {
    fn new(shape: Shape) -> Fetcher {
        let tile = if shape.wide { 16 } else { 8 };
        let in_word = 32u32 >> shape.depth;
        Fetcher {
            shape,
            pixels_per_word: if shape.bitmap { in_word } else { in_word.min(tile) },
            words_per_tile: if shape.bitmap { 1 } else { (tile / in_word).max(1) },
            state: if shape.bitmap { State::Tile } else { State::Map },
            strobe: false,
            granted: false,
            begin: false,
            busy: false,
            pixel: 0,
            column: if shape.bitmap { 0 } else { (1024 - u32::from(shape.fine)) & 1023 },
            word: 0,
            odd: shape.odd,
        }
    }

    /// Columns written so far; the scrolled-out ones before column 0 do not count.
    fn columns(&self) -> usize {
        if self.column > COLUMNS_RENDERED as u32 { 0 } else { self.column as usize }
    }

    fn asks(&self) -> bool {
        self.strobe && !self.granted && self.shape.enabled
    }

    /// One clock. Columns 640 to 767 mean that the line is done.
    fn step(&mut self, granted: bool) {
        let is_done = self.column >> 7 == 5;
        let begin = self.begin;
        self.begin = false;
        if !is_done && (self.busy || begin) {
            self.busy = begin || self.pixel != self.pixels_per_word - 1;
            self.pixel = if self.busy { self.pixel + 1 } else { 0 };
            self.column = (self.column + 1) & 1023;
        }
        match self.state {
            State::Map => (self.strobe, self.state) = (true, State::WaitMap),
            State::WaitMap if self.granted => (self.strobe, self.state) = (false, State::Tile),
            State::Tile => (self.strobe, self.state) = (true, State::WaitTile),
            State::WaitTile if self.granted => (self.strobe, self.state) = (false, State::Render),
            State::Render => {
                if !self.busy {
                    self.begin = true;
                    self.state = self.after_word();
                }
                if is_done {
                    self.state = State::Done;
                }
            }
            _ => {}
        }
        self.granted = granted;
    }

    /// Two map entries come in one word, so every other tile needs no map access.
    fn after_word(&mut self) -> State {
        self.word += 1;
        if self.shape.bitmap || self.word < self.words_per_tile {
            return State::Tile;
        }
        self.word = 0;
        self.odd = !self.odd;
        if self.odd { State::Tile } else { State::Map }
    }
}

impl Layer {
    /// What its timing depends on.
    pub(crate) fn shape(&self, enabled: bool) -> Shape {
        let (width, _) = self.tile();
        let bitmap = self.is_bitmap();
        // What does not matter is not distinguished: a bitmap does not scroll.
        let scroll = if bitmap { 0 } else { self.hscroll() };
        Shape {
            enabled,
            bitmap,
            depth: self.depth() as u8,
            wide: width == 4,
            odd: scroll >> width & 1 != 0,
            fine: scroll as u16 & ((1 << width) - 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OFF: Shape = Shape { enabled: false, bitmap: false, depth: 0, wide: false, odd: false, fine: 0 };
    const TILES8: Shape = Shape { enabled: true, depth: 3, ..OFF };

    #[test]
    fn alone_every_layer_is_in_time() {
        for depth in 0..4 {
            for (bitmap, wide) in [(false, false), (false, true), (true, false), (true, true)] {
                let shape = Shape { enabled: true, bitmap, depth, wide, ..OFF };
                for shapes in [[shape, OFF], [OFF, shape]] {
                    let layer = usize::from(shapes[1].enabled);
                    let contention = Contention::new(shapes);
                    assert!(!contention.is_late());
                    let in_time = contention.in_time;
                    assert_eq!((in_time[layer], in_time[1 - layer]), (640, 0), "{shape:?}");
                }
            }
        }
    }

    #[test]
    fn fetches_of_a_bitmap_by_hand() {
        // 8 bpp: asks in clock 2, has it in 3, renders in 4; the next word is asked for from 6 on, every 4 clocks.
        let bitmap = Shape { bitmap: true, ..TILES8 };
        let contention = Contention::new([bitmap, OFF]);
        let asked: Vec<u32> = (1..20).filter(|clock| contention.free(*clock) != *clock).collect();
        assert_eq!(asked, [2, 6, 10, 14, 18]);
        // The first pixel is written in clock 5.
        let mut fetcher = Fetcher::new(bitmap);
        let first = (1..20).find(|_| {
            let asks = fetcher.asks();
            fetcher.step(asks);
            fetcher.columns() == 1
        });
        assert_eq!(first, Some(5));
    }

    /// [`crate::late`] knows only these.
    #[test]
    fn nothing_but_narrow_8_bpp_tiles_is_ever_late() {
        let shapes: Vec<Shape> = (0..2u16 * 4 * 2 * 2 * 3)
            .map(|at| Shape {
                enabled: true,
                bitmap: at & 1 != 0,
                depth: (at >> 1 & 3) as u8,
                wide: at >> 3 & 1 != 0,
                odd: at >> 4 & 1 != 0,
                fine: [0, 1, 7][usize::from(at >> 5)],
            })
            .collect();
        for above in shapes.iter().filter(|shape| shape.bitmap || shape.wide || shape.depth != 3) {
            for below in &shapes {
                assert!(!Contention::new([*below, *above]).is_late(), "{below:?} {above:?}");
            }
        }
    }

    #[test]
    fn narrow_8_bpp_tiles_over_another_layer_may_run_late() {
        // Wide tiles of 8 bpp below leave time enough; a bitmap of 4 bpp does not.
        let wide = Shape { wide: true, ..TILES8 };
        assert_eq!(Contention::new([wide, TILES8]).in_time[1], 640);
        let bitmap = Shape { bitmap: true, depth: 2, ..TILES8 };
        let [below, above] = Contention::new([bitmap, TILES8]).in_time;
        assert_eq!(below, 640);
        assert!(Contention::new([bitmap, TILES8]).is_late());
        assert!(above < 640 && above > 620, "{above}");
    }
}
