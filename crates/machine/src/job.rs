//! Jobs: draws that are given as a machine's raw commands rather than as a scene.

use crate::budget::Budget;
use crate::draw::DrawReport;
use crate::timeline::Timeline;
use gpuzoo_isa::Profile;
use gpuzoo_raster::Target;

/// How a job is run.
#[derive(Clone, Debug, Default)]
pub struct JobOptions {
    /// The numeric profile, in place of the job's own.
    pub profile: Option<Profile>,
    /// Lifts the machine's limits of memory and counters, even if the job sets them.
    pub no_limits: bool,
    /// Takes notes for views.
    pub notes: bool,
    /// Records what the machine's blocks do, as a VCD file.
    pub waves: bool,
    /// Keeps what the machine's blocks do, to be drawn.
    pub timeline: bool,
    /// What it may use.
    pub budget: Budget,
}

/// What a job gave.
#[derive(Clone, Debug)]
pub struct JobDone {
    /// The picture, the depths, and the notes.
    pub target: Target,
    /// What each draw did.
    pub reports: Vec<DrawReport>,
    /// What all of it cost, in the unit of the draws, and where that went.
    pub cost: u64,
    /// Parts of the cost.
    pub breakdown: Vec<(&'static str, u64)>,
    /// The VCD file, if it was asked for.
    pub waves: Option<Vec<u8>>,
    /// What the machine's blocks did, if that was asked for.
    pub timeline: Option<Timeline>,
}
