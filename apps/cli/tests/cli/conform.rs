//! `conform`, on a few lines of each kind of the public vectors.

use crate::common::{data, gpuzoo, scratch, text, with_input};

const FILES: [(&str, &str); 4] = [
    ("run.jsonl", "run"),
    ("encode.jsonl", "encode"),
    ("assemble.jsonl", "assemble"),
    ("fetch.jsonl", "fetch"),
];

fn content(name: &str) -> String {
    std::fs::read_to_string(data().join(name)).unwrap()
}

#[test]
fn every_kind_passes() {
    for (name, kind) in FILES {
        let records = content(name).lines().count();
        let done = gpuzoo(&["conform", "--gpu", "dreambox", name]);
        assert_eq!((done.code, done.err.as_str()), (0, ""), "{}", done.out);
        assert!(
            done.out.starts_with(&format!("{name}  {kind}  {records}/{records} passed (")),
            "{}",
            done.out
        );
    }
}

/// What is no record says what one is, and which machine has such.
#[test]
fn records_of_another_machine_name_it() {
    let conform = |gpu: &str, records: &str| with_input(&["conform", "--gpu", gpu, "-"], records);
    let other = conform("nv2a", "{\"text\":\"end\",\"word\":\"0000003f\"}\n");
    assert!(other.code == 1 && other.err.contains("`--gpu dreambox`"), "{}", other.err);
    // A job is a record once it has its picture.
    let job = conform("picogpu", "{\"width\":1,\"height\":1,\"draws\":[]}\n");
    assert!(
        job.err.contains("C0103") && job.err.contains("a `scene` record has `image`, too"),
        "{}",
        job.err
    );
    for (records, code) in [("# VERA bus trace\n", "C0101"), ("\n", "C0104"), ("{\"text\":\"en", "C0101")] {
        let done = conform("nv2a", records);
        let helps = done.err.contains("`gpuzoo vectors` writes some");
        assert!(done.code == 1 && done.err.contains(code) && helps, "{}", done.err);
    }
    let binary = crate::common::done(&crate::common::raw(&["conform", "--gpu", "nv2a", "-"], b"\xff\xfe"));
    assert!(binary.err.contains("A0115") && binary.err.contains("one a line"), "{}", binary.err);
}

/// Build servers get every record: passed, failed, unusable.
#[test]
fn junit_has_every_record() {
    let folder = scratch("junit");
    let path = folder.join("results.xml");
    let records = "{\"text\":\"end\",\"word\":\"0000003f\"}\n{\"text\":\"end\",\"word\":\"00000000\"}\n{\"text\":\"end\"}\n";
    let done = with_input(&["conform", "--gpu", "dreambox", "-", "--junit", text(&path)], records);
    assert_eq!(done.code, 1, "{}", done.err);
    let xml = std::fs::read_to_string(&path).unwrap();
    assert!(
        xml.contains("<testsuites name=\"gpuzoo conform\" tests=\"3\" failures=\"1\" errors=\"1\">"),
        "{xml}"
    );
    assert_eq!(xml.matches("<testcase ").count(), 3, "{xml}");
    let failed = "name=\"line 2 end\" classname=\"dreambox.encode\"";
    let difference = "<failure message=\"word: expected 00000000, got 0000003f\" type=\"difference\">";
    assert!(xml.contains(failed) && xml.contains(difference), "{xml}");
    assert!(xml.contains("<error message=\"") && !xml.contains("<error message=\"\""), "{xml}");
    // It is not mixed with what is printed.
    let mixed = with_input(&["conform", "--gpu", "dreambox", "-", "--junit", "-"], records);
    assert_eq!((mixed.code, mixed.out.as_str(), mixed.err.contains("error[G0108]")), (2, "", true));
    // What is printed is the same as without.
    let plain = with_input(&["conform", "--gpu", "dreambox", "-"], records);
    assert_eq!((plain.out, plain.err), (done.out, done.err));
}

