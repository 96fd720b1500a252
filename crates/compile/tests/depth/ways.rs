//! Sources of any depth.

/// A way to nest.
pub struct Way {
    /// A name of a file, which says the language.
    pub name: &'static str,
    /// For messages.
    pub what: &'static str,
    /// What real programs may well have.
    pub least: usize,
    /// The source of a depth.
    pub text: Box<dyn Fn(usize) -> String + Sync>,
}

pub fn way(
    name: &'static str,
    what: &'static str,
    least: usize,
    text: impl Fn(usize) -> String + Sync + 'static,
) -> Way {
    Way { name, what, least, text: Box::new(text) }
}

/// `before` so many times, the middle, and `after` as often.
fn around(before: &str, middle: &str, after: &str, depth: usize) -> String {
    format!("{}{middle}{}", before.repeat(depth), after.repeat(depth))
}

/// Declarations each of which names the one before, in their order or from the last one on.
pub fn chain(first: &str, next: &str, depth: usize, is_turned: bool) -> String {
    let one = |at: usize| match at {
        0 => first.to_owned(),
        _ => next.replace('@', &at.to_string()).replace('$', &(at - 1).to_string()),
    };
    let mut all: Vec<String> = (0..=depth).map(one).collect();
    if is_turned {
        all.reverse();
    }
    all.concat()
}

/// What the three languages share: the statement is put into a program.
const SHARED: &[(&str, usize, &str, &str, &str)] = &[
    ("parentheses", 24, "r = ", "(", "a;"),
    ("prefix operators", 8, "r = ", "-", "a;"),
    ("a sum", 60, "r = a", " + a", ";"),
    ("sums of products", 60, "r = a", " * a + a", ";"),
    ("members", 24, "r = a", ".xyzw", ";"),
    ("blocks", 24, "", "{", "r = a;"),
];

const C_LIKE: &[(&str, usize, &str, &str, &str)] = &[
    ("prefix steps", 4, "int i = 0; ", "++", "i;"),
    ("negations", 8, "bool b = ", "!", "true;"),
    ("complements", 8, "int i = ", "~", "1;"),
    ("commas", 24, "r = (a", ", a", ");"),
    ("commas of statements", 24, "r = a", ", r = a", ";"),
    ("assignments", 16, "", "r = ", "a;"),
    ("choices on the right", 24, "r = ", "a.x > 0.5 ? a : ", "a;"),
    ("choices in the middle", 24, "r = ", "a.x > 0.5 ? ", "a"),
    ("else and if", 24, "", "if (a.x > 0.5) r = a; else ", "r = a;"),
    ("else, if and blocks", 24, "", "if (a.x > 0.5) { r = a; } else ", "{ r = a; }"),
    ("if", 24, "", "if (a.x > 0.5) ", "r = a;"),
    ("for", 16, "", "for (int i = 0; i < 1; i++) ", "r = a;"),
    ("while", 16, "", "while (false) ", "r = a;"),
    ("do", 16, "", "do ", "r = a;"),
    ("an index in an index", 16, "float w[2]; w[0] = 0.0; r.x = w[0]; ", "w[int(", "0"),
    ("calls", 24, "r = ", "abs(", "a"),
];

fn glsl(declared: &str, body: &str) -> String {
    format!(
        "#version 450\n{declared}\nlayout(location = 0) in vec4 a;\nvoid main() {{ vec4 r = a; {body} gl_Position = r; }}\n"
    )
}

fn cg(declared: &str, body: &str) -> String {
    format!(
        "{declared}\nvoid main(float4 a : POSITION, out float4 o : POSITION) {{ float4 r = a; {body} o = r; }}\n"
    )
}

fn wgsl(declared: &str, body: &str) -> String {
    format!(
        "{declared}\n@vertex fn vs(@location(0) a: vec4f) -> @builtin(position) vec4f {{ var r = a; {body} return r; }}\n"
    )
}

/// What closes what `open` opened, for statements of the tables.
fn closed(what: &str, depth: usize) -> String {
    match what {
        "parentheses" | "calls" => format!("a{};", ")".repeat(depth)),
        "blocks" => format!("r = a;{}", "}".repeat(depth)),
        "choices in the middle" => format!("a{};", " : a".repeat(depth)),
        "do" => format!("r = a;{}", " while (false);".repeat(depth)),
        "an index in an index" => format!("0{};", ")]".repeat(depth)),
        _ => String::new(),
    }
}

