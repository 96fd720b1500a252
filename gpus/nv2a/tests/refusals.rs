//! Every rule of the dialects (spec sections 9 to 12) has a text that breaks it. `‹ ›` marks the place that the message
//! must point to.

use gpuzoo_diag::{Diagnostic, File, Severity};
use gpuzoo_nv2a::{ConstantMap, Options, PositionSpace, assemble};

/// The text without its marks, and the marked range.
fn unmark(marked: &str) -> (String, Option<(u32, u32)>) {
    let range =
        marked.find('‹').map(|start| (start as u32, (marked.find('›').unwrap() - '‹'.len_utf8()) as u32));
    (marked.replace(['‹', '›'], ""), range)
}

fn problems(text: &str, options: &Options) -> Vec<Diagnostic> {
    assemble(&File::new("t", text), options).diagnostics
}

/// Exactly one problem of at least the wanted severity: this code, here.
#[track_caller]
fn one(marked: &str, severity: Severity, code: &str, options: &Options) -> Diagnostic {
    let (text, range) = unmark(marked);
    let all = problems(&text, options);
    let found: Vec<&Diagnostic> = all.iter().filter(|problem| problem.severity >= severity).collect();
    let shown =
        || all.iter().map(|p| (p.code.id, &p.message, p.span().map(|s| s.range()))).collect::<Vec<_>>();
    assert_eq!(found.len(), 1, "{text}\n{:?}", shown());
    assert_eq!((found[0].code.id, found[0].severity), (code, severity), "{text}\n{:?}", shown());
    if let Some(range) = range {
        let span = found[0].span().unwrap();
        assert_eq!((span.start, span.end), range, "{text}\n{:?}", shown());
    }
    found[0].clone()
}

fn error(marked: &str, code: &str) {
    one(marked, Severity::Error, code, &Options::default());
}

fn warning(marked: &str, code: &str) {
    one(marked, Severity::Warning, code, &Options::default());
}

fn vp(version: &str, body: &str) -> String {
    format!("!!{version}\n{body}\nMOV o[HPOS], v[OPOS];\nEND\n")
}

#[test]
fn vp_headers() {
    for text in [
        "‹!!VP2.0›\nEND",
        "‹!!VP3.0›\nEND",
        "‹!!ARBvp1.0›\nEND",
        "‹!!FP1.0›\nEND",
        "‹!!VSP1.1›\nEND",
        "‹!!vp1.0›\nEND",
        "‹!!VP1.0x› END",
        "‹!!›",
    ] {
        error(text, "N0401");
    }
}

/// Reading stops after a thousand errors, and not after as many warnings, of which a thousand are reported.
#[test]
fn many_warnings_are_no_reason_to_stop() {
    let text = format!("xvsw.1.1\n{}mov oPos, v0\n", "def c0, 1, 1, 1, 1\n".repeat(1_500));
    let all = problems(&text, &Options::default());
    assert_eq!(all.len(), 1_000);
    assert_eq!(all[999].notes.last().map(String::as_str), Some("further warnings are not reported"));
    assert!(all.iter().all(|problem| problem.severity == Severity::Warning));
    let all = problems(&format!("vs.1.1\n{}", "mov r0, 1\n".repeat(1_500)), &Options::default());
    assert_eq!(all.len(), 1_001);
    assert_eq!(all.last().map(|problem| problem.code.id), Some("A0114"));
}

#[test]
fn a_dot_without_lanes_is_none() {
    error("xvs.1.1\nmov oPos, c-38‹.›\n", "A0107");
    error("xvsw.1.1\nmov c-38‹.›, v0\n", "A0117");
    error("#2 vector 5\nmov oPos, #2‹.›\n", "A0107");
}

