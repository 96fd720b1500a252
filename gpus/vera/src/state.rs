//! Every state by name: registers that cannot be read, and those that no register shows.

use crate::Vera;

/// A state and how to read it, without side effects.
pub struct Item {
    /// The register's name, or in lower case a hidden state's.
    pub name: &'static str,
    /// How many bits it has.
    pub bits: u8,
    /// What it is.
    pub about: &'static str,
    /// Reads it.
    pub get: fn(&Vera) -> u32,
}

const fn item(name: &'static str, bits: u8, about: &'static str, get: fn(&Vera) -> u32) -> Item {
    Item { name, bits, about, get }
}

/// What changes by itself as time goes on.
const OF_TIME: [&str; 6] = ["SCANLINE", "line", "beam_x", "render_line", "collisions", "fifo"];

/// What belongs to FX, besides registers whose name says so.
const OF_FX: [&str; 9] = [
    "cache",
    "cache_byte",
    "cache_nibble",
    "accumulator",
    "accumulator_known",
    "output",
    "hop_start",
    "poke_armed",
    "aim_pending",
];

/// The states that reads of registers do not show, or not always. What has a register that can be read is there with
/// [`Vera::peek`].
///
/// ```
/// use gpuzoo_vera::{Item, Vera};
/// let mut vera = Vera::default();
/// vera.write(0x05, 6 << 1);
/// vera.write(0x09, 0x45); // FX_CACHE_L is write-only.
/// assert_eq!(Item::find("cache").map(|item| (item.get)(&vera)), Some(0x45));
/// ```
#[rustfmt::skip]
pub static STATE: &[Item] = &[
    item("ADDR0", 17, "address of port 0", |vera| vera.ports[0].address),
    item("ADDR1", 17, "address of port 1", |vera| vera.ports[1].address),
    item("addr0_nibble", 1, "port 0 is at the low nibble", |vera| vera.ports[0].nibble.into()),
    item("addr1_nibble", 1, "port 1 is at the low nibble", |vera| vera.ports[1].nibble.into()),
    item("ADDR0_H", 8, "ADDRx_H of port 0", |vera| vera.ports[0].high().into()),
    item("ADDR1_H", 8, "ADDRx_H of port 1", |vera| vera.ports[1].high().into()),
    item("latch0", 8, "the byte that the next read of DATA0 returns", |vera| vera.ports[0].latch.into()),
    item("latch1", 8, "the byte that the next read of DATA1 returns", |vera| vera.ports[1].latch.into()),
    item("ADDRSEL", 1, "the port that ADDRx shows", |vera| vera.addrsel as u32),
    item("DCSEL", 6, "the bank of 09 to 0C", |vera| vera.dcsel.into()),
    item("IEN", 4, "enabled interrupts", |vera| vera.interrupts.enable.into()),
    item("IRQLINE", 9, "line of the LINE interrupt", |vera| vera.interrupts.line.into()),
    item("SCANLINE", 9, "scan-out line as it reads", |vera| vera.scanline().into()),
    item("line", 10, "line that is scanned out", |vera| vera.line().into()),
    item("beam_x", 10, "pixel that is scanned out", |vera| vera.video.beam_x().into()),
    item("render_line", 9, "line that the renderers work on", |vera| vera.video.render_line().into()),
    item("collisions", 4, "sprite collisions of this frame so far", |vera| vera.video.new_collisions.into()),
    item("DC_VIDEO", 7, "outputs, layers, sprites", |vera| vera.composer.video.into()),
    item("DC_HSCALE", 8, "columns per pixel, 128 is 1", |vera| vera.composer.hscale.into()),
    item("DC_VSCALE", 8, "render lines per line, 128 is 1", |vera| vera.composer.vscale.into()),
    item("DC_BORDER", 8, "palette index of the border", |vera| vera.composer.border.into()),
    item("DC_HSTART", 10, "first column of the window", |vera| vera.composer.hstart.into()),
    item("DC_HSTOP", 10, "column after the window", |vera| vera.composer.hstop.into()),
    item("DC_VSTART", 9, "first line of the window", |vera| vera.composer.vstart.into()),
    item("DC_VSTOP", 9, "line after the window", |vera| vera.composer.vstop.into()),
    item("FX_CTRL", 8, "FX switches and mode", |vera| vera.fx.control.into()),
    item("FX_TILEBASE", 8, "affine tiles, clip, 2-bit polygons", |vera| vera.fx.tile_register().into()),
    item("FX_MAPBASE", 8, "affine map and its size", |vera| vera.fx.map_register().into()),
    item("FX_MULT", 8, "multiplier switches and cache index as they are now", |vera| vera.fx.mult_register().into()),
    item("FX_X_INCR", 16, "X increment, 6.9 and times 32", |vera| vera.fx.x.increment.into()),
    item("FX_Y_INCR", 16, "Y increment, 6.9 and times 32", |vera| vera.fx.y.increment.into()),
    item("FX_X_POS", 20, "X position, 11.9", |vera| vera.fx.x.position),
    item("FX_Y_POS", 20, "Y (X2) position, 11.9", |vera| vera.fx.y.position),
    item("FX_POLY_FILL_L", 8, "fill length, low register", |vera| vera.fill_length().low.into()),
    item("FX_POLY_FILL_H", 8, "fill length, high register", |vera| vera.fill_length().high.into()),
    item("cache", 32, "the cache, FX_CACHE_L lowest", |vera| u32::from_le_bytes(vera.fx.cache)),
    item("cache_byte", 2, "byte index of the cache", |vera| vera.fx.cache_byte as u32),
    item("cache_nibble", 1, "nibble index of the cache", |vera| vera.fx.cache_nibble.into()),
    item("accumulator", 32, "the multiplier's accumulator", |vera| vera.fx.accumulator),
    item("accumulator_known", 1, "software has reset the accumulator", |vera| vera.fx.accumulator_known.into()),
    item("output", 32, "what a cache write would store", |vera| vera.output()),
    item("hop_start", 2, "address bits at which a 16-bit hop is 1", |vera| vera.fx.hop_start.into()),
    item("poke_armed", 1, "the next DATA1 write is a 2-bit poke", |vera| vera.fx.poke_armed.into()),
    item("aim_pending", 1, "a position waits for mode 2 or 3", |vera| vera.fx.aim_pending.into()),
    item("fifo", 12, "bytes in the PCM FIFO", |vera| vera.audio.level.into()),
];

impl Item {
    /// It changes by itself as time goes on, not only by what a program does.
    pub fn is_of_time(&self) -> bool {
        OF_TIME.contains(&self.name)
    }

    /// It belongs to VERA FX.
    pub fn is_of_fx(&self) -> bool {
        self.name.starts_with("FX_") || OF_FX.contains(&self.name)
    }

    /// The item of a name, in any case.
    pub fn find(name: &str) -> Option<&'static Item> {
        STATE.iter().find(|item| item.name.eq_ignore_ascii_case(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_values_fit() {
        let mut vera = Vera::default();
        for register in 0..0x20u8 {
            vera.write(register, 0xff);
        }
        for (index, item) in STATE.iter().enumerate() {
            assert!(
                STATE[..index].iter().all(|other| !other.name.eq_ignore_ascii_case(item.name)),
                "{}",
                item.name
            );
            assert!(u64::from((item.get)(&vera)) < 1 << item.bits, "{}", item.name);
        }
    }
}
