//! VERA, the video adapter of the Commander X16, with its FX helpers: exact to the FPGA's source on every bus operation
//! and every pixel.
//!
//! VERA is not a shader unit. It is 32 registers that a 65C02 reads and writes, 128 KB of video memory behind two of
//! them, and a picture that is made line by line while the program runs. What its FX update added are helpers that hang
//! on those two registers, `DATA0` and `DATA1`: they compute the next address (lines, polygons, affine maps) and
//! rewrite what is stored (a 32-bit cache, masks, transparency, a multiplier). The computer around it, which the verbs
//! run, is the crate `gpuzoo-x16`.
//!
//! What is peculiar, and where it is written down:
//! - A read returns what was fetched when the address last changed ([`ports`](Port)), not what is in memory now.
//! - Three windows of video memory have shadows that only the picture and the sound see.
//! - Most of the FX registers can be written but not read; [`STATE`] shows all of them, and the hidden ones, by name.
//! - Rendering is one line ahead of the beam, sprites run out of time in clocks, and buffers are not always erased.
//!
//! The facts are those of the RTL, X16Community/vera-module 6e8bea6. Other sources part from it; each difference is a
//! [`Deviation`], and a [`Profile`] is a set of them. Comments cite the RTL as `ad` (addr_data.v), `lr`, `sr` and `co`
//! (layer renderer, sprite renderer, composer), `ma` (mult_accum.v).
//!
//! ```
//! use gpuzoo_vera::{Profile, Vera};
//!
//! // The reference's first listing: 69 × 420 by the multiplier, stored by a cache write.
//! let mut vera = Vera::new(Profile::Rtl);
//! let program = [
//!     (0x05, 2 << 1), (0x09, 0), (0x0c, 0b0001_0000), // CTRL, FX_CTRL, FX_MULT
//!     (0x05, 6 << 1), (0x09, 69), (0x0a, 0), (0x0b, 420u16 as u8), (0x0c, 1), // the cache
//!     (0x05, 2 << 1), (0x09, 0b0100_0000), (0x03, 0), // write it to address 0
//! ];
//! for (register, value) in program {
//!     vera.write(register, value);
//! }
//! assert_eq!(u32::from_le_bytes([0, 1, 2, 3].map(|at| vera.vram()[at])), 69 * 420);
//! ```
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod audio;
mod composer;
mod contention;
mod fx;
pub mod inspect;
mod interrupts;
mod late;
mod layers;
mod palette;
pub mod parts;
mod ports;
mod profile;
mod registers;
pub mod rules;
pub mod saved;
mod spi;
mod sprites;
mod state;
pub mod stimulus;
pub mod trace;
pub mod vectors;
mod video;

pub use fx::{Axis, FillLength, Fx, Mode};
pub use ports::Port;
pub use profile::{DEVIATION_NAMES, DEVIATIONS, Deviation, Deviations, Profile};
pub use registers::{Access, BASE, REGISTERS, Register};
pub use state::{Item, STATE};
pub use video::{Drawing, HEIGHT, LINE_CLOCKS, LINES, WIDTH};

use audio::Audio;
use composer::Composer;
use gpuzoo_stored::{LATEST, stored};
use interrupts::Interrupts;
use layers::Layer;
use palette::Palette;
use spi::Spi;
use sprites::Sprites;
use video::Video;

pub use rules::CODES;

/// Samples of sound in a second: 25 MHz / 512.
pub const SAMPLES_PER_SECOND: f64 = 48_828.125;
/// Bytes of video memory.
pub const VRAM_BYTES: usize = 0x2_0000;
/// The bits of an address in it.
pub const VRAM_MASK: u32 = VRAM_BYTES as u32 - 1;
/// First address of the shadow windows: PSG, palette and sprite attributes, up to the end.
pub const SHADOWS: u32 = 0x1_f9c0;

/// The first port's number.
pub const PORT0: usize = 0;
/// The second port's number.
pub const PORT1: usize = 1;

/// A byte of video memory that a write to a data port stores, and what was there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Store {
    /// Its address.
    pub address: u32,
    /// The value before the store.
    pub before: u8,
}

