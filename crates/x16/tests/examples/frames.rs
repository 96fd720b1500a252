//! The examples of `examples/vera`: each is assembled and run, breaks no lint, shows its golden picture (`frames`), and has in
//! video memory what plain arithmetic says.

use super::run::{Example, Scene};
use gpuzoo_golden::{blesses, frames};
use gpuzoo_vera::{HEIGHT, WIDTH};
use gpuzoo_x16::Limits;
use std::f64::consts::TAU;
use std::path::Path;

/// The examples and the frames to look at, as `gpuzoo render --frame` counts them.
const EXAMPLES: &[(&str, u64)] = &[
    ("lines", 5),
    ("cachefill", 5),
    ("cube", 14),
    ("rotozoom", 14),
    ("blit", 5),
    ("rotate3d", 34),
    ("poly2bit", 5),
    ("tune", 5),
];

fn scene(name: &str) -> Scene {
    let frame = EXAMPLES.iter().find(|(own, _)| *own == name).map(|(_, frame)| *frame);
    Example::shipped(name).show(frame.expect("an example"))
}

/// The picture as a PNG with a palette: the examples have few colours.
fn png(picture: &[[u8; 4]]) -> Vec<u8> {
    let mut colors: Vec<[u8; 4]> = picture.to_vec();
    colors.sort_unstable();
    colors.dedup();
    assert!(colors.len() <= 256);
    let index = |color: &[u8; 4]| colors.binary_search(color).expect("it was put there") as u8;
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, WIDTH as u32, HEIGHT as u32);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    encoder.set_filter(png::Filter::NoFilter);
    encoder.set_palette(colors.iter().flat_map(|color| color[..3].to_vec()).collect::<Vec<u8>>());
    let mut writer = encoder.write_header().expect("a header");
    writer.write_image_data(&picture.iter().map(index).collect::<Vec<u8>>()).expect("pixels");
    writer.finish().expect("an end");
    bytes
}

#[test]
fn pictures_are_the_golden_ones_and_no_lint_speaks() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/frames");
    let mut wrong = Vec::new();
    for (name, _) in EXAMPLES {
        let scene = scene(name);
        let findings = scene.machine.findings();
        assert!(findings.is_empty(), "{name}: {findings:?}");
        let picture = scene.machine.vera().picture();
        let size = (WIDTH as u32, HEIGHT as u32);
        let same =
            frames::compare(&folder, name, size, picture.as_flattened(), || Ok(png(picture)), blesses());
        wrong.extend(same.err());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let names: Vec<String> = EXAMPLES.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(frames::strays(&folder, &names), Ok(()));
}

/// Names that an example does not define itself are not only ours: `vera.inc` has the same.
#[test]
fn the_include_file_has_the_names_that_we_predefine() {
    let text = std::fs::read_to_string(Example::folder().join("vera.inc")).expect("vera.inc");
    let mut count = 0;
    for line in text.lines().filter(|line| !line.starts_with(';') && !line.is_empty()) {
        let (name, value) = line.split_once(" = $").expect("a definition");
        let value = u16::from_str_radix(value, 16).expect("an address");
        let known = gpuzoo_vera::Register::find(name).map(|register| register.address());
        let known = known.or(match name {
            "VERA_ADDR_L" => Some(0x9f20),
            "VERA_ADDR_M" => Some(0x9f21),
            "VERA_ADDR_H" => Some(0x9f22),
            _ => None,
        });
        assert_eq!(known, Some(value), "{name}");
        count += 1;
    }
    assert_eq!(count, gpuzoo_vera::REGISTERS.len());
}

