#version 450

layout(binding = 0) uniform Uniforms {
    mat4 screen;
    vec4 t;
};

layout(location = 0) in vec3 p;
layout(location = 9) in vec2 uv;
layout(location = 10) in vec3 q;

layout(location = 0) out vec4 out_color;
layout(location = 2) out vec2 out_uv;

void main() {
    gl_Position = vec4(p + t.x * (q - p), 1.0) * screen;
    out_uv = uv;
    out_color = vec4(1.0, 0.0, 0.0, 1.0);
}
