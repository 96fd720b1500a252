//! Frames for others to draw.

use crate::common::{load, scene};
use gpuzoo_ir::vec4;
use gpuzoo_scene::Scene;

/// Constant 3 of each draw of a frame.
fn constants(scene: &Scene, frame: u32) -> Vec<[u32; 4]> {
    let mut all = Vec::new();
    let planned = scene.plan(frame, |planned| {
        all.push(planned.call.constants[3]);
        Ok(())
    });
    planned.unwrap();
    all
}

#[test]
fn a_frame_has_the_constants_of_its_time_and_the_first_comes_after_the_last() {
    let text = scene()
        .replace("[program", "animation = { frames = 4 }\n[program")
        .replace("mesh = \"quad\"\n", "mesh = \"quad\"\nconstants = { c3 = [\"frame\", \"t\", 7, 0] }\n");
    let scene = load(&text).clean();
    for (frame, shown) in [(0, 0.0), (1, 1.0), (2, 2.0), (3, 3.0), (4, 0.0), (5, 1.0), (11, 3.0)] {
        assert_eq!(constants(&scene, frame), [vec4([shown, shown / 4.0, 7.0, 0.0])], "{frame}");
    }
}

#[test]
fn constants_of_fragment_programs_follow_the_time_too() {
    let text = "gpu = \"servaru\"\nsize = [16, 16]\nanimation = { frames = 3 }\n\
                [program.v]\nsource = \"MOV P9, P0; MOV P11, P0;\"\n\
                [program.f]\nsource = \".fragment\\nMOV P9, U5;\"\n\
                [mesh.m]\nshape = \"plane\"\n\
                [[draw]]\nprogram = \"v\"\nfragment = \"f\"\nmesh = \"m\"\n\
                input = { P0 = { attribute = \"position\", format = \"FLOAT3\" } }\n\
                fragment_constants = { U5 = [\"frame\", 1, 2, 3] }\n";
    let scene = load(text).clean();
    for (frame, shown) in [(0, 0.0), (1, 1.0), (2, 2.0), (3, 0.0), (7, 1.0)] {
        let planned = scene.plan(frame, |planned| {
            let constants = planned.call.fragment_constants;
            assert!(constants.contains(&vec4([shown, 1.0, 2.0, 3.0])), "{frame}: {constants:x?}");
            Ok(())
        });
        planned.unwrap();
    }
}

#[test]
fn units_read_textures_or_what_was_drawn() {
    let text = scene()
        .replace("[[draw]]", "[target.t]\nsize = [4, 4]\n[[draw]]")
        .replace("mesh = \"quad\"\n", "mesh = \"quad\"\ntextures = [\"check\", \"t\"]\n");
    let scene = load(&text).clean();
    let mut reads = Vec::new();
    let planned = scene.plan(0, |planned| {
        reads.push(planned.reads.clone());
        let given: Vec<bool> = planned.call.textures.iter().map(Option::is_some).collect();
        assert_eq!(given, [true, false]);
        Ok(())
    });
    planned.unwrap();
    // The screen is surface 0, the target is the next one.
    assert_eq!(reads, [[None, Some(1)]]);
    let sizes: Vec<_> = scene.surfaces().unwrap().iter().map(|own| (own.width(), own.height())).collect();
    assert_eq!(sizes, [(4, 4), (4, 4)]);
}

#[test]
fn what_each_says_ends_the_plan() {
    let scene = load(&scene()).clean();
    let mut seen = 0;
    let planned = scene.plan(0, |_| {
        seen += 1;
        Err(Vec::new())
    });
    assert_eq!((planned.is_err(), seen), (true, 1));
}
