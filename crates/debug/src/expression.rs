//! What can be watched, and what a breakpoint can ask: registers with swizzles, memory, numbers, and comparisons of them.
//!
//! ```text
//! expression = comparison { ( "&&" | "||" ) comparison }        from left to right
//! comparison = value [ ( "==" | "!=" | "<" | "<=" | ">" | ">=" ) value ]
//! value      = name [ "." components ] | name "[" place [ ".." place ] "]" [ "." components ] | number
//! name       = NAME { "." NAME }                                  a member is one that is no components
//! place      = number | NAME
//! number     = decimal | "inf" | "nan" | "$" hexadecimal | "0x" hexadecimal
//! ```

use crate::component::Component;
use gpuzoo_diag::suggest;
use gpuzoo_isa::COMPONENTS;
use gpuzoo_machine::session::{Name, Register, Session, Value};
use std::cmp::Ordering;
use std::ops::{Range, RangeInclusive};

/// Something that has a value at each point of a run.
///
/// ```
/// use gpuzoo_debug::Expression;
/// assert!(Expression::read("r0.xyz").is_ok());
/// assert!(Expression::read("ram[$22] == 5 && A < $10").is_ok());
/// assert!(Expression::read("scene.light.x").is_ok(), "a member of a compiled program's uniforms");
/// assert_eq!(Expression::read("r0.").unwrap_err().at, 3..3);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    text: String,
    first: Comparison,
    /// Each with true for `&&`.
    others: Vec<(bool, Comparison)>,
}

#[derive(Clone, Debug, PartialEq)]
struct Comparison {
    left: Term,
    right: Option<(Relation, Term)>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Relation {
    Equal,
    Unequal,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

/// The longer of two that begin alike comes first.
const RELATIONS: [(&str, Relation); 6] = [
    ("==", Relation::Equal),
    ("!=", Relation::Unequal),
    ("<=", Relation::AtMost),
    (">=", Relation::AtLeast),
    ("<", Relation::Less),
    (">", Relation::Greater),
];

/// What is written in an expression, and where.
#[derive(Clone, Debug, PartialEq)]
struct Term {
    kind: Kind,
    at: Range<usize>,
}

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    /// A register or a variable, and its components, each by its number; without any all of them.
    Register(String, Vec<u8>),
    /// A memory, a file of registers or a variable of several, and what of it; the last place is included.
    Element(String, Place, Option<Place>, Vec<u8>),
    /// A number, as a float and as an integer, if it is one that is not negative.
    Number(f32, Option<u64>),
}

/// A place in a memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// By its address.
    Number(u64),
    /// By what the program or the machine calls it.
    Name(String),
}

impl Place {
    /// Its address in a session.
    pub fn address(&self, session: &dyn Session) -> Option<u64> {
        match self {
            Place::Number(address) => Some(*address),
            Place::Name(name) => session.symbol(name),
        }
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Place::Number(address) => write!(f, "${address:X}"),
            Place::Name(name) => f.write_str(name),
        }
    }
}

/// The most bytes of memory that an expression has.
pub const MOST_BYTES: u32 = 256;

/// Why an expression cannot be read, or has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unclear {
    /// What is wrong.
    pub message: String,
    /// Where, in bytes of the text.
    pub at: Range<usize>,
}

/// The value of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Quantity {
    /// Components of a vector.
    Components(Vec<Component>),
    /// An integer, and how many bits it has.
    Integer(u64, u8),
    /// Bytes of a memory.
    Bytes(Vec<u8>),
    /// A number as it was written: as a float, and as an integer, if it is one that is not negative.
    Number(f32, Option<u64>),
    /// Whether a comparison holds.
    Truth(bool),
}

/// What an expression without a comparison names: what can be poked, and whose writes stop a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// Components of a register, by the session's name of it, in the order in which they are written.
    Register(Name, Vec<u8>),
    /// Bytes of a memory.
    Memory(&'static str, RangeInclusive<u32>),
}

