//! For any bytes, every reader gives a result or a problem with a place, and never panics.

use gpuzoo::diag::{Diagnostic, File, Sources, Span, render};
use gpuzoo::emit::{Emit, Options, emit};
use gpuzoo::machine::json;
use gpuzoo::program::{self, Form};
use gpuzoo::run::constants::Constants;
use gpuzoo::run::output::{Format, Printer};
use gpuzoo::run::{Kernel, Vertices, csv, json_vertices, raw};
use gpuzoo::{GPUS, Gpu, check, conform, explain, trace};
use proptest::collection::vec;
use proptest::prelude::*;

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

/// All that can be done with a program that was read.
fn use_it(gpu: &'static dyn Gpu, bytes: &[u8], form: Option<Form>) {
    let mut sources = Sources::default();
    let read = program::read(gpu, &mut sources, "p", bytes, form);
    sound(&sources, &read.diagnostics);
    if !read.ok() {
        return;
    }
    let checked = check::check(gpu, &read);
    sound(&sources, &checked.diagnostics);
    checked.figures.iter().for_each(|figures| drop(figures.text()));
    for profile in gpu.about().profiles {
        for (_, _, form, _) in Emit::ALL {
            let emitted = emit(gpu, &read.program, form, &Options { name: "p", profile, optimize: true });
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
            };
            // Each form is read back as the same program.
            let again = program::read(gpu, &mut Sources::default(), "q", &bytes, Some(text_form));
            assert_eq!(gpu.save(&again.program), gpu.save(&read.program), "{form:?}");
        }
        let kernel = Kernel::new(gpu, &read.program, *profile);
        let outputs = kernel.outputs(&Vertices::nothing(), &[]);
        let traced = trace::trace(gpu, &read.program, *profile, &Vertices::nothing(), 0, &[]);
        // The optimized program and the traced one end with the same bits.
        let ends: Vec<_> = traced.outputs.iter().map(|(_, value)| *value).collect();
        assert_eq!(outputs, [ends]);
        let _ = traced.text(false) + &traced.json_lines(&sources, true);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn programs(bytes in vec(any::<u8>(), 0..300), text in text()) {
        for gpu in GPUS {
            for form in [None, Some(Form::Asm), Some(Form::Bin), Some(Form::Hex), Some(Form::Json)] {
                use_it(*gpu, text.as_bytes(), form);
                use_it(*gpu, &bytes, form);
            }
        }
    }

    #[test]
    fn data(text in text(), stride in any::<Option<u32>>(), bytes in vec(any::<u8>(), 0..100)) {
        let mut sources = Sources::default();
        let id = sources.add("data", &text);
        let file = sources.get(id);
        one(&sources, json::parse(file));
        for gpu in GPUS {
            let isa = gpu.about().isa;
            let (vertices, problems) = csv::vertices(isa, file);
            sound(&sources, &problems);
            let mut all = vec![vertices];
            let columns = json_vertices(isa, file);
            if let Ok(vertices) = &columns {
                all.push(vertices.clone());
            }
            one(&sources, columns);
            let mut constants = Constants::default();
            sound(&sources, &constants.csv(isa, file));
            one(&sources, constants.json(isa, file));
            one(&sources, constants.argument(isa, file));
            let layout = raw::layout(*gpu, file, stride);
            if let Ok(layout) = &layout {
                let (vertices, problems) = raw::vertices(*gpu, layout.clone(), bytes.clone(), file.whole());
                sound(&sources, &problems);
                all.extend(vertices);
            }
            one(&sources, layout);
            let program = gpu.assemble(&File::new("", "")).program;
            let kernel = Kernel::new(*gpu, &program, gpu.about().profiles[0]);
            for vertices in all {
                sound(&sources, &kernel.remarks(isa, &vertices, &constants.given));
                let outputs = kernel.outputs(&vertices, &constants.values);
                prop_assert_eq!(outputs.len(), vertices.count());
            }
        }
    }

    #[test]
    fn vectors_and_topics(text in text()) {
        let mut sources = Sources::default();
        let id = sources.add("v", &text);
        for gpu in GPUS {
            let options = conform::Options { profile: gpu.about().profiles[0], companions: &Default::default(), files: &Default::default(), failures: 3 };
            let report = conform::check(*gpu, sources.get(id), &options, |_| {});
            sound(&sources, &report.diagnostics);
            let _ = report.text() + &report.json().to_string();
            one(&sources, explain::explain(Some(*gpu), &[text.as_str()]));
        }
    }

    /// What `run` prints as CSV or JSON reads back as the same bits.
    #[test]
    fn outputs_read_back(values in vec(any::<[u32; 4]>(), 1..5), bits in any::<bool>()) {
        let isa = GPUS[0].about().isa;
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
            let Vertices::Table { inputs, values: read } = vertices else { panic!("a table") };
            prop_assert_eq!((inputs, &read), (vec![0], &values));
        }
    }
}
