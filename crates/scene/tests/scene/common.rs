//! A small scene, and files that lie in memory.

use gpuzoo_diag::{Diagnostic, Sources};
use gpuzoo_machine::limits::budget::Budget;
use gpuzoo_scene::{Loader, Scene, Texts};
use std::collections::HashMap;
use std::io;
use std::path::Path;

/// Copies position, texture coordinates and colour; the offset colour is zero.
pub const COPY: &str = "ld r0 0 st pos r0 ld r1 1 st tex r1 ld r2 2 st col r2 sub r2 r2 st ocol r2";

/// A scene that draws a rectangle over the whole picture, coloured white, without a mistake.
pub fn scene() -> String {
    format!(
        r#"gpu = "dreambox"
size = [4, 4]
clear = {{ color = [0, 0, 0] }}

[program.copy]
source = "{COPY}"

[mesh.quad]
position = [[-1, 1], [-1, -1], [1, 1], [1, -1]]
texcoord = [[0, 0], [0, 1], [1, 0], [1, 1]]
topology = "triangle_strip"

[texture.check]
pattern = "checker"
size = [4, 4]
cells = 2

[[draw]]
program = "copy"
mesh = "quad"

[draw.input]
in0 = "position"
in1 = "texcoord"
in2 = {{ attribute = "color", format = "UNorm4" }}
"#
    )
}

/// A scene and the files in its folder.
#[derive(Default)]
pub struct Files(pub HashMap<String, Vec<u8>>);

impl Files {
    pub fn with(mut self, name: &str, bytes: impl AsRef<[u8]>) -> Files {
        self.0.insert(name.to_owned(), bytes.as_ref().to_vec());
        self
    }

    /// Reads the file `folder/scene.toml`, with the others in the same folder.
    pub fn load(&self, text: &str) -> Loaded {
        self.within(text, Budget::default())
    }

    /// The same with a budget.
    pub fn within(&self, text: &str, budget: Budget) -> Loaded {
        let mut sources = Sources::default();
        let read = |path: &Path| -> io::Result<Vec<u8>> {
            let name = path.to_string_lossy().replace('\\', "/");
            match name.strip_prefix("folder/") {
                Some("scene.toml") => Ok(text.as_bytes().to_vec()),
                Some(name) => self.0.get(name).cloned().ok_or_else(|| io::ErrorKind::NotFound.into()),
                None => Err(io::ErrorKind::PermissionDenied.into()),
            }
        };
        let mut loader = Loader {
            read: &read,
            gpus: &[&gpuzoo_dreambox::GPU, &gpuzoo_nv2a::GPU, &gpuzoo_picogpu::GPU, &gpuzoo_servaru::GPU],
            sources: &mut sources,
            texts: Texts::default(),
            budget,
            kept: None,
        };
        let (scene, problems) = loader.load(Path::new("folder/scene.toml"));
        Loaded { scene, problems, sources }
    }
}

pub struct Loaded {
    pub scene: Option<Scene>,
    pub problems: Vec<Diagnostic>,
    pub sources: Sources,
}

impl Loaded {
    /// Code and marked text of every problem.
    pub fn reported(&self) -> Vec<(&'static str, &str)> {
        let slice = |problem: &Diagnostic| match problem.labels.first() {
            Some(label) => self.sources.find(label.span.file).map_or("", |file| file.slice(label.span)),
            None => "",
        };
        self.problems.iter().map(|problem| (problem.code.id, slice(problem))).collect()
    }

    /// The scene; fails the test if anything was reported but what its draws give and do not give.
    pub fn clean(self) -> Scene {
        let about_given = |problem: &&Diagnostic| ["R0323", "R0324"].contains(&problem.code.id);
        let other: Vec<_> = self.problems.iter().filter(|problem| !about_given(problem)).collect();
        assert!(other.is_empty(), "{other:#?}");
        self.scene.unwrap()
    }
}

pub fn load(text: &str) -> Loaded {
    Files::default().load(text)
}
