//! One function per row: its meaning, as IR (spec section 3).

use crate::regs::R;
use gpuzoo_ir::{Dot, Op1, Op2, Op3, Pick};
use gpuzoo_isa::{Inst, Lower, Operand, Reg};

/// `ld`, `st`, `ldc` and `shf`: the operands say the rest.
pub fn copy(l: &mut Lower, inst: &Inst) {
    let [dst, src, ..] = &inst.operands;
    let value = l.read_components(src, dst.mask);
    l.write(dst, value);
}

fn unary(l: &mut Lower, inst: &Inst, op: Op1) {
    let [dst, src, ..] = &inst.operands;
    let value = l.read(src);
    let result = l.b.map1(op, value);
    l.write(dst, result);
}

fn binary(l: &mut Lower, inst: &Inst, op: Op2) {
    let [dst, src, ..] = &inst.operands;
    let (a, b) = (l.read(dst), l.read(src));
    let result = l.b.map2(op, a, b);
    l.write(dst, result);
}

macro_rules! rows {
    ($shape:ident: $($name:ident = $op:expr, $text:literal;)*) => {
        $(#[doc = $text] pub fn $name(l: &mut Lower, inst: &Inst) { $shape(l, inst, $op) })*
    };
}

rows! { unary:
    abs = Op1::FAbs, "`abs`";
    sign = Op1::FSign, "`sign`";
    sqrt = Op1::FSqrt, "`sqrt`";
    exp = Op1::FExp, "`exp`";
    log = Op1::FLog, "`log`";
    sin = Op1::FSin, "`sin`";
    cos = Op1::FCos, "`cos`";
    tan = Op1::FTan, "`tan`";
    asin = Op1::FAsin, "`asin`";
    acos = Op1::FAcos, "`acos`";
    atan = Op1::FAtan, "`atan`";
}

rows! { binary:
    add = Op2::FAdd, "`add`";
    sub = Op2::FSub, "`sub`";
    mul = Op2::FMul, "`mul`";
    div = Op2::FDiv, "`div`";
    pow = Op2::FPow, "`pow`";
    min = Op2::FMin, "`min`";
    max = Op2::FMax, "`max`";
    atan2 = Op2::FAtan2, "`atan2`";
}

/// `dot`: the product in x, zeros elsewhere.
pub fn dot(l: &mut Lower, inst: &Inst) {
    let [dst, src, ..] = &inst.operands;
    let (a, b) = (l.read(dst), l.read(src));
    let dot = l.b.dot(Dot::Dot4, a, b);
    let result = l.b.shuffle(dot, dot, [Pick::A(0), Pick::Zero, Pick::Zero, Pick::Zero]);
    l.write(dst, result);
}

/// The register that holds column `n` of a matrix whose first column is `src`: beyond r15 it stays r15.
pub fn column(src: &Operand, n: u16) -> Reg {
    Reg { file: R, index: (src.reg.index + n).min(15) }
}

/// `mulm`: the sum starts from the w column.
pub fn mulm(l: &mut Lower, inst: &Inst) {
    let [dst, src, ..] = &inst.operands;
    let vector = l.read(dst);
    let columns = [0, 1, 2, 3].map(|n| l.reg(column(src, n)));
    let w = l.b.swizzle(vector, [3; 4]);
    let mut sum = l.b.map2(Op2::FMul, columns[3], w);
    for component in [2, 1, 0] {
        let factor = l.b.swizzle(vector, [component; 4]);
        sum = l.b.map3(Op3::FMad, columns[component as usize], factor, sum);
    }
    l.write(dst, sum);
}

/// `end`
pub fn end(l: &mut Lower, _: &Inst) {
    l.end();
}
