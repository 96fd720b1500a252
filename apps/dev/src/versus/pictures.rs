//! Whether two sides drew the same.

use std::path::Path;

/// What a component may differ by: how textures are filtered, and powers and roots computed, OpenGL leaves open.
const TOLERANCE: u8 = 3;

/// The share of the pixels that may differ by more. Where the texel or the level of a texture changes from one pixel to the
/// next, the sides need not change at the same pixel, and the texture is noise.
const MOST: f64 = 0.005;

/// How two pictures differ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// The share of the pixels that differ by more than is tolerated.
    share: f64,
}

impl Difference {
    /// Of two files of RGBA8 pixels.
    pub fn of_files(ours: &Path, theirs: &Path) -> Result<Difference, String> {
        let read = |path: &Path| std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()));
        Difference::of(&read(ours)?, &read(theirs)?)
    }

    fn of(ours: &[u8], theirs: &[u8]) -> Result<Difference, String> {
        let ((ours, []), (theirs, [])) = (ours.as_chunks::<4>(), theirs.as_chunks::<4>()) else {
            return Err("a picture ends within a pixel".to_owned());
        };
        if ours.len() != theirs.len() || ours.is_empty() {
            return Err(format!("pictures of {} and {} pixels", ours.len(), theirs.len()));
        }
        let differ = |(ours, theirs): &(&[u8; 4], &[u8; 4])| {
            ours.iter().zip(*theirs).any(|(ours, theirs)| ours.abs_diff(*theirs) > TOLERANCE)
        };
        let count = ours.iter().zip(theirs).filter(differ).count();
        Ok(Difference { share: count as f64 / ours.len() as f64 })
    }

    /// True if it is one that the sides are known to have.
    pub fn is_tolerated(self) -> bool {
        self.share <= MOST
    }
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.2} %", self.share * 100.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_counted_in_pixels() {
        let ours = [10u8, 20, 30, 255, 0, 0, 0, 255].repeat(100);
        let mut theirs = ours.clone();
        theirs.iter_mut().for_each(|component| *component = component.saturating_sub(3));
        assert_eq!(Difference::of(&ours, &theirs), Ok(Difference { share: 0.0 }));
        // Two components of one pixel: 1 of 200.
        theirs[..2].copy_from_slice(&[14, 24]);
        let one = Difference::of(&ours, &theirs).unwrap();
        assert!(one.is_tolerated() && one.to_string() == "0.50 %", "{one:?}");
        theirs[5] = 4;
        assert!(!Difference::of(&ours, &theirs).unwrap().is_tolerated());
        for (ours, theirs) in [(&ours[..], &theirs[4..]), (&[], &[]), (&[0; 6], &[0; 6])] {
            assert!(Difference::of(ours, theirs).is_err());
        }
    }
}
