//! `compile`, and sources where programs are taken.

use crate::common::{gpuzoo, scratch, text, with_input};

/// A source with both stages.
const SOURCE: &str = "\
struct Scene { mvp: mat4x4f, light: vec3f, ambient: f32 }
@group(0) @binding(0) var<uniform> scene: Scene;
struct Out { @builtin(position) position: vec4f, @location(0) color: vec4f }
@vertex fn vs(@location(0) position: vec3f, @location(1) normal: vec3f) -> Out {
    let diffuse = max(dot(normal, scene.light), 0.0);
    return Out(scene.mvp * vec4f(position, 1.0), vec4f(scene.ambient + diffuse));
}
@fragment fn fs(in: Out) -> @location(0) vec4f { return in.color * in.color; }
";

fn source(name: &str) -> (std::path::PathBuf, std::path::PathBuf) {
    let folder = scratch(name);
    let file = folder.join("lit.wgsl");
    std::fs::write(&file, SOURCE).unwrap();
    (folder, file)
}

/// The text that is written assembles to the words that are written.
#[test]
fn texts_assemble_to_the_same_words() {
    let (folder, file) = source("compile-text");
    for (gpu, extension) in [("nv2a", "vsh"), ("dreambox", "vu"), ("servaru", "svs")] {
        let out = folder.join(format!("lit.{extension}"));
        let done = gpuzoo(&["compile", "--gpu", gpu, text(&file), "-o", text(&out)]);
        assert_eq!((done.code, done.err.as_str()), (0, ""), "{gpu}");
        assert!(std::fs::read_to_string(&out).unwrap().contains("lit.wgsl:6"), "{gpu}");
        let words = gpuzoo(&["compile", "--gpu", gpu, text(&file), "--emit", "hex"]);
        let again = gpuzoo(&["assemble", "--gpu", gpu, text(&out), "--emit", "hex"]);
        assert_eq!((again.code, &again.out), (0, &words.out), "{gpu}: {}", again.err);
    }
}

/// Location 1 is a weight by the Xbox's habit; the source calls it a normal. What shares a register is not forgotten.
#[test]
fn a_scene_for_a_source_goes_by_its_names() {
    let (folder, file) = source("compile-scene");
    let scene = folder.join("scene.toml");
    let done =
        gpuzoo(&["render", text(&file), "--gpu", "nv2a", "--size", "64x48", "--save-scene", text(&scene)]);
    assert_eq!(done.code, 0, "{}", done.err);
    let saved = std::fs::read_to_string(&scene).unwrap();
    assert!(saved.contains("v1 = { attribute = \"normal\""), "{saved}");
    assert!(saved.contains("\"scene.light\" ="), "{saved}");
    // A number is a number, not the first of four.
    assert!(saved.contains("\"scene.ambient\" = 0.2 "), "{saved}");
}

#[test]
fn every_form_is_written() {
    let (folder, file) = source("compile-forms");
    let emit = |form: &str| gpuzoo(&["compile", "--gpu", "nv2a", text(&file), "--emit", form]).out;
    assert!(emit("c").contains("#define LIT_SCENE_MVP 96") && emit("c").contains("lit_words["));
    assert!(emit("rust").contains("pub const LIT_SCENE_LIGHT: u32 = 100;"));
    assert!(emit("c").contains("#define LIT_SCENE_MVP 96 // columns\n"));
    assert!(emit("rust").contains("/// Its first register, of 4, columns of a matrix.\n"));
    assert!(emit("inl").starts_with("// constants from 96, 4: scene.mvp, columns of a matrix\n"));
    assert_eq!(emit("inl").lines().last().map(|line| line.matches("0x").count()), Some(4));
    assert!(emit("ir").contains("dot3"));
    let json: serde_json::Value = serde_json::from_str(&emit("json")).unwrap();
    assert_eq!(json["uniforms"][0]["register"], "c96");
    assert_eq!(json["constants"][0]["matrix"], "columns");
    assert_eq!(
        (&json["inputs"][1]["name"], &json["inputs"][1]["register"]),
        (&"normal".into(), &"v1".into())
    );
    let places: Vec<&str> =
        json["lines"].as_array().unwrap().iter().filter_map(|line| line["place"].as_str()).collect();
    assert!(places.iter().any(|place| place.ends_with("lit.wgsl:5")), "{places:?}");
    assert!(json["variables"].as_array().unwrap().iter().any(|own| own["variable"] == "diffuse"));
    let binary = folder.join("lit.bin");
    let done = gpuzoo(&["compile", "--gpu", "nv2a", text(&file), "-o", text(&binary)]);
    assert_eq!((done.code, std::fs::read(&binary).unwrap().len() % 16), (0, 0));
}

