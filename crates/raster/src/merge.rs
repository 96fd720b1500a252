//! From shaded fragments to the target: depth test, blending, rounding, writing, a group of lanes at a time.
//!
//! Fragments of a pixel meet it in the order of their primitives: a run has each pixel at most once, and runs come one after
//! the other. The early-Z test has seen the depths that were stored then; fragments of the same batch may have changed them
//! since, so the test here is the one that counts.

use crate::band::Band;
use crate::batch::Run;
use crate::blend::Blend;
use crate::notes::Fate;
use crate::rop::Rop;
use crate::state::State;
use crate::unorm::pack_lanes;
use gpuzoo_simd::Work;
use gpuzoo_simd::lanes::{GROUP, each, load, store};

/// How the colours of fragments meet the stored ones: chosen once for a draw.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Coloring {
    /// They are stored as they are. 1 S + 0 D is S exactly, so it needs no arithmetic.
    Replace,
    Blend(Blend),
    Rop(Rop),
}

impl Coloring {
    pub fn of(state: &State) -> Coloring {
        match (state.rop, state.blend) {
            (Some(Rop::REPLACE), _) | (None, Blend::REPLACE) => Coloring::Replace,
            (Some(rop), _) => Coloring::Rop(rop),
            (None, blend) => Coloring::Blend(blend),
        }
    }
}

/// Brings the batch of a band to its target.
pub(crate) struct Merge<'b, 'a, 's>(pub &'b mut Band<'a, 's>);

impl Work for Merge<'_, '_, '_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Merge(band) = self;
        let (mut passed, mut written) = (0, 0);
        let rows = band.color.len() / band.pass.width;
        for index in 0..band.memory.batch.runs().len() {
            let (run, fragments) = band.memory.batch.run(index);
            let row = run.y as usize - band.top;
            // The lower rows of quads may lie below the target.
            if row >= rows {
                continue;
            }
            let mut pixel = row * band.pass.width + run.x as usize;
            for first in fragments.clone().step_by(GROUP) {
                let lanes = (fragments.end - first).min(GROUP);
                let counts = band.merge(run, first, lanes, pixel);
                passed += u64::from(counts[0]);
                written += u64::from(counts[1]);
                pixel += GROUP;
            }
        }
        band.stats.depth_failed += band.memory.fragments - passed;
        band.stats.killed += passed - written;
        band.stats.written += written;
    }
}

impl<'s> Band<'_, 's> {
    /// Merges the fragments from `first` on with the pixels from `pixel` on. Returns how many pass the depth test, and how
    /// many of these are written.
    #[inline(always)]
    fn merge(&mut self, run: Run<'s>, first: usize, lanes: usize, pixel: usize) -> [u32; 2] {
        let pass = self.pass;
        let shaded = &*self.memory.shaded;
        let (interpolated, covered) = self.memory.batch.group(first);
        let (killed, covered) = (load(&shaded.killed, first), *covered);
        let depth: [f32; GROUP] = match pass.fixed_depth {
            true => *interpolated,
            false => {
                let depth = load(&shaded.depth, first);
                match pass.rules.depth.clamp {
                    true => each(|lane| pass.place.clamp(depth[lane])),
                    false => depth,
                }
            }
        };
        let stored_depth = load(self.depth, pixel);
        let passes: [bool; GROUP] =
            each(|lane| (lane < lanes) & covered[lane] & pass.test.passes(depth[lane], stored_depth[lane]));
        let writes: [bool; GROUP] = each(|lane| passes[lane] & !killed[lane]);
        if pass.stores_depth {
            store(
                self.depth,
                pixel,
                each(|lane| if writes[lane] { depth[lane] } else { stored_depth[lane] }),
            );
        }
        let stored: [u32; GROUP] = {
            let bytes = load(self.color, pixel);
            each(|lane| u32::from_le_bytes(bytes[lane]))
        };
        let rounding = pass.rules.color;
        let [red, green, blue, alpha] = &shaded.color;
        let source = [load(red, first), load(green, first), load(blue, first), load(alpha, first)];
        let color: [u32; GROUP] = match &pass.coloring {
            Coloring::Replace => pack_lanes(source, rounding),
            Coloring::Blend(blend) => blend.apply_lanes(source, &stored, rounding),
            Coloring::Rop(rop) => rop.apply_lanes(&pack_lanes(source, rounding), &stored),
        };
        let mask = pass.color_mask;
        let color: [u32; GROUP] = each(|lane| {
            let mask = if writes[lane] { mask } else { 0 };
            color[lane] & mask | stored[lane] & !mask
        });
        store(self.color, pixel, each(|lane| color[lane].to_le_bytes()));
        if self.notes.is_some() || pass.watched.is_some() {
            for lane in (0..lanes).filter(|lane| covered[*lane]) {
                let fate = match (passes[lane], writes[lane]) {
                    (false, _) => Fate::Hidden(stored_depth[lane]),
                    (true, false) => Fate::Killed,
                    (true, true) => Fate::Written,
                };
                self.note_merged(&run, first + lane, fate, depth[lane]);
            }
        }
        let count = |lanes: &[bool; GROUP]| lanes.iter().map(|lane| u32::from(*lane)).sum();
        [count(&passes), count(&writes)]
    }
}
