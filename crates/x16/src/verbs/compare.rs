//! Two profiles of a program compared: what there is to say of where they part.

use super::run::value;
use super::trace::SourceLine;
use super::{Program, limits, unfit};
use crate::compare::{Outcome, Parting, Shown, Until, compare};
use crate::lints::name;
use crate::{Access, Step, X16};
use gpuzoo_diag::{Diagnostic, Sources, counted};
use gpuzoo_machine::computer::{CompareOptions, Comparison};
use gpuzoo_machine::options::arguments::Arguments;
use gpuzoo_machine::text::grouped;
use gpuzoo_raster::Image;
use gpuzoo_vera::parts::Part;
use gpuzoo_vera::{BASE, DEVIATIONS, Deviation, HEIGHT, WIDTH};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The most states and places of memory that are told of a step.
const MOST_SHOWN: usize = 4;

/// Runs a program under both.
pub fn of_program(
    program: &Program,
    arguments: &Arguments,
    options: &CompareOptions,
) -> Result<Comparison, Diagnostic> {
    let frames = arguments.number("frames").is_some() || arguments.number("cycles").is_some();
    if options.frame.is_some() && frames {
        return Err(unfit(
            "`--frame` says which picture is the last, so it does not go with `--frames` or `--cycles`",
        ));
    }
    let machine = |profile: &str| program.machine(&arguments.clone().of_profile(profile));
    let [one, other] = options.profiles;
    let machines = [machine(one)?, machine(other)?];
    let limits = limits(arguments);
    let outcome = compare(machines, Until { limits, frame: options.frame.map(u64::from) });
    let told = Told { program, sources: options.sources, profiles: options.profiles, outcome };
    Ok(Comparison {
        differs: told.outcome.differs(),
        text: told.text(),
        json: value(&told.figures()),
        pictures: told.pictures()?,
    })
}

struct Told<'a> {
    program: &'a Program,
    sources: &'a Sources,
    profiles: [&'a str; 2],
    outcome: Outcome,
}

/// A rule's short name, and what it is.
fn rule(deviation: Deviation) -> (&'static str, &'static str) {
    let known = DEVIATIONS.iter().find(|(own, ..)| *own == deviation);
    known.map_or(("", ""), |(_, name, about)| (*name, *about))
}

fn rules(text: &mut String, rules: &[Deviation]) {
    for (name, about) in rules.iter().map(|own| rule(*own)) {
        let _ = writeln!(text, "  {name}: {about}");
    }
}

fn named(rules: &[Deviation]) -> Vec<Rule> {
    rules.iter().map(|own| rule(*own)).map(|(name, about)| Rule { name, about }).collect()
}

fn color([red, green, blue, _]: [u8; 4]) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

fn verb(access: &Access) -> &'static str {
    if access.kind.is_write() { "writes" } else { "reads" }
}

/// The first access that is not the same in both.
fn access(steps: &[Step; 2]) -> [Option<&Access>; 2] {
    let [one, other] = steps.each_ref().map(|step| &step.accesses);
    let same = one.iter().zip(other).take_while(|(one, other)| one == other).count();
    [one.get(same), other.get(same)]
}

