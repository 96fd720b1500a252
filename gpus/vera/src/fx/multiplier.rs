//! The multiplier: 16 × 16 bits, signed, from the cache's halves, and an accumulator of 32 bits.

use crate::Vera;
use crate::profile::Deviation;

impl Vera {
    /// Accumulator plus or minus the product, modulo 2^32.
    fn sum(&self) -> u32 {
        let [a, b, c, d] = self.fx.cache;
        let product = i32::from(i16::from_le_bytes([a, b])) * i32::from(i16::from_le_bytes([c, d]));
        let accumulator = self.fx.accumulator;
        if self.fx.subtract {
            accumulator.wrapping_sub(product as u32)
        } else {
            accumulator.wrapping_add(product as u32)
        }
    }

    /// What a cache write stores: the sum, or the cache where the multiplier is off.
    pub(crate) fn output(&self) -> u32 {
        if self.fx.multiplier { self.sum() } else { u32::from_le_bytes(self.fx.cache) }
    }

    /// The output goes into the accumulator; with the multiplier off that is the raw cache, since the same load path
    /// feeds the register (ma:31-34).
    pub(crate) fn accumulate(&mut self) {
        let always = self.deviates(Deviation::AlwaysMultiplies);
        self.fx.accumulator_known |= !self.fx.multiplier && !always;
        self.fx.accumulator = if always { self.sum() } else { self.output() };
    }

    pub(crate) fn reset_accumulator(&mut self) {
        self.fx.accumulator = 0;
        self.fx.accumulator_known = true;
    }
}

#[cfg(test)]
mod tests {
    use crate::test::banks;
    use crate::{Profile, Vera};

    fn machine(profile: Profile, a: i16, b: i16, mult: u8) -> Vera {
        let mut vera = Vera::new(profile);
        let ([a, b], [c, d]) = (a.to_le_bytes(), b.to_le_bytes());
        banks(&mut vera, &[(6, 0x09, a), (6, 0x0a, b), (6, 0x0b, c), (6, 0x0c, d), (2, 0x0c, mult)]);
        vera
    }

    #[test]
    fn products_by_hand() {
        assert_eq!(machine(Profile::Rtl, 69, 420, 0x10).output(), 28980);
        assert_eq!(machine(Profile::Rtl, -3, 5, 0x10).output(), (-15i32) as u32);
        // -32768 × -32768 = 2^30.
        assert_eq!(machine(Profile::Rtl, i16::MIN, i16::MIN, 0x10).output(), 1 << 30);
        assert_eq!(machine(Profile::Rtl, 69, 420, 0x30).output(), (-28980i32) as u32);
        assert_eq!(machine(Profile::Rtl, 69, 420, 0x00).output(), 420 << 16 | 69);
    }

    #[test]
    fn accumulating_loads_the_cache_when_the_multiplier_is_off() {
        let mut vera = machine(Profile::Rtl, 2, 3, 0x10);
        vera.write(0x05, 6 << 1);
        // The reads return the version and accumulate twice: 6 + 6.
        assert_eq!((vera.read(0x0a), vera.read(0x0a)), (48, 48));
        assert_eq!((vera.fx.accumulator, vera.fx.accumulator_known), (12, false));
        assert_eq!(vera.read(0x09), b'V');
        assert_eq!((vera.fx.accumulator, vera.fx.accumulator_known), (0, true));
        assert_eq!(machine(Profile::Rtl, 2, 3, 0x40).fx.accumulator, 3 << 16 | 2);
        assert_eq!(machine(Profile::X16Emu, 2, 3, 0x40).fx.accumulator, 6);
        // The reset wins over accumulating in the same write.
        assert_eq!(machine(Profile::Rtl, 2, 3, 0xd0).fx.accumulator, 0);
    }
}
