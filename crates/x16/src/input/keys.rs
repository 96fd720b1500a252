//! The keyboard: keys by the numbers that the Commander's hardware sends, their names, and the codes that they stand for.
//!
//! Numbers are IBM's, which the system management controller makes of what the keyboard says; bit 7 is free for "released". Codes are
//! those of the layout `ABC/X16`, which is on at the start (Programmer's Reference Guide, chapter 3).

/// Modifiers as the KERNAL counts them.
pub mod modifier {
    /// Either key.
    pub const SHIFT: u8 = 1;
    /// Left ALT, the Commodore key of before.
    pub const ALT: u8 = 2;
    /// Either key. With ALT it is ALTGR, the right ALT.
    pub const CTRL: u8 = 4;
    /// Either key with a logo.
    pub const LOGO: u8 = 8;
    /// On or off.
    pub const CAPS: u8 = 16;
}

use gpuzoo_stored::stored_as;
use modifier::{ALT, CAPS, CTRL, LOGO, SHIFT};

/// A key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(u8);

stored_as! { Key: u8, |own: &Key| own.0, Key::new; }

/// Number, name, and codes in PETSCII: alone, with SHIFT, with CTRL, with ALT. 0 is none.
type Row = (u8, &'static str, [u8; 4]);

#[rustfmt::skip]
static KEYS: &[Row] = &[
    (0x01, "`", [0x5f, 0xde, 0, 0xdb]), (0x02, "1", [0x31, 0x21, 0x90, 0x81]),
    (0x03, "2", [0x32, 0x40, 0x05, 0x95]), (0x04, "3", [0x33, 0x23, 0x1c, 0x96]),
    (0x05, "4", [0x34, 0x24, 0x9f, 0x97]), (0x06, "5", [0x35, 0x25, 0x9c, 0x98]),
    (0x07, "6", [0x36, 0x5e, 0x1e, 0x99]), (0x08, "7", [0x37, 0x26, 0x1f, 0x9a]),
    (0x09, "8", [0x38, 0x2a, 0x9e, 0x9b]), (0x0a, "9", [0x39, 0x28, 0x12, 0]),
    (0x0b, "0", [0x30, 0x29, 0x92, 0]), (0x0c, "-", [0x2d, 0xdd, 0, 0xdc]),
    (0x0d, "=", [0x3d, 0x2b, 0, 0xa6]), (0x0f, "DEL", [0x14, 0x94, 0, 0]),
    (0x10, "TAB", [0x09, 0x18, 0, 0]), (0x11, "Q", [0x51, 0xd1, 0x11, 0xab]),
    (0x12, "W", [0x57, 0xd7, 0x17, 0xb3]), (0x13, "E", [0x45, 0xc5, 0x05, 0xb1]),
    (0x14, "R", [0x52, 0xd2, 0x12, 0xb2]), (0x15, "T", [0x54, 0xd4, 0x14, 0xa3]),
    (0x16, "Y", [0x59, 0xd9, 0x19, 0xb7]), (0x17, "U", [0x55, 0xd5, 0x15, 0xb8]),
    (0x18, "I", [0x49, 0xc9, 0x09, 0xa2]), (0x19, "O", [0x4f, 0xcf, 0x0f, 0xb9]),
    (0x1a, "P", [0x50, 0xd0, 0x10, 0xaf]), (0x1b, "[", [0x5b, 0xba, 0x1b, 0xa4]),
    (0x1c, "]", [0x5d, 0xc0, 0x1d, 0xdf]), (0x1d, "\\", [0x5c, 0xa9, 0x1c, 0xa8]),
    (0x1e, "CAPS", [0; 4]), (0x1f, "A", [0x41, 0xc1, 0x01, 0xb0]),
    (0x20, "S", [0x53, 0xd3, 0x13, 0xae]), (0x21, "D", [0x44, 0xc4, 0x04, 0xac]),
    (0x22, "F", [0x46, 0xc6, 0x06, 0xbb]), (0x23, "G", [0x47, 0xc7, 0x07, 0xa5]),
    (0x24, "H", [0x48, 0xc8, 0x08, 0xb4]), (0x25, "J", [0x4a, 0xca, 0x0a, 0xb5]),
    (0x26, "K", [0x4b, 0xcb, 0x0b, 0xa1]), (0x27, "L", [0x4c, 0xcc, 0x0c, 0xb6]),
    (0x28, ";", [0x3b, 0x3a, 0, 0]), (0x29, "'", [0x27, 0x22, 0, 0]),
    (0x2b, "RETURN", [0x0d, 0x8d, 0, 0]), (0x2c, "SHIFT", [0; 4]), (0x2d, "LESS", [0; 4]),
    (0x2e, "Z", [0x5a, 0xda, 0x1a, 0xad]), (0x2f, "X", [0x58, 0xd8, 0x18, 0xbd]),
    (0x30, "C", [0x43, 0xc3, 0x03, 0xbc]), (0x31, "V", [0x56, 0xd6, 0x16, 0xbe]),
    (0x32, "B", [0x42, 0xc2, 0x02, 0xbf]), (0x33, "N", [0x4e, 0xce, 0x0e, 0xaa]),
    (0x34, "M", [0x4d, 0xcd, 0x0d, 0xa7]), (0x35, ",", [0x2c, 0x3c, 0, 0]),
    (0x36, ".", [0x2e, 0x3e, 0, 0]), (0x37, "/", [0x2f, 0x3f, 0, 0]), (0x38, "INTL1", [0; 4]),
    (0x39, "RSHIFT", [0; 4]), (0x3a, "CTRL", [0; 4]), (0x3b, "LOGO", [0; 4]), (0x3c, "ALT", [0; 4]),
    (0x3d, "SPACE", [0x20, 0xa0, 0x20, 0]), (0x3e, "ALTGR", [0; 4]), (0x3f, "RLOGO", [0; 4]),
    (0x40, "RCTRL", [0; 4]), (0x41, "MENU", [0x06; 4]), (0x4b, "INSERT", [0x94; 4]),
    (0x4c, "DELETE", [0x19; 4]), (0x4f, "LEFT", [0x9d; 4]), (0x50, "HOME", [0x13, 0x93, 0, 0]),
    (0x51, "END", [0x04, 0x84, 0, 0]), (0x53, "UP", [0x91; 4]), (0x54, "DOWN", [0x11; 4]),
    (0x55, "PGUP", [0x82; 4]), (0x56, "PGDN", [0x02; 4]), (0x59, "RIGHT", [0x1d; 4]),
    (0x5a, "NUMLOCK", [0; 4]), (0x5b, "KP7", [0x37; 4]), (0x5c, "KP4", [0x34; 4]),
    (0x5d, "KP1", [0x31; 4]), (0x5f, "KPDIV", [0x2f; 4]), (0x60, "KP8", [0x38; 4]),
    (0x61, "KP5", [0x35; 4]), (0x62, "KP2", [0x32; 4]), (0x63, "KP0", [0x30; 4]),
    (0x64, "KPMUL", [0x2a; 4]), (0x65, "KP9", [0x39; 4]), (0x66, "KP6", [0x36; 4]),
    (0x67, "KP3", [0x33; 4]), (0x68, "KPPOINT", [0x2e; 4]), (0x69, "KPMINUS", [0x2d; 4]),
    (0x6a, "KPPLUS", [0x2b; 4]), (0x6c, "KPENTER", [0x0d; 4]), (0x6e, "ESC", [0x1b; 4]),
    (0x70, "F1", [0x85; 4]), (0x71, "F2", [0x89; 4]), (0x72, "F3", [0x86; 4]), (0x73, "F4", [0x8a; 4]),
    (0x74, "F5", [0x87; 4]), (0x75, "F6", [0x8b; 4]), (0x76, "F7", [0x88; 4]), (0x77, "F8", [0x8c; 4]),
    (0x78, "F9", [0x10; 4]), (0x79, "F10", [0x15; 4]), (0x7a, "F11", [0x16; 4]), (0x7b, "F12", [0x17; 4]),
    (0x7c, "PRTSCR", [0; 4]), (0x7d, "SCRLOCK", [0; 4]), (0x7e, "STOP", [0x03, 0x83, 0x03, 0x03]),
];

/// Other names.
static ALIASES: [(&str, &str); 12] = [
    ("ENTER", "RETURN"),
    ("BACKSPACE", "DEL"),
    ("INS", "INSERT"),
    ("ESCAPE", "ESC"),
    ("PAUSE", "STOP"),
    ("BREAK", "STOP"),
    ("LSHIFT", "SHIFT"),
    ("LCTRL", "CTRL"),
    ("LALT", "ALT"),
    ("RALT", "ALTGR"),
    ("PAGEUP", "PGUP"),
    ("PAGEDOWN", "PGDN"),
];

/// What the keys of a US keyboard show: without SHIFT and with it. Letters are not here.
static SHOWN: &str = "`~1!2@3#4$5%6^7&8*9(0)-_=+[{]}\\|;:'\",<.>/?";

/// ISO codes with ALT, then those with SHIFT and ALT, by the name of the key.
static ALT_ISO: &[(&str, u8, u8)] = &[
    ("1", 0xa1, 0),
    ("2", 0, 0xa4),
    ("3", 0xa3, 0),
    ("4", 0xa2, 0),
    ("5", 0xa7, 0),
    ("7", 0xb6, 0),
    ("8", 0, 0xb0),
    ("9", 0xaa, 0xb7),
    ("0", 0xba, 0),
    ("-", 0, 0xad),
    ("=", 0, 0xb1),
    ("Q", 0xbd, 0xbc),
    ("R", 0xae, 0),
    ("T", 0xfe, 0xde),
    ("Y", 0xa5, 0),
    ("O", 0xf8, 0xd8),
    ("[", 0, 0xb5),
    ("\\", 0xab, 0xbb),
    ("A", 0, 0xb9),
    ("S", 0xdf, 0),
    ("D", 0xf0, 0xd0),
    ("G", 0xa9, 0),
    ("K", 0, 0xad),
    ("L", 0xac, 0),
    ("'", 0xe6, 0xc6),
    ("C", 0, 0xb3),
    ("B", 0, 0xb2),
    ("M", 0xb5, 0),
    (",", 0, 0xa5),
    ("/", 0xf7, 0xbf),
];

impl Key {
    /// Left SHIFT.
    pub const SHIFT: Key = Key(0x2c);
    /// Left CTRL.
    pub const CTRL: Key = Key(0x3a);
    /// Left ALT.
    pub const ALT: Key = Key(0x3c);
    /// CAPS LOCK.
    pub const CAPS: Key = Key(0x1e);
    /// RETURN.
    pub const RETURN: Key = Key(0x2b);
    /// The key at the left of 1, which has `←` on a Commodore.
    pub const BACKTICK: Key = Key(0x01);

    /// The key with a number, 1 to 126, if there is one.
    pub fn new(number: u8) -> Option<Key> {
        KEYS.binary_search_by_key(&number, |row| row.0).ok().map(|_| Key(number))
    }

    /// The key with a name in any case of letters: `A`, `F1`, `RETURN`, `;`.
    ///
    /// ```
    /// use gpuzoo_x16::Key;
    /// assert_eq!(Key::find("return").map(Key::number), Some(0x2b));
    /// assert_eq!(Key::find("return"), Key::find("ENTER"));
    /// ```
    pub fn find(name: &str) -> Option<Key> {
        let alias = ALIASES.iter().find(|(alias, _)| alias.eq_ignore_ascii_case(name));
        let name = alias.map_or(name, |(_, name)| name);
        KEYS.iter().find(|row| row.1.eq_ignore_ascii_case(name)).map(|row| Key(row.0))
    }

    /// The names of all keys, aliases left out.
    pub fn names() -> impl Iterator<Item = &'static str> {
        KEYS.iter().map(|row| row.1)
    }

    /// The key that shows a letter on a US keyboard, and whether SHIFT goes with it. Letters of the alphabet are those of their key in either
    /// case. `←`, `↑`, `£` and `π` are where a Commodore has them.
    pub fn typed(letter: char) -> Option<(Key, bool)> {
        let shown = match letter {
            '\n' => return Some((Key::RETURN, false)),
            '\t' => return Key::find("TAB").map(|key| (key, false)),
            ' ' => return Key::find("SPACE").map(|key| (key, false)),
            '←' => '`',
            'π' => '~',
            '↑' => '^',
            '£' => '\\',
            other => other,
        };
        if let Some(place) = SHOWN.chars().position(|known| known == shown) {
            let key = SHOWN.get(place & !1..(place & !1) + 1).and_then(Key::find)?;
            return Some((key, place % 2 == 1));
        }
        let key = shown.is_ascii_alphabetic().then(|| Key::find(shown.encode_utf8(&mut [0; 4])))?;
        key.map(|key| (key, false))
    }

    /// Its number, 1 to 126.
    pub fn number(self) -> u8 {
        self.0
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        self.row().1
    }

    fn row(self) -> &'static Row {
        let index = KEYS.binary_search_by_key(&self.0, |row| row.0).unwrap_or(0);
        &KEYS[index]
    }

    fn is_letter(self) -> bool {
        matches!(self.name().as_bytes(), [b'A'..=b'Z'])
    }

    /// The [modifier] that it is; CAPS LOCK counts each time that it is pressed.
    pub fn modifier(self) -> Option<u8> {
        Some(match self.name() {
            "SHIFT" | "RSHIFT" => SHIFT,
            "CTRL" | "RCTRL" => CTRL,
            "ALT" => ALT,
            "ALTGR" => ALT | CTRL,
            "LOGO" | "RLOGO" => LOGO,
            "CAPS" => CAPS,
            _ => return None,
        })
    }

    /// The code that it stands for with some [modifiers](modifier), in PETSCII or in ISO-8859-15.
    ///
    /// ```
    /// use gpuzoo_x16::{Key, modifier};
    /// let a = Key::find("A").unwrap();
    /// assert_eq!((a.code(0, false), a.code(modifier::SHIFT, false)), (Some(0x41), Some(0xc1)));
    /// assert_eq!((a.code(0, true), a.code(modifier::CAPS, true)), (Some(0x61), Some(0x41)));
    /// ```
    pub fn code(self, modifiers: u8, iso: bool) -> Option<u8> {
        let capital = self.is_letter() && modifiers & CAPS != 0;
        let held = modifiers & (SHIFT | ALT | CTRL) ^ u8::from(capital);
        let codes = self.row().2;
        // Above the keys of letters, what is held matters to few.
        let is_apart = self.0 > 0x40;
        if iso && !is_apart && held & ALT != 0 {
            let (_, alone, shifted) = ALT_ISO.iter().find(|row| row.0 == self.name())?;
            return Some(if held & SHIFT == 0 { *alone } else { *shifted }).filter(|code| *code != 0);
        }
        let code = match held {
            0 | SHIFT if iso && self.is_letter() => codes[0] + if held == 0 { 0x20 } else { 0 },
            0 | SHIFT if iso => match self.shown(held == SHIFT) {
                Some(letter) => letter,
                None => codes[usize::from(held)],
            },
            0 => codes[0],
            SHIFT => codes[1],
            CTRL => codes[2],
            ALT => codes[3],
            _ if is_apart && held & SHIFT == 0 => codes[2],
            _ if held == CTRL | ALT && self.name() == "3" => 0x5c,
            _ => 0,
        };
        Some(code).filter(|code| *code != 0)
    }

    /// What a US keyboard shows on it.
    fn shown(self, shifted: bool) -> Option<u8> {
        let place =
            (0..SHOWN.len()).step_by(2).find(|place| SHOWN.get(*place..place + 1) == Some(self.name()));
        SHOWN.as_bytes().get(place? + usize::from(shifted)).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_in_order_and_their_names_unique() {
        assert!(KEYS.windows(2).all(|pair| pair[0].0 < pair[1].0));
        for row in KEYS {
            assert_eq!(Key::find(row.1).map(Key::number), Some(row.0), "{}", row.1);
        }
        assert!(ALIASES.iter().all(|(alias, name)| Key::find(alias) == Key::find(name)));
        assert!(ALIASES.iter().all(|(_, name)| Key::find(name).is_some()));
        assert!(ALT_ISO.iter().all(|row| Key::find(row.0).is_some()));
    }

    /// What is typed as a letter has that letter's code, in PETSCII where it has one.
    #[test]
    fn letters_are_typed_by_their_keys() {
        for letter in (' '..='~').filter(|letter| !letter.is_ascii_alphabetic()) {
            let (key, shifted) = Key::typed(letter).unwrap();
            assert_eq!(key.code(u8::from(shifted), true), Some(letter as u8), "{letter}");
            if letter < '\\' {
                assert_eq!(key.code(u8::from(shifted), false), Some(letter as u8), "{letter}");
            }
        }
        for (letter, code) in [('a', 0x41), ('Z', 0x5a), ('\n', 13), ('£', 0x5c), ('←', 0x5f), ('↑', 0x5e)]
        {
            let (key, shifted) = Key::typed(letter).unwrap();
            assert_eq!(key.code(u8::from(shifted), false), Some(code), "{letter}");
        }
        assert_eq!(Key::typed('é'), None);
    }

    /// Some of the guide's codes (chapter 3): control characters, colours, special keys.
    #[test]
    fn modifiers_choose_the_code() {
        let code = |name: &str, modifiers| Key::find(name).and_then(|key| key.code(modifiers, false));
        assert_eq!((code("C", CTRL), code("2", CTRL), code("2", ALT)), (Some(3), Some(5), Some(0x95)));
        assert_eq!(
            (code("HOME", 0), code("HOME", SHIFT), code("HOME", CTRL)),
            (Some(0x13), Some(0x93), None)
        );
        assert_eq!(
            (code("F1", 0), code("F1", CTRL | ALT), code("STOP", SHIFT)),
            (Some(0x85), Some(0x85), Some(0x83))
        );
        assert_eq!(
            (code("A", CAPS), code("1", CAPS), code("A", SHIFT | ALT)),
            (Some(0xc1), Some(0x31), None)
        );
        let iso = |name: &str, modifiers| Key::find(name).and_then(|key| key.code(modifiers, true));
        assert_eq!(
            (iso("G", ALT), iso("2", SHIFT | ALT), iso("-", SHIFT)),
            (Some(0xa9), Some(0xa4), Some(0x5f))
        );
    }
}
