//! From a function to the terms of a machine with MAC and ILU: which instructions compute what.

use super::terms::{Made, Operand, Term, Terms};
use crate::graph::lanes::{Lane, Lanes};
use crate::select::bounds::{AllBounds, Choices};
use gpuzoo_ir::{Dot, Function, Inst, Op1, Op2, Op3, Value};
use gpuzoo_isa::Reg;

/// What selection can choose.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// Sums are taken in another order, and choices in ways that are only right for finite numbers.
    pub fast_math: bool,
    /// Highlights are one `lit`.
    pub lit: bool,
}

/// Where the function's inputs and uniforms are.
pub struct Places<'a> {
    /// The register of an input.
    pub input: &'a dyn Fn(u16) -> Reg,
    /// The register of a uniform.
    pub uniform: &'a dyn Fn(u16) -> Reg,
}

/// An operation that cannot be selected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Absent(pub Value);

/// Terms, and for each output what its components are.
pub type Selected = (Terms, Vec<[Option<Operand>; 4]>);

/// The depth to which operations are looked at for the sign of a number.
const DEEPEST: usize = 6;

/// Any number times this is beyond 1.
const FAR: f32 = 1e38;

/// The greatest power of `lit`.
const LIT_POWER: f32 = 127.0;

/// The terms of the outputs' components, as the function's outputs are numbered. `wanted` says which components of an output are.
///
/// # Errors
/// The first instruction for which there is none.
pub fn select(
    function: &Function,
    wanted: &dyn Fn(u16) -> u8,
    places: &Places,
    choice: Choice,
) -> Result<Selected, Absent> {
    let lanes = Lanes::new(function);
    let mut demand = vec![0u8; function.insts.len()];
    for &(output, value) in &function.outputs {
        demand[value.index()] |= wanted(output);
    }
    for (at, inst) in function.insts.iter().enumerate().rev() {
        inst.reads(demand[at], |operand, mask| demand[operand.index()] |= mask);
    }
    let mut select = Select {
        bounds: choice.fast_math.then(|| AllBounds::new(function, Choices::Exact)),
        lanes,
        places,
        choice,
        terms: Terms::default(),
        values: vec![[None; 4]; function.insts.len()],
        now: Made { inst: 0, role: 0, lane: 0 },
        is_alone: false,
        uses: Vec::new(),
        roles: Vec::new(),
    };
    for (at, inst) in function.insts.iter().enumerate() {
        let value = Value(at as u32);
        select.is_alone = demand[at].count_ones() == 1;
        for lane in (0..4).filter(|lane| demand[at] >> lane & 1 == 1) {
            (select.now, select.roles) = (Made { inst: value.0, role: 0, lane }, Vec::new());
            let term = match inst {
                Inst::Const(_) | Inst::Shuffle(..) => continue,
                inst => select.inst(inst, lane).ok_or(Absent(value))?,
            };
            select.values[at][usize::from(lane)] = Some(term);
        }
    }
    let mut outputs = Vec::new();
    for (place, &(output, value)) in function.outputs.iter().enumerate() {
        let mut all = [None; 4];
        for lane in (0..4u8).filter(|lane| wanted(output) >> lane & 1 == 1) {
            select.now = Made { inst: (function.insts.len() + place) as u32, role: 0, lane };
            all[usize::from(lane)] = Some(select.lane(value, lane).ok_or(Absent(value))?);
        }
        outputs.push(all);
    }
    Ok((select.terms, outputs))
}

struct Select<'a> {
    lanes: Lanes,
    /// Bounds of all results, if choices may be made in ways that are only right for finite numbers.
    bounds: Option<AllBounds>,
    places: &'a Places<'a>,
    choice: Choice,
    terms: Terms,
    values: Vec<[Option<Operand>; 4]>,
    now: Made,
    /// True if only one component of the instruction at hand is needed.
    is_alone: bool,
    /// For each term how many results read it.
    uses: Vec<u32>,
    /// How many terms of each name the component at hand has.
    roles: Vec<(&'static str, u32)>,
}

