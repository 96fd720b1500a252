//! One function per row: its meaning, as IR (spec section 7).

use crate::profile::UNIT;
use crate::regs::{COUNT, r, uniform};
use gpuzoo_ir::{Dot, Op1, Op2, Op3, Pick, Value};
use gpuzoo_isa::{Inst, Lower, Mask, Op, Operand};

/// True if the row's values are floats.
pub fn takes_floats(op: &Op) -> bool {
    op.name.starts_with('f')
}

fn unary(l: &mut Lower, inst: &Inst, op: Op1) {
    let [dst, a, ..] = &inst.operands;
    let a = l.read_components(a, dst.mask);
    let result = l.b.map1(op, a);
    l.write(dst, result);
}

fn binary(l: &mut Lower, inst: &Inst, op: Op2) {
    let [dst, a, b, ..] = &inst.operands;
    let (a, b) = (l.read_components(a, dst.mask), l.read_components(b, dst.mask));
    let result = l.b.map2(op, a, b);
    l.write(dst, result);
}

fn immediate(l: &mut Lower, inst: &Inst, op: Op2) {
    let [dst, a, b, ..] = &inst.operands;
    let (a, b) = (l.read_components(a, dst.mask), values(l, inst, b, dst.mask));
    let result = l.b.map2(op, a, b);
    l.write(dst, result);
}

/// `fmax` and `fmin`: the first operand unless the second is beyond it. The strict operations prefer their second.
fn extreme(l: &mut Lower, inst: &Inst, op: Op2) {
    let [dst, a, b, ..] = &inst.operands;
    let (a, b) = (l.read_components(a, dst.mask), l.read_components(b, dst.mask));
    let result = l.b.map2(op, b, a);
    l.write(dst, result);
}

/// The values in their components: the masked ones in the order x, y, z, w; the last value repeats. Their type is the
/// instruction's.
fn values(l: &mut Lower, inst: &Inst, operand: &Operand, mask: Mask) -> Value {
    let mut vector = [0; 4];
    let values = operand.immediates.values();
    for (index, component) in (0..4).filter(|&component| mask.has(component)).enumerate() {
        vector[component as usize] = values.get(index).or(values.last()).copied().unwrap_or(0);
    }
    if takes_floats(inst.op) { l.b.constant(vector) } else { l.integers(vector) }
}

