//! The text form: what it looks like, that it loses nothing, and what it says about mistakes.

use crate::common::{errors, function, ir};
use gpuzoo_diag::{File, MAX_SOURCE_BYTES, has_errors};
use gpuzoo_ir::{Dot, Function, Inst, Op1, Op2, Op3, Pick, Value, codes, text, verify::verify};
use proptest::prelude::*;

#[test]
fn prints_every_kind_of_instruction() {
    let source = "\
v0 = input 3
v1 = const (1.0, -0.0, nan, 0x7f800001)
v2 = uniform 65535                   @0
v3 = uniform[v0.x + 5 < 192]         @4294967295
v4 = uniform[v0.x < 0]
v5 = uniform[v0.x - 2147483648 < 65535]
v6 = fmad v0, v1, v2
v7 = v6.zzx1
v8 = v6.xy0_ | v2.___w
v9 = v6.____ | v6.xyzw
v10 = v6.xyzw | v2.____
v11 = dot3 v7, v8
v12 = dot4 v7, v8
v13 = sample 255, v12
v14 = kill v13                       @7
output 0 = v14
output 65535 = v0
";
    let f = ir(source);
    assert_eq!(f.to_string(), source);
    let (a, b) = (Value(6), Value(2));
    assert_eq!(f.insts[7], Inst::Shuffle([a, a], [Pick::A(2), Pick::A(2), Pick::A(0), Pick::One]));
    assert_eq!(f.insts[8], Inst::Shuffle([a, b], [Pick::A(0), Pick::A(1), Pick::Zero, Pick::B(3)]));
    assert_eq!(f.insts[9], Inst::Shuffle([a, a], [0, 1, 2, 3].map(Pick::B)));
    assert_eq!(f.insts[10], Inst::Shuffle([a, b], [0, 1, 2, 3].map(Pick::A)));
    assert_eq!(f.insts[5], Inst::UniformAt { index: Value(0), base: i32::MIN, count: 65535 });
    assert_eq!(f.origins[2..5], [Some(0), Some(u32::MAX), None]);
}

#[test]
fn reads_every_operation_by_its_name() {
    let read = |text: String| ir(&format!("v0 = input 0\nv1 = {text}")).insts[1];
    let v = Value(0);
    for &op in Op1::ALL {
        assert_eq!(read(format!("{} v0", op.name())), Inst::Map1(op, v));
    }
    for &op in Op2::ALL {
        assert_eq!(read(format!("{} v0, v0", op.name())), Inst::Map2(op, [v; 2]));
    }
    for &op in Op3::ALL {
        assert_eq!(read(format!("{} v0, v0, v0", op.name())), Inst::Map3(op, [v; 3]));
    }
    for &dot in Dot::ALL {
        assert_eq!(read(format!("{} v0, v0", dot.name())), Inst::Dot(dot, [v; 2]));
    }
}

#[test]
fn numbers_of_values_are_names() {
    let f = ir("\n  v70=input 0 ; a comment\r\n\n\tv3 = fadd v70 ,v70@9\r\noutput 5 = v70\noutput 1=v3;");
    assert_eq!(
        f.to_string(),
        "v0 = input 0\nv1 = fadd v0, v0                     @9\noutput 1 = v1\noutput 5 = v0\n"
    );
}

#[test]
fn constant_components_are_exact() {
    let component = |text: &str| match ir(&format!("v0 = const ({text}, 0, 0, 0)")).insts[0] {
        Inst::Const(bits) => bits[0],
        _ => unreachable!(),
    };
    // Bits by hand, or from IEEE 754's definition of the format.
    assert_eq!(component("1.5"), 0x3fc0_0000);
    assert_eq!(component("3"), 0x4040_0000);
    assert_eq!(component("-0.0"), 0x8000_0000);
    assert_eq!(component("0.1"), 0x3dcc_cccd);
    assert_eq!(component("16777217"), 0x4b80_0000, "a tie rounds to even");
    assert_eq!(component("3.4028235e38"), 0x7f7f_ffff);
    assert_eq!(component("1.1754944e-38"), 0x0080_0000);
    assert_eq!(component("1e-45"), 1);
    assert_eq!(component("-inf"), 0xff80_0000);
    assert_eq!(component("nan"), 0x7fc0_0000);
    assert_eq!(component("0x7"), 7);
    assert_eq!(component("0xFFFFffff"), u32::MAX);
    // Integers and odd NaNs print as bits.
    assert_eq!(
        ir("v0 = const (1e-45, 0xffc00000, 0x7f800000, 0x80000001)").to_string(),
        "v0 = const (0x1, 0xffc00000, inf, 0x80000001)\n"
    );
}

