//! Register allocation, and from instructions to machine code.
//!
//! One linear pass. Where all registers are taken, the value that is needed last is spilled (Belady's rule, which is
//! optimal for a straight line). What comes from memory is read where it is used, and kept if it is used again.

use super::code::{Code, Logic, Mask, Op, Pointer, Right, Shift};
use super::segment::Segment;
use super::template::{Binary, Compare, Id, Inst, Source};
use super::{COLUMNS, Column};
use hashbrown::HashMap;

/// Vector registers.
const VECTORS: usize = 32;

/// What a mask register's number is less than; 0 is none.
const MASKS: u8 = 8;

/// The immediate of VCMPPS that finds NaNs.
const UNORDERED: u8 = 0x03;

/// The most instructions of a loop: its addresses and distances have 32 bits.
const LENGTH: usize = 1 << 20;

/// Not used any more; not in a register; not spilled.
const NEVER: u32 = u32::MAX;

/// What a loop needs when it is called.
#[derive(Debug, Default)]
pub(super) struct Needs {
    /// The columns whose addresses are in the table, in this order, and whether they are stored to.
    pub(super) columns: Vec<(Column, bool)>,
    /// How many scalars it reads at least.
    pub(super) scalars: usize,
    /// How many vectors it spills.
    pub(super) spills: usize,
}

/// The constants that loops read.
#[derive(Debug, Default)]
pub(super) struct Constants {
    pub(super) bits: Vec<u32>,
    places: HashMap<u32, usize>,
}

impl Constants {
    fn place(&mut self, bits: u32) -> usize {
        *self.places.entry(bits).or_insert_with(|| {
            self.bits.push(bits);
            self.bits.len() - 1
        })
    }
}

/// Appends the loop's code and the constants that it reads. None if it needs more masks at a time than there are, or
/// more columns than [`COLUMNS`]; then the code is of no use.
pub(super) fn emit(segment: &Segment, code: &mut Code, constants: &mut Constants) -> Option<Needs> {
    let size = segment.insts.len();
    if size > LENGTH {
        return None;
    }
    let mut next = vec![[NEVER; 3]; size];
    let mut seen = vec![NEVER; size];
    for (index, inst) in segment.insts.iter().enumerate().rev() {
        if seen[index] == NEVER && !matches!(inst, Inst::Store(..)) {
            continue;
        }
        let operands = inst.operands();
        for (operand, next) in operands.iter().zip(&mut next[index]) {
            *next = operand.map_or(NEVER, |id| seen[id as usize]);
        }
        operands.iter().flatten().for_each(|id| seen[*id as usize] = index as u32);
    }
    let start = code.begin();
    let mut emitter = Emitter {
        insts: &segment.insts,
        code,
        constants,
        needs: Needs::default(),
        register: vec![NEVER; size],
        until: seen,
        spilled: vec![NEVER; size],
        owner: [0; VECTORS],
        free: u32::MAX,
        free_spills: Vec::new(),
        read_last: Vec::new(),
        masks: 0,
        pointers: [(Pointer::Rax, None), (Pointer::R10, None), (Pointer::R11, None)],
        turn: 0,
    };
    for (index, inst) in segment.insts.iter().enumerate() {
        if emitter.until[index] != NEVER || matches!(inst, Inst::Store(..)) {
            emitter.inst(index as Id, *inst, next[index])?;
        }
    }
    let needs = emitter.needs;
    code.again(start);
    (needs.columns.len() <= COLUMNS).then_some(needs)
}

struct Emitter<'a> {
    insts: &'a [Inst],
    code: &'a mut Code,
    constants: &'a mut Constants,
    needs: Needs,
    /// The register of each value, of vectors and of masks.
    register: Vec<u32>,
    /// The instruction that reads each value next.
    until: Vec<u32>,
    /// Where each spilled value is.
    spilled: Vec<u32>,
    /// The value in each vector register.
    owner: [Id; VECTORS],
    /// Vector registers that hold nothing, as bits.
    free: u32,
    free_spills: Vec<u32>,
    /// Places that the current instruction still reads; they are free from the next one on.
    read_last: Vec<u32>,
    /// Masks that are in use, as bits.
    masks: u8,
    /// Registers with addresses of columns; they are used in turn.
    pointers: [(Pointer, Option<usize>); 3],
    turn: usize,
}

