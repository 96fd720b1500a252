//! What stands in for the Commander's ROM: text, keys, controllers, the mouse, time, and what goes on after a program.

use crate::machine::machine;
use gpuzoo_x16::{Config, Date, Ending, Input, Limits, X16};
use proptest::prelude::*;

/// Runs to the end; the machine.
pub fn ran(text: &str) -> X16 {
    let mut machine = machine(text);
    let ending = machine.run(&Limits::default());
    assert!(matches!(ending, Ending::Returned | Ending::Stopped { .. }), "{ending:?} of {text}");
    machine
}

/// Characters of a line of the screen from column 0 on, as screen codes.
pub fn line(machine: &X16, line: usize, length: usize) -> Vec<u8> {
    (0..length).map(|column| machine.vera().vram()[0x1_b000 + 256 * line + 2 * column]).collect()
}

/// Letters as screen codes.
pub fn codes(text: &str) -> Vec<u8> {
    text.bytes().map(|byte| if byte >= 0x40 { byte - 0x40 } else { byte }).collect()
}

/// A program that prints bytes.
pub fn printing(before: &str, bytes: &[u8]) -> X16 {
    let bytes: Vec<String> = bytes.iter().map(u8::to_string).collect();
    ran(&format!(
        "{before}\n  lda #<text\n  sta $22\n  lda #>text\n  sta $23\nl: lda ($22)\n  cmp #255\n  beq done\n  jsr $ffd2\n  inc $22\n  bne l\n  \
         inc $23\n  bra l\ndone: stp\ntext: .byte {}, 255",
        bytes.join(", ")
    ))
}

/// The registers that the KERNAL of x16-rom 251608b leaves, as `run --state` shows them with its ROM.
#[test]
fn the_screen_is_as_the_kernal_leaves_it() {
    let machine = ran("  stp");
    let vera = machine.vera();
    assert_eq!([0x05, 0x06, 0x09, 0x0a, 0x0b, 0x0c].map(|at| vera.peek(at)), [0, 1, 0x21, 128, 128, 0]);
    assert_eq!((0x14..0x1b).map(|at| vera.peek(at)).collect::<Vec<_>>(), [0x60, 0xd8, 0xf8, 0, 0, 0, 0]);
    assert_eq!((0x0d..0x14).map(|at| vera.peek(at)).collect::<Vec<_>>(), [0; 7]);
    let mut window = vera.clone();
    window.write(0x05, 2);
    assert_eq!([0x09, 0x0a, 0x0b, 0x0c].map(|at| window.peek(at)), [0, 160, 0, 240]);
    for row in 0..60 {
        let row = &vera.vram()[0x1_b000 + 256 * row..][..160];
        assert!(row.chunks(2).all(|cell| cell == [0x20, 0x61]));
    }
    // The palette can be read back, and no sprite is shown.
    assert_eq!(vera.vram()[0x1_fa00..0x1_fa06], [0, 0, 0xff, 0x0f, 0, 0x08]);
    assert!(vera.vram()[0x1_fc00..].iter().all(|byte| *byte == 0));
    assert!(vera.vram()[0x1_f000 + 8..0x1_f000 + 16].iter().any(|row| *row != 0), "an A");
}

/// Letters from $c0 on are those from $60 on, and from $e0 on the signs from $a0 on.
#[test]
fn codes_of_petscii_that_mean_the_same() {
    let shown = |bytes: &[u8]| line(&printing("", bytes), 0, 4);
    assert_eq!(shown(&[0xc0, 0xc1, 0xda, 0xdf]), [0x40, 0x41, 0x5a, 0x5f]);
    assert_eq!(shown(&[0xc0, 0xc1, 0xda, 0xdf]), shown(&[0x60, 0x61, 0x7a, 0x7f]));
    assert_eq!(shown(&[0xe0, 0xe1, 0xf0, 0xfe]), shown(&[0xa0, 0xa1, 0xb0, 0xbe]));
}