fn statement(entry: &(&str, usize, &str, &str, &str), depth: usize) -> String {
    let (what, _, before, repeated, after) = *entry;
    let end = match closed(what, depth) {
        end if end.is_empty() => after.to_owned(),
        end => end,
    };
    format!("{before}{}{end}", repeated.repeat(depth))
}

type Wrap = fn(&str, &str) -> String;

pub fn all() -> Vec<Way> {
    let mut all = Vec::new();
    let languages: [(&str, Wrap); 3] = [("a.vert", glsl), ("a.vs.cg", cg), ("a.wgsl", wgsl)];
    for (name, wrap) in languages {
        let c_like = if name == "a.wgsl" { &[][..] } else { C_LIKE };
        for entry in SHARED.iter().chain(c_like) {
            all.push(way(name, entry.0, entry.1, move |depth| wrap("", &statement(entry, depth))));
        }
    }
    for (name, wrap) in &languages[..2] {
        all.extend(preprocessor(name, *wrap));
    }
    for (name, wrap) in languages {
        all.extend(together(name, wrap));
    }
    all.extend(of_glsl());
    all.extend(of_cg());
    all.extend(of_wgsl());
    all
}

/// Several of these inside one another: the limits hold for all together.
fn together(name: &'static str, wrap: Wrap) -> Vec<Way> {
    let branch = if name == "a.wgsl" { "if a.x > 0.5 {" } else { "if (a.x > 0.5) {" };
    let function = move |at: usize, value: &str, blocks: usize| {
        let (open, close) = ("{".repeat(blocks), "}".repeat(blocks));
        match name {
            "a.wgsl" => format!("fn g{at}(x: vec4f) -> vec4f {{ {open} return {value}; {close} }}\n"),
            "a.vert" => format!("vec4 g{at}(vec4 x) {{ {open} return {value}; {close} }}\n"),
            _ => format!("float4 g{at}(float4 x) {{ {open} return {value}; {close} }}\n"),
        }
    };
    let functions = move |depth: usize, blocks: usize, before: &str, behind: &str| -> String {
        let value = |at: usize| match at {
            0 => "x".to_owned(),
            _ => format!("{before}g{}(x){behind}", at - 1),
        };
        (0..=depth).map(|at| function(at, &value(at), blocks)).collect()
    };
    vec![
        way(name, "a sum in blocks", 16, move |depth| {
            wrap("", &around("{", &format!("r = a{};", " + a".repeat(depth)), "}", depth))
        }),
        way(name, "a sum in branches", 16, move |depth| {
            wrap("", &around(branch, &format!("r = a{};", " + a".repeat(2 * depth)), "}", depth))
        }),
        way(name, "a sum in parentheses", 16, move |depth| {
            wrap("", &format!("r = {};", around("(", "a", " + a)", depth)))
        }),
        way(name, "a sum of calls in parentheses", 16, move |depth| {
            wrap("", &format!("r = {}{};", around("abs(", "a", ")", depth), " + a".repeat(2 * depth)))
        }),
        way(name, "functions with blocks", 8, move |depth| {
            wrap(&functions(depth, 3, "", ""), &format!("r = g{depth}(a);"))
        }),
        way(name, "functions in parentheses", 4, move |depth| {
            wrap(&functions(depth, 1, "abs(-((", ")))"), &format!("r = g{depth}(a);"))
        }),
        way(name, "functions in sums", 4, move |depth| {
            wrap(&functions(depth, 0, "x - x * ", " + x + x"), &format!("r = g{depth}(a);"))
        }),
    ]
}

/// Macros and conditions, in GLSL and in Cg.
fn preprocessor(name: &'static str, wrap: Wrap) -> Vec<Way> {
    vec![
        way(name, "macros with arguments", 4, move |depth| {
            wrap("#define F(x) x+x", &format!("r = {};", around("F(", "a", ")", depth)))
        }),
        way(name, "macros with arguments, in parentheses", 16, move |depth| {
            wrap("#define F(x) (x)", &format!("r = {};", around("F(", "a", ")", depth)))
        }),
        way(name, "macros of macros", 16, move |depth| {
            wrap(&chain("#define M0 a\n", "#define M@ (M$)\n", depth, false), &format!("r = M{depth};"))
        }),
        way(name, "a continued macro", 16, move |depth| {
            wrap(&format!("#define M \\\n{}", around("(\\\n", "a", ")\\\n", depth)), "r = M;")
        }),
        way(name, "a macro that is defined again", 16, move |depth| {
            wrap(
                "",
                &format!("\n#define M {}\nr = M;\n#undef M\n#define M a\n", around("(", "a", ")", depth)),
            )
        }),
        way(name, "CR as the end of a comment", 16, move |depth| {
            wrap("", &format!("//\rr = {};\r", around("(", "a", ")", depth)))
        }),
        way(name, "parentheses of a condition", 16, move |depth| {
            wrap(&format!("#if {}\n#endif", around("(", "1", ")", depth)), "")
        }),
        way(name, "signs of a condition", 16, move |depth| {
            wrap(&format!("#if {}1\n#endif", "!".repeat(depth)), "")
        }),
        way(name, "choices of a condition", 16, move |depth| {
            wrap(&format!("#if {}1\n#endif", "1 ? 1 : ".repeat(depth)), "")
        }),
    ]
}

