//! The vector files that `conform` reads for this machine (docs/conformance.md has their formats).

use crate::meaning::lowered;
use crate::number::immediate::{self, SIGN};
use crate::pipeline::{MIPS, rules};
use crate::quad::{Quad, QuadProgram};
use crate::regs::{COLOR, END_OUTPUT, FILES, FIRST_OUTPUT, INPUTS, LEFT, T, U, p};
use crate::units::{Unit, Units};
use crate::{ISA, program};
use gpuzoo_diag::{File, Severity};
use gpuzoo_ir::Vec4;
use gpuzoo_ir::eval::{NoTextures, Run};
use gpuzoo_isa::{Bits, COMPONENTS, Inst, Interface, Operand, Profile, Program, Stage, Swizzle};
use gpuzoo_machine::options::words::{FILTERS, WRAPS};
use gpuzoo_machine::vectors::shape::{Member, Shape, VEC4};
use gpuzoo_machine::vectors::{
    Checked, ComponentRule, Reference, Replay, VectorKind, has, register, vec4, vec4s, word, words,
};
use gpuzoo_raster::{
    Cull, Fragment, Level, MipFilter, PerFragment, Placement, Primitives, Rules, Sample, Sampler, State,
    Target, Texels, Texture, Topology, Vertices, Winding,
};
use serde_json::Value as Json;
use std::sync::Arc;

/// Instructions with operands and results; textures and reads of them; coverage; text and words; numbers.
pub static KINDS: &[VectorKind] = &[
    VectorKind::new("op", |record| has(record, &["op", "in"]), OP, op),
    VectorKind {
        replay: Some(replay),
        ..VectorKind::new("run", |record| has(record, &["program", "in"]), RUN, run)
    },
    VectorKind::new("texture", |record| has(record, &["texture", "size"]), TEXTURE, texture_record),
    VectorKind {
        uses: Some(Reference { member: "tex", kind: "texture", name: "texture" }),
        ..VectorKind::new("sample", |record| has(record, &["op", "tex", "out"]), SAMPLE, sample)
    },
    VectorKind::new("raster", |record| has(record, &["tri", "culled", "spans"]), RASTER, raster),
    VectorKind::new("encode", |record| has(record, &["text", "word"]), ENCODE, encode),
    VectorKind::new("immediate", |record| has(record, &["literal"]), LITERAL, literal),
    VectorKind::new("immediates", |record| has(record, &["f32"]), IMMEDIATES, all_immediates),
];

const TOLERANCES: Shape = Shape::Exactly(4, &Shape::OrNull(&Shape::Number));

const OP: &[Member] = &[
    Member::new("op", Shape::Text),
    Member::new("in", Shape::UpTo(3, &VEC4)),
    Member::optional("out", VEC4),
    Member::optional("chk", Shape::Letters("ezntdu")),
    Member::optional("tol", TOLERANCES),
    Member::optional("killed", Shape::Bool),
    Member::remark("alt"),
    Member::remark("note"),
];

/// What a stage is called in records.
pub const STAGES: [(&str, Stage); 2] = [("vertex", Stage::Vertex), ("fragment", Stage::Fragment)];

const RUN: &[Member] = &[
    Member::optional("name", Shape::Text),
    Member::new("stage", Shape::Choice(&[STAGES[0].0, STAGES[1].0])),
    Member::new("program", Shape::List(&Shape::Text)),
    Member::new("in", Shape::UpTo(INPUTS as usize, &VEC4)),
    Member::optional("const", Shape::UpTo(FILES[U as usize].count as usize, &VEC4)),
    Member::optional("out", Shape::Object(&LEFT_BEHIND)),
    Member::optional("chk", Shape::Object(&LETTERS)),
    Member::optional("tol", Shape::Object(&TOLERANCES_OF_RUN)),
    Member::optional("killed", Shape::Bool),
    Member::remark("note"),
];

const LEFT_BEHIND: [Member; OUTPUT_COUNT] = outputs(VEC4);
const LETTERS: [Member; OUTPUT_COUNT] = outputs(Shape::Letters("ezntdu"));
const TOLERANCES_OF_RUN: [Member; OUTPUT_COUNT] = outputs(TOLERANCES);

/// P9 to P15, and the depth that `ZTS` notes.
const OUTPUT_COUNT: usize = (END_OUTPUT - FIRST_OUTPUT + 1) as usize;

