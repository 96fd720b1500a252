//! Programs in the three dialects: words worked out by hand from the slot layout (spec section 2), whole programs as
//! tutorials write them, constants that come with a program, and the way from one dialect to another.

use gpuzoo_diag::{File, Severity, has_errors};
use gpuzoo_isa::{Bits, Program};
use gpuzoo_nv2a::{
    ConstantMap, D3D, DIALECTS, Dialect, Disassembled, Final, ISA, Kind, Options, PositionSpace, VP, VSH,
    assemble, disassemble, disassemble_exactly, kind,
};

/// The slots of the text alone: those that are added are another file's (`screen.rs`).
const CLIP: Options = Options {
    dialect: None,
    constants: None,
    positions: PositionSpace::Clip,
    place: Final::Inline,
    position: 0,
};

#[track_caller]
fn program_as(text: &str, options: &Options) -> Program {
    let assembled = assemble(&File::new("t", text), options);
    assert!(assembled.ok(), "{text}\n{:#?}", assembled.diagnostics);
    assembled.program
}

#[track_caller]
fn program(text: &str) -> Program {
    program_as(text, &CLIP)
}

/// The codes of warnings.
fn warnings(out: &Disassembled) -> Vec<&'static str> {
    let warnings = out.diagnostics.iter().filter(|problem| problem.severity == Severity::Warning);
    warnings.map(|problem| problem.code.id).collect()
}

/// w1, w2 and w3 of a text's first slot, without FINAL.
#[track_caller]
fn first(text: &str) -> [u32; 3] {
    let words = program(text).slots[0].bits.words;
    assert_eq!(words[0], 0);
    [words[1], words[2], words[3] & !1]
}

#[test]
fn numbers_have_exponents() {
    for (number, expected) in
        [("1e+3", 1000.0), ("1E+3", 1000.0), ("1e3", 1000.0), ("25e-2", 0.25), ("-1.5e+1", -15.0)]
    {
        let program = program(&format!("vs.1.1\ndef c4, {number}, 0, 0, 0\nmov oPos, c4\n"));
        let values: Vec<f32> =
            program.constants.iter().map(|constant| f32::from_bits(constant.values[0][0])).collect();
        assert_eq!(values, [expected], "{number}");
    }
}

#[test]
fn vp_words() {
    let cases = [
        ("MOV o[HPOS], v[OPOS];", [0x0020001b, 0x0836106c, 0x2070f800]),
        // c[0] is the machine's c96: 96 << 13 is 0xc0000.
        ("DP4 o[HPOS].x, c[0], v[OPOS];", [0x00ec001b, 0x0c36106c, 0x20708800]),
        // TEX0 is input 9; ADD's second source is C; its sign is turned.
        ("SUB R1.xyz, R2, -v[TEX0].zyxw;", [0x0060121b, 0x2436124c, 0x2e100ff8]),
        ("SUB R1.xyz, R2, v[TEX0].zyxw;", [0x0060121b, 0x2436164c, 0x2e100ff8]),
        // MAX of -c[A0.x-1] and c[A0.x-1], which is c95 and A0.
        ("ABS R3, -c[A0.x-1];", [0x014be11b, 0x0c36186c, 0x2f300ffa]),
        ("RCC o[FOGC].x, R4.w;", [0x0600001b, 0x083613fd, 0x1070882c]),
        ("ARL A0.x, c[95].y;", [0x01b7e055, 0x0c36106c, 0x20700ff8]),
        ("LIT o[COL1], R5;", [0x0e00001b, 0x0836106d, 0x5070f824]),
        // Blanks and line breaks may stand anywhere.
        ("MOV\no [ HPOS ] ,\n v[ OPOS ] ;", [0x0020001b, 0x0836106c, 0x2070f800]),
        ("DP4 o[HPOS] . x, + c [ 0 ], v[0];", [0x00ec001b, 0x0c36106c, 0x20708800]),
    ];
    for (line, words) in cases {
        assert_eq!(first(&format!("!!VP1.1\n{line}\nMOV o[HPOS], R0; END")), words, "{line}");
    }
    // A state program writes constants: c[3] is the machine's c99, also as a destination.
    assert_eq!(first("!!VSP1.0\nMOV c[3].w, v[0].y;\nEND"), [0x00200055, 0x0836106c, 0x20701318]);
}