impl Expression {
    /// Reads it.
    ///
    /// # Errors
    /// What was expected, and where.
    pub fn read(text: &str) -> Result<Expression, Unclear> {
        let mut reader = Reader { text, at: 0 };
        let first = reader.comparison()?;
        let mut others = Vec::new();
        loop {
            let and = reader.takes("&&");
            if !and && !reader.takes("||") {
                break;
            }
            others.push((and, reader.comparison()?));
        }
        match reader.rest().is_empty() {
            true => Ok(Expression { text: text.trim().to_owned(), first, others }),
            false => Err(reader.expected("a comparison, `&&`, `||` or the end")),
        }
    }

    /// The one thing that it names in a session.
    ///
    /// # Errors
    /// If it is a comparison or a number, or names what the session has not got.
    pub fn subject(&self, session: &mut dyn Session) -> Result<Subject, Unclear> {
        match (&self.first.right, self.others.is_empty()) {
            (None, true) => self.first.left.subject(session),
            _ => Err(self.first.left.unclear("this is a comparison, and a register or memory is meant")),
        }
    }

    /// The number that it is, if it is one: as a float, and as an integer that is not negative, if it is such.
    pub fn number(&self) -> Option<(f32, Option<u64>)> {
        match (&self.first, self.others.is_empty()) {
            (Comparison { left: Term { kind: Kind::Number(float, integer), .. }, right: None }, true) => {
                Some((*float, *integer))
            }
            _ => None,
        }
    }

    /// Its value where a session is.
    ///
    /// # Errors
    /// If it names what the session has not got.
    pub fn value(&self, session: &mut dyn Session) -> Result<Quantity, Unclear> {
        if self.first.right.is_none() && self.others.is_empty() {
            return self.first.left.value(session);
        }
        let mut holds = self.first.holds(session)?;
        for (and, other) in &self.others {
            let other = other.holds(session)?;
            holds = if *and { holds && other } else { holds || other };
        }
        Ok(Quantity::Truth(holds))
    }

    /// True where its comparison holds; a value alone holds where it is not 0.
    ///
    /// # Errors
    /// As for [`value`](Expression::value).
    pub fn holds(&self, session: &mut dyn Session) -> Result<bool, Unclear> {
        Ok(self.value(session)?.is_true())
    }

    /// The number of its comparisons.
    pub(crate) fn comparisons(&self) -> usize {
        1 + self.others.len()
    }
}

impl std::fmt::Display for Expression {
    /// As it was written.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

impl Quantity {
    fn is_true(&self) -> bool {
        match self {
            Quantity::Truth(holds) => *holds,
            other => other.numbers(other.is_float()).iter().any(|number| *number != 0.0),
        }
    }

    /// True if a component is a float.
    fn is_float(&self) -> bool {
        matches!(self, Quantity::Components(all) if all.iter().any(|component| !component.is_integer))
    }

    /// Its parts as numbers; a written one among floats is rounded as they are.
    fn numbers(&self, among_floats: bool) -> Vec<f64> {
        match self {
            Quantity::Components(all) => all.iter().map(|component| component.number()).collect(),
            Quantity::Integer(value, _) => vec![*value as f64],
            Quantity::Bytes(bytes) => bytes.iter().map(|byte| f64::from(*byte)).collect(),
            Quantity::Number(float, _) if among_floats => vec![f64::from(*float)],
            Quantity::Number(float, integer) => {
                vec![integer.map_or_else(|| f64::from(*float), |integer| integer as f64)]
            }
            Quantity::Truth(holds) => vec![f64::from(u8::from(*holds))],
        }
    }
}

impl Comparison {
    /// Of several components it holds if it does for each; one number is compared with all of them.
    fn holds(&self, session: &mut dyn Session) -> Result<bool, Unclear> {
        let left = self.left.value(session)?;
        let Some((relation, right)) = &self.right else { return Ok(left.is_true()) };
        let right = right.value(session)?;
        let among_floats = left.is_float() || right.is_float();
        let (left, right) = (left.numbers(among_floats), right.numbers(among_floats));
        let at = |numbers: &[f64], number: usize| {
            let one = numbers.first().filter(|_| numbers.len() == 1);
            numbers.get(number).or(one).copied().unwrap_or(f64::NAN)
        };
        let count = left.len().max(right.len());
        Ok((0..count).all(|number| relation.holds(at(&left, number), at(&right, number))))
    }
}

impl Relation {
    /// NaN is equal to NaN here, so that one can be looked for, and to nothing else.
    fn holds(self, left: f64, right: f64) -> bool {
        let order = match left.is_nan() && right.is_nan() {
            true => Some(Ordering::Equal),
            false => left.partial_cmp(&right),
        };
        match self {
            Relation::Equal => order == Some(Ordering::Equal),
            Relation::Unequal => order != Some(Ordering::Equal),
            Relation::Less => order == Some(Ordering::Less),
            Relation::AtMost => matches!(order, Some(Ordering::Less | Ordering::Equal)),
            Relation::Greater => order == Some(Ordering::Greater),
            Relation::AtLeast => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
        }
    }
}

impl Term {
    fn unclear(&self, message: impl Into<String>) -> Unclear {
        Unclear { message: message.into(), at: self.at.clone() }
    }

