//! GLSL that naga reads as something else is refused; what it reads as it is, is right. Expected values are calculated
//! by hand from the language's specification.

use super::{run, shader};

const HEAD: &str = "#version 450\nlayout(location = 0) in vec4 a;\nlayout(location = 0) out vec4 c;\n\
    int count = 0;\nint next() { return count++; }\nbool once() { count++; return true; }\n\
    bool pure(float x) { float y = x; y += 1.0; return y > 2.0; }\n\
    float twice(float x) { x *= 2.0; return x; }\nvoid grow(inout float x, float by) { x += by; }\n\
    void both(inout float x, inout float y) { x += 1.0; y *= 2.0; }\nbool fills(out float x) { x = 5.0; return true; }\n\
    bool outer() { return once(); }\nstruct S { float p; float q[2]; };\n";

/// A vertex program whose result is `c`.
fn program(body: &str) -> String {
    format!("{HEAD}void main() {{ gl_Position = vec4(0.0); c = vec4(0.0); {body} }}\n")
}

/// What `c` is for `a` = (1, 2, 3, 4).
fn value(text: &str) -> [f32; 4] {
    let (shader, _) = shader("a.vert", text).unwrap_or_else(|problems| panic!("{text}\n{problems:#?}"));
    let at = shader.outputs.iter().position(|own| own.name == "c").unwrap();
    let inputs = [gpuzoo_ir::vec4([1.0, 2.0, 3.0, 4.0])];
    gpuzoo_ir::eval::outputs(&shader.function, &inputs, &[])[at].map(f32::from_bits)
}

/// The code of what is refused, and the text at its place.
fn refused(text: &str) -> (&'static str, String) {
    let problems = shader("a.vert", text).err().unwrap_or_else(|| panic!("nothing is wrong with {text}"));
    assert!(!problems[0].help.is_empty(), "{problems:#?}");
    (problems[0].code.id, text[problems[0].labels[0].span.range()].to_owned())
}

#[test]
fn side_effects_that_would_be_others_are_refused() {
    let cases = [
        ("if (a.x > 5.0 && once()) c.x = 1.0;", "once"),
        ("bool b = a.x > 0.0 || once();", "once"),
        ("bool b = a.x > 5.0 && outer() || a.y > 0.0;", "outer"),
        ("bool b = a.x > 5.0 && (a.y > 0.0 || once());", "once"),
        ("int i = 0; bool b = a.x > 5.0 && i++ > 0;", "++"),
        ("int i = 0; bool b = a.x > 5.0 && (i = 2) > 0;", "="),
        ("int i = 0; while (i < 3 && i++ < 2) c.x += 1.0;", "++"),
        ("float x; bool b = a.x > 5.0 || fills(x);", "fills"),
        ("bool b = a.x > 5.0 ^^ a.x > 0.0 && once();", "once"),
        ("bool b = a.x > 5.0 && pure(float(next()));", "next"),
        ("float x[3]; x[next()] *= 2.0;", "x[next()]"),
        ("float x[3]; int i = 0; x[i++] += 2.0;", "x[i++]"),
        ("S s; int i = 0; s.q[i++] -= 2.0;", "s.q[i++]"),
        ("float x[3]; int i = 0; (x[i++]) += 2.0;", "(x[i++])"),
        ("float x[3]; int i = 0; grow(x[i++], 1.0);", "x[i++]"),
        ("float x[3]; int i = 0; grow(x[i], float(i++));", "float(i++)"),
        ("vec2 x[2]; int i = 0; c.x = x[i++][i];", "[i++]"),
        ("vec2 x[2]; int i = 0; x[i][i++] = 9.0;", "[i++]"),
        ("S s[2]; int i = 0; s[i++].q[i] = 9.0;", "[i++]"),
        ("c.x = vec2(1.0, 2.0)[next()];", "[next()]"),
        ("int i = 5; i += i++ * 0;", "i +="),
        ("count += 1 + next();", "count +="),
        ("float x = 1.0; x *= fills(x) ? 2.0 : 3.0;", "x *="),
        ("float x = a.x; both(x, x); c.x = x;", "both(x, x)"),
        ("float x[2]; int i = int(a.x); both(x[i], x[1]);", "both(x[i], x[1])"),
        ("S s; both(s.q[0], s.q[0]);", "both(s.q[0], s.q[0])"),
        ("int i = 0; do { i++; if (i == 1) continue; c.x += 1.0; } while (i < 3);", "continue"),
        ("int i = 0; do if (i > 0) continue; while (i++ < 3);", "continue"),
    ];
    for (body, place) in cases {
        assert_eq!(refused(&program(body)), ("K0012", place.to_owned()), "{body}");
    }
}

