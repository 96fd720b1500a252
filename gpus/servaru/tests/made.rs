//! Vectors that are made: that everything is in them that they are to cover, and that they say what the specification says.

use crate::vectors::{checked, kind};
use gpuzoo_diag::File;
use gpuzoo_ir::vec4;
use gpuzoo_isa::{Bits, Program, Slot};
use gpuzoo_machine::vectors::stimulus::{ProgramVectors, Stimulus, Temporaries};
use gpuzoo_machine::{ShaderUnit, TextOptions};
use gpuzoo_servaru::{GPU, ISA, PROFILE, fault, stage};
use serde_json::{Value, json};
use std::collections::HashMap;

fn made() -> &'static dyn ProgramVectors {
    GPU.program_vectors().unwrap()
}

fn program(text: &str) -> Program {
    let assembled = GPU.assemble(&File::new("t", text), &TextOptions::default());
    assert!(assembled.ok(), "{text}: {:?}", assembled.diagnostics);
    assembled.program
}

fn text_of(program: &Program) -> String {
    GPU.disassemble(program, &TextOptions { exact: true, ..TextOptions::default() }).0
}

fn hex(components: [f32; 4]) -> Value {
    components.map(|component| format!("{:08x}", component.to_bits())).to_vec().into()
}

fn floats(json: &Value) -> [f32; 4] {
    [0, 1, 2, 3].map(|at| f32::from_bits(u32::from_str_radix(json[at].as_str().unwrap(), 16).unwrap()))
}

/// The pieces of a kind.
fn pieces(name: &str) -> Vec<Value> {
    made().pieces().into_iter().filter(|piece| kind(piece).name == name).collect()
}

/// All rows of the table but what ends a run with an error, and reads of textures, whose vectors are others. What is illegal is
/// not taken: a second `ZTS`, a uniform as destination, an address without a register.
#[test]
fn instructions_that_made_programs_take() {
    for op in ISA.ops() {
        let operand = |part: &gpuzoo_isa::Part| match (part.is_written(), part.name) {
            (true, _) => "R0",
            (_, "unit") => "T0",
            _ if part.scalar => "P0.x",
            _ => "P0",
        };
        let operands: Vec<&str> = op.parts.iter().map(operand).collect();
        let slot = program(&format!("{} {}", op.name, operands.join(", "))).slots[0];
        let expected = !["EXC", "TEX", "TXB", "TXF"].contains(&op.name);
        assert_eq!(made().takes(&[], &slot.inst.unwrap()), expected, "{}", op.name);
    }
    let takes = |before: &str, inst: &str| {
        made().takes(&program(before).slots, program(inst).slots[0].inst.as_ref().unwrap())
    };
    assert!(takes("ADD R0, R1, R2", "ZTS R0.x") && takes("ZTS R0.x", "ADD R0, R1, R2"));
    assert!(!takes("ZTS R0.x\nADD R0, R1, R2", "ZTS R1.x"));
    // `MOV` is opcode 18. Register operands have bit 13, the address in bits 12 to 4, and a mask of all components.
    let legal = |to: u64, from: u64| {
        let word = 18 << 56 | (1 << 13 | to << 4 | 15) << 42 | (1 << 13 | from << 4) << 28;
        let slot = ISA.slot(Bits { words: [word as u32, (word >> 32) as u32, 0, 0, 0] }, Default::default());
        made().takes(&[], slot.inst.as_ref().unwrap())
    };
    assert!(legal(31, 383) && legal(159, 128));
    assert!(!legal(256, 0) && !legal(32, 0) && !legal(0, 127) && !legal(0, 384));
}

fn around(body: &str) -> String {
    let slots: Vec<Slot> = program(body).slots;
    text_of(&made().around(&slots, &Temporaries::of(&ISA, &slots)))
}

