// Reciprocals of the truncating family: a guess from a table and two steps of Newton's method, in integers of 64 bits.

// The lower 64 bits of a product.
fn mul64(a: vec2<u32>, b: u32) -> vec2<u32> {
    let low = mul_wide(a.x, b);
    return vec2<u32>(low.x, low.y + a.y * b);
}

// The number of a guess's place in a table: four of them are in a word.
fn seed(words: u32, index: u32) -> u32 {
    return (words >> ((index & 3u) << 3u)) & 0xffu;
}

fn rcp_seed(index: u32) -> u32 {
    var table = array<u32, 16>(
        0x797b7d7fu, 0x73747678u, 0x6d6e6f71u, 0x67686a6bu, 0x62636566u, 0x5e5f6061u, 0x5a5b5c5du, 0x56575859u,
        0x52535455u, 0x4f505152u, 0x4c4d4e4eu, 0x494a4b4cu, 0x47484849u, 0x45454646u, 0x42434344u, 0x40414142u,
    );
    return seed(table[index >> 2u], index);
}

fn rsq_seed(index: u32) -> u32 {
    var table = array<u32, 32>(
        0x5859595au, 0x56565757u, 0x53545455u, 0x51525253u, 0x4f505051u, 0x4d4e4e4fu, 0x4c4c4d4du, 0x4a4a4b4bu,
        0x4949494au, 0x47484848u, 0x46464647u, 0x45454546u, 0x43444444u, 0x42434343u, 0x41414242u, 0x40404141u,
        0x7d7e7f7fu, 0x797a7b7cu, 0x76777778u, 0x73747475u, 0x70717172u, 0x6d6e6f6fu, 0x6b6c6c6du, 0x69696a6au,
        0x67676868u, 0x65656666u, 0x63636464u, 0x61616262u, 0x5f606061u, 0x5e5e5e5fu, 0x5c5d5d5du, 0x5b5b5b5cu,
    );
    return seed(table[index >> 2u], index);
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
    let t = rcp_seed((m >> 17u) & 63u);
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
    let t = rsq_seed((x >> 17u) & 127u);
    let u = mul64(sub64(vec2<u32>(0u, 96u), mul_wide(t * t, r)), t).y;
    let v = mul64(sub64(vec2<u32>(0u, 0x60000u), mul_wide(u * u, r)), u);
    return seeded_ends(x, 126 + ((128 - i32(x >> 23u)) >> 1u), v.y >> 7u);
}
