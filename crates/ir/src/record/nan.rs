//! Who looks at the bits of a NaN.
//!
//! Operations that compute give one certain NaN ([`NAN`]), processors any. Making it the right one costs three
//! instructions, more than an addition itself. It is left out where nobody can tell: where a value goes only into
//! operations that treat all NaNs alike.

use super::{Node, Record};
use crate::NAN;

/// What becomes of a NaN in an argument of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Heed {
    /// The result is the same for all NaNs.
    None,
    /// It may become the result, as it is: then its bits matter if those of the result do.
    Moves,
    /// Its bits decide what the result is.
    Bits,
}

/// The value that an operation makes canonical at its end, if that is how it ends.
pub fn canonical_operand(record: &Record) -> Option<usize> {
    match record.nodes.get(record.result) {
        Some(Node::WithNan(operand, NAN)) => Some(*operand),
        _ => None,
    }
}

/// How an operation heeds a NaN in one of its arguments.
pub fn heed(record: &Record, argument: usize) -> Heed {
    let mut heeds: Vec<Heed> = Vec::with_capacity(record.nodes.len());
    for node in &record.nodes {
        let of = |id: usize| heeds[id];
        let worst = |ids: &[usize]| ids.iter().map(|&id| of(id)).max().unwrap_or(Heed::None);
        // What was a NaN is some other NaN, or its bits have become the result's.
        let whole_bits = |ids: &[usize]| if worst(ids) == Heed::None { Heed::None } else { Heed::Bits };
        // A comparison finds a NaN but does not see which.
        let compared = |ids: &[usize]| if worst(ids) == Heed::Bits { Heed::Bits } else { Heed::None };
        heeds.push(match *node {
            Node::Argument(index) if index == argument => Heed::Moves,
            Node::Argument(_) | Node::Single(_) | Node::Double(_) => Heed::None,
            Node::Arithmetic(_, ids) => worst(&ids),
            Node::Sqrt(id) | Node::Widen(id) | Node::Narrow(id) => of(id),
            Node::Less(ids) | Node::Same(ids) => compared(&ids),
            Node::WithNan(id, _) => compared(&[id]),
            Node::Select([mask, yes, no]) => of(mask).max(worst(&[yes, no])),
            Node::Logic(_, ids) => worst(&ids),
            Node::Not(id) => of(id),
            // A NaN without its sign, or with the other one, is still some NaN.
            Node::Bits(sign, [id, mask]) if keeps_nan(record, sign, mask) => of(id),
            Node::LessTotal(ids) | Node::Bits(_, ids) => whole_bits(&ids),
            Node::Shift(_, id, _) | Node::WidenBits(id) | Node::NarrowBits(id) | Node::Pick(_, id) => {
                whole_bits(&[id])
            }
        });
    }
    match canonical_operand(record) {
        Some(operand) if heeds[operand] != Heed::Bits => Heed::None,
        _ => heeds.get(record.result).copied().unwrap_or(Heed::None),
    }
}

/// True for what changes nothing but the sign.
fn keeps_nan(record: &Record, sign: char, mask: usize) -> bool {
    matches!(
        (sign, record.nodes.get(mask)),
        ('&', Some(Node::Single(0x7fff_ffff) | Node::Double(0x7fff_ffff_ffff_ffff)))
            | ('^', Some(Node::Single(0x8000_0000) | Node::Double(0x8000_0000_0000_0000)))
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::record;
    use crate::{Op1, Op2, Op3};

    #[test]
    fn heeds_by_hand() {
        for (op, expected) in [
            (Op2::FAdd, [Heed::None; 2]),
            (Op2::FSlt, [Heed::None; 2]),
            (Op2::FMin, [Heed::Moves; 2]),
            // They mask the bits of a NaN before they replace it. It is enough to know that nothing is missed.
            (Op2::FMulTrunc, [Heed::Bits; 2]),
            (Op2::FMinTotal, [Heed::Bits; 2]),
            (Op2::IAdd, [Heed::Bits; 2]),
        ] {
            let recorded = record(|[a, b]| op.apply(a, b));
            assert_eq!([heed(&recorded, 0), heed(&recorded, 1)], expected, "{op:?}");
        }
        for (op, expected) in
            [(Op1::FSqrt, Heed::None), (Op1::FNeg, Heed::Moves), (Op1::FMantissa, Heed::Bits)]
        {
            assert_eq!(heed(&record(|[a]| op.apply(a)), 0), expected, "{op:?}");
        }
        let select = record(|[a, b, c]| Op3::ISelect.apply(a, b, c));
        assert_eq!([0, 1, 2].map(|index| heed(&select, index)), [Heed::Bits, Heed::Moves, Heed::Moves]);
    }
}
