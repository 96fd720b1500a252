//! Files appear whole or not at all, and never over an input.

use crate::common::{command, data, done, gpuzoo, scratch, text};
use std::fs::{copy, read, read_dir, write};
use std::path::{Path, PathBuf};

/// What is in a folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<String> = entries.map(|name| name.to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// A folder with a program, and its path.
fn program(name: &str) -> (PathBuf, PathBuf) {
    let folder = scratch(name);
    let program = folder.join("keep.vu");
    copy(data().join("default.vu"), &program).unwrap();
    (folder, program)
}

/// Vertices whose outputs are some megabytes.
fn many(folder: &Path) -> PathBuf {
    let path = folder.join("many.csv");
    write(&path, "in0.x,in0.y\n".to_owned() + &"0.5,1\n".repeat(400_000)).unwrap();
    path
}

#[test]
fn an_input_is_never_an_output() {
    let (folder, program) = program("output_is_input");
    let before = read(&program).unwrap();
    let again = folder.join("again.vu");
    std::fs::hard_link(&program, &again).unwrap();
    for output in [&program, &again, &folder.join("../output_is_input/keep.vu")] {
        let done = gpuzoo(&["assemble", text(&program), "-o", text(output)]);
        assert_eq!(done.code, 2, "{}", done.err);
        assert!(done.err.contains("error[G0131]"), "{}", done.err);
    }
    assert_eq!(read(&program).unwrap(), before);
    assert_eq!(names(&folder), ["again.vu", "keep.vu"]);

    // What a scene names is read, too.
    let picture = folder.join("t.png");
    copy(data().join("../../../../examples/servaru/rivets.png"), &picture).unwrap();
    let before = read(&picture).unwrap();
    let scene = folder.join("s.toml");
    let mesh = "position = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]\ntexcoord = [[0, 0], [1, 0], [0, 1]]";
    let input = "in0 = { attribute = \"position\", format = \"Float3\" }, in1 = \"texcoord\"";
    let draw = format!("program = \"p\"\nmesh = \"m\"\ntextures = [\"t\"]\ninput = {{ {input} }}");
    let all = format!(
        "gpu = \"dreambox\"\nsize = [8, 8]\n[program.p]\nfile = \"keep.vu\"\n[texture.t]\nfile = \"t.png\"\n[mesh.m]\n{mesh}\n[[draw]]\n{draw}\n"
    );
    write(&scene, all).unwrap();
    let done = gpuzoo(&["render", text(&scene), "-o", text(&picture)]);
    assert!(done.err.contains("error[G0131]"), "{}", done.err);
    assert_eq!(read(&picture).unwrap(), before);
}

#[test]
fn nothing_of_several_outputs_unless_all_succeed() {
    let folder = scratch("several_outputs");
    let waves = folder.join("k.vcd");
    let job = data().join("../../../../gpus/picogpu/tests/vectors/scene_public_1.json");
    let picture = folder.join("none/p.png");
    let arguments = ["render", text(&job), "--gpu", "picogpu", "--waves", text(&waves), "-o", text(&picture)];
    let done = gpuzoo(&arguments);
    assert!(done.err.contains("error[G0105]"), "{}", done.err);
    assert!(names(&folder).is_empty(), "{:?}", names(&folder));
    std::fs::create_dir(folder.join("none")).unwrap();
    assert_eq!(gpuzoo(&arguments).code, 0);
    assert_eq!(names(&folder), ["k.vcd", "none"]);
}

#[test]
fn an_output_has_a_file_of_its_own() {
    let folder = scratch("one_file");
    let job = data().join("../../../../gpus/picogpu/tests/vectors/scene_public_1.json");
    let (picture, other) = (folder.join("a.png"), folder.join("../one_file/a.png"));
    let done =
        gpuzoo(&["render", text(&job), "--gpu", "picogpu", "--waves", text(&other), "-o", text(&picture)]);
    assert_eq!((done.code, done.err.contains("error[G0108]")), (2, true), "{}", done.err);
    assert!(names(&folder).is_empty());
}

