//! The KERNAL's graphics and console without a ROM.
//!
//! Sums of frame buffers are those that the same programs leave with x16-rom 251608b, in which all 128 KB of video memory below its last
//! page are equal; where text is drawn, in a font of the program's.

use crate::machine::machine;
use gpuzoo_x16::{Input, Limits, X16};

pub const FRAME_BUFFER: usize = 320 * 240;

/// The same numbers on all machines.
struct Chance(u32);

impl Chance {
    fn below(&mut self, limit: u16) -> u16 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        ((u64::from(self.0 >> 8) * u64::from(limit)) >> 24) as u16
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[usize::from(self.below(of.len() as u16))]
    }

    fn byte(&mut self) -> u8 {
        self.below(256) as u8
    }
}

/// A program that makes calls, and data behind it.
pub struct Calls {
    rows: Vec<String>,
    data: String,
}

impl Calls {
    /// In the KERNAL's mode of graphics.
    pub fn new() -> Calls {
        let mut calls = Calls { rows: Vec::new(), data: String::new() };
        calls.with(0xff5f, 0x80, 0, 0);
        calls
    }

    /// A call with A, X and Y; C is clear.
    pub fn with(&mut self, address: u16, a: u8, x: u8, y: u8) {
        self.row(address, [a, x, y], 0, &[]);
    }

    /// A call with the registers r0 and so on.
    pub fn call(&mut self, address: u16, registers: &[u16]) {
        self.row(address, [0; 3], 0, registers);
    }

    pub fn row(&mut self, address: u16, [a, x, y]: [u8; 3], carry: u8, registers: &[u16]) {
        let kept = registers.iter().map(|value| format!(", {value}")).collect::<String>();
        let count = registers.len();
        self.rows.push(format!(
            "  .word {address}\n  .byte {a}, {x}, {y}, {carry}, {}\n  .word 0{kept}\n",
            2 * count
        ));
    }

    fn colors(&mut self, chance: &mut Chance) {
        self.with(0xff29, 2 + chance.byte() % 254, 2 + chance.byte() % 254, 1);
    }

    /// The program: it takes row by row of a table.
    pub fn text(&self) -> String {
        format!(
            "  lda #<rows\n  sta $30\n  lda #>rows\n  sta $31\n\
             next: ldy #1\n  lda ($30),y\n  beq done\n  sta go+2\n  lda ($30)\n  sta go+1\n\
             \x20 ldy #6\n  lda ($30),y\n  tax\n  beq set\n  ldy #9\n  ldx #0\n\
             copy: lda ($30),y\n  sta $02,x\n  iny\n  inx\n  txa\n  phy\n  ldy #6\n  cmp ($30),y\n  php\n  pla\n  ply\n  pha\n  plp\n  bne copy\n\
             set: ldy #5\n  lda ($30),y\n  lsr\n  php\n  ldy #3\n  lda ($30),y\n  tax\n  iny\n  lda ($30),y\n  pha\n  ldy #2\n  lda ($30),y\n  ply\n  plp\n\
             go: jsr $ffff\n  ldy #6\n  clc\n  lda ($30),y\n  adc #9\n  adc $30\n  sta $30\n  bcc next\n  inc $31\n  bra next\n\
             done: stp\n{}rows:\n{}  .word 0\n",
            self.data,
            self.rows.concat()
        )
    }

    fn run(&self, keys: &str) -> X16 {
        let mut machine = machine(&self.text());
        machine.give(&Input::typed(keys).expect("keys"));
        machine.run(&Limits::frames(200));
        machine
    }

    /// The sum of what they draw (FNV-1a).
    fn sum(&self, keys: &str) -> u64 {
        let machine = self.run(keys);
        machine.vera().vram()[..FRAME_BUFFER]
            .iter()
            .fold(0xcbf2_9ce4_8422_2325, |sum, byte| (sum ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3))
    }
}

fn pixel(machine: &X16, x: usize, y: usize) -> u8 {
    machine.vera().vram()[320 * y + x]
}

