//! The meaning of a program: an interpreter that shares nothing with the compiler.
#![allow(clippy::disallowed_methods, reason = "the error that is allowed covers what platforms differ in")]

use super::number::{CURVE, Decided, Number, RECIPROCAL, Undecided};
use super::tree::{
    Argument, Binary, Builtin, Case, Expr, ExprKind, Function, Loop, LoopForm, Part, Place, Program,
    Statement, Type, Unary,
};
use super::{MATRIX, UNIFORMS, V};

/// The numbers of a value.
type Value = Vec<Number>;

/// Statements that a run may take. Loops are short, so only a mutilated program takes as many.
const MOST_STEPS: usize = 100_000;

impl Program {
    /// The result for two inputs.
    pub(super) fn run(&self, inputs: [V; 2]) -> Decided<[Number; 4]> {
        let mut run = Run { program: self, steps: MOST_STEPS };
        let arguments = inputs.iter().map(numbers).collect();
        let (result, _) = run.call(self.functions.len() - 1, arguments)?;
        <[Number; 4]>::try_from(result).map_err(|_| Undecided)
    }
}

fn numbers(vector: &V) -> Value {
    vector.iter().map(|number| Number::exact(f64::from(*number))).collect()
}

struct Run<'p> {
    program: &'p Program,
    steps: usize,
}

/// The variables of a call.
struct Frame<'p> {
    function: &'p Function,
    variables: Vec<Value>,
}

/// The end of a block.
enum End {
    Behind,
    Break,
    Continue,
    Leave,
    Return(Value),
}

impl<'p> Run<'p> {
    /// The result of a function, and its variables at the end.
    fn call(&mut self, number: usize, arguments: Vec<Value>) -> Decided<(Value, Vec<Value>)> {
        let program = self.program;
        let function = &program.functions[number];
        let mut frame = Frame { function, variables: arguments };
        for local in &function.locals {
            let first = match &local.first {
                Some(first) => self.eval(first, &mut frame)?,
                None => vec![Number::default(); local.ty.size()],
            };
            frame.variables.push(first);
        }
        let result = match self.block(&function.body, &mut frame)? {
            End::Return(value) => value,
            _ => self.eval(&function.result, &mut frame)?,
        };
        Ok((result, frame.variables))
    }

    fn block(&mut self, block: &'p [Statement], frame: &mut Frame<'p>) -> Decided<End> {
        for statement in block {
            self.steps = self.steps.checked_sub(1).ok_or(Undecided)?;
            let end = match statement {
                Statement::Eval(expr) => {
                    self.eval(expr, frame)?;
                    End::Behind
                }
                Statement::If(condition, yes, no) => {
                    let block = if self.is_true(condition, frame)? { yes } else { no };
                    self.block(block, frame)?
                }
                Statement::Loop(inner) => self.repeat(inner, frame)?,
                Statement::Switch(selector, cases) => self.switch(selector, cases, frame)?,
                Statement::Break => End::Break,
                Statement::Continue => End::Continue,
                Statement::Leave => End::Leave,
                Statement::Return(value) => End::Return(self.eval(value, frame)?),
            };
            if !matches!(end, End::Behind) {
                return Ok(end);
            }
        }
        Ok(End::Behind)
    }

    fn repeat(&mut self, inner: &'p Loop, frame: &mut Frame<'p>) -> Decided<End> {
        let mut counter = inner.first;
        let set = |counter: i32, frame: &mut Frame| {
            frame.variables[inner.counter] = vec![Number::exact(f64::from(counter))];
        };
        set(counter, frame);
        if inner.form != LoopForm::DoWhile && !self.goes_on(inner, counter, frame)? {
            return Ok(End::Behind);
        }
        loop {
            if inner.form != LoopForm::For {
                counter += inner.step();
                set(counter, frame);
            }
            match self.block(&inner.body, frame)? {
                End::Behind | End::Continue => {}
                End::Break | End::Leave => return Ok(End::Behind),
                end @ End::Return(_) => return Ok(end),
            }
            if inner.form == LoopForm::For {
                counter += inner.step();
                set(counter, frame);
            }
            if !self.goes_on(inner, counter, frame)? {
                return Ok(End::Behind);
            }
        }
    }

    fn goes_on(&mut self, inner: &'p Loop, counter: i32, frame: &mut Frame<'p>) -> Decided<bool> {
        self.steps = self.steps.checked_sub(1).ok_or(Undecided)?;
        let is_before = if inner.step() > 0 { counter < inner.end } else { counter > inner.end };
        match &inner.also {
            Some(also) if is_before => self.is_true(also, frame),
            _ => Ok(is_before),
        }
    }

