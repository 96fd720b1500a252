//! Files of device 8: the KERNAL's routines, the drive behind them, and the same with a ROM.

use crate::machine::{machine, program};
use gpuzoo_diag::{Severity, Sources};
use gpuzoo_machine::computer::disk::{Change, Disk, Now};
use gpuzoo_machine::computer::{Computer, Input, ScreenOptions, Software};
use gpuzoo_machine::options::arguments::Arguments;
use gpuzoo_x16::session::Session;
use gpuzoo_x16::{Caller, Config, Ending, Limits, Missed, Program, Why, X16};
use proptest::prelude::*;

/// Calls of the KERNAL as a program has them, and what it needs to know of a name.
pub const MACROS: &str = "
.macro name text, device, secondary, number
  .local string, over
  jmp over
string: .byte text
over: lda #(over - string)
  ldx #<string
  ldy #>string
  jsr $ffbd
  .ifblank number
    lda #1
  .else
    lda #number
  .endif
  ldx #device
  ldy #secondary
  jsr $ffba
.endmacro
.macro command text
  name text, 8, 15, 15
  jsr $ffc0
  lda #15
  jsr $ffc3
.endmacro
.macro show number
  .local next, done
  ldx #number
  jsr $ffc6
next: jsr $ffcf
  jsr $ffd2
  jsr $ffb7
  beq next
  jsr $ffcc
.endmacro
.macro status
  name \"\", 8, 15, 15
  jsr $ffc0
  show 15
  lda #15
  jsr $ffc3
.endmacro
.macro load kind, to
  lda #kind
  ldx #<(to)
  ldy #>(to)
  jsr $ffd5
.endmacro
.macro save routine, from, end
  lda #<(from)
  sta $22
  lda #>(from)
  sta $23
  lda #$22
  ldx #<(end)
  ldy #>(end)
  jsr routine
.endmacro
";

pub fn disk() -> Disk {
    Disk::of([
        ("DATA.PRG", vec![0x00, 0x20, 1, 2, 3]),
        ("BIG.BIN", (0..20_000u32).map(|at| ((at * 7) >> 3) as u8).collect()),
        ("TEXT", b"one\rtwo\r".to_vec()),
        ("EMPTY", vec![]),
        ("MAPS/ONE.BIN", vec![7, 8, 9]),
    ])
}

/// A machine with a text's program in it, and a disk.
fn with(disk: Disk, text: &str) -> X16 {
    let mut machine = machine(&format!("{MACROS}{text}"));
    machine.insert(disk).expect("it has no ROM");
    machine
}

pub fn run(text: &str) -> X16 {
    let mut machine = with(disk(), text);
    assert_eq!(machine.run(&Limits::default()), Ending::Returned);
    machine
}

fn ram(machine: &X16, at: u16, length: u16) -> Vec<u8> {
    (at..at + length).map(|at| machine.peek(at)).collect()
}

/// The files of a disk with what was changed on it.
pub fn wrote(machine: &X16) -> Vec<(String, Vec<u8>)> {
    let files = machine.changes().into_iter().filter_map(|Change { path, now }| match now {
        Now::File(bytes) => Some((path.join("/"), bytes.to_vec())),
        _ => None,
    });
    files.collect()
}

