//! `run` and `trace`, with results calculated by hand.

use crate::common::{gpuzoo, raw, scratch, text, with_input};

/// `scale.vu` over two vertices: pos = in0 * c4; tex, col and ocol = (in0 . in1, 0, 0, 0).
///
/// in0 = (1, 2, 3, 4), in1 = (0.5, 0.25, 0, 1): products (2, 1, -3, 0), dot 0.5 + 0.5 + 0 + 4 = 5.
/// in0 = (-1, 0, 8, 1), in1 = (1, 1, 0.5, 0): products (-2, 0, -8, 0), dot -1 + 0 + 4 + 0 = 3.
const CONSTANT: &str = "c4=2,0.5,-1,0";
const CSV: &str = "\
vertex,pos.x,pos.y,pos.z,pos.w,tex.x,tex.y,tex.z,tex.w,col.x,col.y,col.z,col.w,ocol.x,ocol.y,ocol.z,ocol.w
0,2,1,-3,0,5,0,0,0,5,0,0,0,5,0,0,0
1,-2,0,-8,0,3,0,0,0,3,0,0,0,3,0,0,0
";

fn csv(args: &[&str], vertices: &str) -> String {
    let common = ["run", "scale.vu", "-", "--format", "csv"];
    let done = with_input(&[&common, args].concat(), vertices);
    assert_eq!((done.code, done.err.as_str()), (0, ""), "{args:?}");
    done.out
}

const TABLE: &str = "in0.x,in0.y,in0.z,in0.w,v1.x,v1.y,v1.z,v1.w
1,2,3,4,0.5,0.25,0,1
-1,0,8,0x3f800000,1,1,5e-1,0
";

#[test]
fn tables_json_and_bytes_say_the_same() {
    assert_eq!(csv(&["-c", CONSTANT], TABLE), CSV);
    let columns =
        r#"{"v0": [[1, 2, 3, 4], [-1, 0, 8, 1]], "v1": [[0.5, 0.25, 0, 1], ["0x3f800000", 1, 0.5, 0]]}"#;
    assert_eq!(csv(&["-c", CONSTANT], columns), CSV);
    let records =
        r#"[{"in0": [1, 2, 3, 4], "in1": [0.5, 0.25, 0, 1]}, {"in0": [-1, 0, 8, 1], "in1": [1, 1, 0.5, 0]}]"#;
    assert_eq!(csv(&["-c", CONSTANT], records), CSV);
    let components = [1.0, 2.0, 3.0, 4.0, 0.5, 0.25, 0.0, 1.0, -1.0, 0.0, 8.0, 1.0, 1.0, 1.0, 0.5, 0.0f32];
    let bytes: Vec<u8> = components.iter().flat_map(|component| component.to_le_bytes()).collect();
    let args =
        ["run", "scale.vu", "-", "--layout", "0:0:Float4,1:16:float4", "-c", CONSTANT, "--format", "csv"];
    let output = raw(&args, &bytes);
    assert_eq!(String::from_utf8_lossy(&output.stdout), CSV);
}

#[test]
fn stride_and_short_formats() {
    // Two bytes that belong to nothing, then a Float2 and four bytes: 14 bytes a vertex.
    let mut bytes = Vec::new();
    for (x, y, snorm) in [(1.0f32, 2.0f32, [127i8, -128, 0, -127]), (4.0, 8.0, [0, 0, 127, 0])] {
        bytes.extend([0xee, 0xee]);
        bytes.extend(x.to_le_bytes());
        bytes.extend(y.to_le_bytes());
        bytes.extend(snorm.map(|byte| byte as u8));
    }
    let layout = ["--layout", "0:2:Float2,1:10:SNorm4", "--stride", "14"];
    let common = ["run", "scale.vu", "-", "--format", "csv", "-c", "c4=1,1,1,1"];
    let output = raw(&[&common[..], &layout].concat(), &bytes);
    let out = String::from_utf8_lossy(&output.stdout);
    // (1, 2, 0, 1) . (1, -1, 0, -1) = -2, and (4, 8, 0, 1) . (0, 0, 1, 0) = 0.
    assert!(out.contains("\n0,1,2,0,1,-2,0,0,0,") && out.contains("\n1,4,8,0,1,0,0,0,0,"), "{out}");
}

