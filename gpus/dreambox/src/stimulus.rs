//! Vectors of made programs: `run` records (docs/conformance.md has their format).

use crate::fetch::FORMATS;
use crate::lower::column;
use crate::ops::{END, MULM};
use crate::regs::{CONSTANT, FILES, INPUT, OUTPUT, OUTPUT_NAMES};
use crate::{Dreambox, ISA, lowered};
use gpuzoo_ir::eval;
use gpuzoo_isa::{Bits, FileKind, Inst, Profile, Program, Reg, Slot};
use gpuzoo_machine::unit::layout::VertexFormat;
use gpuzoo_machine::vectors::hexadecimal;
use gpuzoo_machine::vectors::stimulus::{
    EDGES, ProgramVectors, Stimulus, Temporaries, add_results, copy, framed, run_records, vec4_json,
    words_json,
};
use serde_json::{Value as Json, json};

/// Bytes of the largest vertex format.
const PATTERN: usize = 16;

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

    /// Each vertex format on bytes that are all alike, that count up, and that are floats on edges.
    fn pieces(&self) -> Vec<Json> {
        let patterns = [0x00, 0x01, 0x7f, 0x80, 0x81, 0xff].map(|byte| vec![byte; PATTERN]);
        let counting = (0..).step_by(0x25).take(PATTERN).map(|byte: u32| byte as u8).collect();
        let floats = EDGES.chunks(4).map(|four| four.iter().flat_map(|bits| bits.to_le_bytes()).collect());
        let patterns: Vec<Vec<u8>> = patterns.into_iter().chain([counting]).chain(floats).collect();
        let record = |format: &VertexFormat, bytes: &[u8]| {
            let value = (format.decode)(bytes);
            json!({ "format": format.name, "bytes": hexadecimal(bytes), "out": vec4_json(value) })
        };
        let of = |format: &'static VertexFormat| {
            let length = format.bytes as usize;
            patterns
                .iter()
                .filter_map(move |bytes| Some(record(format, bytes.get(..length)?)))
                .collect::<Vec<_>>()
        };
        FORMATS.iter().flat_map(of).collect()
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
        // What nothing stores is undefined.
        let is_stored = |index: u16| {
            let reg = Reg { file: OUTPUT, index };
            lowered.unwritten_outputs.iter().all(|(unwritten, _)| *unwritten != reg)
        };
        let record = |name: String, run: &Stimulus| {
            let outputs = eval::outputs(&lowered.function, &run.inputs, &run.constants);
            let outputs = (0..).zip(OUTPUT_NAMES).zip(outputs).filter(|((index, _), _)| is_stored(*index));
            let (inputs, constants) = (list(&run.inputs, inputs), list(&run.constants, constants));
            let mut record = json!({ "name": name, "program": words, "const": constants, "in": inputs });
            add_results(&mut record, outputs.map(|((_, name), value)| ((*name).to_owned(), value)));
            record
        };
        Ok(run_records(name, runs, record))
    }
}
