//! The vector files that `conform` reads for this machine (docs/conformance.md has their formats).

use crate::picture::pixels;
use crate::profile::{DOCUMENT, UNIT};
use crate::rules::{INPUT_AND_UNIFORM, MASK_IGNORED, SWIZZLE_IN_PLACE};
use crate::{ISA, Job, Unit, assemble, check, descriptors, execute, load, program_dwords};
use gpuzoo_diag::{File, Severity, Span};
use gpuzoo_ir::Vec4;
use gpuzoo_isa::{Assembled, Mask, Port, Profile};
use gpuzoo_machine::unit::job::JobOptions;
use gpuzoo_machine::vectors::shape::{Member, Shape};
use gpuzoo_machine::vectors::{Checked, ComponentRule, Replay, VectorKind, bytes, has, words};
use serde_json::Value as Json;

/// Texts with their dwords or errors; stored programs with inputs, outputs and cycles; draws with their pictures.
pub static KINDS: &[VectorKind] = &[
    VectorKind::new("assemble", |record| has(record, &["id", "source", "ok"]), ASSEMBLY, check_assembly),
    VectorKind {
        replay: Some(replay),
        ..VectorKind::new("run", |record| has(record, &["id", "dwords", "executes"]), RUN, run)
    },
    VectorKind {
        files: &["image", "depth_image"],
        ..VectorKind::new("scene", |record| has(record, &["width", "height", "draws", "image"]), SCENE, scene)
    },
];

const WORDS: Shape = Shape::List(&Shape::Word);
const TEXTS: Shape = Shape::List(&Shape::Text);

const ASSEMBLY: &[Member] = &[
    Member::new("id", Shape::Text),
    Member::optional("tags", TEXTS),
    Member::new("source", Shape::Text),
    Member::new("ok", Shape::Bool),
    Member::optional("dwords", WORDS),
    Member::optional("vs_input_components", PIN),
    Member::optional("vs_fs_components", PIN),
    Member::optional("uniform_components", PIN),
    Member::optional(
        "document",
        Shape::Object(&[
            Member::new("ok", Shape::Bool),
            Member::optional("dwords", WORDS),
            Member::remark("note"),
        ]),
    ),
    Member::remark("error"),
    Member::remark("error_line"),
    Member::remark("error_kind"),
    Member::remark("note"),
];

const PIN: Shape = Shape::OrNull(&Shape::Count);

const RUN: &[Member] = &[
    Member::new("id", Shape::Text),
    Member::optional("tags", TEXTS),
    Member::optional("quirks", TEXTS),
    Member::new("dwords", WORDS),
    Member::new("executes", Shape::List(&Shape::Object(EXECUTE))),
    Member::remark("shader"),
    Member::remark("source"),
    Member::remark("nan_outputs"),
    Member::remark("hand_encoded"),
    Member::remark("note"),
];

const EXECUTE: &[Member] = &[
    Member::new("threads", Shape::Count),
    Member::new("inputs", Shape::List(&WORDS)),
    Member::new("uniforms", WORDS),
    Member::optional("triangle", WORDS),
    Member::optional("outputs", Shape::List(&WORDS)),
    Member::optional("instructions", Shape::Count),
    Member::optional(
        "cycles",
        Shape::Object(&[
            Member::optional("first_output", Shape::Count),
            Member::optional("last_output", Shape::Count),
        ]),
    ),
    Member::optional("outcome", Shape::Choice(&["model-error", "host-SIGFPE"])),
    Member::optional("error", Shape::Text),
];

/// What [`Job::read`] reads, with rules of its own, and what came out.
const SCENE: &[Member] = &[
    Member::remark("title"),
    Member::new("width", Shape::Any),
    Member::new("height", Shape::Any),
    Member::optional("depth", Shape::Any),
    Member::optional("profile", Shape::Any),
    Member::optional("fill", Shape::Any),
    Member::optional("no_limits", Shape::Any),
    Member::optional("clear_color", Shape::Any),
    Member::optional("clear_depth", Shape::Any),
    Member::new("draws", Shape::Any),
    Member::new("image", Shape::Text),
    Member::optional("depth_image", Shape::Text),
    Member::optional(
        "fragments",
        Shape::List(&Shape::Object(&[
            Member::optional("triangle", Shape::Count),
            Member::optional("fragments", Shape::Count),
            Member::optional("written", Shape::Count),
        ])),
    ),
    Member::optional("cycles", Shape::Count),
    Member::remark("extra_cycles_before_draw"),
    Member::remark("note"),
];

fn name(record: &Json) -> String {
    record["id"].as_str().unwrap_or("").to_owned()
}

