//! What `run`, `conform` and `explain` are given: vertices and constants in all forms, vector files, words of a command line.

use crate::bytes::choice;
use crate::programs::CONSTANTS;
use crate::sound::{ok, sound};
use gpuzoo::debugger::saved::Saved;
use gpuzoo::debugger::{Console, Run};
use gpuzoo::paint::Paint;
use gpuzoo::project_file::{MOST_VALUES, ProjectFile, is_project};
use gpuzoo::run::constants::Constants;
use gpuzoo::run::npy::{self, Kind};
use gpuzoo::run::{Names, Pieces, Vertices, csv as table, file as input_file, json_vertices, raw as layouts};
use gpuzoo::trace::trace;
use gpuzoo::{
    Arguments, GPUS, Kernel, Machine, Program, Registry, ShaderUnit, State, conform, shader_units, value,
};
use gpuzoo_diag::{FileId, Sources, has_errors};
use gpuzoo_ir::Vec4;
use gpuzoo_isa::FileKind;
use gpuzoo_machine::limits::budget::Budget;
use gpuzoo_machine::{RunState, json as settings};
use std::ops::ControlFlow;
use std::sync::LazyLock;

/// A file of some bytes, which are a text.
fn file(bytes: &[u8]) -> (Sources, FileId) {
    let mut sources = Sources::default();
    let id = sources.add("data", &String::from_utf8_lossy(bytes));
    (sources, id)
}

/// A program that reads what it can be given, that of a machine's first project, and its kernel.
fn program(choice: usize) -> &'static (Program, Kernel) {
    static PROGRAMS: LazyLock<Vec<(Program, Kernel)>> = LazyLock::new(|| {
        let of = |gpu: &'static dyn ShaderUnit| {
            let (name, text) = gpu.about().sample[0];
            let program = Machine::new(gpu).assemble(name, text).expect("a program");
            let kernel = program.kernel(State::new()).expect("a kernel");
            (program, kernel)
        };
        shader_units().map(of).collect()
    });
    &PROGRAMS[choice % PROGRAMS.len()]
}

/// So many vertices are run, of those that a file has.
const MOST_VERTICES: usize = 100;

