//! The verbs for VERA: 65C02 programs and bus traces.

use crate::common::{command, done, gpuzoo, scratch, text, with_input};
use std::io::Read;
use std::path::{Path, PathBuf};

/// Writes $2A to VERA's memory at $00000 and $00001, and returns.
const PROGRAM: &str = "        .include \"one.inc\"
        stz VERA_CTRL
        stz VERA_ADDRx_L
        stz VERA_ADDRx_M
        lda #ONE_BY_ONE
        sta VERA_ADDRx_H
        lda #$2a
        sta VERA_DATA0
        sta VERA_DATA0
        rts
";
/// What a 65C02 makes of it, by the data sheet's opcodes.
const BYTES: [u8; 25] = [
    0x9c, 0x25, 0x9f, 0x9c, 0x20, 0x9f, 0x9c, 0x21, 0x9f, 0xa9, 0x10, 0x8d, 0x22, 0x9f, 0xa9, 0x2a, 0x8d,
    0x23, 0x9f, 0x8d, 0x23, 0x9f, 0x60, 0x00, 0x00,
];
const LENGTH: usize = 23;

fn program(name: &str) -> (PathBuf, PathBuf) {
    let folder = scratch(name);
    std::fs::write(folder.join("one.inc"), "ONE_BY_ONE = 1 << 4\n").expect("written");
    std::fs::write(folder.join("two.s"), PROGRAM).expect("written");
    (folder.join("two.s"), folder)
}

#[test]
fn programs_assemble_with_their_includes_and_disassemble_to_the_same_bytes() {
    let (source, folder) = program("vera-assemble");
    let (prg, listing, symbols) = (folder.join("two.prg"), folder.join("two.lst"), folder.join("two.sym"));
    let done = gpuzoo(&[
        "assemble",
        text(&source),
        "-o",
        text(&prg),
        "--listing",
        text(&listing),
        "--symbols",
        text(&symbols),
    ]);
    assert_eq!((done.code, done.err.as_str()), (0, ""));
    let bytes = std::fs::read(&prg).expect("the program");
    assert_eq!((&bytes[..2], &bytes[2..]), (&[0x01, 0x08][..], &BYTES[..LENGTH]));
    assert!(std::fs::read_to_string(&listing).is_ok_and(|text| text.contains("sta VERA_DATA0")));
    let done = gpuzoo(&["disassemble", text(&prg)]);
    assert!(done.out.contains("sta VERA_ADDRx_H"), "{}", done.out);
    let again = with_input(
        &["assemble", "--gpu", "vera", "-", "--emit", "bin", "-o", text(&folder.join("x"))],
        &done.out,
    );
    assert_eq!((again.code, again.err.as_str()), (0, ""));
    assert_eq!(std::fs::read(folder.join("x")).expect("written"), BYTES[..LENGTH]);
}

/// An alias of the machine is taken wherever its id is, also where there is no program that tells which machine is meant.
#[test]
fn the_machine_has_an_alias() {
    let (source, folder) = program("vera-alias");
    let rom = folder.join("rom.bin");
    std::fs::write(&rom, [0xdb; 0x4000]).expect("written");
    for arguments in [
        &["run", "--gpu", "x16", text(&source), "--ram-banks", "64"][..],
        &["list", "--gpu", "x16", "formats"],
        &["explain", "--gpu", "x16", "FX_CTRL"],
        &["run", "--gpu", "x16", "--rom", text(&rom), "--cycles", "100"],
    ] {
        let of_id: Vec<&str> =
            arguments.iter().map(|word| if *word == "x16" { "vera" } else { word }).collect();
        let [by_alias, by_id] = [gpuzoo(arguments), gpuzoo(&of_id)];
        assert_eq!((by_alias.code, &by_alias.out, &by_alias.err), (by_id.code, &by_id.out, &by_id.err));
        assert_eq!(by_alias.code, 0, "{arguments:?}: {}", by_alias.err);
    }
    // It is no other name's beginning, and is not offered twice.
    let wrong = gpuzoo(&["list", "--gpu", "x1", "formats"]);
    assert!(wrong.code != 0 && !wrong.err.contains("x16"), "{}", wrong.err);
}

