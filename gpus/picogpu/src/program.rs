//! Whole programs: assembled, disassembled, loaded and saved.

use crate::ISA;
use crate::declarations::{self, Source, read};
use crate::encoding::MAX_DWORDS;
use crate::frame::{Frame, frame};
use crate::header;
use crate::ops::INITREGS;
use crate::profile::{DOCUMENT, UNIT};
use crate::regs::{COUNT, R, r};
use crate::rules::{self, NO_DEPTH_REGISTER, NO_INSTRUCTIONS, REFERENCE_REFUSES, STORE_COMMAND};
use crate::syntax::HEADER;
use gpuzoo_diag::{Diagnostic, File, Span, counted, has_errors};
use gpuzoo_isa::codes::{TOO_LONG, WORDS_LENGTH};
use gpuzoo_isa::{Assembled, Bits, Interface, Port, Profile, Program, Reg, Slot, Stage};
use std::fmt::Write;
use std::ops::Range;

/// From text to a program. Under profile `unit` the text is read, and `fmad` is encoded, as the reference assembler
/// does it.
pub fn assemble(file: &File, profile: Profile) -> Assembled {
    let mut source = read(file, profile);
    let program = match source.header.take() {
        Some((words, span)) => exact(words, span, &mut source),
        None => framed(&mut source, profile == UNIT),
    };
    Assembled { program: Program { span: file.whole(), ..program }, diagnostics: source.problems }
}

/// A program to which nothing is added.
fn exact(words: Vec<u32>, span: Span, source: &mut Source) -> Program {
    let slots = slots(&source.words);
    let (interface, length) = match header::decode(&words) {
        Ok(decoded) => decoded,
        Err(error) => {
            if !has_errors(&source.problems) {
                source.problems.push(Diagnostic::error(&STORE_COMMAND, error.to_string()).at(span));
            }
            return Program { slots, ..Program::default() };
        }
    };
    let found = source.words.len();
    if length != found && !has_errors(&source.problems) {
        let message = format!("the store command says {}, the program has {found}", counted(length, "dword"));
        source.problems.push(Diagnostic::error(&STORE_COMMAND, message).at(span));
    }
    Program { interface: Some(with_definedness(interface, &slots)), slots, ..Program::default() }
}

/// A program with its frame around it.
fn framed(source: &mut Source, reference: bool) -> Program {
    rules::interface(&source.interface, source.stage, source.directives_end, &mut source.problems);
    let body = slots(&source.words);
    if body.is_empty() && !has_errors(&source.problems) {
        let problem = Diagnostic::error(&NO_INSTRUCTIONS, "the program has no instructions");
        let help = "`trap` does nothing; a program that only passes values through can have one";
        source.problems.push(problem.label(source.directives_end, "expected here").help(help));
    }
    if has_errors(&source.problems) {
        return Program { interface: Some(source.interface.clone()), slots: body, ..Program::default() };
    }
    let mut interface = source.interface.clone();
    let depth = depth_register(&interface, &body, reference, &mut source.problems);
    if let (Stage::Fragment, Some(position)) = (interface.stage, interface.inputs.first().copied()) {
        let reg = depth.unwrap_or(position.reg);
        interface.outputs.push(Port { reg, components: 1, span: position.span });
    }
    let own = source.words.iter().copied();
    let (words, _) = around(&interface, depth, own, [source.directives_end; 2], &body);
    let slots = self::slots(&words);
    let length = words.len();
    if length > MAX_DWORDS {
        let message = format!("the program has {length} dwords, a shader unit holds {MAX_DWORDS}");
        let problem = Diagnostic::error(&TOO_LONG, message);
        let problem = problem.label(words[MAX_DWORDS].1, format!("dword {} is here", MAX_DWORDS + 1));
        source.problems.push(problem.note("the assembler's own instructions count, too"));
    }
    interface.header = header::encode(&interface, length);
    Program { interface: Some(interface), slots, ..Program::default() }
}

