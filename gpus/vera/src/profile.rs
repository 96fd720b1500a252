//! Where the sources part: every difference has a name, and a profile is a set of them.
//!
//! The default is the FPGA's source (RTL). A [`Deviation`] replaces one of its rules by another source's; each is one
//! `if` in this crate. They are independent, so that a user can switch on a single one to see which of them bites.

use gpuzoo_stored::{Reader, Stored};

/// One rule that another source has in place of the RTL's. E1 to E19 are the bus, P1 to P11 the picture; [`DEVIATIONS`]
/// says what each is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Deviation {
    /// E1.
    VideoResetsToZero,
    /// E2.
    LatePositionWrap,
    /// E3.
    LatchedFillLength,
    /// E4.
    LateAddressWrap,
    /// E5.
    UnsignedAim,
    /// E6.
    AimKeepsNibble,
    /// E7.
    PositionsAimAffineOnly,
    /// E8.
    LineLeavesY,
    /// E9.
    HalfByteLine,
    /// E10.
    FxInWindows,
    /// E11.
    AlwaysMultiplies,
    /// E12.
    EagerPoke,
    /// E13.
    AffineWritesStep,
    /// E14.
    PokeKeepsHop,
    /// E15.
    WideScroll,
    /// E16.
    LineKeepsOverflow,
    /// E17.
    WideBadLength,
    /// E18.
    CyclingIgnoresPairs,
    /// E19.
    PokeAllowsReads,
    /// P1.
    WindowStartsLate,
    /// P2.
    BitmapWraps,
    /// P3.
    OneBitOffset,
    /// P4.
    PartialByte,
    /// P5.
    SpriteBudget801,
    /// P6.
    HiddenMasks,
    /// P7.
    HiddenSpritesAreOff,
    /// P8.
    ScanlineIsLine,
    /// P9.
    BlueWithoutOutput,
    /// P10.
    NoSmear,
    /// P11.
    LayersInTime,
    /// D1.
    DocumentedHalfByteLine,
    /// R1.
    ResetTakesSelects,
}

use Deviation::*;

/// All deviations with their short names, which reports use, and what they are.
#[rustfmt::skip]
pub static DEVIATIONS: &[(Deviation, &str, &str)] = &[
    (VideoResetsToZero, "E1", "DC_VIDEO is 0 after reset; RTL: 8"),
    (LatePositionWrap, "E2", "positions wrap at 25 bits (16.16 in 32 bits); RTL: 20 bits"),
    (LatchedFillLength, "E3", "the fill length is computed by polygon-mode reads; RTL: it is live"),
    (LateAddressWrap, "E4", "stepped addresses grow past 17 bits; RTL: they wrap"),
    (UnsignedAim, "E5", "X counts as unsigned when the polygon helper aims; RTL: signed"),
    (AimKeepsNibble, "E6", "8-bit aiming keeps the nibble bit; RTL: clears it"),
    (PositionsAimAffineOnly, "E7", "position writes aim in affine mode only, and nothing stays pending; RTL: they aim in polygon mode, too"),
    (LineLeavesY, "E8", "the line helper leaves Y alone; RTL: Y advances"),
    (HalfByteLine, "E9", "a half-byte step of ADDR0 moves ADDR1's nibble, for any increment code; RTL: it moves a whole byte or none"),
    (FxInWindows, "E10", "cache, nibble and transparent writes act in the shadow windows; RTL: plain bytes there"),
    (AlwaysMultiplies, "E11", "accumulating ignores the multiplier's enable bit; RTL: without it the cache is loaded"),
    (EagerPoke, "E12", "a poke fires on DATA0 as well, in any FX mode, and never reaches the shadows; RTL: DATA1 in mode 2"),
    (AffineWritesStep, "E13", "affine writes step ADDR1; RTL: they advance and aim as reads do"),
    (PokeKeepsHop, "E14", "arming a poke leaves the hop start; RTL: loads it"),
    (WideScroll, "E15", "the scroll registers' high bytes read back eight bits; RTL: four"),
    (LineKeepsOverflow, "E16", "writing the X increment in line mode leaves the overflow bit; RTL: clears it"),
    (WideBadLength, "E17", "a bad fill length is one above 767 of sixteen bits, and reads 0 in 2-bit mode; RTL: bits 9 and 8 of ten"),
    (CyclingIgnoresPairs, "E18", "byte cycling in polygon mode ignores the two-byte mode; RTL: honours it"),
    (PokeAllowsReads, "E19", "an armed poke does not hold back what a DATA1 read does; RTL: it does"),
    (WindowStartsLate, "P1", "a window with VSTART above 0 starts at render line VSCALE/128; RTL: 0"),
    (BitmapWraps, "P2", "bitmaps of 320 columns repeat from column 320; RTL: the bytes run on"),
    (OneBitOffset, "P3", "palette offset and T256C count for bitmaps of 1 bit per pixel; RTL: not"),
    (PartialByte, "P4", "a scrolled tile line starts at the first pixel of its first byte; RTL: at the right pixel"),
    (SpriteBudget801, "P5", "sprite time is 801 less one for each sprite, word and pixel; RTL: 798 clocks of two state machines"),
    (HiddenMasks, "P6", "collision masks of hidden pixels count for later sprites; RTL: only masks of drawn pixels do"),
    (HiddenSpritesAreOff, "P7", "no collisions while sprites are switched off; RTL: they go on"),
    (ScanlineIsLine, "P8", "SCANLINE is N while line N is shown; RTL: N + 1"),
    (BlueWithoutOutput, "P9", "without an output the picture is blue; RTL: black"),
    (NoSmear, "P10", "sprite columns from 640 on are empty; RTL: they keep what was last drawn there"),
    (LayersInTime, "P11", "layers are always done in time; RTL: narrow 8 bpp tiles over another layer may miss the last columns"),
    (DocumentedHalfByteLine, "D1", "as E9, but only with increment code 0, as the reference's octant table has it"),
    (ResetTakesSelects, "R1", "a reset takes DCSEL and ADDRSEL from the same write; RTL: all registers start anew"),
];

