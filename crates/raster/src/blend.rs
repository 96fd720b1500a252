//! Blending: how the colour of a fragment meets the colour that is there.

use crate::rules::ColorRounding;
use crate::unorm::{Bytes, map4, saturate, unpack_lanes};
use gpuzoo_simd::lanes::each;

/// What a colour is multiplied by. In the alpha channel the colour factors mean alpha.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Factor {
    /// 0
    Zero,
    /// 1
    One,
    /// The fragment's colour.
    SourceColor,
    /// 1 - the fragment's colour.
    OneMinusSourceColor,
    /// The fragment's alpha.
    SourceAlpha,
    /// 1 - the fragment's alpha.
    OneMinusSourceAlpha,
    /// The stored alpha.
    DestinationAlpha,
    /// 1 - the stored alpha.
    OneMinusDestinationAlpha,
    /// The stored colour.
    DestinationColor,
    /// 1 - the stored colour.
    OneMinusDestinationColor,
}

impl Factor {
    /// In lanes, for one component.
    #[inline(always)]
    fn values<const N: usize>(
        self,
        source: &[[f32; N]; 4],
        destination: &[[f32; N]; 4],
        component: usize,
    ) -> [f32; N] {
        #[inline(always)]
        fn one_minus<const N: usize>(column: &[f32; N]) -> [f32; N] {
            each(|lane| 1.0 - column[lane])
        }
        match self {
            Factor::Zero => [0.0; N],
            Factor::One => [1.0; N],
            Factor::SourceColor => source[component],
            Factor::OneMinusSourceColor => one_minus(&source[component]),
            Factor::SourceAlpha => source[3],
            Factor::OneMinusSourceAlpha => one_minus(&source[3]),
            Factor::DestinationAlpha => destination[3],
            Factor::OneMinusDestinationAlpha => one_minus(&destination[3]),
            Factor::DestinationColor => destination[component],
            Factor::OneMinusDestinationColor => one_minus(&destination[component]),
        }
    }
}

/// How the two products (S, the fragment's, and D, the stored one) become one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Equation {
    /// S + D
    Add,
    /// S - D
    Subtract,
    /// D - S
    ReverseSubtract,
    /// The smaller of the colours themselves; factors do not count.
    Min,
    /// The larger of the colours themselves; factors do not count.
    Max,
}

/// The blending of some channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlendChannels {
    /// Joins the products.
    pub equation: Equation,
    /// Multiplies the fragment's colour.
    pub source: Factor,
    /// Multiplies the stored colour.
    pub destination: Factor,
}

impl BlendChannels {
    #[inline(always)]
    fn apply<const N: usize>(
        self,
        source: &[[f32; N]; 4],
        destination: &[[f32; N]; 4],
        component: usize,
    ) -> [f32; N] {
        let (a, b) = (&source[component], &destination[component]);
        let by_source = self.source.values(source, destination, component);
        let by_destination = self.destination.values(source, destination, component);
        let product = (
            #[inline(always)]
            |lane: usize| a[lane] * by_source[lane],
            #[inline(always)]
            |lane: usize| b[lane] * by_destination[lane],
        );
        match self.equation {
            Equation::Add => each(|lane| product.0(lane) + product.1(lane)),
            Equation::Subtract => each(|lane| product.0(lane) - product.1(lane)),
            Equation::ReverseSubtract => each(|lane| product.1(lane) - product.0(lane)),
            Equation::Min => each(|lane| a[lane].min(b[lane])),
            Equation::Max => each(|lane| a[lane].max(b[lane])),
        }
    }
}

/// The blending of a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blend {
    /// Red, green and blue.
    pub rgb: BlendChannels,
    /// Alpha.
    pub alpha: BlendChannels,
}

impl Blend {
    /// The fragment's colour replaces the stored one.
    pub const REPLACE: Blend = Blend::new(Equation::Add, Factor::One, Factor::Zero);

    /// The same for all four channels.
    pub const fn new(equation: Equation, source: Factor, destination: Factor) -> Blend {
        let channels = BlendChannels { equation, source, destination };
        Blend { rgb: channels, alpha: channels }
    }

    /// The bytes to store. The fragment's colour is first brought into 0 to 1, where NaN counts as 0. All arithmetic is
    /// in single precision.
    #[inline]
    pub fn apply(&self, source: [f32; 4], stored: [u8; 4], rounding: ColorRounding) -> [u8; 4] {
        let bytes = Bytes::new(rounding, false);
        let [packed] =
            self.apply_lanes(&map4(source, |component| [component]), &[u32::from_le_bytes(stored)], bytes);
        packed.to_le_bytes()
    }

    /// S by its alpha, D by what is left of it.
    pub(crate) const BY_ALPHA: Blend =
        Blend::new(Equation::Add, Factor::SourceAlpha, Factor::OneMinusSourceAlpha);

