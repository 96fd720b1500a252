//! Writes a program in a language of the host: `show GPU FILE TARGET SHAPE FIDELITY`.
use gpuzoo_machine::{RunState, ShaderUnit, TextOptions};
use gpuzoo_translate::*;
fn main() {
    let a: Vec<String> = std::env::args().skip(1).collect();
    let gpu: &'static dyn ShaderUnit = match &a[0][..] { "nv2a" => &gpuzoo_nv2a::GPU, "dreambox" => &gpuzoo_dreambox::GPU, "servaru" => &gpuzoo_servaru::GPU, _ => &gpuzoo_picogpu::GPU };
    let text = std::fs::read_to_string(&a[1]).unwrap();
    let code = gpu.assemble(&gpuzoo_diag::File::new(&a[1], &text), &TextOptions::default());
    for d in &code.diagnostics { eprintln!("{d:?}"); }
    let program = match Program::of(gpu, &code.program, &RunState::default()) { Ok(p) => p, Err(e) => { eprintln!("{e:?}"); return } };
    let o = Options { target: Target::named(&a[2]).unwrap(), shape: Shape::ALL.into_iter().find(|s| s.0 == a[3]).unwrap().1, fidelity: if a[4] == "fast" { Fidelity::Fast } else { Fidelity::Exact } };
    match translate(&program, &o) {
        Ok(t) => { println!("{}", t.text().map_or_else(|| format!("{} words", t.words().unwrap().len()), str::to_owned)); eprintln!("{:#}", t.reflection()); }
        Err(e) => eprintln!("{} {}\n{:?}", e.code.id, e.message, e),
    }
}
