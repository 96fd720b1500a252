//! The fragment stage: two texture units, two combine operations, and the offset colour (spec section 8).

use gpuzoo_raster::{BATCH, FragmentBatch, FragmentStage, MipFilter, Sampler, Shaded, Texture};
use gpuzoo_simd::Work;

/// A combine operation f(A, B), on all four components.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Combine {
    /// A
    None,
    /// A × B
    Mul,
    /// A + B
    Add,
    /// A - B
    Sub,
    /// A × (1 - B.a) + B × B.a
    Mix,
    /// dot(2 A.rgb - 1, 2 B.rgb - 1) in every component, alpha too.
    Dot3,
}

/// Colours in columns.
type Colors<'a> = [&'a mut [f32; BATCH]; 4];

impl Combine {
    /// Puts f(a, b) into `a` for each fragment; nothing is clamped.
    #[inline(always)]
    fn apply(self, a: &mut Colors, b: &[[f32; BATCH]; 4]) {
        /// Component by component; the third number is B's alpha.
        #[inline(always)]
        fn each(a: &mut Colors, b: &[[f32; BATCH]; 4], f: impl Fn(f32, f32, f32) -> f32) {
            for (a, components) in a.iter_mut().zip(b) {
                for lane in 0..BATCH {
                    a[lane] = f(a[lane], components[lane], b[3][lane]);
                }
            }
        }
        match self {
            Combine::None => {}
            Combine::Mul => each(a, b, |a, b, _| a * b),
            Combine::Add => each(a, b, |a, b, _| a + b),
            Combine::Sub => each(a, b, |a, b, _| a - b),
            Combine::Mix => each(a, b, |a, b, alpha| a * (1.0 - alpha) + b * alpha),
            Combine::Dot3 => {
                let product = |a: f32, b: f32| (2.0 * a - 1.0) * (2.0 * b - 1.0);
                let [red, green, blue, alpha] = a;
                for lane in 0..BATCH {
                    let sum = product(red[lane], b[0][lane])
                        + product(green[lane], b[1][lane])
                        + product(blue[lane], b[2][lane]);
                    (red[lane], green[lane], blue[lane], alpha[lane]) = (sum, sum, sum, sum);
                }
            }
        }
    }
}

/// An operation on columns of colours, of which only the first fragments count.
struct Combined<'a> {
    how: Combine,
    a: Colors<'a>,
    b: &'a [[f32; BATCH]; 4],
}

impl Work for Combined<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Combined { how, mut a, b } = self;
        how.apply(&mut a, b);
    }
}

/// A texture unit.
#[derive(Clone, Copy)]
pub struct Unit<'a> {
    /// Its texture; without one it samples opaque white.
    pub texture: Option<&'a Texture>,
    /// How it is sampled. Mip levels are never used: the runtime's samplers stop at level 0.
    pub sampler: Sampler,
}

impl Unit<'_> {
    /// Texels at components `first` and the next of the varying `tex`, which are put into `at`.
    fn sample(&self, batch: &FragmentBatch<'_>, first: usize, at: [&mut [f32; BATCH]; 2], to: Colors) {
        let Some(texture) = self.texture else {
            return to.into_iter().for_each(|column| column.fill(1.0));
        };
        let [u, v] = at;
        let mut columns: [&mut [f32]; 4] = [&mut [], &mut [], &mut [], &mut []];
        (columns[first], columns[first + 1]) = (&mut u[..], &mut v[..]);
        batch.interpolate(TEX, 0, columns);
        let len = batch.len();
        let at = [&u[..len], &v[..len]];
        let to = to.map(|column| &mut column[..len]);
        self.sampler.sample_all(batch.level(), texture, MipFilter::Base, at, &[], to);
    }
}

/// Varyings.
const TEX: usize = 0;
const COL: usize = 1;
const OCOL: usize = 2;

/// The stage: `vertex(texture(T0, T1), col) + ocol`.
pub struct Combiner<'a> {
    /// The units; the first reads tex.xy, the second tex.zw.
    pub units: [Unit<'a>; 2],
    /// How the two texels are combined.
    pub texture: Combine,
    /// How the result is combined with the vertex colour.
    pub vertex: Combine,
}

