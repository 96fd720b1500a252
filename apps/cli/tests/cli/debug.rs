//! `debug` and `why`: commands on runs of all five machines, and short answers.

use crate::common::{Done, gpuzoo, scratch, text, with_input};
use std::path::Path;

/// The answers to commands on a program, each without its echo.
fn debug(folder: &Path, name: &str, program: &str, inputs: &str, commands: &[&str]) -> Vec<String> {
    let (path, table) = (folder.join(name), folder.join("inputs.csv"));
    std::fs::write(&path, program).unwrap();
    std::fs::write(&table, inputs).unwrap();
    let mut args = vec!["debug", text(&path), "--allow", "warnings"];
    if !inputs.is_empty() {
        args.push(text(&table));
    }
    let Done { code, out, err } = with_input(&args, &commands.join("\n"));
    assert_eq!((code, err.contains("error")), (0, false), "{err}");
    let mut answers: Vec<String> = Vec::new();
    for line in out.lines() {
        match line.strip_prefix("> ") {
            Some(command) => {
                assert_eq!(command, commands[answers.len()]);
                answers.push(String::new());
            }
            None => {
                if let Some(answer) = answers.last_mut() {
                    *answer += &format!("{line}\n");
                }
            }
        }
    }
    answers
}

#[test]
fn a_run_goes_back_and_is_poked() {
    let folder = scratch("debug-dreambox");
    let commands = [
        "break write r0.x if r0.x == 2",
        "run",
        "print r0",
        "back",
        "print r0",
        "poke r0.y = 5",
        "step",
        "why r0.y",
        "back",
        "influence r0.y",
    ];
    let inputs = "in0.x,in0.y,in0.z,in0.w\n1,2,3,4\n";
    let program = "ld r0 0\nadd r0 r0\nst pos r0\n";
    let answers = debug(&folder, "double.vu", program, inputs, &commands);
    assert_eq!(answers[0], "breakpoint 1\n");
    assert!(answers[1].starts_with("breakpoint 1\n   reads r0 = (1, 2, 3, 4)\n"), "{}", answers[1]);
    assert!(answers[1].ends_with("step 2 of 4  slot 2  double.vu:3  st pos r0\n"), "{}", answers[1]);
    assert_eq!((answers[2].as_str(), answers[4].as_str()), ("r0 = (2, 4, 6, 8)\n", "r0 = (1, 2, 3, 4)\n"));
    assert!(answers[6].contains("writes r0 = (2, 10, 6, 8), before (1, 5, 3, 4)\n"), "{}", answers[6]);
    assert!(answers[7].contains("poked") && answers[7].contains("r0.y = 5"), "{}", answers[7]);
    let influenced: Vec<&str> = answers[9].lines().map(|line| line.rsplit("  ").next().unwrap()).collect();
    assert_eq!(influenced, ["r0.y = 10", "pos.y = 10"]);
}

/// The multiplication is done, and the reciprocal of the same slot is not.
#[test]
fn two_instructions_of_a_slot_are_two_steps() {
    let folder = scratch("debug-nv2a");
    let commands = ["step", "print r2.x", "print r1.x", "step", "print r1.x", "rback 0"];
    let program = "mul r2, v0, v0 + rcp r1.x, v0.x\nmov oPos, r2\n";
    let answers = debug(&folder, "pair.vsh", program, "v0.x\n2\n", &commands);
    assert!(answers[0].ends_with("step 1 of 3  slot 0  pair.vsh:1  RCP R1.x, v0.x\n"), "{}", answers[0]);
    assert_eq!([&answers[1], &answers[2], &answers[4]], ["r2.x = 4\n", "r1.x = 0\n", "r1.x = 0.5\n"]);
    // The slot is where its first instruction is.
    assert!(answers[5].starts_with("step 0 of 3"), "{}", answers[5]);
}