fn of_glsl() -> Vec<Way> {
    let name = "a.vert";
    vec![
        way(name, "elements", 16, |depth| glsl("", &format!("float w[2]; r.x = w{};", "[0]".repeat(depth)))),
        way(name, "dimensions", 4, |depth| glsl(&format!("float w{};", "[1]".repeat(depth)), "")),
        way(name, "dimensions of a type", 4, |depth| glsl(&format!("float{} w;", "[1]".repeat(depth)), "")),
        way(name, "a list in a list", 4, |depth| {
            glsl(&format!("float w = {};", around("{", "1.0", "}", depth)), "")
        }),
        way(name, "structs of structs", 8, |depth| {
            let structs = chain("struct S0 { float x; };\n", "struct S@ { S$ x; };\n", depth, false);
            glsl(&format!("{structs}S{depth} s;"), "")
        }),
        way(name, "functions", 24, |depth| {
            let functions =
                chain("vec4 f0(vec4 x) { return x; }\n", "vec4 f@(vec4 x) { return f$(x); }\n", depth, false);
            glsl(&functions, &format!("r = f{depth}(a);"))
        }),
        way(name, "constants", 24, |depth| {
            let constants = chain("const float c0 = 1.0;\n", "const float c@ = c$ + 1.0;\n", depth, false);
            glsl(&constants, &format!("r.x = c{depth};"))
        }),
        way(name, "switches", 8, |depth| {
            glsl("", &around("switch (int(a.x)) { case 1: ", "r = a;", " }", depth))
        }),
        way(name, "calls of a function", 16, |depth| {
            glsl("vec4 f(vec4 x) { return x; }", &format!("r = {};", around("f(", "a", ")", depth)))
        }),
    ]
}

fn of_cg() -> Vec<Way> {
    let name = "a.vs.cg";
    vec![
        way(name, "dimensions", 4, |depth| cg("", &format!("float b{};", "[1]".repeat(depth)))),
        way(name, "dimensions of a global", 4, |depth| {
            cg(&format!("static float b{};", "[1]".repeat(depth)), "")
        }),
        way(name, "types of types", 4, |depth| {
            let types = chain("typedef float T0[1];\n", "typedef T$ T@[1];\n", depth, false);
            cg(&format!("{types}static T{depth} b;"), "")
        }),
        way(name, "types of types in a block", 4, |depth| {
            let types = chain("typedef float T0[1];\n", "typedef T$ T@[1];\n", depth, false);
            cg("", &format!("{types}T{depth} b;"))
        }),
        way(name, "structs of structs", 8, |depth| {
            let structs =
                chain("struct S0 { float x; };\n", "struct S@ { S$ x; };\nstatic S@ s@;\n", depth, false);
            cg(&structs, "")
        }),
        way(name, "functions", 24, |depth| {
            let functions = chain(
                "float4 f0(float4 x) { return x; }\n",
                "float4 f@(float4 x) { return f$(x); }\n",
                depth,
                false,
            );
            cg(&functions, &format!("r = f{depth}(a);"))
        }),
        way(name, "functions, each called before", 24, |depth| {
            let functions = chain(
                "float4 f0(float4 x) { return x; }\n",
                "float4 f@(float4 x) { return f$(x); }\n",
                depth,
                false,
            );
            let calls: String = (0..=depth).map(|at| format!("r = f{at}(a); ")).collect();
            cg(&functions, &calls)
        }),
        way(name, "structs in structs", 16, |depth| cg(&around("struct {", "float x;", "} y;", depth), "")),
        way(name, "casts", 16, |depth| cg("", &format!("r = {}a;", "(float4)".repeat(depth)))),
        way(name, "lists in lists", 4, |depth| {
            cg("", &format!("float x = {};", around("{", "1", "}", depth)))
        }),
    ]
}

