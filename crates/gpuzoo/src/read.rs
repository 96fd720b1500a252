//! Reading programs: assembly text, binaries, and words written in hexadecimal or JSON.

mod json;

use crate::codes::BAD_WORDS;
use crate::computer::no_form;
use crate::{Program, registry};
#[cfg(feature = "language-names")]
use gpuzoo_compile::front::Language;
use gpuzoo_diag::{Diagnostic, File, FileId, Sources, Span};
use gpuzoo_ir::Vec4;
use gpuzoo_isa::codes::SOURCE_TOO_LARGE;
use gpuzoo_isa::{Constant, Mask, Reg};
use gpuzoo_machine::limits::budget::{Budget, Refusal, Resource};
pub use gpuzoo_machine::text::read as text;
use gpuzoo_machine::text::{extension, source, utf8};
use gpuzoo_machine::{Gpu, ShaderUnit, TextOptions};

/// How a program is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Form {
    /// Assembly text.
    Asm,
    /// The machine's binary: what it has in memory.
    Bin,
    /// The binary's words in hexadecimal, with or without `0x`.
    Hex,
    /// The words as JSON: a list of texts or numbers, or an object that has one as `words`, and perhaps names and values of constants.
    Json,
    /// A log of the commands that the machine was sent, of which a draw or launch is taken: its program, constants and
    /// inputs.
    Log,
    /// A source in a shading language, which is compiled.
    #[cfg(feature = "language-names")]
    Source(Language),
}

impl Form {
    /// All forms, by name, and what each is.
    pub const ALL: &[(&str, Form, &str)] = &[
        ("asm", Form::Asm, "assembly text"),
        ("bin", Form::Bin, "the machine's binary"),
        ("hex", Form::Hex, "words in hexadecimal"),
        ("json", Form::Json, "words as JSON"),
        ("log", Form::Log, "a draw or launch of a log"),
        #[cfg(feature = "language-names")]
        ("wgsl", Form::Source(Language::Wgsl), "WGSL, which is compiled"),
        #[cfg(feature = "language-names")]
        ("glsl", Form::Source(Language::Glsl), "GLSL, which is compiled"),
        #[cfg(feature = "language-names")]
        ("spv", Form::Source(Language::SpirV), "SPIR-V, which is compiled"),
        #[cfg(feature = "language-names")]
        ("cg", Form::Source(Language::Cg), "Cg, which is compiled"),
    ];

    /// Checks the ways to write a program of this form. A source is compiled for any place of positions; of texts only some machines
    /// have a choice.
    ///
    /// # Errors
    /// `G0111` for a name that the machine does not have.
    pub fn check(self, gpu: &dyn Gpu, options: &TextOptions) -> Result<(), Diagnostic> {
        let is_compiled = !matches!(self, Form::Asm | Form::Bin | Form::Hex | Form::Json | Form::Log);
        let positions = options.positions.filter(|_| !is_compiled);
        registry::check_text_options(gpu, &TextOptions { positions, ..*options })
    }

    /// The form of a name, for programs of a machine.
    ///
    /// # Errors
    /// `G0118`, with the names.
    pub fn named(gpu: &dyn Gpu, name: &str) -> Result<Form, Diagnostic> {
        let found = Form::of(gpu).find(|(known, ..)| *known == name).map(|(_, form, _)| form);
        found.ok_or_else(|| no_form(gpu, name, "read", Form::of(gpu).map(|(name, ..)| name)))
    }

    /// The memory that reading a program of so many bytes takes, as far as its size alone tells.
    ///
    /// # Errors
    /// [`Refusal`] if the budget has less.
    pub fn ask(self, budget: &Budget, bytes: usize) -> Result<(), Refusal> {
        match self {
            // A log is read line by line: its bytes and its text are kept. The vertices of a draw ask for themselves.
            Form::Log => budget.ask(Resource::Memory, (bytes as u64).saturating_mul(2)),
            _ => budget.ask_text(bytes),
        }
    }

