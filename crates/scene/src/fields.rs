//! Reading a table whose numbers may be expressions: a [`Reader`] with the file at hand.

use crate::expr::Expr;
use crate::pattern::Color;
use crate::toml::verbatim;
use gpuzoo_diag::{Diagnostic, File, Span};
use gpuzoo_machine::options::settings::{Reader, Setting, Table, Value, number, wrong_type};
use std::ops::{Deref, DerefMut};

gpuzoo_diag::codes! {
    BAD_NUMBER = "R0303", "number that makes no sense here",
        "A length that must be positive is zero or negative, or a number that must be finite is not.";
    BAD_COLOR = "R0304", "not a colour",
        "A colour is a list of red, green, blue and perhaps alpha from 0 to 1, or a text such as `\"#ff8000\"` or \
         `\"#ff800080\"`, two hexadecimal digits for each of them.";
}

/// A reader of a table of the scene file.
pub(crate) struct Fields<'a, 'p> {
    reader: Reader<'a, 'p>,
    file: &'a File,
}

impl<'a, 'p> Deref for Fields<'a, 'p> {
    type Target = Reader<'a, 'p>;

    fn deref(&self) -> &Reader<'a, 'p> {
        &self.reader
    }
}

impl<'a, 'p> DerefMut for Fields<'a, 'p> {
    fn deref_mut(&mut self) -> &mut Reader<'a, 'p> {
        &mut self.reader
    }
}

impl<'a, 'p> Fields<'a, 'p> {
    pub fn new(table: &'a Table, file: &'a File, problems: &'p mut Vec<Diagnostic>) -> Fields<'a, 'p> {
        Fields { reader: Reader::new(table, problems), file }
    }

    /// Reports the settings that were not asked for.
    pub fn finish(self) {
        self.reader.finish();
    }

    /// What was read, or nothing and a problem.
    fn keep<T>(&mut self, result: Result<T, Diagnostic>) -> Option<T> {
        result.map_err(|problem| self.report(problem)).ok()
    }

    /// A number or an expression.
    pub fn expr(&mut self, key: &'static str) -> Option<Expr> {
        let setting = self.setting(key)?;
        let result = expr(self.file, key, setting);
        self.keep(result)
    }

    /// Numbers or expressions, just `N` of them.
    pub fn vector<const N: usize>(&mut self, key: &'static str) -> Option<[Expr; N]> {
        let setting = self.setting(key)?;
        let result = vector(self.file, key, setting);
        self.keep(result)
    }

    /// A colour.
    pub fn color(&mut self, key: &'static str) -> Option<Color> {
        let setting = self.setting(key)?;
        let result = color(key, setting);
        let color = self.keep(result)?;
        if color.iter().any(|component| !(0.0..=1.0).contains(component)) {
            let problem =
                Diagnostic::warning(&BAD_COLOR, format!("`{key}` has components outside of 0 to 1"));
            let problem = problem.label(setting.span, "expected numbers from 0 to 1");
            self.report(problem.help("bytes are written `\"#rrggbb\"`, or divided by 255"));
        }
        Some(color)
    }

    /// A number above 0.
    pub fn positive(&mut self, key: &'static str) -> Option<f64> {
        let number = self.float(key)?;
        if number > 0.0 && number.is_finite() {
            return Some(number);
        }
        let span = self.span(key);
        let problem = Diagnostic::error(&BAD_NUMBER, format!("`{key}` is {number}"));
        self.report(problem.label(span, "must be above 0"));
        None
    }

    /// Two numbers above 0.
    pub fn positives(&mut self, key: &'static str) -> Option<[f64; 2]> {
        let numbers = self.floats::<2>(key)?;
        if numbers.iter().all(|number| *number > 0.0 && number.is_finite()) {
            return Some(numbers);
        }
        let span = self.span(key);
        let problem = Diagnostic::error(&BAD_NUMBER, format!("`{key}` must be two numbers above 0"));
        self.report(problem.label(span, ""));
        None
    }

    /// A count from 1 to `most`.
    pub fn count(&mut self, key: &'static str, most: u32) -> Option<u32> {
        self.int(key, 1, most.into()).map(|int| int as u32)
    }

    /// Width and height. Whether they are possible is for others to say.
    pub fn size(&mut self, key: &'static str) -> Option<(u32, u32)> {
        let setting = self.setting(key)?;
        if let Value::List(list) = &setting.value
            && let [Setting { value: Value::Int(width), .. }, Setting { value: Value::Int(height), .. }] =
                list[..]
        {
            // What is not in the range of u32 is as impossible as its ends are.
            let side = |int: i64| int.clamp(0, u32::MAX.into()) as u32;
            return Some((side(width), side(height)));
        }
        self.report(wrong_type(key, "a list of two integers, width and height", setting));
        None
    }
}

/// A number or an expression.
pub(crate) fn expr(file: &File, key: &str, setting: &Setting) -> Result<Expr, Diagnostic> {
    if let Some(number) = number(&setting.value) {
        return Ok(Expr::from(number));
    }
    let Value::Text(text) = &setting.value else {
        return Err(wrong_type(key, "a number or an expression in quotes", setting));
    };
    match verbatim(file, setting) {
        Some(start) => {
            let span = Span { start, end: start + text.len() as u32, ..setting.span };
            Expr::parse(text, span, true)
        }
        None => Expr::parse(text, setting.span, false),
    }
}

