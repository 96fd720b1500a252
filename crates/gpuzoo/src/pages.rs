//! The pages of `explain`, as text and as data.

use crate::topics::TopicPage;
use gpuzoo_diag::{Code, json};
use gpuzoo_isa::{Described, Field, FieldValue, Op};
use gpuzoo_machine::text::{wrap, wrap_at};
use serde::{Serialize, Serializer};
use std::fmt::Write;

/// The page of a topic. Pages of several things are a list in JSON.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum Page {
    /// A diagnostic code.
    Code(CodePage),
    /// A machine.
    Machine(MachinePage),
    /// An instruction; where both halves of a slot have it, each.
    Instruction(Vec<OpPage>),
    /// The words of an instruction.
    Words(WordPage),
    /// A row of one of the [tables](crate::list).
    Topic(TopicPage),
    /// Things that are called the same.
    Several(SeveralPages),
    /// Something that only its machine has, in the machine's words.
    Own(OwnPage),
}

/// A diagnostic code.
#[derive(Clone, Copy, Debug, Serialize)]
#[non_exhaustive]
pub struct CodePage {
    /// Its id: `D0102`.
    pub code: &'static str,
    /// The problem in a line.
    pub title: &'static str,
    /// The problem at length.
    pub text: &'static str,
}

impl From<&'static Code> for CodePage {
    fn from(code: &'static Code) -> CodePage {
        CodePage { code: code.id, title: code.title, text: code.page }
    }
}

/// Things that are called the same.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
#[non_exhaustive]
pub struct SeveralPages {
    /// The page of each.
    pub pages: Vec<Page>,
    /// The name.
    #[serde(skip)]
    pub name: String,
    /// Each page is shown, not only its title.
    #[serde(skip)]
    pub in_full: bool,
}

/// Something that only its machine has.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct OwnPage {
    /// The id of the machine.
    pub gpu: &'static str,
    /// The machine's words.
    pub text: String,
}

/// A machine.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct MachinePage {
    /// Its name and a sentence about it.
    pub title: String,
    /// Lines about it: name and text.
    #[serde(serialize_with = "json::object")]
    pub facts: Vec<(&'static str, String)>,
    /// The registers of its instruction set.
    pub registers: Vec<NamedText>,
    /// Its instructions.
    pub instructions: Vec<Usage>,
    /// Registers and state that have a page.
    pub topics: Vec<&'static str>,
    /// Its id, for `--gpu`.
    #[serde(skip)]
    pub id: &'static str,
}

/// A name, and a text about it.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct NamedText {
    /// The name.
    pub name: &'static str,
    /// The text.
    pub text: String,
}

/// An instruction in a line.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Usage {
    /// Its text, with names for its operands.
    pub usage: String,
    /// Its effect.
    pub meaning: &'static str,
    /// More about it; may be empty.
    #[serde(skip)]
    pub notes: &'static str,
}

impl Usage {
    /// The usual form of a row.
    pub(crate) fn new(usage: String, op: &'static Op) -> Usage {
        Usage { usage, meaning: op.doc, notes: op.notes }
    }
}

/// An instruction.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct OpPage {
    /// The id of the machine.
    pub gpu: &'static str,
    /// Its mnemonic.
    pub name: &'static str,
    /// Its opcode.
    pub opcode: u16,
    /// Every form of its text.
    pub usages: Vec<String>,
    /// Its effect.
    pub meaning: &'static str,
    /// More about it; may be empty.
    pub notes: &'static str,
    /// A line that assembles; none for what only the assembler writes.
    pub example: Option<String>,
    /// The things that may stand in its places.
    #[serde(serialize_with = "described")]
    pub operands: Vec<Described>,
    /// The fields of its encoding, the opcode's first.
    #[serde(serialize_with = "fields")]
    pub fields: Vec<Field>,
}

fn described<S: Serializer>(operands: &[Described], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(operands.iter().map(|own| NamedText { name: own.name, text: own.text.clone() }))
}