#[test]
fn cint_makes_the_screen_anew() {
    let seen = |text: &str| {
        let machine = ran(text);
        let mut window = machine.vera().clone();
        window.write(0x05, 2);
        let registers =
            [machine.vera(), &window].map(|vera| (0x05..0x1b).map(|at| vera.peek(at)).collect::<Vec<_>>());
        let editor: Vec<u8> = (0x0372..0x0388).map(|at| machine.peek(at)).collect();
        (registers, machine.vera().vram()[0x1_b000..].to_vec(), editor)
    };
    // Another mode, palette and set of characters; a red A; no output, and layer 1 at another place.
    let before = "  lda #7\n  clc\n  jsr $ff5f\n  lda #$0e\n  jsr $ffd2\n  lda #$1c\n  jsr $ffd2\n  lda #$41\n  jsr $ffd2\n  stz $9f29\n  \
                  stz $9f35\n  stz $9f20\n  lda #$fa\n  sta $9f21\n  lda #$11\n  sta $9f22\n  sta $9f23\n";
    let (start, again) = (seen("  stp"), seen(&format!("{before}  jsr $ff81\n  stp")));
    assert_eq!((&again.0, &again.2), (&start.0, &start.2));
    assert!(again.1 == start.1 && seen(&format!("{before}  stp")).1 != start.1, "video memory");
}

/// No part of `cint` in x16-rom 251608b looks at the buffer of keys.
#[test]
fn cint_leaves_what_was_typed() {
    let machine = ran("  lda #$41\n  jsr $fec3\n  jsr $ff81\n  jsr $ffe4\n  sta $22\n  stp");
    assert_eq!(machine.peek(0x22), 0x41);
}

#[test]
fn text_wraps_scrolls_and_is_cleared() {
    let machine = printing("", &[b"A".repeat(81), vec![13, 0x42]].concat());
    assert_eq!((line(&machine, 0, 80), line(&machine, 1, 2)), (vec![1; 80], codes("A ")));
    assert_eq!(line(&machine, 2, 1), [2]);
    // Sixty returns move the first line off.
    let machine = printing("", &[b"FIRST".to_vec(), vec![13; 60], b"LAST".to_vec()].concat());
    assert_eq!((line(&machine, 0, 5), line(&machine, 59, 4)), (codes("     "), codes("LAST")));
    let machine = printing("", b"GONE\x93NEW");
    assert_eq!(line(&machine, 0, 4), codes("NEW "));
}

/// Colours, reverse, cursor, insertion: as with the ROM, with which random texts were compared.
#[test]
fn control_codes_do_what_they_say() {
    let cell = |machine: &X16, column: usize| {
        let at = 0x1_b000 + 2 * column;
        [machine.vera().vram()[at], machine.vera().vram()[at + 1]]
    };
    let machine = printing("", b"\x1cA\x9eB\x01C\x12D\x92E");
    assert_eq!(
        (0..5).map(|at| cell(&machine, at)).collect::<Vec<_>>(),
        [[1, 0x62], [2, 0x67], [3, 0x76], [0x84, 0x76], [5, 0x76]]
    );
    // Back by two and over; DELETE takes the one before; INSERT makes room.
    assert_eq!(line(&printing("", b"ABCD\x9d\x9dX"), 0, 4), codes("ABXD"));
    assert_eq!(line(&printing("", b"ABCD\x9d\x14"), 0, 4), codes("ABD "));
    assert_eq!(line(&printing("", b"ABCD\x9d\x9d\x94X"), 0, 5), codes("ABXCD"));
    // Between quotation marks codes are printed; RETURN ends that.
    assert_eq!(line(&printing("", b"\"\x1c\""), 0, 3), [0x22, 0x9c, 0x22]);
    // In ISO mode characters are their codes.
    assert_eq!(line(&printing("", b"\x0fAz\xe4"), 0, 3), [0x41, 0x7a, 0xe4]);
    // Small letters are another set, and the same codes.
    let small = printing("", b"\x0eAa");
    assert_eq!(line(&small, 0, 2), [1, 0x41]);
    assert_ne!(small.vera().vram()[0x1_f008..0x1_f010], machine.vera().vram()[0x1_f008..0x1_f010]);
}