/// A value for each register that leaves a program, or for some.
const fn outputs(shape: Shape) -> [Member; OUTPUT_COUNT] {
    let mut members = [Member::optional("", shape); OUTPUT_COUNT];
    let mut at = 0;
    while at < members.len() {
        members[at].name = FILES[LEFT as usize].names[FIRST_OUTPUT as usize + at];
        at += 1;
    }
    members
}

const TEXTURE: &[Member] = &[
    Member::new("texture", Shape::Text),
    Member::new("size", Shape::Exactly(2, &Shape::Count)),
    Member::optional("data", Shape::List(&Shape::Word)),
    Member::optional("mips", Shape::Count),
    Member::optional("rule", Shape::Text),
    Member::remark("rows"),
    Member::remark("note"),
];

const SAMPLE: &[Member] = &[
    Member::new("op", Shape::Text),
    Member::new("tex", Shape::Text),
    Member::new("filter", Shape::Text),
    Member::new("wrap", Shape::Text),
    Member::optional("mip", Shape::Text),
    Member::optional("coord", VEC4),
    Member::optional("quad", Shape::Exactly(4, &VEC4)),
    Member::new("out", Shape::Either(&VEC4, &Shape::Exactly(4, &VEC4))),
    Member::optional("tol", Shape::Number),
    Member::remark("note"),
];

const RASTER: &[Member] = &[
    Member::new("tri", Shape::Exactly(3, &Shape::Exactly(2, &Shape::Int))),
    Member::new("culled", Shape::Bool),
    Member::new("spans", Shape::List(&Shape::Exactly(3, &Shape::Count))),
    Member::remark("tb_same"),
    Member::remark("note"),
];

const ENCODE: &[Member] =
    &[Member::new("text", Shape::Text), Member::new("word", Shape::Text), Member::remark("note")];

const LITERAL: &[Member] = &[
    Member::new("literal", Shape::Text),
    Member::optional("field13", Shape::Word),
    Member::optional("f32", Shape::Word),
    Member::optional("exact", Shape::Bool),
    Member::optional("error", Shape::Any),
    Member::remark("note"),
];

const IMMEDIATES: &[Member] =
    &[Member::new("f32", Shape::Exactly(1 << immediate::BITS, &Shape::Word)), Member::remark("note")];

fn text<'a>(record: &'a Json, key: &str) -> Result<&'a str, String> {
    record[key].as_str().ok_or_else(|| format!("`{key}` is not a text"))
}

