//! The preprocessor of the Direct3D dialect: small texts of several files, limits, and whatever bytes there are.

use gpuzoo_diag::{File, Sources, has_errors, render};
use gpuzoo_isa::{Assembled, MAX_ERRORS};
use gpuzoo_machine::{Profile, ShaderUnit, TextOptions};
use gpuzoo_nv2a::{GPU, Given, ISA, preprocess};
use proptest::prelude::*;

/// The slots of the text alone: those that are added are another file's (`screen.rs`).
const CLIP: TextOptions = TextOptions {
    position: Some(gpuzoo_nv2a::PositionSpace::Clip),
    dialect: None,
    numbering: None,
    exact: false,
    include: None,
    defines: &[],
    entry: None,
    stage: None,
    host_constants: false,
    call: None,
    profile: Profile(0),
    budget: None,
};

/// Assembles a text with files beside it.
pub fn read(text: &str, files: &[(&str, &str)], defines: &[&str]) -> (Assembled, Sources) {
    let include = |name: &str| {
        let found = files.iter().find(|(known, _)| *known == name);
        found.map(|(_, text)| text.as_bytes().to_vec()).ok_or_else(|| "there is no such file".to_owned())
    };
    let mut sources = Sources::default();
    let id = sources.add("main.vsh", text);
    let options = TextOptions { include: Some(&include), defines, ..CLIP };
    (GPU.assemble_in(&mut sources, id, &options), sources)
}

fn words(assembled: &Assembled) -> Vec<u32> {
    assert!(assembled.ok(), "{:?}", assembled.diagnostics);
    assembled.program.words(&ISA)
}

/// The messages, a line each: `main.vsh:2:1: error[N0702]: cannot include …`.
fn short(text: &str, files: &[(&str, &str)], defines: &[&str]) -> Vec<String> {
    let (assembled, sources) = read(text, files, defines);
    render::short(&sources, &assembled.diagnostics).lines().map(str::to_owned).collect()
}

/// A word that a macro made cannot be corrected in its place: what to write is help there, and a correction elsewhere.
#[test]
fn corrections_are_of_the_text_as_it_is_written() {
    let problem = |text: &str| {
        let (assembled, _) = read(text, &[], &[]);
        let [problem] = &assembled.diagnostics[..] else { panic!("{:#?}", assembled.diagnostics) };
        assert_eq!(problem.code.id, "A0101");
        problem.clone()
    };
    let made = problem("vs.1.1\n#define COPY mvo\nCOPY oPos, v0\n");
    assert!(made.fixes.is_empty() && made.help.iter().any(|help| help == "did you mean `mov`?"));
    let written = problem("vs.1.1\nmvo oPos, v0\n");
    let [fix] = &written.fixes[..] else { panic!("{written:#?}") };
    let edits: Vec<_> = fix.edits.iter().map(|edit| (edit.span.range(), &*edit.text)).collect();
    assert_eq!(edits, [(7..10, "mov")]);
}

/// A text with its files and definitions, and what it is without a preprocessor.
type Case = (&'static str, &'static [(&'static str, &'static str)], &'static [&'static str], &'static str);

