//! The affine helper: ADDR1 is the texel at (X, Y) of a square map of 8×8 tiles.

use crate::{PORT1, VRAM_MASK, Vera};

impl Vera {
    /// Looks up the tile, then the texel; the latch holds the texel's byte (ad:822-867).
    pub(crate) fn aim_affine(&mut self) {
        let fx = &self.fx;
        let [x, y] = [fx.x, fx.y].map(|axis| axis.position >> 9 & 0x7ff);
        let side = 1 << fx.map_side;
        let (column, row) = (x >> 3, y >> 3);
        // Clipped look-ups keep the place inside the tile, so tile 0 should be blank.
        let tile = if fx.clip && (column >= side || row >= side) {
            0
        } else {
            let entry = fx.map_base + ((row & (side - 1)) << fx.map_side) + (column & (side - 1));
            u32::from(self.vram[(entry & VRAM_MASK) as usize])
        };
        let texel = tile << 6 | (y & 7) << 3 | (x & 7);
        let offset = if fx.four_bit { texel >> 1 } else { texel };
        let address = (fx.tile_base + offset) & self.address_bits();
        let nibble = fx.four_bit && x & 1 != 0;
        self.ports[PORT1].address = address;
        self.ports[PORT1].nibble = nibble;
        self.refill(PORT1);
    }
}

#[cfg(test)]
mod tests {
    use crate::Vera;
    use crate::test::banks;

    /// An 8×8 map at $800 with tile 5 at column 2, row 1; tiles at $1000.
    fn machine(control: u8, clip: u8) -> Vera {
        let mut vera = Vera::default();
        vera.vram[0x800 + 8 + 2] = 5;
        banks(&mut vera, &[(2, 0x09, control), (2, 0x0a, 0x1000u32.wrapping_shr(9) as u8 | clip)]);
        banks(&mut vera, &[(2, 0x0b, (0x800u32 >> 9) as u8 | 1)]);
        vera
    }

    fn aimed(mut vera: Vera, x: u32, y: u32) -> (u32, bool) {
        vera.fx.x.position = x << 9;
        vera.fx.y.position = y << 9;
        vera.aim_affine();
        (vera.ports[1].address, vera.ports[1].nibble)
    }

    #[test]
    fn texels_by_hand() {
        // (19, 10) is column 2, row 1, and (3, 2) within the tile.
        assert_eq!(aimed(machine(3, 0), 19, 10), (0x1000 + 5 * 64 + 2 * 8 + 3, false));
        assert_eq!(aimed(machine(7, 0), 19, 10), (0x1000 + 5 * 32 + 2 * 4 + 1, true));
    }

    #[test]
    fn outside_the_map_it_repeats_or_is_tile_0() {
        // 64 pixels make the map: (83, 74) is (19, 10) again.
        assert_eq!(aimed(machine(3, 0), 83, 74), (0x1000 + 5 * 64 + 19, false));
        assert_eq!(aimed(machine(3, 2), 83, 74), (0x1000 + 19, false));
        // -45 is 2003 unsigned, 19 modulo 64.
        assert_eq!(aimed(machine(3, 0), 2003, 10), (0x1000 + 5 * 64 + 19, false));
    }

    /// All of FX is 0 after a reset (spec section 8.1).
    #[test]
    fn the_map_is_at_0_until_it_is_elsewhere() {
        let mut vera = Vera::default();
        vera.vram[..2].copy_from_slice(&[1, 2]);
        banks(&mut vera, &[(2, 0x09, 3)]);
        assert_eq!(aimed(vera, 0, 0), (64, false));
    }
}