    /// The forms of a machine's programs, as [`ALL`](Form::ALL): a log only where one of its draws can be chosen.
    fn of(gpu: &dyn Gpu) -> impl Iterator<Item = (&'static str, Form, &'static str)> + Clone {
        let has_logs = gpu.about().parameters.iter().any(|parameter| parameter.name == "draw");
        Form::ALL.iter().copied().filter(move |(_, form, _)| *form != Form::Log || has_logs)
    }

    /// The form that a file name's extension implies: the machine's own ones mean assembly text.
    pub fn of_name(gpu: &dyn ShaderUnit, name: &str) -> Option<Form> {
        let extension = extension(name);
        if gpu.about().extensions.iter().any(|own| own.eq_ignore_ascii_case(extension)) {
            return Some(Form::Asm);
        }
        #[cfg(feature = "language-names")]
        if let Some((language, _)) = Language::of(name) {
            return Some(Form::Source(language));
        }
        Form::of(gpu).find(|(name, ..)| name.eq_ignore_ascii_case(extension)).map(|(_, form, _)| form)
    }

    /// The form of some bytes: text that begins like JSON, text of which every word is a hexadecimal number of eight
    /// digits (or has `0x` before it), other text, or no text at all.
    ///
    /// ```
    /// use gpuzoo::read::Form;
    /// assert_eq!(Form::of_bytes(b"0000003f 00000440"), Form::Hex);
    /// assert_eq!(Form::of_bytes(b"add"), Form::Asm);
    /// assert_eq!(Form::of_bytes(b"{\"words\": []}"), Form::Json);
    /// assert_eq!(Form::of_bytes(&[0x3f, 0, 0, 0]), Form::Bin);
    /// ```
    pub fn of_bytes(bytes: &[u8]) -> Form {
        let Ok(text) = std::str::from_utf8(bytes) else { return Form::Bin };
        // No editor writes control characters; small numbers in a binary are such.
        if text.contains(|letter: char| letter.is_control() && !letter.is_whitespace()) {
            return Form::Bin;
        }
        if text.trim_start().starts_with(['{', '[']) {
            return Form::Json;
        }
        let mut words = hex_tokens(text).map(|(_, word)| word).peekable();
        let sure = |word: &str| {
            let digits = word.strip_prefix("0x").unwrap_or(word);
            (word.starts_with("0x") || digits.len() == 8) && is_hex(digits)
        };
        if words.peek().is_some() && words.all(sure) { Form::Hex } else { Form::Asm }
    }
}

/// Reads a program in the form given or, without one, in the form that its name or else its bytes imply; a text as
/// `options` say. The file, and those that it includes, are added to `sources`.
///
/// # Errors
/// What is wrong with it, warnings included.
pub fn read(
    gpu: &'static dyn ShaderUnit,
    sources: &mut Sources,
    name: &str,
    bytes: &[u8],
    form: Option<Form>,
    options: &TextOptions,
) -> Result<Program, Vec<Diagnostic>> {
    let form = form.or_else(|| Form::of_name(gpu, name)).unwrap_or_else(|| Form::of_bytes(bytes));
    form.check(gpu, options).map_err(|problem| vec![problem])?;
    let binary = |sources: &mut Sources, name: &str, bytes: &[u8], constants: Vec<Constant>| {
        let file = sources.add_binary(name);
        let end = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        let mut read = gpu.load(bytes, Span { file, start: 0, end });
        read.program.constants.extend(constants);
        Program::of(gpu, read)
    };
    if form == Form::Bin {
        return binary(sources, name, bytes, Vec::new());
    }
    if form == Form::Asm {
        let syntax = gpu.syntax(&String::from_utf8_lossy(bytes), options);
        let id = source(sources, name, bytes, syntax).map_err(|problem| vec![problem])?;
        return Program::of(gpu, gpu.assemble_in(sources, id, options));
    }
    #[cfg(feature = "language-names")]
    if let Form::Source(language) = form {
        return crate::compile::read(gpu, sources, name, bytes, language, options);
    }
    if form == Form::Log {
        let id = any_length(sources, name, bytes).map_err(|problem| vec![problem])?;
        return logged(gpu, sources, id, options);
    }
    let id = text(sources, name, bytes).map_err(|problem| vec![problem])?;
    let file = sources.get(id);
    let read = if form == Form::Hex {
        hex(file).map(|words| (words, Vec::new()))
    } else {
        json::read(gpu.isa(), file)
    };
    let (words, constants) = read.map_err(|problem| vec![problem])?;
    // Messages about the program count its bytes, as if they had been read from a binary.
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    binary(sources, &format!("the words of {name}"), &bytes, constants)
}

