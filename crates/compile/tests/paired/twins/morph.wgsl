struct Uniforms {
    screen: mat4x4f,
    t: vec4f,
}
@group(0) @binding(0) var<uniform> u: Uniforms;

struct Output {
    @builtin(position) p: vec4f,
    @location(0) color: vec4f,
    @location(2) uv: vec2f,
}

@vertex fn main(
    @location(0) p: vec3f,
    @location(9) uv: vec2f,
    @location(10) q: vec3f,
) -> Output {
    var o: Output;
    o.p = vec4f(p + u.t.x * (q - p), 1.0) * u.screen;
    o.uv = uv;
    o.color = vec4f(1.0, 0.0, 0.0, 1.0);
    return o;
}
