//! Texts: reading those that users give, and writing numbers and paragraphs.

use gpuzoo_diag::{Diagnostic, FileId, MAX_SOURCE_BYTES, Sources, Span};
use gpuzoo_isa::codes::{NOT_TEXT, SOURCE_TOO_LARGE};
use gpuzoo_isa::{Lexer, Syntax, TokenKind};

/// What follows the last dot of a file name; empty where there is none.
pub fn extension(name: &str) -> &str {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    file.rsplit_once('.').map_or("", |(_, extension)| extension)
}

/// Adds a text to `sources`.
///
/// # Errors
/// `A0115` at the first byte that is not UTF-8, `A0116` for more than 64 MiB.
pub fn read(sources: &mut Sources, name: &str, bytes: &[u8]) -> Result<FileId, Diagnostic> {
    if bytes.len() <= MAX_SOURCE_BYTES {
        return utf8(sources, name, bytes);
    }
    let file = sources.add_binary(name);
    let problem = Diagnostic::error(&SOURCE_TOO_LARGE, format!("the text has {} bytes", bytes.len()));
    let problem = problem.label(Span { file, start: 0, end: 0 }, "");
    Err(problem.help("a text may have up to 64 MiB"))
}

/// A file's name without its folder and its extension.
///
/// ```
/// assert_eq!(gpuzoo_machine::text::stem("a.d/b.trace"), "b");
/// ```
pub fn stem(name: &str) -> &str {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    file.rsplit_once('.').map_or(file, |(stem, _)| stem)
}

/// As [`read`], for texts of any length below 4 GiB, which is how far spans reach.
///
/// # Errors
/// `A0115` at the first byte that is not UTF-8.
pub fn utf8(sources: &mut Sources, name: &str, bytes: &[u8]) -> Result<FileId, Diagnostic> {
    match std::str::from_utf8(bytes) {
        // Some editors of Windows begin every text with a mark that means nothing.
        Ok(text) => Ok(sources.add(name, text.strip_prefix('\u{feff}').unwrap_or(text))),
        Err(error) => {
            let file = sources.add_binary(name);
            let start = error.valid_up_to() as u32;
            let problem = Diagnostic::error(&NOT_TEXT, "the file is not UTF-8 text");
            let problem = problem.label(Span { file, start, end: start + 1 }, "this byte is not");
            Err(problem.help("a binary is read with `disassemble`, `check`, `run` or `trace`"))
        }
    }
}

/// As [`read`], for a text of an assembly language: bytes of old encodings may be in its comments, where each is shown as
/// the replacement character.
///
/// ```
/// use gpuzoo_diag::Sources;
/// use gpuzoo_isa::Syntax;
/// use gpuzoo_machine::text::source;
/// let mut sources = Sources::default();
/// assert!(source(&mut sources, "a.s", b"add // caf\xe9\n", &Syntax::PLAIN).is_ok());
/// let problem = source(&mut sources, "b.s", b"add caf\xe9\n", &Syntax::PLAIN).unwrap_err();
/// assert_eq!((problem.code.id, problem.span().map(|span| span.start)), ("A0115", Some(7)));
/// ```
///
/// # Errors
/// As [`read`] for bytes outside of comments.
pub fn source(
    sources: &mut Sources,
    name: &str,
    bytes: &[u8],
    syntax: &Syntax,
) -> Result<FileId, Diagnostic> {
    if bytes.len() > MAX_SOURCE_BYTES || std::str::from_utf8(bytes).is_ok() {
        return read(sources, name, bytes);
    }
    let text = String::from_utf8_lossy(bytes);
    // A replacement takes more bytes than what it stands for.
    if text.len() > MAX_SOURCE_BYTES || text.contains('\0') {
        return utf8(sources, name, bytes);
    }
    let mut lexer = Lexer::new(&text, syntax);
    loop {
        let token = lexer.next_token();
        if token.kind == TokenKind::End {
            return Ok(sources.add(name, text.strip_prefix('\u{feff}').unwrap_or(&text)));
        }
        let Some(at) = text[token.start..token.end].find(char::REPLACEMENT_CHARACTER) else { continue };
        let start = token.start + at;
        let id = sources.add(name, &text);
        let problem = Diagnostic::error(&NOT_TEXT, "the file is not UTF-8 text outside of comments");
        let place = sources.get(id).span(start..start + char::REPLACEMENT_CHARACTER.len_utf8());
        let problem = problem.label(place, "this is not");
        return Err(problem.help("a binary is read with `disassemble`, `check`, `run` or `trace`"));
    }
}

/// A number with its digits in groups of three: `1,200,000`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Breaks a paragraph into lines of at most 100 letters.
pub fn wrap(text: &str) -> String {
    wrap_at(text, 100)
}

/// Breaks a paragraph into lines of at most so many letters.
pub fn wrap_at(text: &str, most: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    for paragraph in text.split('\n') {
        let mut line = String::new();
        for word in paragraph.split(' ') {
            if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > most {
                lines.push(std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        lines.push(line);
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_stand_in_groups() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1_000), "1,000");
        assert_eq!(grouped(1_200_000), "1,200,000");
    }

    #[test]
    fn lines_are_broken_between_words() {
        let text = wrap(&"word ".repeat(50));
        assert!(text.lines().all(|line| line.len() <= 100));
        assert_eq!(text.split_whitespace().count(), 50);
    }

    #[test]
    fn extensions_are_those_of_the_file_and_not_of_its_folder() {
        assert_eq!(extension("a.d/b"), "");
        assert_eq!(extension("a.d/b.VU"), "VU");
    }

    /// Bytes of an old encoding may be in a comment, but not in a file that is no text.
    #[test]
    fn a_binary_is_no_text_whatever_looks_like_a_comment_in_it() {
        let read = |bytes: &[u8]| {
            let mut sources = Sources::default();
            match source(&mut sources, "a.s", bytes, &Syntax::PLAIN) {
                Ok(id) => Ok(sources.get(id).text().to_owned()),
                Err(problem) => Err((problem.code.id, problem.span().map(|span| span.start))),
            }
        };
        assert_eq!(read(b"add // caf\xe9\n"), Ok("add // caf\u{fffd}\n".to_owned()));
        // A zero is in no text of an old encoding. The first byte that is not UTF-8 is shown.
        assert_eq!(read(b"add // caf\xe9\0\n"), Err(("A0115", Some(10))));
        assert_eq!(read(b"add // \0 caf\xe9\n"), Err(("A0115", Some(12))));
        assert_eq!(read(b"\xef\xbb\xbfadd // \xe9"), Ok("add // \u{fffd}".to_owned()));
        assert_eq!(read(b"caf\xe9 // \xe9"), Err(("A0115", Some(3))));
    }

    #[test]
    fn a_text_has_64_mib_at_most() {
        let mut bytes = vec![b' '; 64 << 20];
        let mut sources = Sources::default();
        assert!(read(&mut sources, "a.s", &bytes).is_ok());
        assert!(source(&mut sources, "a.s", &bytes, &Syntax::PLAIN).is_ok());
        bytes.push(b' ');
        for found in [read(&mut sources, "a.s", &bytes), source(&mut sources, "a.s", &bytes, &Syntax::PLAIN)]
        {
            assert_eq!(found.unwrap_err().message, "the text has 67108865 bytes");
        }
    }
}
