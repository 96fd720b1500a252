//! The program API: what it gives is what the evaluator gives, and what is wrong is an error.

use gpuzoo::ir::Vec4;
use gpuzoo::ir::eval::{NoTextures, Run};
use gpuzoo::machine::RunState;
use gpuzoo::run::Vertices;
use gpuzoo::{Buffer, Diagnostics, Inputs, Kernel, Machine, State, shader_units};
use proptest::collection::vec;
use proptest::prelude::*;
use std::sync::atomic::AtomicBool;

#[path = "../examples/dreambox.rs"]
mod dreambox;
#[path = "../examples/nv2a.rs"]
mod nv2a;
#[path = "../examples/picogpu.rs"]
mod picogpu;
#[path = "../examples/servaru.rs"]
mod servaru;
#[path = "../examples/vera.rs"]
mod vera;

#[test]
fn the_examples_run() {
    for example in [dreambox::main, nv2a::main, picogpu::main, servaru::main, vera::main] {
        example().unwrap_or_else(|problems| panic!("{problems}"));
    }
}

fn nv2a(text: &str) -> Kernel {
    gpuzoo::nv2a().assemble("t.vsh", text).unwrap().kernel("hw").unwrap()
}

fn code<T: std::fmt::Debug>(result: Result<T, Diagnostics>) -> &'static str {
    result.unwrap_err().list[0].code.id
}

#[test]
fn what_a_run_is_not_given_is_an_error() {
    let kernel = nv2a("mul oPos, v0, c[5]");
    let v0 = || Inputs::new().set("v0", &[[1.0; 4]; 3]).unwrap();
    assert_eq!(code(kernel.run(&Inputs::new().constant("c5", [2.0; 4]))), "G0207");
    assert_eq!(code(kernel.run(&v0())), "G0208");
    assert_eq!(code(kernel.run(&v0().constant("c500", [2.0; 4]))), "G0206");
    assert_eq!(code(kernel.run(&v0().set("v16", &[[1.0]; 3]).unwrap())), "G0206");
    // Two names of one input.
    assert_eq!(code(kernel.run(&v0().set("0", &[[1.0]; 3]).unwrap().zeros())), "G0221");
    assert_eq!(code(v0().set("v1", &[[1.0; 4]; 2])), "G0221");
    assert_eq!(code(v0().borrow("v1", &[0; 11], 4, 4, 3)), "G0221");
    assert_eq!(code(v0().borrow("v1", &[0; 12], 3, 4, 3)), "G0221");
    assert_eq!(code(Inputs::new().borrow("v1", &[], usize::MAX, 4, usize::MAX)), "G0221");
    let zeros = kernel.run(&v0().zeros()).unwrap();
    assert_eq!(zeros["oPos"], [[0.0; 4]; 3]);
    assert!(zeros.get("oD0").is_none_or(|column| column.len() == 3) && zeros.get("oD9").is_none());
}

#[test]
fn a_kernel_has_a_machine_s_profile_and_state() {
    let program = gpuzoo::nv2a().assemble("t.vsh", "mov oPos, v0").unwrap();
    assert_eq!(code(program.kernel("hww")), "G0103");
    assert_eq!(code(program.kernel(State::from("hw").mode("ranges", "user"))), "R0701");
    assert_eq!(code(program.kernel(State::from("hw").output("oD9", [1.0; 4]))), "G0206");
    assert_eq!(code(gpuzoo::servaru().load(&[]).unwrap().kernel(State::new().output("P9", [1.0]))), "G0218");
    let kernel = program.kernel(State::new().output("oD0", [0.5, 0.25])).unwrap();
    let remarks: String =
        kernel.remarks(&Vertices::nothing(), &[]).iter().map(|it| it.message.clone()).collect();
    assert!(
        remarks.contains("oD1.xyzw") && !remarks.contains("oD0"),
        "what is given is not missing: {remarks}"
    );
    assert_eq!(kernel.run(&Inputs::new().zeros()).unwrap()["oD0"], [[0.5, 0.25, 0.0, 1.0]]);
    assert_eq!((kernel.input_names(), kernel.constant_names()), (vec!["v0".to_owned()], vec![]));
}

/// What a program writes to constants counts for the next vertex, and is reported.
#[test]
fn written_constants_are_results() {
    let kernel = gpuzoo::nv2a().assemble("t.vsh", "add c[0], c[0], v0\nmov oPos, c[0]\n").unwrap();
    // Of two settings of a mode the later counts.
    let state = State::from("hw").mode("constants", "read-only").mode("constants", "writable");
    let kernel = kernel.kernel(state);
    let Ok(kernel) = kernel else { panic!("{}", kernel.unwrap_err()) };
    let inputs = Inputs::new().set("v0", &[[1.0], [2.0], [4.0]]).unwrap().constant("c0", [8.0]);
    let outputs = kernel.run(&inputs).unwrap();
    let found: Vec<f32> = outputs["oPos"].iter().map(|value| value[0]).collect();
    assert_eq!(found, [9.0, 11.0, 15.0]);
    assert_eq!(outputs.constants().collect::<Vec<_>>()[0].1[0], 15.0);
    assert_eq!(outputs.remarks.list[0].code.id, "G0216");
    // Any other run begins anew.
    assert_eq!(kernel.run(&inputs).unwrap()["oPos"][0][0], 9.0);
}