/// A program's own words with its frame around them, and how many slots come before them.
fn around(
    interface: &Interface,
    depth: Option<Reg>,
    own: impl Iterator<Item = (u32, Span)>,
    [before, after]: [Span; 2],
    body: &[Slot],
) -> (Vec<(u32, Span)>, usize) {
    let Frame { interpolation, setup, epilogue } = frame(interface, depth);
    let first = body.first().map_or(before, |slot| Span { end: slot.span.start, ..slot.span });
    let last = body.last().map_or(after, |slot| slot.span.after());
    let added = |code: Vec<Bits>, span| {
        let words = code.into_iter().flat_map(move |bits| ISA.slot(bits, span).words(&ISA).to_vec());
        words.map(move |word| (word, span))
    };
    let slots = interpolation.len() + setup.len();
    // Cut anew: a last `.word` may take what follows for its values, as it does in the unit.
    let words =
        added(interpolation, first).chain(added(setup, first)).chain(own).chain(added(epilogue, last));
    (words.collect(), slots)
}

/// A program of its own instructions and its declarations, of which the depth of a fragment program is none, and the place of its
/// first instruction. The colour has another register than the position.
pub fn complete(mut interface: Interface, body: Vec<Slot>) -> (Program, usize) {
    let position = interface.inputs.first().copied().filter(|_| interface.stage == Stage::Fragment);
    interface.outputs.extend(position.map(|position| Port { components: 1, ..position }));
    let own = body.iter().flat_map(|slot| slot.words(&ISA).iter().map(|word| (*word, slot.span)));
    let (words, first) = around(&interface, None, own, [Span::default(); 2], &body);
    interface.header = header::encode(&interface, words.len());
    (Program { slots: slots(&words), interface: Some(interface), ..Program::default() }, first)
}

/// Where the depth is kept if the colour takes the position's register: the lowest register that the program does not
/// mention (spec section 3, row 11).
fn depth_register(
    interface: &Interface,
    body: &[Slot],
    reference: bool,
    problems: &mut Vec<Diagnostic>,
) -> Option<Reg> {
    let (position, colour) = (interface.inputs.first()?, interface.outputs.first()?);
    if interface.stage != Stage::Fragment || position.reg != colour.reg {
        return None;
    }
    if reference {
        let message = format!("r{} is both position and colour", position.reg.index);
        let problem = Diagnostic::error(&REFERENCE_REFUSES, message).label(colour.span, "the colour");
        problems.push(
            problem.label(position.span, "the position").note("the reference exports the depth from it"),
        );
        return None;
    }
    let ports =
        interface.inputs.iter().chain(&interface.outputs).chain(&interface.uniforms).map(|port| port.reg);
    let insts = body.iter().flat_map(|slot| slot.insts());
    let used = insts.flat_map(|inst| {
        let operands = inst.op.parts.iter().map(|part| inst.operand(part));
        operands.filter(|operand| operand.immediates.is_empty()).map(|operand| operand.reg)
    });
    let mentioned: Vec<Reg> = ports.chain(used).filter(|reg| reg.file == R).collect();
    let free = (0..COUNT).map(r).find(|reg| !mentioned.contains(reg));
    if free.is_none() {
        let problem = Diagnostic::error(&NO_DEPTH_REGISTER, "no register is left to keep the depth in");
        problems.push(
            problem
                .label(colour.span, "takes the position's place")
                .help("use another register for the colour"),
        );
    }
    free
}

/// The slots of words that come from statements.
fn slots(words: &[(u32, Span)]) -> Vec<Slot> {
    let (bare, spans): (Vec<u32>, Vec<Span>) = words.iter().copied().unzip();
    ISA.slots(&bare, |words| spans[words.start].to(spans[words.end - 1]))
}

/// Registers start as zeros if the program says so.
fn with_definedness(mut interface: Interface, slots: &[Slot]) -> Interface {
    let initregs = |slot: &Slot| slot.inst.is_some_and(|inst| inst.op.code == INITREGS);
    interface.undefined_registers = !slots.iter().any(initregs);
    interface
}

