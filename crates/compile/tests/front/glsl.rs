//! What GLSL has and naga does not read as it is meant.

use super::{A, B, U, run, shader};
use gpuzoo_compile::front::{Language, Reading, read};
use gpuzoo_compile::shader::{Variable, sample};
use gpuzoo_diag::Sources;
use gpuzoo_ir::Inst;
use gpuzoo_isa::Stage;
use gpuzoo_machine::target::conventions::{Port, Sampling};

const HEAD: &str =
    "#version 450\nlayout(location = 0) in vec4 a;\nlayout(binding = 0) uniform Block { vec4 k[8]; } u;\n";

#[test]
fn global_variables_have_their_initial_values() {
    let text = format!(
        "{HEAD}float half_of(float x) {{ return x * 0.5; }}\n\
         #ifdef OTHER\nvec4 first = u.k[1];\n#else\nvec4 first = u.k[0];\n#endif\n\
         float h = 0.25, n, k = half_of(h) + a.x;\n\
         vec4 sum[2] = vec4[2](first, first * k);\n\
         void main() {{ gl_Position = sum[0] + sum[1] * h; }}\n"
    );
    let k = 0.125 + A[0];
    assert_eq!(run("a.vert", &text, &[A], &U), U[0].map(|first| first + first * k * 0.25));
    let problems = shader("a.vert", &text.replace("half_of(h)", "nothing(h)")).unwrap_err();
    let at = problems[0].labels[0].span.range();
    assert!(text[at].starts_with("half_of"), "{problems:#?}");
}

/// Of several functions called `main` the preprocessor leaves one.
#[test]
fn each_main_sets_initial_values() {
    let text = format!(
        "{HEAD}vec4 first = u.k[0];\n#ifdef OTHER\nvoid main() {{ gl_Position = a; }}\n#else\n\
         void main() {{ gl_Position = first; }}\n#endif\n"
    );
    assert_eq!(run("a.vert", &text, &[A], &U), U[0]);
    let text = text.replace("#ifdef", "#ifndef");
    assert_eq!(run("a.vert", &text, &[A], &U), A);
}

/// They would be 0.
#[test]
fn initial_values_that_are_not_read_are_refused() {
    for (before, behind) in [("", "vec4 g = u.k[0];"), ("struct S { vec4 v; } g = S(u.k[0]);", "")] {
        let text = format!(
            "{HEAD}vec4 f();\n{before}\nvoid main() {{ gl_Position = f(); }}\n{behind}\nvec4 f() {{ return u.k[1]; }}\n"
        );
        let problem = shader("a.vert", &text).unwrap_err().remove(0);
        assert_eq!(problem.code.id, "K0001");
        assert!(problem.message.contains("the initial value of `g`"), "{before}{behind}: {problem:#?}");
    }
    // What a macro declares is a declaration.
    let text =
        format!("{HEAD}#define DECLARED vec4 g = u.k[0]\nDECLARED;\nvoid main() {{ gl_Position = g; }}\n");
    assert_eq!(run("a.vert", &text, &[A], &U), U[0]);
}

#[test]
fn the_position_may_be_declared_again() {
    let text = "#version 450\nlayout(location = 0) in vec4 a;\nlayout(location = 1) in vec4 b;\nlayout(location = 0) out vec4 c;\n\
        out gl_PerVertex {\n  vec4 gl_Position;\n  float gl_ClipDistance[];\n};\nvoid main() { gl_Position = a; c = b; }\n";
    let (shader, warnings) = shader("a.vert", text).unwrap();
    assert_eq!((shader.outputs.len(), warnings.len()), (2, 0));
    // The outputs with locations come first.
    assert_eq!(
        run("a.vert", &text.replace("c = b", "c = a + b"), &[A, B], &U),
        std::array::from_fn(|at| A[at] + B[at])
    );
}

/// What no machine has may be declared: writers of SPIR-V list it in every module.
#[test]
fn inputs_that_are_not_there_may_be_left_unread() {
    let text = "@vertex fn vs(@builtin(vertex_index) i: u32, @location(0) a: vec4f) -> @builtin(position) vec4f { return a; }";
    let (read, warnings) = shader("a.wgsl", text).unwrap();
    assert_eq!(read.inputs.len(), 1);
    assert_eq!(
        (warnings[0].code.id, &*warnings[0].message),
        ("K0112", "nothing is computed from the input `i`")
    );
    let problems = shader("a.wgsl", &text.replace("return a", "return a * f32(i)")).unwrap_err();
    assert_eq!(problems[0].code.id, "K0110");
}

