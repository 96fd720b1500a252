//! A recorded timeline as a VCD file, which waveform viewers such as GTKWave show.
//!
//! One time step of 1 ns is one cycle, as in the reference's tests. The scope `picogpu` has a `busy` wire for each
//! block. Each shader unit has its program counter, the stage whose program it runs, the number of threads, and the
//! registers of the first threads.

use crate::regs::{COUNT, r};
use crate::timeline::{Block, Run, Timeline};
use ::vcd::{IdCode, TimescaleUnit, Value, Writer};
use gpuzoo_ir::eval::{self, NoTextures};
use gpuzoo_isa::{COMPONENTS, Stage};
use gpuzoo_machine::session::trace::steps;
use std::io::{self, Write};

/// The most changes of signals that a file gets; a comment at its end says so where there are more. They take about 60
/// MB.
pub const MAX_CHANGES: usize = 4_000_000;

/// What a file shows.
#[derive(Clone, Copy, Debug)]
pub struct VcdOptions {
    /// Threads of each unit whose registers are shown: 0 to 32, from the first one.
    pub threads: usize,
    /// The most changes, up to [`MAX_CHANGES`].
    pub changes: usize,
}

impl Default for VcdOptions {
    /// One thread.
    fn default() -> VcdOptions {
        VcdOptions { threads: 1, changes: MAX_CHANGES }
    }
}

/// A change of a signal: time, signal, value, bits. The sort is stable, so what was noted later at the same time
/// counts.
type Change = (u64, IdCode, u32, u32);

/// The signals of a unit.
struct Unit {
    pc: IdCode,
    stage: IdCode,
    threads: IdCode,
    /// For each thread, for each register, its four components.
    registers: Vec<Vec<[IdCode; 4]>>,
}

/// Bits of a program counter: programs have up to 511 instructions.
const PC_BITS: u32 = 9;
const THREAD_BITS: u32 = 6;

/// Writes a timeline.
///
/// # Errors
/// Those of `to`.
pub fn write_vcd(timeline: &Timeline, options: &VcdOptions, to: impl Write) -> io::Result<()> {
    let mut writer = Writer::new(to);
    writer.comment("gpuzoo: PicoGpu, one time step a cycle")?;
    writer.timescale(1, TimescaleUnit::NS)?;
    writer.add_module("picogpu")?;
    let mut blocks = Vec::new();
    for (block, name) in Block::ALL {
        blocks.push((block, writer.add_wire(1, &format!("{name}_busy"))?));
    }
    let units = [unit(&mut writer, 0, options)?, unit(&mut writer, 1, options)?];
    writer.upscope()?;
    writer.enddefinitions()?;

    let most = options.changes.min(MAX_CHANGES);
    let mut changes = Changes { list: Vec::new(), most, truncated: timeline.truncated };
    for (block, id) in &blocks {
        changes.busy(timeline, *block, *id);
    }
    for run in &timeline.runs {
        if let Some(unit) = units.get(run.unit) {
            changes.run(timeline, run, unit, options.threads);
        }
    }
    let Changes { mut list, truncated, .. } = changes;
    list.sort_by_key(|change| change.0);

    writer.timestamp(0)?;
    let scalars = blocks.iter().map(|(_, id)| (*id, 1));
    let counters =
        units.iter().flat_map(|unit| [(unit.pc, PC_BITS), (unit.stage, 1), (unit.threads, THREAD_BITS)]);
    let registers = units.iter().flat_map(|unit| unit.registers.iter().flatten().flatten());
    for (id, bits) in scalars.chain(counters).chain(registers.map(|id| (*id, 32))) {
        change(&mut writer, id, 0, bits)?;
    }
    let mut now = 0;
    for (time, id, value, bits) in list {
        if time != now {
            writer.timestamp(time)?;
            now = time;
        }
        change(&mut writer, id, value, bits)?;
    }
    if truncated {
        writer.comment("cut off: more happened than is shown")?;
    }
    writer.flush()
}

