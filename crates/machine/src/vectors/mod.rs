//! Conformance vectors: the rules by which an output component is compared, and how a machine describes its file
//! formats.

pub mod shape;
pub mod stimulus;

use crate::Arguments;
use crate::vectors::shape::Member;
use crate::vectors::stimulus::{Accesses, MadeFile};
use gpuzoo_diag::{Diagnostic, File};
use gpuzoo_ir::Vec4;
use gpuzoo_isa::{COMPONENTS, Mask, Profile, Program};
use gpuzoo_raster::Image;
use serde::Serialize;
use serde_json::Value as Json;
use std::collections::HashMap;

/// Files that are one vector as a whole, rather than a list of records.
pub trait VectorFiles: Sync {
    /// What kinds there are, and what each is.
    fn kinds(&self) -> &'static [(&'static str, &'static str)];

    /// True if a text is one.
    fn known(&self, text: &str) -> bool;

    /// True for the name of a file that belongs to others in its folder and has no vectors itself.
    fn is_beside(&self, name: &str) -> bool;

    /// The names of files in the same folder that belong to the one with this stem, where they are there.
    fn beside(&self, stem: &str) -> Vec<String>;

    /// Checks a file.
    fn check(&self, vector: &VectorFile, arguments: &Arguments) -> FileChecked;

    /// Makes a file that [`check`](VectorFiles::check) passes.
    ///
    /// # Errors
    /// If the arguments do not say a machine, or more accesses are wanted than a file may have.
    fn make(&self, accesses: Accesses, arguments: &Arguments) -> Result<MadeFile, Diagnostic>;
}

/// A file that is a vector.
pub struct VectorFile<'a> {
    /// The file.
    pub file: &'a File,
    /// Its name without folder and extension.
    pub stem: &'a str,
    /// Those files [beside](VectorFiles::beside) it that are there, by name.
    pub beside: &'a HashMap<String, Vec<u8>>,
    /// Reads a picture, or says why it cannot be read.
    pub picture: &'a dyn Fn(&[u8]) -> Result<Image, String>,
    /// How many differences are described at most.
    pub most: usize,
}

/// What became of a [`VectorFile`].
#[derive(Debug, Default)]
pub struct FileChecked {
    /// What kind of vector it is.
    pub kind: &'static str,
    /// How many things were compared, and the first that differ.
    pub checked: Checked,
    /// How many differ, the described ones included.
    pub count: usize,
    /// The line of the first difference that has one, from 1.
    pub line: Option<usize>,
    /// [Deviations](crate::reference::Deviation) that it meets.
    pub meets: Vec<&'static str>,
    /// What is wrong with the file; then nothing was compared.
    pub problems: Vec<Diagnostic>,
}

/// A kind of vector file, recognized by the content of its records.
pub struct VectorKind {
    /// What it is called in reports: `run`, `encode`.
    pub name: &'static str,
    /// True if a record is of this kind.
    pub matches: fn(&Json) -> bool,
    /// What a record may say. One that says anything else is refused.
    pub members: &'static [Member],
    /// Runs a record under a profile. An error says what is wrong with the record itself.
    pub check: fn(&Json, Profile) -> Result<Checked, String>,
    /// For records that hold only results: the kind of the record of the same name that they belong to.
    pub completes: Option<&'static str>,
    /// For records that name another record of the file, which comes before them: the check gets that one in place of
    /// the name.
    pub uses: Option<Reference>,
    /// Members that name a file in the vector file's folder: the check gets its bytes, as hexadecimal text, in place of
    /// the name.
    pub files: &'static [&'static str],
    /// The run of a record's program in which a [place](Difference::place) was compared; without a place the first one. An error says why
    /// there is none. None for kinds without programs.
    pub replay: Option<Replays>,
}

/// Finds the run of a record that a place is in, or says why there is none.
pub type Replays = fn(&Json, &str) -> Result<Replay, String>;

/// A run of a record's program, for a debugger.
#[derive(Clone, Debug, Default)]
pub struct Replay {
    /// Which of the record's runs it is: `set 3`; empty if it has only one.
    pub run: String,
    /// The program.
    pub program: Program,
    /// The inputs, by number.
    pub inputs: Vec<Vec4>,
    /// The constants, by number.
    pub constants: Vec<Vec4>,
    /// The register and the components that were compared, if it was one.
    pub register: Option<(String, Mask)>,
}

