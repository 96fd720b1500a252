//! Steps on a block.

use gpuzoo_ir::scalar::{Id, Node};
use gpuzoo_ir::{Dot, Visitor1, Visitor2, Visitor3, arith};

use crate::block::{BLOCK, Block, ZEROS};
use crate::body::{GROUP, Source};
use crate::compiled::Jit;
use crate::scalars::with_scalar;
#[cfg(target_arch = "x86_64")]
use crate::simd::{Avx2, Avx512};
use crate::simd::{Portable, Simd};
use crate::step::{Column, Step};
use gpuzoo_simd::{Level, Supported};

/// Runs the steps on a block; `jit` has their loops of machine code, if there are any.
pub(crate) fn execute(level: Supported, steps: &[Step], jit: Option<&Jit>, block: &mut Block) {
    match level.level() {
        Level::Portable => run(Portable, steps, jit, block),
        // SAFETY: `Supported` is only made of levels whose features this processor was seen to have.
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 => run(unsafe { Avx2::new() }, steps, jit, block),
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 | Level::Jit => run(unsafe { Avx512::new() }, steps, jit, block),
        #[cfg(not(target_arch = "x86_64"))]
        Level::Avx2 | Level::Avx512 | Level::Jit => run(Portable, steps, jit, block),
    }
}

/// A loop over lanes that still lacks its function.
struct Loop<'a, S, T> {
    simd: S,
    to: &'a mut [u32; BLOCK],
    groups: usize,
    from: T,
}

impl<S: Simd, A: Source> Visitor1 for Loop<'_, S, A> {
    type Output = ();

    #[inline(always)]
    fn visit(self, function: impl Fn(f32) -> f32 + Copy) {
        self.simd.map1(self.to, self.groups, self.from, function);
    }
}

impl<S: Simd, A: Source, B: Source> Visitor2 for Loop<'_, S, (A, B)> {
    type Output = ();

    #[inline(always)]
    fn visit(self, function: impl Fn(f32, f32) -> f32 + Copy) {
        self.simd.map2(self.to, self.groups, self.from, function);
    }
}

impl<S: Simd, A: Source, B: Source, C: Source> Visitor3 for Loop<'_, S, (A, B, C)> {
    type Output = ();

    #[inline(always)]
    fn visit(self, function: impl Fn(f32, f32, f32) -> f32 + Copy) {
        self.simd.map3(self.to, self.groups, self.from, function);
    }
}

fn run<S: Simd>(simd: S, steps: &[Step], jit: Option<&Jit>, block: &mut Block) {
    let groups = block.context.lanes.div_ceil(GROUP);
    for step in steps {
        match *step {
            Step::Splat(to, scalar) => block.write(to, |block, to| {
                to[..groups * GROUP].fill(block.context.scalars[usize::from(scalar)]);
            }),
            Step::Each(to, number) => block.write(to, |block, to| {
                each(simd, block.context.each[number as usize], to, groups, block);
            }),
            Step::Map1(op, to, a) => {
                block.write(to, |block, to| op.visit(Loop { simd, to, groups, from: block.column(a) }));
            }
            Step::Map2(op, to, [a, b]) => block.write(to, |block, to| {
                op.visit(Loop { simd, to, groups, from: (block.column(a), block.column(b)) });
            }),
            Step::Map3(op, to, [a, b, c]) => block.write(to, |block, to| {
                let from = (block.column(a), block.column(b), block.column(c));
                op.visit(Loop { simd, to, groups, from });
            }),
            Step::Map2Right(op, to, a, b) => block.write(to, |block, to| {
                let from = (block.column(a), block.scalar(b));
                with_scalar(op, Loop { simd, to, groups, from });
            }),
            Step::Map2Left(op, to, a, b) => block.write(to, |block, to| {
                let from = (block.scalar(a), block.column(b));
                with_scalar(op, Loop { simd, to, groups, from });
            }),
            Step::MadScale(to, a, b, c) => block.write(to, |block, to| {
                let from = (block.column(a), block.scalar(b), block.column(c));
                simd.map3(to, groups, from, arith::fmad::<f32>);
            }),
            Step::MadOffset(to, [a, b], c) => block.write(to, |block, to| {
                let from = (block.column(a), block.column(b), block.scalar(c));
                simd.map3(to, groups, from, arith::fmad::<f32>);
            }),
            Step::MadBoth(to, a, [b, c]) => block.write(to, |block, to| {
                let from = (block.column(a), block.scalar(b), block.scalar(c));
                simd.map3(to, groups, from, arith::fmad::<f32>);
            }),
            Step::Dot(which, to, [a, b]) => block.write(to, |block, to| {
                dot(simd, which, to, groups, (block.columns(a), block.columns(b)));
            }),
            Step::DotScalars(which, to, a, b) => block.write(to, |block, to| {
                dot(simd, which, to, groups, (block.columns(a), b.map(|scalar| block.scalar(scalar))));
            }),
            Step::Sample { unit, to, at } => block.sample(unit, to, at),
            Step::Loop(number) => {
                let Some(jit) = jit else { unreachable!("only machine code has loops") };
                jit.run(number, groups, block);
            }
            Step::Kill(values) => {
                let killed = std::mem::take(&mut block.context.killed);
                simd.mark(killed, groups, block.columns(values));
                block.context.killed = killed;
            }
        }
    }
}

/// The most operands of a node: the factors of a dot product.
const OPERANDS: usize = 8;

/// A node that has no loop of its own, from its operands' columns.
#[inline(always)]
fn each<S: Simd>(simd: S, node: Node, to: &mut [u32; BLOCK], groups: usize, block: &Block) {
    let (mut columns, mut count) = ([&ZEROS; OPERANDS], 0);
    let node = node.map_operands(|column| {
        columns[count] = block.column(column as Column);
        count += 1;
        count as Id - 1
    });
    let (columns, uniforms) = (&columns[..count], block.context.uniforms);
    let one = |lane: usize| node.eval(|column| columns[column as usize][lane], &[], uniforms);
    simd.gather(to, groups, columns, one, |group, to| {
        node.eval_lanes(to, |column| columns[column as usize].group(group), uniforms);
    });
}

/// A dot product: of four factors the first three or all.
#[inline(always)]
fn dot<S: Simd, A: Source, B: Source>(
    simd: S,
    dot: Dot,
    to: &mut [u32; BLOCK],
    groups: usize,
    (a, b): ([A; 4], [B; 4]),
) {
    let three = ([a[0], a[1], a[2]], [b[0], b[1], b[2]]);
    match dot {
        Dot::Dot3 => simd.products(to, groups, three, arith::dot::<f32, 3>),
        Dot::Dot4 => simd.products(to, groups, (a, b), arith::dot::<f32, 4>),
        Dot::Dot3Finite => simd.products(to, groups, three, arith::dot_finite::<f32, 3>),
        Dot::Dot4Finite => simd.products(to, groups, (a, b), arith::dot_finite::<f32, 4>),
        Dot::Dot3Trunc => simd.products(to, groups, three, arith::dot_trunc::<f32, 3>),
        Dot::Dot4Trunc => simd.products(to, groups, (a, b), arith::dot_trunc::<f32, 4>),
    }
}
