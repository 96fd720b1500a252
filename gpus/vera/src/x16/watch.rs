//! Observers of how the CPU uses VERA: a recorder, the lints, the log of a step, and what is used when.

use super::activity::Activity;
use super::{X16, kernal};
use crate::Vera;
use crate::lints::{Lints, Memory, Place};
use crate::trace::Recording;
use gpuzoo_diag::Diagnostic;

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

impl X16 {
    /// Writes a bus trace from now on. For a trace that others can replay, call it before the program is loaded: it then begins with
    /// what the stand-ins for a ROM have set up, and a comment says where the program starts.
    pub fn record(&mut self) {
        self.watch().recording = Some(Recording::default());
        if self.bus.cycles == 0 && !self.bus.has_rom() {
            kernal::set_up(&mut self.bus);
        }
    }

    /// Ends the recording: the trace, if there was one, and a warning if it is not all.
    pub fn recorded(&mut self) -> Option<(String, Option<Diagnostic>)> {
        let recording = self.watch().recording.take();
        self.drop_idle_watch();
        let recording = recording?;
        let remark = recording.remark();
        Some((recording.finish(&self.bus.vera), remark))
    }

    /// Says in a recording that a program begins here: what comes before is what a ROM, or what stands in for it, has set up.
    pub(super) fn mark_start(&mut self) {
        if let Some(recording) = self.bus.watch.as_mut().and_then(|watch| watch.recording.as_mut()) {
            recording.mark_start();
        }
    }
}
