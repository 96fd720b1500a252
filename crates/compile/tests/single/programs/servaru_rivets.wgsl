struct U { m0: vec4f, m1: vec4f, m2: vec4f, m3: vec4f, light: vec3f, eye: vec3f, axis: vec3f }
@group(0) @binding(0) var<uniform> u: U;
struct Out { @builtin(position) position: vec4f, @location(0) uv: vec4f, @location(1) light: vec3f, @location(2) eye: vec3f }
@vertex fn main(@location(0) p: vec4f, @location(1) n: vec3f, @location(2) uv: vec4f) -> Out {
    var out: Out;
    out.position = vec4f(dot(p, u.m0), dot(p, u.m1), dot(p, u.m2), dot(p, u.m3));
    out.uv = uv;
    let tangent = normalize(cross(u.axis, p.xyz));
    let bitangent = cross(tangent, n);
    let eye = u.eye - p.xyz;
    out.light = vec3f(dot(tangent, u.light), dot(bitangent, u.light), dot(n, u.light));
    out.eye = vec3f(dot(tangent, eye), dot(bitangent, eye), dot(n, eye));
    return out;
}
