@group(0) @binding(1) var t: texture_2d<f32>;
@group(0) @binding(2) var s: sampler;
@fragment fn main(@location(0) uv: vec2f) -> @location(0) vec4f {
    let texel = textureSample(t, s, uv);
    if texel.a < 0.5 { discard; }
    return vec4f(texel.rgb, 1.0);
}
