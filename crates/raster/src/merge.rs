//! From shaded fragments to the target: depth test, blending, rounding, writing, a group of lanes at a time.
//!
//! Fragments of a pixel meet it in the order of their primitives: a run has each pixel at most once, and runs come one after
//! the other. Where the stage can change neither depth nor coverage, test and depths are settled before (see
//! [`scan`](crate::scan)). Else the early-Z test has seen the depths that were stored then; fragments of the same batch may have
//! changed them since, so the test here is the one that counts.

use crate::band::{Band, Memory};
use crate::batch::{BATCH, FragmentBatch, HALF, Run};
use crate::blend::Blend;
use crate::fragment::Shaded;
use crate::notes::Fate;
use crate::pass::{Coloring, Pass};
use gpuzoo_simd::Work;
use gpuzoo_simd::lanes::{GROUP, Mask, choose, each, first_lanes, group, group_or_copy, load, mask, store};

/// Brings the batch of a band to its target, some lanes at a time.
pub(crate) struct Merge<'b, 'a, 's>(pub &'b mut Band<'a, 's>);

impl Work for Merge<'_, '_, '_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.by::<HALF>();
    }

    #[inline(always)]
    fn run_wide(self) {
        self.by::<GROUP>();
    }
}

impl Merge<'_, '_, '_> {
    #[inline(always)]
    fn by<const LANES: usize>(self) {
        let Merge(band) = self;
        let bytes = band.pass.bytes;
        // All choices before the loops.
        match band.pass.coloring {
            Coloring::Blend(Blend::BY_ALPHA) => {
                band.batch::<LANES>(
                    #[inline(always)]
                    |of, first, stored| Blend::BY_ALPHA.apply_lanes(&of.colors(first), stored, bytes),
                );
            }
            Coloring::Blend(blend) => {
                band.batch::<LANES>(
                    #[inline(always)]
                    |of, first, stored| blend.apply_lanes(&of.colors(first), stored, bytes),
                );
            }
            Coloring::Replace => {
                bytes.pack(&band.memory.shaded.color, &mut band.memory.packed);
                band.batch::<LANES>(
                    #[inline(always)]
                    |of, first, _| *group(of.packed, first),
                );
            }
            Coloring::Rop(rop) => {
                bytes.pack(&band.memory.shaded.color, &mut band.memory.packed);
                band.batch::<LANES>(
                    #[inline(always)]
                    |of, first, stored| rop.apply_lanes(group(of.packed, first), stored),
                );
            }
        }
    }
}

/// The colours of a batch.
#[derive(Clone, Copy)]
struct Colors<'m> {
    shaded: &'m Shaded,
    packed: &'m [u32; BATCH],
}

impl Colors<'_> {
    /// As they were shaded, from a fragment on.
    #[inline(always)]
    fn colors<const LANES: usize>(&self, first: usize) -> [[f32; LANES]; 4] {
        let [red, green, blue, alpha] = &self.shaded.color;
        [*group(red, first), *group(green, first), *group(blue, first), *group(alpha, first)]
    }
}

/// Adds 1 where a mask is set, which is -1 there.
#[inline(always)]
fn count<const LANES: usize>(counts: &mut [u32; LANES], mask: &Mask<LANES>) {
    *counts = each(|lane| counts[lane].wrapping_sub(mask[lane]));
}

/// What becomes of some fragments.
struct Tested<const LANES: usize> {
    depth: [f32; LANES],
    /// Those that pass the depth test.
    passed: Mask<LANES>,
    /// Those of them that the stage does not kill.
    written: Mask<LANES>,
}

