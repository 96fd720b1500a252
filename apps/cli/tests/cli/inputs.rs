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
