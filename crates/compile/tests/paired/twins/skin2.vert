#version 450

layout(binding = 0) uniform Uniforms {
    mat3x4 bones[24];
    mat4 viewproj;
    vec4 lamp[2];
    vec4 shine[2];
    vec4 ambient;
    vec4 diffuse;
};

layout(location = 0) in vec4 p;
layout(location = 1) in vec4 weight;
layout(location = 2) in vec3 n;
layout(location = 5) in vec4 bone;
layout(location = 9) in vec2 uv;

layout(location = 0) out vec4 out_color;
layout(location = 2) out vec2 out_uv;

void main() {
    vec4 place = vec4(0.0, 0.0, 0.0, 0.0);
    vec3 normal = vec3(0.0, 0.0, 0.0);
    for (int i = 0; i < 2; i++) {
        place += vec4(p * bones[int(bone[i])], 1.0) * weight[i];
        normal += vec4(n, 0.0) * bones[int(bone[i])] * weight[i];
    }
    normal = normalize(normal);
    vec3 one = normalize(lamp[0].xyz - place.xyz * lamp[0].w);
    vec3 two = normalize(lamp[1].xyz - place.xyz * lamp[1].w);
    gl_Position = place * viewproj;
    out_uv = uv;
    out_color = diffuse * (ambient + clamp(dot(one, normal), 0.0, 1.0) * shine[0] + clamp(dot(two, normal), 0.0, 1.0) * shine[1]);
}