#[test]
fn vp_instructions() {
    let cases = [
        ("‹FRC› R0, R1;", "A0125"),
        ("‹mov› R0, R1;", "A0101"),
        ("‹PRINT› R0;", "A0125"),
        ("‹1› R0;", "A0101"),
        ("MOV R0‹›;", "A0111"),
        ("MOV R0, R1‹› MUL R0, R0, R0;", "A0120"),
        ("MOV R0, R1‹›\nMUL R0, R0, R0;", "A0120"),
        ("MOV R0, R1 ‹foo›;", "A0120"),
        ("MOV R0, R1‹,› R2;", "A0113"),
        ("‹DPH› R0, R1, R2;", "N0403"),
        ("‹RCC› R0, R1.x;", "N0403"),
        ("‹SUB› R0, R1, R2;", "N0403"),
        ("‹ABS› R0, R1;", "N0403"),
        ("MOV R0, ‹+›R1;", "N0403"),
        ("RCP R0, ‹R1›;", "A0121"),
        ("RCP R0, R1‹.xy›;", "A0107"),
        ("RCP R0, R1‹.xxxx›;", "A0122"),
        ("ADD R0, R1‹.xy›, R2;", "A0107"),
        ("MOV R0, R1‹.rgba›;", "A0107"),
        ("EXP R0, -‹c[1]›;", "A0121"),
        ("ARL ‹A0›, R0.x;", "A0117"),
        ("ARL A0.x, ‹R0›;", "A0121"),
        ("ARL ‹R0›, R0.x;", "A0102"),
        ("MOV R0‹.yx›, R1;", "A0117"),
        ("MOV R0‹.xx›, R1;", "A0117"),
        ("MOV R0‹.r›, R1;", "A0117"),
        ("MOV ‹v[0]›, R1;", "A0118"),
        ("MOV ‹A0›.x, R1;", "A0118"),
        ("MOV R0, ‹o[HPOS]›;", "A0119"),
        ("MOV ‹R12›, R1;", "A0118"),
        ("MOV R0, v[‹12›];", "A0104"),
        ("MOV R0, v[‹15›];", "A0104"),
        ("MOV R0, ‹R99›;", "A0103"),
        ("MOV R0, ‹r1›;", "A0102"),
        ("MOV R0, ‹1›;", "A0102"),
        ("MOV o[‹TEX4›], R1;", "A0103"),
        ("MOV R0, v[‹TEX7›];", "A0103"),
        ("MOV o[‹FOO›], R1;", "A0106"),
        ("MOV R0, v[‹16›];", "A0104"),
        ("MOV R0, c[‹96›];", "A0104"),
        ("MOV R0, c[‹-›1];", "A0120"),
        ("MOV R0, c[A0‹]›;", "A0120"),
        ("MOV R0, c[A0.x+‹64›];", "A0104"),
        ("MOV R0, c[A0.x-‹65›];", "A0104"),
        ("MOV R0, c[A0.x‹*›2];", "A0120"),
        ("ADD R0, v[0], ‹v[1]›;", "N0101"),
        ("ADD R0, c[0], ‹c[1]›;", "N0102"),
        ("ADD R0, c[A0.x+1], ‹c[1]›;", "N0102"),
        ("ADD R0, c[A0.x+1], ‹c[A0.x+2]›;", "N0102"),
        ("MOV ‹c[0]›, R1;", "N0405"),
        (".word 1 2 3‹;›", "A0105"),
        (".word 1 2 3 ‹0x100000000›;", "A0104"),
    ];
    for (body, code) in cases {
        error(&vp("VP1.0", body), code);
    }
}

