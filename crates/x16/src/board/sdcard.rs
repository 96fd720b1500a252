//! An SD card of high capacity in SPI mode (SD Association, Physical Layer Simplified Specification, chapter 7), at VERA's SPI controller.
//!
//! What is written stays in the machine: the image or the folder that it was made from never changes. The card answers a byte after a command,
//! sends a block a byte after that, and is busy for [`BUSY`] bytes after a write, where real cards take as long as they like.
//! It has what file systems use; erasing, locks and the registers SCR and SD status are not there, and are refused as illegal commands.

use crate::board::fat;
use crate::board::image::{BLOCK, Image};
use crate::rules::SD_CARD;
use crate::state::Known;
use crate::{CardSource, MAX_SD_CARD};
use gpuzoo_diag::Diagnostic;
use gpuzoo_machine::limits::budget::Refusal;
use gpuzoo_stored::stored;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// Bytes in which cards of high capacity state their size.
pub(crate) const GRAIN: usize = 512 << 10;
/// Bytes that pass while the card writes.
const BUSY: u8 = 16;
/// Enquiries until it has set itself up.
const ENQUIRIES: u8 = 2;

/// Bits of the response R1.
const IDLE: u8 = 0x01;
const ILLEGAL: u8 = 0x04;
const BAD_CRC: u8 = 0x08;
const PARAMETER: u8 = 0x40;

/// Tokens before blocks, and one that ends a write of several.
const START: u8 = 0xfe;
const START_OF_MANY: u8 = 0xfc;
const STOP: u8 = 0xfd;
/// Instead of a block: there is none.
const OUT_OF_RANGE: u8 = 0x08;
/// Answers to a block that was written.
const ACCEPTED: u8 = 0xe5;
const REFUSED_CRC: u8 = 0xeb;
const REFUSED: u8 = 0xed;

/// What the card does between commands.
#[derive(Clone, Debug, PartialEq)]
enum Transfer {
    None,
    /// Sends blocks from here on.
    Read(u32),
    /// Waits for the token of a block, of several if `many`.
    Expect {
        block: u32,
        many: bool,
    },
    /// Takes a block with its check sum.
    Write {
        block: u32,
        many: bool,
        bytes: Vec<u8>,
    },
}

stored! {
    enum Transfer { None, Read(block: u32), Expect { block: u32, many: bool }, Write { block: u32, many: bool, bytes: Vec<u8> } }
    if |own: &Transfer| !matches!(own, Transfer::Write { bytes, .. } if bytes.len() >= BLOCK + 2)
}

/// A card.
#[derive(Clone, PartialEq)]
pub(crate) struct SdCard {
    /// What it was made from.
    image: Image,
    blocks: u32,
    /// Blocks that were written.
    written: BTreeMap<u32, Arc<[u8]>>,
    is_selected: bool,
    /// In SPI mode, which CMD0 begins.
    is_spi: bool,
    /// Enquiries that are left until it is ready.
    sets_up: u8,
    checks: bool,
    /// The next command is one of the applications'.
    is_application: bool,
    command: Vec<u8>,
    output: VecDeque<u8>,
    transfer: Transfer,
    busy: u8,
}

stored! {
    SdCard { blocks, written, is_selected, is_spi, sets_up, checks, is_application, command, output, transfer, busy }
    without { image: Image::default() }
    if |own: &SdCard| {
        let is_block = |(number, bytes): (&u32, &Arc<[u8]>)| *number < own.blocks && bytes.len() == BLOCK;
        own.command.len() < 6 && own.written.iter().all(is_block)
    }
}

/// The check sum of commands: x⁷ + x³ + 1, with the end bit.
fn crc7(bytes: &[u8]) -> u8 {
    let sum = bytes.iter().fold(0u8, |sum, byte| {
        (0..8).fold(sum, |sum, bit| {
            let carry = (sum >> 6 ^ byte >> (7 - bit)) & 1;
            ((sum << 1) ^ (carry * 0x09)) & 0x7f
        })
    });
    sum << 1 | 1
}

/// The check sum of blocks: x¹⁶ + x¹² + x⁵ + 1.
fn crc16(bytes: &[u8]) -> u16 {
    bytes.iter().fold(0, |sum: u16, byte| {
        (0..8).fold(sum ^ u16::from(*byte) << 8, |sum, _| (sum << 1) ^ ((sum >> 15) * 0x1021))
    })
}