    fn subject(&self, session: &mut dyn Session) -> Result<Subject, Unclear> {
        match &self.kind {
            Kind::Number(..) => Err(self.unclear("this is a number, and a register or memory is meant")),
            Kind::Register(name, components) => self.register(name, components, session),
            Kind::Element(name, from, to, components) => {
                let space = session.spaces().iter().find(|space| space.name.eq_ignore_ascii_case(name));
                let Some(space) = space else {
                    return match (from, to) {
                        (Place::Number(number), None) => self
                            .register(&format!("{name}{number}"), components, session)
                            .or_else(|_| self.register(&format!("{name}[{number}]"), components, session)),
                        _ => Err(self.unclear(format!("there is no memory `{name}`"))),
                    };
                };
                if !components.is_empty() {
                    return Err(self.unclear(format!("`{name}` is a memory, whose bytes have no components")));
                }
                let address = |place: &Place| {
                    let Some(address) = place.address(session) else {
                        return Err(self.unclear(format!("there is no label `{place}`")));
                    };
                    let there = u32::try_from(address).ok().filter(|address| *address < space.bytes);
                    there.ok_or_else(|| self.unclear(format!("`{name}` ends at ${:X}", space.bytes - 1)))
                };
                let from = address(from)?;
                let to = to.as_ref().map_or(Ok(from), address)?;
                if to < from {
                    return Err(self.unclear(format!("${to:X}, where it ends, is before ${from:X}")));
                }
                Ok(Subject::Memory(space.name, from..=to))
            }
        }
    }

    fn register(&self, name: &str, components: &[u8], session: &mut dyn Session) -> Result<Subject, Unclear> {
        let position = session.position();
        let state = session.state(position).unwrap_or_default();
        let found = |name: &str| state.iter().find(|register| register.name.eq_ignore_ascii_case(name));
        // A member may be called like a component.
        let member = || {
            let letters: String =
                components.iter().filter_map(|at| COMPONENTS.get(usize::from(*at))).collect();
            found(&format!("{name}.{letters}"))
        };
        if let Some(member) = found(name).is_none().then(member).flatten() {
            return Ok(Subject::Register(member.name.clone(), Vec::new()));
        }
        match found(name) {
            Some(Register { value: Value::Vec4(..), components: has, .. })
                if components.iter().any(|at| !has.has(*at)) =>
            {
                Err(self.unclear(format!("`{name}` has only component {has}")))
            }
            Some(register) => Ok(Subject::Register(register.name.clone(), components.to_vec())),
            // A label or a device's register is a byte of what the CPU reaches.
            None => {
                let space = session.spaces().first();
                let address = session.symbol(name).and_then(|address| u32::try_from(address).ok());
                let byte = space.zip(address).filter(|_| components.is_empty());
                let byte = byte.map(|(space, address)| Subject::Memory(space.name, address..=address));
                byte.ok_or_else(|| self.absent(name, session))
            }
        }
    }

