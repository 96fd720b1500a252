//! The machine around VERA: memory, interrupts, the KERNAL's stand-ins, endings, recordings.

use crate::machine::{self, machine};
use gpuzoo_diag::{File, Severity};
use gpuzoo_vera::trace::Trace;
use gpuzoo_vera::{Vera, WIDTH};
use gpuzoo_x16::asm::Labels;
use gpuzoo_x16::{CYCLES_PER_FRAME, Config, Ending, Kind, Limits, MAX_OUTPUT, X16};
use proptest::prelude::*;

fn ending(text: &str) -> Ending {
    machine(text).run(&Limits::frames(3))
}

#[test]
fn programs_end_in_the_ways_that_they_may() {
    assert_eq!(ending("  rts"), Ending::Returned);
    assert_eq!(ending("  nop\n  stp"), Ending::Stopped { pc: 0x0802 });
    assert_eq!(ending("  nop\n  nop\n  brk"), Ending::Broke { pc: 0x0803 });
    assert_eq!(ending("  stz IEN\n  wai"), Ending::Asleep { pc: 0x0805 });
    assert_eq!(ending("  sei\n  stz IEN\n  wai"), Ending::Asleep { pc: 0x0806 });
    // The KERNAL has VSYNC on, which wakes the CPU.
    assert_eq!(ending("  wai\n  stp"), Ending::Stopped { pc: 0x0802 });
    assert_eq!(ending("  jsr $fecc"), Ending::RomCall { address: 0xfecc, pc: 0x0801 });
    assert_eq!(ending("  nop\n  jmp $c123"), Ending::RomCall { address: 0xc123, pc: 0x0802 });
    assert_eq!(ending("l: jmp l"), Ending::Frames { frames: 3, pc: 0x0801, idle: true, returned: false });
    assert_eq!(ending("l: bra l"), Ending::Frames { frames: 3, pc: 0x0801, idle: true, returned: false });
    let busy = ending("l: nop\n  jmp l");
    assert!(matches!(busy, Ending::Frames { frames: 3, idle: false, .. }), "{busy:?}");
    // Zero memory is BRKs: a program that runs away ends where it leaves its code.
    assert_eq!(ending("  jmp $3000"), Ending::Broke { pc: 0x3000 });
    // The program's own handler takes the BRK; here it stops.
    let handled = "  lda #<h\n  sta $0316\n  lda #>h\n  sta $0317\n  brk\n  nop\nh: stp";
    assert_eq!(ending(handled), Ending::Stopped { pc: 0x080d });
}

#[test]
fn endings_tell_what_to_do() {
    let shown = |ending: Ending| {
        let diagnostic = ending.diagnostic(&|_| None)?;
        Some((diagnostic.code.id, diagnostic.severity, diagnostic.message, diagnostic.help.len()))
    };
    let (code, severity, message, help) = shown(ending("  jsr $fecc")).expect("an error");
    assert_eq!((code, severity, help), ("V0303", Severity::Error, 1));
    assert_eq!(message, "no ROM: the program calls $FECC (MONITOR) at $0801");
    let (code, severity, message, _) = shown(ending("  stz IEN\n  wai")).expect("an error");
    assert_eq!((code, severity), ("V0307", Severity::Error));
    assert_eq!(message, "WAI before $0805 waits forever: no interrupt is enabled");
    let (code, severity, message, _) = shown(ending("l: nop\n  bra l")).expect("a warning");
    assert_eq!((code, severity), ("V0306", Severity::Warning));
    assert!(message.starts_with("stopped after 3 frames at $080"), "{message}");
    let (_, severity, message, _) = shown(ending("l: bra l")).expect("a note");
    assert_eq!((severity, &*message), (Severity::Note, "stopped after 3 frames; the program idles at $0801"));
    // At WAI, not behind it.
    let waits = shown(ending("  lda #1\n  sta IEN\nl: wai\n  lda #1\n  sta ISR\n  bra l")).expect("a note");
    assert_eq!(waits.2, "stopped after 3 frames; the program idles at $0806");
    assert_eq!(shown(ending("  rts")), None);
}

