//! Every mistake that a scene can have, with the text that is marked.

use crate::common::{COPY, Files, load, scene};
use gpuzoo_diag::{Applicability, Sources, render};
use gpuzoo_machine::limits::budget::Budget;
use gpuzoo_scene::{CODES, Loader, Texts};
use std::path::Path;

/// The small scene with a part replaced, what is reported about it, and where.
fn check(find: &str, replacement: &str, expected: &[(&str, &str)]) {
    let text = scene();
    assert!(text.contains(find), "{find}");
    let loaded = load(&text.replacen(find, replacement, 1));
    assert_eq!(loaded.reported(), expected, "{replacement}: {:#?}", loaded.problems);
    assert!(loaded.scene.is_none(), "{replacement}");
}

const DRAW: &str = "mesh = \"quad\"\n";

#[test]
fn the_whole_file() {
    check("gpu = ", "gpu ", &[("R0301", "")]);
    check("gpu = \"dreambox\"\n", "", &[("R0104", "")]);
    check("\"dreambox\"", "\"dreambux\"", &[("R0103", "\"dreambux\"")]);
    check("\"dreambox\"", "7", &[("R0102", "7")]);
    check("gpu", "colour = 1\ngpu", &[("R0101", "colour")]);
    check("gpu", "profile = \"exact\"\ngpu", &[("R0103", "\"exact\"")]);
    check("gpu", "d = 1979-05-27\ngpu", &[("R0302", "1979-05-27")]);
    check("[program", "animation = { frames = 0 }\n[program", &[("R0105", "0")]);
    check("[program", "animation = { fps = 3 }\n[program", &[("R0104", "{ fps = 3 }")]);
    check("[program", "camera = { eye = [1, 2] }\n[program", &[("R0102", "[1, 2]")]);
    check("[program", "camera = { fov = \"4x\" }\n[program", &[("R0601", "4x")]);
    check("[program", "camera = { fvo = 4 }\n[program", &[("R0101", "fvo")]);
    check("[0, 0, 0] }", "\"black\" }", &[("R0304", "\"black\"")]);
}

#[test]
fn picture_sizes() {
    for size in [
        "[0, 0]",
        "[100000, 100000]",
        "[4294967295, 4294967295]",
        "[9223372036854775807, 9223372036854775807]",
        "[16385, 1]",
        "[16384, 16384]",
        "[-1, 4]",
        "[9999999999999, 4]",
    ] {
        check("[4, 4]\nclear", &format!("{size}\nclear"), &[("R0314", size)]);
    }
    check("[4, 4]\nclear", "[4, 4, 4]\nclear", &[("R0102", "[4, 4, 4]")]);
    assert!(load(&scene().replace("[4, 4]\nclear", "[16384, 1]\nclear")).scene.is_some());
}

#[test]
fn programs() {
    check("ld r0 0 st", "ld r16 0 st", &[("A0103", "r16")]);
    check("sub r2 r2 st", "sbu r2 r2 st", &[("A0101", "sbu")]);
    check("program = \"copy\"", "program = \"cpoy\"", &[("R0312", "\"cpoy\"")]);
    check("program = \"copy\"\n", "", &[("R0104", "[[draw]]")]);
    check("source = ", "file = \"a.vu\"\nsource = ", &[("R0317", "[program.copy]")]);
    check("[program.copy]", "[program.other]\n[program.copy]", &[("R0317", "[program.other]")]);
    check("[program.copy]", "[program]\nx = 3\n[program.copy]", &[("R0102", "3")]);
    // An error in a program says nothing about the draws that use it, nor does a warning forbid anything.
    let loaded = load(&scene().replace("ld r0 0 st", "add r9 r0 ld r0 0 st"));
    assert!(loaded.scene.is_some());
    assert!(loaded.reported().iter().all(|(code, _)| *code == "D0102"), "{:?}", loaded.reported());
    assert!(!loaded.reported().is_empty());
}

