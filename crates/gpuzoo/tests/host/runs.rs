//! Batches of runs: `exact` has the engine's bits, `fast` is near.

use super::DEVICE;
use gpuzoo::run::{Column, Kernel, Vertices};
use gpuzoo::translate::Fidelity;
use gpuzoo::{Program, dreambox, nv2a, picogpu, servaru};
use std::ops::ControlFlow;
use std::path::Path;

/// More than one dispatch does.
const MANY: usize = (1 << 18) + 100;

fn examples() -> Vec<(Program, &'static str)> {
    let text = |name: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
        std::fs::read_to_string(path).unwrap()
    };
    let of = |machine: gpuzoo::Machine, name: &str, profile| {
        (machine.assemble(name, &text(name)).unwrap_or_else(|problems| panic!("{problems}")), profile)
    };
    vec![
        of(dreambox(), "dreambox/teapot.vu", "document"),
        of(nv2a(), "nv2a/light.vsh", "hw"),
        of(nv2a(), "nv2a/light.vsh", "cpu"),
        of(picogpu(), "picogpu/screen.pico", "document"),
        of(servaru(), "servaru/lit.svs", "ieee"),
    ]
}

/// Numbers between -4 and 4 for every input.
fn vertices(kernel: &Kernel, count: usize) -> Vertices<'static> {
    let mut state = 1u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        ((state >> 8) as f32 / (1 << 21) as f32 - 4.0).to_bits()
    };
    let inputs = 0..kernel.input_names().len().max(4) as u16 + 8;
    let column = |input| Column {
        input,
        values: (0..count * 4).map(|_| next()).collect::<Vec<u32>>().into(),
        stride: 4,
        components: 4,
    };
    Vertices::Columns { count, columns: inputs.map(column).collect() }
}

/// The outputs of all vertices, one after the other, by both; and how often the device was asked.
fn both(
    program: &Program,
    profile: &str,
    fidelity: Fidelity,
    count: usize,
) -> Option<(Vec<u32>, Vec<u32>, usize)> {
    let device = DEVICE.as_ref()?;
    let kernel = program.kernel(profile).unwrap();
    let own = device.kernel(program, profile, fidelity).unwrap_or_else(|problems| panic!("{problems}"));
    assert_eq!(own.output_names(), kernel.output_names());
    let vertices = vertices(&kernel, count);
    let constants: Vec<[u32; 4]> =
        (0..192u32).map(|at| [at % 7 + 1, 2, 3, at % 3].map(|n| (n as f32 / 8.0).to_bits())).collect();
    let (mut expected, mut found, mut calls) = (Vec::new(), Vec::new(), 0);
    kernel.begin(&constants).blocks(&vertices, |block| {
        for vertex in 0..block.count() {
            expected.extend(block.outputs().flat_map(|column| column[vertex]));
        }
        ControlFlow::Continue(())
    });
    let ran = own.run(&vertices, 0, &constants, |block| {
        calls += 1;
        for vertex in 0..block.count() {
            found.extend(block.outputs().flat_map(|column| column[vertex]));
        }
        ControlFlow::Continue(())
    });
    ran.unwrap();
    Some((expected, found, calls))
}

#[test]
fn exact_runs_have_the_engines_bits() {
    for (program, profile) in examples() {
        let Some((expected, found, _)) = both(&program, profile, Fidelity::Exact, 1000) else { return };
        let nan = |word: u32| f32::from_bits(word).is_nan();
        let wrong = expected.iter().zip(&found).filter(|(a, b)| a != b && !(nan(**a) && nan(**b))).count();
        assert_eq!((wrong, expected.len()), (0, found.len()), "{profile}");
    }
}

#[test]
fn fast_runs_are_near_and_large_batches_are_split() {
    for (program, profile) in examples() {
        let Some((expected, found, calls)) = both(&program, profile, Fidelity::Fast, MANY) else { return };
        assert_eq!((calls, expected.len()), (2, found.len()));
        let far = |(a, b): &(&u32, &u32)| {
            let (a, b) = (f32::from_bits(**a), f32::from_bits(**b));
            !((a - b).abs() <= 1e-3 * a.abs().max(1.0) || a.is_nan() || b.is_nan() || a == b)
        };
        let wrong = expected.iter().zip(&found).filter(far).count();
        // Where a reciprocal of nearly nothing is in the way, the last bits count.
        assert!(wrong * 1000 <= expected.len(), "{profile}: {wrong} of {}", expected.len());
    }
}

#[test]
fn what_a_batch_cannot_do_is_refused() {
    let Some(device) = DEVICE.as_ref() else { return };
    let refused = |program: Result<Program, gpuzoo::Diagnostics>, profile| {
        let program = program.unwrap_or_else(|problems| panic!("{problems}"));
        device.kernel(&program, profile, Fidelity::Fast).unwrap_err().list[0].code.id
    };
    assert_eq!(refused(servaru().assemble("t.svs", ".fragment\nTEX P9, P0, T0;\n"), "ieee"), "R0801");
    let writer = nv2a().assemble("state.xvs", "xvss.1.1\nmov c0, v0\n");
    assert_eq!(refused(writer, "hw"), "T0102");
}
