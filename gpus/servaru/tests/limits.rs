//! `.limits`: what is at a minimum of the older interfaces is not over it, what is one more is (spec section C, the last two
//! paragraphs, which have the numbers).

use gpuzoo_diag::File;
use gpuzoo_machine::{ShaderUnit, TextOptions};
use gpuzoo_servaru::GPU;

/// What a program has too much of, by `.limits NAME`, in the order of the messages.
fn over(limits: &str, stage: &str, program: &str) -> Vec<String> {
    let text = format!(".{stage}\n.limits {limits}\n{program}");
    let assembled = GPU.assemble(&File::new("t", &text), &TextOptions::default());
    assert!(assembled.ok(), "{text}\n{:?}", assembled.diagnostics);
    let over = assembled.diagnostics.into_iter().filter(|problem| problem.code.id == "S0301");
    over.map(|problem| problem.message).collect()
}

/// A line for each number.
fn lines(numbers: std::ops::Range<usize>, line: impl Fn(usize) -> String) -> String {
    numbers.map(|number| line(number) + "\n").collect()
}

/// Texture reads that depend on nothing, and arithmetic behind them.
fn fragment(reads: usize, arithmetic: usize) -> String {
    "TEX R0, P0, T0\n".repeat(reads) + &"MOV P9, P1\n".repeat(arithmetic)
}

#[test]
fn instructions_are_counted_by_their_kind() {
    assert_eq!(over("arb", "fragment", &fragment(24, 48)), [""; 0]);
    assert_eq!(
        over("arb", "fragment", &fragment(24, 49)),
        [
            "arb promises 72 instructions, the program has 73",
            "arb promises 48 arithmetic instructions, the program has 49"
        ]
    );
    assert_eq!(
        over("arb", "fragment", &fragment(25, 47)),
        ["arb promises 24 texture instructions, the program has 25"]
    );
    // `KIL` counts as a texture instruction.
    assert_eq!(
        over("arb", "fragment", &(fragment(24, 1) + "KIL P0.x\n")),
        ["arb promises 24 texture instructions, the program has 25"]
    );
    for limits in ["arb", "vs_1_1"] {
        let moves = |count| "MOV P9, P0\n".repeat(count);
        assert_eq!(over(limits, "vertex", &moves(128)), [""; 0]);
        let expected = format!("{limits} promises 128 instructions, the program has 129");
        assert_eq!(over(limits, "vertex", &moves(129)), [expected]);
    }
}

#[test]
fn phases_end_where_a_read_follows_arithmetic() {
    let two = |reads, arithmetic| fragment(reads, arithmetic).repeat(2);
    assert_eq!(over("ps_1_4", "fragment", &two(6, 8)), [""; 0]);
    assert_eq!(over("ps_1_4", "fragment", ""), [""; 0]);
    let message = |most, what, count| format!("ps_1_4 promises {most} {what}, the program has {count}");
    let phase = |count: usize| message(6, "texture instructions in a phase", count);
    assert_eq!(over("ps_1_4", "fragment", &(fragment(1, 1) + &fragment(7, 1))), [phase(7)]);
    let phase = |count: usize| message(8, "arithmetic instructions in a phase", count);
    assert_eq!(over("ps_1_4", "fragment", &(fragment(1, 9) + &fragment(1, 1))), [phase(9)]);
    // Arithmetic at the beginning is a phase without reads.
    assert_eq!(over("ps_1_4", "fragment", &(fragment(0, 1) + &fragment(1, 1))), [""; 0]);
    assert_eq!(over("ps_1_4", "fragment", &fragment(1, 1).repeat(3)), [message(2, "phases", 3)]);
    assert_eq!(
        over("ps_1_4", "fragment", &(fragment(6, 8) + &fragment(6, 9))),
        [message(28, "instructions", 29), phase(9)]
    );
}

/// `ARB_fragment_program`, issue 24: a read begins a new link where its coordinates were computed in this one, or its result's
/// register was used in this one by arithmetic.
#[test]
fn links_of_dependent_reads() {
    let over = |program: &str| over("arb", "fragment", program);
    let five = ["arb promises 4 dependent texture reads in a row, the program has 5"];
    let chain = |links: usize| "TEX R0, P0, T0\n".to_owned() + &"TEX R0, R0, T0\n".repeat(links - 1);
    assert_eq!((over(&chain(4)), over(&chain(5))), (vec![], five.map(str::to_owned).to_vec()));
    let computed = "MUL R0, P0, P1\nTEX R1, R0, T0\n";
    assert_eq!(
        (over(&computed.repeat(3)), over(&computed.repeat(4))),
        (vec![], five.map(str::to_owned).to_vec())
    );
    let read = "MOV P9, R1\nTEX R1, P0, T0\n";
    assert_eq!((over(&read.repeat(3)), over(&read.repeat(4))), (vec![], five.map(str::to_owned).to_vec()));
    let written = "MOV R1, P0\nTEX R1, P0, T0\n";
    assert_eq!(
        (over(&written.repeat(3)), over(&written.repeat(4))),
        (vec![], five.map(str::to_owned).to_vec())
    );
    // Of a link before the current one nothing counts: R0 is written in the first alone, and R1 read.
    let earlier = "TEX R0, P0, T0\nMOV P9, R1\nTEX R1, R0, T1\n";
    assert_eq!(over(&(earlier.to_owned() + &"TEX R1, R0, T1\n".repeat(20))), [""; 0]);
    // What texture instructions read or write themselves may be written again.
    assert_eq!(over(&"TEX R1, P0, T0\n".repeat(20)), [""; 0]);
    assert_eq!(over(&"KIL P0.x\n".repeat(20)), [""; 0]);
    let killed = "MOV R0, P0\nKIL R0.x\n";
    assert_eq!(
        (over(&killed.repeat(3)), over(&killed.repeat(4))),
        (vec![], five.map(str::to_owned).to_vec())
    );
}

