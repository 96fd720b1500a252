//! The loops of [`body`](crate::body), compiled once for each instruction set.

use crate::block::BLOCK;
use crate::body::{self, GROUP, Source};

/// An instruction set that this processor has, and the loops compiled for it.
///
/// Each loop is a function of its own: there the compiler knows that the destination does not alias other memory, which
/// it forgets when it puts many loops into one function, and without which it vectorises no table look-up.
pub(crate) trait Simd: Copy {
    fn map1<A: Source>(self, to: &mut [u32; BLOCK], groups: usize, a: A, f: impl Fn(f32) -> f32);

    fn map2<A: Source, B: Source>(
        self,
        to: &mut [u32; BLOCK],
        groups: usize,
        from: (A, B),
        f: impl Fn(f32, f32) -> f32,
    );

    fn map3<A: Source, B: Source, C: Source>(
        self,
        to: &mut [u32; BLOCK],
        groups: usize,
        from: (A, B, C),
        f: impl Fn(f32, f32, f32) -> f32,
    );

    fn products<const N: usize, A: Source, B: Source>(
        self,
        to: &mut [u32; BLOCK],
        groups: usize,
        from: ([A; N], [B; N]),
        f: impl Fn([f32; N], [f32; N]) -> f32,
    );

    fn mark(self, to: &mut [u32], groups: usize, values: [&[u32; BLOCK]; 4]);

    fn gather(
        self,
        to: &mut [u32; BLOCK],
        groups: usize,
        from: &[&[u32; BLOCK]],
        one: impl Fn(usize) -> u32,
        all: impl Fn(usize, &mut [u32; GROUP]),
    );
}

macro_rules! simd {
    ($name:ident, $function:meta) => {
        impl Simd for $name {
            #[inline(always)]
            fn map1<A: Source>(self, to: &mut [u32; BLOCK], groups: usize, a: A, f: impl Fn(f32) -> f32) {
                #[$function]
                fn compiled<A: Source, F: Fn(f32) -> f32>(to: &mut [u32; BLOCK], groups: usize, a: A, f: F) {
                    body::map1(to, groups, a, f);
                }
                // SAFETY: a value of this type is made only after the processor was seen to have the features.
                #[allow(unused_unsafe)]
                unsafe {
                    compiled(to, groups, a, f);
                }
            }

            #[inline(always)]
            fn map2<A: Source, B: Source>(
                self,
                to: &mut [u32; BLOCK],
                groups: usize,
                from: (A, B),
                f: impl Fn(f32, f32) -> f32,
            ) {
                #[$function]
                fn compiled<A: Source, B: Source, F: Fn(f32, f32) -> f32>(
                    to: &mut [u32; BLOCK],
                    groups: usize,
                    from: (A, B),
                    f: F,
                ) {
                    body::map2(to, groups, from, f);
                }
                // SAFETY: as above.
                #[allow(unused_unsafe)]
                unsafe {
                    compiled(to, groups, from, f);
                }
            }

            #[inline(always)]
            fn map3<A: Source, B: Source, C: Source>(
                self,
                to: &mut [u32; BLOCK],
                groups: usize,
                from: (A, B, C),
                f: impl Fn(f32, f32, f32) -> f32,
            ) {
                #[$function]
                fn compiled<A: Source, B: Source, C: Source, F: Fn(f32, f32, f32) -> f32>(
                    to: &mut [u32; BLOCK],
                    groups: usize,
                    from: (A, B, C),
                    f: F,
                ) {
                    body::map3(to, groups, from, f);
                }
                // SAFETY: as above.
                #[allow(unused_unsafe)]
                unsafe {
                    compiled(to, groups, from, f);
                }
            }

            #[inline(always)]
            fn products<const N: usize, A: Source, B: Source>(
                self,
                to: &mut [u32; BLOCK],
                groups: usize,
                from: ([A; N], [B; N]),
                f: impl Fn([f32; N], [f32; N]) -> f32,
            ) {
                #[$function]
                fn compiled<const N: usize, A: Source, B: Source, F: Fn([f32; N], [f32; N]) -> f32>(
                    to: &mut [u32; BLOCK],
                    groups: usize,
                    from: ([A; N], [B; N]),
                    f: F,
                ) {
                    body::products(to, groups, from, f);
                }
                // SAFETY: as above.
                #[allow(unused_unsafe)]
                unsafe {
                    compiled(to, groups, from, f);
                }
            }

            #[inline(always)]
            fn mark(self, to: &mut [u32], groups: usize, values: [&[u32; BLOCK]; 4]) {
                #[$function]
                fn compiled(to: &mut [u32], groups: usize, values: [&[u32; BLOCK]; 4]) {
                    body::mark(to, groups, values);
                }
                // SAFETY: as above.
                #[allow(unused_unsafe)]
                unsafe {
                    compiled(to, groups, values);
                }
            }

            #[inline(always)]
            fn gather(
                self,
                to: &mut [u32; BLOCK],
                groups: usize,
                from: &[&[u32; BLOCK]],
                one: impl Fn(usize) -> u32,
                all: impl Fn(usize, &mut [u32; GROUP]),
            ) {
                #[$function]
                fn compiled<O: Fn(usize) -> u32, A: Fn(usize, &mut [u32; GROUP])>(
                    to: &mut [u32; BLOCK],
                    groups: usize,
                    from: &[&[u32; BLOCK]],
                    one: O,
                    all: A,
                ) {
                    body::gather(to, groups, from, one, all);
                }
                // SAFETY: as above.
                #[allow(unused_unsafe)]
                unsafe {
                    compiled(to, groups, from, one, all);
                }
            }
        }
    };
}

/// The baseline of the target.
#[derive(Clone, Copy)]
pub(crate) struct Portable;

simd!(Portable, inline(never));

#[cfg(target_arch = "x86_64")]
pub(crate) use x86::{Avx2, Avx512};

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{BLOCK, GROUP, Simd, Source, body};
    use crate::Level;

    /// AVX2, without FMA: nothing may be fused.
    #[derive(Clone, Copy)]
    pub(crate) struct Avx2(());

    impl Avx2 {
        /// # Safety
        /// The processor has AVX2.
        pub(crate) unsafe fn new() -> Avx2 {
            debug_assert!(Level::Avx2.is_supported());
            Avx2(())
        }
    }

    simd!(Avx2, target_feature(enable = "avx2"));

    /// AVX-512 as [`Level::Avx512`](crate::Level::Avx512) has it.
    #[derive(Clone, Copy)]
    pub(crate) struct Avx512(());

    impl Avx512 {
        /// # Safety
        /// The processor has AVX2 and AVX-512 F, BW, DQ and VL.
        pub(crate) unsafe fn new() -> Avx512 {
            debug_assert!(Level::Avx512.is_supported());
            Avx512(())
        }
    }

    simd!(Avx512, target_feature(enable = "avx2,avx512f,avx512bw,avx512dq,avx512vl"));
}
