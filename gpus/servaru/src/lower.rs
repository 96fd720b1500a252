//! One function per row: its meaning, as IR (spec section C).

use crate::encoding::{unit, value};
use crate::regs::TESTED;
use gpuzoo_ir::{self as ir, Dot, NAN, ONE, Op1, Op2, Op3, Pick, Value};
use gpuzoo_isa::{Inst, Lower, Mask, Operand, Swizzle};

const XYZ: Mask = Mask(0b0111);
const XYW: Mask = Mask(0b1011);

/// How a texture is read. With the unit it makes the number of an IR sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Read {
    /// `TEX`: the quad's differences give the level.
    Filtered = 0,
    /// `TXB`: w is added to the level.
    Biased = 1,
    /// `TXF`: texel and level by number.
    Texel = 2,
}

impl Read {
    /// The number of an IR sample of a unit.
    pub fn sample(self, unit: u8) -> u8 {
        (self as u8) << 2 | unit & 3
    }

    /// What an IR sample's number says: how and which unit.
    pub fn of_sample(number: u8) -> (Read, usize) {
        let read = match number >> 2 {
            0 => Read::Filtered,
            1 => Read::Biased,
            _ => Read::Texel,
        };
        (read, usize::from(number & 3))
    }
}

/// The value of a source whose components in `wanted` are used: a number in all of them, or a register swizzled and negated.
fn read(l: &mut Lower, operand: &Operand, wanted: Mask) -> Value {
    match value(operand) {
        Some(bits) => l.b.constant([bits; 4]),
        None => l.read_components(operand, wanted),
    }
}

/// The values of an instruction's sources. Of a scalar one the x component after the swizzle is in all four.
fn operands<const N: usize>(l: &mut Lower, inst: &Inst, wanted: [Mask; N]) -> [Value; N] {
    let mut values = [Value(0); N];
    for ((value, wanted), (part, operand)) in values.iter_mut().zip(wanted).zip(inst.reads()) {
        let one = Operand { swizzle: Swizzle::broadcast(operand.swizzle.components()[0]), ..*operand };
        *value = read(l, if part.scalar { &one } else { operand }, wanted);
    }
    values
}

/// The components that an instruction writes.
fn written(inst: &Inst) -> Mask {
    inst.operands[0].mask
}

/// `wanted`, or none where nothing is written.
fn if_written(inst: &Inst, wanted: Mask) -> Mask {
    if written(inst).is_empty() { Mask(0) } else { wanted }
}

fn write(l: &mut Lower, inst: &Inst, value: Value) {
    l.write(&inst.operands[0], value);
}

fn unary(l: &mut Lower, inst: &Inst, op: Op1) {
    let [a] = operands(l, inst, [written(inst)]);
    let result = l.b.map1(op, a);
    write(l, inst, result);
}

fn binary(l: &mut Lower, inst: &Inst, op: Op2) {
    let [a, b] = operands(l, inst, [written(inst); 2]);
    let result = l.b.map2(op, a, b);
    write(l, inst, result);
}

fn scalar(l: &mut Lower, inst: &Inst, op: Op1) {
    let [s] = operands(l, inst, [if_written(inst, Mask::ALL)]);
    let result = l.b.map1(op, s);
    write(l, inst, result);
}

