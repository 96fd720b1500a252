//! The pages of `explain`, as text and as data.

use crate::topics::TopicPage;
use gpuzoo_diag::Code;
use gpuzoo_isa::{Described, Field, FieldValue, Op};
use gpuzoo_machine::text::{wrap, wrap_at};
use serde_json::{Value as Json, json};
use std::fmt::Write;

/// What there is to say of a topic.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Page {
    /// A diagnostic code.
    Code(&'static Code),
    /// A machine.
    Machine(MachinePage),
    /// An instruction; where both halves of a slot have it, each.
    Instruction(Vec<OpPage>),
    /// The words of an instruction.
    Words(WordPage),
    /// A row of one of the [tables](crate::list).
    Topic(TopicPage),
    /// Things that are called the same.
    Several {
        /// The name.
        name: String,
        /// The page of each.
        pages: Vec<Page>,
        /// Each page is shown, not only what it is about.
        in_full: bool,
    },
    /// Something that only its machine has, in the machine's words.
    Own {
        /// The machine's name.
        gpu: &'static str,
        /// The text.
        text: String,
    },
}

/// A machine.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct MachinePage {
    /// Lines about it: name and text.
    pub facts: Vec<(&'static str, String)>,
    /// Its name and what it is.
    pub title: String,
    /// The registers of its instruction set: names, and what they are.
    pub registers: Vec<(&'static str, String)>,
    /// Its instructions: how each is written, and what it does.
    pub instructions: Vec<(String, String)>,
    /// Registers and state that have a page.
    pub topics: Vec<&'static str>,
    /// Its id, for `--gpu`.
    pub id: &'static str,
}

/// An instruction.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct OpPage {
    /// The machine's name.
    pub gpu: &'static str,
    /// The row.
    pub op: &'static Op,
    /// How it is written, every form of it.
    pub usages: Vec<String>,
    /// A line that assembles; none for what only the assembler writes.
    pub example: Option<String>,
    /// What may stand in its places.
    pub operands: Vec<Described>,
    /// The fields of its encoding, the opcode's first.
    pub fields: Vec<Field>,
}

