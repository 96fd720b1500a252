//! How deep a source is nested, counted on its tokens behind the preprocessor. Readers call themselves for each level, and for each
//! operator of a chain.
//!
//! Two numbers are counted. *Nesting* is what a parser has begun and not ended: brackets, blocks, branches and loops, prefix operators,
//! and right sides of assignments and choices. *Depth* is the height of an expression's tree: operators of one operand after the
//! other, members and elements of members and elements.

mod chains;
mod ports;
mod wgsl;

use crate::front::cg::lexer::Token;
use crate::walk::codes::TOO_LARGE;
use chains::Chains;
use gpuzoo_diag::{Diagnostic, File, Span};
use ports::Ports;
use std::ops::Range;

/// The deepest nesting, of which a bracket is [`BRACKET`] levels. 512 KiB of stack are enough for what is within these limits.
pub const MOST_NESTED: usize = 128;

/// A bracket takes a parser through all operators.
const BRACKET: usize = 2;

/// The highest tree of an expression.
pub const MOST_DEPTH: usize = 128;

/// The longest chain of declarations each of which names the next.
pub const MOST_CHAIN: usize = 128;

/// The most names and numbers of a type or a constant, each declaration written out wherever another names it. naga writes constants
/// out so.
pub const MOST_COPIED: u64 = 1 << 18;

/// The most declarations outside of functions.
pub const MOST_DECLARATIONS: usize = 4_096;

/// The most tokens of a statement or an initial value.
pub const MOST_IN_STATEMENT: usize = 65_536;

/// The most statements, declarations and parts of both that end with a semicolon.
pub const MOST_STATEMENTS: usize = 16_384;

/// Limit of the inputs and outputs of a GLSL source: naga takes a time for them that grows with their square.
pub const MOST_PORTS: usize = 256;

/// A token.
#[derive(Clone, Debug)]
pub struct Lexeme<'a> {
    /// As it is written.
    pub text: &'a str,
    /// Where.
    pub range: Range<usize>,
}

/// The problem of a source in WGSL that is nested too deep.
pub fn in_wgsl(file: &File) -> Option<Diagnostic> {
    check(wgsl::lexemes(file.text()), true, &|range| file.span(range))
}

/// The problem of one in GLSL, from its tokens behind the preprocessor.
pub fn in_glsl(tokens: &[Token], file: &File) -> Option<Diagnostic> {
    let lexeme = |token: &'_ Token| token.span.range();
    let lexemes = tokens.iter().map(|token| Lexeme { text: &token.text, range: lexeme(token) });
    check(lexemes, false, &|range| file.span(range))
}

fn check<'a>(
    lexemes: impl Iterator<Item = Lexeme<'a>>,
    is_wgsl: bool,
    span: &dyn Fn(Range<usize>) -> Span,
) -> Option<Diagnostic> {
    let mut nesting = Nesting::new(is_wgsl);
    let mut lexemes = lexemes.peekable();
    let refused = |excess: Excess, range: Range<usize>| {
        let (message, help) = excess.words();
        Diagnostic::error(&TOO_LARGE, message).at(span(range)).help(help)
    };
    let mut count = 0;
    while let Some(lexeme) = lexemes.next() {
        count += 1;
        let next = lexemes.peek().map_or("", |next| next.text);
        if let Some(excess) = nesting.add(&lexeme, next) {
            return Some(refused(excess, lexeme.range));
        }
    }
    gpuzoo_diag::work::spend(count);
    let (excess, place) = nesting.chains.excess(MOST_CHAIN, MOST_COPIED)?;
    Some(refused(excess, place))
}

/// What there is too much of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Excess {
    Nested,
    Depth,
    Chain,
    Copies,
    Declarations,
    Statement,
    Statements,
    Ports,
}

impl Excess {
    fn words(self) -> (String, String) {
        let names = "give parts of it names of their own";
        match self {
            Excess::Nested => (
                "brackets, blocks and operators are nested too deep".to_owned(),
                format!("{names}: there may be {MOST_NESTED} levels, of which a bracket counts as {BRACKET}"),
            ),
            Excess::Depth => (
                format!("the expression has more than {MOST_DEPTH} operators that depend on one another"),
                format!("{names}: variables or functions"),
            ),
            Excess::Chain => (
                format!("more than {MOST_CHAIN} declarations depend on one another, from this one on"),
                "put what some of them do into one".to_owned(),
            ),
            Excess::Copies => (
                format!(
                    "with all that it names, the declaration has more than {MOST_COPIED} names and numbers"
                ),
                "declare smaller arrays and structs, or pass their elements as uniforms".to_owned(),
            ),
            Excess::Declarations => (
                format!("there are more than {MOST_DECLARATIONS} declarations"),
                "leave out what the program does not use".to_owned(),
            ),
            Excess::Statement => (
                format!("the statement has more than {MOST_IN_STATEMENT} words and signs"),
                "set parts of it one after the other, or pass numbers as uniforms".to_owned(),
            ),
            Excess::Statements => (
                format!("there are more than {MOST_STATEMENTS} statements and declarations"),
                "write loops and functions, and leave out what the program does not use".to_owned(),
            ),
            Excess::Ports => (
                format!("there are more than {MOST_PORTS} inputs and outputs"),
                "leave out what the program does not use".to_owned(),
            ),
        }
    }
}

