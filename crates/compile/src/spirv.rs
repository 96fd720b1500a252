//! SPIR-V without what says the lines of a source, which naga does not read everywhere.

/// A module's bytes without some instructions, and where those were.
#[derive(Debug, Default)]
pub struct Stripped {
    /// What is left.
    pub bytes: Vec<u8>,
    /// Places in what is left, and how many bytes were left out before each.
    cuts: Vec<(usize, usize)>,
}

/// Bytes of a module before its instructions.
const HEADER: usize = 20;

/// What is left out: `OpLine`, `OpNoLine` and `OpModuleProcessed` (SPIR-V specification, sections 3.49.2 and 3.49.9).
const LEFT_OUT: [u32; 3] = [8, 317, 330];

impl Stripped {
    /// Of bytes that are not SPIR-V, with the lowest byte of a word first, nothing is left out.
    pub fn of(bytes: &[u8]) -> Stripped {
        let mut stripped = Stripped { bytes: bytes.to_vec(), cuts: Vec::new() };
        if !bytes.starts_with(&[3, 2, 35, 7]) || bytes.len() < HEADER {
            return stripped;
        }
        stripped.bytes.truncate(HEADER);
        let (mut rest, mut removed) = (&bytes[HEADER..], 0);
        while let Some((word, _)) = rest.split_first_chunk() {
            let word = u32::from_le_bytes(*word);
            // An instruction without a length, or beyond the end, is naga's to refuse.
            let length = match (word >> 16) as usize * 4 {
                0 => rest.len(),
                length => length.min(rest.len()),
            };
            let (own, behind) = rest.split_at(length);
            rest = behind;
            if LEFT_OUT.contains(&(word & 0xffff)) {
                removed += length;
                stripped.cuts.push((stripped.bytes.len(), removed));
            } else {
                stripped.bytes.extend_from_slice(own);
            }
        }
        stripped.bytes.extend_from_slice(rest);
        stripped
    }

    /// Where a byte was before.
    pub fn before(&self, at: usize) -> usize {
        let cuts = self.cuts.partition_point(|(place, _)| *place <= at);
        at + cuts.checked_sub(1).map_or(0, |last| self.cuts[last].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_left_out() {
        let words = |words: &[u32]| -> Vec<u8> { words.iter().flat_map(|word| word.to_le_bytes()).collect() };
        let header = [0x0723_0203, 0x1_0000, 0, 9, 0];
        // OpLine of four words, OpCapability of two, OpNoLine, OpCapability.
        let module = words(
            &[&header[..], &[4 << 16 | 8, 1, 2, 3, 2 << 16 | 17, 1, 1 << 16 | 317, 2 << 16 | 17, 2]].concat(),
        );
        let stripped = Stripped::of(&module);
        assert_eq!(stripped.bytes, words(&[&header[..], &[2 << 16 | 17, 1, 2 << 16 | 17, 2]].concat()));
        assert_eq!([0, 19, 20, 27, 28, 32].map(|at| stripped.before(at)), [0, 19, 36, 43, 48, 52]);
        for other in [&b""[..], b"abc", &module[..22], &words(&[header[0], 0, 0, 0, 0, 0, 7])] {
            assert_eq!(Stripped::of(other).bytes, other);
        }
    }
}
