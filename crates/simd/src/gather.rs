//! Reading elements by their numbers, many lanes at a time.

use crate::Supported;

/// An element: four bytes, which need not be aligned.
pub type Element = [u8; 4];

impl Supported {
    /// For each lane the element of its number, as a little-endian word. A number beyond the last element means the last; where there
    /// are no elements, all lanes are 0.
    ///
    /// ```
    /// use gpuzoo_simd::{Level, Supported};
    /// let elements = [[1, 0, 0, 0], [0, 1, 0, 0]];
    /// let level = Supported::or_portable(Level::chosen());
    /// assert_eq!(level.gather(&elements, &[1, 0, 0, 9]), [256, 1, 1, 256]);
    /// ```
    #[inline(always)]
    pub fn gather<const N: usize>(self, elements: &[Element], at: &[u32; N]) -> [u32; N] {
        #[cfg(target_arch = "x86_64")]
        if self.level() >= crate::Level::Avx512 && N.is_multiple_of(16) && avx512::is_in_reach(elements) {
            // SAFETY: `Supported` is only made of levels whose features this processor was seen to have; the lanes are
            // whole vectors, and the last element exists and has a number that a vector can say.
            return unsafe { avx512::gather(elements, at) };
        }
        #[cfg(target_arch = "x86_64")]
        if self.level() >= crate::Level::Avx2 && N.is_multiple_of(8) && !elements.is_empty() {
            // SAFETY: as above.
            return unsafe { avx2::gather(elements, at) };
        }
        let mut to = [0; N];
        if let Some(last) = elements.len().checked_sub(1) {
            for (to, at) in to.iter_mut().zip(at) {
                *to = u32::from_le_bytes(elements[(*at as usize).min(last)]);
            }
        }
        to
    }

    /// For each lane the element of its number and the one behind it. A number beyond the last pair means the last pair; where there
    /// are fewer than two elements, all lanes are 0.
    ///
    /// ```
    /// use gpuzoo_simd::{Level, Supported};
    /// let elements = [[1, 0, 0, 0], [2, 0, 0, 0], [3, 0, 0, 0]];
    /// let level = Supported::or_portable(Level::chosen());
    /// assert_eq!(level.gather_pairs(&elements, &[0, 1, 9]), [[1, 2, 2], [2, 3, 3]]);
    /// ```
    #[inline(always)]
    pub fn gather_pairs<const N: usize>(self, elements: &[Element], at: &[u32; N]) -> [[u32; N]; 2] {
        #[cfg(target_arch = "x86_64")]
        if self.level() >= crate::Level::Avx2 && N.is_multiple_of(8) && elements.len() >= 2 {
            // SAFETY: as above, and there are two elements.
            return unsafe { avx2::gather_pairs(elements, at) };
        }
        let mut to = [[0; N]; 2];
        let last = elements.len().saturating_sub(2);
        for lane in 0..N {
            if let Some(pair) = elements[(at[lane] as usize).min(last)..].first_chunk::<2>() {
                to[0][lane] = u32::from_le_bytes(pair[0]);
                to[1][lane] = u32::from_le_bytes(pair[1]);
            }
        }
        to
    }
}

