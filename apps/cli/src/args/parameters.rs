//! The command, as the machines of a registry make it: their names, the forms of their programs, their views, and an
//! option for each of their parameters.

use super::Cli;
use super::look::OF_VERTICES;
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command, CommandFactory, ValueHint, value_parser};
use gpuzoo::codes::NOT_APPLICABLE;
use gpuzoo::diag::Diagnostic;
use gpuzoo::emit::Emit;
use gpuzoo::machine::About;
use gpuzoo::machine::options::arguments::{Kind, Parameter, Verb};
use gpuzoo::raster::View;
use gpuzoo::read::Form;
use gpuzoo::{Gpu, Registry};
use std::ffi::OsString;

/// All arguments. Help shows the options that only some machines have where it is known which one is meant: those of the
/// `named` one, and not those that it does not take.
pub fn command(registry: &Registry, named: Option<&'static dyn Gpu>) -> Command {
    let is_driven = named.is_some_and(|gpu| gpu.shader_unit().is_none());
    command_with(registry, |id| named.is_some_and(|gpu| gpu.about().id == id), named.is_none(), is_driven)
}

/// The same with the options of all machines shown.
pub fn full_command(registry: &Registry) -> Command {
    command_with(registry, |_| true, false, false)
}

/// The value of `--gpu` for a machine; aliases are accepted and not listed.
fn named_as(about: &About) -> PossibleValue {
    PossibleValue::new(about.id).aliases(about.aliases)
}

fn command_with(
    registry: &Registry,
    shown: impl Fn(&str) -> bool,
    hints: bool,
    without_vertices: bool,
) -> Command {
    let choices: [(&str, Vec<PossibleValue>); 4] = [
        ("gpu", registry.gpus().iter().map(|gpu| gpu.about()).map(named_as).collect()),
        ("from", forms(registry, Form::ALL.iter().map(|(name, _, doc)| (*name, *doc)), |form| form.is_read)),
        (
            "emit",
            forms(registry, Emit::ALL.iter().map(|(name, _, _, doc)| (*name, *doc)), |form| form.is_written),
        ),
        ("view", views(registry)),
    ];
    Cli::command().mut_subcommands(|mut verb| {
        for (id, values) in &choices {
            if verb.get_arguments().any(|argument| argument.get_id() == id) {
                let parser = PossibleValuesParser::new(values.clone());
                verb = verb.mut_arg(id, |argument| argument.value_parser(parser));
            }
        }
        let name = verb.get_name().to_owned();
        for id in OF_VERTICES.iter().chain(&["bits"]).filter(|_| without_vertices) {
            if verb.get_arguments().any(|argument| argument.get_id() == id) {
                verb = verb.mut_arg(id, |argument| argument.hide(true));
            }
        }
        if name == "diff" {
            let help = [
                ("input", "A dump, a trace, or a picture; with --profiles a program"),
                ("vertices", "What to compare it with; with --profiles the vertices"),
            ];
            verb = help.into_iter().fold(verb, |verb, (id, help)| {
                verb.mut_arg(id, |own| own.help(help).value_name(if id == "input" { "ONE" } else { "OTHER" }))
            });
            verb = ["profile", "emit_inputs"]
                .into_iter()
                .fold(verb, |verb, id| verb.mut_arg(id, |argument| argument.hide(true)));
        }
        for id in unused(&name) {
            verb = verb.mut_arg(*id, |argument| argument.hide(true));
        }
        if name == "vectors" {
            for id in ["dialect", "layout"] {
                verb = verb.mut_arg(id, |argument| argument.hide_short_help(true));
            }
        }
        let mut hidden: Vec<&str> = Vec::new();
        for gpu in registry.gpus() {
            let about = gpu.about();
            let is_shown = shown(about.id);
            for own in of_verb(*gpu, &name) {
                let known = verb.get_arguments().find(|known| known.get_long() == Some(own.name));
                if let Some(id) = known.map(|known| known.get_id().clone()) {
                    // A shared option that the machine has as a parameter.
                    if !id.as_str().starts_with("--") {
                        continue;
                    }
                    // Another machine has it, too.
                    if is_shown {
                        verb = verb.mut_arg(id, |known| {
                            let others = known.get_help_heading().filter(|_| !known.is_hide_set());
                            let heading = match others {
                                Some(others) => format!("{others} and {}", about.id),
                                None => format!("For {}", about.id),
                            };
                            // The help is that of the machine which is meant.
                            let known = if known.is_hide_set() { known.help(help(own)) } else { known };
                            known.help_heading(heading).hide(false)
                        });
                    }
                    continue;
                }
                verb = verb.arg(argument(own).help_heading(format!("For {}", about.id)).hide(!is_shown));
                if !is_shown && !hidden.contains(&about.id) {
                    hidden.push(about.id);
                }
            }
        }
        if hidden.is_empty() || !hints {
            return verb;
        }
        let ids = hidden.join("|");
        verb.after_help(format!(
            "`gpuzoo {name} --gpu {ids} --help` shows the options that only this machine has."
        ))
    })
}