#[test]
fn load_goes_where_it_is_told() {
    // Where the file says, where the program says, and all of it where the program says.
    let loaded = run("  name \"data.prg\", 8, 1\n  load 0, $3000\n  rts");
    assert_eq!(ram(&loaded, 0x2000, 4), [1, 2, 3, 0]);
    let cpu = loaded.cpu();
    assert_eq!((cpu.a, cpu.x, cpu.y, cpu.p & 1, loaded.peek(0x0287)), (0, 0x03, 0x20, 0, 0x40));
    // The one partition there is has number 1, and 0 is the present one.
    for number in [0, 1] {
        let loaded = run(&format!("  name \"{number}:data.prg\", 8, 1\n  load 0, $3000\n  rts"));
        assert_eq!((ram(&loaded, 0x2000, 4), loaded.cpu().p & 1), (vec![1, 2, 3, 0], 0), "{number}");
    }
    let other = run("  name \"2:data.prg\", 8, 1\n  load 0, $3000\n  rts");
    assert_eq!((ram(&other, 0x2000, 4), other.cpu().p & 1), (vec![0; 4], 1));
    let loaded = run("  name \"d?ta.*\", 8, 0\n  load 0, $3000\n  rts");
    assert_eq!((ram(&loaded, 0x3000, 4), loaded.cpu().x, loaded.cpu().y), (vec![1, 2, 3, 0], 3, 0x30));
    let loaded = run("  name \"data.prg\", 8, 2\n  load 0, $3000\n  rts");
    assert_eq!(ram(&loaded, 0x3000, 6), [0, 0x20, 1, 2, 3, 0]);
    // The first program, for a name that is empty.
    let first = run("  name \"\", 8, 0\n  load 0, $3000\n  rts");
    assert_eq!(ram(&first, 0x3000, 8), disk().read(&["BIG.BIN".to_owned()]).unwrap()[2..10]);
    let empty = run("  name \"empty\", 8, 2\n  load 0, $3000\n  rts");
    assert_eq!((empty.cpu().x, empty.cpu().y, empty.cpu().p & 1, empty.peek(0x3000)), (0, 0x30, 0, 0));
}

#[test]
fn load_goes_on_in_the_next_bank() {
    let loaded = run("  lda #5\n  sta $00\n  name \"big.bin\", 8, 2\n  load 0, $b000\n  rts");
    let expected = disk().read(&["BIG.BIN".to_owned()]).unwrap();
    assert_eq!((loaded.peek(0), loaded.cpu().x, loaded.cpu().y), (7, 0x20, 0xbe));
    let mut machine = loaded;
    for (at, byte) in expected.iter().enumerate() {
        machine.poke(0, 5 + ((at + 0x1000) / 0x2000) as u8);
        assert_eq!(machine.peek(0xa000 + ((at + 0x1000) % 0x2000) as u16), *byte, "{at}");
    }
}

#[test]
fn load_fills_video_memory() {
    let loaded = run("  name \"maps/one.bin\", 8, 2\n  load 3, $1234\n  rts");
    assert_eq!(loaded.vera().vram()[0x11234..0x11238], [7, 8, 9, 0]);
    assert_eq!((loaded.cpu().a, loaded.cpu().x, loaded.cpu().y), (1, 0x37, 0x12));
}

#[test]
fn verify_compares() {
    let text = "  name \"data.prg\", 8, 1\n  load 0, 0\n  .if CHANGE\n  inc $2001\n  .endif\n\
                \x20 name \"data.prg\", 8, 1\n  load 1, 0\n  rts";
    let same = run(&format!("CHANGE = 0\n{text}"));
    assert_eq!((same.peek(0x0287), same.cpu().p & 1), (0x40, 0));
    let other = run(&format!("CHANGE = 1\n{text}"));
    assert_eq!((other.peek(0x0287), other.cpu().p & 1), (0x10, 0));
}

#[test]
fn load_stops_before_io() {
    let stopped = run("  name \"big.bin\", 8, 2\n  load 0, $9e00\n  rts");
    assert_eq!((stopped.cpu().a, stopped.cpu().p & 1), (16, 1));
    assert_eq!(stopped.peek(0x9eff), disk().read(&["BIG.BIN".to_owned()]).unwrap()[0xff]);
}

#[test]
fn a_program_without_files_ends_where_it_asks() {
    for (text, routine, pc) in [
        ("  name \"data.prg\", 8, 1\n  load 0, 0", "LOAD ($FFD5)", 0x0824),
        ("  name \"data.prg\", 8, 2\n  jsr $ffc0", "OPEN ($FFC0)", 0x081e),
        ("  lda #8\n  jsr $ffb1", "LISTEN ($FFB1)", 0x0803),
    ] {
        let mut machine = machine(&format!("{MACROS}{text}\n  rts"));
        let ending = machine.run(&Limits::default());
        let told = ending.diagnostic(&|_| None).expect("an error");
        assert_eq!((told.code.id, told.severity), ("V0320", Severity::Error));
        assert!(
            told.message.starts_with(&format!("no files: {routine}, called at ${pc:04X}")),
            "{}",
            told.message
        );
        assert!(told.help.iter().any(|help| help.contains("--files DIR")));
    }
    // Other devices are not there, as on a Commander.
    let mut other = machine(&format!("{MACROS}  name \"x\", 9, 1\n  load 0, 0\n  rts"));
    assert_eq!(other.run(&Limits::default()), Ending::Returned);
    assert_eq!((other.cpu().a, other.cpu().p & 1, other.peek(0x0287)), (5, 1, 0x80));
}

