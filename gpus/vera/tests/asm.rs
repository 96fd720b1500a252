//! VERA's names in the assembler and the disassembler.

use gpuzoo_diag::{Diagnostic, Sources, has_errors};
use gpuzoo_vera::asm::{Disassembly, OPTIONS, Options, Program, assemble, disassemble};
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
