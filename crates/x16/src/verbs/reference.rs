//! What there is to look up: the registers, the hidden state, the deviations, and the 65C02's instructions.

use super::CommanderX16;
use crate::asm::{self, Described, OPCODES, Opcode};
use gpuzoo_diag::counted;
use gpuzoo_machine::reference::{self, Deviation, Instruction, Reference, State, Statement};
use gpuzoo_machine::text::wrap;
use gpuzoo_vera::{Access, DEVIATIONS, Item, Profile, REGISTERS, Register, STATE};
use std::fmt::Write;

impl Reference for CommanderX16 {
    /// The page of a register, a state, a deviation or an instruction of the 65C02, by its name, or of an address's
    /// registers.
    fn page(&self, name: &str) -> Option<String> {
        if let Some(register) = Register::find(name) {
            return Some(register_page(register));
        }
        if let Some(page) = deviation(name).or_else(|| instruction(name)).or_else(|| at(name)) {
            return Some(page);
        }
        let item = Item::find(name)?;
        let bits = if item.bits == 1 { "1 bit".to_owned() } else { format!("{} bits", item.bits) };
        Some(format!("{}: hidden state of {bits}\n\n{}\n", item.name, wrap(item.about)))
    }

    fn names(&self) -> Vec<&'static str> {
        REGISTERS.iter().map(|register| register.name).chain(STATE.iter().map(|item| item.name)).collect()
    }

    fn instructions(&self) -> Vec<Instruction> {
        OPCODES.iter().filter(|op| op.documented).map(row).collect()
    }

    fn statements(&self) -> Vec<Statement> {
        let statement = |own: Described| {
            let Described { name, usage, about, is_macro } = own;
            Statement { name, usage, about, is_macro }
        };
        asm::directives().map(statement).collect()
    }

    fn registers(&self) -> Vec<reference::Register> {
        let row = |register: &Register| reference::Register {
            name: register.name.to_owned(),
            place: place(register),
            access: access(register).to_owned(),
            meaning: register.bits.to_owned(),
        };
        REGISTERS.iter().map(row).collect()
    }

    fn states(&self) -> Vec<State> {
        STATE.iter().map(|item| State { name: item.name, bits: item.bits, about: item.about }).collect()
    }

    fn deviations(&self) -> Vec<Deviation> {
        let row = |&(deviation, name, about): &(gpuzoo_vera::Deviation, &'static str, &'static str)| {
            let within = Profile::ALL.iter().filter(|profile| profile.deviations().has(deviation));
            Deviation { name, about, profiles: within.map(|profile| profile.name()).collect() }
        };
        DEVIATIONS.iter().map(row).collect()
    }
}

fn register_page(register: &Register) -> String {
    let mut page = format!("{}: {}, {}\n\n", register.name, place(register), access(register));
    let _ = writeln!(page, "{}", wrap(register.bits));
    let others = REGISTERS.iter().filter(|other| {
        let same_bank = other.dcsel == register.dcsel;
        other.number == register.number && same_bank && other.name != register.name
    });
    for other in others {
        let _ = writeln!(page, "\nThe same place is {}: {}.", other.name, access(other));
    }
    let shown = STATE.iter().filter(|item| register.name.starts_with(item.name));
    for item in shown {
        let _ =
            writeln!(page, "\nState `{}` shows it whether it can be read or not: {}.", item.name, item.about);
    }
    page
}

/// The page of a single deviation.
fn deviation(name: &str) -> Option<String> {
    let all = CommanderX16.deviations();
    let Deviation { name, about, profiles } = all.iter().find(|own| own.name.eq_ignore_ascii_case(name))?;
    let within = profiles.join(" and ");
    Some(format!("{name}: deviation from the RTL, in the profile {within}\n\n{}\n", wrap(about)))
}

