//! Addresses of the KERNAL's routines for files and of their variables.

/// The routines that talk to the drive. With a ROM these are answered for it.
pub(super) const MCIOUT: u16 = 0xfeb1;
pub(super) const MACPTR: u16 = 0xff44;
pub(super) const SECOND: u16 = 0xff93;
pub(super) const TKSA: u16 = 0xff96;
pub(super) const ACPTR: u16 = 0xffa5;
pub(super) const CIOUT: u16 = 0xffa8;
pub(super) const UNTLK: u16 = 0xffab;
pub(super) const UNLSN: u16 = 0xffae;
pub(super) const LISTEN: u16 = 0xffb1;
pub(super) const TALK: u16 = 0xffb4;
/// The others.
pub(super) const BSAVE: u16 = 0xfeba;
pub(super) const CLOSE_ALL: u16 = 0xff4a;
pub(super) const LKUPLA: u16 = 0xff59;
pub(super) const LKUPSA: u16 = 0xff5c;
pub(super) const SETMSG: u16 = 0xff90;
pub(super) const SETTMO: u16 = 0xffa2;
pub(super) const READST: u16 = 0xffb7;
pub(super) const SETLFS: u16 = 0xffba;
pub(super) const SETNAM: u16 = 0xffbd;
pub(super) const OPEN: u16 = 0xffc0;
pub(super) const CLOSE: u16 = 0xffc3;
pub(super) const CHKIN: u16 = 0xffc6;
pub(super) const CHKOUT: u16 = 0xffc9;
pub(super) const CLRCHN: u16 = 0xffcc;
pub(super) const LOAD: u16 = 0xffd5;
pub(super) const SAVE: u16 = 0xffd8;
pub(super) const CLALL: u16 = 0xffe7;

/// The KERNAL's variables: tables of ten open files, then what was set last.
pub(super) const NUMBERS: u16 = 0x0269;
pub(super) const DEVICES: u16 = 0x0273;
pub(super) const SECONDARIES: u16 = 0x027d;
pub(crate) const STATUS: u16 = 0x0287;
pub(super) const OPEN_FILES: u16 = 0x028a;
pub(super) const INPUT: u16 = 0x028b;
pub(super) const OUTPUT: u16 = 0x028c;
pub(super) const MESSAGES: u16 = 0x028d;
pub(super) const NAME_LENGTH: u16 = 0x028f;
pub(super) const NUMBER: u16 = 0x0290;
pub(super) const SECONDARY: u16 = 0x0291;
pub(super) const DEVICE_NUMBER: u16 = 0x0292;
pub(super) const NAME: u16 = 0x008a;
pub(super) const MAX_OPEN: u8 = 10;

/// True for a routine that talks to the drive.
pub(crate) fn is_of_bus(address: u16) -> bool {
    matches!(address, MCIOUT | MACPTR | SECOND | TKSA | ACPTR | CIOUT | UNTLK | UNLSN | LISTEN | TALK)
}

/// True for those of them that call a device.
pub(crate) fn calls(address: u16) -> bool {
    matches!(address, LISTEN | TALK)
}

/// True for a routine with which a program asks for a file.
pub(crate) fn asks(address: u16) -> bool {
    matches!(address, OPEN | LOAD | SAVE | BSAVE)
}

/// True for a routine that is here.
pub(crate) fn is_here(address: u16) -> bool {
    is_of_bus(address)
        || asks(address)
        || matches!(
            address,
            CLOSE_ALL
                | LKUPLA
                | LKUPSA
                | SETMSG
                | SETTMO
                | READST
                | SETLFS
                | SETNAM
                | CLOSE
                | CHKIN
                | CHKOUT
                | CLRCHN
                | CLALL
        )
}
