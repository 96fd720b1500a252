//! A pixel of a frame: every fragment that met it, and how it came there.

use crate::load::NO_SUCH_PIXEL;
use crate::scene::{DrawCall, Scene};
use gpuzoo_diag::{Diagnostic, has_errors};
use gpuzoo_ir::Vec4;
use gpuzoo_isa::Program;
use gpuzoo_machine::session::{Dataflow, ShaderSession};
use gpuzoo_machine::unit::draw::VertexConstants;
use gpuzoo_machine::vectors::stimulus::Stimulus;
use gpuzoo_raster::{Image, Touch};
use std::collections::{BTreeMap, BTreeSet};

/// A fragment that met a pixel, and how it came there.
#[derive(Clone, Debug)]
pub struct Picked<'a> {
    /// The number of its draw.
    pub draw: usize,
    /// The draw.
    pub call: &'a DrawCall,
    /// The fragment.
    pub touch: Touch,
    /// Its run of the fragment program, if there is one.
    pub fragment: Option<ShaderSession>,
    /// What that was run with, if it does not depend on more: see
    /// [`FragmentPrograms::stimulus`](gpuzoo_machine::FragmentPrograms::stimulus).
    pub stimulus: Option<Stimulus>,
    /// The runs of the vertex program for the three vertices of its triangle; of a line the second counts twice.
    pub vertices: [ShaderSession; 3],
}

impl Scene {
    /// Draws a frame and looks at one of its pixels: the picture, and every fragment that met the pixel, in their order.
    ///
    /// # Errors
    /// As for [`frame`](Scene::frame), and `R0322` if there is no such pixel.
    pub fn pick(&self, index: u32, x: u32, y: u32) -> Result<(Image, Vec<Picked<'_>>), Vec<Diagnostic>> {
        let (width, height) = self.size();
        if x >= width || y >= height {
            return Err(vec![no_such_pixel((x, y), (width, height))]);
        }
        let (mut picked, mut refused) = (Vec::new(), None);
        let watched = y as usize * width as usize + x as usize;
        let mut problems = Vec::new();
        let watch = |_| Some(watched);
        let (screen, _) = self.draw_all(index, Some(&watch), &mut problems, |number, draw, call, target| {
            let touches = target.notes_mut().map(|notes| std::mem::take(&mut notes.touches));
            let isa = self.gpu.isa();
            let (lowering, constants) = self.gpu.vertex_stage(target, call);
            let lowered = lowering(call.vertex);
            let mut inputs = vec![[0; 4]; lowered.function.input_count()];
            let touches = touches.unwrap_or_default();
            // In their order, since a vertex may find what those before it wrote.
            let corners: BTreeSet<usize> = touches.iter().flat_map(|touch| touch.corners).collect();
            let layout = self.gpu.complete_layout(draw.layout.clone());
            let fetch = |vertex, inputs: &mut [Vec4]| {
                let Some(index) = draw.indices.get(vertex) else { return };
                layout.fetch(&draw.vertices, *index as usize, inputs);
            };
            let mut constants = VertexConstants::new(&lowered.function, &constants);
            let traced = corners.into_iter().map(|vertex| {
                fetch(vertex, &mut inputs);
                let (lowering, inputs) = (lowering.clone(), inputs.clone());
                let constants = constants.before(vertex, fetch).to_vec();
                let run = move |program: &Program| Dataflow::run(lowering(program), &inputs, &constants);
                (vertex, ShaderSession::new(isa, call.vertex, run))
            });
            let traced: BTreeMap<usize, ShaderSession> = traced.collect();
            for touch in touches {
                let vertices = touch.corners.map(|vertex| traced.get(&vertex).cloned().unwrap_or_default());
                let programs = self.gpu.fragment_programs();
                let fragment = programs.map_or(Ok(None), |own| own.session(target, call, &touch));
                let fragment = fragment.unwrap_or_else(|refusal| {
                    refused = Some(refusal);
                    None
                });
                let stimulus = programs.and_then(|own| own.stimulus(call, &touch));
                picked.push(Picked { draw: number, call: draw, touch, fragment, stimulus, vertices });
            }
        });
        problems.extend(refused.map(|refusal| refusal.problem()));
        match screen {
            Some(screen) if !has_errors(&problems) => Ok((screen.into_image(), picked)),
            _ => Err(problems),
        }
    }
}

/// The problem of a pixel that a picture of this size does not have.
pub fn no_such_pixel((x, y): (u32, u32), (width, height): (u32, u32)) -> Diagnostic {
    let problem = Diagnostic::error(&NO_SUCH_PIXEL, format!("there is no pixel ({x}, {y})"));
    problem.help(format!("the picture is {width} × {height}, counted from 0"))
}
