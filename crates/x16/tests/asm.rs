//! VERA's names in the assembler and the disassembler.

use gpuzoo_diag::{Diagnostic, Sources, has_errors};
use gpuzoo_x16::asm::{Disassembly, OPTIONS, Options, Program, assemble, disassemble, disassemble_with};
use proptest::prelude::*;
use std::fs;
use std::path::Path;

fn with(text: &str, options: &Options) -> (Program, Vec<Diagnostic>) {
    let mut sources = Sources::default();
    let file = sources.add("test.s", text);
    assemble(&mut sources, file, options, &mut |_| Err("there are no files".to_owned()))
}

fn bytes(text: &str) -> Vec<u8> {
    let (program, problems) = with(text, &OPTIONS);
    assert!(!has_errors(&problems), "{text}\n{problems:?}");
    program.binary()
}

/// The listings of the FX reference, as they are there, and their bytes at $0800 (`seed_listings.txt` of the vectors).
#[test]
fn the_documents_listings_assemble_unchanged() {
    let text =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/asm/listings.txt")).unwrap();
    let mut count = 0;
    for part in text.split("=== ").skip(1) {
        let (expected, listing) = part.split_once('\n').unwrap();
        let options = Options { origin: 0x0800, petscii: false, ..OPTIONS };
        let (program, problems) = with(listing, &options);
        assert!(problems.is_empty(), "{problems:?}");
        let hex: String = program.binary().iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hex, expected.trim());
        assert_eq!(program.start, 0x0800);
        count += 1;
    }
    assert_eq!(count, 4);
}

#[test]
fn predefined_names_yield_to_the_programs_own() {
    assert_eq!(
        bytes(" lda vera_data0\n lda ADDRx_L\n jsr chrout\n"),
        [0xad, 0x23, 0x9f, 0xad, 0x20, 0x9f, 0x20, 0xd2, 0xff]
    );
    assert_eq!(bytes(" lda VERA_CTRL\nVERA_CTRL = $1234\n"), [0xad, 0x34, 0x12]);
    assert_eq!(bytes("VERA_CTRL = 5\n lda VERA_CTRL\n lda vera_ctrl\n"), [0xa5, 5, 0xad, 0x25, 0x9f]);
    assert_eq!(bytes(".if VERA_CTRL = $9f25\n .byte 1\n.endif\n.ifdef VERA_CTRL\n .byte 2\n.endif\n"), [1]);
    assert_eq!(bytes("n .set VERA_CTRL + 1\n .word n\n"), [0x26, 0x9f]);
    let (_, problems) = with(" sta VERA_DATAO\n", &OPTIONS);
    assert_eq!((problems[0].code.id, &*problems[0].help[0]), ("V0204", "did you mean `VERA_DATA0`?"));
}

/// The KERNAL's routines are not predefined, so that a name that was forgotten does not call one; but what to define is said.
#[test]
fn routines_that_are_not_defined_have_their_addresses() {
    let (_, problems) = with("  jsr Plot\n", &OPTIONS);
    assert_eq!((problems[0].code.id, &*problems[0].help[0]), ("V0204", "the ROM's PLOT is `Plot = $fff0`"));
}

#[test]
fn disassembly_names_registers_where_the_bank_is_sure() {
    let source = " .org $0801\n lda #(2 << 1)\n sta VERA_CTRL\n stz VERA_FX_CTRL\n lda #(6 << 1)\n sta VERA_CTRL\n \
                  lda VERA_FX_ACCUM\n sta VERA_FX_CACHE_L\nl: lda $9f29\n bne l\n jsr CHROUT\n lda a:$12\n";
    let text = disassemble(&bytes(source), 0x0801, &Disassembly::default());
    let expected = "    .org $0801\n    lda #$04\n    sta VERA_CTRL\n    stz VERA_FX_CTRL\n    lda #$0c\n    sta VERA_CTRL\n    \
                    lda VERA_FX_ACCUM\n    sta VERA_FX_CACHE_L\nL0814:\n    lda $9f29\n    bne L0814\n    jsr CHROUT\n    lda a:$0012\n";
    assert_eq!(text, expected);

    // Bit 7 resets VERA.
    let text =
        disassemble(&bytes(" lda #$84\n sta VERA_CTRL\n stz $9f29\n"), 0x0801, &Disassembly::default());
    assert!(text.ends_with("    sta VERA_CTRL\n    stz $9f29\n"), "{text}");
}

