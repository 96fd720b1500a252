//! MEMORY_DECOMPRESS: blocks of LZSA2, written here by the format's description, and what comes of them in RAM and in video memory.

use crate::machine::machine;
use gpuzoo_isa::numbers;
use gpuzoo_x16::{Ending, Limits, X16};

/// A command: literals, how far back its match begins (none for as far as the one before), and how long it is.
type Command = (Vec<u8>, Option<u16>, u16);

/// Writes a raw block.
#[derive(Default)]
struct Block {
    bytes: Vec<u8>,
    /// The byte whose low nibble is free.
    half: Option<usize>,
}

impl Block {
    fn nibble(&mut self, nibble: u16) {
        match self.half.take() {
            Some(at) => self.bytes[at] |= nibble as u8,
            None => {
                self.half = Some(self.bytes.len());
                self.bytes.push((nibble << 4) as u8);
            }
        }
    }

    /// What of a length is not in the token, which says `most` at most.
    fn length(&mut self, length: u16, most: u16) {
        match length.checked_sub(most) {
            None => {}
            Some(more @ 0..15) => self.nibble(more),
            Some(more) => {
                self.nibble(15);
                match more - 15 {
                    _ if length > 255 => {
                        self.bytes.push((257 - 15 - most) as u8);
                        self.bytes.extend(length.to_le_bytes());
                    }
                    rest => self.bytes.push(rest as u8),
                }
            }
        }
    }

    fn command(&mut self, (literals, back, length): &Command) {
        let count = literals.len() as u16;
        let offset = back.map(u16::wrapping_neg);
        let z = |bit: u32| u8::from(offset.is_some_and(|offset| offset >> bit & 1 == 0)) << 5;
        let kind = match back {
            None => 0xe0,
            Some(..=32) => z(0),
            Some(..=512) => 0x40 | z(8),
            Some(..=8704) => {
                0x80 | u8::from(offset.is_some_and(|offset| offset.wrapping_add(512) >> 8 & 1 == 0)) << 5
            }
            Some(_) => 0xc0,
        };
        self.bytes.push(kind | (count.min(3) as u8) << 3 | (length - 2).min(7) as u8);
        self.length(count, 3);
        self.bytes.extend(literals);
        match (back, offset) {
            (Some(..=32), Some(offset)) => self.nibble(offset >> 1 & 15),
            (Some(..=512), Some(offset)) => self.bytes.push(offset as u8),
            (Some(..=8704), Some(offset)) => {
                let offset = offset.wrapping_add(512);
                self.nibble(offset >> 9 & 15);
                self.bytes.push(offset as u8);
            }
            (_, Some(offset)) => self.bytes.extend(offset.to_be_bytes()),
            _ => {}
        }
        self.length(*length, 9);
    }

    /// The last command: a match of nine bits, and the length that is the end.
    fn end(mut self, literals: &[u8]) -> Vec<u8> {
        self.bytes.push(0x40 | (literals.len().min(3) as u8) << 3 | 7);
        self.length(literals.len() as u16, 3);
        self.bytes.extend(literals);
        self.bytes.push(0);
        self.nibble(15);
        self.bytes.push(232);
        self.bytes
    }
}

/// What commands come to.
fn written(commands: &[Command], last: &[u8]) -> Vec<u8> {
    let (mut all, mut distance) = (Vec::new(), 0);
    for (literals, back, length) in commands {
        all.extend(literals);
        distance = back.unwrap_or(distance);
        for _ in 0..*length {
            all.push(all[all.len() - usize::from(distance)]);
        }
    }
    all.extend(last);
    all
}

/// Commands with lengths and distances on both sides of every limit.
fn any(seed: u64) -> (Vec<Command>, Vec<u8>) {
    let mut number = numbers(seed);
    let mut below = move |count: u32| number(count) as u16;
    let (mut commands, mut size) = (Vec::<Command>::new(), 0);
    while size < 12_000 {
        let lengths = [0, 1, 2, 3, 4, 17, 18, 19, 255, 256, 257, 300];
        let mut count = lengths[usize::from(below(lengths.len() as u32))];
        if commands.is_empty() {
            count += 1;
        }
        let literals: Vec<u8> = (0..count).map(|_| below(256) as u8).collect();
        size += count;
        let distances = [1, 2, 31, 32, 33, 511, 512, 513, 1023, 8191, 8703, 8704, 8705, size];
        let back = distances[usize::from(below(distances.len() as u32))].min(size);
        let back = (commands.is_empty() || below(4) != 0).then_some(back);
        let lengths = [2, 3, 8, 9, 10, 23, 24, 25, 254, 255, 256, 257, 700];
        let length = lengths[usize::from(below(lengths.len() as u32))];
        size += length;
        commands.push((literals, back, length));
    }
    (commands, (0..below(40)).map(|at| at as u8).collect())
}

