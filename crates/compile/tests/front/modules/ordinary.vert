#version 450
// Switches as most sources have them.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 c;
float pick(int k) {
    switch (k) {
    case 0: return 1.0;
    case 1:
    case 2: return 2.0;
    }
    return 4.0;
}
void main() {
    gl_Position = a;
    float r = 0.0;
    for (int i = 0; i < 4; ++i) {
        switch (int(a.x) + i) {
        case 0: r += 1.0; break;
        case 1: if (a.y > 1.0) break; r += 2.0; break;
        case 2: case 3: continue;
        case 4: for (int k = 0; k < 3; ++k) { if (k > int(a.y)) break; r += 4.0; } break;
        default: r += 8.0;
        }
        r += 100.0;
    }
    switch (int(a.z)) { case 7: r += 1000.0; break; default: break; }
    switch (int(a.z)) { default: r += 2000.0; break; }
    c = vec4(r, pick(int(a.x)), pick(int(a.y)), 1.0);
}
