//! A shader's function in operations that the machine's instructions do bit for bit.
//!
//! Only here anything becomes inexact: what [`expand`](crate::select::expand) says, and
//!
//! | of | becomes | difference |
//! |---|---|---|
//! | `fmax`, `fmin` | `fmax_strict`, `fmin_strict` | which of a number and a NaN |
//! | a ÷ b | a · (1 ÷ b), where there are reciprocals alone | relative 2⁻²³ |
//! | √a | 1 ÷ (1 ÷ √a), where there are reciprocal roots alone | relative 2⁻²²; that of \|a\| |
//! | `fpow` | the machine's own power ([`Sequence::stands_for`](gpuzoo_machine::target::sequence::Sequence::stands_for)) | zeros, ones, NaN |
//! | a · (1 ÷ b) | a ÷ b, where there are quotients | relative 2⁻²⁴, for the better |
//! | a · (1 ÷ √(a·a)) | a ÷ √(a·a), where one instruction does that | as the quotient |
//! | a sum of columns of a matrix, each times a number | in the order in which one instruction does that | order of the sum, sign of zeros |
//! | a dot product of three components | one of four, with zeros, where there are only those | sign of zeros |
//! | a = b in a choice | not -\|a - b\| below 0 | distances below 2⁻¹²⁶, infinities |
//! | `fsge` a 0 as a condition | not `fslt` a 0 | NaN |

use super::machine::Machine;
use super::rules::{Pattern, Rule};
use crate::graph::lanes::{Lane, Lanes};
use crate::select::expand::{Operation, expand};
use crate::shader::sampled;
use gpuzoo_ir::{Builder, Dot, Function, Inst, ONE, Op1, Op2, Op3, Pick, Value, passes};

/// Stands for roots that an instruction takes with what is around them, so that they are not expanded. No source has it.
const KEPT_ROOT: Op1 = Op1::FRsqTrunc;

/// What a machine's rules do with plain operands.
struct Does<'a>(&'a [Rule]);

impl Does<'_> {
    fn any(&self, is: impl Fn(&Pattern) -> bool) -> bool {
        self.0.iter().any(|rule| is(&rule.roots[0]))
    }

    fn one(&self, op: Op1) -> bool {
        let negates =
            || self.0.iter().any(|rule| rule.is_copy() && rule.sources.iter().any(|source| source.negate));
        self.any(|root| matches!(root, Pattern::One(own, a) if *own == op && is_leaf(a)))
            || op == Op1::FNeg && negates()
    }

    fn two(&self, op: Op2) -> bool {
        self.any(|root| matches!(root, Pattern::Two(own, both) if *own == op && both.iter().all(is_leaf)))
    }

    fn three(&self, op: Op3) -> bool {
        self.any(|root| matches!(root, Pattern::Three(own, all) if *own == op && all.iter().all(is_leaf)))
    }

    fn dot(&self, dot: Dot) -> bool {
        self.any(|root| matches!(root, Pattern::Dot(own, pairs) if *own == dot && pairs.iter().flatten().all(is_leaf)))
    }

    /// 1 ÷ a.
    fn reciprocal(&self) -> bool {
        self.any(|root| match root {
            Pattern::Two(Op2::FDiv, both) => both[0] == Pattern::Bits(ONE) && is_leaf(&both[1]),
            _ => false,
        })
    }

    /// 1 ÷ √|a|.
    fn reciprocal_root(&self) -> bool {
        self.any(|root| match root {
            Pattern::Two(Op2::FDiv, both) => {
                both[0] == Pattern::Bits(ONE)
                    && matches!(&both[1], Pattern::One(Op1::FSqrt, a) if matches!(**a, Pattern::One(Op1::FAbs, _)))
            }
            _ => false,
        })
    }

    /// a ÷ √(a·a), of all four components.
    fn normalizes(&self) -> bool {
        self.any(|root| match root {
            Pattern::Two(Op2::FDiv, both) => {
                is_leaf(&both[0])
                    && matches!(&both[1], Pattern::One(Op1::FSqrt, a) if matches!(**a, Pattern::Dot(Dot::Dot4, _)))
            }
            _ => false,
        })
    }

    /// A choice by the sign of a number.
    fn chooses_by_sign(&self) -> bool {
        self.any(|root| match root {
            Pattern::Three(Op3::ISelect, all) => {
                matches!(&all[0], Pattern::Two(Op2::FSlt, both) if is_leaf(&both[0]) && both[1] == Pattern::Bits(0))
            }
            _ => false,
        })
    }

    /// Products with something added whose sign can be flipped.
    fn negates_addends(&self) -> bool {
        self.0.iter().any(|rule| {
            let adds = matches!(&rule.roots[0], Pattern::Three(Op3::FMad, all) if all.iter().all(is_leaf));
            adds && rule.sources.iter().all(|source| source.negate)
        })
    }

    /// A matrix times a vector.
    fn multiplies_matrices(&self) -> bool {
        self.0.iter().any(|rule| rule.sources.iter().filter(|source| source.consecutive == 4).count() == 4)
    }
}

