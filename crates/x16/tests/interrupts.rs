//! What the KERNAL's interrupt handler leaves as it was, and what it does: the registers, the bank of RAM, VERA's registers, and the
//! cursor's blinking.

use crate::machine::machine;
use gpuzoo_vera::Item;
use gpuzoo_x16::{Ending, Input, Limits, X16};

fn state(machine: &X16, name: &str) -> u32 {
    (Item::find(name).expect("a state").get)(machine.vera())
}

/// How often a handler was there when IOINIT has returned, which enables VSYNC and nothing else (`ioinit` of x16-rom 251608b). Before it, IEN is as
/// told, and a bit of ISR is awaited.
fn served_after_ioinit(enabled: u8, awaited: u8) -> u8 {
    let mut machine = machine(&format!(
        "  sei\n  lda #<h\n  sta $0314\n  lda #>h\n  sta $0315\n  lda #{enabled}\n  sta IEN\n  lda #10\n  sta IRQLINE_L\n\
         w: lda ISR\n  and #{awaited}\n  beq w\n  jsr $ff84\n  cli\n  nop\n  nop\n  lda $22\n  sta $23\n  stp\n\
         h: inc $22\n  lda #3\n  sta ISR\n  ply\n  plx\n  pla\n  rti"
    ));
    let ending = machine.run(&Limits::frames(2));
    assert!(matches!(ending, Ending::Stopped { .. }), "{ending:?}");
    machine.peek(0x23)
}

#[test]
fn a_vsync_that_waits_is_served_after_ioinit() {
    assert_eq!(served_after_ioinit(0, 1), 1);
}

#[test]
fn a_line_that_waits_is_not_served_after_ioinit() {
    assert_eq!(served_after_ioinit(2, 2), 0);
}

/// The handler of keys at $032E has bank 0, and the program its own bank again.
#[test]
fn the_bank_of_ram_is_kept() {
    for bank in [0, 1, 2, 7, 63] {
        let text = format!(
            "  lda #<h\n  sta $032e\n  lda #>h\n  sta $032f\n  lda #{bank}\n  sta 0\nn: jsr $ffe4\n  beq n\n  sta $22\n  lda 0\n  sta $23\n  stp\n\
             h: ldx 0\n  stx $24\n  rts"
        );
        let mut machine = machine(&text);
        machine.poke(0x24, 0xff);
        machine.give(&Input::read("3 press A").unwrap());
        let ending = machine.run(&Limits::frames(20));
        assert!(matches!(ending, Ending::Stopped { .. }), "{bank}: {ending:?}");
        assert_eq!([0x22, 0x23, 0x24].map(|at| machine.peek(at)), [b'A', bank, 0]);
    }
}

/// A program that counts in all registers at once, through VSYNC and keys.
#[test]
fn the_registers_are_kept() {
    let text = "  lda #0\n  tax\n  tay\n  clc\nl: inc\n  inx\n  iny\n  sta $22\n  cpx $22\n  bne no\n  cpy $22\n  bne no\n  sed\n  cld\n  bra l\n\
                no: stp";
    let mut machine = machine(text);
    machine.give(&Input::read("3 keys HELLO, YOU").unwrap());
    assert!(matches!(machine.run(&Limits::frames(30)), Ending::Frames { .. }));
    assert!(machine.vera().frames() >= 30);
}

