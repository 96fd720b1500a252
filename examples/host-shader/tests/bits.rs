//! What the host's GPU gives has the machine's bits, and a program is translated once.
use gpuzoo::Inputs;
use gpuzoo::translate::Fidelity;
use gpuzoo_host::Host;
use gpuzoo_host_shader::{Guest, Shaders};

#[test]
fn the_machines_bits_and_one_translation() {
    let host = match Host::open() {
        Ok(host) => host,
        Err(none) => return gpuzoo_skipped::say(&format!("{none}: the example of an emulator")),
    };
    let text = "mov r1, v1\ndp4 oPos.x, v0, c[0]\nmad oPos.yzw, v0, c[1], r1\nrsq oD0, r1.x";
    let program = gpuzoo::nv2a().assemble("t.vsh", text).unwrap();
    let (words, kernel) = (program.words(), program.kernel("hw").unwrap());
    let values: Vec<[f32; 4]> = (1..=200).map(|n| [0.1, 1.7, 3.3, 9.1].map(|part| part * n as f32)).collect();
    let vertices: Vec<[[u32; 4]; 16]> =
        values.iter().map(|value| std::array::from_fn(|_| value.map(f32::to_bits))).collect();
    let rows = [[0.3, 0.7, 1.1, 1.3], [2.1, 0.01, 7.7, 0.33]];
    let inputs = Inputs::new().set("v0", &values).and_then(|inputs| inputs.set("v1", &values)).unwrap();
    let inputs = inputs.constant("c[0]", rows[0]).constant("c[1]", rows[1]);
    let expected = kernel.run(&inputs).unwrap();
    let constants = rows.map(|row| row.map(f32::to_bits));
    let mut shaders = Shaders::new(&host, Fidelity::Exact);
    let guest = Guest { program: &words, constants: &constants, vertices: &vertices };
    for output in ["oPos", "oD0"] {
        let found = shaders.run(&guest, output).unwrap();
        assert_eq!(found, expected.bits(output).unwrap(), "{output}");
    }
    assert_eq!(shaders.translated, 1);
}
