//! What draws give their programs, against what those read.

use crate::common::{load, scene};

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
            "gpu = \"servaru\"\nsize = [16, 16]\n[program.v]\nsource = \"MOV P9, P0; MOV P10, P0;\"\n\
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
    let problem = missing.problems.iter().find(|problem| problem.code.id == "R0323").unwrap();
    assert!(problem.message.contains("texture 1"), "{problem:#?}");
    let read = problem.labels[1].span;
    assert_eq!(missing.sources.find(read.file).unwrap().slice(read), "TEX R0, P0, T1");
    assert!(!codes("textures = [\"t\", \"t\"]").contains(&"R0323"));
}

/// What is given and never read is noted where it is given.
#[test]
fn what_is_given_and_not_read_is_reported() {
    let more =
        "{ in0 = \"position\", in2 = \"color\", in4 = { attribute = \"normal\", format = \"Float3\" } }";
    assert_eq!(reported("{ in0 = \"position\", in2 = \"color\" }", more), [("R0324", "in4".to_owned())]);
    let constants = "constants = { c4 = [1, 1, 1, 1], c9 = 1 }";
    assert_eq!(reported("constants = { c4 = [1, 1, 1, 1] }", constants), [("R0324", "c9".to_owned())]);
}

/// A name that a program declares for a constant gives it no value; a definition does.
#[test]
fn a_declared_constant_has_no_value() {
    let scene = |program: &str| {
        format!(
            "gpu = \"nv2a\"\nsize = [16, 16]\n[program.p]\nsource = '''\n{program}\n'''\n[mesh.m]\nshape = \"plane\"\n\
             [[draw]]\nprogram = \"p\"\nmesh = \"m\"\nstate = {{ viewport_constants = false }}\n\
             input = {{ v0 = {{ attribute = \"position\", format = \"FLOAT3\" }} }}\n"
        )
    };
    let found = |program: &str| not_given(&scene(program));
    assert_eq!(
        found("#light vector 100\nmov oPos, v0\nmov oD0, #light"),
        ["the program reads `light`, which the draw does not give / light is read here"]
    );
    assert_eq!(found("vs.1.1\n#pragma screenspace\ndef c4, 1, 2, 3, 4\nmov oPos, v0\nmov oD0, c4"), [""; 0]);
}

fn not_given(scene: &str) -> Vec<String> {
    let loaded = load(scene);
    let found = loaded.problems.iter().filter(|problem| problem.code.id == "R0323");
    found.map(|problem| format!("{} / {}", problem.message, problem.labels[1].text)).collect()
}

/// Of an array that is read at computed places, what is not given is reported; in pieces it is whole.
#[test]
fn an_array_is_given_whole() {
    let scene = |constants: &str| {
        format!(
            "gpu = \"nv2a\"\nsize = [16, 16]\n[program.p]\nsource = '''\n#bones matrix4 100\nmov oPos, v0\narl A0, v0.x\n\
             mov oD0, c[A0+100]\n'''\n[mesh.m]\nshape = \"plane\"\n[[draw]]\nprogram = \"p\"\nmesh = \"m\"\n\
             state = {{ viewport_constants = false }}\nconstants = {{ {constants} }}\n\
             input = {{ v0 = {{ attribute = \"position\", format = \"FLOAT3\" }} }}\n"
        )
    };
    let part = "bones = [[1, 0, 0, 0], [0, 1, 0, 0]]";
    let expected = "`bones` has 4 constants, of which the draw gives 2 / one of them is read here";
    assert_eq!(not_given(&scene(part)), [expected]);
    let rest = "\"bones[2]\" = [[0, 0, 1, 0], [0, 0, 0, 1]]";
    assert_eq!(not_given(&scene(&format!("{part}, {rest}"))), [""; 0]);
    assert_eq!(not_given(&scene("bones = { matrix = \"mvp\" }")), [""; 0]);
}