/// The place of what a macro of ours stands for may lie anywhere in the file.
#[test]
fn places_within_characters_are_of_the_whole() {
    let bars = "—".repeat(16);
    for blanks in 0..40 {
        let text = format!(
            "#version 450\n//{}{bars}\nlayout(binding = 0) uniform sampler2D t;\nlayout(location = 0) out vec4 o;\n\
             void main() {{ o = texture(t, vec2(dFdx(o.x))); }}\n",
            " ".repeat(blanks)
        );
        let problems = shader("a.frag", &text).unwrap_err();
        assert_eq!(problems[0].code.id, "K0103");
    }
}

/// Level 0 with a filter is read with the least that can be added to a level; other levels are refused.
#[test]
fn the_largest_level_of_a_texture() {
    let text = |level: &str| {
        format!(
            "#version 450\nlayout(location = 0) in vec2 uv;\nlayout(binding = 0) uniform sampler2D t;\n\
             layout(location = 0) out vec4 o;\nvoid main() {{ o = textureLod(t, uv, {level}); }}\n"
        )
    };
    for level in ["0.0", "-2.0", "1.0 - float(t_level)"] {
        let text = text(level).replace("void", "const int t_level = 1;\nvoid");
        let (shader, _) = shader("a.frag", &text).unwrap_or_else(|problems| panic!("{problems:#?}"));
        let insts = &shader.function.insts;
        let read = insts.iter().find_map(|inst| match inst {
            Inst::Sample(number, at) if *number == sample(Sampling::Biased, 0) => Some(*at),
            _ => None,
        });
        let at = insts[read.unwrap().index()];
        let Inst::Shuffle([_, other], ..) = at else { panic!("{at:?}") };
        assert_eq!(insts[other.index()], Inst::Const([0, 0, 0, f32::NEG_INFINITY.to_bits()]), "{level}");
        let built = gpuzoo_compile::build(&gpuzoo_servaru::GPU, &shader, &Default::default()).unwrap();
        assert_eq!(built.program.slots.len(), 2);
    }
    for level in ["1.0", "uv.x"] {
        let problem = shader("a.frag", &text(level)).unwrap_err().remove(0);
        assert_eq!(problem.code.id, "K0103");
        assert!(problem.help[0].starts_with("read level 0"), "{problem:#?}");
    }
}

const FRAGMENT: &str = "#version 450\nlayout(location = 0) in vec2 uv;\nlayout(location = 0) out vec4 o;\n\
    layout(binding = 0) uniform sampler2D t;\nlayout(binding = 1) uniform sampler2D other;\n";

/// A texture with its sampler is an argument: of functions in functions, beside a global one of the same name, and by a macro.
#[test]
fn textures_are_arguments() {
    let text = |functions: &str, read: &str| format!("{FRAGMENT}{functions}void main() {{ o = {read}; }}\n");
    let functions = "vec4 once(sampler2D, vec2 uv);\n#define READ(c) texture(s, c)\n\
        vec4 once(in sampler2D other, const in highp vec2 uv) { return texture(other, uv); }\n\
        vec4 twice(sampler2D s, vec2 uv) { return READ(uv) + once(s, uv.yx); }\n";
    let read =
        |text: &str| shader("a.frag", text).unwrap_or_else(|problems| panic!("{problems:#?}")).0.function;
    let found = read(&text(functions, "twice(t, uv) + texture(other, uv)"));
    let expected = read(&text("", "texture(t, uv) + texture(t, uv.yx) + texture(other, uv)"));
    assert_eq!(found.insts, expected.insts);
    let problem = shader("a.frag", &text("vec4 f(sampler2D s[2]) { return vec4(0.0); }", "vec4(0.0)"))
        .unwrap_err()
        .remove(0);
    assert!(problem.help[0].contains("not as an array"), "{problem:#?}");
}

/// Members of blocks are inputs and outputs of their own, each at its location.
#[test]
fn blocks_of_inputs_and_outputs() {
    let text = "#version 450\nlayout(location = 1) in In { vec4 a; mediump vec4 b; } from;\n\
        layout(location = 0) out Out { vec3 n; flat uint kind; layout(location = 5) vec2 uv; } to;\n\
        void main() { gl_Position = from.a + from.b; to.n = from.b.xyz; to.uv = from.a.xy; to.kind = 2u; }\n";
    let (read, _) = shader("a.vert", text).unwrap_or_else(|problems| panic!("{problems:#?}"));
    let ports = |all: &[Variable]| all.iter().map(|own| (own.port, own.name.clone())).collect::<Vec<_>>();
    let location = |number, name: &str| (Port::Location(number), name.to_owned());
    assert_eq!(ports(&read.inputs), [location(1, "from_a"), location(2, "from_b")]);
    let outputs = [location(0, "to_n"), location(1, "to_kind"), location(5, "to_uv")];
    assert_eq!(ports(&read.outputs)[..3], outputs);
    let problem = shader("a.vert", &text.replace("vec4 a;", "mat4 a;").replace("from.a", "from.a[0]"))
        .unwrap_err()
        .remove(0);
    assert_eq!(problem.message, "an input or output is neither a number nor a vector");
}

