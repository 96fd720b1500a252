//! The computations of programs that people run on the machine, written from their formulas in three languages: how many slots they take,
//! beside those of Cg's compiler and of people, and that all three compute the same.

use super::{printed, raw};
use gpuzoo_compile::front::{Language, Reading, read};
use gpuzoo_compile::options::{Built, Level};
use gpuzoo_compile::shader::Shader;
use gpuzoo_diag::Sources;
use gpuzoo_ir::Vec4;
use gpuzoo_ir::eval;
use gpuzoo_isa::{Profile, numbers};
use gpuzoo_machine::ShaderUnit;
use gpuzoo_nv2a::GPU;

/// A computation.
struct Row {
    /// Its name in the book.
    name: &'static str,
    /// Its texts in WGSL, GLSL and Cg.
    texts: [&'static str; 3],
    /// Slots of what Cg's compiler makes of the original.
    cg: Option<usize>,
    /// Slots of what people wrote by hand.
    hand: Option<usize>,
    /// Slots of ours.
    ours: [usize; 3],
}

macro_rules! texts {
    ($name:literal) => {
        [
            include_str!(concat!("twins/", $name, ".wgsl")),
            include_str!(concat!("twins/", $name, ".vert")),
            include_str!(concat!("twins/", $name, ".cg")),
        ]
    };
}

const fn row(
    name: &'static str,
    texts: [&'static str; 3],
    cg: Option<usize>,
    hand: Option<usize>,
    ours: [usize; 3],
) -> Row {
    Row { name, texts, cg, hand, ours }
}

const ROWS: &[Row] = &[
    row("point by a matrix, division, colour", texts!("colored"), Some(8), None, [6, 6, 6]),
    row("and coordinates", texts!("textured"), Some(9), None, [7, 7, 7]),
    row("and coordinates with an offset", texts!("offset"), Some(9), None, [7, 7, 7]),
    row("and the depth as fog", texts!("fog"), Some(10), None, [7, 7, 7]),
    row("three matrices, colour, coordinates", texts!("matrices"), Some(17), None, [13, 13, 13]),
    row("diffuse light by a matrix, scale and offset", texts!("diffuse"), Some(16), None, [14, 14, 14]),
    row("mesh: three matrices, diffuse and specular light", texts!("mesh"), Some(44), None, [34, 34, 34]),
    row("fixed function: three matrices, a highlight", texts!("fixed"), Some(43), Some(50), [26, 26, 26]),
    row("three matrices and nine copies", texts!("projection"), None, Some(24), [15, 15, 15]),
    row("morph", texts!("morph"), Some(10), None, [8, 8, 8]),
    row("skinning with one bone, two lights", texts!("skin1"), Some(38), None, [27, 27, 27]),
    row("skinning with two bones, two lights", texts!("skin2"), Some(53), None, [44, 44, 44]),
    row("skinning with four bones, two lights", texts!("skin4"), Some(81), None, [67, 67, 67]),
    row("four directional lights", texts!("lights"), None, None, [18, 18, 18]),
];

const NAMES: [&str; 3] = ["t.wgsl", "t.vert", "t.cg"];

fn shaders(row: &Row) -> [Shader; 3] {
    [0, 1, 2].map(|at| {
        let mut sources = Sources::default();
        let file = sources.add(NAMES[at], row.texts[at]);
        let (language, stage) = Language::of(NAMES[at]).unwrap();
        let reading = Reading { stage, ..Reading::of(language) };
        read(&mut sources, file, row.texts[at].as_bytes(), &reading)
            .unwrap_or_else(|problems| panic!("{}, {}: {problems:#?}", row.name, NAMES[at]))
            .0
    })
}

#[test]
fn slots() {
    let mut wrong = Vec::new();
    for row in ROWS {
        let shaders = shaders(row);
        let built = shaders.each_ref().map(|shader| raw(shader, Level::Usual));
        let slots = built.each_ref().map(|built| built.program.slots.len());
        if slots != row.ours {
            wrong.push(format!("{}: {slots:?}, not {:?}\n{}", row.name, row.ours, printed(&built[0])));
        }
        let all = shaders.iter().zip(&built).map(|(shader, built)| results(shader, built));
        let all: Vec<_> = all.collect();
        agree(row.name, &all);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What people have to have: no row is longer than the shorter of the others' programs, and on the average they are much shorter than Cg's.
#[test]
fn no_row_is_longer_than_another_compilers_or_than_by_hand() {
    let mut ratios = Vec::new();
    for row in ROWS {
        let longest = row.ours.into_iter().max().unwrap();
        let others = row.cg.into_iter().chain(row.hand).min();
        assert!(others.is_none_or(|others| longest <= others), "{}", row.name);
        ratios.extend(row.cg.map(|cg| longest as f64 / cg as f64));
    }
    let mean = ratios.iter().sum::<f64>() / ratios.len() as f64;
    assert!(mean <= 0.85, "{mean}");
}

/// The table of the book has these rows.
#[test]
fn the_book_says_the_same() {
    let page = include_str!("../../../../docs/compile.md");
    for row in ROWS {
        let number = |number: Option<usize>| number.map_or(String::new(), |number| format!(" {number}"));
        let ours = match row.ours {
            [one, two, three] if one == two && two == three => one.to_string(),
            [one, two, three] => format!("{one}, {two}, {three}"),
        };
        let line = format!("| {} |{} |{} | {ours} |\n", row.name, number(row.cg), number(row.hand));
        assert!(page.contains(&line), "the table lacks\n{line}");
    }
}

/// Outputs, and for each vector what the function and the program give there.
type Results = Vec<(u16, Vec<[Vec4; 2]>)>;

/// What the function and the program of a shader make of the same numbers.
fn results(shader: &Shader, built: &Built) -> Results {
    let conventions = GPU.conventions().unwrap();
    let lowered = GPU.lower(&built.program, &Profile(1).into()).0.function;
    let mut all: Results = Vec::new();
    for seed in 0..1_000 {
        let mut number = numbers(seed);
        let mut vector = || [0; 4].map(|_: u32| number(2_000) as f32 / 1_000.0 - 1.0);
        let mut inputs: Vec<Vec4> = (0..16).map(|_| vector().map(f32::to_bits)).collect();
        // Bones are whole numbers.
        inputs[5] = inputs[5].map(|bits| ((f32::from_bits(bits) + 1.0) * 11.9).floor().to_bits());
        let mut constants: Vec<Vec4> = (0..192).map(|_| vector().map(f32::to_bits)).collect();
        let registers = usize::from(shader.uniform_registers());
        let uniforms = constants[96..96 + registers].to_vec();
        for (index, bits) in built.program.defined() {
            constants[usize::from(index)] = bits;
        }
        let given: Vec<Vec4> = shader
            .inputs
            .iter()
            .map(|input| inputs[usize::from(conventions.input(shader.stage, input.port).unwrap().index)])
            .collect();
        let right = eval::outputs(&shader.function, &given, &uniforms);
        let own = eval::outputs(&lowered, &inputs, &constants);
        for (right, variable) in right.into_iter().zip(&shader.outputs) {
            let reg = conventions.output(shader.stage, variable.port).unwrap();
            let place = lowered.outputs.iter().position(|(number, _)| *number == reg.index).unwrap();
            let masked = |bits: Vec4| {
                [0, 1, 2, 3].map(|at: u8| if variable.mask.has(at) { bits[usize::from(at)] } else { 0 })
            };
            let pair = [masked(right), masked(own[place])];
            match all.iter_mut().find(|(index, _)| *index == reg.index) {
                Some((_, list)) => list.push(pair),
                None => all.push((reg.index, vec![pair])),
            }
        }
    }
    all.sort_by_key(|(index, _)| *index);
    all
}

/// All functions agree, and each program with its function; the machine's tables have 12 bits, and its reciprocals 23.
fn agree(name: &str, all: &[Results]) {
    for (language, own) in NAMES.iter().zip(all) {
        assert_eq!(own.len(), all[0].len(), "{name}, {language}: other outputs");
        for ((index, list), (first, others)) in own.iter().zip(&all[0]) {
            assert_eq!(index, first, "{name}, {language}");
            for ([right, program], [other, _]) in list.iter().zip(others) {
                for at in 0..4 {
                    let [right, program, other] =
                        [right, program, other].map(|bits| f32::from_bits(bits[at]));
                    let near = |a: f32, b: f32, most: f32| {
                        // What is no number in an arm that is not taken need not be one on the machine.
                        a == b || a.is_nan() || (a - b).abs() <= most * a.abs().max(1.0)
                    };
                    assert!(near(right, other, 2e-5), "{name}, {language}: {right} and {other} in {index}");
                    assert!(
                        near(right, program, 1e-3),
                        "{name}, {language}: {program}, not {right}, in {index}"
                    );
                }
            }
        }
    }
}
