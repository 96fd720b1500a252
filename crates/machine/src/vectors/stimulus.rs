//! Vectors that are made rather than recorded: stimulus for another implementation of a machine, with what gpuzoo gives.
//!
//! Which instructions and which numbers there are is the same for all machines, and is not said here. What a machine adds is how a
//! few instructions become a program into which values come and from which they leave ([`ProgramVectors::around`]), and how
//! its records are written ([`ProgramVectors::records`]).

use gpuzoo_diag::Span;
use gpuzoo_ir::Vec4;
use gpuzoo_isa::{FileKind, Inst, Isa, Mask, Operand, Profile, Program, Reg, Slot};
use serde_json::{Map, Value as Json};

/// What a program is run with once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stimulus {
    /// The inputs, by number. What is not there is 0.
    pub inputs: Vec<Vec4>,
    /// The constants, by number. What is not there is 0.
    pub constants: Vec<Vec4>,
}

/// The temporaries that instructions read and write, in the order of their first use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Temporaries {
    /// Those that are read, written before or not, and those of which components stay as they were.
    pub read: Vec<Reg>,
    /// Those that are written.
    pub written: Vec<Reg>,
}

impl Temporaries {
    /// Of slots.
    pub fn of(isa: &Isa, slots: &[Slot]) -> Temporaries {
        let mut all = Temporaries::default();
        let is_temporary = |reg: Reg| {
            let file = isa.file(reg);
            matches!(file.kind, FileKind::Temporary(_)) && !file.internal && file.has(reg.index)
        };
        let note = |list: &mut Vec<Reg>, reg: Reg| {
            if is_temporary(reg) && !list.contains(&reg) {
                list.push(reg);
            }
        };
        for inst in slots.iter().flat_map(|slot| slot.insts()) {
            for (part, operand) in inst.reads().filter(|(_, operand)| operand.immediates.is_empty()) {
                for more in 0..u16::from(part.consecutive) {
                    note(&mut all.read, Reg { index: operand.reg.index + more, ..operand.reg });
                }
            }
            // Where nothing at all is written, that is what there is to see.
            let is_dropped = inst.writes().all(|(_, operand)| operand.mask.is_empty());
            for (_, operand) in inst.writes().filter(|(_, operand)| is_dropped || !operand.mask.is_empty()) {
                if operand.immediates.is_empty() {
                    note(&mut all.written, operand.reg);
                }
                if operand.mask != Mask::ALL {
                    note(&mut all.read, operand.reg);
                }
            }
        }
        all
    }
}

/// A slot that copies a register by the instruction of this mnemonic; none if it cannot.
pub fn copy(isa: &Isa, mnemonic: &str, to: Reg, from: Reg) -> Option<Slot> {
    let mut inst = Inst::new(isa.op(mnemonic)?);
    for part in inst.op.parts {
        let reg = if part.is_written() { to } else { from };
        let can_be = part.choices.iter().any(|choice| choice.file() == Some(reg.file));
        let operand = if can_be { Operand::of(reg) } else { Operand::absent() };
        inst.operands[usize::from(part.operand)] = operand;
    }
    Some(isa.slot(isa.encode(&inst), Span::default()))
}

/// The slots of a program [around](ProgramVectors::around) a body: copies of `feeds`, the body, copies to `outputs`. `copy` makes one
/// of a register to another, where there is need for it.
pub fn framed(
    body: &[Slot],
    temporaries: &Temporaries,
    feeds: &[Reg],
    outputs: &[Reg],
    copy: impl Fn(Reg, Reg) -> Option<Slot>,
) -> Vec<Slot> {
    let filled = temporaries.read.iter().zip(feeds.iter().cycle());
    let filled = filled.filter_map(|(reg, feed)| copy(*reg, *feed));
    let is_written = |output: &Reg| {
        let mut insts = body.iter().flat_map(|slot| slot.insts());
        insts.any(|inst| inst.writes().any(|(_, to)| to.reg == *output && !to.mask.is_empty()))
    };
    let free = outputs.iter().filter(|output| !is_written(output));
    let left = temporaries.written.iter().rev().zip(free);
    let left = left.filter_map(|(reg, output)| copy(*output, *reg));
    filled.chain(body.iter().copied()).chain(left).collect()
}

/// Makes vectors of programs.
pub trait ProgramVectors: Sync {
    /// True if an instruction may come behind others in a program that is made up: it does not end the run, and what it gives
    /// is defined.
    fn takes(&self, _before: &[Slot], _inst: &Inst) -> bool {
        true
    }

    /// A program that runs `body`. The temporaries that this reads are filled before, if they are not inputs themselves: the
    /// first from input 0, the second from input 1 and so on, then from constants 0, 1 and so on, then from input 0 again. Of
    /// those that it writes as many leave behind it, the last ones first, as the machine has outputs that it does not write
    /// itself.
    fn around(&self, body: &[Slot], temporaries: &Temporaries) -> Program;

