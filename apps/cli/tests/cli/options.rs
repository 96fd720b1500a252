//! Every option is on every surface: the matrix of options and surfaces.

use crate::common::gpuzoo;
use gpuzoo::options::table::groups;
use std::path::Path;

/// Options that a surface does not have, with the reason; `*` is every option of the group.
const HOLES: [(&str, &str, &str, &str); 7] = [
    ("LSP", "ReadOptions", "from", "a document's language is that of its name"),
    ("LSP", "ReadOptions", "draw", "settings are for all documents, and a log is none"),
    ("LSP", "ReadOptions", "launch", "settings are for all documents, and a log is none"),
    ("LSP", "CompileOptions", "*", "a document is compiled with the defaults to find its problems"),
    ("LSP", "StateOptions", "*", "nothing is run"),
    ("DAP", "CompileOptions", "*", "a source is debugged as the defaults compile it"),
    ("CLI", "DisassembleOptions", "*", "its dialect and numbering are those of ReadOptions there"),
];

#[test]
fn every_option_is_on_every_surface() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let file = |path: &str| std::fs::read_to_string(root.join(path)).unwrap();
    let verbs = ["disassemble", "compile", "translate", "run"];
    let help: String = verbs.iter().map(|verb| gpuzoo(&[verb, "--help"]).out).collect();
    let python = file("apps/python/python/gpuzoo/_options.py");
    let typescript = file("apps/web/npm/src/options.ts");
    let c =
        ["program", "translation", "kernel"].map(|name| file(&format!("apps/capi/src/{name}.rs"))).concat();
    let manifest: serde_json::Value = serde_json::from_str(&file("editors/vscode/package.json")).unwrap();
    let settings = &manifest["contributes"]["configuration"]["properties"];
    let launch = &manifest["contributes"]["debuggers"][0]["configurationAttributes"]["launch"]["properties"];
    let (mut matrix, mut holes, mut used) = (String::new(), Vec::new(), Vec::new());
    for group in groups() {
        for row in &group.rows {
            let camel: String = row
                .name
                .split('_')
                .enumerate()
                .map(
                    |(at, word)| {
                        if at == 0 { word.to_owned() } else { word[..1].to_uppercase() + &word[1..] }
                    },
                )
                .collect();
            let in_python = if row.name == "from" { "from_" } else { &row.name };
            let is_debugged = ["ReadOptions", "CompileOptions", "StateOptions"].contains(&group.name);
            let is_edited = is_debugged;
            let surfaces = [
                ("CLI", group.name != "DisassembleOptions" && help.contains(&row.flag)),
                ("C", c.contains(group.name)),
                (
                    "Python",
                    section(&python, &format!("class {}", group.name)).contains(&format!("{in_python}: ")),
                ),
                (
                    "JavaScript",
                    section(&typescript, &format!("interface {}", group.name))
                        .contains(&format!("{camel}?:")),
                ),
                (
                    "LSP",
                    !is_edited
                        || group.name == "ReadOptions"
                            && settings[format!("gpuzoo.read.{camel}")].is_object(),
                ),
                ("DAP", !is_debugged || group.name != "CompileOptions" && launch[&camel].is_object()),
            ];
            matrix += &format!("{:<20}{:<16}", group.name, row.name);
            for (surface, has) in surfaces {
                matrix += &format!(" {surface} {}", if has { "yes" } else { "no " });
                let is_stated = |hole: &&(&str, &str, &str, &str)| {
                    hole.0 == surface && hole.1 == group.name && (hole.2 == "*" || hole.2 == row.name)
                };
                match HOLES.iter().find(is_stated) {
                    Some(hole) if !has => used.push(*hole),
                    None if !has => holes.push(format!("{surface}: {} of {}", row.name, group.name)),
                    _ => (),
                }
            }
            matrix.push('\n');
        }
    }
    println!("{matrix}");
    assert_eq!(holes, Vec::<String>::new(), "a hole without a reason:\n{matrix}");
    for hole in HOLES {
        assert!(used.contains(&hole), "the surface has it: {hole:?}");
    }
}

/// The lines of a declaration.
fn section<'a>(text: &'a str, head: &str) -> &'a str {
    let from = text.find(head).map_or("", |at| &text[at..]);
    let end = from[1.min(from.len())..].find("\nclass ").or_else(|| from.find("\n}"));
    end.map_or(from, |end| &from[..end + 1])
}
