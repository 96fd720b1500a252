//! The whole machine: jobs, scenes' draws, limits and recordings. Its cycles are in `cycles.rs`.

use gpuzoo_diag::{File, Severity};
use gpuzoo_isa::Program;
use gpuzoo_machine::limits::budget::{Budget, Resource};
use gpuzoo_machine::options::settings::{Table, Value};
use gpuzoo_machine::unit::cache::Cache;
use gpuzoo_machine::unit::draw::{Draw, DrawReport};
use gpuzoo_machine::unit::job::JobOptions;
use gpuzoo_machine::unit::layout::{Attribute, Layout};
use gpuzoo_machine::{FragmentPrograms, Gpu, Jobs, ShaderUnit};
use gpuzoo_picogpu::*;
use gpuzoo_raster::{Fill, Notes, Target, Topology, View};
use proptest::prelude::*;
use serde_json::{Value as Json, json};

pub const VERTEX: &str = "#vertexShader #input r0.xyzw #output r0.xyzw trap";
pub const FRAGMENT: &str = "#fragmentShader #input r0.xyzw #output r1.xyzw #uniform r2.xyzw mov r1 r2";

/// A job of triangles with corners (x, y, z), w = 1, in one colour.
pub fn job(width: u32, height: u32, corners: &[[f32; 3]]) -> Json {
    let data: Vec<String> = corners
        .iter()
        .flat_map(|[x, y, z]| [*x, *y, *z, 1.0])
        .map(|component| format!("{:08x}", component.to_bits()))
        .collect();
    json!({
        "width": width, "height": height, "clear_color": "00000000",
        "draws": [{
            "vs": VERTEX, "fs": FRAGMENT, "vertex_count": corners.len(), "vertex_data": data,
            "fs_uniforms": [["3f800000", "3f000000", "bf800000", "40000000"]],
        }],
    })
}

fn parse(job: &Json) -> (Option<Job>, Vec<String>) {
    let text = job.to_string();
    let (job, problems) = Job::parse(&File::new("job", &text));
    for problem in &problems {
        let span = problem.span().expect("a place");
        assert!(span.start <= span.end && span.end as usize <= text.len(), "{problem:?}");
    }
    (job, problems.iter().map(|problem| format!("{} {}", problem.code.id, problem.message)).collect())
}

pub fn run(job: &Json) -> Done {
    let (job, problems) = parse(job);
    job.unwrap_or_else(|| panic!("{problems:#?}")).run(None).unwrap()
}

fn covered(done: &Done) -> usize {
    done.picture.iter().filter(|pixel| **pixel != 0).count()
}

/// Clamped, times 255, truncated: 1 → 255, ½ → 127, −1 → 0, 2 → 255.
#[test]
fn colours_are_clamped_and_truncated() {
    let done = run(&job(4, 4, &[[0.0, 0.0, 1.0], [3.0, 0.0, 1.0], [0.0, 3.0, 1.0]]));
    assert_eq!(done.picture[0], 0xff00_7fff);
    assert_eq!(
        done.draws[0].triangles[0],
        TriangleReport { fragments: 10, written: 10, ..TriangleReport::default() }
    );
    // Both windings.
    assert_eq!(covered(&run(&job(4, 4, &[[0.0, 0.0, 1.0], [0.0, 3.0, 1.0], [3.0, 0.0, 1.0]]))), 10);
}

#[test]
fn triangles_without_area_flood() {
    let line = run(&job(10, 10, &[[2.0, 2.0, 1.0], [4.0, 4.0, 1.0], [3.0, 3.0, 1.0]]));
    assert_eq!((covered(&line), line.draws[0].triangles[0].unbounded), (10, true));
    assert_eq!(covered(&run(&job(10, 10, &[[2.5, 2.0, 1.0]; 3]))), 100);
    let unknown = run(&job(10, 10, &[[f32::NAN, 2.0, 1.0], [1.0, 9.0, 1.0], [9.0, 9.0, 1.0]]));
    assert_eq!((covered(&unknown), unknown.draws[0].triangles[0].unbounded), (100, true));
}