/// What 240 random texts showed that differed from the Commander's KERNAL.
#[test]
fn reversed_verbatim_and_quoted_letters() {
    assert_eq!(line(&printing("", b"\x12\x0fx\xe4"), 0, 2), [0xf8, 0xe4], "reversed in ISO mode: bit 7");
    assert_eq!(
        line(&printing("", b"\x12\x80AB\x80\x1cC"), 0, 4),
        [0x81, 2, 0x9c, 3],
        "$80 ends the reversal"
    );
    assert_eq!(line(&printing("", b"\"\x80A\x1cB"), 0, 4), [0x22, 1, 2, 0x20], "and the quotation");
    // Where room was made for more than the quotation mark, it means nothing.
    let machine = printing("", b"AB\x9d\x9d\x94\x94\"X\x1cC");
    assert_eq!((line(&machine, 0, 4), machine.vera().vram()[0x1_b005]), (vec![0x22, 0x18, 3, 2], 0x62));
}

/// PLOT goes wherever it is told to. What 180 random programs showed with the ROM of x16-rom 251608b: columns count on in the lines below, and what is
/// printed beyond the logical line leads to the start of the screen's line.
#[test]
fn places_outside_the_screen() {
    let at = |place: (u8, u8), bytes: &[u8]| {
        let (line, column) = place;
        let machine = printing(&format!("  ldx #{line}\n  ldy #{column}\n  clc\n  jsr $fff0"), bytes);
        let cursor = [0x0383, 0x0380].map(|at| machine.peek(at));
        (machine, cursor)
    };
    let (machine, cursor) = at((5, 81), b"A");
    assert_eq!((line(&machine, 6, 3), cursor), (vec![0x20, 1, 0x20], [5, 0]));
    // At the right edge of a line below, the cursor goes on to the next.
    let (machine, cursor) = at((5, 159), b"AB");
    assert_eq!((line(&machine, 6, 80)[79], line(&machine, 6, 1), cursor), (1, vec![2], [6, 1]));
    assert_eq!(at((5, 81), b"\x1d").1, [5, 0], "to the right");
    assert_eq!(at((5, 81), b"\x9d").1, [5, 80], "to the left");
    assert_eq!(at((5, 80), b"\x9d").1, [4, 79], "over an edge");
    assert_eq!(at((5, 200), b"\x11").1, [6, 24], "down: 280 is 24 in a byte");
    assert_eq!(at((5, 90), b"\x91").1, [4, 10], "up");
    assert_eq!(at((0, 90), b"\x91").1, [0, 90], "there is nothing above");
    // Below the screen nothing scrolls.
    let (machine, cursor) = at((60, 10), b"A");
    assert_eq!((line(&machine, 60, 11)[10], cursor), (1, [60, 11]));
    assert_eq!(at((61, 10), b"\x0d").1, [62, 0]);
    assert_eq!(at((59, 10), b"\x0d").1, [59, 0]);
    // What is deleted or inserted there moves all columns from 255 to 0.
    let (machine, cursor) = at((5, 10), b"AB\x9d\x9d");
    assert_eq!((line(&machine, 5, 12)[10..].to_vec(), cursor), (codes("AB"), [5, 10]));
    let (machine, _) = at((5, 0), &[b"A".as_slice(), &[0x1d; 78], b"BC"].concat());
    assert_eq!(
        (line(&machine, 5, 1), line(&machine, 5, 80)[79], line(&machine, 6, 1)),
        (vec![1], 2, vec![3])
    );
}

/// A delete beyond the logical line goes round: columns 81 to 255 move left, and what comes first goes to 255.
#[test]
fn deletion_outside_the_line_goes_round() {
    let print = "  lda #$58\n  jsr $ffd2\n  ldx #6\n  ldy #5\n  clc\n  jsr $fff0\n  lda #$59\n  jsr $ffd2\n  ldx #5\n  ldy #82\n  clc\n  jsr $fff0";
    let machine = printing(&format!("  ldx #5\n  ldy #3\n  clc\n  jsr $fff0\n{print}"), &[0x14]);
    // Column 85 of line 5, which is column 5 of line 6; and X, a column to the left.
    assert_eq!(
        (line(&machine, 6, 6), line(&machine, 5, 4)),
        ([vec![0x20; 4], vec![25, 0x20]].concat(), vec![0x20, 0x20, 24, 0x20])
    );
}

