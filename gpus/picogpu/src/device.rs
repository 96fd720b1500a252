//! The whole machine: memory, pins, and the commands of its host (spec section 8).
//!
//! ```
//! use gpuzoo_picogpu::{Device, Options};
//! let mut device = Device::new(&Options::default())?;
//! device.fill(0, 16, 0xff00_00ff)?;
//! assert_eq!(device.cycle(), 5 * 16 + 2);
//! assert_eq!(device.read(60, 2)?, [0xff00_00ff, 0]);
//! # Ok::<(), gpuzoo_picogpu::DeviceError>(())
//! ```

use crate::header::{self, COMMAND_DWORDS, HeaderError};
use crate::meaning::stored::Stored;
use crate::memory::{MAX_DWORDS_WITHOUT_LIMIT, MEMORY_DWORDS, Memory};
use crate::pins::Pins;
use crate::profile::DOCUMENT;
use crate::timeline::{Block, Timeline};
use crate::timing::{Breakdown, Part, blit};
use gpuzoo_isa::{Profile, Stage};
use gpuzoo_machine::limits::budget::{Budget, Refusal};
use gpuzoo_machine::limits::memory;
use gpuzoo_machine::unit::cache::Cache;
use gpuzoo_raster::Fill;
use std::sync::Arc;

/// The most dwords of a blit or fill.
pub const MAX_BLIT: usize = 65_535;

/// How a machine is set up.
#[derive(Clone, Debug)]
pub struct Options {
    /// Which source is followed where document and reference differ.
    pub profile: Profile,
    /// Which pixels on an edge belong to a triangle: all, as the machine has it, or by the conventional rule.
    pub fill: Fill,
    /// Lifts what the machine can hold and count: the memory has `memory` dwords, a draw any number of vertices, a blit
    /// any number of dwords.
    pub no_limits: bool,
    /// Dwords of a memory without limits.
    pub memory: usize,
    /// What its memory and its draws may use here; without an end, unless something else is said.
    pub budget: Budget,
}

impl Default for Options {
    /// The machine as it is.
    fn default() -> Self {
        Options {
            profile: DOCUMENT,
            fill: Fill::Inclusive,
            no_limits: false,
            memory: MAX_DWORDS_WITHOUT_LIMIT,
            budget: Budget::unlimited(),
        }
    }
}

/// What the machine cannot do. The reference's process ends in most of these cases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeviceError {
    /// A blit of more dwords than the blitter counts.
    Blit(usize),
    /// More vertices than the pin has bits for.
    Vertices(u32),
    /// A framebuffer without pixels, or with too many.
    Framebuffer(u32, u32),
    /// There is no program of this stage at the pin's address.
    Program(Stage, HeaderError),
    /// The program at the pin's address is for the other stage.
    Stage(Stage),
    /// An opcode in the program of this stage does not exist.
    UnknownOpcode(Stage, u8),
    /// A pin does not say what the program says: its name, its value, the program's.
    Pin(&'static str, u8, u8),
    /// The fragment program does not give a colour of four components and a depth.
    FragmentOutputs,
    /// The vertex program's first output is not a position of four components.
    Position,
    /// A triangle has a vertex whose w is 0. Those before it have been drawn.
    ZeroW(u32),
    /// It would use more than its budget has left.
    Refused(Refusal),
}

impl From<Refusal> for DeviceError {
    fn from(refusal: Refusal) -> DeviceError {
        DeviceError::Refused(refusal)
    }
}

impl std::fmt::Display for DeviceError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let name = |stage: &Stage| if *stage == Stage::Vertex { "vertex" } else { "fragment" };
        match self {
            DeviceError::Blit(dwords) => write!(f, "{dwords} dwords are more than {MAX_BLIT}"),
            DeviceError::Vertices(count) => write!(f, "{count} vertices are more than 255"),
            DeviceError::Framebuffer(width, height) => {
                write!(f, "a framebuffer cannot be {width} × {height}; sides are 1 to 16384")
            }
            DeviceError::Program(stage, error) => write!(f, "no {} program: {error}", name(stage)),
            DeviceError::Stage(stage) => write!(f, "the {} program is for the other stage", name(stage)),
            DeviceError::UnknownOpcode(stage, code) => {
                write!(f, "Unknown opcode: {code} in the {} program", name(stage))
            }
            DeviceError::Pin(pin, value, program) => {
                write!(f, "pin {pin} is 0x{value:02x}, the program needs 0x{program:02x}")
            }
            DeviceError::FragmentOutputs => f.write_str("a fragment program gives a colour and a depth"),
            DeviceError::Position => {
                f.write_str("a vertex program's first output is the position, of four components")
            }
            DeviceError::Refused(refusal) => refusal.fmt(f),
            DeviceError::ZeroW(triangle) => {
                write!(f, "Homogeneous coordinate is 0 in triangle {triangle}")
            }
        }
    }
}

