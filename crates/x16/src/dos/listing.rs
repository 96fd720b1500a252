//! Listings of folders, as a BASIC program that `LOAD "$",8` gets and LIST shows.

use super::name;
use gpuzoo_machine::computer::disk::Entry;

/// Where a BASIC program goes, and where the next line would be, which LIST works out itself.
const START: u16 = 0x0801;
const LINK: [u8; 2] = [1, 1];
/// The mark of a title.
const REVERSE: u8 = 0x12;
/// What a free disk has: the number of the last line and its unit. A folder has no size, so it is always the same.
const FREE: (u16, u8) = (1024, b'M');

/// What a listing shows of each file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Columns {
    /// When it was written (`$=T` and `$=L`).
    pub times: bool,
    /// Its size in bytes, and in a unit that fits (`$=L`).
    pub long: bool,
}

/// A listing that grows.
pub(super) struct Listing {
    bytes: Vec<u8>,
}

impl Listing {
    /// With its title: the disk's name and format.
    pub fn new(label: &[u8]) -> Listing {
        let mut listing = Listing { bytes: START.to_le_bytes().to_vec() };
        listing.line(0, |text| {
            text.extend([REVERSE, b'"']);
            text.extend(label.iter().copied().chain(std::iter::repeat(b' ')).take(16));
            text.extend(b"\" FAT32");
        });
        listing
    }

    fn line(&mut self, number: u16, text: impl FnOnce(&mut Vec<u8>)) {
        self.bytes.extend(LINK);
        self.bytes.extend(number.to_le_bytes());
        text(&mut self.bytes);
        self.bytes.push(0);
    }

    /// A file or folder.
    pub fn entry(&mut self, entry: &Entry, columns: Columns) {
        let (number, unit) = match columns.long {
            true => unit(entry.bytes / 1024),
            false => (u16::try_from(entry.bytes.div_ceil(256)).unwrap_or(u16::MAX), b' '),
        };
        let name = name::bytes(&entry.name);
        self.line(number, |text| {
            if columns.long {
                text.extend([unit, b'B']);
            }
            match number {
                // A control code that BASIC's LIST moves on by.
                10_000.. => text.push(0x14),
                _ => text.extend(std::iter::repeat_n(b' ', 4 - number.max(1).to_string().len())),
            }
            text.push(b'"');
            text.extend(&name);
            text.push(b'"');
            text.extend(std::iter::repeat_n(b' ', 17usize.saturating_sub(name.len()).max(1)));
            text.extend(if entry.is_folder { b"DIR" } else { b"PRG" });
            text.push(if entry.is_locked { b'<' } else { b' ' });
            if let Some(time) = entry.modified.filter(|_| columns.times).and_then(time) {
                text.extend(format!(" {time} ").bytes());
            }
            if columns.long {
                let attributes = u8::from(entry.is_folder) << 4
                    | u8::from(!entry.is_folder) << 5
                    | u8::from(entry.is_locked);
                text.extend(format!("{attributes:02X} {:08X} ", entry.bytes.min(u32::MAX.into())).bytes());
            }
        });
    }

    /// What is free, and the end. The last byte of a listing is the one that comes with its end.
    pub fn finish(mut self) -> Vec<u8> {
        self.line(FREE.0, |text| {
            text.push(FREE.1);
            text.extend(b"B FREE.");
        });
        self.end()
    }

    /// The end alone.
    pub fn end(mut self) -> Vec<u8> {
        self.bytes.extend([0, 0]);
        self.bytes
    }
}

/// A number of kilobytes in a unit in which it fits 16 bits.
fn unit(kilobytes: u64) -> (u16, u8) {
    let mut units = [(kilobytes, b'K'), (kilobytes >> 10, b'M')].into_iter();
    let fitting = units.find_map(|(number, unit)| Some((u16::try_from(number).ok()?, unit)));
    fitting.unwrap_or((u16::try_from(kilobytes >> 20).unwrap_or(u16::MAX), b'G'))
}

/// Seconds since 1970 as a date and a time of day, from 1980 on, where FAT begins.
fn time(seconds: u64) -> Option<String> {
    const DAY: u64 = 86_400;
    let leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let (mut days, rest) = (seconds / DAY, seconds % DAY);
    let mut year = 1970;
    // FAT's years end in 2107.
    while year <= 2107 && days >= 365 + u64::from(leap(year)) {
        days -= 365 + u64::from(leap(year));
        year += 1;
    }
    let february = 28 + u64::from(leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if days < length {
            break;
        }
        (days, month) = (days - length, month + 1);
    }
    let (hours, minutes, seconds) = (rest / 3600, rest / 60 % 60, rest % 60);
    let text = format!("{year}-{month:02}-{:02} {hours:02}:{minutes:02}:{seconds:02}", days + 1);
    (1980..=2107).contains(&year).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_a_calendar() {
        for (seconds, text) in [
            (315_532_800, Some("1980-01-01 00:00:00")),
            (951_782_399, Some("2000-02-28 23:59:59")),
            (951_868_800, Some("2000-03-01 00:00:00")),
            (1_709_210_096, Some("2024-02-29 12:34:56")),
            (1_735_689_599, Some("2024-12-31 23:59:59")),
            (315_532_799, None),
            (u64::MAX, None),
        ] {
            assert_eq!(time(seconds).as_deref(), text, "{seconds}");
        }
    }

    #[test]
    fn lines_are_those_of_a_basic_program() {
        let entry = |name: &str, bytes, is_folder| Entry {
            name: name.to_owned(),
            is_folder,
            bytes,
            modified: Some(1_709_210_096),
            is_locked: bytes == 1,
        };
        let lines = |columns| {
            let mut listing = Listing::new(b"DISK");
            listing.entry(&entry("A", 1, false), columns);
            listing.entry(&entry("LONG NAME OF A FILE", 300_000, false), columns);
            listing.entry(&entry("D", 0, true), columns);
            let bytes = listing.finish();
            assert_eq!((&bytes[..2], &bytes[bytes.len() - 3..]), (&[1, 8][..], &[0, 0, 0][..]));
            let mut lines = Vec::new();
            let mut rest = &bytes[2..];
            while let [1, 1, low, high, text @ ..] = rest {
                let end = text.iter().position(|byte| *byte == 0).unwrap();
                let shown = String::from_utf8_lossy(&text[..end]).replace('\u{12}', "^");
                lines.push(format!("{} {shown}", u16::from_le_bytes([*low, *high])));
                rest = &text[end + 1..];
            }
            lines
        };
        let plain = [
            "0 ^\"DISK            \" FAT32",
            "1    \"A\"                PRG<",
            "1172 \"LONG NAME OF A FILE\" PRG ",
            "0    \"D\"                DIR ",
            "1024 MB FREE.",
        ];
        assert_eq!(lines(Columns::default()), plain);
        let long = lines(Columns { times: true, long: true });
        assert_eq!(long[1], "0 KB   \"A\"                PRG< 2024-02-29 12:34:56 21 00000001 ");
        assert_eq!(long[3], "0 KB   \"D\"                DIR  2024-02-29 12:34:56 10 00000000 ");
        assert_eq!(unit(70_000), (68, b'M'));
    }
}
