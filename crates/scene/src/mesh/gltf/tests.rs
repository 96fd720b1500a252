use super::*;

fn no_files(_: &str) -> io::Result<Vec<u8>> {
    Err(io::ErrorKind::NotFound.into())
}

fn read(bytes: &[u8]) -> Result<(Mesh, Vec<Diagnostic>), Diagnostic> {
    parse(bytes, Span::default(), &no_files, &Budget::default())
}

/// A `.glb` of a JSON text and a binary chunk.
fn glb(json: &str, binary: &[u8]) -> Vec<u8> {
    let mut chunks = Vec::new();
    for (kind, data, filler) in [(b"JSON", json.as_bytes(), b' '), (b"BIN\0", binary, 0)] {
        let length = data.len().next_multiple_of(4);
        chunks.extend((length as u32).to_le_bytes());
        chunks.extend(kind);
        chunks.extend(data);
        chunks.resize(chunks.len() + length - data.len(), filler);
    }
    let head =
        [b"glTF".to_vec(), 2u32.to_le_bytes().to_vec(), (chunks.len() as u32 + 12).to_le_bytes().to_vec()];
    [head.concat(), chunks].concat()
}

/// One triangle in the xy plane with its indices as bytes after the positions.
fn triangle() -> Vec<u8> {
    let positions = [0.0f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    positions.iter().flat_map(|component| component.to_le_bytes()).chain([0, 1, 2, 9]).collect()
}

fn document(nodes: &str, indices: &str) -> String {
    format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":[{nodes}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},{indices}"material":0}}]}}],
        "materials":[{{"pbrMetallicRoughness":{{"baseColorFactor":[0.5,0.25,1,1]}}}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]}},
                     {{"bufferView":1,"componentType":5121,"count":3,"type":"SCALAR"}},
                     {{"bufferView":1,"componentType":5121,"count":4,"type":"SCALAR"}},
                     {{"bufferView":1,"componentType":5121,"count":4000000000,"type":"SCALAR"}}],
        "bufferViews":[{{"buffer":0,"byteLength":36}},{{"buffer":0,"byteOffset":36,"byteLength":4}}],
        "buffers":[{{"byteLength":40}}]}}"#
    )
}

