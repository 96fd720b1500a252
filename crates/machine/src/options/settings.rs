//! Settings with places: what a scene file says, without the file format.
//!
//! Scene files are TOML, but a machine's pipeline should not depend on a TOML parser to read its blend mode. So the
//! scene crate turns the file into this tree, and code that reads a part of it uses a [`Reader`], which reports
//! unknown keys, wrong types and unknown choices at their places.

use gpuzoo_diag::{Diagnostic, Span, counted, suggest};
use gpuzoo_isa::list;

gpuzoo_diag::codes! {
    UNKNOWN_KEY = "R0101", "unknown setting",
        "The table has no setting of this name. The message lists those that it has.";
    WRONG_TYPE = "R0102", "setting of the wrong type",
        "The setting needs another type of value: a text is written in quotes, a list in brackets, a table in braces.";
    UNKNOWN_CHOICE = "R0103", "not one of the choices",
        "The setting takes one of a few words. The message lists them.";
    MISSING_KEY = "R0104", "missing setting",
        "The table needs this setting; there is no sensible default.";
    OUT_OF_RANGE = "R0105", "setting out of range",
        "The number is too small or too large for this setting.";
}

/// A value and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// The value's place.
    pub span: Span,
    /// The value.
    pub value: Value,
}

/// A value.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Value {
    /// `true` or `false`.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// Any other number.
    Float(f64),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Setting>),
    /// A table.
    Table(Table),
}

impl Value {
    /// What kind of value it is, in words.
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Bool(_) => "true or false",
            Value::Int(_) => "an integer",
            Value::Float(_) => "a number",
            Value::Text(_) => "a text",
            Value::List(_) => "a list",
            Value::Table(_) => "a table",
        }
    }
}

/// Named settings, in the order of the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// The table's place, or the place of its header.
    pub span: Span,
    /// Name, place of the name, value.
    pub entries: Vec<(String, Span, Setting)>,
}

impl Table {
    /// Settings that do not come from a file.
    ///
    /// ```
    /// use gpuzoo_machine::options::settings::{Table, Value};
    /// let table = Table::of(&[("cull", Value::Bool(true))]);
    /// assert_eq!(table.get("cull").map(|setting| &setting.value), Some(&Value::Bool(true)));
    /// ```
    pub fn of(entries: &[(&str, Value)]) -> Table {
        let span = Span::default();
        let entry =
            |(key, value): &(&str, Value)| ((*key).to_owned(), span, Setting { span, value: value.clone() });
        Table { span, entries: entries.iter().map(entry).collect() }
    }

    /// The setting of a name.
    pub fn get(&self, key: &str) -> Option<&Setting> {
        self.entries.iter().find(|(name, ..)| name == key).map(|(.., setting)| setting)
    }
}

/// Reads a table setting by setting, collecting what is wrong with it.
///
/// Each method names a key; [`finish`](Reader::finish) reports the keys that were not asked for.
///
/// ```
/// use gpuzoo_diag::Span;
/// use gpuzoo_machine::options::settings::{Reader, Setting, Table, Value};
///
/// let at = Span::default();
/// let entry = |key: &str, value| (key.to_owned(), at, Setting { span: at, value });
/// let table = Table { span: at, entries: vec![entry("cull", Value::Bool(true)), entry("depht", Value::Int(1))] };
///
/// let mut problems = Vec::new();
/// let mut reader = Reader::new(&table, &mut problems);
/// assert_eq!(reader.bool("cull"), Some(true));
/// assert_eq!(reader.float("depth"), None);
/// reader.finish();
/// assert_eq!(problems[0].message, "there is no setting `depht` here");
/// ```
pub struct Reader<'a, 'p> {
    table: &'a Table,
    problems: &'p mut Vec<Diagnostic>,
    known: Vec<&'a str>,
}

impl<'a, 'p> Reader<'a, 'p> {
    /// A reader of `table` that adds what is wrong to `problems`. What it reads lives as long as the table, so that the
    /// problems can be used again while it is looked at.
    pub fn new(table: &'a Table, problems: &'p mut Vec<Diagnostic>) -> Reader<'a, 'p> {
        Reader { table, problems, known: Vec::new() }
    }

