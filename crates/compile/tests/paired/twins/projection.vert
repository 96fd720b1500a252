#version 450

layout(binding = 0) uniform Uniforms {
    mat4 model;
    mat4 view;
    mat4 proj;
};

layout(location = 0) in vec4 p;
layout(location = 3) in vec4 color;
layout(location = 4) in vec4 spot;
layout(location = 7) in vec4 back;
layout(location = 8) in vec4 backspot;
layout(location = 9) in vec4 a;
layout(location = 10) in vec4 b;
layout(location = 11) in vec4 c;
layout(location = 12) in vec4 d;

layout(location = 0) out vec4 out_color;
layout(location = 1) out vec4 out_spot;
layout(location = 2) out vec4 out_a;
layout(location = 3) out vec4 out_b;
layout(location = 4) out vec4 out_c;
layout(location = 5) out vec4 out_d;
layout(location = 6) out float out_fog;
layout(location = 7) out vec4 out_back;
layout(location = 8) out vec4 out_backspot;

void main() {
    vec4 t = p * model * view * proj;
    gl_Position = vec4(t.xyz / t.w, t.w);
    out_fog = t.w;
    out_color = color;
    out_spot = spot;
    out_back = back;
    out_backspot = backspot;
    out_a = a;
    out_b = b;
    out_c = c;
    out_d = d;
}
