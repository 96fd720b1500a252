//! Of a draw that wrote no pixel, the first thing that was lost on the way.

use crate::scene::{DrawCall, Scene};
use gpuzoo_diag::Diagnostic;
use gpuzoo_ir::eval::{NoTextures, Run};
use gpuzoo_machine::draw::{Draw, VertexConstants};
use gpuzoo_raster::{Fate, Stats, Target};

impl Scene {
    /// Adds to a diagnostic about a draw that wrote no pixel what its first primitive or fragment was. Draws the frame
    /// again.
    pub fn first_lost(&self, frame: u32, number: usize, stats: &Stats, problem: Diagnostic) -> Diagnostic {
        if stats.fragments > 0 {
            return self.first_fragment(frame, number, problem);
        }
        let mut found = None;
        self.draw_all(frame, None, &mut Vec::new(), |own, draw, call, target| {
            if own == number && stats.primitives > 0 {
                found = Some(self.first_primitive(draw, call, target, &problem));
            }
        });
        found.unwrap_or(problem)
    }

    /// Where its program puts the corners of the first primitive, and the line that does it.
    fn first_primitive(
        &self,
        draw: &DrawCall,
        call: &Draw,
        target: &Target,
        problem: &Diagnostic,
    ) -> Diagnostic {
        let (lowered, constants) = self.gpu.vertex_stage(target, call);
        let layout = self.gpu.complete_layout(draw.layout.clone());
        let mut inputs = vec![[0; 4]; lowered.function.input_count()];
        let fetch = |vertex, inputs: &mut [[u32; 4]]| {
            let Some(index) = draw.indices.get(vertex) else { return };
            layout.fetch(&draw.vertices, *index as usize, inputs);
        };
        // The position is the first output of every machine.
        let Some(&(_, position)) = lowered.function.outputs.first() else { return problem.clone() };
        let mut constants = VertexConstants::new(&lowered.function, &constants);
        let mut run = Run::default();
        let corners = draw.topology.corners(0);
        let corners = if draw.topology.is_lines() { &corners[..2] } else { &corners[..] };
        let place = |vertex: &usize| {
            fetch(*vertex, &mut inputs);
            run.run(&lowered.function, &inputs, constants.before(*vertex, fetch), &NoTextures);
            let components = run.value(position).map(|component| format!("{}", f32::from_bits(component)));
            format!("({})", components.join(", "))
        };
        let places: Vec<String> = corners.iter().map(place).collect();
        let same = places.iter().all(|place| *place == places[0]);
        let places = if same { format!("{} each", places[0]) } else { places.join(", ") };
        let mut steps = lowered.steps.iter().rev();
        let written = steps.find_map(|step| {
            let (reg, ..) = step.writes.iter().find(|(_, value, _)| *value == position)?;
            Some((self.gpu.isa().reg_name(*reg), draw.program.slots.get(step.slot)?.span))
        });
        let problem = problem.clone();
        match written {
            Some((name, span)) => {
                let note = format!("in `{name}` the first primitive has {places}");
                problem.label(span, format!("`{name}` is written here last")).note(note)
            }
            None => problem
                .note(format!("the first primitive is at {places}, and the program writes no position")),
        }
    }

    /// A fragment that the draw had, and its fate.
    fn first_fragment(&self, frame: u32, number: usize, problem: Diagnostic) -> Diagnostic {
        let (mut before, mut first) = (Vec::new(), None);
        self.draw_all(frame, Some(None), &mut Vec::new(), |own, draw, _, target| {
            let Some(notes) = target.notes().filter(|_| draw.surface == 0) else { return };
            let now: Vec<u32> = notes.pixels.iter().map(|pixel| pixel.fragments).collect();
            if own == number {
                before.resize(now.len(), 0);
                first = now.iter().zip(&before).position(|(now, before)| now > before);
            }
            before = now;
        });
        let width = self.size().0 as usize;
        let Some((x, y)) = first.map(|at| ((at % width) as u32, (at / width) as u32)) else { return problem };
        let picked = self.pick(frame, x, y).unwrap_or_default();
        let Some(picked) = picked.into_iter().find(|picked| picked.draw == number) else { return problem };
        let depth = picked.touch.depth;
        problem
            .note(match picked.touch.fate {
                Fate::Hidden(stored) => {
                    format!("at pixel {x},{y} its depth is {depth}, and {stored} was there before")
                }
                _ => format!("at pixel {x},{y} its fragment was killed"),
            })
            .help(format!("`gpuzoo trace SCENE --pixel {x},{y} --all` shows how it came there"))
    }
}
