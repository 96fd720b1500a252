//! Configurations of ld65: which areas of memory there are, what file each is written to, and which segments lie in them.
//!
//! A configuration is read as ld65 reads it (cc65's manual `ld65.html`, section 5): blocks `MEMORY`, `SEGMENTS`, `SYMBOLS`, `FILES` and
//! `FEATURES`, whose entries have attributes. Where things come to lie is worked out in [`place`](crate::place).

mod scan;

use crate::expr::Binary;
use crate::rules::CONFIG;
use gpuzoo_diag::{Diagnostic, FileId, Sources, Span, suggest};
use scan::{Scanner, Word};

/// The most areas, segments and symbols each.
const MAX_ENTRIES: usize = 1024;
/// The most open parentheses of a value.
const MAX_DEPTH: usize = 64;
/// The most operations of a value.
const MAX_OPERATIONS: usize = 1000;
/// What `%S` is where no `STARTADDRESS` says it.
const START: i64 = 0x200;

/// A value that is worked out when things are placed.
#[derive(Clone, Debug)]
pub(crate) enum Amount {
    Number(i64),
    Symbol(String, Span),
    Negate(Box<Amount>),
    Binary(Binary, Box<(Amount, Amount)>),
}

/// An area of memory.
#[derive(Clone, Debug)]
pub(crate) struct Area {
    pub name: String,
    pub span: Span,
    pub start: Amount,
    pub size: Amount,
    /// The place of its file among the configuration's; none for an area that is not written.
    pub file: Option<usize>,
    /// Whether the file gets all of the area.
    pub fill: bool,
    pub fill_value: u8,
}

/// What a segment of a configuration is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    /// Bytes of a file, read-only or not.
    Bytes,
    /// Reserved memory.
    Bss,
    /// Reserved memory in the zero page.
    ZeroPage,
}

/// Where a segment begins in its area.
#[derive(Clone, Debug)]
pub(crate) enum Begin {
    /// Behind the one before.
    Next,
    Align(i64),
    Start(i64),
    /// From the start of the area.
    Offset(i64),
}

/// A segment.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub name: String,
    pub span: Span,
    pub load: usize,
    pub run: usize,
    pub kind: Use,
    pub begin: Begin,
    pub align_load: i64,
    /// What stands for it where it is reserved in a file; else what fills the area that it is loaded in.
    pub fill_value: Option<u8>,
}

/// A name that the configuration defines, or that must be defined.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    pub name: String,
    pub span: Span,
    /// None for one that is only imported.
    pub value: Option<Amount>,
    /// A definition of the program comes first.
    pub is_weak: bool,
}

/// The tables that have names; there are seven.
const NAMED: [&str; 3] = ["constructor", "destructor", "interruptor"];
pub(crate) const MAX_TABLE: i64 = 6;

/// The number of a table with a name.
pub(crate) fn numbered(name: &str) -> Option<u8> {
    NAMED.iter().position(|own| own.eq_ignore_ascii_case(name)).map(|at| at as u8)
}

/// A table of routines, which is made if its label is imported: an entry of the feature `CONDES`.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub span: Span,
    /// Which one it is: sources say it by [its name](numbered) or its number.
    pub number: u8,
    pub segment: String,
    pub label: String,
    /// The name of the number of its entries.
    pub count: Option<String>,
    /// A name that is imported if there is an entry.
    pub import: Option<String>,
    pub is_decreasing: bool,
}

/// Where `cl65 -t cx16` puts things.
pub(crate) const CX16: &str = include_str!("cx16.cfg");

/// A configuration.
#[derive(Clone, Debug, Default)]
pub(crate) struct Config {
    pub areas: Vec<Area>,
    pub entries: Vec<Entry>,
    pub symbols: Vec<Named>,
    pub tables: Vec<Table>,
    /// The names of files as they are written, the program's own as `%O`, each with its first place.
    pub files: Vec<(String, Span)>,
}

impl Config {
    pub fn entry(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.name == name)
    }

    pub fn imports(&self, name: &str) -> bool {
        self.symbols.iter().any(|symbol| symbol.name == name && symbol.value.is_none())
    }
}

/// Reads a configuration; what is wrong is left out of it.
pub(crate) fn read(sources: &Sources, file: FileId) -> (Config, Vec<Diagnostic>) {
    let text = sources.find(file).map_or("", |file| file.text());
    let mut reader =
        Reader { scan: Scanner::new(file, text), start: START, config: Config::default(), operations: 0 };
    let mut problems = Vec::new();
    // `%S` may be used above the block that says it.
    reader.start = scan::start_address(file, text).unwrap_or(START);
    if let Err(problem) = reader.blocks() {
        problems.push(*problem);
    }
    (reader.config, problems)
}

