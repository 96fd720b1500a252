//! What is refused, and with which code.

use super::{codes, good, read};
use gpuzoo_compile::front::cg::Options;

const BEFORE: &str = "struct S { float4 a; }; sampler2D map; static S s; static float4x4 m; float4 k;\n\
    void nothing() { } float4 one(float4 v) { return v; } float4 later(float x);\n\
    float4 same(float x, int y) { return x; } float4 same(int x, float y) { return x; }\n";

fn text(body: &str) -> String {
    format!("{BEFORE}void main(float4 p : POSITION, out float4 o : POSITION) {{\n{body}\n}}\n")
}

/// Every message has a place; every error says what is expected or what to do.
#[test]
fn bodies_are_refused() {
    /// A body of `main`, with the first code of what is wrong with it.
    const BODIES: [(&str, &str); 77] = [
        ("o = p", "K0205"),
        ("o = p +;", "K0205"),
        ("o = (p;", "K0205"),
        ("o = float4;", "K0205"),
        ("float4 = p;", "K0205"),
        ("o = {1, 2};", "K0205"),
        ("for (;;", "K0205"),
        ("do o = p; while (1)", "K0205"),
        ("if o = p;", "K0205"),
        ("break;", "K0205"),
        ("continue;", "K0205"),
        ("o = p @ 2;", "K0205"),
        ("o = 99999999999;", "K0206"),
        ("o = 1e99;", "K0206"),
        ("o = 1.2.3;", "K0206"),
        ("o = 12abc;", "K0206"),
        ("o = q;", "K0207"),
        ("float5 x;", "K0207"),
        ("o = norm(p);", "K0207"),
        ("o = p.xq;", "K0208"),
        ("o = p.xyr;", "K0208"),
        ("o = s.none;", "K0208"),
        ("o = m._m40;", "K0208"),
        ("o = p.x.y;", "K0208"),
        ("o = p.xyz;", "K0209"),
        ("o = m;", "K0209"),
        ("o = s;", "K0209"),
        ("o = s.a + s;", "K0209"),
        ("o = p + m;", "K0209"),
        ("o = m < m;", "K0209"),
        ("o = float4(1, 2);", "K0209"),
        ("o = float4(p, 1);", "K0209"),
        ("o = nothing();", "K0209"),
        ("float2 v[2] = {1, 2, 3};", "K0209"),
        ("float2 v[1] = {1, 2, 3};", "K0209"),
        ("if (p) o = p;", "K0209"),
        ("o = p.xy < 0 ? p : 1;", "K0209"),
        ("o = ~p;", "K0209"),
        ("o = p << 1;", "K0209"),
        ("o = mul(p, p);", "K0209"),
        ("o = abs(m);", "K0209"),
        ("o = (!m)[0];", "K0209"),
        ("o = transpose(p);", "K0209"),
        ("o = normalize(1);", "K0209"),
        ("o = max(p, p.xyz);", "K0209"),
        ("o = p[0][0];", "K0209"),
        ("return p;", "K0209"),
        ("void x;", "K0209"),
        ("o = max(p);", "K0210"),
        ("o = one(p, 1);", "K0210"),
        ("o = one(s);", "K0210"),
        ("o = same(1, 1);", "K0210"),
        ("o = later(1);", "K0210"),
        ("discard;", "K0214"),
        ("switch (p.x) { }", "K0209"),
        ("switch (1) { case 1: o = p; case 1: o = p; }", "K0216"),
        ("switch (1) { default: o = p; default: o = p; }", "K0216"),
        ("switch (1) { case p.x: o = p; }", "K0217"),
        ("switch (1) { o = p; }", "K0205"),
        ("switch (1) { case 1: o = p;", "K0205"),
        ("case 1: o = p;", "K0205"),
        ("float4 p;", "K0216"),
        ("o = tex2D(map, p.xy);", "K0214"),
        ("o = isnan(p.x);", "K0214"),
        ("int2x2 x;", "K0214"),
        ("k = p;", "K0215"),
        ("p.xx = 1;", "K0215"),
        ("const float c = 1; c = 2;", "K0215"),
        ("p + 1 = p;", "K0215"),
        ("float x; float x;", "K0216"),
        ("float v[p.x];", "K0217"),
        ("o = k[4];", "K0218"),
        ("o = k[(int)4];", "K0218"),
        ("o = k[-1];", "K0218"),
        ("o = 1 / 0;", "K0224"),
        ("o = float4(int2(1, 2) % int2(1, 0), 0, 0);", "K0224"),
        ("o = 1 << 32;", "K0224"),
    ];
    good(&text("o = p;"));
    for (body, code) in BODIES {
        let problems = read(&text(body), &Options::default()).expect_err(body);
        let first = problems.iter().find(|problem| problem.severity == gpuzoo_diag::Severity::Error).unwrap();
        assert_eq!(first.code.id, code, "{body}: {}", first.message);
        assert!(first.span().is_some(), "{body}");
        let says = first.labels.iter().any(|label| !label.text.is_empty());
        assert!(says || !first.help.is_empty() || !first.fixes.is_empty(), "{body}");
    }
}

