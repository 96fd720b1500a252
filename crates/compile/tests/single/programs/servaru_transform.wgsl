struct U { m0: vec4f, m1: vec4f, m2: vec4f, m3: vec4f, n0: vec3f, n1: vec3f, n2: vec3f, light: vec3f, color: vec4f }
@group(0) @binding(0) var<uniform> u: U;
struct Out { @builtin(position) position: vec4f, @location(0) color: vec4f, @location(1) uv: vec2f }
@vertex fn main(@location(0) p: vec4f, @location(1) normal: vec3f, @location(2) uv: vec2f) -> Out {
    var out: Out;
    out.position = vec4f(dot(p, u.m0), dot(p, u.m1), dot(p, u.m2), dot(p, u.m3));
    let n = normalize(vec3f(dot(normal, u.n0), dot(normal, u.n1), dot(normal, u.n2)));
    out.color = u.color * max(dot(n, u.light), 0.0);
    out.uv = uv;
    return out;
}
