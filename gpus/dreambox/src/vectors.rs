//! The vector files that `conform` reads for this machine (docs/conformance.md has their formats).

use crate::regs::OUTPUT_NAMES;
use crate::{ISA, fetch, lowered, rules};
use gpuzoo_diag::{File, Severity};
use gpuzoo_ir::eval;
use gpuzoo_isa::{Bits, Profile, Program};
use gpuzoo_machine::vectors::shape::{Member, Shape, VEC4};
use gpuzoo_machine::vectors::{
    Checked, ComponentRule, Replay, VectorKind, has, register, vec4, vec4s, word, words,
};
use serde_json::Value as Json;

/// Programs with inputs and outputs; single lines; whole programs or errors; vertex fetches.
pub static KINDS: &[VectorKind] = &[
    VectorKind {
        replay: Some(replay),
        ..VectorKind::new("run", |record| has(record, &["program", "const", "in", "out"]), RUN, run)
    },
    VectorKind::new("encode", |record| has(record, &["text", "word"]), ENCODE, encode),
    VectorKind::new("assemble", assembles, ASSEMBLE, assemble),
    VectorKind::new("fetch", |record| has(record, &["format", "bytes", "out"]), FETCH, fetch_one),
];

const RUN: &[Member] = &[
    Member::optional("name", Shape::Text),
    Member::new("program", Shape::List(&Shape::Word)),
    Member::new("const", Shape::UpTo(16, &VEC4)),
    Member::new("in", Shape::UpTo(8, &VEC4)),
    Member::new("out", Shape::Object(OUTPUTS)),
    Member::optional("chk", Shape::Object(LETTERS)),
    Member::optional("tol", Shape::Object(TOLERANCES)),
    Member::remark("note"),
];

const OUTPUTS: &[Member] = &outputs(VEC4);
const LETTERS: &[Member] = &outputs(Shape::Letters("ezntdu"));
const TOLERANCES: &[Member] = &outputs(Shape::Exactly(4, &Shape::OrNull(&Shape::Number)));

/// A value for each output of the machine, or for some.
const fn outputs(shape: Shape) -> [Member; OUTPUT_NAMES.len()] {
    let mut members = [Member::optional("", shape); OUTPUT_NAMES.len()];
    let mut at = 0;
    while at < members.len() {
        members[at].name = OUTPUT_NAMES[at];
        at += 1;
    }
    members
}

const ENCODE: &[Member] =
    &[Member::new("text", Shape::Text), Member::new("word", Shape::Word), Member::remark("note")];

const ASSEMBLE: &[Member] = &[
    Member::optional("name", Shape::Text),
    Member::new("text", Shape::Text),
    Member::optional("words", Shape::List(&Shape::Word)),
    Member::optional("error", Shape::Any),
    Member::remark("note"),
];

const FETCH: &[Member] = &[
    Member::new("format", Shape::Text),
    Member::new("bytes", Shape::Bytes),
    Member::new("out", VEC4),
    Member::remark("note"),
];

fn assembles(record: &Json) -> bool {
    has(record, &["text", "words"]) || has(record, &["text", "error"])
}

fn name(record: &Json) -> String {
    record["name"].as_str().unwrap_or("").to_owned()
}

fn text(record: &Json) -> Result<File, String> {
    Ok(File::new("text", record["text"].as_str().ok_or("`text` is not a text")?))
}

fn program(record: &Json) -> Result<Program, String> {
    let slots =
        words(&record["program"])?.into_iter().map(|word| ISA.slot(Bits::word(word), Default::default()));
    Ok(Program { slots: slots.collect(), ..Program::default() })
}

fn replay(record: &Json, place: &str) -> Result<Replay, String> {
    let (inputs, constants) = (vec4s(&record["in"])?, vec4s(&record["const"])?);
    Ok(Replay {
        program: program(record)?,
        inputs,
        constants,
        register: register(place),
        ..Replay::default()
    })
}

