//! Runs of steps that become one loop, and what they compute, instruction by instruction.

use super::template::{Binary, Compare, Id, Inst, Source, Template};
use crate::program::{Column, Place, Program, Step};
use gpuzoo_ir::Op3;
use gpuzoo_ir::record::Operation;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// A loop: instructions in order.
#[derive(Debug, Default)]
pub(super) struct Segment {
    pub(super) insts: Vec<Inst>,
    known: FxHashMap<Inst, Id>,
}

/// The longest runs of steps that all have a template.
pub(super) fn runs(steps: &[Step]) -> Vec<Range<usize>> {
    let mut runs = Vec::new();
    let mut start = 0;
    while start < steps.len() {
        let can = |step: &&Step| matches!(step, Step::Splat(..)) || call(step).is_some();
        let end = start + steps[start..].iter().take_while(can).count();
        if end > start {
            runs.push(start..end);
        }
        start = end + 1;
    }
    runs
}

/// For each of the ranges, which are in order, the columns that it writes and that are read after it.
pub(super) fn live_after(program: &Program, ranges: &[Range<usize>]) -> Vec<Vec<Column>> {
    let mut live = vec![false; usize::from(program.registers)];
    let mark = |column: Column, is: bool, live: &mut Vec<bool>| {
        if let Some(entry) = live.get_mut(usize::from(column)) {
            *entry = is;
        }
    };
    for place in program.outputs.iter().flatten() {
        if let Place::Home(column) | Place::Copy(column) = *place {
            mark(column, true, &mut live);
        }
    }
    let mut found = vec![Vec::new(); ranges.len()];
    let mut next = ranges.len();
    for (index, step) in program.steps.iter().enumerate().rev() {
        if next > 0 && ranges[next - 1].end == index + 1 {
            next -= 1;
            // Not all that are live: there may be as many ranges as steps, and thousands of registers.
            for step in &program.steps[ranges[next].clone()] {
                step.written(|column| {
                    if live.get(usize::from(column)) == Some(&true) {
                        found[next].push(column);
                    }
                });
            }
        }
        step.written(|column| mark(column, false, &mut live));
        step.read(|column| mark(column, true, &mut live));
    }
    found
}

/// An operation on values from elsewhere.
struct Call {
    template: &'static Template,
    arguments: [Source; 8],
    to: Column,
}

/// A step as an operation; none if it has no template.
fn call(step: &Step) -> Option<Call> {
    use Source::{Column, Scalar};
    let mad = Operation::Three(Op3::FMad);
    let (operation, to, arguments) = match *step {
        Step::Map1(op, to, a) => (Operation::One(op), to, eight([Column(a)])),
        Step::Map2(op, to, ab) => (Operation::Two(op), to, eight(ab.map(Column))),
        Step::Map3(op, to, abc) => (Operation::Three(op), to, eight(abc.map(Column))),
        Step::Map2Right(op, to, a, b) => (Operation::Two(op), to, eight([Column(a), Scalar(b)])),
        Step::Map2Left(op, to, a, b) => (Operation::Two(op), to, eight([Scalar(a), Column(b)])),
        Step::MadScale(to, a, b, c) => (mad, to, eight([Column(a), Scalar(b), Column(c)])),
        Step::MadOffset(to, [a, b], c) => (mad, to, eight([Column(a), Column(b), Scalar(c)])),
        Step::MadBoth(to, a, [b, c]) => (mad, to, eight([Column(a), Scalar(b), Scalar(c)])),
        Step::Dot(dot, to, [a, b]) => (Operation::Dot(dot), to, pairs(a.map(Column), b.map(Column))),
        Step::DotScalars(dot, to, a, b) => (Operation::Dot(dot), to, pairs(a.map(Column), b.map(Scalar))),
        Step::Splat(..) | Step::Each(..) | Step::Sample { .. } | Step::Kill(_) | Step::Loop(_) => {
            return None;
        }
    };
    Some(Call { template: Template::of(operation)?, arguments, to })
}

fn eight<const N: usize>(own: [Source; N]) -> [Source; 8] {
    let mut all = [Source::Const(0); 8];
    all[..N].copy_from_slice(&own);
    all
}

