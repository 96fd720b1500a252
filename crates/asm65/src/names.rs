//! Names that a machine has for addresses: those that programs need not define, and those that a disassembly shows.

use gpuzoo_65c02::Opcode;

/// Names that a program does not have to define. They fill in for what it does not define itself, wherever that is, and
/// conditions such as `.ifdef` do not see them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Predefined<'a> {
    /// What may be written in front of each, or left out.
    pub prefix: &'a str,
    /// The names in any case of letters, with their addresses.
    pub names: &'a [(&'a str, u16)],
}

/// The address of a name.
pub(crate) fn find(groups: &[Predefined], name: &str) -> Option<u16> {
    groups.iter().find_map(|group| {
        let (front, rest) = name.split_at_checked(group.prefix.len()).unwrap_or(("", name));
        let bare = if front.eq_ignore_ascii_case(group.prefix) { rest } else { name };
        let found = group.names.iter().find(|(known, _)| known.eq_ignore_ascii_case(bare));
        found.map(|(_, address)| *address)
    })
}

/// The names to suggest for a slip.
pub(crate) fn suggestions(groups: &[Predefined]) -> impl Iterator<Item = String> {
    groups.iter().flat_map(|group| group.names.iter().map(|(name, _)| format!("{}{name}", group.prefix)))
}

/// An instruction that is about to be shown.
#[derive(Clone, Copy, Debug)]
pub struct Instruction {
    /// What it is.
    pub op: &'static Opcode,
    /// Where it is.
    pub address: u16,
    /// The bytes behind the opcode, low byte first; 0 if there are none.
    pub operand: u16,
    /// Where it may jump to.
    pub target: Option<u16>,
    /// It has a label: the program may come here from elsewhere.
    pub has_label: bool,
}

/// Knows the names of addresses in a disassembly. `()` knows none.
pub trait Names {
    /// The name of the address that an instruction accesses or calls; it is not asked for immediate operands to be shown. It must
    /// mean that address to the assembler that reads the text. Every instruction is asked for, in order, so that a device whose registers change places can
    /// be followed.
    fn name(&mut self, instruction: &Instruction) -> Option<String>;

    /// What the program calls one of its own addresses; it must be a name that can be defined, and the only one of its kind.
    fn label(&self, _address: u16) -> Option<&str> {
        None
    }
}

impl Names for () {
    fn name(&mut self, _: &Instruction) -> Option<String> {
        None
    }
}