/// END goes behind the last character; it does not look at the first column, and a full line leads to the next one.
#[test]
fn end_of_a_line() {
    let after = |text: &[u8]| {
        let machine = printing("", &[text, b"\x91\x04"].concat());
        [0x0383, 0x0380].map(|at| machine.peek(at))
    };
    assert_eq!((after(b"AB\r"), after(b"A\r"), after(b"\r")), ([0, 2], [0, 0], [0, 0]));
    assert_eq!(after(&[b'A'; 80]), [1, 0]);
}

/// Modes with the guide's sizes (chapter 3).
#[test]
fn all_modes_are_there() {
    let sizes = [
        (80, 60),
        (80, 30),
        (40, 60),
        (40, 30),
        (40, 15),
        (20, 30),
        (20, 15),
        (22, 23),
        (64, 50),
        (64, 25),
        (32, 50),
        (32, 25),
    ];
    for (mode, size) in sizes.iter().enumerate().chain([(0x80, &(40, 30))]) {
        let text = format!(
            "  lda #{mode}\n  clc\n  jsr SCREEN_MODE\n  bcs no\n  jsr $ffed\n  stx $22\n  sty $23\n  sec\n  jsr SCREEN_MODE\n  sta $24\n  stx $25\n  stp\nno: rts"
        );
        let machine = ran(&text);
        assert_eq!([0x22, 0x23, 0x24, 0x25].map(|at| machine.peek(at)), [size.0, size.1, mode as u8, size.0]);
        // A character has 8 pixels of a picture of 640 by 480, times both scales; those beside modes 7 to 11 are border.
        let scales = [0x0a, 0x0b].map(|register| machine.vera().peek(register));
        let expected = match mode {
            7 => [64, 64],
            8..=11 => [[128, 128], [128, 64], [64, 128], [64, 64]][mode - 8],
            _ => [(u32::from(size.0) * 128 / 80) as u8, (u32::from(size.1) * 128 / 60) as u8],
        };
        assert_eq!(scales, expected, "{mode}");
    }
    // A line of 20 columns goes on in the next one, and belongs to it.
    let wrapped = printing("  lda #6\n  clc\n  jsr SCREEN_MODE", b"ABCDEFGHIJKLMNOPQRSTUVWXYZ\x0dX");
    assert_eq!((line(&wrapped, 1, 6), line(&wrapped, 2, 1)), (codes("UVWXYZ"), codes("X")));
}

#[test]
fn the_cursor_goes_where_plot_says() {
    let machine = ran(
        "  ldx #5\n  ldy #7\n  clc\n  jsr $fff0\n  lda #'x'\n  jsr $ffd2\n  sec\n  jsr $fff0\n  stx $22\n  sty $23\n  jsr $ff7d\n  .byte $0d, $41, 0\n  rts",
    );
    assert_eq!((machine.peek(0x22), machine.peek(0x23)), (5, 8));
    assert_eq!((line(&machine, 5, 8)[7], line(&machine, 6, 1)[0]), (0x18, 1));
}

/// Types while a program runs; the machine after that.
pub fn typed(text: &str, keys: &str) -> X16 {
    let mut machine = machine(text);
    machine.give(&Input::typed(keys).unwrap());
    let ending = machine.run(&Limits::default());
    assert!(matches!(ending, Ending::Returned | Ending::Stopped { .. }), "{ending:?}");
    machine
}

