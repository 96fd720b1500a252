//! `--backend wgpu`, in builds with and without it.

use crate::common::{gpuzoo, with_input};

const PROGRAM: &str = "ld r0 0  add r0 r0  st pos r0";

#[test]
fn a_build_without_it_says_how_to_get_it() {
    let done = with_input(&["run", "--gpu", "dreambox", "-", "--backend", "wgpu"], PROGRAM);
    // In builds with it there is a device, or none.
    let (out, err) = (done.out.as_str(), done.err.as_str());
    match (cfg!(feature = "wgpu"), done.code) {
        (true, 0) => assert!(out.starts_with(" vertex  output"), "{out}"),
        (true, _) => assert!(err.contains("error[G0351]"), "{err}"),
        (false, code) => {
            assert_eq!((code, out), (1, ""));
            assert!(err.contains("error[G0350]") && err.contains("--features wgpu"), "{err}");
        }
    }
}

#[test]
fn what_would_change_nothing_is_refused() {
    let done = with_input(&["run", "--gpu", "dreambox", "-", "--fidelity", "exact"], PROGRAM);
    assert!(done.code == 2 && done.err.contains("`--fidelity` is for `--backend wgpu`"), "{}", done.err);
    let done = gpuzoo(&["render", "--gpu", "vera", "-", "--backend", "wgpu"]);
    assert!(done.err.contains("`--backend` is not for a CPU's program"), "{}", done.err);
}
