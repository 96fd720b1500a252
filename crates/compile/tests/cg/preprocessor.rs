//! Macros, conditions, files.

use super::{A, near, outputs, read};
use gpuzoo_compile::front::cg::{Options, parse};
use gpuzoo_diag::Sources;

/// What a text after some lines makes of `p`.
fn run(lines: &str, expression: &str) -> [f32; 4] {
    outputs(
        &format!(
            "{lines}\nvoid main(float4 p : POSITION, out float4 o : POSITION) {{ o = {expression}; }}\n"
        ),
        &[A],
        &[],
    )[0]
    .1
}

#[test]
fn macros_stand_for_their_text() {
    near(run("#define K 2 + 1", "float4(K * 2, 0, 0, 0)"), [4.0, 0.0, 0.0, 0.0]);
    near(
        run("#define SQ(x) ((x) * (x)) // squared\n#define BOTH(a, b) SQ(a) + SQ(b)", "BOTH(p, (p, 2))"),
        A.map(|own| own * own + 4.0),
    );
    near(run("#define NEXT(x) x##_next\nstatic float4 a_next = 5;", "NEXT(a)"), [5.0; 4]);
    near(run("static float4 q = 3;\n#define q q + q", "q"), [6.0; 4]);
    near(run("#define F() 3\n#define F2 F", "float4(F(), F2(), 1, 1)"), [3.0, 3.0, 1.0, 1.0]);
    near(run("#define A B\n#define B A\nstatic float4 A = 7;", "A"), [7.0; 4]);
    near(run("#define LONG 1 + \\\n 2\n#undef LONG\n#define LONG 4", "LONG"), [4.0; 4]);
    near(run("#define f(x) x + 1\nfloat4 g(float4 f) { return f; }", "f(g(f(1)))"), [3.0; 4]);
}

#[test]
fn conditions_choose_lines() {
    let text = "#define A 3\n#if A > 2 && defined(A) && !defined B\n#define K 1\n#elif 1 / 0\n#define K 2\n#else\nnot Cg 'at all\n#endif\n\
                #ifdef K\n#ifndef K\n#error never\n#endif\n#else\n#error never\n#endif\n#if UNKNOWN\n#if 1\n#else\n#endif\n\"\n#elif (A << 2 | 1) == 13 ? 1 : 0\n\
                #define L 5\n#endif\n#pragma anything\n#line 12 \"f\"\n";
    near(run(text, "float4(K, L, 0, 0)"), [1.0, 5.0, 0.0, 0.0]);
}

#[test]
fn macros_come_from_the_command_line() {
    let text = "void main(float4 p : POSITION, out float4 o : POSITION) { o = p * K + FLAG; }";
    let defines = ["K=(1 + 1)", "FLAG", "NOTHING="];
    assert!(read(text, &Options { defines: &defines, ..Options::default() }).is_ok());
    for bad in ["1=2", "A B", "A=1\n2", "=", "é"] {
        let problems = read(text, &Options { defines: &[bad], ..Options::default() }).unwrap_err();
        assert_eq!(problems[0].code.id, "K0201", "{bad}");
    }
}

#[test]
fn files_are_included_with_their_places() {
    let files = |name: &str| match name {
        "lib/all.cg" => Ok(b"#include \"one.cg\"\n#include <two.cg>\n".to_vec()),
        "lib/one.cg" => {
            Ok(b"#ifndef ONE\n#define ONE\nfloat4 one(float4 v) { return v + 1; }\n#endif\n".to_vec())
        }
        "two.cg" => {
            Ok(b"#include \"lib/one.cg\"\nfloat4 two(float4 v) { return v.xyzz * one(v).xyz; }\n".to_vec())
        }
        _ => Err("there is no such file".to_owned()),
    };
    let text = "#include \"lib\\all.cg\"\nvoid main(float4 p : POSITION, out float4 o : POSITION) { o = float4(two(p).xyz, 1); }\n";
    let mut sources = Sources::default();
    let file = sources.add("main.vs.cg", text);
    let options = Options { include: Some(&files), ..Options::default() };
    let problems = parse(&mut sources, file, "main", &options).unwrap_err();
    // `float4 * float3` gives `float3`, which is no `float4`; the place is in the file that is included.
    let last = problems.last().unwrap();
    assert_eq!(last.code.id, "K0209");
    assert_eq!(sources.get(last.span().unwrap().file).name(), "two.cg");

    let text = text.replace("two(p)", "one(p)");
    let mut sources = Sources::default();
    let file = sources.add("main.vs.cg", &text);
    let program = parse(&mut sources, file, "main", &options).unwrap();
    let (_, one) = program.module.functions.iter().next().unwrap();
    let (last, _) = one.expressions.iter().last().unwrap();
    let span = program.places.of(one.expressions.get_span(last)).unwrap();
    assert_eq!(sources.get(span.file).slice(span), "v + 1");
    assert_eq!(sources.get(span.file).name(), "lib/one.cg");
}

