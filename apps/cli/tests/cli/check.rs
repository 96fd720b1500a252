//! `check` of several files, of folders, scenes and jobs.

use crate::common::{command, gpuzoo, scratch, text, with_input};
use std::path::PathBuf;

const GOOD: &str = "ld r0 0 st pos r0 st tex r0 st col r0 st ocol r0";
const SUSPICIOUS: &str = "ld r0 0 st pos r5 st tex r0 st col r0 st ocol r0";
const SCENE: &str = "gpu = \"dreambox\"\nsize = [4, 4]\nanimation = { frames = 2 }\n[program.p]\nfile = \"p.vu\"\n[mesh.m]\n\
                     position = [[-1, -1], [1, -1], [0, 1]]\n[[draw]]\nprogram = \"p\"\nmesh = \"m\"\n\
                     input = { in0 = \"position\" }\n";
const JOB: &str = r##"{"width": 4, "height": 2, "draws": [{
    "vs": "#vertexShader #input r0.xyzw #output r0.xyzw trap",
    "fs": "#fragmentShader #input r0.xyzw #output r1.xyzw fadd r1 r0 r2",
    "vertex_count": 0, "vertex_data": []}]}"##;

/// A folder with a program, a scene of it, a job, and other files.
fn folder(name: &str) -> PathBuf {
    let folder = scratch(name);
    std::fs::create_dir_all(folder.join("deep/.hidden")).unwrap();
    for (name, content) in [
        ("p.vu", SUSPICIOUS),
        ("s.toml", SCENE),
        ("Cargo.toml", "[package]\nname = \"p\"\n"),
        ("readme.txt", "ld"),
        ("words.json", "[1, 2]"),
        ("deep/job.json", JOB),
        ("deep/.hidden/broken.vu", "ld"),
        ("deep/lines.trace", ""),
    ] {
        std::fs::write(folder.join(name), content).unwrap();
    }
    folder
}

#[test]
fn a_folder_is_checked_with_all_that_is_in_it() {
    let folder = folder("check-folder");
    let done = gpuzoo(&["check", text(&folder), "--message-format", "short"]);
    assert_eq!(done.code, 0, "{}", done.err);
    // The scene says of the program what has been said.
    assert_eq!(done.err.matches("[D0102]").count(), 1, "{}", done.err);
    assert_eq!(done.err.matches("[P0202]").count(), 1, "{}", done.err);
    let lines: Vec<&str> = done.out.lines().filter(|line| !line.starts_with("  ")).collect();
    let name = |name: &str| folder.join(name).display().to_string();
    let files = [name("deep/job.json"), name("p.vu"), name("s.toml")];
    assert_eq!(&lines[..3], files, "{}", done.out);
    // What could be a scene or a job by its name, and is not, is named.
    let left_out =
        [folder.join("Cargo.toml"), folder.join("words.json")].map(|path| path.display().to_string());
    let left_out = left_out.join(", ");
    let sum = "3 files: no errors, 1 warning; 4 other files left out";
    assert_eq!(lines[3], format!("{sum}, among them {left_out}"));
    assert!(
        done.out.contains("\n  a scene for dreambox: 1 draw, 2 frames of 4 × 4 pixels\n"),
        "{}",
        done.out
    );
    assert!(done.out.contains("\n  a job for picogpu\n"), "{}", done.out);
    assert_eq!(gpuzoo(&["check", text(&folder), "--deny", "warnings"]).code, 1);
    let json = gpuzoo(&["check", text(&folder), "--format", "json"]).out;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["errors"], &json["warnings"], &json["left_out"]), (&0.into(), &1.into(), &4.into()));
    let of = |at: usize| (json["files"][at]["kind"].clone(), json["files"][at]["warnings"].clone());
    assert_eq!(
        [of(0), of(1), of(2)],
        [("job", 0), ("program", 1), ("scene", 1)].map(|(a, b)| (a.into(), b.into()))
    );
    assert_eq!(json["files"][2]["figures"]["frames"], 2);
}

/// A folder in it that cannot be read is reported, and the others are checked.
#[cfg(unix)]
#[test]
fn a_folder_in_it_that_cannot_be_read_is_reported() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder("check-unreadable");
    let deep = folder.join("deep");
    let permit = |mode| std::fs::set_permissions(&deep, PermissionsExt::from_mode(mode)).unwrap();
    permit(0o000);
    if std::fs::read_dir(&deep).is_ok() {
        permit(0o755);
        return gpuzoo_skipped::say("this user may read everything: folders that cannot be read");
    }
    let done = gpuzoo(&["check", text(&folder), "--message-format", "short"]);
    permit(0o755);
    assert_eq!((done.code, done.err.matches("error[G0104]").count()), (1, 1), "{}", done.err);
    assert!(done.out.contains("2 files: 1 error, 1 warning"), "{}", done.out);
}

