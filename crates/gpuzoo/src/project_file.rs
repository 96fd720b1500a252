//! Project files: a program of several sources, and the options that belong to it, in one file that every verb takes as it takes a program.
//!
//! ```toml
//! sources = ["main.s", "sound.s"]
//! config = "game.cfg"
//! include = ["lib"]
//! stub = "yes"
//! ```
//!
//! Beside `sources` a project file has the names of its machine's [parameters](gpuzoo_machine::About::parameters), as `gpuzoo list options` has them:
//! it says nothing that the command line could not say, and each verb takes of it what it has. Paths are from the file's own folder, and lead
//! to what lies in it.

use crate::codes::PROJECT;
use crate::file_name::parts_below;
use crate::{Gpu, Registry};
use gpuzoo_diag::{Diagnostic, File, Span, suggest};
use gpuzoo_isa::list;
use gpuzoo_machine::options::arguments::{Kind, Parameter};
use gpuzoo_machine::options::settings::{Setting, Table, Value};
use gpuzoo_scene::toml;

/// The most sources, and values of an option.
pub const MOST_VALUES: usize = 256;
/// The longest project file in bytes.
pub const MOST_BYTES: usize = 1 << 20;

/// An option that a project file gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// The parameter's name.
    pub name: &'static str,
    /// Its values, of paths as they are written; none for a flag.
    pub values: Vec<String>,
    /// The values are paths.
    pub is_path: bool,
    /// All values count, and not only the last one.
    pub is_many: bool,
}

/// What a project file says.
#[derive(Clone)]
pub struct ProjectFile {
    /// The machine.
    pub gpu: &'static dyn Gpu,
    /// The sources as they are written, at least one, in the order in which they are linked.
    pub sources: Vec<String>,
    /// The options, in the order of the file.
    pub options: Vec<Given>,
    /// All paths that the file names, sources and values of options, with their places. Who opens them sees to it that a file from a
    /// stranger does not lead out of its folder.
    pub paths: Vec<(String, Span)>,
    /// The folder where the program saves, with its place: strictly below the project's folder, as far as its name
    /// tells. Links in it may lead
    /// out of that.
    pub disk: Option<(String, Span)>,
}

/// Help about a [disk](ProjectFile::disk) that a project cannot have.
pub const OWN_FOLDER: &str = "name a folder below the one of the project file, as in `files = \"disk\"`; `--files FOLDER` on the command line takes any";

/// Whether a text is a project file: TOML with `sources`.
///
/// ```
/// use gpuzoo::project_file::is_project;
/// assert!(is_project("sources = [\"main.s\"]\n"));
/// assert!(!is_project("gpu = \"nv2a\"\n"));
/// ```
pub fn is_project(text: &str) -> bool {
    text.len() <= MOST_BYTES
        && text.contains("sources")
        && toml::parse(&File::new("", text)).0.get("sources").is_some()
}

/// Whether an option belongs to a program, rather than to one use of it: files that are written do not, and further sources are `sources`.
fn belongs(own: &&Parameter) -> bool {
    !matches!(own.kind, Kind::Output | Kind::Source)
}

