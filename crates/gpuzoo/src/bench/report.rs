//! What was measured, as a table and as JSON.

use super::{Row, SceneRow};
use crate::list::Listing;
use crate::paint::Paint;
use gpuzoo_diag::counted;
use serde::Serialize;

/// Everything that one call of `bench` measured.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The instruction set of the engine.
    pub level: &'static str,
    /// Threads of the figures that are not for one thread.
    pub threads: usize,
    /// What the yardstick was compiled with; none without one.
    pub compiler: Option<String>,
    /// Programs.
    pub rows: Vec<Row>,
    /// Scenes.
    pub scenes: Vec<SceneRow>,
}

/// Three digits that count.
fn short(number: f64) -> String {
    match number {
        number if number >= 100.0 => format!("{number:.0}"),
        number if number >= 10.0 => format!("{number:.1}"),
        number => format!("{number:.2}"),
    }
}

fn optional(number: Option<f64>) -> String {
    number.map_or_else(|| "-".to_owned(), short)
}

impl Report {
    /// For people.
    pub fn text(&self) -> String {
        let mut text = format!("SIMD {}, {}", self.level, counted(self.threads, "thread"));
        if let Some(compiler) = &self.compiler {
            text += &format!("; yardstick: {compiler}");
        }
        text.push('\n');
        if !self.rows.is_empty() {
            text += "\nMillion lanes a second; the engine on one thread, on all, the evaluator, C on one thread.\n";
            let rows = self.rows.iter().map(|row| {
                let million = |speed: f64| short(speed / 1e6);
                let same = match row.same {
                    Some(false) => "DIFFERENT",
                    Some(true) => "same",
                    None => "-",
                };
                vec![
                    format!("{} {} {}", row.gpu, row.profile, row.program),
                    row.lanes.to_string(),
                    million(row.engine),
                    optional(row.threaded.map(|speed| speed / 1e6)),
                    million(row.evaluator),
                    optional(row.yardstick.map(|speed| speed / 1e6)),
                    optional(row.ratio),
                    same.to_owned(),
                    format!("{:.3}", row.ns_per_instruction()),
                    short(row.gflops()),
                ]
            });
            let columns = &[
                "program",
                "lanes",
                "engine",
                "threads",
                "evaluator",
                "C",
                "engine/C",
                "bits",
                "ns/instr",
                "Gop/s",
            ];
            text += &Listing::new(columns, rows.collect()).text(Paint::PLAIN);
        }
        if !self.scenes.is_empty() {
            text += "\nMillion fragments a second in whole draws.\n";
            let rows = self.scenes.iter().map(|row| {
                vec![
                    format!("{} {}", row.gpu, row.scene),
                    row.primitives.to_string(),
                    row.fragments.to_string(),
                    short(row.single / 1e6),
                    optional(row.threaded.map(|speed| speed / 1e6)),
                ]
            });
            let columns = &["scene", "primitives", "fragments", "one thread", "threads"];
            text += &Listing::new(columns, rows.collect()).text(Paint::PLAIN);
        }
        text
    }

    /// For scripts.
    pub fn json(&self) -> Measured<'_> {
        let programs = self.rows.iter().map(|row| MeasuredProgram {
            gpu: row.gpu,
            program: &row.program,
            profile: row.profile,
            lanes: row.lanes,
            instructions: row.instructions,
            operations: row.operations,
            engine: row.engine,
            engine_threads: row.threaded,
            evaluator: row.evaluator,
            yardstick: row.yardstick,
            ratio: row.ratio,
            same_bits: row.same,
            ns_per_instruction: row.ns_per_instruction(),
            gflops: row.gflops(),
        });
        let scenes = self.scenes.iter().map(|row| MeasuredScene {
            gpu: row.gpu,
            scene: row.scene,
            primitives: row.primitives,
            fragments: row.fragments,
            single: row.single,
            threads: row.threaded,
        });
        Measured {
            simd: self.level,
            threads: self.threads,
            compiler: self.compiler.as_deref(),
            programs: programs.collect(),
            scenes: scenes.collect(),
        }
    }
}

/// Everything that was measured, for scripts.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Measured<'a> {
    /// The instruction set of the engine.
    pub simd: &'static str,
    /// The number of threads of the figures that are not for one thread.
    pub threads: usize,
    /// The compiler of the yardstick; none without one.
    pub compiler: Option<&'a str>,
    /// Programs.
    pub programs: Vec<MeasuredProgram<'a>>,
    /// Scenes.
    pub scenes: Vec<MeasuredScene>,
}

/// A program's figures. Speeds are lanes a second.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct MeasuredProgram<'a> {
    /// The id of the machine.
    pub gpu: &'static str,
    /// The program's name.
    pub program: &'a str,
    /// The name of the profile.
    pub profile: &'static str,
    /// Lanes of a run.
    pub lanes: usize,
    /// Slots of the program.
    pub instructions: usize,
    /// Operations on numbers for a lane.
    pub operations: u64,
    /// The speed of the engine on one thread.
    pub engine: f64,
    /// The speed of the engine on all threads, if there are several.
    pub engine_threads: Option<f64>,
    /// The speed of the evaluator.
    pub evaluator: f64,
    /// The speed of the yardstick on one thread, if there is one.
    pub yardstick: Option<f64>,
    /// The engine's speed by the yardstick's.
    pub ratio: Option<f64>,
    /// True if engine and yardstick gave the same bits.
    pub same_bits: Option<bool>,
    /// Nanoseconds that a slot takes for a lane, on the engine with one thread.
    pub ns_per_instruction: f64,
    /// Billions of operations a second, on the engine with one thread.
    pub gflops: f64,
}

/// A scene's figures. Speeds are fragments a second.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct MeasuredScene {
    /// The id of the machine.
    pub gpu: &'static str,
    /// The scene's name.
    pub scene: &'static str,
    /// Primitives of a draw.
    pub primitives: u64,
    /// Fragments of a draw.
    pub fragments: u64,
    /// The speed on one thread.
    pub single: f64,
    /// The speed on all threads, if there are several.
    pub threads: Option<f64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_by_hand() {
        let row = Row {
            gpu: "g",
            program: "p".to_owned(),
            profile: "q",
            lanes: 4096,
            instructions: 4,
            operations: 28,
            engine: 250e6,
            threaded: None,
            evaluator: 1e6,
            yardstick: Some(500e6),
            ratio: Some(0.5),
            same: Some(true),
        };
        let report = Report { level: "avx2", threads: 1, rows: vec![row], ..Report::default() };
        let text = report.text();
        // 4 ns a lane are 1 ns for each of four instructions; 28 × 0.25 billion operations per second.
        let line: Vec<&str> = text.lines().last().unwrap().split_whitespace().collect();
        assert_eq!(line[..3], ["g", "q", "p"]);
        assert_eq!(line[3..], ["4096", "250", "-", "1.00", "500", "0.50", "same", "1.000", "7.00"]);
        assert_eq!(report.json().programs[0].gflops, 7.0);
    }
}
