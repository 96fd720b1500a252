// IEEE 754 binary64, rounded to nearest even, on pairs of words: the same algorithms as for binary32.

// The number m 2^(e - 1085) with a sign bit, rounded. m is below 2^63, and from 2^62 on unless it is exact; e is below 4096.
fn double_pack(sign: u32, e: i32, m: vec2<u32>) -> vec2<u32> {
    let bits = jam64(m, u32(clamp(1 - e, 0, 63)));
    return double_round(sign, u32(max(e, 1) - 1), bits);
}

// Ten bits are rounded away; the mantissa's first bit, 2^52 then, adds 1 to the exponent.
fn double_round(sign: u32, field: u32, m: vec2<u32>) -> vec2<u32> {
    let sum = add64(m, vec2<u32>(511u + ((m.x >> 10u) & 1u), 0u));
    let high = (field << 20u) + (sum.y >> 10u);
    let low = (sum.x >> 10u) | (sum.y << 22u);
    let infinite = high >= 0x7ff00000u;
    return vec2<u32>(select(low, 0u, infinite), sign | min(high, 0x7ff00000u));
}

fn double_magnitude(a: vec2<u32>) -> vec2<u32> {
    return vec2<u32>(a.x, a.y & 0x7fffffffu);
}

fn double_is_nan(a: vec2<u32>) -> bool {
    return less64(vec2<u32>(0u, 0x7ff00000u), double_magnitude(a));
}

// The mantissa of a finite number without sign: 2^52 is its first bit but for subnormal numbers.
fn double_mantissa(a: vec2<u32>) -> vec2<u32> {
    return vec2<u32>(a.x, (a.y & 0xfffffu) | select(0u, 0x100000u, a.y >= 0x100000u));
}

// The mantissa with its first bit in place 52, and the exponent's field + 64, as if there were no subnormal numbers.
fn double_split(a: vec2<u32>) -> vec3<u32> {
    let m = double_mantissa(a);
    let up = leading_zeros64(m) - 11u;
    return vec3<u32>(left64(m, up), max(a.y >> 20u, 1u) + 64u - up);
}

fn double_add(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let x = double_magnitude(a);
    let y = double_magnitude(b);
    let swap = less64(x, y);
    let big = select(x, y, swap);
    let small = select(y, x, swap);
    let p = double_mantissa(big);
    let q = double_mantissa(small);
    let m = vec2<u32>(p.x << 9u, (p.y << 9u) | (p.x >> 23u));
    let n = vec2<u32>(q.x << 9u, (q.y << 9u) | (q.x >> 23u));
    let above = max(big.y >> 20u, 1u);
    let aligned = jam64(n, min(above - max(small.y >> 20u, 1u), 63u));
    let differ = ((a.y ^ b.y) >> 31u) != 0u;
    let sum = select(add64(m, aligned), sub64(m, aligned), differ);
    let zero = (sum.x | sum.y) == 0u;
    let up = min(leading_zeros64(sum) - 1u, above);
    let sign = select(select(a.y, b.y, swap), a.y & b.y, zero) & 0x80000000u;
    let finite = select(double_round(sign, above - up, left64(sum, up)), vec2<u32>(0u, sign), zero);
    let infinity = vec2<u32>(0u, 0x7ff00000u);
    let nan = less64(infinity, big) | (differ & same64(small, infinity));
    let infinite = vec2<u32>(0u, select(sign | 0x7ff00000u, 0x7ff80000u, nan));
    return select(finite, infinite, big.y >= 0x7ff00000u);
}

fn double_sub(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return double_add(a, vec2<u32>(b.x, b.y ^ 0x80000000u));
}

