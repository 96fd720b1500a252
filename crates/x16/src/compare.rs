//! A program under two profiles, in step, up to where the runs part.
//!
//! Both machines are the same but for their VERA's rules. They are run frame by frame, and what they do with VERA is compared: as long
//! as every read returns the same, the CPUs do the same. The frame in which something differs is run again step by step; and
//! which rule it was is found by trying: the step, or the frame, is made once more for each rule by which the profiles differ.

use crate::{Ending, Limits, Step, X16};
use gpuzoo_vera::parts::{self, Part};
use gpuzoo_vera::{DEVIATIONS, Deviation, Store, Vera, WIDTH};
use std::collections::BTreeMap;

/// The most frames that a run is made again for each rule, where the step alone does not tell.
const AGAIN: u64 = 600;

/// The devices of two machines.
fn veras(machines: &[X16; 2]) -> [&Vera; 2] {
    machines.each_ref().map(X16::vera)
}

/// A step in which two runs part.
#[derive(Clone, Debug)]
pub(crate) struct Parting {
    /// The picture that is drawn, from 0, and the beam's line, in the first machine before the step.
    pub frame: u64,
    pub line: u16,
    pub cycle: u64,
    /// DCSEL before the step, to name registers.
    pub dcsel: u8,
    pub steps: [Step; 2],
    /// Places of video memory that the step has written, with what is there.
    pub stored: [BTreeMap<u32, u8>; 2],
    /// What is different inside VERA after the step.
    pub parts: Vec<Part>,
    /// The rules that make a difference.
    pub rules: Vec<Deviation>,
}

/// The first picture that differs.
#[derive(Clone, Debug)]
pub(crate) struct Shown {
    pub frame: u64,
    /// The first pixel.
    pub x: usize,
    pub y: usize,
    pub colors: [[u8; 4]; 2],
    /// Pixels that differ.
    pub count: usize,
    /// The rules that make a difference; none if the programs have done different things before.
    pub rules: Vec<Deviation>,
}

/// What came of both runs.
pub(crate) struct Outcome {
    /// They differ before the program starts: a ROM has run.
    pub at_start: bool,
    /// The first difference inside VERA, which the program need not notice.
    pub hidden: Option<Parting>,
    /// The first difference in what the CPU reads or does, or in video memory.
    pub seen: Option<Parting>,
    /// The first picture that differs.
    pub shown: Option<Shown>,
    /// The number of the last picture, from 0.
    pub frame: u64,
    pub endings: [Ending; 2],
    pub machines: [X16; 2],
}

impl Outcome {
    /// How many pixels of the last pictures differ.
    pub fn pixels(&self) -> usize {
        let [one, other] = &self.machines;
        differing(one, other).count()
    }

    /// True if a user or the program could tell.
    pub fn differs(&self) -> bool {
        self.seen.is_some() || self.shown.is_some() || self.at_start || self.pixels() > 0
    }
}

/// How far the runs go.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Until {
    pub limits: Limits,
    /// The picture that is the last one; else the one after the end.
    pub frame: Option<u64>,
}

fn both<T>(machines: &mut [X16; 2], mut act: impl FnMut(&mut X16) -> T) -> [T; 2] {
    let [one, other] = machines;
    [act(one), act(other)]
}

/// Pixels that differ.
fn differing<'a>(one: &'a X16, other: &'a X16) -> impl Iterator<Item = (usize, [[u8; 4]; 2])> {
    let pixels = one.vera().picture().iter().zip(other.vera().picture()).enumerate();
    pixels.filter(|(_, (one, other))| one != other).map(|(at, (one, other))| (at, [*one, *other]))
}

/// True if the CPU, its memory or video memory differ.
fn can_be_seen([one, other]: &[X16; 2]) -> bool {
    (one.cpu(), one.cycles(), one.ended(), one.vera().vram())
        != (other.cpu(), other.cycles(), other.ended(), other.vera().vram())
}

/// The rules by which two machines differ.
fn rules([one, other]: &[X16; 2]) -> Vec<Deviation> {
    let [one, other] = [one, other].map(|machine| machine.vera().deviations());
    let all = DEVIATIONS.iter().map(|(deviation, ..)| *deviation);
    all.filter(|rule| one.has(*rule) != other.has(*rule)).collect()
}

/// Those rules without which what a machine does is something else.
fn deciding<T: PartialEq>(machine: &X16, rules: &[Deviation], act: impl Fn(&mut X16) -> T) -> Vec<Deviation> {
    let usual = act(&mut machine.clone());
    let decides = |rule: &Deviation| {
        let mut machine = machine.clone();
        machine.vera_mut().toggle(*rule);
        act(&mut machine) != usual
    };
    rules.iter().copied().filter(decides).collect()
}

