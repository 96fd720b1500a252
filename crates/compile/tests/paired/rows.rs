//! The computations of programs that people run on the machine, in words of our own, and how many slots they take.

use super::check;

/// A vertex shader of a body, with the uniforms and inputs that it names.
fn vertex(uniforms: &str, inputs: &str, body: &str) -> String {
    format!(
        "struct U {{ {uniforms} }}\n@group(0) @binding(0) var<uniform> u: U;\n\
         struct O {{ @builtin(position) p: vec4f, @location(0) color: vec4f, @location(2) uv: vec4f, @location(6) fog: f32 }}\n\
         @vertex fn vs({inputs}) -> O {{ var o: O; {body} return o; }}"
    )
}

/// As [`vertex`], with outputs that are not all there are.
fn partial(uniforms: &str, inputs: &str, outputs: &str, body: &str) -> String {
    let text = vertex(uniforms, inputs, body);
    let from = text.find("struct O").unwrap();
    let to = text.find("@vertex").unwrap();
    let outputs = format!("struct O {{ @builtin(position) p: vec4f, {outputs} }}\n");
    text.replace(&text[from..to], &outputs)
}

const COLOR: &str = "@location(0) color: vec4f";
const UV: &str = "@location(2) uv: vec4f";
const P_COLOR: &str = "@location(0) p: vec3f, @location(3) color: vec4f";
const DIVIDED: &str = "let t = vec4f(p, 1.0) * u.m; o.p = vec4f(t.xyz / t.w, t.w); o.color = color;";

#[test]
fn triangles() {
    check("triangle", &partial("m: mat4x4f", P_COLOR, COLOR, DIVIDED), 6);
    let two = format!("{COLOR}, @location(2) uv: vec2f");
    let inputs = format!("{P_COLOR}, @location(9) uv: vec2f");
    check("textured", &partial("m: mat4x4f", &inputs, &two, &format!("{DIVIDED} o.uv = uv;")), 7);
    let offset = format!("{DIVIDED} o.uv = uv + u.offset;");
    check("offset", &partial("m: mat4x4f, offset: vec2f", &inputs, &two, &offset), 7);
    let fog = format!("{two}, @location(6) fog: f32");
    check(
        "offset, fog",
        &partial("m: mat4x4f, offset: vec2f", &inputs, &fog, &format!("{offset} o.fog = t.w;")),
        7,
    );
}

#[test]
fn diffuse() {
    let uniforms = "screen: mat4x4f, light: mat4x4f, way: vec4f, shine: vec4f, scale: vec4f, moved: vec4f";
    let inputs = "@location(0) p: vec3f, @location(2) n: vec4f, @location(9) uv: vec4f";
    let body = "let turned = n * u.light; o.color = u.shine * max(dot(turned, u.way), 0.0);
        let t = vec4f(p, 1.0) * u.screen; o.p = vec4f(t.xyz / t.w, t.w) * u.scale + u.moved; o.uv = uv;";
    check("diffuse", &partial(uniforms, inputs, &format!("{COLOR}, {UV}"), body), 14);
}

#[test]
fn lit_mesh() {
    let uniforms =
        "model: mat4x4f, view: mat4x4f, proj: mat4x4f, eye: vec4f, lamp: vec4f, shine: vec4f, ambient: f32";
    let inputs = "@location(0) p: vec3f, @location(2) n: vec3f, @location(9) uv: vec4f";
    let body = "let world = vec4f(p, 1.0) * u.model;
        let normal = normalize((vec4f(n, 0.0) * u.model).xyz);
        let toward = normalize(u.lamp.xyz - world.xyz);
        let diffuse = max(dot(normal, toward), 0.0);
        let back = normalize(u.eye.xyz - world.xyz);
        let mirror = reflect(-toward, normal);
        let spot = pow(max(dot(back, mirror), 0.0), 64.0);
        let all = saturate(u.ambient + diffuse + spot);
        let t = world * u.view * u.proj;
        o.p = vec4f(t.xyz / t.w, t.w); o.uv = uv; o.color = all * u.shine;";
    check("lit mesh", &partial(uniforms, inputs, &format!("{COLOR}, {UV}"), body), 34);
}

