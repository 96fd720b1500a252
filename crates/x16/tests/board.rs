//! What the board connects, as programs see it: the I2C bus with its devices, controllers, the serial bus, the SD card, the sound chip,
//! and what the system management controller does to the machine.

use crate::machine::{machine, program};
use gpuzoo_machine::Arguments;
use gpuzoo_machine::computer::Software;
use gpuzoo_machine::session::Session;
use gpuzoo_x16::{CardSource, Config, Date, Ending, Input, Limits, Program, X16};

/// A driver of the I2C bus. The device is at $32, the register at $33, a value to write at $34; what was read is at $31.
pub const I2C: &str = "
start:  lda #1
        tsb $9f03
        lda #2
        tsb $9f03
        rts
stop:   lda #1
        tsb $9f03
        lda #2
        trb $9f03
        lda #1
        trb $9f03
        rts
        ; A byte goes out; C is set if nobody takes it.
send:   sta $30
        ldx #8
bit_out: lda #1
        asl $30
        bcs one
        tsb $9f03
        bra clock
one:    trb $9f03
clock:  jsr pulse
        dex
        bne bit_out
        lda #1
        trb $9f03
pulse:  lda #2
        trb $9f03
        lda $9f01
        lsr
        lda #2
        tsb $9f03
        rts
        ; A byte comes in, and is not acknowledged.
receive: ldx #8
bit_in: jsr pulse
        rol $31
        dex
        bne bit_in
        jmp pulse
begin:  stz $9f01
        jsr start
        lda $32
        asl
        jsr send
        lda $33
        jmp send
read:   jsr begin
        lda #3
        trb $9f03
        jsr start
        lda $32
        sec
        rol
        jsr send
        jsr receive
        jmp stop
write:  jsr begin
        lda $34
        jsr send
        jmp stop
";

fn with_i2c(text: &str) -> X16 {
    machine(&format!("{text}\n  stp\n{I2C}"))
}

fn ended(machine: &mut X16) -> Ending {
    machine.run(&Limits::frames(60))
}

#[test]
fn the_clock_and_the_controller_answer() {
    let mut machine = with_i2c(
        "  lda #$6f\n  sta $32\n  lda #2\n  sta $33\n  jsr read\n  lda $31\n  sta $40
           lda #$25\n  sta $33\n  lda #$a7\n  sta $34\n  jsr write\n  jsr read\n  lda $31\n  sta $41
           lda #$42\n  sta $32\n  lda #$30\n  sta $33\n  jsr read\n  lda $31\n  sta $42
           lda #$50\n  sta $32\n  jsr begin\n  lda #0\n  rol\n  sta $43\n  jsr stop",
    );
    assert!(matches!(ended(&mut machine), Ending::Stopped { .. }));
    assert_eq!([0x40, 0x41, 0x42, 0x43].map(|at| machine.peek(at)), [0, 0xa7, 48, 1]);
}

#[test]
fn the_date_can_be_given() {
    let date = Date::read("2031-12-24 18:30:00").unwrap();
    let mut machine = X16::new(Config { date, ..Config::default() }).unwrap();
    let text = format!("  lda #$6f\n  sta $32\n  lda #2\n  sta $33\n  jsr read\n  stp\n{I2C}");
    machine.load_prg(&program(&text).0.prg().unwrap()).unwrap();
    ended(&mut machine);
    assert_eq!(machine.peek(0x31), 0x18);
}

#[test]
fn keys_come_from_the_keyboard() {
    let mut machine = with_i2c("  lda #$42\n  sta $32\n  lda #7\n  sta $33\nl: jsr read\n  lda $31\n  beq l");
    machine.give(&Input::typed("A").unwrap());
    assert!(matches!(ended(&mut machine), Ending::Stopped { .. }));
    // A is key 31.
    assert_eq!(machine.peek(0x31), 31);
    assert!(machine.cycles() > 30 * 134_400);
}

#[test]
fn the_mouse_moves() {
    let text = "  lda #$42\n  sta $32\n  lda #$21\n  sta $33\nl: jsr read\n  lda $31\n  beq l";
    let mut machine = with_i2c(text);
    machine.give(&Input::moved("LEFT+5,-3").unwrap());
    assert!(matches!(ended(&mut machine), Ending::Stopped { .. }));
    assert_eq!(machine.peek(0x31), 0x09, "the left button, and no sign: up is positive");
}