#[test]
fn vp_programs() {
    error("‹!!VP1.0›\nMOV o[COL0], v[COL0];\nEND", "N0404");
    error("!!VP1.0\nMOV o[HPOS], v[OPOS];‹›\n", "A0120");
    error("!!VP1.0\nMOV o[HPOS], v[OPOS];\nEND ‹MOV› R0, R1;", "A0120");
    // What follows is not read, so nothing is wrong with it.
    error("!!VP1.0\nMOV o[HPOS], v[OPOS];\nEND ‹FOO› R1;\nMOV R99, R1;\nEND\nOPTION x;", "A0120");
    error("!!VP1.0\nMOV o[HPOS], v[OPOS];\nEND‹;›\nMOV R99, R1;\n1", "A0120");
    error("!!VP1.1\nOPTION NV_position_invariant;\nMOV ‹o[HPOS]›, v[OPOS];\nEND", "N0404");
    error("!!VP1.1\nOPTION NV_position_invariant;\nMOV o[COL0], ‹c[A0.x+1]›;\nEND", "N0404");
    error("!!VP1.1\nOPTION ‹NV_foo›;\nMOV o[HPOS], v[OPOS];\nEND", "A0120");
    error("!!VP1.1\nMOV R0, R1;\n‹OPTION NV_position_invariant›;\nEND", "N0404");
    error("!!VP1.0\nOPTION ‹NV_position_invariant›;\nMOV R0, R1;\nEND", "N0403");
    error("‹!!VSP1.0›\nMOV R0, v[0];\nEND", "N0405");
    error("!!VSP1.0\nMOV c[0], ‹v[1]›;\nEND", "N0405");
    error("!!VSP1.0\nMOV ‹o[HPOS]›, v[0];\nMOV c[0], v[0];\nEND", "N0405");
    error("!!VSP1.0\nMOV ‹c[A0.x+1]›, v[0];\nEND", "N0207");
    error("!!VSP1.0\n‹DPH› c[1], v[0], c[0];\nEND", "N0403");
}

#[test]
fn d3d_headers() {
    for text in [
        "‹vs.2.0›\nmov oPos, v0",
        "‹vs_3_0›\nmov oPos, v0",
        "‹ps.1.1›\nmov r0, v0",
        "‹xvs.2.0›\n",
        "‹vs.1.4›\n",
    ] {
        error(text, "N0401");
    }
    // What follows a header at once is not part of it.
    error("vs.1.1‹+›mov oPos, v0\n", "A0120");
}

#[test]
fn d3d_instructions() {
    let cases = [
        ("‹foo› r0, v0", "A0101"),
        ("‹arl› a0.x, v0", "A0125"),
        ("‹abs› r0, v0", "A0125"),
        ("‹1› r0", "A0101"),
        ("mov r0, v0 ‹mov› r1, v0", "A0120"),
        ("mov r0 ‹v0›", "A0120"),
        ("mov r0, v0‹,› v1", "A0113"),
        ("mov r0, ‹1.0›", "A0102"),
        ("mov ‹v0›, r0", "A0118"),
        ("add ‹a0›.x, v0, v0", "A0118"),
        ("mov ‹a0›, v0", "A0117"),
        ("mov ‹a0.xy›, v0", "A0117"),
        ("mov r0‹.yx›, v0", "A0117"),
        ("mov r0, v0‹.q›", "A0107"),
        ("mov r0, ‹oD0›", "A0119"),
        ("mov r0, ‹a0›.x", "A0119"),
        ("mov r0, ‹r13›", "A0103"),
        ("mov r0, ‹v16›", "A0103"),
        ("mov r0, ‹oFoo›", "A0102"),
        ("mov ‹oT4›, v0", "A0103"),
        ("mov r0, ‹c96›", "A0104"),
        ("mov r0, ‹c[96]›", "A0104"),
        ("mov r0, c[a0‹]›", "A0120"),
        ("mov r0, c[1 + ‹r0›]", "A0120"),
        ("add r0, v0, ‹v1›", "N0101"),
        ("add r0, c0, ‹c1›", "N0102"),
        ("mov ‹c0›, v0", "N0405"),
        // The Xbox's alone.
        ("mov r0, ‹r12›", "N0501"),
        ("‹dph› r0, v0, c0", "N0501"),
        ("‹rcc› r0, v0.x", "N0501"),
        ("mov ‹oB0›, v0", "N0501"),
        ("mov ‹oB1›, v0", "N0501"),
        ("mov r0, ‹c-1›", "N0501"),
        ("mov r0, ‹c[-1]›", "N0501"),
        ("mul r0, v0, v0\n‹+›rcp r1, v0.x", "N0501"),
        // def and dcl.
        ("def ‹r0›, 1, 2, 3, 4", "A0102"),
        ("def c0, 1, 2, 3\n‹mov› r0, c0", "A0120"),
        ("def c0, ‹x›, 2, 3, 4", "A0105"),
        ("def c0, 1, ‹1.5x›, 3, 4", "A0105"),
        ("def c0, ‹1e99›, 0, 0, 0", "A0104"),
        ("def ‹c96›, 1, 2, 3, 4", "A0104"),
        ("‹dcl_foo› v0", "A0101"),
        ("dcl_position ‹c0›", "A0102"),
        ("dcl_position v0‹.yx›", "A0117"),
        ("dcl_normal v3‹.xx›", "A0117"),
        ("dcl_texcoord7 v9‹.q›", "A0117"),
        // Macros.
        ("m4x4 ‹r0›, r0, c0", "N0206"),
        ("m4x4 ‹r1›, v0, r0", "N0206"),
        ("m4x4 ‹r0.xyz›, v0, c0", "A0117"),
        ("m4x3 ‹r0.xy›, v0, c0", "A0117"),
        ("m4x4 r0, v0, ‹c93›", "A0104"),
        ("m4x4 r0, v0, ‹r9›", "A0104"),
        ("m4x4 r0, v0, ‹-c0›", "N0206"),
        ("m3x3 r0, r1, ‹v0›", "N0206"),
        ("frc ‹r0›, v0", "A0117"),
        ("frc ‹r0.x›, v0", "A0117"),
        ("m3x2 r0, v0\n‹mov› oPos, v0", "A0120"),
        ("add r0, v0, v0\n+‹m4x4› r1, v0, c0", "A0101"),
        (".word 1 2 ‹mov› oPos, v0", "A0105"),
    ];
    for (body, code) in cases {
        error(&format!("vs.1.1\n{body}\n"), code);
    }
}