#[test]
fn a_run_stops_where_a_nan_arises() {
    let folder = scratch("debug-picogpu");
    let program =
        "#vertexShader\n#input r0.xyzw\n#output r5.xyzw\nfmul r1.x r0 r0\nfsub r2.x r1 r1\nmov r5 r2\ntrap\n";
    let commands =
        ["run nan", "print r2.x == nan && r1.x == inf", "rback inf", "print r1.x,x", "run odd", "break odd"];
    let answers = debug(&folder, "nan.pico", program, "in0.x\n1e38\n", &commands);
    assert!(answers[0].contains("r2.x becomes NaN\n"), "{}", answers[0]);
    assert_eq!(answers[1], "r2.x == nan && r1.x == inf is true\n");
    assert!(answers[2].contains("r1.x becomes infinite\n"), "{}", answers[2]);
    assert_eq!(answers[3], "r1.x,x = 0x7f800000\n");
    // Each of several things that are odd is a breakpoint.
    assert!(answers[4].contains("r2.x becomes NaN\n"), "{}", answers[4]);
    assert_eq!(answers[5], "breakpoint 1\nbreakpoint 2\nbreakpoint 3\nbreakpoint 4\n");
}

#[test]
fn a_run_stops_where_a_fragment_is_killed() {
    let folder = scratch("debug-servaru");
    let program = ".fragment\nMOV R1, P0;\nKIL R1.x;\nMOV P9, R1;\n";
    let commands = ["run kill", "rback line 2", "poke P0.x = 1", "run kill"];
    let answers = debug(&folder, "kill.svs", program, "P0.x\n-1\n", &commands);
    assert!(answers[0].ends_with("the fragment is killed\nstep 2 of 2  the end: killed\n"), "{}", answers[0]);
    assert!(answers[1].starts_with("step 0 of 2  slot 0  kill.svs:2"), "{}", answers[1]);
    // What lives has all three instructions.
    assert_eq!(answers[3], "not met up to the end\nstep 3 of 3  the end\n");
}

#[test]
fn a_program_on_vera_stops_at_labels_and_writes() {
    let folder = scratch("debug-vera");
    let program = "start:\n  lda #$2a\n  sta $9f23\nloop:\n  inc $22\n  bne loop\n  rts\n";
    let commands = [
        "run write DATA0",
        "print vram[$1b0a0]",
        "print A,u",
        "break loop if ram[$22] == 3",
        "run",
        "print ram[$22..$23]",
        "rback write vram[$1b0a0]",
        "poke A = 7",
        "back",
        "step",
        "print A",
        "rback start",
    ];
    let answers = debug(&folder, "loop.s", program, "", &commands);
    assert!(answers[0].contains("  writes vram[$1B0A0] = $2A, before $00\n"), "{}", answers[0]);
    assert_eq!([&answers[1], &answers[2]], ["vram[$1b0a0] = 2A\n", "A,u = 42\n"]);
    // Two instructions before, and three times two around the loop.
    assert!(answers[4].starts_with("breakpoint 1\nstep 8  $"), "{}", answers[4]);
    assert_eq!(answers[5], "ram[$22..$23] = 03 00\n");
    assert!(answers[6].ends_with("step 2  $0806 loop  loop.s:5  inc $22\n"), "{}", answers[6]);
    // The poke belongs to the point, whichever way it is reached.
    assert_eq!(answers[10], "A = $07\n");
    assert!(answers[11].starts_with("step 0  $0801"), "{}", answers[11]);
}

#[test]
fn wrong_commands_are_shown_where_they_stand() {
    let folder = scratch("debug-wrong");
    let (path, script) = (folder.join("copy.vu"), folder.join("script.txt"));
    std::fs::write(&path, "ld r0 0\nst pos r0\n").unwrap();
    for (line, code, place, marked) in [
        ("bakc", "G0301", "2:1", "^^^^"),
        ("step x", "G0302", "2:6", "^"),
        ("print r0.", "G0302", "2:10", ""),
        ("print r0.q", "G0303", "2:1", "^^^^^^^^^^"),
        ("print r0,z", "G0302", "2:10", "^"),
        ("break", "G0302", "2:6", ""),
        ("break 1 when", "G0302", "2:9", "^^^^"),
        ("poke r0", "G0302", "2:6", "^^"),
        ("poke r0 = x", "G0302", "2:10", "^^"),
        ("list 1 2", "G0302", "2:8", "^"),
        ("print r77", "G0303", "2:1", "^^^^^^^^^"),
        ("run nowhere", "G0303", "2:1", "^^^^^^^^^^^"),
        ("run line 77", "G0303", "2:1", "^^^^^^^^^^^"),
        ("use 1", "G0303", "2:1", "^^^^^"),
        ("delete 1", "G0303", "2:1", "^^^^^^^^"),
        ("poke r0.xy = 1, 2, 3", "G0304", "2:1", "^"),
    ] {
        std::fs::write(&script, format!("# a comment\n{line}\nstep\n")).unwrap();
        let done = gpuzoo(&["debug", text(&path), "--allow", "warnings", "--script", text(&script)]);
        let shown = format!("script.txt:{place}\n");
        assert_eq!(done.code, 1, "{line}: {}", done.err);
        assert!(done.err.contains(&format!("error[{code}]")), "{line}: {}", done.err);
        assert!(done.err.contains(&shown) && done.err.contains(marked), "{line}: {}", done.err);
        assert!(!done.out.contains("step 1"), "nothing is done behind a mistake: {}", done.out);
    }
    // ROM cannot be set, and a byte has 8 bits.
    std::fs::write(folder.join("one.s"), " rts\n").unwrap();
    for line in
        ["poke ram[$f000] = 1", "poke ram[$22] = 256", "poke A = $100", "poke A = -1", "poke cycle = 1"]
    {
        let done = with_input(&["debug", text(&folder.join("one.s"))], line);
        assert!(done.code == 1 && done.err.contains("error[G0304]"), "{line}: {}", done.err);
    }
}