#[test]
fn d3d_words() {
    let cases = [
        ("mov oPos, v0", [0x0020001b, 0x0836106c, 0x2070f800]),
        ("MOV OPOS, V0", [0x0020001b, 0x0836106c, 0x2070f800]),
        ("sub r0, v0, c1", [0x006c201b, 0x0836146c, 0x3f000ff8]),
        ("mov a0.x, v1.x", [0x01a00200, 0x0836106c, 0x20700ff8]),
        ("dp3 r0.x, v2, c[a0.x + 4]", [0x00ac841b, 0x0836186c, 0x28000ffa]),
        ("dp3 r0.x, v2, c[ 4 + a0.x ]", [0x00ac841b, 0x0836186c, 0x28000ffa]),
        ("nop", [0x0000001b, 0x0836106c, 0x20700ff8]),
        ("lit oD1, r5", [0x0e00001b, 0x0836106d, 0x5070f824]),
        ("frc r7.y, v1.xzww", [0x0a00021b, 0x083612a8, 0x20740ff8]),
    ];
    for (line, words) in cases {
        assert_eq!(first(&format!("vs.1.1\n{line}\nmov oPos, v0")), words, "{line}");
    }
}

/// The tail with which nearly every Xbox program ends (spec section 5), paired.
#[test]
fn xbox_words() {
    let text = "xvs.1.1\n#pragma screenspace\nmul oPos.xyz, r12, c-38\n+rcc r1.x, r12.w\nmad oPos.xyz, r12, r1.x, c-37\n";
    let words = program(text).words(&ISA);
    assert_eq!(words, [0, 0x0647401b, 0xc4361bff, 0x1018e800, 0, 0x0087601b, 0xc400286c, 0x3070e801]);
    // The same in the machine's own numbers, in the first dialect.
    let same = "mul oPos.xyz, r12, c58 + rcc r1.x, r12.w\nmad oPos.xyz, r12, r1.x, c59\n";
    assert_eq!(program(same).words(&ISA), words);
    assert_eq!(disassemble(&program(same), &D3D, None).text, text);
}

const VP_TEXT: &str = "\
!!VP1.1
# Transform, one directional light, a texture coordinate.
DP4 o[HPOS].x, c[0], v[OPOS];
DP4 o[HPOS].y, c[1], v[OPOS];
DP4 o[HPOS].z, c[2], v[OPOS];
DP4 o[HPOS].w, c[3], v[OPOS];
DP3 R0.x, c[4], v[NRML];      # the normal in eye space
DP3 R0.y, c[5], v[NRML];
DP3 R0.z, c[6], v[NRML];
DP3 R1.x, c[32], R0;          # diffuse
DP3 R1.y, c[33], R0;          # specular
MOV R1.w, c[38].x;
LIT R2, R1;
MAD R3, c[35].x, R2.y, c[35].y;
MAD o[COL0].xyz, c[36], R2.z, R3;
SUB R4, R3, c[37];
ABS o[COL1], R4;
MOV o[TEX0], v[TEX0];
END
";

const D3D_TEXT: &str = "\
vs.1.1                      ; the same, for Direct3D
def c38, 0.5, -1, 2.5e-1, .125f
m4x4 oPos, v0, c0           ; transform
m3x3 r0.xyz, v2, c4         // normal
dp3 r1.x, c32, r0
dp3 r1.y, c33, r0
mov r1.w, c38.x
lit r2, r1
mad r3, c35.x, r2.y, c35.y
mad oD0.xyz, c36, r2.z, r3
sub r4, r3, c37
max oD1, r4, -r4
mov oT0, v9
";

