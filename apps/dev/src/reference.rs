//! `cargo xtask gen`: the reference pages, written from the tables, and the contact sheet; `--check` only says whether they
//! are up to date.

use gpuzoo::list;
use gpuzoo::scene::keys::{SECTIONS, SceneKey};
use gpuzoo_isa::{Bits, Isa, Op};
use gpuzoo_machine::options::keys::Key;
use gpuzoo_machine::{Gpu, ShaderUnit};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The first line of a page.
pub const MARK: &str = "<!-- Written by `cargo xtask gen` from the tables in the sources; edit those. -->";

/// Writes the pages, or compares them.
pub fn run(args: &[String]) -> ExitCode {
    let check = match args {
        [] => false,
        [check] if check == "--check" => true,
        _ => {
            eprintln!("usage: cargo xtask gen [--check]");
            return ExitCode::from(2);
        }
    };
    let mut code = ExitCode::SUCCESS;
    let mut files: Vec<_> = pages().into_iter().map(|(path, text)| (path, text.into_bytes())).collect();
    match crate::sheet::file() {
        Ok(sheet) => files.push((crate::sheet::PATH.into(), sheet)),
        Err(problem) => {
            eprintln!("{}: {problem}", crate::sheet::PATH);
            return ExitCode::FAILURE;
        }
    }
    for (path, bytes) in files {
        let path = crate::root().join(path);
        if std::fs::read(&path).is_ok_and(|old| old == bytes) {
            continue;
        }
        if check {
            eprintln!("{} is out of date: run `cargo xtask gen`", path.display());
            code = ExitCode::FAILURE;
        } else if let Err(error) = write(&path, &bytes) {
            eprintln!("{}: {error}", path.display());
            code = ExitCode::from(2);
        } else {
            println!("wrote {}", path.display());
        }
    }
    code
}

fn write(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(path, bytes)
}

/// All pages, by path from the repository's root.
pub fn pages() -> Vec<(PathBuf, String)> {
    let folder = Path::new("docs/reference");
    let page = |gpu: &'static dyn Gpu| match gpu.shader_unit() {
        Some(unit) => machine(unit),
        None => driven(gpu),
    };
    let mut pages: Vec<_> =
        gpuzoo::GPUS.iter().map(|gpu| (folder.join(format!("{}.md", gpu.about().id)), page(*gpu))).collect();
    pages.push((folder.join("scene.md"), scenes()));
    pages.push((folder.join("diagnostics.md"), diagnostics()));
    pages.extend(crate::editors::grammars());
    pages.push(crate::typescript::names());
    pages.push(crate::typescript_options::options());
    pages.extend(crate::typescript_options::extension());
    pages.push(crate::option_types::page());
    pages.push(crate::python_options::types());
    pages
}

