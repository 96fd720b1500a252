//! For any bytes, every reader gives a result or a problem with a place, and never panics.

use gpuzoo::computer::{Input, ScreenOptions};
use gpuzoo::diag::{Diagnostic, File, Sources, Span, has_errors, render};
use gpuzoo::emit::{Emit, Options, emit};
use gpuzoo::ir::Vec4;
use gpuzoo::machine::{RunState, TextOptions, json};
use gpuzoo::read::{self, Form};
use gpuzoo::run::constants::Constants;
use gpuzoo::run::output::{Format, Printer};
use gpuzoo::run::{Vertices, csv, json_vertices, raw};
use gpuzoo::{
    Arguments, Computer, GPUS, Kernel, Machine, Registry, ShaderUnit, State, check, conform, explain,
    shader_units, trace,
};
use proptest::collection::vec;
use proptest::prelude::*;
use std::ops::ControlFlow;

/// Text of pieces that the readers know, and of some that they do not.
fn pieces() -> impl Strategy<Value = String> {
    let words = [
        " ",
        "\n",
        "\t",
        ",",
        ";",
        "\"",
        "{",
        "}",
        "[",
        "]",
        ":",
        "=",
        "#",
        "//",
        "ld",
        "st",
        "mulm",
        "shf",
        "end",
        ".word",
        ".exact",
        "r0",
        "r12",
        "r16",
        "pos",
        "tex",
        "xyzw",
        "0b1111",
        "7",
        "63",
        "in0.x",
        "in0",
        "v1.w",
        "1.z",
        "name,x,y,z,w\n",
        "c4",
        "\"in0\"",
        "\"c1\"",
        "\"words\"",
        "\"text\"",
        "\"word\"",
        "-1e38",
        "nan",
        "\"inf\"",
        "0x3f800000",
        "0000003f",
        "true",
        "0:0:Float4",
        "1:16:UNorm4",
        "9",
        "4294967295",
        "\u{e9}",
        "\0",
        "\\",
        "\\u12",
    ];
    vec(proptest::sample::select(words.to_vec()), 0..50).prop_map(|words| words.concat())
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![pieces(), "\\PC{0,60}", ".{0,60}"]
}

/// Every span lies in its file, and the messages can be shown.
fn sound(sources: &Sources, diagnostics: &[Diagnostic]) {
    for diagnostic in diagnostics {
        for Span { file, start, end } in diagnostic.labels.iter().map(|label| label.span) {
            let file = sources.find(file).expect("a file of ours");
            assert!(start <= end, "{diagnostic:?}");
            assert!(file.is_binary() || end as usize <= file.text().len(), "{diagnostic:?}");
        }
    }
    let _ = render::human(sources, diagnostics, &render::Style::plain());
}

fn one(sources: &Sources, result: Result<impl Sized, Diagnostic>) {
    if let Err(problem) = result {
        assert!(!problem.message.is_empty());
        sound(sources, &[problem]);
    }
}

/// The outputs of every vertex; none for those that were killed.
fn outputs(kernel: &Kernel, vertices: &Vertices, constants: &[Vec4]) -> Vec<Vec<Vec4>> {
    let mut all = Vec::new();
    kernel.stream(vertices, 0, constants, |_, outputs| {
        all.push(outputs.unwrap_or_default().to_vec());
        ControlFlow::Continue(())
    });
    all
}