/// The choice that a member names.
fn choice<T: Copy>(record: &Json, key: &str, choices: &[(&'static str, T)]) -> Result<T, String> {
    let name = text(record, key)?;
    let found = choices.iter().find(|(known, _)| *known == name);
    found.map(|(_, choice)| *choice).ok_or_else(|| format!("`{key}` is `{name}`"))
}

/// `{"op","in","out","chk","tol"}`, or `killed` in place of results. Operands are P0 to P2, the result is P9.
fn op(record: &Json, _profile: Profile) -> Result<Checked, String> {
    let name = text(record, "op")?;
    let mut checked = Checked { name: name.to_owned(), ..Checked::default() };
    let op = ISA.op(name).filter(|op| op.parts.iter().all(|part| part.choices[0].file() != Some(T)));
    let mut inst = Inst::new(op.ok_or_else(|| format!("`{name}` cannot be tried so"))?);
    for part in inst.op.parts {
        let swizzle = if part.scalar { Swizzle::broadcast(0) } else { Swizzle::IDENTITY };
        let reg = if part.is_written() { COLOR } else { p(u16::from(part.operand) - 1) };
        inst.operands[part.operand as usize] = Operand { reg, swizzle, ..Operand::default() };
    }
    let slots = vec![ISA.slot(ISA.encode(&inst), Default::default())];
    let function = lowered(&Program { slots, ..Program::default() }, Stage::Fragment).function;
    let mut run = Run::default();
    run.run(&function, &vec4s(&record["in"])?, &[], &NoTextures);
    if let Some(killed) = record["killed"].as_bool() {
        let got = run.killed().is_some();
        checked.compare(|| "killed".into(), &killed.to_string(), &got.to_string());
        return Ok(checked);
    }
    let expected = vec4(&record["out"])?;
    let color = function.outputs.first().map_or([0; 4], |(_, value)| run.value(*value));
    components("", expected, color, text(record, "chk")?, &record["tol"], &mut checked)?;
    Ok(checked)
}

/// A word of 64 bits, in sixteen digits.
fn long_word(digits: &str) -> Result<u64, String> {
    u64::from_str_radix(digits, 16).map_err(|_| format!("`{digits}` is not a word"))
}

fn code(record: &Json, stage: Stage) -> Result<Program, String> {
    let mut slots = Vec::new();
    for digits in record["program"].as_array().into_iter().flatten() {
        let word = long_word(digits.as_str().unwrap_or(""))?;
        slots.push(ISA.slot(Bits { words: [word as u32, (word >> 32) as u32, 0, 0, 0] }, Default::default()));
    }
    let interface = Some(Interface { stage, ..Interface::default() });
    Ok(Program { slots, interface, ..Program::default() })
}

fn constants(record: &Json) -> Result<Vec<Vec4>, String> {
    if has(record, &["const"]) { vec4s(&record["const"]) } else { Ok(Vec::new()) }
}

fn replay(record: &Json, place: &str) -> Result<Replay, String> {
    let program = code(record, choice(record, "stage", &STAGES)?)?;
    let (inputs, constants) = (vec4s(&record["in"])?, constants(record)?);
    Ok(Replay { program, inputs, constants, register: register(place), ..Replay::default() })
}

/// `{"stage","program","in","const"?,"out","chk"?,"tol"?}`, or `killed` in place of results. Without letters all bits must be
/// equal. Texture units are empty.
fn run(record: &Json, _profile: Profile) -> Result<Checked, String> {
    let mut checked =
        Checked { name: record["name"].as_str().unwrap_or("").to_owned(), ..Checked::default() };
    let stage = choice(record, "stage", &STAGES)?;
    let function = lowered(&code(record, stage)?, stage).function;
    let constants = constants(record)?;
    let mut run = Run::default();
    run.run(&function, &vec4s(&record["in"])?, &constants, &NoTextures);
    let killed = record["killed"].as_bool().unwrap_or(false);
    if !killed && record["out"].as_object().is_none_or(serde_json::Map::is_empty) {
        return Err("it says neither what comes out nor that it is killed".to_owned());
    }
    checked.compare(|| "killed".into(), &killed.to_string(), &run.killed().is_some().to_string());
    for (name, expected) in record["out"].as_object().into_iter().flatten() {
        let number = FILES[usize::from(LEFT)].find(name);
        let found = function.outputs.iter().find(|(own, _)| Some(*own) == number);
        let Some((_, value)) = found else {
            checked.compare(|| name.clone(), "a value", "nothing: the program does not write it");
            continue;
        };
        let letters = record["chk"][name].as_str().unwrap_or("eeee");
        components(name, vec4(expected)?, run.value(*value), letters, &record["tol"][name], &mut checked)?;
    }
    Ok(checked)
}

/// Compares a register, by a letter for each component.
fn components(
    name: &str,
    expected: Vec4,
    got: Vec4,
    letters: &str,
    tolerances: &Json,
    checked: &mut Checked,
) -> Result<(), String> {
    let mut letters = letters.chars();
    for component in 0..4 {
        let tolerance = tolerances[component].as_f64().unwrap_or(0.0) as f32;
        let letter = letters.next().unwrap_or('?');
        let rule = ComponentRule::from_letter(letter, tolerance)
            .ok_or_else(|| format!("`chk` is `{letter}`; known are e z n t d u"))?;
        let place = || match name {
            "" => COMPONENTS[component].to_string(),
            name => format!("{name}.{}", COMPONENTS[component]),
        };
        checked.component(place, rule, expected[component], got[component]);
    }
    Ok(())
}

/// The one rule by which a texture is described rather than listed.
pub const RULE: &str = "level l texel (x,y) = (l/8, x/16, y/16, 1)";

/// The most texels of such a texture: a short record makes all of them.
const MOST_BY_RULE: u64 = 1 << 18;
const LONGEST_BY_RULE: u32 = 1 << 12;

/// `{"texture","size","data"}`, or with `mips` levels and a `rule`.
fn texture(record: &Json) -> Result<Texture, String> {
    let side = |axis: usize| {
        let side = record["size"][axis].as_u64().and_then(|side| u32::try_from(side).ok());
        side.ok_or("`size` is not a list of two sides")
    };
    let (width, height) = (side(0)?, side(1)?);
    if has(record, &["data"]) {
        let components: Vec<f32> = words(&record["data"])?.into_iter().map(f32::from_bits).collect();
        let texels = Texels::Float(components.as_chunks::<4>().0.to_vec());
        return Ok(Level::new(width, height, texels).map_err(|error| error.to_string())?.into());
    }
    if record["rule"] != RULE {
        return Err(format!("a texture has `data`, or the rule `{RULE}`"));
    }
    if width.max(height) > LONGEST_BY_RULE || u64::from(width) * u64::from(height) > MOST_BY_RULE {
        return Err(format!(
            "a texture by the rule has sides up to {LONGEST_BY_RULE}, and {MOST_BY_RULE} texels"
        ));
    }
    let count = record["mips"].as_u64().unwrap_or(1).min(32) as u32;
    let levels = (0..count).map(|level| {
        let size = [width, height].map(|side| (side >> level).max(1));
        let texel = |x: u32, y: u32| [level as f32 / 8.0, x as f32 / 16.0, y as f32 / 16.0, 1.0];
        let rows = (0..size[1]).flat_map(|y| (0..size[0]).map(move |x| texel(x, y)));
        Level::new(size[0], size[1], Texels::Float(rows.collect())).map_err(|error| error.to_string())
    });
    let levels: Result<Vec<Level>, String> = levels.collect();
    Texture::new(levels?).map_err(|error| error.to_string())
}

fn texture_record(record: &Json, _profile: Profile) -> Result<Checked, String> {
    texture(record)?;
    Ok(Checked { name: text(record, "texture")?.to_owned(), ..Checked::default() })
}

/// What a read of a texture gives, which is in the record in place of its name: four texels for a `quad`, else one.
pub fn sampled(record: &Json) -> Result<Vec<Vec4>, String> {
    let op = text(record, "op")?;
    let sampler =
        Sampler { filter: choice(record, "filter", &FILTERS)?, wrap: [choice(record, "wrap", &WRAPS)?; 2] };
    let mips = if has(record, &["mip"]) { choice(record, "mip", &MIPS)? } else { MipFilter::Base };
    let unit = Unit { texture: Some(Arc::new(texture(&record["tex"])?)), sampler, mips };
    let units = Units([unit, Unit::NONE, Unit::NONE, Unit::NONE]);
    let is_quad = has(record, &["quad"]);
    let lanes: Vec<Vec4> = if is_quad { vec4s(&record["quad"])? } else { vec![vec4(&record["coord"])?; 4] };
    let lanes: [Vec4; 4] = lanes.try_into().map_err(|_| "`quad` has four lanes")?;
    let assembled = program::assemble(&File::new("sample", &format!("{op} P9, P0, T0;")));
    if !assembled.ok() {
        return Err(format!("`{op}` reads no texture"));
    }
    let function = lowered(&assembled.program, Stage::Fragment).function;
    let program = QuadProgram::new(&function, None, &[]);
    let mut quad = Quad::default();
    quad.run(&program, &[lanes], &units);
    let count = if is_quad { 4 } else { 1 };
    Ok((0..count).map(|pixel| quad.output(&program, 0, pixel)).collect())
}

/// `{"op","tex","filter","wrap","coord","out","tol"}`, or `quad` with the coordinates of four lanes, and `mip`.
fn sample(record: &Json, _profile: Profile) -> Result<Checked, String> {
    let mut checked = Checked { name: text(record, "op")?.to_owned(), ..Checked::default() };
    let (is_quad, texels) = (has(record, &["quad"]), sampled(record)?);
    let expected = if is_quad { vec4s(&record["out"])? } else { vec![vec4(&record["out"])?] };
    let rule = ComponentRule::Within(record["tol"].as_f64().unwrap_or(0.0) as f32);
    for (pixel, (expected, got)) in expected.iter().zip(&texels).enumerate() {
        for component in 0..4 {
            let place = || {
                if is_quad {
                    format!("{pixel}.{}", COMPONENTS[component])
                } else {
                    COMPONENTS[component].into()
                }
            };
            checked.component(place, rule, expected[component], got[component]);
        }
    }
    Ok(checked)
}

/// The side of the target of `raster` records.
const SIDE: u32 = 64;

/// Whether a triangle, in 1/256 pixels, is culled, and the rows that it covers with their first and last column.
pub fn covered(corners: [[i64; 2]; 3]) -> Result<(bool, Vec<[u64; 3]>), String> {
    let positions = corners.map(|[x, y]| [x as f32 / 256.0, y as f32 / 256.0, 0.5, 1.0]);
    let mut target = Target::new(SIDE, SIDE).map_err(|error| error.to_string())?;
    let state = State { cull: Cull::Back, front: Winding::Clockwise, ..State::sized(SIDE, SIDE) };
    let vertices = Vertices::new(&positions, &[], 0).map_err(|error| error.to_string())?;
    let rules = Rules { placement: Placement::Screen, ..rules(Sample::Corner) };
    let white = PerFragment(|_: Fragment<'_>| Some([1.0; 4]));
    let list = Primitives::all(Topology::TriangleList);
    let stats = gpuzoo_raster::draw(&mut target, &rules, &state, vertices, list, &white);
    let mut got: Vec<[u64; 3]> = Vec::new();
    for y in 0..SIDE {
        for x in (0..SIDE).filter(|&x| target.color().get(x, y) != Some([0; 4])) {
            match got.last_mut() {
                Some([row, _, last]) if *row == u64::from(y) && *last + 1 == u64::from(x) => *last += 1,
                _ => got.push([y.into(), x.into(), x.into()]),
            }
        }
    }
    Ok((stats.culled == 1, got))
}

/// `{"tri","culled","spans"}`: corners in 24.8 fixed point, rows with their first and last column. The test bench that
/// they come from keeps clockwise triangles.
fn raster(record: &Json, _profile: Profile) -> Result<Checked, String> {
    let axis = |index: usize, axis: usize| {
        record["tri"][index][axis].as_i64().ok_or("`tri` has three corners of two numbers")
    };
    let corner = |index: usize| -> Result<[i64; 2], String> { Ok([axis(index, 0)?, axis(index, 1)?]) };
    let (culled, got) = covered([corner(0)?, corner(1)?, corner(2)?])?;
    let mut checked = Checked { name: record["tri"].to_string(), ..Checked::default() };
    checked.compare(|| "culled".into(), &record["culled"].to_string(), &culled.to_string());
    let mut expected: Vec<[u64; 3]> = Vec::new();
    for span in record["spans"].as_array().ok_or("`spans` is not a list")? {
        let number = |at: usize| span[at].as_u64().ok_or("a span has three numbers");
        expected.push([number(0)?, number(1)?, number(2)?]);
    }
    expected.sort_unstable();
    checked.compare(|| "spans".into(), &format!("{expected:?}"), &format!("{got:?}"));
    Ok(checked)
}

/// `{"text","word"}`
fn encode(record: &Json, _profile: Profile) -> Result<Checked, String> {
    let text = text(record, "text")?;
    let mut checked = Checked { name: text.to_owned(), ..Checked::default() };
    let expected = long_word(record["word"].as_str().unwrap_or(""))?;
    let assembled = program::assemble(&File::new("text", text));
    let error = assembled.diagnostics.iter().find(|problem| problem.severity == Severity::Error);
    let got = match (error, &assembled.program.slots[..]) {
        (Some(error), _) => format!("rejected with {}: {}", error.code.id, error.message),
        (None, [slot]) => format!("{:016x}", crate::meaning::word(slot)),
        (None, slots) => format!("{} words", slots.len()),
    };
    checked.compare(|| "word".into(), &format!("{expected:016x}"), &got);
    Ok(checked)
}

/// `{"literal","field13","f32","exact"}` or `{"literal","error"}`
fn literal(record: &Json, _profile: Profile) -> Result<Checked, String> {
    let text = text(record, "literal")?;
    let mut checked = Checked { name: text.to_owned(), ..Checked::default() };
    let (sign, number) = text.strip_prefix('-').map_or((0, text), |number| (SIGN, number));
    let rounded = immediate::from_text(number);
    let show = |field: u16| format!("{field:04x} {:08x}", immediate::value(field));
    let got = rounded.map_or("rejected".into(), |rounded| show(rounded.field | sign));
    if has(record, &["error"]) {
        checked.compare(|| "verdict".into(), "rejected", &got);
        return Ok(checked);
    }
    let expected = format!("{:04x} {:08x}", word(&record["field13"])?, word(&record["f32"])?);
    checked.compare(|| "field and value".into(), &expected, &got);
    let exact = rounded.is_ok_and(|rounded| rounded.exact);
    checked.compare(|| "exact".into(), &record["exact"].to_string(), &exact.to_string());
    Ok(checked)
}

/// `{"f32": [value of field 0, of field 1, …]}`
fn all_immediates(record: &Json, _profile: Profile) -> Result<Checked, String> {
    let mut checked = Checked { name: "all fields".into(), ..Checked::default() };
    let values = words(&record["f32"])?;
    if values.len() != 1 << immediate::BITS {
        return Err(format!("there are {} fields, not {}", 1 << immediate::BITS, values.len()));
    }
    for (field, expected) in values.into_iter().enumerate() {
        let got = immediate::value(field as u16);
        checked.component(|| format!("{field:04x}"), ComponentRule::Exact, expected, got);
    }
    Ok(checked)
}