#[test]
fn keys_arrive() {
    let get = "n: jsr $ffe4\n  beq n\n  sta $22,x\n  inx\n  cpx #5\n  bne n\n  stp";
    let machine = typed(&format!("  ldx #0\n{get}"), "a!{SHIFT+A}{F1}{LEFT}");
    assert_eq!((0x22..0x27).map(|at| machine.peek(at)).collect::<Vec<_>>(), [0x41, 0x21, 0xc1, 0x85, 0x9d]);
    // The buffer, looked at and written to.
    let machine = ran(
        "  lda #9\n  jsr $fec3\n  lda #8\n  jsr $fec3\n  jsr $febd\n  sta $22\n  stx $23\n  jsr $ffe4\n  jsr $ffe4\n  sta $24\n  jsr $febd\n  stp",
    );
    assert_eq!([0x22, 0x23, 0x24].map(|at| machine.peek(at)), [9, 2, 8]);
    assert_eq!(machine.cpu().p & 2, 2);
    // Modifiers while they are held, and STOP.
    let held = "n: jsr $fec0\n  beq n\n  sta $22\nm: jsr $ffe1\n  bne m\n  stp";
    assert_eq!(typed(held, "{CTRL+A}{STOP}").peek(0x22), 4);
    // A handler of one's own at $032E sees each key and may drop it.
    let hooked = "  lda #<h\n  sta $032e\n  lda #>h\n  sta $032f\nn: jsr $ffe4\n  beq n\n  sta $23\n  stp\nh: sta $22\n  cmp #$1f\n  bne k\n  lda #0\nk: rts";
    assert_eq!(typed(hooked, "AB").peek(0x23), 0x42);
}

const CAPITALS: &str = "  lda #$8e\n  jsr $ffd2\n";
const SMALL: &str = "  lda #$0e\n  jsr $ffd2\n";

/// $0372, which has the number of the character set, behind a program and keys that are pressed then, one a frame; and what an A looks like.
fn letters(text: &str, keys: &[&str]) -> (u8, Vec<u8>) {
    let mut machine = machine(&format!("{text}l: bra l"));
    let input: String = (3..).zip(keys).map(|(frame, key)| format!("{frame} press {key}\n")).collect();
    machine.give(&Input::read(&input).unwrap());
    machine.run(&Limits::frames(12));
    (machine.peek(0x0372), machine.vera().vram()[0x1_f008..0x1_f010].to_vec())
}

#[test]
fn shift_and_alt_change_the_letters() {
    let (capitals, small) = (letters(CAPITALS, &[]), letters(SMALL, &[]));
    assert!((capitals.0, small.0) == (2, 3) && capitals.1 != small.1);
    assert_eq!(letters(CAPITALS, &["SHIFT", "ALT"]), small);
    assert_eq!(letters(SMALL, &["ALT", "SHIFT"]), capitals);
    assert_eq!(letters(CAPITALS, &["SHIFT", "CTRL", "ALT"]), capitals, "and nothing else");
}

/// In `ps2kbd.s` of x16-rom 251608b CAPS is no part of what is held, and changes nothing itself.
#[test]
fn caps_makes_no_difference_to_shift_and_alt() {
    assert_eq!(letters(CAPITALS, &["CAPS", "SHIFT", "ALT"]).0, 3);
    assert_eq!(letters(CAPITALS, &["CAPS", "SHIFT", "ALT", "CAPS"]).0, 3);
}

#[test]
fn locked_letters_are_not_changed() {
    let locked = "  lda #8\n  jsr $ffd2\n";
    assert_eq!((letters(locked, &[]).0, letters(locked, &["SHIFT", "ALT"]).0), (0x82, 0x82));
}

/// Not even where a program has chosen one of the two sets after all.
#[test]
fn iso_letters_are_not_changed() {
    let iso = "  lda #$0f\n  jsr $ffd2\n  lda #3\n  jsr $ff62\n";
    assert_eq!(letters(iso, &["SHIFT", "ALT"]), letters(iso, &[]));
}

#[test]
fn lines_are_edited_and_read() {
    let read = "  ldx #0\nn: jsr $ffcf\n  sta $30,x\n  inx\n  cmp #13\n  bne n\n  stp";
    let machine = typed(read, "HALLO{LEFT}{LEFT}{LEFT}{LEFT}{DEL}{RETURN}");
    assert_eq!((0x30..0x35).map(|at| machine.peek(at)).collect::<Vec<_>>(), b"ALLO\x0d");
    assert_eq!(machine.output(), "ALLO\n");
    // From behind the prompt.
    let machine = typed(&format!("  lda #'?'\n  jsr $ffd2\n{read}"), "NO{RETURN}");
    assert_eq!(machine.output(), "?NO\n");
}

