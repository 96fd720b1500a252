//! Long sources in shading languages, with and without mistakes: read, walked and compiled on this thread, where work is counted.

use super::{Case, Found};
use gpuzoo::compile::Language;
use gpuzoo::isa::Stage;
use gpuzoo_compile::front::{Reading, Stack, read_on};
use gpuzoo_compile::options::{CompileOptions, Level, Options};
use gpuzoo_diag::Sources;

/// A source of a vertex program, compiled for the NV2A.
fn compiled(language: Language) -> impl Fn(&str) -> Found + Sync {
    move |text| {
        let mut sources = Sources::default();
        let file = sources.add("t", text);
        let reading = Reading { stage: Some(Stage::Vertex), ..Reading::of(language) };
        let read = read_on(Stack::Callers, &mut sources, file, text.as_bytes(), &reading);
        let problems = match read {
            Ok((shader, warnings)) => {
                let options = Options {
                    compile: CompileOptions { level: Level::Quick, ..CompileOptions::default() },
                    ..Options::default()
                };
                let built = gpuzoo_compile::build(&gpuzoo_nv2a::GPU, &shader, &options);
                [warnings, built.err().unwrap_or_default()].concat()
            }
            Err(problems) => problems,
        };
        (sources, problems)
    }
}

fn wgsl(declared: &str, body: &str) -> String {
    format!(
        "{declared}@vertex fn vs(@location(0) a: vec4f) -> @builtin(position) vec4f {{ var r = a; {body} return r; }}\n"
    )
}

fn glsl(declared: &str, body: &str) -> String {
    format!(
        "#version 450\n{declared}\nlayout(location = 0) in vec4 a;\nvoid main() {{ vec4 r = a; {body} gl_Position = r; }}\n"
    )
}

fn cg(declared: &str, body: &str) -> String {
    format!(
        "{declared}\nvoid main(float4 a : POSITION, out float4 o : POSITION) {{ float4 r = a; {body} o = r; }}\n"
    )
}

/// An item so many times, with `@` for the number of each and `$` for the one before.
fn items(item: &str, times: usize) -> String {
    let one = |at: usize| item.replace('@', &(at + 1).to_string()).replace('$', &at.to_string());
    (0..times).map(one).collect()
}

type Wrap = fn(&str, &str) -> String;

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    let languages: [(&str, Language, Wrap); 3] =
        [("wgsl", Language::Wgsl, wgsl), ("glsl", Language::Glsl, glsl), ("cg", Language::Cg, cg)];
    // A declaration or a statement, and how many for each problem.
    let all: [(&str, &str, &str, usize); 26] = [
        ("wgsl", "fn f@(v: vec4f) -> vec4f { return v * 2.0; }\n", "", 4),
        ("glsl", "vec4 f@(vec4 v) { return v * 2.0; }\n", "", 4),
        ("cg", "float4 f@(float4 v) { return v * 2.0; }\n", "", 4),
        ("wgsl", "const c@ = 1.0;\n", "", 4),
        ("wgsl", "const c@ = c$ + 1.0;\n", "", 4),
        ("glsl", "const float c@ = 1.0;\n", "", 4),
        ("cg", "static const float c@ = 1.0;\n", "", 4),
        ("glsl", "layout(location = @) out vec4 o@;\n", "", 1),
        ("glsl", "layout(location = @) in vec4 i@;\n", "", 1),
        ("wgsl", "", "r = r * a + a; ", 4),
        ("glsl", "", "r = r * a + a; ", 4),
        ("cg", "", "r = r * a + a; ", 4),
        ("wgsl", "", "r = r + a.xyzw.yxzw.x; ", 4),
        ("wgsl", "", "if a.x > 0.5 { r = a; } ", 1),
        ("wgsl", "", "r.x += r.y; ", 4),
        ("cg", "", "r.x += @.5; ", 4),
        ("glsl", "", ".xyzw", 4),
        ("glsl", "", ", a", 4),
        ("glsl", "", "[1]", 4),
        ("wgsl", "", " + a", 4),
        ("cg", "", "[1]", 4),
        ("cg", "", ", a", 4),
        ("glsl", "#define M@ M$ M$\n", "", 4),
        ("glsl", "#if 1\n#endif\n", "", 4),
        ("cg", "#if 1\n#endif\n", "", 4),
        ("glsl", "// a comment\r", "", 4),
    ];
    for (name, declared, repeated, times) in all {
        let (_, language, wrap) = *languages.iter().find(|(own, ..)| *own == name).expect("a language");
        let text = move |problems: usize| {
            let count = problems * times;
            match repeated {
                "" => wrap(&items(declared, count), ""),
                _ if repeated.ends_with(['}', ' ']) && repeated.contains(['}', ';']) => {
                    wrap("", &items(repeated, count))
                }
                _ => wrap("", &format!("r = (a{});", items(repeated, count))),
            }
        };
        cases.push(Case::new(format!("{name} {declared}{repeated}"), "", text, compiled(language)));
    }
    cases
}