/// The words of an instruction.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct WordPage {
    /// The words.
    pub words: Vec<u32>,
    /// As text.
    pub text: String,
    /// The fields.
    pub fields: Vec<FieldValue>,
    /// The instructions in it: how they are written, and their rows.
    pub instructions: Vec<(String, &'static Op)>,
    /// Whether its text assembles to these words.
    pub canonical: Canonical,
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
            Page::Code(code) => format!("{}: {}\n\n{}\n", code.id, code.title, wrap(code.page)),
            Page::Machine(page) => page.text(),
            Page::Instruction(pages) => pages.iter().map(OpPage::text).collect::<Vec<_>>().join("\n"),
            Page::Words(page) => page.text(),
            Page::Own { text, .. } => text.clone(),
            Page::Topic(page) => page.text(),
            Page::Several { pages, in_full: true, .. } => {
                pages.iter().map(Page::text).collect::<Vec<_>>().join("\n")
            }
            Page::Several { name, pages, .. } => {
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

    /// For scripts.
    pub fn json(&self) -> Json {
        match self {
            Page::Code(code) => json!({ "code": code.id, "title": code.title, "text": code.page }),
            Page::Machine(page) => page.json(),
            Page::Instruction(pages) => pages.iter().map(OpPage::json).collect(),
            Page::Words(page) => page.json(),
            Page::Own { gpu, text } => json!({ "gpu": gpu, "text": text }),
            Page::Topic(page) => page.json(),
            Page::Several { pages, .. } => pages.iter().map(Page::json).collect(),
        }
    }

    /// The full name of what it is about, if it was found by `name`, and a line about it.
    fn title(&self, name: &str) -> [String; 2] {
        match self {
            Page::Code(code) => [code.id.to_owned(), code.title.to_owned()],
            Page::Machine(page) => [page.id.to_owned(), page.title.clone()],
            Page::Instruction(pages) => {
                let line = |page: &OpPage| [page.full_name(), format!("instruction: {}", page.op.doc)];
                pages.first().map(line).unwrap_or_default()
            }
            Page::Words(page) => [name.to_owned(), page.text.clone()],
            Page::Own { gpu, text } => {
                let line = text.lines().next().unwrap_or("");
                let line = line.split_once(": ").map_or(line, |(_, line)| line);
                [format!("{gpu}.{name}"), line.to_owned()]
            }
            Page::Topic(page) => [page.full_name(), format!("{}: {}", page.kind, page.about())],
            Page::Several { .. } => [name.to_owned(), String::new()],
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
        let width = self.registers.iter().map(|(name, _)| name.len() + 2).max().unwrap_or(0);
        for (name, text) in &self.registers {
            let _ = writeln!(page, "  {name:<width$}{text}");
        }
        if !self.instructions.is_empty() {
            page += "\nInstructions\n";
        }
        for (usage, doc) in &self.instructions {
            let _ = writeln!(page, "  {usage:<32}{doc}");
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

    /// For scripts.
    pub fn json(&self) -> Json {
        let facts: serde_json::Map<String, Json> =
            self.facts.iter().map(|(name, text)| ((*name).to_owned(), json!(text))).collect();
        json!({
            "title": self.title,
            "facts": facts,
            "registers": self.registers.iter().map(|(name, text)| json!({ "name": name, "text": text })).collect::<Json>(),
            "instructions": self.instructions.iter().map(|(usage, doc)| json!({ "usage": usage, "meaning": doc })).collect::<Json>(),
            "topics": self.topics,
        })
    }
}

impl OpPage {
    /// Its name with the machine's before it: a topic that only this page has.
    pub fn full_name(&self) -> String {
        format!("{}.{}", self.gpu, self.op.name)
    }

    /// For people.
    pub fn text(&self) -> String {
        let op = self.op;
        let mut page = format!("{}\n\n", self.full_name());
        for usage in &self.usages {
            let _ = writeln!(page, "  {usage}");
        }
        let _ = write!(page, "\n{}\n", op.doc);
        if !op.notes.is_empty() {
            let _ = write!(page, "\n{}\n", wrap(op.notes));
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
            let what = if index == 0 { &op.code.to_string() } else { field.doc };
            let _ = writeln!(page, "  {:<10}{:<12}{what}", field.range(), field.name);
        }
        page
    }

    /// For scripts.
    pub fn json(&self) -> Json {
        let operand = |operand: &Described| json!({ "name": operand.name, "text": operand.text });
        let field =
            |field: &Field| json!({ "bits": field.range(), "name": field.name, "meaning": field.doc });
        json!({
            "gpu": self.gpu,
            "name": self.op.name,
            "opcode": self.op.code,
            "usages": self.usages,
            "meaning": self.op.doc,
            "notes": self.op.notes,
            "example": self.example,
            "operands": self.operands.iter().map(operand).collect::<Json>(),
            "fields": self.fields.iter().map(field).collect::<Json>(),
        })
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
        for (usage, op) in &self.instructions {
            let _ = write!(page, "\n{usage}: {}\n", op.doc);
            if !op.notes.is_empty() {
                let _ = writeln!(page, "{}", wrap(op.notes));
            }
        }
        let _ = writeln!(page, "\n{}", self.canonical.text());
        page
    }

    /// For scripts.
    pub fn json(&self) -> Json {
        let field = |FieldValue { field, value, meaning, .. }: &FieldValue| json!({ "bits": field.range(), "name": field.name, "value": value, "meaning": meaning });
        let instruction = |(usage, op): &(String, &Op)| json!({ "usage": usage, "meaning": op.doc });
        json!({
            "words": self.words,
            "text": self.text,
            "fields": self.fields.iter().map(field).collect::<Json>(),
            "instructions": self.instructions.iter().map(instruction).collect::<Json>(),
            "canonical": self.canonical == Canonical::Yes,
            "why": self.canonical.text(),
        })
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