impl std::error::Error for DeviceError {}

/// The machine.
pub struct Device {
    /// The memory. The host may look into it and change it between commands.
    pub memory: Memory,
    /// The pins.
    pub pins: Pins,
    pub(crate) profile: Profile,
    pub(crate) fill: Fill,
    pub(crate) no_limits: bool,
    pub(crate) cycle: u64,
    pub(crate) breakdown: Breakdown,
    pub(crate) timeline: Option<Timeline>,
    /// The programs that the frontend holds, with their addresses, the last used one first. The reference goes by the
    /// address alone and does not notice a new program there.
    frontend: Vec<(u32, Arc<Stored>)>,
    /// Programs that were compiled before, here or elsewhere. The machine knows nothing of it.
    cache: Cache,
    pub(crate) budget: Budget,
}

impl Device {
    /// A machine with zeros in its memory and on its pins.
    ///
    /// # Errors
    /// [`Refusal`] if there is no memory for its memory.
    pub fn new(options: &Options) -> Result<Device, Refusal> {
        Device::sharing(options, Cache::default())
    }

    /// As [`new`](Device::new), with programs that need not be compiled again.
    pub(crate) fn sharing(options: &Options, cache: Cache) -> Result<Device, Refusal> {
        let dwords = if options.no_limits { options.memory } else { MEMORY_DWORDS };
        Ok(Device {
            memory: Memory::new(dwords, &options.budget)?,
            pins: Pins::default(),
            profile: options.profile,
            fill: options.fill,
            no_limits: options.no_limits,
            cycle: 0,
            breakdown: Breakdown::default(),
            timeline: None,
            frontend: Vec::new(),
            cache,
            budget: options.budget.clone(),
        })
    }

    /// From now on what the blocks do is recorded.
    pub fn record(&mut self) {
        self.timeline = Some(Timeline::default());
    }

    /// What was recorded.
    pub fn timeline(&self) -> Option<&Timeline> {
        self.timeline.as_ref()
    }

    /// Cycles of all commands so far.
    pub fn cycle(&self) -> u64 {
        self.cycle
    }

    /// Where they went.
    pub fn breakdown(&self) -> Breakdown {
        self.breakdown
    }

    /// Has the blitter copy dwords to the memory.
    ///
    /// # Errors
    /// For more than [`MAX_BLIT`] dwords.
    pub fn write(&mut self, address: u32, dwords: &[u32]) -> Result<(), DeviceError> {
        self.blit(dwords.len())?;
        self.memory.write_all(address as usize / 4, dwords.iter().copied());
        Ok(())
    }

    /// Has the blitter fill memory with a dword.
    ///
    /// # Errors
    /// For more than [`MAX_BLIT`] dwords.
    pub fn fill(&mut self, address: u32, count: usize, dword: u32) -> Result<(), DeviceError> {
        self.blit(count)?;
        self.memory.write_all(address as usize / 4, std::iter::repeat_n(dword, count));
        Ok(())
    }

    /// Has the blitter copy dwords from the memory.
    ///
    /// # Errors
    /// For more than [`MAX_BLIT`] dwords.
    pub fn read(&mut self, address: u32, count: usize) -> Result<Vec<u32>, DeviceError> {
        self.blit(count)?;
        Ok(memory::collect(count, self.memory.read_all(address as usize / 4, count))?)
    }

    fn blit(&mut self, dwords: usize) -> Result<(), DeviceError> {
        if dwords > MAX_BLIT && !self.no_limits || dwords > MAX_DWORDS_WITHOUT_LIMIT {
            return Err(DeviceError::Blit(dwords));
        }
        // More than the blitter counts takes several commands.
        let commands = dwords.div_ceil(MAX_BLIT).max(1) as u64;
        let cycles = blit(dwords as u64) + (commands - 1) * blit(0);
        let span = self.cycle..self.cycle + cycles;
        if let Some(timeline) = &mut self.timeline {
            timeline.busy(Block::CommandStreamer, span.clone());
            timeline.busy(Block::Blitter, span);
        }
        self.cycle += cycles;
        self.breakdown.add(Part::Blit, cycles);
        Ok(())
    }

