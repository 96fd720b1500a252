//! The code that the assembler puts around a program (spec section 5).
//!
//! A vertex program begins with `lduni` and `initregs`. A fragment program has its interpolation in front of them: the
//! unit gives each thread the pixel's x and y, and all threads the triangle's vertices, and what the program finds in
//! its input registers is computed from these by ordinary instructions. With P the pixel and A, B, C the vertices, the
//! weights are areas, wc = (B−A)×(P−A) and so on, over the area of the triangle; then
//!
//! ```text
//! Z = 1 / (wa/zA + wb/zB + wc/zC)          attribute = Z × (ca·wa/zA + cb·wb/zB + cc·wc/zC)
//! ```
//!
//! which is perspective correct if z is the distance from the eye. After the program comes one instruction that moves
//! the depth to the component from which it is exported.

use crate::ISA;
use crate::ops::{FCROSS2, FMAD, INIT, INITREGS, LDUNI, SWIZZLE_CODE};
use crate::regs::{COUNT, r};
use gpuzoo_isa::{Bits, Immediates, Inst, Interface, Mask, Port, Reg, Stage, Swizzle};

const FADD: u16 = 0;
const FSUB: u16 = 2;
const FMUL: u16 = 4;
const FDIV: u16 = 6;
const FRCP: u16 = 13;

const ALL: Mask = Mask::ALL;
const XY: Mask = Mask(0b0011);
const Z: Mask = Mask(0b0100);
const ZZZZ: Swizzle = Swizzle(0b10_10_10_10);

/// What the assembler adds before and after a program's own instructions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// The interpolation; nothing in a vertex program.
    pub interpolation: Vec<Bits>,
    /// `lduni` and `initregs`, and the depth's way to its own register where the colour takes its place.
    pub setup: Vec<Bits>,
    /// What makes the depth ready for export.
    pub epilogue: Vec<Bits>,
}

/// Where the unit puts the vertices of a fragment program's triangle: for A, B and C in turn, a register for each
/// input.
///
/// Each is the lowest register above the one before that is not an input.
pub fn vertex_registers(inputs: &[Port]) -> [Vec<Reg>; 3] {
    let mut free = free_registers(inputs);
    [(); 3].map(|()| inputs.iter().map(|_| free.next().unwrap_or_default()).collect())
}

/// The registers that are not inputs, from r0 up.
fn free_registers(inputs: &[Port]) -> impl Iterator<Item = Reg> + use<> {
    let taken = inputs.iter().fold(0u16, |taken, port| taken | 1 << (port.reg.index % COUNT));
    (0..COUNT).filter(move |index| taken >> index & 1 == 0).map(r)
}

/// The frame of a program. `depth` is the register that keeps the depth of a fragment program whose colour goes to the
/// position's register.
pub fn frame(interface: &Interface, depth: Option<Reg>) -> Frame {
    let mut setup = vec![bare(LDUNI)];
    if !interface.undefined_registers {
        setup.push(bare(INITREGS));
    }
    let position = match (interface.stage, interface.inputs.first()) {
        (Stage::Fragment, Some(position)) => position.reg,
        _ => return Frame { setup, ..Frame::default() },
    };
    let mut epilogue = Vec::new();
    match depth {
        Some(depth) => setup.push(spread_z(depth, position)),
        None => epilogue.push(spread_z(position, position)),
    }
    Frame { interpolation: interpolation(&interface.inputs), setup, epilogue }
}

/// In the order of the reference assembler, which decides which registers hold what at the program's start under
/// `#undefinedRegs`.
fn interpolation(inputs: &[Port]) -> Vec<Bits> {
    let vertices = vertex_registers(inputs);
    let [a, b, c] = [0, 1, 2].map(|vertex| vertices[vertex].first().copied().unwrap_or_default());
    let mut free = free_registers(inputs).skip(3 * inputs.len());
    let mut new = || free.next().unwrap_or_default();
    let input = |index: usize| inputs.get(index).map(|port: &Port| port.reg);
    let p = input(0).unwrap_or_default();
    // Attributes are not needed in their registers yet.
    let ab = input(1).unwrap_or_else(&mut new);
    let ac = input(2).unwrap_or_else(&mut new);
    let ap = new();
    let (wc, wb, wa) = (new(), new(), new());
    let mut code = vec![
        op(FSUB, ab, XY, &[b, a]),
        op(FSUB, ac, XY, &[c, a]),
        op(FSUB, ap, XY, &[p, a]),
        op(FCROSS2, wc, ALL, &[ab, ap]),
        op(FCROSS2, wb, ALL, &[ap, ac]),
        op(FCROSS2, wa, ALL, &[ab, ac]),
        op(FDIV, wc, ALL, &[wc, wa]),
        op(FDIV, wb, ALL, &[wb, wa]),
        init(wa, &[1.0; 4]),
        op(FSUB, wa, ALL, &[wa, wb]),
        op(FSUB, wa, ALL, &[wa, wc]),
    ];
    let weights = [(wa, a), (wb, b), (wc, c)];
    code.extend(weights.map(|(weight, vertex)| op(FDIV, weight, Z, &[weight, vertex])));
    code.extend(weights.map(|(weight, _)| spread_z(weight, weight)));
    code.extend(weights.map(|(weight, _)| op(FADD, p, Z, &[p, weight])));
    code.push(op(FRCP, p, Z, &[p]));
    // A's register is free now and takes Z.
    code.push(spread_z(a, p));
    for (index, port) in inputs.iter().enumerate().skip(1) {
        code.push(init(port.reg, &[0.0]));
        for (vertex, (weight, _)) in weights.iter().enumerate() {
            code.push(op(FMAD, port.reg, port.mask(), &[*weight, vertices[vertex][index], port.reg]));
        }
        code.push(op(FMUL, port.reg, ALL, &[port.reg, a]));
    }
    code
}

fn bare(code: u16) -> Bits {
    build(code, |_| {})
}

fn op(code: u16, dst: Reg, mask: Mask, sources: &[Reg]) -> Bits {
    build(code, |inst| {
        (inst.operands[0].reg, inst.operands[0].mask) = (dst, mask);
        inst.operands[1..].iter_mut().zip(sources).for_each(|(operand, reg)| operand.reg = *reg);
    })
}

fn init(dst: Reg, values: &[f32]) -> Bits {
    let values: Vec<u32> = values.iter().map(|value| value.to_bits()).collect();
    build(INIT, |inst| {
        inst.operands[0].reg = dst;
        inst.operands[1].immediates = Immediates::new(&values);
    })
}

/// `swizzle dst src.zzzz`
fn spread_z(dst: Reg, src: Reg) -> Bits {
    build(SWIZZLE_CODE, |inst| {
        inst.operands[0].reg = dst;
        (inst.operands[1].reg, inst.operands[1].swizzle) = (src, ZZZZ);
    })
}

fn build(code: u16, fill: impl FnOnce(&mut Inst)) -> Bits {
    let Some(op) = ISA.halves[0].op(u32::from(code)) else { return Bits::default() };
    let mut inst = Inst::new(op);
    fill(&mut inst);
    ISA.encode(&inst)
}
