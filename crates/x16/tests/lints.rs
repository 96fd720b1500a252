//! Every lint: a program that breaks the rule, and one that does the same in the right way.

use crate::machine::{self, machine};
use gpuzoo_x16::Limits;
use gpuzoo_x16::asm::Labels;
use gpuzoo_x16::lints::{CODES, Finding};

type Found = (&'static str, u16, &'static str, u64);

/// Rule, address, register and count of what is found.
fn all(text: &str) -> Vec<Found> {
    let shown = |finding: &Finding| (finding.code.id, finding.pc, finding.register, finding.count);
    let mut machine = machine(text);
    machine.lint(Vec::new());
    machine.run(&Limits::frames(3));
    machine.findings().iter().map(shown).collect()
}

/// The same without memory that nothing has written: these programs are short.
fn found(text: &str) -> Vec<Found> {
    all(text).into_iter().filter(|(code, ..)| *code != "V0409").collect()
}

/// That memory alone.
fn unwritten(text: &str) -> Vec<Found> {
    all(text).into_iter().filter(|(code, ..)| *code == "V0409").collect()
}

/// `lda #value`, `sta CTRL` with a bank, four or five bytes in front of what follows.
fn bank(dcsel: u8) -> String {
    format!("  lda #{dcsel}<<1\n  sta CTRL\n")
}

#[test]
fn reads_of_write_only_registers() {
    assert_eq!(found(&(bank(2) + "  lda FX_MULT\n  stp")), [("V0401", 0x0806, "FX_MULT", 1)]);
    assert_eq!(found("  lda AUDIO_DATA\n  stp"), [("V0401", 0x0801, "AUDIO_DATA", 1)]);
    // TSB reads as well, once for the lint.
    assert_eq!(found(&(bank(2) + "  tsb FX_TILEBASE\n  stp")), [("V0401", 0x0806, "FX_TILEBASE", 1)]);
    assert_eq!(found(&(bank(2) + "  lda FX_CTRL\n  stp")), []);
    assert_eq!(found(&(bank(63) + "  lda $9f2c\n  stp")), []);
    assert_eq!(found(&(bank(2) + "  sta FX_MULT\n  stp")), []);
}

#[test]
fn writes_of_read_only_registers() {
    assert_eq!(found(&(bank(5) + "  sta FX_POLY_FILL_L\n  stp")), [("V0402", 0x0806, "FX_POLY_FILL_L", 1)]);
    assert_eq!(found(&(bank(9) + "  sta $9f29\n  stp")), [("V0402", 0x0806, "no register", 1)]);
    assert_eq!(found(&(bank(5) + "  sta FX_X_POS_S\n  lda FX_POLY_FILL_L\n  sta IRQLINE_L\n  stp")), []);
}

#[test]
fn memory_that_nothing_has_written() {
    assert_eq!(unwritten("l: lda $22\n  inx\n  cpx #3\n  bne l\n  stp"), [("V0409", 0x0801, "memory", 3)]);
    assert_eq!(unwritten("  lda #0\n  sta $22\n  lda $22\n  stp"), []);
    // In the program's file, its zeros too; on the stack what was pushed.
    assert_eq!(unwritten("  lda zero\n  pha\n  pla\n  jsr s\n  stp\nzero: .byte 0\ns: rts"), []);
    assert_eq!(
        unwritten("  pla\n  pla\n  pla\n  stp"),
        [("V0409", 0x0803, "memory", 1)],
        "beyond the return address"
    );
    // A read to change it, and a bank that is not the one that was written.
    assert_eq!(unwritten("  inc $0400\n  stp"), [("V0409", 0x0801, "memory", 1)]);
    let banks = "  lda #2\n  sta 0\n  sta $a000\n  lda $a000\n  inc 0\n  lda $a000\n  stp";
    assert_eq!(unwritten(banks), [("V0409", 0x080d, "memory", 1)]);
}

#[test]
fn memory_that_nothing_has_written_is_told_with_its_instruction() {
    let mut machine = machine("  lda $1234\n  stp");
    machine.lint(Vec::new());
    machine.run(&Limits::default());
    let message = machine.findings()[0].diagnostic(&|_| None, &Labels::default()).message;
    assert!(message.starts_with("$0801 `lda $1234`: "), "{message}");
}