impl Select<'_> {
    /// A component of a value.
    fn lane(&mut self, value: Value, component: u8) -> Option<Operand> {
        match self.lanes.of(value)[usize::from(component)] {
            Lane::Bits(bits) => Some(self.bits(bits)),
            Lane::Of(value, component) => self.values[value.index()][usize::from(component)],
        }
    }

    fn bits(&mut self, bits: u32) -> Operand {
        self.terms.add(Term::Bits(bits), self.now)
    }

    fn float(&mut self, value: f32) -> Operand {
        self.bits(value.to_bits())
    }

    fn is(&self, operand: Operand, value: f32) -> bool {
        self.terms.known(operand) == Some(value)
    }

    /// A component of an instruction's result.
    fn result(&mut self, name: &'static str, component: u8, from: &[Operand]) -> Operand {
        let role = match self.roles.iter_mut().find(|(own, _)| *own == name) {
            Some((_, count)) => {
                *count += 1;
                *count - 1
            }
            None => {
                self.roles.push((name, 1));
                0
            }
        };
        let term = Term::Result { name, component, from: from.to_vec(), copy: 0 };
        let count = self.terms.len();
        let made = self.terms.add(term, Made { role, ..self.now });
        if made.id == count {
            self.uses.resize(count + 1, 0);
            from.iter().for_each(|operand| self.uses[operand.id] += 1);
        }
        made
    }

    /// How many results read a term so far.
    fn uses(&self, operand: Operand) -> u32 {
        self.uses.get(operand.id).copied().unwrap_or(0)
    }

    fn inst(&mut self, inst: &Inst, lane: u8) -> Option<Operand> {
        match *inst {
            Inst::Input(number) => {
                Some(self.terms.add(Term::Input((self.places.input)(number), lane), self.now))
            }
            Inst::Uniform(number) => {
                Some(self.terms.add(Term::Constant((self.places.uniform)(number), lane), self.now))
            }
            Inst::UniformAt { index, base, .. } => self.relative(index, base, lane),
            Inst::Map1(op, a) => {
                // An index is what an index is taken from.
                let a = self.lane(a, lane)?;
                self.one(op, a)
            }
            Inst::Map2(op, [a, b]) => {
                let (a, b) = (self.lane(a, lane)?, self.lane(b, lane)?);
                self.two(op, a, b)
            }
            Inst::Map3(op, [a, b, c]) => {
                let is_finite = self.bounds.as_ref().is_some_and(|bounds| bounds.of(b, lane).is_finite());
                let (a, b, c) = (self.lane(a, lane)?, self.lane(b, lane)?, self.lane(c, lane)?);
                match op {
                    Op3::FMad => {
                        let product = self.mul(a, b);
                        Some(self.sum(product, c, true))
                    }
                    Op3::ISelect => Some(self.choose(a, b, c, is_finite)),
                    _ => None,
                }
            }
            Inst::Dot(dot, values) => self.dot(dot, values),
            _ => None,
        }
    }

    fn one(&mut self, op: Op1, a: Operand) -> Option<Operand> {
        Some(match op {
            Op1::FNeg => a.flipped(),
            // In this order +0 stays +0.
            Op1::FAbs => self.result("max", 0, &[a.flipped(), a]),
            Op1::FSqrt => {
                let root = self.result("rsq", 0, &[a]);
                // One number is left to the second half; of several the first half makes one product.
                if self.is_alone { self.result("rcp", 0, &[root]) } else { self.mul(a, root) }
            }
            Op1::FFloor => self.floor(a),
            Op1::FExp2 => self.exp2(a),
            Op1::FLog2 => self.log2(a),
            // Read by nothing but indices, which look through it.
            Op1::ITrunc => a,
            _ => return None,
        })
    }

    fn two(&mut self, op: Op2, a: Operand, b: Operand) -> Option<Operand> {
        Some(match op {
            Op2::FAdd => self.add(a, b),
            Op2::FSub => self.add(a, b.flipped()),
            Op2::FMul => self.mul(a, b),
            Op2::FDiv => self.quotient(a, b),
            Op2::FMin if a == b => a,
            Op2::FMax if a == b => a,
            Op2::FMin => self.result("min", 0, &[a, b]),
            Op2::FMax => self.result("max", 0, &[a, b]),
            Op2::FSlt => self.comparison("slt", a, b),
            Op2::FSge => self.comparison("sge", a, b),
            _ => return None,
        })
    }

    /// A comparison by `slt` or `sge`, to which -0 is less than 0. On the right a known zero is -0, so that neither zero is less than it,
    /// as on the left none is less than 0.
    fn comparison(&mut self, name: &'static str, a: Operand, b: Operand) -> Operand {
        let is_positive_zero = self.terms.known(b).is_some_and(|b| b.to_bits() == 0);
        self.result(name, 0, &[a, if is_positive_zero { b.flipped() } else { b }])
    }

    fn mul(&mut self, a: Operand, b: Operand) -> Operand {
        for (one, other) in [(a, b), (b, a)] {
            match self.terms.known(one) {
                Some(1.0) => return other,
                Some(-1.0) => return other.flipped(),
                Some(0.0) => return self.bits(0),
                _ => {}
            }
            if let Some(lit) = self.highlight(one, other) {
                return lit;
            }
        }
        if let Some(known) = self.terms.known(a).zip(self.terms.known(b)) {
            return self.float(known.0 * known.1);
        }
        // The sign of a product is found by what adds it.
        let negate = a.negate != b.negate;
        let (a, b) = (Operand { negate: false, ..a }, Operand { negate: false, ..b });
        let (a, b) = if self.terms.find_result("mul", &[b, a]).is_some() { (b, a) } else { (a, b) };
        self.result("mul", 0, &[a, b]).with(negate)
    }

    fn add(&mut self, a: Operand, b: Operand) -> Operand {
        self.sum(a, b, false)
    }

    /// a + b; `is_product` says that a is the product of a sum that is one operation.
    fn sum(&mut self, a: Operand, b: Operand, is_product: bool) -> Operand {
        for (one, other) in [(a, b), (b, a)] {
            if self.is(one, 0.0) {
                return other;
            }
        }
        if let Some(known) = self.terms.known(a).zip(self.terms.known(b)) {
            return self.float(known.0 + known.1);
        }
        // x - floor(x) is what x is behind the point.
        for (x, floor) in [(a, b), (b, a)] {
            if floor.negate && self.whole_of(floor.flipped()) == Some(x) {
                return self.result("expp", 1, &[x]);
            }
        }
        // A product that something else needs is computed in any case.
        let b_first = !is_product && self.uses(b) <= self.uses(a);
        let order = if b_first { [(a, b), (b, a)] } else { [(b, a), (a, b)] };
        for (sum, product) in order {
            if let Some([x, y]) = self.terms.result(product, "mul") {
                // The sign goes to a number that is known, where there is one.
                let known = self.terms.known(y).is_some();
                let (x, y) = if known { (x, y.with(product.negate)) } else { (x.with(product.negate), y) };
                return self.result("mad", 0, &[x, y, sum]);
            }
        }
        let (a, b) = if self.terms.find_result("add", &[b, a]).is_some() { (b, a) } else { (a, b) };
        self.result("add", 0, &[a, b])
    }

    /// The floor of x: x without what `expp` finds behind the point. Of numbers between -1 and 0 the machine rounds that, and the
    /// difference is above -1 by up to 2^-23. So below 0 it is at most -1.
    fn floor(&mut self, x: Operand) -> Operand {
        let fraction = self.result("expp", 1, &[x]);
        let near = self.result("add", 0, &[x, fraction.flipped()]);
        if self.choice.fast_math || self.is_above_zero(x, DEEPEST) {
            return near;
        }
        let (far, least) = (self.float(FAR), self.float(-1.0));
        let most = self.result("mul", 0, &[x.with(x.negate), far.with(x.negate)]);
        let most = self.result("max", 0, &[most, least]);
        self.result("min", 0, &[near, most])
    }

    /// The number whose [floor](Self::floor) an operand is.
    fn whole_of(&self, operand: Operand) -> Option<Operand> {
        if operand.negate {
            return None;
        }
        let near = self.terms.result::<2>(operand, "min").map_or(operand, |[near, _]| near);
        let [x, fraction] = self.terms.result(near, "add").filter(|_| !near.negate)?;
        let is_near = fraction.negate && self.terms.result_at(fraction, "expp", 1) == Some([x]);
        let is_all = near == operand || {
            self.terms.result::<2>(operand, "min").is_some_and(|[_, most]| {
                let most = self.terms.result::<2>(most, "max").filter(|_| !most.negate);
                most.is_some_and(|[most, least]| {
                    let product = self.terms.result::<2>(most, "mul");
                    let is_far = product.is_some_and(|[size, far]| {
                        size == x.with(x.negate) && self.is(far.with(x.negate), FAR)
                    });
                    is_far && self.is(least, -1.0)
                })
            })
        };
        (is_near && is_all).then_some(x)
    }

    /// True if the operations that an operand is made by show that it is never less than 0; looked at so deep.
    fn is_above_zero(&self, operand: Operand, depth: usize) -> bool {
        if let Some(known) = self.terms.known(operand) {
            return known >= 0.0;
        }
        let Term::Result { name, from, .. } = self.terms.term(operand.id) else { return false };
        let Some(depth) = depth.checked_sub(1).filter(|_| !operand.negate) else { return false };
        if let Some(x) = self.whole_of(operand) {
            return self.is_above_zero(x, depth);
        }
        let mut each = from.iter().map(|operand| self.is_above_zero(*operand, depth));
        match (*name, from.as_slice()) {
            ("slt" | "sge" | "rsq" | "expp" | "lit", _) => true,
            ("max", [a, b]) if *a == b.flipped() => true,
            ("mul", [a, b]) if a == b => true,
            ("max", _) => each.any(|is_above| is_above),
            ("mul" | "add" | "mad" | "min" | "rcp", _) => each.all(|is_above| is_above),
            _ => false,
        }
    }

    /// 1 / a, where a square root's is an instruction.
    fn inverse(&mut self, a: Operand) -> Operand {
        if let Some(known) = self.terms.known(a) {
            return self.float(1.0 / known);
        }
        if let Some([root]) = self.terms.result(a, "rcp")
            && self.terms.result::<1>(root, "rsq").is_some()
        {
            return root.with(a.negate);
        }
        if let Some([x, root]) = self.terms.result(a, "mul")
            && self.terms.result(root, "rsq") == Some([x])
        {
            return root.with(a.negate);
        }
        self.result("rcp", 0, &[Operand { negate: false, ..a }]).with(a.negate)
    }

    fn quotient(&mut self, a: Operand, b: Operand) -> Operand {
        let inverse = self.inverse(b);
        self.mul(a, inverse)
    }

    /// 2^a; where a power's base is not below 0, that is a `lit` of the base twice.
    fn exp2(&mut self, a: Operand) -> Operand {
        let power = self.result("expp", 2, &[a]);
        let base = self.power(power).and_then(|(x, s)| Some((self.above_zero(x)?, s)));
        match base.filter(|(_, s)| self.choice.lit && self.is_lit_power(*s)) {
            Some((x, s)) => self.result("lit", 2, &[x, x, s]),
            None => power,
        }
    }

    /// True for a power that `lit` takes.
    fn is_lit_power(&self, s: Operand) -> bool {
        self.choice.fast_math || self.terms.known(s).is_some_and(|s| s > 0.0 && s <= LIT_POWER)
    }

    fn log2(&mut self, a: Operand) -> Operand {
        self.result("logp", 2, &[a])
    }

    /// max(x, 0) as x.
    fn above_zero(&self, operand: Operand) -> Option<Operand> {
        let [a, b] = self.terms.result(operand, "max").filter(|_| !operand.negate)?;
        [(a, b), (b, a)].into_iter().find(|(_, zero)| self.is(*zero, 0.0)).map(|(x, _)| x)
    }

    /// A power that is written as exp2(log2(x) · s): x and s.
    fn power(&self, operand: Operand) -> Option<(Operand, Operand)> {
        if let Some([x, y, s]) = self.terms.result_at(operand, "lit", 2).filter(|_| !operand.negate)
            && x == y
        {
            return Some((x, s));
        }
        let [product] = self.terms.result_at(operand, "expp", 2).filter(|_| !operand.negate)?;
        let [a, b] = self.terms.result(product, "mul").filter(|_| !product.negate)?;
        [(a, b), (b, a)].into_iter().find_map(|(log, s)| {
            let [x] = self.terms.result_at(log, "logp", 2)?;
            Some((x, s))
        })
    }

    /// (0 < x) · y^s is a `lit`, where s is a number that it takes.
    fn highlight(&mut self, condition: Operand, power: Operand) -> Option<Operand> {
        let [zero, x] =
            self.terms.result(condition, "slt").filter(|_| self.choice.lit && !condition.negate)?;
        if !self.is(zero, 0.0) {
            return None;
        }
        let (y, s) = self.power(power)?;
        if !self.is_lit_power(s) {
            return None;
        }
        // Of numbers below 0 it makes 0, too.
        let y = self.above_zero(y).unwrap_or(y);
        Some(self.result("lit", 2, &[x, y, s]))
    }

    /// What is 1 where a condition is 0, and 0 where it is 1.
    fn not(&mut self, condition: Operand) -> Operand {
        let two = |name| self.terms.result::<2>(condition, name);
        if let Some([a, b]) = two("slt") {
            return self.result("sge", 0, &[a, b]);
        }
        if let Some([a, b]) = two("sge") {
            return self.result("slt", 0, &[a, b]);
        }
        let one = self.float(1.0);
        self.add(one, condition.flipped())
    }

    /// `there` where a condition is 1, `here` where it is 0. A product with 0 is 0 on the machine, whatever the other factor is; a
    /// difference from `here` is only taken if that is finite.
    fn choose(&mut self, condition: Operand, here: Operand, there: Operand, is_finite: bool) -> Operand {
        if here == there {
            return here;
        }
        if let Some(known) = self.terms.known(condition) {
            return if known.to_bits() == 0 { here } else { there };
        }
        if self.is(here, 0.0) {
            return self.mul(condition, there);
        }
        if here == there.flipped() {
            let (way, one) = (self.float(-2.0), self.float(1.0));
            let way = self.mul(condition, way);
            let sign = self.sum(way, one, true);
            return self.mul(sign, here);
        }
        if self.is(there, 0.0) {
            let other = self.not(condition);
            return self.mul(other, here);
        }
        if self.choice.fast_math && is_finite {
            let way = self.add(there, here.flipped());
            let way = self.mul(condition, way);
            return self.add(way, here);
        }
        let other = self.not(condition);
        let (there, here) = (self.mul(condition, there), self.mul(other, here));
        self.add(there, here)
    }

    fn dot(&mut self, dot: Dot, [a, b]: [Value; 2]) -> Option<Operand> {
        let mut all = |value: Value| -> Option<Vec<Operand>> {
            (0..dot.terms() as u8).map(|component| self.lane(value, component)).collect()
        };
        let (mut a, mut b) = (all(a)?, all(b)?);
        // The role of a number does not depend on the component that asks for it.
        self.now.lane = 0;
        if !matches!(dot, Dot::Dot3 | Dot::Dot4) {
            return None;
        }
        if let ([.., left], [.., right]) = (&a[..], &b[..])
            && a.len() == 4
        {
            let (left, right) = (*left, *right);
            if self.is(left, 0.0) || self.is(right, 0.0) {
                a.truncate(3);
                b.truncate(3);
            } else if self.is(left, 1.0) || self.is(right, 1.0) {
                if !self.is(left, 1.0) {
                    std::mem::swap(&mut a, &mut b);
                }
                let from: Vec<Operand> = a.iter().take(3).chain(&b).copied().collect();
                return Some(self.signed("dph", &from, 3));
            }
        }
        let name = if a.len() == 3 { "dp3" } else { "dp4" };
        let count = a.len();
        a.extend(b);
        Some(self.signed(name, &a, count))
    }

    /// A dot product; a source whose numbers are all negative gives its sign to the sum where that is the same.
    fn signed(&mut self, name: &'static str, from: &[Operand], first: usize) -> Operand {
        let (a, b) = from.split_at(first);
        let all = |source: &[Operand]| source.iter().all(|operand| operand.negate);
        if name != "dph" && all(a) != all(b) {
            let plain: Vec<Operand> =
                a.iter().map(|o| o.with(all(a))).chain(b.iter().map(|o| o.with(all(b)))).collect();
            return self.result(name, 0, &plain).flipped();
        }
        self.result(name, 0, from)
    }

    /// An index without what only matters below 0, where there is nothing: the integer part of a number, or a multiple of it, is
    /// that of the number or of 0.
    fn counted(&mut self, index: Operand) -> Operand {
        if let Some(x) = self.integer_part(index) {
            let zero = self.float(0.0);
            // What is between -1 and 0 becomes 0.
            let above = if self.choice.fast_math { x } else { self.result("max", 0, &[x, zero]) };
            return self.floor(above);
        }
        match self.terms.result(index, "mul") {
            Some([part, factor]) if self.terms.known(factor).is_some_and(|factor| factor > 0.0) => {
                let part = self.counted(part);
                self.mul(part, factor).with(index.negate)
            }
            _ => index,
        }
    }

    /// The number whose integer part an operand is, as (1 - 2 (x < 0)) · floor |x|.
    fn integer_part(&self, operand: Operand) -> Option<Operand> {
        let [a, b] = self.terms.result(operand, "mul").filter(|_| !operand.negate)?;
        [(a, b), (b, a)].into_iter().find_map(|(floor, sign)| {
            let size = self.whole_of(floor)?;
            let [negative, x] = self.terms.result(size, "max").filter(|_| !size.negate)?;
            let [below, twice, one] = self.terms.result(sign, "mad").filter(|_| !sign.negate)?;
            let [own, zero] = self.terms.result(below, "slt").filter(|_| !below.negate)?;
            let is_sign = self.is(twice, -2.0) && self.is(one, 1.0) && self.is(zero, 0.0) && own == x;
            (is_sign && negative == x.flipped()).then_some(x)
        })
    }

    /// A component of a uniform at a computed number.
    fn relative(&mut self, index: Value, base: i32, lane: u8) -> Option<Operand> {
        let Lane::Of(value, component) = self.lanes.of(index)[0] else { return None };
        let mut index = self.values[value.index()][usize::from(component)]?;
        index = self.counted(index);
        let mut base = base;
        let first = i32::from((self.places.uniform)(0).index);
        loop {
            // The address register takes the floor itself.
            if let Some(x) = self.whole_of(index) {
                index = x;
                continue;
            }
            let Some([a, b]) = self.terms.result(index, "add").filter(|_| !index.negate) else { break };
            let known = self.terms.known(b).map(|b| (a, b)).or(self.terms.known(a).map(|a| (b, a)));
            match known {
                // A whole number goes into the instruction.
                Some((rest, number))
                    if number as i32 as f32 == number
                        && (0..=191).contains(&(first + base + number as i32)) =>
                {
                    (index, base) = (rest, base + number as i32);
                }
                _ => break,
            }
        }
        if matches!(self.terms.term(index.id), Term::Relative(..)) {
            index = self.result("mov", 0, &[index]);
        }
        let reg = Reg { index: u16::try_from(first + base).ok()?, ..(self.places.uniform)(0) };
        Some(self.terms.add(Term::Relative(index, reg, lane), self.now))
    }
}