/// Each line has one pixel for each step along its longer side, next to where the true line is; the slope is cut off at
/// 1/512, and the last pixel has the line's colour.
#[test]
fn lines_follow_their_ends() {
    let scene = scene("lines");
    let vram = scene.machine.vera().vram();
    let ends = (0..16).map(|i| (i * 20, 0));
    let ends = ends.chain((0..12).map(|i| (319, i * 20))).chain((0..16).map(|i| (319 - i * 20, 239)));
    let ends: Vec<(i32, i32)> = ends.chain((0..12).map(|i| (0, 239 - i * 20))).collect();
    for (number, &(x, y)) in ends.iter().enumerate() {
        let color = 1 + (number / 4) as u8;
        let (dx, dy) = (x - 160, y - 120);
        let long = dx.abs().max(dy.abs());
        // Near the middle the lines hide each other.
        for step in 70..=long {
            let along = |distance: i32| f64::from(step * distance) / f64::from(long);
            let near: Vec<(i32, i32)> = (-1..=1)
                .map(|off| {
                    let minor = |distance: i32| along(distance).round() as i32 + off;
                    if dx.abs() >= dy.abs() {
                        (step * dx.signum(), minor(dy))
                    } else {
                        (minor(dx), step * dy.signum())
                    }
                })
                .filter(|(x, y)| (-160..160).contains(x) && (-120..120).contains(y))
                .filter(|(x, y)| vram[((y + 120) * 320 + x + 160) as usize] == color)
                .collect();
            let [(x, y)] = near[..] else { panic!("line {number}, step {step}: {near:?}") };
            let off = (f64::from(x) - along(dx)).abs().max((f64::from(y) - along(dy)).abs());
            assert!(off <= 0.5 + f64::from(step) / 512.0, "line {number}, step {step}: {off}");
        }
    }
}

#[test]
fn fills_have_their_patterns() {
    let scene = scene("cachefill");
    let vram = scene.machine.vera().vram();
    let (first, second) = ([2, 3, 3, 4, 4, 5, 5, 6], [2, 2, 3, 3, 4, 4, 5, 5]);
    for (y, x) in (0..240).flat_map(|y| (0..320).map(move |x| (y, x))) {
        let band = y / 30;
        let pattern = if x % 2 == 0 { first[band] } else { second[band] };
        let expected = if y % 30 == 0 || x % 32 == 0 { 1 } else { pattern };
        assert_eq!(vram[y * 320 + x], expected, "{x}, {y}");
    }
}

#[test]
fn balls_lie_over_each_other_and_over_the_background() {
    let scene = scene("blit");
    let image = |x: usize, y: usize| scene.byte("ball", y * 20 + x);
    let mut expected: Vec<u8> = (0..240 * 320)
        .map(|at| {
            let stripe = (at / 320 / 16) as u8;
            stripe + u8::from(at % 4 != 3)
        })
        .collect();
    for number in 0..43 {
        let wave = ((number * 8) as f64 * TAU / 256.0).sin() * 16384.0;
        let wave = (wave.round() as i32) >> 8;
        for top in [112 + wave, 112 - wave] {
            for (y, x) in (0..16).flat_map(|y| (0..16).map(move |x| (y, x))) {
                if image(x, y) != 0 {
                    expected[(top as usize + y) * 320 + number * 7 + x] = image(x, y);
                }
            }
        }
    }
    assert!(scene.machine.vera().vram()[..expected.len()] == expected);
}

/// Each pixel is a texel at, or within a texel of, where the turned plane has it. Most are the very one: steps are cut
/// off at 1/256 texel, which after 80 of them is a third of a texel.
#[test]
fn the_plane_is_turned_and_zoomed() {
    let scene = scene("rotozoom");
    let vera = scene.machine.vera();
    let shown = usize::from(vera.peek(0x0f) & 0xfc) << 9;
    // The frame on the screen was drawn in the one before.
    let number = f64::from(scene.zero_page("angle").wrapping_sub(1));
    let phase = f64::from(scene.zero_page("phase").wrapping_sub(2));
    let zoom = 1.0 - 0.75 * (phase * TAU / 256.0).cos();
    let (sine, cosine) = (number * TAU / 256.0).sin_cos();
    let texel = |x: f64, y: f64| {
        let (x, y) = ((x.floor() as i64 & 255) as usize, (y.floor() as i64 & 255) as usize);
        let (column, row) = (x / 8, y / 8);
        let odd = (column ^ row) & 1;
        let tile = odd + 2 * (odd ^ (row >> 1 & 1));
        scene.byte("tiles", tile * 64 + y % 8 * 8 + x % 8)
    };
    let mut exact = 0;
    for (row, column) in (0..120).flat_map(|y| (0..160).map(move |x| (y, x))) {
        let (dx, dy) = (f64::from(column) - 80.0, f64::from(row) - 60.0);
        let x = 128.0 + zoom * (dx * cosine - dy * sine);
        let y = 128.0 + zoom * (dx * sine + dy * cosine);
        let got = vera.vram()[shown + row as usize * 320 + column as usize];
        let around = [-1.0, 0.0, 1.0];
        let near = around.iter().any(|a| around.iter().any(|b| texel(x + a, y + b) == got));
        assert!(near, "{column}, {row}");
        exact += usize::from(texel(x, y) == got);
    }
    assert!(exact > 19200 * 85 / 100, "{exact} of 19200");
}