/// Points 9 and 10 of the specification: P0 to P8 and the 128 uniforms bring values, P9 to P15 of a vertex leave, and P9 and P10 of a
/// fragment.
#[test]
fn what_stands_around_a_body() {
    assert_eq!(made().counts(), [9, 128]);
    let lines = |text: &str| text.lines().map(|line| format!("{line}\n")).collect::<String>();
    for (body, expected) in [
        ("ADD R0, R1, R2", "MOV R1, P0;\nMOV R2, P1;\nADD R0, R1, R2;\nMOV P9, R0;\n"),
        // What is an input, or an output that is written, needs no copy.
        ("ADD P11, P3, R2", "MOV R2, P1;\nADD P11, P3, R2;\n"),
        ("MOV R0, P9", "MOV P9, P0;\nMOV R0, P9;\nMOV P9, R0;\n"),
        ("MOV P8, R0", "MOV R0, P0;\nMOV P8, R0;\nMOV P9, P8;\n"),
        // The last that is written leaves first, where the program does not write itself.
        (
            "MOV R0, U1\nMOV P10, R0\nMOV R2, R0\nMOV R3, R0",
            "MOV R0, P0;\nMOV R0, U1;\nMOV P10, R0;\nMOV R2, R0;\nMOV R3, R0;\nMOV P9, R3;\nMOV P11, R2;\nMOV P12, R0;\n",
        ),
        // A component that is not written stays as it was.
        ("MOV R0.x, 1", "MOV R0, P0;\nMOV R0.x, 1;\nMOV P9, R0;\n"),
        // A fragment has two outputs.
        (
            "KIL R0\nMOV R1, 1\nMOV R2, 1\nMOV R3, 1",
            "MOV R0, P0;\nKIL R0;\nMOV R1, 1;\nMOV R2, 1;\nMOV R3, 1;\nMOV P9, R3;\nMOV P10, R2;\n",
        ),
    ] {
        assert_eq!(around(body), lines(expected), "{body}");
    }
    // Of eleven registers the tenth and the eleventh are filled from uniforms.
    let eleven: String = (0..11).map(|at| format!("MOV R31, R{at}\n")).collect();
    let text = around(&eleven);
    assert!(text.starts_with("MOV R0, P0;\n") && text.contains("MOV R8, P8;\nMOV R9, U0;\nMOV R10, U1;\n"));
    // Of eight registers seven leave a vertex.
    let eight: String = (0..8).map(|at| format!("MOV R{at}, 1\n")).collect();
    let text = around(&eight);
    assert!(text.ends_with(
        "MOV P9, R7;\nMOV P10, R6;\nMOV P11, R5;\nMOV P12, R4;\nMOV P13, R3;\nMOV P14, R2;\nMOV P15, R1;\n"
    ));
    assert_eq!(
        made().around(&program("ZTS P0.x").slots, &Temporaries::default()).interface.unwrap().stage,
        gpuzoo_isa::Stage::Fragment
    );
}

/// Each row that is taken, with random operands: the program around it does not fail, and its records pass.
#[test]
fn programs_around_instructions_are_legal_and_have_records() {
    let mut pick = gpuzoo_isa::numbers(1);
    for op in ISA.ops() {
        let slots = std::iter::repeat_with(|| ISA.random_slot(op, &mut pick)).take(40);
        let taken: Vec<Slot> = slots.filter(|slot| made().takes(&[], &slot.inst.unwrap())).collect();
        assert_eq!(taken.is_empty(), ["EXC", "TEX", "TXB", "TXF"].contains(&op.name), "{}", op.name);
        for slot in taken {
            let program = made().around(&[slot], &Temporaries::of(&ISA, &[slot]));
            let text = text_of(&program);
            assert_eq!(fault(&program, stage(&program)), None, "{text}");
            let bits =
                |at: u32| [at + 1, at + 2, at + 3, at + 4].map(|number| (number as f32 / 2.0).to_bits());
            let run =
                Stimulus { inputs: (0..9).map(bits).collect(), constants: (9..137).map(bits).collect() };
            for record in made().records("some", &program, &[run], PROFILE).unwrap() {
                let checked = checked(&record);
                assert!(checked.compared > 0 && checked.differences.is_empty(), "{text}: {checked:?}");
            }
        }
    }
}

fn records(text: &str, runs: &[Stimulus]) -> Vec<Value> {
    made().records("some", &program(text), runs, PROFILE).unwrap()
}

