struct U { light: vec3f, tiles: vec4f, color: vec3f }
@group(0) @binding(0) var<uniform> u: U;
@fragment fn main(@builtin(position) place: vec4f, @location(0) normal: vec3f, @location(1) uv: vec3f) -> @location(0) vec4f {
    let scaled = uv.xy * u.tiles.xy;
    let part = scaled - (scaled + 8388608.0 - 8388608.0);
    let edge = min(max(part.x * part.y * 400.0 + 0.5, 0.0), 1.0);
    let ground = vec3f(0.92, 0.88, 0.8);
    let color = edge * (u.color - ground) + ground;
    let light = max(dot(normalize(normal), u.light), 0.0) * 0.8 + 0.2;
    return vec4f(color * light / (1.0 + place.z * u.tiles.z), 1.0);
}
