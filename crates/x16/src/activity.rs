//! When a program used which of VERA's registers, for people to look at.

use crate::{Access, CYCLES_PER_FRAME};
use gpuzoo_machine::computer::timeline::{Busy, Timeline, Track};
use gpuzoo_vera::Vera;

/// Groups of registers, in the order of their numbers and banks.
const ROWS: [&str; 10] = [
    "ADDRx, CTRL",
    "DATA0",
    "DATA1",
    "interrupts",
    "display",
    "FX control",
    "FX position",
    "FX cache",
    "layers",
    "audio, SPI",
];

/// The row of a register.
fn row(register: u8, dcsel: u8) -> usize {
    match (register, dcsel) {
        (0x00..=0x02 | 0x05, _) => 0,
        (0x03, _) => 1,
        (0x04, _) => 2,
        (0x06..=0x08, _) => 3,
        (0x09..=0x0c, 0 | 1) => 4,
        (0x09..=0x0c, 2) => 5,
        (0x09..=0x0c, 3..=5) => 6,
        (0x09..=0x0c, _) => 7,
        (0x0d..=0x1a, _) => 8,
        _ => 9,
    }
}

/// Accesses are counted in at most so many pieces of time.
const MOST_BINS: usize = 2048;
/// An instruction that stores to VERA or loads from it takes at least so many cycles.
const CYCLES_OF_ACCESS: u64 = 4;

/// How often each row was written and read, in pieces of time that become longer as time goes on.
#[derive(Clone, Debug, PartialEq)]
struct Bins {
    /// The first cycle.
    start: u64,
    /// Cycles of a bin.
    width: u64,
    bins: Vec<[[u32; 2]; ROWS.len()]>,
}

impl Bins {
    fn new(start: u64) -> Bins {
        Bins { start, width: 1, bins: Vec::new() }
    }

    fn count(&mut self, cycle: u64, row: usize, is_read: bool) {
        let at = cycle.saturating_sub(self.start);
        while at / self.width >= MOST_BINS as u64 {
            self.width *= 2;
            let sum = |pair: &[[[u32; 2]; ROWS.len()]]| {
                let of = |row: usize, kind: usize| {
                    pair.iter().fold(0u32, |sum, bin| sum.saturating_add(bin[row][kind]))
                };
                std::array::from_fn(|row| std::array::from_fn(|kind| of(row, kind)))
            };
            self.bins = self.bins.chunks(2).map(sum).collect();
        }
        let bin = (at / self.width) as usize;
        if bin >= self.bins.len() {
            self.bins.resize(bin + 1, [[0; 2]; ROWS.len()]);
        }
        let count = &mut self.bins[bin][row][usize::from(is_read)];
        *count = count.saturating_add(1);
    }

    fn timeline(&self, name: &'static str, end: u64) -> Timeline {
        let track = |(row, name): (usize, &&'static str)| {
            let bins = self.bins.iter().enumerate();
            let spans = bins.flat_map(|(bin, counts)| {
                let start = bin as u64 * self.width;
                let busy = |(kind, count): (usize, &u32)| {
                    let share = u64::from(*count) * CYCLES_OF_ACCESS * 1000 / self.width;
                    let share = share.min(1000) as u16;
                    Busy { time: start..start + self.width, share, is_second: kind == 1 }
                };
                counts[row].iter().enumerate().filter(|(_, count)| **count > 0).map(busy).collect::<Vec<_>>()
            });
            Track { name, spans: spans.collect() }
        };
        Timeline {
            name,
            unit: "cycles",
            end,
            tracks: ROWS.iter().enumerate().map(track).collect(),
            about: "Each row is a group of VERA's registers, and as high as the CPU was busy with them: full where every \
                    fourth cycle is an access, which is as fast as a CPU can be. Writes are in the first colour, reads in \
                    the second.",
            enlarged: None,
            is_cut: false,
        }
    }
}

/// What a program did with VERA: over the whole run, and in the last whole frame. What stand-ins of the KERNAL write takes no
/// time, and is not counted.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Activity {
    all: Bins,
    frame: Bins,
    /// The number of the frame that is counted.
    number: u64,
    /// The frame before, and how many there are.
    last: Option<Bins>,
    frames: u64,
}

impl Activity {
    /// From a cycle on.
    pub(crate) fn new(cycle: u64, vera: &Vera) -> Activity {
        let bins = Bins::new(cycle);
        Activity { all: bins.clone(), frame: bins, number: vera.frames(), last: None, frames: 0 }
    }