    fn switch(&mut self, selector: &'p Expr, cases: &'p [Case], frame: &mut Frame<'p>) -> Decided<End> {
        let value = self.eval(selector, frame)?[0].value as i32;
        let find = |label: Option<i32>| cases.iter().position(|case| case.labels.contains(&label));
        let Some(first) = find(Some(value)).or_else(|| find(None)) else { return Ok(End::Behind) };
        for case in &cases[first..] {
            match self.block(&case.body, frame)? {
                End::Behind if case.falls => {}
                End::Behind | End::Break => return Ok(End::Behind),
                end => return Ok(end),
            }
        }
        Ok(End::Behind)
    }

    fn is_true(&mut self, condition: &'p Expr, frame: &mut Frame<'p>) -> Decided<bool> {
        Ok(self.eval(condition, frame)?[0].is_true())
    }

    fn all(&mut self, exprs: &'p [Expr], frame: &mut Frame<'p>) -> Decided<Vec<Value>> {
        exprs.iter().map(|expr| self.eval(expr, frame)).collect()
    }

    fn eval(&mut self, expr: &'p Expr, frame: &mut Frame<'p>) -> Decided<Value> {
        Ok(match &expr.kind {
            ExprKind::Literal(value) => vec![Number::exact(f64::from(*value)); expr.ty.size()],
            ExprKind::Uniform(index) => {
                let index = self.eval(index, frame)?[0].value;
                numbers(UNIFORMS.get(index as usize).filter(|_| index >= 0.0).ok_or(Undecided)?)
            }
            ExprKind::UniformMatrix => MATRIX.iter().flat_map(numbers).collect(),
            ExprKind::Read(place) => {
                let parts = self.resolve(place, frame)?;
                parts.iter().map(|at| frame.variables[place.variable][*at]).collect()
            }
            ExprKind::Unary(op, operand) => {
                let operand = self.eval(operand, frame)?.into_iter();
                match op {
                    Unary::Minus => operand.map(Number::minus).collect(),
                    Unary::Not => operand.map(|number| Number::bool(!number.is_true())).collect(),
                }
            }
            ExprKind::Binary(op @ (Binary::And | Binary::Or), operands) => {
                let first = self.is_true(&operands[0], frame)?;
                let is_decided = first == (*op == Binary::Or);
                vec![Number::bool(if is_decided { first } else { self.is_true(&operands[1], frame)? })]
            }
            ExprKind::Binary(op, operands) => {
                let (a, b) = (self.eval(&operands[0], frame)?, self.eval(&operands[1], frame)?);
                binary(*op, (operands[0].ty, &a), (operands[1].ty, &b), expr.ty)?
            }
            ExprKind::Builtin(function, operands) => {
                let values = self.all(operands, frame)?;
                builtin(*function, operands[0].ty, &values, expr.ty)?
            }
            ExprKind::Choose(operands) => {
                let [condition, yes, no] = &**operands;
                let chosen = if self.is_true(condition, frame)? { yes } else { no };
                self.eval(chosen, frame)?
            }
            ExprKind::Swizzle(operand, order) => {
                let operand = self.eval(operand, frame)?;
                order.iter().map(|at| operand[*at]).collect()
            }
            ExprKind::Element(operand, at) => {
                let operand = self.eval(operand, frame)?;
                operand.chunks(expr.ty.size()).nth(*at).ok_or(Undecided)?.to_vec()
            }
            ExprKind::Construct(parts) => self.all(parts, frame)?.concat(),
            ExprKind::Convert(operand) => {
                let number = self.eval(operand, frame)?[0];
                vec![match (operand.ty, expr.ty) {
                    (Type::Float, Type::Int) => Number::integer(number.whole(f64::trunc)?.value)?,
                    (_, Type::Bool) => Number::bool(!number.equals(Number::default())?),
                    (_, Type::Float) => Number::float(number.value, number.error)?,
                    _ => number,
                }]
            }
            ExprKind::Call(function, arguments) => self.enter(*function, arguments, frame)?,
            ExprKind::Assign(place, op, value) => {
                let parts = self.resolve(place, frame)?;
                let mut value_now = self.eval(value, frame)?;
                if let Some(op) = op {
                    let before: Value = parts.iter().map(|at| frame.variables[place.variable][*at]).collect();
                    value_now = binary(*op, (place.ty, &before), (value.ty, &value_now), place.ty)?;
                }
                write(frame, place, &parts, &value_now);
                value_now
            }
            ExprKind::Step { place, up, post } => {
                let parts = self.resolve(place, frame)?;
                let before = frame.variables[place.variable][parts[0]];
                let one = Number::exact(if *up { 1.0 } else { -1.0 });
                let after = if place.ty == Type::Int {
                    Number::integer(before.value + one.value)?
                } else {
                    before.add(one)?
                };
                write(frame, place, &parts, &[after]);
                vec![if *post { before } else { after }]
            }
        })
    }

