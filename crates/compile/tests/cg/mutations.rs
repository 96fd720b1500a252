//! Sources with bytes changed at random: nothing panics, and what is read is a module that naga accepts.

use super::read;
use gpuzoo_compile::front::cg::Options;
use gpuzoo_isa::numbers;

/// Sources that have a bit of everything.
const SOURCES: [&str; 3] = [
    "struct In { float4 p : POSITION; float3 n : NORMAL; float2 t[2] : TEXCOORD0; };\n\
     struct Out { float4 p : POSITION; float4 c : COLOR; };\n\
     #define SQ(x) ((x) * (x))\n#if defined(SQ) && 1 < 2\nstatic const float K[3] = {1, 2.5, 0x3};\n#endif\n\
     Out main(In i, uniform float4x4 m : C4, uniform float3x4 bones[4], uniform float3 l) {\n\
     Out o; float4 p = mul(float4(i.p.xyz, 1), m);\n\
     for (int k = 0; k < 3; ++k) { if (k == 1) continue; p += K[k] * mul(bones[k], p).xyzz; }\n\
     float d = max(dot(normalize(i.n), l), 0); o.c = d > 0.5 ? SQ(d) : lit(d, d, 8); o.c.a = i.t[1].y;\n\
     p.xyz /= p.w; o.p = p; return o; }\n",
    "typedef float4 vec; float4 tint = {1, 0, 0, 1}; bool on; sampler2D map : register(s0);\n\
     void both(in float x, out float s, inout vec v) { s = x++; v[1] -= s; v.wz = v.xy; }\n\
     float sum(float v[3]) { float s = 0; int i = 3; do { s += v[--i]; } while (i > 0); return s; }\n\
     void main(int4 a : ATTR0, float4 b, out float4 o : HPOS, out half3 t[2] : TEXCOORD0, uniform float w) {\n\
     vec v = (vec)a; float s; both(b.x, s, v); float3x3 m = float3x3(1, 2, 3, v, s, s);\n\
     m[1] = m._m00_m11_m22; m *= 2; t[0] = m[2]; t[1] = half3(v.x, 1.h, !on);\n\
     float l[] = {1, 2, 3}; o = on && w >= 1 || any(b < 0) ? v * tint : sum(l); while (0) break; }\n",
    "float4 main(float4 p : POSITION, uniform float4 c[2]) : POSITION {\n\
     float s, k; sincos(p.x, s, k); int i = (int)p.w % 3; i <<= 1; i = -i + ~i | 2;\n\
     return clamp(p.wzyx, -1, 1) + c[1].rgba * s + smoothstep(0, 1, k) + transpose((float4x4)p.x)[2] + i; }\n",
];

#[test]
fn random_edits_never_panic() {
    let mut random = numbers(21);
    let mut next = move |below: usize| random(below as u32) as usize;
    let (mut read_well, mut refused) = (0, 0);
    for round in 0..4000 {
        let mut bytes = SOURCES[round % SOURCES.len()].as_bytes().to_vec();
        for _ in 0..=next(4) {
            let (at, to) = (next(bytes.len()), next(bytes.len()));
            match next(5) {
                0 => {
                    bytes.remove(at);
                }
                1 => bytes[at] = b"(){}[];,.:+-*/<>=!&|?01x\"#\\\n"[next(28)],
                2 => bytes[at] = bytes[to],
                3 => bytes.swap(at, to),
                _ => {
                    let length = next(12).min(bytes.len() - to);
                    let piece = bytes[to..to + length].to_vec();
                    bytes.splice(at..at, piece);
                }
            }
        }
        let text = String::from_utf8_lossy(&bytes);
        match read(&text, &Options::default()) {
            Ok(_) => read_well += 1,
            Err(problems) => {
                assert!(!problems.is_empty(), "{text}");
                assert!(problems.iter().all(|problem| problem.span().is_some()), "{text}\n{problems:?}");
                refused += 1;
            }
        }
    }
    // Both happen often, so that both are tested.
    assert!(read_well > 100 && refused > 100, "{read_well} {refused}");
}

/// Every beginning of a source, too.
#[test]
fn cut_sources_never_panic() {
    for source in SOURCES {
        for end in 0..source.len() {
            if let Err(problems) = read(&source[..end], &Options::default()) {
                assert!(!problems.is_empty());
            }
        }
        assert!(read(source, &Options::default()).is_ok());
    }
}
