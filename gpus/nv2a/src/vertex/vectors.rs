//! The vector files that `conform` reads for this machine (docs/conformance.md has their formats).

use crate::ISA;
use crate::vertex::dialects::vsh::{VSH, print};
use crate::vertex::encoding::{FIRST_SOURCE, PORT, TEMP};
use crate::vertex::lower::CPU;
use crate::vertex::ops::rows;
use crate::vertex::pipeline::lowered;
use crate::vertex::program::{self, Final};
use crate::vertex::regs::{A0, C, CONSTANTS, O, OUTPUT_NAMES, R};
use crate::vertex::rules::TWO_INPUTS;
use gpuzoo_diag::{File, Severity};
use gpuzoo_ir::Vec4;
use gpuzoo_ir::eval::{NoTextures, Run};
use gpuzoo_isa::{Bits, COMPONENTS, Inst, MAX_OPERANDS, Mask, Operand, Profile, Program, Reg, Slot};
use gpuzoo_machine::vectors::shape::{Member, Shape, VEC4};
use gpuzoo_machine::vectors::{
    Checked, ComponentRule, Replay, VectorKind, has, register, vec4, vec4s, words,
};
use serde_json::Value as Json;

/// Single operations, numbers read off consoles, programs, assembly and disassembly.
pub static KINDS: &[VectorKind] = &[
    VectorKind::new("op", |record| has(record, &["op", "in", "out"]), OP, op),
    VectorKind::new("observed", |record| has(record, &["op", "in", "display"]), OBSERVED, observed),
    VectorKind {
        replay: Some(replay),
        ..VectorKind::new("program", |record| has(record, &["name", "slots", "sets"]), PROGRAM, program)
    },
    VectorKind {
        completes: Some("program"),
        uses: None,
        replay: Some(replay),
        ..VectorKind::new("results", |record| has(record, &["name", "sets"]), RESULTS, program)
    },
    VectorKind::new(
        "assemble",
        |record| has(record, &["src", "words"]) && !has(record, &["reference"]),
        ASSEMBLE,
        assemble,
    ),
    VectorKind::new("refuse", |record| has(record, &["src", "reference"]), REFUSE, refuse),
    VectorKind::new("disassemble", |record| has(record, &["words", "text"]), DISASSEMBLE, disassemble),
];

const SLOT: Shape = Shape::Exactly(4, &Shape::Word);

const OP: &[Member] = &[
    Member::new("op", Shape::Text),
    Member::new("in", Shape::UpTo(3, &VEC4)),
    Member::new("out", VEC4),
    Member::remark("note"),
];

const OBSERVED: &[Member] = &[
    Member::new("op", Shape::Text),
    Member::new("in", Shape::UpTo(3, &Shape::UpTo(4, &Shape::Word))),
    Member::new("display", Shape::UpTo(4, &Shape::Text)),
    Member::remark("source"),
    Member::remark("cpu_matches"),
    Member::remark("model_matches"),
    Member::remark("note"),
];

const PROGRAM: &[Member] = &[
    Member::new("name", Shape::Text),
    Member::new("slots", Shape::List(&SLOT)),
    Member::optional("features", Shape::List(&Shape::Text)),
    Member::new(
        "sets",
        Shape::List(&Shape::Object(&[
            Member::new("v", Shape::UpTo(16, &VEC4)),
            Member::new("c", Shape::Numbered(CONSTANTS as usize, &VEC4)),
            RESULT[0],
            RESULT[1],
            RESULT[2],
            RESULT[3],
        ])),
    ),
    Member::remark("note"),
];

const RESULTS: &[Member] = &[
    Member::new("name", Shape::Text),
    Member::new("sets", Shape::List(&Shape::Object(&RESULT))),
    Member::remark("note"),
];

const RESULT: [Member; 4] = [
    Member::new("out", Shape::Numbered(OUTPUT_NAMES.len(), &VEC4)),
    Member::optional("r", Shape::UpTo(12, &VEC4)),
    Member::optional("cw", Shape::Numbered(CONSTANTS as usize, &VEC4)),
    Member::optional("a0", Shape::Int),
];

const ASSEMBLE: &[Member] = &[
    Member::optional("name", Shape::Text),
    Member::new("src", Shape::Text),
    Member::new("words", Shape::List(&SLOT)),
    Member::optional("explicit_final", Shape::Bool),
    Member::remark("warnings"),
    Member::remark("note"),
];

const REFUSE: &[Member] = &[
    Member::new("src", Shape::Text),
    Member::optional("why", Shape::Text),
    Member::remark("reference"),
    Member::remark("message"),
    Member::remark("words"),
    Member::remark("warning"),
    Member::remark("slots"),
    Member::remark("note"),
];