/// A field as data.
#[derive(Serialize)]
struct FieldRecord<'a> {
    /// Its bit numbers, highest first: `9..6`.
    bits: String,
    name: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<u32>,
    meaning: &'a str,
}

fn fields<S: Serializer>(fields: &[Field], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(fields.iter().map(|own| FieldRecord {
        bits: own.range(),
        name: own.name,
        value: None,
        meaning: own.doc,
    }))
}

fn field_values<S: Serializer>(fields: &[FieldValue], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(fields.iter().map(|own| FieldRecord {
        bits: own.field.range(),
        name: own.field.name,
        value: Some(own.value),
        meaning: &own.meaning,
    }))
}

/// The words of an instruction.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct WordPage {
    /// The words.
    pub words: Vec<u32>,
    /// The words as text.
    pub text: String,
    /// The fields, with their values.
    #[serde(serialize_with = "field_values")]
    pub fields: Vec<FieldValue>,
    /// The instructions in it.
    pub instructions: Vec<Usage>,
    /// Whether its text assembles to these words, and why not.
    #[serde(flatten, serialize_with = "verdict")]
    pub canonical: Canonical,
}

fn verdict<S: Serializer>(canonical: &Canonical, to: S) -> Result<S::Ok, S::Error> {
    Verdict { canonical: *canonical == Canonical::Yes, why: canonical.text() }.serialize(to)
}

/// [`Canonical`] as data.
#[derive(Serialize)]
struct Verdict {
    canonical: bool,
    why: String,
}

/// Whether the text of words assembles to them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Canonical {
    /// It does.
    Yes,
    /// No instruction has the opcode; this is what the machine does then.
    Undefined(&'static str),
    /// Bits are set that the machine ignores.
    IgnoredBits,
    /// Only the assembler writes the instruction.
    Internal,
    /// What it says cannot be written.
    NoText,
}

impl Page {
    /// For people.
    pub fn text(&self) -> String {
        match self {
            Page::Code(page) => format!("{}: {}\n\n{}\n", page.code, page.title, wrap(page.text)),
            Page::Machine(page) => page.text(),
            Page::Instruction(pages) => pages.iter().map(OpPage::text).collect::<Vec<_>>().join("\n"),
            Page::Words(page) => page.text(),
            Page::Own(page) => page.text.clone(),
            Page::Topic(page) => page.text(),
            Page::Several(SeveralPages { pages, in_full: true, .. }) => {
                pages.iter().map(Page::text).collect::<Vec<_>>().join("\n")
            }
            Page::Several(SeveralPages { name, pages, .. }) => {
                let titles: Vec<[String; 2]> = pages.iter().map(|page| page.title(name)).collect();
                let width = titles.iter().map(|[name, _]| name.len() + 2).max().unwrap_or(0);
                let lines = titles.iter().map(|[name, what]| format!("  {name:<width$}{what}\n"));
                format!(
                    "{} things are called `{name}`. `gpuzoo explain` has a page of each:\n\n{}",
                    pages.len(),
                    lines.collect::<String>()
                )
            }
        }
    }

    /// The full name of what it is about, if it was found by `name`, and a line about it.
    fn title(&self, name: &str) -> [String; 2] {
        match self {
            Page::Code(page) => [page.code.to_owned(), page.title.to_owned()],
            Page::Machine(page) => [page.id.to_owned(), page.title.clone()],
            Page::Instruction(pages) => {
                let line = |page: &OpPage| [page.full_name(), format!("instruction: {}", page.meaning)];
                pages.first().map(line).unwrap_or_default()
            }
            Page::Words(page) => [name.to_owned(), page.text.clone()],
            Page::Own(OwnPage { gpu, text }) => {
                let line = text.lines().next().unwrap_or("");
                let line = line.split_once(": ").map_or(line, |(_, line)| line);
                [format!("{gpu}.{name}"), line.to_owned()]
            }
            Page::Topic(page) => [page.full_name(), format!("{}: {}", page.kind, page.about())],
            Page::Several(_) => [name.to_owned(), String::new()],
        }
    }
}

