//! What `list` and `explain` say is what programs and scenes are read by.

use gpuzoo::diag::{Diagnostic, File, has_errors};
use gpuzoo::explain::explain;
use gpuzoo::isa::{Program, list as words};
use gpuzoo::list::{self, Listing};
use gpuzoo::machine::limits::budget::Budget;
use gpuzoo::machine::options::keys::Key;
use gpuzoo::machine::unit::cache::Cache;
use gpuzoo::machine::unit::draw::Draw;
use gpuzoo::machine::unit::job::JobOptions;
use gpuzoo::machine::{Profile, TextOptions};
use gpuzoo::raster::{Target, Topology};
use gpuzoo::{GPUS, Registry, ShaderUnit, scene, topics};
use std::collections::BTreeSet;

fn example(listing: &Listing, row: usize) -> &str {
    listing.details[row].example.as_deref().unwrap_or("")
}

/// What a machine finds wrong with a draw's state.
fn problems(unit: &'static dyn ShaderUnit, state: &str) -> Vec<Diagnostic> {
    let (state, syntax) = scene::toml::parse(&File::new("state", state));
    assert!(syntax.is_empty(), "{syntax:?}");
    let (program, cache, layout) = (Program::default(), Cache::default(), unit.default_layout());
    let draw = Draw {
        vertex: &program,
        fragment: None,
        profile: Profile::default(),
        vertices: &[],
        layout: &layout,
        indices: Some(&[]),
        topology: Topology::TriangleList,
        constants: &[],
        fragment_constants: &[],
        carried: &[],
        textures: &[],
        state: &state,
        cache: &cache,
        budget: &Budget::default(),
    };
    let mut problems = Vec::new();
    unit.draw(&mut Target::new(8, 8).unwrap(), &draw, &mut problems).unwrap();
    problems.retain(|problem| problem.code.id.starts_with("R01"));
    problems
}

/// A machine reads the settings that it lists, with the words that their pages show, and no others.
#[test]
fn settings_are_those_that_are_read() {
    for unit in gpuzoo::shader_units() {
        let about = unit.about();
        assert!(!about.settings.is_empty(), "{}", about.id);
        let known = |state: &str, keys: &[&dyn Key]| {
            let found = problems(unit, state).into_iter().find(|problem| problem.message.contains("`zzzz`"));
            let names = words(keys.iter().map(|key| key.name()));
            assert_eq!(found.unwrap().help, [format!("settings here are {names}")], "{} {state}", about.id);
        };
        known("zzzz = 1", about.settings);
        for key in about.settings.iter().filter(|key| !key.keys().is_empty()) {
            known(&format!("{} = {{ zzzz = 1 }}", key.name()), key.keys());
        }
        let listing = list::settings(&[unit]);
        for (row, cells) in listing.rows.iter().enumerate() {
            let state = example(&listing, row).strip_prefix("[draw.state]\n").unwrap();
            assert_eq!(problems(unit, state), [], "{state}");
            assert!(!cells[4].is_empty() && !cells[3].is_empty(), "{cells:?}");
            // What stands there as the default is a value of it, or words.
            let name = cells[1].rsplit('.').next().unwrap();
            if !cells[1].contains('.') && (cells[3].starts_with('"') || cells[3].parse::<f64>().is_ok()) {
                assert_eq!(problems(unit, &format!("{name} = {}", cells[3])), []);
            }
        }
    }
}

/// A machine reads the keys of jobs that it lists, and no others.
#[test]
fn keys_of_jobs_are_those_that_are_read() {
    for gpu in GPUS.iter().filter(|gpu| gpu.jobs().is_some()) {
        let jobs = gpu.jobs().unwrap();
        let known = |text: &str, keys: &[&dyn Key]| {
            let (_, problems) = jobs.run(&File::new("job", text), &JobOptions::default());
            let found = problems.into_iter().find(|problem| problem.message.contains("`zzzz`")).unwrap();
            let asked: BTreeSet<&str> = found.help[0].split('`').skip(1).step_by(2).collect();
            assert_eq!(asked, keys.iter().map(|key| key.name()).collect(), "{text}");
        };
        known("{\"zzzz\": 1}", jobs.keys());
        for key in jobs.keys().iter().filter(|key| !key.keys().is_empty()) {
            known(&format!("{{\"{}\": [{{\"zzzz\": 1}}]}}", key.name()), key.keys());
        }
        for row in list::jobs(&[*gpu]).rows {
            assert!(row.iter().all(|cell| !cell.is_empty()), "{row:?}");
        }
    }
}

fn assembles(unit: &'static dyn ShaderUnit, dialect: &str, text: &str) -> Vec<Diagnostic> {
    let dialect = Some(dialect).filter(|dialect| !dialect.is_empty());
    let include = |_: &str| Ok(Vec::new());
    let options = TextOptions { dialect, include: Some(&include), ..TextOptions::default() };
    let mut sources = gpuzoo::diag::Sources::default();
    let file = sources.add("t", text);
    unit.assemble_in(&mut sources, file, &options).diagnostics
}