const MAIN: &str = "void main(float4 p : POSITION, out float4 o : POSITION) { o = p; }";

#[test]
fn declarations_are_refused() {
    let cases = [
        ("void main(float4 p : DEPTH, out float4 o : POSITION) { o = p; }", "K0211"),
        ("void main(float4 p : POSITION, out float4 o : POSITION, out float4 q : WPOS) { o = p; }", "K0211"),
        ("void main(float4 p : POSITION, out float4 o : POSITION, out float4 q[9]) { o = p; }", "K0211"),
        (
            "float4 k : register(q4); void main(float4 p : POSITION, out float4 o : POSITION) { o = p; }",
            "K0211",
        ),
        ("void main(float4 p : POSITION, float4 q : ATTR0, out float4 o : POSITION) { o = p; }", "K0212"),
        ("void main(float4 p : POSITION, out float4 q : HPOS, out float4 o : POSITION) { o = p; }", "K0212"),
        ("float4 main(float4 p : POSITION) : COLOR { return p; }", "K0213"),
        ("void mian(float4 p : POSITION, out float4 o : POSITION) { o = p; }", "K0213"),
        ("", "K0213"),
        ("void main() { } void main(float4 p : POSITION) { }", "K0213"),
        ("struct S { float4 p : POSITION; S s; }; S main() { S s; return s; }", "K0209"),
        ("struct S { }; S main() { S s; return s; }", "K0209"),
        ("struct S { float4 p : POSITION; float4 p; }; S main() { S s; return s; }", "K0216"),
        ("float4 main(float4 p : POSITION) : POSITION { if (p.x > 0) return p; }", "K0219"),
        (
            "float f(float x) { return f(x); } float4 main(float4 p : POSITION) : POSITION { return f(1) * p; }",
            "K0220",
        ),
        (
            "float f(float x); float g(float x) { return f(x); } float f(float x) { return g(x); } float4 main(float4 p : POSITION) : POSITION { return f(1) * p; }",
            "K0220",
        ),
        ("float4 main(float4 p : POSITION) : POSITION { return main(p); }", "K0220"),
        ("static float k; static float k;", "K0216"),
        ("interface I { };", "K0214"),
        (
            "struct S { float4 p : POSITION; uniform float k; }; float4 main(S s) : POSITION { return s.p * s.k; }",
            "K0214",
        ),
        ("struct S { float f() { return 1; } };", "K0214"),
        ("struct S : I { float f; };", "K0214"),
        ("float4 v[0];", "K0217"),
        ("float4 v[];", "K0217"),
        ("float4 v[9999999];", "K0204"),
        ("typedef B A; typedef A B; A x;", "K0204"),
        ("float4 f( { }", "K0205"),
        ("float4", "K0205"),
        ("+", "K0205"),
    ];
    for (own, code) in cases {
        let text = if own.contains("main") || own.is_empty() || own.contains("mian") {
            own.to_owned()
        } else {
            format!("{own}\n{MAIN}")
        };
        let found = codes(&text);
        assert!(found.contains(&code), "{own}: {found:?}");
        assert!(read(&text, &Options::default()).is_err(), "{own}");
    }
}