#[test]
fn results_go_where_the_caller_says() {
    let kernel = nv2a("mov oPos, v0\nmov oD0, v1\n");
    let inputs = Inputs::new().set("v0", &[[1u32, 2, 3, 4], [5, 6, 7, 8]]).unwrap().zeros();
    let mut words = [9; 7];
    kernel.run_into(&inputs, vec![Buffer::bits("oPos", &mut words, 5, 2)]).unwrap();
    assert_eq!(words, [1, 2, 9, 9, 9, 5, 6]);
    assert_eq!(code(kernel.run_into(&inputs, vec![Buffer::bits("oPos", &mut [0; 6], 5, 2)])), "G0222");
    assert_eq!(code(kernel.run_into(&inputs, vec![Buffer::bits("oHPos", &mut [], 5, 2)])), "G0206");
    assert_eq!(code(kernel.run_into(&inputs, vec![Buffer::bits("oPos", &mut [0; 9], 2, 3)])), "G0222");
    let (mut one, mut other) = ([0; 8], [0; 8]);
    let twice = vec![Buffer::bits("oPos", &mut one, 4, 4), Buffer::bits("oPos", &mut other, 4, 4)];
    assert_eq!(code(kernel.run_into(&inputs, twice)), "G0222");
}

#[test]
fn runs_can_be_cancelled() {
    let (kernel, flag) = (nv2a("mov oPos, v0"), AtomicBool::new(false));
    let inputs = Inputs::new().set("v0", &[[1.0; 4]]).unwrap().cancel(&flag);
    assert!(kernel.run(&inputs).is_ok());
    flag.store(true, std::sync::atomic::Ordering::Relaxed);
    assert_eq!(code(kernel.run(&inputs)), "G0223");
}

/// Several threads run one kernel at once.
#[test]
fn kernels_are_shared_by_threads() {
    fn shared<T: Send + Sync>(_: &T) {}
    let kernel = nv2a("mul oPos, v0, c[0]");
    shared(&kernel);
    std::thread::scope(|scope| {
        for factor in 1..4 {
            let kernel = &kernel;
            scope.spawn(move || {
                let inputs = Inputs::new().set("v0", &vec![[3.0; 4]; 10_000]).unwrap();
                let outputs = kernel.run(&inputs.constant("c0", [factor as f32; 4])).unwrap();
                assert_eq!(outputs["oPos"], vec![[3.0 * factor as f32; 4]; 10_000][..]);
            });
        }
    });
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// For random words, any distance from vertex to vertex, and any number of vertices: the evaluator's bits, of all
    /// three ways to run.
    #[test]
    fn all_ways_to_run_give_the_evaluator_s_bits(
        words in vec(any::<u32>(), 0..24),
        values in vec(any::<u32>(), 160),
        (stride, components, count) in (4usize..8, 1usize..5, 0usize..20),
        (to, wanted) in (4usize..8, 0usize..5),
        constant in any::<[u32; 4]>(),
    ) {
        for gpu in shader_units() {
            let Ok(program) = Machine::new(gpu).load(&words) else { continue };
            for (name, profile) in gpu.about().named_profiles() {
                // Some words are illegal on some machines.
                let Ok(kernel) = program.kernel(name) else { continue };
                let mut inputs = Inputs::new().zeros();
                let names = kernel.input_names();
                for name in &names {
                    inputs = inputs.borrow(name, &values, stride, components, count).unwrap();
                }
                for name in kernel.constant_names() {
                    inputs = inputs.constant(&name, constant);
                }
                let count = if names.is_empty() { 1 } else { count };
                let outputs = kernel.run(&inputs).unwrap();
                let (lowered, _) = gpu.lower(program.code(), &RunState::from(profile));
                if lowered.constant_writes.is_empty() {
                    let value = |vertex: usize| {
                        let mut value: Vec4 = [0, 0, 0, 0x3f80_0000];
                        value[..components].copy_from_slice(&values[vertex * stride..][..components]);
                        value
                    };
                    let mut run = Run::default();
                    for vertex in 0..count {
                        let given = if names.is_empty() { [0; 4] } else { value(vertex) };
                        run.run(&lowered.function, &[given; 16], &[constant; 256], &NoTextures);
                        for (name, (_, expected)) in outputs.names().zip(&lowered.function.outputs) {
                            prop_assert_eq!(outputs.bits(name).unwrap()[vertex], run.value(*expected), "{}", name);
                        }
                    }
                }
                let names: Vec<&str> = outputs.names().collect();
                let mut room = vec![vec![7; count * to]; names.len()];
                let buffers = names.iter().zip(&mut room).map(|(name, room)| Buffer::bits(name, room, to, wanted));
                let killed = kernel.run_into(&inputs, buffers.collect()).unwrap();
                prop_assert_eq!(&killed[..], outputs.killed());
                for (name, room) in names.iter().zip(&room) {
                    for (vertex, words) in room.chunks(to).enumerate() {
                        let expected = outputs.bits(name).unwrap()[vertex];
                        prop_assert_eq!(&words[..wanted], &expected[..wanted]);
                        prop_assert!(words[wanted..].iter().all(|word| *word == 7));
                    }
                }
            }
        }
    }
}
