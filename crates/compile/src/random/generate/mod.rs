//! From choices to a program: functions and statements.
//!
//! Everything that is generated is defined by the language: indices are in range, an operand's side effects are on
//! variables that no other operand looks at where the order of evaluation is open, and operations that have no value
//! for some operands are behind a condition.

mod expr;

use super::tree::{
    Access, Argument, Binary, Builtin, Case, Expr, ExprKind, Function, Local, Loop, LoopForm, MAT4,
    Parameter, Part, Place, Program, Statement, Style, Type, Unary, VEC4,
};
use crate::front::Language;

/// The types of variables that may be chosen.
const TYPES: [Type; 12] = [
    Type::Float,
    Type::Int,
    VEC4,
    Type::Vector(3),
    Type::Vector(2),
    Type::Bool,
    Type::Array(&Type::Float, 3),
    Type::Array(&VEC4, 2),
    Type::Array(&Type::Int, 4),
    Type::Matrix { columns: 2, rows: 2 },
    Type::Matrix { columns: 3, rows: 2 },
    Type::Array(&Type::Matrix { columns: 2, rows: 2 }, 2),
];

/// The rarer ones.
const NESTED: [Type; 2] =
    [Type::Array(&Type::Array(&Type::Float, 2), 3), Type::Array(&Type::Array(&Type::Vector(2), 3), 2)];

/// Most variables of a function: there is a bit for each.
const MOST_VARIABLES: usize = 48;

/// Most turns of a loop.
const MOST_TURNS: usize = 4;

/// A variable of the function that is generated.
#[derive(Clone, Copy)]
struct Variable {
    ty: Type,
    is_writable: bool,
    /// The bounds of a loop's counter in the body.
    counter: Option<(i32, i32)>,
    /// In scope.
    is_visible: bool,
}

struct Generator<'c> {
    choose: &'c mut dyn FnMut(u32) -> u32,
    language: Language,
    style: Style,
    functions: Vec<Function>,
    parameters: Vec<Parameter>,
    locals: Vec<Local>,
    variables: Vec<Variable>,
    /// The type of the function's result.
    result: Type,
    /// Nodes that may still be generated.
    room: usize,
    /// Variables that other operands write, or touch: the bits of an [`Access`].
    unreadable: u64,
    unwritable: u64,
    /// Expressions may have side effects.
    effects: bool,
    /// Calls are allowed.
    calls: bool,
    loops: usize,
    /// Switches in the innermost loop.
    switches: usize,
}

impl Program {
    /// The program of a seed. It keeps to what its language has and defines.
    ///
    /// ```
    /// use gpuzoo_compile::front::Language;
    /// use gpuzoo_compile::random::Program;
    /// let program = Program::random(7, Language::Wgsl);
    /// assert_eq!(program, Program::random(7, Language::Wgsl));
    /// ```
    pub fn random(seed: u64, language: Language) -> Program {
        Program::from_choices(&mut gpuzoo_isa::numbers(seed), language)
    }

    /// A program of choices: a function that returns a number below its argument. Zeros lead to a small program.
    pub fn from_choices(choose: &mut dyn FnMut(u32) -> u32, language: Language) -> Program {
        let style = Style {
            swapped: choose(4) == 1,
            wrapped: choose(3) == 1 || matches!(language, Language::Glsl | Language::SpirV),
            phi: choose(2) == 1,
            uniforms: [2, 8, 1][choose(3) as usize],
            has_matrix: choose(3) == 1,
        };
        let mut generator = Generator {
            choose,
            language,
            style,
            functions: Vec::new(),
            parameters: Vec::new(),
            locals: Vec::new(),
            variables: Vec::new(),
            result: VEC4,
            room: 0,
            unreadable: 0,
            unwritable: 0,
            effects: false,
            calls: true,
            loops: 0,
            switches: 0,
        };
        for _ in 0..generator.pick(3) {
            let function = generator.helper();
            generator.functions.push(function);
        }
        let last = generator.last();
        generator.functions.push(last);
        Program { functions: generator.functions, style }
    }
}

