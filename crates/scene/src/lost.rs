//! Of draws that wrote no pixel, the first thing of each that was lost on the way.

use crate::scene::{DrawCall, Scene};
use gpuzoo_diag::Diagnostic;
use gpuzoo_ir::eval::{NoTextures, Run};
use gpuzoo_isa::Output;
use gpuzoo_machine::unit::draw::{Draw, DrawReport, VertexConstants};
use gpuzoo_raster::{Fate, Note, Stats, Target, Touch};
use std::collections::{BTreeMap, BTreeSet};

impl Scene {
    /// Adds to diagnostics about draws of a frame that wrote no pixel what the first primitive or fragment of each was.
    /// Draws are given by their numbers, `reports` are those of the frame. If any of them had fragments, the frame is drawn
    /// twice again, however many they are.
    pub fn first_lost(
        &self,
        frame: u32,
        reports: &[DrawReport],
        lost: Vec<(usize, Diagnostic)>,
    ) -> Vec<Diagnostic> {
        if lost.is_empty() {
            return Vec::new();
        }
        let stats = |number: usize| reports.get(number).map(|report| report.stats).unwrap_or_default();
        let hidden = lost.iter().map(|(number, _)| *number).filter(|number| stats(*number).fragments > 0);
        let fragments = self.first_fragments(frame, hidden.collect());
        let targets: Vec<Option<Target>> =
            self.surfaces.iter().map(|surface| surface.target().ok()).collect();
        let explained = lost.into_iter().map(|(number, problem)| {
            if let Some(fragment) = fragments.get(&number) {
                return fragment.explain(problem);
            }
            let Stats { primitives, fragments, .. } = stats(number);
            let draw = self.draws.get(number).filter(|_| primitives > 0 && fragments == 0);
            let Some(draw) = draw else { return problem };
            let Some(Some(target)) = targets.get(draw.surface) else { return problem };
            let before = number.checked_sub(1).and_then(|number| reports.get(number));
            let carried = before.map(|report| report.outputs.as_slice()).unwrap_or_default();
            let constants = self.constants(draw, frame % self.frames, &mut Vec::new());
            let textures = vec![None; draw.units.len()];
            let call = Draw { carried, ..self.call(draw, &constants, &textures) };
            self.first_primitive(draw, &call, target, problem)
        });
        explained.collect()
    }

    /// Where its program puts the corners of the first primitive, and the line that does it.
    fn first_primitive(
        &self,
        draw: &DrawCall,
        call: &Draw,
        target: &Target,
        problem: Diagnostic,
    ) -> Diagnostic {
        let (lowering, constants) = self.gpu.vertex_stage(target, call);
        let lowered = lowering(call.vertex);
        let layout = self.gpu.complete_layout(draw.layout.clone());
        let mut inputs = vec![[0; 4]; lowered.function.input_count()];
        let fetch = |vertex, inputs: &mut [[u32; 4]]| {
            let Some(index) = draw.indices.get(vertex) else { return };
            layout.fetch(&draw.vertices, *index as usize, inputs);
        };
        let number = self.gpu.starter(&draw.program, (target.width(), target.height())).position;
        let mut outputs = lowered.function.outputs.iter();
        let position = outputs.find(|(own, _)| Output::of(*own) == Output::Register(number));
        let Some(&(_, position)) = position else { return problem };
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
        match written {
            Some((name, span)) => {
                let note = format!("in `{name}` the first primitive has {places}");
                problem.label(span, format!("`{name}` is written here last")).note(note)
            }
            None => problem
                .note(format!("the first primitive is at {places}, and the program writes no position")),
        }
    }

    /// Of each of these draws the first fragment, by its number.
    fn first_fragments(&self, frame: u32, draws: BTreeSet<usize>) -> BTreeMap<usize, Fragment> {
        let mut found = BTreeMap::new();
        if draws.is_empty() {
            return found;
        }
        let mut pixels = BTreeMap::new();
        self.draw_all(frame, Some(&|_| None), &mut Vec::new(), |number, _, _, target| {
            let Some(notes) = target.notes_mut() else { return };
            let first = || notes.pixels.iter().position(|pixel| pixel.fragments > 0);
            let first = if draws.contains(&number) { first() } else { None };
            pixels.extend(first.map(|pixel| (number, pixel)));
            // So that the next draw's are all that is counted.
            notes.pixels.fill(Note::default());
        });
        let watched = |number| pixels.get(&number).copied();
        self.draw_all(frame, Some(&watched), &mut Vec::new(), |number, _, _, target| {
            let width = target.width() as usize;
            let touches = target.notes_mut().map(|notes| std::mem::take(&mut notes.touches));
            let touch = touches.into_iter().flatten().next();
            if let (Some(Touch { fate, depth, .. }), Some(at)) = (touch, watched(number)) {
                found.insert(number, Fragment { x: at % width, y: at / width, fate, depth });
            }
        });
        found
    }
}

/// A fragment that a draw had.
struct Fragment {
    x: usize,
    y: usize,
    fate: Fate,
    depth: f32,
}

impl Fragment {
    /// Adds what became of it to a diagnostic.
    fn explain(&self, problem: Diagnostic) -> Diagnostic {
        let Fragment { x, y, fate, depth } = self;
        problem
            .note(match fate {
                Fate::Hidden(stored) => {
                    format!("at pixel {x},{y} its depth is {depth}, and {stored} was there before")
                }
                _ => format!("at pixel {x},{y} its fragment was killed"),
            })
            .help(format!("`gpuzoo trace SCENE --pixel {x},{y} --all` shows how it came there"))
    }
}