#[test]
fn what_is_not_there_is_reported() {
    let machine = run("  name \"dote.prg\", 8, 1\n  load 0, 0\n  rts");
    assert_eq!((machine.cpu().a, machine.cpu().p & 1, machine.peek(0x0287)), (4, 1, 0x42));
    let caller = Caller { routine: 0xffd5, pc: 0x0824 };
    let missed =
        Missed { name: "DOTE.PRG".into(), device: 8, caller, why: Why::Missing(Some("DATA.PRG".into())) };
    assert_eq!(machine.missed(), [missed]);
    // The mode is the second letter, and cc65's library writes it as the first.
    let moded = run("  name \"0:text,a\", 8, 2, 2\n  jsr $ffc0\n  rts");
    assert_eq!(moded.missed()[0].why, Why::NoMode('A'));
    let report = report(&format!("{MACROS}  name \"DATA.PRG\", 8, 1\n  load 0, 0\n  rts"));
    let remark = &report.remarks[0];
    assert_eq!((remark.code.id, remark.severity, remark.labels.len()), ("V0321", Severity::Warning, 1));
    assert!(
        remark.message.ends_with("of device 8; LOAD, called at $0824, asked for it"),
        "{}",
        remark.message
    );
    assert!(remark.help[0].starts_with("$C1 to $DA"));
}

/// Commands that CMDR-DOS carries out and the drive does not are reported by their names; those that CMDR-DOS refuses as well are not.
#[test]
fn commands_that_are_left_out_are_reported() {
    let commands = ["m-r", "m-w", "m-e", "l:text", "f-l:text", "f-u:text", "fl2", "g-p", "n1:disk,id,fat32"];
    let own = ["b-r:2 0 1 1", "u1:2 0 1 1", "v", "d1=0", "f-r:text", "n:disk,id", "md:lists", "s:list"];
    let (said, machine) = said(&[&commands[..], &own[..]].concat());
    for (command, said) in commands.iter().zip(&said).take(8) {
        assert!(said.starts_with("31,SYNTAX ERROR"), "{command}: {said}");
    }
    let missed: Vec<(&str, &Why)> =
        machine.missed().iter().map(|missed| (missed.name.as_str(), &missed.why)).collect();
    let names = ["M-R", "M-W", "M-E", "L", "F-L", "F-U", "FL", "G-P", "N"];
    assert_eq!(missed, names.map(|name| (name, &Why::NoCommand)));
    let report = report(&format!("{MACROS}  command \"m-r\"\n  rts"));
    let remark = &report.remarks[0];
    assert_eq!((remark.code.id, remark.severity, remark.labels.len()), ("V0343", Severity::Warning, 1));
}

/// The report of a run with files.
fn report(text: &str) -> gpuzoo_machine::computer::Report {
    let mut include = |_: &str| Err(String::new());
    let input = Input { name: "t.s", bytes: text.as_bytes(), form: None, include: &mut include };
    let (program, problems) = gpuzoo_x16::GPU.read(&mut Sources::default(), input, &Arguments::default());
    assert!(problems.is_empty(), "{problems:?}");
    program.expect("a program").run(&Arguments::default().set("files", disk())).expect("it runs")
}

/// Whoever draws a run has its files, too, unless it fails.
#[test]
fn drawn_runs_keep_their_files() {
    let kept = |end: &str| {
        let text = format!("{MACROS}  name \"out\", 8, 1\n  save $ffd8, $0801, $0803\n{end}");
        let mut include = |_: &str| Err(String::new());
        let input = Input { name: "t.s", bytes: text.as_bytes(), form: None, include: &mut include };
        let (program, _) = gpuzoo_x16::GPU.read(&mut Sources::default(), input, &Arguments::default());
        let arguments = Arguments::default().set("files", disk());
        let mut screen = program.unwrap().screen(&arguments, &ScreenOptions::default()).unwrap();
        screen.advance();
        screen.changes().iter().map(|change| change.path.join("/")).collect::<Vec<_>>()
    };
    assert_eq!((kept("  rts"), kept("  jsr $fecc\n")), (vec!["OUT".to_owned()], vec![]));
}

