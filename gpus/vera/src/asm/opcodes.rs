//! The 256 opcodes of the W65C02S: what the assembler, the disassembler, the tracer and the CPU's check all read.
//!
//! From the WDC W65C02S data sheet: table 5-1 (opcode matrix with bytes and cycles), table 5-2 (flags) and table 7-1
//! (the opcodes that are not instructions are NOPs of known length and time).

use Mode::*;

/// How an instruction finds its operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// None: `clc`.
    Implied,
    /// The accumulator: `asl a` or `asl`.
    Accumulator,
    /// `#$12`
    Immediate,
    /// `$12`
    Zp,
    /// `$12,x`
    ZpX,
    /// `$12,y`
    ZpY,
    /// `($12)`
    ZpIndirect,
    /// `($12,x)`
    ZpXIndirect,
    /// `($12),y`
    ZpIndirectY,
    /// `$1234`
    Abs,
    /// `$1234,x`
    AbsX,
    /// `$1234,y`
    AbsY,
    /// `($1234)`, of `jmp`
    AbsIndirect,
    /// `($1234,x)`, of `jmp`
    AbsXIndirect,
    /// A branch's target, one signed byte from the next instruction.
    Relative,
    /// `$12,target`, of `bbr` and `bbs`.
    ZpRelative,
}

impl Mode {
    /// All of them.
    pub const ALL: [Mode; 16] = [
        Implied,
        Accumulator,
        Immediate,
        Zp,
        ZpX,
        ZpY,
        ZpIndirect,
        ZpXIndirect,
        ZpIndirectY,
        Abs,
        AbsX,
        AbsY,
        AbsIndirect,
        AbsXIndirect,
        Relative,
        ZpRelative,
    ];

    /// Bytes of the instruction, the opcode included.
    pub const fn length(self) -> u8 {
        match self {
            Implied | Accumulator => 1,
            Immediate | Zp | ZpX | ZpY | ZpIndirect | ZpXIndirect | ZpIndirectY | Relative => 2,
            Abs | AbsX | AbsY | AbsIndirect | AbsXIndirect | ZpRelative => 3,
        }
    }
}

/// When an instruction takes cycles beyond its base.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extra {
    /// One more if the indexed address, or a branch's target, lies in another page.
    pub page: bool,
    /// One more if the branch is taken.
    pub branch: bool,
    /// One more in decimal mode.
    pub decimal: bool,
}

/// An opcode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opcode {
    /// The byte.
    pub code: u8,
    /// The mnemonic in lower case; `nop` for the spare ones.
    pub mnemonic: &'static str,
    /// How it finds its operand. For `brk` it is [`Mode::Implied`], though the CPU skips the byte that follows.
    pub mode: Mode,
    /// Cycles without the extra ones.
    pub cycles: u8,
    /// The extra ones.
    pub extra: Extra,
    /// The letters of the flags (of NVDIZC) that it may change.
    pub flags: &'static str,
    /// False for the 44 spare opcodes, which do nothing and have no notation.
    pub documented: bool,
}

impl Opcode {
    /// Bytes of the instruction, the opcode included.
    pub const fn length(&self) -> u8 {
        self.mode.length()
    }

    /// The opcode of a mnemonic (in lower case) and a mode.
    ///
    /// ```
    /// use gpuzoo_vera::asm::{Mode, Opcode};
    /// assert_eq!(Opcode::find("stz", Mode::AbsX).unwrap().code, 0x9e);
    /// assert_eq!(Opcode::find("stz", Mode::Immediate), None);
    /// ```
    pub fn find(mnemonic: &str, mode: Mode) -> Option<&'static Opcode> {
        OPCODES.iter().find(|op| op.documented && op.mode == mode && op.mnemonic == mnemonic)
    }
}

