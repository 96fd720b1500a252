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
    let empty = emit(&["-A", "D0103"]);
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
        "-C",
        "c3=0.1,1,-0,2",
        "--emit-inputs",
        text(&inputs),
        "-A",
        "D0103",
    ]);
    assert_eq!((done.code, done.out.as_str()), (0, ""), "{}", done.err);
    let written = std::fs::read_to_string(&inputs).unwrap();
    assert!(written.contains("\"in0\": [[4, \"inf\", 0, 1]]"), "{written}");
    assert!(written.contains("\"in2\": [[\"0x7fc00001\", 0, 0, 1]]"), "{written}");
    assert!(written.contains("\"c3\": [0.1, 1, -0, 2]"), "{written}");
    let again = emit(&[text(&inputs), "-A", "D0103"]);
    assert_eq!(again.out, written);
    let ran = |more: &[&str]| {
        let arguments =
            [&["run", text(&program)], more, &["--outputs", "pos", "--format", "csv", "-A", "D0103"]]
                .concat();
        gpuzoo(&arguments)
            .out
            .lines()
            .last()
            .unwrap_or_default()
            .split_once(',')
            .map(|(_, row)| row.to_owned())
    };
    assert_eq!(ran(&[text(&inputs)]), ran(&[text(&given), "-C", "c3=0.1,1,-0,2"]));
    // Another value for a constant of the file; and what it cannot be.
    assert!(ran(&[text(&inputs), "-C", "c3=1,1,1,1"]) != ran(&[text(&inputs)]));
    std::fs::write(&inputs, "{\"vertices\": {}, \"constants\": {}, \"modes\": 3}").unwrap();
    let wrong = emit(&[text(&inputs), "-A", "D0103"]);
    assert!(wrong.code == 1 && wrong.err.contains("error[G0205]: `modes` is neither"), "{}", wrong.err);
    let typed = with_input(&["run", text(&program), "-", "--vertex-format", "json", "-A", "D0103"], &written);
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
    let all =
        [mesh, "--constant-file", buffer, "--map", "POSITION=v0", "--map", "NORMAL=v2", "--map", "m=c[96]"];
    let ran = run(&all);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let values: Vec<&str> = ran.out.lines().skip(1).collect();
    assert_eq!(values, ["0,6,0,0,1,5,0,0,1", "1,-3,0,0,1,4.5,0,0,1"]);
    for (given, expected) in [
        (&[mesh][..], "no attribute of the mesh is an input"),
        (&[mesh, "--map", "NORMALS=v2"], "did you mean `NORMAL`?"),
        (&[mesh, "--map", "NORMAL=v2", "--map", "n=c[96]"], "no variable is called `n`"),
        (&["--map", "NORMAL=v2"], "there are no vertices"),
        (&[mesh, "--map", "NORMAL=v2", "--vertex-format", "raw"], "these vertices are none"),
        (&[mesh, "--map", "NORMAL"], "is not NAME=REGISTER"),
        (&[mesh, "--map", "NORMAL=v2", "--constant-file", buffer], "the buffer has `m`"),
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
    let other = gpuzoo(&["run", "--gpu", "dreambox", "--program-format", "log", text(&log)]);
    assert!(other.err.contains("forms are `asm`, `bin`, `hex`, `json`, `wgsl`"), "{}", other.err);
}