#[test]
fn controllers_and_the_keyboard_as_one() {
    let get = |number: u8| {
        format!("  wai\n  wai\n  lda #{number}\n  jsr $ff56\n  sta $22\n  stx $23\n  sty $24\n  stp")
    };
    let told = |machine: &X16| [0x22, 0x23, 0x24].map(|at| machine.peek(at));
    assert_eq!(told(&ran(&get(1))), [0xff; 3]);
    let mut machine = machine(&get(1));
    machine.give(&Input::read("0 buttons 1 UP+A").unwrap());
    machine.run(&Limits::default());
    assert_eq!(told(&machine), [!0x08, !0x80, 0]);
    let mut machine = self::machine(&get(0));
    machine.give(&Input::read("0 press LEFT\n0 press X").unwrap());
    machine.run(&Limits::default());
    assert_eq!(told(&machine)[2], 0);
    machine.start_at(0x0801);
    machine.run(&Limits::default());
    assert_eq!(told(&machine), [!0x02, !0x80, 0]);
}

#[test]
fn the_mouse_moves_its_sprite() {
    let text = "  lda #1\n  ldx #80\n  ldy #60\n  jsr $ff68\nn: wai\n  ldx #$30\n  jsr $ff6b\n  stx $23\n  sta $22\n  cmp #0\n  beq n\n  stp";
    let mut machine = machine(text);
    machine.give(&Input::moved("-1000,-1000 30,20 LEFT+0,0,-2").unwrap());
    machine.run(&Limits::default());
    assert_eq!((0x30..0x34).map(|at| machine.peek(at)).collect::<Vec<_>>(), [30, 0, 20, 0]);
    assert_eq!((machine.peek(0x22), machine.peek(0x23)), (1, 0xfe));
    let sprite = &machine.vera().vram()[0x1_fc00..0x1_fc08];
    assert_eq!(sprite, [0x80, 0x89, 30, 0, 20, 0, 0x0c, 0x50], "at $13000, 8 bits, 16 by 16, in front");
    assert_eq!(machine.vera().peek(0x09) & 0x40, 0x40);
}

/// Without depth nothing of a sprite shows; how it is flipped stays.
#[test]
fn a_mouse_that_is_off_is_not_shown() {
    let machine = ran(
        "  lda #1\n  ldx #80\n  ldy #60\n  jsr $ff68\n  lda #0\n  ldx #80\n  ldy #60\n  jsr $ff68\n  stp",
    );
    assert_eq!(machine.vera().vram()[0x1_fc06], 0);
    let flipped =
        "  lda #$06\n  sta $9f20\n  lda #$fc\n  sta $9f21\n  lda #1\n  sta $9f22\n  lda #$0f\n  sta $9f23\n";
    let machine = ran(&format!("{flipped}  lda #0\n  ldx #80\n  ldy #60\n  jsr $ff68\n  stp"));
    assert_eq!(machine.vera().vram()[0x1_fc06], 0x03);
}

/// The sprite is shown as soon as the mouse is on, in the middle.
#[test]
fn the_mouse_begins_in_the_middle() {
    let machine = ran("  lda #1\n  ldx #80\n  ldy #60\n  jsr $ff68\n  stp");
    assert_eq!(machine.vera().vram()[0x1_fc02..0x1_fc06], [0x3f, 0x01, 0xef, 0x00], "319, 239");
}

/// As with the ROM, 0 is no height, but one below it in 16 bits.
#[test]
fn a_screen_without_a_height_has_all_lines() {
    let machine = ran("  lda #1\n  ldx #80\n  ldy #0\n  jsr $ff68\n  ldx #$30\n  jsr $ff6b\n  stp");
    assert_eq!([0x30, 0x31, 0x32, 0x33].map(|at| machine.peek(at)), [0x3f, 0x01, 0xff, 0x3f]);
}

/// A packet a frame, of at most 256 pixels: the places of each frame are those that the Commander's KERNAL tells.
#[test]
fn a_long_way_takes_the_mouse_some_frames() {
    let text = "  lda #1\n  ldx #80\n  ldy #60\n  jsr $ff68\n  ldy #0\nn: wai\n  phy\n  ldx #$30\n  jsr $ff6b\n  ply\n  lda $30\n  \
                sta $2000,y\n  lda $31\n  sta $2100,y\n  iny\n  cpy #60\n  bne n\n  stp";
    let mut machine = machine(text);
    machine.give(&Input::moved("1000,0 -30,0 -1000,0:8 10,0").unwrap());
    machine.run(&Limits::default());
    let place = |frame: u16| u16::from_le_bytes([machine.peek(0x2000 + frame), machine.peek(0x2100 + frame)]);
    let mut places: Vec<u16> = (0..60).map(place).collect();
    places.dedup();
    assert_eq!(places, [319, 574, 639, 609, 353, 97, 0, 10]);
}

