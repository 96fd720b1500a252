//! Operators.

use super::values::{Operand, Value};
use super::writer::Writer;
use crate::front::cg::codes::{TYPE, ZERO};
use crate::front::cg::tree::{Binary, Expr, Unary};
use crate::front::cg::types;
use crate::front::cg::types::{BOOL, Base, Numeric, Shape, Type};
use gpuzoo_diag::{Diagnostic, Span};
use gpuzoo_isa::Failed;
use naga::{BinaryOperator, Expression, Literal, Statement, UnaryOperator};

impl Writer<'_, '_> {
    /// `-a` and its like.
    pub fn unary(&mut self, operator: Unary, of: &Expr, span: Span) -> Result<Value, Failed> {
        let value = self.value(of)?;
        let numeric = self.numeric(&value, "a number", of.span)?;
        let (op, base) = match operator {
            Unary::Plus => return Ok(value),
            Unary::Minus => (UnaryOperator::Negate, numeric.base.max(Base::Int)),
            Unary::Not => (UnaryOperator::LogicalNot, Base::Bool),
            Unary::Complement if numeric.base == Base::Float => {
                return self.integers_only("~", numeric, of.span);
            }
            Unary::Complement => (UnaryOperator::BitwiseNot, Base::Int),
        };
        if base != Base::Float && matches!(numeric.shape, Shape::Matrix(..)) {
            let problem = Diagnostic::error(&TYPE, "matrices have floats")
                .label(of.span, format!("this is `{numeric}`"));
            return self.fail(problem.help("do it for each row: `m[0]`"));
        }
        let value = self.based(&value, numeric, base, of.span);
        self.by_rows(&[value], numeric.with(base), span, |writer, parts| match parts {
            [part] => writer.emit(Expression::Unary { op, expr: part.expr }, span),
            _ => writer.float(0.0, span).expr,
        })
    }

    fn integers_only<T>(&mut self, operator: &str, found: Numeric, span: Span) -> Result<T, Failed> {
        let problem = Diagnostic::error(&TYPE, format!("`{operator}` is for integers"));
        self.fail(problem.label(span, format!("this is `{found}`")).help("cast it: `(int)a`"))
    }

    /// Does something to values of one type: to each row, if they are matrices.
    pub fn by_rows(
        &mut self,
        values: &[Value],
        numeric: Numeric,
        span: Span,
        mut apply: impl FnMut(&mut Self, &[Value]) -> naga::Handle<Expression>,
    ) -> Result<Value, Failed> {
        let Shape::Matrix(rows, columns) = numeric.shape else {
            return Ok(Value::new(apply(self, values), numeric));
        };
        let all: Vec<Vec<Value>> = values.iter().map(|value| self.parts(value, numeric, span)).collect();
        let row_type = numeric.shaped(Shape::Vector(columns));
        let mut made = Vec::new();
        for row in 0..usize::from(rows) {
            let parts: Vec<Value> = all.iter().filter_map(|parts| parts.get(row).cloned()).collect();
            made.push(Value::new(apply(self, &parts), row_type));
        }
        self.compose(&Type::Numeric(numeric), &made, span)
    }

