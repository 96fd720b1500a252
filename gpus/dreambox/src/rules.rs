//! What a legal program may not do, and what a sensible one does not do.

use crate::encoding::MAX_SLOTS;
use crate::lower::column;
use crate::ops::{END, MULM};
use crate::syntax::EXACT;
use crate::{ISA, lints, lowered, regs};
use gpuzoo_diag::{Diagnostic, File};
use gpuzoo_isa::{Assembled, Bits, Failed, Inst, Language, Lowered, Parser, Program, Slot, parse};

gpuzoo_diag::codes! {
    MATRIX_BEYOND_R15 = "D0101", "matrix column beyond r15",
        "`mulm dst src` reads its matrix from src, src+1, src+2 and src+3. Above r12 there are fewer than four registers \
         left. The runtime's GLSL leaves the result undefined; software Vulkan repeats r15, and so does gpuzoo.";
    UNDEFINED_READ = "D0102", "register is read before it is written",
        "Nothing has written these components when the instruction reads them. The runtime's GLSL leaves their value \
         undefined; gpuzoo starts every register at 0.0.";
    OUTPUT_NEVER_STORED = "D0103", "output is never stored",
        "The program ends without storing this output. Its value is undefined in the runtime; gpuzoo gives 0.0. Without \
         `pos` nothing is drawn.";
    UNREACHABLE = "D0104", "code after end",
        "`end` stops the program, and there are no jumps: nothing after it ever runs. The words are still uploaded.";
    OLD_ENCODING = "D0105", "old 4-bit opcodes suspected",
        "Before February 2025 (runtime commit da82362) opcodes had 4 bits and `end` was 15. Nothing in a binary marks the \
         version. These words make little sense today but look like that encoding: assemble the source again.";
    PRODUCT_WITH_ZEROS = "D0106", "product with zeros that `dot` left",
        "`dot` puts its result into the first component and zeros into the other three. A product with that register keeps \
         its x and loses the rest, and a quotient divides by zero: a colour becomes red, or without alpha nothing. Spread the \
         result before it is used: `shf r1 r1 xxxx 0b1111`. Only what reaches the position or a colour is reported.";
}

/// From text to a program: everything the kit reports, the length, an `end` appended where there is room for one.
///
/// The published macro appends one to every program of fewer than 64 instructions, even after a written `end`.
pub fn assemble(file: &File) -> Assembled {
    let mut language = Directives { exact: false };
    let parsed = parse(&ISA, ISA.syntax, file, &mut language);
    let mut diagnostics = parsed.diagnostics;
    let mut slots = ISA.slots_of(&parsed.items);
    if let Some(first_too_many) = slots.get(MAX_SLOTS) {
        diagnostics.extend(ISA.check_length(slots.len(), first_too_many.span));
    } else if slots.len() < MAX_SLOTS && !language.exact {
        // It belongs to no text; messages about it point behind the last instruction.
        let span = slots.last().map_or(file.span(0..0), |last| last.span.after());
        slots.push(ISA.slot(Bits::word(u32::from(END)), span));
    }
    Assembled { program: Program { slots, span: file.whole(), ..Program::default() }, diagnostics }
}

/// `.exact`: nothing is appended.
struct Directives {
    exact: bool,
}

impl Language for Directives {
    fn statement(&mut self, parser: &mut Parser) -> Option<Result<(), Failed>> {
        parser.eat(EXACT).then(|| {
            self.exact = true;
            Ok(())
        })
    }
}

/// The text of a program. The last `end` is left out where the assembler appends it, and `.exact` says where it
/// must not.
pub fn disassemble(program: &Program, exact: bool) -> String {
    let slots = &program.slots;
    let appended = slots.len() <= MAX_SLOTS && slots.last().is_some_and(is_end);
    let mut text = String::new();
    if !appended && slots.len() < MAX_SLOTS {
        text += &format!("{EXACT} // no `end` is to be appended\n");
    }
    for slot in &slots[..slots.len() - usize::from(appended)] {
        ISA.print_line(slot, exact, &mut text);
    }
    // A full program has no room for an appended `end`, so its own must be written.
    if appended && slots.len() == MAX_SLOTS {
        text += "end\n";
    }
    text
}

/// True for an `end` as the assembler writes it.
fn is_end(slot: &Slot) -> bool {
    slot.bits == Bits::word(u32::from(END))
}

/// What is suspicious about a program.
pub fn check(program: &Program) -> Vec<Diagnostic> {
    // What the assembler appends makes no program.
    if program.slots.iter().all(is_end) {
        return vec![ISA.empty(program)];
    }
    let lowered = lowered(program);
    let mut problems = Vec::new();
    old_encoding(program, &mut problems);
    for slot in &program.slots[..lowered.end.unwrap_or(program.slots.len())] {
        matrix_beyond_r15(slot, &mut problems);
    }
    let note = "undefined on the console; gpuzoo starts every register at 0.0";
    problems.extend(ISA.read_before_write(&program.slots, &lowered, &UNDEFINED_READ, note));
    problems.extend(lints::check(program, &lowered));
    outputs(program, &lowered, &mut problems);
    unreachable(program, &lowered, &mut problems);
    problems
}

