//! Single runs of jobs, and what is said of their draws.

use crate::pipeline::{FRAGMENT, job, run, scene_of};
use gpuzoo_diag::File;
use gpuzoo_machine::Jobs;
use gpuzoo_machine::options::settings::{Table, Value};
use gpuzoo_machine::unit::job::{JobOptions, PixelRuns};
use gpuzoo_picogpu::*;
use gpuzoo_raster::{Target, Topology};
use serde_json::{Value as Json, json};

fn file(record: &Json) -> File {
    File::new("job", &record.to_string())
}

fn pick(record: &Json, pixel: (u32, u32)) -> PixelRuns {
    let (picked, problems) = GPU.pick(&file(record), &JobOptions::default(), pixel);
    picked.unwrap_or_else(|| panic!("{problems:#?}"))
}

/// Three draws of a triangle each in a picture that is wider than high: the first at the left, the second over all, the third over
/// nothing.
fn three_draws() -> Json {
    let left = [[0.0, 0.0, 1.0], [2.0, 0.0, 1.0], [0.0, 2.0, 1.0]];
    let mut record = job(8, 4, &left);
    let whole = job(8, 4, &[[-20.0, -20.0, 2.0], [60.0, -20.0, 2.0], [-20.0, 60.0, 2.0]])["draws"][0].clone();
    let beside = job(8, 4, &[[-9.0, 0.0, 3.0], [-5.0, 0.0, 3.0], [-9.0, 3.0, 3.0]])["draws"][0].clone();
    record["draws"].as_array_mut().unwrap().extend([whole, beside]);
    record
}

/// Every fragment that met a pixel, with the runs of its program and of its corners; none where there is no pixel.
#[test]
fn a_pixels_fragments_have_their_runs() {
    let record = three_draws();
    for (x, y, draws) in
        [(0, 0, &[0, 1][..]), (1, 1, &[0, 1]), (2, 1, &[1]), (7, 3, &[1]), (0, 3, &[1]), (3, 0, &[1])]
    {
        let picked = pick(&record, (x, y));
        assert_eq!(
            picked.fragments.iter().map(|fragment| fragment.draw).collect::<Vec<_>>(),
            draws,
            "{x} {y}"
        );
        for met in &picked.fragments {
            let touch = &met.touch;
            let pixel = &touch.invocations[touch.lane];
            assert_eq!((pixel.x, pixel.y, touch.corners), (x, y, [0, 1, 2]));
            // The uniform is the colour, and depths are the corners' own.
            let changes = |at: usize| met.fragment.as_ref().unwrap().steps()[at].changes.clone();
            let last = met.fragment.as_ref().unwrap().steps().len() - 1;
            assert_eq!(changes(last - 1)[0].after, [0x3f80_0000, 0x3f00_0000, 0xbf80_0000, 0x4000_0000]);
            assert_eq!(changes(last)[0].after, [(met.draw as f32 + 1.0).to_bits(); 4], "the depth");
        }
        assert_eq!(picked.image.get(2, 0), Some([255, 127, 0, 255]));
    }
    for outside in [(8, 0), (0, 4), (8, 4), (u32::MAX, u32::MAX), (0, u32::MAX)] {
        assert_eq!(pick(&record, outside).fragments.len(), 0, "{outside:?}");
    }
    // The vertex program of each corner: all three of them, in their order.
    let mut record = job(
        4,
        4,
        &[
            [-9.0, 0.0, 1.0],
            [-5.0, 0.0, 1.0],
            [-9.0, 3.0, 1.0],
            [0.0, 0.0, 1.0],
            [3.0, 0.0, 2.0],
            [0.0, 3.0, 4.0],
        ],
    );
    record["draws"][0]["vs"] = "#vertexShader #input r0.xyzw #output r0.xyzw fadd r1 r0 r0".into();
    let picked = pick(&record, (0, 0));
    let z =
        picked.fragments[0].vertices.each_ref().map(|run| run.steps().last().unwrap().changes[0].after[2]);
    assert_eq!((picked.fragments[0].touch.corners, z), ([3, 4, 5], [2.0, 4.0, 8.0].map(f32::to_bits)));
    // A machine that stops has none.
    record["draws"][0]["vertex_data"][4 * 4 + 3] = "00000000".into();
    let (picked, problems) = GPU.pick(&file(&record), &JobOptions::default(), (0, 0));
    assert_eq!((picked.is_none(), problems.last().unwrap().code.id), (true, "P0306"));
}

/// They are counted through the draws.
#[test]
fn a_vertex_of_a_job_has_its_run() {
    let mut record = three_draws();
    for draw in record["draws"].as_array_mut().unwrap() {
        draw["vs"] = "#vertexShader #input r0.xyzw #output r0.xyzw #uniform r1.x fadd r2.x r0 r1".into();
        draw["vs_uniforms"] = json!([["3f000000"]]);
    }
    let vertex = |number: usize| GPU.vertex(&file(&record), &JobOptions::default(), number).0.unwrap();
    let x = [0.0, 2.0, 0.0, -20.0, 60.0, -20.0, -9.0, -5.0, -9.0];
    for (number, x) in x.into_iter().enumerate() {
        let run = vertex(number).unwrap();
        assert_eq!(f32::from_bits(run.steps().last().unwrap().changes[0].after[0]), x + 0.5, "{number}");
    }
    for number in [9, 10, usize::MAX] {
        assert_eq!(vertex(number).err(), Some(9));
    }
}

