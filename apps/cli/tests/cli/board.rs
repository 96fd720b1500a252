//! The board around a 65C02 program: the SD card's file or folder, and a ROM without a program.

use crate::common::{gpuzoo, scratch, text};
use std::path::{Path, PathBuf};

/// Sets the card up, and writes block 3, which begins with $C5, as the driver in the manual's hardware chapter would.
const WRITES: &str = "
        lda #2
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
        ldx #4
rest:   jsr spi
        dex
        bne rest
again:  ldy #12
        jsr send
        ldy #18
        jsr send
        bne again
        ldy #24
        jsr send
        lda #$fe
        jsr out
        ldx #0
        ldy #2
        lda #$c5
block:  jsr out
        lda #0
        inx
        bne block
        dey
        bne block
        jsr spi
        jsr spi
        jsr spi
wait:   jsr spi
        cmp #$ff
        bne wait
        rts
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
        rts
spi:    lda #$ff
out:    sta $9f3e
busy:   bit $9f3f
        bmi busy
        lda $9f3e
        rts
command: .byte $40,0,0,0,0,$95, $48,0,0,1,$aa,$87, $77,0,0,0,0,1, $69,$40,0,0,0,1, $58,0,0,0,3,1
";

fn program(name: &str) -> (PathBuf, PathBuf) {
    let folder = scratch(name);
    let source = folder.join("t.s");
    std::fs::write(&source, WRITES).unwrap();
    (folder, source)
}

