struct Uniforms {
    screen: mat4x4f,
    way: array<vec4f, 4>,
    shine: array<vec4f, 4>,
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
    @location(0) p: vec3f,
    @location(2) n: vec3f,
    @location(3) color: vec4f,
    @location(9) uv: vec2f,
) -> Output {
    var o: Output;
    let t = vec4f(p, 1.0) * u.screen;
    o.p = vec4f(t.xyz / t.w, t.w);
    var sum = u.ambient;
    for (var i = 0; i < 4; i++) {
        sum += max(dot(n, u.way[i].xyz), 0.0) * u.shine[i];
    }
    o.color = clamp(sum * color, vec4f(0.0, 0.0, 0.0, 0.0), vec4f(1.0, 1.0, 1.0, 1.0));
    o.uv = uv;
    return o;
}
