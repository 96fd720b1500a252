//! A folder as the file system of an SD card: FAT32 with long names (Microsoft, FAT: General Overview of On-Disk Format, version 1.03), in
//! the one partition of a card.
//!
//! The same names and files give the same card, byte for byte: there are no times of the host in it, and names are in order. Files lie one
//! behind the other from the start, and keep the memory that they were read into; what is behind the last one is zero, and is not stored.

use crate::board::image::{BLOCK, Image};
use crate::rules::CARD_FOLDER;
use gpuzoo_diag::{Diagnostic, counted};
use gpuzoo_machine::computer::disk::{Disk, Unreadable};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The smallest card in blocks: 64 MiB. Larger ones are twice, four times … as large, with as much larger clusters: all have more than the
/// 65,525 clusters that make a file system FAT32.
const LEAST: u32 = (64 << 20) / BLOCK as u32;
/// The largest is 2 GiB.
const LARGEST: u32 = 5;
/// The first block of the partition, as partitioning tools choose it.
const START: u32 = 2048;
/// Blocks before the first FAT.
const RESERVED: u32 = 32;
/// A cluster's entry in a FAT, and a name's in a folder.
const FAT_ENTRY: usize = 4;
const ENTRY: usize = 32;
/// A folder has at most this many bytes.
const MAX_FOLDER: usize = 0x1_0000 * ENTRY;
/// Files and folders of a card.
const MAX_NAMES: usize = 60_000;
/// Folders in folders: a link to a folder above would have no end.
const MAX_DEPTH: usize = 32;
/// Letters of a long name, and those of them that are in one entry.
const MAX_LETTERS: usize = 255;
const LETTERS: usize = 13;

/// The end of a chain, and what the first two entries of a FAT hold.
const END: u32 = 0x0fff_ffff;
const FIRST: [u32; 2] = [0x0fff_fff8, END];
/// The cluster of the topmost folder.
const TOP: u32 = 2;
/// Attributes of entries.
const LABEL: u8 = 0x08;
const FOLDER: u8 = 0x10;
const FILE: u8 = 0x20;
const LONG: u8 = 0x0f;
/// The start of 2026, which is also what the machine's clock shows at power-on unless it is told otherwise.
const DATE: u16 = (2026 - 1980) << 9 | 1 << 5 | 1;
const NAME: &[u8; 11] = b"GPUZOO     ";

/// A card: what its first blocks hold, and how many blocks there are.
pub(crate) struct Card {
    pub image: Image,
    pub blocks: u32,
}

/// What is in a folder.
struct Item {
    name: String,
    what: What,
}

enum What {
    File(Arc<[u8]>),
    Folder(Vec<Item>),
}

/// Makes a card of a disk's files.
///
/// # Errors
/// V0333 for a file that cannot be read, a name that FAT does not have, and if it is too much.
pub(crate) fn card(disk: &Disk) -> Result<Card, Diagnostic> {
    let mut reader = Reader { disk, names: 0, bytes: 0 };
    let items = reader.folder(&mut Vec::new())?;
    let fits = |shift: &u32| {
        let volume = Volume::new(*shift);
        volume.clusters_of(&items, true).saturating_mul(2) <= u64::from(volume.clusters)
    };
    let shift = (0..=LARGEST).find(fits).ok_or_else(too_large)?;
    let mut volume = Volume::new(shift);
    volume.put_folder(None, &items);
    Ok(Card { image: volume.image(), blocks: LEAST << shift })
}

fn too_large() -> Diagnostic {
    Diagnostic::error(&CARD_FOLDER, "the files of the folder do not fit on an SD card").help(
        "the largest card has 2 GiB, half of which is left to the program; `--sdcard` takes the image of a larger one, too",
    )
}

/// The names and the files of a disk.
struct Reader<'d> {
    disk: &'d Disk,
    names: usize,
    bytes: u64,
}

