//! Programs for the tests of the machine, as assembly text.

use gpuzoo_diag::Sources;
use gpuzoo_x16::asm::{OPTIONS, Program, assemble};
use gpuzoo_x16::{Config, X16};

/// Assembles a text without mistakes, from $0801 on.
pub fn program(text: &str) -> (Program, Sources) {
    let mut sources = Sources::default();
    let file = sources.add("test.s", text);
    let (program, problems) =
        assemble(&mut sources, file, &OPTIONS, &mut |_| Err("there are no files".to_owned()));
    assert!(problems.is_empty(), "{problems:?}");
    (program, sources)
}

/// A machine with the program loaded.
pub fn machine(text: &str) -> X16 {
    let mut machine = X16::new(Config::default()).expect("a machine");
    machine.load_prg(&program(text).0.prg().expect("a program")).expect("it fits");
    machine
}
