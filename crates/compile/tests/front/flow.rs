//! Statements: known ones are followed, unknown ones become choices.

use super::{A, B, U, body, run, shader};
use gpuzoo_ir::{Inst, eval, vec4};

#[test]
fn loops_with_known_ends_are_unrolled() {
    let sum: [f32; 4] = std::array::from_fn(|at| (0..8).map(|row| U[row][at]).sum());
    assert_eq!(
        body("var s = vec4f(0.0); for (var i = 0; i < 8; i++) { s += u[i]; } return s;", &[A, B], &U),
        sum
    );
    assert_eq!(
        body(
            "var i = 0; loop { i += 3; if i > 10 { break; } continuing { i -= 1; break if i == 6; } } return vec4f(f32(i));",
            &[A, B],
            &U
        ),
        [6.0; 4]
    );
    let odd = "var s = 0.0; for (var i = 0; i < 9; i++) { if i % 2 == 0 { continue; } s += f32(i); } return vec4f(s);";
    assert_eq!(body(odd, &[A, B], &U), [16.0; 4]);
}

#[test]
fn unknown_conditions_become_choices() {
    for x in [-3.0, 0.0, 0.5, 4.0, 9.0] {
        let a = [x, 1.0, 2.0, 3.0];
        let nested = "var r = a; if a.x < 1.0 { r = b; if a.x < 0.0 { return vec4f(7.0); } r.x += 1.0; } else if a.x > 5.0 { r.y = 0.0; } return r * 2.0;";
        let expected = match x {
            x if x < 0.0 => [7.0; 4],
            x if x < 1.0 => [(B[0] + 1.0) * 2.0, B[1] * 2.0, B[2] * 2.0, B[3] * 2.0],
            x if x > 5.0 => [x * 2.0, 0.0, 4.0, 6.0],
            x => [x * 2.0, 2.0, 4.0, 6.0],
        };
        assert_eq!(body(nested, &[a, B], &U), expected, "{x}");
    }
}

#[test]
fn what_leaves_early_keeps_what_it_had() {
    // A counter stays known after a break that is not.
    for x in [0.0, 1.0, 2.5, 5.0] {
        let a = [x, 0.0, 0.0, 0.0];
        let text = "var s = 0.0; var n = 0; for (var i = 0; i < 4; i++) { if f32(i) >= a.x { break; } s += u[i].x; n = i; } return vec4f(s, f32(n), a.x, 1.0);";
        let (mut s, mut n) = (0.0, 0);
        for (i, row) in U.iter().enumerate().take(4) {
            if i as f32 >= x {
                break;
            }
            s += row[0];
            n = i;
        }
        assert_eq!(body(text, &[a, B], &U), [s, n as f32, x, 1.0], "{x}");
        // Breaks, continues and returns of the same loop, in all orders.
        let text = "var s = 0.0; for (var i = 0; i < 6; i++) { \
            if f32(i) == a.x + 1.0 { continue; } s += 1.0; if f32(i) > a.x + 2.0 { return vec4f(s, 1.0, f32(i), 0.0); } \
            if s > a.x + 3.0 { break; } s += 0.25; } return vec4f(s, 2.0, 0.0, 0.0);";
        let expected = || {
            let mut s = 0.0;
            for i in 0..6 {
                if i as f32 == x + 1.0 {
                    continue;
                }
                s += 1.0;
                if i as f32 > x + 2.0 {
                    return [s, 1.0, i as f32, 0.0];
                }
                if s > x + 3.0 {
                    break;
                }
                s += 0.25;
            }
            [s, 2.0, 0.0, 0.0]
        };
        assert_eq!(body(text, &[a, B], &U), expected(), "{x}");
    }
}