#[test]
fn shapes_are_where_they_are_told() {
    let mut calls = Calls::new();
    calls.with(0xff29, 2, 3, 1);
    calls.call(0xff2c, &[10, 20, 14, 20]);
    calls.row(0xff2f, [0; 3], 1, &[100, 50, 5, 4]);
    calls.call(0xff2f, &[200, 50, 5, 4]);
    calls.call(0xff35, &[60, 100, 9, 9]);
    let machine = calls.run("");
    let row = |y: usize, from: usize, count: usize| {
        (from..from + count).map(|x| pixel(&machine, x, y)).collect::<Vec<u8>>()
    };
    assert_eq!((row(20, 9, 7), row(21, 10, 5)), (vec![1, 2, 2, 2, 2, 2, 1], vec![1; 5]));
    assert_eq!((row(50, 100, 6), row(51, 100, 6)), (vec![2, 2, 2, 2, 2, 1], vec![2, 3, 3, 3, 2, 1]));
    assert_eq!((row(51, 200, 5), row(54, 200, 5)), (vec![2, 1, 1, 1, 2], vec![1; 5]));
    // An oval is the same from the left and the right, from above and below, and touches its box's sides.
    for at in 0..9 {
        assert_eq!(row(100 + at, 60, 9), row(108 - at, 60, 9));
        assert_eq!(row(100 + at, 60, 9), row(100 + at, 60, 9).into_iter().rev().collect::<Vec<u8>>());
    }
    assert_eq!((pixel(&machine, 60, 104), pixel(&machine, 60, 100)), (2, 1));
    // The mode begins white, and the registers have the window.
    assert_eq!((pixel(&machine, 0, 0), pixel(&machine, 319, 239)), (1, 1));
    let machine = Calls::new().run("");
    assert_eq!(
        [2, 4, 6, 8].map(|at| u16::from_le_bytes([machine.peek(at), machine.peek(at + 1)])),
        [0, 0, 320, 240]
    );
}

/// The registers r0 and so on.
fn registers<const N: usize>(machine: &X16) -> [u16; N] {
    std::array::from_fn(|number| [0, 1].map(|at| machine.peek(2 + 2 * number as u16 + at)))
        .map(u16::from_le_bytes)
}

/// GRAPH_MOVE_RECT counts lines in r1 and r3, and what is left in r5: downwards from the line below the last one to that above the first, as
/// `GRAPH_move_rect` of x16-rom 251608b does.
#[test]
fn a_moved_area_is_counted_in_its_registers() {
    for (from, to, after) in [(50, 20, [53, 23]), (20, 50, [19, 49]), (30, 30, [29, 29])] {
        let mut calls = Calls::new();
        calls.call(0xff32, &[10, from, 100, to, 5, 3]);
        assert_eq!(registers(&calls.run("")), [10, after[0], 100, after[1], 5, 0], "from {from} to {to}");
    }
}

/// At 45 degrees a line is a flat one: from left to right, so that the registers have its right end (`GRAPH_draw_line` of x16-rom 251608b,
/// where only a rise that is more than the run is steep).
#[test]
fn a_diagonal_line_leaves_its_right_end() {
    for (from, to) in [([10, 20], [14, 16]), ([14, 16], [10, 20])] {
        let mut calls = Calls::new();
        calls.call(0xff2c, &[from[0], from[1], to[0], to[1]]);
        let expected = if from[0] < to[0] { [14, 16, 14, 16] } else { [14, 16, 14, 20] };
        assert_eq!(registers(&calls.run("")), expected);
    }
}

/// An oval without a width or a height draws nothing.
#[test]
fn an_oval_has_an_area() {
    let mut calls = Calls::new();
    for sides in [[0, 9], [9, 0], [0, 0]] {
        calls.call(0xff35, &[60, 100, sides[0], sides[1]]);
    }
    assert!(calls.run("").vera().vram()[..FRAME_BUFFER].iter().all(|pixel| *pixel == 1));
}