const CASES: &[Case] = &[
    // A word that a macro makes does not run together with the one behind it.
    ("vs.1.1\n#define OP(name) name\nOP(mov)oPos, v0\n", &[], &[], "vs.1.1\nmov oPos, v0\n"),
    (
        "vs.1.1\n#include \"a.h\"\nmov oPos, POS\n",
        &[("a.h", "#define POS v0\n")],
        &[],
        "vs.1.1\nmov oPos, v0\n",
    ),
    // The version line is in the file, or behind lines of the preprocessor.
    ("#include <head.h>\nmov oPos, v0\n", &[("head.h", "vs.1.1")], &[], "vs.1.1\nmov oPos, v0\n"),
    (
        "#ifdef XBOX\nxvs.1.1\n#else\nvs.1.1\n#endif\nmov oPos, v0\n+ rcc r1, v0.w\n",
        &[],
        &["XBOX"],
        "xvs.1.1\nmov oPos, v0\n+ rcc r1, v0.w\n",
    ),
    // A macro may have no parameters.
    ("#define COPY() mov\nvs.1.1\nCOPY() oPos, v0\n", &[], &[], "vs.1.1\nmov oPos, v0\n"),
    // What is in angle brackets is never the including file's neighbour.
    (
        "vs.1.1\n#include \"inc/b.h\"\n",
        &[("inc/b.h", "#include <c.h>\n"), ("inc/c.h", "mov oPos, v2\n"), ("c.h", "mov oPos, v1\n")],
        &[],
        "vs.1.1\nmov oPos, v1\n",
    ),
    // Folders: of the including file first, then the program's; backslashes are slashes.
    (
        "vs.1.1\n#include \"inc\\a.h\"\nmov oPos, IN\n",
        &[
            ("inc/a.h", "#include \"b.h\"\n#include \"c.h\"\n"),
            ("inc/b.h", "#define R v0\n"),
            ("c.h", "#define IN R\n"),
        ],
        &[],
        "vs.1.1\nmov oPos, v0\n",
    ),
    // Behind an included file its folder is no longer looked in, however deep it was.
    (
        "vs.1.1\n#include \"x/a.h\"\n#include \"b.h\"\n",
        &[
            ("x/a.h", "#include \"y/c.h\"\n#include \"b.h\"\n"),
            ("x/y/c.h", "#include \"b.h\"\n"),
            ("x/y/b.h", "mov oD0, v1\n"),
            ("x/b.h", "mov oD1, v2\n"),
            ("b.h", "mov oPos, v0\n"),
        ],
        &[],
        "vs.1.1\nmov oD0, v1\nmov oD1, v2\nmov oPos, v0\n",
    ),
    // The innermost folder comes first, and each is looked in.
    (
        "vs.1.1\n#include \"x/a.h\"\n",
        &[
            ("x/a.h", "#include \"y/c.h\"\n"),
            ("x/y/c.h", "#include \"b.h\"\n#include \"d.h\"\n"),
            ("x/b.h", "mov oPos, v0\n"),
            ("b.h", "#error\n"),
            ("x/y/d.h", "mov oD0, v1\n"),
            ("x/d.h", "#error\n"),
        ],
        &[],
        "vs.1.1\nmov oPos, v0\nmov oD0, v1\n",
    ),
    // A file that ends in a comment ends its line, before what stands behind the line that names it.
    (
        "vs.1.1\n#include \"a.h\" /* x\n y */\nmov oD0, v1\n",
        &[("a.h", "mov oPos, v0 ; a")],
        &[],
        "vs.1.1\nmov oPos, v0\nmov oD0, v1\n",
    ),
    // A line that goes on in a part that is left out: what is on it begins no line.
    (
        "vs.1.1\n#if 0\n#define A \\\n#endif\n#if x \\\r\n#else\nmov oD0, v1\n#endif \\\n#else\nmov \\\n#else\n#else\nmov oPos, v0\n#endif\n",
        &[],
        &[],
        "vs.1.1\nmov oPos, v0\n",
    ),
    (
        "vs.1.1\n#if 1\nmov oPos, v0\n#else \\\n#endif\nx\n#elif_ \\\n#endif\n#endif \\\nx\nmov oD0, v1\n",
        &[],
        &[],
        "vs.1.1\nmov oPos, v0\nmov oD0, v1\n",
    ),
    // What stands behind `#else` and `#endif` is a comment, also where the part before was skipped.
    ("vs.1.1\n#ifdef FOG\nx\n#endif FOG\nmov oPos, v0\n", &[], &[], "vs.1.1\nmov oPos, v0\n"),
    ("vs.1.1\n#if 0\nx\n#else XBOX\nmov oPos, v0\n#endif XBOX\n", &[], &[], "vs.1.1\nmov oPos, v0\n"),
    // An empty argument joins nothing, and what is behind a joined token keeps its gap.
    (
        "#define M(p,d) mov p##d, v0\n#define N(a,b) a##b\nvs.1.1\nM(,oPos)\nM(oD,0)\nN(mo,v oT0), v1\n",
        &[],
        &[],
        "vs.1.1\nmov oPos, v0\nmov oD0, v0\nmov oT0, v1\n",
    ),
    // A line that goes on before the parenthesis.
    ("#define F(a) a\nvs.1.1\nmov oPos, F \\\n(v0)\n", &[], &[], "vs.1.1\nmov oPos, v0\n"),
    ("vs.1.1\nmov AB, v0\n", &[], &["AB=o##Pos"], "vs.1.1\nmov oPos, v0\n"),
    // A guard: the file's second time is empty.
    (
        "vs.1.1\n#include \"g.h\"\n#include \"g.h\"\n",
        &[("g.h", "#ifndef G\n#define G\nmov oPos, v0\n#endif")],
        &[],
        "vs.1.1\nmov oPos, v0\n",
    ),
    // Numbers of registers are computed.
    (
        "#define WORLD 4\n#define ROW(n) c[WORLD*4 + n - 1]\nvs.1.1\ndp4 oPos.x, v0, ROW(1)\ndp4 oPos.y, v0, ROW(1+1)\n",
        &[],
        &[],
        "vs.1.1\ndp4 oPos.x, v0, c16\ndp4 oPos.y, v0, c17\n",
    ),
    (
        "#define BONE 3\nvs.1.1\nmov a0.x, v1.x\nmov oPos, c[a0.x + 0 + BONE*(2+1)]\nmov oD0, c[BONE-1 + a0.x]\n",
        &[],
        &[],
        "vs.1.1\nmov a0.x, v1.x\nmov oPos, c[a0.x + 9]\nmov oD0, c[a0.x + 2]\n",
    ),
    // A macro of several instructions.
    (
        "#define MATRIX(d, s, m) dp4 d.x, s, c[m] \\\n dp4 d.y, s, c[m+1] \\\r\n dp4 d.z, s, c[m+2] \\\n dp4 d.w, s, c[m+3]\n\
         vs.1.1\nMATRIX(oPos, v0, 8)\nMATRIX(r0, -v1, -2+2)\nmov oD0, r0\n",
        &[],
        &[],
        "vs.1.1\nm4x4 oPos, v0, c8\nm4x4 r0, -v1, c0\nmov oD0, r0\n",
    ),
    // Masks and swizzles behind and in macros.
    (
        "#define DEST oPos\n#define MASK xyz\n#define LAST w\nvs.1.1\nmov DEST.MASK, v0\nmov DEST.LAST, v0.x\nmov oPos.w, c-0.MASK\n",
        &[],
        &[],
        "vs.1.1\nmov oPos.xyz, v0\nmov oPos.w, v0.x\nmov oPos.w, c0.xyz\n",
    ),
    // The value of a definition, an empty one, none.
    (
        "vs.1.1\n#if LIGHTS > 1 && defined(FOG) && !defined NOTHING\nmov oD0, c[LIGHTS]\n#elif LIGHTS\nmov oD1, c0\n#else\n#error no\n#endif\nmov oPos, v0 SIGN\n",
        &[],
        &["LIGHTS=2", "FOG", "SIGN="],
        "vs.1.1\nmov oD0, c2\nmov oPos, v0\n",
    ),
    // Parts that are left out may hold anything.
    (
        "vs.1.1\n#if 0\n#if 1\n#else\n#unknown \"\n#endif\nit's not /* #endif */ code\n#elif 1\nmov oPos, v0\n#elif 1\nmov oPos, v1\n#else\nmov oPos, v2\n#endif POSITION\n",
        &[],
        &[],
        "vs.1.1\nmov oPos, v0\n",
    ),
    // Comments of all kinds, also behind and in preprocessor lines.
    (
        "/* a */ #define A v0 ; what is read\n#define B /* here */ A // and there\n; #include \"none\"\nvs.1.1 ; c:\\\nmov oPos, /* A \\ */ B ; A\n",
        &[],
        &[],
        "vs.1.1\nmov oPos, v0\n",
    ),
    // Names that lead to themselves stay.
    (
        "#define oPos oPos\n#define r0 r1\n#define r1 r0\nvs.1.1\nmov oPos, v0\nmov r0, v1\nmov oD0, r0\n",
        &[],
        &[],
        "vs.1.1\nmov oPos, v0\nmov r0, v1\nmov oD0, r0\n",
    ),
    // Macros in arguments, macros that leave others, and names without parentheses.
    (
        "#define NEG(a) -a\n#define TWICE(f, a) f(a), f(a)\n#define GET NEG\n#define v(n) v0\nvs.1.1\nadd r0, TWICE(NEG, v1)\nadd oD0, r0, GET(r0)\nmov oPos, v\n(1)\n",
        &[],
        &[],
        "vs.1.1\nadd r0, -v1, -v1\nadd oD0, r0, -r0\nmov oPos, v0\n",
    ),
    // Tokens that are joined, and such as must not be.
    (
        "#define LIGHT(n) c##n\n#define CAT(a, b) a##b\n#define ID(a) a\nvs.1.1\nmov CAT(o, Pos), LIGHT(7)\nmov oD0.x, c[ID(1)ID(+)2]\n",
        &[],
        &[],
        "vs.1.1\nmov oPos, c7\nmov oD0.x, c3\n",
    ),
    // What `cpp` leaves, and pragmas.
    (
        "# 1 \"a.vsh\" 2\n#line 7 \"a.vsh\"\n#\n#pragma screenspace\nxvs.1.0\nmov oPos, v0\nnop\n+ nop\n",
        &[],
        &[],
        "xvs.1.1\nmov oPos, v0\nnop\n",
    ),
    // Lines that go on.
    (
        "vs.1.1\nmov oPos, \\\n v0\n#define A \\\n  v1\nmov oD0, \\\r\nA\n",
        &[],
        &[],
        "vs.1.1\nmov oPos, v0\nmov oD0, v1\n",
    ),
    // A macro that is defined anew, and one that is gone.
    (
        "vs.1.1\n#define A v0\nmov oPos, A\n#undef A\n#define A v1\nmov oD0, A\n#undef A\n#undef A\n#ifndef A\nmov oD1, v2\n#endif\n",
        &[],
        &[],
        "vs.1.1\nmov oPos, v0\nmov oD0, v1\nmov oD1, v2\n",
    ),
];

