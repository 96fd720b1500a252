//! Which operations observe the bits of a NaN.
//!
//! Operations that compute give one certain NaN ([`NAN`]), processors any. Making it the right one costs three
//! instructions, more than an addition itself. It is left out where that cannot be observed: where a value goes only
//! into operations that treat all NaNs alike.

use super::{Node, Record};
use crate::NAN;

/// How an operation uses a NaN in one of its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NanUse {
    /// The result does not depend on which NaN it is.
    None,
    /// It may become the result, unchanged: then its bits matter if those of the result do.
    Passes,
    /// Its bits decide what the result is.
    Observes,
}

/// The value that an operation makes canonical at its end, if that is how it ends.
pub fn canonical_operand(record: &Record) -> Option<usize> {
    match record.nodes.get(record.result) {
        Some(Node::WithNan(operand, NAN)) => Some(*operand),
        _ => None,
    }
}

/// How an operation uses a NaN in one of its arguments.
pub fn nan_use(record: &Record, argument: usize) -> NanUse {
    let mut uses: Vec<NanUse> = Vec::with_capacity(record.nodes.len());
    for node in &record.nodes {
        let of = |id: usize| uses[id];
        let worst = |ids: &[usize]| ids.iter().map(|&id| of(id)).max().unwrap_or(NanUse::None);
        // What was a NaN is some other NaN, or its bits have become the result's.
        let whole_bits =
            |ids: &[usize]| if worst(ids) == NanUse::None { NanUse::None } else { NanUse::Observes };
        // A comparison finds a NaN but does not see which.
        let compared =
            |ids: &[usize]| if worst(ids) == NanUse::Observes { NanUse::Observes } else { NanUse::None };
        uses.push(match *node {
            Node::Argument(index) if index == argument => NanUse::Passes,
            Node::Argument(_) | Node::Single(_) | Node::Double(_) => NanUse::None,
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
        Some(operand) if uses[operand] != NanUse::Observes => NanUse::None,
        _ => uses.get(record.result).copied().unwrap_or(NanUse::None),
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
            let recorded = record(|[a, b]| op.apply(a, b));
            assert_eq!([nan_use(&recorded, 0), nan_use(&recorded, 1)], expected, "{op:?}");
        }
        for (op, expected) in
            [(Op1::FSqrt, NanUse::None), (Op1::FNeg, NanUse::Passes), (Op1::FMantissa, NanUse::Observes)]
        {
            assert_eq!(nan_use(&record(|[a]| op.apply(a)), 0), expected, "{op:?}");
        }
        let select = record(|[a, b, c]| Op3::ISelect.apply(a, b, c));
        assert_eq!(
            [0, 1, 2].map(|index| nan_use(&select, index)),
            [NanUse::Observes, NanUse::Passes, NanUse::Passes]
        );
    }
}
