//! What goes in and out: semantics, uniforms, registers.

use super::{A, B, codes, good, near, outputs};
use naga::{AddressSpace, Binding, BuiltIn, TypeInner};

/// The names and locations of inputs.
fn inputs(text: &str) -> Vec<(String, u32)> {
    let program = good(text);
    let arguments = &program.module.entry_points[0].function.arguments;
    let location = |binding: &Option<Binding>| match binding {
        Some(Binding::Location { location, .. }) => *location,
        other => panic!("{other:?}"),
    };
    arguments.iter().map(|own| (own.name.clone().unwrap(), location(&own.binding))).collect()
}

/// The names and places of outputs.
fn places(text: &str) -> Vec<(String, String)> {
    let program = good(text);
    let result = program.module.entry_points[0].function.result.as_ref().unwrap();
    let TypeInner::Struct { members, .. } = &program.module.types[result.ty].inner else {
        panic!("no struct")
    };
    let place = |binding: &Option<Binding>| match binding {
        Some(Binding::Location { location, .. }) => location.to_string(),
        Some(Binding::BuiltIn(BuiltIn::Position { .. })) => "position".to_owned(),
        Some(Binding::BuiltIn(BuiltIn::PointSize)) => "size".to_owned(),
        other => panic!("{other:?}"),
    };
    members.iter().map(|own| (own.name.clone().unwrap(), place(&own.binding))).collect()
}

fn pairs<const N: usize>(expected: [(&str, u32); N]) -> Vec<(String, u32)> {
    expected.map(|(name, at)| (name.to_owned(), at)).to_vec()
}

#[test]
fn inputs_have_the_numbers_of_the_xbox() {
    let text = "struct In { float4 p : POSITION; float w : BLENDWEIGHT; float3 n : NORMAL; float4 c : DIFFUSE;\n\
                float4 s : SPECULAR; float f : FOGCOORD; float z : PSIZE; float4 b[2] : BCOL0; float2 t[4] : TEXCOORD0;\n\
                float3x4 m : ATTR13; };\n\
                float4 main(In i) : POSITION { return i.p + i.m[2] + i.t[3].x; }";
    assert_eq!(
        inputs(text),
        pairs([
            ("i.p", 0),
            ("i.w", 1),
            ("i.n", 2),
            ("i.c", 3),
            ("i.s", 4),
            ("i.f", 5),
            ("i.z", 6),
            ("i.b[0]", 7),
            ("i.b[1]", 8),
            ("i.t[0]", 9),
            ("i.t[1]", 10),
            ("i.t[2]", 11),
            ("i.t[3]", 12),
            ("i.m[0]", 13),
            ("i.m[1]", 14),
            ("i.m[2]", 15),
        ])
    );
}

#[test]
fn inputs_without_semantics_get_what_is_free() {
    let text = "void main(float3 p, float4 c : ATTR1, float2 t, out float4 o : POSITION) { o = float4(p, t.x) + c; }";
    assert_eq!(inputs(text), pairs([("p", 0), ("c", 1), ("t", 2)]));
    assert_eq!(codes(text), ["K0223", "K0223"]);
}

#[test]
fn outputs_of_every_kind() {
    let text = "struct Out { float4 p : HPOS; float4 c : COLOR; float3 s : COLOR1; float fog : FOG; float z : PSIZE; };\n\
                Out main(float4 p : POSITION, out float2 t : TEXCOORD0, out float4 u : TEXCOORD3, out float4 v : TEXCOORD4,\n\
                out float4 back : BCOL1) {\n\
                Out o; o.p = p; o.c = 1; o.s = 2; o.fog = p.w; o.z = 3; t = p.xy; u = 4; v = 5; back = 6; return o; }";
    let expected = [
        ("p", "position"),
        ("c", "0"),
        ("s", "1"),
        ("fog", "6"),
        ("z", "size"),
        ("t", "2"),
        ("u", "5"),
        ("v", "9"),
        ("back", "8"),
    ];
    assert_eq!(places(text), expected.map(|(name, at)| (name.to_owned(), at.to_owned())));
}

#[test]
fn structs_go_in_and_out() {
    let text = "struct V { float4 p : POSITION; float4 c : COLOR0; };\n\
                void main(inout V v, float4 extra : TEXCOORD0) { v.p += extra; v.c = v.c.wzyx; }";
    let found = outputs(text, &[A, B, A], &[]);
    near(found[0].1, A.map(|own| own * 2.0));
    near(found[1].1, [B[3], B[2], B[1], B[0]]);
}

