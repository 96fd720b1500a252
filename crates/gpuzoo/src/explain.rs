//! The verb `explain`: the page of a diagnostic code, an instruction or a machine, or the fields of a word, as data with a
//! text.

use crate::Registry;
use crate::codes::{BAD_WORDS, NO_SUCH_TOPIC};
use crate::topics::{self, TopicPage};
use gpuzoo_diag::{Code, Diagnostic, suggest};
use gpuzoo_isa::{Bits, Described, Field, FieldValue, Isa, MAX_WORDS, Op};
use gpuzoo_machine::text::{wrap, wrap_at};
use gpuzoo_machine::{About, Gpu, ShaderUnit};
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

/// The page of what the words name: a code (`D0102`), a machine, an instruction (`dreambox.mulm`, or `mulm` with a
/// machine), an instruction's words in hexadecimal (with a machine), or something that a machine has of its own.
///
/// ```
/// let registry = gpuzoo::Registry::default();
/// let page = gpuzoo::explain::explain(&registry, registry.by_id("dreambox"), &["0x03d10457"]).unwrap();
/// assert!(page.text().starts_with("0x03d10457  shf r1 r1 xyxy 0b1111\n"));
/// ```
///
/// # Errors
/// `G0110` if nothing has that name, `G0210` for words that cannot be read.
pub fn explain(
    registry: &Registry,
    gpu: Option<&'static dyn Gpu>,
    words: &[&str],
) -> Result<Page, Diagnostic> {
    let [first, rest @ ..] = words else {
        return Err(
            Diagnostic::error(&NO_SUCH_TOPIC, "explain what?").help("for example `gpuzoo explain D0102`")
        );
    };
    if rest.is_empty() {
        if let Some(code) = registry.code(first) {
            return Ok(Page::Code(code));
        }
        if let Some(gpu) = registry.by_id(first) {
            return Ok(Page::Machine(machine(gpu)));
        }
        let named = first.split_once('.').and_then(|(id, name)| Some((registry.by_id(id)?, name)));
        let (machines, name) = match (named, gpu) {
            (Some((gpu, name)), _) => (vec![gpu], name),
            (None, Some(gpu)) => (vec![gpu], *first),
            (None, None) => (registry.gpus().to_vec(), *first),
        };
        let topics = topics::named(&machines, name);
        let whole = topics.iter().any(|page| page.full_name() == name);
        let rows = machines.iter().filter(|_| !whole).flat_map(|gpu| of_machine(*gpu, name));
        let mut pages: Vec<Page> = rows.chain(topics.into_iter().map(Page::Topic)).collect();
        match pages.len() {
            0 => {}
            1 => return Ok(pages.remove(0)),
            _ => return Ok(Page::Several { name: name.to_owned(), pages, in_full: machines.len() == 1 }),
        }
    }
    let driven = gpu.is_some_and(|gpu| gpu.shader_unit().is_none());
    if looks_like_word(first) && !driven {
        let unit = match gpu.and_then(|gpu| gpu.shader_unit()) {
            Some(unit) => unit,
            None => registry.shader_unit(None, "")?,
        };
        return word_page(unit, words).map(Page::Words);
    }
    Err(unknown(registry, gpu, &words.join(" ")))
}

/// The pages of instructions of this name, and of what a machine has of its own.
fn of_machine(gpu: &'static dyn Gpu, name: &str) -> Vec<Page> {
    let unit = gpu.shader_unit();
    let rows = unit.iter().flat_map(|unit| unit.isa().ops().map(move |op| (*unit, op)));
    let rows = rows.filter(|(_, op)| op.name.eq_ignore_ascii_case(name));
    let pages: Vec<OpPage> = rows.map(|(unit, op)| op_page(unit, op)).collect();
    let instruction = (!pages.is_empty()).then_some(Page::Instruction(pages));
    let own = gpu.reference().and_then(|reference| reference.page(name));
    instruction.into_iter().chain(own.map(|text| Page::Own { gpu: gpu.about().id, text })).collect()
}

/// With a prefix, or too long to be a mnemonic.
fn looks_like_word(text: &str) -> bool {
    text.starts_with("0x") || text.len() == 8 && text.bytes().all(|digit| digit.is_ascii_hexdigit())
}

