//! Programs as texts.

use super::{Expr, One, Program, Statement, Two, VARIABLES, Way};
use crate::front::Language;
use std::fmt::Write;

impl Program {
    /// The program's text, and its language.
    pub fn source(&self, way: Way) -> (Language, String) {
        let program = self.varied(way);
        let glsl = way == Way::Glsl;
        let names = if way == Way::Renamed { OTHER_NAMES } else { NAMES };
        let mut writer = Writer { glsl, swapped: way == Way::Swapped, names, text: String::new() };
        let Names { a, b, uniforms, function, body, variables, .. } = names;
        let value = writer.expr(&program.function);
        let vector = writer.vector();
        let parameters = if glsl { format!("vec4 {a}, vec4 {b}") } else { format!("{a}: vec4f, {b}: vec4f") };
        let head = |name: &str| match glsl {
            true => format!("vec4 {name}({parameters})"),
            false => format!("fn {name}({parameters}) -> vec4f"),
        };
        let mut text = String::new();
        text += &match glsl {
            true => format!(
                "#version 450\nlayout(location = 0) in vec4 first;\nlayout(location = 1) in vec4 second;\n\
                 layout(binding = 0) uniform Block {{ vec4 {uniforms}[8]; }};\n"
            ),
            false => format!("@group(0) @binding(0) var<uniform> {uniforms}: array<vec4f, 8>;\n"),
        };
        let _ = writeln!(text, "{} {{ return {value}; }}", head(function));
        let entry = format!(
            "@vertex fn vs(@location(0) {a}: vec4f, @location(1) {b}: vec4f) -> @builtin(position) vec4f"
        );
        let is_wrapped = glsl || way == Way::Wrapped;
        let _ = writeln!(text, "{} {{", if is_wrapped { head(body) } else { entry.clone() });
        let declare = if glsl { "vec4" } else { "var" };
        let zeros = format!("{vector}(0.0)");
        for (name, value) in variables.iter().zip([a, b, &zeros]) {
            let _ = writeln!(text, "{declare} {name} = {value};");
        }
        writer.block(&program.block);
        let [v0, v1, v2] = variables;
        let _ = writeln!(text, "{}return {v0} + {v1} * {v2};\n}}", writer.text);
        match way {
            Way::Glsl => text += &format!("void main() {{ gl_Position = {body}(first, second); }}\n"),
            Way::Wrapped => text += &format!("{entry} {{ return {body}({a}, {b}); }}\n"),
            _ => {}
        }
        (if glsl { Language::Glsl } else { Language::Wgsl }, text)
    }
}

/// What things are called.
#[derive(Clone, Copy)]
struct Names {
    a: &'static str,
    b: &'static str,
    uniforms: &'static str,
    function: &'static str,
    body: &'static str,
    variables: [&'static str; VARIABLES],
    turn: &'static str,
}

const NAMES: Names = Names {
    a: "a",
    b: "b",
    uniforms: "u",
    function: "call",
    body: "whole",
    variables: ["v0", "v1", "v2"],
    turn: "i",
};

const OTHER_NAMES: Names = Names {
    a: "second_to_none",
    b: "a",
    uniforms: "table",
    function: "b",
    body: "whole",
    variables: ["v2", "alpha", "v0"],
    turn: "v1",
};

struct Writer {
    glsl: bool,
    swapped: bool,
    names: Names,
    text: String,
}

impl Writer {
    fn vector(&self) -> &'static str {
        if self.glsl { "vec4" } else { "vec4f" }
    }