fn is_leaf(pattern: &Pattern) -> bool {
    matches!(pattern, Pattern::Leaf { .. })
}

/// The function of a shader in the machine's operations. Those that are left over are for [`cover`](super::cover) to refuse.
pub fn legal(machine: &Machine, function: &Function, fast_math: bool) -> Function {
    legalized(machine, function, fast_math, false)
}

/// The same function with choices that move bits, where the machine can only make them by arithmetic on both sides.
pub fn with_exact_choices(machine: &Machine, function: &Function, fast_math: bool) -> Function {
    legalized(machine, function, fast_math, true)
}

fn legalized(machine: &Machine, function: &Function, fast_math: bool, exact_choices: bool) -> Function {
    let does = Does(&machine.rules);
    let function = passes::optimize(&with_zeros(machine, &own_samples(machine, function)));
    let function = if does.multiplies_matrices() { matrices(&function) } else { function };
    let function = idioms(&function, &does, fast_math);
    let near = |op: Op2| machine.sequence.stands_for().iter().any(|(own, _)| *own == op.name());
    let has = |operation: Operation| match operation {
        Operation::One(KEPT_ROOT) => true,
        Operation::One(Op1::FSqrt) => does.one(Op1::FSqrt) || does.reciprocal_root(),
        Operation::One(op) => does.one(op),
        Operation::Two(op @ (Op2::FMax | Op2::FMin)) => does.two(op) || does.two(strict(op)),
        Operation::Two(Op2::FDiv) => does.two(Op2::FDiv) || does.reciprocal(),
        Operation::Two(op) => does.two(op) || near(op),
        Operation::Three(Op3::ISelect) => exact_choices || does.three(Op3::ISelect) || does.chooses_by_sign(),
        Operation::Three(op) => does.three(op),
    };
    let function = passes::optimize(&expand(&function, &has));
    // Nothing is folded any more: instructions are found by what they do with numbers, too.
    let function = passes::cse(&nearest(&function, machine, &does));
    passes::dead(&passes::shuffles(&function))
}

fn strict(op: Op2) -> Op2 {
    if op == Op2::FMax { Op2::FMaxStrict } else { Op2::FMinStrict }
}

/// A function while it is rewritten.
struct Rewriter {
    b: Builder,
    /// The new names of values.
    renamed: Vec<Value>,
}

impl Rewriter {
    fn inst(&self, value: Value) -> Inst {
        self.b.function().insts.get(value.index()).copied().unwrap_or(Inst::Const([0; 4]))
    }

    fn float(&mut self, value: f32) -> Value {
        self.b.floats([value; 4])
    }

