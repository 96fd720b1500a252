//! From text to slots: which dialect, which slot is the last; and what is odd about a program.

pub mod disassemble;
pub mod facts;

use crate::ISA;
use crate::vertex::dialects::counting::ConstantMap;
use crate::vertex::dialects::d3d::preprocess::{Given, Preprocessed};
use crate::vertex::dialects::dialect::Dialect;
use crate::vertex::dialects::header::LIMIT;
use crate::vertex::dialects::reading::is_word;
use crate::vertex::encoding::{FINAL, MAX_SLOTS, is_final, with_final};
use crate::vertex::issue::copy::{self, free_temporary};
use crate::vertex::issue::pair::pair;
use crate::vertex::lower::HW;
use crate::vertex::pipeline::lowered;
use crate::vertex::regs::{C, O, OPOS, R};
use crate::vertex::rules::*;
use crate::vertex::screen;
use facts::{Kind, kind, writes};
use gpuzoo_diag::{Diagnostic, File, Span, has_errors};
use gpuzoo_isa::{
    Assembled, Bits, Cursor, Interface, Item, Mask, Numbering, Parser, Program, Slot, Syntax, UndefinedRead,
    Written,
};
use gpuzoo_machine::unit::PositionSpace;
use std::cell::OnceCell;

/// Where FINAL goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Final {
    /// Into the last instruction. A last slot that is `.word` keeps the bit that it has.
    #[default]
    Inline,
    /// Into a slot of its own behind it, which does nothing.
    Explicit,
}

/// How a text is to be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The dialect; none takes the one that the text's first word tells.
    pub dialect: Option<&'static Dialect>,
    /// How the text counts constants; none takes the dialect's own way.
    pub constants: Option<ConstantMap>,
    /// Where texts of the Direct3D dialect leave the position unless they say it themselves.
    pub positions: PositionSpace,
    /// Where FINAL goes.
    pub place: Final,
    /// The number, as the text counts, of the first of the four constants that hold the rows of the modelview-projection
    /// matrix for `OPTION NV_position_invariant`.
    pub position: u16,
}

/// From text to a program.
///
/// ```
/// use gpuzoo_diag::File;
/// use gpuzoo_nv2a::{ISA, Options, assemble};
/// let file = File::new("a.vp", "!!VP1.0\nMOV o[HPOS], v[OPOS];\nEND\n");
/// let assembled = assemble(&file, &Options::default());
/// assert!(assembled.ok());
/// assert_eq!(assembled.program.words(&ISA), [0x00000000, 0x0020001b, 0x0836106c, 0x2070f801]);
/// ```
pub fn assemble(file: &File, options: &Options) -> Assembled {
    assemble_with(file, options, Given::default())
}

/// As [`assemble`], with what a preprocessor is given.
pub(crate) fn assemble_with(file: &File, options: &Options, given: Given) -> Assembled {
    let dialect = options.dialect.unwrap_or_else(|| Dialect::of(file.text()));
    let defines = given.defines;
    if let Some(done) = (dialect.preprocess)(file, given) {
        return preprocessed(file, done, dialect, options);
    }
    let mut assembled = read(file, dialect, options);
    if !defines.is_empty() {
        let problem =
            Diagnostic::warning(&UNUSED_DEFINE, "the text has no macros, and `--define` has no effect");
        assembled.diagnostics.push(problem.at(file.span(0..0)));
    }
    assembled
}

/// Assembles what the preprocessor made of a text, with all places in the files.
fn preprocessed(file: &File, done: Preprocessed, dialect: &Dialect, options: &Options) -> Assembled {
    let Preprocessed { file: text, map, problems, screenspace, .. } = done;
    if has_errors(&problems) {
        return Assembled {
            program: Program { span: file.whole(), ..Program::default() },
            diagnostics: problems,
        };
    }
    // A text that writes screen coordinates itself needs nothing behind it, as one that ends in clip space.
    let positions = if screenspace.is_some() { PositionSpace::Clip } else { options.positions };
    let Assembled { mut program, diagnostics } = read(&text, dialect, &Options { positions, ..*options });
    let diagnostics = problems.into_iter().chain(map.translate(diagnostics)).collect();
    program.span = file.whole();
    program.slots.iter_mut().for_each(|slot| slot.span = map.place(slot.span));
    program.constants.iter_mut().for_each(|constant| constant.span = map.place(constant.span));
    Assembled { program, diagnostics }
}

