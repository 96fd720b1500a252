//! `explain` and `list`.

use crate::common::gpuzoo;

#[test]
fn a_word_shows_its_fields() {
    // shf r1 r1 xyxy 0b1111 (dreambox spec sections 1 and 5): mask 15 at bit 22, swizzle 01000100 at 14, src 1 at 10,
    // dst 1 at 6, op 23.
    let page = gpuzoo(&["explain", "--gpu", "dreambox", "0x03d10457"]);
    assert_eq!((page.code, page.err.as_str()), (0, ""));
    assert!(page.out.starts_with("0x03d10457  shf r1 r1 xyxy 0b1111\n"), "{}", page.out);
    for line in [
        "25..22    mask        1111 (15)        writes xyzw",
        "21..14    swizzle     01000100 (68)    xyxy",
        "13..10    src         0001 (1)         r1",
        "9..6      dst         0001 (1)         r1",
        "5..0      op          010111 (23)      shf",
        "Canonical:",
    ] {
        assert!(page.out.contains(line), "{line}\n{}", page.out);
    }
    let junk = gpuzoo(&["explain", "--gpu", "dreambox", "8000003f"]).out;
    assert!(junk.contains("Not canonical") && junk.contains("31..26    unused      100000 (32)"), "{junk}");
    let reserved = gpuzoo(&["explain", "--gpu", "dreambox", "0x00000030"]).out;
    assert!(reserved.contains("No instruction has this opcode"), "{reserved}");
}

#[test]
fn instructions_codes_and_machines_have_pages() {
    let page = gpuzoo(&["explain", "dreambox.mulm"]).out;
    assert_eq!(gpuzoo(&["explain", "--gpu", "dreambox", "mulm"]).out, page);
    for part in [
        "mulm dst src",
        "M's columns in src",
        "`r0` to `r15`; read, then written",
        "5..0      op          24",
    ] {
        assert!(page.contains(part), "{part}\n{page}");
    }
    let code = gpuzoo(&["explain", "D0102"]).out;
    assert!(code.starts_with("D0102: register is read before it is written\n"), "{code}");
    let machine = gpuzoo(&["explain", "dreambox"]).out;
    assert!(machine.contains("`pos`, `tex`, `col`, `ocol`") && machine.contains("atan2"), "{machine}");
    let near = gpuzoo(&["explain", "dreambox.mlum"]);
    assert_eq!(near.code, 2);
    assert!(near.err.contains("did you mean `mulm`?"), "{}", near.err);
    assert!(gpuzoo(&["explain", "0x3f"]).err.contains("error[G0101]"));
}

/// What the pages say of each machine's operands is what its assembler takes.
#[test]
fn pages_tell_what_may_be_written() {
    let says = |topic: &[&str], parts: &[&str]| {
        let page = gpuzoo(&[&["explain"], topic].concat()).out.replace("\n            ", " ");
        for part in parts {
            assert!(page.contains(part), "{part}\n{page}");
        }
    };
    says(
        &["picogpu.fadd"],
        &[
            "fadd dst.mask a b\n",
            "fadd dst.mask a values\n",
            "a mask may follow: `.xz`",
            "1 to 4 values, each a float",
            "  fadd r0 r1 0.5\n",
            "components to write; bit 3 is x",
        ],
    );
    says(&["picogpu.imax"], &["imax dst.mask a b\n", "imax dst.mask a\n"]);
    says(&["picogpu.lduni"], &["Only the assembler writes it."]);
    says(
        &["servaru.ADD"],
        &[
            "ADD dst.mask, a, b;\n",
            "`R0` to `R31`, `P0` to `P31` or `_` for none",
            "`R0` to `R31`, `P0` to `P31`, `U0` to `U127` or a number",
            "`.yzxw`",
            "`-` flips the sign",
            "  ADD R0, R1, R2;\n",
        ],
    );
    says(
        &["nv2a.add"],
        &[
            "`oPos`, `oD0`",
            "`c[0]` to `c[191]` or `R0` to `R11`",
            "`c[A0+5]`",
            "a_neg",
            "a_swz",
            "c_r_high",
            "out_r",
        ],
    );
    says(
        &["--gpu", "picogpu", "0x0000003f"],
        &["No instruction has this opcode: the unit stops with an error."],
    );
    says(
        &["--gpu", "servaru", "0x1f00000000000000"],
        &["No instruction has this opcode: the instruction is illegal."],
    );
    says(&["picogpu"], &["35 instructions of 32 to 160 bits; a program has at most 511 words of 32 bits"]);
    says(&["servaru"], &["31 instructions of 64 bits; how long a program may be is not known"]);
    says(&["nv2a"], &["20 instructions; a slot has 128 bits and may hold two, a program at most 136 slots"]);
    says(&["dreambox"], &["26 instructions of 32 bits, at most 64 to a program"]);
    // Letters, however many and in whatever case a language has them.
    says(&["A0107"], &["four (`wzyx`), one for\nall four (`.x`), or one to four of which the last repeats"]);
    says(&["A0108"], &["how comments begin"]);
}

