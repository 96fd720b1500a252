//! The verb `check`: how large a program is and what it costs, and what a scene is.

use crate::Program;
use gpuzoo_diag::counted;
use gpuzoo_isa::Room;
use gpuzoo_machine::Cost;
use gpuzoo_machine::text::grouped;
use serde_json::{Value as Json, json};
use std::fmt::Write;

/// Size and costs.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Figures {
    /// Slots used.
    pub slots: usize,
    /// Those of them that the assembler added to what the text says.
    pub added: usize,
    /// 32-bit words used.
    pub words: usize,
    /// How long a program may be.
    pub room: Room,
    /// What it costs.
    pub costs: Vec<Cost>,
}

/// The size and the costs of a program.
pub fn figures(program: &Program) -> Figures {
    let code = program.code();
    let (slots, words) = (code.slots.len(), code.words(program.isa()).len());
    let added = program.gpu().added(code);
    Figures { slots, added, words, room: program.isa().room, costs: program.costs() }
}

/// How many runs stay below the frame budget, where there is one and a run costs something.
pub fn runs_per_frame(cost: &Cost) -> Option<u64> {
    cost.frame_budget?.saturating_sub(1).checked_div(cost.per_run)
}

impl Figures {
    /// A few lines for people.
    pub fn text(&self) -> String {
        let (slots, words) = (self.slots, self.words);
        let mut text = match self.room {
            Room::Slots(most) => format!("{slots} of {most} slots"),
            Room::Words(most) => format!("{}, {words} of {most} words", counted(slots, "instruction")),
            Room::Unknown => counted(slots, "instruction"),
        };
        if self.added > 0 {
            let _ = write!(text, "; the assembler added {} of the {slots}", self.added);
        }
        text.push('\n');
        for cost in &self.costs {
            let _ = write!(text, "{}: {}", cost.name, grouped(cost.per_run));
            if let (Some(runs), Some(budget)) = (runs_per_frame(cost), cost.frame_budget) {
                let (runs, budget) = (grouped(runs), grouped(budget));
                let _ = write!(text, "; {runs} vertices a frame stay below its budget of {budget}");
            }
            let _ = writeln!(text, " ({})", cost.note);
        }
        text
    }

    /// The same for scripts.
    pub fn json(&self) -> Json {
        let cost = |cost: &Cost| {
            json!({
                "name": cost.name,
                "per_run": cost.per_run,
                "frame_budget": cost.frame_budget,
                "runs_per_frame": runs_per_frame(cost),
                "note": cost.note,
            })
        };
        let costs: Vec<Json> = self.costs.iter().map(cost).collect();
        let (max_slots, max_words) = match self.room {
            Room::Slots(most) => (Some(most), None),
            Room::Words(most) => (None, Some(most)),
            Room::Unknown => (None, None),
        };
        json!({
            "slots": self.slots,
            "added": self.added,
            "max_slots": max_slots,
            "words": self.words,
            "max_words": max_words,
            "costs": costs,
        })
    }
}

/// What there is to say of a scene that is not drawn.
#[cfg(feature = "render")]
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct SceneFigures {
    /// Its machine.
    pub gpu: &'static str,
    /// How many draws each frame has.
    pub draws: usize,
    /// How many frames there are.
    pub frames: u32,
    /// Width and height of the picture.
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

    /// The same for scripts.
    pub fn json(&self) -> Json {
        let SceneFigures { gpu, draws, frames, size: (width, height) } = self;
        json!({ "gpu": gpu, "draws": draws, "frames": frames, "size": [width, height] })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A limit is shown if it is the machine's, and in what it is counted.
    #[test]
    fn sizes_are_compared_with_what_is_known() {
        let size = |room| {
            let figures = Figures { slots: 3, added: 0, words: 7, room, costs: Vec::new() };
            (figures.text(), figures.json()["max_slots"].clone(), figures.json()["max_words"].clone())
        };
        assert_eq!(size(Room::Slots(64)), ("3 of 64 slots\n".into(), json!(64), json!(null)));
        assert_eq!(
            size(Room::Words(511)),
            ("3 instructions, 7 of 511 words\n".into(), json!(null), json!(511))
        );
        let figures = Figures { slots: 26, added: 24, words: 30, room: Room::Words(511), costs: Vec::new() };
        assert_eq!(figures.text(), "26 instructions, 30 of 511 words; the assembler added 24 of the 26\n");
        assert_eq!(size(Room::Unknown), ("3 instructions\n".into(), json!(null), json!(null)));
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
