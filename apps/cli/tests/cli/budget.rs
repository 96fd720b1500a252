//! What one invocation may use, and which files a text may name.

use crate::common::{Done, command, data, done, gpuzoo, scratch, text, with_input};
use std::fs::{create_dir_all, read_to_string, write};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A triangle on the Dreambox, with more lines of a scene.
fn scene(mesh: &str, more: &str) -> String {
    format!(
        "gpu = \"dreambox\"\nsize = [16, 16]\n[program.p]\nsource = \"ld r0 0 st pos r0 st tex r0 st col r0 st ocol r0\"\n\
         [mesh.m]\n{mesh}\n[[draw]]\nprogram = \"p\"\nmesh = \"m\"\n\
         input = {{ in0 = {{ attribute = \"position\", format = \"Float3\" }} }}\n{more}\n"
    )
}

const TRIANGLE: &str = "position = [[-1, -1, 0], [3, -1, 0], [-1, 3, 0]]";

/// Renders a scene of a file in a folder.
fn render(folder: &Path, scene: &str, args: &[&str]) -> Done {
    let path = folder.join("s.toml");
    write(&path, scene).unwrap();
    let output = folder.join("s.png");
    gpuzoo(&[&["render", text(&path), "-o", text(&output)], args].concat())
}

#[track_caller]
fn refused(done: &Done, code: &str, said: &str) {
    assert!(
        matches!(done.code, 1 | 2) && done.err.contains(code) && done.err.contains(said),
        "{}: {}",
        done.code,
        done.err
    );
}

#[test]
fn each_resource_has_a_limit_and_an_option_raises_it() {
    let folder = scratch("limits");
    // A triangle over the whole picture: 16 × 16 pixels are cleared and covered.
    let least = [("pixels", 512), ("vertices", 6), ("primitives", 1)];
    for (name, least) in least {
        let with =
            |limit: u64| render(&folder, &scene(TRIANGLE, ""), &["--limit", &format!("{name}={limit}")]);
        let before = with(least - 1);
        refused(&before, "error[R0703]", &format!("`--limit {name}="));
        assert!(before.code == 1 && before.err.contains("s.toml:"), "{}", before.err);
        // A triangle is refused by what it covers at most, a few pixels more than it does.
        let enough = with(least + if name == "pixels" { 256 } else { 0 });
        assert_eq!((enough.code, enough.err.as_str()), (0, ""), "{name}");
    }
    refused(
        &render(&folder, &scene(TRIANGLE, ""), &["--limit", "memory=1KiB"]),
        "error[R0703]",
        "more memory",
    );
    refused(&render(&folder, &scene(TRIANGLE, ""), &["--limit", "read=100"]), "error[R0703]", "more input");
    // What the message advises is enough for what it is about.
    let less = gpuzoo(&["check", "default.vu", "--limit", "read=10"]);
    let (_, advice) = less.err.split_once("`--limit ").unwrap();
    let advised = gpuzoo(&["check", "default.vu", "--limit", advice.split('`').next().unwrap()]);
    assert_eq!((advised.code, advised.err.contains("R0703")), (0, false), "{}", advised.err);
    let bad = gpuzoo(&["check", "default.vu", "--limit", "memroy=2GiB"]);
    refused(&bad, "error[R0705]", "`memory`");
    assert_eq!(bad.code, 2);
}

#[test]
fn messages_end_at_their_limit() {
    let folder = scratch("limit_of_messages");
    let program = folder.join("a.vu");
    write(&program, "frob r0\n".repeat(20)).unwrap();
    let count = |args: &[&str]| {
        let done = gpuzoo(&[&["check", text(&program), "--message-format", "short"], args].concat());
        (done.code, done.err.lines().count(), done.err.contains("error[R0703]"))
    };
    assert_eq!(count(&[]), (1, 20, false));
    assert_eq!(count(&["--limit", "diagnostics=20"]), (1, 20, false));
    let (code, lines, is_said) = count(&["--limit", "diagnostics=5"]);
    assert!(code == 1 && (6..10).contains(&lines) && is_said, "{lines}");
}