fn outputs(kernel: &Kernel, vertices: &Vertices, constants: &[Vec4]) -> usize {
    let mut count = 0;
    kernel.stream(vertices, 0, constants, |_, _| {
        count += 1;
        if count < MOST_VERTICES { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    count
}

/// Vertices are run; their number is the same if the file is read in pieces.
fn used(kernel: &Kernel, mut sources: Sources, whole: &Vertices, pieces: Option<Pieces>) {
    sound(kernel.program().sources(), &kernel.remarks(whole, &[]));
    assert_eq!(outputs(kernel, whole, &CONSTANTS), whole.count().min(MOST_VERTICES));
    let Some(mut pieces) = pieces else { return };
    let mut count = 0;
    while let Some((vertices, problems)) = pieces.next(&mut sources).expect("bytes can be read") {
        sound(&sources, &problems);
        count += vertices.count();
    }
    assert_eq!(count, whole.count());
}

/// A table of vertices, and of constants, as users and as RenderDoc write them.
pub(crate) fn csv(bytes: &[u8]) {
    let (bytes, choice) = choice(bytes);
    let (sources, id) = file(bytes);
    let table_file = sources.get(id);
    let (program, kernel) = program(choice);
    let gpu = program.gpu();
    let (vertices, problems) = table::vertices(gpu.isa(), table_file);
    sound(&sources, &problems);
    // With mistakes a reader of pieces ends early.
    let pieces = problems.is_empty().then(|| Pieces::csv(gpu, "data", table_file.text().as_bytes()));
    used(kernel, sources.clone(), &vertices, pieces);
    let names = names(program);
    for names in [&Names::default(), &names] {
        let mut constants = Constants::default();
        sound(&sources, &constants.csv(program, table_file, names));
        drop(names.without_variable(&constants.named));
    }
    let mut named = Pieces::csv(gpu, "data", table_file.text().as_bytes()).named(&names);
    let mut sources = sources.clone();
    while let Some((_, problems)) = named.next(&mut sources).expect("bytes can be read") {
        sound(&sources, &problems);
        if has_errors(&problems) {
            return;
        }
    }
}

/// What a table calls an input and a constant of the machine.
fn names(program: &Program) -> Names {
    let mut names = Names::default();
    let register = |wanted: fn(FileKind) -> bool| {
        input_file(program.gpu().isa(), wanted).map(|(_, file)| file.reg_name(0))
    };
    let input = register(|kind| kind == FileKind::Input);
    for (name, own) in [("POSITION", input), ("light", Some("c1".to_owned()))] {
        let given = gpuzoo_diag::File::new("--map", &format!("{name}={}", own.unwrap_or_default()));
        // A machine calls its constants as it likes.
        drop(names.add(program, &given));
    }
    names
}

/// Vertices and constants as JSON.
pub(crate) fn json(bytes: &[u8]) {
    let (bytes, choice) = choice(bytes);
    let (sources, id) = file(bytes);
    let json_file = sources.get(id);
    ok(&sources, settings::parse(json_file));
    let (program, kernel) = program(choice);
    let gpu = program.gpu();
    if let Some(vertices) = ok(&sources, json_vertices(gpu.isa(), json_file)) {
        let pieces = Pieces::json(gpu, "data", json_file.text().as_bytes(), &Budget::default());
        used(kernel, sources.clone(), &vertices, Some(pieces));
    }
    ok(&sources, Constants::default().json(program, json_file));
}

/// A layout in a line, and a vertex buffer behind it.
pub(crate) fn raw(bytes: &[u8]) {
    let (bytes, choice) = choice(bytes);
    let end = bytes.iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len());
    let (line, buffer) = (&bytes[..end], bytes.get(end + 1..).unwrap_or_default());
    let (program, kernel) = program(choice);
    let stride = (choice / 4).checked_sub(1).map(|stride| stride as u32);
    let (sources, id) = file(line);
    let whole = sources.get(id).whole();
    let gpu = program.gpu();
    if let Some(layout) = ok(&sources, layouts::layout(gpu, sources.get(id), stride)) {
        let inputs = input_file(gpu.isa(), |kind| kind == FileKind::Input).map_or(0, |(_, file)| file.count);
        let problems = layout.check(inputs, buffer.len(), whole);
        sound(&sources, &problems);
        if !has_errors(&problems) {
            let complete = gpu.complete_layout(layout.clone());
            let vertices = Vertices::Buffer { layout: complete, bytes: buffer.into() };
            for length in [Some(buffer.len() as u64), None] {
                let pieces = Pieces::raw(gpu, layout.clone(), whole, buffer, length);
                used(kernel, sources.clone(), &vertices, Some(pieces));
            }
        }
    }
    ok(&sources, Constants::default().raw(gpu.isa(), buffer, whole));
}

/// Arrays in NumPy's form.
pub(crate) fn npy(bytes: &[u8]) {
    let (bytes, choice) = choice(bytes);
    let mut sources = Sources::default();
    let id = sources.add_binary("data");
    let Some(header) = ok(&sources, npy::Header::read(bytes, id)) else { return };
    let numbers = &bytes[header.length..];
    let whole = sources.get(id).whole();
    let (program, kernel) = program(choice);
    let Some(mut pieces) = ok(&sources, Pieces::npy(program.gpu(), header, None, whole, numbers)) else {
        return;
    };
    let (mut count, mut is_whole) = (0, true);
    while let Some((vertices, problems)) = pieces.next(&mut sources).expect("bytes can be read") {
        sound(&sources, &problems);
        is_whole &= !has_errors(&problems);
        count += vertices.count() as u64;
        outputs(kernel, &vertices, &CONSTANTS);
    }
    // All rows, or it is said that it is not so.
    let row = u128::from(header.columns) * if header.kind == Kind::F8 { 8 } else { 4 };
    assert_eq!(is_whole, u128::from(header.rows) * row == numbers.len() as u128);
    assert!(count <= header.rows && (!is_whole || count == header.rows));
}

/// Words of a command line: a number, a constant's value, what an output is to be.
pub(crate) fn arguments(bytes: &[u8]) {
    let (bytes, choice) = choice(bytes);
    let (sources, id) = file(bytes);
    let argument = sources.get(id);
    if let Some(bits) = value::parse(argument.text()) {
        assert_eq!(value::parse(&value::show(bits)), Some(bits));
    }
    let (program, _) = program(choice);
    ok(&sources, Constants::default().argument(program, argument));
    ok(&sources, Constants::output(program.gpu(), argument));
}

/// What is to be explained of a machine, or of all.
pub(crate) fn explain(bytes: &[u8]) {
    let (bytes, choice) = choice(bytes);
    let (sources, id) = file(bytes);
    let words: Vec<&str> = sources.get(id).text().split(' ').collect();
    let gpu = GPUS.get(choice % (GPUS.len() + 1)).copied();
    if let Some(page) = ok(&sources, gpuzoo::explain::explain(&Registry::default(), gpu, &words)) {
        drop(page.text());
    }
}

/// A project file, and the options that it gives.
pub(crate) fn project(bytes: &[u8]) {
    let (sources, id) = file(bytes);
    let text = sources.get(id);
    let read = ProjectFile::parse(&Registry::default(), text);
    match read {
        Ok(project) => {
            assert!(is_project(text.text()) && !project.sources.is_empty());
            assert!(project.options.iter().all(|given| given.values.len() <= MOST_VALUES));
        }
        Err(problems) => {
            assert!(has_errors(&problems));
            sound(&sources, &problems);
        }
    }
}

/// A saved session: what is read is written the same, and its commands are carried out or refused.
pub(crate) fn session(bytes: &[u8]) {
    let (sources, id) = file(bytes);
    let text = sources.get(id);
    let Some(saved) = ok(&sources, Saved::read(text)) else { return };
    let mut again = Sources::default();
    let id = again.add("again", &saved.text());
    let read = Saved::read(again.get(id)).expect("what is written can be read");
    assert_eq!(read.text(), saved.text());
    let (program, _) = program(bytes.len());
    let run = trace(program, &RunState::default(), &Vertices::nothing(), 0, &CONSTANTS, &[]);
    let runs = vec![Run::of_trace(run.clone()), Run::of_trace(run)];
    let mut console = Console::new(runs, sources.clone(), false, Paint::PLAIN);
    console.limit(1000);
    for (command, _) in &saved.commands {
        let mut lines = Sources::default();
        let id = lines.add("command", command);
        let line = lines.get(id);
        ok(&lines, console.obey(line, line.whole().range()));
    }
}

/// A vector file of a machine, and the first of its records that fails, as a run.
pub(crate) fn vectors(bytes: &[u8]) {
    let (bytes, choice) = choice(bytes);
    let (sources, id) = file(bytes);
    let file = sources.get(id);
    let gpu = GPUS[choice % GPUS.len()];
    let arguments = Arguments::default();
    let mut companions = conform::Companions::default();
    companions.note(gpu, file);
    let files = conform::files(gpu, file).into_iter().map(|name| (name, bytes.to_vec())).collect();
    let options = conform::Options {
        arguments: &arguments,
        companions: &companions,
        files: &files,
        failures: 3,
        every: false,
        budget: &Budget::default(),
    };
    if let Some(unit) = gpu.shader_unit() {
        ok(&sources, conform::replay::open(unit, file, (choice > 16).then_some(choice / 16), &options));
    }
    let report = conform::check(gpu, file, &options, |_| {});
    sound(&sources, &report.diagnostics);
    drop(report.text(Paint::PLAIN) + &gpuzoo::diag::json::text(&report.json()));
}
