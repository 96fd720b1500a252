//! Names of files as programs write them: `@0//DIR/:FILE,S,W`.
//!
//! CMDR-DOS takes the bytes as ISO 8859-15, whatever the screen shows, and compares letters without their case. So unshifted
//! letters of PETSCII are letters here, and shifted ones ($C1 to $DA) are letters with accents.

/// Where ISO 8859-15 differs from Unicode.
const OTHERS: [(u8, char); 8] =
    [(0xa4, '€'), (0xa6, 'Š'), (0xa8, 'š'), (0xb4, 'Ž'), (0xb8, 'ž'), (0xbc, 'Œ'), (0xbd, 'œ'), (0xbe, 'Ÿ')];

/// The letter of a byte.
fn letter(byte: u8) -> char {
    OTHERS.iter().find(|(own, _)| *own == byte).map_or(char::from(byte), |(_, letter)| *letter)
}

/// The byte of a letter, `?` if there is none or if it means something in names.
fn byte(letter: char) -> u8 {
    let other = OTHERS.iter().find(|(_, own)| *own == letter).map(|(byte, _)| *byte);
    let same = || u8::try_from(letter).ok().filter(|byte| OTHERS.iter().all(|(other, _)| other != byte));
    let means = matches!(letter, ',' | '"' | '*' | ':' | '\\' | '<' | '>' | '|');
    other.or_else(same).filter(|_| !means && !letter.is_control()).unwrap_or(b'?')
}

/// A file's name as programs see it.
pub(super) fn bytes(name: &str) -> Vec<u8> {
    name.chars().map(byte).collect()
}

/// A program's bytes as a text, for messages.
pub(crate) fn text(bytes: &[u8]) -> String {
    bytes
        .iter()
        .map(|byte| letter(*byte))
        .map(|letter| if letter.is_control() { '.' } else { letter })
        .collect()
}

/// The name of a new file, if there can be one like this.
pub(super) fn file_name(bytes: &[u8]) -> Option<String> {
    let is_legal = |byte: &u8| !matches!(byte, 0..=0x1f | 0x7f..=0x9f) && !b"\"*/:<>?\\|,".contains(byte);
    let ends_well = !matches!(bytes.last(), None | Some(b'.' | b' '));
    let fits = bytes.len() <= 255 && ends_well && bytes.iter().all(is_legal);
    fits.then(|| bytes.iter().map(|byte| letter(*byte)).collect())
}

/// A letter without its case.
fn lower(byte: u8) -> u8 {
    match byte {
        b'A'..=b'Z' | 0xc0..=0xd6 | 0xd8..=0xde => byte + 0x20,
        0xa6 => 0xa8,
        0xb4 => 0xb8,
        0xbc => 0xbd,
        0xbe => 0xff,
        _ => byte,
    }
}

/// True if a pattern stands for more than one name.
pub(super) fn is_pattern(name: &[u8]) -> bool {
    name.iter().any(|byte| matches!(byte, b'*' | b'?'))
}

/// Whether a name fits a pattern: `?` is any letter, and what follows `*` is not looked at. Names that begin with a dot have to be
/// named.
pub(super) fn matches(pattern: &[u8], name: &[u8]) -> bool {
    if name.first() == Some(&b'.') && matches!(pattern.first(), Some(b'*' | b'?')) {
        return false;
    }
    for (at, wanted) in pattern.iter().enumerate() {
        match (wanted, name.get(at)) {
            (b'*', _) => return true,
            (b'?', Some(_)) => {}
            (_, Some(byte)) if lower(*wanted) == lower(*byte) => {}
            _ => return false,
        }
    }
    pattern.len() == name.len()
}

/// A name taken apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Name {
    /// `@`: what is there may be replaced.
    pub overwrites: bool,
    /// The partition; 0 is the one in use.
    pub medium: u8,
    /// Where, as a path that may begin with `/`, and the name behind it.
    pub path: Vec<u8>,
    /// It has no name, only folders.
    pub is_empty: bool,
    /// The type: `S`, `P` and others, which no file has.
    pub kind: Option<u8>,
    /// The mode: `R`, `W`, `A`, `M`.
    pub mode: Option<u8>,
    /// The filter of a listing behind `=`.
    pub filter: Option<u8>,
}