#[test]
fn functions_behind_their_callers_are_refused() {
    let text = "#version 450\nlayout(location = 0) in vec4 a;\nvec4 f();\nvec4 g() { return a; }\nvec4 f() { return g(); }\n\
        void main() { gl_Position = f(); }\n";
    let problem = shader("a.vert", text).unwrap_err().remove(0);
    assert_eq!(problem.message, "a function is declared before another one that it calls");
}

#[test]
fn matrices_are_inputs() {
    let text = "#version 450\nlayout(location = 0) in mat4x2 m;\nlayout(location = 4) in vec4 v;\n\
        void main() { gl_Position = vec4(m * v, 0.0, 1.0); }\n";
    let columns = [[1.0, 2.0, 0.0, 1.0], [3.0, 4.0, 0.0, 1.0], [5.0, 6.0, 0.0, 1.0], [7.0, 8.0, 0.0, 1.0]];
    let [a, b, c, d] = columns;
    assert_eq!(
        run("a.vert", text, &[a, b, c, d, [1.0, 10.0, 100.0, 1000.0]], &[]),
        [7531.0, 8642.0, 0.0, 1.0]
    );
}

#[test]
fn whole_and_broken_parts() {
    let text = "#version 450\nlayout(location = 0) in vec4 a;\n#ifdef OTHER\nvec2 other(vec2 x) { vec2 n; return modf(x, n); }\n#endif\n\
        vec4 parts(vec4 x) { vec4 n; vec2 m; float k; vec4 f = modf(x, n); return n + f * 10.0 + modf(x.xy, m).xyxy * 0.0; }\n\
        void main() { gl_Position = parts(a); }\n";
    assert_eq!(run("a.vert", text, &[[1.5, -2.25, 3.0, -0.5]], &[]), [6.0, -4.5, 3.0, -5.0]);
    let own = text
        .replace("vec4 parts", "float modf(vec4 x, out vec4 n) { n = x; return 0.0; }\nvec4 parts")
        .replace("vec4 f = modf(x, n)", "float f = modf(x, n)");
    let own = own.replace(" + modf(x.xy, m).xyxy * 0.0", "");
    assert_eq!(run("a.vert", &own, &[A], &[]), A);
}

/// A member of a block lies where it says, in the numbers of registers.
#[test]
fn offsets_of_members() {
    let text = |block: &str| {
        format!(
            "#version 450\nlayout(push_constant) uniform Push {{ {block} }} p;\nvoid main() {{ gl_Position = vec4(p.a, p.b, p.c.x, p.c.y); }}\n"
        )
    };
    let read = |block: &str| shader("a.vert", &text(block));
    let said = "layout(offset = 12) highp float a; layout(offset = 16) float b; layout(offset = 32) vec2 c;";
    let uniforms = [[0.0, 0.0, 0.0, 1.0], [2.0, 0.0, 0.0, 0.0], [3.0, 4.0, 0.0, 0.0]];
    assert_eq!(run("a.vert", &text(said), &[], &uniforms), [1.0, 2.0, 3.0, 4.0]);
    // Behind a member that is moved by whole registers, others follow.
    let uniforms = [[0.0; 4], [1.0, 2.0, 3.0, 4.0]];
    assert_eq!(
        run("a.vert", &text("layout(offset = 16) float a; float b; vec2 c;"), &[], &uniforms),
        [1.0, 2.0, 3.0, 4.0]
    );
    for (block, message) in [
        (
            "layout(offset = 4) float a; float b; vec2 c;",
            "`b` does not say its offset behind a member that does",
        ),
        ("float a; layout(offset = 0) float b; vec2 c;", "`b` would begin at a byte that another member has"),
    ] {
        let problem = read(block).unwrap_err().remove(0);
        assert!(problem.code.id == "K0001" && problem.message.starts_with(message), "{problem:#?}");
    }
}

