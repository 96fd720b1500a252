//! Sound: the PCM FIFO and its playback, and for one who listens what VERA sends to its DAC.
//!
//! The FIFO is always there, since the bus shows its level. The [generator](psg) and the samples are there only while somebody
//! listens: no register shows them. Every 512 clocks a sample begins: the DAC takes the sum of both as it is, the generator
//! begins with the next one, and the rate's divider moves, which may make the playback fetch bytes.
//!
//! Clocks are those of the device. What a write changes is there some clocks later (spec section 4), so that writes first let the
//! sound run on to that clock.

mod psg;

use gpuzoo_stored::stored;
use psg::{BYTES, Psg};

/// Bytes of the FIFO; one place stays free.
const CAPACITY: u16 = 4095;
const PLACES: usize = CAPACITY as usize + 1;
/// AFLOW is asked for below this level.
const LOW: u16 = 1024;
/// 25 MHz clocks from one sample to the next: 48,828.125 Hz.
const SAMPLE_CLOCKS: u64 = 512;
/// Clocks from a write to the change of the register, and of what is behind it: the FIFO, and the voices in video memory.
const REGISTER_DELAY: u64 = 3;
const MEMORY_DELAY: u64 = 4;

/// What the playback does at the next clock at which it does anything.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Stage {
    /// A clock before the next sample: what was last played gets its volume, and goes to the DAC.
    Scale,
    /// A sample begins: the divider moves.
    Divide,
    /// The divider's top bit has changed: the first byte is fetched, if there is one.
    Begin,
    /// A byte has been fetched: low and high of the left, then of the right.
    Fetched(usize),
    /// All bytes of the sample are there.
    Play,
    /// Nothing was played. With an empty FIFO there is silence.
    Rest,
}

stored! { enum Stage { Scale, Divide, Begin, Fetched(index: usize), Play, Rest } if |own: &Stage| !matches!(own, Stage::Fetched(4..)) }

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Audio {
    /// Bits 5:0 of AUDIO_CTRL: 16-bit, stereo, volume.
    mode: u8,
    rate: u8,
    fifo: Box<[u8; PLACES]>,
    /// Where the next byte is read.
    head: u16,
    /// Bytes in the FIFO.
    pub level: u16,
    /// The rate divider; bytes are due when its top bit changes.
    divider: u8,
    stage: Stage,
    /// The clock of the stage.
    due: u64,
    /// The clock of the last reset.
    reset: u64,
    /// The byte that is being fetched, and those that have been.
    byte: u8,
    bytes: [u8; 4],
    /// What is played, left and right.
    output: [i16; 2],
    listener: Option<Box<Listener>>,
}

stored! {
    Audio { mode, rate, fifo, head, level, divider, stage, due, reset, byte, bytes, output, listener }
    if |own: &Audio| own.head < PLACES as u16 && own.level <= CAPACITY && own.reset <= own.due
}

/// One who listens.
#[derive(Clone, Debug, PartialEq)]
struct Listener {
    psg: Psg,
    /// What nobody has taken yet; nothing if nobody takes any.
    samples: Option<Vec<[i32; 2]>>,
    /// It has been there since power-on.
    from_start: bool,
}

stored! { Listener { psg, from_start } without { samples: None } }

impl Audio {
    /// Audio that starts at a clock.
    pub(crate) fn new(clock: u64) -> Audio {
        Audio {
            mode: 0,
            rate: 0,
            fifo: Box::new([0; PLACES]),
            head: 0,
            level: 0,
            divider: 0,
            stage: Stage::Scale,
            due: clock + SAMPLE_CLOCKS - 1,
            reset: clock,
            byte: 0,
            bytes: [0; 4],
            output: [0; 2],
            listener: None,
        }
    }

    /// Starts anew at a clock. Who listens goes on.
    pub(crate) fn restart(&mut self, clock: u64) {
        let before = std::mem::replace(self, Audio::new(clock));
        self.listener =
            before.listener.map(|listener| Box::new(Listener { psg: Psg::new(&[0; BYTES], 0), ..*listener }));
    }

    /// Follows the voices from now on. Those with these bytes begin as if they had been silent.
    fn follow(&mut self, bytes: &[u8; BYTES], from_start: bool) -> &mut Listener {
        let psg = Psg::new(bytes, self.started() - self.reset);
        self.listener.get_or_insert_with(|| Box::new(Listener { psg, samples: None, from_start }))
    }

    /// The same, and notes samples.
    pub(crate) fn listen(&mut self, bytes: &[u8; BYTES], from_start: bool) {
        self.follow(bytes, from_start).samples.get_or_insert_default();
    }

