//! Texts as people write them, in the folder `texts`: of each dialect and version, with includes and definitions. All are
//! our own, written after what is usual in real ones. A line of a text says which codes it gives (`says: N0506`) and which
//! definitions it is given (`define: FOG BONES=4`).

use gpuzoo_diag::{FileId, Sources, has_errors, render};
use gpuzoo_ir::Vec4;
use gpuzoo_ir::eval;
use gpuzoo_isa::{Assembled, Constant, Program};
use gpuzoo_machine::{ShaderUnit, TextOptions, text};
use gpuzoo_nv2a::{
    CPU, DIALECTS, Dialect, Disassembled, GPU, HW, ISA, VSH, check, disassemble, disassemble_exactly, lowered,
};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/texts")
}

/// A text, and what its lines say of it.
struct Text {
    name: String,
    bytes: Vec<u8>,
    says: Vec<String>,
    defines: Vec<String>,
}

/// All texts.
fn texts() -> Vec<Text> {
    let files = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = files.filter(|path| path.is_file()).collect();
    files.sort();
    let read = |path: &PathBuf| {
        let bytes = std::fs::read(path).unwrap();
        let shown = String::from_utf8_lossy(&bytes).into_owned();
        let said = |key: &str| {
            let line = shown.lines().find_map(|line| line.split_once(key)).map_or("", |(_, rest)| rest);
            line.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
        };
        let (says, defines) = (said("says: "), said("define: "));
        Text { name: path.file_name().unwrap().to_string_lossy().into_owned(), bytes, says, defines }
    };
    files.iter().map(read).collect()
}

/// Assembles a text, with the files of the folder beside it and those of `inc` given as `-I`.
fn read(name: &str, bytes: &[u8], defines: &[&str]) -> (Assembled, Sources, FileId) {
    let include = |wanted: &str| {
        let found =
            [folder(), folder().join("inc")].iter().find_map(|at| std::fs::read(at.join(wanted)).ok());
        found.ok_or_else(|| "there is no such file".to_owned())
    };
    let options = TextOptions { include: Some(&include), defines, ..TextOptions::default() };
    let mut sources = Sources::default();
    let syntax = GPU.syntax(&String::from_utf8_lossy(bytes), &options);
    let id = text::source(&mut sources, name, bytes, syntax).unwrap_or_else(|problem| panic!("{problem:?}"));
    (GPU.assemble_in(&mut sources, id, &options), sources, id)
}

/// What a program leaves for a few vertices under both profiles, in bits; with it come these constants.
fn results(program: &Program, with: &[Constant]) -> Vec<Vec<(u16, Vec4)>> {
    let number = |at: usize| (((at * 37 + 11) % 64) as f32 - 29.0) / 16.0;
    let mut constants: Vec<Vec4> =
        (0..192).map(|at| [0, 1, 2, 3].map(|part| number(at * 4 + part).to_bits())).collect();
    for constant in with {
        for (value, index) in constant.values.iter().zip(usize::from(constant.reg.index)..) {
            constants[index] = *value;
        }
    }
    let mut all = Vec::new();
    for profile in [HW, CPU] {
        let function = lowered(program, profile).function;
        for vertex in 1..4 {
            let inputs: Vec<Vec4> = (0..16)
                .map(|at| [0, 1, 2, 3].map(|part| number(at * 4 + part + vertex * 7).to_bits()))
                .collect();
            let numbers = function.outputs.iter().map(|(number, _)| *number);
            let mut outputs: Vec<_> = numbers.zip(eval::outputs(&function, &inputs, &constants)).collect();
            outputs.sort_unstable();
            all.push(outputs);
        }
    }
    all
}

#[test]
fn all_assemble_run_and_disassemble() {
    let all = texts();
    assert!(all.len() >= 40, "{}", all.len());
    let mut headers = BTreeSet::new();
    let mut wrong = Vec::new();
    for text in &all {
        let Text { name, bytes, says, defines } = text;
        let defines: Vec<&str> = defines.iter().map(String::as_str).collect();
        let (assembled, sources, id) = read(name, bytes, &defines);
        let program = &assembled.program;
        let problems: Vec<_> = assembled.diagnostics.iter().cloned().chain(check(program)).collect();
        let told: BTreeSet<&str> = problems.iter().map(|problem| problem.code.id).collect();
        if has_errors(&problems) || told != says.iter().map(String::as_str).collect() {
            wrong.push(render::short(&sources, &problems));
            continue;
        }
        let dialect = Dialect::of(sources.get(id).text());
        let shown = String::from_utf8_lossy(bytes).to_lowercase();
        headers.extend(
            ["!!vp1.0", "!!vp1.1", "!!vsp1.0", "xvs.1.0", "xvs.1.1", "xvsw.1.1", "xvss.1.1", "vs_1_1"]
                .into_iter()
                .find(|header| shown.contains(header))
                .or_else(|| ["vs.1.0", "vs.1.1"].into_iter().find(|header| shown.contains(header)))
                .or((dialect == &VSH).then_some("vsh")),
        );

        // It runs, and what it writes follows from the vertex.
        let results_of_it = results(program, &program.constants);
        assert!(results_of_it.iter().all(|outputs| !outputs.is_empty()), "{name}");
        assert!(results_of_it[0] != results_of_it[1] || name.starts_with("xvss"), "{name}");

        // What is printed in its own dialect is a text that does the same, and exactly the same words where that is asked.
        for (dialect, is_own) in DIALECTS.map(|one| (one, one == dialect)) {
            let exact = disassemble_exactly(program, dialect, None);
            assert_eq!(words(name, &exact), program.words(&ISA), "{name}\n{}", exact.text);
            let plain = disassemble(program, dialect, None);
            let (again, ..) = read(name, plain.text.as_bytes(), &[]);
            assert!(again.ok(), "{name} {dialect:?}\n{}{:#?}", plain.text, again.diagnostics);
            assert_eq!(
                results(&again.program, &program.constants),
                results_of_it,
                "{name} {dialect:?}\n{}",
                plain.text
            );
            if is_own && !says.iter().any(|code| code == "N0301") {
                assert!(!plain.text.contains(".word"), "{name}\n{}", plain.text);
                assert_eq!(words(name, &plain), program.words(&ISA), "{name}\n{}", plain.text);
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let expected = [
        "!!vp1.0", "!!vp1.1", "!!vsp1.0", "vs.1.0", "vs.1.1", "vs_1_1", "vsh", "xvs.1.0", "xvs.1.1",
        "xvss.1.1", "xvsw.1.1",
    ];
    assert_eq!(headers.into_iter().collect::<Vec<_>>(), expected);
}

/// The words of a disassembly.
fn words(name: &str, out: &Disassembled) -> Vec<u32> {
    let (again, ..) = read(name, out.text.as_bytes(), &[]);
    assert!(again.ok(), "{name}\n{}{:#?}", out.text, again.diagnostics);
    again.program.words(&ISA)
}

/// Files of Windows mean what they mean without carriage returns, and so do those without a line break at their end.
#[test]
fn ends_of_lines_do_not_matter() {
    for Text { name, bytes, defines, .. } in texts() {
        let defines: Vec<&str> = defines.iter().map(String::as_str).collect();
        let expected = read(&name, &bytes, &defines).0.program.words(&ISA);
        let mut windows = Vec::new();
        for byte in &bytes {
            windows.extend((*byte == b'\n').then_some(b'\r').into_iter().chain([*byte]));
        }
        for other in [windows.as_slice(), bytes.trim_ascii_end()] {
            assert_eq!(read(&name, other, &defines).0.program.words(&ISA), expected, "{name}");
        }
    }
}