const VSH_TEXT: &str = "\
dp4 oPos.x, c96, iPos
dp4 oPos.y, c97, iPos
dp4 oPos.z, c98, iPos
dp4 oPos.w, c99, iPos
dp3 r0.x, c100, iNormal
dp3 r0.y, c101, iNormal
dp3 r0.z, c102, iNormal
dp3 r1.x, c128, r0
dp3 r1.y, c129, r0
mov r1.w, c134.x
lit r2, r1
mad r3, c131.x, r2.y, c131.y
mad oD0.xyz, c132, r2.z, r3
add r4, r3, -c133
max oD1, r4, -r4
mov oT0, iTex0
";

#[test]
fn one_program_in_three_dialects() {
    let words = program(VSH_TEXT).words(&ISA);
    assert_eq!(program(VP_TEXT).words(&ISA), words);
    // A macro has the vector first, where the others have the matrix: A and B change places.
    let swapped: String = VSH_TEXT
        .lines()
        .map(|line| match line.split_once(", c").map(|(to, rest)| (to, rest.split_once(", i"))) {
            Some((to, Some((constant, input)))) => format!("{to}, i{input}, c{constant}\n"),
            _ => format!("{line}\n"),
        })
        .collect();
    let d3d = program(D3D_TEXT);
    assert_eq!(d3d.words(&ISA), program(&swapped).words(&ISA));
    let [constant] = &d3d.constants[..] else { panic!("{:?}", d3d.constants) };
    assert_eq!((constant.reg.index, constant.count), (134, 1));
    assert_eq!(constant.values, [[0.5f32, -1.0, 0.25, 0.125].map(f32::to_bits)]);
    for text in [VP_TEXT, D3D_TEXT, VSH_TEXT] {
        assert_eq!(kind(&program(text)), Kind::Vertex);
        assert_eq!(program(text).slots.iter().filter(|slot| slot.bits.words[3] & 1 == 1).count(), 1);
    }
}

#[test]
fn every_dialect_says_what_the_others_say() {
    let words = program(VSH_TEXT).words(&ISA);
    for dialect in DIALECTS {
        let out = disassemble(&program(VSH_TEXT), dialect, None);
        assert!(out.diagnostics.is_empty());
        assert!(!out.text.contains(".word"), "{}", out.text);
        assert_eq!(program(&out.text).words(&ISA), words, "{}", out.text);
    }
}

#[test]
fn constants_are_counted_as_told() {
    let as_hw = Options { constants: Some(ConstantMap::Hw), ..Options::default() };
    let as_d3d = Options { constants: Some(ConstantMap::D3d), ..Options::default() };
    let constant = |program: &Program| program.slots[0].bits.get(32 + 13, 8);
    assert_eq!(constant(&program("mov oPos, c5\n")), 5);
    assert_eq!(constant(&program_as("mov oPos, c5\n", &as_d3d)), 101);
    assert_eq!(constant(&program_as("mov oPos, c[A0+5]\n", &as_d3d)), 101);
    assert_eq!(constant(&program("!!VP1.0\nMOV o[HPOS], c[5];\nEND")), 101);
    assert_eq!(constant(&program_as("!!VP1.0\nMOV o[HPOS], c[191];\nEND", &as_hw)), 191);
    assert_eq!(constant(&program_as("!!VP1.0\nMOV o[HPOS], c[A0.x+100];\nEND", &as_hw)), 100);
    assert_eq!(constant(&program("!!VP1.0\nMOV o[HPOS], c[A0.x-64];\nEND")), 32);
    assert_eq!(constant(&program("vs.1.1\nmov oPos, c5")), 101);
    assert_eq!(constant(&program("xvs.1.1\nmov oPos, c-96")), 0);
    assert_eq!(constant(&program("xvs.1.1\nmov oPos, c[-38].x")), 58);
    assert_eq!(constant(&program_as("vs.1.1\nmov oPos, c100", &as_hw)), 100);
    let uniforms = program_as("#m matrix4 4\nmov oPos, #m[2]\n", &as_d3d);
    assert_eq!(
        (constant(&uniforms), uniforms.constants[0].reg.index, uniforms.constants[0].count),
        (102, 100, 4)
    );
    assert_eq!(uniforms.constants[0].name.as_deref(), Some("m"));
    for map in ConstantMap::ALL {
        for dialect in DIALECTS {
            let out = disassemble(&program("mov oPos, c150\nmov oD0, c[A0+120]\n"), dialect, Some(map));
            let again = program_as(&out.text, &Options { constants: Some(map), ..Options::default() });
            assert!(out.diagnostics.is_empty() && constant(&again) == 150, "{}", out.text);
        }
    }
}

