//! Expressions, guards for them, and forms of sources.

use super::Operands;

/// A condition.
pub struct Guard {
    /// The condition in all languages.
    pub text: &'static str,
    pub holds: fn(Operands) -> bool,
    /// The guard compares the guarded operand.
    pub reads_operand: bool,
    /// The guard compares the second operand.
    pub reads_other: bool,
}

/// A guard that does not depend on what it guards.
pub const FLAG: Guard =
    Guard { text: "g > 0.0", holds: |[_, _, g, _]| g > 0.0, reads_operand: false, reads_other: false };

const fn on(text: &'static str, holds: fn(Operands) -> bool) -> Guard {
    Guard { text, holds, reads_operand: true, reads_other: false }
}

const ABOVE: Guard = on("x > 0.0", |[x, ..]| x > 0.0);
const NOT_BELOW: Guard = on("x >= 0.0", |[x, ..]| x >= 0.0);
const BELOW_LEFT: Guard = on("0.0 < x", |[x, ..]| x > 0.0);
const NOT_ZERO: Guard = on("x != 0.0", |[x, ..]| x != 0.0);
const SMALL: Guard = on("x < 100.0", |[x, ..]| x < 100.0);
const WITHIN: Guard = on("abs(x) <= 1.0", |[x, ..]| x.abs() <= 1.0);
const BOTH: Guard = Guard {
    text: "x > 0.0 && y >= 0.0",
    holds: |[x, y, ..]| x > 0.0 && y >= 0.0,
    reads_operand: true,
    reads_other: true,
};
const NEITHER: Guard = on("!(x < 0.0 || x == 0.0)", |[x, ..]| x > 0.0);

/// An expression that is computed where a guard holds.
pub struct Arm {
    /// By the ends of file names.
    pub texts: &'static [(&'static str, &'static str)],
    pub value: fn(f64, f64) -> f64,
    pub guards: &'static [Guard],
    /// Operands for which all guards hold.
    pub usual: &'static [f64],
}

const ALL: [&str; 3] = [".wgsl", ".cg", ".vert"];

macro_rules! everywhere {
    ($text:literal) => {
        &[(ALL[0], $text), (ALL[1], $text), (ALL[2], $text)]
    };
}

pub const ARMS: &[Arm] = &[
    Arm {
        texts: everywhere!("y / x"),
        value: |x, y| y / x,
        guards: &[ABOVE, NOT_ZERO, BELOW_LEFT],
        usual: &[0.25, 2.0, 3.0],
    },
    Arm {
        texts: everywhere!("1.0 / (x * x)"),
        value: |x, _| 1.0 / (x * x),
        guards: &[NOT_ZERO, NEITHER],
        usual: &[0.5, 2.0],
    },
    Arm {
        texts: everywhere!("sqrt(x)"),
        value: |x, _| x.sqrt(),
        guards: &[NOT_BELOW, ABOVE],
        usual: &[0.25, 2.0, 9.0],
    },
    Arm {
        texts: &[(ALL[0], "inverseSqrt(x)"), (ALL[1], "rsqrt(x)"), (ALL[2], "inversesqrt(x)")],
        value: |x, _| 1.0 / x.sqrt(),
        guards: &[ABOVE, BELOW_LEFT],
        usual: &[0.25, 4.0],
    },
    Arm {
        texts: everywhere!("log2(x)"),
        value: |x, _| x.log2(),
        guards: &[ABOVE, NEITHER],
        usual: &[0.25, 2.0, 10.0],
    },
    Arm { texts: everywhere!("log(x)"), value: |x, _| x.ln(), guards: &[ABOVE], usual: &[0.25, 2.0] },
    Arm {
        texts: everywhere!("pow(x, 8.0)"),
        value: |x, _| x.powf(8.0),
        guards: &[ABOVE, BELOW_LEFT],
        usual: &[0.5, 1.5],
    },
    Arm {
        texts: everywhere!("pow(x, y)"),
        value: |x, y| x.powf(y),
        guards: &[ABOVE, BOTH],
        usual: &[0.5, 1.5],
    },
    Arm {
        texts: everywhere!("pow(x, -2.5)"),
        value: |x, _| x.powf(-2.5),
        guards: &[ABOVE],
        usual: &[0.5, 1.5],
    },
    Arm { texts: everywhere!("exp2(x)"), value: |x, _| x.exp2(), guards: &[SMALL], usual: &[-1.0, 2.0] },
    Arm { texts: everywhere!("exp(x)"), value: |x, _| x.exp(), guards: &[SMALL], usual: &[-1.0, 2.0] },
    Arm { texts: everywhere!("asin(x)"), value: |x, _| x.asin(), guards: &[WITHIN], usual: &[-0.5, 0.75] },
    Arm { texts: everywhere!("acos(x)"), value: |x, _| x.acos(), guards: &[WITHIN], usual: &[-0.5, 0.75] },
    Arm {
        texts: &[
            (ALL[0], "normalize(vec3f(x, y, x)).x"),
            (ALL[1], "normalize(float3(x, y, x)).x"),
            (ALL[2], "normalize(vec3(x, y, x)).x"),
        ],
        value: |x, y| x / (2.0 * x * x + y * y).sqrt(),
        guards: &[NOT_ZERO],
        usual: &[0.5, 2.0],
    },
    Arm {
        texts: everywhere!("1.0 / log2(1.0 + x)"),
        value: |x, _| 1.0 / (1.0 + x).log2(),
        guards: &[ABOVE],
        usual: &[0.5, 2.0],
    },
    Arm {
        texts: everywhere!("sqrt(y / x)"),
        value: |x, y| (y / x).sqrt(),
        guards: &[BOTH],
        usual: &[0.5, 2.0],
    },
    Arm {
        texts: everywhere!("(1.0 / x + sqrt(x)) * y"),
        value: |x, y| (1.0 / x + x.sqrt()) * y,
        guards: &[ABOVE],
        usual: &[0.5, 2.0],
    },
    Arm {
        texts: everywhere!("x * x * x * x * x * x"),
        value: |x, _| x.powi(6),
        guards: &[SMALL],
        usual: &[-0.5, 2.0],
    },
];