impl MachinePage {
    /// For people.
    pub fn text(&self) -> String {
        let mut page = format!("{}.\n\n", wrap(&self.title));
        for (name, text) in &self.facts {
            let _ = writeln!(page, "{name:<16}{text}");
        }
        if !self.registers.is_empty() {
            page += "\nRegisters\n";
        }
        let width = self.registers.iter().map(|own| own.name.len() + 2).max().unwrap_or(0);
        for NamedText { name, text } in &self.registers {
            let _ = writeln!(page, "  {name:<width$}{text}");
        }
        if !self.instructions.is_empty() {
            page += "\nInstructions\n";
        }
        for Usage { usage, meaning, .. } in &self.instructions {
            let _ = writeln!(page, "  {usage:<32}{meaning}");
        }
        if !self.topics.is_empty() {
            let names = wrap_at(&self.topics.join(" "), 98).replace('\n', "\n  ");
            let _ = writeln!(
                page,
                "\nRegisters and state, each with a page (`gpuzoo explain {}.NAME`)\n  {names}",
                self.id
            );
            let _ = writeln!(
                page,
                "\nAddresses, deviations and instructions have pages, too. `gpuzoo list registers`, `list ops`, `list deviations`\n\
                 and `list options`, each with `--gpu {}`, show all in tables.",
                self.id
            );
        }
        page
    }
}

impl OpPage {
    /// Its name with the machine's before it: a topic that only this page has.
    pub fn full_name(&self) -> String {
        format!("{}.{}", self.gpu, self.name)
    }

    /// For people.
    pub fn text(&self) -> String {
        let mut page = format!("{}\n\n", self.full_name());
        for usage in &self.usages {
            let _ = writeln!(page, "  {usage}");
        }
        let _ = write!(page, "\n{}\n", self.meaning);
        if !self.notes.is_empty() {
            let _ = write!(page, "\n{}\n", wrap(self.notes));
        }
        let _ = match &self.example {
            Some(example) => write!(page, "\nFor example\n  {example}\n"),
            None => write!(page, "\nOnly the assembler writes it.\n"),
        };
        if !self.operands.is_empty() {
            page += "\nOperands\n";
            for operand in &self.operands {
                let text = wrap_at(&operand.text, 88).replace('\n', "\n            ");
                let _ = writeln!(page, "  {:<10}{text}", operand.name);
            }
        }
        page += "\nEncoding\n";
        for (index, field) in self.fields.iter().enumerate() {
            let what = if index == 0 { &self.opcode.to_string() } else { field.doc };
            let _ = writeln!(page, "  {:<10}{:<12}{what}", field.range(), field.name);
        }
        page
    }
}

impl WordPage {
    /// For people.
    pub fn text(&self) -> String {
        let hex: Vec<String> = self.words.iter().map(|word| format!("{word:#010x}")).collect();
        let mut page = format!("{}  {}\n\n", hex.join(" "), self.text);
        for FieldValue { field, value, meaning, .. } in &self.fields {
            let binary = format!("{value:0width$b}", width = field.width as usize);
            let number = format!("{binary} ({value})");
            let _ = writeln!(page, "  {:<9} {:<11} {number:<16} {meaning}", field.range(), field.name);
        }
        for Usage { usage, meaning, notes } in &self.instructions {
            let _ = write!(page, "\n{usage}: {meaning}\n");
            if !notes.is_empty() {
                let _ = writeln!(page, "{}", wrap(notes));
            }
        }
        let _ = writeln!(page, "\n{}", self.canonical.text());
        page
    }
}

impl Canonical {
    fn text(self) -> String {
        match self {
            Canonical::Yes => "Canonical: the instruction's text assembles to just these bits.",
            Canonical::Undefined(undefined) => {
                return format!("No instruction has this opcode: {undefined}. Only `.word` assembles to it.");
            }
            Canonical::IgnoredBits => {
                "Not canonical: bits that the machine ignores are set, so only `.word` assembles to it."
            }
            Canonical::Internal => "Only the assembler writes this instruction; in a text, `.word` does.",
            Canonical::NoText => "Not canonical: what it says has no text, so only `.word` assembles to it.",
        }
        .to_owned()
    }
}
