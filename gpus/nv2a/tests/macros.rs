//! Direct3D's macros, run: `frc`, `exp` and `log` against the mathematical functions, matrix products against the same
//! thing written out.

use gpuzoo_diag::{File, Severity};
use gpuzoo_ir::Vec4;
use gpuzoo_ir::eval::{NoTextures, Run};
use gpuzoo_isa::{Profile, Program};
use gpuzoo_nv2a::{CPU, HW, ISA, Options, assemble};

fn program(text: &str) -> Program {
    let assembled = assemble(&File::new("t", text), &Options::default());
    assert!(assembled.ok(), "{text}{:#?}", assembled.diagnostics);
    assembled.program
}

/// What a program leaves in a register, for each input v0; its own constants are loaded.
fn run(text: &str, profile: Profile, register: &str, inputs: &[Vec4]) -> Vec<[f32; 4]> {
    let program = program(text);
    let lowered = ISA.lower(&program, profile, &[]);
    let mut constants = vec![[0; 4]; 192];
    for constant in &program.constants {
        for (value, index) in constant.values.iter().zip(usize::from(constant.reg.index)..) {
            constants[index] = *value;
        }
    }
    let value = lowered.last(ISA.reg(register).unwrap()).unwrap();
    let mut run = Run::default();
    let mut one = |input: &Vec4| {
        let mut all = vec![[0; 4]; 16];
        all[0] = *input;
        run.run(&lowered.function, &all, &constants, &NoTextures);
        run.value(value).map(f32::from_bits)
    };
    inputs.iter().map(&mut one).collect()
}

fn in_x(numbers: &[f32]) -> Vec<Vec4> {
    numbers.iter().map(|number| [number.to_bits(), 0, 0, 0]).collect()
}

/// 20,000 numbers evenly between two.
fn between(low: f32, high: f32) -> Vec<f32> {
    (0..=20_000).map(|step| low + (high - low) * step as f32 / 20_000.0).collect()
}

#[test]
fn exp_is_ten_slots_of_full_precision() {
    let text = "vs.1.1\nexp r0, v0.x";
    assert_eq!(program(text).slots.len(), 10);
    let mut numbers = between(-125.9, 127.9);
    numbers.extend(between(-1.0, 1.0));
    for profile in [HW, CPU] {
        let mut worst: f64 = 0.0;
        for (number, got) in numbers.iter().zip(run(text, profile, "R0", &in_x(&numbers))) {
            let exact = f64::from(*number).exp2();
            let error = ((f64::from(got[0]) - exact) / exact).abs();
            worst = worst.max(error);
            assert_eq!(got.map(f32::to_bits), [got[0].to_bits(); 4]);
        }
        // Microsoft asks for 2^-20.
        assert!(worst < 2f64.powi(-21), "{profile:?}: 2^{:.2}", worst.log2());
    }
}

#[test]
fn exp_at_the_edges() {
    let tiny = [-1e-9, -1e-30, -6e-8, -1.2e-7, 1e-9, 0.0, -0.0];
    let edges = [
        (0.0, 1.0),
        (1.0, 2.0),
        (-1.0, 0.5),
        (10.0, 1024.0),
        (-126.0, 2f32.powi(-126)),
        (128.0, f32::INFINITY),
        (300.0, f32::INFINITY),
        (-200.0, 0.0),
        (f32::INFINITY, f32::INFINITY),
        (f32::NEG_INFINITY, 0.0),
    ];
    for profile in [HW, CPU] {
        for (number, got) in tiny.iter().zip(run("vs.1.1\nexp r0, v0.x", profile, "R0", &in_x(&tiny))) {
            assert!(
                (got[0] - number.exp2()).abs() <= 2f32.powi(-21),
                "{profile:?}: 2^{number:e} = {}",
                got[0]
            );
        }
        let numbers = edges.map(|(number, _)| number);
        for ((number, expected), got) in
            edges.iter().zip(run("vs.1.1\nexp r0, v0.x", profile, "R0", &in_x(&numbers)))
        {
            // -infinity minus its floor is not a number for the emulator.
            if profile == HW || number.is_finite() {
                assert_eq!(got[0], *expected, "{profile:?}: {number}");
            }
        }
    }
}

