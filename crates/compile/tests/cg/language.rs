//! Declarations, statements, functions.

use super::{A, B, U, codes, good, near, run};

#[test]
fn swizzles_and_masks() {
    near(run("", "o = a.wzyx;"), [A[3], A[2], A[1], A[0]]);
    near(run("", "o = a; o.xz = b.yw; o.a = 7;"), [B[1], A[1], B[3], 7.0]);
    near(run("", "o = a; o.zyx.xy = b.xy;"), [A[0], B[1], B[0], A[3]]);
    near(run("", "o = a; o.xy = o.yx;"), [A[1], A[0], A[2], A[3]]);
    near(run("", "float s = 3; o = s.xxxx; o.rgb.g = s.x + 1;"), [3.0, 4.0, 3.0, 3.0]);
    near(run("", "o = (a + b).yyxx.zwxy;"), [A[0] + B[0], A[0] + B[0], A[1] + B[1], A[1] + B[1]]);
    near(run("", "o = 0; o[2] = a[1]; o.w = b.zyx[0];"), [0.0, 0.0, A[1], B[2]]);
}

#[test]
fn branches() {
    near(run("", "if (a.x > 0) o = a; else o = b;"), A);
    near(
        run("", "o = b; if (a.y > 0) { o = a; } else if (a.z > 3) { o.x = 1; } else o.y = 1;"),
        [1.0, B[1], B[2], B[3]],
    );
    near(run("float4 f(float4 v) { if (v.x < 0) return -v; v *= 2; return v; }", "o = f(a) + f(-a);"), {
        A.map(|own| own * 2.0 + own)
    });
    near(run("", "if (a.x) { o = 1; return; } o = 2;"), [1.0; 4]);
}

#[test]
fn loops() {
    near(run("", "o = 0; for (int i = 0; i < 4; i++) o += u[i];"), {
        std::array::from_fn(|at| (0..4).map(|row| U[row][at]).sum())
    });
    near(run("", "o = 0; int i = 0; while (i < 3) { i++; if (i == 2) continue; o += i; }"), [4.0; 4]);
    near(run("", "o = 0; int i; for (i = 0; ; ++i) { if (i >= 5) break; o += 1; }"), [5.0; 4]);
    near(run("", "o = 0; int i = 9; do { o += 1; i--; } while (i > 9);"), [1.0; 4]);
    near(
        run("", "o = 0; for (int i = 0, j = 8; i < j; i++, j--) { o.x += i; o.y += j; }"),
        [6.0, 26.0, 0.0, 0.0],
    );
    near(
        run("", "float x[3] = {1, 2, 3}; o = 0; for (int i = 2; i >= 0; i--) o = o * 10 + x[i];"),
        [321.0; 4],
    );
}

#[test]
fn functions_take_and_give() {
    near(
        run("float3 twice(float3 v) { return v * 2; }", "o = float4(twice(a.xyz), 1);"),
        [3.0, -4.0, 6.5, 1.0],
    );
    near(
        run(
            "void both(float x, out float s, inout float4 v) { s = x * 2; v += x; }",
            "float s; o = b; both(a.x, s, o); o.w = s;",
        ),
        [B[0] + 1.5, B[1] + 1.5, B[2] + 1.5, 3.0],
    );
    // What goes out is written back behind the call, to components too.
    near(
        run(
            "void swap(inout float x, inout float y) { float t = x; x = y; y = t; }",
            "o = a; swap(o.x, o.w);",
        ),
        [A[3], A[1], A[2], A[0]],
    );
    near(
        run(
            "float f(float x) { x = x + 1; return x; }",
            "float x = 1; float y = f(x); o = float4(x, y, 0, 0);",
        ),
        [1.0, 2.0, 0.0, 0.0],
    );
    near(
        run(
            "float g(float x); float f(float x) { return g(x) + 1; } float g(float x) { return x * 3; }",
            "o = f(2);",
        ),
        [7.0; 4],
    );
    near(
        run("float sum(float v[3]) { return v[0] + v[1] + v[2]; }", "float v[3] = {1, 2, 4}; o = sum(v);"),
        [7.0; 4],
    );
}

#[test]
fn overloads_are_told_by_types() {
    let own = "float f(float x) { return 1; } float f(float2 x) { return 2; } float f(float4 x) { return 4; }\n\
               float f(float x, float y) { return 11; } float f(int x) { return 0; }";
    near(run(own, "o = float4(f(a.x), f(a.xy), f(a), f(a.x, 1));"), [1.0, 2.0, 4.0, 11.0]);
    near(run(own, "o = float4(f(1), f(1.0), f(true), 0);"), [0.0, 1.0, 0.0, 0.0]);
}

