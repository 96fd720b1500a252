//! A script for each deviation of the bus: what a read returns by the RTL (spec sections 1 to 3 and 8) and with that one
//! deviation (spec section 9). The values are worked out by hand.

use gpuzoo_vera::{DEVIATIONS, Deviation, Deviations, Profile, Vera};

/// Register and value of a write.
type Write = (u8, u8);

/// A script that ends with a read of a register.
struct Script {
    deviation: Deviation,
    writes: Vec<Write>,
    /// Reads before the last one; what they return does not matter.
    reads: &'static [u8],
    /// Writes after those.
    then: Vec<Write>,
    /// The register of the last read, in the bank that is open.
    register: u8,
    rtl: u8,
    other: u8,
}

/// Writes in DCSEL banks.
fn banks(writes: &[(u8, u8, u8)]) -> Vec<Write> {
    writes.iter().flat_map(|&(dcsel, register, value)| [(5, dcsel << 1), (register, value)]).collect()
}

fn script(deviation: Deviation, writes: Vec<Write>, register: u8, rtl: u8, other: u8) -> Script {
    Script { deviation, writes, reads: &[], then: Vec::new(), register, rtl, other }
}

fn scripts() -> Vec<Script> {
    use Deviation::*;
    let all = |parts: &[Vec<Write>]| parts.concat();
    // ADDRSEL 1 without changing the bank.
    let port1 = |dcsel: u8| vec![(5, dcsel << 1 | 1)];
    // A 2-bit polygon with a poke armed at ADDR1 = 2.
    let armed = || all(&[banks(&[(2, 10, 1), (2, 9, 6)]), port1(0), vec![(0, 2)]]);
    vec![
        script(VideoResetsToZero, vec![], 9, 8, 0),
        Script {
            // X = $7ff and an increment of 1: over 20 bits that is 0, over 25 bits 2048, where ADDR1 is aimed at.
            reads: &[4],
            ..script(
                LatePositionWrap,
                all(&[banks(&[(2, 9, 2), (4, 9, 0xff), (4, 10, 7), (3, 9, 0), (3, 10, 2)]), vec![(5, 1)]]),
                1,
                0x00,
                0x08,
            )
        },
        script(LatchedFillLength, banks(&[(2, 9, 2), (4, 11, 3), (5, 9, 0)]), 11, 6, 0),
        Script {
            reads: &[3],
            // $1ffff + 1: nibble bit and bit 16 of ADDRx_H are 0, or 2 for bit 17.
            ..script(LateAddressWrap, vec![(0, 0xff), (1, 0xff), (2, 0x11)], 2, 0x10, 0x12)
        },
        Script {
            reads: &[4],
            // X = $7ff: -1, or 2047. ADDR1 is $1ffff, or $007ff: the middle byte shows which.
            ..script(
                UnsignedAim,
                all(&[banks(&[(2, 9, 2), (4, 9, 0xff), (4, 10, 7)]), port1(0)]),
                1,
                0xff,
                0x07,
            )
        },
        Script {
            reads: &[4],
            ..script(AimKeepsNibble, all(&[banks(&[(2, 9, 2)]), port1(0), vec![(2, 2)]]), 2, 0, 2)
        },
        script(PositionsAimAffineOnly, all(&[banks(&[(2, 9, 2), (4, 9, 5)]), port1(0)]), 0, 5, 0),
        Script {
            reads: &[4],
            // Y starts at ½ and adds 3 in line mode; n is live. X wrote nothing.
            ..script(LineLeavesY, banks(&[(3, 12, 6), (2, 9, 1), (5, 9, 0x80)]), 11, 6, 0)
        },
        Script {
            reads: &[4],
            // Slope 1: ADDR0's nibble is 0, so nothing is added; or ADDR1's nibble flips.
            ..script(
                HalfByteLine,
                all(&[vec![(2, 4)], banks(&[(2, 9, 5), (3, 10, 2)]), port1(0), vec![(2, 0)]]),
                2,
                0,
                2,
            )
        },
        Script {
            reads: &[],
            then: vec![(0, 0xc0)],
            // A cache write into the PSG's window: the mask byte itself, or the cache.
            ..script(
                FxInWindows,
                all(&[banks(&[(6, 9, 0x77), (2, 9, 0x40)]), vec![(0, 0xc0), (1, 0xf9), (2, 1), (3, 0)]]),
                3,
                0x00,
                0x77,
            )
        },
        // The cache holds 2 and 3: accumulating without the multiplier loads 2 | 3 << 16, or adds 6.
        script(
            AlwaysMultiplies,
            all(&[
                banks(&[
                    (6, 9, 2),
                    (6, 11, 3),
                    (2, 12, 0x80),
                    (2, 12, 0x40),
                    (6, 9, 0),
                    (2, 12, 0x10),
                    (2, 9, 0x40),
                ]),
                vec![(3, 0), (0, 0)],
            ]),
            3,
            2,
            6,
        ),
        Script {
            then: vec![(5, 0), (0, 0)],
            // DATA0 stores $ff at 0 as two 4-bit pixels (the high nibble); as a poke it would go to ADDR1.
            ..script(EagerPoke, all(&[armed(), vec![(3, 0xff)]]), 3, 0xf0, 0)
        },
        // An affine write aims at texel (0, 0) of tile 0 at address 0; or steps from $40 by 1.
        script(
            AffineWritesStep,
            all(&[banks(&[(2, 9, 3)]), port1(0), vec![(0, 0x40), (2, 0x10), (4, 0)]]),
            0,
            0,
            0x41,
        ),
        Script {
            reads: &[4],
            // Arming at 2 loads the hop start 2, so that the first step by 4 is 1; or 3, since the start stays 0. Mode
            // 0 steps.
            ..script(
                PokeKeepsHop,
                all(&[
                    banks(&[(2, 10, 1), (2, 9, 0x0e)]),
                    port1(0),
                    vec![(2, 0x30), (0, 2)],
                    banks(&[(2, 9, 0x0c)]),
                    port1(0),
                ]),
                0,
                3,
                5,
            )
        },
        script(WideScroll, vec![(0x11, 0xff)], 0x11, 0x0f, 0xff),
        Script {
            // X = 1.5 with the overflow bit set; increment 0. The write of the increment clears it, or the next access
            // steps by ADDR0's 64.
            reads: &[4],
            ..script(
                LineKeepsOverflow,
                all(&[vec![(2, 0x70)], banks(&[(4, 9, 1), (2, 9, 1), (3, 10, 0)]), port1(0), vec![(0, 0)]]),
                0,
                0,
                0x40,
            )
        },
        // X = 513, Y = 0: n = -513, in ten bits 511: bit 7, X bit 0 and the low four bits; or bad, $80.
        script(
            WideBadLength,
            banks(&[(2, 9, 2), (4, 9, 1), (4, 10, 2), (5, 9, 0)]),
            11,
            0x80 | 0x20 | 0x1e,
            0x80,
        ),
        Script {
            reads: &[3, 3],
            then: vec![(0, 0), (3, 0), (0, 0)],
            // One-byte cycling over bytes 0 and 1, or over four: after two reads the byte is 0 again, or 2.
            ..script(
                CyclingIgnoresPairs,
                banks(&[(6, 9, 0x11), (6, 11, 0x33), (2, 12, 1), (2, 9, 0x12)]),
                3,
                0x11,
                0x33,
            )
        },
        Script {
            // Armed at 2: the read does nothing, or aims at ADDR0 + X = 0.
            reads: &[4],
            ..script(PokeAllowsReads, armed(), 0, 2, 0)
        },
    ]
}