/// A VERA. A `Clone` of it is a saved state; `==` compares all that there is, down to the beam.
#[derive(Clone, PartialEq)]
pub struct Vera {
    deviations: Deviations,
    vram: Box<[u8; VRAM_BYTES]>,
    ports: [Port; 2],
    /// Which port 00 to 02 show.
    addrsel: usize,
    /// Which bank 09 to 0C show, 6 bits.
    dcsel: u8,
    fx: Fx,
    interrupts: Interrupts,
    composer: Composer,
    layers: [Layer; 2],
    palette: Palette,
    sprites: Sprites,
    psg: [u8; 64],
    audio: Audio,
    spi: Spi,
    video: Video,
    /// Time since power-on in units of 5 ns.
    now: u64,
    /// Stores from when somebody began to watch them.
    stores: Option<Vec<Store>>,
}

stored! {
    Vera {
        deviations, vram, ports, addrsel, dcsel, fx, interrupts, composer, layers, palette, sprites, psg, audio, spi, video, now,
    } without { stores: None }
    if |own: &Vera| {
        own.addrsel < 2 && own.dcsel < 64 && own.now < LATEST && own.audio.is_at(own.clock()) && own.spi.is_at(own.clock())
    }
}

impl Default for Vera {
    /// As the RTL has it.
    fn default() -> Vera {
        Vera::new(Profile::Rtl)
    }
}

impl Vera {
    /// A device just powered on. Its video memory is zero here; in hardware it is undefined.
    pub fn new(profile: Profile) -> Vera {
        Vera::with(profile.deviations())
    }

    /// A device with a set of deviations of one's own.
    pub fn with(deviations: Deviations) -> Vera {
        Vera::from(deviations, Video::new())
    }

    fn from(deviations: Deviations, beam: Video) -> Vera {
        let video = if deviations.has(Deviation::VideoResetsToZero) { 0 } else { 8 };
        Vera {
            deviations,
            vram: Box::new([0; VRAM_BYTES]),
            ports: [Port::default(); 2],
            addrsel: PORT0,
            dcsel: 0,
            fx: Fx::new(),
            interrupts: Interrupts::default(),
            composer: Composer::new(video),
            layers: [Layer::default(), Layer::default()],
            palette: Palette::new(),
            sprites: Sprites::new(),
            psg: [0; 64],
            audio: Audio::new(0),
            spi: Spi::default(),
            video: beam,
            now: 0,
            stores: None,
        }
    }

    /// What CTRL bit 7 does: everything starts anew but the video memory. The picture stays until the beam draws over
    /// it.
    pub fn reset(&mut self) {
        // A program may do it again and again, and a picture is large.
        let mut new = Vera::from(self.deviations, Video::over(std::mem::take(&mut self.video.frame)));
        std::mem::swap(&mut new.vram, &mut self.vram);
        (new.video.drawing, new.video.is_whole) = (self.video.drawing, self.video.is_whole);
        new.video.frames = self.video.frames;
        new.now = self.now;
        new.stores = self.stores.take();
        std::mem::swap(&mut new.audio, &mut self.audio);
        new.audio.restart(self.clock());
        *self = new;
    }

    /// The deviations that it was made with.
    pub fn deviations(&self) -> Deviations {
        self.deviations
    }

    /// Switches a deviation on or off.
    pub fn toggle(&mut self, deviation: Deviation) {
        self.deviations = self.deviations.toggled(deviation);
    }

    /// The video memory.
    pub fn vram(&self) -> &[u8; VRAM_BYTES] {
        &self.vram
    }

    /// The video memory, to be filled without the bus. Shadows and latches do not follow.
    pub fn vram_mut(&mut self) -> &mut [u8; VRAM_BYTES] {
        &mut self.vram
    }

    /// The bank of registers that 09 to 0C show, 6 bits.
    pub fn dcsel(&self) -> u8 {
        self.dcsel
    }

    /// The FX helpers.
    pub fn fx(&self) -> &Fx {
        &self.fx
    }

    /// The two data ports.
    pub fn ports(&self) -> &[Port; 2] {
        &self.ports
    }

    /// The palette's shadow, 256 entries of two bytes.
    pub fn palette(&self) -> &[u8; 512] {
        self.palette.bytes()
    }

    /// The sprite attributes' shadow, 128 sprites of eight bytes.
    pub fn sprite_attributes(&self) -> &[u8] {
        self.sprites.bytes()
    }

