//! The runner fails what it must fail, and blesses no more than it may.
#![allow(clippy::disallowed_methods, reason = "golden files are files")]

use gpuzoo_dreambox::GPU as DREAMBOX;
use gpuzoo_golden::codes::{self, Shown};
use gpuzoo_golden::{check, every_row, frames};
use gpuzoo_machine::{Gpu, ShaderUnit};
use std::path::{Path, PathBuf};

/// A folder of this name, which only one test uses, with files in it.
fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    for (path, text) in files {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    folder
}

/// What comes of a text as the file of this name, which only one test uses.
fn tried(gpu: &dyn ShaderUnit, name: &str, text: &str) -> Result<(), String> {
    check(gpu, &folder(&name.replace('/', "_"), &[(name, text)]).join(name), false).map(drop)
}

const ABS: &str = "// test: encode roundtrip run from: spec\nabs r0 r1\n// enc: 00000408\n\
                   // run: r1=(-1,2,-0,nan) -> r0=(1,2,0,nan)\n";

#[test]
fn a_file_passes_with_evidence_of_its_row() {
    assert_eq!(tried(&DREAMBOX, "ops/abs_passes.vu", ABS), Ok(()));
}

/// Each of these once passed in place of a row's file.
#[test]
fn empty_and_unrelated_files_fail() {
    for (text, why) in [
        ("", "the first line must be"),
        ("// test: from: spec\n", "names no test"),
        ("// test: run from: spec\nabs r0 r1\n", "no line `run:` is about the profile"),
        (
            "// test: run from: spec\nadd r0 r1\n// run: r0=(1,1,1,1) r1=(1,1,1,1) -> r0=(2,2,2,2)\n",
            "the program has no `abs`",
        ),
        ("// test: run from: spec\nabs r0 r1\n// run: r1=(1,2,3,4) -> \n", "nothing is expected"),
        (
            "// test: run from: spec\nabs r0 r1\n// rnu: r1=(1,2,3,4) -> r0=(1,2,3,4)\n",
            "`rnu:` is not an expectation",
        ),
    ] {
        let problem = tried(&DREAMBOX, "ops/abs_empty.vu", text).expect_err(text);
        assert!(problem.contains(why), "{text}\n{problem}");
    }
}

#[test]
fn every_test_needs_its_evidence() {
    for (text, why) in [
        ("// test: encode from: spec\nabs r0 r1\n", "no line `enc:`"),
        ("// test: encode from: spec\n", "the program is empty"),
        ("// test: encode from: spec\nabs r0 r1\n// enc: 408\n// run: -> r0=(0,0,0,0)\n", "no test of it"),
        ("// test: roundtrip from: spec\n// nothing\n", "the program is empty"),
        ("// test: clean from: spec\n// nothing\n", "a message where none is expected: B0102"),
        ("// test: load from: spec\n// at: 0..4 B0101 x\n", "no line `bytes:`"),
        ("// test: load from: spec\n// bytes: 3f 00 00 00 00\n", "the messages are"),
        ("// test: messages from: spec\nabs r0 r1\n", "the messages are"),
    ] {
        let problem = tried(&DREAMBOX, "programs/evidence.vu", text).expect_err(text);
        assert!(problem.contains(why), "{text}\n{problem}");
    }
}

/// The program has the row and the results are right, but they would be without it.
#[test]
fn a_run_must_notice_its_row() {
    for text in [
        "// test: run from: spec\nabs r0 r1\n// run: r1=(1,2,3,4) -> r1=(1,2,3,4)\n",
        "// test: run from: spec\nend\nabs r0 r1\n// run: r0=(1,1,1,1) r1=(-2,2,2,2) -> r0=(1,1,1,1)\n",
        "// test: run from: spec\nabs r0 r1\nldc r0 0\n// run: c0=(1,1,1,1) -> r0=(1,1,1,1)\n",
    ] {
        let problem = tried(&DREAMBOX, "ops/abs_unnoticed.vu", text).expect_err(text);
        assert!(problem.contains("would notice if Op(8 abs) did nothing"), "{text}\n{problem}");
    }
    // What does nothing says so.
    let trap = |test: &str| {
        let text = format!(
            "// test: {test} from: spec\n#vertexShader #input r0.xyzw #output r0.xyzw\ntrap\n\
             // run: in0=(1,0,0,0) -> r0=(1,0,0,0)\n"
        );
        tried(&gpuzoo_picogpu::GPU, "ops/trap.pico", &text)
    };
    assert!(trap("run").unwrap_err().contains("would notice"));
    assert_eq!(trap("nop"), Ok(()));
    let abs = tried(&DREAMBOX, "ops/abs_nop.vu", &ABS.replace(" run ", " nop "));
    assert!(abs.unwrap_err().contains("does nothing, and it does"));
}

