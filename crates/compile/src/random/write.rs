//! Programs as WGSL, GLSL and Cg.

use super::tree::{
    Argument, Binary, Builtin, Case, Expr, ExprKind, Function, Loop, LoopForm, Part, Place, Program,
    Statement, Style, Type, Unary,
};
use crate::front::Language;
use std::fmt::Write;

impl Program {
    /// The program's source; none in SPIR-V, which is no text.
    pub(super) fn text(&self, language: Language) -> String {
        let Style { uniforms: count, has_matrix, .. } = self.style;
        let matrix = |text: &'static str| if has_matrix { text } else { "" };
        let mut text = match language {
            Language::Glsl => format!(
                "#version 450\nlayout(location = 0) in vec4 a;\nlayout(location = 1) in vec4 b;\n\
                 layout(binding = 0) uniform Block {{ vec4 u[{count}]; {}}};\n",
                matrix("mat4 m; ")
            ),
            Language::Cg => format!("uniform float4 u[{count}];\n{}", matrix("uniform float4x4 m;\n")),
            _ => format!(
                "struct Block {{ u: array<vec4f, {count}>{} }}\n@group(0) @binding(0) var<uniform> block: Block;\n",
                matrix(", m: mat4x4f")
            ),
        };
        for number in 0..self.functions.len() {
            let mut writer = Writer { program: self, function: &self.functions[number], language, text };
            writer.function(number);
            text = writer.text;
        }
        let last = self.functions.len() - 1;
        let whole = format!("f{last}(a, b)");
        if self.style.wrapped {
            text += &match language {
                Language::Glsl => format!("void main() {{ gl_Position = {whole}; }}\n"),
                Language::Cg => format!(
                    "void main(float4 a : POSITION, float4 b : ATTR1, out float4 o : POSITION) {{ o = {whole}; }}\n"
                ),
                _ => format!(
                    "@vertex fn vs(@location(0) a: vec4f, @location(1) b: vec4f) -> @builtin(position) vec4f {{ return {whole}; }}\n"
                ),
            };
        }
        text
    }
}

struct Writer<'p> {
    program: &'p Program,
    function: &'p Function,
    language: Language,
    text: String,
}

