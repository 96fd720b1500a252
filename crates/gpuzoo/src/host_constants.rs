//! The constants of a compiled program that the host computes from others, and C for it.

use crate::Program;
use gpuzoo_diag::Span;
use gpuzoo_ir::{Dot, Function, Inst, Op1, Op2, Op3, Pick, Value};
use gpuzoo_isa::{Mask, Reg};
use std::fmt::Write;

/// Constants that the host computes from others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostConstant {
    /// The variable of the source, or a name that the compiler gave.
    pub name: String,
    /// The first register.
    pub register: Reg,
    /// How many registers.
    pub count: u16,
    /// The components of each that are its own.
    pub components: Mask,
    /// The expression.
    pub span: Span,
}

impl Program {
    /// The constants that the host computes from others, in the order of their registers.
    ///
    /// ```
    /// use gpuzoo::options::{CompileOptions, ReadOptions};
    /// let source = "struct U { view: mat4x4f, projection: mat4x4f }\n@group(0) @binding(0) var<uniform> u: U;\n\
    ///     @vertex fn vs(@location(0) p: vec4f) -> @builtin(position) vec4f { return u.projection * u.view * p; }";
    /// let read = ReadOptions { host_constants: true, ..ReadOptions::default() };
    /// let compile = CompileOptions::default();
    /// let compiled = gpuzoo::dreambox().compile("move.wgsl", source.as_bytes(), &read, &compile, None)?;
    /// let all = compiled.program().host_constants();
    /// assert_eq!((all[0].name.as_str(), all[0].register.index, all[0].count), ("host0", 8, 4));
    /// // The eight constants before them are given, and the host computes them: here gpuzoo does.
    /// assert!(compiled.program().code().host.is_some());
    /// # Ok::<(), gpuzoo::Diagnostics>(())
    /// ```
    pub fn host_constants(&self) -> Vec<HostConstant> {
        let code = self.code();
        let Some(host) = &code.host else { return Vec::new() };
        let is_computed = |index: u16| host.outputs.iter().any(|(number, _)| *number == index);
        let own = code.constants.iter().filter(|constant| is_computed(constant.reg.index));
        let mut all: Vec<HostConstant> = own
            .filter_map(|constant| {
                Some(HostConstant {
                    name: constant.name.clone()?,
                    register: constant.reg,
                    count: constant.count,
                    components: constant.mask,
                    span: constant.span,
                })
            })
            .collect();
        all.sort_by_key(|own| (own.register.index, own.components.0));
        all
    }
}

/// A C function of this name that fills in the constants that `host` computes.
pub(crate) fn c(host: &Function, name: &str) -> String {
    let mut text = format!(
        "\n// What the program takes as constants, and is computed from its uniforms alone: to be called when one of them has changed.\n\
         // c[0] is the machine's constant 0.\n#include <math.h>\n\nstatic inline void {name}(float (*c)[4]) {{\n"
    );
    let demands = demands(host);
    for (at, inst) in host.insts.iter().enumerate() {
        for component in (0..4).filter(|component| demands[at] >> component & 1 == 1) {
            if let Some(expression) = expression(host, inst, component) {
                let _ = writeln!(text, "    const float {} = {expression};", variable(at, component));
            }
        }
    }
    for (number, value) in &host.outputs {
        for component in 0..4 {
            let _ = writeln!(text, "    c[{number}][{component}] = {};", read(host, *value, component));
        }
    }
    text + "}\n"
}

/// The components of each value that are used.
fn demands(host: &Function) -> Vec<u8> {
    let mut demands = vec![0u8; host.insts.len()];
    for (_, value) in &host.outputs {
        demands[value.index()] = 15;
    }
    for (at, inst) in host.insts.iter().enumerate().rev() {
        // All components of a dot product are one.
        if matches!(inst, Inst::Dot(..)) && demands[at] != 0 {
            demands[at] = 1;
        }
        inst.reads(demands[at], |operand, mask| demands[operand.index()] |= mask);
    }
    demands
}

fn variable(value: usize, component: u8) -> String {
    format!("t{value}{}", ['x', 'y', 'z', 'w'][usize::from(component & 3)])
}

