#version 450
// Light from one side for every fragment.

layout(location = 0) in vec3 normal;
layout(location = 1) in vec3 color;

layout(binding = 0) uniform Light { vec3 direction; float ambient; } light;

layout(location = 0) out vec4 pixel;

void main() {
    float diffuse = max(dot(normalize(normal), light.direction), 0.0);
    pixel = vec4(color * (light.ambient + (1.0 - light.ambient) * diffuse), 1.0);
}
