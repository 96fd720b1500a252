//! Options of compilations, and their results.

use gpuzoo_diag::Span;
use gpuzoo_isa::{Program, Reg, Stage};
use gpuzoo_machine::options::assignment::{self, Assignment};
#[cfg(feature = "clap")]
use gpuzoo_machine::options::command_line::choice;
use gpuzoo_machine::target::conventions::{Conventions, Port};
use gpuzoo_machine::unit::PositionSpace;
use serde::Deserialize;

/// How hard a back end tries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// In the source's order, for debugging.
    Source,
    /// What is dead is left out, and slots are filled in one order.
    Quick,
    /// Other expansions and other orders are tried.
    #[default]
    Usual,
    /// As many as a fixed limit allows.
    Longest,
}

gpuzoo_diag::choices! { Level, "level";
    "source" | "0" => Source, "the source's order, for debugging";
    "quick" | "1" => Quick, "one order is tried";
    "usual" | "2" => Usual, "other expansions and orders are tried";
    "longest" | "3" => Longest, "as many of them as a fixed limit allows";
}

/// Options of `compile`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct CompileOptions {
    /// Optimization level: 0 keeps the source's order, 3 searches longest
    #[cfg_attr(feature = "clap", arg(short = 'O', value_name = "LEVEL", value_parser = choice::<Level>(), default_value = "usual"))]
    pub level: Level,
    /// Let sums be reordered, and choices and floors take forms that are exact for finite numbers of usual sizes only
    #[cfg_attr(feature = "clap", arg(long))]
    pub fast_math: bool,
    /// First constant for uniforms and literals; by default the machine's
    #[cfg_attr(feature = "clap", arg(long, value_name = "NUMBER"))]
    pub constants_at: Option<u16>,
    /// Register of an output: `1=oT0`, `fog=oFog`; an output is `position`, `size`, the number of a location or a name
    #[serde(with = "assignment")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "OUTPUT=REGISTER"))]
    pub bind_output: Vec<Assignment>,
}

/// Options of a back end.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Those of `compile`; the outputs that it binds are in [`outputs`](Options::outputs).
    pub compile: CompileOptions,
    /// Space in which positions are left, on machines that expect pixels.
    pub position: PositionSpace,
    /// Values that depend on uniforms alone become further constants, which the host computes ([`Program::host`]).
    pub host_constants: bool,
    /// Registers of outputs that are not left where the machine's conventions say.
    pub outputs: Vec<(Port, Reg)>,
}

impl Options {
    /// The same at another level.
    pub fn at(&self, level: Level) -> Options {
        Options { compile: CompileOptions { level, ..self.compile.clone() }, ..self.clone() }
    }

    /// The register of an output: the one that is given, else the machine's usual one, if there is one.
    pub fn output(&self, conventions: &dyn Conventions, stage: Stage, port: Port) -> Option<Reg> {
        let given = self.outputs.iter().find(|(own, _)| *own == port).map(|(_, reg)| *reg);
        given.or_else(|| conventions.output(stage, port))
    }
}

/// A program that was compiled.
#[derive(Clone, Debug)]
pub struct Built {
    /// The program. Its constants are the uniforms, which have names, and the literals, which have values. The span of a slot is that of the
    /// source text that it comes from, and it says where the source's variables are.
    pub program: Program,
    /// What each instruction of each slot comes from, slot by slot in the order of [`Slot::insts`](gpuzoo_isa::Slot::insts).
    pub lines: Vec<Line>,
    /// No schedule of the chosen operations has fewer slots, and why that is so.
    pub bound: Option<(usize, &'static str)>,
}

/// What an instruction comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The slot.
    pub slot: usize,
    /// Which of the slot's instructions.
    pub half: usize,
    /// The text that it comes from.
    pub span: Span,
    /// The variable that its result is for, if it has a name.
    pub variable: Option<String>,
}
