#version 450

layout(binding = 0) uniform Uniforms {
    mat4 screen;
    vec2 offset;
};

layout(location = 0) in vec3 p;
layout(location = 3) in vec4 color;
layout(location = 9) in vec2 uv;

layout(location = 0) out vec4 out_color;
layout(location = 2) out vec2 out_uv;
layout(location = 6) out float out_fog;

void main() {
    vec4 t = vec4(p, 1.0) * screen;
    gl_Position = vec4(t.xyz / t.w, t.w);
    out_color = color;
    out_uv = uv + offset;
    out_fog = t.w;
}
