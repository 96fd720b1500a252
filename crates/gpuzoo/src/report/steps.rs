//! Traces: what every instruction changed, and the graph of what each output was computed from.

use crate::trace::Trace;
use crate::value;
use crate::why::{self, Answer};
use gpuzoo_debug::{Oddity, Origin, Parents};
use gpuzoo_ir::Vec4;
use gpuzoo_isa::{COMPONENTS, Mask, Reg};
use gpuzoo_report::{Html, Page, Row, RowKind, graph};
use std::collections::BTreeSet;

/// The most steps of a trace that are listed.
pub const MOST_STEPS: usize = 2_000;
/// The most nodes of a graph that are drawn; of a larger one those nearest to the result.
pub const MOST_NODES: usize = 300;

/// The report of one vertex's or fragment's run.
pub fn trace_page(page: &mut Page, of: &Trace, bits: bool) {
    page.section("Outputs", |html| outputs(html, of, bits));
    page.section("Where they come from", |html| graphs(html, of, bits));
    page.section("Steps", |html| steps(html, of, bits, ""));
}

/// A run among others: outputs, graphs and steps, of which the number keeps apart what is marked.
pub fn trace(html: &mut Html, of: &Trace, bits: bool, number: usize, is_open: bool) {
    let open: &[(&str, &str)] = if is_open { &[("open", "open")] } else { &[] };
    html.node("details", open, |html| {
        let count = gpuzoo_diag::counted(of.session.steps().len(), "instruction");
        html.leaf("summary", &[], &format!("{}: {count}{}", of.subject.text(), of.fate()));
        outputs(html, of, bits);
        graphs(html, of, bits);
        steps(html, of, bits, &format!("t{number}"));
    });
}

/// A number, marked if it is odd.
fn number(html: &mut Html, (bits, is_integer): (u32, bool), as_bits: bool, is_new: bool) {
    let text = value::typed(bits, is_integer, as_bits);
    let is_odd = matches!(Oddity::typed(bits, is_integer), Some(Oddity::NotANumber | Oddity::Infinite));
    match (is_odd, is_new) {
        (true, _) => html.leaf("span", &[("class", "odd")], &text),
        (_, true) => html.leaf("span", &[("class", "new")], &text),
        _ => html.text(&text),
    };
}

/// A register's name in a row, then its components.
fn register(html: &mut Html, name: &str, value: Vec4, integers: Mask, bits: bool) {
    html.node("tr", &[], |html| {
        html.leaf("td", &[], name);
        for (at, component) in (0..).zip(value) {
            html.node("td", &[], |html| number(html, (component, integers.has(at)), bits, false));
        }
    });
}

fn outputs(html: &mut Html, of: &Trace, bits: bool) {
    let written: Vec<_> = of.outputs.iter().filter(|output| output.reg.is_some()).collect();
    if !written.is_empty() {
        html.table("numbers", &["output", "x", "y", "z", "w"], written, |html, output| {
            register(html, &output.name, output.value, output.integers, bits);
        });
    }
    for finding in of.findings(bits) {
        html.node("p", &[], |html| {
            html.leaf("span", &[("class", "bad")], &finding);
        });
    }
}

/// For each output its components, those together that were computed from the same.
fn graphs(html: &mut Html, of: &Trace, bits: bool) {
    let position = of.session.steps().len();
    for output in &of.outputs {
        let Some(reg) = output.reg else { continue };
        let mut groups: Vec<(Vec<usize>, Mask)> = Vec::new();
        for component in (0..4u8).filter(|component| output.written.has(*component)) {
            let own = Answer::of(of, reg, Mask(1 << component), position);
            let steps: Vec<usize> = own.ancestry.steps().collect();
            match groups.iter_mut().find(|(known, _)| *known == steps) {
                Some((_, components)) => components.0 |= 1 << component,
                None => groups.push((steps, Mask(1 << component))),
            }
        }
        for (_, components) in groups {
            graph_of(html, &Answer::of(of, reg, components, position), bits);
        }
    }
}

/// A row for each node of an ancestry, of a large one of those nearest to the result; and how many are left.
fn rows(answer: &Answer, bits: bool) -> (Vec<Row>, usize) {
    let nodes = &answer.ancestry.nodes;
    let mut near: BTreeSet<usize> = answer.ancestry.of.iter().map(|link| link.node).collect();
    let mut open: Vec<usize> = near.iter().copied().collect();
    let mut at = 0;
    while at < open.len() && near.len() < MOST_NODES {
        for link in &nodes[open[at]].sources {
            if near.len() < MOST_NODES && near.insert(link.node) {
                open.push(link.node);
            }
        }
        at += 1;
    }
    let places: Vec<usize> = near.iter().copied().collect();
    let width =
        places.iter().map(|node| answer.what(&nodes[*node]).chars().count()).max().unwrap_or(0).min(60);
    let row = |number: &usize| {
        let node = &nodes[*number];
        let text = why::named(&node.name, node.components, (node.value, node.integers), bits);
        Row {
            text: format!("{:<width$}  {text}{}", answer.what(node), answer.remark(node)),
            kind: match node.origin {
                _ if why::is_odd(node) => RowKind::Odd,
                Origin::Input => RowKind::Input,
                Origin::Constant | Origin::Start => RowKind::Constant,
                Origin::Step(_) | Origin::Poke(_) => RowKind::Step,
            },
            uses: node.sources.iter().filter_map(|link| places.binary_search(&link.node).ok()).collect(),
        }
    };
    (places.iter().map(row).collect(), nodes.len() - places.len())
}

