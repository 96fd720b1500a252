//! The opcodes as data, for assemblers, disassemblers and tracers.

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

    /// The registers that it uses, letters of AXYSP. P counts where flags decide or enter the result, or are saved.
    ///
    /// ```
    /// use gpuzoo_65c02::{Mode, Opcode};
    /// let reads = |mnemonic, mode| Opcode::find(mnemonic, mode).unwrap().reads().collect::<String>();
    /// assert_eq!(reads("adc", Mode::AbsX), "APX");
    /// assert_eq!(reads("ldx", Mode::Immediate), "");
    /// ```
    pub fn reads(&self) -> impl Iterator<Item = char> + use<> {
        let own = match (self.mnemonic, self.mode) {
            ("rol" | "ror", Accumulator) | ("adc" | "sbc", _) => "AP",
            ("ora" | "and" | "eor" | "cmp" | "bit" | "tsb" | "trb" | "sta" | "tax" | "tay", _)
            | (_, Accumulator) => "A",
            ("stx" | "cpx" | "inx" | "dex" | "txa" | "txs", _) => "X",
            ("sty" | "cpy" | "iny" | "dey" | "tya", _) => "Y",
            ("pha", _) => "AS",
            ("phx", _) => "XS",
            ("phy", _) => "YS",
            ("php" | "brk", _) => "SP",
            ("pla" | "plx" | "ply" | "plp" | "tsx" | "jsr" | "rts" | "rti", _) => "S",
            ("rol" | "ror" | "bpl" | "bmi" | "bvc" | "bvs" | "bcc" | "bcs" | "bne" | "beq", _) => "P",
            _ => "",
        };
        let index = match self.mode {
            ZpX | ZpXIndirect | AbsX | AbsXIndirect => "X",
            ZpY | ZpIndirectY | AbsY => "Y",
            _ => "",
        };
        own.chars().chain(index.chars())
    }

    /// The opcode of a mnemonic (in lower case) and a mode.
    ///
    /// ```
    /// use gpuzoo_65c02::{Mode, Opcode};
    /// assert_eq!(Opcode::find("stz", Mode::AbsX).unwrap().code, 0x9e);
    /// assert_eq!(Opcode::find("stz", Mode::Immediate), None);
    /// ```
    pub fn find(mnemonic: &str, mode: Mode) -> Option<&'static Opcode> {
        OPCODES.iter().find(|op| op.documented && op.mode == mode && op.mnemonic == mnemonic)
    }
}

const NONE: Extra = Extra { page: false, branch: false, decimal: false };

/// The mnemonic of a row: spare opcodes do what NOP does.
macro_rules! mnemonic {
    (spare) => {
        "nop"
    };
    ($mnemonic:ident) => {
        stringify!($mnemonic)
    };
}

macro_rules! is_instruction {
    (spare) => {
        false
    };
    ($mnemonic:ident) => {
        true
    };
}

macro_rules! rows {
    ($($code:literal $mnemonic:ident $mode:ident $cycles:literal $(+ $extra:ident)* $flags:literal;)*) => {
        [$(Opcode {
            code: $code,
            mnemonic: mnemonic!($mnemonic),
            mode: $mode,
            cycles: $cycles,
            #[allow(clippy::needless_update, reason = "some rows have all three")]
            extra: Extra { $($extra: true,)* ..NONE },
            flags: $flags,
            documented: is_instruction!($mnemonic),
        }),*]
    };
}

/// All opcodes; `OPCODES[n].code == n`.
pub static OPCODES: [Opcode; 256] = opcodes!(rows);

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