/// 24 bits of all controllers, each a byte of port A from $2000 on.
const CONTROLLERS: &str = "
        lda #$0c
        sta $9f03
        lda #$08
        sta $9f01
        lda #$0c
        sta $9f01
        stz $9f01
        ldx #0
l:      stz $9f01
        lda $9f01
        sta $2000,x
        lda #$08
        sta $9f01
        inx
        cpx #24
        bne l
";

#[test]
fn controllers_send_their_buttons() {
    let mut machine = machine(&format!("w: lda $9f01\n  bmi w\n{CONTROLLERS}\n  stp"));
    // Nothing drives the latch: it is open, and the line shows the first button, B.
    machine.give(&Input::played(1, "B+RIGHT:30").unwrap().with(&Input::played(3, "A:30").unwrap()));
    assert!(matches!(ended(&mut machine), Ending::Stopped { .. }));
    let bits = |line: u8| {
        (0..24u16).fold(0u32, |bits, at| bits << 1 | u32::from(machine.peek(0x2000 + at) >> line & 1))
    };
    assert_eq!([7, 6, 5, 4].map(bits), [0x7eff00, 0xffffff, 0xff7f00, 0xffffff]);
}

/// The lines of the serial bus are inverted behind their outputs, and nobody else holds them.
#[test]
fn the_serial_bus_is_empty() {
    let mut machine = machine(
        "  lda #$38\n  sta $9f02\n  stz $9f00\n  lda $9f00\n  sta $22\n  lda #$10\n  sta $9f00\n  lda $9f00\n  sta $23
           lda #$20\n  sta $9f00\n  lda $9f00\n  sta $24\n  stp",
    );
    ended(&mut machine);
    assert_eq!([0x22, 0x23, 0x24].map(|at| machine.peek(at) & 0xc0), [0xc0, 0x80, 0x40]);
}

#[test]
fn the_sound_chip_is_busy_and_counts() {
    // A driver that waits for the chip: 64 of its clocks are 143 cycles.
    let wait = "w: bit $9f41\n  bmi w\n";
    let mut busy = machine(&format!("  lda #$14\n  sta $9f40\n  stz $9f41\n{wait}  stp"));
    assert!(matches!(ended(&mut busy), Ending::Stopped { .. }));
    assert!((143 + 16..143 + 40).contains(&busy.cycles()), "{}", busy.cycles());
    // Timer A, 1024 periods of 64 clocks, ends a WAI.
    let mut timer = machine(
        "  sei\n  stz $9f26\n  lda #$14\n  sta $9f40\n  lda #5\n  sta $9f41\n  wai\n  lda $9f41\n  sta $22\n  stp",
    );
    assert!(matches!(ended(&mut timer), Ending::Stopped { .. }));
    assert_eq!(timer.peek(0x22), 1);
    let expected = 1024 * 64 * 8_000_000 / 3_579_545;
    assert!((expected..expected + 40).contains(&timer.cycles()), "{}", timer.cycles());
    // Without the interrupt it would wait for ever.
    let mut none = machine("  sei\n  stz $9f26\n  lda #$14\n  sta $9f40\n  lda #1\n  sta $9f41\n  wai");
    assert!(matches!(ended(&mut none), Ending::Asleep { .. }));
}

/// A message to the system management controller: register, value.
fn message(register: u8, value: u8) -> String {
    format!("  lda #$42\n  sta $32\n  lda #{register}\n  sta $33\n  lda #{value}\n  sta $34\n  jsr write\n")
}

#[test]
fn power_off_and_reset_end_a_run() {
    let mut off = with_i2c(&message(1, 0));
    let ending = ended(&mut off);
    assert!(matches!(ending, Ending::PoweredOff { .. }), "{ending:?}");
    let shown = ending.diagnostic(&|_| None).map(|note| (note.code.id, note.severity.name()));
    assert_eq!(shown, Some(("V0331", "note")));
    let mut reset = with_i2c(&message(2, 0));
    let ending = ended(&mut reset);
    assert!(matches!(ending, Ending::Reset { .. }), "{ending:?}");
    assert_eq!(ending.diagnostic(&|_| None).map(|note| note.severity.name()), Some("error"));
    // The light is no end.
    let mut light = with_i2c(&message(5, 0xff));
    assert!(matches!(ended(&mut light), Ending::Stopped { .. }));
    assert_eq!(light.lights(), 0x80);
}

