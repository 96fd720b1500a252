//! `lsp`: the language server on standard input and output.

use super::no_message;
use crate::session::{Session, Stop};
use crate::{args, io, output};
use gpuzoo::codes::NO_INPUT;
use gpuzoo::diag::Diagnostic;
use gpuzoo_editor::lsp::{Files, Server, serve};
use std::io::{BufReader, BufWriter, ErrorKind, IsTerminal, stdin, stdout};
use std::path::{Path, PathBuf};

/// Folders in which a project is looked for: the text's own and those around it. Of a folder with more entries, and of more TOML files, the rest is
/// not looked at.
const MOST_FOLDERS: usize = 8;
const MOST_ENTRIES: usize = 1_000;
const MOST_PROJECTS: usize = 50;

/// The files on the disk, as far as texts may name them. A server runs for days: what it reads is limited for each file, not
/// altogether.
struct Disk {
    /// Where to look after a text's own folder.
    folders: Vec<PathBuf>,
}

impl Files for Disk {
    fn included(&self, text: &Path, folders: &[PathBuf], wanted: &str) -> Result<Vec<u8>, String> {
        io::renew();
        io::included(io::folder(text), &[folders, &self.folders].concat(), wanted)
    }

    fn named(&self, scene: &Path, path: &Path) -> std::io::Result<Vec<u8>> {
        io::renew();
        io::named_file(&io::reach(scene, &self.folders), path)
    }

    fn may_name(&self, text: &Path, folder: &Path) -> std::io::Result<()> {
        io::within_reach(text, folder)
    }

    fn projects(&self, text: &Path) -> Vec<PathBuf> {
        let folders =
            text.ancestors().skip(1).take(MOST_FOLDERS).filter(|folder| !folder.as_os_str().is_empty());
        let files = folders.flat_map(|folder| {
            let entries = std::fs::read_dir(folder).into_iter().flatten().take(MOST_ENTRIES).flatten();
            let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
            files.retain(|path| {
                path.extension().is_some_and(|own| own.eq_ignore_ascii_case("toml")) && path.is_file()
            });
            files.sort();
            files
        });
        files.take(MOST_PROJECTS).collect()
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
