//! Work, and the functions that it is compiled into.

use crate::{Level, Supported};

/// Something to do, compiled anew for each level.
pub trait Work {
    /// What comes of it.
    type Output;

    /// Does it. Only what is inlined here is compiled for the level: mark this function and those that it calls in its
    /// loops with `#[inline(always)]`.
    fn run(self) -> Self::Output;

    /// The same where vectors have [`GROUP`](crate::lanes::GROUP) lanes, and not half as many or fewer: for work that goes by
    /// their width.
    #[inline(always)]
    fn run_wide(self) -> Self::Output
    where
        Self: Sized,
    {
        self.run()
    }
}

/// Work as every processor of the target can do it.
#[inline(never)]
fn portable<W: Work>(work: W) -> W::Output {
    work.run()
}

/// AVX2. With FMA on, still nothing is fused but [`f32::mul_add`].
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn avx2<W: Work>(work: W) -> W::Output {
    work.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,avx512f,avx512bw,avx512dq,avx512vl")]
fn avx512<W: Work>(work: W) -> W::Output {
    work.run_wide()
}

impl Supported {
    /// Does some work with the instructions of this level.
    #[inline]
    pub fn run<W: Work>(self, work: W) -> W::Output {
        match self.level() {
            Level::Portable => portable(work),
            // SAFETY: `Supported` is only made of levels whose features this processor was seen to have.
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => unsafe { avx2(work) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 | Level::Jit => unsafe { avx512(work) },
            #[cfg(not(target_arch = "x86_64"))]
            Level::Avx2 | Level::Avx512 | Level::Jit => portable(work),
        }
    }
}

impl Level {
    /// Does some work with the instructions of this level, or the portable ones where the processor does not have it.
    #[inline]
    pub fn run<W: Work>(self, work: W) -> W::Output {
        Supported::or_portable(self).run(work)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sums of products, which would differ if they were fused: 1 + 2⁻²³ squared is 1 + 2⁻²² + 2⁻⁴⁶.
    struct Residues<'a>(&'a mut [f32; 64], f32);

    impl Work for Residues<'_> {
        type Output = f32;

        #[inline(always)]
        fn run(self) -> f32 {
            let Residues(numbers, sum) = self;
            numbers.iter_mut().for_each(|number| *number = *number * *number + sum);
            numbers[63]
        }
    }

    #[test]
    fn nothing_is_fused_on_any_level() {
        for level in Level::ALL {
            let number = 1.0 + f32::EPSILON;
            let mut numbers = [number; 64];
            assert_eq!(level.run(Residues(&mut numbers, -1.0)), 2.0 * f32::EPSILON, "{level:?}");
            assert_eq!(numbers, [2.0 * f32::EPSILON; 64]);
        }
    }
}
