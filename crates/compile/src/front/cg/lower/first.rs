//! First values of uniforms, which are known without running anything.

use crate::front::cg::tree::{Binary, Expr, ExprKind, Unary};
use crate::front::cg::types::{Base, Shape, Type};

/// The numbers of a first value, in the order of the type; none where they are not known, or not as many as there should be.
pub fn value(ty: &Type, init: &Expr) -> Option<Vec<f32>> {
    match ty {
        Type::Numeric(numeric) => {
            let mut numbers = numbers(init)?;
            let wanted = usize::from(numeric.shape.count());
            // Rows of two are in registers of their own in an order that is not the type's.
            if matches!(numeric.shape, Shape::Matrix(_, 2)) {
                return None;
            }
            if let ([one], Shape::Scalar | Shape::Vector(_)) = (&numbers[..], numeric.shape) {
                numbers = vec![*one; wanted];
            }
            let as_type = |number: f32| match numeric.base {
                Base::Float => number,
                Base::Int => number.trunc(),
                Base::Bool => f32::from(u8::from(number != 0.0)),
            };
            (numbers.len() == wanted).then(|| numbers.into_iter().map(as_type).collect())
        }
        Type::Array(of, count) => {
            let ExprKind::List(all) = &init.kind else { return None };
            let fits = u32::try_from(all.len()).ok() == Some(*count);
            let parts =
                all.iter().map(|init| value(of, init)).collect::<Option<Vec<_>>>().filter(|_| fits)?;
            Some(parts.concat())
        }
        Type::Void | Type::Struct(_) | Type::Opaque(_) => None,
    }
}

/// The numbers of an expression.
fn numbers(of: &Expr) -> Option<Vec<f32>> {
    match &of.kind {
        ExprKind::Float(value) => Some(vec![*value]),
        ExprKind::Int(value) => Some(vec![*value as f32]),
        ExprKind::Bool(value) => Some(vec![f32::from(u8::from(*value))]),
        ExprKind::List(all) | ExprKind::Construct(_, all) => {
            Some(all.iter().map(numbers).collect::<Option<Vec<_>>>()?.concat())
        }
        ExprKind::Unary(Unary::Plus, of) => numbers(of),
        ExprKind::Unary(Unary::Minus, of) => Some(numbers(of)?.into_iter().map(|number| -number).collect()),
        ExprKind::Binary(operator, left, right) => {
            let (left, right) = (numbers(left)?, numbers(right)?);
            let both_are_whole = is_whole(of);
            let one = |(a, b): (&f32, &f32)| match operator {
                Binary::Add => Some(a + b),
                Binary::Subtract => Some(a - b),
                Binary::Multiply => Some(a * b),
                // Of integers, the quotient is one.
                Binary::Divide if !both_are_whole && *b != 0.0 => Some(a / b),
                _ => None,
            };
            if left.len() != right.len() {
                return None;
            }
            left.iter().zip(&right).map(one).collect()
        }
        _ => None,
    }
}

fn is_whole(of: &Expr) -> bool {
    match &of.kind {
        ExprKind::Int(_) => true,
        ExprKind::Unary(_, of) => is_whole(of),
        ExprKind::Binary(_, left, right) => is_whole(left) && is_whole(right),
        _ => false,
    }
}
