//! Which operations observe the bits of a NaN.
//!
//! Operations that compute give one certain NaN ([`NAN`](crate::NAN)), processors any. Making it the right one costs
//! three instructions, more than an addition itself. It is left out where that cannot be observed: where a value goes
//! only into operations that treat all NaNs alike. Here that is found inside an operation;
//! [`Graph::exact`](crate::scalar::Graph::exact) continues it from operation to operation.

use super::{Id, Node, Record};

/// How a result uses a NaN in one of the values that it is computed from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NanUse {
    /// The result does not depend on which NaN it is.
    None,
    /// It may become the result: then its bits matter if those of the result do.
    Passes,
    /// Its bits decide what the result is.
    Observes,
}

/// For each node of a record how the result uses a NaN in it: one walk from the result to the arguments.
pub(super) fn nan_uses(record: &Record) -> Vec<NanUse> {
    let mut uses = vec![NanUse::None; record.nodes.len()];
    let mut live = vec![false; record.nodes.len()];
    if let Some(result) = live.get_mut(record.result) {
        *result = true;
        uses[record.result] = NanUse::Passes;
    }
    for (id, node) in record.nodes.iter().enumerate().rev() {
        if !live[id] {
            continue;
        }
        let own = uses[id];
        let operand_use = match *node {
            Node::Argument(_) | Node::Single(_) | Node::Double(_) => continue,
            // What was a NaN is some NaN again. (Truth values are none.)
            Node::Arithmetic(..) | Node::Sqrt(_) | Node::Widen(_) | Node::Narrow(_) | Node::Select(_) => own,
            // A NaN without its sign, or with the other one, is still some NaN.
            Node::Bits(sign, [_, mask]) if changes_sign(record, sign, mask) => own,
            // A comparison finds a NaN but does not see which.
            Node::Less(_) | Node::Same(_) | Node::WithNan(..) | Node::Logic(..) | Node::Not(_) => {
                NanUse::None
            }
            Node::LessTotal(_) | Node::Bits(..) | Node::Shift(..) => NanUse::Observes,
            Node::WidenBits(_) | Node::NarrowBits(_) | Node::Pick(..) => NanUse::Observes,
        };
        node.operands(|operand| {
            live[operand] = true;
            uses[operand] = uses[operand].max(operand_use);
        });
    }
    uses
}

/// True for what changes nothing but the sign.
fn changes_sign(record: &Record, sign: char, mask: Id) -> bool {
    matches!(
        (sign, record.nodes[mask]),
        ('&', Node::Single(0x7fff_ffff) | Node::Double(0x7fff_ffff_ffff_ffff))
            | ('^', Node::Single(0x8000_0000) | Node::Double(0x8000_0000_0000_0000))
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Operation, record};
    use crate::{Op1, Op2, Op3};

    #[test]
    fn uses_by_hand() {
        for (op, expected) in [
            (Op2::FAdd, [NanUse::None; 2]),
            (Op2::FSlt, [NanUse::None; 2]),
            (Op2::FMin, [NanUse::Passes; 2]),
            // They mask the bits of a NaN before they replace it. It is enough to know that nothing is missed.
            (Op2::FMulTrunc, [NanUse::Observes; 2]),
            (Op2::FMinTotal, [NanUse::Observes; 2]),
            (Op2::IAdd, [NanUse::Observes; 2]),
        ] {
            assert_eq!(Operation::Two(op).record().nan_uses[..2], expected, "{op:?}");
        }
        for (op, expected) in
            [(Op1::FSqrt, NanUse::None), (Op1::FNeg, NanUse::Passes), (Op1::FMantissa, NanUse::Observes)]
        {
            assert_eq!(Operation::One(op).record().nan_uses[0], expected, "{op:?}");
        }
        let select = Operation::Three(Op3::ISelect).record();
        assert_eq!(select.nan_uses[..3], [NanUse::Observes, NanUse::Passes, NanUse::Passes]);
    }

    /// The rule for NaNs at the end of a product that goes into a sum: the sum's own makes all of them alike.
    #[test]
    fn what_nothing_sees_inside() {
        let nested = record(|[a, b, c]| Op2::FAdd.apply(Op2::FMul.apply(a, b), c));
        let rules =
            nested.nodes.iter().zip(&nested.nan_uses).filter(|(node, _)| matches!(node, Node::WithNan(..)));
        assert_eq!(rules.map(|(_, nan_use)| *nan_use).collect::<Vec<_>>(), [NanUse::None, NanUse::Passes]);
    }
}
