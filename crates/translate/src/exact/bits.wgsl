// Integers of 64 bits, as pairs of words: x is the lower one. Booleans are combined by & and |, which have no branches.

fn add64(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let low = a.x + b.x;
    return vec2<u32>(low, a.y + b.y + select(0u, 1u, low < a.x));
}

fn sub64(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return vec2<u32>(a.x - b.x, a.y - b.y - select(0u, 1u, a.x < b.x));
}

fn less64(a: vec2<u32>, b: vec2<u32>) -> bool {
    return (a.y < b.y) | ((a.y == b.y) & (a.x < b.x));
}

fn same64(a: vec2<u32>, b: vec2<u32>) -> bool {
    return ((a.x ^ b.x) | (a.y ^ b.y)) == 0u;
}

// For counts from 0 to 63. What leaves a word is shifted in two steps, since no word can be shifted by 32.
fn left64(a: vec2<u32>, count: u32) -> vec2<u32> {
    let step = count & 31u;
    let low = a.x << step;
    let high = (a.y << step) | ((a.x >> 1u) >> (31u - step));
    return select(vec2<u32>(low, high), vec2<u32>(0u, low), count >= 32u);
}

// For counts from 0 to 63.
fn right64(a: vec2<u32>, count: u32) -> vec2<u32> {
    let step = count & 31u;
    let high = a.y >> step;
    let low = (a.x >> step) | ((a.y << 1u) << (31u - step));
    return select(vec2<u32>(low, high), vec2<u32>(high, 0u), count >= 32u);
}

// Shifted right; the lowest bit tells if a bit that is set was lost (J. R. Hauser's "jamming" of SoftFloat).
fn jam64(a: vec2<u32>, count: u32) -> vec2<u32> {
    let kept = right64(a, count);
    let lost = !same64(left64(kept, count), a);
    return vec2<u32>(kept.x | select(0u, 1u, lost), kept.y);
}

// The same of a word, for counts from 0 to 31.
fn jam32(a: u32, count: u32) -> u32 {
    let kept = a >> count;
    return kept | select(0u, 1u, (kept << count) != a);
}

// Zeros above the highest bit that is set; 31 for 0. A binary search, since not every target has an instruction for it.
fn leading_zeros(a: u32) -> u32 {
    let s4 = select(0u, 16u, a < 0x10000u);
    let a4 = a << s4;
    let s3 = select(0u, 8u, a4 < 0x1000000u);
    let a3 = a4 << s3;
    let s2 = select(0u, 4u, a3 < 0x10000000u);
    let a2 = a3 << s2;
    let s1 = select(0u, 2u, a2 < 0x40000000u);
    let a1 = a2 << s1;
    return (s4 | s3 | s2 | s1) + (1u - (a1 >> 31u));
}

// 63 for 0.
fn leading_zeros64(a: vec2<u32>) -> u32 {
    let low = a.y == 0u;
    return leading_zeros(select(a.y, a.x, low)) + select(0u, 32u, low);
}

// All 64 bits of a product, from products of halves.
fn mul_wide(a: u32, b: u32) -> vec2<u32> {
    let al = a & 0xffffu;
    let ah = a >> 16u;
    let bl = b & 0xffffu;
    let bh = b >> 16u;
    let middle = ah * bl + ((al * bl) >> 16u);
    let cross = al * bh + (middle & 0xffffu);
    return vec2<u32>(a * b, ah * bh + (middle >> 16u) + (cross >> 16u));
}

// Below zero as a number: -0 and NaN are not.
fn below_zero(a: u32) -> bool {
    return (a > 0x80000000u) & (a <= 0xff800000u);
}