#[test]
fn the_option_transforms_the_position() {
    let text = "!!VP1.1\nOPTION NV_position_invariant;\nMOV o[COL0], v[COL0];\nEND";
    let by_hand = |first: u16| {
        let rows = ["x", "y", "z", "w"].into_iter().zip(first..);
        let rows: String =
            rows.map(|(lane, row)| format!("DP4 o[HPOS].{lane}, v[OPOS], c[{row}];\n")).collect();
        program(&format!("!!VP1.0\n{rows}MOV o[COL0], v[COL0];\nEND")).words(&ISA)
    };
    assert_eq!(program(text).words(&ISA), by_hand(0));
    let constants = program(text).constants;
    assert_eq!((constants[0].reg.index, constants[0].count), (96, 4));
    let elsewhere = program_as(text, &Options { position: 92, ..Options::default() });
    assert_eq!(elsewhere.words(&ISA), by_hand(92));
    let beyond = assemble(&File::new("t", text), &Options { position: 93, ..Options::default() });
    assert_eq!(beyond.diagnostics.iter().map(|problem| problem.code.id).collect::<Vec<_>>(), ["A0104"]);
}

/// vs.1.1 counts constants from 0; only the Xbox's dialect has those before them, down to c-96.
#[test]
fn constants_before_the_first_need_the_xbox() {
    let version = |constant: &str| {
        let text = format!("xvs.1.1\ndef {constant}, 1, 2, 3, 4\nmov oPos, v0\nmov oD0, {constant}\n");
        let printed = disassemble(&program(&text), &D3D, None).text;
        assert!(printed.contains(&format!("def {constant},")), "{printed}");
        printed.lines().next().unwrap_or_default().to_owned()
    };
    assert_eq!(["c95", "c1", "c0"].map(version), ["vs.1.1"; 3]);
    assert_eq!(["c-1", "c-96"].map(version), ["xvs.1.1"; 2]);
    // What is defined is printed also if nothing reads it; a uniform there, which has no values, is not.
    let unread = |text: &str| {
        let printed = disassemble(&program(text), &D3D, None).text;
        (printed.lines().next().unwrap_or_default().to_owned(), printed.contains("def "))
    };
    assert_eq!(unread("xvs.1.1\ndef c-1, 1, 2, 3, 4\nmov oPos, v0\n"), ("xvs.1.1".to_owned(), true));
    assert_eq!(unread("xvs.1.1\ndef c0, 1, 2, 3, 4\nmov oPos, v0\n"), ("vs.1.1".to_owned(), true));
    assert_eq!(unread("#m vector 5\nmov oPos, v0\n"), ("vs.1.1".to_owned(), false));
}