    /// `a + b` and its like, of values with their places.
    pub fn binary(
        &mut self,
        operator: Binary,
        left: (Value, Span),
        right: (Value, Span),
        span: Span,
    ) -> Result<Value, Failed> {
        use BinaryOperator as To;
        let (op, least) = match operator {
            Binary::Add => (To::Add, Base::Int),
            Binary::Subtract => (To::Subtract, Base::Int),
            Binary::Multiply => (To::Multiply, Base::Int),
            Binary::Divide => (To::Divide, Base::Int),
            Binary::Modulo => (To::Modulo, Base::Int),
            Binary::Less => (To::Less, Base::Int),
            Binary::LessEqual => (To::LessEqual, Base::Int),
            Binary::Greater => (To::Greater, Base::Int),
            Binary::GreaterEqual => (To::GreaterEqual, Base::Int),
            Binary::Equal => (To::Equal, Base::Bool),
            Binary::NotEqual => (To::NotEqual, Base::Bool),
            Binary::And => (To::LogicalAnd, Base::Bool),
            Binary::Or => (To::LogicalOr, Base::Bool),
            Binary::BitAnd => (To::And, Base::Int),
            Binary::BitOr => (To::InclusiveOr, Base::Int),
            Binary::BitXor => (To::ExclusiveOr, Base::Int),
            Binary::ShiftLeft => (To::ShiftLeft, Base::Int),
            Binary::ShiftRight => (To::ShiftRight, Base::Int),
        };
        let is_logic = matches!(operator, Binary::And | Binary::Or);
        let is_bits = matches!(
            operator,
            Binary::BitAnd | Binary::BitOr | Binary::BitXor | Binary::ShiftLeft | Binary::ShiftRight
        );
        let is_question = matches!(
            operator,
            Binary::Less
                | Binary::LessEqual
                | Binary::Greater
                | Binary::GreaterEqual
                | Binary::Equal
                | Binary::NotEqual
        );
        let mut operands = [left, right];
        if is_logic {
            for (value, place) in &mut operands {
                let numeric = self.numeric(value, "a condition", *place)?;
                *value = self.based(value, numeric, Base::Bool, *place);
            }
        }
        let (values, numeric) = self.unified(&operands, least)?;
        let [_, (_, last)] = operands;
        if is_bits && numeric.base == Base::Float {
            return self.integers_only("this operator", numeric, last);
        }
        // naga's logic is of scalars.
        let op = match (op, numeric.shape) {
            (To::LogicalAnd, Shape::Vector(_)) => To::And,
            (To::LogicalOr, Shape::Vector(_)) => To::InclusiveOr,
            (op, _) => op,
        };
        if numeric.base == Base::Int
            && let [_, divisor] = values.as_slice()
        {
            self.check_divisor(operator, divisor, last)?;
        }
        let is_matrix = matches!(numeric.shape, Shape::Matrix(..));
        if is_matrix && (is_question || is_logic) {
            let problem = Diagnostic::error(&TYPE, "matrices are not compared").at(span);
            return self.fail(problem.help("compare their rows: `m[0]`"));
        }
        let result = if is_question { numeric.with(Base::Bool) } else { numeric };
        let is_shift = matches!(operator, Binary::ShiftLeft | Binary::ShiftRight);
        let made = self.by_rows(&values, numeric, span, |writer, parts| {
            let [left, right] = parts else { return writer.float(0.0, span).expr };
            let right = if is_shift {
                let kind = naga::ScalarKind::Uint;
                writer.emit(Expression::As { expr: right.expr, kind, convert: Some(4) }, span)
            } else {
                right.expr
            };
            writer.emit(Expression::Binary { op, left: left.expr, right }, span)
        })?;
        Ok(Value { ty: Type::Numeric(result), ..made })
    }

    /// Refuses integers that are divided by a 0 of the source, and shifts of more bits than there are.
    fn check_divisor(&mut self, operator: Binary, divisor: &Value, span: Span) -> Result<(), Failed> {
        let known = self.literals(divisor.expr);
        let (is_wrong, expected) = match operator {
            Binary::Divide | Binary::Modulo => (known.contains(&0), "expected a number that is not 0"),
            Binary::ShiftLeft | Binary::ShiftRight => {
                (known.iter().any(|bits| !(0..32).contains(bits)), "expected a number from 0 to 31")
            }
            _ => return Ok(()),
        };
        if !is_wrong {
            return Ok(());
        }
        self.fail(Diagnostic::error(&ZERO, "the result is not a number").label(span, expected))
    }

