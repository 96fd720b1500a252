//! Observers of how the CPU uses VERA: a recorder, the lints, the log of a step, and what is used when.

use super::activity::Activity;
use crate::Vera;
use crate::lints::{Lints, Memory, Place};
use crate::trace::Recording;

/// What an access of VERA is to the CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A read.
    Read,
    /// A read whose value the CPU drops; VERA cannot distinguish it.
    Dummy,
    /// A write.
    Write,
    /// The write that ends a read-modify-write instruction.
    WriteBack,
}

impl Kind {
    /// True for both kinds of write.
    pub fn is_write(self) -> bool {
        matches!(self, Kind::Write | Kind::WriteBack)
    }
}

/// An access of VERA.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// CPU cycles since power-on, this one included.
    pub cycle: u64,
    /// 0 to 31.
    pub register: u8,
    /// What it is to the CPU.
    pub kind: Kind,
    /// What was read or written.
    pub value: u8,
}

#[derive(Clone, Default, PartialEq)]
pub(crate) struct Watch {
    pub recording: Option<Recording>,
    pub lints: Option<Lints>,
    pub memory: Option<Memory>,
    pub log: Option<Vec<Access>>,
    pub activity: Option<Activity>,
}

impl Watch {
    pub(super) fn is_idle(&self) -> bool {
        self.recording.is_none() && self.lints.is_none() && self.log.is_none() && self.activity.is_none()
    }

    pub(super) fn before(&mut self, vera: &Vera, access: &Access, place: Place) {
        if let Some(lints) = &mut self.lints {
            lints.access(vera, access, place);
        }
        if let Some(activity) = &mut self.activity {
            activity.note(vera, access);
        }
    }

    pub(super) fn after(&mut self, register: u8, kind: Kind, value: u8, cycle: u64) {
        if let Some(recording) = &mut self.recording {
            recording.note(kind.is_write(), register, value);
        }
        if let Some(log) = &mut self.log {
            log.push(Access { cycle, register, kind, value });
        }
    }

    pub(super) fn interrupted(&mut self, enters: bool) {
        if let Some(lints) = &mut self.lints {
            lints.interrupted(enters);
        }
    }
}
