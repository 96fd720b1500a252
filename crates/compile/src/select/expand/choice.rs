//! Choices on machines without one: a sum in which the side that is not taken is 0.
//!
//! A product with the condition makes a finite side 0, and leaves NaN of an infinite one. So a side that may be
//! infinite or NaN is kept between bounds that are 0 where it is not taken, and the largest finite numbers where it
//! is.

use crate::select::bounds::{AllBounds, Choices};
use crate::select::expand::{Expander, Operation};
use gpuzoo_ir::{Function, Inst, Op2, Op3, Value, passes};

/// The numbers that a side of a choice may be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Reach {
    /// Finite ones.
    #[default]
    Finite,
    /// Finite ones, NaN, and infinities of one sign or both.
    Beyond { above: bool, below: bool },
}

/// The reaches of both sides of all choices of a function.
pub(super) struct Reaches<'a> {
    function: &'a Function,
    bounds: AllBounds,
    demand: Vec<u8>,
}

impl<'a> Reaches<'a> {
    pub(super) fn new(function: &'a Function) -> Reaches<'a> {
        Reaches {
            function,
            bounds: AllBounds::new(function, Choices::Finite),
            demand: passes::demand(function),
        }
    }

    /// The reaches of the sides of a choice, in its operands' order.
    pub(super) fn of(&self, at: usize) -> [Reach; 2] {
        match self.function.insts.get(at) {
            Some(Inst::Map3(Op3::ISelect, [_, no, yes])) => {
                [*no, *yes].map(|side| self.side(side, self.demand[at]))
            }
            _ => [Reach::Finite; 2],
        }
    }

    fn side(&self, side: Value, demand: u8) -> Reach {
        let components = || (0..4).filter(|component| demand >> component & 1 == 1);
        let bounds = || components().map(|component| self.bounds.of(side, component));
        if bounds().all(|bounds| bounds.is_finite()) {
            return Reach::Finite;
        }
        let (above, below) =
            (bounds().any(|bounds| bounds.high > 0.0), bounds().any(|bounds| bounds.low < 0.0));
        Reach::Beyond { above: above || !below, below }
    }
}

impl Expander<'_> {
    /// True if a choice can only be made by arithmetic on its sides.
    pub(super) fn chooses_by_products(&self) -> bool {
        !self.has(Operation::Three(Op3::ISelect)) && !self.has_integers()
    }

    /// The second side where a condition is 1, else the first.
    pub(super) fn choose(&mut self, condition: Value, [no, yes]: [Value; 2], reaches: [Reach; 2]) -> Value {
        if reaches[1] != Reach::Finite && self.known(no) == Some(0.0) {
            return self.taken(condition, yes, reaches[1]);
        }
        let other = self.one_less(condition);
        let there = self.taken(condition, yes, reaches[1]);
        if reaches[0] != Reach::Finite && self.known(yes) == Some(0.0) {
            return self.taken(other, no, reaches[0]);
        }
        let here = self.taken(other, no, reaches[0]);
        self.add(here, there)
    }

    /// A side where a condition is 1, else 0.
    fn taken(&mut self, condition: Value, side: Value, reach: Reach) -> Value {
        let Reach::Beyond { above, below } = reach else { return self.mul(condition, side) };
        let mut within = side;
        if below {
            let least = self.times(condition, -f32::MAX);
            within = self.b.map2(Op2::FMax, within, least);
        }
        if above {
            let most = self.times(condition, f32::MAX);
            within = self.b.map2(Op2::FMin, within, most);
        }
        within
    }
}