/// A height of 0 is 65,536 lines to the KERNAL, of which 1,024 are drawn; lines of 320 bytes do not meet again before 2,048.
#[test]
fn an_image_has_at_most_1024_lines() {
    let mut calls = Calls::new();
    // Of an area of memory that is zero, one pixel a line.
    calls.call(0xff38, &[0, 0, 0x4000, 1, 0]);
    let machine = calls.run("");
    let at = |line: usize| machine.vera().vram()[line * 320 % 0x2_0000];
    assert_eq!([0, 1, 1023, 1024].map(at), [0, 0, 0, 1]);
}

/// HOME and CLEAR lead to the first base line of the window; of r1 the low byte is a line. `GRAPH_put_char` of x16-rom 251608b keeps r2.
#[test]
fn home_is_the_first_base_line() {
    for code in [0x13, 0x93] {
        let mut calls = Calls::new();
        calls.row(0xff41, [code, 0, 0], 0, &[33, 0x1277, 0x5678]);
        assert_eq!(registers(&calls.run("")), [0, 0x1209, 0x5678], "{code:02x}");
    }
}

#[test]
fn lines_rectangles_and_ovals_are_the_kernals() {
    let mut chance = Chance(1);
    let [mut lines, mut rectangles, mut ovals] = [Calls::new(), Calls::new(), Calls::new()];
    for at in 0..80 {
        lines.colors(&mut chance);
        let [x, y] = [chance.below(320), chance.below(240)];
        let to = match at % 8 {
            0 => [chance.below(320), y],
            1 => [x, chance.below(240)],
            _ => [chance.below(320), chance.below(240)],
        };
        lines.call(0xff2c, &[x, y, to[0], to[1]]);
    }
    for at in 0..40 {
        let most = chance.one(&[8, 40, 240]);
        let [width, height] = [1 + chance.below(most), 1 + chance.below(most)];
        let area = [chance.below(321 - width), chance.below(241 - height), width, height];
        let (calls, address) = if at % 2 == 0 { (&mut ovals, 0xff35) } else { (&mut rectangles, 0xff2f) };
        calls.colors(&mut chance);
        let carry = chance.below(2) as u8;
        calls.row(address, [0; 3], carry, &area);
    }
    assert_eq!(
        [lines.sum(""), rectangles.sum(""), ovals.sum("")],
        [0xb25b_99db_76e1_9589, 0x25e2_29b7_4ce7_88ea, 0x8022_e840_6f2e_504a]
    );
}

#[test]
fn the_frame_buffers_calls_are_the_kernals() {
    let mut chance = Chance(2);
    let mut calls = Calls::new();
    calls.data = "filter: eor #$33\n  inc $3f\n  rts\n".to_owned();
    let steps = [0, 1, 2, 3, 4, 8, 16, 32, 40, 64, 80, 100, 128, 160, 255, 256, 300, 320, 512, 640];
    for at in 0..120 {
        calls.call(0xfeff, &[chance.below(320), chance.below(180)]);
        let [a, x, y] = [0; 3].map(|_: u8| chance.byte());
        match at % 8 {
            0 => calls.with(0xff0b, a, 0, 0),
            1 => calls.with(0xff11, a, x, y),
            2 => calls.row(0xff14, [a, x, y], 0, &[chance.below(256)]),
            3 => calls.row(0xff17, [a, 0, 0], 0, &[1 + chance.below(40), chance.one(&steps)]),
            4 => calls.call(0xff0e, &[0x0801, chance.one(&[5, 256, 0, 300])]),
            5 => calls.call(0xff08, &[0x7000, chance.one(&[5, 256, 0, 300])]),
            6 => calls.call(
                0xff1d,
                &[
                    chance.below(320),
                    chance.below(200),
                    chance.below(320),
                    chance.below(200),
                    chance.one(&[0, 5, 256, 320, 512]),
                ],
            ),
            _ => calls.call(0xff02, &[]),
        }
        calls.call(0xff0e, &[0x7000, 3]);
    }
    assert_eq!(calls.sum(""), 0x81db_f368_c0c6_dbe4);
}

