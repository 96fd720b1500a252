// IEEE 754 binary32, rounded to nearest even, on bit patterns. After J. R. Hauser's SoftFloat: mantissas with room for
// the bits that decide the rounding, the lowest of which stands for all that are lost. Every NaN that is computed is
// 0x7fc00000.

// The number m 2^(e - 157) with a sign bit, rounded. m is below 2^31, and from 2^30 on unless it is exact; e is below 512.
fn single_pack(sign: u32, e: i32, m: u32) -> u32 {
    let bits = jam32(m, u32(clamp(1 - e, 0, 31)));
    let rounded = (bits + 63u + ((bits >> 7u) & 1u)) >> 7u;
    // The mantissa's first bit, 2^23, adds 1 to the exponent, which rounding up may do once more.
    return sign | min((u32(max(e, 1) - 1) << 23u) + rounded, 0x7f800000u);
}

// The mantissa of a finite number without sign, its first bit in place 23, and the exponent's field + 32, as if there
// were no subnormal numbers.
fn single_split(a: u32) -> vec2<u32> {
    let field = a >> 23u;
    let m = (a & 0x7fffffu) | select(0u, 0x800000u, field != 0u);
    let up = leading_zeros(m) - 8u;
    return vec2<u32>(m << up, max(field, 1u) + 32u - up);
}

fn single_add(a: u32, b: u32) -> u32 {
    let x = a & 0x7fffffffu;
    let y = b & 0x7fffffffu;
    let swap = x < y;
    let big = max(x, y);
    let small = min(x, y);
    let e = big >> 23u;
    let f = small >> 23u;
    let m = ((big & 0x7fffffu) | select(0u, 0x800000u, e != 0u)) << 6u;
    let n = ((small & 0x7fffffu) | select(0u, 0x800000u, f != 0u)) << 6u;
    let above = max(e, 1u);
    let aligned = jam32(n, min(above - max(f, 1u), 31u));
    let differ = ((a ^ b) >> 31u) != 0u;
    let sum = select(m + aligned, m - aligned, differ);
    let zero = sum == 0u;
    // Up to 2^30, or as far as the exponent goes down.
    let up = min(leading_zeros(sum) - 1u, above);
    let normal = sum << up;
    let rounded = (normal + 63u + ((normal >> 7u) & 1u)) >> 7u;
    let magnitude = select(min(((above - up) << 23u) + rounded, 0x7f800000u), 0u, zero);
    // An exact zero is +0, but for -0 + -0.
    let sign = select(select(a, b, swap), a & b, zero) & 0x80000000u;
    let infinite = select(sign | 0x7f800000u, 0x7fc00000u, (big > 0x7f800000u) | (differ & (small == 0x7f800000u)));
    return select(sign | magnitude, infinite, big >= 0x7f800000u);
}

fn single_sub(a: u32, b: u32) -> u32 {
    return single_add(a, b ^ 0x80000000u);
}

fn single_mul(a: u32, b: u32) -> u32 {
    let sign = (a ^ b) & 0x80000000u;
    let big = max(a & 0x7fffffffu, b & 0x7fffffffu);
    let small = min(a & 0x7fffffffu, b & 0x7fffffffu);
    // If the larger is subnormal, any will do for its mantissa: the product is next to zero.
    let m = (big & 0x7fffffu) | 0x800000u;
    let split = single_split(small);
    // Products of halves with 12 bits; of the 48 bits the highest 27 are kept, and whether there are others.
    let ml = m & 0xfffu;
    let mh = m >> 12u;
    let nl = split.x & 0xfffu;
    let nh = split.x >> 12u;
    let low = ml * nl;
    let middle = (low >> 12u) + ml * nh + mh * nl;
    let lost = ((middle & 0x1ffu) | (low & 0xfffu)) != 0u;
    let product = (((mh * nh) << 3u) + (middle >> 9u)) | select(0u, 1u, lost);
    let carry = product >> 26u;
    let e = i32((big >> 23u) + split.y + carry) - 159;
    let finite = single_pack(sign, e, product << (5u - carry));
    let infinite = select(sign | 0x7f800000u, 0x7fc00000u, (big > 0x7f800000u) | (small == 0u));
    return select(select(finite, infinite, big >= 0x7f800000u), sign, (small == 0u) & (big < 0x7f800000u));
}