#[test]
fn the_default_layout_is_the_machines() {
    // Position, texture coordinates, two colours of four bytes: 32 bytes (dreambox spec section 5).
    let mut bytes: Vec<u8> =
        [1.0f32, 2.0, 3.0, 1.0, 0.25, 0.75].iter().flat_map(|component| component.to_le_bytes()).collect();
    bytes.extend([255, 0, 51, 255, 0, 0, 0, 0]);
    let output = raw(&["run", "default.vu", "-", "--vertices-from", "raw", "--format", "csv"], &bytes);
    let out = String::from_utf8_lossy(&output.stdout);
    assert!(out.ends_with("\n0,1,2,3,1,0.25,0.75,0.25,0.75,1,0,0.2,1,0,0,0,0\n"), "{out}");
}

#[test]
fn constants_come_from_files_too() {
    let folder = scratch("constants");
    for (name, content) in [
        ("c.json", r#"{"c4": [2, "0x3f000000", -1, 0]}"#),
        ("list.json", "[[0,0,0,0],[0,0,0,0],[0,0,0,0],[0,0,0,0],[2,0.5,-1,0]]"),
        ("c.csv", "name,x,y,z,w\nc4,2,0.5,-1,0\n"),
        ("content", "name,x,y,z,w\n4,2,0.5,-1,0\n"),
    ] {
        let path = folder.join(name);
        std::fs::write(&path, content).unwrap();
        assert_eq!(csv(&["--constant-file", text(&path)], TABLE), CSV, "{name}");
        // An argument overrides a file.
        let other = csv(&["--constant-file", text(&path), "-c", "c4=0,0,0,0"], TABLE);
        assert!(other.contains("\n0,0,0,0,0,5,0,0,0,"), "{other}");
    }
}

#[test]
fn outputs_are_printed_so_that_they_read_back() {
    let table = "in0.x,in0.y,in0.z,in0.w\n0.1,1e-40,nan,-0\n3.4028235e38,-inf,0x7f800001,16777216\n";
    let run = |args: &[&str]| {
        with_input(&[&["run", "default.vu", "-", "--allow", "warnings"], args].concat(), table).out
    };
    let text = run(&[]);
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[0], ["vertex", "output", "x", "y", "z", "w"]);
    assert_eq!(lines[1], ["0", "pos", "0.1", "1e-40", "nan", "-0"]);
    assert_eq!(lines[5], ["1", "pos", "3.4028235e38", "-inf", "0x7f800001", "16777216"]);
    let bits = run(&["--bits", "--format", "csv"]);
    assert!(bits.contains("\n0,0x3dcccccd,0x000116c2,0x7fc00000,0x80000000,"), "{bits}");
    let json: serde_json::Value = serde_json::from_str(&run(&["--format", "json"])).unwrap();
    assert_eq!(json[0]["pos"], serde_json::json!([0.1, 1e-40, "nan", -0.0]));
    assert_eq!(json[1]["pos"], serde_json::json!([3.4028235e38, "-inf", "0x7f800001", 16777216]));
}

#[test]
fn a_trace_of_no_steps_is_an_error() {
    let done = gpuzoo(&["trace", "default.vu", "--skip", "99"]);
    assert_eq!((done.code, done.out.as_str()), (2, ""));
    assert!(done.err.contains("no step is left to show") && done.err.contains("the run has"), "{}", done.err);
}

/// A table has no textures: what a program reads there is zero, and that is said once, at the first read.
#[test]
fn textures_that_are_not_there_are_reported() {
    let folder = scratch("textures");
    let (program, table) = (folder.join("p.svs"), folder.join("v.csv"));
    std::fs::write(&program, ".fragment\nTEX R0, P0, T2;\nTEX R1, P0, T0;\nADD P9, R0, R1;\n").unwrap();
    std::fs::write(&table, "P0.x,P0.y\n0.5,0.5\n").unwrap();
    let done = gpuzoo(&["run", text(&program), text(&table), "--message-format", "short"]);
    let said = format!(
        "{}:3:1: warning[G0228]: the program reads textures 0 and 2, and a run has no textures\n",
        text(&program)
    );
    assert_eq!((done.code, done.err), (0, said));
    std::fs::write(&program, ".fragment\nMOV P9, P0;\n").unwrap();
    assert_eq!(gpuzoo(&["run", text(&program), text(&table)]).err, "");
}