impl FragmentStage for Combiner<'_> {
    fn kills(&self) -> bool {
        false
    }

    fn shade(&self, batch: &FragmentBatch<'_>, out: &mut Shaded) {
        // White times the vertex colour is that colour.
        if self.is_white() && self.vertex == Combine::Mul {
            batch.interpolate(COL, 0, out.color.each_mut().map(|column| &mut column[..]));
        } else {
            self.textured(batch, out);
        }
        let color = out.color.each_mut().map(|column| &mut column[..]);
        batch.interpolate_with(OCOL, color, |color, offset| color + offset);
    }
}

impl Combiner<'_> {
    /// True if `texture(T0, T1)` is white everywhere.
    fn is_white(&self) -> bool {
        let [first, second] = self.units.each_ref().map(|unit| unit.texture.is_none());
        match self.texture {
            Combine::None => first,
            // 1 × 1, and 1 × (1 - 1) + 1 × 1.
            Combine::Mul | Combine::Mix => first && second,
            Combine::Add | Combine::Sub | Combine::Dot3 => false,
        }
    }

    /// `vertex(texture(T0, T1), col)`
    fn textured(&self, batch: &FragmentBatch<'_>, out: &mut Shaded) {
        let (level, color) = (batch.level(), &mut out.color);
        let [u, v, b @ ..] = &mut out.scratch;
        self.units[0].sample(batch, 0, [u, v], color.each_mut());
        // A colour times white is that colour.
        let is_first = self.texture == Combine::Mul && self.units[1].texture.is_none();
        if self.texture != Combine::None && !is_first {
            self.units[1].sample(batch, 2, [u, v], b.each_mut());
            level.run(Combined { how: self.texture, a: color.each_mut(), b });
        }
        match self.vertex {
            Combine::None => {}
            Combine::Mul => {
                let color = color.each_mut().map(|column| &mut column[..]);
                batch.interpolate_with(COL, color, |texel, color| texel * color);
            }
            how => {
                batch.interpolate(COL, 0, b.each_mut().map(|column| &mut column[..]));
                level.run(Combined { how, a: color.each_mut(), b });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combine_operations_are_the_formulas_of_the_shader() {
        let (a, b) = ([0.5, 0.25, 1.0, 0.75], [0.5, 1.0, 0.0, 0.25]);
        let cases = [
            (Combine::None, a),
            (Combine::Mul, [0.25, 0.25, 0.0, 0.1875]),
            (Combine::Add, [1.0, 1.25, 1.0, 1.0]),
            (Combine::Sub, [0.0, -0.75, 1.0, 0.5]),
            // 0.5 × 0.75 + 0.5 × 0.25, 0.25 × 0.75 + 1 × 0.25, 1 × 0.75, 0.75 × 0.75 + 0.25 × 0.25
            (Combine::Mix, [0.5, 0.4375, 0.75, 0.625]),
            // 0 × 0 + (-0.5) × 1 + 1 × (-1)
            (Combine::Dot3, [-1.5; 4]),
        ];
        for (combine, expected) in cases {
            let mut colors = a.map(|component| [component; BATCH]);
            combine.apply(&mut colors.each_mut(), &b.map(|component| [component; BATCH]));
            assert_eq!(colors.map(|column| column[1]), expected, "{combine:?}");
        }
    }

    /// 1/2 is 0 and 3/4 is 1/2: each component gives its own product, alpha none.
    #[test]
    fn dot_products_have_three_components() {
        for (component, expected) in [(0, 0.25), (1, 0.25), (2, 0.25), (3, 0.0)] {
            let mut colors = [[0.5; BATCH]; 4];
            colors[component] = [0.75; BATCH];
            let b = colors;
            Combine::Dot3.apply(&mut colors.each_mut(), &b);
            assert_eq!(colors, [[expected; BATCH]; 4], "{component}");
        }
    }
}
