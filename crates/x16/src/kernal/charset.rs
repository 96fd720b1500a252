//! Character sets: those that the Commander has in its ROM by their numbers, drawn for this project (`characters.txt`).
//!
//! Sets 1 and 6 are ISO-8859-15, 2 and 4 PETSCII's capitals and graphics, 3 and 5 its small and capital letters. The thin ones of each pair are
//! not drawn: 4 to 6 look like 1 to 3.

use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Rows of a character, from the top; bit 7 is at the left.
type Character = [u8; 8];

/// Bytes of a set.
pub(super) const BYTES: usize = 2048;

/// Screen codes from 0 on in both sets of PETSCII: the first `%` stands for the letters, which are small in the second one.
const FIRST: &str = "@%[£]↑← !\"#$%&'()*+,-./0123456789:;<=>?";
/// Screen codes from $40 on; `%` stands for the capitals.
const CAPITALS: &str = "─♠│─🭷🭶🭺🭱🭴╮╰╯🭼╲╱🭽🭾●🭻♥🭰╭╳○♣🭵♦┼🮌│π◥ ▌▄▔▁▏▒▕🮏◤🮇├▗└┐▂┌┴┬┤▎▍🮈🮂🮃▃🭿▖▝┘▘▚";
const SMALL: &str = "─%┼🮌│🮖🮘 ▌▄▔▁▏▒▕🮏🮙🮇├▗└┐▂┌┴┬┤▎▍🮈🮂🮃▃✓▖▝┘▘▚";
/// ISO-8859-15 from $A0 on. At $AD, which shows nothing there, the Commander has its sign.
const LATIN: &str =
    " ¡¢£€¥Š§š©ª«¬🦋®¯°±²³Žµ¶·ž¹º»ŒœŸ¿ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ";

/// Accents, the letters that have them, and what these are without.
static ACCENTS: [(&str, &str, &str); 8] = [
    ("◌̀", "ÀÈÌÒÙàèìòù", "AEIOUaeiou"),
    ("◌́", "ÁÉÍÓÚÝáéíóúý", "AEIOUYaeiouy"),
    ("◌̂", "ÂÊÎÔÛâêîôû", "AEIOUaeiou"),
    ("◌̃", "ÃÑÕãñõ", "ANOano"),
    ("◌̈", "ÄËÏÖÜŸäëïöüÿ", "AEIOUYaeiouy"),
    ("◌̊", "Åå", "Aa"),
    ("◌̌", "ŠŽšž", "SZsz"),
    ("◌̧", "Çç", "Cc"),
];

/// All that is drawn, by name.
static DRAWN: LazyLock<BTreeMap<&str, Character>> = LazyLock::new(|| {
    let mut drawn = BTreeMap::new();
    let mut names: Vec<&str> = Vec::new();
    let mut row = 0;
    for line in include_str!("characters.txt").lines().filter(|line| !line.starts_with("# ")) {
        if let Some(next) = line.strip_prefix("= ") {
            (names, row) = (next.split(' ').collect(), 0);
            continue;
        }
        for (name, pixels) in names.iter().zip(line.split(' ')) {
            let bits = pixels.chars().fold(0, |bits, pixel| bits << 1 | u8::from(pixel == '#'));
            drawn.entry(*name).or_insert([0; 8])[row % 8] = bits;
        }
        row += 1;
    }
    drawn
});

/// A character by its letter; nothing for one that is not drawn.
fn character(letter: char) -> Character {
    let mut buffer = [0; 4];
    if let Some(drawn) = DRAWN.get(&*letter.encode_utf8(&mut buffer)) {
        return *drawn;
    }
    let of = |(accent, with, without): &(&str, &str, &str)| {
        let place = with.chars().position(|own| own == letter)?;
        let base = without.chars().nth(place)?;
        // A cedilla leaves room for the whole capital.
        let base = match base {
            'i' => "ı".to_owned(),
            'A'..='Z' if base != 'C' => format!("▴{base}"),
            _ => base.to_string(),
        };
        let (base, accent) = (DRAWN.get(&*base)?, DRAWN.get(accent)?);
        Some(std::array::from_fn(|row| base[row] | accent[row]))
    };
    ACCENTS.iter().find_map(of).unwrap_or_default()
}

/// The first 128 characters of a set of PETSCII.
fn petscii(letters: &str, rest: &str) -> Vec<char> {
    let first = FIRST.replacen('%', letters, 1);
    let rest = rest.replacen('%', "ABCDEFGHIJKLMNOPQRSTUVWXYZ", 1);
    first.chars().chain(rest.chars()).collect()
}