#[test]
fn a_program_with_escapes_is_a_source_of_its_own() {
    let loaded = load(&scene().replace("ld r0 0 st", "ld r16 0\\n st"));
    assert_eq!(loaded.reported(), [("A0103", "r16")]);
    let file = loaded.sources.get(loaded.problems[0].labels[0].span.file);
    assert_eq!(file.name(), "folder/scene.toml: program.copy");
}

#[test]
fn lines_may_end_as_on_windows() {
    let text = scene().replace(&format!("\"{COPY}\""), &format!("'''\n{}\n'''", COPY.replace(" ld", "\nld")));
    assert!(load(&text.replace('\n', "\r\n")).problems.is_empty());
    let wrong = text.replace("ld r2 2", "ld r2 99");
    for text in [wrong.clone(), wrong.replace('\n', "\r\n")] {
        assert_eq!(load(&text).reported(), [("A0104", "99")]);
    }
}

#[test]
fn fixes_can_be_made_in_the_scene_file() {
    let text = scene().replace("sub r2 r2 st", "sbu r2 r2 st");
    let loaded = load(&text);
    let edit = &loaded.problems[0].fixes[0].edits[0];
    let mut fixed = text.clone();
    fixed.replace_range(edit.span.range(), &edit.text);
    assert_eq!(fixed, scene());
}

#[test]
fn meshes() {
    let quad = "position = [[-1, 1], [-1, -1], [1, 1], [1, -1]]";
    check(DRAW, "mesh = \"quat\"\n", &[("R0312", "\"quat\"")]);
    check(DRAW, "", &[("R0104", "[[draw]]")]);
    check(quad, "", &[("R0410", "[mesh.quad]")]);
    check(quad, "shape = \"cube\"\nfile = \"a.obj\"", &[("R0410", "[mesh.quad]")]);
    check(quad, "shape = \"tepot\"", &[("R0103", "\"tepot\"")]);
    check(quad, "position = []", &[("R0402", "[mesh.quad]")]);
    check(quad, "position = [1, 2]", &[("R0102", "1")]);
    check(quad, "position = [[1, 2, 3, 4, 5]]", &[("R0102", "[1, 2, 3, 4, 5]")]);
    check(quad, "position = [[1, true]]", &[("R0102", "[1, true]")]);
    check(quad, "position = [[1, 2], []]", &[("R0102", "[]")]);
    check(quad, "position = [[1], [1, 2], [1, 2, 3], 4]", &[("R0102", "4")]);
    check("texcoord = [[0, 0], ", "texcoord = [", &[("R0408", "[mesh.quad]")]);
    check("topology", "indices = [0, 1, 4]\ntopology", &[("R0403", "4")]);
    check("topology", "indices = [0, 0, -1]\ntopology", &[("R0403", "-1")]);
    let loaded = load(&scene().replace("topology", "indices = [0, 0, -1]\ntopology"));
    assert_eq!(loaded.problems[0].message, "there is no vertex -1");
    check("topology", "indices = [0.5]\ntopology", &[("R0102", "0.5")]);
    check("\"triangle_strip\"", "\"triangle_stripe\"", &[("R0103", "\"triangle_stripe\"")]);
    let shape = |lines: &str, expected: &[(&str, &str)]| {
        check("[texture", &format!("[mesh.other]\n{lines}\n[texture"), expected);
    };
    shape("shape = \"sphere\"\nradius = 0", &[("R0303", "0")]);
    shape("shape = \"sphere\"\nrows = 0", &[("R0105", "0")]);
    shape("shape = \"sphere\"\nsize = 1", &[("R0101", "size")]);
    shape("shape = \"plane\"\ncolumns = 4096\nrows = 4096", &[("R0401", "[mesh.other]")]);
    shape("shape = \"teapot\"\ndivisions = 4096", &[("R0401", "[mesh.other]")]);
    shape("shape = \"plane\"\nsize = [1, 0]", &[("R0303", "[1, 0]")]);
    shape("shape = \"cube\"\nfit = -1", &[("R0303", "-1")]);
    shape("shape = \"cube\"\ncolor = \"normla\"", &[("R0103", "\"normla\"")]);
    shape("shape = \"cube\"\ncolor = \"#12\"", &[("R0304", "\"#12\"")]);
    shape("shape = \"cube\"\nrepeat = [0, 1]", &[("R0303", "[0, 1]")]);
}