/// The matrix of a rotation by a about y, then by b about x: where the axes point.
fn axes(a: u8, b: u8) -> [[f64; 3]; 3] {
    let ((sa, ca), (sb, cb)) =
        ((f64::from(a) * TAU / 256.0).sin_cos(), (f64::from(b) * TAU / 256.0).sin_cos());
    [[ca, sa * sb, -sa * cb], [0.0, cb, sb], [sa, -ca * sb, ca * cb]]
}

fn turned(axes: &[[f64; 3]; 3], point: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|part| (0..3).map(|axis| point[axis] * axes[axis][part]).sum())
}

#[test]
fn points_are_turned() {
    let scene = scene("rotate3d");
    let vram = scene.machine.vera().vram();
    let turn = scene.symbol("turn");
    let angle = |index: u16, step: u8| scene.machine.peek(turn + index).wrapping_sub(step);
    let axes = axes(angle(1, 1), angle(2, 2));
    let mut colored = 0;
    for index in 0..192 {
        let point = ["point_x", "point_y", "point_z"].map(|name| f64::from(scene.byte(name, index) as i8));
        let [x, y, z] = turned(&axes, point);
        let (x, y) = (160.0 + x, 120.0 - y);
        let near = (1 + (z + 96.0) as i32 / 16).clamp(1, 12);
        let color = |x: i32, y: i32| i32::from(vram[(y * 320 + x) as usize]);
        let around = (-1..=1).flat_map(|b| (-1..=1).map(move |a| (a, b)));
        let here: Vec<i32> = around
            .map(|(a, b)| color(x.floor() as i32 + a, y.floor() as i32 + b))
            .filter(|color| *color != 0)
            .collect();
        assert!(!here.is_empty(), "point {index} at {x}, {y}");
        colored += usize::from(here.iter().any(|color| (color - near).abs() <= 1));
    }
    // Some lie behind others.
    assert!(colored >= 180, "{colored} points have their colour");
    let drawn = (0..320 * 240).filter(|at| vram[*at] != 0).count();
    assert!((300..=384).contains(&drawn), "{drawn} pixels of 192 points");
}

/// A polygon's corners against the clock, y downwards.
struct Polygon {
    corners: Vec<[f64; 2]>,
    color: u8,
}

impl Polygon {
    /// How far inside its sides a point is, in pixels; below 0 outside.
    fn depth(&self, x: f64, y: f64) -> f64 {
        let next = self.corners.iter().cycle().skip(1);
        let sides = self.corners.iter().zip(next).filter(|(from, to)| from != to);
        let depths = sides.map(|(from, to)| {
            let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
            (dy * (x - from[0]) - dx * (y - from[1])) / dx.hypot(dy)
        });
        depths.fold(f64::INFINITY, f64::min)
    }
}

/// Every pixel that is not closer than `unsure` to a side has the colour of the last polygon around it.
fn check_painted(polygons: &[Polygon], unsure: f64, pixel: impl Fn(usize, usize) -> u8, lines: usize) {
    let mut sure = 0;
    for (y, x) in (0..lines).flat_map(|y| (0..256).map(move |x| (y, x))) {
        let depths: Vec<f64> = polygons.iter().map(|own| own.depth(x as f64 + 0.5, y as f64 + 0.5)).collect();
        if depths.iter().any(|depth| depth.abs() < unsure) {
            continue;
        }
        let around = depths.iter().rposition(|depth| *depth > 0.0);
        let expected = around.map_or(0, |index| polygons[index].color);
        assert_eq!(pixel(x, y), expected, "{x}, {y}");
        sure += 1;
    }
    assert!(sure > lines * 256 * 9 / 10, "{sure} pixels are sure");
}

