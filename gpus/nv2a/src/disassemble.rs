//! From slots to the text of any dialect.

use crate::dialect::Limit;
use crate::dialect::{ConstantMap, Dialect, Kind};
use crate::encoding::{MAX_SLOTS, is_final, targets};
use crate::regs::{C, O};
use crate::rules::{DIALECT_LIMIT, NOT_EXPRESSIBLE};
use crate::unpair::{in_sequence, statements};
use crate::{ISA, d3d_print, print, vp_print};
use gpuzoo_diag::Diagnostic;
use gpuzoo_isa::{Inst, Printer, Program, Slot, Syntax};
use std::fmt::Write;

/// A program's text, and what it could not say.
#[derive(Clone, Debug, Default)]
pub struct Disassembled {
    /// The text. gpuzoo reads it, `.word` included, unless a warning says that the dialect refuses the whole program.
    pub text: String,
    /// A warning for each slot that is `.word` because the dialect has no words for it.
    pub diagnostics: Vec<Diagnostic>,
}

/// The text of a program in a dialect, constants counted as `constants` says or as the dialect does.
///
/// [`Dialect::Vsh`] gives back every bit, of any slots. The others say what the slots mean, up to the first with FINAL:
/// pairs that their order lets are split, unused bits are dropped, and what the dialect cannot say is `.word`.
///
/// ```
/// use gpuzoo_diag::File;
/// use gpuzoo_nv2a::{Dialect, Options, assemble, disassemble};
/// let text = "mul oD0, v3, c[100] + rcp r1.x, v3.x\nmov oPos, v0\n";
/// let program = assemble(&File::new("a.vsh", text), &Options::default()).program;
/// let vp = disassemble(&program, Dialect::Vp, None);
/// assert!(vp.text.starts_with("!!VP1.0\nMUL o[COL0], v[COL0], c[4];\nRCP R1.x, v[COL0].x;\nMOV o[HPOS], v[OPOS];\nEND"));
/// assert!(vp.diagnostics.is_empty());
/// ```
pub fn disassemble(program: &Program, dialect: Dialect, constants: Option<ConstantMap>) -> Disassembled {
    let map = constants.unwrap_or(dialect.constants());
    match dialect {
        Dialect::Vsh => {
            let mut text = String::with_capacity(program.slots.len() * 48);
            constants_of(program, map, "; ", &mut text);
            print::program(program, map, &mut text);
            Disassembled { text, diagnostics: Vec::new() }
        }
        Dialect::Vp => vp_print::program(program, map),
        Dialect::D3d => d3d_print::program(program, map),
    }
}

/// What a program is for: one that writes constants and no outputs is a state program.
pub fn kind(program: &Program) -> Kind {
    let writes = |file| {
        running(program).flat_map(|slot| slot.insts()).flat_map(targets).any(|target| target.reg.file == file)
    };
    if writes(C) && !writes(O) { Kind::State } else { Kind::Vertex }
}

/// The slots up to the first with FINAL.
pub fn running(program: &Program) -> impl Iterator<Item = &Slot> {
    let end = program
        .slots
        .iter()
        .position(|slot| is_final(&slot.bits))
        .map_or(program.slots.len(), |last| last + 1);
    program.slots[..end].iter()
}

/// Why a dialect cannot say something.
pub type Why = &'static str;

/// A text that is being printed.
pub struct Page {
    /// What is there so far.
    pub out: Disassembled,
    /// What a comment begins with.
    pub mark: &'static str,
    /// What a `.word` ends with.
    pub end: &'static str,
    /// How many slots the text assembles to.
    pub slots: usize,
}

impl Page {
    /// A page that begins with a header.
    pub fn new(header: &str, mark: &'static str, end: &'static str) -> Page {
        let out = Disassembled { text: format!("{header}\n"), diagnostics: Vec::new() };
        Page { out, mark, end, slots: 0 }
    }

    /// Appends a slot's text, or `.word` and a warning.
    pub fn slot(&mut self, slot: &Slot, text: Result<(String, usize), Why>) {
        match text {
            Ok((text, slots)) => {
                self.out.text.push_str(&text);
                self.slots += slots;
            }
            Err(why) => {
                print::raw(slot, &mut self.out.text);
                self.out.text.push_str(self.end);
                print::comment(slot, self.mark, &mut self.out.text);
                self.out.text.push('\n');
                self.slots += 1;
                let mut shown = String::new();
                ISA.print_insts(slot, &mut shown);
                let message = match shown.as_str() {
                    "" => "the slot is printed as `.word`".to_owned(),
                    _ => format!("`{shown}` is printed as `.word`"),
                };
                let problem = Diagnostic::warning(&NOT_EXPRESSIBLE, message).label(slot.span, why);
                self.out
                    .diagnostics
                    .push(problem.help("gpuzoo reads `.word` in every dialect; other assemblers do not"));
            }
        }
    }

    /// Reports a text that is longer than the dialect, or after splitting the machine, allows.
    pub fn finish(mut self, program: &Program, limit: Option<Limit>) -> Disassembled {
        let limit = limit.unwrap_or(Limit { slots: MAX_SLOTS, who: "the machine holds 136 slots" });
        if self.slots > limit.slots {
            let message = format!("the text has {} instructions", self.slots);
            let problem = Diagnostic::warning(&DIALECT_LIMIT, message).label(program.span, limit.who);
            self.out.diagnostics.push(problem.note("pairs that had to be split count twice"));
        }
        self.out
    }
}

/// Appends the values of constants that come with the program, each in a line that begins with `before`.
pub fn constants_of(program: &Program, map: ConstantMap, before: &str, out: &mut String) {
    for constant in &program.constants {
        for (value, index) in constant.values.iter().zip(constant.reg.index..) {
            let Some(number) = map.from_machine(index) else { continue };
            let [x, y, z, w] = value.map(f32::from_bits);
            // Writing to a String cannot fail. `{:?}` gives the shortest digits that are read back to the same bits.
            let _ = writeln!(out, "{before}c{number}, {x:?}, {y:?}, {z:?}, {w:?}");
        }
    }
}

/// The line of an instruction in a dialect.
pub fn line(inst: &Inst, syntax: &Syntax, map: ConstantMap) -> String {
    let mut text = String::new();
    Printer { isa: &ISA, syntax, numbering: Some(map.numbering()) }.inst(inst, &mut text);
    text.push('\n');
    text
}

/// A slot's instructions one after the other, each with a text.
pub fn split(slot: &Slot, text: impl Fn(&Inst) -> Result<String, Why>) -> Result<(String, usize), Why> {
    let group = statements(slot).ok_or("it has undefined parts")?;
    let several = group.len();
    let sequence = in_sequence(group).ok_or("its halves cannot run one after the other")?;
    let lines: Result<String, Why> = sequence.iter().map(&text).collect();
    Ok((lines?, several))
}
