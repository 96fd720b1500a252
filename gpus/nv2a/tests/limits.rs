//! Limits of the preprocessor: what would not end, or would take all memory, is refused, and nothing that anyone would write is.

use gpuzoo_diag::{Diagnostic, File, Sources};
use gpuzoo_machine::{Include, ShaderUnit, TextOptions};
use gpuzoo_nv2a::GPU;

/// What is wrong with a text whose files come from `include`.
fn problems(text: &str, include: &Include) -> Vec<Diagnostic> {
    let mut sources = Sources::default();
    let id = sources.add("t", text);
    let options = TextOptions {
        include: Some(include),
        position: Some(gpuzoo_nv2a::PositionSpace::Clip),
        ..TextOptions::default()
    };
    GPU.assemble_in(&mut sources, id, &options).diagnostics
}

/// The only code of a text whose files are all the same.
fn limit(text: &str, every_file: &str) -> Option<&'static str> {
    let problems = problems(text, &|_| Ok(every_file.as_bytes().to_vec()));
    assert!(problems.len() <= 1, "{problems:?}");
    problems.first().map(|problem| problem.code.id)
}

/// A file includes another, 32 deep; one behind the other there may be a thousand.
#[test]
fn files_include_one_another_32_deep() {
    let codes = |text: &str, include: &dyn Fn(&str) -> String| {
        let problems = problems(text, &|name| Ok(include(name).into_bytes()));
        problems.iter().map(|problem| problem.code.id).collect::<Vec<_>>()
    };
    for (depth, expected) in [(1, &[][..]), (31, &[]), (32, &[]), (33, &["N0707"])] {
        let next = |name: &str| {
            let number: u32 = name.parse().unwrap();
            if number < depth { format!("#include \"{}\"\n", number + 1) } else { String::new() }
        };
        assert_eq!(codes("#include \"1\"\nvs.1.1\nmov oPos, v0\n", &next), expected, "{depth}");
    }
    for (count, expected) in [(40, &[][..]), (1000, &[]), (1001, &["N0707"])] {
        let text = format!("vs.1.1\n{}mov oPos, v0\n", "#include \"a.h\"\n".repeat(count));
        assert_eq!(codes(&text, &|_| String::new()), expected, "{count}");
    }
}

/// What the limits are is said.
#[test]
fn limits_are_told() {
    let note = |file: &str, count: usize| {
        let text = format!("vs.1.1\n{}", "#include \"a.h\"\n".repeat(count));
        let problems = problems(&text, &|_| Ok(file.as_bytes().to_vec()));
        assert_eq!(problems.len(), 1);
        problems[0].notes.clone()
    };
    assert_eq!(note("", 1001), ["at most 1000 files with 16 MiB"]);
    assert_eq!(note(&";".repeat(1 << 20), 17), ["at most 1000 files with 16 MiB"]);
    let twice: String = (0..30).map(|at| format!("#define A{at} A{0} A{0}\n", at + 1)).collect();
    let problems = problems(&format!("{twice}vs.1.1\nmov oPos, A0\n"), &|_| Ok(Vec::new()));
    assert_eq!(problems[0].message, "macros expand to more than 1 MiB");
}

#[test]
fn limits_end_what_would_not() {
    let include = "vs.1.1\n#include \"a.h\"\nmov oPos, v0\n";
    assert_eq!(limit(include, include), Some("N0707"));
    assert_eq!(limit(include, "#include \"a.h\"\n#include \"a.h\"\n"), Some("N0707"));
    assert_eq!(limit(include, &";".repeat(16 << 20)), None);
    assert_eq!(limit(include, &";".repeat((16 << 20) + 1)), Some("N0707"));
    let chain = |count: usize| {
        let lines: String = (0..count).map(|at| format!("#define A{at} A{}\n", at + 1)).collect();
        format!("{lines}#define A{count} v0\nvs.1.1\nmov oPos, A0\n")
    };
    assert_eq!(limit(&chain(127), ""), None);
    assert_eq!(limit(&chain(128), ""), Some("N0707"));
    let nested = |depth: usize| {
        format!("#define F(a) a\nvs.1.1\nmov oPos, {}v0{}\n", "F(".repeat(depth), ")".repeat(depth))
    };
    assert_eq!(limit(&nested(100), ""), None);
    assert_eq!(limit(&nested(100_000), ""), Some("N0707"));
    // Nothing, doubled.
    let doubled = |last: &str, between: &str| {
        let line = |at: usize| format!("#define A{at} A{0}{between}A{0}\n", at + 1);
        let lines: String = (0..60).map(line).collect();
        format!("{lines}#define A60 {last}\nvs.1.1\nmov oPos, v0 A0\n")
    };
    assert_eq!(limit(&doubled("", " "), ""), Some("N0707"));
    assert_eq!(limit(&doubled("x", " "), ""), Some("N0707"));
    let pasted: String = (0..60).map(|at| format!("#define P{at}(a) P{}(a##a)\n", at + 1)).collect();
    assert_eq!(limit(&format!("{pasted}vs.1.1\nmov oPos, P0(x)\n"), ""), Some("N0707"));
    let many = "#define\n".repeat(1 << 18);
    let problems = problems(&many, &|_| Err("there is no such file".to_owned()));
    assert_eq!(problems.len(), 100);
    assert!(problems[99].notes[0].contains("is not read further"));
    let deep = format!("#if {}1\nvs.1.1\n#endif", "(".repeat(1 << 20));
    assert_eq!(limit(&deep, ""), Some("A0104"));
}

/// However much there is to be noted, the text is read to its end.
#[test]
fn notes_do_not_end_a_text() {
    let text = format!("vs.1.1\n{}mov oPos, v0\nmov oD0, v3\n", "#pragma x\n".repeat(250));
    let assembled = GPU.assemble(
        &File::new("t", &text),
        &TextOptions { position: Some(gpuzoo_nv2a::PositionSpace::Clip), ..TextOptions::default() },
    );
    assert_eq!((assembled.program.slots.len(), assembled.diagnostics.len()), (2, 100));
    let is_told =
        |problem: &Diagnostic| problem.notes.iter().any(|note| note.contains("others are not shown"));
    let told: Vec<usize> = (0..100).filter(|at| is_told(&assembled.diagnostics[*at])).collect();
    assert_eq!(told, [99], "the last one alone tells it");
}