#[test]
fn a_w_of_zero_stops_the_machine() {
    let mut record = job(8, 8, &[[0.0, 0.0, 1.0], [7.0, 0.0, 1.0], [0.0, 7.0, 1.0]].repeat(2));
    record["draws"][0]["vertex_data"][4 * 4 + 3] = "80000000".into();
    let error = parse(&record).0.unwrap().run(None).unwrap_err();
    assert_eq!(error.to_string(), "Homogeneous coordinate is 0 in triangle 1");
    // For the command line there is no picture.
    let text = record.to_string();
    let (done, problems) = GPU.run(&File::new("job", &text), &JobOptions::default());
    assert_eq!((done.is_none(), problems[0].code.id), (true, "P0306"));
}

#[test]
fn vertices_that_are_left_over_are_dropped() {
    let corners = [[0.0, 0.0, 1.0], [3.0, 0.0, 1.0], [0.0, 3.0, 1.0], [9.0; 3], [9.0; 3]];
    assert_eq!(run(&job(4, 4, &corners)).draws[0].triangles.len(), 1);
}

/// NaN passes, equal fails; what passes is stored.
#[test]
fn depth_test() {
    let triangle = [[0.0, 0.0, 2.0], [3.0, 0.0, 2.0], [0.0, 3.0, 2.0]];
    let mut corners = triangle.repeat(2);
    corners.extend(triangle.map(|[x, y, _]| [x, y, 1.0]));
    corners.extend(triangle.map(|[x, y, _]| [x, y, f32::NAN]));
    let mut record = job(4, 4, &corners);
    record["depth"] = true.into();
    record["clear_depth"] = "40400000".into();
    let done = run(&record);
    let written: Vec<u64> = done.draws[0].triangles.iter().map(|triangle| triangle.written).collect();
    assert_eq!(written, [10, 0, 10, 10]);
    let depths = done.depths.unwrap();
    assert!(f32::from_bits(depths[0]).is_nan() && depths[15] == 0x4040_0000);
}

#[test]
fn the_conventional_rule_draws_shared_edges_once() {
    let square = [[1.0, 1.0], [6.0, 1.0], [6.0, 6.0], [1.0, 1.0], [6.0, 6.0], [1.0, 6.0]];
    let mut record = job(8, 8, &square.map(|[x, y]| [x, y, 1.0]));
    let fragments = |record: &Json| -> u64 {
        run(record).draws[0].triangles.iter().map(|triangle| triangle.fragments).sum()
    };
    // 6 × 6 pixels and the diagonal again.
    assert_eq!(fragments(&record), 36 + 6);
    record["fill"] = "top-left".into();
    assert_eq!(fragments(&record), 25);
}

#[test]
fn memory_and_vertices_have_limits_that_can_be_lifted() {
    let triangle = [[0.0, 0.0, 1.0], [3.0, 0.0, 1.0], [0.0, 3.0, 1.0]];
    let mut large = job(200, 105, &triangle);
    assert!(parse(&large).1[0].starts_with("P0303 this needs 210"), "{:?}", parse(&large).1);
    large["no_limits"] = true.into();
    assert_eq!(covered(&run(&large)), 10);
    let mut many = job(4, 4, &triangle.repeat(86));
    assert!(parse(&many).1[0].starts_with("P0305 a draw of 258 vertices"));
    many["no_limits"] = true.into();
    assert_eq!(run(&many).draws[0].triangles.len(), 86);
    many["draws"][0]["vertex_data"].as_array_mut().unwrap().pop();
    assert!(parse(&many).1[0].starts_with("P0304 258 vertices of 4 components are 1032 words"));
}

/// A picture of 100 × 100 with depths leaves 1,000 dwords (spec section 9): 951 are needed (33 and 6 for the programs), then 1,023.
#[test]
fn a_picture_with_depths_leaves_a_thousand_dwords() {
    for (triangles, needed, problems) in
        [(76, 20_951, &[][..]), (82, 21_023, &["P0303 this needs 21023 dwords of memory, there are 21000"])]
    {
        let mut record = job(100, 100, &[[0.0; 3]; 3].repeat(triangles));
        record["depth"] = true.into();
        let (job, found) = parse(&record);
        assert_eq!(found, problems);
        assert_eq!(job.map_or(needed, |job| job.memory_dwords()), needed);
    }
}

