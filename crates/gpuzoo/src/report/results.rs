//! Tables: what came out of runs, and of comparisons.

use super::messages::MOST_LINES;
use crate::conform::{self, Outcome, Record};
use crate::run::Block;
use crate::value;
use gpuzoo_debug::Oddity;
use gpuzoo_ir::Vec4;
use gpuzoo_isa::COMPONENTS;
use gpuzoo_machine::text::grouped;
use gpuzoo_machine::vectors::Difference;
use gpuzoo_report::{Html, draw};

/// The most vertices of a run that are listed; figures are of all.
pub const MOST_ROWS: usize = 64;
/// The most records of a vector file that are listed; figures are of all.
pub const MOST_RECORDS: usize = 5_000;

/// What all vertices of a run gave: the first of them, and figures of each component.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    names: Vec<String>,
    rows: Vec<(usize, Option<Vec<Vec4>>)>,
    figures: Vec<[Figures; 4]>,
    count: u64,
    killed: u64,
}

/// Figures of a component over all vertices.
#[derive(Clone, Copy, Debug, Default)]
struct Figures {
    /// The least and the greatest of the finite values.
    ends: Option<(f32, f32)>,
    zeros: u64,
    not_numbers: u64,
    infinite: u64,
}

impl Figures {
    fn add(&mut self, bits: u32) {
        let value = f32::from_bits(bits);
        match Oddity::of(bits) {
            Some(Oddity::NotANumber) => self.not_numbers += 1,
            Some(Oddity::Infinite) => self.infinite += 1,
            odd => {
                self.zeros += u64::from(odd.is_some());
                self.ends = Some(
                    self.ends.map_or((value, value), |(least, most)| (least.min(value), most.max(value))),
                );
            }
        }
    }
}

impl Summary {
    /// Of a run with these outputs.
    pub fn new(names: &[String]) -> Summary {
        Summary {
            names: names.to_vec(),
            figures: vec![[Figures::default(); 4]; names.len()],
            ..Summary::default()
        }
    }

    /// Adds the vertices of a block.
    pub fn add(&mut self, block: &Block) {
        for vertex in 0..block.count() {
            let is_killed = block.is_killed(vertex);
            self.count += 1;
            self.killed += u64::from(is_killed);
            if self.rows.len() < MOST_ROWS {
                let values = || block.outputs().map(|values| values[vertex]).collect();
                self.rows.push((block.first() + vertex, (!is_killed).then(values)));
            }
            if is_killed {
                continue;
            }
            for (figures, values) in self.figures.iter_mut().zip(block.outputs()) {
                figures.iter_mut().zip(values[vertex]).for_each(|(figures, bits)| figures.add(bits));
            }
        }
    }

    /// Figures, then the first vertices.
    pub fn html(&self, html: &mut Html, bits: bool) {
        let killed =
            if self.killed > 0 { format!(", {} killed", grouped(self.killed)) } else { String::new() };
        html.leaf("p", &[], &format!("{} run{killed}", gpuzoo_diag::counted(grouped(self.count), "vertex")));
        let components = self.names.iter().zip(&self.figures);
        let components =
            components.flat_map(|(name, figures)| COMPONENTS.iter().zip(figures).map(move |own| (name, own)));
        let heads = ["component", "least", "greatest", "zeros", "NaN", "infinite"];
        html.table("numbers", &heads, components, |html, (name, (letter, figures))| {
            html.node("tr", &[], |html| {
                html.leaf("td", &[], &format!("{name}.{letter}"));
                let end =
                    |value: Option<f32>| value.map_or("–".to_owned(), |value| value::show(value.to_bits()));
                html.leaf("td", &[], &end(figures.ends.map(|(least, _)| least)));
                html.leaf("td", &[], &end(figures.ends.map(|(_, most)| most)));
                html.leaf("td", &[], &grouped(figures.zeros));
                for odd in [figures.not_numbers, figures.infinite] {
                    let class = if odd > 0 { "odd" } else { "" };
                    html.node("td", &[], |html| {
                        html.leaf("span", &[("class", class)], &grouped(odd));
                    });
                }
            });
        });
        let heads: Vec<String> = self
            .names
            .iter()
            .flat_map(|name| COMPONENTS.iter().map(move |letter| format!("{name}.{letter}")))
            .collect();
        let heads: Vec<&str> = std::iter::once("vertex").chain(heads.iter().map(String::as_str)).collect();
        html.leaf("h3", &[], &format!("The first {}", gpuzoo_diag::counted(self.rows.len(), "vertex")));
        html.table("numbers", &heads, &self.rows, |html, (number, values)| {
            html.node("tr", &[], |html| {
                html.leaf("td", &[], &number.to_string());
                let Some(values) = values else {
                    html.leaf("td", &[("class", "dim")], "killed");
                    return;
                };
                for component in values.iter().flatten() {
                    let text = if bits { value::pattern(*component) } else { value::show(*component) };
                    let is_odd =
                        matches!(Oddity::of(*component), Some(Oddity::NotANumber | Oddity::Infinite));
                    html.node("td", &[], |html| {
                        html.leaf("span", &[("class", if is_odd { "odd" } else { "" })], &text);
                    });
                }
            });
        });
    }
}