#[test]
fn arrays_have_the_sizes_of_their_values() {
    let text = "#version 450\nlayout(location = 0) in vec4 a;\nvoid main() {\n\
        const float w[] = float[](0.5, max(1.0, 2.0));\nvec2[] v = vec2[](a.xy, a.zw);\n\
        gl_Position = vec4(v[0] * w[0], v[1] * w[1]) + global[1]; }\n";
    let text = text.replace("void main", "vec4 global[] = vec4[](a, a.wzyx);\nvoid main");
    assert_eq!(run("a.vert", &text, &[[1.0, 2.0, 3.0, 4.0]], &[]), [4.5, 4.0, 8.0, 9.0]);
}

/// naga's reader stops at the size of such an array as at a fault of its own. Found by the fuzzer.
#[test]
fn a_reader_that_fails_is_a_message() {
    for text in ["vec4,samplemg3[4[4])5", "#version 450\nfloat a[4[4]];\nvoid main() {}\n"] {
        let problems = shader("a.vert", text).unwrap_err();
        assert_eq!(problems[0].code.id, "K0001", "{problems:#?}");
    }
}

/// GLSL 4.50, 3.3: macros of the language, lines that do nothing, groups that are skipped, conditions with macros and `%`. The value is
/// 3 times the input if all are as they should be.
#[test]
fn the_preprocessor_is_that_of_glsl() {
    let text = "#version 450\n#\n#pragma note \"some/file\"\n#define MESSAGE \"text\"\n#line 12 \"file.glsl\"\n\
        #if 0\nit's not read: \"text\", @, `\n#endif\n#extension GL_OES_something : enable\n\
        #define TWICE(x) ((x) + (x))\n#if TWICE(1) % 3 == 2 && __VERSION__ >= 330 && defined GL_core_profile && VULKAN == 100\n\
        #define GAIN 3.0\n#elif __VERSION__ < 130\n#define GAIN 2.0\n#else\n#define GAIN 1.0\n#endif\n\
        layout(location = 0) in vec4 a;\nvoid main() { gl_Position = a * GAIN; }\n";
    assert_eq!(run("a.vert", text, &[[1.0, 2.0, 3.0, 5.0]], &[]), [3.0, 6.0, 9.0, 15.0]);
    // The number of the line, and of the line behind `#line 12`; the number of the source.
    let text = "#version 450\nlayout(location = 0) in vec4 a;\nvoid main() { gl_Position = vec4(__LINE__,\n\
        #line 12 7\n__LINE__, __FILE__, __VERSION__); }\n";
    assert_eq!(run("a.vert", text, &[[0.0; 4]], &[]), [3.0, 12.0, 7.0, 450.0]);
    // Ends of lines, also those of comments, and a backslash before them.
    for end in ["\r", "\r\n", "\n"] {
        let text = "#version 450\n// a\n#define TWO 1.0 + \\\n 1.0 // b\nlayout(location = 0) in vec4 a;\nvoid main() { // c (\n\
                    gl_Position = a + TWO; }\n";
        assert_eq!(run("a.vert", &text.replace('\n', end), &[[1.0; 4]], &[]), [3.0; 4], "{end:?}");
    }
}

/// Each with its code; the place is that of the source.
#[test]
fn lines_of_the_preprocessor_that_are_wrong_are_reported() {
    let main = "void main() { gl_Position = vec4(0.0); }\n";
    for (lines, code, place) in [
        ("#version 450\n#error no lights\n", "K0203", "#error no lights"),
        ("#version 450\n#if 1 +\n#endif\n", "K0201", "#if 1 +"),
        ("#version 450\n#wat\n", "K0201", "wat"),
        ("#define A\n#version 450\n", "K0201", "#version 450"),
        ("#version 450\n#line\n", "K0201", "#line"),
        ("#version 450\n#define __VERSION__ 100\n", "K0201", "__VERSION__"),
        ("#version 450\n#undef GL_core_profile\n", "K0201", "GL_core_profile"),
        ("#version 450\n#if 1\n", "K0201", "#if 1"),
        ("#version 450\nfloat a = 1.0 # 2.0;\n", "K0205", "#"),
        ("#version 450\nfloat a = \"text\";\n", "K0205", "\"text\""),
        ("#version 450\n#define F(x) x\nfloat a = F(1.0;\n", "K0201", "("),
    ] {
        let text = format!("{lines}{main}");
        let problem = shader("a.vert", &text).unwrap_err().remove(0);
        assert_eq!((problem.code.id, &text[problem.labels[0].span.range()]), (code, place), "{problem:#?}");
    }
    let mut sources = Sources::default();
    let text = format!("#version 450\n{main}");
    let file = sources.add("a.vert", &text);
    let defines = ["X\n#version 450"];
    let reading = Reading { stage: Some(Stage::Vertex), defines: &defines, ..Reading::of(Language::Glsl) };
    let problems = read(&mut sources, file, text.as_bytes(), &reading).unwrap_err();
    assert_eq!(problems[0].code.id, "K0201");
}