#[test]
fn d3d_programs() {
    warning("vs.1.1\nmov r0, ‹c[a0.x + 1]›\nmov r1, c[a0.x + 2]\nmov oPos, v0", "N0502");
    warning("vs.1.1\ndef c0, 1, 2, 3, 4\n‹def c0, 5, 6, 7, 8›\nmov oPos, v0", "N0503");
    error("‹xvss.1.1›\nmov r0, v0", "N0405");
    error("xvss.1.1\nmov c0, ‹v1›", "N0405");
    error("xvss.1.1\nmov c0, v0\nmov ‹oPos›, v0", "N0405");
    error("xvsw.1.1\nmov ‹c[a0.x + 1]›, v0", "N0207");
    error("xvs.1.1\nmov ‹c0›, v0", "N0405");
    error("xvs.1.1\nmov ‹r12›, v0", "A0118");
    error("xvs.1.1\n‹+›mov r1, v0", "A0120");
    error("xvs.1.1\nmov r0, ‹c-97›", "A0104");
    error("xvs.1.1\nmul r0, r1, r2\n+‹mul r3, r1, r2.x›", "N0104");
    // All twelve temporaries are in use, so `exp` under a mask has nowhere to work.
    let all: String = (0..12).map(|index| format!("mov r{index}, v0\n")).collect();
    error(&format!("vs.1.1\n{all}exp ‹r0.x›, v0.x"), "N0206");
    error(&format!("vs.1.1\n{all}frc ‹r0.xy›, r0"), "N0206");
    // So are all constants, which each matrix counts four of.
    let all: String = (-96..96).step_by(4).map(|index| format!("m4x4 r1, v0, c{index}\n")).collect();
    error(&format!("xvs.1.1\n{}‹log r0, v0.x›", all.replace("m4x4 r1, v0,", "mov r1,")), "N0504");
}