#[test]
fn what_was_not_given_is_reported() {
    let remarks = |source: &str, vertices: &str| {
        let folder = scratch("remarks");
        std::fs::write(folder.join("p.vu"), source).unwrap();
        std::fs::write(folder.join("v.csv"), vertices).unwrap();
        let (program, table) = (folder.join("p.vu"), folder.join("v.csv"));
        let done = gpuzoo(&["run", text(&program), text(&table), "--message-format", "short"]);
        assert_eq!(done.code, 0, "{}", done.err);
        // What the machine's lints say is not of the run.
        let own = done.err.lines().filter(|line| !line.contains("[D"));
        own.map(|line| line.replace(text(&program), "p.vu") + "\n").collect::<String>()
    };
    let all = "st tex r0 st col r0 st ocol r0 ";
    assert_eq!(remarks(&format!("ld r0 0 st pos r0 {all}"), "in0.x\n1\n"), "");
    assert_eq!(
        remarks(&format!("ld r0 0 ld r1 3 add r0 r1 ldc r2 5 add r0 r2 st pos r0 {all}"), "in0.x\n1\n"),
        "p.vu:1:9: warning[G0207]: the program reads `in3`, which the vertices do not give\n\
         p.vu:1:27: note[G0208]: the program reads `c5`, which was not given\n"
    );
    assert_eq!(
        remarks("ld r0 0 st pos r0 st tex r1 st col r0", "in0.x\n1\n"),
        "note[G0209]: nothing gives `tex.xyzw` and `ocol.xyzw` a value\n"
    );
    assert_eq!(
        remarks(&format!("ld r0 0 st pos r0 {all}"), "in0.x\n"),
        "warning[G0213]: there are no vertices to run the program on\n"
    );
}

#[test]
fn what_is_given_and_never_read_is_told() {
    let folder = scratch("unread");
    let file = |name: &str, content: &str| {
        std::fs::write(folder.join(name), content).unwrap();
        folder.join(name).to_str().unwrap().to_owned()
    };
    let program = file("p.vu", "ld r0 0 ldc r1 2 add r0 r1 st pos r0 st tex r0 st col r0 st ocol r0");
    let vertices = file("v.csv", "vertex,in0.x,in4.x,in5.y\n0,1,2,3\n");
    let named = file("c.json", "{\"c2\": [1, 1, 1, 1], \"c3\": [1, 1, 1, 1]}");
    let listed = file("l.json", "[[1, 1, 1, 1], [1, 1, 1, 1], [1, 1, 1, 1], [1, 1, 1, 1]]");
    let notes = |args: &[&str]| {
        let done = gpuzoo(&[&["run", &program, &vertices, "--message-format", "short"], args].concat());
        assert_eq!(done.code, 0, "{}", done.err);
        done.err
    };
    let columns = "note[G0225]: `in4` and `in5` are given, and the program never reads them\n";
    assert_eq!(notes(&["-c", "c2=1,1,1,1"]), columns);
    let constants = "note[G0225]: `c3` and `c9` are given, and the program never reads them\n";
    assert_eq!(notes(&["--constant-file", &named, "-c", "c9=1,1,1,1"]), format!("{columns}{constants}"));
    // A matrix is read if a row of it is; else it is called what it was given as.
    let nv2a = "#m matrix4 8\n#n matrix4 12\nmov oPos, v0\nmov oD0, #m[1]\n";
    let rows = "[[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]";
    let (nv2a, rows) =
        (file("p.vsh", nv2a), file("m.json", &format!("{{\"m\": {rows}, \"c[12]\": {rows}}}")));
    let done =
        gpuzoo(&["run", &nv2a, "--constant-file", &rows, "-c", "m[1]=1,1,1,1", "--message-format", "short"]);
    let note = "note[G0225]: `c[12]` is given, and the program never reads it\n";
    assert!(done.code == 0 && done.err.ends_with(note) && !done.err.contains("`m"), "{}", done.err);
    for name in ["m[01]", "m[+1]", "m[4]", "c[+9]", "c[192]", "v[0]"] {
        let done = gpuzoo(&["run", &nv2a, "-c", &format!("{name}=1,1,1,1")]);
        assert!(done.code == 2 && done.err.contains("error[G0206]"), "{name}: {}", done.err);
    }
    // What is given by its place in a list was not chosen.
    assert_eq!(notes(&["--constant-file", &listed]), columns);
}

#[test]
fn a_mesh_is_no_table_of_vertices() {
    let path = scratch("mesh").join("cube.obj");
    std::fs::write(&path, "v 0 0 0\n").unwrap();
    let done = gpuzoo(&["run", "default.vu", text(&path)]);
    assert!(
        done.code == 2 && done.err.contains("is a mesh") && done.err.contains("[draw.input]"),
        "{}",
        done.err
    );
}

