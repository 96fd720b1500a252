//! The example scenes that newcomers see first.

use gpuzoo_diag::{Sources, render};
use gpuzoo_machine::limits::budget::{Budget, Resource};
use gpuzoo_scene::{Kept, Loader, Scene, Texts};
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/shipped")
}

fn load(name: &str) -> Scene {
    read(name, Budget::default(), None)
}

fn read(name: &str, budget: Budget, kept: Option<&mut Kept>) -> Scene {
    let mut sources = Sources::default();
    let read = |path: &Path| std::fs::read(path);
    let mut loader = Loader {
        read: &read,
        gpus: &[&gpuzoo_dreambox::GPU],
        sources: &mut sources,
        texts: Texts::default(),
        budget,
        kept,
    };
    let (scene, problems) = loader.load(&folder().join(name));
    assert!(problems.is_empty(), "{}", render::human(&sources, &problems, &render::Style::plain()));
    scene.unwrap()
}

/// Every example is read without a word and every draw is seen.
#[test]
fn all_examples_draw() {
    let mut count = 0;
    for entry in std::fs::read_dir(folder()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if !name.ends_with(".toml") {
            continue;
        }
        count += 1;
        let scene = load(&name);
        for index in [0, scene.frame_count() / 2] {
            let frame = scene.frame(index).unwrap();
            assert!(frame.problems.is_empty(), "{name}: {:?}", frame.problems);
            assert_eq!(frame.reports.len(), scene.draws().len());
            for report in &frame.reports {
                assert!(report.stats.written > 1000 && report.stats.invalid == 0, "{name}: {report:?}");
            }
        }
    }
    assert!(count >= 5, "{count}");
}

/// What is read again is the same picture, and textures of patterns are not painted again.
#[test]
fn a_scene_that_is_read_again_keeps_its_parts() {
    let mut kept = Kept::default();
    let [(first, painted), (again, more)] = [(); 2].map(|()| {
        let budget = Budget::default();
        let scene = read("teapot.toml", budget.clone(), Some(&mut kept));
        (scene, budget.limit(Resource::Pixels) - budget.left(Resource::Pixels))
    });
    assert!(painted > 0 && more == 0, "{painted} {more}");
    assert_eq!(first.frame(0).unwrap().image, again.frame(0).unwrap().image);
}

#[test]
fn the_default_scene_is_the_power_on_program() {
    let scene = load("default.toml");
    let words = scene.draws()[0].program.words(&gpuzoo_dreambox::ISA);
    // The program of dreambox spec section 5: loads and stores are in another order there, the words are the same.
    let published = [
        0x0000_0000u32,
        0x0000_0440,
        0x0000_0880,
        0x0000_0cc0,
        0x03d1_0457,
        0x0000_0001,
        0x0000_0441,
        0x0000_0881,
        0x0000_0cc1,
        0x0000_003f,
    ];
    let sorted = |mut words: Vec<u32>| {
        words.sort_unstable();
        words
    };
    assert_eq!(sorted(words), sorted(published.to_vec()));
    // Six triangles; the white corner in the middle, the sky around.
    let frame = scene.frame(0).unwrap();
    assert_eq!(frame.reports[0].stats.drawn, 6);
    let middle = frame.image.get(320, 240).unwrap();
    assert!(middle.iter().all(|&component| component > 250), "{middle:?}");
    assert_eq!(frame.image.get(0, 0), Some([0x18, 0x18, 0x20, 255]));
}

#[test]
fn the_teapot_is_lit_by_a_long_program() {
    let scene = load("teapot.toml");
    let program = &scene.draws()[1].program;
    assert!((25..=64).contains(&program.slots.len()), "{}", program.slots.len());
    let image = scene.frame(0).unwrap().image;
    let light = |[r, g, b, _]: [u8; 4]| u32::from(r) + u32::from(g) + u32::from(b);
    // The light comes from the upper left: the rim there is brighter than the belly at the lower right.
    let (bright, dark) = (image.get(240, 200).unwrap(), image.get(400, 340).unwrap());
    assert!(light(bright) > light(dark) + 100, "{bright:?} {dark:?}");
    // Clay is more red than blue.
    assert!(bright[0] > bright[2] && dark[0] > dark[2]);
    assert_eq!(image.get(320, 10), Some([0x1c, 0x27, 0x33, 255]));
}

/// The floor is a net of 64 × 64 quads, which has 65 × 65 corners. The pot's 32 patches have 13 × 13 each; where one goes on
/// as the next, with its texture, they share them.
#[test]
fn the_teapot_runs_each_vertex_once() {
    let reports = load("teapot.toml").frame(0).unwrap().reports;
    assert_eq!(reports.iter().map(|report| report.vertices).collect::<Vec<_>>(), [6 * 64 * 64, 27_360]);
    assert_eq!(reports.iter().map(|report| report.runs).collect::<Vec<_>>(), [65 * 65, 5_021]);
    // The bill is the machine's: of each use.
    let billed = gpuzoo_dreambox::billed(&load("teapot.toml").draws()[0].program);
    assert!(reports.iter().all(|report| report.cost == billed * report.vertices));
}

/// The teapot as it is if nothing is said of its divisions.
#[test]
fn a_teapot_of_usual_size_takes_less_than_4200_runs() {
    let text = crate::common::scene()
        .replace("mesh = \"quad\"\n", "mesh = \"pot\"\n")
        .replace("[texture", "[mesh.pot]\nshape = \"teapot\"\n\n[texture");
    let report = &crate::common::load(&text).clean().frame(0).unwrap().reports[0];
    assert_eq!((report.vertices, report.runs), (18_960, 3_545));
}

#[test]
fn the_knot_turns_and_comes_back() {
    let scene = load("spin.toml");
    assert_eq!((scene.frame_count(), scene.fps()), (60, 30));
    let image = |frame| scene.frame(frame).unwrap().image;
    assert_ne!(image(0), image(1));
    assert_eq!(image(0), image(60));
}