#[test]
fn log_is_ten_slots_of_full_precision() {
    let text = "vs.1.1\nlog r0, -v0.x";
    assert_eq!(program(text).slots.len(), 10);
    let mut numbers = between(0.5, 4.0);
    numbers.extend(between(-1e30, 1e30).iter().filter(|number| **number != 0.0));
    numbers.extend(between(-126.0, 127.0).iter().map(|exponent| exponent.exp2()));
    let mut worst: f64 = 0.0;
    for (number, got) in numbers.iter().zip(run(text, HW, "R0", &in_x(&numbers))) {
        let exact = f64::from(*number).abs().log2();
        // One unit of the result's last place and the polynomial's absolute error.
        worst = worst.max((f64::from(got[0]) - exact).abs() - exact.abs() * 2f64.powi(-23));
    }
    assert!(worst < 2f64.powi(-21), "2^{:.2}", worst.log2());
    let exact = [
        (1.0, 0.0),
        (2.0, 1.0),
        (0.25, -2.0),
        (-8.0, 3.0),
        (0.0, f32::NEG_INFINITY),
        (f32::INFINITY, f32::INFINITY),
    ];
    for ((number, expected), got) in
        exact.iter().zip(run(text, HW, "R0", &in_x(&exact.map(|(number, _)| number))))
    {
        assert_eq!(got, [*expected; 4], "{number}");
    }
}

#[test]
fn masked_results_leave_the_other_lanes_alone() {
    let text = "vs.1.1\nmov r0, v0\nexp r0.y, r0.x\nlog r0.w, r0.x\nexp oD0.x, r0.x\nmov oPos, v0";
    let got = run(text, HW, "R0", &[[4.0, 5.0, 6.0, 7.0].map(f32::to_bits)]);
    assert_eq!(got, [[4.0, 16.0, 6.0, 2.0]]);
    let got = run(text, HW, "oD0", &[[4.0, 5.0, 6.0, 7.0].map(f32::to_bits)]);
    assert_eq!(got[0][0], 16.0);
}

#[test]
fn frc_in_every_arrangement() {
    let input = [1.25f32, -2.75, 6.5, 0.125].map(f32::to_bits);
    // Text, slots, and the result.
    let cases = [
        ("mov r0, v0\nfrc r1.xy, r0\nmov r0, r1", 5, [0.25, 0.25, 0.0, 0.0]),
        // In place, where the source's y would be lost.
        ("mov r0, v0\nfrc r0.xy, r0", 4, [0.25, 0.25, 6.5, 0.125]),
        ("mov r0, v0\nfrc r0.xy, r0.yx", 4, [0.25, 0.25, 6.5, 0.125]),
        ("mov r0, v0\nfrc r0.xy, r0.z", 3, [0.5, 0.5, 6.5, 0.125]),
        ("mov r0, v0\nfrc r0.xy, r0.xw", 4, [0.25, 0.125, 6.5, 0.125]),
        ("mov r0, v0\nfrc r0.xy, -r0.xw", 4, [0.75, 0.875, 6.5, 0.125]),
        ("mov r0, v0\nfrc r0.y, r0", 2, [1.25, 0.25, 6.5, 0.125]),
        ("mov r0, v0\nfrc oT0.xy, r0\nfrc oT0.y, v0.w", 5, [1.25, -2.75, 6.5, 0.125]),
    ];
    for (text, slots, expected) in cases {
        let text = format!("vs.1.1\n{text}");
        assert_eq!(program(&text).slots.len(), slots, "{text}");
        for profile in [HW, CPU] {
            assert_eq!(run(&text, profile, "R0", &[input]), [expected], "{text}");
        }
    }
    assert_eq!(run("vs.1.1\nfrc oT0.xy, v0.xz", HW, "oT0", &[input])[0][..2], [0.25, 0.5]);
}

