//! Register files: what they are to a program, and what their registers are called.

use crate::number::plain_number;
use crate::setters::setters;
use gpuzoo_ir::Vec4;

/// Role of a register file in a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// Read and written by the program; starts at the given value. Reading it before writing it is reported.
    Temporary(Vec4),
    /// Given for every vertex or fragment; read only.
    Input,
    /// Given for a whole draw; read only. The IR calls such a value a *uniform*.
    Constant,
    /// Leaves the program; write only. Starts at the given value.
    Output(Vec4),
}

/// In [`RegFile::names`], a number that no register has.
pub const NO_NAME: &str = "-";

/// A register file.
#[derive(Clone, Copy, Debug)]
pub struct RegFile {
    /// Noun for messages: `register`, `constant`.
    pub name: &'static str,
    /// Prefix of its registers' names; the number follows.
    pub prefix: &'static str,
    /// Number of registers: a power of two if larger numbers wrap.
    pub count: u16,
    /// Names that replace prefix and number; [`NO_NAME`] where there is no such register.
    pub names: &'static [&'static str],
    /// Role in a program.
    pub kind: FileKind,
    /// Contents, in a sentence without its full stop; may be empty.
    pub about: &'static str,
    /// Contents of single registers, by number.
    pub notes: &'static [(u16, &'static str)],
    /// True for one that stands for what is not there: no text has a name for it.
    pub internal: bool,
    /// True if each register is one signed integer, in component x; else registers are four components of 32 bits,
    /// whose type is that of
    /// the instruction that wrote them.
    pub integer: bool,
}

impl RegFile {
    /// A file whose registers are called by prefix and number.
    pub const fn new(name: &'static str, prefix: &'static str, count: u16, kind: FileKind) -> RegFile {
        RegFile {
            name,
            prefix,
            count,
            names: &[],
            kind,
            about: "",
            notes: &[],
            internal: false,
            integer: false,
        }
    }
}

setters! { RegFile:
    /// Its registers have these names.
    named(names: &'static [&'static str]) { names: names }
    /// Contents.
    about(about: &'static str) { about: about }
    /// Contents of single registers.
    notes(notes: &'static [(u16, &'static str)]) { notes: notes }
    /// It stands for what is not there: no text has a name for it.
    internal() { internal: true }
    /// Each of its registers is one signed integer, in component x.
    integer() { integer: true }
}

impl RegFile {
    /// The name of a register as the disassembler and traces print it.
    pub fn reg_name(&self, index: u16) -> String {
        match self.names.get(index as usize) {
            Some(name) => (*name).to_owned(),
            None => format!("{}{index}", self.prefix),
        }
    }

    /// The names that replace prefix and number, without those of registers that do not exist.
    ///
    /// ```
    /// use gpuzoo_isa::{FileKind, NO_NAME, RegFile};
    /// let names = &["pos", NO_NAME, "fog"];
    /// let file = RegFile::new("output", "o", 3, FileKind::Output([0; 4])).named(names);
    /// assert_eq!(file.real_names().collect::<Vec<_>>(), ["pos", "fog"]);
    /// assert_eq!((file.find("fog"), file.find(NO_NAME)), (Some(2), None));
    /// ```
    pub fn real_names(&self) -> impl Iterator<Item = &'static str> + Clone + use<> {
        self.names.iter().copied().filter(|name| *name != NO_NAME)
    }

    /// True if there is a register of this number.
    pub fn has(&self, index: u16) -> bool {
        index < self.count && self.names.get(index as usize) != Some(&NO_NAME)
    }

    /// The number of the register that a name names: prefix and number without leading zeros, or one of the names.
    pub fn find(&self, name: &str) -> Option<u16> {
        match self.names {
            [] => self.number(name.strip_prefix(self.prefix)?),
            names => Some(names.iter().position(|known| *known == name && *known != NO_NAME)? as u16),
        }
    }

    /// The register of a number without leading zeros.
    pub fn number(&self, digits: &str) -> Option<u16> {
        plain_number(digits).filter(|number| *number < i64::from(self.count)).map(|number| number as u16)
    }
}
