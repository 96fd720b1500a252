//! What a machine's verbs can be given beside what is the same for all machines: declared as data, so that the command
//! line has an option for each, and any other front end a name.

use crate::computer::disk::Disk;
use gpuzoo_diag::{Diagnostic, suggest};
use gpuzoo_isa::list;

gpuzoo_diag::codes! {
    BAD_ARGUMENT = "G0108", "argument that cannot be used",
        "An argument does not have the form that it must have, or is not for the verb, the machine, or what the other arguments \
         say. The message says what is expected.";
}

/// A verb that takes a machine's own parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verb {
    /// Reading a program, for whatever verb.
    Read,
    /// Text to a program.
    Assemble,
    /// A program to text.
    Disassemble,
    /// A text laid out.
    Format,
    /// Mistakes and size.
    Check,
    /// A source in a shading language to a program.
    Compile,
    /// A program made shorter.
    Pack,
    /// A program as a shader of the host.
    Translate,
    /// A run to its end.
    Run,
    /// A run, step by step.
    Trace,
    /// The same with commands.
    Debug,
    /// Where a value of a run comes from.
    Why,
    /// A run as a file that can be run again.
    Record,
    /// Pictures.
    Render,
    /// Vectors that are made.
    Vectors,
    /// Vectors that are compared.
    Conform,
    /// Profiles that are compared.
    Diff,
}

impl Verb {
    /// As it is written: `assemble`.
    pub const fn name(self) -> &'static str {
        match self {
            Verb::Read => "read",
            Verb::Assemble => "assemble",
            Verb::Disassemble => "disassemble",
            Verb::Format => "fmt",
            Verb::Check => "check",
            Verb::Compile => "compile",
            Verb::Pack => "pack",
            Verb::Translate => "translate",
            Verb::Run => "run",
            Verb::Trace => "trace",
            Verb::Debug => "debug",
            Verb::Why => "why",
            Verb::Record => "record",
            Verb::Render => "render",
            Verb::Vectors => "vectors",
            Verb::Conform => "conform",
            Verb::Diff => "diff",
        }
    }
}

/// Something that a machine's verbs can be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name: `ram-banks`.
    pub name: &'static str,
    /// What it takes.
    pub kind: Kind,
    /// The verbs that have it.
    pub verbs: &'static [Verb],
    /// What it is for, and what is done without it.
    pub about: &'static str,
    /// A letter for it on a command line.
    pub short: Option<char>,
    /// With it a verb needs no program: the machine starts what it gives.
    pub starts: bool,
}

/// What a [`Parameter`] takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// Nothing: it is there or not.
    Flag,
    /// A number in a range, both ends included.
    Number {
        /// The least.
        least: u64,
        /// The most.
        most: u64,
    },
    /// An address of 16 bits: `$0801`, `0x801`, or decimal.
    Address,
    /// A text; it can be given several times.
    Name,
    /// One of some names, in any case of letters; it can be given several times.
    Choice(&'static [&'static str]),
    /// The bytes of a file.
    File,
    /// A text that is a part of the program, which reading gets as a [file](Value::File) that is named from the program's folder; it can be
    /// given several times.
    Source,
    /// A folder in which files that a text names are looked for; it can be given several times.
    Folder,
    /// A folder that the program uses as a disk: it reads files there, and what it writes is put there.
    Disk,
    /// The bytes of a file, or a folder as a [disk](Value::Disk) of which nothing but its files is used: no verb writes there.
    FileOrDisk,
    /// A file to write, of which the arguments have a [flag](Arguments::flag): of `assemble` the program in the
    /// [form](crate::FileForm) that has the parameter's name, of the others the one of the [`Files`](crate::computer::Files) that has it, or
    /// of `render` the [sound](crate::computer::Screen::sound).
    Output,
}

/// A value of a [`Parameter`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Value {
    /// A [flag](Kind::Flag) that is there, or a [file](Kind::Output) that is wanted.
    Flag,
    /// A number, or an address.
    Number(u64),
    /// A name.
    Name(String),
    /// A file: its name for messages, and its bytes.
    File(String, Vec<u8>),
    /// A [disk](Kind::Disk).
    Disk(Disk),
}

impl From<Disk> for Value {
    fn from(disk: Disk) -> Value {
        Value::Disk(disk)
    }
}

impl From<u64> for Value {
    fn from(number: u64) -> Value {
        Value::Number(number)
    }
}

impl From<&str> for Value {
    fn from(name: &str) -> Value {
        Value::Name(name.to_owned())
    }
}

impl From<Vec<u8>> for Value {
    /// A file without a name.
    fn from(bytes: Vec<u8>) -> Value {
        Value::File(String::new(), bytes)
    }
}