/// What a text in a dialect needs around a statement.
fn around(id: &str, dialect: &str, name: &str, text: &str) -> String {
    match (id, dialect, name) {
        ("nv2a", "vp", "OPTION" | "END") => text.to_owned(),
        ("nv2a", "vp", _) => format!("!!VP1.1\nMOV o[HPOS], v[OPOS];\n{text};\nEND\n"),
        ("nv2a", "d3d", _) => format!("xvs.1.1\n{text}\nmov oPos, v0\n"),
        ("nv2a", ..) => format!("{text}\nmov oPos, v0\n"),
        ("picogpu", _, ".header") => ".header 0 0 0\nmov r0 r0\n".to_owned(),
        ("picogpu", _, "#fragmentShader" | "#vertexShader") => {
            format!("{text}\n#input r0.xyzw\n#output r1.xyzw\nmov r1 r0\n")
        }
        ("picogpu", _, "#input") => format!("#vertexShader\n{text}\n#output r1.xyzw\nmov r1 r0\n"),
        ("picogpu", _, "#output") => format!("#vertexShader\n#input r0.xyzw\n{text}\nmov r1 r0\n"),
        ("picogpu", _, ".word") => {
            format!("#vertexShader\n#input r0.xyzw\n#output r1.xyzw\nmov r1 r0\n{text}\n")
        }
        ("picogpu", ..) => format!("#vertexShader\n#input r0.xyzw\n#output r1.xyzw\n{text}\nmov r1 r0\n"),
        _ => format!("{text}\n"),
    }
}

/// The examples of directives, macros and dialects assemble.
#[test]
fn examples_of_statements_assemble() {
    for unit in gpuzoo::shader_units() {
        let id = unit.about().id;
        for listing in [list::directives(&[unit]), list::macros(&[unit])] {
            for (row, cells) in listing.rows.iter().enumerate() {
                for dialect in cells[2].split(' ') {
                    let text = around(id, dialect, &cells[1], example(&listing, row));
                    let found = assembles(unit, dialect, &text);
                    // An `#error` and the words of a store command are errors of their own.
                    let meant = ["#error", ".header", "#include"].contains(&cells[1].as_str());
                    assert!(meant || !has_errors(&found), "{text}\n{found:#?}");
                    let unknown = ["A0101", "A0106"];
                    assert!(
                        !found.iter().any(|problem| unknown.contains(&problem.code.id)),
                        "{text}\n{found:#?}"
                    );
                }
            }
        }
        for dialect in unit.about().text_options.dialects {
            let found = assembles(unit, dialect.name, dialect.example);
            assert!(
                found.iter().all(|problem| ["N0505", "N0506"].contains(&problem.code.id)),
                "{}\n{found:#?}",
                dialect.example
            );
        }
    }
}

/// The example of a register assembles, and names it.
#[test]
fn examples_of_registers_assemble() {
    for unit in gpuzoo::shader_units() {
        let listing = list::single_registers(&[unit]);
        let examples: Vec<_> = listing.rows.iter().map(|row| list::register_example(&[unit], row)).collect();
        for (cells, text) in listing.rows.iter().zip(&examples) {
            let Some(text) = text else {
                // What `lduni` alone reads, what an instruction notes, and what has an address under another heading.
                let same = listing.rows.iter().zip(&examples).find(|(other, _)| other[1] == cells[1]);
                let named = same.is_some_and(|(_, example)| example.is_some());
                assert!(
                    named || ["uniform", "input"].contains(&cells[2].as_str()) || cells[1] == "ZTS",
                    "{cells:?}"
                );
                continue;
            };
            let parsed = gpuzoo::isa::parse(
                unit.isa(),
                unit.isa().syntax,
                &File::new("t", text),
                &mut gpuzoo::isa::Plain,
            );
            assert!(!has_errors(&parsed.diagnostics), "{text}\n{:#?}", parsed.diagnostics);
            let inst = parsed.items.iter().find_map(|item| match item {
                gpuzoo::isa::Item::Inst(written) => Some(written.inst),
                gpuzoo::isa::Item::Raw(..) => None,
            });
            let named = inst.unwrap().operands.iter().any(|own| unit.isa().reg_name(own.reg) == cells[1]);
            assert!(named, "{text} does not name {}", cells[1]);
        }
    }
}

/// Each row of each table is found by its name, which is its machine's or all machines'.
#[test]
fn every_name_has_a_page() {
    let registry = Registry::default();
    let about = |gpu: Option<&'static dyn gpuzoo::Gpu>, name: &str| {
        explain(&registry, gpu, &[name]).unwrap_or_else(|problem| panic!("{name}: {}", problem.message))
    };
    for gpu in GPUS {
        for name in topics::names(&[*gpu]).iter().filter(|name| !name.is_empty() && *name != "-") {
            let page = about(Some(*gpu), name);
            assert!(page.text().lines().count() > 2 && gpuzoo::diag::json::text(&page).len() > 2, "{name}");
        }
    }
    let text = |name: &str| about(None, name).text();
    assert!(text("oPos").starts_with("nv2a.oPos: register\n"), "{}", text("oPos"));
    assert!(text("c58").contains("the viewport's scale"));
    assert!(text("iPos").starts_with("nv2a.v0: register\n"));
    assert!(text("m4x4").contains("m4x4 oPos, v0, c0"));
    assert!(text("xvs.1.1").starts_with("nv2a.xvs.1.1: header of d3d\n"));
    assert!(text("vs.1.1").contains("any Direct3D 8"));
    assert!(text("png").starts_with("png: picture format\n"));
    assert!(text("scene").contains("[draw.state]") || text("scene").contains("Settings\n"));
    assert!(text("scene.draw.state").contains("viewport_constants"));
    assert!(text("scene.camera.fov").contains("fov = 60"));
    assert!(text("nv2a.hw").contains("numbering of constants") && text("nv2a.hw").contains("profile"));
    // What several machines have is listed.
    let several = text("depth_compare");
    assert!(
        several.contains("dreambox.depth_compare") && several.contains("nv2a.depth_compare"),
        "{several}"
    );
    assert!(text("add").contains("servaru.ADD   instruction: "), "{}", text("add"));
    let near = explain(&registry, None, &["oPoss"]).unwrap_err();
    assert_eq!(near.help, ["did you mean `oPos`?"]);
}
