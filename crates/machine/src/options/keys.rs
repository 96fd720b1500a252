//! Settings as data: a reader takes what a key says, and `explain` and the reference pages show it.

use crate::options::settings::{Reader, Table};
use crate::unit::run_state::Mode;
use gpuzoo_isa::list;

/// A setting that a table may have.
pub trait Key: Sync {
    /// Its name.
    fn name(&self) -> &'static str;

    /// What it does.
    fn about(&self) -> &'static str;

    /// What may be written, in words.
    fn takes(&self) -> String;

    /// What holds without it, as it is written or in words; empty for what must be given.
    fn default(&self) -> String;

    /// What tables show as the default.
    fn without(&self) -> String {
        match self.default() {
            none if none.is_empty() => "must be given".to_owned(),
            default => default,
        }
    }

    /// A value that it can have, as it is written.
    fn example(&self) -> String;

    /// Its words, each with what it means, where they are explained one by one.
    fn choices(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// The settings of a table.
    fn keys(&self) -> &'static [&'static dyn Key] {
        &[]
    }
}

/// The name and the meaning of a key that has them as fields.
macro_rules! named {
    () => {
        fn name(&self) -> &'static str {
            self.name
        }

        fn about(&self) -> &'static str {
            self.about
        }
    };
}

/// True or false.
///
/// ```
/// use gpuzoo_machine::options::keys::{Flag, Key};
/// use gpuzoo_machine::options::settings::{Reader, Table, Value};
/// static WRITE: Flag = Flag::new("depth_write", true, "whether depths are stored");
/// let (table, mut problems) = (Table::of(&[("depth_write", Value::Bool(false))]), Vec::new());
/// assert!(!WRITE.read(&mut Reader::new(&table, &mut problems)));
/// assert_eq!((WRITE.default().as_str(), WRITE.takes().as_str()), ("true", "`true` or `false`"));
/// ```
#[derive(Debug)]
pub struct Flag {
    name: &'static str,
    default: bool,
    about: &'static str,
}

impl Flag {
    /// A flag that is so without a word.
    pub const fn new(name: &'static str, default: bool, about: &'static str) -> Flag {
        Flag { name, default, about }
    }

    /// What a table says.
    pub fn read(&self, reader: &mut Reader) -> bool {
        reader.bool(self.name).unwrap_or(self.default)
    }
}

impl Key for Flag {
    named!();

    fn takes(&self) -> String {
        "`true` or `false`".to_owned()
    }

    fn default(&self) -> String {
        self.default.to_string()
    }

    fn example(&self) -> String {
        (!self.default).to_string()
    }
}

/// One of a few words.
#[derive(Debug)]
pub struct Choice<T: 'static> {
    name: &'static str,
    choices: &'static [(&'static str, T)],
    default: T,
    about: &'static str,
}

impl<T: Copy + PartialEq> Choice<T> {
    /// One of these words; without a word the default, which is among them.
    pub const fn new(
        name: &'static str,
        choices: &'static [(&'static str, T)],
        default: T,
        about: &'static str,
    ) -> Choice<T> {
        Choice { name, choices, default, about }
    }

    /// What a table says.
    pub fn read(&self, reader: &mut Reader) -> T {
        reader.choice(self.name, self.choices).unwrap_or(self.default)
    }
}

impl<T: Copy + PartialEq + Sync> Key for Choice<T> {
    named!();

    fn takes(&self) -> String {
        words(self.choices.iter().map(|(name, _)| *name))
    }

    fn default(&self) -> String {
        let found = self.choices.iter().find(|(_, choice)| *choice == self.default);
        found.map_or(String::new(), |(name, _)| quoted(name))
    }

    fn example(&self) -> String {
        let other = self.choices.iter().find(|(_, choice)| *choice != self.default);
        other.map_or(String::new(), |(name, _)| quoted(name))
    }
}

/// An integer in a range, both ends included.
#[derive(Debug)]
pub struct Int {
    name: &'static str,
    least: i64,
    most: i64,
    default: i64,
    about: &'static str,
}

impl Int {
    /// An integer from `least` to `most`.
    pub const fn new(
        name: &'static str,
        (least, most): (i64, i64),
        default: i64,
        about: &'static str,
    ) -> Int {
        Int { name, least, most, default, about }
    }

