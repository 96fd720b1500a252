//! The verb `fmt`: lays out assembly texts.
//!
//! Only blanks change. Words, comments and the order of lines stay, so a text means what it meant; [`checked`]
//! makes sure of it for each text.

use crate::Machine;
use crate::codes::FORMAT_CHANGES;
use crate::computer::{Computer, Input};
use crate::read::Form;
use gpuzoo_diag::{Diagnostic, Diagnostics, Lexeme, Role};
use gpuzoo_machine::text::extension;
use gpuzoo_machine::{Arguments, FileForm, Gpu, TextOptions};

/// How the texts of a machine are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Style {
    /// The column of statements, with labels in the columns before it; 0 for a machine without labels.
    statement: usize,
    /// The least column of comments behind statements.
    comment: usize,
}

/// Statements of shaders, which have no labels.
const SHADERS: Style = Style { statement: 0, comment: 0 };
/// Statements of a CPU, as programmers of 8-bit computers set them.
const CPU: Style = Style { statement: 8, comment: 32 };

/// How far lines stand to the right that go on with a statement.
const CONTINUED: usize = 4;
/// Words and comments are set below each other up to this column; behind longer ones they just follow.
const WIDEST: usize = 60;

/// The words of a text of a machine, whether or not it can be assembled.
pub fn lexemes(gpu: &'static dyn Gpu, text: &str, options: &TextOptions) -> Vec<Lexeme> {
    match (gpu.shader_unit(), gpu.computer()) {
        (Some(unit), _) => unit.lexemes(text, options),
        (None, Some(computer)) => computer.lexemes(text),
        (None, None) => Vec::new(),
    }
}

/// A text laid out: a statement, a label and a comment each in its column, one blank where there were some, one empty line
/// where there were several.
///
/// ```
/// use gpuzoo::{Registry, format::format};
/// let gpu = Registry::default().by_id("vera").unwrap();
/// let text = format(gpu, "loop: dex;down\n  bne   loop ; again", &Default::default());
/// assert_eq!(text, "loop:   dex                     ;down\n        bne loop                ; again\n");
/// ```
pub fn format(gpu: &'static dyn Gpu, text: &str, options: &TextOptions) -> String {
    let style = if gpu.shader_unit().is_some() { SHADERS } else { CPU };
    let mut lexemes = lexemes(gpu, text, options);
    // A language may take a carriage return for a word, which has no use.
    lexemes.retain(|lexeme| !lexeme.text(text).trim().is_empty());
    let mut lines = lines(text, &lexemes, style);
    lines.dedup_by(|line, before| line.is_empty() && before.is_empty());
    let first = lines.iter().take_while(|line| line.is_empty()).count();
    let last = lines.iter().rev().take_while(|line| line.is_empty()).count();
    let lines = lines.get(first..lines.len().saturating_sub(last)).unwrap_or(&[]);
    let end = if text.split_once('\n').is_some_and(|(line, _)| line.ends_with('\r')) { "\r\n" } else { "\n" };
    let mut out = String::with_capacity(text.len());
    if text.starts_with('\u{feff}') {
        out.push('\u{feff}');
    }
    for run in lines.chunk_by(|line, next| line.is_empty() == next.is_empty()) {
        write_run(run, style, end, &mut out);
    }
    out
}

/// A text [laid out](format()), if that changes nothing of what it means: its words and comments are compared, and what is
/// assembled. Files that it names come from [`TextOptions::include`].
///
/// # Errors
/// What is wrong with the text. `G0251` if something would change, which is a bug.
pub fn checked(
    gpu: &'static dyn Gpu,
    name: &str,
    text: &str,
    options: &TextOptions,
) -> Result<String, Diagnostics> {
    let before = meaning(gpu, name, text, options)?;
    let after = format(gpu, text, options);
    if after != text {
        compare(gpu, name, text, &after, options)?;
        if meaning(gpu, name, &after, options).ok() != Some(before) {
            return Err(changes(&format!("laying out `{name}` would change what is assembled")).into());
        }
    }
    Ok(after)
}

