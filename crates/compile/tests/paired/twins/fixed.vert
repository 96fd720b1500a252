#version 450

layout(binding = 0) uniform Uniforms {
    mat4 model;
    mat4 view;
    mat4 proj;
    vec4 eye;
    vec4 lamp;
    vec4 ambient;
    vec4 shine;
    vec4 gloss;
};

layout(location = 0) in vec3 p;
layout(location = 2) in vec3 n;
layout(location = 9) in vec4 uv;

layout(location = 0) out vec4 out_color;
layout(location = 1) out vec4 out_spot;
layout(location = 2) out vec4 out_uv;

void main() {
    vec4 world = vec4(p, 1.0) * model;
    vec3 normal = normalize((vec4(n, 0.0) * model).xyz);
    vec3 toward = normalize(eye.xyz - world.xyz);
    vec3 middle = toward + lamp.xyz;
    float nl = dot(normal, lamp.xyz);
    float nh = dot(normal, middle);
    vec4 t = world * view * proj;
    gl_Position = vec4(t.xyz / t.w, t.w);
    out_uv = uv;
    out_color = max(nl, 0.0) * shine + ambient;
    out_spot = (nl > 0.0 ? pow(nh, 16.0) : 0.0) * gloss;
}
