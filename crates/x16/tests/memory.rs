//! The KERNAL's routines for memory and its banks. What they leave in the registers r0 to r2 is what x16-rom 251608b leaves
//! (`kernal/memory.s`, `inc/jsrfar.inc`).

use crate::kernal::ran;
use crate::machine::{machine, program};
use gpuzoo_x16::{Config, Ending, Limits, X16};

const FILL: u16 = 0xfee4;
const COPY: u16 = 0xfee7;
const CRC: u16 = 0xfeea;

/// A machine in which something was done before it calls a routine with r0, r1 and r2, and 7 in A.
fn called(routine: u16, registers: [u16; 3], before: impl FnOnce(&mut X16)) -> X16 {
    let mut machine = machine(&format!("  lda #7\n  jsr {routine}\n  stp"));
    for (at, word) in [2, 4, 6].into_iter().zip(registers) {
        poke_word(&mut machine, at, word);
    }
    before(&mut machine);
    let ending = machine.run(&Limits::default());
    assert!(matches!(ending, Ending::Stopped { .. }), "{ending:?}");
    machine
}

fn poke_word(machine: &mut X16, at: u16, word: u16) {
    for (at, byte) in (at..).zip(word.to_le_bytes()) {
        machine.poke(at, byte);
    }
}

fn poke_all(machine: &mut X16, at: u16, bytes: &[u8]) {
    for (at, byte) in (at..).zip(bytes) {
        machine.poke(at, *byte);
    }
}

fn words(machine: &X16) -> [u16; 3] {
    [2, 4, 6].map(|at| u16::from_le_bytes([machine.peek(at), machine.peek(at + 1)]))
}

fn bytes(machine: &X16, at: u16, count: u16) -> Vec<u8> {
    (at..at + count).map(|at| machine.peek(at)).collect()
}

/// Port 0 of VERA at the start of its memory, moving on by one.
fn aim(machine: &mut X16) {
    for (register, value) in [(0, 0), (1, 0), (2, 0x10)] {
        machine.vera_mut().write(register, value);
    }
}

fn some(count: usize) -> Vec<u8> {
    (0..count).map(|at| (at * 7) as u8).collect()
}

#[test]
fn a_block_is_filled_and_nothing_else() {
    for (from, count) in [(0x3000, 0), (0x3000, 1), (0x30ff, 2), (0x30f0, 300), (0x3000, 0x200), (0xa0ff, 2)]
    {
        let machine = called(FILL, [from, count, 0x1234], |_| {});
        let filled: Vec<u8> = (0..count + 2).map(|at| if at % (count + 1) == 0 { 0 } else { 7 }).collect();
        assert_eq!(bytes(&machine, from - 1, count + 2), filled, "${from:04X} {count}");
        assert_eq!(words(&machine), [from, count, 0x1234]);
    }
    // To a port of VERA the address stays.
    let machine = called(FILL, [0x9f23, 300, 0], aim);
    assert!(machine.vera().vram()[..300].iter().all(|byte| *byte == 7));
    assert_eq!((machine.vera().vram()[300], words(&machine)), (0, [0x9f23, 300, 0]));
}

/// Both ways, overlapping by all but one byte, and over pages.
#[test]
fn a_block_is_copied_as_if_it_were_taken_up_at_once() {
    for count in [0, 1, 2, 255, 256, 257, 700] {
        for (from, to) in
            [(0x3001, 0x3000), (0x3000, 0x3001), (0x3000, 0x3000), (0x3100, 0x3000), (0x3000, 0x5080)]
        {
            let block = some(usize::from(count));
            let machine = called(COPY, [from, to, count], |machine| poke_all(machine, from, &block));
            let mut expected = vec![0; 0x3000];
            for at in [from, to] {
                expected[usize::from(at - 0x2f00)..][..block.len()].copy_from_slice(&block);
            }
            assert!(bytes(&machine, 0x2f00, 0x3000) == expected, "${from:04X} ${to:04X} {count}");
            assert_eq!(words(&machine), [from, to, count]);
        }
    }
}

