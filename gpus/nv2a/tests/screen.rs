//! The two slots that lead from clip space to the screen: which texts get them, and that they mean what they should.

use gpuzoo_diag::{Diagnostic, File, Severity};
use gpuzoo_isa::{Assembled, Program};
use gpuzoo_machine::{ShaderUnit, TextOptions};
use gpuzoo_nv2a::{D3D, GPU, ISA, PositionSpace, disassemble, disassemble_exactly};

const TAIL: &str = "mul oPos.xyz, r12, c-38\n+rcc r1.x, r12.w\nmad oPos.xyz, r12, r1.x, c-37\n";

fn read(text: &str, position: PositionSpace) -> Assembled {
    GPU.assemble(&File::new("t", text), &TextOptions { position: Some(position), ..TextOptions::default() })
}

#[track_caller]
fn words(text: &str, position: PositionSpace) -> Vec<u32> {
    let assembled = read(text, position);
    assert!(assembled.ok(), "{text}{:?}", assembled.diagnostics);
    assembled.program.words(&ISA)
}

/// The messages of a text as it is found.
fn told(text: &str) -> Vec<(Severity, &'static str, String)> {
    let of = |problem: Diagnostic| (problem.severity, problem.code.id, problem.message);
    read(text, PositionSpace::Screen).diagnostics.into_iter().map(of).collect()
}

#[test]
fn a_text_gets_what_an_author_would_write() {
    for version in ["vs.1.0", "vs.1.1", "vs_1_1", "xvs.1.0", "XVS.1.1"] {
        let body = "m4x4 oPos, v0, c0\nmov oD0, v3\n";
        let text = format!("{version}\n{body}");
        let own = format!("xvs.1.1\n#pragma screenspace\n{body}{TAIL}");
        assert_eq!(words(&text, PositionSpace::Screen), words(&own, PositionSpace::Screen), "{version}");
        // It is said once, at the version line; with the pragma, or for clip space, nothing is added.
        let [(severity, code, message)] = &told(&text)[..] else { panic!("{:?}", told(&text)) };
        assert_eq!((*severity, *code), (Severity::Note, "N0506"));
        assert!(message.starts_with("two slots are added"), "{message}");
        let span = read(&text, PositionSpace::Screen).diagnostics[0].span().map(|span| span.range());
        assert_eq!(span, Some(0..version.len()));
        let bare = words(&text, PositionSpace::Clip);
        assert_eq!(bare.len(), 5 * 4);
        assert!(read(&text, PositionSpace::Clip).diagnostics.is_empty());
        assert_eq!(words(&format!("#pragma screenspace\n{text}"), PositionSpace::Screen), bare);
        assert!(told(&format!("{text}#pragma screenspace\n")).is_empty());
    }
    // The options as they are.
    let as_found = GPU.assemble(&File::new("t", "vs.1.1\nmov oPos, v0\n"), &TextOptions::default());
    assert_eq!(as_found.program.slots.len(), 3);
}

