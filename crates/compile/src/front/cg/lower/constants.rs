//! Integers that are known without running a program.

use crate::front::cg::tree::{Binary, Expr, ExprKind, Unary};

/// The value of an expression of integers; nothing for others. `constant` knows those of names.
pub fn integer(expression: &Expr, constant: &dyn Fn(&str) -> Option<i64>) -> Option<i64> {
    let value = match &expression.kind {
        ExprKind::Int(value) => i64::from(*value),
        ExprKind::Name(name) => constant(name)?,
        ExprKind::Unary(operator, of) => {
            let value = integer(of, constant)?;
            match operator {
                Unary::Plus => value,
                Unary::Minus => -value,
                Unary::Complement => !value,
                Unary::Not => return None,
            }
        }
        ExprKind::Binary(operator, left, right) => {
            let (left, right) = (integer(left, constant)?, integer(right, constant)?);
            match operator {
                Binary::Add => left + right,
                Binary::Subtract => left - right,
                Binary::Multiply => left.checked_mul(right)?,
                Binary::Divide => left.checked_div(right)?,
                Binary::Modulo => left.checked_rem(right)?,
                Binary::ShiftLeft => left.checked_shl(u32::try_from(right).ok()?)?,
                Binary::ShiftRight => left.checked_shr(u32::try_from(right).ok()?)?,
                Binary::BitAnd => left & right,
                Binary::BitOr => left | right,
                Binary::BitXor => left ^ right,
                _ => return None,
            }
        }
        _ => return None,
    };
    // All that it is made of fits into 32 bits, so that nothing above overflows.
    i32::try_from(value).ok().map(i64::from)
}