#[test]
fn state_programs() {
    let vsp = "!!VSP1.0\nMOV c[0], v[0];\nMUL c[1].xy, c[0], c[0];\nEND\n";
    let xvss = "xvss.1.1\nmov c0, v0\nmul c1.xy, c0, c0\n";
    let vsh = "MOV c[96].xyzw, v0\nMUL c[97].xy, c[96], c[96]\n";
    let words = program(vsp).words(&ISA);
    for (text, dialect) in [(vsp, &VP), (xvss, &D3D), (vsh, &VSH)] {
        assert_eq!(program(text).words(&ISA), words);
        assert_eq!(kind(&program(text)), Kind::State);
        assert_eq!(disassemble(&program(text), dialect, None).text, text);
    }
    // A vertex program that writes a constant as well: only the Xbox's dialect can say it.
    let both = program("xvsw.1.1\nmov oPos, v0\nmov c5, v1");
    assert_eq!(disassemble(&both, &D3D, None).text, "xvsw.1.1\nmov oPos, v0\nmov c5, v1\n");
    let vp = disassemble(&both, &VP, None);
    assert_eq!(vp.diagnostics.len(), 1);
    assert_eq!(vp.diagnostics[0].code.id, "N0303");
    assert!(
        vp.text.contains(".word 0x00000000 0x0020021b 0x0836106c 0x2070f329; # MOV c[101].xyzw, v1"),
        "{}",
        vp.text
    );
    assert_eq!(program(&vp.text).words(&ISA), both.words(&ISA));
}

#[test]
fn pairs_are_split_where_the_order_does_not_matter() {
    let vp = |text: &str| disassemble(&program(&format!("{text}\nmov oPos, v0\n")), &VP, None);
    let cases = [
        // Independent.
        ("mul r2, r3, v0 + rcp r1.x, r4.x", "MUL R2, R3, v[OPOS];\nRCP R1.x, R4.x;\n"),
        // The MAC writes what the ILU reads: the ILU goes first.
        ("mul r2, r3, v0 + rcp r1.x, r2.x", "RCP R1.x, R2.x;\nMUL R2, R3, v[OPOS];\n"),
        // Two destinations: the one that no source reads goes first.
        ("mul r2, r2, v0 + mul oD0, r2, v0", "MUL o[COL0], R2, v[OPOS];\nMUL R2, R2, v[OPOS];\n"),
        // The old A0 is read beside an ARL.
        ("arl a0, r0 + rcp r1.x, c[A0+96].x", "RCP R1.x, c[A0.x].x;\nARL A0.x, R0.x;\n"),
        // Lanes that do not meet.
        ("mul r2.x, r3, v0 + rcp r1.x, r2.w", "MUL R2.x, R3, v[OPOS];\nRCP R1.x, R2.w;\n"),
    ];
    for (text, lines) in cases {
        let out = vp(text);
        assert_eq!(out.text, format!("!!VP1.0\n{lines}MOV o[HPOS], v[OPOS];\nEND\n"));
        assert!(warnings(&out).is_empty());
        assert_eq!(out.diagnostics.len(), usize::from(text.contains('+')));
    }
    // An exchange cannot be split, GL has no back specular input; oB0 is its BFC0.
    for text in ["mov r2, r1 + rcp r1.x, r2.x", "mul r2, r3, v8", "mul r3, r2, v13 + rcp r1.x, r4.x"] {
        let out = vp(text);
        assert_eq!(warnings(&out), ["N0303"], "{}", out.text);
        assert_eq!(program(&out.text).words(&ISA), program(&format!("{text}\nmov oPos, v0\n")).words(&ISA));
    }
    assert!(vp("mov oB0, v0").text.contains("MOV o[BFC0], v[OPOS];"));
}

