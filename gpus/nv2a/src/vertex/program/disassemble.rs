//! From slots to the text of any dialect.
//!
//! Each slot gets a text, all of them are assembled again, and what comes back decides: for reading, what does something
//! else is `.word`, and a note tells of words that differ; for exactness, what differs in a bit is `.word`.

use crate::ISA;
use crate::vertex::dialects::counting::ConstantMap;
use crate::vertex::dialects::dialect::Dialect;
use crate::vertex::dialects::header::LIMIT;
use crate::vertex::dialects::page::{Page, Said, Why};
use crate::vertex::encoding::{MAX_SLOTS, is_final, targets, undefined, with_final};
use crate::vertex::issue::unpair::{does_the_same, statements};
use crate::vertex::program::facts::running;
use crate::vertex::program::{Options, assemble};
use crate::vertex::regs::OPOS;
use crate::vertex::rules::{DIALECT_LIMIT, NOT_EXPRESSIBLE};
use crate::vertex::screen::{PRAGMA, is_completed};
use gpuzoo_diag::{Diagnostic, File};
use gpuzoo_isa::{Numbering, Program, Slot, Syntax, other_words, slots_in_words};
use gpuzoo_machine::unit::PositionSpace;
use std::fmt::Write;

/// A program's text, and what it could not say.
#[derive(Clone, Debug, Default)]
pub struct Disassembled {
    /// The text, which its dialect's reader takes.
    pub text: String,
    /// A warning for each slot that is `.word` because a dialect other than [`VSH`](crate::VSH) has no words for it, and a
    /// note if the text assembles to other words. An error if the dialect has no text for the program.
    pub diagnostics: Vec<Diagnostic>,
}

/// The text of a program in a dialect, for reading; constants are counted as `constants` says or as the dialect does.
///
/// It says what the slots do: bits that the machine does not use are dropped and, in the dialects other than
/// [`VSH`](crate::VSH), pairs that their order lets are split, and what never runs is left out. A note tells of it. What the
/// dialect cannot say is `.word`.
///
/// ```
/// use gpuzoo_diag::File;
/// use gpuzoo_nv2a::{Options, VP, assemble, disassemble};
/// let text = "mul oD0, v3, c[100] + rcp r1.x, v3.x\nmov oPos, v0\n";
/// let program = assemble(&File::new("a.vsh", text), &Options::default()).program;
/// let vp = disassemble(&program, &VP, None);
/// assert!(vp.text.starts_with("!!VP1.0\nMUL o[COL0], v[COL0], c[4];\nRCP R1.x, v[COL0].x;\nMOV o[HPOS], v[OPOS];\nEND"));
/// assert_eq!(vp.diagnostics[0].notes, ["1 slot: split into instructions"]);
/// ```
pub fn disassemble(
    program: &Program,
    dialect: &'static Dialect,
    constants: Option<ConstantMap>,
) -> Disassembled {
    let map = constants.unwrap_or(dialect.constants());
    let all = dialect.every_slot;
    let slots = if all { &program.slots[..] } else { running(program) };
    let mut sheet = Sheet::new(program, slots, dialect, map);
    if all {
        sheet.keep_early_final();
    }
    sheet.make_room();
    let again = sheet.assembled();
    sheet.keep(&again, |slot, again| !matches!(again, [one] if !does_the_same(slot, one)));
    sheet.allow_no_position();
    let mut problems = sheet.words();
    let behind = program.slots.len() - slots.len();
    problems.extend(other_words(program.span, &sheet.differences(&again, behind)));
    sheet.finish(program, problems)
}

/// The text of a program that gives back every bit: what does not assemble to the same words is `.word`.
///
/// ```
/// use gpuzoo_diag::File;
/// use gpuzoo_nv2a::{ISA, Options, VP, assemble, disassemble_exactly};
/// let text = "mul oD0, v3, c[100] + rcp r1.x, v3.x\nmov oPos, v0\n";
/// let program = assemble(&File::new("a.vsh", text), &Options::default()).program;
/// let vp = disassemble_exactly(&program, &VP, None);
/// assert!(vp.text.starts_with("!!VP1.0\n.word 0x00000000 0x044c861b 0x08361800 0x2018f818; # MUL oD0"), "{}", vp.text);
/// let again = assemble(&File::new("a.vp", &vp.text), &Options::default()).program;
/// assert_eq!(again.words(&ISA), program.words(&ISA));
/// ```
pub fn disassemble_exactly(
    program: &Program,
    dialect: &'static Dialect,
    constants: Option<ConstantMap>,
) -> Disassembled {
    let map = constants.unwrap_or(dialect.constants());
    let mut sheet = Sheet::new(program, &program.slots, dialect, map);
    sheet.keep_early_final();
    sheet.keep_missing_final();
    let again = sheet.assembled();
    sheet.keep(&again, |slot, again| matches!(again, [one] if same_bits(slot, one)));
    sheet.allow_no_position();
    sheet.finish(program, Vec::new())
}