    /// The setting as it is.
    pub fn setting(&mut self, key: &'a str) -> Option<&'a Setting> {
        self.know(key);
        self.table.get(key)
    }

    /// Adds a problem.
    pub fn report(&mut self, problem: Diagnostic) {
        self.problems.push(problem);
    }

    /// The problems so far, for readers of parts.
    pub fn problems(&mut self) -> &mut Vec<Diagnostic> {
        self.problems
    }

    /// The place of a setting, or of the table if the setting is not there.
    pub fn span(&self, key: &str) -> Span {
        self.table.get(key).map_or(self.table.span, |setting| setting.span)
    }

    /// Reports that a key is missing, unless it is there.
    pub fn require(&mut self, key: &'a str, why: &str) {
        self.know(key);
        if self.table.get(key).is_none() {
            let problem = Diagnostic::error(&MISSING_KEY, format!("`{key}` is missing"));
            self.problems.push(problem.label(self.table.span, "in this table").help(why));
        }
    }

    fn know(&mut self, key: &'a str) {
        if !self.known.contains(&key) {
            self.known.push(key);
        }
    }

    fn typed<T>(&mut self, key: &'a str, wanted: &str, read: impl Fn(&'a Value) -> Option<T>) -> Option<T> {
        let setting = self.setting(key)?;
        let value = read(&setting.value);
        if value.is_none() {
            self.problems.push(wrong_type(key, wanted, setting));
        }
        value
    }

    /// True or false.
    pub fn bool(&mut self, key: &'a str) -> Option<bool> {
        self.typed(key, "true or false", |value| match value {
            Value::Bool(bool) => Some(*bool),
            _ => None,
        })
    }

