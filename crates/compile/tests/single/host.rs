//! What is computed from uniforms alone is left to the host, and gives what it gave.

use super::{random::run, shader};
use gpuzoo_compile::build;
use gpuzoo_compile::host::split;
use gpuzoo_compile::options::Options;
use gpuzoo_ir::{Vec4, eval, vec4};
use gpuzoo_isa::Stage;
use gpuzoo_machine::ShaderUnit;

const TEXT: &str = "v0 = input 0\nv1 = uniform 0\nv2 = uniform 1\nv3 = fmul v1, v2\nv4 = fadd v3, v1\n\
    v5 = v2.xxxx\nv6 = fmul v5, v1\nv7 = fmul v0, v4\nv8 = v6.x___ | v7._yzw\nv9 = fneg v2\nv10 = fadd v8, v9\n\
    v11 = dot3 v1, v2\nv12 = fmul v0, v11\noutput 0 = v10\noutput 1 = v12\n";

const INPUTS: [[f32; 4]; 1] = [[1.5, -2.0, 3.25, 0.5]];
const UNIFORMS: [[f32; 4]; 2] = [[1.0, 2.0, 3.0, 4.0], [0.5, -1.0, 2.0, 8.0]];

fn values() -> (Vec<Vec4>, Vec<Vec4>) {
    (INPUTS.map(vec4).to_vec(), UNIFORMS.map(vec4).to_vec())
}

#[test]
fn programs_with_host_constants_give_the_same() {
    let machines: [&dyn ShaderUnit; 4] =
        [&gpuzoo_nv2a::GPU, &gpuzoo_dreambox::GPU, &gpuzoo_servaru::GPU, &gpuzoo_picogpu::GPU];
    let text = TEXT.replace("output 1 = v12\n", "");
    for unit in machines {
        // PicoGpu has three uniforms.
        let few = unit.about().id == "picogpu";
        let text = if few { &text } else { TEXT };
        let shader = shader(Stage::Vertex, text, &[4], if few { &[4] } else { &[4, 4] }, &[4, 4]);
        let (inputs, uniforms) = values();
        let expected = eval::outputs(&shader.function, &inputs, &uniforms);
        let mut slots = Vec::new();
        for host_constants in [false, true] {
            let built = build(unit, &shader, &Options { host_constants, ..Options::default() });
            let built = match built {
                // What is left to the host has no room there.
                Err(problems) if few => {
                    assert_eq!((problems[0].code.id, host_constants), ("K0306", true));
                    continue;
                }
                built => built.unwrap(),
            };
            slots.push(built.program.slots.len());
            assert_eq!(built.program.host.is_some(), host_constants);
            let found = run(unit, &shader, &built, &inputs, &uniforms, 0);
            assert_eq!(found, expected, "{} {host_constants}", unit.about().id);
        }
        assert!(few || slots[1] <= slots[0], "{}: {slots:?}", unit.about().id);
    }
}

#[test]
fn the_host_gets_whole_values_and_packs_numbers() {
    let shader = shader(Stage::Vertex, TEXT, &[4], &[4, 4], &[4, 4]);
    let (rest, host) = split(&shader).unwrap();
    let names: Vec<_> =
        rest.uniforms[2..].iter().map(|own| (own.name.as_str(), own.first, own.mask.0)).collect();
    // y, z and w of a sum, x of a product beside them, and one component of a dot product.
    assert_eq!(names, [("host0", 2, 0b0111), ("host1", 2, 0b1000), ("host2", 3, 0b0001)]);
    let (inputs, mut uniforms) = values();
    let expected = eval::outputs(&shader.function, &inputs, &uniforms);
    let computed = eval::outputs(&host, &[], &uniforms);
    uniforms.extend(computed);
    assert_eq!(eval::outputs(&rest.function, &inputs, &uniforms), expected);
    // A change of sign, and moving components about, are no work for anybody.
    assert!(
        split(&super::shader(
            Stage::Vertex,
            "v0 = uniform 0\nv1 = fneg v0\nv2 = v1.wzyx\noutput 0 = v2\n",
            &[],
            &[4],
            &[4]
        ))
        .is_none()
    );
}
