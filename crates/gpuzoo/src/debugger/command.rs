//! The debugger's commands, read from a line.

use super::{BAD_COMMAND, NO_SUCH_COMMAND};
use gpuzoo_debug::expression::Place;
use gpuzoo_debug::{Expression, Unclear};
use gpuzoo_diag::{Diagnostic, File, suggest};
use gpuzoo_isa::list;
use gpuzoo_machine::session::EventKind;
use std::ops::Range;

/// A command.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// So many steps forward.
    Step(u64),
    /// So many steps back.
    Back(u64),
    /// On to a breakpoint, to the end, or to a target.
    Run(Option<Target>),
    /// The same backward.
    RunBack(Option<Target>),
    /// To the position of a number.
    Goto(u64),
    /// A breakpoint, perhaps with what must hold there; and the command as a text.
    Break(Target, Option<Box<Expression>>, Box<str>),
    /// The breakpoints.
    Breaks,
    /// Without the breakpoint or the watch of a number.
    Delete(u32),
    /// The value of an expression.
    Print(Watch),
    /// The same, here and wherever a run stops.
    Watch(Watch),
    /// Another value for a register or memory: the numbers, each as a float, and as an integer if it is one; and the command as a text.
    Poke(Expression, Vec<(f32, Option<u64>)>, Box<str>),
    /// What components were computed from.
    Why(Expression),
    /// What is computed from them.
    Influence(Expression),
    /// The instructions around here, so many before and behind.
    List(u64),
    /// The registers that were written, or all.
    Registers(bool),
    /// What the step before read and changed.
    Last,
    /// The runs, or lanes, that there are: with a value in each, or those in which something holds.
    Runs(Option<Watch>),
    /// Another run, or lane.
    Use(Which),
    /// The session as a file of this name.
    Save(String),
    /// The commands.
    Help,
    /// No more commands.
    Quit,
}

/// One of the runs or lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// By its number.
    Number(usize),
    /// The next one whose outputs are not those that are expected; behind the last one the first.
    Differing,
}

/// An expression, and how its value is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Watch {
    /// As it was written.
    pub text: String,
    /// What is shown.
    pub expression: Expression,
    /// How.
    pub cast: Cast,
}

/// How a value is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cast {
    /// Components as floats, integers in hexadecimal.
    #[default]
    Usual,
    /// `x`: bits in hexadecimal.
    Bits,
    /// `f`: floats.
    Float,
    /// `d`: signed integers.
    Signed,
    /// `u`: unsigned integers.
    Unsigned,
    /// `b`: binary.
    Binary,
    /// `c`: a colour, of components from 0 to 1 or of bytes.
    Color,
}

/// The letters of casts.
const CASTS: [(&str, Cast); 6] = [
    ("x", Cast::Bits),
    ("f", Cast::Float),
    ("d", Cast::Signed),
    ("u", Cast::Unsigned),
    ("b", Cast::Binary),
    ("c", Cast::Color),
];

/// What a run goes to.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// The instruction at a slot, an address or a label.
    Place(Place),
    /// The first instruction of a line, perhaps of a certain file.
    Line(Option<String>, usize),
    /// A write to a register, some of its components, or memory.
    Write(Box<Expression>),
    /// One of several things that happen.
    Events(&'static [EventKind]),
}

/// What happens, by the words for it.
pub const EVENTS: [(&str, &[EventKind], &str); 9] = [
    ("nan", &[EventKind::NotANumber], "a NaN arises"),
    ("inf", &[EventKind::Infinite], "an infinity arises"),
    ("undefined", &[EventKind::UndefinedRead], "components are read that nothing has written"),
    ("range", &[EventKind::OutOfReach], "a constant is read at a computed number that there is not"),
    ("odd", &ODD, "one of these four"),
    ("texture", &[EventKind::TextureRead], "a texture is read"),
    ("kill", &[EventKind::Killed], "the fragment is killed"),
    ("interrupt", &[EventKind::Interrupt], "an interrupt is entered"),
    ("frame", &[EventKind::Frame], "a picture is complete"),
];

/// What is hardly ever meant.
pub const ODD: [EventKind; 4] =
    [EventKind::NotANumber, EventKind::Infinite, EventKind::UndefinedRead, EventKind::OutOfReach];

