//! The shader unit as a device, against the rules of spec sections 6, 7 and 10, by hand calculation.

use gpuzoo_diag::File;
use gpuzoo_isa::Profile;
use gpuzoo_picogpu::{DOCUMENT, UNIT, Unit, UnitError, assemble, execute, program_dwords};

/// The store command of a text.
fn stored(text: &str) -> Vec<u32> {
    let assembled = assemble(&File::new("t", text), DOCUMENT);
    assert!(assembled.ok(), "{:#?}", assembled.diagnostics);
    program_dwords(&assembled.program)
}

/// What a unit answers to one execute command.
fn run(profile: Profile, text: &str, threads: u32, data: &[u32]) -> Vec<u32> {
    let mut unit = Unit::new(profile);
    let request = stored(text).into_iter().chain(execute(threads)).chain(data.iter().copied());
    request.for_each(|dword| unit.push(dword).unwrap());
    std::iter::from_fn(|| unit.take()).collect()
}

fn bits(floats: &[f32]) -> Vec<u32> {
    floats.iter().map(|float| float.to_bits()).collect()
}

#[test]
fn an_empty_unit_echoes() {
    let mut unit = Unit::new(DOCUMENT);
    for dword in execute(3).into_iter().chain([7, 8, 9]) {
        assert_eq!(unit.take(), None);
        unit.push(dword).unwrap();
    }
    assert_eq!([unit.take(), unit.take(), unit.take(), unit.take()], [Some(7), Some(8), Some(9), None]);
    let execution = unit.executions()[0];
    assert_eq!((execution.instructions, execution.first_output, execution.last_output), (0, 7, 9));
}

#[test]
fn a_store_lasts_until_the_next_one_and_cycles_count_anew_after_each_answer() {
    let mut unit = Unit::new(DOCUMENT);
    let double = stored("#vertexShader #input r0.x #output r1.xyzw fadd r1.x r0 r0");
    let square = stored("#vertexShader #input r0.x #output r1.xyzw fmul r1.x r0 r0");
    assert_eq!(double.len(), 6);
    let three = 3.0_f32.to_bits();
    for (request, answer, first) in [
        ([double, execute(1).to_vec(), vec![three]].concat(), 6.0_f32, 10 + 3 + 1),
        ([execute(1).to_vec(), vec![three]].concat(), 6.0, 4 + 3 + 1),
        ([square, execute(1).to_vec(), vec![three]].concat(), 9.0, 10 + 3 + 1),
    ] {
        request.into_iter().for_each(|dword| unit.push(dword).unwrap());
        let got: Vec<u32> = std::iter::from_fn(|| unit.take()).collect();
        assert_eq!(got, [answer.to_bits(), 0, 0, 0]);
        let execution = unit.executions().last().unwrap();
        assert_eq!((execution.first_output, execution.last_output), (first, first + 3));
    }
}

#[test]
fn components_beyond_a_mask_are_zero_and_uniforms_reach_every_thread() {
    let text = "#vertexShader #input r0.xy #input r1.x #uniform r2.xyz #output r8.xyzw #output r2.xyzw
        iadd r8 r0 r1";
    let data = [1, 2, 10, 3, 4, 20, 100, 200, 300];
    assert_eq!(run(DOCUMENT, text, 2, &data), [11, 2, 0, 0, 100, 200, 300, 0, 23, 4, 0, 0, 100, 200, 300, 0]);
}

#[test]
fn as_many_threads_answer_as_were_asked_for() {
    let text = "#vertexShader #input r0.x #output r1.xyzw mov r1 r0";
    for threads in 1..=32 {
        let data: Vec<u32> = (0..threads).collect();
        let out = run(DOCUMENT, text, threads, &data);
        let expected: Vec<u32> = data.iter().flat_map(|&value| [value, 0, 0, 0]).collect();
        assert_eq!(out, expected);
    }
}

/// Spec section 3, rows 5 to 7.
#[test]
fn the_quirks_of_the_unit() {
    let header = "#vertexShader #input r0.xyzw #output r8.xyzw ";
    let vector = bits(&[1.0, 2.0, 3.0, 4.0]);
    let both =
        |body: &str| [DOCUMENT, UNIT].map(|profile| run(profile, &format!("{header}{body}"), 1, &vector));
    // Written in turn: x = w, y = z, then z = the new y, w = the new x.
    let [document, unit] = both("swizzle r0 r0.wzyx mov r8 r0");
    assert_eq!((document, unit), (bits(&[4.0, 3.0, 2.0, 1.0]), bits(&[4.0, 3.0, 3.0, 4.0])));
    let [document, unit] = both("mov r1 r0 swizzle r8 r1.wzyx");
    assert_eq!(document, unit);
    // A vector crossed with itself is zero.
    let [document, unit] = both("finit r8 7.0 fcross r8.yw r0 r0");
    assert_eq!((document, unit), (bits(&[7.0, 0.0, 7.0, 0.0]), bits(&[0.0; 4])));
    // 1, 1, 1, 1 has length 2.
    let [document, unit] = both("finit r1 1.0 finit r8 7.0 fnorm r8.z r1");
    assert_eq!((document, unit), (bits(&[7.0, 7.0, 0.5, 7.0]), bits(&[0.5; 4])));
}

