struct U { light: vec3f, ambient: vec3f, shine: vec4f }
@group(0) @binding(0) var<uniform> u: U;
@group(0) @binding(1) var t0: texture_2d<f32>;
@group(0) @binding(2) var s0: sampler;
@group(0) @binding(3) var t1: texture_2d<f32>;
@group(0) @binding(4) var s1: sampler;
@fragment fn main(@location(0) uv: vec2f, @location(1) light: vec3f, @location(2) eye: vec3f) -> @location(0) vec4f {
    let color = textureSample(t0, s0, uv).rgb;
    let n = normalize(textureSample(t1, s1, uv).rgb * 2.0 - 1.0);
    let l = normalize(light);
    let h = normalize(normalize(eye) + l);
    let diffuse = dot(n, l);
    var glint = 0.0;
    if diffuse > 0.0 { glint = pow(max(dot(n, h), 0.0), clamp(u.shine.x, -128.0, 128.0)); }
    return vec4f(color * (max(diffuse, 0.0) * u.light + u.ambient) + glint * u.light, 1.0);
}