/// A reset of VERA begins its picture anew: a program that does nothing else completes none, and ends all the same.
#[test]
fn a_program_without_a_whole_picture_ends() {
    let resets = "l: lda #$80\n  sta CTRL\n  bra l";
    let mut program = machine(resets);
    let ending = program.run(&Limits::frames(10));
    assert!(matches!(ending, Ending::Incomplete { frames: 0, wanted: 10, .. }), "{ending:?}");
    let frames = program.cycles() / CYCLES_PER_FRAME;
    assert_eq!((frames, ending.is_final()), (22, false));
    let warning = ending.diagnostic(&|_| None).expect("a warning");
    assert_eq!((warning.code.id, warning.severity, warning.help.len()), ("V0306", Severity::Warning, 1));
    assert!(
        warning.message.ends_with("after the time of 22 frames: 0 of 10 were completed"),
        "{}",
        warning.message
    );
    // A limit of cycles is kept to, and one of frames alone leaves time for a few resets.
    let limits = Limits { frames: Some(10), cycles: Some(100) };
    assert!(matches!(machine(resets).run(&limits), Ending::Cycles { cycles: 100.., .. }));
    let some = "  ldx #20\nl: lda #$80\n  sta CTRL\n  ldy #200\nw: dey\n  bne w\n  dex\n  bne l\ns: bra s";
    assert!(matches!(machine(some).run(&Limits::frames(1)), Ending::Frames { frames: 1, .. }));
}

#[test]
fn a_limit_can_be_met_again() {
    let mut machine = machine("l: inc $22\n  bra l");
    // 5 + 3 cycles a round: the 800th cycle ends round 100.
    assert_eq!(machine.run(&Limits::cycles(800)), Ending::Cycles { cycles: 800, pc: 0x0801 });
    assert_eq!((machine.cycles(), machine.peek(0x22)), (800, 100));
    // An instruction is finished: the limit is met in its first cycle.
    assert_eq!(machine.run(&Limits::cycles(1)), Ending::Cycles { cycles: 5, pc: 0x0803 });
    assert_eq!(machine.run(&Limits::frames(0)), Ending::Cycles { cycles: 0, pc: 0x0803 });
    assert!(matches!(machine.run(&Limits::frames(1)), Ending::Frames { frames: 1, .. }));
    assert_eq!(machine.vera().line(), 480);
}

/// Whatever cycle the limit is met in, the fetch that ends the program included.
#[test]
fn no_limit_hides_an_end() {
    for limit in 1..20 {
        let mut machine = machine("  nop\n  rts");
        let first = machine.run(&Limits::cycles(limit));
        assert!(matches!(first, Ending::Cycles { .. } | Ending::Returned), "{limit}: {first:?}");
        assert_eq!(machine.run(&Limits::default()), Ending::Returned, "{limit}");
    }
}

#[test]
fn after_the_end_nothing_runs() {
    let mut machine = machine("  inc $22\n  stp");
    let stopped = Ending::Stopped { pc: 0x0803 };
    assert_eq!(machine.run(&Limits::default()), stopped);
    let cycles = machine.cycles();
    assert_eq!(machine.run(&Limits::default()), stopped);
    assert_eq!(machine.step().ending, Some(stopped));
    assert_eq!((machine.cycles(), machine.peek(0x22)), (cycles, 1));
    machine.start_at(0x0801);
    machine.run(&Limits::default());
    assert_eq!(machine.peek(0x22), 2);
}