fn double_mul(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let sign = (a.y ^ b.y) & 0x80000000u;
    let x = double_magnitude(a);
    let y = double_magnitude(b);
    let swap = less64(x, y);
    let big = select(x, y, swap);
    let small = select(y, x, swap);
    // If the larger is subnormal, any will do for its mantissa: the product is next to zero.
    let p = vec2<u32>(big.x, (big.y & 0xfffffu) | 0x100000u);
    let q = double_split(small);
    // 63 bits times 64 bits; of the product's 127 the highest 63 are kept, and whether there are others.
    let m = vec2<u32>(p.x << 10u, (p.y << 10u) | (p.x >> 22u));
    let n = vec2<u32>(q.x << 11u, (q.y << 11u) | (q.x >> 21u));
    let ll = mul_wide(m.x, n.x);
    let lh = mul_wide(m.x, n.y);
    let hl = mul_wide(m.y, n.x);
    let hh = mul_wide(m.y, n.y);
    let w1 = ll.y + lh.x;
    let w2 = w1 + hl.x;
    let h1 = add64(hh, vec2<u32>(lh.y + select(0u, 1u, w1 < lh.x), 0u));
    let h2 = add64(h1, vec2<u32>(hl.y + select(0u, 1u, w2 < hl.x), 0u));
    let carry = h2.y >> 30u;
    let low = h2.x | select(0u, 1u, (ll.x | w2) != 0u);
    let product = select(vec2<u32>(low << 1u, (h2.y << 1u) | (low >> 31u)), vec2<u32>(low, h2.y), carry != 0u);
    let e = i32((big.y >> 20u) + q.z + carry) - 1087;
    let finite = double_pack(sign, e, product);
    let zero = (small.x | small.y) == 0u;
    let nan = less64(vec2<u32>(0u, 0x7ff00000u), big) | zero;
    let infinite = vec2<u32>(0u, select(sign | 0x7ff00000u, 0x7ff80000u, nan));
    return select(select(finite, vec2<u32>(0u, sign), zero), infinite, big.y >= 0x7ff00000u);
}

fn double_div(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let sign = (a.y ^ b.y) & 0x80000000u;
    let x = double_magnitude(a);
    let y = double_magnitude(b);
    let p = double_split(x);
    let q = double_split(y);
    let divisor = q.xy;
    let below = select(0u, 1u, less64(p.xy, divisor));
    var rest = left64(p.xy, below);
    var quotient = vec2<u32>(0u, 0u);
    for (var i = 0u; i < 54u; i++) {
        let fits = !less64(rest, divisor);
        let left = select(rest, sub64(rest, divisor), fits);
        quotient = vec2<u32>((quotient.x << 1u) | select(0u, 1u, fits), (quotient.y << 1u) | (quotient.x >> 31u));
        rest = vec2<u32>(left.x << 1u, (left.y << 1u) | (left.x >> 31u));
    }
    let sticky = select(0u, 1u, (rest.x | rest.y) != 0u);
    let m = vec2<u32>((quotient.x << 9u) | sticky, (quotient.y << 9u) | (quotient.x >> 23u));
    let finite = double_pack(sign, i32(p.z - q.z - below) + 1023, m);
    let infinity = vec2<u32>(0u, 0x7ff00000u);
    let xzero = (x.x | x.y) == 0u;
    let yzero = (y.x | y.y) == 0u;
    let xinf = same64(x, infinity);
    let yinf = same64(y, infinity);
    let nan = (xzero & yzero) | (xinf & yinf) | less64(infinity, x) | less64(infinity, y);
    let special = select(select(0x7ff00000u | sign, sign, xzero | yinf), 0x7ff80000u, nan);
    return select(finite, vec2<u32>(0u, special), nan | xzero | yzero | xinf | yinf);
}

