// Light from one side for every vertex, and a texture: one source for the Dreambox, the Xbox and Servaru-I.
//
//     gpuzoo compile --gpu nv2a lit.wgsl --explain
//     gpuzoo render nv2a.toml -o nv2a.png

struct Scene {
    mvp: mat4x4f,
    normals: mat3x3f,
    light: vec3f,       // the direction to it, of length 1
    ambient: f32,       // how bright the dark side is
    halfway: vec3f,     // between that and the direction to the eye, of length 1
    shininess: f32,
    color: vec4f,
}

@group(0) @binding(0) var<uniform> scene: Scene;

struct Vertex {
    @location(0) position: vec3f,
    @location(1) normal: vec3f,
    @location(2) uv: vec2f,
}

struct Shaded {
    @builtin(position) position: vec4f,
    @location(0) color: vec4f,
    @location(1) highlight: vec4f,
    @location(2) uv: vec2f,     // location 2 is the first texture's, on machines with colours of their own
}

@vertex
fn vertex(in: Vertex) -> Shaded {
    let normal = normalize(scene.normals * in.normal);
    let diffuse = max(dot(normal, scene.light), 0.0);
    var out: Shaded;
    out.position = scene.mvp * vec4f(in.position, 1.0);
    out.color = scene.color * (scene.ambient + (1.0 - scene.ambient) * diffuse);
    out.highlight = vec4f(pow(max(dot(normal, scene.halfway), 0.0), scene.shininess));
    out.uv = in.uv;
    return out;
}

// On the Dreambox and the Xbox this part of the pipeline is fixed, and does just that.
@group(1) @binding(0) var pattern: texture_2d<f32>;
@group(1) @binding(1) var pattern_sampler: sampler;

@fragment
fn fragment(in: Shaded) -> @location(0) vec4f {
    return textureSample(pattern, pattern_sampler, in.uv) * in.color + in.highlight;
}