#[test]
fn folders_are_walked_in_order() {
    let done = gpuzoo(&["conform", "--gpu", "dreambox", "."]);
    assert_eq!((done.code, done.err.as_str()), (0, ""), "{}", done.out);
    let names: Vec<&str> = done.out.lines().filter_map(|line| line.split("  ").next()).collect();
    assert_eq!(names[..4], ["./assemble.jsonl", "./encode.jsonl", "./fetch.jsonl", "./run.jsonl"]);
    assert!(done.out.contains("./default.vu  skipped\n"), "{}", done.out);
    let total: usize = FILES.iter().map(|(name, _)| content(name).lines().count()).sum();
    assert!(done.out.ends_with(&format!("{total}/{total} records of 4 files passed\n")), "{}", done.out);
    let json = gpuzoo(&["conform", "--gpu", "dreambox", ".", "--format", "json"]).out;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["passed"], &json["failed"]), (&total.into(), &0.into()));
    assert_eq!(json["files"][3]["kinds"], serde_json::json!(["run"]));
}

/// One bit of an output component that must be equal.
#[test]
fn one_changed_bit_fails_and_is_shown() {
    let folder = scratch("conform");
    let original = content("run.jsonl");
    let mut record: serde_json::Value = serde_json::from_str(original.lines().next().unwrap()).unwrap();
    assert_eq!(&record["chk"]["tex"].as_str().unwrap()[2..3], "e");
    let was = u32::from_str_radix(record["out"]["tex"][2].as_str().unwrap(), 16).unwrap();
    record["out"]["tex"][2] = format!("{:08x}", was ^ 1).into();
    let rest: Vec<&str> = original.lines().skip(1).collect();
    // The changed record comes last.
    let path = folder.join("changed.jsonl");
    std::fs::write(&path, format!("{}\n{record}\n", rest.join("\n"))).unwrap();
    let done = gpuzoo(&["conform", "--gpu", "dreambox", text(&path)]);
    assert_eq!(done.code, 1);
    let name = record["name"].as_str().unwrap();
    let line = rest.len() + 1;
    assert!(done.out.contains(&format!("{}/{line} passed", line - 1)), "{}", done.out);
    assert!(
        done.out.contains(&format!("\n  line {line} {name}\n    tex.z: expected {:08x}", was ^ 1)),
        "{}",
        done.out
    );
    assert!(
        done.out.contains(&format!("got {was:08x}")) && done.out.contains(", 1 ulp apart"),
        "{}",
        done.out
    );
    let json = gpuzoo(&["conform", "--gpu", "dreambox", text(&path), "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    let difference = &json["files"][0]["failures"][0]["differences"][0];
    assert_eq!((&difference["place"], &difference["ulp"]), (&"tex.z".into(), &1.into()));
}

#[test]
fn changed_words_and_verdicts_fail_too() {
    for (name, from, to, shown) in [
        (
            "encode.jsonl",
            "\"word\":\"00000000\"",
            "\"word\":\"00000040\"",
            "word: expected 00000040, got 00000000",
        ),
        (
            "assemble.jsonl",
            "\"words\":[\"0000003f\"]",
            "\"error\":\"no\"",
            "verdict: expected rejected, got accepted as 0000003f",
        ),
    ] {
        let original = content(name);
        let changed = original.replacen(from, to, 1);
        assert_ne!(original, changed);
        let done = with_input(&["conform", "--gpu", "dreambox", "-"], &changed);
        assert_eq!(done.code, 1);
        assert!(done.out.contains(shown), "{}", done.out);
    }
}

#[test]
fn only_so_many_differences_are_shown() {
    let wrong = "{\"text\":\"end\",\"word\":\"00000000\"}\n".repeat(30);
    let shown = |args: &[&str]| {
        let done = with_input(&[&["conform", "--gpu", "dreambox", "-"], args].concat(), &wrong);
        (done.code, done.out.matches("expected 00000000").count(), done.out.contains("and 20 more"))
    };
    assert_eq!(shown(&[]), (1, 10, true));
    assert_eq!(shown(&["--differences", "30"]), (1, 30, false));
    assert_eq!(shown(&["--differences", "0"]), (1, 0, false));
}

#[test]
fn records_that_cannot_be_used_are_errors_with_a_place() {
    let good = content("encode.jsonl");
    for (line, code) in [
        ("{\"text\":", "C0101"),
        ("{\"hello\":1}", "C0103"),
        ("[]", "C0103"),
        ("{\"text\":\"end\",\"word\":\"xyz\"}", "C0102"),
        ("{\"text\":\"end\",\"word\":7}", "C0102"),
        ("{\"text\":\"end\",\"word\":\"0000003f\",\"cycels\":1}", "C0102"),
    ] {
        let input = format!("{good}{line}\n{good}");
        let done = with_input(&["conform", "--gpu", "dreambox", "-", "--message-format", "short"], &input);
        let number = good.lines().count() + 1;
        assert_eq!(done.code, 1, "{line}");
        assert!(done.err.starts_with(&format!("<stdin>:{number}:")), "{line}: {}", done.err);
        assert!(done.err.contains(&format!("error[{code}]")), "{line}: {}", done.err);
        assert!(done.out.contains(", 1 unusable"), "{line}: {}", done.out);
    }
}

/// A record may leave what the machine does open (`u`); one that says nothing at all cannot be used.
#[test]
fn components_left_open_are_no_fault() {
    let records: Vec<serde_json::Value> =
        content("run.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut record =
        records.into_iter().find(|record| record["chk"].is_object()).expect("a record with `chk`");
    let conform = |record: &serde_json::Value| {
        with_input(&["conform", "--gpu", "dreambox", "-"], &format!("{record}\n"))
    };
    assert_eq!(conform(&record).code, 0);
    for letters in record["chk"].as_object_mut().unwrap().values_mut() {
        *letters = "uuuu".into();
    }
    let open = conform(&record);
    assert_eq!((open.code, open.err.as_str()), (0, ""), "{}", open.out);
    assert!(open.out.contains("1/1 passed"), "{}", open.out);
    record["out"] = serde_json::json!({});
    record["chk"] = serde_json::json!({});
    let nothing = conform(&record);
    assert!(nothing.code == 1 && nothing.err.contains("error[C0102]"), "{}", nothing.err);
}

#[test]
fn nothing_compared_is_no_pass() {
    let folder = scratch("conform-empty");
    std::fs::write(folder.join("a.txt"), "hello").unwrap();
    let done = gpuzoo(&["conform", "--gpu", "dreambox", text(&folder)]);
    assert_eq!(done.code, 1);
    assert!(done.err.contains("error[C0104]"), "{}", done.err);
    let empty = with_input(&["conform", "--gpu", "dreambox", "-"], "\n");
    assert_eq!(empty.code, 1);
    assert!(empty.err.contains("error[C0104]"), "{}", empty.err);
}

#[cfg(unix)]
#[test]
fn a_folder_that_links_back_is_walked_once() {
    let folder = scratch("conform-loop");
    std::os::unix::fs::symlink(".", folder.join("loop")).unwrap();
    std::fs::write(folder.join("a.jsonl"), content("encode.jsonl")).unwrap();
    let done = gpuzoo(&["conform", "--gpu", "dreambox", text(&folder)]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert_eq!(done.out.matches("a.jsonl").count(), 1, "{}", done.out);
}

/// `MOV oPos, v0` (a word of the assembler's vectors with input 0 for 5), whose own results are wrong.
const PROGRAM: &str = r#"{"name":"p","slots":[["00000000","0020001b","0836106c","2070f800"]],"sets":[{
    "v":[["3f800000","40000000","40400000","40800000"]],"c":{},"out":{"0":["00000000","00000000","00000000","00000000"]}}]}"#;
const RESULTS: &str = r#"{"name":"p","sets":[{"out":{"0":["3f800000","40000000","40400000","40800000"]}}]}"#;

#[test]
fn records_of_two_files_find_each_other_by_name() {
    let folder = scratch("conform-two");
    let (program, results) = (folder.join("program.jsonl"), folder.join("results.jsonl"));
    let line = PROGRAM.replace('\n', "");
    std::fs::write(&program, &line).unwrap();
    std::fs::write(&results, RESULTS).unwrap();
    let conform = |args: &[&str], input: &str| {
        let done = with_input(&[&["conform", "--gpu", "nv2a"], args].concat(), input);
        (done.code, done.out, done.err)
    };
    let (code, out, _) = conform(&[text(&program)], "");
    assert_eq!((code, out.contains("o0.x: expected 00000000 (0.0), got 3f800000 (1.0)")), (1, true), "{out}");
    let (code, _, err) = conform(&[text(&results)], "");
    assert_eq!(
        (code, err.contains("no `program` record named `p` is in the files given")),
        (1, true),
        "{err}"
    );
    for args in [[text(&program), text(&results)], [text(&results), text(&program)]] {
        let (code, out, err) = conform(&args, "");
        assert_eq!((code, err.as_str()), (0, ""), "{out}");
        assert!(out.contains("results.jsonl  results  1/1 passed (4 compared)\n"), "{out}");
        assert!(out.contains(", 1 compared with the results of another file\n"), "{out}");
        assert!(out.ends_with("1/1 records of 2 files passed\n"), "{out}");
    }
    assert_eq!(conform(&[text(&folder)], "").0, 0);
    // Either may come through a pipe, which can be read only once.
    assert_eq!(conform(&["-", text(&results)], &line).0, 0);
    assert_eq!(conform(&[text(&program), "-"], RESULTS).0, 0);
    #[cfg(unix)]
    for (args, input) in
        [(["/dev/stdin", text(&results)], line.as_str()), ([text(&program), "/dev/stdin"], RESULTS)]
    {
        let (code, out, err) = conform(&args, input);
        assert_eq!((code, err.as_str()), (0, ""), "{out}");
    }
}

/// A texture of one texel, and a read of it.
#[test]
fn records_use_those_before_them() {
    let texture = r#"{"texture":"A","size":[1,1],"data":["3f800000","3f000000","3e800000","00000000"]}"#;
    let read = r#"{"op":"TEX","tex":"A","filter":"nearest","wrap":"repeat","coord":["3e800000","3f000000","00000000","00000000"],"out":["3f800000","3f000000","3e800000","00000000"],"tol":0}"#;
    let conform = |lines: &[&str]| with_input(&["conform", "--gpu", "servaru", "-"], &lines.join("\n"));
    let done = conform(&[texture, read]);
    assert_eq!((done.code, done.err.as_str()), (0, ""), "{}", done.out);
    assert!(done.out.contains("texture+sample  2/2 passed (4 compared)"), "{}", done.out);
    let done = conform(&[texture, &read.replace("[\"3f800000\",\"3f0", "[\"3f800001\",\"3f0")]);
    assert_eq!(
        (done.code, done.out.contains("x: expected 3f800001 (1.0000001), got 3f800000 (1.0)")),
        (1, true),
        "{}",
        done.out
    );
    for lines in [[read, texture], [&read.replace("\"A\"", "\"B\""), texture]] {
        let done = conform(&lines);
        assert_eq!(done.code, 1);
        assert!(done.err.contains("error[C0102]") && done.err.contains("comes before it"), "{}", done.err);
    }
}

/// A record without results would pass on any machine.
#[test]
fn records_have_something_to_compare_with() {
    let record = r#"{"id":"a","dwords":["0c609028"],"executes":[]}"#;
    let done = with_input(&["conform", "--gpu", "picogpu", "-"], record);
    assert_eq!((done.code, done.err.contains("error[C0102]")), (1, true), "{} {}", done.out, done.err);
}

/// A scene whose picture is a file.
#[test]
fn files_lie_beside_the_records_that_name_them() {
    let vectors = data();
    let folder = scratch("conform-beside");
    let (record, picture) = (folder.join("scene.json"), folder.join("scene_public_1.png"));
    std::fs::copy(vectors.join("scene_public_1.json"), &record).unwrap();
    std::fs::copy(vectors.join("scene_public_1.png"), &picture).unwrap();
    let conform = || gpuzoo(&["conform", "--gpu", "picogpu", text(&record)]);
    let done = conform();
    assert_eq!((done.code, done.err.as_str()), (0, ""), "{}", done.out);
    std::fs::remove_file(&picture).unwrap();
    let done = conform();
    assert_eq!(
        (done.code, done.err.contains("`scene_public_1.png` is not in its folder")),
        (1, true),
        "{}",
        done.err
    );
    // A link leads to no other folder.
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(vectors.join("scene_public_1.png"), &picture).unwrap();
        let done = conform();
        assert_eq!((done.code, done.err.contains("error[G0104]")), (2, true), "{}", done.err);
        assert!(done.err.contains("--allow-read"), "{}", done.err);
        std::fs::remove_file(&picture).unwrap();
    }
    // Nor does a name.
    let away = vectors.join("scene_public_1.png");
    let named = std::fs::read_to_string(&record).unwrap().replace("scene_public_1.png", text(&away));
    std::fs::write(&record, named).unwrap();
    let done = conform();
    assert_eq!((done.code, done.err.contains("is not in its folder")), (1, true), "{}", done.err);
}
