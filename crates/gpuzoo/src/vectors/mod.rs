//! The verb `vectors`: records that [`conform`](crate::conform) takes, as stimulus for another implementation of a machine.
//!
//! What is run comes from one of four sources: instructions at random ([`random`]), each row of the instruction table in all its
//! forms and on edge operands ([`directed`]), a program and its inputs ([`of_vertices`]), and the draws of a scene
//! ([`of_scene`]). What the machine adds, and how its records look, is in [`gpuzoo_machine::vectors::stimulus`].
//!
//! ```
//! use gpuzoo::machine::limits::budget::Budget;
//! use gpuzoo::vectors::{Random, Writer, random};
//!
//! let machine = gpuzoo::GPUS[0].shader_unit().unwrap();
//! let mut writer = Writer::new(machine, Default::default(), Budget::default())?;
//! for made in random(machine, &Random { seed: 1, count: 10, ..Random::default() })? {
//!     let record = writer.write(&made)?;
//!     assert!(record.starts_with('{') && record.ends_with("}\n"));
//! }
//! assert_eq!(writer.coverage().records, 10);
//! # Ok::<(), gpuzoo::diag::Diagnostic>(())
//! ```

mod made;
#[cfg(feature = "render")]
mod scene;

pub use made::{Made, Random, directed, of_vertices, random};
#[cfg(feature = "render")]
pub use scene::{of_pixel, of_scene};

use crate::codes::NO_STIMULUS;
use gpuzoo_diag::Diagnostic;
use gpuzoo_isa::{Op, Profile, list};
use gpuzoo_machine::limits::budget::{Budget, Resource};
use gpuzoo_machine::vectors::stimulus::{Accesses, MadeFile, ProgramVectors};
use gpuzoo_machine::{Arguments, Gpu, ShaderUnit};
use serde::Serialize;
use std::fmt::Write;

/// The most runs that one record has: as many as the widest machine runs at the same time.
pub const MOST_RUNS: usize = 32;

/// So many rows that are not covered are named in a line.
const MOST_MISSING: usize = 8;

/// What makes vectors of a machine's programs.
///
/// # Errors
/// `C0105` if it has no such records.
fn vectors_of(gpu: &'static dyn ShaderUnit) -> Result<&'static dyn ProgramVectors, Diagnostic> {
    gpu.program_vectors().ok_or_else(|| no_vectors(gpu))
}

fn no_vectors(gpu: &dyn Gpu) -> Diagnostic {
    let problem = Diagnostic::error(&NO_STIMULUS, format!("no vectors of {} can be made", gpu.about().name));
    problem.help("`gpuzoo list formats` shows the kinds of vectors that `gpuzoo conform` takes")
}

/// Writes records, and counts what they cover.
pub struct Writer {
    /// The rows of the coverage, in order.
    ops: Vec<&'static Op>,
    vectors: &'static dyn ProgramVectors,
    profile: Profile,
    budget: Budget,
    coverage: Coverage,
}

impl Writer {
    /// Nothing yet. Results are those of a numeric profile, and each run is a vertex of the budget.
    ///
    /// # Errors
    /// `C0105` for a machine without records of programs.
    pub fn new(gpu: &'static dyn ShaderUnit, profile: Profile, budget: Budget) -> Result<Writer, Diagnostic> {
        let ops: Vec<&'static Op> = gpu.isa().ops().filter(|op| !op.internal).collect();
        let row = |op: &&'static Op| Row { name: op.name, opcode: Some(op.code), count: 0 };
        let coverage = Coverage { rows: ops.iter().map(row).collect(), records: 0, runs: 0 };
        Ok(Writer { ops, vectors: vectors_of(gpu)?, profile, budget, coverage })
    }

    /// The records of a program with its runs, a line each.
    ///
    /// # Errors
    /// `C0105` if the machine's records cannot hold the program, `R0703` if there are more runs than the budget has.
    pub fn write(&mut self, made: &Made) -> Result<String, Diagnostic> {
        self.budget.spend(Resource::Vertices, made.runs.len() as u64).map_err(|refusal| refusal.problem())?;
        let mut text = String::new();
        for (number, runs) in made.runs.chunks(MOST_RUNS).enumerate() {
            let name = match made.runs.len() {
                0..=MOST_RUNS => made.name.clone(),
                _ => format!("{}, runs from {}", made.name, number * MOST_RUNS),
            };
            let records = self.vectors.records(&name, &made.program, runs, self.profile);
            let records = records.map_err(|why| {
                let message = format!("no record can hold {}: {why}", made.name);
                Diagnostic::error(&NO_STIMULUS, message)
            })?;
            self.coverage.records += records.len() as u64;
            records.iter().for_each(|record| {
                let _ = writeln!(text, "{record}");
            });
        }
        self.coverage.runs += made.runs.len() as u64;
        for inst in made.program.slots.iter().flat_map(|slot| slot.insts()) {
            let at = self.ops.iter().position(|op| *op == inst.op);
            if let Some(row) = at.and_then(|at| self.coverage.rows.get_mut(at)) {
                row.count += made.runs.len() as u64;
            }
        }
        Ok(text)
    }

    /// The machine's records of what is no program, a line each: part of what is [`directed`].
    ///
    /// # Errors
    /// `R0703` if there are more than the budget has.
    pub fn pieces(&mut self) -> Result<String, Diagnostic> {
        let records = self.vectors.pieces();
        let count = records.len() as u64;
        self.budget.spend(Resource::Vertices, count).map_err(|refusal| refusal.problem())?;
        self.coverage.records += count;
        Ok(records.iter().map(|record| format!("{record}\n")).collect())
    }

    /// What has been written.
    pub fn coverage(&self) -> &Coverage {
        &self.coverage
    }
}

/// A machine's vectors that are a file each: one such file, and what it covers of the registers.
///
/// # Errors
/// `C0105` for a machine without such files, and what the machine says of the arguments.
pub fn file(
    gpu: &dyn Gpu,
    accesses: Accesses,
    arguments: &Arguments,
) -> Result<(String, Coverage), Diagnostic> {
    let files = gpu.vector_files().ok_or_else(|| no_vectors(gpu))?;
    let MadeFile { text, accesses, registers } = files.make(accesses, arguments)?;
    let row = |(name, count)| Row { name, opcode: None, count };
    Ok((text, Coverage { rows: registers.into_iter().map(row).collect(), records: 1, runs: accesses }))
}

/// A part of a machine that vectors may cover.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Row {
    /// The mnemonic of an instruction, or the name of a register.
    pub name: &'static str,
    /// The opcode of an instruction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opcode: Option<u16>,
    /// How often it is run, or accessed.
    pub count: u64,
}

