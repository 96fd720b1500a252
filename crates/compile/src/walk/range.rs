//! What is known of numbers that are not known: whether they are whole, and whether they are not below 0.

use super::Walk;
use super::number::Number;
use gpuzoo_ir::{Inst, ONE, Op1, Op2, Op3, Pick, Value};
use gpuzoo_isa::Stage;
use gpuzoo_machine::target::conventions::Port;
use std::cell::Cell;

/// What is known of a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Range {
    /// It has no fraction.
    pub whole: bool,
    /// It is not below 0.
    pub positive: bool,
}

/// So many operations are looked at for a number: one may be reached in many ways, and each counts.
const MOST_LOOKED_AT: usize = 256;

impl Range {
    fn of(value: f32) -> Range {
        Range { whole: value.fract() == 0.0, positive: value >= 0.0 }
    }

    fn both(self, other: Range) -> Range {
        Range { whole: self.whole && other.whole, positive: self.positive && other.positive }
    }
}

impl Walk<'_> {
    /// What is known of some numbers, of all of them.
    pub(super) fn range(&self, numbers: &[Number]) -> Range {
        let all = Range { whole: true, positive: true };
        numbers.iter().fold(all, |all, number| all.both(self.range_of(*number)))
    }

    fn range_of(&self, number: Number) -> Range {
        match number {
            Number::Lane(value, component) => self.lane_range(value, component, &Cell::new(MOST_LOOKED_AT)),
            number => number.known().map_or(Range::default(), Range::of),
        }
    }

    fn lane_range(&self, value: Value, component: u8, left: &Cell<usize>) -> Range {
        let Some(less) = left.get().checked_sub(1) else { return Range::default() };
        left.set(less);
        let of = |value: Value| self.lane_range(value, component, left);
        let bits = |bits: u32| Range::of(f32::from_bits(bits));
        let (any, whole, positive) = (
            Range::default(),
            Range { whole: true, positive: false },
            Range { whole: false, positive: true },
        );
        let sum = |a: Range, b: Range| a.both(b);
        let product = |a: Value, b: Value| match (of(a), a == b) {
            (square, true) => Range { positive: true, ..square },
            (own, false) => own.both(of(b)),
        };
        match self.emit.function.insts[value.index()] {
            Inst::Const(all) => bits(all[usize::from(component & 3)]),
            Inst::Shuffle([a, b], picks) => match picks[usize::from(component & 3)] {
                Pick::A(from) => self.lane_range(a, from, left),
                Pick::B(from) => self.lane_range(b, from, left),
                Pick::Zero => bits(0),
                Pick::One => bits(ONE),
            },
            // The place of a fragment is in the picture.
            Inst::Input(number) => match self.inputs.get(usize::from(number)) {
                Some(input) if input.port == Port::Position && self.stage == Stage::Fragment => positive,
                _ => any,
            },
            Inst::Map1(op, a) => match op {
                Op1::FFloor => Range { whole: true, ..of(a) },
                Op1::FSign => Range { whole: true, ..of(a) },
                Op1::FAbs => Range { positive: true, ..of(a) },
                Op1::FNeg => Range { positive: false, ..of(a) },
                Op1::FSqrt | Op1::FExp | Op1::FExp2 => positive,
                _ => any,
            },
            Inst::Map2(op, [a, b]) => match op {
                Op2::FAdd => sum(of(a), of(b)),
                Op2::FSub => Range { positive: false, ..sum(of(a), of(b)) },
                Op2::FMul => product(a, b),
                Op2::FDiv => Range { whole: false, ..sum(of(a), of(b)) },
                Op2::FMin => sum(of(a), of(b)),
                Op2::FMax => Range { positive: of(a).positive || of(b).positive, ..sum(of(a), of(b)) },
                Op2::FSge | Op2::FSlt => Range { positive: true, ..whole },
                _ => any,
            },
            Inst::Map3(Op3::FMad, [a, b, c]) => product(a, b).both(of(c)),
            Inst::Map3(Op3::ISelect, [_, no, yes]) => of(no).both(of(yes)),
            _ => any,
        }
    }
}
