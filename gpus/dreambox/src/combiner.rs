//! The fragment stage: two texture units, two combine operations, and the offset colour (spec section 8).

use gpuzoo_raster::{BATCH, FragmentBatch, FragmentStage, MipFilter, Sampler, Shaded, Texture};

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

/// Colours of a batch, in columns.
type Colors = [[f32; BATCH]; 4];

impl Combine {
    /// Puts f(a, b) into `a` for each fragment; nothing is clamped.
    pub fn apply(self, a: &mut Colors, b: [&[f32]; 4]) {
        /// Component by component; the third number is B's alpha.
        #[inline(always)]
        fn each(a: &mut Colors, b: [&[f32]; 4], f: impl Fn(f32, f32, f32) -> f32) {
            for (a, components) in a.iter_mut().zip(b) {
                for (a, (component, alpha)) in a.iter_mut().zip(components.iter().zip(b[3])) {
                    *a = f(*a, *component, *alpha);
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
                let rows = red.iter_mut().zip(green).zip(blue).zip(alpha);
                let rows = rows.zip(b[0].iter().zip(b[1]).zip(b[2]));
                for ((((red, green), blue), alpha), ((r, g), b)) in rows {
                    let sum = product(*red, *r) + product(*green, *g) + product(*blue, *b);
                    (*red, *green, *blue, *alpha) = (sum, sum, sum, sum);
                }
            }
        }
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
    fn sample(&self, u: &[f32], v: &[f32]) -> Colors {
        let mut colors = [[1.0; BATCH]; 4];
        if let Some(texture) = self.texture {
            let reads = u.iter().zip(v).map(|(u, v)| ([*u, *v], 0.0)).take(BATCH);
            let mut index = 0;
            self.sampler.sample_each(texture, MipFilter::Base, reads, |color| {
                colors.iter_mut().zip(color).for_each(|(column, component)| column[index] = component);
                index += 1;
            });
        }
        colors
    }
}

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
    fn shade(&self, batch: &FragmentBatch, out: &mut [Shaded]) {
        let mut color = self.units[0].sample(batch.component(0, 0), batch.component(0, 1));
        let second = self.units[1].sample(batch.component(0, 2), batch.component(0, 3));
        self.texture.apply(&mut color, second.each_ref().map(|column| &column[..]));
        self.vertex.apply(&mut color, [0, 1, 2, 3].map(|component| batch.component(1, component)));
        for (component, column) in color.iter().enumerate() {
            let fragments = out.iter_mut().zip(column).zip(batch.component(2, component));
            fragments.for_each(|((shaded, color), offset)| shaded.color[component] = color + offset);
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
            let b = b.map(|component| [component; 2]);
            combine.apply(&mut colors, b.each_ref().map(|column| &column[..]));
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
            Combine::Dot3.apply(&mut colors, b.each_ref().map(|column| &column[..]));
            assert_eq!(colors, [[expected; BATCH]; 4], "{component}");
        }
    }
}