#[test]
fn mistakes_in_data_have_a_place() {
    for (args, input, message) in [
        (&["-"][..], "in0.x\nx\n", "<stdin>:2:1: error[G0203]"),
        (&["-"], "in0.x,in9.x\n", "<stdin>:1:7: error[G0206]"),
        (&["-"], "in0.x\n1,2\n", "<stdin>:2:1: error[G0202]"),
        (&["-"], "{\"in0\": [[1]", "<stdin>:1:13: error[G0204]"),
        (&["-"], "{\"in0\": 3}", "<stdin>:1:9: error[G0205]"),
        (&["-", "-c", "c4=1"], "in0.x\n", "--const:1:4: error[G0108]"),
        (&["-", "-c", "c16=1,2,3,4"], "in0.x\n", "--const:1:1: error[G0206]"),
        (&["-", "--layout", "0:0:Float4,8:0:Float1"], "0123456789abcdef", "--layout:1:1: error[R0204]"),
        (&["-", "--layout", "0:0:Float4", "--stride", "8"], "01234567", "--layout:1:1: error[R0201]"),
        (&["-", "--layout", "0:0:Float4", "--stride", "0"], "01234567", "--layout:1:1: error[R0203]"),
    ] {
        let common = ["run", "scale.vu", "--message-format", "short"];
        let done = with_input(&[&common, args].concat(), input);
        assert!(done.err.starts_with(message), "{args:?} {input}: {}", done.err);
        assert_eq!(
            (done.code, done.out.as_str()),
            (if message.starts_with("--") { 2 } else { 1 }, ""),
            "{message}"
        );
    }
    let remainder = with_input(
        &["run", "default.vu", "-", "--layout", "0:0:Float1,1:0:Float1,2:0:Float1,3:0:Float1"],
        "012345",
    );
    assert_eq!(remainder.code, 0);
    assert!(remainder.err.contains("warning[R0202]"), "{}", remainder.err);
}

#[test]
fn traces_show_what_changed() {
    let folder = scratch("trace");
    let (program, table) = (folder.join("p.vu"), folder.join("v.csv"));
    std::fs::write(&program, "ld r0 0\nldc r1 4\nmul r1 r0\nshf r0 r1 zzzz 0b0101\nst pos r0\n").unwrap();
    std::fs::write(&table, "in0.x,in0.y,in0.z,in0.w\n9,9,9,9\n1,2,3,4\n").unwrap();
    let args =
        ["trace", text(&program), text(&table), "--vertex", "1", "-c", "c4=1,0.5,-1,0", "--allow", "G0209"];
    let done = gpuzoo(&args);
    assert_eq!((done.code, done.err.matches("error").count()), (0, 0), "{}", done.err);
    // r1 = (1, 0.5, -1, 0) * (1, 2, 3, 4) = (1, 1, -3, 0); its x stays what it was.
    assert_eq!(
        done.out,
        "vertex 1 (* changed, _ not written)
   0  ld r0 0
          r0 = (*1, *2, *3, *4)
   1  ldc r1 4
          r1 = (*1, *0.5, *-1, 0)
   2  mul r1 r0
          r1 = (1, *1, *-3, 0)
   3  shf r0 r1 zzzz 0b0101
          r0 = (*-3, _, *-3, _)
   4  st pos r0
          pos = (*-3, *2, *-3, *4)
   5  end
outputs
          pos = (-3, 2, -3, 4)
          tex = (0, 0, 0, 0)
          col = (0, 0, 0, 0)
          ocol = (0, 0, 0, 0)
"
    );
    let json = gpuzoo(&[&args[..], &["--format", "json"]].concat()).out;
    let lines: Vec<serde_json::Value> =
        json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 8);
    let zeros = [0, 0, 0, 0];
    let start = serde_json::json!({ "r0": zeros, "r1": zeros, "pos": zeros });
    assert_eq!(lines[0], serde_json::json!({ "vertex": 1, "start": start }));
    assert_eq!(
        lines[4],
        serde_json::json!({
            "vertex": 1, "slot": 3, "line": 4, "text": "shf r0 r1 zzzz 0b0101",
            "changes": [{ "register": "r0", "components": "xz", "after": [-3, -3] }],
        })
    );
    assert_eq!(lines[7]["outputs"]["pos"], serde_json::json!([-3, 2, -3, 4]));
    let missing = gpuzoo(&["trace", text(&program), text(&table), "--vertex", "2"]);
    assert_eq!(missing.code, 2);
    assert!(missing.err.contains("error[G0212]: there is no vertex 2") && missing.err.contains("0 to 1"));
}

/// A program for the machine that has modes: c4 (Direct3D's count from 96) is copied at the distance of v0.x.
const RELATIVE: &str = "xvsw.1.1\nmov a0.x, v0.x\nmov oPos, c[a0.x+4]\nmov oD0.xy, v0\nmov c5, v0\n";