impl Generator<'_> {
    fn pick(&mut self, count: usize) -> usize {
        (self.choose)(count as u32) as usize
    }

    /// True once in so many times; never where choices have run out.
    fn one_in(&mut self, count: usize) -> bool {
        self.pick(count) == 1
    }

    fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.pick(list.len())]
    }

    /// GLSL, Cg and SPIR-V have side effects in expressions.
    fn has_effects(&self) -> bool {
        self.language != Language::Wgsl
    }

    fn begin(&mut self, parameters: Vec<Parameter>, room: usize) {
        self.room = room;
        self.variables.clear();
        self.locals.clear();
        for parameter in &parameters {
            self.variables.push(Variable {
                ty: parameter.ty,
                is_writable: parameter.inout || self.language != Language::Wgsl,
                counter: None,
                is_visible: true,
            });
        }
        self.parameters = parameters;
    }

    fn finish(&mut self, body: Vec<Statement>, result: Expr) -> Function {
        Function {
            parameters: std::mem::take(&mut self.parameters),
            locals: std::mem::take(&mut self.locals),
            body,
            result,
        }
    }

    /// A function that later ones may call.
    fn helper(&mut self) -> Function {
        let count = 1 + self.pick(3);
        let parameters = (0..count)
            .map(|_| {
                let inout = self.one_in(2);
                let kinds = if inout { TYPES.len() } else { 6 };
                let ty = if inout && self.one_in(12) { self.of(&NESTED) } else { TYPES[self.pick(kinds)] };
                Parameter { ty, inout }
            })
            .collect();
        let room = 4 + self.pick(12);
        self.begin(parameters, room);
        if self.one_in(2) {
            let ty = TYPES[self.pick(6)];
            self.local(ty);
        }
        self.result = self.of(&[Type::Float, VEC4, Type::Int, Type::Vector(2), Type::Bool]);
        let body = self.block(1);
        let result = self.expr(self.result, 2);
        self.finish(body, result)
    }

    /// The function with the result.
    fn last(&mut self) -> Function {
        let input = Parameter { ty: VEC4, inout: false };
        let size = self.of(&[8, 20, 40, 70]);
        let room = size + self.pick(10);
        self.begin(vec![input; 2], room);
        // The entry point's parameters are inputs where nothing is wrapped.
        self.variables.iter_mut().for_each(|variable| variable.is_writable = false);
        let v = self.declare(VEC4, Some(Expr::variable(0, VEC4)), None);
        let w = self.declare(VEC4, Some(Expr::literal(VEC4, 0.0)), None);
        for _ in 0..self.pick(4) {
            let ty = if self.one_in(12) { self.of(&NESTED) } else { self.of(&TYPES) };
            self.local(ty);
        }
        self.result = VEC4;
        let body = self.block(3);
        self.room += 6;
        let sum = Expr::binary(VEC4, Binary::Add, Expr::variable(v, VEC4), Expr::variable(w, VEC4));
        let rest = self.beside(&sum, true, |generator| generator.expr(VEC4, 2));
        self.finish(body, Expr::binary(VEC4, Binary::Add, sum, rest))
    }

    fn declare(&mut self, ty: Type, first: Option<Expr>, counter: Option<(i32, i32)>) -> usize {
        self.locals.push(Local { ty, first });
        self.variables.push(Variable { ty, is_writable: counter.is_none(), counter, is_visible: true });
        self.variables.len() - 1
    }

    /// A variable with a first value.
    fn local(&mut self, ty: Type) {
        if self.variables.len() < MOST_VARIABLES {
            let first = self.first(ty);
            self.declare(ty, Some(first), None);
        }
    }

    fn first(&mut self, ty: Type) -> Expr {
        match ty {
            Type::Array(element, count) => {
                let elements = (0..count).map(|_| self.first(*element)).collect();
                Expr::new(ty, ExprKind::Construct(elements))
            }
            _ => self.leaf(ty),
        }
    }

    fn block(&mut self, depth: usize) -> Vec<Statement> {
        let count = 1 + self.pick(3);
        let mut block = Vec::new();
        for _ in 0..count {
            if self.room == 0 {
                break;
            }
            self.room -= 1;
            let statement = self.statement(depth);
            block.extend(statement);
        }
        block
    }

    fn statement(&mut self, depth: usize) -> Option<Statement> {
        self.effects = self.has_effects() && self.one_in(2);
        let statement = match self.pick(12) {
            4 if self.loops > 0 => self.jump(),
            5 => {
                let condition = self.condition();
                let value = self.expr(self.result, 1);
                Some(Statement::If(condition, vec![Statement::Return(value)], Vec::new()))
            }
            6 if depth > 0 => {
                let condition = self.condition();
                let yes = self.block(depth - 1);
                let no = if self.one_in(2) { self.block(depth - 1) } else { Vec::new() };
                Some(Statement::If(condition, yes, no))
            }
            7 | 8 if depth > 0 => self.repeat(depth),
            9 if depth > 0 => Some(self.switch(depth)),
            10 => self.guarded(),
            11 => self.call(None).map(Statement::Eval),
            _ => None,
        };
        self.effects &= statement.is_none();
        let statement = statement.or_else(|| self.assignment().map(Statement::Eval));
        self.effects = false;
        statement
    }

    fn condition(&mut self) -> Expr {
        self.expr(Type::Bool, 2)
    }

    /// A jump behind a condition.
    fn jump(&mut self) -> Option<Statement> {
        let condition = self.condition();
        let jump = match self.pick(4) {
            0 | 1 => Statement::Break,
            2 if self.switches > 0 && self.language == Language::SpirV => Statement::Leave,
            _ => Statement::Continue,
        };
        Some(Statement::If(condition, vec![jump], Vec::new()))
    }

    fn repeat(&mut self, depth: usize) -> Option<Statement> {
        if self.variables.len() >= MOST_VARIABLES || self.loops >= 2 {
            return None;
        }
        let form = self.of(&[LoopForm::For, LoopForm::While, LoopForm::DoWhile]);
        let turns = 1 + self.pick(MOST_TURNS - 1) as i32;
        let (first, end) = if self.one_in(3) { (turns, 0) } else { (0, turns) };
        // In the body of a `while`, the counter has been stepped.
        let late = i32::from(form != LoopForm::For);
        let bounds = if first < end { (late, end - 1 + late) } else { (1 - late, first - late) };
        let declared = (form != LoopForm::For).then(|| Expr::literal(Type::Int, 0.0));
        let counter = self.declare(Type::Int, declared, Some(bounds));
        self.effects = false;
        // It is evaluated behind the counter's condition if that is true; in Cg in any case.
        self.calls = self.language != Language::Cg;
        let also = self.one_in(4).then(|| self.condition());
        self.calls = true;
        let switches = std::mem::take(&mut self.switches);
        self.loops += 1;
        let body = self.block(depth - 1);
        self.loops -= 1;
        self.switches = switches;
        self.variables[counter].is_visible = false;
        Some(Statement::Loop(Box::new(Loop { form, counter, first, end, also, body })))
    }

    fn switch(&mut self, depth: usize) -> Statement {
        let selector = self.expr(Type::Int, 2);
        let mut labels: Vec<Option<i32>> = vec![Some(0), Some(1), None, Some(2), Some(-1), Some(3)];
        // WGSL needs a default; elsewhere it may be missing.
        if self.language != Language::Wgsl && self.one_in(4) {
            labels.retain(Option::is_some);
        }
        let mut cases = Vec::new();
        self.switches += 1;
        let count = 1 + self.pick(4);
        for _ in 0..count {
            if labels.is_empty() {
                break;
            }
            let mut chosen = vec![labels.remove(self.pick(labels.len()))];
            if self.one_in(4) && !labels.is_empty() {
                chosen.push(labels.remove(self.pick(labels.len())));
            }
            let mut body = self.block(depth - 1);
            let can_fall = self.language != Language::Wgsl;
            if self.one_in(6) {
                let condition = self.condition();
                body.push(Statement::If(condition, vec![Statement::Break], Vec::new()));
            }
            let falls = can_fall && self.one_in(3);
            cases.push(Case { labels: chosen, body, falls });
        }
        self.switches -= 1;
        if self.language == Language::Wgsl && !cases.iter().any(|case| case.labels.contains(&None)) {
            let at = self.pick(cases.len() + 1);
            cases.insert(at, Case { labels: vec![None], body: self.block(depth - 1), falls: false });
        }
        if let Some(last) = cases.last_mut() {
            last.falls = false;
        }
        Statement::Switch(selector, cases)
    }

    /// An operation that has no value for some operands, behind a condition.
    fn guarded(&mut self) -> Option<Statement> {
        self.effects = false;
        let target = self.place(Type::Float, true)?;
        let operand = self.expr(Type::Float, 1);
        if !operand.is_pure() || operand.access().reads == 0 {
            return None;
        }
        let (condition, value) = self.partial(operand);
        let assign = |value| Expr::new(Type::Float, ExprKind::Assign(target.clone(), None, Box::new(value)));
        if self.language != Language::Wgsl && self.one_in(2) {
            let other = self.leaf(Type::Float);
            let choice = ExprKind::Choose(Box::new([condition, value, other]));
            return Some(Statement::Eval(assign(Expr::new(Type::Float, choice))));
        }
        Some(Statement::If(condition, vec![Statement::Eval(assign(value))], Vec::new()))
    }

    /// A condition, and an operation that has a value if it is true.
    fn partial(&mut self, operand: Expr) -> (Expr, Expr) {
        let least = self.of(&[0.0, 0.5, 0.25]);
        let positive = |operand: Expr| {
            Expr::binary(Type::Bool, Binary::Greater, operand, Expr::literal(Type::Float, least))
        };
        match self.pick(8) {
            0 => {
                let condition = Expr::binary(
                    Type::Bool,
                    Binary::NotEqual,
                    operand.clone(),
                    Expr::literal(Type::Float, 0.0),
                );
                let dividend = self.leaf(Type::Float);
                (condition, Expr::binary(Type::Float, Binary::Divide, dividend, operand))
            }
            1 => (positive(operand.clone()), Expr::builtin(Type::Float, Builtin::Sqrt, vec![operand])),
            2 => (positive(operand.clone()), Expr::builtin(Type::Float, Builtin::InverseSqrt, vec![operand])),
            3 => (positive(operand.clone()), Expr::builtin(Type::Float, Builtin::Log2, vec![operand])),
            4 => {
                let exponent = Expr::literal(Type::Float, self.of(&[2.0, 0.5, 3.0, -1.0]));
                (positive(operand.clone()), Expr::builtin(Type::Float, Builtin::Pow, vec![operand, exponent]))
            }
            5 => {
                let bound = Expr::literal(Type::Float, 3.0);
                let condition = Expr::binary(Type::Bool, Binary::Less, operand.clone(), bound);
                (condition, Expr::builtin(Type::Float, Builtin::Exp2, vec![operand]))
            }
            choice => {
                let parts = vec![operand, self.leaf(Type::Float), self.leaf(Type::Float)];
                let vector = Expr::new(Type::Vector(3), ExprKind::Construct(parts));
                let square = Expr::builtin(Type::Float, Builtin::Dot, vec![vector.clone(), vector.clone()]);
                if choice == 6 {
                    let length = Expr::builtin(Type::Float, Builtin::Length, vec![vector]);
                    return (positive(square), length);
                }
                let unit = Expr::builtin(Type::Vector(3), Builtin::Normalize, vec![vector]);
                (positive(square), Expr::new(Type::Float, ExprKind::Swizzle(Box::new(unit), vec![1])))
            }
        }
    }
}
