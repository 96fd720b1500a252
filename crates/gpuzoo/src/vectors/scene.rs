//! What a scene's draws run.

use super::made::{Made, runs};
use crate::codes::NO_STIMULUS;
use gpuzoo_diag::Diagnostic;
use gpuzoo_scene::Scene;

/// The vertices of each draw of a frame, the first `most` of each: as many runs as there are vertices in the vertex buffer, each
/// once.
///
/// # Errors
/// What the scene says.
pub fn of_scene(scene: &Scene, frame: u32, most: usize) -> Result<Vec<Made>, Vec<Diagnostic>> {
    let mut all = Vec::new();
    scene.visit(frame, |number, _, draw, target| {
        let (lowering, mut constants) = scene.gpu.vertex_stage(target, draw);
        let lowered = lowering(draw.vertex);
        let layout = scene.gpu.complete_layout(draw.layout.clone());
        let count = layout.vertex_count(draw.vertices.len()).min(most);
        let fetch = |vertex, inputs: &mut [_]| layout.fetch(draw.vertices, vertex, inputs);
        let runs = runs(&lowered.function, 0..count, fetch, &mut constants);
        all.push(Made { name: format!("draw {number}, frame {frame}"), program: draw.vertex.clone(), runs });
    })?;
    Ok(all)
}

/// The fragments that met a pixel, and were shaded.
///
/// # Errors
/// As for [`Scene::pick`], and `C0105` if there is none that a record can hold.
pub fn of_pixel(scene: &Scene, frame: u32, (x, y): (u32, u32)) -> Result<Vec<Made>, Vec<Diagnostic>> {
    let (_, picked) = scene.pick(frame, x, y)?;
    let met = picked.len();
    let has_program = picked.iter().any(|picked| picked.call.fragment.is_some());
    let made = picked.into_iter().filter_map(|picked| {
        let program = (**picked.call.fragment.as_ref()?).clone();
        let name = format!("draw {}, triangle {}, pixel ({x}, {y})", picked.draw, picked.touch.primitive);
        Some(Made { name, program, runs: vec![picked.stimulus?] })
    });
    let made: Vec<Made> = made.collect();
    if made.is_empty() {
        let message = format!("no fragment program that a record can hold ran at ({x}, {y})");
        let problem = Diagnostic::error(&NO_STIMULUS, message);
        let help = match (met, has_program) {
            (0, _) => "no fragment met the pixel: choose another one",
            (_, false) => {
                "the draws there have no fragment programs; without `--pixel` records are of the vertices"
            }
            (_, true) => "a record has no textures, and what was hidden before it was shaded did not run",
        };
        return Err(vec![problem.help(help)]);
    }
    Ok(made)
}
