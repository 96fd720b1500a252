//! Witnesses of how the CPU uses VERA: a recorder, the lints, the log of a step, and what is used when.

use crate::access::{Access, Kind};
use crate::activity::Activity;
use crate::lints::{Lints, Place};
use gpuzoo_vera::Vera;
use gpuzoo_vera::trace::Recording;

/// The witnesses of a machine.
#[derive(Clone, Default, PartialEq)]
pub(crate) struct Watch {
    pub recording: Option<Recording>,
    pub lints: Option<Lints>,
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