#[test]
fn other_spellings_of_constants_are_refused() {
    for component in
        ["infinity", "NaN", "-nan", "0x", "0x+7", "0x-7", "0xg", "1.0f", "--1", "1e", ".", "+inf", "1e39"]
    {
        let found = errors(&format!("v0 = const ({component}, 0, 0, 0)"));
        assert_eq!(found, [format!("1:13 I0108 `{component}` is not a 32-bit component")]);
    }
}

#[test]
fn reports_every_bad_line_and_goes_on() {
    let source = "\
v0 = input 65536
v1 = fad v0, v0
v2 = fadd v0
v3 = fadd v0, v9
v4 = v3.xyz
v4 = input 1
v5 = v3.xy__ | v4.xyzw
v6 = v3.xy__ | v4.__z_
v7 = v3.xyz_
v8 = const (1.0, 1e99, 0, 0)
v9 = const (1.0, 0x123456789, 0, 0)
v10 = const (1.0, 2.0, 3.0)
v11 = uniform[v3.y < 4]
v12 = uniform[v3.x + 2147483648 < 4]
v13 = sample 256, v3
v14 = fneg v3 v3
v15
ouput 0 = v3
output 1 = v3
output 1 = v4
v16 = \u{e9}
v99999999999 = input 0
v17 = input 2 @x
v18 = v18.xyzw
output 2 = v17
";
    assert_eq!(
        errors(source),
        [
            "1:12 I0103 `65536` is not a number from 0 to 65535",
            "2:6 I0102 there is no instruction `fad`",
            "3:13 I0101 expected `,`, found the end of the line",
            "4:15 I0104 v9 is not defined above this line",
            "5:9 I0106 `xyz` does not pick four components",
            "6:1 I0105 v4 is there already",
            "7:9 I0106 both values give component x",
            "8:9 I0106 no value gives component w",
            "9:9 I0106 a component is left open, and there is no second value",
            "10:18 I0108 `1e99` is not a 32-bit component",
            "11:18 I0108 `0x123456789` is not a 32-bit component",
            "12:27 I0101 expected `,`, found `)`",
            "13:18 I0101 expected `x`, the component of the index, found `y`",
            "14:22 I0103 `2147483648` is not a number from 0 to 2147483647",
            "15:14 I0103 `256` is not a number from 0 to 255",
            "16:15 I0101 expected the end of the line, found `v3`",
            "17:4 I0101 expected `=`, found the end of the line",
            "18:1 I0101 expected `v0 = …` or `output 0 = …`, found `ouput`",
            "20:1 I0107 output 1 is there already",
            "21:7 I0101 expected an instruction, found `é`",
            "22:1 I0103 `v99999999999` is not a value: the number is wrong or too large",
            "23:16 I0101 expected the number of a machine instruction, found `x`",
            "24:7 I0104 v18 is not defined above this line",
        ]
    );
}

#[test]
fn suggests_the_instruction_that_was_meant() {
    let file = File::new("f.ir", "v0 = input 0\nv1 = fsqr v0\nv2 = smaple 0, v0\n");
    let (_, diagnostics) = text::parse(&file);
    let fixes: Vec<_> = diagnostics
        .iter()
        .map(|d| (file.slice(d.fixes[0].edits[0].span), &d.fixes[0].edits[0].text[..]))
        .collect();
    assert_eq!(fixes, [("fsqr", "fsqrt"), ("smaple", "sample")]);
    // A slip in `output` is not an instruction to replace by another.
    let (_, diagnostics) = text::parse(&File::new("f.ir", "outptu 0 = v0\n"));
    assert_eq!(diagnostics[0].help, ["did you mean `output`?"]);
}