/// Adds a log to `sources`, which may be longer than other texts.
fn any_length(sources: &mut Sources, name: &str, bytes: &[u8]) -> Result<FileId, Diagnostic> {
    if u32::try_from(bytes.len()).is_ok() {
        return utf8(sources, name, bytes);
    }
    let file = sources.add_binary(name);
    let problem = Diagnostic::error(&SOURCE_TOO_LARGE, format!("the log has {} bytes", bytes.len()));
    let problem = problem.label(Span { file, start: 0, end: 0 }, "");
    Err(problem.help("a log may have up to 4 GiB: cut it behind the draw"))
}

/// The program of a draw or launch of a log, and the state that it runs with.
fn logged(
    gpu: &'static dyn ShaderUnit,
    sources: &mut Sources,
    log: FileId,
    options: &TextOptions,
) -> Result<Program, Vec<Diagnostic>> {
    let file = sources.get(log);
    let Some(logged) = gpu.logged(file, options) else {
        return Err(vec![no_form(gpu, "log", "read", Form::of(gpu).map(|(name, ..)| name))]);
    };
    let (logged, whole) = (logged.map_err(|problem| vec![problem])?, file.whole());
    let bytes: Vec<u8> = logged.words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let id = sources.add_binary(&format!("the words of {}", sources.get(log).name()));
    let end = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
    let mut read = gpu.load(&bytes, Span { file: id, start: 0, end });
    read.diagnostics.splice(0..0, logged.remarks.iter().cloned());
    if let Some((file, _)) = gpu.isa().constants() {
        let constant = |&(index, value): &(u16, Vec4)| Constant {
            name: None,
            reg: Reg { file, index },
            count: 1,
            mask: Mask::ALL,
            values: vec![value],
            matrix: None,
            span: whole,
        };
        read.program.constants.extend(logged.constants.iter().map(constant));
    }
    Ok(Program::of(gpu, read)?.of_log(&logged))
}

fn is_hex(digits: &str) -> bool {
    !digits.is_empty() && digits.len() <= 8 && digits.bytes().all(|digit| digit.is_ascii_hexdigit())
}

/// The words of a text with their places; comments are left out.
fn hex_tokens(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let base = text.as_ptr() as usize;
    text.lines().flat_map(move |line| {
        let end = ["//", "#", ";"].iter().filter_map(|mark| line.find(mark)).min().unwrap_or(line.len());
        let words = line[..end].split(|letter: char| letter.is_whitespace() || letter == ',');
        words.filter(|word| !word.is_empty()).map(move |word| (word.as_ptr() as usize - base, word))
    })
}