fn tagged(record: &Json, list: &str, tag: &str) -> bool {
    record[list].as_array().is_some_and(|tags| tags.iter().any(|own| own == tag))
}

fn hex(words: &[u32]) -> String {
    words.iter().map(|word| format!("{word:08x}")).collect::<Vec<_>>().join(" ")
}

/// What gpuzoo accepts or refuses under `document` although the document is silent and the reference does otherwise
/// (docs/disputes.md): what a register beyond r15, or with a leading zero, is read as, and lines that end in CR LF.
const DECIDED: &[(&str, bool)] = &[("r16-splits", false), ("leading-zero-reg", false), ("crlf", true)];

/// The verdict that is ours, if this is a record where the reference's does not count.
///
/// Besides those with tags there are records that do not mention the document although it forbids them: a random
/// program may declare a register as input and as uniform.
fn decided(record: &Json, assembled: &Assembled) -> Option<bool> {
    let by_tag = DECIDED.iter().find(|(tag, _)| tagged(record, "tags", tag)).map(|(_, ok)| *ok);
    let mut errors =
        assembled.diagnostics.iter().filter(|problem| problem.severity == Severity::Error).peekable();
    let forbidden = errors.peek().is_some() && errors.all(|problem| problem.code == &INPUT_AND_UNIFORM);
    by_tag.or((forbidden && record.get("document").is_none()).then_some(false))
}

/// `{"source","ok","dwords"|"error",…,"document"?}`. Where there is a `document`, profile `document` goes by it.
fn check_assembly(record: &Json, profile: Profile) -> Result<Checked, String> {
    let source = record["source"].as_str().ok_or("`source` is not a text")?;
    let assembled = assemble(&File::new("source", source), profile);
    let mut checked = Checked { name: name(record), ..Checked::default() };
    let decided = decided(record, &assembled).filter(|_| profile == DOCUMENT);
    let expected = match record.get("document") {
        Some(document) if profile == DOCUMENT => document,
        _ => record,
    };
    let ok = match decided {
        Some(ok) => ok,
        None => expected["ok"].as_bool().ok_or("`ok` is neither true nor false")?,
    };
    checked.compare(|| "verdict".into(), verdict(ok), verdict(assembled.ok()));
    if !ok || !assembled.ok() {
        return Ok(checked);
    }
    if let (Some(dwords), None) = (expected.get("dwords"), decided) {
        let got = program_dwords(&assembled.program);
        checked.compare(|| "dwords".into(), &hex(&words(dwords)?), &hex(&got));
    }
    let pins = ["vs_input_components", "vs_fs_components", "uniform_components"];
    let got = assembled.program.interface.as_ref().map(descriptors).unwrap_or_default();
    for (pin, got) in pins.into_iter().zip(got) {
        // Of a fragment shader the reference derives two; the others are null.
        if let Some(value) = record[pin].as_u64() {
            checked.compare(|| pin.into(), &format!("{value:02x}"), &format!("{got:02x}"));
        }
    }
    Ok(checked)
}

fn verdict(ok: bool) -> &'static str {
    if ok { "assembled" } else { "refused" }
}

/// Behaviour of the reference's unit that profile `document` does not share.
const QUIRKS: &[&str] = &["swizzle-in-place", "fnorm-mask-ignored", "fcross-mask-ignored"];

/// `{"dwords","executes","quirks"?}`: the program is stored once and executed as often as there are executes.
///
/// Any NaN is any NaN. Where the reference's process dies of an integer division, an answer is all that is asked for.
/// Where its model ends with an error, the unit must stop with the same one. Under `document` the outputs of
/// programs that depend on the unit's quirks are not compared.
fn run(record: &Json, profile: Profile) -> Result<Checked, String> {
    let mut checked = Checked { name: name(record), ..Checked::default() };
    let mut unit = Unit::new(profile);
    let quirky = profile != UNIT && QUIRKS.iter().any(|quirk| tagged(record, "quirks", quirk));
    let mut request = words(&record["dwords"])?;
    for (index, execute) in
        record["executes"].as_array().ok_or("`executes` is not a list")?.iter().enumerate()
    {
        request.extend(data(execute)?);
        let pushed = request.drain(..).try_for_each(|dword| unit.push(dword));
        match execute["outcome"].as_str() {
            Some("model-error") => {
                let got = pushed.err().map_or("no error".to_owned(), |error| error.to_string());
                checked.compare(
                    || format!("execute {index} error"),
                    execute["error"].as_str().unwrap_or(""),
                    &got,
                );
                return Ok(checked);
            }
            Some("host-SIGFPE") => {
                let answers = pushed.is_ok() && unit.take().is_some();
                checked.compare(
                    || format!("execute {index}"),
                    "an answer",
                    if answers { "an answer" } else { "none" },
                );
                return Ok(checked);
            }
            Some(other) => {
                return Err(format!("`{other}` is not an outcome; known are host-SIGFPE and model-error"));
            }
            None => {}
        }
        if let Err(error) = pushed {
            checked.compare(|| format!("execute {index}"), "an answer", &error.to_string());
            return Ok(checked);
        }
        compare(execute, index, quirky, &mut unit, &mut checked)?;
    }
    Ok(checked)
}