#[test]
fn inputs() {
    check("in0 = \"position\"", "in0 = \"positoin\"", &[("R0310", "\"positoin\"")]);
    check("in0 = \"position\"", "in0 = \"tangent\"", &[("R0310", "\"tangent\"")]);
    check("in0 = \"position\"", "in8 = \"position\"", &[("R0309", "in8")]);
    check("in0 = \"position\"", "r0 = \"position\"", &[("R0309", "r0")]);
    check("in0 = \"position\"", "9 = \"position\"", &[("R0311", "\"position\"")]);
    check("in0 = \"position\"", "in0 = 3", &[("R0102", "3")]);
    check("in0 = \"position\"", "in0 = {}", &[("R0104", "{}")]);
    check("in0 = \"position\"", "in0 = { value = [1, 2] }", &[("R0102", "[1, 2]")]);
    check("\"UNorm4\"", "\"Unorm5\"", &[("R0103", "\"Unorm5\"")]);
    check("\"UNorm4\"", "\"UNorm4\", ofset = 3", &[("R0101", "ofset")]);
    check("\"UNorm4\"", "\"UNorm4\", offset = -3", &[("R0105", "-3")]);
    check("[draw.input]", "[draw.inputs]", &[("R0104", "[[draw]]"), ("R0101", "inputs")]);
}

#[test]
fn strides() {
    check("in0 =", "stride = 27\nin0 =", &[("R0201", "[draw.input]")]);
    check("in0 =", "stride = 0\nin0 =", &[("R0203", "[draw.input]")]);
    check("in0 =", "stride = -4\nin0 =", &[("R0102", "-4")]);
    check("in0 =", "stride = 4000000000\nin0 =", &[("R0401", "[draw.input]")]);
    assert!(load(&scene().replace("in0 =", "stride = 28\nin0 =")).scene.is_some());
    // Inputs that the machine has not, by number.
    check(
        "in0 = \"position\"",
        "9 = { attribute = \"position\", format = \"Float3\" }",
        &[("R0204", "[draw.input]")],
    );
}

#[test]
fn constants() {
    let with = |constants: &str, expected: &[(&str, &str)]| {
        check(DRAW, &format!("{DRAW}constants = {{ {constants} }}\n"), expected);
    };
    with("c16 = 1", &[("R0306", "c16")]);
    with("k = 1", &[("R0306", "k")]);
    with("r0 = 1", &[("R0306", "r0")]);
    with("c13 = { matrix = \"view\" }", &[("R0306", "{ matrix = \"view\" }")]);
    with("c0 = { matrix = \"view\" }, c3 = 1", &[("R0307", "c3")]);
    with("c0 = true", &[("R0102", "true")]);
    with("c0 = [1, 2, 3]", &[("R0102", "[1, 2, 3]")]);
    with("c0 = [[1, 2, 3, 4], 5]", &[("R0102", "5")]);
    with("c0 = \"view\"", &[("R0102", "\"view\"")]);
    with("c0 = \"2*tt\"", &[("R0602", "tt")]);
    with("c0 = { matrix = \"veiw\" }", &[("R0103", "\"veiw\"")]);
    with(
        "c0 = { matrix = \"view\", point = [0, 0, 0] }",
        &[("R0104", "{ matrix = \"view\", point = [0, 0, 0] }")],
    );
    with("c0 = {}", &[("R0104", "{}")]);
    with("c0 = { point = [0, 0, 0], space = \"eye\" }", &[("R0103", "\"eye\"")]);
    with("c0 = { direction = [0, 0] }", &[("R0102", "[0, 0]")]);
    with("c0 = { matrix = \"view\", spcae = 1 }", &[("R0101", "spcae")]);
}

