//! Files that cannot be read, or end early, at any call and any byte: a result or an error, never both and never neither.

use gpuzoo::diag::{Diagnostic, Sources, Span, has_errors};
use gpuzoo::machine::limits::budget::Budget;
use gpuzoo::machine::{Gpu, TextOptions};
use gpuzoo::run::Pieces;
use gpuzoo::{Arguments, Computer, GPUS, Registry, computer, render};
use std::cell::Cell;
use std::io::{self, Read};
use std::path::Path;

/// What happens to the files that are read by name.
#[derive(Clone, Copy, Debug)]
enum Fault {
    None,
    /// The n-th reading fails.
    Fails(usize),
    /// The n-th file that is read has so many bytes only.
    Ends(usize, usize),
}

/// Files, of which some cannot be read.
struct Files<'a> {
    files: &'a [(&'static str, Vec<u8>)],
    fault: Fault,
    calls: Cell<usize>,
}

impl Files<'_> {
    fn read(&self, name: &str) -> io::Result<Vec<u8>> {
        let call = self.calls.replace(self.calls.get() + 1);
        let file = self.files.iter().find(|(known, _)| *known == name);
        let bytes = &file.ok_or(io::ErrorKind::NotFound)?.1;
        match self.fault {
            Fault::Fails(n) if n == call => Err(io::Error::other("the disk is broken")),
            Fault::Ends(n, count) if n == call => Ok(bytes[..count.min(bytes.len())].to_vec()),
            _ => Ok(bytes.clone()),
        }
    }
}

/// Tries all faults; `run` says how often it has read, and whether it has a result or else the errors.
fn all_faults(files: &[(&'static str, Vec<u8>)], run: impl Fn(&Files) -> (bool, Vec<Diagnostic>)) {
    let try_one = |fault| {
        let files = Files { files, fault, calls: Cell::new(0) };
        let (has_result, problems) = run(&files);
        assert!(has_result != has_errors(&problems), "{fault:?}: {problems:?}");
        (has_result, files.calls.get())
    };
    let (is_right, calls) = try_one(Fault::None);
    assert!(is_right && calls == files.len());
    for (call, (name, bytes)) in files.iter().enumerate() {
        assert!(!try_one(Fault::Fails(call)).0, "{name}");
        for count in 0..bytes.len() {
            try_one(Fault::Ends(call, count));
        }
    }
}

#[test]
fn files_of_a_scene() {
    let scene = "gpu = \"dreambox\"\nsize = [4, 4]\n[program.p]\nfile = \"p.vu\"\n[mesh.m]\nfile = \"m.obj\"\n\
        [mesh.n]\nfile = \"n.gltf\"\n[texture.t]\nfile = \"t.png\"\n[[draw]]\nprogram = \"p\"\nmesh = \"m\"\ntextures = [\"t\"]\n\
        input = { in0 = { attribute = \"position\", format = \"Float3\" } }\n[[draw]]\nprogram = \"p\"\nmesh = \"n\"\n\
        input = { in0 = { attribute = \"position\", format = \"Float3\" } }\n";
    let gltf = r#"{"asset":{"version":"2.0"},"nodes":[{"mesh":0}],"scenes":[{"nodes":[0]}],"buffers":[{"byteLength":36,
        "uri":"n.data"}],"bufferViews":[{"buffer":0,"byteLength":36}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]}]}"#;
    let corners = [[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let picture = gpuzoo::raster::Image::new(2, 2, [1, 2, 3, 255]).unwrap();
    let (format, mut file) = (render::Format::of_file("t.png").unwrap(), Vec::new());
    render::picture(picture, format, &Budget::default(), &mut file).unwrap();
    // In the order in which they are read.
    let files = [
        ("s.toml", scene.into()),
        ("p.vu", "ld r0 0 st pos r0 st tex r0 st col r0 st ocol r0".into()),
        ("m.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n".into()),
        ("n.gltf", gltf.into()),
        ("n.data", corners.into_iter().flatten().flat_map(f32::to_le_bytes).collect()),
        ("t.png", file),
    ];
    all_faults(&files, |files| {
        let read = |path: &Path| files.read(path.to_str().expect("the names are text"));
        let (registry, mut sources) = (Registry::default(), Sources::default());
        let budget = Budget::default();
        let (scene, problems) =
            render::load(&registry, &mut sources, Path::new("s.toml"), &read, Default::default(), budget);
        let Some(scene) = scene else { return (false, problems) };
        match scene.frame(0) {
            Ok(_) => (true, problems),
            Err(problems) => (false, problems),
        }
    });
}

fn gpu(id: &str) -> &'static dyn Gpu {
    GPUS.iter().copied().find(|gpu| gpu.about().id == id).expect("there is such a machine")
}