/// A ROM that counts its resets at $0400 and its NMIs at $0401, and runs the program at $0800 for the first time.
fn counting_rom() -> Vec<u8> {
    let mut rom = vec![0xea; 0x4000];
    // inc $0400, lda $0400, cmp #1, bne +3, jmp $0801; stp.
    rom[..14].copy_from_slice(&[0xee, 0, 4, 0xad, 0, 4, 0xc9, 1, 0xd0, 3, 0x4c, 1, 8, 0xdb]);
    // inc $0401, rti.
    rom[0x100..0x104].copy_from_slice(&[0xee, 1, 4, 0x40]);
    rom[0x3ffa..].copy_from_slice(&[0x00, 0xc1, 0x00, 0xc0, 0x00, 0xc1]);
    rom
}

fn on_rom(text: &str) -> X16 {
    let mut machine = X16::new(Config { rom: Some(counting_rom()), ..Config::default() }).unwrap();
    let (program, _) = program(&format!("{text}\nl: bra l\n{I2C}"));
    let prg = program.prg().unwrap();
    for (at, byte) in (0x0801..).zip(&prg[2..]) {
        machine.poke(at, *byte);
    }
    machine
}

#[test]
fn a_reset_starts_the_rom_again() {
    let mut machine = on_rom(&format!(
        "  lda #1\n  sta $9f26\n  lda #$7f\n  sta $9f02\n  lda #$14\n  sta $9f40\n  lda #5\n  sta $9f41\n{}",
        message(2, 0)
    ));
    assert!(matches!(machine.run(&Limits::frames(10)), Ending::Stopped { .. }));
    assert_eq!((machine.peek(0x0400), machine.peek(0x0401)), (2, 0));
    // Registers are as after power-on, and memory is as it was.
    assert_eq!((machine.peek(0x9f26), machine.peek(0x9f02), machine.peek(0x9f03)), (0, 0, 0));
    assert_eq!(machine.peek(0x34), 0);
}

/// A program starts as after RETURN: the cursor at which the KERNAL waits for keys is off, and what it covers is back. A ROM tells by its PLOT that it is the
/// Commander's.
#[test]
fn a_program_starts_without_the_prompts_cursor() {
    let started = |plot: [u8; 3]| {
        let mut rom = counting_rom();
        rom[0x3ff0..0x3ff3].copy_from_slice(&[0x4c, 0x00, 0xc2]);
        rom[0x202..0x205].copy_from_slice(&plot);
        let mut machine = X16::new(Config { rom: Some(rom), ..Config::default() }).unwrap();
        // Line 3, column 5 shows a reversed A in place of an A; port 0 is aimed at $00123.
        for (at, value) in
            [(0x0263, 3), (0x0380, 5), (0x0386, 80), (0x037b, 0), (0x037d, 1), (0x0373, 0x61), (0x037e, 1)]
        {
            machine.poke(at, value);
        }
        machine.vera_mut().vram_mut()[0x1_b30a] = 0x81;
        machine.vera_mut().write(0, 0x23);
        machine.vera_mut().write(1, 0x01);
        machine.start_at(0x0801);
        let vera = machine.vera();
        (
            vera.vram()[0x1_b30a],
            machine.peek(0x037b),
            machine.peek(0x037e),
            [vera.peek(0), vera.peek(1), vera.peek(2)],
        )
    };
    assert_eq!(started([0xad, 0x7e, 0x03]), (1, 1, 0, [0x23, 1, 0]));
    assert_eq!(started([0xad, 0x00, 0x20]), (0x81, 0, 1, [0x23, 1, 0]), "another ROM");
}

#[test]
fn nmi_is_not_masked() {
    let mut machine = on_rom(&format!("  sei\n{}  lda #1\n  sta $0402\n  stp", message(3, 0)));
    assert!(matches!(machine.run(&Limits::frames(10)), Ending::Stopped { .. }));
    assert_eq!([0x0400, 0x0401, 0x0402].map(|at| machine.peek(at)), [1, 1, 1]);
}

/// A driver of the SD card: what each routine sends is at `command`; blocks go to and from $2000.
pub const SD: &str = "
        ; To SPI mode, and on until the card is ready.
setup:  lda #2
        sta $9f3f
        ldx #10
clocks: jsr spi
        dex
        bne clocks
        lda #3
        sta $9f3f
        ldy #0
        jsr send
        ldy #6
        jsr send