/// What a machine reads for an input that is not given is said as it is.
#[test]
fn what_is_read_instead_is_the_machines_own() {
    let dreambox = load(&SCENE.replace(", in2 = \"color\"", ""));
    let note = |loaded: &crate::common::Loaded| {
        let problem = loaded.problems.iter().find(|problem| problem.code.id == "R0323").unwrap().clone();
        (problem.notes, problem.labels[1].text.clone())
    };
    assert_eq!(note(&dreambox).0, ["the machine reads Float1 at offset 0 of the vertex for it"]);
    let servaru = "gpu = \"servaru\"\nsize = [16, 16]\n[program.v]\nsource = \"ADD P9, P0, P3;\"\n[mesh.m]\n\
                   shape = \"plane\"\n[[draw]]\nprogram = \"v\"\nmesh = \"m\"\n\
                   input = { P0 = { attribute = \"position\", format = \"FLOAT3\" } }\n";
    let expected = (vec!["what is not given reads as (0, 0, 0, 1)".to_owned()], "P3 is read here".to_owned());
    assert_eq!(note(&load(servaru)), expected);
}

/// A fragment program reads a varying that the vertex program never writes, and textures in every way that it can.
#[test]
fn fragment_programs_read_what_vertex_programs_write() {
    let found = |vertex: &str, fragment: &str, textures: &str| -> Vec<String> {
        let loaded = load(&format!(
            "gpu = \"servaru\"\nsize = [16, 16]\n[program.v]\nsource = \"{vertex}\"\n\
             [program.f]\nsource = \".fragment\\n{fragment}\"\n\
             [mesh.m]\nshape = \"plane\"\n[texture.t]\npattern = \"checker\"\nsize = [4, 4]\n\
             [[draw]]\nprogram = \"v\"\nfragment = \"f\"\nmesh = \"m\"\n{textures}\n\
             input = {{ P0 = {{ attribute = \"position\", format = \"FLOAT3\" }} }}\n"
        ));
        let found = loaded.problems.iter().filter(|problem| problem.code.id.starts_with("R032"));
        found.map(|problem| format!("{} {}", problem.code.id, problem.message)).collect()
    };
    let both = "MOV P9, P0; MOV P11, P0;";
    assert_eq!(found(both, "MOV P9, P1;", ""), [""; 0]);
    let missing = "R0323 the fragment program reads `P0`, and the vertex program never writes `P10`";
    assert_eq!(found(both, "MOV P9, P0;", ""), [missing]);
    assert_eq!(found(both, "TXB R0, P1, T0; MOV P9, R0;", "textures = [\"t\"]"), [""; 0]);
    let texture = "R0323 the fragment program reads texture 0, which the draw does not give";
    assert_eq!(found(both, "TXB R0, P1, T0; MOV P9, R0;", ""), [texture]);
    let unread = "R0324 `texture 1` is given, and the program never reads it";
    assert_eq!(found(both, "TEX R0, P1, T0; MOV P9, R0;", "textures = [\"t\", \"t\"]"), [unread]);
}

/// A combiner that passes over the second texel does not read it.
#[test]
fn textures_that_the_state_passes_over_are_reported() {
    let found = |state: &str, textures: &str| -> usize {
        let draw = format!(
            "mesh = \"quad\"\ntextures = [{textures}]\nstate = {{ combine_texture = \"{state}\" }}\n"
        );
        let loaded = load(&scene().replace("mesh = \"quad\"\n", &draw));
        let problems = loaded.problems.iter().filter(|problem| problem.code.id == "R0324");
        problems.filter(|problem| problem.message.starts_with("texture 1 is given, and with")).count()
    };
    assert_eq!(found("none", "\"check\", \"check\""), 1);
    assert_eq!(found("none", "\"check\", \"none\""), 0);
    assert_eq!(found("add", "\"check\", \"check\""), 0);
}

