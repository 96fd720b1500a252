//! Vectors of made programs: `run` records (docs/conformance.md has their format).

use crate::lower::column;
use crate::ops::{END, MULM};
use crate::regs::{CONSTANT, FILES, INPUT, OUTPUT, OUTPUT_NAMES};
use crate::{Dreambox, ISA, lowered};
use gpuzoo_ir::eval;
use gpuzoo_isa::{Bits, FileKind, Inst, Profile, Program, Reg, Slot};
use gpuzoo_machine::stimulus::{
    ProgramVectors, Stimulus, Temporaries, copy, framed, letters, vec4_json, words_json,
};
use serde_json::{Map, Value as Json, json};

impl ProgramVectors for Dreambox {
    fn takes(&self, _: &[Slot], inst: &Inst) -> bool {
        let matrix = &inst.operands[1];
        let beyond = inst.op.code == MULM && column(matrix, 3).index != matrix.reg.index + 3;
        inst.op.code != END && !beyond
    }

    fn around(&self, body: &[Slot], temporaries: &Temporaries) -> Program {
        let all = |wanted: fn(FileKind) -> bool| ISA.regs(wanted);
        let feeds = all(|kind| kind == FileKind::Input).chain(all(|kind| kind == FileKind::Constant));
        let outputs: Vec<Reg> = all(|kind| matches!(kind, FileKind::Output(_))).collect();
        let copy = |to: Reg, from: Reg| {
            let mnemonic = match from.file {
                INPUT => "ld",
                CONSTANT => "ldc",
                _ => "st",
            };
            copy(&ISA, mnemonic, to, from)
        };
        let mut slots = framed(body, temporaries, &feeds.collect::<Vec<_>>(), &outputs, copy);
        slots.push(ISA.slot(Bits::word(END.into()), Default::default()));
        Program { slots, ..Program::default() }
    }

    fn counts(&self) -> [usize; 2] {
        [INPUT, CONSTANT].map(|file| FILES[usize::from(file)].count.into())
    }

    fn records(
        &self,
        name: &str,
        program: &Program,
        runs: &[Stimulus],
        _profile: Profile,
    ) -> Result<Vec<Json>, String> {
        let lowered = lowered(program);
        let words = words_json(&program.words(&ISA));
        let [inputs, constants] = self.counts();
        let list =
            |values: &[[u32; 4]], most| values.iter().take(most).copied().map(vec4_json).collect::<Json>();
        let record = |(number, run): (usize, &Stimulus)| {
            let results = eval::outputs(&lowered.function, &run.inputs, &run.constants);
            let (mut out, mut chk) = (Map::new(), Map::new());
            for ((index, output), value) in (0..).zip(OUTPUT_NAMES).zip(results) {
                // What nothing stores is undefined.
                let reg = Reg { file: OUTPUT, index };
                if lowered.unwritten_outputs.iter().all(|(unwritten, _)| *unwritten != reg) {
                    out.insert((*output).to_owned(), vec4_json(value));
                    chk.extend(letters(value).map(|letters| ((*output).to_owned(), letters.into())));
                }
            }
            let name = if runs.len() == 1 { name.to_owned() } else { format!("{name}, run {number}") };
            let (inputs, constants) = (list(&run.inputs, inputs), list(&run.constants, constants));
            let mut record =
                json!({ "name": name, "program": words, "const": constants, "in": inputs, "out": out });
            if !chk.is_empty() {
                record["chk"] = chk.into();
            }
            record
        };
        Ok(runs.iter().enumerate().map(record).collect())
    }
}