/// Every command: its names, what follows it, and what it does.
pub const COMMANDS: [(&[&str], &str, &str); 21] = [
    (&["step", "s"], "[N]", "a step forward, or N"),
    (&["back", "b"], "[N]", "a step back, or N"),
    (&["run", "r"], "[TARGET]", "on to the next breakpoint, the target or the end"),
    (&["rback", "rb"], "[TARGET]", "the same backward"),
    (&["goto"], "N", "to before step N, from 0"),
    (&["break"], "TARGET [if EXPRESSION]", "stops runs there, where the expression holds"),
    (&["breaks"], "", "the breakpoints and watches"),
    (&["delete"], "N", "without breakpoint or watch N"),
    (&["print", "p"], "EXPRESSION[,CAST]", "a value: `r0.xyz`, `r0,x`, `ram[$22..$2f]`"),
    (&["watch"], "EXPRESSION[,CAST]", "the same after each move"),
    (&["poke"], "PLACE = NUMBER[, NUMBER …]", "another value here; what comes after is run again"),
    (&["why"], "REGISTER[.xyzw]", "what it was computed from"),
    (&["influence"], "REGISTER[.xyzw]", "what is computed from it"),
    (&["list", "l"], "[N]", "the next instruction, and N before and behind it"),
    (&["registers"], "[all]", "the registers that were written, or all"),
    (&["last"], "", "what the step before read and changed"),
    (
        &["runs", "lanes"],
        "[EXPRESSION[,CAST]]",
        "the runs behind a pixel, or the vertices: a value in each, or where it holds",
    ),
    (&["use", "lane"], "N|differing", "goes on with run N, or with vertex N at the same step"),
    (&["save"], "FILE", "writes all this; `gpuzoo debug FILE` goes on with it"),
    (&["help", "?"], "", "this"),
    (&["quit", "q"], "", "the end"),
];

/// A part of a file that is read word by word.
struct Line<'a> {
    file: &'a File,
    range: Range<usize>,
}

/// Reads the command of a line, which is a part of a file; none of a line without one. What is behind a `#` is a comment.
///
/// # Errors
/// `G0301` for an unknown command, `G0302` for what cannot follow one.
pub fn read(file: &File, range: Range<usize>) -> Result<Option<Command>, Diagnostic> {
    let text = file.text().get(range.clone()).unwrap_or_default();
    let end = text.find('#').unwrap_or(text.len());
    let mut line = Line { file, range: range.start..range.start + end };
    let name = line.word();
    let name = file.text()[name].to_ascii_lowercase();
    if name.is_empty() {
        return Ok(None);
    }
    let command = match COMMANDS.iter().find(|(names, ..)| names.contains(&name.as_str())) {
        Some((names, ..)) => names[0],
        None => return Err(line.unknown(&name, range.start..line.range.start)),
    };
    let mut command = match command {
        "step" => Command::Step(line.count(1)?),
        "back" => Command::Back(line.count(1)?),
        "run" => Command::Run(line.some_target()?),
        "rback" => Command::RunBack(line.some_target()?),
        "goto" => Command::Goto(line.number("a step's number")?),
        "break" => line.breakpoint()?,
        "breaks" => Command::Breaks,
        "delete" => Command::Delete(line.number("the number of a breakpoint")?),
        "print" => Command::Print(line.watch()?),
        "watch" => Command::Watch(line.watch()?),
        "poke" => line.poke()?,
        "why" => Command::Why(line.expression()?),
        "influence" => Command::Influence(line.expression()?),
        "list" => Command::List(line.count(4)?),
        "registers" => Command::Registers(line.takes("all")),
        "last" => Command::Last,
        "runs" if line.text().trim().is_empty() => Command::Runs(None),
        "runs" => Command::Runs(Some(line.watch()?)),
        "use" if line.takes("differing") => Command::Use(Which::Differing),
        "use" => Command::Use(Which::Number(line.number("the number of a run, or `differing`")?)),
        "save" => Command::Save(line.path()?),
        "help" => Command::Help,
        _ => Command::Quit,
    };
    if let Command::Break(.., own) | Command::Poke(.., own) = &mut command {
        *own = text[..end].trim().into();
    }
    match line.text().trim() {
        "" => Ok(Some(command)),
        rest => Err(line.wrong(format!("`{rest}` cannot follow `{name}`"))),
    }
}

/// A text that is a target, to its end.
pub(super) fn whole_target(file: &File) -> Result<Target, Diagnostic> {
    let mut line = Line { file, range: 0..file.text().len() };
    let target = line.target()?;
    match line.text().trim() {
        "" => Ok(target),
        rest => Err(line.wrong(format!("`{rest}` cannot follow"))),
    }
}