/// Every form of an instruction.
fn instruction(mnemonic: &str) -> Option<String> {
    let mut page = String::new();
    let all = CommanderX16.instructions();
    for Instruction { opcode, usage, meaning, .. } in
        all.iter().filter(|own| own.name.eq_ignore_ascii_case(mnemonic))
    {
        let _ = writeln!(page, "{opcode}  {usage:<18}{meaning}");
    }
    let name = mnemonic.to_ascii_lowercase();
    (!page.is_empty()).then(|| {
        format!("{name}: instruction of the 65C02\n\n{page}\np: one more if the address crosses a page, t: if a branch is taken, d: in decimal mode.\n")
    })
}

/// The registers at an address: $9F29, 0x9F29 or 9F29.
fn at(text: &str) -> Option<String> {
    let digits =
        text.strip_prefix('$').or_else(|| text.strip_prefix("0x")).or_else(|| text.strip_prefix("0X"));
    let address = u16::from_str_radix(digits.unwrap_or(text), 16).ok()?;
    let pages: Vec<String> =
        REGISTERS.iter().filter(|register| register.address() == address).map(register_page).collect();
    (!pages.is_empty()).then(|| pages.join("\n"))
}

/// A form of an instruction.
fn row(op: &Opcode) -> Instruction {
    let extra = [(op.extra.page, "+p"), (op.extra.branch, "+t"), (op.extra.decimal, "+d")];
    let extra: String = extra.iter().filter(|(is, _)| *is).map(|(_, name)| *name).collect();
    let flags = if op.flags.is_empty() { "no" } else { op.flags };
    let bytes = counted(op.length(), "byte");
    Instruction {
        opcode: format!("${:02X}", op.code),
        name: op.mnemonic.to_owned(),
        usage: asm::instruction([op.code, 0x12, 0x34], 0x0800, None, &asm::Labels::default()),
        meaning: format!("{bytes}, {}{extra} cycles, {flags} flags", op.cycles),
    }
}

fn place(register: &Register) -> String {
    let address = register.address();
    register.dcsel.map_or(format!("${address:04X}"), |bank| format!("${address:04X} (DCSEL {bank})"))
}

fn access(register: &Register) -> &'static str {
    match register.access {
        Access::Both => "read and write",
        Access::WriteOnly => "write only",
        Access::ReadOnly => "read only",
        Access::Strobe => "writing stores, reading does something else",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str) -> Option<String> {
        CommanderX16.page(name)
    }

    #[test]
    fn every_register_and_state_has_a_page() {
        for register in REGISTERS {
            assert!(
                named(register.name).is_some_and(|page| page.contains(&wrap(register.bits))),
                "{}",
                register.name
            );
        }
        for item in STATE {
            assert!(named(item.name).is_some(), "{}", item.name);
        }
        assert_eq!(named("FX_NOTHING"), None);
    }

    #[test]
    fn addresses_deviations_and_instructions_have_pages() {
        let page = named("$9F29").unwrap();
        assert!(
            page.starts_with("DC_VIDEO: $9F29 (DCSEL 0)") && page.contains("FX_CTRL: $9F29 (DCSEL 2)"),
            "{page}"
        );
        assert_eq!(named("0x9f29"), Some(page));
        assert_eq!((named("$9F40"), named("9F2")), (None, None));
        assert!(
            named("e9")
                .unwrap()
                .starts_with("E9: deviation from the RTL, in the profile x16emu\n\na half-byte step")
        );
        let page = named("STZ").unwrap();
        // The data sheet's four forms.
        for form in ["$64  stz $12", "$74  stz $12,x", "$9C  stz $3412", "$9E  stz $3412,x"] {
            assert!(page.contains(form), "{page}");
        }
        assert_eq!(named("mvn"), None);
    }

    #[test]
    fn strobes_name_both_registers_of_a_place() {
        let page = named("fx_accum").unwrap();
        assert!(page.contains("The same place is FX_CACHE_M"), "{page}");
    }
}
