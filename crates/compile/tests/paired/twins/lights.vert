#version 450

layout(binding = 0) uniform Uniforms {
    mat4 screen;
    vec4 way[4];
    vec4 shine[4];
    vec4 ambient;
    vec4 diffuse;
};

layout(location = 0) in vec3 p;
layout(location = 2) in vec3 n;
layout(location = 3) in vec4 color;
layout(location = 9) in vec2 uv;

layout(location = 0) out vec4 out_color;
layout(location = 2) out vec2 out_uv;

void main() {
    vec4 t = vec4(p, 1.0) * screen;
    gl_Position = vec4(t.xyz / t.w, t.w);
    vec4 sum = ambient;
    for (int i = 0; i < 4; i++) {
        sum += max(dot(n, way[i].xyz), 0.0) * shine[i];
    }
    out_color = clamp(sum * color, vec4(0.0, 0.0, 0.0, 0.0), vec4(1.0, 1.0, 1.0, 1.0));
    out_uv = uv;
}
