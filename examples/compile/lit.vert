#version 450
// From a model to pixels, for PicoGpu: three rows of a matrix are all the uniforms that it has room for.
//
//     gpuzoo compile --gpu picogpu lit.vert

layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec3 color;

layout(binding = 0) uniform Rows { vec4 x, y, w; } to_pixels;

layout(location = 0) out vec3 out_normal;
layout(location = 1) out vec3 out_color;

void main() {
    vec4 p = vec4(position, 1.0);
    float w = dot(to_pixels.w, p);
    // The machine divides by w: a depth of w then compares as a distance.
    gl_Position = vec4(dot(to_pixels.x, p), dot(to_pixels.y, p), w * w, w);
    out_normal = normal;
    out_color = color;
}