fn problems(record: &Json) -> Vec<String> {
    let (_, problems) = Job::parse(&file(record));
    problems.into_iter().map(|problem| format!("{} {}", problem.code.id, problem.message)).collect()
}

/// Section 9: the pin that counts vertices has 8 bits. Jobs and scenes report it alike.
#[test]
fn a_draw_has_up_to_255_vertices() {
    let triangle = [[0.0, 0.0, 0.5, 1.0], [3.0, 0.0, 0.5, 1.0], [0.0, 3.0, 0.5, 1.0]];
    let fragment = assemble(&File::new("f", FRAGMENT), DOCUMENT).program;
    for (count, allowed) in [(254, true), (255, true), (256, false), (258, false)] {
        let expected = format!("P0305 a draw of {count} vertices; the machine counts up to 255");
        let expected = if allowed { vec![] } else { vec![expected] };
        let corners: Vec<[f32; 4]> = triangle.iter().cycle().take(count).copied().collect();
        let thrown: Vec<[f32; 3]> = corners.iter().map(|[x, y, z, _]| [*x, *y, *z]).collect();
        let mut record = job(4, 4, &thrown);
        assert_eq!(problems(&record), expected);
        record["no_limits"] = true.into();
        assert_eq!(run(&record).draws[0].triangles.len(), count / 3);
        for no_limits in [false, true] {
            let state = Table::of(&[("no_limits", Value::Bool(no_limits))]);
            let mut target = Target::new(4, 4).unwrap();
            let (report, codes) =
                scene_of(&corners, &mut target, Topology::TriangleList, Some(&fragment), &state);
            let drawn = allowed || no_limits;
            assert_eq!(codes, if drawn { vec![] } else { vec!["P0305"] });
            assert_eq!(report.vertices, if drawn { count as u64 } else { 0 });
        }
    }
}

/// What is suspicious about a program is said once, however many draws use it; of one that is wrong, only what is wrong.
#[test]
fn programs_of_several_draws_are_looked_at_once() {
    let mut record = three_draws();
    let suspicious = FRAGMENT.replace("mov r1 r2", "mov r1 r2 fdiv r1 r1 0.0");
    for draw in record["draws"].as_array_mut().unwrap() {
        draw["fs"] = suspicious.clone().into();
    }
    let found = problems(&record);
    assert_eq!(found, ["P0204 `fdiv` divides by zero"]);
    record["draws"][2]["fs"] = FRAGMENT.replace("mov r1 r2", "mov r1 r2 fdiv r1 r1 -0.0").into();
    assert_eq!(problems(&record), [&*found[0]; 2]);
    record["draws"][0]["fs"] = suspicious.replace("#fragmentShader", "").into();
    record["draws"].as_array_mut().unwrap().truncate(1);
    let found = problems(&record);
    assert!(found.iter().all(|problem| !problem.starts_with("P02")) && !found.is_empty(), "{found:?}");
}

/// One fragment is enough for a warning of a corner at depth 0, and one that nobody sees is none.
#[test]
fn a_corner_at_depth_0_is_told_of_if_there_are_fragments() {
    let told = |corners: [[f32; 3]; 3]| {
        let mut record = job(4, 4, &corners);
        record["draws"][0]["vs"] =
            "#vertexShader #input r0.xyzw #output r0.xyzw #output r1.x finit r1.x 1.0".into();
        record["draws"][0]["fs"] =
            "#fragmentShader #input r0.xyzw #input r1.x #output r2.xyzw #uniform r3.xyzw mov r2 r1".into();
        let (done, problems) = GPU.run(&file(&record), &JobOptions::default());
        let messages = problems.into_iter().filter(|problem| problem.code.id == "P0311");
        (
            done.unwrap().reports.iter().map(|report| report.stats.fragments).sum::<u64>(),
            messages.map(|problem| problem.message).collect::<Vec<_>>(),
        )
    };
    let one = "1 triangle with a corner whose z is 0".to_owned();
    // Around the pixel (1, 1) alone, around two, and left of the picture.
    assert_eq!(told([[0.75, 0.75, 0.0], [1.5, 0.75, 1.0], [0.75, 1.5, 1.0]]), (1, vec![one.clone()]));
    assert_eq!(told([[0.75, 0.75, 1.0], [4.0, 0.75, -0.0], [0.75, 1.25, 1.0]]), (2, vec![one]));
    assert_eq!(told([[-3.0, 0.75, 0.0], [-2.0, 0.75, 1.0], [-3.0, 1.5, 1.0]]), (0, vec![]));
    assert_eq!(told([[0.75, 0.75, 1.0], [1.5, 0.75, 1.0], [0.75, 1.5, 1e-30]]), (1, vec![]));
}