/// Of registers that are zeros up to the last one nothing is said. `0x13` is `MUL`, `0x12` is `MOV`.
#[test]
fn records_say_what_a_program_takes_and_gives() {
    let run = Stimulus {
        inputs: vec![vec4([1.0, 2.0, 3.0, 4.0]), [0; 4], vec4([0.0, 0.0, 0.0, -1.0]), [0; 4]],
        constants: vec![[0; 4], vec4([2.0, 0.5, f32::INFINITY, -1.0]), [0; 4]],
    };
    let expected = json!({
        "name": "some",
        "stage": "vertex",
        "program": ["13a27e800c040000", "12a2be8200000000"],
        "in": [hex([1.0, 2.0, 3.0, 4.0]), hex([0.0; 4]), hex([0.0, 0.0, 0.0, -1.0])],
        "const": [hex([0.0; 4]), hex([2.0, 0.5, f32::INFINITY, -1.0])],
        "out": { "P9": hex([2.0, 1.0, f32::INFINITY, -4.0]), "P10": hex([0.0, 0.0, 0.0, -1.0]) },
    });
    let text = "MUL P9, P0, U1\nMOV P10, P2\n";
    let mut expected = expected;
    expected["program"] = words(text);
    assert_eq!(records(text, std::slice::from_ref(&run)), [expected.clone()]);
    // Two runs have numbers; what no run gives is nothing.
    let both = records(text, &[Stimulus::default(), run.clone()]);
    assert_eq!((&both[0]["name"], &both[1]["name"]), (&json!("some, run 0"), &json!("some, run 1")));
    assert_eq!((&both[0]["in"], &both[0]["const"]), (&json!([]), &json!([])));
    assert_eq!((&both[0]["out"]["P9"], &both[1]["out"]), (&hex([0.0; 4]), &expected["out"]));
    // What the machine does not have is left out.
    let many = Stimulus { inputs: vec![[1; 4]; 12], constants: vec![[1; 4]; 130] };
    let record = &records(text, &[many])[0];
    let count = |member: &str| record[member].as_array().map(Vec::len);
    assert_eq!((count("in"), count("const")), (Some(9), Some(128)));
    // A NaN is any NaN.
    let record = &records(
        "MOV P9, P0\nADD P9.y, U0, P0",
        &[Stimulus { inputs: vec![vec4([1.0, f32::NAN, 0.0, 1.0])], ..Stimulus::default() }],
    )[0];
    assert_eq!(record["chk"], json!({ "P9": "enee" }));
    // One output, though nothing writes it.
    assert_eq!(records("MOV R0, 1", &[Stimulus::default()])[0]["out"], json!({ "P9": hex([0.0; 4]) }));
}

/// Fragments: what `ZTS` noted leaves beside the colour, and what is killed leaves nothing.
#[test]
fn records_of_fragments() {
    let at = |x: f32| Stimulus { inputs: vec![vec4([x, 0.5, 0.25, 1.0])], ..Stimulus::default() };
    let both = records("KIL P0\nZTS P0.y\nMOV P9, P0\n", &[at(1.0), at(-1.0)]);
    assert_eq!((&both[0]["stage"], both[0].get("killed")), (&json!("fragment"), None));
    assert_eq!(both[0]["out"], json!({ "P9": hex([1.0, 0.5, 0.25, 1.0]), "ZTS": hex([0.5; 4]) }));
    assert_eq!((both[1].get("out"), &both[1]["killed"]), (None, &json!(true)));
    for record in &both {
        let checked = checked(record);
        assert!(checked.compared > 0 && checked.differences.is_empty(), "{record}: {checked:?}");
    }
    for read in ["TEX", "TXB", "TXF"] {
        let error = made().records("some", &program(&format!("{read} P9, P0, T0")), &[at(1.0)], PROFILE);
        assert_eq!(error.unwrap_err(), "it reads textures, and a `run` record has none");
    }
}

/// The words of a text, as records have them.
fn words(text: &str) -> Value {
    let words = program(text).words(&ISA);
    words.as_chunks::<2>().0.iter().map(|[low, high]| Value::from(format!("{high:08x}{low:08x}"))).collect()
}

/// Each record without a program is one that the checks take and find right, and there are all kinds of them.
#[test]
fn pieces_are_vectors_that_pass() {
    let pieces = made().pieces();
    let mut textures = HashMap::new();
    let mut kinds: Vec<&str> = Vec::new();
    for piece in &pieces {
        let kind = kind(piece);
        kinds.push(kind.name);
        gpuzoo_machine::vectors::shape::check(kind.members, piece).unwrap();
        if let Some(name) = piece["texture"].as_str() {
            textures.insert(name.to_owned(), piece.clone());
        }
        let mut record = piece.clone();
        if let Some(uses) = kind.uses {
            record[uses.member] = textures[piece[uses.member].as_str().unwrap()].clone();
        }
        let checked = checked(&record);
        assert!(checked.differences.is_empty(), "{piece}: {checked:?}");
        assert_eq!(checked.compared > 0, kind.name != "texture", "{piece}");
    }
    kinds.dedup();
    assert_eq!(kinds, ["immediates", "texture", "sample", "raster"]);
    // All 2^13 numbers, as the specification's own list has them.
    let values: Value = serde_json::from_str(include_str!("vectors/imm_decode.json")).unwrap();
    assert_eq!(pieces[0]["f32"], values["f32"]);
    assert_eq!(pieces[0]["f32"].as_array().map(Vec::len), Some(8192));
}