/// The user's name is in messages, not that of the file beside.
#[test]
fn messages_name_what_the_user_wrote() {
    let folder = scratch("named");
    let done = gpuzoo(&["assemble", "default.vu", "-o", text(&folder.join("no/x.bin"))]);
    assert!(done.err.contains("no/x.bin`: No such file") && !done.err.contains(".tmp"), "{}", done.err);
    let relative = "../data/./default.vu";
    let done = gpuzoo(&["assemble", "default.vu", "-o", relative]);
    assert!(done.err.contains(&format!("the output `{relative}` is an input")), "{}", done.err);
}

#[test]
fn writers_at_a_time_do_not_mix() {
    let folder = scratch("writers");
    let output = folder.join("out");
    let emit = |form| command(&["assemble", "default.vu", "--emit", form, "-o", text(&output)]);
    let whole: Vec<Vec<u8>> = ["c", "json"]
        .into_iter()
        .map(|form| {
            assert!(emit(form).status().unwrap().success());
            read(&output).unwrap()
        })
        .collect();
    let writers: Vec<_> = (0..12).map(|i| emit(["c", "json"][i % 2]).spawn().unwrap()).collect();
    writers.into_iter().for_each(|mut writer| assert!(writer.wait().unwrap().success()));
    assert!(whole.contains(&read(&output).unwrap()));
    assert_eq!(names(&folder), ["out"]);
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    #[test]
    fn links_and_permissions_stay() {
        let folder = scratch("links");
        let (old, link) = (folder.join("old"), folder.join("link"));
        write(&old, "old").unwrap();
        std::fs::set_permissions(&old, PermissionsExt::from_mode(0o640)).unwrap();
        symlink("old", &link).unwrap();
        assert_eq!(gpuzoo(&["assemble", "default.vu", "--emit", "hex", "-o", text(&link)]).code, 0);
        assert!(link.is_symlink());
        assert_ne!(read(&old).unwrap(), b"old");
        assert_eq!(old.metadata().unwrap().permissions().mode() & 0o777, 0o640);
        assert_eq!(names(&folder), ["link", "old"]);
        assert_eq!(gpuzoo(&["assemble", "default.vu", "-o", "/dev/null"]).code, 0);
        // A link to nothing makes what it leads to.
        let (new, dangling) = (folder.join("new"), folder.join("dangling"));
        symlink("new", &dangling).unwrap();
        assert_eq!(gpuzoo(&["assemble", "default.vu", "--emit", "hex", "-o", text(&dangling)]).code, 0);
        assert!(dangling.is_symlink() && new.is_file());
        symlink("loop", folder.join("loop")).unwrap();
        assert_eq!(gpuzoo(&["assemble", "default.vu", "-o", text(&folder.join("loop"))]).code, 2);
    }

    /// What is open already goes on where it is.
    #[test]
    fn a_shell_can_append() {
        let folder = scratch("append");
        let out = folder.join("out");
        write(&out, "before\n").unwrap();
        let script = format!(
            "exec '{}' assemble default.vu --emit hex -o /dev/stdout >> '{}'",
            env!("CARGO_BIN_EXE_gpuzoo"),
            out.display()
        );
        let appended = Command::new("sh").args(["-c", &script]).current_dir(data()).status().unwrap();
        assert!(appended.success());
        assert!(read(&out).unwrap().starts_with(b"before\n0"), "{:?}", read(&out));
    }

    /// Whatever place of the output is the last for which the disk has room, the old files stay.
    #[test]
    fn a_disk_that_fills_up_at_some_block() {
        let folder = scratch("any_byte");
        let (output, vertices) = (folder.join("out.csv"), folder.join("v.csv"));
        write(&vertices, "in0.x,in0.y\n".to_owned() + &"0.5,1\n".repeat(300)).unwrap();
        let job = data().join("scene_public_1.json");
        let (picture, waves) = (folder.join("p.png"), folder.join("w.vcd"));
        let gpuzoo = env!("CARGO_BIN_EXE_gpuzoo");
        let run = format!(
            "'{gpuzoo}' run default.vu '{}' --format csv -o '{}'",
            vertices.display(),
            output.display()
        );
        let render = format!(
            "'{gpuzoo}' render '{}' --gpu picogpu -o '{}' --waves '{}'",
            job.display(),
            picture.display(),
            waves.display()
        );
        let frames = folder.join("f.raw");
        let film = format!("'{gpuzoo}' render scene.toml --size 160x100 -o '{}'", frames.display());
        for (command, outputs) in
            [(run, vec![&output]), (render, vec![&picture, &waves]), (film, vec![&frames])]
        {
            let limited = |blocks: u64| {
                outputs.iter().for_each(|output| write(output, "old").unwrap());
                let script = format!("ulimit -f {blocks}; exec {command}");
                let done =
                    done(&Command::new("sh").args(["-c", &script]).current_dir(data()).output().unwrap());
                (done, outputs.iter().map(|output| read(output).unwrap()).collect::<Vec<_>>())
            };
            let (whole, expected) = limited(1 << 20);
            assert_eq!(whole.code, 0, "{}", whole.err);
            let before = names(&folder);
            // In blocks of 512 bytes; of large outputs not each.
            let blocks = expected.iter().map(|bytes| bytes.len() as u64 / 512 + 2).max().unwrap();
            let (mut full, step) = (0, (blocks / 40).max(1));
            for blocks in (0..blocks).step_by(step as usize) {
                let (done, left) = limited(blocks);
                match done.code {
                    0 => assert!(left == expected, "{blocks}"),
                    _ => {
                        assert!(
                            done.code == 2 && done.err.contains("error[G0105]"),
                            "{blocks}: {}",
                            done.err
                        );
                        assert!(left.iter().all(|left| left == b"old"), "{blocks}");
                        assert!(!done.err.contains(".gpuzoo-"), "{}", done.err);
                        full += 1;
                    }
                }
                assert_eq!(names(&folder), before);
            }
            assert!(full > 10, "{full}");
        }
    }

    /// A limit on the size of files stands for a full disk.
    #[test]
    fn a_full_disk_leaves_the_old_file() {
        let (folder, _) = program("full_disk");
        let (output, vertices) = (folder.join("out.csv"), many(&folder));
        write(&output, "old").unwrap();
        let script = format!(
            "ulimit -f 4; exec '{}' run default.vu '{}' --format csv -o '{}'",
            env!("CARGO_BIN_EXE_gpuzoo"),
            vertices.display(),
            output.display()
        );
        let limited = Command::new("sh").args(["-c", &script]).current_dir(data()).output().unwrap();
        let limited = done(&limited);
        assert_eq!(limited.code, 2, "{}", limited.err);
        assert!(limited.err.contains("error[G0105]"), "{}", limited.err);
        assert_eq!(read(&output).unwrap(), b"old");
        assert_eq!(names(&folder), ["keep.vu", "many.csv", "out.csv"]);
    }

    #[test]
    fn an_interrupt_leaves_the_old_file() {
        for signal in ["INT", "TERM"] {
            let (folder, _) = program(&format!("interrupt_{signal}"));
            let (output, vertices) = (folder.join("out.csv"), many(&folder));
            write(&output, "old").unwrap();
            let arguments = ["run", "default.vu", text(&vertices), "--format", "csv", "-o", text(&output)];
            let mut child = command(&arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            let start = Instant::now();
            while !names(&folder).iter().any(|name| name.ends_with(".tmp")) {
                assert!(child.try_wait().unwrap().is_none(), "it ended before the signal");
                assert!(start.elapsed() < Duration::from_secs(60), "no output was begun");
            }
            let id = child.id().to_string();
            assert!(Command::new("kill").args([&format!("-{signal}"), &id]).status().unwrap().success());
            assert_eq!(child.wait().unwrap().code(), Some(130));
            assert_eq!(read(&output).unwrap(), b"old");
            assert_eq!(names(&folder), ["keep.vu", "many.csv", "out.csv"]);
        }
    }
}
