//! Small things that several tests use.

use gpuzoo_raster::*;

/// Positions as pixels and depth, nothing clipped.
pub fn screen_rules() -> Rules {
    let clip = ClipRules { sides: Sides::GuardBand, near: false, far: false };
    Rules { placement: Placement::Screen, clip, ..Rules::default() }
}

/// A stage that gives all fragments white.
pub fn white() -> impl FragmentStage {
    PerFragment(|_: Fragment<'_>| Some([1.0; 4]))
}

/// A blend state that counts in bytes how often a pixel was written, if the colour is 1/255.
pub const COUNT: Blend = Blend::new(Equation::Add, Factor::One, Factor::One);

/// How often triangles or lines cover each pixel of a target. The positions are pixels.
pub fn counts(rules: &Rules, topology: Topology, positions: &[[f32; 2]], size: [u32; 2]) -> (Vec<u8>, Stats) {
    let positions: Vec<_> = positions.iter().map(|&[x, y]| [x, y, 0.5, 1.0]).collect();
    let mut target = Target::new(size[0], size[1]).unwrap();
    let state = State { blend: COUNT, ..State::sized(size[0], size[1]) };
    let vertices = Vertices::new(&positions, &[], 0).unwrap();
    let stage = PerFragment(|_: Fragment<'_>| Some([1.0 / 255.0; 4]));
    let stats = draw(&mut target, rules, &state, vertices, Primitives::all(topology), &stage);
    assert_eq!(stats.primitives, stats.invalid + stats.outside + stats.culled + stats.drawn);
    assert_eq!(stats.fragments, stats.depth_failed + stats.killed + stats.written);
    (target.color().pixels().iter().map(|pixel| pixel[0]).collect(), stats)
}
