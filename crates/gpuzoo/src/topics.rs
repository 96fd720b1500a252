//! Things with a name, and a page made of their row in a table of `list`: registers, directives, formats, settings.

use crate::list::{self, Details, Listing};
use gpuzoo_diag::json;
use gpuzoo_machine::Gpu;
use gpuzoo_machine::limits::budget::Resource;
use gpuzoo_machine::text::wrap_at;
use serde::{Serialize, Serializer};
use std::fmt::Write;

/// A table whose rows have pages.
struct Table {
    /// What a row is.
    kind: &'static str,
    rows: fn(&[&'static dyn Gpu]) -> Listing,
    /// The columns with the name and, if it says more than `kind`, with what the row is.
    name: usize,
    is: Option<usize>,
    /// Names that are only looked up: there are too many that are alike to be suggested.
    numbered: bool,
    /// An example, where the table has none.
    example: Option<Example>,
}

/// Makes an example of what a row is about.
type Example = fn(&[&'static dyn Gpu], &[String]) -> Option<String>;

const fn table(kind: &'static str, rows: fn(&[&'static dyn Gpu]) -> Listing) -> Table {
    Table { kind, rows, name: 1, is: None, numbered: false, example: None }
}

static TABLES: &[Table] = &[
    Table {
        numbered: true,
        example: Some(list::register_example),
        ..table("register", list::single_registers)
    },
    table("directive", list::directives),
    table("macro", list::macros),
    Table { is: Some(2), ..table("dialect", list::dialects) },
    table("numbering of constants", list::numberings),
    table("profile", list::profiles),
    table("mode", list::whole_modes),
    table("option", list::parameters),
    Table { name: 2, is: Some(1), ..table("format", list::formats) },
    table("key of jobs", list::jobs),
    Table { name: 0, example: Some(|_, row| limit_example(row)), ..table("limit", limits) },
    #[cfg(feature = "render")]
    table("setting of scenes", list::scene),
    #[cfg(not(feature = "render"))]
    table("setting", list::settings),
];

/// The limits, named as on the command line: other things have the same names.
fn limits(_: &[&'static dyn Gpu]) -> Listing {
    let mut listing = list::limits();
    for row in &mut listing.rows {
        row[0].insert_str(0, "--limit ");
    }
    listing
}

/// The option that raises the limit of a row.
fn limit_example(row: &[String]) -> Option<String> {
    Resource::ALL.iter().find(|of| row[0].ends_with(of.name())).map(|of| of.example())
}

/// The page of a row.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct TopicPage {
    /// What it is.
    pub kind: String,
    /// The id of its machine; empty for what all of them have, which is null in JSON.
    #[serde(serialize_with = "or_null")]
    pub gpu: String,
    /// Its name.
    pub name: String,
    /// Column and cell of its row in the table. In JSON each column is a member of the page.
    #[serde(flatten, serialize_with = "json::object")]
    pub facts: Vec<(&'static str, String)>,
    /// More about it.
    #[serde(flatten)]
    pub details: Details,
}

/// A text, or null if it is empty.
fn or_null<S: Serializer>(text: &str, to: S) -> Result<S::Ok, S::Error> {
    Some(text).filter(|text| !text.is_empty()).serialize(to)
}

/// The rows that a name means: those that have just this name, or else all; of one machine its own, or else what all have.
pub fn named(machines: &[&'static dyn Gpu], name: &str) -> Vec<TopicPage> {
    let mut found = Vec::new();
    for table in TABLES {
        let listing = (table.rows)(machines);
        let names = listing.columns.iter().position(|column| *column == "also");
        for (index, row) in listing.rows.iter().enumerate() {
            let also = names.map_or("", |column| &row[column]);
            if means(&row[table.name], name)
                || also.split_whitespace().any(|own| own.eq_ignore_ascii_case(name))
            {
                found.push(page(table, machines, &listing, index));
            }
        }
    }
    // A register of several files has its page once.
    found.dedup_by(|page, other| {
        page.kind == "register" && (&page.gpu, &page.name) == (&other.gpu, &other.name)
    });
    let is_whole = |page: &TopicPage| page.full_name() == name;
    if found.iter().any(is_whole) {
        found.retain(is_whole);
    } else if machines.len() == 1 && found.iter().any(|page| !page.gpu.is_empty()) {
        found.retain(|page| !page.gpu.is_empty());
    }
    found
}

/// The names of rows, for suggestions.
pub fn names(machines: &[&'static dyn Gpu]) -> Vec<String> {
    let mut names = Vec::new();
    for table in TABLES {
        for row in (table.rows)(machines).rows {
            let name = row[table.name].clone();
            if !(table.numbered && name.ends_with(|last: char| last.is_ascii_digit()) && name.len() < 5) {
                if name.starts_with("scene.") || name.starts_with("job.") {
                    names.push(name.rsplit('.').next().unwrap_or("").to_owned());
                }
                names.push(name);
            }
        }
    }
    names
}

/// True if a row's name is the one that was asked for: in any case, without marks before it, and of settings without the
/// tables that they are in.
fn means(own: &str, name: &str) -> bool {
    let own = own.to_ascii_lowercase();
    let name = name.to_ascii_lowercase();
    let bare = own.rsplit(' ').next().unwrap_or("").trim_start_matches(['#', '%', '.', '!', '-']);
    let within = own.strip_suffix(&name).is_some_and(|before| before.ends_with('.'));
    let has_path = own.starts_with("scene.")
        || own.contains('.') && own.starts_with(|first: char| first.is_ascii_alphabetic());
    !name.is_empty()
        && (own == name
            || bare == name
            || within && has_path && !name.starts_with(|first: char| first.is_ascii_digit()))
}

fn page(table: &Table, machines: &[&'static dyn Gpu], listing: &Listing, index: usize) -> TopicPage {
    let row = &listing.rows[index];
    let column = |name: &str| listing.columns.iter().position(|column| *column == name);
    let shown = listing.columns.iter().zip(row).enumerate().filter(|(at, (column, cell))| {
        ![Some(table.name), table.is].contains(&Some(*at)) && **column != "gpu" && !cell.is_empty()
    });
    let mut details = listing.details.get(index).cloned().unwrap_or_default();
    if let Some(example) = table.example.and_then(|example| example(machines, row)) {
        details.example = Some(example);
    }
    TopicPage {
        kind: table.is.map_or_else(|| table.kind.to_owned(), |column| kind(table.kind, &row[column])),
        gpu: column("gpu").map_or(String::new(), |column| row[column].clone()),
        name: row[table.name].clone(),
        facts: shown.map(|(_, (column, cell))| (*column, cell.clone())).collect(),
        details,
    }
}

/// What a row is: `texture format`, but `dialect` and not `dialect dialect`.
fn kind(table: &str, row: &str) -> String {
    if row == table || table != "format" { row.to_owned() } else { format!("{row} {table}") }
}

impl TopicPage {
    /// Its name with the machine's before it, without the path of a machine's setting: a topic that means this alone.
    pub fn full_name(&self) -> String {
        if self.gpu.is_empty() {
            return self.name.clone();
        }
        format!("{}.{}", self.gpu, self.name.strip_prefix("scene.draw.state.").unwrap_or(&self.name))
    }

    /// What it is about, in a line.
    pub fn about(&self) -> &str {
        self.facts.last().map_or("", |(_, text)| text)
    }

    /// For people.
    pub fn text(&self) -> String {
        let mut page = format!("{}: {}\n\n", self.full_name(), self.kind);
        let width = self.facts.iter().map(|(name, _)| name.len() + 2).max().unwrap_or(0);
        let whole = self.details.text.as_deref().unwrap_or("");
        // What the text begins with is not said twice.
        for (name, text) in self.facts.iter().filter(|(_, text)| !whole.starts_with(text.as_str())) {
            lines(&mut page, "", name, width, text);
        }
        if !whole.is_empty() {
            let _ = writeln!(page, "\n{}", wrap_at(whole, 100));
        }
        let settings = self.details.settings.as_deref().unwrap_or_default();
        for (parts, title) in [(&self.details.choices[..], "Choices"), (settings, "Settings")] {
            let width = parts.iter().map(|[name, _]| name.len() + 2).max().unwrap_or(0);
            if !parts.is_empty() {
                let _ = writeln!(page, "\n{title}");
            }
            parts.iter().for_each(|[name, text]| lines(&mut page, "  ", name, width, text));
        }
        if let Some(example) = &self.details.example {
            let _ = writeln!(page, "\nFor example\n  {}", example.replace('\n', "\n  "));
        }
        page
    }
}

/// A name, and a text beside it.
fn lines(page: &mut String, before: &str, name: &str, width: usize, text: &str) {
    let most = 100usize.saturating_sub(before.len() + width).max(40);
    let text = wrap_at(text, most).replace('\n', &format!("\n{before}{:width$}", ""));
    let _ = writeln!(page, "{before}{name:<width$}{text}");
}
