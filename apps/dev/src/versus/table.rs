//! What `versus` prints of pictures: a table in Markdown, and beneath it which floors hold.

use super::pictures::Difference;
use super::process::Took;
use super::scenes::Scene;

/// What was measured of a scene on a level. Speeds are in millions a second.
pub struct Row<'a> {
    pub scene: &'a Scene,
    pub level: &'static str,
    /// Of CPU time, on one thread.
    pub one: Speeds,
    /// By the clock, on all threads.
    pub all: Option<Speeds>,
    pub difference: Option<Difference>,
}

/// gpuzoo's, and llvmpipe's if it was measured.
#[derive(Clone, Copy, Debug)]
pub struct Speeds {
    pub ours: f64,
    pub theirs: Option<f64>,
}

impl Speeds {
    fn ratio(self) -> Option<f64> {
        Some(self.ours / self.theirs?)
    }

    fn cells(self) -> [String; 3] {
        [number(Some(self.ours)), number(self.theirs), number(self.ratio())]
    }
}

/// Three digits, as far as they say something.
pub fn number(value: Option<f64>) -> String {
    match value {
        None => "–".to_owned(),
        Some(value) if value >= 100.0 => format!("{value:.0}"),
        Some(value) if value >= 10.0 => format!("{value:.1}"),
        Some(value) => format!("{value:.2}"),
    }
}

/// The share of a processor that a thread has where nothing else computes.
const FREE: f64 = 0.95;

/// A table that grows while it is printed.
pub struct Table {
    one_thread: bool,
    begun: bool,
    rows: usize,
    below: Vec<String>,
    /// What one thread took in all.
    spent: Took,
    /// What llvmpipe says that it is.
    pub theirs: Option<String>,
}

impl Table {
    pub fn new(one_thread: bool) -> Table {
        let spent = Took { cpu: 0.0, wall: 0.0 };
        Table { one_thread, begun: false, rows: 0, below: Vec::new(), spent, theirs: None }
    }

    /// Adds what a side took that has one thread.
    pub fn note_one_thread(&mut self, took: Took) {
        self.spent.cpu += took.cpu;
        self.spent.wall += took.wall;
    }

    /// Prints a row.
    pub fn print(&mut self, row: &Row) {
        if !self.begun {
            self.begun = true;
            let mut head = vec!["scene", "level", "unit", "gpuzoo", "llvmpipe", "ratio", "floor", "aim"];
            if !self.one_thread {
                head.extend(["all threads", "llvmpipe", "ratio"]);
            }
            head.push("differ");
            line(&head.iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>());
            line(&vec!["---".to_owned(); head.len()]);
        }
        let scene = row.scene;
        let unit = if scene.counts_triangles() { "Mtri/s" } else { "Mpix/s" };
        let mut cells = vec![scene.name.to_owned(), row.level.to_owned(), unit.to_owned()];
        cells.extend(row.one.cells());
        cells.extend([scene.floor, scene.aim].map(|ratio| ratio.to_string()));
        if !self.one_thread {
            cells.extend(row.all.map_or_else(|| ["–"; 3].map(str::to_owned), Speeds::cells));
        }
        cells.push(row.difference.map_or_else(|| "–".to_owned(), |difference| difference.to_string()));
        line(&cells);
        let Some(ratio) = row.one.ratio() else { return };
        self.rows += 1;
        if ratio < scene.floor {
            self.below.push(format!(
                "{} on {} ({} of {})",
                scene.name,
                row.level,
                number(Some(ratio)),
                scene.floor
            ));
        }
    }

    /// Prints what follows the table.
    pub fn finish(&self) {
        if let Some(theirs) = &self.theirs {
            println!("\n{theirs}");
        }
        if self.rows > 0 {
            println!("{} of {} floors hold", self.rows - self.below.len(), self.rows);
        }
        if !self.below.is_empty() {
            println!("below: {}", self.below.join(", "));
        }
        let share = self.spent.cpu / self.spent.wall;
        if !self.one_thread && share < FREE {
            let percent = share * 100.0;
            println!(
                "one thread had {percent:.0} % of a processor: what others left, so the clock's figures say little"
            );
        }
    }
}

fn line(cells: &[String]) {
    const WIDTHS: [usize; 12] = [16, 8, 6, 7, 8, 5, 5, 3, 11, 8, 5, 6];
    let padded = cells.iter().zip(WIDTHS).map(|(cell, width)| format!("{cell:<width$}"));
    println!("| {} |", padded.collect::<Vec<_>>().join(" | "));
}
