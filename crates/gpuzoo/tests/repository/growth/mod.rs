//! Twice the problems are at most 2.6 times the work, for every diagnostic code: nothing that is read, and no message, is worse than
//! n log n.

mod count;
mod golden;
mod scenes;
mod sources;
mod texts;

use count::work;
use gpuzoo_diag::{Diagnostic, Sources, json, render};
use std::collections::{BTreeMap, BTreeSet};

/// What the work may grow by where the problems double.
const MOST: f64 = 2.6;

/// Problems of the first of three texts, each twice as long as the one before.
const LEAST: usize = 250;

/// What reading gives.
type Found = (Sources, Vec<Diagnostic>);

/// A way to write many problems, and to read them.
struct Case {
    /// For messages.
    name: String,
    /// The code that is meant; others may come with it.
    code: String,
    /// A text with so many problems.
    text: Box<dyn Fn(usize) -> String + Sync>,
    read: Box<dyn Fn(&str) -> Found + Sync>,
}

impl Case {
    fn new(
        name: impl Into<String>,
        code: &str,
        text: impl Fn(usize) -> String + Sync + 'static,
        read: impl Fn(&str) -> Found + Sync + 'static,
    ) -> Case {
        Case { name: name.into(), code: code.into(), text: Box::new(text), read: Box::new(read) }
    }

    /// The work of reading and showing a text, and the codes that come of it.
    fn measure(&self, problems: usize) -> (f64, BTreeSet<&'static str>) {
        /// As many are shown as tell what one costs: the last ones, which have most before them.
        const SHOWN: usize = 24;
        let text = (self.text)(problems);
        let (reading, (sources, found)) = work(|| (self.read)(&text));
        let some = &found[found.len().saturating_sub(SHOWN)..];
        let (showing, shown) = work(|| {
            render::human(&sources, some, &render::Style::plain()).len()
                + render::short(&sources, some).len()
                + json::lines(&sources, some).len()
        });
        assert!(shown <= some.len() * 30_000, "{}: messages of {shown} bytes", self.name);
        let share = found.len() as f64 / some.len().max(1) as f64;
        (reading as f64 + showing as f64 * share, found.iter().map(|problem| problem.code.id).collect())
    }

    /// The codes that it shows, and what is wrong with how the work grows.
    fn check(&self) -> (BTreeSet<&'static str>, Option<String>) {
        let (mut before, codes) = self.measure(LEAST);
        for times in [2, 4] {
            let (now, _) = self.measure(times * LEAST);
            if now > before * MOST {
                let growth = format!("{}: {:.2} at {}", self.name, now / before, times * LEAST);
                return (codes, Some(growth));
            }
            before = now;
        }
        (codes, None)
    }
}

fn cases() -> Vec<Case> {
    golden::cases().into_iter().chain(texts::cases()).chain(scenes::cases()).chain(sources::cases()).collect()
}

/// Codes that come once for an input, or whose inputs cannot be long, each with the reason.
fn once() -> BTreeMap<&'static str, &'static str> {
    let lines = include_str!("once.txt").lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split_once(' ').expect("a code and a reason")).collect()
}

/// Counting needs debug assertions.
#[test]
#[cfg(debug_assertions)]
fn twice_the_problems_are_twice_the_work() {
    let cases = cases();
    let halves: Vec<&[Case]> = cases.chunks(cases.len().div_ceil(2)).collect();
    let results: Vec<_> = std::thread::scope(|scope| {
        let threads =
            halves.into_iter().map(|half| scope.spawn(|| half.iter().map(Case::check).collect::<Vec<_>>()));
        threads.collect::<Vec<_>>().into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    let grown: Vec<&String> = results.iter().filter_map(|(_, grown)| grown.as_ref()).collect();
    assert_eq!(grown, [""; 0], "more than twice the work");
    // Each code is meant by a case that shows it, or stands in the list.
    let mut shown: BTreeSet<&str> = BTreeSet::new();
    for (case, (codes, _)) in cases.iter().zip(&results) {
        shown.extend(codes.get(&*case.code));
    }
    let all: BTreeSet<&str> = gpuzoo::Registry::default().codes().into_iter().map(|code| code.id).collect();
    let once: BTreeSet<&str> = once().into_keys().collect();
    let missing: Vec<_> = all.iter().filter(|code| !shown.contains(*code) && !once.contains(*code)).collect();
    assert_eq!(missing, [&""; 0], "neither measured nor in once.txt");
    let both: Vec<_> = once.iter().filter(|code| shown.contains(*code) || !all.contains(*code)).collect();
    assert_eq!(both, [&""; 0], "in once.txt and measured, or no codes");
}

/// What the count is for: a reader that looks through all before, and one that copies it, are noticed.
#[test]
#[cfg(debug_assertions)]
fn quadratic_work_is_noticed() {
    let text = |lines: usize| "x\n".repeat(lines);
    let read = |look: fn(&Sources, &str)| {
        move |text: &str| {
            let mut sources = Sources::default();
            sources.add("t", text);
            text.lines().for_each(|_| look(&sources, text));
            (sources, Vec::new())
        }
    };
    let copies = Case::new("copies", "", text, read(|_, text| drop(std::hint::black_box(text.to_owned()))));
    let examines = Case::new(
        "examines",
        "",
        text,
        read(|sources, _| {
            let file = sources.iter().next().unwrap();
            std::hint::black_box(file.slice(file.whole()));
        }),
    );
    let linear = Case::new("linear", "", text, read(|_, _| {}));
    assert!(copies.check().1.is_some() && examines.check().1.is_some() && linear.check().1.is_none());
}