#[test]
fn texts_mean_what_they_mean_without_a_preprocessor() {
    for (text, files, defines, plain) in CASES {
        let (assembled, _) = read(text, files, defines);
        assert!(assembled.diagnostics.is_empty(), "{text}{:?}", assembled.diagnostics);
        let expected = GPU.assemble(&File::new("t", plain), &CLIP);
        assert_eq!(words(&assembled), words(&expected), "{text}");
    }
}

#[test]
fn a_cause_is_reported_once_where_it_is_written() {
    let text = "vs.1.1\n#include \"a.h\"\n#define POS v0\nmov oPos, POS\nmov oT9, POS\n";
    assert_eq!(short(text, &[], &[]), ["main.vsh:2:1: error[N0702]: cannot include `a.h`"]);
    let header = [("a.h", "#define TEX v99\n#define SUM(a) add r0, a, TEX\n")];
    let text = "vs.1.1\n#include \"a.h\"\nSUM(v0)\nmov oD0, TEX\nSUM(v98)\nSUM(v0)";
    let expected = [
        "main.vsh:3:1: error[A0103]: there is no register `v99`",
        "main.vsh:5:5: error[A0103]: there is no register `v98`",
    ];
    assert_eq!(short(text, &header, &[]), expected);
    // An error in an included file, twice.
    let header = [("a.h", "#include \"b.h\"\n"), ("b.h", "mov oPos v0\n")];
    let text = "vs.1.1\n#include \"a.h\"\n#include \"a.h\"\n";
    assert_eq!(short(text, &header, &[]), ["b.h:1:10: error[A0120]: expected `,` before `a` of `mov`"]);
    // Behind an error on one line there is nothing to be said of the next.
    assert_eq!(short("vs.1.1\nmov a0, v3\nmov oPos, c[a0.x]\n", &[], &[]).len(), 1);
}