type Outcome<T> = Result<T, Box<Diagnostic>>;

struct Reader<'a> {
    scan: Scanner<'a>,
    start: i64,
    config: Config,
    /// Of the value that is read.
    operations: usize,
}

/// The attributes of an entry: each with its place.
struct Attributes {
    entry: Span,
    all: Vec<(String, Span, Value)>,
}

enum Value {
    Text(String, Span),
    Word(String, Span),
    Amount(Amount),
}

impl Attributes {
    fn take(&mut self, name: &str) -> Option<(Span, Value)> {
        let at = self.all.iter().position(|(own, ..)| own == name)?;
        let (_, span, value) = self.all.remove(at);
        Some((span, value))
    }

    fn word(&mut self, name: &str, known: &[&str]) -> Outcome<Option<String>> {
        match self.take(name) {
            None => Ok(None),
            Some((_, Value::Word(word, _))) if known.is_empty() => Ok(Some(word)),
            Some((_, Value::Word(word, span))) => {
                let lower = word.to_ascii_lowercase();
                if known.contains(&lower.as_str()) {
                    return Ok(Some(lower));
                }
                let message = format!("`{name}` is one of {}, not `{word}`", known.join(", "));
                Err(wrong(span, &message))
            }
            Some((span, _)) => Err(wrong(span, &format!("`{name}` takes a name"))),
        }
    }

    fn yes(&mut self, name: &str) -> Outcome<bool> {
        match self.take(name) {
            None => Ok(false),
            Some((_, Value::Word(word, _)))
                if matches!(word.to_ascii_lowercase().as_str(), "yes" | "true") =>
            {
                Ok(true)
            }
            Some((_, Value::Word(word, _)))
                if matches!(word.to_ascii_lowercase().as_str(), "no" | "false") =>
            {
                Ok(false)
            }
            Some((span, _)) => Err(wrong(span, &format!("`{name}` is yes or no"))),
        }
    }

    fn amount(&mut self, name: &str) -> Outcome<Option<(Span, Amount)>> {
        match self.take(name) {
            None => Ok(None),
            Some((span, Value::Amount(amount))) => Ok(Some((span, amount))),
            Some((_, Value::Word(word, span))) => Ok(Some((span, Amount::Symbol(word, span)))),
            Some((span, Value::Text(..))) => Err(wrong(span, &format!("`{name}` takes a number"))),
        }
    }

    /// A number that is written as one.
    fn number(&mut self, name: &str, range: std::ops::RangeInclusive<i64>) -> Outcome<Option<i64>> {
        let Some((span, amount)) = self.amount(name)? else { return Ok(None) };
        match constant(&amount).filter(|number| range.contains(number)) {
            Some(number) => Ok(Some(number)),
            None => {
                let (least, most) = range.into_inner();
                Err(wrong(span, &format!("`{name}` is a number from {least} to {most}")))
            }
        }
    }

    /// The rest, which nothing has asked for.
    fn end(self, known: &[&str]) -> Outcome<()> {
        let Some((name, span, _)) = self.all.into_iter().next() else { return Ok(()) };
        let mut problem = *wrong(span, &format!("there is no attribute `{name}` here"));
        if let Some(near) = suggest::nearest(&name, known.iter().copied()) {
            problem = problem.help(format!("did you mean `{near}`?"));
        }
        Err(Box::new(problem.help(format!("attributes are {}", known.join(", ")))))
    }
}

fn wrong(span: Span, message: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(&CONFIG, message).at(span))
}

/// An amount without names.
fn constant(amount: &Amount) -> Option<i64> {
    value(amount, &mut |_, _| None)
}

/// What an amount is worth; none if a name in it is not known, or for a division by zero.
pub(crate) fn value(amount: &Amount, known: &mut dyn FnMut(&str, Span) -> Option<i64>) -> Option<i64> {
    Some(match amount {
        Amount::Number(number) => *number,
        Amount::Symbol(name, span) => known(name, *span)?,
        Amount::Negate(of) => value(of, known)?.wrapping_neg(),
        Amount::Binary(op, of) => {
            let (left, right) = (value(&of.0, known)?, value(&of.1, known)?);
            match op {
                Binary::Add => left.wrapping_add(right),
                Binary::Subtract => left.wrapping_sub(right),
                Binary::Multiply => left.wrapping_mul(right),
                _ => left.checked_div(right)?,
            }
        }
    })
}