/// Reads a text that is an expression, to its end.
///
/// # Errors
/// `G0302` for another text.
pub fn whole_expression(file: &File) -> Result<Expression, Diagnostic> {
    Line { file, range: 0..file.text().len() }.expression()
}

/// Reads a text that is an expression with or without a cast, as the command `print` takes it.
///
/// ```
/// use gpuzoo::debugger::command::{Cast, whole_watch};
/// use gpuzoo::diag::File;
/// assert_eq!(whole_watch(&File::new("watch", "r0.xy,x"))?.cast, Cast::Bits);
/// # Ok::<(), gpuzoo::Diagnostics>(())
/// ```
///
/// # Errors
/// `G0302` for another text.
pub fn whole_watch(file: &File) -> Result<Watch, Diagnostic> {
    Line { file, range: 0..file.text().len() }.watch()
}

/// Reads numbers with commas between them, as the command `poke` takes them: each as a float, and as an integer if it is one.
///
/// # Errors
/// `G0302` for another text.
pub fn whole_numbers(file: &File) -> Result<Vec<(f32, Option<u64>)>, Diagnostic> {
    Line { file, range: 0..file.text().len() }.numbers()
}

impl Line<'_> {
    fn text(&self) -> &str {
        self.file.text().get(self.range.clone()).unwrap_or_default()
    }

    /// Where the next word is, which is taken; empty at the end.
    fn word(&mut self) -> Range<usize> {
        let text = self.text();
        let start = self.range.start + text.len() - text.trim_start().len();
        let rest = text.trim_start();
        let end = start + rest.find(char::is_whitespace).unwrap_or(rest.len());
        self.range.start = end;
        start..end
    }

    fn takes(&mut self, word: &str) -> bool {
        let before = self.range.clone();
        let found = self.word();
        let is_next = self.file.text()[found].eq_ignore_ascii_case(word);
        if !is_next {
            self.range = before;
        }
        is_next
    }

    /// The problem of what is left.
    fn wrong(&self, message: impl Into<String>) -> Diagnostic {
        let text = self.text();
        let start = self.range.start + text.len() - text.trim_start().len();
        let end = start.max(self.range.start + text.trim_end().len());
        Diagnostic::error(&BAD_COMMAND, message).label(self.file.span(start..end), "")
    }

    fn unknown(&self, name: &str, at: Range<usize>) -> Diagnostic {
        let at = self.file.span(at);
        let problem =
            Diagnostic::error(&NO_SUCH_COMMAND, format!("there is no command `{name}`")).label(at, "");
        let names = || COMMANDS.iter().map(|(names, ..)| names[0]);
        match suggest::nearest(name, names()) {
            Some(near) => problem.help(format!("did you mean `{near}`?")),
            None => problem.help(format!("commands are {}", list(names()))),
        }
    }

    fn number<T: std::str::FromStr>(&mut self, what: &str) -> Result<T, Diagnostic> {
        let word = self.word();
        self.file.text()[word.clone()].parse().map_err(|_| {
            let problem = Diagnostic::error(&BAD_COMMAND, format!("expected {what}"));
            problem.label(self.file.span(word), "")
        })
    }

    /// All that is left, as a path.
    fn path(&mut self) -> Result<String, Diagnostic> {
        let path = self.text().trim().to_owned();
        if path.is_empty() {
            return Err(self.wrong("expected a file"));
        }
        self.range.start = self.range.end;
        Ok(path)
    }

    fn count(&mut self, usual: u64) -> Result<u64, Diagnostic> {
        if self.text().trim().is_empty() { Ok(usual) } else { self.number("how many") }
    }

    fn some_target(&mut self) -> Result<Option<Target>, Diagnostic> {
        if self.text().trim().is_empty() { Ok(None) } else { self.target().map(Some) }
    }

    /// Reads some text of this line as an expression.
    fn expression_in(&self, range: Range<usize>) -> Result<Expression, Diagnostic> {
        let text = self.file.text().get(range.clone()).unwrap_or_default();
        Expression::read(text).map_err(|Unclear { message, at }| {
            let at = range.start + at.start..range.start + at.end;
            Diagnostic::error(&BAD_COMMAND, message).label(self.file.span(at), "")
        })
    }

    /// All that is left, as an expression.
    fn expression(&mut self) -> Result<Expression, Diagnostic> {
        let range = self.range.clone();
        self.range.start = range.end;
        self.expression_in(range)
    }

    fn target(&mut self) -> Result<Target, Diagnostic> {
        if self.takes("write") {
            return Ok(Target::Write(Box::new(self.expression()?)));
        }
        if self.takes("line") {
            let word = self.word();
            let text = &self.file.text()[word.clone()];
            let (file, number) = match text.rsplit_once(':') {
                Some((file, number)) => (Some(file.to_owned()), number),
                None => (None, text),
            };
            return match number.parse() {
                Ok(line) => Ok(Target::Line(file, line)),
                Err(_) => {
                    let problem = Diagnostic::error(&BAD_COMMAND, "expected a line: `12`, or `light.vsh:12`");
                    Err(problem.label(self.file.span(word), ""))
                }
            };
        }
        let word = self.word();
        let text = &self.file.text()[word.clone()];
        if let Some((_, kinds, _)) = EVENTS.iter().find(|(name, ..)| text.eq_ignore_ascii_case(name)) {
            return Ok(Target::Events(kinds));
        }
        let number = match text.strip_prefix('$').or_else(|| text.strip_prefix("0x")) {
            Some(digits) => u64::from_str_radix(digits, 16).ok(),
            None => text.parse().ok(),
        };
        let is_name = text.starts_with(|letter: char| letter.is_alphabetic() || "_@?".contains(letter));
        match number {
            Some(number) => Ok(Target::Place(Place::Number(number))),
            None if is_name => Ok(Target::Place(Place::Name(text.to_owned()))),
            None => {
                let problem = Diagnostic::error(&BAD_COMMAND, "expected what to stop at");
                let names = list(EVENTS.iter().map(|(name, ..)| *name));
                let problem = problem.label(self.file.span(word), "");
                Err(problem.help(format!(
                    "a slot, an address or a label, `line N`, `write PLACE`, or one of {names}"
                )))
            }
        }
    }

    fn breakpoint(&mut self) -> Result<Command, Diagnostic> {
        let whole = self.range.clone();
        let split = self.text().find(" if ").map(|at| self.range.start + at);
        self.range.end = split.unwrap_or(whole.end);
        let target = self.target()?;
        if split.is_some() && !self.text().trim().is_empty() {
            return Err(self.wrong("expected `if`"));
        }
        let Some(split) = split else { return Ok(Command::Break(target, None, Box::default())) };
        self.range = split + " if ".len()..whole.end;
        Ok(Command::Break(target, Some(Box::new(self.expression()?)), Box::default()))
    }

    fn watch(&mut self) -> Result<Watch, Diagnostic> {
        let mut range = self.range.clone();
        let text = self.text().trim().to_owned();
        let mut cast = Cast::Usual;
        if let Some(comma) = self.text().rfind(',') {
            let letter = self.range.start + comma + 1..self.range.end;
            let written = self.file.text()[letter.clone()].trim();
            let Some((_, found)) = CASTS.iter().find(|(name, _)| *name == written) else {
                let problem = Diagnostic::error(&BAD_COMMAND, format!("there is no cast `{written}`"));
                let problem = problem.label(self.file.span(letter), "");
                return Err(problem.help(format!("casts are {}", list(CASTS.iter().map(|(name, _)| *name)))));
            };
            (cast, range.end) = (*found, letter.start - 1);
        }
        self.range.start = self.range.end;
        Ok(Watch { text, expression: self.expression_in(range)?, cast })
    }

    fn poke(&mut self) -> Result<Command, Diagnostic> {
        let Some(equals) = self.text().find('=') else {
            return Err(self.wrong("expected `=` and what it becomes"));
        };
        let equals = self.range.start + equals;
        let place = self.expression_in(self.range.start..equals)?;
        self.range.start = equals + 1;
        Ok(Command::Poke(place, self.numbers()?, Box::default()))
    }

    /// All that is left, as numbers.
    fn numbers(&mut self) -> Result<Vec<(f32, Option<u64>)>, Diagnostic> {
        let mut numbers = Vec::new();
        let mut start = self.range.start;
        for part in self.file.text()[start..self.range.end].split(',') {
            let range = start..start + part.len();
            start = range.end + 1;
            match self.expression_in(range.clone())?.number() {
                Some(number) => numbers.push(number),
                None => {
                    let problem = Diagnostic::error(&BAD_COMMAND, "expected a number");
                    return Err(problem.label(self.file.span(range), ""));
                }
            }
        }
        self.range.start = self.range.end;
        Ok(numbers)
    }
}
