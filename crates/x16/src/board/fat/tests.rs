//! Cards are read again, by a reader that knows nothing of how they were made.

use super::*;
use gpuzoo_machine::computer::disk::{Entry, Folder};
use std::io::Error;

/// A reader that follows what the blocks say, and nothing else.
struct Fat(Vec<u8>);

impl Fat {
    fn new(card: Card) -> Fat {
        Fat(card.image.bytes(card.blocks).unwrap())
    }

    fn number(&self, at: usize, bytes: usize) -> usize {
        self.0[at..at + bytes].iter().rev().fold(0, |number, byte| number << 8 | usize::from(*byte))
    }

    /// The partition, the first FAT, the clusters and their size, all in bytes.
    fn places(&self) -> (usize, usize, usize, usize) {
        assert_eq!(
            (self.number(510, 2), self.0[450], self.number(466, 4)),
            (0xaa55, 0x0c, 0),
            "one partition"
        );
        let boot = self.number(454, 4) * BLOCK;
        assert_eq!((self.number(boot + 510, 2), self.number(boot + 11, 2)), (0xaa55, BLOCK));
        assert_eq!(self.number(boot + 32, 4), self.number(458, 4));
        let information = boot + self.number(boot + 48, 2) * BLOCK;
        let signatures = [(0, 0x4161_5252), (484, 0x6141_7272), (508, 0xaa55_0000)];
        assert!(signatures.into_iter().all(|(at, signature)| self.number(information + at, 4) == signature));
        let fat = boot + self.number(boot + 14, 2) * BLOCK;
        let length = self.number(boot + 36, 4) * BLOCK;
        assert_eq!(self.0[boot + 16], 2);
        assert!(self.0[fat..fat + length] == self.0[fat + length..fat + 2 * length], "two equal FATs");
        (boot, fat, fat + 2 * length, usize::from(self.0[boot + 13]) * BLOCK)
    }

    /// The clusters of a chain.
    fn chain(&self, first: usize) -> Vec<usize> {
        let (_, fat, ..) = self.places();
        let next = |at: &usize| Some(self.number(fat + at * 4, 4)).filter(|next| *next < 0x0fff_fff8);
        std::iter::successors(Some(first).filter(|first| *first > 0), next).collect()
    }

    fn bytes(&self, first: usize) -> Vec<u8> {
        let (_, _, data, cluster) = self.places();
        let of = |at: usize| &self.0[data + (at - 2) * cluster..][..cluster];
        self.chain(first).into_iter().flat_map(of).copied().collect()
    }

    /// Files and folders below a folder: the path with short names behind long ones, and the bytes.
    fn list(&self, folder: usize, at: &str, above: Option<usize>) -> Vec<(String, Vec<u8>)> {
        let bytes = self.bytes(folder);
        let (mut all, mut long, mut sum) = (Vec::new(), Vec::new(), None);
        for (place, entry) in bytes.chunks(ENTRY).enumerate().take_while(|(_, entry)| entry[0] != 0) {
            let number = |at: usize| usize::from(u16::from_le_bytes([entry[at], entry[at + 1]]));
            let cluster = number(20) << 16 | number(26);
            if entry[11] == LONG {
                let places = (1..11).chain(14..26).chain(28..32).step_by(2);
                let part: Vec<u16> = places.map(|at| number(at) as u16).collect();
                // The last part stands first, and it alone has bit 6.
                assert_eq!(entry[0] & 0x40 != 0, long.is_empty(), "{at}");
                sum = Some(entry[13]);
                long.splice(0..0, part);
                continue;
            }
            // The sum of the short name, as Microsoft's text has it.
            let own = entry[..11].iter().fold(0u8, |sum, byte| {
                (if sum & 1 == 1 { 0x80u8 } else { 0 }).wrapping_add(sum >> 1).wrapping_add(*byte)
            });
            assert!(sum.take().is_none_or(|sum| sum == own), "{at}");
            let part =
                |from: usize, to: usize| String::from_utf8_lossy(&entry[from..to]).trim_end().to_owned();
            let short = [part(0, 8), part(8, 11)].join(".").trim_end_matches('.').to_owned();
            if place < 2 && above.is_some() {
                let top = |cluster| if cluster == 2 { 0 } else { cluster };
                let expected = [(".", folder), ("..", above.map_or(0, top))][place];
                assert_eq!((part(0, 8).as_str(), cluster), expected);
                continue;
            }
            let long: Vec<u16> =
                std::mem::take(&mut long).into_iter().take_while(|letter| *letter != 0).collect();
            let long = String::from_utf16(&long).unwrap();
            let name = if long.is_empty() { short } else { format!("{long} = {short}") };
            let path = format!("{at}{name}");
            match entry[11] {
                LABEL => assert_eq!((place, above, path.as_str()), (0, None, "GPUZOO")),
                FOLDER => {
                    all.push((format!("{path}/"), Vec::new()));
                    all.extend(self.list(cluster, &format!("{path}/"), Some(folder)));
                }
                _ => {
                    let length = number(30) << 16 | number(28);
                    let mut bytes = self.bytes(cluster);
                    assert!(bytes.len() - length < self.places().3);
                    bytes.truncate(length);
                    all.push((path, bytes));
                }
            }
        }
        all
    }
}

