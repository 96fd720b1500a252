//! What there is to say of the files that a program read and wrote.

use super::Program;
use crate::rules::{MISSED, NO_BANK, NO_COMMAND, WRITTEN};
use crate::{Missed, Why, X16, kernal_name};
use gpuzoo_diag::{Diagnostic, Severity, counted};
use gpuzoo_machine::computer::disk::Change;
use serde::Serialize;

/// What BASIC looks for when it starts, and most disks do not have.
const AUTOBOOT: &str = "AUTOBOOT.X16";

/// Files that the program asked for and did not get, and RAM that is not there.
pub fn missed(machine: &X16, program: Option<&Program>) -> Vec<Diagnostic> {
    let bank = machine.no_bank().map(|(bank, pc)| {
        let message = format!("RAM bank {bank} is not there; the program writes to it at ${pc:04X}");
        let problem = Diagnostic::new(Severity::Note, &NO_BANK, message);
        let problem = problem.help("`--ram-banks 256` is all that a Commander can have");
        match program.and_then(|program| program.place(pc)) {
            Some(span) => problem.label(span, ""),
            None => problem,
        }
    });
    let all = machine.missed().iter().filter(|missed| missed.name != AUTOBOOT).map(|missed| {
        match program.and_then(|program| program.place(missed.caller.pc)) {
            Some(span) => problem(missed).label(span, ""),
            None => problem(missed),
        }
    });
    all.chain(bank).collect()
}

/// What a program asked for and did not get.
fn problem(missed: &Missed) -> Diagnostic {
    let routine = kernal_name(missed.caller.routine).unwrap_or("a call");
    let who = format!("{routine}, called at ${:04X}, asked for it", missed.caller.pc);
    let name = format!("`{}` of device {}", missed.name, missed.device);
    let warning = |message| Diagnostic::new(Severity::Warning, &MISSED, message);
    let is_shifted = |letter| ('\u{c1}'..='\u{da}').contains(&letter);
    match &missed.why {
        Why::Unreadable(reason) => Diagnostic::error(&MISSED, format!("cannot read {name}: {reason}; {who}")),
        Why::NoCommand => {
            let message = format!("the drive does not carry out the command {name}; {who}");
            let problem = Diagnostic::new(Severity::Warning, &NO_COMMAND, message);
            problem.help("with the Commander's ROM, `--sdcard` gives its DOS a card of its own, and that has the command")
        }
        Why::NoMode(letter) => {
            let problem = warning(format!("{name} is opened to be read; {who}"));
            problem.help(format!(
                "the first letter behind a name is the type, the second one the mode: `,S,{letter}`"
            ))
        }
        Why::Missing(near) => {
            let problem = warning(format!("file not found: {name}; {who}"));
            match near {
                Some(near) => problem.help(format!("there is `{near}`")),
                None if missed.name.chars().any(is_shifted) => problem.help(
                    "$C1 to $DA are letters with accents to the DOS: write the letters $41 to $5A, which ca65 makes of small ones",
                ),
                None => problem,
            }
        }
    }
}

/// What the program changed, as a line each.
pub fn text(changes: &[Change]) -> String {
    changes.iter().map(|change| format!("{change}\n")).collect()
}

/// A file or folder that a program changed, for scripts. Paths have `/` between their parts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum FileChange {
    /// A file was written.
    Wrote {
        /// The file's path.
        wrote: String,
        /// The length of the file.
        bytes: usize,
    },
    /// A folder was made.
    Made {
        /// The folder's path.
        made: String,
    },
    /// A file or a folder was removed.
    Removed {
        /// Its path.
        removed: String,
    },
}

/// The same for scripts.
pub fn changed(changes: &[Change]) -> Vec<FileChange> {
    use gpuzoo_machine::computer::disk::Now;
    let change = |change: &Change| {
        let path = change.path.join("/");
        match &change.now {
            Now::File(bytes) => FileChange::Wrote { wrote: path, bytes: bytes.len() },
            Now::Folder => FileChange::Made { made: path },
            Now::Gone => FileChange::Removed { removed: path },
        }
    };
    changes.iter().map(change).collect()
}

/// That what the program changed is not kept, where that is so.
pub fn unkept(machine: &X16, help: &str) -> Option<Diagnostic> {
    let changes = machine.changes();
    let message = match changes.as_slice() {
        [] => return None,
        [one] => format!("the program {one}: the folder stays as it was"),
        [one, rest @ ..] => {
            format!(
                "the program {one}, and {} more: the folder stays as it was",
                counted(rest.len(), "change")
            )
        }
    };
    Some(Diagnostic::new(Severity::Note, &WRITTEN, message).help(help))
}

/// What is put into the folder after a run that ends so; else the note that nothing is.
pub fn kept(machine: &X16, remarks: &mut Vec<Diagnostic>) -> Vec<Change> {
    if !gpuzoo_diag::has_errors(remarks) {
        return machine.changes();
    }
    remarks.extend(unkept(machine, "what a program wrote is kept once a run has no errors"));
    Vec::new()
}
