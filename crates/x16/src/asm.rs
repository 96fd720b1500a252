//! Names of VERA's registers for the 65C02 assembler and disassembler of `gpuzoo-asm65`.
//!
//! They are known in both spellings of the FX reference, `VERA_FX_CTRL` and `FX_CTRL`, in any case of letters. In a
//! disassembly, those of a DCSEL bank are written only where the bank is sure.
//!
//! ```
//! use gpuzoo_diag::Sources;
//! use gpuzoo_x16::asm::{OPTIONS, assemble};
//!
//! let mut sources = Sources::default();
//! let file = sources.add("demo.s", "        lda #(2 << 1)\n        sta VERA_CTRL\n@wait:  bra @wait\n");
//! let (program, problems) = assemble(&mut sources, file, &OPTIONS, &mut |_| Err("no files here".into()));
//! assert!(problems.is_empty());
//! assert_eq!(program.prg().unwrap(), [0x01, 0x08, 0xa9, 0x04, 0x8d, 0x25, 0x9f, 0x80, 0xfe]);
//! ```

pub use gpuzoo_65c02::{OPCODES, Opcode};
pub use gpuzoo_asm65::{
    BASIC, BasicStart, Described, Disassembly, Include, Labels, Linked, Options, Program, assemble,
    assemble_all, directives, lexemes, linked, symbols,
};

use crate::ROUTINES;
use gpuzoo_asm65::{Instruction, Line, Names, Predefined};
use gpuzoo_diag::Sources;
use gpuzoo_vera::{Access, BASE, REGISTERS, Register};
use std::collections::{BTreeMap, BTreeSet};

/// The names that programs need not define: the registers', and those of the KERNAL's two calls that small programs make
/// (x16-docs, chapter 5).
pub const NAMES: &[Predefined<'static>] = &[
    Predefined { prefix: "VERA_", names: &REGISTER_NAMES },
    Predefined { prefix: "VERA_", names: HALVES },
    Predefined { prefix: "", names: &[("CHROUT", CHROUT), ("SCREEN_MODE", 0xff5f)] },
];

/// How programs for VERA are assembled: as by `cl65 -t cx16 -C cx16-asm.cfg`, and with [`NAMES`]. The KERNAL's other routines are known for advice.
pub const OPTIONS: Options<'static> = Options { names: NAMES, routines: ROUTINES, ..Options::CX16 };

const CHROUT: u16 = 0xffd2;
const CTRL: u16 = BASE + 5;

static REGISTER_NAMES: [(&str, u16); REGISTERS.len()] = {
    let mut names = [("", 0); REGISTERS.len()];
    let mut at = 0;
    while at < names.len() {
        names[at] = (REGISTERS[at].name, REGISTERS[at].address());
        at += 1;
    }
    names
};

/// The halves of `ADDRx` without the x, as include files of the community have them.
const HALVES: &[(&str, u16)] = &[
    ("ADDR_L", BASE),
    ("ADDR_M", BASE + 1),
    ("ADDR_H", BASE + 2),
    ("ADDR_LOW", BASE),
    ("ADDR_MID", BASE + 1),
    ("ADDR_BANK", BASE + 2),
];

/// The program at an address as text, with VERA's registers by name: those of a DCSEL bank where a `CTRL` write with a
/// constant just before selects it.
///
/// ```
/// use gpuzoo_x16::asm::{Disassembly, disassemble};
/// let text = disassemble(&[0xa9, 0x04, 0x8d, 0x25, 0x9f, 0x9c, 0x29, 0x9f], 0x0800, &Disassembly::default());
/// assert!(text.ends_with("    lda #$04\n    sta VERA_CTRL\n    stz VERA_FX_CTRL\n"));
/// ```
pub fn disassemble(bytes: &[u8], origin: u16, options: &Disassembly) -> String {
    gpuzoo_asm65::disassemble(bytes, origin, options, &mut RegisterNames::default())
}

/// The same with the names of a program's own places, as far as they can be defined in one text: without scopes, and each once.
pub fn disassemble_with(program: &Program, bytes: &[u8], origin: u16, options: &Disassembly) -> String {
    let mut used: BTreeMap<&str, BTreeSet<i64>> = BTreeMap::new();
    for symbol in program.symbols.iter().filter(|symbol| symbol.is_label && is_plain(&symbol.name)) {
        used.entry(&symbol.name).or_default().insert(symbol.value);
    }
    let mut labels = BTreeMap::new();
    for (name, values) in used {
        if let (Some(Ok(address)), 1) = (values.first().copied().map(u16::try_from), values.len()) {
            labels.entry(address).or_insert(name);
        }
    }
    let registers = RegisterNames::default();
    gpuzoo_asm65::disassemble(bytes, origin, options, &mut OwnNames { registers, labels })
}

/// True for a name that stands for itself wherever it is written, and that is not one that the disassembly has for another thing.
fn is_plain(name: &str) -> bool {
    let mut letters = name.chars();
    let begins = letters.next().is_some_and(|letter| letter.is_ascii_alphabetic() || letter == '_');
    let known = |group: &Predefined| {
        let bare = name.get(..group.prefix.len()).filter(|front| front.eq_ignore_ascii_case(group.prefix));
        let bare = bare.map_or(name, |front| &name[front.len()..]);
        group.names.iter().any(|(own, _)| own.eq_ignore_ascii_case(bare))
    };
    let is_word = name.len() > 1 && !OPCODES.iter().any(|op| op.mnemonic.eq_ignore_ascii_case(name));
    let is_made = name.len() == 5 && name.starts_with('L');
    begins
        && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
        && is_word
        && !is_made
        && !NAMES.iter().any(known)
}

