//! VERA against x16-emulator's: operations of the bus, each with four cycles of an 8 MHz CPU, and frames.

use super::answer::answer;
use gpuzoo_vera::{Profile, Vera};
use std::fmt::Write;

/// A device that is set up, and what it does again and again.
pub struct Case {
    pub name: &'static str,
    /// Registers and what is written to them, when memory and the bitmap are there.
    setup: &'static [(u8, u8)],
    /// Register and value of a write; without a value it is a read. None are a frame.
    operations: &'static [(u8, Option<u8>)],
}

/// How often the operations are done in a run.
const REPEATS: usize = 1000;

/// Cycles of the CPU in a frame: 800 × 525 pixels at 25 MHz.
const FRAME_CYCLES: usize = 800 * 525 * 8 / 25;

const fn case(
    name: &'static str,
    setup: &'static [(u8, u8)],
    operations: &'static [(u8, Option<u8>)],
) -> Case {
    Case { name, setup, operations }
}

/// A bitmap of 320 columns with 8 bits a pixel on layer 0, shown twice as large, is on in all of them.
#[rustfmt::skip]
pub const CASES: [Case; 4] = [
    case(
        "writes",
        &[(2, 0x10)],
        &[
            (0, Some(0)), (1, Some(0)), (3, Some(0x5a)), (3, Some(0x5a)), (3, Some(0x5a)), (3, Some(0x5a)),
            (3, Some(0x5a)), (3, Some(0x5a)), (3, Some(0x5a)), (3, Some(0x5a)), (3, Some(0x5a)), (3, Some(0x5a)),
        ],
    ),
    // DCSEL 2: the multiplier on, the accumulator empty; 6: the cache.
    case(
        "multiplications",
        &[(5, 4), (12, 0x10), (9, 0x40), (5, 12), (9, 5)],
        &[
            (9, Some(0x12)), (10, Some(0x34)), (11, Some(0x56)), (12, Some(0x78)), (10, None),
            (9, Some(0x21)), (10, Some(0x43)), (11, Some(0x65)), (12, Some(0x87)), (10, None),
            (3, Some(0)), (9, None), (2, Some(0)), (3, None),
        ],
    ),
    // DCSEL 2: affine with cache fill and cache writes; 3: the steps of X and Y.
    case(
        "affine",
        &[(5, 4), (9, 0x63), (10, 0x80), (11, 0xc2), (5, 6), (9, 0x80), (11, 0x40), (5, 8), (9, 3), (5, 0), (2, 0x30)],
        &[(4, None), (4, None), (4, None), (4, None), (3, Some(0))],
    ),
    case("frames", &[], &[]),
];

/// Registers that show the bitmap, and the first byte of memory at the first port, without a step.
const BITMAP: [(u8, u8); 8] =
    [(5, 0), (0x0a, 64), (0x0b, 64), (0x09, 0x11), (0x0d, 7), (0, 0), (1, 0), (2, 0)];

/// All memory but what lies behind it: PSG, palette and sprites. The emulator begins with noise.
fn memory() -> impl Iterator<Item = u8> {
    (0..0x1f9c0).map(|at: usize| (at * 7 / 8) as u8)
}

impl Case {
    fn setup(&self) -> impl Iterator<Item = (u8, u8)> {
        let memory = [(5, 0), (0, 0), (1, 0), (2, 0x10)].into_iter().chain(memory().map(|byte| (3, byte)));
        memory.chain(BITMAP).chain(self.setup.iter().copied())
    }

    /// True if what counts is frames.
    pub fn is_frames(&self) -> bool {
        self.operations.is_empty()
    }

    /// What a run does, in millions of operations, or in frames.
    pub fn amount(&self) -> f64 {
        if self.is_frames() { 1.0 } else { (self.operations.len() * REPEATS) as f64 / 1e6 }
    }

    /// What `peers/x16_emulator.c` reads.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (register, value) in self.setup() {
            let _ = writeln!(text, "W {register:x} {value:x}");
        }
        text += if self.is_frames() { "frames\n" } else { "loop\n" };
        for (register, value) in self.operations {
            let _ = match value {
                Some(value) => writeln!(text, "W {register:x} {value:x}"),
                None => writeln!(text, "R {register:x}"),
            };
        }
        text
    }

    /// gpuzoo's side: a process that answers as `peers/x16_emulator.c` does.
    pub fn answer(&self) -> Result<(), String> {
        let mut device = Device::new(self);
        self.run(&mut device);
        answer(
            (device.hash, "gpuzoo"),
            &mut device,
            |_| {},
            |device| {
                self.run(device);
                Ok(())
            },
        )
    }

    fn run(&self, device: &mut Device) {
        if self.is_frames() {
            (0..FRAME_CYCLES).step_by(4).for_each(|_| device.vera.advance_cycles(4));
            return;
        }
        for _ in 0..REPEATS {
            for (register, value) in self.operations {
                match value {
                    Some(value) => device.vera.write(*register, *value),
                    None => {
                        let byte = device.vera.read(*register);
                        // Others are read for what that does; they show a version.
                        if DATA.contains(register) {
                            device.hash = (device.hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
                        }
                    }
                }
                device.vera.advance_cycles(4);
            }
        }
    }
}

/// The registers of the data ports.
const DATA: [u8; 2] = [3, 4];

/// The device, and a hash of the bytes that were read from memory: FNV-1a.
struct Device {
    vera: Vera,
    hash: u64,
}

impl Device {
    /// It does as the emulator, so that both have the same work.
    fn new(case: &Case) -> Device {
        let mut vera = Vera::new(Profile::X16Emu);
        case.setup().for_each(|(register, value)| vera.write(register, value));
        Device { vera, hash: 0xcbf2_9ce4_8422_2325 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_depends_on_what_is_done() {
        let hash = |case: &Case| {
            let mut device = Device::new(case);
            case.run(&mut device);
            device.hash
        };
        let [writes, multiplications, affine, frames] = CASES.each_ref().map(hash);
        // Nothing is read.
        assert_eq!((writes, frames), (0xcbf2_9ce4_8422_2325, 0xcbf2_9ce4_8422_2325));
        assert!(multiplications != writes && affine != writes && affine != multiplications);
    }

    #[test]
    fn the_peer_reads_lines() {
        let text = CASES[1].text();
        let (setup, operations) = text.split_once("loop\n").unwrap();
        assert!(
            setup.starts_with("W 5 0\nW 0 0\nW 1 0\nW 2 10\nW 3 0\n") && setup.ends_with("W 5 c\nW 9 5\n")
        );
        assert!(
            operations.starts_with("W 9 12\nW a 34\n")
                && operations.ends_with("R a\nW 3 0\nR 9\nW 2 0\nR 3\n")
        );
        assert!(CASES[3].text().ends_with("W d 7\nW 0 0\nW 1 0\nW 2 0\nframes\n"));
    }
}
