//! `lsp`: the language server on standard input and output.

use super::no_message;
use crate::args;
use crate::io;
use crate::output;
use crate::session::{Session, Stop};
use gpuzoo::codes::NO_INPUT;
use gpuzoo::diag::Diagnostic;
use gpuzoo_lsp::{Files, Server, serve};
use std::io::{BufReader, BufWriter, ErrorKind, IsTerminal, stdin, stdout};
use std::path::{Path, PathBuf};

/// The files on the disk, as far as texts may name them. A server runs for days: what it reads is limited for each file, not
/// altogether.
struct Disk {
    /// Where to look after a text's own folder.
    folders: Vec<PathBuf>,
}

impl Files for Disk {
    fn included(&self, text: &Path, wanted: &str) -> Result<Vec<u8>, String> {
        io::renew();
        io::included(io::folder(text), &self.folders, wanted)
    }

    fn named(&self, scene: &Path, path: &Path) -> std::io::Result<Vec<u8>> {
        io::renew();
        io::named_file(&io::reach(scene, &self.folders), path)
    }
}

/// Serves an editor until it says `exit`.
pub fn lsp(args: &args::Lsp, session: &mut Session) -> Result<(), Stop> {
    if let Some(id) = &args.gpu {
        session.registry.choose(Some(id), "")?;
    }
    if stdin().is_terminal() {
        let problem =
            Diagnostic::error(&NO_INPUT, "a language server speaks with an editor, not with people");
        return Err(problem.help("the book's page `In an editor` shows how editors start it").into());
    }
    io::folders(&args.include)?;
    let disk = Disk { folders: args.include.clone() };
    let server =
        Server::new(session.registry.clone(), &disk).machine(args.gpu.clone()).budget(session.budget.clone());
    match serve(server, BufReader::new(stdin()), BufWriter::new(stdout().lock())) {
        Ok(0) => Ok(()),
        Ok(_) => {
            session.fail();
            Ok(())
        }
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Err(output::standard_failed(&error)),
        Err(error) => Err(no_message(&error).into()),
    }
}