/// Texts whose macros the build defines: what is missing is reported once for each name, with the way to give it.
#[test]
fn names_that_nothing_defines_are_reported_once() {
    let text = "vs.1.1\ndcl_position V_POS\nm4x4 oPos, V_POS, C_WVP\nmov oD0, C_WVP.x\nmov oD1, -C_WVP.y\n\
                SETUP\nSETUP(1)\nmov r13, v0\nmov r13, v0\n";
    let expected = [
        "main.vsh:2:14: error[A0102]: `input` of `dcl_position` must be an input, found `V_POS`",
        "main.vsh:4:10: error[A0102]: `a` of `mov` must be a register, found `C_WVP`",
        "main.vsh:6:1: error[A0101]: there is no instruction `SETUP`",
        // These are not names.
        "main.vsh:8:5: error[A0103]: there is no register `r13`",
        "main.vsh:9:5: error[A0103]: there is no register `r13`",
    ];
    assert_eq!(short(text, &[], &[]), expected);
    let (assembled, _) = read(text, &[], &[]);
    let [first, ..] = &assembled.diagnostics[..] else { panic!() };
    assert_eq!(first.notes, ["it is met in 2 places"]);
    assert!(first.help.last().is_some_and(|help| help.contains("--define V_POS=")), "{:?}", first.help);
    // With the same macros it is a text as any other.
    assert!(
        read(text, &[], &["V_POS=v0", "C_WVP=c4", "SETUP=nop"])
            .0
            .diagnostics
            .iter()
            .all(|problem| problem.code.id != "A0102")
    );
    // The same from an included file and through a macro.
    let files = [("a.h", "#define MOVE(to) mov to, V_IN\n")];
    let text = "vs.1.1\n#include \"a.h\"\nMOVE(oPos)\nMOVE(oD0)\nmov oD1, V_IN\n";
    assert_eq!(short(text, &files, &[]).len(), 1);
}