/// Aims port 0 at $10000, moving by 1, eleven bytes of program.
const AIM: &str = "  stz ADDRx_L\n  stz ADDRx_M\n  lda #$11\n  sta ADDRx_H\n";

#[test]
fn video_memory_that_nothing_has_written() {
    let aimed = |text: &str| unwritten(&(AIM.to_owned() + text + "  stp"));
    assert_eq!(aimed("  lda DATA0\n  sta $22\n"), [("V0409", 0x080c, "memory", 1)]);
    assert_eq!(aimed("  ldx DATA0\n  beq s\ns: stp\n"), [("V0409", 0x080c, "memory", 1)]);
    assert_eq!(aimed("  ldy #3\nl: lda DATA0\n  tax\n  dey\n  bne l\n"), [("V0409", 0x080e, "memory", 3)]);
    assert_eq!(aimed("  ora DATA0\n"), [("V0409", 0x080c, "memory", 1)]);
    // What is written is known, whatever was fetched before.
    assert_eq!(aimed("  stz DATA0\n  stz ADDRx_L\n  lda DATA0\n  sta $22\n"), []);
    // A read to move on, whose byte nobody looks at: it is overwritten, or saved and pulled again.
    assert_eq!(aimed("  lda DATA0\n  lda #1\n  sta $22\n  bit DATA0\n"), []);
    assert_eq!(aimed("  ldx DATA0\n  dey\n  beq s\ns: phx\n  plx\n"), []);
    // What the KERNAL has written: the screen's blanks and the zeros of the characters, the palette and the sprites.
    let at = |high: u8| format!("  lda #{high}\n  sta ADDRx_M\n  lda DATA0\n  sta $22\n");
    assert_eq!(aimed(&(at(0xb0) + &at(0xf0) + &at(0xfa) + &at(0xfc))), []);
    assert_eq!(aimed(&at(0xaf)), [("V0409", 0x0811, "memory", 1)]);
    // FX's cache takes the byte; a polygon goes on.
    let fx =
        |control: &str| aimed(&(bank(2) + "  lda #" + control + "\n  sta FX_CTRL\n  lda DATA0\n  lda #0\n"));
    assert_eq!(fx("$20"), [("V0409", 0x0816, "memory", 1)]);
    assert_eq!(fx("2"), []);
}

/// A handler of LINE at line 64 that begins so.
fn line_handler(text: &str) -> String {
    "  sei\n  lda #<handler\n  sta $314\n  lda #>handler\n  sta $315\n  lda #64\n  sta IRQLINE_L\n\
     \x20 lda #2\n  sta IEN\n  cli\nidle: bra idle\nhandler:\n"
        .to_owned()
        + text
        + "done: lda #2\n  sta ISR\n  ply\n  plx\n  pla\n  rti\n"
}

#[test]
fn handlers_that_compare_scanline_with_irqline() {
    const AT: u16 = 0x0819;
    let [once, twice] = [("V0410", AT, "SCANLINE_L", 3), ("V0410", AT + 2, "SCANLINE_L", 3)];
    let found = |text: &str| found(&line_handler(text));
    assert_eq!(found("  lda SCANLINE_L\n  cmp #64\n  bne done\n"), [once]);
    assert_eq!(found("  lda SCANLINE_L\n  cmp #32\n  beq done\n  cmp #64\n  beq done\n"), [once]);
    assert_eq!(found("  ldy SCANLINE_L\n  cpy #20\n  bne :+\n  nop\n: cpy #64\n  beq done\n"), [once]);
    assert_eq!(found("  lda SCANLINE_L\n  eor #64\n  beq done\n"), [once]);
    assert_eq!(found("  lda #64\n  cmp SCANLINE_L\n  beq done\n"), [twice]);
    // The right number; an order; no handler; another use.
    assert_eq!(found("  lda SCANLINE_L\n  cmp #65\n  bne done\n"), []);
    assert_eq!(found("  lda SCANLINE_L\n  cmp #64\n  bcc done\n"), []);
    assert_eq!(found("  lda SCANLINE_L\n  sta $22\n"), []);
    let waits = "  lda #64\n  sta IRQLINE_L\nw: lda SCANLINE_L\n  cmp #64\n  bne w\n  stp";
    assert_eq!(self::found(waits), []);
}

