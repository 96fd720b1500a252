//! Outputs and vertices as numbers: raw bytes, and NumPy's arrays.

use crate::common::{gpuzoo, raw, scratch, text};
use std::path::Path;

/// An array as `numpy.save` of NumPy 2.4 writes it, byte for byte.
fn array(kind: &str, shape: &str, numbers: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}");
    let header = format!("{header:<117}\n");
    [b"\x93NUMPY\x01\0\x76\0", header.as_bytes(), numbers].concat()
}

fn floats(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

const DOUBLE: &str = "add oPos, v0, v0\nmov oD0, v1\n";

/// A program over vertices in a file, and where outputs go.
fn run(folder: &Path, vertices: &str, content: &[u8], output: &str, args: &[&str]) -> (i32, String) {
    let paths = ["double.vsh", vertices, output].map(|name| folder.join(name));
    std::fs::write(&paths[0], DOUBLE).unwrap();
    std::fs::write(&paths[1], content).unwrap();
    let common =
        ["run", text(&paths[0]), text(&paths[1]), "-o", text(&paths[2]), "--message-format", "short"];
    let done = gpuzoo(&[&common[..], &["--outputs", "oPos,oD0"], args].concat());
    (done.code, done.err)
}

#[test]
fn arrays_are_read_and_written() {
    let folder = scratch("arrays");
    // Four columns are an input; the last one has x and y, and then (0, 1).
    let rows = floats(&[1.0, 2.0, 3.0, 4.0, 0.5, 0.25, -1.0, 0.0, 0.1, f32::INFINITY, -0.0, 7.0]);
    let expected =
        [2.0, 4.0, 6.0, 8.0, 0.5, 0.25, 0.0, 1.0, -2.0, 0.0, 0.2, f32::INFINITY, -0.0, 7.0, 0.0, 1.0];
    let expected = floats(&expected);
    let read = |name: &str| std::fs::read(folder.join(name)).unwrap();
    assert_eq!(run(&folder, "v.npy", &array("<f4", "(2, 6)", &rows), "o.npy", &[]), (0, String::new()));
    assert_eq!(read("o.npy"), array("<f4", "(2, 8)", &expected));
    // The form is in the file's first bytes, too, and that of the output may be said.
    assert_eq!(run(&folder, "v", &array("<f4", "(2, 6)", &rows), "o", &["--format", "raw"]).0, 0);
    assert_eq!(read("o"), expected);
    let doubles: Vec<u8> = rows
        .as_chunks()
        .0
        .iter()
        .flat_map(|bytes| f64::from(f32::from_le_bytes(*bytes)).to_le_bytes())
        .collect();
    assert_eq!(run(&folder, "v.npy", &array("<f8", "(2, 6)", &doubles), "o.raw", &[]).0, 0);
    assert_eq!(read("o.raw"), expected);
    assert_eq!(run(&folder, "v.npy", &array("<u4", "(2, 6)", &rows), "o.npy", &["--bits"]).0, 0);
    assert_eq!(read("o.npy"), array("<u4", "(2, 8)", &expected));
    // A layout says what lies where, in bytes of 32-bit numbers.
    let layout = ["--layout", "1:0:FLOAT4,0:16:FLOAT2"];
    assert_eq!(run(&folder, "v.npy", &array("<f4", "(2, 6)", &rows), "o.raw", &layout).0, 0);
    assert_eq!(read("o.raw")[..32], floats(&[1.0, 0.5, 0.0, 2.0, 1.0, 2.0, 3.0, 4.0]));
    // The same vertices as raw bytes.
    assert_eq!(run(&folder, "v.raw", &rows, "o.raw", &["--layout", "0:0:FLOAT4,1:16:FLOAT2"]).0, 0);
    assert_eq!(read("o.raw"), expected);
    // One column is x.
    assert_eq!(
        run(
            &folder,
            "v.npy",
            &array("<f4", "(3,)", &floats(&[1.0, 2.0, 3.0])),
            "o.npy",
            &["--allow", "G0207"]
        )
        .0,
        0
    );
    assert!(read("o.npy").starts_with(&array("<f4", "(3, 8)", &floats(&[2.0, 0.0, 0.0, 2.0]))));
}

#[test]
fn arrays_that_cannot_be_read_are_told() {
    let folder = scratch("bad-arrays");
    std::fs::write(folder.join("o.npy"), "old").unwrap();
    let rows = floats(&[0.5; 12]);
    let long = [&rows[..], &[0]].concat();
    for (content, args, code, message) in [
        (array(">f4", "(2, 6)", &rows), &[][..], 1, "error[G0226]: numbers of the type `>f4` are not read"),
        (array("<f4", "(2, 6)", &rows[..47]), &[], 1, "error[G0227]: the array has 2 rows, and the file 1"),
        (array("<f4", "(2, 6)", &long), &[], 1, "error[G0227]: the array has 2 rows, and the file goes on"),
        (
            array("<f4", "(0, 65)", &[]),
            &[],
            1,
            "error[G0226]: a row of 65 columns has more than the 16 inputs",
        ),
        (
            array("<f4", "(2, 6)", &rows),
            &["--stride", "8"],
            2,
            "error[G0108]: `--stride` is for raw vertices",
        ),
        (array("<f4", "(2, 6)", &rows), &["--layout", "0:12:FLOAT4"], 2, "error[R0201]"),
    ] {
        let (found, messages) = run(&folder, "v.npy", &content, "o.npy", args);
        assert!(found == code && messages.contains(message), "{found}: {messages}");
        assert_eq!(std::fs::read(folder.join("o.npy")).unwrap(), b"old");
    }
    // An array's length stands at its beginning, and what went into a pipe is gone.
    let program = folder.join("double.vsh");
    let done = gpuzoo(&["run", text(&program), "--format", "npy"]);
    assert_eq!((done.code, done.out.len(), done.err.contains("error[G0108]")), (2, 0, true), "{}", done.err);
}

/// Pieces are put together: more vertices than one holds, from a file and from a pipe.
#[test]
fn long_arrays_and_buffers_are_run_in_pieces() {
    let folder = scratch("long-arrays");
    let numbers: Vec<f32> = (0..400_000).map(|number| number as f32).collect();
    let expected: Vec<f32> = numbers.iter().flat_map(|number| [number * 2.0, 0.0, 0.0, 2.0]).collect();
    let only = ["--outputs", "oPos", "--allow", "warnings"];
    let folder_program = folder.join("double.vsh");
    std::fs::write(&folder_program, "add oPos, v0, v0\n").unwrap();
    let paths = ["v.npy", "o.npy"].map(|name| folder.join(name));
    std::fs::write(&paths[0], array("<f4", "(400000, 1)", &floats(&numbers))).unwrap();
    let args = ["run", text(&folder_program), text(&paths[0]), "-o", text(&paths[1])];
    assert_eq!(gpuzoo(&[&args[..], &only].concat()).code, 0);
    assert_eq!(std::fs::read(&paths[1]).unwrap(), array("<f4", "(400000, 4)", &floats(&expected)));
    let args = ["run", text(&folder_program), "-", "--layout", "0:0:FLOAT1", "--format", "raw"];
    // A byte too many is a remainder, which is known at the end.
    let done = raw(&[&args[..], &["--outputs", "oPos"]].concat(), &[&floats(&numbers)[..], &[0]].concat());
    assert!(done.stdout == floats(&expected));
    assert!(String::from_utf8_lossy(&done.stderr).contains("warning[R0202]"));
    // A trace finds its vertex far behind.
    let done = gpuzoo(&[
        "trace",
        text(&folder_program),
        text(&paths[0]),
        "--vertex",
        "399999",
        "--allow",
        "warnings",
    ]);
    assert!(
        done.out.starts_with("vertex 399999 ") && done.out.contains("oPos = (799998, 0, 0, 2)"),
        "{}",
        done.out
    );
    let done = gpuzoo(&["trace", text(&folder_program), text(&paths[0]), "--vertex", "400000"]);
    assert!(done.err.contains("error[G0212]") && done.err.contains("0 to 399999"), "{}", done.err);
}

/// The second of three fragments is killed, for its x is negative.
#[test]
fn what_is_killed_is_told_in_a_column() {
    let folder = scratch("killed-rows");
    std::fs::write(folder.join("k.svs"), ".fragment\nMOV R1, P1;\nKIL R1.x;\nMOV P9, R1;\n").unwrap();
    std::fs::write(folder.join("v.csv"), "P1.x\n1\n-1\n2\n").unwrap();
    let paths = ["k.svs", "v.csv", "o.npy"].map(|name| folder.join(name));
    assert_eq!(gpuzoo(&["run", text(&paths[0]), text(&paths[1]), "-o", text(&paths[2])]).code, 0);
    let nan = f32::NAN;
    let rows = [0.0, 1.0, 0.0, 0.0, 1.0, 1.0, nan, nan, nan, nan, 0.0, 2.0, 0.0, 0.0, 1.0];
    assert_eq!(std::fs::read(&paths[2]).unwrap(), array("<f4", "(3, 5)", &floats(&rows)));
}

#[test]
fn constants_are_no_array() {
    let folder = scratch("state-raw");
    std::fs::write(folder.join("s.xvs"), "xvss.1.1\nmov c4, v0\n").unwrap();
    let (program, output) = (folder.join("s.xvs"), folder.join("o.raw"));
    let done = gpuzoo(&["run", text(&program), "-o", text(&output), "--allow", "warnings"]);
    assert!(done.code == 2 && done.err.contains("error[G0108]"), "{}", done.err);
    assert!(!output.exists());
}

/// However many threads there are, the text is the same.
#[test]
fn threads_make_no_difference() {
    let folder = scratch("same-text");
    std::fs::write(folder.join("p.vsh"), "mul oPos, v0, v0\nrcp oD0, v0.x\n").unwrap();
    let table: String = (0..60_000).map(|n| format!("{},{}.25,{}e-3\n", n % 7, n, n % 1000)).collect();
    std::fs::write(folder.join("v.csv"), format!("v0.x,v0.y,v0.z\n{table}")).unwrap();
    let paths = ["p.vsh", "v.csv"].map(|name| folder.join(name));
    let run = |format: &str, threads: &str| {
        let args = ["run", text(&paths[0]), text(&paths[1]), "--format", format, "--threads", threads];
        let done = gpuzoo(&[&args[..], &["--allow", "warnings"]].concat());
        assert_eq!(done.code, 0, "{}", done.err);
        done.out
    };
    for format in ["csv", "json", "table"] {
        assert!(run(format, "1") == run(format, "2"), "{format}");
    }
    for threads in ["0", "257", "x"] {
        let done = gpuzoo(&["run", text(&paths[0]), "--threads", threads]);
        assert!(done.code == 2 && done.err.contains("1 to 256"), "{}", done.err);
    }
}