/// What a macro stands for is where the macro is used, and what is behind it where it was.
#[test]
fn places_behind_macros_are_those_of_the_source() {
    let text = "#version 450\n#define BAD missing\nvoid main() {\n  /* a */ float x = BAD;\n  float y = missing; }\n";
    for (text, place) in [(text.to_owned(), "BAD"), (text.replace("= BAD", "= 1.0"), "missing")] {
        let problem = shader("a.vert", &text).unwrap_err().remove(0);
        let range = problem.labels[0].span.range();
        assert_eq!(
            (&text[range.clone()], text[..range.start].ends_with("= ")),
            (place, true),
            "{problem:#?}"
        );
    }
}

/// What GLSL has and naga does not read is said in words of GLSL.
#[test]
fn messages_speak_of_the_source() {
    let fragment = |declared: &str, body: &str| {
        format!("#version 450\nlayout(location = 0) out vec4 o;\n{declared}\nvoid main() {{ {body} }}\n")
    };
    let cases = [
        (
            "K0111",
            fragment("layout(binding = 0) uniform samplerCube sky;", ""),
            "no machine has textures or images of the kind `samplerCube`",
        ),
        ("K0001", fragment("", "float f = 1.0; o = f.xxxx;"), "numbers, matrices and arrays have no `.xxxx`"),
        (
            "K0001",
            fragment("layout(binding = 0) uniform B { mat2 m; };", ""),
            "a matrix of 2 columns with two numbers each is not read in uniforms",
        ),
        (
            "K0001",
            fragment("layout(constant_id = 0) const int n = 4;", "float a[n]; o = vec4(0.0);"),
            "a specialization constant cannot be the size of an array, or decide a `case`",
        ),
        ("K0001", fragment("", "o = vec4(0.0)"), "`}` is not expected here, but `;`"),
        (
            "K0001",
            fragment("layout(binding = 0) uniform texture2D all[4];", "o = vec4(0.0);"),
            "there are no arrays of textures, nor of arrays without a size",
        ),
        (
            "K0001",
            fragment("uniform vec4 k;", "o = k;"),
            "a uniform is in no block, or its block says no binding",
        ),
        ("K0001", fragment("", "o = missing;"), "there is no variable `missing`"),
        ("K0202", fragment("#include \"a.h\"", ""), "nothing is included in GLSL"),
        ("K0001", fragment("", "o = vec4(--2.0);"), "this is not a variable, and cannot be written"),
        (
            "K0001",
            fragment("struct S { float x; };", "S s; S t; o = vec4(s == t);"),
            "the operator does not work with these types",
        ),
        (
            "K0001",
            fragment("layout(location = 0) in vec4 a; layout(location = 0) in vec4 b;", "o = a + b;"),
            "two inputs, or two outputs, are at location 0",
        ),
    ];
    for (code, text, message) in cases {
        let problem = shader("a.frag", &text).unwrap_err().remove(0);
        assert_eq!((problem.code.id, problem.message.as_str()), (code, message));
        assert!(!problem.labels.is_empty(), "{problem:#?}");
    }
}

#[test]
fn outputs_that_are_no_vectors_are_where_they_are_declared() {
    let text = "#version 450\nlayout(location = 0) in vec4 a;\nlayout(location = 0) out mat2 turned;\n\
        void main() { gl_Position = a; turned = mat2(a.xy, a.zw); }\n";
    let problem = shader("a.vert", text).unwrap_err().remove(0);
    assert_eq!(&text[problem.labels[0].span.range()], "turned", "{problem:#?}");
}

/// One warning for all members of a block that are not read.
#[test]
fn members_that_are_not_read_are_one_warning() {
    let text = "#version 450\nlayout(binding = 0) uniform A { vec4 k; vec4 l; vec4 m; };\n\
        layout(binding = 1) uniform B { vec4 p, q, r, s, t, u; } b;\nlayout(binding = 2) uniform C { vec4 x; vec4 y; };\n\
        void main() { gl_Position = k + b.p; }\n";
    let (_, warnings) = shader("a.vert", text).unwrap();
    let messages: Vec<_> = warnings.iter().map(|warning| warning.message.as_str()).collect();
    let expected = [
        "nothing is computed from the uniforms `x` and `y`",
        "nothing is computed from the uniforms `l` and `m`",
        "nothing is computed from the uniforms `b.q`, `b.r`, `b.s`, `b.t` and 1 more",
    ];
    assert_eq!(messages, expected);
}
