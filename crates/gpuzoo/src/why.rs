//! Where a number comes from: the ancestry of a register's components in a trace, in words and as data.

mod unsuspicious;

pub use unsuspicious::unsuspicious;

use crate::codes::{BAD_ARGUMENT, NO_SUCH_REGISTER};
use crate::paint::{Ink, Paint};
use crate::trace::{Subject, Trace};
use crate::value::{self, Component};
use gpuzoo_debug::cause::{Cause, cause};
use gpuzoo_debug::{Ancestry, Node, Oddity, Origin};
use gpuzoo_diag::{Diagnostic, File, Sources, counted, suggest};
use gpuzoo_isa::{COMPONENTS, Mask, Reg, list};
use serde::Serialize;
use std::fmt::Write;

/// The most nodes of an ancestry that are shown to people: those nearest to the component.
pub const MOST_SHOWN: usize = 14;
/// The most names of registers in a message.
const MOST_NAMES: usize = 24;
/// The most links of a chain of causes that are shown to people; the others are in its middle.
const MOST_LINKS: usize = 6;

/// What is asked for: `oD0`, `oD0.x`, `r3.xy@12`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The register's name.
    pub register: String,
    /// Its components.
    pub components: Mask,
    /// The slot behind which it is looked at; else the end.
    pub slot: Option<u64>,
}

impl Question {
    /// Reads it.
    ///
    /// ```
    /// use gpuzoo::diag::File;
    /// use gpuzoo::why::Question;
    /// let question = Question::read(&File::new("--register", "c[8].xz@3")).unwrap();
    /// assert_eq!((question.register.as_str(), question.components.0, question.slot), ("c[8]", 0b0101, Some(3)));
    /// ```
    ///
    /// # Errors
    /// `G0108` for anything else.
    pub fn read(text: &File) -> Result<Question, Diagnostic> {
        let wrong = || {
            let problem = Diagnostic::error(&BAD_ARGUMENT, format!("`{}` is not a component", text.text()));
            let problem = problem.label(text.whole(), "");
            problem.help("for example `oD0.x`, `r3.xyz`, or `r3.x@12` for its value after slot 12")
        };
        let (rest, slot) = match text.text().trim().rsplit_once('@') {
            Some((rest, slot)) => (rest, Some(slot.trim().parse().map_err(|_| wrong())?)),
            None => (text.text().trim(), None),
        };
        let letters = |tail: &str| {
            let places: Option<Vec<usize>> = tail
                .chars()
                .map(|letter| COMPONENTS.iter().position(|known| *known == letter.to_ascii_lowercase()))
                .collect();
            places.filter(|places| (1..=COMPONENTS.len()).contains(&places.len())).map(|places| {
                let mask = places.iter().fold(0, |mask, place| mask | 1 << place);
                Mask(mask)
            })
        };
        let split = rest.rsplit_once('.').and_then(|(name, tail)| Some((name, letters(tail)?)));
        let (register, components) = split.unwrap_or((rest, Mask::ALL));
        match register.trim() {
            "" => Err(wrong()),
            register => Ok(Question { register: register.to_owned(), components, slot }),
        }
    }
}

/// The ancestry of what was asked for, in a trace.
pub struct Answer<'a> {
    trace: &'a Trace,
    /// The register.
    pub reg: Reg,
    /// Those of its components that were asked for.
    pub components: Mask,
    /// The number of the step before which it is looked at.
    pub position: usize,
    /// Where it comes from.
    pub ancestry: Ancestry,
}

/// An answer as data, for scripts.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Explanation {
    /// The vertex or fragment.
    #[serde(flatten)]
    pub subject: Subject,
    /// The register that was asked for.
    pub register: String,
    /// The letters of its components that were asked for.
    pub components: String,
    /// Its value; zero in other components.
    pub value: [Component; 4],
    /// Suspicious values from the first suspicious component back to its origin; empty if there are none.
    pub because: Vec<Reason>,
    /// The numbers of the nodes that hold the value.
    pub of: Vec<usize>,
    /// All that the value was computed from, in the order of the run.
    pub nodes: Vec<Ancestor>,
}