/// The cursor is drawn in the middle of what the program does with VERA: `screen_save_state` of x16-rom 251608b keeps CTRL with DCSEL and
/// ADDRSEL, FX_CTRL, and the address of port 0; it has FX off meanwhile.
#[test]
fn registers_of_vera_are_kept() {
    // FX with cache writes, 4-bit mode and polygons would draw something else than a cursor.
    for (fx, control, hstart) in [
        (0xe6, 2 << 1, 0),
        (0x46, 2 << 1 | 1, 3),
        (0x80, 1 << 1, 7),
        (0x64, 0, 5),
        (0x03, 3 << 1, 0x20),
        (0, 1, 0),
    ] {
        let text = format!(
            "  sei\n  lda #4\n  sta $9f25\n  lda #{fx}\n  sta $9f29\n  lda #2\n  sta $9f25\n  lda #{hstart}\n  sta $9f29\n\
             \x20 lda #1\n  sta $9f25\n  lda #$34\n  sta $9f20\n  lda #$12\n  sta $9f21\n  lda #$20\n  sta $9f22\n\
             \x20 stz $9f25\n  lda #$78\n  sta $9f20\n  lda #$56\n  sta $9f21\n  lda #$11\n  sta $9f22\n  lda #{control}\n  sta $9f25\n\
             \x20 lda #1\n  sta $037c\n  stz $037b\n  cli\nl: bra l"
        );
        let mut machine = machine(&text);
        machine.run(&Limits::cycles(500));
        let names = [
            "ADDR0",
            "ADDR1",
            "ADDR0_H",
            "ADDR1_H",
            "ADDRSEL",
            "DCSEL",
            "DC_VIDEO",
            "DC_HSTART",
            "DC_HSTOP",
            "FX_CTRL",
        ];
        let before = names.map(|name| state(&machine, name));
        assert_eq!(before[..2], [0x1_5678, 0x1234]);
        assert_eq!((before[7], before[9]), (4 * hstart, fx));
        machine.run(&Limits::frames(3));
        assert_eq!(
            machine.vera().vram()[0x1_b000..0x1_b004],
            [0xa0, 0x61, 0x20, 0x61],
            "{fx:02x}: the cursor"
        );
        assert_eq!(names.map(|name| state(&machine, name)), before, "{fx:02x} {control:02x}");
    }
}

/// The first cell of the screen after each of so many frames.
fn seen(machine: &mut X16, frames: usize) -> Vec<[u8; 2]> {
    let next = |_| {
        machine.run(&Limits::frames(1));
        let cell = &machine.vera().vram()[0x1_b000..];
        [cell[0], cell[1]]
    };
    (0..frames).map(next).collect()
}

/// How often each value follows in a row.
fn runs(cells: &[[u8; 2]]) -> Vec<([u8; 2], usize)> {
    cells.chunk_by(|one, next| one == next).map(|run| (run[0], run.len())).collect()
}

/// As `cursor_blink` has it: a counter of frames at $037C, 20 between changes; the character is reversed, or $9F in ISO mode, in the colour
/// of what is printed, and what was there comes back.
#[test]
fn the_cursor_blinks_while_a_line_is_awaited() {
    // An A in red, the cursor back on it, and white again.
    let text = |mode: &str| {
        format!(
            "{mode}  lda #$1c\n  jsr $ffd2\n  lda #'a'\n  jsr $ffd2\n  lda #$9d\n  jsr $ffd2\n  lda #$05\n  jsr $ffd2\n  lda #5\n  sta $037c\n\
             \x20 lda #9\n  sta $0374\n  jsr $ffcf\n  stp"
        )
    };
    for (mode, letter, cursor) in [("", 1, 0x81), ("  lda #$0f\n  jsr $ffd2\n", 0x41, 0x9f)] {
        let mut machine = machine(&text(mode));
        machine.run(&Limits::cycles(3000));
        // No key has come: $037B, whether the cursor is off, and $0374, what was typed, are 0.
        assert_eq!([0x037b, 0x0374, 0x037c, 0x037e].map(|at| machine.peek(at)), [0, 0, 5, 0]);
        let cells = seen(&mut machine, 70);
        let (letter, cursor) = ([letter, 0x62], [cursor, 0x61]);
        // A frame ends before its interrupt.
        assert_eq!(runs(&cells), [(letter, 5), (cursor, 20), (letter, 20), (cursor, 20), (letter, 5)]);
        // A key that is typed takes it off.
        machine.run(&Limits::frames(16));
        assert_eq!((machine.peek(0x037e), machine.vera().vram()[0x1_b000]), (1, cursor[0]));
        machine.give(&Input::read("0 press RIGHT").unwrap());
        machine.run(&Limits::frames(3));
        assert_eq!(machine.vera().vram()[0x1_b000..0x1_b002], letter);
    }
    // Nobody asks: none.
    let mut silent = machine("l: bra l");
    assert_eq!(runs(&seen(&mut silent, 50)), [([0x20, 0x61], 50)]);
    assert_eq!(silent.peek(0x037b), 12);
}