/// Components in the pipeline are floats; a position of three has w = 1.
#[test]
fn integers_and_short_positions() {
    let text = "void main(int4 i : POSITION, bool b : ATTR1, out float3 p : POSITION, out int4 c : COLOR) {\n\
                p = i.xyz; c = i / 2 + b; }";
    let found = outputs(text, &[A, B], &[]);
    near(found[0].1, [1.0, -2.0, 3.0, 1.0]);
    near(found[1].1, [1.0, 0.0, 2.0, 1.0]);
}

#[test]
fn uniforms_are_globals_in_order() {
    let text = "float4x4 world; uniform float k : register(c9); sampler2D map; static float4 own; bool on : C12;\n\
                void main(float4 p : POSITION, uniform float2 off : C[30], float4 plain : c31, uniform sampler2D t,\n\
                out float4 o : POSITION) {\n\
                o = mul(world, p) * k + plain; o.xy += off; if (on) o.z = 0; }";
    let program = good(text);
    let globals: Vec<_> = program
        .module
        .global_variables
        .iter()
        .filter(|(_, global)| global.space == AddressSpace::Uniform)
        .map(|(_, global)| (global.name.clone().unwrap(), global.binding.unwrap().binding))
        .collect();
    assert_eq!(globals, pairs([("world", 0), ("k", 1), ("on", 2), ("off", 3), ("plain", 4)]));
    let registers: Vec<_> = program.uniforms.iter().map(|uniform| uniform.register).collect();
    assert_eq!(registers, [None, Some(9), Some(12), Some(30), Some(31)]);
    let types: Vec<_> = program.uniforms.iter().map(|uniform| uniform.ty.as_str()).collect();
    assert_eq!(types, ["float4x4", "float", "bool", "float2", "float4"]);
}

#[test]
fn uniform_bools_and_ints_are_floats_in_registers() {
    let text = "void main(float4 p : POSITION, uniform bool on, uniform int k, uniform bool2 two, out float4 o : POSITION)\n\
                { o = on ? p * k : 0; if (two.y) o.x = 9; }";
    let one = |value: f32| [value, 0.0, 0.0, 0.0];
    near(outputs(text, &[A], &[one(1.0), one(3.0), one(1.0)])[0].1, A.map(|own| own * 3.0));
    near(outputs(text, &[A], &[one(0.0), one(3.0), [0.0, 1.0, 0.0, 0.0]])[0].1, [9.0, 0.0, 0.0, 0.0]);
}

#[test]
fn uniform_structs_and_computed_indices() {
    let text = "struct Light { float3 at; float4 color; };\n\
                void main(float4 p : POSITION, uniform Light lights[2], uniform float4 palette[4], out float4 o : POSITION)\n\
                { int i = (int)p.w; o = lights[1].color * palette[i]; o.x = lights[0].at.z; }";
    let uniforms: Vec<[f32; 4]> = (0..8).map(|at| [at as f32, 10.0 + at as f32, 20.0, 2.0]).collect();
    let found = outputs(text, &[[1.0, 1.0, 1.0, 2.0]], &uniforms);
    near(found[0].1, [20.0, 13.0 * 16.0, 400.0, 4.0]);
}

/// Outputs without semantics are the texture coordinates that are free, as with cgc.
#[test]
fn outputs_without_semantics_are_texture_coordinates() {
    let text = "void main(float4 p : POSITION, out float4 o : POSITION, out float2 a, out float3 b : TEXCOORD0, out float c)\n\
                { o = p; a = p.xy; b = p.xyz; c = 1; }";
    let expected = [("o", "position"), ("a", "3"), ("b", "2"), ("c", "4")];
    assert_eq!(places(text), expected.map(|(name, at)| (name.to_owned(), at.to_owned())));
    assert_eq!(codes(text), ["K0223", "K0223"]);
}

/// Each row of a matrix is a register, also one of two numbers.
#[test]
fn rows_of_two_have_registers_of_their_own() {
    let text = "float4 rows(float2x2 m[2]) { return float4(m[1][0], m[1][1]); }\n\
                void main(float4 p : POSITION, uniform float3x2 m, uniform float2x2 n[2], uniform float k[2], out float4 o : POSITION,\n\
                out float4 c : COLOR) { int i = (int)p.w; o = float4(mul(p.xyz, m), m[i].y, n[1]._m10) + k[1]; c = rows(n) + m[2].xyxy; }";
    let uniforms: Vec<[f32; 4]> = (0..9).map(|at| [at as f32, 10.0 + at as f32, 99.0, 99.0]).collect();
    let found = outputs(text, &[[1.0, 2.0, 3.0, 2.0]], &uniforms);
    near(found[0].1, [16.0, 76.0, 20.0, 14.0]);
    near(found[1].1, [7.0, 27.0, 8.0, 28.0]);
}