#[test]
fn listings_have_a_text_and_a_json_form() {
    for what in [
        "gpus",
        "ops",
        "profiles",
        "modes",
        "formats",
        "codes",
        "engines",
        "registers",
        "dialects",
        "directives",
        "macros",
        "scene",
        "settings",
        "jobs",
        "options",
        "deviations",
        "limits",
    ] {
        let text = gpuzoo(&["list", what]);
        assert_eq!((text.code, text.err.as_str()), (0, ""));
        let json: serde_json::Value = serde_json::from_str(&gpuzoo(&["list", what, "--json"]).out).unwrap();
        assert_eq!(json.as_array().map(Vec::len), Some(text.out.lines().count() - 1), "{what}");
    }
    let ops: serde_json::Value =
        serde_json::from_str(&gpuzoo(&["list", "ops", "--gpu", "dreambox", "--json"]).out).unwrap();
    // 26 instructions, of which `end` is 63 (dreambox spec section 1).
    assert_eq!(ops.as_array().map(Vec::len), Some(26));
    assert!(ops.as_array().unwrap().iter().any(|op| op["name"] == "end" && op["opcode"] == "63"));
    // The text is a table; JSON has the operands as well.
    let mulm = ops.as_array().unwrap().iter().find(|op| op["name"] == "mulm").unwrap();
    assert_eq!(mulm["operands"][1]["choices"][0]["file"], "register");
    assert_eq!(mulm["example"], "mulm r0 r1");
}

/// `--gpu` is never passed over.
#[test]
fn a_listing_of_one_machine_has_its_rows_alone() {
    for what in ["ops", "profiles", "modes", "registers", "dialects", "directives", "macros", "settings"] {
        let rows = gpuzoo(&["list", what, "--gpu", "nv2a"]).out;
        assert!(
            rows.lines().count() > 1 && rows.lines().skip(1).all(|row| row.starts_with("nv2a ")),
            "{rows}"
        );
    }
    let scene = gpuzoo(&["list", "scene", "--gpu", "nv2a"]).out;
    assert!(
        scene.contains("scene.draw.state.viewport_constants") && !scene.contains("combine_texture"),
        "{scene}"
    );
    let codes = gpuzoo(&["list", "codes", "--gpu", "nv2a"]).out;
    assert!(codes.lines().skip(1).all(|row| row.starts_with('N')), "{codes}");
    let refused = gpuzoo(&["list", "engines", "--gpu", "nv2a"]);
    assert!(refused.code == 2 && refused.err.contains("error[G0108]"), "{}", refused.err);
}

#[test]
fn names_of_all_kinds_have_pages() {
    let says = |topic: &[&str], part: &str| {
        let page = gpuzoo(&[&["explain"], topic].concat());
        assert!(page.code == 0 && page.out.contains(part), "{topic:?} {} {}", page.out, page.err);
        let json = gpuzoo(&[&["explain", "--json"], topic].concat());
        assert!(serde_json::from_str::<serde_json::Value>(&json.out).is_ok(), "{topic:?} {}", json.out);
    };
    says(&["nv2a.oPos"], "the position: x and y in pixels");
    says(&["c58", "--gpu", "nv2a"], "the viewport's scale");
    says(&["nv2a.m4x4"], "m4x4 oPos, v0, c0");
    says(&["nv2a.def"], "def cN, x, y, z, w");
    says(&["nv2a.hw"], "as consoles compute it");
    says(&["dreambox.pos"], "st pos r");
    says(&["vs.1.1"], "begins a vertex shader for any Direct3D 8");
    says(&["png"], "animated PNG");
    says(&["scene"], "TOML");
    says(&["scene.draw.state"], "viewport_constants");
    says(&["depth_compare"], "nv2a.depth_compare");
    says(&["memory"], "For example\n  --limit memory=2GiB");
    // Jobs have a key of this name.
    says(&["draws"], "--limit draws");
    says(&["draws"], "picogpu.job.draws");
    // A name that no machine has leads to one that is near.
    // A verb's page is its help.
    let verb = gpuzoo(&["explain", "render"]);
    assert_eq!((verb.code, verb.out), (0, gpuzoo(&["render", "--help"]).out), "{}", verb.err);
    assert!(gpuzoo(&["explain", "render", "--json"]).err.contains("error[G0108]"));
    assert!(gpuzoo(&["explain", "renders"]).err.contains("error[G0110]"));
    assert!(gpuzoo(&["explain", "oPoss"]).err.contains("did you mean `oPos`?"));
    assert!(gpuzoo(&["explain", "nv2a.sampler0"]).err.contains("error[G0110]"));
}

#[test]
fn every_code_that_is_listed_is_explained() {
    let codes = gpuzoo(&["list", "codes"]).out;
    for code in codes.lines().skip(1).filter_map(|line| line.split_whitespace().next()) {
        let page = gpuzoo(&["explain", code]);
        assert!(page.code == 0 && page.out.starts_with(code) && page.out.lines().count() > 2, "{code}");
    }
}

#[test]
fn a_64_bit_word_is_written_as_one_or_as_its_halves() {
    let whole = gpuzoo(&["explain", "--gpu", "servaru", "0x0f801e810c112028"]);
    assert!(whole.out.starts_with("0x0c112028 0x0f801e81  MAD R0.xyz, P1, U4.x, -R2;\n"), "{}", whole.out);
    assert_eq!(gpuzoo(&["explain", "--gpu", "servaru", "0c112028", "0f801e81"]).out, whole.out);
    // Other machines' words are 32 bits each.
    assert_eq!(gpuzoo(&["explain", "--gpu", "dreambox", "0x0f801e810c112028"]).code, 1);
}