/// A card with the bytes of an image, or with the files of a folder.
///
/// # Errors
/// If an image has no bytes, too many, or no whole blocks; and for a folder that FAT cannot hold.
pub(crate) fn made(from: CardSource) -> Result<SdCard, Diagnostic> {
    match from {
        CardSource::Folder(disk) => fat::card(&disk).map(|card| SdCard::of(card.image, card.blocks)),
        CardSource::Image(image) => match image.len() {
            1..=MAX_SD_CARD if image.len().is_multiple_of(BLOCK) => Ok(SdCard::new(image)),
            length => Err(Diagnostic::error(&SD_CARD, format!("the SD card's image has {length} bytes")).help(
                "an image is a card's blocks, 512 bytes each, at most 2 GiB, with the partition table in the first",
            )),
        },
    }
}

impl SdCard {
    /// A card with the bytes of an image, as large as cards can be that hold them.
    fn new(image: Vec<u8>) -> SdCard {
        let blocks = image.len().next_multiple_of(GRAIN) / BLOCK;
        SdCard::of(Image::of(image), blocks as u32)
    }

    fn of(image: Image, blocks: u32) -> SdCard {
        SdCard {
            image,
            blocks,
            written: BTreeMap::new(),
            is_selected: false,
            is_spi: false,
            sets_up: ENQUIRIES,
            checks: false,
            is_application: false,
            command: Vec::new(),
            output: VecDeque::new(),
            transfer: Transfer::None,
            busy: 0,
        }
    }

    /// By what its image is known.
    pub fn made_from(&self) -> Known {
        self.image.known()
    }

    /// How many there are.
    pub fn blocks(&self) -> u32 {
        self.blocks
    }

    /// Has the image of another card.
    pub fn is_made_as(&mut self, other: &SdCard) {
        self.image = other.image.clone();
    }

    /// Blocks that differ from the image, as far as programs have written them.
    pub fn writes(&self) -> usize {
        self.written.len()
    }

    /// The image with what was written.
    ///
    /// # Errors
    /// If there is no memory for it.
    pub fn image(&self) -> Result<Vec<u8>, Refusal> {
        let mut image = self.image.bytes(self.blocks)?;
        for (block, bytes) in &self.written {
            let start = *block as usize * BLOCK;
            image[start..start + BLOCK].copy_from_slice(bytes);
        }
        Ok(image)
    }

    fn block(&self, number: u32) -> Option<[u8; BLOCK]> {
        let written = self.written.get(&number).and_then(|bytes| bytes[..].try_into().ok());
        (number < self.blocks).then(|| written.unwrap_or_else(|| self.image.block(number)))
    }

    /// The controller selects it, or does not: a command, and what it would send, ends.
    pub fn select(&mut self, is_selected: bool) {
        if self.is_selected && !is_selected {
            self.command.clear();
            self.output.clear();
            self.transfer = Transfer::None;
        }
        self.is_selected = is_selected;
    }

    /// Exchanges a byte.
    pub fn exchange(&mut self, byte: u8) -> u8 {
        if !self.is_selected {
            return 0xff;
        }
        let answer = self.send();
        self.receive(byte);
        answer
    }

    fn send(&mut self) -> u8 {
        if self.output.is_empty() {
            if self.busy > 0 {
                self.busy -= 1;
                return 0;
            }
            if let Transfer::Read(block) = self.transfer {
                self.send_next(block);
            }
        }
        self.output.pop_front().unwrap_or(0xff)
    }

    /// The next block of a read, or that there is none.
    fn send_next(&mut self, number: u32) {
        match self.block(number) {
            Some(bytes) => {
                self.send_block(&bytes);
                self.transfer = Transfer::Read(number + 1);
            }
            None => {
                self.output.extend([0xff, OUT_OF_RANGE]);
                self.transfer = Transfer::None;
            }
        }
    }

    fn send_block(&mut self, bytes: &[u8]) {
        self.output.extend([0xff, START]);
        self.output.extend(bytes);
        self.output.extend(crc16(bytes).to_be_bytes());
    }

    fn receive(&mut self, byte: u8) {
        match &mut self.transfer {
            Transfer::Write { block, many, bytes } => {
                bytes.push(byte);
                if bytes.len() == BLOCK + 2 {
                    let (block, many, bytes) = (*block, *many, std::mem::take(bytes));
                    self.store(block, many, &bytes);
                }
                return;
            }
            Transfer::Expect { block, many } if self.command.is_empty() => {
                let (block, many) = (*block, *many);
                if byte == if many { START_OF_MANY } else { START } {
                    self.transfer = Transfer::Write { block, many, bytes: Vec::with_capacity(BLOCK + 2) };
                    return;
                }
                if many && byte == STOP {
                    self.transfer = Transfer::None;
                    // Busy from the byte after the next on.
                    (self.busy, self.output) = (BUSY, [0xff].into());
                    return;
                }
            }
            _ => {}
        }
        if !self.command.is_empty() || byte & 0xc0 == 0x40 {
            self.command.push(byte);
        }
        if let Ok(command) = <[u8; 6]>::try_from(&self.command[..]) {
            self.command.clear();
            self.carry_out(command);
        }
    }

