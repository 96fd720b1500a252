//! `--save-state` and `--load-state`: a run that goes on from a file.

use crate::common::{gpuzoo, scratch, text, with_input};
use std::path::{Path, PathBuf};

/// Counts in video memory and in the border's colour, and beeps.
const PROGRAM: &str = "start:  lda #2
        sta VERA_CTRL
        lda #80
        sta VERA_DC_HSTOP
        stz VERA_CTRL
        lda #$c0
        sta VERA_ADDRx_L
        lda #$f9
        sta VERA_ADDRx_M
        lda #$11
        sta VERA_ADDRx_H
        lda #$9d
        sta VERA_DATA0
        lda #$04
        sta VERA_DATA0
        lda #$ff
        sta VERA_DATA0
        lda #$3f
        sta VERA_DATA0
        stz VERA_ADDRx_H
again:  inc VERA_DC_BORDER
        inc count
        bne again
carry:  inc count + 1
        lda count + 1
        sta VERA_DATA0
        bra again
count:  .word 0
";

fn program(name: &str) -> (PathBuf, PathBuf) {
    let folder = scratch(name);
    let source = folder.join("count.s");
    std::fs::write(&source, PROGRAM).unwrap();
    (folder, source)
}

fn fine(args: &[&str]) -> String {
    let done = gpuzoo(args);
    assert_eq!(done.code, 0, "{args:?}: {}", done.err);
    done.out
}

fn same(one: &Path, other: &Path) {
    assert!(
        std::fs::read(one).unwrap() == std::fs::read(other).unwrap(),
        "{} {}",
        one.display(),
        other.display()
    );
}

#[test]
fn a_run_in_two_parts_is_one() {
    let (folder, source) = program("state-parts");
    let at = |name: &str| folder.join(name);
    let (state, second) = (at("a.state"), at("b.state"));
    let (state, second, source) = (text(&state), text(&second), text(&source));
    // Pictures and memory.
    fine(&["render", source, "--frame", "5", "-o", text(&at("whole.png"))]);
    let whole = fine(&["run", source, "--frames", "6", "--vram", text(&at("whole.bin"))]);
    let first = gpuzoo(&["run", source, "--frames", "2", "--save-state", state]);
    assert!(first.out.starts_with("stopped after 2 frames") && first.err.contains("V0306"), "{}", first.err);
    fine(&[
        "render",
        source,
        "--load-state",
        state,
        "--frame",
        "3",
        "-o",
        text(&at("parts.png")),
        "--save-state",
        second,
    ]);
    let parts =
        fine(&["run", source, "--load-state", state, "--frames", "4", "--vram", text(&at("parts.bin"))]);
    same(&at("whole.png"), &at("parts.png"));
    same(&at("whole.bin"), &at("parts.bin"));
    let registers = |text: &str| text.lines().find(|line| line.starts_with("A $")).map(str::to_owned);
    assert!(registers(&whole).is_some() && registers(&whole) == registers(&parts), "{whole}{parts}");
    // A state of a state: six frames as well.
    let third = fine(&["run", source, "--load-state", second, "--cycles", "1", "--state"]);
    assert!(third.starts_with("stopped after "), "{third}");
    // Sound: WAV files have 44 bytes before their samples.
    let wave = |more: &[&str], name: &str| {
        let path = at(name);
        fine(&[&["render", source, "-o", text(&path)], more].concat());
        std::fs::read(path).unwrap()[44..].to_vec()
    };
    let before = wave(&["--frames", "2"], "before.wav");
    let after = wave(&["--frames", "3", "--load-state", state], "after.wav");
    assert!([before, after].concat() == wave(&["--frames", "5"], "all.wav"));
}

#[test]
fn traces_and_the_debugger_go_on_where_others_have_stopped() {
    let (folder, source) = program("state-trace");
    let (state, other) = (folder.join("a.state"), folder.join("b.state"));
    let (state, other, source) = (text(&state), text(&other), text(&source));
    let until = fine(&["trace", source, "--skip", "800", "--until", "carry", "--save-state", state]);
    let next = fine(&["trace", source, "--load-state", state, "--steps", "3"]);
    let all = fine(&["trace", source, "--skip", "800", "--steps", "10000"]);
    assert!(!until.is_empty() && next.contains("carry:") && all.starts_with(&(until + &next)), "{next}");
    // The debugger writes where it is left, here on the way back.
    let script = folder.join("script");
    std::fs::write(&script, "run carry\nrun carry\nrun carry\nrback carry\nquit\n").unwrap();
    let debugged = fine(&["debug", source, "--script", text(&script), "--save-state", other]);
    assert_eq!(fine(&["trace", source, "--load-state", other, "--steps", "3"]), next, "{debugged}");
    let looked = with_input(&["debug", source, "--load-state", state], "print PC\n");
    assert!(looked.code == 0 && looked.out.contains("carry"), "{}{}", looked.out, looked.err);
    // Checks run, too.
    fine(&["check", "--run", source, "--load-state", state, "--frames", "1", "--save-state", other]);
}