#[test]
fn what_lies_beyond_the_memory_is_counted() {
    let mut device = Device::new(&Options::default()).unwrap();
    device.write(4 * 20_998, &[1, 2, 3, 4]).unwrap();
    assert_eq!(device.memory.faults(), Faults { reads: 0, writes: 2, first: Some(84_000) });
    assert_eq!(device.read(4 * 20_999, 2).unwrap(), [2, 0]);
    assert_eq!(device.memory.faults().reads, 1);
    assert_eq!(device.fill(0, 65_536, 0), Err(DeviceError::Blit(65_536)));
    assert_eq!(device.draw(None).err(), Some(DeviceError::Framebuffer(0, 0)));
    (device.pins.width, device.pins.height) = (4, 4);
    // Zeros are a store command of a vertex program.
    assert_eq!(device.draw(None).err(), Some(DeviceError::Stage(gpuzoo_isa::Stage::Fragment)));
    for (stage, name) in [(gpuzoo_isa::Stage::Vertex, "vertex"), (gpuzoo_isa::Stage::Fragment, "fragment")] {
        assert_eq!(
            DeviceError::Stage(stage).to_string(),
            format!("the {name} program is for the other stage")
        );
    }
    device.pins.vertices_count = 256;
    assert_eq!(device.draw(None).err(), Some(DeviceError::Vertices(256)));
}

