//! The scenes whose programs are sources in shading languages.

use gpuzoo::machine::limits::budget::Budget;
use gpuzoo::{Registry, render};
use gpuzoo_diag::{Sources, render as shown};
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/compile")
}

/// The first picture of a scene: its width, and red, green, blue and alpha of each pixel.
fn picture(name: &str) -> (usize, Vec<[u8; 4]>) {
    let mut sources = Sources::default();
    let read = |path: &Path| std::fs::read(path);
    let path = folder().join(name);
    let loaded =
        render::load(&Registry::default(), &mut sources, &path, &read, Default::default(), Budget::default());
    let (Some(scene), problems) = loaded else {
        panic!("{name}: {}", shown::short(&sources, &loaded.1));
    };
    assert!(problems.is_empty(), "{name}: {}", shown::short(&sources, &problems));
    let frame = scene.frame(0).unwrap();
    assert!(frame.problems.is_empty(), "{name}: {}", shown::short(&sources, &frame.problems));
    (frame.image.width() as usize, frame.image.bytes().as_chunks::<4>().0.to_vec())
}

/// How many components of pixels differ by more than the rounding and the filters of machines make them.
fn far_apart(one: &[[u8; 4]], other: &[[u8; 4]]) -> usize {
    let components = one.iter().flatten().zip(other.iter().flatten());
    components.filter(|(one, other)| one.abs_diff(**other) > 24).count()
}

/// One WGSL source gives the same teapot on three machines, but for edges and for how each filters textures.
#[test]
fn one_source_is_the_same_picture_on_three_machines() {
    let [(_, dreambox), (_, nv2a), (_, servaru)] =
        ["dreambox.toml", "nv2a.toml", "servaru.toml"].map(picture);
    let pot = dreambox.iter().filter(|pixel| **pixel != dreambox[0]).count();
    assert!(pot > dreambox.len() / 8, "{pot}");
    assert!(far_apart(&dreambox, &nv2a) < pot / 4, "{} of {pot}", far_apart(&dreambox, &nv2a));
    assert!(far_apart(&dreambox, &servaru) < pot / 3, "{} of {pot}", far_apart(&dreambox, &servaru));
}

/// The teapot in Cg stands where that in WGSL does.
#[test]
fn cg_divides_for_itself() {
    let [(_, cg), (_, wgsl)] = ["cg.toml", "nv2a.toml"].map(picture);
    let differs =
        cg.iter().zip(&wgsl).filter(|(one, other)| (**one == cg[0]) != (**other == wgsl[0])).count();
    assert!(differs < cg.len() / 500, "{differs}");
}

#[test]
fn picogpu_draws_what_is_written_in_glsl() {
    let (width, picture) = picture("picogpu.toml");
    let drawn = picture.iter().filter(|pixel| **pixel != picture[0]).count();
    assert!(width == 100 && drawn > 1_500, "{drawn}");
}

/// A source that cannot be compiled is reported with its place.
#[test]
fn mistakes_of_sources_are_those_of_the_scene() {
    let text = std::fs::read_to_string(folder().join("nv2a.toml")).unwrap();
    let source = std::fs::read_to_string(folder().join("lit.wgsl")).unwrap().replace("dot(", "dott(");
    let read = |path: &Path| match path.extension().and_then(|extension| extension.to_str()) {
        Some("toml") => Ok(text.clone().into_bytes()),
        _ => Ok(source.clone().into_bytes()),
    };
    let mut sources = Sources::default();
    let path = Path::new("nv2a.toml");
    let (scene, problems) =
        render::load(&Registry::default(), &mut sources, path, &read, Default::default(), Budget::default());
    assert!(scene.is_none() && problems[0].code.id == "K0001", "{problems:?}");
    assert!(
        shown::short(&sources, &problems).starts_with("lit.wgsl:"),
        "{}",
        shown::short(&sources, &problems)
    );
}