#[test]
fn runs_that_fail_keep_nothing() {
    let save = format!("{MACROS}  name \"out\", 8, 1\n  save $ffd8, $0801, $0803\n");
    let kept = report(&format!("{save}  rts"));
    assert_eq!((kept.changes.len(), kept.remarks.len()), (1, 0));
    assert!(kept.text.ends_with("\nwrote OUT, 4 bytes\n"), "{}", kept.text);
    assert_eq!(kept.json["files"][0]["wrote"], "OUT");
    let failed = report(&format!("{save}  jsr $fecc\n"));
    let codes: Vec<_> = failed.remarks.iter().map(|remark| remark.code.id).collect();
    assert_eq!((failed.changes.len(), codes), (0, vec!["V0303", "V0323"]));
}

#[test]
fn save_writes_what_load_reads() {
    let saved = run("  name \"out\", 8, 1\n  save $ffd8, $0801, $0811\n  rts");
    let [(name, bytes)] = &wrote(&saved)[..] else { panic!("{:?}", saved.changes()) };
    assert_eq!((&**name, &bytes[..2], bytes.len(), saved.cpu().p & 1), ("OUT", &[1, 8][..], 18, 0));
    assert_eq!(bytes[2..], ram(&saved, 0x0801, 16));
    // There is no header here, and the second is behind the first.
    let pieces = run(
        "  name \"out,s,w\", 8, 1\n  save $feba, $0801, $0803\n  name \"out,s,a\", 8, 1\n  save $feba, $0803, $0804\n  rts",
    );
    assert_eq!(wrote(&pieces), [("OUT".into(), ram(&pieces, 0x0801, 3))]);
    // A file that is there stays, unless it is said.
    let refused = run("  name \"text\", 8, 1\n  save $ffd8, $0801, $0803\n  status\n  rts");
    assert_eq!((wrote(&refused), refused.output()), (vec![], "63,FILE EXISTS,00,00\n"));
    let replaced = run("  name \"@:text\", 8, 1\n  save $ffd8, $0801, $0802\n  rts");
    assert_eq!(wrote(&replaced)[0].1.len(), 3);
}

#[test]
fn channels_are_read_and_written() {
    let text = "  name \"text,s,r\", 8, 2, 2\n  jsr $ffc0\n  show 2\n  lda #2\n  jsr $ffc3\n\
                \x20 name \"new,s,w\", 8, 3, 3\n  jsr $ffc0\n  ldx #3\n  jsr $ffc9\n  lda #'a'\n  jsr $ffd2\n\
                \x20 lda #'b'\n  jsr $ffd2\n  jsr $ffcc\n  lda #'c'\n  jsr $ffd2\n  lda #3\n  jsr $ffc3\n  rts";
    let machine = run(text);
    assert_eq!((machine.output(), wrote(&machine)), ("one\ntwo\nC", vec![("NEW".into(), b"AB".to_vec())]));
    // After the end there are ends of lines.
    let past = run(
        "  name \"empty,s,r\", 8, 2, 2\n  jsr $ffc0\n  show 2\n  ldx #2\n  jsr $ffc6\n  lda #$40\n  sta $0287\n  jsr $ffcf\n  rts",
    );
    assert_eq!(past.cpu().a, 13);
}

#[test]
fn blocks_are_read_and_written() {
    let text = "  name \"big.bin,s,r\", 8, 2, 2\n  jsr $ffc0\n  ldx #2\n  jsr $ffc6\n  lda #100\n  ldx #<$3000\n  ldy #>$3000\n\
                \x20 clc\n  jsr $ff44\n  stx $30\n  sty $31\n  lda #0\n  ldx #<$4000\n  ldy #>$4000\n  clc\n  jsr $ff44\n  stx $32\n\
                \x20 sty $33\n  lda #4\n  ldx #<$9f23\n  ldy #>$9f23\n  sec\n  jsr $ff44\n  jsr $ffcc\n\
                \x20 name \"new,s,w\", 8, 3, 3\n  jsr $ffc0\n  ldx #3\n  jsr $ffc9\n  lda #0\n  ldx #<$4000\n  ldy #>$4000\n\
                \x20 clc\n  jsr $feb1\n  stx $34\n  sty $35\n  jsr $ffcc\n  lda #3\n  jsr $ffc3\n  rts";
    let machine = run(&format!("  stz $9f20\n  stz $9f21\n  lda #$10\n  sta $9f22\n{text}"));
    let big = disk().read(&["BIG.BIN".to_owned()]).unwrap();
    assert_eq!(ram(&machine, 0x30, 6), [100, 0, 156, 1, 0, 1]);
    assert_eq!(
        (ram(&machine, 0x3000, 100), ram(&machine, 0x4000, 412)),
        (big[..100].to_vec(), big[100..512].to_vec())
    );
    assert_eq!(machine.vera().vram()[..4], big[512..516]);
    assert_eq!(wrote(&machine), [("NEW".into(), big[100..356].to_vec())]);
}