/// A letter or two with a number are a register, right or wrong: each is reported. Others may be names of macros.
#[test]
fn what_can_only_be_a_name_is_reported_once() {
    for (word, is_name) in [
        ("r99", false),
        ("q0", false),
        ("oT9", false),
        ("oD5", false),
        ("ab123", false),
        ("POS", true),
        ("a", true),
        ("ab", true),
        ("_", true),
        ("_1", false),
        ("tex1", true),
        ("abc1", true),
        ("a1b", true),
        ("A_1", false),
        ("LIGHT_0", true),
        ("1a", false),
        ("7", false),
    ] {
        let (assembled, _) =
            read(&format!("vs.1.1\nmov r0, {word}\nmov r1, {word}\nmov oPos, v0\n"), &[], &[]);
        let problems = &assembled.diagnostics;
        let notes = problems
            .iter()
            .flat_map(|problem| &problem.notes)
            .filter(|note| *note == "it is met in 2 places");
        let help = problems.iter().flat_map(|problem| &problem.help).filter(|help| help.contains("--define"));
        let expected = if is_name { (1, 1, 1) } else { (2, 0, 0) };
        assert_eq!((problems.len(), notes.count(), help.count()), expected, "{word}: {problems:#?}");
    }
}

#[test]
fn messages_lead_through_expansions_and_inclusions() {
    let files = [("a.h", "#define IN v99\n#define MOVE(to) mov to, IN\n"), ("b.h", "\nMOVE(oPos)\n")];
    let (assembled, sources) = read("vs.1.1\n#include \"a.h\"\n#include \"b.h\"\n", &files, &[]);
    let [problem] = &assembled.diagnostics[..] else { panic!("{:?}", assembled.diagnostics) };
    let at = |label: &gpuzoo_diag::Label| {
        let file = sources.get(label.span.file);
        format!("{}: `{}` {}", file.name(), file.slice(label.span), label.text)
    };
    assert_eq!(
        problem.labels.iter().map(at).collect::<Vec<_>>(),
        [
            "b.h: `MOVE(oPos)` ",
            "a.h: `v99` in expansion of macro `IN`",
            "a.h: `IN` in expansion of macro `MOVE`",
            "main.vsh: `#include \"b.h\"` included here",
        ]
    );
}

