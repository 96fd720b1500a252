//! The types of values: registers hold bits, and the instruction that wrote them says whether these are floats or
//! integers.

use crate::isa::Isa;
use crate::lowered::Lowered;
use crate::operand::{Mask, Reg};
use gpuzoo_ir::{Function, Inst, Op3, Pick, Value};

/// The type of a component, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Type {
    /// Bits that nothing has computed: an input, a constant, 0.
    Open,
    Float,
    Integer,
}

impl Type {
    /// The type of something that is one of two values.
    fn or(self, other: Type) -> Type {
        match (self, other) {
            (Type::Open, other) => other,
            (own, Type::Open) => own,
            (own, other) if own == other => own,
            _ => Type::Float,
        }
    }
}

/// True if an operation computes with integers.
fn is_integer(inst: &Inst) -> bool {
    match inst {
        Inst::Map1(op, _) => op.name().starts_with('i'),
        Inst::Map2(op, _) => op.name().starts_with('i'),
        _ => false,
    }
}

/// For each value of a function the operations that its components are used by, through moves: floats in the first
/// mask, integers in the
/// second.
fn uses(function: &Function) -> Vec<[u8; 2]> {
    const ALL: u8 = 0b1111;
    let mut uses = vec![[0; 2]; function.insts.len()];
    for (index, inst) in function.insts.iter().enumerate().rev() {
        let [floats, integers] = uses[index];
        let mut add = |value: Value, kind: usize, mask: u8| uses[value.index()][kind] |= mask;
        match *inst {
            Inst::Const(_) | Inst::Input(_) | Inst::Uniform(_) => {}
            Inst::UniformAt { index, .. } => add(index, 1, 1),
            // Truncation takes a float.
            Inst::Map1(op, a) => add(a, usize::from(op.name() == "ineg"), ALL),
            Inst::Map2(_, values) => {
                values.into_iter().for_each(|value| add(value, usize::from(is_integer(inst)), ALL))
            }
            Inst::Map3(Op3::ISelect, [_, b, c]) => [b, c].into_iter().for_each(|value| {
                add(value, 0, floats);
                add(value, 1, integers);
            }),
            Inst::Map3(_, values) => values.into_iter().for_each(|value| add(value, 0, ALL)),
            Inst::Dot(dot, values) => values.into_iter().for_each(|value| add(value, 0, dot.mask())),
            Inst::Shuffle([a, b], picks) => {
                for (component, pick) in picks.into_iter().enumerate() {
                    let (value, from) = match pick {
                        Pick::A(from) => (a, from & 3),
                        Pick::B(from) => (b, from & 3),
                        Pick::Zero | Pick::One => continue,
                    };
                    add(value, 0, (floats >> component & 1) << from);
                    add(value, 1, (integers >> component & 1) << from);
                }
            }
            Inst::Sample(_, at) => add(at, 0, ALL),
            Inst::Kill(a) => add(a, 0, ALL),
        }
    }
    uses
}