    /// A call: values are copied in, and those of `inout` parameters back to where they came from.
    fn enter(&mut self, number: usize, arguments: &'p [Argument], frame: &mut Frame<'p>) -> Decided<Value> {
        let mut values = Vec::new();
        let mut back = Vec::new();
        for (at, argument) in arguments.iter().enumerate() {
            match argument {
                Argument::Value(value) => values.push(self.eval(value, frame)?),
                Argument::Inout(place) => {
                    let parts = self.resolve(place, frame)?;
                    values.push(Vec::new());
                    back.push((at, place, parts));
                }
            }
        }
        for (at, place, parts) in &back {
            values[*at] = parts.iter().map(|part| frame.variables[place.variable][*part]).collect();
        }
        let (result, variables) = self.call(number, values)?;
        for (at, place, parts) in back {
            write(frame, place, &parts, &variables[at]);
        }
        Ok(result)
    }

    /// The numbers of its variable that a place is.
    fn resolve(&mut self, place: &'p Place, frame: &mut Frame<'p>) -> Decided<Vec<usize>> {
        let mut ty = frame.function.variable(place.variable);
        let mut parts: Vec<usize> = (0..ty.size()).collect();
        for part in &place.path {
            match part {
                Part::Index(index) => {
                    let index = self.eval(index, frame)?[0].value;
                    let (element, count) = ty.elements().ok_or(Undecided)?;
                    if index < 0.0 || index >= count as f64 {
                        return Err(Undecided);
                    }
                    let start = index as usize * element.size();
                    parts = parts[start..start + element.size()].to_vec();
                    ty = element;
                }
                Part::Swizzle(order) => {
                    parts = order.iter().map(|at| parts[*at]).collect();
                    ty = if order.len() == 1 { Type::Float } else { Type::Vector(order.len()) };
                }
            }
        }
        Ok(parts)
    }
}

fn write(frame: &mut Frame, place: &Place, parts: &[usize], value: &[Number]) {
    let variable = &mut frame.variables[place.variable];
    parts.iter().zip(value).for_each(|(at, number)| variable[*at] = *number);
}

fn binary(
    op: Binary,
    (left, a): (Type, &[Number]),
    (right, b): (Type, &[Number]),
    ty: Type,
) -> Decided<Value> {
    let one = |value: bool| vec![Number::bool(value)];
    // A scalar beside a vector or matrix is one for each of its numbers.
    let paired = |of: &dyn Fn(Number, Number) -> Decided<Number>| -> Decided<Value> {
        let at = |all: &[Number], number: usize| if all.len() == 1 { all[0] } else { all[number] };
        (0..a.len().max(b.len())).map(|number| of(at(a, number), at(b, number))).collect()
    };
    let is_int = left == Type::Int;
    match op {
        Binary::Add if is_int => paired(&|a, b| Number::integer(a.value + b.value)),
        Binary::Subtract if is_int => paired(&|a, b| Number::integer(a.value - b.value)),
        Binary::Multiply if is_int => paired(&|a, b| Number::integer(a.value * b.value)),
        Binary::Divide | Binary::Remainder if is_int => {
            let (a, b) = (a[0].value, b[0].value);
            if b <= 0.0 || a < 0.0 {
                return Err(Undecided);
            }
            Ok(vec![Number::exact(if op == Binary::Divide { (a / b).trunc() } else { a % b })])
        }
        Binary::Add => paired(&|a, b| a.add(b)),
        Binary::Subtract => paired(&|a, b| a.add(b.minus())),
        Binary::Multiply => match (left, right) {
            (Type::Matrix { rows, .. }, Type::Vector(_) | Type::Matrix { .. }) => {
                let inner = a.len() / rows;
                let columns = b.chunks(inner);
                columns
                    .flat_map(|column| {
                        (0..rows).map(|row| sum(column, |at| a[at * rows + row])).collect::<Vec<_>>()
                    })
                    .collect()
            }
            (Type::Vector(size), Type::Matrix { .. }) => {
                b.chunks(size).map(|column| sum(a, |at| column[at])).collect()
            }
            _ => paired(&|a, b| a.multiply(b)),
        },
        Binary::Divide => paired(&|a, b| a.divide(b)),
        Binary::Less => Ok(one(a[0].less(b[0])?)),
        Binary::Greater => Ok(one(b[0].less(a[0])?)),
        Binary::LessEqual => Ok(one(!b[0].less(a[0])?)),
        Binary::GreaterEqual => Ok(one(!a[0].less(b[0])?)),
        Binary::Equal => Ok(one(a[0].equals(b[0])?)),
        Binary::NotEqual => Ok(one(!a[0].equals(b[0])?)),
        Binary::Remainder | Binary::And | Binary::Or => Err(Undecided),
    }
    .and_then(|value: Value| if value.len() == ty.size() { Ok(value) } else { Err(Undecided) })
}

