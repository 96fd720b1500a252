//! gpuzoo's side of pictures: a process that draws a scene as `render` does, on the machine's own pipeline.

use super::answer::answer;
use super::scenes::{self, CLEARED, Fill, Filter, Fragments, Kind, Mesh, Scene, VARYINGS, Work, share};
use gpuzoo::bench::standard_program;
use gpuzoo::machine::TextOptions;
use gpuzoo::machine::limits::budget::Budget;
use gpuzoo::machine::options::settings::{Table, Value};
use gpuzoo::machine::unit::cache::Cache;
use gpuzoo::machine::unit::draw::Draw;
use gpuzoo::machine::unit::layout::{Attribute, Layout};
use gpuzoo::raster::{
    Compare, DepthTest, FragmentBatch, FragmentStage, Level, Primitives, Rules, Shaded, State, Stats, Target,
    Texels, Texture, Topology, Vertices, draw,
};
use gpuzoo::{Registry, ShaderUnit};
use gpuzoo_diag::File;
use gpuzoo_ir::{Vec4, vec4};
use gpuzoo_isa::Program;
use gpuzoo_machine::Profile;
use std::path::Path;
use std::sync::Arc;

/// Draws the scene once and writes its picture, then measures as often as the standard input asks for.
pub fn draw_scene(scene: &Scene, threads: Option<usize>, picture: &Path) -> Result<(), String> {
    let drawing = Drawing::new(scene)?;
    let mut target = Target::new(scene.size.0, scene.size.1).map_err(|error| error.to_string())?;
    gpuzoo::threads::on_pool(threads, || {
        target.clear(CLEARED, 1.0);
        let stats = drawing.draw(&mut target)?;
        if stats.fragments != scene.fragments() {
            return Err(format!("{} pixels are covered, not {}", stats.fragments, scene.fragments()));
        }
        std::fs::write(picture, target.color().bytes()).map_err(|error| error.to_string())?;
        let clear = |target: &mut Target| target.clear(CLEARED, 1.0);
        answer((stats.written, "gpuzoo"), &mut target, clear, |target| drawing.draw(target).map(drop))
    })
}

/// A scene that is ready to be drawn again and again.
enum Drawing {
    Machine(Box<Machine>),
    Varyings(Varyings),
}

impl Drawing {
    fn new(scene: &Scene) -> Result<Drawing, String> {
        match scene.work {
            Work::Varyings { .. } => Ok(Drawing::Varyings(Varyings::new(scene))),
            _ => Ok(Drawing::Machine(Box::new(Machine::new(scene)?))),
        }
    }

    fn draw(&self, target: &mut Target) -> Result<Stats, String> {
        match self {
            Drawing::Machine(machine) => machine.draw(target),
            Drawing::Varyings(varyings) => varyings.draw(target),
        }
    }
}

/// A draw of a machine, as a scene file leads to it.
struct Machine {
    gpu: &'static dyn ShaderUnit,
    vertex: Program,
    fragment: Option<Program>,
    mesh: Mesh,
    layout: Layout,
    textures: Vec<Option<Arc<Texture>>>,
    constants: Vec<Vec4>,
    fragment_constants: Vec<Vec4>,
    state: Table,
    cache: Cache,
    budget: Budget,
}

impl Machine {
    fn new(scene: &Scene) -> Result<Machine, String> {
        let (id, names) = match scene.work {
            Work::Servaru(_) => ("servaru", ["FLOAT4", "FLOAT4", "FLOAT4", "FLOAT4"]),
            _ => ("dreambox", ["Float2", "Float3", "Float4", "UNorm4"]),
        };
        let gpu = Registry::default().shader_unit(Some(id), "").map_err(|problem| problem.message)?;
        let mesh = scene.mesh();
        let mut attributes = Vec::new();
        let textured = scene.filter().is_some();
        for attribute in mesh.attributes {
            let name = match attribute.kind {
                Kind::Floats(count) => names[count as usize - 2],
                Kind::Unorm8 => names[3],
            };
            let format = gpu.about().vertex_formats.iter().find(|format| format.name == name);
            let format = format.ok_or_else(|| format!("{id} has no vertices of {name}"))?;
            attributes.push(Attribute { input: attribute.input, offset: attribute.offset, format });
        }
        let (vertex, fragment) = programs(gpu, scene)?;
        Ok(Machine {
            gpu,
            vertex,
            fragment,
            layout: Layout { stride: mesh.stride, attributes },
            mesh,
            textures: if textured { vec![Some(Arc::new(texture(scene)?))] } else { Vec::new() },
            constants: identity(),
            fragment_constants: FRAGMENT_CONSTANTS.map(vec4).to_vec(),
            state: state(scene),
            cache: Cache::default(),
            budget: Budget::unlimited(),
        })
    }

