//! Programs that the host opens, and their runs over arrays.

use crate::files::Files;
use crate::memory::Bytes;
use crate::objects::{Object, Objects, Opened, closed, number};
use crate::request::{Answer, Problem, Reply, Request};
use gpuzoo::diag::{File, Sources, json};
use gpuzoo::ir::Vec4;
use gpuzoo::isa::FileKind;
use gpuzoo::options::{CompileOptions, ReadOptions, StateOptions};
use gpuzoo::paint::Paint;
use gpuzoo::run::{self, Column, Vertices};
use gpuzoo::why::{self, Question};
use gpuzoo::{Buffer, Inputs, Kernel, Machine, Program, Registry};
use serde_json::{Value as Json, json};
use std::ops::ControlFlow;

/// The machine of a request.
fn machine(registry: &Registry, request: Request) -> Result<Machine, Problem> {
    Ok(Machine::new(registry.shader_unit(request.maybe("gpu"), "")?))
}

/// Reads a program: its number, and what there is to know about it.
pub fn open(registry: &Registry, files: &Files, objects: &mut Objects, request: Request) -> Answer {
    let (machine, mut options) = (machine(registry, request)?, request.options()?);
    let read: ReadOptions = options.take()?;
    options.finish()?;
    let include = |wanted: &str| files.include(wanted);
    let (name, bytes) = (request.maybe("name").unwrap_or("program"), request.content()?);
    let program = machine.read(name, bytes, &read, Some(&include))?;
    Ok(opened(objects, program, json!({ "uniforms": [], "listing": null })).into())
}

/// Compiles a source in a shading language; the answer is that of [`open`].
pub fn compile(registry: &Registry, files: &Files, objects: &mut Objects, request: Request) -> Answer {
    let (machine, mut options) = (machine(registry, request)?, request.options()?);
    let (read, compile): (ReadOptions, CompileOptions) = (options.take()?, options.take()?);
    options.finish()?;
    let include = |wanted: &str| files.include(wanted);
    let (name, bytes) = (request.maybe("name").unwrap_or("program"), request.content()?);
    let compiled = machine.compile(name, bytes, &read, &compile, Some(&include))?;
    let uniforms = compiled.uniforms().iter();
    let uniforms = uniforms.map(|own| json!({ "name": own.name, "type": own.ty, "registers": own.count }));
    let facts = json!({
        "uniforms": uniforms.collect::<Json>(),
        "listing": compiled.text(compiled.program().sources()),
    });
    Ok(opened(objects, compiled.program().clone(), facts).into())
}

/// Makes a program shorter: the answer is that of [`open`] for the shorter one, and the difference.
pub fn optimize(objects: &mut Objects, program: &Program) -> Answer {
    let packed = program.pack()?;
    let mut value = opened(objects, packed.program.clone(), json!({ "uniforms": [], "listing": null }));
    value["slots"] = json!(packed.slots);
    value["bound"] = json!(packed.bound);
    value["leftOut"] = json!(packed.left_out);
    value["summary"] = json!(packed.summary());
    Ok(value.into())
}

/// Keeps a program: its number, and what there is to know about it.
fn opened(objects: &mut Objects, program: Program, facts: Json) -> Json {
    let warnings = json!(json::problems(program.sources(), program.warnings()));
    let (isa, code) = (program.isa(), program.code());
    let constants = code.constants.iter().map(|own| {
        json!({ "name": own.name, "register": code.reg_name(isa, own.reg), "count": own.count, "values": own.values })
    });
    json!({
        "warnings": warnings,
        "constants": constants.collect::<Json>(),
        "words": program.words(),
        "uniforms": facts["uniforms"],
        "listing": facts["listing"],
        "id": objects.open(Object::Program(Box::new(Opened { program, kernel: None }))),
    })
}

/// The options of a request that are those of a machine's state and no others.
fn state(request: Request) -> Result<StateOptions, Problem> {
    let mut options = request.options()?;
    let state = options.take()?;
    options.finish()?;
    Ok(state)
}

/// Inputs and constants, whose values came with the request.
fn inputs<'a>(request: Request<'a>) -> Result<Inputs<'a>, Problem> {
    let mut inputs = Inputs::new();
    if request.is("zeros") {
        inputs = inputs.zeros();
    }
    for (name, about) in request.named("inputs") {
        let own = Request { about, ..request };
        let size = |what: &str| own.number::<usize>(what).map(Option::unwrap_or_default);
        let words = request.block(&about["data"])?.words();
        inputs = inputs.borrow(name, words, size("stride")?, size("components")?, size("count")?)?;
    }
    for (name, number) in request.named("constants") {
        let (values, rest) = request.block(number)?.words().as_chunks::<4>();
        if !rest.is_empty() {
            return Err(format!("the values of `{name}` are not rows of four").into());
        }
        let values: &[Vec4] = values;
        inputs = inputs.constants(name, values);
    }
    Ok(inputs)
}

