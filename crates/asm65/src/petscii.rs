//! What characters of the text become: PETSCII.

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
pub(crate) fn charmap(petscii: bool) -> [u8; 256] {
    let mut map: [u8; 256] = std::array::from_fn(|byte| byte as u8);
    for &(first, last, to) in PETSCII.iter().filter(|_| petscii) {
        for from in first..=last {
            map[usize::from(from)] = to + (from - first);
        }
    }
    map
}