/// How tightly operators bind; the loosest first. The `?` of a choice waits for its `:` before anything else.
const MIDDLE: u8 = 0;
const COMMA: u8 = 1;
const ASSIGNMENT: u8 = 2;
const CHOICE: u8 = 3;
const PREFIX: u8 = 14;

/// How tightly an operator of two operands binds; none for other signs.
fn binding(sign: &str) -> Option<u8> {
    Some(match sign {
        "=" | "+=" | "-=" | "*=" | "/=" | "%=" | "&=" | "|=" | "^=" | "<<=" | ">>=" => ASSIGNMENT,
        "?" => CHOICE,
        "||" => 4,
        "^^" => 5,
        "&&" => 6,
        "|" => 7,
        "^" => 8,
        "&" => 9,
        "==" | "!=" => 10,
        "<" | ">" | "<=" | ">=" => 11,
        "<<" | ">>" => 12,
        "+" | "-" => 12,
        "*" | "/" | "%" => 13,
        _ => return None,
    })
}

/// True for an operator that a parser calls itself for, beyond those of two operands.
fn is_nested(binding: u8) -> bool {
    matches!(binding, MIDDLE | ASSIGNMENT | CHOICE | PREFIX)
}

/// True for names of types with a list of parameters in `<>`.
fn is_generic(word: &str) -> bool {
    ["array", "vec", "mat", "ptr", "atomic", "texture", "var"].iter().any(|start| word.starts_with(start))
}

/// What a bracket holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Statements, members or cases.
    Block,
    /// Values between commas: arguments, elements, parameters.
    List,
    /// One expression.
    One,
}

/// A bracket that is open.
#[derive(Debug)]
struct Level {
    kind: Kind,
    /// The nesting outside of it.
    outside: usize,
    /// How many operators were waiting before it.
    operators: usize,
    /// Branches and loops that the statement under way is in.
    branches: usize,
    /// Loops of `do` among them.
    repeats: usize,
    /// Template lists that may be open, and those of them that are for sure.
    angles: usize,
    templates: usize,
    /// The height of the operand under way.
    height: usize,
    /// The highest of what has ended.
    highest: usize,
    /// True behind an operand.
    is_behind: bool,
    /// Tokens of the item under way.
    length: usize,
    /// True if the item under way begins with a `case`, and if it declares something.
    is_case: bool,
    is_declaration: bool,
    /// True if the token before can stand before a declared name.
    is_behind_word: bool,
}

impl Level {
    fn new(kind: Kind, outside: usize, operators: usize) -> Level {
        Level {
            kind,
            outside,
            operators,
            branches: 0,
            repeats: 0,
            angles: 0,
            templates: 0,
            height: 0,
            highest: 0,
            is_behind: false,
            length: 0,
            is_case: false,
            is_declaration: false,
            is_behind_word: false,
        }
    }
}

struct Nesting<'a> {
    is_wgsl: bool,
    levels: Vec<Level>,
    /// Operators that wait for their right operand: how tightly they bind, and the height of the left one.
    operators: Vec<(u8, usize)>,
    /// How many of them a parser calls itself for.
    waiting: usize,
    statements: usize,
    /// Inputs and outputs of GLSL.
    ports: Ports<'a>,
    /// Tokens of the statement under way.
    length: usize,
    chains: Chains<'a>,
    /// How many brackets are open around the type inside of a function that is under way.
    inside: Option<usize>,
    /// The two words before.
    before: [&'a str; 2],
}

/// Words that are no operands, behind which a `(` begins no list.
fn is_keyword(word: &str) -> bool {
    is_branch(word) || matches!(word, "return" | "case" | "default" | "discard")
}

/// Words that begin what holds statements.
fn is_branch(word: &str) -> bool {
    matches!(word, "if" | "else" | "for" | "while" | "do" | "switch" | "loop" | "continuing")
}