fn unknown(registry: &Registry, gpu: Option<&'static dyn Gpu>, topic: &str) -> Diagnostic {
    let short: String = topic.chars().take(40).collect();
    let problem = Diagnostic::error(&NO_SUCH_TOPIC, format!("there is nothing called `{short}` to explain"));
    let named = topic.split_once('.').and_then(|(id, name)| Some((registry.by_id(id)?, name)));
    let name = named.map_or(topic, |(_, name)| name);
    let machines = named.map(|(gpu, _)| gpu).or(gpu).map_or(registry.gpus().to_vec(), |gpu| vec![gpu]);
    let mut names: Vec<String> = registry.codes().iter().map(|code| code.id.to_owned()).collect();
    names.extend(registry.ids().map(str::to_owned));
    for gpu in &machines {
        names.extend(gpu.shader_unit().iter().flat_map(|unit| unit.isa().ops()).map(|op| op.name.to_owned()));
        if let Some(own) = gpu.reference() {
            names.extend(own.names().into_iter().map(str::to_owned));
            names.extend(own.instructions().into_iter().map(|own| own.name));
        }
    }
    names.extend(topics::names(&machines));
    match suggest::nearest(name, names.iter().map(String::as_str)) {
        Some(near) => problem.help(format!("did you mean `{near}`?")),
        None => problem.help(
            "`gpuzoo list` has what there is: `list ops`, `list registers`, `list scene` and others; see `gpuzoo list --help`",
        ),
    }
}

/// What there is to say of a machine.
pub fn machine(gpu: &'static dyn Gpu) -> MachinePage {
    let about = gpu.about();
    let unit = gpu.shader_unit();
    let own = about.facts.iter().map(|(name, text)| (*name, (*text).to_owned()));
    let of_unit = unit.iter().flat_map(|unit| of_unit(about, unit.isa()));
    let facts = [
        ("id", about.id.to_owned()),
        ("extensions", extensions(about)),
        ("profiles", about.named_profiles().map(|(name, _)| name).collect::<Vec<_>>().join(" ")),
    ];
    let mut topics = Vec::new();
    for name in gpu.reference().iter().flat_map(|own| own.names()) {
        if !topics.contains(&name) {
            topics.push(name);
        }
    }
    let isa = unit.map(ShaderUnit::isa);
    let files = isa.iter().flat_map(|isa| isa.files).filter(|file| !file.internal);
    let ops = isa.iter().flat_map(|isa| isa.ops().map(|op| (isa.usage(op), op.doc.to_owned())));
    MachinePage {
        id: about.id,
        title: format!("{}: {}", about.name, about.summary),
        facts: facts.into_iter().chain(of_unit).chain(own).collect(),
        registers: files
            .map(|file| (file.name, format!("{}; {}", file.names_text(), file.kind.text())))
            .collect(),
        instructions: ops.collect(),
        topics,
    }
}