macro_rules! rows {
    ($shape:ident: $($name:ident = $op:expr, $text:literal;)*) => {
        $(#[doc = $text] pub fn $name(l: &mut Lower, inst: &Inst) { $shape(l, inst, $op) })*
    };
}

rows! { unary:
    fneg = Op1::FNeg, "`fneg`";
    ineg = Op1::INeg, "`ineg`";
}

rows! { binary:
    fadd = Op2::FAdd, "`fadd`";
    fsub = Op2::FSub, "`fsub`";
    fmul = Op2::FMul, "`fmul`";
    fdiv = Op2::FDiv, "`fdiv`";
    iadd = Op2::IAdd, "`iadd`";
    isub = Op2::ISub, "`isub`";
    imul = Op2::IMul, "`imul`";
    idiv = Op2::IDiv, "`idiv`";
    imax = Op2::IMax, "`imax`";
    imin = Op2::IMin, "`imin`";
}

rows! { immediate:
    fadd_imm = Op2::FAdd, "`fadd` with values";
    fsub_imm = Op2::FSub, "`fsub` with values";
    fmul_imm = Op2::FMul, "`fmul` with values";
    fdiv_imm = Op2::FDiv, "`fdiv` with values";
    iadd_imm = Op2::IAdd, "`iadd` with values";
    isub_imm = Op2::ISub, "`isub` with values";
    imul_imm = Op2::IMul, "`imul` with values";
    idiv_imm = Op2::IDiv, "`idiv` with values";
}

rows! { extreme:
    fmax = Op2::FMaxStrict, "`fmax`";
    fmin = Op2::FMinStrict, "`fmin`";
}

/// `mov`
pub fn mov(l: &mut Lower, inst: &Inst) {
    let [dst, a, ..] = &inst.operands;
    let value = l.read_components(a, dst.mask);
    l.write(dst, value);
}

/// `finit` and `iinit`
pub fn init(l: &mut Lower, inst: &Inst) {
    let [dst, a, ..] = &inst.operands;
    let value = values(l, inst, a, dst.mask);
    l.write(dst, value);
}

/// `swizzle`
pub fn swizzle(l: &mut Lower, inst: &Inst) {
    let [dst, a, ..] = &inst.operands;
    let mut order = a.swizzle.components();
    if l.profile == UNIT && dst.reg == a.reg {
        // A component before this one has its new value already: follow it to where that came from.
        for component in 1..4 {
            let from = order[component] as usize;
            if from < component {
                order[component] = order[from];
            }
        }
    }
    let reads = order.iter().fold(0, |reads, component| reads | 1 << component);
    let value = l.read_components(&Operand { reg: a.reg, ..Operand::default() }, Mask(reads));
    let value = l.b.swizzle(value, order);
    l.write(dst, value);
}

/// `frcp`
pub fn frcp(l: &mut Lower, inst: &Inst) {
    let [dst, a, ..] = &inst.operands;
    let a = l.read_components(a, dst.mask);
    let one = l.b.floats([1.0; 4]);
    let result = l.b.map2(Op2::FDiv, one, a);
    l.write(dst, result);
}

/// `fmad`: rounded twice.
pub fn fmad(l: &mut Lower, inst: &Inst) {
    let [dst, a, b, c, ..] = &inst.operands;
    let [a, b, c] = [a, b, c].map(|operand| l.read_components(operand, dst.mask));
    let result = l.b.map3(Op3::FMad, a, b, c);
    l.write(dst, result);
}

/// `fdot`
pub fn fdot(l: &mut Lower, inst: &Inst) {
    let [dst, a, b, ..] = &inst.operands;
    let (a, b) = (l.read(a), l.read(b));
    let result = l.b.dot(Dot::Dot4, a, b);
    l.write(dst, result);
}

/// `fcross2`
pub fn fcross2(l: &mut Lower, inst: &Inst) {
    let [dst, a, b, ..] = &inst.operands;
    let (a, b) = (l.read_components(a, Mask(0b0011)), l.read_components(b, Mask(0b0011)));
    let result = minor(l, a, b, [0; 4], [1; 4]);
    l.write(dst, result);
}

/// a.i × b.j − a.j × b.i in each component, with the component's own i and j; three roundings.
fn minor(l: &mut Lower, a: Value, b: Value, i: [u8; 4], j: [u8; 4]) -> Value {
    let [ai, aj] = [i, j].map(|order| l.b.swizzle(a, order));
    let [bi, bj] = [i, j].map(|order| l.b.swizzle(b, order));
    let (left, right) = (l.b.map2(Op2::FMul, ai, bj), l.b.map2(Op2::FMul, aj, bi));
    l.b.map2(Op2::FSub, left, right)
}

/// `fcross`: xyz, and +0 in w.
pub fn fcross(l: &mut Lower, inst: &Inst) {
    let [dst, a, b, ..] = &inst.operands;
    let (a, b) = (l.read_components(a, Mask(0b0111)), l.read_components(b, Mask(0b0111)));
    let cross = minor(l, a, b, [1, 2, 0, 0], [2, 0, 1, 0]);
    let result = l.b.shuffle(cross, cross, [Pick::A(0), Pick::A(1), Pick::A(2), Pick::Zero]);
    write_ignoring_mask(l, dst, result);
}

/// `fnorm`: divided by the length of all four components.
pub fn fnorm(l: &mut Lower, inst: &Inst) {
    let [dst, a, ..] = &inst.operands;
    let a = l.read(a);
    let square = l.b.dot(Dot::Dot4, a, a);
    let length = l.b.map1(Op1::FSqrt, square);
    let result = l.b.map2(Op2::FDiv, a, length);
    write_ignoring_mask(l, dst, result);
}

/// The unit writes all components here; the document has masks everywhere (spec section 3, rows 5 and 6).
fn write_ignoring_mask(l: &mut Lower, dst: &Operand, value: Value) {
    let mask = if l.profile == UNIT { Mask::ALL } else { dst.mask };
    l.write(&Operand { mask, ..*dst }, value);
}

/// `trap`: what a debugger does about it is the debugger's affair.
pub fn trap(_: &mut Lower, _: &Inst) {}

/// `lduni`: the declared components, zeros in the others.
pub fn lduni(l: &mut Lower, _: &Inst) {
    let Some(interface) = l.interface else { return };
    for (index, port) in interface.uniforms.iter().enumerate() {
        let value = l.reg(uniform(interface.stage, index));
        let value = components(l, value, port.components);
        l.write(&Operand { reg: port.reg, ..Operand::default() }, value);
    }
}

/// `initregs`: zero in every register that is neither input nor uniform.
pub fn initregs(l: &mut Lower, _: &Inst) {
    let Some(interface) = l.interface else { return };
    let kept = |reg| interface.inputs.iter().chain(&interface.uniforms).any(|port| port.reg == reg);
    let zero = l.b.constant([0; 4]);
    for reg in (0..COUNT).map(r).filter(|&reg| !kept(reg)) {
        l.write(&Operand { reg, ..Operand::default() }, zero);
    }
}

/// The first `count` components of a value, zeros in the others.
pub fn components(l: &mut Lower, value: Value, count: u8) -> Value {
    let picks = [0, 1, 2, 3].map(|component| if component < count { Pick::A(component) } else { Pick::Zero });
    l.b.shuffle(value, value, picks)
}