/// What the assembler's own code loads is read where the program reads it, or, if it only passes it on, declared.
#[test]
fn what_is_loaded_is_shown_where_it_is_read_or_declared() {
    let loaded = load(
        "gpu = \"picogpu\"\nsize = [16, 16]\n[program.v]\n\
         source = '''\n#vertexShader\n#input r0.xyzw\n#input r2.xyz\n#output r1.xyzw\n#output r2.xyz\nmov r1 r0\n'''\n\
         [program.f]\nsource = '''\n#fragmentShader\n#input r0.xyzw\n#input r2.xyz\n#output r3.xyzw\n#uniform r4.xyzw\n\
         #uniform r5.xyzw\nfadd r3 r4 r5\n'''\n[mesh.m]\nshape = \"plane\"\n[[draw]]\nprogram = \"v\"\nfragment = \"f\"\n\
         mesh = \"m\"\ninput = { in0 = \"position\" }\nconstants = { fs0 = 1 }\n",
    );
    let missing = loaded.problems.iter().filter(|problem| problem.code.id == "R0323");
    let labels = missing.map(|problem| &problem.labels[1]);
    let shown: Vec<_> = labels
        .map(|label| {
            format!("{}: {}", label.text, loaded.sources.find(label.span.file).unwrap().slice(label.span))
        })
        .collect();
    assert_eq!(shown, ["in1 is declared here: #input r2.xyz", "fs1 is read here: fadd r3 r4 r5"]);
}

/// The fixed function reads a texture at coordinates; without them it shows one texel everywhere.
#[test]
fn textures_want_coordinates() {
    let found = |program: &str, textures: &str| -> Vec<String> {
        let loaded = load(&format!(
            "gpu = \"nv2a\"\nsize = [16, 16]\n[program.p]\nsource = \"{program}\"\n[mesh.m]\nshape = \"plane\"\n\
             [texture.t]\npattern = \"checker\"\n[[draw]]\nprogram = \"p\"\nmesh = \"m\"\n{textures}\n\
             input = {{ v0 = {{ attribute = \"position\", format = \"FLOAT3\" }} }}\n"
        ));
        let found = loaded.problems.iter().filter(|problem| problem.code.id == "R0324");
        found.map(|problem| problem.message.clone()).collect()
    };
    let message = "texture 0 is given, and the program never writes `oT0`, its coordinates";
    assert_eq!(found("mov oPos, v0", "textures = [\"t\"]"), [message]);
    assert_eq!(found("mov oPos, v0", "textures = [\"none\"]"), [""; 0]);
    assert_eq!(found("mov oPos, v0\\nmov oT0, v0", "textures = [\"t\"]"), [""; 0]);
}

/// Dreambox reads input 1 as two floats, if nothing else is said: a colour has more, unless blue is 0.
#[test]
fn a_usual_format_without_room_is_reported() {
    let scene = |color: &str, input: &str| {
        format!(
            "gpu = \"dreambox\"\nsize = [16, 16]\n[program.p]\nsource = \"ld r0 0 st pos r0 ld r1 1 st col r1\"\n\
             [mesh.m]\nposition = [[0, 0], [1, 0], [0, 1]]\ncolor = {color}\n[[draw]]\nprogram = \"p\"\nmesh = \"m\"\n\
             input = {{ in0 = \"position\", in1 = {input} }}\n"
        )
    };
    let reported = |color: &str, input: &str| {
        let loaded = load(&scene(color, input));
        let found = loaded.problems.iter().find(|problem| problem.code.id == "R0325");
        found.map(|problem| problem.message.clone())
    };
    let all = "[[1, 0, 0], [0, 1, 0], [0, 0, 1]]";
    let message = "`Float2`, the usual format of `in1`, has no room for z of this";
    assert_eq!(reported(all, "\"color\"").as_deref(), Some(message));
    assert_eq!(reported("[[1, 0, 0], [0, 1, 0], [0.5, 0, 0]]", "\"color\""), None);
    assert_eq!(reported(all, "{ attribute = \"color\", format = \"Float2\" }"), None);
    assert_eq!(reported(all, "{ attribute = \"color\", format = \"Float3\" }"), None);
}

