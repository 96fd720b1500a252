//! What the records of vector files may say: members, and what each must be. A record is held to it before it is run, so
//! that nothing in it is passed over.

use gpuzoo_diag::suggest;
use gpuzoo_isa::list;
use serde_json::{Map, Value as Json};

/// What a value must be.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// Anything: a remark that is not compared, or what something else reads and holds to its own rules.
    Any,
    /// A text.
    Text,
    /// True or false.
    Bool,
    /// An integer, not below 0.
    Count,
    /// An integer.
    Int,
    /// A number.
    Number,
    /// A 32-bit word as hexadecimal text.
    Word,
    /// Bytes as hexadecimal text, two digits each.
    Bytes,
    /// A text of four letters, each of these.
    Letters(&'static str),
    /// One of these texts.
    Choice(&'static [&'static str]),
    /// A list.
    List(&'static Shape),
    /// A list of so many.
    Exactly(usize, &'static Shape),
    /// A list of so many at most.
    UpTo(usize, &'static Shape),
    /// An object with these members.
    Object(&'static [Member]),
    /// An object whose names are numbers below this.
    Numbered(usize, &'static Shape),
    /// The one or the other.
    Either(&'static Shape, &'static Shape),
    /// This, or null.
    OrNull(&'static Shape),
}

/// Four words.
pub const VEC4: Shape = Shape::Exactly(4, &Shape::Word);

/// A member of an object.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    /// Its name.
    pub name: &'static str,
    /// What it is.
    pub shape: Shape,
    /// It must be there.
    pub required: bool,
}

impl Member {
    /// One that must be there.
    pub const fn new(name: &'static str, shape: Shape) -> Member {
        Member { name, shape, required: true }
    }

    /// One that may be there.
    pub const fn optional(name: &'static str, shape: Shape) -> Member {
        Member { name, shape, required: false }
    }

    /// A remark for people, which is not compared.
    pub const fn remark(name: &'static str) -> Member {
        Member::optional(name, Shape::Any)
    }
}

/// Holds a record to its members.
///
/// ```
/// use gpuzoo_machine::vectors::shape::{Member, Shape, check};
/// use serde_json::json;
/// const MEMBERS: &[Member] = &[Member::new("out", Shape::List(&Shape::Word)), Member::optional("cycles", Shape::Count)];
/// assert_eq!(check(MEMBERS, &json!({ "out": ["3f800000"], "cycles": 7 })), Ok(()));
/// assert_eq!(
///     check(MEMBERS, &json!({ "out": [], "cycels": 7 })),
///     Err("there is no member `cycels`; did you mean `cycles`?".to_owned())
/// );
/// assert_eq!(
///     check(MEMBERS, &json!({ "out": ["1.0"] })),
///     Err("`out[0]` is \"1.0\", and must be a 32-bit word as hexadecimal text".to_owned())
/// );
/// ```
///
/// # Errors
/// What is not as it must be, with its place in the record.
pub fn check(members: &[Member], record: &Json) -> Result<(), String> {
    match record {
        Json::Object(object) => members_of(members, object, ""),
        _ => Err("it is not an object".to_owned()),
    }
}

fn members_of(members: &[Member], object: &Map<String, Json>, path: &str) -> Result<(), String> {
    let place = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    for (name, value) in object {
        match members.iter().find(|member| member.name == name) {
            Some(member) => member.shape.check(value, &place(name))?,
            None => return Err(unknown(members, name, path)),
        }
    }
    let missing = members.iter().find(|member| member.required && !object.contains_key(member.name));
    missing.map_or(Ok(()), |member| Err(format!("`{}` is missing", place(member.name))))
}

fn unknown(members: &[Member], name: &str, path: &str) -> String {
    let within = if path.is_empty() { String::new() } else { format!(" in `{path}`") };
    let names = || members.iter().map(|member| member.name);
    match suggest::nearest(name, names()) {
        Some(near) => format!("there is no member `{name}`{within}; did you mean `{near}`?"),
        None => format!("there is no member `{name}`{within}; members are {}", list(names())),
    }
}

impl Shape {
    fn check(&self, value: &Json, path: &str) -> Result<(), String> {
        let is_it = match self {
            Shape::Any => true,
            Shape::Text => value.is_string(),
            Shape::Bool => value.is_boolean(),
            Shape::Count => value.is_u64(),
            Shape::Int => value.is_i64() || value.is_u64(),
            Shape::Number => value.is_number(),
            Shape::Word => value.as_str().is_some_and(|text| text.len() <= 8 && is_hexadecimal(text)),
            Shape::Bytes => value
                .as_str()
                .is_some_and(|text| text.len() % 2 == 0 && (text.is_empty() || is_hexadecimal(text))),
            Shape::Letters(letters) => value.as_str().is_some_and(|text| {
                text.chars().count() == 4 && text.chars().all(|letter| letters.contains(letter))
            }),
            Shape::Choice(choices) => value.as_str().is_some_and(|text| choices.contains(&text)),
            Shape::List(of) => return self.each(of, value, path, |_| true),
            Shape::Exactly(count, of) => return self.each(of, value, path, |length| length == *count),
            Shape::UpTo(most, of) => return self.each(of, value, path, |length| length <= *most),
            Shape::Object(members) => match value {
                Json::Object(object) => return members_of(members, object, path),
                _ => false,
            },
            Shape::Numbered(end, of) => match value {
                Json::Object(object) => {
                    return object.iter().try_for_each(|(name, value)| {
                        let plain = name.bytes().all(|byte| byte.is_ascii_digit());
                        match name.parse::<usize>().ok().filter(|number| plain && number < end) {
                            Some(_) => of.check(value, &format!("{path}.{name}")),
                            None => {
                                Err(format!("`{path}` has `{name}`, and its names are numbers below {end}"))
                            }
                        }
                    });
                }
                _ => false,
            },
            Shape::Either(one, other) => match one.check(value, path) {
                Ok(()) => true,
                // It is neither: the reason of the first is given.
                Err(problem) if other.check(value, path).is_err() => return Err(problem),
                Err(_) => true,
            },
            Shape::OrNull(_) if value.is_null() => true,
            Shape::OrNull(of) => return of.check(value, path),
        };
        if is_it { Ok(()) } else { Err(self.wrong(value, path)) }
    }

    fn each(&self, of: &Shape, value: &Json, path: &str, fits: impl Fn(usize) -> bool) -> Result<(), String> {
        match value.as_array().filter(|list| fits(list.len())) {
            Some(list) => {
                (0..).zip(list).try_for_each(|(index, value)| of.check(value, &format!("{path}[{index}]")))
            }
            None => Err(self.wrong(value, path)),
        }
    }

    fn wrong(&self, value: &Json, path: &str) -> String {
        let found: String = match value {
            Json::Array(all) => format!("a list of {}", all.len()),
            Json::Object(_) => "an object".to_owned(),
            other => other.to_string(),
        };
        format!("`{path}` is {found}, and must be {}", self.text())
    }

    /// What it is, in words.
    fn text(&self) -> String {
        match self {
            Shape::Any => "anything".to_owned(),
            Shape::Text => "a text".to_owned(),
            Shape::Bool => "true or false".to_owned(),
            Shape::Count => "an integer, not below 0".to_owned(),
            Shape::Int => "an integer".to_owned(),
            Shape::Number => "a number".to_owned(),
            Shape::Word => "a 32-bit word as hexadecimal text".to_owned(),
            Shape::Bytes => "bytes as hexadecimal text".to_owned(),
            Shape::Letters(letters) => format!("four of the letters {letters}"),
            Shape::Choice(choices) => format!("one of {}", list(choices.iter().copied())),
            Shape::List(of) => format!("a list, each of it {}", of.text()),
            Shape::Exactly(count, of) => format!("a list of {count}, each of it {}", of.text()),
            Shape::UpTo(most, of) => format!("a list of at most {most}, each of it {}", of.text()),
            Shape::Object(members) => format!("an object of {}", list(members.iter().map(|own| own.name))),
            Shape::Numbered(end, _) => format!("an object whose names are numbers below {end}"),
            Shape::Either(one, other) => format!("{}, or {}", one.text(), other.text()),
            Shape::OrNull(of) => format!("{}, or null", of.text()),
        }
    }
}

fn is_hexadecimal(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn wrong(shape: Shape, value: Json) -> String {
        shape.check(&value, "x").unwrap_err()
    }

    #[test]
    fn what_is_not_as_it_must_be_is_named_with_its_place() {
        const CYCLES: &[Member] = &[Member::optional("first", Shape::Count)];
        const RUN: Shape = Shape::List(&Shape::Object(&[Member::optional("cycles", Shape::Object(CYCLES))]));
        assert_eq!(RUN.check(&json!([{ "cycles": { "first": 3 } }, {}]), "x"), Ok(()));
        assert_eq!(
            wrong(RUN, json!([{ "cycles": 7 }])),
            "`x[0].cycles` is 7, and must be an object of `first`"
        );
        assert_eq!(
            wrong(RUN, json!([{ "cycles": { "first": -1 } }])),
            "`x[0].cycles.first` is -1, and must be an integer, not below 0"
        );
        assert_eq!(
            wrong(RUN, json!([{}, { "cycles": { "frist": 1 } }])),
            "there is no member `frist` in `x[1].cycles`; did you mean `first`?"
        );
        assert_eq!(
            wrong(VEC4, json!(["0", "0"])),
            "`x` is a list of 2, and must be a list of 4, each of it a 32-bit word as hexadecimal text"
        );
        assert_eq!(
            wrong(Shape::Numbered(2, &VEC4), json!({ "2": [] })),
            "`x` has `2`, and its names are numbers below 2"
        );
        assert_eq!(
            wrong(Shape::Letters("ez"), json!("eeee z")),
            "`x` is \"eeee z\", and must be four of the letters ez"
        );
        const PAIR: Shape = Shape::Either(&VEC4, &Shape::List(&VEC4));
        assert_eq!(PAIR.check(&json!([["0", "0", "0", "0"]]), "x"), Ok(()));
        assert!(wrong(PAIR, json!(["0"])).starts_with("`x` is a list of 1, and must be a list of 4"));
        assert_eq!(Shape::OrNull(&Shape::Count).check(&Json::Null, "x"), Ok(()));
    }

    #[test]
    fn required_members_are_missed() {
        let members = &[Member::new("a", Shape::Bool), Member::remark("note")];
        assert_eq!(check(members, &json!({ "note": [1] })), Err("`a` is missing".to_owned()));
        assert_eq!(check(members, &json!([])), Err("it is not an object".to_owned()));
    }
}
