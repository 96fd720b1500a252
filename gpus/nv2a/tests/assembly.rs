//! The published texts, refusals and disassemblies of nv2a_vsh_asm (spec section 9), in the folder `vectors`. Its
//! disassemblies are a sample, every third line, to keep the repository small; `gpuzoo conform` runs any other.

use gpuzoo_diag::{File, Severity};
use gpuzoo_isa::{Bits, Slot};
use gpuzoo_nv2a::{Final, ISA, Options, VSH, assemble, reference};
use serde_json::Value;

fn records(file: &str) -> Vec<Value> {
    let path = format!("{}/tests/vectors/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn words(json: &Value) -> Vec<u32> {
    let word = |word: &Value| u32::from_str_radix(word.as_str().unwrap(), 16).unwrap();
    json.as_array().unwrap().iter().map(word).collect()
}

#[test]
fn texts_become_the_reference_assemblers_words() {
    let records = records("asm_public.jsonl");
    assert_eq!(records.len(), 144);
    for record in &records {
        let explicit = record["explicit_final"].as_bool() == Some(true);
        let place = if explicit { Final::Explicit } else { Final::Inline };
        let file = File::new("t", record["src"].as_str().unwrap());
        let assembled = assemble(&file, &Options { place, dialect: Some(&VSH), ..Options::default() });
        let expected: Vec<u32> = record["words"].as_array().unwrap().iter().flat_map(words).collect();
        // The reference takes two inputs in a slot; these are the only errors, and the words are still the same.
        let errors = assembled.diagnostics.iter().filter(|problem| problem.severity == Severity::Error);
        assert!(
            errors.clone().all(|problem| problem.code.id == "N0101"),
            "{}: {:#?}",
            record["name"],
            errors.collect::<Vec<_>>()
        );
        assert_eq!(assembled.program.words(&ISA), expected, "{}", record["name"]);
    }
}

#[test]
fn names_of_uniforms_may_begin_with_a_digit() {
    let of = |text: &str| {
        let assembled = assemble(&File::new("t", text), &Options::default());
        assert!(assembled.diagnostics.is_empty(), "{text}: {:?}", assembled.diagnostics);
        assembled.program.words(&ISA)
    };
    let plain = of("mov oPos.xy, c5.wzyx\nmov c7.x, v0\nmov oD0, c9.y\n");
    let named = "#2nd vector 5\n#0 vector 7\n#4x4 matrix4 8\n";
    assert_eq!(of(&format!("{named}mov oPos.xy, #2nd.wzyx\nmov #0.x, v0\nmov oD0, #4x4[1].y\n")), plain);
}

#[test]
fn comments_that_the_reference_refuses() {
    let found = |text: &str| {
        let assembled = assemble(&File::new("t", text), &Options::default());
        let told =
            |problem: &gpuzoo_diag::Diagnostic| (problem.code.id, problem.span().map(|span| span.range()));
        assembled.diagnostics.iter().map(told).collect::<Vec<_>>()
    };
    // Marks inside other comments are none.
    for text in
        ["mov oPos, v0 ; a */ b\n", "mov oPos, v0\n/* a ; b // c */", "mov oPos, v0 // /*\nmov oD0, v3\n"]
    {
        assert_eq!(found(text), [], "{text}");
    }
    assert_eq!(found("mov oPos, v0 ; a"), [("N0109", Some(13..16))]);
    assert_eq!(found("/* a */ mov oPos, v0 // b"), [("N0109", Some(5..7)), ("N0109", Some(21..25))]);
}

/// The reference reads `A0` in brackets; a lower case one is marked, and taken.
#[test]
fn the_address_register_is_in_capitals() {
    let found = |text: &str| {
        let assembled = assemble(&File::new("t", text), &Options::default());
        let told =
            |problem: &gpuzoo_diag::Diagnostic| (problem.code.id, problem.span().map(|span| span.range()));
        assembled.diagnostics.iter().map(told).collect::<Vec<_>>()
    };
    assert_eq!(found("mov oPos, c[A0+5]\n"), []);
    assert_eq!(found("mov oPos, c[a0+5]\n"), [("N0109", Some(12..14))]);
    assert_eq!(found("mov oPos, -c[ 5 + a0 ]\n"), [("N0109", Some(18..20))]);
}

/// A listing of an emulator is one mistake; a text with an error is not a listing.
#[test]
fn listings_of_emulators_are_recognized() {
    let codes = |text: &str| {
        let assembled = assemble(&File::new("t", text), &Options::default());
        assembled.diagnostics.iter().map(|problem| problem.code.id).collect::<Vec<_>>()
    };
    let lines = ["DP4(oPos,x, v0, c[0]);\n", "dp4 oPos,xyz, v0, c[0]\n", "// a\nMOV(R1,xw, v0)\n"];
    for line in lines {
        assert_eq!(codes(&line.repeat(20)), ["N0409"], "{line}");
    }
    for text in ["mov oPos, x\n", "mad r0, x, v0, c0\n", "mov(oPos, v0)\n", "foo(oPos,x, v0)\n"] {
        assert!(!codes(text).is_empty() && !codes(text).contains(&"N0409"), "{text}");
    }
}

#[test]
fn what_the_reference_refuses_or_gets_wrong_is_reported() {
    let records = records("asm_errors.jsonl");
    assert_eq!(records.len(), 87);
    for record in &records {
        let src = match record["slots"].as_u64() {
            Some(slots) => "mov r0, v0\n".repeat(slots as usize),
            None => record["src"].as_str().unwrap().to_owned(),
        };
        let assembled =
            assemble(&File::new("t", &src), &Options { dialect: Some(&VSH), ..Options::default() });
        let problem = assembled.diagnostics.iter().find(|problem| problem.severity >= Severity::Warning);
        assert!(problem.is_some_and(|problem| !problem.labels.is_empty()), "{src:?}: {}", record["why"]);
    }
}

#[test]
fn slots_are_shown_as_the_reference_shows_them() {
    let records = records("disasm_public.jsonl");
    assert_eq!(records.len(), 329);
    for record in &records {
        let words = words(&record["words"]);
        let bits = Bits { words: [words[0], words[1], words[2], words[3], 0] };
        let mut text = String::new();
        let slot: Slot = ISA.slot(bits, Default::default());
        reference(&slot, &mut text);
        assert_eq!(text, record["text"].as_str().unwrap());
    }
}

/// C of the slot is the MAC's: a scalar ILU operation beside it, of which the first component counts, changes none of its bits.
#[test]
fn the_macs_source_c_stays_as_it_is() {
    const C: [u32; 2] = [0x0000_07ff, 0xf000_0000];
    // Word 2 has swizzle, sign and the upper bits of the temporary in bits 10 to 0, word 3 its lower bits and the mux in bits 31 to 28.
    let source_c = |text: &str| {
        let assembled = assemble(&File::new("t", text), &Options::default());
        let [slot] = &assembled.program.slots[..] else { panic!("{text}: {:?}", assembled.diagnostics) };
        [slot.bits.words[2] & C[0], slot.bits.words[3] & C[1]]
    };
    for (mac, sources) in [("add", "r5, "), ("mad", "r5, r6, ")] {
        for scalar in ["rcp", "rcc", "rsq", "expp", "logp"] {
            for (swizzle, first) in
                [("", "x"), (".yxzw", "y"), (".zzxy", "z"), (".wzyx", "w"), (".x", "x"), (".xxyy", "x")]
            {
                for c in ["r4", "-r11", "v3", "-c17"] {
                    let alone = source_c(&format!("{mac} r2, {sources}{c}{swizzle}"));
                    for to in ["oD0", "r1.x"] {
                        let text = format!("{mac} r2, {sources}{c}{swizzle} + {scalar} {to}, {c}.{first}");
                        assert_eq!(source_c(&text), alone, "{text}");
                    }
                }
            }
        }
    }
    // A MAC that does not read C leaves it to the ILU.
    for scalar in ["rcp", "rcc", "rsq", "expp", "logp"] {
        let alone = source_c(&format!("{scalar} oD0, r4.y"));
        assert_eq!(source_c(&format!("mul r2, r5, r6 + {scalar} oD0, r4.y")), alone, "{scalar}");
    }
}

/// Where a number is missing, what stands in its place is marked.
#[test]
fn a_missing_number_has_a_place() {
    let text = "vs.1.1\ndef c0, , 2, 3, 4\nmov oPos, v0\n";
    let assembled = assemble(&File::new("t", text), &Options::default());
    let told = |problem: &gpuzoo_diag::Diagnostic| (problem.code.id, problem.span().map(|span| span.range()));
    assert_eq!(assembled.diagnostics.first().map(told), Some(("A0105", Some(15..16))));
}
