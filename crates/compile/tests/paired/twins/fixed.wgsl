struct Uniforms {
    model: mat4x4f,
    view: mat4x4f,
    proj: mat4x4f,
    eye: vec4f,
    lamp: vec4f,
    ambient: vec4f,
    shine: vec4f,
    gloss: vec4f,
}
@group(0) @binding(0) var<uniform> u: Uniforms;

struct Output {
    @builtin(position) p: vec4f,
    @location(0) color: vec4f,
    @location(1) spot: vec4f,
    @location(2) uv: vec4f,
}

@vertex fn main(
    @location(0) p: vec3f,
    @location(2) n: vec3f,
    @location(9) uv: vec4f,
) -> Output {
    var o: Output;
    let world = vec4f(p, 1.0) * u.model;
    let normal = normalize((vec4f(n, 0.0) * u.model).xyz);
    let toward = normalize(u.eye.xyz - world.xyz);
    let middle = toward + u.lamp.xyz;
    let nl = dot(normal, u.lamp.xyz);
    let nh = dot(normal, middle);
    let t = world * u.view * u.proj;
    o.p = vec4f(t.xyz / t.w, t.w);
    o.uv = uv;
    o.color = max(nl, 0.0) * u.shine + u.ambient;
    o.spot = select(0.0, pow(nh, 16.0), nl > 0.0) * u.gloss;
    return o;
}