impl Lowered {
    /// For each value of the function the components that are integers; the others are floats.
    ///
    /// A component is what the operation computes that made it, through moves; a literal is what the instruction says
    /// that has it. What
    /// nothing computes, such as an input, is an integer if only operations on integers use it.
    pub fn integers(&self) -> Vec<Mask> {
        let uses = uses(&self.function);
        let mut types: Vec<[Type; 4]> = Vec::with_capacity(self.function.insts.len());
        for (index, inst) in self.function.insts.iter().enumerate() {
            let of = |value: Value| types.get(value.index()).copied().unwrap_or([Type::Open; 4]);
            let literal = self.integer_literals.binary_search_by_key(&index, |(value, _)| value.index());
            let literal = literal.ok().map(|at| self.integer_literals[at]);
            let own = match *inst {
                Inst::Map1(..) | Inst::Map2(..) => {
                    [if is_integer(inst) { Type::Integer } else { Type::Float }; 4]
                }
                Inst::Map3(Op3::ISelect, [_, b, c]) => {
                    let (b, c) = (of(b), of(c));
                    [0, 1, 2, 3].map(|at| b[at].or(c[at]))
                }
                Inst::Map3(..) | Inst::Dot(..) | Inst::Sample(..) => [Type::Float; 4],
                Inst::Kill(a) => of(a),
                Inst::Shuffle([a, b], picks) => {
                    let (a, b) = (of(a), of(b));
                    picks.map(|pick| match pick {
                        Pick::A(from) => a[usize::from(from & 3)],
                        Pick::B(from) => b[usize::from(from & 3)],
                        Pick::Zero => Type::Open,
                        Pick::One => Type::Float,
                    })
                }
                Inst::Const(_) | Inst::Input(_) | Inst::Uniform(_) | Inst::UniformAt { .. } => {
                    let [floats, integers] = uses[index];
                    [0, 1, 2, 3].map(|at| match (literal, floats >> at & 1, integers >> at & 1) {
                        (Some((_, mask)), ..) if mask.has(at) => Type::Integer,
                        (_, 0, 1) => Type::Integer,
                        (_, 1, _) => Type::Float,
                        _ => Type::Open,
                    })
                }
            };
            types.push(own);
        }
        let integers = |own: &[Type; 4]| {
            let is_integer = |at: &usize| own[*at] == Type::Integer;
            Mask((0..4).filter(is_integer).fold(0, |mask, at| mask | 1 << at))
        };
        types.iter().map(integers).collect()
    }
}

impl Isa {
    /// The components that a register has.
    pub fn components(&self, reg: Reg) -> Mask {
        if self.file(reg).integer { Mask(0b0001) } else { Mask::ALL }
    }

    /// The components of a register that are integers, of those of the value that it holds.
    pub fn integers(&self, reg: Reg, of_value: Mask) -> Mask {
        if self.file(reg).integer { Mask::ALL } else { of_value }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpuzoo_ir::{Builder, Op1, Op2};

    fn integers(build: impl FnOnce(&mut Builder) -> Vec<Value>) -> Vec<String> {
        let mut b = Builder::default();
        let values = build(&mut b);
        let lowered = Lowered { function: b.finish(), ..Lowered::default() };
        let all = lowered.integers();
        values.into_iter().map(|value| all[value.index()].to_string()).collect()
    }

    #[test]
    fn operations_and_moves_decide() {
        let found = integers(|b| {
            let (float, other) = (b.input(0), b.input(1));
            let sum = b.map2(Op2::FAdd, float, other);
            let whole = b.map1(Op1::ITrunc, sum);
            let mixed = b.shuffle(sum, whole, [Pick::A(0), Pick::B(1), Pick::Zero, Pick::B(3)]);
            let moved = b.swizzle(mixed, [3, 3, 0, 2]);
            vec![float, sum, whole, mixed, moved]
        });
        assert_eq!(found, ["", "", "xyzw", "yw", "xy"]);
    }

    /// A leaf that only integer operations use is one; one that both use is not, nor is one that is only moved.
    #[test]
    fn leaves_are_what_they_are_used_as() {
        let found = integers(|b| {
            let (counter, both, moved) = (b.input(0), b.uniform(1), b.constant([5; 4]));
            let x = b.swizzle(counter, [0; 4]);
            let product = b.map2(Op2::IMul, x, both);
            let scaled = b.map2(Op2::FMul, both, moved);
            let alone = b.constant([7; 4]);
            vec![counter, both, product, scaled, alone]
        });
        assert_eq!(found, ["x", "", "xyzw", "", ""]);
    }

    /// A choice between an integer and what is open is an integer; the selector is only bits.
    #[test]
    fn choices_have_the_type_of_their_values() {
        let found = integers(|b| {
            let (a, selector) = (b.input(0), b.uniform(0));
            let (one, zero) = (b.map1(Op1::INeg, a), b.constant([0; 4]));
            let chosen = b.map3(Op3::ISelect, selector, one, zero);
            let float = b.map1(Op1::FSqrt, a);
            let mixed = b.map3(Op3::ISelect, selector, one, float);
            vec![chosen, mixed, selector]
        });
        assert_eq!(found, ["xyzw", "", ""]);
    }
}