#[test]
fn structs_arrays_and_typedefs() {
    let own = "struct Light { float3 at; float4 color; float power[2]; };\n\
               typedef Light Lights[2]; typedef float4 vec; typedef struct { float x; } Odd;\n\
               Light make(float3 at) { Light l; l.at = at; l.color = 1; l.power[0] = 5; l.power[1] = 6; return l; }";
    near(
        run(own, "Lights all; all[1] = make(a.xyz); Light l = all[1]; o = vec(l.at, l.power[1]);"),
        [1.5, -2.0, 3.25, 6.0],
    );
    near(run(own, "Light l = {a.xyz, b, {7, 8}}; o = l.color + l.power[0];"), B.map(|own| own + 7.0));
    near(run(own, "Light l = {1, 2, 3, b, 7, 8}; o = float4(l.at, l.power[1]);"), [1.0, 2.0, 3.0, 8.0]);
    near(run(own, "Light l = (Light)0; l.at.y = 2; o = float4(l.at, l.color.x);"), [0.0, 2.0, 0.0, 0.0]);
    near(run(own, "Odd d; d.x = 3; Odd e = a.x > 0 ? d : (Odd)0; o = e.x;"), [3.0; 4]);
    near(
        run(
            "",
            "float v[] = {1, 2, 3}; float2 w[2][2] = {1, 2, 3, 4, {{5, 6}, a.xy}}; o = float4(v[2], w[1][0], w[1][1].x);",
        ),
        [3.0, 5.0, 6.0, A[0]],
    );
}

/// A block's own name for a type hides another one, up to its end.
#[test]
fn types_are_named_in_blocks() {
    near(
        run(
            "",
            "typedef float2 pair; pair p = a.xy; typedef pair two[2]; two t = {p, b.xy}; o = float4(t[1], (pair)a);",
        ),
        [B[0], B[1], A[0], A[1]],
    );
    let own = "typedef float4 own;";
    near(run(own, "{ typedef float own; own x = a.y; o = x; } own y = a; o += y - a.y;"), A);
}

#[test]
fn constants_and_globals() {
    let own = "static const int COUNT = 2 + 1; static const float K[COUNT] = {1, 2, 4};\n\
               const float4 one = {1, 1, 1, 1}; static float counter = 10; const float two = 2 * 1;\n\
               float bump() { counter += two; return counter; }";
    near(run(own, "bump(); o = one * bump();"), [14.0; 4]);
    near(
        run(
            own,
            "o = 0; for (int i = 0; i < COUNT; i++) o += K[i]; const int n = COUNT - 1; float v[n]; v[n - 1] = 9; o.x = v[1];",
        ),
        [9.0, 7.0, 7.0, 7.0],
    );
}

/// Names of a block end with it, and hide those outside.
#[test]
fn scopes() {
    near(
        run("static float x = 5;", "o = x; { float x = 1; o.x = x; } o.y = x; float x = 2; o.z = x;"),
        [1.0, 5.0, 2.0, 5.0],
    );
    near(
        run("", "float i = 7; for (int i = 0; i < 2; i++) { float i = 3; o = i; } o.x = i;"),
        [7.0, 3.0, 3.0, 3.0],
    );
    assert_eq!(
        codes("void main(float4 p : POSITION, out float4 o : POSITION) { { float x; } o = p + x; }"),
        ["K0207"]
    );
}

/// A variable may have the name of a type of the source.
#[test]
fn variables_hide_types() {
    let own = "struct input { float4 v; }; input make(float4 v) { input i; i.v = v; return i; }";
    near(run(own, "float4 input = make(a).v; input += 1; o = (input) * 2 - input[1]; o.x = (input).x;"), {
        let moved = A.map(|own| own + 1.0);
        [moved[0], moved[1], moved[2] * 2.0 - moved[1], moved[3] * 2.0 - moved[1]]
    });
    near(
        run(
            "typedef float pair[2];",
            "pair p = pair(1, 2); float q[] = float[](3, 4); double d = q[1]; o = p[1] + d;",
        ),
        [6.0; 4],
    );
}

/// Textures may stand beside what is used.
#[test]
fn structs_may_have_textures() {
    let own = "struct Pass { sampler2D texture; float4 size; sampler2D more[2]; }; struct None { samplerRECT t; };\n\
               uniform Pass pass; uniform None none; Pass passes[2];";
    near(run(own, "o = a; Pass p; p.size = 3; o.x = p.size.x;"), [3.0, A[1], A[2], A[3]]);
    let text =
        |body: &str| format!("{own} void main(float4 p : POSITION, out float4 o : POSITION) {{ {body} }}");
    assert_eq!(codes(&text("o = pass.texture;")), ["K0214"]);
    assert_eq!(codes(&text("o = none.t;")), ["K0214"]);
}

