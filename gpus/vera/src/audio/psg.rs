//! The programmable sound generator: 16 voices, one after the other for each sample (psg.v).

use gpuzoo_stored::{LATEST, stored, stored_as};

/// Voices, and bytes of each in video memory.
const VOICES: usize = 16;
const VOICE_BYTES: usize = 4;
/// Bytes of all voices.
pub(super) const BYTES: usize = VOICES * VOICE_BYTES;
/// Clocks that the generator is busy with a voice: it fetches four bytes, and adds the voice to the sum.
const VOICE_CLOCKS: u32 = 6;
/// Clocks from the start of a sample to the fetch of the first byte, and to the first voice's look at the noise.
const FIRST_FETCH: u64 = 1;
const FIRST_NOISE: u32 = 7;
/// The noise moves at every clock, also while the generator waits for the next sample.
const REST_CLOCKS: u32 = super::SAMPLE_CLOCKS as u32 - VOICES as u32 * VOICE_CLOCKS;

/// The top bit of a phase of 17 bits.
const TOP: u32 = 1 << 16;
const PHASE: u32 = 2 * TOP - 1;

/// A voice's own state.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Voice {
    /// 17 bits.
    phase: u32,
    /// What the noise was when the phase last ran over, 6 bits.
    noise: u8,
}

stored! { Voice { phase, noise } if |own: &Voice| own.phase <= PHASE }

/// The generator, for one who listens.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Psg {
    voices: [Voice; VOICES],
    /// The voices' bytes as they are, and as they are fetched for the sample that is made.
    bytes: [u8; BYTES],
    fetched: [u8; BYTES],
    /// The clock at which this sample began; nothing before the first.
    start: Option<u64>,
    /// The noise as the first voice of this sample sees it.
    noise: Noise,
}

stored! { Psg { voices, bytes, fetched, start, noise } if |own: &Psg| own.start.is_none_or(|start| start < LATEST) }

impl Psg {
    /// Silence up to the next sample. The one before it began so many clocks after the last reset, from which on the noise moves.
    pub(super) fn new(bytes: &[u8; BYTES], clocks: u64) -> Psg {
        let mut noise = Noise::RESET;
        let clocks = (clocks + u64::from(FIRST_NOISE)) % Noise::PERIOD;
        (0..clocks).for_each(|_| noise = noise.next());
        Psg { voices: [Voice::default(); VOICES], bytes: *bytes, fetched: [0; BYTES], start: None, noise }
    }

    /// A byte in video memory that is there from a clock on. Of the sample that is made it counts if it comes before its fetch.
    pub(super) fn write(&mut self, index: usize, value: u8, clock: u64) {
        let (voice, byte) = ((index / VOICE_BYTES) as u64, (index % VOICE_BYTES) as u64);
        let fetch = FIRST_FETCH + voice * u64::from(VOICE_CLOCKS) + byte;
        self.bytes[index] = value;
        if self.start.is_some_and(|start| clock <= start + fetch) {
            self.fetched[index] = value;
        }
    }

    /// The sum of all voices, left and right. The next sample begins at a clock.
    pub(super) fn sample(&mut self, next: u64) -> [i32; 2] {
        let mut sum = [0; 2];
        let fetched = self.fetched.as_chunks::<VOICE_BYTES>().0;
        for (voice, bytes) in self.voices.iter_mut().zip(fetched) {
            let volume = i32::from(VOLUMES[usize::from(bytes[2] & 0x3f)]);
            let level = (voice.level(bytes[3]) * volume) >> 3;
            let sides = [bytes[2] & 0x40 != 0, bytes[2] & 0x80 != 0];
            for (sum, on) in sum.iter_mut().zip(sides) {
                *sum += if on { level } else { 0 };
            }
            let frequency = u32::from(bytes[0]) | u32::from(bytes[1]) << 8;
            voice.advance(sides.contains(&true).then_some(frequency), self.noise);
            self.noise = self.noise.after_voice();
        }
        self.noise = self.noise.after_rest();
        self.start = Some(next);
        self.fetched = self.bytes;
        sum
    }
}

impl Voice {
    /// The waveform, -32 to 31, by the byte that chooses it.
    fn level(self, waveform: u8) -> i32 {
        let high = (self.phase >> 11) as u8;
        let width = waveform & 0x3f;
        let wave = match waveform >> 6 {
            0 if self.phase >> 10 > u32::from(width) => 0,
            0 => 0x3f,
            1 => high ^ !width & 0x3f,
            2 => {
                let slope = (self.phase >> 10 & 0x3f) as u8;
                let fold = if self.phase & TOP == 0 { 0 } else { 0x3f };
                slope ^ fold ^ !width & 0x3f
            }
            _ => self.noise,
        };
        i32::from(wave) - 32
    }