/// A scene of a program with a matrix `m` from c96 on.
fn matrix_scene(program: &str, matrix: &str) -> String {
    format!(
        "gpu = \"nv2a\"\nsize = [16, 16]\n[program.p]\nsource = '''\n#m matrix4 96\n{program}\n'''\n[mesh.m]\nshape = \"plane\"\n\
         [[draw]]\nprogram = \"p\"\nmesh = \"m\"\nstate = {{ viewport_constants = false }}\nconstants = {{ m = {{ matrix = {matrix} }} }}\n\
         input = {{ v0 = {{ attribute = \"position\", format = \"FLOAT3\" }} }}\n"
    )
}

/// A matrix is given in the order that the program reads: rows have dot products with a vector, columns are added up.
#[test]
fn a_matrix_is_given_as_it_is_read() {
    let rows = "%matmul4x4 oPos v0 #m";
    let dots = "dp4 oPos.x, v0, c96\ndp4 oPos.y, v0, c97\ndp4 oPos.z, v0, c98\ndp4 oPos.w, v0, c99";
    let with_one = "dph oPos.x, v0, c96\ndph oPos.y, v0, c97\ndph oPos.z, v0, c98\ndph oPos.w, v0, c99";
    let columns = "mul r0, c96, v0.x\nmad r0, c97, v0.y, r0\nmad r0, c98, v0.z, r0\nmad oPos, c99, v0.w, r0";
    let point = "mov r0, c99\nmad r0, c96, v0.x, r0\nmad r0, c97, v0.y, r0\nmad oPos, c98, v0.z, r0";
    let found = |program: &str, matrix: &str| {
        let loaded = load(&matrix_scene(program, matrix));
        let found = loaded.problems.iter().filter(|problem| problem.code.id == "R0327");
        let fixes = found.map(|problem| problem.fixes[0].edits[0].text.clone());
        fixes.collect::<Vec<String>>()
    };
    for reads_rows in [rows, dots, with_one] {
        for matrix in
            ["\"model_view_projection\"", "{ product = [\"projection\", { rotate = 30 }, \"model_view\"] }"]
        {
            assert_eq!(found(reads_rows, matrix), [format!("{{ transpose = {matrix} }}")]);
            assert_eq!(found(reads_rows, &format!("{{ transpose = {matrix} }}")), [""; 0]);
        }
    }
    for reads_columns in [columns, point] {
        assert_eq!(found(reads_columns, "{ transpose = \"view\" }"), ["\"view\""]);
        assert_eq!(found(reads_columns, "\"view\""), [""; 0]);
    }
    // Either may be meant of an identity, of numbers and of an inverse; nor is anything known of a program that reads both.
    for matrix in ["\"identity\"", "{ rotate = 30 }", "{ inverse = \"model\" }"] {
        assert_eq!(found(rows, matrix), [""; 0]);
        assert_eq!(found(columns, &format!("{{ transpose = {matrix} }}")), [""; 0]);
    }
    let both = format!("{columns}\n{}", dots.replace("oPos", "oD0"));
    assert_eq!(found(&both, "\"model\""), [""; 0]);
    // Three components of a direction do not say which is meant.
    let normal = "dp3 oPos.x, v0, c96\ndp3 oPos.y, v0, c97\ndp3 oPos.z, v0, c98";
    assert_eq!(found(normal, "\"model\""), [""; 0]);
}

/// The warning shows the setting and the first instruction that reads it.
#[test]
fn a_mistaken_matrix_is_shown_at_both_ends() {
    let loaded = load(&matrix_scene("%matmul4x4 oPos v0 #m", "\"model_view_projection\""));
    let problem = loaded.problems.iter().find(|problem| problem.code.id == "R0327").unwrap();
    assert_eq!(problem.message, "`m` is given by columns, and the program reads its rows");
    let slices: Vec<_> = problem
        .labels
        .iter()
        .map(|label| loaded.sources.find(label.span.file).unwrap().slice(label.span))
        .collect();
    assert_eq!(slices, ["\"model_view_projection\"", "%matmul4x4 oPos v0 #m"]);
}
