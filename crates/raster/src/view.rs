//! Pictures of what draws have noted.

use crate::image::{Image, Target};
use crate::notes::{Note, Notes};
use crate::size::{SizeError, collected};

/// A picture of something else than the colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// Depths, from white for the nearest to black for the farthest of those that were drawn.
    Depth,
    /// Number of fragments that covered a pixel: black for none, then blue, green, yellow, red, white from 16 on.
    Overdraw,
    /// A colour for each batch.
    Batch,
    /// From dark to bright with the lane; the highest of the picture is white.
    Lane,
    /// A colour for each primitive.
    Triangle,
    /// A colour for each level of the texture that was read last: red for the largest, then orange to violet, grey from
    /// the eighth on.
    Miplevel,
}

impl View {
    /// All of them, by name, and what each shows.
    pub const ALL: [(&'static str, View, &'static str); 6] = [
        ("depth", View::Depth, "depths, white is near"),
        ("overdraw", View::Overdraw, "how many fragments covered each pixel"),
        ("batch", View::Batch, "the batch that shaded it, on machines that have batches"),
        ("lane", View::Lane, "the lane that shaded it, on machines that have lanes"),
        ("triangle", View::Triangle, "the triangle that wrote it"),
        ("miplevel", View::Miplevel, "the level of the texture that it read, on machines that choose levels"),
    ];

    /// The picture of a target that has notes; black where nothing was drawn. None if the target has no notes, or if
    /// something was drawn but the machine that did it does not know what the view shows.
    ///
    /// # Errors
    /// [`SizeError::Memory`] if there is no memory for it.
    ///
    /// ```
    /// use gpuzoo_raster::{Target, View};
    /// let mut target = Target::new(2, 1)?;
    /// assert_eq!(View::Overdraw.picture(&target)?, None);
    /// target.take_notes()?;
    /// target.notes_mut().unwrap().pixels[1].fragments = 16;
    /// let picture = View::Overdraw.picture(&target)?.unwrap();
    /// assert_eq!(picture.pixels(), [[0, 0, 0, 255], [255; 4]]);
    /// # Ok::<(), gpuzoo_raster::SizeError>(())
    /// ```
    pub fn picture(self, target: &Target) -> Result<Option<Image>, SizeError> {
        let Some(Notes { pixels: notes, .. }) = target.notes() else { return Ok(None) };
        let drawn = notes.iter().any(|note| note.written > 0);
        let known = |number: fn(&Note) -> u32| !drawn || notes.iter().any(|note| number(note) > 0);
        let each =
            |color: &dyn Fn(&Note) -> [u8; 3]| collected(notes.len(), notes.iter().map(color).map(opaque));
        let pixels = match self {
            View::Depth => {
                let depths = depths(notes, target.depth().values());
                collected(notes.len(), depths.map(opaque))
            }
            View::Overdraw => each(&|note| heat(note.fragments)),
            View::Batch if known(|note| note.batch) => each(&|note| distinct(note.batch)),
            View::Lane if known(|note| note.lane) => {
                let most = notes.iter().map(|note| note.lane).max().unwrap_or(0);
                each(&|note| [lane(note.lane, most); 3])
            }
            View::Triangle => each(&|note| distinct(note.primitive)),
            View::Miplevel if known(|note| note.level) => each(&|note| level(note.level)),
            View::Batch | View::Lane | View::Miplevel => return Ok(None),
        };
        Image::from_pixels(target.width(), target.height(), pixels?).map(Some)
    }