/// `{"program","const","in","out","chk","tol"}`; without `chk` every component must be equal.
fn run(record: &Json, _profile: Profile) -> Result<Checked, String> {
    let mut checked = Checked { name: name(record), ..Checked::default() };
    let program = program(record)?;
    let outputs =
        eval::outputs(&lowered(&program).function, &vec4s(&record["in"])?, &vec4s(&record["const"])?);
    for (output, got) in OUTPUT_NAMES.iter().zip(outputs) {
        if record["out"].get(output).is_none() {
            continue;
        }
        let expected = vec4(&record["out"][output])?;
        let letters: Vec<char> = record["chk"][output].as_str().unwrap_or("eeee").chars().collect();
        for component in 0..4 {
            let place = || format!("{output}.{}", gpuzoo_isa::COMPONENTS[component]);
            let tolerance = record["tol"][output][component].as_f64().unwrap_or(0.0) as f32;
            let letter = letters.get(component).copied().unwrap_or('?');
            let rule = ComponentRule::from_letter(letter, tolerance)
                .ok_or_else(|| format!("`chk` of {} is `{letter}`; known are e z n t d u", place()))?;
            checked.component(place, rule, expected[component], got[component]);
        }
    }
    Ok(checked)
}

/// `{"text","word"}`
fn encode(record: &Json, _profile: Profile) -> Result<Checked, String> {
    let file = text(record)?;
    let mut checked = Checked { name: file.text().to_owned(), ..Checked::default() };
    let assembled = rules::assemble(&file);
    let got = match assembled.program.slots.first() {
        Some(slot) if assembled.ok() => format!("{:08x}", slot.bits.words[0]),
        _ => verdict(&assembled),
    };
    checked.compare(|| "word".into(), &format!("{:08x}", word(&record["word"])?), &got);
    Ok(checked)
}

/// `{"name","text","words"}` or `{"name","text","error"}`
fn assemble(record: &Json, _profile: Profile) -> Result<Checked, String> {
    let mut checked = Checked { name: name(record), ..Checked::default() };
    let assembled = rules::assemble(&text(record)?);
    let hex = |words: &[u32]| words.iter().map(|word| format!("{word:08x}")).collect::<Vec<_>>().join(" ");
    let got = if assembled.ok() { hex(&assembled.program.words(&ISA)) } else { verdict(&assembled) };
    if record.get("error").is_some() {
        let got = if assembled.ok() { format!("accepted as {got}") } else { "rejected".into() };
        checked.compare(|| "verdict".into(), "rejected", &got);
    } else {
        checked.compare(|| "words".into(), &hex(&words(&record["words"])?), &got);
    }
    Ok(checked)
}

fn verdict(assembled: &gpuzoo_isa::Assembled) -> String {
    let error = assembled.diagnostics.iter().find(|problem| problem.severity == Severity::Error);
    error.map_or("no words".into(), |error| format!("rejected with {}: {}", error.code.id, error.message))
}

/// `{"format","bytes","out"}`; normalized formats may be 1 ulp off, as the reference multiplies by a rounded
/// reciprocal in place of dividing.
fn fetch_one(record: &Json, _profile: Profile) -> Result<Checked, String> {
    let format_name = record["format"].as_str().unwrap_or("");
    let format = fetch::format(format_name).ok_or_else(|| format!("there is no format `{format_name}`"))?;
    let text = record["bytes"].as_str().unwrap_or("");
    let mut checked = Checked { name: format!("{format_name} {text}"), ..Checked::default() };
    let mut bytes = Vec::new();
    for at in (0..text.len()).step_by(2) {
        let byte = text.get(at..at + 2).and_then(|pair| u8::from_str_radix(pair, 16).ok());
        bytes.push(byte.ok_or_else(|| format!("`{text}` is not a list of hexadecimal bytes"))?);
    }
    if bytes.len() != format.bytes as usize {
        return Err(format!("{format_name} has {} bytes, the record {}", format.bytes, bytes.len()));
    }
    let rule = if format_name.ends_with("Norm4") { ComponentRule::Ulps(1) } else { ComponentRule::Exact };
    let expected = vec4(&record["out"])?;
    for (component, got) in (format.decode)(&bytes).into_iter().enumerate() {
        checked.component(|| gpuzoo_isa::COMPONENTS[component].to_string(), rule, expected[component], got);
    }
    Ok(checked)
}
