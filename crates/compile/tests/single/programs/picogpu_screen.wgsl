struct U { x: vec4f, y: vec4f, w: vec4f }
@group(0) @binding(0) var<uniform> u: U;
struct Out { @builtin(position) position: vec4f, @location(0) normal: vec3f, @location(1) color: vec3f }
@vertex fn main(@location(0) p: vec3f, @location(1) normal: vec3f, @location(2) color: vec3f) -> Out {
    let place = vec4f(p, 1.0);
    let w = dot(place, u.w);
    return Out(vec4f(dot(place, u.x), dot(place, u.y), w * w, w), normal, color);
}
