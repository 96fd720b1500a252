//! What diagnostics look like, as text and as JSON.

use gpuzoo_diag::{Code, Diagnostic, Sources, json, render};

static TWICE: Code = Code::new("N0103", "two inputs", "A slot has one input index.");

fn example() -> (Sources, Diagnostic) {
    let mut sources = Sources::default();
    let id = sources.add("skin.vsh", "; \u{e4}\nMUL R0, v0, v1\n");
    let file = sources.get(id);
    let problem = Diagnostic::error(&TWICE, "instruction reads two different input registers")
        .label(file.span(17..19), "second input register")
        .label(file.span(13..15), "first input register")
        .note("the word has a single 4-bit input index")
        .help("copy one first")
        .fix("use a temporary", file.span(17..19), "R1");
    (sources, problem)
}

#[test]
fn text_has_carets_labels_notes_and_the_fix() {
    let (sources, problem) = example();
    let text = render::human(&sources, &[problem], &render::Style::plain());
    let expected = "\
error[N0103]: instruction reads two different input registers
 --> skin.vsh:2:13
  |
2 | MUL R0, v0, v1
  |         --  ^^ second input register
  |         |
  |         first input register
  |
  = note: the word has a single 4-bit input index
  = help: copy one first
help: use a temporary
  |
2 - MUL R0, v0, v1
2 + MUL R0, v0, R1
  |

";
    assert_eq!(text, expected);
}

/// The renderer sees the lines around a problem; all of the text for each would take minutes.
#[test]
fn many_problems_in_a_long_text_take_no_time() {
    const LINES: usize = 60_000;
    let mut sources = Sources::default();
    let id = sources.add("long", &"MUL R0\n".repeat(LINES));
    let problem = |line: usize| {
        let at = line * 7 + 4;
        let file = sources.get(id);
        Diagnostic::error(&TWICE, "short").label(file.span(at..at + 2), "").fix(
            "more",
            file.span(at..at + 2),
            "R1",
        )
    };
    let problems: Vec<Diagnostic> = (0..LINES).map(problem).collect();
    let text = render::human(&sources, &problems, &render::Style::plain());
    let last = "\
error[N0103]: short
     --> long:60000:5
      |
60000 | MUL R0
      |     ^^
      |
help: more
      |
60000 - MUL R0
60000 + MUL R1
      |

";
    assert!(text.ends_with(last), "{}", &text[text.len() - last.len()..]);
}

#[test]
fn short_form_is_one_line() {
    let (sources, problem) = example();
    assert_eq!(
        render::short(&sources, &[problem]),
        "skin.vsh:2:13: error[N0103]: instruction reads two different input registers\n"
    );
}

#[test]
fn json_has_bytes_lines_and_both_columns() {
    let (sources, problem) = example();
    let value = serde_json::to_value(json::problem(&sources, &problem)).unwrap();
    assert_eq!(value["code"], "N0103");
    let label = &value["labels"][0];
    assert_eq!((label["start"].as_u64(), label["line"].as_u64()), (Some(17), Some(2)));
    assert_eq!((label["column"].as_u64(), label["column_utf16"].as_u64()), (Some(13), Some(13)));
    assert_eq!(value["fixes"][0]["edits"][0]["replacement"], "R1");
    assert_eq!(value["fixes"][0]["applicability"], "machine-applicable");
    let span = problem.span().unwrap();
    let guess = problem.clone().did_you_mean("near", span, "\"near\"");
    let guess = serde_json::to_value(json::problem(&sources, &guess)).unwrap();
    let fix = &guess["fixes"][1];
    assert_eq!(
        (&fix["title"], &fix["applicability"]),
        (&"did you mean `near`?".into(), &"maybe-incorrect".into())
    );
    assert_eq!(json::lines(&sources, &[problem]).lines().count(), 1);
}

#[test]
fn odd_spans_never_panic() {
    let mut sources = Sources::default();
    let text = sources.add("t", "\u{1F600}\u{1F600}\n");
    let binary = sources.add_binary("b");
    let long = sources.add("l", &"x".repeat(5000));
    for file in [text, binary, long] {
        for (start, end) in [(0, 0), (1, 2), (8, 9), (100, 200), (5, 3), (u32::MAX, u32::MAX)] {
            let span = gpuzoo_diag::Span { file, start, end };
            let problem = Diagnostic::warning(&TWICE, "odd").label(span, "here").fix("f", span, "y");
            assert!(
                render::human(&sources, std::slice::from_ref(&problem), &render::Style::colored())
                    .contains("odd")
            );
            assert!(render::short(&sources, std::slice::from_ref(&problem)).contains("odd"));
            assert!(json::lines(&sources, &[problem]).contains("odd"));
        }
    }
}