#[test]
fn a_listing_is_a_basic_program() {
    let text = |secondary: &str| {
        let machine = run(&format!("  name \"{secondary}\", 8, 0\n  load 0, $3000\n  rts"));
        let end = u16::from_le_bytes([machine.cpu().x, machine.cpu().y]);
        let bytes = ram(&machine, 0x3000, end - 0x3000);
        assert!(bytes.ends_with(&[0, 0, 0]), "{bytes:?}");
        let shown = bytes.iter().map(|byte| if (0x20..0x7f).contains(byte) { *byte as char } else { '|' });
        let text: String = shown.collect();
        let names = text.split('"').skip(1).step_by(2).map(str::trim).collect::<Vec<_>>().join(" ");
        (names, text.contains("MB FREE."))
    };
    assert_eq!(text("$"), ("GPUZOO BIG.BIN DATA.PRG EMPTY MAPS TEXT".into(), true));
    assert_eq!(text("$:*=d").0, "GPUZOO MAPS");
    assert_eq!(text("$:d*=p").0, "GPUZOO DATA.PRG");
    assert_eq!(text("$/maps/:*").0, "GPUZOO . .. ONE.BIN");
    assert_eq!(
        (text("$=t").0, text("$=c").0),
        ("GPUZOO BIG.BIN DATA.PRG EMPTY MAPS TEXT".into(), "GPUZOO /".into())
    );
    assert_eq!(text("$=p"), ("GPUZOO FAT32".into(), false));
}

/// A command, and what the drive says of it.
pub fn said(commands: &[&str]) -> (Vec<String>, X16) {
    let text: String =
        commands.iter().map(|command| format!("  command \"{command}\"\n  status\n")).collect();
    let machine = run(&format!("{text}  rts"));
    (machine.output().lines().map(str::to_owned).collect(), machine)
}

#[test]
fn commands_change_files() {
    let commands = [
        "i",
        "md:new",
        "md:new",
        "cd:new",
        "c:copy=/maps/:one.bin",
        "c:copy=//maps/:one.bin,//maps/:one.bin",
        "r:other=copy",
        "r:no=none",
        "s:o*,x",
        "cd:..",
        "rd:new",
        "rd:maps",
        "s//maps/:*",
        "rd:maps",
        "cd:none",
        "s:te?t",
        "s:",
        "ui",
        "q",
        "w-1",
        "s:*",
        "w-0",
        "n1:disk,id,fat32",
        "cp1",
        "cp7",
        "9:x",
        "s9:x",
    ];
    let (said, machine) = said(&commands);
    let expected = [
        "00, OK",
        "00, OK",
        "63,FILE EXISTS",
        "00, OK",
        "62, FILE NOT FOUND",
        "00, OK",
        "00, OK",
        "62, FILE NOT FOUND",
        "01, FILES SCRATCHED,01",
        "00, OK",
        "01, FILES SCRATCHED,01",
        "01, FILES SCRATCHED,00",
        "01, FILES SCRATCHED,01",
        "01, FILES SCRATCHED,01",
        "62, FILE NOT FOUND",
        "01, FILES SCRATCHED,01",
        "34,SYNTAX ERROR",
        "73,CMDR-DOS V1.0 X16",
        "31,SYNTAX ERROR",
        "00, OK",
        "26,WRITE PROTECT ON",
        "00, OK",
        "77,SELECTED PARTITION ILLEGAL,01",
        "02,PARTITION SELECTED,01",
        "77,SELECTED PARTITION ILLEGAL,07",
        "31,SYNTAX ERROR",
        "74,DRIVE NOT READY",
    ];
    for ((command, said), expected) in commands.iter().zip(&said).zip(expected) {
        assert!(said.starts_with(expected), "{command}: {said}");
    }
    assert_eq!(said.len(), expected.len());
    let changed: Vec<String> = machine.changes().iter().map(Change::to_string).collect();
    assert_eq!(changed, ["removed MAPS", "removed MAPS/ONE.BIN", "removed TEXT"]);
}

