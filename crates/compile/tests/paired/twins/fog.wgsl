struct Uniforms {
    screen: mat4x4f,
    offset: vec2f,
}
@group(0) @binding(0) var<uniform> u: Uniforms;

struct Output {
    @builtin(position) p: vec4f,
    @location(0) color: vec4f,
    @location(2) uv: vec2f,
    @location(6) fog: f32,
}

@vertex fn main(
    @location(0) p: vec3f,
    @location(3) color: vec4f,
    @location(9) uv: vec2f,
) -> Output {
    var o: Output;
    let t = vec4f(p, 1.0) * u.screen;
    o.p = vec4f(t.xyz / t.w, t.w);
    o.color = color;
    o.uv = uv + u.offset;
    o.fog = t.w;
    return o;
}
