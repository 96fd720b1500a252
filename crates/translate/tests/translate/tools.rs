//! Validators of other people, where they are installed.

use gpuzoo_translate::{Shape, Target};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// A folder for what validators read, which is empty at first.
pub fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// True if a tool is there; what is missing is said once.
fn has(tool: &'static str, there: &'static OnceLock<bool>) -> bool {
    *there.get_or_init(|| {
        let there = Command::new(tool).arg("--version").output().is_ok();
        if !there {
            gpuzoo_skipped::say(&format!("{tool} is not installed: translations are not read by it"));
        }
        there
    })
}

/// What the tools say of files that they do not accept; nothing if they accept all of them, or are not there.
pub fn complaints(files: &[PathBuf]) -> Vec<String> {
    static SPIRV: OnceLock<bool> = OnceLock::new();
    static GLSLANG: OnceLock<bool> = OnceLock::new();
    let mut complaints = Vec::new();
    let (words, texts): (Vec<&PathBuf>, Vec<&PathBuf>) =
        files.iter().partition(|file| file.extension().is_some_and(|extension| extension == "spv"));
    if has("spirv-val", &SPIRV) {
        for file in words {
            let version = if file.to_string_lossy().ends_with(".10.spv") { "vulkan1.0" } else { "vulkan1.1" };
            let done = Command::new("spirv-val").args(["--target-env", version]).arg(file).output().unwrap();
            if !done.status.success() {
                complaints.push(format!("{}: {}", file.display(), String::from_utf8_lossy(&done.stderr)));
            }
        }
    }
    if has("glslangValidator", &GLSLANG) {
        let (hlsl, glsl): (Vec<&PathBuf>, Vec<&PathBuf>) =
            texts.into_iter().partition(|file| file.to_string_lossy().contains(".hlsl."));
        let plain: &[&str] = &[];
        let direct: &[&str] = &[
            "-D",
            "-V",
            "-Od",
            "--auto-map-bindings",
            "--auto-map-locations",
            "-e",
            "main",
            "-o",
            "/dev/null",
        ];
        for (files, options, together) in [(glsl, plain, 50), (hlsl, direct, 1)] {
            for some in files.chunks(together) {
                let done = Command::new("glslangValidator").args(options).args(some).output().unwrap();
                if !done.status.success() {
                    let said = String::from_utf8_lossy(&done.stdout).into_owned();
                    let errors: Vec<&str> =
                        said.lines().filter(|line| line.contains("ERROR")).take(5).collect();
                    complaints.push(format!("{}: {}", some[0].display(), errors.join("\n")));
                }
            }
        }
    }
    complaints
}

/// The extension of a file that the validators can check; none for what they do not know.
pub fn extension(target: Target, shape: Shape) -> Option<String> {
    let stage = match shape {
        Shape::Vertex => "vert",
        Shape::Fragment => "frag",
        Shape::Compute => "comp",
        Shape::Function => return None,
    };
    match target {
        Target::SpirV => Some(format!("{stage}.spv")),
        Target::SpirV10 => Some(format!("{stage}.10.spv")),
        Target::Glsl450 | Target::Glsl330 | Target::GlslEs300 | Target::GlslEs310 => {
            Some(format!("{}.{stage}", target.name()))
        }
        Target::Hlsl => Some(format!("hlsl.{stage}")),
        _ => None,
    }
}
