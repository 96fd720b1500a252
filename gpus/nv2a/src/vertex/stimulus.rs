//! Vectors of made programs: `program` records (docs/conformance.md has their format).

use crate::vertex::encoding::FINAL;
use crate::vertex::pipeline::lowered;
use crate::vertex::regs::{A0, C, CONSTANTS, FILES, O, OFOG, OUTPUT_NAMES, R, V};
use crate::{ISA, Nv2a};
use gpuzoo_ir::Vec4;
use gpuzoo_ir::eval::{NoTextures, Run};
use gpuzoo_isa::{Bits, Lowered, Mask, Profile, Program, Reg, Slot};
use gpuzoo_machine::vectors::stimulus::{
    ProgramVectors, Stimulus, Temporaries, copy, framed, vec4_json, words_json,
};
use serde_json::{Map, Value as Json, json};

/// Where a program that is made up may leave results: outputs that keep four components as they are.
fn is_plain(output: &Reg) -> bool {
    *output != OFOG
}

impl ProgramVectors for Nv2a {
    fn around(&self, body: &[Slot], temporaries: &Temporaries) -> Program {
        let feeds: Vec<Reg> = (0..FILES[usize::from(V)].count).map(|index| Reg { file: V, index }).collect();
        let outputs = (0..).zip(OUTPUT_NAMES).filter(|(_, name)| **name != gpuzoo_isa::NO_NAME);
        let outputs = outputs.map(|(index, _)| Reg { file: O, index }).filter(is_plain);
        // The address register is not copied: it starts at 0, and its own instruction sets it.
        let copy =
            |to: Reg, from: Reg| if [to, from].contains(&A0) { None } else { copy(&ISA, "mov", to, from) };
        let mut slots = framed(body, temporaries, &feeds, &outputs.collect::<Vec<_>>(), copy);
        if let Some(last) = slots.last_mut() {
            let mut bits = last.bits;
            FINAL.set(&mut bits, 1);
            *last = ISA.slot(bits, last.span);
        }
        Program { slots, ..Program::default() }
    }

    fn counts(&self) -> [usize; 2] {
        [V, C].map(|file| FILES[usize::from(file)].count.into())
    }

    fn records(
        &self,
        name: &str,
        program: &Program,
        runs: &[Stimulus],
        profile: Profile,
    ) -> Result<Vec<Json>, String> {
        let lowered = lowered(program, profile);
        let slot = |slot: &Slot| {
            let Bits { words: [w0, w1, w2, w3, _] } = slot.bits;
            words_json(&[w0, w1, w2, w3])
        };
        let slots: Vec<Json> = program.slots.iter().map(slot).collect();
        let mut run = Run::default();
        let mut set = |stimulus: &Stimulus| {
            run.run(&lowered.function, &stimulus.inputs, &stimulus.constants, &NoTextures);
            set(&lowered, &run, stimulus)
        };
        let sets: Vec<Json> = runs.iter().map(&mut set).collect();
        Ok(vec![json!({ "name": name, "slots": slots, "sets": sets })])
    }
}

/// A run's inputs and what it leaves: outputs, temporaries, constants that are written, and A0.
fn set(lowered: &Lowered, run: &Run, stimulus: &Stimulus) -> Json {
    let last = |file: u8, index: u16| {
        let value = lowered.last(Reg { file, index });
        value.map_or([0; 4], |value| run.value(value))
    };
    let inputs: Vec<Json> = stimulus.inputs.iter().copied().map(vec4_json).collect();
    let writes = |reg: Reg| lowered.steps.iter().flat_map(|step| &step.writes).any(|write| write.0 == reg);
    let reads_any = !lowered.relative_reads.is_empty();
    // One of which a component is written keeps the others.
    let counts = |index: u16| {
        let reg = Reg { file: C, index };
        reads_any || writes(reg) || lowered.reads.iter().any(|read| read.reg == reg)
    };
    // What is not there is 0.
    let given = (0..CONSTANTS).zip(&stimulus.constants).filter(|(_, value)| **value != [0; 4]);
    let constants = numbered(given.filter(|(index, _)| counts(*index)).map(|(index, value)| (index, *value)));
    let is_written = |index: &u16| {
        let reg = Reg { file: O, index: *index };
        ISA.file(reg).has(*index)
            && lowered.unwritten_outputs.iter().all(|(own, mask)| *own != reg || *mask != Mask::ALL)
    };
    let outputs = (0..FILES[usize::from(O)].count).filter(is_written).map(|index| (index, last(O, index)));
    let temporaries: Vec<Json> =
        (0..FILES[usize::from(R)].count).map(|index| vec4_json(last(R, index))).collect();
    let mut set = json!({ "v": inputs, "c": constants, "out": numbered(outputs), "r": temporaries });
    if writes(A0) {
        set["a0"] = (last(A0.file, A0.index)[0] as i32).into();
    }
    let written = (0..CONSTANTS).filter(|index| writes(Reg { file: C, index: *index }));
    let written = numbered(written.map(|index| (index, last(C, index))));
    if written.as_object().is_some_and(|written| !written.is_empty()) {
        set["cw"] = written;
    }
    set
}

/// An object whose names are numbers.
fn numbered(values: impl Iterator<Item = (u16, Vec4)>) -> Json {
    values.map(|(index, value)| (index.to_string(), vec4_json(value))).collect::<Map<_, _>>().into()
}
