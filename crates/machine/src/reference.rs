//! What a machine has to look up beside the instruction set of its shader units.

/// Pages and tables of a machine.
pub trait Reference: Sync {
    /// The page of something that it has: a register, a state, an instruction.
    fn page(&self, name: &str) -> Option<String>;

    /// What has a page, for suggestions.
    fn names(&self) -> Vec<&'static str>;

    /// The instructions of the CPU that drives it.
    fn instructions(&self) -> Vec<Instruction> {
        Vec::new()
    }

    /// What the texts of the CPU's programs may have beside instructions.
    fn statements(&self) -> Vec<Statement> {
        Vec::new()
    }

    /// The registers that programs reach by address.
    fn registers(&self) -> Vec<Register> {
        Vec::new()
    }

    /// What it holds beside registers, or in registers that cannot be read.
    fn states(&self) -> Vec<State> {
        Vec::new()
    }

    /// The single differences that its profiles are made of.
    fn deviations(&self) -> Vec<Deviation> {
        Vec::new()
    }
}

/// An instruction of a CPU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// Its opcode, as programmers of the CPU write it.
    pub opcode: String,
    /// Its mnemonic.
    pub name: String,
    /// How it is written.
    pub usage: String,
    /// What it does, or takes.
    pub meaning: String,
}

/// A directive, or what else is written like one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Statement {
    /// The word.
    pub name: &'static str,
    /// How it is written.
    pub usage: &'static str,
    /// What it does, or is.
    pub about: &'static str,
    /// It is about macros.
    pub is_macro: bool,
}

/// A register at an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Register {
    /// Its name.
    pub name: String,
    /// Where it is.
    pub place: String,
    /// How it can be used.
    pub access: String,
    /// What is in it.
    pub meaning: String,
}

/// Something that a machine holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// Its name, which [sessions](crate::session) use, too.
    pub name: &'static str,
    /// How many bits it has.
    pub bits: u8,
    /// What it is.
    pub about: &'static str,
}

/// A difference between two sources about a machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deviation {
    /// Its short name.
    pub name: &'static str,
    /// What differs.
    pub about: &'static str,
    /// The profiles that have it.
    pub profiles: Vec<&'static str>,
}