/// Coordinates inside, on the edges of texels and of the texture, and beyond.
const COORDINATES: [f32; 12] = [-2.25, -1.0, -0.125, 0.0, 0.0625, 0.25, 0.375, 0.5, 0.9375, 1.0, 1.125, 3.75];

/// What is down where those are across: each of them once, and nowhere the same, so that a texture that is turned over shows.
const DOWN: [f32; 12] = [-1.0, 0.375, 3.75, 0.0625, 1.0, -0.125, 0.5, -2.25, 0.25, 1.125, 0.0, 0.9375];

/// A texel of the texture `plain`, of 4 × 4.
fn plain(x: i32, y: i32) -> [f32; 4] {
    [x as f32 / 4.0, y as f32 / 4.0, (x ^ y) as f32 / 8.0, 1.0]
}

/// A coordinate, and the texel that a number stands for, as OpenGL 1.4 wraps a texture of four: it mirrors the coordinate itself.
fn mirrored(wrap: &str, s: f32) -> f32 {
    if wrap == "mirror" { 1.0 - (s.rem_euclid(2.0) - 1.0).abs() } else { s }
}

fn wrapped(wrap: &str, at: f32) -> i32 {
    if wrap == "repeat" { (at as i32).rem_euclid(4) } else { (at as i32).clamp(0, 3) }
}

/// Every filter with every wrap, at each of twelve coordinates across and as many down, against a sampler from the textbook. All
/// numbers are multiples of 1/1024, so nothing is rounded.
#[test]
fn filtered_reads_cover_every_filter_and_wrap() {
    // No two texels of a row or a column are equal in blue, so that a wrong one shows.
    let texture = &pieces("texture")[0];
    assert_eq!((&texture["texture"], &texture["size"]), (&json!("plain"), &json!([4, 4])));
    let texels: Vec<Value> =
        (0..16).flat_map(|at| hex(plain(at % 4, at / 4)).as_array().unwrap().clone()).collect();
    assert_eq!(texture["data"], Value::from(texels));
    let reads: Vec<Value> = pieces("sample").into_iter().filter(|piece| piece["op"] == "TEX").collect();
    let of = |filter: &str, wrap: &str| {
        let own = reads.iter().filter(|read| read["filter"] == filter && read["wrap"] == wrap);
        own.cloned().collect::<Vec<Value>>()
    };
    assert_eq!(reads.len(), 2 * 3 * 12);
    for wrap in ["clamp", "repeat", "mirror"] {
        for filter in ["nearest", "linear"] {
            let own = of(filter, wrap);
            let at: Vec<[f32; 4]> = own.iter().map(|read| floats(&read["coord"])).collect();
            assert_eq!(at.iter().map(|at| at[0]).collect::<Vec<_>>(), COORDINATES);
            assert_eq!(at.iter().map(|at| at[1]).collect::<Vec<_>>(), DOWN);
            for (read, [s, t, ..]) in own.iter().zip(at) {
                assert_eq!(read["tex"], "plain");
                assert_eq!(
                    [&read["coord"][2], &read["coord"][3]],
                    ["00000000"; 2],
                    "what is not looked at is 0"
                );
                let texel = |x: f32, y: f32| plain(wrapped(wrap, x), wrapped(wrap, y));
                let [s, t] = [s, t].map(|at| mirrored(wrap, at));
                let expected = if filter == "nearest" {
                    texel((s * 4.0).floor(), (t * 4.0).floor())
                } else {
                    let (x, y) = (s * 4.0 - 0.5, t * 4.0 - 0.5);
                    let (left, top) = (x.floor(), y.floor());
                    let mix = |a: [f32; 4], b: [f32; 4], rest: f32| {
                        [0, 1, 2, 3].map(|lane| a[lane] * (1.0 - rest) + b[lane] * rest)
                    };
                    let row = |y: f32| mix(texel(left, y), texel(left + 1.0, y), x - left);
                    mix(row(top), row(top + 1.0), y - top)
                };
                assert_eq!(floats(&read["out"]), expected, "{filter} {wrap} {s} {t}");
            }
        }
    }
}