/// Functions for other stages, in the same file, are not looked into.
#[test]
fn other_stages_are_left_alone() {
    let own = "sampler2D map; uniform samplerCUBE sky : register(s1);\n\
               float4 fragment(float2 at : TEXCOORD0, uniform sampler2D own) : COLOR { if (at.x < 0) discard; return tex2D(own, at); }\n\
               TRIANGLE void geometry(AttribArray<float4> p : POSITION) { emitVertex(p[0] : POSITION, 1 : COLOR); unsigned int i = 0; }";
    near(run(own, "o = a;"), A);
}

#[test]
fn names_and_places_are_kept() {
    let text = "float4 tint;\nvoid main(float4 place : POSITION, uniform float4x4 m, out float4 o : POSITION) {\n\
                float4 moved = mul(m, place); o = moved * tint; }";
    let program = good(text);
    let globals: Vec<_> = program
        .module
        .global_variables
        .iter()
        .map(|(_, global)| global.name.clone().unwrap_or_default())
        .collect();
    assert_eq!(globals, ["tint", "m"]);
    let (_, main) = program.module.functions.iter().next().unwrap();
    let locals: Vec<_> =
        main.local_variables.iter().map(|(_, local)| local.name.clone().unwrap_or_default()).collect();
    assert_eq!(locals, ["place", "moved"]);
    for (handle, _) in main.expressions.iter() {
        let span = program.places.of(main.expressions.get_span(handle)).unwrap();
        assert!(span.end > span.start && span.end as usize <= text.len());
    }
    let entry = &program.module.entry_points[0];
    assert_eq!(entry.function.arguments[0].name.as_deref(), Some("place"));
}

/// As in C: labels share statements, what does not leave goes on with the next case, and `break` leaves the switch and not the loop.
#[test]
fn switches() {
    let text = "int i = (int)u[1].x; switch (i) { case 1: o = 1; break; case 5: case 6: o = a; break; default: o = 2; }";
    near(run("", text), A);
    near(run("", "o = 0; switch ((int)a.w) { case 1: o = 1; break; default: o = b; }"), B);
    near(
        run("", "o = 1; switch ((int)u[2].x) { case -1: o += 1; case 3: o *= 10; break; case 4: o = 0; }"),
        [20.0; 4],
    );
    near(
        run(
            "",
            "o = 0; for (int i = 0; i < 4; i++) { switch (i) { case 1: continue; case 2: o += 10; break; } o += 1; }",
        ),
        [13.0; 4],
    );
    let f = "float4 f(int i, float4 v) { switch (i) { case 0: return v; case 1: { if (v.x > 0) return -v; return 1; } default: return 2; } }";
    near(run(f, "o = f((int)u[6].y, a);"), A.map(|own| -own));
    near(run("static const int K = 2;", "switch (K * 2) { case K + 2: o = a; break; default: o = b; }"), A);
}

/// A parameter and a variable of the body are in one scope.
#[test]
fn a_parameter_is_not_declared_again() {
    let text = "float4 f(float4 v) { float4 v = 1; return v; }\n\
                void main(float4 p : POSITION, out float4 o : POSITION) { o = f(p); }";
    assert_eq!(codes(text), ["K0216"]);
    let inner = "float4 f(float4 v) { { float4 v = 1; } return v; }\n\
                 void main(float4 p : POSITION, out float4 o : POSITION) { o = f(p); }";
    assert!(codes(inner).is_empty());
}

/// As in the C of its time, the variable of a loop is there behind it, unless something else has its name.
#[test]
fn variables_of_loops_outlive_them() {
    near(run("", "o = 0; for (int i = 0; i < 3; i++) o += 1; for (i = 0; i < 4; i++) o += u[i];"), {
        std::array::from_fn(|at| 3.0 + (0..4).map(|row| U[row][at]).sum::<f32>())
    });
    near(run("", "int i = 7; for (int i = 0; i < 3; i++) {} o = i;"), [7.0; 4]);
    near(run("", "for (int i = 0; i < 3; i++) {} for (int i = 0; i < 2; i++) {} o = i;"), [2.0; 4]);
    near(run("", "for (int i = 0; i < 3; i++) {} float i = 0.5; o = i;"), [0.5; 4]);
}
