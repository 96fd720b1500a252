//! Building functions.

use crate::function::{Function, Inst, Origin, Pick, Value};
use crate::op::{Dot, Op1, Op2, Op3};
use crate::vec4::{Vec4, vec4};

/// Appends instructions to a [`Function`].
///
/// ```
/// use gpuzoo_ir::{Builder, Op2, eval, vec4};
///
/// let mut b = Builder::default();
/// let (x, y) = (b.input(0), b.uniform(0));
/// let sum = b.map2(Op2::FAdd, x, y);
/// b.output(0, sum);
/// let f = b.finish();
/// let out = eval::outputs(&f, &[vec4([1.0; 4])], &[vec4([2.0; 4])]);
/// assert_eq!(out, [vec4([3.0; 4])]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Builder {
    function: Function,
    origin: Origin,
}

impl Builder {
    /// Says which machine instruction the next IR instructions come from.
    pub fn set_origin(&mut self, origin: Origin) {
        self.origin = origin;
    }

    /// Appends an instruction.
    pub fn push(&mut self, inst: Inst) -> Value {
        self.function.insts.push(inst);
        self.function.origins.push(self.origin);
        Value(self.function.insts.len() as u32 - 1)
    }

    /// A constant, given as bits.
    pub fn constant(&mut self, bits: Vec4) -> Value {
        self.push(Inst::Const(bits))
    }

    /// A constant, given as floats.
    pub fn floats(&mut self, components: [f32; 4]) -> Value {
        self.constant(vec4(components))
    }

    /// Input number `index`.
    pub fn input(&mut self, index: u16) -> Value {
        self.push(Inst::Input(index))
    }

    /// Uniform number `index`.
    pub fn uniform(&mut self, index: u16) -> Value {
        self.push(Inst::Uniform(index))
    }

    /// A component-wise operation on one value.
    pub fn map1(&mut self, op: Op1, a: Value) -> Value {
        self.push(Inst::Map1(op, a))
    }

    /// A component-wise operation on two values.
    pub fn map2(&mut self, op: Op2, a: Value, b: Value) -> Value {
        self.push(Inst::Map2(op, [a, b]))
    }

    /// A component-wise operation on three values.
    pub fn map3(&mut self, op: Op3, a: Value, b: Value, c: Value) -> Value {
        self.push(Inst::Map3(op, [a, b, c]))
    }

    /// A dot product in all four components.
    pub fn dot(&mut self, dot: Dot, a: Value, b: Value) -> Value {
        self.push(Inst::Dot(dot, [a, b]))
    }

    /// A shuffle of two values; shuffles that change nothing give `a` itself.
    pub fn shuffle(&mut self, a: Value, b: Value, picks: [Pick; 4]) -> Value {
        if picks == [Pick::A(0), Pick::A(1), Pick::A(2), Pick::A(3)] {
            return a;
        }
        if picks == [Pick::B(0), Pick::B(1), Pick::B(2), Pick::B(3)] {
            return b;
        }
        self.push(Inst::Shuffle([a, b], picks))
    }

    /// The components of `a` in another order: `swizzle(a, [2, 2, 0, 1])` is `a.zzxy`.
    pub fn swizzle(&mut self, a: Value, components: [u8; 4]) -> Value {
        self.shuffle(a, a, components.map(Pick::A))
    }

    /// `new` in the components whose bit of `mask` is set (bit 0 is x), `old` in the others.
    pub fn merge(&mut self, old: Value, new: Value, mask: u8) -> Value {
        let picks = [0, 1, 2, 3].map(|component| {
            if mask >> component & 1 == 1 { Pick::B(component) } else { Pick::A(component) }
        });
        self.shuffle(old, new, picks)
    }

    /// Sets an output; the last value set counts.
    pub fn output(&mut self, index: u16, value: Value) {
        match self.function.outputs.binary_search_by_key(&index, |output| output.0) {
            Ok(at) => self.function.outputs[at].1 = value,
            Err(at) => self.function.outputs.insert(at, (index, value)),
        }
    }

    /// The function built so far.
    pub fn function(&self) -> &Function {
        &self.function
    }

    /// The finished function.
    pub fn finish(self) -> Function {
        self.function
    }
}
