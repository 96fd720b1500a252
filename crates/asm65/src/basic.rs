//! Programs that begin where BASIC's do: whether they are BASIC, and the machine code that it starts.
//!
//! A line is a link to the next one, a number, words of which the reserved ones are tokens, and a zero; a link whose high byte is zero ends
//! the program. BASIC makes the links anew when a program is loaded, so that those of a file may be wrong.

/// Where BASIC programs begin, and with them PRG files that name no other place.
pub const BASIC: u16 = 0x0801;

/// Tokens.
const END: u8 = 0x80;
const DATA: u8 = 0x83;
const REM: u8 = 0x8f;
const SYS: u8 = 0x9e;
const NEW: u8 = 0xa2;
/// The operators from `+` to `<`: an operand of SYS goes on with them.
const OPERATORS: std::ops::RangeInclusive<u8> = 0xaa..=0xb3;
/// The greatest number of a line.
const MAX_NUMBER: u16 = 63_999;
/// A link that tools write who leave it to BASIC to make it.
const NO_LINK: u16 = 0x0101;

/// Where the link of a first line can lead, whose end a file lacks. Machine code has STZ there, of the same byte as SYS.
const LINKS: std::ops::Range<u16> = BASIC + 5..0x9f00;

/// The kind of a program at [`BASIC`], by its first lines.
///
/// ```
/// use gpuzoo_asm65::BasicStart;
/// // 10 SYS 2061
/// let line = [0x0b, 0x08, 10, 0, 0x9e, b'2', b'0', b'6', b'1', 0, 0, 0];
/// assert_eq!(BasicStart::of(&line), BasicStart::Sys { address: 2061, goes_on: false });
/// // 10 PRINT "HI"
/// let line = [0x0c, 0x08, 10, 0, 0x99, b'"', b'H', b'I', b'"', 0, 0, 0];
/// assert_eq!(BasicStart::of(&line), BasicStart::Basic);
/// assert_eq!(BasicStart::of(&[0xa9, 0x2a, 0x60]), BasicStart::MachineCode);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BasicStart {
    /// Machine code.
    MachineCode,
    /// Lines whose first statement that does something is SYS with a number.
    Sys {
        /// The number.
        address: u16,
        /// More statements follow, for when the machine code returns.
        goes_on: bool,
    },
    /// Lines that only BASIC can run.
    Basic,
}

/// A line of a program.
#[derive(Clone, Copy)]
struct Line<'p> {
    link: u16,
    /// The right link.
    next: u16,
    number: u16,
    words: &'p [u8],
}

/// The lines of a program, and whether its end follows them.
fn lines(program: &[u8]) -> (Vec<Line<'_>>, bool) {
    let (mut lines, mut at) = (Vec::new(), 0);
    let word = |at: usize| Some(u16::from_le_bytes([*program.get(at)?, *program.get(at + 1)?]));
    while let Some(link) = word(at).filter(|link| *link > 0xff) {
        let Some(number) = word(at + 2) else { return (lines, false) };
        let words = program.get(at + 4..).unwrap_or(&[]);
        let Some(length) = words.iter().position(|&byte| byte == 0) else { return (lines, false) };
        at += 4 + length + 1;
        let next = BASIC.wrapping_add(at as u16);
        lines.push(Line { link, next, number, words: &words[..length] });
    }
    (lines, word(at) == Some(0))
}

/// The words of a line behind blanks and colons.
fn statement(words: &[u8]) -> &[u8] {
    let blanks = words.iter().take_while(|byte| matches!(byte, b' ' | b':')).count();
    &words[blanks..]
}

/// The words behind the statement that they begin with: a colon in quotes does not end it.
fn behind(words: &[u8]) -> &[u8] {
    let mut is_quoted = false;
    let end = words.iter().position(|&byte| {
        is_quoted ^= byte == b'"';
        byte == b':' && !is_quoted
    });
    words.get(end.unwrap_or(words.len())..).unwrap_or(&[])
}