#[test]
fn levels_give_the_same_results() {
    let (folder, file) = source("compile-levels");
    let inputs = folder.join("one.csv");
    std::fs::write(&inputs, "v0.x,v0.y,v0.z,v1.x,v1.z\n1,2,3,0.5,0.5\n").unwrap();
    let run = |level: &str| {
        let program = folder.join(format!("lit{level}.bin"));
        let done = gpuzoo(&["compile", "--gpu", "nv2a", text(&file), level, "-o", text(&program)]);
        assert_eq!(done.code, 0, "{}", done.err);
        let length = std::fs::read(&program).unwrap().len() / 16;
        let constants = ["-c", "c100=0,0.5,1,0.25", "-c", "c96=1,2,3,4", "--outputs", "oD0"];
        let done =
            gpuzoo(&[&["run", "--gpu", "nv2a", text(&program), text(&inputs)], &constants[..]].concat());
        assert_eq!(done.code, 0, "{}", done.err);
        (length, done.out)
    };
    let all = ["-O0", "-O1", "-O2", "-O3"].map(run);
    assert!(all.iter().all(|(_, out)| *out == all[0].1), "{all:?}");
    assert!(all[3].0 <= all[2].0 && all[2].0 < all[0].0, "{all:?}");
}

#[test]
fn sources_are_programs_wherever_one_is_taken() {
    let (folder, file) = source("compile-verbs");
    let inputs = folder.join("one.csv");
    std::fs::write(&inputs, "v0.x,v0.y,v0.z,v1.z\n1,2,3,0.5\n").unwrap();
    let own =
        ["--gpu", "nv2a", text(&file), text(&inputs), "-c", "scene.light=0,0,1", "-c", "scene.ambient=0.25"];
    let done = gpuzoo(&[&["run", "--outputs", "oD0"], &own[..]].concat());
    assert!(
        done.code == 0 && done.out.contains("0.75           0.75           0.75           0.75"),
        "{}{}",
        done.out,
        done.err
    );
    let done = gpuzoo(&[&["trace"], &own[..]].concat());
    assert!(done.code == 0 && done.out.contains("MAX"), "{}{}", done.out, done.err);
    let done = gpuzoo(&["check", "--gpu", "servaru", text(&file), "--stage", "fragment"]);
    assert!(done.code == 0 && done.out.contains("1 instruction"), "{}{}", done.out, done.err);
    let done = gpuzoo(&["run", "--gpu", "nv2a", text(&file), "--entry", "vx"]);
    assert!(done.code == 1 && done.err.contains("did you mean `vs`?"), "{}", done.err);
    // A variable, while a register holds it.
    let script = folder.join("steps.txt");
    std::fs::write(&script, "run line 5\n".to_owned() + &"step\nregisters\n".repeat(8)).unwrap();
    let done = gpuzoo(&[&["debug", "--script", text(&script)], &own[..]].concat());
    assert!(
        done.out.contains("lit.wgsl:5") && done.out.contains("diffuse = (0.5"),
        "{}{}",
        done.out,
        done.err
    );
    // Uniforms by the source's names, a matrix by its columns; a name that is none says what is near.
    std::fs::write(
        &script,
        "print scene.light.z\nprint scene.ambient\nprint scene.mvp[3].w\nbreak 3 when scene.light.x > 5\n",
    )
    .unwrap();
    let done = gpuzoo(&[&["debug", "--script", text(&script)], &own[..]].concat());
    assert!(
        done.out.contains("scene.light.z = 1\n")
            && done.out.contains("scene.ambient = (0.25")
            && done.out.contains("scene.mvp[3].w = 0\n"),
        "{}{}",
        done.out,
        done.err
    );
    // A member that is called like a component, and what takes registers alone.
    let named = folder.join("named.wgsl");
    std::fs::write(&named, SOURCE.replace("ambient", "w")).unwrap();
    let run = |line: &str| {
        std::fs::write(&script, line).unwrap();
        gpuzoo(&["debug", "--gpu", "nv2a", text(&named), "-c", "scene.w=0.5", "--script", text(&script)])
    };
    assert!(run("print scene.w\n").out.contains("scene.w = (0.5"), "{}", run("print scene.w\n").out);
    for (line, message) in [
        ("break write scene.light", "writes to `scene.light` do not stop a run"),
        ("why scene.light.x", "`scene.light` is a variable; this takes the register that holds it"),
        ("poke scene.light.xyz = 1, 2, 3", "`scene.light` is a variable"),
        ("print scene.mvp", "`scene.mvp` is several registers, of which `scene.mvp[0]` is the first"),
        ("print scene.light.q", "no register `scene.light.q`"),
        ("print diffuse", "no register holds `diffuse` here; one does at slot"),
    ] {
        let done = run(line);
        assert!(done.code == 1 && done.err.contains(message), "{line}: {}", done.err);
    }
    std::fs::write(&script, "print scene.ligth\n").unwrap();
    let done = gpuzoo(&[&["debug", "--script", text(&script)], &own[..]].concat());
    assert!(done.code == 1 && done.err.contains("did you mean `scene.light`?"), "{}", done.err);
}