/// One that is broken does not keep the others from being checked.
#[test]
fn of_several_files_each_is_checked() {
    let folder = folder("check-several");
    let (bad, good) = (folder.join("bad.vu"), folder.join("good.vu"));
    std::fs::write(&bad, "ld r99 0\nfoo").unwrap();
    std::fs::write(&good, GOOD).unwrap();
    let done = gpuzoo(&["check", text(&bad), "nosuch.vu", text(&good), "--message-format", "short"]);
    assert_eq!(done.code, 2, "{}", done.err);
    assert!(done.out.contains("bad.vu\n  2 errors\nnosuch.vu\n  1 error\n"), "{}", done.out);
    assert!(done.out.ends_with("\n3 files: 3 errors, no warnings\n"), "{}", done.out);
    assert_eq!(gpuzoo(&["check", text(&bad), text(&good)]).code, 1);
    assert_eq!(gpuzoo(&["check", text(&good), text(&good)]).code, 0);
    let piped = with_input(&["check", text(&good), "-", "--stdin-name", "x.vu"], "foo");
    assert_eq!((piped.code, piped.err.contains("x.vu:1:1")), (1, true), "{}", piped.err);
}

#[test]
fn a_scene_is_checked_and_not_drawn() {
    let folder = folder("check-scene");
    let scene = folder.join("s.toml");
    let check = |content: &str| {
        std::fs::write(&scene, content).unwrap();
        let checked = gpuzoo(&["check", text(&scene), "--message-format", "short"]);
        let drawn = gpuzoo(&["render", text(&scene), "-o", "-", "--message-format", "short"]);
        (checked, drawn)
    };
    let (checked, drawn) = check(SCENE);
    assert_eq!(
        (checked.code, checked.out.as_str()),
        (0, "a scene for dreambox: 1 draw, 2 frames of 4 × 4 pixels\n")
    );
    assert!(
        checked.err.contains("[D0102]") && drawn.err.starts_with(&checked.err),
        "{} {}",
        checked.err,
        drawn.err
    );
    for (wrong, code) in [
        (SCENE.replace("p.vu", "q.vu"), "R0313"),
        (SCENE.replace("mesh = \"m\"", "mesh = \"n\""), "R0312"),
        (SCENE.replace("[4, 4]", "[0, 4]"), "R0314"),
        (SCENE.replace("[[draw]]", "[[draw]]\nstate = { cul = true }"), "R0101"),
    ] {
        let (checked, drawn) = check(&wrong);
        assert_eq!(
            (checked.code, checked.err.contains(&format!("error[{code}]"))),
            (1, true),
            "{}",
            checked.err
        );
        assert_eq!(checked.err, drawn.err);
    }
    // Of no frame but the second.
    let (checked, drawn) = check(&(SCENE.to_owned() + "constants = { c0 = [\"1/(1-2*t)\", 0, 0, 0] }\n"));
    assert_eq!(checked.err.matches("not finite").count(), 1, "{}", checked.err);
    assert!(drawn.err.starts_with(&checked.err), "{}", drawn.err);
    let piped = with_input(&["check", "-", "--stdin-name", text(&scene)], SCENE);
    assert_eq!(piped.code, 0, "{}", piped.err);
}

#[test]
fn jobs_are_checked_and_not_run() {
    let folder = folder("check-job");
    let job = folder.join("deep/job.json");
    let done = gpuzoo(&["check", text(&job)]);
    assert_eq!((done.code, done.out.as_str()), (0, "a job for picogpu\n"));
    assert!(done.err.contains("note[P0202]") && done.err.contains("in this program"), "{}", done.err);
    std::fs::write(&job, JOB.replace("fadd", "fdad")).unwrap();
    assert_eq!(gpuzoo(&["check", text(&job)]).code, 1);
    // Cut off, it is a job all the same, alone and in its folder.
    std::fs::write(&job, JOB.trim_end().trim_end_matches('}')).unwrap();
    for path in [&job, &folder] {
        let done = gpuzoo(&["check", text(path)]);
        assert!(done.code == 1 && done.err.contains("error[G0204]"), "{}", done.err);
    }
    // JSON that is not a job is a program's words, whose machine must be said.
    let words = folder.join("words.json");
    assert!(gpuzoo(&["check", text(&words)]).err.contains("error[G0101]"));
    assert_eq!(
        gpuzoo(&["check", "--gpu", "dreambox", text(&words)]).out.lines().next(),
        Some("2 of 64 slots")
    );
}