#[test]
fn the_kernals_stand_ins() {
    let mut text = machine(
        "  ldx #0\nl: lda text,x\n  beq done\n  jsr CHROUT\n  inx\n  bra l\ndone: rts\ntext: .byte $93, $48, $69, $20, $c8, $c9, $0d, 0",
    );
    assert_eq!(text.run(&Limits::default()), Ending::Returned);
    assert_eq!(text.output(), "Hi HI\n");

    let mut key = machine("  lda #$55\n  sec\n  jsr $ffe4\n  sta $22\n  rts");
    key.poke(0x22, 9);
    key.run(&Limits::default());
    assert_eq!((key.peek(0x22), key.cpu().p & 0x03), (0, 0x02));

    // The clock, low byte first: the handler counts frames.
    let mut time = machine("  wai\n  wai\n  jsr $ffde\n  stp");
    time.run(&Limits::default());
    assert_eq!((time.cpu().a, time.cpu().x, time.cpu().y), (2, 0, 0));
}

#[test]
fn screen_mode_sets_up_the_registers() {
    let mut bitmap = machine("  lda #$80\n  clc\n  jsr SCREEN_MODE\n  bcs no\n  rts\nno: stp");
    assert_eq!(bitmap.run(&Limits::default()), Ending::Returned);
    let vera = bitmap.vera();
    assert_eq!((vera.peek(0x0d), vera.peek(0x0f)), (0x07, 0), "8 bpp at 0, 320 wide");
    let mut video = vera.clone();
    video.write(0x05, 0);
    assert_eq!([0x09, 0x0a, 0x0b].map(|register| video.peek(register)), [0x39, 64, 64]);

    let mut get = machine("  lda #1\n  clc\n  jsr SCREEN_MODE\n  sec\n  jsr SCREEN_MODE\n  stp");
    get.run(&Limits::default());
    assert_eq!((get.cpu().a, get.cpu().x, get.cpu().y, get.cpu().p & 1), (1, 80, 30, 0));
    let mut wrong = machine("  lda #$77\n  clc\n  jsr SCREEN_MODE\n  stp");
    wrong.run(&Limits::default());
    assert_eq!(wrong.cpu().p & 1, 1);
}

#[test]
fn printing_has_a_limit() {
    let mut machine = machine("  lda #'x'\nl: jsr CHROUT\n  bra l");
    machine.run(&Limits::cycles(25 * MAX_OUTPUT as u64));
    assert_eq!(machine.output().len(), MAX_OUTPUT);
}

/// Counts VSYNCs at $22, and what is pushed must come back.
const COUNTER: &str = "
        sei
        lda $0314
        sta old
        lda $0315
        sta old+1
        lda #<handler
        sta $0314
        lda #>handler
        sta $0315
        lda #1
        sta IEN
        ldx #$12
        ldy #$34
        lda #$56
        cli
idle:   bra idle
handler:
        inc $22
        lda #0
        tax
        tay
";

#[test]
fn handlers_return_by_themselves_or_by_the_old_vector() {
    for end in ["  lda #1\n  sta ISR\n  ply\n  plx\n  pla\n  rti\n", "  jmp (old)\n"] {
        let mut machine = machine(&format!("{COUNTER}{end}old: .word 0"));
        machine.run(&Limits::frames(5));
        // The fifth frame ends the run before its interrupt is served.
        assert_eq!(machine.peek(0x22), 4, "{end}");
        machine.run(&Limits::cycles(1000));
        assert_eq!(machine.peek(0x22), 5);
        assert_eq!((machine.cpu().a, machine.cpu().x, machine.cpu().y), (0x56, 0x12, 0x34));
        assert_eq!(machine.cpu().s, 0xfd);
    }
}

#[test]
fn a_line_interrupt_is_taken_within_an_instruction() {
    // Line 100 of the second frame: its first clock is that of cycle 256 × (525 + 100).
    let mut machine =
        machine("  sei\n  lda #100\n  sta IRQLINE_L\n  lda #2\n  sta IEN\n  sta ISR\n  cli\nl: bra l");
    machine.run(&Limits::cycles(256 * 525 - 100));
    machine.vera_mut().write(0x07, 2);
    let entered = loop {
        let before = machine.cycles();
        if machine.step().is_interrupt {
            break before;
        }
    };
    let start = 256 * 625;
    assert!((start..start + 6).contains(&entered), "{entered} after {start}");
}

