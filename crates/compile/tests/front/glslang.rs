//! GLSL as glslangValidator reads it: what is compiled of a source computes what the words of glslang's module say, or
//! is refused. Skipped where glslangValidator is not installed.

use super::evaluator::{Module, Run, Value};
use super::shader;
use gpuzoo_ir::{eval, vec4};
use std::collections::HashMap;
use std::process::Command;

const HEAD: &str = "#version 450\nlayout(location = 0) in vec4 a;\nlayout(location = 0) out vec4 c;\n\
    struct S { float p; float q[2]; };\nint count = 0;\nfloat g = 1.0;\nfloat h = g + 1.0;\nconst int N = 2;\n\
    int next() { return count++; }\nfloat twice(float x) { x *= 2.0; return x; }\n\
    float sub(float x, float y) { return x - y; }\nvoid grow(inout float x, float by) { x += by; }\n\
    void grow2(inout vec2 x) { x += vec2(1.0, 2.0); }\nvoid aliased(inout float x) { x += 1.0; g = 10.0; }\n\
    void early(out float x, bool b) { x = 1.0; if (b) return; x = 2.0; }\nvoid whole(out int x) { x = 3; }\n\
    void change(inout S s) { s.p += 1.0; s.q[1] = 3.0; }\nvoid fill(inout float x[2]) { x[1] = x[0] + 1.0; }\n\
    float sh(float x) { { float x = 5.0; x += 1.0; } return x; }\nfloat hides(float g) { g += 1.0; return g; }\n\
    float kind(float x) { return 1.0; }\nfloat kind(int x) { return 2.0; }\nfloat kind(vec2 x) { return 3.0; }\n\
    float found(float x) { for (int i = 0; i < 4; i++) { for (int k = 0; k < 3; k++) { if (x < float(i + k)) return float(10 * i + k); } } return -1.0; }\n\
    float chosen(int k) { switch (k) { case 0: return 1.0; case 1: { if (a.y > 1.0) return 2.0; break; } case -1: return 4.0; default: break; } return 3.0; }\n";