#[test]
fn chosen_attribute() {
    let uniforms = "which: i32, mask: vec4f, bias: vec2f";
    let inputs = "@location(0) p: vec4f, @location(1) weight: f32, @location(2) n: vec3f, @location(3) d: vec4f, @location(4) s: vec4f, \
        @location(9) a: vec4f, @location(10) b: vec4f, @location(11) c: vec4f, @location(12) e: vec4f";
    let body = "var v = vec4f(1.0, 0.0, 0.0, 0.75);
        if u.which == 0 { v = vec4f(weight, 1.0, 1.0, 1.0); } else if u.which == 1 { v = vec4f(n, 1.0); }
        else if u.which == 2 { v = d; } else if u.which == 3 { v = s; } else if u.which == 8 { v = a; }
        else if u.which == 9 { v = b; } else if u.which == 10 { v = c; } else if u.which == 11 { v = e; }
        v = (v + u.bias.x) * u.bias.y;
        o.p = p; o.color = mix(vec4f(0.0, 0.0, 0.0, 1.0), clamp(v, vec4f(), vec4f(1.0)), u.mask);";
    check("chosen attribute", &partial(uniforms, inputs, COLOR, body), 34);
}

#[test]
fn fixed_function() {
    let uniforms = "model: mat4x4f, view: mat4x4f, proj: mat4x4f, eye: vec4f, lamp: vec4f, ambient: vec4f, shine: vec4f, spot: vec4f";
    let inputs = "@location(0) p: vec3f, @location(2) n: vec3f, @location(9) uv: vec4f";
    let outputs = format!("{COLOR}, @location(1) spot: vec4f, {UV}");
    let body = "let world = vec4f(p, 1.0) * u.model;
        let normal = normalize((vec4f(n, 0.0) * u.model).xyz);
        let toward = normalize(u.eye.xyz - world.xyz);
        let half = toward + u.lamp.xyz;
        let nl = dot(normal, u.lamp.xyz);
        let nh = dot(normal, half);
        let t = world * u.view * u.proj;
        o.p = vec4f(t.xyz / t.w, t.w); o.uv = uv;
        o.color = max(nl, 0.0) * u.shine + u.ambient;
        o.spot = select(0.0, pow(nh, 16.0), nl > 0.0) * u.spot;";
    check("fixed function", &partial(uniforms, inputs, &outputs, body), 26);
}

#[test]
fn skinning() {
    let uniforms = "bones: array<mat3x4f, 24>, m: mat4x4f, lamp: vec4f, shine: vec4f";
    let inputs =
        "@location(0) p: vec3f, @location(1) weight: vec4f, @location(2) n: vec3f, @location(5) bone: vec4f";
    for (bones, slots) in [(1, 20), (2, 31), (4, 53)] {
        let mut body = "var q = vec3f(); var m = vec3f();".to_owned();
        for bone in 0..bones {
            let place = ["x", "y", "z", "w"][bone];
            body += &format!(
                "{{ let b = u.bones[i32(bone.{place})]; let w = weight.{place}; \
                 q += w * (vec4f(p, 1.0) * b); m += w * (vec4f(n, 0.0) * b); }}"
            );
        }
        body += "o.p = vec4f(q, 1.0) * u.m; o.color = max(dot(m, u.lamp.xyz), 0.0) * u.shine;";
        check(&format!("skinning, {bones}"), &partial(uniforms, inputs, COLOR, &body), slots);
    }
}

#[test]
fn morph() {
    let uniforms = "m: mat4x4f, t: f32, offset: vec2f";
    let inputs = "@location(0) p: vec3f, @location(1) q: vec3f, @location(9) uv: vec2f";
    let body = "let t = vec4f(p + u.t * (q - p), 1.0) * u.m; o.p = t; o.uv = uv; o.color = vec4f(1.0, 0.0, 0.0, 1.0);";
    check("morph", &partial(uniforms, inputs, "@location(0) color: vec4f, @location(2) uv: vec2f", body), 8);
}