/// True if two slots have the same bits but for FINAL, which the place in the program decides.
fn same_bits(one: &Slot, other: &Slot) -> bool {
    with_final(one.bits, false) == with_final(other.bits, false)
}

/// A text that is being made: what is said of each slot.
struct Sheet<'a> {
    page: Page,
    dialect: &'static Dialect,
    map: ConstantMap,
    /// The constants, which stand before the slots.
    constants: String,
    slots: &'a [Slot],
    said: Vec<Said>,
}

impl<'a> Sheet<'a> {
    fn new(program: &Program, slots: &'a [Slot], dialect: &'static Dialect, map: ConstantMap) -> Sheet<'a> {
        let numbering = map.numbering();
        let page = (dialect.page)(program, slots, numbering);
        let mut constants = String::new();
        constants_of(program, numbering, dialect.constant, &mut constants);
        let text = |slot: &Slot| {
            let group = statements(slot).ok_or("it has undefined parts")?;
            (dialect.slot)(&page, slot, group)
        };
        let said = slots.iter().map(text).collect();
        Sheet { page, dialect, map, constants, slots, said }
    }

    /// Makes `.word` of what has FINAL and is not the last: a text has it in its last instruction.
    fn keep_early_final(&mut self) {
        let early = self.slots.iter().zip(&mut self.said).rev().skip(1);
        early
            .filter(|(slot, _)| is_final(&slot.bits))
            .for_each(|(_, said)| *said = Err("FINAL is not at the end"));
    }

    /// Makes `.word` of a last slot without FINAL, which a text sets.
    fn keep_missing_final(&mut self) {
        if let Some(said) =
            self.said.last_mut().filter(|_| self.slots.last().is_some_and(|last| !is_final(&last.bits)))
        {
            *said = Err("FINAL is missing");
        }
    }

    /// Makes `.word` of what would be split into more slots than the machine has.
    fn make_room(&mut self) {
        let mut room = MAX_SLOTS.saturating_sub(self.slots.len());
        for said in &mut self.said {
            let more = said.as_ref().map_or(0, |(_, slots)| slots.saturating_sub(1));
            match room.checked_sub(more) {
                Some(left) => room = left,
                None => *said = Err("split, the program would be longer than the machine's memory"),
            }
        }
    }

    /// What the texts of the slots assemble to.
    fn assembled<'s>(&'s self) -> Vec<Vec<Slot>> {
        let text = |(slot, said): (&Slot, &'s Said)| match said {
            Ok((text, slots)) if !self.is_sure(slot) => (text.as_str(), *slots),
            _ => ("", 0),
        };
        let texts: Vec<(&str, usize)> = self.slots.iter().zip(&self.said).map(text).collect();
        let whole: String = texts.iter().map(|(text, _)| *text).collect();
        let mut slots = if whole.is_empty() { Vec::new() } else { self.slots_of(&whole) }.into_iter();
        let all_read = slots.len() == texts.iter().map(|(_, slots)| slots).sum::<usize>();
        let again = |(slot, (text, count)): (&Slot, (&str, usize))| match text {
            _ if self.is_sure(slot) => vec![*slot],
            _ if all_read => slots.by_ref().take(count).collect(),
            // One that is not read is among them.
            text => self.slots_of(text),
        };
        self.slots.iter().zip(texts).map(again).collect()
    }

    /// True for what is known to come back, as most slots of this assembler's do; a `mov` may change its half.
    fn is_sure(&self, slot: &Slot) -> bool {
        let moved = slot.paired.is_some_and(|ilu| ilu.op.name == "mov");
        self.dialect.every_slot && !moved && ISA.is_canonical(slot)
    }

    /// The slots of lines of the text. Nothing is added to them, which the finished text says in its own words.
    fn slots_of(&self, lines: &str) -> Vec<Slot> {
        let text = format!("{}{}{lines}{}", self.version_line(), self.constants, self.dialect.end);
        let (dialect, constants, positions) = (Some(self.dialect), Some(self.map), PositionSpace::Clip);
        let options = Options { dialect, constants, positions, ..Options::default() };
        assemble(&File::new("", &text), &options).program.slots
    }

    fn version_line(&self) -> String {
        self.page.version().map_or_else(String::new, |version| format!("{}\n", version.name))
    }

    /// Makes `.word` of what does not come back as it must.
    fn keep(&mut self, again: &[Vec<Slot>], such: impl Fn(&Slot, &[Slot]) -> bool) {
        for ((slot, said), again) in self.slots.iter().zip(&mut self.said).zip(again) {
            if said.as_ref().is_ok_and(|(_, slots)| again.len() != *slots || !such(slot, again)) {
                *said = Err("its text would mean something else");
            }
        }
    }

    /// A vertex program of OpenGL writes the position, unless there is `.word`, which may do it: one that does not gets one.
    fn allow_no_position(&mut self) {
        let mut written = self.slots.iter().flat_map(Slot::insts).flat_map(targets);
        let needs = self.dialect.needs_position && !self.page.is_state();
        if needs && self.said.iter().all(Result::is_ok) && !written.any(|target| target.reg == OPOS) {
            let why = "the program never writes o[HPOS], which the dialect demands unless `.word` may do it";
            self.said.iter_mut().next_back().into_iter().for_each(|said| *said = Err(why));
        }
    }

    /// A warning for each slot that is `.word` because the dialect has no words for it.
    fn words(&self) -> Vec<Diagnostic> {
        let warn = |(slot, said): (&Slot, &Said)| {
            let mut shown = String::new();
            ISA.print_insts(slot, &mut shown);
            let message = match shown.as_str() {
                "" => "the slot is printed as `.word`".to_owned(),
                _ => format!("`{shown}` is printed as `.word`"),
            };
            let why: Why = said.as_ref().err()?;
            let problem = Diagnostic::warning(&NOT_EXPRESSIBLE, message).label(slot.span, why);
            Some(problem.help("gpuzoo reads `.word` in every dialect; other assemblers do not"))
        };
        let own = self.dialect.every_slot;
        self.slots.iter().zip(&self.said).filter(|_| !own).filter_map(warn).collect()
    }

    /// What is not in the text's words as it is in the program's, of which so many slots behind FINAL are not printed.
    fn differences(&self, again: &[Vec<Slot>], behind: usize) -> Vec<String> {
        let of = |such: &dyn Fn(&Slot, &[Slot]) -> bool| {
            let all = self.slots.iter().zip(&self.said).zip(again);
            all.filter(|((slot, said), again)| said.is_ok() && such(slot, again)).count()
        };
        let no_final = self.slots.last().is_some_and(|last| !is_final(&last.bits));
        let sets_final = no_final && self.said.last().is_some_and(Result::is_ok);
        let found = [
            (
                of(&|slot, again| matches!(again, [one] if !same_bits(slot, one))),
                "other bits of the same meaning",
            ),
            (of(&|_, again| again.is_empty()), "left out, without effect"),
            (of(&|_, again| again.len() > 1), "split into instructions"),
            (behind, "left out, behind FINAL"),
            (usize::from(sets_final), "FINAL set, which was not"),
        ];
        let met = found.into_iter().filter(|(count, _)| *count > 0);
        met.map(|(count, what)| format!("{}: {what}", slots_in_words(count))).collect()
    }

    /// The text, with what is to be said of its length.
    fn finish(self, program: &Program, mut diagnostics: Vec<Diagnostic>) -> Disassembled {
        let mut text = self.version_line();
        // Without it two slots would be added to what is printed here.
        if self.dialect.clip_space && self.page.version().is_some_and(is_completed) {
            text += PRAGMA;
            text.push('\n');
        }
        text += &self.constants;
        let mut length = 0;
        for (slot, said) in self.slots.iter().zip(&self.said) {
            match said {
                Ok((lines, slots)) => {
                    text += lines;
                    length += slots;
                }
                Err(_) => {
                    raw(slot, self.page.syntax, &mut text);
                    length += 1;
                }
            }
        }
        text += self.dialect.end;
        if self.dialect.needs_position && self.said.is_empty() {
            let problem = Diagnostic::error(&NOT_EXPRESSIBLE, "an empty program has no text in this dialect");
            let problem = problem.label(program.span, "a vertex program writes o[HPOS]");
            diagnostics.push(problem.help("print it in another dialect: `--dialect vsh`"));
        }
        let version = self.page.version();
        if let Some(who) = version.and_then(|version| version.limit).filter(|_| length > LIMIT) {
            let message = format!("the text has {length} instructions");
            let problem = Diagnostic::warning(&DIALECT_LIMIT, message).label(program.span, who);
            diagnostics.push(problem.note("pairs that had to be split count twice"));
        }
        Disassembled { text, diagnostics }
    }
}