    /// An operation on one value, done if the value is known.
    fn one(&mut self, op: Op1, a: Value) -> Value {
        match self.inst(a) {
            Inst::Const(bits) => self.b.constant(bits.map(|bits| op.eval(bits))),
            _ => self.b.map1(op, a),
        }
    }

    /// True for a value that is a number in all components.
    fn is(&self, value: Value, bits: u32) -> bool {
        self.inst(value) == Inst::Const([bits; 4])
    }

    /// The value whose sign is flipped, if it is that.
    fn negated(&self, value: Value) -> Option<Value> {
        match self.inst(value) {
            Inst::Map1(Op1::FNeg, a) => Some(a),
            _ => None,
        }
    }
}

/// Builds a function anew; `step` gives each instruction with its operands' new names.
fn rewrite(function: &Function, mut step: impl FnMut(&mut Rewriter, Inst) -> Value) -> Function {
    let mut rewriter = Rewriter { b: Builder::default(), renamed: Vec::with_capacity(function.insts.len()) };
    for (inst, origin) in function.insts.iter().zip(&function.origins) {
        rewriter.b.set_origin(*origin);
        let inst = inst.map_operands(|operand| rewriter.renamed[operand.index()]);
        let value = step(&mut rewriter, inst);
        rewriter.renamed.push(value);
    }
    for &(output, value) in &function.outputs {
        let value = rewriter.renamed[value.index()];
        rewriter.b.output(output, value);
    }
    rewriter.b.finish()
}

/// Texture reads by the machine's own numbers. Those that it does not have stay as they are, and no instruction is found for them.
fn own_samples(machine: &Machine, function: &Function) -> Function {
    rewrite(function, |r, inst| {
        let Inst::Sample(number, at) = inst else { return r.b.push(inst) };
        let own = sampled(number).and_then(|(sampling, unit)| machine.conventions.sample(sampling, unit));
        r.b.push(Inst::Sample(own.unwrap_or(u8::MAX), at))
    })
}

/// Components of inputs and uniforms that are not declared are zeros.
fn with_zeros(machine: &Machine, function: &Function) -> Function {
    rewrite(function, |r, inst| {
        let zeros = machine.given(inst).map_or(0, |given| given.zeros);
        let value = r.b.push(inst);
        let pick = |place: u8| if zeros >> place & 1 == 1 { Pick::Zero } else { Pick::A(place) };
        r.b.shuffle(value, value, [0, 1, 2, 3].map(pick))
    })
}

/// A choice that is known.
fn known_choice(r: &mut Rewriter, condition: Value, no: Value, yes: Value) -> Option<Value> {
    let Inst::Const(bits) = r.inst(condition) else { return None };
    let pick = |place: u8| if bits[usize::from(place)] == 0 { Pick::A(place) } else { Pick::B(place) };
    Some(r.b.shuffle(no, yes, [0, 1, 2, 3].map(pick)))
}

fn is_product(r: &Rewriter, value: Value) -> bool {
    matches!(r.inst(value), Inst::Map2(Op2::FMul, _))
}