fn of_wgsl() -> Vec<Way> {
    let name = "a.wgsl";
    vec![
        way(name, "calls", 16, |depth| wgsl("", &format!("r = {};", around("abs(", "a", ")", depth)))),
        way(name, "constructors", 16, |depth| {
            wgsl("", &format!("r = {};", around("vec4<f32>(", "a", ")", depth)))
        }),
        way(name, "negations", 8, |depth| wgsl("", &format!("let b = {}true;", "!".repeat(depth)))),
        way(name, "pointers of addresses", 4, |depth| wgsl("", &format!("r = {}r;", "*&".repeat(depth)))),
        way(name, "if", 16, |depth| wgsl("", &around("if a.x > 0.5 {", "r = a;", "}", depth))),
        way(name, "else and if", 16, |depth| {
            wgsl("", &format!("{}{{ r = a; }}", "if a.x > 0.5 { r = a * 2.0; } else ".repeat(depth)))
        }),
        way(name, "loops", 16, |depth| wgsl("", &around("loop { ", "r = a;", " break; }", depth))),
        way(name, "for", 16, |depth| {
            wgsl("", &around("for (var i = 0; i < 1; i++) { ", "r = a;", " }", depth))
        }),
        way(name, "while", 16, |depth| wgsl("", &around("while false { ", "r = a;", " }", depth))),
        way(name, "switches", 8, |depth| {
            wgsl("", &around("switch i32(a.x) { default: { ", "r = a;", " } }", depth))
        }),
        way(name, "cases", 24, |depth| {
            let cases = chain("case 0: { r = a; } ", "case @: { r = a * @.0; } ", depth, false);
            wgsl("", &format!("switch i32(a.x) {{ {cases} default: {{ }} }}"))
        }),
        way(name, "arrays of arrays", 4, |depth| {
            wgsl(&format!("var<private> w: {};", around("array<", "f32", ", 1>", depth)), "")
        }),
        way(name, "lists of unknown types", 4, |depth| {
            wgsl(&format!("var<private> w: {};", around("x<", "f32", ">", depth)), "")
        }),
        way(name, "lists in expressions", 4, |depth| {
            wgsl("", &format!("r = {}(a);", around("vec4<", "f32", ">", depth)))
        }),
        way(name, "structs of structs", 8, |depth| {
            let structs = chain("struct S0 { x: f32 }\n", "struct S@ { x: S$ }\n", depth, false);
            wgsl(&format!("{structs}var<private> s: S{depth};"), "")
        }),
        way(name, "structs of structs, from the last one on", 8, |depth| {
            let structs = chain("struct S0 { x: f32 }\n", "struct S@ { x: S$ }\n", depth, true);
            wgsl(&format!("{structs}var<private> s: S{depth};"), "")
        }),
        way(name, "aliases", 24, |depth| {
            let aliases = chain("alias A0 = f32;\n", "alias A@ = A$;\n", depth, true);
            wgsl(&format!("{aliases}var<private> s: A{depth};"), "")
        }),
        way(name, "constants", 24, |depth| {
            let constants = chain("const c0 = 1.0;\n", "const c@ = c$ + 1.0;\n", depth, false);
            wgsl(&constants, &format!("r.x = c{depth};"))
        }),
        way(name, "constants, from the last one on", 24, |depth| {
            let constants = chain("const c0 = 1.0;\n", "const c@ = c$ + 1.0;\n", depth, true);
            wgsl(&constants, &format!("r.x = c{depth};"))
        }),
        way(name, "functions", 24, |depth| {
            let functions = chain(
                "fn g0(x: vec4f) -> vec4f { return x; }\n",
                "fn g@(x: vec4f) -> vec4f { return g$(x); }\n",
                depth,
                false,
            );
            wgsl(&functions, &format!("r = g{depth}(a);"))
        }),
        way(name, "functions, from the last one on", 24, |depth| {
            let functions = chain(
                "fn g0(x: vec4f) -> vec4f { return x; }\n",
                "fn g@(x: vec4f) -> vec4f { return g$(x); }\n",
                depth,
                true,
            );
            wgsl(&functions, &format!("r = g{depth}(a);"))
        }),
        way(name, "attributes", 4, |depth| {
            wgsl(&format!("@workgroup_size({}) fn x() {{}}", around("(", "1", ")", depth)), "")
        }),
        way(name, "indices in indices", 16, |depth| {
            wgsl("var<private> w: array<i32, 2>;", &format!("r.x = f32({});", around("w[", "0", "]", depth)))
        }),
    ]
}