fn run(script: &Script, set: Deviations) -> u8 {
    let mut vera = Vera::with(set);
    script.writes.iter().for_each(|&(register, value)| vera.write(register, value));
    script.reads.iter().for_each(|&register| {
        vera.read(register);
    });
    script.then.iter().for_each(|&(register, value)| vera.write(register, value));
    vera.read(script.register)
}

#[test]
fn each_deviation_by_hand() {
    let scripts = scripts();
    assert_eq!(scripts.len(), 19);
    for script in &scripts {
        let name = DEVIATIONS
            .iter()
            .find(|(deviation, ..)| *deviation == script.deviation)
            .map_or("", |(_, name, _)| name);
        let alone = Deviations::default().with(script.deviation);
        assert_eq!(run(script, Deviations::default()), script.rtl, "{name} by the RTL");
        assert_eq!(run(script, alone), script.other, "{name} deviating");
    }
}

/// Where several deviations meet, the profile must still be the emulator's: single scripts that do not depend on
/// another one.
#[test]
fn the_profile_deviates_where_each_does() {
    use Deviation::*;
    // Under the whole profile a position write does not aim, and a read computes the length: these three depend on it.
    let depend = [LatchedFillLength, LineLeavesY, WideBadLength];
    for script in scripts().iter().filter(|script| !depend.contains(&script.deviation)) {
        let profile = Profile::X16Emu.deviations();
        assert_eq!(run(script, profile), script.other, "{:?}", script.deviation);
    }
}
