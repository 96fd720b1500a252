#version 450

layout(binding = 0) uniform Uniforms {
    mat4 screen;
};

layout(location = 0) in vec3 p;
layout(location = 3) in vec4 color;

layout(location = 0) out vec4 out_color;

void main() {
    vec4 t = vec4(p, 1.0) * screen;
    gl_Position = vec4(t.xyz / t.w, t.w);
    out_color = color;
}