impl Told<'_> {
    /// `a in rtl, b in x16emu`
    fn sides(&self, one: impl std::fmt::Display, other: impl std::fmt::Display) -> String {
        format!("{one} in {}, {other} in {}", self.profiles[0], self.profiles[1])
    }

    fn text(&self) -> String {
        let Outcome { at_start, hidden, seen, shown, frame, endings, machines } = &self.outcome;
        let [one, other] = self.profiles;
        let mut text = String::new();
        if *at_start {
            let _ = writeln!(text, "{one} and {other} differ before the program starts: the ROM has run");
        }
        if let Some(parting) = seen {
            let _ = writeln!(text, "{one} and {other} part in frame {}", parting.frame);
            self.step(&mut text, parting);
        }
        let earlier =
            hidden.as_ref().filter(|hidden| seen.as_ref().is_none_or(|seen| seen.cycle != hidden.cycle));
        if let Some(parting) = earlier {
            let _ = writeln!(text, "inside VERA they part in frame {}", parting.frame);
            self.step(&mut text, parting);
        }
        if let Some(Shown { frame, x, y, colors, count, rules: own }) = shown {
            let pixels = counted(grouped(*count as u64), "pixel");
            let colors = self.sides(color(colors[0]), color(colors[1]));
            let _ = writeln!(
                text,
                "the first picture that differs is that of frame {frame}: {pixels}\n  {x},{y}: {colors}"
            );
            rules(&mut text, own);
        }
        if !self.outcome.differs() {
            let but = if hidden.is_some() { ", but for what only VERA sees" } else { "" };
            let _ = writeln!(text, "{one} and {other} do the same{but}");
        }
        let all = grouped((WIDTH * HEIGHT) as u64);
        let pixels = grouped(self.outcome.pixels() as u64);
        let _ = writeln!(text, "the picture of frame {frame}: {pixels} of {all} pixels differ");
        let cycles = |machine: &X16| grouped(machine.cycles());
        for ((profile, ending), machine) in self.profiles.iter().zip(endings).zip(machines) {
            let _ = writeln!(text, "{profile}: {}, {} cycles since power-on", ending.text(), cycles(machine));
        }
        text
    }

    /// Where a step is, what it did in both, and why.
    fn step(&self, text: &mut String, parting: &Parting) {
        let Parting { line, cycle, dcsel, steps, rules: own, .. } = parting;
        let step = &steps[0];
        let place = self.program.place(step.pc).and_then(|span| {
            let file = self.sources.find(span.file)?;
            Some(format!("{}:{}: ", file.name(), file.place(span.start).line))
        });
        let near = self.program.labels.near(step.pc).map(|(label, offset)| match offset {
            0 => format!(", {label}"),
            offset => format!(", {label}+{offset}"),
        });
        let instruction = step.text(Some(*dcsel), &self.program.labels);
        let (place, near) = (place.unwrap_or_default(), near.unwrap_or_default());
        let _ = writeln!(text, "  {place}{instruction} (${:04X}{near}), line {line}, cycle {cycle}", step.pc);
        for sentence in self.sentences(parting) {
            let _ = writeln!(text, "  {sentence}");
        }
        rules(text, own);
        if own.is_empty() {
            let _ = writeln!(text, "  no single rule explains it");
        }
    }

    /// What the step did in both.
    fn sentences(&self, parting: &Parting) -> Vec<String> {
        let Parting { dcsel, steps, stored, parts, .. } = parting;
        let mut told = Vec::new();
        if steps[0].is_interrupt != steps[1].is_interrupt {
            let what = |step: &Step| if step.is_interrupt { "an interrupt comes" } else { "none comes" };
            told.push(self.sides(what(&steps[0]), what(&steps[1])));
        }
        match access(steps) {
            [Some(one), Some(other)] if one.register == other.register && one.kind == other.kind => {
                let at = BASE + u16::from(one.register);
                let values = self.sides(format!("${:02X}", one.value), format!("${:02X}", other.value));
                told.push(format!("{} {} (${at:04X}): {values}", verb(one), name(one, *dcsel)));
            }
            [None, None] => {}
            accesses => {
                let [one, other] = accesses.map(|access| match access {
                    Some(access) => format!("it {} {}", verb(access), name(access, *dcsel)),
                    None => "it makes no further access".to_owned(),
                });
                told.push(self.sides(one, other));
            }
        }
        let mut places: Vec<u32> = stored.iter().flatten().map(|(address, _)| *address).collect();
        places.sort_unstable();
        places.dedup();
        let differing = places.into_iter().filter(|at| stored[0].get(at) != stored[1].get(at));
        told.extend(differing.take(MOST_SHOWN).map(|at| {
            let value = |stored: &BTreeMap<u32, u8>| match stored.get(&at) {
                Some(value) => format!("${value:02X}"),
                None => "nothing".to_owned(),
            };
            format!("stores at ${at:05X}: {}", self.sides(value(&stored[0]), value(&stored[1])))
        }));
        told.extend(parts.iter().take(MOST_SHOWN).map(|part| match part {
            Part::State(name, bits, [one, other]) => {
                let digits = usize::from(*bits).div_ceil(4);
                format!("{name}: {}", self.sides(format!("${one:0digits$X}"), format!("${other:0digits$X}")))
            }
            Part::Other(name) => format!("{name}: not the same"),
        }));
        told
    }

    fn figures(&self) -> CompareFigures<'_> {
        let Outcome { at_start, hidden, seen, shown, frame, endings, .. } = &self.outcome;
        let parting = |parting: &'_ Option<Parting>| parting.as_ref().map(|parting| self.parting(parting));
        let first_picture = shown.as_ref().map(|Shown { frame, x, y, colors, count, rules }| FirstPicture {
            frame: *frame,
            pixels: *count,
            x: *x,
            y: *y,
            colors: colors.map(color),
            rules: named(rules),
        });
        CompareFigures {
            profiles: self.profiles,
            differs: self.outcome.differs(),
            at_start: *at_start,
            parting: parting(seen),
            inside: parting(hidden),
            first_picture,
            picture: LastPicture { frame: *frame, pixels: self.outcome.pixels(), of: WIDTH * HEIGHT },
            endings: endings.each_ref().map(|ending| ending.text()),
        }
    }

    fn parting(&self, parting: &Parting) -> PartingFigures<'_> {
        let Parting { frame, line, cycle, dcsel, steps, stored, parts, rules } = parting;
        let step = &steps[0];
        let accesses = access(steps).map(|access| {
            access.map(|access| AccessFigures {
                register: name(access, *dcsel),
                address: BASE + u16::from(access.register),
                kind: if access.kind.is_write() { "write" } else { "read" },
                value: access.value,
            })
        });
        let stored = stored.each_ref().map(|stored| {
            stored.iter().map(|(address, value)| StoredByte { address: *address, value: *value }).collect()
        });
        let state = parts.iter().map(|part| match part {
            Part::State(name, _, values) => DifferentState { name, values: Some(*values) },
            Part::Other(name) => DifferentState { name, values: None },
        });
        let label = self.program.labels.near(step.pc);
        PartingFigures {
            frame: *frame,
            line: *line,
            cycle: *cycle,
            pc: step.pc,
            source: SourceLine::of(self.program, step.pc, self.sources),
            label: label.map(|(name, offset)| NearLabel { name, offset }),
            instruction: step.text(Some(*dcsel), &self.program.labels),
            interrupt: steps.each_ref().map(|step| step.is_interrupt),
            access: accesses,
            stored,
            state: state.collect(),
            rules: named(rules),
        }
    }

    fn pictures(&self) -> Result<[Image; 2], Diagnostic> {
        let picture = |machine: &X16| {
            Image::from_pixels(WIDTH as u32, HEIGHT as u32, machine.vera().picture().to_vec())
        };
        let [one, other] = &self.outcome.machines;
        match (picture(one), picture(other)) {
            (Ok(one), Ok(other)) => Ok([one, other]),
            (Err(error), _) | (_, Err(error)) => Err(unfit(error.to_string())),
        }
    }
}

