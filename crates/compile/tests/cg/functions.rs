//! Operators and the library.
#![expect(
    clippy::disallowed_methods,
    reason = "the host's functions are the reference here, compared loosely"
)]

use super::{A, B, codes, each, near, run, value};

/// A text, and what it computes.
type Case = (&'static str, fn(f32, f32) -> f32);

#[test]
fn operators_work_on_each_component() {
    let cases: [Case; 22] = [
        ("a + b", |a, b| a + b),
        ("a - b", |a, b| a - b),
        ("a * b", |a, b| a * b),
        ("a / b", |a, b| a / b),
        ("-a", |a, _| -a),
        ("+a", |a, _| a),
        ("2 * a", |a, _| 2.0 * a),
        ("a / 4", |a, _| a / 4.0),
        ("a - b.yyyy * 4", |a, _| a - 1.0),
        ("a < b", |a, b| f32::from(u8::from(a < b))),
        ("a <= b", |a, b| f32::from(u8::from(a <= b))),
        ("a > b", |a, b| f32::from(u8::from(a > b))),
        ("a >= b", |a, b| f32::from(u8::from(a >= b))),
        ("a == 1.5", |a, _| f32::from(u8::from(a == 1.5))),
        ("a != 1.5", |a, _| f32::from(u8::from(a != 1.5))),
        ("!(a < b)", |a, b| f32::from(u8::from(a >= b))),
        ("a < b && a > 0", |a, b| f32::from(u8::from(a < b && a > 0.0))),
        ("a > b || a < 0", |a, b| f32::from(u8::from(a > b || a < 0.0))),
        ("a < b ? a : b", |a, b| if a < b { a } else { b }),
        ("a.x < 0 ? a : b", |_, b| b),
        ("a > 0 ? 1 : 0", |a, _| f32::from(u8::from(a > 0.0))),
        ("(a += b, a * 2)", |a, b| (a + b) * 2.0),
    ];
    for (text, expected) in cases {
        near(value(text), each(expected));
    }
}

#[test]
fn integers_are_divided_as_such() {
    near(value("float4(7 / 2, 7 % 4, -7 / 2, (1 << 4) - 3)"), [3.0, 3.0, -3.0, 13.0]);
    near(value("float4(7 / 2.0, (int)3.9, int(-3.9), 0x1F & 12)"), [3.5, 3.0, -3.0, 12.0]);
    near(value("(float)(a.x > 0) + (bool)b.x"), [2.0; 4]);
}

#[test]
fn assignments_have_values() {
    near(run("", "float x = 1; float y = x += 2; o = float4(x, y, x++, ++x);"), [3.0, 3.0, 3.0, 5.0]);
    near(run("", "int i = 5; o = float4(i--, i, --i, i %= 2);"), [5.0, 4.0, 3.0, 1.0]);
    near(run("", "o = a; o *= 2; o -= b; o /= 0.5;"), each(|a, b| (a * 2.0 - b) / 0.5));
    near(run("", "float4 x, y; x = y = a; o = x + y;"), each(|a, _| 2.0 * a));
}

#[test]
fn functions_of_one_argument() {
    let cases: [Case; 27] = [
        ("abs(a)", |a, _| a.abs()),
        ("acos(b * 0.25)", |_, b| (b * 0.25).acos()),
        ("asin(b * 0.25)", |_, b| (b * 0.25).asin()),
        ("atan(a)", |a, _| a.atan()),
        ("ceil(a)", |a, _| a.ceil()),
        ("cos(a)", |a, _| a.cos()),
        ("cosh(a)", |a, _| a.cosh()),
        ("degrees(a)", |a, _| a.to_degrees()),
        ("exp(a)", |a, _| a.exp()),
        ("exp2(a)", |a, _| a.exp2()),
        ("floor(a)", |a, _| a.floor()),
        ("frac(a)", |a, _| a - a.floor()),
        ("log(abs(a))", |a, _| a.abs().ln()),
        ("log10(abs(a))", |a, _| a.abs().log10()),
        ("log2(abs(a))", |a, _| a.abs().log2()),
        ("radians(a)", |a, _| a.to_radians()),
        ("round(a)", |a, _| (a + 0.5).floor()),
        ("fract(a) + inversesqrt(abs(a))", |a, _| a - a.floor() + 1.0 / a.abs().sqrt()),
        ("rsqrt(abs(a))", |a, _| 1.0 / a.abs().sqrt()),
        ("saturate(a)", |a, _| a.clamp(0.0, 1.0)),
        ("sign(a)", |a, _| a.signum()),
        ("sin(a)", |a, _| a.sin()),
        ("sinh(a)", |a, _| a.sinh()),
        ("sqrt(abs(a))", |a, _| a.abs().sqrt()),
        ("tan(a)", |a, _| a.tan()),
        ("tanh(a)", |a, _| a.tanh()),
        ("trunc(a)", |a, _| a.trunc()),
    ];
    for (text, expected) in cases {
        near(value(text), each(expected));
    }
}

#[test]
fn functions_of_several_arguments() {
    let cases: [Case; 15] = [
        ("atan2(a, b)", f32::atan2),
        ("clamp(a, -1, 1)", |a, _| a.clamp(-1.0, 1.0)),
        ("clamp(a, b - 1, b + 1)", |a, b| a.clamp(b - 1.0, b + 1.0)),
        // As cgc has it: the lower bound counts.
        ("clamp(a, 2, 1)", |_, _| 2.0),
        ("fmod(a, b)", |a, b| a % b),
        ("ldexp(a, 3)", |a, _| a * 8.0),
        ("lerp(a, b, 0.25)", |a, b| a + 0.25 * (b - a)),
        ("mix(a, b, a)", |a, b| a + a * (b - a)),
        ("max(a, b)", f32::max),
        ("max(a, 0)", |a, _| a.max(0.0)),
        ("min(a, b)", f32::min),
        ("pow(abs(a), b)", |a, b| a.abs().powf(b)),
        ("step(a, b)", |a, b| f32::from(u8::from(b >= a))),
        ("smoothstep(-2, 4, a)", |a, _| {
            let t = ((a + 2.0) / 6.0).clamp(0.0, 1.0);
            t * t * (3.0 - 2.0 * t)
        }),
        ("step(0.5, a) + max(1, 2)", |a, _| f32::from(u8::from(a >= 0.5)) + 2.0),
    ];
    for (text, expected) in cases {
        near(value(text), each(expected));
    }
}

#[test]
fn functions_of_vectors() {
    let dot: f32 = (0..4).map(|at| A[at] * B[at]).sum();
    let squares = |of: [f32; 4], count: usize| of[..count].iter().map(|own| own * own).sum::<f32>();
    near(value("dot(a, b)"), [dot; 4]);
    near(value("dot(a.x, b.x)"), [6.0; 4]);
    near(value("length(a)"), [squares(A, 4).sqrt(); 4]);
    near(value("length(a.y)"), [2.0; 4]);
    let apart = [0, 1, 2].map(|at| A[at] - B[at]);
    near(value("distance(a.xyz, b.xyz)"), [apart.iter().map(|own| own * own).sum::<f32>().sqrt(); 4]);
    near(value("normalize(a)"), A.map(|own| own / squares(A, 4).sqrt()));
    let cross = [A[1] * B[2] - A[2] * B[1], A[2] * B[0] - A[0] * B[2], A[0] * B[1] - A[1] * B[0]];
    near(value("float4(cross(a.xyz, b.xyz), 1)"), [cross[0], cross[1], cross[2], 1.0]);
    near(value("reflect(a, float4(0, 1, 0, 0))"), [A[0], -A[1], A[2], A[3]]);
    near(value("faceforward(a, b, float4(1, 0, 0, 0))"), A.map(|own| -own));
    let (incident, ratio) = ([0.6, -0.8], 0.5_f32);
    let k = 1.0 - ratio * ratio * (1.0 - incident[1] * incident[1]);
    let bent = [ratio * incident[0], ratio * incident[1] - (ratio * incident[1] + k.sqrt())];
    near(value("float4(refract(float2(0.6, -0.8), float2(0, 1), 0.5), 0, 0)"), [bent[0], bent[1], 0.0, 0.0]);
    near(value("float4(any(a < 0), all(a < 0), any(a.x > 0), all(b.xy > 0))"), [1.0, 0.0, 1.0, 1.0]);
}

#[test]
fn lighting_and_sincos() {
    near(value("lit(0.5, 0.5, 3)"), [1.0, 0.5, 0.125, 1.0]);
    near(value("lit(-0.5, 0.5, 3)"), [1.0, 0.0, 0.0, 1.0]);
    near(value("lit(a.x, a.y, 3)"), [1.0, 1.5, 0.0, 1.0]);
    near(
        run("", "float s, c; sincos(a.x, s, c); o = float4(s, c, 0, 0);"),
        [1.5f32.sin(), 1.5f32.cos(), 0.0, 0.0],
    );
}

/// The function of the source is meant where both have one.
#[test]
fn own_functions_hide_the_library() {
    near(run("float4 saturate(float4 v) { return v + 1; }", "o = saturate(a);"), each(|a, _| a + 1.0));
}

#[test]
fn conversions() {
    near(value("a.xyz.xxyz"), [A[0], A[0], A[1], A[2]]);
    near(value("float4((float2)a, float2(b))"), [A[0], A[1], B[0], B[1]]);
    near(value("float4(a.x)"), [A[0]; 4]);
    near(value("(int4)a"), A.map(f32::trunc));
    near(value("half4(fixed2(1, 2), half2(3.5h, 4.0x))"), [1.0, 2.0, 3.5, 4.0]);
    near(value("float4(true, 2, int2(3, 4))"), [1.0, 2.0, 3.0, 4.0]);
    near(value("(a > 0) ? float4(1) : a"), A.map(|own| if own > 0.0 { 1.0 } else { own }));
}

#[test]
fn warnings_of_dropped_components() {
    let text = |body: &str| format!("void main(float4 a : POSITION, out float4 o : POSITION) {{ {body} }}");
    assert_eq!(codes(&text("float3 v = a; o = float4(v, 1);")), ["K0221"]);
    assert_eq!(codes(&text("o = float4(a.xyz + a, 1);")), ["K0221"]);
    assert_eq!(codes(&text("o = float4((float3)a + a.xyz, (float)a);")), [""; 0]);
}

#[test]
fn functions_with_a_second_result() {
    near(
        run("", "float4 whole; float4 part = modf(a, whole); o = part + 10 * whole;"),
        each(|a, _| a.fract() + 10.0 * a.trunc()),
    );
    // Of 1.5, -2, 3.25 and 0.5, and of 0.
    near(run("", "int4 power; float4 part = frexp(a, power); o = part;"), [0.75, -0.5, 0.8125, 0.5]);
    near(run("", "int4 power; frexp(a, power); o = power;"), [1.0, 2.0, 2.0, 0.0]);
    near(run("", "float power; float part = frexp(a.x - 1.5, power); o = part + power;"), [0.0; 4]);
}