#[test]
fn second_definitions_point_at_the_first() {
    let file = File::new("f.ir", "v0 = input 0\nv0 = input 1\noutput 0 = v0\noutput 0 = v0\n");
    let (_, diagnostics) = text::parse(&file);
    let places: Vec<Vec<usize>> = diagnostics
        .iter()
        .map(|d| d.labels.iter().map(|label| file.place(label.span.start).line).collect())
        .collect();
    assert_eq!(places, [[2, 1], [4, 3]]);
}

#[test]
fn limits_hold() {
    let junk = "?\n".repeat(text::MAX_ERRORS + 50);
    let found = errors(&junk);
    assert_eq!(found.len(), text::MAX_ERRORS + 1);
    assert_eq!(found.last().unwrap(), "1001:1 I0109 1000 errors: the rest is not read");
    let blank = " ".repeat(MAX_SOURCE_BYTES);
    assert_eq!(errors(&blank), [""; 0]);
    assert_eq!(
        errors(&format!("{blank}\n")),
        ["1:1 I0110 the text is 67108865 bytes long, more than 67108864"]
    );
    // A word of 40 letters is repeated in the message, a longer one is not: one more, or megabytes.
    let repeated = format!("1:1 I0101 expected `v0 = …` or `output 0 = …`, found `{}`", "v".repeat(40));
    assert_eq!(errors(&"v".repeat(40)), [repeated]);
    assert_eq!(errors(&"v".repeat(41)), ["1:1 I0101 expected `v0 = …` or `output 0 = …`, found a long word"]);
    assert_eq!(
        errors(&"v".repeat(5_000_000)),
        ["1:1 I0101 expected `v0 = …` or `output 0 = …`, found a long word"]
    );
}

#[test]
fn codes_are_distinct_and_every_one_can_be_met() {
    let mut ids: Vec<&str> = codes::CODES.iter().map(|code| code.id).collect();
    ids.dedup();
    assert_eq!(ids.len(), codes::CODES.len());
    assert!(ids.is_sorted() && ids.iter().all(|id| id.len() == 5 && id.starts_with('I')));
    let this = include_str!("text.rs");
    let missing: Vec<_> = ids.iter().filter(|id| !this.contains(&format!(" {id} "))).collect();
    assert!(missing.is_empty(), "no test expects {missing:?}");
}

#[test]
fn the_grammar_of_the_documentation_parses() {
    let page = include_str!("../src/text/mod.rs");
    let example = page.split("```text").nth(1).unwrap().split("```").next().unwrap();
    // Comments come after two spaces or more; so do origins.
    let code = example.lines().map(|line| {
        let line = line.strip_prefix("//! ").unwrap_or(line);
        let (code, rest) = line.split_once("   ").unwrap_or((line, ""));
        let origin = rest.trim_start().split(' ').next().filter(|word| word.starts_with('@')).unwrap_or("");
        format!("{code} {origin}\n")
    });
    assert_eq!(ir(&code.collect::<String>()).insts.len(), 10);
}

/// No panic; spans inside the text and on whole letters; without errors a function that verifies and prints back.
fn check(source: &str) -> Result<Function, TestCaseError> {
    let file = File::new("f.ir", source);
    let (f, diagnostics) = text::parse(&file);
    for label in diagnostics.iter().flat_map(|d| &d.labels) {
        prop_assert!(source.get(label.span.range()).is_some());
    }
    prop_assert_eq!(verify(&f), Ok(()), "even with errors nothing is out of place");
    if !has_errors(&diagnostics) {
        let (again, diagnostics) = text::parse(&File::new("f.ir", &f.to_string()));
        prop_assert!(diagnostics.is_empty());
        prop_assert_eq!(&again, &f);
    }
    Ok(f)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn printed_functions_read_back_equal(f in function(40)) {
        let printed = f.to_string();
        let (read, diagnostics) = text::parse(&File::new("f.ir", &printed));
        prop_assert!(diagnostics.is_empty(), "{:?}\n{printed}", diagnostics);
        prop_assert_eq!(read, f);
    }

    #[test]
    fn any_constant_reads_back_equal(bits: [u32; 4]) {
        let f = Function { insts: vec![Inst::Const(bits)], origins: vec![None], outputs: vec![] };
        prop_assert_eq!(check(&f.to_string())?, f);
    }
}
