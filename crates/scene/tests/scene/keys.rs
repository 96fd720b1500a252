//! The table of settings against what is read.

use crate::common::{COPY, Files, Loaded};
use gpuzoo_scene::keys::{SECTIONS, SceneKey, Section};
use std::collections::BTreeSet;

/// A scene with settings of a section. What only some machines have is tried on one that has it.
fn with(section: &Section, settings: &str) -> String {
    let has = |name: &str| settings.lines().any(|line| line.starts_with(&format!("{name} = ")));
    let is = |path: &str| section.path == path;
    let servaru = is("scene.draw") && (has("fragment") || has("fragment_constants"));
    let (gpu, program) = if servaru { ("servaru", "MOV P9, P0;") } else { ("dreambox", COPY) };
    let mut text = String::new();
    if !(is("scene") && has("gpu")) {
        text += &format!("gpu = \"{gpu}\"\n");
    }
    if is("scene") {
        text += &format!("{settings}\n");
    }
    text += &format!("[program.light]\nsource = \"{program}\"\n[program.shade]\nsource = \"MOV P9, P0;\"\n");
    if !servaru {
        text = text.replace("[program.shade]\nsource = \"MOV P9, P0;\"\n", "");
    }
    text += "[mesh.ball]\nshape = \"cube\"\n[texture.wood]\npattern = \"uv\"\n";
    let below_draw = section.path.starts_with("scene.draw.");
    if !is("scene") && !is("scene.draw") && !is("scene.matrix") && !below_draw {
        text += &format!("{}\n", section.written(settings));
    }
    text += "[[draw]]\n";
    for (name, line) in [("program", "program = \"light\"\n"), ("mesh", "mesh = \"ball\"\n")] {
        if !(is("scene.draw") && has(name)) {
            text += line;
        }
    }
    if is("scene.draw") {
        text += &format!("{settings}\n");
    }
    if is("scene.matrix") {
        text += section.written(settings).strip_prefix("[[draw]]\n").unwrap();
        text += "\n";
    }
    if !(section.path.starts_with("scene.draw.input") || is("scene.draw") && has("input")) {
        text += if servaru { "input = { P0 = \"position\" }\n" } else { "input = { in0 = \"position\" }\n" };
    }
    if below_draw {
        text += &section.written(settings);
    }
    text
}

fn load(section: &Section, settings: &str) -> Loaded {
    let obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    let image = gpuzoo_raster::Image::new(4, 4, [9; 4]).unwrap();
    let picture = gpuzoo_scene::output::png(&image, false).unwrap();
    let files = Files::default()
        .with("light.vu", COPY)
        .with("model.obj", obj)
        .with("wood.png", picture)
        .with("wood.bin", [0; 64]);
    files.load(&with(section, settings))
}

/// A dialect is a setting on machines that have several, which this crate does not know.
fn is_elsewhere(section: &Section, key: &SceneKey) -> bool {
    section.path == "scene.program" && key.key.name == "dialect"
}

#[test]
fn examples_are_read() {
    for section in SECTIONS {
        let own = section.keys.iter().filter(|key| !is_elsewhere(section, key)).map(SceneKey::example);
        for settings in own.chain([section.example.to_owned()]).filter(|settings| !settings.is_empty()) {
            let mut loaded = load(section, &settings);
            // What a program does with what it gets, and programs that are not whole, are not the matter here.
            loaded.problems.retain(|problem| problem.code.id.starts_with('R'));
            loaded.problems.retain(|problem| !["R0323", "R0324"].contains(&problem.code.id));
            assert!(loaded.problems.is_empty(), "{}\n{:#?}", with(section, &settings), loaded.problems);
        }
    }
}

/// The settings that a table asks for are those that are listed: what it says of one that it does not know.
#[test]
fn what_is_read_is_listed() {
    for section in SECTIONS.iter().filter(|section| !section.keys.is_empty()) {
        let mut asked: BTreeSet<String> = BTreeSet::new();
        let settings = section.keys.iter().filter(|key| !is_elsewhere(section, key)).map(SceneKey::example);
        for settings in settings.chain([section.example.to_owned()]) {
            let loaded = load(section, format!("zzzz = 1\n{settings}").trim());
            for problem in loaded.problems.iter().filter(|problem| problem.message.contains("`zzzz`")) {
                asked.extend(
                    problem
                        .help
                        .iter()
                        .flat_map(|help| help.split('`').skip(1).step_by(2))
                        .map(str::to_owned),
                );
            }
        }
        let listed = section.keys.iter().filter(|key| !is_elsewhere(section, key));
        let listed: BTreeSet<String> = listed.map(|key| key.key.name.to_owned()).collect();
        assert_eq!(asked, listed, "{}", section.path);
    }
}

/// The words and the ranges that a setting is said to take are those that it takes: what is said of one that it refuses.
#[test]
fn choices_and_ranges_are_those_that_are_taken() {
    let (mut choices, mut ranges) = (0, 0);
    for section in SECTIONS {
        for key in section.keys.iter().filter(|key| !is_elsewhere(section, key)) {
            let with = |value: &str| {
                let line = format!("{} = {value}", key.key.name);
                let settings = if key.beside.is_empty() { line } else { format!("{}\n{line}", key.beside) };
                load(section, &settings).problems
            };
            let quoted = |text: &str| -> BTreeSet<String> {
                let words = text.split('`').skip(1).step_by(2).map(|word| word.trim_matches('"').to_owned());
                words.collect()
            };
            let refused = with("\"zzzz\"").into_iter().find(|problem| problem.code.id == "R0103");
            if let Some(problem) = refused.filter(|_| key.key.takes.contains("`\"")) {
                choices += 1;
                let said = quoted(key.key.takes);
                assert_eq!(said, quoted(&problem.help[0]), "{}.{}", section.path, key.key.name);
            }
            if let Some(problem) = with("-1").into_iter().find(|problem| problem.code.id == "R0105") {
                ranges += 1;
                let range = problem.labels[0].text.strip_prefix("must be ").unwrap();
                assert!(key.key.takes.contains(range), "{}.{}: {range}", section.path, key.key.name);
            }
        }
    }
    assert!(choices >= 5 && ranges >= 8, "{choices} {ranges}");
}