/// Emulators show the line itself, so that the comparison holds.
#[test]
fn scanline_is_irqline_in_emulators() {
    let text = line_handler("  lda SCANLINE_L\n  cmp #64\n  bne done\n");
    let deviations = gpuzoo_vera::Profile::X16Emu.deviations();
    let mut machine = gpuzoo_x16::X16::new(gpuzoo_x16::Config { deviations, ..Default::default() }).unwrap();
    machine.load_prg(&machine::program(&text).0.prg().unwrap()).unwrap();
    machine.lint(Vec::new());
    machine.run(&Limits::frames(3));
    assert!(machine.findings().is_empty());
}

#[test]
fn registers_of_another_bank() {
    let found = |text: &str| {
        let (program, sources) = machine::program(text);
        let mut machine = machine(text);
        machine.lint(gpuzoo_x16::asm::registers(&program, &sources));
        machine.run(&Limits::frames(3));
        let found =
            machine.findings().iter().map(|finding| (finding.code.id, finding.pc, finding.message.clone()));
        found.collect::<Vec<_>>()
    };
    let message = "FX_X_INCR_L is at DCSEL 3, but DCSEL is 2: this is FX_CTRL".to_owned();
    assert_eq!(
        found(&(bank(2) + "  stz VERA_FX_X_INCR_L ; not FX_CTRL\n  stp")),
        [("V0408", 0x0806, message)]
    );
    assert_eq!(found(&(bank(3) + "  stz FX_X_INCR_L\n  stp")), []);
    // An address says nothing about the bank.
    assert_eq!(found(&(bank(2) + "  stz $9f29 ; FX_X_INCR_L\n  stp")), []);
    assert_eq!(found("  stz DC_VIDEO\n  stz VERA_L0_CONFIG\n  stp"), []);
}

#[test]
fn instructions_that_touch_a_port_twice() {
    assert_eq!(found("  inc DATA0\n  stp"), [("V0403", 0x0801, "DATA0", 1)]);
    assert_eq!(found("  ldx #0\n  sta DATA1,x\n  stp"), [("V0403", 0x0803, "DATA1", 1)]);
    assert_eq!(found("  sed\n  adc DATA0\n  stp"), [("V0403", 0x0802, "DATA0", 1)]);
    assert_eq!(found("  lda DATA0\n  inc a\n  sta DATA0\n  sta DATA0\n  inc DC_BORDER\n  stp"), []);
}

#[test]
fn an_accumulator_that_was_never_reset() {
    let accumulate = bank(2) + "  lda #$10\n  sta FX_MULT\n" + &bank(6);
    assert_eq!(found(&(accumulate.clone() + "  lda FX_ACCUM\n  stp")), [("V0404", 0x0810, "FX_ACCUM", 1)]);
    assert_eq!(found(&(accumulate + "  lda FX_ACCUM_RESET\n  lda FX_ACCUM\n  stp")), []);
    let mult = |value: u8| format!("{}  lda #{value}\n  sta FX_MULT\n  stp", bank(2));
    assert_eq!(found(&mult(0x50)), [("V0404", 0x0808, "FX_MULT", 1)]);
    // Both at once: the reset wins. Without the multiplier the cache is loaded.
    assert_eq!(found(&mult(0xd0)), []);
    assert_eq!(found(&mult(0x40)), []);
    // A cache write stores the sum.
    let write = |first: &str| {
        bank(2) + first + "  lda #$10\n  sta FX_MULT\n  lda #$40\n  sta FX_CTRL\n  stz DATA0\n  stp"
    };
    assert_eq!(found(&write("")), [("V0404", 0x0810, "DATA0", 1)]);
    assert_eq!(found(&write("  lda #$80\n  sta FX_MULT\n")), []);
}

/// A polygon line from `left` to `right`, drawn with one store.
fn polygon(left: u8, right: u8) -> String {
    bank(2)
        + "  lda #2\n  sta FX_CTRL\n"
        + &bank(4)
        + &format!("  lda #{left}\n  sta FX_X_POS_L\n  lda #{right}\n  sta FX_Y_POS_L\n  sta DATA1\n  stp")
}

