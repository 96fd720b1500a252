//! A golden file, taken apart.
//!
//! Nothing in it is passed over: a comment that looks like an expectation and is not read as one is an error.

use std::collections::BTreeMap;

/// What a file tests, in the words of its header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The words of the program.
    Encode,
    /// Disassembling and assembling again.
    Roundtrip,
    /// The results of runs.
    Run,
    /// As `Run`, of an instruction that does nothing.
    Nop,
    /// Errors and warnings.
    Messages,
    /// That there are none.
    Clean,
    /// Errors and warnings of a binary.
    Load,
}

impl Kind {
    const ALL: [(&str, Kind); 7] = [
        ("encode", Kind::Encode),
        ("roundtrip", Kind::Roundtrip),
        ("run", Kind::Run),
        ("nop", Kind::Nop),
        ("messages", Kind::Messages),
        ("clean", Kind::Clean),
        ("load", Kind::Load),
    ];

    fn named(name: &str) -> Result<Kind, String> {
        let known = Kind::ALL.iter().find(|(known, _)| *known == name);
        let names = || Kind::ALL.map(|(name, _)| name).join(", ");
        known
            .map(|(_, kind)| *kind)
            .ok_or_else(|| format!("there is no test `{name}`; there are {}", names()))
    }
}

/// The keys of expectations, with the kinds that read them.
const KEYS: [(&str, &[Kind]); 4] = [
    ("enc", &[Kind::Encode]),
    ("run", &[Kind::Run, Kind::Nop]),
    ("bytes", &[Kind::Load]),
    ("at", &[Kind::Load]),
];

/// Who may say what is expected; `self` is this implementation.
pub const AUTHORITIES: [&str; 4] = ["self", "spec", "vectors", "hardware"];

/// A line of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line<'a> {
    /// Code, or a comment without an expectation.
    Text(&'a str),
    /// `key: value` or `key[profile]: value` in a comment.
    Key {
        /// One of the known keys.
        key: &'static str,
        /// The profile that it is limited to.
        profile: Option<&'a str>,
        /// What follows the colon.
        value: &'a str,
    },
    /// Carets beneath a line of code, with what is said there.
    Mark(Mark),
}

/// A line of carets beneath a line of code.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mark {
    /// The line of code, from 0, counted without the marks.
    pub line: usize,
    /// The columns, in bytes from 0.
    pub columns: (usize, usize),
    /// Code and message.
    pub text: String,
}

/// A golden file.
#[derive(Clone, Debug)]
pub struct Golden<'a> {
    /// What comments begin with; a machine's dialects may differ in it.
    pub leader: &'a str,
    /// What is tested, each once.
    pub kinds: Vec<Kind>,
    /// Who says so.
    pub from: &'a str,
    /// Its lines.
    pub lines: Vec<Line<'a>>,
}

