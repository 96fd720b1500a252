//! The verb `check`: how large a program is and what it costs, and what a scene is.

use crate::Program;
use gpuzoo_diag::counted;
use gpuzoo_isa::Room;
use gpuzoo_machine::Cost;
use gpuzoo_machine::text::grouped;
use serde::Serialize;
use std::fmt::Write;

/// Size and costs of a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Figures {
    /// Slots used.
    pub slots: usize,
    /// Those of them that the assembler added to what the text says.
    pub added: usize,
    /// The most slots of a program, where the machine counts slots.
    pub max_slots: Option<usize>,
    /// 32-bit words used.
    pub words: usize,
    /// The most 32-bit words of a program, where the machine counts words.
    pub max_words: Option<usize>,
    /// The costs of one run.
    pub costs: Vec<RunCost>,
}

/// One of the costs of a run: for one vertex, or one fragment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct RunCost {
    /// The unit: `instructions executed`.
    pub name: &'static str,
    /// The number of them that a run takes.
    pub per_run: u64,
    /// The number of them that a frame has, where the machine has a budget.
    pub frame_budget: Option<u64>,
    /// The number of runs that stay below the budget, where there is one and a run costs something.
    pub runs_per_frame: Option<u64>,
    /// Origin of the figure, or a caveat.
    pub note: &'static str,
}

impl From<Cost> for RunCost {
    fn from(cost: Cost) -> RunCost {
        let runs_per_frame = runs_per_frame(&cost);
        let Cost { name, per_run, frame_budget, note } = cost;
        RunCost { name, per_run, frame_budget, runs_per_frame, note }
    }
}

/// The size and the costs of a program.
pub fn figures(program: &Program) -> Figures {
    let code = program.code();
    let (slots, words) = (code.slots.len(), code.words(program.isa()).len());
    let added = program.gpu().added(code);
    let costs = program.costs().into_iter().map(RunCost::from).collect();
    Figures::of([slots, added, words], program.isa().room, costs)
}

/// How many runs stay below the frame budget, where there is one and a run costs something.
pub fn runs_per_frame(cost: &Cost) -> Option<u64> {
    cost.frame_budget?.saturating_sub(1).checked_div(cost.per_run)
}

impl Figures {
    fn of([slots, added, words]: [usize; 3], room: Room, costs: Vec<RunCost>) -> Figures {
        let (max_slots, max_words) = match room {
            Room::Slots(most) => (Some(most), None),
            Room::Words(most) => (None, Some(most)),
            Room::Unknown => (None, None),
        };
        Figures { slots, added, max_slots, words, max_words, costs }
    }

    /// A few lines for people.
    pub fn text(&self) -> String {
        let (slots, words) = (self.slots, self.words);
        let mut text = match (self.max_slots, self.max_words) {
            (Some(most), _) => format!("{slots} of {most} slots"),
            (None, Some(most)) => format!("{}, {words} of {most} words", counted(slots, "instruction")),
            (None, None) => counted(slots, "instruction"),
        };
        if self.added > 0 {
            let _ = write!(text, "; the assembler added {} of the {slots}", self.added);
        }
        text.push('\n');
        for cost in &self.costs {
            let _ = write!(text, "{}: {}", cost.name, grouped(cost.per_run));
            if let (Some(runs), Some(budget)) = (cost.runs_per_frame, cost.frame_budget) {
                let (runs, budget) = (grouped(runs), grouped(budget));
                let _ = write!(text, "; {runs} vertices a frame stay below its budget of {budget}");
            }
            let _ = writeln!(text, " ({})", cost.note);
        }
        text
    }
}

/// What there is to say of a scene that is not drawn.
#[cfg(feature = "render")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SceneFigures {
    /// The id of its machine.
    pub gpu: &'static str,
    /// How many draws each frame has.
    pub draws: usize,
    /// How many frames there are.
    pub frames: u32,
    /// Width and height of the picture, in pixels.
    pub size: (u32, u32),
}

#[cfg(feature = "render")]
impl SceneFigures {
    /// The figures of a scene.
    pub fn of(scene: &gpuzoo_scene::Scene) -> SceneFigures {
        let (draws, frames) = (scene.draws().len(), scene.frame_count());
        SceneFigures { gpu: scene.gpu.about().id, draws, frames, size: scene.size() }
    }

    /// A line for people.
    pub fn text(&self) -> String {
        let SceneFigures { gpu, draws, frames, size: (width, height) } = self;
        let (draws, frames) = (counted(*draws, "draw"), counted(*frames, "frame"));
        format!("a scene for {gpu}: {draws}, {frames} of {width} × {height} pixels\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A limit is shown if it is the machine's, and in what it is counted.
    #[test]
    fn sizes_are_compared_with_what_is_known() {
        let size = |room| {
            let figures = Figures::of([3, 0, 7], room, Vec::new());
            (figures.text(), figures.max_slots, figures.max_words)
        };
        assert_eq!(size(Room::Slots(64)), ("3 of 64 slots\n".into(), Some(64), None));
        assert_eq!(size(Room::Words(511)), ("3 instructions, 7 of 511 words\n".into(), None, Some(511)));
        let figures = Figures::of([26, 24, 30], Room::Words(511), Vec::new());
        assert_eq!(figures.text(), "26 instructions, 30 of 511 words; the assembler added 24 of the 26\n");
        assert_eq!(size(Room::Unknown), ("3 instructions\n".into(), None, None));
    }

    #[test]
    fn runs_stay_below_the_budget() {
        let cost = |per_run, frame_budget| Cost { name: "", per_run, frame_budget, note: "" };
        // 120,000 runs of 10 use the budget up, which skips a frame (dreambox spec section 7): one fewer fits.
        assert_eq!(runs_per_frame(&cost(10, Some(1_200_000))), Some(119_999));
        assert_eq!(runs_per_frame(&cost(7, Some(1_200_000))), Some(171_428));
        assert_eq!(runs_per_frame(&cost(0, Some(10))), None);
        assert_eq!(runs_per_frame(&cost(10, None)), None);
    }
}
