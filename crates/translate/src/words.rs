//! Words in the text of a shader: names of inputs and outputs, comments, and the replacement of names.

/// The name of an input in a function's list of arguments.
pub fn argument(register: &str) -> String {
    let name: String = register.chars().filter(char::is_ascii_alphanumeric).collect();
    format!("{name}_in")
}

/// The name of an output in the struct of results.
pub fn result(register: &str) -> String {
    let name: String = register.chars().filter(char::is_ascii_alphanumeric).collect();
    format!("{name}_out")
}

/// A text that can stand in a comment of one line.
pub fn comment(text: &str) -> String {
    let plain = |letter: char| match letter {
        // C has lines that go on behind this.
        '\\' => '/',
        letter if letter.is_control() => ' ',
        letter => letter,
    };
    text.trim().chars().map(plain).collect()
}

/// A text in which some words are others.
pub fn reworded<'w>(text: &str, word: impl Fn(&str) -> Option<&'w str>) -> String {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let mut out = String::with_capacity(text.len() * 2);
    let mut rest = text;
    while let Some(start) = rest.find(is_part) {
        let (before, from) = rest.split_at(start);
        let (own, behind) = from.split_at(from.find(|letter| !is_part(letter)).unwrap_or(from.len()));
        out.push_str(before);
        out.push_str(word(own).unwrap_or(own));
        rest = behind;
    }
    out + rest
}