/// Decision 23: floors of x, y and w, no filter, no wrap; zeros outside. Texel (x, y) of level l is (l/8, x/16, y/16, 1).
#[test]
fn texels_by_number_are_inside_on_the_edges_and_beyond() {
    let texture = &pieces("texture")[1];
    assert_eq!(
        texture,
        &json!({ "texture": "levels", "size": [8, 8], "mips": 4, "rule": "level l texel (x,y) = (l/8, x/16, y/16, 1)" })
    );
    let reads = pieces("sample").into_iter().filter(|piece| piece["op"] == "TXF");
    let expected = [
        ([0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]),
        ([3.0, 3.5, 0.0, 0.0], [0.0, 3.0 / 16.0, 3.0 / 16.0, 1.0]),
        ([7.0, 7.0, 0.0, 0.0], [0.0, 7.0 / 16.0, 7.0 / 16.0, 1.0]),
        ([8.0, 0.0, 0.0, 0.0], [0.0; 4]),
        ([0.0, 8.0, 0.0, 0.0], [0.0; 4]),
        ([-1.0, 1.0, 0.0, 0.0], [0.0; 4]),
        ([1.0, 1.0, 0.0, 2.0], [2.0 / 8.0, 1.0 / 16.0, 1.0 / 16.0, 1.0]),
        ([2.0, 1.0, 0.0, 2.0], [0.0; 4]),
        ([0.0, 0.0, 0.0, 9.0], [3.0 / 8.0, 0.0, 0.0, 1.0]),
    ];
    let found: Vec<[Value; 2]> = reads.map(|read| [read["coord"].clone(), read["out"].clone()]).collect();
    assert_eq!(found, expected.map(|(at, texel)| [hex(at), hex(texel)]));
}

/// Quads one texel across and one down, so that the level is the bias: below the largest level, between levels, half way, and beyond
/// the smallest. Level l has l/8 in red and, from the middle of one texel to that of the next, 1/16 in green and blue.
#[test]
fn biased_reads_cover_every_choice_of_levels() {
    let reads: Vec<Value> = pieces("sample").into_iter().filter(|piece| piece["op"] == "TXB").collect();
    assert_eq!(reads.len(), 4 * 7);
    let bias = [-2.0, 0.0, 0.25, 0.5, 1.0, 1.75, 8.0];
    let linear = [0.0, 0.0, 0.25, 0.5, 1.0, 1.75, 3.0];
    let choices = [
        ("none", [0.0; 7]),
        ("nearest", [0.0, 0.0, 0.0, 0.0, 1.0, 2.0, 3.0]),
        ("ceiling", [0.0, 0.0, 1.0, 1.0, 1.0, 2.0, 3.0]),
        ("linear", linear),
    ];
    for (choice, levels) in choices {
        let own = reads.iter().filter(|read| read["mip"] == choice);
        for ((read, bias), level) in own.zip(bias).zip::<[f32; 7]>(levels) {
            assert_eq!([&read["tex"], &read["filter"], &read["wrap"]], ["levels", "linear", "clamp"]);
            // 0 1 above 2 3
            let places =
                [[2.0, 4.0], [3.0, 4.0], [2.0, 5.0], [3.0, 5.0]].map(|at| at.map(|at: f32| at / 8.0));
            for (lane, [s, t]) in places.into_iter().enumerate() {
                assert_eq!(read["quad"][lane], hex([s, t, 0.0, bias]), "{choice} {bias}");
                let of = |level: f32, at: f32| {
                    let side = [8.0, 4.0, 2.0, 1.0][level as usize];
                    (at * side - 0.5f32).clamp(0.0, side - 1.0) / 16.0
                };
                let mixed = |at: f32| {
                    let (near, rest) = (level.floor(), level - level.floor());
                    of(near, at) * (1.0 - rest) + of(level.ceil(), at) * rest
                };
                let expected: [f32; 4] = [level / 8.0, mixed(s), mixed(t), 1.0];
                assert_eq!(floats(&read["out"][lane]), expected, "{choice} {bias} {lane}");
            }
        }
    }
}

/// A triangle's corners, in 1/256 pixels.
type Corners = [[i64; 2]; 3];

fn corners(piece: &Value) -> Corners {
    let at = |corner: usize, axis: usize| piece["tri"][corner][axis].as_i64().unwrap();
    [0, 1, 2].map(|corner| [at(corner, 0), at(corner, 1)])
}

