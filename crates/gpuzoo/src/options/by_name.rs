//! Options that a caller passes by name.

use gpuzoo_diag::{Diagnostic, serde, suggest};
use gpuzoo_isa::list;
use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{DeserializeOwned, IntoDeserializer, Visitor};
use serde::{Deserializer, forward_to_deserialize_any};
use serde_json::{Map, Value};
use std::cell::Cell;

pub use gpuzoo_diag::choice::NO_SUCH_CHOICE;

gpuzoo_diag::codes! {
    BAD_OPTION = "G0141", "option that does not exist",
        "Bindings, editors and debuggers pass options by name. The message names the nearest one; `gpuzoo list options` shows what only some machines have.";
}

/// Options by name, as a binding, an editor or a debugger passes them. Names are in snake case; `fastMath` and `fast-math` are `fast_math`,
/// too.
///
/// ```
/// use gpuzoo::options::{CompileOptions, Level, OptionMap};
/// use serde_json::json;
/// let mut options = OptionMap::from_json(json!({ "level": "longest", "fastMath": true, "boundary": 3 }))?;
/// let compile: CompileOptions = options.take()?;
/// assert_eq!((compile.level, compile.fast_math), (Level::Longest, true));
/// assert_eq!(options.finish().unwrap_err().code.id, "G0141");
/// # Ok::<(), gpuzoo::diag::Diagnostic>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct OptionMap {
    values: Map<String, Value>,
    /// Names that were asked for, for messages.
    known: Vec<String>,
}

impl OptionMap {
    /// Options from a JSON object; `null` is no option.
    ///
    /// # Errors
    /// `G0140` for another type.
    pub fn from_json(json: Value) -> Result<OptionMap, Diagnostic> {
        match json {
            Value::Null => Ok(OptionMap::default()),
            Value::Object(members) => {
                let values = members.into_iter().filter(|(_, value)| !value.is_null());
                let values = values.map(|(name, value)| (snake_case(&name), value)).collect();
                Ok(OptionMap { values, known: Vec::new() })
            }
            _ => Err(Diagnostic::error(&NO_SUCH_CHOICE, "options are an object with a member for each")),
        }
    }

    /// Options from names and texts; a name that occurs more than once is a list.
    pub fn from_pairs<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> OptionMap {
        let mut values: Map<String, Value> = Map::new();
        for (name, value) in pairs {
            match values.get_mut(&snake_case(name)) {
                None => {
                    values.insert(snake_case(name), value.into());
                }
                Some(Value::Array(list)) => list.push(value.into()),
                Some(first) => *first = Value::Array(vec![first.take(), value.into()]),
            }
        }
        OptionMap { values, known: Vec::new() }
    }

    /// The options that are left, by name in snake case.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.values.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// Takes the options of a struct out of these.
    ///
    /// # Errors
    /// `G0140` for a value that an option does not take.
    pub fn take<T: DeserializeOwned>(&mut self) -> Result<T, Diagnostic> {
        T::deserialize(Taken(self)).map_err(|Error(message)| Diagnostic::error(&NO_SUCH_CHOICE, message))
    }

    /// Checks that every option was taken.
    ///
    /// # Errors
    /// `G0141` for one that was not, with the nearest name.
    pub fn finish(self) -> Result<(), Diagnostic> {
        let Some((name, _)) = self.values.iter().next() else { return Ok(()) };
        let problem = Diagnostic::error(&BAD_OPTION, format!("there is no option `{name}` here"));
        let known = || self.known.iter().map(String::as_str);
        Err(match suggest::nearest(name, known()) {
            Some(nearest) => problem.help(format!("did you mean `{nearest}`?")),
            None => problem.help(format!("options are {}", list(known()))),
        })
    }
}

/// A name in snake case.
fn snake_case(name: &str) -> String {
    let mut text = String::new();
    for letter in name.chars() {
        match letter {
            '-' => text.push('_'),
            letter if letter.is_ascii_uppercase() => text.extend(['_', letter.to_ascii_lowercase()]),
            letter => text.push(letter),
        }
    }
    text
}

/// A message of serde.
#[derive(Debug)]
struct Error(String);

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

impl serde::de::Error for Error {
    fn custom<T: std::fmt::Display>(message: T) -> Error {
        Error(message.to_string())
    }
}

/// Gives a struct the members that have the names of its fields.
struct Taken<'a>(&'a mut OptionMap);

impl<'de> Deserializer<'de> for Taken<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, Error> {
        Err(Error("options are a struct".to_owned()))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.0.known.extend(fields.iter().map(|field| (*field).to_owned()));
        let members = fields.iter().filter_map(|field| Some((*field, self.0.values.shift_remove(*field)?)));
        let current = Cell::new("");
        let members: Vec<_> =
            members.map(|(name, value)| (name, Member { name, value, current: &current })).collect();
        let read = visitor.visit_map(MapDeserializer::new(members.into_iter()));
        read.map_err(|Error(message)| {
            let name = format!("`{}`", current.get());
            Error(if message.starts_with(&name) { message } else { format!("{name}: {message}") })
        })
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct newtype_struct seq
        tuple tuple_struct map enum identifier ignored_any
    }
}

/// The value of an option. A text is read as the type that is asked for.
struct Member<'a> {
    name: &'static str,
    value: Value,
    /// Name of the option that is read.
    current: &'a Cell<&'static str>,
}

impl<'a> IntoDeserializer<'_, Error> for Member<'a> {
    type Deserializer = Member<'a>;

    fn into_deserializer(self) -> Member<'a> {
        self.current.set(self.name);
        self
    }
}

impl Member<'_> {
    /// Names the option in a message.
    fn named<T>(name: &str, result: Result<T, serde_json::Error>) -> Result<T, Error> {
        result.map_err(|error| Error(format!("`{name}`: {error}")))
    }
}

macro_rules! read_from_text {
    ($($method:ident: $type:ty, $expected:literal;)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            let value = match self.value.as_str().map(|text| text.trim().parse::<$type>()) {
                Some(Ok(value)) => value.into(),
                Some(Err(_)) => return Err(Error(format!("`{}` is {}, not {}", self.name, $expected, self.value))),
                None => self.value,
            };
            Member::named(self.name, Deserializer::$method(value, visitor))
        })*
    };
}

impl<'de> Deserializer<'de> for Member<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        Member::named(self.name, self.value.deserialize_any(visitor))
    }

    read_from_text! {
        deserialize_bool: bool, "true or false";
        deserialize_u8: u8, "a number from 0 to 255";
        deserialize_u16: u16, "a number from 0 to 65535";
        deserialize_u32: u32, "a whole number";
        deserialize_u64: u64, "a whole number";
        deserialize_i64: i64, "a whole number";
        deserialize_f32: f32, "a number";
        deserialize_f64: f64, "a number";
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let list = match self.value {
            Value::Array(list) => list,
            value => vec![value],
        };
        let Member { name, current, .. } = self;
        let members = list.into_iter().map(|value| Member { name, value, current });
        visitor.visit_seq(SeqDeserializer::new(members))
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i128 u128 char str string bytes byte_buf unit unit_struct newtype_struct tuple tuple_struct map struct enum
        identifier ignored_any
    }
}