    fn expr(&self, expr: &Expr) -> String {
        let text = |expr: &Expr| self.expr(expr);
        let vector = self.vector();
        match expr {
            Expr::Known(value) => format!("{vector}({value:?})"),
            Expr::A => self.names.a.to_owned(),
            Expr::B => self.names.b.to_owned(),
            Expr::Uniform(number) => format!("{}[{number}]", self.names.uniforms),
            Expr::Indexed(index) => {
                let whole = if self.glsl { "uint" } else { "u32" };
                format!("{}[{whole}(min(abs(({}).x), 7.0))]", self.names.uniforms, text(index))
            }
            Expr::Variable(number) => self.names.variables[*number].to_owned(),
            Expr::Turn(number) => {
                let float = if self.glsl { "float" } else { "f32" };
                format!("{vector}({float}({}{number}))", self.names.turn)
            }
            Expr::Unary(op, a) => match op {
                One::Minus => format!("(-{})", text(a)),
                One::Abs => format!("abs({})", text(a)),
                One::Floor => format!("floor({})", text(a)),
                One::Saturate if self.glsl => format!("clamp({}, 0.0, 1.0)", text(a)),
                One::Saturate => format!("saturate({})", text(a)),
            },
            Expr::Binary(op, a, b) => match op {
                Two::Plus => format!("({} + {})", text(a), text(b)),
                Two::Minus => format!("({} - {})", text(a), text(b)),
                Two::Times => format!("({} * {})", text(a), text(b)),
                Two::Min => format!("min({}, {})", text(a), text(b)),
                Two::Max => format!("max({}, {})", text(a), text(b)),
            },
            Expr::Select(all) => {
                let [a, b, c, d] = all.each_ref().map(text);
                match (self.glsl, self.swapped) {
                    (true, _) => format!("mix({d}, {c}, lessThan({a}, {b}))"),
                    (false, false) => format!("select({d}, {c}, {a} < {b})"),
                    (false, true) => format!("select({c}, {d}, !({a} < {b}))"),
                }
            }
            Expr::Swizzle(a, order) => {
                let letters: String = order.iter().map(|at| letter(*at)).collect();
                format!("({}).{letters}", text(a))
            }
            Expr::Call(a, b) => format!("{}({}, {})", self.names.function, text(a), text(b)),
        }
    }

    fn block(&mut self, block: &[Statement]) {
        block.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Statement) {
        let line = match statement {
            Statement::Set(number, value) => {
                format!("{} = {};\n", self.names.variables[*number], self.expr(value))
            }
            Statement::SetPart(number, part, value) => {
                let (name, part) = (self.names.variables[*number], letter(*part));
                format!("{name}.{part} = ({}).{part};\n", self.expr(value))
            }
            Statement::If(a, b, yes, no) => {
                let (a, b) = (self.expr(a), self.expr(b));
                let (condition, yes, no) = match self.swapped {
                    false => (format!("({a}).x < ({b}).x"), yes, no),
                    true => (format!("!(({a}).x < ({b}).x)"), no, yes),
                };
                let _ = writeln!(self.text, "if ({condition}) {{");
                self.block(yes);
                self.text += "} else {\n";
                self.block(no);
                "}\n".to_owned()
            }
            Statement::For(turn, count, body) => {
                let (name, declare) = (self.names.turn, if self.glsl { "int" } else { "var" });
                let _ = writeln!(
                    self.text,
                    "for ({declare} {name}{turn} = 0; {name}{turn} < {count}; {name}{turn}++) {{"
                );
                self.block(body);
                "}\n".to_owned()
            }
            Statement::BreakIf(a, b) => {
                format!("if (({}).y < ({}).y) {{ break; }}\n", self.expr(a), self.expr(b))
            }
            Statement::ContinueIf(a, b) => {
                format!("if (({}).z < ({}).z) {{ continue; }}\n", self.expr(a), self.expr(b))
            }
            Statement::ReturnIf(a, b, value) => {
                let (a, b, value) = (self.expr(a), self.expr(b), self.expr(value));
                format!("if (({a}).w < ({b}).w) {{ return {value}; }}\n")
            }
        };
        self.text += &line;
    }
}

fn letter(component: u8) -> char {
    ['x', 'y', 'z', 'w'][usize::from(component & 3)]
}