/// The rule of section G2 in whole numbers: what has no area or the wrong one is culled; a pixel's corner on an edge belongs to the
/// triangle if that is a top edge or a left one.
fn plain_rule([a, b, c]: Corners) -> (bool, Vec<[i64; 3]>) {
    let cross = |[px, py]: [i64; 2], [qx, qy]: [i64; 2]| px * qy - py * qx;
    let area = cross([b[0] - a[0], b[1] - a[1]], [c[0] - b[0], c[1] - b[1]]);
    if area <= 0 {
        return (true, Vec::new());
    }
    let inside = |x: i64, y: i64| {
        [(a, c), (b, a), (c, b)].into_iter().all(|(from, to)| {
            let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
            let edge = (256 * x - from[0]) * dy - (256 * y - from[1]) * dx;
            edge > 0 || edge == 0 && (dy > 0 || dy == 0 && dx < 0)
        })
    };
    let mut spans: Vec<[i64; 3]> = Vec::new();
    for (y, x) in (0..64).flat_map(|y| (0..64).map(move |x| (y, x))).filter(|(y, x)| inside(*x, *y)) {
        match spans.last_mut() {
            Some([row, _, last]) if *row == y && *last + 1 == x => *last = x,
            _ => spans.push([y, x, x]),
        }
    }
    (false, spans)
}

#[test]
fn triangles_cover_what_the_plain_rule_says() {
    let pieces = pieces("raster");
    for piece in &pieces {
        let (culled, spans) = plain_rule(corners(piece));
        assert_eq!((&piece["culled"], &piece["spans"]), (&json!(culled), &json!(spans)), "{}", piece["tri"]);
    }
    // The published vectors say the same, so it is the rule.
    for line in include_str!("vectors/raster_public.jsonl").lines() {
        let record: Value = serde_json::from_str(line).unwrap();
        let (culled, mut spans) = plain_rule(corners(&record));
        let mut expected: Vec<[i64; 3]> = serde_json::from_value(record["spans"].clone()).unwrap();
        spans.sort_unstable();
        expected.sort_unstable();
        assert_eq!((record["culled"] == culled, spans), (true, expected), "{line}");
    }
}

/// Seven triangles in eight places and two orders of corners. Edges lie on corners of pixels and on centres, a 256th beside, and the
/// triangles are slivers, larger than the picture, and without area.
#[test]
fn triangles_are_moved_by_a_256th_and_by_half_a_pixel() {
    let all: Vec<Corners> = pieces("raster").iter().map(corners).collect();
    assert_eq!(all.len(), 7 * 8 * 2);
    for moved in all.chunks(16) {
        let first = moved[0];
        let shifts = [[0, 0], [1, 0], [-1, 0], [0, 1], [0, -1], [127, 127], [128, 128], [129, 129]];
        for (pair, [x, y]) in moved.chunks(2).zip(shifts) {
            let [a, b, c] = first.map(|[cx, cy]| [cx + x, cy + y]);
            assert_eq!(pair, [[a, b, c], [a, c, b]]);
        }
    }
    let first: Vec<Corners> = all.iter().step_by(16).copied().collect();
    let on = |rest: i64| first.iter().any(|all| all.iter().flatten().all(|at| at.rem_euclid(256) == rest));
    assert!(on(0) && on(128), "corners on corners of pixels, and on centres");
    let box_of = |all: &Corners, axis: usize| {
        let along = all.map(|corner| corner[axis]);
        along.into_iter().max().unwrap() - along.into_iter().min().unwrap()
    };
    // A pixel and less at the wide end of fifteen.
    let is_sliver = |all: &&Corners| {
        box_of(all, 0) >= 3796 && box_of(all, 1) <= 84 || box_of(all, 1) >= 3796 && box_of(all, 0) <= 84
    };
    assert_eq!(first.iter().filter(is_sliver).count(), 2);
    assert!(first.iter().any(|all| all.iter().flatten().any(|at| *at < 0)), "one begins outside");
    // Without area there is nothing in either order; of the others each is drawn in one.
    for pair in all.chunks(2) {
        let culled: Vec<bool> = pair.iter().map(|corners| plain_rule(*corners).0).collect();
        let [a, b, c] = pair[0];
        let has_area = (b[0] - a[0]) * (c[1] - a[1]) != (b[1] - a[1]) * (c[0] - a[0]);
        assert_eq!(culled.contains(&false), has_area);
        assert!(culled.contains(&true));
    }
    let flat = all.chunks(16).filter(|moved| moved.iter().all(|corners| plain_rule(*corners).0));
    assert_eq!(flat.count(), 1);
}