    /// How many inputs and constants a program may have.
    fn counts(&self) -> [usize; 2];

    /// Records without a program, for directed vectors: vertex formats, textures, coverage, on their edges. None where the
    /// machine has no such records.
    fn pieces(&self) -> Vec<Json> {
        Vec::new()
    }

    /// Records that [`conform`](crate::vectors) takes: a program, its runs, and what it gives in each of them.
    ///
    /// # Errors
    /// Why the records of the machine cannot hold such a program.
    fn records(
        &self,
        name: &str,
        program: &Program,
        runs: &[Stimulus],
        profile: Profile,
    ) -> Result<Vec<Json>, String>;
}

/// Which accesses a file that is one vector is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accesses {
    /// So many at random, the same ones for the same seed.
    Random {
        /// Any number.
        seed: u64,
        /// How many accesses.
        count: u64,
    },
    /// To each register in turn, and in each way that the machine's blocks can be set to.
    Directed,
}

/// A file that is one vector as a whole, made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MadeFile {
    /// Its text.
    pub text: String,
    /// How many accesses it has.
    pub accesses: u64,
    /// The machine's registers, each with how often it is accessed.
    pub registers: Vec<(&'static str, u64)>,
}

/// Bits at which operations do something else than before: zeros, ones, infinities, NaNs, denormals, the largest numbers, those
/// from which on there are no fractions or not all integers, limits of integers, and neighbours of some. All in both signs.
pub const EDGES: [u32; 44] = {
    const MAGNITUDES: [u32; 22] = [
        0,           // 0; with the sign also the least integer
        0x0000_0001, // the smallest denormal
        0x0000_0002, // as an integer, 2
        0x0040_0000, // a denormal in the middle
        0x007f_ffff, // the largest denormal
        0x0080_0000, // the smallest normal number
        0x2f80_0000, // 2^-32
        0x3eff_ffff, // below 0.5
        0x3f00_0000, // 0.5
        0x3f7f_ffff, // below 1
        0x3f80_0000, // 1
        0x3f80_0001, // above 1
        0x4049_0fdb, // pi
        0x4b00_0000, // 2^23, from which on there are no fractions
        0x4b80_0000, // 2^24, up to which there are all integers
        0x4b80_0001, // above it
        0x4f00_0000, // 2^31
        0x5f80_0000, // 2^64
        0x7f7f_ffff, // the largest number
        0x7f80_0000, // infinity
        0x7fa0_0000, // a signalling NaN
        0x7fff_ffff, // a quiet NaN; with the sign also the integer -1
    ];
    let mut edges = [0; 44];
    let mut at = 0;
    while at < edges.len() {
        edges[at] = MAGNITUDES[at / 2] | (at as u32 & 1) << 31;
        at += 1;
    }
    edges
};

/// A vector's components as records have them: eight hexadecimal digits each.
pub fn vec4_json(value: Vec4) -> Json {
    value.iter().map(|component| Json::from(format!("{component:08x}"))).collect()
}

/// Words as records have them.
pub fn words_json(words: &[u32]) -> Json {
    words.iter().map(|word| Json::from(format!("{word:08x}"))).collect()
}

/// A record for each run, of a name and the run. Where there are several, their names have a number.
pub fn run_records(
    name: &str,
    runs: &[Stimulus],
    mut record: impl FnMut(String, &Stimulus) -> Json,
) -> Vec<Json> {
    let record = |(number, run): (usize, &Stimulus)| {
        let name = if runs.len() == 1 { name.to_owned() } else { format!("{name}, run {number}") };
        record(name, run)
    };
    runs.iter().enumerate().map(record).collect()
}

/// Adds what leaves a run, by register, to an object: `out`, and `chk` where that is not exact.
pub fn add_results(record: &mut Json, values: impl IntoIterator<Item = (String, Vec4)>) {
    let (mut out, mut chk) = (Map::new(), Map::new());
    for (name, value) in values {
        chk.extend(letters(value).map(|letters| (name.clone(), letters.into())));
        out.insert(name, vec4_json(value));
    }
    record["out"] = out.into();
    if !chk.is_empty() {
        record["chk"] = chk.into();
    }
}

/// The letters of [`ComponentRule`](crate::vectors::ComponentRule) for a result: any NaN is any NaN, all else is exact. None
/// where all is exact, as it is without letters.
fn letters(value: Vec4) -> Option<String> {
    let nan = |component: u32| f32::from_bits(component).is_nan();
    let letters = || value.iter().map(|component| if nan(*component) { 'n' } else { 'e' }).collect();
    value.iter().any(|component| nan(*component)).then(letters)
}
