struct U { mvp0: vec4f, mvp1: vec4f, mvp2: vec4f, mvp3: vec4f, m0: vec4f, m1: vec4f, m2: vec4f, pad: vec4f, eye: vec4f }
@group(0) @binding(0) var<uniform> u: U;
struct Out { @builtin(position) position: vec4f, @location(0) uv: vec4f, @location(1) normal: vec3f, @location(2) eye: vec3f }
@vertex fn main(@location(0) p: vec4f, @location(1) n: vec3f, @location(2) uv: vec4f) -> Out {
    var out: Out;
    out.position = vec4f(dot(p, u.mvp0), dot(p, u.mvp1), dot(p, u.mvp2), dot(p, u.mvp3));
    out.uv = uv;
    out.normal = vec3f(dot(n, u.m0.xyz), dot(n, u.m1.xyz), dot(n, u.m2.xyz));
    out.eye = u.eye.xyz - vec3f(dot(p, u.m0), dot(p, u.m1), dot(p, u.m2));
    return out;
}
