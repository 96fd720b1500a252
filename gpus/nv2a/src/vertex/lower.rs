//! One function per row: its meaning, as IR, under both profiles (spec sections 3, 6 and 7).
//!
//! `hw` is the unit itself: truncating, one aligned sum for a dot product, numbers ordered as sign and magnitude, tables
//! and Newton steps for the inverses. `cpu` is the emulator nv2a_vsh_cpu: IEEE single precision with edges of its own.

use crate::vertex::encoding::{FIRST_SOURCE, PORT, TEMP};
use crate::vertex::regs::A0;
use gpuzoo_ir::{Dot, Op1, Op2, Op3, Pick, Value};
use gpuzoo_isa::{Inst, Lower, Mask, Operand, Profile};

/// The profile of the unit itself, `hw`.
pub const HW: Profile = Profile(0);
/// The profile of nv2a_vsh_cpu, `cpu`.
pub const CPU: Profile = Profile(1);
/// Both, in order.
pub const PROFILES: &[(&str, &str)] = &[
    ("hw", "the machine's own arithmetic, as consoles compute it"),
    ("cpu", "the emulator nv2a_vsh_cpu, which computes as IEEE 754 has it, with edges of its own"),
];

/// What one profile uses where the other uses something else.
struct Ops {
    mul: Op2,
    add: Op2,
    dot3: Dot,
    dot4: Dot,
    min: Op2,
    max: Op2,
    less: Op2,
}

static HW_OPS: Ops = Ops {
    mul: Op2::FMulTrunc,
    add: Op2::FAddTrunc,
    dot3: Dot::Dot3Trunc,
    dot4: Dot::Dot4Trunc,
    min: Op2::FMinTotal,
    max: Op2::FMaxTotal,
    less: Op2::FSltTotal,
};

static CPU_OPS: Ops = Ops {
    mul: Op2::FMulFinite,
    add: Op2::FAdd,
    dot3: Dot::Dot3Finite,
    dot4: Dot::Dot4Finite,
    min: Op2::FMinStrict,
    max: Op2::FMaxStrict,
    less: Op2::FSltZeros,
};

fn is_cpu(l: &Lower) -> bool {
    l.profile == CPU
}

fn ops(l: &Lower) -> &'static Ops {
    if is_cpu(l) { &CPU_OPS } else { &HW_OPS }
}

fn source(l: &mut Lower, inst: &Inst, index: usize) -> Value {
    l.read(&inst.operands[FIRST_SOURCE + index])
}

/// The first swizzled lane, in all four.
fn scalar(l: &mut Lower, inst: &Inst) -> Value {
    let value = l.read_components(&inst.operands[FIRST_SOURCE], Mask(1));
    splat(l, value, 0)
}

fn splat(l: &mut Lower, value: Value, lane: u8) -> Value {
    l.b.swizzle(value, [lane; 4])
}

/// A result may go to a temporary and to the output port.
fn write(l: &mut Lower, inst: &Inst, value: Value) {
    l.write(&inst.operands[TEMP], value);
    l.write(&inst.operands[PORT], value);
}

/// x, y and z of three values, and 1.
fn gather(l: &mut Lower, x: Value, y: Value, z: Value) -> Value {
    let xy = l.b.shuffle(x, y, [Pick::A(0), Pick::B(1), Pick::Zero, Pick::One]);
    l.b.shuffle(xy, z, [Pick::A(0), Pick::A(1), Pick::B(2), Pick::One])
}

/// `mov`, in both halves.
pub fn mov(l: &mut Lower, inst: &Inst) {
    let value = source(l, inst, 0);
    write(l, inst, value);
}

fn binary(l: &mut Lower, inst: &Inst, op: Op2) {
    let (a, b) = (source(l, inst, 0), source(l, inst, 1));
    let value = l.b.map2(op, a, b);
    write(l, inst, value);
}

/// `mul`
pub fn mul(l: &mut Lower, inst: &Inst) {
    binary(l, inst, ops(l).mul);
}

/// `add`
pub fn add(l: &mut Lower, inst: &Inst) {
    binary(l, inst, ops(l).add);
}

/// `min`
pub fn min(l: &mut Lower, inst: &Inst) {
    binary(l, inst, ops(l).min);
}

/// `max`
pub fn max(l: &mut Lower, inst: &Inst) {
    binary(l, inst, ops(l).max);
}

/// `slt`
pub fn slt(l: &mut Lower, inst: &Inst) {
    binary(l, inst, ops(l).less);
}

/// `sge`: 1 - slt, in both profiles.
pub fn sge(l: &mut Lower, inst: &Inst) {
    let (a, b) = (source(l, inst, 0), source(l, inst, 1));
    let less = l.b.map2(ops(l).less, a, b);
    let one = l.b.floats([1.0; 4]);
    let value = l.b.map2(Op2::FSub, one, less);
    write(l, inst, value);
}

/// `mad`: the product is rounded first.
pub fn mad(l: &mut Lower, inst: &Inst) {
    let (a, b, c) = (source(l, inst, 0), source(l, inst, 1), source(l, inst, 2));
    let product = l.b.map2(ops(l).mul, a, b);
    let value = l.b.map2(ops(l).add, product, c);
    write(l, inst, value);
}

fn dot(l: &mut Lower, inst: &Inst, dot: Dot, w_is_one: bool) {
    let (mut a, b) = (source(l, inst, 0), source(l, inst, 1));
    if w_is_one {
        a = l.b.shuffle(a, a, [Pick::A(0), Pick::A(1), Pick::A(2), Pick::One]);
    }
    let value = l.b.dot(dot, a, b);
    write(l, inst, value);
}

