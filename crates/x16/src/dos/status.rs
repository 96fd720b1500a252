//! What the drive says of the last command on channel 15.

/// A status: its number in hexadecimal, which is read as decimal, and an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Status(pub u8, pub u8);

pub(super) const OK: Status = Status(0x00, 0);
pub(super) const READ_ERROR: Status = Status(0x20, 0);
pub(super) const PROTECTED: Status = Status(0x26, 0);
/// What cannot be taken apart, what no command is, and what is too long.
pub(super) const SYNTAX: Status = Status(0x30, 0);
pub(super) const UNKNOWN: Status = Status(0x31, 0);
pub(super) const TOO_LONG: Status = Status(0x32, 0);
/// A name that no file can have, or that has to be there and is empty.
pub(super) const BAD_NAME: Status = Status(0x33, 0);
pub(super) const NO_NAME: Status = Status(0x34, 0);
pub(super) const MISSING: Status = Status(0x62, 0);
pub(super) const EXISTS: Status = Status(0x63, 0);
pub(super) const NO_CHANNEL: Status = Status(0x70, 0);
pub(super) const FULL: Status = Status(0x72, 0);
/// What it says when it is switched on.
pub(super) const HELLO: Status = Status(0x73, 0);
pub(super) const NO_MEDIUM: Status = Status(0x74, 0);

/// So many files were removed.
pub(super) fn scratched(files: usize) -> Status {
    Status(0x01, files.min(255) as u8)
}

/// A partition was chosen, or there is none.
pub(super) fn selected(number: u8) -> Status {
    if number == 1 { Status(0x02, number) } else { no_partition(number) }
}

/// No such partition.
pub(super) fn no_partition(number: u8) -> Status {
    Status(0x77, number)
}

impl Status {
    /// As it is read, without the return at its end.
    pub fn text(self) -> String {
        let text = match self.0 {
            0x00 => " OK",
            0x01 => " FILES SCRATCHED",
            0x02 => "PARTITION SELECTED",
            0x20 => "READ ERROR",
            0x26 => "WRITE PROTECT ON",
            0x30..=0x34 => "SYNTAX ERROR",
            0x62 => " FILE NOT FOUND",
            0x63 => "FILE EXISTS",
            0x70 => "NO CHANNEL",
            0x72 => "PARTITION FULL",
            0x73 => "CMDR-DOS V1.0 X16",
            0x74 => "DRIVE NOT READY",
            _ => "SELECTED PARTITION ILLEGAL",
        };
        format!("{:02X},{text},{:02},00", self.0, self.1)
    }
}