/// Arguments may stand elsewhere than the macro's name: then the name alone is its place.
#[test]
fn arguments_may_stand_behind_another_macro() {
    let labels = |text: &str| {
        let (assembled, sources) = read(text, &[], &[]);
        let [problem] = &assembled.diagnostics[..] else { panic!("{:#?}", assembled.diagnostics) };
        let shown = |label: &gpuzoo_diag::Label| sources.get(label.span.file).slice(label.span).to_owned();
        problem.labels.iter().map(shown).collect::<Vec<_>>()
    };
    let macros = "vs.1.1\n#define F(a) mov r99, a\n#define G F\n#define H F(v0)\n";
    assert_eq!(labels(&format!("{macros}F(v0)\n")), ["F(v0)", "r99"]);
    assert_eq!(labels(&format!("{macros}G(v0)\n")), ["G", "r99", "F"]);
    assert_eq!(labels(&format!("{macros}H\n")), ["H", "r99", "F(v0)"]);
}

/// A message about two places: of what one use of a macro made, the second is shown where the macro was written, if that is
/// a text or the command line; of two uses, both are shown where they are used.
#[test]
fn second_places_are_in_the_macro_or_at_its_use() {
    let labels = |text: &str, defines: &[&str]| {
        let (assembled, sources) = read(text, &[], defines);
        let [problem] = &assembled.diagnostics[..] else { panic!("{:?}", assembled.diagnostics) };
        assert_eq!(problem.code.id, "N0101");
        let shown = |label: &gpuzoo_diag::Label| {
            let file = sources.get(label.span.file);
            let place = file.place(label.span.start);
            (place.line, place.column, file.slice(label.span).to_owned())
        };
        problem.labels.iter().take(2).map(shown).collect::<Vec<_>>()
    };
    let place = |line, column, text: &str| (line, column, text.to_owned());
    let one_use = "vs.1.1\n#define BOTH v1, v2\nadd oPos, BOTH\n";
    assert_eq!(labels(one_use, &[]), [place(3, 11, "BOTH"), place(2, 14, "v1")]);
    let two_uses = "vs.1.1\n#define A v1\n#define B v2\nadd oPos, A, B\n";
    assert_eq!(labels(two_uses, &[]), [place(4, 14, "B"), place(4, 11, "A")]);
    let given = "vs.1.1\nadd oPos, BOTH\n";
    assert_eq!(labels(given, &["BOTH=v1, v2"]), [place(2, 11, "BOTH"), place(1, 6, "v1")]);
    // Without sources that could have it, a definition has no place.
    let file = File::new("t", given);
    let assembled = GPU.assemble(&file, &TextOptions { defines: &["BOTH=v1, v2"], ..CLIP });
    let labels = assembled.diagnostics[0].labels.iter().take(2);
    assert_eq!(labels.map(|label| label.span).collect::<Vec<_>>(), [file.span(17..21); 2]);
}

/// What is wrong at the end of a text is wrong in that text, also if it is not the first file.
#[test]
fn a_text_need_not_be_the_first_file() {
    let mut sources = Sources::default();
    sources.add("other.vsh", "");
    let id = sources.add("main.vsh", "#define A");
    let assembled = GPU.assemble_in(&mut sources, id, &CLIP);
    assert_eq!(assembled.diagnostics[0].span().map(|span| (span.file, span.start)), Some((id, 9)));
}

#[test]
fn places_of_slots_constants_and_lines_are_those_of_the_files() {
    let text = "vs.1.1\n#define ONE 1, 1, 1, 1\ndef c0, ONE\n#include \"a.h\"\n#define M mov oD0, v0\nM\n";
    let (assembled, sources) = read(text, &[("a.h", "mov oPos, v0\n")], &[]);
    let place = |span: gpuzoo_diag::Span| sources.get(span.file).slice(span).to_owned();
    let slots: Vec<String> = assembled.program.slots.iter().map(|slot| place(slot.span)).collect();
    assert_eq!(slots, ["mov oPos, v0", "M"]);
    assert_eq!(place(assembled.program.constants[0].span), "def c0, ONE");
    assert_eq!(place(assembled.program.span), text);
    let (assembled, _) = read("vs.1.1\n#line 40 \"old.vsh\"\n\nmov oPos, x\n", &[], &[]);
    assert_eq!(assembled.diagnostics[0].notes, ["`#line` calls this line 41 of `old.vsh`"]);
}