/// The format that is proposed for an input keeps all of the attribute and no more.
#[test]
fn the_fix_for_an_input_without_a_format() {
    for (attribute, format) in
        [("position", "FLOAT3"), ("normal", "FLOAT3"), ("texcoord", "FLOAT2"), ("color", "FLOAT4")]
    {
        let text = format!(
            "gpu = \"nv2a\"\n[program.p]\nsource = \"mov oPos, v6\"\n[mesh.m]\nshape = \"cube\"\n\
             [[draw]]\nprogram = \"p\"\nmesh = \"m\"\ninput = {{ v6 = \"{attribute}\" }}\n"
        );
        let loaded = load(&text);
        let problem = loaded.problems.iter().find(|problem| problem.code.id == "R0311").unwrap();
        let expected = format!("{{ attribute = \"{attribute}\", format = \"{format}\" }}");
        assert_eq!(problem.fixes[0].edits[0].text, expected);
    }
}

#[test]
fn the_fix_for_a_matrix_without_a_table() {
    let text = scene().replace(DRAW, "mesh = \"quad\"\nconstants = { c0 = \"view\" }\n");
    let fix = &load(&text).problems[0].fixes[0];
    assert_eq!(fix.edits[0].text, "{ matrix = \"view\" }");
}

#[test]
fn textures_and_targets() {
    let with = |line: &str, expected: &[(&str, &str)]| check(DRAW, &format!("{DRAW}{line}\n"), expected);
    with("textures = [\"chekc\"]", &[("R0312", "\"chekc\"")]);
    with("textures = [3]", &[("R0102", "3")]);
    with("textures = \"check\"", &[("R0102", "\"check\"")]);
    with("textures = [\"check\", \"none\", \"check\"]", &[("R0315", "[\"check\", \"none\", \"check\"]")]);
    with("target = \"scren\"", &[("R0312", "\"scren\"")]);
    with("fragment = \"copy\"", &[("R0321", "\"copy\"")]);
    with("fragment_constants = { c0 = 1 }", &[("R0321", "{ c0 = 1 }")]);
    with("model = [3]", &[("R0102", "3")]);
    with("model = [{ rotat = 3 }]", &[("R0101", "rotat")]);
    check("size = [4, 4]\ncells", "size = [5, 4]\ncells", &[("R0502", "[5, 4]")]);
    check("size = [4, 4]\ncells", "size = [0, 4]\ncells", &[("R0502", "[0, 4]")]);
    check("size = [4, 4]\ncells", "size = [100000, 100000]\ncells", &[("R0502", "[100000, 100000]")]);
    check("size = [4, 4]\ncells", "format = \"RGB555\"\ncells", &[("R0103", "\"RGB555\"")]);
    check("size = [4, 4]\ncells", "seed = 1\ncells", &[("R0101", "seed")]);
    check("pattern = \"checker\"", "", &[("R0504", "[texture.check]")]);
    check("pattern = \"checker\"", "pattern = \"chequer\"", &[("R0103", "\"chequer\"")]);
    check("cells = 2", "cells = 0", &[("R0105", "0")]);
    check("[[draw]]", "[target.check]\nsize = [4, 4]\n[[draw]]", &[("R0319", "check")]);
    check("[[draw]]", "[target.screen]\nsize = [4, 4]\n[[draw]]", &[("R0319", "screen")]);
    check("[[draw]]", "[target.t]\n[[draw]]", &[("R0104", "[target.t]")]);
    check("[[draw]]", "[target]\nt = 5\n[[draw]]", &[("R0102", "5")]);
    check("[texture.check]", "[texture]\nt = 5\n[texture.check]", &[("R0102", "5")]);
    check("[mesh.quad]", "[mesh]\nm = \"quad\"\n[mesh.quad]", &[("R0102", "\"quad\"")]);
    check("[[draw]]", "[target.t]\nsize = [4, 0]\n[[draw]]", &[("R0314", "[4, 0]")]);
    let own = format!("{DRAW}target = \"t\"\ntextures = [\"t\"]\n");
    let text = scene().replace("[[draw]]", "[target.t]\nsize = [4, 4]\n[[draw]]").replace(DRAW, &own);
    assert_eq!(load(&text).reported(), [("R0316", "\"t\"")]);
    let odd = scene()
        .replace("[[draw]]", "[target.t]\nsize = [4, 3]\n[[draw]]")
        .replace(DRAW, &format!("{DRAW}textures = [\"t\"]\n"));
    assert_eq!(load(&odd).reported(), [("R0502", "\"t\"")]);
}