#[test]
fn time_is_kept() {
    let set = ran("  lda #$ff\n  tax\n  ldy #1\n  jsr $ffdb\n  jsr $ffea\n  jsr $ffde\n  stp");
    assert_eq!((set.cpu().a, set.cpu().x, set.cpu().y), (0, 0, 2));
    let date = Date::read("2024-02-29T12:34:56").unwrap();
    let mut machine = X16::new(Config { date, ..Config::default() }).unwrap();
    // jsr CLOCK_GET_DATE_TIME, stp.
    machine.load_at(0x0801, &[0x20, 0x50, 0xff, 0xdb]).unwrap();
    machine.run(&Limits::default());
    assert_eq!((2..10).map(|at| machine.peek(at)).collect::<Vec<_>>(), [124, 2, 29, 12, 34, 56, 0, 4]);
    let set = ran(
        "  lda #100\n  sta 2\n  lda #1\n  sta 3\n  sta 4\n  stz 5\n  stz 6\n  stz 7\n  jsr $ff4d\n  stz 2\n  jsr $ff50\n  stp",
    );
    assert_eq!((2..6).map(|at| set.peek(at)).collect::<Vec<_>>(), [100, 1, 1, 0]);
    // Year, month, day, hour, minute, second in r0 to r2.
    let store: String = [124, 2, 29, 12, 34, 56]
        .iter()
        .zip(2..)
        .map(|(value, at)| format!("  lda #{value}\n  sta {at}\n"))
        .collect();
    let clear: String = (2..8).map(|at| format!("  stz {at}\n")).collect();
    let set = ran(&format!("{store}  jsr $ff4d\n{clear}  jsr $ff50\n  stp"));
    assert_eq!((2..8).map(|at| set.peek(at)).collect::<Vec<_>>(), [124, 2, 29, 12, 34, 56]);
}

#[test]
fn sprites_are_set() {
    let text = "  lda #3\n  ldx #<300\n  stx 2\n  ldx #>300\n  stx 3\n  ldx #40\n  stx 4\n  stz 5\n  jsr $fef3\n  stp";
    let machine = ran(text);
    assert_eq!(machine.vera().vram()[0x1_fc1a..0x1_fc1f], [44, 1, 40, 0, 0x0c]);
    // Black where the image has 0, white where it has 1, nothing where the mask has 0.
    let text = "  lda #<i\n  sta 2\n  lda #>i\n  sta 3\n  lda #<m\n  sta 4\n  lda #>m\n  sta 5\n  lda #1\n  sta 6\n  ldx #16\n  ldy #16\n  sec\n  \
                jsr $fef0\n  stp\ni: .byte $a0\n  .res 31\nm: .byte $e0\n  .res 31";
    assert_eq!(ran(text).vera().vram()[0x1_4000..0x1_4004], [1, 16, 1, 0]);
    // What the KERNAL does not take, this does not either.
    assert_eq!(ran("  lda #0\n  ldx #8\n  ldy #8\n  clc\n  jsr $fef0\n  stp").cpu().p & 1, 1);
}

/// A program that hooks the interrupt and returns goes on, as it does at BASIC's prompt.
#[test]
fn handlers_go_on_after_the_program() {
    let hook = "  sei\n  lda $0314\n  sta old\n  lda $0315\n  sta old+1\n  lda #<h\n  sta $0314\n  lda #>h\n  sta $0315\n  cli\n  rts\nh: inc $22\n  jmp (old)\nold: .word 0";
    let mut machine = machine(hook);
    let ending = machine.run(&Limits::frames(20));
    assert!(matches!(ending, Ending::Frames { frames: 20, returned: true, .. }), "{ending:?}");
    assert_eq!(ending.text(), "stopped after 20 frames; the program has returned, and its interrupts go on");
    assert_eq!(machine.peek(0x22), 19);
    // Without interrupts nothing can go on.
    assert_eq!(
        self::machine(&hook.replace("  sei\n", "  stz IEN\n")).run(&Limits::default()),
        Ending::Returned
    );
    // By its vector: a program that prints through one of its own.
    let print = ran(
        "  lda #<h\n  sta $0326\n  lda #>h\n  sta $0327\n  lda #65\n  jsr $ffd2\n  stp\nh: inc $22\n  rts",
    );
    assert_eq!((print.peek(0x22), print.output()), (1, ""));
}