    /// So that a state has the voices, too.
    pub(crate) fn expect_state(&mut self, bytes: &[u8; BYTES], from_start: bool) {
        self.follow(bytes, from_start);
    }

    /// True if a state has the voices.
    pub(crate) fn has_voices(&self) -> bool {
        self.listener.as_ref().is_some_and(|listener| listener.from_start)
    }

    /// Goes on for those who listen to another one.
    pub(crate) fn listen_as(&mut self, other: &mut Audio) {
        self.listener = self.listener.take().filter(|_| other.listener.is_some());
        if let (Some(own), Some(other)) = (&mut self.listener, &mut other.listener) {
            own.samples = other.samples.take();
        }
    }

    /// True if the next stage is as near to a clock as it always is.
    pub(crate) fn is_at(&self, clock: u64) -> bool {
        (clock..clock + 2 * SAMPLE_CLOCKS).contains(&self.due)
    }

    /// The samples since the last call.
    pub(crate) fn take_samples(&mut self) -> Vec<[i32; 2]> {
        let samples = self.listener.as_mut().and_then(|listener| listener.samples.as_mut());
        samples.map(std::mem::take).unwrap_or_default()
    }

    /// The same, which stay.
    pub(crate) fn samples(&self) -> &[[i32; 2]] {
        let samples = self.listener.as_ref().and_then(|listener| listener.samples.as_deref());
        samples.unwrap_or_default()
    }

    /// The clock at which the sample began to which the next stage belongs.
    fn started(&self) -> u64 {
        self.due - (self.due - self.reset) % SAMPLE_CLOCKS
    }

    pub(crate) fn control(&self) -> u8 {
        u8::from(self.level == CAPACITY) << 7 | u8::from(self.level == 0) << 6 | self.mode
    }

    pub(crate) fn rate(&self) -> u8 {
        self.rate
    }

    pub(crate) fn is_low(&self) -> bool {
        self.level < LOW
    }

    /// AUDIO_CTRL.
    pub(crate) fn write_control(&mut self, value: u8, clock: u64) {
        let there = clock + REGISTER_DELAY;
        self.run_to(there);
        self.mode = value & 0x3f;
        if value & 0x80 != 0 {
            self.run_to(there + 1);
            (self.head, self.level, self.byte) = (0, 0, 0);
            // Silence comes a clock later.
            self.run_to(there + 2);
            self.output = [0; 2];
        }
    }

    /// AUDIO_RATE.
    pub(crate) fn write_rate(&mut self, value: u8, clock: u64) {
        self.run_to(clock + REGISTER_DELAY);
        self.rate = value;
    }

    /// AUDIO_DATA: one byte more, unless it is full.
    pub(crate) fn push(&mut self, value: u8, clock: u64) {
        let there = clock + MEMORY_DELAY;
        self.run_to(there - 1);
        // A byte that is fetched at the very clock leaves no room for this one.
        let is_full = self.level == CAPACITY;
        self.run_to(there);
        if !is_full {
            self.fifo[usize::from(self.head + self.level) % PLACES] = value;
            self.level += 1;
        }
    }

    /// A byte of a voice.
    #[inline]
    pub(crate) fn write_voice(&mut self, index: usize, value: u8, clock: u64) {
        if self.listener.is_some() {
            let there = clock + MEMORY_DELAY;
            self.run_to(there);
            if let Some(listener) = &mut self.listener {
                listener.psg.write(index, value, there);
            }
        }
    }

    /// Lets happen what is due before a clock.
    #[inline]
    pub(crate) fn run_to(&mut self, clock: u64) {
        while self.due < clock {
            self.step();
        }
    }

