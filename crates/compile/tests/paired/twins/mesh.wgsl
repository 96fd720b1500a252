struct Uniforms {
    model: mat4x4f,
    view: mat4x4f,
    proj: mat4x4f,
    eye: vec4f,
    lamp: vec4f,
    shine: vec4f,
    ambient: f32,
}
@group(0) @binding(0) var<uniform> u: Uniforms;

struct Output {
    @builtin(position) p: vec4f,
    @location(0) color: vec4f,
    @location(2) uv: vec4f,
}

@vertex fn main(
    @location(0) p: vec3f,
    @location(2) n: vec3f,
    @location(9) uv: vec4f,
) -> Output {
    var o: Output;
    let world = vec4f(p, 1.0) * u.model;
    let normal = normalize((vec4f(n, 0.0) * u.model).xyz);
    let toward = normalize(u.lamp.xyz - world.xyz);
    let diffuse = max(dot(normal, toward), 0.0);
    let back = normalize(u.eye.xyz - world.xyz);
    let mirror = reflect(-toward, normal);
    let spot = pow(max(dot(back, mirror), 0.0), 64.0);
    let all_light = clamp(u.ambient + diffuse + spot, 0.0, 1.0);
    let t = world * u.view * u.proj;
    o.p = vec4f(t.xyz / t.w, t.w);
    o.uv = uv;
    o.color = all_light * u.shine;
    return o;
}
