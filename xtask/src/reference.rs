//! `cargo xtask gen`: the reference pages, written from the tables; `--check` only says whether they are up to date.

use gpuzoo_isa::{FileKind, Isa, Op, Role};
use gpuzoo_machine::Gpu;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const MARK: &str = "<!-- Written by `cargo xtask gen` from the tables in the sources; edit those. -->";

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
    for (path, text) in pages() {
        let path = crate::root().join(path);
        if std::fs::read_to_string(&path).is_ok_and(|old| old == text) {
            continue;
        }
        if check {
            eprintln!("{} is out of date: run `cargo xtask gen`", path.display());
            code = ExitCode::FAILURE;
        } else if let Err(error) = write(&path, &text) {
            eprintln!("{}: {error}", path.display());
            code = ExitCode::from(2);
        } else {
            println!("wrote {}", path.display());
        }
    }
    code
}

fn write(path: &Path, text: &str) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(path, text)
}

/// All pages, by path from the repository's root.
pub fn pages() -> Vec<(PathBuf, String)> {
    let folder = Path::new("docs/reference");
    let mut pages: Vec<_> = gpuzoo::GPUS
        .iter()
        .map(|gpu| (folder.join(format!("{}.md", gpu.about().id)), machine(*gpu)))
        .collect();
    pages.push((folder.join("vera.md"), vera()));
    pages.push((folder.join("diagnostics.md"), diagnostics()));
    pages
}

