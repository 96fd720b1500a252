//! Inputs and constants as one file, which `--emit-inputs` writes.

use crate::common::{gpuzoo, scratch, text, with_input};

/// What a program reads, written out, is what it can be given; with values those are in it.
#[test]
fn emitted_inputs_are_taken_back() {
    let folder = scratch("emit-inputs");
    let (program, inputs, given) = (folder.join("x.vu"), folder.join("in.json"), folder.join("v.csv"));
    std::fs::write(&program, "ld r0 0\nld r1 2\nldc r2 3\nmul r0 r2\nadd r0 r1\nst pos r0\n").unwrap();
    std::fs::write(&given, "in0.x,in0.y,in2.x\n1,2,3\n4,inf,0x7fc00001\n").unwrap();
    let emit = |more: &[&str]| {
        let arguments = [&["run", text(&program), "--emit-inputs", "-"], more].concat();
        gpuzoo(&arguments)
    };
    let empty = emit(&["--allow", "D0103"]);
    let expected = "{\n  \"vertices\": {\n    \"in0\": [[0, 0, 0, 0]],\n    \"in2\": [[0, 0, 0, 0]]\n  },\n  \
                    \"constants\": {\n    \"c3\": [0, 0, 0, 0]\n  }\n}\n";
    assert_eq!((empty.code, empty.out.as_str()), (0, expected), "{}", empty.err);
    // Of the second vertex, and with a constant.
    let done = gpuzoo(&[
        "trace",
        text(&program),
        text(&given),
        "--vertex",
        "1",
        "-c",
        "c3=0.1,1,-0,2",
        "--emit-inputs",
        text(&inputs),
        "--allow",
        "D0103",
    ]);
    assert_eq!((done.code, done.out.as_str()), (0, ""), "{}", done.err);
    let written = std::fs::read_to_string(&inputs).unwrap();
    assert!(written.contains("\"in0\": [[4, \"inf\", 0, 1]]"), "{written}");
    assert!(written.contains("\"in2\": [[\"0x7fc00001\", 0, 0, 1]]"), "{written}");
    assert!(written.contains("\"c3\": [0.1, 1, -0, 2]"), "{written}");
    let again = emit(&[text(&inputs), "--allow", "D0103"]);
    assert_eq!(again.out, written);
    let ran = |more: &[&str]| {
        let arguments =
            [&["run", text(&program)], more, &["--outputs", "pos", "--format", "csv", "--allow", "D0103"]]
                .concat();
        gpuzoo(&arguments)
            .out
            .lines()
            .last()
            .unwrap_or_default()
            .split_once(',')
            .map(|(_, row)| row.to_owned())
    };
    assert_eq!(ran(&[text(&inputs)]), ran(&[text(&given), "-c", "c3=0.1,1,-0,2"]));
    // Another value for a constant of the file; and what it cannot be.
    assert!(ran(&[text(&inputs), "-c", "c3=1,1,1,1"]) != ran(&[text(&inputs)]));
    std::fs::write(&inputs, "{\"vertices\": {}, \"constants\": {}, \"modes\": 3}").unwrap();
    let wrong = emit(&[text(&inputs), "--allow", "D0103"]);
    assert!(wrong.code == 1 && wrong.err.contains("error[G0205]: `modes` is neither"), "{}", wrong.err);
    let typed =
        with_input(&["run", text(&program), "-", "--vertices-from", "json", "--allow", "D0103"], &written);
    assert!(typed.code == 2 && typed.err.contains("name it as a file"), "{}", typed.err);
    let none = with_input(&["run", "--gpu", "vera", "-", "--emit-inputs", "-"], " rts\n");
    assert!(
        none.code == 2 && none.err.contains("`--emit-inputs` is for programs over vertices"),
        "{}",
        none.err
    );
}