/// A machine's registers, and the names of places that are defined in the text.
struct OwnNames<'a> {
    registers: RegisterNames,
    labels: BTreeMap<u16, &'a str>,
}

impl Names for OwnNames<'_> {
    fn name(&mut self, instruction: &Instruction) -> Option<String> {
        self.registers.name(instruction)
    }

    fn label(&self, address: u16) -> Option<&str> {
        self.labels.get(&address).copied()
    }
}

/// One instruction, as a tracer shows it; `dcsel` names the registers of that bank, and `labels` other addresses.
///
/// ```
/// use gpuzoo_x16::asm::{Labels, instruction};
/// let none = Labels::default();
/// assert_eq!(instruction([0x8d, 0x29, 0x9f], 0x0801, Some(2), &none), "sta VERA_FX_CTRL");
/// assert_eq!(instruction([0x8d, 0x29, 0x9f], 0x0801, None, &none), "sta $9f29");
/// ```
pub fn instruction(bytes: [u8; 3], pc: u16, dcsel: Option<u8>, labels: &Labels) -> String {
    let registers = RegisterNames { bank: dcsel, loaded: None };
    gpuzoo_asm65::instruction(bytes, pc, &mut AllNames { registers, labels })
}

/// A machine's registers, and a program's labels.
struct AllNames<'a> {
    registers: RegisterNames,
    labels: &'a Labels,
}

impl Names for AllNames<'_> {
    fn name(&mut self, instruction: &Instruction) -> Option<String> {
        let own = self.registers.name(instruction);
        let address = || instruction.target.unwrap_or(instruction.operand);
        own.or_else(|| self.labels.at(address()).map(str::to_owned))
    }
}

/// The registers of banks ($9F29 to $9F2C) that a program's instructions name, with the instruction's address. A text
/// says by a name which DCSEL it counts on.
pub fn registers(program: &Program, sources: &Sources) -> Vec<(u16, &'static Register)> {
    let in_line = |line: &Line| {
        let text = sources.find(line.span.file)?.slice(line.span);
        let code = text.split(';').next().unwrap_or("");
        let mut words = code.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
        let named =
            words.find_map(|word| Register::find(word).filter(|register| register.dcsel.is_some()))?;
        Some((line.address, named))
    };
    program.lines.iter().filter_map(in_line).collect()
}

/// Names registers in a disassembly, and follows which bank is selected.
#[derive(Clone, Copy, Debug, Default)]
struct RegisterNames {
    /// DCSEL, where it is sure.
    bank: Option<u8>,
    /// What is in the accumulator, where that is sure.
    loaded: Option<u8>,
}

impl Names for RegisterNames {
    fn name(&mut self, instruction: &Instruction) -> Option<String> {
        if instruction.has_label {
            *self = RegisterNames::default();
        }
        let name = match instruction.target {
            Some(CHROUT) if instruction.op.mnemonic == "jsr" => Some("CHROUT".to_owned()),
            Some(_) => None,
            None => self.register(instruction),
        };
        self.follow(instruction);
        name
    }
}

impl RegisterNames {
    /// The name of the register at an address, if it is sure.
    fn register(&self, instruction: &Instruction) -> Option<String> {
        let number = instruction.operand.checked_sub(BASE)?;
        let fits = |dcsel: Option<u8>| dcsel.is_none() || dcsel == self.bank;
        let mut here =
            REGISTERS.iter().filter(|register| u16::from(register.number) == number && fits(register.dcsel));
        let first = here.next()?;
        // Some places are one register for writing and another for reading.
        let other = here.find(|other| matches!(other.access, Access::ReadOnly | Access::Strobe));
        let chosen = if stores(instruction) { first } else { other.unwrap_or(first) };
        Some(format!("VERA_{}", chosen.name))
    }

    fn follow(&mut self, instruction: &Instruction) {
        use gpuzoo_65c02::Mode;
        let Instruction { op, operand, .. } = *instruction;
        let is_ctrl = operand == CTRL && matches!(op.mode, Mode::Abs | Mode::AbsX | Mode::AbsY);
        match (op.mnemonic, op.mode) {
            ("lda", Mode::Immediate) => self.loaded = Some(operand as u8),
            // A reset, bit 7, is not followed.
            ("sta", Mode::Abs) if is_ctrl => {
                self.bank = self.loaded.filter(|value| value & 0x80 == 0).map(|value| value >> 1 & 0x3f);
            }
            ("stz", Mode::Abs) if is_ctrl => self.bank = Some(0),
            _ if stores(instruction) => {
                if is_ctrl {
                    self.bank = None;
                }
            }
            // What calls, jumps, or changes the accumulator ends the certainty.
            _ => {
                self.loaded = None;
                if is_ctrl || matches!(op.mnemonic, "jsr" | "jmp" | "rts" | "rti" | "brk") {
                    self.bank = None;
                }
            }
        }
    }
}

fn stores(instruction: &Instruction) -> bool {
    matches!(instruction.op.mnemonic, "sta" | "stx" | "sty" | "stz")
}
