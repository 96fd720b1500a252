//! What is said of programs: why one does not fit, where slots come from, where variables are.

use super::{compare, printed, raw, shader};
use gpuzoo_compile::front::{Language, Reading, read};
use gpuzoo_compile::options::{CompileOptions, Level, Options};
use gpuzoo_compile::select::paired::build;
use gpuzoo_compile::shader::{Origin, Shader, Variable};
use gpuzoo_diag::{Diagnostic, File, Sources, Span};
use gpuzoo_ir::text;
use gpuzoo_isa::{Mask, Reg, Stage};
use gpuzoo_machine::target::conventions::Port;
use gpuzoo_machine::unit::PositionSpace;
use gpuzoo_nv2a::GPU;

/// A shader whose function is an IR text, with inputs of all locations that it reads and a position.
fn function(text: &str) -> Shader {
    let (function, problems) = text::parse(&File::new("t.ir", text));
    assert!(problems.is_empty(), "{problems:#?}");
    let variable =
        |port, name: &str| Variable { port, name: name.into(), mask: Mask::ALL, span: Span::default() };
    let inputs = (0..function.input_count() as u16).map(|input| variable(Port::Location(input), "input"));
    let outputs = vec![variable(Port::Position, "position")];
    Shader { inputs: inputs.collect(), outputs, function, ..Shader::default() }
}

fn problem_of(shader: &Shader, options: &Options) -> Diagnostic {
    build(&GPU, shader, options).map(|built| printed(&built)).unwrap_err().remove(0)
}

/// The one problem of a WGSL text, by its code and message.
fn refused(text: &str) -> (&'static str, Diagnostic) {
    let problem = problem_of(&shader(text), &Options::default());
    (problem.code.id, problem)
}

#[test]
fn fragments_have_no_programs() {
    let shader = Shader { stage: Stage::Fragment, ..function("v0 = input 0\noutput 0 = v0\n") };
    assert_eq!(problem_of(&shader, &Options::default()).code.id, "K0301");
    let shader = function("v0 = input 0\noutput 0 = v0\n");
    let problems = build(&gpuzoo_dreambox::GPU, &shader, &Options::default()).unwrap_err();
    assert_eq!(problems[0].code.id, "K0301");
}

#[test]
fn ports_that_are_not_there_are_named() {
    let text = "struct O { @builtin(position) p: vec4f, @location(9) far: vec4f }\n\
        @vertex fn vs(@location(0) p: vec4f) -> O { var o: O; o.p = p; o.far = p; return o; }";
    let (code, problem) = refused(text);
    assert_eq!((code, problem.message.as_str()), ("K0302", "`far` has no register: there is no such output"));
    assert!(problem.help[0].contains("8 (oB1)"), "{problem:#?}");
    let (code, _) =
        refused("@vertex fn vs(@location(16) p: vec4f) -> @builtin(position) vec4f { return p; }");
    assert_eq!(code, "K0302");
    // Another register is as good.
    let text = text.replace("9", "1");
    let outputs = vec![(Port::Location(1), Reg { file: 3, index: 12 })];
    let built = build(
        &GPU,
        &shader(&text),
        &Options { outputs, position: PositionSpace::Clip, ..Options::default() },
    )
    .unwrap();
    assert!(printed(&built).contains("oT3"), "{}", printed(&built));
    // But not that of another output.
    let misplaced = |outputs: Vec<(Port, Reg)>| {
        let options = Options { outputs, ..Options::default() };
        gpuzoo_compile::build(&GPU, &shader(&text), &options).unwrap_err().remove(0)
    };
    let problem = misplaced(vec![(Port::Location(1), Reg { file: 3, index: 0 })]);
    assert_eq!(problem.message, "`far` has the register of another output");
    assert_eq!(
        problem.help[0],
        "both it and `p` would be oPos; `--bind-output` gives an output another register"
    );
    // Nor may the position be missing where the machine looks for it.
    let problem = misplaced(vec![(Port::Position, Reg { file: 3, index: 12 })]);
    assert_eq!(problem.message, "nothing is written to oPos, where the machine looks for the position");
}

/// The fog register takes the first component that is written alone.
#[test]
fn vectors_for_one_component_are_refused() {
    let text = |kind: &str, value: &str| {
        format!(
            "struct O {{ @builtin(position) p: vec4f, @location(6) fog: {kind} }}\n\
             @vertex fn vs(@location(0) p: vec4f) -> O {{ return O(p, {value}); }}"
        )
    };
    let (code, problem) = refused(&text("vec4f", "p"));
    assert_eq!((code, &*problem.message), ("K0302", "`fog` has 4 components, and oFog takes one"));
    assert!(build(&GPU, &shader(&text("f32", "p.y")), &Options::default()).is_ok());
}