/// OpenGL's texts add -64 to 63 to A0.x (spec section 10), and count from the machine's c96: c32 to c159. Direct3D's and the
/// first dialect have other limits, also where they count as OpenGL does: signs are Direct3D's alone.
#[test]
fn constants_beside_the_address_have_limits() {
    let near = |index: u16, dialect, map| {
        let out = disassemble(&program(&format!("mov oPos, c[A0+{index}]\n")), dialect, map);
        let why =
            out.diagnostics.iter().find_map(|problem| problem.labels.first()).map(|label| label.text.clone());
        (out.text, why)
    };
    let (gl, hw) = (Some(ConstantMap::Gl), Some(ConstantMap::Hw));
    let too_far = Some("its constant is too far from A0.x".to_owned());
    let cases = [
        (32, &VP, None, "c[A0.x-64]"),
        (159, &VP, None, "c[A0.x+63]"),
        (31, &VP, hw, "c[A0.x+31]"),
        (160, &VP, hw, "c[A0.x+160]"),
        (31, &D3D, gl, "c[a0.x - 65]"),
        (160, &D3D, gl, "c[a0.x + 64]"),
        (160, &VSH, gl, "c[A0+64]"),
    ];
    for (index, dialect, map, words) in cases {
        let (text, why) = near(index, dialect, map);
        assert!(text.contains(words) && !text.contains(".word"), "{index} {dialect:?}: {text}");
        assert_eq!(why, None, "{index} {dialect:?}");
    }
    for index in [0, 31, 160, 191] {
        let (text, why) = near(index, &VP, None);
        assert!(text.contains(".word"), "{index}: {text}");
        assert_eq!(why, too_far, "{index}");
    }
    let (text, _) = near(95, &VSH, gl);
    assert!(text.starts_with(".word"), "{text}");
    assert!(!near(96, &VSH, gl).0.contains(".word"));
}

/// Only preprocessor lines are skipped where the first word is looked for: other lines with `#` declare uniforms, also if
/// they do it wrongly.
#[test]
fn lines_of_others_are_no_preprocessor_lines() {
    assert_eq!(Dialect::of("#light\nmov oPos, v0"), &VSH);
    assert_eq!(Dialect::of("#light\nvs.1.1\n"), &VSH);
    assert_eq!(Dialect::of("#define LIGHT\nmov oPos, v0"), &D3D);
    assert_eq!(Dialect::of("#pragma screenspace\nmov oPos, v0"), &D3D);
    assert_eq!(Dialect::of("# 7 \"a.h\"\nvs.1.1\n"), &D3D);
}

/// A `mov` of the ILU alone cannot be written, so its two destinations get an instruction each, which any Direct3D 8 has.
#[test]
fn what_is_split_needs_no_xbox() {
    let mut pair = program("xvs.1.1\nrcp oPos.z, r0.x\n+rcp r5.y, r0.x\n");
    assert!(disassemble(&pair, &D3D, None).text.starts_with("xvs.1.1\n"));
    let mut bits = pair.slots[0].bits;
    // RCP is ILU operation 2, MOV is 1.
    assert_eq!(bits.words[1] >> 25 & 7, 2);
    bits.words[1] ^= 3 << 25;
    pair.slots[0] = ISA.slot(bits, Default::default());
    let text = disassemble(&pair, &D3D, None).text;
    assert_eq!(text, "vs.1.1\n#pragma screenspace\nmov oPos.z, r0.x\nmov r5.y, r0.x\n");
    assert_eq!(disassemble(&program(&text), &D3D, None).text, text);
}

/// In a text a MOV that is alone is the MAC's, and of two the assembler says which is whose. So one of the ILU does not come back by
/// its words, whatever stands beside it, and is kept bit for bit where that is asked.
#[test]
fn moves_of_the_ilu_are_kept_exactly() {
    for text in [
        "lit oD0, r0",
        "lit r5.y, r0",
        "mov r2, v0 + lit oD0, v0",
        "mov oD0, v0 + lit r1, v0",
        "mov r1, v0 + lit oD0, v0",
        "mul r2, r3, v0 + lit r1, r4",
        "arl a0, r0 + lit oD0, r4",
    ] {
        let mut given = program(&format!("{text}\nmov oPos, v0\n"));
        let mut bits = given.slots[0].bits;
        // LIT is ILU operation 7, MOV is 1.
        assert_eq!(bits.words[1] >> 25 & 7, 7);
        bits.words[1] ^= 6 << 25;
        given.slots[0] = ISA.slot(bits, Default::default());
        for dialect in DIALECTS {
            let exact = disassemble_exactly(&given, dialect, None);
            assert_eq!(program(&exact.text).words(&ISA), given.words(&ISA), "{text}\n{}", exact.text);
        }
        if !text.contains('+') {
            let plain = disassemble(&given, &VSH, None);
            assert!(!plain.text.contains(".word"), "{}", plain.text);
            assert_ne!(program(&plain.text).words(&ISA), given.words(&ISA));
            assert_eq!(plain.diagnostics[0].notes, ["1 slot: other bits of the same meaning"]);
        }
    }
}