#[test]
fn outputs_and_constants_go_where_they_are_wanted() {
    let (_, file) = source("compile-map");
    let compile = |more: &[&str]| gpuzoo(&[&["compile", "--gpu", "nv2a", text(&file)], more].concat());
    assert!(compile(&["--bind-output", "color=oT2"]).out.contains("oT2"));
    assert!(compile(&["--bind-output", "0=oB0"]).out.contains("oB0"));
    let json: serde_json::Value =
        serde_json::from_str(&compile(&["--bind-output", "0=oB0", "--emit", "json"]).out).unwrap();
    assert_eq!(
        [0, 1].map(|output| json["outputs"][output]["register"].as_str()),
        [Some("oPos"), Some("oB0")]
    );
    assert!(compile(&["--constants-at", "120"]).out.contains("c[120]"));
    assert!(!compile(&["--position", "clip"]).out.contains("c[58]"));
    for (map, said) in [
        ("colour=oT2", "no output `colour`"),
        ("color=oX", "no output of the machine"),
        ("color=R0", "no output of the machine"),
        ("color", "is not `NAME=VALUE`"),
        ("color=oT1 --bind-output 0=oT2", "`--bind-output` has `0` twice"),
    ] {
        let done = compile(&[&["--bind-output"], &map.split(' ').collect::<Vec<_>>()[..]].concat());
        assert!(done.code == 2 && done.err.contains(said), "{} {}", done.code, done.err);
    }
}

#[test]
fn what_is_wrong_is_shown_in_the_source() {
    let broken = SOURCE.replace("max(", "mux(");
    let done = with_input(&["compile", "--gpu", "nv2a", "-", "--stdin-name", "a.wgsl"], &broken);
    assert!(
        done.code == 1 && done.err.contains("error[K0001]") && done.err.contains("a.wgsl:5:19"),
        "{}",
        done.err
    );
    let done = with_input(&["compile", "--gpu", "nv2a", "-"], SOURCE);
    assert!(done.code == 1 && done.err.contains("error[G0239]"), "{} {}", done.code, done.err);
    let done = with_input(&["compile", "--gpu", "nv2a", "-", "--from", "wgsl"], SOURCE);
    assert_eq!(done.code, 0, "{}", done.err);
    let done = with_input(&["compile", "--gpu", "nv2a", "-", "--from", "asm"], SOURCE);
    assert!(done.code == 2 && done.err.contains("is not a shading language"), "{} {}", done.code, done.err);
    // Too long, by how much and where.
    let long = "@vertex fn vs(@location(0) a: vec4f) -> @builtin(position) vec4f {\n\
        var v = a;\nfor (var i = 0; i < 40; i++) { v = sin(v) + a; }\nreturn v;\n}\n";
    let done = with_input(&["compile", "--gpu", "dreambox", "-", "--stdin-name", "a.wgsl"], long);
    assert!(done.code == 1 && done.err.contains("a.wgsl:3"), "{} {}", done.code, done.err);
}

