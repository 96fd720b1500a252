//! Texture reads.

use gpuzoo_ir::eval::Textures;

/// What a kernel asks for texels, a whole block of lanes at a time: a sampler that needs its neighbours' coordinates
/// (for derivatives) finds them beside each other.
pub trait Sampler: Sync {
    /// Texels for the lanes of a read: for each lane four coordinates in, four components out. Components that are
    /// never read are empty slices; all others have one entry per lane.
    ///
    /// A kernel makes its reads in the order of the function, each once for each block.
    fn sample(&self, read: Read, coordinates: [&[u32]; 4], texels: [&mut [u32]; 4]);
}

/// A texture read of a block.
#[derive(Clone, Copy, Debug)]
pub struct Read<'a> {
    /// The unit, as the function names it.
    pub unit: u8,
    /// The number of the first lane.
    pub first: usize,
    /// For each lane all ones if a kill before this read took effect, else 0: a difference with such a lane may mean
    /// nothing.
    pub killed: &'a [u32],
}

/// Textures that are asked for one lane at a time, as the evaluator does.
pub struct PerLane<T>(pub T);

impl<T: Textures + Sync> Sampler for PerLane<T> {
    fn sample(&self, read: Read, coordinates: [&[u32]; 4], mut texels: [&mut [u32]; 4]) {
        for lane in 0..coordinates[0].len() {
            let texel = self.0.sample(read.unit, coordinates.map(|component| component[lane]));
            for (to, component) in texels.iter_mut().zip(texel) {
                if let Some(to) = to.get_mut(lane) {
                    *to = component;
                }
            }
        }
    }
}