/// The components of some outputs of the first vertex, and the messages.
fn nv2a(args: &[&str]) -> (Vec<String>, i32, String) {
    // A folder for each test: they run side by side.
    let test = std::thread::current().name().unwrap_or("nv2a").replace(':', "-");
    let folder = scratch(&test);
    std::fs::write(folder.join("p.xvs"), RELATIVE).unwrap();
    std::fs::write(folder.join("v.csv"), "v0.x,v0.y\n1,2\n").unwrap();
    let words: Vec<u8> = (0..192 * 4).flat_map(|component| (component as f32).to_le_bytes()).collect();
    std::fs::write(folder.join("c.bin"), words).unwrap();
    let path = |name: &str| text(&folder.join(name)).to_owned();
    let args: Vec<String> = args.iter().map(|arg| arg.replace("c.bin", &path("c.bin"))).collect();
    let (program, vertices) = (path("p.xvs"), path("v.csv"));
    let mut all = vec!["run", &program, &vertices, "--format", "csv", "--message-format", "short"];
    all.extend(args.iter().map(String::as_str));
    let done = gpuzoo(&all);
    let row = done.out.lines().nth(1).unwrap_or("");
    (row.split(',').skip(1).take(8).map(str::to_owned).collect(), done.code, done.err)
}

#[test]
fn files_of_constants_have_two_orders_of_components() {
    // The text's c5 is the memory's constant 101: floats 404 to 407.
    assert_eq!(nv2a(&["--constant-file", "c.bin"]).0[..4], ["404", "405", "406", "407"]);
    assert_eq!(
        nv2a(&["--constant-file", "c.bin", "--component-order", "wzyx"]).0[..4],
        ["407", "406", "405", "404"]
    );
    // A single constant is what it says, and later ones win.
    let given = ["--constant-file", "c.bin", "-c", "c5=1,2,3,4", "--component-order", "wzyx"];
    assert_eq!(nv2a(&given).0[..4], ["1", "2", "3", "4"]);
}

#[test]
fn outputs_that_are_not_written_keep_what_they_are_given() {
    assert_eq!(nv2a(&[]).0[4..], ["1", "2", "0", "1"]);
    assert_eq!(nv2a(&["--output-start", "oD0=9,9,0.5,0.25"]).0[4..], ["1", "2", "0.5", "0.25"]);
    let done = gpuzoo(&["run", "scale.vu", "--output-start", "pos=0,0,0,0"]);
    assert_eq!((done.code, done.err.contains("error[G0218]")), (2, true), "{}", done.err);
}

#[test]
fn modes_are_set_and_what_they_forbid_is_told() {
    let (_, code, messages) = nv2a(&["--mode", "constants=read-only"]);
    assert_eq!(code, 0);
    assert!(messages.contains("p.xvs:5:1: warning[N0601]"), "{messages}");
    assert!(!messages.contains("G0216"), "{messages}");
    let (row, _, messages) = nv2a(&["--constant-file", "c.bin", "-c", "c0=0,0,0,0"]);
    assert_eq!((row[0].as_str(), messages.contains("note[G0216]")), ("404", true), "{messages}");
    for (mode, expected) in [("constants=maybe", "error[R0701]"), ("colour=red", "error[R0701]")] {
        let (_, code, messages) = nv2a(&["--mode", mode]);
        assert_eq!((code, messages.contains(expected)), (2, true), "{messages}");
    }
}

#[test]
fn reads_beyond_the_constants_are_told() {
    let folder = scratch("beyond");
    std::fs::write(folder.join("p.xvs"), RELATIVE).unwrap();
    std::fs::write(folder.join("v.csv"), "v0.x\n91\n92\n200\n").unwrap();
    let paths = [folder.join("p.xvs"), folder.join("v.csv")];
    let done = gpuzoo(&["run", text(&paths[0]), text(&paths[1]), "--message-format", "short"]);
    assert!(
        done.err.contains("p.xvs:3:1: warning[R0702]: a constant beyond c-96 to c95 was read 2 times"),
        "{}",
        done.err
    );
}

