#version 450

layout(binding = 0) uniform Uniforms {
    mat4 model;
    mat4 view;
    mat4 proj;
};

layout(location = 0) in vec3 p;
layout(location = 3) in vec4 color;
layout(location = 9) in vec2 uv;

layout(location = 0) out vec4 out_color;
layout(location = 2) out vec2 out_uv;

void main() {
    vec4 t = vec4(p, 1.0) * model * view * proj;
    gl_Position = vec4(t.xyz / t.w, t.w);
    out_color = color;
    out_uv = uv;
}