/// What is wrong with each of very many parts is not even looked at.
#[test]
fn parts_are_counted_before_they_are_read() {
    let folder = scratch("parts");
    let job = folder.join("j.json");
    write(&job, format!("{{\"width\":8,\"height\":8,\"draws\":[{}{{}}]}}", "{},".repeat(70_000))).unwrap();
    refused(&gpuzoo(&["check", text(&job)]), "error[R0703]", "nodes");
    refused(&render(&folder, &scene(TRIANGLE, &"[[draw]]\n".repeat(70_000)), &[]), "error[R0703]", "nodes");
    let settings: String = (0..1_000).map(|n| format!("a{n} = 0\n")).collect();
    let done = render(&folder, &(settings + &scene(TRIANGLE, "")), &["--message-format", "short"]);
    assert_eq!(done.err.lines().filter(|line| line.contains("error[R0101]")).count(), 101, "{}", done.err);
    refused(&done, "error[R0101]", "900 more unknown settings");
    // A text becomes many times its size.
    refused(
        &render(&folder, &scene(TRIANGLE, ""), &["--limit", "memory=20KiB"]),
        "error[R0703]",
        "more memory",
    );
}

/// In 259 bytes: over four gigabytes.
#[test]
fn targets_count_together() {
    let folder = scratch("targets");
    let targets: String = (0..8).map(|n| format!("[target.t{n}]\nsize = [8192, 8192]\n")).collect();
    let text = scene(TRIANGLE, &targets);
    let done = render(&folder, &text, &[]);
    refused(&done, "error[R0703]", "size = [8192, 8192]");
    assert!(!folder.join("s.png").exists());
}

#[test]
fn ranges_are_checked_before_anything_is_made() {
    let folder = scratch("ranges");
    for (mesh, key) in [
        ("shape = \"heightfield\"\ncells = 1000000000", "cells"),
        ("shape = \"teapot\"\ndivisions = 1000000000", "divisions"),
        ("shape = \"sphere\"\ncolumns = 4294967296", "columns"),
    ] {
        refused(&render(&folder, &scene(mesh, ""), &[]), "error[R01", key);
    }
    // Each of them could be made, but not all.
    let meshes: String =
        (0..40).map(|n| format!("[mesh.n{n}]\nshape = \"sphere\"\ncolumns = 2048\nrows = 1024\n")).collect();
    refused(&render(&folder, &scene(TRIANGLE, &meshes), &[]), "error[R0703]", "more memory");
}

/// A glTF file of primitives of a mode, with an accessor of zeros that are nowhere in the file.
fn gltf(modes: &[u8], count: u64, nodes: usize) -> String {
    let primitives: Vec<String> =
        modes.iter().map(|mode| format!("{{\"attributes\":{{\"POSITION\":0}},\"mode\":{mode}}}")).collect();
    let (all, numbers) = (vec!["{\"mesh\":0}"; nodes].join(","), (0..nodes).map(|n| n.to_string()));
    format!(
        "{{\"asset\":{{\"version\":\"2.0\"}},\"scene\":0,\"scenes\":[{{\"nodes\":[{}]}}],\"nodes\":[{all}],\
         \"meshes\":[{{\"primitives\":[{}]}}],\
         \"accessors\":[{{\"componentType\":5126,\"count\":{count},\"type\":\"VEC3\",\"min\":[0,0,0],\"max\":[0,0,0]}}]}}",
        numbers.collect::<Vec<_>>().join(","),
        primitives.join(",")
    )
}

#[test]
fn what_a_mesh_file_names_counts() {
    let folder = scratch("gltf_budget");
    let draw = |gltf: &str, args: &[&str]| {
        write(folder.join("m.gltf"), gltf).unwrap();
        render(&folder, &scene("file = \"m.gltf\"", ""), args)
    };
    // Points are not drawn, and so not read: 500 times 16 Mi would be 100 gigabytes.
    let points = draw(&gltf(&[0; 500], 1 << 24, 1), &["--limit", "memory=1MiB"]);
    refused(&points, "error[R0402]", "no vertices");
    refused(&draw(&gltf(&[4], 1 << 24, 1), &[]), "error[R0703]", "more memory");
    refused(&draw(&gltf(&[4], 3, 50), &["--limit", "nodes=102"]), "error[R0703]", "nodes");
    assert_eq!(draw(&gltf(&[4], 3, 50), &["--limit", "nodes=103"]).code, 0);
    // The scene's program, mesh and draw count, too. A buffer that is named twice is there twice.
    let buffers = "\"buffers\":[{\"byteLength\":4,\"uri\":\"b.bin\"},{\"byteLength\":4,\"uri\":\"b.bin\"}],\"accessors\"";
    let twice = gltf(&[4], 3, 1).replace("\"accessors\"", buffers);
    write(folder.join("b.bin"), vec![0; 600_000]).unwrap();
    let once = twice.replacen("{\"byteLength\":4,\"uri\":\"b.bin\"},", "", 1);
    assert_eq!(draw(&once, &["--limit", "memory=1MiB"]).code, 0);
    refused(&draw(&twice, &["--limit", "memory=1MiB"]), "error[R0703]", "more memory");
    assert_eq!(draw(&twice, &["--limit", "memory=4MiB"]).code, 0);
}