/// A suspicious value that caused another one.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Reason {
    /// The slot that wrote it, from 0; none for what was there before.
    pub slot: Option<usize>,
    /// Register and component: `r3.x`.
    pub component: String,
    /// The value.
    pub value: Component,
}

/// A value that another one was computed from.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Ancestor {
    /// `input`, `constant`, `start`, `poke`, or `slot` for what an instruction wrote.
    pub origin: &'static str,
    /// The slot of the instruction, from 0.
    pub slot: Option<usize>,
    /// The register.
    pub register: String,
    /// The letters of the components that matter.
    pub components: String,
    /// The register's value.
    pub value: [Component; 4],
    /// True for an input or a constant that has a value from somewhere, false for one that has not; none for others.
    pub given: Option<bool>,
    /// The values that it was computed from.
    pub sources: Vec<AncestorLink>,
}

/// A value that an instruction read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct AncestorLink {
    /// The number of its node.
    pub node: usize,
    /// The letters of the components that were read.
    pub components: String,
}

/// The register of a name.
fn register(trace: &Trace, name: &str) -> Option<Reg> {
    let same = |known: &str| known.eq_ignore_ascii_case(name);
    let output = || trace.outputs.iter().find(|output| same(&output.name)).and_then(|output| output.reg);
    trace.session.registers().find(|(_, known)| same(known)).map(|(reg, _)| reg).or_else(output)
}

/// The last slot that a run went through.
fn last_slot(trace: &Trace) -> Option<u64> {
    trace.session.steps().last().map(|step| step.slot as u64)
}

/// Looks for what was asked for. None if the run has no such register, or ended before the slot.
pub fn answer<'a>(trace: &'a Trace, question: &Question) -> Option<Answer<'a>> {
    let reg = register(trace, &question.register)?;
    if question.slot.is_some_and(|slot| last_slot(trace).is_none_or(|last| slot > last)) {
        return None;
    }
    let steps = trace.session.steps();
    let position =
        question.slot.map_or(steps.len(), |slot| steps.partition_point(|step| step.slot as u64 <= slot));
    let components = Mask(question.components.0 & trace.isa.components(reg).0);
    Some(Answer::of(trace, reg, components, position))
}

/// The answer about the first output of a run that is NaN, infinite or black.
pub fn suspicion(trace: &Trace) -> Option<Answer<'_>> {
    let whole = trace.outputs.iter().filter_map(|output| {
        let components = if output.written.is_empty() { Mask::ALL } else { output.written };
        let whole = Answer::of(trace, output.reg?, components, trace.session.steps().len());
        whole.is_suspicious().then(|| whole.narrowed())
    });
    // NaNs and infinities come before what is black.
    let rank = |answer: &Answer| answer.value().iter().all(|bits| Oddity::of(*bits) == Some(Oddity::Zero));
    whole.min_by_key(rank)
}

