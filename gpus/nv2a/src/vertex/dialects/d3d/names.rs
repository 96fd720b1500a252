//! Names that nothing explains: most are macros that a build gives its assembler, so each is reported once.

use gpuzoo_diag::{Diagnostic, File};
use gpuzoo_isa::codes::{EXPECTED_REGISTER, NO_SUCH_REGISTER, UNKNOWN_MNEMONIC};
use std::collections::HashMap;

/// True for what can only be a name: not a letter or two with a number, which is a register or a mistyped one.
fn is_name(word: &str) -> bool {
    let letters = word.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let numbered = letters.len() < word.len() && letters.len() <= 2;
    let all = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    !numbered && word.starts_with(|letter: char| !letter.is_ascii_digit()) && word.chars().all(all)
}

/// Leaves of the problems of each unknown name the first one, which says how many there are and how to define it.
pub fn once(file: &File, problems: &mut Vec<Diagnostic>) {
    let unknown = |problem: &Diagnostic| {
        let codes = [&EXPECTED_REGISTER, &NO_SUCH_REGISTER, &UNKNOWN_MNEMONIC];
        let word = problem.span().map(|span| file.slice(span)).filter(|_| codes.contains(&problem.code));
        word.filter(|word| is_name(word))
    };
    let mut uses: HashMap<&str, usize> = HashMap::new();
    problems.iter().filter_map(unknown).for_each(|word| *uses.entry(word).or_default() += 1);
    problems.retain_mut(|problem| {
        let Some(word) = unknown(problem) else { return true };
        let Some(uses) = uses.remove(word) else { return false };
        problem.help.push(format!("if it is a macro: `--define {word}=…`, or `#define` it in the text"));
        if uses > 1 {
            problem.notes.push(format!("it is met in {uses} places"));
        }
        true
    });
}