/// The line's number, its column in the whole line, and what is around the span; never the whole line.
#[test]
fn of_a_long_line_there_is_what_is_around_the_span() {
    let mut sources = Sources::default();
    let line = format!("{}MUL r0{}", "ADD é ".repeat(100_000), " MUL r1".repeat(100_000));
    let file = sources.add("long.vu", &format!("first\n{line}\nlast\n"));
    let start = 6 + 7 * 100_000;
    let span = |range| sources.get(file).span(range);
    let problem = Diagnostic::error(&TWICE, "odd").label(span(start + 4..start + 6), "here");
    let problem = problem.fix("make it even", span(start + 4..start + 6), "r2").note("so it is");
    let far = problem.clone().label(span(0..5), "far from it");
    let text = render::human(&sources, &[problem], &render::Style::plain());
    assert!(text.starts_with("error[N0103]: odd\n --> long.vu:2:700005\n"), "{text}");
    let shown = text.lines().find(|line| line.starts_with("2 | ")).unwrap();
    assert!(shown.contains("ADD é MUL r0 MUL r1 ") && shown.chars().count() <= 150, "{shown}");
    let carets = text.lines().find(|line| line.contains("^^ here")).unwrap();
    let at = |line: &str, what: &str| line.split(what).next().unwrap().chars().count();
    assert_eq!(at(carets, "^^"), at(shown, "r0"));
    assert!(text.contains("note: so it is") && text.contains("make it even"), "{text}");
    assert!(text.contains("MUL r2") && text.lines().all(|line| line.chars().count() <= 150), "{text}");
    // Another place far from it is shown on its own.
    let text = render::human(&sources, &[far], &render::Style::plain());
    assert!(text.contains("1 | first\n  | ----- far from it\n") && text.len() < 2500, "{text}");
}

/// What a span of many lines begins with, and a fix that is too long to be shown, are said.
#[test]
fn long_spans_and_long_fixes_are_cut() {
    let mut sources = Sources::default();
    let file = sources.add("t", &"line\n".repeat(100_000));
    let span = sources.get(file).span(5..400_000);
    let problem = Diagnostic::error(&TWICE, "odd").label(span, "all of it");
    let problem = problem.fix("make it short", span, "x").fix(
        "make it long",
        sources.get(file).span(5..6),
        "y".repeat(2000),
    );
    let text = render::human(&sources, &[problem], &render::Style::plain());
    assert!(text.contains("2 | line\n  | ^^^^") && text.contains(" all of it\n"), "{text}");
    assert!(text.contains("help: make it short") && text.contains("help: make it long"), "{text}");
    assert!(text.len() < 500, "{text}");
}

/// Control characters of names and of the text, and marks that turn the direction of writing, come out as something else.
#[test]
fn what_controls_a_terminal_is_not_printed() {
    let mut sources = Sources::default();
    let bad = "\u{1b}[2J\u{9b}\u{202e}\u{200f}\u{61c}\r\u{7}";
    let name = format!("a{bad}\nb.vu");
    let file = sources.add(&name, &format!("MUL {bad} r0\n"));
    let span = |range| sources.get(file).span(range);
    let long = span(0..3);
    let problem =
        Diagnostic::error(&TWICE, format!("there is no `{bad}`")).label(long, format!("{bad} is here"));
    let problem = problem.note(bad).help(bad).guess(bad, long, format!("ADD{bad}"));
    let binary = sources.add_binary(&name);
    let other = Diagnostic::error(&TWICE, bad).at(sources.get(binary).span(0..1));
    let all = [problem, other];
    for text in [
        render::human(&sources, &all, &render::Style::plain()),
        render::short(&sources, &all),
        json::lines(&sources, &all),
    ] {
        let is_bad = |letter: char| {
            letter != '\n' && (letter.is_control() || "\u{202e}\u{200f}\u{61c}".contains(letter))
        };
        assert!(!text.contains(is_bad), "{text:?}");
        assert!(!text.contains("\nb.vu"), "{text:?}");
    }
    assert_eq!(render::short(&sources, &all).lines().count(), 2);
    // Programs read the exact name, and the exact edit.
    let value: serde_json::Value =
        serde_json::from_str(json::lines(&sources, &all).lines().next().unwrap()).unwrap();
    assert_eq!(value["labels"][0]["file"], *name);
    assert_eq!(value["fixes"][0]["edits"][0]["replacement"], format!("ADD{bad}"));
}