#[test]
fn files_that_programs_include() {
    let unit = gpu("nv2a").shader_unit().expect("it has shaders");
    let files =
        [("a.inc", b"#define C r0\n#include \"b.inc\"\n".to_vec()), ("b.inc", b"#define D v0\n".to_vec())];
    all_faults(&files, |files| {
        let include = |name: &str| files.read(name).map_err(|error| error.to_string());
        let mut sources = Sources::default();
        let text = "#include \"a.inc\"\nvs.1.1\n#ifdef C\nmov C, v0\n#endif\nmov oPos, v0\n";
        let file = sources.add("t.vsh", text);
        let options = TextOptions { include: Some(&include), ..TextOptions::default() };
        let assembled = unit.assemble_in(&mut sources, file, &options);
        (assembled.ok(), assembled.diagnostics)
    });
    let files = [
        ("a.s", b".include \"b.s\"\n.incbin \"c.bin\"\n".to_vec()),
        ("b.s", b" rts\n".to_vec()),
        ("c.bin", vec![0; 9]),
    ];
    all_faults(&files, |files| {
        let mut include = |name: &str| files.read(name).map_err(|error| error.to_string());
        let input =
            computer::Input { name: "t.s", bytes: b".include \"a.s\"\n", form: None, include: &mut include };
        match Computer::of(gpu("vera")).map(|vera| vera.read(input, &Arguments::default())) {
            Ok(Ok(software)) => (true, software.warnings().to_vec()),
            Ok(Err(problems)) => (false, problems.list),
            Err(problem) => (false, vec![problem]),
        }
    });
}

/// Gives a few bytes at a time, is interrupted each other time, and fails at a call.
struct Slow<'a> {
    bytes: &'a [u8],
    at_once: usize,
    calls: usize,
    fails: usize,
}

impl Read for Slow<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.calls += 1;
        if self.calls == self.fails {
            return Err(io::Error::other("the disk is broken"));
        }
        if self.calls.is_multiple_of(2) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let count = self.at_once.min(buffer.len());
        self.bytes
            .take(count as u64)
            .read(&mut buffer[..count])
            .inspect(|count| self.bytes = &self.bytes[*count..])
    }
}

/// All vertices of a table in a text form, and whether it could be read.
fn vertices(mut pieces: Pieces) -> (String, bool) {
    let (mut sources, mut all) = (Sources::default(), String::new());
    loop {
        match pieces.next(&mut sources) {
            Ok(Some((vertices, problems))) => all += &format!("{vertices:?} {problems:?}\n"),
            Ok(None) => return (all, true),
            Err(_) => return (all, false),
        }
    }
}

#[test]
fn vertices_that_come_slowly_or_not_at_all() {
    let unit = gpu("dreambox").shader_unit().expect("it has shaders");
    let csv = b"in0.x,in0.y\n1,2\n3,4\n5,6\n";
    let json = b"[{\"in0\":[1,2]},\n{\"in0\":[3,4]}]";
    let raw = [7; 60];
    let layout = unit.default_layout();
    let read = |kind: usize, at_once: usize, fails: usize| {
        let slow = |bytes: &'static [u8]| Slow { bytes, at_once, calls: 0, fails };
        vertices(match kind {
            0 => Pieces::csv(unit, "t", slow(csv)),
            1 => Pieces::json(unit, "t", slow(json), &Default::default()),
            _ => Pieces::raw(unit, layout.clone(), Span::default(), slow(Box::leak(Box::new(raw))), Some(60)),
        })
    };
    for kind in 0..3 {
        let whole = read(kind, usize::MAX, 0);
        assert!(whole.1 && !whole.0.is_empty());
        for at_once in 1..=60 {
            assert_eq!(read(kind, at_once, 0), whole, "{kind}, {at_once} bytes at a time");
        }
        // Of a piece that is not there in full nothing is given.
        let failing = (1..).map(|fails| read(kind, 1, fails)).take_while(|(_, is_read)| !is_read);
        let failed = failing.inspect(|(all, _)| assert_eq!(all, "")).count();
        assert!(failed > 20, "{failed}");
    }
}
