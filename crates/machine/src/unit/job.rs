//! Jobs: draws that are given as a machine's raw commands rather than as a scene.

use crate::computer::timeline::Timeline;
use crate::limits::budget::Budget;
use crate::session::ShaderSession;
use crate::unit::draw::DrawReport;
use gpuzoo_isa::Profile;
use gpuzoo_raster::{Image, Target, Touch};
use serde_json::{Map, Value as Json};

gpuzoo_diag::codes! {
    NOT_A_JOB = "R0706", "scene that no job can say",
        "A job is what one run of the machine is given: one picture, and settings that are the same for all draws. A scene whose draws \
         differ in these, or draw on other targets than the screen, is more than one job.";
}

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

/// A fragment of a draw that met a pixel, and the runs behind it.
#[derive(Clone, Debug)]
pub struct FragmentRuns {
    /// The number of its draw.
    pub draw: usize,
    /// The fragment.
    pub touch: Touch,
    /// Its run of the fragment program, if there is one.
    pub fragment: Option<ShaderSession>,
    /// The runs of the vertex program for the three vertices of its triangle; of a line the second counts twice.
    pub vertices: [ShaderSession; 3],
}

/// A pixel of a job's picture.
#[derive(Clone, Debug)]
pub struct PixelRuns {
    /// The picture.
    pub image: Image,
    /// Every fragment that met the pixel, in the order of drawing; none for a pixel that is not there.
    pub fragments: Vec<FragmentRuns>,
}

/// A draw of a job that is written.
#[derive(Clone, Debug, PartialEq)]
pub struct WrittenDraw {
    /// What it says of itself: a list's element.
    pub own: Json,
    /// What it says of the whole job, by key.
    pub shared: Map<String, Json>,
}

/// What is the same for all draws of a job that is written.
#[derive(Clone, Debug, Default)]
pub struct JobHead {
    /// What it is called.
    pub title: String,
    /// Width and height of the picture.
    pub size: (u32, u32),
    /// What pixels hold at the beginning: red, green, blue, alpha.
    pub color: [u8; 4],
    /// What depths are at the beginning.
    pub depth: f32,
    /// The name of the file with the picture that comes out, for [`conform`](crate::vectors).
    pub image: Option<String>,
}

/// What a job gave.
#[derive(Clone, Debug)]
pub struct JobDone {
    /// The picture, the depths, and the notes.
    pub target: Target,
    /// What each draw did.
    pub reports: Vec<DrawReport>,
    /// The words of each draw's programs: vertex, fragment.
    pub programs: Vec<[Vec<u32>; 2]>,
    /// What all of it cost, in the unit of the draws, and where that went.
    pub cost: u64,
    /// Parts of the cost.
    pub breakdown: Vec<(&'static str, u64)>,
    /// The VCD file, if it was asked for.
    pub waves: Option<Vec<u8>>,
    /// What the machine's blocks did, if that was asked for.
    pub timeline: Option<Timeline>,
}