/// All that can be done with a program that was read.
fn use_it(gpu: &'static dyn ShaderUnit, bytes: &[u8], form: Option<Form>) {
    let mut sources = Sources::default();
    let read = |sources: &mut Sources, bytes: &[u8], form| {
        read::read(gpu, sources, "p", bytes, form, &TextOptions::default())
    };
    let program = match read(&mut sources, bytes, form) {
        Ok(program) => program,
        Err(problems) => {
            assert!(has_errors(&problems));
            return sound(&sources, &problems);
        }
    };
    sound(&sources, program.warnings());
    sound(&sources, &program.check());
    drop(check::figures(&program).text());
    for (name, profile) in gpu.about().named_profiles() {
        for (_, _, form, _) in Emit::ALL {
            let emitted = emit(&program, form, &Options { name: "p", profile, optimize: true });
            let Ok(bytes) = emitted else {
                assert_eq!(form, Emit::CKernel);
                continue;
            };
            let text_form = match form {
                Emit::Bin => Form::Bin,
                Emit::Hex => Form::Hex,
                Emit::Json => Form::Json,
                Emit::Asm => Form::Asm,
                Emit::C | Emit::Rust | Emit::Ir | Emit::CKernel => continue,
                other => panic!("{other:?} is not tried"),
            };
            // Each form is read back as the same program.
            let again = read(&mut Sources::default(), &bytes, Some(text_form)).expect("a program");
            assert_eq!(again.words(), program.words(), "{form:?}");
        }
        // Some words are illegal on some machines.
        let Ok(kernel) = program.kernel(name) else { continue };
        let state = RunState::from(profile);
        let traced = trace::trace(&program, &state, &Vertices::nothing(), 0, &[]);
        // The optimized program and the traced one end with the same bits.
        let ends: Vec<_> = traced.outputs.iter().map(|(_, value)| *value).collect();
        assert_eq!(outputs(&kernel, &Vertices::nothing(), &[]), [ends]);
        let _ = traced.text(false) + &traced.json_lines(&sources, true);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn programs(bytes in vec(any::<u8>(), 0..300), text in text()) {
        for gpu in shader_units() {
            for form in [None, Some(Form::Asm), Some(Form::Bin), Some(Form::Hex), Some(Form::Json)] {
                use_it(gpu, text.as_bytes(), form);
                use_it(gpu, &bytes, form);
            }
        }
    }

    /// What a CPU runs, in every form, with any bytes: what is wrong is a diagnostic.
    #[test]
    fn software(bytes in vec(any::<u8>(), 0..200), text in text(), cycles in 0u64..2000, load in any::<u16>()) {
        let cycles = Arguments::new("").set("cycles", cycles);
        for gpu in GPUS.iter().filter_map(|gpu| gpu.computer()) {
            let computer = Computer::new(gpu);
            for form in gpu.about().forms.iter().filter(|form| form.is_read) {
                for bytes in [text.as_bytes(), &bytes] {
                    let mut include = |_: &str| Err("no files".to_owned());
                    let reading = Arguments::default().set("load-at", u64::from(load));
                    let reading = if form.name == "bin" { reading } else { Arguments::default() };
                    let input = Input { name: "x", bytes, form: Some(form.name), include: &mut include };
                    let program = match computer.read(input, &reading) {
                        Ok(program) => program,
                        Err(problems) => {
                            sound(&problems.sources, &problems.list);
                            continue;
                        }
                    };
                    let sources = program.sources();
                    for written in gpu.about().forms.iter().filter(|form| form.is_written) {
                        one(sources, program.emit(written.name));
                    }
                    one(sources, program.disassemble());
                    one(sources, program.check(&cycles.clone().with("run")));
                    one(sources, program.run(&cycles));
                    one(sources, program.record(&cycles));
                    one(sources, program.trace(&cycles, 3, 5, true).map(|steps| steps.count()));
                    one(sources, program.session(&Arguments::default()).map(|mut session| session.step()));
                    one(sources, program.screen(&Arguments::default(), &ScreenOptions { frame: Some(0), view: Some("vram") }).map(|_| ()));
                }
            }
        }
    }

    #[test]
    fn data(text in text(), stride in any::<Option<u32>>(), bytes in vec(any::<u8>(), 0..100)) {
        let mut sources = Sources::default();
        let id = sources.add("data", &text);
        let file = sources.get(id);
        one(&sources, json::parse(file));
        for gpu in shader_units() {
            let isa = gpu.isa();
            let (vertices, problems) = csv::vertices(isa, file);
            sound(&sources, &problems);
            let mut all = vec![vertices];
            let columns = json_vertices(isa, file);
            if let Ok(vertices) = &columns {
                all.push(vertices.clone());
            }
            one(&sources, columns);
            let declarations = if gpu.jobs().is_some() { "#vertexShader\n#input r0.xyzw\n#output r0.xyzw\ntrap\n" } else { "" };
            let empty = Machine::new(gpu).assemble("empty", declarations).expect("an empty program");
            let mut constants = Constants::default();
            sound(&sources, &constants.csv(&empty, file));
            one(&sources, constants.json(&empty, file));
            one(&sources, constants.argument(&empty, file));
            let layout = raw::layout(gpu, file, stride);
            if let Ok(layout) = &layout {
                let (vertices, problems) = raw::vertices(gpu, layout.clone(), bytes.clone(), file.whole());
                sound(&sources, &problems);
                all.extend(vertices);
            }
            one(&sources, layout);
            let kernel = empty.kernel(State::new()).expect("a kernel");
            for vertices in all {
                sound(&sources, &kernel.remarks(&vertices, &constants.given));
                let outputs = outputs(&kernel, &vertices, &constants.values);
                prop_assert_eq!(outputs.len(), vertices.count());
            }
        }
    }

    #[test]
    fn vectors_and_topics(text in text()) {
        let mut sources = Sources::default();
        let id = sources.add("v", &text);
        for gpu in GPUS {
            let arguments = Arguments::default();
            let options = conform::Options { arguments: &arguments, companions: &Default::default(), files: &Default::default(), failures: 3, budget: &Default::default() };
            let report = conform::check(*gpu, sources.get(id), &options, |_| {});
            sound(&sources, &report.diagnostics);
            let _ = report.text() + &report.json().to_string();
            one(&sources, explain::explain(&Registry::default(), Some(*gpu), &[text.as_str()]));
        }
    }

    /// What `run` prints as CSV or JSON reads back as the same bits.
    #[test]
    fn outputs_read_back(values in vec(any::<[u32; 4]>(), 1..5), bits in any::<bool>()) {
        let isa = shader_units().next().unwrap().isa();
        let names = ["in0".to_owned()];
        for format in [Format::Csv, Format::Json] {
            let printer = Printer { format, bits, kills: false, names: &names };
            let mut text = String::new();
            printer.begin(&mut text);
            for (vertex, value) in values.iter().enumerate() {
                printer.vertex(vertex, Some(&[*value]), &mut text);
            }
            printer.end(&mut text);
            let file = File::new("out", &text);
            let vertices = match format {
                Format::Csv => csv::vertices(isa, &file).0,
                _ => json_vertices(isa, &file).unwrap(),
            };
            prop_assert_eq!(vertices.count(), values.len());
            for (vertex, value) in values.iter().enumerate() {
                let mut read = [[0; 4]];
                vertices.fetch(vertex, &mut read);
                prop_assert_eq!(read[0], *value);
            }
        }
    }
}