/// The bank of registers is sure from a constant that is written to CTRL on, as long as nothing but the next instruction follows: a call may choose
/// another, and so may a jump to the instruction behind it.
#[test]
fn the_bank_is_sure_until_something_may_change_it() {
    let stored = |between: &str| {
        let text = format!(" lda #4\n sta VERA_CTRL\n{between} sta $9f29\n");
        let text = disassemble(&bytes(&text), 0x0801, &Disassembly::default());
        text.trim_end().rsplit(' ').next().unwrap_or_default().to_owned()
    };
    for goes_on in [
        "",
        "nop",
        "inx",
        "lda $1234",
        "sta $9f2a",
        "stz $9f25,x\n lda #4\n sta $9f25",
        "cmp #4",
        "bne $0801",
        "sta $9f24",
        "pha",
        "sei",
    ] {
        assert_eq!(stored(&format!(" {goes_on}\n")), "VERA_FX_CTRL", "{goes_on}");
    }
    for ends in [
        "jsr $1234",
        "jsr $ffd2",
        "jmp $1234",
        "jmp ($1234)",
        "jmp ($1234,x)",
        "rts",
        "rti",
        "brk",
        "inc $9f25",
        "asl $9f25",
        "tsb $9f25",
        "trb $9f25",
        "stx $9f25",
        "sty $9f25",
        "stz $9f25,x",
        "sta $9f25,x",
        "sta $9f25,y",
        "lda $12\n sta $9f25",
        "lda #4\n inc\n sta $9f25",
        "lda #4\n pla\n sta $9f25",
        "lda #4\n txa\n sta $9f25",
        "jsr $1234\n sta $9f25",
        "lda #$84\n sta $9f25",
    ] {
        assert_eq!(stored(&format!(" {ends}\n")), "$9f29", "{ends}");
    }
    // What is loaded stays where other registers are used, and a 0 that is stored is as sure.
    for (other, name) in [
        ("stz $9f25", "VERA_DC_VIDEO"),
        ("lda #2\n stx $12\n sta $9f25", "VERA_DC_HSTART"),
        ("lda #$0d\n sta $9f25", "VERA_FX_CACHE_L"),
        ("lda #7\n sta $9f25", "VERA_FX_X_INCR_L"),
        ("lda #8\n sta $9f25", "VERA_FX_X_POS_L"),
        ("lda #10\n sta $9f25", "VERA_FX_X_POS_S"),
    ] {
        assert_eq!(stored(&format!(" {other}\n")), name, "{other}");
    }
}

/// At some places a read is of another register than a write.
#[test]
fn reads_have_the_names_of_what_they_read() {
    let of = |text: &str| {
        disassemble(&bytes(&format!(" lda #$0c\n sta VERA_CTRL\n{text}")), 0x0801, &Disassembly::default())
    };
    for (text, name) in [
        (" lda $9f28\n", "lda VERA_SCANLINE_L"),
        (" sta $9f28\n", "sta VERA_IRQLINE_L"),
        (" lda $9f29\n", "lda VERA_FX_ACCUM_RESET"),
        (" stz $9f29\n", "stz VERA_FX_CACHE_L"),
        (" bit $9f2a\n", "bit VERA_FX_ACCUM"),
        (" stx $9f2a\n", "stx VERA_FX_CACHE_M"),
        (" sty $9f2c\n", "sty VERA_FX_CACHE_U"),
        (" lda $9f27\n", "lda VERA_ISR"),
        (" lda $9f40\n", "lda $9f40"),
        (" lda $9f1f\n", "lda $9f1f"),
    ] {
        assert!(of(text).ends_with(&format!("    {name}\n")), "{text}: {}", of(text));
    }
}

/// Of a program's names a disassembly has those that mean the same in one text without scopes: no registers', no mnemonics, none that it makes
/// itself, and none that stands for two places.
#[test]
fn a_programs_own_names_are_kept_where_they_are_plain() {
    let source = " .org $0801\n.scope one\nsame: nop\n.endscope\n.scope two\nsame: nop\n.endscope\nstart: jsr ctrl\n jsr VERA_DATA0\n jsr chrout\n jsr \
                  ADDR_L\n jsr _x1\n jsr q\n jsr L0814\n jsr Loop\n jsr one::same\n jsr two::same\n jmp start\nctrl: nop\nVERA_DATA0: nop\n\
                  chrout: nop\nADDR_L: nop\n_x1: nop\nq: nop\nL0814: nop\nLoop: nop\n rts\n";
    let (program, problems) = with(source, &OPTIONS);
    assert!(!has_errors(&problems), "{problems:?}");
    let text = disassemble_with(&program, &program.binary(), program.start, &Disassembly::default());
    let labels: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_suffix(':'))
        .filter(|name| !name.starts_with("L08"))
        .collect();
    assert_eq!(labels, ["start", "_x1", "Loop"], "{text}");
    assert_eq!(bytes(&text), program.binary(), "{text}");
}

proptest! {
    #[test]
    fn bytes_survive_disassembling_with_names(
        data in prop::collection::vec(any::<u8>(), 1..400),
        registers in prop::collection::vec((any::<prop::sample::Index>(), 0x9f20u16..0x9f40), 0..40),
        addresses in any::<bool>(),
    ) {
        let mut data = data;
        for (at, register) in registers {
            let at = at.index(data.len());
            data.splice(at..at, [0x8d, register as u8, (register >> 8) as u8]);
        }
        let text = disassemble(&data, 0x0801, &Disassembly { addresses });
        let (program, problems) = with(&text, &Options { petscii: false, ..OPTIONS });
        prop_assert!(!has_errors(&problems), "{}\n{:?}", text, problems);
        prop_assert_eq!(program.binary(), data, "{}", text);
    }
}
