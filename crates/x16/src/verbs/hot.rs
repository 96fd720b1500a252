//! Where the cycles of a run went, for people and for scripts.

use super::Program;
use crate::{RETURN, Spent, X16, kernal_name};
use gpuzoo_machine::options::arguments::{Kind, Parameter, Verb};
use gpuzoo_machine::text::grouped;
use serde_json::{Value as Json, json};
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

/// Instructions from a label to the next, local labels left out; what has no label is a routine for each 256 bytes.
struct Routine {
    name: String,
    /// Where it begins.
    address: u16,
    cycles: u64,
    /// How often its first instruction ran.
    times: u64,
}

/// An instruction that ran.
struct Instruction {
    address: u16,
    /// The label before it, and how far behind that it is.
    place: String,
    text: String,
    cycles: u64,
    times: u64,
}

/// Where the cycles of a run went, the most first.
pub(super) struct Hot {
    total: u64,
    /// What is no instruction.
    others: [(&'static str, u64); 2],
    routines: Vec<Routine>,
    instructions: Vec<Instruction>,
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
        let others =
            [("waiting for an interrupt", spent.waiting()), ("entering interrupts", spent.entering())];
        Hot { total: spent.total(), others, routines, instructions }
    }

    /// The routines, then the instructions, with their shares of all cycles.
    pub(super) fn text(&self) -> String {
        if self.total == 0 {
            return String::new();
        }
        let mut text = format!("where {} cycles went, and how often:\n", grouped(self.total));
        // What is entered in its middle, and what is no instruction, has no number of times.
        let row = |text: &mut String, cycles: u64, times: u64, what: &str| {
            let share = cycles as f64 * 100.0 / self.total as f64;
            let times = if times > 0 { format!("{} x", grouped(times)) } else { String::new() };
            let _ = writeln!(text, "{share:6.1} %  {:>14}  {times:>14}  {what}", grouped(cycles));
        };
        for (what, cycles) in self.others.iter().filter(|(_, cycles)| *cycles > 0) {
            row(&mut text, *cycles, 0, what);
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

    /// All of them.
    pub(super) fn json(&self) -> Json {
        let routine = |one: &Routine| json!({ "name": one.name, "address": one.address, "cycles": one.cycles, "times": one.times });
        let instruction = |one: &Instruction| json!({ "address": one.address, "place": one.place, "text": one.text, "cycles": one.cycles, "times": one.times });
        json!({
            "cycles": self.total,
            "waiting": self.others[0].1,
            "entering": self.others[1].1,
            "routines": self.routines.iter().map(routine).collect::<Vec<_>>(),
            "instructions": self.instructions.iter().map(instruction).collect::<Vec<_>>(),
        })
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