/// The operand of SYS if it is a number, decimal, `$` and hexadecimal or `%` and binary, and what follows it.
fn number(words: &[u8]) -> Option<(u16, &[u8])> {
    let mut rest = statement_blanks(words);
    let mut open = 0;
    while let Some(inside) = rest.strip_prefix(b"(") {
        rest = statement_blanks(inside);
        open += 1;
    }
    let (radix, digits) = match rest {
        [b'$', digits @ ..] => (16, digits),
        [b'%', digits @ ..] => (2, digits),
        digits => (10, digits),
    };
    // Blanks between digits do not count.
    let is_part = |byte: &&u8| **byte == b' ' || char::from(**byte).is_digit(radix);
    let length = digits.iter().take_while(is_part).count();
    let mut value = None;
    for digit in digits[..length].iter().filter_map(|&byte| char::from(byte).to_digit(radix)) {
        let so_far: u32 = value.unwrap_or(0);
        value = Some(so_far.saturating_mul(radix).saturating_add(digit));
    }
    let mut rest = statement_blanks(&digits[length..]);
    for _ in 0..open {
        rest = statement_blanks(rest.strip_prefix(b")")?);
    }
    let goes_on = match rest {
        [b'E', next, ..] => next.is_ascii_digit() || OPERATORS.contains(next),
        [first, ..] => *first == b'.' || OPERATORS.contains(first),
        [] => false,
    };
    Some((u16::try_from(value?).ok().filter(|_| !goes_on)?, rest))
}

fn statement_blanks(words: &[u8]) -> &[u8] {
    let blanks = words.iter().take_while(|&&byte| byte == b' ').count();
    &words[blanks..]
}

impl BasicStart {
    /// Classifies the bytes from [`BASIC`] on.
    pub fn of(program: &[u8]) -> BasicStart {
        let first = program.get(4..).unwrap_or(&[]);
        let first = &first[..first.iter().position(|&byte| byte == 0).unwrap_or(first.len())];
        let (lines, has_end) = lines(program);
        // A first line that is not closed is one, too, if it has SYS.
        let later = lines.iter().skip(1).map(|line| line.words);
        for words in std::iter::once(first).chain(later) {
            let words = statement(words);
            match words {
                [] if program.len() > 4 => {}
                [REM, ..] => {}
                [SYS, operand @ ..] => {
                    let Some((address, rest)) = number(operand) else { break };
                    let at = lines.iter().position(|line| std::ptr::eq(statement(line.words), words));
                    let lines_behind = at.map_or(&[][..], |at| &lines[at + 1..]);
                    let goes_on = is_basic(&lines, has_end, program.len()) && goes_on(rest, lines_behind);
                    return BasicStart::Sys { address, goes_on };
                }
                _ => break,
            }
        }
        let is_linked =
            matches!(program, [low, high, ..] if LINKS.contains(&u16::from_le_bytes([*low, *high])));
        let has_sys = is_linked && matches!(statement(first), [SYS, operand, ..] if is_operand(*operand));
        match has_sys || program == [0, 0] || is_basic(&lines, has_end, program.len()) {
            true => BasicStart::Basic,
            false => BasicStart::MachineCode,
        }
    }
}

/// Whether an operand of SYS can begin with a byte.
fn is_operand(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b' ' | b'(' | b'$' | b'%')
}

/// Whether statements do something: the rest of a line, and lines behind it.
fn goes_on(rest: &[u8], lines: &[Line]) -> bool {
    let mut words = behind(rest);
    let mut lines = lines.iter();
    loop {
        words = statement(words);
        match words {
            [END | NEW, ..] => return false,
            [DATA, ..] => words = behind(words),
            [] | [REM, ..] => match lines.next() {
                Some(line) => words = line.words,
                None => return false,
            },
            _ => return true,
        }
    }
}

/// Whether lines are those of a BASIC program, rather than machine code that looks like some.
fn is_basic(lines: &[Line], has_end: bool, length: usize) -> bool {
    let Some(first) = lines.first() else { return false };
    let are_in_order = lines.windows(2).all(|two| two[0].number < two[1].number);
    let are_plain = lines.iter().all(|line| line.number <= MAX_NUMBER && is_plain(line.words));
    let end = usize::from(BASIC) + length;
    let is_linked = lines.iter().any(|line| line.link == line.next)
        || lines.iter().all(|line| line.link == NO_LINK)
        || (usize::from(BASIC) + 5..=end).contains(&usize::from(first.link));
    has_end && are_in_order && are_plain && is_linked
}

/// Whether words begin with a statement, and have control characters in quotes and remarks only.
fn is_plain(words: &[u8]) -> bool {
    let begins = statement(words).first();
    let begins = begins.is_some_and(|&first| first >= END || first.is_ascii_uppercase());
    let (mut is_quoted, mut is_remark) = (false, false);
    begins
        && words.iter().all(|&byte| {
            is_quoted ^= byte == b'"';
            is_remark |= byte == REM && !is_quoted;
            is_quoted || is_remark || byte >= b' '
        })
}