fn machine(unit: &'static dyn ShaderUnit) -> String {
    let about = unit.about();
    let isa = unit.isa();
    let mut page = format!("{MARK}\n# {}: reference\n\nThis is {}.\n", about.name, about.summary);
    instructions(unit, &mut page);
    encoding(isa, &mut page);
    let gpu: &[&'static dyn Gpu] = &[unit];
    section(
        "Registers",
        "Those of a file, then those that differ in meaning.",
        &list::registers(gpu),
        &mut page,
    );
    let about_dialects = "What a text can begin with tells its dialect; `--dialect` says it.";
    if !about.text_options.dialects.is_empty() {
        section("Dialects", about_dialects, &list::dialects(gpu), &mut page);
    }
    section("Numbers of constants", "What `--numbering` takes.", &list::numberings(gpu), &mut page);
    statements("Directives", "", &list::directives(gpu), &mut page);
    statements("Macros", "They become instructions.", &list::macros(gpu), &mut page);
    section("Profiles", "What `--profile` takes.", &list::profiles(gpu), &mut page);
    section(
        "Modes",
        "What `--mode` takes. The first choice of each is the default.",
        &list::modes(gpu),
        &mut page,
    );
    let about_settings = "What the fixed functions can be set to, in `[draw.state]` of [scenes](scene.md).";
    keys("Settings", about_settings, "toml", &list::settings(gpu), &mut page);
    keys("Jobs", "Raw commands, as JSON objects with these keys.", "json", &list::jobs(gpu), &mut page);
    page += "\n## Vertex formats\n\n| name | bytes | what the program reads |\n|---|---|---|\n";
    for format in about.vertex_formats {
        let _ = writeln!(page, "| `{}` | {} | {} |", format.name, format.bytes, format.doc);
    }
    if !about.texture_formats.is_empty() {
        page += "\n## Texture formats\n\n| name | sides | layout |\n|---|---|---|\n";
    }
    for format in about.texture_formats {
        let sides = if format.power_of_two { "powers of two" } else { "any that the layout allows" };
        let _ = writeln!(page, "| `{}` | {sides} | {} |", format.name, format.doc);
    }
    page +=
        "\n## Diagnostics of this machine\n\nThose of all machines are in [diagnostics](diagnostics.md).\n\n";
    page += "| code | what |\n|---|---|\n";
    for code in about.codes.iter().copied().flatten() {
        let _ = writeln!(
            page,
            "| [`{0}`](diagnostics.md#{1}) | {2} |",
            code.id,
            code.id.to_lowercase(),
            code.title
        );
    }
    page
}

fn instructions(unit: &'static dyn ShaderUnit, page: &mut String) {
    let isa = unit.isa();
    let _ = writeln!(page, "\n## Instructions\n\n{}.\n", isa.size());
    for (index, half) in isa.halves.iter().enumerate() {
        if index > 0 {
            *page += "\nThese run in the other half of a slot, alone or beside one of those above; the half has an \
                      opcode field of its own.\n\n";
        }
        *page += "| opcode | written | meaning |\n|---|---|---|\n";
        for op in half.ops {
            let _ =
                writeln!(page, "| {} | `{}` | `{}` |", op.code, isa.usage(op), op.doc.replace('|', "\\|"));
        }
    }
    let rows: Vec<&'static Op> = isa.ops().collect();
    // The rows of a mnemonic that follow each other have one section; an instruction of both halves has two.
    for group in rows.chunk_by(|one, other| (one.half, one.name) == (other.half, other.name)) {
        let name = group[0].name;
        let both = group[0].half > 0 && isa.ops().any(|own| own.half == 0 && own.name == name);
        let _ = writeln!(page, "\n### `{name}`{}", if both { ", in the other half" } else { "" });
        group.iter().for_each(|op| instruction(isa, op, page));
        if let Some(values) = values(unit.about().id, name) {
            let _ = write!(page, "\nWith values, as a test runs it:\n\n```text\n{values}```\n");
        }
    }
}

/// The golden file of a mnemonic, if it is run: its program, and what some registers give.
fn values(id: &str, name: &str) -> Option<String> {
    /// Lines with values.
    const MOST: usize = 6;
    let folder = crate::root().join(format!("gpus/{id}/tests/ops"));
    let files = std::fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path());
    let file = files.into_iter().find(|path| path.file_stem().is_some_and(|stem| stem == name))?;
    let text = std::fs::read_to_string(file).ok()?;
    let mut runs = 0;
    let mut values = String::new();
    for line in text.lines() {
        let expectation = line.trim_start_matches(['/', '#', ';', ' ']);
        runs += usize::from(expectation.starts_with("run"));
        let is_shown = !["test:", "enc:"].iter().any(|start| expectation.starts_with(start));
        if is_shown && (runs <= MOST || !expectation.starts_with("run")) {
            // Elsewhere a citation names the machine.
            let _ = writeln!(values, "{}", line.replace("(spec ", &format!("({id} spec ")));
        }
    }
    (runs > 0).then_some(values)
}

fn instruction(isa: &Isa, op: &'static Op, page: &mut String) {
    let _ = writeln!(page, "\n    {}", isa.usage(op));
    isa.forms(op).iter().for_each(|form| *page += &format!("    {form}\n"));
    let _ = writeln!(page, "\n`{}`", op.doc);
    if !op.notes.is_empty() {
        let _ = writeln!(page, "\n{}", op.notes);
    }
    match isa.example_text(op) {
        Some(example) => _ = writeln!(page, "\nFor example `{example}`"),
        None => *page += "\nOnly the assembler writes it.\n",
    }
    if op.parts.is_empty() {
        return;
    }
    *page += "\n| operand | is | bits |\n|---|---|---|\n";
    for operand in isa.describe(op) {
        let bits: Vec<String> = operand.fields.iter().map(|field| field.range()).collect();
        let _ = writeln!(page, "| `{}` | {} | {} |", operand.name, cell(&operand.text), bits.join(", "));
    }
}

