// What the host's own numbers make of operations that are not one operation of a shading language.

// Bits as a number, where a literal cannot say it: infinities, NaN, subnormal numbers.
fn number(bits: u32) -> f32 {
    return bitcast<f32>(bits);
}

// Toward zero; -2147483648 for what does not fit.
fn itrunc(a: f32) -> u32 {
    return select(0x80000000u, bitcast<u32>(i32(a)), abs(a) < 2147483648.0);
}

// A divisor that is a literal zero would be refused where it stands.
fn idiv(a: u32, b: u32) -> u32 {
    return bitcast<u32>(bitcast<i32>(a) / bitcast<i32>(b));
}

fn fmantissa(a: f32) -> f32 {
    return bitcast<f32>((bitcast<u32>(a) & 0x7fffffu) | 0x3f800000u);
}

// The exponent of |a| where that is a normal number.
fn exponent(a: f32) -> f32 {
    return f32((bitcast<u32>(a) >> 23u) & 0xffu) - 127.0;
}

fn fexponent_unsigned(a: f32) -> f32 {
    let whole = select(4294967296.0, exponent(a), abs(a) >= 1.0);
    return select(whole, -1.0 / abs(a), a == 0.0);
}

fn frcc_loose(a: f32) -> f32 {
    let r = 1.0 / a;
    return select(-1.0, 1.0, r > 0.0) * clamp(abs(r), 5.42101e-20, 1.8446744e19);
}

fn frcc_trunc(a: f32) -> f32 {
    return select(1.0, -1.0, (bitcast<u32>(a) >> 31u) == 1u) * clamp(abs(1.0 / a), 5.421011e-20, 1.8446744e19);
}

fn fexponent_trunc(a: f32) -> f32 {
    return select(exponent(a), -1.0 / abs(a), a == 0.0);
}

fn fmantissa_trunc(a: f32) -> f32 {
    return select(fmantissa(a), 1.0, a == 0.0);
}

fn flit(a: f32, b: f32, c: f32) -> f32 {
    return select(0.0, pow(b, c), (a > 0.0) & (b > 0.0));
}

fn flit_trunc(a: f32, b: f32, c: f32) -> f32 {
    let power = exp2(clamp(c, -128.0, 127.99988) * log2(max(b, 1.1754944e-38)));
    let whole = select(power, 0.0, (b < 1.1754944e-38) & (c > 0.0));
    return select(0.0, whole, a > 0.0);
}

// The sums are taken from x on, as the machine does.
fn dot3(a: vec3f, b: vec3f) -> f32 {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

fn dot4(a: vec4f, b: vec4f) -> f32 {
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

fn dot3_finite(a: vec3f, b: vec3f) -> f32 {
    return clamp(dot3(a, b), -3.4028235e38, 3.4028235e38);
}

fn dot4_finite(a: vec4f, b: vec4f) -> f32 {
    return clamp(dot4(a, b), -3.4028235e38, 3.4028235e38);
}

// Zero times anything is zero.
fn fmul_trunc_f32(a: f32, b: f32) -> f32 {
    return select(a * b, 0.0, (a == 0.0) | (b == 0.0));
}

// Zero times anything is zero.
fn fmul_trunc_vec2f(a: vec2f, b: vec2f) -> vec2f {
    return select(a * b, vec2f(), (a == vec2f()) | (b == vec2f()));
}

// Zero times anything is zero.
fn fmul_trunc_vec3f(a: vec3f, b: vec3f) -> vec3f {
    return select(a * b, vec3f(), (a == vec3f()) | (b == vec3f()));
}

// Zero times anything is zero.
fn fmul_trunc_vec4f(a: vec4f, b: vec4f) -> vec4f {
    return select(a * b, vec4f(), (a == vec4f()) | (b == vec4f()));
}

fn dot3_trunc(a: vec3f, b: vec3f) -> f32 {
    let p = fmul_trunc_vec3f(a, b);
    return p.x + p.y + p.z;
}

fn dot4_trunc(a: vec4f, b: vec4f) -> f32 {
    let p = fmul_trunc_vec4f(a, b);
    return p.x + p.y + p.z + p.w;
}

// One texel by number, zeros outside the texture.
fn texel(image: texture_2d<f32>, at: vec4f) -> vec4f {
    let level = clamp(i32(floor(at.w)), 0, i32(textureNumLevels(image)) - 1);
    let place = vec2i(floor(at.xy));
    let size = vec2i(textureDimensions(image, level));
    let near = clamp(place, vec2i(), size - 1);
    return select(vec4f(), textureLoad(image, near, level), all(near == place));
}
