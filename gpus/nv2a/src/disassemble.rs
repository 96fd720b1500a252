//! From slots to the text of any dialect.

use crate::dialect::{ConstantMap, Dialect, Kind};
use crate::encoding::{MAX_SLOTS, is_final, sources, target, targets};
use crate::header::{LIMIT, Version, Versions};
use crate::regs::{C, O, V};
use crate::rules::{DIALECT_LIMIT, NOT_EXPRESSIBLE};
use crate::unpair::{in_sequence, statements};
use crate::vp::OFFSETS;
use crate::{ISA, d3d_print, print, vp_print};
use gpuzoo_diag::Diagnostic;
use gpuzoo_isa::{Inst, Numbering, Operand, Printer, Program, Reg, Slot, Syntax};
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
    let map = constants.unwrap_or(dialect.constants()).numbering();
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
    let writes = |file| writes(program, |reg| reg.file == file);
    if writes(C) && !writes(O) { Kind::State } else { Kind::Vertex }
}

/// True if a program writes such a register.
pub fn writes(program: &Program, such: impl Fn(Reg) -> bool) -> bool {
    let mut targets = running(program).iter().flat_map(Slot::insts).flat_map(targets);
    targets.any(|target| such(target.reg))
}

/// The slots up to the first with FINAL.
pub fn running(program: &Program) -> &[Slot] {
    let last = program.slots.iter().position(|slot| is_final(&slot.bits));
    &program.slots[..last.map_or(program.slots.len(), |last| last + 1)]
}

/// Why a dialect cannot say something.
pub type Why = &'static str;

/// A text that is being printed in a dialect with a header.
pub struct Page<'a> {
    /// What is there so far.
    pub out: Disassembled,
    versions: &'a Versions,
    version: &'a Version,
    syntax: &'a Syntax,
    map: Numbering,
    /// How many slots the text assembles to.
    slots: usize,
}

impl<'a> Page<'a> {
    /// A page that begins with the header of a version.
    pub fn new(versions: &'a Versions, version: &'a Version, syntax: &'a Syntax, map: Numbering) -> Page<'a> {
        let out = Disassembled { text: format!("{}\n", version.name), diagnostics: Vec::new() };
        Page { out, versions, version, syntax, map, slots: 0 }
    }

    /// True for a state program.
    pub fn is_state(&self) -> bool {
        self.version.kind == Kind::State
    }

    /// True where the text counts constants and inputs as OpenGL does.
    pub fn is_gl(&self) -> bool {
        self.map == ConstantMap::Gl.numbering()
    }

    /// The line of an instruction.
    ///
    /// # Errors
    /// The dialect has no words for it.
    pub fn line(&self, inst: &Inst) -> Result<String, Why> {
        for operand in sources(inst).chain([target(inst)]) {
            match operand.reg.file {
                C => self.number(operand)?,
                V if self.is_state() && operand.reg.index != 0 => return Err(self.versions.one_input),
                _ => {}
            }
        }
        let mut text = String::new();
        Printer { isa: &ISA, syntax: self.syntax, numbering: Some(self.map) }.inst(inst, &mut text);
        text.push('\n');
        Ok(text)
    }

    /// Looks whether the text can count a constant.
    fn number(&self, operand: &Operand) -> Result<(), Why> {
        let number = self.map.from_machine(operand.reg.index);
        let signed = self.syntax.indexed.iter().any(|indexed| indexed.file == C && indexed.signed);
        let few_offsets = !signed && self.is_gl();
        match operand.relative {
            true if few_offsets && !OFFSETS.contains(&(i64::from(operand.reg.index) - self.map.offset)) => {
                Err("its constant is too far from A0.x")
            }
            false if !number.is_some_and(|number| signed || number >= 0) => {
                Err("the dialect has no number for its constant")
            }
            _ => Ok(()),
        }
    }

    /// Instructions that are at once in a slot one after the other, each with a text.
    ///
    /// # Errors
    /// There is no such order, or one of them has no text.
    pub fn split(
        &self,
        group: Vec<Inst>,
        text: impl Fn(&Inst) -> Result<String, Why>,
    ) -> Result<(String, usize), Why> {
        let several = group.len();
        let sequence = in_sequence(group).ok_or("its halves cannot run one after the other")?;
        Ok((sequence.iter().map(text).collect::<Result<_, _>>()?, several))
    }

    /// Appends a slot's text, which assembles to so many slots, or `.word` and a warning.
    pub fn slot(&mut self, slot: &Slot, text: impl Fn(&Self, Vec<Inst>) -> Result<(String, usize), Why>) {
        let text = statements(slot).ok_or("it has undefined parts").and_then(|group| text(self, group));
        let out = &mut self.out.text;
        let Err(why) = text.map(|(text, slots)| {
            out.push_str(&text);
            self.slots += slots;
        }) else {
            return;
        };
        print::raw(slot, out);
        out.push_str(self.syntax.end_mark());
        print::comment(slot, self.syntax, out);
        out.push('\n');
        self.slots += 1;
        let mut shown = String::new();
        ISA.print_insts(slot, &mut shown);
        let message = match shown.as_str() {
            "" => "the slot is printed as `.word`".to_owned(),
            _ => format!("`{shown}` is printed as `.word`"),
        };
        let problem = Diagnostic::warning(&NOT_EXPRESSIBLE, message).label(slot.span, why);
        let help = "gpuzoo reads `.word` in every dialect; other assemblers do not";
        self.out.diagnostics.push(problem.help(help));
    }

    /// Reports a text that is longer than the dialect, or after splitting the machine, allows.
    pub fn finish(mut self, program: &Program) -> Disassembled {
        let machine = (MAX_SLOTS, "the machine holds 136 slots");
        let (most, who) = self.version.limit.map_or(machine, |who| (LIMIT, who));
        if self.slots > most {
            let message = format!("the text has {} instructions", self.slots);
            let problem = Diagnostic::warning(&DIALECT_LIMIT, message).label(program.span, who);
            self.out.diagnostics.push(problem.note("pairs that had to be split count twice"));
        }
        self.out
    }
}

/// Appends the values of constants that come with the program, each in a line that begins with `before`.
pub fn constants_of(program: &Program, map: Numbering, before: &str, out: &mut String) {
    for constant in &program.constants {
        for (value, index) in constant.values.iter().zip(constant.reg.index..) {
            let Some(number) = map.from_machine(index) else { continue };
            let [x, y, z, w] = value.map(f32::from_bits);
            // Writing to a String cannot fail. `{:?}` gives the shortest digits that are read back to the same bits.
            let _ = writeln!(out, "{before}c{number}, {x:?}, {y:?}, {z:?}, {w:?}");
        }
    }
}
