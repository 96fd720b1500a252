//! GLSL whose side effects naga has at another time, or another number of times, than the language: what follows `&&`
//! and `||` is computed always, an index twice where its element is changed, arguments beside an `out` one too early,
//! and `continue` in `do` leaves out the condition. What is found here on the words of the source is refused.

use crate::front::EFFECTS;
use crate::front::glsl::preprocessed::Expanded;
use crate::front::glsl::tokens::Words;
use gpuzoo_diag::{Diagnostic, File};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use std::ops::Range;

/// Signs that read what they write.
const COMPOUND: [&str; 10] = ["<<=", ">>=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="];

/// The bytes of a problem, what it is, and what to write.
type Problem = (Range<usize>, &'static str, &'static str);

/// The problem of the first expression that would be computed in another way, if there is one.
pub fn misread(expanded: &Expanded, file: &File) -> Option<Diagnostic> {
    let words = Words::of(&expanded.text);
    let mut effects = Effects::of(&words);
    effects.close(&words);
    let (place, message, help) = effects.first(&words)?;
    Some(Diagnostic::error(&EFFECTS, message).at(file.span(expanded.moved.range(place))).help(help))
}

/// A function that the source defines.
#[derive(Debug, Default)]
struct Called {
    /// Which of its parameters are `out` or `inout`.
    outputs: HashSet<usize>,
    bodies: Vec<Range<usize>>,
}

/// What has side effects.
#[derive(Debug, Default)]
struct Effects<'a> {
    functions: HashMap<&'a str, Called>,
    /// Functions that have some.
    names: HashSet<&'a str>,
    /// Names outside of functions, and those of them that functions write.
    globals: HashSet<&'a str>,
    written: HashSet<&'a str>,
}

/// So many side effects on the right of an operator are not looked at one by one.
const MOST_EFFECTS: usize = 64;

/// So many words on the right of an operator are its operand; more are all of the rest.
const MOST_WORDS: usize = 10_000;