    /// A block with its check sum has come.
    fn store(&mut self, block: u32, many: bool, bytes: &[u8]) {
        let (bytes, sum) = bytes.split_at(BLOCK);
        let answer = if self.checks && crc16(bytes).to_be_bytes() != sum {
            REFUSED_CRC
        } else if block >= self.blocks {
            REFUSED
        } else {
            self.written.insert(block, bytes.into());
            ACCEPTED
        };
        self.output.push_back(answer);
        self.busy = if answer == ACCEPTED { BUSY } else { 0 };
        self.transfer = match many {
            true => Transfer::Expect { block: block.saturating_add(1), many },
            false => Transfer::None,
        };
    }

    fn carry_out(&mut self, bytes: [u8; 6]) {
        let [index, argument @ .., sum] = bytes;
        let (index, argument) = (index & 0x3f, u32::from_be_bytes(argument));
        // In SD mode, on the same pins, it understands nothing but the command that ends that.
        let is_right = sum == crc7(&bytes[..5]);
        if !self.is_spi && (index != 0 || !is_right) {
            return;
        }
        let is_application = std::mem::take(&mut self.is_application);
        self.output.clear();
        // The response comes a byte later. CMD12 ends what is sent, of which a byte is on its way.
        self.output.push_back(0xff);
        // Two commands are checked always.
        if (self.checks || matches!(index, 0 | 8)) && !is_right {
            self.respond(BAD_CRC, &[]);
            return;
        }
        let is_ready = self.sets_up == 0;
        match (index, is_application) {
            (0, _) => {
                (self.is_spi, self.sets_up, self.checks) = (true, ENQUIRIES, false);
                self.transfer = Transfer::None;
                self.respond(0, &[]);
            }
            (8, _) => {
                // 2.7 to 3.6 V are accepted.
                let voltage = if argument >> 8 & 15 == 1 { 1 } else { 0 };
                self.respond(0, &[0, 0, voltage, argument as u8]);
            }
            (41, true) => {
                // A host that knows no cards of high capacity is not answered.
                let knows = argument & 0x4000_0000 != 0;
                self.sets_up = self.sets_up.saturating_sub(u8::from(knows));
                self.respond(0, &[]);
            }
            (55, _) => {
                self.is_application = true;
                self.respond(0, &[]);
            }
            (58, _) => {
                let ready = if is_ready { 0xc0 } else { 0 };
                self.respond(0, &[ready, 0xff, 0x80, 0]);
            }
            (59, _) => {
                self.checks = argument & 1 != 0;
                self.respond(0, &[]);
            }
            _ if !is_ready => self.respond(ILLEGAL, &[]),
            (9, _) => {
                self.respond(0, &[]);
                let description = self.description();
                self.send_block(&description);
            }
            (10, _) => {
                self.respond(0, &[]);
                self.send_block(&identification());
            }
            (12, _) => {
                self.transfer = Transfer::None;
                self.respond(0, &[]);
            }
            (13, _) => self.respond(0, &[0]),
            // The length of blocks is fixed; a number of blocks to erase before a write changes nothing.
            (16, false) | (23, true) => self.respond(0, &[]),
            (17 | 18 | 24 | 25, false) if argument >= self.blocks => self.respond(PARAMETER, &[]),
            (17, false) => {
                self.respond(0, &[]);
                if let Some(bytes) = self.block(argument) {
                    self.send_block(&bytes);
                }
            }
            (18, false) => {
                self.respond(0, &[]);
                self.transfer = Transfer::Read(argument);
            }
            (24 | 25, false) => {
                self.respond(0, &[]);
                self.transfer = Transfer::Expect { block: argument, many: index == 25 };
            }
            _ => self.respond(ILLEGAL, &[]),
        }
    }

    /// R1, and what some responses have behind it.
    fn respond(&mut self, errors: u8, more: &[u8]) {
        let idle = if self.sets_up > 0 { IDLE } else { 0 };
        self.output.push_back(errors | idle);
        self.output.extend(more);
    }

