//! Expressions and built-in functions.
#![expect(
    clippy::disallowed_methods,
    reason = "the host's functions are the reference here, compared loosely"
)]

use super::{A, B, U, body};

/// A text, and what it computes.
type Case = (&'static str, fn(f32, f32) -> f32);

fn near(one: [f32; 4], other: [f32; 4]) {
    let is_near = |(one, other): (&f32, &f32)| (one - other).abs() <= 1e-5 * other.abs().max(1.0);
    assert!(one.iter().zip(&other).all(is_near), "{one:?} is not {other:?}");
}

fn each(f: impl Fn(f32, f32) -> f32) -> [f32; 4] {
    std::array::from_fn(|at| f(A[at], B[at]))
}

#[test]
fn operators_are_those_of_floats() {
    let cases: [Case; 12] = [
        ("a + b", |a, b| a + b),
        ("a - b", |a, b| a - b),
        ("a * b", |a, b| a * b),
        ("a / b", |a, b| a / b),
        ("a % b", |a, b| a % b),
        ("-a", |a, _| -a),
        ("select(a, b, a < b)", |a, b| if a < b { b } else { a }),
        ("select(a, b, a >= b)", |a, b| if a >= b { b } else { a }),
        ("select(a, b, a == vec4f(1.5))", |a, b| if a == 1.5 { b } else { a }),
        ("select(a, b, a != vec4f(1.5))", |a, b| if a == 1.5 { a } else { b }),
        ("vec4f((a < b) | (a > vec4f(3.0)))", |a, b| f32::from(u8::from(a < b || a > 3.0))),
        ("vec4f(!((a < b) & (a > vec4f(1.0))))", |a, b| f32::from(u8::from(!(a < b && a > 1.0)))),
    ];
    for (text, expected) in cases {
        near(body(&format!("return {text};"), &[A, B], &U), each(expected));
    }
}

#[test]
fn functions_are_those_of_the_language() {
    let cases: [Case; 27] = [
        ("abs(a)", |a, _| a.abs()),
        ("min(a, b)", f32::min),
        ("max(a, b)", f32::max),
        ("clamp(a, vec4f(-1.0), vec4f(1.0))", |a, _| a.clamp(-1.0, 1.0)),
        ("saturate(a)", |a, _| a.clamp(0.0, 1.0)),
        ("sin(a)", |a, _| a.sin()),
        ("cos(a)", |a, _| a.cos()),
        ("tan(a)", |a, _| a.tan()),
        ("atan(a)", |a, _| a.atan()),
        ("atan2(a, b)", f32::atan2),
        ("sinh(a)", |a, _| a.sinh()),
        ("cosh(a)", |a, _| a.cosh()),
        ("tanh(a)", |a, _| a.tanh()),
        ("asinh(a)", |a, _| a.asinh()),
        ("radians(a)", |a, _| a.to_radians()),
        ("ceil(a)", |a, _| a.ceil()),
        ("floor(a)", |a, _| a.floor()),
        ("round(a)", |a, _| a.round_ties_even()),
        ("round(a + 0.5)", |a, _| (a + 0.5).round_ties_even()),
        ("fract(a)", |a, _| a - a.floor()),
        ("trunc(a)", |a, _| a.trunc()),
        ("exp(a)", |a, _| a.exp()),
        ("log(abs(a))", |a, _| a.abs().ln()),
        ("pow(abs(a), b)", |a, b| a.abs().powf(b)),
        ("sign(a)", |a, _| a.signum()),
        ("mix(a, b, 0.25)", |a, b| a + 0.25 * (b - a)),
        ("smoothstep(vec4f(-2.0), vec4f(4.0), a)", |a, _| {
            let t = ((a + 2.0) / 6.0).clamp(0.0, 1.0);
            t * t * (3.0 - 2.0 * t)
        }),
    ];
    for (text, expected) in cases {
        near(body(&format!("return {text};"), &[A, B], &U), each(expected));
    }
}

#[test]
fn vectors_and_matrices_are_those_of_the_language() {
    let dot3 = A[0] * B[0] + A[1] * B[1] + A[2] * B[2];
    near(
        body("return vec4f(dot(a.xyz, b.xyz), dot(a, b), dot(a.xy, b.xy), length(a.xy));", &[A, B], &U),
        [dot3, dot3 + A[3] * B[3], A[0] * B[0] + A[1] * B[1], A[0].hypot(A[1])],
    );
    near(
        body("return vec4f(cross(a.xyz, b.xyz), 1.0);", &[A, B], &U),
        [A[1] * B[2] - A[2] * B[1], A[2] * B[0] - A[0] * B[2], A[0] * B[1] - A[1] * B[0], 1.0],
    );
    let length = (A[0] * A[0] + A[1] * A[1] + A[2] * A[2]).sqrt();
    near(
        body("return vec4f(normalize(a.xyz), 0.0);", &[A, B], &U),
        [A[0] / length, A[1] / length, A[2] / length, 0.0],
    );
    // A matrix times its inverse, and its determinant.
    let m = "let m = mat3x3f(a.xyz, b.xyz, u[1].xyz); let n = m * ";
    near(
        body(
            &format!("{m} (inverse3(m)); return vec4f(n[0].x, n[1].x, n[2].z, n[1].y);")
                .replace("inverse3(m)", "transpose(m)"),
            &[A, B],
            &U,
        ),
        {
            let rows = [[A[0], B[0], 5.0], [A[1], B[1], 6.0], [A[2], B[2], 7.0]];
            let at =
                |row: usize, column: usize| -> f32 { (0..3).map(|k| rows[row][k] * rows[column][k]).sum() };
            [at(0, 0), at(0, 1), at(2, 2), at(1, 1)]
        },
    );
    let determinant = A[0] * (B[1] * 7.0 - B[2] * 6.0) - B[0] * (A[1] * 7.0 - A[2] * 6.0)
        + 5.0 * (A[1] * B[2] - A[2] * B[1]);
    near(body("return vec4f(determinant(mat3x3f(a.xyz, b.xyz, u[1].xyz)));", &[A, B], &U), [determinant; 4]);
    near(
        body("return mat2x4f(u[0], u[1]) * a.xy;", &[A, B], &U),
        std::array::from_fn(|at| U[0][at] * A[0] + U[1][at] * A[1]),
    );
    near(body("return vec4f(a * mat2x4f(u[0], u[1]), reflect(a.xy, vec2f(0.0, 1.0)));", &[A, B], &U), {
        let dot = |column: usize| -> f32 { (0..4).map(|at| U[column][at] * A[at]).sum() };
        [dot(0), dot(1), A[0], -A[1]]
    });
}

#[test]
fn inverse_of_glsl_undoes_the_matrix() {
    let text = "#version 450\nlayout(location = 0) in vec4 a;\nlayout(binding = 0) uniform U { mat4 m; } u;\n\
        void main() { gl_Position = inverse(u.m) * (u.m * a); }\n";
    let m = [[2.0, 0.0, 1.0, 0.0], [0.5, 1.0, 0.0, 0.0], [0.0, 3.0, 1.0, 1.0], [1.0, 0.0, 0.0, 2.0]];
    near(super::run("i.vert", text, &[A], &m), A);
}

#[test]
fn integers_are_exact_while_they_are_known() {
    near(
        body(
            "let n = 7u / 2u + (1u << 4u) - (0xf0u & 0x3cu) / 16u; return vec4f(f32(n), f32(-7 % 3), f32(i32(a.y)), f32(u32(a.z)));",
            &[A, B],
            &U,
        ),
        [16.0, -1.0, -2.0, 3.0],
    );
    // Of numbers that are not known: quotients, rests, shifts, masks.
    near(
        body(
            "let i = i32(b.x * 5.0) + 1; let n = u32(i); return vec4f(f32(i / 4), f32(-i % 4), f32(n >> 2u), f32(n & 7u));",
            &[A, B],
            &U,
        ),
        [5.0, -1.0, 5.0, 5.0],
    );
}

#[test]
fn elements_of_uniforms_are_indexed_by_the_machine() {
    near(
        body("return u[u32(b.x)] + u[i32(b.w) + 1];", &[A, B], &U),
        std::array::from_fn(|at| U[4][at] + U[3][at]),
    );
    // Those of values and variables are chosen.
    near(
        body("var v = a; v[u32(b.w)] = 9.0; return vec4f(v.zwx, v[u32(b.x) - 3u]);", &[A, B], &U),
        [9.0, A[3], A[0], A[1]],
    );
    let columns = "var m = array<vec2f, 3>(a.xy, a.zw, b.xy); m[i32(b.w)].y = 5.0; let c = m[i32(b.w)]; return vec4f(c, m[1]);";
    near(body(columns, &[A, B], &U), [B[0], 5.0, A[2], A[3]]);
}

/// A transposed matrix times a vector is the vector times the matrix: nothing is turned.
#[test]
fn transposed_matrices_cost_nothing() {
    let text = |product: &str| {
        format!(
            "struct B {{ m: mat4x4f }}\n@group(0) @binding(0) var<uniform> u: B;\n\
             @vertex fn vs(@location(0) a: vec4f) -> @builtin(position) vec4f {{ return {product}; }}"
        )
    };
    for [one, other] in [["transpose(u.m) * a", "a * u.m"], ["a * transpose(u.m)", "u.m * a"]] {
        let [one, other] =
            [one, other].map(|product| super::shader("t.wgsl", &text(product)).unwrap().0.function);
        assert_eq!(one.insts, other.insts);
    }
}

/// What is whole, or not below 0, needs no sign to become an integer.
#[test]
fn integers_of_what_is_known() {
    let operations = |expression: &str| {
        let text = format!(
            "@vertex fn vs(@location(0) a: vec4f) -> @builtin(position) vec4f {{ return vec4f(f32({expression})) * a; }}"
        );
        let function = super::shader("t.wgsl", &text).unwrap().0.function;
        let is_own = |line: &&str| ["fslt", "ffloor"].iter().any(|name| line.contains(name));
        function.to_string().lines().filter(is_own).count()
    };
    assert_eq!(operations("i32(floor(a.x))"), 1);
    assert_eq!(operations("i32(floor(a.x)) + i32(floor(a.y) * 2.0)"), 2);
    assert_eq!(operations("i32(abs(a.x) * 4.0)"), 1);
    assert_eq!(operations("i32(a.x)"), 2);
}

#[test]
fn parts_of_numbers() {
    let parts = |a: f32, _: f32| a.fract() + 2.0 * a.trunc();
    near(
        body("let p = modf(a); return p.fract + 2.0 * p.whole;", &[A, B], &U),
        std::array::from_fn(|at| parts(A[at], B[at])),
    );
}

#[test]
fn fractions_and_exponents() {
    // Of 1.5, -2, 3.25 and 0.5.
    near(body("let p = frexp(a); return p.fract;", &[A, B], &U), [0.75, -0.5, 0.8125, 0.5]);
    near(body("let p = frexp(a); return vec4f(p.exp);", &[A, B], &U), [1.0, 2.0, 2.0, 0.0]);
    near(body("let p = frexp(a * 0.0); return p.fract + vec4f(p.exp);", &[A, B], &U), [0.0; 4]);
}

/// In GLSL, too, the text of an operation begins where its first operand does.
#[test]
fn texts_of_operations_are_whole() {
    let text = "#version 450\nlayout(location = 0) in vec4 a;\nlayout(binding = 0) uniform U { vec4 v[2]; mat4 m; } u;\n\
                void main() { gl_Position = u.m * (u.v[1] + a); }\n";
    let (shader, _) = super::shader("a.vert", text).unwrap();
    let texts: Vec<&str> = shader.origins.iter().map(|origin| &text[origin.span.range()]).collect();
    assert!(texts.contains(&"u.m * (u.v[1] + a)"), "{texts:?}");
    assert!(texts.contains(&"u.v[1] + a"), "{texts:?}");
}