    /// A sample further. A voice that is on no side starts anew.
    fn advance(&mut self, frequency: Option<u32>, noise: Noise) {
        let next = frequency.map_or(0, |frequency| (self.phase + frequency) & PHASE);
        if self.phase & TOP != 0 && next & TOP == 0 {
            self.noise = noise.value();
        }
        self.phase = next;
    }
}

/// A shift register of 16 bits that is never zero.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Noise(u16);

stored_as! { Noise: u16, |own: &Noise| own.0, |other| Some(Noise(other)); }

/// Where each byte of the register is after some clocks, the low one's first: clocks are linear.
type Jump = [[u16; 256]; 2];

static VOICE_JUMP: Jump = jump(VOICE_CLOCKS);
static REST_JUMP: Jump = jump(REST_CLOCKS);

impl Noise {
    const RESET: Noise = Noise(1);
    /// Clocks after which it is the same again.
    const PERIOD: u64 = 0xffff;

    const fn next(self) -> Noise {
        let bit = self.0 >> 1 ^ self.0 >> 2 ^ self.0 >> 4 ^ self.0 >> 15;
        Noise(self.0 << 1 | bit & 1)
    }

    /// What a voice sees of it.
    fn value(self) -> u8 {
        (self.0 >> 1 & 0x3f) as u8
    }

    fn by(self, [low, high]: &Jump) -> Noise {
        let [first, second] = self.0.to_le_bytes();
        Noise(low[usize::from(first)] ^ high[usize::from(second)])
    }

    fn after_voice(self) -> Noise {
        self.by(&VOICE_JUMP)
    }

    fn after_rest(self) -> Noise {
        self.by(&REST_JUMP)
    }
}

const fn jump(clocks: u32) -> Jump {
    let mut jump = [[0; 256]; 2];
    let mut at = 0;
    while at < 512 {
        let mut noise = Noise((at as u16 & 0xff) << (8 * (at as u16 >> 8)));
        let mut clock = 0;
        while clock < clocks {
            noise = noise.next();
            clock += 1;
        }
        jump[at >> 8][at & 0xff] = noise.0;
        at += 1;
    }
    jump
}

/// The volumes: half a decibel a step from 4 on, 511 × 2^((n - 63) / 12), and a straight line below.
#[rustfmt::skip]
static VOLUMES: [u16; 64] = [
    0, 4, 8, 12, 16, 17, 18, 20, 21, 22, 23, 25, 26, 28, 30, 31,
    33, 35, 37, 40, 42, 45, 47, 50, 53, 56, 60, 63, 67, 71, 75, 80,
    85, 90, 95, 101, 107, 113, 120, 127, 135, 143, 151, 160, 170, 180, 191, 202,
    214, 227, 241, 255, 270, 286, 303, 321, 341, 361, 382, 405, 429, 455, 482, 511,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_noise_comes_back_after_its_period() {
        let mut noise = Noise::RESET;
        for clock in 1..=Noise::PERIOD {
            noise = noise.next();
            assert_eq!(noise == Noise::RESET, clock == Noise::PERIOD);
        }
        let stepped = (0..VOICE_CLOCKS).fold(Noise(0xbeef), |noise, _| noise.next());
        assert_eq!(Noise(0xbeef).after_voice(), stepped);
        let stepped = (0..REST_CLOCKS).fold(Noise(0xbeef), |noise, _| noise.next());
        assert_eq!(Noise(0xbeef).after_rest(), stepped);
    }

    /// Twelve steps are 6 dB; fractions are cut off.
    #[test]
    fn volumes_double_every_twelve_steps() {
        for (volume, pair) in VOLUMES[4..].windows(13).enumerate() {
            let (linear, louder) = (pair[0], pair[12]);
            assert!((2 * linear..2 * linear + 2).contains(&louder), "{}: {linear}, {louder}", volume + 4);
        }
    }

    #[test]
    fn waveforms_are_what_their_names_say() {
        let levels = |waveform: u8| {
            let of = |step: u32| Voice { phase: step << 13, noise: 0 }.level(waveform);
            (0..16).map(of).collect::<Vec<_>>()
        };
        let square: Vec<i32> = (0..16).map(|step| if step < 8 { 31 } else { -32 }).collect();
        assert_eq!(levels(0x3f), square);
        let saw: Vec<i32> = (0..16).map(|step| 4 * step - 32).collect();
        assert_eq!(levels(0x7f), saw);
        assert_eq!(levels(0xbf)[..9], [-32, -24, -16, -8, 0, 8, 16, 24, 31]);
        // The other widths turn bits over.
        assert_eq!(levels(0x40), saw.iter().map(|level| -1 - level).collect::<Vec<_>>());
    }
}