    fn draw(&self, target: &mut Target) -> Result<Stats, String> {
        let draw = Draw {
            vertex: &self.vertex,
            fragment: self.fragment.as_ref(),
            profile: Profile::default(),
            vertices: &self.mesh.vertices,
            layout: &self.layout,
            indices: Some(&self.mesh.indices),
            topology: Topology::TriangleList,
            constants: &self.constants,
            fragment_constants: &self.fragment_constants,
            carried: &[],
            textures: &self.textures,
            state: &self.state,
            cache: &self.cache,
            budget: &self.budget,
        };
        let mut problems = Vec::new();
        let report = self.gpu.draw(target, &draw, &mut problems);
        match (report, problems.into_iter().next()) {
            (Ok(report), None) => Ok(report.stats),
            (_, Some(problem)) => Err(problem.message),
            (Err(refusal), None) => Err(refusal.to_string()),
        }
    }
}

/// The vertex program, and the fragment program on machines that have them.
fn programs(gpu: &dyn ShaderUnit, scene: &Scene) -> Result<(Program, Option<Program>), String> {
    let assemble = |text: &str| {
        let assembled = gpu.assemble(&File::new("versus", text), &TextOptions::default());
        match assembled.diagnostics.into_iter().next() {
            None => Ok(assembled.program),
            Some(problem) => Err(problem.message),
        }
    };
    match scene.work {
        Work::Servaru(fragments) => {
            Ok((assemble("MOV P9, P0\nMOV P10, P1\nMOV P11, P2\n")?, Some(assemble(servaru(fragments))?)))
        }
        Work::Grid { fill: Fill::Texture { .. }, .. } => {
            let transform = standard_program("dreambox", "transform").ok_or("`transform` is not there")?;
            Ok((transform.code().clone(), None))
        }
        // Neither texture coordinates nor an offset colour.
        _ => Ok((assemble("ld r0 0 st pos r0 ld r1 2 st col r1 sub r1 r1 st tex r1 st ocol r1")?, None)),
    }
}

/// The same as [`super::glsl::servaru`].
pub fn servaru(fragments: Fragments) -> &'static str {
    match fragments {
        Fragments::Flat => "MOV P9, P1\n",
        Fragments::Textured => "TEX P9, P0, T0\n",
        // U0 is the light, U1 the half vector, U2.x the sharpness, U3 the light's colour, U4 what there is without it.
        Fragments::Lit => {
            "TEX R0, P0, T0\nDP3 R1.w, P1, P1\nRSQ R1.w, R1.w\nMUL R1.xyz, P1, R1.w\nDP3 R2.x, R1, U0\n\
             DP3 R2.y, R1, U1\nMOV R2.w, U2.x\nLIT R2, R2\nMAD R3, R2.y, U3, U4\nMUL R0.xyz, R0, R3\n\
             MAD P9.xyz, R2.z, U3, R0\nMOV P9.w, 1\n"
        }
    }
}

const FRAGMENT_CONSTANTS: [[f32; 4]; 5] =
    [[0.0, 0.0, 1.0, 0.0], [0.0, 0.6, 0.8, 0.0], [40.0, 0.0, 0.0, 0.0], [1.0; 4], [0.2; 4]];

/// The matrix that grids are multiplied by.
fn identity() -> Vec<Vec4> {
    (0..4).map(|row| vec4(std::array::from_fn(|column| if column == row { 1.0 } else { 0.0 }))).collect()
}

fn texture(scene: &Scene) -> Result<Texture, String> {
    let texels = scenes::texels();
    let level = Level::new(scenes::TEXTURE, scenes::TEXTURE, Texels::Rgba8(texels.as_chunks().0.to_vec()));
    let texture = Texture::from(level.map_err(|error| error.to_string())?);
    if scene.filter() == Some(Filter::Levels) {
        return texture.with_mipmaps().map_err(|error| error.to_string());
    }
    Ok(texture)
}

