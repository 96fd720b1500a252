//! Meshes of any bits are drawn or refused. Files of any bytes are the fuzzer's (`apps/fuzz-targets`).

use crate::common::{Files, scene};
use crate::files::{GLTF, positions};
use gpuzoo_diag::has_errors;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn positions_of_any_bits(bits in prop::collection::vec(any::<u32>(), 9)) {
        let data: Vec<u8> = bits.iter().flat_map(|bits| bits.to_le_bytes()).collect();
        prop_assert_eq!(data.len(), positions().len());
        let files = Files::default().with("a.gltf", GLTF).with("tri.bin", data);
        for fit in ["", "fit = 2"] {
            let mesh = format!("[mesh.file]\nfile = \"a.gltf\"\n{fit}\n\n[texture");
            let text = scene().replace("mesh = \"quad\"\n", "mesh = \"file\"\n").replace("[texture", &mesh);
            let loaded = files.load(&text);
            prop_assert_eq!(loaded.scene.is_none(), has_errors(&loaded.problems));
            prop_assert!(loaded.scene.is_none_or(|scene| scene.frame(0).is_ok()));
        }
    }
}