    /// A text.
    pub fn text(&mut self, key: &'a str) -> Option<&'a str> {
        self.typed(key, "a text", |value| match value {
            Value::Text(text) => Some(text.as_str()),
            _ => None,
        })
    }

    /// A table.
    pub fn table(&mut self, key: &'a str) -> Option<&'a Table> {
        self.typed(key, "a table", |value| match value {
            Value::Table(table) => Some(table),
            _ => None,
        })
    }

    /// A list.
    pub fn list(&mut self, key: &'a str) -> Option<&'a [Setting]> {
        self.typed(key, "a list", |value| match value {
            Value::List(list) => Some(list.as_slice()),
            _ => None,
        })
    }

    /// A number.
    pub fn float(&mut self, key: &'a str) -> Option<f64> {
        self.typed(key, "a number", number)
    }

    /// Numbers, just `N` of them.
    pub fn floats<const N: usize>(&mut self, key: &'a str) -> Option<[f64; N]> {
        self.typed(key, &format!("a list of {N} numbers"), |value| match value {
            Value::List(list) if list.len() == N => {
                let mut numbers = [0.0; N];
                for (number_slot, setting) in numbers.iter_mut().zip(list) {
                    *number_slot = number(&setting.value)?;
                }
                Some(numbers)
            }
            _ => None,
        })
    }

    /// An integer in a range, both ends included.
    pub fn int(&mut self, key: &'a str, least: i64, most: i64) -> Option<i64> {
        let int = self.typed(key, "an integer", |value| match value {
            Value::Int(int) => Some(*int),
            _ => None,
        })?;
        if !(least..=most).contains(&int) {
            let span = self.table.get(key).map_or(self.table.span, |setting| setting.span);
            let problem = Diagnostic::error(&OUT_OF_RANGE, format!("`{key}` is {int}"));
            self.problems.push(problem.label(span, format!("must be from {least} to {most}")));
            return None;
        }
        Some(int)
    }

    /// One of a few words.
    pub fn choice<T: Copy>(&mut self, key: &'a str, choices: &[(&'static str, T)]) -> Option<T> {
        let text = self.text(key)?;
        let span = self.table.get(key).map_or(self.table.span, |setting| setting.span);
        choose(key, text, span, choices).map_err(|problem| self.problems.push(problem)).ok()
    }

    /// Reports the settings that were not asked for.
    pub fn finish(self) {
        let known = |key: &str| self.known.contains(&key);
        let mut unknown = self.table.entries.iter().filter(|(key, ..)| !known(key));
        for (key, span, _) in unknown.by_ref().take(MOST_UNKNOWN) {
            let problem = Diagnostic::error(&UNKNOWN_KEY, format!("there is no setting `{key}` here"));
            let mut problem = problem.label(*span, "not known");
            match suggest::nearest(key, self.known.iter().copied()) {
                Some(near) => problem = problem.did_you_mean(near, *span, near),
                None => {
                    problem = problem.help(format!("settings here are {}", list(self.known.iter().copied())))
                }
            }
            self.problems.push(problem);
        }
        if let Some((_, span, _)) = unknown.next() {
            let message = counted(1 + unknown.count(), "more unknown setting");
            self.problems.push(Diagnostic::error(&UNKNOWN_KEY, message).label(*span, "the first of them"));
        }
    }
}

/// Of more unknown settings in one table the others are counted.
const MOST_UNKNOWN: usize = 100;

/// The choice that a word names, or what is wrong with it.
pub fn choose<T: Copy>(
    key: &str,
    text: &str,
    span: Span,
    choices: &[(&'static str, T)],
) -> Result<T, Diagnostic> {
    if let Some((_, choice)) = choices.iter().find(|(name, _)| *name == text) {
        return Ok(*choice);
    }
    let names = choices.iter().map(|(name, _)| *name);
    let problem = Diagnostic::error(&UNKNOWN_CHOICE, format!("`{key}` cannot be `{text}`")).label(span, "");
    let problem = problem.help(format!("it is one of {}", list(names.clone())));
    Err(match suggest::nearest(text, names) {
        Some(near) => problem.did_you_mean(near, span, format!("\"{near}\"")),
        None => problem,
    })
}

/// The number that a value is.
pub fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Int(int) => Some(*int as f64),
        Value::Float(float) => Some(*float),
        _ => None,
    }
}

/// The problem of a setting that should have been something else.
pub fn wrong_type(key: &str, wanted: &str, setting: &Setting) -> Diagnostic {
    let message = format!("`{key}` must be {wanted}");
    Diagnostic::error(&WRONG_TYPE, message).label(setting.span, format!("this is {}", setting.value.kind()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_that_is_required_and_read_is_listed_once() {
        let table = Table::of(&[("depth", Value::Bool(true))]);
        let mut problems = Vec::new();
        let mut reader = Reader::new(&table, &mut problems);
        reader.require("width", "");
        reader.int("width", 1, 9);
        reader.bool("no_limits");
        reader.finish();
        let messages: Vec<&str> = problems.iter().map(|problem| problem.message.as_str()).collect();
        assert_eq!(messages, ["`width` is missing", "there is no setting `depth` here"]);
        assert_eq!(problems[1].help, ["settings here are `width` and `no_limits`"]);
    }

    /// The value of each kind of setting that a table has, or what is wrong with it.
    #[test]
    fn settings_are_of_the_kind_that_is_asked_for() {
        let numbers = |all: &[f64]| {
            let list = all.iter().map(|own| Setting { span: Span::default(), value: Value::Float(*own) });
            Value::List(list.collect())
        };
        let read = |value: Value| {
            let table = Table::of(&[("key", value)]);
            let mut problems = Vec::new();
            let mut reader = Reader::new(&table, &mut problems);
            let floats = reader.floats::<3>("key");
            drop(reader);
            (floats, problems.first().map(|problem| problem.message.clone()))
        };
        let wrong = Some("`key` must be a list of 3 numbers".to_owned());
        assert_eq!(read(numbers(&[1.0, 2.0, 3.0])), (Some([1.0, 2.0, 3.0]), None));
        // Two, four, none, and something other than a list.
        for value in [numbers(&[1.0, 2.0]), numbers(&[1.0; 4]), numbers(&[]), Value::Float(1.0)] {
            assert_eq!(read(value), (None, wrong.clone()));
        }
        let mixed = [Value::Int(1), Value::Float(2.5), Value::Bool(true)]
            .map(|value| Setting { span: Span::default(), value });
        assert_eq!(read(Value::List(mixed.to_vec())), (None, wrong));
        let integers = [1, 2, 3].map(|int| Setting { span: Span::default(), value: Value::Int(int) });
        assert_eq!(read(Value::List(integers.to_vec())).0, Some([1.0, 2.0, 3.0]));
    }

    #[test]
    fn integers_are_in_their_range() {
        let read = |int: i64| {
            let table = Table::of(&[("n", Value::Int(int))]);
            let mut problems = Vec::new();
            let found = Reader::new(&table, &mut problems).int("n", -2, 9);
            (found, problems.len())
        };
        assert_eq!([-3, -2, 9, 10].map(read), [(None, 1), (Some(-2), 0), (Some(9), 0), (None, 1)]);
    }

    /// A hundred are reported one by one, the others are counted.
    #[test]
    fn many_unknown_settings_are_counted() {
        let messages = |count: usize| {
            let names: Vec<String> = (0..count).map(|number| format!("s{number}")).collect();
            let entries: Vec<(&str, Value)> =
                names.iter().map(|name| (name.as_str(), Value::Bool(true))).collect();
            let table = Table::of(&entries);
            let mut problems = Vec::new();
            Reader::new(&table, &mut problems).finish();
            (problems.len(), problems.last().map_or(String::new(), |problem| problem.message.clone()))
        };
        assert_eq!(messages(0), (0, String::new()));
        assert_eq!(messages(100), (100, "there is no setting `s99` here".to_owned()));
        assert_eq!(messages(101), (101, "1 more unknown setting".to_owned()));
        assert_eq!(messages(105), (101, "5 more unknown settings".to_owned()));
    }
}