/// Each pixel goes through the program's routine.
#[test]
fn pixels_are_filtered() {
    let text = "  lda #$80\n  clc\n  jsr $ff5f\n  jsr $feff\n  lda #<300\n  sta 2\n  lda #>300\n  sta 3\n  lda #<f\n  sta 4\n  lda #>f\n  sta 5\n  jsr $ff1a\n  stp\n\
                f: inc count\n  asl\n  rts\ncount: .byte 0";
    let mut machine = machine(text);
    machine.run(&Limits::frames(20));
    assert_eq!((pixel(&machine, 0, 0), pixel(&machine, 299, 0), pixel(&machine, 300, 0)), (2, 2, 1));
}

/// A font of the program's in the format of GEOS, of random pixels.
fn font(chance: &mut Chance, baseline: u16, height: u16) -> String {
    let widths: Vec<u16> = (0..97).map(|_| 1 + chance.below(13)).collect();
    let row = widths.iter().sum::<u16>().div_ceil(8);
    let mut begin = 0;
    let mut index = String::from("0");
    for width in widths {
        begin += width;
        index += &format!(",{begin}");
    }
    let mut text = format!(
        "font: .byte {baseline}\n  .word {row}\n  .byte {height}\n  .word 8, {}, {index}\n",
        8 + 2 * 98
    );
    for _ in 0..height {
        let bytes: Vec<String> = (0..row).map(|_| chance.byte().to_string()).collect();
        text += &format!("  .byte {}\n", bytes.join(","));
    }
    text
}

/// Calls with a font.
/// C, which says whether an oval is filled, is clear behind it, and interrupts stay as they were.
#[test]
fn an_oval_leaves_flags() {
    for (carry, interrupts) in [("sec", "sei"), ("clc", "sei"), ("sec", "cli")] {
        let sides: String =
            [2, 4, 6, 8].map(|at| format!("  lda #20\n  sta {at}\n  stz {}\n", at + 1)).concat();
        let mut machine = machine(&format!(
            "  lda #$80\n  clc\n  jsr $ff5f\n{sides}  {interrupts}\n  {carry}\n  jsr $ff35\n  php\n  pla\n  sta $5000\n  stp"
        ));
        machine.run(&Limits::frames(200));
        assert_eq!(machine.peek(0x5000) & 5, if interrupts == "sei" { 4 } else { 0 }, "{carry} {interrupts}");
    }
}

/// CLEAR wipes the window, HOME does not.
#[test]
fn clear_wipes_the_window() {
    for (code, left) in [(0x13, 5), (0x93, 1)] {
        let mut calls = Calls::new();
        calls.with(0xff29, 5, 5, 1);
        calls.row(0xff2f, [0; 3], 1, &[40, 50, 20, 10]);
        calls.with(0xff41, code, 0, 0);
        assert_eq!(pixel(&calls.run(""), 45, 55), left, "{code:02x}");
    }
}

/// A page that is full waits for a key where there is a message (CONSOLE_SET_PAGING_MESSAGE).
#[test]
fn a_full_page_waits_for_a_key() {
    let went_on = |keys: &str| {
        let mut calls = written(&mut Chance(1), 6, 9);
        calls.call(0xfedb, &[0; 4]);
        calls.data += "message: .byte \"MORE?\", 0\n";
        calls.rows.push("  .word $fed5\n  .byte 0, 0, 0, 0, 2\n  .word 0, message\n".to_owned());
        (0..30).for_each(|_| calls.with(0xfede, 13, 0, 0));
        calls.run(keys).ended().is_some()
    };
    assert_eq!((went_on(""), went_on("A{WAIT:9}B")), (false, true));
}

fn written(chance: &mut Chance, baseline: u16, height: u16) -> Calls {
    let mut calls = Calls::new();
    calls.data = font(chance, baseline, height);
    calls.rows.push("  .word $ff3b\n  .byte 0, 0, 0, 0, 2\n  .word 0, font\n".to_owned());
    calls
}