const NONE: Extra = Extra { page: false, branch: false, decimal: false };
const PAGE: Extra = Extra { page: true, ..NONE };
const BRANCH: Extra = Extra { page: true, branch: true, decimal: false };
const DECIMAL: Extra = Extra { decimal: true, ..NONE };
const DECIMAL_PAGE: Extra = Extra { page: true, ..DECIMAL };

const fn op(
    code: u8,
    mnemonic: &'static str,
    mode: Mode,
    cycles: u8,
    extra: Extra,
    flags: &'static str,
) -> Opcode {
    Opcode { code, mnemonic, mode, cycles, extra, flags, documented: true }
}

const fn spare(code: u8, mode: Mode, cycles: u8) -> Opcode {
    Opcode { documented: false, ..op(code, "nop", mode, cycles, NONE, "") }
}

/// All opcodes; `OPCODES[n].code == n`.
#[rustfmt::skip]
pub static OPCODES: [Opcode; 256] = [
    op(0x00, "brk", Implied, 7, NONE, "DI"),
    op(0x01, "ora", ZpXIndirect, 6, NONE, "NZ"),
    spare(0x02, Immediate, 2),
    spare(0x03, Implied, 1),
    op(0x04, "tsb", Zp, 5, NONE, "Z"),
    op(0x05, "ora", Zp, 3, NONE, "NZ"),
    op(0x06, "asl", Zp, 5, NONE, "NZC"),
    op(0x07, "rmb0", Zp, 5, NONE, ""),
    op(0x08, "php", Implied, 3, NONE, ""),
    op(0x09, "ora", Immediate, 2, NONE, "NZ"),
    op(0x0a, "asl", Accumulator, 2, NONE, "NZC"),
    spare(0x0b, Implied, 1),
    op(0x0c, "tsb", Abs, 6, NONE, "Z"),
    op(0x0d, "ora", Abs, 4, NONE, "NZ"),
    op(0x0e, "asl", Abs, 6, NONE, "NZC"),
    op(0x0f, "bbr0", ZpRelative, 5, BRANCH, ""),
    op(0x10, "bpl", Relative, 2, BRANCH, ""),
    op(0x11, "ora", ZpIndirectY, 5, PAGE, "NZ"),
    op(0x12, "ora", ZpIndirect, 5, NONE, "NZ"),
    spare(0x13, Implied, 1),
    op(0x14, "trb", Zp, 5, NONE, "Z"),
    op(0x15, "ora", ZpX, 4, NONE, "NZ"),
    op(0x16, "asl", ZpX, 6, NONE, "NZC"),
    op(0x17, "rmb1", Zp, 5, NONE, ""),
    op(0x18, "clc", Implied, 2, NONE, "C"),
    op(0x19, "ora", AbsY, 4, PAGE, "NZ"),
    op(0x1a, "inc", Accumulator, 2, NONE, "NZ"),
    spare(0x1b, Implied, 1),
    op(0x1c, "trb", Abs, 6, NONE, "Z"),
    op(0x1d, "ora", AbsX, 4, PAGE, "NZ"),
    op(0x1e, "asl", AbsX, 6, PAGE, "NZC"),
    op(0x1f, "bbr1", ZpRelative, 5, BRANCH, ""),
    op(0x20, "jsr", Abs, 6, NONE, ""),
    op(0x21, "and", ZpXIndirect, 6, NONE, "NZ"),
    spare(0x22, Immediate, 2),
    spare(0x23, Implied, 1),
    op(0x24, "bit", Zp, 3, NONE, "NVZ"),
    op(0x25, "and", Zp, 3, NONE, "NZ"),
    op(0x26, "rol", Zp, 5, NONE, "NZC"),
    op(0x27, "rmb2", Zp, 5, NONE, ""),
    op(0x28, "plp", Implied, 4, NONE, "NVDIZC"),
    op(0x29, "and", Immediate, 2, NONE, "NZ"),
    op(0x2a, "rol", Accumulator, 2, NONE, "NZC"),
    spare(0x2b, Implied, 1),
    op(0x2c, "bit", Abs, 4, NONE, "NVZ"),
    op(0x2d, "and", Abs, 4, NONE, "NZ"),
    op(0x2e, "rol", Abs, 6, NONE, "NZC"),
    op(0x2f, "bbr2", ZpRelative, 5, BRANCH, ""),
    op(0x30, "bmi", Relative, 2, BRANCH, ""),
    op(0x31, "and", ZpIndirectY, 5, PAGE, "NZ"),
    op(0x32, "and", ZpIndirect, 5, NONE, "NZ"),
    spare(0x33, Implied, 1),
    op(0x34, "bit", ZpX, 4, NONE, "NVZ"),
    op(0x35, "and", ZpX, 4, NONE, "NZ"),
    op(0x36, "rol", ZpX, 6, NONE, "NZC"),
    op(0x37, "rmb3", Zp, 5, NONE, ""),
    op(0x38, "sec", Implied, 2, NONE, "C"),
    op(0x39, "and", AbsY, 4, PAGE, "NZ"),
    op(0x3a, "dec", Accumulator, 2, NONE, "NZ"),
    spare(0x3b, Implied, 1),
    op(0x3c, "bit", AbsX, 4, PAGE, "NVZ"),
    op(0x3d, "and", AbsX, 4, PAGE, "NZ"),
    op(0x3e, "rol", AbsX, 6, PAGE, "NZC"),
    op(0x3f, "bbr3", ZpRelative, 5, BRANCH, ""),
    op(0x40, "rti", Implied, 6, NONE, "NVDIZC"),
    op(0x41, "eor", ZpXIndirect, 6, NONE, "NZ"),
    spare(0x42, Immediate, 2),
    spare(0x43, Implied, 1),
    spare(0x44, Zp, 3),
    op(0x45, "eor", Zp, 3, NONE, "NZ"),
    op(0x46, "lsr", Zp, 5, NONE, "NZC"),
    op(0x47, "rmb4", Zp, 5, NONE, ""),
    op(0x48, "pha", Implied, 3, NONE, ""),
    op(0x49, "eor", Immediate, 2, NONE, "NZ"),
    op(0x4a, "lsr", Accumulator, 2, NONE, "NZC"),
    spare(0x4b, Implied, 1),
    op(0x4c, "jmp", Abs, 3, NONE, ""),
    op(0x4d, "eor", Abs, 4, NONE, "NZ"),
    op(0x4e, "lsr", Abs, 6, NONE, "NZC"),
    op(0x4f, "bbr4", ZpRelative, 5, BRANCH, ""),
    op(0x50, "bvc", Relative, 2, BRANCH, ""),
    op(0x51, "eor", ZpIndirectY, 5, PAGE, "NZ"),
    op(0x52, "eor", ZpIndirect, 5, NONE, "NZ"),
    spare(0x53, Implied, 1),
    spare(0x54, ZpX, 4),
    op(0x55, "eor", ZpX, 4, NONE, "NZ"),
    op(0x56, "lsr", ZpX, 6, NONE, "NZC"),
    op(0x57, "rmb5", Zp, 5, NONE, ""),
    op(0x58, "cli", Implied, 2, NONE, "I"),
    op(0x59, "eor", AbsY, 4, PAGE, "NZ"),
    op(0x5a, "phy", Implied, 3, NONE, ""),
    spare(0x5b, Implied, 1),
    spare(0x5c, Abs, 8),
    op(0x5d, "eor", AbsX, 4, PAGE, "NZ"),
    op(0x5e, "lsr", AbsX, 6, PAGE, "NZC"),
    op(0x5f, "bbr5", ZpRelative, 5, BRANCH, ""),
    op(0x60, "rts", Implied, 6, NONE, ""),
    op(0x61, "adc", ZpXIndirect, 6, DECIMAL, "NVZC"),
    spare(0x62, Immediate, 2),
    spare(0x63, Implied, 1),
    op(0x64, "stz", Zp, 3, NONE, ""),
    op(0x65, "adc", Zp, 3, DECIMAL, "NVZC"),
    op(0x66, "ror", Zp, 5, NONE, "NZC"),
    op(0x67, "rmb6", Zp, 5, NONE, ""),
    op(0x68, "pla", Implied, 4, NONE, "NZ"),
    op(0x69, "adc", Immediate, 2, DECIMAL, "NVZC"),
    op(0x6a, "ror", Accumulator, 2, NONE, "NZC"),
    spare(0x6b, Implied, 1),
    op(0x6c, "jmp", AbsIndirect, 6, NONE, ""),
    op(0x6d, "adc", Abs, 4, DECIMAL, "NVZC"),
    op(0x6e, "ror", Abs, 6, NONE, "NZC"),
    op(0x6f, "bbr6", ZpRelative, 5, BRANCH, ""),
    op(0x70, "bvs", Relative, 2, BRANCH, ""),
    op(0x71, "adc", ZpIndirectY, 5, DECIMAL_PAGE, "NVZC"),
    op(0x72, "adc", ZpIndirect, 5, DECIMAL, "NVZC"),
    spare(0x73, Implied, 1),
    op(0x74, "stz", ZpX, 4, NONE, ""),
    op(0x75, "adc", ZpX, 4, DECIMAL, "NVZC"),
    op(0x76, "ror", ZpX, 6, NONE, "NZC"),
    op(0x77, "rmb7", Zp, 5, NONE, ""),
    op(0x78, "sei", Implied, 2, NONE, "I"),
    op(0x79, "adc", AbsY, 4, DECIMAL_PAGE, "NVZC"),
    op(0x7a, "ply", Implied, 4, NONE, "NZ"),
    spare(0x7b, Implied, 1),
    op(0x7c, "jmp", AbsXIndirect, 6, NONE, ""),
    op(0x7d, "adc", AbsX, 4, DECIMAL_PAGE, "NVZC"),
    op(0x7e, "ror", AbsX, 6, PAGE, "NZC"),
    op(0x7f, "bbr7", ZpRelative, 5, BRANCH, ""),
    op(0x80, "bra", Relative, 3, PAGE, ""),
    op(0x81, "sta", ZpXIndirect, 6, NONE, ""),
    spare(0x82, Immediate, 2),
    spare(0x83, Implied, 1),
    op(0x84, "sty", Zp, 3, NONE, ""),
    op(0x85, "sta", Zp, 3, NONE, ""),
    op(0x86, "stx", Zp, 3, NONE, ""),
    op(0x87, "smb0", Zp, 5, NONE, ""),
    op(0x88, "dey", Implied, 2, NONE, "NZ"),
    op(0x89, "bit", Immediate, 2, NONE, "Z"),
    op(0x8a, "txa", Implied, 2, NONE, "NZ"),
    spare(0x8b, Implied, 1),
    op(0x8c, "sty", Abs, 4, NONE, ""),
    op(0x8d, "sta", Abs, 4, NONE, ""),
    op(0x8e, "stx", Abs, 4, NONE, ""),
    op(0x8f, "bbs0", ZpRelative, 5, BRANCH, ""),
    op(0x90, "bcc", Relative, 2, BRANCH, ""),
    op(0x91, "sta", ZpIndirectY, 6, NONE, ""),
    op(0x92, "sta", ZpIndirect, 5, NONE, ""),
    spare(0x93, Implied, 1),
    op(0x94, "sty", ZpX, 4, NONE, ""),
    op(0x95, "sta", ZpX, 4, NONE, ""),
    op(0x96, "stx", ZpY, 4, NONE, ""),
    op(0x97, "smb1", Zp, 5, NONE, ""),
    op(0x98, "tya", Implied, 2, NONE, "NZ"),
    op(0x99, "sta", AbsY, 5, NONE, ""),
    op(0x9a, "txs", Implied, 2, NONE, ""),
    spare(0x9b, Implied, 1),
    op(0x9c, "stz", Abs, 4, NONE, ""),
    op(0x9d, "sta", AbsX, 5, NONE, ""),
    op(0x9e, "stz", AbsX, 5, NONE, ""),
    op(0x9f, "bbs1", ZpRelative, 5, BRANCH, ""),
    op(0xa0, "ldy", Immediate, 2, NONE, "NZ"),
    op(0xa1, "lda", ZpXIndirect, 6, NONE, "NZ"),
    op(0xa2, "ldx", Immediate, 2, NONE, "NZ"),
    spare(0xa3, Implied, 1),
    op(0xa4, "ldy", Zp, 3, NONE, "NZ"),
    op(0xa5, "lda", Zp, 3, NONE, "NZ"),
    op(0xa6, "ldx", Zp, 3, NONE, "NZ"),
    op(0xa7, "smb2", Zp, 5, NONE, ""),
    op(0xa8, "tay", Implied, 2, NONE, "NZ"),
    op(0xa9, "lda", Immediate, 2, NONE, "NZ"),
    op(0xaa, "tax", Implied, 2, NONE, "NZ"),
    spare(0xab, Implied, 1),
    op(0xac, "ldy", Abs, 4, NONE, "NZ"),
    op(0xad, "lda", Abs, 4, NONE, "NZ"),
    op(0xae, "ldx", Abs, 4, NONE, "NZ"),
    op(0xaf, "bbs2", ZpRelative, 5, BRANCH, ""),
    op(0xb0, "bcs", Relative, 2, BRANCH, ""),
    op(0xb1, "lda", ZpIndirectY, 5, PAGE, "NZ"),
    op(0xb2, "lda", ZpIndirect, 5, NONE, "NZ"),
    spare(0xb3, Implied, 1),
    op(0xb4, "ldy", ZpX, 4, NONE, "NZ"),
    op(0xb5, "lda", ZpX, 4, NONE, "NZ"),
    op(0xb6, "ldx", ZpY, 4, NONE, "NZ"),
    op(0xb7, "smb3", Zp, 5, NONE, ""),
    op(0xb8, "clv", Implied, 2, NONE, "V"),
    op(0xb9, "lda", AbsY, 4, PAGE, "NZ"),
    op(0xba, "tsx", Implied, 2, NONE, "NZ"),
    spare(0xbb, Implied, 1),
    op(0xbc, "ldy", AbsX, 4, PAGE, "NZ"),
    op(0xbd, "lda", AbsX, 4, PAGE, "NZ"),
    op(0xbe, "ldx", AbsY, 4, PAGE, "NZ"),
    op(0xbf, "bbs3", ZpRelative, 5, BRANCH, ""),
    op(0xc0, "cpy", Immediate, 2, NONE, "NZC"),
    op(0xc1, "cmp", ZpXIndirect, 6, NONE, "NZC"),
    spare(0xc2, Immediate, 2),
    spare(0xc3, Implied, 1),
    op(0xc4, "cpy", Zp, 3, NONE, "NZC"),
    op(0xc5, "cmp", Zp, 3, NONE, "NZC"),
    op(0xc6, "dec", Zp, 5, NONE, "NZ"),
    op(0xc7, "smb4", Zp, 5, NONE, ""),
    op(0xc8, "iny", Implied, 2, NONE, "NZ"),
    op(0xc9, "cmp", Immediate, 2, NONE, "NZC"),
    op(0xca, "dex", Implied, 2, NONE, "NZ"),
    op(0xcb, "wai", Implied, 3, NONE, ""),
    op(0xcc, "cpy", Abs, 4, NONE, "NZC"),
    op(0xcd, "cmp", Abs, 4, NONE, "NZC"),
    op(0xce, "dec", Abs, 6, NONE, "NZ"),
    op(0xcf, "bbs4", ZpRelative, 5, BRANCH, ""),
    op(0xd0, "bne", Relative, 2, BRANCH, ""),
    op(0xd1, "cmp", ZpIndirectY, 5, PAGE, "NZC"),
    op(0xd2, "cmp", ZpIndirect, 5, NONE, "NZC"),
    spare(0xd3, Implied, 1),
    spare(0xd4, ZpX, 4),
    op(0xd5, "cmp", ZpX, 4, NONE, "NZC"),
    op(0xd6, "dec", ZpX, 6, NONE, "NZ"),
    op(0xd7, "smb5", Zp, 5, NONE, ""),
    op(0xd8, "cld", Implied, 2, NONE, "D"),
    op(0xd9, "cmp", AbsY, 4, PAGE, "NZC"),
    op(0xda, "phx", Implied, 3, NONE, ""),
    op(0xdb, "stp", Implied, 3, NONE, ""),
    spare(0xdc, Abs, 4),
    op(0xdd, "cmp", AbsX, 4, PAGE, "NZC"),
    op(0xde, "dec", AbsX, 7, NONE, "NZ"),
    op(0xdf, "bbs5", ZpRelative, 5, BRANCH, ""),
    op(0xe0, "cpx", Immediate, 2, NONE, "NZC"),
    op(0xe1, "sbc", ZpXIndirect, 6, DECIMAL, "NVZC"),
    spare(0xe2, Immediate, 2),
    spare(0xe3, Implied, 1),
    op(0xe4, "cpx", Zp, 3, NONE, "NZC"),
    op(0xe5, "sbc", Zp, 3, DECIMAL, "NVZC"),
    op(0xe6, "inc", Zp, 5, NONE, "NZ"),
    op(0xe7, "smb6", Zp, 5, NONE, ""),
    op(0xe8, "inx", Implied, 2, NONE, "NZ"),
    op(0xe9, "sbc", Immediate, 2, DECIMAL, "NVZC"),
    op(0xea, "nop", Implied, 2, NONE, ""),
    spare(0xeb, Implied, 1),
    op(0xec, "cpx", Abs, 4, NONE, "NZC"),
    op(0xed, "sbc", Abs, 4, DECIMAL, "NVZC"),
    op(0xee, "inc", Abs, 6, NONE, "NZ"),
    op(0xef, "bbs6", ZpRelative, 5, BRANCH, ""),
    op(0xf0, "beq", Relative, 2, BRANCH, ""),
    op(0xf1, "sbc", ZpIndirectY, 5, DECIMAL_PAGE, "NVZC"),
    op(0xf2, "sbc", ZpIndirect, 5, DECIMAL, "NVZC"),
    spare(0xf3, Implied, 1),
    spare(0xf4, ZpX, 4),
    op(0xf5, "sbc", ZpX, 4, DECIMAL, "NVZC"),
    op(0xf6, "inc", ZpX, 6, NONE, "NZ"),
    op(0xf7, "smb7", Zp, 5, NONE, ""),
    op(0xf8, "sed", Implied, 2, NONE, "D"),
    op(0xf9, "sbc", AbsY, 4, DECIMAL_PAGE, "NVZC"),
    op(0xfa, "plx", Implied, 4, NONE, "NZ"),
    spare(0xfb, Implied, 1),
    spare(0xfc, Abs, 4),
    op(0xfd, "sbc", AbsX, 4, DECIMAL_PAGE, "NVZC"),
    op(0xfe, "inc", AbsX, 7, NONE, "NZ"),
    op(0xff, "bbs7", ZpRelative, 5, BRANCH, ""),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_order_and_counts_212_instructions() {
        for (code, op) in OPCODES.iter().enumerate() {
            assert_eq!(usize::from(op.code), code);
        }
        assert_eq!(OPCODES.iter().filter(|op| op.documented).count(), 212);
    }

    #[test]
    fn a_mnemonic_and_a_mode_name_one_opcode() {
        for op in OPCODES.iter().filter(|op| op.documented) {
            assert_eq!(Opcode::find(op.mnemonic, op.mode), Some(op));
        }
    }
}