fn number(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

#[test]
fn what_is_written_to_a_card_goes_to_another_file() {
    let (folder, source) = program("board-image");
    let (image, out) = (folder.join("card.img"), folder.join("out.img"));
    let before: Vec<u8> = (0..4096).map(|at| (at / 512 * 16 + at % 7) as u8).collect();
    std::fs::write(&image, &before).unwrap();
    let run = |more: &[&str]| gpuzoo(&[&["run", text(&source), "--sdcard", text(&image)], more].concat());
    // Reported, and not kept.
    let done = run(&[]);
    assert_eq!(done.code, 0, "{}", done.err);
    let reported = "note[V0332]: the program has written 1 block of the SD card, which stays in the machine";
    assert!(done.err.contains(reported), "{}", done.err);
    assert!(std::fs::read(&image).unwrap() == before && !out.exists());
    let done = run(&["--sdcard-out", text(&out)]);
    assert_eq!(done.code, 0, "{}", done.err);
    let written = std::fs::read(&out).unwrap();
    let mut expected = before.clone();
    expected[1536..2048].fill(0);
    (expected[1536], expected[1792]) = (0xc5, 0);
    expected.resize(512 << 10, 0);
    assert!(written == expected && std::fs::read(&image).unwrap() == before);
    // An input is never an output.
    let done = run(&["--sdcard-out", text(&image)]);
    assert!(done.code == 2 && done.err.contains("error[G0131]"), "{}", done.err);
    assert!(std::fs::read(&image).unwrap() == before);
}

#[test]
fn a_folder_is_a_card_too() {
    let (folder, source) = program("board-folder");
    let (disk, out) = (folder.join("disk"), folder.join("out.img"));
    std::fs::create_dir_all(disk.join("maps")).unwrap();
    std::fs::write(disk.join("maps/one.bin"), [7; 700]).unwrap();
    // Files of the system have times, the card's have not.
    let card = |out: &Path| {
        let done = gpuzoo(&["run", text(&source), "--sdcard", text(&disk), "--sdcard-out", text(out)]);
        assert_eq!(done.code, 0, "{}", done.err);
        std::fs::read(out).unwrap()
    };
    let image = card(&out);
    assert_eq!((image.len(), image[450], number(&image, 454)), (64 << 20, 0x0c, 2048));
    assert_eq!((image[1536], &image[(1 << 20) + 3..][..6]), (0xc5, &b"GPUZOO"[..]));
    assert!(image.windows(11).any(|name| name == b"ONE     BIN"));
    let file = std::fs::File::options().write(true).open(disk.join("maps/one.bin")).unwrap();
    file.set_modified(std::time::UNIX_EPOCH).unwrap();
    assert!(card(&folder.join("again.img")) == image);
    assert_eq!(std::fs::read(disk.join("maps/one.bin")).unwrap(), [7; 700]);
    assert_eq!(std::fs::read_dir(&disk).unwrap().count(), 1, "nothing is written there");
    let run = |disk: &Path| gpuzoo(&["run", text(&source), "--sdcard", text(disk)]);
    std::fs::write(disk.join("ONE."), []).unwrap();
    let done = run(&disk);
    assert!(
        done.code == 1 && done.err.contains("error[V0333]: an SD card cannot have a file `ONE.`"),
        "{}",
        done.err
    );
    let done = run(&disk.join("none"));
    assert!(done.code == 2 && done.err.contains("error[G01"), "{}", done.err);
}

/// Links that lead out of the folder are not on the card, and a circle of links has an end.
#[cfg(unix)]
#[test]
fn a_card_is_its_folder_and_nothing_else() {
    let (folder, source) = program("board-links");
    let (disk, out) = (folder.join("disk"), folder.join("out.img"));
    std::fs::create_dir_all(&disk).unwrap();
    std::fs::write(disk.join("IN.TXT"), b"what is inside").unwrap();
    std::fs::write(folder.join("SECRET.TXT"), b"what is outside").unwrap();
    for (to, name) in [("../SECRET.TXT", "OUT.TXT"), ("..", "ABOVE"), ("IN.TXT", "LINK.TXT")] {
        std::os::unix::fs::symlink(to, disk.join(name)).unwrap();
    }
    let done = gpuzoo(&["run", text(&source), "--sdcard", text(&disk), "--sdcard-out", text(&out)]);
    assert_eq!(done.code, 0, "{}", done.err);
    let image = std::fs::read(&out).unwrap();
    let count =
        |bytes: &[u8]| image[1 << 20..4 << 20].windows(bytes.len()).filter(|own| *own == bytes).count();
    assert_eq!((count(b"what is inside"), count(b"what is outside"), count(b"ABOVE   ")), (2, 0, 0));
    std::os::unix::fs::symlink(".", disk.join("CIRCLE")).unwrap();
    let done = gpuzoo(&["run", text(&source), "--sdcard", text(&disk)]);
    assert!(done.code == 1 && done.err.contains("is more than 32 folders deep"), "{}", done.err);
}

/// What a card takes of the memory that an invocation may use is counted.
#[test]
fn cards_have_a_budget() {
    let (folder, source) = program("board-budget");
    let disk = folder.join("disk");
    std::fs::create_dir_all(&disk).unwrap();
    std::fs::write(disk.join("A"), vec![1; 4 << 20]).unwrap();
    let run = |limit| gpuzoo(&["run", text(&source), "--sdcard", text(&disk), "--limit", limit]);
    let done = run("memory=1MiB");
    assert!(
        done.code != 0 && done.err.contains("R0703") && done.err.contains("for the SD card"),
        "{}",
        done.err
    );
}

/// A ROM of our own: at $C000 it makes the border green, all of the picture, and goes on for ever.
fn rom(folder: &Path) -> PathBuf {
    let mut rom = vec![0; 0x4000];
    // lda #1, sta DC_VIDEO; lda #5, sta DC_BORDER; lda #2, sta CTRL; stz DC_HSTOP; jmp to itself.
    let code = [
        0xa9, 1, 0x8d, 0x29, 0x9f, 0xa9, 5, 0x8d, 0x2c, 0x9f, 0xa9, 2, 0x8d, 0x25, 0x9f, 0x9c, 0x2a, 0x9f,
        0x4c, 0x12, 0xc0,
    ];
    rom[..code.len()].copy_from_slice(&code);
    rom[0x3ffd] = 0xc0;
    let path = folder.join("rom.bin");
    std::fs::write(&path, rom).unwrap();
    path
}

#[test]
fn a_rom_is_drawn_without_a_program() {
    let folder = scratch("board-rom");
    let (rom, picture) = (rom(&folder), folder.join("p.raw"));
    let done =
        gpuzoo(&["render", "--rom", text(&rom), "--frame", "2", "--format", "raw", "-o", text(&picture)]);
    assert_eq!((done.code, done.err.as_str()), (0, ""));
    let pixels = std::fs::read(&picture).unwrap();
    // Colour 5 of the palette at power-on.
    let (pixels, []) = pixels.as_chunks::<4>() else { panic!("{} bytes", pixels.len()) };
    assert_eq!(
        (pixels.len(), pixels.iter().find(|pixel| **pixel != [0, 0xcc, 0x55, 0xff])),
        (640 * 480, None)
    );
}

/// A ROM has no end that it could miss: that it goes on is no warning, and nothing advises it to return.
#[test]
fn a_rom_without_a_program_goes_on() {
    let rom = rom(&scratch("board-goes-on"));
    let done = gpuzoo(&["run", "--rom", text(&rom), "--frames", "2"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(
        done.err.contains("note[V0306]: stopped after 2 frames; the program idles at $C012"),
        "{}",
        done.err
    );
    assert!(
        done.err.contains("a ROM goes on until the power is off") && !done.err.contains("RTS"),
        "{}",
        done.err
    );
    let done = gpuzoo(&["run", "--rom", text(&rom), "--cycles", "100", "--deny", "warnings"]);
    assert_eq!(done.code, 0, "{}", done.err);
}

/// Whatever is read for the board is asked of the budget before it is read; holes of a file count as what they are read as.
#[test]
fn cards_and_roms_are_on_the_budget() {
    let (folder, source) = program("board-limits");
    let disk = folder.join("disk");
    std::fs::create_dir_all(&disk).unwrap();
    let sparse = |path: &Path, bytes: u64| std::fs::File::create(path).unwrap().set_len(bytes).unwrap();
    let refused = |what: &[&str]| {
        let done = gpuzoo(&[&["run", text(&source)], what].concat());
        assert!(done.code != 0 && done.err.contains("error[R0703]: more memory"), "{what:?}: {}", done.err);
        assert!(done.err.contains("while reading `"), "{}", done.err);
    };
    sparse(&disk.join("a"), 1_000 << 20);
    refused(&["--sdcard", text(&disk)]);
    sparse(&disk.join("a"), 10 << 20);
    let card = ["--sdcard", text(&disk), "--limit"];
    refused(&[&card[..], &["memory=15MiB"]].concat());
    let done = gpuzoo(&[&["run", text(&source)], &card[..], &["memory=25MiB"]].concat());
    assert_eq!(done.code, 0, "{}", done.err);
    // Two files that fit one by one.
    sparse(&disk.join("b"), 10 << 20);
    refused(&[&card[..], &["memory=25MiB"]].concat());
    let image = folder.join("card.img");
    sparse(&image, 900 << 20);
    refused(&["--sdcard", text(&image)]);
    sparse(&image, 16 << 20);
    for option in ["--sdcard", "--rom", "--load-state"] {
        refused(&[option, text(&image), "--limit", "memory=20MiB"]);
    }
}

/// A BASIC program: 10 PRINT "HI", 20 GOTO 10.
#[test]
fn a_basic_program_needs_a_rom() {
    let folder = scratch("board-basic");
    let prg = folder.join("hi.prg");
    std::fs::write(&prg, b"\x01\x08\x0c\x08\x0a\0\x99 \"HI\"\0\x15\x08\x14\0\x89 10\0\0\0").unwrap();
    let prg = text(&prg);
    let (png, trace) = (folder.join("hi.png"), folder.join("hi.trace"));
    for verb in [
        &["run", prg][..],
        &["check", "--run", prg],
        &["trace", prg],
        &["record", prg, "-o", text(&trace)],
        &["render", prg, "-o", text(&png)],
        &["debug", prg, "--script", "-"],
        &["diff", prg, "--profiles", "rtl,documented"],
    ] {
        let done = gpuzoo(&[verb, &["--gpu", "vera"]].concat());
        assert!(done.code != 0 && done.err.contains("error[V0344]"), "{verb:?}: {} {}", done.code, done.err);
        assert!(done.err.contains("--rom FILE"), "{}", done.err);
    }
}
