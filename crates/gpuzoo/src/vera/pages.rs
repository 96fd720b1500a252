//! `explain` and `list` for VERA: the machine, its registers and its hidden state.

use super::{EXTENSIONS, ID, NAME, SUMMARY};
use crate::Registry;
use crate::codes::NO_SUCH_TOPIC;
use crate::explain::{code_page, wrap};
use crate::list::Listing;
use gpuzoo_diag::{Diagnostic, suggest};
use gpuzoo_vera::asm::{self, OPCODES, Opcode};
use gpuzoo_vera::{Access, DEVIATIONS, Item, Profile, REGISTERS, Register, STATE};
use std::fmt::Write;

/// The machine on a page.
pub fn machine() -> String {
    let mut page = format!("{}.\n\n", wrap(&format!("{NAME}: {SUMMARY}")));
    let extensions: Vec<String> = EXTENSIONS.iter().map(|extension| format!(".{extension}")).collect();
    let profiles: Vec<&str> = Profile::ALL.iter().map(|profile| profile.name()).collect();
    for (name, text) in [
        ("id", ID.to_owned()),
        ("extensions", extensions.join(" ")),
        ("profiles", profiles.join(" ")),
        ("registers", "32 bytes at $9F20, some in banks that CTRL's DCSEL chooses".to_owned()),
        ("memory", "128 KB, through DATA0 and DATA1".to_owned()),
        ("processor", "65C02 at 8 MHz, in a Commander X16 without ROM".to_owned()),
    ] {
        let _ = writeln!(page, "{name:<16}{text}");
    }
    page += "\nNames to explain: `vera.FX_CTRL` and the other registers, addresses (`--gpu vera 9F29`), hidden state such as\n\
             `vera.cache`, deviations (`vera.E9`), instructions (`vera.stz`).\n\
             `gpuzoo list registers` shows the registers, `gpuzoo list deviations` the deviations.\n";
    page
}

/// The page of something that VERA has: a register or a state, by its name; a code's page, as well.
///
/// # Errors
/// `G0110` if nothing has that name.
pub fn explain(registry: &Registry, name: &str) -> Result<String, Diagnostic> {
    if let Some(code) = registry.code(name) {
        return Ok(code_page(code));
    }
    let name = name.strip_prefix("vera.").unwrap_or(name);
    if name == ID {
        return Ok(machine());
    }
    named(name).ok_or_else(|| {
        let message = format!("VERA has no register and no state `{name}`");
        let problem = Diagnostic::error(&NO_SUCH_TOPIC, message);
        match suggest::nearest(name, names()) {
            Some(near) => problem.help(format!("did you mean `{near}`?")),
            None => problem.help("`gpuzoo list registers` shows the registers"),
        }
    })
}

/// Every name that has a page.
pub fn names() -> impl Iterator<Item = &'static str> {
    REGISTERS.iter().map(|register| register.name).chain(STATE.iter().map(|item| item.name))
}

/// The page of a register, a state, a deviation or an instruction of the 65C02, by its name, or of an address's
/// registers.
///
/// ```
/// let page = gpuzoo::vera::pages::named("VERA_FX_CTRL").unwrap();
/// assert!(page.starts_with("FX_CTRL: $9F29 (DCSEL 2), read and write\n"));
/// assert!(gpuzoo::vera::pages::named("cache").unwrap().contains("32 bits"));
/// ```
pub fn named(name: &str) -> Option<String> {
    if let Some(register) = Register::find(name) {
        return Some(self::register(register));
    }
    if let Some(page) = deviation(name).or_else(|| instruction(name)).or_else(|| at(name)) {
        return Some(page);
    }
    let item = Item::find(name)?;
    let bits = if item.bits == 1 { "1 bit".to_owned() } else { format!("{} bits", item.bits) };
    Some(format!("{}: hidden state of {bits}\n\n{}\n", item.name, wrap(item.about)))
}

fn register(register: &Register) -> String {
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
    let row = deviations()
        .rows
        .into_iter()
        .find(|row| row.first().is_some_and(|own| own.eq_ignore_ascii_case(name)))?;
    let [name, is, within] = <[String; 3]>::try_from(row).ok()?;
    let within = within.replace(' ', " and ");
    Some(format!("{name}: deviation from the RTL, in the profile {within}\n\n{}\n", wrap(&is)))
}

/// Every form of an instruction.
fn instruction(mnemonic: &str) -> Option<String> {
    let mut page = String::new();
    for row in ops().rows.iter().filter(|row| row[2].eq_ignore_ascii_case(mnemonic)) {
        let _ = writeln!(page, "{}  {:<18}{}", row[1], row[3], row[4]);
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
        REGISTERS.iter().filter(|register| register.address() == address).map(self::register).collect();
    (!pages.is_empty()).then(|| pages.join("\n"))
}

/// The 65C02's instructions: columns as those of `list ops`.
pub fn ops() -> Listing {
    let known = OPCODES.iter().filter(|op| op.documented);
    let row = |op: &Opcode| {
        let extra = [(op.extra.page, "+p"), (op.extra.branch, "+t"), (op.extra.decimal, "+d")];
        let extra: String = extra.iter().filter(|(is, _)| *is).map(|(_, name)| *name).collect();
        let flags = if op.flags.is_empty() { "no".to_owned() } else { op.flags.to_owned() };
        let written = asm::instruction([op.code, 0x12, 0x34], 0x0800, None);
        let bytes = if op.length() == 1 { "1 byte".to_owned() } else { format!("{} bytes", op.length()) };
        let meaning = format!("{bytes}, {}{extra} cycles, {flags} flags", op.cycles);
        vec![ID.to_owned(), format!("${:02X}", op.code), op.mnemonic.to_owned(), written, meaning]
    };
    Listing::new(&["gpu", "opcode", "name", "usage", "meaning"], known.map(row).collect())
}

/// Every register, by place.
pub fn registers() -> Listing {
    let row = |register: &Register| {
        [register.name.to_owned(), place(register), access(register).to_owned(), register.bits.to_owned()]
            .to_vec()
    };
    Listing::new(&["name", "place", "access", "bits"], REGISTERS.iter().map(row).collect())
}

/// A row of `list gpus`.
pub fn row() -> Vec<String> {
    let extensions: Vec<String> = EXTENSIONS.iter().map(|extension| format!(".{extension}")).collect();
    let profiles: Vec<&str> = Profile::ALL.iter().map(|profile| profile.name()).collect();
    vec![ID.into(), NAME.into(), extensions.join(" "), profiles.join(" "), SUMMARY.into()]
}

/// Profiles, then each deviation by its short name: columns as those of `list profiles`.
pub fn profiles() -> Vec<Vec<String>> {
    let profiles = Profile::ALL.iter().enumerate().map(|(index, profile)| {
        let default = if index == 0 { "yes" } else { "" };
        vec![ID.to_owned(), profile.name().to_owned(), default.to_owned()]
    });
    profiles.collect()
}

/// The single differences that profiles are made of.
pub fn deviations() -> Listing {
    let row = |(deviation, name, about): &(gpuzoo_vera::Deviation, &str, &str)| {
        let within: Vec<&str> = Profile::ALL
            .iter()
            .filter(|profile| profile.deviations().has(*deviation))
            .map(|profile| profile.name())
            .collect();
        vec![(*name).to_owned(), (*about).to_owned(), within.join(" ")]
    };
    Listing::new(&["name", "is", "in profiles"], DEVIATIONS.iter().map(row).collect())
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