/// What `main` does beside.
const BODIES: &[&str] = &[
    "float x = 1.0; switch (int(a.x)) { case 1: float x = 2.0; c.x += x; break; default: c.x = 5.0; } c.y = x;",
    "float x = 1.0; if (a.x > 0.0) { float x = 2.0; c.y = x; } c.x = x;",
    "float x = 1.0; { float x = x + 1.0; c.x = x; } c.y = x;",
    "for (int i = 0, j = 3; i < j; i++, j--) c.x += float(i * j + 1);",
    "for (int i = 0; i < 3; i++) for (int i = 0; i < 2; i++) c.x += float(i);",
    "int i = 9; for (int i = 0; i < 3; i++) { } c.x = float(i);",
    "for (int i = 0; i < 3; i++) { int k = 1; k += i; c.x += float(k); for (int n = 0; n < 2; n++) { int k = 5; k++; c.y += float(k); } }",
    "int i = 0; while (true) { if (++i > 3) break; if (i == 2) continue; c.x += float(i); } c.y = float(i);",
    "int i = 0; do { i++; if (i == 2) break; c.x += 1.0; } while (i < 5); c.y = float(i);",
    "int i = 0; for (;;) { if (i++ > 2) break; c.x += float(i); }",
    "for (int i = 0; i < 4; i++) { if (a.x > float(i)) continue; c.x += 1.0; if (a.y < float(i)) break; c.y += 1.0; }",
    "float twice = a.x; c.x = twice;",
    "c.x = twice(a.x) + sh(a.y) + hides(a.z); c.y = g; c.z = h;",
    "c = vec4(kind(1.0), kind(1), kind(a.xy), found(a.x));",
    "c = vec4(chosen(int(a.x)), chosen(int(a.y)), chosen(-1), chosen(7));",
    "const float t[3] = float[3](1.0, 2.0, 3.0); c.x = t[int(a.x) & 1]; c.y = t[1];",
    "const vec2 k[2] = vec2[2](vec2(1.0, 2.0), vec2(3.0, 4.0)); c.xy = k[int(a.x) & 1];",
    "float x[2], y; x[0] = 1.0; y = 2.0; c.xy = vec2(x[0], y);",
    "float x[2], y[3]; x[1] = 1.0; y[2] = 2.0; c = vec4(x[1], y[2], x.length(), y.length());",
    "vec4 x[4], y; x[1] = a; y = a.wzyx; y[0] = 7.0; c = x[1] + y;",
    "float x[N + 1]; c.x = float(x.length());",
    "int i = 7; i %= 4; i <<= 2; i |= 1; i ^= 3; i &= 14; i >>= 1; c.x = float(i);",
    "c.x = float(1 + 2 * 3 - 4 / 2 % 3 << 1 | 2 & 7 ^ 5);",
    "c.x = a.x > 0.0 == a.y > 3.0 != true ? 1.0 : 2.0;",
    "c.x = a.x < 2.0 || a.y > 1.0 && a.z < 0.0 ^^ true ? 1.0 : 0.0;",
    "c.x = a.x > 1.0 ? 1.0 : a.y > 1.0 ? 2.0 : 3.0; c.y = (a.x > 1.0 ? a : a.wzyx).y;",
    "c.x = -a.x - -a.y + +a.z; c.y = !(a.x > 1.0) ? 1.0 : 2.0; c.z = float(~5);",
    "mat2 m = mat2(a.x, a.y, a.z, a.w); m[1][0] += 5.0; m *= 2.0; c = vec4(m[0], m[1]);",
    "mat2 m = mat2(a.x, a.y, a.z, a.w); vec2 v = a.xy; v *= m; c.xy = v; c.zw = m * a.xy;",
    "mat2 m = mat2(a.x, a.y, a.z, a.w); m *= m; m++; m /= 2.0; c = vec4(m[0], m[1]);",
    "mat2 m = mat2(3.0), n = mat2(a.x, a.y, a.z, a.w); m[int(a.x) & 1] = n[1]; c = vec4(m[0], m[1]);",
    "mat3x2 m = mat3x2(a.x, a.y, a.z, a.w, 5.0, 6.0); c.xyz = transpose(m)[1]; c.yw += m * a.xyz;",
    "vec4 v = a; v.yx += v.xy; c = v;",
    "vec4 v = a; v.xyz = v.zxy; v.w++; ++v.x; c = v;",
    "vec4 v = a; v.wzyx = a * 2.0; v.zw--; c = v;",
    "vec4 v = a; v.zw *= v.xy; v.x = v.y = 3.0; c = v;",
    "vec4 v = a; c = v++ * 2.0 + v;",
    "bvec2 b = lessThan(a.xy, a.zw); c.x = any(b) ? 1.0 : 0.0; c.y = all(not(b)) ? 1.0 : 0.0;",
    "S s; s.p = 1.0; s.q[0] = 4.0; S t = s; t.p = 2.0; t.q[0] = 5.0; c = vec4(s.p, t.p, s.q[0], t.q[0]);",
    "float x[2] = float[2](1.0, 2.0); float y[2] = x; y[0] = 5.0; c.xy = vec2(x[0], y[0]); fill(y); c.zw = vec2(y[0], y[1]);",
    "S s = S(a.x, float[2](2.0, 3.0)); change(s); c.xyz = vec3(s.p, s.q[0], s.q[1]); grow(s.q[0], 2.0); c.w = s.q[0];",
    "S s[2]; s[1] = S(a.x, float[2](2.0, 3.0)); change(s[1]); c.xyz = vec3(s[1].p, s[1].q[0], s[1].q[1]);",
    "grow(g, 2.0); c.x = g; c.y = h;",
    "aliased(g); c.x = g;",
    "float x = g; aliased(x); c.xy = vec2(x, g);",
    "vec4 v = a; grow2(v.zx); c = v;",
    "vec4 v = a; grow(v.y, 2.0); grow(v[2], 3.0); grow(v[int(a.x) & 3], 4.0); c = v;",
    "mat2 m = mat2(1.0); grow(m[1][0], 2.0); grow2(m[0]); c = vec4(m[0], m[1]);",
    "grow(c.x, 3.0); grow(c.y, a.x); grow2(c.zw);",
    "float x; early(x, a.x > 1.0); c.x = x; early(c.y, a.y > 1.0);",
    "float x; whole(x); c.x = x; int y; whole(y); c.y = float(y);",
    "float x = 3; c.x = x / 2; c.y = float(7 / 2); float z = 7 / 2; c.z = z; c.w = 2 * a.x;",
    "c = vec4(int(a.x + 0.7), uint(a.y), bool(a.z), int(-1.5));",
    "int i = 1, j = (i++, i + 2); c.xy = vec2(i, j);",
    "int i = 1, j = 2, k = 3; i = j = k += 2; c.xyz = vec3(i, j, k);",
    "int i = 1; c.x = sub(float(i++), float(i)); c.y = sub(float(i), float(i--));",
    "c.x = sub(float(count), float(next() + count)); c.y = sub(float(next()), float(count));",
    "c.x = float(count) + float(next()) * 10.0 + float(count) * 100.0;",
    "float x[3] = float[3](1.0, 2.0, 3.0); int i = 0; x[i] = float(i++ + 7); c = vec4(x[0], x[1], x[2], i);",
    "float x[3] = float[3](1.0, 2.0, 3.0); int i = 0; x[i++] = x[i++]; c = vec4(x[0], x[1], x[2], i);",
    "float x[3] = float[3](1.0, 2.0, 3.0); int i = 0; c.x = x[i++] + 10.0 * x[i++]; c.y = float(i);",
    "vec2 x[2] = vec2[2](vec2(1.0, 2.0), vec2(3.0, 4.0)); int i = 0; c.x = x[i++][i]; c.y = float(i);",
    "vec2 x[2] = vec2[2](vec2(1.0, 2.0), vec2(3.0, 4.0)); int i = 0; x[i++][i++] = 9.0; c = vec4(x[0], x[1]);",
    "c.xy = vec2(next()).xy; c.z = float(count);",
    "c.x = vec2(next(), next()).y; c.y = float(count);",
    "const float k = a.x * 2.0; c.x = k;",
    "switch (uint(a.x)) { case 0u: c.x = 1.0; break; case 1u: c.x = 2.0; case 2u: c.x += 3.0; } switch (int(a.y)) { }",
    "switch (int(a.x)) { case 0: switch (int(a.y)) { case 1: c.x = 1.0; break; default: c.x = 2.0; } c.y = 1.0; break; case 1: c.x = 4.0; default: c.y = 2.0; }",
    "switch (int(a.x)) { case 2: default: c.x = 1.0; case 1: c.x += 2.0; break; case 3: c.x = 4.0; }",
    "switch (next()) { case 0: c.x = float(count); break; case 1: c.x = 9.0; }",
    "for (int i = 0; i < 4; i++) { switch (i + int(a.x)) { case 1: continue; case 2: for (int k = 0; k < 3; k++) { if (k == 1) break; c.z += 1.0; } default: c.y += 1.0; } c.x += 1.0; }",
    "if (a.x > 1.0) if (a.y > 1.0) c.x = 1.0; else c.x = 2.0;",
    "float x; c.x = (x = a.x) + 1.0; c.y = (x += 2.0) * 2.0; c.z = x++ + 1.0; c.w = --x;",
    "int i = 5; i += i++ * 0; c.x = float(i);",
    "count += 1 + next() * 0; c.x = float(count);",
    "c.x = a.x > 0.0 ? float(next()) : float(next() + 5); c.y = float(count);",
    "int i = 0; c.x = (a.x > 1.0 ? i++ : --i) > 0 ? float(i++) : float(i); c.y = float(i);",
    "c = mix(a, a.wzyx, lessThan(a, vec4(2.0))); c.x += mod(-a.x, 3.0) + sign(-a.y) + fract(-0.25);",
    "c = vec4(dot(a.xy, a.zw), length(a.xyz), step(1.0, a.x), smoothstep(0.0, 4.0, a.y)); c.xyz += cross(a.xyz, a.yzw);",
    "uint u = 5u; u -= uint(a.x); c.x = float(u); c.y = float(3u - 1u); c.z = float(int(u) / 2);",
    "float x[2]; x = float[2](a.x, a.y); c.xy = vec2(x[0], x[1]); c.z = float[2](5.0, 6.0)[1];",
    "S s; (s.q)[1] = 4.0; c.x = s.q[1]; (c).y = 5.0; (c.z) = 6.0; (c.xy).x += 1.0;",
];