again:  ldy #12
        jsr send
        ldy #18
        jsr send
        bne again
        lda #1
        sta $9f3f
        rts
        ; Sends the command at Y; the response is in A.
send:   ldx #6
byte:   lda command,y
        jsr out
        iny
        dex
        bne byte
answer: jsr spi
        cmp #$ff
        beq answer
        tax
        cpy #12
        bne done
        ldy #4
rest:   jsr spi
        dey
        bne rest
done:   txa
        rts
        ; A byte comes.
spi:    lda #$ff
out:    sta $9f3e
busy:   bit $9f3f
        bmi busy
        lda $9f3e
        rts
        ; The block of the command at Y.
load:   jsr send
token:  jsr spi
        cmp #$fe
        bne token
        ldx #0
half:   jsr spi
        sta $2000,x
        inx
        bne half
half2:  jsr spi
        sta $2100,x
        inx
        bne half2
        jsr spi
        jmp spi
store:  jsr send
        lda #$fe
        jsr out
        ldx #0
out1:   lda $2000,x
        jsr out
        inx
        bne out1
out2:   lda $2100,x
        jsr out
        inx
        bne out2
        jsr spi
        jsr spi
        jsr spi
        sta $40
wait:   jsr spi
        cmp #$ff
        bne wait
        rts
command: .byte $40,0,0,0,0,$95, $48,0,0,1,$aa,$87, $77,0,0,0,0,1, $69,$40,0,0,0,1
        .byte $51,0,0,0,2,1, $58,0,0,0,3,1
";

pub fn card() -> Vec<u8> {
    (0..2048u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 24) as u8).collect()
}

fn with_card(text: &str) -> X16 {
    let mut machine =
        X16::new(Config { sd_card: Some(CardSource::Image(card())), ..Config::default() }).unwrap();
    machine.load_prg(&program(&format!("{text}\n  stp\n{SD}")).0.prg().unwrap()).unwrap();
    machine
}

#[test]
fn blocks_go_to_and_from_the_card() {
    let mut machine = with_card("  jsr setup\n  ldy #24\n  jsr load\n  inc $2000\n  ldy #30\n  jsr store");
    assert!(matches!(ended(&mut machine), Ending::Stopped { .. }));
    let block: Vec<u8> = (0x2000..0x2200).map(|at| machine.peek(at)).collect();
    let mut expected = card()[1024..1536].to_vec();
    expected[0] = expected[0].wrapping_add(1);
    assert!(block == expected);
    assert_eq!(machine.peek(0x40), 0xe5);
    let written = machine.sd_card().unwrap().unwrap();
    assert!(written[..1536] == card()[..1536] && written[1536..2048] == expected);
}

/// The file of the image is never written; the verb gives the bytes that it leaves.
#[test]
fn what_is_written_is_reported() {
    let text = format!("  jsr setup\n  ldy #24\n  jsr load\n  ldy #30\n  jsr store\n  stp\n{SD}");
    let program = Program::prg(&program(&text).0.prg().unwrap());
    let ran = program.run(&Arguments::default().set("sdcard", card()).with("sdcard-out")).unwrap();
    let remarks: Vec<_> =
        ran.remarks.iter().map(|remark| (remark.code.id, remark.message.as_str())).collect();
    assert_eq!(
        remarks,
        [("V0332", "the program has written 1 block of the SD card, which stays in the machine")]
    );
    let image = ran.files.iter().find(|(name, _)| *name == "sdcard-out").map(|(_, image)| &image[..2048]);
    assert_eq!(image.map(|image| image[1536..] == card()[1024..1536]), Some(true));
    let none = program.run(&Arguments::default().set("frames", 1)).unwrap();
    assert!(none.files.iter().all(|(name, _)| *name != "sdcard-out"));
}

#[test]
fn a_rom_starts_without_a_program() {
    let rom = || Arguments::default().set("rom", counting_rom()).set("frames", 3);
    let ran = Program::none().run(&rom()).unwrap();
    assert_eq!(ran.json["frames"], 3);
    let code = |arguments: Arguments| Program::none().run(&arguments).err().map(|problem| problem.code.id);
    assert_eq!(code(Arguments::default()), Some("V0309"));
    assert!(code(Arguments::default().set("rom", Vec::new())).is_some(), "a ROM of no bytes");
    assert_eq!(code(rom().set("start", 0x801)), Some("G0108"));
    assert_eq!(code(rom().set("date", "2026-02-30")), Some("G0108"));
}