/// Tables of RenderDoc's, with what they call inputs and constants.
#[test]
fn tables_of_renderdoc_are_mapped() {
    let folder = scratch("renderdoc");
    let (program, mesh, buffer) = (folder.join("x.vsh"), folder.join("mesh.csv"), folder.join("cb.csv"));
    std::fs::write(&program, "MUL oPos, v0, c[96]\nADD oD0, v2, c[97]\n").unwrap();
    std::fs::write(&mesh, "VTX, IDX, POSITION.x, NORMAL.x\n0, 3,  2.00,  1.00\n1, 5, -1.00,  0.50\n")
        .unwrap();
    let rows = "Name,Value,Byte Offset,Type\nm,,0,float4x2\nm.row0,\"3, 1, 1, 1\",,float4\nm.row1,\"4, 0, 0, 0\",,float4\n";
    std::fs::write(&buffer, rows).unwrap();
    let run = |more: &[&str]| {
        let given = ["run", text(&program), "--outputs", "oPos,oD0", "--format", "csv"];
        gpuzoo(&[&given[..], more].concat())
    };
    let (mesh, buffer) = (text(&mesh), text(&buffer));
    let all = [
        mesh,
        "--constant-file",
        buffer,
        "--rename",
        "POSITION=v0",
        "--rename",
        "NORMAL=v2",
        "--rename",
        "m=c[96]",
    ];
    let ran = run(&all);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let values: Vec<&str> = ran.out.lines().skip(1).collect();
    assert_eq!(values, ["0,6,0,0,1,5,0,0,1", "1,-3,0,0,1,4.5,0,0,1"]);
    for (given, expected) in [
        (&[mesh][..], "no attribute of the mesh is an input"),
        (&[mesh, "--rename", "NORMALS=v2"], "did you mean `NORMAL`?"),
        (&[mesh, "--rename", "NORMAL=v2", "--rename", "n=c[96]"], "no variable is called `n`"),
        (&["--rename", "NORMAL=v2"], "there are no vertices"),
        (&[mesh, "--rename", "NORMAL=v2", "--vertices-from", "raw"], "these vertices are none"),
        (&[mesh, "--rename", "NORMAL"], "is not NAME=REGISTER"),
        (&[mesh, "--rename", "NORMAL=v2", "--constant-file", buffer], "the buffer has `m`"),
    ] {
        let wrong = run(given);
        assert!(wrong.code > 0 && wrong.err.contains(expected), "{given:?}: {}", wrong.err);
    }
}

/// A draw of a log of commands: program, constants and vertices come from it, in every verb that takes a program.
#[test]
fn logs_bring_their_vertices() {
    let log =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../gpus/nv2a/tests/logs/immediate.log");
    let of_log = |verb: &str, more: &[&str]| gpuzoo(&[&[verb, "--gpu", "nv2a", text(&log)], more].concat());
    let second = of_log("run", &["--draw", "1", "--outputs", "oPos,oD0", "--format", "csv"]);
    assert_eq!((second.code, second.out.lines().count()), (0, 5), "{}", second.err);
    assert_eq!(second.out.lines().nth(1), Some("0,160,120,10,1,0.5,0.5,1,0.85"));
    let traced = of_log("trace", &["--draw", "1", "--vertex", "3", "--format", "json"]);
    assert!(traced.code == 0 && traced.out.contains("\"vertex\":3"), "{}", traced.err);
    let emitted = of_log("trace", &["--emit-inputs", "-", "--vertex", "1"]);
    assert!(emitted.out.contains("\"v0\": [[640, 0, 0.1, 1]]"), "{}{}", emitted.out, emitted.err);
    let debugged =
        with_input(&["debug", "--gpu", "nv2a", text(&log), "--draw", "1"], "lane 2\nrun\nprint oPos\nquit\n");
    assert!(debugged.out.contains("oPos = (480, 360, 10, 1)"), "{}{}", debugged.out, debugged.err);
    let words = of_log("disassemble", &[]);
    assert!(words.code == 0 && words.out.contains("MOV oPos"), "{}", words.out);
    for (verb, more, expected) in [
        ("run", &["--draw", "7"][..], "draws are 0 to 1"),
        ("run", &["--draw", "x"], "--draw"),
        ("fmt", &["--draw", "0"], "--draw"),
    ] {
        let wrong = of_log(verb, more);
        assert!(wrong.code > 0 && wrong.err.contains(expected), "{verb} {more:?}: {}", wrong.err);
    }
    // A text has no draws to choose from.
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/nv2a/light.vsh");
    for option in ["--draw", "--launch"] {
        let wrong = gpuzoo(&["run", program, option, "0"]);
        assert!(wrong.code == 2 && wrong.err.contains("is for logs of commands"), "{option}: {}", wrong.err);
    }
    let other = gpuzoo(&["run", "--gpu", "dreambox", "--from", "log", text(&log)]);
    assert!(other.err.contains("forms are `asm`, `bin`, `hex`, `json`, `wgsl`"), "{}", other.err);
}

fn log_of(name: &str) -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../gpus/nv2a/tests/logs").join(name)
}