const AREA: [&str; 8] = ["start", "size", "type", "file", "fill", "fillval", "define", "bank"];
const SEGMENT: [&str; 11] = [
    "load",
    "run",
    "type",
    "align",
    "align_load",
    "start",
    "offset",
    "optional",
    "define",
    "fillval",
    "bank",
];

impl Reader<'_> {
    fn blocks(&mut self) -> Outcome<()> {
        while let Some((word, span)) = self.scan.next()? {
            let Word::Name(name) = word else { return Err(wrong(span, "expected a block such as `MEMORY`")) };
            let each: fn(&mut Self, String, Span) -> Outcome<()> = match name.to_ascii_uppercase().as_str() {
                "MEMORY" => Self::area,
                "SEGMENTS" => Self::segment,
                "SYMBOLS" => Self::symbol,
                "FILES" => Self::file_format,
                "FEATURES" => Self::feature,
                "FORMATS" => Self::format,
                _ => {
                    let known = ["MEMORY", "SEGMENTS", "SYMBOLS", "FILES", "FEATURES", "FORMATS"];
                    let mut problem = *wrong(span, &format!("there is no block `{name}`"));
                    if let Some(near) = suggest::nearest(&name, known) {
                        problem = problem.help(format!("did you mean `{near}`?"));
                    }
                    return Err(Box::new(problem.help(format!("blocks are {}", known.join(", ")))));
                }
            };
            self.scan.expect(Word::Mark(b'{'), "`{` behind the name of a block")?;
            loop {
                match self.scan.need("an entry, or `}`")? {
                    (Word::Mark(b'}'), _) => break,
                    (Word::Name(name) | Word::Text(name), span) => each(self, name, span)?,
                    // `%O` in `FILES`.
                    (Word::Output, span) => each(self, "%O".to_owned(), span)?,
                    (_, span) => return Err(wrong(span, "expected the name of an entry, or `}`")),
                }
            }
        }
        Ok(())
    }

    /// `: name = value, …;`
    fn attributes(&mut self, entry: Span) -> Outcome<Attributes> {
        let mut all = Vec::new();
        self.scan.expect(Word::Mark(b':'), "`:` behind the name of an entry")?;
        loop {
            let (name, span) = match self.scan.need("an attribute, or `;`")? {
                (Word::Mark(b';'), _) => return Ok(Attributes { entry, all }),
                (Word::Mark(b','), _) => continue,
                (Word::Name(name), span) => (name.to_ascii_lowercase(), span),
                (_, span) => return Err(wrong(span, "expected an attribute, or `;`")),
            };
            self.scan.accept(&Word::Mark(b'='));
            let value = match self.scan.peek()? {
                Some((Word::Text(text), span)) => {
                    self.scan.next()?;
                    Value::Text(text, span)
                }
                Some((Word::Output, span)) => {
                    self.scan.next()?;
                    Value::Text("%O".to_owned(), span)
                }
                _ => match self.amount()? {
                    Amount::Symbol(name, span) => Value::Word(name, span),
                    amount => Value::Amount(amount),
                },
            };
            all.push((name, span, value));
        }
    }

    fn amount(&mut self) -> Outcome<Amount> {
        self.operations = 0;
        self.sum(0)
    }

    /// Passes an operator by, of which an amount has so many at most: each nests what is before it.
    fn operator(&mut self, span: Span) -> Outcome<()> {
        self.scan.next()?;
        self.operations += 1;
        match self.operations <= MAX_OPERATIONS {
            true => Ok(()),
            false => Err(wrong(span, "the value has more than 1,000 operations")),
        }
    }

    fn sum(&mut self, depth: usize) -> Outcome<Amount> {
        let mut left = self.product(depth)?;
        loop {
            let (op, span) = match self.scan.peek()? {
                Some((Word::Mark(b'+'), span)) => (Binary::Add, span),
                Some((Word::Mark(b'-'), span)) => (Binary::Subtract, span),
                _ => return Ok(left),
            };
            self.operator(span)?;
            left = Amount::Binary(op, Box::new((left, self.product(depth)?)));
        }
    }

    fn product(&mut self, depth: usize) -> Outcome<Amount> {
        let mut left = self.factor(depth)?;
        loop {
            let (op, span) = match self.scan.peek()? {
                Some((Word::Mark(b'*'), span)) => (Binary::Multiply, span),
                Some((Word::Mark(b'/'), span)) => (Binary::Divide, span),
                _ => return Ok(left),
            };
            self.operator(span)?;
            left = Amount::Binary(op, Box::new((left, self.factor(depth)?)));
        }
    }

    fn factor(&mut self, depth: usize) -> Outcome<Amount> {
        let (word, span) = self.scan.need("a value")?;
        if depth >= MAX_DEPTH {
            return Err(wrong(span, "the value is nested too deeply"));
        }
        match word {
            Word::Number(number) => Ok(Amount::Number(number)),
            Word::Start => Ok(Amount::Number(self.start)),
            Word::Name(name) => Ok(Amount::Symbol(name, span)),
            Word::Mark(b'+') => self.factor(depth + 1),
            Word::Mark(b'-') => Ok(Amount::Negate(Box::new(self.factor(depth + 1)?))),
            Word::Mark(b'(') => {
                let amount = self.sum(depth + 1)?;
                self.scan.expect(Word::Mark(b')'), "`)`")?;
                Ok(amount)
            }
            _ => Err(wrong(span, "expected a number, a name or `(`")),
        }
    }

    /// An entry of `MEMORY`.
    fn area(&mut self, name: String, span: Span) -> Outcome<()> {
        let mut of = self.attributes(span)?;
        if self.config.areas.iter().any(|area| area.name == name) {
            return Err(wrong(span, &format!("there is an area `{name}` already")));
        }
        let need = |what, of: &mut Attributes| match of.amount(what)? {
            Some((_, amount)) => Ok(amount),
            None => Err(wrong(of.entry, &format!("the area `{name}` has no `{what}`"))),
        };
        let (start, size) = (need("start", &mut of)?, need("size", &mut of)?);
        of.word("type", &["ro", "rw"])?;
        let (file, at) = match of.take("file") {
            None => ("%O".to_owned(), span),
            Some((_, Value::Text(text, at))) => (text, at),
            Some((span, _)) => return Err(wrong(span, "`file` takes a string, or %O")),
        };
        let fill = of.yes("fill")?;
        // The names are there with `define` and without: they fill in for what the program does not define.
        of.yes("define")?;
        let fill_value = of.number("fillval", 0..=0xff)?.unwrap_or(0) as u8;
        of.take("bank");
        of.end(&AREA)?;
        let file = (!file.is_empty()).then(|| {
            let known = self.config.files.iter().position(|(name, _)| *name == file);
            known.unwrap_or_else(|| {
                self.config.files.push((file, at));
                self.config.files.len() - 1
            })
        });
        self.config.areas.push(Area { name, span, start, size, file, fill, fill_value });
        self.count(self.config.areas.len(), span)
    }

    /// An entry of `SEGMENTS`.
    fn segment(&mut self, name: String, span: Span) -> Outcome<()> {
        let mut of = self.attributes(span)?;
        if self.config.entry(&name).is_some() {
            return Err(wrong(span, &format!("there is a segment `{name}` already")));
        }
        let place = |what, of: &mut Attributes, config: &Config| {
            let Some((at, amount)) = of.amount(what)? else { return Ok(None) };
            let Amount::Symbol(area, _) = amount else {
                return Err(wrong(at, &format!("`{what}` takes the name of an area")));
            };
            match config.areas.iter().position(|own| own.name == area) {
                Some(place) => Ok(Some(place)),
                None => {
                    let known = config.areas.iter().map(|own| own.name.as_str());
                    let mut problem = *wrong(at, &format!("there is no area of memory `{area}` above"));
                    if let Some(near) = suggest::nearest(&area, known) {
                        problem = problem.help(format!("did you mean `{near}`?"));
                    }
                    Err(Box::new(problem))
                }
            }
        };
        let load = place("load", &mut of, &self.config)?;
        let load = load.ok_or_else(|| wrong(span, &format!("the segment `{name}` has no `load`")))?;
        let run = place("run", &mut of, &self.config)?.unwrap_or(load);
        let kind = match of.word("type", &["ro", "rw", "bss", "zp", "overwrite"])?.as_deref() {
            Some("bss") => Use::Bss,
            Some("zp") => Use::ZeroPage,
            Some("overwrite") => return Err(wrong(span, "segments of type `overwrite` are not made")),
            _ => Use::Bytes,
        };
        let address = 0..=0xff_ffff;
        let mut begins: Vec<Begin> = Vec::new();
        begins.extend(of.number("align", 1..=0x1_0000)?.map(Begin::Align));
        begins.extend(of.number("start", address.clone())?.map(Begin::Start));
        begins.extend(of.number("offset", address)?.map(Begin::Offset));
        if begins.len() > 1 {
            return Err(wrong(span, "only one of `align`, `start` and `offset` can be given"));
        }
        let align_load = of.number("align_load", 1..=0x1_0000)?.unwrap_or(1);
        of.yes("optional")?;
        of.yes("define")?;
        let fill_value = of.number("fillval", 0..=0xff)?.map(|value| value as u8);
        of.take("bank");
        of.end(&SEGMENT)?;
        let begin = begins.pop().unwrap_or(Begin::Next);
        self.config.entries.push(Entry { name, span, load, run, kind, begin, align_load, fill_value });
        self.count(self.config.entries.len(), span)
    }

    /// An entry of `SYMBOLS`: `NAME: type = weak, value = 5;`.
    fn symbol(&mut self, name: String, span: Span) -> Outcome<()> {
        let mut of = self.attributes(span)?;
        let kind = of.word("type", &["export", "import", "weak", "o65export", "o65import"])?;
        let kind = kind.unwrap_or_else(|| "export".to_owned());
        let value = of.amount("value")?.map(|(_, amount)| amount);
        of.word("addrsize", &[])?;
        let is_weak = of.yes("weak")? || kind == "weak";
        of.end(&["type", "value", "addrsize"])?;
        match (kind.ends_with("import"), &value) {
            (true, Some(_)) => return Err(wrong(span, "what is imported has no value")),
            (false, None) => return Err(wrong(span, &format!("`{name}` has no `value`"))),
            _ => {}
        }
        self.config.symbols.push(Named { name, span, value, is_weak });
        self.count(self.config.symbols.len(), span)
    }

    /// An entry of `FILES`: only plain bytes are written.
    fn file_format(&mut self, _: String, span: Span) -> Outcome<()> {
        let mut of = self.attributes(span)?;
        match of.word("format", &[])?.as_deref() {
            None | Some("bin" | "binary") => of.end(&["format"]),
            Some(other) => {
                Err(wrong(span, &format!("files of the format `{other}` are not written, only bin")))
            }
        }
    }

    /// An entry of `FEATURES`. The start address was looked for before.
    fn feature(&mut self, name: String, span: Span) -> Outcome<()> {
        let of = self.attributes(span)?;
        match name.to_ascii_uppercase().as_str() {
            "CONDES" => self.table(of),
            "STARTADDRESS" => of.end_after("default"),
            _ => Err(wrong(span, &format!("there is no feature `{name}`"))),
        }
    }

    fn table(&mut self, mut of: Attributes) -> Outcome<()> {
        let span = of.entry;
        let missing = |what: &str| wrong(span, &format!("the table has no `{what}`"));
        let number = match of.take("type") {
            None => return Err(missing("type")),
            Some((_, Value::Word(word, _))) if numbered(&word).is_some() => numbered(&word),
            Some((_, Value::Amount(amount))) => {
                constant(&amount).filter(|number| (0..=MAX_TABLE).contains(number)).map(|number| number as u8)
            }
            Some(_) => None,
        };
        let kinds = "`type` is constructor, destructor, interruptor, or a number from 0 to 6";
        let number = number.ok_or_else(|| wrong(span, kinds))?;
        let segment = of.word("segment", &[])?.ok_or_else(|| missing("segment"))?;
        let label = of.word("label", &[])?.ok_or_else(|| missing("label"))?;
        let (count, import) = (of.word("count", &[])?, of.word("import", &[])?);
        let is_decreasing = of.word("order", &["increasing", "decreasing"])?.as_deref() == Some("decreasing");
        of.end(&["type", "label", "count", "segment", "import", "order"])?;
        if self.config.tables.iter().any(|table| table.number == number) {
            return Err(wrong(span, "there is a table of this type already"));
        }
        self.config.tables.push(Table { span, number, segment, label, count, import, is_decreasing });
        Ok(())
    }

    /// An entry of `FORMATS`, which says how formats are written that [`Self::file_format`] refuses.
    fn format(&mut self, _: String, span: Span) -> Outcome<()> {
        self.attributes(span).map(drop)
    }

    fn count(&self, entries: usize, span: Span) -> Outcome<()> {
        match entries <= MAX_ENTRIES {
            true => Ok(()),
            false => Err(wrong(span, "a block has up to 1,024 entries")),
        }
    }
}

impl Attributes {
    fn end_after(mut self, name: &str) -> Outcome<()> {
        self.take(name);
        self.end(&[name])
    }
}
