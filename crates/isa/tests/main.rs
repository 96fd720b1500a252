//! Tests of the kit with two machines that exist for them alone and have every kind of operand between them.

mod adding;
mod brackets;
mod describing;
mod dialects;
mod explain;
mod lexemes;
mod limits;
mod live;
mod lowering;
mod naming;
mod numbers;
mod one_word;
mod refusals;
mod robustness;
mod roundtrip;
mod samples;
mod two_halves;

use gpuzoo_diag::{Diagnostic, File};
use gpuzoo_isa::{Failed, Inst, Isa, Item, Language, Parsed, Parser, Plain, Program, Slot, numbers, parse};

/// Both machines.
const MACHINES: [&Isa; 2] = [&one_word::ISA, &two_halves::ISA];

/// Reads a text, instructions that only an assembler writes included.
fn read(isa: &'static Isa, text: &str) -> Parsed {
    struct Internal;
    impl Language for Internal {
        fn statement(&mut self, parser: &mut Parser) -> Option<Result<(), Failed>> {
            parser.internal = true;
            None
        }
    }
    parse(isa, isa.syntax, &File::new("t", text), &mut Internal)
}

/// The program of a text without mistakes.
fn assemble(isa: &'static Isa, text: &str) -> Program {
    let parsed = read(isa, text);
    assert!(parsed.diagnostics.is_empty(), "{text}\n{:#?}", parsed.diagnostics);
    Program { slots: slots(isa, &parsed.items), ..Program::default() }
}

/// The slots of what a text holds. What is joined to an instruction of the same row adds a destination to it; of another
/// half, it runs at the same time.
fn slots(isa: &'static Isa, items: &[Item]) -> Vec<Slot> {
    let mut slots: Vec<Slot> = Vec::new();
    for item in items {
        let joined = item.written().filter(|written| written.joined).map(|written| written.inst);
        let (Some(joined), Some(last)) = (joined, slots.last_mut()) else {
            slots.extend(isa.slots_of(std::slice::from_ref(item)));
            continue;
        };
        let mut insts: Vec<Inst> = last.insts().copied().collect();
        match insts.iter_mut().find(|inst| inst.op == joined.op) {
            Some(inst) => {
                for (part, _) in joined.writes().filter(|(_, operand)| !operand.mask.is_empty()) {
                    inst.operands[part.operand as usize] = *joined.operand(part);
                }
            }
            None => insts.push(joined),
        }
        insts.sort_by_key(|inst| inst.op.half);
        *last = isa.slot(isa.encode_all(insts.iter()), last.span);
    }
    slots
}

/// What is wrong with a text.
fn problems(isa: &'static Isa, text: &str) -> Vec<Diagnostic> {
    parse(isa, isa.syntax, &File::new("t", text), &mut Plain).diagnostics
}

/// The text of a program.
fn disassemble(isa: &Isa, program: &Program) -> String {
    let mut text = String::new();
    for slot in &program.slots {
        isa.print_slot(slot, &mut text);
        text.push('\n');
    }
    text
}

/// Numbers without end, the same ones in every run.
struct Random(Box<dyn FnMut(u32) -> u32>);

impl Random {
    fn new() -> Random {
        Random(Box::new(numbers(1)))
    }

    fn word(&mut self) -> u32 {
        self.below(1 << 16) << 16 | self.below(1 << 16)
    }

    fn below(&mut self, end: u32) -> u32 {
        (self.0)(end)
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u32) as usize]
    }
}
