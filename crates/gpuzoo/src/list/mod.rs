//! The verb `list`: what there is. `explain` takes its pages of single things from these tables, too.

mod language;
#[cfg(feature = "render")]
mod scene;
mod settings;

use crate::Registry;
use crate::codes::NO_SUCH_LEVEL;
use crate::emit::Emit;
use crate::operands::{self, Instruction};
use crate::paint::{Ink, Paint};
use gpuzoo_diag::{Diagnostic, counted, json};
use gpuzoo_engine::{Level, NoSuchLevel};
use gpuzoo_isa::list;
use gpuzoo_machine::limits::budget::Resource;
use gpuzoo_machine::options::arguments::Parameter;
use gpuzoo_machine::options::keys::Key;
use gpuzoo_machine::vectors::VectorFiles;
use gpuzoo_machine::{About, Gpu, Mode, ShaderUnit};
use serde::Serialize;

pub use language::{dialects, directives, macros, numberings, register_example, registers, single_registers};
#[cfg(feature = "render")]
pub use scene::scene;
pub use settings::{jobs, settings};

/// A table that prints as text or JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing {
    /// What the columns hold.
    pub columns: &'static [&'static str],
    /// The rows, each with as many cells.
    pub rows: Vec<Vec<String>>,
    /// More about the rows, which JSON has beside their cells; empty if there is no more about any.
    pub details: Vec<Details>,
}

/// More about a row of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Details {
    /// Sentences about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The names that it can be given, and their meanings.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<[String; 2]>,
    /// The names of the settings in it, and their meanings, if it can have settings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub settings: Option<Vec<[String; 2]>>,
    /// An example, of one or several lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub example: Option<String>,
    /// An instruction's operands and fields.
    #[serde(flatten)]
    pub instruction: Option<Box<Instruction>>,
}

impl Details {
    /// Nothing but an example.
    pub(crate) fn example(example: impl Into<String>) -> Details {
        Details { example: Some(example.into()), ..Details::default() }
    }
}

/// A row as an object.
#[derive(Serialize)]
struct Row<'a> {
    #[serde(flatten, serialize_with = "json::object")]
    cells: Vec<(&'a str, &'a str)>,
    #[serde(flatten)]
    details: Option<&'a Details>,
}

/// Names and meanings as [`Details`] have them.
fn pairs<'a>(all: impl Iterator<Item = [&'a str; 2]>) -> Vec<[String; 2]> {
    all.map(|pair| pair.map(str::to_owned)).collect()
}

impl Listing {
    /// A table of these rows.
    pub fn new(columns: &'static [&'static str], rows: Vec<Vec<String>>) -> Listing {
        Listing { columns, rows, details: Vec::new() }
    }

    /// Columns beneath their names.
    pub fn text(&self, paint: Paint) -> String {
        let width = |column: usize| {
            let cells = self.rows.iter().map(|row| row[column].chars().count());
            cells.chain([self.columns[column].len()]).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.columns.len()).map(width).collect();
        let line = |cells: &mut dyn Iterator<Item = &str>| {
            let cells: Vec<String> =
                cells.zip(&widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
            format!("{}\n", cells.join("  ").trim_end())
        };
        let header = line(&mut self.columns.iter().copied());
        let header = format!("{}\n", paint.ink(Ink::Head, header.trim_end()));
        let rows = self.rows.iter().map(|row| line(&mut row.iter().map(String::as_str)));
        rows.fold(header, |text, row| text + &row)
    }

    /// A list of objects, an object a line.
    pub fn json(&self) -> String {
        let object = |(index, row): (usize, &Vec<String>)| {
            let cells = self.columns.iter().copied().zip(row.iter().map(String::as_str)).collect();
            json::text(&Row { cells, details: self.details.get(index) })
        };
        let objects: Vec<String> = self.rows.iter().enumerate().map(object).collect();
        format!("[\n{}\n]\n", objects.join(",\n"))
    }
}

