//! Programs under two profiles: where they part, and by which rule.

use gpuzoo_diag::Sources;
use gpuzoo_machine::Arguments;
use gpuzoo_machine::computer::{CompareOptions, Comparison, Software};
use gpuzoo_x16::Program;

fn compare(text: &str, arguments: &Arguments, frame: Option<u32>) -> Comparison {
    let mut sources = Sources::default();
    let file = sources.add("test.s", text);
    let (program, problems) = Program::assemble(&mut sources, file, &mut |_| Err("no files".to_owned()));
    assert!(problems.is_empty(), "{problems:?}");
    let options = CompareOptions { profiles: ["rtl", "x16emu"], frame, sources: &sources };
    program.unwrap().compare(arguments, &options).unwrap()
}

/// A handler of LINE that looks for its line.
const LINE: &str = "  sei\n  lda #<handler\n  sta $314\n  lda #>handler\n  sta $315\n  lda #64\n  sta IRQLINE_L\n\
    \x20 lda #2\n  sta IEN\n  cli\nidle: bra idle\nhandler:\n  lda SCANLINE_L\n  cmp #64\n  bne done\n  lda #2\n\
    \x20 sta CTRL\n  stz DC_HSTOP\n  stz CTRL\n  lda #2\n  sta DC_BORDER\n\
    done: lda #2\n  sta ISR\n  ply\n  plx\n  pla\n  rti\n";

#[test]
fn a_read_that_differs_has_its_place_and_its_rule() {
    let found = compare(LINE, &Arguments::default(), Some(3));
    let parting = &found.json["parting"];
    let at = (&parting["frame"], &parting["line"], &parting["source"]["line"], &parting["label"]["name"]);
    assert_eq!(
        (at.0.as_u64(), at.1.as_u64(), at.2.as_u64(), at.3.as_str()),
        (Some(1), Some(64), Some(13), Some("handler"))
    );
    let read = |side: usize| {
        (parting["access"][side]["register"].as_str(), parting["access"][side]["value"].as_u64())
    };
    assert_eq!([read(0), read(1)], [(Some("SCANLINE_L"), Some(0x41)), (Some("SCANLINE_L"), Some(0x40))]);
    assert_eq!(parting["rules"][0]["name"], "P8");
    assert!(
        found.differs && found.text.contains("reads SCANLINE_L ($9F28): $41 in rtl, $40 in x16emu\n"),
        "{}",
        found.text
    );
    // The picture follows from what the programs do.
    assert_eq!(
        (found.json["first_picture"]["rules"].as_array().map(Vec::len), &found.json["picture"]["frame"]),
        (Some(0), &3.into())
    );
}

/// One bit per pixel: the palette offset counts in emulators (P3). No program can tell.
#[test]
fn a_picture_that_differs_has_its_rule() {
    let text = "  lda #$11\n  sta DC_VIDEO\n  lda #4\n  sta L0_CONFIG\n  stz L0_TILEBASE\n  lda #1\n  sta L0_HSCROLL_H\n\
        \x20 stz ADDRx_L\n  stz ADDRx_M\n  lda #$10\n  sta ADDRx_H\n  lda #$ff\n  sta DATA0\nidle: bra idle\n";
    let found = compare(text, &Arguments::default().set("frames", 3), None);
    assert!(found.json["parting"].is_null() && found.differs, "{}", found.text);
    let shown = &found.json["first_picture"];
    assert_eq!((shown["frame"].as_u64(), shown["pixels"].as_u64()), (Some(0), Some(16)), "{}", found.text);
    assert!(shown["rules"].as_array().unwrap().iter().any(|rule| rule["name"] == "P3"), "{}", found.text);
    assert_ne!(found.pictures[0].bytes(), found.pictures[1].bytes());
}

/// After a reset DC_VIDEO is 0 in emulators (E1), and the program writes it at once.
#[test]
fn what_only_vera_sees_is_told() {
    let found = compare("  lda #$80\n  sta CTRL\n  stp\n", &Arguments::default(), None);
    assert_eq!(found.json["inside"]["state"][0]["name"], "DC_VIDEO", "{}", found.text);
    assert_eq!(found.json["inside"]["rules"][0]["name"], "E1");
}

/// Where a palette shadows video memory the emulators write the cache (E10), the machine the byte: four bytes and one.
#[test]
fn what_is_stored_is_told_where_it_differs() {
    let text = "  lda #4\n  sta CTRL\n  lda #$40\n  sta FX_CTRL\n  stz ADDRx_L\n  lda #$fa\n  sta ADDRx_M\n  lda #1\n  sta ADDRx_H\n\
        \x20 stz DATA0\n  stp\n";
    let found = compare(text, &Arguments::default(), None);
    let stored: Vec<&str> =
        found.text.lines().filter(|line| line.contains("stores at")).map(str::trim).collect();
    let nothing = |at: u32| format!("stores at ${at:05X}: nothing in rtl, $00 in x16emu");
    assert_eq!(stored, [nothing(0x1_fa01), nothing(0x1_fa02), nothing(0x1_fa03)], "{}", found.text);
}

/// Sprites that are switched off go on to meet in the machine, and not in emulators (P7). So an interrupt comes in place of a read.
#[test]
fn an_interrupt_that_comes_in_one_is_told() {
    let sprite =
        [0x80, 0x0f, 100, 0, 50, 0, 0x1c, 0].map(|byte| format!("  lda #{byte}\n  sta DATA0\n")).concat();
    let reads = "  lda ADDRx_L\n".repeat(20);
    let text = format!(
        "  stz ADDRx_L\n  lda #$fc\n  sta ADDRx_M\n  lda #$11\n  sta ADDRx_H\n{sprite}{sprite}  lda #4\n  sta IEN\n  cli\n\
         idle:\n{reads}  bra idle\n"
    );
    let found = compare(&text, &Arguments::default(), Some(3));
    for line in [
        "an interrupt comes in rtl, none comes in x16emu",
        "it makes no further access in rtl, it reads ADDRx_L in x16emu",
    ] {
        assert!(found.text.lines().any(|own| own.trim() == line), "{}", found.text);
    }
}

#[test]
fn programs_that_do_the_same_do_not_part() {
    let found = compare("  lda #1\n  sta DATA0\n  stp\n", &Arguments::default(), None);
    assert!(
        !found.differs
            && found.json["inside"].is_null()
            && found.text.starts_with("rtl and x16emu do the same\n")
    );
}
