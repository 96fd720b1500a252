//! What programs are written with, beside instructions: registers, dialects, directives, macros.

use super::{Details, Listing, extensions, rows};
use gpuzoo_isa::{FileKind, Isa, Reg, RegFile, Statement, Syntax};
use gpuzoo_machine::{Dialect, Gpu, ShaderUnit};

/// The register files of a machine that programs can name.
fn files(gpu: &'static dyn Gpu) -> impl Iterator<Item = (&'static Isa, u8, &'static RegFile)> {
    let isa = gpu.shader_unit().map(ShaderUnit::isa);
    let files =
        isa.into_iter().flat_map(|isa| isa.files.iter().zip(0..).map(move |(file, at)| (isa, at, file)));
    files.filter(|(.., file)| !file.internal)
}

fn access(kind: FileKind) -> &'static str {
    match kind {
        FileKind::Input | FileKind::Constant => "read only",
        FileKind::Output(_) => "write only",
        FileKind::Temporary(_) => "read and write",
    }
}

/// The registers of the machines: those of programs, by files and, where they differ in meaning, one by one, and those that
/// are reached by address.
pub fn registers(gpus: &[&'static dyn Gpu]) -> Listing {
    let items = |gpu: &'static dyn Gpu| {
        let files = files(gpu).flat_map(|(_, _, file)| {
            let row =
                |name, meaning: &str| [name, file.name.into(), access(file.kind).into(), meaning.into()];
            let meaning = if file.about.is_empty() { file.kind.text() } else { file.about };
            let whole = row(file.names_text().replace('`', ""), meaning);
            let noted = file.notes.iter().map(move |(index, note)| row(file.reg_name(*index), note));
            std::iter::once(whole).chain(noted).collect::<Vec<_>>()
        });
        let own = gpu.reference().map_or(Vec::new(), |reference| reference.registers()).into_iter();
        files.chain(own.map(|own| [own.name, own.place, own.access, own.meaning])).collect()
    };
    let rows = rows(gpus, items, |gpu, [name, place, access, meaning]: [String; 4]| {
        [gpu.about().id.into(), name, place, access, meaning]
    });
    Listing::new(&["gpu", "name", "place", "access", "meaning"], rows)
}

