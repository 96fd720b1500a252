//! Whole programs: from text, and back (spec section F).

use crate::ISA;
use crate::limits::Limits;
use crate::meaning::{inferred, stage};
use crate::rules::DIRECTIVE_TWICE;
use crate::syntax::{FRAGMENT, LIMITS, VERTEX};
use gpuzoo_diag::{Applicability, Diagnostic, Edit, File, Fix, Span};
use gpuzoo_isa::{
    Assembled, Choice, Failed, Interface, Language, Mask, Operand, Parser, Program, Reg, Stage, Swizzle,
    SwizzleCode, parse,
};

/// What a text says beside its instructions.
#[derive(Default)]
struct Directives {
    /// The stage, if it says so.
    stage: Option<(Stage, Span)>,
    /// The limits that it asks to be held to.
    limits: Vec<(&'static Limits, Span)>,
    /// A temporary that the text does not name, once it has been looked for; 32 if there is none.
    spare: Option<u16>,
}

impl Language for Directives {
    fn statement(&mut self, parser: &mut Parser) -> Option<Result<(), Failed>> {
        let (name, span) = (parser.text(), parser.span());
        let stage = match name {
            VERTEX => Stage::Vertex,
            FRAGMENT => Stage::Fragment,
            LIMITS => return Some(self.limits(parser)),
            _ => return None,
        };
        parser.advance();
        let Some((_, first)) = self.stage.replace((stage, span)) else { return Some(Ok(())) };
        let problem = Diagnostic::error(&DIRECTIVE_TWICE, "the stage is given a second time");
        Some(parser.fail(problem.at(span).label(first, "first given here")))
    }

    /// As many `MOV`s as it takes, into a temporary that the text does not name.
    fn swizzle(
        &mut self,
        parser: &Parser,
        mut problem: Diagnostic,
        reg: Reg,
        order: Swizzle,
        whole: Span,
    ) -> Diagnostic {
        let spare = *self.spare.get_or_insert_with(|| spare(parser.file.text()));
        if spare == 32 {
            return problem;
        }
        let moves = moves(spare, reg, order);
        let place = parser.file.span(parser.statement..parser.statement);
        let edits =
            vec![Edit { span: place, text: moves.clone() }, Edit { span: whole, text: format!("R{spare}") }];
        problem = problem.help(format!("copy it in parts: `{}`", moves.trim_end()));
        let applicability = Applicability::MachineApplicable;
        problem.fixes.push(Fix { title: format!("copy it to R{spare} first"), edits, applicability });
        problem
    }
}

impl Directives {
    /// `.limits ps_1_4`
    fn limits(&mut self, parser: &mut Parser) -> Result<(), Failed> {
        parser.advance();
        let limits = Limits::find(parser.text()).filter(|_| !parser.token.first);
        let Some(limits) = limits else {
            let known = "they are `ps_1_4`, `vs_1_1` and `arb`";
            return parser.unexpected("the name of limits", known);
        };
        parser.advance();
        // Asked for twice, they are still one check.
        if !self.limits.iter().any(|(known, _)| known.name == limits.name) {
            self.limits.push((limits, parser.since(parser.statement)));
        }
        Ok(())
    }
}

/// A temporary that a text does not name; 32 if it names them all.
fn spare(text: &str) -> u16 {
    let mut named = [false; 32];
    for word in text.split(|letter: char| !letter.is_ascii_alphanumeric()) {
        let number = word.strip_prefix('R').and_then(|number| number.parse::<usize>().ok());
        if let Some(named) = number.and_then(|number| named.get_mut(number)) {
            *named = true;
        }
    }
    (0..32u16).rev().find(|index| !named[usize::from(*index)]).unwrap_or(32)
}

/// Instructions that put a register's components into a temporary in any order: as few as there are.
fn moves(spare: u16, reg: Reg, order: Swizzle) -> String {
    let Some(mov) = ISA.op("MOV") else { return String::new() };
    let [dst, src] = [&mov.parts[0], &mov.parts[1]];
    let Some((_, SwizzleCode::Listed(choices))) = src.swizzle else { return String::new() };
    let wanted = order.components();
    let mut left = Mask::ALL;
    let mut text = String::new();
    while !left.is_empty() {
        let covers = |choice: &Swizzle| {
            let found = choice.components();
            let at = (0..4u8).filter(|&at| left.has(at) && found[at as usize] == wanted[at as usize]);
            at.fold(0u8, |mask, at| mask | 1 << at)
        };
        // One component for all covers at least one of those that are left.
        let Some(best) = choices.iter().rev().max_by_key(|choice| covers(choice).count_ones()) else { break };
        let mask = Mask(covers(best));
        let file = dst.choices.first().and_then(Choice::file).unwrap_or(0);
        let to = Operand { reg: Reg { file, index: spare }, mask, ..Operand::default() };
        let from = Operand { reg, swizzle: *best, ..Operand::default() };
        let mut inst = gpuzoo_isa::Inst::new(mov);
        (inst.operands[0], inst.operands[1]) = (to, from);
        ISA.print_inst(&inst, &mut text);
        text.push(' ');
        left = left.without(mask);
    }
    text
}

/// From text to a program, with every error and warning.
pub fn assemble(file: &File) -> Assembled {
    let mut said = Directives::default();
    let parsed = parse(&ISA, ISA.syntax, file, &mut said);
    let mut diagnostics = parsed.diagnostics;
    let slots = ISA.slots_of(&parsed.items);
    let interface = said.stage.map(|(stage, _)| Interface { stage, ..Interface::default() });
    let program = Program { slots, interface, span: file.whole(), ..Program::default() };
    let place = program.slots.get(ISA.most_slots()).map_or(file.whole(), |slot| slot.span);
    diagnostics.extend(ISA.check_length(program.slots.len(), place));
    for (limits, place) in said.limits {
        diagnostics.extend(limits.check(&program, stage(&program), place));
    }
    Assembled { program, diagnostics }
}

/// From a program to a text that does the same, or exactly to one that assembles to the same words. The stage is said where the instructions alone would tell
/// another one.
pub fn disassemble(program: &Program, exact: bool) -> String {
    let mut text = String::new();
    if stage(program) != inferred(program) {
        text += if stage(program) == Stage::Vertex { VERTEX } else { FRAGMENT };
        text.push('\n');
    }
    for slot in &program.slots {
        ISA.print_line(slot, exact, &mut text);
    }
    text
}