/// Runs a program. The bytes are its outputs, each four words a vertex, then if programs can be killed a word for each vertex.
pub fn run(objects: &mut Objects, request: Request) -> Answer {
    let opened = objects.program(number(request)?).ok_or_else(closed)?;
    let (only, state) = (request.texts("outputs"), state(request)?);
    let key = format!("{state:?} {only:?}");
    if opened.kernel.as_ref().is_none_or(|(of, _)| *of != key) {
        let kernel = opened.program.kernel(state.state())?;
        let kernel = if only.is_empty() { kernel } else { kernel.only(&only)? };
        opened.kernel = Some((key, kernel));
    }
    let Some((_, kernel)) = &opened.kernel else { return Err(closed()) };
    let inputs = inputs(request)?;
    // Without inputs it runs once.
    let count = request.named("inputs").next().map_or(Some(1), |(_, about)| about["count"].as_u64());
    let count = count.and_then(|count| usize::try_from(count).ok()).unwrap_or(0);
    ran(kernel, &inputs, count)
}

fn ran(kernel: &Kernel, inputs: &Inputs, count: usize) -> Answer {
    let names = kernel.output_names();
    let size = count.checked_mul(4).and_then(|each| each.checked_mul(names.len()));
    let size = size.filter(|size| *size <= MOST_WORDS).ok_or_else(|| {
        Problem::from(format!("results of more than {MOST_WORDS} words do not fit: run parts"))
    })?;
    let mut words = vec![0; size];
    let columns = words.chunks_exact_mut((count * 4).max(1));
    let buffers = names.iter().zip(columns).map(|(name, column)| Buffer::bits(name, column, 4, 4));
    let (killed, ran) = kernel.run_noting(inputs, buffers.collect())?;
    words.extend(killed.iter().map(|killed| u32::from(*killed)));
    let sources = kernel.program().sources();
    let remarks = ran.remarks();
    let constants: serde_json::Map<String, Json> =
        ran.constants().into_iter().map(|(name, value)| (name, json!(value))).collect();
    let value = json!({
        "count": count,
        "outputs": names,
        "killed": !killed.is_empty(),
        "constants": constants,
        "remarks": json::problems(sources, &remarks),
    });
    Ok(Reply { value, bytes: Bytes::Words(words) })
}

/// The largest result, in words: half of what memory can be.
const MOST_WORDS: usize = 1 << 28;

/// Runs a program over rows as a compute shader of it does, so that the two can be compared: `registers` are its inputs in their order, the
/// first bytes their words for each run, the second ones the constants from number 0 on. The bytes are the outputs that it writes, four
/// words each, one run after the other.
pub fn rows(program: &Program, state: &StateOptions, request: Request) -> Answer {
    let kernel = program.kernel(state.state())?;
    let registers = request.texts("registers");
    let (inputs, _) = request.block(&json!(0))?.words().as_chunks::<4>();
    let (constants, _) = request.block(&json!(1))?.words().as_chunks::<4>();
    let file = run::file(program.isa(), |kind| kind == FileKind::Input).map(|(_, file)| file);
    let each = registers.len().max(1);
    let count = match registers.is_empty() {
        true => 1,
        false => inputs.len() / each,
    };
    let columns = registers.iter().enumerate().map(|(at, name)| {
        let input = file.and_then(|file| run::register(file, name));
        let input = input.ok_or_else(|| Problem::from(format!("there is no input `{name}`")))?;
        let values: Vec<u32> = inputs.iter().skip(at).step_by(each).take(count).flatten().copied().collect();
        Ok(Column { input, values: values.into(), stride: 4, components: 4 })
    });
    let columns = columns.collect::<Result<Vec<_>, Problem>>()?;
    let mut words = Vec::new();
    kernel.stream(&Vertices::Columns { count, columns }, 0, constants, |_, outputs| {
        let own = kernel.output_names().len();
        words.extend(outputs.map_or(vec![0; 4 * own], |outputs| outputs.as_flattened().to_vec()));
        ControlFlow::Continue(())
    });
    Ok(Reply {
        value: json!({ "count": count, "outputs": kernel.output_names() }),
        bytes: Bytes::Words(words),
    })
}

/// The run of one vertex, step by step: lines of JSON, and all of it as text. With `why` also where a register comes from.
pub fn trace(objects: &mut Objects, request: Request) -> Answer {
    let opened = objects.program(number(request)?).ok_or_else(closed)?;
    let vertex = request.number("vertex")?.unwrap_or(0);
    let trace = opened.program.trace(state(request)?.state(), &inputs(request)?, vertex)?;
    let sources = opened.program.sources();
    let lines = trace.json_lines(sources, true);
    let mut value = json!({
        "lines": lines.lines().filter_map(|line| serde_json::from_str(line).ok()).collect::<Vec<Json>>(),
        "text": trace.text(false, Paint::PLAIN),
    });
    if let Some(wanted) = request.maybe("why") {
        let mut asked = Sources::default();
        let file = asked.add("register", wanted);
        let file: &File = asked.get(file);
        let question = Question::read(file)?;
        let traces = std::slice::from_ref(&trace);
        let answer = why::answer(&trace, &question)
            .ok_or_else(|| Problem::from(why::no_such_register(traces, &question, file)))?;
        value["why"] =
            json!({ "text": answer.text(sources, false, Paint::PLAIN), "graph": answer.json(false) });
    }
    Ok(value.into())
}