    /// The PSG's shadow, 16 voices of four bytes.
    pub fn psg(&self) -> &[u8; 64] {
        &self.psg
    }

    /// Notes from now on what goes to the DAC. This is for the start of a run: voices that play already begin anew.
    ///
    /// ```
    /// use gpuzoo_vera::Vera;
    /// let mut vera = Vera::default();
    /// vera.listen();
    /// // Voice 0: a square wave on both sides, at full volume.
    /// let voice = [0x00, 0x08, 0xff, 0x3f];
    /// for (register, value) in [(0x00, 0xc0), (0x01, 0xf9), (0x02, 0x11)].into_iter().chain(voice.map(|byte| (0x03, byte))) {
    ///     vera.write(register, value);
    /// }
    /// vera.advance_frame();
    /// let samples = vera.take_samples();
    /// let loudest = samples.iter().map(|[left, _]| *left).max();
    /// assert_eq!((samples.len(), loudest), (750, Some(31 * 511 >> 3)));
    /// ```
    pub fn listen(&mut self) {
        self.audio.listen(&self.psg, self.now == 0);
    }

    /// Draws everything and follows the voices from now on, so that a [state](Vera::save_state) that is saved has it all. To be
    /// called at power-on.
    pub fn expect_state(&mut self) {
        self.draw(Drawing::Picture);
        self.audio.expect_state(&self.psg, self.now == 0);
    }

    /// True if a state has all of the picture and of the sound.
    pub fn is_whole(&self) -> bool {
        self.video.is_whole && self.audio.has_voices()
    }

    /// Goes on for those who look at another one, or listen.
    pub fn go_on_for(&mut self, other: &mut Vera) {
        self.audio.listen_as(&mut other.audio);
        self.draw(other.video.drawing);
        self.watch_stores(other.watches_stores());
    }

    /// What went to the DAC since the last call, left and right: numbers of 17 bits, [`SAMPLES_PER_SECOND`]. Nothing if nobody
    /// [listens](Vera::listen).
    pub fn take_samples(&mut self) -> Vec<[i32; 2]> {
        self.audio.take_samples()
    }

    /// What [`take_samples`](Vera::take_samples) would return.
    pub fn samples(&self) -> &[[i32; 2]] {
        self.audio.samples()
    }

    /// Begins to watch stores, or ends it.
    pub fn watch_stores(&mut self, on: bool) {
        self.stores = on.then(Vec::new);
    }

    /// True while stores are watched.
    pub fn watches_stores(&self) -> bool {
        self.stores.is_some()
    }

    /// The stores since the last call, if they are watched.
    pub fn take_stores(&mut self) -> impl Iterator<Item = Store> {
        self.stores.iter_mut().flat_map(|stores| stores.drain(..))
    }

    /// Notes a store that is about to happen, if somebody watches.
    #[inline]
    pub(crate) fn note_store(&mut self, address: u32) {
        if let Some(stores) = &mut self.stores {
            let address = address & VRAM_MASK;
            stores.push(Store { address, before: self.vram[address as usize] });
        }
    }

    #[inline]
    fn deviates(&self, deviation: Deviation) -> bool {
        self.deviations.has(deviation)
    }
}

/// The example of the package's page.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(test)]
mod test {
    use crate::{Profile, Vera};

    /// Writes (DCSEL, register, value).
    pub(crate) fn banks(vera: &mut Vera, writes: &[(u8, u8, u8)]) {
        for &(dcsel, register, value) in writes {
            vera.write(0x05, dcsel << 1);
            vera.write(register, value);
        }
        vera.write(0x05, 0);
    }

    /// A line helper with ADDR1 at 0: the high bytes of both addresses, the slope's register value, and bits of
    /// FX_CTRL.
    pub(crate) fn line_machine(profile: Profile, high1: u8, high0: u8, slope: u16, control: u8) -> Vera {
        let mut vera = Vera::new(profile);
        let [low, top] = slope.to_le_bytes();
        banks(&mut vera, &[(2, 0x09, 1 | control), (3, 0x09, low), (3, 0x0a, top)]);
        vera.write(0x02, high0);
        vera.write(0x05, 1);
        vera.write(0x00, 0);
        vera.write(0x02, high1);
        vera.write(0x05, 0);
        vera
    }
}
