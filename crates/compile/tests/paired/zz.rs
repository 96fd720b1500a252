use super::shader;
use gpuzoo_compile::options::{Level, Options};
use gpuzoo_compile::paired::build;
#[test]
fn timing() {
    let mut body = String::new();
    for turn in 0..7 {
        body += &format!("x = vec4f(normalize(x.xyz * u[{turn}].xyz + v.xyz), x.w) + sin(x.wzyx) * max(dot(x, u[{}]), 0.0);\n", turn + 8);
    }
    let texts = [("long", format!("@group(0) @binding(0) var<uniform> u: array<vec4f, 40>;\n@vertex fn vs(@location(0) p: vec4f, @location(1) v: vec4f) -> @builtin(position) vec4f {{ var x = p;\n{body} return x; }}")),
     ("lights", {
        let mut body = String::from("let n = normalize((vec4f(v.xyz, 0.0) * m).xyz); let w = vec4f(p.xyz, 1.0) * m; var c = vec4f(0.1); ");
        for l in 0..8 { body += &format!("{{ let d = u[{l}].xyz - w.xyz; let r = inverseSqrt(dot(d, d)); let k = max(dot(n, d * r), 0.0); let h = normalize(d * r + u[39].xyz); c += u[{}] * k / (1.0 + u[{l}].w * dot(d,d)) + u[{}] * pow(max(dot(n, h), 0.0), 32.0); }}", l + 10, l + 20); }
        format!("struct O {{ @builtin(position) p: vec4f, @location(0) c: vec4f }}\n@group(0) @binding(0) var<uniform> u: array<vec4f, 40>;\n@group(0) @binding(1) var<uniform> m: mat4x4f;\n@vertex fn vs(@location(0) p: vec4f, @location(1) v: vec4f) -> O {{ var o: O; {body} o.p = w; o.c = c; return o; }}")
     })];
    for (name, text) in texts {
        let shader = shader(&text);
        for level in [Level::Source, Level::Quick, Level::Usual] {
            let now = std::time::Instant::now();
            let built = build(&gpuzoo_nv2a::GPU, &shader, &Options { raw_position: true, level, ..Options::default() });
            println!("{name} {level:?} {:?} {:?}", now.elapsed(), built.as_ref().map(|b| (b.program.slots.len(), b.bound)).map_err(|e| e[0].message.clone()));
        }
    }
}
