//! What GLSL has and naga does not read as it is meant.

use super::{A, B, U, run, shader};
use gpuzoo_compile::shader::sample;
use gpuzoo_ir::Inst;
use gpuzoo_machine::conventions::Sampling;

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
    for (before, behind) in [
        ("", "vec4 g = u.k[0];"),
        ("struct S { vec4 v; } g = S(u.k[0]);", ""),
        ("#define DECLARED vec4 g = u.k[0]\nDECLARED;", ""),
    ] {
        let text = format!(
            "{HEAD}vec4 f();\n{before}\nvoid main() {{ gl_Position = f(); }}\n{behind}\nvec4 f() {{ return u.k[1]; }}\n"
        );
        let problem = shader("a.vert", &text).unwrap_err().remove(0);
        assert_eq!(problem.code.id, "K0001");
        assert!(problem.message.contains("the initial value of `g`"), "{before}{behind}: {problem:#?}");
    }
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
    for level in ["1.0", "uv.x", "0.0 / 0.0"] {
        let problem = shader("a.frag", &text(level)).unwrap_err().remove(0);
        assert_eq!(problem.code.id, "K0103");
        assert!(problem.help[0].starts_with("read level 0"), "{problem:#?}");
    }
}
