//! From text to tokens (spec section 2.1).
//!
//! Blanks are never needed between tokens that cannot run together: `mov r1.xyr2` is `mov`, `r1`, `.`, `x`, `y`, `r2`, and
//! a mask's letters are a token each. What is not a token is gathered into words, so that messages can name it.

use crate::ops::OPS;
use crate::profile::{DOCUMENT_NAME, UNIT_NAME};
use gpuzoo_isa::{Form, MAX_OPERANDS, Operand, Statement, Syntax, TokenKind};
use gpuzoo_machine::Dialect;

/// A slot's words as they stand; ours.
pub const WORD: &str = ".word";
/// The store command as it stands, before a text to which nothing is added; ours.
pub const HEADER: &str = ".header";

/// The directives of the document, and `.header`.
pub const DIRECTIVES: &[Statement] = &[
    Statement::new("#input", "#input rN.xyzw", "the next input of the program, x, xy, xyz or xyzw of it, is in this register when it starts")
        .example("#input r0.xyz"),
    Statement::new("#output", "#output rN.xyzw", "the next output of the program is what this register holds at the end; a vertex program's first is the position")
        .example("#output r1.xyzw"),
    Statement::new("#uniform", "#uniform rN.xyzw", "the next uniform of the program is in this register when it starts")
        .example("#uniform r2.xyzw"),
    Statement::new("#vertexShader", "#vertexShader", "the program runs for vertices"),
    Statement::new("#fragmentShader", "#fragmentShader", "the program runs for fragments"),
    Statement::new(
        "#undefinedRegs",
        "#undefinedRegs",
        "registers may start with anything in them; without it they start with zeros",
    ),
    Statement::new(
        HEADER,
        ".header N N N",
        "the three words of the store command as they stand, in place of all other directives; nothing is added to the program",
    ),
];

/// The document's language.
pub static SYNTAX: Syntax = Syntax { token: Some(|rest| token(rest, false)), ..LANGUAGE };

/// The language as the reference's scanner has it: a carriage return is not a blank, and `r16` is `r1` and `6`.
pub static REFERENCE: Syntax =
    Syntax { token: Some(|rest| token(rest, true)), blanks: " \t\n", byte_order_mark: false, ..LANGUAGE };

const LANGUAGE: Syntax = Syntax {
    forms: &[accumulate("fmax"), accumulate("fmin"), accumulate("imax"), accumulate("imin")],
    directives: DIRECTIVES,
    components: "xyzw",
    mask_in_any_order: true,
    blanks: " \t\r\n",
    ..Syntax::PLAIN
};

const EXAMPLE: &str = "#vertexShader\n#input r0.xyzw\n#output r1.xyzw\nmov r1 r0\n";

/// The dialects of the two profiles.
pub const DIALECTS: &[Dialect] = &[
    Dialect {
        name: DOCUMENT_NAME,
        about: "the language of the document",
        syntax: &SYNTAX,
        example: EXAMPLE,
        headers: Vec::new,
    },
    Dialect {
        name: UNIT_NAME,
        about: "the language as the reference's assembler reads it",
        syntax: &REFERENCE,
        example: EXAMPLE,
        headers: Vec::new,
    },
];

/// `fmax dst src`: the destination is the first source.
const fn accumulate(name: &'static str) -> Form {
    let complete: fn(&mut [Operand; MAX_OPERANDS]) = |operands| {
        operands[2] = operands[1];
        operands[1] = Operand { reg: operands[0].reg, ..Operand::default() };
    };
    Form { name, row: name, since: "", implied: 1, complete }
}

/// The kind and length of the token that `rest` begins with.
fn token(rest: &str, reference: bool) -> Option<(TokenKind, usize)> {
    let bytes = rest.as_bytes();
    let first = *bytes.first()?;
    let second = bytes.get(1).copied().unwrap_or(0);
    let found = match first {
        b'#' => match longest(rest, DIRECTIVES.iter().map(|own| own.name)) {
            Some(name) => (TokenKind::Directive, name.len()),
            None => (TokenKind::Directive, 1 + word(&bytes[1..])),
        },
        b'.' => match longest(rest, [WORD, HEADER].into_iter()) {
            Some(name) => (TokenKind::Directive, name.len()),
            None if second.is_ascii_digit() => (TokenKind::Number, 1 + word(&bytes[1..])),
            None => (TokenKind::Junk, 1),
        },
        b'x' | b'y' | b'z' | b'w' => (TokenKind::Word, 1),
        b'r' if second.is_ascii_digit() => (TokenKind::Word, register(bytes, reference)),
        b'0'..=b'9' => (TokenKind::Number, number(rest, 0)),
        b'-' if second.is_ascii_digit() => (TokenKind::Number, number(rest, 1)),
        b'a'..=b'z' | b'A'..=b'Z' | b'_' => match longest(rest, OPS.iter().map(|op| op.name)) {
            Some(name) if begins_token(&rest[name.len()..]) => (TokenKind::Word, name.len()),
            _ => (TokenKind::Word, word(bytes)),
        },
        _ => return None,
    };
    Some(found)
}

fn longest<'a>(rest: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    names.filter(|name| rest.starts_with(name)).max_by_key(|name| name.len())
}

/// The length of letters, digits and underscores.
fn word(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count()
}

/// True if what follows a mnemonic without a blank can be a token: a register, or after `trap` an instruction.
fn begins_token(rest: &str) -> bool {
    match rest.as_bytes() {
        [b'r', b'0'..=b'9', ..] => true,
        [b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'0'..=b'9', ..] => begins_instruction(rest),
        _ => true,
    }
}

fn begins_instruction(rest: &str) -> bool {
    OPS.iter().any(|op| rest.starts_with(op.name))
}

fn register(bytes: &[u8], reference: bool) -> usize {
    let digits = bytes[1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    match bytes[1..] {
        [b'1', b'0'..=b'5', ..] if reference => 3,
        _ if reference => 2,
        _ => 1 + digits,
    }
}

/// The length of a number that begins at `from`, behind its sign, with what cannot be told from it.
fn number(rest: &str, from: usize) -> usize {
    let bytes = rest.as_bytes();
    let digits = |from: usize| bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    if bytes[from..].starts_with(b"0x") && bytes.get(from + 2).is_some_and(u8::is_ascii_hexdigit) {
        return from + word(&bytes[from..]);
    }
    let mut end = from + digits(from);
    if bytes.get(end) == Some(&b'.') {
        end += 1;
        end += digits(end);
        end += usize::from(bytes.get(end) == Some(&b'f'));
    }
    let behind = &rest[end..];
    let glued = behind.starts_with(|next: char| next.is_ascii_alphanumeric() || next == '_');
    let second_dot = behind.starts_with('.') && !behind.starts_with(WORD);
    if glued && !begins_instruction(behind) || second_dot {
        return end + behind.bytes().take_while(|byte| is_numeric(*byte)).count();
    }
    end
}

fn is_numeric(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_')
}
