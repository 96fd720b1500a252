//! Sources that are nested as deep as is accepted, and deeper, on a stack of 512 KiB: that of a thread of Python on macOS, half of what
//! WebAssembly has. What a compiler calls itself for is nested in every language.
#![cfg(feature = "sources")]

mod doubled;
mod spirv;
mod ways;

use gpuzoo_compile::build;
use gpuzoo_compile::front::{Language, Reading, Stack, read_on};
use gpuzoo_compile::options::{CompileOptions, Level, Options};
use gpuzoo_diag::{Severity, Sources};
use gpuzoo_machine::ShaderUnit;

/// The stack that is enough, in bytes.
const STACK: usize = 512 << 10;

/// Codes of what is nested too deep, or too large.
const LIMITS: [&str; 3] = ["K0109", "K0204", "K0104"];

/// Runs something on a small stack.
fn on_small_stack<T: Send>(run: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run);
        thread.expect("a thread").join().expect("no panic")
    })
}

/// The codes of all errors that a source has, or that its programs have; everything is dropped and printed on the way.
fn codes(name: &str, bytes: &[u8]) -> Vec<&'static str> {
    let (language, stage) = Language::of(name).expect("a language");
    let mut sources = Sources::default();
    let file = match std::str::from_utf8(bytes) {
        Ok(text) if language != Language::SpirV => sources.add(name, text),
        _ => sources.add_binary(name),
    };
    let reading = Reading { stage, ..Reading::of(language) };
    let mut problems = Vec::new();
    match read_on(Stack::Callers, &mut sources, file, bytes, &reading) {
        Err(found) => problems.extend(found),
        Ok((shader, _)) => {
            let units: [&dyn ShaderUnit; 4] =
                [&gpuzoo_nv2a::GPU, &gpuzoo_dreambox::GPU, &gpuzoo_picogpu::GPU, &gpuzoo_servaru::GPU];
            for unit in units {
                let options = Options {
                    compile: CompileOptions { level: Level::Quick, ..CompileOptions::default() },
                    ..Options::default()
                };
                match build(unit, &shader, &options) {
                    Ok(built) => assert!(!format!("{:?}", built.lines).is_empty()),
                    Err(found) => problems.extend(found),
                }
            }
        }
    }
    assert!(format!("{problems:?}").len() < 200_000, "{}", problems.len());
    problems.retain(|problem| problem.severity == Severity::Error);
    problems.iter().map(|problem| problem.code.id).collect()
}

fn is_refused(name: &str, bytes: &[u8]) -> bool {
    codes(name, bytes).first().is_some_and(|code| LIMITS.contains(code))
}

/// The deepest of sources that is not refused for its depth, and the next one, and far deeper ones.
#[track_caller]
fn has_a_limit(name: &str, what: &str, source: &(dyn Fn(usize) -> Vec<u8> + Sync)) -> usize {
    const FAR: usize = 20_000;
    let refused = |depth: usize| {
        let bytes = source(depth);
        on_small_stack(|| is_refused(name, &bytes))
    };
    assert!(!refused(1), "{name}: {what}: not even once");
    for far in [FAR, 1 << 11] {
        assert!(refused(far), "{name}: {what}: no limit at {far}");
    }
    let (mut accepted, mut too_deep): (usize, usize) = (1, 1 << 11);
    while too_deep - accepted > 1 {
        let middle = accepted.midpoint(too_deep);
        match refused(middle) {
            true => too_deep = middle,
            false => accepted = middle,
        }
    }
    accepted
}

/// Each way to nest, in each language that has it; real programs are nested less than these limits allow.
#[test]
fn everything_that_is_nested_has_a_limit_that_a_small_stack_bears() {
    for way in ways::all() {
        let limit = has_a_limit(way.name, way.what, &|depth| (way.text)(depth).into_bytes());
        assert!(limit >= way.least, "{}: {}: only {limit}", way.name, way.what);
    }
}

#[test]
fn constructs_of_spirv_have_a_limit_that_a_small_stack_bears() {
    for (what, module) in spirv::all() {
        let limit = has_a_limit("a.spv", what, &module);
        assert!(limit >= 24, "{what}: only {limit}");
    }
}