/// A machine that has decompressed a block to an address; to DATA0 from video memory's start on.
fn decompressed(block: &[u8], to: u16) -> X16 {
    let text = format!(
        "  stz $9f25\n  stz $9f20\n  stz $9f21\n  lda #$10\n  sta $9f22\n  stz 2\n  lda #$50\n  sta 3\n  lda #<{to}\n  sta 4\n  \
         lda #>{to}\n  sta 5\n  lda #1\n  sta $9f25\n  lda #$34\n  sta $9f20\n  jsr $feed\n  stp"
    );
    let mut machine = machine(&text);
    for (at, byte) in (0x5000..).zip(block) {
        machine.poke(at, *byte);
    }
    assert!(matches!(machine.run(&Limits::default()), Ending::Stopped { .. }));
    machine
}

fn word(machine: &X16, at: u16) -> usize {
    u16::from_le_bytes([machine.peek(at), machine.peek(at + 1)]).into()
}

#[test]
fn blocks_are_what_was_put_into_them() {
    for seed in 0..40 {
        let (commands, last) = any(seed);
        let expected = written(&commands, &last);
        let mut block = Block::default();
        commands.iter().for_each(|command| block.command(command));
        let block = block.end(&last);
        assert!(block.len() < 0x4e00 && expected.len() < 0x4000, "{} {}", block.len(), expected.len());
        let machine = decompressed(&block, 0x1000);
        let ram: Vec<u8> = (0x1000..).take(expected.len()).map(|at| machine.peek(at)).collect();
        assert!(ram == expected, "{seed}");
        // Behind the last bytes of both.
        assert_eq!((word(&machine, 2), word(&machine, 4)), (0x5000 + block.len(), 0x1000 + expected.len()));
        let machine = decompressed(&block, 0x9f23);
        assert!(machine.vera().vram()[..expected.len()] == expected, "{seed}");
        assert_eq!((word(&machine, 2), word(&machine, 4)), (0x5000 + block.len(), 0x9f23));
        // The other port is as it was, and chosen as it was.
        assert_eq!((machine.peek(0x9f25), machine.peek(0x9f20)), (1, 0x34));
    }
}

/// By hand, from the description: `aaaa` and `bcb` are a literal and a match of 3, two literals and a match of 2 of which only `b` is told apart.
#[test]
fn a_block_by_hand() {
    // Token 00Z 01 001: one literal, 5 bits, length 3. Offset -1 is all ones: nibble 15, and Z the other way round, 0.
    // Token 00Z 10 000: two literals, length 2, offset -2: bit 0 is 0, so Z is 1; the nibble is the low one of the byte before.
    // The end: 01Z 00 111, an offset of 9 bits, nibble 15, 232.
    let block = [0x09, b'a', 0xff, 0x30, b'b', b'c', 0x47, 0x00, 0xf0, 0xe8];
    let machine = decompressed(&block, 0x1000);
    let text: Vec<u8> = (0x1000..0x1009).map(|at| machine.peek(at)).collect();
    assert_eq!(text, b"aaaabcbc\0");
}

/// What the tool lzsa 1.4.1 writes (`lzsa -r -f2`) for this text.
#[test]
fn a_block_of_lzsa() {
    #[rustfmt::skip]
    let block = [
        0x19, 0xf0, 0x0e, 0x54, 0x68, 0x65, 0x20, 0x71, 0x75, 0x69, 0x63, 0x6b, 0x20, 0x62, 0x72, 0x6f, 0x77, 0x6e, 0x20, 0x66,
        0x6f, 0x78, 0x20, 0x6a, 0x75, 0x6d, 0x70, 0x73, 0x20, 0x6f, 0x76, 0x65, 0x72, 0x20, 0x74, 0x5f, 0x7b, 0x6c, 0x61, 0x7a,
        0x79, 0x20, 0x64, 0x6f, 0x67, 0x2e, 0x20, 0xd3, 0xff, 0x5f, 0x73, 0x6c, 0x65, 0x65, 0x70, 0x73, 0x2e, 0x0a, 0xe8,
    ];
    let expected = b"The quick brown fox jumps over the lazy dog. The quick brown fox sleeps.\n";
    let machine = decompressed(&block, 0x1000);
    let text: Vec<u8> = (0x1000..).take(expected.len()).map(|at| machine.peek(at)).collect();
    assert_eq!(text, expected);
    assert_eq!(word(&machine, 4), 0x1000 + expected.len());
}

/// Bytes that are no block end, too.
#[test]
fn what_is_no_block_comes_to_an_end() {
    let mut number = numbers(5);
    for to in [0x1000, 0x9f23, 0xa000] {
        for _ in 0..20 {
            let bytes: Vec<u8> = (0..0x4000).map(|_| number(0x100) as u8).collect();
            let mut machine = machine(&format!(
                "  stz 2\n  lda #$50\n  sta 3\n  lda #<{to}\n  sta 4\n  lda #>{to}\n  sta 5\n  jsr $feed\n  stp"
            ));
            for (at, byte) in (0x5000..).zip(bytes) {
                machine.poke(at, byte);
            }
            machine.run(&Limits::cycles(1000));
        }
    }
}