fn double_sqrt(a: vec2<u32>) -> vec2<u32> {
    let p = double_split(double_magnitude(a));
    // a = m 2^(2k) with m from 1 to 4, here 2^62 to 2^64: the field's bias of 1023 + 64 is odd.
    let odd = (p.z & 1u) ^ 1u;
    var digits = left64(p.xy, 10u + odd);
    var rest = vec2<u32>(0u, 0u);
    var root = vec2<u32>(0u, 0u);
    for (var i = 0u; i < 54u; i++) {
        let next = vec2<u32>((rest.x << 2u) | (digits.y >> 30u), (rest.y << 2u) | (rest.x >> 30u));
        digits = vec2<u32>(digits.x << 2u, (digits.y << 2u) | (digits.x >> 30u));
        let trial = vec2<u32>((root.x << 2u) | 1u, (root.y << 2u) | (root.x >> 30u));
        let fits = !less64(next, trial);
        rest = select(next, sub64(next, trial), fits);
        root = vec2<u32>((root.x << 1u) | select(0u, 1u, fits), (root.y << 1u) | (root.x >> 31u));
    }
    let sticky = select(0u, 1u, (rest.x | rest.y) != 0u);
    let m = vec2<u32>((root.x << 9u) | sticky, (root.y << 9u) | (root.x >> 23u));
    let finite = double_pack(0u, ((i32(p.z) - 1087) >> 1u) + 1023, m);
    let infinity = vec2<u32>(0u, 0x7ff00000u);
    let zero = (a.x | (a.y & 0x7fffffffu)) == 0u;
    let nan = less64(infinity, a);
    return select(select(finite, vec2<u32>(0u, 0x7ff80000u), nan), a, zero | same64(a, infinity));
}

// Unsigned integers in the order of the numbers; both zeros are 2^63.
fn double_key(a: vec2<u32>) -> vec2<u32> {
    let magnitude = double_magnitude(a);
    let key = select(magnitude, sub64(vec2<u32>(0u, 0u), magnitude), (a.y >> 31u) != 0u);
    return vec2<u32>(key.x, key.y ^ 0x80000000u);
}

fn double_less(a: vec2<u32>, b: vec2<u32>) -> bool {
    return less64(double_key(a), double_key(b)) & !double_is_nan(a) & !double_is_nan(b);
}

fn double_same(a: vec2<u32>, b: vec2<u32>) -> bool {
    let zeros = (a.x | b.x | ((a.y | b.y) & 0x7fffffffu)) == 0u;
    return (same64(a, b) & !double_is_nan(a)) | zeros;
}

fn double_less_total(a: vec2<u32>, b: vec2<u32>) -> bool {
    let x = select(vec2<u32>(a.x, a.y ^ 0x80000000u), ~a, (a.y >> 31u) != 0u);
    let y = select(vec2<u32>(b.x, b.y ^ 0x80000000u), ~b, (b.y >> 31u) != 0u);
    return less64(x, y);
}

// An f32 as f64, exactly; a NaN keeps its payload and becomes quiet.
fn widen(a: u32) -> vec2<u32> {
    let magnitude = a & 0x7fffffffu;
    let p = single_split(magnitude);
    let high = ((p.y + 863u) << 20u) + (p.x >> 3u);
    let special = 0x7ff00000u | ((magnitude & 0x7fffffu) >> 3u) | select(0u, 0x80000u, magnitude > 0x7f800000u);
    let number = select(select(high, special, magnitude >= 0x7f800000u), 0u, magnitude == 0u);
    return vec2<u32>(p.x << 29u, (a & 0x80000000u) | number);
}

// The nearest f32; a NaN keeps the highest bits of its payload and becomes quiet.
fn narrow(a: vec2<u32>) -> u32 {
    let sign = a.y & 0x80000000u;
    let field = (a.y >> 20u) & 0x7ffu;
    let high = (a.y & 0xfffffu) | 0x100000u;
    let m = (high << 10u) | (a.x >> 22u) | select(0u, 1u, (a.x & 0x3fffffu) != 0u);
    let finite = single_pack(sign, min(i32(field) - 896, 300), m);
    let payload = sign | 0x7fc00000u | ((a.y << 3u) & 0x7fffffu) | (a.x >> 29u);
    return select(finite, payload, double_is_nan(a));
}
