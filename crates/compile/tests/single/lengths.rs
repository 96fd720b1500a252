//! How long programs get, beside those that were written by hand.

use super::{built, shader, text};
use gpuzoo_compile::options::{CompileOptions, Options};
use gpuzoo_compile::select::single::build;
use gpuzoo_isa::Stage::{self, Fragment, Vertex};
use gpuzoo_machine::ShaderUnit;

/// A function, and how many instructions it may have.
struct Row<'a> {
    name: &'a str,
    stage: Stage,
    text: &'a str,
    inputs: &'a [u8],
    outputs: &'a [u8],
    uniforms: &'a [u8],
    slots: usize,
}

fn check(unit: &dyn ShaderUnit, rows: &[Row]) {
    let mut wrong = Vec::new();
    for row in rows {
        let shader = shader(row.stage, row.text, row.inputs, row.outputs, row.uniforms);
        let built = built(unit, &shader);
        let slots = built.program.slots.len();
        if slots != row.slots {
            wrong.push(format!("{}: {slots}, not {}\n{}", row.name, row.slots, text(unit, &built)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A matrix, given by rows, and a vector.
const ROWS: &str = "v0 = input 0\nv1 = uniform 0\nv2 = uniform 1\nv3 = uniform 2\nv4 = uniform 3\n\
    v5 = dot4 v1, v0\nv6 = dot4 v2, v0\nv7 = dot4 v3, v0\nv8 = dot4 v4, v0\n\
    v9 = v5.x___ | v6._xxx\nv10 = v9.xy__ | v7.__xx\nv11 = v10.xyz_ | v8.___x\noutput 0 = v11\n";

/// A matrix, given by columns, and a vector.
const COLUMNS: &str = "v0 = input 0\nv1 = uniform 0\nv2 = uniform 1\nv3 = uniform 2\nv4 = uniform 3\n\
    v5 = v0.xxxx\nv6 = v0.yyyy\nv7 = v0.zzzz\nv8 = v0.wwww\n\
    v9 = fmul v1, v5\nv10 = fmad v2, v6, v9\nv11 = fmad v3, v7, v10\nv12 = fmad v4, v8, v11\noutput 0 = v12\n";

#[test]
fn servaru() {
    check(
        &gpuzoo_servaru::GPU,
        &[
            Row {
                name: "rows",
                stage: Vertex,
                text: ROWS,
                inputs: &[4],
                outputs: &[4],
                uniforms: &[4; 4],
                slots: 4,
            },
            Row {
                name: "columns",
                stage: Vertex,
                text: COLUMNS,
                inputs: &[4],
                outputs: &[4],
                uniforms: &[4; 4],
                slots: 4,
            },
            Row {
                name: "fence",
                stage: Fragment,
                text: "v0 = input 0\nv1 = sample 0, v0\nv2 = const (0.5, 0.5, 0.5, 0.5)\nv3 = fsub v1, v2\nv4 = v3.wwww\nv5 = kill v4\n\
                v6 = v1.xyz1\noutput 0 = v6\n",
                inputs: &[2],
                outputs: &[4],
                uniforms: &[],
                slots: 4,
            },
        ],
    );
}

#[test]
fn dreambox() {
    let copies = "v20 = input 1\nv21 = v20.xyxy\nv22 = input 2\nv23 = input 3\noutput 1 = v22\noutput 2 = v23\noutput 3 = v21\n";
    let plain = format!("v0 = input 0\noutput 0 = v0\n{copies}");
    let matrix = format!("{COLUMNS}{}", copies.replace("v21 = v20.xyxy\n", "").replace("v21", "v20"));
    let light = "v24 = uniform 4\nv25 = uniform 5\nv26 = uniform 6\nv27 = uniform 7\nv28 = input 4\n\
        v35 = v28.xxxx\nv36 = v28.yyyy\nv37 = v28.zzzz\nv38 = v28.wwww\n\
        v39 = fmul v24, v35\nv40 = fmad v25, v36, v39\nv41 = fmad v26, v37, v40\nv42 = fmad v27, v38, v41\n\
        v43 = fmul v22, v42\n";
    let lit = matrix.replace("output 1 = v22\n", &format!("{light}output 1 = v43\n"));
    let row = |name, text, slots| Row {
        name,
        stage: Vertex,
        text,
        inputs: &[4; 5],
        outputs: &[4; 4],
        uniforms: &[4; 8],
        slots,
    };
    check(
        &gpuzoo_dreambox::GPU,
        &[row("default", &plain, 10), row("matrix", &matrix, 14), row("light", &lit, 21)],
    );
}

#[test]
fn picogpu() {
    check(
        &gpuzoo_picogpu::GPU,
        &[Row {
            name: "transform",
            stage: Vertex,
            text: "v0 = input 0\nv1 = v0.xyz1\nv2 = uniform 0\nv3 = uniform 1\nv4 = uniform 2\n\
            v5 = dot4 v2, v1\nv6 = dot4 v3, v1\nv7 = dot4 v4, v1\nv8 = v5.xxxx | v6.____\nv9 = v5.x___ | v6._xxx\n\
            v10 = const (50.0, 50.0, 50.0, 50.0)\nv11 = fmul v9, v10\nv12 = fadd v11, v10\n\
            v13 = v12.xy__ | v7.__xx\nv14 = v13.xyz1\noutput 0 = v14\n",
            inputs: &[3],
            outputs: &[4],
            uniforms: &[4; 3],
            slots: 9,
        }],
    );
}

/// `mix` is one instruction where rounding may differ, and two where it may not.
#[test]
fn mixes_are_faster_on_request() {
    let text =
        "v0 = input 0\nv1 = input 1\nv2 = input 2\nv3 = fsub v1, v0\nv4 = fmad v2, v3, v0\noutput 0 = v4\n";
    let shader = shader(Vertex, text, &[4; 3], &[4], &[]);
    let unit = &gpuzoo_servaru::GPU;
    assert_eq!(super::text(unit, &built(unit, &shader)), "SUB R0, P1, P0;\nMAD P9, P2, R0, P0;\n");
    let options = Options {
        compile: CompileOptions { fast_math: true, ..CompileOptions::default() },
        ..Options::default()
    };
    assert_eq!(super::text(unit, &build(unit, &shader, &options).unwrap()), "LRP P9, P2, P1, P0;\n");
}

/// Products with matrices of three columns, and points whose w is 1, are matrix products, too.
#[test]
fn other_matrix_products_on_dreambox() {
    let turned = "v0 = input 0\nv1 = uniform 0\nv2 = uniform 1\nv3 = uniform 2\nv4 = v0.xxxx\nv5 = v0.yyyy\nv6 = v0.zzzz\n\
        v7 = fmul v1, v4\nv8 = fmad v2, v5, v7\nv9 = fmad v3, v6, v8\noutput 0 = v9\n";
    let point = "v0 = input 0\nv1 = uniform 0\nv2 = uniform 1\nv3 = uniform 2\nv4 = v0.xxxx\nv5 = v0.yyyy\nv6 = v0.zzzz\nv10 = uniform 3\n\
        v7 = fmad v1, v4, v10\nv8 = fmad v2, v5, v7\nv9 = fmad v3, v6, v8\noutput 0 = v9\n";
    let row = |name, text, slots| Row {
        name,
        stage: Vertex,
        text,
        inputs: &[4],
        outputs: &[4],
        uniforms: &[4; 4],
        slots,
    };
    check(&gpuzoo_dreambox::GPU, &[row("turned", turned, 10), row("point", point, 10)]);
}

/// What an instruction only hands on is no way to compute it: two reciprocals are two instructions, not a part of one.
#[test]
fn handing_on_is_not_computing() {
    let text =
        "v0 = uniform 0\nv1 = const (1.0, 1.0, 1.0, 1.0)\nv2 = fdiv v1, v0\nv3 = v2.00zw\noutput 0 = v3\n";
    let row = Row { name: "two", stage: Vertex, text, inputs: &[], outputs: &[4], uniforms: &[4], slots: 3 };
    check(&gpuzoo_servaru::GPU, &[row]);
}

/// Sums that run beside each other: in the source's order each number is dropped at once, in others all wait for the second sum.
#[test]
fn what_has_no_room_in_other_orders_is_in_that_of_the_source() {
    let count = 60;
    let mut text = String::from("v0 = input 0\n");
    (1..=count).for_each(|own| text += &format!("v{own} = uniform {}\n", own - 1));
    let mut next = count + 1;
    let [mut least, mut product] = [0, 0];
    for own in 1..=count {
        text += &format!("v{next} = fmax v0, v{own}\nv{} = fsub v{next}, v{least}\n", next + 1);
        text += &format!("v{} = fmul v{next}, v{product}\n", next + 2);
        [least, product, next] = [next + 1, next + 2, next + 3];
    }
    text += &format!("output 0 = v{least}\noutput 1 = v{product}\n");
    let shader = shader(Vertex, &text, &[4], &[4, 4], &[4; 60]);
    let unit = &gpuzoo_servaru::GPU;
    let alone = build(unit, &shader, &Options::default()).unwrap_err();
    assert_eq!(alone[0].code.id, "K0305");
    let built = gpuzoo_compile::build(unit, &shader, &Options::default()).unwrap();
    assert_eq!(built.program.slots.len(), 3 * count);
}