#[test]
fn what_runs_is_printed() {
    // FINAL in the middle: the other dialects end there.
    let mut cut = program("mov oPos, v0\nmov r0, v1\n");
    for slot in &mut cut.slots {
        let [w0, w1, w2, w3, w4] = slot.bits.words;
        *slot = ISA.slot(Bits { words: [w0, w1, w2, w3 | 1, w4] }, slot.span);
    }
    assert_eq!(disassemble(&cut, &D3D, None).text, "vs.1.1\n#pragma screenspace\nmov oPos, v0\n");
    assert_eq!(disassemble(&cut, &VP, None).text, "!!VP1.0\nMOV o[HPOS], v[OPOS];\nEND\n");
    let text = disassemble(&cut, &VSH, None).text;
    assert_eq!(
        text,
        ".word 0x00000000 0x0020001b 0x0836106c 0x2070f801 ; MOV oPos.xyzw, v0; FINAL\nMOV R0.xyzw, v1\n"
    );
    assert_eq!(program(&text).words(&ISA), cut.words(&ISA));
    // Values of constants are said where the dialect can, and kept as comments where not.
    let defined = program("vs.1.1\ndef c5, 1, -0.1, 1e-20, 0\nmov oPos, c5");
    assert_eq!(
        disassemble(&defined, &D3D, None).text,
        "vs.1.1\n#pragma screenspace\ndef c5, 1.0, -0.1, 1e-20, 0.0\nmov oPos, c5\n"
    );
    assert!(disassemble(&defined, &VP, None).text.contains("# c5, 1.0, -0.1, 1e-20, 0.0\n"));
    assert!(disassemble(&defined, &VSH, None).text.starts_with("; c101, 1.0, -0.1, 1e-20, 0.0\n"));
    // No position, no vertex program of GL's, unless words may write it.
    let part = program("mov r0, v0\nmov r1, v0\n");
    let out = disassemble(&part, &VP, None);
    assert_eq!(warnings(&out), ["N0303"]);
    assert!(out.text.starts_with("!!VP1.0\nMOV R0, v[OPOS];\n.word "), "{}", out.text);
    assert_eq!(program(&out.text).words(&ISA), part.words(&ISA));
    // Nothing has no text there.
    let out = disassemble(&Program::default(), &VP, None);
    assert!(has_errors(&out.diagnostics));
}

#[test]
fn final_stands_where_it_is_told() {
    let explicit = Options { place: Final::Explicit, ..CLIP };
    for text in ["mov oPos, v0\n", "!!VP1.0\nMOV o[HPOS], v[OPOS];\nEND", "vs.1.1\nmov oPos, v0"] {
        assert_eq!(program_as(text, &explicit).words(&ISA)[4..], [0, 0, 0, 1]);
        assert_eq!(program(text).words(&ISA).len(), 4);
    }
    assert!(program("vs.1.1\n").slots.is_empty());
}