#[test]
fn wai_ends_at_once_if_there_is_a_request() {
    let mut machine =
        machine("  sei\n  lda #1\n  sta IEN\nl: lda ISR\n  and #1\n  beq l\n  wai\n  inc $22\n  stp");
    while machine.peek(machine.cpu().pc) != 0xcb {
        machine.step();
    }
    let before = machine.cycles();
    machine.run(&Limits::default());
    // 3 cycles of WAI and 2 to wake up, 5 of INC and 3 of STP.
    assert_eq!((machine.peek(0x22), machine.cycles() - before), (1, 13));
    // And it wakes with the line: 480 × 256, then those two cycles.
    let mut machine = self::machine("  sei\n  lda #1\n  sta IEN\n  wai\n  stp");
    while machine.step().ending.is_none() {}
    let woken = machine.cycles() - 3;
    assert!((480 * 256..480 * 256 + 4).contains(&woken), "{woken}");
}

#[test]
fn read_modify_write_moves_the_port_three_times() {
    // Increment 1: both reads step, so the write lands two bytes further (measured on the RTL, vera spec section 3).
    let mut machine = machine("  stz ADDRx_L\n  stz ADDRx_M\n  lda #$10\n  sta ADDRx_H\n  inc DATA0\n  stp");
    machine.vera_mut().vram_mut()[..4].copy_from_slice(&[0x41, 0x51, 0x61, 0x71]);
    machine.run(&Limits::default());
    assert_eq!(machine.vera().vram()[..4], [0x41, 0x51, 0x42, 0x71]);
    // A store with an index reads the place first.
    let mut machine = self::machine(
        "  stz ADDRx_L\n  stz ADDRx_M\n  lda #$10\n  sta ADDRx_H\n  ldx #0\n  lda #9\n  sta DATA0,x\n  stp",
    );
    machine.run(&Limits::default());
    assert_eq!(machine.vera().vram()[..2], [0, 9]);
}

#[test]
fn steps_tell_everything() {
    let mut machine = machine("  lda #2<<1\n  sta CTRL\n  lda #$40\n  sta $9f29\n  stp");
    machine.step();
    machine.step();
    machine.step();
    let step = machine.step();
    assert_eq!((step.pc, step.cycles, step.is_interrupt), (0x0808, 4, false));
    assert_eq!(step.text(Some(2), &Labels::default()), "sta VERA_FX_CTRL");
    assert_eq!((step.before.a, step.after.pc), (0x40, 0x080b));
    let access = step.accesses[0];
    assert_eq!((access.cycle, access.register, access.kind, access.value), (12, 0x09, Kind::Write, 0x40));
    assert_eq!(machine.step().ending, Some(Ending::Stopped { pc: 0x080b }));
}

#[test]
fn banks_of_ram() {
    let text = "  lda #1\n  sta 0\n  sta $a000\n  lda #63\n  sta 0\n  sta $bfff\n  lda #64\n  sta 0\n  sta $a000\n  lda $a000\n  sta $22\n  lda #1\n  sta 0\n  lda $a000\n  sta $23\n  stp";
    let mut machine = machine(text);
    machine.run(&Limits::default());
    // There is no bank 64 in 512 KB: nothing drives the bus, and the high byte of the address stays on it.
    assert_eq!((machine.peek(0x22), machine.peek(0x23)), (0xa0, 1));
    machine.poke(0, 63);
    assert_eq!((machine.peek(0xbfff), machine.peek(0xa000)), (63, 0));
}

