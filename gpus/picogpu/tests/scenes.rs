//! What becomes of a scene's draw besides a picture: a draw for the host's GPU, a part of a job, runs of its fragments.

use gpuzoo_diag::{Diagnostic, File};
use gpuzoo_ir::eval::{NoTextures, Run as Evaluator};
use gpuzoo_isa::Program;
use gpuzoo_machine::limits::budget::Budget;
use gpuzoo_machine::options::settings::{Table, Value};
use gpuzoo_machine::target::host::{DepthBits, Fragments, HostDraw};
use gpuzoo_machine::unit::cache::Cache;
use gpuzoo_machine::unit::draw::Draw;
use gpuzoo_machine::unit::job::JobHead;
use gpuzoo_machine::unit::layout::{Attribute, Layout};
use gpuzoo_machine::{FragmentPrograms, Gpu, Jobs, Modes, ShaderUnit};
use gpuzoo_picogpu::*;
use gpuzoo_raster::{ColorRounding, Compare, DepthTest, Placement, Sample, Sides, Target, Topology};
use serde_json::{Value as Json, json};

const VERTEX: &str = "#vertexShader #input r0.xyz #input r1.xy #output r2.xyzw #output r3.xy #uniform r4.x #uniform r5.xy \
    mov r2.xyz r0 finit r2.w 1.0 fadd r3.xy r1 r5";
const FRAGMENT: &str =
    "#fragmentShader #input r0.xyzw #input r1.xy #output r2.xyzw #uniform r3.xyz mov r2 r3 mov r2.xy r1";

fn program(text: &str) -> Program {
    let assembled = assemble(&File::new("t", text), DOCUMENT);
    assert!(assembled.ok(), "{text}\n{:#?}", assembled.diagnostics);
    assembled.program
}

/// A draw of a triangle at depth 1 with legs of four pixels and the same attributes at all corners, in a picture of 4 × 3.
struct Scene {
    vertex: Program,
    fragment: Option<Program>,
    topology: Topology,
    state: Table,
}

impl Scene {
    fn of(state: &[(&str, Value)]) -> Scene {
        let fragment = Some(program(FRAGMENT));
        Scene { vertex: program(VERTEX), fragment, topology: Topology::TriangleList, state: Table::of(state) }
    }

    fn with_draw<T>(&self, run: impl FnOnce(&Draw) -> T) -> T {
        let corners = [[0.0, 0.0, 1.0], [4.0, 0.0, 1.0], [0.0, 4.0, 1.0f32]];
        let vertices = corners.iter().flat_map(|corner| corner.iter().chain(&[0.25, 0.5]));
        let bytes: Vec<u8> = vertices.flat_map(|component| component.to_le_bytes()).collect();
        let format =
            |name: &str| GPU.about().vertex_formats.iter().find(|format| format.name == name).unwrap();
        let attributes = vec![
            Attribute { input: 0, offset: 0, format: format("float3") },
            Attribute { input: 1, offset: 12, format: format("float2") },
        ];
        let layout = Layout { stride: 20, attributes };
        let float = |x: f32| [x.to_bits(); 4];
        let mut constants = vec![[0; 4]; 6];
        constants[..2].copy_from_slice(&[float(9.0), float(0.25)]);
        constants[3] = float(1.0);
        run(&Draw {
            vertex: &self.vertex,
            fragment: self.fragment.as_ref(),
            profile: UNIT,
            vertices: &bytes,
            layout: &layout,
            indices: Some(&[2, 0, 1]),
            topology: self.topology,
            constants: &constants,
            fragment_constants: &constants,
            carried: &[],
            textures: &[],
            state: &self.state,
            cache: &Cache::default(),
            budget: &Budget::default(),
        })
    }

    fn host(&self) -> Result<HostDraw, Vec<String>> {
        let target = Target::new(4, 3).unwrap();
        let messages =
            |problems: Vec<Diagnostic>| problems.into_iter().map(|problem| problem.message).collect();
        self.with_draw(|draw| GPU.host_draw(&target, draw)).map_err(messages)
    }
}

