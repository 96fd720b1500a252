//! A trace as a text for people, with the oddities of its run.

use super::Trace;
use crate::paint::{Ink, Paint};
use crate::why::Answer;
use gpuzoo_debug::Oddity;
use gpuzoo_isa::Mask;
use gpuzoo_machine::session::trace::Change;
use gpuzoo_machine::session::{Event, Session as _};
use std::fmt::Write;

/// The most sentences about suspicious steps.
const MOST_FOUND: usize = 20;

/// True if the component was written and holds other bits now.
fn changed(change: &Change, component: usize) -> bool {
    change.components.has(component as u8) && change.before[component] != change.after[component]
}

impl Trace {
    /// Oddities of the run, a sentence each, of a long run the first: where NaN and infinities arise, what was read that nothing wrote or that is
    /// not there, and outputs that are zeros in x, y and z.
    pub fn findings(&self, bits: bool) -> Vec<String> {
        let mut session = self.session.clone();
        let (mut found, mut more): (Vec<String>, usize) = (Vec::new(), 0);
        for (number, place) in self.session.places().enumerate() {
            let slot = format!("slot {}: {}", place.at, place.text);
            for event in session.events(number as u64).unwrap_or_default() {
                let sentence = match event {
                    Event::NotANumber { register, components } => {
                        format!("{register}.{components} becomes NaN in {slot}")
                    }
                    Event::Infinite { register, components } => {
                        format!("{register}.{components} becomes infinite in {slot}")
                    }
                    Event::UndefinedRead { register, components } => {
                        format!("{register}.{components} is read in {slot}, and nothing has written it")
                    }
                    Event::OutOfReach { register, number } => {
                        format!("{slot} reads number {number} from {register} on, which is not there")
                    }
                    _ => continue,
                };
                match found.len() < MOST_FOUND {
                    true if !found.contains(&sentence) => found.push(sentence),
                    true => {}
                    false => more += 1,
                }
            }
        }
        if more > 0 {
            found.push(format!("and {more} more like these"));
        }
        for output in self.outputs.iter().filter(|output| output.written.0 & 0b0111 == 0b0111) {
            let is_black = output.value[..3].iter().all(|bits| Oddity::of(*bits) == Some(Oddity::Zero));
            if let (true, Some(reg)) = (is_black, output.reg) {
                let answer = Answer::of(self, reg, Mask(0b0001), self.session.steps().len());
                found.push(answer.sentence(bits));
            }
        }
        found
    }

    /// For people: a line for each instruction, a line for each register that it wrote. A component that changed has a
    /// `*`; a component that was not written is `_`. Oddities of the whole run are at the end.
    pub fn text(&self, bits: bool, paint: Paint) -> String {
        let fate = if self.killed { ", killed" } else { "" };
        let head = paint.ink(Ink::Head, format!("{}{fate}", self.subject.text()));
        let mut text = format!("{head} (* changed, _ not written)\n");
        for (place, step) in self.steps() {
            let _ = writeln!(text, "{:>4}  {}", place.at, paint.ink(Ink::Head, &place.text));
            for change in &step.changes {
                let components = [0, 1, 2, 3].map(|component| match change.components.has(component as u8) {
                    false => paint.ink(Ink::Dim, "_"),
                    true => {
                        let is_integer = change.integers[1].has(component as u8);
                        let shown = Self::component(bits, change.after[component], is_integer, paint);
                        match changed(change, component) {
                            true => format!("{}{shown}", paint.ink(Ink::New, "*")),
                            false => shown,
                        }
                    }
                });
                let _ = writeln!(
                    text,
                    "          {} = ({})",
                    self.session.name(change.reg),
                    components.join(", ")
                );
            }
        }
        if !self.outputs.is_empty() {
            text += &format!("{}\n", paint.ink(Ink::Head, "outputs"));
        }
        for output in &self.outputs {
            let _ = writeln!(text, "          {}", self.output(output, bits, paint));
        }
        let findings = self.findings(bits);
        if !findings.is_empty() {
            text += &format!("{}\n", paint.ink(Ink::Head, "odd"));
        }
        for finding in findings {
            let _ = writeln!(text, "          {}", paint.ink(Ink::Odd, finding));
        }
        text
    }
}