#[test]
fn matrix_products_are_dot_products() {
    let cases = [
        (
            "m4x4 oPos, v0, c4",
            "dp4 oPos.x, v0, c4\ndp4 oPos.y, v0, c5\ndp4 oPos.z, v0, c6\ndp4 oPos.w, v0, c7",
        ),
        ("m4x3 r5.xyz, -v0, c0", "dp4 r5.x, -v0, c0\ndp4 r5.y, -v0, c1\ndp4 r5.z, -v0, c2"),
        (
            "m3x4 r5, r1.yzxw, c[92]",
            "dp3 r5.x, r1.yzxw, c92\ndp3 r5.y, r1.yzxw, c93\ndp3 r5.z, r1.yzxw, c94\ndp3 r5.w, r1.yzxw, c95",
        ),
        ("m3x3 r5, v2, r6", "dp3 r5.x, v2, r6\ndp3 r5.y, v2, r7\ndp3 r5.z, v2, r8"),
        ("m3x2 oT1, v2, c[a0.x + 3]", "dp3 oT1.x, v2, c[a0.x + 3]\ndp3 oT1.y, v2, c[a0.x + 4]"),
    ];
    for (short, long) in cases {
        let words = |text: &str| program(&format!("vs.1.1\nmov a0.x, v0.x\n{text}")).words(&ISA);
        assert_eq!(words(short), words(long), "{short}");
    }
}

/// The problem of a text, with what its labels mark, the main one first.
fn refused(text: &str) -> Option<(&'static str, String, Vec<String>)> {
    let file = File::new("t", &format!("vs.1.1\n{text}\n"));
    let assembled = assemble(&file, &Options::default());
    let mut errors = assembled.diagnostics.iter().filter(|problem| problem.severity == Severity::Error);
    let (problem, None) = (errors.next()?, errors.next()) else {
        panic!("{text}: {:?}", assembled.diagnostics)
    };
    let marked = problem.labels.iter().map(|label| file.slice(label.span).to_owned()).collect();
    Some((problem.code.id, problem.message.clone(), marked))
}

/// Rows and columns of the matrix products.
const PRODUCTS: [(&str, u16, &str); 5] =
    [("m4x4", 4, "xyzw"), ("m4x3", 3, "xyz"), ("m3x4", 4, "xyzw"), ("m3x3", 3, "xyz"), ("m3x2", 2, "xy")];

/// The result may not be in what is read for each of its components: the source, or any row of the matrix. The message marks the
/// destination, then what it is lost from.
#[test]
fn products_do_not_write_what_they_still_read() {
    for (name, rows, mask) in PRODUCTS {
        let lost = Some(("N0206", format!("`{name}` writes what it still has to read")));
        let check = |target: &str, source: &str, matrix: &str, place: Option<&str>| {
            let text = format!("{name} {target}.{mask}, {source}, {matrix}");
            let found = refused(&text);
            let marked = place.map(|place| vec![format!("{target}.{mask}"), place.to_owned()]);
            let expected = marked.map(|marked| (lost.clone().unwrap(), marked));
            assert_eq!(found.map(|(code, message, marked)| ((code, message), marked)), expected, "{text}");
        };
        check("r1", "r1", "c4", Some("r1"));
        check("r1", "-r1.yzxw", "c4", Some("-r1.yzxw"));
        check("r1", "r0", "c4", None);
        check("r1", "r2", "c1", None);
        // Rows from r2 on.
        for target in 0..10 {
            let inside = (2..2 + rows).contains(&target);
            check(&format!("r{target}"), "v0", "r2", inside.then_some("r2"));
        }
        // In both it is the source that is marked.
        check("r3", "r3.x", "r2", Some("r3.x"));
        check("oPos", "v0", "r2", None);
    }
}

/// A matrix ends at the last register of its file at most, and lies where rows can be read: constants and temporaries.
#[test]
fn products_have_all_rows_of_the_matrix() {
    for (name, rows, mask) in PRODUCTS {
        let message = |matrix: &str| {
            let text = format!("{name} oT0.{mask}, v0, {matrix}");
            let found = refused(&text);
            assert!(found.iter().all(|(_, _, marked)| *marked == [matrix]), "{text}: {found:?}");
            found.map(|(code, message, _)| (code, message))
        };
        let beyond = Some(("A0104", format!("the matrix has {rows} rows and ends past the last register")));
        for (letter, count, index) in [("c", 96, ""), ("r", 12, ""), ("c", 96, "a0.x + ")] {
            let at = |number: u16| {
                if index.is_empty() {
                    format!("{letter}{number}")
                } else {
                    format!("{letter}[{index}{number}]")
                }
            };
            assert_eq!(message(&at(0)), None, "{name}");
            assert_eq!(message(&at(count - rows)), None, "{name}");
            for number in count - rows + 1..count {
                assert_eq!(message(&at(number)), beyond, "{name} {number}");
            }
        }
        let plain = Some(("N0206", "the matrix has neither sign nor components".to_owned()));
        for matrix in ["-c4", "c4.x", "c4.wzyx", "-c4.x", "-r2", "v0.y"] {
            assert_eq!(message(matrix), plain, "{matrix}");
        }
        assert_eq!(message("c4.xyzw"), None);
        let elsewhere = Some(("N0206", "the matrix lies in constants or temporaries".to_owned()));
        assert_eq!(message("v1"), elsewhere);
        assert_eq!(message("v15"), elsewhere);
    }
}

