//! From bytes to text that assembles to the same bytes.

use crate::basic::{BASIC, sys_address};
use crate::names::{Instruction, Names};
use gpuzoo_65c02::{Mode, OPCODES, Opcode};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// How a disassembly looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Disassembly {
    /// Address and bytes of each instruction as a comment.
    pub addresses: bool,
}

/// The 65C02 program at an address, one instruction a line.
///
/// The sweep is linear: bytes that are not an instruction are `.byte`s, data that looks like instructions is shown as
/// such. Targets of jumps and branches get labels, `L0801` if `names` has no other one; other addresses are written by the names that `names` has for them,
/// and the text then needs an assembler that knows these names. A BASIC line at $0801 is shown as what it is. Bytes
/// beyond $FFFF are left out.
///
/// ```
/// use gpuzoo_asm65::{Disassembly, Instruction, Names, disassemble};
///
/// struct Port;
///
/// impl Names for Port {
///     fn name(&mut self, instruction: &Instruction) -> Option<String> {
///         (instruction.operand == 0xd000).then(|| "PORT".to_owned())
///     }
/// }
///
/// let bytes = [0xa9, 0x04, 0x8d, 0x00, 0xd0, 0x80, 0xf9];
/// let text = disassemble(&bytes, 0x1000, &Disassembly::default(), &mut Port);
/// assert_eq!(text, "    .org $1000\nL1000:\n    lda #$04\n    sta PORT\n    bra L1000\n");
/// ```
pub fn disassemble(bytes: &[u8], origin: u16, options: &Disassembly, names: &mut dyn Names) -> String {
    let room = 0x1_0000 - usize::from(origin);
    let bytes = bytes.get(..room).unwrap_or(bytes);
    let stub = stub_length(bytes, origin);
    let items = sweep(bytes, origin, stub);
    let mut targets: BTreeSet<u16> = items.iter().filter_map(|item| item.target).collect();
    targets.extend(sys_address(bytes).filter(|_| stub > 0));
    let label = |address: u16| match names.label(address) {
        Some(own) => Some((address, own.to_owned())),
        None => targets.contains(&address).then(|| (address, format!("L{address:04x}"))),
    };
    let labels: BTreeMap<u16, String> = items.iter().filter_map(|item| label(item.address)).collect();

    let mut text = format!("    .org ${origin:04x}\n");
    if stub > 0 {
        write_stub(&mut text, bytes, stub);
    }
    let mut has_label = false;
    for item in &items {
        if let Some(label) = labels.get(&item.address) {
            let _ = writeln!(text, "{label}:");
            has_label = true;
        }
        let statement = match item.op {
            Some(op) => item.instruction(op, bytes, std::mem::take(&mut has_label)).text(&labels, names),
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

/// One instruction, as a tracer shows it.
///
/// ```
/// use gpuzoo_asm65::instruction;
/// assert_eq!(instruction([0x8d, 0x29, 0x9f], 0x0801, &mut ()), "sta $9f29");
/// assert_eq!(instruction([0x80, 0xfe, 0x00], 0x0801, &mut ()), "bra $0801");
/// ```
pub fn instruction(bytes: [u8; 3], pc: u16, names: &mut dyn Names) -> String {
    match sweep(&bytes, pc, 0).first() {
        Some(item @ Item { op: Some(op), .. }) => {
            item.instruction(op, &bytes, false).text(&BTreeMap::new(), names)
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
    fn instruction(&self, op: &'static Opcode, bytes: &[u8], has_label: bool) -> Instruction {
        let operand = self.operand(bytes);
        Instruction { op, address: self.address, operand, target: self.target, has_label }
    }

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

impl Instruction {
    /// Mnemonic and operand.
    fn text(&self, labels: &BTreeMap<u16, String>, names: &mut dyn Names) -> String {
        let name = names.name(self);
        let operand = self.operand_text(labels, name);
        format!("{} {operand}", self.op.mnemonic).trim_end().to_owned()
    }

    fn operand_text(&self, labels: &BTreeMap<u16, String>, name: Option<String>) -> String {
        let operand = self.operand;
        let number = format!("${operand:02x}");
        let short = name.clone().unwrap_or_else(|| number.clone());
        let indirect = name.clone().unwrap_or_else(|| format!("${operand:04x}"));
        let long = match self.target {
            Some(target) if labels.contains_key(&target) => labels[&target].clone(),
            Some(target) => name.unwrap_or_else(|| format!("${target:04x}")),
            // Where a short form exists, a small address needs to be kept long.
            None if operand < 0x100 => format!("a:{indirect}"),
            None => indirect.clone(),
        };
        match self.op.mode {
            Mode::Implied => String::new(),
            Mode::Accumulator => "a".to_owned(),
            Mode::Immediate => format!("#{number}"),
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
            Mode::AbsIndirect => format!("({indirect})"),
            Mode::AbsXIndirect => format!("({indirect},x)"),
            Mode::ZpRelative => format!("${:02x},{long}", operand & 0xff),
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
