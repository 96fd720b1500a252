//! Options of the form `NAME=VALUE`.

use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

/// A name and its value.
///
/// ```
/// use gpuzoo_machine::options::assignment::Assignment;
/// let binding: Assignment<u32> = "c=4".parse()?;
/// assert_eq!((binding.name.as_str(), binding.value), ("c", 4));
/// assert!("c".parse::<Assignment>().is_err());
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment<T = String> {
    /// The name, without whitespace around it.
    pub name: String,
    /// The value.
    pub value: T,
}

impl<T: FromStr> FromStr for Assignment<T> {
    type Err = String;

    fn from_str(text: &str) -> Result<Assignment<T>, String> {
        let pair =
            text.split_once('=').and_then(|(name, value)| Some((name.trim(), value.trim().parse().ok()?)));
        match pair {
            Some((name, value)) if !name.is_empty() => Ok(Assignment { name: name.to_owned(), value }),
            _ => Err(format!("`{text}` is not `NAME=VALUE`")),
        }
    }
}

/// Reads assignments from an object `{"NAME": VALUE}` or from a list of texts `NAME=VALUE`; for `#[serde(with = "assignment")]`.
///
/// # Errors
/// Another type, or a text of another form.
pub fn deserialize<'de, D, T>(deserializer: D) -> Result<Vec<Assignment<T>>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + FromStr,
{
    struct Assignments<T>(PhantomData<T>);

    impl<'de, T: Deserialize<'de> + FromStr> Visitor<'de> for Assignments<T> {
        type Value = Vec<Assignment<T>>;

        fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
            f.write_str("an object of names and values, or texts `NAME=VALUE`")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut all = Vec::new();
            while let Some((name, value)) = map.next_entry()? {
                all.push(Assignment { name, value });
            }
            Ok(all)
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
            let mut all = Vec::new();
            while let Some(text) = list.next_element::<String>()? {
                all.push(text.parse().map_err(A::Error::custom)?);
            }
            Ok(all)
        }

        fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
            text.split(',').map(|text| text.parse().map_err(E::custom)).collect()
        }
    }

    deserializer.deserialize_any(Assignments(PhantomData))
}
