struct Uniforms {
    model: mat4x4f,
    view: mat4x4f,
    proj: mat4x4f,
}
@group(0) @binding(0) var<uniform> u: Uniforms;

struct Output {
    @builtin(position) p: vec4f,
    @location(0) color: vec4f,
    @location(1) spot: vec4f,
    @location(2) a: vec4f,
    @location(3) b: vec4f,
    @location(4) c: vec4f,
    @location(5) d: vec4f,
    @location(6) fog: f32,
    @location(7) back: vec4f,
    @location(8) backspot: vec4f,
}

@vertex fn main(
    @location(0) p: vec4f,
    @location(3) color: vec4f,
    @location(4) spot: vec4f,
    @location(7) back: vec4f,
    @location(8) backspot: vec4f,
    @location(9) a: vec4f,
    @location(10) b: vec4f,
    @location(11) c: vec4f,
    @location(12) d: vec4f,
) -> Output {
    var o: Output;
    let t = p * u.model * u.view * u.proj;
    o.p = vec4f(t.xyz / t.w, t.w);
    o.fog = t.w;
    o.color = color;
    o.spot = spot;
    o.back = back;
    o.backspot = backspot;
    o.a = a;
    o.b = b;
    o.c = c;
    o.d = d;
    return o;
}