    /// Meaning of the colours of its [`picture`](View::picture), as far as they occur in it. Nothing for colours that only tell
    /// neighbours apart, and for a target without notes.
    ///
    /// ```
    /// use gpuzoo_raster::{Target, View};
    /// let mut target = Target::new(2, 1)?;
    /// target.take_notes()?;
    /// target.notes_mut().unwrap().pixels[1].fragments = 2;
    /// let texts: Vec<String> = View::Overdraw.legend(&target).into_iter().map(|(_, text)| text).collect();
    /// assert_eq!(texts, ["0", "1", "2"]);
    /// # Ok::<(), gpuzoo_raster::SizeError>(())
    /// ```
    pub fn legend(self, target: &Target) -> Vec<([u8; 3], String)> {
        let Some(Notes { pixels: notes, .. }) = target.notes() else { return Vec::new() };
        let most = |number: fn(&Note) -> u32| notes.iter().map(number).max().unwrap_or(0);
        match self {
            View::Depth => match nearest_and_farthest(notes, target.depth().values()) {
                Some((near, far)) if near == far => vec![([255; 3], format!("{near}"))],
                Some((near, far)) => {
                    vec![
                        ([255; 3], format!("{near}, the nearest")),
                        ([32; 3], format!("{far}, the farthest")),
                    ]
                }
                None => Vec::new(),
            },
            View::Overdraw => {
                let most = most(|note| note.fragments);
                let ends = HEAT.iter().skip(1).map(|(next, _)| Some(*next)).chain([None]);
                let text = |least: u32, next: Option<u32>| match next {
                    None => format!("{least} or more"),
                    Some(next) if next == least + 1 => least.to_string(),
                    Some(next) => format!("{least} to {}", next - 1),
                };
                let steps = HEAT.iter().zip(ends).filter(|((least, _), _)| *least <= most);
                steps.map(|((least, color), next)| (*color, text(*least, next))).collect()
            }
            View::Lane => {
                let most = most(|note| note.lane);
                let lanes = [1, most].into_iter().filter(|_| most > 0);
                lanes.map(|number| ([lane(number, most); 3], format!("lane {}", number - 1))).collect()
            }
            View::Miplevel => {
                let all = (1..=most(|note| note.level)).take(LEVELS.len() + 1);
                all.map(|number| (level(number), format!("level {}", number - 1))).collect()
            }
            View::Batch | View::Triangle => Vec::new(),
        }
    }
}

fn opaque([red, green, blue]: [u8; 3]) -> [u8; 4] {
    [red, green, blue, 255]
}

/// The least and the greatest of the finite depths that were drawn.
fn nearest_and_farthest(notes: &[Note], depths: &[f32]) -> Option<(f32, f32)> {
    let drawn = notes.iter().zip(depths).filter(|(note, _)| note.written > 0).map(|(_, depth)| *depth);
    let finite = drawn.filter(|depth| depth.is_finite());
    finite.fold(None, |ends, depth| match ends {
        None => Some((depth, depth)),
        Some((near, far)) => Some((near.min(depth), far.max(depth))),
    })
}

/// Grey from 255 (nearest) to 32, so that the farthest can still be distinguished from what was not drawn. Depths that
/// are not finite are magenta.
fn depths(notes: &[Note], depths: &[f32]) -> impl Iterator<Item = [u8; 3]> {
    let (near, far) = nearest_and_farthest(notes, depths).unwrap_or_default();
    let grey = move |depth: f32| {
        let fraction = if far > near { (depth - near) / (far - near) } else { 0.0 };
        255 - (fraction * 223.0).round() as u8
    };
    let color = move |(note, depth): (&Note, &f32)| match note.written {
        0 => [0; 3],
        _ if depth.is_finite() => [grey(*depth); 3],
        _ => [255, 0, 255],
    };
    notes.iter().zip(depths).map(color)
}

/// Colours of 1, 2, 3, 4, 6, 8, 12 and 16 fragments.
const HEAT: [(u32, [u8; 3]); 9] = [
    (0, [0, 0, 0]),
    (1, [20, 40, 140]),
    (2, [20, 90, 200]),
    (3, [20, 160, 160]),
    (4, [40, 180, 60]),
    (6, [200, 200, 40]),
    (8, [230, 130, 30]),
    (12, [220, 40, 40]),
    (16, [255, 255, 255]),
];

fn heat(fragments: u32) -> [u8; 3] {
    let step = HEAT.iter().rev().find(|(least, _)| fragments >= *least);
    step.map_or([0; 3], |(_, color)| *color)
}