/// A launch writes (1, 2, 3, 4) to c1, which the draw moves to oPos; the launch itself is traced and debugged like a
/// draw.
#[test]
fn launches_of_logs_are_runs() {
    let log = log_of("launch.log");
    let of_log = |verb: &str, more: &[&str]| gpuzoo(&[&[verb, "--gpu", "nv2a", text(&log)], more].concat());
    let draw = of_log("run", &["--outputs", "oPos", "--format", "csv"]);
    assert_eq!((draw.code, draw.out.lines().nth(1)), (0, Some("0,1,2,3,4")), "{}{}", draw.out, draw.err);
    let launch = of_log("run", &["--launch", "0"]);
    assert!(launch.code == 0 && launch.out.contains("c1"), "{}{}", launch.out, launch.err);
    let traced = of_log("trace", &["--launch", "0", "--format", "json"]);
    assert!(
        traced.out.contains(r#""register":"c1","components":"xyzw","after":[1,2,3,4]"#),
        "{}",
        traced.out
    );
    let debugged = with_input(
        &["debug", "--gpu", "nv2a", text(&log), "--launch", "0"],
        "print c1\nrun write c1\nprint c1\nquit\n",
    );
    assert!(debugged.out.contains("c1 = (9, 9, 9, 9)"), "{}{}", debugged.out, debugged.err);
    assert!(debugged.out.contains("c1 = (1, 2, 3, 4)"), "{}{}", debugged.out, debugged.err);
    for (more, expected) in [
        (&["--launch", "1"][..], "there is no launch 1 in the log"),
        (&["--launch", "0", "--draw", "0"], "cannot be used with"),
    ] {
        let wrong = of_log("run", more);
        assert!(wrong.code > 0 && wrong.err.contains(expected), "{more:?}: {}", wrong.err);
    }
}

/// `rsq` of 1 is less than 1 on the unit, and 1 on the emulator, in the launch as in a draw.
#[test]
fn launches_of_logs_run_in_the_profile() {
    let folder = scratch("launch-profile");
    let (program, log) = (folder.join("rsq.xvs"), folder.join("rsq.log"));
    std::fs::write(&program, "xvss.1.1\nrsq c-86, v0.x\n").unwrap();
    let words = gpuzoo(&["assemble", text(&program), "--emit", "hex", "-o", "-"]);
    let words: Vec<&str> = words.out.split_whitespace().collect();
    assert_eq!(words.len(), 4, "{words:?}");
    let text_of = |commands: &[(u32, String)]| {
        let line = |(method, word): &(u32, String)| {
            format!("nv2a_pgraph_method 0: 0x97 -> {method:#06x} 0x{}\n", word.trim_start_matches("0x"))
        };
        commands.iter().map(line).collect::<String>()
    };
    let number = |word: u32| format!("{word:x}");
    let mut commands = vec![(0x1e94, number(6)), (0x1e9c, number(0))];
    commands.extend((0..).zip(&words).map(|(at, word)| (0xb00 + 4 * at, (*word).to_owned())));
    commands.extend((0..4).map(|at| (0x1e80 + 4 * at, number(0x3f80_0000))));
    commands.extend([(0x1e90, number(0)), (0x1e9c, number(4))]);
    // `mov oPos, c10`.
    let draws = [0, 0x0020_0000 | 10 << 13 | 0x1b, 0x0c36_106c, 0x2070_f801];
    commands.extend((0..).zip(draws).map(|(at, word)| (0xb00 + 4 * at, number(word))));
    commands.extend(
        [0x1ea0, 0x17fc, 0x1500, 0x1504, 0x1508, 0x17fc].into_iter().zip([4, 5, 0, 0, 0, 0].map(number)),
    );
    std::fs::write(&log, text_of(&commands)).unwrap();
    for (profile, expected) in [("hw", "0x3f7fffff"), ("cpu", "0x3f800000")] {
        let done = gpuzoo(&[
            "run",
            "--gpu",
            "nv2a",
            text(&log),
            "--outputs",
            "oPos",
            "--format",
            "csv",
            "--bits",
            "--profile",
            profile,
        ]);
        let row = done.out.lines().nth(1).unwrap_or_default();
        assert!(row.starts_with(&format!("0,{expected},")), "{profile}: {}{}", done.out, done.err);
    }
    let diff = gpuzoo(&["diff", "--gpu", "nv2a", text(&log), "--profiles", "hw,cpu"]);
    assert!(diff.out.contains("oPos.x: 0.99999994 in hw, 1 in cpu"), "{}{}", diff.out, diff.err);
}

/// A log is read line by line: 24 MB of draws count twice their length, and not 128 times.
#[test]
fn long_logs_are_read() {
    let folder = scratch("long-log");
    let log = folder.join("long.log");
    let once = std::fs::read_to_string(log_of("inline.log")).unwrap();
    let text_of = once.repeat(24_000_000 / once.len() + 1);
    std::fs::write(&log, &text_of).unwrap();
    let run = |limit: u64| {
        let limit = format!("memory={limit}");
        gpuzoo(&["disassemble", "--gpu", "nv2a", text(&log), "--draw", "3", "--limit", &limit])
    };
    let bytes = text_of.len() as u64;
    let done = run(2 * bytes + (1 << 20));
    assert!(done.code == 0 && done.out.contains("MOV"), "{}", done.err);
    let refused = run(2 * bytes - 1);
    assert!(refused.code > 0 && refused.err.contains("R0703"), "{}", refused.err);
}
