struct U { mvp: mat4x4f, mv: mat4x4f, normal: mat4x4f, light: vec4f, color: vec4f, ambient: vec4f, shine: vec4f }
@group(0) @binding(0) var<uniform> u: U;
struct Out { @builtin(position) position: vec4f, @location(0) color: vec4f, @location(1) glint: vec4f, @location(2) uv: vec4f }
@vertex fn main(@location(0) position: vec4f, @location(1) normal: vec4f, @location(2) uv: vec4f) -> Out {
    var out: Out;
    out.position = u.mvp * position;
    let place = u.mv * position;
    let n = normalize(u.normal * normal);
    let eye = normalize(vec4f(-place.xyz, 0.0));
    let half = normalize(eye + u.light);
    let lit = max(dot(u.light, n), 0.0);
    let glint = max(dot(half, n), 0.0);
    out.color = lit * u.color + u.ambient;
    out.glint = pow(glint, u.shine.w) * u.shine * sign(lit);
    out.uv = uv;
    return out;
}
