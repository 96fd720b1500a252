// A vertex unit of 64 instructions as a host shader that interprets them: what translation is measured against. One step of the loop
// for each instruction, registers in an array, as a runtime has it that uploads programs instead of translating them.

@group(0) @binding(0)
var<uniform> words: array<vec4u, 32>; // 16 vectors of instructions, then 16 constants as bits

@group(0) @binding(1)
var<storage, read> inputs: array<vec4u>;

@group(0) @binding(2)
var<storage, read_write> outputs: array<vec4u>;

const INPUTS: u32 = 3u;
const OUTPUTS: u32 = 4u;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let run = id.x + id.y * groups.x * 64u;
    if run >= arrayLength(&outputs) / OUTPUTS {
        return;
    }
    var r: array<vec4f, 20>;
    var o: array<vec4f, 4>;
    for (var at = 0u; at < 64u; at++) {
        let word = words[at / 4u][at % 4u];
        let dst = (word >> 6u) & 15u;
        let src = (word >> 10u) & 15u;
        let a = r[dst];
        let b = r[src];
        switch word & 63u {
            case 0u: { r[dst] = bitcast<vec4f>(inputs[run * INPUTS + min(src & 7u, INPUTS - 1u)]); }
            case 1u: { o[dst & 3u] = b; }
            case 2u: { r[dst] = bitcast<vec4f>(words[16u + src]); }
            case 3u: { r[dst] = a + b; }
            case 4u: { r[dst] = a - b; }
            case 5u: { r[dst] = a * b; }
            case 6u: { r[dst] = a / b; }
            case 7u: { r[dst] = vec4f(dot(a, b), 0.0, 0.0, 0.0); }
            case 8u: { r[dst] = abs(b); }
            case 9u: { r[dst] = sign(b); }
            case 10u: { r[dst] = sqrt(b); }
            case 11u: { r[dst] = pow(a, b); }
            case 12u: { r[dst] = exp(b); }
            case 13u: { r[dst] = log(b); }
            case 14u: { r[dst] = min(a, b); }
            case 15u: { r[dst] = max(a, b); }
            case 16u: { r[dst] = sin(b); }
            case 17u: { r[dst] = cos(b); }
            case 18u: { r[dst] = tan(b); }
            case 19u: { r[dst] = asin(b); }
            case 20u: { r[dst] = acos(b); }
            case 21u: { r[dst] = atan(b); }
            case 22u: { r[dst] = atan2(a, b); }
            case 23u: {
                let s = vec4f(b[(word >> 14u) & 3u], b[(word >> 16u) & 3u], b[(word >> 18u) & 3u], b[(word >> 20u) & 3u]);
                let mask = (vec4u(word) >> vec4u(22u, 23u, 24u, 25u)) & vec4u(1u);
                r[dst] = select(a, s, mask == vec4u(1u));
            }
            case 24u: { r[dst] = r[src] * a.x + r[src + 1u] * a.y + r[src + 2u] * a.z + r[src + 3u] * a.w; }
            default: {}
        }
        if (word & 63u) == 63u {
            break;
        }
    }
    for (var at = 0u; at < OUTPUTS; at++) {
        outputs[run * OUTPUTS + at] = bitcast<vec4u>(o[at]);
    }
}