const SIGN: &str = r##"
gpu = "nv2a"
size = [16, 12]
program.flat.source = """
#mvp matrix4 96
#light vector 100
%matmul4x4 oPos iPos #mvp
mul oD0, iDiffuse, #light
mul oPos.xyz, r12, c58 + rcc r1.x, r12.w
mad oPos.xyz, r12, r1.x, c59
"""
mesh.sign.shape = "plane"
camera.eye = [0, 3, 1]
[[draw]]
program = "flat"
mesh = "sign"
input.v0 = { attribute = "position", format = "FLOAT3" }
input.v3 = { attribute = "color", format = "FLOAT4" }
constants.mvp = { matrix = { transpose = "model_view_projection" } }
"##;

/// The four mistakes that are usual, each told by one command on a screen of text.
#[test]
fn usual_mistakes_are_told_in_25_lines() {
    let folder = scratch("why");
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    let path = |name: &str| text(&folder.join(name)).to_owned();
    write("dark.toml", SIGN);
    write("culled.toml", &format!("{SIGN}[draw.state]\ncull = \"front\"\nfront = \"ccw\"\n"));
    write(
        "rsq.svs",
        "DP3 R0.w, P2, P2;\nRSQ R1.x, R0.w;\nMUL R2.xyz, P2, R1.x;\nMOV P10, R2;\nMOV P9, P0;\n",
    );
    write("dot.vu", "ld r1 1\nld r2 2\ndot r2 r1\nmul r1 r2\nst col r1\nst pos r1\n");
    write("dot.csv", "in1.x,in1.y,in2.x\n1,1,1\n");
    let cases: [(&[&str], &[&str]); 4] = [
        (
            &["why", &path("dark.toml"), "--pixel", "8,6"],
            &[
                "oD0.x is 0 (slot 4: MUL oD0.xyzw, v3, c[100]), because c100.x is 0, which is not given",
                "dark.toml:8",
            ],
        ),
        (
            &["why", &path("culled.toml"), "--pixel", "8,6"],
            &["no fragment met it", "2 of 2 primitives showed the side that is culled"],
        ),
        (
            &["why", &path("rsq.svs")],
            &["P10.x is nan", "(slot 2: MUL R2.xyz, P2, R1.x;): it begins there from P2.x = 0, R1.x = inf"],
        ),
        (
            &["why", &path("dot.vu"), &path("dot.csv"), "--register", "col.y"],
            &["because r2.y is 0 (slot 2: dot r2 r1): it begins there"],
        ),
    ];
    for (args, phrases) in cases {
        let done = gpuzoo(&[args, &["--allow", "R0323"]].concat());
        assert_eq!(done.code, 0, "{}", done.err);
        assert!(done.out.lines().count() <= 25, "{}", done.out);
        for phrase in phrases {
            assert!(done.out.contains(phrase), "{phrase}:\n{}", done.out);
        }
    }
    let dot = gpuzoo(&["why", &path("dot.vu"), &path("dot.csv"), "--register", "col.y", "--emit", "dot"]);
    assert!(
        dot.out.starts_with("digraph \"col.y = 0\" {\n") && dot.out.contains("n0 -> n1 [label=\"y\"]"),
        "{}",
        dot.out
    );
    let svg = gpuzoo(&["why", &path("dot.vu"), &path("dot.csv"), "--register", "col.y", "--emit", "svg"]);
    assert!(svg.out.starts_with("<svg xmlns=") && svg.out.contains(">col.y = 0 from 4 instructions</text>"));
    assert_eq!(["<circle", "<path"].map(|shape| svg.out.matches(shape).count()), [5, 4], "{}", svg.out);
    let vertex = gpuzoo(&["why", &path("culled.toml"), "--vertex", "6"]);
    assert!(vertex.code == 2 && vertex.err.contains("vertices are 0 to 5"), "{}", vertex.err);
}