/// Macros stand for their bodies.
#[test]
fn side_effects_of_macros_count() {
    let head =
        "#define STEP i++\n#define BOTH(x) (a.x > 5.0 && x())\n#define NEXT STEP\n#define SKIP continue\n";
    for (body, code) in [
        ("int i = 0; bool b = a.x > 5.0 && STEP > 0;", "K0012"),
        ("int i = 0; bool b = a.x > 5.0 && NEXT > 0;", "K0012"),
        ("float x[3]; int i = 0; x[STEP] += 2.0;", "K0012"),
    ] {
        let text = program(body).replacen("#version 450\n", &format!("#version 450\n{head}"), 1);
        assert_eq!(refused(&text).0, code, "{body}");
    }
    let text = program("bool b = AND;").replacen('\n', "\n#define AND a.x > 5.0 && once()\n", 1);
    // Words that a macro makes are where it is used.
    assert_eq!(refused(&text), ("K0012", "AND".to_owned()));
}

/// What is not refused is right.
#[test]
fn other_side_effects_are_those_of_the_language() {
    let cases = [
        ("bool b = a.x > 0.0 && pure(a.y); c.x = b ? 1.0 : 0.0;", [1.0, 0.0, 0.0, 0.0]),
        ("c.x = a.x > 5.0 ? float(next()) : 7.0; c.y = float(count);", [7.0, 0.0, 0.0, 0.0]),
        (
            "c.x = a.x < 5.0 ? float(next()) : float(next() + next()); c.y = float(count);",
            [0.0, 1.0, 0.0, 0.0],
        ),
        ("bool b = once() && a.x > 0.0; c.x = float(count);", [1.0, 0.0, 0.0, 0.0]),
        (
            "float x[3] = float[3](1.0, 2.0, 3.0); int i = 0; x[i++] = x[i]; c = vec4(x[0], x[1], x[2], i);",
            [2.0, 2.0, 3.0, 1.0],
        ),
        (
            "float x[3] = float[3](1.0, 2.0, 3.0); x[next()]++; c = vec4(x[0], x[1], x[2], count);",
            [2.0, 2.0, 3.0, 1.0],
        ),
        (
            "int x = 1, i = 2; x += i++; x -= next(); x += next(); c = vec4(x, i, count, 0);",
            [4.0, 3.0, 2.0, 0.0],
        ),
        ("int x = 1; for (int i = 0; i < 4; i += 2, i -= 1) x += i; c.x = float(x);", [7.0, 0.0, 0.0, 0.0]),
        ("int x, y, z = 3; x = y = z++; c = vec4(x, y, z, 0);", [3.0, 3.0, 4.0, 0.0]),
        ("int i = 0; while (i++ < 3) c.x += 1.0; c.y = float(i);", [3.0, 4.0, 0.0, 0.0]),
        ("int i = 0; for (; i++ < 3;) c.x += float(i); c.y = float(i);", [6.0, 4.0, 0.0, 0.0]),
        ("int i = 0; do { c.x += 1.0; } while (next() < 2); c.y = float(count);", [3.0, 3.0, 0.0, 0.0]),
        (
            "int i = 0; for (int k = 0; k < 4; k++) { if (k == 1) continue; i += k; } c.x = float(i);",
            [5.0, 0.0, 0.0, 0.0],
        ),
        ("int i = (count = 4, count + 1); c = vec4(i, count, 0, 0);", [5.0, 4.0, 0.0, 0.0]),
        ("float x = a.x; c.x = twice(x); c.y = x;", [2.0, 1.0, 0.0, 0.0]),
        ("float x = a.x, y = a.y; both(x, y); c.xy = vec2(x, y);", [2.0, 4.0, 0.0, 0.0]),
        ("vec2 v = a.xy; both(v.x, v.y); c.xy = v;", [2.0, 4.0, 0.0, 0.0]),
        ("float x[2] = float[2](1.0, 2.0); both(x[0], x[1]); c.xy = vec2(x[0], x[1]);", [2.0, 4.0, 0.0, 0.0]),
        ("vec4 v = a; v.xy = v.yx; c = v;", [2.0, 1.0, 3.0, 4.0]),
        ("vec4 v = a; int i = 1; v[i++] = 9.0; c = v; c.w = float(i);", [1.0, 9.0, 3.0, 2.0]),
        ("vec4 v = a; v.zw *= v.xy; c = v;", [1.0, 2.0, 3.0, 8.0]),
        (
            "mat2 m = mat2(a.x, a.y, a.z, a.w); int i = 0; m[i++] = m[1]; c = vec4(m[0], m[1]);",
            [3.0, 4.0, 3.0, 4.0],
        ),
        ("float x = 1.0; { float x = 2.0; c.x = x; } c.y = x;", [2.0, 1.0, 0.0, 0.0]),
        (
            "for (int i = 0; i < 2; i++) { float x; x = 1.0; x += float(i); c.x += x; float y = 1.0; y += 1.0; c.y += y; }",
            [3.0, 4.0, 0.0, 0.0],
        ),
        (
            "switch (int(a.x)) { case 0: c.x = 1.0; case 1: c.x += 2.0; case 2: c.x += 4.0; break; default: c.x = 9.0; }",
            [6.0, 0.0, 0.0, 0.0],
        ),
        ("switch (int(a.x)) { default: c.x += 100.0; case 0: c.x += 10.0; break; }", [110.0, 0.0, 0.0, 0.0]),
        (
            "switch (int(a.y)) { case 1: c.x = 1.0; default: c.x += 2.0; case 5: c.x += 4.0; { break; } case 6: c.x += 8.0; }",
            [6.0, 0.0, 0.0, 0.0],
        ),
        (
            "for (int i = 0; i < 4; i++) { switch (i) { case 1: continue; case 2: break; default: c.y += 1.0; } c.x += 1.0; }",
            [3.0, 2.0, 0.0, 0.0],
        ),
    ];
    for (body, expected) in cases {
        assert_eq!(value(&program(body)), expected, "{body}");
    }
}