/// True for a file that is an assembly text by its name, or else by its bytes.
pub fn is_text(gpu: &'static dyn Gpu, name: &str, bytes: &[u8]) -> bool {
    let extension = extension(name);
    let of_name = match gpu.shader_unit() {
        Some(unit) => Form::of_name(unit, name).map(|form| form == Form::Asm),
        None => {
            let text = gpu.computer().and_then(|computer| Computer::new(computer).text_form());
            let says =
                |form: &&FileForm| form.extensions.iter().any(|own| own.eq_ignore_ascii_case(extension));
            gpu.about().forms.iter().find(says).map(|form| Some(form.name) == text)
        }
    };
    of_name.unwrap_or_else(|| Form::of_bytes(bytes) == Form::Asm)
}

/// The bytes that a text assembles to.
///
/// # Errors
/// What is wrong with the text.
pub fn bytes(
    gpu: &'static dyn Gpu,
    name: &str,
    text: &str,
    options: &TextOptions,
) -> Result<Vec<u8>, Diagnostics> {
    meaning(gpu, name, text, options).map(|(bytes, _)| bytes)
}

/// What is assembled of a text: its bytes, and what does not show in them.
type Meaning = (Vec<u8>, String);

fn meaning(
    gpu: &'static dyn Gpu,
    name: &str,
    text: &str,
    options: &TextOptions,
) -> Result<Meaning, Diagnostics> {
    let bytes = text.as_bytes();
    if let Some(unit) = gpu.shader_unit() {
        let program = Machine::new(unit).read_with(name, bytes, Some(Form::Asm), options)?;
        let code = program.code();
        let constants = code.constants.iter().map(|own| (&own.name, own.reg, own.count, &own.values));
        let interface = code.interface.as_ref().map(|own| {
            let ports = own.inputs.iter().chain(&own.uniforms).chain(&own.outputs);
            let ports: Vec<_> = ports.map(|port| (port.reg, port.components)).collect();
            (own.stage, ports, own.inputs.len(), own.uniforms.len(), &own.header)
        });
        let beside = format!("{:?} {interface:?}", constants.collect::<Vec<_>>());
        return Ok((unit.save(code), beside));
    }
    let computer = Computer::of(gpu)?;
    let mut include = |wanted: &str| match options.include {
        Some(include) => include(wanted),
        None => Err("no files are given".to_owned()),
    };
    let input = Input { name, bytes, form: computer.text_form(), include: &mut include };
    let program = computer.read(input, &Arguments::default())?;
    // A text without bytes has none to write, and says so the same way when it is laid out.
    Ok(match program.emit(computer.written_form(None, "")?.name) {
        Ok(bytes) => (bytes, String::new()),
        Err(problem) => (Vec::new(), problem.message),
    })
}

/// Compares the words of a text that was laid out: each with what it is, comments included.
///
/// # Errors
/// `G0251` at the first one that differs.
fn compare(
    gpu: &'static dyn Gpu,
    name: &str,
    before: &str,
    after: &str,
    options: &TextOptions,
) -> Result<(), Diagnostic> {
    let (old, new) = (lexemes(gpu, before, options), lexemes(gpu, after, options));
    let trimmed = |text: &str| text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
    let same = |(old, new): (&Lexeme, &Lexeme)| {
        (old.role, old.begins, trimmed(old.text(before))) == (new.role, new.begins, trimmed(new.text(after)))
    };
    let kept = old.iter().zip(&new).take_while(|pair| same(*pair)).count();
    if kept == old.len() && kept == new.len() {
        return Ok(());
    }
    let word = old.get(kept).map_or("its end", |lexeme| lexeme.text(before));
    let word = word.lines().next().unwrap_or("").escape_debug();
    Err(changes(&format!("laying out `{name}` would change `{word}`")))
}

fn changes(message: &str) -> Diagnostic {
    Diagnostic::error(&FORMAT_CHANGES, message).note("the text stays as it is; please report this")
}

/// A line that is being laid out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Line {
    /// Blanks, or a label and blanks, and what follows.
    code: String,
    /// What is set below the same of other lines: `= 5`, `+ rcc r1.x, r12.w`.
    aligned: String,
    /// The comment behind the code.
    comment: String,
    /// A part of a comment or statement of several lines that stays as it is.
    is_kept: bool,
}

