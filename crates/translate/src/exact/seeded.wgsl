// Reciprocals of the truncating family: a guess from a table and two steps of Newton's method, in integers of 64 bits.

// The lower 64 bits of a product.
fn mul64(a: vec2<u32>, b: u32) -> vec2<u32> {
    let low = mul_wide(a.x, b);
    return vec2<u32>(low.x, low.y + a.y * b);
}

// A guess: tables.rs has the tables, four guesses to a word.
fn seed(words: u32, index: u32) -> u32 {
    return (words >> ((index & 3u) << 3u)) & 0xffu;
}

// Zeros give infinity, infinities zero, NaN 0x7fffffff; others m 2^(e - 150), for m from 2^22 to 2^24.
fn seeded_ends(x: u32, e: i32, m: u32) -> u32 {
    let up = 1u - min(m >> 23u, 1u);
    let number = trunc_pack(0u, e - i32(up), m << up);
    let special = select(0u, 0x7fffffffu, x > 0x7f800000u);
    return select(select(number, special, x >= 0x7f800000u), 0x7f800000u, x < 0x800000u);
}

// 1 / m for m from 2^23 (not itself) to 2^24, in units of 2^-47.
fn reciprocal(m: u32) -> u32 {
    let t = seed(rcp_seeds(m >> 19u), m >> 17u);
    let u = mul_wide(0x80000000u - t * m, t);
    let v = (u.x >> 24u) | (u.y << 8u);
    let w = mul64(sub64(vec2<u32>(0u, 32u), mul_wide(v, m)), v);
    return (w.x >> 25u) | (w.y << 7u);
}

fn frcp_trunc(a: u32) -> u32 {
    let x = a & 0x7fffffffu;
    let m = (x & 0x7fffffu) | 0x800000u;
    let one = m == 0x800000u;
    let number = seeded_ends(x, 253 - i32(x >> 23u) + select(0, 1, one), select(reciprocal(m), 0x800000u, one));
    return select(number | (a & 0x80000000u), 0x7fffffffu, x > 0x7f800000u);
}

fn frcc_trunc(a: u32) -> u32 {
    let x = a & 0x7fffffffu;
    let bounded = clamp(frcp_trunc(x), 0x1f800000u, 0x5f800000u);
    return select(bounded | (a & 0x80000000u), 0x7fffffffu, x > 0x7f800000u);
}

fn frsq_trunc(a: u32) -> u32 {
    let x = a & 0x7fffffffu;
    // x = r 4^k with r from 1 to 4.
    let odd = (x >> 23u) & 1u;
    let r = ((x & 0x7fffffu) | 0x800000u) << (odd ^ 1u);
    let t = seed(rsq_seeds(x >> 19u), x >> 17u);
    let u = mul64(sub64(vec2<u32>(0u, 96u), mul_wide(t * t, r)), t).y;
    let v = mul64(sub64(vec2<u32>(0u, 0x60000u), mul_wide(u * u, r)), u);
    return seeded_ends(x, 126 + ((128 - i32(x >> 23u)) >> 1u), v.y >> 7u);
}
