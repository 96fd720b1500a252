//! Vectors of made programs: `run` records (docs/conformance.md has their format).

use crate::encoding::illegal_operand;
use crate::meaning::{inferred, lowered, reads_texture, stage, word};
use crate::number::immediate;
use crate::ops::{EXC, ZTS};
use crate::pipeline::MIPS;
use crate::regs::{COLOR, DEPTH, END_OUTPUT, FIRST_OUTPUT, INPUTS, LEFT, P, U, p};
use crate::vectors::{RULE, STAGES, covered, sampled};
use crate::{ISA, Servaru};
use gpuzoo_ir::Vec4;
use gpuzoo_ir::eval::{NoTextures, Run};
use gpuzoo_isa::{Inst, Interface, Mask, Profile, Program, Reg, Slot, Stage};
use gpuzoo_machine::options::words::{FILTERS, WRAPS};
use gpuzoo_machine::vectors::stimulus::{
    ProgramVectors, Stimulus, Temporaries, add_results, copy, framed, run_records, vec4_json, words_json,
};
use serde_json::{Value as Json, json};

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

    fn pieces(&self) -> Vec<Json> {
        let values: Vec<String> =
            (0..1 << immediate::BITS).map(|field| format!("{:08x}", immediate::value(field))).collect();
        [json!({ "f32": values })].into_iter().chain(textures()).chain(triangles()).collect()
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
        // One that nothing writes says little, but is all that a program without a result has.
        let unwritten = |index: u16| lowered.unwritten_outputs.contains(&(p(index), Mask::ALL));
        let is_left = |index: u16| index == COLOR.index || !unwritten(index);
        let record = |name: String, stimulus: &Stimulus| {
            run.run(&lowered.function, &stimulus.inputs, &stimulus.constants, &NoTextures);
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
            let outputs = lowered.function.outputs.iter().filter(|(index, _)| is_left(*index));
            let name = |index: u16| ISA.reg_name(Reg { file: LEFT, index });
            add_results(&mut record, outputs.map(|(index, value)| (name(*index), run.value(*value))));
            record
        };
        Ok(run_records(name, runs, record))
    }
}

/// The values of registers, from number 0 to the last that is not 0; those beyond the machine's are left out.
fn list(values: &[Vec4], most: usize) -> Json {
    let values = &values[..values.len().min(most)];
    let count = values.iter().rposition(|value| *value != [0; 4]).map_or(0, |last| last + 1);
    values[..count].iter().copied().map(vec4_json).collect()
}

/// Textures, and reads of them: each filter and wrap inside, at the edges and beyond, texels by number, and each filter of
/// levels between and beyond them.
fn textures() -> Vec<Json> {
    const SIDE: u32 = 4;
    let texel = |at: u32| {
        let (x, y) = (at % SIDE, at / SIDE);
        [x as f32 / 4.0, y as f32 / 4.0, (x ^ y) as f32 / 8.0, 1.0].map(f32::to_bits)
    };
    let data: Vec<u32> = (0..SIDE * SIDE).flat_map(texel).collect();
    let plain = json!({ "texture": "plain", "size": [SIDE, SIDE], "data": words_json(&data) });
    let levels = json!({ "texture": "levels", "size": [8, 8], "mips": 4, "rule": RULE });
    let mut records = vec![plain.clone(), levels.clone()];
    let words = |components: [f32; 4]| vec4_json(components.map(f32::to_bits));
    let mut add = |texture: &Json, mut record: Json| {
        record["tex"] = texture.clone();
        let Ok(texels) = sampled(&record) else { return };
        record["out"] = match texels[..] {
            [only] => vec4_json(only),
            _ => texels.into_iter().map(vec4_json).collect(),
        };
        record["tex"] = texture["texture"].clone();
        records.push(record);
    };
    for (filter, _) in FILTERS {
        for (wrap, _) in WRAPS {
            for (at, s) in COORDINATES.iter().enumerate() {
                // Five has no divisor in common with their number, so that each is there down, too.
                let t = COORDINATES[(at * 5 + 1) % COORDINATES.len()];
                let coord = words([*s, t, 0.0, 0.0]);
                add(&plain, json!({ "op": "TEX", "filter": filter, "wrap": wrap, "coord": coord }));
            }
        }
    }
    for [x, y, level] in TEXELS {
        let coord = words([x, y, 0.0, level]);
        add(&levels, json!({ "op": "TXF", "filter": FILTERS[0].0, "wrap": WRAPS[0].0, "coord": coord }));
    }
    for (mip, _) in MIPS {
        for bias in [-2.0, 0.0, 0.25, 0.5, 1.0, 1.75, 8.0] {
            let lane = |x: f32, y: f32| words([0.25 + x / 8.0, 0.5 + y / 8.0, 0.0, bias]);
            let quad = [lane(0.0, 0.0), lane(1.0, 0.0), lane(0.0, 1.0), lane(1.0, 1.0)];
            let (filter, wrap) = (FILTERS[FILTERS.len() - 1].0, WRAPS[0].0);
            add(&levels, json!({ "op": "TXB", "filter": filter, "wrap": wrap, "mip": mip, "quad": quad }));
        }
    }
    records
}

/// Texture coordinates inside, on the edges of texels and of the texture, and beyond.
const COORDINATES: [f32; 12] = [-2.25, -1.0, -0.125, 0.0, 0.0625, 0.25, 0.375, 0.5, 0.9375, 1.0, 1.125, 3.75];

/// Texels, and levels, of eight by eight: inside, the last ones and the first beyond, of the largest level and of a smaller one, and a
/// level that there is not.
const TEXELS: [[f32; 3]; 9] = [
    [0.0, 0.0, 0.0],
    [3.0, 3.5, 0.0],
    [7.0, 7.0, 0.0],
    [8.0, 0.0, 0.0],
    [0.0, 8.0, 0.0],
    [-1.0, 1.0, 0.0],
    [1.0, 1.0, 2.0],
    [2.0, 1.0, 2.0],
    [0.0, 0.0, 9.0],
];

/// Triangles in both orders of corners: edges through pixels' corners and centres, a 256th beside them, slivers, and none of
/// any area.
fn triangles() -> Vec<Json> {
    const CORNERS: [[[i64; 2]; 3]; 7] = [
        [[256, 256], [1280, 256], [256, 1280]],
        [[384, 384], [1408, 384], [384, 1408]],
        [[512, 512], [2560, 768], [1024, 2304]],
        [[256, 256], [4096, 300], [4096, 340]],
        [[256, 256], [300, 4096], [340, 4096]],
        [[-1024, -1024], [2048, 512], [512, 2048]],
        [[512, 512], [1024, 1024], [1536, 1536]],
    ];
    let shifted =
        |corners: [[i64; 2]; 3], [x, y]: [i64; 2]| corners.map(|corner| [corner[0] + x, corner[1] + y]);
    let shifts = [[0, 0], [1, 0], [-1, 0], [0, 1], [0, -1], [127, 127], [128, 128], [129, 129]];
    let all = CORNERS.into_iter().flat_map(|corners| shifts.map(|shift| shifted(corners, shift)));
    let both = all.flat_map(|[a, b, c]| [[a, b, c], [a, c, b]]);
    let record = |corners: [[i64; 2]; 3]| {
        let (culled, spans) = covered(corners).ok()?;
        Some(json!({ "tri": corners, "culled": culled, "spans": spans }))
    };
    both.filter_map(record).collect()
}