#[test]
fn names_that_are_near_are_offered() {
    let cases = [
        ("o = positon;", "position"),
        ("o = normalise(position);", "normalize"),
        ("flaot x;", "float"),
        ("o = box.sise;", "size"),
    ];
    for (body, near) in cases {
        let text = format!(
            "struct Box {{ float4 size; }}; static Box box;\n\
             void main(float4 position : POSITION, out float4 o : POSITION) {{ {body} }}"
        );
        let problems = read(&text, &Options::default()).unwrap_err();
        let fix = problems[0].fixes.first().unwrap_or_else(|| panic!("{body}: {problems:?}"));
        assert_eq!(fix.edits[0].text, near);
    }
    let text = "void main(float4 p : POSITON, out float4 o : POSITION) { o = p; }";
    assert_eq!(read(text, &Options::default()).unwrap_err()[0].fixes[0].edits[0].text, "POSITION");
}

/// What is nested without end is refused, whatever it is made of.
#[test]
fn nesting_has_a_limit() {
    let many = 20_000;
    let bodies = [
        format!("o = {}p{};", "(".repeat(many), ")".repeat(many)),
        format!("o = {}p;", "-".repeat(many)),
        format!("o = {}p;", "- +".repeat(many)),
        format!("o = p{};", "+ p".repeat(many)),
        format!("o = p{};", ".x".repeat(many)),
        format!("o = p{};", "[0]".repeat(many)),
        format!("o = p{};", ", p".repeat(many)),
        format!("o = {} p;", "p = ".repeat(many)),
        format!("o = {} p;", "(float4)".repeat(many)),
        format!("o = {} p;", "p.x ? p :".repeat(many)),
        format!("o = {}p{};", "abs(".repeat(many), ")".repeat(many)),
        format!("float x = {}1{};", "{".repeat(many), "}".repeat(many)),
        format!("{}{}", "{".repeat(many), "}".repeat(many)),
        format!("{} o = p;", "if (p.x) ".repeat(many)),
        format!("{} ;", "if (p.x) ; else ".repeat(many)),
        format!("{} ;", "for (;;) ".repeat(many)),
        format!("{} ;", "do ".repeat(many)),
    ];
    for body in bodies {
        let found = codes(&text(&body));
        assert!(found.contains(&"K0204"), "{}: {found:?}", &body[..40]);
    }
    let calls: String =
        (1..2000).map(|at| format!("float f{at}(float x) {{ return f{}(x); }}\n", at - 1)).collect();
    let text =
        format!("float f0(float x) {{ return x; }}\n{calls}float4 main() : POSITION {{ return f1999(1); }}");
    assert_eq!(codes(&text), ["K0204"]);
    let twins: String = (0..300).map(|_| "float f(float x) { return x; }\n").collect();
    assert!(codes(&format!("{twins}{MAIN}")).contains(&"K0204"));
    let fields: String = (0..300).map(|at| format!("float f{at};\n")).collect();
    assert!(codes(&format!("struct S {{ {fields} }}; static S s;\n{MAIN}")).contains(&"K0204"));
    let sizes = "[2]".repeat(3000);
    assert!(codes(&format!("static float v{sizes};\n{MAIN}")).contains(&"K0204"));
}

/// A source with many mistakes makes a list that ends.
#[test]
fn messages_have_an_end() {
    let found = codes(&text(&"o = q; ".repeat(1000)));
    assert!(found.len() <= 100 && found.iter().all(|code| *code == "K0207"), "{}", found.len());
    let found = codes(&text(&"o = float4(p, 0).xyz; ".repeat(1000)));
    assert!(found.len() <= 100, "{}", found.len());
    // Warnings do not hide errors.
    let found = codes(&text(&format!("{} o = q;", "o.xyz = p; ".repeat(1000))));
    assert!(found.contains(&"K0207"));
}

/// What other languages call something has Cg's name, and a missing semicolon its place.
#[test]
fn slips_are_told_where_they_are() {
    let text = "float4 main(vec4 p : POSITION) : POSITION { return p; }";
    let problems = read(text, &Options::default()).unwrap_err();
    assert!(problems[0].fixes.iter().any(|fix| fix.edits[0].text == "float4"), "{problems:#?}");
    let text = "float4 main(float4 p : POSITION) : POSITION {\n  float4 r = p\n  return r;\n}";
    let problems = read(text, &Options::default()).unwrap_err();
    assert_eq!(problems[0].labels[0].span.range().start, text.find("\n  return").unwrap(), "{problems:#?}");
    let problems = read("cbuffer U { float4x4 m; };", &Options::default()).unwrap_err();
    assert!(problems[0].help[0].contains("uniform float4x4 mvp;"), "{problems:#?}");
}
