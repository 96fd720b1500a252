//! Commands of the drive, each by itself, as CMDR-DOS of x16-rom 251608b carries them out (`dos/parser.s`).

use crate::files::{run, said};

/// A folder that is not there, and a file.
#[test]
fn only_folders_are_removed_as_folders() {
    for command in ["rd:none", "rd:text"] {
        let (said, machine) = said(&[command]);
        assert!(said[0].starts_with("01, FILES SCRATCHED,00"), "{command}: {}", said[0]);
        assert!(machine.changes().is_empty());
    }
}

/// Whether there is a device 8, and a 9, after commands to one or the other.
fn devices(commands: &[(u8, &str)]) -> [bool; 2] {
    let send = |(number, (device, command)): (usize, &(u8, &str))| {
        format!("  name \"{command}\", {device}, 15, {number}\n  jsr $ffc0\n")
    };
    let sent: String = (1..).zip(commands).map(send).collect();
    [8, 9].map(|device| {
        let machine = run(&format!("{sent}  name \"data.prg\", {device}, 1\n  load 0, 0\n  rts"));
        machine.cpu().p & 1 == 0
    })
}

#[test]
fn the_drive_may_be_device_9() {
    assert_eq!(devices(&[]), [true, false]);
    assert_eq!(devices(&[(8, "s-9")]), [false, true]);
    for back in ["s-8", "s-d"] {
        assert_eq!(devices(&[(8, "s-9"), (9, back)]), [true, false], "{back}");
    }
}

#[test]
fn the_drive_is_no_other_device() {
    let (said, _) = said(&["s-7"]);
    assert!(said[0].starts_with("31,SYNTAX ERROR"), "{}", said[0]);
    assert_eq!(devices(&[(8, "s-7")]), [true, false]);
}