#[test]
fn places_in_a_file() {
    let text = "  name \"data.prg,s,m\", 8, 2, 2\n  jsr $ffc0\n  name .concat(\"p\", .string(2)), 8, 15, 15\n\
                \x20 rts";
    // The command has bytes in it.
    let text = text.replace("name .concat(\"p\", .string(2)), 8, 15, 15", &[
        "jmp over\nstring: .byte 'p', 2, 3, 0, 0, 0\nover: lda #6\n  ldx #<string\n  ldy #>string\n  jsr $ffbd\n  lda #15\n",
        "  ldx #8\n  ldy #15\n  jsr $ffba\n  jsr $ffc0\n  lda #15\n  jsr $ffc3\n  ldx #2\n  jsr $ffc9\n  lda #$99\n  jsr $ffd2\n",
        "  jsr $ffcc\n  jmp over2\nstring2: .byte 't', 2\nover2: lda #2\n  ldx #<string2\n  ldy #>string2\n  jsr $ffbd\n  lda #15\n",
        "  ldx #8\n  ldy #15\n  jsr $ffba\n  jsr $ffc0\n  show 15\n",
    ].concat());
    let machine = run(&text);
    assert_eq!(machine.output(), "07,00000004 00000005,00,00\n");
    assert_eq!(wrote(&machine), [("DATA.PRG".into(), vec![0, 0x20, 1, 0x99, 3])]);
}

/// What is read and written does not depend on how a session got there.
#[test]
fn sessions_go_back_over_files() {
    let text = "  name \"big.bin\", 8, 2\n  load 0, $3000\n  name \"big.bin\", 8, 2\n  load 2, $0000\n\
                \x20 name \"a\", 8, 1\n  save $ffd8, $3000, $3100\n  command \"r:b=a\"\n  name \"b\", 8, 1\n  load 0, 0\n  rts";
    let mut fresh = with(disk(), text);
    let start = fresh.clone();
    let mut machines = vec![fresh.clone()];
    while fresh.step().ending.is_none() {
        machines.push(fresh.clone());
    }
    let mut session = Session::with_memory(start, 1 << 20);
    session.seek(u64::MAX);
    let steps = session.position();
    for at in [steps, 0, steps / 2, steps - 1, 3, steps / 3, steps] {
        assert_eq!(session.seek(at), at);
        let position = at as usize;
        assert!(machines.get(position).is_none_or(|machine| *machine == *session.machine()), "step {at}");
    }
    // A step that loads has changed what was loaded, and nothing else.
    let load = (0..steps).find(|step| session.record(*step).unwrap().changes.len() > 5_000).unwrap();
    let (before, after) = (&machines[load as usize], &machines[load as usize + 1]);
    let changes = session.changes(load).unwrap();
    for at in 0..0x9f00 {
        let is_told =
            changes.iter().any(|change| change.place == gpuzoo_x16::session::Place::Memory(at, None));
        assert!(is_told || before.peek(at) == after.peek(at), "${at:04X}");
    }
}

/// Stops where LOAD writes, in RAM and in video memory, with the step that did it.
#[test]
fn stops_see_what_is_loaded() {
    use gpuzoo_x16::session::{Stop, Until};
    let text = "  name \"data.prg\", 8, 1\n  load 0, 0\n  nop\n  name \"data.prg\", 8, 2\n  load 2, $1000\n  nop\n  rts";
    let mut session = Session::new(with(disk(), text));
    assert_eq!(session.run_until(&Until::Write(0x2001..=0x2001), 10_000), Stop::Met);
    // Before the routine's RTS.
    assert_eq!((session.machine().cpu().pc, session.peek(0x2001)), (0xffd6, 2));
    assert_eq!(session.run_until(&Until::Store(0x1002..=0x1002), 10_000), Stop::Met);
    assert_eq!(session.peek_vram(0x1002), Some(1));
    assert_eq!(session.machine().peek(session.machine().cpu().pc), 0x60);
}