#[test]
fn input_and_output_that_is_not_there() {
    let mut machine = machine("  lda #$0f\n  sta $9f03\n  lda #$05\n  sta $9f01\n  stp");
    machine.run(&Limits::default());
    // Port A: outputs 3:0 as written, inputs pulled up.
    assert_eq!(machine.peek(0x9f01), 0xf5);
    assert_eq!((machine.peek(0x9f10), machine.peek(0x9f41), machine.peek(0x9f60)), (0xff, 0, 0x9f));
}

/// A ROM of two banks: the first one starts at $C000 and calls into the second.
#[test]
fn a_rom_runs_from_its_reset_vector() {
    let mut rom = vec![0xea; 0x8000];
    // lda #1, sta 1 (the bank changes under the program), then in bank 1 at $C004: lda $C100, sta $22, stp.
    rom[..4].copy_from_slice(&[0xa9, 1, 0x85, 1]);
    rom[0x4004..0x400a].copy_from_slice(&[0xad, 0x00, 0xc1, 0x85, 0x22, 0xdb]);
    rom[0x4100] = 0x77;
    rom[0x3ffc..0x3ffe].copy_from_slice(&[0x00, 0xc0]);
    let mut machine = X16::new(Config { rom: Some(rom), ..Config::default() }).expect("a machine");
    assert_eq!(machine.run(&Limits::default()), Ending::Stopped { pc: 0xc009 });
    assert_eq!((machine.peek(0x22), machine.peek(0xc100)), (0x77, 0x77));
    // Bank 2 is not there.
    machine.poke(1, 2);
    assert_eq!(machine.peek(0xc100), 0xc1);
}

/// The Commander's KERNAL has its vectors in bank 0 alone: the chip's pin VPB resets the latch of the bank, and $0001 still says which one
/// it was (x16-rom, R44).
#[test]
fn vectors_are_those_of_the_first_bank() {
    let mut rom = vec![0xaa; 0x8000];
    rom[0x3ffc..0x4000].copy_from_slice(&[0x00, 0xc0, 0x00, 0xc1]);
    // jmp $C000; then lda 1, sta $22, lda $C200, sta $23, lda #1, sta ISR, rti.
    rom[..3].copy_from_slice(&[0x4c, 0x00, 0xc0]);
    let handler = [0xa5, 1, 0x85, 0x22, 0xad, 0x00, 0xc2, 0x85, 0x23, 0xa9, 1, 0x8d, 0x27, 0x9f, 0x40];
    rom[0x100..0x100 + handler.len()].copy_from_slice(&handler);
    (rom[0x200], rom[0x4200]) = (0x55, 0x66);
    let mut machine = X16::new(Config { rom: Some(rom), ..Config::default() }).expect("a machine");
    let text = "  lda #1\n  sta 1\n  sta $9f26\n  lda $c200\n  sta $24\n  wai\n  lda $c200\n  sta $25\n  stp";
    let prg = machine::program(text).0.prg().expect("a program");
    machine.load_prg(&prg).expect("it fits");
    assert!(matches!(machine.run(&Limits::default()), Ending::Stopped { .. }));
    assert_eq!([0x22, 0x23, 0x24, 0x25].map(|at| machine.peek(at)), [1, 0x55, 0x66, 0x55]);
}

/// Timer 1 of the first VIA ends a WAI in the cycle that the data sheet says, and one of the second asks again and again.
#[test]
fn timers_interrupt() {
    let wait = |latch: u16| {
        let [low, high] = latch.to_le_bytes();
        let text = format!(
            "  sei\n  lda #$c0\n  sta $9f0e\n  lda #{low}\n  sta $9f04\n  lda #{high}\n  sta $9f05\n  wai\n  stp"
        );
        let mut machine = machine(&text);
        assert!(matches!(machine.run(&Limits::default()), Ending::Stopped { .. }));
        machine.cycles()
    };
    assert_eq!(wait(5000) - wait(1000), 4000);
    // 20 cycles up to the write of the count, N + 2 to the interrupt; the CPU sees it a cycle later, leaves WAI in one more, and STP
    // takes three.
    assert_eq!(wait(1000), 20 + 1002 + 2 + 3);
    let text = "  sei\n  lda #<h\n  sta $0314\n  lda #>h\n  sta $0315\n  lda #$40\n  sta $9f1b\n  lda #$c0\n  sta $9f1e\n  lda #0\n  \
                sta $9f14\n  lda #4\n  sta $9f15\n  cli\nl: bra l\nh: inc $22\n  lda $9f14\n  ply\n  plx\n  pla\n  rti";
    let mut machine = machine(text);
    machine.run(&Limits::cycles(100_000));
    assert_eq!(u64::from(machine.peek(0x22)), 100_000 / 1026, "every 1026 cycles");
}

