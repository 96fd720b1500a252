#version 450
// A function returns from a switch in a loop.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 c;
float look(float x) {
    for (int i = 0; i < 4; ++i) {
        switch (i) { case 2: if (x > 1.0) return 20.0; break; default: x += 0.5; }
        x += 1.0;
    }
    return x;
}
void main() { gl_Position = a; c = vec4(look(a.x)); }
