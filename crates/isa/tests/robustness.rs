//! No input panics, and every problem has a place in its text.

use crate::{MACHINES, Random, disassemble, slots};
use gpuzoo_diag::{Diagnostic, File};
use gpuzoo_isa::{Bits, Isa, Item, Plain, Profile, Program, Written, parse};

fn places_are_in(problems: &[Diagnostic], text: &str) {
    for problem in problems {
        assert!(!problem.labels.is_empty(), "{problem:?}");
        let edits = problem.fixes.iter().flat_map(|fix| &fix.edits).map(|edit| edit.span);
        for span in problem.labels.iter().map(|label| label.span).chain(edits) {
            assert!(text.get(span.range()).is_some(), "{text:?}\n{problem:?}");
        }
    }
}

/// Everything that can be done with a text is done.
fn exercise(isa: &'static Isa, text: &str) {
    let parsed = parse(isa, isa.syntax, &File::new("t", text), &mut Plain);
    places_are_in(&parsed.diagnostics, text);
    for item in &parsed.items {
        let (Item::Inst(Written { span, .. }) | Item::Raw(_, span)) = item;
        assert!(text.get(span.range()).is_some_and(|text| !text.is_empty()), "{text:?}");
    }
    let program = Program { slots: slots(isa, &parsed.items), ..Program::default() };
    let again = parse(isa, isa.syntax, &File::new("t", &disassemble(isa, &program)), &mut Plain);
    assert!(again.diagnostics.is_empty(), "{text:?}\n{:?}", again.diagnostics);
    let program_again = Program { slots: slots(isa, &again.items), ..Program::default() };
    assert_eq!(program_again.words(isa), program.words(isa), "{text:?}");
    let lowered = isa.lower(&program, Profile::default(), &[]);
    isa.read_before_write(&program.slots, &lowered, &gpuzoo_isa::codes::UNEXPECTED, "");
}

const PIECES: &[&str] = &[
    "r0",
    "r15",
    "r16",
    "in3",
    "c9",
    "c",
    "[",
    "a0",
    "+",
    "5",
    "]",
    "pos",
    "fog",
    "k2",
    "-",
    "|",
    "1.0",
    "2",
    "0b101",
    "xyzw",
    "zzzz",
    ".x",
    ".xyzw",
    ".wx",
    ".",
    "..",
    ",",
    ";",
    "#",
    "//",
    "/*",
    "*/",
    ".word",
    ".wrod",
    "0x3f",
    "99999999999999999999",
    "_",
    "._",
    "R0",
    "R12",
    "V1",
    "V2",
    "C3",
    "X9",
    "T7",
    "oPos",
    "A0",
    "DIV",
    "é",
    "\u{feff}",
    "\0",
    "\u{202e}",
    "\n",
    "\r\n",
    "\t",
];

#[test]
fn token_soup_is_read() {
    let mut random = Random::new();
    for isa in MACHINES {
        let names: Vec<&str> = isa.ops().map(|op| op.name).collect();
        for _ in 0..20_000 {
            let mut text = String::new();
            for _ in 0..random.below(30) {
                match random.below(3) {
                    0 => text += random.of(&names),
                    _ => text += random.of(PIECES),
                }
                text += random.of(&["", " ", " ", " ", "\n"]);
            }
            exercise(isa, &text);
        }
    }
}

/// Good statements with a piece put in, left out or written twice.
#[test]
fn damaged_statements_are_read() {
    let mut random = Random::new();
    for isa in MACHINES {
        let rows: Vec<_> = isa.ops().collect();
        for _ in 0..10_000 {
            let mut text = String::new();
            for _ in 0..3 {
                let inst = isa.random(random.of(&rows), &mut |end| random.below(end));
                isa.print_inst(&inst, &mut text);
                text.push('\n');
            }
            let at =
                (random.below(text.len() as u32) as usize..).find(|at| text.is_char_boundary(*at)).unwrap();
            match random.below(3) {
                0 => text.insert_str(at, random.of(PIECES)),
                1 => text.truncate(at),
                _ => _ = text.remove(at),
            }
            exercise(isa, &text);
        }
    }
}

#[test]
fn random_characters_are_read() {
    let mut random = Random::new();
    for isa in MACHINES {
        for _ in 0..5_000 {
            let length = random.below(60);
            let characters = (0..length).filter_map(|_| match random.below(4) {
                0 => char::from_u32(random.word() >> 11),
                _ => char::from_u32(random.below(128)),
            });
            exercise(isa, &characters.collect::<String>());
        }
    }
}

#[test]
fn random_bits_can_be_looked_at() {
    let mut random = Random::new();
    for isa in MACHINES {
        for _ in 0..50_000 {
            let mut bits = Bits::default();
            bits.words.fill_with(|| random.word() & random.word());
            bits.words[0] = bits.words[0] & !63 | random.below(22);
            let slot = isa.slot(bits, Default::default());
            let mut text = String::new();
            isa.print_slot(&slot, &mut text);
            isa.print_insts(&slot, &mut text);
            isa.explain(&bits);
            isa.undefined(&slot);
            let words = slot.words(isa).len();
            assert!((isa.slot_words..=5).contains(&words));
            isa.lower(&Program { slots: vec![slot], ..Program::default() }, Profile::default(), &[]);
        }
        for length in 0..40 {
            let bytes: Vec<u8> = (0..length).map(|_| random.word() as u8).collect();
            let loaded = isa.load(&bytes, Default::default());
            assert_eq!(loaded.ok(), length % (4 * isa.slot_words) == 0);
        }
    }
}