#[test]
fn some_texts_stay_as_they_are() {
    let silent = [
        "xvsw.1.1\nmov oPos, v0\nmov c5, v1\n",
        "xvss.1.1\nmov c5, v0\n",
        "vs.1.1\nmov oD0, v3\n",
        "vs.1.1\n",
        "mov oPos, v0\n",
        "!!VP1.0\nMOV o[HPOS], v[OPOS];\nEND\n",
    ];
    for text in silent {
        assert_eq!(words(text, PositionSpace::Screen), words(text, PositionSpace::Clip), "{text}");
        assert!(told(text).iter().all(|(_, code, _)| *code != "N0506"), "{text}");
    }
    // Those that lead there themselves: with the viewport's constants, with r12, or both.
    let own = [
        format!("xvs.1.1\nm4x4 oPos, v0, c0\n{TAIL}"),
        "xvs.1.1\nm4x4 r0, v0, c0\nrcc r1.x, r0.w\nmul r0.xyz, r0, c-38\nmad r0.xyz, r0, r1.x, c-37\nmov oPos, r0\n".to_owned(),
        "xvs.1.1\nm4x4 oPos, v0, c0\nrcc r1.x, r12.w\nmul r2, r12, c90\nmad oPos.xyz, r2, r1.x, c91\n".to_owned(),
    ];
    for text in own {
        assert_eq!(words(&text, PositionSpace::Screen), words(&text, PositionSpace::Clip), "{text}");
        let [(Severity::Note, "N0506", message)] = &told(&text)[..] else { panic!("{:?}", told(&text)) };
        assert!(message.contains("itself"), "{message}");
        assert!(told(&format!("#pragma screenspace\n{text}")).is_empty());
    }
    // `.word` may end the program: what came behind would not run.
    let ended = "vs.1.1\nmov oPos, v0\n.word 0x00000000 0x0020061b 0x0836106c 0x2070f819\n";
    assert_eq!(words(ended, PositionSpace::Screen).len(), 8);
    assert!(told(ended)[0].2.contains("`.word`"), "{:?}", told(ended));
    // One that does not end it keeps its bits where it is the last, and else the two slots behind it end the program.
    let open = ended.replace("f819", "f818");
    let ends = |positions| {
        let words = words(&open, positions);
        words.iter().skip(3).step_by(4).map(|word| word & 1).collect::<Vec<_>>()
    };
    assert_eq!((ends(PositionSpace::Clip), ends(PositionSpace::Screen)), (vec![0, 0], vec![0, 0, 0, 1]));
    // Behind an error there is nothing to add.
    let wrong = told("vs.1.1\nmov oPos, v0\nmov oD0, r99\n");
    assert_eq!(wrong.iter().map(|(_, code, _)| *code).collect::<Vec<_>>(), ["A0103"]);
}

/// What reads a component of oPos for something else, before all of it is written, is not a way to the screen.
#[test]
fn reading_the_position_is_not_moving_it() {
    let text = "xvs.1.1\ndp4 oPos.w, v0, c3\nmov oFog.x, r12.w\ndp4 oPos.x, v0, c0\ndp4 oPos.y, v0, c1\ndp4 oPos.z, v0, c2\n";
    assert_eq!(words(text, PositionSpace::Screen), words(&format!("{text}{TAIL}"), PositionSpace::Screen));
}

#[test]
fn the_machine_has_room_or_it_is_an_error() {
    let text = |version: &str, count: usize| {
        format!("{version}\nmov oPos, v0\n{}", "mov r0, v1\n".repeat(count - 1))
    };
    let codes =
        |text: &str| told(text).into_iter().map(|(severity, code, _)| (severity, code)).collect::<Vec<_>>();
    assert_eq!(words(&text("xvs.1.1", 134), PositionSpace::Screen).len(), 136 * 4);
    for count in [135, 136] {
        assert_eq!(codes(&text("xvs.1.1", count)), [(Severity::Error, "N0506")]);
        assert!(told(&text("xvs.1.1", count))[0].2.starts_with(&format!("the program has {count} slots")));
        assert_eq!(words(&text("xvs.1.1", count), PositionSpace::Clip).len(), count * 4);
        assert!(told(&format!("#pragma screenspace\n{}", text("xvs.1.1", count))).is_empty());
    }
    assert_eq!(codes(&text("xvs.1.1", 137)), [(Severity::Error, "A0110")]);
    // The dialect's limit is for what is written.
    assert_eq!(codes(&text("vs.1.1", 128)), [(Severity::Note, "N0506")]);
    assert_eq!(codes(&text("vs.1.1", 129)), [(Severity::Note, "N0506"), (Severity::Warning, "N0408")]);
}

/// What a disassembly prints gives the same words, wherever positions are left.
#[test]
fn disassemblies_say_so() {
    for text in [
        "xvs.1.1\nm4x4 oPos, v0, c0\n",
        "vs.1.1\nmov oPos, v0\nmov oD0, c3\n",
        "xvsw.1.1\nmov c5, v0\nmov oPos, v0\n",
    ] {
        for position in PositionSpace::all() {
            let program: Program = read(text, position).program;
            for out in [disassemble, disassemble_exactly].map(|way| way(&program, &D3D, None)) {
                assert_eq!(
                    out.text.contains("#pragma screenspace"),
                    !text.starts_with("xvsw"),
                    "{}",
                    out.text
                );
                assert!(told(&out.text).is_empty(), "{}{:?}", out.text, told(&out.text));
                assert_eq!(words(&out.text, PositionSpace::Screen), program.words(&ISA), "{}", out.text);
            }
        }
    }
}
