//! What a verb is given for a machine's own parameters: read, checked, and the files to write.

use crate::io;
use crate::session::{Session, Stop};
use gpuzoo::codes::BAD_ARGUMENT;
use gpuzoo::computer::{Include, Report, parameter};
use gpuzoo::diag::Diagnostic;
use gpuzoo::machine::arguments::{Arguments, Kind, Verb};
use gpuzoo::{Gpu, registry};
use std::path::{Path, PathBuf};

/// All that was given.
pub struct Own {
    /// What the machine gets.
    pub arguments: Arguments,
    /// Where to look for files that a text names.
    folders: Vec<PathBuf>,
    /// Files to write: the parameter's name, and where.
    outputs: Vec<(&'static str, PathBuf)>,
}

/// Reads the options of a machine that were given to a verb.
pub fn own(gpu: &dyn Gpu, verb: Verb, profile: Option<&str>, session: &Session) -> Result<Own, Stop> {
    let profile = registry::profile(gpu, profile)?;
    let arguments = Arguments::new(gpu.about().profile_name(profile));
    let mut own = Own { arguments, folders: Vec::new(), outputs: Vec::new() };
    for given in &session.given {
        let parameter = parameter(gpu, verb, given.name).map_err(|problem| {
            let mut others = session.registry.gpus().iter();
            match others.find(|other| super::parameters::parameter(**other, verb, given.name).is_ok()) {
                Some(other) => problem.help(format!("it is for {}", other.about().id)),
                None => problem,
            }
        })?;
        let paths = || given.values.iter().map(PathBuf::from);
        match parameter.kind {
            Kind::Flag => own.arguments = own.arguments.with(parameter.name),
            Kind::Folder => own.folders.extend(paths()),
            Kind::Output => own.outputs.extend(paths().map(|path| (parameter.name, path))),
            Kind::File => {
                for path in paths() {
                    let bytes = io::read(Some(&path), None)?.bytes;
                    own.arguments = own.arguments.set(parameter.name, bytes);
                }
            }
            _ => {
                for text in &given.values {
                    let value = parameter.read(text).map_err(|expected| {
                        let message = format!("`--{}` cannot be `{text}`", parameter.name);
                        Diagnostic::error(&BAD_ARGUMENT, message).help(expected)
                    })?;
                    own.arguments = own.arguments.set(parameter.name, value);
                }
            }
        }
    }
    Ok(own)
}

/// Refuses options of other machines for one that has none of them: they would change nothing.
pub fn refuse(gpu: &dyn Gpu, verb: Verb, session: &Session) -> Result<(), Stop> {
    own(gpu, verb, None, session).map(|_| ())
}

impl Own {
    /// Reads a file that a program names: in the program's folder, or in one of those given.
    pub fn include(&self, program: &str) -> Box<Include<'static>> {
        let own = Path::new(program).parent().unwrap_or(Path::new("")).to_owned();
        let folders: Vec<PathBuf> = [own].into_iter().chain(self.folders.iter().cloned()).collect();
        Box::new(move |wanted| {
            let mut reason = String::new();
            for folder in &folders {
                match std::fs::read(folder.join(wanted)) {
                    Ok(bytes) => return Ok(bytes),
                    Err(error) if reason.is_empty() => reason = error.to_string(),
                    Err(_) => {}
                }
            }
            Err(reason)
        })
    }

    /// Writes the files that were asked for; `bytes` makes those of a parameter.
    pub fn write(&self, bytes: impl Fn(&str) -> Result<Vec<u8>, Diagnostic>) -> Result<(), Stop> {
        for (name, path) in &self.outputs {
            io::write(Some(path), true, &bytes(name)?)?;
        }
        Ok(())
    }

    /// As [`write`](Own::write), of what a report has.
    pub fn write_files(&self, report: &Report) -> Result<(), Stop> {
        self.write(|wanted| {
            let found = report.files.iter().find(|(name, _)| *name == wanted);
            let none = || Diagnostic::error(&BAD_ARGUMENT, format!("there is nothing for `--{wanted}` here"));
            found.map(|(_, bytes)| bytes.clone()).ok_or_else(none)
        })
    }
}