impl Writer<'_> {
    fn is_wgsl(&self) -> bool {
        self.language == Language::Wgsl
    }

    fn function(&mut self, number: usize) {
        let Style { wrapped, .. } = self.program.style;
        let is_entry = number + 1 == self.program.functions.len() && !wrapped;
        let parameters: Vec<String> =
            (0..self.function.parameters.len()).map(|at| self.parameter(at, is_entry)).collect();
        let parameters = parameters.join(", ");
        let result = self.type_name(self.function.result.ty);
        let head = match (self.language, is_entry) {
            (Language::Wgsl, true) => {
                format!("@vertex fn vs({parameters}) -> @builtin(position) {result}")
            }
            (Language::Wgsl, false) => format!("fn f{number}({parameters}) -> {result}"),
            (_, true) => format!("{result} main({parameters}) : POSITION"),
            (_, false) => format!("{result} f{number}({parameters})"),
        };
        let _ = writeln!(self.text, "{head} {{");
        let first = self.function.parameters.len();
        for (at, local) in self.function.locals.iter().enumerate() {
            if let Some(value) = &local.first {
                let declaration = self.declaration(local.ty, &self.name(first + at), value);
                let _ = writeln!(self.text, "{declaration};");
            }
        }
        self.block(&self.function.body);
        let value = self.expr(&self.function.result);
        let _ = writeln!(self.text, "return {value};\n}}");
    }

    fn parameter(&self, number: usize, is_entry: bool) -> String {
        let parameter = self.function.parameters[number];
        let (ty, name) = (parameter.ty, self.bare_name(number));
        match (self.language, parameter.inout) {
            (Language::Wgsl, true) => format!("{name}: ptr<function, {}>", self.type_name(ty)),
            (Language::Wgsl, false) if is_entry => {
                format!("@location({number}) {name}: {}", self.type_name(ty))
            }
            (Language::Wgsl, false) => format!("{name}: {}", self.type_name(ty)),
            (_, true) => format!("inout {}", self.declared(ty, &name)),
            (_, false) if is_entry => {
                format!("{} : {}", self.declared(ty, &name), ["POSITION", "ATTR1"][number])
            }
            (_, false) => self.declared(ty, &name),
        }
    }

    fn type_name(&self, ty: Type) -> String {
        match (self.language, ty) {
            (Language::Wgsl, Type::Bool) | (Language::Glsl | Language::Cg, Type::Bool) => "bool".to_owned(),
            (Language::Wgsl, Type::Int) => "i32".to_owned(),
            (Language::Wgsl, Type::Float) => "f32".to_owned(),
            (Language::Wgsl, Type::Vector(size)) => format!("vec{size}f"),
            (Language::Wgsl, Type::Matrix { columns, rows }) => format!("mat{columns}x{rows}f"),
            (Language::Wgsl, Type::Array(element, count)) => {
                format!("array<{}, {count}>", self.type_name(*element))
            }
            (_, Type::Bool) => "bool".to_owned(),
            (_, Type::Int) => "int".to_owned(),
            (_, Type::Float) => "float".to_owned(),
            (Language::Glsl, Type::Vector(size)) => format!("vec{size}"),
            (Language::Glsl, Type::Matrix { columns, rows }) => format!("mat{columns}x{rows}"),
            (_, Type::Vector(size)) => format!("float{size}"),
            // A column of the tree's matrix is a row of Cg's.
            (_, Type::Matrix { columns, rows }) => format!("float{columns}x{rows}"),
            (_, Type::Array(element, count)) => {
                // The count of the outermost array comes first.
                let name = self.type_name(*element);
                let (base, counts) = name.split_at(name.find('[').unwrap_or(name.len()));
                format!("{base}[{count}]{counts}")
            }
        }
    }

    /// A variable behind its type, as C has it.
    fn declared(&self, ty: Type, name: &str) -> String {
        let whole = self.type_name(ty);
        let (base, counts) = whole.split_at(whole.find('[').unwrap_or(whole.len()));
        format!("{base} {name}{counts}")
    }

    fn declaration(&self, ty: Type, name: &str, value: &Expr) -> String {
        let value = match (self.language, ty) {
            (Language::Cg, Type::Array(..)) => self.list(value),
            _ => self.expr(value),
        };
        if self.is_wgsl() {
            format!("var {name}: {} = {value}", self.type_name(ty))
        } else {
            format!("{} = {value}", self.declared(ty, name))
        }
    }

    /// An array of Cg in braces.
    fn list(&self, value: &Expr) -> String {
        match &value.kind {
            ExprKind::Construct(parts) if matches!(value.ty, Type::Array(..)) => {
                let parts: Vec<String> = parts.iter().map(|part| self.list(part)).collect();
                format!("{{{}}}", parts.join(", "))
            }
            _ => self.expr(value),
        }
    }

    fn bare_name(&self, variable: usize) -> String {
        let is_last =
            std::ptr::eq(self.function, &raw const self.program.functions[self.program.functions.len() - 1]);
        match variable {
            0 if is_last => "a".to_owned(),
            1 if is_last => "b".to_owned(),
            _ if variable < self.function.parameters.len() => format!("p{variable}"),
            _ => format!("v{variable}"),
        }
    }

    /// A variable as an expression.
    fn name(&self, variable: usize) -> String {
        let name = self.bare_name(variable);
        if self.is_wgsl() && self.function.is_inout(variable) { format!("(*{name})") } else { name }
    }

    fn place(&self, place: &Place) -> String {
        let mut text = self.name(place.variable);
        for part in &place.path {
            let _ = match part {
                Part::Index(index) => write!(text, "[{}]", self.expr(index)),
                Part::Swizzle(order) => write!(text, ".{}", letters(order)),
            };
        }
        text
    }

    fn expr(&self, expr: &Expr) -> String {
        let text = |expr: &Expr| self.expr(expr);
        match &expr.kind {
            ExprKind::Literal(value) => self.literal(expr.ty, *value),
            ExprKind::Uniform(index) if self.is_wgsl() => format!("block.u[{}]", text(index)),
            ExprKind::Uniform(index) => format!("u[{}]", text(index)),
            ExprKind::UniformMatrix if self.is_wgsl() => "block.m".to_owned(),
            ExprKind::UniformMatrix => "m".to_owned(),
            ExprKind::Read(place) => self.place(place),
            ExprKind::Unary(Unary::Minus, operand) => format!("(-{})", text(operand)),
            ExprKind::Unary(Unary::Not, operand) => format!("(!{})", text(operand)),
            ExprKind::Binary(op, operands) => self.binary(*op, &operands[0], &operands[1]),
            ExprKind::Builtin(builtin, operands) => self.builtin(*builtin, operands, expr.ty),
            ExprKind::Choose(operands) => {
                let [condition, yes, no] = operands.each_ref().map(text);
                match self.language {
                    Language::Wgsl => format!("select({no}, {yes}, {condition})"),
                    _ => format!("({condition} ? {yes} : {no})"),
                }
            }
            ExprKind::Swizzle(operand, order) => format!("({}).{}", text(operand), letters(order)),
            ExprKind::Element(operand, at) => format!("({})[{at}]", text(operand)),
            ExprKind::Construct(parts) => self.call(&self.type_name(expr.ty), parts),
            ExprKind::Convert(operand) => format!("{}({})", self.type_name(expr.ty), text(operand)),
            ExprKind::Call(function, arguments) => {
                let arguments: Vec<String> =
                    arguments.iter().map(|argument| self.argument(argument)).collect();
                format!("f{function}({})", arguments.join(", "))
            }
            ExprKind::Assign(..) | ExprKind::Step { .. } => format!("({})", self.effect(expr)),
        }
    }

    /// An assignment or a step.
    fn effect(&self, expr: &Expr) -> String {
        match &expr.kind {
            ExprKind::Assign(place, op, value) => {
                let op = op.map_or("", symbol);
                format!("{} {op}= {}", self.place(place), self.expr(value))
            }
            ExprKind::Step { place, up, post } => {
                let (place_text, sign) = (self.place(place), if *up { "++" } else { "--" });
                match (self.language, place.ty, post) {
                    // WGSL steps integers alone, in statements.
                    (Language::Wgsl, Type::Float, _) => {
                        format!("{place_text} {}= 1.0", &sign[1..])
                    }
                    (Language::Wgsl, ..) | (_, _, true) => format!("{place_text}{sign}"),
                    (_, _, false) => format!("{sign}{place_text}"),
                }
            }
            _ => self.expr(expr),
        }
    }

    fn argument(&self, argument: &Argument) -> String {
        match argument {
            Argument::Value(value) => self.expr(value),
            Argument::Inout(place) if self.is_wgsl() => {
                let name = self.bare_name(place.variable);
                if self.function.is_inout(place.variable) { name } else { format!("&{name}") }
            }
            Argument::Inout(place) => self.place(place),
        }
    }

    fn call(&self, name: &str, operands: &[Expr]) -> String {
        let operands: Vec<String> = operands.iter().map(|operand| self.expr(operand)).collect();
        format!("{name}({})", operands.join(", "))
    }

    fn literal(&self, ty: Type, value: f32) -> String {
        match ty {
            Type::Bool => (value != 0.0).to_string(),
            Type::Int if value < 0.0 => format!("({value})"),
            Type::Int => format!("{value}"),
            Type::Float if value < 0.0 => format!("({value:?})"),
            Type::Float => format!("{value:?}"),
            Type::Vector(_) if self.language == Language::Cg => {
                let all = vec![format!("{value:?}"); ty.size()];
                format!("{}({})", self.type_name(ty), all.join(", "))
            }
            Type::Vector(_) => format!("{}({value:?})", self.type_name(ty)),
            Type::Matrix { .. } => {
                let all = vec![format!("{value:?}"); ty.size()];
                format!("{}({})", self.type_name(ty), all.join(", "))
            }
            Type::Array(element, count) => {
                let all = vec![self.literal(*element, value); count];
                match self.language {
                    Language::Cg => format!("{{{}}}", all.join(", ")),
                    _ => format!("{}({})", self.type_name(ty), all.join(", ")),
                }
            }
        }
    }

    fn binary(&self, op: Binary, a: &Expr, b: &Expr) -> String {
        let is_matrix = |ty: Type| matches!(ty, Type::Matrix { .. });
        let is_product = (is_matrix(a.ty) && b.ty != Type::Float) || (is_matrix(b.ty) && a.ty != Type::Float);
        let (first, second) = (self.expr(a), self.expr(b));
        match (self.language, op) {
            // Rows for columns: the transposed product.
            (Language::Cg, Binary::Multiply) if is_product => format!("mul({second}, {first})"),
            _ => format!("({first} {} {second})", symbol(op)),
        }
    }

    fn builtin(&self, builtin: Builtin, operands: &[Expr], ty: Type) -> String {
        let is_cg = self.language == Language::Cg;
        let is_wgsl = self.is_wgsl();
        let name = match builtin {
            Builtin::Abs => "abs",
            Builtin::Floor => "floor",
            Builtin::Fract if is_cg => "frac",
            Builtin::Fract => "fract",
            Builtin::Saturate if self.language == Language::Glsl => {
                return format!("clamp({}, 0.0, 1.0)", self.expr(&operands[0]));
            }
            Builtin::Saturate => "saturate",
            Builtin::Min => "min",
            Builtin::Max => "max",
            Builtin::Clamp => "clamp",
            Builtin::Mix if is_cg => "lerp",
            Builtin::Mix => "mix",
            Builtin::Step => "step",
            Builtin::Dot => "dot",
            Builtin::Transpose => "transpose",
            Builtin::Sqrt => "sqrt",
            Builtin::InverseSqrt if is_wgsl => "inverseSqrt",
            Builtin::InverseSqrt if is_cg => "rsqrt",
            Builtin::InverseSqrt => "inversesqrt",
            Builtin::Pow => "pow",
            Builtin::Log2 => "log2",
            Builtin::Exp2 => "exp2",
            Builtin::Length => "length",
            Builtin::Normalize => "normalize",
            Builtin::SelectLess => {
                let [a, b, c, d] = [0, 1, 2, 3].map(|at| self.expr(&operands[at]));
                return match self.language {
                    Language::Wgsl if self.program.style.swapped => {
                        format!("select({c}, {d}, !({a} < {b}))")
                    }
                    Language::Wgsl => format!("select({d}, {c}, {a} < {b})"),
                    // Both are computed, whatever is chosen.
                    Language::Glsl if ty == Type::Float => format!("mix({d}, {c}, {a} < {b})"),
                    Language::Glsl => format!("mix({d}, {c}, lessThan({a}, {b}))"),
                    _ => format!("(({a} < {b}) ? {c} : {d})"),
                };
            }
        };
        self.call(name, operands)
    }

    fn block(&mut self, block: &[Statement]) {
        block.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Eval(expr) => {
                let line = match expr.kind {
                    ExprKind::Call(..) if self.is_wgsl() => format!("_ = {}", self.expr(expr)),
                    _ => self.effect(expr),
                };
                let _ = writeln!(self.text, "{line};");
            }
            Statement::If(condition, yes, no) => {
                let condition = self.expr(condition);
                let is_jump =
                    matches!(yes[..], [Statement::Break | Statement::Continue | Statement::Return(_)]);
                if self.program.style.swapped && !is_jump {
                    let _ = writeln!(self.text, "if (!{condition}) {{");
                    self.block(no);
                    self.text += "} else {\n";
                    self.block(yes);
                } else {
                    let _ = writeln!(self.text, "if ({condition}) {{");
                    self.block(yes);
                    if !no.is_empty() {
                        self.text += "} else {\n";
                        self.block(no);
                    }
                }
                self.text += "}\n";
            }
            Statement::Loop(inner) => self.repeat(inner),
            Statement::Switch(selector, cases) => self.switch(selector, cases),
            Statement::Break | Statement::Leave => self.text += "break;\n",
            Statement::Continue => self.text += "continue;\n",
            Statement::Return(value) => {
                let value = self.expr(value);
                let _ = writeln!(self.text, "return {value};");
            }
        }
    }

    fn repeat(&mut self, inner: &Loop) {
        let name = self.name(inner.counter);
        let (sign, less) = if inner.step() > 0 { ("++", "<") } else { ("--", ">") };
        let mut condition = format!("{name} {less} {}", inner.end);
        if let Some(also) = &inner.also {
            condition = format!("({condition}) && {}", self.expr(also));
        }
        let first = inner.first;
        let before = match inner.form {
            LoopForm::For => {
                let declare = if self.is_wgsl() { "var" } else { "int" };
                format!("for ({declare} {name} = {first}; {condition}; {name}{sign}) {{\n")
            }
            LoopForm::While => format!("{name} = {first};\nwhile ({condition}) {{\n{name}{sign};\n"),
            LoopForm::DoWhile if self.is_wgsl() => format!("{name} = {first};\nloop {{\n{name}{sign};\n"),
            LoopForm::DoWhile => format!("{name} = {first};\ndo {{\n{name}{sign};\n"),
        };
        self.text += &before;
        self.block(&inner.body);
        self.text += &match inner.form {
            LoopForm::For | LoopForm::While => "}\n".to_owned(),
            LoopForm::DoWhile if self.is_wgsl() => {
                format!("continuing {{ break if !({condition}); }}\n}}\n")
            }
            LoopForm::DoWhile => format!("}} while ({condition});\n"),
        };
    }

    fn switch(&mut self, selector: &Expr, cases: &[Case]) {
        let selector = self.expr(selector);
        let _ = writeln!(self.text, "switch ({selector}) {{");
        for case in cases {
            let label = |label: &Option<i32>| match label {
                Some(number) => number.to_string(),
                None => "default".to_owned(),
            };
            let labels: Vec<String> = case.labels.iter().map(label).collect();
            if self.is_wgsl() {
                let word = if labels[0] == "default" && labels.len() == 1 { "" } else { "case " };
                let _ = writeln!(self.text, "{word}{}: {{", labels.join(", "));
                self.block(&case.body);
                self.text += "}\n";
                continue;
            }
            for label in labels {
                let word = if label == "default" { "" } else { "case " };
                let _ = writeln!(self.text, "{word}{label}:");
            }
            self.block(&case.body);
            if !case.falls {
                self.text += "break;\n";
            }
        }
        self.text += "}\n";
    }
}

fn symbol(op: Binary) -> &'static str {
    match op {
        Binary::Add => "+",
        Binary::Subtract => "-",
        Binary::Multiply => "*",
        Binary::Divide => "/",
        Binary::Remainder => "%",
        Binary::Less => "<",
        Binary::LessEqual => "<=",
        Binary::Greater => ">",
        Binary::GreaterEqual => ">=",
        Binary::Equal => "==",
        Binary::NotEqual => "!=",
        Binary::And => "&&",
        Binary::Or => "||",
    }
}

fn letters(order: &[usize]) -> String {
    order.iter().map(|at| ['x', 'y', 'z', 'w'][*at & 3]).collect()
}