/// The slots of a program that are its own, if the others are just what the assembler puts around them.
pub fn body(program: &Program) -> Option<Range<usize>> {
    let interface = program.interface.as_ref()?;
    let depth = match (interface.stage, interface.inputs.first(), interface.outputs.as_slice()) {
        (Stage::Vertex, ..) => None,
        (Stage::Fragment, Some(position), [_, depth]) if depth.components == 1 => {
            Some(depth.reg).filter(|reg| *reg != position.reg)
        }
        _ => return None,
    };
    let Frame { interpolation, setup, epilogue } = frame(interface, depth);
    let slots = &program.slots;
    let (before, after) = (interpolation.len() + setup.len(), epilogue.len());
    let end = slots.len().checked_sub(after).filter(|end| *end >= before)?;
    let added = slots[..before].iter().chain(&slots[end..]).map(|slot| slot.bits);
    added.eq(interpolation.into_iter().chain(setup).chain(epilogue)).then_some(before..end)
}

/// From a program to a text that assembles, under profile `document`, to the same dwords if it is to be exact, else to
/// dwords that do the same.
///
/// What the assembler adds is shown as comments. A program that no text with directives gives (from another assembler,
/// or not from one at all) begins with `.header` and is written down as it stands.
pub fn disassemble(program: &Program, exact: bool) -> String {
    let gives = |text: &String| gives(text, DOCUMENT, program, exact);
    natural(program, exact).filter(gives).unwrap_or_else(|| as_it_stands(program, exact))
}

/// As [`disassemble`], for a reader of the profile `unit`: with a warning if that reads something else, or refuses the text.
pub(crate) fn disassemble_for_unit(program: &Program, exact: bool) -> (String, Option<Diagnostic>) {
    let text = disassemble(program, exact);
    let problem = (!gives(&text, UNIT, program, exact)).then(|| {
        let message = "the reference assembler does not make this program of its text";
        let problem = Diagnostic::warning(&REFERENCE_REFUSES, message).at(program.span);
        problem.help("dialect `document` reads it back")
    });
    (text, problem)
}

/// True if a text assembles to a program's dwords if that is to be exact, else to dwords that do the same.
fn gives(text: &str, profile: Profile, program: &Program, exact: bool) -> bool {
    let again = assemble(&File::new("", text), profile);
    let bytes = || save(&again.program) == save(program);
    again.ok() && if exact { bytes() } else { does_the_same(&again.program, program) }
}

/// True if two programs have the same instructions between the same commands, whatever bits they do not use.
fn does_the_same(one: &Program, other: &Program) -> bool {
    let text = |slot: &Slot| {
        let mut text = String::new();
        ISA.print_readable(slot, &mut text);
        text
    };
    let header = |program: &Program| program.interface.as_ref().map(|interface| interface.header.clone());
    header(one) == header(other) && one.slots.iter().map(text).eq(other.slots.iter().map(text))
}

fn natural(program: &Program, exact: bool) -> Option<String> {
    let interface = program.interface.as_ref()?;
    let body = body(program)?;
    let mut text = String::new();
    declarations::print(interface, &mut text);
    let mut next = 0;
    let mut added = |title: &str, slots: &[Slot], text: &mut String| {
        if !slots.is_empty() {
            let _ = writeln!(text, "\n// {title}, added by the assembler:");
        }
        for slot in slots {
            text.push_str("//     ");
            ISA.print_insts(slot, text);
            text.push('\n');
        }
        next += slots.len();
    };
    let is_setup = |slot: &Slot| slot.inst.is_some_and(|inst| inst.op.internal);
    let setup = program.slots[..body.start].iter().position(is_setup).unwrap_or(body.start);
    added("interpolation", &program.slots[..setup], &mut text);
    added("uniforms and registers", &program.slots[setup..body.start], &mut text);
    text.push('\n');
    for slot in &program.slots[body.clone()] {
        statement(slot, false, exact, &mut text);
    }
    added("depth", &program.slots[body.end..], &mut text);
    Some(text)
}