/// The same bytes for the same seed; the vectors and the banks' numbers are as always, and a program runs.
#[test]
fn memory_may_be_anything_at_first() {
    let made = |seed| X16::new(Config { random_memory: seed, ..Config::default() }).expect("a machine");
    let (one, again, other, zero) = (made(Some(1)), made(Some(1)), made(Some(2)), made(None));
    assert!(one == again && one != other && one != zero);
    let differ = (0x400..0x9f00u16).filter(|at| one.peek(*at) != zero.peek(*at)).count();
    assert!((39_000..39_680).contains(&differ), "255 of 256 bytes are not 0: {differ}");
    for at in [0, 1, 0x0314, 0x0315, 0x0316, 0x0317] {
        assert_eq!(one.peek(at), zero.peek(at));
    }
    // Where the KERNAL has nothing.
    assert!(one.vera().vram()[..0x1_b000].iter().filter(|byte| **byte == 0).count() < 1000);
    let mut machine = made(Some(7));
    let prg = machine::program("  lda #5\n  sta $22\n  stp").0.prg().expect("a program");
    machine.load_prg(&prg).expect("it fits");
    assert!(matches!(machine.run(&Limits::default()), Ending::Stopped { .. }));
    assert_eq!(machine.peek(0x22), 5);
}

/// The KERNAL clears $0200 to $03FF (`ramtas` of x16-rom 251608b); the stack is as it happens to be.
#[test]
fn the_kernals_variables_begin_at_0200() {
    let made = |seed| X16::new(Config { random_memory: Some(seed), ..Config::default() }).expect("a machine");
    let bytes: Vec<[u8; 2]> = (1..5).map(|seed| [0x01ff, 0x0200].map(|at| made(seed).peek(at))).collect();
    assert!(bytes.iter().all(|[stack, variable]| *stack != 0 && *variable == 0), "{bytes:x?}");
}

#[test]
fn wrong_files_and_settings_have_codes() {
    let code = |prg: &[u8]| machine("  rts").load_prg(prg).map(|_| ()).map_err(|problem| problem.code.id);
    assert_eq!(code(&[]), Err("V0301"));
    assert_eq!(code(&[0x01, 0x08]), Err("V0301"));
    assert_eq!(code(&[0x01, 0x00, 1]), Err("V0302"));
    assert_eq!(code(&[0x23, 0x9f, 1]), Err("V0302"));
    assert_eq!(code(&[0x00, 0xc0, 1]), Err("V0302"));
    assert_eq!(code(&[0xff, 0x9e, 1]), Ok(()));
    assert_eq!(code(&[0xff, 0x9e, 1, 1]), Err("V0302"));
    assert_eq!(code(&[0xff, 0xbf, 1]), Ok(()));
    assert_eq!(code(&[0xff, 0xbf, 1, 1]), Err("V0302"));
    assert_eq!(code(&vec![0x02; 0x1_0000]), Err("V0302"));
    assert_eq!(code(&[[0x02, 0x00].as_slice(), &[0x60; 0x9efe]].concat()), Ok(()));
    let config = |rom: usize, ram_banks| {
        let rom = Some(vec![0; rom]);
        X16::new(Config { rom, ram_banks, ..Config::default() })
            .map(|_| ())
            .map_err(|problem| problem.code.id)
    };
    assert_eq!((config(0x4000, 1), config(0x8_0000, 256)), (Ok(()), Ok(())));
    assert_eq!((config(0x4001, 64), config(0x8_4000, 64)), (Err("V0304"), Err("V0304")));
    assert_eq!((config(0x4000, 0), config(0x4000, 257)), (Err("V0305"), Err("V0305")));
}

