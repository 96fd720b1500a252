//! Files that are open: their numbers in the KERNAL's tables, and the channels of the drive behind them.

use crate::files::{run, wrote};

#[test]
fn files_are_numbered_as_the_kernal_does() {
    let twice = run("  name \"text,s,r\", 8, 2, 2\n  jsr $ffc0\n  jsr $ffc0\n  rts");
    assert_eq!((twice.cpu().a, twice.cpu().p & 1), (2, 1));
    let closed = run("  ldx #9\n  jsr $ffc6\n  rts");
    assert_eq!((closed.cpu().a, closed.cpu().p & 1), (3, 1));
    let many: String =
        (1..12).map(|number| format!("  name \"text,s,r\", 8, 2, {number}\n  jsr $ffc0\n")).collect();
    let many = run(&format!("{many}  rts"));
    assert_eq!((many.cpu().a, many.peek(0x028a)), (1, 10));
    let looked_up = run("  name \"text,s,r\", 8, 5, 7\n  jsr $ffc0\n  lda #7\n  jsr $ff59\n  rts");
    let cpu = looked_up.cpu();
    assert_eq!((cpu.a, cpu.x, cpu.y, cpu.p & 1), (7, 8, 0x65, 0));
    let all = run("  name \"text,s,r\", 8, 5, 7\n  jsr $ffc0\n  lda #8\n  jsr $ff4a\n  rts");
    assert_eq!(all.peek(0x028a), 0);
    let unnamed = run("  name \"\", 8, 1\n  save $ffd8, $0801, $0803\n  rts");
    assert_eq!((unnamed.cpu().a, unnamed.cpu().p & 1), (8, 1));
    let screen = run("  name \"x\", 3, 1\n  load 0, 0\n  rts");
    assert_eq!((screen.cpu().a, screen.cpu().p & 1), (9, 1));
}

/// CHKIN and CHKOUT tell by C that all went well (`openchannel.s` of x16-rom 251608b).
#[test]
fn a_channel_that_is_chosen_clears_the_carry() {
    for (routine, name) in [(0xffc6, "text,s,r"), (0xffc9, "new,s,w")] {
        let machine = run(&format!(
            "  name \"{name}\", 8, 5, 5\n  jsr $ffc0\n  ldx #5\n  sec\n  jsr {routine}\n  php\n  pla\n  sta $40\n  jsr $ffcc\n  rts"
        ));
        assert_eq!(machine.peek(0x40) & 0x0d, 0, "no carry, no decimal mode, interrupts: {routine:04x}");
    }
}

/// CLOSE tells the drive, by LISTEN and $E0 with the channel: nothing comes from there any more, and nothing is taken. So does CLOSE_ALL.
/// A file whose secondary address is none (bit 7) is left open.
#[test]
fn a_file_that_is_closed_is_closed_in_the_drive() {
    let after = |name: &str, secondary: u8, close: &str, act: &str| {
        let machine = run(&format!(
            "  name \"{name}\", 8, {secondary}, 5\n  jsr $ffc0\n{close}  stz $40\n  lda #0\n  ldx #0\n  jsr $ffbd\n{act}  sta $40\n  jsr $ffb7\n  sta $41\n  rts"
        ));
        (machine.peek(0x40), machine.peek(0x41), machine.peek(0x028a), wrote(&machine))
    };
    let read =
        |channel: u8| format!("  lda #8\n  jsr $ffb4\n  lda #{}\n  jsr $ff96\n  jsr $ffa5\n", 0x60 | channel);
    let write = |channel: u8| {
        format!("  lda #8\n  jsr $ffb1\n  lda #{}\n  jsr $ff93\n  lda #$58\n  jsr $ffa8\n", 0x60 | channel)
    };
    let (one, all) = ("  lda #5\n  jsr $ffc3\n", "  lda #8\n  jsr $ff4a\n");
    for channel in [2, 9, 14] {
        let (byte, status, open, _) = after("text,s,r", channel, "", &read(channel));
        assert_eq!((byte, status, open), (b'o', 0, 1), "it is open");
        let (_, status, _, files) = after("new,s,w", channel, "", &write(channel));
        assert_eq!((status, files), (0, vec![("NEW".to_owned(), b"X".to_vec())]));
        for close in [one, all] {
            let (byte, status, open, _) = after("text,s,r", channel, close, &read(channel));
            assert!(byte != b'o' && status != 0 && open == 0, "{channel}: {byte} {status:02x}");
            let (_, status, open, files) = after("new,s,w", channel, close, &write(channel));
            assert!(
                status != 0 && open == 0 && files == [("NEW".to_owned(), Vec::new())],
                "{channel}: {status:02x}"
            );
        }
    }
}

/// A file that is open for reading takes nothing, whether the program has written it or not.
#[test]
fn what_is_read_is_not_written() {
    let open = |name: &str| format!("  name \"{name}\", 8, 5, 5\n  jsr $ffc0\n  ldx #5\n  jsr $ffc9\n");
    let put = |byte: u8| {
        format!("  lda #{byte}\n  jsr $ffd2\n  jsr $ffb7\n  sta $40\n  jsr $ffcc\n  lda #5\n  jsr $ffc3\n")
    };
    let write = [open("new,s,w"), put(b'a')].concat();
    for (before, name, expected) in
        [(&*write, "new,s,r", vec![("NEW".to_owned(), b"a".to_vec())]), ("", "text,s,r", vec![])]
    {
        let machine = run(&[before, &open(name), &put(b'x'), "  rts"].concat());
        assert!(machine.peek(0x40) != 0, "the status says so");
        assert_eq!(wrote(&machine), expected);
    }
}

/// Files are listed by name, those of the disk and those that the program wrote.
#[test]
fn what_was_written_is_listed_among_the_others() {
    let machine = run(
        "  name \"able\", 8, 1\n  save $ffd8, $0801, $0803\n  name \"$:*=p\", 8, 0\n  load 0, $3000\n  rts",
    );
    let bytes: Vec<u8> = (0x3000..0x3200).map(|at| machine.peek(at)).collect();
    let place = |name: &[u8]| bytes.windows(name.len()).position(|own| own == name);
    let places = [&b"ABLE"[..], b"BIG.BIN", b"DATA.PRG", b"TEXT"].map(place);
    assert!(places.is_sorted() && places[0].is_some(), "{places:?}");
}