    /// The program at an address, its dwords, and whether the frontend has to read them from memory.
    pub(crate) fn program(
        &mut self,
        stage: Stage,
        address: u32,
    ) -> Result<(Arc<Stored>, u64, bool), DeviceError> {
        let index = address as usize / 4;
        let mut dwords: Vec<u32> = self.memory.read_all(index, COMMAND_DWORDS).collect();
        let (interface, length) =
            header::decode(&dwords).map_err(|error| DeviceError::Program(stage, error))?;
        dwords.extend(self.memory.read_all(index + COMMAND_DWORDS, length));
        if interface.stage != stage {
            return Err(DeviceError::Stage(stage));
        }
        let count = dwords.len() as u64;
        let held = self.frontend.iter().position(|(at, known)| *at == address && known.words == dwords);
        let stored = match held {
            Some(held) => self.frontend.remove(held).1,
            None => Stored::kept(&self.cache, interface, &dwords, self.profile),
        };
        if let Some(code) = stored.unknown {
            return Err(DeviceError::UnknownOpcode(stage, code));
        }
        self.frontend.insert(0, (address, stored.clone()));
        self.frontend.truncate(2);
        Ok((stored, count, held.is_none()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{assemble, program_dwords};
    use gpuzoo_diag::File;

    /// 5 cycles a dword and 2 a command, which has at most 65,535 dwords.
    #[test]
    fn blits_take_what_the_spec_says() {
        let mut device = Device::new(&Options::default()).unwrap();
        let mut total = 0;
        for (dwords, cycles) in [(0, 2), (1, 7), (65_535, 327_677)] {
            device.fill(0, dwords, 1).unwrap();
            total += cycles;
            assert_eq!((device.cycle(), device.breakdown().of(Part::Blit)), (total, total));
        }
        assert_eq!(device.read(0, 65_536), Err(DeviceError::Blit(65_536)));
        assert_eq!(device.write(0, &[0; 65_536]), Err(DeviceError::Blit(65_536)));
        assert_eq!(device.cycle(), total);
        let options = Options { no_limits: true, memory: 70_000, ..Options::default() };
        for (dwords, commands) in [(65_535, 1), (65_536, 2), (131_070, 2), (131_071, 3)] {
            let mut device = Device::new(&options).unwrap();
            device.fill(0, dwords, 1).unwrap();
            assert_eq!(device.cycle(), 5 * dwords as u64 + 2 * commands, "{dwords}");
        }
    }

    /// Bytes of the host's addresses are dwords of the memory.
    #[test]
    fn the_host_reads_what_it_wrote() {
        let mut device = Device::new(&Options::default()).unwrap();
        device.record();
        device.write(8, &[1, 2, 3]).unwrap();
        device.fill(16, 1, 9).unwrap();
        assert_eq!(device.read(4, 5).unwrap(), [0, 1, 2, 9, 0]);
        // 5 × 3 + 2, 5 + 2, 5 × 5 + 2
        let busy = [0..17, 17..24, 24..51]
            .map(|span| [(Block::CommandStreamer, span.clone()), (Block::Blitter, span)]);
        assert_eq!(device.timeline().unwrap().busy, busy.as_flattened());
    }

    /// Section 6: "keeps the last two (LRU)".
    #[test]
    fn the_frontend_keeps_the_last_two_programs() {
        let dwords = |text: &str| {
            let text = format!("#vertexShader #input r0.xyzw #output r0.xyzw {text}");
            program_dwords(&assemble(&File::new("t", &text), DOCUMENT).program)
        };
        let mut device = Device::new(&Options::default()).unwrap();
        let texts = ["trap", "mov r1 r0", "fadd r1 r0 r0"];
        for (index, text) in texts.into_iter().enumerate() {
            device.memory.write_all(64 * index, dwords(text));
        }
        let mut is_fetched = |index: u32| device.program(Stage::Vertex, 256 * index).unwrap().2;
        let found = [0, 0, 1, 0, 2, 0, 1, 2].map(&mut is_fetched);
        assert_eq!(found, [true, false, true, false, true, false, true, true]);
        // Another program in the same place.
        device.memory.write_all(128, dwords("mov r2 r0"));
        let (_, length, fetched) = device.program(Stage::Vertex, 512).unwrap();
        assert_eq!((length, fetched), (dwords("mov r2 r0").len() as u64, true));
        assert_eq!(device.program(Stage::Fragment, 512).err(), Some(DeviceError::Stage(Stage::Fragment)));
    }
}