/// What never ends stops at the limit, whatever reads it.
#[cfg(unix)]
#[test]
fn endless_input_ends_at_the_limit() {
    let folder = scratch("endless");
    let (limit, more) = (["--limit", "memory=4MiB"], ["--limit", "read=4MiB"]);
    let over = |args: &[&str]| refused(&gpuzoo(&[args, &limit[..]].concat()), "error[R0703]", "/dev/zero");
    over(&["check", "/dev/zero", "--gpu", "nv2a"]);
    over(&["disassemble", "/dev/zero", "--gpu", "dreambox"]);
    over(&["render", "/dev/zero", "-o", "-"]);
    over(&["run", "default.vu", "-c", "c0=1", "--constant-file", "/dev/zero"]);
    over(&["conform", "--gpu", "dreambox", "/dev/zero"]);
    over(&["diff", "/dev/zero", "/dev/zero"]);
    let source = folder.join("a.s");
    write(&source, "rts\n").unwrap();
    over(&["run", text(&source), "--rom", "/dev/zero"]);
    // Vertices are read piece by piece.
    let stream = ["run", "default.vu", "/dev/zero", "--vertices-from", "raw", "-o", "/dev/null"];
    refused(&gpuzoo(&[&stream[..], &more].concat()), "error[R0703]", "more input");
    let far = ["trace", "default.vu", "/dev/zero", "--vertex", "999999999", "--allow", "warnings"];
    refused(&gpuzoo(&[&far[..], &more].concat()), "error[R0703]", "more input");
    // What texts name, where the user lets them.
    let named = |path: &Path, code: &str, args: &[&str]| {
        let done = gpuzoo(&[args, &[text(path), "--allow-read", "/dev"], &limit[..]].concat());
        refused(&done, code, "/dev/zero");
        assert!(done.err.contains(" of 4 MiB left"), "{}", done.err);
    };
    write(&source, ".incbin \"/dev/zero\"\n").unwrap();
    named(&source, "error[V0", &["check"]);
    let shader = folder.join("a.vsh");
    write(&shader, "#include \"/dev/zero\"\nvs.1.1\nmov oPos, v0\n").unwrap();
    named(&shader, "error[N0702]", &["check"]);
    let path = folder.join("s.toml");
    for of in [
        "[texture.t]\nfile = \"/dev/zero\"",
        "[mesh.n]\nfile = \"/dev/zero\"",
        "[program.q]\nfile = \"/dev/zero\"",
    ] {
        write(&path, scene(TRIANGLE, of)).unwrap();
        named(&path, "error[R0703]", &["check"]);
    }
    // A pipe that never ends.
    let run = format!(
        "yes 0.5,1 | {} run default.vu - --limit read=1MiB > /dev/null",
        env!("CARGO_BIN_EXE_gpuzoo")
    );
    let output = Command::new("sh").args(["-c", &run]).current_dir(data()).output().unwrap();
    refused(&done(&output), "error[R0703]", "more input");
}

/// A shell's limits, and then the program.
#[cfg(unix)]
fn limited(limits: &str, threads: &str, args: &[&str]) -> Done {
    let script = format!("{limits}; exec \"$0\" \"$@\"");
    let mut shell = Command::new("sh");
    shell.args(["-c", &script, env!("CARGO_BIN_EXE_gpuzoo")]).args(args).current_dir(data());
    done(&shell.env("RAYON_NUM_THREADS", threads).output().unwrap())
}