#[test]
fn switches_are_chains_of_choices() {
    let text = "var r = 0.0; switch i32(a.x) { case 1: { r = 10.0; } case 2, 3: { r = 20.0; if a.y > 0.0 { break; } r += 1.0; } \
        default: { r = 30.0; } case 5: { return vec4f(50.0); } } return vec4f(r, a.x, 0.0, 0.0);";
    for (x, y) in [(0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (3.0, 1.0), (4.0, 0.0), (5.0, 1.0)] {
        let r = match x as i32 {
            1 => 10.0,
            2 | 3 => {
                if y > 0.0 {
                    20.0
                } else {
                    21.0
                }
            }
            5 => {
                assert_eq!(body(text, &[[x, y, 0.0, 0.0], B], &U), [50.0; 4]);
                continue;
            }
            _ => 30.0,
        };
        assert_eq!(body(text, &[[x, y, 0.0, 0.0], B], &U), [r, x, 0.0, 0.0], "{x} {y}");
    }
}

#[test]
fn functions_are_entered_and_write_through_pointers() {
    let text = "fn swap(one: ptr<function, vec4f>, other: ptr<function, vec4f>) { let kept = *one; *one = *other; *other = kept; }\n\
        fn pick(x: f32) -> f32 { if x > 0.0 { return x; } return -x * 0.5; }\n\
        @vertex fn vs(@location(0) a: vec4f, @location(1) b: vec4f) -> @builtin(position) vec4f {\n\
        var p = a; var q = b; swap(&p, &q); return vec4f(p.x, q.x, pick(a.x), pick(a.y)); }";
    assert_eq!(run("f.wgsl", text, &[A, B], &[]), [B[0], A[0], A[0], 1.0]);
}

#[test]
fn fragments_are_killed_where_the_source_says() {
    let text = "@group(0) @binding(0) var t: texture_2d<f32>;\n@group(0) @binding(1) var s: sampler;\n\
        @fragment fn fs(@location(0) uv: vec2f, @location(1) c: vec4f) -> @location(0) vec4f {\n\
        for (var i = 0; i < 3; i++) { if c.x < f32(i) { if c.y > 0.0 { discard; } break; } }\n\
        return textureSample(t, s, uv) * c; }";
    let (shader, warnings) = shader("k.wgsl", text).unwrap();
    assert!(warnings.is_empty());
    assert!(shader.function.insts.iter().any(|inst| matches!(inst, Inst::Sample(0, _))));
    for (x, y) in [(-1.0, 1.0), (-1.0, -1.0), (0.5, 1.0), (1.5, 0.0), (5.0, 1.0)] {
        let inputs = [[0.0; 4], [x, y, 0.0, 1.0]].map(vec4);
        let mut run = eval::Run::default();
        run.run(&shader.function, &inputs, &[], &eval::NoTextures);
        assert_eq!(run.killed().is_some(), x < 2.0 && y > 0.0, "{x} {y}");
    }
}

#[test]
fn results_have_names_and_places() {
    let text = "@vertex fn vs(@location(0) a: vec4f) -> @builtin(position) vec4f {\n  let twice = a * 2.0;\n  return twice + 1.0;\n}";
    let (shader, _) = shader("n.wgsl", text).unwrap();
    let named: Vec<_> = shader.origins.iter().filter_map(|origin| origin.variable.as_deref()).collect();
    assert_eq!(named, ["twice"]);
    let of = |at: usize| shader.origin(shader.function.origins[at]).unwrap().span;
    let places: Vec<&str> = (0..shader.function.insts.len()).map(|at| &text[of(at).range()]).collect();
    assert!(places.contains(&"a * 2.0") && places.contains(&"twice + 1.0"), "{places:?}");
}

/// Blocks inside each other are no calls.
#[test]
fn a_call_may_stand_in_deep_blocks() {
    let text = format!(
        "fn f(x: f32) -> f32 {{ return x + 1.0; }}\n\
         @vertex fn vs(@location(0) a: vec4f) -> @builtin(position) vec4f {{ var s = a; {} s.x = f(s.x); {} return s; }}",
        "{".repeat(80),
        "}".repeat(80)
    );
    assert_eq!(run("deep.wgsl", &text, &[A], &[]), [A[0] + 1.0, A[1], A[2], A[3]]);
}

/// Of many exits, the first one that is taken counts, whether they are chosen from the first or from the last.
#[test]
fn many_breaks_and_returns() {
    for turns in [3, 16] {
        let text = format!(
            "var r = vec4f(); for (var i = 0; i < {turns}; i++) {{ if f32(i) >= a.x {{ break; }} r += u[i % 8]; }} return r;"
        );
        let early = format!(
            "var r = b; for (var i = 0; i < {turns}; i++) {{ if f32(i) >= a.x {{ return r * 2.0; }} r += u[i % 8]; }} return -r;"
        );
        for count in [0, 1, 2, 7, 20] {
            let runs = count.min(turns) as usize;
            let sum: [f32; 4] = std::array::from_fn(|at| (0..runs).map(|turn| U[turn % 8][at]).sum());
            let input = [count as f32, 0.0, 0.0, 0.0];
            assert_eq!(body(&text, &[input, B], &U), sum, "{turns} {count}");
            let all: [f32; 4] =
                std::array::from_fn(|at| (0..runs).fold(B[at], |sum, turn| sum + U[turn % 8][at]));
            let expected = all.map(|own| if count < turns { own * 2.0 } else { -own });
            assert_eq!(body(&early, &[input, B], &U), expected, "{turns} {count}");
        }
    }
}

/// What is flat in the source is interpolated: a warning says so, and an integer is the nearest one.
#[test]
fn varyings_are_interpolated() {
    let text = "@fragment fn fs(@location(0) @interpolate(flat) n: u32, @location(1) @interpolate(linear) x: f32, @location(2) y: f32)\n\
        -> @location(0) vec4f { return vec4f(f32(n), x, y, 1.0); }";
    let (shader, warnings) = crate::shader("f.wgsl", text).unwrap();
    let found: Vec<_> = warnings.iter().map(|own| (own.code.id, own.message.as_str())).collect();
    let expected = [
        ("K0114", "`n` is said to be flat, and is interpolated with perspective"),
        ("K0114", "`x` is said to be without perspective, and is interpolated with perspective"),
    ];
    assert_eq!(found, expected);
    let inputs = [[6.9999995, 0.0, 0.0, 1.0], [0.5; 4], [0.25; 4]].map(gpuzoo_ir::vec4);
    let outputs = gpuzoo_ir::eval::outputs(&shader.function, &inputs, &[]);
    assert_eq!(outputs[0].map(f32::from_bits), [7.0, 0.5, 0.25, 1.0]);
}
