//! A scene's draw on the machine: packed into its memory, drawn, and taken out again.

use crate::device::{Device, DeviceError, Options};
use crate::job::{FILL, FILLS, JobDraw, NO_LIMITS, pin_descriptors, show};
use crate::meaning::lowered;
use crate::pins::Pins;
use crate::problems::{does_not_fit, odd_triangles, stopped, too_many_vertices};
use crate::regs::{MAX_PORTS, triangle, uniform};
use crate::rules::{NO_FRAGMENT_PROGRAM, NOT_TRIANGLES};
use crate::{ABOUT, ISA, check_pair, program_dwords, shade};
use gpuzoo_diag::{Diagnostic, has_errors};
use gpuzoo_ir::Vec4;
use gpuzoo_ir::eval::{NoTextures, Run};
use gpuzoo_isa::{Interface, Stage};
use gpuzoo_machine::limits::budget::{Refusal, Resource};
use gpuzoo_machine::options::keys::{Flag, Key};
use gpuzoo_machine::options::settings::{Reader, Table};
use gpuzoo_machine::session::{Dataflow, ShaderSession};
use gpuzoo_machine::unit::draw::{Draw, DrawReport};
use gpuzoo_machine::unit::job::WrittenDraw;
use gpuzoo_machine::vectors::stimulus::Stimulus;
use gpuzoo_raster::{Fill, Target, Topology, Touch};

pub(crate) struct Settings {
    pub fill: Fill,
    pub depth_test: bool,
    pub no_limits: bool,
}

static DEPTH_TEST: Flag = Flag::new(
    "depth_test",
    false,
    "whether what is not nearer than the stored depth is hidden, and depths are stored",
);
/// What a scene's `state` table can say.
pub static KEYS: &[&dyn Key] = &[&FILL, &DEPTH_TEST, &NO_LIMITS];

pub(crate) fn settings(table: &Table, problems: &mut Vec<Diagnostic>) -> Settings {
    let mut reader = Reader::new(table, problems);
    let settings = Settings {
        fill: FILL.read(&mut reader),
        depth_test: DEPTH_TEST.read(&mut reader),
        no_limits: NO_LIMITS.read(&mut reader),
    };
    reader.finish();
    settings
}

/// A draw as the raw words of a job, and its settings. What is wrong with it is added to `problems`.
fn raw(draw: &Draw, problems: &mut Vec<Diagnostic>) -> Option<(JobDraw, Settings)> {
    let span = draw.state.span;
    let settings = settings(draw.state, problems);
    let Some(fragment) = draw.fragment else {
        let problem = Diagnostic::error(&NO_FRAGMENT_PROGRAM, "this draw has no fragment program");
        problems.push(problem.at(span).help("name one: `fragment = \"…\"`"));
        return None;
    };
    problems.extend(check_pair(draw.vertex, fragment));
    if draw.topology != Topology::TriangleList {
        let problem =
            Diagnostic::error(&NOT_TRIANGLES, "the machine draws lists of triangles and nothing else");
        problems.push(problem.at(span).help("give the mesh the topology `triangle_list`"));
    }
    let (taken, given) = (draw.vertex.interface.as_ref()?, fragment.interface.as_ref()?);
    let vertex_count = u32::try_from(draw.vertex_count()).unwrap_or(u32::MAX);
    let job = JobDraw {
        vertex: program_dwords(draw.vertex),
        fragment: program_dwords(fragment),
        vertex_count,
        vertices: packed(draw, taken),
        vertex_uniforms: uniforms(draw.constants, Stage::Vertex),
        fragment_uniforms: uniforms(draw.fragment_constants, Stage::Fragment),
        descriptors: pin_descriptors(taken, given),
    };
    problems.extend(too_many_vertices(vertex_count, settings.no_limits, span));
    Some((job, settings))
}

/// A scene's draw as one of a job.
pub fn written(draw: &Draw) -> Result<WrittenDraw, Vec<Diagnostic>> {
    let mut problems = Vec::new();
    let raw = raw(draw, &mut problems).filter(|_| !has_errors(&problems));
    let Some((job, Settings { fill, depth_test, no_limits })) = raw else { return Err(problems) };
    let fill = FILLS.iter().find(|(_, own)| *own == fill).map_or("", |(name, _)| name);
    let shared = [
        ("profile", ABOUT.profile_name(draw.profile).into()),
        ("fill", fill.into()),
        ("depth", depth_test.into()),
        ("no_limits", no_limits.into()),
    ];
    let shared = shared.map(|(key, value)| (key.to_owned(), value)).into_iter().collect();
    let own = serde_json::to_value(job.text(draw.vertex, draw.fragment)).unwrap_or_default();
    Ok(WrittenDraw { own, shared })
}