/// The same program in each dialect: what the text calls a constant is what options, files and messages call it.
#[test]
fn constants_are_called_as_the_text_does() {
    let folder = scratch("numbering");
    for (name, content, constants) in [
        ("a.xvs", "xvs.1.1\n#pragma screenspace\nmov oPos, v0\nadd oD0, c4, c4\n", ["c4", "c-91"]),
        ("a.vp", "!!VP1.0\nMOV o[HPOS], v[OPOS];\nADD o[COL0], c[4], c[4];\nEND\n", ["c4", "c-91"]),
        ("a.vsh", "#mvp matrix4 3\n#tint vector 100\nmov oPos, v0\nadd oD0, #tint, #tint\n", ["tint", "c5"]),
        ("b.vsh", "#mvp matrix4 99\nmov oPos, v0\nadd oD0, #mvp[1], #mvp[1]\n", ["mvp[1]", "c5"]),
    ] {
        let [read, other] = constants;
        let program = folder.join(name);
        std::fs::write(&program, content).unwrap();
        std::fs::write(folder.join("v.csv"), "v0.x\n1\n").unwrap();
        let vertices = folder.join("v.csv");
        let run = |more: &[&str]| {
            let common = ["run", text(&program), text(&vertices), "--format", "csv", "--allow", "N0603"];
            gpuzoo(&[&common[..], more].concat())
        };
        let missing = run(&[]);
        assert!(missing.err.contains(&format!("reads `{read}`, which was not given")), "{}", missing.err);
        let value = "0.5,1,1.5,2";
        let by_option = run(&["-c", &format!("{read}={value}")]);
        assert!(by_option.out.contains(",1,2,3,4,") && !by_option.err.contains("G0208"), "{}", by_option.err);
        let file = folder.join("c.json");
        std::fs::write(&file, format!("{{\"{read}\": [{value}]}}")).unwrap();
        assert_eq!(run(&["--constant-file", text(&file)]).out, by_option.out, "{name}");
        assert!(!run(&["-c", &format!("{other}={value}")]).out.contains(",1,2,3,4,"), "{name}");
        let traced = gpuzoo(&["trace", text(&program), text(&vertices), "-c", &format!("{read}={value}")]);
        let shown =
            if name.ends_with("vsh") { "ADD oD0.xyzw, c[100], c[100]" } else { "ADD oD0.xyzw, c[4], c[4]" };
        assert!(traced.out.contains(shown), "{}", traced.out);
    }
    let program = folder.join("a.vsh");
    let done = gpuzoo(&["run", text(&program), "-c", "tnit=1,1,1,1", "-c", "mvp[4]=1,1,1,1"]);
    assert!(
        done.err.contains("there is no constant `tnit`") && done.err.contains("did you mean `tint`?"),
        "{}",
        done.err
    );
    // Words have no text: their constants have the machine's numbers.
    let words = folder.join("a.bin");
    assert_eq!(gpuzoo(&["assemble", text(&folder.join("a.xvs")), "-o", text(&words)]).code, 0);
    let done = gpuzoo(&["run", "--gpu", "nv2a", text(&words), "--format", "csv", "-c", "c100=0.5,1,1.5,2"]);
    assert!(done.out.contains(",1,2,3,4,"), "{}", done.err);
}

#[test]
fn outputs_are_chosen_and_ordered() {
    let folder = scratch("outputs");
    std::fs::write(folder.join("p.vsh"), "mov oPos, v0\nmov oD0, v3\nmov oT0, v9\n").unwrap();
    std::fs::write(folder.join("v.csv"), "v0.x,v3.y,v9.z\n1,2,3\n").unwrap();
    let paths = [folder.join("p.vsh"), folder.join("v.csv")];
    let run = |more: &[&str]| gpuzoo(&[&["run", text(&paths[0]), text(&paths[1])], more].concat());
    let csv = run(&["--outputs", "oD0,oPos", "--format", "csv"]);
    // Nothing is said of outputs that are not wanted.
    assert_eq!((csv.code, csv.err.as_str()), (0, ""));
    let header = "vertex,oD0.x,oD0.y,oD0.z,oD0.w,oPos.x,oPos.y,oPos.z,oPos.w";
    assert_eq!(csv.out, format!("{header}\n0,0,2,0,1,1,0,0,1\n"));
    let json = run(&["--outputs", "oT0, oD0", "--format", "json"]);
    assert_eq!(json.out, "[\n{\"vertex\":0,\"oT0\":[0,0,3,1],\"oD0\":[0,2,0,1]}\n]\n");
    let table = run(&["--outputs", "oT0"]).out;
    assert_eq!(table.lines().count(), 2, "{table}");
    let wrong = run(&["--outputs", "oPos,oT9"]);
    // It is an argument that is wrong.
    assert_eq!(wrong.code, 2);
    assert!(wrong.err.contains("error[G0206]: there is no output `oT9`"), "{}", wrong.err);
    assert!(
        wrong.err.contains("did you mean `oT") && wrong.err.contains("outputs are `oPos`, `oD0`"),
        "{}",
        wrong.err
    );
    assert!(run(&["--outputs", "oPos,oPos"]).err.contains("error[G0108]"));
    // The extension of the file says the form, as elsewhere.
    let file = folder.join("o.csv");
    assert_eq!(run(&["--outputs", "oD0,oPos", "-o", text(&file)]).code, 0);
    assert_eq!(std::fs::read_to_string(file).unwrap(), csv.out);
    // A program that writes constants runs vertex after vertex, and its outputs can be chosen, too.
    std::fs::write(folder.join("s.xvs"), "xvsw.1.1\nmov oPos, v0\nmov oD0, c4\nadd c4, c4, v0\n").unwrap();
    std::fs::write(folder.join("w.csv"), "v0.x\n1\n2\n").unwrap();
    let sums = ["s.xvs", "w.csv"].map(|name| folder.join(name));
    let args = ["run", text(&sums[0]), text(&sums[1]), "--outputs", "oD0", "--format", "csv"];
    assert_eq!(gpuzoo(&args).out, "vertex,oD0.x,oD0.y,oD0.z,oD0.w\n0,0,0,0,0\n1,1,0,0,1\n");
}