fn reversed(character: Character) -> Character {
    character.map(|row| !row)
}

/// A set by its number, with 256 characters of eight bytes; nothing for one that there is not.
pub(super) fn set(number: u8) -> Option<&'static [u8; BYTES]> {
    static SETS: LazyLock<[[u8; BYTES]; 3]> = LazyLock::new(|| {
        let halves = |letters: Vec<char>| {
            let half: Vec<Character> = letters.into_iter().map(character).collect();
            half.iter().copied().chain(half.iter().map(|one| reversed(*one))).collect::<Vec<_>>()
        };
        let capitals = petscii("ABCDEFGHIJKLMNOPQRSTUVWXYZ", CAPITALS);
        let both = petscii("abcdefghijklmnopqrstuvwxyz", SMALL);
        let ascii = |codes: std::ops::Range<u8>| codes.map(|code| character(code.into())).collect::<Vec<_>>();
        let latin = LATIN.chars().map(character).collect();
        let inverse = |codes| ascii(codes).into_iter().map(reversed).collect();
        let iso: Vec<Character> =
            [inverse(0x40..0x60), ascii(0x20..0x80), inverse(0x60..0x80), latin].concat();
        [iso, halves(capitals), halves(both)].map(|all| {
            let mut bytes = [0; BYTES];
            for (byte, row) in bytes.iter_mut().zip(all.as_flattened()) {
                *byte = *row;
            }
            bytes
        })
    });
    SETS.get(match number {
        1 | 6 => 0,
        2 | 4 => 1,
        3 | 5 => 2,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(number: u8, code: usize) -> [u8; 8] {
        set(number).unwrap()[8 * code..8 * code + 8].try_into().unwrap()
    }

    /// Everything that a set has is drawn: of the characters only spaces are empty, and no two are the same but those that PETSCII has twice.
    #[test]
    fn sets_are_drawn() {
        let spaces =
            |number| (0..256).filter(move |code| rows(number, *code) == [0; 8]).collect::<Vec<usize>>();
        assert_eq!(spaces(1), [0x20, 0x7f, 0xa0]);
        assert_eq!((spaces(2), spaces(3)), (vec![0x20, 0x60], vec![0x20, 0x60]));
        let twice = |number: u8| {
            let all = (0x20..0x7f).chain(0xa1..0x100);
            let all: Vec<(usize, [u8; 8])> = all.map(|code| (code, rows(number, code))).collect();
            let of = |(at, (_, one)): (usize, &(usize, [u8; 8]))| {
                all[at + 1..]
                    .iter()
                    .filter(|(_, other)| other == one)
                    .map(|(code, _)| *code)
                    .collect::<Vec<_>>()
            };
            all.iter().enumerate().flat_map(of).collect::<Vec<usize>>()
        };
        assert!(twice(1).is_empty(), "{:x?}", twice(1));
        assert_eq!((set(0), set(7)), (None, None));
    }

    #[test]
    fn the_second_half_of_petscii_is_reversed() {
        for number in [2, 3, 4, 5] {
            assert!((0..128).all(|code| rows(number, code) == reversed(rows(number, code + 128))));
        }
        assert_eq!(rows(1, 0x01), reversed(rows(1, 0x41)));
        assert_eq!(rows(1, 0x81), reversed(rows(1, 0x61)));
    }

    #[test]
    fn codes_are_where_they_belong() {
        assert_eq!((rows(2, 1), rows(2, 26), rows(3, 1)), (character('A'), character('Z'), character('a')));
        assert_eq!(
            (rows(3, 0x41), rows(2, 0x41), rows(2, 0x30)),
            (character('A'), character('♠'), character('0'))
        );
        assert_eq!(
            (rows(2, 0x3f), rows(2, 0x5f), rows(2, 0x7f)),
            (character('?'), character('◥'), character('▚'))
        );
        assert_eq!(
            (rows(3, 0x5a), rows(3, 0x5b), rows(3, 0x7a)),
            (character('Z'), character('┼'), character('✓'))
        );
        assert_eq!(
            (rows(1, 0x40), rows(1, 0xa4), rows(1, 0xff)),
            (character('@'), character('€'), character('ÿ'))
        );
        assert_eq!(rows(1, 0x9f), [0xff; 8]);
    }

    /// No two letters of different accents are the same.
    #[test]
    fn accents_are_seen() {
        for (accent, with, _) in ACCENTS {
            assert!(with.chars().all(|letter| character(letter) != [0; 8]), "{accent}");
        }
    }
}