/// The register and the component of a name such as `pos.x`.
pub fn register(name: &str) -> Option<(String, Mask)> {
    let (register, letter) = name.rsplit_once('.')?;
    let component = COMPONENTS.iter().position(|known| letter == known.to_string())?;
    Some((register.to_owned(), Mask(1 << component)))
}

impl VectorKind {
    /// A kind whose records are independent of each other.
    pub const fn new(
        name: &'static str,
        matches: fn(&Json) -> bool,
        members: &'static [Member],
        check: fn(&Json, Profile) -> Result<Checked, String>,
    ) -> VectorKind {
        VectorKind { name, matches, members, check, completes: None, uses: None, files: &[], replay: None }
    }
}

/// True if a record has all of these members.
pub fn has(record: &Json, members: &[&str]) -> bool {
    members.iter().all(|member| record.get(member).is_some())
}

/// How a record names another one: a texture that many reads share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The member that holds the name: `tex`.
    pub member: &'static str,
    /// The kind of the record that is meant: `texture`.
    pub kind: &'static str,
    /// The member of that record that holds its name.
    pub name: &'static str,
}

/// Reads a record. Beside JSON it takes what Python's `json` module writes for numbers that JSON does not have:
/// `Infinity` becomes a number that no 32-bit float reaches, `NaN` null.
///
/// ```
/// use gpuzoo_machine::vectors::parse;
/// let record = parse("{\"tol\": [-Infinity, NaN], \"name\": \"NaN\"}").unwrap();
/// assert_eq!(record["tol"][0].as_f64().map(|tol| tol as f32), Some(f32::NEG_INFINITY));
/// assert!(record["tol"][1].is_null() && record["name"] == "NaN");
/// ```
///
/// # Errors
/// What is wrong with it as JSON.
pub fn parse(text: &str) -> serde_json::Result<Json> {
    let strict = serde_json::from_str(text);
    match strict {
        Err(_) if text.contains("Infinity") || text.contains("NaN") => {
            serde_json::from_str(&plain_numbers(text)).or(strict)
        }
        _ => strict,
    }
}

/// The text with other numbers for Python's, outside of quotes.
fn plain_numbers(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let (mut quoted, mut escaped) = (false, false);
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let odd = [("Infinity", "1e308"), ("NaN", "null")];
        if let Some((word, number)) = odd.into_iter().find(|(word, _)| !quoted && rest.starts_with(word)) {
            plain.push_str(number);
            rest = &rest[word.len()..];
            continue;
        }
        quoted ^= letter == '"' && !escaped;
        escaped = quoted && letter == '\\' && !escaped;
        plain.push(letter);
        rest = &rest[letter.len_utf8()..];
    }
    plain
}

/// A record with the results of another one in place of its own: members replace members of the same name, and lists of
/// objects are gone through side by side.
///
/// ```
/// use gpuzoo_machine::vectors::completed;
/// use serde_json::json;
/// let program = json!({ "name": "p", "sets": [{ "v": 1, "out": 2 }] });
/// let results = json!({ "name": "p", "sets": [{ "out": 3 }] });
/// assert_eq!(completed(&program, &results), json!({ "name": "p", "sets": [{ "v": 1, "out": 3 }] }));
/// ```
pub fn completed(record: &Json, results: &Json) -> Json {
    match (record, results) {
        (Json::Object(record), Json::Object(results)) => {
            let mut all = record.clone();
            for (name, value) in results {
                let value = record.get(name).map_or_else(|| value.clone(), |own| completed(own, value));
                all.insert(name.clone(), value);
            }
            Json::Object(all)
        }
        (Json::Array(record), Json::Array(results))
            if record.len() == results.len() && results.iter().all(Json::is_object) =>
        {
            record.iter().zip(results).map(|(own, value)| completed(own, value)).collect()
        }
        _ => results.clone(),
    }
}

/// The outcome of one record.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Checked {
    /// What the record calls itself, if it does.
    pub name: String,
    /// How many things were compared (components, words, verdicts).
    pub compared: usize,
    /// How many components are left open on purpose ([`ComponentRule::Informational`]).
    pub open: usize,
    /// What differs.
    pub differences: Vec<Difference>,
}