fn pairs(a: [Source; 4], b: [Source; 4]) -> [Source; 8] {
    std::array::from_fn(|index| if index % 2 == 0 { a[index / 2] } else { b[index / 2] })
}

/// A value that the loop computes.
struct Value {
    template: &'static Template,
    arguments: [Argument; 8],
    /// The column that it goes to, if it is read outside of the loop.
    store: Option<Column>,
}

#[derive(Clone, Copy)]
enum Argument {
    Inside(usize),
    Outside(Source),
}

impl Segment {
    /// The loop of some steps; `live` says which of their columns are read after them, `known` which scalars are
    /// constants.
    pub(super) fn new(steps: &[Step], live: &[Column], known: &[Option<u32>]) -> Segment {
        let mut values: Vec<Value> = Vec::new();
        // What columns hold at this point; one that is not here holds what it held before.
        let mut held: FxHashMap<Column, Argument> = FxHashMap::default();
        for step in steps {
            if let Step::Splat(to, scalar) = *step {
                held.insert(to, Argument::Outside(Source::Scalar(scalar)));
                continue;
            }
            let Some(Call { template, arguments, to }) = call(step) else { continue };
            let arguments = arguments.map(|source| match source {
                Source::Column(column) => held.get(&column).copied().unwrap_or(Argument::Outside(source)),
                Source::Scalar(scalar) => {
                    Argument::Outside(known[usize::from(scalar)].map_or(source, Source::Const))
                }
                _ => Argument::Outside(source),
            });
            held.insert(to, Argument::Inside(values.len()));
            values.push(Value { template, arguments, store: None });
        }
        let mut copies = Vec::new();
        for &column in live {
            // A column that is written twice is here twice, but in `held` once.
            match held.remove(&column) {
                Some(Argument::Inside(index)) => values[index].store = Some(column),
                Some(Argument::Outside(source)) => copies.push((source, column)),
                None => {}
            }
        }
        let mut segment = Segment::default();
        let size = values.iter().map(|value| value.template.insts.len()).sum::<usize>() + values.len();
        segment.insts.reserve(size);
        segment.known.reserve(size);
        segment.write(&values);
        for (source, column) in copies {
            let id = segment.add(Inst::Source(source));
            segment.add(Inst::Store(id, column));
        }
        segment.leave_nans();
        segment
    }

    /// Writes the instructions of all values.
    fn write(&mut self, values: &[Value]) {
        let mut results: Vec<Id> = Vec::with_capacity(values.len());
        let mut ids = Vec::new();
        for Value { template, arguments, store } in values {
            ids.clear();
            for inst in &template.insts {
                ids.push(match *inst {
                    Inst::Source(Source::Argument(argument)) => match arguments[argument] {
                        Argument::Inside(index) => results[index],
                        Argument::Outside(source) => self.add(Inst::Source(source)),
                    },
                    inst => self.add(inst.map(|id| ids[id as usize])),
                });
            }
            let mut result = ids[template.result as usize];
            // An operand as it is (of a minimum with NaN): it must be read now, before its column gets another value.
            if let Inst::Source(Source::Column(_)) = self.insts[result as usize] {
                result = self.insert(Inst::Binary(Binary::And, [result; 2]));
            }
            results.push(result);
            if let Some(column) = *store {
                self.add(Inst::Store(result, column));
            }
        }
    }

    /// An instruction, or a cheaper one that gives the same (peephole rules); it may be there already.
    fn add(&mut self, inst: Inst) -> Id {
        match self.simplified(inst) {
            Ok(inst) => self.insert(inst),
            Err(id) => id,
        }
    }