/// What has the wrong type, and which would be right.
#[test]
fn the_setting_and_what_it_must_be_are_named() {
    for (find, replacement, message) in [
        ("topology", "indices = [0.5]\ntopology", "`indices` must be a list of integers"),
        ("topology", "indices = 5\ntopology", "`indices` must be a list"),
        ("[[-1, 1], ", "[[], ", "`position` must be a list of vectors, each of 1 to 4 numbers"),
        ("[[0, 0], ", "[[\"a\"], ", "`texcoord` must be a list of vectors, each of 1 to 4 numbers"),
        ("[[draw]]", "[target]\nt = 5\n[[draw]]", "`t` must be a table"),
        (DRAW, "mesh = 3\n", "`mesh` must be a text"),
    ] {
        let loaded = load(&scene().replacen(find, replacement, 1));
        assert_eq!(loaded.problems[0].message, message);
    }
}

/// A name that nothing has: the nearest one goes in its place, or all that there are are listed.
#[test]
fn names_that_were_meant() {
    let with = |line: &str| {
        let loaded = load(&scene().replace(DRAW, line));
        let problem = &loaded.problems[0];
        let fix = problem.fixes.first().map(|fix| fix.edits[0].text.clone());
        (problem.message.clone(), fix, problem.help.clone())
    };
    let (message, fix, _) = with("mesh = \"qaud\"\n");
    assert_eq!((message.as_str(), fix.as_deref()), ("there is no mesh `qaud`", Some("\"quad\"")));
    let (message, fix, help) = with("mesh = \"zebra\"\n");
    assert_eq!((message.as_str(), fix), ("there is no mesh `zebra`", None));
    assert_eq!(help, ["the scene has `quad`"]);
    let (message, fix, _) = with("mesh = \"quad\"\ntextures = [\"chekc\"]\n");
    assert_eq!(
        (message.as_str(), fix.as_deref()),
        ("there is no texture or target `chekc`", Some("\"check\""))
    );
    let (message, fix, help) = with("mesh = \"quad\"\ntarget = \"shadow\"\n");
    assert_eq!((message.as_str(), fix), ("there is no target `shadow`", None));
    assert_eq!(help, ["the scene has no target"]);
    let loaded = load(&scene().replace("program = \"copy\"", "program = \"cpoy\""));
    assert_eq!(loaded.problems[0].fixes[0].edits[0].text, "\"copy\"");
}

#[test]
fn constants_of_a_fragment_program_need_one() {
    let missing = |constants: &str| {
        let text =
            format!("gpu = \"servaru\"\n[[draw]]\nprogram = \"p\"\nmesh = \"m\"\ninput = {{}}\n{constants}");
        let loaded = load(&text);
        loaded.problems.iter().filter(|problem| problem.message == "`fragment` is missing").count()
    };
    assert_eq!(missing("fragment_constants = { frobnicate = 1 }"), 1);
    assert_eq!(missing(""), 0);
    assert_eq!(missing("fragment = \"f\"\nfragment_constants = { c0 = 1 }"), 0);
}

