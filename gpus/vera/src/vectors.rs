//! Conformance: a trace against the device, and the picture that a set-up trace makes against a given one.

use crate::trace::Trace;
use crate::{Deviation, Deviations, HEIGHT, Vera, WIDTH};

/// At most this many differences are kept; all are counted.
pub const MAX_DIFFERENCES: usize = 100;

/// A place where the device gives something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    /// A read of a register, at a line of the trace.
    Read {
        /// From 1.
        line: u32,
        /// 0 to 31.
        register: u8,
        /// What the trace says.
        expected: u8,
        /// What the device returned.
        got: u8,
    },
    /// A byte of video memory at the end.
    Vram {
        /// 17 bits.
        address: u32,
        /// What the trace says.
        expected: u8,
        /// What the device holds.
        got: u8,
    },
    /// A sample of the sound.
    Sample {
        /// Its number, from 0 at power-on.
        index: usize,
        /// What the trace says, left and right.
        expected: [i32; 2],
        /// What the DAC got.
        got: [i32; 2],
    },
    /// A pixel.
    Pixel {
        /// From the left.
        x: u16,
        /// From the top.
        y: u16,
        /// Red, green, blue.
        expected: [u8; 3],
        /// Red, green, blue.
        got: [u8; 3],
    },
    /// ISR after the frame.
    Isr {
        /// What was said.
        expected: u8,
        /// What it reads.
        got: u8,
    },
}

/// The outcome of a check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Accesses that ran.
    pub operations: usize,
    /// Reads that were compared.
    pub reads: usize,
    /// Bytes of video memory that were compared.
    pub bytes: usize,
    /// Samples that were compared.
    pub samples: usize,
    /// Pixels that were compared.
    pub pixels: usize,
    /// How many differences there are.
    pub count: usize,
    /// The first [`MAX_DIFFERENCES`] of them.
    pub differences: Vec<Difference>,
}

impl Checked {
    /// True if there is no difference.
    pub fn is_same(&self) -> bool {
        self.count == 0
    }

    fn note(&mut self, difference: Difference) {
        self.count += 1;
        if self.differences.len() < MAX_DIFFERENCES {
            self.differences.push(difference);
        }
    }
}

/// Replays a trace and compares its reads, and the video memory and the sound if the trace has rows of them.
pub fn check_trace(trace: &Trace, deviations: Deviations) -> Checked {
    run(trace, deviations).1
}

fn run(trace: &Trace, deviations: Deviations) -> (Vera, Checked) {
    let mut vera = Vera::with(deviations);
    let mut checked = Checked { operations: trace.operations.len(), ..Checked::default() };
    if !trace.sound.is_empty() {
        vera.listen();
    }
    trace.replay(&mut vera, |operation, got| {
        checked.reads += 1;
        if got != operation.value {
            let (line, register, expected) = (operation.line, operation.register, operation.value);
            checked.note(Difference::Read { line, register, expected, got });
        }
    });
    if let Some(expected) = trace.vram() {
        checked.bytes = expected.len();
        for (address, (expected, got)) in expected.iter().zip(vera.vram()).enumerate() {
            if expected != got {
                let address = address as u32;
                checked.note(Difference::Vram { address, expected: *expected, got: *got });
            }
        }
    }
    let heard = vera.take_samples();
    if let Some(expected) = trace.samples(heard.len()) {
        checked.samples = expected.len();
        let heard = heard.into_iter().chain(std::iter::repeat([0; 2]));
        for (index, (expected, got)) in expected.into_iter().zip(heard).enumerate() {
            if expected != got {
                checked.note(Difference::Sample { index, expected, got });
            }
        }
    }
    (vera, checked)
}

/// Replays a set-up trace, lets the frame end in which the set-up did, and compares the next one.
///
/// `rgba` are the pixels, row by row, four bytes each; the fourth is not compared. `isr` is what ISR reads after the
/// frame.
///
/// # Errors
/// If there are not 640 × 480 pixels.
pub fn check_frame(
    trace: &Trace,
    rgba: &[u8],
    isr: Option<u8>,
    deviations: Deviations,
) -> Result<Checked, String> {
    if rgba.len() != WIDTH * HEIGHT * 4 {
        return Err(format!("{} bytes are not {WIDTH} × {HEIGHT} pixels", rgba.len()));
    }
    let (mut vera, mut checked) = run(trace, deviations);
    vera.advance_frame();
    vera.advance_frame();
    checked.pixels = WIDTH * HEIGHT;
    for (at, (pixel, shown)) in rgba.as_chunks::<4>().0.iter().zip(vera.picture()).enumerate() {
        let [expected, got] = [pixel, shown].map(|[red, green, blue, _]| [*red, *green, *blue]);
        if expected != got {
            let (x, y) = ((at % WIDTH) as u16, (at / WIDTH) as u16);
            checked.note(Difference::Pixel { x, y, expected, got });
        }
    }
    if let Some(expected) = isr {
        let got = vera.read(0x07);
        if got != expected {
            checked.note(Difference::Isr { expected, got });
        }
    }
    Ok(checked)
}

/// Which of a set's deviations a trace meets: each is tried alone, and counts if a read or the final memory differs
/// from what the RTL gives.
pub fn deviations_met(trace: &Trace, of: Deviations) -> Vec<Deviation> {
    let reads = |deviations: Deviations| {
        let mut vera = Vera::with(deviations);
        let mut reads = Vec::new();
        trace.replay(&mut vera, |_, got| reads.push(got));
        (reads, vera)
    };
    let (expected, reference) = reads(Deviations::default());
    let differs = |deviation: &Deviation| {
        let (got, vera) = reads(Deviations::default().with(*deviation));
        got != expected || vera.vram() != reference.vram()
    };
    of.iter().filter(differs).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpuzoo_diag::File;

    fn trace(text: &str) -> Trace {
        Trace::parse(&File::new("t", text)).0
    }

    #[test]
    fn differences_are_found() {
        let trace = trace("W 23 05\nR 23 05\nR 25 01\nV 00000 0405");
        let checked = check_trace(&trace, Deviations::default());
        assert_eq!((checked.operations, checked.reads, checked.count), (3, 2, 3));
        assert_eq!(checked.differences[0], Difference::Read { line: 3, register: 5, expected: 1, got: 0 });
        assert_eq!(checked.differences[1], Difference::Vram { address: 0, expected: 4, got: 5 });
    }

    #[test]
    fn frames_must_have_their_size() {
        assert!(check_frame(&Trace::default(), &[0; 16], None, Deviations::default()).is_err());
        let black = vec![0; WIDTH * HEIGHT * 4];
        let checked = check_frame(&Trace::default(), &black, Some(0x0b), Deviations::default());
        assert_eq!(checked.map(|checked| checked.count), Ok(0));
    }

    #[test]
    fn a_trace_meets_the_deviations_that_it_touches() {
        let met = deviations_met(&trace("R 29 08"), crate::Profile::X16Emu.deviations());
        assert_eq!(met, [Deviation::VideoResetsToZero]);
    }

    #[test]
    fn a_hundred_differences_are_kept() {
        let checked = check_trace(&trace(&"R 25 01\n".repeat(101)), Deviations::default());
        assert_eq!((checked.count, checked.differences.len()), (101, 100));
    }
}