#[test]
fn operations_that_are_not_there_are_refused() {
    for text in [
        "v0 = input 0\nv1 = ixor v0, v0\noutput 0 = v1\n",
        "v0 = input 0\nv1 = sample 0, v0\noutput 0 = v1\n",
        "v0 = input 0\nv1 = kill v0\noutput 0 = v1\n",
        "v0 = input 0\nv1 = fadd_trunc v0, v0\noutput 0 = v1\n",
        "v0 = input 0\nv1 = itrunc v0\nv2 = uniform[v1.x - 200 < 10]\noutput 0 = v2\n",
    ] {
        assert_eq!(problem_of(&function(text), &Options::default()).code.id, "K0303", "{text}");
    }
}

#[test]
fn a_program_that_is_too_long_says_what_costs_most() {
    let mut body = String::new();
    for turn in 0..14 {
        body += &format!("x = vec4f(normalize(x.xyz * {turn}.5), x.w) + sin(x.wzyx);\n");
    }
    let text = format!(
        "@vertex fn vs(@location(0) p: vec4f) -> @builtin(position) vec4f {{ var x = p;\n{body} return x; }}"
    );
    let (code, problem) = refused(&text);
    assert_eq!(code, "K0304");
    assert!(problem.message.ends_with("too many"), "{problem:#?}");
    assert!(problem.labels[0].text.ends_with("slots") && problem.labels.len() == 5, "{problem:#?}");
}

#[test]
fn numbers_that_are_needed_at_once_are_counted() {
    // Sixty-four products of one vertex, all needed by the last line.
    let mut text = String::from("v0 = input 0\nv1 = input 1\n");
    for at in 0..16 {
        let before = at + 1;
        text += &format!("v{} = fmul v0, v{before}\n", at + 2);
    }
    // Each is read with all others, last first, so that none can go early.
    let mut sum = 17;
    for at in (2..18).rev() {
        text += &format!("v{} = dot4 v{sum}, v{at}\n", sum + 1);
        text += &format!("v{} = fadd v{}, v{at}.\n", sum + 2, sum + 1).replace(".\n", "\n");
        sum += 2;
    }
    text += &format!("output 0 = v{sum}\n");
    let problem = problem_of(&function(&text), &Options::default());
    assert_eq!(problem.code.id, "K0305");
    assert!(problem.labels[0].text.ends_with("components are alive here"), "{problem:#?}");
}

#[test]
fn constants_that_do_not_fit_are_counted() {
    let text = "@group(0) @binding(0) var<uniform> u: array<vec4f, 100>;\n\
        @vertex fn vs(@location(0) p: vec4f) -> @builtin(position) vec4f { return p * u[99] + 0.25; }";
    let (code, problem) = refused(text);
    assert_eq!((code, problem.message.as_str()), ("K0306", "4 more constants are needed than there are"));
    let options = Options {
        compile: CompileOptions { constants_at: Some(0), ..CompileOptions::default() },
        position: PositionSpace::Clip,
        ..Options::default()
    };
    assert!(build(&GPU, &shader(text), &options).is_ok());
    let options = Options {
        compile: CompileOptions { constants_at: Some(20), ..CompileOptions::default() },
        ..Options::default()
    };
    let message = problem_of(&shader(text), &options).message;
    assert_eq!(message, "c58 leads to the screen, and uniforms would take it");
    // A number of the source takes one, too.
    let exact = text.replace("100", "96").replace("99", "95");
    assert_eq!(refused(&exact).1.message, "1 more constants are needed than there are");
}

/// A position in clip space goes to the screen, and keeps its w.
#[test]
fn clip_space_goes_to_the_screen() {
    let text = "@group(0) @binding(0) var<uniform> m: mat4x4f;\n\
        @vertex fn vs(@location(0) p: vec4f) -> @builtin(position) vec4f { return p * m; }";
    let shader = shader(text);
    assert!(shader.clip_space);
    let built = build(&GPU, &shader, &Options::default()).unwrap();
    assert_eq!(built.program.slots.len(), 6, "{}", printed(&built));
    assert!(printed(&built).contains("c[58]") && printed(&built).contains("c[59]"));
    assert_eq!(raw(&shader, Level::Usual).program.slots.len(), 4);
}

#[test]
fn lines_and_homes_follow_variables() {
    let text = "@group(0) @binding(0) var<uniform> u: array<vec4f, 4>;\n\
        @vertex fn vs(@location(0) p: vec4f) -> @builtin(position) vec4f {\n\
        let scaled = p * u[0];\nlet turned = vec4f(scaled.yx + u[1].xy, scaled.zw);\nreturn turned * dot(turned, u[2]); }";
    let shader = shader(text);
    for level in [Level::Source, Level::Quick, Level::Usual, Level::Longest] {
        let built = raw(&shader, level);
        compare("levels", &shader, &built);
        assert_eq!(
            built.lines.len(),
            built.program.slots.iter().map(|slot| slot.insts().count()).sum::<usize>()
        );
        for line in &built.lines {
            assert!(built.program.slots[line.slot].insts().nth(line.half).is_some());
        }
        let of =
            |name: &str| built.lines.iter().filter(|line| line.variable.as_deref() == Some(name)).count();
        assert!(of("scaled") > 0 && of("turned") > 0, "{:#?}", built.lines);
        let home = built.program.homes.iter().find(|home| home.variable == "scaled").unwrap();
        assert!(home.from <= home.to && home.to < built.program.slots.len(), "{home:?}");
        assert_eq!(home.components.iter().flatten().fold(0, |mask, at| mask | 1 << at), home.mask.0);
        if level == Level::Source {
            let line = |start: u32| text[..start as usize].lines().count();
            let lines: Vec<usize> = built.lines.iter().map(|own| line(own.span.start)).collect();
            assert!(lines.is_sorted(), "{lines:?}\n{}", printed(&built));
            assert!(built.program.slots.iter().all(|slot| slot.insts().count() == 1));
        }
    }
}

