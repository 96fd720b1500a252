//! Products of matrices and vectors.
//!
//! Cg's rows are naga's columns, so every matrix here is the transpose of Cg's: what Cg multiplies from the left is multiplied from
//! the right.

use super::values::Value;
use super::writer::Writer;
use crate::front::cg::codes::TYPE;
use crate::front::cg::tree::{Binary, Name};
use crate::front::cg::types::{Base, FLOAT, Numeric, Shape, Type};
use gpuzoo_diag::{Diagnostic, Span};
use gpuzoo_isa::Failed;
use naga::{BinaryOperator, Expression, MathFunction as Math};

/// Functions of matrices.
#[derive(Clone, Copy, Debug)]
pub enum Product {
    /// `mul`
    Mul,
    /// `transpose`
    Transpose,
    /// `determinant`
    Determinant,
}

impl Writer<'_, '_> {
    /// A function of matrices.
    pub fn product(
        &mut self,
        product: Product,
        name: &Name,
        values: &[(Value, Span)],
        span: Span,
    ) -> Result<Value, Failed> {
        if let (Product::Mul, [left, right]) = (product, values) {
            return self.mul(left, right, span);
        }
        let Some((value, place)) = values.first() else { return Err(Failed) };
        let numeric = self.numeric(value, "a matrix", *place)?;
        match (product, numeric.shape) {
            (Product::Transpose, Shape::Matrix(rows, columns)) => {
                let result = numeric.shaped(Shape::Matrix(columns, rows));
                Ok(self.math(Math::Transpose, std::slice::from_ref(value), result, span))
            }
            (Product::Determinant, Shape::Matrix(rows, columns)) if rows == columns => {
                Ok(self.math(Math::Determinant, std::slice::from_ref(value), FLOAT, span))
            }
            _ => {
                let wanted =
                    if matches!(product, Product::Determinant) { "a square matrix" } else { "a matrix" };
                let problem = Diagnostic::error(&TYPE, format!("`{}` is of {wanted}", name.text));
                let problem = problem.label(*place, format!("this is `{numeric}`"));
                self.fail(problem.help("matrices are `float3x3`, `float4x4` and so on"))
            }
        }
    }

    fn mul(&mut self, left: &(Value, Span), right: &(Value, Span), span: Span) -> Result<Value, Failed> {
        let [one, other] =
            [left, right].map(|(value, place)| self.numeric(value, "a matrix or vector", *place));
        let (one, other) = (one?, other?);
        let (of_left, of_right, result) = match (one.shape, other.shape) {
            (Shape::Scalar, _) | (_, Shape::Scalar) => {
                return self.binary(Binary::Multiply, left.clone(), right.clone(), span);
            }
            (Shape::Matrix(rows, columns), Shape::Vector(_)) => {
                (one.shape, Shape::Vector(columns), Shape::Vector(rows))
            }
            (Shape::Vector(_), Shape::Matrix(rows, columns)) => {
                (Shape::Vector(rows), other.shape, Shape::Vector(columns))
            }
            (Shape::Matrix(rows, inner), Shape::Matrix(fewer, columns)) => {
                // The longer side is cut, as a vector is.
                let inner = inner.min(fewer);
                (Shape::Matrix(rows, inner), Shape::Matrix(inner, columns), Shape::Matrix(rows, columns))
            }
            (Shape::Vector(_), Shape::Vector(_)) => {
                let problem = Diagnostic::error(&TYPE, "`mul` needs a matrix");
                let problem = problem.label(span, format!("used with `{one}` and `{other}`"));
                return self.fail(problem.help("`dot` multiplies vectors; `*` their components"));
            }
        };
        let float = |shape: Shape| Numeric { base: Base::Float, shape };
        let first = self.converted(&left.0, &Type::Numeric(float(of_left)), false, left.1)?;
        let second = self.converted(&right.0, &Type::Numeric(float(of_right)), false, right.1)?;
        let multiply =
            Expression::Binary { op: BinaryOperator::Multiply, left: second.expr, right: first.expr };
        Ok(Value::new(self.emit(multiply, span), float(result)))
    }
}