/// The problem of what none of some traces has: the register, its component, or the slot.
pub fn no_such_register(traces: &[Trace], question: &Question, text: &File) -> Diagnostic {
    let mut names: Vec<String> = Vec::new();
    let outputs = traces.iter().flat_map(|trace| trace.outputs.iter().map(|output| output.name.to_string()));
    let registers = traces.iter().flat_map(|trace| trace.session.registers());
    for name in outputs.chain(registers.map(|(_, name)| name.to_string())) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let has = |name: &str| traces.iter().filter(|trace| register(trace, name).is_some()).collect::<Vec<_>>();
    if let Some(trace) = has(&question.register).first() {
        let message = format!("the run has no slot {}", question.slot.unwrap_or(0));
        let problem = Diagnostic::error(&NO_SUCH_REGISTER, message).label(text.whole(), "");
        return match last_slot(trace) {
            Some(last) => problem.help(format!("its slots are 0 to {last}")),
            None => problem.help("it has no slots"),
        };
    }
    if let Some((name, tail)) = question.register.rsplit_once('.')
        && !has(name).is_empty()
    {
        let message = format!("`{name}` has no component `{tail}`");
        let problem = Diagnostic::error(&NO_SUCH_REGISTER, message).label(text.whole(), "");
        return problem.help("components are x, y, z and w");
    }
    let message = format!("the run neither reads nor writes `{}`", question.register);
    let problem = Diagnostic::error(&NO_SUCH_REGISTER, message).label(text.whole(), "");
    let problem = match suggest::nearest(&question.register, names.iter().map(String::as_str)) {
        Some(near) => problem.help(format!("did you mean `{near}`?")),
        None => problem,
    };
    let more = names.len().saturating_sub(MOST_NAMES);
    names.truncate(MOST_NAMES);
    match (&names[..], more) {
        ([], _) => problem.help("it has no registers"),
        (_, 0) => problem.help(format!("it has {}", list(names.iter().map(String::as_str)))),
        _ => problem.help(format!("it has `{}` and {more} more", names.join("`, `"))),
    }
}

impl<'a> Answer<'a> {
    /// The ancestry of components of a register before a step.
    pub fn of(trace: &'a Trace, reg: Reg, components: Mask, position: usize) -> Answer<'a> {
        let ancestry = Ancestry::of(trace.isa, &trace.session, reg, components, position);
        Answer { trace, reg, components, position, ancestry }
    }

    /// The same of the first component that is odd.
    fn narrowed(self) -> Answer<'a> {
        let is_odd = |component: &u8| {
            let odd = self.oddity(*component);
            self.components.has(*component) && matches!(odd, Some(Oddity::NotANumber | Oddity::Infinite))
        };
        match (0..4).find(is_odd).or((0..3).find(|component| self.components.has(*component))) {
            Some(component) => Answer::of(self.trace, self.reg, Mask(1 << component), self.position),
            None => self,
        }
    }

    fn value(&self) -> [u32; 4] {
        self.typed().0
    }

    /// The value, and its components that are integers.
    fn typed(&self) -> ([u32; 4], Mask) {
        let (mut value, mut integers) = ([0; 4], Mask(0));
        for link in &self.ancestry.of {
            let node = &self.ancestry.nodes[link.node];
            for component in (0..4).filter(|component| link.components.has(*component as u8)) {
                value[component] = node.value[component];
                integers.0 |= node.integers.0 & 1 << component;
            }
        }
        (value, integers)
    }

    /// What is odd about a component that was asked for.
    fn oddity(&self, component: u8) -> Option<Oddity> {
        let (value, integers) = self.typed();
        Oddity::typed(value[usize::from(component & 3)], integers.has(component & 3))
    }

    /// `oD0.x = 0`, `r3.xz = (1, 2)`.
    pub fn head(&self, bits: bool) -> String {
        named(&self.trace.session.name(self.reg), self.components, self.typed(), bits)
    }

    /// True if a component is a NaN or infinite, or all of those among x, y and z are zero: a zero among others is usual.
    pub fn is_suspicious(&self) -> bool {
        let odd = |component: u8| self.oddity(component);
        let asked = || (0..4).filter(|component| self.components.has(*component));
        let mut colour = asked().filter(|component| *component < 3).peekable();
        asked().any(|component| matches!(odd(component), Some(Oddity::NotANumber | Oddity::Infinite)))
            || colour.peek().is_some() && colour.all(|component| odd(component) == Some(Oddity::Zero))
    }

    /// Why the first odd component is: from it back to where that arose. Nothing if none is odd.
    pub fn because(&self) -> Vec<Cause> {
        let is_odd = |component: &u8| self.components.has(*component) && self.oddity(*component).is_some();
        let odd = (0..4).find(is_odd);
        odd.map_or_else(Vec::new, |component| cause(&self.trace.session, self.reg, component, self.position))
    }