/// What several operations do together, where an instruction does it at once.
fn idioms(function: &Function, does: &Does, fast_math: bool) -> Function {
    rewrite(function, |r, inst| match inst {
        // Sums with opposites are differences.
        Inst::Map2(Op2::FAdd, [a, b]) if does.two(Op2::FSub) && !does.negates_addends() => {
            match (r.negated(a), r.negated(b)) {
                (_, Some(b)) => r.b.map2(Op2::FSub, a, b),
                (Some(a), None) => r.b.map2(Op2::FSub, b, a),
                (None, None) => r.b.push(inst),
            }
        }
        // A product less something is a product and its opposite, where operands can be negated.
        Inst::Map2(Op2::FSub, [a, b]) if does.negates_addends() && is_product(r, a) => {
            let b = r.one(Op1::FNeg, b);
            r.b.map2(Op2::FAdd, a, b)
        }
        Inst::Map2(Op2::FSub, [a, b]) if does.negates_addends() && is_product(r, b) => {
            let Inst::Map2(_, [x, y]) = r.inst(b) else { return r.b.push(inst) };
            let x = r.one(Op1::FNeg, x);
            r.b.map3(Op3::FMad, x, y, a)
        }
        Inst::Map2(Op2::FSub, [a, b]) if r.negated(b).is_some() => {
            let b = r.negated(b).unwrap_or(b);
            r.b.map2(Op2::FAdd, a, b)
        }
        Inst::Map3(Op3::ISelect, [a, b, c]) if does.chooses_by_sign() && does.one(Op1::FAbs) => {
            let known = known_choice(r, a, b, c);
            known.or_else(|| apart(r, a, b, c)).unwrap_or_else(|| r.b.push(inst))
        }
        Inst::Map3(Op3::ISelect, [a, b, c]) => known_choice(r, a, b, c).unwrap_or_else(|| r.b.push(inst)),
        Inst::Map3(Op3::FMad, [a, b, c]) if !does.three(Op3::FMad) && r.negated(c).is_some() => {
            let c = r.negated(c).unwrap_or(c);
            let product = r.b.map2(Op2::FMul, a, b);
            r.b.map2(Op2::FSub, product, c)
        }
        Inst::Map2(Op2::FMul, [a, b]) if does.normalizes() => {
            normalized(r, a, b).or_else(|| normalized(r, b, a)).unwrap_or_else(|| divided(r, a, b, inst))
        }
        Inst::Map2(Op2::FMul, [a, b]) if does.two(Op2::FDiv) => divided(r, a, b, inst),
        Inst::Map3(Op3::FMad, [t, way, from]) if fast_math => {
            mixed(r, does, t, way, from).unwrap_or_else(|| r.b.push(inst))
        }
        _ => r.b.push(inst),
    })
}

/// A choice by whether two numbers are equal, by the sign of the distance that they have.
fn apart(r: &mut Rewriter, condition: Value, no: Value, yes: Value) -> Option<Value> {
    let Inst::Map2(Op2::FMul, [one, other]) = r.inst(condition) else { return None };
    let (Inst::Map2(Op2::FSge, [a, b]), Inst::Map2(Op2::FSge, both)) = (r.inst(one), r.inst(other)) else {
        return None;
    };
    if both != [b, a] {
        return None;
    }
    let difference = r.b.map2(Op2::FSub, a, b);
    let distance = r.b.map1(Op1::FAbs, difference);
    let (below, zero) = (r.b.map1(Op1::FNeg, distance), r.float(0.0));
    let is_apart = r.b.map2(Op2::FSlt, below, zero);
    Some(r.b.map3(Op3::ISelect, is_apart, yes, no))
}

/// a + t (b - a), which an instruction may do as t b + (1 - t) a.
fn mixed(r: &mut Rewriter, does: &Does, t: Value, way: Value, from: Value) -> Option<Value> {
    let mixes = does.any(|root| matches!(root, Pattern::Two(Op2::FAdd, both) if matches!(&both[1], Pattern::Two(Op2::FMul, rest) if matches!(rest[0], Pattern::Two(Op2::FSub, _)))));
    let Inst::Map2(Op2::FSub, [to, start]) = r.inst(way) else { return None };
    if !mixes || start != from {
        return None;
    }
    let one = r.float(1.0);
    let rest = r.b.map2(Op2::FSub, one, t);
    let (near, far) = (r.b.map2(Op2::FMul, t, to), r.b.map2(Op2::FMul, rest, from));
    Some(r.b.map2(Op2::FAdd, near, far))
}