/// What vectors cover.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coverage {
    /// The rows of the instruction table that a text can have, or the machine's registers.
    pub rows: Vec<Row>,
    /// How many records there are.
    pub records: u64,
    /// How many runs, or accesses, they have.
    pub runs: u64,
}

impl Coverage {
    fn covered(&self) -> usize {
        self.rows.iter().filter(|row| row.count > 0).count()
    }

    /// What its rows are, and what is counted.
    fn words(&self) -> [&'static str; 2] {
        let are_ops = self.rows.iter().all(|row| row.opcode.is_some());
        if are_ops { ["rows", "runs"] } else { ["registers", "accesses"] }
    }

    /// In a line: how much there is, and which rows are missing, if they are few.
    pub fn summary(&self) -> String {
        let [rows, runs] = self.words();
        let covered = format!("{} of {} {rows} covered", self.covered(), self.rows.len());
        let missing: Vec<&str> = self.rows.iter().filter(|row| row.count == 0).map(|row| row.name).collect();
        // Of one program most are missing.
        let without = match &missing[..] {
            few @ [_, ..] if few.len() <= MOST_MISSING => format!(", not {}", list(few.iter().copied())),
            _ => String::new(),
        };
        format!("records: {}, {runs}: {}, {covered}{without}\n", self.records, self.runs)
    }

    /// As [`summary`](Coverage::summary), then a line for each row.
    pub fn text(&self) -> String {
        let mut text = self.summary();
        for Row { name, count, .. } in &self.rows {
            let _ = writeln!(text, "{count:>10}  {name}");
        }
        text
    }

    /// The same for scripts.
    pub fn json(&self) -> Covered<'_> {
        let are_ops = self.rows.iter().all(|row| row.opcode.is_some());
        Covered {
            records: self.records,
            runs: are_ops.then_some(self.runs),
            accesses: (!are_ops).then_some(self.runs),
            covered: self.covered(),
            rows: &self.rows,
        }
    }
}

/// The parts of a machine that vectors cover, for scripts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Covered<'a> {
    /// The number of records.
    pub records: u64,
    /// The number of runs, for vectors of programs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runs: Option<u64>,
    /// The number of accesses to registers, for other vectors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accesses: Option<u64>,
    /// The number of rows that are covered.
    pub covered: usize,
    /// All rows.
    pub rows: &'a [Row],
}
