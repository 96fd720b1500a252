struct U { light: vec3f, color: vec3f, ambient: vec3f }
@group(0) @binding(0) var<uniform> u: U;
@fragment fn main(@location(0) normal: vec3f) -> @location(0) vec4f {
    return vec4f(max(dot(normalize(normal), u.light), 0.0) * u.color + u.ambient, 1.0);
}
