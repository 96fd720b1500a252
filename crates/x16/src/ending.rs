//! How a run ends.

use crate::rules::{ASLEEP, LIMIT, NO_FILES, OFF, ROM_CALL};
use crate::{CYCLES_PER_FRAME, kernal};
use gpuzoo_diag::{Diagnostic, Severity, Span, counted};
use gpuzoo_stored::stored;

/// How far a run may go: to the limit that is met first. Without both, a program that does not end runs forever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Frames: the run ends when so many more pictures are complete. A reset of VERA begins its picture anew, so that a program may complete none:
    /// without a limit of cycles the run also ends after the time of twice as many and two.
    pub frames: Option<u64>,
    /// CPU cycles; the instruction that meets the limit is finished.
    pub cycles: Option<u64>,
}

impl Default for Limits {
    /// 600 frames, which are ten seconds.
    fn default() -> Limits {
        Limits { frames: Some(600), cycles: None }
    }
}

impl Limits {
    /// A number of frames.
    pub fn frames(frames: u64) -> Limits {
        Limits { frames: Some(frames), cycles: None }
    }

    /// A number of CPU cycles.
    pub fn cycles(cycles: u64) -> Limits {
        Limits { frames: None, cycles: Some(cycles) }
    }

    /// The cycles that a run may take.
    pub(crate) fn most_cycles(&self) -> Option<u64> {
        self.cycles.or(self.frames.map(|frames| patience(frames).saturating_mul(CYCLES_PER_FRAME)))
    }

    /// The end of a run that has taken them, and has completed so many frames.
    pub(crate) fn spent(&self, frames: u64, cycles: u64, pc: u16) -> Ending {
        match *self {
            Limits { frames: Some(wanted @ 1..), cycles: None } => Ending::Incomplete { frames, wanted, pc },
            _ => Ending::Cycles { cycles, pc },
        }
    }
}

/// In the time of how many frames so many must be complete: a program may reset VERA a few times.
fn patience(frames: u64) -> u64 {
    frames.saturating_add(1).saturating_mul(2)
}

/// Why a run is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The routine that the run began with returned.
    Returned,
    /// STP.
    Stopped {
        /// Its address.
        pc: u16,
    },
    /// BRK, and the program has no handler for it at $0316.
    Broke {
        /// Its address.
        pc: u16,
    },
    /// WAI, and no interrupt is enabled.
    Asleep {
        /// The address after WAI.
        pc: u16,
    },
    /// A call into the ROM, which is not there.
    RomCall {
        /// What is called.
        address: u16,
        /// The instruction that calls it.
        pc: u16,
    },
    /// The program switched the machine off.
    PoweredOff {
        /// Where it was.
        pc: u16,
    },
    /// The program reset the machine, and there is no ROM to start.
    Reset {
        /// Where it was.
        pc: u16,
    },
    /// A call for a file, and the machine has none.
    NoFiles {
        /// The routine that is called.
        address: u16,
        /// The instruction that calls it.
        pc: u16,
        /// The name that was set for it.
        name: String,
    },
    /// The limit of frames was met.
    Frames {
        /// How many were run.
        frames: u64,
        /// Where the program was.
        pc: u16,
        /// It waited there: in a jump to itself, or in WAI.
        idle: bool,
        /// Its first routine had returned, and what it has left for interrupts went on.
        returned: bool,
    },
    /// The limit of cycles was met.
    Cycles {
        /// How many were run.
        cycles: u64,
        /// Where the program was.
        pc: u16,
    },
    /// There was time enough for more than twice the frames that were wanted, but VERA did not complete them.
    Incomplete {
        /// How many it completed.
        frames: u64,
        /// How many were wanted.
        wanted: u64,
        /// Where the program was.
        pc: u16,
    },
}

stored! {
    enum Ending {
        Returned, Stopped { pc: u16 }, Broke { pc: u16 }, Asleep { pc: u16 }, RomCall { address: u16, pc: u16 }, PoweredOff { pc: u16 },
        Reset { pc: u16 }, NoFiles { address: u16, pc: u16, name: String },
        Frames { frames: u64, pc: u16, idle: bool, returned: bool }, Cycles { cycles: u64, pc: u16 },
        Incomplete { frames: u64, wanted: u64, pc: u16 },
    }
}

