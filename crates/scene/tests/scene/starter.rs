//! What is guessed of a program that comes without a scene.

use gpuzoo_diag::File;
use gpuzoo_machine::{ShaderUnit, TextOptions};
use gpuzoo_scene::starter::starter;

/// The lines for the constants of a program, without blanks and what is said about them.
fn constants(program: &str) -> Vec<String> {
    let gpu: &'static dyn ShaderUnit = gpuzoo_machine::Gpu::shader_unit(&gpuzoo_nv2a::GPU).unwrap();
    let options = TextOptions::default();
    let assembled = gpu.assemble(&File::new("p.vsh", &format!("vs.1.1\n{program}")), &options);
    assert!(assembled.ok(), "{:#?}", assembled.diagnostics);
    let text = starter(gpu, (&assembled.program, "p.vsh", &options), None, (64, 48), None).assumed;
    let (_, after) = text.split_once("constants]").unwrap_or_else(|| panic!("{text}"));
    let lines = after.lines().skip(1).take_while(|line| !line.is_empty() && !line.starts_with('['));
    lines.map(|line| line.split('#').next().unwrap().trim().to_owned()).collect()
}

const POSITION: &str = "m4x4 oPos, v0, c0\n";

/// Three rows that an input is multiplied by.
const ROWS: &str = "dp3 r0.x, IN, c4\ndp3 r0.y, IN, c5\ndp3 r0.z, IN, c6\nmov oD0, r0\n";

#[test]
fn three_rows_that_an_input_is_multiplied_by_are_a_matrix() {
    let found = constants(&format!("{POSITION}{}", ROWS.replace("IN", "v2")));
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].contains("model_view_projection"), "{found:?}");
    assert_eq!(found[1], "c4 = { matrix = { transpose = \"normal\" } }");
    // Of the position itself they are another matrix than that of directions.
    let found = constants(&format!("{POSITION}{}", ROWS.replace("IN", "v0")));
    assert_eq!(found[1], "c4 = { matrix = { transpose = \"model_view\" } }");
}

#[test]
fn rows_that_meet_no_input_as_it_is_are_no_matrix() {
    // What the rows meet is computed from the input.
    let squared = format!("mul r1, v2, v2\n{}", ROWS.replace("IN", "r1"));
    let found = constants(&format!("{POSITION}{squared}"));
    assert_eq!(found.len(), 4, "{found:?}");
    assert!(found[1..].iter().all(|line| line.contains("direction")), "{found:?}");
    assert!([1, 2, 3].into_iter().all(|at| found[at].starts_with(&format!("c{} = ", at + 3))), "{found:?}");
    // Two inputs share the rows: one has two of them.
    let shared = ROWS.replacen("IN", "v2", 2).replace("IN", "v3");
    let found = constants(&format!("{POSITION}{shared}"));
    assert!(found.iter().all(|line| !line.contains("\"normal\"")), "{found:?}");
}