#[test]
fn unequal_dimensions_are_refused() {
    let all = [
        ("layout(binding = 0) uniform U { vec4 grid[2][3]; };", "grid[2][3]"),
        ("layout(binding = 0) uniform U { vec4[2][3] g; };", "vec4[2][3]"),
        ("layout(binding = 0) uniform U { vec4 g[2][2][4]; } u;", "g[2][2][4]"),
        ("struct L { vec4 at; }; layout(binding = 0) uniform U { L lamp[2][4]; };", "lamp[2][4]"),
        ("struct L { float w[4][2]; };", "w[4][2]"),
        ("int f(float t[2][3]) { return t.length(); }", "t[2][3]"),
        ("const float t[2][3] = float[2][3](float[3](1.0, 2.0, 3.0), float[3](4.0, 5.0, 6.0));", "t[2][3]"),
        ("const float t[][3] = { { 1.0, 2.0, 3.0 } };", "t[][3]"),
        ("void f() { float x, t[2][3]; }", "t[2][3]"),
        (
            "float f() { return float[2][3](float[3](1.0, 2.0, 3.0), float[3](4.0, 5.0, 6.0))[1][2]; }",
            "float[2][3]",
        ),
        ("float[2][3] f() { float t[6]; }", "float[2][3]"),
        ("void f() { for (float t[2][3]; ; ) {} }", "t[2][3]"),
    ];
    for (declaration, place) in all {
        let text = program("").replacen("int count", &format!("{declaration}\nint count"), 1);
        assert_eq!(refused(&text), ("K0013", place.to_owned()), "{declaration}");
    }
    // Equal ones, and elements of arrays.
    for (body, expected) in [
        (
            "float t[2][2]; t[0][0] = 1.0; t[0][1] = 2.0; t[1][0] = 3.0; t[1][1] = 4.0; c = vec4(t[0][1], t[1][0], t[int(a.x)][0], t[0][int(a.x)]);",
            [2.0, 3.0, 3.0, 2.0],
        ),
        (
            "float[3] t[2]; t[1][2] = 5.0; c = vec4(t[1][2], t.length(), t[0].length(), 0);",
            [5.0, 2.0, 3.0, 0.0],
        ),
        (
            "S s[3]; s[2].q[1] = 5.0; c = vec4(s[2].q[1], s.length(), s[0].q.length(), 0);",
            [5.0, 3.0, 2.0, 0.0],
        ),
        ("float[3] t[2]; int i = 1, j = 2; c.x = i > 0 ? 1.0 : t[i][j];", [1.0, 0.0, 0.0, 0.0]),
    ] {
        assert_eq!(value(&program(body)), expected, "{body}");
    }
}

/// The reports that these tests come from.
#[test]
fn an_index_with_side_effects_is_computed_once() {
    let text = "#version 450\nlayout(location=0) in vec4 a; layout(location=0) out vec4 c;\nint i=0;\nint next(){ return i++; }\n\
        void main(){ gl_Position=vec4(0.0); float w[3]=float[3](1.0,2.0,3.0);\n w[next()] *= a.x; w[next()] *= a.x; c=vec4(w[0],w[1],w[2],float(i)); }\n";
    assert_eq!(refused(text), ("K0012", "w[next()]".to_owned()));
    let once = text.replace("w[next()] *= a.x;", "{ int at = next(); w[at] *= a.x; }");
    assert_eq!(value(&once), [1.0, 2.0, 3.0, 2.0]);
    let _ = run("a.vert", &once, &[[2.0; 4]], &[]);
}