/// A product with one over something, as a quotient; else the instruction as it is.
fn divided(r: &mut Rewriter, a: Value, b: Value, inst: Inst) -> Value {
    let below = |r: &mut Rewriter, scale: Value| {
        let (scale, picks) = match r.inst(scale) {
            Inst::Shuffle([scale, _], picks) if picks.iter().all(|pick| matches!(pick, Pick::A(_))) => {
                (scale, Some(picks))
            }
            _ => (scale, None),
        };
        match r.inst(scale) {
            Inst::Map2(Op2::FDiv, [one, below]) if r.is(one, ONE) => {
                Some(picks.map_or(below, |picks| r.b.shuffle(below, below, picks)))
            }
            _ => None,
        }
    };
    if let Some(below) = below(r, b) {
        return r.b.map2(Op2::FDiv, a, below);
    }
    match below(r, a) {
        Some(below) => r.b.map2(Op2::FDiv, b, below),
        None => r.b.push(inst),
    }
}

/// a times one over the root of its square.
fn normalized(r: &mut Rewriter, a: Value, scale: Value) -> Option<Value> {
    // The scale is one number for all components.
    let scale = match r.inst(scale) {
        Inst::Shuffle([scale, _], picks) if picks.iter().all(|pick| matches!(pick, Pick::A(_))) => scale,
        _ => scale,
    };
    let Inst::Map2(Op2::FDiv, [one, root]) = r.inst(scale) else { return None };
    let Inst::Map1(Op1::FSqrt, square) = r.inst(root) else { return None };
    let Inst::Dot(dot, [x, y]) = r.inst(square) else { return None };
    let lanes = Lanes::new(r.b.function());
    let [x, y, own] = [x, y, a].map(|value| lanes.of(value));
    let count = if dot == Dot::Dot3 { 3 } else { 4 };
    let is_own = x[..count] == y[..count] && x[..count] == own[..count];
    if !r.is(one, ONE) || !matches!(dot, Dot::Dot3 | Dot::Dot4) || !is_own {
        return None;
    }
    let whole =
        if count == 3 { r.b.shuffle(a, a, [Pick::A(0), Pick::A(1), Pick::A(2), Pick::Zero]) } else { a };
    let square = r.b.dot(Dot::Dot4, whole, whole);
    let root = r.b.map1(KEPT_ROOT, square);
    Some(r.b.map2(Op2::FDiv, whole, root))
}

/// What is left in the operations that instructions do exactly.
fn nearest(function: &Function, machine: &Machine, does: &Does) -> Function {
    rewrite(function, |r, inst| match inst {
        Inst::Map1(KEPT_ROOT, a) => r.b.map1(Op1::FSqrt, a),
        Inst::Map2(op @ (Op2::FMax | Op2::FMin), [a, b]) if !does.two(op) => r.b.map2(strict(op), a, b),
        Inst::Map2(Op2::FDiv, [a, b]) if !does.two(Op2::FDiv) => quotient(r, does, a, b),
        Inst::Map1(Op1::FSqrt, a) if !does.one(Op1::FSqrt) && does.reciprocal_root() => {
            let root = one_over_root(r, a);
            one_over(r, root)
        }
        Inst::Map2(op, [a, b]) if !does.two(op) => {
            let stands = machine.sequence.stands_for().iter().find(|(own, _)| *own == op.name());
            let rule = stands.and_then(|(_, name)| machine.rules.iter().find(|rule| rule.op.name == *name));
            match rule {
                Some(rule) => written_out(r, &rule.roots[0], &[a, b]),
                None => r.b.push(inst),
            }
        }
        Inst::Map3(Op3::ISelect, [condition, no, yes])
            if !does.three(Op3::ISelect) && does.chooses_by_sign() =>
        {
            known_choice(r, condition, no, yes).unwrap_or_else(|| choice(r, condition, no, yes))
        }
        Inst::Dot(Dot::Dot3, [a, b]) if !does.dot(Dot::Dot3) && does.dot(Dot::Dot4) => {
            let [a, b] = [a, b].map(|value| {
                let picks = [Pick::A(0), Pick::A(1), Pick::A(2), Pick::Zero];
                r.b.shuffle(value, value, picks)
            });
            r.b.dot(Dot::Dot4, a, b)
        }
        _ => r.b.push(inst),
    })
}