#[test]
fn lengths() {
    let vp = |count: usize, option: &str| {
        let rest = "MOV R0, R1;\n".repeat(count - 1);
        format!("!!VP1.1\n{option}{rest}MOV o[{}], R0;\nEND", if option.is_empty() { "HPOS" } else { "COL0" })
    };
    let d3d = |count: usize| format!("vs.1.1\n{}", "mov r0, r1\n".repeat(count));
    let severities = |text: &str| {
        let all = problems(text, &Options::default());
        let long = all.iter().filter(|problem| ["N0408", "A0110"].contains(&problem.code.id));
        long.map(|problem| (problem.severity, problem.code.id)).collect::<Vec<_>>()
    };
    let option = "OPTION NV_position_invariant;\n";
    for (text, expected) in [
        (vp(128, ""), vec![]),
        (vp(129, ""), vec![(Severity::Warning, "N0408")]),
        (vp(136, ""), vec![(Severity::Warning, "N0408")]),
        (vp(137, ""), vec![(Severity::Error, "A0110")]),
        (vp(124, option), vec![]),
        (vp(125, option), vec![(Severity::Warning, "N0408")]),
        (vp(133, option), vec![(Severity::Error, "A0110")]),
        (d3d(128), vec![]),
        (d3d(129), vec![(Severity::Warning, "N0408")]),
        (d3d(137), vec![(Severity::Error, "A0110")]),
        (d3d(136).replace("vs.1.1", "xvs.1.1"), vec![]),
        ("mov r0, r1\n".repeat(136), vec![]),
        ("mov r0, r1\n".repeat(137), vec![(Severity::Error, "A0110")]),
    ] {
        assert_eq!(severities(&text), expected, "{}", text.lines().count());
    }
}

#[test]
fn constants_beyond_the_map() {
    let with = |map| Options { constants: Some(map), ..Options::default() };
    for (text, map) in [
        ("mov r0, ‹c96›\n", ConstantMap::Gl),
        ("mov r0, c[A0+‹96›]\n", ConstantMap::D3d),
        ("vs.1.1\nmov r0, ‹c192›", ConstantMap::Hw),
        ("!!VP1.0\nMOV o[HPOS], c[‹192›];\nEND", ConstantMap::Hw),
    ] {
        one(text, Severity::Error, "A0104", &with(map));
    }
    one("#m matrix4 ‹93›\nmov r0, v0\n", Severity::Error, "N0204", &with(ConstantMap::Gl));
    one("#m matrix4 ‹65535›\n%matmul4x4 oPos v0 #m\n", Severity::Error, "N0204", &Options::default());
}

/// What the machine has not is no uniform: of those that end at its last constant each is one, and of those that end behind it none.
#[test]
fn uniforms_end_with_the_constants() {
    let named = |text: &str, constants: Option<ConstantMap>| {
        let options = Options { constants, ..Options::default() };
        let assembled = assemble(&File::new("t", text), &options);
        let uniforms = assembled.program.constants.into_iter();
        let uniforms = uniforms.map(|uniform| (uniform.name.unwrap(), uniform.reg.index, uniform.count));
        let codes = assembled.diagnostics.iter().map(|problem| problem.code.id);
        (uniforms.collect::<Vec<_>>(), codes.collect::<Vec<_>>())
    };
    let hw = ConstantMap::Hw;
    for (kind, count, map, first, place, code) in [
        ("vector", 1, hw, 0, Some(0), None),
        ("vector", 1, hw, 191, Some(191), None),
        ("vector", 1, hw, 192, None, Some("N0209")),
        ("vector", 1, hw, 255, None, Some("N0209")),
        ("vector", 1, hw, 256, None, Some("N0204")),
        ("matrix4", 4, hw, 188, Some(188), None),
        ("matrix4", 4, hw, 189, None, Some("N0209")),
        ("matrix4", 4, hw, 191, None, Some("N0209")),
        ("matrix4", 4, hw, 252, None, Some("N0209")),
        ("matrix4", 4, hw, 253, None, Some("N0204")),
        ("vector", 1, ConstantMap::Gl, 0, Some(96), None),
        ("vector", 1, ConstantMap::Gl, 95, Some(191), None),
        ("vector", 1, ConstantMap::Gl, 96, None, Some("N0204")),
        ("matrix4", 4, ConstantMap::D3d, 92, Some(188), None),
        ("matrix4", 4, ConstantMap::D3d, 93, None, Some("N0204")),
    ] {
        let text = format!("#a vector 5\n#b {kind} {first}\nmov oPos, v0\n");
        let a = ("a".to_owned(), if map == hw { 5 } else { 101 }, 1);
        let b = place.map(|place| ("b".to_owned(), place, count));
        let (uniforms, codes) = named(&text, Some(map));
        assert_eq!(codes.first().copied(), code, "{text}");
        // A text with an error has no program.
        if code != Some("N0204") {
            assert_eq!(uniforms, [a].into_iter().chain(b).collect::<Vec<_>>(), "{text}");
        }
    }
}