#[test]
fn the_cube_is_a_cube_without_gaps() {
    let mut scene = scene("cube");
    let mut seen = 0;
    // 40 frames apart, so that all faces come by.
    for _ in 0..8 {
        seen |= check_cube(&scene);
        scene.machine.run(&Limits::frames(40));
    }
    assert_eq!(seen, 0b11_1111);
}

/// Checks the cube on the screen; returns a bit for each face that is seen.
fn check_cube(scene: &Scene) -> u8 {
    let vera = scene.machine.vera();
    let shown = usize::from(vera.peek(0x0f) & 0xfc) << 9;
    let turn = scene.symbol("turn");
    // The frame on the screen was drawn in the one before.
    let angle = |index: u16, step: u8| scene.machine.peek(turn + index).wrapping_sub(step);
    let axes = axes(angle(1, 2), angle(2, 1));
    let screen = |corner: u8| {
        let point = [0, 1, 2].map(|bit| if corner >> bit & 1 == 1 { 4096.0 } else { -4096.0 });
        let [x, y, z] = turned(&axes, point);
        let scale = 220.0 / (18432.0 - z);
        [128.0 + x * scale, 96.0 - y * scale]
    };
    let faces = [[1, 3, 7, 5], [2, 6, 7, 3], [4, 5, 7, 6], [0, 4, 6, 2], [0, 1, 5, 4], [0, 2, 3, 1]];
    let (mut polygons, mut seen) = (Vec::new(), 0);
    for (number, corners) in faces.into_iter().enumerate() {
        let facing = axes[number % 3][2] * if number < 3 { 1.0 } else { -1.0 };
        if facing > 4096.0 / 18432.0 {
            let shade = ((facing * 16.0) as u8).min(15);
            polygons
                .push(Polygon { corners: corners.map(screen).to_vec(), color: shade << 4 | number as u8 });
            seen |= 1 << number;
        }
    }
    // Corners are whole pixels, rounded down: that is 1 off at most, and what is between two corners is less than 1.5
    // off.
    let pixel = |x: usize, y: usize| vera.vram()[shown + y * 320 + 32 + x];
    check_painted(&polygons, 1.5, pixel, 192);
    let inside = |x: f64, y: f64| polygons.iter().any(|own| own.depth(x, y) > 0.0);
    for (y, x) in (3..189).flat_map(|y| (3..253).map(move |x| (y, x))) {
        let corners = [(-2.0, -2.0), (-2.0, 3.0), (3.0, -2.0), (3.0, 3.0)];
        if corners.iter().all(|(a, b)| inside(x as f64 + a, y as f64 + b)) {
            assert_ne!(pixel(x, y), 0, "a gap at {x}, {y}");
        }
    }
    seen
}

#[test]
fn pixels_of_two_bits_are_where_they_should_be() {
    let scene = scene("poly2bit");
    let corner = |index: usize| {
        let number = usize::from(scene.byte("corners", index));
        ["screen_x", "screen_y"].map(|name| f64::from(scene.byte(name, number)))
    };
    let polygons: Vec<Polygon> = [1, 2, 0, 3, 3]
        .iter()
        .enumerate()
        .map(|(index, color)| Polygon {
            corners: (index * 4..index * 4 + 4).map(corner).collect(),
            color: *color,
        })
        .collect();
    let vram = scene.machine.vera().vram();
    let pixel = |x: usize, y: usize| vram[y * 80 + (x + 32) / 4] >> (6 - 2 * (x % 4)) & 3;
    // Slopes are rounded to 1/512 half byte: half of that in each half line is 1/256 pixel in a line, 0.82 after 211 of
    // them.
    check_painted(&polygons, 0.9, pixel, 240);
    let others = (0..240).flat_map(|y| (0..80).map(move |byte| (y, byte)));
    assert!(others.filter(|(_, byte)| !(8..72).contains(byte)).all(|(y, byte)| vram[y * 80 + byte] == 0));
}
