//! Sound, and the file that it becomes.

/// Bytes of a sample: two sides of 16 bits.
const SAMPLE_BYTES: u32 = 4;
/// Bytes of the file before its samples.
const HEADER: u32 = 44;
/// The most samples that a file can hold, whose sizes have 32 bits.
const MOST: usize = ((u32::MAX - HEADER) / SAMPLE_BYTES) as usize;

/// Sound for two ears.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sound {
    /// Samples a second.
    pub rate: u32,
    /// The samples, left and right.
    pub samples: Vec<[i16; 2]>,
}

impl Sound {
    /// A WAV file: PCM of 16 bits, stereo. What exceeds the 4 GB of such a file is left out.
    ///
    /// ```
    /// use gpuzoo_machine::computer::sound::Sound;
    /// let file = Sound { rate: 48_000, samples: vec![[1, -1]] }.wav();
    /// assert_eq!((&file[..4], file.len(), &file[44..]), (b"RIFF".as_slice(), 48, [1, 0, 255, 255].as_slice()));
    /// ```
    pub fn wav(&self) -> Vec<u8> {
        let samples = &self.samples[..self.samples.len().min(MOST)];
        let data = samples.len() as u32 * SAMPLE_BYTES;
        let mut file = Vec::with_capacity((HEADER + data) as usize);
        file.extend(b"RIFF");
        file.extend((HEADER - 8 + data).to_le_bytes());
        file.extend(b"WAVEfmt ");
        // The size of what follows; PCM, two channels.
        file.extend(16u32.to_le_bytes());
        file.extend([1u16, 2].map(u16::to_le_bytes).as_flattened());
        file.extend([self.rate, self.rate * SAMPLE_BYTES].map(u32::to_le_bytes).as_flattened());
        file.extend([SAMPLE_BYTES as u16, 16].map(u16::to_le_bytes).as_flattened());
        file.extend(b"data");
        file.extend(data.to_le_bytes());
        samples.iter().flatten().for_each(|side| file.extend(side.to_le_bytes()));
        file
    }
}