#[test]
fn a_near_name_of_a_constant_is_a_guess() {
    let loaded = load(
        "gpu = \"nv2a\"\n[program.p]\nsource = \"#light vector 96\\nmov oPos, v0\\nmov oD0, #light\"\n[mesh.m]\nshape = \"plane\"\n\
         [[draw]]\nprogram = \"p\"\nmesh = \"m\"\ninput = { v0 = \"position\" }\nconstants = { lihgt = 1 }\n",
    );
    let problem = loaded.problems.iter().find(|problem| problem.code.id == "R0306").unwrap();
    let fix = &problem.fixes[0];
    assert_eq!((fix.edits[0].text.as_str(), fix.applicability), ("light", Applicability::MaybeIncorrect));
}

#[test]
fn the_machine_reads_its_state_when_the_scene_is_read() {
    check(
        DRAW,
        &format!("{DRAW}state = {{ depth_compare = \"les\", cull = 1 }}\n"),
        &[("R0103", "\"les\""), ("R0102", "1")],
    );
}

#[test]
fn several_mistakes_are_reported_at_once() {
    let text = scene()
        .replace("[4, 4]\nclear", "[0, 4]\nclear")
        .replace("ld r0 0", "ld r99 0")
        .replace("\"UNorm4\"", "\"Norm4\"")
        .replace(DRAW, "mesh = \"quad\"\nfog = 1\n");
    let loaded = load(&text);
    let mut codes: Vec<&str> = loaded.reported().iter().map(|(code, _)| *code).collect();
    codes.sort_unstable();
    assert_eq!(codes, ["A0103", "R0101", "R0103", "R0314"]);
}

#[test]
fn a_scene_without_draws_shows_its_clear_colour() {
    let loaded = load("gpu = \"dreambox\"\nsize = [1, 1]\nclear = { color = \"#102030\" }\n");
    assert_eq!(loaded.reported(), [("R0318", "")]);
    assert_eq!(loaded.scene.unwrap().frame(0).unwrap().image.pixels(), [[0x10, 0x20, 0x30, 255]]);
    assert_eq!(load("").reported(), [("R0104", "")]);
}

#[test]
fn scene_files_that_cannot_be_read() {
    let mut sources = Sources::default();
    let mut load = |read: &dyn Fn(&Path) -> std::io::Result<Vec<u8>>| {
        let mut loader = Loader {
            read,
            gpus: &[],
            sources: &mut sources,
            texts: Texts::default(),
            budget: Budget::default(),
            kept: None,
        };
        let (scene, problems) = loader.load(Path::new("x.toml"));
        assert!(scene.is_none());
        (problems[0].code.id, problems[0].message.clone())
    };
    let (code, message) = load(&|_| Err(std::io::ErrorKind::NotFound.into()));
    assert_eq!(code, "R0313");
    assert!(message.starts_with("cannot read `x.toml`: "), "{message}");
    let (code, message) = load(&|_| Ok(vec![b'a', 0xff]));
    assert_eq!((code, message.as_str()), ("R0313", "`x.toml` is not a UTF-8 text: see byte 1"));
}

#[test]
fn errors_of_a_program_file_stand_in_that_file() {
    let (before, after) = scene().split_once("source").map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
    let text = format!("{before}file = \"sub/copy.vu\"\n{}", after.split_once('\n').unwrap().1);
    let loaded = Files::default().with("sub/copy.vu", "ld r0 0\nst pso r0\n").load(&text);
    let shown = render::short(&loaded.sources, &loaded.problems);
    assert!(shown.starts_with("folder/sub/copy.vu:2:4: error[A0106]"), "{shown}");
    let missing = Files::default().load(&text);
    assert_eq!(missing.reported(), [("R0313", "\"sub/copy.vu\"")]);
    let binary = Files::default().with("sub/copy.vu", [0xff, 0xfe]).load(&text);
    assert_eq!(binary.reported(), [("A0115", "\u{fffd}")]);
}

#[test]
fn codes_are_unique_and_have_pages() {
    let mut ids: Vec<&str> = CODES.iter().copied().flatten().map(|code| code.id).collect();
    assert!(CODES.iter().copied().flatten().all(|code| code.page.len() > 40 && code.id.starts_with('R')));
    ids.sort_unstable();
    let count = ids.len();
    ids.dedup();
    assert_eq!(ids.len(), count);
}
