//! Man pages, from the definitions of the arguments: what help shows as examples is a section here.

use crate::args::{ENVIRONMENT, EXAMPLES_HEAD, EXIT_CODES};
use clap::Command;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};
use gpuzoo::Registry;
use std::io;

/// A page: its file's name, and its text.
pub struct Page {
    pub file: String,
    pub text: Vec<u8>,
}

/// The pages of a command, its own first, then those of its verbs. The command is built.
pub fn pages(command: &Command, registry: &Registry) -> Vec<Page> {
    let version = format!("gpuzoo {}", command.get_version().unwrap_or_default());
    let verbs: Vec<&Command> = command.get_subcommands().filter(|verb| verb.get_name() != "help").collect();
    let name = |verb: &Command| format!("gpuzoo-{}", verb.get_name());
    let names: Vec<String> = verbs.iter().map(|verb| name(verb)).collect();
    let page = |command: &Command, name: &str, files: &[(String, String)], others: &[&str]| {
        // Writing to memory cannot fail.
        let text = page(command.clone().display_name(name), &version, files, others).unwrap_or_default();
        Page { file: format!("{name}.1"), text }
    };
    let others: Vec<&str> = names.iter().map(String::as_str).collect();
    // The verb `help` has no page.
    let own = command.clone().mut_subcommand("help", |help| help.hide(true));
    let mut pages = vec![page(&own, "gpuzoo", &files(registry), &others)];
    pages.extend(verbs.iter().zip(&names).map(|(verb, name)| page(verb, name, &[], &["gpuzoo"])));
    pages
}

fn page(command: Command, version: &str, files: &[(String, String)], others: &[&str]) -> io::Result<Vec<u8>> {
    let help = command.get_before_long_help().map(ToString::to_string).unwrap_or_default();
    let (has_verbs, has_version) = (command.has_subcommands(), command.get_version().is_some());
    // What the short help leaves out would be without a description.
    let command = command.mut_args(|option| option.hide_short_help(false));
    let man = Man::new(command).source(version).manual("gpuzoo");
    let mut text = Vec::new();
    man.render_title(&mut text)?;
    man.render_name_section(&mut text)?;
    man.render_synopsis_section(&mut text)?;
    man.render_description_section(&mut text)?;
    let mut roff = Roff::new();
    let paragraphs = help.split("\n\n").filter(|paragraph| !paragraph.starts_with(EXAMPLES_HEAD));
    for paragraph in paragraphs {
        roff.control("PP", []).text([roman(paragraph)]);
    }
    roff.to_writer(&mut text)?;
    man.render_options_section(&mut text)?;
    if has_verbs {
        man.render_subcommands_section(&mut text)?;
    }
    let mut roff = Roff::new();
    if let Some(examples) = help.split("\n\n").find_map(|paragraph| paragraph.strip_prefix(EXAMPLES_HEAD)) {
        roff.control("SH", ["EXAMPLES"]).control("nf", []);
        for line in examples.lines().filter(|line| !line.is_empty()) {
            roff.text([roman(line)]);
        }
        roff.control("fi", []);
    }
    let codes = EXIT_CODES.map(|(code, meaning)| (code.to_string(), meaning.to_owned()));
    section(&mut roff, "EXIT STATUS", &codes);
    section(
        &mut roff,
        "ENVIRONMENT",
        &ENVIRONMENT.map(|(name, meaning)| (name.to_owned(), meaning.to_owned())),
    );
    section(&mut roff, "FILES", files);
    let others: Vec<String> = others.iter().map(|name| format!("{name}(1)")).collect();
    roff.control("SH", ["SEE ALSO"]).text([roman(others.join(", "))]);
    roff.to_writer(&mut text)?;
    if has_version {
        man.render_version_section(&mut text)?;
    }
    Ok(text)
}

/// A section of terms with their meanings; none without terms.
fn section(roff: &mut Roff, title: &str, terms: &[(String, String)]) {
    if terms.is_empty() {
        return;
    }
    roff.control("SH", [title]);
    for (term, meaning) in terms {
        roff.control("TP", []).text([bold(term.as_str())]).text([roman(meaning.as_str())]);
    }
}

/// What files are, by their extensions.
fn files(registry: &Registry) -> Vec<(String, String)> {
    let machines = registry.gpus().iter().map(|gpu| {
        let extensions: Vec<String> = gpu.about().extensions.iter().map(|own| format!("*.{own}")).collect();
        (extensions.join(", "), format!("programs of {}", gpu.about().id))
    });
    let shared = [
        ("*.toml", "scenes; the names in one count from its folder"),
        ("*.json", "vertices, constants, words of programs, or jobs"),
        ("*.csv", "vertices and constants as tables"),
        ("*.jsonl", "vectors for gpuzoo conform"),
    ];
    machines.chain(shared.map(|(names, what)| (names.to_owned(), what.to_owned()))).collect()
}