#[cfg(unix)]
#[test]
fn few_threads_and_little_memory_give_the_same_rows() {
    let folder = scratch("threads");
    let vertices = folder.join("v.csv");
    write(&vertices, "in0.x,in0.y\n".to_owned() + &"0.5,1\n".repeat(200_000)).unwrap();
    let args = ["run", "default.vu", text(&vertices), "--format", "csv"];
    let expected = gpuzoo(&args);
    assert_eq!((expected.code, expected.out.lines().count()), (0, 200_001), "{}", expected.err);
    for (limits, threads) in [("ulimit -v 500000", "500"), ("true", "20000"), ("true", "0"), ("true", "x")] {
        let done = limited(limits, threads, &args);
        assert_eq!((done.code, done.out == expected.out), (0, true), "{limits} {threads}: {}", done.err);
    }
}

/// Where the system gives no threads at all, one does everything.
#[cfg(target_os = "linux")]
#[test]
fn without_threads_one_does_everything() {
    let vertices = scratch("one_thread").join("v.csv");
    write(&vertices, "in0.x,in0.y\n0.5,1\n").unwrap();
    let args = ["run", "default.vu", text(&vertices), "--format", "csv"];
    let expected = gpuzoo(&args);
    assert_eq!(expected.code, 0, "{}", expected.err);
    // The limit does not hold for root.
    let is_root =
        std::fs::metadata("/proc/self").map(|own| std::os::unix::fs::MetadataExt::uid(&own)).unwrap() == 0;
    // Shells have one of two names for the limit.
    let run = "ulimit -u 1 2>/dev/null || ulimit -p 1 || exit 99; exec \"$0\" \"$@\"";
    let limited = |args: &[&str]| {
        let mut limited = if is_root {
            let mut as_nobody = Command::new("setpriv");
            as_nobody.args(["--reuid=65534", "--regid=65534", "--clear-groups", "sh", "-c", run]);
            as_nobody
        } else {
            let mut shell = Command::new("sh");
            shell.args(["-c", run]);
            shell
        };
        let output = limited.arg(env!("CARGO_BIN_EXE_gpuzoo")).args(args).current_dir(data()).output();
        output.ok().filter(|output| !matches!(output.status.code(), Some(126 | 127)))
    };
    let (Some(output), Some(server)) = (limited(&args), limited(&["lsp"])) else {
        eprintln!("another user cannot run the program here; nothing was tested");
        return;
    };
    let output = done(&output);
    assert_eq!((output.code, output.out), (0, expected.out), "{}", output.err);
    // A server waits for its input on a thread, and does without one.
    let (server, usual) = (done(&server), gpuzoo(&["lsp"]));
    assert_eq!((server.code, server.out, server.err), (usual.code, usual.out, usual.err));
}

#[test]
fn texts_name_files_in_their_folder_only() {
    let folder = scratch("within");
    let (own, other) = (folder.join("own"), folder.join("other"));
    create_dir_all(&own).unwrap();
    create_dir_all(&other).unwrap();
    let program = "ld r0 0 st pos r0 st tex r0 st col r0 st ocol r0";
    write(other.join("p.vu"), program).unwrap();
    let absolute = other.join("p.vu");
    for name in ["../other/p.vu", text(&absolute)] {
        let text_of =
            scene(TRIANGLE, "").replace(&format!("source = \"{program}\""), &format!("file = \"{name}\""));
        refused(&render(&own, &text_of, &[]), "error[R0313]", "--allow-read");
        let allowed = render(&own, &text_of, &["--allow-read", text(&other)]);
        assert_eq!((allowed.code, allowed.err.as_str()), (0, ""));
        // That a folder is allowed does not allow others.
        refused(&render(&own, &text_of, &["--allow-read", text(&own)]), "error[R0313]", "outside");
    }
    for (file, line, code) in [
        ("a.vsh", "#include \"../other/p.vu\"\nvs.1.1\nmov oPos, v0\n", "error[N0702]"),
        ("a.s", ".incbin \"../other/p.vu\"\n", "error[V0"),
        ("b.s", ".include \"../other/p.vu\"\n", "error[V0"),
    ] {
        write(own.join(file), line).unwrap();
        let check = |args: &[&str]| gpuzoo(&[&["check", text(&own.join(file))], args].concat());
        refused(&check(&[]), code, "outside");
        assert!(!check(&["--allow-read", text(&other)]).err.contains("outside"));
    }
    write(
        own.join("m.gltf"),
        gltf(&[4], 3, 1).replace(
            "\"accessors\"",
            "\"buffers\":[{\"byteLength\":4,\"uri\":\"../other/p.vu\"}],\"accessors\"",
        ),
    )
    .unwrap();
    refused(&render(&own, &scene("file = \"m.gltf\"", ""), &[]), "error[R0406]", "outside");
    // What the command line names is free.
    assert_eq!(
        command(&["check", "../other/p.vu"]).current_dir(&own).output().unwrap().status.code(),
        Some(0)
    );
}

