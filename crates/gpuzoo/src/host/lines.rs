//! Lines by our rasterizer's rule: hosts have rules of their own for them, and draw rectangles instead.

use gpuzoo_machine::target::host::HostDraw;
use gpuzoo_raster::{GUARD_BAND, Interpolation, Placement, Rounding};
use std::fmt::Write;

/// The functions that do not depend on the draw.
const FUNCTIONS: &str = include_str!("lines.wgsl");

/// How many vertices the two triangles of a line's rectangle have.
pub const VERTICES: u32 = 6;

/// What the fragments' function begins with.
pub const TEST: &str = "    if !host_on_line(passed.position.xy, passed.line) {\n        discard;\n    }\n";

/// The functions, for both shaders.
pub fn functions(draw: &HostDraw) -> String {
    // A bit more than the machine's grid has, so that a pixel has a half.
    format!("\nconst HOST_ONE: i32 = {};\n{FUNCTIONS}", 2u32 << bits(draw))
}

fn bits(draw: &HostDraw) -> u32 {
    u32::from(draw.rules.snap.bits.min(gpuzoo_raster::MAX_SUB_PIXEL_BITS))
}

/// The body of the vertex shader, whose corner `number` belongs to; `varyings` are the expressions for the start's and the end's.
/// `viewport` has x, y, width and height.
pub fn vertex(draw: &HostDraw, viewport: [f32; 4], positions: [&str; 2], varyings: &[[String; 2]]) -> String {
    let [x, y, width, height] = viewport;
    let clip = draw.rules.clip;
    let grid = (1u32 << bits(draw)) as f32;
    let snapped = match (draw.rules.placement, draw.rules.snap.rounding) {
        // They were cut before they went to clip space.
        (Placement::Screen, _) | (_, Rounding::NearestEven) => "round(fine)",
        (_, Rounding::NearestAway) => "sign(fine) * floor(abs(fine) + 0.5)",
        (_, Rounding::Truncate) => "trunc(fine)",
        (_, Rounding::Floor) => "floor(fine)",
    };
    let mut text = String::new();
    let [start, end] = positions;
    let _ = write!(
        text,
        "    let whole_a = host_clip(host_position({start}));\n    let whole_b = host_clip(host_position({end}));\n    \
         var part = host_cut(vec2f(0.0, 1.0), whole_a.w - 1e-30, whole_b.w - 1e-30);\n"
    );
    let mut cut = |distance: &str| {
        let [a, b] = ["whole_a", "whole_b"].map(|whole| distance.replace("at", whole));
        let _ = writeln!(text, "    part = host_cut(part, {a}, {b});");
    };
    if clip.near {
        cut("at.z");
    }
    if clip.far {
        cut("at.w - at.z");
    }
    for (axis, size) in [("x", width), ("y", height)] {
        let guard = 2.0 * GUARD_BAND as f32 / size.max(1.0);
        cut(&format!("{guard:?} * at.w + at.{axis}"));
        cut(&format!("{guard:?} * at.w - at.{axis}"));
    }
    let _ = write!(
        text,
        "    let a = mix(whole_a, whole_b, part.x);
    let b = mix(whole_a, whole_b, part.y);
    let scale = vec2f({width:?}, {height:?});
    var fine = (vec2f(a.x, -a.y) / a.w * 0.5 + 0.5) * scale + vec2f({x:?}, {y:?});
    fine *= {grid:?};
    let fixed_a = vec2i({snapped}) * 2;
    fine = (vec2f(b.x, -b.y) / b.w * 0.5 + 0.5) * scale + vec2f({x:?}, {y:?});
    fine *= {grid:?};
    let fixed_b = vec2i({snapped}) * 2;
    passed.line = vec4i(fixed_a, fixed_b);
    let from_a = vec2f(fixed_a) / f32(HOST_ONE);
    let way = vec2f(fixed_b - fixed_a) / f32(HOST_ONE);
    let length = length(way);
    if part.x > part.y || length == 0.0 {{
        passed.position = vec4f(2.0, 2.0, 2.0, 1.0);
        return passed;
    }}
    // Two triangles, a pixel longer than the line on both ends, and wide enough for the centres of all its pixels.
    let corner = number % {VERTICES}u;
    let is_end = corner == 1u || corner == 4u || corner == 5u;
    let is_right = corner == 2u || corner == 3u || corner == 5u;
    let t = select(-1.0 / length, 1.0 + 1.0 / length, is_end);
    let side = vec2f(-way.y, way.x) / length * select(-1.5, 1.5, is_right);
    let inverse = vec2f(1.0 / a.w, 1.0 / b.w);
    let inverse_w = max(mix(inverse.x, inverse.y, t), 0.001 * min(inverse.x, inverse.y));
    let depth = clamp(mix(a.z * inverse.x, b.z * inverse.y, t), 0.0, 1.0);
    let place = (from_a + way * t + side - vec2f({x:?}, {y:?})) / scale * 2.0 - 1.0;
    passed.position = vec4f(place.x, -place.y, depth, 1.0) / inverse_w;
"
    );
    let share = match draw.rules.interpolation {
        Interpolation::Perspective => "t * inverse.y / inverse_w",
        Interpolation::Linear => "t",
    };
    let _ = writeln!(text, "    let share = mix(part.x, part.y, {share});");
    for (number, [start, end]) in varyings.iter().enumerate() {
        let _ = writeln!(
            text,
            "    passed.v{number} = mix(host_v{number}({start}), host_v{number}({end}), share);"
        );
    }
    text
}
