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
    let value = json::value(&sources, &problem);
    assert_eq!(value["code"], "N0103");
    let label = &value["labels"][0];
    assert_eq!((label["start"].as_u64(), label["line"].as_u64()), (Some(17), Some(2)));
    assert_eq!((label["column"].as_u64(), label["column_utf16"].as_u64()), (Some(13), Some(13)));
    assert_eq!(value["fixes"][0]["edits"][0]["replacement"], "R1");
    assert_eq!(value["fixes"][0]["applicability"], "machine-applicable");
    let span = problem.span().unwrap();
    let guess = json::value(&sources, &problem.clone().did_you_mean("near", span, "\"near\""));
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
