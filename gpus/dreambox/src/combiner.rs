//! The fragment stage: two texture units, two combine operations, and the offset colour (spec section 8).

use gpuzoo_raster::{FragmentBatch, FragmentStage, Sampler, Shaded, Texture};

/// A combine operation f(A, B), on all four lanes.
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
    /// dot(2 A.rgb - 1, 2 B.rgb - 1) in every lane, alpha too.
    Dot3,
}

impl Combine {
    /// The result; nothing is clamped.
    pub fn apply(self, a: [f32; 4], b: [f32; 4]) -> [f32; 4] {
        let map = |f: fn(f32, f32) -> f32| [f(a[0], b[0]), f(a[1], b[1]), f(a[2], b[2]), f(a[3], b[3])];
        match self {
            Combine::None => a,
            Combine::Mul => map(|a, b| a * b),
            Combine::Add => map(|a, b| a + b),
            Combine::Sub => map(|a, b| a - b),
            Combine::Mix => [0, 1, 2, 3].map(|lane: usize| a[lane] * (1.0 - b[3]) + b[lane] * b[3]),
            Combine::Dot3 => {
                let product = |lane: usize| (2.0 * a[lane] - 1.0) * (2.0 * b[lane] - 1.0);
                [product(0) + product(1) + product(2); 4]
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
    fn sample(&self, u: f32, v: f32) -> [f32; 4] {
        self.texture.map_or([1.0; 4], |texture| self.sampler.sample(texture, [u, v]))
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
        for (index, shaded) in out.iter_mut().enumerate() {
            let [tex, col, ocol] = [0, 1, 2].map(|slot| batch.varying(slot, index));
            let texels = [self.units[0].sample(tex[0], tex[1]), self.units[1].sample(tex[2], tex[3])];
            let color = self.vertex.apply(self.texture.apply(texels[0], texels[1]), col);
            shaded.color = [0, 1, 2, 3].map(|lane| color[lane] + ocol[lane]);
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
            assert_eq!(combine.apply(a, b), expected, "{combine:?}");
        }
    }
}