/// An origin without a name is a line without a variable.
#[test]
fn origins_without_names_are_lines_all_the_same() {
    let mut shader = function("v0 = input 0\nv1 = fadd v0, v0 @0\nv2 = fmul v1, v1 @1\noutput 0 = v2\n");
    shader.origins = vec![Origin::default(), Origin { variable: Some("square".into()), ..Origin::default() }];
    let built = build(&GPU, &shader, &Options::default()).unwrap();
    let variables: Vec<Option<&str>> = built.lines.iter().map(|line| line.variable.as_deref()).collect();
    assert_eq!(variables, [None, Some("position")]);
    assert_eq!(built.bound, Some((2, "operations of the first half")));
}

/// Where no bound of resources says it, branch and bound does: no order is shorter. It is the same in every run.
#[test]
fn the_search_proves_what_is_shortest() {
    let text = "struct U { m: mat4x4f, offset: vec2f }\n@group(0) @binding(0) var<uniform> u: U;\n\
        struct O { @builtin(position) p: vec4f, @location(0) color: vec4f, @location(2) uv: vec2f }\n\
        @vertex fn vs(@location(0) p: vec3f, @location(3) color: vec4f, @location(9) uv: vec2f) -> O {\n\
        let t = vec4f(p, 1.0) * u.m; return O(vec4f(t.xyz / t.w, t.w), color, uv + u.offset); }";
    let [usual, longest] = [Level::Usual, Level::Longest].map(|level| raw(&shader(text), level));
    assert_eq!(usual.bound.unwrap().0, 6);
    assert_eq!(longest.bound, Some((7, "all orders of the operations were tried")));
    assert_eq!([usual, longest].map(|built| built.program.slots.len()), [7, 7]);
}

/// 300 products with sums of four components, each of the one before: 300 slots at least, and the machine has 136.
#[test]
fn a_program_that_is_far_too_long_is_refused_at_once() {
    let text = |count: usize| {
        format!(
            "@vertex fn vs(@location(0) a: vec4f) -> @builtin(position) vec4f {{ var r = a; {} return r; }}",
            "r = r * a + a; ".repeat(count)
        )
    };
    let options = Options { position: PositionSpace::Clip, ..Options::default() };
    let problem = problem_of(&shader(&text(300)), &options);
    assert_eq!(
        (problem.code.id, problem.message.as_str()),
        ("K0304", "the program has at least 300 slots, 164 too many")
    );
    assert!(!problem.help.is_empty() && !problem.labels.is_empty(), "{problem:#?}");
    // What is less than twice too long is scheduled, and has the number of its slots.
    let problem = problem_of(&shader(&text(200)), &options);
    assert_eq!(problem.message, "the program has 200 slots, 64 too many");
}

/// Selections in selections, of which no bound of the operations says that they are too long, but each plan's does. The message has a
/// lower bound instead of the number of a schedule's slots, since none is made.
#[test]
fn a_plan_that_is_far_too_long_is_not_scheduled() {
    let value = format!(
        "{}{}{}p{}{}{}{}",
        "p.x > 0.5 ? ".repeat(13),
        "-".repeat(12),
        "p.x > 0.5 ? ".repeat(27),
        " * p - p".repeat(27),
        " : p".repeat(27),
        " + p".repeat(58),
        " : p".repeat(13)
    );
    let text = format!(
        "void main(float4 p : POSITION, out float4 o : POSITION) {{ float4 r = p; r = -p; r = {value}; o = r; }}"
    );
    let mut sources = Sources::default();
    let file = sources.add("t.cg", text.as_str());
    let reading = Reading { stage: Some(Stage::Vertex), ..Reading::of(Language::Cg) };
    let (shader, _) = read(&mut sources, file, text.as_bytes(), &reading).unwrap();
    let problem = problem_of(
        &shader,
        &Options {
            compile: CompileOptions { level: Level::Quick, ..CompileOptions::default() },
            ..Options::default()
        },
    );
    assert_eq!(problem.code.id, "K0304");
    assert!(problem.message.starts_with("the program has at least "), "{}", problem.message);
}
