//! Every problem that the kit reports: its code, its place, what to do.

use crate::{MACHINES, one_word, problems, two_halves};
use gpuzoo_diag::{Diagnostic, File};
use gpuzoo_isa::{Isa, codes};

/// A text with its mistake between brackets, the code, the beginning of the message, and the text as the first fix makes
/// it (empty without one).
type Case = (&'static str, &'static str, &'static str, &'static str);

const ONE_WORD: &[Case] = &[
    ("<mvo> r0 r1", "A0101", "there is no instruction `mvo`", "mov r0 r1"),
    ("<MOV> r0 r1", "A0101", "there is no instruction `MOV`", "mov r0 r1"),
    ("<123> r0 r1", "A0101", "there is no instruction `123`", ""),
    ("<setup> r0", "A0101", "`setup` is written by the assembler alone", ""),
    ("mov r0 <mask>", "A0102", "`a` of `mov` must be a register, found `mask`", ""),
    ("mov r0 <R1>", "A0102", "`a` of `mov` must be a register, found `R1`", "mov r0 r1"),
    ("mov <r16> r1", "A0103", "there is no register `r16`", ""),
    ("mov r0 <r01>", "A0103", "there is no register `r01`", ""),
    ("sgn r0 <in8>", "A0103", "there is no register `in8`", ""),
    ("ld r0 <8>", "A0104", "there is no input 8", ""),
    ("ldc r0 c[a0 + <64>]", "A0104", "there is no constant 64", ""),
    ("shf r0 r1 xyzw <16>", "A0104", "there is no write mask 16", ""),
    (".word <0x100000000>", "A0104", "a word has 32 bits", ""),
    ("byte r0 <256>", "A0104", "256 is not a byte", ""),
    ("ld r0 <in3>", "A0105", "expected an integer, found `in3`", "ld r0 3"),
    ("shf r0 r1 xyzw <x>", "A0105", "expected an integer, found `x`", ""),
    (".word <1.5>", "A0105", "expected the value of the word", ""),
    ("iinit r0 <1.5>", "A0105", "`iinit` takes an integer", ""),
    ("st <r0> r1", "A0106", "`output` of `st` must be one of `pos` and `fog`, found `r0`", ""),
    ("st <fg> r1", "A0106", "`output` of `st` must be one of `pos` and `fog`, found `fg`", "st fog r1"),
    ("shf r0 r1 <xy> 15", "A0107", "`xy` is not a swizzle", "shf r0 r1 xyyy 15"),
    ("swz r0 r1<>", "A0107", "`swz` needs four components", ""),
    ("swz r0 r1<.xy>", "A0107", "`.xy` is not a swizzle", ""),
    ("mov r0<,>r1", "A0108", "`,` means nothing here", "mov r0 r1"),
    ("mov r0<,> r1", "A0108", "`,` means nothing here", "mov r0 r1"),
    ("mov r0 r1<;>", "A0108", "`;` means nothing here", "mov r0 r1"),
    ("<#> mov r0 r1", "A0108", "`#` means nothing here", "// mov r0 r1"),
    ("mov r0 <+>r1", "A0108", "`+` means nothing here", ""),
    ("mov r0 <->r1", "A0108", "`-` means nothing here", ""),
    ("mov r0 r1 </*> nop", "A0109", "comment is never closed", ""),
    ("mov r0<>", "A0111", "`mov` needs `a`, a register", ""),
    ("mov r0<> nop", "A0111", "`mov` needs `a`, a register", ""),
    ("ld r0<>", "A0111", "`ld` needs `slot`, the number of input", ""),
    ("finit r0<>", "A0111", "`finit` needs `values`, a float", ""),
    ("<.wrod> 0", "A0112", "there is no directive `.wrod`", ".word 0"),
    ("mov r0 r1 <r2>", "A0113", "`mov` takes no further operand", ""),
    ("mov r0<.xgx> r1", "A0117", "`.xgx` is not a write mask", "mov r0.xy r1"),
    ("mov r0<.q> r1", "A0117", "`.q` is not a write mask", ""),
    ("mov <in1> r1", "A0118", "`in1` cannot be written", ""),
    ("mov r0 <pos>", "A0119", "`pos` cannot be read", ""),
    ("finit r0 <r1>", "A0120", "expected a float, found `r1`", ""),
    ("ldc r0 c <]>", "A0120", "expected `[`, found `]`", ""),
    ("ldc r0 c[<r0>]", "A0120", "expected a number or `a0`, found `r0`", ""),
    ("ldc r0 c[a0 + 1 <nop>", "A0120", "expected `]`, found `nop`", ""),
    ("sgn r0 |r1 <nop>", "A0120", "expected `|`, found `nop`", ""),
    ("ord r0 r1 <yyyy>", "A0122", "a source cannot be read as `yyyy`", ""),
    ("st pos<.x> r1", "A0123", "`output` of `st` has no components to choose", "st pos r1"),
    ("mov r0 r1<.x>", "A0123", "`a` of `mov` has no components to choose", "mov r0 r1"),
    ("finit r0 1.0 2.0 3.0 4.0 <5.0>", "A0124", "`finit` takes at most 4 values", ""),
];

