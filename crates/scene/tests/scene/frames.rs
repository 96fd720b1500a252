//! Pictures that can be counted by hand.

use crate::common::{Files, load, scene};
use gpuzoo_raster::Image;

fn pixels(image: &Image) -> Vec<[u8; 4]> {
    image.pixels().to_vec()
}

const WHITE: [u8; 4] = [255; 4];
const BLACK: [u8; 4] = [0, 0, 0, 255];

#[test]
fn a_rectangle_covers_everything() {
    let scene = load(&scene()).clean();
    let frame = scene.frame(0).unwrap();
    assert_eq!(pixels(&frame.image), [WHITE; 16]);
    assert_eq!((frame.reports.len(), frame.reports[0].vertices, frame.reports[0].stats.written), (1, 4, 16));
    assert_eq!((scene.frame_count(), scene.size()), (1, (4, 4)));
}

#[test]
fn the_screen_is_the_machines_unless_a_size_is_given() {
    let scene = load(&scene().replace("size = [4, 4]\nclear", "clear")).clean();
    assert_eq!(scene.size(), (640, 480));
}

#[test]
fn a_texture_has_its_top_at_the_top() {
    let text = scene().replace(
        "mesh = \"quad\"\n",
        "mesh = \"quad\"\ntextures = [\"check\"]\nstate = { sampler0 = { filter = \"nearest\" } }\n",
    );
    let frame = load(&text).clean().frame(0).unwrap();
    let (w, b) = (WHITE, BLACK);
    assert_eq!(pixels(&frame.image), [w, w, b, b, w, w, b, b, b, b, w, w, b, b, w, w]);
}

#[test]
fn a_texture_has_the_colours_of_its_format() {
    let textured = scene()
        .replace(
            "pattern = \"checker\"\nsize = [4, 4]\ncells = 2",
            "pattern = \"solid\"\ncolor = \"#808080\"\nformat = \"RGB565\"",
        )
        .replace("mesh = \"quad\"\n", "mesh = \"quad\"\ntextures = [\"check\"]\n");
    let frame = load(&textured).clean().frame(0).unwrap();
    // 128/255 is 15.6/31 and 31.6/63: 16/31 is 131.6/255, 32/63 is 129.5/255.
    assert_eq!(frame.image.get(1, 1), Some([132, 130, 132, 255]));
    let frame = load(&textured.replace("RGB565", "RGBA8888")).clean().frame(0).unwrap();
    assert_eq!(frame.image.get(1, 1), Some([128, 128, 128, 255]));
}

#[test]
fn a_target_is_a_texture_of_later_draws() {
    let text = scene()
        .replace("[[draw]]", "[target.half]\nsize = [2, 2]\nclear = { color = \"#204060\" }\n\n[[draw]]")
        .replace(
            "mesh = \"quad\"\n",
            "mesh = \"quad\"\ntarget = \"half\"\nstate = { viewport = [0, 0, 1, 2] }\n",
        );
    let second = "\n[[draw]]\nprogram = \"copy\"\nmesh = \"quad\"\ntextures = [\"half\"]\n\
                  state = { sampler0 = { filter = \"nearest\" } }\n\
                  input = { in0 = \"position\", in1 = \"texcoord\", in2 = \"color\" }\n";
    let frame = load(&(text + second)).clean().frame(0).unwrap();
    // The left half was drawn white, the right half has the target's clear colour.
    let blue = [0x20, 0x40, 0x60, 255];
    assert_eq!(pixels(&frame.image), [WHITE, WHITE, blue, blue].repeat(4));
    assert_eq!(frame.reports.len(), 2);
}

#[test]
fn lines_follow_the_edges() {
    let frame = load(&scene().replace("mesh = \"quad\"\n", "mesh = \"quad\"\nwireframe = true\n"))
        .clean()
        .frame(0)
        .unwrap();
    // Five edges of two triangles, each twice as a vertex.
    assert_eq!((frame.reports[0].vertices, frame.reports[0].stats.primitives), (10, 5));
}