    /// Counts an access that is about to happen.
    pub(super) fn note(&mut self, vera: &Vera, access: &Access) {
        if vera.frames() != self.number {
            self.number = vera.frames();
            self.frames += 1;
            self.last = Some(std::mem::replace(&mut self.frame, Bins::new(access.cycle)));
        }
        let row = row(access.register, vera.dcsel());
        for bins in [&mut self.all, &mut self.frame] {
            bins.count(access.cycle, row, !access.kind.is_write());
        }
    }

    /// What happened up to a cycle. A frame is shown by itself where there is a whole one behind that of the start.
    pub(crate) fn timelines(&self, cycle: u64) -> Vec<Timeline> {
        let all = self.all.timeline("", cycle.saturating_sub(self.all.start));
        let last = self.last.as_ref().filter(|_| self.frames > 1);
        let last = last.map(|bins| bins.timeline("The last whole frame", CYCLES_PER_FRAME));
        std::iter::once(all).chain(last).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kind;

    fn access(cycle: u64, register: u8, kind: Kind) -> Access {
        Access { cycle, register, kind, value: 0 }
    }

    fn spans(timeline: &Timeline, name: &str) -> Vec<(std::ops::Range<u64>, u16, bool)> {
        let track = timeline.tracks.iter().find(|track| track.name == name).unwrap();
        track.spans.iter().map(|busy| (busy.time.clone(), busy.share, busy.is_second)).collect()
    }

    /// 2,048 pieces of a cycle each at first, of 16 cycles where 30,720 have passed.
    #[test]
    fn pieces_become_longer_as_time_goes_on() {
        let vera = Vera::default();
        let mut activity = Activity::new(100, &vera);
        activity.note(&vera, &access(103, 4, Kind::Write));
        activity.note(&vera, &access(100 + 2047, 3, Kind::Read));
        let early = &activity.timelines(100 + 2048)[0];
        assert_eq!((early.end, spans(early, "DATA1")), (2048, vec![(3..4, 1000, false)]));
        assert_eq!(spans(early, "DATA0"), [(2047..2048, 1000, true)]);
        // 16 cycles a piece: one access in them is a quarter of what fits.
        activity.note(&vera, &access(100 + 2048 * 15, 4, Kind::WriteBack));
        let late = &activity.timelines(100 + 2048 * 16)[0];
        let first = (0..16, 250, false);
        assert_eq!(spans(late, "DATA1"), [first, (2048 * 15..2048 * 15 + 16, 250, false)]);
        assert_eq!(spans(late, "DATA0"), [(2032..2048, 250, true)]);
        assert_eq!(spans(late, "FX cache"), []);
    }

    /// The banks behind 09 to 0C are rows of their own.
    #[test]
    fn registers_are_where_their_bank_is() {
        let mut vera = Vera::default();
        let mut activity = Activity::new(0, &vera);
        for (number, dcsel) in (0..7).enumerate() {
            vera.write(5, dcsel << 1);
            activity.note(&vera, &access(number as u64, 0x0a, Kind::Write));
        }
        let all = &activity.timelines(7)[0];
        for (name, count) in [("display", 2), ("FX control", 1), ("FX position", 3), ("FX cache", 1)] {
            assert_eq!(spans(all, name).len(), count, "{name}");
        }
    }

    /// The first frame is that of the start, the last is not whole.
    #[test]
    fn the_last_whole_frame_is_shown_by_itself() {
        let mut vera = Vera::default();
        let mut activity = Activity::new(0, &vera);
        for (cycle, register) in [(10, 3), (CYCLES_PER_FRAME + 10, 4), (CYCLES_PER_FRAME + 50, 6)] {
            activity.note(&vera, &access(cycle, register, Kind::Write));
            if register == 3 {
                vera.advance_frame();
            }
        }
        assert_eq!(activity.timelines(2 * CYCLES_PER_FRAME).len(), 1);
        vera.advance_frame();
        activity.note(&vera, &access(2 * CYCLES_PER_FRAME + 10, 8, Kind::Write));
        let both = activity.timelines(2 * CYCLES_PER_FRAME + 20);
        let [_, last] = &both[..] else { panic!("{both:?}") };
        assert_eq!((last.name, last.end), ("The last whole frame", CYCLES_PER_FRAME));
        assert_eq!(spans(last, "DATA1"), [(0..1, 1000, false)]);
        assert_eq!(spans(last, "interrupts"), [(40..41, 1000, false)]);
        assert_eq!(spans(last, "DATA0"), []);
    }
}
