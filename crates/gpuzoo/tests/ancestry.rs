//! The ancestry of components: nothing that matters is missing, and causes are those of a calculation by hand.

use crate::session::{program, shader, values};
use gpuzoo::debug::cause::cause;
use gpuzoo::debug::{Ancestry, Origin};
use gpuzoo::diag::File;
use gpuzoo::ir::eval::{NoTextures, Run};
use gpuzoo::isa::{COMPONENTS, FileKind, Mask, Program};
use gpuzoo::machine::RunState;
use gpuzoo::run::Vertices;
use gpuzoo::trace::{Trace, trace};
use gpuzoo::why::{Question, answer};
use gpuzoo::{Machine, ShaderUnit, shader_units};
use proptest::prelude::*;

/// What a component holds at the end without some step, which is one of the instructions of a slot.
fn without(
    gpu: &dyn ShaderUnit,
    program: &Program,
    step: &gpuzoo::isa::Step,
    seed: u64,
) -> impl Fn(gpuzoo::isa::Reg) -> Option<[u32; 4]> {
    let mut short = program.clone();
    let slot = &mut short.slots[step.slot];
    match (step.part, slot.insts().count()) {
        (0, 2) => slot.inst = None,
        (1, _) => slot.paired = None,
        _ => drop(short.slots.remove(step.slot)),
    }
    let (lowered, _) = gpu.lower(&short, &RunState::default());
    let mut run = Run::default();
    run.run(&lowered.function, &values(seed, 16), &values(seed ^ 1, 300), &NoTextures);
    move |reg| lowered.last(reg).map(|value| run.value(value))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    /// An instruction that is not among a component's ancestors can be left out without a change of the component.
    #[test]
    fn no_ancestor_is_missing(seed in any::<u64>(), length in 1usize..20, component in 0u8..4) {
        for gpu in shader_units() {
            let program = program(gpu, seed, length);
            let session = shader(gpu, &program, seed);
            let lowered = session.dataflow().lowered();
            let steps = lowered.steps.len();
            // What was killed has no later steps, and a kill is no ancestor of a value.
            if session.killed() {
                continue;
            }
            let changing = |kind| matches!(kind, FileKind::Temporary(_) | FileKind::Output(_));
            let ends = lowered.end;
            let others: Vec<usize> = (0..steps).filter(|step| Some(lowered.steps[*step].slot) != ends).collect();
            let changed: Vec<_> =
                others.iter().map(|step| without(gpu, &program, &lowered.steps[*step], seed)).collect();
            for reg in gpu.isa().regs(changing) {
                let Some(value) = lowered.last(reg).map(|value| session.dataflow().value(value)) else { continue };
                let ancestry = Ancestry::of(gpu.isa(), &session, reg, Mask(1 << component), steps);
                let ancestors: Vec<usize> = ancestry.steps().collect();
                prop_assert!(ancestors.is_sorted() && ancestry.nodes.is_sorted_by_key(|node| node.origin.max(Origin::Start)));
                for (slot, changed) in others.iter().zip(&changed).filter(|(slot, _)| !ancestors.contains(slot)) {
                    let at = usize::from(component);
                    let now = changed(reg).map(|value| value[at]);
                    prop_assert_eq!(now, Some(value[at]), "{} {}: {}", gpu.about().id, slot, gpu.isa().reg_name(reg));
                }
                // A chain of causes goes back through the same ancestors.
                for link in cause(&session, reg, component, steps) {
                    prop_assert!(link.step.is_none_or(|step| ancestors.contains(&step)));
                }
            }
        }
    }
}

fn run(machine: Machine, text: &str, given: &[u16], constants: &[[f32; 4]]) -> Trace {
    let program = machine.assemble("p", text).unwrap();
    let constants: Vec<[u32; 4]> = constants.iter().map(|value| value.map(f32::to_bits)).collect();
    trace(&program, &RunState::default(), &Vertices::nothing(), 0, &constants, given)
}

fn ask<'a>(trace: &'a Trace, question: &str) -> gpuzoo::why::Answer<'a> {
    answer(trace, &Question::read(&File::new("--register", question)).unwrap()).unwrap()
}