fn as_it_stands(program: &Program, exact: bool) -> String {
    let header = program.interface.as_ref().map_or(&[][..], |interface| &interface.header);
    let mut text = HEADER.to_owned();
    for word in header {
        let _ = write!(text, " {word:#010x}");
    }
    text.push('\n');
    for slot in &program.slots {
        statement(slot, true, exact, &mut text);
    }
    text
}

/// A slot's line. What only the assembler may write has a name where nothing is added.
fn statement(slot: &Slot, bare: bool, exact: bool, text: &mut String) {
    let internal = slot.insts().any(|inst| inst.op.internal) && ISA.is_encoded(slot);
    if bare && internal {
        ISA.print_insts(slot, text);
        text.push('\n');
    } else {
        ISA.print_line(slot, exact, text);
    }
}

/// The bytes of a store command with its program.
pub fn save(program: &Program) -> Vec<u8> {
    dwords(program).iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// The dwords of a store command with its program.
pub fn dwords(program: &Program) -> Vec<u32> {
    let header = program.interface.iter().flat_map(|interface| interface.header.iter().copied());
    header.chain(program.words(&ISA)).collect()
}

/// From the bytes of a store command and its program, which `span` names, to a program.
pub fn load(bytes: &[u8], span: Span) -> Assembled {
    let at = |range: Range<usize>| Span {
        start: span.start.saturating_add(range.start as u32),
        end: span.start.saturating_add(range.end as u32),
        ..span
    };
    let mut diagnostics = Vec::new();
    let (dwords, rest) = bytes.as_chunks::<4>();
    if !rest.is_empty() {
        let message = format!("a whole number of dwords is wanted, not {}", counted(bytes.len(), "byte"));
        let place = at(bytes.len() - rest.len()..bytes.len());
        diagnostics.push(Diagnostic::error(&WORDS_LENGTH, message).label(place, "left over"));
    }
    // No more than a program can have.
    let most = header::COMMAND_DWORDS + MAX_DWORDS;
    let words: Vec<u32> = dwords.iter().take(most).map(|bytes| u32::from_le_bytes(*bytes)).collect();
    let (interface, length) = match header::decode(&words) {
        Ok(decoded) => decoded,
        Err(error) => {
            let end = bytes.len().min(header::COMMAND_DWORDS * 4);
            diagnostics.push(Diagnostic::error(&STORE_COMMAND, error.to_string()).at(at(0..end)));
            return Assembled { program: Program { span, ..Program::default() }, diagnostics };
        }
    };
    let code = &words[header::COMMAND_DWORDS..];
    let found = dwords.len() - header::COMMAND_DWORDS;
    if found != length {
        let message = format!("the store command says {}, found {found}", counted(length, "dword"));
        diagnostics.push(Diagnostic::error(&STORE_COMMAND, message).label(at(0..4), "its length"));
    }
    let offset = header::COMMAND_DWORDS * 4;
    let slots = ISA
        .slots(&code[..length.min(code.len())], |words| at(offset + words.start * 4..offset + words.end * 4));
    let program =
        Program { interface: Some(with_definedness(interface, &slots)), slots, span, ..Program::default() };
    Assembled { program, diagnostics }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DOCUMENT, program_dwords};
    use gpuzoo_diag::File;

    /// Behind the 12 bytes of the command, `lduni` and `initregs` have a dword each, and `finit` one more for each value.
    #[test]
    fn instructions_of_a_binary_have_their_places() {
        let text = "#vertexShader #input r0.xyzw #output r0.xyzw finit r1 1.0 2.0 trap";
        let dwords = program_dwords(&assemble(&File::new("t", text), DOCUMENT).program);
        let bytes: Vec<u8> = dwords.iter().flat_map(|dword| dword.to_le_bytes()).collect();
        let loaded = load(&bytes, Span { start: 100, end: 100 + bytes.len() as u32, ..Span::default() });
        let places: Vec<_> = loaded.program.slots.iter().map(|slot| slot.span.start..slot.span.end).collect();
        assert_eq!(places, [112..116, 116..120, 120..132, 132..136]);
    }
}
