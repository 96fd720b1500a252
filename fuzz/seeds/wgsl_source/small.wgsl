@group(0) @binding(0) var<uniform> m: mat4x4f;
@vertex fn vs(@location(0) p: vec4f) -> @builtin(position) vec4f {
    var sum = vec4f();
    for (var i = 0; i < 3; i++) { sum += m[i] * select(p.x, 1.0, p.y > 0.5); }
    return sum;
}
@fragment fn fs(@location(0) c: vec4f) -> @location(0) vec4f { return c * c; }