fn unit(writer: &mut Writer<impl Write>, number: usize, options: &VcdOptions) -> io::Result<Unit> {
    writer.add_module(&format!("unit{number}"))?;
    let pc = writer.add_wire(PC_BITS, "pc")?;
    let stage = writer.add_wire(1, "fragment_program")?;
    let threads = writer.add_wire(THREAD_BITS, "threads")?;
    let mut registers = Vec::new();
    for thread in 0..options.threads.min(crate::MAX_THREADS) {
        writer.add_module(&format!("thread{thread}"))?;
        let mut own = Vec::new();
        for register in 0..COUNT {
            let mut ids = [pc; 4];
            for (id, component) in ids.iter_mut().zip(COMPONENTS) {
                *id = writer.add_wire(32, &format!("r{register}_{component}"))?;
            }
            own.push(ids);
        }
        registers.push(own);
        writer.upscope()?;
    }
    writer.upscope()?;
    Ok(Unit { pc, stage, threads, registers })
}

fn change(writer: &mut Writer<impl Write>, id: IdCode, value: u32, bits: u32) -> io::Result<()> {
    let bit = |index: u32| Value::from(value >> index & 1 == 1);
    if bits == 1 {
        return writer.change_scalar(id, bit(0));
    }
    writer.change_vector(id, (0..bits).rev().map(bit))
}

struct Changes {
    list: Vec<Change>,
    most: usize,
    truncated: bool,
}

impl Changes {
    fn push(&mut self, change: Change) {
        if self.list.len() < self.most {
            self.list.push(change);
        } else {
            self.truncated = true;
        }
    }

    /// A block is busy while any of its intervals lasts.
    fn busy(&mut self, timeline: &Timeline, block: Block, id: IdCode) {
        let mut intervals: Vec<_> = timeline
            .busy
            .iter()
            .filter(|(known, _)| *known == block)
            .map(|(_, cycles)| cycles.clone())
            .collect();
        intervals.sort_by_key(|cycles| cycles.start);
        let mut intervals = intervals.into_iter().peekable();
        while let Some(mut cycles) = intervals.next() {
            while let Some(next) = intervals.next_if(|next| next.start <= cycles.end) {
                cycles.end = cycles.end.max(next.end);
            }
            self.push((cycles.start, id, 1, 1));
            self.push((cycles.end, id, 0, 1));
        }
    }

    /// The program counter and the registers. What an instruction writes is there in the cycle after it.
    fn run(&mut self, timeline: &Timeline, run: &Run, unit: &Unit, threads: usize) {
        let Some(lowered) = timeline.programs.get(run.program) else { return };
        self.push((run.start, unit.stage, u32::from(run.stage == Stage::Fragment), 1));
        self.push((run.start, unit.threads, run.inputs.len() as u32, THREAD_BITS));
        for step in 0..=lowered.steps.len() {
            self.push((run.start + step as u64, unit.pc, step as u32, PC_BITS));
        }
        let mut values = eval::Run::default();
        for (inputs, registers) in run.inputs.iter().zip(&unit.registers).take(threads) {
            if self.list.len() >= self.most {
                self.truncated = true;
                return;
            }
            values.run(&lowered.function, inputs, &run.uniforms, &NoTextures);
            // At an execute all registers are cleared and inputs are placed.
            for (reg, value) in &lowered.initial {
                self.register(run.start, registers, usize::from(reg.index), values.value(*value), 0b1111);
            }
            for (index, step) in steps(lowered, &values).into_iter().enumerate() {
                for written in step.changes.iter().filter(|change| change.reg == r(change.reg.index)) {
                    let components = written.components.0;
                    let time = run.start + index as u64 + 1;
                    self.register(time, registers, usize::from(written.reg.index), written.after, components);
                }
            }
        }
    }

    fn register(
        &mut self,
        time: u64,
        registers: &[[IdCode; 4]],
        index: usize,
        value: [u32; 4],
        components: u8,
    ) {
        let Some(ids) = registers.get(index) else { return };
        for component in (0..4).filter(|component| components >> component & 1 == 1) {
            self.push((time, ids[component], value[component], 32));
        }
    }
}