impl<'s> Band<'_, 's> {
    /// Merges the batch. `color` makes bytes of the fragments from a number on and of what is stored.
    #[inline(always)]
    fn batch<const LANES: usize>(
        &mut self,
        color: impl Fn(Colors<'_>, usize, &[u32; LANES]) -> [u32; LANES] + Copy,
    ) {
        let noted = self.notes.is_some() || self.pass.watched.is_some();
        match self.pass.settled && !noted {
            true => self.settled(color),
            false => self.unsettled(color),
        }
    }

    /// [`batch`](Band::batch), of which depths and coverage are settled and nothing is noted. What passed is written.
    #[inline(always)]
    fn settled<const LANES: usize>(
        &mut self,
        color: impl Fn(Colors<'_>, usize, &[u32; LANES]) -> [u32; LANES] + Copy,
    ) {
        let Pass { width, color_mask, .. } = *self.pass;
        let Memory { batch, shaded, packed, .. } = &*self.memory;
        let (colors, pixels) = (Colors { shaded, packed }, &mut *self.color);
        let mut written = [0; LANES];
        for index in 0..batch.runs().len() {
            let (run, fragments) = batch.run(index);
            let mut pixel = (run.y as usize - self.top) * width + run.x as usize;
            // The lower rows of quads may lie below the target.
            if pixel >= pixels.len() {
                continue;
            }
            let mut first = fragments.start;
            while first < fragments.end {
                let covered = covered(batch, first, fragments.end - first);
                count(&mut written, &covered);
                write(colors, first, &covered, color_mask, pixels, pixel, color);
                first += LANES;
                pixel += LANES;
            }
        }
        self.count_fragments(written, written);
    }

    /// [`batch`](Band::batch), of which the depth test, what the stage kills, or notes are still to come.
    #[inline(always)]
    fn unsettled<const LANES: usize>(
        &mut self,
        color: impl Fn(Colors<'_>, usize, &[u32; LANES]) -> [u32; LANES] + Copy,
    ) {
        let pass = self.pass;
        let (mut all_passed, mut all_written) = ([0; LANES], [0; LANES]);
        for index in 0..self.memory.batch.runs().len() {
            let (run, fragments) = self.memory.batch.run(index);
            let start = (run.y as usize - self.top) * pass.width + run.x as usize;
            // The lower rows of quads may lie below the target.
            if start >= self.color.len() {
                continue;
            }
            for first in fragments.clone().step_by(LANES) {
                let (left, pixel) = (fragments.end - first, start + first - fragments.start);
                self.note_lanes::<LANES>(run, first, left, pixel);
                let Memory { batch, shaded, packed, .. } = &*self.memory;
                let before: [f32; LANES] = load(self.depth, pixel);
                let Tested { depth, passed, written } = tested(pass, batch, shaded, first, left, &before);
                if pass.stores_depth && !pass.settled {
                    store(self.depth, pixel, choose(&written, &depth, &before));
                }
                count(&mut all_passed, &passed);
                count(&mut all_written, &written);
                let colors = Colors { shaded, packed };
                write(colors, first, &written, pass.color_mask, self.color, pixel, color);
            }
        }
        self.count_fragments(all_passed, all_written);
    }

    /// Counts the fragments of the batch, of which in each lane so many passed the depth test and so many were written.
    #[inline(always)]
    fn count_fragments<const LANES: usize>(&mut self, passed: [u32; LANES], written: [u32; LANES]) {
        let [passed, written] =
            [passed, written].map(|lanes| lanes.iter().fold(0, |sum, lane| sum + u64::from(*lane)));
        self.stats.killed += passed - written;
        self.stats.written += written;
        self.stats.depth_failed += self.memory.fragments - passed;
    }

    /// Notes what becomes of some fragments, before they are merged, if that is noted.
    #[inline(always)]
    fn note_lanes<const LANES: usize>(&mut self, run: Run<'s>, first: usize, left: usize, pixel: usize) {
        if self.notes.is_some() || self.pass.watched.is_some() {
            self.note_fates::<LANES>(run, first, left, pixel);
        }
    }

    #[cold]
    #[inline(never)]
    fn note_fates<const LANES: usize>(&mut self, run: Run<'s>, first: usize, left: usize, pixel: usize) {
        let Memory { batch, shaded, .. } = &*self.memory;
        let stored: [f32; LANES] = load(self.depth, pixel);
        let Tested { depth, passed, written } = tested(self.pass, batch, shaded, first, left, &stored);
        let covered: Mask<LANES> = covered(batch, first, left);
        for lane in (0..LANES).filter(|lane| covered[*lane] != 0) {
            let fate = match (passed[lane] != 0, written[lane] != 0) {
                (false, _) => Fate::Hidden(stored[lane]),
                (true, false) => Fate::Killed,
                (true, true) => Fate::Written,
            };
            self.note_merged(&run, first + lane, fate, depth[lane]);
        }
    }
}

/// Brings the colours of the fragments from `first` on to the pixels from `pixel` on, where `written` and `color_mask` are set.
#[inline(always)]
fn write<const LANES: usize>(
    colors: Colors<'_>,
    first: usize,
    written: &Mask<LANES>,
    color_mask: u32,
    pixels: &mut [[u8; 4]],
    pixel: usize,
    color: impl Fn(Colors<'_>, usize, &[u32; LANES]) -> [u32; LANES],
) {
    let mut copy = [[0; 4]; LANES];
    let (to, is_copy) = group_or_copy(pixels, pixel, &mut copy);
    let stored: [u32; LANES] = each(|lane| u32::from_le_bytes(to[lane]));
    let color = color(colors, first, &stored);
    *to = each(|lane| {
        let mask = written[lane] & color_mask;
        (color[lane] & mask | stored[lane] & !mask).to_le_bytes()
    });
    if is_copy {
        store(pixels, pixel, copy);
    }
}

/// The fragments from `first` on that are covered. Lanes behind the last, `left` from there, belong to the next run.
#[inline(always)]
fn covered<const LANES: usize>(batch: &FragmentBatch<'_>, first: usize, left: usize) -> Mask<LANES> {
    let own: &Mask<LANES> = first_lanes(left.min(LANES));
    let (_, covered) = batch.group::<LANES>(first);
    each(|lane| own[lane] & covered[lane])
}

/// Tests the fragments from `first` on against the depths that are stored; those that are settled have passed.
#[inline(always)]
fn tested<const LANES: usize>(
    pass: &Pass<'_>,
    batch: &FragmentBatch<'_>,
    shaded: &Shaded,
    first: usize,
    left: usize,
    stored: &[f32; LANES],
) -> Tested<LANES> {
    let (interpolated, _) = batch.group(first);
    let covered = covered(batch, first, left);
    if pass.settled {
        return Tested { depth: *interpolated, passed: covered, written: covered };
    }
    let depth = match pass.fixed_depth {
        true => *interpolated,
        false => {
            let depth: &[f32; LANES] = group(&shaded.depth, first);
            match pass.rules.depth.clamp {
                true => each(|lane| pass.place.clamp(depth[lane])),
                false => *depth,
            }
        }
    };
    let passes = pass.test.passes(&depth, stored);
    let passed = each(|lane| covered[lane] & passes[lane]);
    let killed: &[bool; LANES] = group(&shaded.killed, first);
    let alive: Mask<LANES> = mask(|lane| !killed[lane]);
    Tested { depth, passed, written: each(|lane| passed[lane] & alive[lane]) }
}