#[test]
fn every_row_is_held_and_not_only_every_mnemonic() {
    let head = "// test: run from: spec\n#vertexShader #input r0.xyzw #output r8.xyzw\n";
    let registers = format!("{head}fadd r8 r0 r0\n// run: in0=(1,2,3,4) -> r8=(2,4,6,8)\n");
    let values = format!("{head}fadd r8 r0 1.0\n// run: in0=(1,2,3,4) -> r8=(2,3,4,5)\n");
    let missing =
        |files: &[(&str, &str)]| every_row(&gpuzoo_picogpu::GPU, &folder("rows", files)).unwrap_err();
    let both = missing(&[("tests/ops/fadd.pico", &registers), ("tests/ops/fadd_values.pico", &values)]);
    assert!(!both.contains("fadd") && both.contains("Op(3 fsub)"), "{both}");
    let one = missing(&[("tests/ops/fadd.pico", &registers)]);
    assert!(one.contains("Op(1 fadd)") && !one.contains("Op(0 fadd)"), "{one}");
    // A file that fails holds nothing.
    let wrong = registers.replace("2,4,6,8", "2,4,6,9");
    assert!(missing(&[("tests/ops/fadd.pico", &wrong)]).contains("Op(0 fadd)"));
}

#[test]
fn every_profile_is_run() {
    let tried = |line: &str| {
        let text = format!("; test: run from: spec\nrsq r0, v0.x\n; {line}\n");
        tried(&gpuzoo_nv2a::GPU, "ops/rsq_profiles.vsh", &text)
    };
    assert_eq!(tried("run: v0=(0,0,0,0) -> R0=(inf,inf,inf,inf)"), Ok(()));
    // RSQ(1) is 1 in the emulator alone.
    for (line, why) in [
        ("run[cpu]: v0=(1,0,0,0) -> R0=(1,1,1,1)", "no line `run:` is about the profile `hw`"),
        ("run: v0=(1,0,0,0) -> R0=(1,1,1,1)", "write `run[hw]:` and `run[cpu]:`"),
        ("run[gpu]: v0=(1,0,0,0) -> R0=(1,1,1,1)", "no profile is called `gpu`"),
    ] {
        assert!(tried(line).unwrap_err().contains(why), "{line}");
    }
}

/// Blesses a text of Dreambox as the file of this name, which only one test uses; what came of it, and the file then.
fn blessed(name: &str, text: &str) -> (Result<(), String>, String) {
    let path = folder(&name.replace('/', "_"), &[(name, text)]).join(name);
    let result = check(&DREAMBOX, &path, true).map(drop);
    (result, std::fs::read_to_string(path).unwrap())
}

/// `enc:` was once moved to the end, and the first run's result then went into the second run's line.
#[test]
fn blessing_computes_everything_and_writes_once() {
    let text = "// test: encode run from: self\nabs r0 r1\n// enc: 0\n// enc: 1\n\
                // run: r1=(-1,-2,-3,-4) -> r0=(0,0,0,0)\n// Not moved.\n\
                // run: r1=(-5,-6,-7,-8) -> r0=(0,0,0,0)\n";
    let expected = "// test: encode run from: self\nabs r0 r1\n// enc: 00000408\n\
                    // run: r1=(-1,-2,-3,-4) -> r0=(1,2,3,4)\n// Not moved.\n\
                    // run: r1=(-5,-6,-7,-8) -> r0=(5,6,7,8)\n";
    assert_eq!(blessed("ops/abs_once.vu", text), (Ok(()), expected.to_owned()));
    assert_eq!(blessed("ops/abs_once.vu", expected), (Ok(()), expected.to_owned()));
    // One expectation that cannot be met, and nothing is written.
    let text = text.replace("-8) -> r0=(0,0,0,0)", "-8) -> r99=(0,0,0,0)");
    let (result, after) = blessed("ops/abs_once.vu", &text);
    assert!(result.unwrap_err().contains("there is no register `r99`"));
    assert_eq!(after, text);
}

#[test]
fn evidence_is_not_blessed_away() {
    let text = ABS.replace("00000408", "00000409");
    let (result, after) = blessed("ops/abs_spec.vu", &text);
    assert!(result.unwrap_err().contains("another authority"));
    assert_eq!(after, text);
}