    /// The integers of the source that a value is made of.
    fn literals(&self, of: naga::Handle<Expression>) -> Vec<i32> {
        match self.function.expressions.try_get(of) {
            Ok(Expression::Literal(Literal::I32(value))) => vec![*value],
            Ok(Expression::ZeroValue(_)) => vec![0],
            Ok(Expression::Splat { value, .. }) => self.literals(*value),
            Ok(Expression::Compose { components, .. }) => {
                components.iter().flat_map(|part| self.literals(*part)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// `a ? b : c`: both are evaluated, and chosen from component by component if the condition is a vector.
    pub fn choice(&mut self, parts: &[Expr; 3], span: Span) -> Result<Value, Failed> {
        let [asked, accept, reject] = parts;
        let condition = self.value(asked)?;
        let of = self.numeric(&condition, "a condition", asked.span)?;
        let condition = self.based(&condition, of, Base::Bool, asked.span);
        let (yes, no) = (self.value(accept)?, self.value(reject)?);
        if yes.ty.numeric().is_none() && yes.ty == no.ty && of.shape == Shape::Scalar {
            return self.choice_of_all(&condition, &yes, &no, span);
        }
        let (values, numeric) = self.unified(&[(yes, accept.span), (no, reject.span)], Base::Bool)?;
        let (numeric, values) = match (of.shape, numeric.shape) {
            (Shape::Scalar, _) => (numeric, values),
            (Shape::Vector(size), Shape::Vector(other)) if size == other => (numeric, values),
            (Shape::Vector(_), Shape::Scalar) => {
                let wide = numeric.shaped(of.shape);
                (wide, values.iter().map(|value| self.splat(value, wide, span)).collect())
            }
            _ => {
                let message = format!("a condition of `{of}` does not choose from `{numeric}`");
                let problem = Diagnostic::error(&TYPE, message).label(asked.span, format!("this is `{of}`"));
                return self
                    .fail(problem.help("a condition is a scalar, or has a component for each of theirs"));
            }
        };
        self.by_rows(&values, numeric, span, |writer, parts| match parts {
            [accept, reject] => {
                let (condition, accept, reject) = (condition.expr, accept.expr, reject.expr);
                writer.emit(Expression::Select { condition, accept, reject }, span)
            }
            _ => condition.expr,
        })
    }

    /// A choice of structs or arrays.
    fn choice_of_all(
        &mut self,
        condition: &Value,
        yes: &Value,
        no: &Value,
        span: Span,
    ) -> Result<Value, Failed> {
        let place = self.local(None, &yes.ty, span)?;
        self.open();
        self.store(&place, yes, span);
        let (accept, _) = self.close();
        self.open();
        self.store(&place, no, span);
        let (reject, _) = self.close();
        self.push(Statement::If { condition: condition.expr, accept, reject }, span);
        Ok(self.load(&place, span))
    }

    /// `a = b`, `a += b`.
    pub fn assigned(
        &mut self,
        operator: Option<Binary>,
        target: &Expr,
        value: &Expr,
        span: Span,
    ) -> Result<Operand, Failed> {
        let place = self.operand(target)?;
        let place = self.target(place, target.span)?;
        let mut found = self.value(value)?;
        if let Some(operator) = operator {
            let old = self.load(&place, target.span);
            found = self.binary(operator, (old, target.span), (found, value.span), span)?;
        }
        let found = self.converted(&found, &place.ty, false, value.span)?;
        self.store(&place, &found, span);
        Ok(Operand::Place(place))
    }

    /// `++a` and its like.
    pub fn step(&mut self, target: &Expr, by: Binary, after: bool, span: Span) -> Result<Operand, Failed> {
        let place = self.operand(target)?;
        let place = self.target(place, target.span)?;
        let old = self.load(&place, target.span);
        let one = self.emit(Expression::Literal(naga::Literal::I32(1)), span);
        let one = Value::new(one, types::INT);
        let new = self.binary(by, (old.clone(), target.span), (one, span), span)?;
        let new = self.converted(&new, &place.ty, true, span)?;
        self.store(&place, &new, span);
        Ok(if after { Operand::Value(old) } else { Operand::Place(place) })
    }

    /// True or false of one component each.
    pub fn all_bool(&mut self, value: &Value, span: Span) -> Result<(Value, Numeric), Failed> {
        let numeric = self.numeric(value, "a condition", span)?;
        if matches!(numeric.shape, Shape::Matrix(..)) {
            let problem = Diagnostic::error(&TYPE, format!("`{numeric}` is not a condition")).at(span);
            return self.fail(problem.help("ask its rows: `m[0]`"));
        }
        Ok((self.based(value, numeric, Base::Bool, span), BOOL.shaped(numeric.shape)))
    }
}