const TWO_HALVES: &[Case] = &[
    ("<MOVE> R0, R1", "A0101", "there is no instruction `MOVE`", "MOV R0, R1"),
    ("MOV R0, <R12>", "A0103", "there is no register `R12`", ""),
    ("MOV R0, <256>", "A0104", "256 is not a byte", ""),
    (".word <0x10000000000000000>", "A0104", "a word has 64 bits", ""),
    ("MOV R0, V1<.xy>", "A0107", "`.xy` is not a swizzle", ""),
    ("MOV R0, V1<.rrrr>", "A0107", "`.rrrr` is not a swizzle", ""),
    ("MOV R0<>", "A0111", "`MOV` needs `a`, a register or a byte", ""),
    ("MOV R0,<> ;", "A0111", "`MOV` needs `a`, a register or a byte", ""),
    ("<.foo>", "A0112", "there is no directive `.foo`", ""),
    ("MOV R0, R1<,> R2", "A0113", "`MOV` takes no further operand", ""),
    ("MOV R0<.yx>, R1", "A0117", "`.yx` is not a write mask", "MOV R0.xy, R1"),
    ("MOV <V1>, R1", "A0118", "`V1` cannot be written", ""),
    ("RCP <C9>, R1.x", "A0118", "`C9` cannot be written", ""),
    ("MOV R0, <oPos>", "A0119", "`oPos` cannot be read", ""),
    ("MOV R0 <R1>", "A0120", "expected `,` before `a` of `MOV`", "MOV R0, R1"),
    ("NOP<> NOP", "A0120", "expected `;` or the end of the line, found `NOP`", "NOP; NOP"),
    ("NOP <x9>", "A0120", "expected `;` or the end of the line, found `x9`", ""),
    ("<,>", "A0120", "expected an instruction, found `,`", ""),
    ("SUB R0, R1, <C[A0+3]>", "A0120", "`b` of `SUB` cannot be relative to the address register", ""),
    ("MOV R0, C[A0<]>", "A0120", "expected `+`, found `]`", ""),
    ("MOV R0, C[<foo>]", "A0120", "expected a number or `A0`, found `foo`", ""),
    ("MOV R0, C[<99>]", "A0104", "there is no constant 99", ""),
    ("MOV R0, |R1<;>", "A0120", "expected `|`, found `;`", ""),
    ("RCP R8, <R1>", "A0121", "`s` of `RCP` must be one component", "RCP R8, R1.x"),
    ("RCP R8, -<V3.yzxw>", "A0121", "`s` of `RCP` must be one component", "RCP R8, -V3.y"),
    ("SUB R0, R1, R2<.yyyy>", "A0122", "a source cannot be read as `.yyyy`", ""),
    ("RCP R8, R2<.yyyy>", "A0122", "a source cannot be read as `.yyyy`", "RCP R8, R2.y"),
    ("<DIV> R0, R1, R2", "A0125", "there is no `DIV` here", ""),
    ("<SUB R0, V1, V2>", "A0126", "`V1` cannot be `a` beside the other operands of `SUB`", ""),
    ("<SUB R0, V1, C2>", "A0126", "`V1` cannot be `a` beside the other operands of `SUB`", ""),
];

/// A case's text without its brackets, and the bytes between them.
fn place(marked: &str) -> (String, usize, usize) {
    let start = marked.find('<').unwrap();
    let end = marked.rfind('>').unwrap() - 1;
    (marked.replace(['<', '>'], ""), start, end)
}

fn fixed(text: &str, problem: &Diagnostic) -> String {
    let mut text = text.to_owned();
    if let Some(fix) = problem.fixes.first() {
        for edit in fix.edits.iter().rev() {
            text.replace_range(edit.span.range(), &edit.text);
        }
    }
    text
}