/// The same input, the same run; and a copy goes on as the first one does.
#[test]
fn input_is_part_of_the_machine() {
    let read = "n: jsr $ffe4\n  beq n\n  jsr $ffd2\n  bra n";
    let mut one = machine(read);
    one.give(&Input::typed("HELLO{LEFT:40}").unwrap());
    one.run(&Limits::frames(35));
    let mut other = one.clone();
    assert!(one == other);
    one.run(&Limits::frames(60));
    for _ in 0..60 {
        other.run(&Limits::frames(1));
    }
    assert!(one == other && one.output() == "HELLO");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever is printed and typed, in whatever mode, and whatever a program leaves where the editor remembers things.
    #[test]
    fn nothing_that_is_printed_or_typed_does_harm(
        mode in 0u8..14,
        bytes in prop::collection::vec(any::<u8>(), 1..80),
        pokes in prop::collection::vec((0x0360u16..0x0390, any::<u8>()), 0..12),
        keys in "[a-z0-9 ,.!\n]{0,12}",
    ) {
        let mode = if mode > 11 { 0x80 } else { mode };
        let text = format!("  lda #{mode}\n  clc\n  jsr SCREEN_MODE\n  stp\n");
        let mut machine = machine(&text);
        machine.run(&Limits::default());
        for (address, value) in pokes {
            machine.poke(address, value);
        }
        // At $2000: print from $3000 on until a zero, then read and print forever.
        let print = [0xa9, 0x00, 0x85, 0x22, 0xa9, 0x30, 0x85, 0x23, 0xb2, 0x22, 0xf0, 0x09, 0x20, 0xd2, 0xff, 0xe6, 0x22, 0xd0, 0xf5, 0x80, 0xf1];
        let read = [0x20, 0xcf, 0xff, 0x20, 0xd2, 0xff, 0x80, 0xf8];
        machine.load_at(0x2000, &[&print[..], &read[..]].concat()).unwrap();
        for (at, byte) in (0x3000..).zip(&bytes) {
            machine.poke(at, *byte);
        }
        machine.give(&Input::typed(&keys).unwrap());
        machine.run(&Limits::frames(60));
        prop_assert!(machine.vera().frames() > 50 || machine.ended().is_some());
    }

    /// A text of an input is read or refused, and what is read can be written and read again.
    #[test]
    fn any_input_is_read_or_refused(text in "(([0-9]{1,3}|@[0-9]{1,5}|[+][0-9]|1s|é) (keys|press|joystick 1|mouse|buttons 2|motion|release|é) [A-Z{}:+0-9,é -]{0,12}\n){0,5}") {
        match Input::read(&text) {
            Ok(input) => prop_assert_eq!(Input::read(&input.text()), Ok(input)),
            Err(problems) => prop_assert!(problems.iter().all(|one| text.get(one.place.clone()).is_some())),
        }
        let _ = (Input::typed(&text), Input::played(1, &text), Input::moved(&text));
    }
}

/// Sets 1 to 6 are there, 7 to 12 are the ROM's alone, and beyond them the KERNAL does nothing.
#[test]
fn character_sets_that_are_not_here_end_the_run() {
    for number in 1..=13 {
        let mut machine = machine(&format!("  lda #{number}\n  jsr $ff62\n  rts"));
        let ending = machine.run(&Limits::default());
        let is_missing = matches!(ending, Ending::RomCall { address: 0xff62, .. });
        assert_eq!(
            (is_missing, ending == Ending::Returned),
            ((7..=12).contains(&number), !(7..=12).contains(&number)),
            "{number}: {ending:?}"
        );
    }
}
