//! Where positions are on the screen: placement, viewport, the sub-pixel grid. Positions are worked on side by side.

use crate::clip::{Homogeneous, Plane, Planes};
use crate::coverage::{FRACTION_BITS, GUARD_BAND, MAX_SUB_PIXEL_BITS};
use crate::round::{integer, nearest};
use crate::rules::{NearPlane, Placement, Rounding, Rules, Sides, Snap};
use crate::state::State;
use gpuzoo_simd::lanes::{Mask, each, mask};

/// Where positions are on the screen, in columns.
pub(crate) struct OnScreen<const N: usize> {
    /// x and y, snapped, in fixed point, y down.
    pub at: [[i32; N]; 2],
    pub depth: [f64; N],
}

/// The map from homogeneous coordinates to the screen: `offset + scale * coordinate / w`, per axis.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Projection {
    offset: [f64; 3],
    scale: [f64; 3],
    /// Of x and y: least and greatest, in pixels. Rounding may carry a corner that lies on a plane a little past it.
    limits: [[f64; 2]; 2],
    snap: Snap,
}

impl Projection {
    pub fn new(rules: &Rules, state: &State) -> Projection {
        let guard = [-f64::from(GUARD_BAND), f64::from(GUARD_BAND)];
        let Placement::Clip { near, y_up } = rules.placement else {
            return Projection { offset: [0.0; 3], scale: [1.0; 3], limits: [guard; 2], snap: rules.snap };
        };
        let rect = state.viewport.rect;
        let half = [f64::from(rect.width) / 2.0, f64::from(rect.height) / 2.0];
        let start = [f64::from(rect.x), f64::from(rect.y)];
        let limits = std::array::from_fn(|axis| match rules.clip.sides {
            Sides::GuardBand => guard,
            Sides::Cut => {
                [start[axis], start[axis] + 2.0 * half[axis]].map(|end| end.clamp(guard[0], guard[1]))
            }
        });
        let [low, high] = depth_ends(state);
        let (depth_offset, depth_scale) = match near {
            NearPlane::Zero => (low, high - low),
            NearPlane::MinusOne => ((low + high) / 2.0, (high - low) / 2.0),
        };
        Projection {
            offset: [start[0] + half[0], start[1] + half[1], depth_offset],
            scale: [half[0], if y_up { -half[1] } else { half[1] }, depth_scale],
            limits,
            snap: rules.snap,
        }
    }

    /// The planes of the limits and the rules.
    pub fn planes(&self, rules: &Rules) -> Planes {
        let mut planes = Planes::default();
        for (axis, [low, high]) in self.limits.into_iter().enumerate() {
            let (scale, offset) = (self.scale[axis], self.offset[axis]);
            planes.push(Plane { axis, scale, w_scale: offset - low });
            planes.push(Plane { axis, scale: -scale, w_scale: high - offset });
        }
        if rules.clip.near {
            let w_scale = match rules.placement {
                Placement::Clip { near: NearPlane::MinusOne, .. } => 1.0,
                _ => 0.0,
            };
            planes.push(Plane { axis: 2, scale: 1.0, w_scale });
        }
        if rules.clip.far {
            planes.push(Plane { axis: 2, scale: -1.0, w_scale: 1.0 });
        }
        planes
    }

    /// Where positions on the right side of the planes are.
    #[inline(always)]
    pub fn project<const N: usize>(&self, position: &Homogeneous<N>) -> OnScreen<N> {
        let [x, y, z, w] = position;
        let [offset, scale] = [self.offset[2], self.scale[2]];
        OnScreen {
            at: [self.snapped(0, x, w), self.snapped(1, y, w)],
            depth: each(|lane| offset + scale * (z[lane] / w[lane])),
        }
    }

    #[inline(always)]
    fn snapped<const N: usize>(&self, axis: usize, coordinate: &[f64; N], w: &[f64; N]) -> [i32; N] {
        let (offset, scale, [low, high]) = (self.offset[axis], self.scale[axis], self.limits[axis]);
        let pixels: [f64; N] = each(|lane| {
            let pixel = offset + scale * (coordinate[lane] / w[lane]);
            let pixel = if pixel > low { pixel } else { low };
            if pixel < high { pixel } else { high }
        });
        snap(&pixels, self.snap)
    }
}

/// Pixels to fixed point, over the machine's grid; they must lie in the guard band. The scaling is exact.
#[inline(always)]
pub(crate) fn snap<const N: usize>(pixels: &[f64; N], snap: Snap) -> [i32; N] {
    let bits = u32::from(snap.bits.min(MAX_SUB_PIXEL_BITS));
    let scale = f64::from(1u32 << bits);
    let scaled: [f64; N] = each(|lane| pixels[lane] * scale);
    let rounded: [f64; N] = match snap.rounding {
        // Positions in the guard band are below 2^29 on the finest grid.
        Rounding::NearestEven => each(|lane| nearest(scaled[lane])),
        Rounding::NearestAway => each(|lane| scaled[lane].round()),
        Rounding::Truncate => each(|lane| scaled[lane].trunc()),
        Rounding::Floor => each(|lane| scaled[lane].floor()),
    };
    each(|lane| integer(rounded[lane]) << (FRACTION_BITS - bits))
}

/// The depths of the viewport's near and far plane.
fn depth_ends(state: &State) -> [f64; 2] {
    state.viewport.depth.map(|end| if end.is_nan() { 0.0 } else { f64::from(end) })
}

/// The range that depths are clamped to: all numbers if they are not.
pub(crate) fn depth_range(rules: &Rules, state: &State) -> [f32; 2] {
    if !rules.depth.clamp {
        return [f32::NEG_INFINITY, f32::INFINITY];
    }
    let [a, b] = depth_ends(state);
    [a.min(b) as f32, a.max(b) as f32]
}