#[test]
fn blocks_are_copied_to_and_from_ports() {
    let block = some(300);
    let to = called(COPY, [0x3000, 0x9f23, 300], |machine| {
        aim(machine);
        poke_all(machine, 0x3000, &block);
    });
    assert_eq!((&to.vera().vram()[..300], to.vera().vram()[300]), (&block[..], 0));
    assert_eq!(words(&to), [0x3000, 0x9f23, 300]);
    let fill = |machine: &mut X16| {
        machine.vera_mut().vram_mut()[..300].copy_from_slice(&block);
        aim(machine);
    };
    let from = called(COPY, [0x9f23, 0xa000, 300], fill);
    assert_eq!((bytes(&from, 0xa000, 300), from.peek(0xa000 + 300)), (block.clone(), 0));
    // From one port to the other.
    let between = called(COPY, [0x9f23, 0x9f24, 300], |machine| {
        for (register, value) in [(5, 1), (0, 0), (1, 0x40), (2, 0x10), (5, 0)] {
            machine.vera_mut().write(register, value);
        }
        fill(machine);
    });
    assert_eq!(between.vera().vram()[0x4000..0x4000 + 300], block);
}

/// CRC-16/IBM-3740: its check value, that of `123456789`, is $29B1, and $FFFF where there is nothing; the others are those of Python's
/// `binascii.crc_hqx(bytes, 0xffff)`.
#[test]
fn the_sum_of_a_block() {
    for (block, sum) in [
        (b"123456789".to_vec(), 0x29b1),
        (Vec::new(), 0xffff),
        (b"A".to_vec(), 0xb915),
        (vec![0x55; 9], 0xf1d9),
        (some(600), 0x7f81),
    ] {
        let count = block.len() as u16;
        let machine = called(CRC, [0x3080, count, 0x1234], |machine| poke_all(machine, 0x3080, &block));
        // The KERNAL counts in r1.
        assert_eq!(words(&machine), [0x3080, 0, sum], "{count}");
        let port = called(CRC, [0x9f23, count, 0], |machine| {
            machine.vera_mut().vram_mut()[..block.len()].copy_from_slice(&block);
            aim(machine);
        });
        assert_eq!(words(&port), [0x9f23, count & 0xff, sum], "{count} from a port");
    }
}

/// STASH and FETCH reach the ends of a bank, and RAM below; the bank is as before. FETCH tells of its byte as LDA does.
#[test]
fn bytes_of_other_banks() {
    for (at, byte, flags) in
        [(0xa000u16, 0x77, 0), (0xbfff, 0x80, 0x80), (0xb123, 0, 2), (0x0400, 0x01, 0), (0x9eff, 0xff, 0x80)]
    {
        let [low, high] = (at - 2).to_le_bytes();
        let mut machine = ran(&format!(
            "  lda #5\n  sta 0\n  lda #{low}\n  sta $22\n  lda #{high}\n  sta $23\n  lda #$22\n  sta $03b2\n  lda #{byte}\n  ldx #9\n  ldy #2\n  \
             jsr $ff77\n  lda #$22\n  ldx #9\n  ldy #2\n  jsr $ff74\n  sta $25\n  php\n  pla\n  sta $24\n  stp"
        ));
        assert_eq!([0x24, 0x25, 0].map(|at| machine.peek(at)), [0x30 | flags, byte, 5], "${at:04X}");
        machine.poke(0, 9);
        assert_eq!(machine.peek(at), byte);
        machine.poke(0, 5);
        assert_eq!(machine.peek(at), if at < 0xa000 { byte } else { 0 }, "${at:04X}: only in bank 9");
    }
}

/// What a routine of these tests does: it keeps A, X, Y and the bank from $30 on, and returns with 9, 8, 7 and carry.
const ROUTINE: [u8; 18] =
    [0x85, 0x30, 0x86, 0x31, 0x84, 0x32, 0xa5, 0x00, 0x85, 0x33, 0xa9, 9, 0xa2, 8, 0xa0, 7, 0x38, 0x60];