/// Sections 5 and 8: positions are divided by w and are pixels; there is no clipping; the pixel's corner counts; colours are cut off;
/// depths go beyond 1; a fragment program gets x and y of its pixel, and the triangle's corners behind six uniforms, three values each.
#[test]
fn a_draw_for_the_host() {
    let draw = Scene::of(&[]).host().unwrap();
    assert_eq!((draw.rules.placement, draw.rules.sample), (Placement::Divided, Sample::Corner));
    let clip = draw.rules.clip;
    assert_eq!((clip.sides, clip.near, clip.far), (Sides::GuardBand, false, false));
    assert_eq!((draw.rules.color, draw.state.depth), (ColorRounding::Truncate, None));
    assert_eq!((draw.position.output, &*draw.position.text, draw.varyings.len()), (0, "value", 0));
    assert_eq!(
        (draw.modes, draw.start.len(), draw.units.len(), draw.depth),
        (Modes::default(), 0, 0, DepthBits::Shifted)
    );
    assert_eq!((draw.constants.len(), draw.layout.stride, draw.layout.attributes.len()), (6, 20, 2));
    let Fragments::Program { inputs, color, depth, corners } = draw.fragments else { panic!("a program") };
    assert_eq!(inputs, [(0, "vec4f(place.xy, 0.0, 0.0)".to_owned())]);
    assert_eq!((color, depth, corners), (0, Some(1), Some((6, 3))));
    let tested = Scene::of(&[("depth_test", Value::Bool(true))]).host().unwrap();
    assert_eq!(tested.state.depth, Some(DepthTest { compare: Compare::Less, write: true }));
    // The host draws shared edges once, which the machine does only where a setting asks for it.
    assert_eq!(
        draw.unlike,
        ["pixels on an edge between two triangles are drawn once (`fill = \"top-left\"`)"]
    );
    let fill = |word: &str| Scene::of(&[("fill", Value::Text(word.to_owned()))]).host().unwrap().unlike.len();
    assert_eq!([fill("inclusive"), fill("top-left")], [1, 0]);
    let refused = |scene: Scene| scene.host().unwrap_err();
    assert_eq!(refused(Scene { fragment: None, ..Scene::of(&[]) }), ["this draw has no fragment program"]);
    let lines = Scene { topology: Topology::LineList, ..Scene::of(&[]) };
    assert_eq!(refused(lines), ["the machine draws lists of triangles and nothing else"]);
    assert_eq!(refused(Scene::of(&[("fil", Value::Bool(true))])), ["there is no setting `fil` here"]);
    let other = FRAGMENT.replace("#input r1.xy", "#input r1.xyz");
    let other = Scene { fragment: Some(program(&other)), ..Scene::of(&[]) };
    assert_eq!(
        refused(other),
        ["attribute 1 has 2 components in the vertex shader and 3 in the fragment shader"]
    );
}