fn encoding(isa: &Isa, page: &mut String) {
    let _ = writeln!(page, "\n## Encoding\n\nA slot has {} bits.", isa.slot_words * 32);
    *page += "Where fields overlap, the opcode says which of them a slot has.\n\n";
    *page += "| bits | field | holds |\n|---|---|---|\n";
    for field in isa.fields() {
        let half = isa.halves.iter().find(|half| half.opcode == field);
        let doc = half.map_or_else(|| field.doc.to_owned(), |half| half.opcode_doc());
        let _ = writeln!(page, "| {} | `{}` | {} |", field.range(), field.name, cell(&doc));
    }
    let mut filler = "0".to_owned();
    if isa.filler != Bits::default() {
        filler = "what is there in `".to_owned();
        isa.print_words(&isa.filler.words[..isa.slot_words], &mut filler);
        filler.push('`');
    }
    *page += "\nThe machine ignores the bits that an instruction has no field for. ";
    let _ = writeln!(page, "The assembler writes {filler}.");
}

/// A table of one machine under a title, without the column of machines; nothing of an empty one.
fn section(title: &str, text: &str, listing: &list::Listing, page: &mut String) {
    if listing.rows.is_empty() {
        return;
    }
    let _ = writeln!(page, "\n## {title}\n");
    if !text.is_empty() {
        let _ = writeln!(page, "{text}\n");
    }
    let of_machine =
        |cells: &[String]| cells[1..].iter().map(|text| cell(text)).collect::<Vec<_>>().join(" | ");
    let columns = &listing.columns[1..];
    let _ = writeln!(page, "| {} |\n|{}", columns.join(" | "), "---|".repeat(columns.len()));
    for row in &listing.rows {
        let _ = writeln!(page, "| {} |", of_machine(row));
    }
}

/// Settings under a title, each with an example; nothing of an empty list.
fn keys(title: &str, text: &str, language: &str, listing: &list::Listing, page: &mut String) {
    if listing.rows.is_empty() {
        return;
    }
    let _ = writeln!(page, "\n## {title}\n\n{text}");
    for (row, details) in listing.rows.iter().zip(&listing.details) {
        let [_, name, takes, without, about] = &row[..] else { continue };
        let about = about.as_str();
        key(name, [takes, without, about], language, details.example.as_deref(), page);
        for [choice, about] in &details.choices {
            let _ = writeln!(page, "- `{choice}`: {about}");
        }
    }
}

/// A setting: what it takes, what holds without it, what it is, and an example.
fn key(
    name: &str,
    [takes, without, about]: [&str; 3],
    language: &str,
    example: Option<&str>,
    page: &mut String,
) {
    let _ = write!(page, "\n### `{name}`\n\n{}{}.\n\nTakes {takes}.", about[..1].to_uppercase(), &about[1..]);
    *page += &match without {
        "must be given" => " It must be given.\n".to_owned(),
        _ => format!(" Without it: {without}.\n"),
    };
    if let Some(example) = example.filter(|example| !example.is_empty()) {
        let _ = writeln!(page, "\n```{language}\n{example}\n```");
    }
}

/// Directives or macros under a title, each with an example; nothing of an empty list.
fn statements(title: &str, text: &str, listing: &list::Listing, page: &mut String) {
    section(title, text, listing, page);
    let examples = listing.details.iter().map(|details| details.example.as_deref());
    let longer = listing.rows.iter().zip(examples).filter_map(|(row, example)| {
        let example = example.filter(|example| !row.iter().any(|cell| cell == example))?;
        Some(format!("\n{}:\n\n```text\n{example}\n```\n", row.get(2).map_or("", String::as_str)))
    });
    let longer: String = longer.collect();
    if !longer.is_empty() {
        let _ = write!(page, "\nFor example:\n{longer}");
    }
}