/// A ROM as the KERNAL's is: jumps, READST, and routines that stop the CPU.
pub fn rom() -> Vec<u8> {
    let mut rom = vec![0; 0x8000];
    let mut put =
        |at: usize, bytes: &[u8]| rom[at - 0xc000..at - 0xc000 + bytes.len()].copy_from_slice(bytes);
    for at in [0xff44, 0xff93, 0xff96, 0xffa5, 0xffa8, 0xffab, 0xffae, 0xffb1, 0xffb4] {
        put(at, &[0x4c, 0x00, 0xc1]);
    }
    // STP; READST with the status at $0299; a handler.
    put(0xc100, &[0xdb]);
    put(0xc200, &[0xad, 0x99, 0x02, 0x0d, 0x99, 0x02, 0x8d, 0x99, 0x02, 0x60]);
    put(0xffb7, &[0x4c, 0x00, 0xc2]);
    put(0xff90, &[0x4c, 0x80, 0xc1]);
    put(0xc180, &[0x8d, 0x9a, 0x02]);
    put(0xfffa, &[0x00, 0xc1, 0x00, 0xc1, 0x00, 0xc1]);
    rom
}

/// With a ROM the routines of the bus are answered, those of other devices are not.
#[test]
fn a_kernal_finds_the_drive() {
    let with = |text: &str| {
        let mut machine = X16::new(Config { rom: Some(rom()), ..Config::default() }).unwrap();
        machine.load_prg(&program(text).0.prg().unwrap()).unwrap();
        machine.insert(disk()).unwrap();
        let ending = machine.run(&Limits::default());
        (machine, ending)
    };
    let text = "  lda #8\n  jsr $ffb1\n  lda #$f2\n  jsr $ff93\n  ldx #0\nn: lda name,x\n  jsr $ffa8\n  inx\n  cpx #12\n  bne n\n\
                \x20 jsr $ffae\n  lda #8\n  jsr $ffb4\n  lda #$62\n  jsr $ff96\n  jsr $ffa5\n  sta $30\n  lda #0\n  ldx #0\n  ldy #$30\n\
                \x20 clc\n  jsr $ff44\n  stx $31\n  sty $32\n  jsr $ffb7\n  sta $33\n  jsr $ffab\n  rts\nname: .byte \"data.prg,s,r\"";
    let (machine, ending) = with(text);
    assert_eq!(ending, Ending::Returned);
    assert_eq!(
        (ram(&machine, 0x30, 4), ram(&machine, 0x3000, 4)),
        (vec![0, 4, 0, 0x40], vec![0x20, 1, 2, 3])
    );
    // Another device is for the ROM, and so is ACPTR as long as nobody talks.
    assert_eq!(with("  lda #9\n  jsr $ffb4\n  rts").1, Ending::Stopped { pc: 0xc100 });
    assert_eq!(with("  jsr $ffa5\n  rts").1, Ending::Stopped { pc: 0xc100 });
}

/// A ROM that starts by itself has the drive from the start, as a board has its card; that it looks for AUTOBOOT.X16 is not reported.
#[test]
fn a_rom_without_a_program_finds_the_drive() {
    let mut rom = rom();
    // LISTEN 8, SECOND $F0, the name, UNLSN, STP.
    let mut code = vec![0xa9, 8, 0x20, 0xb1, 0xff, 0xa9, 0xf0, 0x20, 0x93, 0xff];
    for letter in b"AUTOBOOT.X16" {
        code.extend([0xa9, *letter, 0x20, 0xa8, 0xff]);
    }
    code.extend([0x20, 0xae, 0xff, 0xdb]);
    rom[0x300..0x300 + code.len()].copy_from_slice(&code);
    rom[0x3ffc..0x3ffe].copy_from_slice(&[0x00, 0xc3]);
    let end = 0xc300 + code.len() as u16;
    let run = |arguments: Arguments| {
        let arguments = arguments.set("rom", rom.clone()).set("frames", 1);
        let report = Program::none().run(&arguments).unwrap();
        (report.json["ending"].as_str().unwrap().to_owned(), report.remarks.len())
    };
    assert_eq!(run(Arguments::default().set("files", disk())), (format!("STP at ${:04X}", end - 1), 0));
    assert_eq!(run(Arguments::default()), ("STP at $C100".to_owned(), 0));
}