const DISASSEMBLE: &[Member] =
    &[Member::new("words", SLOT), Member::new("text", Shape::Text), Member::remark("note")];

fn name(record: &Json, key: &str) -> String {
    record[key].as_str().unwrap_or("").to_owned()
}

fn component_place(what: &str, component: usize) -> String {
    format!("{what}.{}", COMPONENTS[component])
}

/// In files of the `cpu` profile any NaN is any NaN, and so it is in the results of `hw` programs, whose evaluator
/// wrote one NaN for all; the `hw` operations are exact.
fn rule(expected: u32, nan_is_exact: bool) -> ComponentRule {
    if !nan_is_exact && f32::from_bits(expected).is_nan() { ComponentRule::Nan } else { ComponentRule::Exact }
}

/// One operation on registers, as IR, run.
fn run_op(mnemonic: &str, operands: &[Vec4], profile: Profile) -> Result<Vec4, String> {
    // The records name EXP and LOG as the unit does, the rows as assemblers do.
    let name = match mnemonic {
        "exp" => "expp",
        "log" => "logp",
        name => name,
    };
    let [mac, ilu] = rows(name);
    let op = mac.or(ilu).ok_or_else(|| format!("there is no operation `{mnemonic}`"))?;
    let wanted = op.parts.iter().filter(|part| part.is_read()).count();
    if operands.len() != wanted {
        return Err(format!("`{mnemonic}` has {wanted} operands, the record {}", operands.len()));
    }
    let reg = |index: usize| Reg { file: R, index: index as u16 };
    let mut inst = Inst { op, operands: [Operand::default(); MAX_OPERANDS] };
    inst.operands[TEMP] = Operand { reg: reg(5), ..Operand::default() };
    inst.operands[PORT].mask = Mask(0);
    for index in 0..operands.len() {
        inst.operands[FIRST_SOURCE + index].reg = reg(index);
    }
    let slot = Slot { bits: Bits::default(), inst: Some(inst), paired: None, span: Default::default() };
    let preset: Vec<(Reg, Vec4)> =
        operands.iter().enumerate().map(|(index, value)| (reg(index), *value)).collect();
    let lowered = ISA.lower(&Program { slots: vec![slot], ..Program::default() }, profile, &preset);
    let mut run = Run::default();
    run.run(&lowered.function, &[], &[], &NoTextures);
    if op.name == "arl" {
        // The record has the floor as a float in all components.
        let index = lowered.last(A0).map_or([0; 4], |value| run.value(value))[0] as i32;
        return Ok([(index as f32).to_bits(); 4]);
    }
    Ok(lowered.last(reg(5)).map_or([0; 4], |value| run.value(value)))
}

/// `{"op","in","out"}`
fn op(record: &Json, profile: Profile) -> Result<Checked, String> {
    let mnemonic = name(record, "op");
    let operands = vec4s(&record["in"])?;
    let expected = vec4(&record["out"])?;
    let got = run_op(&mnemonic, &operands, profile)?;
    let mut checked = Checked { name: format!("{mnemonic} {}", record["in"]), ..Checked::default() };
    for component in 0..4 {
        let rule = match (profile, mnemonic.as_str(), component) {
            // Three components of the emulator go through its C library's powf and log2f (spec section 7).
            (CPU, "exp" | "log" | "lit", 2) if !f32::from_bits(expected[component]).is_nan() => {
                ComponentRule::Ulps(1)
            }
            // The index is an integer; the float may be beyond it, or no number.
            (CPU, "arl", _) if f32::from_bits(expected[component]).abs() < 2_147_483_648.0 => {
                ComponentRule::Within(0.0)
            }
            (CPU, "arl", _) => ComponentRule::Informational,
            (CPU, ..) => rule(expected[component], false),
            _ => rule(expected[component], true),
        };
        checked.component(|| component_place("out", component), rule, expected[component], got[component]);
    }
    Ok(checked)
}

/// `{"op","in","display"}`: what a console printed, to the digits that it printed. The inputs may have fewer than four
/// components.
fn observed(record: &Json, profile: Profile) -> Result<Checked, String> {
    let mnemonic = name(record, "op");
    let operand = |json: &Json| -> Result<Vec4, String> {
        let mut components = [0; 4];
        components.iter_mut().zip(words(json)?).for_each(|(component, word)| *component = word);
        Ok(components)
    };
    let operands: Vec<Vec4> =
        record["in"].as_array().ok_or("`in` is not a list")?.iter().map(operand).collect::<Result<_, _>>()?;
    let got = run_op(&mnemonic, &operands, profile)?;
    let mut checked = Checked { name: format!("{mnemonic} {}", record["in"]), ..Checked::default() };
    let display = record["display"].as_array().ok_or("`display` is not a list")?;
    for (component, text) in display.iter().take(4).enumerate() {
        let expected = text.as_str().ok_or("`display` holds texts")?;
        let shown = show_like(expected, f32::from_bits(got[component]));
        checked.compare(
            || component_place("display", component),
            expected,
            if same(expected, &shown) { expected } else { &shown },
        );
    }
    Ok(checked)
}

