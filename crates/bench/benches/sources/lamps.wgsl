// Two bones, four lamps with highlights that grow weaker with the distance, fog, and a moving texture: about as long as the machine allows.
struct Lamp { place: vec3f, reach: f32, color: vec3f, shine: f32 }
struct Scene {
    bones: array<mat4x4f, 8>,
    view: mat4x4f,
    eye: vec3f,
    time: f32,
    lamps: array<Lamp, 4>,
    ambient: vec3f,
    density: f32,
}
@group(0) @binding(0) var<uniform> scene: Scene;

struct Vertex {
    @location(0) place: vec3f,
    @location(1) weights: vec2f,
    @location(2) normal: vec3f,
    @location(3) color: vec3f,
    @location(4) bones: vec2f,
    @location(9) uv: vec2f,
}
struct Shaded {
    @builtin(position) position: vec4f,
    @location(0) diffuse: vec4f,
    @location(1) highlight: vec4f,
    @location(2) uv: vec2f,
    @location(6) fog: f32,
}

@vertex fn lamps(v: Vertex) -> Shaded {
    let one = scene.bones[u32(v.bones.x)];
    let other = scene.bones[u32(v.bones.y)];
    let place = v.weights.x * (one * vec4f(v.place, 1.0)).xyz + v.weights.y * (other * vec4f(v.place, 1.0)).xyz;
    let turned = v.weights.x * (one * vec4f(v.normal, 0.0)).xyz + v.weights.y * (other * vec4f(v.normal, 0.0)).xyz;
    let normal = normalize(turned);
    let to_eye = scene.eye - place;
    let way = normalize(to_eye);
    var diffuse = scene.ambient;
    var highlight = vec3f(0.0);
    for (var i = 0; i < 4; i++) {
        let lamp = scene.lamps[i];
        let there = lamp.place - place;
        let distance = length(there);
        let direction = there / distance;
        let weaker = clamp(1.0 - distance * lamp.reach, 0.0, 1.0);
        let half = normalize(direction + way);
        diffuse += lamp.color * (max(dot(normal, direction), 0.0) * weaker);
        highlight += lamp.color * (pow(max(dot(normal, half), 0.0), lamp.shine) * weaker);
    }
    var out: Shaded;
    out.position = scene.view * vec4f(place, 1.0);
    out.diffuse = vec4f(min(v.color * diffuse, vec3f(1.0)), 1.0);
    out.highlight = vec4f(min(highlight, vec3f(1.0)), 1.0);
    out.uv = v.uv + vec2f(fract(scene.time), sin(scene.time + v.uv.x));
    out.fog = exp2(-length(to_eye) * scene.density);
    return out;
}
