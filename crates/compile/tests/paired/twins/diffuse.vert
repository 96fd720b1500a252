#version 450

layout(binding = 0) uniform Uniforms {
    mat4 screen;
    mat4 light;
    vec4 way;
    vec4 shine;
    vec4 scale;
    vec4 moved;
};

layout(location = 0) in vec3 p;
layout(location = 2) in vec4 n;
layout(location = 9) in vec4 uv;

layout(location = 0) out vec4 out_color;
layout(location = 2) out vec4 out_uv;

void main() {
    vec4 turned = n * light;
    out_color = shine * max(dot(turned, way), 0.0);
    vec4 t = vec4(p, 1.0) * screen;
    gl_Position = vec4(t.xyz / t.w, t.w) * scale + moved;
    out_uv = uv;
}
