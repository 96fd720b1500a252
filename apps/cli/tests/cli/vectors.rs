//! `vectors`: what it writes passes `conform`, and fails once it is spoiled.

use crate::common::{Done, gpuzoo, scratch, text, with_input};
use serde_json::Value as Json;
use std::path::{Path, PathBuf};

/// The machines whose vectors are records, each with its profiles and the rows that random programs do not reach: those that end
/// a program, those whose words are another row's, and reads of textures.
const MACHINES: [(&str, &[&str], &[&str]); 4] = [
    ("dreambox", &["document"], &[]),
    ("nv2a", &["hw", "cpu"], &[]),
    ("picogpu", &["document", "unit"], &["iinit"]),
    ("servaru", &["ieee"], &["EXC", "TEX", "TXB", "TXF"]),
];

fn shipped(name: &str) -> String {
    text(&PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/shipped").join(name)).to_owned()
}

/// Vectors, written to a file, and what was said of them.
fn written(args: &[&str], path: &Path) -> Json {
    let done = gpuzoo(&[&["vectors"], args, &["--stats=json", "-o", text(path)]].concat());
    assert_eq!((done.code, done.out.as_str()), (0, ""), "{args:?}: {}", done.err);
    let stats = done.err.lines().last().unwrap();
    serde_json::from_str(stats).unwrap()
}

fn conform(gpu: &str, profile: &str, path: &Path) -> Done {
    gpuzoo(&["conform", "--gpu", gpu, "--profile", profile, text(path)])
}

/// Changes the lowest bit of the first number among results, if there is one.
fn spoil(record: &mut Json) -> bool {
    fn first(value: &mut Json) -> bool {
        match value {
            Json::String(digits) => {
                let word = u32::from_str_radix(digits, 16).unwrap();
                let is_number =
                    digits.len() == 8 && !f32::from_bits(word).is_nan() && word << 1 != 0x7f80_0000 << 1;
                *digits = format!("{:08x}", word ^ 1);
                is_number
            }
            Json::Array(list) => list.iter_mut().any(first),
            Json::Object(members) => members.values_mut().any(first),
            _ => false,
        }
    }
    match record {
        Json::Object(members) => members.iter_mut().any(|(name, value)| match name.as_str() {
            "out" | "outputs" => first(value),
            "killed" => {
                *value = false.into();
                true
            }
            _ => spoil(value),
        }),
        Json::Array(list) => list.iter_mut().any(spoil),
        _ => false,
    }
}

/// A file passes, each record of it, and with one result changed all but one do.
fn holds(gpu: &str, profile: &str, path: &Path) -> usize {
    let done = conform(gpu, profile, path);
    assert_eq!((done.code, done.err.as_str()), (0, ""), "{gpu} {profile}: {}", done.out);
    let all = std::fs::read_to_string(path).unwrap();
    let mut records: Vec<String> = all.lines().map(str::to_owned).collect();
    assert!(done.out.contains(&format!(" {0}/{0} passed", records.len())), "{gpu}: {}", done.out);
    let changed = records.iter().position(|line| {
        let mut record = serde_json::from_str(line).unwrap();
        spoil(&mut record)
    });
    let at = changed.expect("a record with a number");
    let mut record = serde_json::from_str(&records[at]).unwrap();
    spoil(&mut record);
    records[at] = record.to_string();
    let spoiled = path.with_extension("spoiled.jsonl");
    std::fs::write(&spoiled, records.join("\n")).unwrap();
    let done = conform(gpu, profile, &spoiled);
    assert_eq!(done.code, 1, "{gpu}: {}", done.out);
    let passed = format!(" {}/{} passed", records.len() - 1, records.len());
    assert!(done.out.contains(&passed) && done.out.contains(", 1 failed"), "{gpu}: {}", done.out);
    records.len()
}

fn missing(stats: &Json) -> Vec<&str> {
    let rows = stats["rows"].as_array().unwrap().iter();
    rows.filter(|row| row["count"] == 0).map(|row| row["name"].as_str().unwrap()).collect()
}

#[test]
fn random_vectors_pass_and_cover_the_table() {
    let folder = scratch("vectors-random");
    for (gpu, profiles, unreached) in MACHINES {
        for profile in profiles {
            let path = folder.join(format!("{gpu}-{profile}.jsonl"));
            let args = ["--gpu", gpu, "--profile", profile, "--count", "60", "--seed", "3", "--runs", "2"];
            let stats = written(&args, &path);
            assert_eq!(stats["runs"], 120, "{gpu}");
            let missing = missing(&stats);
            assert!(missing.iter().all(|name| unreached.contains(name)), "{gpu}: {missing:?}");
            assert_eq!(stats["records"], holds(gpu, profile, &path));
        }
    }
}

#[test]
fn seeds_and_counts_decide() {
    let of = |args: &[&str]| gpuzoo(&[&["vectors", "--gpu", "nv2a"], args].concat()).out;
    let ten = of(&["--count", "10", "--seed", "5"]);
    assert_eq!(ten, of(&["--count", "10", "--seed", "5", "--threads", "1"]));
    assert_eq!(
        ten,
        of(&["--count", "30", "--seed", "5"])
            .lines()
            .take(10)
            .map(|l| l.to_owned() + "\n")
            .collect::<String>()
    );
    assert_ne!(ten, of(&["--count", "10", "--seed", "6"]));
    assert_eq!(of(&["--count", "0"]), "");
}

#[test]
fn directed_vectors_pass_and_cover_the_table() {
    let folder = scratch("vectors-directed");
    for (gpu, profiles, unreached) in MACHINES {
        let path = folder.join(format!("{gpu}.jsonl"));
        let stats = written(&["--gpu", gpu, "--profile", profiles[0], "--directed"], &path);
        let missing = missing(&stats);
        assert!(missing.iter().all(|name| unreached.contains(name)), "{gpu}: {missing:?}");
        assert_eq!(stats["records"], holds(gpu, profiles[0], &path));
    }
}

/// All are (1, 2, 3, 4) + (0.5, 0.25, 0, -4) and its like.
#[test]
fn a_program_and_its_vertices_pass() {
    let folder = scratch("vectors-program");
    let sum = ["3fc00000", "40100000", "40400000", "00000000"];
    for (gpu, name, program, input, constant) in [
        ("dreambox", "p.vu", "ld r0 0 ldc r1 2 add r0 r1 st pos r0", "in0", "c2"),
        ("nv2a", "p.vsh", "add oPos, v0, c[2]\n", "v0", "c2"),
        (
            "picogpu",
            "p.pico",
            "#vertexShader #input r0.xyzw #output r1.xyzw #uniform r2.xyzw fadd r1 r0 r2\n",
            "in0",
            "vs0",
        ),
        ("servaru", "p.svs", ".vertex\nADD P9, P0, U2;\n", "P0", "U2"),
    ] {
        let (program_path, vertices) = (folder.join(name), folder.join("v.csv"));
        std::fs::write(&program_path, program).unwrap();
        let rows: String = (0..40).map(|row| format!("{},2,3,4\n", row + 1)).collect();
        std::fs::write(&vertices, format!("{input}.x,{input}.y,{input}.z,{input}.w\n{rows}")).unwrap();
        let path = folder.join(format!("{gpu}.jsonl"));
        let constant = format!("{constant}=0.5,0.25,0,-4");
        let stats = written(&[text(&program_path), text(&vertices), "-c", &constant], &path);
        assert_eq!(stats["runs"], 40, "{gpu}");
        let profile = MACHINES.iter().find(|(id, ..)| *id == gpu).unwrap().1[0];
        holds(gpu, profile, &path);
        let written = std::fs::read_to_string(&path).unwrap();
        let expected = serde_json::to_string(&sum).unwrap();
        assert!(written.lines().next().unwrap().contains(&expected), "{gpu}: {written}");
    }
}

#[test]
fn vertices_and_fragments_of_scenes_pass() {
    let folder = scratch("vectors-scene");
    for (gpu, scene, pixel) in [
        ("dreambox", "dreambox/teapot.toml", None),
        ("nv2a", "nv2a/light.toml", None),
        ("picogpu", "picogpu/octahedron.toml", Some("50,50")),
        ("servaru", "servaru/toon.toml", Some("160,120")),
    ] {
        let profile = MACHINES.iter().find(|(id, ..)| *id == gpu).unwrap().1[0];
        let path = folder.join(format!("{gpu}.jsonl"));
        let stats = written(&[&shipped(scene), "--count", "20"], &path);
        assert_eq!(stats["runs"].as_u64().unwrap() % 20, 0, "{gpu}: {stats}");
        holds(gpu, profile, &path);
        if let Some(pixel) = pixel {
            let path = folder.join(format!("{gpu}-pixel.jsonl"));
            let stats = written(&[&shipped(scene), "--pixel", pixel], &path);
            assert!(stats["runs"].as_u64().unwrap() >= 1, "{gpu}: {stats}");
            holds(gpu, profile, &path);
        }
    }
}

#[test]
fn bus_traces_pass_under_their_profile() {
    let folder = scratch("vectors-traces");
    for (args, profile) in [
        (&["--count", "3000", "--seed", "9"][..], "rtl"),
        (&["--count", "3000", "--seed", "9"], "x16emu"),
        (&["--directed"], "rtl"),
    ] {
        let path = folder.join("t.trace");
        let stats = written(&[&["--gpu", "vera", "--profile", profile], args].concat(), &path);
        assert_eq!(missing(&stats), [""; 0]);
        let done = conform("vera", profile, &path);
        assert_eq!((done.code, done.err.as_str()), (0, ""), "{}", done.out);
        let trace = std::fs::read_to_string(&path).unwrap();
        let (head, row) = trace.rsplit_once("\nV ").expect("rows of memory");
        let last = if row.trim_end().ends_with('0') { "1\n" } else { "0\n" };
        let row = row.trim_end();
        std::fs::write(&path, format!("{head}\nV {}{last}", &row[..row.len() - 1])).unwrap();
        assert_eq!(conform("vera", profile, &path).code, 1);
    }
}

#[test]
fn what_no_record_holds_is_an_error() {
    let folder = scratch("vectors-errors");
    let code = |args: &[&str]| {
        let done = gpuzoo(&[&["vectors"], args].concat());
        assert_eq!(done.out, "", "{args:?}");
        let error = done.err.split("error[").nth(1).and_then(|error| error.split(']').next());
        (done.code, error.unwrap_or(&done.err).to_owned())
    };
    let textured = folder.join("t.svs");
    std::fs::write(&textured, ".fragment\nTEX P9, P0, T0;\n").unwrap();
    assert_eq!(code(&[text(&textured)]), (1, "C0105".to_owned()));
    // No fragment is at the corner of this picture.
    assert_eq!(code(&[&shipped("picogpu/octahedron.toml"), "--pixel", "0,0"]), (1, "C0105".to_owned()));
    assert_eq!(code(&[&shipped("picogpu/octahedron.toml"), "--pixel", "1000,0"]), (2, "R0322".to_owned()));
    for args in [
        &["--gpu", "vera", "--count", "9000000"][..],
        &["--gpu", "vera", "--runs", "2"],
        &["--gpu", "nv2a", "--mode", "range=user"],
        &["--gpu", "nv2a", "--pixel", "1,1"],
        &["p.prg", "--count", "3"],
        &["p.vsh", "--seed", "3"],
        &["p.prg"],
        // What is given for a program that is made up would change nothing.
        &["--gpu", "nv2a", "-c", "c0=1,1,1,1"],
        &["--gpu", "nv2a", "--stride", "16"],
        // A job is no program.
        &["scene_public_1.json"],
    ] {
        let expected = if args.iter().any(|arg| ["--mode", "--bits", "--output-start"].contains(arg)) {
            "G0142"
        } else {
            "G0108"
        };
        assert_eq!(code(args), (2, expected.to_owned()), "{args:?}");
    }
    // An empty file would be no vectors.
    assert_eq!(code(&["--gpu", "nv2a", "--count", "0"]), (2, "G0121".to_owned()));
    assert_eq!(code(&[text(&folder)]), (2, "G0104".to_owned()));
    // Nothing runs if it would be too much in the end.
    assert_eq!(code(&["--gpu", "nv2a", "--count", "4000000000"]), (1, "R0703".to_owned()));
    assert_eq!(code(&["--gpu", "nv2a", "--count", "70000", "--runs", "65536"]), (1, "R0703".to_owned()));
    // Why there is nothing at a pixel: no fragment, or none with a program.
    let light = shipped("nv2a/light.toml");
    for (pixel, why) in [("0,0", "no fragment met the pixel"), ("400,250", "have no fragment programs")] {
        let done = gpuzoo(&["vectors", &light, "--pixel", pixel]);
        assert!(done.code == 1 && done.err.contains(why), "{}", done.err);
    }
    assert_eq!(code(&[]), (2, "G0101".to_owned()));
    // The budget counts runs.
    let over = ["--gpu", "dreambox", "--count", "100", "--limit", "vertices=50", "-o", "-"];
    let done = gpuzoo(&[&["vectors"], &over[..]].concat());
    assert!(done.code == 1 && done.err.contains("R0703"), "{}", done.err);
    let path = folder.join("kept.jsonl");
    std::fs::write(&path, "before").unwrap();
    gpuzoo(&[&["vectors"], &over[..7], &[text(&path)]].concat());
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "before");
}

/// What NaN payloads come to is the processor's affair, so records do not ask for them.
#[test]
fn any_nan_passes_for_any() {
    let done = with_input(
        &["vectors", "--gpu", "dreambox", "-c", "c0=nan,1,inf,0", "-", "--stdin-name", "p.vu"],
        "ldc r0 0 sub r0 r0 st pos r0",
    );
    assert_eq!(done.code, 0, "{}", done.err);
    let record: Json = serde_json::from_str(&done.out).unwrap();
    assert_eq!(record["chk"]["pos"], "nene");
}