#[test]
fn registers_are_counted_once() {
    // Shared registers above the outputs are temporaries, too; inputs and outputs are not.
    let temporaries = |count| {
        lines(0..8, |at| format!("MOV R{at}, P0"))
            + &lines(8..count, |at| format!("MOV P{}, R0", at + 8))
            + "MOV P9, P16\n"
    };
    let message = |limits: &str, most: usize, what: &str, count: usize| {
        format!("{limits} promises {most} {what}, the program has {count}")
    };
    assert_eq!(over("arb", "fragment", &temporaries(16)), [""; 0]);
    assert_eq!(over("arb", "fragment", &temporaries(17)), [message("arb", 16, "temporaries", 17)]);
    for limits in ["arb", "vs_1_1"] {
        assert_eq!(over(limits, "vertex", &temporaries(12)), [""; 0]);
        assert_eq!(over(limits, "vertex", &temporaries(13)), [message(limits, 12, "temporaries", 13)]);
    }
    // One that is only read counts, one that is written to nothing does not.
    let six = lines(0..6, |at| format!("MOV P9, R{at}"));
    assert_eq!(over("ps_1_4", "fragment", &six), [""; 0]);
    assert_eq!(over("ps_1_4", "fragment", &(six + "MOV P9, R6\n")), [message("ps_1_4", 6, "temporaries", 7)]);
    // Numbers take the place of uniforms.
    let uniforms =
        |count: usize| lines(0..count - 1, |at| format!("MOV P9, U{at}")) + "MOV P9, 0.5\nADD P9, 0.5, U0\n";
    assert_eq!(over("arb", "fragment", &uniforms(24)), [""; 0]);
    assert_eq!(over("arb", "fragment", &uniforms(25)), [message("arb", 24, "uniforms and numbers", 25)]);
    for limits in ["arb", "vs_1_1"] {
        assert_eq!(over(limits, "vertex", &uniforms(96)), [""; 0]);
        assert_eq!(over(limits, "vertex", &uniforms(97)), [message(limits, 96, "uniforms and numbers", 97)]);
    }
    let eight = lines(0..4, |at| format!("ADD P9, U{at}, U{}", at + 4));
    assert_eq!(over("ps_1_4", "fragment", &eight), [""; 0]);
    let expected = [message("ps_1_4", 8, "uniforms and numbers", 9)];
    assert_eq!(over("ps_1_4", "fragment", &(eight + "MOV P9, 0.5\n")), expected);
}

#[test]
fn ports_are_for_different_registers() {
    let message = |count: usize, what: &str, limits: &str, most: usize| {
        vec![format!("{count} {what} in an instruction, where {limits} reads {most}")]
    };
    assert_eq!(over("vs_1_1", "vertex", "ADD P9, U0, U0\n"), [""; 0]);
    assert_eq!(over("vs_1_1", "vertex", "ADD P9, U0, U1\n"), message(2, "uniforms", "vs_1_1", 1));
    assert_eq!(over("vs_1_1", "vertex", "ADD P9, P0, P1\n"), message(2, "inputs", "vs_1_1", 1));
    assert_eq!(over("vs_1_1", "vertex", "MAD P9, R0, R1, R2\n"), [""; 0]);
    assert_eq!(over("ps_1_4", "fragment", "ADD P9, U0, U1\n"), [""; 0]);
    assert_eq!(over("ps_1_4", "fragment", "MAD P9, U0, U1, U2\n"), message(3, "uniforms", "ps_1_4", 2));
    assert_eq!(over("ps_1_4", "fragment", "MAD P9, P0, P0, P0\n"), [""; 0]);
    assert_eq!(over("ps_1_4", "fragment", "ADD P9, P0, P1\n"), message(2, "inputs", "ps_1_4", 1));
    assert_eq!(over("ps_1_4", "fragment", "MAD P9, R0, R1, R2\n"), [""; 0]);
    for (stage, inst) in [
        ("vertex", "MAD P9, P0, P1, P2\n"),
        ("fragment", "MAD P9, P0, P1, P2\n"),
        ("fragment", "MAD P9, U0, U1, U2\n"),
    ] {
        assert_eq!(over("arb", stage, inst), [""; 0]);
    }
    assert_eq!(over("arb", "vertex", "MAD P9, U0, U1, U2\n"), [""; 0]);
    assert_eq!(over("ps_1_4", "vertex", "MOV P9, P0\n"), ["ps_1_4 has no vertex programs"]);
    assert_eq!(over("vs_1_1", "fragment", "MOV P9, P0\n"), ["vs_1_1 has no fragment programs"]);
}