/// `dp3`
pub fn dp3(l: &mut Lower, inst: &Inst) {
    dot(l, inst, ops(l).dot3, false);
}

/// `dp4`
pub fn dp4(l: &mut Lower, inst: &Inst) {
    dot(l, inst, ops(l).dot4, false);
}

/// `dph`: `dp4` with a.w taken as 1.
pub fn dph(l: &mut Lower, inst: &Inst) {
    dot(l, inst, ops(l).dot4, true);
}

/// `dst`
pub fn dst(l: &mut Lower, inst: &Inst) {
    let (a, b) = (source(l, inst, 0), source(l, inst, 1));
    let product = l.b.map2(ops(l).mul, a, b);
    let xyz = l.b.shuffle(product, a, [Pick::One, Pick::A(1), Pick::B(2), Pick::Zero]);
    let value = l.b.shuffle(xyz, b, [Pick::A(0), Pick::A(1), Pick::A(2), Pick::B(3)]);
    write(l, inst, value);
}

/// `arl`: the floor; nv2a_vsh_cpu adds 0.001 first.
///
/// The unit's width is not known ("9 bits, or maybe larger"), so what the constants cannot reach is left as it is and
/// reads as zeros (spec sections 1 and 14).
pub fn arl(l: &mut Lower, inst: &Inst) {
    let value = scalar(l, inst);
    let floor = if is_cpu(l) {
        let bias = l.b.floats([0.001; 4]);
        let sum = l.b.map2(Op2::FAdd, value, bias);
        l.b.map1(Op1::FFloor, sum)
    } else {
        l.b.map1(Op1::FFloorTrunc, value)
    };
    let index = l.b.map1(Op1::ITrunc, floor);
    l.write(&Operand { reg: A0, mask: Mask(0b0001), ..Operand::default() }, index);
}

fn unary(l: &mut Lower, inst: &Inst, op: Op1) {
    let value = scalar(l, inst);
    let result = l.b.map1(op, value);
    write(l, inst, result);
}

fn one_over(l: &mut Lower, value: Value) -> Value {
    let one = l.b.floats([1.0; 4]);
    l.b.map2(Op2::FDiv, one, value)
}

/// `rcp`
pub fn rcp(l: &mut Lower, inst: &Inst) {
    if !is_cpu(l) {
        return unary(l, inst, Op1::FRcpTrunc);
    }
    let value = scalar(l, inst);
    let result = one_over(l, value);
    write(l, inst, result);
}

/// `rcc`
pub fn rcc(l: &mut Lower, inst: &Inst) {
    unary(l, inst, if is_cpu(l) { Op1::FRccLoose } else { Op1::FRccTrunc });
}

/// `rsq`, of the magnitude.
pub fn rsq(l: &mut Lower, inst: &Inst) {
    if !is_cpu(l) {
        return unary(l, inst, Op1::FRsqTrunc);
    }
    let value = scalar(l, inst);
    let magnitude = l.b.map1(Op1::FAbs, value);
    let root = l.b.map1(Op1::FSqrt, magnitude);
    let result = one_over(l, root);
    write(l, inst, result);
}

/// `expp`
pub fn expp(l: &mut Lower, inst: &Inst) {
    let value = scalar(l, inst);
    let [x, y, z] = if is_cpu(l) {
        let floor = l.b.map1(Op1::FFloor, value);
        [l.b.map1(Op1::FExp2, floor), l.b.map2(Op2::FSub, value, floor), l.b.map1(Op1::FExp2, value)]
    } else {
        let floor = l.b.map1(Op1::FFloorTrunc, value);
        [
            l.b.map1(Op1::FExp2Trunc, floor),
            l.b.map1(Op1::FFractTrunc, value),
            l.b.map1(Op1::FExp2Trunc, value),
        ]
    };
    let result = gather(l, x, y, z);
    write(l, inst, result);
}

/// `logp`, of the magnitude.
pub fn logp(l: &mut Lower, inst: &Inst) {
    let value = scalar(l, inst);
    let (value, ops) = if is_cpu(l) {
        (l.b.map1(Op1::FAbs, value), [Op1::FExponentUnsigned, Op1::FMantissa, Op1::FLog2])
    } else {
        (value, [Op1::FExponentTrunc, Op1::FMantissaTrunc, Op1::FLog2Trunc])
    };
    let [x, y, z] = ops.map(|op| l.b.map1(op, value));
    let result = gather(l, x, y, z);
    write(l, inst, result);
}

/// The largest power of `lit` under `cpu`: 127.9961.
const CPU_LIT_POWER: f32 = 127.9961;

/// `lit`: lanes x, y and w of the source.
pub fn lit(l: &mut Lower, inst: &Inst) {
    let value = l.read_components(&inst.operands[FIRST_SOURCE], Mask(0b1011));
    let [x, y, w] = [0, 1, 3].map(|lane| splat(l, value, lane));
    let zero = l.b.floats([0.0; 4]);
    let (diffuse, specular) = if is_cpu(l) {
        let (most, least) = (l.b.floats([CPU_LIT_POWER; 4]), l.b.floats([-CPU_LIT_POWER; 4]));
        // In this order a NaN power passes, as it does in the emulator.
        let below = l.b.map2(Op2::FMinStrict, most, w);
        let power = l.b.map2(Op2::FMaxStrict, least, below);
        (l.b.map2(Op2::FMaxStrict, x, zero), l.b.map3(Op3::FLit, x, y, power))
    } else {
        (l.b.map2(Op2::FMaxTotal, x, zero), l.b.map3(Op3::FLitTrunc, x, y, w))
    };
    let yz = l.b.shuffle(diffuse, specular, [Pick::One, Pick::A(1), Pick::B(2), Pick::One]);
    write(l, inst, yz);
}