/// Of places such as `execute 0 thread 3 output 5`.
fn replay(record: &Json, place: &str) -> Result<Replay, String> {
    let words_of = |name: &str| place.split(' ').skip_while(|word| *word != name).nth(1);
    let number = |name: &str| words_of(name).and_then(|number| number.parse::<usize>().ok());
    let (at, thread) = (number("execute").unwrap_or(0), number("thread").unwrap_or(0));
    let execute = &record["executes"][at];
    if execute.get("triangle").is_some() {
        return Err("it is a fragment shader with a triangle, which is debugged in a job".to_owned());
    }
    let stored: Vec<u8> = words(&record["dwords"])?.into_iter().flat_map(u32::to_le_bytes).collect();
    let program = load(&stored, Span::default()).program;
    let interface = program.interface.clone().unwrap_or_default();
    let values = |ports: &[Port], data: &Json| -> Result<Vec<Vec4>, String> {
        let mut data = words(data)?.into_iter();
        let value = |port: &Port| {
            let mut value = [0; 4];
            value.iter_mut().take(port.components.into()).for_each(|to| *to = data.next().unwrap_or(0));
            value
        };
        Ok(ports.iter().map(value).collect())
    };
    let inputs = values(&interface.inputs, &execute["inputs"][thread])?;
    let constants = values(&interface.uniforms, &execute["uniforms"])?;
    let mut outputs =
        interface.outputs.iter().flat_map(|port| (0..port.components).map(move |own| (port.reg, own)));
    let register = number("output").and_then(|output| outputs.nth(output));
    let register = register
        .map(|(reg, component)| (ISA.files[usize::from(reg.file)].reg_name(reg.index), Mask(1 << component)));
    Ok(Replay { run: format!("execute {at} thread {thread}"), program, inputs, constants, register })
}

/// The dwords of an execute command and its data.
fn data(record: &Json) -> Result<Vec<u32>, String> {
    let threads = record["threads"].as_u64().filter(|threads| (1..=32).contains(threads));
    let threads = threads.ok_or("`threads` is not a number from 1 to 32")?;
    let mut dwords = execute(threads as u32).to_vec();
    for inputs in record["inputs"].as_array().ok_or("`inputs` is not a list")? {
        dwords.extend(words(inputs)?);
    }
    dwords.extend(words(&record["uniforms"])?);
    if let Some(triangle) = record.get("triangle") {
        dwords.extend(words(triangle)?);
    }
    Ok(dwords)
}

fn compare(
    record: &Json,
    index: usize,
    quirky: bool,
    unit: &mut Unit,
    checked: &mut Checked,
) -> Result<(), String> {
    let Some(execution) = unit.executions().get(index).copied() else {
        checked.compare(|| format!("execute {index}"), "an answer", "a wait for more input");
        return Ok(());
    };
    let counts = [
        ("instructions", record["instructions"].as_u64(), execution.instructions),
        ("first output", record["cycles"]["first_output"].as_u64(), execution.first_output),
        ("last output", record["cycles"]["last_output"].as_u64(), execution.last_output),
    ];
    for (what, expected, got) in counts {
        if let Some(expected) = expected {
            checked.compare(|| format!("execute {index} {what}"), &expected.to_string(), &got.to_string());
        }
    }
    for (thread, expected) in
        record["outputs"].as_array().ok_or("`outputs` is not a list")?.iter().enumerate()
    {
        for (output, expected) in words(expected)?.into_iter().enumerate() {
            let place = || format!("execute {index} thread {thread} output {output}");
            let Some(got) = unit.take() else {
                checked.compare(place, &format!("{expected:08x}"), "nothing");
                continue;
            };
            let nan = f32::from_bits(expected).is_nan();
            let rule = match (quirky, nan) {
                (true, _) => ComponentRule::Informational,
                (false, true) => ComponentRule::Nan,
                (false, false) => ComponentRule::Exact,
            };
            checked.component(place, rule, expected, got);
        }
    }
    let left = std::iter::from_fn(|| unit.take()).count();
    checked.compare(|| format!("execute {index} dwords left over"), "0", &left.to_string());
    Ok(())
}