/// A pixel without a fragment has no run; a script that fails leaves the file of its answers as it was, and says what there is.
#[test]
fn what_cannot_be_debugged_is_an_error() {
    let folder = scratch("debug-nothing");
    let empty = with_input(&["debug", "scene.toml", "--pixel", "3,1"], "step\n");
    assert_eq!((empty.code, &empty.out[..]), (2, ""));
    assert!(empty.err.contains("no fragment met it"), "{}", empty.err);
    let (program, answers) = (folder.join("one.vu"), folder.join("answers.txt"));
    std::fs::write(&program, "st pos r0\n").unwrap();
    std::fs::write(&answers, "old").unwrap();
    let args = ["debug", text(&program), "--allow", "warnings", "-o", text(&answers)];
    let failed = with_input(&args, "step\nprint r99\n");
    assert_eq!(failed.code, 1);
    assert!(failed.err.contains("error[G0303]") && failed.err.contains("`registers all`"), "{}", failed.err);
    assert_eq!(std::fs::read_to_string(&answers).unwrap(), "old");
    assert_eq!(with_input(&args, "step\n").code, 0);
    assert!(std::fs::read_to_string(&answers).unwrap().contains("> step\n"));
}

/// The vertices of a file are lanes of one program: each can be chosen at the same step, with the same breakpoints.
#[test]
fn vertices_are_lanes_to_choose_from() {
    let folder = scratch("debug-lanes");
    let (program, table) = (folder.join("ratio.vsh"), folder.join("in.csv"));
    std::fs::write(&program, "rcp r1.x, v0.x\nmul r2, v0, r1.x\nmov oPos, r2\n").unwrap();
    std::fs::write(&table, "v0.x,v0.y,v0.z,v0.w\n4,0,0,1\n0,0,0,1\n16,0,0,1\n").unwrap();
    let args = ["debug", text(&program), text(&table), "--allow", "warnings"];
    let commands = [
        ("break line 2", "breakpoint 1\n"),
        ("run", "breakpoint 1\nstep 1 of 3  slot 1  ratio.vsh:2  MUL R2.xyzw, v0, R1.x\n"),
        (
            "lanes r1.x",
            "> 0  vertex 0  r1.x = 0.25\n  1  vertex 1  r1.x = inf\n  2  vertex 2  r1.x = 0.0625\n",
        ),
        ("lanes r1.x == inf", "  1  vertex 1\nit holds in 1 of 3\n"),
        ("poke r1.x = 7", "step 1 of 3  slot 1  ratio.vsh:2  MUL R2.xyzw, v0, R1.x\n"),
        ("lane 1", "vertex 1\nstep 1 of 3  slot 1  ratio.vsh:2  MUL R2.xyzw, v0, R1.x\n"),
        ("print r1.x", "r1.x = inf\n"),
        ("back", "step 0 of 3  slot 0  ratio.vsh:1  RCP R1.x, v0.x\n"),
        ("run", "breakpoint 1\nstep 1 of 3  slot 1  ratio.vsh:2  MUL R2.xyzw, v0, R1.x\n"),
        ("lanes", "  0  vertex 0\n> 1  vertex 1\n  2  vertex 2\n"),
        // What was poked was in another session of this lane.
        ("use 0", "vertex 0\nstep 1 of 3  slot 1  ratio.vsh:2  MUL R2.xyzw, v0, R1.x\n"),
        ("print r1.x", "r1.x = 0.25\n"),
    ];
    let typed: Vec<&str> = commands.iter().map(|(command, _)| *command).collect();
    let done = with_input(&args, &typed.join("\n"));
    let start = "vertex 0, and 2 more: `runs`\nstep 0 of 3  slot 0  ratio.vsh:1  RCP R1.x, v0.x\n".to_owned();
    let shown = commands.iter().map(|(command, answer)| format!("> {command}\n{answer}"));
    assert_eq!((done.code, done.out), (0, start + &shown.collect::<String>()), "{}", done.err);
    let none = with_input(&args, "lane 3");
    assert!(none.code == 1 && none.err.contains("there is no run of this number: 3 runs"), "{}", none.err);
    // One that is named is alone.
    let alone = with_input(&[&args[..], &["--vertex", "2"]].concat(), "lanes\nlanes r1.x");
    assert!(alone.out.starts_with("vertex 2\nstep 0 of 3"), "{}", alone.out);
}