#[test]
fn what_cannot_be_checked_is_reported() {
    let folder = folder("check-told");
    let (deep, readme, scene) =
        (folder.join("deep/.hidden"), folder.join("readme.txt"), folder.join("s.toml"));
    std::fs::remove_file(deep.join("broken.vu")).unwrap();
    for (args, code, message) in [
        (&[text(&deep)][..], "G0122", "can be checked"),
        (&[text(&readme)], "G0101", "`.txt` does not say"),
        (&["--gpu", "dreambox", text(&folder)], "G0108", "in a folder extensions say"),
        (&["--gpu", "dreambox", text(&scene)], "G0108", "a scene says its machine itself"),
        (&["--include", "x", text(&scene)], "G0108", "is for sources with macros"),
        (&["--dialect", "vsh", text(&scene)], "G0108", "is for programs, and there are none"),
        (
            &["--profile", "cpu", text(&folder.join("p.vu"))],
            "G0108",
            "for jobs, and for checks that run a program",
        ),
        (&["nosuchfolder"], "G0104", "cannot read `nosuchfolder`"),
        (&["--profile", "cpu", text(&folder.join("deep/job.json"))], "G0103", "picogpu has no profile `cpu`"),
    ] {
        let done = gpuzoo(&[&["check"], args].concat());
        assert_eq!((done.code, done.out.as_str()), (2, ""), "{args:?}");
        assert!(done.err.contains(&format!("error[{code}]")) && done.err.contains(message), "{}", done.err);
    }
    // Beside what cannot be checked, the rest is checked.
    let good = folder.join("good.vu");
    std::fs::write(&good, GOOD).unwrap();
    for other in ["nosuchfolder", text(&readme), text(&deep)] {
        let done = gpuzoo(&["check", other, text(&good)]);
        assert_eq!((done.code, done.err.matches("error[").count()), (2, 1), "{}", done.err);
        let expected = format!("{}\n  6 of 64 slots", text(&good));
        assert!(done.out.contains(&expected), "{}", done.out);
        assert!(done.out.ends_with("1 file: 1 error, no warnings\n"), "{}", done.out);
    }
    for verb in ["run", "trace", "assemble", "disassemble", "record"] {
        let done = gpuzoo(&[verb, text(&scene)]);
        assert_eq!(done.code, 2);
        assert!(
            done.err.contains("is a scene") && done.err.contains("gpuzoo render"),
            "{verb}: {}",
            done.err
        );
    }
}

/// An option that only some machines have counts for their programs.
#[test]
fn options_of_one_machine_count_for_its_programs() {
    let folder = folder("check-options");
    std::fs::create_dir(folder.join("inc")).unwrap();
    std::fs::write(folder.join("inc/names.h"), "#define POSITION v0\n").unwrap();
    std::fs::write(folder.join("a.vsh"), "vs.1.1\n#include \"names.h\"\nmov oPos, POSITION\n").unwrap();
    let include = folder.join("inc");
    assert_eq!(gpuzoo(&["check", text(&folder)]).code, 1);
    let done = gpuzoo(&["check", text(&folder), "-I", text(&include)]);
    assert_eq!(done.code, 0, "{}", done.err);
    // So do a dialect, a numbering, a form and a profile.
    std::fs::write(folder.join("lines.s"), "rts\n").unwrap();
    let all = ["check", text(&folder), "-I", text(&include)];
    for option in [["--dialect", "d3d"], ["--numbering", "d3d"], ["--from", "asm"], ["--profile", "unit"]] {
        let done = gpuzoo(&[&all[..], &option].concat());
        assert!(done.code == 0, "{option:?}: {}", done.err);
    }
    for (option, code) in [(["--dialect", "nosuch"], "G0111"), (["--profile", "nosuch"], "G0103")] {
        let done = gpuzoo(&[&all[..], &option].concat());
        assert!(done.code != 0 && done.err.contains(code), "{option:?}: {}", done.err);
    }
}

/// No scene among the examples has a message.
#[test]
fn scenes_in_the_examples_have_no_messages() {
    let examples = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/shipped");
    let mut scenes = 0;
    for machine in ["dreambox", "nv2a", "picogpu", "servaru"] {
        for entry in std::fs::read_dir(examples.join(machine)).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.extension().is_some_and(|extension| extension == "toml") {
                let args = ["render", path.to_str().expect("text"), "--frame", "0", "-o", "-"];
                let mut done = command(&args);
                let done = done.output().expect("the program ends");
                assert_eq!(String::from_utf8_lossy(&done.stderr), "", "{}", path.display());
                assert!(done.status.success(), "{}", path.display());
                scenes += 1;
            }
        }
    }
    assert!(scenes >= 15, "{scenes}");
}