/// Runs two machines with the same program.
pub(crate) fn compare(mut machines: [X16; 2], until: Until) -> Outcome {
    let rules = rules(&machines);
    let start = machines[0].clone();
    let (first, begun) = (machines[0].vera().frames(), machines[0].cycles());
    let at_start = can_be_seen(&machines) || !parts::differing(veras(&machines)).is_empty();
    let (mut hidden, mut seen, mut shown): (Option<Parting>, Option<Parting>, Option<Shown>) =
        (None, None, None);
    let (mut watches, mut looks) = (!at_start, !at_start);
    let mut frame = 0;
    let mut endings;
    loop {
        let before = machines.clone();
        let cycles =
            |machine: &X16| until.limits.cycles.map(|most| most.saturating_sub(machine.cycles() - begun));
        both(&mut machines, |machine| machine.log(watches));
        endings = both(&mut machines, |machine| {
            let limits = Limits { frames: Some(1), cycles: cycles(machine) };
            machine.run(&limits)
        });
        let logs = both(&mut machines, X16::logged);
        let is_seen = watches && (logs[0] != logs[1] || can_be_seen(&machines));
        if is_seen || looks && hidden.is_none() && !parts::differing(veras(&machines)).is_empty() {
            seen = search(&before, &mut hidden, first, &rules);
            // What a frame of steps does not show is not looked for in the next one.
            looks = hidden.is_some();
            watches &= seen.is_some() || !is_seen;
            if let Some(parting) = seen.as_mut().filter(|parting| parting.rules.is_empty()) {
                parting.rules = tried(&start, parting, &rules);
            }
        }
        watches &= seen.is_none();
        looks &= watches;
        let is_over = match until.frame {
            Some(last) => {
                for machine in &mut machines {
                    // A program that has ended leaves VERA on.
                    if machine.vera().frames() <= first + frame {
                        machine.vera_mut().advance_frame();
                    }
                }
                frame == last
            }
            None => {
                let is_over = endings.iter().all(|ending| !matches!(ending, Ending::Frames { .. }))
                    || until.limits.frames.is_some_and(|most| frame + 1 >= most);
                if is_over {
                    whole(&mut machines);
                }
                is_over
            }
        };
        if shown.is_none()
            && let Some((at, colors)) = differing(&machines[0], &machines[1]).next()
        {
            let count = differing(&machines[0], &machines[1]).count();
            let picture = |machine: &mut X16| {
                machine.run(&Limits::frames(1));
                machine.vera().picture().to_vec()
            };
            let own = seen.is_none() && !at_start;
            let rules = if own { deciding(&before[0], &rules, picture) } else { Vec::new() };
            shown = Some(Shown { frame, x: at % WIDTH, y: at / WIDTH, colors, count, rules });
        }
        if is_over {
            break;
        }
        frame += 1;
    }
    for ending in &mut endings {
        if let Ending::Frames { frames, .. } = ending {
            *frames = frame + 1;
        }
    }
    Outcome { at_start, hidden, seen, shown, frame, endings, machines }
}

/// Where a program has ended in the middle of a picture, the next but one is the first that is whole.
fn whole(machines: &mut [X16; 2]) {
    for machine in machines.iter_mut().filter(|machine| machine.ended().is_some()) {
        machine.vera_mut().advance_frame();
        machine.vera_mut().advance_frame();
    }
}

/// What a step did.
#[derive(PartialEq)]
struct Done {
    step: Step,
    stored: BTreeMap<u32, u8>,
}

impl Done {
    fn of(machine: &mut X16) -> Done {
        let step = machine.step();
        let stores: Vec<Store> = machine.vera_mut().take_stores().collect();
        let vram = machine.vera().vram();
        let stored =
            stores.iter().filter_map(|store| Some((store.address, *vram.get(store.address as usize)?)));
        Done { stored: stored.collect(), step }
    }
}

/// Makes the steps of a frame once more, up to the first that differs in what can be seen. The first one that differs inside VERA is noted.
fn search(
    before: &[X16; 2],
    hidden: &mut Option<Parting>,
    first: u64,
    rules: &[Deviation],
) -> Option<Parting> {
    let mut machines = before.clone();
    both(&mut machines, |machine| machine.vera_mut().watch_stores(true));
    let end = machines[0].vera().frames() + 1;
    let mut made = 0;
    while machines.iter().any(|machine| machine.vera().frames() < end && machine.ended().is_none()) {
        let [one, _] = &machines;
        let (frame, line, cycle) = (one.vera().frames() - first, one.vera().line(), one.cycles());
        let dcsel = one.vera().peek(0x05) >> 1;
        let done = both(&mut machines, Done::of);
        let is_seen = done[0] != done[1];
        let is_still = done.iter().all(|done| done.step.accesses.is_empty());
        let differs = hidden.is_none() && !(is_still && parts::are_quiet(veras(&machines)));
        let parts = if is_seen || differs { parts::differing(veras(&machines)) } else { Vec::new() };
        if is_seen || hidden.is_none() && !parts.is_empty() {
            let mut machine = before[0].clone();
            machine.vera_mut().watch_stores(true);
            machine.steps(made, &mut ());
            machine.vera_mut().take_stores().for_each(drop);
            let act = |machine: &mut X16| {
                let done = Done::of(machine);
                (done, parts::of(machine.vera()))
            };
            let rules = deciding(&machine, rules, act);
            let [one, other] = done;
            let (steps, stored) = ([one.step, other.step], [one.stored, other.stored]);
            let parting = Parting { frame, line, cycle, dcsel, steps, stored, parts, rules };
            if is_seen {
                return Some(parting);
            }
            *hidden = Some(parting);
        }
        made += 1;
    }
    None
}

/// The rules that alone make a run differ by a step.
fn tried(start: &X16, parting: &Parting, rules: &[Deviation]) -> Vec<Deviation> {
    if parting.frame >= AGAIN {
        return Vec::new();
    }
    let cycles = parting.cycle - start.cycles();
    let act = |machine: &mut X16| {
        machine.run(&Limits::cycles(cycles));
        machine.vera_mut().watch_stores(true);
        Done::of(machine)
    };
    deciding(start, rules, act)
}