#[test]
fn depth_and_clear_and_draw_order() {
    let near = "\nstate = { depth_compare = \"less\", depth_write = true }\nmodel = [{ translate = [0, 0, 0.25] }]\n";
    let program = "ldc r4 0 ldc r5 1 ldc r6 2 ldc r7 3 ld r0 0 mulm r0 r4 st pos r0 ld r1 1 st tex r1 ld r2 2 st col r2 sub r2 r2 st ocol r2";
    let text = scene().replace(crate::common::COPY, program);
    let draw = |color: &str, depth: f64| {
        near.replace("0.25", &depth.to_string())
            + "constants = { c0 = { matrix = \"model\" } }\nprogram = \"copy\"\n"
            + &format!(
                "mesh = \"{color}\"\ninput = {{ in0 = \"position\", in1 = \"texcoord\", in2 = \"color\" }}\n"
            )
    };
    let (first, _) = text.split_once("[[draw]]").unwrap();
    let mesh = |name: &str, color: &str| {
        format!(
            "[mesh.{name}]\nposition = [[-1, 1], [-1, -1], [1, 1], [1, -1]]\ncolor = [{0}, {0}, {0}, {0}]\ntopology = \"triangle_strip\"\n",
            color
        )
    };
    let text = format!(
        "{first}{}{}[[draw]]{}[[draw]]{}",
        mesh("red", "[1, 0, 0]"),
        mesh("green", "[0, 1, 0]"),
        draw("red", 0.25),
        draw("green", 0.5)
    );
    let frame = load(&text).clean().frame(0).unwrap();
    // Green comes later but lies behind.
    assert_eq!(frame.image.get(2, 2), Some([255, 0, 0, 255]));
    assert_eq!(frame.reports[1].stats.depth_failed, 16);
    let behind = text.replace("clear = { color = [0, 0, 0] }", "clear = { color = [0, 0, 1], depth = 0.1 }");
    assert_eq!(load(&behind).clean().frame(0).unwrap().image.get(2, 2), Some([0, 0, 255, 255]));
}

#[test]
fn frames_move_and_repeat() {
    let text = scene()
        .replace("[program", "animation = { frames = 4, fps = 10 }\n[program")
        .replace(
            crate::common::COPY,
            "ld r0 0 ldc r3 0 add r0 r3 st pos r0 ld r1 1 st tex r1 ld r2 2 st col r2 sub r2 r2 st ocol r2",
        )
        .replace("mesh = \"quad\"\n", "mesh = \"quad\"\nconstants = { c0 = [\"2*t\", 0, 0, 0] }\n");
    let scene = load(&text).clean();
    assert_eq!((scene.frame_count(), scene.fps()), (4, 10));
    for (frame, black) in [(0, 0), (1, 1), (2, 2), (3, 3), (4, 0), (u32::MAX, 3)] {
        let image = scene.frame(frame).unwrap().image;
        let row: Vec<bool> = (0..4).map(|x| image.get(x, 0) == Some(BLACK)).collect();
        let expected: Vec<bool> = (0..4).map(|x| x < black).collect();
        assert_eq!(row, expected, "{frame}");
    }
}

#[test]
fn a_mesh_of_nan_is_reported_and_draws_nothing() {
    let text = scene()
        .replace("[[-1, 1], [-1, -1], [1, 1], [1, -1]]", "[[nan, nan], [nan, nan], [nan, nan], [nan, nan]]");
    let loaded = load(&text);
    assert_eq!(loaded.reported(), [("R0404", "[mesh.quad]")]);
    let frame = loaded.scene.unwrap().frame(0).unwrap();
    assert_eq!(pixels(&frame.image), [BLACK; 16]);
    assert_eq!(frame.reports[0].stats.invalid, 2);
}

#[test]
fn an_offset_and_a_stride_may_leave_gaps() {
    let text = scene().replace("in2 = {", "stride = 48\nin2 = { offset = 40,");
    let scene = load(&text).clean();
    assert_eq!(scene.draws()[0].layout.stride, 48);
    assert_eq!(scene.draws()[0].vertices.len(), 4 * 48);
    assert_eq!(scene.draws()[0].vertices[40..44], [255; 4]);
    assert_eq!(pixels(&scene.frame(0).unwrap().image), [WHITE; 16]);
}

#[test]
fn equal_vertices_are_one_unless_the_machine_reads_beyond_them() {
    // Inputs that nothing sets read four bytes from the beginning of a vertex.
    let (text, _) = scene().split_once("[draw.input]").map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
    for (stride, bytes, indices) in [(4, 4, [0, 0, 0, 0]), (2, 8, [0, 1, 2, 3])] {
        let scene = load(&format!("{text}[draw.input]\nstride = {stride}\n")).clean();
        assert_eq!((scene.draws()[0].vertices.len(), &scene.draws()[0].indices[..]), (bytes, &indices[..]));
        let report = &scene.frame(0).unwrap().reports[0];
        assert_eq!((report.vertices, report.runs), (4, bytes as u64 / stride));
    }
}

#[test]
fn programs_can_be_files() {
    let (before, after) = scene().split_once("source").map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
    let text = format!("{before}file = \"copy.vu\"\n{}", after.split_once('\n').unwrap().1);
    let files = Files::default().with("copy.vu", crate::common::COPY);
    assert_eq!(pixels(&files.load(&text).clean().frame(0).unwrap().image), [WHITE; 16]);
}
