#version 450
// `default` falls through to the case behind it.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 c;
void main() {
    gl_Position = vec4(0.0);
    float r = 0.0;
    switch (int(a.x)) { default: r += 100.0; case 0: r += 10.0; break; }
    c = vec4(r, 0.0, 0.0, 0.0);
}