/// A source without a scene is drawn like any program; what would change nothing is refused.
#[test]
fn a_source_alone_is_drawn() {
    let (folder, file) = source("compile-alone");
    let picture = folder.join("a.png");
    let done = gpuzoo(&["render", "--gpu", "dreambox", text(&file), "--size", "64x48", "-o", text(&picture)]);
    assert!(done.code == 0 && done.err.contains("\"scene.mvp\" = { matrix"), "{} {}", done.code, done.err);
    // A picture of one colour is smaller.
    assert!(std::fs::read(&picture).unwrap().len() > 200);
    // A scene would not know what is in the file.
    let other = folder.join("lit.txt");
    std::fs::write(&other, SOURCE).unwrap();
    let done = gpuzoo(&["render", "--gpu", "dreambox", text(&other), "--from", "wgsl", "-o", text(&picture)]);
    assert!(done.code == 2 && done.err.contains("by its name"), "{} {}", done.code, done.err);
    let done = with_input(&["run", "--gpu", "nv2a", "-", "--entry", "vs"], "mov oPos, v0\n");
    assert!(done.code == 2 && done.err.contains("`--entry` is for sources"), "{} {}", done.code, done.err);
}

/// The product of two matrices of uniforms, and what is shaded with uniforms alone.
const PRODUCTS: &str = "\
struct Scene { projection: mat4x4f, view: mat4x4f, light: vec4f, normals: mat3x3f }
@group(0) @binding(0) var<uniform> scene: Scene;
struct Out { @builtin(position) position: vec4f, @location(0) color: vec4f }
@vertex fn vs(@location(0) position: vec3f, @location(1) normal: vec3f) -> Out {
    let color = scene.light * (1.0 + scene.light.w);
    return Out(scene.projection * scene.view * vec4f(position, 1.0), color * dot(scene.normals * normal, scene.light.xyz));
}
";

/// With what the host computes left out of the program, everything comes out as before, and the program is shorter.
#[test]
fn the_host_computes_what_is_asked_of_it() {
    let folder = scratch("compile-host");
    let (file, inputs) = (folder.join("products.wgsl"), folder.join("one.csv"));
    std::fs::write(&file, PRODUCTS).unwrap();
    std::fs::write(&inputs, "v0.x,v0.y,v0.z,v1.x,v1.z\n1,2,3,0.5,0.5\n").unwrap();
    let slots = |all: &[&str]| {
        let done = gpuzoo(&[&["compile", "--gpu", "servaru", text(&file), "--emit", "json"], all].concat());
        let json: serde_json::Value = serde_json::from_str(&done.out).unwrap();
        (json["slots"].as_array().unwrap().len(), json)
    };
    let ((long, before), (short, json)) = (slots(&[]), slots(&["--host-constants"]));
    assert!(before.get("host").is_none() && short < long, "{short} {long}");
    let names: Vec<&str> =
        json["host"]["constants"].as_array().unwrap().iter().filter_map(|own| own["name"].as_str()).collect();
    assert_eq!(names.first().copied(), Some("color"));
    assert!(
        json["host"]["c"].as_str().unwrap().contains("static inline void host_constants(float (*c)[4]) {")
    );
    let emit = |form: &str| {
        gpuzoo(&["compile", "--gpu", "nv2a", text(&file), "--host-constants", "--emit", form]).out
    };
    assert!(emit("c").contains("static inline void products_host_constants(float (*c)[4]) {"));
    assert!(emit("asm").contains(": color, which the host computes: scene.light * (1.0 + scene.light.w)"));
    for gpu in ["nv2a", "servaru"] {
        let of = |name: &str| if gpu == "nv2a" { name.to_owned() } else { name.replace('v', "P") };
        std::fs::write(&inputs, format!("{}\n1,2,3,0.5,0.5\n", of("v0.x,v0.y,v0.z,v1.x,v1.z"))).unwrap();
        let run = |verb: &str, more: &[&str]| {
            let given = [
                "-c",
                "scene.projection=1,0,0,0,0,2,0,0,0,0,1,0,0,0,0,1",
                "-c",
                "scene.view=0,1,0,0,1,0,0,0,0,0,1,0,3,4,5,1",
                "-c",
                "scene.light=0.5,1,2,1",
                "-c",
                "scene.normals=1,0,0,0,1,0,0,0,1",
            ];
            let done =
                gpuzoo(&[&[verb, "--gpu", gpu, text(&file), text(&inputs)], &given[..], more].concat());
            assert_eq!(done.code, 0, "{}", done.err);
            (done.out, done.err)
        };
        let ((plain, _), (hosted, notes)) = (run("run", &[]), run("run", &["--host-constants"]));
        assert_eq!(plain, hosted, "{gpu}");
        // Nothing is said to be missing but what draws set.
        assert!(!notes.contains("`scene.") && !notes.contains("`color`"), "{notes}");
        assert!(run("trace", &["--host-constants"]).0.lines().count() < run("trace", &[]).0.lines().count());
    }
    // A scene's programs are told so, and draw the same.
    let examples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/compile");
    std::fs::copy(examples.join("lit.wgsl"), folder.join("lit.wgsl")).unwrap();
    let scene = std::fs::read_to_string(examples.join("servaru.toml")).unwrap();
    let hosted = scene.replace("file = \"lit.wgsl\"", "file = \"lit.wgsl\"\nhost_constants = true");
    assert_ne!(scene, hosted);
    let drawn = |name: &str, scene: &str| {
        let file = folder.join(name);
        std::fs::write(&file, scene).unwrap();
        let done = gpuzoo(&["render", text(&file), "-o", text(&file.with_extension("png"))]);
        assert_eq!(done.code, 0, "{}", done.err);
        std::fs::read(file.with_extension("png")).unwrap()
    };
    assert!(drawn("one.toml", &scene) == drawn("other.toml", &hosted));
}