/// One thing that is not as the vector says.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// Which output, component or word.
    pub place: String,
    /// What the vector says.
    pub expected: String,
    /// What gpuzoo gives.
    pub got: String,
    /// How far apart two floats are, in units in the last place.
    pub ulp: Option<u64>,
}

impl Checked {
    /// Counts a comparison and notes the difference, if there is one.
    pub fn compare(&mut self, place: impl FnOnce() -> String, expected: &str, got: &str) {
        self.compared += 1;
        if expected != got {
            let (expected, got) = (expected.to_owned(), got.to_owned());
            self.differences.push(Difference { place: place(), expected, got, ulp: None });
        }
    }

    /// Counts a component and notes the difference, if the rule finds one.
    pub fn component(
        &mut self,
        place: impl FnOnce() -> String,
        rule: ComponentRule,
        expected: u32,
        got: u32,
    ) {
        if matches!(rule, ComponentRule::Informational) {
            self.open += 1;
            return;
        }
        self.compared += 1;
        if !rule.passes(expected, got) {
            self.differences.push(Difference {
                place: place(),
                expected: show(expected),
                got: show(got),
                ulp: ulp_distance(expected, got),
            });
        }
    }
}

fn show(bits: u32) -> String {
    format!("{bits:08x} ({:?})", f32::from_bits(bits))
}

/// How an output component is compared; the letters are those of the vector files' `chk`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum ComponentRule {
    /// `e`: all bits are equal.
    Exact,
    /// `z`: a zero of either sign.
    Zero,
    /// `n`: any NaN.
    Nan,
    /// `t`: no further apart than this; equal infinities pass.
    Within(f32),
    /// At most this many units in the last place apart.
    Ulps(u64),
    /// `d` and `u`: not compared.
    Informational,
}

impl ComponentRule {
    /// The rule of a letter; `tolerance` is that component's, for `t`.
    pub fn from_letter(letter: char, tolerance: f32) -> Option<ComponentRule> {
        match letter {
            'e' => Some(ComponentRule::Exact),
            'z' => Some(ComponentRule::Zero),
            'n' => Some(ComponentRule::Nan),
            't' => Some(ComponentRule::Within(tolerance)),
            'd' | 'u' => Some(ComponentRule::Informational),
            _ => None,
        }
    }

    /// True if `got` satisfies the rule.
    pub fn passes(self, expected: u32, got: u32) -> bool {
        let (e, g) = (f32::from_bits(expected), f32::from_bits(got));
        match self {
            ComponentRule::Exact => expected == got,
            ComponentRule::Zero => g == 0.0,
            ComponentRule::Nan => g.is_nan(),
            // In f64 the difference of two f32 is exact enough to be compared with a tolerance.
            ComponentRule::Within(tolerance) => {
                e == g || (f64::from(g) - f64::from(e)).abs() <= f64::from(tolerance)
            }
            ComponentRule::Ulps(ulps) => ulp_distance(expected, got).is_some_and(|distance| distance <= ulps),
            ComponentRule::Informational => true,
        }
    }
}

/// How many floats lie between two, counting the second; none if either is NaN.
///
/// ```
/// use gpuzoo_machine::vectors::ulp_distance;
/// assert_eq!(ulp_distance(0x3f800000, 0x3f800002), Some(2));
/// assert_eq!(ulp_distance(0x80000001, 0x00000001), Some(2));
/// assert_eq!(ulp_distance(0x7fc00000, 0x3f800000), None);
/// ```
pub fn ulp_distance(a: u32, b: u32) -> Option<u64> {
    let ordered = |bits: u32| {
        let magnitude = i64::from(bits & 0x7fff_ffff);
        if bits >> 31 == 1 { -magnitude } else { magnitude }
    };
    let nan = |bits: u32| f32::from_bits(bits).is_nan();
    (!nan(a) && !nan(b)).then(|| ordered(a).abs_diff(ordered(b)))
}

/// A 32-bit word written as hexadecimal text.
pub fn word(json: &Json) -> Result<u32, String> {
    let text = json.as_str().ok_or_else(|| format!("expected a word as hexadecimal text, found {json}"))?;
    u32::from_str_radix(text, 16).map_err(|_| format!("`{text}` is not a 32-bit hexadecimal word"))
}

