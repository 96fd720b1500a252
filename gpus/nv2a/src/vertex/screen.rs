//! Where a program leaves the position, and the two slots that take it from clip space to the screen (spec section 11).
//!
//! What the machine draws with are pixels. Texts of the Direct3D dialect end in clip space unless they say
//! `#pragma screenspace`; the rest is the same two slots in nearly every program of a finished game, which the console's
//! tool chain is inferred to add. So they are added here, too, unless the text is for a place where something else does it.

use crate::vertex::dialects::header::{Header, Version};
use crate::vertex::dialects::macros::{component, written};
use crate::vertex::encoding::{MAX_SLOTS, is_final, sources, targets};
use crate::vertex::program::facts::{Kind, running, writes};
use crate::vertex::regs::{C, OPOS, R1, VIEWPORT};
use crate::vertex::rules::VIEWPORT_SLOTS;
use gpuzoo_diag::{Diagnostic, Severity, Span};
use gpuzoo_isa::{Item, Mask, Operand, Program, Reg, Slot, Written};

/// The pragma that says that a text writes screen coordinates itself.
pub const PRAGMA: &str = "#pragma screenspace";

/// True for Direct3D's texts that, without the pragma, get the slots: those of vertex programs that write no constants.
pub fn is_completed(version: &Version) -> bool {
    version.kind == Kind::Vertex && !version.writes_constants
}

/// What the slots of a text are to be followed by, which is reported: the way to the screen, or nothing.
pub fn way(header: &Header, program: &Program, problems: &mut Vec<Diagnostic>) -> Vec<Item> {
    let slots = &program.slots;
    // Without a position there is nothing to take anywhere, and what is too long is reported as such.
    if !is_completed(header.version) || !writes(program, |reg| reg == OPOS) || slots.len() > MAX_SLOTS {
        return Vec::new();
    }
    let note = |message: &str, place: Span, label: &str| {
        Diagnostic::new(Severity::Note, &VIEWPORT_SLOTS, message).label(place, label)
    };
    let meant = format!("`{PRAGMA}` says that this is meant");
    if let Some((slot, what)) = own_way(running(program)) {
        let message = "the program takes oPos to the screen itself, so no slots are added for it";
        problems.push(note(message, slot.span, what).help(meant));
        return Vec::new();
    }
    if slots.iter().any(|slot| is_final(&slot.bits)) {
        let message = "no slots are added that take oPos to the screen: a `.word` ends the program before";
        problems.push(note(message, header.span, "this begins such programs").help(meant));
        return Vec::new();
    }
    let clip = "for clip space: `--position clip`, or `positions = \"clip\"` in a scene's `[draw.state]`";
    let own = format!("if the program writes screen coordinates itself: `{PRAGMA}`");
    let items = items(header.span);
    // A pair takes one slot.
    let added = items.iter().filter(|item| !item.written().is_some_and(|written| written.joined)).count();
    if slots.len() + added > MAX_SLOTS {
        let message =
            format!("the program has {} slots; with {added} that take oPos to the screen", slots.len());
        let message = format!("{message} it has more than the machine's {MAX_SLOTS}");
        let problem = Diagnostic::error(&VIEWPORT_SLOTS, message);
        let problem = problem.label(header.span, format!("such programs get {added} slots more"));
        problems.push(problem.help(own).help(clip));
        return Vec::new();
    }
    let message = "two slots are added that take oPos from clip space to the screen";
    let why = format!("such texts end in clip space, without `{PRAGMA}`");
    let problem = note(message, header.span, &why);
    let problem = problem.note(
        "they read the viewport's scale and offset: the machine's c58 and c59, Direct3D's c-38 and c-37",
    );
    problems.push(problem.help(own).help(clip));
    items
}

/// The first slot that tells that a program does it itself, and how: it reads the viewport's constants, or writes
/// components of oPos again once it has read them back.
fn own_way(slots: &[Slot]) -> Option<(&Slot, &'static str)> {
    let (mut reads_back, mut position) = (false, 0);
    for slot in slots {
        let reads = |such: &dyn Fn(&Operand) -> bool| slot.insts().flat_map(sources).any(such);
        if reads(&|source| source.reg.file == C && !source.relative && VIEWPORT.contains(&source.reg.index)) {
            return Some((slot, "it reads the viewport's constants"));
        }
        reads_back |= reads(&|source| source.reg == OPOS);
        let to_position = slot.insts().flat_map(targets).filter(|target| target.reg == OPOS);
        let mask = to_position.fold(0, |mask, target| mask | target.mask.0);
        if reads_back && mask & position != 0 {
            return Some((slot, "it writes oPos again, from what it has read of it"));
        }
        position |= mask;
    }
    None
}

/// `mul oPos.xyz, r12, c-38` beside `rcc r1.x, r12.w`, and `mad oPos.xyz, r12, r1.x, c-37`. Nothing behind them reads a
/// temporary, so any may be lost; beside the product the ILU half writes r1, whatever the slot says.
fn items(span: Span) -> Vec<Item> {
    let position = Operand { reg: OPOS, ..Operand::default() };
    let [scale, offset] = [*VIEWPORT.start(), *VIEWPORT.end()]
        .map(|index| Operand { reg: Reg { file: C, index }, ..Operand::default() });
    let to = Operand { mask: Mask(0b0111), ..position };
    let inverse = Operand { reg: R1, mask: Mask(1), ..Operand::default() };
    let product = written("mul", to, &[position, scale], span);
    let reciprocal = written("rcc", inverse, &[component(OPOS, 3)], span);
    let reciprocal = reciprocal.map(|written| Written { joined: true, ..written });
    let sum = written("mad", to, &[position, component(R1, 0), offset], span);
    [product, reciprocal, sum].into_iter().flatten().map(Item::Inst).collect()
}