    /// [`apply`](Blend::apply) in lanes.
    #[inline(always)]
    pub(crate) fn apply_lanes<const N: usize>(
        &self,
        source: &[[f32; N]; 4],
        stored: &[u32; N],
        bytes: Bytes,
    ) -> [u32; N] {
        let source = [
            each(|lane| saturate(source[0][lane])),
            each(|lane| saturate(source[1][lane])),
            each(|lane| saturate(source[2][lane])),
            each(|lane| saturate(source[3][lane])),
        ];
        let destination = match bytes {
            Bytes::Fused => unpack_lanes::<true, N>(stored),
            Bytes::Double | Bytes::Truncated => unpack_lanes::<false, N>(stored),
        };
        let blended = [
            self.rgb.apply(&source, &destination, 0),
            self.rgb.apply(&source, &destination, 1),
            self.rgb.apply(&source, &destination, 2),
            self.alpha.apply(&source, &destination, 3),
        ];
        bytes.pack_lanes(&blended)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Multiples of 1/5 are whole bytes (51), so that every product below is known without a calculator.
    const SOURCE: [f32; 4] = [0.2, 0.4, 1.0, 0.6];
    const STORED: [u8; 4] = [204, 51, 0, 102]; // 0.8 0.2 0 0.4

    fn blend(equation: Equation, source: Factor, destination: Factor) -> [u8; 4] {
        Blend::new(equation, source, destination).apply(SOURCE, STORED, ColorRounding::Nearest)
    }

    #[test]
    fn factors() {
        // 255 · source · factor, by hand: 255 · 0.04 = 10.2, 0.16 = 40.8, 0.36 = 91.8, 0.12 = 30.6, 0.24 = 61.2 …
        let table = [
            (Factor::Zero, [0, 0, 0, 0]),
            (Factor::One, [51, 102, 255, 153]),
            (Factor::SourceColor, [10, 41, 255, 92]),
            (Factor::OneMinusSourceColor, [41, 61, 0, 61]),
            (Factor::SourceAlpha, [31, 61, 153, 92]),
            (Factor::OneMinusSourceAlpha, [20, 41, 102, 61]),
            (Factor::DestinationAlpha, [20, 41, 102, 61]),
            (Factor::OneMinusDestinationAlpha, [31, 61, 153, 92]),
            (Factor::DestinationColor, [41, 20, 0, 61]),
            (Factor::OneMinusDestinationColor, [10, 82, 255, 92]),
        ];
        for (factor, expected) in table {
            assert_eq!(blend(Equation::Add, factor, Factor::Zero), expected, "source {factor:?}");
        }
        // 255 · destination · factor: destination is 0.8 0.2 0 0.4.
        let table = [
            (Factor::Zero, [0, 0, 0, 0]),
            (Factor::One, [204, 51, 0, 102]),
            (Factor::SourceColor, [41, 20, 0, 61]),
            (Factor::OneMinusSourceColor, [163, 31, 0, 41]),
            (Factor::SourceAlpha, [122, 31, 0, 61]),
            (Factor::OneMinusSourceAlpha, [82, 20, 0, 41]),
            (Factor::DestinationAlpha, [82, 20, 0, 41]),
            (Factor::OneMinusDestinationAlpha, [122, 31, 0, 61]),
            (Factor::DestinationColor, [163, 10, 0, 41]),
            (Factor::OneMinusDestinationColor, [41, 41, 0, 61]),
        ];
        for (factor, expected) in table {
            assert_eq!(blend(Equation::Add, Factor::Zero, factor), expected, "destination {factor:?}");
        }
    }

    #[test]
    fn equations() {
        let table = [
            (Equation::Add, [255, 153, 255, 255]),
            (Equation::Subtract, [0, 51, 255, 51]),
            (Equation::ReverseSubtract, [153, 0, 0, 0]),
            (Equation::Min, [51, 51, 0, 102]),
            (Equation::Max, [204, 102, 255, 153]),
        ];
        for (equation, expected) in table {
            assert_eq!(blend(equation, Factor::One, Factor::One), expected, "{equation:?}");
        }
        // Factors do not count for the extremes.
        assert_eq!(blend(Equation::Max, Factor::Zero, Factor::Zero), [204, 102, 255, 153]);
    }

    #[test]
    fn channels_apart_and_odd_colors() {
        let blend = Blend {
            rgb: BlendChannels {
                equation: Equation::Add,
                source: Factor::SourceAlpha,
                destination: Factor::OneMinusSourceAlpha,
            },
            alpha: BlendChannels { equation: Equation::Add, source: Factor::Zero, destination: Factor::One },
        };
        // 0.2 · 0.6 + 0.8 · 0.4 = 0.44; 0.4 · 0.6 + 0.2 · 0.4 = 0.32; 0.6; alpha stays.
        assert_eq!(blend.apply(SOURCE, STORED, ColorRounding::Nearest), [112, 82, 153, 102]);
        // The source is clamped before, not after: 2 - 0.8 would be 1.
        let subtract = Blend::new(Equation::Subtract, Factor::One, Factor::One);
        let odd = [2.0, f32::NAN, f32::INFINITY, -3.0];
        assert_eq!(subtract.apply(odd, [204, 51, 102, 0], ColorRounding::Nearest), [51, 0, 153, 0]);
        assert_eq!(Blend::REPLACE.apply(odd, STORED, ColorRounding::Nearest), [255, 0, 255, 0]);
    }
}