/// The reference's process dies here (vectors pico-run-pub-078 and 079).
#[test]
fn integer_division_without_a_quotient_gives_the_dividend() {
    let text = "#vertexShader #input r0.xyzw #input r1.xyzw #output r8.xyzw idiv r8 r0 r1";
    let int = |n: i32| n as u32;
    for profile in [DOCUMENT, UNIT] {
        let data = [10, 11, 12, 13, 1, 0, 2, 3];
        assert_eq!(run(profile, text, 1, &data), [10, 11, 6, 4]);
        let data = [int(1), int(i32::MIN), int(-7), 3, int(-1), int(-1), int(-1), int(-1)];
        assert_eq!(run(profile, text, 1, &data), [int(-1), int(i32::MIN), int(7), int(-3)]);
    }
}

/// A triangle A = (0, 0), B = (4, 0), C = (0, 4). At (1, 1) the weights are wa = 1/2, wb = 1/4, wc = 1/4.
const TRIANGLE: [[f32; 2]; 3] = [[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]];

/// The data of a request for the pixel (1, 1): vertices with their z and one attribute of a component.
fn fragment(z: [f32; 3], attribute: [f32; 3]) -> Vec<u32> {
    let mut data = vec![1.0, 1.0];
    for vertex in 0..3 {
        data.extend([TRIANGLE[vertex][0], TRIANGLE[vertex][1], z[vertex], attribute[vertex]]);
    }
    bits(&data)
}

#[test]
fn attributes_are_interpolated_in_perspective() {
    let text = "#fragmentShader #input r0.xyzw #input r1.x #output r8.xyzw
        mov r8.xyz r0 mov r9 r1 swizzle r10 r1.xxxx mov r8.w r10";
    // 1/Z = wa/zA + wb/zB + wc/zC = 1/4 + 1/16 + 1/16 = 3/8; the attribute is Z × (8/4 + 4/16 + 4/16) = 8/3 × 5/2.
    let z = 1.0_f32 / 0.375;
    let out = run(DOCUMENT, text, 1, &fragment([2.0, 4.0, 4.0], [8.0, 4.0, 4.0]));
    assert_eq!(out, bits(&[1.0, 1.0, z, 2.5 * z, z]));
}

/// The document lets a fragment shader have its colour in the position's register, which the reference refuses as it
/// exports the depth from there (spec section 3, row 11).
#[test]
fn the_colour_may_take_the_place_of_the_position() {
    let text = "#fragmentShader #input r0.xyzw #output r0.xyzw finit r0 0.25 0.5 0.75 1.0";
    let data = bits(&[1.0, 1.0, 0.0, 0.0, 2.0, 4.0, 0.0, 2.0, 0.0, 4.0, 2.0]);
    assert_eq!(run(DOCUMENT, text, 1, &data), bits(&[0.25, 0.5, 0.75, 1.0, 2.0]));
    assert_eq!(run(UNIT, text, 1, &data), bits(&[0.25, 0.5, 0.75, 1.0, 2.0]));
}

/// A change of the position's z is a change of the depth (spec section 5).
#[test]
fn the_depth_is_z_of_the_position_when_the_program_ends() {
    let text = "#fragmentShader #input r0.xyzw #output r8.xyzw finit r8 1.0 finit r0.z 0.125";
    let data = bits(&[1.0, 1.0, 0.0, 0.0, 2.0, 4.0, 0.0, 2.0, 0.0, 4.0, 2.0]);
    assert_eq!(run(DOCUMENT, text, 1, &data), bits(&[1.0, 1.0, 1.0, 1.0, 0.125]));
}

#[test]
fn streams_that_make_no_sense_are_errors_and_stop_the_unit() {
    let mut unit = Unit::new(DOCUMENT);
    // Four inputs.
    unit.push(0x0000_3000).unwrap();
    unit.push(0).unwrap();
    let error = unit.push(0).unwrap_err();
    assert_eq!(error.to_string(), "the store command counts more than three inputs, outputs or uniforms");
    assert_eq!(unit.push(0), Err(UnitError::Stopped));
    unit.reset();
    // An opcode that does not exist is found when it would run.
    for dword in [0x0c30_0004, 0x6180_c31c, 0x30, 0x3f] {
        unit.push(dword).unwrap();
    }
    for dword in execute(1) {
        unit.push(dword).unwrap();
    }
    assert_eq!(unit.push(5), Err(UnitError::UnknownOpcode(63)));
    assert_eq!(unit.take(), None);
}

#[test]
fn bytes_are_dwords_lowest_byte_first() {
    let mut unit = Unit::new(DOCUMENT);
    let request: Vec<u8> = execute(1).into_iter().chain([0x0403_0201]).flat_map(u32::to_le_bytes).collect();
    assert_eq!(unit.stream(&request), Ok(vec![1, 2, 3, 4]));
}