/// Colours that differ between neighbours in number; black for 0.
fn distinct(number: u32) -> [u8; 3] {
    if number == 0 {
        return [0; 3];
    }
    // Knuth's multiplicative hash (2^32 over the golden ratio) spreads successive numbers.
    let hash = number.wrapping_mul(2_654_435_769);
    [24, 16, 8].map(|shift| 64 + ((hash >> shift) as u8 as u32 * 191 / 255) as u8)
}

/// Colours of levels 0 to 6.
const LEVELS: [[u8; 3]; 7] = [
    [220, 50, 47],
    [230, 140, 30],
    [235, 215, 50],
    [70, 170, 60],
    [40, 170, 180],
    [50, 90, 200],
    [140, 70, 180],
];

fn level(number: u32) -> [u8; 3] {
    let Some(level) = number.checked_sub(1) else { return [0; 3] };
    LEVELS.get(level as usize).copied().unwrap_or([128; 3])
}

/// Lanes up to the highest in even steps, that of no lane left out.
fn lane(number: u32, most: u32) -> u8 {
    if number == 0 { 0 } else { (31 + 224 * u64::from(number) / u64::from(most.max(number))) as u8 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(notes: [Note; 3], depths: [f32; 3]) -> Target {
        let mut target = Target::new(3, 1).unwrap();
        target.take_notes().unwrap();
        target.depth_mut().values_mut().copy_from_slice(&depths);
        target.notes_mut().unwrap().pixels.copy_from_slice(&notes);
        target
    }

    fn first_channel(view: View, target: &Target) -> Option<Vec<u8>> {
        view.picture(target).unwrap().map(|picture| picture.pixels().iter().map(|pixel| pixel[0]).collect())
    }

    #[test]
    fn depth_goes_from_white_to_grey_and_leaves_out_what_was_not_drawn() {
        let note = Note { fragments: 1, written: 1, primitive: 1, ..Note::default() };
        let views = target([note, note, Note::default()], [0.25, 0.75, 1.0]);
        assert_eq!(first_channel(View::Depth, &views), Some(vec![255, 32, 0]));
        let swapped = target([note, note, Note::default()], [0.75, 0.25, 1.0]);
        assert_eq!(first_channel(View::Depth, &swapped), Some(vec![32, 255, 0]));
        let legend =
            |target| View::Depth.legend(target).into_iter().map(|(_, text)| text).collect::<Vec<_>>();
        assert_eq!(legend(&views), ["0.25, the nearest", "0.75, the farthest"]);
        let nothing = target([note; 3], [f32::NAN; 3]);
        assert_eq!(legend(&nothing), [""; 0]);
        assert_eq!(first_channel(View::Depth, &nothing), Some(vec![255; 3]));
    }

    #[test]
    fn batches_and_lanes_are_shown_for_machines_that_have_them() {
        let note = Note { fragments: 1, written: 1, primitive: 1, ..Note::default() };
        let without = target([note; 3], [0.0; 3]);
        assert_eq!(View::Batch.picture(&without), Ok(None));
        assert_eq!(View::Lane.picture(&without), Ok(None));
        let lanes = [1, 32, 0].map(|lane| Note { lane, ..note });
        assert_eq!(first_channel(View::Lane, &target(lanes, [0.0; 3])), Some(vec![38, 255, 0]));
        // Of four lanes each is a quarter of the way.
        let few = [1, 4, 0].map(|lane| Note { lane, ..note });
        assert_eq!(first_channel(View::Lane, &target(few, [0.0; 3])), Some(vec![31 + 56, 255, 0]));
        assert_ne!(distinct(1), distinct(2));
        assert_eq!(View::Miplevel.picture(&without), Ok(None));
        let levels = [1, 2, 0].map(|level| Note { level, ..note });
        assert_eq!(first_channel(View::Miplevel, &target(levels, [0.0; 3])), Some(vec![220, 230, 0]));
        let legend = View::Miplevel.legend(&target(levels, [0.0; 3]));
        assert_eq!(legend, [([220, 50, 47], "level 0".to_owned()), ([230, 140, 30], "level 1".to_owned())]);
        let legend = View::Lane.legend(&target(lanes, [0.0; 3]));
        assert_eq!(legend, [([38; 3], "lane 0".to_owned()), ([255; 3], "lane 31".to_owned())]);
    }
}