/// Each row of a matrix and no other, and of a vector the first.
#[test]
fn uniforms_have_rows() {
    let words = |text: &str| {
        let assembled = assemble(&File::new("t", text), &Options::default());
        assert!(assembled.ok(), "{text}");
        assembled.program.words(&gpuzoo_nv2a::ISA)
    };
    let uniforms = "#v vector 7\n#m matrix4 188\n";
    for (name, constant) in
        [("#v", 7), ("#v[0]", 7), ("#m", 188), ("#m[0]", 188), ("#m[1]", 189), ("#m[2]", 190), ("#m[3]", 191)]
    {
        let named = words(&format!("{uniforms}mov oPos, {name}.yxzw\n"));
        assert_eq!(named, words(&format!("mov oPos, c{constant}.yxzw\n")), "{name}");
    }
    for wrong in ["#v[‹1›]", "#v[‹65535›]", "#m[‹4›]"] {
        let problem =
            one(&format!("{uniforms}mov oPos, {wrong}\n"), Severity::Error, "N0204", &Options::default());
        let most = if wrong.starts_with("#v") { "at most 0" } else { "at most 3" };
        assert_eq!(problem.labels[0].text, most, "{wrong}");
    }
    error(&format!("{uniforms}mov oPos, #m[‹-›1]\n"), "A0120");
    error(&format!("{uniforms}mov oPos, #m[‹a0›]\n"), "A0120");
}

/// What has been reported where it is defined is not reported where it is used.
#[test]
fn uses_of_a_wrong_uniform_are_not_reported() {
    let uses = "mov oPos, #a\nmov oD0, #a[2]\n%matmul4x4 oT0 v0 #a\n";
    for (defined, code) in
        [("#a ‹foo› 5", "A0120"), ("#a vector ‹x›", "A0120"), ("#a matrix4 ‹70000›", "A0104")]
    {
        error(&format!("{defined}\n{uses}"), code);
    }
    // A name that nothing defines is reported at each of its uses, and a second definition leaves the first.
    let codes = |text: &str| {
        problems(text, &Options::default()).iter().map(|problem| problem.code.id).collect::<Vec<_>>()
    };
    assert_eq!(codes(uses), ["N0204"; 3]);
    // The matrix alone is its row 0, which is warned of.
    assert_eq!(codes(&format!("#a matrix4 5\n#a vector 7\n{uses}")), ["N0204", "N0210"]);
}

/// A text with the edits of its only problem.
#[track_caller]
fn edited(text: &str) -> String {
    let all = problems(text, &Options::default());
    let [problem] = &all[..] else { panic!("{text}\n{all:?}") };
    let [fix] = &problem.fixes[..] else { panic!("{text}\n{problem:?}") };
    let mut text = text.to_owned();
    for edit in fix.edits.iter().rev() {
        text.replace_range(edit.span.start as usize..edit.span.end as usize, &edit.text);
    }
    text
}

/// Between the operands of a macro there is no comma, which is left out to correct it.
#[test]
fn commas_of_a_macro_are_left_out() {
    for (text, expected) in [
        ("%matmul4x4 oPos, v0 #m", "%matmul4x4 oPos v0 #m"),
        ("%matmul4x4 oPos v0, #m", "%matmul4x4 oPos v0 #m"),
        ("%matmul4x4 oPos v0.yxzw, #m", "%matmul4x4 oPos v0.yxzw #m"),
        ("%norm3 r0, v0 r1", "%norm3 r0 v0 r1"),
        ("%norm3 r0 v0, r1", "%norm3 r0 v0 r1"),
    ] {
        let whole = |line: &str| format!("#m matrix4 96\n{line}\nmov oPos, v0\n");
        assert_eq!(edited(&whole(text)), whole(expected));
        assert!(problems(&whole(expected), &Options::default()).is_empty(), "{expected}");
    }
}