fn single_div(a: u32, b: u32) -> u32 {
    let sign = (a ^ b) & 0x80000000u;
    let x = a & 0x7fffffffu;
    let y = b & 0x7fffffffu;
    let p = single_split(x);
    let q = single_split(y);
    let below = select(0u, 1u, p.x < q.x);
    // Long division: the quotient's 24 bits and one for the rounding.
    var rest = p.x << below;
    var quotient = 0u;
    for (var i = 0u; i < 25u; i++) {
        let fits = rest >= q.x;
        quotient = (quotient << 1u) | select(0u, 1u, fits);
        rest = select(rest, rest - q.x, fits) << 1u;
    }
    let m = (quotient << 6u) | select(0u, 1u, rest != 0u);
    let finite = single_pack(sign, i32(p.y - q.y - below) + 127, m);
    let invalid = (x == y) & ((x == 0u) | (x == 0x7f800000u));
    let nan = invalid | (max(x, y) > 0x7f800000u);
    let zero = (x == 0u) | (y == 0x7f800000u);
    let infinite = (y == 0u) | (x == 0x7f800000u);
    return select(select(select(finite, sign | 0x7f800000u, infinite), sign, zero), 0x7fc00000u, nan);
}

fn single_sqrt(a: u32) -> u32 {
    let p = single_split(a & 0x7fffffffu);
    // a = m 2^(2k) with m from 1 to 4, here 2^24 to 2^26: the field's bias of 127 + 32 is odd.
    let odd = (p.y & 1u) ^ 1u;
    var digits = p.x << (7u + odd);
    // Digit by digit, two bits of a for one of the root: 24 bits and one for the rounding.
    var rest = 0u;
    var root = 0u;
    for (var i = 0u; i < 25u; i++) {
        rest = (rest << 2u) | (digits >> 30u);
        digits <<= 2u;
        let trial = (root << 2u) | 1u;
        let fits = rest >= trial;
        rest = select(rest, rest - trial, fits);
        root = (root << 1u) | select(0u, 1u, fits);
    }
    let m = (root << 6u) | select(0u, 1u, rest != 0u);
    let finite = single_pack(0u, ((i32(p.y) - 159) >> 1u) + 127, m);
    let itself = ((a & 0x7fffffffu) == 0u) | (a == 0x7f800000u);
    return select(select(finite, 0x7fc00000u, a > 0x7f800000u), a, itself);
}

fn single_is_nan(a: u32) -> bool {
    return (a & 0x7fffffffu) > 0x7f800000u;
}

// Signed integers in the order of the numbers; both zeros are 0.
fn single_key(a: u32) -> i32 {
    let magnitude = a & 0x7fffffffu;
    return bitcast<i32>(select(magnitude, 0u - magnitude, a != magnitude));
}

fn single_less(a: u32, b: u32) -> bool {
    let numbers = max(a & 0x7fffffffu, b & 0x7fffffffu) <= 0x7f800000u;
    return numbers & (single_key(a) < single_key(b));
}

fn single_same(a: u32, b: u32) -> bool {
    let zeros = ((a | b) & 0x7fffffffu) == 0u;
    return ((a == b) & ((a & 0x7fffffffu) <= 0x7f800000u)) | zeros;
}

fn single_less_total(a: u32, b: u32) -> bool {
    let x = a ^ select(0x80000000u, 0xffffffffu, (a >> 31u) != 0u);
    let y = b ^ select(0x80000000u, 0xffffffffu, (b >> 31u) != 0u);
    return x < y;
}

fn with_nan(a: u32, nan: u32) -> u32 {
    return select(a, nan, single_is_nan(a));
}
