//! The vertices of a run: those of a file, piece by piece, or of the log that the program comes from.

use super::data::{Ready, pieces};
use crate::session::{READING, Session, Stop};
use crate::{args, io};
use gpuzoo::ShaderUnit;
use gpuzoo::run::{Pieces, Vertices as Piece};
use indicatif::ProgressBar;
use std::io::{IsTerminal, stdout};
use std::path::Path;

/// The source of vertices; there may be none.
pub struct Vertices {
    name: String,
    pieces: Option<Pieces<'static>>,
    /// Those of the log that the program comes from.
    logged: Option<Piece<'static>>,
    pub bar: ProgressBar,
}

impl Vertices {
    /// The vertices of a command line.
    pub fn of(
        unit: &'static dyn ShaderUnit,
        args: &args::Data,
        ready: &Ready,
        output: Option<&Path>,
        session: &mut Session,
    ) -> Result<Vertices, Stop> {
        let path = args.vertices.as_deref();
        let name = io::name(path, None);
        // What is written to the terminal says itself how far it is.
        let is_shown = !stdout().is_terminal() || output.is_some();
        let bar = if is_shown { session.bar(0, READING) } else { ProgressBar::hidden() };
        let bar = bar.with_message(name.clone());
        let pieces = path.map(|path| pieces(unit, args, (path, &ready.names), &bar, session)).transpose()?;
        let logged = ready.program.vertices().filter(|_| pieces.is_none()).cloned();
        Ok(Vertices { name, pieces, logged, bar })
    }

    /// True if there is a file with vertices, or the program brings some.
    pub fn has_any(&self) -> bool {
        self.pieces.is_some() || self.logged.is_some()
    }

    /// The first vertices: one for which no input has a value, if there is no file.
    pub fn first(&mut self, session: &mut Session) -> Result<Piece<'static>, Stop> {
        let mut first = self.next(session)?.unwrap_or_else(Piece::nothing);
        while first.count() == 0
            && let Some(next) = self.next(session)?
        {
            first = next;
        }
        Ok(first)
    }

    /// The next vertices, if there are any. What is wrong with them is reported, and with all that follow.
    pub fn next(&mut self, session: &mut Session) -> Result<Option<Piece<'static>>, Stop> {
        let Some(pieces) = &mut self.pieces else { return Ok(self.logged.take()) };
        let mut wrong = false;
        loop {
            let next =
                pieces.next(&mut session.sources).map_err(|error| io::unreadable(&self.name, &error))?;
            let Some((vertices, problems)) = next else {
                self.bar.finish_and_clear();
                return if wrong { Err(Stop::Reported) } else { Ok(None) };
            };
            wrong |= session.report(problems);
            if !wrong {
                return Ok(Some(vertices));
            }
        }
    }
}
