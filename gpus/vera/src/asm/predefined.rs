//! Names that a program does not have to define.

use crate::{BASE, REGISTERS, Register};

/// Names besides the registers', with their addresses: the halves of `ADDRx` without the x, as include files of the
/// community have them, and the kernel's two calls that small programs make (x16-docs, chapter 5).
const OTHERS: &[(&str, u16)] = &[
    ("ADDR_L", BASE),
    ("ADDR_M", BASE + 1),
    ("ADDR_H", BASE + 2),
    ("ADDR_LOW", BASE),
    ("ADDR_MID", BASE + 1),
    ("ADDR_BANK", BASE + 2),
];
const KERNEL: &[(&str, u16)] = &[("CHROUT", 0xffd2), ("SCREEN_MODE", 0xff5f)];

/// The address of a name, in any case of letters.
pub(super) fn find(name: &str) -> Option<u16> {
    if name.len() > 24 {
        return None;
    }
    if let Some(register) = Register::find(name) {
        return Some(register.address());
    }
    let has_prefix = name.get(..5).is_some_and(|prefix| prefix.eq_ignore_ascii_case("VERA_"));
    let bare = name.get(5..).filter(|_| has_prefix).unwrap_or(name);
    let found = OTHERS.iter().find(|(other, _)| other.eq_ignore_ascii_case(bare));
    let found = found.or_else(|| KERNEL.iter().find(|(other, _)| other.eq_ignore_ascii_case(name)));
    found.map(|(_, address)| *address)
}

/// The bytes of characters as `cl65 -t cx16` has them: PETSCII, from `(first, last, byte of the first)`.
const PETSCII: &[(u8, u8, u8)] = &[
    (0x08, 0x08, 0x14),
    (0x0b, 0x0b, 0x11),
    (0x0c, 0x0c, 0x93),
    (0x11, 0x11, 0x0b),
    (0x14, 0x14, 0x08),
    (b'A', b'Z', 0xc1),
    (b'\\', b'\\', 0xbf),
    (b'_', b'_', 0xa4),
    (b'`', b'`', 0xad),
    (b'a', b'z', 0x41),
    (b'{', b'{', 0xb3),
    (b'|', b'|', 0xdd),
    (b'}', b'}', 0xab),
    (b'~', b'~', 0xb1),
    (0x7f, 0x7f, 0xdf),
    (0x93, 0x93, 0x0c),
    (0xc0, 0xdf, 0x60),
];

/// What each character of the text becomes before any `.charmap`.
pub(super) fn charmap(petscii: bool) -> [u8; 256] {
    let mut map: [u8; 256] = std::array::from_fn(|byte| byte as u8);
    for &(first, last, to) in PETSCII.iter().filter(|_| petscii) {
        for from in first..=last {
            map[usize::from(from)] = to + (from - first);
        }
    }
    map
}

/// The names to suggest for a slip.
pub(super) fn suggestions() -> impl Iterator<Item = String> {
    let registers = REGISTERS.iter().map(|register| format!("VERA_{}", register.name));
    registers.chain(KERNEL.iter().map(|(name, _)| (*name).to_owned()))
}