/// Numbers in the source are what uniforms hold until the host sets them.
#[test]
fn first_values_of_uniforms_are_kept() {
    let text = "float k = 0.5; float4x4 m = {1, 0, 0, 5, 0, 1, 0, 6, 0, 0, 1, 7, 0, 0, 0, 1}; float2 v[2] = {float2(1, 2), {3.0 / 2, -4}};\n\
                void main(float4 p : POSITION, uniform int3 j = 2, uniform bool on = true, out float4 o : POSITION)\n\
                { o = mul(m, p) * k * j.xyzz; o.xy += v[0] * v[1]; if (on) o.z = 0; }";
    assert!(codes(text).is_empty());
    let program = good(text);
    let (shader, _) = program.shader(program.uniforms[0].span).unwrap();
    let values: Vec<Vec<[f32; 4]>> = shader
        .uniforms
        .iter()
        .map(|own| own.values.iter().map(|value| value.map(f32::from_bits)).collect())
        .collect();
    let expected: [&[[f32; 4]]; 5] = [
        &[[0.5, 0.0, 0.0, 0.0]],
        &[[1.0, 0.0, 0.0, 5.0], [0.0, 1.0, 0.0, 6.0], [0.0, 0.0, 1.0, 7.0], [0.0, 0.0, 0.0, 1.0]],
        &[[1.0, 2.0, 0.0, 0.0], [1.5, -4.0, 0.0, 0.0]],
        &[[2.0, 2.0, 2.0, 0.0]],
        &[[1.0, 0.0, 0.0, 0.0]],
    ];
    assert_eq!(values, expected);
}

/// What is computed by functions, what does not fit and what is in structs is not.
#[test]
fn other_first_values_of_uniforms_are_warned_of() {
    for text in [
        "float k = sin(1.0);",
        "float4 k = {1, 2, 3};",
        "float k = 7 / 2;",
        "struct S { float4 a; }; S k = {{1, 2, 3, 4}};",
    ] {
        let text = format!("{text} void main(float4 p : POSITION, out float4 o : POSITION) {{ o = p; }}");
        assert_eq!(codes(&text), ["K0222"], "{text}");
    }
}

/// Structs and arrays may have bools and rows of two among others.
#[test]
fn mixed_uniforms() {
    let text = "struct Light { bool on; float4 color; float2x2 turn; };\n\
                float4 shade(Light l, float4 p) { return l.on ? l.color * p : float4(mul(l.turn, p.xy), 0, 1); }\n\
                void main(float4 p : POSITION, uniform Light lights[2], uniform bool flags[2], out float4 o : POSITION)\n\
                { Light copy = lights[1]; o = shade(lights[0], p) + shade(copy, p); if (flags[1]) o.w = 9; }";
    let one = |x: f32, y: f32| [x, y, 0.0, 0.0];
    let light = |on: f32| [one(on, 0.0), [1.0, 2.0, 3.0, 4.0], one(0.0, 1.0), one(-1.0, 0.0)];
    let uniforms = |flag: f32| [&light(1.0)[..], &light(0.0), &[one(0.0, 0.0), one(flag, 0.0)]].concat();
    let expected = [A[0] + A[1], A[1] * 2.0 - A[0], A[2] * 3.0, A[3] * 4.0 + 1.0];
    near(outputs(text, &[A], &uniforms(0.0))[0].1, expected);
    near(outputs(text, &[A], &uniforms(1.0))[0].1, [expected[0], expected[1], expected[2], 9.0]);
}

/// What a machine has no register for is shown where its semantic stands.
#[test]
fn outputs_are_where_their_semantics_are() {
    let text = "struct Out { float4 p : POSITION; float4 t : TEXCOORD4; };\n\
        Out main(float4 p : POSITION) { Out o; o.p = p; o.t = p; return o; }";
    let program = crate::good(text);
    let whole = program.outputs[0].1;
    let (shader, _) = program.shader(whole).unwrap();
    let places = shader.outputs.iter().map(|own| &text[own.span.range()]).collect::<Vec<_>>();
    assert_eq!(places, ["POSITION", "TEXCOORD4"]);
    let problem =
        gpuzoo_compile::build(&gpuzoo_nv2a::GPU, &shader, &Default::default()).unwrap_err().remove(0);
    assert_eq!((problem.code.id, &text[problem.labels[0].span.range()]), ("K0302", "TEXCOORD4"));
}