#[test]
fn nodes_place_meshes() {
    // The parent moves by (10, 0, 0), the child turns by 90 degrees around z and doubles.
    let nodes = r#"{"translation":[10,0,0],"children":[1]},
        {"rotation":[0,0,0.70710678,0.70710678],"scale":[2,2,2],"mesh":0}"#;
    let (mesh, warnings) = read(&glb(&document(nodes, r#""indices":1,"#), &triangle())).unwrap();
    assert!(warnings.is_empty());
    let near = |a: [f32; 4], b: [f32; 4]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-5);
    let positions = mesh.attribute("position").unwrap();
    assert!(
        near(positions.get(1), [10.0, 2.0, 0.0, 1.0]) && near(positions.get(2), [8.0, 0.0, 0.0, 1.0]),
        "{positions:?}"
    );
    assert_eq!(mesh.attribute("color").unwrap().get(0), [0.5, 0.25, 1.0, 1.0]);
    assert!(near(mesh.attribute("normal").unwrap().get(0), [0.0, 0.0, 1.0, 0.0]));
    assert_eq!(mesh.indices(), [0, 1, 2]);
}

#[test]
fn a_mirror_keeps_fronts_in_front() {
    let nodes = r#"{"mesh":0,"scale":[-1,1,1]}"#;
    let (mesh, _) = read(&glb(&document(nodes, ""), &triangle())).unwrap();
    assert_eq!(mesh.indices(), [0, 2, 1]);
    assert_eq!(mesh.attribute("normal").unwrap().get(0), [0.0, 0.0, 1.0, 0.0]);
}

#[test]
fn circles_of_nodes_end() {
    let nodes = r#"{"mesh":0,"children":[1,1,0]},{"mesh":0,"children":[0,1]}"#;
    let (mesh, _) = read(&glb(&document(nodes, ""), &triangle())).unwrap();
    assert_eq!(mesh.vertex_count(), 6);
}

#[test]
fn data_in_the_text_and_in_other_files() {
    let text = document(r#"{"mesh":0}"#, "");
    let embedded = text.replace(
        r#"{"byteLength":40}"#,
        &format!(r#"{{"byteLength":40,"uri":"data:application/octet-stream;base64,{}"}}"#, "A".repeat(56)),
    );
    let (mesh, _) = read(embedded.as_bytes()).unwrap();
    assert_eq!(mesh.attribute("position").unwrap().iter().collect::<Vec<_>>(), [[0.0, 0.0, 0.0, 1.0]; 3]);
    let named = text.replace(r#"{"byteLength":40}"#, r#"{"byteLength":40,"uri":"my%20data.bin"}"#);
    let error = read(named.as_bytes()).unwrap_err();
    assert!(error.message.contains("cannot read the buffer `my data.bin`"), "{error:?}");
    let found = parse(
        named.as_bytes(),
        Span::default(),
        &|name| {
            assert_eq!(name, "my data.bin");
            Ok(triangle())
        },
        &Budget::default(),
    );
    assert_eq!(found.unwrap().0.attribute("position").unwrap().get(1), [1.0, 0.0, 0.0, 1.0]);
}

#[test]
fn every_truncation_is_an_error() {
    let whole = glb(&document(r#"{"mesh":0}"#, r#""indices":1,"#), &triangle());
    assert!(read(&whole).is_ok());
    for length in 0..whole.len() {
        let error = read(&whole[..length]).unwrap_err();
        assert_eq!(error.code.id, "R0406", "{length}");
    }
}

#[test]
fn what_is_wrong_is_said() {
    let cases = [
        (document(r#"{"mesh":0}"#, r#""indices":2,"#), "R0403", "an index is 9"),
        (document(r#"{"mesh":0}"#, r#""indices":3,"#), "R0406", "has 4000000000 values"),
        (document(r#"{"mesh":0}"#, r#""indices":7,"#), "R0406", "accessor 7 is not there"),
        (document(r#"{"mesh":0}"#, r#""indices":0,"#), "R0406", "wrong number of components"),
        (document(r#"{"mesh":5}"#, ""), "R0406", "there is no mesh 5"),
        (document(r#"{"mesh":0,"children":[8]}"#, ""), "R0406", "there is no node 8"),
        (document("{}", ""), "R0402", "no vertices"),
        (document(r#"{"mesh":0}"#, r#""mode":0,"#), "R0402", "no vertices"),
        (document(r#"{"mesh":0}"#, r#""mode":9,"#), "R0406", "unknown mode"),
        (
            document(r#"{"mesh":0}"#, "").replace("\"byteLength\":36", "\"byteLength\":41"),
            "R0406",
            "beyond its buffer",
        ),
        (
            document(r#"{"mesh":0}"#, "").replace("\"byteLength\":36", "\"byteLength\":35"),
            "R0406",
            "beyond its buffer view",
        ),
        (
            document(r#"{"mesh":0}"#, "").replace("\"byteLength\":36", "\"byteLength\":36,\"byteStride\":8"),
            "R0406",
            "a stride of 8",
        ),
        (
            document(r#"{"mesh":0}"#, "").replace("{\"byteLength\":40}", "{\"byteLength\":99}"),
            "R0406",
            "has 40 of 99 bytes",
        ),
        (
            document(r#"{"mesh":0}"#, "").replace(
                "\"scene\":0",
                "\"scene\":0,\"extensionsRequired\":[\"KHR_draco_mesh_compression\"]",
            ),
            "R0407",
            "needs `KHR_draco",
        ),
    ];
    for (json, code, words) in cases {
        let error = read(&glb(&json, &triangle())).unwrap_err();
        assert_eq!(error.code.id, code, "{error:?}");
        assert!(error.message.contains(words), "{error:?}");
    }
    let mut odd = glb("{}", &[]);
    odd[4] = 1;
    assert!(read(&odd).unwrap_err().message.contains("glTF 1"));
    assert_eq!(read(b"").unwrap_err().code.id, "R0406");
    assert_eq!(read(b"[[[[").unwrap_err().code.id, "R0406");
    assert_eq!(read("[".repeat(1_000_000).as_bytes()).unwrap_err().code.id, "R0406");
}

#[test]
fn modes_become_lists() {
    let order = [5, 6, 7, 8];
    let list = |mode| listed(mode, &order, false, &Budget::default()).unwrap().0;
    assert_eq!(list(Mode::TriangleStrip), [5, 6, 7, 6, 8, 7]);
    assert_eq!(list(Mode::TriangleFan), [5, 6, 7, 5, 7, 8]);
    assert_eq!(list(Mode::LineStrip), [5, 6, 6, 7, 7, 8]);
    assert_eq!(list(Mode::LineLoop), [5, 6, 6, 7, 7, 8, 8, 5]);
    assert_eq!(list(Mode::Points), [0u32; 0]);
}

#[test]
fn sparse_values_replace() {
    // Zeros, of which the last is replaced by the second position of the triangle.
    let json = document(r#"{"mesh":0}"#, "").replace(
        r#"{"bufferView":0,"componentType":5126,"count":3,"#,
        r#"{"sparse":{"count":1,"indices":{"bufferView":1,"byteOffset":2,"componentType":5121},"values":{"bufferView":0,"byteOffset":12}},"componentType":5126,"count":3,"#,
    );
    let (mesh, _) = read(&glb(&json, &triangle())).unwrap();
    assert_eq!(
        mesh.attribute("position").unwrap().iter().collect::<Vec<_>>(),
        [[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, 1.0], [1.0, 0.0, 0.0, 1.0]]
    );
    let beyond = json.replace("\"byteOffset\":2", "\"byteOffset\":3");
    assert!(read(&glb(&beyond, &triangle())).unwrap_err().message.contains("changes a value"));
}