#[test]
fn definitions_need_a_text_with_macros() {
    let (assembled, _) = read("mov oPos, v0\n", &[], &["A"]);
    assert_eq!(assembled.diagnostics[0].code.id, "N0709");
    assert!(assembled.ok());
    for define in ["", "1A", "A B", "A(x)=x", "A=\n"] {
        let codes: Vec<_> = read("vs.1.1\nmov oPos, v0\n", &[], &[define]).0.diagnostics;
        assert_eq!(codes[0].code.id, "N0701", "{define}");
    }
}

#[test]
fn a_screenspace_pragma_is_remembered() {
    let file = File::new("t", "#pragma screenspace ; of the Xbox\nxvs.1.1\nmov oPos, v0\n");
    let done = preprocess(&file, Given::default());
    assert_eq!(done.screenspace.map(|span| span.start), Some(0));
    assert!(done.problems.is_empty());
}

#[test]
fn an_error_line_may_go_on() {
    assert_eq!(short("vs.1.1\n#error one \\\ntwo\n", &[], &[]), ["main.vsh:2:1: error[N0706]: one  two"]);
    let (assembled, _) = read("vs.1.1\nmov oPos, v0\n", &[], &["A=v0 /* x"]);
    assert!(has_errors(&assembled.diagnostics));
}

/// Lines that preprocessors meet, right and wrong ones.
fn line() -> impl Strategy<Value = String> {
    let token = prop::sample::select(vec![
        "#",
        "##",
        "define ",
        "undef ",
        "if ",
        "ifdef ",
        "elif ",
        "else",
        "endif",
        "include ",
        "line ",
        "pragma ",
        "\"a\"",
        "<b>",
        "A",
        "B",
        "F",
        "(",
        ")",
        ",",
        "defined ",
        " ",
        "\\\n",
        "\\",
        "1",
        "0",
        "+",
        "-",
        "/",
        "/*",
        "*/",
        "//",
        ";",
        "\n",
        "mov oPos, v0",
        "c[",
        "]",
        ".x",
        "?",
        ":",
        "&&",
        "\u{e9}",
    ]);
    prop::collection::vec(token, 0..12).prop_map(|tokens| tokens.concat())
}

fn holds(text: &str, files: &[(&str, &str)]) {
    let (assembled, sources) = read(text, files, &["A=B", "F=F(A"]);
    assert!(assembled.diagnostics.len() <= MAX_ERRORS + 200);
    assert!(assembled.program.slots.len() <= 1 << 20);
    // Every place can be shown.
    render::human(&sources, &assembled.diagnostics, &render::Style::plain());
    for problem in &assembled.diagnostics {
        for label in &problem.labels {
            let file = sources.find(label.span.file).expect("a file");
            assert!(label.span.start <= label.span.end && label.span.end as usize <= file.text().len());
        }
    }
}

proptest! {
    #[test]
    fn any_bytes_end_in_messages(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let text = String::from_utf8_lossy(&bytes);
        holds(&format!("#define A\nvs.1.1\n{text}"), &[("a", &text), ("b", "A")]);
    }

    #[test]
    fn any_lines_end_in_messages(lines in prop::collection::vec(line(), 0..12), file in line()) {
        let text = lines.join("\n#");
        holds(&format!("#{text}"), &[("a", &file), ("b", &text)]);
        holds(&format!("vs.1.1\n{}", lines.join("\n")), &[("a", &text), ("b", &file)]);
    }
}

/// One error, with the other places up to four of them, and how often it was found.
#[test]
fn a_mistake_in_a_macro_is_reported_once() {
    for (uses, places, note) in [
        (1, 0, None),
        (2, 1, Some("the same is found once more")),
        (3, 2, Some("the same is found 2 times more")),
        (9, 3, Some("the same is found 8 times more")),
    ] {
        let text = format!("xvs.1.1\n#define BAD mov r0, q0\n{}mov oPos, r0\n", "BAD\n".repeat(uses));
        let problems = read(&text, &[], &[]).0.diagnostics;
        let [problem] = &problems[..] else { panic!("{problems:#?}") };
        let others = problem.labels.iter().filter(|label| label.text == "and here").count();
        let notes: Vec<&str> =
            problem.notes.iter().map(String::as_str).filter(|note| note.contains("the same")).collect();
        assert_eq!((others, notes), (places, note.into_iter().collect()), "{uses}");
    }
}
