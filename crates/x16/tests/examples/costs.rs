//! What the examples cost in CPU cycles, and the same without FX (`plain.s`). The pages in `docs` have these tables; a
//! page that says something else fails here.

use super::run::{Example, Scene};
use gpuzoo_x16::Limits;
use std::path::Path;

/// Cycles from the first time that the program is at one label to the next time at another. It starts at `start`.
fn cycles(example: &Example, start: &str, from: &str, to: &str) -> u64 {
    cycles_with(example, start, from, to, |_| {})
}

fn cycles_with(example: &Example, start: &str, from: &str, to: &str, set_up: impl FnOnce(&mut Scene)) -> u64 {
    let mut scene = Scene { machine: example.machine(), program: example.program.clone() };
    set_up(&mut scene);
    let machine = &mut scene.machine;
    machine.start_at(example.symbol(start));
    let mut until = |label: &str| {
        let address = example.symbol(label);
        for _ in 0..1_000_000 {
            if machine.cpu().pc == address {
                return machine.cycles();
            }
            assert_eq!(machine.step().ending, None, "before {label}");
        }
        panic!("never at {label}");
    };
    let begin = until(from);
    until(to) - begin
}

/// The filler in the state in which the routine `fill` of a program finds it: 100 lines from `left` to `left + 80`, and
/// both sides go to the right by half a pixel each line.
fn set_up_filler(scene: &mut Scene, control: u8, tile_base: u8, down: u8) {
    let two_bits = tile_base & 1 == 1;
    let step: u16 = if two_bits { 64 } else { 128 };
    let at = |x: u16| if two_bits { (x >> 1) as u8 } else { x as u8 };
    let vera = scene.machine.vera_mut();
    let [low, high] = step.to_le_bytes();
    let writes = [
        (0x05, 2 << 1),
        (0x09, control),
        (0x0a, tile_base),
        (0x0c, 0),
        (0x02, down),
        (0x05, 3 << 1 | 1),
        (0x02, 0x30),
        (0x09, low),
        (0x0a, high),
        (0x0b, low),
        (0x0c, high),
        (0x05, 4 << 1),
        (0x09, at(20)),
        (0x0a, 0),
        (0x0b, at(100)),
        (0x0c, 0),
    ];
    for (register, value) in writes {
        vera.write(register, value);
    }
    let lines = scene.symbol("lines");
    scene.machine.poke(lines, 100);
}

fn grouped(number: u64) -> String {
    if number < 1000 { number.to_string() } else { format!("{},{:03}", number / 1000, number % 1000) }
}

/// Each row must be in the page.
fn check(page: &str, rows: &[(&str, Option<u64>, u64)]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../gpus/vera/docs").join(page);
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let shown = |number: &Option<u64>| number.map_or("-".to_owned(), grouped);
    let rows =
        rows.iter().map(|(what, plain, fx)| format!("| {what} | {} | {} |", shown(plain), grouped(*fx)));
    let missing: Vec<String> = rows.filter(|row| !text.contains(row.as_str())).collect();
    assert!(missing.is_empty(), "{page} lacks\n{}", missing.join("\n"));
}