/// What a user does for a ROM without a program counts from where a program would start: after 180 frames of 134,400 cycles.
#[test]
fn input_waits_until_a_rom_is_ready() {
    let mut rom = counting_rom();
    // lda $9f01, bmi -5, stp: the line of the first controller's data shows the button B.
    rom[..6].copy_from_slice(&[0xad, 0x01, 0x9f, 0x30, 0xfb, 0xdb]);
    let arguments = Arguments::default().set("rom", rom).set("input", b"0 joystick 1 B:30\n".to_vec());
    let mut machine = Program::none().machine(&arguments).unwrap();
    assert!(matches!(machine.run(&Limits::frames(200)), Ending::Stopped { .. }));
    let ready = 180 * 134_400;
    assert!((ready..ready + 30).contains(&machine.cycles()), "{}", machine.cycles());
}

#[test]
fn an_image_has_whole_blocks() {
    for (length, fits) in [(512, true), (2048, true), (0, false), (511, false), (1000, false)] {
        let made =
            X16::new(Config { sd_card: Some(CardSource::Image(vec![0; length])), ..Config::default() });
        assert_eq!(made.err().map(|problem| problem.code.id), (!fits).then_some("V0330"), "{length}");
    }
}

/// Without a card the bus is pulled up: a driver that counts on an answer has to give up by itself.
#[test]
fn without_a_card_nothing_answers() {
    let mut machine = machine(&format!("  lda #3\n  sta $9f3f\n  ldy #0\n  jsr send\n  stp\n{SD}"));
    assert!(matches!(ended(&mut machine), Ending::Frames { .. }));
}

/// The devices are parts of the machine: going back takes back what was typed, sent and written.
#[test]
fn sessions_have_the_devices() {
    let text = format!(
        "  sei\n  jsr setup\n  ldy #24\n  jsr load\n  ldy #30\n  jsr store\n  lda #$14\n  sta $9f40\n  lda #5\n  sta $9f41\n  \
         jsr key\n  stp\n{SD}{}\nkey: lda #$42\n  sta $32\n  lda #7\n  sta $33\nk: jsr read\n  lda $31\n  beq k\n  rts\n",
        I2C.replace("send", "i2c_send")
    );
    let arguments = Arguments::default().set("sdcard", card()).set("keys", "{WAIT:2}Q");
    let prg = program(&text).0.prg().unwrap();
    let start = || Program::prg(&prg).session(&arguments).unwrap();
    let mut fresh = Program::prg(&prg).machine(&arguments).unwrap();
    let ending = fresh.run(&Limits::frames(60));
    assert!(matches!(ending, Ending::Stopped { .. }), "{ending:?}");
    let mut session = start();
    let last = session.seek(10_000_000);
    assert!(*session.machine() == fresh);
    for step in [last / 2, 3000, last - 1, 20_000, 0, 10_000] {
        assert_eq!(session.seek(step), step);
        let mut fresh = start();
        fresh.seek(step);
        assert!(session.machine() == fresh.machine(), "step {step}");
    }
}

/// A BASIC program: 10 PRINT "HI", 20 GOTO 10, as BASIC saves it at $0801.
const BASIC_PROGRAM: &[u8] = b"\x01\x08\x0c\x08\x0a\0\x99 \"HI\"\0\x15\x08\x14\0\x89 10\0\0\0";

/// A ROM that runs what is at $2000.
fn rom_to_2000() -> Vec<u8> {
    let mut rom = vec![0xea; 0x4000];
    rom[..3].copy_from_slice(&[0x4c, 0x00, 0x20]);
    rom[0x3ffa..].copy_from_slice(&[0x00, 0xc0, 0x00, 0xc0, 0x00, 0xc0]);
    rom
}

