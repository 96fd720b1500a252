//! Where messages point to in texts of the Direct3D dialect that are preprocessed, and how much they show.

use crate::preprocessor::read;

/// The only problem of a text: its code, and the labels with what they mark.
#[track_caller]
fn labels(text: &str, files: &[(&str, &str)]) -> (&'static str, Vec<(String, String)>) {
    let (assembled, sources) = read(text, files, &[]);
    let [problem] = &assembled.diagnostics[..] else { panic!("{text}\n{:#?}", assembled.diagnostics) };
    let shown = |label: &gpuzoo_diag::Label| {
        (sources.get(label.span.file).slice(label.span).to_owned(), label.text.clone())
    };
    (problem.code.id, problem.labels.iter().map(shown).collect())
}

/// What is wrong ends where a macro begins, and begins where one ends: its text is no part of it.
#[test]
fn places_end_where_a_macro_begins() {
    let head = "xvs.1.1\n#define COPY mov\n#define POS v0\n#define SIGN -\n#define BAD r99\n";
    for (line, code, marked) in [
        ("+COPY oPos, v0", "A0120", "+"),
        ("mov ,POS", "A0102", ","),
        ("mov oPos, POS*", "A0120", "*"),
        ("mov oPos, POS,POS", "A0113", ","),
        ("mov oPos, r99,POS", "A0103", "r99"),
        ("mov oPos, SIGN r99", "A0103", "r99"),
        ("mov oPos, SIGN BAD", "A0103", "BAD"),
        ("mov oPos, POS.q", "A0107", ".q"),
    ] {
        let (found, labels) = labels(&format!("{head}{line}\n"), &[]);
        assert_eq!((found, &*labels[0].0), (code, marked), "{line}");
    }
}

/// Of macros in each other, and of files, the innermost four are shown.
#[test]
fn messages_show_four_steps() {
    for depth in 1..9 {
        let lines: String = (1..depth).map(|at| format!("#define A{at} A{}\n", at + 1)).collect();
        let text = format!("vs.1.1\n{lines}#define A{depth} r99\nmov oPos, A1\n");
        let (_, all) = labels(&text, &[]);
        let steps: Vec<(String, String)> = (1..=depth)
            .rev()
            .take(4)
            .map(|at| {
                let written = if at == depth { "r99".to_owned() } else { format!("A{}", at + 1) };
                (written, format!("in expansion of macro `A{at}`"))
            })
            .collect();
        assert_eq!(all[0].0, "A1");
        assert_eq!(all[1..], steps, "{depth}");

        let names: Vec<String> = (1..=depth).map(|at| format!("f{at}")).collect();
        let texts: Vec<String> = (1..=depth)
            .map(|at| {
                if at == depth { "mov oPos, r99\n".to_owned() } else { format!("#include \"f{}\"\n", at + 1) }
            })
            .collect();
        let files: Vec<(&str, &str)> =
            names.iter().zip(&texts).map(|(name, text)| (&**name, &**text)).collect();
        let (_, all) = labels("vs.1.1\n#include \"f1\"\n", &files);
        let steps: Vec<(String, String)> = (1..=depth)
            .rev()
            .take(4)
            .map(|at| (format!("#include \"f{at}\""), "included here".to_owned()))
            .collect();
        assert_eq!(all[0].0, "r99");
        assert_eq!(all[1..], steps, "{depth}");
    }
}

/// What stands behind a mistake in a line of the preprocessor is not read, so a macro there is not used.
#[test]
fn the_rest_of_a_wrong_line_is_not_read() {
    for line in [
        "#define F(a b TWO(1)",
        "#define F(a( TWO(1)",
        "#define F(a, 1 TWO(1)",
        "#define F(1) TWO(1)",
        "#define 1 TWO(1)",
        "#define F ## TWO(1)",
        "#undef 1 TWO(1)",
        "#undef A TWO(1)",
        "#line x TWO(1)",
        "#defin A TWO(1)",
    ] {
        let text = format!("vs.1.1\n#define TWO(a, b) a\n{line}\nmov oPos, v0\n");
        assert_eq!(labels(&text, &[]).0, "N0701", "{line}");
    }
}
