//! `--watch`: a verb again and again, whenever a file changes that it read.
//!
//! Files are asked for their time and length a few times a second, which works on every system and file system, and for
//! editors that put a new file in the old one's place. A crate that the system tells (`notify`) would bring ten others, and
//! still has to ask where the system does not tell.

use crate::io::{self, Stamp};
use crate::session::{Session, Stop};
use gpuzoo::codes::WATCHING;
use gpuzoo::diag::{Diagnostic, Severity, counted};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread::sleep;
use std::time::Duration;

/// Time between two looks at the files.
const PAUSE: Duration = Duration::from_millis(100);

/// Looks at a file that is gone before that counts: an editor may be about to put the new one in its place.
const PATIENCE: usize = 10;

/// Does a verb for the first time, and again after each change. It ends where standard output is closed, or if the command
/// line was wrong: no file can change that.
pub fn rounds(begin: impl Fn() -> Session, once: impl Fn(&mut Session) -> Result<(), Stop>) -> ExitCode {
    let mut changed: Option<Vec<PathBuf>> = None;
    loop {
        let mut session = begin();
        let is_first = changed.is_none();
        if let Some(paths) = changed {
            let names: Vec<String> = paths.iter().map(|path| format!("`{}`", path.display())).collect();
            remark(&mut session, format!("{} changed", names.join(", ")));
        }
        let result = once(&mut session);
        let is_over = matches!(result, Err(Stop::ClosedPipe));
        if let Err(stop) = result {
            session.settle(stop);
        }
        let read = io::noted();
        if is_over || is_first && session.code() == 2 || read.is_empty() {
            return session.finish(Ok(()));
        }
        let files = counted(read.len(), "file");
        remark(&mut session, format!("watching {files}; Ctrl-C ends"));
        changed = Some(wait(&read));
    }
}

fn remark(session: &mut Session, text: String) {
    session.report(vec![Diagnostic::new(Severity::Note, &WATCHING, text)]);
}

/// Waits until some files are not as they were, and for as long as they keep changing.
fn wait(read: &BTreeMap<PathBuf, Stamp>) -> Vec<PathBuf> {
    let now = || read.keys().map(|path| io::stamp(path)).collect::<Vec<Stamp>>();
    let mut looks = 0;
    let mut before = now();
    loop {
        sleep(PAUSE);
        let stamps = now();
        let is_still = stamps == before;
        before = stamps;
        let changed = || read.iter().zip(&before).filter(|((_, then), now)| then != now);
        if changed().next().is_none() {
            looks = 0;
            continue;
        }
        looks += 1;
        let is_gone = changed().any(|((_, then), now)| then.is_some() && now.is_none());
        if is_still && (!is_gone || looks > PATIENCE) {
            return changed().map(|((path, _), _)| path.clone()).collect();
        }
    }
}
