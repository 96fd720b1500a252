//! From text to slots: which dialect, which slot is the last; and what is odd about a program.

use crate::dialect::{ConstantMap, Dialect};
use crate::encoding::{FINAL, MAX_SLOTS, encode, is_final, with_final};
use crate::listing::{Item, Listing};
use crate::pair::pair;
use crate::rules::{DIALECT_LIMIT, NO_FINAL, NOT_DEFINED, REFERENCE_REFUSES};
use crate::statement::Group;
use crate::{ISA, d3d, vp, vsh};
use gpuzoo_diag::{Diagnostic, File, Span};
use gpuzoo_isa::{Assembled, Bits, Program, Slot};

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
    pub dialect: Option<Dialect>,
    /// How the text counts constants; none takes the dialect's own way.
    pub constants: Option<ConstantMap>,
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
    let dialect = options.dialect.unwrap_or_else(|| Dialect::of(file.text()));
    let map = options.constants.unwrap_or(dialect.constants());
    let Listing { items, constants, problems: mut diagnostics, limit, .. } = match dialect {
        Dialect::Vsh => vsh::read(file, map),
        Dialect::Vp => vp::read(file, map, options.position),
        Dialect::D3d => d3d::read(file, map),
    };
    let mut slots: Vec<Slot> = items.iter().filter_map(|item| slot(item, &mut diagnostics)).collect();
    if dialect != Dialect::Vsh {
        // What nv2a_vsh_asm refuses concerns its own dialect alone.
        diagnostics.retain(|problem| problem.code != &REFERENCE_REFUSES);
    }
    match options.place {
        Final::Inline => {
            if let (Some(last), Some(Item::Group(_))) = (slots.last_mut(), items.last()) {
                last.bits = with_final(last.bits, true);
            }
        }
        Final::Explicit => slots.push(ISA.slot(with_final(Bits::default(), true), Span::default())),
    }
    if let Some(first_too_many) = slots.get(MAX_SLOTS) {
        diagnostics.extend(ISA.check_length(slots.len(), first_too_many.span));
    } else if let Some(limit) = limit
        && let Some(first_too_many) = slots.get(limit.slots)
    {
        let message = format!("the program has {} instructions", slots.len());
        let problem = Diagnostic::warning(&DIALECT_LIMIT, message).label(first_too_many.span, limit.who);
        diagnostics.push(problem.note("this machine holds 136"));
    }
    let program = Program { slots, constants, span: file.whole(), ..Program::default() };
    Assembled { program, diagnostics }
}

fn slot(item: &Item, problems: &mut Vec<Diagnostic>) -> Option<Slot> {
    let group: &Group = match item {
        Item::Raw(bits, span) => return Some(ISA.slot(*bits, *span)),
        Item::Group(group) => group,
    };
    let paired = pair(group, problems)?;
    let span = group.first()?.span.to(group.last()?.span);
    // Decoding what was encoded is what the machine does, shared fields included.
    Some(ISA.slot(encode(paired.mac.as_ref(), paired.ilu.as_ref()), span))
}

/// What is undefined or suspicious about a program.
pub fn check(program: &Program) -> Vec<Diagnostic> {
    let mut problems = Vec::new();
    for slot in &program.slots {
        for what in crate::encoding::undefined(slot) {
            problems.push(Diagnostic::warning(&NOT_DEFINED, what).label(slot.span, ""));
        }
        if slot.bits.words[0] != 0 {
            let problem =
                Diagnostic::warning(&NOT_DEFINED, "the first word of a slot is not 0").label(slot.span, "");
            problems.push(problem.note("the machine ignores it; nv2avshd refuses it"));
        }
    }
    if !program.slots.iter().any(|slot| is_final(&slot.bits)) {
        let problem = Diagnostic::warning(&NO_FINAL, "no slot has its FINAL bit set").label(program.span, "");
        problems.push(problem.note(format!("field `{}` is bit 0 of the last word", FINAL.name)));
    }
    problems
}
