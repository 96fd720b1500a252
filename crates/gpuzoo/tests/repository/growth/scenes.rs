//! Scenes with many mistakes: each table of a kind, or each entry of a table, has one.

use super::{Case, Found};
use gpuzoo::Registry;
use gpuzoo::render;
use gpuzoo_diag::Sources;
use std::io::{self, ErrorKind};
use std::path::Path;

fn read(text: &str, file: &[u8]) -> Found {
    let mut sources = Sources::default();
    let bytes = |path: &Path| -> io::Result<Vec<u8>> {
        match path.file_stem().and_then(|stem| stem.to_str()) {
            Some("scene") => Ok(text.as_bytes().to_vec()),
            Some("file") => Ok(file.to_vec()),
            _ => Err(ErrorKind::NotFound.into()),
        }
    };
    let path = Path::new("scene.toml");
    let (scene, mut problems) = render::load(
        &Registry::default(),
        &mut sources,
        path,
        &bytes,
        Default::default(),
        Default::default(),
    );
    problems.extend(scene.iter().flat_map(render::check));
    (sources, problems)
}

/// What every scene has; a case's own tables are behind it.
const HEAD: &str = "gpu = \"dreambox\"\nsize = [4, 4]\nprogram.p = { source = \"ld r0 0 st pos r0\" }\n\
    mesh.m = { shape = \"cube\" }\ntexture.t = { pattern = \"checker\" }\n";

/// A draw, with an entry more.
fn draw(entry: &str) -> String {
    format!("{{ program = \"p\", mesh = \"m\", input = {{ in0 = \"position\" }}, {entry} }}")
}