impl Emitter<'_> {
    fn inst(&mut self, id: Id, inst: Inst, next: [u32; 3]) -> Option<()> {
        self.free_spills.append(&mut self.read_last);
        let operands = inst.operands();
        match inst {
            // They are read where they are used.
            Inst::Source(_) => {}
            Inst::Store(a, column) => {
                let from = self.left(a);
                let to = Right::Row(self.pointer(column, true));
                self.code.store(to, from);
                self.release(operands, next);
            }
            Inst::Binary(op, [a, b]) => {
                use Binary::{Add, AddBits, And, Mul, Xor};
                let commutes = matches!(op, Add | Mul | And | Xor | AddBits);
                let swap = commutes && !self.is_in_register(a) && self.is_in_register(b);
                let (a, b, until) = if swap { (b, a, next[0]) } else { (a, b, next[1]) };
                let (left, right) = self.both(a, b, until);
                self.release(operands, next);
                let to = self.take(id);
                self.code.vector(op.op(), to, left, right, Mask::None);
            }
            Inst::Sqrt(a) => {
                let right = self.right(a, next[0]);
                self.release(operands, next);
                let to = self.take(id);
                self.code.vector(Op::SQRT, to, 0, right, Mask::None);
            }
            Inst::Key(a) => {
                let from = self.left(a);
                // Before the operand is released: the steps between need both.
                let to = self.take(id);
                self.release(operands, next);
                self.code.shift(Shift::RightSigned, to, from, 31);
                self.code.shift(Shift::Right, to, to, 1);
                self.code.vector(Op::XOR, to, to, Right::Register(from), Mask::None);
            }
            Inst::Canonical(a, nan) => {
                let from = self.left(a);
                let is_nan = self.free_mask()?;
                self.code.compare(is_nan, from, Right::Register(from), UNORDERED, Mask::None);
                self.release(operands, next);
                let to = self.take(id);
                let nan = self.constant(nan);
                self.code.vector(Op::BLEND, to, from, nan, Mask::Choose(is_nan));
            }
            Inst::Compare(how, [a, b]) | Inst::CompareWhere(how, [a, b], _) => {
                let mask = operands[2].map_or(Mask::None, |mask| Mask::Choose(self.mask(mask)));
                let swap = !self.is_in_register(a) && self.is_in_register(b);
                let (a, b, until) = if swap { (b, a, next[0]) } else { (a, b, next[1]) };
                let (left, right) = self.both(a, b, until);
                self.release(operands, next);
                let to = self.define_mask(id)?;
                self.code.compare(to, left, right, how.predicate(swap), mask);
            }
            Inst::LessBits([a, b]) => {
                let (left, right) = self.both(a, b, next[1]);
                self.release(operands, next);
                let to = self.define_mask(id)?;
                self.code.less_bits(to, left, right);
            }
            Inst::And(ids) | Inst::Or(ids) => {
                let from = ids.map(|id| self.mask(id));
                self.release(operands, next);
                let to = self.define_mask(id)?;
                let op = if matches!(inst, Inst::And(_)) { Logic::And } else { Logic::Or };
                self.code.logic(op, to, from);
            }
            Inst::Not(a) => {
                let from = self.mask(a);
                self.release(operands, next);
                let to = self.define_mask(id)?;
                self.code.not(to, from);
            }
            Inst::Select([mask, yes, no]) => {
                let register = self.mask(mask);
                if self.insts[no as usize] == Inst::Source(Source::Const(0)) {
                    let right = self.right(yes, next[1]);
                    self.release(operands, next);
                    let to = self.take(id);
                    self.copy(to, right, Mask::Zero(register));
                } else {
                    let (left, right) = self.both(no, yes, next[1]);
                    self.release(operands, next);
                    let to = self.take(id);
                    self.code.vector(Op::BLEND, to, left, right, Mask::Choose(register));
                }
            }
        }
        Some(())
    }

    /// Two operands, the first in a register, and the next use of the second. Neither is spilled for the other,
    /// because no value is needed sooner.
    fn both(&mut self, left: Id, right: Id, next: u32) -> (u8, Right) {
        let left = self.left(left);
        (left, self.right(right, next))
    }

    fn is_in_register(&self, id: Id) -> bool {
        self.register[id as usize] != NEVER
    }

    fn mask(&self, id: Id) -> u8 {
        match u8::try_from(self.register[id as usize]) {
            Ok(mask) => mask,
            Err(_) => unreachable!("masks stay in registers, and known ones are simplified away"),
        }
    }

    /// Where a value is in memory.
    fn memory(&mut self, id: Id) -> Right {
        match self.insts[id as usize] {
            Inst::Source(Source::Scalar(scalar)) => {
                self.needs.scalars = self.needs.scalars.max(usize::from(scalar) + 1);
                Right::Each(Pointer::Rsi, i32::from(scalar) * 4)
            }
            Inst::Source(Source::Const(bits)) => self.constant(bits),
            Inst::Source(Source::Column(column)) => Right::Row(self.pointer(column, false)),
            inst => match self.spilled[id as usize] {
                NEVER => unreachable!("{inst:?} is in a register or spilled"),
                place => Right::At(Pointer::Rcx, place as i32 * 64),
            },
        }
    }

    /// A constant, for all lanes.
    fn constant(&mut self, bits: u32) -> Right {
        Right::Each(Pointer::Rdx, self.constants.place(bits) as i32 * 4)
    }

    /// A value in a register.
    fn left(&mut self, id: Id) -> u8 {
        if !self.is_in_register(id) {
            let from = self.memory(id);
            let to = self.take(id);
            self.copy(to, from, Mask::None);
        }
        self.register[id as usize] as u8
    }

    /// A value in a register or in memory: numbers that are the same in all lanes, and what nothing else reads.
    fn right(&mut self, id: Id, next: u32) -> Right {
        let each = matches!(self.insts[id as usize], Inst::Source(Source::Scalar(_) | Source::Const(_)));
        if !self.is_in_register(id) && (each || next == NEVER) {
            return self.memory(id);
        }
        Right::Register(self.left(id))
    }

    fn copy(&mut self, to: u8, from: Right, mask: Mask) {
        let op = match from {
            Right::Register(_) => Op::COPY,
            Right::Each(..) => Op::BROADCAST,
            Right::At(..) | Right::Row(_) => Op::LOAD,
        };
        self.code.vector(op, to, 0, from, mask);
    }

    /// The address of a column, in a register.
    fn pointer(&mut self, column: Column, is_stored: bool) -> Pointer {
        let columns = &mut self.needs.columns;
        let index = columns.iter().position(|(other, _)| *other == column).unwrap_or_else(|| {
            // One too many makes all of it useless; further ones need not be kept.
            columns.truncate(COLUMNS);
            columns.push((column, false));
            columns.len() - 1
        });
        columns[index].1 |= is_stored;
        if let Some((pointer, _)) = self.pointers.iter().find(|(_, held)| *held == Some(index)) {
            return *pointer;
        }
        let (pointer, held) = &mut self.pointers[self.turn];
        self.turn = (self.turn + 1) % 3;
        *held = Some(index);
        self.code.pointer(*pointer, index);
        *pointer
    }

    /// Frees what operands occupy that are not read any more.
    fn release(&mut self, operands: [Option<Id>; 3], next: [u32; 3]) {
        for (id, next) in operands.into_iter().zip(next) {
            let Some(id) = id else { continue };
            self.until[id as usize] = next;
            if next == NEVER {
                self.forget(id);
            }
        }
    }

    /// Frees what a value occupies.
    fn forget(&mut self, id: Id) {
        let register = std::mem::replace(&mut self.register[id as usize], NEVER);
        if register != NEVER {
            if self.insts[id as usize].is_mask() {
                self.masks &= !(1 << register);
            } else {
                self.free |= 1 << register;
            }
        }
        let place = std::mem::replace(&mut self.spilled[id as usize], NEVER);
        if place != NEVER {
            // A value may be spilled for the result before the operand is read: not to this place.
            self.read_last.push(place);
        }
    }

    /// A mask register that holds nothing, if there is one.
    fn free_mask(&self) -> Option<u8> {
        (1..MASKS).find(|mask| self.masks >> mask & 1 == 0)
    }

    fn define_mask(&mut self, id: Id) -> Option<u8> {
        let mask = self.free_mask()?;
        self.masks |= 1 << mask;
        self.register[id as usize] = u32::from(mask);
        Some(mask)
    }

    /// A vector register for a value.
    fn take(&mut self, id: Id) -> u8 {
        let register = match self.free.trailing_zeros() as usize {
            VECTORS => self.spill(),
            free => free,
        };
        self.free &= !(1 << register);
        self.owner[register] = id;
        self.register[id as usize] = register as u32;
        register as u8
    }

    /// Spills the value that is needed last, and returns its register.
    fn spill(&mut self) -> usize {
        let until = |register: &usize| self.until[self.owner[*register] as usize];
        let register = (0..VECTORS).max_by_key(until).unwrap_or(0);
        let id = self.owner[register] as usize;
        self.register[id] = NEVER;
        let elsewhere = matches!(self.insts[id], Inst::Source(_)) || self.spilled[id] != NEVER;
        if !elsewhere {
            let place = self.free_spills.pop().unwrap_or_else(|| {
                self.needs.spills += 1;
                self.needs.spills as u32 - 1
            });
            self.spilled[id] = place;
            self.code.store(Right::At(Pointer::Rcx, place as i32 * 64), register as u8);
        }
        register
    }
}

impl Binary {
    fn op(self) -> Op {
        match self {
            Binary::Add => Op::ADD,
            Binary::Sub => Op::SUB,
            Binary::Mul => Op::MUL,
            Binary::Div => Op::DIV,
            Binary::And => Op::AND,
            Binary::Xor => Op::XOR,
            Binary::AddBits => Op::ADD_BITS,
            Binary::SubBits => Op::SUB_BITS,
            Binary::Min => Op::MIN,
            Binary::Max => Op::MAX,
        }
    }
}

impl Compare {
    /// The immediate of VCMPPS, which raises no exceptions; with operands `swapped` that of the mirrored comparison.
    fn predicate(self, swapped: bool) -> u8 {
        match (self, swapped) {
            (Compare::Less, false) => 0x11,
            (Compare::Less, true) => 0x1e,
            (Compare::NotLess, false) => 0x15,
            (Compare::NotLess, true) => 0x1a,
            (Compare::Same, _) => 0x00,
            (Compare::NotSame, _) => 0x04,
        }
    }
}