impl Name {
    /// Reads a name; none if it makes no sense.
    pub fn of(text: &[u8]) -> Option<Name> {
        let (place, name) = match text.iter().position(|byte| *byte == b':') {
            Some(colon) => (&text[..colon], &text[colon + 1..]),
            None => (&[][..], text),
        };
        let (overwrites, place) = match place {
            [b'@', place @ ..] => (true, place),
            place => (false, place),
        };
        let (name, filters) = split(name, b'=');
        let (name, options) = split(name, b',');
        let mut options = options.split(|byte| *byte == b',').map(|option| option.first().copied());
        let (kind, mode) = (options.next().flatten(), options.next().flatten());
        let mut parsed = Name::at(place, name)?;
        (parsed.overwrites, parsed.kind, parsed.mode) = (overwrites, kind, mode);
        parsed.filter = filters.first().copied();
        Some(parsed)
    }

    /// A partition and folders, and a name in them.
    pub fn at(place: &[u8], name: &[u8]) -> Option<Name> {
        let digits = place.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (medium, folders) = place.split_at(digits);
        let medium = match std::str::from_utf8(medium).ok()? {
            "" => 0,
            medium => medium.parse().ok()?,
        };
        // Folders that are written otherwise do not count, and neither does the partition then.
        let (medium, folders) = match folders {
            [] => (medium, folders),
            [b'/', folders @ ..] if folders.last() == Some(&b'/') => (medium, folders),
            _ => (0, &[][..]),
        };
        // The DOS hands the path on with a zero at its end: one within, which C programs may count as a letter, ends it.
        let path = split(&[folders, name].concat(), 0).0.to_vec();
        Some(Name { medium, path, is_empty: name.is_empty(), ..Name::default() })
    }

    /// True if it stands for more than one name.
    pub fn is_pattern(&self) -> bool {
        is_pattern(self.path.rsplit(|byte| *byte == b'/').next().unwrap_or_default())
    }
}

/// What is before a byte, and what is behind it.
pub(super) fn split(text: &[u8], at: u8) -> (&[u8], &[u8]) {
    match text.iter().position(|byte| *byte == at) {
        Some(place) => (&text[..place], &text[place + 1..]),
        None => (text, &[]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_are_taken_apart() {
        let of = |text: &str| {
            Name::of(text.as_bytes()).map(|name| {
                let path = String::from_utf8(name.path).unwrap();
                (name.overwrites, name.medium, path, name.mode.map(char::from), name.filter.map(char::from))
            })
        };
        let plain = |path: &str| Some((false, 0, path.to_owned(), None, None));
        assert_eq!(of("FILE"), plain("FILE"));
        assert_eq!(of(":FILE,S"), plain("FILE"));
        assert_eq!(of("1:FILE,S,W"), Some((false, 1, "FILE".into(), Some('W'), None)));
        assert_eq!(of("@:FILE,S,W"), Some((true, 0, "FILE".into(), Some('W'), None)));
        assert_eq!(of("@0//A/B/:C"), Some((true, 0, "/A/B/C".into(), None, None)));
        assert_eq!(of("/A/:*=P"), Some((false, 0, "A/*".into(), None, Some('P'))));
        assert_eq!(of("A/B"), plain("A/B"));
        assert_eq!((of("A:B"), of("1/:B"), of("256:B")), (plain("B"), plain("B"), None));
        assert_eq!(of("F,,M").unwrap().3, Some('M'));
        assert_eq!(
            of("/A/:B\0C\0,S,W"),
            Some((false, 0, "A/B".into(), Some('W'), None)),
            "a zero ends a path"
        );
    }

    #[test]
    fn patterns_fit_names() {
        for (pattern, name, fits) in [
            ("A*", "abc", true),
            ("A*X", "abc", true),
            ("?BC", "abc", true),
            ("?BC", "bc", false),
            ("ABC", "ABCD", false),
            ("ABCD", "ABC", false),
            ("*", "", true),
            ("*", ".HIDDEN", false),
            (".H*", ".hidden", true),
            ("\u{c4}", "\u{e4}", true),
        ] {
            assert_eq!(matches(&bytes2(pattern), &bytes2(name)), fits, "{pattern} {name}");
        }
    }

    fn bytes2(text: &str) -> Vec<u8> {
        text.chars().map(|letter| u8::try_from(letter).unwrap()).collect()
    }

    proptest! {
        /// What may be the name of a new file is found again under it.
        #[test]
        fn new_names_are_seen_as_they_were_written(written: Vec<u8>) {
            if let Some(name) = file_name(&written) {
                prop_assert_eq!(bytes(&name), written.clone());
                prop_assert!(matches(&written, &bytes(&name)));
                prop_assert!(!name.contains(['/', '\\', '\0']) && !matches!(&*name, "" | "." | ".."));
            }
        }

        #[test]
        fn any_bytes_are_a_name_or_none(text: Vec<u8>) {
            if let Some(name) = Name::of(&text) {
                prop_assert!(name.path.len() <= text.len());
            }
        }
    }
}
