// Powers and logarithms of the truncating family, 32 straight pieces from one power to the next; and its floor.

// An integer of 24 bits or less as a float.
fn from_integer(sign: u32, a: u32) -> u32 {
    let up = leading_zeros(a);
    return select(sign | (((157u - up) << 23u) + ((a << up) >> 8u)), 0u, a == 0u);
}

// a in units of 2^-13, rounded down and saturated, NaN like infinity; 0 for what is below 2^-23.
fn trunc_fixed(a: u32) -> i32 {
    let field = (a >> 23u) & 0xffu;
    let m = ((a & 0x7fffffu) | 0x800000u) << 7u;
    let down = 144u - clamp(field, 113u, 144u);
    let units = m >> down;
    let lost = select(0u, 1u, (units << down) != m);
    let negative = (a >> 31u) != 0u;
    let number = select(units, 0u - units - lost, negative & (field >= 104u));
    let nan = (a & 0x7fffffffu) > 0x7f800000u;
    return bitcast<i32>(select(number, select(0x7fffffffu, 0x80000000u, negative & !nan), field >= 145u));
}

// 2 to the power t 2^-13.
fn trunc_exp2(t: i32) -> u32 {
    // A base in units of 2^-14 in the upper half, a slope in the lower one.
    let piece = exp_pieces(bitcast<u32>(t >> 8u));
    let rise = ((piece >> 16u) << 8u) + (piece & 0xffffu) * (bitcast<u32>(t) & 0xffu);
    let integer = t >> 13u;
    let number = (bitcast<u32>(clamp(integer, -127, 128) + 127) << 23u) | (rise << 1u);
    return select(select(number, 0u, integer < -126), 0x7f800000u, integer > 127);
}

fn fexp2_trunc(a: u32) -> u32 {
    return select(trunc_exp2(trunc_fixed(a)), 0x7fffffffu, (a & 0x7fffffffu) > 0x7f800000u);
}

// The size of the logarithm to base 2 of x, in units of 2^-26; it is negative where x, which has no sign, is below 1.
fn trunc_log2(x: u32) -> vec2<u32> {
    // A base in units of 2^-18 in the upper 18 bits, a slope in the lower 14 ones.
    let piece = log_pieces(x >> 18u);
    let rise = ((piece >> 14u) << 8u) + (piece & 0x3fffu) * ((x >> 10u) & 0xffu);
    let field = x >> 23u;
    let below = field < 127u;
    let whole = select(field - 127u, 127u - field, below);
    let number = vec2<u32>(whole << 26u, whole >> 6u);
    return select(add64(number, vec2<u32>(rise, 0u)), sub64(number, vec2<u32>(rise, 0u)), below);
}

// A logarithm of x, but for numbers that count as zero, infinities, and NaN, which x is itself.
fn trunc_log_ends(x: u32, log: u32) -> u32 {
    return select(select(log, x, x >= 0x7f800000u), 0xff800000u, x < 0x800000u);
}

fn flog2_trunc(a: u32) -> u32 {
    let x = a & 0x7fffffffu;
    let size = trunc_log2(x);
    let up = leading_zeros64(size);
    let number = trunc_pack(select(0u, 0x80000000u, x < 0x3f800000u), 164 - i32(up), left64(size, up).y >> 8u);
    return trunc_log_ends(x, select(number, 0u, (size.x | size.y) == 0u));
}

fn fexponent_trunc(a: u32) -> u32 {
    let x = a & 0x7fffffffu;
    let field = x >> 23u;
    let below = field < 127u;
    let size = select(field - 127u, 127u - field, below);
    return trunc_log_ends(x, from_integer(select(0u, 0x80000000u, below), size));
}

fn fmantissa_trunc(a: u32) -> u32 {
    let x = a & 0x7fffffffu;
    let number = select(fmantissa(x), 0x3f800000u, x < 0x800000u);
    return select(number, x, x > 0x7f800000u);
}

fn ffloor_trunc(a: u32) -> u32 {
    let floor = bitcast<u32>(trunc_fixed(a) >> 13u);
    let sign = floor & 0x80000000u;
    return from_integer(sign, select(floor, 0u - floor, sign != 0u));
}

fn ffract_trunc(a: u32) -> u32 {
    let x = a & 0x7fffffffu;
    let negative = a != x;
    let field = x >> 23u;
    let m = (x & 0x7fffffu) | 0x800000u;
    // The fraction in units of 2^-23. Of a number below 1 that is positive the fraction is itself.
    let down = min(127u - min(field, 127u), 31u);
    let units = (m >> down) << (clamp(field, 127u, 150u) - 127u);
    let lost = select(0u, 1u, ((m >> down) << down) != m);
    let cut = from_integer(0u, select(units, 0u - units - lost, negative) & 0x7fffffu);
    let scaled = select(cut - 0x0b800000u, 0u, cut == 0u);
    let number = select(scaled, x, !negative & (field < 127u));
    let near = select(number, 0x3f800000u, negative & (x < 0x34000000u));
    return select(select(near, 0u, (x < 0x800000u) | (x >= 0x4b000000u)), a, x > 0x7f800000u);
}

fn flit_trunc(a: u32, b: u32, c: u32) -> u32 {
    let y = b & 0x7fffffffu;
    let z = c & 0x7fffffffu;
    let exponent = bitcast<u32>(clamp(trunc_fixed(c), -1048576, 1048575));
    let below = (exponent >> 31u) != 0u;
    let product = mul64(trunc_log2(y), select(exponent, 0u - exponent, below));
    let down = (product.x >> 26u) | (product.y << 6u);
    let up = down + select(0u, 1u, (product.x & 0x3ffffffu) != 0u);
    let power = trunc_exp2(bitcast<i32>(select(down, 0u - up, below != (y < 0x3f800000u))));
    // From the last test to the first.
    let negative = c != z;
    let p1 = select(power, select(0x7f800000u, 0u, negative), b == 0x7f800000u);
    let p2 = select(p1, select(0u, 0x7f800000u, negative), (b != y) | (y < 0x800000u));
    let p3 = select(p2, 0x7fffffffu, max(y, z) > 0x7f800000u);
    let p4 = select(p3, 0x3f800000u, z < 0x800000u);
    return select(p4, 0u, ((a >> 31u) != 0u) | (a < 0x800000u));
}