/// Many tables, each with its number for `@`, between a head and an end: on a line each, and on one line.
fn tables(
    name: &str,
    code: &str,
    (before, item, after): (&str, &str, &str),
    file: &'static [u8],
    cases: &mut Vec<Case>,
) {
    for (layout, end) in [("lines", ",\n"), ("line", ", ")] {
        let [before, item, after] = [before, item, after].map(str::to_owned);
        let text = move |times: usize| {
            let items: String = (0..times).map(|at| item.replace('@', &at.to_string()) + end).collect();
            format!("{HEAD}{before}{items}{after}")
        };
        cases.push(Case::new(format!("scene {name} {layout}"), code, text, move |text: &str| {
            read(text, file)
        }));
    }
}

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    // Named things.
    for (kind, code, item) in [
        ("program", "R0317", "{}"),
        ("program", "R0313", "{ file = \"none.vu\" }"),
        ("program", "A0101", "{ source = \"sbu r0 r0\" }"),
        ("program", "R0101", "{ source = \"end\", sorce = 1 }"),
        ("mesh", "R0410", "{}"),
        ("mesh", "R0101", "{ shape = \"cube\", size = 1 }"),
        ("mesh", "R0102", "{ shape = 1 }"),
        ("mesh", "R0103", "{ shape = \"tepot\" }"),
        ("mesh", "R0105", "{ shape = \"sphere\", rows = 0 }"),
        ("mesh", "R0302", "{ shape = 1979-05-27 }"),
        ("mesh", "R0303", "{ shape = \"sphere\", radius = 0 }"),
        ("mesh", "R0304", "{ shape = \"cube\", color = \"#12\" }"),
        ("mesh", "R0401", "{ shape = \"plane\", columns = 4096, rows = 4096 }"),
        ("mesh", "R0402", "{ position = [] }"),
        ("mesh", "R0403", "{ position = [[1, 2]], indices = [-1] }"),
        ("mesh", "R0404", "{ position = [[nan, 2]] }"),
        ("mesh", "R0408", "{ position = [[1, 2]], normal = [] }"),
        ("texture", "R0313", "{ file = \"none.png\" }"),
        ("texture", "R0501", "{ file = \"file.png\" }"),
        ("texture", "R0502", "{ pattern = \"checker\", size = [0, 4] }"),
        ("texture", "R0503", "{ raw = \"file.raw\", size = [4, 4], format = \"RGB565\" }"),
        ("texture", "R0504", "{}"),
        ("target", "R0314", "{ size = [0, 4] }"),
        ("target", "R0104", "{}"),
        ("unknown", "", "{}"),
    ] {
        let item = format!("a@ = {item}");
        named(kind, code, &item, b"neither this nor that", &mut cases);
    }
    // Meshes in files that have a mistake each; the work is that of reading all again.
    for (code, item, file) in [
        ("R0405", "file.obj", &b"v 1 2 x\n"[..]),
        ("R0406", "file.gltf", b"{}"),
        (
            "R0407",
            "file.gltf",
            br#"{"asset":{"version":"2.0"},"extensionsRequired":["KHR_draco_mesh_compression"]}"#,
        ),
        ("R0409", "file.obj", b"usemtl a\nv 1 2 3\n"),
    ] {
        named("mesh", code, &format!("a@ = {{ file = \"{item}\" }}"), file, &mut cases);
    }
    for (name, text) in
        [("lines", "v 1 x 3\n"), ("corners", "f 1 2 3 4 5 6 7\n"), ("numbers", "v 1"), ("faces", "f 1/2/3 ")]
    {
        let scene = "gpu = \"dreambox\"\nmesh = { m = { file = \"file.obj\" } }\n";
        let read = move |text: &str| read(scene, text.as_bytes());
        cases.push(Case::new(format!("obj {name}"), "R0405", move |times| text.repeat(times), read));
    }
    let toml = |item: &'static str| move |times: usize| item.repeat(times);
    for item in ["x y\n", "x = 1 ", "[a]\n", "[[a]]\n", "a = \"\n"] {
        cases.push(Case::new(format!("toml {item}"), "R0301", toml(item), |text: &str| read(text, b"")));
    }
    let both = |times: usize| {
        let table =
            |end: &str, item: &str| (0..times).map(|at| format!("a{at} = {item}{end}")).collect::<String>();
        let (textures, targets) =
            (table(", ", "{ pattern = \"checker\" }"), table(",\n", "{ size = [4, 4] }"));
        format!("gpu = \"dreambox\"\nsize = [4, 4]\ntexture = {{ {textures} }}\ntarget = {{ {targets} }}\n")
    };
    cases.push(Case::new("scene textures and targets", "R0319", both, |text: &str| read(text, b"")));
    // Draws.
    for (code, entry) in [
        ("R0101", "fog@ = 1"),
        ("R0104", "input = 1"),
        ("R0312", "textures = [\"x@\"]"),
        ("R0315", "textures = [\"t\", \"none\", \"t\"]"),
        ("R0321", "fragment = \"p\""),
        ("R0306", "constants = { k@ = 1 }"),
        ("R0307", "constants = { c0 = { matrix = \"view\" }, c3 = 1 }"),
        ("R0305", "model = [{}]"),
        ("R0601", "constants = { c0 = \"1+\" }"),
        ("R0602", "constants = { c0 = \"2*tt\" }"),
        ("R0603", "constants = { c0 = \"sin(1, 2)\" }"),
        ("R0308", "constants = { c0 = \"1/0\" }"),
        ("R0103", "state = { depth_compare = \"les\" }"),
        ("R0324", "constants = { c9 = 1 }"),
    ] {
        tables(entry, code, ("draw = [", &draw(entry), "]"), b"", &mut cases);
    }
    for (code, inputs) in [
        ("R0309", "in8 = \"position\""),
        ("R0310", "in0 = \"tangent\""),
        ("R0311", "9 = \"position\""),
        ("R0201", "in0 = \"position\", stride = 1"),
        ("R0203", "in0 = \"position\", stride = 0"),
        ("R0204", "9 = { attribute = \"position\", format = \"Float3\" }"),
        ("R0323", "in1 = \"position\""),
    ] {
        let item = format!("{{ program = \"p\", mesh = \"m\", input = {{ {inputs} }} }}");
        tables(inputs, code, ("draw = [", &item, "]"), b"", &mut cases);
    }
    let deep = format!("constants = {{ c0 = \"{}1{}\" }}", "(".repeat(300), ")".repeat(300));
    tables("deep", "R0604", ("draw = [", &draw(&deep), "]"), b"", &mut cases);
    let rows = (
        "program.q = { source = \"ld r0 0 ldc r1 0 ldc r2 1 ldc r3 2 ldc r4 3 mulm r0 r1 st pos r0\" }\ndraw = [",
        "{ program = \"q\", mesh = \"m\", input = { in0 = \"position\" }, \
         constants = { c0 = { matrix = { transpose = \"view\" } } } }",
        "]",
    );
    tables("rows for columns", "R0327", rows, b"", &mut cases);
    let own = (
        "target = { own = { size = [4, 4] } }\ndraw = [",
        &*draw("target = \"own\", textures = [\"own\"]"),
        "]",
    );
    tables("own target", "R0316", own, b"", &mut cases);
    for (code, item) in [
        ("R0104", "{}"),
        ("R0102", "1"),
        ("R0312", "{ program = \"q@\", mesh = \"m\", input = {} }"),
        ("R0312", "{ program = \"p\", mesh = \"n@\", input = {} }"),
    ] {
        tables(item, code, ("draw = [", item, "]"), b"", &mut cases);
    }
    cases
}

/// Many tables of a kind, and a file that they may name.
fn named(kind: &str, code: &str, item: &str, file: &'static [u8], cases: &mut Vec<Case>) {
    for (layout, end) in [("lines", ",\n"), ("line", ", ")] {
        let (kind, item) = (kind.to_owned(), item.to_owned());
        let name = format!("scene {kind} {item} {layout}");
        let text = move |times: usize| {
            let items: String = (0..times).map(|at| item.replace('@', &at.to_string()) + end).collect();
            format!("gpu = \"dreambox\"\nsize = [4, 4]\n{kind} = {{ {items} }}\n")
        };
        cases.push(Case::new(name, code, text, move |text: &str| read(text, file)));
    }
}