/// A number with as many decimals, and in the same form, as a text.
fn show_like(text: &str, value: f32) -> String {
    let (mantissa, exponent) = text.split_once(['e', 'E']).map_or((text, None), |(m, e)| (m, Some(e)));
    let decimals = mantissa.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    if exponent.is_some() { format!("{value:.decimals$e}") } else { format!("{value:.decimals$}") }
}

/// True if two texts are the same number; zeros of either sign are.
fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.parse::<f64>(), b.parse::<f64>());
    matches!((a, b), (Ok(a), Ok(b)) if a == b || a.is_nan() && b.is_nan())
}

fn slot(json: &Json) -> Result<Slot, String> {
    let words = words(json)?;
    let [w0, w1, w2, w3] = words[..] else {
        return Err(format!("a slot has four words, not {}", words.len()));
    };
    Ok(ISA.slot(Bits { words: [w0, w1, w2, w3, 0] }, Default::default()))
}

fn code(record: &Json) -> Result<Program, String> {
    let slots = record["slots"].as_array().ok_or("`slots` is not a list")?;
    Ok(Program { slots: slots.iter().map(slot).collect::<Result<_, _>>()?, ..Program::default() })
}

/// The constants of a set.
fn constants(set: &Json) -> Result<Vec<Vec4>, String> {
    let mut constants = vec![[0; 4]; usize::from(CONSTANTS)];
    for (index, value) in numbered(&set["c"])? {
        if let Some(constant) = constants.get_mut(index) {
            *constant = vec4(value)?;
        }
    }
    Ok(constants)
}

/// Of places such as `set 3 o0.x`, `set 0 r11.w`, `set 0 c5.y` and `set 1 a0`.
fn replay(record: &Json, place: &str) -> Result<Replay, String> {
    let mut words = place.split(' ').skip(1);
    let number = words.next().unwrap_or("0");
    let set = number.parse().ok().and_then(|number: usize| record["sets"].get(number));
    let set = set.ok_or_else(|| format!("there is no set {number}"))?;
    let at = words.next().unwrap_or_default();
    let file = match at.get(..1) {
        Some("o") => Some(O),
        Some("r") => Some(R),
        Some("c") => Some(C),
        _ => None,
    };
    let named = |(number, components): (String, Mask)| {
        let index = number.get(1..)?.parse().ok()?;
        Some((ISA.files[usize::from(file?)].reg_name(index), components))
    };
    Ok(Replay {
        run: format!("set {number}"),
        program: code(record)?,
        inputs: vec4s(&set["v"])?,
        constants: constants(set)?,
        register: register(at).and_then(named),
    })
}

/// `{"name","slots","sets"}`: for each set of inputs the outputs, temporaries, A0 and constants written.
fn program(record: &Json, profile: Profile) -> Result<Checked, String> {
    let lowered = lowered(&code(record)?, profile);
    let mut checked = Checked { name: name(record, "name"), ..Checked::default() };
    let libm = profile == CPU
        && record["features"].as_array().is_some_and(|list| list.iter().any(|name| name == "libm"));
    let mut run = Run::default();
    for (number, set) in record["sets"].as_array().ok_or("`sets` is not a list")?.iter().enumerate() {
        let constants = constants(set)?;
        run.run(&lowered.function, &vec4s(&set["v"])?, &constants, &NoTextures);
        let value = |file: u8, index: usize| {
            let value = lowered.last(Reg { file, index: index as u16 });
            value.map_or([0; 4], |value| run.value(value))
        };
        let mut compare = |what: String, expected: Vec4, got: Vec4| {
            for component in 0..4 {
                // Programs may carry a difference in a library function's last bit further.
                let rule = match rule(expected[component], false) {
                    ComponentRule::Exact if libm => ComponentRule::Ulps(LIBM_ULPS),
                    rule => rule,
                };
                checked.component(
                    || component_place(&format!("set {number} {what}"), component),
                    rule,
                    expected[component],
                    got[component],
                );
            }
        };
        for (index, expected) in numbered(&set["out"])? {
            compare(format!("o{index}"), vec4(expected)?, value(O, index));
        }
        for (index, expected) in set["r"].as_array().into_iter().flatten().enumerate() {
            compare(format!("r{index}"), vec4(expected)?, value(R, index));
        }
        if set.get("cw").is_some() {
            for (index, expected) in numbered(&set["cw"])? {
                let written = lowered.last(Reg { file: C, index: index as u16 });
                let got = written
                    .map_or(constants.get(index).copied().unwrap_or_default(), |value| run.value(value));
                compare(format!("c{index}"), vec4(expected)?, got);
            }
        }
        if let Some(expected) = set["a0"].as_i64() {
            let got = i64::from(lowered.last(A0).map_or(0, |value| run.value(value)[0] as i32));
            checked.compare(|| format!("set {number} a0"), &expected.to_string(), &got.to_string());
        }
    }
    Ok(checked)
}

