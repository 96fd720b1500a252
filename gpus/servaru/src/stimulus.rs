//! Vectors of made programs: `run` records (docs/conformance.md has their format).

use crate::encoding::illegal_operand;
use crate::meaning::{inferred, lowered, reads_texture, stage, word};
use crate::ops::{EXC, ZTS};
use crate::regs::{COLOR, DEPTH, END_OUTPUT, FIRST_OUTPUT, INPUTS, LEFT, P, U, p};
use crate::vectors::STAGES;
use crate::{ISA, Servaru};
use gpuzoo_ir::Vec4;
use gpuzoo_ir::eval::{NoTextures, Run};
use gpuzoo_isa::{Inst, Interface, Profile, Program, Reg, Slot, Stage};
use gpuzoo_machine::stimulus::{ProgramVectors, Stimulus, Temporaries, copy, framed, letters, vec4_json};
use serde_json::{Map, Value as Json, json};

impl ProgramVectors for Servaru {
    fn takes(&self, before: &[Slot], inst: &Inst) -> bool {
        let is_test = |inst: &Inst| inst.op.code == ZTS;
        let tested = before.iter().flat_map(|slot| slot.insts()).any(is_test);
        let is_legal = illegal_operand(inst).is_none() && !(tested && is_test(inst));
        // What a texture read gives is in records of its own.
        inst.op.code != EXC && is_legal && !reads_texture(inst)
    }

    fn around(&self, body: &[Slot], temporaries: &Temporaries) -> Program {
        let program = Program { slots: body.to_vec(), ..Program::default() };
        let stage = inferred(&program);
        let outputs: Vec<Reg> = match stage {
            Stage::Vertex => (FIRST_OUTPUT..END_OUTPUT).map(p).collect(),
            Stage::Fragment => vec![COLOR, DEPTH],
        };
        let uniforms = (0..ISA.files[usize::from(U)].count).map(|index| Reg { file: U, index });
        let feeds: Vec<Reg> = (0..INPUTS).map(p).chain(uniforms).collect();
        // An input is there, and an output that is written leaves, without a copy.
        let is_there = |reg: Reg| reg.file == P && reg.index < INPUTS;
        let copy = |to, from| if is_there(to) { None } else { copy(&ISA, "MOV", to, from) };
        let leaves = |reg: &Reg| !outputs.contains(reg);
        let written = temporaries.written.iter().copied().filter(leaves).collect();
        let temporaries = Temporaries { read: temporaries.read.clone(), written };
        let interface = Some(Interface { stage, ..Interface::default() });
        Program { slots: framed(body, &temporaries, &feeds, &outputs, copy), interface, ..Program::default() }
    }

    fn counts(&self) -> [usize; 2] {
        [INPUTS.into(), ISA.files[usize::from(U)].count.into()]
    }

    fn records(
        &self,
        name: &str,
        program: &Program,
        runs: &[Stimulus],
        _profile: Profile,
    ) -> Result<Vec<Json>, String> {
        let (stage, mut insts) = (stage(program), program.slots.iter().filter_map(|slot| slot.inst.as_ref()));
        if insts.any(reads_texture) {
            return Err("it reads textures, and a `run` record has none".to_owned());
        }
        let lowered = lowered(program, stage);
        let words: Vec<String> = program.slots.iter().map(|slot| format!("{:016x}", word(slot))).collect();
        let stage = STAGES.iter().find(|(_, own)| *own == stage).map_or("", |(name, _)| name);
        let mut run = Run::default();
        let mut record = |(number, stimulus): (usize, &Stimulus)| {
            run.run(&lowered.function, &stimulus.inputs, &stimulus.constants, &NoTextures);
            let name = if runs.len() == 1 { name.to_owned() } else { format!("{name}, run {number}") };
            let mut record = json!({
                "name": name,
                "stage": stage,
                "program": words,
                "in": list(&stimulus.inputs, self.counts()[0]),
                "const": list(&stimulus.constants, self.counts()[1]),
            });
            if run.killed().is_some() {
                record["killed"] = true.into();
                return record;
            }
            let (mut out, mut chk) = (Map::new(), Map::new());
            for (index, value) in &lowered.function.outputs {
                let (name, value) = (ISA.reg_name(Reg { file: LEFT, index: *index }), run.value(*value));
                chk.extend(letters(value).map(|letters| (name.clone(), letters.into())));
                out.insert(name, vec4_json(value));
            }
            record["out"] = out.into();
            if !chk.is_empty() {
                record["chk"] = chk.into();
            }
            record
        };
        Ok(runs.iter().enumerate().map(&mut record).collect())
    }
}

/// The values of registers, from number 0 on; those beyond the machine's are left out.
fn list(values: &[Vec4], most: usize) -> Json {
    values.iter().take(most).copied().map(vec4_json).collect()
}