/// A mask is that of the rows, or none.
#[test]
fn products_write_a_component_for_each_row() {
    let letters = ["x", "y", "z", "w"];
    for (name, _, own) in PRODUCTS {
        for bits in 1..16 {
            let mask: String = (0..4).filter(|at| bits >> at & 1 == 1).map(|at| letters[at]).collect();
            let expected = (mask != own && mask.len() < 4)
                .then(|| ("A0117", format!("`{name}` writes {own}"), vec![format!("r1.{mask}")]));
            assert_eq!(refused(&format!("{name} r1.{mask}, v0, c4")), expected);
        }
        assert_eq!(refused(&format!("{name} r1, v0, c4")), None);
    }
    for bits in 1..16 {
        let mask: String = (0..4).filter(|at| bits >> at & 1 == 1).map(|at| letters[at]).collect();
        let wrong = !["y", "xy"].contains(&&*mask);
        let expected =
            wrong.then(|| ("A0117", "`frc` writes y, or x and y".to_owned(), vec![format!("r1.{mask}")]));
        assert_eq!(refused(&format!("frc r1.{mask}, v0")), expected);
    }
}

/// Operands are asked for in their order, each with a comma before it.
#[test]
fn macros_ask_for_their_operands() {
    let macros =
        [("m4x4", 3), ("m4x3", 3), ("m3x4", 3), ("m3x3", 3), ("m3x2", 3), ("frc", 2), ("exp", 2), ("log", 2)];
    for (name, count) in macros {
        let operands = [if name == "frc" { "r1.xy" } else { "r1" }, "v0.x", "c4"];
        for given in 0..count {
            let text = format!("{name} {}", operands[..given].join(", "));
            let found = refused(text.trim_end());
            assert!(
                found.as_ref().is_some_and(|(code, ..)| ["A0111", "A0120"].contains(code)),
                "{text}: {found:?}"
            );
        }
        let text = format!("{name} {}", operands[..count].join(" "));
        let found = refused(&text);
        let why = if count == 3 { "two sources" } else { "one source" };
        assert_eq!(found.as_ref().map(|(code, ..)| *code), Some("A0120"), "{text}: {found:?}");
        let file = File::new("t", &format!("vs.1.1\n{text}\n"));
        let problems = assemble(&file, &Options::default()).diagnostics;
        let told = format!("`{name}` takes a destination and {why}, with commas between");
        assert!(problems.iter().any(|problem| format!("{problem:?}").contains(&told)), "{problems:?}");
        let text = format!("{name} {}", operands[..count].join(", "));
        assert_eq!(refused(&text), None);
        assert!(refused(&format!("{text}, c5")).is_some(), "{text}");
    }
}

/// A constant that a text mentions is free for no coefficients, nor are the three behind it, which may be a matrix's rows; they lie in
/// the highest two that are.
#[test]
fn coefficients_take_the_highest_two_constants_that_are_free() {
    for version in ["vs.1.1", "xvs.1.1"] {
        for (mentioned, expected) in [
            ("", Some(94)),
            ("c95", Some(93)),
            ("c94", Some(92)),
            ("c93", Some(91)),
            ("c92", Some(90)),
            ("c91", Some(89)),
            ("c90", Some(94)),
            ("c89", Some(94)),
            ("c95 c90", Some(88)),
            ("c95 c89", Some(93)),
        ] {
            let moves: String =
                mentioned.split_whitespace().map(|constant| format!("mov r1, {constant}\n")).collect();
            let program = program(&format!(
                "{version}\n{moves}exp r0, v0.x\nlog r2, v0.x\nexp r3, v0.y\nmov oPos, v0\n"
            ));
            let made: Vec<i32> =
                program.constants.iter().map(|made| i32::from(made.reg.index) - 96).collect();
            assert_eq!(made.first().copied(), expected, "{mentioned}");
            // Each macro has coefficients of its own, once.
            assert_eq!(made.len(), 2, "{mentioned}");
            assert!((made[0] - made[1]).abs() >= 2, "{mentioned}: {made:?}");
        }
    }
}