    /// A shorter instruction, or a value that is there.
    fn simplified(&mut self, inst: Inst) -> Result<Inst, Id> {
        let truth = |is: bool| Inst::Source(Source::Truth(is));
        match inst {
            // Comparisons that ask whether a number is NaN, of a number that is known.
            Inst::Compare(Compare::NotSame, [a, b]) if a == b => match self.insts[a as usize] {
                Inst::Source(Source::Const(bits)) => Ok(truth(f32::from_bits(bits).is_nan())),
                _ => Ok(inst),
            },
            Inst::And([a, b]) => match (self.truth(a), self.truth(b)) {
                (Some(true), _) => Err(b),
                (_, Some(true)) => Err(a),
                (Some(false), _) | (_, Some(false)) => Ok(truth(false)),
                _ => match self.insts[b as usize] {
                    Inst::Compare(how, pair) => Ok(Inst::CompareWhere(how, pair, a)),
                    _ => Ok(inst),
                },
            },
            Inst::Or([a, b]) => match (self.truth(a), self.truth(b)) {
                (Some(false), _) => Err(b),
                (_, Some(false)) => Err(a),
                (Some(true), _) | (_, Some(true)) => Ok(truth(true)),
                _ => Ok(inst),
            },
            Inst::Not(a) => Ok(self.truth(a).map_or(inst, |is| truth(!is))),
            Inst::Select([mask, yes, no]) => match (self.insts[mask as usize], self.truth(mask)) {
                (_, Some(is)) => Err(if is { yes } else { no }),
                // What the processor has in one instruction.
                (Inst::Compare(Compare::Less, pair), _) if pair == [yes, no] => {
                    Ok(Inst::Binary(Binary::Min, [yes, no]))
                }
                (Inst::Compare(Compare::Less, pair), _) if pair == [no, yes] => {
                    Ok(Inst::Binary(Binary::Max, [yes, no]))
                }
                // One of them may be that.
                (Inst::Or([a, b]), _)
                    if matches!(self.insts[a as usize], Inst::Compare(Compare::Less, _)) =>
                {
                    let inner = self.add(Inst::Select([a, yes, no]));
                    Ok(Inst::Select([b, yes, inner]))
                }
                _ => Ok(inst),
            },
            _ => Ok(inst),
        }
    }

    /// A truth value that is known.
    fn truth(&self, id: Id) -> Option<bool> {
        match self.insts[id as usize] {
            Inst::Source(Source::Truth(is)) => Some(is),
            _ => None,
        }
    }

    fn insert(&mut self, inst: Inst) -> Id {
        // Masks are made anew: there are too few registers to keep them from one operation to another.
        if inst.is_mask() {
            self.insts.push(inst);
            return self.insts.len() as Id - 1;
        }
        *self.known.entry(inst).or_insert_with(|| {
            self.insts.push(inst);
            self.insts.len() as Id - 1
        })
    }

    /// Leaves NaNs as the processor makes them where that cannot be observed: making them canonical takes longer than a
    /// sum.
    fn leave_nans(&mut self) {
        let mut exact = vec![false; self.insts.len()];
        for index in (0..self.insts.len()).rev() {
            let own = exact[index];
            let source = |id: Id| self.insts[id as usize];
            match self.insts[index] {
                // A NaN without its sign, or with the other one, is still a NaN.
                Inst::Binary(op @ (Binary::And | Binary::Xor), [a, b]) => {
                    let sign = if op == Binary::And { 0x7fff_ffff } else { 0x8000_0000 };
                    let mask = Inst::Source(Source::Const(sign));
                    exact[a as usize] |= own || source(b) != mask;
                    exact[b as usize] |= own || source(a) != mask;
                }
                Inst::Binary(Binary::AddBits | Binary::SubBits, pair) => {
                    pair.iter().for_each(|id| exact[*id as usize] = true);
                }
                Inst::Binary(_, pair) => pair.iter().for_each(|id| exact[*id as usize] |= own),
                Inst::Select([_, yes, no]) => [yes, no].iter().for_each(|id| exact[*id as usize] |= own),
                Inst::Sqrt(a) => exact[a as usize] |= own,
                Inst::Key(a) | Inst::Store(a, _) => exact[a as usize] = true,
                // Operations that do not distinguish NaNs.
                Inst::Canonical(..) | Inst::Compare(..) | Inst::CompareWhere(..) => {}
                // What has no numbers as operands.
                Inst::Source(_) | Inst::LessBits(_) | Inst::And(_) | Inst::Or(_) | Inst::Not(_) => {}
            }
        }
        let mut instead: Vec<Id> = Vec::with_capacity(self.insts.len());
        for (index, exact) in exact.into_iter().enumerate() {
            let inst = self.insts[index].map(|id| instead[id as usize]);
            self.insts[index] = inst;
            instead.push(match inst {
                Inst::Canonical(a, _) if !exact => a,
                _ => index as Id,
            });
        }
    }
}