fn machine(gpu: &dyn Gpu) -> String {
    let about = gpu.about();
    let isa = about.isa;
    let mut page = format!("{MARK}\n# {}: reference\n\nThis is {}.\n", about.name, about.summary);
    instructions(isa, &mut page);
    encoding(isa, &mut page);
    registers(isa, &mut page);
    if !about.modes.is_empty() {
        page += "\n## Modes\n\nThe first choice of each is what holds if nobody says otherwise.\n\n";
        page += "| mode | choice | what it means |\n|---|---|---|\n";
        for mode in about.modes {
            for (choice, doc) in mode.choices {
                let _ = writeln!(page, "| `{}` | `{choice}` | {doc} |", mode.name);
            }
        }
    }
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
    for code in about.codes {
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

fn instructions(isa: &Isa, page: &mut String) {
    let count = isa.ops.len() + isa.paired_ops.len();
    let _ = write!(page, "\n## Instructions\n\n{count} instructions");
    let _ = writeln!(page, "; a program has at most {} slots.\n", isa.max_slots);
    rows(isa, isa.ops, page);
    if !isa.paired_ops.is_empty() {
        *page += "\nThese run in the other half of a slot, alone or beside one of those above; the half has an \
                  opcode field of its own.\n\n";
        rows(isa, isa.paired_ops, page);
    }
    for op in isa.ops {
        instruction(isa, op, "", page);
    }
    for op in isa.paired_ops {
        // An instruction of both halves has two sections.
        let both = isa.ops.iter().any(|own| own.name == op.name);
        instruction(isa, op, if both { ", in the other half" } else { "" }, page);
    }
}

fn rows(isa: &Isa, ops: &[Op], page: &mut String) {
    *page += "| opcode | written | meaning |\n|---|---|---|\n";
    for op in ops {
        let _ = writeln!(page, "| {} | `{}` | {} |", op.code, isa.usage(op), cell(op.doc));
    }
}

fn instruction(isa: &Isa, op: &Op, which: &str, page: &mut String) {
    let _ = writeln!(page, "\n### `{}`{which}\n\n    {}\n\n`{}`", op.name, isa.usage(op), op.doc);
    if !op.notes.is_empty() {
        let _ = writeln!(page, "\n{}", op.notes);
    }
    if op.format.parts.is_empty() {
        return;
    }
    *page += "\n| part | is | bits |\n|---|---|---|\n";
    for part in op.format.parts {
        let file = &isa.files[part.file as usize];
        let what = match part.role {
            Role::Read => format!("{} read", file.name),
            Role::Write => format!("{} written", file.name),
            Role::ReadWrite => format!("{} read and written", file.name),
            Role::Modify => part.field.doc.to_owned(),
        };
        let high = part.field.lo + part.field.width - 1;
        let _ = writeln!(page, "| `{}` | {} | {}..{} |", part.name, cell(&what), high, part.field.lo);
    }
}

fn encoding(isa: &Isa, page: &mut String) {
    let _ = writeln!(page, "\n## Encoding\n\nA slot has {} bits.\n", isa.slot_words * 32);
    *page += "| bits | field | holds |\n|---|---|---|\n";
    for field in isa.fields {
        let high = field.lo + field.width - 1;
        let _ = writeln!(page, "| {}..{} | `{}` | {} |", high, field.lo, field.name, cell(field.doc));
    }
    *page += "\nBits of no field are ignored by the machine and written 0 by the assembler.\n";
}

fn registers(isa: &Isa, page: &mut String) {
    *page += "\n## Registers\n\n| file | names | what it is |\n|---|---|---|\n";
    for file in isa.files {
        let names = match file.names {
            [] => format!("`{}` to `{}`", file.reg_name(0), file.reg_name(file.count - 1)),
            _ => file.real_names().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "),
        };
        let kind = match file.kind {
            FileKind::Temporary(_) => "read and written",
            FileKind::Input => "given for each run",
            FileKind::Uniform => "given for a draw",
            FileKind::Output(_) => "leaves the program",
        };
        let _ = writeln!(page, "| {} | {names} | {kind} |", file.name);
    }
}

/// VERA, which has registers and state in place of instructions.
fn vera() -> String {
    use gpuzoo::vera::{NAME, SUMMARY, device, pages};
    let mut page = format!("{MARK}\n# {NAME}: reference\n\nThis is the {SUMMARY}.\n");
    page += "\n## Registers\n\nEach is known with `VERA_` before its name as well.\n\n";
    table(&pages::registers(), &mut page);
    page += "\n## State\n\nWhat `gpuzoo run --state` and `trace` show, registers that cannot be read included.\n\n";
    page += "| name | bits | what it is |\n|---|---|---|\n";
    for item in device::STATE {
        let _ = writeln!(page, "| `{}` | {} | {} |", item.name, item.bits, item.about);
    }
    page += "\n## Deviations\n\nWhere other sources part from the RTL; a profile is a set of them, and `--deviation NAME` adds \
             one.\n\n";
    table(&pages::deviations(), &mut page);
    page += "\n## The 65C02's instructions\n\n| opcode | written | bytes | cycles | flags |\n|---|---|---|---|---|\n";
    for op in device::asm::OPCODES.iter().filter(|op| op.documented) {
        let extra = [(op.extra.page, "p"), (op.extra.branch, "t"), (op.extra.decimal, "d")];
        let extra: String =
            extra.iter().filter(|(has, _)| *has).map(|(_, letter)| format!("+{letter}")).collect();
        let written = device::asm::instruction([op.code, 0x12, 0x34], 0x0800, None);
        let flags = if op.flags.is_empty() { "-" } else { op.flags };
        let _ = writeln!(
            page,
            "| ${:02X} | `{written}` | {} | {}{extra} | {flags} |",
            op.code,
            op.length(),
            op.cycles
        );
    }
    page += "\nOne cycle more: p if a page is crossed, t if the branch is taken, d in decimal mode.\n";
    page
}

fn table(listing: &gpuzoo::list::Listing, page: &mut String) {
    let _ = writeln!(page, "| {} |\n|{}", listing.columns.join(" | "), "---|".repeat(listing.columns.len()));
    for row in &listing.rows {
        let cells: Vec<String> = row.iter().map(|text| cell(text)).collect();
        let _ = writeln!(page, "| {} |", cells.join(" | "));
    }
}

/// Text for a table cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

fn diagnostics() -> String {
    let mut page = format!("{MARK}\n# Diagnostics\n\n`gpuzoo explain CODE` prints these pages.\n");
    for code in gpuzoo::codes::codes() {
        let _ = write!(page, "\n## {}\n\n**{}.** {}\n", code.id, code.title, code.page);
    }
    page
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_pages_in_the_repository_are_those_of_the_tables() {
        for (path, text) in super::pages() {
            let old = std::fs::read_to_string(crate::root().join(&path)).unwrap_or_default();
            assert!(old == text, "{} is out of date: run `cargo xtask gen`", path.display());
        }
    }
}