#[test]
fn polygon_lines_of_negative_length() {
    assert_eq!(found(&polygon(10, 5)), [("V0405", 0x081a, "DATA1", 1)]);
    assert_eq!(found(&polygon(5, 10)), []);
    assert_eq!(found(&polygon(5, 5)), []);
    // Only a write of DATA1 draws a line.
    assert_eq!(found(&polygon(10, 5).replace("sta DATA1", "lda DATA1\n  sta DATA0")), []);
}

/// FX fills the cache while VSYNC interrupts; the handler reads DATA0.
fn handler(prologue: &str) -> String {
    bank(2)
        + "  sei\n  lda #$20\n  sta FX_CTRL\n  lda #<handler\n  sta $314\n  lda #>handler\n  sta $315\n"
        + "  lda #1\n  sta IEN\n  cli\nidle: bra idle\nhandler:\n"
        + prologue
        + "read: lda DATA0\n  lda #1\n  sta ISR\n  ply\n  plx\n  pla\n  rti\n"
}

#[test]
fn handlers_that_use_a_port_while_fx_is_on() {
    // 3 frames: the third VSYNC ends the run.
    let place = machine::program(&handler("")).0.symbol("read").expect("the label").value as u16;
    assert_eq!(found(&handler("")), [("V0406", place, "DATA0", 2)]);
    assert_eq!(found(&handler("  stz FX_CTRL\n")), []);
    // Outside of a handler nothing is wrong.
    assert_eq!(found(&(bank(2) + "  lda #$20\n  sta FX_CTRL\n  lda DATA0\n  stp")), []);
}

#[test]
fn affine_accesses_that_come_too_soon() {
    let affine = |access: &str| bank(2) + "  lda #3\n  sta FX_CTRL\n" + access + "  stp";
    assert_eq!(
        found(&affine("  inc DATA1\n")),
        [("V0403", 0x080b, "DATA1", 1), ("V0407", 0x080b, "DATA1", 2)]
    );
    assert_eq!(found(&affine("  lda DATA1\n  lda DATA1\n  sta DATA0\n")), []);
}

#[test]
fn findings_are_counted_and_have_a_place() {
    let text = bank(2) + "  ldx #5\nagain:\n  lda FX_MULT\n  dex\n  bne again\n  stp";
    assert_eq!(found(&text), [("V0401", 0x0808, "FX_MULT", 5)]);
    let (program, sources) = machine::program(&text);
    let mut machine = machine(&text);
    machine.lint(Vec::new());
    machine.run(&Limits::default());
    let finding = &machine.findings()[0];
    let in_source = finding.diagnostic(&|pc| program.line_at(pc).map(|line| line.span), &Labels::default());
    let span = in_source.span().expect("a place");
    assert!(sources.get(span.file).slice(span).contains("lda FX_MULT"));
    assert!(!in_source.message.contains("$0808"));
    let without = finding.diagnostic(&|_| None, &Labels::default());
    assert_eq!(
        without.message,
        "$0808 `lda VERA_FX_MULT`: FX_MULT is write-only: the read returns something else"
    );
    // 2 + 4 + 2 cycles before, and the read is the fourth of its own.
    assert_eq!(without.notes, ["at $0808, first in cycle 12, 5 times"]);
}

#[test]
fn lints_change_nothing() {
    let text = handler("") + "";
    let mut plain = machine(&text);
    let mut watched = plain.clone();
    watched.lint(Vec::new());
    let endings = [&mut plain, &mut watched].map(|machine| machine.run(&Limits::frames(4)));
    assert_eq!(endings[0], endings[1]);
    assert_eq!((plain.cycles(), plain.cpu()), (watched.cycles(), watched.cpu()));
    assert!(plain.findings().is_empty());
}

#[test]
fn every_lint_is_tested_here() {
    let source = include_str!("lints.rs");
    for code in CODES {
        assert!(
            source.contains(&format!("[(\"{}\"", code.id)) || source.contains(&format!("(\"{}\"", code.id))
        );
    }
}