/// A source from a condition and what it guards. Where the condition is false, the result is w / 2 - 1.
pub type Form = fn(&str, &str) -> String;

fn wgsl(body: &str) -> String {
    format!(
        "fn f(x: f32, y: f32, g: f32, w: f32) -> f32 {{\n    let e = w * 0.5 - 1.0;\n    {body}\n}}\n\
         @vertex fn vs(@location(0) a: vec4f) -> @builtin(position) vec4f {{ return vec4f(f(a.x, a.y, a.z, a.w)); }}\n"
    )
}

pub const FORMS: &[Form] = &[
    |guard, arm| wgsl(&format!("var r = e; if {guard} {{ r = {arm}; }} return r;")),
    |guard, arm| wgsl(&format!("var r: f32; if {guard} {{ r = {arm}; }} else {{ r = e; }} return r;")),
    |guard, arm| wgsl(&format!("return select(e, {arm}, ({guard}));")),
    |guard, arm| wgsl(&format!("return select({arm}, e, !({guard}));")),
    |guard, arm| wgsl(&format!("if !({guard}) {{ return e; }} return {arm};")),
    |guard, arm| wgsl(&format!("if {guard} {{ return {arm}; }} return e;")),
    |guard, arm| wgsl(&format!("var r = e; if w < 4.0 {{ if {guard} {{ r = {arm}; }} }} return r;")),
    |guard, arm| {
        wgsl(&format!(
            "var r = e; for (var i = 0; i < 2; i++) {{ if !({guard}) {{ break; }} r = {arm}; }} return r;"
        ))
    },
    |guard, arm| {
        wgsl(&format!(
            "var r = e; for (var i = 0; i < 2; i++) {{ if !({guard}) {{ continue; }} r = {arm}; }} return r;"
        ))
    },
    |guard, arm| wgsl(&format!("var t = array<f32, 2>(w, e); if {guard} {{ t[1] = {arm}; }} return t[1];")),
    |guard, arm| {
        wgsl(&format!("return select(vec2f(e), vec2f({arm}, w), vec2<bool>(({guard}), w > 4.0)).x;"))
    },
    |guard, arm| {
        wgsl(&format!("var r = e; if all(vec2<bool>(({guard}), w < 4.0)) {{ r = {arm}; }} return r;"))
    },
    |guard, arm| {
        wgsl(&format!("var r = e; if any(vec2<bool>(({guard}), w > 4.0)) {{ r = {arm}; }} return r;"))
    },
    |guard, arm| {
        wgsl(&format!(
            "var r = e; switch select(0, 1, ({guard})) {{ case 1: {{ r = {arm}; }} default: {{}} }} return r;"
        ))
    },
    |guard, arm| {
        wgsl(&format!(
            "var r = e; if ({guard}) && ({arm}) < 1e30 {{ let t = {arm}; r = t * 0.5 + t * 0.5; }} return r;"
        ))
    },
    |guard, arm| wgsl(&format!("var r = e; if !({guard}) || w > 4.0 {{ }} else {{ r = {arm}; }} return r;")),
    |guard, arm| wgsl(&format!("var v = vec3f(w, e, w); if {guard} {{ v.y = {arm}; }} return v.y;")),
    |guard, arm| {
        wgsl(&format!(
            "var r = e; if {guard} {{ r = {arm}; if w > 4.0 {{ r = sqrt(-r - 9.0); }} }} return r;"
        ))
    },
];

fn cg(body: &str) -> String {
    format!(
        "float f(float x, float y, float g, float w) {{ float e = w * 0.5 - 1.0; {body} }}\n\
         void main(float4 a : POSITION, out float4 p : POSITION) {{ p = float4(f(a.x, a.y, a.z, a.w)); }}\n"
    )
}

pub const CG_FORMS: &[Form] = &[
    |guard, arm| cg(&format!("float r = e; if ({guard}) r = {arm}; return r;")),
    |guard, arm| cg(&format!("return ({guard}) ? {arm} : e;")),
    |guard, arm| cg(&format!("return !({guard}) ? e : ({arm});")),
    |guard, arm| cg(&format!("float r; if ({guard}) {{ r = {arm}; }} else {{ r = e; }} return r;")),
    |guard, arm| cg(&format!("float r = e; if (w < 4.0) {{ if ({guard}) r = {arm}; }} return r;")),
    |guard, arm| cg(&format!("float2 v = float2(w, e); if ({guard}) v.y = {arm}; return v.y;")),
];

fn glsl(body: &str) -> String {
    format!(
        "#version 450\nlayout(location = 0) in vec4 a;\n\
         float f(float x, float y, float g, float w) {{ float e = w * 0.5 - 1.0; {body} }}\n\
         void main() {{ gl_Position = vec4(f(a.x, a.y, a.z, a.w)); }}\n"
    )
}

pub const GLSL_FORMS: &[Form] = &[
    |guard, arm| glsl(&format!("float r = e; if ({guard}) r = {arm}; return r;")),
    |guard, arm| glsl(&format!("return ({guard}) ? {arm} : e;")),
    |guard, arm| glsl(&format!("return mix(e, {arm}, {guard});")),
    |guard, arm| glsl(&format!("return mix(vec2(w, e), vec2(e, {arm}), bvec2(false, {guard})).y;")),
];