/// Loads one by one, which are faster than AVX2's gathers, but put together in registers. So are pairs than AVX-512's.
#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::Element;
    use core::arch::x86_64::{
        __m256i, _mm_set_epi32, _mm_set_epi64x, _mm256_castps_si256, _mm256_castsi256_ps,
        _mm256_permute4x64_epi64, _mm256_set_m128i, _mm256_shuffle_ps, _mm256_storeu_si256,
    };

    /// Each number, or the last that there may be.
    #[inline(always)]
    fn bounded<const N: usize>(at: &[u32; N], last: usize) -> [usize; N] {
        let last = u32::try_from(last).unwrap_or(u32::MAX);
        crate::lanes::each(|lane| at[lane].min(last) as usize)
    }

    /// # Safety
    /// `N` is a multiple of 8, and there is an element.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) unsafe fn gather<const N: usize>(elements: &[Element], at: &[u32; N]) -> [u32; N] {
        let mut to = [0; N];
        let at = bounded(at, elements.len() - 1);
        for (to, at) in to.as_chunks_mut::<8>().0.iter_mut().zip(at.as_chunks::<8>().0) {
            // SAFETY: no number is beyond the last element.
            let word = |lane: usize| i32::from_le_bytes(unsafe { *elements.get_unchecked(at[lane]) });
            let low = _mm_set_epi32(word(3), word(2), word(1), word(0));
            let high = _mm_set_epi32(word(7), word(6), word(5), word(4));
            // SAFETY: the chunk is 32 bytes.
            unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast::<__m256i>(), _mm256_set_m128i(high, low)) };
        }
        to
    }

    /// # Safety
    /// `N` is a multiple of 8, and there are two elements.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) unsafe fn gather_pairs<const N: usize>(elements: &[Element], at: &[u32; N]) -> [[u32; N]; 2] {
        let [mut first, mut second] = [[0; N]; 2];
        let at = bounded(at, elements.len() - 2);
        let to = first.as_chunks_mut::<8>().0.iter_mut().zip(second.as_chunks_mut::<8>().0);
        for ((first, second), at) in to.zip(at.as_chunks::<8>().0) {
            // SAFETY: no number is beyond the last element that has one behind it; eight bytes need not be aligned.
            let pair =
                |lane: usize| unsafe { elements.as_ptr().add(at[lane]).cast::<i64>().read_unaligned() };
            let four = |lane: usize| {
                let low = _mm_set_epi64x(pair(lane + 1), pair(lane));
                _mm256_set_m128i(_mm_set_epi64x(pair(lane + 3), pair(lane + 2)), low)
            };
            let [low, high] = [_mm256_castsi256_ps(four(0)), _mm256_castsi256_ps(four(4))];
            // Of each half of a vector the first and then the second elements; then halves change places.
            let firsts = _mm256_castps_si256(_mm256_shuffle_ps::<0x88>(low, high));
            let seconds = _mm256_castps_si256(_mm256_shuffle_ps::<0xdd>(low, high));
            // SAFETY: both chunks are 32 bytes.
            unsafe {
                let to = [first.as_mut_ptr(), second.as_mut_ptr()].map(|to| to.cast::<__m256i>());
                _mm256_storeu_si256(to[0], _mm256_permute4x64_epi64::<0xd8>(firsts));
                _mm256_storeu_si256(to[1], _mm256_permute4x64_epi64::<0xd8>(seconds));
            }
        }
        [first, second]
    }
}

#[cfg(target_arch = "x86_64")]
mod avx512 {
    use super::Element;
    use core::arch::x86_64::{
        __m512i, _mm512_i32gather_epi32, _mm512_loadu_si512, _mm512_min_epu32, _mm512_set1_epi32,
        _mm512_storeu_si512,
    };

    /// Bytes of an element.
    const SIZE: i32 = 4;

    /// True if there are elements, and a vector can say the number of each: it takes it as signed.
    #[inline(always)]
    pub(super) fn is_in_reach(elements: &[Element]) -> bool {
        (1..=i32::MAX as usize).contains(&elements.len())
    }

    /// # Safety
    /// `N` is a multiple of 16, and the elements [are in reach](is_in_reach).
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) unsafe fn gather<const N: usize>(elements: &[Element], at: &[u32; N]) -> [u32; N] {
        let mut to = [0; N];
        let last = _mm512_set1_epi32((elements.len() - 1) as i32);
        for (to, at) in to.as_chunks_mut::<16>().0.iter_mut().zip(at.as_chunks::<16>().0) {
            // SAFETY: both chunks are 64 bytes, and what is read begins at an element: no number is beyond the last.
            unsafe {
                let at = _mm512_min_epu32(_mm512_loadu_si512(at.as_ptr().cast::<__m512i>()), last);
                let words = _mm512_i32gather_epi32::<SIZE>(at, elements.as_ptr().cast());
                _mm512_storeu_si512(to.as_mut_ptr().cast::<__m512i>(), words);
            }
        }
        to
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Level;

    /// Lists of all lengths around the least ones; numbers within, at the ends and far beyond, also those that are negative
    /// as signed ones: what a lane reads is what it reads alone.
    #[test]
    fn lanes_read_what_they_name() {
        for len in [0, 1, 2, 3, 17, 1000] {
            let elements: Vec<Element> =
                (0..len as u32).map(|number| (number ^ 0xa5c3_0000).to_le_bytes()).collect();
            let odd = [
                0,
                1,
                len as u32,
                (len as u32).wrapping_sub(1),
                (len as u32).wrapping_sub(2),
                1 << 31,
                u32::MAX,
            ];
            let at: [u32; 64] =
                std::array::from_fn(|lane| odd.get(lane % 11).copied().unwrap_or(lane as u32));
            let word = |number: usize| number as u32 ^ 0xa5c3_0000;
            let one = at.map(|at| if len > 0 { word((at as usize).min(len - 1)) } else { 0 });
            let pair =
                |behind| at.map(|at| if len > 1 { word((at as usize).min(len - 2) + behind) } else { 0 });
            for level in Level::ALL {
                let level = Supported::or_portable(level);
                assert_eq!(level.gather(&elements, &at), one, "{level:?}, {len} elements");
                assert_eq!(
                    level.gather_pairs(&elements, &at),
                    [pair(0), pair(1)],
                    "{level:?}, {len} elements"
                );
                let few = [at[0], at[2], at[4]];
                assert_eq!(level.gather(&elements, &few), [one[0], one[2], one[4]]);
            }
        }
    }
}