fn of_unit(about: &'static About, isa: &'static Isa) -> [(&'static str, String); 3] {
    let vertex: Vec<&str> = about.vertex_formats.iter().map(|format| format.name).collect();
    let texture: Vec<&str> = about.texture_formats.iter().map(|format| format.name).collect();
    [("programs", isa.size()), ("vertex formats", vertex.join(" ")), ("textures", texture.join(" "))]
}

/// The extensions of a machine's files, with their dots.
pub(crate) fn extensions(about: &About) -> String {
    about.extensions.iter().map(|extension| format!(".{extension}")).collect::<Vec<_>>().join(" ")
}

/// What there is to say of an instruction.
pub fn op_page(unit: &dyn ShaderUnit, op: &'static Op) -> OpPage {
    let isa = unit.isa();
    let operands = isa.describe(op);
    let mut fields = vec![isa.half_of(op).opcode];
    for field in operands.iter().flat_map(|operand| &operand.fields) {
        if !fields[1..].contains(field) {
            fields.push(*field);
        }
    }
    OpPage {
        gpu: unit.about().id,
        op,
        usages: std::iter::once(isa.usage(op)).chain(isa.forms(op)).collect(),
        example: isa.example_text(op),
        operands,
        fields,
    }
}

/// The fields of a slot's words.
fn word_page(unit: &dyn ShaderUnit, words: &[&str]) -> Result<WordPage, Diagnostic> {
    let isa = unit.isa();
    let words: Vec<&str> = words.iter().flat_map(|text| halves(isa, text)).collect();
    let mut bits = Bits::default();
    let wrong_count = |wanted: usize| {
        let message = format!("this instruction has {wanted} words, not {}", words.len());
        Diagnostic::error(&BAD_WORDS, message)
    };
    // How many immediates there are is known when the slot's own words are.
    if words.len() < isa.slot_words || words.len() > MAX_WORDS {
        return Err(wrong_count(isa.slot_words));
    }
    for (bits, text) in bits.words.iter_mut().zip(&words) {
        let digits = text.strip_prefix("0x").unwrap_or(text);
        let digits_only = digits.len() <= 8 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        let word = digits_only.then(|| u32::from_str_radix(digits, 16).ok()).flatten();
        *bits = word.ok_or_else(|| {
            let short: String = text.chars().take(40).collect();
            Diagnostic::error(&BAD_WORDS, format!("`{short}` is not a 32-bit hexadecimal word"))
        })?;
    }
    let slot = isa.slot(bits, Default::default());
    if slot.words(isa).len() != words.len() {
        return Err(wrong_count(slot.words(isa).len()));
    }
    let mut text = String::new();
    isa.print_slot(&slot, &mut text);
    let canonical = match isa.undefined(&slot) {
        Some(undefined) => Canonical::Undefined(undefined),
        None if isa.is_canonical(&slot) => Canonical::Yes,
        None if !isa.is_encoded(&slot) => Canonical::IgnoredBits,
        None if slot.insts().any(|inst| inst.op.internal) => Canonical::Internal,
        None => Canonical::NoText,
    };
    Ok(WordPage {
        words: slot.words(isa).to_vec(),
        text,
        fields: isa.explain(&bits),
        instructions: slot.insts().map(|inst| (isa.usage(inst.op), inst.op)).collect(),
        canonical,
    })
}

/// A 64-bit word of a machine that has such is two words, the lower one first.
fn halves<'t>(isa: &Isa, text: &'t str) -> Vec<&'t str> {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    if isa.slot_words != 2 || digits.len() != 16 || !digits.is_ascii() {
        return vec![text];
    }
    let (high, low) = digits.split_at(8);
    vec![low, high]
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_topic_has_a_page() {
        let registry = Registry::default();
        let text = |gpu, topic: &str| explain(&registry, gpu, &[topic]).unwrap().text();
        for gpu in registry.gpus() {
            let id = gpu.about().id;
            assert!(text(None, id).contains(gpu.about().name));
            for op in gpu.shader_unit().iter().flat_map(|unit| unit.isa().ops()) {
                let page = text(None, &format!("{id}.{}", op.name));
                assert!(page.contains(op.doc) && page.contains(&wrap(op.notes)), "{page}");
                assert_eq!(text(Some(*gpu), &op.name.to_uppercase()), page);
            }
            for name in gpu.reference().iter().flat_map(|own| own.names()) {
                let page = text(None, &format!("{id}.{name}"));
                assert!(!page.is_empty() && text(Some(*gpu), name) == page, "{name}");
            }
        }
        for code in registry.codes() {
            assert!(text(None, code.id).starts_with(code.id));
        }
    }

    #[test]
    fn unknown_topics_have_a_code() {
        let registry = Registry::default();
        let code = |gpu, words: &[&str]| explain(&registry, gpu, words).unwrap_err().code.id;
        let gpu = registry.by_id("dreambox");
        assert_eq!(code(None, &[]), "G0110");
        assert_eq!(code(None, &["frobnicate"]), "G0110");
        assert_eq!(code(None, &["nope.add"]), "G0110");
        assert_eq!(code(None, &["0x3f"]), "G0101");
        let driven = registry.gpus().iter().find(|gpu| gpu.shader_unit().is_none());
        assert_eq!(code(driven.copied(), &["0x3f"]), "G0110");
        assert_eq!(code(gpu, &["0x3f", "0x3f"]), "G0210");
        assert_eq!(code(gpu, &["0x"]), "G0210");
        assert_eq!(code(gpu, &["0x123456789"]), "G0210");
        assert_eq!(explain(&registry, None, &["dreambox.mlum"]).unwrap_err().help, ["did you mean `mulm`?"]);
        // Each name as the page that it leads to is called.
        let several = explain(&registry, None, &["add"]).unwrap().text();
        let names: Vec<_> =
            several.lines().skip(2).filter_map(|line| line.split_whitespace().next()).collect();
        assert_eq!(names, ["dreambox.add", "nv2a.add", "servaru.ADD"]);
    }

    #[test]
    fn words_are_data() {
        let registry = Registry::default();
        let page = explain(&registry, registry.by_id("dreambox"), &["0x03d10457"]).unwrap();
        let json = page.json();
        assert_eq!((&json["text"], &json["canonical"]), (&json!("shf r1 r1 xyxy 0b1111"), &json!(true)));
        assert!(json["fields"].as_array().is_some_and(|fields| fields.iter().any(|own| own["name"] == "op")));
    }
}
