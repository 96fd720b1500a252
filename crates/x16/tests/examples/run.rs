//! Assembling and running the examples.

use gpuzoo_diag::{Severity, Sources, render};
use gpuzoo_x16::asm::{OPTIONS, Program, assemble};
use gpuzoo_x16::{Config, Limits, X16};
use std::path::{Path, PathBuf};

/// An example that was assembled.
pub struct Example {
    pub program: Program,
}

/// A machine that has run one.
pub struct Scene {
    pub machine: X16,
    pub program: Program,
}

impl Example {
    /// Where the examples are that users see.
    pub fn folder() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/shipped")
    }

    /// One of them.
    pub fn shipped(name: &str) -> Example {
        Example::assemble(&Example::folder().join(name).with_extension("s"))
    }

    /// A program for which there must be nothing to say.
    pub fn assemble(path: &Path) -> Example {
        let folder = path.parent().unwrap_or(Path::new("."));
        let text = std::fs::read_to_string(path).expect("an example");
        let mut sources = Sources::default();
        let file = sources.add(&path.display().to_string(), &text);
        let mut include = |name: &str| std::fs::read(folder.join(name)).map_err(|error| error.to_string());
        let (program, problems) = assemble(&mut sources, file, &OPTIONS, &mut include);
        let reported = problems.iter().any(|problem| problem.severity != Severity::Note);
        assert!(!reported, "{}", render::short(&sources, &problems));
        Example { program }
    }

    /// A machine with the program, and with lints on.
    pub fn machine(&self) -> X16 {
        let mut machine = X16::new(Config::default()).expect("a machine");
        let prg = self.program.prg().expect("a program");
        machine.load_prg(&prg).expect("a program that fits");
        machine.lint(Vec::new());
        machine
    }

    /// Runs to the end of a frame, counted from 0. A program that stops leaves VERA on.
    pub fn show(self, frame: u64) -> Scene {
        assert_eq!(self.program.start, 2061, "the line 10 SYS 2061");
        let mut machine = self.machine();
        while machine.vera().frames() <= frame {
            let before = machine.vera().frames();
            machine.run(&Limits::frames(1));
            if machine.vera().frames() == before {
                machine.vera_mut().advance_frame();
            }
        }
        Scene { machine, program: self.program }
    }

    /// The address of a label, or a constant.
    pub fn symbol(&self, name: &str) -> u16 {
        symbol(&self.program, name)
    }
}

impl Scene {
    pub fn symbol(&self, name: &str) -> u16 {
        symbol(&self.program, name)
    }

    /// A byte of a table in the program.
    pub fn byte(&self, name: &str, index: usize) -> u8 {
        self.program.byte(self.symbol(name) + index as u16).expect("a byte of the program")
    }

    /// A variable.
    pub fn zero_page(&self, name: &str) -> u8 {
        self.machine.peek(self.symbol(name))
    }
}

fn symbol(program: &Program, name: &str) -> u16 {
    program.symbol(name).unwrap_or_else(|| panic!("no symbol {name}")).value as u16
}