/// Each message stands at the line that it is about.
#[test]
fn mistakes_are_reported() {
    let cases = [
        ("#if\n#endif", "K0201"),
        ("#if 1", "K0201"),
        ("#endif", "K0201"),
        ("#else", "K0201"),
        ("#if 0\n#else\n#else\n#endif", "K0201"),
        ("#if 1 +\n#endif", "K0201"),
        ("#if (1\n#endif", "K0201"),
        ("#if 1 2\n#endif", "K0201"),
        ("#if 1 / 0\n#endif", "K0201"),
        ("#if 1 ? 2\n#endif", "K0201"),
        ("#if 1.5\n#endif", "K0201"),
        ("#if defined\n#endif", "K0201"),
        ("#ifdef\n#endif", "K0201"),
        ("#define", "K0201"),
        ("#define 1 2", "K0201"),
        ("#define F(a", "K0201"),
        ("#define F(a b) a", "K0201"),
        ("#define F(a,) a", "K0201"),
        ("#define A ## B", "K0201"),
        ("#define A(x) x ## +\nA(1)", "K0201"),
        ("#define A(x) x\nA(1, 2)", "K0201"),
        ("#define A(x) x\nA(1", "K0201"),
        ("#undef", "K0201"),
        ("#defin A", "K0201"),
        ("#include", "K0201"),
        ("#include \"nowhere.cg\"", "K0202"),
        ("#error no lights, don't", "K0203"),
        ("/* open", "K0205"),
        (
            "#define A B B B B\n#define B C C C C\n#define C D D D D\n#define D E E E E\n#define E F F F F\n#define F G G G G\n#define G H H H H\n#define H I I I I\n#define I J J J J\n#define J K K K K\nA",
            "K0204",
        ),
    ];
    for (lines, code) in cases {
        let problems = read(lines, &Options::default()).unwrap_err();
        assert_eq!(problems[0].code.id, code, "{lines}");
        assert!(problems[0].span().is_some(), "{lines}");
    }
    for body in ["#x ", "x##1 "] {
        let text = format!("#define F(x) {}\nF({})", body.repeat(2000), "a ".repeat(2000));
        assert_eq!(read(&text, &Options::default()).unwrap_err()[0].code.id, "K0204");
    }
    let nested = format!("#if {}1{}\n#endif", "(".repeat(1000), ")".repeat(1000));
    assert_eq!(read(&nested, &Options::default()).unwrap_err()[0].code.id, "K0204");
    let itself = |_: &str| Ok(b"#include \"again.cg\"\n".to_vec());
    let options = Options { include: Some(&itself), ..Options::default() };
    assert_eq!(read("#include \"again.cg\"", &options).unwrap_err()[0].code.id, "K0204");
    let text = format!("#define F(x) x\n{}1{}", "F(".repeat(500), ")".repeat(500));
    assert_eq!(read(&text, &Options::default()).unwrap_err()[0].code.id, "K0204");
}

/// Where a file is in none of several places, the nearest one says why: it may be there and not be allowed.
#[test]
fn the_nearest_place_says_why_nothing_is_included() {
    let files = |name: &str| match name {
        "lib/all.cg" => Ok(b"#include \"../own.h\"\n".to_vec()),
        "lib/../own.h" => Err("it lies outside of the folder".to_owned()),
        _ => Err("there is no such file".to_owned()),
    };
    let options = Options { include: Some(&files), ..Options::default() };
    let problem = read("#include \"lib/all.cg\"", &options).unwrap_err().remove(0);
    assert_eq!(
        (problem.code.id, problem.labels[0].text.as_str()),
        ("K0202", "it lies outside of the folder")
    );
}