/// Their short names.
pub static DEVIATION_NAMES: [&str; DEVIATIONS.len()] = {
    let mut names = [""; DEVIATIONS.len()];
    let mut at = 0;
    while at < names.len() {
        names[at] = DEVIATIONS[at].1;
        at += 1;
    }
    names
};

/// A set of deviations; empty means RTL.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Deviations(u32);

/// The names say which bit is which.
impl Stored for Deviations {
    fn layout(layout: &mut String) {
        layout.push_str(&DEVIATION_NAMES.join(","));
    }

    fn write(&self, out: &mut Vec<u8>) {
        self.0.write(out);
    }

    fn read(input: &mut Reader) -> Option<Deviations> {
        let read = Deviations(u32::read(input)?);
        (read.iter().collect::<Deviations>() == read).then_some(read)
    }
}

impl Deviations {
    /// The set with one more.
    pub const fn with(self, deviation: Deviation) -> Deviations {
        Deviations(self.0 | 1 << deviation as u8)
    }

    /// The set with one more, or without it if it is there.
    pub const fn toggled(self, deviation: Deviation) -> Deviations {
        Deviations(self.0 ^ 1 << deviation as u8)
    }

    /// True if it is in the set.
    #[inline]
    pub const fn has(self, deviation: Deviation) -> bool {
        self.0 & 1 << deviation as u8 != 0
    }

    /// Those in the set, in order.
    pub fn iter(self) -> impl Iterator<Item = Deviation> {
        DEVIATIONS.iter().map(|(deviation, ..)| *deviation).filter(move |deviation| self.has(*deviation))
    }
}

impl FromIterator<Deviation> for Deviations {
    fn from_iter<I: IntoIterator<Item = Deviation>>(deviations: I) -> Deviations {
        deviations.into_iter().fold(Deviations::default(), Deviations::with)
    }
}

/// Whose behaviour the device shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Profile {
    /// The FPGA's source, X16Community/vera-module 6e8bea6.
    #[default]
    Rtl,
    /// The FX reference and the programmer's reference, where they contradict the source.
    Documented,
    /// x16-emulator 49b1fbd; on the bus Box16 188bb36 does the same.
    X16Emu,
}

impl Profile {
    /// All profiles, the default first.
    pub const ALL: [Profile; 3] = [Profile::Rtl, Profile::Documented, Profile::X16Emu];

    /// All of them as a machine describes them.
    pub const DESCRIBED: [(&str, &str); 3] = [
        (Profile::Rtl.name(), "the source of the device, and the default"),
        (Profile::Documented.name(), "the references, where they contradict the source"),
        (Profile::X16Emu.name(), "the emulators of the Commander X16"),
    ];

    /// `rtl`, `documented` or `x16emu`.
    pub const fn name(self) -> &'static str {
        match self {
            Profile::Rtl => "rtl",
            Profile::Documented => "documented",
            Profile::X16Emu => "x16emu",
        }
    }

    /// The profile of a name.
    pub fn find(name: &str) -> Option<Profile> {
        Profile::ALL.into_iter().find(|profile| profile.name() == name)
    }

    /// What it changes.
    pub fn deviations(self) -> Deviations {
        match self {
            Profile::Rtl => Deviations::default(),
            Profile::Documented => [DocumentedHalfByteLine, ScanlineIsLine].into_iter().collect(),
            Profile::X16Emu => {
                let others = DEVIATIONS.iter().map(|(deviation, ..)| *deviation);
                others.filter(|deviation| *deviation != DocumentedHalfByteLine).collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_deviation_has_one_name_and_one_bit() {
        for (index, (deviation, name, _)) in DEVIATIONS.iter().enumerate() {
            assert_eq!(*deviation as usize, index, "{name}");
            assert!(DEVIATIONS[..index].iter().all(|(_, other, _)| other != name));
        }
        let all: Deviations = DEVIATIONS.iter().map(|(deviation, ..)| *deviation).collect();
        assert_eq!(all.iter().count(), DEVIATIONS.len());
    }

    #[test]
    fn profiles_are_found_by_name() {
        for profile in Profile::ALL {
            assert_eq!(Profile::find(profile.name()), Some(profile));
        }
        assert_eq!(Profile::find("hardware"), None);
        assert!(Profile::X16Emu.deviations().has(PokeAllowsReads));
        assert!(!Profile::Rtl.deviations().has(PokeAllowsReads));
    }
}