    /// What a table says.
    pub fn read(&self, reader: &mut Reader) -> i64 {
        reader.int(self.name, self.least, self.most).unwrap_or(self.default)
    }
}

impl Key for Int {
    named!();

    fn takes(&self) -> String {
        format!("an integer from {} to {}", self.least, self.most)
    }

    fn default(&self) -> String {
        self.default.to_string()
    }

    fn example(&self) -> String {
        self.default.to_string()
    }
}

/// A number.
#[derive(Debug)]
pub struct Number {
    name: &'static str,
    default: f64,
    about: &'static str,
}

impl Number {
    /// A number.
    pub const fn new(name: &'static str, default: f64, about: &'static str) -> Number {
        Number { name, default, about }
    }

    /// What a table says.
    pub fn read(&self, reader: &mut Reader) -> f64 {
        reader.float(self.name).unwrap_or(self.default)
    }
}

impl Key for Number {
    named!();

    fn takes(&self) -> String {
        "a number".to_owned()
    }

    fn default(&self) -> String {
        format!("{:?}", self.default)
    }

    fn example(&self) -> String {
        format!("{:?}", self.default)
    }
}

/// A table of settings.
pub struct Section {
    name: &'static str,
    keys: &'static [&'static dyn Key],
    default: &'static str,
    about: &'static str,
    is_list: bool,
}

impl Section {
    /// A table of these settings; `default` says what holds without one.
    pub const fn new(
        name: &'static str,
        keys: &'static [&'static dyn Key],
        default: &'static str,
        about: &'static str,
    ) -> Section {
        Section { name, keys, default, about, is_list: false }
    }

    /// A list of such tables.
    #[must_use]
    pub const fn list(mut self) -> Section {
        self.is_list = true;
        self
    }

    /// The table, if there is one.
    pub fn read<'a>(&self, reader: &mut Reader<'a, '_>) -> Option<&'a Table> {
        reader.table(self.name)
    }
}

impl Key for Section {
    named!();

    fn takes(&self) -> String {
        let what = if self.is_list { "a list of tables" } else { "a table" };
        format!("{what} of {}", list(self.keys.iter().map(|key| key.name())))
    }

    fn default(&self) -> String {
        self.default.to_owned()
    }

    fn example(&self) -> String {
        let entries = self.keys.iter().map(|key| format!("{} = {}", key.name(), key.example()));
        let table = format!("{{ {} }}", entries.collect::<Vec<_>>().join(", "));
        if self.is_list { format!("[{table}]") } else { table }
    }

    fn keys(&self) -> &'static [&'static dyn Key] {
        self.keys
    }
}

/// A setting that is read in a way of its own.
#[derive(Clone, Copy, Debug)]
pub struct Plain {
    /// Its name.
    pub name: &'static str,
    /// What may be written, in words.
    pub takes: &'static str,
    /// What holds without it; empty for what must be given.
    pub default: &'static str,
    /// A value that it can have, as it is written.
    pub example: &'static str,
    /// What it does.
    pub about: &'static str,
}

impl Plain {
    /// A setting; see the fields.
    pub const fn new(
        name: &'static str,
        takes: &'static str,
        default: &'static str,
        example: &'static str,
        about: &'static str,
    ) -> Plain {
        Plain { name, takes, default, example, about }
    }
}

impl Key for Plain {
    named!();

    fn takes(&self) -> String {
        self.takes.to_owned()
    }

    fn default(&self) -> String {
        self.default.to_owned()
    }

    fn example(&self) -> String {
        self.example.to_owned()
    }
}

/// A mode is a setting of a draw on machines that read it there.
impl Key for Mode {
    named!();

    fn takes(&self) -> String {
        words(self.choices.iter().map(|(name, _)| *name))
    }

    fn default(&self) -> String {
        self.choices.first().map_or(String::new(), |(name, _)| quoted(name))
    }

    fn example(&self) -> String {
        self.choices.last().map_or(String::new(), |(name, _)| quoted(name))
    }

    fn choices(&self) -> &'static [(&'static str, &'static str)] {
        self.choices
    }
}

fn quoted(name: &str) -> String {
    format!("\"{name}\"")
}

/// `"a"`, `"b"` or `"c"`
fn words(names: impl Iterator<Item = &'static str>) -> String {
    let names: Vec<String> = names.map(|name| format!("`\"{name}\"`")).collect();
    match &names[..] {
        [rest @ .., last] if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => names.concat(),
    }
}
