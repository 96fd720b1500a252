//! Values by their types: the NV2A's A0 and what PicoGpu's integer instructions write are integers wherever they are
//! shown or compared.
//! Expected numbers are calculated by hand: `arl` takes the floor, and the integer instructions are those of two's
//! complement.

use crate::common::{gpuzoo, scratch, text, with_input};
use std::path::PathBuf;

/// A program that reads a constant by A0, and a vertex with v1.x.
fn relative(name: &str, v1: &str) -> [PathBuf; 2] {
    let folder = scratch(name);
    let (program, vertices) = (folder.join("arl.vsh"), folder.join("arl.csv"));
    std::fs::write(&program, "arl a0, v1.x\nmov oD0, c[A0+10]\nmov oPos, v0\n").unwrap();
    std::fs::write(&vertices, format!("v0.x,v0.y,v0.z,v0.w,v1.x\n0,0,0,1,{v1}\n")).unwrap();
    [program, vertices]
}

#[test]
fn a0_is_an_integer_in_traces() {
    for (v1, a0) in [("20.7", "20"), ("-3.5", "-4"), ("0.9995", "0")] {
        let [program, vertices] = relative("a0-trace", v1);
        let run = |more: &[&str]| gpuzoo(&[&["trace", text(&program), text(&vertices)], more].concat());
        let traced = run(&[]);
        assert!(traced.out.contains(&format!("{a0}, _, _, _)")), "{}{}", traced.out, traced.err);
        let json = run(&["--format", "json"]);
        let expected =
            format!(r#""changes":[{{"register":"A0","components":"x","after":[{a0}],"integers":"x"}}]"#);
        assert!(json.out.contains(&expected), "{}", json.out);
        let bits = run(&["--format", "json", "--bits"]);
        let pattern = format!("\"after\":[\"{:#010x}\"]", a0.parse::<i32>().unwrap());
        assert!(bits.out.contains(&pattern), "{}", bits.out);
        let page = program.with_extension("html");
        let report = run(&["--report", text(&page)]);
        let page = std::fs::read_to_string(&page).unwrap_or_default();
        assert!(page.contains(&format!("A0.x = {a0}")), "{v1}: {}", report.err);
    }
}

#[test]
fn a0_is_an_integer_in_the_debugger() {
    let [program, vertices] = relative("a0-debug", "20.7");
    let debug = |commands: &str| {
        let done = with_input(&["debug", text(&program), text(&vertices), "-c", "c30=5,6,7,8"], commands);
        done.out + &done.err
    };
    let shown = debug("step\nprint a0\nprint a0.x\nregisters\nprint a0.x == 20\nquit\n");
    for expected in
        ["writes A0.x = 20, before 0", "\na0 = 20\n", "\na0.x = 20\n", "\nA0 = 20\n", "a0.x == 20 is true"]
    {
        assert!(shown.contains(expected), "{expected}: {shown}");
    }
    // Behind the write of oD0 A0 is 20, and not 21.
    let stopped = debug("break write oD0 if a0.x == 20\nrun\nprint oD0\nquit\n");
    assert!(stopped.contains("breakpoint 1\n") && stopped.contains("oD0 = (5, 6, 7, 8)"), "{stopped}");
    let passed = debug("break write oD0 if a0.x == 21\nrun\nquit\n");
    assert!(passed.contains("step 3 of 3  the end") && !passed.contains("step 2 of 3"), "{passed}");
    // With 19 in A0 it is c29, which is zeros.
    let poked = debug("step\npoke a0.x = 19\nprint a0\nrun\nprint oD0\nwhy a0\nquit\n");
    assert!(poked.contains("\na0 = 19\n") && poked.contains("oD0 = (0, 0, 0, 0)"), "{poked}");
    assert!(poked.contains("A0.x = 19"), "{poked}");
    let half = debug("step\npoke a0.x = 1.5\nquit\n");
    assert!(half.contains("G0304") && half.contains("`A0.x` is an integer of 32 bits"), "{half}");
    let none = debug("step\nprint a0.y\nquit\n");
    assert!(none.contains("`a0` has only component x"), "{none}");
}

#[test]
fn a0_is_an_integer_in_why_and_diff() {
    let [program, vertices] = relative("a0-why", "20.7");
    let why = gpuzoo(&["why", text(&program), text(&vertices), "--register", "A0.x"]);
    assert!(why.out.contains("A0.x = 20 at the end"), "{}{}", why.out, why.err);
    let json = gpuzoo(&["why", text(&program), text(&vertices), "--register", "a0", "--format", "json"]);
    assert!(json.out.contains(r#""register":"A0","components":"x","value":[20,0,0,0]"#), "{}", json.out);
    // The emulator adds 0.001 before it takes the floor.
    let [program, vertices] = relative("a0-diff", "0.9995");
    let diff = |more: &[&str]| {
        let constants =
            ["diff", text(&program), text(&vertices), "--profiles", "hw,cpu", "-c", "c11=1,1,1,1"];
        gpuzoo(&[&constants, more].concat()).out
    };
    assert!(diff(&[]).contains("A0.x: 0 in hw, 1 in cpu"), "{}", diff(&[]));
    let json = diff(&["--format", "json"]);
    assert!(json.contains(r#""after":[[0],[1]],"integers":"x""#), "{json}");
}

/// (6, 7, -3, 0) squared is (36, 49, 9, 0), and moves keep it; r1 is a float.
#[test]
fn picogpu_s_integers_are_those_of_integer_instructions() {
    let folder = scratch("pico-integers");
    let program = folder.join("square.pico");
    let source = "#vertexShader\n#input r0.xyzw\n#output r1.xyzw\niinit r4 6 7 -3 0\nimul r5 r4 r4\nmov r6 r5\n\
                  fadd r1 r0 r0\n";
    std::fs::write(&program, source).unwrap();
    let vertices = folder.join("v.csv");
    std::fs::write(&vertices, "in0.x,in0.y,in0.z,in0.w\n1,2,3,4\n").unwrap();
    let trace = |more: &[&str]| {
        let done = gpuzoo(&[&["trace", text(&program), text(&vertices)], more].concat());
        done.out + &done.err
    };
    let shown = trace(&[]);
    for expected in
        ["r4 = (*6, *7, *-3, 0)", "r5 = (*36, *49, *9, 0)", "r6 = (*36, *49, *9, 0)", "r1 = (*2, *4, *6, *8)"]
    {
        assert!(shown.contains(expected), "{expected}: {shown}");
    }
    let json = trace(&["--format", "json"]);
    assert!(
        json.contains(r#""register":"r4","components":"xyzw","after":[6,7,-3,0],"integers":"xyzw""#),
        "{json}"
    );
    assert!(json.contains(r#""register":"r1","components":"xyzw","after":[2,4,6,8]}"#), "{json}");
    let commands = "break write r1 if r6.y == 49 && r6.z < 10\nrun\nprint r6\nprint r6.y\npoke r6.x = -5\nprint r6\nquit\n";
    let done = with_input(&["debug", text(&program), text(&vertices)], commands);
    let debugged = done.out + &done.err;
    for expected in ["breakpoint 1\n", "r6 = (36, 49, 9, 0)", "r6.y = 49", "r6 = (-5, 49, 9, 0)"] {
        assert!(debugged.contains(expected), "{expected}: {debugged}");
    }
}

/// An input that only integer instructions read is one: 20 and 22 as bits, and their sum.
#[test]
fn inputs_are_what_reads_them() {
    let folder = scratch("pico-inputs");
    let (program, vertices) = (folder.join("sum.pico"), folder.join("v.csv"));
    std::fs::write(
        &program,
        "#vertexShader\n#input r0.xy\n#output r1.xyzw\nswizzle r2 r0.yyyy\niadd r3.x r0 r2\n",
    )
    .unwrap();
    std::fs::write(&vertices, "in0.x,in0.y\n0x00000014,0x00000016\n").unwrap();
    let commands = "run write r3\nrun write r3\nquit\n";
    let done = with_input(&["debug", text(&program), text(&vertices)], commands);
    let shown = done.out + &done.err;
    assert!(shown.contains("reads r0.x = 20") && shown.contains("writes r3.x = 42"), "{shown}");
}