/// The words of a draw: programs with their store commands, vertices in the order of their use, uniforms with the components that are
/// declared. The job draws the scene's picture.
#[test]
fn a_draw_as_a_part_of_a_job() {
    let scene = Scene::of(&[("depth_test", Value::Bool(true)), ("no_limits", Value::Bool(true))]);
    let written = scene.with_draw(|draw| GPU.of_draw(draw)).unwrap();
    let words = |all: &[u32]| all.iter().map(|word| Json::from(format!("{word:08x}"))).collect::<Json>();
    let floats = |all: &[f32]| words(&all.iter().map(|float| float.to_bits()).collect::<Vec<u32>>());
    let expected = json!({
        "vs_dwords": words(&program_dwords(&scene.vertex)),
        "fs_dwords": words(&program_dwords(scene.fragment.as_ref().unwrap())),
        "vertex_count": 3,
        "vertex_data": floats(&[0.0, 4.0, 1.0, 0.25, 0.5, 0.0, 0.0, 1.0, 0.25, 0.5, 4.0, 0.0, 1.0, 0.25, 0.5]),
        "vs_uniforms": [floats(&[9.0]), floats(&[0.25, 0.25])],
        "fs_uniforms": [floats(&[1.0, 1.0, 1.0])],
    });
    assert_eq!(written.own, expected);
    let shared = json!({ "profile": "unit", "fill": "inclusive", "depth": true, "no_limits": true });
    assert_eq!(Json::from(written.shared.clone()), shared);
    let head = JobHead { title: "some".into(), size: (4, 3), color: [1, 2, 3, 4], depth: 2.0, image: None };
    let text = GPU.document(&head, vec![written.clone()]).unwrap();
    let said: Json = serde_json::from_str(&text).unwrap();
    let head_of =
        ["title", "width", "height", "clear_color", "clear_depth", "image"].map(|key| said[key].clone());
    assert_eq!(
        head_of,
        [json!("some"), json!(4), json!(3), json!("04030201"), json!("40000000"), Json::Null]
    );
    let (job, problems) = Job::parse(&File::new("job", &text));
    let done = job.unwrap_or_else(|| panic!("{problems:#?}")).run(None).unwrap();
    let mut target = Target::new(4, 3).unwrap();
    target.clear([1, 2, 3, 4], 2.0);
    scene.with_draw(|draw| GPU.draw(&mut target, draw, &mut Vec::new())).unwrap();
    let pixels: Vec<u32> = target.color().pixels().iter().map(|pixel| u32::from_le_bytes(*pixel)).collect();
    assert_eq!(done.picture, pixels);
    // 255 × 0.5 and 255 × 0.75, cut off; the uniform's fourth component is not declared, so it is 0. The corner is outside.
    assert_eq!(
        (target.color().get(1, 1), target.color().get(3, 2)),
        (Some([127, 191, 255, 0]), Some([1, 2, 3, 4]))
    );
    // A picture's name, and draws that do not agree.
    let named = JobHead { image: Some("p.png".into()), ..head.clone() };
    let said: Json = serde_json::from_str(&GPU.document(&named, vec![]).unwrap()).unwrap();
    assert_eq!((&said["image"], &said["draws"]), (&json!("p.png"), &json!([])));
    let other = Scene::of(&[("no_limits", Value::Bool(true))]).with_draw(|draw| GPU.of_draw(draw)).unwrap();
    let problem = GPU.document(&head, vec![written, other]).unwrap_err();
    assert_eq!(
        (problem.code.id, &*problem.message),
        ("R0706", "the draws differ in `depth`, which a job says once")
    );
    let lines = Scene { topology: Topology::LineList, ..Scene::of(&[]) };
    assert_eq!(lines.with_draw(|draw| GPU.of_draw(draw)).unwrap_err()[0].code.id, "P0309");
}

/// The pixel, and among the uniforms the corners as the vertex program left them: x, y and z divided by w, then the attributes.
#[test]
fn what_a_fragment_of_a_draw_is_run_with() {
    let sets = [0, 5, 6, 14].map(|constant| GPU.sets(constant));
    assert_eq!(sets, [false, false, true, true]);
    let scene = Scene::of(&[]);
    let mut target = Target::new(4, 3).unwrap();
    target.take_notes().unwrap();
    target.notes_mut().unwrap().watched = Some(4 + 2);
    scene.with_draw(|draw| GPU.draw(&mut target, draw, &mut Vec::new())).unwrap();
    let touch = target.notes().unwrap().touches[0].clone();
    let stimulus = scene.with_draw(|draw| FragmentPrograms::stimulus(&GPU, draw, &touch)).unwrap();
    let float = f32::to_bits;
    assert_eq!(stimulus.inputs, [[float(2.0), float(1.0), 0, 0], [0; 4], [0; 4]]);
    let attribute = [float(0.5), float(0.75), 0, 0];
    let corner = |x: f32, y: f32| [[float(x), float(y), float(1.0), 0], attribute, [0; 4]];
    let corners = [corner(0.0, 4.0), corner(0.0, 0.0), corner(4.0, 0.0)];
    assert_eq!((stimulus.constants.len(), &stimulus.constants[6..]), (15, corners.as_flattened()));
    assert_eq!(stimulus.constants[3], [float(1.0); 4]);
    let function = lowered(scene.fragment.as_ref().unwrap(), UNIT).function;
    let mut run = Evaluator::default();
    run.run(&function, &stimulus.inputs, &stimulus.constants, &NoTextures);
    assert_eq!(run.value(function.outputs[0].1), [0.5, 0.75, 1.0, 0.0].map(float));
    // Without a fragment program there is nothing to run.
    let none = Scene { fragment: None, ..Scene::of(&[]) };
    assert_eq!(none.with_draw(|draw| FragmentPrograms::stimulus(&GPU, draw, &touch)), None);
}
