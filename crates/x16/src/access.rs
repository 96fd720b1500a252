//! Accesses of VERA by the CPU.

/// Kind of an access to VERA.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A read.
    Read,
    /// A read whose value the CPU drops; VERA cannot distinguish it.
    Dummy,
    /// A write.
    Write,
    /// The write that ends a read-modify-write instruction.
    WriteBack,
}

impl Kind {
    /// True for both kinds of write.
    pub fn is_write(self) -> bool {
        matches!(self, Kind::Write | Kind::WriteBack)
    }
}

/// An access of VERA.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// CPU cycles since power-on, this one included.
    pub cycle: u64,
    /// 0 to 31.
    pub register: u8,
    /// Kind of the access.
    pub kind: Kind,
    /// Value that was read or written.
    pub value: u8,
}