/// Numbers or expressions, just `N` of them.
pub(crate) fn vector<const N: usize>(
    file: &File,
    key: &str,
    setting: &Setting,
) -> Result<[Expr; N], Diagnostic> {
    let wrong = || wrong_type(key, &format!("a list of {N} numbers"), setting);
    let Value::List(list) = &setting.value else { return Err(wrong()) };
    let items = list.iter().map(|item| expr(file, key, item)).collect::<Result<Vec<_>, _>>()?;
    items.try_into().map_err(|_| wrong())
}

/// A colour.
pub(crate) fn color(key: &str, setting: &Setting) -> Result<Color, Diagnostic> {
    let bad = || {
        let problem =
            Diagnostic::error(&BAD_COLOR, format!("`{key}` is not a colour")).label(setting.span, "");
        problem.help("write `[red, green, blue]` or `[red, green, blue, alpha]` from 0 to 1, or \"#rrggbb\", \"#rgb\" and with alpha \"#rrggbbaa\", \"#rgba\"")
    };
    match &setting.value {
        Value::List(list) if matches!(list.len(), 3 | 4) => {
            let mut components = [1.0; 4];
            for (component, item) in components.iter_mut().zip(list) {
                *component = number(&item.value).ok_or_else(bad)?;
            }
            Ok(components)
        }
        Value::Text(text) => hexadecimal(text).ok_or_else(bad),
        _ => Err(bad()),
    }
}

fn hexadecimal(text: &str) -> Option<Color> {
    let digits = text.strip_prefix('#')?;
    // In the short form each digit counts twice.
    let (each, weight) = match digits.len() {
        3 | 4 => (1, 17),
        6 | 8 => (2, 1),
        _ => return None,
    };
    let mut components = [1.0; 4];
    for (component, part) in components.iter_mut().zip(digits.as_bytes().chunks(each)) {
        let part = std::str::from_utf8(part).ok().filter(|part| !part.starts_with('+'))?;
        *component = f64::from(u8::from_str_radix(part, 16).ok()? * weight) / 255.0;
    }
    Some(components)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read<T>(text: &str, read: impl Fn(&mut Fields) -> T) -> (T, Vec<String>) {
        let file = File::new("t", text);
        let (table, syntax) = crate::toml::parse(&file);
        assert!(syntax.is_empty());
        let mut problems = Vec::new();
        let value = read(&mut Fields::new(&table, &file, &mut problems));
        let place =
            |problem: &Diagnostic| format!("{} {}", problem.code.id, file.slice(problem.labels[0].span));
        (value, problems.iter().map(place).collect())
    }

    #[test]
    fn colors() {
        let color = |text: &str| read(&format!("c = {text}"), |fields| fields.color("c"));
        assert_eq!(color("[0, 0.5, 1]").0, Some([0.0, 0.5, 1.0, 1.0]));
        assert_eq!(color("[0, 0.5, 1, 0.25]").0, Some([0.0, 0.5, 1.0, 0.25]));
        assert_eq!(color("\"#ff0033\"").0, Some([1.0, 0.0, 0.2, 1.0]));
        assert_eq!(color("\"#FF003300\"").0, Some([1.0, 0.0, 0.2, 0.0]));
        assert_eq!(color("\"#f03\"").0, Some([1.0, 0.0, 0.2, 1.0]));
        assert_eq!(color("\"#F030\"").0, Some([1.0, 0.0, 0.2, 0.0]));
        // Bytes are numbers, too, but hardly what is meant.
        assert_eq!(
            color("[255, 0, 0]"),
            (Some([255.0, 0.0, 0.0, 1.0]), vec!["R0304 [255, 0, 0]".to_owned()])
        );
        assert_eq!(color("[0, -0.5, 1]").1, ["R0304 [0, -0.5, 1]"]);
        for bad in [
            "[1, 2]",
            "[1, 2, true]",
            "\"red\"",
            "\"#12345\"",
            "\"#12345g\"",
            "\"#+12345\"",
            "\"#é23456\"",
            "\"#é2\"",
            "3",
        ] {
            assert_eq!(color(bad), (None, vec![format!("R0304 {bad}")]), "{bad}");
        }
    }

    #[test]
    fn expressions_point_into_their_text() {
        let (_, problems) = read("v = [1, \"2*x\", 3]", |fields| fields.vector::<3>("v").is_none());
        assert_eq!(problems, ["R0602 x"]);
        let (_, problems) = read("v = [1, 2]", |fields| fields.vector::<3>("v").is_none());
        assert_eq!(problems, ["R0102 [1, 2]"]);
        let (_, problems) = read("v = true", |fields| fields.expr("v").is_none());
        assert_eq!(problems, ["R0102 true"]);
    }

    #[test]
    fn numbers_that_make_no_sense() {
        for bad in ["0", "-1.5", "inf", "nan"] {
            let (value, problems) = read(&format!("r = {bad}"), |fields| fields.positive("r"));
            assert_eq!((value, problems), (None, vec![format!("R0303 {bad}")]));
        }
        let (value, problems) = read("s = [0, 99999999999]", |fields| fields.size("s"));
        assert_eq!((value, problems.len()), (Some((0, u32::MAX)), 0));
        assert_eq!(read("s = [1.5, 2]", |fields| fields.size("s")).1, ["R0102 [1.5, 2]"]);
        assert_eq!(read("n = 0", |fields| fields.count("n", 9)).1, ["R0105 0"]);
    }
}