fn matrix_beyond_r15(slot: &Slot, problems: &mut Vec<Diagnostic>) {
    let Some(Inst { op, operands: [_, src, ..] }) = &slot.inst else { return };
    if op.code == MULM && src.reg.index > 12 {
        let name = ISA.reg_name(src.reg);
        let columns = [0, 1, 2, 3].map(|n| ISA.reg_name(column(src, n)));
        let message = format!("the matrix at {name} needs four registers and r15 is the last");
        let problem = Diagnostic::warning(&MATRIX_BEYOND_R15, message).at(slot.span);
        let problem = problem.note(format!("the columns read are {}", columns.join(", ")));
        problems.push(problem.help("put the matrix at r12 or below"));
    }
}

fn outputs(program: &Program, lowered: &Lowered, problems: &mut Vec<Diagnostic>) {
    let place = lowered.end.map_or(program.span, |end| program.slots[end].span);
    for (reg, _) in &lowered.unwritten_outputs {
        let name = ISA.reg_name(*reg);
        let mut problem =
            Diagnostic::warning(&OUTPUT_NEVER_STORED, format!("output `{name}` is never stored")).at(place);
        if name == regs::OUTPUT_NAMES[0] {
            problem = problem.note("without a position nothing is drawn");
        }
        let help = format!("store the register that holds it before the program ends: `st {name} rN`");
        let help = if name == regs::OUTPUT_NAMES[0] { help } else { help + "; `sub rN rN` makes zeros" };
        problems.push(problem.help(help));
    }
}

fn unreachable(program: &Program, lowered: &Lowered, problems: &mut Vec<Diagnostic>) {
    let Some(end) = lowered.end else { return };
    // An `end` after `end` is what the assembler itself writes.
    let mut rest = program.slots[end + 1..].iter().filter(|slot| !is_end(slot));
    if let Some(first) = rest.next() {
        let span = rest.next_back().map_or(first.span, |last| first.span.to(last.span));
        let problem =
            Diagnostic::warning(&UNREACHABLE, "these instructions never run").label(span, "after `end`");
        problems.push(problem.label(program.slots[end].span, "the program ends here"));
    }
}

/// In the old encoding `end` was 15, which today is `max r0 r0`: as the last word that is nonsense now and was the
/// rule then. The words must have sense in the old layout, whose bits 24 to 31 were unused, and not all in today's.
fn old_encoding(program: &Program, problems: &mut Vec<Diagnostic>) {
    let words: Vec<u32> = program.slots.iter().map(|slot| slot.bits.words[0]).collect();
    let last = words.iter().rposition(|&word| word != u32::from(END));
    let old_end = last.is_some_and(|last| words[last] == 15);
    let fits_old = words.iter().all(|word| word >> 24 == 0);
    let odd_now = program.slots.iter().find(|slot| !ISA.is_canonical(slot));
    if let (true, true, Some(odd)) = (old_end, fits_old, odd_now) {
        let problem = Diagnostic::warning(&OLD_ENCODING, "this looks like a program with 4-bit opcodes");
        let problem = problem.label(odd.span, "no instruction of today encodes to this word");
        problems.push(problem.help("assemble its source again: the encoding changed in February 2025"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A full program has no room for another `end`, so that nothing has to keep it out.
    #[test]
    fn a_full_program_needs_no_directive() {
        for (count, expected) in [(63, true), (64, false)] {
            let program = assemble(&File::new("t", &format!(".exact {}", "ld r0 0\n".repeat(count)))).program;
            assert_eq!(program.slots.len(), count);
            assert_eq!(disassemble(&program, false).contains(EXACT), expected, "{count}");
        }
    }

    /// A position is needed; zeros will do for the others.
    #[test]
    fn what_is_never_stored_is_said_with_what_to_do() {
        let problems = check(&assemble(&File::new("t", "ld r0 0 add r0 r0")).program);
        let [position, others @ ..] = &problems[..] else { panic!() };
        assert_eq!((position.notes.len(), others.len()), (1, 3));
        assert!(!position.help.iter().any(|help| help.contains("zeros")), "{position:?}");
        for problem in others {
            assert!(problem.notes.is_empty(), "{problem:?}");
            assert!(problem.help.iter().any(|help| help.contains("zeros")), "{problem:?}");
        }
    }

    #[test]
    fn a_directive_is_offered_for_one_that_is_nearly_it() {
        let problems = assemble(&File::new("t", ".exat")).diagnostics;
        assert_eq!(problems[0].code.id, "A0112");
        assert_eq!(problems[0].fixes[0].edits[0].text, EXACT);
    }
}