impl Reader<'_> {
    /// What is in a folder, and in those below it.
    fn folder(&mut self, path: &mut Vec<String>) -> Result<Vec<Item>, Diagnostic> {
        let at = path.join("/");
        let error = |message: String| Diagnostic::error(&CARD_FOLDER, message);
        let unreadable = |what: &str, why: Unreadable| match why.refusal {
            Some(refusal) => refusal.problem().note(format!("while reading {what} for the SD card")),
            None => error(format!("cannot read {what} for the SD card: {}", why.reason)),
        };
        let entries =
            self.disk.entries(path).map_err(|why| unreadable(&format!("the folder `{at}`"), why))?;
        self.names += entries.len();
        if self.names > MAX_NAMES {
            return Err(error(format!("more than {MAX_NAMES} files and folders for an SD card"))
                .help("give a folder with what the program needs"));
        }
        if path.len() > MAX_DEPTH {
            return Err(error(format!("`{at}` is more than {MAX_DEPTH} folders deep"))
                .help("a link to a folder above it has no end"));
        }
        let mut known = BTreeMap::new();
        let mut slots = 2;
        let mut items = Vec::with_capacity(entries.len());
        for entry in &*entries {
            path.push(entry.name.clone());
            let shown = path.join("/");
            if let Some(reason) = unfit(&entry.name) {
                return Err(error(format!(
                    "an SD card cannot have a file `{}`: {reason}",
                    shown.escape_debug()
                ))
                .help("rename it, or leave it out of the folder"));
            }
            if let Some(other) = known.insert(entry.name.to_lowercase(), &entry.name) {
                return Err(error(format!("an SD card cannot have both `{other}` and `{shown}`")).help(
                    "names that differ only in the case of letters are the same to FAT: rename one of them",
                ));
            }
            slots += entries_of(&entry.name);
            let what = if entry.is_folder {
                What::Folder(self.folder(path)?)
            } else {
                // Before it is read: a folder with too much is not read to its end.
                if self.bytes.saturating_add(entry.bytes) > u64::from(LEAST << LARGEST) * BLOCK as u64 {
                    return Err(too_large());
                }
                let bytes = self.disk.read(path).map_err(|why| unreadable(&format!("`{shown}`"), why))?;
                self.bytes += bytes.len() as u64;
                What::File(bytes)
            };
            items.push(Item { name: entry.name.clone(), what });
            path.pop();
        }
        if slots * ENTRY > MAX_FOLDER {
            let names = counted(entries.len(), "name");
            return Err(error(format!(
                "the folder `{at}` has {names}, which is too much for one folder of FAT"
            ))
            .help("long names count more than once: spread the files over several folders"));
        }
        Ok(items)
    }
}

/// Why FAT does not have a name.
fn unfit(name: &str) -> Option<String> {
    let illegal = |letter: &char| letter.is_control() || "\"*/:<>?\\|".contains(*letter);
    match name.chars().find(illegal) {
        Some(letter) => Some(format!("`{}` is not allowed in names", letter.escape_debug())),
        None if name.encode_utf16().count() > MAX_LETTERS => {
            Some(format!("it has more than {MAX_LETTERS} letters"))
        }
        None if name.ends_with(['.', ' ']) => Some("names do not end with a dot or a space".to_owned()),
        None => None,
    }
}

/// Entries of a folder that a name takes at most.
fn entries_of(name: &str) -> usize {
    match exact(name) {
        Some(_) => 1,
        None => 1 + name.encode_utf16().count().div_ceil(LETTERS),
    }
}

/// A character of short names.
fn is_short(byte: u8) -> bool {
    byte.is_ascii_uppercase() || byte.is_ascii_digit() || b"$%'-_@~`!(){}^#&".contains(&byte)
}

/// The eight and three letters of a short name.
fn eleven(base: &[u8], extension: &[u8]) -> [u8; 11] {
    let mut name = [b' '; 11];
    name.iter_mut().zip(base.iter().take(8)).for_each(|(to, from)| *to = *from);
    name[8..].iter_mut().zip(extension).for_each(|(to, from)| *to = *from);
    name
}

/// The short name of a name that is one, so that it needs no long one.
fn exact(name: &str) -> Option<[u8; 11]> {
    let (base, extension) = name.split_once('.').unwrap_or((name, ""));
    let is_dotted = name.contains('.');
    let fits = (1..=8).contains(&base.len()) && extension.len() <= 3 && is_dotted != extension.is_empty();
    let all = base.bytes().chain(extension.bytes()).all(is_short);
    (fits && all).then(|| eleven(base.as_bytes(), extension.as_bytes()))
}