/// Types, constants and values that hold the ones before twice are refused before they take memory and time for all of their parts.
#[test]
fn what_doubles_has_a_limit() {
    let refused = |name: &str, bytes: &[u8]| on_small_stack(|| !codes(name, bytes).is_empty());
    for way in doubled::all() {
        let refused = |depth| refused(way.name, (way.text)(depth).as_bytes());
        assert!(!refused(way.least), "{}: {}", way.name, way.what);
        for far in [24, 40, 300, 2_048, 20_000] {
            assert!(refused(far), "{}: {}: {far}", way.name, way.what);
        }
    }
    for (what, module) in spirv::doubled() {
        assert!(!refused("a.spv", &module(8)), "{what}");
        for far in [24, 40, 300, 2_048, 20_000] {
            assert!(refused("a.spv", &module(far)), "{what}: {far}");
        }
    }
}

/// What stands for far more than it has is refused before it is made, and memory is not taken for it.
#[test]
fn expansions_have_a_limit() {
    let doubling = |count: usize| -> String {
        (1..count).map(|at| format!("#define M{at} M{} M{}\n", at - 1, at - 1)).collect()
    };
    let tens = "#define X(a) a a a a a a a a a a\n";
    let nested = |count: usize| format!("{}{}{}", "X(".repeat(count), ";", ")".repeat(count));
    for (name, text) in [
        ("a.vert", format!("#version 450\n#define M0 ;\n{}void main() {{ M39 }}\n", doubling(40))),
        ("a.vert", format!("#version 450\n{tens}void main() {{ {} }}\n", nested(12))),
        ("a.vs.cg", format!("#define M0 ;\n{}void main() {{ M39 }}\n", doubling(40))),
        ("a.vs.cg", format!("{tens}void main() {{ {} }}\n", nested(12))),
    ] {
        assert_eq!(on_small_stack(|| codes(name, text.as_bytes())), ["K0204"], "{text}");
    }
}

/// A few bytes that stand for much are refused before memory is taken for it: arrays of inputs and outputs, structs of arrays, and
/// macros of long words.
#[test]
fn what_is_large_together_is_refused() {
    let main = "void main() { gl_Position = vec4(0.0); }\n";
    let glsl = |declared: &str| format!("#version 450\n{declared}\n{main}");
    let ports = [
        "layout(location = 0) in vec4 p[100000000];",
        "layout(location = 0) out vec4 q[100000000];",
        "layout(location = 0) in vec4 p[10000][10000];",
        "const int N = 100000000; layout(location = 0) in vec4 p[N];",
        "layout(location = 0) in B { vec4 p[100000000]; };",
        "layout(location = 0) in B { vec4 p; } b[100000000];",
        "out float gl_ClipDistance[100000000];",
    ];
    for declared in ports {
        assert_eq!(codes("a.vert", glsl(declared).as_bytes()), ["K0109"], "{declared}");
    }
    assert!(
        codes("a.vert", glsl("out gl_PerVertex { vec4 gl_Position; float gl_ClipDistance[8]; };").as_bytes())
            .is_empty()
    );
    let arrays: String = (0..210).map(|at| format!("m{at}: A, ")).collect();
    let structs: String = (0..110).map(|at| format!("m{at}: T, ")).collect();
    let text = format!(
        "alias A = array<bool, 16384>; struct T {{ {arrays} }} struct S {{ {structs} }}\n\
         @vertex fn vs(@location(0) a: vec4f) -> @builtin(position) vec4f {{ var s: S; return a; }}\n"
    );
    assert!(is_refused("a.wgsl", text.as_bytes()));
    let mut text = format!("#version 450\n#define M0 {}\n", "x".repeat(100_000));
    for at in 1..=6 {
        text += &format!("#define M{at} {}\n", format!("M{} ", at - 1).repeat(8));
    }
    assert_eq!(codes("a.vert", format!("{text}M6\n{main}").as_bytes()), ["K0204"]);
}
