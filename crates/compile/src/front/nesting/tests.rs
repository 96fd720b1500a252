use super::*;

/// The nesting and the depth that are counted for a text.
fn counted(text: &str, is_wgsl: bool) -> (usize, usize) {
    let mut nesting = Nesting::new(is_wgsl);
    let (mut nested, mut depth) = (0, 0);
    let mut lexemes = wgsl::lexemes(text).peekable();
    while let Some(lexeme) = lexemes.next() {
        nesting.add(&lexeme, lexemes.peek().map_or("", |next| next.text));
        let level = nesting.levels.last().unwrap();
        nested = nested.max(level.outside + level.branches + BRACKET * level.angles + nesting.waiting);
        depth = depth.max(level.height.max(level.highest));
    }
    (nested, depth)
}

/// Heights of trees, by hand.
#[test]
fn expressions_are_as_deep_as_their_trees() {
    for (text, depth) in [
        ("a;", 0),
        ("a + b + c;", 2),
        ("a * b + c * d + e * f;", 3),
        ("a + b * c;", 2),
        ("-a * -b;", 2),
        ("a.x.y;", 2),
        ("a[0][1].x;", 3),
        ("a + (b + (c + d));", 5),
        ("f(a, b + c, d).x;", 3),
        ("a = b = c = d;", 3),
        ("p ? a : q ? b : c;", 2),
        ("p ? a + b + c : d;", 3),
        ("x = { 1, -2, -3, -4, -5 };", 3),
        ("(a, b, c);", 3),
        ("float a = 1.0, b = 2.0, c = 3.0;", 1),
    ] {
        assert_eq!(counted(text, false).1, depth, "{text}");
    }
}

#[test]
fn what_a_parser_has_begun_is_nested() {
    for (text, nested) in [
        ("f(a, g(b), (c));", 4),
        ("- - -a;", 3),
        ("a = b = c;", 2),
        ("if (a) b; if (c) d; if (e) f;", 3),
        ("if (a) b; else if (c) d; else if (e) f;", 5),
        ("if (a) { b; } else { if (c) { d; } } { e; }", 6),
        ("do a; while (b); do c; while (d); while (e) f; while (g) h;", 3),
        ("do do do a; while (b); while (c); while (d);", 5),
        ("switch (a) { case 1: case 2: case 3: b; case 4: c; }", 3),
        ("{ { { } } { } }", 3),
    ] {
        assert_eq!(counted(text, false).0, nested, "{text}");
    }
    for (text, nested) in [
        ("var<private> a: array<array<vec4<f32>, 2>, 2>;", 6),
        ("alias A = array<array<vec4<f32>, 2>, 2>; alias B = vec2<f32>;", 7),
        ("const a = vec2<f32>(1.0) + vec2<f32>(2.0) + vec2<f32>(3.0);", 3),
    ] {
        assert_eq!(counted(text, true).0, nested, "{text}");
    }
    assert_eq!(counted("x = vec3<f32>(a) + vec3<f32>(b) + vec3<f32>(c);", true).1, 4);
}

/// Long lists of numbers, of declarations and of cases are not deep.
#[test]
fn what_is_long_is_not_deep() {
    let many = |item: &str| item.repeat(5_000);
    for text in [
        format!("float a[] = float[]({}0.0);", many("-1.5, ")),
        format!("float a[] = {{ {}0.0 }};", many("-1.5, ")),
        format!("void f() {{ switch (a) {{ {} }} }}", many("case 1: a += b * c - d; ")),
        format!("void f() {{ {} }}", many("if (a < b) { c(); } else { d(); } ")),
        format!("void f() {{ {} }}", many("for (int i = 0, j = 1; i < 3; i++) a += b; ")),
    ] {
        let (nested, depth) = counted(&text, false);
        assert!(nested < 8 && depth < 8, "{nested} {depth} {}", &text[..40]);
    }
    let many = |item: &str| item.repeat(4_000);
    for text in [
        format!("const a = array<f32, 4000>({});", many("-1.5, ")),
        format!("const a = array({});", many("vec2<f32>(-1.5, 2.0), ")),
        format!("struct S {{ {} }}", many("@location(0) a: vec4<f32>, ")),
        format!("fn f() {{ {} }}", many("if a < b && c > d { e(); } else { } ")),
        format!("fn f() {{ switch a {{ {} }} }}", many("case 1, 2, 3: { b = c; } ")),
    ] {
        let (nested, depth) = counted(&text, true);
        assert!(nested < 8 && depth < 8, "{nested} {depth} {}", &text[..40]);
    }
}
