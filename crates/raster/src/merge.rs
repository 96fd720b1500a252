//! From shaded fragments to the target: depth test, blending, rounding, writing, a group of lanes at a time.
//!
//! Fragments of a pixel meet it in the order of their primitives: a run has each pixel at most once, and runs come one after
//! the other. Where the stage can change neither depth nor coverage, test and depths are settled before (see
//! [`Band`]). Else the early-Z test has seen the depths that were stored then; fragments of the same batch may have
//! changed them since, so the test here is the one that counts.

use crate::band::{Band, Memory};
use crate::batch::{FragmentBatch, Run};
use crate::blend::Blend;
use crate::draw::Pass;
use crate::fragment::Shaded;
use crate::notes::Fate;
use crate::rop::Rop;
use crate::state::State;
use gpuzoo_simd::Work;
use gpuzoo_simd::lanes::{GROUP, Mask, choose, each, first_lanes, group, group_mut, load, mask, store};

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
        if !matches!(band.pass.coloring, Coloring::Blend(_)) {
            band.pass.bytes.pack(&band.memory.shaded.color, &mut band.memory.packed);
        }
        let mut counts = Counts { passed: [0; GROUP], written: [0; GROUP] };
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
                band.merge(run, first, fragments.end - first, pixel, &mut counts);
                pixel += GROUP;
            }
        }
        let [passed, written] = [counts.passed, counts.written]
            .map(|lanes| lanes.iter().fold(0, |sum, lane| sum + u64::from(*lane)));
        band.stats.killed += passed - written;
        band.stats.written += written;
        band.stats.depth_failed += band.memory.fragments - passed;
    }
}

/// Fragments of a batch, lane by lane.
struct Counts {
    /// Those that pass the depth test.
    passed: [u32; GROUP],
    /// Those of them that are written.
    written: [u32; GROUP],
}

/// Adds 1 where a mask is set, which is -1 there.
#[inline(always)]
fn count(counts: &mut [u32; GROUP], mask: &Mask) {
    *counts = each(|lane| counts[lane].wrapping_sub(mask[lane]));
}

/// What becomes of the fragments of a group.
struct Tested {
    depth: [f32; GROUP],
    /// Those that pass the depth test.
    passed: Mask,
    /// Those of them that the stage does not kill.
    written: Mask,
}

impl<'s> Band<'_, 's> {
    /// Merges the fragments from `first` on, `left` of them or a group, with the pixels from `pixel` on.
    #[inline(always)]
    fn merge(&mut self, run: Run<'s>, first: usize, left: usize, pixel: usize, counts: &mut Counts) {
        let pass = self.pass;
        if self.notes.is_some() || pass.watched.is_some() {
            self.note_group(run, first, left, pixel);
        }
        let Memory { batch, shaded, packed, ends, .. } = &mut *self.memory;
        let before = if pass.settled { [0.0; GROUP] } else { *ends.depth.at(self.depth, pixel) };
        let Tested { depth, passed, written } = tested(pass, batch, shaded, first, left, &before);
        if pass.stores_depth && !pass.settled {
            *ends.depth.at(self.depth, pixel) = choose(&written, &depth, &before);
            ends.depth.put_back(self.depth, pixel);
        }
        count(&mut counts.passed, &passed);
        count(&mut counts.written, &written);
        let place = ends.color.at(self.color, pixel);
        let stored: [u32; GROUP] = each(|lane| u32::from_le_bytes(place[lane]));
        let color: [u32; GROUP] = match &pass.coloring {
            Coloring::Replace => *group(&**packed, first),
            Coloring::Rop(rop) => rop.apply_lanes(group(&**packed, first), &stored),
            Coloring::Blend(blend) => {
                let [red, green, blue, alpha] = &shaded.color;
                let source =
                    [*group(red, first), *group(green, first), *group(blue, first), *group(alpha, first)];
                blend.apply_lanes(&source, &stored, pass.bytes)
            }
        };
        *place = each(|lane| {
            let mask = written[lane] & pass.color_mask;
            (color[lane] & mask | stored[lane] & !mask).to_le_bytes()
        });
        ends.color.put_back(self.color, pixel);
    }

    /// Notes what becomes of the fragments of a group; before it is merged.
    #[cold]
    #[inline(never)]
    fn note_group(&mut self, run: Run<'s>, first: usize, left: usize, pixel: usize) {
        let Memory { batch, shaded, .. } = &*self.memory;
        let stored = load(self.depth, pixel);
        let Tested { depth, passed, written } = tested(self.pass, batch, shaded, first, left, &stored);
        let covered = covered(batch, first, left);
        for lane in (0..GROUP).filter(|lane| covered[*lane] != 0) {
            let fate = match (passed[lane] != 0, written[lane] != 0) {
                (false, _) => Fate::Hidden(stored[lane]),
                (true, false) => Fate::Killed,
                (true, true) => Fate::Written,
            };
            self.note_merged(&run, first + lane, fate, depth[lane]);
        }
    }
}

/// The fragments from `first` on that are covered. Lanes behind the last, `left` from there, belong to the next run.
#[inline(always)]
fn covered(batch: &FragmentBatch<'_>, first: usize, left: usize) -> Mask {
    let (own, covered) = (first_lanes(left.min(GROUP)), batch.group(first).1);
    each(|lane| own[lane] & covered[lane])
}

/// Tests the fragments from `first` on against the depths that are stored; those that are settled have passed.
#[inline(always)]
fn tested(
    pass: &Pass<'_>,
    batch: &FragmentBatch<'_>,
    shaded: &Shaded,
    first: usize,
    left: usize,
    stored: &[f32; GROUP],
) -> Tested {
    let (interpolated, covered) = (batch.group(first).0, covered(batch, first, left));
    if pass.settled {
        return Tested { depth: *interpolated, passed: covered, written: covered };
    }
    let depth = match pass.fixed_depth {
        true => *interpolated,
        false => {
            let depth = group(&shaded.depth, first);
            match pass.rules.depth.clamp {
                true => each(|lane| pass.place.clamp(depth[lane])),
                false => *depth,
            }
        }
    };
    let passes = pass.test.passes(&depth, stored);
    let passed = each(|lane| covered[lane] & passes[lane]);
    let killed = group(&shaded.killed, first);
    let alive: Mask = mask(|lane| !killed[lane]);
    Tested { depth, passed, written: each(|lane| passed[lane] & alive[lane]) }
}

/// Groups of pixels at the end of a band, which may be cut off there: each plane has a place for one of its own.
#[derive(Default)]
pub(crate) struct Ends {
    pub color: End<[u8; 4]>,
    pub depth: End<f32>,
}

#[derive(Default)]
pub(crate) struct End<T>([T; GROUP]);

impl<T: Copy + Default> End<T> {
    /// The group of a plane that starts with a pixel, or a copy of what there is of it.
    #[inline(always)]
    pub fn at<'p>(&'p mut self, plane: &'p mut [T], first: usize) -> &'p mut [T; GROUP] {
        if plane.len() - first >= GROUP {
            return group_mut(plane, first);
        }
        self.0 = load(plane, first);
        &mut self.0
    }

    /// Brings the copy back, if it is one.
    #[inline(always)]
    pub fn put_back(&self, plane: &mut [T], first: usize) {
        if plane.len() - first < GROUP {
            store(plane, first, self.0);
        }
    }
}
