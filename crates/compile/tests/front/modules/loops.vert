#version 450
// Loops within loops, left and continued from ifs, and a `do` with `continue`.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 c;
void main() {
    gl_Position = a;
    float r = 0.0;
    int n = 0;
    do {
        ++n;
        if (a.x > float(n)) continue;
        r += 1.0;
        for (int i = 0; i < 3; ++i) {
            if (i == int(a.y)) { if (a.z > 1.0) break; else continue; }
            r = r * 2.0 + 1.0;
        }
    } while (n < 3);
    c = vec4(r, float(n), a.x > 1.0 && a.y > 1.0 ? r : -r, 1.0);
}