/// Appends the values of constants that come with the program, each in a line that begins with `before`.
fn constants_of(program: &Program, map: Numbering, before: &str, out: &mut String) {
    for constant in &program.constants {
        for (value, index) in constant.values.iter().zip(constant.reg.index..) {
            let Some(number) = map.from_machine(index) else { continue };
            let [x, y, z, w] = value.map(f32::from_bits);
            // Writing to a String cannot fail. `{:?}` gives the shortest digits that are read back to the same bits.
            let _ = writeln!(out, "{before}c{number}, {x:?}, {y:?}, {z:?}, {w:?}");
        }
    }
}

/// Appends `.word` and the four words, with a comment: the machine's reading of it, and what is suspicious about it.
fn raw(slot: &Slot, syntax: &Syntax, out: &mut String) {
    ISA.print_words(&slot.bits.words[..ISA.slot_words], out);
    out.push_str(syntax.end_mark());
    let mut insts = String::new();
    ISA.print_insts(slot, &mut insts);
    let last = is_final(&slot.bits).then(|| "FINAL".to_owned());
    let said: Vec<String> = Some(insts)
        .filter(|insts| !insts.is_empty())
        .into_iter()
        .chain(undefined(slot))
        .chain(last)
        .collect();
    let said = if said.is_empty() { "nothing is done".to_owned() } else { said.join("; ") };
    out.push_str(&format!(" {} {said}", syntax.comment()));
    out.push('\n');
}