/// The registers that programs name, one by one, with their other names.
pub fn single_registers(gpus: &[&'static dyn Gpu]) -> Listing {
    let columns = &["gpu", "name", "place", "access", "also", "starts as", "meaning"];
    let mut listing = Listing::new(columns, Vec::new());
    for gpu in gpus {
        for (isa, at, file) in files(*gpu) {
            for index in (0..file.count).filter(|index| file.has(*index)) {
                let reg = Reg { file: at, index };
                let starts = match file.kind {
                    FileKind::Temporary(value) | FileKind::Output(value) => {
                        format!(
                            "({})",
                            value.map(|component| f32::from_bits(component).to_string()).join(", ")
                        )
                    }
                    FileKind::Input | FileKind::Constant => String::new(),
                };
                let note = file.notes.iter().find(|(own, _)| *own == index).map(|(_, note)| *note);
                let meaning =
                    note.unwrap_or(if file.about.is_empty() { file.kind.text() } else { file.about });
                listing.rows.push(vec![
                    gpu.about().id.to_owned(),
                    file.reg_name(index),
                    file.name.to_owned(),
                    access(file.kind).to_owned(),
                    other_names(*gpu, isa, reg),
                    starts,
                    meaning.to_owned(),
                ]);
                let is_noted = note.is_some() && !file.about.is_empty();
                let text = is_noted.then(|| format!("All of these: {}.", file.about));
                listing.details.push(Details { text, ..Details::default() });
            }
        }
    }
    listing
}

/// An instruction that names the register of such a row.
pub fn register_example(gpus: &[&'static dyn Gpu], row: &[String]) -> Option<String> {
    let gpu = gpus.iter().find(|gpu| row[0] == gpu.about().id)?;
    let (isa, at, file) = files(*gpu).find(|(.., file)| row[2] == file.name)?;
    isa.example_with(Reg { file: at, index: (0..file.count).find(|index| file.reg_name(*index) == row[1])? })
}

/// What else the machine's dialects call a register.
fn other_names(gpu: &'static dyn Gpu, isa: &Isa, reg: Reg) -> String {
    let usual = isa.reg_name(reg);
    let mut names: Vec<String> = Vec::new();
    let mut add = |name: String| {
        if !name.eq_ignore_ascii_case(&usual) && !names.iter().any(|own| own.eq_ignore_ascii_case(&name)) {
            names.push(name);
        }
    };
    for (_, syntax) in languages(gpu) {
        let own = syntax.names.iter().filter(|name| name.reg == reg);
        own.for_each(|name| add(name.text.to_owned()));
        for indexed in syntax.indexed.iter().filter(|indexed| indexed.file == reg.file) {
            let names = indexed.names.iter().filter(|(_, index)| *index == reg.index);
            names.for_each(|(name, _)| add(format!("{}[{name}]", indexed.prefix)));
        }
        let prefixes = syntax.prefixes.iter().filter(|(file, _)| *file == reg.file);
        prefixes.for_each(|(_, prefix)| add(format!("{prefix}{}", reg.index)));
    }
    names.join(" ")
}

/// The languages of a machine; that of a machine with one has no name.
fn languages(gpu: &'static dyn Gpu) -> Vec<(&'static str, &'static Syntax)> {
    let dialects = gpu.about().text_options.dialects;
    match (dialects, gpu.shader_unit()) {
        ([], Some(unit)) => vec![("", unit.isa().syntax)],
        _ => dialects.iter().map(|dialect| (dialect.name, dialect.syntax)).collect(),
    }
}

/// The assembly dialects, and what their texts can begin with to say so.
pub fn dialects(gpus: &[&'static dyn Gpu]) -> Listing {
    let items = |gpu: &'static dyn Gpu| {
        let about = gpu.about();
        let of_dialect = |dialect: &Dialect| {
            let own = [dialect.name.to_owned(), "dialect".to_owned(), dialect.about.to_owned()];
            let header = |(name, what): (&str, &str)| {
                [name.to_owned(), format!("header of {}", dialect.name), what.to_owned()]
            };
            std::iter::once(own).chain((dialect.headers)().into_iter().map(header)).collect::<Vec<_>>()
        };
        let several = about.text_options.dialects.iter().flat_map(of_dialect);
        let only = format!("the one language of its programs; files end in {}", extensions(about));
        let one =
            about.text_options.dialects.is_empty().then(|| ["-".to_owned(), "language".to_owned(), only]);
        several.chain(one).collect()
    };
    let rows =
        rows(gpus, items, |gpu, [name, kind, what]: [String; 3]| [gpu.about().id.into(), name, kind, what]);
    let dialects = || gpus.iter().flat_map(|gpu| gpu.about().text_options.dialects);
    let example = |row: &Vec<String>| {
        let own = dialects().find(|dialect| row[1] == dialect.name);
        own.map(|dialect| Details::example(dialect.example)).unwrap_or_default()
    };
    let details = rows.iter().map(example).collect();
    Listing { details, ..Listing::new(&["gpu", "name", "is", "what it is"], rows) }
}

/// The ways to count constants.
pub fn numberings(gpus: &[&'static dyn Gpu]) -> Listing {
    let items = |gpu: &'static dyn Gpu| gpu.about().text_options.numberings.iter().collect();
    let rows = rows(gpus, items, |gpu, (name, about): &(&str, &str)| {
        [gpu.about().id.into(), (*name).into(), (*about).into()]
    });
    Listing::new(&["gpu", "numbering", "what it is"], rows)
}

/// The directives of the machines' languages.
pub fn directives(gpus: &[&'static dyn Gpu]) -> Listing {
    statements(gpus, |syntax| syntax.all_directives().collect(), false)
}

/// The macros of the machines' languages, which become instructions.
pub fn macros(gpus: &[&'static dyn Gpu]) -> Listing {
    statements(gpus, |syntax| syntax.macros.iter().collect(), true)
}

/// A slot of zeros.
fn word_example(gpu: &'static dyn Gpu) -> Option<String> {
    let isa = gpu.shader_unit()?.isa();
    let numbers = isa.slot_words * 32 / isa.syntax.word_bits as usize;
    Some(format!("{}{}", Statement::WORD.name, " 0".repeat(numbers)))
}

fn statements(
    gpus: &[&'static dyn Gpu],
    of: fn(&'static Syntax) -> Vec<&'static Statement>,
    macros: bool,
) -> Listing {
    let mut listing = Listing::new(&["gpu", "name", "dialect", "written", "what it does"], Vec::new());
    for gpu in gpus {
        let id = gpu.about().id;
        let languages = languages(*gpu);
        let all =
            languages.iter().flat_map(|(name, syntax)| of(syntax).into_iter().map(move |own| (*name, own)));
        let mut found: Vec<(Vec<&str>, &Statement)> = Vec::new();
        for (language, own) in all {
            match found.iter_mut().find(|(_, known)| (known.usage, known.about) == (own.usage, own.about)) {
                Some((names, _)) => names.push(language),
                None => found.push((vec![language], own)),
            }
        }
        for (names, own) in found {
            let cells = [id, own.name, &names.join(" "), own.usage, own.about];
            listing.rows.push(cells.map(str::to_owned).to_vec());
            let word = word_example(*gpu).filter(|_| own.name == Statement::WORD.name);
            let example = word.unwrap_or_else(|| own.example.to_owned());
            listing.details.push(Details::example(example));
        }
        for own in gpu.reference().iter().flat_map(|reference| reference.statements()) {
            if own.is_macro == macros {
                listing.rows.push([id, own.name, "", own.usage, own.about].map(str::to_owned).to_vec());
                listing.details.push(Details::default());
            }
        }
    }
    listing
}
