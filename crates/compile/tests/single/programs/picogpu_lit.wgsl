struct U { light: vec3f, half: vec3f, sky: vec3f }
@group(0) @binding(0) var<uniform> u: U;
@fragment fn main(@location(0) normal: vec3f, @location(1) color: vec3f) -> @location(0) vec4f {
    let n = normalize(normal);
    let diffuse = max(dot(n, u.light), 0.0);
    var glint = max(dot(n, u.half), 0.0);
    glint = glint * glint;
    glint = glint * glint;
    glint = glint * glint;
    glint = glint * glint;
    glint = glint * glint;
    return vec4f(color * (diffuse + u.sky) + glint * 0.6, 1.0);
}
