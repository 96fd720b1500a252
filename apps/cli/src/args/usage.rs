//! What is wrong with a command line, as a diagnostic like all others.

use super::{Color, MessageFormat, Messages};
use clap::ValueEnum;
use clap::error::ErrorKind;
use gpuzoo::codes::USAGE;
use gpuzoo::diag::Diagnostic;

/// What to say about a command line that clap refuses; nothing where help is asked for, or is the best answer for people.
pub fn problem(error: &clap::Error, messages: &Messages) -> Option<Diagnostic> {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => None,
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let is_for_people = messages.message_format == MessageFormat::Human;
            let problem = Diagnostic::error(&USAGE, "there is no verb");
            (!is_for_people).then(|| problem.help("`gpuzoo --help` shows them"))
        }
        _ => Some(usage(&error.to_string())),
    }
}

/// Clap's text: a sentence, which may have a list beneath it, then tips, the usage, and where to read on.
fn usage(text: &str) -> Diagnostic {
    let mut paragraphs = text.trim_end().split("\n\n");
    let mut lines = paragraphs.next().unwrap_or_default().lines().map(str::trim);
    let message = lines.next().unwrap_or_default();
    let message = message.strip_prefix("error: ").unwrap_or(message);
    let listed: Vec<&str> = lines.collect();
    let mut problem = match message.ends_with(':') {
        true => Diagnostic::error(&USAGE, format!("{message} {}", listed.join(", "))),
        false => {
            let problem = Diagnostic::error(&USAGE, message);
            listed.iter().fold(problem, |problem, line| problem.help(line.trim_matches(['[', ']'])))
        }
    };
    for paragraph in paragraphs {
        match paragraph.strip_prefix("Usage: ") {
            Some(usage) => {
                let lines: Vec<&str> = usage.lines().map(str::trim).collect();
                problem = problem.note(format!("usage: {}", lines.join(" or ")));
            }
            None => {
                let tips =
                    paragraph.lines().map(str::trim).map(|tip| tip.strip_prefix("tip: ").unwrap_or(tip));
                problem = tips.fold(problem, Diagnostic::help);
            }
        }
    }
    problem
}

/// How messages look, as far as a command line says that cannot be read as a whole.
pub fn messages(words: &[String]) -> Messages {
    fn chosen<T: ValueEnum>(words: &[String], option: &str) -> Option<T> {
        let apart = words.windows(2).filter(|pair| pair[0] == option).map(|pair| pair[1].as_str());
        let joined = words.iter().filter_map(|word| word.strip_prefix(option)?.strip_prefix('='));
        apart.chain(joined).find_map(|name| T::from_str(name, false).ok())
    }
    Messages {
        message_format: chosen::<MessageFormat>(words, "--message-format").unwrap_or_default(),
        color: chosen::<Color>(words, "--color").unwrap_or_default(),
        ..Messages::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_of_claps_text_has_its_place() {
        let problem = usage(
            "error: unexpected argument '--frob' found\n\n  tip: a similar argument exists: '--from'\n\n\
             Usage: gpuzoo check [FILE]\n       gpuzoo check --watch\n\nFor more information, try '--help'.\n",
        );
        assert_eq!(problem.message, "unexpected argument '--frob' found");
        assert_eq!(problem.notes, ["usage: gpuzoo check [FILE] or gpuzoo check --watch"]);
        let help = ["a similar argument exists: '--from'", "For more information, try '--help'."];
        assert_eq!(problem.help, help);
        let problem =
            usage("error: invalid value 'x' for '--format <FORM>'\n  [possible values: text, json]\n");
        assert_eq!(problem.help, ["possible values: text, json"]);
        let problem = usage("error: these were not provided:\n  <ONE>\n  <OTHER>\n");
        assert_eq!(problem.message, "these were not provided: <ONE>, <OTHER>");
    }

    #[test]
    fn the_form_of_messages_is_found_among_words_that_make_no_sense() {
        let form = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            messages(&words).message_format
        };
        assert_eq!(form(&["--frob", "--message-format", "json"]), MessageFormat::Json);
        assert_eq!(form(&["--message-format=short", "check"]), MessageFormat::Short);
        assert_eq!(form(&["--message-format"]), MessageFormat::Human);
        assert_eq!(form(&["--message-format", "loud"]), MessageFormat::Human);
    }
}