/// A text as it would be printed; of a longer one the first lines.
pub fn printed(html: &mut Html, text: &str) {
    let mut lines = text.split_inclusive('\n');
    let shown: String = lines.by_ref().take(MOST_LINES).collect();
    html.leaf("pre", &[("class", "wide"), ("tabindex", "0")], &shown);
    let left = lines.count();
    if left > 0 {
        html.leaf("p", &[("class", "dim")], &format!("and {left} more lines"));
    }
}

/// What `check` found in several files: name, errors, warnings, figures.
pub fn checked(html: &mut Html, files: &[(String, usize, usize, String)]) {
    html.table("", &["file", "errors", "warnings", ""], files, |html, (name, errors, warnings, figures)| {
        html.node("tr", &[], |html| {
            html.leaf("td", &[], name);
            for (count, class) in [(errors, "bad"), (warnings, "warn")] {
                html.node("td", &[("class", "number")], |html| {
                    html.leaf(
                        "span",
                        &[("class", if *count > 0 { class } else { "dim" })],
                        &count.to_string(),
                    );
                });
            }
            html.leaf("td", &[("class", "note dim")], figures.trim_end());
        });
    });
}

/// What `conform` found: each file's tally, then every difference that is kept, then all records with their outcomes, where
/// reports have [every one](conform::Options::every).
pub fn conform(html: &mut Html, reports: &[conform::Report]) {
    let sum = |count: fn(&conform::Report) -> usize| reports.iter().map(count).sum::<usize>() as u64;
    let (passed, failed) = (sum(|report| report.passed), sum(|report| report.failed));
    let bars = [("passed", passed), ("failed", failed), ("unusable", sum(|report| report.malformed))];
    let bars: Vec<draw::Bar> =
        bars.iter().map(|(name, count)| draw::Bar::new(name, *count, &grouped(*count))).collect();
    draw::bars(html, &bars);
    let heads = ["file", "kinds", "result", "passed", "failed", "unusable", "numbers compared"];
    html.table("records", &heads, reports, |html, report| {
        let ok: &[(&str, &str)] = if report.ok() { &[("data-passed", "")] } else { &[] };
        html.node("tr", ok, |html| {
            html.leaf("td", &[], &report.name).leaf("td", &[], &report.kinds.join(", "));
            let (class, word) = if report.ok() { ("good", "pass") } else { ("bad", "FAIL") };
            html.node("td", &[], |html| {
                html.leaf("b", &[("class", class)], word);
            });
            for count in [report.passed, report.failed, report.malformed, report.compared] {
                html.leaf("td", &[("class", "number")], &grouped(count as u64));
            }
        });
    });
    for report in reports.iter().filter(|report| report.failures().next().is_some()) {
        html.leaf("h3", &[], &report.name);
        let rows = report
            .failures()
            .flat_map(|(record, differences)| differences.iter().map(move |own| (record, own)));
        let heads = ["line", "record", "place", "expected", "got", "ulp apart"];
        html.table("code", &heads, rows, |html, (record, difference)| {
            let Record { line, name, .. } = record;
            let Difference { place, expected, got, ulp } = difference;
            html.node("tr", &[], |html| {
                html.leaf("td", &[("class", "at")], &line.to_string()).leaf("td", &[], name).leaf(
                    "td",
                    &[],
                    place,
                );
                html.leaf("td", &[("class", "good")], expected).leaf("td", &[("class", "bad")], got);
                html.leaf("td", &[("class", "number")], &ulp.map_or(String::new(), grouped));
            });
        });
        let more = report.failed - report.failures().count();
        if more > 0 {
            html.leaf(
                "p",
                &[("class", "dim")],
                &format!("and {}", gpuzoo_diag::counted(more, "failed record")),
            );
        }
    }
    reports.iter().for_each(|report| records(html, report));
}

/// All records of a file, folded away.
fn records(html: &mut Html, report: &conform::Report) {
    // Of a report that has only what failed there is nothing to add.
    if report.records.iter().all(|record| matches!(record.outcome, Outcome::Failed(..))) {
        return;
    }
    html.node("details", &[], |html| {
        let count = grouped(report.records.len() as u64);
        html.leaf("summary", &[], &format!("{}: all records ({count})", report.name));
        let heads = ["line", "record", "kind", "result", "numbers compared"];
        html.table("records", &heads, report.records.iter().take(MOST_RECORDS), |html, record| {
            let Record { line, kind, name, compared, outcome } = record;
            let (class, word) = match outcome {
                Outcome::Passed => ("good", "pass".to_owned()),
                Outcome::Failed(count, _) => ("bad", gpuzoo_diag::counted(*count, "difference")),
                Outcome::Unusable(why) => ("bad", format!("unusable: {why}")),
                Outcome::Elsewhere => ("dim", "compared with the results of another file".to_owned()),
            };
            let is_fine = matches!(outcome, Outcome::Passed | Outcome::Elsewhere);
            let passed: &[(&str, &str)] = if is_fine { &[("data-passed", "")] } else { &[] };
            html.node("tr", passed, |html| {
                html.leaf("td", &[("class", "at")], &line.to_string());
                html.leaf("td", &[], name).leaf("td", &[], kind);
                html.node("td", &[], |html| {
                    html.leaf("span", &[("class", class)], &word);
                });
                html.leaf("td", &[("class", "number")], &grouped(*compared as u64));
            });
        });
        let left = report.records.len().saturating_sub(MOST_RECORDS);
        if left > 0 {
            html.leaf("p", &[("class", "dim")], &format!("and {}", gpuzoo_diag::counted(left, "record")));
        }
    });
}
