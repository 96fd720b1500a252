//! What built-in functions cost on each machine: the table of the book.
#![cfg(feature = "sources")]

use gpuzoo_compile::build;
use gpuzoo_compile::front::{Language, Reading, read};
use gpuzoo_compile::options::Options;
use gpuzoo_diag::Sources;
use gpuzoo_machine::ShaderUnit;
use gpuzoo_machine::unit::PositionSpace;

/// The machines, in the table's order.
const UNITS: [&dyn ShaderUnit; 4] =
    [&gpuzoo_dreambox::GPU, &gpuzoo_nv2a::GPU, &gpuzoo_picogpu::GPU, &gpuzoo_servaru::GPU];

/// Expressions of the components of an input.
const EXPRESSIONS: [&str; 35] = [
    "floor(a.x)",
    "ceil(a.x)",
    "fract(a.x)",
    "trunc(a.x)",
    "round(a.x)",
    "f32(i32(a.x))",
    "f32(u32(a.x))",
    "f32(u32(a.x) / 6u)",
    "f32(u32(a.x) % 6u)",
    "f32(i32(a.x) % 6)",
    "a.x % a.y",
    "a.x / a.y",
    "abs(a.x)",
    "sign(a.x)",
    "saturate(a.x)",
    "step(a.x, a.y)",
    "smoothstep(0.0, 2.0, a.x)",
    "mix(a.x, a.y, a.z)",
    "select(a.x, a.y, a.z < a.w)",
    "select(a.x, a.y, a.z == a.w)",
    "dot(a.xyz, a.yzw)",
    "length(a.xyz)",
    "normalize(a.xyz).x",
    "sqrt(a.x)",
    "inverseSqrt(a.x)",
    "exp2(a.x)",
    "log2(a.x)",
    "pow(a.x, a.y)",
    "sin(a.x)",
    "cos(a.x)",
    "tan(a.x)",
    "asin(a.x)",
    "acos(a.x)",
    "atan(a.x)",
    "atan2(a.x, a.y)",
];

/// The slots of a program that gives an expression. None if the machine has no room for it.
fn slots(unit: &dyn ShaderUnit, expression: &str) -> Option<usize> {
    let text = format!(
        "@vertex fn f(@location(0) a: vec4f) -> @builtin(position) vec4f {{ return vec4f({expression}); }}"
    );
    let mut sources = Sources::default();
    let file = sources.add("t.wgsl", text.as_str());
    let (shader, _) = read(&mut sources, file, text.as_bytes(), &Reading::of(Language::Wgsl))
        .unwrap_or_else(|problems| panic!("{expression}: {problems:#?}"));
    let options = Options { position: PositionSpace::Clip, ..Options::default() };
    Some(build(unit, &shader, &options).ok()?.program.slots.len())
}

/// Slots beyond those of a program that gives the number itself.
#[test]
fn the_book_has_the_costs_of_built_ins() {
    let plain = UNITS.map(|unit| slots(unit, "a.x").unwrap());
    let line = |expression: &str| {
        let cells = UNITS.iter().zip(plain).map(|(unit, plain)| {
            slots(*unit, expression).map_or("-".to_owned(), |count| count.saturating_sub(plain).to_string())
        });
        format!("| `{expression}` | {} |\n", cells.collect::<Vec<_>>().join(" | "))
    };
    let table: String = EXPRESSIONS.iter().map(|expression| line(expression)).collect();
    let page = include_str!("../../../../docs/compile.md");
    assert!(page.contains(&table), "the table of the book is\n{table}");
}