impl ProjectFile {
    /// Reads one.
    ///
    /// # Errors
    /// `G0136`, and what is wrong with the TOML.
    pub fn parse(registry: &Registry, file: &File) -> Result<ProjectFile, Vec<Diagnostic>> {
        if file.text().len() > MOST_BYTES {
            return Err(vec![Diagnostic::error(&PROJECT, "a project file has up to 1 MiB").at(file.whole())]);
        }
        let (table, mut problems) = toml::parse(file);
        let sources = match table.get("sources") {
            Some(setting) => texts(setting).unwrap_or_else(|problem| {
                problems.push(problem);
                Vec::new()
            }),
            None => Vec::new(),
        };
        if sources.is_empty() && problems.is_empty() {
            let at = table.get("sources").map_or(file.whole(), |setting| setting.span);
            let problem = Diagnostic::error(&PROJECT, "a project has no program without sources").at(at);
            problems.push(
                problem.help("`sources = [\"main.s\"]` names them in the order in which they are linked"),
            );
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        let gpu = machine(registry, &table, &sources, file)?;
        let mut options: Vec<Given> = Vec::new();
        let (mut paths, mut disk) = (sources.clone(), None);
        for (name, at, setting) in &table.entries {
            if matches!(name.as_str(), "sources" | "gpu") {
                continue;
            }
            match option(gpu, name, *at, setting) {
                Ok(Some(given)) => {
                    if is_disk(gpu, name) {
                        disk = texts(setting).ok().and_then(|all| all.into_iter().next());
                    }
                    paths.extend(given.is_path.then(|| texts(setting).ok()).flatten().unwrap_or_default());
                    options.push(given);
                }
                Ok(None) => {}
                Err(problem) => problems.push(problem),
            }
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        let sources = sources.into_iter().map(|(text, _)| text).collect();
        Ok(ProjectFile { gpu, sources, options, paths, disk })
    }
}

/// The machine that the file names, or that the first source's name says.
fn machine(
    registry: &Registry,
    table: &Table,
    sources: &[(String, Span)],
    file: &File,
) -> Result<&'static dyn Gpu, Vec<Diagnostic>> {
    let named = table.get("gpu");
    let (id, name) = match named.map(|setting| &setting.value) {
        Some(Value::Text(id)) => (Some(id.as_str()), ""),
        Some(_) => {
            let at = named.map_or(file.whole(), |setting| setting.span);
            return Err(vec![Diagnostic::error(&PROJECT, "`gpu` is a machine's name, in quotes").at(at)]);
        }
        None => (None, sources.first().map_or("", |(name, _)| name.as_str())),
    };
    let at = named.map(|setting| setting.span).or(sources.first().map(|(_, at)| *at)).unwrap_or(file.whole());
    let gpu = registry.choose(id, name).map_err(|problem| vec![problem.at(at)])?;
    if gpu.computer().is_none() {
        let message = format!("programs of {} have one source, and no project file", gpu.about().id);
        return Err(vec![Diagnostic::error(&PROJECT, message).at(at)]);
    }
    Ok(gpu)
}

/// True for an option that names the program's disk.
fn is_disk(gpu: &dyn Gpu, name: &str) -> bool {
    gpu.about().parameters.iter().any(|own| own.name == name && own.kind == Kind::Disk)
}

/// An option; none for a flag that is off.
fn option(gpu: &dyn Gpu, name: &str, at: Span, setting: &Setting) -> Result<Option<Given>, Diagnostic> {
    let all = || gpu.about().parameters.iter().filter(belongs);
    let Some(own) = all().find(|own| own.name == name) else {
        let problem = Diagnostic::error(&PROJECT, format!("`{name}` does not belong to a project")).at(at);
        let mut known: Vec<&str> = ["sources", "gpu"].into_iter().chain(all().map(|own| own.name)).collect();
        known.dedup();
        let problem = match suggest::nearest(name, known.iter().copied()) {
            Some(near) => problem.help(format!("did you mean `{near}`?")),
            None => problem,
        };
        return Err(problem.help(format!("a project has {}", list(known.into_iter()))));
    };
    let wrong = |what: &str| Err(Diagnostic::error(&PROJECT, format!("`{name}` {what}")).at(setting.span));
    let is_path = matches!(own.kind, Kind::File | Kind::Folder | Kind::Disk | Kind::FileOrDisk);
    let is_many = matches!(own.kind, Kind::Name | Kind::Choice(_) | Kind::Folder);
    let values = match (own.kind, &setting.value) {
        (Kind::Flag, Value::Bool(true)) => Vec::new(),
        (Kind::Flag, Value::Bool(false)) => return Ok(None),
        (Kind::Flag, _) => return wrong("is true or false"),
        _ => texts(setting)?,
    };
    if values.len() > 1 && !is_many {
        return wrong("has one value");
    }
    if own.kind != Kind::Flag && values.is_empty() {
        return wrong("needs a value");
    }
    if !is_path && own.kind != Kind::Flag {
        for (text, at) in &values {
            own.read(text).map_err(|problem| problem.at(*at))?;
        }
    }
    let is_outside = |(text, _): &&(String, Span)| parts_below(text).is_none();
    if own.kind == Kind::Disk
        && let Some((text, at)) = values.iter().find(is_outside)
    {
        let message =
            format!("`{name}` cannot be `{text}`: the program would write outside of a folder of its own");
        return Err(Diagnostic::error(&PROJECT, message).at(*at).help(OWN_FOLDER));
    }
    let values = values.into_iter().map(|(text, _)| text).collect();
    Ok(Some(Given { name: own.name, values, is_path, is_many }))
}

/// Texts or numbers, of a list or alone.
fn texts(setting: &Setting) -> Result<Vec<(String, Span)>, Diagnostic> {
    let one = |setting: &Setting| match &setting.value {
        Value::Text(text) if !text.is_empty() => Ok((text.clone(), setting.span)),
        Value::Int(number) => Ok((number.to_string(), setting.span)),
        _ => {
            Err(Diagnostic::error(&PROJECT, "expected a text in quotes, or a list of such").at(setting.span))
        }
    };
    match &setting.value {
        Value::List(all) if all.len() > MOST_VALUES => {
            Err(Diagnostic::error(&PROJECT, "a list has up to 256 values").at(setting.span))
        }
        Value::List(all) => all.iter().map(one).collect(),
        _ => one(setting).map(|text| vec![text]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<ProjectFile, Vec<String>> {
        let file = File::new("gpuzoo.toml", text);
        ProjectFile::parse(&Registry::default(), &file).map_err(|problems| {
            let shown = |problem: &Diagnostic| {
                let at = problem.span().map_or("", |span| file.slice(span));
                format!("{} {} [{at}]", problem.code.id, problem.message)
            };
            problems.iter().map(shown).collect()
        })
    }

    #[test]
    fn options_are_those_of_the_machine() {
        let text = "sources = [\"a.s\", \"b.s\"]\ninclude = [\"lib\"]\nstub = \"yes\"\nstart = \"$0810\"\nframes = 3\n\
                    sdcard = \"card\"\n";
        let Ok(project) = parsed(text) else { panic!() };
        assert_eq!(
            (project.gpu.about().id, project.sources),
            ("vera", vec!["a.s".to_owned(), "b.s".to_owned()])
        );
        let paths: Vec<(&str, &str)> =
            project.paths.iter().map(|(path, at)| (&**path, &text[at.range()])).collect();
        let expected = ["a.s", "b.s", "lib", "card"].map(|path| (path, format!("\"{path}\"")));
        assert_eq!(paths, expected.each_ref().map(|(path, written)| (*path, &**written)));
        let options: Vec<_> =
            project.options.iter().map(|own| (own.name, own.values.join(" "), own.is_path)).collect();
        let expected = [
            ("include", "lib", true),
            ("stub", "yes", false),
            ("start", "$0810", false),
            ("frames", "3", false),
            ("sdcard", "card", true),
        ];
        let mut expected: Vec<_> =
            expected.map(|(name, value, path)| (name, value.to_owned(), path)).to_vec();
        let mut options = options;
        expected.sort();
        options.sort();
        assert_eq!(options, expected);
        assert!(parsed("sources = \"a.s\"\nstate = false\n").is_ok_and(|project| project.options.is_empty()));
    }

    #[test]
    fn what_is_wrong_is_shown_where_it_stands() {
        let wrong = |text: &str| parsed(text).err().unwrap_or_default().join("\n");
        assert_eq!(wrong("sources = []\n"), "G0136 a project has no program without sources [[]]");
        assert_eq!(wrong("sources = [1.5]\n"), "G0136 expected a text in quotes, or a list of such [1.5]");
        assert_eq!(
            wrong("sources = \"a.s\"\nstup = \"yes\"\n"),
            "G0136 `stup` does not belong to a project [stup]"
        );
        assert_eq!(
            wrong("sources = \"a.s\"\nlink = \"b.s\"\n"),
            "G0136 `link` does not belong to a project [link]"
        );
        assert_eq!(
            wrong("sources = \"a.s\"\nstub = \"maybe\"\n"),
            "G0108 `--stub` cannot be `maybe` [\"maybe\"]"
        );
        assert_eq!(
            wrong("sources = \"a.s\"\nrom = [\"a\", \"b\"]\n"),
            "G0136 `rom` has one value [[\"a\", \"b\"]]"
        );
        assert_eq!(wrong("sources = \"a.s\"\nstate = 1\n"), "G0136 `state` is true or false [1]");
        assert_eq!(wrong("sources = \"a.s\"\ninclude = []\n"), "G0136 `include` needs a value [[]]");
        assert_eq!(wrong("gpu = 1\nsources = \"a.s\"\n"), "G0136 `gpu` is a machine's name, in quotes [1]");
        assert!(wrong("gpu = \"nv2a\"\nsources = \"a.vsh\"\n").starts_with("G0136 programs of nv2a"));
        assert!(wrong("sources = \"a\"\n").starts_with("G0101 which GPU is meant?"));
        assert!(wrong("sources = [\"a.s\"\n").starts_with("R0301"));
        let many = format!("sources = [{}]\n", "\"a.s\",".repeat(257));
        assert!(wrong(&many).starts_with("G0136 a list has up to 256 values"));
        let long = format!("sources = \"a.s\"\n{}", "#".repeat(MOST_BYTES));
        assert!(wrong(&long).starts_with("G0136 a project file has up to 1 MiB"));
    }
}