macro_rules! rows {
    ($shape:ident: $($name:ident = $op:expr, $text:literal;)*) => {
        $(#[doc = $text] pub fn $name(l: &mut Lower, inst: &Inst) { $shape(l, inst, $op) })*
    };
}

rows! { unary:
    abs = Op1::FAbs, "`ABS`";
    flr = Op1::FFloor, "`FLR`";
}

rows! { binary:
    add = Op2::FAdd, "`ADD`";
    max = Op2::FMaxStrict, "`MAX`: a > b ? a : b";
    mul = Op2::FMul, "`MUL`";
    sge = Op2::FSge, "`SGE`";
    slt = Op2::FSlt, "`SLT`";
    sub = Op2::FSub, "`SUB`";
}

rows! { scalar:
    ex2 = Op1::FExp2, "`EX2`";
    lg2 = Op1::FLog2, "`LG2`";
}

/// `MOV`
pub fn mov(l: &mut Lower, inst: &Inst) {
    let [a] = operands(l, inst, [written(inst)]);
    write(l, inst, a);
}

/// `MIN`: a > b ? b : a, which is b < a ? b : a.
pub fn min(l: &mut Lower, inst: &Inst) {
    let [a, b] = operands(l, inst, [written(inst); 2]);
    let result = l.b.map2(Op2::FMinStrict, b, a);
    write(l, inst, result);
}

/// `FRC`
pub fn frc(l: &mut Lower, inst: &Inst) {
    let [a] = operands(l, inst, [written(inst)]);
    let floor = l.b.map1(Op1::FFloor, a);
    let result = l.b.map2(Op2::FSub, a, floor);
    write(l, inst, result);
}

/// `MAD`
pub fn mad(l: &mut Lower, inst: &Inst) {
    let [a, b, c] = operands(l, inst, [written(inst); 3]);
    let result = l.b.map3(Op3::FMad, a, b, c);
    write(l, inst, result);
}

/// `LRP`: a*b + (1 - a)*c, each rounded.
pub fn lrp(l: &mut Lower, inst: &Inst) {
    let [a, b, c] = operands(l, inst, [written(inst); 3]);
    let one = l.b.constant([ONE; 4]);
    let rest = l.b.map2(Op2::FSub, one, a);
    let near = l.b.map2(Op2::FMul, a, b);
    let far = l.b.map2(Op2::FMul, rest, c);
    let result = l.b.map2(Op2::FAdd, near, far);
    write(l, inst, result);
}

/// `CMP`: a < 0 ? b : c.
pub fn cmp(l: &mut Lower, inst: &Inst) {
    let [a, b, c] = operands(l, inst, [written(inst); 3]);
    let zero = l.b.constant([0; 4]);
    let below = l.b.map2(Op2::FSlt, a, zero);
    let result = l.b.map3(Op3::ISelect, below, c, b);
    write(l, inst, result);
}

/// `DP3`
pub fn dp3(l: &mut Lower, inst: &Inst) {
    let [a, b] = operands(l, inst, [if_written(inst, XYZ); 2]);
    let result = l.b.dot(Dot::Dot3, a, b);
    write(l, inst, result);
}

/// `DP4`
pub fn dp4(l: &mut Lower, inst: &Inst) {
    let [a, b] = operands(l, inst, [if_written(inst, Mask::ALL); 2]);
    let result = l.b.dot(Dot::Dot4, a, b);
    write(l, inst, result);
}

/// `DPH`: a.w taken as 1, and 1 × b.w is b.w.
pub fn dph(l: &mut Lower, inst: &Inst) {
    let [a, b] = operands(l, inst, [if_written(inst, XYZ), if_written(inst, Mask::ALL)]);
    let a = l.b.shuffle(a, a, [Pick::A(0), Pick::A(1), Pick::A(2), Pick::One]);
    let result = l.b.dot(Dot::Dot4, a, b);
    write(l, inst, result);
}

/// `DST`: (1, a.y*b.y, a.z, b.w).
pub fn dst(l: &mut Lower, inst: &Inst) {
    let mask = written(inst).0;
    let [a, b] = operands(l, inst, [Mask(mask & 0b0110), Mask(mask & 0b1010)]);
    let product = l.b.map2(Op2::FMul, a, b);
    let first = l.b.shuffle(product, a, [Pick::One, Pick::A(1), Pick::B(2), Pick::Zero]);
    let result = l.b.shuffle(first, b, [Pick::A(0), Pick::A(1), Pick::A(2), Pick::B(3)]);
    write(l, inst, result);
}

/// `XPD`: w is 0.
pub fn xpd(l: &mut Lower, inst: &Inst) {
    let [a, b] = operands(l, inst, [if_written(inst, XYZ); 2]);
    let (yzx, zxy) = ([1, 2, 0, 3], [2, 0, 1, 3]);
    let [a_yzx, a_zxy] = [yzx, zxy].map(|order| l.b.swizzle(a, order));
    let [b_yzx, b_zxy] = [yzx, zxy].map(|order| l.b.swizzle(b, order));
    let plus = l.b.map2(Op2::FMul, a_yzx, b_zxy);
    let minus = l.b.map2(Op2::FMul, a_zxy, b_yzx);
    let result = l.b.map2(Op2::FSub, plus, minus);
    let result = l.b.shuffle(result, result, [Pick::A(0), Pick::A(1), Pick::A(2), Pick::Zero]);
    write(l, inst, result);
}

/// `RCP`
pub fn rcp(l: &mut Lower, inst: &Inst) {
    let [s] = operands(l, inst, [if_written(inst, Mask::ALL)]);
    let one = l.b.constant([ONE; 4]);
    let result = l.b.map2(Op2::FDiv, one, s);
    write(l, inst, result);
}

/// `RSQ`
pub fn rsq(l: &mut Lower, inst: &Inst) {
    let [s] = operands(l, inst, [if_written(inst, Mask::ALL)]);
    let magnitude = l.b.map1(Op1::FAbs, s);
    let root = l.b.map1(Op1::FSqrt, magnitude);
    let one = l.b.constant([ONE; 4]);
    let result = l.b.map2(Op2::FDiv, one, root);
    write(l, inst, result);
}

/// base ^ exponent: NaN for a negative base and NaN, 1 for exponent 0 and base 1, else as `FPow`, whose only other NaN comes
/// from a NaN exponent.
fn power(l: &mut Lower, base: Value, exponent: Value) -> Value {
    let (zero, one) = (l.b.constant([0; 4]), l.b.constant([ONE; 4]));
    let power = l.b.map2(Op2::FPow, base, exponent);
    let exponent_magnitude = l.b.map1(Op1::FAbs, exponent);
    let power = l.b.map3(Op3::ISelect, exponent_magnitude, one, power);
    let off_one = l.b.map2(Op2::IXor, base, one);
    let power = l.b.map3(Op3::ISelect, off_one, one, power);
    let valid = l.b.map2(Op2::FSge, base, zero);
    let nan = l.b.constant([NAN; 4]);
    l.b.map3(Op3::ISelect, valid, nan, power)
}

/// `POW`
pub fn pow(l: &mut Lower, inst: &Inst) {
    let [s, t] = operands(l, inst, [if_written(inst, Mask::ALL); 2]);
    let result = power(l, s, t);
    write(l, inst, result);
}

/// `LIT`: (1, max(x, 0), x > 0 ? max(y, 0) ^ w : 0, 1) with w kept within ±128.
pub fn lit(l: &mut Lower, inst: &Inst) {
    let wanted = match written(inst).0 {
        mask if mask & 0b0100 != 0 => XYW,
        mask => Mask(mask >> 1 & 1),
    };
    let [a] = operands(l, inst, [wanted]);
    let zero = l.b.constant([0; 4]);
    let (most, least) = (l.b.floats([128.0; 4]), l.b.floats([-128.0; 4]));
    let positive = l.b.map2(Op2::FMaxStrict, a, zero);
    let exponent = l.b.map2(Op2::FMaxStrict, a, least);
    let exponent = l.b.map2(Op2::FMinStrict, exponent, most);
    let (x, y, w) = (l.b.swizzle(a, [0; 4]), l.b.swizzle(positive, [1; 4]), l.b.swizzle(exponent, [3; 4]));
    let power = power(l, y, w);
    let lit = l.b.map2(Op2::FSlt, zero, x);
    let highlight = l.b.map3(Op3::ISelect, lit, zero, power);
    let result = l.b.shuffle(positive, highlight, [Pick::One, Pick::A(0), Pick::B(2), Pick::One]);
    write(l, inst, result);
}

/// `KIL`: the IR's kill has the same rule.
pub fn kil(l: &mut Lower, inst: &Inst) {
    let [a] = operands(l, inst, [Mask::ALL]);
    l.b.push(ir::Inst::Kill(a));
}

/// `EXC`: a kill that always takes effect.
pub fn exc(l: &mut Lower, _: &Inst) {
    let below = l.b.floats([-1.0; 4]);
    l.b.push(ir::Inst::Kill(below));
    l.end();
}

fn sample(l: &mut Lower, inst: &Inst, how: Read, wanted: Mask) {
    let [at] = operands(l, inst, [if_written(inst, wanted)]);
    // Other units make the word illegal, so that it is not lowered.
    let unit = unit(inst).unwrap_or(0);
    let texel = l.b.push(ir::Inst::Sample(how.sample(unit), at));
    write(l, inst, texel);
}

/// `TEX`
pub fn tex(l: &mut Lower, inst: &Inst) {
    sample(l, inst, Read::Filtered, Mask(0b0011));
}

/// `TXB`
pub fn txb(l: &mut Lower, inst: &Inst) {
    sample(l, inst, Read::Biased, XYW);
}

/// `TXF`
pub fn txf(l: &mut Lower, inst: &Inst) {
    sample(l, inst, Read::Texel, XYW);
}

/// `ZTS`: notes the depth; who has the depth buffer tests it when the run is over.
pub fn zts(l: &mut Lower, inst: &Inst) {
    let [s] = operands(l, inst, [Mask::ALL]);
    l.write(&Operand { reg: TESTED, ..Operand::default() }, s);
}
