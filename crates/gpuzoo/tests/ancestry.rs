//! The ancestry of components: nothing that matters is missing, and causes are those of a calculation by hand.

use crate::session::{VALUES, program, shader, values};
use crate::without::without;
use gpuzoo::debug::cause::cause;
use gpuzoo::debug::{Ancestry, Origin, influence};
use gpuzoo::diag::File;
use gpuzoo::ir::Vec4;
use gpuzoo::ir::eval::{NoTextures, Run};
use gpuzoo::isa::{COMPONENTS, FileKind, Mask, Poke, Program, Reg, numbers};
use gpuzoo::machine::RunState;
use gpuzoo::run::Vertices;
use gpuzoo::session::ShaderSession;
use gpuzoo::trace::{Trace, trace};
use gpuzoo::why::{Question, answer};
use gpuzoo::{Machine, ShaderUnit, shader_units};
use proptest::prelude::*;

/// A program up to the slot that kills it: what was killed has no later steps, and a kill is no ancestor of a value.
fn up_to_the_kill(gpu: &'static dyn ShaderUnit, seed: u64, length: usize) -> (Program, ShaderSession) {
    let mut program = program(gpu, seed, length);
    let session = shader(gpu, &program, seed);
    let Some(last) = session.places().last().filter(|_| session.killed()) else { return (program, session) };
    program.slots.truncate(last.at as usize + 1);
    let session = shader(gpu, &program, seed);
    (program, session)
}

/// What registers hold at the end of a program with some inputs and constants.
fn ends(
    gpu: &dyn ShaderUnit,
    program: &Program,
    inputs: &[Vec4],
    constants: &[Vec4],
) -> impl Fn(Reg) -> Option<Vec4> + use<> {
    let (lowered, _) = gpu.lower(program, &RunState::default());
    let mut run = Run::default();
    run.run(&lowered.function, inputs, constants, &NoTextures);
    move |reg| lowered.last(reg).map(|value| run.value(value))
}

fn changing(kind: FileKind) -> bool {
    matches!(kind, FileKind::Temporary(_) | FileKind::Output(_))
}

/// An instruction that is not among a component's ancestors can be left out without a change of the component. So can
/// all that the instructions wrote, what was there before them, inputs and constants become something else, a component at a time,
/// where they are not among its ancestors.
fn nothing_is_missing(seed: u64, length: usize, component: u8) {
    for gpu in shader_units() {
        let (program, session) = up_to_the_kill(gpu, seed, length);
        let lowered = session.dataflow().lowered();
        let steps = session.steps().len();
        let (inputs, constants) = (values(seed, 16), values(seed ^ 1, 300));
        let others: Vec<usize> =
            (0..steps).filter(|step| Some(lowered.steps[*step].slot) != lowered.end).collect();
        let without =
            |step: &usize| ends(gpu, &without(&program, &lowered.steps[*step]), &inputs, &constants);
        let changed: Vec<_> = others.iter().map(without).collect();
        for reg in gpu.isa().regs(changing) {
            let Some(value) = lowered.last(reg).map(|value| session.dataflow().value(value)) else {
                continue;
            };
            let at = usize::from(component);
            let ancestry = Ancestry::of(gpu.isa(), &session, reg, Mask(1 << component), steps);
            let ancestors: Vec<usize> = ancestry.steps().collect();
            assert!(
                ancestors.is_sorted()
                    && ancestry.nodes.is_sorted_by_key(|node| node.origin.max(Origin::Start))
            );
            for (slot, changed) in others.iter().zip(&changed).filter(|(slot, _)| !ancestors.contains(slot)) {
                let now = changed(reg).map(|value| value[at]);
                assert_eq!(now, Some(value[at]), "{} {}: {}", gpu.about().id, slot, gpu.isa().reg_name(reg));
            }
            // A chain of causes goes back through the same ancestors.
            for link in cause(&session, reg, component, steps) {
                assert!(link.step.is_none_or(|step| ancestors.contains(&step)));
            }
            // Registers that are never written come from themselves alone.
            if ancestors.is_empty() {
                continue;
            }
            let mut other =
                Others { gpu, session: &session, ancestry: &ancestry, pick: Box::new(numbers(seed)) };
            let pokes = other.pokes();
            let (inputs, constants) = (other.inputs(&inputs), other.of(FileKind::Constant, &constants));
            let program = Program { pokes, ..program.clone() };
            let now = ends(gpu, &program, &inputs, &constants)(reg).map(|value| value[at]);
            assert_eq!(
                now,
                Some(value[at]),
                "{}: {}\n{:?}",
                gpu.about().id,
                gpu.isa().reg_name(reg),
                program.pokes
            );
        }
    }
}