#[test]
fn each_mistake_is_reported_in_its_place() {
    let mut wrong = Vec::new();
    for (isa, cases) in [(&one_word::ISA, ONE_WORD), (&two_halves::ISA, TWO_HALVES)] {
        for (marked, code, message, fix) in cases {
            let (text, start, end) = place(marked);
            let found = problems(isa, &text);
            let [problem] = &found[..] else {
                wrong.push(format!("{marked}: {:?}", found.iter().map(|p| &p.message).collect::<Vec<_>>()));
                continue;
            };
            let at = problem.span().map(|span| (span.start as usize, span.end as usize));
            let fix_made = if problem.fixes.is_empty() { String::new() } else { fixed(&text, problem) };
            if problem.code.id != *code || !problem.message.starts_with(message) || at != Some((start, end)) {
                wrong.push(format!("{marked}: {} {} at {at:?}", problem.code.id, problem.message));
            } else if fix_made != *fix {
                wrong.push(format!("{marked}: fixed to {fix_made:?}"));
            } else if !fix.is_empty() {
                let again = problems(isa, &fix_made);
                if !again.is_empty() {
                    wrong.push(format!("{marked}: the fix has mistakes: {again:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Two operands that the same bits say are the same register, or one of them is of a file with bits of its own.
#[test]
fn operands_that_share_bits() {
    let ids = |text: &str| problems(&two_halves::ISA, text).iter().map(|p| p.code.id).collect::<Vec<_>>();
    for together in ["V1, V1.x", "C[3], R3", "C[A0+3], C[3]", "1, V2"] {
        assert_eq!(ids(&format!("SUB R0, {together}")), [""; 0], "{together}");
    }
    for apart in ["V1, V2", "C[3], C[4]", "V1, C[3]"] {
        assert_eq!(ids(&format!("SUB R0, {apart}")), ["A0126"], "{apart}");
    }
}

/// The table has every code that reading a text gives; the other ones are in `limits`.
#[test]
fn every_code_has_a_case() {
    let elsewhere = ["A0110", "A0114", "A0115", "A0116", "B0101", "B0102", "B0103"];
    for code in codes::CODES {
        let tested = ONE_WORD.iter().chain(TWO_HALVES).any(|case| case.1 == code.id);
        assert!(tested != elsewhere.contains(&code.id), "{}", code.id);
    }
}

/// All mistakes of a text come at once, each once.
#[test]
fn mistakes_do_not_hide_each_other() {
    let ids = |isa: &'static Isa, text: &str| -> Vec<&str> {
        problems(isa, text).iter().map(|problem| problem.code.id).collect()
    };
    let text = "mov r16 r17\nfoo r1\nadd r0, r1, r2\nld r0 9 st fg r1\n.wrod 1\nmov r0\n# comment\nnop";
    let found = ids(&one_word::ISA, text);
    let wanted = ["A0103", "A0103", "A0101", "A0108", "A0108", "A0104", "A0106", "A0112", "A0108", "A0111"];
    assert_eq!(found, wanted);
    let text = "MOV R12, R0\nMOV R0 R1; FOO; MOV R0, R1, R2\nMOV R0,\nNOP NOP\n";
    let found = ids(&two_halves::ISA, text);
    assert_eq!(found, ["A0103", "A0120", "A0101", "A0113", "A0111", "A0120"]);
}

/// Behind a comma an operand may be on the next line; an instruction or a directive there is what comes next.
#[test]
fn a_line_that_begins_a_statement_is_no_operand() {
    let read = |text: &str| {
        let file = File::new("t", text);
        let isa = &two_halves::ISA;
        let parsed = gpuzoo_isa::parse(isa, isa.syntax, &file, &mut gpuzoo_isa::Plain);
        let codes: Vec<&str> = parsed.diagnostics.iter().map(|problem| problem.code.id).collect();
        (parsed.items.len(), codes)
    };
    assert_eq!(read("MOV R0,\nR1"), (1, vec![]));
    assert_eq!(read("MOV R0,\n-R1.x\nNOP"), (2, vec![]));
    assert_eq!(read("MOV R0,\n.word 0"), (1, vec!["A0111"]));
    assert_eq!(read("MOV R0,\nNOP"), (1, vec!["A0111"]));
    assert_eq!(read("MOV\n.word 0\nNOP"), (2, vec!["A0111"]));
}

/// What is around a mistake is read all the same.
#[test]
fn the_rest_is_read() {
    for isa in MACHINES {
        let (op, mark) = if isa.syntax.commas { ("NOP", ";") } else { ("nop", "") };
        let file = File::new("t", &format!("{op}{mark} oops 5{mark} {op}{mark}\n{op}\n"));
        let parsed = gpuzoo_isa::parse(isa, isa.syntax, &file, &mut gpuzoo_isa::Plain);
        assert_eq!((parsed.items.len(), parsed.diagnostics.len()), (3, 1), "{:?}", parsed.diagnostics);
    }
}