    /// The register CSD, version 2.
    fn description(&self) -> [u8; 16] {
        let size = self.blocks / (GRAIN / BLOCK) as u32 - 1;
        let [_, high, middle, low] = size.to_be_bytes();
        let mut csd = [0x40, 0x0e, 0, 0x32, 0x5b, 0x59, 0, high, middle, low, 0x7f, 0x80, 0x0a, 0x40, 0, 0];
        csd[15] = crc7(&csd[..15]);
        csd
    }
}

/// The register CID: a card of no manufacturer, made in January 2026.
fn identification() -> [u8; 16] {
    let mut cid = *b"\0GZGPUZO\x10\0\0\0\x01\x01\xa1\0";
    cid[15] = crc7(&cid[..15]);
    cid
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A host that talks to a card.
    struct Host {
        card: SdCard,
        /// Commands get their check sums.
        sums: bool,
    }

    impl Host {
        fn new(image: &[u8]) -> Host {
            Host { card: SdCard::new(image.to_vec()), sums: true }
        }

        /// As far as hosts have to go before they can read.
        fn ready(image: &[u8]) -> Host {
            let mut host = Host::new(image);
            host.command(0, 0);
            while host.command(55, 0) == 1 && host.command(41, 0x4000_0000) == 1 {}
            host
        }

        fn bytes(&mut self, count: usize) -> Vec<u8> {
            (0..count).map(|_| self.card.exchange(0xff)).collect()
        }

        /// The first byte that is not $FF.
        fn next(&mut self) -> u8 {
            (0..20).map(|_| self.card.exchange(0xff)).find(|byte| *byte != 0xff).unwrap_or(0xff)
        }

        /// Sends a command as drivers do: deselects, selects, waits until the card is ready. Returns R1.
        fn command(&mut self, index: u8, argument: u32) -> u8 {
            self.card.select(false);
            self.card.exchange(0xff);
            self.card.select(true);
            while self.card.exchange(0xff) != 0xff {}
            self.again(index, argument)
        }

        /// The same with the card selected.
        fn again(&mut self, index: u8, argument: u32) -> u8 {
            let mut bytes = vec![0x40 | index];
            bytes.extend(argument.to_be_bytes());
            bytes.push(if self.sums { crc7(&bytes) } else { 1 });
            bytes.iter().for_each(|byte| {
                self.card.exchange(*byte);
            });
            self.next()
        }

        /// A block that the card sends.
        fn block(&mut self, length: usize) -> Vec<u8> {
            assert_eq!(self.next(), START);
            let bytes = self.bytes(length);
            assert_eq!(self.bytes(2), crc16(&bytes).to_be_bytes());
            bytes
        }

        /// Sends a block; returns the answer, and for how long the card is busy.
        fn send(&mut self, token: u8, bytes: &[u8], sum: u16) -> (u8, usize) {
            for byte in [token].iter().chain(bytes).chain(&sum.to_be_bytes()) {
                self.card.exchange(*byte);
            }
            (self.card.exchange(0xff), self.busy())
        }

        fn busy(&mut self) -> usize {
            (0..100).take_while(|_| self.card.exchange(0xff) == 0).count()
        }
    }

    fn image() -> Vec<u8> {
        (0..4 * BLOCK).map(|at| (at / BLOCK * 7 + at) as u8).collect()
    }

    /// Published values: CMD0 and CMD8 as every driver has them, and a block of $FF.
    #[test]
    fn check_sums() {
        assert_eq!(crc7(&[0x40, 0, 0, 0, 0]), 0x95);
        assert_eq!(crc7(&[0x48, 0, 0, 1, 0xaa]), 0x87);
        assert_eq!(crc16(&[0xff; 512]), 0x7fa1);
    }

    #[test]
    fn it_has_to_be_set_up() {
        let mut host = Host::new(&image());
        assert_eq!(host.command(13, 0), 0xff, "in SD mode");
        assert_eq!(host.command(0, 0), IDLE);
        assert_eq!((host.command(8, 0x1aa), host.bytes(4)), (IDLE, vec![0, 0, 1, 0xaa]));
        assert_eq!(host.command(17, 0), IDLE | ILLEGAL);
        assert_eq!((host.command(58, 0), host.bytes(1)), (IDLE, vec![0]));
        assert_eq!(host.command(41, 0x4000_0000), IDLE | ILLEGAL, "without CMD55");
        // A host that does not know such cards waits for ever, as with a real one.
        for _ in 0..5 {
            assert_eq!((host.command(55, 0), host.command(41, 0)), (IDLE, IDLE));
        }
        assert_eq!((host.command(55, 0), host.command(41, 0x4000_0000)), (IDLE, IDLE));
        assert_eq!((host.command(55, 0), host.command(41, 0x4000_0000)), (IDLE, 0));
        assert_eq!((host.command(58, 0), host.bytes(4)), (0, vec![0xc0, 0xff, 0x80, 0]));
        assert_eq!((host.command(13, 0), host.bytes(1)), (0, vec![0]));
        assert_eq!((host.command(16, 512), host.command(38, 0)), (0, ILLEGAL));
        assert_eq!(host.command(0, 0), IDLE);
    }

    #[test]
    fn blocks_are_read() {
        let mut host = Host::ready(&image());
        assert_eq!(host.command(17, 2), 0);
        assert_eq!(host.block(BLOCK), image()[2 * BLOCK..3 * BLOCK]);
        assert_eq!(host.bytes(3), [0xff; 3]);
        // The image is followed by zeros up to 512 KB.
        assert_eq!((host.command(17, 1023), host.block(BLOCK)), (0, vec![0; BLOCK]));
        assert_eq!(host.command(17, 1024), PARAMETER);
        // Several, until they are enough.
        assert_eq!(host.command(18, 1), 0);
        assert_eq!(host.block(BLOCK), image()[BLOCK..2 * BLOCK]);
        assert_eq!(host.block(BLOCK), image()[2 * BLOCK..3 * BLOCK]);
        host.bytes(100);
        assert_eq!(host.again(12, 0), 0);
        assert_eq!(host.bytes(50), [0xff; 50]);
        // Or until there are no more.
        assert_eq!(host.command(18, 1023), 0);
        host.block(BLOCK);
        assert_eq!((host.next(), host.bytes(2)), (OUT_OF_RANGE, vec![0xff; 2]));
    }

    #[test]
    fn blocks_are_written() {
        let mut host = Host::ready(&image());
        assert_eq!(host.command(24, 3), 0);
        assert_eq!(host.send(START, &[0xab; BLOCK], 0), (ACCEPTED, usize::from(BUSY)));
        assert_eq!((host.command(17, 3), host.block(BLOCK)), (0, vec![0xab; BLOCK]));
        assert_eq!(host.command(25, 1022), 0);
        assert_eq!(host.send(START_OF_MANY, &[1; BLOCK], 0), (ACCEPTED, usize::from(BUSY)));
        assert_eq!(host.send(START_OF_MANY, &[2; BLOCK], 0), (ACCEPTED, usize::from(BUSY)));
        assert_eq!(host.send(START_OF_MANY, &[3; BLOCK], 0), (REFUSED, 0), "there is no such block");
        host.card.exchange(STOP);
        assert_eq!((host.card.exchange(0xff), host.busy()), (0xff, usize::from(BUSY)));
        assert_eq!((host.command(17, 1023), host.block(BLOCK)), (0, vec![2; BLOCK]));
        assert_eq!(host.command(24, 1024), PARAMETER);
        let (written, count) = (host.card.image().unwrap(), host.card.writes());
        assert_eq!(
            (&written[..3 * BLOCK], &written[3 * BLOCK..4 * BLOCK]),
            (&image()[..3 * BLOCK], &[0xab; BLOCK][..])
        );
        assert_eq!((count, written.len()), (3, GRAIN));
    }

    #[test]
    fn check_sums_are_looked_at_where_a_host_wants_it() {
        let mut host = Host::ready(&image());
        host.sums = false;
        assert_eq!(host.command(13, 0), 0);
        assert_eq!(host.command(8, 0x1aa), BAD_CRC, "always");
        host.sums = true;
        assert_eq!(host.command(59, 1), 0);
        assert_eq!((host.command(24, 0), host.send(START, &[5; BLOCK], 0)), (0, (REFUSED_CRC, 0)));
        let right = crc16(&[5; BLOCK]);
        assert_eq!(host.command(24, 0), 0);
        assert_eq!(host.send(START, &[5; BLOCK], right), (ACCEPTED, usize::from(BUSY)));
        host.sums = false;
        assert_eq!(host.command(13, 0), BAD_CRC);
    }

    #[test]
    fn registers_say_what_it_is() {
        let mut host = Host::ready(&vec![0; 3 * GRAIN + BLOCK]);
        assert_eq!(host.command(9, 0), 0);
        let csd = host.block(16);
        assert_eq!((csd[0], &csd[7..10], csd[15]), (0x40, &[0, 0, 3][..], crc7(&csd[..15])));
        assert_eq!(host.command(10, 0), 0);
        let cid = host.block(16);
        assert_eq!((&cid[3..8], cid[15]), (&b"GPUZO"[..], crc7(&cid[..15])));
    }
}
