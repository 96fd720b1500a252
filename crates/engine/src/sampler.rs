//! Texture reads.

use gpuzoo_ir::eval::Textures;

/// What a kernel asks for texels, a whole block of lanes at a time: a sampler that needs its neighbours' coordinates
/// (for derivatives) finds them beside each other.
pub trait Sampler: Sync {
    /// Texels of `unit` for lanes from number `first` on: for each lane four coordinates in, four components out.
    /// Components that nobody reads are empty slices; all others have one entry a lane.
    fn sample(&self, unit: u8, first: usize, coordinates: [&[u32]; 4], texels: [&mut [u32]; 4]);
}

/// Textures that are asked for one lane at a time, as the evaluator does.
pub struct PerLane<T>(pub T);

impl<T: Textures + Sync> Sampler for PerLane<T> {
    fn sample(&self, unit: u8, _: usize, coordinates: [&[u32]; 4], mut texels: [&mut [u32]; 4]) {
        for lane in 0..coordinates[0].len() {
            let texel = self.0.sample(unit, coordinates.map(|component| component[lane]));
            for (to, component) in texels.iter_mut().zip(texel) {
                if let Some(to) = to.get_mut(lane) {
                    *to = component;
                }
            }
        }
    }
}