/// Depth test, blending and filters, as OpenGL has them.
fn state(scene: &Scene) -> Table {
    let text = |text: &str| Value::Text(text.to_owned());
    let sampler = |settings: &[(&str, Value)]| ("sampler0", Value::Table(Table::of(settings)));
    if let Work::Servaru(_) = scene.work {
        let sampler = sampler(&[("filter", text("linear")), ("mip", text("nearest"))]);
        return Table::of(&[("depth_test", Value::Bool(false)), ("sample", text("centre")), sampler]);
    }
    let mut settings = vec![("depth_compare", text("less")), ("depth_write", Value::Bool(true))];
    if scene.blends() {
        let factors = [("src", text("src_alpha")), ("dst", text("one_minus_src_alpha"))];
        settings.push(("blend", Value::Table(Table::of(&factors))));
    }
    if scene.filter() == Some(Filter::Nearest) {
        settings.push(sampler(&[("filter", text("nearest"))]));
    }
    Table::of(&settings)
}

/// Vertices with more varyings than any machine has, and the rasterizer alone.
struct Varyings {
    positions: Vec<[f32; 4]>,
    varyings: Vec<[f32; 4]>,
    indices: Vec<u32>,
    state: State,
}

impl Varyings {
    fn new(scene: &Scene) -> Varyings {
        let mesh = scene.mesh();
        let (floats, _) = mesh.vertices.as_chunks::<4>();
        let floats: Vec<f32> = floats.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        let (vertices, _) = floats.as_chunks::<6>();
        let positions = vertices.iter().map(|[x, y, z, w, ..]| [*x, *y, *z, *w]).collect();
        let varyings = vertices.iter().flat_map(|[.., s, t]| {
            (0..VARYINGS).map(|varying| [*s, *t, 0.5, 0.5].map(|component| component * share(varying)))
        });
        let depth = Some(DepthTest { compare: Compare::Less, write: true });
        let state = State { depth, ..State::sized(scene.size.0, scene.size.1) };
        Varyings { positions, varyings: varyings.collect(), indices: mesh.indices, state }
    }

    fn draw(&self, target: &mut Target) -> Result<Stats, String> {
        let vertices = Vertices::new(&self.positions, &self.varyings, VARYINGS);
        let vertices = vertices.map_err(|error| error.to_string())?;
        let primitives =
            Primitives { topology: Topology::TriangleList, indices: Some(&self.indices), first: 0 };
        Ok(draw(target, &Rules::default(), &self.state, vertices, primitives, &Sum))
    }
}

/// The sum of all varyings, so that none can be left out.
struct Sum;

impl FragmentStage for Sum {
    fn kills(&self) -> bool {
        false
    }

    fn shade(&self, batch: &FragmentBatch<'_>, out: &mut Shaded) {
        batch.interpolate(0, 0, out.color.each_mut().map(|column| &mut column[..]));
        for varying in 1..VARYINGS {
            let sum = out.color.each_mut().map(|column| &mut column[..]);
            batch.interpolate_with(varying, sum, |sum, value| sum + value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Small: what is counted is the same at any size.
    #[test]
    fn every_scene_covers_its_picture_once_a_layer() {
        for scene in &scenes::SCENES {
            let small = Scene { size: (64, 48), ..*scene };
            let mut target = Target::cleared(64, 48, CLEARED, 1.0).unwrap();
            let stats = Drawing::new(&small).unwrap().draw(&mut target).unwrap();
            assert_eq!(stats.fragments, small.fragments(), "{}", scene.name);
            let nearer = if scene.name == "front-to-back" { 1 } else { u64::from(scene.layers()) };
            assert_eq!(stats.written, 64 * 48 * nearer, "{}", scene.name);
            assert_eq!(stats.primitives, scene.mesh().indices.len() as u64 / 3, "{}", scene.name);
        }
    }

    /// Half way to the right a column has half the colour, and the texture is noise.
    #[test]
    fn scenes_show_what_they_say() {
        let picture = |name: &str| {
            let scene = scenes::SCENES.iter().find(|scene| scene.name == name).unwrap();
            let mut target = Target::cleared(64, 48, CLEARED, 1.0).unwrap();
            Drawing::new(&Scene { size: (64, 48), ..*scene }).unwrap().draw(&mut target).unwrap();
            target.into_image()
        };
        // 32.5/64 and 24.5/48 of 255.
        assert_eq!(picture("colours").get(32, 24), Some([129, 130, 128, 255]));
        let textured = picture("nearest");
        assert!(textured.get(32, 24) != textured.get(33, 24));
        // The same texels at the same places, and then half-way between what they are and black, or less.
        let blended = picture("blended-bilinear");
        let plain = picture("bilinear");
        let darker = |(blended, plain): (&[u8; 4], &[u8; 4])| blended[0] <= plain[0];
        assert!(blended.pixels().iter().zip(plain.pixels()).all(darker) && blended != plain);
    }
}