    fn step(&mut self) {
        let (stage, due) = match self.stage {
            Stage::Scale => {
                self.scale();
                (Stage::Divide, self.due + 1)
            }
            Stage::Divide => {
                let before = self.divider;
                self.divider = before.wrapping_add(self.rate);
                match (before ^ self.divider) & 0x80 {
                    0 => self.wait(),
                    _ => (Stage::Begin, self.due + 1),
                }
            }
            Stage::Begin if self.level > 0 => {
                self.bytes = [0; 4];
                self.fetch(0)
            }
            Stage::Fetched(index) => {
                self.bytes[index] = self.byte;
                let (is_16_bit, is_stereo) = (self.is_16_bit(), self.is_stereo());
                match index {
                    // The last byte of the FIFO is lost, even if the sample is complete.
                    _ if self.level == 0 => (Stage::Rest, self.due + 1),
                    0 if is_16_bit => self.fetch(1),
                    0 | 1 if is_stereo => self.fetch(2),
                    2 if is_16_bit => self.fetch(3),
                    _ => (Stage::Play, self.due + 1),
                }
            }
            Stage::Play => {
                let [left, high_left, right, high_right] = self.bytes;
                let sample = |low, high| match self.is_16_bit() {
                    true => i16::from_le_bytes([low, high]),
                    false => i16::from_le_bytes([0, low]),
                };
                let left = sample(left, high_left);
                self.output = [left, if self.is_stereo() { sample(right, high_right) } else { left }];
                (Stage::Rest, self.due + 1)
            }
            Stage::Begin | Stage::Rest => {
                if self.level == 0 {
                    self.output = [0; 2];
                }
                self.wait()
            }
        };
        (self.stage, self.due) = (stage, due);
    }

    /// Nothing more until the next sample.
    fn wait(&self) -> (Stage, u64) {
        (Stage::Scale, self.started() + SAMPLE_CLOCKS - 1)
    }

    /// Takes a byte of the FIFO, which has one.
    fn fetch(&mut self, index: usize) -> (Stage, u64) {
        self.byte = self.fifo[usize::from(self.head)];
        self.head = (self.head + 1) % PLACES as u16;
        self.level -= 1;
        (Stage::Fetched(index), self.due + 1)
    }

    /// The sum that goes to the DAC.
    fn scale(&mut self) {
        let volume = VOLUMES[usize::from(self.mode & 0x0f)];
        if let Some(listener) = &mut self.listener {
            let [left, right] = listener.psg.sample(self.due + 1);
            let pcm = self.output.map(|level| (i32::from(level) * volume) >> 6);
            listener.samples.iter_mut().for_each(|samples| samples.push([left + pcm[0], right + pcm[1]]));
        }
    }

    fn is_16_bit(&self) -> bool {
        self.mode & 0x20 != 0
    }

    fn is_stereo(&self) -> bool {
        self.mode & 0x10 != 0
    }
}

/// The playback's volumes, of 64.
static VOLUMES: [i32; 16] = [0, 1, 2, 3, 4, 5, 6, 8, 11, 14, 18, 23, 30, 38, 49, 64];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Vera;

    #[test]
    fn the_fifo_is_full_at_4095_and_low_below_1024() {
        let mut vera = Vera::default();
        assert_eq!(vera.read(0x1b), 0x40);
        for _ in 0..1023 {
            vera.write(0x1d, 0);
        }
        assert_eq!(vera.read(0x07), 8);
        vera.write(0x1d, 0);
        assert_eq!(vera.read(0x07), 0);
        for _ in 0..4000 {
            vera.write(0x1d, 0);
        }
        vera.write(0x1b, 0x3f);
        assert_eq!((vera.audio.level, vera.read(0x1b)), (4095, 0xbf));
        vera.write(0x1b, 0x80);
        assert_eq!(vera.read(0x1b), 0x40);
    }

    /// Bit 5 is 16 bits, and bit 4 stereo. A rate of 128 takes a sample every 512 clocks.
    #[test]
    fn samples_have_one_to_four_bytes() {
        for (mode, bytes) in [(0x0f, 1), (0x1f, 2), (0x2f, 2), (0x3f, 4)] {
            let mut audio = Audio { level: 100, mode, rate: 128, ..Audio::new(0) };
            audio.run_to(10 * SAMPLE_CLOCKS + 1);
            assert_eq!(audio.level, 100 - 9 * bytes);
            audio.run_to(10 * SAMPLE_CLOCKS + 1 + u64::from(bytes));
            assert_eq!(audio.level, 100 - 10 * bytes);
        }
        // Rate 64 takes one sample in two.
        let mut audio = Audio { level: 100, rate: 64, ..Audio::new(0) };
        audio.run_to(10 * SAMPLE_CLOCKS + 2);
        assert_eq!(audio.level, 95);
    }

    /// Of two bytes the first is heard, and the second lost, which is the FIFO's last.
    #[test]
    fn the_last_byte_is_not_heard() {
        let mut audio = Audio { mode: 0x0f, rate: 128, ..Audio::new(0) };
        audio.listen(&[0; 64], true);
        audio.push(0x40, 0);
        audio.push(0x20, 0);
        audio.run_to(6 * SAMPLE_CLOCKS);
        let silence = [0, 0];
        assert_eq!(audio.take_samples(), [silence, [0x4000; 2], silence, silence, silence, silence]);
    }
}