impl Parameter {
    /// A parameter of these verbs.
    pub const fn new(
        name: &'static str,
        kind: Kind,
        verbs: &'static [Verb],
        about: &'static str,
    ) -> Parameter {
        Parameter { name, kind, verbs, about, short: None, starts: false }
    }

    /// One that a machine starts without a program, an image of its ROM for example.
    #[must_use]
    pub const fn starts(mut self) -> Parameter {
        self.starts = true;
        self
    }

    /// With a letter for the command line.
    #[must_use]
    pub const fn short(mut self, letter: char) -> Parameter {
        self.short = Some(letter);
        self
    }

    /// A value from its text.
    ///
    /// ```
    /// use gpuzoo_machine::options::arguments::{Kind, Parameter, Value, Verb};
    /// let start = Parameter::new("start", Kind::Address, &[Verb::Run], "where to start");
    /// assert_eq!(start.read("$0801"), Ok(Value::Number(0x801)));
    /// assert!(start.read("here").is_err());
    /// ```
    ///
    /// # Errors
    /// `G0108`, with what it takes.
    pub fn read(&self, text: &str) -> Result<Value, Diagnostic> {
        let value = match self.kind {
            Kind::Flag => Some(Value::Flag),
            Kind::Choice(_) | Kind::Name => Some(Value::from(text)),
            Kind::Number { .. } => text.parse().ok().map(Value::Number),
            Kind::Address => {
                let hexadecimal = text.strip_prefix('$').or_else(|| text.strip_prefix("0x"));
                let number = match hexadecimal {
                    Some(digits) => u16::from_str_radix(digits, 16),
                    None => text.parse(),
                };
                number.ok().map(|number| Value::Number(number.into()))
            }
            Kind::File | Kind::Source | Kind::Folder | Kind::Disk | Kind::FileOrDisk | Kind::Output => None,
        };
        let known = value.filter(|value| self.takes(value));
        known.ok_or_else(|| self.refused(&format!("`{text}`"), text))
    }

    /// True if a value is one that it takes.
    pub fn takes(&self, value: &Value) -> bool {
        match (self.kind, value) {
            (Kind::Flag | Kind::Output, Value::Flag)
            | (Kind::File | Kind::Source | Kind::FileOrDisk, Value::File(..))
            | (Kind::Disk | Kind::FileOrDisk, Value::Disk(_)) => true,
            (Kind::Name, Value::Name(_)) => true,
            (Kind::Choice(names), Value::Name(name)) => {
                names.iter().any(|own| own.eq_ignore_ascii_case(name))
            }
            (Kind::Address, Value::Number(number)) => *number <= 0xffff,
            (Kind::Number { least, most }, Value::Number(number)) => (least..=most).contains(number),
            _ => false,
        }
    }

    /// Checks a value.
    ///
    /// # Errors
    /// `G0108`, with what it takes.
    pub fn check(&self, value: &Value) -> Result<(), Diagnostic> {
        if self.takes(value) {
            return Ok(());
        }
        let (shown, name) = match value {
            Value::Flag => ("a flag".to_owned(), ""),
            Value::Number(number) => (number.to_string(), ""),
            Value::Name(name) => (format!("`{name}`"), name.as_str()),
            Value::File(..) => ("the bytes of a file".to_owned(), ""),
            Value::Disk(_) => ("a disk".to_owned(), ""),
        };
        Err(self.refused(&shown, name))
    }

    fn refused(&self, shown: &str, name: &str) -> Diagnostic {
        let problem = Diagnostic::error(&BAD_ARGUMENT, format!("`--{}` cannot be {shown}", self.name));
        match self.kind {
            Kind::Flag => problem.help("it takes no value"),
            Kind::Name => problem.help("it is a text"),
            Kind::Number { least, most: u64::MAX } => problem.help(format!("it is a number from {least} on")),
            Kind::Number { least, most } => problem.help(format!("it is a number from {least} to {most}")),
            Kind::Address => problem.help("an address is $0000 to $FFFF, 0x0000 to 0xFFFF, or decimal"),
            Kind::Choice(names) => {
                let problem = match suggest::nearest(name, names.iter().copied()) {
                    Some(near) => problem.help(format!("did you mean `{near}`?")),
                    None => problem,
                };
                problem.help(format!("choices are {}", list(names.iter().copied())))
            }
            Kind::File | Kind::Source | Kind::Folder | Kind::Disk | Kind::FileOrDisk | Kind::Output => {
                problem.help("it is a path")
            }
        }
    }
}