/// `R0.x = 1 from 4 instructions`
fn heading(answer: &Answer, bits: bool) -> String {
    let steps = gpuzoo_diag::counted(answer.ancestry.steps().count(), "instruction");
    format!("{} from {steps}", answer.head(bits))
}

/// What is suspicious about it; else nothing.
fn suspicion(answer: &Answer, bits: bool) -> String {
    if answer.is_suspicious() { answer.sentence(bits) } else { String::new() }
}

/// An ancestry as a picture, an SVG file: a row for each of its nodes, [`MOST_NODES`] at most, and lines from each to those that were computed
/// from it.
pub fn svg(answer: &Answer, bits: bool) -> String {
    let (rows, left) = rows(answer, bits);
    let mut lines = vec![heading(answer, bits), suspicion(answer, bits)];
    lines.extend((left > 0).then(|| format!("and {left} before them")));
    lines.retain(|line| !line.is_empty());
    gpuzoo_report::svg(&lines, &rows)
}

fn graph_of(html: &mut Html, answer: &Answer, bits: bool) {
    let (rows, left) = rows(answer, bits);
    let sentence = suspicion(answer, bits);
    // What is odd is open.
    let open: &[(&str, &str)] = if sentence.is_empty() { &[] } else { &[("open", "open")] };
    html.node("details", open, |html| {
        html.leaf("summary", &[], &heading(answer, bits));
        if !sentence.is_empty() {
            html.leaf("p", &[("class", "bad")], &sentence);
        }
        graph(html, &format!("what {} was computed from", answer.head(bits)), &rows);
        if left > 0 {
            html.leaf("p", &[("class", "dim")], &format!("and {left} before them"));
        }
    });
}

/// What names a component that a step wrote, in a page.
fn node(prefix: &str, step: usize, reg: Reg, component: u8) -> String {
    format!("{prefix}s{step}f{}r{}c{component}", reg.file, reg.index)
}

/// Each instruction with the registers that it wrote.
fn steps(html: &mut Html, of: &Trace, bits: bool, prefix: &str) {
    let parents = Parents::new(of.isa, &of.session);
    let all = of.session.places().zip(of.session.steps()).enumerate();
    let all = all.skip(of.shown.start).take(of.shown.len().min(MOST_STEPS));
    let heads = ["slot", "instruction", "register", "x", "y", "z", "w"];
    html.table("trace code", &heads, all, |html, (step, (place, done))| {
        let mut lines = done.changes.iter().peekable();
        let first = |html: &mut Html, is_first: bool| {
            let (at, text) =
                if is_first { (place.at.to_string(), place.text.as_str()) } else { Default::default() };
            html.leaf("td", &[("class", "at")], &at).leaf("td", &[], text);
        };
        if lines.peek().is_none() {
            html.node("tr", &[], |html| first(html, true));
        }
        for (line, change) in lines.enumerate() {
            html.node("tr", &[], |html| {
                first(html, line == 0);
                html.leaf("td", &[], &of.session.name(change.reg));
                for component in 0..4u8 {
                    let at = usize::from(component);
                    if !change.components.has(component) {
                        html.leaf("td", &[("class", "dim")], "·");
                        continue;
                    }
                    let from: Vec<String> = parents
                        .of(step, change.reg, component)
                        .iter()
                        .filter_map(|from| Some(node(prefix, from.step?, from.reg, from.component)))
                        .collect();
                    let own = node(prefix, step, change.reg, component);
                    let about = format!("{}.{}", of.session.name(change.reg), COMPONENTS[at]);
                    let data =
                        [("data-node", own.as_str()), ("data-from", &from.join(" ")), ("title", &about)];
                    html.node("td", &data, |html| {
                        let value = (change.after[at], change.integers[1].has(component));
                        number(html, value, bits, change.before[at] != change.after[at]);
                    });
                }
            });
        }
    });
    let left = of.session.steps().len().saturating_sub(of.shown.start.saturating_add(MOST_STEPS));
    if left > 0 && of.shown.len() > MOST_STEPS {
        html.leaf("p", &[("class", "dim")], &format!("and {left} more steps"));
    }
}