/// Long files are read in pieces: numbers, lines and what one vertex leaves to the next go on.
#[test]
fn long_files_are_run_in_pieces() {
    let folder = scratch("pieces");
    let count = 300_000;
    std::fs::write(folder.join("sum.xvs"), "xvsw.1.1\nmov oPos, c4\nadd c4, c4, v0\n").unwrap();
    let table: String = (0..count).map(|_| "0.50000000,1.000000000\n").collect();
    std::fs::write(folder.join("v.csv"), format!("v0.x,v0.y\n{table}")).unwrap();
    let output = folder.join("o.csv");
    let paths = ["sum.xvs", "v.csv"].map(|name| folder.join(name));
    let common = ["run", text(&paths[0]), text(&paths[1]), "--format", "csv", "-o", text(&output)];
    assert_eq!(gpuzoo(&common).code, 0);
    let lines = std::fs::read_to_string(&output).unwrap();
    // Before the last vertex c4.x is half its number.
    let last = format!("{},149999.5,299999,", count - 1);
    assert!(lines.lines().last().unwrap().starts_with(&last), "{:?}", lines.lines().last());
    assert_eq!(lines.lines().count(), count + 1);
    // A late error has its line, and the file is unchanged.
    std::fs::write(&paths[1], format!("v0.x,v0.y\n{table}x,1\n1,2\n1\n")).unwrap();
    let done = gpuzoo(&[&common[..], &["--message-format", "short"]].concat());
    assert_eq!(done.code, 1);
    let line = count + 2;
    assert!(done.err.contains(&format!("v.csv:{line}:1: error[G0203]")), "{}", done.err);
    assert!(done.err.contains(&format!("v.csv:{}:1: error[G0202]", line + 2)), "{}", done.err);
    assert_eq!(std::fs::read_to_string(&output).unwrap(), lines);
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 3, "no part is left");
    // The same through a pipe.
    let piped = with_input(&["run", text(&paths[0]), "-", "--format", "csv"], &format!("v0.x,v0.y\n{table}"));
    assert_eq!(piped.out, lines);
}

#[test]
fn a_state_program_gives_constants() {
    let folder = scratch("state");
    std::fs::write(folder.join("s.xvs"), "xvss.1.1\nmov c4, v0\nadd c5.x, v0, v0\n").unwrap();
    std::fs::write(folder.join("v.csv"), "v0.x,v0.y\n1,2\n").unwrap();
    let paths = [folder.join("s.xvs"), folder.join("v.csv")];
    let done = gpuzoo(&["run", text(&paths[0]), text(&paths[1]), "--format", "csv"]);
    assert_eq!((done.code, done.out.as_str()), (0, "name,x,y,z,w\nc4,1,2,0,1\nc5,2,0,0,0\n"));
}