/// How a component of a value is read: what only moves about has no variable of its own.
fn read(host: &Function, value: Value, component: u8) -> String {
    match &host.insts[value.index()] {
        Inst::Uniform(number) => format!("c[{number}][{component}]"),
        Inst::Const(bits) => number(f32::from_bits(bits[usize::from(component & 3)])),
        Inst::Shuffle([a, b], picks) => match picks[usize::from(component & 3)] {
            Pick::A(from) => read(host, *a, from),
            Pick::B(from) => read(host, *b, from),
            Pick::Zero => "0.0f".to_owned(),
            Pick::One => "1.0f".to_owned(),
        },
        Inst::Dot(..) => variable(value.index(), 0),
        _ => variable(value.index(), component),
    }
}

fn number(value: f32) -> String {
    match value {
        value if value.is_nan() => "NAN".to_owned(),
        value if value.is_infinite() => if value > 0.0 { "INFINITY" } else { "-INFINITY" }.to_owned(),
        value => format!("{value:?}f"),
    }
}

/// What a component of a value is computed by; none for what only moves about.
fn expression(host: &Function, inst: &Inst, component: u8) -> Option<String> {
    let of = |value: &Value| read(host, *value, component);
    Some(match inst {
        Inst::Map1(op, a) => {
            let a = of(a);
            let function = match op {
                Op1::FNeg => return Some(format!("-{a}")),
                Op1::FSign => return Some(format!("(float)(({a} > 0.0f) - ({a} < 0.0f))")),
                Op1::FAbs => "fabsf",
                Op1::FSqrt => "sqrtf",
                Op1::FExp => "expf",
                Op1::FExp2 => "exp2f",
                Op1::FLog => "logf",
                Op1::FLog2 => "log2f",
                Op1::FSin => "sinf",
                Op1::FCos => "cosf",
                Op1::FTan => "tanf",
                Op1::FAsin => "asinf",
                Op1::FAcos => "acosf",
                Op1::FAtan => "atanf",
                Op1::FFloor => "floorf",
                // No other one is left to the host.
                _ => return Some("NAN".to_owned()),
            };
            format!("{function}({a})")
        }
        Inst::Map2(op, operands) => {
            let [a, b] = operands.each_ref().map(of);
            match op {
                Op2::FAdd => format!("{a} + {b}"),
                Op2::FSub => format!("{a} - {b}"),
                Op2::FMul => format!("{a} * {b}"),
                Op2::FDiv => format!("{a} / {b}"),
                Op2::FMin => format!("fminf({a}, {b})"),
                Op2::FMax => format!("fmaxf({a}, {b})"),
                Op2::FPow => format!("powf({a}, {b})"),
                Op2::FAtan2 => format!("atan2f({a}, {b})"),
                Op2::FSlt => format!("{a} < {b} ? 1.0f : 0.0f"),
                Op2::FSge => format!("{a} >= {b} ? 1.0f : 0.0f"),
                _ => "NAN".to_owned(),
            }
        }
        Inst::Map3(op, operands) => {
            let [a, b, c] = operands.each_ref().map(of);
            match op {
                Op3::FMad => format!("{a} * {b} + {c}"),
                Op3::ISelect => format!("{a} != 0.0f ? {c} : {b}"),
                _ => "NAN".to_owned(),
            }
        }
        Inst::Dot(dot, [a, b]) => {
            let count = if *dot == Dot::Dot4 { 4 } else { 3 };
            let products = (0..count).map(|at| format!("{} * {}", read(host, *a, at), read(host, *b, at)));
            products.collect::<Vec<_>>().join(" + ")
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpuzoo_diag::File;
    use gpuzoo_ir::text::parse;

    #[test]
    fn each_operation_is_said_in_c() {
        let text = "v0 = uniform 8\nv1 = uniform 9\nv2 = dot3 v0, v1\nv3 = fsqrt v2\nv4 = fdiv v0, v3\nv5 = v4.xyz1\n\
            v6 = fslt v0, v1\nv7 = iselect v6, v5, v1\noutput 12 = v7\n";
        let text = c(&parse(&File::new("", text)).0, "f");
        assert!(
            text.contains("const float t2x = c[8][0] * c[9][0] + c[8][1] * c[9][1] + c[8][2] * c[9][2];"),
            "{text}"
        );
        assert!(
            text.contains("const float t4y = c[8][1] / t3y;")
                && text.contains("const float t3y = sqrtf(t2x);"),
            "{text}"
        );
        assert!(text.contains("const float t7w = t6w != 0.0f ? c[9][3] : 1.0f;"), "{text}");
        assert!(
            text.contains("c[12][3] = t7w;") && text.contains("static inline void f(float (*c)[4]) {"),
            "{text}"
        );
    }
}