fn one_over(r: &mut Rewriter, a: Value) -> Value {
    if let Inst::Const(bits) = r.inst(a) {
        return r.b.constant(bits.map(|bits| Op2::FDiv.eval(ONE, bits)));
    }
    let one = r.float(1.0);
    r.b.map2(Op2::FDiv, one, a)
}

/// 1 ÷ √|a|.
fn one_over_root(r: &mut Rewriter, a: Value) -> Value {
    let size = r.one(Op1::FAbs, a);
    let root = r.one(Op1::FSqrt, size);
    one_over(r, root)
}

fn quotient(r: &mut Rewriter, does: &Does, a: Value, b: Value) -> Value {
    // A root has become 1 ÷ (1 ÷ √|x|): the quotient needs the inner one alone.
    let inner = match r.inst(b) {
        Inst::Map2(Op2::FDiv, [one, inner]) if does.reciprocal_root() && r.is(one, ONE) => {
            let is_root = matches!(r.inst(inner), Inst::Map2(Op2::FDiv, [one, root]) if r.is(one, ONE) && matches!(r.inst(root), Inst::Map1(Op1::FSqrt, _)));
            is_root.then_some(inner)
        }
        _ => None,
    };
    let reciprocal = match inner {
        Some(inner) => inner,
        None => one_over(r, b),
    };
    if r.is(a, ONE) { reciprocal } else { r.b.map2(Op2::FMul, a, reciprocal) }
}

/// `yes` where the condition is 1, else `no`, by the sign of a number.
fn choice(r: &mut Rewriter, condition: Value, no: Value, yes: Value) -> Value {
    let zero = r.b.constant([0; 4]);
    let is_zero = |r: &Rewriter, value: Value| r.is(value, 0);
    let (below, no, yes) = match r.inst(condition) {
        Inst::Map2(Op2::FSlt, [a, b]) if is_zero(r, b) => (a, no, yes),
        Inst::Map2(Op2::FSlt, [a, b]) if is_zero(r, a) => (r.one(Op1::FNeg, b), no, yes),
        Inst::Map2(Op2::FSge, [a, b]) if is_zero(r, b) => (a, yes, no),
        Inst::Map2(Op2::FSge, [a, b]) if is_zero(r, a) => (r.one(Op1::FNeg, b), yes, no),
        _ => (r.one(Op1::FNeg, condition), no, yes),
    };
    let below = r.b.map2(Op2::FSlt, below, zero);
    r.b.map3(Op3::ISelect, below, no, yes)
}

/// What a pattern computes from sources of which it reads one component each, the same at every place.
fn written_out(r: &mut Rewriter, pattern: &Pattern, sources: &[Value]) -> Value {
    match pattern {
        Pattern::Leaf { source, .. } => sources.get(*source).copied().unwrap_or(Value(0)),
        Pattern::Bits(bits) => r.b.constant([*bits; 4]),
        Pattern::One(op, a) => {
            let a = written_out(r, a, sources);
            r.b.map1(*op, a)
        }
        Pattern::Two(op, both) => {
            let [a, b] = both.each_ref().map(|part| written_out(r, part, sources));
            r.b.map2(*op, a, b)
        }
        Pattern::Three(op, all) => {
            let [a, b, c] = all.each_ref().map(|part| written_out(r, part, sources));
            r.b.map3(*op, a, b, c)
        }
        // No operation on single numbers is one of these.
        Pattern::Dot(..) | Pattern::Texel(..) => Value(0),
    }
}

/// A column of a matrix and the number that it is times.
#[derive(Clone, Copy, Debug)]
struct Term {
    column: Value,
    factor: Option<Lane>,
}