/// What is computed where nothing is lost needs no other temporary, even if the text mentions all of them.
#[test]
fn a_destination_is_worked_in_if_it_can_be() {
    let taken: String = (0..12).map(|at| format!("mov r{at}, v0\n")).collect();
    let errors = |text: &str| {
        let assembled = assemble(&File::new("t", &format!("vs.1.1\n{taken}{text}")), &Options::default());
        assembled.diagnostics.iter().filter(|problem| problem.severity == Severity::Error).count()
    };
    // Of `frc` only x of the destination is written before y of the source is read.
    for works in [
        "frc r1.xy, r0",
        "frc r1.xy, v0",
        "frc r1.xy, r1.x",
        "frc r1.xy, r1.xzzz",
        "frc r1.xy, r1.w",
        "exp r1, r1.x",
        "log r1, r1.x",
    ] {
        assert_eq!(errors(works), 0, "{works}");
    }
    // Outputs cannot be read.
    for needs in ["frc r1.xy, r1", "frc r1.xy, r1.yx", "frc oD0.xy, r1", "exp oD0, r1.x", "exp r1.xyz, r1.x"]
    {
        assert_eq!(errors(needs), 1, "{needs}");
    }
    let input = [[4.0f32, 5.0, 6.0, 7.0].map(f32::to_bits)];
    assert_eq!(run("vs.1.1\nexp oD0, v0.x", HW, "oD0", &input), [[16.0; 4]]);
}

/// Coefficients keep away from what the text mentions, and from the viewport's constants, which slots that are added read.
#[test]
fn coefficients_leave_the_viewport_alone() {
    // From c-36, the machine's c60, to c95.
    let taken: String = (0..33).map(|at| format!("def c{}, 0, 0, 0, 0\n", at * 4 - 36)).collect();
    let program = program(&format!("#pragma screenspace\nxvs.1.1\n{taken}exp r1, v0.x\nmov oPos, r1\n"));
    assert_eq!(program.constants.last().map(|made| (made.reg.index, made.count)), Some((56, 2)));
}

/// Numbers behind a sign are constants of the machine's lower half: c-2 takes c-2 to c1, so c-4 and c-3 are the highest that are free.
#[test]
fn coefficients_leave_numbers_behind_a_sign_alone() {
    let taken: String = (0..24).map(|at| format!("mov r0, c{}\n", at * 4)).collect();
    for (constant, expected) in [
        ("c-2", 92),
        ("c-2.x", 92),
        ("c-2.wzyx", 92),
        ("c[-2].x", 92),
        ("c[-3 + 1]", 92),
        ("c[2 - 4]", 92),
        ("c-1", 93),
        ("c-5", 89),
        ("c-6.x", 94),
        ("c-4.x", 90),
    ] {
        let program = program(&format!(
            "#pragma screenspace\nxvs.1.1\n{taken}mov r0, {constant}\nexp r1, v0.x\nmov oPos, r1\n"
        ));
        assert_eq!(program.constants[0].reg.index, expected, "{constant}");
    }
}

/// So do they of constants whose number is a sum (spec section 11): a text that names c94 takes it and, as a matrix may
/// begin there, c95. The highest two that are left are c92 and c93, the machine's c188 and c189.
#[test]
fn coefficients_leave_sums_alone() {
    let sums = [
        "c94",
        "c[94]",
        "c[90 + 4]",
        "c[95 - 1]",
        "c[2*47]",
        "c[60+30+4].x",
        "c[a0.x + 94]",
        "c[90 + a0.x + 4]",
    ];
    for constant in sums.into_iter().chain(["c[a0.x + 95 - 1]", "c[a0.x - 1 + 95]"]) {
        let text = format!("vs.1.1\nmov a0.x, v1.x\nmov r0, {constant}\nexp r1, v0.x\nmov oPos, r1\n");
        assert_eq!(program(&text).constants[0].reg.index, 188, "{constant}");
    }
}