/// Sources are not assembled; what makes programs of them is said.
#[test]
fn sources_are_not_assembled() {
    let (_, file) = source("compile-assemble");
    let done = gpuzoo(&["assemble", "--gpu", "nv2a", text(&file)]);
    assert_eq!(done.code, 2, "{}", done.err);
    assert!(done.err.contains("is a source in a shading language, not assembly text"), "{}", done.err);
    assert!(done.err.contains("gpuzoo compile --gpu nv2a"), "{}", done.err);
    let done = with_input(&["assemble", "--gpu", "nv2a", "-", "--stdin-name", "a.vert"], "void main() {}");
    assert!(done.err.contains("`a.vert` is a source"), "{}", done.err);
}

/// A program that declares its inputs and outputs has them where it says.
#[test]
fn declared_registers_are_those_of_the_program() {
    let folder = scratch("compile-declared");
    let file = folder.join("two.wgsl");
    let source = "struct O { @builtin(position) p: vec4f, @location(0) a: vec4f, @location(1) b: vec4f }\n\
        @vertex fn v(@location(0) a: vec4f, @location(1) b: vec4f) -> O { return O(a, b * 2.0, a + b); }\n";
    std::fs::write(&file, source).unwrap();
    for more in [&[][..], &["--bind-output", "0=r2", "--bind-output", "1=r1"]] {
        let compile =
            |own: &[&str]| gpuzoo(&[&["compile", "--gpu", "picogpu", text(&file)], more, own].concat()).out;
        let json: serde_json::Value = serde_json::from_str(&compile(&["--emit", "json"])).unwrap();
        let program = compile(&[]);
        for (list, order) in
            [("input", [0, 1].as_slice()), ("output", if more.is_empty() { &[0, 1, 2] } else { &[0, 2, 1] })]
        {
            let declared = program.lines().filter_map(|line| line.strip_prefix(&format!("#{list} ")));
            let declared: Vec<&str> = declared.filter_map(|port| port.split('.').next()).collect();
            let said: Vec<&str> = order
                .iter()
                .map(|at: &usize| json[format!("{list}s")][*at]["register"].as_str().unwrap())
                .collect();
            assert_eq!(said, declared, "{program}");
        }
    }
}

