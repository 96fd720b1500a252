//! The module as its host has it: requests in memory, answers in memory. Node tries the same in WebAssembly (apps/web/npm/tests).

use gpuzoo_wasm::{alloc, answer, attach, bytes, call, vera_advance, vera_read, vera_write};
use serde_json::{Value as Json, json};

/// Leaves bytes in memory that the module gives.
fn put(bytes: &[u8]) -> (*mut u8, usize) {
    let start = alloc(bytes.len());
    // SAFETY: there is room for as many.
    unsafe { start.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
    (start, bytes.len())
}

/// Asks something, with words that the request names by number.
fn ask(op: &str, about: Json, data: &[&[u32]]) -> Json {
    for words in data {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let (start, size) = put(&bytes);
        // SAFETY: it is what was got for it.
        unsafe { attach(start, size) };
    }
    let (start, size) = put(json!({ "op": op, "about": about }).to_string().as_bytes());
    // SAFETY: the same; the answer lies there until the next call.
    let text = unsafe {
        let size = call(start, size);
        std::slice::from_raw_parts(answer(), size)
    };
    serde_json::from_slice(text).unwrap()
}

#[track_caller]
fn value(op: &str, about: Json, data: &[&[u32]]) -> Json {
    let answer = ask(op, about, data);
    assert!(answer["error"].is_null(), "{answer}");
    answer["value"].clone()
}

#[track_caller]
fn refused(op: &str, about: Json, data: &[&[u32]], said: &str) {
    let answer = ask(op, about, data);
    assert!(answer["error"].as_str().is_some_and(|text| text.contains(said)), "{answer}");
}

/// The words of the last answer.
fn words(count: usize) -> Vec<u32> {
    // SAFETY: so many lie there, as the answer has said.
    let all = unsafe { std::slice::from_raw_parts(bytes(), 4 * count) };
    all.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
}

fn floats<const N: usize>(numbers: [f32; N]) -> [u32; N] {
    numbers.map(f32::to_bits)
}

#[test]
fn programs_run_over_what_came_with_a_request() {
    let opened = value(
        "open",
        json!({ "gpu": "nv2a", "name": "p.vsh", "text": "mul oPos, v0, c0\nmov oD0, v0" }),
        &[],
    );
    let (id, vertices) = (&opened["id"], floats([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]));
    let inputs = json!({ "v0": { "data": 0, "components": 4, "stride": 4, "count": 2 } });
    let about = json!({ "id": id, "inputs": inputs, "constants": { "c0": 1 }, "outputs": ["oPos"] });
    let ran = value("run", about, &[&vertices, &floats([2.0; 4])]);
    assert_eq!((&ran["count"], &ran["outputs"]), (&json!(2), &json!(["oPos"])));
    assert_eq!(words(8), floats([2.0, 4.0, 6.0, 8.0, 10.0, 12.0, 14.0, 16.0]));
    // What lies in memory may have gaps.
    let gaps = json!({ "v0": { "data": 0, "components": 1, "stride": 3, "count": 3 } });
    let ran =
        value("run", json!({ "id": id, "inputs": gaps, "zeros": true, "outputs": ["oD0"] }), &[&vertices]);
    assert_eq!(ran["count"], 3);
    assert_eq!(words(12)[..8], floats([1.0, 0.0, 0.0, 1.0, 4.0, 0.0, 0.0, 1.0]));
    for (inputs, said) in [
        (json!({ "v0": { "data": 0, "components": 4, "stride": 4, "count": 3 } }), "there are no 3 vertices"),
        (json!({ "v0": { "data": 0, "components": 4, "stride": 0, "count": 1 } }), "there are no"),
        (json!({ "v0": { "data": 7, "components": 4, "stride": 4, "count": 1 } }), "did not come with it"),
        (json!({ "v0": { "data": 0, "components": 4, "stride": 4, "count": -1 } }), "`count`"),
        (json!({ "w0": { "data": 0, "components": 4, "stride": 4, "count": 1 } }), "no input `w0`"),
    ] {
        refused("run", json!({ "id": id, "zeros": true, "inputs": inputs }), &[&vertices], said);
    }
    refused(
        "run",
        json!({ "id": id, "zeros": true, "constants": { "c0": 0 } }),
        &[&[1, 2, 3]],
        "rows of four",
    );
    let trace = value("trace", json!({ "id": id, "zeros": true, "why": "oD0.x" }), &[]);
    assert!(
        trace["lines"].as_array().is_some_and(|lines| lines.len() > 2) && trace["why"]["text"].is_string()
    );
    value("close", json!({ "id": id }), &[]);
    refused("run", json!({ "id": id }), &[], "closed");
}

#[test]
fn a_compute_shader_and_the_program_get_the_same_rows() {
    value("put", json!({ "name": "rows.vsh", "text": "mov oPos, v0\nmul oD0, v3, c1" }), &[]);
    let options = json!({ "to": "wgsl", "shape": "compute", "fidelity": "exact" });
    let about = json!({ "program": "rows.vsh", "options": options });
    let shader = value("translate", about, &[]);
    let inputs = shader["reflection"]["inputs"].as_array().unwrap();
    let registers: Vec<&Json> = inputs.iter().map(|input| &input["register"]).collect();
    assert_eq!(registers, ["v0", "v3"]);
    let rows =
        floats([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0]);
    let constants = floats([0.0, 0.0, 0.0, 0.0, 2.0, 2.0, 2.0, 2.0]);
    let ran = value("rows", json!({ "program": "rows.vsh", "registers": registers }), &[&rows, &constants]);
    let outputs = ran["outputs"].as_array().unwrap();
    assert_eq!((&ran["count"], &outputs[..2]), (&json!(2), &[json!("oPos"), json!("oD0")][..]));
    // A row for each vertex, with all outputs.
    let expected = [
        floats([1.0, 2.0, 3.0, 4.0, 10.0, 12.0, 14.0, 16.0]),
        floats([9.0, 10.0, 11.0, 12.0, 26.0, 28.0, 30.0, 32.0]),
    ];
    let words = words(2 * outputs.len() * 4);
    for (row, expected) in words.chunks(outputs.len() * 4).zip(expected) {
        assert_eq!(row[..8], expected);
    }
}

#[test]
fn sources_are_compiled_and_problems_are_data() {
    let source = "@vertex fn main(@location(0) p: vec4f) -> @builtin(position) vec4f { return p + p; }";
    let about =
        json!({ "gpu": "dreambox", "name": "p.wgsl", "text": source, "options": { "level": "quick" } });
    let opened = value("compile", about, &[]);
    assert!(opened["listing"].as_str().is_some_and(|text| text.contains("p.wgsl")), "{opened}");
    refused(
        "compile",
        json!({ "gpu": "dreambox", "text": source, "options": { "from": "wgsl", "level": "most" } }),
        &[],
        "there are source, quick, usual, longest",
    );
    let answer = ask("open", json!({ "gpu": "nv2a", "name": "typo.vsh", "text": "mvo oPos, v0" }), &[]);
    assert_eq!(answer["diagnostics"][0]["code"], "A0101");
    refused("nonsense", json!({}), &[], "no operation");
}

#[test]
fn options_are_those_of_the_library() {
    let text = "mov oPos, v0\nmov oD0, v0\n";
    let open = |options: Json| json!({ "gpu": "nv2a", "name": "p.vsh", "text": text, "options": options });
    let opened = value("open", open(json!({ "dialect": "vsh" })), &[]);
    let translate = |options: Json| json!({ "id": opened["id"], "options": options });
    let options = json!({ "to": "glsl", "prefix": "sky_", "allOutputs": true, "bind": { "viewport": 7 }, "profile": "hw" });
    let made = value("translate", translate(options), &[]);
    assert!(
        made["text"].as_str().is_some_and(|text| text.contains("sky_") && text.contains("binding = 7")),
        "{made}"
    );
    assert_eq!(made["shape"], "vertex");
    assert_eq!(
        value("translate", translate(json!({ "to": "spirv", "strip": true })), &[])["text"],
        Json::Null
    );
    let source = "@group(0) @binding(0) var<uniform> a: vec4f;\n\
        @vertex fn vs(@location(0) p: vec4f) -> @builtin(position) vec4f { return p * sqrt(a); }";
    let compile =
        |options: Json| json!({ "gpu": "nv2a", "name": "p.wgsl", "text": source, "options": options });
    let slots = |options: Json| value("compile", compile(options), &[])["words"].as_array().unwrap().len();
    assert!(slots(json!({ "hostConstants": true })) < slots(json!({})));
    assert!(slots(json!({ "position": "clip" })) < slots(json!({})));
    let exact = value("disassemble", translate(json!({ "exact": true, "dialect": "vp" })), &[]);
    assert!(exact["text"].as_str().is_some_and(|text| text.contains("!!VP")), "{exact}");
    for (op, about, code, said) in [
        ("open", open(json!({ "dialekt": "vp" })), "G0141", "did you mean `dialect`?"),
        ("open", open(json!({ "level": "quick" })), "G0141", "no option `level`"),
        ("open", open(json!({ "position": "clop" })), "G0140", "did you mean `clip`?"),
        ("open", open(json!(["vp"])), "G0140", "an object"),
        ("compile", compile(json!({ "constantsAt": -1 })), "G0140", "`constants_at`"),
        ("translate", translate(json!({ "too": "wgsl" })), "G0141", "did you mean `to`?"),
        ("translate", translate(json!({ "fidelity": "exakt" })), "G0140", "did you mean `exact`?"),
        ("run", translate(json!({ "profil": "hw" })), "G0141", "did you mean `profile`?"),
        ("words", translate(json!({ "dialect": "vp" })), "G0141", "no option `dialect`"),
    ] {
        let answer = ask(op, about.clone(), &[]);
        assert_eq!(answer["diagnostics"][0]["code"], code, "{about}: {answer}");
        assert!(answer["error"].as_str().is_some_and(|text| text.contains(said)), "{about}: {answer}");
    }
}

#[test]
fn programs_are_optimized() {
    let text =
        "dp4 r0.x, v0, c[0]\ndp4 r0.y, v0, c[1]\nrcp r2.w, v1.x\nmul oD0, r0.x, r2.w\nmov oPos, r0.xyyy\n";
    let opened = value("open", json!({ "gpu": "nv2a", "name": "p.vsh", "text": text }), &[]);
    let shorter = value("optimize", json!({ "id": opened["id"] }), &[]);
    assert_eq!(shorter["slots"], json!([5, 4]));
    assert!(shorter["id"] != opened["id"] && shorter["words"].as_array().unwrap().len() == 16, "{shorter}");
}

#[test]
fn vera_is_on_its_bus() {
    let id = value("vera", json!({ "listens": true }), &[])["id"].as_u64().unwrap() as u32;
    for (register, value) in [(0x20, 0x10), (0x21, 0), (0x22, 0x10), (0x23, 0xab)] {
        assert_eq!(vera_write(id, register, value), 0);
    }
    assert_eq!(vera_read(id, 0x20), 0x11);
    assert!(vera_advance(id, 100) >= 0);
    assert_eq!(value("vera/vram", json!({ "id": id, "start": 16, "end": 17 }), &[]), 1);
    refused("vera/vram", json!({ "id": id, "start": 17, "end": 16 }), &[], "131072 bytes");
    refused("x16/run", json!({ "id": id }), &[], "another one's");
    value("close", json!({ "id": id }), &[]);
    assert_eq!(vera_read(id, 0x20), -1);
}

#[test]
fn a_program_is_shown_and_gets_keys() {
    let text = "loop: jsr $ffe4\n beq loop\n jsr $ffd2\n bra loop\n";
    value("x16/assemble", json!({ "text": text }), &[]);
    value("put", json!({ "name": "keys.s", "text": text }), &[]);
    refused("give", json!({ "input": "0 keys A" }), &[], "no program of a CPU");
    let frame = value("frame", json!({ "subject": "keys.s" }), &[]);
    assert_eq!((&frame["width"], &frame["moves"]), (&json!(640), &json!(true)));
    value("give", json!({ "input": "@0 press A" }), &[]);
    refused("give", json!({ "input": "@0 press NONE" }), &[], "line 1");
}

#[test]
fn cycles_are_counted_by_routine_and_line() {
    let text = "start: jsr work\n stp\nwork: ldx #4\n@loop: dex\n bne @loop\n rts\n";
    value("put", json!({ "name": "hot.s", "text": text }), &[]);
    let hot = value("hot", json!({ "program": "hot.s", "frames": 1 }), &[]);
    // ldx 2, dex 4 times 2, bne 3 times 3 and 2, rts 6.
    let work =
        json!({ "name": "work", "address": 0x805, "cycles": 27, "times": 1, "file": "hot.s", "line": 3 });
    assert_eq!(hot["routines"][0], work);
    assert_eq!(hot["instructions"][0]["line"], 5);
    refused("hot", json!({ "program": "a.vsh" }), &[], "");
    refused("hot", json!({ "program": "hot.s", "frames": -1 }), &[], "`frames`");
}

/// Servaru's second slot reads two uniforms, which takes two cycles (servaru spec section E); the NV2A's slot has both halves.
#[test]
fn slots_say_what_they_do_and_how_long_it_takes() {
    let text = ".vertex\nMOV P9, U0;\nADD P9, U0, U1;\n";
    value("put", json!({ "name": "two.svs", "text": text }), &[]);
    let slots = value("words", json!({ "program": "two.svs", "gpu": "servaru" }), &[])["slots"].take();
    assert_eq!([&slots[0]["cycles"], &slots[1]["cycles"]], [1, 2]);
    let text = "xvs.1.1\nmov oPos, v0 + rcp r1.x, v0.x\nmov oT0, v0\n";
    value("put", json!({ "name": "pair.vsh", "text": text }), &[]);
    let words = value("words", json!({ "program": "pair.vsh" }), &[]);
    assert_eq!(words["halves"], json!(["mac", "ilu"]));
    assert_eq!(words["slots"][0]["ops"], json!(["mov", "rcp"]));
    assert_eq!(words["slots"][1]["ops"], json!(["mov", null]));
}

#[test]
fn a_camera_is_turned() {
    for name in ["teapot.toml", "teapot.vu"] {
        let path =
            std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples/dreambox").join(name);
        value("put", json!({ "name": name, "text": std::fs::read_to_string(path).unwrap() }), &[]);
    }
    let picture = |about: Json| {
        let frame = value("frame", about, &[]);
        let pixels = frame["width"].as_u64().unwrap() * frame["height"].as_u64().unwrap();
        words(pixels as usize)
    };
    let still = picture(json!({ "subject": "teapot.toml" }));
    let turned = picture(json!({ "subject": "teapot.toml", "turn": [30.0, 10.0] }));
    assert!(still != turned);
    assert!(still == picture(json!({ "subject": "teapot.toml", "turn": [0.0, 0.0] })));
}

const FILES: [(&str, &str); 4] = [
    ("a.vsh", "vs.1.1\nmov oPos, v0\nmov oD0, c[0]\n"),
    ("p.s", "  lda #1\n  sta $9f23\n  rts\n"),
    ("l.wgsl", "@vertex fn vs(@location(0) p: vec4f) -> @builtin(position) vec4f { return p; }\n"),
    (
        "s.toml",
        "gpu = \"nv2a\"\nsize = [4, 4]\n[program.p]\nfile = \"a.vsh\"\n[mesh.m]\nposition = [[0, 0], [1, 0], [0, 1]]\n\
         [[draw]]\nprogram = \"p\"\nmesh = \"m\"\ninput = { v0 = \"position\" }\n",
    ),
];

fn put_files() {
    for (name, text) in FILES {
        assert_eq!(value("put", json!({ "name": name, "text": text }), &[]), Json::Null);
    }
}

/// Requests of every operation, with members that are missing, of another type or out of range, and servers' messages in any order:
/// each is answered, and the module goes on.
#[test]
fn any_request_is_answered() {
    const OPS: [&str; 18] = [
        "lsp",
        "dap",
        "frame",
        "words",
        "hot",
        "check",
        "emit",
        "explain",
        "translate",
        "put",
        "remove",
        "none",
        "",
        "open",
        "run",
        "trace",
        "compile",
        "close",
    ];
    const MEMBERS: [&str; 21] = [
        "program",
        "subject",
        "gpu",
        "profile",
        "view",
        "time",
        "form",
        "optimize",
        "what",
        "to",
        "name",
        "text",
        "method",
        "params",
        "id",
        "command",
        "arguments",
        "seq",
        "pixel",
        "frame",
        "type",
    ];
    let values = [
        json!(null),
        json!(true),
        json!(0),
        json!(-1),
        json!(1e300),
        json!(u64::MAX),
        json!(""),
        json!("a.vsh"),
        json!("p.s"),
        json!("l.wgsl"),
        json!("s.toml"),
        json!("/x/../s.toml"),
        json!("nv2a"),
        json!("vera"),
        json!("hw"),
        json!("rtl"),
        json!("hex"),
        json!("json"),
        json!("wgsl"),
        json!("depth"),
        json!("mov"),
        json!("initialize"),
        json!("launch"),
        json!("request"),
        json!([1, 2]),
        json!([-1, "x"]),
        json!({}),
        json!({ "program": "/s.toml", "pixel": [1, 2] }),
        json!({ "program": "p.s" }),
        json!("\u{0}\u{202e}ä"),
    ];
    put_files();
    let mut state = 16_u64;
    let mut below = |count: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % count
    };
    let (mut values_given, mut refused) = (0, 0);
    for _ in 0..4000 {
        let mut about = json!({});
        for _ in 0..below(6) {
            about[MEMBERS[below(MEMBERS.len())]] = values[below(values.len())].clone();
        }
        let about = if below(20) == 0 { values[below(values.len())].clone() } else { about };
        match ask(OPS[below(OPS.len())], about, &[])["error"].as_str() {
            None => values_given += 1,
            Some(said) => refused += usize::from(!said.is_empty()),
        }
    }
    assert!(values_given > 400 && refused > 400, "{values_given} answers, {refused} refused");
    put_files();
    let frame = value("frame", json!({ "subject": "s.toml" }), &[]);
    assert_eq!((&frame["width"], &frame["height"]), (&json!(4), &json!(4)));
}

