//! `.macpack`: macros that come with the assembler. Their names and what they make are those of ca65 (cc65's manual `ca65.html`, section 13).

use crate::assembler::{Assembler, Outcome};
use crate::rules::{MACRO, UNDEFINED};
use gpuzoo_diag::suggest;
use std::fmt::Write;

/// The packages.
const PACKAGES: [&str; 2] = ["generic", "longbranch"];

/// Branches, each with the opposite one.
const BRANCHES: [(&str, &str); 8] = [
    ("eq", "ne"),
    ("ne", "eq"),
    ("mi", "pl"),
    ("pl", "mi"),
    ("cs", "cc"),
    ("cc", "cs"),
    ("vs", "vc"),
    ("vc", "vs"),
];

impl Assembler<'_> {
    /// `.macpack longbranch`
    pub fn macro_pack(&mut self) -> Outcome<()> {
        let (name, at) = self.name("the name of a package of macros")?;
        let name = self.text(name).to_ascii_lowercase();
        let Some(package) = PACKAGES.into_iter().find(|own| *own == name) else {
            let mut problem =
                *self.problem(&UNDEFINED, at, &format!("there is no package of macros `{name}`"));
            if let Some(near) = suggest::nearest(&name, PACKAGES) {
                problem = problem.help(format!("did you mean `{near}`?"));
            }
            return Err(Box::new(problem.help(format!("packages are {}", PACKAGES.join(", ")))));
        };
        self.end_of_line()?;
        if self.frames.len() >= crate::input::MAX_FILES {
            return Err(self.problem(&MACRO, at, "files are nested too deeply for a package of macros"));
        }
        let name = format!("<{package}>");
        let file = match self.files.get(&name) {
            Some(file) => *file,
            None => {
                let file = self.sources.add(&name, &text(package));
                self.files.insert(name, file);
                file
            }
        };
        self.push_file(file);
        Ok(())
    }
}

/// The macros of a package.
fn text(package: &str) -> String {
    if package == "longbranch" {
        return long_branches();
    }
    let mut text = String::new();
    for (name, carry, instruction) in [("add", "clc", "adc"), ("sub", "sec", "sbc")] {
        let _ = writeln!(
            text,
            ".macro {name} Arg1, Arg2\n {carry}\n.ifblank Arg2\n {instruction} Arg1\n.else\n {instruction} Arg1, Arg2\n.endif\n.endmacro"
        );
    }
    for (name, branch) in [("bge", "bcs"), ("blt", "bcc"), ("bnz", "bne"), ("bze", "beq")] {
        let _ = writeln!(text, ".macro {name} Arg\n {branch} Arg\n.endmacro");
    }
    // Greater is not equal and not less; less or equal is either.
    text + ".macro bgt Arg\n beq *+4\n bcs Arg\n.endmacro\n.macro ble Arg\n beq Arg\n bcc Arg\n.endmacro\n"
}

/// Branches to anywhere: a short one to a label above that is near enough, or else the opposite one over a jump.
fn long_branches() -> String {
    let mut text = String::new();
    for (condition, opposite) in BRANCHES {
        let long = format!(" b{opposite} *+5\n jmp Target");
        let _ = writeln!(
            text,
            ".macro j{condition} Target\n.if .match(Target, 0)\n{long}\n\
             .elseif .defined(Target) .and .const((*-2)-(Target)) .and ((*+2)-(Target) <= 127)\n b{condition} Target\n\
             .else\n{long}\n.endif\n.endmacro"
        );
    }
    text
}