/// Two profiles of a program compared, for scripts. Pairs have the one profile, then the other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct CompareFigures<'a> {
    /// The names of the profiles.
    pub profiles: [&'a str; 2],
    /// True if a user, or the program, could tell one from the other.
    pub differs: bool,
    /// They differ before the program starts.
    pub at_start: bool,
    /// The first step that differs as a user, or the program, sees it.
    pub parting: Option<PartingFigures<'a>>,
    /// The first step that differs inside of VERA.
    pub inside: Option<PartingFigures<'a>>,
    /// The first picture that differs.
    pub first_picture: Option<FirstPicture>,
    /// The last picture.
    pub picture: LastPicture,
    /// The reasons why the runs ended.
    pub endings: [String; 2],
}

/// A step that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct PartingFigures<'a> {
    /// The number of the frame.
    pub frame: u64,
    /// The line of the picture.
    pub line: u16,
    /// The CPU cycle.
    pub cycle: u64,
    /// The address of the instruction.
    pub pc: u16,
    /// The line of the program's text, if it has one.
    pub source: Option<SourceLine<'a>>,
    /// The label at or before it.
    pub label: Option<NearLabel<'a>>,
    /// The instruction as text.
    pub instruction: String,
    /// True where an interrupt comes instead of the instruction.
    pub interrupt: [bool; 2],
    /// The first accesses to VERA that are not the same.
    pub access: [Option<AccessFigures>; 2],
    /// The bytes of memory that the step stored.
    pub stored: [Vec<StoredByte>; 2],
    /// The state of VERA that is not the same after it.
    pub state: Vec<DifferentState>,
    /// The single differences between the profiles that explain it.
    pub rules: Vec<Rule>,
}

/// A label, and the distance from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct NearLabel<'a> {
    /// The label.
    pub name: &'a str,
    /// The distance in bytes.
    pub offset: u16,
}

/// An access to a register of VERA.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct AccessFigures {
    /// The register's name.
    pub register: &'static str,
    /// The register's address: $9F20 to $9F3F.
    pub address: u16,
    /// `write` or `read`.
    pub kind: &'static str,
    /// The value that was written or read.
    pub value: u8,
}

/// A byte that was stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct StoredByte {
    /// Its address.
    pub address: u32,
    /// The byte.
    pub value: u8,
}

/// A part of VERA that is not the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct DifferentState {
    /// Its name.
    pub name: &'static str,
    /// Its bits, if it is a number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<[u32; 2]>,
}

/// A single difference between profiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Rule {
    /// Its short name.
    pub name: &'static str,
    /// A sentence about it.
    pub about: &'static str,
}

/// The first picture that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct FirstPicture {
    /// The number of its frame.
    pub frame: u64,
    /// The number of pixels that differ.
    pub pixels: usize,
    /// The column of the first of them.
    pub x: usize,
    /// The row of the first of them.
    pub y: usize,
    /// The colours of the first of them: `#00ff7f`.
    pub colors: [String; 2],
    /// The single differences between the profiles that explain it.
    pub rules: Vec<Rule>,
}

/// The last picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct LastPicture {
    /// The number of its frame.
    pub frame: u64,
    /// The number of pixels that differ.
    pub pixels: usize,
    /// The number of all pixels.
    pub of: usize,
}
