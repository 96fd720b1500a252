//! Commands and what they print.

use super::*;
use crate::run::Vertices;
use gpuzoo_machine::RunState;

fn all(console: &mut Console, lines: &str) -> Result<String, Diagnostic> {
    let file = File::new("script", lines);
    let (mut text, mut start) = (String::new(), 0);
    for line in lines.lines() {
        text += &console.obey(&file, start..start + line.len())?.text;
        start += line.len() + 1;
    }
    Ok(text)
}

/// A loop has no end, but a command has.
#[test]
fn commands_end_where_programs_do_not() {
    let program = crate::vera().assemble("loop.s", "loop:\n inc $22\n bra loop\n").unwrap();
    let run = Run::of_session("loop", program.session(&Default::default()).unwrap());
    let sources = Sources::default();
    let mut console = Console::new(vec![run], sources.clone(), false, Paint::PLAIN);
    console.limit(1_000);
    let text = all(&mut console, "run\ngoto 99999999999\nstep 18446744073709551615\nrback frame").unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!((lines[0], lines[2]), ("stopped after 1000 steps", "step 99999999999 is not reached"));
    assert!(lines[1].starts_with("step 1000 ") && lines[3].starts_with("step 2000 "), "{text}");
    assert!(text.contains("step 3000 ") && text.ends_with("inc $22\n"), "{text}");
    // What is left of a command leads to where it would have ended.
    let mut reply = console.carry_on(Command::Step(2_500)).unwrap();
    let mut turns = 1;
    while let Some(rest) = reply.rest {
        assert_eq!(reply.halt, Some(Halt::Limit));
        reply = console.carry_on(rest).unwrap();
        turns += 1;
    }
    assert_eq!((turns, console.look().unwrap().position()), (3, 4_500));
}

/// A condition that is looked at in each round takes the time of many steps, and so there are fewer.
#[test]
fn conditions_count_for_the_time_of_a_command() {
    let program = crate::vera().assemble("loop.s", "loop:\n inc $22\n bra loop\n").unwrap();
    let run = Run::of_session("loop", program.session(&Default::default()).unwrap());
    let mut console = Console::new(vec![run], Sources::default(), false, Paint::PLAIN);
    console.limit(1 << 16);
    all(&mut console, "break loop if x == 300").unwrap();
    let text = all(&mut console, "run").unwrap();
    let steps =
        text.lines().next().and_then(|line| line.strip_prefix("stopped after ")?.strip_suffix(" steps"));
    let steps: u64 = steps.and_then(|steps| steps.parse().ok()).unwrap_or_else(|| panic!("{text}"));
    assert!((256..1_024).contains(&steps), "{steps}");
}

/// What is odd is a mistake with a code, and no panic.
#[test]
fn any_words_are_commands_or_mistakes() {
    let program = crate::dreambox().assemble("copy.vu", "ld r0 0  st pos r0").unwrap();
    let words = [
        "step",
        "back",
        "run",
        "rback",
        "goto",
        "break",
        "delete",
        "print",
        "watch",
        "poke",
        "why",
        "influence",
        "list",
        "registers",
        "use",
        "help",
        "r0.xyzw",
        "r0.",
        "pos",
        "=",
        "==",
        "1",
        "-1",
        "1.5",
        "$",
        "0x3f800000",
        "99999999999999999999",
        "18446744073709551615",
        "[",
        "r0[1]",
        "ram[1]",
        "..",
        "nan",
        "line",
        "write",
        "if",
        "&&",
        ",",
        ",x",
        "\u{e9}",
        "#",
    ];
    let run = crate::trace::trace(&program, &RunState::default(), &Vertices::nothing(), 0, &[], &[]);
    let sources = Sources::default();
    let mut mistakes = 0;
    for (first, second) in words.iter().flat_map(|first| words.map(|second| (first, second))) {
        let mut console =
            Console::new(vec![Run::of_trace(run.clone())], sources.clone(), false, Paint::PLAIN);
        for line in [format!("{first} {second}"), format!("{first} r0.x {second} 1")] {
            if let Err(problem) = all(&mut console, &line) {
                assert!(problem.code.id.starts_with("G03") && problem.span().is_some(), "{line}");
                mistakes += 1;
            }
        }
    }
    assert!(mistakes > 1_000, "{mistakes}");
}