/// Bytes written as hexadecimal text, two digits each.
pub fn bytes(json: &Json) -> Result<Vec<u8>, String> {
    let text = json.as_str().ok_or_else(|| format!("expected bytes as hexadecimal text, found {json}"))?;
    let digit = |byte: &u8| (*byte as char).to_digit(16).map(|digit| digit as u8);
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    let bytes: Option<Vec<u8>> =
        pairs.iter().map(|[high, low]| Some(digit(high)? << 4 | digit(low)?)).collect();
    bytes.filter(|_| rest.is_empty()).ok_or_else(|| "bytes have two hexadecimal digits each".to_owned())
}

/// Bytes as hexadecimal text, as [`bytes`] reads them.
///
/// ```
/// use gpuzoo_machine::vectors::{bytes, hexadecimal};
/// assert_eq!(hexadecimal(&[0, 0xff]), "00ff");
/// assert_eq!(bytes(&"00ff".into()), Ok(vec![0, 0xff]));
/// ```
pub fn hexadecimal(bytes: &[u8]) -> String {
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.filter_map(|digit| char::from_digit(digit.into(), 16)).collect()
}

/// A list of words.
pub fn words(json: &Json) -> Result<Vec<u32>, String> {
    let list = json.as_array().ok_or_else(|| format!("expected a list of words, found {json}"))?;
    list.iter().map(word).collect()
}

/// Four words.
pub fn vec4(json: &Json) -> Result<Vec4, String> {
    let words = words(json)?;
    words.try_into().map_err(|words: Vec<u32>| format!("expected four components, found {}", words.len()))
}