/// The words of a text of hexadecimal numbers.
///
/// # Errors
/// `G0210` at the first one that is not a word.
pub fn hex(file: &File) -> Result<Vec<u32>, Diagnostic> {
    let read = |(at, word): (usize, &str)| {
        let digits = word.strip_prefix("0x").unwrap_or(word);
        let value = is_hex(digits).then(|| u32::from_str_radix(digits, 16).ok()).flatten();
        value.ok_or_else(|| {
            let problem = Diagnostic::error(&BAD_WORDS, format!("`{word}` is not a hexadecimal word"));
            let problem = problem.label(file.span(at..at + word.len()), "");
            problem.help("a word has up to eight hexadecimal digits: `0000003f`")
        })
    };
    hex_tokens(file.text()).map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::unit;
    use gpuzoo_diag::MAX_SOURCE_BYTES;

    fn words(name: &str, bytes: &[u8]) -> Result<Vec<u32>, String> {
        let options = TextOptions::default();
        let read = read(unit(), &mut Sources::default(), name, bytes, None, &options);
        read.map(|program| program.words()).map_err(|problems| {
            let at = problems[0].span().map_or(0, |at| at.start);
            format!("{}@{at}", problems[0].code.id)
        })
    }

    #[test]
    fn every_form_gives_the_same_words() {
        let expected = Ok(vec![0x440, 0x3f]);
        for (name, bytes) in [
            ("x.vu", &b"ld r1 0x1"[..]),
            ("x", b"\xef\xbb\xbfld r1 1"),
            ("x.bin", &[0x40, 4, 0, 0, 0x3f, 0, 0, 0]),
            ("x", &[0x40, 4, 0, 0, 0x3f, 0, 0, 0]),
            ("x.hex", b"440 // load\n3f"),
            ("x", b"0x00000440, 0x0000003f,"),
            ("x.json", b"[1088, 63]"),
            ("x", b"{\"words\": [\"440\", \"0x3f\"]}"),
            ("x", b"{\"slots\": [[1088], [\"0000003f\"]]}"),
        ] {
            assert_eq!(words(name, bytes), expected, "{name} {bytes:?}");
        }
    }

    /// What is written with `emit` is read with the constants that the words alone do not say.
    #[test]
    fn constants_come_back_from_json() {
        let text = r#"{"words": ["440", "3f"], "constants": [
            {"name": "light", "register": "c4", "count": 2, "components": "xz", "values": []},
            {"name": null, "register": "c6", "values": [["3f800000", "0", 1, "0x2"]]}]}"#;
        let sources = &mut Sources::default();
        let program =
            read(unit(), sources, "x.json", text.as_bytes(), None, &TextOptions::default()).unwrap();
        let all: Vec<_> = program.code().constants.iter().collect();
        let told =
            |own: &Constant| (own.name.clone(), own.reg.index, own.count, own.mask.0, own.values.clone());
        assert_eq!(told(all[0]), (Some("light".to_owned()), 4, 2, 0b101, vec![]));
        assert_eq!(told(all[1]), (None, 6, 1, 0b1111, vec![[0x3f80_0000, 0, 1, 2]]));
        assert_eq!(all.len(), 2);

        let options = crate::emit::Options { name: "x", profile: Default::default(), optimize: false };
        let written = crate::emit::emit(&program, crate::emit::Emit::Json, &options).unwrap();
        let again = read(unit(), sources, "y.json", &written, None, &TextOptions::default()).unwrap();
        assert_eq!((again.words(), again.code().constants.len()), (program.words(), 2));
        assert_eq!(
            again.code().constants.iter().map(told).collect::<Vec<_>>(),
            all.into_iter().map(told).collect::<Vec<_>>()
        );
    }

    #[test]
    fn mistakes_are_shown_where_they_stand() {
        for (name, bytes, expected) in [
            ("x.vu", &b"ld r1 \xff"[..], "A0115@6"),
            ("x.hex", b"440 xyz", "G0210@4"),
            ("x.hex", b"123456789", "G0210@0"),
            ("x.json", b"[1088, 4294967296]", "G0210@7"),
            ("x.json", b"{}", "G0205@0"),
            ("x.json", b"[true]", "G0210@1"),
            ("x.json", b"{\"words\": [], \"constants\": 1}", "G0205@27"),
            ("x.json", b"{\"words\": [], \"constants\": [{}]}", "G0205@28"),
            ("x.json", b"{\"words\": [], \"constants\": [{\"register\": \"r1\"}]}", "G0205@41"),
            (
                "x.json",
                b"{\"words\": [], \"constants\": [{\"register\": \"c1\", \"count\": 65536}]}",
                "G0205@56",
            ),
            (
                "x.json",
                b"{\"words\": [], \"constants\": [{\"register\": \"c1\", \"components\": \"xq\"}]}",
                "G0205@61",
            ),
            (
                "x.json",
                b"{\"words\": [], \"constants\": [{\"register\": \"c1\", \"values\": [[1, 2, 3]]}]}",
                "G0205@58",
            ),
            ("x.bin", &[0x40, 4, 0], "B0101@0"),
        ] {
            assert_eq!(words(name, bytes), Err(expected.to_owned()), "{name} {bytes:?}");
        }
        let large = vec![b' '; MAX_SOURCE_BYTES + 1];
        assert_eq!(words("x.vu", &large), Err("A0116@0".to_owned()));
    }
}
