struct Uniforms {
    screen: mat4x4f,
    light: mat4x4f,
    way: vec4f,
    shine: vec4f,
    scale: vec4f,
    moved: vec4f,
}
@group(0) @binding(0) var<uniform> u: Uniforms;

struct Output {
    @builtin(position) p: vec4f,
    @location(0) color: vec4f,
    @location(2) uv: vec4f,
}

@vertex fn main(
    @location(0) p: vec3f,
    @location(2) n: vec4f,
    @location(9) uv: vec4f,
) -> Output {
    var o: Output;
    let turned = n * u.light;
    o.color = u.shine * max(dot(turned, u.way), 0.0);
    let t = vec4f(p, 1.0) * u.screen;
    o.p = vec4f(t.xyz / t.w, t.w) * u.scale + u.moved;
    o.uv = uv;
    return o;
}