fn plain() -> Example {
    Example::assemble(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/examples/plain.s"))
}

#[test]
fn lines() {
    let (plain, lines) = (plain(), Example::shipped("lines"));
    // The first line: to the upper left corner, 160 pixels after the one in the middle.
    let first = cycles(&lines, "start", "pixel", "drawn");
    check(
        "lines.md",
        &[
            ("set up the helper", None, cycles(&lines, "start", "draw", "pixel")),
            ("slope by division", None, cycles(&lines, "start", "divide", "draw")),
            (
                "160 pixels, 100 of them a line further down",
                Some(cycles(&plain, "line", "line_pixel", "line_end")),
                first,
            ),
        ],
    );
}

#[test]
fn polygons() {
    let (plain, cube, two_bits) = (plain(), Example::shipped("cube"), Example::shipped("poly2bit"));
    let bytes = cycles_with(&cube, "fill", "fill", "filled", |scene| set_up_filler(scene, 0x42, 0, 0xe0));
    let pixels =
        cycles_with(&two_bits, "fill", "fill", "filled", |scene| set_up_filler(scene, 0x46, 1, 0xc0));
    check(
        "polygons.md",
        &[
            ("100 lines of 80 pixels", Some(cycles(&plain, "polygon", "polygon_line", "polygon_end")), bytes),
            ("the same with 2 bits per pixel", None, pixels),
            ("the cube, a frame", None, cycles(&cube, "start", "frame", "shown")),
            ("of that: clearing 61,440 bytes", None, cycles(&cube, "start", "clear", "cleared")),
            ("of that: the faces", None, cycles(&cube, "start", "faces", "shown")),
        ],
    );
}

#[test]
fn affine() {
    let (plain, rotozoom) = (plain(), Example::shipped("rotozoom"));
    check(
        "affine.md",
        &[
            (
                "160 pixels",
                Some(cycles(&plain, "affine", "affine_pixel", "affine_end")),
                cycles(&rotozoom, "start", "pixels", "pixels_end"),
            ),
            ("a line with its set-up", None, cycles(&rotozoom, "start", "line", "line_end")),
            ("a frame of 160 × 120", None, cycles(&rotozoom, "start", "frame", "shown")),
        ],
    );
}

#[test]
fn cache() {
    let (plain, fill, blit) = (plain(), Example::shipped("cachefill"), Example::shipped("blit"));
    check(
        "cache.md",
        &[
            (
                "9,600 bytes of a colour",
                Some(cycles(&plain, "fill", "fill_bytes", "fill_end")),
                cycles(&fill, "start", "fill", "filled"),
            ),
            (
                "16 pixels with transparent ones",
                Some(cycles_with(&plain, "blit", "blit_line", "blit_end", |scene| {
                    let vram = scene.machine.vera_mut().vram_mut();
                    (0x8000..0x8010).for_each(|at| vram[at] = (at & 1) as u8);
                })),
                cycles(&blit, "start", "copy", "copied"),
            ),
            ("a picture of 16 × 16", None, cycles(&blit, "start", "blit", "blitted")),
        ],
    );
}

#[test]
fn multiplier() {
    let (plain, rotozoom, torus) = (plain(), Example::shipped("rotozoom"), Example::shipped("rotate3d"));
    check(
        "multiplier.md",
        &[
            (
                "a product, with bringing and fetching",
                Some(cycles(&plain, "multiply", "multiply_begin", "multiply_end")),
                cycles(&rotozoom, "start", "times_zoom", "multiplied"),
            ),
            (
                "192 points, nine products and three sums each",
                None,
                cycles(&torus, "start", "sums", "summed"),
            ),
            ("reading the 576 sums, addresses and colours", None, cycles(&torus, "start", "place", "placed")),
            ("the torus, a frame without its drawing", None, cycles(&torus, "start", "frame", "ready")),
            ("taking 192 points away and drawing 192", None, cycles(&torus, "plot", "plot", "plotted")),
        ],
    );
}

/// What is compared with must do the same work.
#[test]
fn the_plain_routines_work() {
    let plain = plain();
    let run = |name: &str| {
        let mut scene = Scene { machine: plain.machine(), program: plain.program.clone() };
        scene.machine.start_at(plain.symbol(name));
        assert!(scene.machine.run(&Limits::default()).is_final(), "{name}");
        scene
    };
    let product = |scene: &Scene| [0, 1, 2, 3].map(|at| scene.machine.peek(scene.symbol("product") + at));
    assert_eq!(i32::from_le_bytes(product(&run("multiply"))), -12345 * 23456);

    let scene = run("fill");
    let filled = scene.machine.vera().vram()[..0x1_b000].iter().filter(|byte| **byte == 7).count();
    assert_eq!((filled, scene.machine.vera().vram()[9599]), (9600, 7));

    let scene = run("line");
    let vram = scene.machine.vera().vram();
    let line: Vec<usize> = (0..320 * 240).filter(|at| vram[*at] == 7).collect();
    assert_eq!(line.len(), 160);
    assert!(line.iter().all(|at| (at / 320 * 8).abs_diff(at % 320 * 5) <= 8));

    // Both sides move by half a pixel in a line.
    let scene = run("polygon");
    let vram = scene.machine.vera().vram();
    let inside = |at: usize| at / 320 < 100 && (20 + at / 640..100 + at / 640).contains(&(at % 320));
    assert!((0..320 * 240).all(|at| (vram[at] == 7) == inside(at)));

    // Map and tiles are zeros, so only their addresses count: 200/256 of a step, 160 times.
    let scene = run("affine");
    let at = |name: &str| u16::from(scene.machine.peek(scene.symbol(name) + 1));
    assert_eq!((at("x_at"), at("y_at")), (200 * 160 / 256, 200 * 160 / 256));
}
