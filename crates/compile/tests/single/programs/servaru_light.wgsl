struct U { light: vec3f, color: vec4f, ambient: vec4f }
@group(0) @binding(0) var<uniform> u: U;
@group(0) @binding(1) var t: texture_2d<f32>;
@group(0) @binding(2) var s: sampler;
@fragment fn main(@location(0) uv: vec2f, @location(1) normal: vec3f) -> @location(0) vec4f {
    let n = normalize(normal);
    let light = max(dot(n, u.light), 0.0) * u.color + u.ambient;
    return vec4f(textureSample(t, s, uv).rgb * light.rgb, 1.0);
}