/// Sums of columns times numbers, from the last column to the first.
fn matrices(function: &Function) -> Function {
    // What is a part of a longer sum is not looked at by itself.
    let mut parts = vec![false; function.insts.len()];
    for inst in &function.insts {
        let addends = match inst {
            Inst::Map3(Op3::FMad, [_, _, c]) => [*c, *c],
            Inst::Map2(Op2::FAdd, both) => *both,
            _ => continue,
        };
        addends.into_iter().for_each(|value| parts[value.index()] = true);
    }
    rewrite(function, |r, inst| {
        let is_part = parts.get(r.renamed.len()) == Some(&true);
        let value = r.b.push(inst);
        if is_part || !matches!(inst, Inst::Map3(Op3::FMad, _) | Inst::Map2(Op2::FAdd, _)) {
            return value;
        }
        let lanes = Lanes::new(r.b.function());
        let Some(terms) = terms(r, &lanes, value, 4) else { return value };
        let products = terms.iter().filter(|term| matches!(term.factor, Some(Lane::Of(..)))).count();
        if products < 3 {
            return value;
        }
        in_order(r, terms)
    })
}

/// The terms of a sum, if all are a uniform times a number.
fn terms(r: &Rewriter, lanes: &Lanes, value: Value, most: usize) -> Option<Vec<Term>> {
    let is_column = |value: Value| matches!(r.inst(value), Inst::Uniform(_));
    let product = |a: Value, b: Value| {
        [(a, b), (b, a)].into_iter().find_map(|(column, factor)| {
            let factors = lanes.of(factor);
            let one = factors.iter().all(|own| *own == factors[0]);
            (is_column(column) && one).then_some(Term { column, factor: Some(factors[0]) })
        })
    };
    if most == 0 {
        return None;
    }
    let with = |term: Term, rest: Value| {
        let mut all = terms(r, lanes, rest, most - 1)?;
        all.push(term);
        Some(all)
    };
    match r.inst(value) {
        Inst::Map3(Op3::FMad, [a, b, c]) => with(product(a, b)?, c),
        Inst::Map2(Op2::FMul, [a, b]) => Some(vec![product(a, b)?]),
        Inst::Map2(Op2::FAdd, [a, b]) => [(a, b), (b, a)].into_iter().find_map(|(a, b)| {
            let own = match r.inst(a) {
                Inst::Map2(Op2::FMul, [x, y]) => product(x, y),
                _ => is_column(a).then_some(Term { column: a, factor: None }),
            };
            with(own?, b)
        }),
        _ => is_column(value).then(|| vec![Term { column: value, factor: None }]),
    }
}

/// The sum of the terms, each at the place of its factor's component, from w to x.
fn in_order(r: &mut Rewriter, terms: Vec<Term>) -> Value {
    let mut places: [Option<Term>; 4] = [None; 4];
    let mut others = Vec::new();
    for term in terms {
        let place = match term.factor {
            Some(Lane::Of(_, component)) => usize::from(component & 3),
            _ => 3,
        };
        if places[place].is_none() { places[place] = Some(term) } else { others.push(term) }
    }
    for term in others {
        if let Some(free) = places.iter_mut().rev().find(|place| place.is_none()) {
            *free = Some(term);
        }
    }
    let mut sum = r.b.constant([0; 4]);
    for (number, term) in places.iter().rev().enumerate() {
        let Some(Term { column, factor }) = *term else { continue };
        let factor = factor.map(|factor| match factor {
            Lane::Bits(bits) => r.b.constant([bits; 4]),
            Lane::Of(value, component) => r.b.swizzle(value, [component; 4]),
        });
        sum = match (number, factor) {
            (0, None) => column,
            (0, Some(factor)) => r.b.map2(Op2::FMul, column, factor),
            (_, None) => r.b.map2(Op2::FAdd, column, sum),
            (_, Some(factor)) => r.b.map3(Op3::FMad, column, factor, sum),
        };
    }
    sum
}
