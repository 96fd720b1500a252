//! Single runs of a job's programs: the fragments that met a pixel, and a vertex.

use crate::fetch::FORMATS;
use crate::job::{Job, JobDraw, show, target};
use crate::pipeline::fragment_session;
use crate::problems::stopped;
use crate::regs::{MAX_PORTS, uniform};
use crate::{ISA, Recording, load, lowered};
use gpuzoo_diag::{Diagnostic, File, Span};
use gpuzoo_ir::Vec4;
use gpuzoo_isa::{Program, Stage};
use gpuzoo_machine::limits::budget::Budget;
use gpuzoo_machine::options::settings::Table;
use gpuzoo_machine::session::{Dataflow, ShaderSession};
use gpuzoo_machine::unit::cache::Cache;
use gpuzoo_machine::unit::draw::Draw;
use gpuzoo_machine::unit::job::{FragmentRuns, JobOptions, PixelRuns};
use gpuzoo_machine::unit::layout::{Attribute, Layout};
use gpuzoo_raster::Topology;

/// The programs of a draw, and what they find.
struct Programs {
    vertex: Program,
    fragment: Program,
    layout: Layout,
    vertices: Vec<u8>,
    constants: [Vec<Vec4>; 2],
}

impl Programs {
    fn of(draw: &JobDraw) -> Programs {
        let [vertex, fragment] = [&draw.vertex, &draw.fragment].map(|dwords| {
            let bytes: Vec<u8> = dwords.iter().flat_map(|dword| dword.to_le_bytes()).collect();
            load(&bytes, Span::default()).program
        });
        let (mut layout, mut offset) = (Layout { stride: 0, attributes: Vec::new() }, 0);
        for (input, port) in (0..).zip(vertex.interface.iter().flat_map(|interface| &interface.inputs)) {
            let format = &FORMATS[usize::from(port.components) - 1];
            layout.attributes.push(Attribute { input, offset, format });
            offset += 4 * u32::from(port.components);
        }
        layout.stride = offset;
        let constants = [(Stage::Vertex, &draw.vertex_uniforms), (Stage::Fragment, &draw.fragment_uniforms)];
        let constants = constants.map(|(stage, words)| {
            let first = usize::from(uniform(stage, 0).index);
            let mut all = vec![[0; 4]; first + MAX_PORTS];
            all[first..].copy_from_slice(words);
            all
        });
        let vertices = draw.vertices.iter().flat_map(|word| word.to_le_bytes()).collect();
        Programs { vertex, fragment, layout, vertices, constants }
    }

    /// Does something with them as a draw.
    fn as_draw<T>(&self, job: &Job, with: impl FnOnce(&Draw) -> T) -> T {
        let (state, cache, budget) = (Table::default(), Cache::default(), Budget::default());
        with(&Draw {
            vertex: &self.vertex,
            fragment: Some(&self.fragment),
            profile: job.profile,
            vertices: &self.vertices,
            layout: &self.layout,
            indices: None,
            topology: Topology::TriangleList,
            constants: &self.constants[0],
            fragment_constants: &self.constants[1],
            carried: &[],
            textures: &[],
            state: &state,
            cache: &cache,
            budget: &budget,
        })
    }

    /// The run of a vertex.
    fn vertex(&self, job: &Job, vertex: usize) -> ShaderSession {
        let mut inputs = [[0; 4]; MAX_PORTS];
        self.layout.fetch(&self.vertices, vertex, &mut inputs);
        let (profile, constants) = (job.profile, self.constants[0].clone());
        let run = move |program: &Program| Dataflow::run(lowered(program, profile), &inputs, &constants);
        ShaderSession::new(&ISA, &self.vertex, run)
    }
}

/// Every fragment that met a pixel of a job.
pub fn pick(
    file: &File,
    options: &JobOptions,
    (x, y): (u32, u32),
    cache: &Cache,
) -> (Option<PixelRuns>, Vec<Diagnostic>) {
    let (job, mut problems) = Job::read(file, options);
    let Some(job) = job.map(|job| job.sharing(cache)) else { return (None, problems) };
    let mut target = match target(&job, true, file) {
        Ok(target) => target,
        Err(problem) => {
            problems.push(problem);
            return (None, problems);
        }
    };
    if let Some(notes) = target.notes_mut() {
        let is_there = x < job.width && y < job.height;
        notes.watched = is_there.then(|| y as usize * job.width as usize + x as usize);
    }
    let done = match job.run(Some(Recording { notes: target.notes_mut(), timeline: false })) {
        Ok(done) => done,
        Err(error) => {
            problems.push(stopped(&error, file.whole()));
            return (None, problems);
        }
    };
    show(&mut target, &done.picture, &[]);
    let mut fragments = Vec::new();
    let noted = target.notes_mut().map(|notes| std::mem::take(&mut notes.touches)).unwrap_or_default();
    for (draw, (words, touches)) in job.draws.iter().zip(done.touches).enumerate() {
        let touches = noted.get(touches).unwrap_or_default();
        if touches.is_empty() {
            continue;
        }
        let programs = Programs::of(words);
        for touch in touches {
            let vertices = touch.corners.map(|corner| programs.vertex(&job, corner));
            let fragment = programs.as_draw(&job, |draw| fragment_session(draw, touch));
            fragments.push(FragmentRuns { draw, touch: touch.clone(), fragment, vertices });
        }
    }
    (Some(PixelRuns { image: target.into_image(), fragments }), problems)
}

/// The run of a vertex of a job, counted through its draws; or how many there are.
pub fn vertex(
    file: &File,
    options: &JobOptions,
    vertex: usize,
) -> (Option<Result<ShaderSession, usize>>, Vec<Diagnostic>) {
    let (job, problems) = Job::read(file, options);
    let Some(job) = job else { return (None, problems) };
    let mut before = 0;
    for draw in &job.draws {
        let count = draw.vertex_count as usize;
        if vertex - before < count {
            return (Some(Ok(Programs::of(draw).vertex(&job, vertex - before))), problems);
        }
        before += count;
    }
    (Some(Err(before)), problems)
}