fn rows<T, const N: usize>(
    gpus: &[&'static dyn Gpu],
    items: impl Fn(&'static dyn Gpu) -> Vec<T>,
    row: impl Fn(&'static dyn Gpu, T) -> [String; N],
) -> Vec<Vec<String>> {
    gpus.iter()
        .flat_map(|&gpu| items(gpu).into_iter().map(|item| row(gpu, item).to_vec()).collect::<Vec<_>>())
        .collect()
}

/// The extensions of a machine's files, with their dots.
pub(crate) fn extensions(about: &About) -> String {
    about.extensions.iter().map(|extension| format!(".{extension}")).collect::<Vec<_>>().join(" ")
}

/// The machines.
pub fn gpus(gpus: &[&'static dyn Gpu]) -> Listing {
    let rows = rows(
        gpus,
        |_| vec![()],
        |gpu, ()| {
            let about = gpu.about();
            [
                about.id.into(),
                about.name.into(),
                extensions(about),
                about.named_profiles().map(|(name, _)| name).collect::<Vec<_>>().join(" "),
                about.summary.into(),
            ]
        },
    );
    Listing::new(&["id", "name", "extensions", "profiles", "summary"], rows)
}

/// The instructions of the machines: those of shader units, and those of a CPU that drives one.
pub fn ops(gpus: &[&'static dyn Gpu]) -> Listing {
    let (mut rows, mut details) = (Vec::new(), Vec::new());
    for gpu in gpus {
        let id = gpu.about().id.to_owned();
        let isa = gpu.shader_unit().map(ShaderUnit::isa);
        for (isa, op) in isa.iter().flat_map(|isa| isa.ops().map(move |op| (isa, op))) {
            let cells = [op.code.to_string(), op.name.into(), isa.usage(op), op.doc.into()];
            rows.push([id.clone()].into_iter().chain(cells).collect());
            let instruction = Some(Box::new(operands::details(isa, op)));
            details.push(Details { instruction, ..Details::default() });
        }
        for own in gpu.reference().iter().flat_map(|reference| reference.instructions()) {
            rows.push(vec![id.clone(), own.opcode, own.name, own.usage, own.meaning]);
            details.push(Details::default());
        }
    }
    Listing { details, ..Listing::new(&["gpu", "opcode", "name", "usage", "meaning"], rows) }
}

/// The single differences that profiles are made of.
pub fn deviations(gpus: &[&'static dyn Gpu]) -> Listing {
    let items =
        |gpu: &'static dyn Gpu| gpu.reference().map_or(Vec::new(), |reference| reference.deviations());
    let rows = rows(gpus, items, |gpu, own| {
        [gpu.about().id.into(), own.name.into(), own.about.into(), own.profiles.join(" ")]
    });
    Listing::new(&["gpu", "name", "is", "in profiles"], rows)
}

/// What the verbs can be given for single machines.
pub fn parameters(gpus: &[&'static dyn Gpu]) -> Listing {
    let items = |gpu: &'static dyn Gpu| gpu.about().parameters.iter().collect();
    let rows = rows(gpus, items, |gpu, own: &Parameter| {
        let verbs: Vec<&str> = own.verbs.iter().map(|verb| verb.name()).collect();
        [gpu.about().id.into(), format!("--{}", own.name), verbs.join(" "), own.about.into()]
    });
    Listing::new(&["gpu", "option", "verbs", "what it is for"], rows)
}

/// The profiles of the machines; the first of each is its default.
pub fn profiles(gpus: &[&'static dyn Gpu]) -> Listing {
    let profiles = |gpu: &'static dyn Gpu| gpu.about().profiles.iter().enumerate().collect();
    let rows = rows(gpus, profiles, |gpu, (index, (name, about)): (usize, &(&str, &str))| {
        [gpu.about().id.into(), (*name).into(), if index == 0 { "yes" } else { "" }.into(), (*about).into()]
    });
    Listing::new(&["gpu", "profile", "default", "what it is"], rows)
}

/// The modes of the machines; the first choice of each is its default.
pub fn modes(gpus: &[&'static dyn Gpu]) -> Listing {
    let choices = |gpu: &'static dyn Gpu| {
        let modes = gpu.about().modes.iter();
        modes.flat_map(|mode| mode.choices.iter().map(|choice| (mode.name, *choice))).collect()
    };
    let rows = rows(gpus, choices, |gpu, (mode, (choice, doc)): (&str, (&str, &str))| {
        [gpu.about().id.into(), mode.into(), choice.into(), doc.into()]
    });
    Listing::new(&["gpu", "mode", "choice", "what it means"], rows)
}

/// The modes of the machines, each with all its choices.
pub fn whole_modes(gpus: &[&'static dyn Gpu]) -> Listing {
    let modes = || gpus.iter().flat_map(|gpu| gpu.about().modes.iter().map(|mode| (gpu.about().id, mode)));
    let row = |(id, mode): (&str, &Mode)| {
        vec![id.to_owned(), mode.name.to_owned(), mode.default(), mode.about().to_owned()]
    };
    let details = |(_, mode): (&str, &Mode)| {
        let choices = pairs(mode.choices.iter().map(|(choice, about)| [*choice, *about]));
        Details { choices, ..Details::default() }
    };
    let listing = Listing::new(&["gpu", "mode", "default", "what it is about"], modes().map(row).collect());
    Listing { details: modes().map(details).collect(), ..listing }
}

/// The forms to emit, pictures, the vertex and texture formats, and the kinds of vector files.
pub fn formats(gpus: &[&'static dyn Gpu]) -> Listing {
    let emit = |(name, _, _, doc): &(&str, &str, Emit, &str)| {
        vec![String::new(), "emit".into(), (*name).into(), (*doc).into()]
    };
    let has_words = gpus.iter().any(|gpu| gpu.shader_unit().is_some());
    let mut all: Vec<Vec<String>> = Emit::ALL.iter().filter(|_| has_words).map(emit).collect();
    #[cfg(feature = "render")]
    all.extend(
        crate::render::Format::ALL
            .iter()
            .map(|(name, _, _, doc)| vec![String::new(), "picture".into(), (*name).into(), (*doc).into()]),
    );
    let items = |gpu: &'static dyn Gpu| {
        let about = gpu.about();
        let bytes = |bytes: u32| format!("{}: ", counted(bytes, "byte"));
        let vertex = about
            .vertex_formats
            .iter()
            .map(|format| ("vertex", format.name, bytes(format.bytes) + format.doc));
        let texture =
            about.texture_formats.iter().map(|format| ("texture", format.name, format.doc.to_owned()));
        let program = about.forms.iter().map(|form| {
            let what = match (form.is_read, form.is_written) {
                (true, true) => "program",
                (true, false) => "read",
                _ => "emit",
            };
            (what, form.name, form.about.to_owned())
        });
        let vectors = about.vectors.iter().map(|kind| {
            let members = list(kind.members.iter().map(|member| member.name));
            ("vectors", kind.name, format!("records for `conform`, of {members}"))
        });
        let own = gpu.vector_files().into_iter().flat_map(VectorFiles::kinds);
        let own = own.map(|(name, about)| ("vectors", *name, (*about).to_owned()));
        vertex.chain(texture).chain(vectors).chain(own).chain(program).collect()
    };
    all.extend(rows(gpus, items, |gpu, (kind, name, doc)| {
        [gpu.about().id.into(), kind.into(), name.into(), doc]
    }));
    Listing::new(&["gpu", "kind", "name", "what it is"], all)
}

/// Every diagnostic code, or those of one machine alone.
pub fn codes(registry: &Registry, gpu: Option<&dyn Gpu>) -> Listing {
    let codes = match gpu {
        Some(gpu) => gpu.about().codes.iter().copied().flatten().copied().collect(),
        None => registry.codes(),
    };
    let rows = codes.into_iter().map(|code| vec![code.id.to_owned(), code.title.to_owned()]).collect();
    Listing::new(&["code", "title"], rows)
}

/// Whether the engine runs on the level that `GPUZOO_SIMD` names.
///
/// # Errors
/// `G0114` if there is no such level, or the processor cannot run it.
pub fn check_level() -> Result<(), Diagnostic> {
    let no_such = |problem: NoSuchLevel| {
        Diagnostic::error(&NO_SUCH_LEVEL, problem.to_string()).help("without `GPUZOO_SIMD` it is the fastest")
    };
    Level::requested().map(|_| ()).map_err(no_such)
}

/// How much one invocation may use of what, unless `--limit` says something else.
pub fn limits() -> Listing {
    let row = |resource: &Resource| {
        vec![resource.name().into(), resource.amount(resource.usual()), resource.about().into()]
    };
    Listing::new(&["name", "limit", "counted"], Resource::ALL.iter().map(row).collect())
}

/// The ways to run programs. The engine's are its levels; `GPUZOO_SIMD` chooses one of them.
pub fn engines() -> Listing {
    let used = |level: &Level| match () {
        () if *level == Level::chosen() => "yes",
        () if level.is_supported() => "",
        () => "not on this processor",
    };
    let doc = |level: &Level| match level {
        Level::Portable => "the engine with what every processor has",
        Level::Avx2 => "the engine, 8 vertices at a time",
        Level::Avx512 => "the engine, 16 vertices at a time",
        Level::Jit => "AVX-512, and machine code made for the program at hand",
    };
    let levels = Level::ALL.iter().map(|level| [level.name(), used(level), doc(level)]);
    let evaluator = [
        "evaluator",
        "",
        "the definition: one vertex at a time; for traces, and programs that write constants",
    ];
    let rows = std::iter::once(evaluator).chain(levels).map(|row| row.map(str::to_owned).to_vec());
    Listing::new(&["engine", "used", "what it is"], rows.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GPUS;

    #[test]
    fn listings_print_as_text_and_json() {
        let listing = Listing::new(&["a", "long"], vec![vec!["bcd".into(), "\"".into()]]);
        assert_eq!(listing.text(Paint::PLAIN), "a    long\nbcd  \"\n");
        assert_eq!(listing.json(), "[\n{\"a\":\"bcd\",\"long\":\"\\\"\"}\n]\n");
    }

    /// What runs is one of the engine's levels, and one that this processor has.
    #[test]
    fn one_level_of_the_engine_is_used() {
        let rows = engines().rows;
        let names: Vec<&str> = rows.iter().map(|row| row[0].as_str()).collect();
        assert_eq!(names, ["evaluator", "portable", "avx2", "avx512", "jit"]);
        let used: Vec<&str> = rows.iter().filter(|row| row[1] == "yes").map(|row| row[0].as_str()).collect();
        assert_eq!(used, [Level::chosen().name()]);
    }

    #[test]
    fn every_row_has_every_cell() {
        for listing in [
            gpus(GPUS),
            ops(GPUS),
            registers(GPUS),
            single_registers(GPUS),
            dialects(GPUS),
            numberings(GPUS),
            directives(GPUS),
            macros(GPUS),
            settings(GPUS),
            jobs(GPUS),
            deviations(GPUS),
            parameters(GPUS),
            profiles(GPUS),
            modes(GPUS),
            whole_modes(GPUS),
            formats(GPUS),
            codes(&Registry::default(), None),
            engines(),
        ] {
            assert!(!listing.rows.is_empty());
            assert!(listing.rows.iter().all(|row| row.len() == listing.columns.len()));
        }
    }
}