/// Forms of programs by name, each once: those of instruction sets, and those of single machines.
fn forms(
    registry: &Registry,
    shared: impl Iterator<Item = (&'static str, &'static str)>,
    usable: impl Fn(&gpuzoo::machine::FileForm) -> bool,
) -> Vec<PossibleValue> {
    let own = registry.gpus().iter().flat_map(|gpu| gpu.about().forms.iter().map(move |form| (gpu, form)));
    let own = own.filter(|(_, form)| usable(form));
    let own = own.map(|(gpu, form)| (form.name, format!("{}: {}", gpu.about().id, form.about)));
    let mut values: Vec<PossibleValue> = Vec::new();
    for (name, doc) in shared.map(|(name, doc)| (name, doc.to_owned())).chain(own) {
        if values.iter().all(|known| known.get_name() != name) {
            values.push(PossibleValue::new(name).help(doc));
        }
    }
    values
}

/// What pictures can show, each once.
fn views(registry: &Registry) -> Vec<PossibleValue> {
    let shared = View::ALL.iter().map(|(name, _, doc)| (*name, (*doc).to_owned()));
    let own = registry.gpus().iter().flat_map(|gpu| {
        let id = gpu.about().id;
        gpu.about().views.iter().map(move |(name, doc)| (*name, format!("{id}: {doc}")))
    });
    let mut values: Vec<PossibleValue> = Vec::new();
    for (name, doc) in shared.chain(own) {
        if values.iter().all(|known| known.get_name() != name) {
            values.push(PossibleValue::new(name).help(doc));
        }
    }
    values
}

/// Options of shared groups that a verb never takes: help does not show them.
const UNUSED: [(&str, &[&str]); 8] = [
    ("assemble", &["from", "entry", "stage", "host_constants", "draw", "launch"]),
    ("bench", &["draw", "launch"]),
    ("compile", &["dialect", "numbering", "draw", "launch"]),
    ("disassemble", &["position", "define"]),
    ("fmt", &["from", "entry", "stage", "host_constants", "draw", "launch"]),
    ("record", &["dialect", "numbering", "entry", "stage", "host_constants", "position", "draw", "launch"]),
    ("render", &["dialect", "numbering", "stage", "position", "draw", "launch"]),
    ("vectors", &["bits", "modes", "output_starts"]),
];

fn unused(verb: &str) -> &'static [&'static str] {
    UNUSED.iter().find(|(name, _)| *name == verb).map_or(&[], |(_, ids)| ids)
}

/// Refuses an option that the verb never takes.
///
/// # Errors
/// `G0142`.
pub fn check_unused(matches: &ArgMatches) -> Result<(), Diagnostic> {
    let Some((verb, matches)) = matches.subcommand() else { return Ok(()) };
    let is_set = |id: &&&str| matches.value_source(id) == Some(ValueSource::CommandLine);
    match unused(verb).iter().find(is_set) {
        None => Ok(()),
        Some(id) => {
            let command = Cli::command();
            let arguments = command.find_subcommand(verb).into_iter().flat_map(Command::get_arguments);
            let name =
                arguments.filter(|argument| argument.get_id() == id).find_map(Arg::get_long).unwrap_or(id);
            let problem =
                Diagnostic::error(&NOT_APPLICABLE, format!("`--{name}` does not apply to `{verb}`"));
            Err(problem.help(format!("`gpuzoo {verb} --help` shows the options that do")))
        }
    }
}