#[test]
fn programs_start_where_basic_says() {
    let stub =
        "  .word next, 10\n  .byte $9e, \"2064\", 0\nnext: .word 0\n  .byte $ff, $ff, $ff\n  lda #1\n  rts";
    let prg = machine::program(stub).0.prg().expect("a program");
    let mut machine = machine("  rts");
    let loaded = machine.load_prg(&prg).expect("it fits");
    assert_eq!((loaded.address, loaded.start, loaded.has_basic_start), (0x0801, 2064, true));
    assert_eq!(machine.run(&Limits::default()), Ending::Returned);
    let loaded = machine.load_at(0x2000, &[0x60]).expect("it fits");
    assert_eq!((loaded.start, loaded.has_basic_start, loaded.length), (0x2000, false, 1));
}

/// A program of Debian's cc65: `x16/lines.s`.
#[test]
fn a_program_of_another_assembler_runs() {
    let mut machine = machine("  rts");
    let loaded = machine.load_prg(include_bytes!("x16/lines.prg")).expect("it fits");
    assert_eq!((loaded.address, loaded.start, loaded.has_basic_start), (0x0801, 2061, true));
    assert_eq!(machine.run(&Limits::default()), Ending::Returned);
    assert_eq!(machine.output(), "DONE\n");
    // Colour 6 everywhere; colour 1 on (i, i) for 200 points.
    for (at, byte) in machine.vera().vram()[..320 * 240].iter().enumerate() {
        let (x, y) = (at % 320, at / 320);
        let expected = if x == y && x < 200 { 1 } else { 6 };
        assert_eq!(*byte, expected, "({x}, {y})");
    }
    assert!(machine.vera().vram()[320 * 240..0x1_b000].iter().all(|byte| *byte == 0));
    // And on the screen, twice as large, one frame later: blue, with the diagonal in white.
    let mut vera = machine.vera().clone();
    vera.advance_frame();
    vera.advance_frame();
    let (blue, white) = ([0, 0, 0xaa, 255], [255; 4]);
    assert_eq!(vera.picture()[100 * WIDTH + 300], blue);
    assert_eq!(vera.picture()[100 * WIDTH + 100..][..2], [white; 2]);
    assert_eq!(vera.picture()[101 * WIDTH + 102], blue);
}

#[test]
fn a_clone_is_a_saved_state() {
    let mut machine = machine(&format!("{COUNTER}  jmp (old)\nold: .word 0"));
    machine.run(&Limits::frames(2));
    let mut copy = machine.clone();
    let run = |machine: &mut X16| {
        machine.run(&Limits::cycles(400_000));
        (machine.cycles(), *machine.cpu(), machine.vera().clock(), machine.peek(0x22))
    };
    assert_eq!(run(&mut machine), run(&mut copy));
}

/// Registers whose reads do not depend on the time.
fn timeless(register: u8) -> bool {
    !matches!(register, 0x05..=0x08 | 0x1b..=0x1f)
}