/// Short names of the names in a folder, in their order. Names that are short keep theirs; others get capitals, `_` for what short names
/// cannot have, and a number where that is not the same name.
fn short_names(names: &[&str]) -> Vec<[u8; 11]> {
    let mut taken: BTreeSet<[u8; 11]> = names.iter().filter_map(|name| exact(name)).collect();
    let mut next: BTreeMap<Vec<u8>, u32> = BTreeMap::new();
    let shorten = |name: &&str| {
        if let Some(own) = exact(name) {
            return own;
        }
        let inner = name.trim_start_matches(['.', ' ']);
        let (base, extension) = inner.rsplit_once('.').unwrap_or((inner, ""));
        let is_kept = |letter: &char| !matches!(letter, ' ' | '.');
        let part = |text: &str| -> Vec<u8> {
            let letters = text.chars().filter(is_kept).map(|letter| letter.to_ascii_uppercase());
            letters
                .map(|letter| u8::try_from(letter).ok().filter(|byte| is_short(*byte)).unwrap_or(b'_'))
                .collect()
        };
        let (base, extension) = (part(base), part(extension));
        let plain = eleven(&base, &extension);
        let is_whole = exact(&name.to_ascii_uppercase()) == Some(plain);
        if is_whole && taken.insert(plain) {
            return plain;
        }
        let key = [&base[..base.len().min(6)], b".", &extension[..extension.len().min(3)]].concat();
        let number = next.entry(key).or_insert(0);
        loop {
            *number += 1;
            let tail = format!("~{number}");
            let kept = base.len().min(8 - tail.len());
            let own = eleven(&[&base[..kept], tail.as_bytes()].concat(), &extension);
            if taken.insert(own) {
                return own;
            }
        }
    };
    names.iter().map(shorten).collect()
}

/// The entry of a file or a folder.
fn entry(name: &[u8; 11], attributes: u8, cluster: u32, bytes: u32) -> [u8; ENTRY] {
    let mut entry = [0; ENTRY];
    let [low0, low1, high0, high1] = cluster.to_le_bytes();
    let date = DATE.to_le_bytes();
    entry[..11].copy_from_slice(name);
    entry[11] = attributes;
    // Made, used, changed.
    [16, 18, 24].into_iter().for_each(|at| entry[at..at + 2].copy_from_slice(&date));
    entry[20..22].copy_from_slice(&[high0, high1]);
    entry[26..28].copy_from_slice(&[low0, low1]);
    entry[28..].copy_from_slice(&bytes.to_le_bytes());
    entry
}

/// The entries of a long name, the last letters first.
fn long_entries(name: &str, short: &[u8; 11]) -> Vec<[u8; ENTRY]> {
    /// Where an entry has its letters.
    const PLACES: [usize; LETTERS] = [1, 3, 5, 7, 9, 14, 16, 18, 20, 22, 24, 28, 30];
    let sum = short.iter().fold(0u8, |sum, byte| sum.rotate_right(1).wrapping_add(*byte));
    let letters: Vec<u16> = name.encode_utf16().collect();
    let count = letters.len().div_ceil(LETTERS);
    let one = |(at, part): (usize, &[u16])| {
        let mut entry = [0; ENTRY];
        entry[0] = (at + 1) as u8 | if at + 1 == count { 0x40 } else { 0 };
        entry[11] = LONG;
        entry[13] = sum;
        // A zero behind the last letter, and $FFFF behind that.
        let rest = std::iter::once(0).chain(std::iter::repeat(0xffff));
        for (place, letter) in PLACES.into_iter().zip(part.iter().copied().chain(rest)) {
            entry[place..place + 2].copy_from_slice(&letter.to_le_bytes());
        }
        entry
    };
    let mut entries: Vec<_> = letters.chunks(LETTERS).enumerate().map(one).collect();
    entries.reverse();
    entries
}

/// A file system that is being made.
struct Volume {
    /// The card has the smallest one's blocks, and a cluster one block, shifted by this.
    shift: u32,
    /// Blocks of a FAT.
    fat_blocks: u32,
    /// Clusters that there are.
    clusters: u32,
    fat: Vec<u32>,
    /// Folders and files, each with its first cluster.
    folders: Vec<(u32, Vec<u8>)>,
    files: Vec<(u32, Arc<[u8]>)>,
}

impl Volume {
    fn new(shift: u32) -> Volume {
        let blocks = (LEAST << shift) - START - RESERVED;
        // Both FATs have an entry for each cluster that there would be without them, and for the two that there are not.
        let fat_blocks = ((blocks >> shift) + 2).div_ceil((BLOCK / FAT_ENTRY) as u32);
        let clusters = (blocks - 2 * fat_blocks) >> shift;
        Volume { shift, fat_blocks, clusters, fat: FIRST.to_vec(), folders: Vec::new(), files: Vec::new() }
    }

    /// Bytes of a cluster.
    fn cluster(&self) -> usize {
        BLOCK << self.shift
    }

    /// Clusters for what is in a folder, and for itself.
    fn clusters_of(&self, items: &[Item], is_top: bool) -> u64 {
        let below = items.iter().map(|item| match &item.what {
            What::File(bytes) => bytes.len().div_ceil(self.cluster()) as u64,
            What::Folder(items) => self.clusters_of(items, false),
        });
        let own = self.folder_bytes(items, is_top).div_ceil(self.cluster()) as u64;
        own + below.sum::<u64>()
    }