/// The last picture of a program, however late it is asked for.
#[test]
fn times_have_no_end() {
    put_files();
    for time in [0.0, 1e9, 1e300, 0.1] {
        let frame = value("frame", json!({ "subject": "p.s", "time": time }), &[]);
        assert_eq!((&frame["width"], &frame["moves"]), (&json!(640), &json!(true)), "{time}");
    }
}

/// `l: bra l` never ends: the run is paused, and goes on with the next request.
#[test]
fn a_run_without_an_end_is_paused() {
    value("put", json!({ "name": "loop.s", "text": "l: bra l\n" }), &[]);
    let dap = |command: &str, arguments: Json| {
        value("dap", json!({ "seq": 1, "type": "request", "command": command, "arguments": arguments }), &[])
    };
    let reason = |said: &Json| {
        let events = said.as_array().into_iter().flatten().filter(|one| one["event"] == "stopped");
        events.map(|one| one["body"]["reason"].clone()).collect::<Vec<_>>()
    };
    dap("initialize", json!({ "adapterID": "gpuzoo" }));
    dap("launch", json!({ "program": "/loop.s", "stopOnEntry": true }));
    assert_eq!(reason(&dap("configurationDone", json!({}))), ["entry"]);
    for _ in 0..2 {
        assert_eq!(reason(&dap("continue", json!({ "threadId": 1 }))), ["pause"]);
    }
    assert_eq!(reason(&dap("next", json!({ "threadId": 1 }))), ["pause"]);
}
