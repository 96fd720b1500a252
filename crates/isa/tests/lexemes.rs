//! What editors get to know of the words of a text.

use crate::{one_word, two_halves};
use gpuzoo_diag::Role::{self, *};
use gpuzoo_isa::{End, Indexed, Isa, Name, Reg, Syntax, TokenKind};

/// The word of each lexeme with its role.
fn roles<'t>(isa: &Isa, syntax: &Syntax, text: &'t str) -> Vec<(Role, &'t str)> {
    isa.lexemes(syntax, text).iter().map(|own| (own.role, own.text(text))).collect()
}

/// The words that begin a statement.
fn begins(syntax: &Syntax, text: &'static str) -> Vec<&'static str> {
    let all = two_halves::ISA.lexemes(syntax, text);
    all.iter().filter(|own| own.begins).map(|own| own.text(text)).collect()
}

#[test]
fn words_have_roles() {
    let isa = &one_word::ISA;
    assert_eq!(
        roles(isa, isa.syntax, "mov r0.xw r1 // one\n.word 0x5 swz r1 r2.wzyx foo /* never closed"),
        [
            (Mnemonic, "mov"),
            (Register, "r0"),
            (Components, ".xw"),
            (Register, "r1"),
            (Comment, "// one"),
            (Directive, ".word"),
            (Number, "0x5"),
            (Mnemonic, "swz"),
            (Register, "r1"),
            (Register, "r2"),
            (Components, ".wzyx"),
            (Name, "foo"),
            (Comment, "/* never closed"),
        ]
    );
    // What begins with a dot and is no statement is components, right or wrong.
    for word in [".xyzw", ".x", ".rgba", ".wrod"] {
        assert_eq!(roles(isa, isa.syntax, word), [(Components, word)]);
    }
    assert_eq!(roles(isa, isa.syntax, ";"), [(Mark, ";")]);
}

#[test]
fn what_a_language_calls_a_directive_is_one() {
    static OWN: Syntax = Syntax {
        token: Some(|text| text.starts_with("#if").then_some((TokenKind::Directive, 3))),
        ..Syntax::PLAIN
    };
    let found = roles(&one_word::ISA, &OWN, "#if 1 .xy .word");
    assert_eq!(found, [(Directive, "#if"), (Number, "1"), (Components, ".xy"), (Directive, ".word")]);
}

/// In a language whose dots are tokens of their own, components are the letters right behind one.
#[test]
fn letters_behind_a_dot_are_components() {
    static DOTS: Syntax =
        Syntax { token: Some(|text| text.starts_with('.').then_some((TokenKind::Junk, 1))), ..Syntax::PLAIN };
    let found = |text| roles(&one_word::ISA, &DOTS, text);
    assert_eq!(found("r0.xw"), [(Register, "r0"), (Mark, "."), (Components, "xw")]);
    assert_eq!(found("r0.RGBA"), [(Register, "r0"), (Mark, "."), (Components, "RGBA")]);
    // Other letters, a blank between, another mark, and no mark at all.
    assert_eq!(found("r0.xq")[2], (Name, "xq"));
    assert_eq!(found("r0. xw")[2], (Name, "xw"));
    assert_eq!(found("r0;xw")[2], (Name, "xw"));
    assert_eq!(found("xw"), [(Name, "xw")]);
}

#[test]
fn registers_are_known_by_all_their_names() {
    static SYNTAX: Syntax = Syntax {
        names: &[Name::source("acc", Reg { file: 0, index: 0 })],
        prefixes: &[(0, "T")],
        indexed: &[Indexed {
            file: 1,
            prefix: "v",
            plain: false,
            numbers: true,
            names: &[("POS", 0), ("TEX0", 8)],
            address: "idx.x",
            plus: "+",
            offset: false,
            signed: false,
            brackets: true,
            sums: false,
        }],
        ..Syntax::PLAIN
    };
    let isa = &two_halves::ISA;
    let role = |word| roles(isa, &SYNTAX, word)[0].0;
    // Prefix and number, the prefix alone, names of a file, of the language, its prefixes, and what is between brackets.
    for word in ["R3", "R", "C9", "C", "oPos", "oFog", "acc", "T3", "v", "v5", "POS", "TEX0", "idx", "A0"] {
        assert_eq!(role(word), Register, "{word}");
    }
    for word in ["T", "T03", "oPoss", "ac", "TEX", "TEX1", "id", "x", "Q3", "vv"] {
        assert_eq!(role(word), Name, "{word}");
    }
    // Without the brackets, what is between them is nothing.
    for word in ["v5", "POS", "TEX0", "idx", "acc", "v"] {
        assert_eq!(roles(isa, &Syntax::PLAIN, word)[0].0, Name, "{word}");
    }
}

#[test]
fn statements_begin_where_the_language_ends_the_one_before() {
    let language = |end, commas| Syntax { end, commas, line_comments: &["#"], ..Syntax::PLAIN };
    let text = "# c\nMOV R0, R1; # c\nSUB R2, # c\n  R3, R4; NOP; NOP\n+ NOP";
    // After a semicolon, whatever comments are between.
    assert_eq!(begins(&language(End::Semicolon, true), text), ["MOV", "SUB", "NOP", "NOP"]);
    // In each line, and not after semicolons.
    assert_eq!(begins(&language(End::Line, true), text), ["MOV", "SUB", "R3"]);
    assert_eq!(begins(&language(End::LineOrSemicolon, true), text), ["MOV", "SUB", "R3", "NOP", "NOP", "+"]);
    assert_eq!(begins(&language(End::Next, true), text), ["MOV", "SUB", "R3"]);
    // Where nothing but the next instruction ends one, the words that begin one do.
    assert_eq!(begins(&language(End::Next, false), text), ["MOV", "SUB", "NOP", "NOP", "NOP"]);
}

#[test]
fn a_header_needs_no_end_mark() {
    static SEMICOLONS: Syntax = Syntax { end: End::Semicolon, commas: true, ..Syntax::PLAIN };
    assert_eq!(
        roles(&two_halves::ISA, &SEMICOLONS, "!!VP1.0\nMOV R0, R1;")[..2],
        [(Directive, "!!VP1.0"), (Mnemonic, "MOV")]
    );
    assert_eq!(begins(&SEMICOLONS, "!!VP1.0\nMOV R0, R1;"), ["!!VP1.0", "MOV"]);
}