/// Positions in homogeneous coordinates, and which of them have a place on the screen. The others may be anything.
#[inline(always)]
pub(crate) fn homogeneous<const N: usize>(
    placement: Placement,
    position: &[[f32; N]; 4],
) -> (Homogeneous<N>, Mask<N>) {
    let [x, y, z, w] = position;
    let [x, y, z, w] = match placement {
        Placement::Divided => [quotients(x, w), quotients(y, w), quotients(z, w), [1.0; N]],
        Placement::Clip { .. } | Placement::Screen => *position,
    };
    let there: Mask<N> =
        mask(|lane| is_finite(x[lane]) & is_finite(y[lane]) & is_finite(z[lane]) & is_finite(w[lane]));
    let [x, y, z, w] = [double(&x), double(&y), double(&z), double(&w)];
    if placement != Placement::Screen {
        return ([x, y, z, w], there);
    }
    let ahead: Mask<N> = mask(|lane| w[lane] > 0.0);
    // Two singles have an exact product in double precision, so that the division later gives back the factor.
    let position = [products(&x, &w), products(&y, &w), products(&z, &w), w];
    (position, each(|lane| there[lane] & ahead[lane]))
}

#[inline(always)]
fn quotients<const N: usize>(a: &[f32; N], b: &[f32; N]) -> [f32; N] {
    each(|lane| a[lane] / b[lane])
}

#[inline(always)]
fn products<const N: usize>(a: &[f64; N], b: &[f64; N]) -> [f64; N] {
    each(|lane| a[lane] * b[lane])
}

#[inline(always)]
fn double<const N: usize>(singles: &[f32; N]) -> [f64; N] {
    each(|lane| f64::from(singles[lane]))
}

#[inline(always)]
fn is_finite(number: f32) -> bool {
    number.abs() < f32::INFINITY
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coverage::ONE;

    #[test]
    fn snapping() {
        let grid = |bits, rounding| Snap { bits, rounding };
        // In units of 1/256: 1.5, 2.5, -1.5, -2.5.
        let values = [1.5, 2.5, -1.5, -2.5].map(|value| value / 256.0);
        let table = [
            (Rounding::NearestEven, [2, 2, -2, -2]),
            (Rounding::NearestAway, [2, 3, -2, -3]),
            (Rounding::Truncate, [1, 2, -1, -2]),
            (Rounding::Floor, [1, 2, -2, -3]),
        ];
        for (rounding, expected) in table {
            let units = snap(&values, grid(8, rounding)).map(|at| at * 256 / ONE);
            assert_eq!(units, expected, "{rounding:?}");
        }
        let one = |pixel, grid| snap(&[pixel], grid)[0];
        assert_eq!(one(3.75, grid(0, Rounding::Truncate)), 3 * ONE);
        assert_eq!(one(-3.75, grid(4, Rounding::Truncate)), -60 * ONE / 16);
        assert_eq!(one(1.0 / 1024.0, grid(255, Rounding::Floor)), ONE / 1024, "too many bits count as 10");
    }

    /// Place and depth in pixels, if it has a place on the screen.
    fn project(rules: &Rules, state: &State, position: [f32; 4]) -> Option<([f64; 2], f64)> {
        let (position, [there]) = homogeneous(rules.placement, &position.map(|component| [component]));
        let OnScreen { at, depth: [depth] } = Projection::new(rules, state).project(&position);
        (there != 0).then(|| (at.map(|[at]| f64::from(at) / f64::from(ONE)), depth))
    }

    #[test]
    fn placements() {
        let mut state = State::sized(0, 0);
        state.viewport.rect = crate::Rect { x: 10, y: -20, width: 100, height: 50 };
        state.viewport.depth = [0.25, 0.75];
        let mut rules = Rules::default();
        assert_eq!(project(&rules, &state, [-1.0, 1.0, 0.0, 1.0]), Some(([10.0, -20.0], 0.25)));
        assert_eq!(project(&rules, &state, [2.0, -2.0, 2.0, 2.0]), Some(([110.0, 30.0], 0.75)));
        rules.placement = Placement::Clip { near: NearPlane::MinusOne, y_up: false };
        assert_eq!(project(&rules, &state, [-1.0, 1.0, 0.0, 1.0]), Some(([10.0, 30.0], 0.5)));
        rules.placement = Placement::Divided;
        assert_eq!(project(&rules, &state, [-6.0, 3.0, 1.0, -2.0]), Some(([3.0, -1.5], -0.5)));
        assert_eq!(project(&rules, &state, [1.0, 1.0, 1.0, 0.0]), None);
        rules.placement = Placement::Screen;
        let screen = project(&rules, &state, [100.5, 7.25, 0.1, 0.3]);
        assert_eq!(screen, Some(([100.5, 7.25], f64::from(0.1f32))));
        assert_eq!(project(&rules, &state, [1.0, 1.0, 1.0, 0.0]), None);
        for placement in [Placement::Clip { near: NearPlane::Zero, y_up: true }, Placement::Screen] {
            rules.placement = placement;
            assert_eq!(project(&rules, &state, [1.0, f32::NAN, 1.0, 1.0]), None);
            assert_eq!(project(&rules, &state, [1.0, 1.0, f32::INFINITY, 1.0]), None);
        }
    }

    #[test]
    fn rounding_without_a_call() {
        let limit = f64::from(1u32 << 29);
        let mut value = 0.0625;
        while value <= limit {
            for near in
                [value, value + 0.5, value.floor() + 0.5, value.next_down(), value.floor() + 0.5 - 1e-9]
            {
                assert_eq!(nearest(near), near.round_ties_even());
                assert_eq!(nearest(-near), (-near).round_ties_even());
            }
            value *= 1.37;
        }
    }
}
