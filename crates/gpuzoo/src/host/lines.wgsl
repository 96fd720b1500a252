// Lines as our rasterizer draws them. The host gets a rectangle around each, and every pixel of it is asked if the line leaves its
// diamond: `crates/raster/src/line.rs` has the rule. Ends are in fixed point, HOST_ONE to a pixel.

// The part of a line on the right side of a plane, from the distances of its ends: where it begins and ends, from 0 to 1.
fn host_cut(part: vec2f, start: f32, end: f32) -> vec2f {
    let meet = start / (start - end);
    var kept = part;
    if start < 0.0 {
        kept.x = max(kept.x, select(meet, 2.0, end < 0.0));
    }
    if end < 0.0 {
        kept.y = min(kept.y, meet);
    }
    return kept;
}

// The product of two integers as one of 64 bits, its upper half first.
fn host_product(a: i32, b: i32) -> vec2i {
    let x = bitcast<u32>(abs(a));
    let y = bitcast<u32>(abs(b));
    let low = (x & 0xffffu) * (y & 0xffffu);
    let left = (x >> 16u) * (y & 0xffffu);
    let right = (x & 0xffffu) * (y >> 16u);
    let middle = (low >> 16u) + (left & 0xffffu) + (right & 0xffffu);
    let high = (x >> 16u) * (y >> 16u) + (left >> 16u) + (right >> 16u) + (middle >> 16u);
    let product = vec2i(bitcast<i32>(high), bitcast<i32>((middle << 16u) | (low & 0xffffu)));
    return select(product, host_difference(vec2i(), product), (a < 0) != (b < 0));
}

fn host_difference(a: vec2i, b: vec2i) -> vec2i {
    let borrow = select(0, 1, bitcast<u32>(a.y) < bitcast<u32>(b.y));
    return vec2i(a.x - b.x - borrow, a.y - b.y);
}

fn host_in_diamond(end: vec2i, centre: vec2i) -> bool {
    return abs(end.x - centre.x) + abs(end.y - centre.y) < HOST_ONE / 2;
}

// True if a line colours a pixel.
fn host_on_line(place: vec2f, ends: vec4i) -> bool {
    let is_steep = abs(ends.w - ends.y) > abs(ends.z - ends.x);
    // The longer axis comes first.
    let start = select(ends.xy, ends.yx, is_steep);
    let end = select(ends.zw, ends.wz, is_steep);
    let pixel = vec2i(floor(place));
    let centre = select(pixel.xy, pixel.yx, is_steep) * HOST_ONE + HOST_ONE / 2;
    let length = end - start;
    if length.x == 0 {
        return false;
    }
    // How far the line, where it passes the centre, is below the pixel's upper edge: from nothing to less than a pixel.
    let rise = host_product((centre.x - start.x) * sign(length.x), length.y);
    let above = host_difference(rise, host_product(centre.y - HOST_ONE / 2 - start.y, abs(length.x)));
    let below = host_difference(above, host_product(HOST_ONE, abs(length.x)));
    // How far the centre is behind the start, and before the end.
    let behind = (centre.x - start.x) * sign(length.x);
    let before = (end.x - centre.x) * sign(length.x);
    let begun = behind >= 0 || host_in_diamond(start, centre);
    return above.x >= 0 && below.x < 0 && begun && before > 0 && !host_in_diamond(end, centre);
}