/// Below the ROM the bank is one of RAM, also for what is below the banks.
#[test]
fn far_routines_are_called_in_their_bank() {
    for at in [0x0400u16, 0x1fff, 0x9e00, 0xa000, 0xa001, 0xafff, 0xc000 - ROUTINE.len() as u16] {
        for bank in [3u8, 63, 1, 0] {
            let text = format!(
                "  lda #$12\n  ldx #$34\n  ldy #$56\n  clc\n  jsr $ff6e\n  .word {at}\n  .byte {bank}\n  sta $34\n  stx $35\n  sty $36\n  lda #0\n  rol\n  sta \
                 $37\n  lda 0\n  sta $38\n  stp"
            );
            let mut machine = machine(&text);
            let s = machine.cpu().s;
            machine.poke(0, bank);
            poke_all(&mut machine, at, &ROUTINE);
            machine.poke(0, 7);
            assert!(matches!(machine.run(&Limits::default()), Ending::Stopped { .. }), "${at:04X} {bank}");
            assert_eq!(bytes(&machine, 0x30, 9), [0x12, 0x34, 0x56, bank, 9, 8, 7, 1, 7], "${at:04X} {bank}");
            assert_eq!(machine.cpu().s, s);
        }
    }
}

#[test]
fn far_routines_of_the_rom_are_those_of_bank_0() {
    let call = |at: u16, bank: u8| {
        let mut machine = machine(&format!(
            "  lda #5\n  sta 0\n  lda #$41\n  jsr $ff6e\n  .word {at}\n  .byte {bank}\n  stp"
        ));
        let ending = machine.run(&Limits::default());
        (ending, machine)
    };
    let (ending, machine) = call(0xffd2, 0);
    assert!(matches!(ending, Ending::Stopped { .. }), "{ending:?}");
    assert_eq!((machine.output(), machine.peek(0)), ("A", 5));
    // $C000 of another bank; the call is behind LDA, STA, LDA.
    for at in [0xc000, 0xffd2] {
        assert_eq!(call(at, 4).0, Ending::RomCall { address: at, pc: 0x0807 });
    }
}

#[test]
fn memory_has_ends() {
    let asked = |routine: u16, banks: usize, before: &str| {
        let text = format!("{before}  lda #0\n  sec\n  jsr {routine}\n  stp");
        let mut machine = X16::new(Config { ram_banks: banks, ..Config::default() }).unwrap();
        machine.load_prg(&program(&text).0.prg().unwrap()).unwrap();
        machine.run(&Limits::default());
        let cpu = machine.cpu();
        (cpu.a, u16::from_le_bytes([cpu.x, cpu.y]))
    };
    // MEMTOP tells the number of banks, of which 256 is 0, too; MEMBOT does not touch A.
    for banks in [1, 64, 256] {
        assert_eq!(asked(0xff99, banks, ""), (banks as u8, 0x9f00));
    }
    assert_eq!(asked(0xff9c, 64, ""), (0, 0x0800));
    // Both are set with C clear.
    let set = |routine: u16| format!("  ldx #$34\n  ldy #$12\n  clc\n  jsr {routine}\n");
    assert_eq!(asked(0xff99, 64, &set(0xff99)), (64, 0x1234));
    assert_eq!((asked(0xff9c, 64, &set(0xff9c)), asked(0xff99, 64, &set(0xff9c)).1), ((0, 0x1234), 0x9f00));
    // What is set is not told: A stays.
    assert_eq!(ran("  lda #5\n  ldx #0\n  ldy #$9f\n  clc\n  jsr $ff99\n  stp").cpu().a, 5);
    let base = ran("  jsr $fff3\n  stp");
    assert_eq!((base.cpu().x, base.cpu().y), (0, 0x9f));
}