/// The format of scene files.
fn scenes() -> String {
    let mut page = format!("{MARK}\n# Scenes: reference\n");
    for own in SECTIONS {
        let _ = write!(page, "\n## `{}`\n\n{}\n\n", own.path, own.about);
        let _ = writeln!(page, "```toml\n{}\n```", own.written(own.example));
        for own_key in own.keys {
            let SceneKey { key: plain, .. } = own_key;
            let (without, example) = (plain.without(), own_key.example());
            let written = (!example.is_empty()).then(|| own.written(&example));
            let name = format!("{}.{}", own.path, plain.name);
            key(&name, [plain.takes, &without, plain.about], "toml", written.as_deref(), &mut page);
        }
    }
    page += "\n## `scene.draw.state`\n\nWhat the fixed functions do, by machine:";
    for unit in gpuzoo::shader_units() {
        let about = unit.about();
        let _ = write!(page, " [{}]({}.md#settings)", about.name, about.id);
    }
    page += ".\n";
    page
}

/// A machine that a CPU drives: it has registers and state in place of instructions of its own.
fn driven(gpu: &'static dyn Gpu) -> String {
    let about = gpu.about();
    let mut page = format!("{MARK}\n# {}: reference\n\nThis is the {}.\n", about.name, about.summary);
    for (name, text) in about.facts {
        let _ = write!(page, "\n{name}: {text}.\n");
    }
    let one = &[gpu];
    section("Options", "What the verbs take for this machine alone.", &list::parameters(one), &mut page);
    section("Registers", "", &list::registers(one), &mut page);
    let Some(reference) = gpu.reference() else { return page };
    page += "\n## State\n\nWhat `gpuzoo run --state`, `trace` and sessions show, registers that cannot be read included.\n\n";
    page += "| name | bits | what it is |\n|---|---|---|\n";
    for state in reference.states() {
        let _ = writeln!(page, "| `{}` | {} | {} |", state.name, state.bits, state.about);
    }
    section("Profiles", "What `--profile` takes.", &list::profiles(one), &mut page);
    let about_deviations = "Where other sources part from the one that is the default; a profile is a set of them, and \
                            `--deviation NAME` adds one.";
    section("Deviations", about_deviations, &list::deviations(one), &mut page);
    section("Directives", "Of the [assembler](../assembler.md).", &list::directives(one), &mut page);
    section("Macros", "What its texts have for them.", &list::macros(one), &mut page);
    section("The CPU's instructions", "", &list::ops(one), &mut page);
    page += "\nOne cycle more: p if a page is crossed, t if the branch is taken, d in decimal mode.\n";
    page
}

/// Text for a table cell, in which nothing but code in backticks has a meaning.
pub fn cell(text: &str) -> String {
    let plain = |part: &str| part.replace('*', "\\*").replace('<', "&lt;");
    let parts = text.split('`').enumerate();
    let parts = parts.map(|(at, part)| if at % 2 == 0 { plain(part) } else { part.to_owned() });
    parts.collect::<Vec<_>>().join("`").replace('|', "\\|")
}

fn diagnostics() -> String {
    let mut page = format!("{MARK}\n# Diagnostics\n\n`gpuzoo explain CODE` prints these pages.\n");
    for code in gpuzoo::Registry::default().codes() {
        let _ = write!(page, "\n## {}\n\n**{}.** {}\n", code.id, code.title, code.page);
    }
    page
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_contact_sheet_in_the_repository_is_what_the_machines_draw() {
        let old = std::fs::read(crate::root().join(crate::sheet::PATH)).unwrap_or_default();
        assert!(crate::sheet::file() == Ok(old), "it is out of date: run `cargo xtask gen`");
    }

    #[test]
    fn the_pages_in_the_repository_are_those_of_the_tables() {
        for (path, text) in super::pages() {
            let old = std::fs::read_to_string(crate::root().join(&path)).unwrap_or_default();
            assert!(old == text, "{} is out of date: run `cargo xtask gen`", path.display());
        }
    }
}