/// How far a program's component may be off where the emulator's C library computed a part of it.
const LIBM_ULPS: u64 = 4;

/// The members of an object whose names are numbers.
fn numbered(json: &Json) -> Result<Vec<(usize, &Json)>, String> {
    let members =
        json.as_object().ok_or_else(|| format!("expected an object with numbers as names, found {json}"))?;
    let number = |(name, value)| -> Result<(usize, &Json), String> {
        let name: &String = name;
        Ok((name.parse().map_err(|_| format!("`{name}` is not a register number"))?, value))
    };
    members.iter().map(number).collect()
}

fn read(record: &Json) -> Result<File, String> {
    Ok(File::new("text", record["src"].as_str().ok_or("`src` is not a text")?))
}

fn hex(words: &[u32]) -> String {
    words.iter().map(|word| format!("{word:08x}")).collect::<Vec<_>>().join(" ")
}

/// `{"name","src","words","explicit_final"?}`
///
/// Words are compared where gpuzoo reports two inputs in a slot as the error that it is: the reference assembles it, to
/// the last one for both.
fn assemble(record: &Json, _profile: Profile) -> Result<Checked, String> {
    let place = if record["explicit_final"] == true { Final::Explicit } else { Final::Inline };
    let assembled = program::assemble(
        &read(record)?,
        &program::Options { place, dialect: Some(&VSH), ..Default::default() },
    );
    let mut checked = Checked { name: name(record, "name"), ..Checked::default() };
    let fatal = assembled
        .diagnostics
        .iter()
        .find(|problem| problem.severity == Severity::Error && problem.code != &TWO_INPUTS);
    if let Some(problem) = fatal {
        let got = format!("rejected with {}: {}", problem.code.id, problem.message);
        checked.compare(|| "verdict".into(), "assembled", &got);
        return Ok(checked);
    }
    let got = assembled.program.words(&ISA);
    let got: Vec<&[u32]> = got.chunks(4).collect();
    let expected = record["words"].as_array().ok_or("`words` is not a list")?;
    checked.compare(|| "slots".into(), &expected.len().to_string(), &got.len().to_string());
    for (index, (expected, got)) in expected.iter().zip(got).enumerate() {
        checked.compare(|| format!("slot {index}"), &hex(&words(expected)?), &hex(got));
    }
    Ok(checked)
}

/// `{"src","why","reference"}`: what the reference refuses is refused, or taken with a warning that it refuses it; what
/// it takes and should not is refused or warned of.
fn refuse(record: &Json, _profile: Profile) -> Result<Checked, String> {
    let mut checked = Checked { name: name(record, "why"), ..Checked::default() };
    let source = name(record, "src");
    // One record describes its text in place of holding it.
    let source = match source.strip_prefix('<').and_then(|rest| rest.split(' ').next()?.parse::<usize>().ok())
    {
        Some(count) => "mov r0, v0\n".repeat(count),
        None => source,
    };
    let assembled = program::assemble(
        &File::new("text", &source),
        &program::Options { dialect: Some(&VSH), ..Default::default() },
    );
    let got =
        if assembled.diagnostics.is_empty() { "assembled without a word" } else { "refused or warned of" };
    checked.compare(|| "verdict".into(), "refused or warned of", got);
    Ok(checked)
}

/// `{"words","text"}`, as nv2avshd prints.
fn disassemble(record: &Json, _profile: Profile) -> Result<Checked, String> {
    let slot = slot(&record["words"])?;
    let mut text = String::new();
    print::reference(&slot, &mut text);
    let mut checked = Checked { name: name(record, "text"), ..Checked::default() };
    checked.compare(|| "text".into(), record["text"].as_str().unwrap_or(""), &text);
    Ok(checked)
}
