//! What a text in a dialect can say of a slot's instructions.

use crate::ISA;
use crate::vertex::dialects::counting::{ConstantMap, OFFSETS};
use crate::vertex::dialects::header::{Version, Versions};
use crate::vertex::encoding::{sources, target};
use crate::vertex::issue::unpair::in_sequence;
use crate::vertex::program::facts::Kind;
use crate::vertex::regs::{C, O, V};
use crate::vertex::syntax::VSH;
use gpuzoo_isa::{Inst, Numbering, Operand, Printer, Syntax};

/// Why a dialect cannot say something.
pub type Why = &'static str;

/// Of a constant that the text cannot count.
const NO_NUMBER: Why = "the text has no number for its constant; with `--numbering hw` it has";

/// A slot's text, and how many slots that assembles to.
pub type Said = Result<(String, usize), Why>;

/// How a program is written: its dialect, the version of it, and how constants are counted.
pub struct Page {
    header: Option<(&'static Versions, &'static Version)>,
    /// The language.
    pub syntax: &'static Syntax,
    /// How constants are counted.
    pub map: Numbering,
}

impl Page {
    /// A page in the dialect without a header.
    pub fn plain(map: Numbering) -> Page {
        Page { header: None, syntax: &VSH, map }
    }

    /// A page with the header of a version.
    pub fn new(
        versions: &'static Versions,
        version: &'static Version,
        syntax: &'static Syntax,
        map: Numbering,
    ) -> Page {
        Page { header: Some((versions, version)), syntax, map }
    }

    /// The version that the header says.
    pub fn version(&self) -> Option<&'static Version> {
        self.header.map(|(_, version)| version)
    }

    /// True for a state program.
    pub fn is_state(&self) -> bool {
        self.version().is_some_and(|version| version.kind == Kind::State)
    }

    /// True where the text counts constants and inputs as OpenGL does.
    pub fn is_gl(&self) -> bool {
        self.map == ConstantMap::Gl.numbering()
    }

    /// How the page prints instructions.
    pub fn printer(&self) -> Printer<'static> {
        Printer { isa: &ISA, syntax: self.syntax, numbering: Some(self.map) }
    }

    /// The line of an instruction.
    ///
    /// # Errors
    /// The dialect has no words for it.
    pub fn line(&self, inst: &Inst) -> Result<String, Why> {
        self.can_say(inst)?;
        let mut text = String::new();
        self.printer().inst(inst, &mut text);
        text.push('\n');
        Ok(text)
    }

    /// Looks whether the dialect has words for an instruction.
    ///
    /// # Errors
    /// It has not.
    pub fn can_say(&self, inst: &Inst) -> Result<(), Why> {
        for operand in sources(inst).chain([target(inst)]).filter(|operand| operand.reg.file == C) {
            self.number(operand)?;
        }
        let Some((versions, version)) = self.header else { return Ok(()) };
        let [message, _] = versions.constants;
        match target(inst).reg.file {
            C if !version.writes_constants => return Err(message),
            O if self.is_state() => return Err("a state program writes no outputs"),
            _ => {}
        }
        let other = |source: &Operand| source.reg.file == V && source.reg.index != 0;
        if self.is_state() && sources(inst).any(other) { Err(versions.one_input) } else { Ok(()) }
    }

    /// Looks whether the text can count a constant.
    fn number(&self, operand: &Operand) -> Result<(), Why> {
        let number = self.map.from_machine(operand.reg.index);
        let signed = self.syntax.indexed.iter().any(|indexed| indexed.file == C && indexed.signed);
        let offset = i64::from(operand.reg.index) - self.map.offset;
        // The dialect without a header has no signs.
        let plain = self.header.is_none();
        match operand.relative {
            true if self.is_gl() && !signed && !plain && !OFFSETS.contains(&offset) => {
                Err("its constant is too far from A0.x")
            }
            true if plain && offset < 0 => Err(NO_NUMBER),
            false if !number.is_some_and(|number| signed || number >= 0) => Err(NO_NUMBER),
            _ => Ok(()),
        }
    }

    /// Instructions that are at once in a slot one after the other, each with a text.
    ///
    /// # Errors
    /// There is no such order, or one of them has no text.
    pub fn split(&self, group: Vec<Inst>, text: impl Fn(&Inst) -> Result<String, Why>) -> Said {
        let several = group.len();
        let sequence = in_sequence(group).ok_or("its halves cannot run one after the other")?;
        Ok((sequence.iter().map(text).collect::<Result<_, _>>()?, several))
    }
}