#[test]
fn text_in_styles_and_windows_is_the_kernals() {
    let mut sums = Vec::new();
    for seed in 0..4 {
        let chance = &mut Chance(10 + seed);
        let (baseline, height) = (3 + chance.below(5), 7 + chance.below(6));
        let mut calls = written(chance, baseline, height);
        if seed > 1 {
            let [left, top] = [chance.below(100), chance.below(60)];
            calls.call(0xff26, &[left, top, 60 + chance.below(160), 40 + chance.below(120)]);
        }
        for _ in 0..16 {
            let mut at = vec![chance.below(330), chance.below(245)];
            for _ in 0..12 {
                let code = match chance.below(8) {
                    0 => chance.one(&[1, 4, 6, 11, 12, 18, 29, 13, 10, 17, 145, 5, 28, 158]),
                    1 => 0x92,
                    2 => 0xa0 + chance.byte() % 96,
                    _ => 0x20 + chance.byte() % 95,
                };
                calls.row(0xff41, [code, 0, 0], 0, &std::mem::take(&mut at));
            }
            calls.with(0xff41, 0x92, 0, 0);
        }
        sums.push(calls.sum(""));
    }
    assert_eq!(
        sums,
        [0x5879_8bd5_3b69_31ad, 0x431d_bb82_a652_364e, 0x17d8_59a7_e22d_7e93, 0x7783_dc80_2447_18ab]
    );
}

#[test]
fn the_console_wraps_scrolls_and_waits_as_the_kernals() {
    let mut sums = Vec::new();
    for seed in 0..4 {
        let chance = &mut Chance(20 + seed);
        let mut calls = written(chance, 6, 9);
        let window = if seed % 2 == 0 { [0; 4] } else { [33, 21, 170, 130] };
        calls.call(0xfedb, &window);
        if seed == 3 {
            calls.data += "message: .byte $1c, \"MORE?\", 0\n";
            calls.rows.push("  .word $fed5\n  .byte 0, 0, 0, 0, 2\n  .word 0, message\n".to_owned());
        }
        for at in 0..400 {
            let code = match chance.below(7) {
                0 => 0x20,
                1 if at % 5 == 0 => chance.one(&[4, 6, 11, 12, 18, 13, 10, 5, 28]),
                _ => 0x21 + chance.byte() % 90,
            };
            calls.row(0xfede, [code, 0, 0], u8::from(seed != 2), &[]);
            if at % 150 == 149 {
                calls.call(0xfed8, &[0x0801, 5 + chance.below(30), 3 + chance.below(20)]);
            }
        }
        sums.push(calls.sum("A{WAIT:9}B{WAIT:9}C{WAIT:9}D{WAIT:9}E"));
    }
    assert_eq!(
        sums,
        [0x0320_af1a_3a33_e987, 0xa985_9e85_3fda_cb5f, 0x6484_ae48_8c02_542f, 0x209e_3c05_535d_90cf]
    );
}

#[test]
fn the_console_takes_a_line() {
    let text = "  lda #$80\n  clc\n  jsr $ff5f\n  jsr $fedb\n  ldy #0\nl: phy\n  jsr $fee1\n  ply\n  sta $5000,y\n  iny\n  cpy #8\n  bne l\n  stp";
    let mut machine = machine(text);
    machine.give(&Input::typed("HEL{DEL}Y{RETURN}{WAIT:9}AB{RETURN}X").expect("keys"));
    machine.run(&Limits::frames(90));
    let read: Vec<u8> = (0..7).map(|at| machine.peek(0x5000 + at)).collect();
    assert_eq!(read, *b"hey\rab\r".map(|byte| byte).as_slice());
    // The cursor is sprite 1, and waits behind the X of the third line.
    assert!(machine.vera().vram()[0x1_fc0e] & 0x0c != 0);
    assert_eq!(machine.vera().vram()[0x1_4000..0x1_4002], [16, 0]);
}

