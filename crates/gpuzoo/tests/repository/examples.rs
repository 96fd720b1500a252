//! What the pages show as an instruction's example is one: it assembles, and it runs.

use gpuzoo::{explain, shader_units};
use gpuzoo_diag::File;
use gpuzoo_ir::eval::{NoTextures, Run};
use gpuzoo_machine::{RunState, ShaderUnit, TextOptions};
use std::path::Path;

/// The examples on the pages of `explain`.
fn of_explain(gpu: &dyn ShaderUnit) -> Vec<String> {
    let rows = gpu.isa().ops();
    let pages = rows.map(|op| explain::op_page(gpu, op).text());
    let example = |page: String| {
        let (_, rest) = page.split_once("\nFor example\n")?;
        rest.lines().next().map(|line| line.trim().to_owned())
    };
    pages.filter_map(example).collect()
}

/// The examples of the reference page, as it is in the repository.
fn of_reference(gpu: &dyn ShaderUnit) -> Vec<String> {
    let path = format!("../../docs/reference/{}.md", gpu.about().id);
    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap();
    let example = |line: &str| Some(line.strip_prefix("For example `")?.strip_suffix('`')?.to_owned());
    page.lines().filter_map(example).collect()
}

/// What a program needs before its first instruction.
fn declarations(gpu: &dyn ShaderUnit) -> &'static str {
    match gpu.about().id {
        "picogpu" => "#vertexShader\n#input r0.xyzw\n#output r0.xyzw\n",
        _ => "",
    }
}

#[test]
fn examples_assemble_and_run() {
    for gpu in shader_units() {
        let about = gpu.about();
        let examples = of_explain(gpu);
        assert_eq!(of_reference(gpu), examples, "{}", about.id);
        assert_eq!(examples.len(), gpu.isa().ops().filter(|op| !op.internal).count(), "{}", about.id);
        for example in examples {
            let text = format!("{}{example}\n", declarations(gpu));
            let assembled = gpu.assemble(&File::new("t", &text), &TextOptions::default());
            assert!(assembled.ok(), "{text}\n{:#?}", assembled.diagnostics);
            let name = example.split([' ', ';']).next().unwrap();
            let insts = assembled.program.slots.iter().flat_map(|slot| slot.insts());
            let names: Vec<&str> = insts.map(|inst| inst.op.name).collect();
            assert!(names.iter().any(|known| known.eq_ignore_ascii_case(name)), "{example}: {names:?}");
            for (_, profile) in about.named_profiles() {
                let lowered = gpu.lower(&assembled.program, &RunState::from(profile)).0;
                let mut run = Run::default();
                run.run(&lowered.function, &[[0x3f80_0000; 4]; 16], &[[0x3f00_0000; 4]; 192], &NoTextures);
                assert!(!lowered.steps.is_empty(), "{example}");
            }
        }
    }
}
