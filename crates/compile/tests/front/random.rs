//! Random programs: run by an interpreter of their own, as what they are walked into however they are written, and on all machines.
//! `cargo xtask programs` runs more of them.
#![cfg(feature = "random")]

use gpuzoo_compile::random::check;
use gpuzoo_machine::ShaderUnit;

const COUNT: u64 = 100;

#[test]
fn random_programs_do_what_they_say() {
    let machines: [&dyn ShaderUnit; 4] =
        [&gpuzoo_nv2a::GPU, &gpuzoo_dreambox::GPU, &gpuzoo_servaru::GPU, &gpuzoo_picogpu::GPU];
    let mut built = [0; 4];
    for seed in 0..COUNT {
        let fits = check(seed, &machines).unwrap_or_else(|problem| panic!("{seed}: {problem}"));
        built.iter_mut().zip(fits).for_each(|(built, fit)| *built += u64::from(fit.is_ok()));
    }
    // The programs are such that most fit.
    assert!(built.iter().all(|built| *built > COUNT / 20), "{built:?} of {COUNT}");
}