/// The address in a BASIC program that SYS starts before anything else, if it is a number.
///
/// ```
/// let line = [0x0b, 0x08, 10, 0, 0x9e, b'2', b'0', b'6', b'1', 0, 0, 0];
/// assert_eq!(gpuzoo_asm65::sys_address(&line), Some(2061));
/// ```
pub fn sys_address(program: &[u8]) -> Option<u16> {
    match BasicStart::of(program) {
        BasicStart::Sys { address, .. } => Some(address),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A program of lines, as BASIC saves it.
    fn program(lines: &[(u16, &[u8])]) -> Vec<u8> {
        let mut all = Vec::new();
        for (number, words) in lines {
            let next = BASIC + (all.len() + 4 + words.len() + 1) as u16;
            all.extend([&next.to_le_bytes()[..], &number.to_le_bytes(), words, &[0]].concat());
        }
        [all, vec![0, 0]].concat()
    }

    fn sys(address: u16, goes_on: bool) -> BasicStart {
        BasicStart::Sys { address, goes_on }
    }

    #[test]
    fn sys_is_the_first_statement_that_does_something() {
        let one = |words: &[u8]| BasicStart::of(&program(&[(10, words)]));
        for words in [
            &b"\x9e2061"[..],
            b"\x9e 2061",
            b" : \x9e20 61",
            b"\x9e$80D",
            b"\x9e (2061)",
            b"\x9e%100000001101",
            b"\x9e2061 A GAME",
            b"\x9e2061:",
            b"\x9e2061:\x8f \x99",
            b"\x9e2061:\x80:\x99",
        ] {
            assert_eq!(one(words), sys(2061, false), "{words:x?}");
        }
        for words in [&b"\x9e2061:\x99\"X\""[..], b"\x9e2061:\x83 1,\":\":\x89 10"] {
            assert_eq!(one(words), sys(2061, true), "{words:x?}");
        }
        for words in [
            &b"\x9e2061\xaa3"[..],
            b"\x9e2061.5",
            b"\x9e2061E1",
            b"\x9e(2061",
            b"\x9e\xc2(43)",
            b"\x9e70000",
            b"\x9eA",
            b"\x99\"\x9e2061\"",
            b"\x97 1,2:\x9e2061",
            b"A\xb25",
            b"\x99\"\x93\x11\"",
        ] {
            assert_eq!(one(words), BasicStart::Basic, "{words:x?}");
        }
    }

    #[test]
    fn remarks_do_nothing() {
        let after = |first: &[u8], then: &[u8]| BasicStart::of(&program(&[(10, first), (20, then)]));
        assert_eq!(after(b"\x8f \x9e4096", b"\x9e2080"), sys(2080, false));
        assert_eq!(after(b"\x9e2061", b"\x8f GAME"), sys(2061, false));
        assert_eq!(after(b"\x9e2061", b"\x89 10"), sys(2061, true));
        assert_eq!(after(b"\x99\"HI\"", b"\x9e2061"), BasicStart::Basic);
        assert_eq!(after(b"\x8f", b"\x99"), BasicStart::Basic);
    }

    #[test]
    fn links_may_be_wrong_and_the_end_may_be_missing_behind_sys() {
        let mut dummy = program(&[(10, b"\x99\"HI\""), (20, b"\x89 10")]);
        for link in [0, 10] {
            dummy[link..link + 2].copy_from_slice(&[1, 1]);
        }
        assert_eq!(BasicStart::of(&dummy), BasicStart::Basic);
        let mut wrong = program(&[(10, b"\x99\"HI\"")]);
        wrong[0] += 1;
        assert_eq!(BasicStart::of(&wrong), BasicStart::Basic);
        // As stubs are that never come back.
        assert_eq!(BasicStart::of(b"\x0b\x08\x0a\0\x9e2061\0\xa9\x01\x60"), sys(2061, false));
        assert_eq!(BasicStart::of(b"\x0b\x08\x0a\0\x9e2061"), sys(2061, false));
        assert_eq!(BasicStart::of(&[0, 0]), BasicStart::Basic, "an empty program");
    }

    #[test]
    fn machine_code_is_no_basic() {
        for code in [
            &[0xa9, 0x00, 0x60][..],
            &[0x00],
            &[0x60],
            &[0xa9, 0x2a, 0x8d, 0x24, 0x9f, 0x00],
            &[0xa9, 0x2a, 0x8d, 0x24, 0x9f, 0x00, 0x00, 0x00],
            &[0xa2, 0x03, 0xca, 0xd0, 0xfd, 0x60],
            &[0xa9, 0x08, 0xa2, 0x00, 0x00, 0x00],
            &[0xa9, 0x08, 0xa2, 0x00, 0x8d, 0x24, 0x9f, 0x00, 0x00, 0x00],
            &[0x4c, 0x10, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x60],
        ] {
            assert_eq!(BasicStart::of(code), BasicStart::MachineCode, "{code:x?}");
        }
    }
}