/// A uniform's name stands right behind its `#`, of letters, digits and underscores.
#[test]
fn names_of_uniforms_are_words() {
    for name in ["a", "_", "a1", "2nd", "7"] {
        let text = format!("#{name} vector 5\nmov oPos, #{name}\n");
        assert!(problems(&text, &Options::default()).is_empty(), "{text}");
    }
    for wrong in ["# ‹a›", "# ‹2›", "#‹+›", "#‹,›", "#‹[›0]", "#‹#›a"] {
        error(&format!("#a vector 5\nmov oPos, {wrong}\n"), "A0120");
    }
}

/// The ILU half of a pair writes r1, with the components that the text names.
#[test]
fn a_paired_result_is_renamed() {
    for (mask, written) in [("", ""), (".x", ".x"), (".xyzw", ""), (".yw", ".yw")] {
        let text = |register: &str, mask: &str| format!("mov oPos, v0 + rcp {register}{mask}, v0.x\n");
        assert_eq!(edited(&text("r2", mask)), text("r1", written));
    }
}

#[test]
fn what_a_slot_has_no_room_for_is_copied() {
    let cases = [
        (
            "  mov oPos, v0\n  add r11, v0, -v1.xyzw\n",
            "  mov oPos, v0\n  mov r10, v1\n  add r11, v0, -r10.xyzw\n",
        ),
        ("mov oPos, v0\nmad r0, v0, v1.x, -v1\n", "mov oPos, v0\nmov r11, v1\nmad r0, v0, r11.x, -r11\n"),
        (
            "mov oPos, v0\nmul r2, r0, v1 +\n rcp r1, v2.x\n",
            "mov oPos, v0\nmov r11, v2\nmul r2, r0, v1 +\n rcp r1, r11.x\n",
        ),
        ("#m matrix4 8\nadd oPos, c0, #m[2].x\n", "#m matrix4 8\nmov r11, #m[2]\nadd oPos, c0, r11.x\n"),
        (
            "xvsw.1.1\nmov a0.x, v1.x\nadd oPos, c0, -c[a0.x + 3].wzyx\n",
            "xvsw.1.1\nmov a0.x, v1.x\nmov r11, c[a0.x + 3]\nadd oPos, c0, -r11.wzyx\n",
        ),
        (
            "!!VP1.0\n\tADD o[HPOS], v[OPOS], v[TEX0].x; END\n",
            "!!VP1.0\n\tMOV R11, v[TEX0];\n\tADD o[HPOS], v[OPOS], R11.x; END\n",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(edited(text), expected);
        assert!(problems(expected, &Options::default()).is_empty(), "{expected}");
    }
    // Without a free temporary, or where a macro stands, nobody knows what is safe.
    let all: String = (0..12).map(|index| format!("mov r{index}, v1\n")).collect();
    for text in
        [format!("{all}add oPos, v0, v1\n"), "xvsw.1.1\nm3x2 oPos.xy, c1, c8\nmov oPos.zw, v0\n".to_owned()]
    {
        let wrong: Vec<_> = problems(&text, &Options::default());
        let wrong = wrong.iter().filter(|problem| problem.severity == Severity::Error);
        assert!(wrong.clone().count() > 0 && wrong.clone().all(|problem| problem.fixes.is_empty()), "{text}");
    }
    assert_eq!(
        edited("!!VP1.0\nMOV o[HPOS], v[OPOS]\nMOV R0, R1;\nEND"),
        "!!VP1.0\nMOV o[HPOS], v[OPOS];\nMOV R0, R1;\nEND"
    );
}

/// A program without FINAL, whose bits the message names: the lowest of the last word.
#[test]
fn a_program_without_final_is_told_of() {
    let told = |last: &str| {
        let program = assemble(
            &File::new("t", &format!(".word 0 0x0020001b 0x0836106c {last}\n")),
            &Options::default(),
        )
        .program;
        let problems = gpuzoo_nv2a::check(&program);
        problems.into_iter().map(|problem| (problem.code.id, problem.notes)).collect::<Vec<_>>()
    };
    assert_eq!(told("0x2070f801"), []);
    assert_eq!(told("0x2070f800"), [("N0302", vec!["field `final` is bit 0 of the last word".to_owned()])]);
}

/// ARL writes A0 alone (spec section 3): a mask of the MAC, or an output that takes the MAC's result, is reported, once for the slot
/// whatever stands beside it. The ILU may write.
#[test]
fn an_arl_that_writes_more_is_told_of_once() {
    let told = |text: &str, more: u32| {
        let mut program = assemble(&File::new("t", text), &Options::default()).program;
        let mut bits = program.slots[0].bits;
        bits.words[3] |= more;
        program.slots[0] = gpuzoo_nv2a::ISA.slot(bits, Default::default());
        let problems = gpuzoo_nv2a::check(&program).into_iter();
        let undefined = problems.filter(|problem| problem.code.id == "N0301");
        undefined.map(|problem| problem.message).collect::<Vec<_>>()
    };
    let once = ["`arl` writes A0 and can write nothing else"];
    // The MAC's mask is in bits 27 to 24 of the last word, that of the output in bits 15 to 12.
    for text in ["arl a0, r0\nmov oPos, v0\n", "arl a0, r0 + rcp r1.x, r0.x\nmov oPos, v0\n"] {
        assert_eq!(told(text, 0), [""; 0]);
        for bit in (24..28).chain(12..16) {
            assert_eq!(told(text, 1 << bit), once, "{text} {bit}");
        }
    }
    let output = "arl a0, r0 + rcp oD0.x, r0.x\nmov oPos, v0\n";
    assert_eq!((told(output, 0), told(output, 1 << 13)), (vec![], vec![]));
    assert_eq!(told(output, 1 << 25), once);
    // Of another operation something else is wrong: there is no output 255.
    assert!(told("mov r1, r0\nmov oPos, v0\n", 1 << 12).iter().all(|message| message != once[0]));
}

#[test]
fn notes_do_not_fail_a_text() {
    let notes = |text: &str| {
        let all = problems(text, &Options { positions: PositionSpace::Clip, ..Options::default() });
        all.iter().map(|problem| (problem.severity, problem.code.id)).collect::<Vec<_>>()
    };
    assert_eq!(notes("!!VP1.0\nMOV o[HPOS], v[8];\nMOV R0, v[9];\nEND"), [(Severity::Note, "N0407")]);
    assert_eq!(notes("!!VP1.0\nMOV o[HPOS], v[6];\nMOV R0, v[7];\nEND"), [(Severity::Note, "N0407")]);
    assert_eq!(
        notes("!!VP1.1\nOPTION NV_position_invariant;\nMOV o[COL0], v[COL0];\nEND"),
        [(Severity::Note, "N0406")]
    );
    assert_eq!(notes("vs_1_1\ndcl_position v0\ndcl_texcoord1 v7\nmov oPos, v0"), [(Severity::Note, "N0505")]);
    assert_eq!(
        notes("vs.1.1\nexp r0, v0.x\nexp r1, v0.y\nlog r2, v0.x\nmov oPos, v0"),
        [(Severity::Note, "N0504"); 2]
    );
}

/// What the inputs are that OpenGL has no names for: spec section 1.
#[test]
fn inputs_without_a_name_are_explained() {
    for (number, what) in [(6, "the point size"), (7, "the back diffuse colour")] {
        let text = format!("!!VP1.0\nMOV o[HPOS], v[OPOS];\nMOV R0, v[{number}];\nEND");
        let found = problems(&text, &Options { positions: PositionSpace::Clip, ..Options::default() });
        let [note] = &found[..] else { panic!("{found:#?}") };
        assert_eq!(note.labels[0].text, format!("this machine's input {number} is {what}"));
    }
}

#[test]
fn errors_do_not_hide_each_other() {
    let text = "!!VP1.0\nMOV R0, R13;\nFOO R1;\nMOV R1 R2;\nMOV o[HPOS], c[96];\nEND";
    let codes: Vec<&str> =
        problems(text, &Options::default()).iter().map(|problem| problem.code.id).collect();
    assert_eq!(codes, ["A0103", "A0101", "A0120", "A0104"]);
    let text = "vs.1.1\nmov r0, r13\nfoo r1\nmov r1 r2\nmov oPos, c96";
    let codes: Vec<&str> =
        problems(text, &Options::default()).iter().map(|problem| problem.code.id).collect();
    assert_eq!(codes, ["A0103", "A0101", "A0120", "A0104"]);
}