    /// The same as a sentence; empty if nothing is odd.
    pub fn sentence(&self, bits: bool) -> String {
        let chain = self.because();
        let Some(first) = chain.first() else { return String::new() };
        let mut text =
            format!("{} is {}", self.component(first), value::typed(first.bits, first.is_integer, bits));
        let (from, to) = match chain.len() > MOST_LINKS {
            true => (MOST_LINKS / 2, chain.len() - MOST_LINKS / 2),
            false => (chain.len(), chain.len()),
        };
        for (number, pair) in chain.windows(2).enumerate() {
            let [one, next] = pair else { continue };
            if number == from && number + 1 < to {
                let _ = write!(text, ", and so on through {}", counted(to - from - 1, "register"));
            }
            if (from..to - 1).contains(&number) {
                continue;
            }
            let place = self.place(one);
            let _ = write!(
                text,
                "{place}, because {} is {}",
                self.component(next),
                value::typed(next.bits, next.is_integer, bits)
            );
        }
        if let Some(last) = chain.last() {
            text += &self.begins(last, bits);
        }
        text
    }

    fn component(&self, cause: &Cause) -> String {
        format!("{}.{}", self.trace.session.name(cause.reg), COMPONENTS[usize::from(cause.component & 3)])
    }

    /// ` (slot 12: mul r3.xyz, r2, c10)`.
    fn place(&self, cause: &Cause) -> String {
        let place = cause.step.and_then(|step| self.trace.session.places().nth(step));
        place.map_or_else(String::new, |place| format!(" (slot {}: {})", place.at, place.text))
    }

    /// How what is odd began with the last of a chain.
    fn begins(&self, last: &Cause, bits: bool) -> String {
        if let Some(step) = last.step {
            let own = Ancestry::of(
                self.trace.isa,
                &self.trace.session,
                last.reg,
                Mask(1 << (last.component & 3)),
                step + 1,
            );
            let sources = own.nodes.last().map(|node| node.sources.as_slice()).unwrap_or_default();
            let from: Vec<String> = sources
                .iter()
                .map(|link| {
                    let node = &own.nodes[link.node];
                    named(&node.name, link.components, (node.value, node.integers), bits)
                })
                .collect();
            let from = if from.is_empty() { String::new() } else { format!(" from {}", from.join(", ")) };
            return format!("{}: it begins there{from}", self.place(last));
        }
        if last.poked {
            return ", as it was poked".to_owned();
        }
        self.standing(last.reg).map_or_else(String::new, |standing| format!(", {standing}"))
    }

