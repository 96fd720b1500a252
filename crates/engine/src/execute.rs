//! Steps on a block.

use gpuzoo_ir::{Dot, Op2, Visitor1, Visitor2, Visitor3, arith};

use crate::block::{BLOCK, Block, uniform};
use crate::body::{GROUP, Source};
use crate::level::{Level, Supported};
use crate::program::Step;
#[cfg(target_arch = "x86_64")]
use crate::simd::{Avx2, Avx512};
use crate::simd::{Portable, Simd};

/// Runs the steps on a block.
pub(crate) fn execute(level: Supported, steps: &[Step], block: &mut Block) {
    match level.level() {
        Level::Portable => run(Portable, steps, block),
        // SAFETY: `Supported` is only made of levels whose features this processor was seen to have.
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 => run(unsafe { Avx2::new() }, steps, block),
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 | Level::Jit => run(unsafe { Avx512::new() }, steps, block),
        #[cfg(not(target_arch = "x86_64"))]
        Level::Avx2 | Level::Avx512 | Level::Jit => run(Portable, steps, block),
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

fn run<S: Simd>(simd: S, steps: &[Step], block: &mut Block) {
    let groups = block.context.lanes.div_ceil(GROUP);
    for step in steps {
        match *step {
            Step::Splat(to, scalar) => block.write(to, |block, to| {
                to[..groups * GROUP].fill(block.context.scalars[usize::from(scalar)]);
            }),
            Step::UniformAt { to, index, base, count, component } => block.write(to, |block, to| {
                let find = |index| uniform(block.context.uniforms, index, base, count, component);
                simd.gather(to, groups, block.column(index), find);
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
                match op {
                    Op2::FAdd => simd.map2(to, groups, from, arith::fadd::<f32>),
                    Op2::FSub => simd.map2(to, groups, from, arith::fsub::<f32>),
                    Op2::FMul => simd.map2(to, groups, from, arith::fmul::<f32>),
                    Op2::FDiv => simd.map2(to, groups, from, arith::fdiv::<f32>),
                    Op2::FMin => simd.map2(to, groups, from, arith::fmin::<f32>),
                    Op2::FMax => simd.map2(to, groups, from, arith::fmax::<f32>),
                    Op2::FMulTrunc => simd.map2(to, groups, from, arith::fmul_trunc::<f32>),
                    Op2::FMulFinite => simd.map2(to, groups, from, arith::fmul_finite::<f32>),
                    // `takes_scalar` has no others.
                    _ => {}
                }
            }),
            Step::Map2Left(op, to, a, b) => block.write(to, |block, to| {
                let from = (block.scalar(a), block.column(b));
                match op {
                    Op2::FSub => simd.map2(to, groups, from, arith::fsub::<f32>),
                    Op2::FDiv => simd.map2(to, groups, from, arith::fdiv::<f32>),
                    Op2::FMin => simd.map2(to, groups, from, arith::fmin::<f32>),
                    Op2::FMax => simd.map2(to, groups, from, arith::fmax::<f32>),
                    // The others of `takes_scalar` commute.
                    _ => {}
                }
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
                if let Some(jit) = block.context.jit {
                    jit.run(number, groups, block);
                }
            }
            Step::Kill(values) => {
                let killed = std::mem::take(&mut block.context.killed);
                simd.mark(killed, groups, block.columns(values));
                block.context.killed = killed;
            }
        }
    }
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
