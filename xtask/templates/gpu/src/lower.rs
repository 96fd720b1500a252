//! One function per row: its meaning, as IR.

use gpuzoo_ir::Op2;
use gpuzoo_isa::{Inst, Lower};

/// `mov`
pub fn mov(l: &mut Lower, inst: &Inst) {
    let [dst, src, ..] = &inst.operands;
    let value = l.read(src);
    l.write(dst, value);
}

/// `add`
pub fn add(l: &mut Lower, inst: &Inst) {
    let [dst, src, ..] = &inst.operands;
    let (a, b) = (l.read(dst), l.read(src));
    let sum = l.b.map2(Op2::FAdd, a, b);
    l.write(dst, sum);
}

/// `end`
pub fn end(l: &mut Lower, _: &Inst) {
    l.end();
}