/// In each form that `run` writes: the first lane that differs, and the others on demand.
#[test]
fn lanes_that_are_not_as_expected_are_found() {
    let folder = scratch("debug-expect");
    let path = |name: &str| text(&folder.join(name)).to_owned();
    std::fs::write(path("double.svs"), ".fragment\nADD R1, P1, P1;\nKIL R1.x;\nMOV P9, R1;\n").unwrap();
    std::fs::write(path("in.csv"), "P1.x,P1.y\n1,1\n2,2\n-1,3\n4,4\n").unwrap();
    let run = |to: &str| {
        let done =
            gpuzoo(&["run", &path("double.svs"), &path("in.csv"), "-o", &path(to), "--allow", "warnings"]);
        assert_eq!(done.code, 0, "{}", done.err);
    };
    let ask = |expected: &str, commands: &str| {
        let args = [
            "debug",
            &path("double.svs"),
            &path("in.csv"),
            "--expect",
            &path(expected),
            "--allow",
            "warnings",
        ];
        with_input(&args, commands)
    };
    for name in ["out.csv", "out.json", "out.npy", "out.raw"] {
        run(name);
        let same = ask(name, "use differing");
        assert!(
            same.out.contains("fragment 0, and 3 more: `runs`\nall is as expected of 4 vertices\n"),
            "{}",
            same.out
        );
        assert!(same.code == 1 && same.err.contains("no lane differs"), "{}", same.err);
    }
    let table = std::fs::read_to_string(path("out.csv")).unwrap();
    let other = table.replace("\n1,0,4,4,", "\n1,0,4,5,").replace("\n3,0,8,", "\n3,1,8,");
    assert_ne!(other, table);
    std::fs::write(path("other.csv"), &other).unwrap();
    let found = ask("other.csv", "use differing\nuse differing\nruns");
    assert_eq!(found.code, 0, "{}", found.err);
    let first = "fragment 1, and 3 more: `runs`\n2 of 4 vertices differ from what is expected: `use differing`\n\
                 P9.y is 4 at the end, expected 5\n";
    assert!(found.out.starts_with(first), "{}", found.out);
    assert!(
        found.out.contains("> use differing\nfragment 3\nit is not killed, expected so\n"),
        "{}",
        found.out
    );
    assert_eq!(found.out.matches("P9.y is 4 at the end, expected 5").count(), 3, "{}", found.out);
    // What does not fit is an error, with its place.
    for (text, code) in [
        ("vertex,P8.q\n0,1\n", "G0201"),
        ("vertex,P7.x\n0,1\n", "G0206"),
        ("vertex,P9.x\n0\n", "G0202"),
        ("vertex,P9.x\nx,1\n", "G0203"),
        ("vertex,P9.x\n4,1\n", "G0212"),
        ("[3]", "G0205"),
        ("[{\"vertex\": \"a\"}]", "G0205"),
        ("\u{93}NUMPY", "G0206"),
        ("", "G0213"),
        ("vertex\n0\n", "G0213"),
        ("[]", "G0213"),
    ] {
        std::fs::write(path("wrong.csv"), text).unwrap();
        let wrong = ask("wrong.csv", "");
        assert!(wrong.code == 1 && wrong.err.contains(&format!("error[{code}]")), "{text}: {}", wrong.err);
    }
    std::fs::write(path("short.raw"), [0; 7]).unwrap();
    let short = ask("short.raw", "");
    assert!(short.code == 1 && short.err.contains("error[G0227]"), "{}", short.err);
}