/// All uniforms are there to be filled in, each with its own components, and what is filled in comes back.
#[test]
fn inputs_of_sources_are_written_and_read() {
    let (folder, file) = source("compile-inputs");
    let inputs = folder.join("inputs.json");
    let given = ["-c", "scene.ambient=0.25", "-c", "scene.light=0,0,1"];
    let run = |more: &[&str]| {
        let done = gpuzoo(&[&["run", "--gpu", "nv2a", text(&file)], more].concat());
        assert_eq!(done.code, 0, "{}", done.err);
        done.out
    };
    let written = run(&[&given[..], &["--emit-inputs", text(&inputs)]].concat());
    assert_eq!(written, "");
    let json: serde_json::Value = serde_json::from_slice(&std::fs::read(&inputs).unwrap()).unwrap();
    assert_eq!(json["constants"]["scene.ambient"], serde_json::json!([0.25]));
    assert_eq!(json["constants"]["scene.light"], serde_json::json!([0, 0, 1]));
    let out = run(&[text(&inputs), "--outputs", "oD0"]);
    assert!(out.contains("0.25"), "{out}");
}

/// An option that a language has no use for is not taken without a word.
#[test]
fn options_of_other_languages_are_refused() {
    let (folder, file) = source("compile-options");
    for option in ["--define=FOG", "-Iinclude"] {
        let done = gpuzoo(&["compile", "--gpu", "nv2a", text(&file), option]);
        assert_eq!(done.code, 2, "{option}: {}", done.err);
        assert!(done.err.contains("G0108") && done.err.contains("WGSL"), "{}", done.err);
    }
    let shader = folder.join("p.vert");
    std::fs::write(
        &shader,
        "#version 450\nlayout(location = 0) in vec4 p;\nvoid main() { gl_Position = p * SCALE; }\n",
    )
    .unwrap();
    let done = gpuzoo(&["compile", "--gpu", "nv2a", text(&shader), "--define", "SCALE=2.0"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert_eq!(gpuzoo(&["compile", "--gpu", "nv2a", text(&shader), "-I", "."]).code, 2);
}

/// Cg keeps rows of a matrix, whatever it is multiplied with; WGSL keeps columns. Scenes are told of the other order.
#[test]
fn matrices_have_the_order_of_their_language() {
    let folder = scratch("compile-matrices");
    let wgsl = "@group(0) @binding(0) var<uniform> m: mat4x4f;\n\
        @vertex fn vs(@location(0) p: vec4f) -> @builtin(position) vec4f { return m * p; }";
    let cg = |product: &str| {
        format!(
            "void main(float4 p : POSITION, uniform float4x4 m, out float4 o : POSITION) {{ o = {product}; }}"
        )
    };
    let transposed = "{ transpose = \"model_view_projection\" }";
    let plain = "\"model_view_projection\"";
    let sources = [
        ("a.wgsl", wgsl.to_owned(), "columns", plain, transposed),
        ("b.cg", cg("mul(m, p)"), "rows", transposed, plain),
        ("c.cg", cg("mul(p, m)"), "rows", plain, transposed),
    ];
    for (name, text_of, order, right, wrong) in sources {
        std::fs::write(folder.join(name), text_of).unwrap();
        for gpu in ["dreambox", "nv2a", "servaru"] {
            let file = folder.join(name);
            let header = gpuzoo(&["compile", "--gpu", gpu, text(&file), "--emit", "c"]).out;
            assert!(
                header.lines().any(|line| line.contains("_M ") && line.ends_with(&format!(" // {order}"))),
                "{header}"
            );
            let input = if gpu == "servaru" {
                "P0"
            } else if gpu == "nv2a" {
                "v0"
            } else {
                "in0"
            };
            for (matrix, count) in [(right, 0), (wrong, 1)] {
                let scene = folder.join("scene.toml");
                let made = format!(
                    "gpu = \"{gpu}\"\nsize = [16, 16]\n[program.p]\nfile = \"{name}\"\n[mesh.m]\nshape = \"plane\"\n[[draw]]\n\
                     program = \"p\"\nmesh = \"m\"\nconstants = {{ m = {{ matrix = {matrix} }} }}\ninput = {{ {input} = \"position\" }}\n"
                );
                std::fs::write(&scene, made).unwrap();
                let done = gpuzoo(&["check", text(&scene)]);
                assert_eq!(
                    done.err.matches("R0327").count() + done.out.matches("R0327").count(),
                    count,
                    "{gpu} {name} {matrix}: {}{}",
                    done.out,
                    done.err
                );
            }
        }
    }
}
