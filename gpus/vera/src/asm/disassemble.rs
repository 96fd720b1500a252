//! From bytes to text that assembles to the same bytes.

use super::program::{BASIC, sys_address};
use crate::{Access, BASE, REGISTERS};
use gpuzoo_65c02::{Mode, OPCODES, Opcode};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// How a disassembly looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Disassembly {
    /// VERA's registers by name: those of a DCSEL bank where a `CTRL` write with a constant just before selects it. The
    /// text then needs an assembler that predefines them.
    pub names: bool,
    /// Address and bytes of each instruction as a comment.
    pub addresses: bool,
}

impl Default for Disassembly {
    fn default() -> Disassembly {
        Disassembly { names: true, addresses: false }
    }
}

const CTRL: u16 = BASE + 5;
const CHROUT: u16 = 0xffd2;
/// The opcodes that select a bank: `lda #`, `sta`, `stz`.
const LDA_IMMEDIATE: u8 = 0xa9;
const STA: u8 = 0x8d;
const STZ: u8 = 0x9c;

/// The 65C02 program at an address, one instruction a line.
///
/// The sweep is linear: bytes that are not an instruction are `.byte`s, data that looks like instructions is shown as
/// such. Targets of jumps and branches get labels. A BASIC line at $0801 is shown as what it is. Bytes beyond $FFFF are
/// left out.
///
/// ```
/// use gpuzoo_vera::asm::{Disassembly, disassemble};
/// let text = disassemble(&[0xa9, 0x04, 0x8d, 0x25, 0x9f, 0x9c, 0x29, 0x9f], 0x0800, &Disassembly::default());
/// assert!(text.ends_with("    lda #$04\n    sta VERA_CTRL\n    stz VERA_FX_CTRL\n"));
/// ```
pub fn disassemble(bytes: &[u8], origin: u16, options: &Disassembly) -> String {
    let room = 0x1_0000 - usize::from(origin);
    let bytes = bytes.get(..room).unwrap_or(bytes);
    let stub = stub_length(bytes, origin);
    let items = sweep(bytes, origin, stub);
    let mut targets: BTreeSet<u16> = items.iter().filter_map(|item| item.target).collect();
    targets.extend(sys_address(bytes).filter(|_| stub > 0));
    let places: BTreeSet<u16> = items.iter().map(|item| item.address).collect();
    let labels: BTreeSet<u16> = targets.intersection(&places).copied().collect();

    let mut text = format!("    .org ${origin:04x}\n");
    if stub > 0 {
        write_stub(&mut text, bytes, stub);
    }
    let mut bank = None;
    let mut loaded = None;
    for item in &items {
        if labels.contains(&item.address) {
            let _ = writeln!(text, "{}:", label(item.address));
            (bank, loaded) = (None, None);
        }
        let statement = match item.op {
            Some(op) => {
                let operand = item.operand(bytes);
                let shown =
                    shown_operand(op, item, operand, &labels, bank.filter(|_| options.names), options);
                track(op, operand, &mut bank, &mut loaded);
                format!("{}{}{shown}", op.mnemonic, if shown.is_empty() { "" } else { " " })
            }
            None => format!(".byte ${:02x}", bytes.get(item.offset).copied().unwrap_or(0)),
        };
        if options.addresses {
            let own = bytes.get(item.offset..item.offset + item.length).unwrap_or(&[]);
            let hex: Vec<String> = own.iter().map(|byte| format!("{byte:02x}")).collect();
            let _ = writeln!(text, "    {statement:28}; {:04x}  {}", item.address, hex.join(" "));
        } else {
            let _ = writeln!(text, "    {statement}");
        }
    }
    text
}

/// One instruction, as a tracer shows it; `dcsel` names the registers of that bank.
///
/// ```
/// use gpuzoo_vera::asm::instruction;
/// assert_eq!(instruction([0x8d, 0x29, 0x9f], 0x0801, Some(2)), "sta VERA_FX_CTRL");
/// assert_eq!(instruction([0x80, 0xfe, 0x00], 0x0801, None), "bra $0801");
/// ```
pub fn instruction(bytes: [u8; 3], pc: u16, dcsel: Option<u8>) -> String {
    match sweep(&bytes, pc, 0).first() {
        Some(item @ Item { op: Some(op), .. }) => {
            let operand = item.operand(&bytes);
            let shown = shown_operand(op, item, operand, &BTreeSet::new(), dcsel, &Disassembly::default());
            format!("{} {shown}", op.mnemonic).trim_end().to_owned()
        }
        _ => format!(".byte ${:02x}", bytes[0]),
    }
}

/// An instruction, or a byte that is not part of one.
struct Item {
    offset: usize,
    address: u16,
    length: usize,
    op: Option<&'static Opcode>,
    /// Where it may jump to.
    target: Option<u16>,
}

impl Item {
    /// The bytes after the opcode as a number.
    fn operand(&self, bytes: &[u8]) -> u16 {
        let at = |ahead: usize| bytes.get(self.offset + ahead).copied().unwrap_or(0);
        match self.length {
            2 => u16::from(at(1)),
            3 => u16::from_le_bytes([at(1), at(2)]),
            _ => 0,
        }
    }
}