/// What a text for reading does not keep is reported, kind by kind; with exactness everything is kept.
#[test]
fn what_is_not_kept_is_reported() {
    let plain = program("mov r1, v1\nmul r2, r3, v0 + rcp r1.x, r4.x\nmov oPos, v0\nmov oD0, v3\n");
    let mut slots = plain.slots.clone();
    // vp20compiler leaves 0 where asm leaves 1: whether an output or a constant is not written.
    slots[0].bits.words[3] &= !(1 << 11);
    // A slot that does nothing, and not as `nop` does.
    slots.insert(0, ISA.slot(Bits::default(), plain.span));
    // FINAL before the end.
    slots[3].bits.words[3] |= 1;
    let slots = slots.into_iter().map(|slot| ISA.slot(slot.bits, slot.span)).collect();
    let given = Program { slots, ..plain };
    let reported = |dialect| {
        let out = disassemble(&given, dialect, None);
        assert!(out.diagnostics.iter().all(|problem| problem.code.id == "B0103"), "{}", out.text);
        let notes = out.diagnostics.first().map(|note| note.notes.clone()).unwrap_or_default();
        (out.text, notes)
    };
    let (text, notes) = reported(&VSH);
    assert!(text.starts_with(".word 0x00000000 0x00000000 0x00000000 0x00000000 ; nothing is done\nMOV R1"));
    assert_eq!(text.matches(".word").count(), 2);
    assert_eq!(notes, ["1 slot: other bits of the same meaning"]);
    let all = [
        "1 slot: other bits of the same meaning",
        "1 slot: left out, without effect",
        "1 slot: split into instructions",
        "1 slot: left out, behind FINAL",
    ];
    let (text, notes) = reported(&VP);
    assert_eq!((text.contains(".word"), &notes[..]), (false, &all.map(str::to_owned)[..]));
    let (text, notes) = reported(&D3D);
    assert_eq!((text.contains(".word"), notes.len()), (false, 3), "{notes:?}");
    for dialect in DIALECTS {
        let out = disassemble_exactly(&given, dialect, None);
        assert!(out.diagnostics.is_empty());
        assert_eq!(program(&out.text).words(&ISA), given.words(&ISA), "{}", out.text);
    }
    // Without FINAL, which a text sets.
    let mut open = program("mov oPos, v0\n");
    open.slots[0].bits.words[3] &= !1;
    let notes = &disassemble(&open, &VSH, None).diagnostics[0].notes;
    assert_eq!(notes, &["1 slot: FINAL set, which was not"]);
}

/// Pairs are split only as far as the machine has room; what it prints, the dialect's reader takes.
#[test]
fn what_is_split_fits_the_machine() {
    // Of 101 slots 35 can become two. Those that are one instruction, or that no order splits, take none of that room.
    for (plain, wordless) in [(0, 0), (20, 0), (0, 20), (20, 20)] {
        let plain_lines = "mov r5, v0\n".repeat(plain);
        let exchanges = "mov r2, r1 + rcp r1.x, r2.x\n".repeat(wordless);
        let pairs = "mul r2, r3, v0 + rcp r1.x, r4.x\n".repeat(100 - plain - wordless);
        let given = program(&format!("{plain_lines}{exchanges}{pairs}mov oPos, v0\n"));
        let out = disassemble(&given, &VP, None);
        let again = program(&out.text);
        let words = 65 - plain;
        assert_eq!((again.slots.len(), out.text.matches(".word").count()), (136, words));
        assert_eq!(warnings(&out).iter().filter(|code| **code == "N0303").count(), words);
    }
}

/// A text that is longer than its dialect lets it be is reported, with the slots that were split.
#[test]
fn long_texts_are_told_of() {
    let told = |count: usize, dialect| {
        let given = program(&format!("mov oPos, v0\n{}", "mov r0, v1\n".repeat(count - 1)));
        let out = disassemble(&given, dialect, None);
        out.diagnostics
            .into_iter()
            .filter(|problem| problem.code.id == "N0408")
            .map(|problem| (problem.message, problem.notes))
            .collect::<Vec<_>>()
    };
    let long = |count: usize| {
        [(
            format!("the text has {count} instructions"),
            vec!["pairs that had to be split count twice".to_owned()],
        )]
    };
    for dialect in [&VP, &D3D] {
        assert_eq!(told(128, dialect), []);
        assert_eq!(told(129, dialect), long(129));
        assert_eq!(told(136, dialect), long(136));
    }
    assert_eq!(told(136, &VSH), []);
}
