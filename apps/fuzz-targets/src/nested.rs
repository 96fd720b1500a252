//! Sources that are nested by their grammar, as deep as the bytes say: any mixture of what a compiler calls itself for.

use crate::bytes::Bytes;
use gpuzoo_compile::front::{Language, Reading, Stack, read_on};
use gpuzoo_compile::options::{CompileOptions, Level, Options};
use gpuzoo_diag::Sources;
use gpuzoo_isa::Stage;

/// The stack that is enough for every source, accepted or not.
const STACK: usize = 512 << 10;

/// No source is longer.
const LONGEST: usize = 1 << 15;

/// Texts before and behind a statement, and an expression.
const STATEMENTS: &[(&str, &str)] = &[
    ("{", "}"),
    ("if (p.x > 0.5) {", "}"),
    ("if (p.x > 0.5) ", ""),
    ("if (p.x > 0.5) { r = p; } else ", ""),
    ("for (int i = 0; i < 2; i++) {", "}"),
    ("for (;;) ", ""),
    ("while (false) {", "}"),
    ("do ", " while (false);"),
    ("switch (int(p.x)) { case 1: ", " break; default: break; }"),
    ("r = p; ", ""),
    ("\n#if 1\n", "\n#endif\n"),
];
const EXPRESSIONS: &[(&str, &str)] = &[
    ("(", ")"),
    ("-", ""),
    ("- -", ""),
    ("abs(", ")"),
    ("f(", ")"),
    ("F(", ")"),
    ("p + ", ""),
    ("", " + p"),
    ("", " * p - p"),
    ("", ".xyzw"),
    ("", ".x"),
    ("", "[0]"),
    ("p[int(", ")]"),
    ("r = ", ""),
    ("r *= ", ""),
    ("p.x > 0.5 ? p : ", ""),
    ("p.x > 0.5 ? ", " : p"),
    ("p, ", ""),
    ("(p, ", ")"),
    ("max(p, ", ")"),
    ("mix(", ", p, p)"),
];
/// The same in WGSL.
const STATEMENTS_OF_WGSL: &[(&str, &str)] = &[
    ("{", "}"),
    ("if p.x > 0.5 {", "}"),
    ("if p.x > 0.5 { r = p; } else {", "}"),
    ("if p.x > 0.5 { r = p; } else ", ""),
    ("for (var i = 0; i < 2; i++) {", "}"),
    ("loop {", " break; }"),
    ("while false {", "}"),
    ("switch i32(p.x) { case 1: {", "} default: { } }"),
    ("r = p; ", ""),
];
const EXPRESSIONS_OF_WGSL: &[(&str, &str)] = &[
    ("(", ")"),
    ("-", ""),
    ("abs(", ")"),
    ("vec4<f32>(", ")"),
    ("f(", ")"),
    ("p + ", ""),
    ("", " + p"),
    ("", " * p - p"),
    ("", ".xyzw"),
    ("", ".x"),
    ("", "[0]"),
    ("p[i32(", ")]"),
    ("*&", ""),
    ("max(p, ", ")"),
    ("select(p, ", ", p.x > 0.5)"),
    ("array<array<vec4f, 1>, 1>(array<vec4f, 1>(", "))"),
];

/// A layer is repeated so many times at most.
const MOST: usize = 96;

/// Puts layers around the middle.
fn around(bytes: &mut Bytes, layers: usize, kinds: &[(&str, &str)], middle: &str) -> String {
    let (mut before, mut behind) = (String::new(), Vec::new());
    for _ in 0..layers {
        let (open, close) = bytes.of(kinds);
        let count = bytes.below(MOST);
        if before.len() + count * (open.len() + close.len()) > LONGEST {
            break;
        }
        before += &open.repeat(count);
        behind.push(close.repeat(count));
    }
    behind.reverse();
    format!("{before}{middle}{}", behind.concat())
}

/// The source that bytes stand for, and its language.
fn source(bytes: &mut Bytes) -> (Language, String) {
    let language = bytes.of(&[Language::Glsl, Language::Cg, Language::Wgsl]);
    let (statements, expressions) = match language {
        Language::Wgsl => (STATEMENTS_OF_WGSL, EXPRESSIONS_OF_WGSL),
        _ => (STATEMENTS, EXPRESSIONS),
    };
    let layers = bytes.below(8);
    let mut middle = String::new();
    for _ in 0..=bytes.below(3) {
        let layers = bytes.below(12);
        let value = around(bytes, layers, expressions, "p");
        middle += &format!("r = {value}; ");
    }
    let body = around(bytes, layers, statements, &middle);
    let dimensions = "[1]".repeat(bytes.below(MOST) / 8);
    let calls = bytes.below(MOST);
    let function = |declared: &dyn Fn(usize, &str) -> String| -> String {
        let value = |at: usize| if at == 0 { "v".to_owned() } else { format!("f{}(v)", at - 1) };
        let all = (0..calls).map(|at| declared(at, &value(at)));
        all.chain([declared(calls, &value(calls)).replacen(&format!("f{calls}"), "f", 1)]).collect()
    };
    let text = match language {
        Language::Wgsl => {
            let functions =
                function(&|at, value| format!("fn f{at}(v: vec4f) -> vec4f {{ return {value}; }}\n"));
            format!(
                "{functions}@vertex fn vs(@location(0) p: vec4f) -> @builtin(position) vec4f {{ var r = p; {body} return r; }}\n"
            )
        }
        Language::Glsl => {
            let functions = function(&|at, value| format!("vec4 f{at}(vec4 v) {{ return {value}; }}\n"));
            format!(
                "#version 450\n#define F(x) (x) + x\nfloat w{dimensions};\nlayout(location = 0) in vec4 p;\n{functions}\
                 void main() {{ vec4 r = p; {body} gl_Position = r; }}\n"
            )
        }
        _ => {
            let functions = function(&|at, value| format!("float4 f{at}(float4 v) {{ return {value}; }}\n"));
            format!(
                "#define F(x) (x) + x\nstatic float w{dimensions};\n{functions}\
                 void main(float4 p : POSITION, out float4 o : POSITION) {{ float4 r = p; {body} o = r; }}\n"
            )
        }
    };
    (language, text)
}

/// A program, or messages: on a stack of 512 KiB.
pub(crate) fn nested(bytes: &[u8]) {
    let (language, text) = source(&mut Bytes::new(bytes));
    let run = || {
        let mut sources = Sources::default();
        let file = sources.add("p", &text);
        let reading = Reading { stage: Some(Stage::Vertex), ..Reading::of(language) };
        match read_on(Stack::Callers, &mut sources, file, text.as_bytes(), &reading) {
            Ok((shader, warnings)) => {
                crate::sound::sound(&sources, &warnings);
                let options = Options {
                    compile: CompileOptions { level: Level::Quick, ..CompileOptions::default() },
                    ..Options::default()
                };
                for unit in gpuzoo::shader_units() {
                    if let Err(problems) = gpuzoo_compile::build(unit, &shader, &options) {
                        crate::sound::sound(&sources, &problems);
                    }
                }
            }
            Err(problems) => crate::sound::sound(&sources, &problems),
        }
    };
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run);
        // What went wrong was printed there.
        thread.expect("a thread").join().expect("no panic");
    });
}
