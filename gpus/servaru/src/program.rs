//! Whole programs: from text, and back.

use crate::encoding::MAX_SLOTS;
use crate::meaning::{inferred, stage};
use crate::read::{Listing, read};
use crate::syntax::{FRAGMENT, VERTEX};
use crate::{ISA, print};
use gpuzoo_diag::File;
use gpuzoo_isa::{Assembled, Interface, Program, Stage};

/// From text to a program, with every error and warning.
pub fn assemble(file: &File) -> Assembled {
    let Listing { slots, stage: said, limits, problems: mut diagnostics } = read(file);
    let interface = said.map(|(stage, _)| Interface { stage, ..Interface::default() });
    let program = Program { slots, interface, span: file.whole(), ..Program::default() };
    let place = program.slots.get(MAX_SLOTS).map_or(file.whole(), |slot| slot.span);
    diagnostics.extend(ISA.check_length(program.slots.len(), place));
    for (limits, place) in limits {
        diagnostics.extend(limits.check(&program, stage(&program), place));
    }
    Assembled { program, diagnostics }
}

/// From a program to a text that assembles to the same words. The stage is said where the instructions alone would tell
/// another one.
pub fn disassemble(program: &Program) -> String {
    let mut text = String::new();
    if stage(program) != inferred(program) {
        text += if stage(program) == Stage::Vertex { VERTEX } else { FRAGMENT };
        text.push('\n');
    }
    for slot in &program.slots {
        print::slot(slot, &mut text);
        text.push('\n');
    }
    text
}