/// A list of four words each.
pub fn vec4s(json: &Json) -> Result<Vec<Vec4>, String> {
    let list = json.as_array().ok_or_else(|| format!("expected a list of vectors, found {json}"))?;
    list.iter().map(vec4).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: u32 = 0x3f80_0000;
    const NAN: u32 = 0x7fc0_0000;
    const INFINITY: u32 = 0x7f80_0000;
    const MINUS: u32 = 0x8000_0000;

    /// What each letter lets pass: a vector's expectation, and what may and may not come.
    #[test]
    fn rules_let_pass_what_they_say() {
        use ComponentRule::*;
        let table: [(ComponentRule, u32, &[u32], &[u32]); 9] = [
            (Exact, ONE, &[ONE], &[ONE + 1, ONE - 1, ONE | MINUS, NAN]),
            (Exact, 0, &[0], &[MINUS]),
            (Exact, NAN, &[NAN], &[NAN + 1, NAN | MINUS]),
            (Zero, 0, &[0, MINUS], &[1, MINUS | 1, ONE, NAN]),
            (Nan, NAN, &[NAN, NAN | MINUS, 0x7f80_0001, 0x7fff_ffff], &[INFINITY, INFINITY | MINUS, 0]),
            // 1 and 2⁻²³ above and 2⁻²⁴ below it.
            (
                Within(1.0 / 8_388_608.0),
                ONE,
                &[ONE, ONE + 1, ONE - 1, ONE - 2],
                &[ONE + 2, ONE - 3, NAN, INFINITY],
            ),
            (Within(0.5), INFINITY, &[INFINITY], &[INFINITY | MINUS, 0x7f7f_ffff, NAN]),
            (Ulps(2), ONE, &[ONE, ONE + 2, ONE - 2], &[ONE + 3, ONE - 3, ONE | MINUS, NAN]),
            (Ulps(2), 1, &[0, MINUS, 3, MINUS | 1], &[4, MINUS | 2]),
        ];
        for (rule, expected, right, wrong) in table {
            right.iter().for_each(|got| assert!(rule.passes(expected, *got), "{rule:?} {got:08x}"));
            wrong.iter().for_each(|got| assert!(!rule.passes(expected, *got), "{rule:?} {got:08x}"));
        }
        assert!(Informational.passes(ONE, NAN));
        assert_eq!(ulp_distance(NAN, NAN), None);
        let letters =
            ['e', 'z', 'n', 't', 'd', 'u', 'x'].map(|letter| ComponentRule::from_letter(letter, 0.25));
        let known = [Exact, Zero, Nan, Within(0.25), Informational, Informational].map(Some);
        assert_eq!(letters, [&known[..], &[None]].concat()[..]);
    }

    #[test]
    fn what_differs_is_counted_and_noted() {
        let mut checked = Checked::default();
        checked.component(|| "a.x".to_owned(), ComponentRule::Exact, ONE, ONE);
        checked.component(|| "a.y".to_owned(), ComponentRule::Informational, ONE, 0);
        assert_eq!((checked.compared, checked.open, checked.differences.len()), (1, 1, 0));
        checked.component(|| "a.z".to_owned(), ComponentRule::Exact, ONE, ONE + 3);
        checked.compare(|| "word".to_owned(), "1", "1");
        checked.compare(|| "text".to_owned(), "1", "2");
        assert_eq!(checked.compared, 4);
        let [float, text] = &checked.differences[..] else { panic!("{checked:?}") };
        assert_eq!((&*float.place, &*float.expected, float.ulp), ("a.z", "3f800000 (1.0)", Some(3)));
        assert_eq!((&*float.got, checked.open), ("3f800003 (1.0000004)", 1));
        assert_eq!((&*text.place, &*text.expected, &*text.got, text.ulp), ("text", "1", "2", None));
    }

    /// What comes is held to the rule, not what the vector says.
    #[test]
    fn the_rule_is_for_what_comes() {
        let differs = |rule: ComponentRule, expected: u32, got: u32| {
            let mut checked = Checked::default();
            checked.component(String::new, rule, expected, got);
            !checked.differences.is_empty()
        };
        assert_eq!(
            [differs(ComponentRule::Zero, 0, ONE), differs(ComponentRule::Zero, ONE, 0)],
            [true, false]
        );
        assert_eq!(
            [differs(ComponentRule::Nan, NAN, ONE), differs(ComponentRule::Nan, ONE, NAN)],
            [true, false]
        );
    }

    /// Python's numbers are those outside of quotes, which a backslash does not end.
    #[test]
    fn numbers_of_python_are_read() {
        let record =
            parse(r#"{"a": Infinity, "b": "Infinity \" NaN", "c\\": NaN, "d": [-Infinity]}"#).unwrap();
        assert_eq!((record["a"].as_f64(), record["d"][0].as_f64()), (Some(1e308), Some(-1e308)));
        assert_eq!((record["b"].as_str(), record["c\\"].is_null()), (Some("Infinity \" NaN"), true));
        // What is wrong is what is wrong with the text as it is.
        let wrong = parse("{\"a\": NaN, }").unwrap_err().to_string();
        assert_eq!(wrong, serde_json::from_str::<Json>("{\"a\": NaN, }").unwrap_err().to_string());
    }

    #[test]
    fn words_and_bytes_are_hexadecimal() {
        let json = |text: &str| serde_json::from_str::<Json>(text).unwrap();
        assert_eq!(word(&json("\"ff800000\"")), Ok(0xff80_0000));
        for wrong in ["\"100000000\"", "\"xyz\"", "\"\"", "1", "null"] {
            assert!(word(&json(wrong)).is_err(), "{wrong}");
        }
        assert_eq!(bytes(&json("\"0aFf\"")), Ok(vec![0x0a, 0xff]));
        for wrong in ["\"0\"", "\"0g\"", "\"g0\"", "\"+1\"", "[]"] {
            assert!(bytes(&json(wrong)).is_err(), "{wrong}");
        }
        assert_eq!(vec4(&json("[\"1\", \"2\", \"3\", \"4\"]")), Ok([1, 2, 3, 4]));
        assert_eq!(vec4s(&json("[[\"1\", \"2\", \"3\", \"4\"]]")), Ok(vec![[1, 2, 3, 4]]));
        for wrong in ["[\"1\", \"2\", \"3\"]", "[1, 2, 3, 4]", "\"1\""] {
            assert!(vec4(&json(wrong)).is_err() && vec4s(&json(wrong)).is_err(), "{wrong}");
        }
        assert_eq!(register("pos.w"), Some(("pos".to_owned(), Mask(8))));
        assert_eq!([register("pos"), register("pos.q"), register("pos.xy")], [None, None, None]);
    }
}