#[test]
fn a_bank_that_is_not_there_is_reported() {
    let codes = |text: &str| -> Vec<_> {
        report(text).remarks.iter().map(|remark| (remark.code.id, remark.message.clone())).collect()
    };
    assert_eq!(codes("  lda #63\n  sta $00\n  sta $a000\n  rts"), []);
    let told = codes("  lda #64\n  sta $00\n  sta $a000\n  rts");
    assert_eq!(told, [("V0324", "RAM bank 64 is not there; the program writes to it at $0805".to_owned())]);
}

/// As after RUN: what BASIC's prompt has LOAD say is not said.
#[test]
fn a_kernal_says_nothing_to_programs() {
    let mut machine = X16::new(Config { rom: Some(rom()), ..Config::default() }).unwrap();
    machine.poke(0x029a, 0xc0);
    machine.load_prg(&program("  rts").0.prg().unwrap()).unwrap();
    assert_eq!(machine.peek(0x029a), 0);
}

#[test]
fn another_rom_has_no_drive() {
    let mut machine = X16::new(Config { rom: Some(vec![0; 0x4000]), ..Config::default() }).unwrap();
    assert_eq!(machine.insert(disk()).unwrap_err().code.id, "V0322");
}

proptest! {
    /// Whatever is saved is what is loaded.
    #[test]
    fn saved_bytes_come_back(bytes in proptest::collection::vec(any::<u8>(), 1..300), at in 0x2000u16..0x8000) {
        let end = at + bytes.len() as u16;
        let text = format!("  name \"x\", 8, 1\n  save $ffd8, {at}, {end}\n  .repeat 2\n  nop\n  .endrepeat\n  brk");
        let mut machine = with(disk(), &text);
        for (place, byte) in (at..).zip(&bytes) {
            machine.poke(place, *byte);
        }
        machine.run(&Limits::default());
        let Some((_, file)) = wrote(&machine).pop() else { panic!("nothing was written") };
        prop_assert_eq!(&file[2..], &bytes[..]);
        let mut other = with(Disk::of([("X", file)]), "  name \"x\", 8, 1\n  load 0, 0\n  rts");
        other.run(&Limits::default());
        prop_assert_eq!(ram(&other, at, bytes.len() as u16), bytes);
        prop_assert_eq!(u16::from_le_bytes([other.cpu().x, other.cpu().y]), end);
    }

    /// No name or command leads to a path with a part that could lead out of the folder.
    #[test]
    fn names_stay_in_the_folder(
        text in prop_oneof![
            proptest::collection::vec(any::<u8>(), 0..40),
            "[a-z@0-9:/=,.*?_$-]{0,40}".prop_map(String::into_bytes),
            "(md|cd|rd|c|r|s)[0-9]?(//?[a-z./]{0,8}/)?:[a-z./=:]{0,12}".prop_map(|text| text.to_uppercase().into_bytes()),
        ],
        channel in 0u8..16,
    ) {
        let mut machine = with(disk(), "  lda #8\n  jsr $ffb1\n  lda $40\n  jsr $ff93\n  ldx #0\n  lda $41\n  beq done\n\
            n: lda $3000,x\n  jsr $ffa8\n  inx\n  cpx $41\n  bne n\ndone: jsr $ffae\n\
            \x20 lda #8\n  jsr $ffb1\n  lda $40\n  and #$0f\n  ora #$60\n  jsr $ff93\n  lda #1\n  jsr $ffa8\n  jsr $ffae\n  rts");
        for (at, byte) in (0x3000..).zip(&text) {
            machine.poke(at, *byte);
        }
        machine.poke(0x40, 0xf0 | channel);
        machine.poke(0x41, text.len() as u8);
        prop_assert_eq!(machine.run(&Limits::default()), Ending::Returned);
        for change in machine.changes() {
            for part in &change.path {
                let is_plain = !part.is_empty() && part != "." && part != ".." && !part.contains(['/', '\\', '\0']);
                prop_assert!(is_plain, "{:?}", change.path);
            }
        }
    }
}
