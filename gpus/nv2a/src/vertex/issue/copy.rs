//! The way out of a slot that reads two inputs or two constants: one of them is copied to a temporary first.

use crate::ISA;
use crate::vertex::issue::pair::places;
use crate::vertex::regs::R;
use crate::vertex::rules::{TWO_CONSTANTS, TWO_INPUTS};
use gpuzoo_diag::{Applicability, Diagnostic, Edit, File, Fix};
use gpuzoo_isa::{Bits, Case, Inst, Item, Syntax, Written};

/// The highest temporary that nothing in a text names. What is written to it is read nowhere else.
pub fn free_temporary(items: &[Item]) -> Option<u16> {
    let mut free = [true; 12];
    let mut take = |inst: &Inst| {
        let operands = inst.reads().chain(inst.writes()).map(|(_, operand)| operand.reg);
        for reg in operands.filter(|reg| reg.file == R) {
            free.iter_mut().skip(reg.index.into()).take(1).for_each(|free| *free = false);
        }
    };
    for item in items {
        match item {
            Item::Inst(written) => take(&written.inst),
            Item::Raw(words, span) => {
                let mut bits = Bits::default();
                bits.words.iter_mut().zip(words).for_each(|(bits, word)| *bits = *word);
                ISA.slot(bits, *span).insts().for_each(&mut take);
            }
        }
    }
    (0..12).rev().zip(free.iter().rev()).find(|(_, free)| **free).map(|(index, _)| index)
}

/// Adds the edit to the problem of a slot, where there is a temporary for it and the text names what is copied.
pub fn offer(file: &File, syntax: &Syntax, group: &[Written], free: Option<u16>, problem: &mut Diagnostic) {
    let known = [&TWO_INPUTS, &TWO_CONSTANTS].contains(&problem.code);
    let (Some(free), Some(second), Some(first), true) = (free, problem.span(), group.first(), known) else {
        return;
    };
    // What a macro reads has no place of its own.
    let all = || group.iter().flat_map(|written| places(written).map(move |place| (written, place)));
    let Some((_, (wanted, _))) = all().find(|(written, (_, span))| *span == second && *span != written.span)
    else {
        return;
    };
    let (mov, temporary) = match syntax.case {
        Case::Upper => ("MOV", format!("R{free}")),
        _ => ("mov", format!("r{free}")),
    };
    let end = syntax.end_mark();
    let text = file.text();
    let mut name = "";
    let mut edits = Vec::new();
    let same =
        all().filter(|(_, (operand, _))| (operand.reg, operand.relative) == (wanted.reg, wanted.relative));
    for (written, (_, span)) in same {
        if span == written.span {
            return;
        }
        let operand = file.slice(span);
        let start = operand.len() - operand.trim_start_matches(['-', '+', ' ', '\t']).len();
        let index = operand.rfind(']').map_or(start, |bracket| bracket + 1);
        let length = operand[index..].find('.').map_or(operand.len(), |dot| index + dot);
        name = operand[start..length].trim_end();
        let at = span.start as usize + start;
        edits.push(Edit { span: file.span(at..at + name.len()), text: temporary.clone() });
    }
    let start = first.span.start as usize;
    let line = start + 1 - file.place(first.span.start).column;
    let margin = Some(&text[line..start]).filter(|margin| margin.trim().is_empty()).unwrap_or("");
    let copy = format!("{mov} {temporary}, {name}{end}\n{margin}");
    edits.insert(0, Edit { span: file.span(start..start), text: copy });
    let title = format!("copy it to {temporary}, which the text does not use");
    problem.fixes.push(Fix { title, edits, applicability: Applicability::MachineApplicable });
}