/// What a verb was given for a machine's [parameters](crate::About::parameters), and the numeric profile.
///
/// ```
/// use gpuzoo_machine::options::arguments::Arguments;
/// let arguments = Arguments::new("rtl").set("frames", 3).set("deviation", "E1").set("deviation", "E2");
/// assert_eq!(arguments.number("frames"), Some(3));
/// assert_eq!(arguments.names("deviation").collect::<Vec<_>>(), ["E1", "E2"]);
/// assert!(!arguments.flag("state"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arguments {
    /// The numeric profile; empty for the machine's default.
    pub profile: String,
    given: Vec<(String, Value)>,
}

impl Arguments {
    /// A profile, and nothing else.
    pub fn new(profile: &str) -> Arguments {
        Arguments { profile: profile.to_owned(), given: Vec::new() }
    }

    /// The same with another profile.
    #[must_use]
    pub fn of_profile(mut self, profile: &str) -> Arguments {
        profile.clone_into(&mut self.profile);
        self
    }

    /// With a value. Of two for the same parameter the last one counts, but for names and sources, which all count.
    #[must_use]
    pub fn set(mut self, name: &str, value: impl Into<Value>) -> Arguments {
        self.given.push((name.to_owned(), value.into()));
        self
    }

    /// With a flag.
    #[must_use]
    pub fn with(self, flag: &str) -> Arguments {
        self.set(flag, Value::Flag)
    }

    /// All that was given.
    pub fn given(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.given.iter().map(|(name, value)| (name.as_str(), value))
    }

    fn last(&self, name: &str) -> Option<&Value> {
        self.given.iter().rev().find(|(given, _)| given == name).map(|(_, value)| value)
    }

    /// True if a flag is there, or a file is wanted.
    pub fn flag(&self, name: &str) -> bool {
        self.last(name) == Some(&Value::Flag)
    }

    /// A number, or an address.
    pub fn number(&self, name: &str) -> Option<u64> {
        match self.last(name)? {
            Value::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// Names, in the order in which they were given.
    pub fn names(&self, name: &str) -> impl Iterator<Item = &str> {
        self.given.iter().filter(move |(given, _)| given == name).filter_map(|(_, value)| match value {
            Value::Name(name) => Some(name.as_str()),
            _ => None,
        })
    }

    /// Sources, in the order in which they were given: their names and bytes.
    pub fn sources(&self, name: &str) -> impl Iterator<Item = (&str, &[u8])> {
        self.given.iter().filter(move |(given, _)| given == name).filter_map(|(_, value)| match value {
            Value::File(name, bytes) => Some((name.as_str(), bytes.as_slice())),
            _ => None,
        })
    }

    /// A file: its name for messages, and its bytes.
    pub fn file(&self, name: &str) -> Option<(&str, &[u8])> {
        match self.last(name)? {
            Value::File(name, bytes) => Some((name, bytes)),
            _ => None,
        }
    }

    /// A disk.
    pub fn disk(&self, name: &str) -> Option<&Disk> {
        match self.last(name)? {
            Value::Disk(disk) => Some(disk),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_and_limits_kept() {
        let of = |kind| Parameter::new("x", kind, &[], "");
        let number = of(Kind::Number { least: 1, most: 9 });
        assert_eq!(number.read("9"), Ok(Value::Number(9)));
        assert_eq!(number.read("10").unwrap_err().help, ["it is a number from 1 to 9"]);
        assert_eq!(number.check(&10.into()).unwrap_err().message, "`--x` cannot be 10");
        let choice = of(Kind::Choice(&["E1", "E2"]));
        assert_eq!(choice.read("e2"), Ok("e2".into()));
        assert_eq!(choice.read("E3").unwrap_err().help[0], "did you mean `E1`?");
        assert!(number.takes(&1.into()) && !number.takes(&0.into()) && !number.takes(&"1".into()));
        assert_eq!(of(Kind::Address).read("$ffff"), Ok(Value::Number(0xffff)));
        assert!(of(Kind::Address).read("$10000").is_err() && !of(Kind::Address).takes(&0x1_0000.into()));
        assert!(of(Kind::File).takes(&vec![1].into()) && of(Kind::File).read("x").is_err());
        assert!(of(Kind::Flag).takes(&Value::Flag));
        assert!(of(Kind::Output).takes(&Value::Flag) && !of(Kind::Output).takes(&"x".into()));
    }

    #[test]
    fn the_last_value_counts() {
        let arguments = Arguments::default().set("n", 1).set("n", 2).with("f").set("b", vec![7]);
        assert_eq!((arguments.number("n"), arguments.flag("f")), (Some(2), true));
        assert_eq!((arguments.file("b"), arguments.file("n")), (Some(("", &[7][..])), None));
        assert_eq!(arguments.given().count(), 4);
    }
}