/// A program of register accesses with four cycles or more from one to the next.
fn accesses(operations: &[(bool, u8, u8, u8)]) -> String {
    let mut text = String::new();
    for (is_write, register, value, dcsel) in operations {
        if *dcsel < 7 {
            // CTRL without the reset.
            text += &format!("  lda #{}\n  sta CTRL\n", dcsel << 1 | value & 1);
        }
        let address = 0x9f20 + u16::from(*register);
        match is_write {
            true => text += &format!("  lda #{value}\n  sta ${address:04x}\n"),
            false => text += &format!("  lda ${address:04x}\n"),
        }
    }
    text + "  stp\n"
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// A recording, replayed, gives what the program read and left.
    #[test]
    fn recordings_replay(
        operations in prop::collection::vec((any::<bool>(), 0u8..32, any::<u8>(), 0u8..20), 1..400),
    ) {
        let operations: Vec<_> = operations.into_iter().filter(|operation| timeless(operation.1)).collect();
        let mut machine = machine(&accesses(&operations));
        machine.record();
        prop_assert_eq!(machine.run(&Limits::default()).is_final(), true);
        let (text, remark) = machine.recorded().expect("a recording");
        assert_eq!(remark, None);
        let (trace, problems) = Trace::parse(&File::new("recorded", &text));
        prop_assert!(problems.is_empty());
        let mut vera = Vera::default();
        trace.replay(&mut vera, |operation, value| assert_eq!(operation.value, value, "line {}", operation.line));
        prop_assert!(vera.vram() == machine.vera().vram());
        let rows = trace.vram();
        prop_assert!(rows.as_deref().is_none_or(|rows| rows == vera.vram()));
        prop_assert!(rows.is_some() || vera.vram().iter().all(|byte| *byte == 0));
    }

    /// Running is stepping: VERA's time, interrupts and the picture come out the same, though a run lets VERA lag
    /// behind.
    #[test]
    fn a_run_is_its_steps(
        operations in prop::collection::vec((any::<bool>(), 0u8..32, any::<u8>(), 0u8..20), 1..60),
        cycles in 1u64..300_000,
        ien in 0u8..16,
    ) {
        let text = format!(
            "  lda #{ien}\n  sta IEN\n  lda #$31\n  sta DC_VIDEO\nagain:\n{}",
            accesses(&operations).replace("  stp\n", "  inc $30\n  jmp again\n"),
        );
        let mut run = machine(&text);
        let mut stepped = run.clone();
        let ending = run.run(&Limits::cycles(cycles));
        let mut last = None;
        while stepped.cycles() < cycles && last.is_none() {
            last = stepped.step().ending;
        }
        prop_assert_eq!((run.cycles(), run.cpu()), (stepped.cycles(), stepped.cpu()));
        prop_assert_eq!(run.vera().clock(), stepped.vera().clock());
        prop_assert_eq!(ending.is_final(), last.is_some());
        prop_assert!(run.vera().vram() == stepped.vera().vram());
        prop_assert!(run.vera().picture() == stepped.vera().picture());
        // 3 ⅛ clocks a cycle.
        prop_assert_eq!(run.vera().clock(), run.cycles() * 25 / 8);
    }

    /// Any bytes run, with everything switched on, and end.
    #[test]
    fn nothing_panics(
        code in prop::collection::vec(any::<u8>(), 1..2000),
        at in 2u16..0x9000,
        vera in any::<bool>(),
        irq in 0u8..16,
    ) {
        // Half of the programs use VERA's registers as every third byte's page.
        let mut code = code;
        if vera {
            for bytes in code.chunks_exact_mut(3) {
                bytes[1] = 0x20 | bytes[1] & 0x1f;
                bytes[2] = 0x9f;
            }
        }
        let mut machine = X16::new(Config { ram_banks: 1, ..Config::default() }).expect("a machine");
        machine.load_at(at, &code).expect("it fits");
        machine.vera_mut().write(0x06, irq);
        machine.record();
        machine.lint(Vec::new());
        for _ in 0..200 {
            let step = machine.step();
            prop_assert!(step.cycles > 0 || step.ending.is_some());
            step.text(None, &Labels::default());
        }
        let ending = machine.run(&Limits { frames: Some(2), cycles: Some(100_000) });
        prop_assert!(!ending.text().is_empty());
        for address in (0..=0xffff).step_by(7) {
            machine.peek(address);
        }
        for finding in machine.findings() {
            finding.diagnostic(&|_| None, &Labels::default());
        }
        machine.recorded();
    }
}
