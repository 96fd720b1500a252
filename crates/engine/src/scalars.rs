//! Operations of which one operand may be the same in all lanes.

use gpuzoo_ir::{Op2, Visitor2, arith};

/// Gives the function of a cheap operation to a visitor; the others have no loops for scalar operands. For them a
/// scalar is copied to a column first, which costs little beside them.
#[inline(always)]
fn cheap<V: Visitor2>(op: Op2, visitor: V) -> Option<V::Output> {
    Some(match op {
        Op2::FAdd => visitor.visit(arith::fadd::<f32>),
        Op2::FSub => visitor.visit(arith::fsub::<f32>),
        Op2::FMul => visitor.visit(arith::fmul::<f32>),
        Op2::FDiv => visitor.visit(arith::fdiv::<f32>),
        Op2::FMin => visitor.visit(arith::fmin::<f32>),
        Op2::FMax => visitor.visit(arith::fmax::<f32>),
        Op2::FMulTrunc => visitor.visit(arith::fmul_trunc::<f32>),
        Op2::FMulFinite => visitor.visit(arith::fmul_finite::<f32>),
        _ => return None,
    })
}

/// True for operations of which one operand may be the same in all lanes.
pub(crate) fn takes_scalar(op: Op2) -> bool {
    /// Has no use for the function.
    struct Nothing;

    impl Visitor2 for Nothing {
        type Output = ();

        fn visit(self, _: impl Fn(f32, f32) -> f32 + Copy) {}
    }

    cheap(op, Nothing).is_some()
}

/// The loop of an operation with a scalar operand.
#[inline(always)]
pub(crate) fn with_scalar<V: Visitor2<Output = ()>>(op: Op2, visitor: V) {
    if cheap(op, visitor).is_none() {
        unreachable!("{op:?} has no loop for scalars");
    }
}