impl<'a> Nesting<'a> {
    fn new(is_wgsl: bool) -> Nesting<'a> {
        Nesting {
            is_wgsl,
            levels: vec![Level::new(Kind::Block, 0, 0)],
            operators: Vec::new(),
            waiting: 0,
            statements: 0,
            ports: Ports::default(),
            length: 0,
            chains: Chains::default(),
            inside: None,
            before: [""; 2],
        }
    }

    /// Adds a token. Nothing if all is within the limits.
    fn add(&mut self, lexeme: &Lexeme<'a>, next: &str) -> Option<Excess> {
        let text = lexeme.text;
        self.length += 1;
        if !self.is_wgsl {
            self.ports.add(text, self.levels.len() == 1);
        }
        let is_word = text.starts_with(|letter: char| letter.is_alphanumeric() || letter == '_')
            || text.len() > 1 && text.starts_with('.');
        match text {
            "(" | "[" | "{" => self.open(text),
            ")" | "]" | "}" => self.close(text, next),
            ";" => self.end_statement(next),
            "," => self.comma(),
            ":" if self.level().is_case => self.end_item(""),
            ":" => self.colon(),
            "." | "++" | "--" if self.level().is_behind => {
                let level = self.level();
                (level.height, level.is_behind_word) = (level.height + 1, false);
            }
            _ if is_word => self.word(lexeme, next),
            _ => self.operator(text),
        }
        self.before = [self.before[1], text];
        let level = self.levels.last()?;
        let nested = level.outside + level.branches + BRACKET * level.angles + self.waiting;
        let depth = level.height.max(level.highest);
        [
            (nested > MOST_NESTED, Excess::Nested),
            (depth > MOST_DEPTH, Excess::Depth),
            (self.chains.len() > MOST_DECLARATIONS, Excess::Declarations),
            (self.length > MOST_IN_STATEMENT, Excess::Statement),
            (self.statements > MOST_STATEMENTS, Excess::Statements),
            (self.ports.count > MOST_PORTS, Excess::Ports),
        ]
        .into_iter()
        .find_map(|(is_so, excess)| is_so.then_some(excess))
    }

    /// The innermost bracket that is open; the outermost is always there.
    fn level(&mut self) -> &mut Level {
        if self.levels.is_empty() {
            self.levels.push(Level::new(Kind::Block, 0, 0));
        }
        let last = self.levels.len() - 1;
        &mut self.levels[last]
    }

    fn word(&mut self, lexeme: &Lexeme<'a>, next: &str) {
        let (text, before, is_wgsl) = (lexeme.text, self.before[1], self.is_wgsl);
        let is_name = self.levels.len() == 1 && self.is_declared(text, next);
        let is_operand = !is_keyword(text);
        let level = self.level();
        if level.length == 0 {
            level.is_case = matches!(text, "case" | "default");
            level.is_declaration = text == "layout";
        } else if level.length == 1 && level.is_behind_word {
            level.is_declaration = true;
        }
        level.is_behind_word = is_operand;
        level.length += 1;
        level.repeats += usize::from(text == "do");
        // `else if` is one level.
        level.branches += usize::from(is_branch(text) && !(text == "if" && before == "else"));
        if before != "." {
            level.height = 0;
        }
        level.is_behind = is_operand;
        if before == "struct" && self.levels.len() > 1 {
            self.inside = Some(self.levels.len());
            self.chains.declare_inside(lexeme);
            return;
        }
        match is_name {
            true => self.chains.declare(lexeme, if is_wgsl { before == "fn" } else { next == "(" }),
            false => self.chains.word(text),
        }
    }

    /// True if a word outside of brackets is the name that its statement declares.
    fn is_declared(&self, text: &str, next: &str) -> bool {
        let before = self.before[1];
        if self.is_wgsl {
            return match before {
                // `var<private> name`.
                ">" => matches!(next, ":" | "=" | ";"),
                _ => {
                    matches!(before, "fn" | "const" | "override" | "struct" | "alias" | "var") && next != "<"
                }
            };
        }
        let is_type =
            before == "]" || before.starts_with(|first: char| first.is_alphabetic() || first == '_');
        is_type && !is_keyword(text) && matches!(next, "(" | "=" | ";" | "[" | "," | "{")
    }

    fn operator(&mut self, text: &str) {
        let (is_wgsl, before) = (self.is_wgsl, self.before[1]);
        let level = self.level();
        (level.length, level.is_behind_word) = (level.length + 1, false);
        if is_wgsl && self.template(text, before) {
            return;
        }
        let is_behind = std::mem::replace(&mut self.level().is_behind, false);
        match binding(text) {
            Some(binding) if is_behind => {
                let is_right = matches!(binding, ASSIGNMENT | CHOICE);
                self.reduce(binding + u8::from(is_right));
                let height = std::mem::take(&mut self.level().height);
                self.wait(if binding == CHOICE { MIDDLE } else { binding }, height);
            }
            Some(_) => self.wait(PREFIX, 0),
            None if matches!(text, "!" | "~" | "++" | "--") => self.wait(PREFIX, 0),
            // `@`, `->` and their like.
            None => {}
        }
    }

    /// Counts the brackets of a template list; true for one that is no operator.
    fn template(&mut self, sign: &str, before: &str) -> bool {
        let is_name = before.starts_with(|first: char| first.is_alphabetic() || first == '_');
        let level = self.level();
        match sign {
            "<" if is_name => {
                level.angles += 1;
                if is_generic(before) {
                    level.templates += 1;
                    level.is_behind = false;
                    return true;
                }
            }
            ">" | ">>" => {
                level.angles = level.angles.saturating_sub(sign.len());
                if level.templates >= sign.len() {
                    level.templates -= sign.len();
                    level.is_behind = true;
                    return true;
                }
            }
            "&&" | "||" | "=" => (level.angles, level.templates) = (0, 0),
            _ => {}
        }
        false
    }

    /// The middle of a choice ends, or a name has its type.
    fn colon(&mut self) {
        self.reduce(COMMA);
        let first = self.level().operators;
        let height = std::mem::take(&mut self.level().height);
        self.level().is_behind = false;
        if let Some(last) = self.operators.get_mut(first..).and_then(<[_]>::last_mut) {
            *last = (CHOICE, last.1.max(height));
        }
    }

    /// An operator waits for its right operand.
    fn wait(&mut self, binding: u8, height: usize) {
        self.operators.push((binding, height));
        self.waiting += usize::from(is_nested(binding));
    }

    /// Operators that bind at least as tightly have their right operand.
    fn reduce(&mut self, least: u8) {
        let (first, mut height) = (self.level().operators, self.level().height);
        while self.operators.len() > first
            && let Some((binding, left)) = self.operators.pop_if(|(binding, _)| *binding >= least)
        {
            self.waiting -= usize::from(is_nested(binding));
            height = height.max(left) + 1;
        }
        self.level().height = height;
    }

    fn open(&mut self, text: &str) {
        let (is_wgsl, before) = (self.is_wgsl, self.before[1]);
        let operators = self.operators.len();
        let level = self.level();
        level.length += 1;
        let is_value =
            !is_wgsl && (before == "=" || level.kind == Kind::List && matches!(before, "(" | "," | "{"));
        let kind = match text {
            "{" if is_value => Kind::List,
            "{" => Kind::Block,
            _ if is_wgsl || level.is_behind => Kind::List,
            _ => Kind::One,
        };
        let own = if kind == Kind::Block { 1 } else { BRACKET };
        let outside = level.outside + level.branches + BRACKET * level.angles + own;
        self.levels.push(Level::new(kind, outside, operators));
    }

    fn close(&mut self, text: &str, next: &str) {
        self.end_item(next);
        if self.levels.len() == 1 {
            return;
        }
        let Some(inner) = self.levels.pop() else { return };
        if inner.kind == Kind::Block {
            if self.inside == Some(self.levels.len()) {
                self.inside = None;
                self.chains.end_inside();
            }
            self.end_statement(next);
            return;
        }
        let level = self.level();
        level.height = level.height.max(inner.highest) + 1;
        (level.is_behind, level.is_behind_word) = (true, text == "]");
    }

    /// The end of a statement.
    fn end_statement(&mut self, next: &str) {
        self.length = 0;
        self.statements += 1;
        self.end_item(next);
    }

    fn comma(&mut self) {
        let is_wgsl = self.is_wgsl;
        let level = self.level();
        let is_declaration = level.is_declaration;
        if is_wgsl || level.kind == Kind::List || is_declaration {
            let (angles, templates) = (level.angles, level.templates);
            self.end_item("");
            let level = self.level();
            (level.angles, level.templates) = (angles, templates);
            // The names behind it are declared, too.
            (level.is_declaration, level.length) = (is_declaration, 2 * usize::from(is_declaration));
            return;
        }
        self.reduce(COMMA);
        let level = self.level();
        (level.is_behind, level.is_behind_word) = (false, false);
        let height = std::mem::take(&mut level.height);
        self.wait(COMMA, height);
    }

    /// An item of the innermost bracket ends. The branches that it is in go on before `else`, and before the `while` of a `do`.
    fn end_item(&mut self, next: &str) {
        self.reduce(MIDDLE);
        let level = self.level();
        level.highest = level.highest.max(level.height);
        match next {
            "else" => {}
            "while" if level.repeats > 0 => {
                (level.repeats, level.branches) = (level.repeats - 1, level.branches.saturating_sub(1));
            }
            _ => (level.branches, level.repeats) = (0, 0),
        }
        (level.angles, level.templates, level.height, level.length) = (0, 0, 0, 0);
        (level.is_behind, level.is_behind_word) = (false, false);
        (level.is_case, level.is_declaration) = (false, false);
    }
}

#[cfg(test)]
#[path = "nesting/tests.rs"]
mod tests;
