struct Uniforms {
    bones: array<mat3x4f, 24>,
    viewproj: mat4x4f,
    lamp: array<vec4f, 2>,
    shine: array<vec4f, 2>,
    ambient: vec4f,
    diffuse: vec4f,
}
@group(0) @binding(0) var<uniform> u: Uniforms;

struct Output {
    @builtin(position) p: vec4f,
    @location(0) color: vec4f,
    @location(2) uv: vec2f,
}

@vertex fn main(
    @location(0) p: vec4f,
    @location(1) weight: vec4f,
    @location(2) n: vec3f,
    @location(5) bone: vec4f,
    @location(9) uv: vec2f,
) -> Output {
    var o: Output;
    var place = vec4f(0.0, 0.0, 0.0, 0.0);
    var normal = vec3f(0.0, 0.0, 0.0);
    for (var i = 0; i < 2; i++) {
        place += vec4f(p * u.bones[u32(bone[i])], 1.0) * weight[i];
        normal += vec4f(n, 0.0) * u.bones[u32(bone[i])] * weight[i];
    }
    normal = normalize(normal);
    let one = normalize(u.lamp[0].xyz - place.xyz * u.lamp[0].w);
    let two = normalize(u.lamp[1].xyz - place.xyz * u.lamp[1].w);
    o.p = place * u.viewproj;
    o.uv = uv;
    o.color = u.diffuse * (u.ambient + clamp(dot(one, normal), 0.0, 1.0) * u.shine[0] + clamp(dot(two, normal), 0.0, 1.0) * u.shine[1]);
    return o;
}