/// Two moves of the same value to the same register, the second by way of another one.
#[test]
fn a_move_of_what_is_there_already_counts() {
    nothing_is_missing(638_399_200_188_965_694, 10, 2);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_ancestor_is_missing(seed in any::<u64>(), length in 1usize..20, component in 0u8..4) {
        nothing_is_missing(seed, length, component);
    }

    /// What another value of a component changes is among what it influences.
    #[test]
    fn no_influence_is_missing(seed in any::<u64>(), length in 1usize..20, from in 0usize..8, which in any::<usize>(), component in 0u8..4) {
        for gpu in shader_units() {
            let (program, session) = up_to_the_kill(gpu, seed, length);
            let (flow, steps) = (session.dataflow(), session.steps().len());
            let from = from.min(steps);
            let all: Vec<Reg> = gpu.isa().regs(changing).collect();
            let written: Vec<Reg> = flow.lowered().steps[..from].iter().flat_map(|step| &step.writes).map(|write| write.0).collect();
            let reg = match written.is_empty() {
                true => all[which % all.len()],
                false => written[which % written.len()],
            };
            let found = influence(gpu.isa(), &session, reg, Mask(1 << component), from);
            for bits in [0, 0x3f80_0000, 0xc040_0000, 0x7f80_0000] {
                let poke = Poke { step: from, reg, components: Mask(1 << component), bits: [bits; 4], integers: Mask(0) };
                let poked = shader(gpu, &Program { pokes: vec![poke], ..program.clone() }, seed);
                for (step, (now, before)) in poked.steps().iter().zip(session.steps()).enumerate().skip(from) {
                    for (now, before) in now.changes.iter().zip(&before.changes) {
                        let known = found.iter().find(|one| (one.step, one.reg) == (step, now.reg));
                        for at in (0..4).filter(|at| now.components.has(*at)) {
                            let changes = now.after[usize::from(at)] != before.after[usize::from(at)];
                            prop_assert!(
                                !changes || known.is_some_and(|one| one.components.has(at)),
                                "{}: {} at {from} changes step {step}", gpu.about().id, gpu.isa().reg_name(reg)
                            );
                        }
                    }
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    /// What no later slot reads can become anything without a change of the outputs.
    #[test]
    fn registers_that_are_not_live_do_not_matter(seed in any::<u64>(), length in 1usize..20, slot in any::<usize>()) {
        for gpu in shader_units() {
            let (program, session) = up_to_the_kill(gpu, seed, length);
            let (isa, flow) = (gpu.isa(), session.dataflow());
            let lowered = flow.lowered();
            let slot = slot % program.slots.len();
            let live = &lowered.live(isa, program.slots.len())[slot];
            let step = lowered.steps.partition_point(|step| step.slot <= slot);
            let mut pick = numbers(seed);
            let poke = |reg: Reg| {
                let needed = live.iter().find(|(own, _)| *own == reg).map_or(Mask(0), |(_, mask)| *mask);
                let bits = [0; 4].map(|_: u32| VALUES[pick(VALUES.len() as u32) as usize].to_bits());
                Poke { step, reg, components: Mask::ALL.without(needed), bits, integers: Mask(0) }
            };
            let pokes = isa.regs(|kind| matches!(kind, FileKind::Temporary(_))).map(poke).collect();
            let (poked, _) = gpu.lower(&Program { pokes, ..program.clone() }, &RunState::default());
            let mut run = Run::default();
            run.run(&poked.function, &values(seed, 16), &values(seed ^ 1, 300), &NoTextures);
            for ((number, value), (_, now)) in lowered.function.outputs.iter().zip(&poked.function.outputs) {
                prop_assert_eq!(run.value(*now), flow.value(*value), "{}: output {} after slot {}", gpu.about().id, number, slot);
            }
        }
    }
}

/// Whatever is not among a component's ancestors, with other values.
struct Others<'a> {
    gpu: &'static dyn ShaderUnit,
    session: &'a ShaderSession,
    ancestry: &'a Ancestry,
    pick: Box<dyn FnMut(u32) -> u32>,
}

impl Others<'_> {
    /// The components of a register, as one wrote it, that are no ancestors.
    fn others(&self, reg: Reg, written: impl Fn(Origin) -> bool, components: Mask) -> Mask {
        let own = self.ancestry.nodes.iter().filter(|node| node.reg == reg && written(node.origin));
        components.without(Mask(own.fold(0, |own, node| own | node.components.0)))
    }

    fn bits(&mut self) -> Vec4 {
        [0; 4].map(|_: u32| match (self.pick)(2) {
            0 => VALUES[(self.pick)(VALUES.len() as u32) as usize].to_bits(),
            _ => (self.pick)(1 << 16) << 16 | (self.pick)(1 << 16),
        })
    }

    /// Inputs; where registers hold them from the start on, they are among what is poked there.
    fn inputs(&mut self, given: &[Vec4]) -> Vec<Vec4> {
        let lowered = self.session.dataflow().lowered();
        let start = |inputs: &[Vec4]| {
            let mut run = Run::default();
            run.run(&lowered.function, inputs, &[], &NoTextures);
            lowered.initial.iter().map(|(_, value)| run.value(*value)).collect::<Vec<_>>()
        };
        let other = self.of(FileKind::Input, given);
        if start(&other) == start(given) { other } else { given.to_vec() }
    }

    /// The registers of a kind that is given; those of several files may be the same.
    fn of(&mut self, kind: FileKind, given: &[Vec4]) -> Vec<Vec4> {
        let isa = self.gpu.isa();
        let mut given = given.to_vec();
        for (index, value) in given.iter_mut().enumerate() {
            let own = self
                .ancestry
                .nodes
                .iter()
                .filter(|node| isa.file(node.reg).kind == kind && usize::from(node.reg.index) == index);
            let own = Mask(own.fold(0, |own, node| own | node.components.0));
            let bits = self.bits();
            for at in (0..4).filter(|at| !own.has(*at)) {
                value[usize::from(at)] = bits[usize::from(at)];
            }
        }
        given
    }

    /// What was there before the first step, and what each wrote, but for what it left as it was.
    fn pokes(&mut self) -> Vec<Poke> {
        let start = self.gpu.isa().regs(changing);
        let start = start.map(|reg| (0, reg, self.others(reg, |origin| origin == Origin::Start, Mask::ALL)));
        let mut all: Vec<(usize, Reg, Mask)> = start.collect();
        for (step, own) in self.session.steps().iter().enumerate() {
            let writes = own.changes.iter().filter(|change| changing(self.gpu.isa().file(change.reg).kind));
            all.extend(writes.map(|change| {
                let is_new = |at: &usize| change.before[*at] != change.after[*at];
                let new = Mask((0..4).filter(is_new).fold(0, |new, at| new | 1 << at));
                let components = Mask(new.0 & change.components.0);
                (
                    step + 1,
                    change.reg,
                    self.others(change.reg, |origin| origin == Origin::Step(step), components),
                )
            }));
        }
        all.retain(|(.., components)| !components.is_empty());
        let poke =
            |(step, reg, components)| Poke { step, reg, components, bits: self.bits(), integers: Mask(0) };
        all.into_iter().map(poke).collect()
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
    assert_eq!(json.nodes.len(), 65 + 63);
    assert_eq!(json.components, COMPONENTS.iter().collect::<String>());
}

#[test]
fn questions_are_registers_with_components() {
    for text in ["", ".x", "r0.x@", "r0@-1", "@3"] {
        assert_eq!(Question::read(&File::new("--register", text)).unwrap_err().code.id, "G0108", "{text}");
    }
    let whole = Question::read(&File::new("--register", " oD0 ")).unwrap();
    assert_eq!((whole.register.as_str(), whole.components), ("oD0", Mask::ALL));
}