/// A pixel as style sheets write it, red first: `#ff8000`, or with alpha `#ff8000ff` where the picture says it.
fn color(word: u32, said: u32) -> String {
    let [red, green, blue, alpha] = word.to_le_bytes();
    match said {
        u32::MAX => format!("#{red:02x}{green:02x}{blue:02x}{alpha:02x}"),
        _ => format!("#{red:02x}{green:02x}{blue:02x}"),
    }
}

/// `{"width","height","draws","image",…}`: draws with their picture, depths, fragments of each triangle and, where it
/// is recorded, the cycles of the draws. Under `document` the picture and the depths of programs that depend on the
/// unit's quirks are not compared.
fn scene(record: &Json, profile: Profile) -> Result<Checked, String> {
    let options = JobOptions { profile: Some(profile), ..JobOptions::default() };
    let (job, problems) = Job::read(&File::new("scene", &record.to_string()), &options);
    let Some(job) = job else {
        return Err(problems.into_iter().map(|problem| problem.message).collect::<Vec<_>>().join("; "));
    };
    let mut checked =
        Checked { name: record["title"].as_str().unwrap_or("").to_owned(), ..Checked::default() };
    let done = match job.run(None) {
        Ok(done) => done,
        Err(error) => {
            checked.compare(|| "draw".into(), "a picture", &error.to_string());
            return Ok(checked);
        }
    };
    let quirky =
        profile != UNIT && job.draws.iter().any(|draw| depends_on_quirks([&draw.vertex, &draw.fragment]));
    let depth_rule = |expected: u32| match quirky {
        true => ComponentRule::Informational,
        false if f32::from_bits(expected).is_nan() => ComponentRule::Nan,
        false => ComponentRule::Exact,
    };
    let (picture, said) = pixels(&bytes(&record["image"])?, job.width, job.height)?;
    let place = |what: &str, index: usize| {
        let width = job.width as usize;
        format!("{what} ({}, {})", index % width, index / width)
    };
    for (index, (expected, got)) in picture.into_iter().zip(&done.picture).enumerate() {
        match *got & said {
            _ if quirky => {}
            got if got == expected => checked.compared += 1,
            got => {
                let [expected, got] = [expected, got].map(|word| color(word, said));
                checked.compare(|| place("pixel", index), &expected, &got);
            }
        }
    }
    if let (Some(file), Some(depths)) = (record.get("depth_image"), &done.depths) {
        let file = bytes(file)?;
        let words = file.as_chunks::<4>().0;
        if words.len() != depths.len() {
            return Err(format!("{} depths for {} pixels", words.len(), depths.len()));
        }
        for (index, (expected, got)) in words.iter().zip(depths).enumerate() {
            let expected = u32::from_le_bytes(*expected);
            checked.component(|| place("depth", index), depth_rule(expected), expected, *got);
        }
    }
    let triangles: Vec<_> = done.draws.iter().flat_map(|draw| &draw.triangles).collect();
    for (index, expected) in record["fragments"].as_array().into_iter().flatten().enumerate() {
        let triangle = triangles.get(index);
        for (what, got) in [
            ("fragments", triangle.map(|triangle| triangle.fragments)),
            ("written", triangle.map(|triangle| triangle.written)),
        ] {
            let Some(expected) = expected[what].as_u64() else { continue };
            let got = got.map_or("no triangle".to_owned(), |got| got.to_string());
            checked.compare(|| format!("triangle {index} {what}"), &expected.to_string(), &got);
        }
    }
    if let Some(expected) = record["cycles"].as_u64() {
        let got: u64 = done.draws.iter().map(|draw| draw.cycles).sum();
        // An estimate: what blocks lose to each other at the memory is not counted.
        let near = got.abs_diff(expected) * 1000 <= expected;
        let shown = if near { expected } else { got };
        checked.compare(|| "cycles".into(), &expected.to_string(), &shown.to_string());
    }
    Ok(checked)
}

/// True if programs have an instruction that means something else under `document`.
fn depends_on_quirks(programs: [&[u32]; 2]) -> bool {
    programs.into_iter().any(|dwords| {
        let bytes: Vec<u8> = dwords.iter().flat_map(|word| word.to_le_bytes()).collect();
        let problems = check(&load(&bytes, Span::default()).program);
        problems.iter().any(|problem| [&MASK_IGNORED, &SWIZZLE_IN_PLACE].contains(&problem.code))
    })
}
