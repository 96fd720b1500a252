#version 450

layout(binding = 0) uniform Uniforms {
    mat4 model;
    mat4 view;
    mat4 proj;
    vec4 eye;
    vec4 lamp;
    vec4 shine;
    float ambient;
};

layout(location = 0) in vec3 p;
layout(location = 2) in vec3 n;
layout(location = 9) in vec4 uv;

layout(location = 0) out vec4 out_color;
layout(location = 2) out vec4 out_uv;

void main() {
    vec4 world = vec4(p, 1.0) * model;
    vec3 normal = normalize((vec4(n, 0.0) * model).xyz);
    vec3 toward = normalize(lamp.xyz - world.xyz);
    float diffuse = max(dot(normal, toward), 0.0);
    vec3 back = normalize(eye.xyz - world.xyz);
    vec3 mirror = reflect(-toward, normal);
    float spot = pow(max(dot(back, mirror), 0.0), 64.0);
    float all_light = clamp(ambient + diffuse + spot, 0.0, 1.0);
    vec4 t = world * view * proj;
    gl_Position = vec4(t.xyz / t.w, t.w);
    out_uv = uv;
    out_color = all_light * shine;
}