/// Carries out a draw.
pub fn draw(target: &mut Target, draw: &Draw, problems: &mut Vec<Diagnostic>) -> Result<DrawReport, Refusal> {
    let before = problems.len();
    let span = draw.state.span;
    let Some((job, settings)) = raw(draw, problems) else { return Ok(DrawReport::default()) };
    let Settings { fill, depth_test, no_limits } = settings;
    let vertex_count = job.vertex_count;
    let pixels = target.width() as usize * target.height() as usize;
    let planes = if depth_test { 2 } else { 1 };
    let needed = planes * pixels + job.dwords();
    problems.extend(does_not_fit(needed, no_limits, span));
    if has_errors(&problems[before..]) {
        return Ok(DrawReport::default());
    }
    let budget = draw.budget.clone();
    // The picture goes into the machine's memory, and back.
    budget.spend(Resource::Pixels, pixels as u64)?;
    let options = Options { profile: draw.profile, fill, no_limits, memory: needed, budget };
    let mut device = Device::sharing(&options, draw.cache.clone())?;
    let memory = &mut device.memory;
    memory.write_all(0, target.color().pixels().iter().map(|pixel| u32::from_le_bytes(*pixel)));
    if depth_test {
        memory.write_all(pixels, target.depth().values().iter().map(|depth| depth.to_bits()));
    }
    let mut end = planes * pixels;
    let addresses = [&job.vertex, &job.fragment, &job.vertices].map(|dwords| {
        memory.write_all(end, dwords.iter().copied());
        end += dwords.len();
        (end - dwords.len()) as u32 * 4
    });
    device.pins = Pins {
        width: target.width(),
        height: target.height(),
        framebuffer: 0,
        depth_enable: depth_test,
        depth_buffer: pixels as u32 * 4,
        ..job.pins(addresses)
    };
    let drawn = device.draw(target.notes_mut());
    let (picture, depths) = device.memory.dwords().split_at(pixels);
    show(target, picture, if depth_test { depths } else { &[] });
    match drawn {
        Ok(drawn) => {
            problems.extend(odd_triangles(std::slice::from_ref(&drawn), span));
            Ok(drawn.report(vertex_count.into()))
        }
        Err(DeviceError::Refused(refusal)) => Err(refusal),
        Err(error) => {
            problems.push(stopped(&error, span));
            Ok(DrawReport::default())
        }
    }
}

/// The vertices as the machine reads them: in the order of their use, the declared components alone.
fn packed(draw: &Draw, interface: &Interface) -> Vec<u32> {
    let mut packed = Vec::new();
    for number in 0..draw.vertex_count() {
        let vertex = draw.indices.map_or(number, |indices| indices[number] as usize);
        let mut inputs = [[0; 4]; MAX_PORTS];
        draw.layout.fetch(draw.vertices, vertex, &mut inputs);
        for (port, value) in interface.inputs.iter().zip(inputs) {
            packed.extend(&value[..port.components as usize]);
        }
    }
    packed
}

/// A stage's part of the uniforms.
fn uniforms(all: &[Vec4], stage: Stage) -> [Vec4; MAX_PORTS] {
    std::array::from_fn(|index| all.get(uniform(stage, index).index as usize).copied().unwrap_or_default())
}

/// What a draw's fragment program is run with at a fragment: its pixel, and its uniforms with the triangle's vertices among them.
pub fn stimulus(draw: &Draw, touch: &Touch) -> Option<Stimulus> {
    let vertex = lowered(draw.vertex, draw.profile);
    let given = draw.fragment.and(draw.vertex.interface.as_ref())?;
    let mut uniforms = draw.fragment_constants.to_vec();
    uniforms.resize(triangle(2, MAX_PORTS - 1).index as usize + 1, [0; 4]);
    let mut run = Run::default();
    for (number, corner) in touch.corners.into_iter().enumerate() {
        let mut inputs = [[0; 4]; MAX_PORTS];
        let corner =
            draw.indices.map_or(corner, |indices| indices.get(corner).map_or(0, |index| *index as usize));
        draw.layout.fetch(draw.vertices, corner, &mut inputs);
        run.run(&vertex.function, &inputs, draw.constants, &NoTextures);
        for (index, (_, value)) in vertex.function.outputs.iter().enumerate().take(given.outputs.len()) {
            let mut value = run.value(*value);
            if index == 0 {
                let [x, y, z, w] = value.map(f32::from_bits);
                value = [x / w, y / w, z / w, 0.0].map(f32::to_bits);
            }
            uniforms[triangle(number, index).index as usize] = value;
        }
    }
    let pixel = touch.invocations.get(touch.lane)?;
    Some(Stimulus { inputs: shade::inputs(pixel.x, pixel.y).to_vec(), constants: uniforms })
}

/// A draw's fragment program at a fragment, step by step.
pub fn fragment_session(draw: &Draw, touch: &Touch) -> Option<ShaderSession> {
    let program = draw.fragment?;
    let Stimulus { inputs, constants } = stimulus(draw, touch)?;
    let profile = draw.profile;
    let run = move |program: &_| Dataflow::run(lowered(program, profile), &inputs, &constants);
    Some(ShaderSession::new(&ISA, program, run))
}