fn made(disk: &Disk) -> Fat {
    Fat::new(card(disk).unwrap())
}

fn refused(disk: &Disk) -> String {
    let problem = card(disk).err().unwrap();
    assert_eq!(problem.code.id, "V0333");
    problem.message
}

fn names(fat: &Fat) -> Vec<String> {
    fat.list(2, "", None).into_iter().map(|(name, _)| name).collect()
}

#[test]
fn what_is_in_a_folder_is_on_its_card() {
    let bytes = |length: usize| (0..length).map(|at| (at * 7 + length) as u8).collect::<Vec<u8>>();
    let files =
        [("A.BIN", 0), ("MAPS/ONE.BIN", 512), ("MAPS/deep/x", 513), ("MAPS/deep/y", 70_000), ("Z", 1)];
    let disk = Disk::of(files.map(|(name, length)| (name, bytes(length))));
    let fat = made(&disk);
    let expected = [
        ("A.BIN", 0),
        ("MAPS/", 0),
        ("MAPS/ONE.BIN", 512),
        ("MAPS/deep = DEEP/", 0),
        ("MAPS/deep = DEEP/x = X", 513),
        ("MAPS/deep = DEEP/y = Y", 70_000),
        ("Z", 1),
    ];
    let expected = expected.map(|(name, length)| (name.to_owned(), bytes(length)));
    assert!(fat.list(2, "", None) == expected, "{:?}", names(&fat));
    assert_eq!(fat.0.len(), 64 << 20);
    // No cluster belongs to two chains, and those that belong to none are said to be free.
    let (boot, table, data, cluster) = fat.places();
    let used = (2..).take_while(|at| fat.number(table + at * 4, 4) != 0).count();
    let starts: usize = 3 + 4; // three folders, four files that are not empty
    let ends = (2..used + 2).filter(|at| fat.number(table + at * 4, 4) == END as usize).count();
    assert_eq!((ends, used), (starts, 3 + 1 + 2 + 137 + 1));
    let clusters = (fat.number(boot + 32, 4) * BLOCK + boot - data) / cluster;
    let known = boot + BLOCK;
    assert_eq!((fat.number(known + 488, 4), fat.number(known + 492, 4)), (clusters - used, used + 2));
    assert!(clusters >= 65_525 && fat.number(boot + 36, 4) * BLOCK / 4 >= clusters + 2);
    let again = card(&Disk::of(files.map(|(name, length)| (name, bytes(length))))).unwrap();
    assert!(fat.0 == again.image.bytes(again.blocks).unwrap(), "the same each time");
    assert_eq!(names(&made(&Disk::of([]))), <[&str; 0]>::default());
}

/// BPB_FSInfo and BPB_BkBootSec of FAT32: what is known of free clusters is in block 1, and block 6 begins a copy of both.
#[test]
fn the_boot_sector_says_where_it_is_again() {
    let fat = made(&Disk::of([("A", vec![1])]));
    let boot = fat.places().0;
    assert_eq!((fat.number(boot + 48, 2), fat.number(boot + 50, 2)), (1, 6));
    let block = |number: usize| &fat.0[boot + number * BLOCK..][..BLOCK];
    assert_eq!(block(1)[..4], *b"RRaA");
    assert!(block(6) == block(0) && block(7) == block(1));
}

#[test]
fn names_are_kept() {
    let long = "L".repeat(255);
    let thirteen = "thirteen.abcd";
    let all =
        ["Table.bin", "A B.TXT", ".hidden", "a.b.c", "LONGER~1.BIN", "longername.bin", "longerother.bin"];
    let all = all.into_iter().chain(["TABLE1.BINARY", "TABLE1.BIN", "grün.bin", "€", thirteen, &long]);
    let fat = made(&Disk::of(all.map(|name| (name, vec![1]))));
    let mut expected = vec![
        ".hidden = HIDDEN~1".to_owned(),
        "A B.TXT = AB~1.TXT".to_owned(),
        "LONGER~1.BIN".to_owned(),
        format!("{long} = LLLLLL~1"),
        "TABLE1.BIN".to_owned(),
        "TABLE1.BINARY = TABLE1~1.BIN".to_owned(),
        "Table.bin = TABLE.BIN".to_owned(),
        "a.b.c = AB~1.C".to_owned(),
        "grün.bin = GR_N~1.BIN".to_owned(),
        "longername.bin = LONGER~2.BIN".to_owned(),
        "longerother.bin = LONGER~3.BIN".to_owned(),
        format!("{thirteen} = THIRTE~1.ABC"),
        "€ = _~1".to_owned(),
    ];
    expected.sort();
    assert_eq!(names(&fat), expected);
}

