//! `diff --profiles`.

use crate::common::{gpuzoo, scratch, text};
use serde_json::Value as Json;
use std::fs::write;

#[test]
fn a_reciprocal_differs_between_the_unit_and_the_emulator() {
    let file = scratch("profiles").join("third.vp");
    write(&file, "!!VP1.0\nRCP o[HPOS], c[0].x;\nEND\n").unwrap();
    let of = |profiles: &str, value: &str| {
        let constant = format!("c0={value}");
        gpuzoo(&["diff", "--profiles", profiles, text(&file), "--gpu", "nv2a", "-c", &constant])
    };
    let done = of("hw,cpu", "3,0,0,0");
    assert_eq!(done.code, 1, "{}", done.err);
    assert!(done.out.contains("RCP") || done.out.contains("rcp"), "{}", done.out);
    // The same profile twice, and a number whose reciprocal is exact.
    assert_eq!(of("hw,hw", "3,0,0,0").code, 0);
    assert_eq!(of("hw,cpu", "2,0,0,0").code, 0);
    let done = of("hw,rtl", "3,0,0,0");
    assert!(done.code == 2 && done.err.contains("error[G0103]"), "{} {}", done.code, done.err);
}

#[test]
fn a_handler_of_a_line_parts_where_it_reads_the_line() {
    let file = scratch("profiles_x16").join("split.s");
    let program = ".org $0801\n sei\n lda #<handler\n sta $0314\n lda #>handler\n sta $0315\n lda #64\n sta VERA_IRQLINE_L\n lda #2\n \
                   sta VERA_IEN\n cli\nidle: bra idle\nhandler:\n lda VERA_SCANLINE_L\n cmp #64\n bne done\n inc $30\ndone:\n lda #2\n \
                   sta VERA_ISR\n ply\n plx\n pla\n rti\n";
    write(&file, program).unwrap();
    let args = ["diff", "--profiles", "rtl,x16emu", text(&file), "--frames", "3"];
    let done = gpuzoo(&args);
    assert_eq!(done.code, 1, "{} {}", done.out, done.err);
    assert!(done.out.contains("SCANLINE") && done.out.contains("line 64"), "{}", done.out);
    let done = gpuzoo(&[&args[..], &["--format", "json"]].concat());
    let json: Json = serde_json::from_str(&done.out).unwrap();
    assert_eq!(
        (done.code, &json["parting"]["line"], &json["parting"]["rules"][0]["name"]),
        (1, &64.into(), &"P8".into())
    );
}