/// oD0.x = r3.x = r2.x × c[6].x, of which c[6] was not given.
#[test]
fn a_zero_goes_back_to_the_constant_that_was_not_given() {
    let text = "mov r2, c[5]\nadd r9, c[5], c[5]\nmul r3.xyz, r2, c[6]\nmov oD0, r3\n";
    let constants = [[0.0; 4], [0.0; 4], [0.0; 4], [0.0; 4], [0.0; 4], [2.0, 0.0, 4.0, 8.0], [0.0; 4]];
    let trace = run(gpuzoo::nv2a(), text, &[5], &constants);
    let black = ask(&trace, "oD0.x");
    assert_eq!(
        black.sentence(false),
        "oD0.x is 0 (slot 3: MOV oD0.xyzw, R3), because R3.x is 0 (slot 2: MUL R3.xyz, R2, c[6]), because c6.x is 0, \
         which is not given"
    );
    // The sum is not among it, and of c[5] component x alone.
    assert_eq!(black.ancestry.steps().collect::<Vec<_>>(), [0, 2, 3]);
    let constants: Vec<(String, u8)> =
        black.ancestry.nodes.iter().take(2).map(|node| (node.name.to_string(), node.components.0)).collect();
    assert_eq!(constants, [("c5".to_owned(), 1), ("c6".to_owned(), 1)]);
    // Component y is 0 × 0: neither alone is the cause, and the first is named.
    assert!(
        ask(&trace, "oD0.y")
            .sentence(false)
            .contains("because R2.y is 0 (slot 0: MOV R2.xyzw, c[5]), because c5.y is 0, as it is given")
    );
    // r3.w was never written.
    assert!(ask(&trace, "oD0.w").sentence(false).contains("because R3.w is 0, which nothing has written"));
    assert_eq!(ask(&trace, "r2.x").sentence(false), "");
    // r2 is (2, 0, 4, 8): a zero among others is not suspicious; r3 is black.
    assert_eq!(
        ["r2", "r2.y", "oD0", "oD0.w"].map(|of| ask(&trace, of).is_suspicious()),
        [false, true, true, false]
    );
    assert_eq!(ask(&trace, "R2.zx@0").head(false), "R2.xz = (2, 4)");
    assert!(answer(&trace, &Question::read(&File::new("--register", "oX9")).unwrap()).is_none());
}

/// 1/√0 is infinite, and infinity × 0 is NaN on the processor's own terms.
#[test]
fn an_infinity_begins_where_numbers_made_it() {
    let text = "mov r0, c[5]\nrsq r1.x, r0.x\nmul r2.x, r1.x, c[6].x\nmov oD0.x, r2.x\n";
    let mut constants = vec![[0.0; 4]; 7];
    constants[6] = [2.0; 4];
    let trace = run(gpuzoo::nv2a(), text, &[5, 6], &constants);
    let sentence = ask(&trace, "oD0.x").sentence(false);
    assert!(
        sentence.ends_with("because R1.x is inf (slot 1: RSQ R1.x, R0.x): it begins there from R0.x = 0"),
        "{sentence}"
    );
    let text = trace.text(false, gpuzoo::paint::Paint::PLAIN);
    assert!(text.ends_with("odd\n          R1.x becomes infinite in slot 1: RSQ R1.x, R0.x\n"), "{text}");
    assert!(trace.findings(false).contains(&"R1.x becomes infinite in slot 1: RSQ R1.x, R0.x".to_owned()));
}

/// Of a thousand logarithms of zero twenty are shown, with the number of the others.
#[test]
fn findings_are_few_however_long_a_run_is() {
    let text = "LG2 R1.x, R2.x;\n".repeat(1_000);
    let trace = run(gpuzoo::servaru(), &text, &[], &[]);
    let findings = trace.findings(false);
    assert_eq!(findings.len(), 21, "{findings:?}");
    assert!(findings[20].starts_with("and ") && findings[20].ends_with(" more like these"), "{findings:?}");
}

/// What people read is at most 25 lines, however long the program is.
#[test]
fn an_answer_is_short() {
    let text: String = (0..60).map(|slot| format!("add r{0}, r{0}, c[{slot}]\n", slot % 3)).collect();
    let text = format!("mov r0, v0\nmov r1, v1\nmov r2, v2\n{text}add r0, r0, r1\nadd oD0, r0, r2\n");
    let trace = run(gpuzoo::nv2a(), &text, &[], &[]);
    let answer = ask(&trace, "oD0");
    assert_eq!(answer.ancestry.steps().count(), 65);
    let text = answer.text(&gpuzoo::diag::Sources::default(), false, gpuzoo::paint::Paint::PLAIN);
    assert!(text.lines().count() <= 25 && text.contains("it comes from 65 instructions of 65"), "{text}");
    let json = answer.json(false);
    assert_eq!(json["nodes"].as_array().map(Vec::len), Some(65 + 63));
    assert_eq!(json["components"], COMPONENTS.iter().collect::<String>());
}

#[test]
fn questions_are_registers_with_components() {
    for text in ["", ".x", "r0.x@", "r0@-1", "@3"] {
        assert_eq!(Question::read(&File::new("--register", text)).unwrap_err().code.id, "G0108", "{text}");
    }
    let whole = Question::read(&File::new("--register", " oD0 ")).unwrap();
    assert_eq!((whole.register.as_str(), whole.components), ("oD0", Mask::ALL));
}
