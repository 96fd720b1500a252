//! How a run ends.

use super::kernal;
use super::rules::{ASLEEP, LIMIT, NO_FILES, ROM_CALL};
use gpuzoo_diag::{Diagnostic, Severity, Span, counted};

/// How far a run may go: to the limit that is met first. Without both, a program that does not end runs forever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Frames: the run ends when so many more pictures are complete.
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
    },
    /// The limit of cycles was met.
    Cycles {
        /// How many were run.
        cycles: u64,
        /// Where the program was.
        pc: u16,
    },
}

impl Ending {
    /// In a line, without a full stop.
    ///
    /// ```
    /// use gpuzoo_vera::x16::Ending;
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
            Ending::NoFiles { address, pc, name } => {
                let routine = kernal::name(*address).unwrap_or_default();
                format!(
                    "no files: {routine} (${address:04X}), called at ${pc:04X}, wants `{name}` of device 8"
                )
            }
            Ending::Frames { frames, pc, idle: true } => {
                format!("stopped after {}; the program idles at ${pc:04X}", counted(frames, "frame"))
            }
            Ending::Frames { frames, pc, idle: false } => {
                format!("stopped after {} at ${pc:04X}", counted(frames, "frame"))
            }
            Ending::Cycles { cycles, pc } => {
                format!("stopped after {} at ${pc:04X}", counted(cycles, "cycle"))
            }
        }
    }

    /// The program is over: it cannot go on.
    pub fn is_final(&self) -> bool {
        !matches!(self, Ending::Frames { .. } | Ending::Cycles { .. })
    }

    /// What there is to say to the user: an error for a program that cannot go on, a note for one that met its limit,
    /// nothing for one that ended. `place` finds the source line of an address.
    pub fn diagnostic(&self, place: &dyn Fn(u16) -> Option<Span>) -> Option<Diagnostic> {
        let (severity, code, pc) = match *self {
            Ending::Returned | Ending::Stopped { .. } | Ending::Broke { .. } => return None,
            Ending::RomCall { pc, .. } => (Severity::Error, &ROM_CALL, pc),
            Ending::NoFiles { pc, .. } => (Severity::Error, &NO_FILES, pc),
            Ending::Asleep { pc } => (Severity::Error, &ASLEEP, pc.wrapping_sub(1)),
            Ending::Frames { pc, idle: true, .. } => (Severity::Note, &LIMIT, pc),
            Ending::Frames { pc, .. } | Ending::Cycles { pc, .. } => (Severity::Warning, &LIMIT, pc),
        };
        let mut diagnostic = Diagnostic::new(severity, code, self.text());
        if let Some(span) = place(pc) {
            diagnostic = diagnostic.label(span, "");
        }
        Some(match self {
            Ending::RomCall { .. } => diagnostic.help(
                "give an image of the Commander's ROM with `--rom`, or do without the KERNAL: CHROUT, GETIN, SCREEN_MODE, \
                 RDTIM, STOP and those for files have stand-ins",
            ),
            Ending::NoFiles { .. } => diagnostic.help(
                "give the folder with the program's files: `--files DIR`",
            ),
            Ending::Asleep { .. } => diagnostic.help("enable VSYNC before the WAI: write 1 to IEN ($9F26)"),
            Ending::Frames { idle: true, .. } => diagnostic,
            Ending::Cycles { .. } => diagnostic.help("allow more cycles, or end the program with STP or RTS"),
            _ => diagnostic.help("allow more frames, or end the program with STP or RTS"),
        })
    }
}