/// The sum of products.
fn sum(a: &[Number], b: impl Fn(usize) -> Number) -> Decided<Number> {
    a.iter().enumerate().try_fold(Number::default(), |sum, (at, a)| sum.add(a.multiply(b(at))?))
}

fn builtin(builtin: Builtin, first: Type, values: &[Value], ty: Type) -> Decided<Value> {
    let is_int = first == Type::Int;
    let at = |operand: usize, number: usize| {
        let all = &values[operand];
        if all.len() == 1 { all[0] } else { all[number] }
    };
    let each = |of: &dyn Fn(usize) -> Decided<Number>| (0..ty.size()).map(of).collect::<Decided<Value>>();
    let dot = || sum(&values[0], |number| at(1, number));
    let square = || sum(&values[0], |number| at(0, number));
    let root = |number: Number| {
        if number.value - number.error < 0.0 {
            Err(Undecided)
        } else {
            number.monotonic(RECIPROCAL, 1e-6, f64::sqrt)
        }
    };
    let one = Number::exact(1.0);
    match builtin {
        Builtin::Abs => each(&|n| Ok(at(0, n).abs())),
        Builtin::Floor => each(&|n| at(0, n).whole(f64::floor)),
        Builtin::Fract => each(&|n| at(0, n).add(at(0, n).whole(f64::floor)?.minus())),
        Builtin::Saturate => each(&|n| Ok(at(0, n).max(Number::default()).min(one))),
        Builtin::Min => each(&|n| Ok(at(0, n).min(at(1, n)))),
        Builtin::Max => each(&|n| Ok(at(0, n).max(at(1, n)))),
        Builtin::Clamp => each(&|n| Ok(at(0, n).max(at(1, n)).min(at(2, n)))),
        Builtin::Mix => each(&|n| {
            let rest = one.add(at(2, n).minus())?;
            let mixed = at(0, n).multiply(rest)?.add(at(1, n).multiply(at(2, n))?)?;
            // Machines may take the difference of both, which rounds also where one does not count.
            at(1, n).add(at(0, n).minus())?.add(at(0, n))?.same_as(mixed)
        }),
        Builtin::Step => each(&|n| Ok(Number::bool(!at(1, n).less(at(0, n))?))),
        Builtin::Dot => Ok(vec![dot()?]),
        Builtin::SelectLess => each(&|n| Ok(if at(0, n).less(at(1, n))? { at(2, n) } else { at(3, n) })),
        Builtin::Transpose => {
            let Type::Matrix { columns, rows } = first else { return Err(Undecided) };
            let order = (0..rows).flat_map(|row| (0..columns).map(move |column| column * rows + row));
            Ok(order.map(|number| values[0][number]).collect())
        }
        Builtin::Sqrt => each(&|n| root(at(0, n))),
        Builtin::InverseSqrt => each(&|n| one.divide(root(at(0, n))?)),
        Builtin::Length => Ok(vec![root(square()?)?]),
        Builtin::Normalize => {
            let length = root(square()?)?;
            each(&|n| at(0, n).divide(length))
        }
        Builtin::Log2 => each(&|n| {
            let operand = at(0, n);
            if operand.value - operand.error < 1e-3 {
                Err(Undecided)
            } else {
                operand.monotonic(CURVE, CURVE, f64::log2)
            }
        }),
        Builtin::Exp2 => each(&|n| at(0, n).monotonic(CURVE, 1e-30, f64::exp2)),
        Builtin::Pow => each(&|n| {
            let (base, exponent) = (at(0, n), at(1, n));
            if base.value - base.error < 1e-3 {
                return Err(Undecided);
            }
            // As machines compute it: the error of the logarithm counts as often as the exponent says.
            base.monotonic(CURVE, CURVE / 8.0, f64::log2)?.multiply(exponent)?.monotonic(
                CURVE,
                0.0,
                f64::exp2,
            )
        }),
    }
    .and_then(|value: Value| {
        if is_int { value.into_iter().map(|n| Number::integer(n.value)).collect() } else { Ok(value) }
    })
}