impl<'a> Effects<'a> {
    fn of(source: &Words<'a>) -> Effects<'a> {
        let mut effects = Effects::default();
        let mut at = 0;
        while at < source.all.len() {
            let open = at + 1;
            let behind = source.behind(open);
            if source.is_name(at) && source.word(open) == "(" && source.word(behind) == "{" {
                let function = effects.functions.entry(source.word(at)).or_default();
                for (number, parameter) in source.arguments(open).into_iter().enumerate() {
                    let mut words = parameter.map(|at| source.word(at));
                    if words.any(|word| matches!(word, "out" | "inout")) {
                        function.outputs.insert(number);
                    }
                }
                function.bodies.push(behind..source.behind(behind));
                at = source.behind(behind);
                continue;
            }
            if source.is_name(at) {
                effects.globals.insert(source.word(at));
            }
            at += 1;
        }
        effects
    }

    /// Finds the functions that have side effects: those that write globals, end the invocation, have outputs, or call
    /// such.
    fn close(&mut self, source: &Words<'a>) {
        let mut callers: HashMap<&str, Vec<&'a str>> = HashMap::default();
        let mut waiting: Vec<&'a str> = Vec::new();
        for (name, function) in &self.functions {
            let mut has_some = !function.outputs.is_empty();
            for at in function.bodies.iter().cloned().flatten() {
                let word = source.word(at);
                has_some |= word == "discard";
                if is_write(word) {
                    let root = root(source, at);
                    has_some |= root.is_none_or(|root| self.is_global(root));
                    // Nothing calls `main`.
                    let global = root.filter(|root| *name != "main" && self.is_global(root));
                    self.written.extend(global);
                }
                if source.is_name(at) && source.word(at + 1) == "(" {
                    callers.entry(word).or_default().push(name);
                }
            }
            waiting.extend(has_some.then_some(*name));
        }
        while let Some(name) = waiting.pop() {
            if self.names.insert(name) {
                waiting.extend(callers.get(name).into_iter().flatten());
            }
        }
    }

    /// True for a name that is not a function's alone.
    fn is_global(&self, root: &str) -> bool {
        self.globals.contains(root) || root.starts_with("gl_")
    }

    /// True for a word that has side effects.
    fn is_one(&self, words: &Words<'a>, at: usize) -> bool {
        let word = words.word(at);
        let is_called = words.word(at + 1) == "(";
        is_write(word) || is_called && self.names.contains(word)
    }

    fn has_some(&self, words: &Words<'a>, range: Range<usize>) -> bool {
        range.into_iter().any(|at| self.is_one(words, at))
    }

    /// The first place where side effects matter.
    fn first(&self, words: &Words<'a>) -> Option<Problem> {
        let effects: Vec<usize> = (0..words.all.len()).filter(|at| self.is_one(words, *at)).collect();
        let other = (0..words.all.len()).find_map(|at| match words.word(at) {
            "do" => self.continued(words, at),
            word if COMPOUND.contains(&word) => {
                let target = target(words, at)?;
                if self.has_some(words, target.clone()) {
                    return Some((
                        words.place(target),
                        "an index with side effects chooses what is changed, and would be computed twice",
                        "compute the index first: `int at = i++; x[at] *= 2.0;`",
                    ));
                }
                self.is_changed(words, at, words.word(target.start), &effects).then(|| {
                    (
                        words.place(target.start..at + 1),
                        "what is on the right changes this variable, which would be read before",
                        "compute the right side first, in a variable of its own",
                    )
                })
            }
            "[" if in_chain(words, at) => {
                let behind = words.behind(at);
                self.has_some(words, at + 1..behind).then(|| {
                    (
                        words.place(at..behind),
                        "an index with side effects stands beside another index or a call, and would be computed before that",
                        "compute the index first: `int at = i++;`",
                    )
                })
            }
            _ if words.word(at + 1) == "(" => self.call(words, at),
            _ => None,
        });
        self.behind_and(words).into_iter().chain(other).min_by_key(|(place, ..)| place.start)
    }

    /// The first side effect in a right operand of `&&` or `||`.
    fn behind_and(&self, words: &Words<'a>) -> Option<Problem> {
        // For each bracket that is open, whether one of the operators stands before; and in how many of them one does.
        let (mut outer, mut and, mut or) = (Vec::new(), false, false);
        let mut count = 0;
        for at in 0..words.all.len() {
            if (and || or || count > 0) && self.is_one(words, at) {
                return Some((
                    words.place(at..at + 1),
                    "what follows `&&` or `||` has side effects, and would have them in any case",
                    "write `if`: `bool both = a; if (both) both = next();`",
                ));
            }
            match words.word(at) {
                "&&" => and = true,
                "||" => or = true,
                "^^" => and = false,
                "," | ";" | "?" | ":" => (and, or) = (false, false),
                "(" | "[" | "{" => {
                    count += usize::from(and || or);
                    outer.push((and, or));
                    (and, or) = (false, false);
                }
                ")" | "]" | "}" => {
                    let is_behind = outer.last().is_some_and(|(and, or)| *and || *or);
                    count -= usize::from(is_behind);
                    (and, or) = outer.pop().unwrap_or_default();
                    if words.word(at) == "}" {
                        (and, or) = (false, false);
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// True if what is on the right of an operator may change a variable. `effects` are the words with side effects.
    fn is_changed(&self, words: &Words<'a>, sign: usize, root_name: &str, effects: &[usize]) -> bool {
        let mut end = sign + 1;
        while end < words.all.len() && !matches!(words.word(end), ")" | "]" | "}" | "," | ";") {
            end = words.behind(end);
            if end > sign + MOST_WORDS {
                end = words.all.len();
            }
        }
        let first = effects.partition_point(|at| *at <= sign);
        let last = effects.partition_point(|at| *at < end);
        if last - first > MOST_EFFECTS {
            return true;
        }
        effects[first..last].iter().any(|at| {
            let word = words.word(*at);
            if is_write(word) {
                return root(words, *at).is_none_or(|own| own == root_name);
            }
            let has_outputs = self.functions.get(word).is_some_and(|own| !own.outputs.is_empty());
            let mut arguments = (at + 1..words.behind(at + 1)).map(|at| words.word(at));
            self.written.contains(root_name) || has_outputs && arguments.any(|own| own == root_name)
        })
    }

    /// A call of a function with outputs.
    fn call(&self, words: &Words<'a>, at: usize) -> Option<Problem> {
        let function = self.functions.get(words.word(at)).filter(|own| !own.outputs.is_empty())?;
        // Its definition, and declarations, have types before names.
        if at > 0 && words.is_name(at - 1) && !matches!(words.word(at - 1), "return" | "else" | "do") {
            return None;
        }
        let arguments = words.arguments(at + 1);
        if let Some(argument) = arguments.iter().find(|own| self.has_some(words, (*own).clone())) {
            return Some((
                words.place(argument.clone()),
                "an argument of a function with `out` or `inout` parameters has side effects, and would have them twice or too late",
                "compute it first, in a variable of its own",
            ));
        }
        let output = |number: &usize| arguments.get(*number).map(|own| variable(words, own.clone()));
        let mut outputs: Vec<Vec<&str>> = function.outputs.iter().filter_map(output).collect();
        // What begins as another one does is behind it.
        outputs.sort_unstable();
        outputs.windows(2).any(|pair| pair[1].starts_with(&pair[0])).then(|| {
            (
                words.place(at..words.behind(at + 1)),
                "two `out` or `inout` arguments are one variable, and would be one in the function, too",
                "give one of them a copy, and assign it behind the call",
            )
        })
    }

    /// A `continue` of a `do` loop.
    fn continued(&self, words: &Words<'a>, at: usize) -> Option<Problem> {
        let mut inner = at + 1;
        let is_end = |at: &usize| matches!(words.word(*at), "while" | "}");
        let end = match words.word(inner) {
            "{" => words.behind(inner),
            _ => (inner..words.all.len()).find(is_end).unwrap_or(words.all.len()),
        };
        while inner < end {
            match words.word(inner) {
                "continue" => {
                    return Some((
                        words.place(inner..inner + 1),
                        "`continue` in `do` would leave out the condition at the end of the loop",
                        "put what it leaves out into an `if`, or write `for` or `while`",
                    ));
                }
                // Those of other loops are theirs.
                "for" | "while" => {
                    let body = words.behind(inner + 1);
                    inner = match words.word(body) {
                        "{" => words.behind(body),
                        _ => (body..end).find(|at| words.word(*at) == ";").map_or(end, |at| at + 1),
                    };
                }
                "do" if words.word(inner + 1) == "{" => inner = words.behind(inner + 1),
                _ => inner += 1,
            }
        }
        None
    }
}

fn is_write(word: &str) -> bool {
    matches!(word, "=" | "++" | "--") || COMPOUND.contains(&word)
}

/// The words before a sign that name what it writes: a variable with its members and elements.
fn target(words: &Words, sign: usize) -> Option<Range<usize>> {
    let mut at = sign;
    loop {
        let before = at.checked_sub(1)?;
        match words.word(before) {
            ")" | "]" => at = *words.partners.get(&before)?,
            _ if words.is_name(before) => at = before,
            _ => return None,
        }
        let is_name = words.is_name(at);
        let is_part = at > 0 && words.word(at - 1) == ".";
        match (is_name, is_part) {
            (true, true) => at -= 1,
            (true, false) => return Some(at..sign),
            // In brackets.
            (false, _) if words.word(at) == "(" && !(at > 0 && words.is_name(at - 1)) => {
                return Some(at..sign);
            }
            (false, _) => {}
        }
    }
}

/// The variable that a sign writes.
fn root<'a>(words: &Words<'a>, sign: usize) -> Option<&'a str> {
    let at = match target(words, sign) {
        Some(target) => target.start,
        // `++` before a variable.
        None => sign + 1,
    };
    (at..words.all.len()).map(|at| words.word(at)).find(|word| *word != "(")
}

/// True for an index with another one, or a call, in the same chain of members and elements.
fn in_chain(words: &Words, open: usize) -> bool {
    let mut next = words.behind(open);
    while words.word(next) == "." {
        next += 2;
    }
    let mut before = open.saturating_sub(1);
    while before > 1 && words.word(before - 1) == "." {
        before -= 2;
    }
    words.word(next) == "[" || matches!(words.word(before), "]" | ")")
}

/// The words of an argument up to an index that is not a number: a variable, or a part of it.
fn variable<'a>(words: &Words<'a>, argument: Range<usize>) -> Vec<&'a str> {
    let mut all = Vec::new();
    for at in argument {
        let is_number = words.word(at + 1).starts_with(|letter: char| letter.is_ascii_digit());
        if words.word(at) == "[" && !(is_number && words.word(at + 2) == "]") {
            break;
        }
        all.push(words.word(at));
    }
    all
}
