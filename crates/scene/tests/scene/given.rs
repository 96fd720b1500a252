//! What draws give their programs, against what those read.

use crate::common::load;

const SCENE: &str = r#"
gpu = "dreambox"
size = [16, 16]

[program.p]
source = "ld r0 0  ldc r1 4  mul r0 r1  st pos r0  ld r2 2  st col r2"

[mesh.m]
shape = "plane"

[[draw]]
program = "p"
mesh = "m"
input = { in0 = "position", in2 = "color" }
constants = { c4 = [1, 1, 1, 1] }
"#;

fn reported(old: &str, new: &str) -> Vec<(&'static str, String)> {
    assert!(SCENE.contains(old), "{old}");
    let loaded = load(&SCENE.replace(old, new));
    let reported = loaded.reported().into_iter().filter(|(code, _)| code.starts_with("R032"));
    reported.map(|(code, text)| (code, text.to_owned())).collect()
}

#[test]
fn what_is_read_and_not_given_is_reported() {
    assert_eq!(reported("\n", "\n"), []);
    let input = "{ in0 = \"position\" }";
    assert_eq!(reported("{ in0 = \"position\", in2 = \"color\" }", input), [("R0323", input.to_owned())]);
    let found = reported("constants = { c4 = [1, 1, 1, 1] }", "");
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].0, "R0323");
    // Another constant is meant: one is missing, one is not read.
    let codes: Vec<_> = reported("{ c4 =", "{ c5 =").into_iter().map(|(code, _)| code).collect();
    assert_eq!(codes, ["R0323", "R0324"]);
}

#[test]
fn the_places_are_the_table_and_the_instruction() {
    let loaded = load(&SCENE.replace("{ c4 =", "{ c5 ="));
    let problem = loaded.problems.iter().find(|problem| problem.code.id == "R0323").unwrap();
    let labels = &problem.labels;
    assert_eq!(labels[0].text, "not given here");
    assert_eq!(labels[1].text, "c4 is read here");
    let file = loaded.sources.find(labels[1].span.file).unwrap();
    assert!(file.slice(labels[1].span).starts_with("ldc r1 4"), "{}", file.slice(labels[1].span));
}

/// A texture that a fragment program reads and that no unit has; and one that is there.
#[test]
fn textures_are_given_by_unit() {
    let scene = |textures: &str| {
        format!(
            "gpu = \"servaru\"\nsize = [16, 16]\n[program.v]\nsource = \"MOV P9, P0;\"\n\
             [program.f]\nsource = \".fragment\\nTEX R0, P0, T1;\\nMOV P9, R0;\"\n\
             [mesh.m]\nshape = \"plane\"\n[texture.t]\npattern = \"checker\"\nsize = [4, 4]\n\
             [[draw]]\nprogram = \"v\"\nfragment = \"f\"\nmesh = \"m\"\n{textures}\n\
             input = {{ P0 = {{ attribute = \"position\", format = \"FLOAT3\" }} }}\n"
        )
    };
    let codes = |text: &str| -> Vec<&'static str> {
        load(&scene(text)).problems.iter().map(|problem| problem.code.id).collect()
    };
    let missing = load(&scene("textures = [\"t\"]"));
    let message = missing.problems.iter().find(|problem| problem.code.id == "R0323");
    assert!(message.is_some_and(|own| own.message.contains("texture 1")), "{:#?}", missing.problems);
    assert!(!codes("textures = [\"t\", \"t\"]").contains(&"R0323"));
}