/// Verbs that read a program in any of its forms, and so take what is for reading.
const READERS: [&str; 9] =
    ["disassemble", "check", "run", "trace", "debug", "why", "record", "render", "diff"];

/// What a verb takes for a machine: its own parameters, and those for reading.
fn of_verb(gpu: &dyn Gpu, verb: &str) -> impl Iterator<Item = &'static Parameter> {
    let reads = READERS.contains(&verb);
    let takes = move |known: &Verb| known.name() == verb || reads && *known == Verb::Read;
    gpu.about().parameters.iter().filter(move |own| own.verbs.iter().any(takes))
}

/// What the parser calls a machine's option: not as the verbs call their own arguments.
fn id(own: &Parameter) -> String {
    format!("--{}", own.name)
}

/// What is said of a parameter, as a sentence.
fn help(own: &Parameter) -> String {
    let mut letters = own.about.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}

/// A parameter as an option.
fn argument(own: &'static Parameter) -> Arg {
    let mut argument = Arg::new(id(own)).long(own.name).help(help(own)).value_parser(value_parser!(OsString));
    if let Some(letter) = own.short {
        argument = argument.short(letter);
    }
    match own.kind {
        Kind::Flag => argument.action(ArgAction::SetTrue).value_parser(value_parser!(bool)),
        Kind::Number { .. } => argument.value_name("N"),
        Kind::Address => argument.value_name("ADDRESS"),
        Kind::Choice(_) => argument.value_name("NAME").action(ArgAction::Append),
        Kind::Name => argument.value_name("TEXT").action(ArgAction::Append),
        Kind::Folder => {
            argument.value_name("FOLDER").action(ArgAction::Append).value_hint(ValueHint::DirPath)
        }
        Kind::Disk => argument.value_name("FOLDER").value_hint(ValueHint::DirPath),
        Kind::FileOrDisk => argument.value_name("FILE|FOLDER").value_hint(ValueHint::AnyPath),
        Kind::Source => argument.value_name("FILE").action(ArgAction::Append).value_hint(ValueHint::FilePath),
        _ => argument.value_name("FILE").value_hint(ValueHint::FilePath),
    }
}

/// Name of the option for macros, which a machine may have as a parameter.
pub const MACROS: &str = "define";
/// Name of the option for folders of included files, which a machine may have as a parameter.
pub const FOLDERS: &str = "include";

/// A machine's option that was given, and its values; none for a flag.
#[derive(Clone)]
pub struct Given {
    pub name: &'static str,
    pub values: Vec<OsString>,
}

/// The options of machines that were given.
pub fn given(registry: &Registry, matches: &ArgMatches) -> Vec<Given> {
    let Some((verb, matches)) = matches.subcommand() else { return Vec::new() };
    // Options of all machines that are parameters of some.
    let shared = [(MACROS, "define"), (FOLDERS, "folders")].into_iter().filter_map(|(name, id)| {
        matches
            .try_contains_id(id)
            .is_ok()
            .then(|| matches.get_raw(id))
            .flatten()
            .map(|values| Given { name, values: values.map(ToOwned::to_owned).collect() })
    });
    let mut given: Vec<Given> = shared.collect();
    for own in registry.gpus().iter().flat_map(|gpu| of_verb(*gpu, verb)) {
        let id = id(own);
        let is_set = matches.try_contains_id(&id).is_ok()
            && matches.value_source(&id) == Some(ValueSource::CommandLine);
        if !is_set || given.iter().any(|known| known.name == own.name) {
            continue;
        }
        let values = matches.try_get_many::<OsString>(&id).ok().flatten();
        given.push(Given { name: own.name, values: values.into_iter().flatten().cloned().collect() });
    }
    given
}