const INPUTS: [[f32; 4]; 5] = [
    [1.0, 2.0, 3.0, 4.0],
    [0.0, 1.0, 2.0, 0.0],
    [2.0, 0.0, 1.0, 3.0],
    [3.0, 3.0, 0.0, 1.0],
    [1.0, 0.0, 5.0, 2.0],
];

/// The words that glslangValidator makes of a source; None if it is not installed.
fn words(text: &str) -> Option<Result<Vec<u8>, String>> {
    let folder = std::env::temp_dir().join(format!("gpuzoo-glslang-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let [source, module] = ["a.vert", "a.spv"].map(|name| folder.join(name));
    std::fs::write(&source, text).unwrap();
    let done = Command::new("glslangValidator").arg("-V").arg("-o").args([&module, &source]).output();
    let words = done.ok().map(|done| match done.status.success() {
        true => Ok(std::fs::read(&module).unwrap()),
        false => Err(String::from_utf8_lossy(&done.stdout).into_owned()),
    });
    let _ = std::fs::remove_dir_all(&folder);
    words
}

#[test]
fn glsl_gives_what_its_module_says() {
    let (mut refused, mut wrong, mut count) = (Vec::new(), Vec::new(), 0);
    for body in BODIES {
        let text = format!("{HEAD}void main() {{ gl_Position = vec4(0.0); c = vec4(0.0); {body} }}\n");
        let Some(words) = words(&text) else {
            gpuzoo_skipped::say("glslangValidator is not installed: GLSL is not compared with its modules");
            return;
        };
        let bytes = words.unwrap_or_else(|message| panic!("{body}\n{message}"));
        let shader = match shader("a.vert", &text) {
            Ok((shader, _)) => shader,
            Err(problems) => {
                refused.push(format!("{}: {}: {body}", problems[0].code.id, problems[0].message));
                continue;
            }
        };
        let module = Module::parse(&bytes).unwrap();
        let variable = |name: &str| *module.names.iter().find(|(_, own)| *own == name).unwrap().0;
        let at = shader.outputs.iter().position(|own| own.name == "c").unwrap();
        for input in INPUTS {
            let value = Value::Parts(input.map(Value::float).to_vec());
            let mut run = Run::new(&module, &HashMap::from([(variable("a"), value)])).unwrap();
            run.call(module.entries[0].function, &[]).unwrap_or_else(|stop| panic!("{body}: {stop:?}"));
            let expected: Vec<f32> = run
                .holds(variable("c"))
                .unwrap()
                .parts()
                .unwrap()
                .iter()
                .map(|own| own.to_float().unwrap())
                .collect();
            let got = eval::outputs(&shader.function, &[vec4(input)], &[])[at].map(f32::from_bits);
            if expected.iter().zip(&got).any(|(one, other)| (one - other).abs() > 1e-4) {
                wrong.push(format!("{expected:?} by its module, {got:?} compiled, of {input:?}: {body}"));
                break;
            }
        }
        count += 1;
    }
    println!("{count} compared, refused: {refused:#?}");
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(count > BODIES.len() / 2, "{refused:#?}");
}
