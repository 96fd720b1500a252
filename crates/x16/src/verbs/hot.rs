//! Where the cycles of a run went, for people and for scripts.

use super::Program;
use crate::{RETURN, Spent, X16, kernal_name};
use gpuzoo_machine::options::arguments::{Kind, Parameter, Verb};
use gpuzoo_machine::text::grouped;
use serde::Serialize;
use std::collections::HashMap;
use std::fmt::Write;

/// The option.
pub(super) const HOT: Parameter = Parameter::new(
    "hot",
    Kind::Flag,
    &[Verb::Run],
    "show where the cycles go: by routine, and the instructions that take most",
);

/// So many routines and so many instructions are shown to people.
const SHOWN: [usize; 2] = [16, 10];
/// Where ROM begins.
const ROM: u16 = 0xc000;

/// Instructions from a label to the next, local labels left out; 256 bytes without a label are a routine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Routine {
    /// The label, or a text about the place.
    pub name: String,
    /// The address of its first instruction.
    pub address: u16,
    /// The CPU cycles that it took.
    pub cycles: u64,
    /// The number of times that its first instruction ran.
    pub times: u64,
}

/// An instruction that ran.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Instruction {
    /// Its address.
    pub address: u16,
    /// The label before it, and the distance from there in bytes: `loop+2`.
    pub place: String,
    /// The instruction as text.
    pub text: String,
    /// The CPU cycles that it took.
    pub cycles: u64,
    /// The number of times that it ran.
    pub times: u64,
}

/// The places that the CPU cycles of a run went to, the most first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Hot {
    /// All cycles.
    pub cycles: u64,
    /// Cycles of waiting for an interrupt.
    pub waiting: u64,
    /// Cycles of entering interrupts.
    pub entering: u64,
    /// Routines.
    pub routines: Vec<Routine>,
    /// Single instructions.
    pub instructions: Vec<Instruction>,
}

impl Hot {
    /// Of a run of a program, whose machine holds its bytes.
    pub(super) fn new(spent: &Spent, program: &Program, machine: &X16) -> Hot {
        let mut routines = HashMap::<String, Routine>::new();
        let mut instructions = Vec::new();
        for address in spent.addresses() {
            let (cycles, times) = (spent.cycles(address), spent.times(address));
            let stands_in = !machine.has_rom() && (address >= ROM || address == RETURN);
            let (name, place) = match stands_in {
                true => (stand_in(address), String::new()),
                false => placed(program, address),
            };
            // A name is looked for once, however many instructions it has.
            let own = || {
                let start =
                    start(program, &name).unwrap_or(if stands_in { address } else { address & 0xff00 });
                Routine { name: name.clone(), address: start, cycles: 0, times: spent.times(start) }
            };
            routines.entry(name.clone()).or_insert_with(own).cycles += cycles;
            if stands_in {
                continue;
            }
            let bytes = [0, 1, 2].map(|offset| machine.peek(address.wrapping_add(offset)));
            let text = crate::asm::instruction(bytes, address, None, &program.labels);
            instructions.push(Instruction { address, place, text, cycles, times });
        }
        let mut routines: Vec<Routine> = routines.into_values().collect();
        routines.sort_by_key(|routine| (u64::MAX - routine.cycles, routine.address));
        instructions.sort_by_key(|one| u64::MAX - one.cycles);
        let (waiting, entering) = (spent.waiting(), spent.entering());
        Hot { cycles: spent.total(), waiting, entering, routines, instructions }
    }

    /// The routines, then the instructions, with their shares of all cycles.
    pub(super) fn text(&self) -> String {
        if self.cycles == 0 {
            return String::new();
        }
        let mut text = format!("where {} cycles went, and how often:\n", grouped(self.cycles));
        // What is entered in its middle, and what is no instruction, has no number of times.
        let row = |text: &mut String, cycles: u64, times: u64, what: &str| {
            let share = cycles as f64 * 100.0 / self.cycles as f64;
            let times = if times > 0 { format!("{} x", grouped(times)) } else { String::new() };
            let _ = writeln!(text, "{share:6.1} %  {:>14}  {times:>14}  {what}", grouped(cycles));
        };
        let others = [("waiting for an interrupt", self.waiting), ("entering interrupts", self.entering)];
        for (what, cycles) in others.into_iter().filter(|(_, cycles)| *cycles > 0) {
            row(&mut text, cycles, 0, what);
        }
        let (shown, left_out) = self.routines.split_at(self.routines.len().min(SHOWN[0]));
        for routine in shown {
            row(&mut text, routine.cycles, routine.times, &routine.name);
        }
        if !left_out.is_empty() {
            let what = format!("in {} more", grouped(left_out.len() as u64));
            row(&mut text, left_out.iter().map(|routine| routine.cycles).sum(), 0, &what);
        }
        text += "single instructions:\n";
        for one in self.instructions.iter().take(SHOWN[1]) {
            let what = format!("${:04X}  {}  ({})", one.address, one.text, one.place);
            row(&mut text, one.cycles, one.times, &what);
        }
        text
    }
}

/// The routine of the KERNAL that is called at an address where no ROM is.
fn stand_in(address: u16) -> String {
    match (address, kernal_name(address)) {
        (RETURN, _) => "return to the KERNAL".to_owned(),
        (_, Some(name)) => format!("{name} (a stand-in)"),
        (_, None) => "stand-ins of the KERNAL".to_owned(),
    }
}

/// The name of the routine around an address, and what the address itself is called.
fn placed(program: &Program, address: u16) -> (String, String) {
    let label = program.labels.near(address).filter(|_| program.has(address));
    let Some((label, offset)) = label else {
        let kind = if address < ROM { "RAM" } else { "ROM" };
        let name = format!("{kind} at ${:04X}", address & 0xff00);
        return (name.clone(), name);
    };
    let name = match label.split_once('@') {
        Some((name, _)) if !name.is_empty() => name,
        _ => label,
    };
    let place = if offset == 0 { label.to_owned() } else { format!("{label}+{offset}") };
    (name.to_owned(), place)
}

/// Where a label of the program is.
fn start(program: &Program, name: &str) -> Option<u16> {
    let symbol = program.source.as_ref()?.symbol(name)?;
    u16::try_from(symbol.value).ok()
}