    /// What there is to say of a register that no step wrote.
    fn standing(&self, reg: Reg) -> Option<&'static str> {
        use gpuzoo_isa::FileKind::{Constant, Input, Output, Temporary};
        match (self.trace.isa.file(reg).kind, self.trace.missing.contains(&reg)) {
            (Input | Constant, true) => Some("which is not given"),
            (Input | Constant, false) => Some("as it is given"),
            (Temporary(_) | Output(_), _) if self.trace.session.dataflow().lowered().given.contains(&reg) => {
                Some("as the machine sets it")
            }
            (Temporary(_) | Output(_), _) => Some("which nothing has written"),
        }
    }

    /// The nodes to show: those nearest to what was asked for, in the order of the run.
    fn nearest(&self) -> Vec<usize> {
        let mut near: Vec<usize> = self.ancestry.of.iter().map(|link| link.node).collect();
        let mut at = 0;
        while at < near.len() && near.len() < MOST_SHOWN {
            for link in &self.ancestry.nodes[near[at]].sources {
                if !near.contains(&link.node) && near.len() < MOST_SHOWN {
                    near.push(link.node);
                }
            }
            at += 1;
        }
        near.sort_unstable();
        near
    }

    /// For people: the value, the sentence, and the nearest part of the ancestry with the lines that instructions come from,
    /// if `sources` have them; 20 lines at most.
    pub fn text(&self, sources: &Sources, bits: bool, paint: Paint) -> String {
        let when = match self.position.checked_sub(1).and_then(|last| self.trace.session.steps().get(last)) {
            Some(step) if self.position < self.trace.session.steps().len() => {
                format!("after slot {}", step.slot)
            }
            Some(_) => "at the end".to_owned(),
            None => "before the first slot".to_owned(),
        };
        let head = paint.ink(Ink::Head, self.head(bits));
        let mut text = format!("{}: {head} {when}\n", self.trace.subject.text());
        let sentence = self.sentence(bits);
        if !sentence.is_empty() {
            let _ = writeln!(text, "{}", paint.ink(Ink::Odd, sentence));
        }
        let steps = self.ancestry.steps().count();
        let others =
            self.ancestry.nodes.iter().filter(|node| !matches!(node.origin, Origin::Step(_))).count();
        let all = self.trace.session.steps().len();
        let _ = writeln!(
            text,
            "it comes from {} of {all}, and {} from before the first:",
            counted(steps, "instruction"),
            counted(others, "value")
        );
        let shown = self.nearest();
        let what = |node: &Node| match self.line(node, sources) {
            Some(line) => format!("{}  {line}", self.what(node)),
            None => self.what(node),
        };
        let width = shown.iter().map(|node| what(&self.ancestry.nodes[*node]).chars().count()).max();
        let width = width.unwrap_or(0).min(60);
        for number in &shown {
            let node = &self.ancestry.nodes[*number];
            let what = what(node);
            let value = named(&node.name, node.components, (node.value, node.integers), bits);
            let ink = if is_odd(node) { Ink::Odd } else { Ink::New };
            let _ = writeln!(text, "{what:<width$}  {}{}", paint.ink(ink, value), self.remark(node));
        }
        let left = self.ancestry.nodes.len() - shown.len();
        if left > 0 {
            let _ = writeln!(text, "{}", paint.ink(Ink::Dim, format!("and {left} before them")));
        }
        text
    }

    /// The file and the line that a node's instruction comes from.
    fn line(&self, node: &Node, sources: &Sources) -> Option<String> {
        let Origin::Step(step) = node.origin else { return None };
        let span = self.trace.session.places().nth(step)?.span?;
        let file = sources.find(span.file).filter(|file| !file.is_binary() && !file.text().is_empty())?;
        Some(format!("{}:{}", base(file.name()), file.place(span.start).line))
    }

    /// The slot and its instruction, or what a value is that was there before.
    pub fn what(&self, node: &Node) -> String {
        match node.origin {
            Origin::Input => "input".to_owned(),
            Origin::Constant => "constant".to_owned(),
            Origin::Start => "before".to_owned(),
            Origin::Poke(_) => "poked".to_owned(),
            Origin::Step(step) => {
                let place = self.trace.session.places().nth(step);
                place.map_or_else(String::new, |place| format!("{:>4}  {}", place.at, place.text))
            }
        }
    }

    /// True for what nobody gives: it is zero, unless the machine sets it.
    fn is_missing(&self, node: &Node) -> bool {
        node.value == [0; 4] && self.trace.missing.contains(&node.reg)
    }

    /// What is to be said of a node's value: that it was not given, that a texture is in it.
    pub fn remark(&self, node: &Node) -> String {
        let mut remark = String::new();
        if !matches!(node.origin, Origin::Step(_) | Origin::Poke(_)) {
            let standing =
                self.standing(node.reg).filter(|_| node.origin == Origin::Start || self.is_missing(node));
            remark.extend(standing.map(|standing| format!(", {standing}")));
        }
        for unit in &node.samples {
            let _ = write!(remark, ", with a texture (read {unit})");
        }
        remark
    }

    /// For Graphviz: a node for each write, an edge from what it was computed from.
    pub fn dot(&self, bits: bool) -> String {
        let quoted = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
        let mut text =
            format!("digraph \"{}\" {{\n  rankdir=TB;\n  node [shape=box];\n", quoted(&self.head(bits)));
        for (number, node) in self.ancestry.nodes.iter().enumerate() {
            let value = named(&node.name, node.components, (node.value, node.integers), bits);
            let label = format!(
                "{}\\n{}{}",
                quoted(self.what(node).trim()),
                quoted(&value),
                quoted(&self.remark(node))
            );
            let color = if is_odd(node) { ", color=red" } else { "" };
            let _ = writeln!(text, "  n{number} [label=\"{label}\"{color}];");
            for link in &node.sources {
                let _ = writeln!(text, "  n{} -> n{number} [label=\"{}\"];", link.node, link.components);
            }
        }
        text + "}\n"
    }

    /// For scripts.
    pub fn json(&self, bits: bool) -> Explanation {
        let letters = |mask: Mask| mask.to_string();
        let number = |node: &Node| match node.origin {
            Origin::Step(step) => self.trace.session.steps().get(step).map(|step| step.slot),
            _ => None,
        };
        let origin = |node: &Node| match node.origin {
            Origin::Input => "input",
            Origin::Constant => "constant",
            Origin::Start => "start",
            Origin::Poke(_) => "poke",
            Origin::Step(_) => "slot",
        };
        let nodes = self.ancestry.nodes.iter().map(|node| {
            let sources = node.sources.iter();
            Ancestor {
                origin: origin(node),
                slot: number(node),
                register: node.name.to_string(),
                components: letters(node.components),
                value: value::json_components(node.value, node.integers, bits),
                given: match node.origin {
                    Origin::Input | Origin::Constant => Some(!self.trace.missing.contains(&node.reg)),
                    _ => None,
                },
                sources: sources
                    .map(|link| AncestorLink { node: link.node, components: letters(link.components) })
                    .collect(),
            }
        });
        let because = self.because();
        let because = because.iter().map(|cause| {
            let slot = cause.step.and_then(|step| self.trace.session.steps().get(step));
            Reason {
                slot: slot.map(|step| step.slot),
                component: self.component(cause),
                value: value::json_typed(cause.bits, cause.is_integer, bits),
            }
        });
        let (value, integers) = self.typed();
        Explanation {
            subject: self.trace.subject,
            register: self.trace.session.name(self.reg).to_string(),
            components: letters(self.components),
            value: value::json_components(value, integers, bits),
            because: because.collect(),
            of: self.ancestry.of.iter().map(|link| link.node).collect(),
            nodes: nodes.collect(),
        }
    }
}

/// True if a component of a node that matters is a NaN or infinite.
pub fn is_odd(node: &Node) -> bool {
    (0..4).any(|component| {
        node.components.has(component as u8)
            && matches!(
                Oddity::typed(node.value[component], node.integers.has(component as u8)),
                Some(Oddity::NotANumber | Oddity::Infinite)
            )
    })
}

/// A file's name without its folder.
pub(crate) fn base(name: &str) -> &str {
    name.rsplit(['/', '\\']).next().unwrap_or(name)
}

/// `r3.x = 1`, `r3.xz = (1, 2)`, `r3 = (1, 2, 3, 4)`.
pub fn named(name: &str, components: Mask, (value, integers): ([u32; 4], Mask), bits: bool) -> String {
    let shown: Vec<String> = (0..4usize)
        .filter(|component| components.has(*component as u8))
        .map(|component| value::typed(value[component], integers.has(component as u8), bits))
        .collect();
    let letters = if components == Mask::ALL { String::new() } else { format!(".{components}") };
    match &shown[..] {
        [one] => format!("{name}{letters} = {one}"),
        _ => format!("{name}{letters} = ({})", shown.join(", ")),
    }
}