#[test]
fn mistakes_have_a_place_and_a_code() {
    let done = with_input(
        &["check", "--stdin-name", "x.s", "-", "--message-format", "short"],
        "  lda #1\n  stq 5\n",
    );
    assert_eq!(done.code, 1);
    assert!(done.err.starts_with("x.s:2:3: error[V02"), "{}", done.err);
    let (source, folder) = program("vera-mistakes");
    let trace = folder.join("t.trace");
    std::fs::write(&trace, "W 23 2A\n").expect("written");
    let (source, trace) = (text(&source), text(&trace));
    for (args, code) in [
        (&["check", "nosuch.s"][..], "G0104"),
        (&["run", "nosuch.prg"], "G0104"),
        (&["run", source, "--profile", "hardware"], "G0103"),
        (&["run", source, "--deviation", "E99"], "G0108"),
        (&["assemble", source, "--emit", "ir"], "G0118"),
        (&["render", source, "--view", "depth", "-o", "x.png"], "G0108"),
        (&["render", source, "--layer", "1", "-o", "x.png"], "G0108"),
        (&["render", source, "--frames", "3", "--frame", "3", "-o", "x.png"], "G0108"),
        (&["render", source, "--frames", "0", "-o", "x.png"], "G0108"),
        (&["render", source, "--frames", "3", "--cycles", "9", "-o", "x.png"], "G0108"),
        (&["check", source, "--profile", "x16emu"], "G0108"),
        (&["check", source, "--frames", "3"], "G0108"),
        (&["run", source, "--load-at", "$0801"], "G0108"),
        (&["run", source, "--format", "csv"], "G0108"),
        (&["run", source, "--include", ""], "G0121"),
        (&["run", trace, "--frames", "3"], "G0108"),
        (&["run", trace, "--rom", source], "G0108"),
        (&["check", trace], "V0309"),
        (&["trace", source, "--pixel", "1,1"], "G0108"),
        (&["conform", trace, "--deviation", "E99"], "G0108"),
        (&["bench", "--gpu", "vera"], "G0113"),
        (&["explain", "--gpu", "vera", "0x03d10457"], "G0110"),
        (&["run", "default.vu", "--frames", "3"], "G0108"),
        (&["run", "default.vu", "--state"], "G0108"),
        (&["check", "default.vu", "--run"], "G0108"),
        (&["trace", "default.vu", "--start", "0"], "G0108"),
        (&["render", "scene.toml", "--cycles", "5"], "G0108"),
    ] {
        let done = gpuzoo(args);
        assert!(done.err.starts_with(&format!("error[{code}]")), "{args:?}: {}", done.err);
        assert_eq!(done.code, if code.starts_with("G01") { 2 } else { 1 }, "{args:?}");
    }
}

