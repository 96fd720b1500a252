struct U { light: vec3f, dark: vec4f, middle: vec4f, bright: vec4f, edges: vec4f }
@group(0) @binding(0) var<uniform> u: U;
@fragment fn main(@location(0) uv: vec2f, @location(1) normal: vec3f, @location(2) to_eye: vec3f) -> @location(0) vec4f {
    let n = normalize(normal);
    let eye = normalize(to_eye);
    let bright = dot(n, u.light);
    let front = dot(n, eye);
    let glint = dot(n, normalize(eye + u.light));
    var color = u.middle;
    if bright > 0.625 { color = u.bright; }
    if bright < 0.125 { color = u.dark; }
    if glint > u.edges.y { color = vec4f(1.0); }
    if front < u.edges.x { color = vec4f(0.0); }
    return color;
}
