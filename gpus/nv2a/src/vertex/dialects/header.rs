//! The header of a text, in the dialects that have one (spec sections 10 and 11): which versions there are, and what a
//! version does not allow.

use crate::vertex::dialects::reading::{is_understood, relative_write};
use crate::vertex::program::facts::Kind;
use crate::vertex::regs::{C, O, V};
use crate::vertex::rules::{HEADER, STATE_PROGRAM};
use gpuzoo_diag::{Code, Diagnostic, Span};
use gpuzoo_isa::{Failed, Named, Op, Parser, Syntax, Written};

/// Instructions that versions with a limit allow.
pub const LIMIT: usize = 128;

/// A version of a dialect.
#[derive(Clone, Copy, Debug)]
pub struct Version {
    /// The header that says so.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
    /// What its programs are for.
    pub kind: Kind,
    /// True if they may write constants.
    pub writes_constants: bool,
    /// True if it lacks nothing that another version has.
    pub newest: bool,
    /// Who allows only [`LIMIT`] instructions, if the machine's own limit is not what counts.
    pub limit: Option<&'static str>,
}

/// The versions of a dialect, and its words for what they do not allow.
pub struct Versions {
    /// All of them. The printer takes the first that will do.
    pub all: &'static [Version],
    /// What the header is called.
    pub called: &'static str,
    /// True for what cannot be in a header.
    pub ends: fn(char) -> bool,
    /// True if small and capital letters are the same.
    pub any_case: bool,
    /// Why another header, in small letters, cannot run here.
    pub why: fn(&str) -> &'static str,
    /// Which headers can.
    pub help: &'static str,
    /// The code of what only the newest version has.
    pub code: &'static Code,
    /// The newest version.
    pub newest: &'static str,
    /// What is said of the header of an older version.
    pub older: &'static str,
    /// What it is to be made the newest.
    pub upgrade: &'static str,
    /// What is said of constants that may not be written, and of the header then.
    pub constants: [&'static str; 2],
    /// What is said of other inputs than the one of a state program.
    pub one_input: &'static str,
}

impl Versions {
    /// The headers, each with what it says.
    pub fn described(&self) -> Vec<(&'static str, &'static str)> {
        self.all.iter().map(|version| (version.name, version.about)).collect()
    }

    /// The first version for such programs; state programs have but one.
    pub fn fitting(&self, kind: Kind, writes_constants: bool, newest: bool) -> &Version {
        let fits = |version: &&Version| {
            let enough = version.newest >= newest && version.writes_constants >= writes_constants;
            version.kind == kind && (kind == Kind::State || enough)
        };
        self.all.iter().find(fits).unwrap_or(&self.all[0])
    }
}

/// The version of a dialect that a row came with; empty for the first.
pub fn since(op: &Op, syntax: &Syntax) -> &'static str {
    op.since.iter().find(|(language, _)| *language == syntax.name).map_or("", |(_, since)| since)
}

/// The header of a text.
pub struct Header {
    /// What it says.
    pub version: &'static Version,
    /// Its place.
    pub span: Span,
    words: &'static Versions,
    writes_constant: bool,
}

impl Header {
    /// Reads the header.
    ///
    /// # Errors
    /// It is not one that runs here, which has been reported.
    pub fn read(parser: &mut Parser, words: &'static Versions) -> Result<Header, Failed> {
        let start = parser.token.start;
        let rest = &parser.file.text()[start..];
        let word = &rest[..rest.find(words.ends).unwrap_or(rest.len())];
        let span = parser.file.span(start..start + word.len());
        while !parser.at_end() && parser.token.start < start + word.len() {
            parser.advance();
        }
        let known = words.all.iter().find(|version| version.name.eq_ignore_ascii_case(word));
        if let Some(version) = known.filter(|version| words.any_case || version.name == word) {
            return Ok(Header { version, span, words, writes_constant: false });
        }
        let shown: String = word.chars().take(40).collect();
        let message = match shown.as_str() {
            "" => format!("the {} is missing", words.called),
            _ => format!("`{}` cannot run here", shown.escape_debug()),
        };
        let why = (words.why)(&word.to_ascii_lowercase());
        let problem = Diagnostic::error(&HEADER, message).label(span, why).help(words.help);
        parser.fail(match known {
            Some(known) => problem.fix("capitals matter", span, known.name),
            None => problem,
        })
    }

    /// True for a state program.
    pub fn is_state(&self) -> bool {
        self.version.kind == Kind::State
    }

    /// Reports what only the newest version has.
    pub fn needs_newest(&self, parser: &mut Parser, what: &str, span: Span) {
        if self.version.newest {
            return;
        }
        let Versions { code, newest, older, upgrade, .. } = *self.words;
        let problem = Diagnostic::error(code, format!("{what} needs `{newest}`")).at(span);
        let problem = problem.label(self.span, older);
        parser.report(match self.version.kind {
            Kind::State => problem.help("there is no later version of state programs"),
            Kind::Vertex => problem.guess(upgrade, self.span, newest),
        });
    }

    /// Reports an instruction that only the newest version has.
    pub fn instruction(&self, parser: &mut Parser, written: &Written) {
        let since = written.form.map_or_else(|| since(written.inst.op, parser.syntax), |form| form.since);
        if !since.is_empty() {
            let start = written.span.start as usize;
            let name = parser.file.slice(written.span).split_whitespace().next().unwrap_or_default();
            let place = parser.file.span(start..start + name.len());
            self.needs_newest(parser, &format!("`{name}`"), place);
        }
    }

    /// Reports what programs of this version do not read and write.
    ///
    /// # Errors
    /// It is a destination that no program has.
    pub fn operand(&mut self, parser: &mut Parser, named: &Named) -> Result<(), Failed> {
        let Named { operand, written, span, .. } = *named;
        let problem = |message| Diagnostic::error(&STATE_PROGRAM, message).at(span);
        self.writes_constant |= written && operand.reg.file == C;
        let problem = match operand.reg.file {
            C if written && operand.relative => return relative_write(parser, span),
            C if written && !self.version.writes_constants => {
                let [message, label] = self.words.constants;
                problem(message).label(self.span, label)
            }
            O if written && self.is_state() => {
                let problem = problem("a state program writes no outputs");
                problem.label(self.span, "this begins a state program").help("it writes constants: `c[0]`")
            }
            V if self.is_state() && operand.reg.index != 0 => {
                let help = "it holds the four numbers that the program is launched with";
                problem(self.words.one_input).help(help)
            }
            _ => return Ok(()),
        };
        parser.report(problem);
        Ok(())
    }

    /// Reports a state program without a result.
    pub fn end(&self, parser: &mut Parser) {
        if self.is_state() && !self.writes_constant && is_understood(parser) {
            let problem = Diagnostic::error(&STATE_PROGRAM, "the state program writes no constant");
            parser.report(problem.at(self.span).help("nothing else that it does can be seen"));
        }
    }
}