#[test]
fn a_job_without_draws_is_reported() {
    for draws in [None, Some(json!([]))] {
        let mut record = job(4, 4, &[]);
        record.as_object_mut().unwrap().remove("draws");
        draws.into_iter().for_each(|draws| record["draws"] = draws);
        let (job, problems) = Job::parse(&File::new("job", &record.to_string()));
        assert!(job.is_some_and(|job| job.draws.is_empty()));
        assert_eq!(problems.iter().map(|problem| problem.code.id).collect::<Vec<_>>(), ["P0310"]);
    }
    // A value that is not a list has its own error.
    let problems = Job::parse(&File::new("job", r#"{"width": 4, "height": 4, "draws": 3}"#)).1;
    assert_eq!(problems.iter().map(|problem| problem.code.id).collect::<Vec<_>>(), ["R0102"]);
}

#[test]
fn pins_must_say_what_programs_say() {
    let dwords = |text| program_dwords(&assemble(&File::new("t", text), DOCUMENT).program);
    let mut device = Device::new(&Options::default()).unwrap();
    device.write(0, &dwords(VERTEX)).unwrap();
    device.write(400, &dwords(FRAGMENT)).unwrap();
    device.pins = Pins { width: 4, height: 4, fragment_shader: 400, framebuffer: 4000, ..Pins::default() };
    let error = device.draw(None).unwrap_err();
    assert_eq!(error.to_string(), "pin GLOBAL.vsCustomInputComponents is 0x00, the program needs 0xfd");
    device.pins.vertex_inputs = 0xfd;
    assert_eq!(device.draw(None).unwrap_err(), DeviceError::Pin("GLOBAL.vsPsCustomComponents", 0, 0xfc));
    (device.pins.attributes, device.pins.vertex_uniforms) = (0xfc, 0xfc);
    assert_eq!(device.draw(None).unwrap_err(), DeviceError::Pin("FS.uniforms", 0, 0xfd));
    device.pins.fragment_uniforms = 0xfd;
    assert_eq!(device.draw(None).unwrap().triangles, []);
}

/// A picture may be one pixel wide, or one pixel high.
#[test]
fn narrow_pictures_are_drawn() {
    for (width, height) in [(1, 3), (3, 1), (1, 1)] {
        let done = run(&job(width, height, &[[-9.0, -9.0, 1.0], [30.0, -9.0, 1.0], [-9.0, 30.0, 1.0]]));
        assert_eq!(covered(&done), (width * height) as usize, "{width} {height}");
    }
}

/// A pixel has four bytes of color and four of depth, in the machine's memory and as it is shown.
#[test]
fn a_pixel_takes_sixteen_bytes() {
    let text = job(64, 32, &[[0.0, 0.0, 1.0], [3.0, 0.0, 1.0], [0.0, 3.0, 1.0]]).to_string();
    let budget = Budget::default().with(Resource::Memory, 1);
    let (done, problems) = GPU.run(&File::new("job", &text), &JobOptions { budget, ..JobOptions::default() });
    assert!(done.is_none());
    // 64 × 32 × 16
    assert!(problems[0].message.contains("32 KiB wanted"), "{}", problems[0].message);
}

/// A picture of 16 pixels, and the ten fragments in it.
#[test]
fn pixels_and_fragments_are_spent() {
    let text = job(4, 4, &[[0.0, 0.0, 1.0], [3.0, 0.0, 1.0], [0.0, 3.0, 1.0]]).to_string();
    let used = |pixels: u64| {
        let budget = Budget::default().with(Resource::Pixels, pixels);
        let options = JobOptions { budget, ..JobOptions::default() };
        let (done, problems) = GPU.run(&File::new("job", &text), &options);
        (
            done.is_some(),
            problems.first().map(|problem| problem.code.id),
            pixels - options.budget.left(Resource::Pixels),
        )
    };
    assert_eq!(used(1000), (true, None, 26));
    // The rows and columns of the triangle do not fit.
    assert_eq!(used(25), (false, Some("R0703"), 16));
}

#[test]
fn notes_show_triangles_batches_and_lanes() {
    let job = parse(&job(16, 16, &[[0.0, 0.0, 1.0], [15.0, 0.0, 1.0], [0.0, 15.0, 1.0]])).0.unwrap();
    let mut notes = Notes::new(256).unwrap();
    notes.watched = Some(17);
    job.run(Some(Recording { notes: Some(&mut notes), timeline: false })).unwrap();
    let note = |x: usize, y: usize| notes.pixels[y * 16 + x];
    assert_eq!((note(0, 0).batch, note(0, 0).lane, note(0, 0).primitive), (1, 1, 1));
    assert_eq!((note(0, 0).fragments, note(0, 0).written), (1, 1));
    // The first row has 16, the second 15 pixels; the third begins with the 32nd fragment.
    assert_eq!((note(0, 2).batch, note(0, 2).lane), (1, 32));
    assert_eq!((note(1, 2).batch, note(1, 2).lane), (2, 1));
    assert_eq!((notes.primitives, notes.batches, notes.touches.len()), (1, 136_u32.div_ceil(32), 1));
}

#[test]
fn recordings_are_vcd_that_can_be_read() {
    let job = parse(&job(8, 8, &[[0.0, 0.0, 1.0], [7.0, 0.0, 1.0], [0.0, 7.0, 1.0]])).0.unwrap();
    let done = job.run(Some(Recording { notes: None, timeline: true })).unwrap();
    let timeline = done.timeline.as_ref().unwrap();
    let mut bytes = Vec::new();
    write_vcd(timeline, &VcdOptions { threads: 2, ..VcdOptions::default() }, &mut bytes).unwrap();
    let mut parser = vcd::Parser::new(bytes.as_slice());
    let header = parser.parse_header().unwrap();
    assert_eq!(header.timescale, Some((1, vcd::TimescaleUnit::NS)));
    let var = |path: &[&str]| header.find_var(path).unwrap_or_else(|| panic!("{path:?}")).code;
    let merger = var(&["picogpu", "output_merger_busy"]);
    let pc = var(&["picogpu", "unit0", "pc"]);
    let colour = var(&["picogpu", "unit0", "thread1", "r1_y"]);
    let (mut now, mut busy, mut counters, mut green, mut last) = (0, 0, Vec::new(), Vec::new(), 0);
    for command in parser {
        match command.unwrap() {
            vcd::Command::Timestamp(time) => {
                assert!(time >= now);
                now = time;
            }
            vcd::Command::ChangeScalar(id, vcd::Value::V1) if id == merger => busy += 1,
            vcd::Command::ChangeScalar(id, vcd::Value::V0) if id == merger => last = now,
            vcd::Command::ChangeVector(id, value) if id == pc => counters.push((now, bits(&value))),
            vcd::Command::ChangeVector(id, value) if id == colour => green.push((now, bits(&value))),
            _ => {}
        }
    }
    // 36 fragments are two batches; the merger ends with the draw.
    assert_eq!((busy, last), (2, done.cycles));
    let fragment = timeline.runs.iter().find(|run| run.stage == gpuzoo_isa::Stage::Fragment).unwrap();
    let instructions = timeline.programs[fragment.program].steps.len();
    assert_eq!(fragment.inputs.len(), 32);
    let own: Vec<_> =
        counters.iter().filter(|(time, _)| *time >= fragment.start).take(instructions).collect();
    assert_eq!(own.len(), instructions);
    assert!(
        own.iter()
            .enumerate()
            .all(|(at, (time, pc))| *pc as usize == at && *time == fragment.start + at as u64)
    );
    // What an instruction writes is there in the cycle after it.
    let program = assemble(&File::new("t", FRAGMENT), DOCUMENT).program;
    let moves = |slot: &gpuzoo_isa::Slot| slot.inst.as_ref().is_some_and(|inst| inst.op.name == "mov");
    let own_move = program.slots.iter().rposition(moves).unwrap() as u64;
    let first = green.iter().find(|(_, value)| *value == 0x3f00_0000);
    assert_eq!(first, Some(&(fragment.start + own_move + 1, 0x3f00_0000)));
    // A file that is cut off says so and can be read, too.
    let mut short = Vec::new();
    write_vcd(timeline, &VcdOptions { threads: 32, changes: 100 }, &mut short).unwrap();
    assert!(String::from_utf8(short.clone()).unwrap().contains("cut off"));
    assert!(vcd::Parser::new(short.as_slice()).all(|command| command.is_ok()));
}

fn bits(value: &vcd::Vector) -> u32 {
    value.iter().fold(0, |bits, bit| bits << 1 | u32::from(bit == vcd::Value::V1))
}

#[test]
fn what_is_wrong_with_a_job_is_found() {
    let good = job(4, 4, &[[0.0; 3]; 3]);
    let found = |change: fn(&mut Json)| {
        let mut record = good.clone();
        change(&mut record);
        parse(&record).1
    };
    assert_eq!(found(|_| {}), [""; 0]);
    assert_eq!(found(|job| job["widht"] = 3.into()), ["R0101 there is no setting `widht` here"]);
    assert_eq!(found(|job| job["width"] = 0.into()), ["R0105 `width` is 0"]);
    assert_eq!(found(|job| job["width"] = "4".into()), ["R0102 `width` must be an integer"]);
    assert_eq!(found(|job| job["clear_color"] = "+1".into()), ["P0302 `+1` is not a word"]);
    assert_eq!(found(|job| job["fill"] = "round".into()), ["R0103 `fill` cannot be `round`"]);
    assert_eq!(found(|job| job["draws"] = 3.into()), ["R0102 `draws` must be a list of draws"]);
    let problem = found(|job| job["draws"][0]["vs"] = "mov".into());
    assert!(problem[0].starts_with("A0111"), "{problem:?}");
    assert_eq!(
        found(|job| job["draws"][0]["fs_uniforms"] = json!([["00000000"]])),
        ["P0304 the program's uniforms have [4] components, these have [1]"]
    );
    assert_eq!(
        found(|job| job["draws"][0]["fs"] = VERTEX.into()),
        ["P0212 the program is for the other stage"]
    );
    for text in [
        "",
        "[",
        "{",
        "{\"a\":}",
        "{\"a\":1,}",
        "[1]",
        "{} x",
        "{\"a\":1,\"a\":2}",
        "{\"a\":\"\\q\"}",
        "{\"a\":nul}",
        "{\"é",
    ] {
        let (job, problems) = Job::parse(&File::new("job", text));
        assert!(job.is_none());
        let code = if text == "[1]" { "R0102" } else { "G0204" };
        assert_eq!(problems[0].code.id, code, "{text}");
    }
    let deep = format!("{{\"a\":{}", "[".repeat(100_000));
    assert_eq!(Job::parse(&File::new("job", &deep)).1[0].code.id, "G0204");
}

const TRIANGLE: [[f32; 4]; 3] = [[0.0, 0.0, 0.5, 1.0], [3.0, 0.0, 0.5, 1.0], [0.0, 3.0, 0.5, 1.0]];

/// A scene's draw of [`TRIANGLE`].
fn scene(
    target: &mut Target,
    topology: Topology,
    fragment: Option<&Program>,
    state: &Table,
) -> (DrawReport, Vec<String>) {
    scene_of(&TRIANGLE, target, topology, fragment, state)
}

/// A scene's draw of triangles whose vertices have x, y, z, w.
pub fn scene_of(
    corners: &[[f32; 4]],
    target: &mut Target,
    topology: Topology,
    fragment: Option<&Program>,
    state: &Table,
) -> (DrawReport, Vec<String>) {
    let vertex = assemble(&File::new("v", VERTEX), DOCUMENT).program;
    let bytes: Vec<u8> = corners.iter().flatten().flat_map(|component| component.to_le_bytes()).collect();
    let format = GPU.about().vertex_formats.iter().find(|format| format.name == "float4").unwrap();
    let layout = Layout { stride: 16, attributes: vec![Attribute { input: 0, offset: 0, format }] };
    let mut uniforms = vec![[0; 4]; 6];
    uniforms[3] = [0x3f80_0000; 4];
    let draw = Draw {
        vertex: &vertex,
        fragment,
        profile: DOCUMENT,
        vertices: &bytes,
        layout: &layout,
        indices: None,
        topology,
        constants: &[],
        fragment_constants: &uniforms,
        carried: &[],
        textures: &[],
        state,
        cache: &Cache::default(),
        budget: &Budget::default(),
    };
    let mut problems = Vec::new();
    let report = GPU.draw(target, &draw, &mut problems).unwrap();
    if let Some(touch) = target.notes().and_then(|notes| notes.touches.first()) {
        let session = GPU.session(target, &draw, touch).unwrap().unwrap();
        assert_eq!(session.steps().last().unwrap().changes[0].after, [0x3f00_0000; 4], "the depth");
    }
    (report, problems.iter().map(|problem| problem.code.id.to_owned()).collect())
}

#[test]
fn draws_of_scenes() {
    let fragment = assemble(&File::new("f", FRAGMENT), DOCUMENT).program;
    let mut target = Target::new(4, 4).unwrap();
    target.take_notes().unwrap();
    target.notes_mut().unwrap().watched = Some(5);
    let plain = Table::of(&[]);
    let (report, problems) = scene(&mut target, Topology::TriangleList, Some(&fragment), &plain);
    assert_eq!(problems, [""; 0]);
    assert_eq!((report.vertices, report.stats.fragments, report.stats.written), (3, 10, 10));
    assert!(report.cost > 400, "{}", report.cost);
    assert_eq!(target.color().get(1, 1), Some([255; 4]));
    assert_eq!(target.depth().get(1, 1), Some(1.0));
    assert!(View::Lane.picture(&target).unwrap().is_some());
    let tested = Table::of(&[("depth_test", Value::Bool(true)), ("fill", Value::Text("top-left".into()))]);
    let mut target = Target::new(4, 4).unwrap();
    let (report, _) = scene(&mut target, Topology::TriangleList, Some(&fragment), &tested);
    assert_eq!((report.stats.fragments, target.depth().get(1, 1)), (6, Some(0.5)));
    let codes =
        |target: &mut Target, topology, fragment, state: &Table| scene(target, topology, fragment, state).1;
    assert_eq!(codes(&mut target, Topology::TriangleList, None, &plain), ["P0308"]);
    assert_eq!(codes(&mut target, Topology::LineList, Some(&fragment), &plain), ["P0309"]);
    let wrong = Table::of(&[("depth", Value::Bool(true))]);
    assert_eq!(codes(&mut target, Topology::TriangleList, Some(&fragment), &wrong), ["R0101"]);
    let mut large = Target::new(150, 150).unwrap();
    assert_eq!(codes(&mut large, Topology::TriangleList, Some(&fragment), &plain), ["P0303"]);
    let unlimited = Table::of(&[("no_limits", Value::Bool(true))]);
    assert_eq!(codes(&mut large, Topology::TriangleList, Some(&fragment), &unlimited), [""; 0]);
}

#[test]
fn draws_tell_of_triangles_that_flood_and_of_machines_that_stop() {
    let fragment = assemble(&File::new("f", FRAGMENT), DOCUMENT).program;
    let found = |corners: [[f32; 4]; 3], state: &Table| {
        let mut target = Target::new(4, 4).unwrap();
        let (report, problems) =
            scene_of(&corners, &mut target, Topology::TriangleList, Some(&fragment), state);
        (report.stats.fragments, problems)
    };
    let line = [[0.0, 0.0, 0.5, 1.0], [1.0, 1.0, 0.5, 1.0], [0.5, 0.5, 0.5, 1.0]];
    assert_eq!(found(line, &Table::of(&[])), (4, vec!["P0307".to_owned()]));
    assert_eq!(found(line, &Table::of(&[("fill", Value::Text("top-left".into()))])), (0, vec![]));
    let mut zero = TRIANGLE;
    zero[1][3] = 0.0;
    assert_eq!(found(zero, &Table::of(&[])), (0, vec!["P0306".to_owned()]));
    // The triangle before it was drawn.
    let mut target = Target::new(4, 4).unwrap();
    let both = [TRIANGLE, zero].concat();
    let (_, problems) =
        scene_of(&both, &mut target, Topology::TriangleList, Some(&fragment), &Table::of(&[]));
    assert_eq!(problems, ["P0306"]);
    assert_eq!((target.color().get(0, 0), target.color().get(3, 3)), (Some([255; 4]), Some([0; 4])));
}

/// Attributes are divided by z; what has none is not.
#[test]
fn attributes_at_depth_0_are_reported() {
    let found = |z: f32, vertex: &str, fragment: &str| {
        let mut record = job(4, 4, &[[0.0, 0.0, 1.0], [3.0, 0.0, z], [0.0, 3.0, 1.0]]);
        (record["draws"][0]["vs"], record["draws"][0]["fs"]) = (vertex.into(), fragment.into());
        let (done, problems) = GPU.run(&File::new("job", &record.to_string()), &JobOptions::default());
        let codes: Vec<&str> = problems.iter().map(|problem| problem.code.id).collect();
        (done.unwrap().target.color().get(1, 1).unwrap()[0], codes.contains(&"P0311"))
    };
    let vertex = "#vertexShader #input r0.xyzw #output r0.xyzw #output r1.x finit r1.x 1.0";
    let fragment = "#fragmentShader #input r0.xyzw #input r1.x #output r2.xyzw #uniform r3.xyzw mov r2 r1";
    assert_eq!(found(1.0, vertex, fragment), (255, false));
    assert_eq!(found(0.0, vertex, fragment), (0, true));
    assert_eq!(found(0.0, VERTEX, FRAGMENT), (255, false));
}

/// `fmad` is `fcross2` to the reference's assembler, so the pictures differ.
#[test]
fn the_profile_asked_for_reads_the_programs() {
    let mut record = job(4, 4, &[[0.0, 0.0, 1.0], [3.0, 0.0, 1.0], [0.0, 3.0, 1.0]]);
    record["draws"][0]["fs"] = FRAGMENT.replace("mov r1 r2", "fmad r1 r2 r2 r2").into();
    let pixel = |record: &Json, profile| {
        let text = record.to_string();
        let options = JobOptions { profile, ..JobOptions::default() };
        let (done, problems) = GPU.run(&File::new("job", &text), &options);
        assert!(problems.iter().all(|problem| problem.severity != Severity::Error), "{problems:?}");
        done.unwrap().target.color().get(0, 0)
    };
    let (document, asked) = (pixel(&record, None), pixel(&record, Some(UNIT)));
    // 1 × 1 + 1, ½ × ½ + ½, −1 × −1 − 1, 2 × 2 + 2.
    assert_eq!(document, Some([255, 191, 0, 255]));
    assert_ne!(asked, document);
    record["profile"] = "unit".into();
    assert_eq!((pixel(&record, None), pixel(&record, Some(DOCUMENT))), (asked, document));
}

/// `vs_dwords` holds dwords, and `vs` a text.
#[test]
fn programs_are_read_as_their_key_says() {
    let mut record = job(4, 4, &[]);
    record["draws"][0]["vs_dwords"] = VERTEX.into();
    assert_eq!(parse(&record).1, ["R0102 `vs_dwords` must be a list of words"]);
    let mut record = job(4, 4, &[]);
    record["draws"][0]["vs"] = json!(["0000001f"]);
    assert_eq!(parse(&record).1, ["R0102 `vs` must be a text"]);
}

fn any_json() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        any::<i64>().prop_map(Json::from),
        any::<f32>().prop_map(|number| Json::from(f64::from(number))),
        "[0-9a-f]{0,9}".prop_map(Json::from),
        Just(Json::from(VERTEX)),
        Just(Json::from(FRAGMENT)),
        prop::collection::vec(any::<u32>().prop_map(|word| Json::from(format!("{word:08x}"))), 0..9)
            .prop_map(Json::from),
    ];
    let keys = prop::sample::select(vec!["draws", "vs", "fs", "vs_dwords", "width", "x"]);
    leaf.prop_recursive(3, 16, 4, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Json::from),
            prop::collection::vec((keys.clone(), inner), 0..4).prop_map(|members| members
                .into_iter()
                .map(|(key, value)| (key.to_owned(), value))
                .collect()),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    /// Any job gets an answer.
    #[test]
    fn random_jobs_never_panic(
        changes in prop::collection::vec((0..14usize, any_json()), 0..3),
        size in [1..60u32, 1..60u32],
        words in prop::collection::vec(any::<u32>(), 24),
        cut in any::<prop::sample::Index>(),
    ) {
        let mut record = job(size[0], size[1], &[[0.0; 3]; 6]);
        let words: Vec<String> = words.into_iter().map(|word| format!("{word:08x}")).collect();
        record["draws"][0]["vertex_data"] = words.into();
        let keys = ["width", "height", "depth", "clear_color", "clear_depth", "profile", "fill"];
        let inner = ["vs", "fs", "vs_dwords", "fs_dwords", "vertex_count", "vertex_data", "fs_uniforms"];
        for (at, value) in changes {
            match keys.get(at) {
                Some(key) => record[*key] = value,
                None => record["draws"][0][inner[at - keys.len()]] = value,
            }
        }
        if let (Some(job), _) = parse(&record) {
            // Other sizes take long.
            if job.width.max(job.height) <= 64 {
                let _ = job.run(None);
            }
        }
        let text = record.to_string();
        let mut end = cut.index(text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let _ = Job::parse(&File::new("job", &text[..end]));
    }
}

#[test]
fn fill_rules_have_names() {
    let mut record = job(4, 4, &[]);
    assert_eq!(parse(&record).0.unwrap().fill, Fill::Inclusive);
    for (name, fill) in [("inclusive", Fill::Inclusive), ("top-left", Fill::TopLeft)] {
        record["fill"] = name.into();
        assert_eq!(parse(&record).0.unwrap().fill, fill);
    }
    record["fill"] = "top".into();
    assert_eq!(parse(&record).1, ["R0103 `fill` cannot be `top`"]);
}