fn sweep(bytes: &[u8], origin: u16, from: usize) -> Vec<Item> {
    let mut items = Vec::new();
    let mut offset = from;
    while let Some(&code) = bytes.get(offset) {
        let address = origin.wrapping_add(offset as u16);
        let mut item = Item { offset, address, length: 1, op: None, target: None };
        let op = &OPCODES[usize::from(code)];
        let length = usize::from(op.length());
        if op.documented && offset + length <= bytes.len() {
            item.length = length;
            let operand = item.operand(bytes);
            let branch = |distance: u8| {
                let next = i64::from(origin) + (offset + length) as i64;
                u16::try_from(next + i64::from(distance as i8)).ok()
            };
            let (target, fits) = match (op.mode, op.mnemonic) {
                (Mode::Relative, _) => (branch(operand as u8), branch(operand as u8).is_some()),
                (Mode::ZpRelative, _) => {
                    (branch((operand >> 8) as u8), branch((operand >> 8) as u8).is_some())
                }
                (Mode::Abs, "jmp" | "jsr") => (Some(operand), true),
                _ => (None, true),
            };
            if fits {
                item.op = Some(op);
                item.target = target;
            } else {
                item.length = 1;
            }
        }
        offset += item.length;
        items.push(item);
    }
    items
}

fn label(address: u16) -> String {
    format!("L{address:04x}")
}

fn shown_operand(
    op: &Opcode,
    item: &Item,
    operand: u16,
    labels: &BTreeSet<u16>,
    bank: Option<u8>,
    options: &Disassembly,
) -> String {
    let short = format!("${operand:02x}");
    let target = item.target.map(|target| match labels.contains(&target) {
        true => label(target),
        false if options.names && op.mnemonic == "jsr" && target == CHROUT => "CHROUT".to_owned(),
        false => format!("${target:04x}"),
    });
    let long = match target {
        Some(target) => target,
        None => {
            let name = options.names.then(|| register(op, operand, bank)).flatten();
            // Where a short form exists, a small address needs to be kept long.
            let has_short = operand < 0x100;
            name.unwrap_or_else(|| format!("{}${operand:04x}", if has_short { "a:" } else { "" }))
        }
    };
    match op.mode {
        Mode::Implied => String::new(),
        Mode::Accumulator => "a".to_owned(),
        Mode::Immediate => format!("#{short}"),
        Mode::Zp => short,
        Mode::ZpX => format!("{short},x"),
        Mode::ZpY => format!("{short},y"),
        Mode::ZpIndirect => format!("({short})"),
        Mode::ZpXIndirect => format!("({short},x)"),
        Mode::ZpIndirectY => format!("({short}),y"),
        Mode::Abs | Mode::Relative => long,
        Mode::AbsX => format!("{long},x"),
        Mode::AbsY => format!("{long},y"),
        // Only `jmp` has these, and no short form of them.
        Mode::AbsIndirect => format!("(${operand:04x})"),
        Mode::AbsXIndirect => format!("(${operand:04x},x)"),
        Mode::ZpRelative => format!("${:02x},{long}", operand & 0xff),
    }
}

/// The name of the register at an address, if it is sure.
fn register(op: &Opcode, address: u16, bank: Option<u8>) -> Option<String> {
    let number = u8::try_from(address.checked_sub(BASE)?).ok().filter(|number| *number < 0x20)?;
    let fits = |dcsel: Option<u8>| dcsel.is_none() || dcsel == bank;
    let mut here = REGISTERS.iter().filter(|register| register.number == number && fits(register.dcsel));
    let stores = matches!(op.mnemonic, "sta" | "stx" | "sty" | "stz");
    let first = here.next()?;
    // Some places are one register for writing and another for reading.
    let other = here.find(|other| matches!(other.access, Access::ReadOnly | Access::Strobe));
    let chosen = if stores { first } else { other.unwrap_or(first) };
    Some(format!("VERA_{}", chosen.name))
}

/// Follows which bank is selected.
fn track(op: &Opcode, operand: u16, bank: &mut Option<u8>, loaded: &mut Option<u8>) {
    match op.code {
        LDA_IMMEDIATE => *loaded = Some(operand as u8),
        STA if operand == CTRL => *bank = loaded.map(|value| value >> 1 & 0x3f),
        STZ if operand == CTRL => *bank = Some(0),
        _ if matches!(op.mnemonic, "sta" | "stz" | "stx" | "sty") => {
            if operand == CTRL {
                *bank = None;
            }
        }
        // What calls, jumps, or changes the accumulator ends the certainty.
        _ => {
            *loaded = None;
            let changes_ctrl = operand == CTRL && matches!(op.mode, Mode::Abs | Mode::AbsX | Mode::AbsY);
            if changes_ctrl || matches!(op.mnemonic, "jsr" | "jmp" | "rts" | "rti" | "brk") {
                *bank = None;
            }
        }
    }
}

/// Bytes of a BASIC line `SYS nnnn` and the end of the program behind it; 0 if the bytes do not begin with one.
fn stub_length(bytes: &[u8], origin: u16) -> usize {
    if origin != BASIC || sys_address(bytes).is_none() {
        return 0;
    }
    let digits = bytes.iter().skip(5).take_while(|byte| byte.is_ascii_digit()).count();
    let end = 5 + digits;
    let link = usize::from(bytes[0]) | usize::from(bytes[1]) << 8;
    let is_whole =
        digits > 0 && bytes.get(end..end + 3) == Some(&[0, 0, 0][..]) && link == usize::from(BASIC) + end + 1;
    if is_whole { end + 3 } else { 0 }
}

fn write_stub(text: &mut String, bytes: &[u8], length: usize) {
    let digits = bytes.get(5..length - 3).unwrap_or(&[]);
    let digits = String::from_utf8_lossy(digits);
    let line = u16::from(bytes[2]) | u16::from(bytes[3]) << 8;
    let _ = writeln!(
        text,
        "    .word ${:04x}, {line}           ; {line} SYS {digits}",
        usize::from(BASIC) + length - 2
    );
    let _ = writeln!(text, "    .byte $9e, \"{digits}\", 0");
    let _ = writeln!(text, "    .word 0");
}