impl Line {
    fn is_empty(&self) -> bool {
        !self.is_kept && self.code.is_empty() && self.comment.is_empty()
    }
}

fn width(text: &str) -> usize {
    text.chars().count()
}

/// The column behind blanks: a tab leads to the next multiple of eight.
fn column(blanks: &str) -> usize {
    blanks.chars().fold(0, |column, blank| match blank {
        '\t' => (column + 1usize).next_multiple_of(8),
        '\u{feff}' => column,
        _ => column + 1,
    })
}

/// The lines of a text, their words with one blank between them at most.
fn lines(text: &str, lexemes: &[Lexeme], style: Style) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let (mut start, mut next) = (0, 0);
    // Where the word ends that goes on from the line before.
    let mut open = 0;
    while start < text.len() {
        let end = text[start..].find('\n').map_or(text.len(), |at| start + at + 1);
        let count = lexemes[next..].iter().take_while(|lexeme| lexeme.start < end).count();
        let words = Words { text, own: &lexemes[next..next + count], start: start.max(open), end, style };
        let line = if open > start {
            let kept = text[start..open.min(end)].trim_end_matches(['\r', '\n']);
            let code = if open < end { kept } else { kept.trim_end() };
            words.behind(Line { code: code.to_owned(), is_kept: true, ..Line::default() })
        } else {
            words.line(lines.last().is_some_and(|line| !line.comment.is_empty()))
        };
        open = words.own.last().map_or(open, |last| last.end);
        lines.push(line);
        (start, next) = (end, next + count);
    }
    lines
}

/// The words of a line.
#[derive(Clone, Copy)]
struct Words<'a> {
    text: &'a str,
    own: &'a [Lexeme],
    /// Where the blanks before the first one begin.
    start: usize,
    /// Where the line ends.
    end: usize,
    style: Style,
}

impl Words<'_> {
    /// The line that they make; `commented` if the line before has a comment behind its code.
    fn line(self, commented: bool) -> Line {
        let Some(first) = self.own.first() else { return Line::default() };
        let column = column(&self.text[self.start..first.start]);
        let statement = self.style.statement;
        let indented = |column: usize| Line { code: " ".repeat(column), ..Line::default() };
        let is_alone = self.own.len() == 1 && first.role == Role::Comment && first.end <= self.end;
        if is_alone && commented && column >= statement + CONTINUED {
            // It goes on with the comment before.
            return Line { comment: self.shown(first), ..Line::default() };
        }
        if is_alone {
            let mut line = indented(if column == 0 { 0 } else { statement });
            line.code += &self.shown(first);
            return line;
        }
        let begins = self.own.iter().find(|own| own.role != Role::Comment).is_none_or(|own| own.begins);
        match first.role {
            _ if !begins => Words { start: first.start, ..self }.behind(indented(statement + CONTINUED)),
            Role::Label => {
                let is_label = |own: &&Lexeme| own.role == Role::Label || own.text(self.text) == ":";
                let (label, rest) = self.own.split_at(self.own.iter().take(2).take_while(is_label).count());
                let mut line =
                    Line { code: label.iter().map(|own| self.shown(own)).collect(), ..Line::default() };
                if rest.first().is_some_and(|next| next.role != Role::Comment) {
                    line.code += &" ".repeat(statement.saturating_sub(width(&line.code)).max(1));
                }
                let start = rest.first().map_or(self.end, |next| next.start);
                Words { own: rest, start, ..self }.behind(line)
            }
            _ if column == 0 && first.role != Role::Mnemonic => self.behind(Line::default()),
            _ => Words { start: first.start, ..self }.behind(indented(statement)),
        }
    }

    /// Adds the words to what their line begins with.
    fn behind(self, mut line: Line) -> Line {
        let is_comment = |last: &&Lexeme| last.role == Role::Comment && last.end <= self.end;
        let comment = self.own.last().filter(is_comment);
        let words = &self.own[..self.own.len() - usize::from(comment.is_some())];
        line.comment = comment.map_or(String::new(), |last| self.shown(last));
        let aligned = (1..words.len()).find(|at| self.aligns(words, *at)).unwrap_or(words.len());
        for (at, word) in words.iter().enumerate() {
            let out = if at < aligned { &mut line.code } else { &mut line.aligned };
            if at != aligned && self.gap(words, at) {
                out.push(' ');
            }
            *out += &self.shown(word);
        }
        line
    }

    /// What is shown of a word: of one that goes on to other lines, what is on this one.
    fn shown(&self, word: &Lexeme) -> String {
        let shown = self.text[word.start..word.end.min(self.end)].trim_end();
        // A blank behind a backslash at the end of a line keeps it from joining the next one.
        let behind = self.text[word.start + shown.len()..self.end].trim_end_matches(['\r', '\n']);
        let is_apart = shown.ends_with('\\') && !behind.is_empty() && behind.trim().is_empty();
        if is_apart { format!("{shown} ") } else { shown.to_owned() }
    }

    /// Whether a blank stands before a word.
    fn gap(&self, words: &[Lexeme], at: usize) -> bool {
        let before = at.checked_sub(1).map(|at| &words[at]);
        match (before.map(|before| before.text(self.text)), words[at].text(self.text)) {
            (Some(_), "," | ";") => false,
            (Some(","), _) => true,
            _ => words[at].start > before.map_or(self.start, |before| before.end),
        }
    }

    /// Whether a word is set below those of other lines: what defines a name, and the sign that joins two instructions.
    fn aligns(&self, words: &[Lexeme], at: usize) -> bool {
        let is_apart = words[at].start > words[at - 1].end;
        match words[at].text(self.text) {
            "=" | ":=" => is_apart && at == 1 && self.style == CPU && words[0].role == Role::Name,
            "+" => {
                let joins = words.get(at + 1).is_some_and(|next| next.role == Role::Mnemonic);
                is_apart && joins && self.style == SHADERS
            }
            _ => false,
        }
    }
}