#[test]
fn what_fat_cannot_have_is_refused() {
    let of = |names: &[&str]| refused(&Disk::of(names.iter().map(|name| (*name, vec![]))));
    for name in ["a:b", "a*", "x?", "a\"b", "a|b", "a\\b", "a<b", "tab\tname", "dot.", "space ", "D/dot."] {
        let message = of(&[name]);
        assert!(message.starts_with("an SD card cannot have a file `"), "{message}");
    }
    assert!(of(&[&"é".repeat(256)]).ends_with("more than 255 letters"));
    assert_eq!(of(&["Ä.bin", "ä.BIN"]), "an SD card cannot have both `Ä.bin` and `ä.BIN`");
    assert!(card(&Disk::of([("D/A", vec![]), ("E/a", vec![])])).is_ok());
    let problem = card(&Disk::of([("a:b", vec![])])).err().unwrap();
    assert_eq!(
        (problem.code.id, &*problem.help),
        ("V0333", &["rename it, or leave it out of the folder".to_owned()][..])
    );
}

/// Folders that are made up as they are asked for: so many names in each, and so deep.
struct Made {
    names: usize,
    letters: usize,
    depth: usize,
    bytes: u64,
}

impl Folder for Made {
    fn entries(&self, path: &[String]) -> Result<Vec<Entry>, Error> {
        let is_folder = path.len() < self.depth;
        let one = |at| Entry {
            name: format!("{at:0letters$}", letters = self.letters),
            is_folder,
            bytes: self.bytes,
            modified: None,
            is_locked: false,
        };
        Ok((0..if is_folder { 1 } else { self.names }).map(one).collect())
    }

    fn read(&self, _: &[String]) -> Result<Vec<u8>, Error> {
        if self.bytes > 0 { Err(Error::other("worn out")) } else { Ok(Vec::new()) }
    }
}

#[test]
fn limits_are_those_that_are_stated() {
    let usual = || Made { names: 1, letters: 1, depth: 0, bytes: 0 };
    let fits = |made| card(&Disk::new(made)).is_ok();
    let refused = |made| refused(&Disk::new(made));
    assert!(fits(Made { names: 60_000, letters: 5, ..usual() }));
    let message = refused(Made { names: 60_001, letters: 5, ..usual() });
    assert_eq!(message, "more than 60000 files and folders for an SD card");
    // 20 entries for the long name, one for the short one.
    assert!(fits(Made { names: 3120, letters: 255, ..usual() }));
    let message = refused(Made { names: 3121, letters: 255, ..usual() });
    assert_eq!(message, "the folder `` has 3121 names, which is too much for one folder of FAT");
    assert!(fits(Made { depth: 32, ..usual() }));
    assert!(refused(Made { depth: 33, ..usual() }).ends_with("is more than 32 folders deep"));
    // What is too much is not read.
    let message = refused(Made { bytes: (2 << 30) + 1, ..usual() });
    assert_eq!(message, "the files of the folder do not fit on an SD card");
    let message = refused(Made { bytes: 1, ..usual() });
    assert_eq!(message, "cannot read `0` for the SD card: worn out");
}

/// Half of a card is left to the program.
#[test]
fn cards_grow_with_what_is_on_them() {
    let size = |bytes: usize| card(&Disk::of([("A", vec![1; bytes])])).map(|card| (card.blocks, card.image));
    for (bytes, expected) in [(30 << 20, 64), (33 << 20, 128), (100 << 20, 256)] {
        let (blocks, image) = size(bytes).ok().unwrap();
        assert_eq!(blocks, expected << 11);
        // Files are not copied: in memory there are the tables and the folder.
        assert!(image.owned() < 4 << 20, "{}", image.owned());
        let fat = Fat(image.bytes(blocks).unwrap());
        let (_, _, data, cluster) = fat.places();
        assert_eq!((cluster, fat.chain(3).len()), (expected as usize * 8, bytes.div_ceil(cluster)));
        assert!(fat.0[data + cluster..][..bytes].iter().all(|byte| *byte == 1));
    }
}

/// A folder below the topmost has two entries of its own: with 15 files in clusters of 16 entries it needs a second one.
#[test]
fn a_folder_that_just_does_not_fit_takes_another_cluster() {
    for (count, clusters) in [(14, 1), (15, 2)] {
        let files: Vec<_> = (0..count).map(|at| (format!("D/F{at}"), vec![])).collect();
        let fat = made(&Disk::of(files.iter().map(|(name, bytes)| (name.as_str(), bytes.clone()))));
        assert_eq!(fat.places().3, 16 * ENTRY);
        assert_eq!((fat.chain(3).len(), fat.list(2, "", None).len()), (clusters, count + 1));
    }
}