fn read(file: &File, dialect: &Dialect, options: &Options) -> Assembled {
    let mut parser = Parser::new(&ISA, Cursor::new(file, dialect.syntax()));
    let map = options.constants.unwrap_or(dialect.constants());
    parser.numbering = Some(match map {
        // A slot's number of a constant has eight bits, and nv2a_vsh_asm writes all of them; `check` says what is undefined.
        ConstantMap::Hw if dialect.is_reference => Numbering { greatest: 255, ..map.numbering() },
        _ => map.numbering(),
    });
    let (header, constants) = (dialect.read)(&mut parser, options.position);
    let mut diagnostics = parser.cursor.problems;
    let version = header.as_ref().map(|header| header.version);
    let mut last_is_word = parser.items.last().is_none_or(|item| is_word(file, item));
    let slots = slots_of(file, dialect.syntax(), &parser.items, &mut diagnostics);
    let mut program = Program { slots, constants, span: file.whole(), ..Program::default() };
    if !dialect.is_reference {
        // What nv2a_vsh_asm refuses concerns its own dialect alone.
        diagnostics.retain(|problem| problem.code != &REFERENCE_REFUSES);
    }
    let written = program.slots.len();
    let wanted = dialect.clip_space && options.positions == PositionSpace::Screen;
    if let Some(header) = header.filter(|_| wanted && !has_errors(&diagnostics)) {
        let added = screen::way(&header, &program, &mut diagnostics);
        last_is_word &= added.is_empty();
        program.slots.extend(slots_of(file, dialect.syntax(), &added, &mut diagnostics));
    }
    let slots = &mut program.slots;
    match options.place {
        Final::Inline => {
            if let (Some(last), false) = (slots.last_mut(), last_is_word) {
                last.bits = with_final(last.bits, true);
            }
        }
        Final::Explicit => slots.push(ISA.slot(with_final(Bits::default(), true), Span::default())),
    }
    if let Some(first_too_many) = slots.get(MAX_SLOTS) {
        diagnostics.extend(ISA.check_length(slots.len(), first_too_many.span));
    } else if let Some(who) = version.and_then(|version| version.limit)
        && let Some(first_too_many) = slots[..written].get(LIMIT)
    {
        let message = format!("the program has {written} instructions");
        let problem = Diagnostic::warning(&DIALECT_LIMIT, message).label(first_too_many.span, who);
        diagnostics.push(problem.note("this machine holds 136"));
    }
    // What words mean that come without a text is not known; this is a vertex program, or a state program.
    let is_state = version.is_some_and(|version| version.kind == Kind::State);
    program.interface = (!is_state).then(Interface::default);
    // Nothing is to be said of a text that counts as the machine does.
    program.numbering = Some(map.numbering()).filter(|numbering| numbering.offset != 0);
    Assembled { program, diagnostics }
}

/// The slots of what a text holds. Joined instructions share a slot.
fn slots_of(file: &File, syntax: &Syntax, items: &[Item], problems: &mut Vec<Diagnostic>) -> Vec<Slot> {
    let mut slots = Vec::new();
    let free = OnceCell::new();
    let together = |_: &Item, next: &Item| matches!(next, Item::Inst(Written { joined: true, .. }));
    for group in items.chunk_by(together) {
        if let [Item::Raw(words, span)] = group {
            let mut bits = Bits::default();
            bits.words.iter_mut().zip(words).for_each(|(bits, word)| *bits = *word);
            slots.push(ISA.slot(bits, *span));
            continue;
        }
        let written: Vec<Written> = group.iter().filter_map(Item::written).copied().collect();
        let (Some(first), Some(last)) = (written.first(), written.last()) else { continue };
        let before = problems.len();
        let insts = pair(&written, problems);
        for problem in &mut problems[before..] {
            copy::offer(file, syntax, &written, *free.get_or_init(|| free_temporary(items)), problem);
        }
        if let Some(insts) = insts {
            // Decoding what was encoded is what the machine does, shared fields included.
            slots.push(ISA.slot(ISA.encode_all(insts.iter()), first.span.to(last.span)));
        }
    }
    slots
}

/// What is undefined or suspicious about a program.
pub fn check(program: &Program) -> Vec<Diagnostic> {
    if program.slots.is_empty() {
        return vec![ISA.empty(program)];
    }
    let mut problems = Vec::new();
    for slot in &program.slots {
        for what in crate::vertex::encoding::undefined(slot) {
            problems.push(Diagnostic::warning(&NOT_DEFINED, what).at(slot.span));
        }
        if slot.bits.words[0] != 0 {
            let problem =
                Diagnostic::warning(&NOT_DEFINED, "the first word of a slot is not 0").at(slot.span);
            problems.push(problem.note("the machine ignores it; nv2avshd refuses it"));
        }
    }
    if !program.slots.iter().any(|slot| is_final(&slot.bits)) {
        let problem = Diagnostic::warning(&NO_FINAL, "no slot has its FINAL bit set").at(program.span);
        problems.push(problem.note(format!("field `{}` is bit 0 of the last word", FINAL.name)));
    }
    let lowered = lowered(program, HW);
    let temporary = |read: &UndefinedRead| read.reg.file == R;
    let mut reads = lowered.clone();
    reads.undefined_reads.retain(temporary);
    let note = "temporaries start as zeros here; on the console they hold what the vertex before left";
    problems.extend(ISA.read_before_write(&program.slots, &reads, &READ_BEFORE_WRITE, note));
    let place = program.slots.last().map_or(program.span, |last| last.span);
    let whole = |code, message, label| Diagnostic::warning(code, message).label(place, label);
    let is_vertex = program.interface.is_some() && kind(program) == Kind::Vertex;
    if !writes(program, |reg| matches!(reg.file, O | C)) {
        let problem = whole(&WRITES_NOTHING, "the program writes no output and no constant", "it ends here");
        problems.push(problem.note("nothing that it does can be seen"));
    } else if is_vertex && lowered.unwritten_outputs.contains(&(OPOS, Mask::ALL)) {
        let problem = whole(&NO_POSITION, "the program never writes oPos", "it ends here");
        problems.push(problem.help("without a position nothing is drawn: `mov oPos, v0` is the least"));
    }
    problems
}