#[test]
fn programs_run_and_say_how_they_ended() {
    let (source, folder) = program("vera-run");
    let dump = folder.join("vram");
    let done = gpuzoo(&["run", text(&source), "--vram", text(&dump), "--state"]);
    assert_eq!((done.code, done.err.as_str()), (0, ""));
    assert!(done.out.starts_with("the program returned\n"), "{}", done.out);
    // Besides what the KERNAL leaves on the screen.
    assert!(done.out.contains(" of 131072 bytes are not 0, from $00000 to "), "{}", done.out);
    assert!(done.out.contains("ADDR0"), "{}", done.out);
    let vram = std::fs::read(&dump).expect("the dump");
    assert_eq!((vram.len(), &vram[..3]), (0x2_0000, &[0x2a, 0x2a, 0][..]));
    // An endless loop meets its limit, with a warning that says where.
    let done = with_input(&["run", "--gpu", "vera", "-", "--frames", "2"], "loop: inc a\n bra loop\n");
    assert_eq!(done.code, 0);
    assert!(
        done.err.contains("V0306") && done.out.starts_with("stopped after 2 frames"),
        "{} {}",
        done.err,
        done.out
    );
    // What no ROM is there for is an error.
    let done = with_input(&["run", "--gpu", "vera", "-"], " jsr $fecc\n rts\n");
    assert_eq!(done.code, 1);
    assert!(done.err.contains("V0303") && done.err.contains("MONITOR"), "{}", done.err);
    let done = gpuzoo(&["run", text(&source), "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&done.out).expect("JSON");
    assert_eq!((&json["ended"], &json["state"]["ADDR0"]), (&true.into(), &2.into()));
}

/// `ldx` takes 2 cycles, `dex` 2, `bne` 3 and at last 2, `rts` 6 (W65C02S data sheet); the fetch that `rts` returns to is one more.
#[test]
fn a_run_says_where_its_cycles_went() {
    let text = " jsr work\n rts\nwork: ldx #100\n@loop: dex\n bne @loop\n rts\n";
    let done = with_input(&["run", "--gpu", "vera", "-", "--hot"], text);
    assert_eq!(done.code, 0, "{}", done.err);
    let (_, table) = done.out.split_once("where 520 cycles went, and how often:\n").expect("a table");
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[0], ["97.5", "%", "507", "1", "x", "work"]);
    let most = ["57.5", "%", "299", "100", "x", "$0808", "bne", "work@loop", "(work@loop+1)"];
    let single = rows.iter().position(|row| row[0] == "single").expect("instructions");
    assert_eq!(rows[single + 1], most);
    let done = with_input(&["run", "--gpu", "vera", "-", "--hot", "--format", "json"], text);
    let json: serde_json::Value = serde_json::from_str(&done.out).expect("JSON");
    let work = &json["hot"]["routines"][0];
    assert_eq!((&work["name"], &work["cycles"], &work["times"]), (&"work".into(), &507.into(), &1.into()));
    let sum: u64 =
        json["hot"]["routines"].as_array().unwrap().iter().map(|one| one["cycles"].as_u64().unwrap()).sum();
    assert_eq!(json["hot"]["cycles"], sum);
    assert!(done.out.contains("return to the KERNAL") && !done.out.contains("bbs1"), "{}", done.out);
    // A local label without another before it is a routine by itself; what stands before any label has its page.
    let done = with_input(&["run", "--gpu", "vera", "-", "--hot"], " ldx #3\n@next: dex\n bne @next\n rts\n");
    assert!(done.out.contains("  @next\n") && done.out.contains("  RAM at $0800\n"), "{}", done.out);
    // It is a run's, and a CPU's.
    assert_eq!(with_input(&["trace", "--gpu", "vera", "-", "--hot"], text).code, 2);
    assert_eq!(gpuzoo(&["run", "default.vu", "--hot"]).code, 2);
}

#[test]
fn chrout_prints() {
    let program = " ldx #0\n@next: lda text,x\n beq @done\n jsr CHROUT\n inx\n bra @next\n@done: rts\ntext: .byte \"HELLO\", 13, 0\n";
    let done = with_input(&["run", "--gpu", "vera", "-"], program);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(done.out.starts_with("HELLO\nthe program returned\n"), "{}", done.out);
}

#[test]
fn what_is_recorded_replays_and_conforms() {
    let (source, folder) = program("vera-record");
    let trace = folder.join("two.trace");
    let done = gpuzoo(&["record", text(&source), "-o", text(&trace)]);
    assert_eq!((done.code, done.err.as_str()), (0, ""));
    let written = std::fs::read_to_string(&trace).expect("the trace");
    let accesses: Vec<&str> = written.lines().filter(|line| line.starts_with(['W', 'R'])).collect();
    // Behind what the KERNAL has done before.
    let own = ["W 25 00", "W 20 00", "W 21 00", "W 22 10", "W 23 2A", "W 23 2A"];
    assert_eq!(accesses[accesses.len() - own.len()..], own);
    let done = gpuzoo(&["conform", "--gpu", "vera", text(&trace)]);
    assert_eq!((done.code, done.err.as_str()), (0, ""));
    assert!(done.out.contains("trace  1/1 passed (131072 compared)"), "{}", done.out);
    let done = gpuzoo(&["run", text(&trace)]);
    assert!(done.out.contains(" accesses, 0 of them reads; 0 returned"), "{}", done.out);
    // The trace is as good as a dump.
    let done = gpuzoo(&["diff", text(&trace), text(&trace)]);
    assert_eq!((done.code, done.out.as_str()), (0, "0 of 131072 differ\n"));
    std::fs::write(&trace, "W 23 2A\nR 23 01\nV 00000 2A\n").expect("written");
    let done = gpuzoo(&["conform", "--gpu", "vera", text(&trace), "--format", "json"]);
    assert_eq!(done.code, 1);
    let json: serde_json::Value = serde_json::from_str(&done.out).expect("JSON");
    assert_eq!(json["files"][0]["failures"][0]["differences"][0]["expected"], "$01");
    std::fs::write(&trace, "R 29 08\n").expect("written");
    let done = gpuzoo(&["conform", text(&trace), "--profile", "x16emu"]);
    assert_eq!(done.code, 1);
    assert!(done.out.contains("meets E1"), "{}", done.out);
    std::fs::write(&trace, "W 23 2A\nW 4\n").expect("written");
    let done = gpuzoo(&["conform", text(&trace), "--message-format", "short"]);
    assert_eq!(done.code, 1);
    assert!(done.err.contains(":2:1: error[V0101]"), "{}", done.err);
}

#[test]
fn traces_show_the_bus_and_what_changes() {
    let (source, _) = program("vera-trace");
    let done = gpuzoo(&["trace", text(&source), "--skip", "3", "--steps", "4"]);
    assert_eq!((done.code, done.err.as_str()), (0, ""));
    assert!(done.out.contains("A9 10     lda #$10"), "{}", done.out);
    assert!(done.out.contains("W 22 10  ADDRx_H"), "{}", done.out);
    assert!(done.out.contains("ADDR0 $0 -> $1"), "{}", done.out);
    let done = gpuzoo(&["trace", text(&source), "--steps", "1", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(done.out.trim()).expect("JSON");
    assert_eq!((&json["instruction"], &json["place"]["line"]), (&"stz VERA_CTRL".into(), &2.into()));
}

#[test]
fn lints_find_misuse_with_its_line() {
    let done = with_input(
        &["check", "--run", "--stdin-name", "x.s", "-", "--message-format", "short"],
        " lda #4\n sta VERA_CTRL\n lda VERA_FX_MULT\n inc VERA_DATA0\n rts\n",
    );
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(done.err.contains("x.s:3:") && done.err.contains("x.s:4:"), "{}", done.err);
    assert!(done.err.matches("warning[V04").count() == 3, "{}", done.err);
    let code = done.err.split("warning[").nth(1).and_then(|rest| rest.get(..5)).expect("a code");
    assert!(gpuzoo(&["explain", code]).out.starts_with(code));
}

#[test]
fn pictures_show_the_screen_and_the_memory() {
    // The border's colour is entry 1 of the palette, white, over the whole screen: the window is empty.
    let program = " stz VERA_CTRL\n lda #1\n sta VERA_DC_VIDEO\n sta VERA_DC_BORDER\n lda #2\n sta VERA_CTRL\n stz VERA_DC_HSTOP\n rts\n";
    let folder = scratch("vera-render");
    let raw = folder.join("out.raw");
    let done = with_input(&["render", "--gpu", "vera", "-", "-o", text(&raw)], program);
    assert_eq!((done.code, done.err.as_str()), (0, ""));
    let bytes = std::fs::read(&raw).expect("the picture");
    assert_eq!(bytes.len(), 640 * 480 * 4);
    assert!(bytes.iter().all(|byte| *byte == 255));
    let done = with_input(&["render", "--gpu", "vera", "-", "-o", text(&raw), "--frames", "3"], program);
    assert_eq!((done.code, std::fs::read(&raw).map(|bytes| bytes.len()).ok()), (0, Some(3 * 640 * 480 * 4)));
    for view in ["vram", "tiles", "sprites", "palette"] {
        let png = folder.join(view).with_extension("png");
        let done = with_input(&["render", "--gpu", "vera", "-", "-o", text(&png), "--view", view], program);
        assert_eq!((done.code, done.err.as_str()), (0, ""), "{view}");
        assert!(std::fs::read(&png).is_ok_and(|bytes| bytes.starts_with(b"\x89PNG")));
    }
}

/// A reader has the first frames long before the last are drawn: all of them would take 12 GB.
/// The same sound alone and beside pictures, as a file of 750 samples: those of a frame up to line 480.
#[test]
fn sound_is_a_file_of_its_own() {
    let folder = scratch("vera-sound");
    let (source, alone, beside) = (folder.join("tone.s"), folder.join("tone.WAV"), folder.join("beside.wav"));
    let tone = " lda #$c0\n sta VERA_ADDR_L\n lda #$f9\n sta VERA_ADDR_M\n lda #$11\n sta VERA_ADDR_H\n\
                ldx #0\n@byte:\n lda voice,x\n sta VERA_DATA0\n inx\n cpx #4\n bne @byte\n stp\nvoice: .byte 0, 8, $ff, 63\n";
    std::fs::write(&source, tone).expect("written");
    let done = gpuzoo(&["render", text(&source), "--frame", "0", "-o", text(&alone)]);
    assert_eq!((done.code, done.err.as_str()), (0, ""));
    let file = std::fs::read(&alone).expect("sound");
    // RIFF's size, PCM, 2 channels, 48,828 Hz, bytes a second, 4 bytes a sample, 16 bits, 3,000 bytes.
    assert_eq!(file[..8], [82, 73, 70, 70, 0xdc, 0x0b, 0, 0]);
    assert_eq!(file[20..36], [1, 0, 2, 0, 0xbc, 0xbe, 0, 0, 0xf0, 0xfa, 2, 0, 4, 0, 16, 0]);
    assert_eq!((file[40..44].to_vec(), file.len()), (vec![0xb8, 0x0b, 0, 0], 44 + 750 * 4));
    assert!(file[44..].iter().any(|byte| *byte != 0));
    let picture = folder.join("tone.png");
    let both = ["render", text(&source), "--frame", "0", "-o", text(&picture), "--sound", text(&beside)];
    let done = gpuzoo(&both);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(std::fs::read(&beside).is_ok_and(|other| other == file));
    assert!(std::fs::read(&picture).is_ok_and(|bytes| bytes.starts_with(b"\x89PNG")));
    // What is for pictures is refused, and a scene has no sound.
    let done = gpuzoo(&["render", text(&source), "--view", "vram", "-o", text(&alone)]);
    assert!(done.code == 2 && done.err.contains("`--view` is for pictures"), "{}", done.err);
    let done = with_input(&["render", "-", "-o", text(&alone)], "gpu = \"nv2a\"\n");
    assert!(
        done.code == 2 && done.err.contains("no picture format has the extension `.wav`"),
        "{}",
        done.err
    );
    std::fs::write(&source, " rts\n").expect("written");
    let done = gpuzoo(&["render", text(&source), "--frames", "2", "-o", text(&alone)]);
    assert!(done.code == 0 && done.err.contains("V0319"), "{}", done.err);
}

#[test]
fn frames_stream() {
    let folder = scratch("vera-stream");
    let source = folder.join("endless.s");
    // A border whose colour changes.
    let program = " lda #1\n sta VERA_DC_VIDEO\n lda #2\n sta VERA_CTRL\n stz VERA_DC_HSTOP\n stz VERA_CTRL\n\
                   next: inc VERA_DC_BORDER\n bra next\n";
    std::fs::write(&source, program).expect("written");
    let start = |form: &str| {
        let args = ["render", text(&source), "--frames", "10000", "--format", form, "-o", "-"];
        let mut child = command(&args).spawn().expect("the program starts");
        let pipe = child.stdout.take().expect("standard output is a pipe");
        (child, pipe)
    };
    // A reader that has enough closes the pipe, which is not an error.
    let end = |child: std::process::Child| {
        let done = done(&child.wait_with_output().expect("the program ends"));
        assert_eq!((done.code, done.err.as_str()), (0, ""));
    };
    let (child, mut pipe) = start("raw");
    let mut frame = vec![0; 640 * 480 * 4];
    for _ in 0..60 {
        pipe.read_exact(&mut frame).expect("a frame");
        assert!(frame.chunks(4).all(|pixel| pixel[3] == 255));
    }
    #[cfg(target_os = "linux")]
    {
        // The most memory that the process had.
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).expect("it runs");
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a line");
        let peak: u64 = peak.trim().trim_end_matches(" kB").parse().expect("a number");
        assert!(peak < 40 << 10, "{peak} kB");
    }
    drop(pipe);
    end(child);
    // The chunks up to the end of the second frame of an animation.
    let (child, mut pipe) = start("png");
    pipe.read_exact(&mut [0; 8]).expect("a signature");
    let mut names = Vec::new();
    while names.last().is_none_or(|name| name != "fdAT") {
        let mut head = [0; 8];
        pipe.read_exact(&mut head).expect("a chunk");
        let length = u32::from_be_bytes(head[..4].try_into().expect("four bytes"));
        std::io::copy(&mut pipe.by_ref().take(u64::from(length) + 4), &mut std::io::sink())
            .expect("its data");
        names.push(String::from_utf8_lossy(&head[4..]).into_owned());
    }
    assert_eq!(names, ["IHDR", "acTL", "fcTL", "IDAT", "fcTL", "fdAT"]);
    drop(pipe);
    end(child);
}

#[test]
fn pages_and_lists_know_it() {
    for (args, part) in [
        (&["list", "gpus"][..], "vera"),
        (&["list", "profiles", "--gpu", "vera"], "x16emu"),
        (&["list", "registers"], "FX_CTRL"),
        (&["list", "deviations"], "E19"),
        (&["explain", "vera"], "65C02"),
        (&["explain", "vera.FX_CTRL"], "cache write"),
        (&["explain", "--gpu", "vera", "accumulator"], "32 bits"),
        (&["explain", "--gpu", "vera", "vera"], "65C02"),
        (&["explain", "vera.stz"], "$9C  stz $3412"),
        (&["explain", "vera", "--json"], "\"topics\""),
        (&["list", "options"], "--ram-banks"),
        (&["list", "registers", "--gpu", "dreambox"], "r0 to r15"),
        (&["run", "--gpu", "vera", "--help"], "--ram-banks <N>"),
        (&["run", "--help"], "`gpuzoo run --gpu vera --help` shows the options that only this machine has."),
        (&["run", "x.s", "--help"], "For vera:"),
        (&["list", "ops", "--gpu", "vera"], "bbs7"),
    ] {
        let done = gpuzoo(args);
        assert_eq!((done.code, done.err.as_str()), (0, ""), "{args:?}");
        assert!(done.out.contains(part), "{args:?}: {}", done.out);
    }
    // A name that one machine has needs no machine.
    assert!(gpuzoo(&["explain", "FX_CTRL"]).out.starts_with("FX_CTRL: $9F29"));
    assert!(gpuzoo(&["run", "x.a65"]).err.contains("`vera`"));
    let done = with_input(&["run", "--gpu", "vera", "-", "--deviation", "E99"], " rts\n");
    assert!(done.code == 2 && done.err.contains("choices are `E1`, "), "{}", done.err);
    assert!(gpuzoo(&["explain", "vera.FX_CTL"]).err.contains("did you mean `FX_CTRL`?"));
}

#[test]
fn arguments_that_would_change_nothing_are_refused() {
    let run = |args: &[&str]| with_input(&[args, &["--gpu", "vera", "-"]].concat(), " rts\n");
    for args in [
        &["run", "-c", "c0=1,0,0,0"][..],
        &["run", "--layout", "0:0:Float4"],
        &["trace", "--bits"],
        &["trace", "--vertex", "3"],
    ] {
        let done = run(args);
        assert!(
            done.code == 2 && done.err.contains("is for programs over vertices; vera has none"),
            "{args:?}: {} {}",
            done.code,
            done.err
        );
    }
    assert_eq!(run(&["run", "--bits", "--format", "json"]).code, 2);
    assert_eq!(run(&["run"]).code, 0);
}

#[test]
fn a_program_without_end_meets_the_limits_of_trace_and_render() {
    let endless = "loop: bra loop\n";
    let done = with_input(&["trace", "--gpu", "vera", "-", "--skip", "1000000", "--frames", "1"], endless);
    assert_eq!((done.code, done.out.as_str()), (0, "stopped after 1 frame at $0801\n"));
    let done = with_input(&["trace", "--gpu", "vera", "-", "--steps", "9", "--cycles", "6"], endless);
    // A branch that is taken within a page has three cycles; its label is before it.
    assert_eq!(
        (done.out.lines().count(), done.out.lines().last()),
        (5, Some("stopped after 6 cycles at $0801"))
    );
    let png = scratch("vera-far").join("out.png");
    let done =
        with_input(&["render", "--gpu", "vera", "-", "--frame", "4000000000", "-o", text(&png)], endless);
    assert_eq!(done.code, 2);
    assert!(done.err.contains("frames are 0 to 9999"), "{}", done.err);
}

/// Help shows a machine's own options where the machine is named, and an option of one machine is refused for another.
#[test]
fn options_of_one_machine_are_not_those_of_others() {
    assert!(!gpuzoo(&["run", "--help"]).out.contains("--ram-banks"));
    assert!(!gpuzoo(&["run", "--gpu", "nv2a", "--help"]).out.contains("--ram-banks"));
    assert!(!gpuzoo(&["run", "--gpu", "vera", "--help"]).out.contains("--vertices-from"));
    let done = gpuzoo(&["run", "--gpu", "nv2a", "x", "--ram-banks", "3"]);
    assert!(done.code == 2 && done.err.contains("it is for vera"), "{}", done.err);
    let done = with_input(&["run", "--gpu", "vera", "-", "--ram-banks", "300"], " rts\n");
    assert!(done.code == 2 && done.err.contains("a number from 1 to 256"), "{}", done.err);
    let done = with_input(&["run", "--gpu", "vera", "-", "--start", "here"], " rts\n");
    assert!(done.code == 2 && done.err.contains("$0000 to $FFFF"), "{}", done.err);
    let done = with_input(&["record", "--gpu", "nv2a", "-"], "mov oPos, v0\n");
    assert!(done.code == 2 && done.err.contains("G0117"), "{}", done.err);
    let done = with_input(&["assemble", "--gpu", "vera", "-", "--name", "x", "-o", "-"], " rts\n");
    assert!(done.code == 2 && done.err.contains("--name"), "{}", done.err);
}

/// Only one machine can record, so it need not be named.
#[test]
fn the_only_machine_that_can_is_meant() {
    let done = with_input(&["record", "-"], " lda #$2a\n sta VERA_DATA0\n rts\n");
    assert!(done.code == 0 && done.out.contains("W 23 2A"), "{} {}", done.out, done.err);
}

/// In a folder, what lies beside a trace is not a vector, and not a skipped file either.
#[test]
fn pictures_and_interrupts_belong_to_their_traces() {
    let folder = scratch("vera-folder");
    let program = " lda #1\n sta VERA_DC_VIDEO\n rts\n";
    let png = folder.join("t.png");
    assert_eq!(with_input(&["render", "--gpu", "vera", "-", "-o", text(&png)], program).code, 0);
    std::fs::write(folder.join("t.trace"), "W 29 01\n").expect("written");
    std::fs::write(folder.join("ISR.txt"), "t  00\n").expect("written");
    std::fs::write(folder.join("notes.txt"), "no trace\n").expect("written");
    let done = gpuzoo(&["conform", "--gpu", "vera", text(&folder)]);
    assert!(done.out.contains("t.trace  frame"), "{} {}", done.out, done.err);
    assert!(done.out.contains("notes.txt  skipped"), "{}", done.out);
    assert!(!done.out.contains("png") && !done.out.contains("ISR.txt"), "{}", done.out);
}

#[cfg(unix)]
#[test]
fn names_of_files_need_not_be_text() {
    use std::os::unix::ffi::OsStrExt;
    let (source, folder) = program("vera-bytes");
    let odd = folder.join(std::ffi::OsStr::from_bytes(b"\xff.s"));
    std::fs::copy(&source, &odd).expect("copied");
    let dump = folder.join(std::ffi::OsStr::from_bytes(b"\xfe.vram"));
    let run = |path: &std::path::Path| {
        let command = std::process::Command::new(env!("CARGO_BIN_EXE_gpuzoo"))
            .args(["run", "--gpu", "vera", "--vram"])
            .args([&dump, path])
            .output();
        command.expect("it starts").status.code()
    };
    assert_eq!(run(&odd), Some(0));
    assert_eq!(std::fs::read(&dump).map(|bytes| bytes.len()).ok(), Some(0x2_0000));
}

#[test]
fn forms_are_those_of_the_machine() {
    for args in [
        &["assemble", "--gpu", "vera", "-", "--emit", "ir", "-o", "-"][..],
        &["check", "--gpu", "vera", "-", "--from", "hex"],
        &["assemble", "--gpu", "dreambox", "-", "--emit", "prg", "-o", "-"],
        &["check", "--gpu", "dreambox", "-", "--from", "trace"],
    ] {
        let done = with_input(args, "end\n");
        assert!(done.code == 2 && done.err.contains("G0118"), "{args:?}: {}", done.err);
    }
}

#[test]
fn conform_says_that_a_picture_was_compared() {
    let folder = scratch("vera-beside");
    let (png, trace) = (folder.join("t.png"), folder.join("t.trace"));
    let program = " lda #1\n sta VERA_DC_VIDEO\n sta VERA_DC_BORDER\n rts\n";
    assert_eq!(with_input(&["render", "--gpu", "vera", "-", "-o", text(&png)], program).code, 0);
    // A window that is empty shows the border, white; the picture is black.
    std::fs::write(&trace, "W 29 01\nW 2C 01\nW 25 02\nW 2A 00\n").expect("written");
    let done = gpuzoo(&["conform", "--gpu", "vera", text(&trace)]);
    assert_eq!(done.code, 1);
    assert!(done.out.contains("the trace's picture included"), "{}", done.out);
}

/// What cc65 2.19 wrote for two sources: names and lines are what its files say of the program.
#[test]
fn linked_programs_have_the_names_and_lines_of_their_linker() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates/x16/tests/cc65");
    let file = |name: &str| folder.join(name).to_str().expect("a path").to_owned();
    let (prg, labels, lines) = (file("demo.prg"), file("demo.lbl"), file("demo.dbg"));
    let script = "break fill\nrun\nstep\nlast\nrun line fill.s:13\nbreaks\n";
    for (symbols, place) in
        [(&labels, "step 8  $0825 fill  sta ptr"), (&lines, "step 8  $0825 fill  fill.s:10  sta ptr")]
    {
        let script =
            if symbols == &lines { script } else { "break fill\nrun\nstep\nlast\nrun done\nbreaks\n" };
        let done = with_input(&["debug", &prg, "--symbols", symbols], script);
        assert_eq!((done.code, done.err.as_str()), (0, ""));
        assert!(done.out.contains(place), "{}", done.out);
        assert!(done.out.contains("  writes ram[$0022] ptr = $10, before $00\n"), "{}", done.out);
        assert!(
            done.out.contains("breakpoint 1: $0825 fill\n") && done.out.contains("  $0830 "),
            "{}",
            done.out
        );
        let done = gpuzoo(&["trace", &prg, "--symbols", symbols, "--steps", "9"]);
        assert!(done.out.contains("            fill:\n") && done.out.contains("jsr fill "), "{}", done.out);
        // The text has the names, and makes the same bytes.
        let text = gpuzoo(&["disassemble", &prg, "--symbols", symbols]).out;
        assert!(text.contains("\nfill:\n") && text.contains("jsr fill\n"), "{text}");
        let again = with_input(&["assemble", "--gpu", "vera", "-", "-o", "-"], &text);
        assert_eq!((again.code, again.err.as_str()), (0, ""));
    }
    let done = gpuzoo(&["trace", &prg, "--symbols", &lines, "--steps", "1", "--format", "json"]);
    let step: serde_json::Value = serde_json::from_str(&done.out).expect("a line of JSON");
    assert_eq!((&step["label"], &step["place"]["line"]), (&"start".into(), &12.into()));
    // A text has its own, and anything but a symbol file is refused.
    let done = gpuzoo(&["trace", &file("main.s"), "--symbols", &labels]);
    assert!(done.code == 2 && done.err.contains("error[G0108]"), "{}", done.err);
    let done = gpuzoo(&["trace", &prg, "--symbols", &file("main.s")]);
    assert!(done.code == 1 && done.err.contains("error[V0231]"), "{}", done.err);
}

/// Where a trace begins and ends, and which steps it has, against the whole trace of the same run.
#[test]
fn traces_begin_and_end_where_the_debugger_goes() {
    let folder = scratch("vera-excerpts");
    let source = folder.join("loop.s");
    let lines = [
        "start: ldx #3",
        "again: stx VERA_DATA0",
        " inx",
        " cpx #6",
        " bne again",
        "last: stz VERA_CTRL",
        " rts",
    ];
    std::fs::write(&source, lines.join("\n")).unwrap();
    let trace = |more: &[&str]| {
        let done = gpuzoo(&[&["trace", text(&source), "--format", "json"], more].concat());
        assert_eq!((done.code, done.err.as_str()), (0, ""), "{more:?}");
        done.out.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let all = trace(&[]);
    // The last one returns to where the program was called from.
    assert_eq!(all.len(), 1 + 3 * 4 + 3);
    assert_eq!(trace(&["--begin", "last"]), all[13..]);
    assert_eq!(trace(&["--begin", "start", "--until", "again"]), all[..1]);
    assert_eq!(trace(&["--skip", "2", "--begin", "again", "--until", "line 6"]), all[5..13]);
    assert_eq!(trace(&["--until", "write VERA_DATA0", "--skip", "2"]), all[2..6]);
    let stores: Vec<String> = [1, 5, 9].iter().map(|at| all[*at].clone()).collect();
    assert_eq!(trace(&["--on-write", "vram[0..$1ffff]"]), stores);
    assert_eq!(trace(&["--on-write", "VERA_DATA0", "--begin", "again", "--steps", "2"]), stores[..2]);
    assert_eq!(trace(&["--only", "vera"]), [stores, vec![all[13].clone()]].concat());
    for (more, code, expected) in [
        (&["--begin", "nowhere"][..], 1, "there is neither an event nor a label `nowhere`"),
        (&["--begin", "agian"], 1, "a label `agian`; did you mean `again`?"),
        (&["--begin", "$1234"], 1, "the run ends after 16 steps, before where the trace begins"),
        (&["--frame", "1"], 1, "before the end of picture 0"),
        (&["--on-write", "ram[$400]", "--until", "last"], 0, "no step of this part of the run is wanted"),
        (&["--begin", "line"], 2, "expected a line"),
        (&["--begin", "start here"], 2, "`here` cannot follow"),
    ] {
        let done = gpuzoo(&[&["trace", text(&source)], more].concat());
        assert!(done.code == code && done.err.contains(expected), "{more:?}: {}{}", done.out, done.err);
    }
    let shader = gpuzoo(&["trace", "--gpu", "nv2a", text(&source), "--begin", "start"]);
    assert!(shader.code > 0, "{}", shader.err);
}