#[test]
fn outputs_without_registers_of_their_own_are_numbered() {
    let folder = scratch("numbered");
    let text_of = "#vertexShader #input r0.xyz #output r2.xyzw #output r3.xy\nfmul r2.xyz r0 2.0 finit r2.w 1.0 mov r3.xy r0\n";
    std::fs::write(folder.join("p.pico"), text_of).unwrap();
    std::fs::write(folder.join("v.csv"), "in0.x,in0.y,in0.z\n1,2,3\n").unwrap();
    let paths = [folder.join("p.pico"), folder.join("v.csv")];
    let done = gpuzoo(&["run", text(&paths[0]), text(&paths[1]), "--format", "csv"]);
    let expected = "vertex,out0.x,out0.y,out0.z,out0.w,out1.x,out1.y,out1.z,out1.w\n0,2,4,6,1,1,2,0,0\n";
    assert_eq!((done.code, done.out.as_str()), (0, expected), "{}", done.err);
    let traced = gpuzoo(&["trace", text(&paths[0]), text(&paths[1])]).out;
    assert!(
        traced.ends_with("outputs\n          out0 = (2, 4, 6, 1)\n          out1 = (1, 2, 0, 0)\n"),
        "{traced}"
    );
}

/// Each vertex adds its input to a constant that the next one reads: 0, then 1, then 1 + 2.
#[test]
fn a_trace_begins_with_the_constants_that_earlier_vertices_wrote() {
    let folder = scratch("sum");
    std::fs::write(folder.join("sum.xvs"), "xvsw.1.1\nmov oPos, c4\nadd c4, c4, v0\n").unwrap();
    std::fs::write(folder.join("v.csv"), "v0.x\n1\n2\n3\n").unwrap();
    let paths = [folder.join("sum.xvs"), folder.join("v.csv")];
    let common =
        [text(&paths[0]), text(&paths[1]), "-c", "c4=0,0,0,0", "--allow", "G0209", "--allow", "G0216"];
    let run = gpuzoo(&[&["run"], &common[..], &["--format", "csv"]].concat());
    assert!(run.out.contains("\n2,3,0,0,2,"), "{}", run.out);
    for (vertex, before, after) in
        [("0", "0, 0, 0, *0", "*1, 0, 0, *1"), ("2", "*3, 0, 0, *2", "*6, 0, 0, *3")]
    {
        let done = gpuzoo(&[&["trace"], &common[..], &["--vertex", vertex]].concat());
        assert!(done.out.contains(&format!("\n          oPos = ({before})\n")), "{}", done.out);
        assert!(done.out.contains(&format!("\n          c4 = ({after})\n")), "{}", done.out);
    }
}

/// The second of three fragments is killed, for its x is negative.
#[test]
fn what_is_killed_has_no_results() {
    let folder = scratch("killed");
    std::fs::write(folder.join("k.svs"), ".fragment\nMOV R1, P1;\nKIL R1.x;\nMOV P9, R1;\n").unwrap();
    std::fs::write(folder.join("v.csv"), "P1.x\n1\n-1\n2\n").unwrap();
    let paths = [folder.join("k.svs"), folder.join("v.csv")];
    let verb = |verb: &str, args: &[&str]| {
        let done =
            gpuzoo(&[&[verb, text(&paths[0]), text(&paths[1]), "--message-format", "short"], args].concat());
        assert_eq!(done.code, 0, "{}", done.err);
        (done.out, done.err)
    };
    let (table, notes) = verb("run", &[]);
    assert_eq!(notes, "note[G0220]: the program killed one run\n");
    assert_eq!(table.lines().nth(2), Some("      1  killed"));
    let (csv, _) = verb("run", &["--format", "csv"]);
    assert_eq!(csv, "vertex,killed,P9.x,P9.y,P9.z,P9.w\n0,0,1,0,0,1\n1,1,,,,\n2,0,2,0,0,1\n");
    let (json, _) = verb("run", &["--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json[1], serde_json::json!({ "vertex": 1, "killed": true }));
    let (trace, _) = verb("trace", &["--vertex", "1"]);
    let expected = "fragment 1, killed (* changed, _ not written)\n   0  MOV R1, P1;\n          R1 = (*-1, 0, 0, *1)\n   1  KIL R1.x;\n";
    assert_eq!(trace, expected);
    let (trace, _) = verb("trace", &["--vertex", "1", "--format", "json"]);
    assert_eq!(trace.lines().last(), Some("{\"fragment\":1,\"killed\":true}"));
    assert!(verb("trace", &[]).0.starts_with("fragment 0 (* changed"));
}

/// o1 and o2 do not exist.
#[test]
fn outputs_that_do_not_exist_have_no_name() {
    for name in ["-", "1"] {
        let (_, code, messages) = nv2a(&[&format!("--output-start={name}=0,0,0,0")]);
        assert_eq!((code, messages.contains("error[G0206]")), (2, true), "{messages}");
    }
    let page = gpuzoo(&["explain", "nv2a"]).out;
    assert!(page.contains(" `oPos`, `oD0`, `oD1`, `oFog`"), "{page}");
}
