//! Functions without shuffles: what each component of each operand really is.

use gpuzoo_ir::{Function, Inst, ONE, Pick, Value};

/// One component of a value, seen through all shuffles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Lane {
    /// These bits.
    Bits(u32),
    /// A component of an instruction's result, or of an input or uniform; the instruction is no shuffle and no constant.
    Of(Value, u8),
}

/// The components of all values of a function.
///
/// ```
/// use gpuzoo_compile::graph::lanes::{Lane, Lanes};
/// use gpuzoo_ir::{Builder, Pick, Value};
///
/// let mut b = Builder::default();
/// let (x, y) = (b.input(0), b.floats([2.0; 4]));
/// let both = b.shuffle(x, y, [Pick::A(3), Pick::B(1), Pick::Zero, Pick::One]);
/// b.output(0, both);
/// let lanes = Lanes::new(&b.finish());
/// assert_eq!(lanes.of(both)[..2], [Lane::Of(Value(0), 3), Lane::Bits(2.0f32.to_bits())]);
/// ```
#[derive(Clone, Debug)]
pub struct Lanes(Vec<[Lane; 4]>);

impl Lanes {
    /// The components of a function's values.
    pub fn new(function: &Function) -> Lanes {
        let mut lanes: Vec<[Lane; 4]> = Vec::with_capacity(function.insts.len());
        for (value, inst) in (0..).zip(&function.insts) {
            let own = match inst {
                Inst::Const(bits) => bits.map(Lane::Bits),
                Inst::Shuffle([a, b], picks) => picks.map(|pick| match pick {
                    Pick::A(component) => lanes[a.index()][usize::from(component & 3)],
                    Pick::B(component) => lanes[b.index()][usize::from(component & 3)],
                    Pick::Zero => Lane::Bits(0),
                    Pick::One => Lane::Bits(ONE),
                }),
                _ => [0, 1, 2, 3].map(|component| Lane::Of(Value(value), component)),
            };
            lanes.push(own);
        }
        Lanes(lanes)
    }

    /// The components of a value.
    ///
    /// # Panics
    /// If the function has no such value.
    pub fn of(&self, value: Value) -> [Lane; 4] {
        self.0[value.index()]
    }
}