/// A mark whose code the machine no longer gives was once removed, and then nothing tested the code.
#[test]
fn blessing_does_not_remove_the_code_that_a_file_is_named_after() {
    let text = "// test: messages from: self\n    ld r0 0\n//  ^^ A0104 no such slot\n    mvo r1 r0\n";
    let (result, after) = blessed("err/A0104_gone.vu", text);
    let problem = result.unwrap_err();
    assert!(
        problem.starts_with("A0104, after which the file is named, is not among the messages"),
        "{problem}"
    );
    assert_eq!(after, text);
    let (result, after) = blessed("err/A0101_here.vu", text);
    let expected = "// test: messages from: self\n    ld r0 0\n    mvo r1 r0\n\
                    //  ^^^ A0101 there is no instruction `mvo`\n";
    assert_eq!((result, after.as_str()), (Ok(()), expected));
    // A file in err/ has messages at all.
    assert!(tried(&DREAMBOX, "err/A0101_nothing.vu", ABS).unwrap_err().contains("not among the messages"));
}

#[test]
fn pictures_carry_their_authority() {
    let folder = folder("frames", &[("authority.txt", "# why\none from: self\ntwo from: vectors\n")]);
    let pixels = [0x12, 0x34, 0x56, 0xff];
    let png = || {
        let image = gpuzoo_raster::Image::from_pixels(1, 1, vec![pixels]).unwrap();
        gpuzoo_scene::output::png(&image, true).map_err(|error| error.to_string())
    };
    let compare =
        |name: &str, pixels: &[u8], bless| frames::compare(&folder, name, (1, 1), pixels, png, bless);
    assert!(compare("three", &pixels, true).unwrap_err().contains("says nothing about `three`"));
    assert!(compare("one", &pixels, false).is_err());
    assert!(
        compare("two", &pixels, true).unwrap_err().contains("not blessed: authority.txt says from: vectors")
    );
    assert_eq!(compare("one", &pixels, true), Ok(()));
    assert_eq!(compare("one", &pixels, false), Ok(()));
    assert!(compare("one", &[0, 0, 0, 0xff], false).unwrap_err().starts_with("1 of 1 pixels differ"));
    let strays = |names: &[&str]| {
        frames::strays(&folder, &names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>())
    };
    assert_eq!(strays(&["one", "two"]), Ok(()));
    assert_eq!(strays(&["two"]), Err("no example is called one one".to_owned()));
}

#[test]
fn codes_need_a_file_or_a_test_that_mentions_them() {
    let source = "#[test]\nfn shows() {\n    assert_eq!(code, \"X0102\");\n    // X0103\n}\n\
                  fn helper() {\n    \"X0102\";\n}\n";
    let shown = |list: &str| {
        let files = [("tests/err/X0101_a.vu", ""), ("tests/a.rs", source), ("tests/codes.txt", list)];
        codes::shown(&folder("codes", &files))
    };
    let good = shown("# why\nX0102 tests/a.rs shows\nX0104 never since nothing is so\n").unwrap();
    let expected = [("X0101", Shown::File), ("X0102", Shown::Test), ("X0104", Shown::Never)];
    assert_eq!(good, expected.map(|(code, how)| (code.to_owned(), how)).into());
    for (list, why) in [
        ("X0103 tests/a.rs shows\n", "does not mention the code"),
        ("X0102 tests/a.rs helper\n", "not a test"),
        ("X0102 tests/a.rs gone\n", "no such function"),
        ("X0102 tests/b.rs shows\n", "b.rs"),
        ("X0101 never really never\n", "shown already"),
        ("X0104 never\n", "not `CODE FILE TEST`"),
    ] {
        assert!(shown(list).unwrap_err().contains(why), "{list}");
    }
}

/// A machine may say that it never gives a code of the kit, and is believed until a mistake gives it.
#[test]
fn codes_that_are_never_given_are_looked_for() {
    let never = |codes: &[&'static gpuzoo_diag::Code]| -> String {
        codes.iter().map(|code| format!("{} never so\n", code.id)).collect()
    };
    let (kit, own) = (gpuzoo_isa::codes::CODES, DREAMBOX.about().codes[0]);
    let all = never(kit) + &never(own);
    let files = [("tests/ops/abs.vu", ABS), ("tests/codes.txt", all.as_str())];
    let every = codes::every(&DREAMBOX, &folder("never_own", &files)).unwrap_err();
    assert!(every.starts_with("neither a file in err/ nor a line of tests/codes.txt: D0101"), "{every}");
    let (kit, own): (_, Vec<String>) =
        (never(kit), own.iter().map(|code| format!("tests/err/{}_a.vu", code.id)).collect());
    let mut files = vec![("tests/ops/abs.vu", ABS), ("tests/codes.txt", kit.as_str())];
    files.extend(own.iter().map(|path| (path.as_str(), "")));
    let every = codes::every(&DREAMBOX, &folder("never_kit", &files)).unwrap_err();
    assert!(every.starts_with("mistakes give codes that no test shows:\nA0101:\n"), "{every}");
}
