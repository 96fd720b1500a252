//! `--files`: a folder as the disk of a 65C02 program.

use crate::common::{gpuzoo, scratch, text};
use std::path::{Path, PathBuf};

/// Opens a command on channel 15, and saves $2000 to $2002 under a name.
pub const MACROS: &str = "
.macro file text, secondary
  .local string, over
  jmp over
string: .byte text
over: lda #(over - string)
  ldx #<string
  ldy #>string
  jsr $ffbd
  lda #1
  ldx #8
  ldy #secondary
  jsr $ffba
.endmacro
.macro command text
  file text, 15
  jsr $ffc0
  lda #1
  jsr $ffc3
.endmacro
.macro save text
  file text, 1
  lda #$22
  ldx #3
  ldy #$20
  jsr $ffd8
.endmacro
  stz $22
  lda #$20
  sta $23
";

/// Loads IN, and saves it as `@:OUT`, into a folder that it makes, and as NEW; removes a file and a folder.
const PROGRAM: &str = "
  file \"in\", 2
  lda #0
  ldx #0
  ldy #$20
  jsr $ffd5
  save \"@:out\"
  command \"md:deep\"
  command \"cd:deep\"
  save \"new\"
  command \"cd:..\"
  command \"s:old\"
  command \"rd:gone\"
";

fn folder(name: &str, end: &str) -> (PathBuf, PathBuf) {
    let folder = scratch(name);
    let disk = folder.join("disk");
    std::fs::create_dir_all(disk.join("gone")).unwrap();
    for (name, bytes) in [("In", &[1, 2, 3][..]), ("Out", &[9]), ("old", &[8])] {
        std::fs::write(disk.join(name), bytes).unwrap();
    }
    std::fs::write(folder.join("t.s"), format!("{MACROS}{PROGRAM}{end}")).unwrap();
    (folder.join("t.s"), disk)
}

/// What is in a folder, with the bytes of files.
fn tree(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            all.push((format!("{name}/"), vec![]));
            all.extend(tree(&path).into_iter().map(|(below, bytes)| (format!("{name}/{below}"), bytes)));
        } else {
            all.push((name, std::fs::read(path).unwrap()));
        }
    }
    all.sort();
    all
}

fn file(name: &str, bytes: &[u8]) -> (String, Vec<u8>) {
    (name.to_owned(), bytes.to_vec())
}

#[test]
fn a_run_puts_into_the_folder_what_the_program_wrote() {
    let (program, disk) = folder("disk-run", "  rts\n");
    let done = gpuzoo(&["run", text(&program), "--files", text(&disk)]);
    assert_eq!((done.code, &*done.err), (0, ""));
    let said: Vec<&str> = done.out.lines().skip(4).collect();
    let expected = [
        "wrote Out, 5 bytes",
        "made the folder DEEP",
        "wrote DEEP/NEW, 5 bytes",
        "removed gone",
        "removed old",
    ];
    let mut said_sorted = said.clone();
    let mut expected_sorted = expected;
    said_sorted.sort_unstable();
    expected_sorted.sort_unstable();
    assert_eq!(said_sorted, expected_sorted);
    let saved = [0, 0x20, 1, 2, 3];
    let there = [file("DEEP/", &[]), file("DEEP/NEW", &saved), file("In", &[1, 2, 3]), file("Out", &saved)];
    assert_eq!(tree(&disk), there);
}

#[test]
fn what_is_not_a_run_to_its_end_leaves_the_folder_as_it_is() {
    let (program, disk) = folder("disk-kept", "  rts\n");
    let (program, files) = (text(&program), text(&disk));
    let before = tree(&disk);
    let done = gpuzoo(&["check", program, "--run", "--files", files]);
    assert!(done.err.contains("note[V0323]: the program made the folder DEEP"), "{}", done.err);
    let done = gpuzoo(&["trace", program, "--files", files]);
    assert!(done.out.ends_with("removed old\n"), "{}", done.out);
    assert_eq!(gpuzoo(&["debug", program, "--files", files]).code, 0);
    // An output that cannot be written is the end of all of them.
    let nowhere = disk.join("none/x.bin");
    let done = gpuzoo(&["run", program, "--files", files, "--vram", text(&nowhere)]);
    assert!(done.err.contains("error[G0105]"), "{}", done.err);
    assert_eq!(tree(&disk), before);
    let (program, _) = folder("disk-kept", "  jsr $fecc\n");
    let done = gpuzoo(&["run", text(&program), "--files", files]);
    assert!(done.code == 1 && done.err.contains("V0303") && done.err.contains("V0323"), "{}", done.err);
    assert_eq!(tree(&disk), before);
}

#[test]
fn a_disk_has_a_folder() {
    let (program, disk) = folder("disk-none", "  rts\n");
    let done = gpuzoo(&["run", text(&program), "--files", text(&disk.join("none"))]);
    assert!(done.code == 2 && done.err.contains("there is no such folder"), "{}", done.err);
    let done = gpuzoo(&["run", text(&program)]);
    assert!(done.err.contains("error[V0320]: no files: LOAD ($FFD5)"), "{}", done.err);
    assert!(done.err.contains("`--files DIR`"), "{}", done.err);
}

/// A picture is made of a run, too.
#[test]
fn pictures_keep_what_the_program_wrote() {
    let (program, disk) = folder("disk-picture", "  rts\n");
    let picture = disk.join("p.png");
    let done = gpuzoo(&["render", text(&program), "--files", text(&disk), "-o", text(&picture)]);
    assert!(done.code == 0 && done.err.contains("wrote Out, 5 bytes"), "{}", done.err);
    assert!(picture.is_file() && disk.join("DEEP/NEW").is_file());
}

/// Links that lead out are not there, neither to be read nor to be written.
#[cfg(unix)]
#[test]
fn nothing_outside_of_the_folder_is_reached() {
    let (program, disk) = folder("disk-links", "  rts\n");
    let outside = disk.parent().unwrap().join("secret");
    std::fs::write(&outside, [7]).unwrap();
    for name in ["In", "Out"] {
        std::fs::remove_file(disk.join(name)).unwrap();
        std::os::unix::fs::symlink("../secret", disk.join(name)).unwrap();
    }
    let done = gpuzoo(&["run", text(&program), "--files", text(&disk)]);
    assert!(done.err.contains("warning[V0321]: file not found: `IN`"), "{}", done.err);
    assert_eq!(std::fs::read(&outside).unwrap(), [7]);
}