#[test]
fn what_does_not_go_on_is_refused() {
    let (folder, source) = program("state-refused");
    let (state, damaged) = (folder.join("a.state"), folder.join("damaged.state"));
    fine(&["run", text(&source), "--cycles", "50000", "--save-state", text(&state)]);
    let mut bytes = std::fs::read(&state).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(&damaged, bytes).unwrap();
    let other = folder.join("other.s");
    std::fs::write(&other, format!("{PROGRAM} nop\n")).unwrap();
    // Spelt otherwise it is the same program.
    let spelt = folder.join("spelt.s");
    std::fs::write(&spelt, format!("; the same\n{}", PROGRAM.replace("inc", "INC"))).unwrap();
    let (state, damaged) = (text(&state), text(&damaged));
    fine(&["run", text(&spelt), "--load-state", state, "--frames", "1"]);
    let card = folder.join("card.img");
    std::fs::write(&card, [0; 512]).unwrap();
    let file = folder.join("x.png");
    for (args, code, message) in [
        (&["run", text(&source), "--load-state", damaged][..], "V0339", "its sum is another one"),
        (&["run", text(&source), "--load-state", text(&source)], "V0339", "not a machine's state"),
        (&["render", text(&other), "--load-state", state, "-o", text(&file)], "V0341", "the program differs"),
        (
            &["run", text(&source), "--load-state", state, "--sdcard", text(&card)],
            "V0341",
            "the SD card differs",
        ),
        (&["run", text(&source), "--load-state", state, "--profile", "rtl"], "G0108", "goes on from a state"),
        (&["check", text(&source), "--save-state", text(&file)], "G0108", "`check --run`"),
        (&["record", text(&source), "--load-state", state], "G0121", "unexpected argument"),
        (
            &["run", text(&source), "--load-state", state, "--frames", "1", "--save-state", state],
            "G0131",
            "is an input",
        ),
        (&["run", "default.vu", "--save-state", text(&file)], "G0108", "it is for vera"),
    ] {
        let done = gpuzoo(args);
        assert!(
            done.err.contains(&format!("error[{code}]")) && done.err.contains(message),
            "{args:?}: {}",
            done.err
        );
        assert_eq!(done.code, if code.starts_with('G') { 2 } else { 1 }, "{args:?}");
        assert!(!file.exists(), "{args:?}");
    }
}

/// A session that is saved says where its run begins, but not what is written; that is up to its reader.
#[test]
fn saved_sessions_write_nothing() {
    let (folder, source) = program("state-session");
    let at = |name: &str| folder.join(name);
    let (state, session) = (at("a.state"), at("session.json"));
    fine(&["run", text(&source), "--cycles", "50000", "--save-state", text(&state)]);
    let script = at("script");
    std::fs::write(&script, format!("run carry\nsave {}\n", text(&session))).unwrap();
    let other = at("b.state");
    let state = text(&state);
    let joined = format!("--save-state={}", text(&other));
    let mut saved = String::new();
    for save in [&[&joined[..]][..], &["--save-state", text(&other)]] {
        fine(&[&["debug", text(&source), "--load-state", state, "--script", text(&script)], save].concat());
        saved = std::fs::read_to_string(&session).unwrap();
        assert!(
            saved.contains("--load-state") && !saved.contains("--save-state") && !saved.contains("b.state"),
            "{saved}"
        );
    }
    let again = at("again.state");
    let opened = gpuzoo(&["debug", text(&session), "--save-state", text(&again)]);
    assert_eq!(opened.code, 0, "{}", opened.err);
    same(&again, &at("b.state"));
    let refused = |saved: &str, args: &[&str]| {
        std::fs::write(&session, saved).unwrap();
        let done = gpuzoo(&[&["debug", text(&session)], args].concat());
        done.err.lines().next().unwrap_or_default().to_owned()
    };
    assert!(refused(&saved, &["--load-state", state]).contains("G0108"));
    let writing = saved.replacen("\"--load-state\"", "\"--save-state\", \"evil\", \"--load-state\"", 1);
    assert!(refused(&writing, &[]).contains("G0305"), "{writing}");
    assert!(!at("evil").exists());
}