/// Editors send the text and say where it belongs.
#[test]
fn the_name_of_standard_input_has_a_folder() {
    let folder = scratch("stdin_name");
    write(folder.join("inc.h"), "#define OUT oPos\n").unwrap();
    let name = folder.join("a.vsh");
    let done =
        with_input(&["check", "-", "--stdin-name", text(&name)], "#include \"inc.h\"\nvs.1.1\nmov OUT, v0\n");
    assert_eq!((done.code, done.err.contains("error")), (0, false), "{}", done.err);
}

/// The work of frames without pixels counts, and of one mistake in all of them there is one message.
#[test]
fn frames_of_draws_count() {
    let folder = scratch("frames");
    let draws = "[[draw]]\nprogram = \"p\"\nmesh = \"m\"\ninput = { in0 = { attribute = \"position\", format = \"Float3\" } }\n\
                 constants = { c0 = \"1 / (frame - frame) + frame\" }\n";
    let many = scene(TRIANGLE, &draws.repeat(40)) + "[animation]\nframes = 30000\n";
    write(folder.join("s.toml"), &many).unwrap();
    let check = gpuzoo(&["check", text(&folder.join("s.toml"))]);
    refused(&check, "error[R0703]", "`--limit draws=");
    assert_eq!(check.err.matches("not finite").count(), 40, "{}", check.err);
    // Before anything is drawn.
    refused(&render(&folder, &many, &[]), "error[R0703]", "`--limit draws=");
    let long = scene(TRIANGLE, "").replace("[16, 16]", "[1600, 1600]") + "[animation]\nframes = 1000\n";
    refused(&render(&folder, &long, &["--limit", "pixels=1G"]), "error[R0703]", "`--limit pixels=");
}

/// Those of a CPU's program are pictures like others.
#[test]
fn pictures_of_a_program_count() {
    let (folder, lines) =
        (scratch("program_pixels"), concat!(env!("CARGO_MANIFEST_DIR"), "/tests/shipped/vera/lines.s"));
    let render =
        |limit: &str| gpuzoo(&["render", lines, "--limit", limit, "-o", text(&folder.join("p.png"))]);
    refused(&render("pixels=307199"), "error[R0703]", "`--limit pixels=");
    assert_eq!(render("pixels=307200").code, 0);
}

/// Two folders whose names look alike in messages.
#[cfg(target_os = "linux")]
#[test]
fn the_bytes_of_a_path_stay_as_they_are() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = scratch("bytes");
    let (real, alike) = (folder.join(OsStr::from_bytes(b"d\xff")), folder.join("d\u{fffd}"));
    let program = "ld r0 0 st pos r0 st tex r0 st col r0 st ocol r0";
    let text_of = scene(TRIANGLE, "").replace(&format!("source = \"{program}\""), "file = \"p.vu\"");
    for (own, text) in [(&real, program), (&alike, "frob")] {
        create_dir_all(own).unwrap();
        write(own.join("p.vu"), text).unwrap();
        write(own.join("s.toml"), &text_of).unwrap();
        write(own.join("i.s"), ".include \"j.s\"\n").unwrap();
    }
    write(real.join("j.s"), "rts\n").unwrap();
    let run = |args: &[&str], path: PathBuf| {
        let output = command(&[]).args(args).arg(path).output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    for (verb, file) in [
        (&["render", "-o", "/dev/null"][..], "s.toml"),
        (&["check"], "s.toml"),
        (&["check"], "i.s"),
        (&["check"], "p.vu"),
    ] {
        let verb: Vec<&str> = verb.iter().map(|word| if *word == "/dev/null" { "-" } else { word }).collect();
        assert_eq!(run(&verb, real.join(file)), (Some(0), String::new()), "{verb:?} {file}");
    }
    assert_eq!(run(&["check"], alike.join("s.toml")).0, Some(1));
    assert!(read_to_string(real.join("p.vu")).unwrap() == program);
}