impl<'a> Golden<'a> {
    /// Takes a text apart.
    ///
    /// # Errors
    /// What is wrong with the header, or a line that looks like an expectation and is not one.
    pub fn parse(text: &'a str) -> Result<Golden<'a>, String> {
        let first = text.lines().next().unwrap_or("");
        let wrong = "the first line must be a comment `test: KINDS  from: AUTHORITY`";
        let (leader, header) = first.split_once("test:").ok_or(wrong)?;
        let (kinds, from) = header.split_once("from:").ok_or(wrong)?;
        let (leader, from) = (leader.trim(), from.trim());
        if leader.is_empty() {
            return Err(wrong.into());
        }
        if !AUTHORITIES.contains(&from) {
            return Err(format!("`{from}` is not an authority; there are {}", AUTHORITIES.join(", ")));
        }
        let kinds: Vec<Kind> = kinds.split_whitespace().map(Kind::named).collect::<Result<_, _>>()?;
        if kinds.is_empty() {
            return Err("the first line names no test".into());
        }
        let mut golden = Golden { leader, kinds, from, lines: vec![Line::Text(first)] };
        for (index, line) in text.lines().enumerate().skip(1) {
            let line = golden.line(line).map_err(|problem| format!("line {}: {problem}", index + 1))?;
            golden.lines.push(line);
        }
        Ok(golden)
    }

    fn line(&self, line: &'a str) -> Result<Line<'a>, String> {
        let comment = line.trim_start().strip_prefix(self.leader);
        let tested = |kinds: &[Kind]| kinds.iter().any(|kind| self.kinds.contains(kind));
        if let Some(body) = line.strip_prefix(self.leader)
            && body.trim_start().starts_with('^')
        {
            if !tested(&[Kind::Messages]) {
                return Err("a mark, but `messages` is not tested".into());
            }
            let carets = body.trim_start();
            let count = carets.bytes().take_while(|&byte| byte == b'^').count();
            let start = line.len() - carets.len();
            let code_lines = self.lines.iter().filter(|line| !matches!(line, Line::Mark(_))).count();
            return Ok(Line::Mark(Mark {
                line: code_lines.saturating_sub(1),
                columns: (start, start + count),
                text: carets[count..].trim().to_owned(),
            }));
        }
        if comment.is_some_and(|body| body.trim_start().starts_with('^')) {
            return Err(format!("a mark's line begins with `{}`", self.leader));
        }
        if let Some((name, profile, value)) = comment.and_then(key) {
            let Some((key, kinds)) = KEYS.iter().find(|(key, _)| *key == name) else {
                let known = KEYS.map(|(key, _)| key).join(", ");
                return Err(format!("`{name}:` is not an expectation; there are {known}"));
            };
            if !tested(kinds) {
                return Err(format!("a line `{name}:`, but the first line names no test of it"));
            }
            if profile.is_some() && *key != "run" {
                return Err(format!("`{name}:` is the same in all profiles"));
            }
            return Ok(Line::Key { key, profile, value });
        }
        match hidden_key(line) {
            Some(key) => Err(format!("`{key}` is not read here; it begins a comment `{}`", self.leader)),
            None => Ok(Line::Text(line)),
        }
    }

    /// True if a kind is tested.
    pub fn tests(&self, kind: Kind) -> bool {
        self.kinds.contains(&kind)
    }

    /// The lines with a key: index, profile and value.
    pub fn keys(&self, wanted: &'static str) -> impl Iterator<Item = (usize, Option<&'a str>, &'a str)> + '_ {
        self.lines.iter().enumerate().filter_map(move |(index, line)| match *line {
            Line::Key { key, profile, value } if key == wanted => Some((index, profile, value)),
            _ => None,
        })
    }

    /// All words of the lines with a key, as hexadecimal numbers.
    ///
    /// # Errors
    /// The word that is not one.
    pub fn hexadecimal(&self, key: &'static str) -> Result<Vec<u32>, String> {
        let words = self.keys(key).flat_map(|(.., value)| value.split_whitespace());
        words
            .map(|word| u32::from_str_radix(word, 16).map_err(|_| format!("`{word}` is not hexadecimal")))
            .collect()
    }

    /// The marks.
    pub fn marks(&self) -> impl Iterator<Item = &Mark> {
        self.lines.iter().filter_map(|line| match line {
            Line::Mark(mark) => Some(mark),
            _ => None,
        })
    }

    /// A mark as a line.
    pub fn mark_line(&self, mark: &Mark) -> String {
        let indent = " ".repeat(mark.columns.0.saturating_sub(self.leader.len()));
        let carets = "^".repeat(mark.columns.1 - mark.columns.0);
        format!("{}{indent}{carets} {}", self.leader, mark.text)
    }
}

/// `name: value` or `name[profile]: value`, where the name is one word.
fn key(comment: &str) -> Option<(&str, Option<&str>, &str)> {
    let body = comment.trim_start();
    let name = &body[..body.bytes().take_while(u8::is_ascii_alphabetic).count()];
    let rest = body[name.len()..].trim_start();
    let (profile, rest) = match rest.strip_prefix('[') {
        Some(rest) => {
            rest.split_once(']').map(|(profile, rest)| (Some(profile.trim()), rest.trim_start()))?
        }
        None => (None, rest),
    };
    let value = rest.strip_prefix(':')?;
    (!name.is_empty()).then(|| (name, profile, value.trim()))
}

/// A known key that stands anywhere else than where it is read.
fn hidden_key(line: &str) -> Option<String> {
    KEYS.iter().flat_map(|(key, _)| [format!("{key}:"), format!("{key}[")]).find(|key| {
        line.match_indices(key.as_str())
            .any(|(at, _)| !line[..at].ends_with(|before: char| before.is_alphanumeric()))
    })
}

/// What blessing does to a text, by its lines before: however many tests change something, no place moves.
#[derive(Clone, Debug, Default)]
pub struct Edits {
    replaced: BTreeMap<usize, Option<String>>,
    inserted: BTreeMap<usize, Vec<String>>,
}

impl Edits {
    /// Replaces a line.
    pub fn replace(&mut self, line: usize, text: String) {
        self.replaced.insert(line, Some(text));
    }

    /// Removes a line.
    pub fn remove(&mut self, line: usize) {
        self.replaced.insert(line, None);
    }

    /// Puts a line beneath another, after those that have been put there.
    pub fn insert(&mut self, below: usize, text: String) {
        self.inserted.entry(below).or_default().push(text);
    }

    /// The text with all of it done.
    pub fn apply(&self, text: &str) -> String {
        let mut out = Vec::new();
        for (index, line) in text.lines().enumerate() {
            match self.replaced.get(&index) {
                Some(replaced) => out.extend(replaced.as_deref()),
                None => out.push(line),
            }
            out.extend(self.inserted.get(&index).into_iter().flatten().map(String::as_str));
        }
        out.join("\n") + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(text: &str) -> String {
        Golden::parse(text).map(|golden| format!("{:?}", golden.lines)).expect_err(text)
    }

    #[test]
    fn headers_say_what_and_who() {
        for (text, expected) in [
            ("", "the first line must be a comment"),
            ("test: run from: self\n", "the first line must be a comment"),
            ("// test:  from: spec\n", "the first line names no test"),
            ("// test: rnu from: spec\n", "there is no test `rnu`"),
            ("// test: run from: me\n", "`me` is not an authority"),
        ] {
            assert!(problem(text).starts_with(expected), "{text}");
        }
    }

    #[test]
    fn what_looks_like_an_expectation_is_one() {
        let after = |line: &str| problem(&format!("// test: encode run from: spec\n{line}\n"));
        for (line, expected) in [
            ("// rnu: r0=(1,1,1,1)", "line 2: `rnu:` is not an expectation"),
            ("  // Note : this", "line 2: `Note:` is not an expectation"),
            ("// rnu[cpu]: r0=(1,1,1,1)", "line 2: `rnu:` is not an expectation"),
            ("// bytes: 00", "line 2: a line `bytes:`, but the first line names no test of it"),
            ("// enc[cpu]: 00", "line 2: `enc:` is the same in all profiles"),
            ("add r0 r1 // run: -> r0=(1,1,1,1)", "line 2: `run:` is not read here"),
            ("# run[cpu]: -> r0=(1,1,1,1)", "line 2: `run[` is not read here"),
            ("//  ^^^ A0101 no such thing", "line 2: a mark, but `messages` is not tested"),
            (" // ^^^ A0101 no such thing", "line 2: a mark's line begins with `//`"),
        ] {
            assert!(after(line).starts_with(expected), "{line}: {}", after(line));
        }
        let golden = Golden::parse(
            "// test: run from: spec\n// As the document says: prerun: no.\n// run [cpu] : a -> b\n",
        );
        let expected = Line::Key { key: "run", profile: Some("cpu"), value: "a -> b" };
        assert_eq!(golden.map(|golden| golden.lines[2].clone()), Ok(expected));
    }

    #[test]
    fn marks_are_read_and_written() {
        let text =
            "// test: messages from: self\n  add\n//^^^ A0001 one\n//^ A0002 two\n sub\n// ^^^ A0003 three\n";
        let golden = Golden::parse(text).unwrap();
        let marks: Vec<&Mark> = golden.marks().collect();
        assert_eq!(
            marks.iter().map(|mark| (mark.line, mark.columns)).collect::<Vec<_>>(),
            [(1, (2, 5)), (1, (2, 3)), (2, (3, 6))]
        );
        assert_eq!(golden.mark_line(marks[2]), "// ^^^ A0003 three");
    }

    #[test]
    fn edits_do_not_move_each_other() {
        let mut edits = Edits::default();
        edits.insert(0, "a1".into());
        edits.remove(1);
        edits.replace(2, "C".into());
        edits.insert(0, "a2".into());
        edits.insert(2, "c1".into());
        assert_eq!(edits.apply("a\nb\nc\n"), "a\na1\na2\nC\nc1\n");
    }
}