#[test]
fn characters_have_sizes() {
    let size = |a: u8, x: u8| {
        let text =
            format!("  lda #0\n  sta 2\n  sta 3\n  jsr $ff3b\n  lda #{a}\n  ldx #{x}\n  jsr $ff3e\n  stp");
        let mut machine = machine(&text);
        machine.run(&Limits::frames(9));
        let cpu = machine.cpu();
        (cpu.a, cpu.x, cpu.y, cpu.p & 1)
    };
    assert_eq!(size(b'A', 0), (6, 6, 9, 0));
    assert_eq!(size(b'A', 0x40), (6, 7, 9, 0), "bold");
    assert_eq!(size(b'A', 0x08), (8, 8, 11, 0), "an outline");
    let (_, style, _, carry) = size(0x06, 0x80);
    assert_eq!((style, carry), (0xc0, 1), "bold is added");
}

/// Another driver than the KERNAL's is code of the program's, which nothing here would call.
#[test]
fn other_drivers_are_not_there() {
    let mut machine = machine("  lda #1\n  sta 2\n  jsr $ff20");
    let ending = machine.run(&Limits::frames(9));
    let message = ending.diagnostic(&|_| None).expect("an error").message;
    assert!(message.contains("$FF20 (GRAPH_INIT)"), "{message}");
}

/// `ff38` of the ROM: a bank of RAM ends at $C000, and the image goes on in the next one. The program's bank is there afterwards.
#[test]
fn an_image_goes_on_in_the_next_bank() {
    let store = |bytes: &[(u16, u8)]| {
        bytes.iter().map(|(at, byte)| format!("  lda #{byte}\n  sta {at}\n")).collect::<String>()
    };
    let pixels = [(0, 1), (0xbffe, 5), (0xbfff, 6), (0, 2), (0xa000, 7), (0xa001, 8), (0, 1)];
    // At 20,30 from $BFFE, 2 by 2.
    let registers =
        [(2, 20), (3, 0), (4, 30), (5, 0), (6, 0xfe), (7, 0xbf), (8, 2), (9, 0), (10, 2), (11, 0)];
    let mut machine = machine(&format!(
        "  clc\n  lda #$80\n  jsr $ff5f\n{}{}  jsr $ff38\n  stp",
        store(&pixels),
        store(&registers)
    ));
    machine.run(&Limits::frames(60));
    let seen = [(20, 30), (21, 30), (20, 31), (21, 31)].map(|(x, y)| pixel(&machine, x, y));
    assert_eq!((seen, machine.peek(0)), ([5, 6, 7, 8], 1));
}

/// A line that begins with the last byte of a bank is still in this bank.
#[test]
fn an_image_may_have_a_line_at_the_end_of_a_bank() {
    // At 20,30 from $BEFF, 256 by 2.
    let registers =
        [(2, 20), (3, 0), (4, 30), (5, 0), (6, 0xff), (7, 0xbe), (8, 0), (9, 1), (10, 2), (11, 0)];
    let stores: String = [(0, 1), (0x9fff, 9), (0xbeff, 4), (0xbfff, 5)]
        .iter()
        .chain(&registers)
        .map(|(at, byte)| format!("  lda #{byte}\n  sta {at}\n"))
        .collect();
    let mut machine = machine(&format!("  clc\n  lda #$80\n  jsr $ff5f\n{stores}  jsr $ff38\n  stp"));
    machine.run(&Limits::frames(60));
    assert_eq!([30, 31].map(|y| pixel(&machine, 20, y)), [4, 5]);
}

/// Of the ends of an upright line the low bytes are put in order; the high ones stay where they are.
#[test]
fn an_upright_line_leaves_its_ends_in_order() {
    let mut calls = Calls::new();
    calls.call(0xff2c, &[10, 0x0105, 10, 3]);
    let machine = calls.run("");
    let ends = [4, 8].map(|at| u16::from_le_bytes([machine.peek(at), machine.peek(at + 1)]));
    assert_eq!(ends, [0x0103, 0x0005]);
}