    /// What is wrong with a name that nothing has. Behind a register's name there can only be components.
    fn absent(&self, name: &str, session: &mut dyn Session) -> Unclear {
        let position = session.position();
        let state = session.state(position).unwrap_or_default();
        let has = |name: &str| state.iter().any(|own| own.name.eq_ignore_ascii_case(name));
        let held = session.shader().map(|run| run.held(name)).unwrap_or_default();
        match name.split_once('.') {
            Some((register, member)) if has(register) => {
                self.unclear(format!("expected one to four components among x, y, z and w, found `{member}`"))
            }
            _ if has(&format!("{name}[0]")) => {
                self.unclear(format!("`{name}` is several registers, of which `{name}[0]` is the first"))
            }
            _ if !held.is_empty() => {
                let slots: Vec<String> = held.iter().map(slots).collect();
                self.unclear(format!("no register holds `{name}` here; one does at {}", slots.join(", ")))
            }
            _ => {
                let near = suggest::nearest(name, state.iter().map(|own| &*own.name));
                let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
                self.unclear(format!("the run has no register `{name}`{near}"))
            }
        }
    }

    fn value(&self, session: &mut dyn Session) -> Result<Quantity, Unclear> {
        if let Kind::Number(float, integer) = self.kind {
            return Ok(Quantity::Number(float, integer));
        }
        match self.subject(session)? {
            Subject::Register(name, components) => {
                let position = session.position();
                let state = session.state(position).unwrap_or_default();
                let found = state.into_iter().find(|register| register.name == name);
                match found.map(|found| (found.value, found.components)) {
                    Some((Value::Vec4(bits, integers), has)) => {
                        let all: Vec<u8> = (0..4).filter(|at| has.has(*at)).collect();
                        let all = if components.is_empty() { &all } else { &components };
                        Ok(Quantity::Components(Component::all(bits, integers, all)))
                    }
                    Some((Value::Integer { value, bits }, _)) if components.is_empty() => {
                        Ok(Quantity::Integer(value, bits))
                    }
                    _ => Err(self.unclear(format!("`{name}` has no components"))),
                }
            }
            Subject::Memory(space, range) => {
                let count = range.end().saturating_sub(*range.start()).saturating_add(1);
                if range.is_empty() || count > MOST_BYTES {
                    return Err(self.unclear(format!("these are not 1 to {MOST_BYTES} bytes")));
                }
                let bytes = session.peek(space, *range.start()..range.end() + 1);
                bytes.map(Quantity::Bytes).ok_or_else(|| self.unclear(format!("`{space}` is not there")))
            }
        }
    }
}

/// Slots as a message names them.
fn slots(slots: &RangeInclusive<usize>) -> String {
    match slots.start() == slots.end() {
        true => format!("slot {}", slots.start()),
        false => format!("slots {} to {}", slots.start(), slots.end()),
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    /// What is left, from the next word on.
    fn rest(&mut self) -> &'a str {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        &self.text[self.at..]
    }

    fn takes(&mut self, sign: &str) -> bool {
        let is_next = self.rest().starts_with(sign);
        self.at += if is_next { sign.len() } else { 0 };
        is_next
    }

    fn expected(&mut self, what: &str) -> Unclear {
        let rest = self.rest();
        let length = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let (found, at) = (&rest[..length], self.at..self.at + length);
        let message = match found {
            "" => format!("expected {what}"),
            found => format!("expected {what}, found `{found}`"),
        };
        Unclear { message, at }
    }

    /// The letters, digits and the like that come next.
    fn word(&mut self) -> &'a str {
        let rest = self.rest();
        let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '@' | ':' | '?');
        let length = rest.find(|letter| !is_part(letter)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    fn comparison(&mut self) -> Result<Comparison, Unclear> {
        let left = self.term()?;
        let relation = RELATIONS.iter().find(|(sign, _)| self.takes(sign)).map(|(_, relation)| *relation);
        let right = relation.map(|relation| Ok((relation, self.term()?))).transpose()?;
        Ok(Comparison { left, right })
    }

    fn term(&mut self) -> Result<Term, Unclear> {
        self.rest();
        let start = self.at;
        let kind = match self.number()? {
            Some((float, integer)) => Kind::Number(float, integer),
            None => self.named()?,
        };
        Ok(Term { kind, at: start..self.at })
    }

    fn named(&mut self) -> Result<Kind, Unclear> {
        let mut name = self.word().to_owned();
        if name.is_empty() {
            return Err(self.expected("a register, memory or a number"));
        }
        let mut components = self.components(&mut name)?;
        if components.is_empty() && self.takes("[") {
            let from = self.place()?;
            let to = self.takes("..").then(|| self.place()).transpose()?;
            if !self.takes("]") {
                return Err(self.expected("`..` or `]`"));
            }
            let start = self.at;
            let mut member = String::new();
            components = self.components(&mut member)?;
            if !member.is_empty() {
                self.at = start + 1;
                return Err(self.expected("one to four components among x, y, z and w"));
            }
            return Ok(Kind::Element(name, from, to, components));
        }
        Ok(Kind::Register(name, components))
    }

    /// The components that come next, if any do. What is behind a point and cannot be components is a part of the name.
    fn components(&mut self, name: &mut String) -> Result<Vec<u8>, Unclear> {
        while self.takes(".") {
            let member = self.word();
            if member.is_empty() {
                return Err(self.expected("one to four components among x, y, z and w"));
            }
            let component = |letter: char| {
                COMPONENTS.iter().position(|known| *known == letter.to_ascii_lowercase()).map(|at| at as u8)
            };
            match member.chars().map(component).collect::<Option<Vec<u8>>>() {
                Some(all) if all.len() <= COMPONENTS.len() => return Ok(all),
                _ => {
                    name.push('.');
                    name.push_str(member);
                }
            }
        }
        Ok(Vec::new())
    }

    fn place(&mut self) -> Result<Place, Unclear> {
        let start = self.at;
        match self.number()? {
            Some((_, Some(address))) => return Ok(Place::Number(address)),
            Some((_, None)) => {
                self.at = start;
                return Err(self.expected("an address"));
            }
            None => {}
        }
        match self.word() {
            "" => Err(self.expected("an address or a label")),
            name => Ok(Place::Name(name.to_owned())),
        }
    }

    /// A number, if one comes next: as a float and as an integer. Eight digits after `0x` are the bits of a float, too.
    fn number(&mut self) -> Result<Option<(f32, Option<u64>)>, Unclear> {
        let rest = self.rest();
        if let Some(prefix) = ["$", "0x"].into_iter().find(|prefix| rest.starts_with(prefix)) {
            let digits = &rest[prefix.len()..];
            let length = digits.find(|letter: char| !letter.is_ascii_hexdigit()).unwrap_or(digits.len());
            let Ok(value) = u32::from_str_radix(&digits[..length], 16) else {
                return Err(self.expected("one to eight hexadecimal digits"));
            };
            self.at += prefix.len() + length;
            let is_pattern = prefix == "0x" && length == 8;
            let float = if is_pattern { f32::from_bits(value) } else { value as f32 };
            return Ok(Some((float, Some(value.into()))));
        }
        let sign = usize::from(rest.starts_with('-'));
        let word = &rest[sign..];
        let is_digit = |letter: char| letter.is_ascii_digit();
        let length = match word {
            _ if word.starts_with(is_digit) => {
                // A point with another point behind it is that of a range.
                let whole = word.find(|letter| !is_digit(letter)).unwrap_or(word.len());
                let point = word[whole..].strip_prefix('.').filter(|rest| rest.starts_with(is_digit));
                let mut end = whole;
                if let Some(digits) = point {
                    end += 1 + digits.find(|letter| !is_digit(letter)).unwrap_or(digits.len());
                }
                if let Some(power) = word[end..].strip_prefix(['e', 'E']) {
                    let digits = power.strip_prefix(['-', '+']).unwrap_or(power);
                    let count = digits.find(|letter| !is_digit(letter)).unwrap_or(digits.len());
                    end += if count > 0 { 1 + power.len() - digits.len() + count } else { 0 };
                }
                end
            }
            _ if word.starts_with("inf") || word.starts_with("nan") => {
                let length = word.find(|letter: char| !letter.is_alphanumeric()).unwrap_or(word.len());
                if length == 3 { 3 } else { 0 }
            }
            _ => 0,
        };
        let Some(float) = rest[..sign + length].parse().ok().filter(|_| length > 0) else {
            return if sign == 1 { Err(self.expected("a number behind `-`")) } else { Ok(None) };
        };
        self.at += sign + length;
        let integer = rest[..sign + length].parse().ok();
        Ok(Some((float, integer)))
    }
}

#[cfg(test)]
mod tests;