/// A ROM's BASIC gets its program as by LOAD, and the command RUN from the keyboard.
#[test]
fn a_roms_basic_runs_its_programs() {
    let text = "  .org $2000\n  lda #$42\n  sta $32\n  lda #7\n  sta $33\nl: jsr read\n  lda $31\n  beq l\n  ldx $40\n\
                \x20 sta $3000,x\n  inc $40\n  bra l\n";
    let reader = program(&format!("{text}{I2C}")).0.prg().unwrap();
    let machine = |pointers: &[(u16, u16)]| {
        let mut machine = X16::new(Config { rom: Some(rom_to_2000()), ..Config::default() }).unwrap();
        for (at, byte) in (0x2000..).zip(&reader[2..]) {
            machine.poke(at, *byte);
        }
        for (at, word) in pointers {
            machine.poke(*at, *word as u8);
            machine.poke(at + 1, (word >> 8) as u8);
        }
        machine
    };
    // As in the Commander's release 49: VARTAB, ARYTAB, STREND, FRETOP.
    let prompt = [(0x03e1, 0x0803), (0x03e3, 0x0803), (0x03e5, 0x0803), (0x03e7, 0x9f00)];
    let word = |machine: &X16, at: u16| u16::from(machine.peek(at)) | u16::from(machine.peek(at + 1)) << 8;
    let mut wrong_links = BASIC_PROGRAM.to_vec();
    for link in [2, 2 + 11] {
        wrong_links[link..link + 2].copy_from_slice(&[1, 1]);
    }
    for prg in [BASIC_PROGRAM, &wrong_links] {
        let mut machine = machine(&prompt);
        let loaded = machine.load_prg(prg).unwrap();
        assert!(loaded.is_basic && !loaded.has_basic_start);
        // $0801 and the bytes of the file behind its address.
        let end = 0x0801 + BASIC_PROGRAM.len() as u16 - 2;
        assert_eq!([0x03e1, 0x03e3, 0x03e5].map(|at| word(&machine, at)), [end; 3]);
        assert_eq!([0x0801, 0x080c, 0x0815].map(|at| word(&machine, at)), [0x080c, 0x0815, 0]);
        // What the user does then comes, too, however often that is given.
        machine.give(&Input::default());
        machine.give(&Input::typed("A").unwrap());
        machine.run(&Limits::frames(40));
        // The keys' numbers on a keyboard of IBM's: R, U, N, return, and A; with bit 7 they go up.
        let keys: Vec<u8> = [20, 23, 51, 43, 31].into_iter().flat_map(|key| [key, key | 0x80]).collect();
        let typed: Vec<u8> = (0x3000..0x3000 + keys.len() as u16).map(|at| machine.peek(at)).collect();
        assert_eq!(typed, keys);
    }
    let code = |pointers: &[(u16, u16)]| machine(pointers).load_prg(BASIC_PROGRAM).unwrap_err().code.id;
    assert_eq!(code(&[]), "V0345", "not at its prompt");
    assert_eq!(
        code(&[&prompt[..], &[(0x0500, 0x0803), (0x0502, 0x0803), (0x0504, 0x0803)]].concat()),
        "V0345"
    );
    assert_eq!(code(&[&prompt[..3], &[(0x03e7, 0x0810)]].concat()), "V0345", "no memory for it");
}

#[test]
fn basic_without_a_rom_is_refused() {
    let codes = |prg: &[u8], arguments: Arguments| {
        let report = Program::prg(prg).run(&arguments);
        report
            .map(|report| report.remarks.iter().map(|remark| remark.code.id).collect::<Vec<_>>())
            .map_err(|problem| problem.code.id)
    };
    assert_eq!(codes(BASIC_PROGRAM, Arguments::default()), Err("V0344"));
    assert_eq!(codes(&[1, 8, 0, 0], Arguments::default()), Err("V0344"), "an empty program");
    assert_eq!(X16::new(Config::default()).unwrap().load_prg(BASIC_PROGRAM).unwrap_err().code.id, "V0344");
    // Machine code behind the lines, at $0818: a BRK that ends the run at once.
    let start = Arguments::default().set("start", 0x0815);
    assert_eq!(codes(BASIC_PROGRAM, start), Ok(vec![]));
    // 10 SYS 2074, 20 PRINT; machine code at $081A returns.
    let sys = |more: &[u8]| {
        let mut prg = b"\x01\x08\x0b\x08\x0a\0\x9e2074\0".to_vec();
        prg.extend(more);
        prg.resize(2 + 0x19, 0);
        prg.push(0x60);
        prg
    };
    assert_eq!(codes(&sys(b"\0\0"), Arguments::default()), Ok(vec![]));
    assert_eq!(codes(&sys(b"\x11\x08\x14\0\x99\0\0\0"), Arguments::default()), Ok(vec!["V0344"]));
}