    /// The topmost folder begins with the card's name, others with `.` and `..`. A folder is never without a cluster.
    fn folder_bytes(&self, items: &[Item], is_top: bool) -> usize {
        let own = if is_top { 1 } else { 2 };
        (own + items.iter().map(|item| entries_of(&item.name)).sum::<usize>()) * ENTRY
    }

    /// A chain of clusters for so many bytes: where it begins, 0 for none.
    fn reserve(&mut self, bytes: usize) -> u32 {
        let first = self.fat.len() as u32;
        let count = bytes.div_ceil(self.cluster());
        let chain = (1..count as u32).map(|next| first + next);
        self.fat.extend(chain.chain(std::iter::once(END)).take(count));
        if count > 0 { first } else { 0 }
    }

    /// Puts a folder with all that is in it; `above` is the cluster of the one that has it, 0 for the topmost. Returns its cluster.
    fn put_folder(&mut self, above: Option<u32>, items: &[Item]) -> u32 {
        let own = self.reserve(self.folder_bytes(items, above.is_none()));
        let mut entries = match above {
            None => vec![entry(NAME, LABEL, 0, 0)],
            Some(above) => vec![
                entry(&eleven(b".", b""), FOLDER, own, 0),
                entry(&eleven(b"..", b""), FOLDER, if above == TOP { 0 } else { above }, 0),
            ],
        };
        let names: Vec<&str> = items.iter().map(|item| &*item.name).collect();
        for (item, short) in items.iter().zip(short_names(&names)) {
            if exact(&item.name).is_none() {
                entries.extend(long_entries(&item.name, &short));
            }
            entries.push(match &item.what {
                What::Folder(items) => entry(&short, FOLDER, self.put_folder(Some(own), items), 0),
                What::File(bytes) => {
                    let cluster = self.reserve(bytes.len());
                    if cluster > 0 {
                        self.files.push((cluster, bytes.clone()));
                    }
                    entry(&short, FILE, cluster, bytes.len() as u32)
                }
            });
        }
        self.folders.push((own, entries.concat()));
        own
    }

    /// The card's blocks up to the last cluster in use.
    fn image(self) -> Image {
        let size = (LEAST << self.shift) - START;
        let byte = |block: u32| block as usize * BLOCK;
        let (fat, data) = (START + RESERVED, START + RESERVED + 2 * self.fat_blocks);
        let mut image = vec![0; byte(data)];
        let mut put = |at: usize, bytes: &[u8]| image[at..at + bytes.len()].copy_from_slice(bytes);
        // The partition table: cylinders and heads say nothing here, as the number of the first block counts.
        put(446, &[0, 0xfe, 0xff, 0xff, 0x0c, 0xfe, 0xff, 0xff]);
        put(454, &START.to_le_bytes());
        put(458, &size.to_le_bytes());
        put(510, &[0x55, 0xaa]);
        let used = (self.fat.len() - FIRST.len()) as u32;
        // The boot sector and what is known of free clusters, and a copy of both.
        for first in [START, START + 6] {
            let at = byte(first);
            put(at, b"\xeb\x58\x90GPUZOO  ");
            put(at + 11, &[0, 2, 1 << self.shift, RESERVED as u8, 0, 2]);
            put(at + 21, &[0xf8, 0, 0, 63, 0, 255, 0]);
            put(at + 28, &START.to_le_bytes());
            put(at + 32, &size.to_le_bytes());
            put(at + 36, &self.fat_blocks.to_le_bytes());
            put(at + 44, &TOP.to_le_bytes());
            put(at + 48, &[1, 0, 6, 0]);
            put(at + 64, &[0x80, 0, 0x29, b'G', b'Z', b'O', b'O']);
            put(at + 71, NAME);
            put(at + 82, b"FAT32   ");
            put(at + 510, &[0x55, 0xaa]);
            let at = byte(first + 1);
            put(at, b"RRaA");
            put(at + 484, b"rrAa");
            put(at + 488, &(self.clusters - used).to_le_bytes());
            put(at + 492, &(self.fat.len() as u32).to_le_bytes());
            put(at + 510, &[0x55, 0xaa]);
        }
        let entries: Vec<u8> = self.fat.iter().flat_map(|next| next.to_le_bytes()).collect();
        put(byte(fat), &entries);
        put(byte(fat + self.fat_blocks), &entries);
        let shift = self.shift;
        let block = |cluster: u32| data + ((cluster - TOP) << shift);
        let folders = self.folders.into_iter().map(|(cluster, bytes)| (block(cluster), bytes));
        let files = self.files.into_iter().map(|(cluster, bytes)| (block(cluster), bytes));
        Image::of_runs(folders.chain([(0, image)]), files)
    }
}

#[cfg(test)]
mod tests;