impl Ending {
    /// In a line, without a full stop.
    ///
    /// ```
    /// use gpuzoo_x16::Ending;
    /// assert_eq!(Ending::Broke { pc: 0x0810 }.text(), "BRK at $0810");
    /// ```
    pub fn text(&self) -> String {
        match self {
            Ending::Returned => "the program returned".to_owned(),
            Ending::Stopped { pc } => format!("STP at ${pc:04X}"),
            Ending::Broke { pc } => format!("BRK at ${pc:04X}"),
            Ending::Asleep { pc } => {
                format!("WAI before ${pc:04X} waits forever: no interrupt is enabled")
            }
            Ending::RomCall { address, pc } => {
                let name = kernal::name(*address).map(|name| format!(" ({name})")).unwrap_or_default();
                format!("no ROM: the program calls ${address:04X}{name} at ${pc:04X}")
            }
            Ending::PoweredOff { pc } => format!("the program switched the machine off before ${pc:04X}"),
            Ending::Reset { pc } => {
                format!("the program reset the machine before ${pc:04X}, and there is no ROM to start")
            }
            Ending::NoFiles { address, pc, name } => {
                let routine = kernal::name(*address).unwrap_or_default();
                format!(
                    "no files: {routine} (${address:04X}), called at ${pc:04X}, wants `{name}` of device 8"
                )
            }
            Ending::Frames { frames, returned: true, .. } => {
                format!(
                    "stopped after {}; the program has returned, and its interrupts go on",
                    counted(frames, "frame")
                )
            }
            Ending::Frames { frames, pc, idle: true, .. } => {
                format!("stopped after {}; the program idles at ${pc:04X}", counted(frames, "frame"))
            }
            Ending::Frames { frames, pc, .. } => {
                format!("stopped after {} at ${pc:04X}", counted(frames, "frame"))
            }
            Ending::Cycles { cycles, pc } => {
                format!("stopped after {} at ${pc:04X}", counted(cycles, "cycle"))
            }
            Ending::Incomplete { frames, wanted, pc } => format!(
                "stopped at ${pc:04X} after the time of {}: {frames} of {wanted} were completed",
                counted(patience(*wanted), "frame")
            ),
        }
    }

    /// The program is over: it cannot go on.
    pub fn is_final(&self) -> bool {
        !matches!(self, Ending::Frames { .. } | Ending::Cycles { .. } | Ending::Incomplete { .. })
    }

    /// What there is to say to the user: an error for a program that cannot go on, a note for one that met its limit,
    /// nothing for one that ended. `place` finds the source line of an address.
    pub fn diagnostic(&self, place: &dyn Fn(u16) -> Option<Span>) -> Option<Diagnostic> {
        let (severity, code, pc) = match *self {
            Ending::Returned | Ending::Stopped { .. } | Ending::Broke { .. } => return None,
            Ending::PoweredOff { pc } => (Severity::Note, &OFF, pc),
            Ending::Reset { pc } => (Severity::Error, &OFF, pc),
            Ending::RomCall { pc, .. } => (Severity::Error, &ROM_CALL, pc),
            Ending::NoFiles { pc, .. } => (Severity::Error, &NO_FILES, pc),
            Ending::Asleep { pc } => (Severity::Error, &ASLEEP, pc.wrapping_sub(1)),
            Ending::Frames { pc, idle, returned, .. } if idle || returned => (Severity::Note, &LIMIT, pc),
            Ending::Frames { pc, .. } | Ending::Cycles { pc, .. } | Ending::Incomplete { pc, .. } => {
                (Severity::Warning, &LIMIT, pc)
            }
        };
        let mut diagnostic = Diagnostic::new(severity, code, self.text());
        if let Some(span) = place(pc) {
            diagnostic = diagnostic.label(span, "");
        }
        Some(match self {
            Ending::RomCall { .. } => diagnostic.help(
                "give an image of the Commander's ROM with `--rom`; `gpuzoo explain V0303` says what there are stand-ins for",
            ),
            Ending::NoFiles { .. } => diagnostic.help(
                "give the folder with the program's files: `--files DIR`",
            ),
            Ending::Asleep { .. } => diagnostic.help("enable VSYNC before the WAI: write 1 to IEN ($9F26)"),
            Ending::Reset { .. } => diagnostic.help("give an image of the Commander's ROM with `--rom`"),
            Ending::PoweredOff { .. } => diagnostic,
            Ending::Frames { idle, returned, .. } if *idle || *returned => diagnostic,
            Ending::Incomplete { .. } => diagnostic.help(
                "a reset of VERA (bit 7 of CTRL) begins the picture anew: reset it once; `--cycles N` runs on whatever is completed",
            ),
            Ending::Cycles { .. } => diagnostic.help("allow more cycles, or end the program with STP or RTS"),
            _ => diagnostic.help(
                "allow more frames, end the program with STP or RTS, or type what it waits for (`--keys`)",
            ),
        })
    }
}