/// Appends lines without an empty one between them.
fn write_run(run: &[Line], style: Style, end: &str, out: &mut String) {
    let column = |widths: &mut dyn Iterator<Item = usize>| widths.filter(|width| *width <= WIDEST).max();
    let aligned = run.iter().filter(|line| !line.aligned.is_empty()).map(|line| width(&line.code) + 1);
    let aligned = column(&mut { aligned }).unwrap_or(0);
    let whole = |line: &Line| match &line.aligned[..] {
        "" => line.code.clone(),
        tail => {
            let blanks = aligned.saturating_sub(width(&line.code)).max(1);
            format!("{}{}{tail}", line.code, " ".repeat(blanks))
        }
    };
    let codes: Vec<String> = run.iter().map(whole).collect();
    let commented = run.iter().zip(&codes).filter(|(line, _)| !line.comment.is_empty());
    let comments = column(&mut commented.map(|(_, code)| width(code) + 2));
    let comments = comments.unwrap_or(0).next_multiple_of(4).max(style.comment);
    for (line, code) in run.iter().zip(&codes) {
        out.push_str(code);
        if !line.comment.is_empty() {
            let blanks = comments.saturating_sub(width(code)).max(2);
            out.push_str(&" ".repeat(blanks));
            out.push_str(&line.comment);
        }
        out.push_str(end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Registry;

    /// What `format` never makes.
    #[test]
    fn a_layout_that_changes_a_text_is_refused() {
        let gpu = Registry::default().by_id("dreambox");
        let Some(gpu) = gpu else { return };
        let refused = |after: &str| {
            let problem = compare(gpu, "a.vu", "ld r0 1 // one", after, &TextOptions::default());
            problem.err().map(|problem| (problem.code.id, problem.message))
        };
        let changes = |word: &str| Some(("G0251", format!("laying out `a.vu` would change `{word}`")));
        assert_eq!(refused("ld  r0 1  // one "), None);
        assert_eq!(refused("ld r0 1 // two"), changes("// one"));
        assert_eq!(refused("ld r01 // one"), changes("r0"));
        assert_eq!(refused("ld r0 1"), changes("// one"));
        assert_eq!(refused("ld r0 1 // one\nend"), changes("its end"));
    }
}
