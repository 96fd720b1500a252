//! Matrices: Cg's rows, in Cg's order.

use super::{A, U, near, outputs, run};

/// Declares `m`, of which the rows are the first four uniforms.
const M: &str = "float4x4 m = float4x4(u[0], u[1], u[2], u[3]);";

fn dot(one: &[f32], other: &[f32]) -> f32 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

fn of_m(body: &str) -> [f32; 4] {
    run("", &format!("{M} {body}"))
}

#[test]
fn products_with_vectors() {
    near(of_m("o = mul(m, a);"), [0, 1, 2, 3].map(|row| dot(&U[row], &A)));
    let column = |at: usize| [U[0][at], U[1][at], U[2][at], U[3][at]];
    near(of_m("o = mul(a, m);"), [0, 1, 2, 3].map(|at| dot(&column(at), &A)));
    near(of_m("o = float4(mul((float3x3)m, a.xyz), 0);"), {
        let row = |at: usize| dot(&U[at][..3], &A[..3]);
        [row(0), row(1), row(2), 0.0]
    });
    near(run("", "float3x4 m = {u[0], u[1], u[2]}; o = float4(mul(m, a), 1);"), {
        [dot(&U[0], &A), dot(&U[1], &A), dot(&U[2], &A), 1.0]
    });
    near(run("", "float2x3 m = {1, 2, 3, 4, 5, 6}; o = float4(mul(a.xy, m), 0);"), {
        let (x, y) = (A[0], A[1]);
        [x + 4.0 * y, 2.0 * x + 5.0 * y, 3.0 * x + 6.0 * y, 0.0]
    });
}

#[test]
fn a_uniform_matrix_has_its_rows_in_registers() {
    let text =
        "void main(float4 p : POSITION, uniform float4x4 m, out float4 o : POSITION) { o = mul(m, p); }";
    let rows = &U[..4];
    near(outputs(text, &[A], rows)[0].1, [0, 1, 2, 3].map(|row| dot(&rows[row], &A)));
    let text = "void main(float4 p : POSITION, uniform float3x4 m[2], uniform int k, out float4 o : POSITION)\n\
                { o = float4(mul(m[1], p), k); }";
    let six: Vec<[f32; 4]> = U[..6].iter().copied().chain([[7.0, 0.0, 0.0, 0.0]]).collect();
    near(outputs(text, &[A], &six)[0].1, [dot(&U[3], &A), dot(&U[4], &A), dot(&U[5], &A), 7.0]);
}

#[test]
fn products_of_matrices() {
    let body = "float2x3 l = {1, 2, 3, 4, 5, 6}; float3x2 r = {7, 8, 9, 10, 11, 12}; float2x2 p = mul(l, r);\n\
                o = float4(p[0], p[1]);";
    near(run("", body), [58.0, 64.0, 139.0, 154.0]);
    near(
        of_m("o = mul(mul(m, transpose(m)), float4(1, 0, 0, 0));"),
        [0, 1, 2, 3].map(|row| dot(&U[row], &U[0])),
    );
}

#[test]
fn elements_and_rows() {
    near(of_m("o = m[1];"), U[1]);
    near(of_m("o = float4(m[2][3], m._m01, m._31, m[0].w);"), [U[2][3], U[0][1], U[2][0], U[0][3]]);
    near(of_m("o = m._m00_m11_m22_m33;"), [U[0][0], U[1][1], U[2][2], U[3][3]]);
    near(of_m("m[0] = a; m[1].xz = a.yw; m._m13 = 9; m[1][1] = 8; o = m[0] + m[1];"), {
        [A[0] + A[1], A[1] + 8.0, A[2] + A[3], A[3] + 9.0]
    });
    near(of_m("o = transpose(m)[2];"), [U[0][2], U[1][2], U[2][2], U[3][2]]);
    near(run("", "float2x2 d = {1, 2, 3, 4}; o = determinant(d);"), [-2.0; 4]);
    near(run("", "float3x3 d = {2, 0, 0, 1, 3, 1, 0, 4, 5}; o = determinant(d);"), [22.0; 4]);
}

/// Operators, unlike `mul`, work on each element.
#[test]
fn operators_work_on_each_element() {
    near(of_m("m = m * m; o = m[1];"), U[1].map(|own| own * own));
    near(of_m("m += m; m *= 2; o = (m - 1)[0];"), U[0].map(|own| own * 4.0 - 1.0));
    near(of_m("m = -m / 2; o = m[3];"), U[3].map(|own| own / -2.0));
    near(of_m("m = a.x > 0 ? m : 0; o = m[2];"), U[2]);
}

#[test]
fn constructors_take_rows() {
    near(run("", "float2x2 m = float2x2(1, 2, 3, 4); o = float4(m[0], m[1]);"), [1.0, 2.0, 3.0, 4.0]);
    near(run("", "float2x2 m = float2x2(a.xyz, 9); o = float4(m[0], m[1]);"), [A[0], A[1], A[2], 9.0]);
    near(run("", "float2x2 m = (float2x2)float3x3(1, 2, 3, 4, 5, 6, 7, 8, 9); o = float4(m[0], m[1]);"), {
        [1.0, 2.0, 4.0, 5.0]
    });
    near(run("", "float4x4 m = {{1, 2, 3, 4}, u[0], {u[1].xy, u[2].zw}, 5, 6, 7, 8}; o = m[2] + m[3];"), {
        [10.0, 12.0, 4.0, 4.0]
    });
}
