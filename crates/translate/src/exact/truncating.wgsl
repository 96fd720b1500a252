// The truncating family on integers: nothing is rounded, subnormal numbers count as zeros, overflows are the largest
// finite number, NaN is 0x7fffffff.

// The number m 2^(e - 150) with a sign bit, for m from 2^23 to 2^24.
fn trunc_pack(sign: u32, e: i32, m: u32) -> u32 {
    let number = select((u32(e) << 23u) | (m & 0x7fffffu), 0x7f7fffffu, e >= 255);
    return sign | select(number, 0u, e <= 0);
}

// The highest 25 bits of the product of two mantissas of 24 bits.
fn trunc_product(m: u32, n: u32) -> u32 {
    let ml = m & 0xfffu;
    let mh = m >> 12u;
    let nl = n & 0xfffu;
    let nh = n >> 12u;
    return ((mh * nh) << 1u) + ((((ml * nl) >> 12u) + ml * nh + mh * nl) >> 11u);
}

fn fmul_trunc(a: u32, b: u32) -> u32 {
    let x = a & 0x7fffffffu;
    let y = b & 0x7fffffffu;
    let sign = (a ^ b) & 0x80000000u;
    let product = trunc_product((x & 0x7fffffu) | 0x800000u, (y & 0x7fffffu) | 0x800000u);
    let carry = product >> 24u;
    let number = trunc_pack(sign, i32((x >> 23u) + (y >> 23u) + carry) - 127, product >> carry);
    let big = max(x, y);
    let infinite = select(sign | 0x7f800000u, 0x7fffffffu, big > 0x7f800000u);
    return select(select(number, infinite, big >= 0x7f800000u), 0u, min(x, y) < 0x800000u);
}

// A term of a sum that is a product: its exponent's field, its mantissa with its sign as two's complement. As a number
// it is bounded: 0 (with exponent 0) below, the largest finite number above and for infinities and NaN.
fn trunc_term(a: u32, b: u32) -> vec2<u32> {
    let x = a & 0x7fffffffu;
    let y = b & 0x7fffffffu;
    let product = trunc_product((x & 0x7fffffu) | 0x800000u, (y & 0x7fffffu) | 0x800000u);
    let carry = product >> 24u;
    let e = i32((x >> 23u) + (y >> 23u) + carry) - 127;
    let over = e >= 255;
    let zero = (min(x, y) < 0x800000u) | (e <= 0);
    let m = select(product >> carry, 0xffffffu, over) << 5u;
    let field = select(u32(min(e, 254)), 0u, zero);
    return vec2<u32>(field, select(m, 0u, zero));
}

// Aligned to the largest exponent: a term's bits below 5 more than that one's are cut off.
fn trunc_aligned(term: vec2<u32>, largest: u32, signs: u32) -> u32 {
    let size = term.y >> min(largest - term.x, 31u);
    return select(size, 0u - size, (signs >> 31u) != 0u);
}

// The sum of aligned terms as a number; `largest` is the exponent of 2^28.
fn trunc_sum(sum: u32, largest: u32) -> u32 {
    let sign = sum & 0x80000000u;
    let size = select(sum, 0u - sum, sign != 0u);
    let up = leading_zeros(size);
    // A sum of 0 has neither exponent nor sign.
    let e = select(i32(largest + 3u - up), 0, size == 0u);
    return trunc_pack(sign, e, (size << up) >> 8u);
}

// What an infinite or undefined product is in a sum, else 0.
fn trunc_special(a: u32, b: u32) -> u32 {
    let x = a & 0x7fffffffu;
    let y = b & 0x7fffffffu;
    let big = max(x, y);
    let infinite = select(((a ^ b) & 0x80000000u) | 0x7f800000u, 0x7fffffffu, big > 0x7f800000u);
    return select(0u, infinite, (big >= 0x7f800000u) & (min(x, y) >= 0x800000u));
}

// The sum of two of them: NaN for a NaN and for opposite infinities.
fn trunc_special_sum(a: u32, b: u32) -> u32 {
    let nan = ((a & b) != 0u) & (a != b);
    return select(a | b, 0x7fffffffu, nan);
}

fn dot3_trunc(ax: u32, bx: u32, ay: u32, by: u32, az: u32, bz: u32, aw: u32, bw: u32) -> u32 {
    let x = trunc_term(ax, bx);
    let y = trunc_term(ay, by);
    let z = trunc_term(az, bz);
    let largest = max(max(x.x, y.x), z.x);
    let xy = trunc_aligned(x, largest, ax ^ bx) + trunc_aligned(y, largest, ay ^ by);
    let finite = trunc_sum(xy + trunc_aligned(z, largest, az ^ bz), largest);
    let special = trunc_special_sum(trunc_special_sum(trunc_special(ax, bx), trunc_special(ay, by)), trunc_special(az, bz));
    return select(special, finite, special == 0u);
}

fn dot4_trunc(ax: u32, bx: u32, ay: u32, by: u32, az: u32, bz: u32, aw: u32, bw: u32) -> u32 {
    let x = trunc_term(ax, bx);
    let y = trunc_term(ay, by);
    let z = trunc_term(az, bz);
    let w = trunc_term(aw, bw);
    let largest = max(max(x.x, y.x), max(z.x, w.x));
    let xy = trunc_aligned(x, largest, ax ^ bx) + trunc_aligned(y, largest, ay ^ by);
    let zw = trunc_aligned(z, largest, az ^ bz) + trunc_aligned(w, largest, aw ^ bw);
    let finite = trunc_sum(xy + zw, largest);
    let low = trunc_special_sum(trunc_special(ax, bx), trunc_special(ay, by));
    let high = trunc_special_sum(trunc_special(az, bz), trunc_special(aw, bw));
    let special = trunc_special_sum(low, high);
    return select(special, finite, special == 0u);
}

// A term that is a number. Unlike a factor it may be subnormal; then its exponent is taken for 0, where it should be 1.
fn trunc_single(a: u32) -> vec2<u32> {
    let field = (a >> 23u) & 0xffu;
    return vec2<u32>(field, ((a & 0x7fffffu) | select(0u, 0x800000u, field != 0u)) << 5u);
}

fn fadd_trunc(a: u32, b: u32) -> u32 {
    let x = trunc_single(a);
    let y = trunc_single(b);
    let largest = max(x.x, y.x);
    let finite = trunc_sum(trunc_aligned(x, largest, a) + trunc_aligned(y, largest, b), largest);
    let p = a & 0x7fffffffu;
    let q = b & 0x7fffffffu;
    let nan = (max(p, q) > 0x7f800000u) | ((min(p, q) == 0x7f800000u) & (a != b));
    let infinite = select(select(b, a, p > q), 0x7fffffffu, nan);
    return select(finite, infinite, max(p, q) >= 0x7f800000u);
}
