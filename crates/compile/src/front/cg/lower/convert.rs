//! Numbers become others: bases, smeared scalars, dropped components.

use super::targets::pattern;
use super::values::Value;
use super::writer::Writer;
use crate::front::cg::codes::{TRUNCATED, TYPE};
use crate::front::cg::types::{Base, Numeric, Shape, Type, vector_size};
use gpuzoo_diag::{Diagnostic, Span};
use gpuzoo_isa::Failed;
use naga::{Expression, Literal};

impl Writer<'_, '_> {
    /// A value as one of another type. If the source does not ask for it (`is_cast`), dropped components are warned of; what cannot
    /// be is reported.
    pub fn converted(
        &mut self,
        value: &Value,
        to: &Type,
        is_cast: bool,
        span: Span,
    ) -> Result<Value, Failed> {
        if value.ty == *to {
            return Ok(value.clone());
        }
        let (Some(from), Some(wanted)) = (value.ty.numeric(), to.numeric()) else {
            return self.misfit(&value.ty, to, span);
        };
        if !fits(from.shape, wanted.shape) {
            return self.misfit(&value.ty, to, span);
        }
        if !is_cast && from.shape.count() > wanted.shape.count() {
            let message = format!("components of `{from}` are dropped where `{wanted}` is wanted");
            let problem = Diagnostic::warning(&TRUNCATED, message).label(span, format!("this is `{from}`"));
            self.lowering.report(problem.help(match wanted.shape {
                Shape::Matrix(..) => format!("write `({wanted})` before it, if that is meant"),
                shape => {
                    let letters = "xyzw".get(..usize::from(shape.count())).unwrap_or("x");
                    format!("write `.{letters}` behind it, if that is meant")
                }
            }));
        }
        let cut = self.cut(value, from, wanted.shape, span)?;
        let kept = from.shaped(if from.shape == Shape::Scalar { Shape::Scalar } else { wanted.shape });
        let based = self.based(&cut, kept, wanted.base, span);
        Ok(self.splat(&based, wanted, span))
    }

    fn misfit<T>(&mut self, from: &Type, to: &Type, span: Span) -> Result<T, Failed> {
        let problem = Diagnostic::error(&TYPE, format!("`{from}` cannot become `{to}`"));
        let problem = problem.label(span, format!("expected `{to}`, found `{from}`"));
        self.fail(match (from.numeric().map(|of| of.shape), to.numeric().map(|of| of.shape)) {
            (Some(Shape::Vector(from)), Some(Shape::Vector(to))) if from < to => {
                problem.help("say what the other components are, as in `float4(v, 1)`")
            }
            (Some(_), Some(_)) => problem.help("components can be dropped, not made; a scalar fills all"),
            _ => problem.help("give a value of the type that is expected"),
        })
    }

    /// The first components of a vector, or the first rows and columns of a matrix.
    fn cut(&mut self, value: &Value, from: Numeric, to: Shape, span: Span) -> Result<Value, Failed> {
        let ty = Type::Numeric(from.shaped(to));
        match (from.shape, to) {
            (Shape::Scalar, _) => Ok(value.clone()),
            (one, other) if one == other => Ok(value.clone()),
            (Shape::Vector(_), Shape::Scalar) => Ok(self.part(value, 0, ty, span)),
            (Shape::Vector(_), Shape::Vector(size)) => {
                let (size, pattern) = (vector_size(size), pattern(&[0, 1, 2, 3]));
                let swizzle = Expression::Swizzle { size, vector: value.expr, pattern };
                Ok(Value { expr: self.emit(swizzle, span), ty })
            }
            (_, Shape::Matrix(rows, columns)) => {
                let all = self.parts(value, from, span);
                let mut kept = Vec::new();
                for row in all.iter().take(rows.into()) {
                    let numeric = self.numeric(row, "a row", span)?;
                    kept.push(self.cut(row, numeric, Shape::Vector(columns), span)?);
                }
                self.compose(&ty, &kept, span)
            }
            _ => self.misfit(&value.ty, &ty, span),
        }
    }

    /// A value with components of another base.
    pub fn based(&mut self, value: &Value, numeric: Numeric, base: Base, span: Span) -> Value {
        if numeric.base == base {
            return value.clone();
        }
        // Numbers in the source are what they become.
        let literal = match (self.function.expressions.try_get(value.expr), base) {
            (Ok(Expression::Literal(Literal::I32(known))), Base::Float) => Some(Literal::F32(*known as f32)),
            (Ok(Expression::Literal(Literal::I32(known))), Base::Bool) => Some(Literal::Bool(*known != 0)),
            _ => None,
        };
        let to = numeric.with(base);
        let expression = match literal {
            Some(literal) => Expression::Literal(literal),
            None => {
                let scalar = to.scalar();
                Expression::As { expr: value.expr, kind: scalar.kind, convert: Some(scalar.width) }
            }
        };
        Value::new(self.emit(expression, span), to)
    }

    /// A scalar as every component of a type; others are what they are.
    pub fn splat(&mut self, value: &Value, to: Numeric, span: Span) -> Value {
        let Some(Shape::Scalar) = value.ty.numeric().map(|of| of.shape) else { return value.clone() };
        match to.shape {
            Shape::Scalar => value.clone(),
            Shape::Vector(size) => {
                let splat = Expression::Splat { size: vector_size(size), value: value.expr };
                Value::new(self.emit(splat, span), to)
            }
            Shape::Matrix(rows, columns) => {
                let row = self.splat(value, to.shaped(Shape::Vector(columns)), span);
                let rows = vec![row; rows.into()];
                self.compose(&Type::Numeric(to), &rows, span).unwrap_or(value.clone())
            }
        }
    }

    /// Values of one type: the widest base, at least `least`, and the fewest components, but scalars have as many as the others.
    /// What cannot be brought together is reported.
    pub fn unified(
        &mut self,
        values: &[(Value, Span)],
        least: Base,
    ) -> Result<(Vec<Value>, Numeric), Failed> {
        let mut target = Numeric { base: least, shape: Shape::Scalar };
        for (value, span) in values {
            let numeric = self.numeric(value, "a number, vector or matrix", *span)?;
            target.base = target.base.max(numeric.base);
            target.shape = match (target.shape, numeric.shape) {
                (shape, Shape::Scalar) | (Shape::Scalar, shape) => shape,
                (Shape::Vector(one), Shape::Vector(other)) => Shape::Vector(one.min(other)),
                (Shape::Matrix(rows, columns), Shape::Matrix(other, others)) => {
                    Shape::Matrix(rows.min(other), columns.min(others))
                }
                _ => {
                    let problem =
                        Diagnostic::error(&TYPE, "a matrix and a vector have no components in common");
                    let problem = problem.label(*span, format!("this is `{numeric}`"));
                    return self.fail(problem.help("`mul` multiplies matrices by vectors"));
                }
            };
        }
        let mut all = Vec::new();
        for (value, span) in values {
            all.push(self.converted(value, &Type::Numeric(target), false, *span)?);
        }
        Ok((all, target))
    }
}

/// True if what has one shape can become another.
pub fn fits(from: Shape, to: Shape) -> bool {
    match (from, to) {
        (Shape::Scalar, _) | (Shape::Vector(_), Shape::Scalar) => true,
        (Shape::Vector(from), Shape::Vector(to)) => from >= to,
        (Shape::Matrix(rows, columns), Shape::Matrix(fewer, less)) => rows >= fewer && columns >= less,
        _ => false,
    }
}
